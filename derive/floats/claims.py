"""Judging a claim "in this format, exp overflows for z >= c" against the exact threshold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from derive.floats.exponential import MAX_ARGUMENT, ExpRange, compare_exp, exp, exp_range
from derive.floats.formats import Float, FloatsError, Format, Kind, next_up, round_rational
from derive.floats.typed import Typed, TypedNumber, cast, read

Verdict = Literal["true", "false", "underspecified"]

Reason = Literal[
    "exact",  # the claim is about all values that overflow and no others: c is the first of them or lies just below it
    "overflows-earlier",  # true, but the witness, a value below c, overflows already
    "finite-at-witness",  # false: the witness is >= c, and its exp is finite
    "depends-on-rounding",  # true of values of the format, but c as typed is rounded down
]

Rounding = Literal[
    "smallest-infinite",  # c is the smallest value with exp inf, rounded
    "largest-finite",  # c is the largest value with finite exp, rounded
    "boundary",  # c is the real number whose exp is the overflow boundary, rounded: no value of the format
]


@dataclass(frozen=True, slots=True)
class OverflowClaim:
    """A judged claim.

    - `claimed`: c, exactly as typed; `stored`: c rounded to the format; `stored_exp`: its exp there.
    - `of_values`: whether exp(z) is inf for every value z >= c of the format.
    - `of_typed`: whether it is inf for every number z >= c that is first rounded to the format.
    - `witness`: the value that shows the reason, `witness_exp` its exp; for "exact" the threshold itself.
    - `range`: the exact range of exp in the format, with its proof.
    - `rounding`: which number near the threshold c is, rounded to the places that c shows; the first of `Rounding`
      that fits, and None where c is none of them, or one of the two values itself, or only one way to round a tie.
    """

    format: Format
    claimed: Fraction
    stored: Float
    stored_exp: Float
    of_values: bool
    of_typed: bool
    verdict: Verdict
    reason: Reason
    witness: Float
    witness_exp: Float
    range: ExpRange
    rounding: Rounding | None


def judge_overflow_claim(threshold: Typed, fmt: Format) -> OverflowClaim:
    """The verdict on "in this format, exp(z) overflows for every z >= threshold".

    z may range over the values of the format, or over numbers as typed, which are rounded to it first; where
    the two disagree the claim is underspecified.

    Raises what `read` raises, and `not-finite` or `out-of-range` for a threshold of no reasonable size.
    """
    typed = read(threshold)
    if typed.kind is not Kind.FINITE:
        raise FloatsError("not-finite", kind=typed.kind.value)
    claimed = typed.exact()
    stored = cast(typed, fmt)
    known = exp_range(fmt)
    first = _first_value_from(claimed, fmt)
    of_values = exp(first).is_infinite
    stored_exp = exp(stored)
    of_typed = stored_exp.is_infinite
    verdict: Verdict
    reason: Reason
    if not of_values:
        verdict, reason, witness = "false", "finite-at-witness", first
    elif not of_typed:
        verdict, reason, witness = "underspecified", "depends-on-rounding", stored
    elif first == known.smallest_infinite:
        verdict, reason, witness = "true", "exact", first
    else:
        verdict, reason, witness = "true", "overflows-earlier", known.smallest_infinite
    return OverflowClaim(
        fmt,
        claimed,
        stored,
        stored_exp,
        of_values,
        of_typed,
        verdict,
        reason,
        witness,
        exp(witness),
        known,
        _rounding(typed, claimed, known),
    )


def _first_value_from(number: Fraction, fmt: Format) -> Float:
    """The least value of the format that is >= the number (inf beyond the largest)."""
    nearest = round_rational(fmt, number)
    if nearest.is_infinite and nearest.negative:
        return next_up(nearest)
    return next_up(nearest) if nearest.is_finite and nearest.value < number else nearest


def _rounding(typed: TypedNumber, claimed: Fraction, known: ExpRange) -> Rounding | None:
    ends: tuple[tuple[Rounding, Fraction], ...] = (
        ("smallest-infinite", known.smallest_infinite.value),
        ("largest-finite", known.largest_finite.value),
    )
    if not typed.coefficient or claimed in (end for _, end in ends):
        return None
    half = Fraction(10) ** -typed.places / 2
    low, high = claimed - half, claimed + half
    for name, end in ends:
        if low < end < high:
            return name
    if abs(low) > MAX_ARGUMENT or abs(high) > MAX_ARGUMENT:
        return None
    boundary = known.format.overflow_boundary
    between = compare_exp(low, boundary) == "<" and compare_exp(high, boundary) == ">"
    return "boundary" if between else None
