"""Numbers as people type them, read exactly, and cast to a format; no size of exponent costs anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from derive.floats.formats import Float, FloatsError, Format, Kind, infinity, nan, round_ratio, zero

MAX_DIGITS: Final = 2_000
"""Most digits of a typed decimal, exponent included; an exact float64 subnormal has at most 1,074 places."""

_FAR: Final = 400
"""Every format is within 10^-400 .. 10^400: beyond, a magnitude rounds to inf or to 0."""

_DECIMAL: Final = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")
_SPECIAL: Final = re.compile(r"([+-]?)(inf|infinity|nan)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """(-1)^negative coefficient 10^exponent as typed (trailing zeros kept), or an infinity or NaN."""

    kind: Kind
    negative: bool
    coefficient: int
    exponent: int

    @property
    def places(self) -> int:
        """Decimal places shown: 1 for 88.7, 0 for 89, -1 for 9e1."""
        return -self.exponent

    def exact(self) -> Fraction:
        """The rational that was typed. Raises `not-finite`, or `out-of-range` beyond 10^-2400 .. 10^400."""
        if self.kind is not Kind.FINITE:
            raise FloatsError("not-finite", kind=self.kind.value)
        if not self.coefficient:
            return Fraction(0)
        if not -_FAR - MAX_DIGITS <= self.exponent <= _FAR:
            raise FloatsError("out-of-range", exponent=self.exponent)
        magnitude = self.coefficient * Fraction(10) ** self.exponent
        return -magnitude if self.negative else magnitude


Typed = str | int | Decimal | TypedNumber


def read(number: Typed) -> TypedNumber:
    """A number as typed: an integer, a Decimal, or a string such as "-1e9", ".5", "inf", "-inf" or "nan".

    A binary float is refused, since it no longer says what was typed. Raises `not-a-number`, or
    `too-many-digits` beyond MAX_DIGITS.
    """
    if isinstance(number, TypedNumber):
        return number
    if isinstance(number, str):
        return _read_text(number)
    if isinstance(number, Decimal):
        return _read_decimal(number)
    if isinstance(number, int) and not isinstance(number, bool):
        # 2^(10/3) > 10, so that an integer of MAX_DIGITS digits always passes.
        if number.bit_length() > MAX_DIGITS * 10 // 3:
            raise FloatsError("too-many-digits", limit=MAX_DIGITS)
        return TypedNumber(Kind.FINITE, number < 0, abs(number), 0)
    raise FloatsError("not-a-number", given=type(number).__name__)


def _read_text(text: str) -> TypedNumber:
    text = text.strip()
    if len(text) > MAX_DIGITS:
        raise FloatsError("too-many-digits", limit=MAX_DIGITS)
    if special := _SPECIAL.fullmatch(text):
        if special[2].lower() == "nan":
            return TypedNumber(Kind.NAN, False, 0, 0)
        return TypedNumber(Kind.INFINITE, special[1] == "-", 0, 0)
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise FloatsError("not-a-number", given=text)
    fraction = match[3] or ""
    exponent = int(match[4] or "0") - len(fraction)
    return TypedNumber(Kind.FINITE, match[1] == "-", int(match[2] + fraction), exponent)


def _read_decimal(number: Decimal) -> TypedNumber:
    sign, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        if number.is_infinite():
            return TypedNumber(Kind.INFINITE, bool(sign), 0, 0)
        return TypedNumber(Kind.NAN, False, 0, 0)
    if len(digits) > MAX_DIGITS:
        raise FloatsError("too-many-digits", limit=MAX_DIGITS)
    return TypedNumber(Kind.FINITE, bool(sign), int("".join(map(str, digits))), exponent)


def cast(number: Typed, fmt: Format) -> Float:
    """The number as typed, rounded to the format: 11.1 is 11.1015625 in float16, -1e9 is -inf, -0.0 is -0.

    Raises what `read` raises.

    >>> from derive.floats import FLOAT16, exact_decimal
    >>> [str(exact_decimal(cast(number, FLOAT16))) for number in ("11.1", "-1e9", "-0.0", "1e-999999999")]
    ['11.1015625', '-Infinity', '-0', '0']
    """
    typed = read(number)
    if typed.kind is Kind.NAN:
        return nan(fmt)
    if typed.kind is Kind.INFINITE or (typed.coefficient and typed.exponent > _FAR):
        return infinity(fmt, typed.negative)
    # coefficient < 10^digits, since 2^1233 < 10^372.
    digits = typed.coefficient.bit_length() * 372 // 1233 + 1
    if not typed.coefficient or digits + typed.exponent < -_FAR:
        return zero(fmt, typed.negative)
    if typed.exponent >= 0:
        return round_ratio(fmt, typed.negative, typed.coefficient * 10**typed.exponent, 1)
    return round_ratio(fmt, typed.negative, typed.coefficient, 10**-typed.exponent)


def convert(x: Float, fmt: Format) -> Float:
    """A value of one format rounded to another; signs of zeros and infinities stay."""
    if x.is_nan:
        return nan(fmt)
    if x.is_infinite:
        return infinity(fmt, x.negative)
    return round_ratio(fmt, x.negative, abs(x.value.numerator), x.value.denominator)
