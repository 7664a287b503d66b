"""IEEE 754-2019 arithmetic: + - * /, comparison and maximum, sums from left to right.

Every result is the exact one, rounded once to nearest, ties to even. The rules for infinities, NaN and the
signs of zeros are those of clauses 5.4.1, 6.1 to 6.3, 5.11 and 9.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from derive.floats.formats import (
    Float,
    FloatsError,
    Format,
    infinity,
    nan,
    opposite,
    round_ratio,
    round_rational,
    zero,
)

Comparison = Literal["<", "=", ">", "unordered"]


def common_format(*operands: Float) -> Format:
    """The one format of all operands. Raises `format-mismatch`: nothing is converted silently."""
    fmt = operands[0].format
    for operand in operands:
        if operand.format is not fmt and operand.format != fmt:
            raise FloatsError("format-mismatch", formats=(fmt.name, operand.format.name))
    return fmt


def add(x: Float, y: Float) -> Float:
    """x + y. inf + -inf is NaN; an exact 0 is +0, unless both are -0."""
    fmt = common_format(x, y)
    if x.is_nan or y.is_nan:
        return nan(fmt)
    if x.is_infinite and y.is_infinite:
        return x if x.negative is y.negative else nan(fmt)
    if x.is_infinite or y.is_infinite:
        return x if x.is_infinite else y
    return round_rational(fmt, x.value + y.value, negative_zero=x.is_zero and x.negative and y.negative)


def subtract(x: Float, y: Float) -> Float:
    """x - y, which is x + (-y). inf - inf is NaN."""
    return add(x, opposite(y))


def multiply(x: Float, y: Float) -> Float:
    """x * y. 0 * inf is NaN; the sign is that of the factors, on zeros too."""
    fmt = common_format(x, y)
    negative = x.negative is not y.negative
    if x.is_nan or y.is_nan:
        return nan(fmt)
    if x.is_infinite or y.is_infinite:
        return nan(fmt) if x.is_zero or y.is_zero else infinity(fmt, negative)
    return round_rational(fmt, x.value * y.value, negative_zero=negative)


def divide(x: Float, y: Float) -> Float:
    """x / y. 0/0 and inf/inf are NaN, any other number over 0 is an infinity."""
    fmt = common_format(x, y)
    negative = x.negative is not y.negative
    if x.is_nan or y.is_nan or (x.is_infinite and y.is_infinite) or (x.is_zero and y.is_zero):
        return nan(fmt)
    if x.is_infinite or y.is_zero:
        return infinity(fmt, negative)
    if y.is_infinite:
        return zero(fmt, negative)
    a, b = x.value, y.value
    return round_ratio(fmt, negative, abs(a.numerator * b.denominator), abs(a.denominator * b.numerator))


def compare(x: Float, y: Float) -> Comparison:
    """How x stands to y: the zeros are equal, NaN is unordered with everything, itself included."""
    common_format(x, y)
    if x.is_nan or y.is_nan:
        return "unordered"
    left, right = (_extended(x), x.value), (_extended(y), y.value)
    return "<" if left < right else ">" if left > right else "="


def _extended(x: Float) -> int:
    """-1, 0 or 1 for -inf, a finite value, inf."""
    return (-1 if x.negative else 1) if x.is_infinite else 0


def maximum(x: Float, y: Float) -> Float:
    """The greater of both; NaN if either is NaN; +0 of the two zeros (clause 9.6, maximum)."""
    fmt = common_format(x, y)
    order = compare(x, y)
    if order == "unordered":
        return nan(fmt)
    if order == "=":
        return y if x.negative else x
    return x if order == ">" else y


def maximum_of(row: Sequence[Float]) -> Float:
    """The maximum of a row. Raises `empty-row`."""
    if not row:
        raise FloatsError("empty-row")
    greatest = row[0]
    for entry in row[1:]:
        greatest = maximum(greatest, entry)
    return greatest


def partial_sums(row: Sequence[Float]) -> tuple[Float, ...]:
    """x1, x1 + x2, (x1 + x2) + x3, ...: each sum rounded, from left to right. Raises `empty-row`."""
    if not row:
        raise FloatsError("empty-row")
    sums = [row[0]]
    for entry in row[1:]:
        sums.append(add(sums[-1], entry))
    return tuple(sums)


def sum_of(row: Sequence[Float]) -> Float:
    """The sum of a row from left to right, each addition rounded. Raises `empty-row`."""
    return partial_sums(row)[-1]


def dot(x: Sequence[Float], y: Sequence[Float]) -> Float:
    """x1*y1 + x2*y2 + ... : each product rounded, then summed from left to right (no fused operation).

    A weight of 0 beside an infinite value gives NaN. Raises `empty-row` or `length-mismatch`.
    """
    if len(x) != len(y):
        raise FloatsError("length-mismatch", lengths=(len(x), len(y)))
    return sum_of([multiply(a, b) for a, b in zip(x, y, strict=True)])
