"""Certified enclosures of real numbers: intervals with dyadic ends, every operation rounded outward.

An interval holds three integers and stands for ``[lo * 2^e, hi * 2^e]``. Every operation returns an interval
that contains the true result for all points of its operands; `bits` says how many leading bits are kept. The
series are cut off with a proved remainder (see `_exp_point` and `_ln_point`), never where they "stop changing".
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

MAX_MAGNITUDE = 1 << 30
_SLACK = 12


class NotCertain(ArithmeticError):
    """The enclosure is too wide to decide: it contains a point where the operation has no value."""


class TooLarge(ArithmeticError):
    """A limit was exceeded: `code` says which (magnitude, digits, operations, size, depth, time)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Interval:
    """All numbers from ``lo * 2^e`` to ``hi * 2^e``, both included."""

    __slots__ = ("e", "hi", "lo")

    def __init__(self, lo: int, hi: int, e: int) -> None:
        self.lo = lo
        self.hi = hi
        self.e = e

    @property
    def lower(self) -> Fraction:
        return _scaled(self.lo, self.e)

    @property
    def upper(self) -> Fraction:
        return _scaled(self.hi, self.e)

    def __contains__(self, q: int | Fraction) -> bool:
        return self.lower <= q <= self.upper

    def __repr__(self) -> str:
        if abs(self.e) > 2000:
            return f"[{self.lo}, {self.hi}]*2^{self.e}"
        return f"[{float(self.lower):.17g}, {float(self.upper):.17g}]"

    def sign(self) -> int | None:
        """-1, 0 or 1 where it is the same for all points, else None."""
        if self.lo > 0:
            return 1
        if self.hi < 0:
            return -1
        return 0 if self.lo == 0 == self.hi else None

    def narrow(self, bits: int) -> bool:
        """Whether the width is at most ``2^-bits`` of the smallest point's magnitude."""
        least = min(abs(self.lo), abs(self.hi)) if (self.lo > 0) == (self.hi > 0) else 0
        return (self.hi - self.lo) << bits <= least


def _scaled(m: int, e: int) -> Fraction:
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)


def _trim(lo: int, hi: int, e: int, bits: int) -> Interval:
    extra = max(lo.bit_length(), hi.bit_length()) - bits
    if extra > _SLACK:
        lo >>= extra
        hi = -(-hi >> extra)
        e += extra
    if not -MAX_MAGNITUDE < e < MAX_MAGNITUDE:
        raise TooLarge("magnitude")
    return Interval(lo, hi, e)


def rational(q: int | Fraction, bits: int) -> Interval:
    """An enclosure of a rational number, exact where it fits."""
    if isinstance(q, int):
        return _trim(q, q, 0, bits)
    p, d = q.numerator, q.denominator
    shift = bits + 2 + d.bit_length() - p.bit_length()
    if shift < 0:
        shift = 0
    lo, rest = divmod(p << shift, d)
    return _trim(lo, lo + (rest != 0), -shift, bits)


def neg(a: Interval) -> Interval:
    """``-a``."""
    return Interval(-a.hi, -a.lo, a.e)


def add(a: Interval, b: Interval, bits: int) -> Interval:
    """``a + b``; what lies far below the leading bits is rounded outward, not aligned."""
    if a.e < b.e:
        a, b = b, a
    shift = a.e - b.e
    if shift <= bits + 64:
        return _trim((a.lo << shift) + b.lo, (a.hi << shift) + b.hi, b.e, bits)
    top_a = a.e + max(a.lo.bit_length(), a.hi.bit_length())
    top_b = b.e + max(b.lo.bit_length(), b.hi.bit_length())
    e = max(top_a, top_b) - bits - _SLACK
    a, b = _at_exponent(a, e), _at_exponent(b, e)
    return _trim(a.lo + b.lo, a.hi + b.hi, e, bits)


def _at_exponent(a: Interval, e: int) -> Interval:
    shift = a.e - e
    if shift >= 0:
        return Interval(a.lo << shift, a.hi << shift, e)
    return Interval(a.lo >> -shift, -(-a.hi >> -shift), e)


def mul(a: Interval, b: Interval, bits: int) -> Interval:
    """``a * b``."""
    if a.lo >= 0 and b.lo >= 0:
        return _trim(a.lo * b.lo, a.hi * b.hi, a.e + b.e, bits)
    p = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
    return _trim(min(p), max(p), a.e + b.e, bits)


def div(a: Interval, b: Interval, bits: int) -> Interval:
    """``a / b``. Raises `NotCertain` where `b` contains 0."""
    if b.hi < 0:
        a, b = neg(a), neg(b)
    if b.lo <= 0:
        raise NotCertain
    shift = bits + 2 + b.hi.bit_length() - max(a.lo.bit_length(), a.hi.bit_length())
    if shift < 0:
        shift = 0
    lo = (a.lo << shift) // (b.hi if a.lo >= 0 else b.lo)
    hi = -((-a.hi << shift) // (b.lo if a.hi >= 0 else b.hi))
    return _trim(lo, hi, a.e - b.e - shift, bits)


def power(a: Interval, n: int, bits: int) -> Interval:
    """``a ^ n`` for ``n >= 1``, by squaring."""
    if n % 2 == 0 and a.lo < 0:
        a = neg(a) if a.hi <= 0 else Interval(0, max(-a.lo, a.hi), a.e)
    wide = bits + 2 * n.bit_length()
    result = a
    for digit in bin(n)[3:]:
        result = mul(result, result, wide)
        if digit == "1":
            result = mul(result, a, wide)
    return _trim(result.lo, result.hi, result.e, bits)


def sqrt(a: Interval, bits: int) -> Interval:
    """The square root. Raises `NotCertain` where `a` contains negative points."""
    if a.lo < 0:
        raise NotCertain
    shift = max(0, 2 * bits + 4 - a.hi.bit_length())
    shift += (a.e - shift) & 1
    high = a.hi << shift
    return _trim(isqrt(a.lo << shift), isqrt(high - 1) + 1 if high else 0, (a.e - shift) // 2, bits)


def maximum(a: Interval, b: Interval) -> Interval:
    """The greater of two."""
    e = min(a.e, b.e)
    if abs(a.e - b.e) > 100_000:
        greater = compare(a, b)
        if greater is None:
            raise TooLarge("magnitude")
        return a if greater >= 0 else b
    a, b = _at_exponent(a, e), _at_exponent(b, e)
    return Interval(max(a.lo, b.lo), max(a.hi, b.hi), e)


def compare(a: Interval, b: Interval) -> int | None:
    """-1 where every point of `a` is less than every point of `b`, 1 the other way, 0 for one same point."""
    if a.lo == a.hi and b.lo == b.hi and _end(a.lo, a.e, b.lo, b.e) == 0:
        return 0
    if _end(a.hi, a.e, b.lo, b.e) < 0:
        return -1
    if _end(a.lo, a.e, b.hi, b.e) > 0:
        return 1
    return None


def _end(m: int, e: int, n: int, f: int) -> int:
    """The sign of ``m*2^e - n*2^f``, without aligning numbers of very different size."""
    sign_m, sign_n = (m > 0) - (m < 0), (n > 0) - (n < 0)
    if sign_m != sign_n or sign_m == 0:
        return (sign_m > sign_n) - (sign_m < sign_n)
    top_m, top_n = e + m.bit_length(), f + n.bit_length()
    if top_m != top_n:
        return sign_m if top_m > top_n else -sign_m
    if e >= f:
        m <<= e - f
    else:
        n <<= f - e
    return (m > n) - (m < n)


# --- exponential and logarithm -----------------------------------------------------------------------------


def _atanh_of_reciprocal(q: int, bits: int) -> tuple[int, int]:
    """``2^bits * atanh(1/q)`` rounded down, and by how many units that may be too small.

    Each term ``1 / (q^(2k+1) (2k+1))`` is rounded down once in the power and once in the quotient; the
    powers' errors shrink by ``q^2 >= 9`` at each step, and what follows the first power below one unit is
    less than two units.
    """
    power, square = (1 << bits) // q, q * q
    total, k = power, 1
    while power:
        power //= square
        k += 2
        total += power // k
    return total, 3 * k + 8


@lru_cache(maxsize=64)
def _ln2_at(bits: int) -> tuple[int, int]:
    """``2^bits * ln 2`` between two integers: ``18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749)``."""
    a, da = _atanh_of_reciprocal(26, bits + 24)
    b, db = _atanh_of_reciprocal(4801, bits + 24)
    c, dc = _atanh_of_reciprocal(8749, bits + 24)
    lo = 18 * a - 2 * (b + db) + 8 * c
    hi = 18 * (a + da) - 2 * b + 8 * (c + dc)
    return lo >> 24, -(-hi >> 24)


def _ln2(bits: int) -> tuple[int, int]:
    step = -(-bits // 64) * 64
    lo, hi = _ln2_at(step)
    return lo >> (step - bits), -(-hi >> (step - bits))


def _exp_point(m: int, e: int, bits: int) -> Interval:
    """An enclosure of ``exp(m * 2^e)``: subtract multiples of ln 2, halve, Taylor, square back.

    After it ``0 <= y < 1/8``. Computed terms are never above the true ones: with an error d before, a term's
    error is at most ``d*y/n + 1/n + 1``, so below 4 units; what follows the first computed term that is 0
    sums to less than 8. That y itself may be too small by `spread` units adds at most twice as many.
    """
    if m == 0:
        return Interval(1, 1, 0)
    if e + m.bit_length() > 30:
        raise TooLarge("magnitude")
    halvings = 4 + isqrt(bits) // 2
    work = bits + halvings + 24
    scaled = m << (e + work) if e + work >= 0 else m >> -(e + work)
    guard = max(0, e + m.bit_length()) + 2
    ln2_low, ln2_high = _ln2(work + guard)
    k = (scaled << guard) // (ln2_high if scaled >= 0 else ln2_low)
    if k >= 0:
        low = scaled - (-(-k * ln2_high >> guard))
        high = scaled + 1 - (k * ln2_low >> guard)
    else:
        low = scaled - (-(-k * ln2_low >> guard))
        high = scaled + 1 - (k * ln2_high >> guard)
    y = low >> halvings
    spread = (high - low >> halvings) + 2
    term = one = 1 << work
    total, n = one, 0
    while term:
        n += 1
        term = (term * y >> work) // n
        total += term
    lo, hi = total, total + 4 * n + 16 + 2 * spread
    for _ in range(halvings):
        lo = lo * lo >> work
        hi = -(-hi * hi >> work)
    return _trim(lo, hi, k - work, bits)


def exp(a: Interval, bits: int) -> Interval:
    """The exponential: that of the lower end, times ``exp(w) <= 1 + 2w`` for a width ``w <= 1``.

    Raises `NotCertain` where `a` is wider than 1.
    """
    low = _exp_point(a.lo, a.e, bits)
    width = a.hi - a.lo
    if not width:
        return low
    if a.e + width.bit_length() > 0:
        raise NotCertain
    shift = min(bits + 16, 8 - a.e - width.bit_length())
    up = a.e + 1 + shift
    widened = (width << up) if up >= 0 else -(-width >> -up)
    return _trim(low.lo << shift, low.hi * ((1 << shift) + widened), low.e - shift, bits)


@lru_cache(maxsize=32_768)
def exp_rational(q: int | Fraction, bits: int) -> Interval:
    """The exponential of a rational number; kept, since a softmax asks for the same ones again and again."""
    return exp(rational(q, bits + 8 + int(q).bit_length()), bits)


def _ln_point(m: int, e: int, bits: int) -> Interval:
    """An enclosure of ``ln(m * 2^e)``, ``m > 0``: ``x = f * 2^k``, ``ln f = 2 atanh((f-1)/(f+1))``.

    With ``3/4 < f <= 3/2`` the argument z has ``|z| <= 1/5``. It is rounded down (one unit), its powers by at
    most two units each, every quotient by one more; what follows the first power that is 0 is below 3 units.
    """
    length = m.bit_length()
    work = max(bits + 24, length + 1)
    k = e + length
    f = m << (work - length)
    if f << 2 <= 3 << work:
        f <<= 1
        k -= 1
    one = 1 << work
    z = (abs(f - one) << work) // (f + one)
    square = z * z >> work
    power = total = z
    n = 1
    while power:
        power = power * square >> work
        n += 2
        total += power // n
    lo, hi = 2 * total, 2 * (total + 3 * n + 8)
    if f < one:
        lo, hi = -hi, -lo
    ln2_low, ln2_high = _ln2(work)
    if k >= 0:
        lo, hi = lo + k * ln2_low, hi + k * ln2_high
    else:
        lo, hi = lo + k * ln2_high, hi + k * ln2_low
    return _trim(lo, hi, -work, bits)


def ln(a: Interval, bits: int) -> Interval:
    """The natural logarithm. Raises `NotCertain` where `a` contains points that are not positive."""
    if a.lo <= 0:
        raise NotCertain
    low = _ln_point(a.lo, a.e, bits)
    if a.lo == a.hi:
        return low
    width = div(Interval(a.hi - a.lo, a.hi - a.lo, 0), Interval(a.lo, a.lo, 0), bits)
    high = add(low, width, bits)
    lo = _at_exponent(low, min(low.e, high.e))
    hi = _at_exponent(high, min(low.e, high.e))
    return Interval(lo.lo, hi.hi, lo.e)


@lru_cache(maxsize=8_192)
def ln_rational(q: int | Fraction, bits: int) -> Interval:
    """The natural logarithm of a positive rational number."""
    return ln(rational(q, bits + 8), bits)


@lru_cache(maxsize=8_192)
def sqrt_rational(q: int | Fraction, bits: int) -> Interval:
    """The square root of a rational number that is not negative."""
    return sqrt(rational(q, bits + 8), bits)
