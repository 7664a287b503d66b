"""Four IEEE formats as sets of rationals, their values, and rounding to nearest with ties to even.

A format is given by its precision p (significant bits, the leading one included) and its largest exponent
emax; the smallest normal exponent is 1 - emax (IEEE 754-2019, clause 3.3). bfloat16 follows the same rules
with p = 8 and emax = 127.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Final, Literal

ErrorCode = Literal[
    "unknown-format",
    "format-mismatch",
    "not-in-format",
    "no-spacing",
    "not-finite",
    "not-a-number",
    "too-many-digits",
    "out-of-range",
    "empty-row",
    "length-mismatch",
    "unknown-method",
]


class FloatsError(ValueError):
    """Something that the model of IEEE arithmetic refuses: a code and its parameters, no sentence."""

    def __init__(self, code: ErrorCode, **parameters: object) -> None:
        super().__init__(code, parameters)
        self.code: Final = code
        self.parameters: Final = parameters


class Kind(Enum):
    """What a value is: a rational (either zero included), an infinity, or not a number."""

    FINITE = "finite"
    INFINITE = "infinite"
    NAN = "nan"


@dataclass(frozen=True, slots=True)
class Format:
    """A binary format: its name, precision p in bits, largest exponent emax and width in bits."""

    name: str
    precision: int
    emax: int
    width: int

    @property
    def emin(self) -> int:
        """Exponent of the smallest normal number."""
        return 1 - self.emax

    @property
    def quantum(self) -> int:
        """Exponent of the smallest subnormal number: each finite value is a multiple of 2^quantum."""
        return self.emin - self.precision + 1

    @property
    def largest(self) -> Fraction:
        """Largest finite value, (2^p - 1) 2^(emax - p + 1)."""
        return ((1 << self.precision) - 1) * power_of_two(self.emax - self.precision + 1)

    @property
    def smallest_normal(self) -> Fraction:
        """Smallest positive normal value, 2^emin."""
        return power_of_two(self.emin)

    @property
    def smallest_subnormal(self) -> Fraction:
        """Smallest positive value, 2^quantum."""
        return power_of_two(self.quantum)

    @property
    def overflow_boundary(self) -> Fraction:
        """Half a spacing above the largest value: a number rounds to inf exactly if it is >= this.

        The tie goes to the even neighbour, and the largest finite significand is odd.
        """
        return ((2 << self.precision) - 1) * power_of_two(self.emax - self.precision)

    @property
    def underflow_boundary(self) -> Fraction:
        """Half the smallest subnormal: a positive number rounds to 0 exactly if it is <= this (0 is even)."""
        return power_of_two(self.quantum - 1)


FLOAT16: Final = Format("float16", 11, 15, 16)
BFLOAT16: Final = Format("bfloat16", 8, 127, 16)
FLOAT32: Final = Format("float32", 24, 127, 32)
FLOAT64: Final = Format("float64", 53, 1023, 64)
FORMATS: Final = (FLOAT16, BFLOAT16, FLOAT32, FLOAT64)


def format_named(name: str) -> Format:
    """The format of that name. Raises `unknown-format`."""
    for fmt in FORMATS:
        if fmt.name == name:
            return fmt
    raise FloatsError("unknown-format", name=name, known=tuple(fmt.name for fmt in FORMATS))


@dataclass(frozen=True, slots=True)
class Float:
    """One value of a format.

    `value` is the exact rational of a finite value, and 0 for an infinity or NaN; `negative` is the sign bit,
    so that the two zeros differ (NaN has none: there is one NaN). `==` is sameness of the data, so NaN equals
    itself and the zeros differ; the comparison of the standard is `arithmetic.compare`.
    """

    format: Format
    kind: Kind
    negative: bool
    value: Fraction

    def __post_init__(self) -> None:
        if self.kind is Kind.FINITE:
            good = _belongs(self.format, self.value) and (not self.value or (self.value < 0) is self.negative)
        else:
            good = not self.value and not (self.kind is Kind.NAN and self.negative)
        if not good:
            raise FloatsError("not-in-format", format=self.format.name, value=self.value)

    @property
    def is_finite(self) -> bool:
        """Whether the value is a rational."""
        return self.kind is Kind.FINITE

    @property
    def is_infinite(self) -> bool:
        """Whether it is inf or -inf."""
        return self.kind is Kind.INFINITE

    @property
    def is_nan(self) -> bool:
        """Whether it is not a number."""
        return self.kind is Kind.NAN

    @property
    def is_zero(self) -> bool:
        """Whether it is +0 or -0."""
        return self.kind is Kind.FINITE and not self.value

    @property
    def is_subnormal(self) -> bool:
        """Whether it is not 0 but below the smallest normal value in magnitude."""
        return bool(self.value) and abs(self.value) < self.format.smallest_normal


def _belongs(fmt: Format, value: Fraction) -> bool:
    """Whether value = m 2^e, m odd, has at most p bits in m, e >= quantum and a leading bit up to 2^emax."""
    numerator, denominator = abs(value.numerator), value.denominator
    places = denominator.bit_length() - 1
    odd_bits = numerator.bit_length() - ((numerator & -numerator).bit_length() - 1)
    return not numerator or (
        denominator == 1 << places
        and places <= -fmt.quantum
        and odd_bits <= fmt.precision
        and numerator.bit_length() - places <= fmt.emax + 1
    )


def power_of_two(exponent: int) -> Fraction:
    """2^exponent, exactly."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def finite(fmt: Format, value: Fraction, negative: bool = False) -> Float:
    """The finite value equal to that rational, which must be in the format; `negative` signs a zero."""
    return Float(fmt, Kind.FINITE, value < 0 if value else negative, value)


def infinity(fmt: Format, negative: bool = False) -> Float:
    """inf, or -inf."""
    return Float(fmt, Kind.INFINITE, negative, Fraction(0))


def nan(fmt: Format) -> Float:
    """The one NaN of the model, which keeps neither sign nor payload."""
    return Float(fmt, Kind.NAN, False, Fraction(0))


def zero(fmt: Format, negative: bool = False) -> Float:
    """+0, or -0."""
    return Float(fmt, Kind.FINITE, negative, Fraction(0))


def _exponent(numerator: int, denominator: int) -> int:
    """floor(log2(numerator/denominator)) of a positive rational."""
    exponent = numerator.bit_length() - denominator.bit_length()
    reached = numerator >= denominator << exponent if exponent >= 0 else numerator << -exponent >= denominator
    return exponent if reached else exponent - 1


def _quantum_of(fmt: Format, numerator: int, denominator: int) -> int:
    """Exponent of the spacing of the format at a positive rational, as if its range had no upper end."""
    return max(_exponent(numerator, denominator), fmt.emin) - fmt.precision + 1


def round_ratio(fmt: Format, negative: bool, numerator: int, denominator: int) -> Float:
    """(-1)^negative numerator/denominator rounded to the format (IEEE 754-2019, clause 4.3.1).

    The numerator is >= 0, the denominator > 0; lowest terms are not needed. A result of 0 keeps the sign.
    """
    if not numerator:
        return zero(fmt, negative)
    quantum = _quantum_of(fmt, numerator, denominator)
    if quantum > fmt.emax - fmt.precision + 1:
        return infinity(fmt, negative)
    if quantum >= 0:
        denominator <<= quantum
    else:
        numerator <<= -quantum
    units, remainder = divmod(numerator, denominator)
    if 2 * remainder > denominator or (2 * remainder == denominator and units % 2):
        units += 1
    if units >> fmt.precision and quantum == fmt.emax - fmt.precision + 1:
        return infinity(fmt, negative)
    magnitude = Fraction(units << quantum) if quantum >= 0 else Fraction(units, 1 << -quantum)
    return Float(fmt, Kind.FINITE, negative, -magnitude if negative else magnitude)


def round_rational(fmt: Format, value: Fraction, negative_zero: bool = False) -> Float:
    """A rational rounded to the format; `negative_zero` gives an exact 0 its sign."""
    negative = value < 0 if value else negative_zero
    return round_ratio(fmt, negative, abs(value.numerator), value.denominator)


def largest_finite(fmt: Format) -> Float:
    """The largest finite value (65504 in float16)."""
    return finite(fmt, fmt.largest)


def smallest_positive(fmt: Format) -> Float:
    """The smallest positive value, a subnormal (2^-24 in float16)."""
    return finite(fmt, fmt.smallest_subnormal)


def to_bits(x: Float) -> int:
    """The encoding (clause 3.4) as an unsigned integer; NaN is the quiet one, 7e00 in float16."""
    fmt = x.format
    fraction_bits = fmt.precision - 1
    top = (2 * fmt.emax + 1) << fraction_bits
    if x.is_nan:
        return top | 1 << (fraction_bits - 1)
    magnitude = abs(x.value)
    if x.is_infinite:
        code = top
    elif not magnitude:
        code = 0
    else:
        quantum = _quantum_of(fmt, magnitude.numerator, magnitude.denominator)
        units = int(magnitude * power_of_two(-quantum))
        code = ((quantum - fmt.quantum) << fraction_bits) + units
    return code | int(x.negative) << (fmt.width - 1)


def from_bits(fmt: Format, bits: int) -> Float:
    """The value with that encoding, the inverse of `to_bits`; every NaN gives the one NaN."""
    if not 0 <= bits < 1 << fmt.width:
        raise FloatsError("not-in-format", format=fmt.name, value=bits)
    fraction_bits = fmt.precision - 1
    negative = bool(bits >> (fmt.width - 1))
    biased, fraction = divmod(bits & ((1 << (fmt.width - 1)) - 1), 1 << fraction_bits)
    if biased == 2 * fmt.emax + 1:
        return nan(fmt) if fraction else infinity(fmt, negative)
    units = fraction + (1 << fraction_bits) if biased else fraction
    magnitude = units * power_of_two(fmt.quantum + max(biased, 1) - 1)
    return Float(fmt, Kind.FINITE, negative, -magnitude if negative else magnitude)


def next_up(x: Float) -> Float:
    """The least value greater than x (clause 5.3.1); inf stays, either zero gives the least subnormal."""
    if x.is_nan or (x.is_infinite and not x.negative):
        return x
    if x.is_zero:
        return smallest_positive(x.format)
    return from_bits(x.format, to_bits(x) + (-1 if x.negative else 1))


def next_down(x: Float) -> Float:
    """The greatest value less than x: -nextUp(-x)."""
    return opposite(next_up(opposite(x)))


def opposite(x: Float) -> Float:
    """-x: the sign bit turned, zeros and infinities included; NaN stays."""
    return x if x.is_nan else Float(x.format, x.kind, not x.negative, -x.value)


def spacing(x: Float) -> Fraction:
    """The ulp at a finite x: the distance of neighbours in its binade, or the smallest subnormal at 0.

    Raises `no-spacing` for an infinity or NaN.
    """
    if not x.is_finite:
        raise FloatsError("no-spacing", kind=x.kind.value)
    if x.is_zero:
        return x.format.smallest_subnormal
    return power_of_two(_quantum_of(x.format, abs(x.value.numerator), x.value.denominator))


def dyadic(value: Fraction) -> tuple[int, int]:
    """(m, e) with value = m 2^e and m odd, or (0, 0): 65520 is (4095, 4). Else raises `not-in-format`."""
    if value.denominator & (value.denominator - 1):
        raise FloatsError("not-in-format", format="dyadic", value=value)
    if not value:
        return 0, 0
    twos = (value.numerator & -value.numerator).bit_length() - 1
    return value.numerator >> twos, twos - (value.denominator.bit_length() - 1)


def exact_decimal(x: Float) -> Decimal:
    """All digits of a value (a dyadic rational is a finite decimal), or the infinity or NaN of Decimal."""
    return _as_decimal(x, _exact_digits)


def shortest_decimal(x: Float) -> Decimal:
    """The decimal of fewest digits that rounds to x; of these the nearest, on a tie the even one."""
    return _as_decimal(x, _shortest_digits)


def _as_decimal(x: Float, digits_of: Callable[[Float], tuple[int, int]]) -> Decimal:
    if x.is_nan:
        return Decimal("NaN")
    if x.is_infinite:
        return Decimal("-Infinity" if x.negative else "Infinity")
    coefficient, exponent = digits_of(x)
    return Decimal((int(x.negative), tuple(map(int, str(coefficient))), exponent))


def _exact_digits(x: Float) -> tuple[int, int]:
    magnitude = abs(x.value)
    places = magnitude.denominator.bit_length() - 1
    return magnitude.numerator * 5**places, -places


def _shortest_digits(x: Float) -> tuple[int, int]:
    if x.is_zero:
        return 0, 0
    magnitude = abs(x.value)
    all_digits, exponent = _exact_digits(x)
    length = len(str(all_digits))
    for kept in range(1, length):
        shift = exponent + length - kept
        scaled = magnitude / Fraction(10) ** shift
        below = scaled.numerator // scaled.denominator
        # Both neighbours: below a power of two the spacing halves, so the nearer one may round elsewhere.
        nearest = round(scaled)
        for coefficient in (nearest, 2 * below + 1 - nearest):
            back = coefficient * Fraction(10) ** shift
            if round_ratio(x.format, False, back.numerator, back.denominator).value == magnitude:
                return (1, shift + 1) if coefficient == 10 else (coefficient, shift)
    return all_digits, exponent
