"""Closed forms: real numbers built from rationals by ``+ * / ^ sqrt exp ln``, so that equal ones can be recognised.

A closed form is a quotient of two sums of monomials ``c * exp(E) * sqrt(s) * (ln or opaque numbers)``. Two
forms are *recognised* as equal only if cross-multiplying them gives the same sums, never because they are
close; forms that are not recognised as equal may still be equal. Without logarithms and nested roots the test
is complete as well: exponentials of different rationals are linearly independent (Lindemann and Weierstrass).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, isqrt
from typing import NamedTuple

from proofs import intervals
from proofs.intervals import Interval, NotCertain, TooLarge

MAX_MONOMIALS = 200
_MAX_BITS = 8_192
_SIGN_BITS = 2_048
_TRIAL = 1_000


class Atom(NamedTuple):
    """A number that is not taken apart: the logarithm of an integer, or ``ln``, ``sqrt``, ``exp`` of a form."""

    function: str
    integer: int
    numerator: frozenset[tuple[Monomial, Fraction]] = frozenset()
    denominator: frozenset[tuple[Monomial, Fraction]] = frozenset()


class Monomial(NamedTuple):
    """``exp(sum of c*m) * sqrt(radicand) * product of atom^k``; the radicand is a positive integer."""

    exponent: frozenset[tuple[Monomial, Fraction]] = frozenset()
    radicand: int = 1
    atoms: frozenset[tuple[Atom, int]] = frozenset()


Sum = dict[Monomial, Fraction]

_UNIT = Monomial()
_ONE: Sum = {_UNIT: Fraction(1)}


class Form:
    """A quotient of two sums; the denominator is not 0, and is 1 where it would be a single monomial."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Sum, denominator: Sum = _ONE) -> None:
        if len(numerator) > MAX_MONOMIALS or len(denominator) > MAX_MONOMIALS:
            raise TooLarge("size")
        if any(_bits(c) > _MAX_BITS for s in (numerator, denominator) for c in s.values()):
            raise TooLarge("digits")
        if len(denominator) == 1 and denominator is not _ONE:
            ((m, c),) = denominator.items()
            numerator, denominator = _product(numerator, dict([_inverse(m, c)])), _ONE
        self.numerator = numerator
        self.denominator = denominator if numerator else _ONE

    def rational(self) -> Fraction | None:
        """The number itself where it is recognised as rational."""
        if not self.numerator:
            return Fraction(0)
        m = next(iter(self.denominator))
        ratio = self.numerator.get(m, Fraction(0)) / self.denominator[m]
        if all(c * ratio == self.numerator.get(m) for m, c in self.denominator.items()) and len(self.numerator) == len(
            self.denominator
        ):
            return ratio
        return None

    def enclosure(self, bits: int) -> Interval:
        """An interval that contains the number."""
        top = _enclose(self.numerator, bits)
        return top if self.denominator is _ONE else intervals.div(top, _enclose(self.denominator, bits), bits)

    def sign(self) -> int:
        """-1, 0 or 1; 0 only where the numerator is recognised as 0. Raises `NotCertain` if bounds don't tell."""
        if not self.numerator:
            return 0
        bits = 64
        while bits <= _SIGN_BITS:
            try:
                known = self.enclosure(bits).sign()
            except NotCertain:
                known = None
            if known:
                return known
            bits *= 2
        raise NotCertain


def constant(q: int | Fraction) -> Form:
    """A rational number as a form."""
    return Form({_UNIT: Fraction(q)} if q else {})


def add(a: Form, b: Form) -> Form:
    """``a + b``."""
    if a.denominator == b.denominator:
        return Form(_plus(a.numerator, b.numerator), a.denominator)
    top = _plus(_product(a.numerator, b.denominator), _product(b.numerator, a.denominator))
    return Form(top, _product(a.denominator, b.denominator))


def mul(a: Form, b: Form) -> Form:
    """``a * b``."""
    return Form(_product(a.numerator, b.numerator), _product(a.denominator, b.denominator))


def inverse(a: Form) -> Form:
    """``1 / a`` for an `a` that is known not to be 0."""
    return Form(a.denominator, a.numerator)


def power(a: Form, n: int) -> Form:
    """``a ^ n``; for ``n <= 0``, `a` is known not to be 0."""
    if n < 0:
        return power(inverse(a), -n)
    if len(a.numerator) == 1 and a.denominator is _ONE:
        ((m, c),) = a.numerator.items()
        if _bits(c) * n > _MAX_BITS or m.radicand.bit_length() * n > _MAX_BITS:
            raise TooLarge("digits")
        odd = m.radicand if n % 2 else 1
        exponent = frozenset((k, v * n) for k, v in m.exponent) if n else frozenset()
        atoms = frozenset((k, v * n) for k, v in m.atoms) if n else frozenset()
        return Form({Monomial(exponent, odd, atoms): c**n * m.radicand ** (n // 2)})
    if n > 64:
        raise TooLarge("size")
    result = constant(1)
    for _ in range(n):
        result = mul(result, a)
    return result


def sqrt(a: Form) -> Form:
    """The square root of a form that is known not to be negative."""
    if not a.numerator:
        return a
    if len(a.numerator) == 1 and a.denominator is _ONE:
        ((m, c),) = a.numerator.items()
        if m.radicand == 1 and not m.atoms and c > 0:
            square, rest = _square_part(c.numerator * c.denominator)
            half = frozenset((k, v / 2) for k, v in m.exponent)
            return Form({Monomial(half, rest): Fraction(square, c.denominator)})
    return _opaque("sqrt", a)


def exp(a: Form) -> Form:
    """The exponential; ``exp(k ln n)`` is ``n^k``."""
    if a.denominator is not _ONE:
        return _opaque("exp", a)
    result = constant(1)
    exponent: Sum = {}
    for m, c in a.numerator.items():
        base = _logarithm_of(m)
        if base is not None and c.denominator == 1 and abs(c) <= 64:
            result = mul(result, power(base, int(c)))
        elif base is not None and c.denominator == 2 and abs(c) <= 32 and _is_rational(base):
            result = mul(result, power(sqrt(base), int(2 * c)))
        else:
            exponent[m] = c
    return mul(result, Form({Monomial(frozenset(exponent.items())): Fraction(1)}))


def ln(a: Form) -> Form:
    """The natural logarithm of a form that is known to be positive; of a sum, the least exponential is taken out."""
    if a.denominator is not _ONE:
        top, bottom = Form(a.numerator), Form(a.denominator)
        if bottom.sign() < 0:
            top, bottom = _negative(top), _negative(bottom)
        return add(ln(top), _negative(ln(bottom)))
    if len(a.numerator) == 1:
        ((m, c),) = a.numerator.items()
        return _opaque("ln", a) if m.atoms else _ln_monomial(m, c)
    least = _least(a.numerator)
    if least is None:
        return _opaque("ln", a)
    m, c = least
    rest = Form(_product(a.numerator, dict([_inverse(m, c)])))
    return add(_ln_monomial(m, c), _opaque("ln", rest))


# --- inside ------------------------------------------------------------------------------------------------


def _bits(c: Fraction) -> int:
    return c.numerator.bit_length() + c.denominator.bit_length()


def _plus(a: Sum, b: Sum) -> Sum:
    result = dict(a)
    for m, c in b.items():
        c += result.get(m, 0)
        if c:
            result[m] = c
        else:
            del result[m]
    return result


def _product(a: Sum, b: Sum) -> Sum:
    if b is _ONE:
        return a
    if a is _ONE:
        return b
    if len(a) * len(b) > 16 * MAX_MONOMIALS:
        raise TooLarge("size")
    result: Sum = {}
    for m, c in a.items():
        for n, d in b.items():
            p, factor = _times(m, n)
            value = c * d * factor + result.get(p, 0)
            if value:
                result[p] = value
            else:
                del result[p]
    return result


def _times(m: Monomial, n: Monomial) -> tuple[Monomial, int]:
    common = gcd(m.radicand, n.radicand)
    radicand = (m.radicand // common) * (n.radicand // common)
    return Monomial(_sum_of(m.exponent, n.exponent), radicand, _powers_of(m.atoms, n.atoms)), common


def _sum_of(
    a: frozenset[tuple[Monomial, Fraction]], b: frozenset[tuple[Monomial, Fraction]]
) -> frozenset[tuple[Monomial, Fraction]]:
    if not a or not b:
        return a or b
    return frozenset(_plus(dict(a), dict(b)).items())


def _powers_of(a: frozenset[tuple[Atom, int]], b: frozenset[tuple[Atom, int]]) -> frozenset[tuple[Atom, int]]:
    if not a or not b:
        return a or b
    result = dict(a)
    for atom, k in b:
        result[atom] = result.get(atom, 0) + k
    return frozenset((atom, k) for atom, k in result.items() if k)


def _inverse(m: Monomial, c: Fraction) -> tuple[Monomial, Fraction]:
    exponent = frozenset((k, -v) for k, v in m.exponent)
    atoms = frozenset((k, -v) for k, v in m.atoms)
    return Monomial(exponent, m.radicand, atoms), 1 / (c * m.radicand)


def _negative(a: Form) -> Form:
    return Form({m: -c for m, c in a.numerator.items()}, a.denominator)


def _opaque(function: str, a: Form) -> Form:
    atom = Atom(function, 0, frozenset(a.numerator.items()), frozenset(a.denominator.items()))
    return Form({Monomial(atoms=frozenset([(atom, 1)])): Fraction(1)})


def _inside(atom: Atom) -> Form:
    if atom.integer:
        return constant(atom.integer)
    return Form(dict(atom.numerator), dict(atom.denominator))


def _is_rational(a: Form) -> bool:
    return a.denominator is _ONE and a.numerator.keys() <= {_UNIT}


def _logarithm_of(m: Monomial) -> Form | None:
    """The x of a monomial that is nothing but ``ln x``."""
    if m.exponent or m.radicand != 1 or len(m.atoms) != 1:
        return None
    ((atom, k),) = m.atoms
    return _inside(atom) if atom.function == "ln" and k == 1 else None


def _square_part(n: int) -> tuple[int, int]:
    """``(a, b)`` with ``n = a*a*b``, where b has no small square factor and is not a square."""
    root = isqrt(n)
    if root * root == n:
        return root, 1
    square, p = 1, 2
    while p < _TRIAL and p * p <= n:
        while n % (p * p) == 0:
            n //= p * p
            square *= p
        p += 1
    root = isqrt(n)
    return (square * root, 1) if root * root == n else (square, n)


def _factors(n: int) -> Iterable[tuple[int, int]]:
    """Factors with multiplicities whose product is `n`: small primes, and what is left."""
    p = 2
    while p < _TRIAL and p * p <= n:
        k = 0
        while n % p == 0:
            n //= p
            k += 1
        if k:
            yield p, k
        p += 1
    if n > 1:
        yield n, 1


def _ln_monomial(m: Monomial, c: Fraction) -> Form:
    total = dict(m.exponent)
    for n, scale in (
        (c.numerator, Fraction(1)),
        (c.denominator, Fraction(-1)),
        (m.radicand, Fraction(1, 2)),
    ):
        for p, k in _factors(n):
            total = _plus(total, {Monomial(atoms=frozenset([(Atom("ln", p), 1)])): k * scale})
    return Form(total)


def _least(s: Sum) -> tuple[Monomial, Fraction] | None:
    """The monomial of the least exponential, if all are rational numbers times exponentials of rationals."""
    best: tuple[Fraction, Monomial] | None = None
    for m in s:
        exponent = dict(m.exponent)
        if m.atoms or m.radicand != 1 or not exponent.keys() <= {_UNIT}:
            return None
        r = exponent.get(_UNIT, Fraction(0))
        if best is None or r < best[0]:
            best = (r, m)
    return (best[1], s[best[1]]) if best and s[best[1]] > 0 else None


def _enclose(s: Sum, bits: int) -> Interval:
    work = bits + 16
    total: Interval | None = None
    for m, c in s.items():
        value = intervals.rational(c, work)
        if m.exponent:
            arguments = dict(m.exponent)
            if arguments.keys() == {_UNIT}:
                grown = intervals.exp_rational(arguments[_UNIT], work)
            else:
                grown = intervals.exp(_enclose(arguments, work), work)
            value = intervals.mul(value, grown, work)
        if m.radicand != 1:
            value = intervals.mul(value, intervals.sqrt_rational(m.radicand, work), work)
        for atom, k in m.atoms:
            factor = intervals.power(_enclose_atom(atom, work), abs(k), work)
            combine = intervals.mul if k > 0 else intervals.div
            value = combine(value, factor, work)
        total = value if total is None else intervals.add(total, value, work)
    return total or Interval(0, 0, 0)


def _enclose_atom(atom: Atom, bits: int) -> Interval:
    if atom.integer:
        return intervals.ln_rational(atom.integer, bits)
    inner = _inside(atom).enclosure(bits)
    if atom.function == "ln":
        return intervals.ln(inner, bits)
    return intervals.sqrt(inner, bits) if atom.function == "sqrt" else intervals.exp(inner, bits)
