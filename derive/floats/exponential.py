"""exp: certified rational bounds, correct rounding to a format, and the exact range of exp in a format."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from derive.floats.arithmetic import Comparison
from derive.floats.formats import (
    Float,
    FloatsError,
    Format,
    finite,
    from_bits,
    infinity,
    largest_finite,
    nan,
    next_down,
    power_of_two,
    round_ratio,
    to_bits,
    zero,
)

MAX_ARGUMENT: Final = 2**20
"""Largest |x| for which exp(x) is bounded by rationals; beyond, they would have millions of digits."""

_SMALL: Final = 8
"""The Taylor series is summed at an argument below 2^-8, then squared back."""


def exp_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals (lower, upper) with lower <= exp(x) <= upper and upper - lower <= 2^-bits lower.

    Raises `out-of-range` if |x| > MAX_ARGUMENT.
    """
    lower, upper, exponent = _scaled_bounds(x, bits)
    return lower * power_of_two(exponent), upper * power_of_two(exponent)


def _scaled_bounds(x: Fraction, bits: int) -> tuple[int, int, int]:
    """Integers (lower, upper, e) with lower 2^e <= exp(x) <= upper 2^e, as `exp_bounds`.

    exp(x) = exp(x/2^k)^(2^k) with |x|/2^k < 2^-8. In units of 2^-w, let r <= (x/2^k) 2^w < r + 1. Each term
    t_j = floor(t_(j-1) r / (j 2^w)) is off by less than 2 units, since its error is at most that of t_(j-1)
    divided by 2^8, plus 1. The sum stops at a term of at most 1 unit, behind which all others together are
    below 1. So the sum of the N terms is off by less than 2N + 1 units, and exp at the upper end of the
    argument is greater than at the lower one by less than 2 more. Squaring rounds outwards, and at most
    doubles the relative width, for which w has k guard bits and more.
    """
    if abs(x) > MAX_ARGUMENT:
        raise FloatsError("out-of-range", argument=x, limit=MAX_ARGUMENT)
    if not x:
        return 1, 1, 0
    whole = abs(x.numerator) // x.denominator
    halvings = whole.bit_length() + _SMALL
    width = bits + halvings + bits.bit_length() + 8
    argument = (x.numerator << width) // (x.denominator << halvings)
    term = total = 1 << width
    count = 1
    while abs(term) > 1:
        term = (term * argument) // (count << width)
        total += term
        count += 1
    lower, upper, exponent = total - 2 * count - 1, total + 2 * count + 3, -width
    for _ in range(halvings):
        lower, upper, exponent = lower * lower, upper * upper, 2 * exponent
        excess = upper.bit_length() - width - 1
        lower, upper, exponent = lower >> excess, -((-upper) >> excess), exponent + excess
    return lower, upper, exponent


def compare_exp(x: Fraction, boundary: Fraction) -> Comparison:
    """How exp(x) stands to a rational, decided by bounds refined until they exclude it.

    It ends: exp(x) is irrational for every rational x but 0, where it is 1 (Lambert, 1761).
    Raises `out-of-range` if |x| > MAX_ARGUMENT.
    """
    if not x:
        return "<" if boundary > 1 else ">" if boundary < 1 else "="
    bits = 32
    while True:
        lower, upper = exp_bounds(x, bits)
        if upper < boundary:
            return "<"
        if lower > boundary:
            return ">"
        bits *= 2


def exp(x: Float) -> Float:
    """exp(x) correctly rounded: exp(-inf) is +0, exp(inf) is inf.

    The bounds are refined until both round to the same value. That ends since exp(x) is irrational for every
    rational x but 0, hence never a tie. Far arguments need no bounds: e^x > 2^x for x > 0 and e^x < 2^x for
    x < 0.
    """
    fmt = x.format
    if x.is_nan:
        return nan(fmt)
    if x.is_infinite:
        return zero(fmt) if x.negative else x
    if x.value >= fmt.emax + 1:
        return infinity(fmt)
    if x.value <= fmt.quantum - 1:
        return zero(fmt)
    bits = fmt.precision + 12
    while True:
        lower, upper, exponent = _scaled_bounds(x.value, bits)
        rounded = _round_scaled(fmt, lower, exponent)
        if rounded == _round_scaled(fmt, upper, exponent):
            return rounded
        bits *= 2


def _round_scaled(fmt: Format, units: int, exponent: int) -> Float:
    if exponent >= 0:
        return round_ratio(fmt, False, units << exponent, 1)
    return round_ratio(fmt, False, units, 1 << -exponent)


RangeEnd = Literal["largest-finite", "smallest-infinite", "smallest-positive", "largest-zero"]


@dataclass(frozen=True, slots=True)
class ExpInequality:
    """exp(argument) `relation` boundary, an inequality between real numbers with rational data.

    It proves what becomes of exp at that argument: finite below the overflow boundary and inf from it on (the
    tie goes to inf), positive above half the smallest subnormal and 0 up to it (the tie goes to 0).
    """

    end: RangeEnd
    argument: Fraction
    relation: Literal["<", ">"]
    boundary: Fraction

    def holds(self) -> bool:
        """Whether it is true, decided anew by rational bounds."""
        return compare_exp(self.argument, self.boundary) == self.relation


@dataclass(frozen=True, slots=True)
class ExpRange:
    """Where exp is finite and positive in a format, with the four inequalities that prove it.

    `largest_finite` and `smallest_infinite` are neighbours in the format, as are `largest_zero` and
    `smallest_positive`; as exp grows, these four decide all other arguments.
    """

    format: Format
    largest_finite: Float
    smallest_infinite: Float
    smallest_positive: Float
    largest_zero: Float
    proof: tuple[ExpInequality, ExpInequality, ExpInequality, ExpInequality]

    def end(self, name: RangeEnd) -> Float:
        """The end of the range with that name."""
        return {
            "largest-finite": self.largest_finite,
            "smallest-infinite": self.smallest_infinite,
            "smallest-positive": self.smallest_positive,
            "largest-zero": self.largest_zero,
        }[name]


def exp_range(fmt: Format) -> ExpRange:
    """The exact range of exp in the format, found by bisection over its values, which their encodings order.

    float16: exp(11.0859375) < 65520 < exp(11.09375), and exp(-17.34375) < 2^-25 < exp(-17.328125).
    """
    top = to_bits(largest_finite(fmt))
    finite_bits, infinite_bits = 0, top
    while infinite_bits - finite_bits > 1:
        middle = (finite_bits + infinite_bits) // 2
        if exp(from_bits(fmt, middle)).is_infinite:
            infinite_bits = middle
        else:
            finite_bits = middle
    positive_bits, zero_bits = 0, top
    while zero_bits - positive_bits > 1:
        middle = (positive_bits + zero_bits) // 2
        if exp(finite(fmt, -from_bits(fmt, middle).value)).is_zero:
            zero_bits = middle
        else:
            positive_bits = middle
    largest, smallest = from_bits(fmt, finite_bits), finite(fmt, -from_bits(fmt, positive_bits).value)
    infinite, vanishing = from_bits(fmt, infinite_bits), next_down(smallest)
    high, low = fmt.overflow_boundary, fmt.underflow_boundary
    return ExpRange(
        fmt,
        largest,
        infinite,
        smallest,
        vanishing,
        (
            ExpInequality("largest-finite", largest.value, "<", high),
            ExpInequality("smallest-infinite", infinite.value, ">", high),
            ExpInequality("smallest-positive", smallest.value, ">", low),
            ExpInequality("largest-zero", vanishing.value, "<", low),
        ),
    )
