"""Values as they are shown: exact where short, else certified decimals, with as many digits as tell them apart.

No two numbers that are certainly different are ever shown as the same text.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from proofs import intervals
from proofs.evaluate import (
    Interval, Limits, Model, NotCertain, TooLarge, Undefined, compare, decimal, exact, rounded, value,
)  # fmt: skip
from proofs.terms import Term

Shown = int | Fraction | str | tuple["Shown", ...]
"""An exact number, a rounded one as a decimal, or the nested rows of a tensor."""

_EXACT_BITS = 160
_DIGITS = (6, 9, 12, 20, 40, 100, 250, 600, 2_000)
_MORE = 4
_COMPARED = 3  # of those whose digits are the same; one of two that differ differs from the first
_LIMITS = Limits(seconds=60.0)


def distinct(terms: Iterable[Term], model: Model) -> dict[Term, Shown] | None:
    """The value of each term at `model`; None where one can't be written, or two that differ can't be told apart."""
    found: dict[Term, Shown] = {}
    known: dict[Term, Fraction | None] = {}
    for t in dict.fromkeys(terms):
        known[t] = q = _short(t, model)
        if q is not None:
            found[t] = q.numerator if q.denominator == 1 else q
    left = [t for t in known if t not in found]
    for digits in _DIGITS:
        if not left:
            return found
        alike: dict[str, list[Term]] = {}
        for t in known:
            text = _text(t, known[t], digits, model)
            if text is None and t in left:
                return None
            if text is not None:
                alike.setdefault(text, []).append(t)
        again: list[Term] = []
        for text, together in alike.items():
            inexact = [t for t in together if t in left]
            if any(_differ(t, other, model) for t in inexact for other in together[:_COMPARED]):
                again += inexact
            else:
                found.update(dict.fromkeys(inexact, text))
        left = again
    return None if left else found


def _short(t: Term, model: Model) -> Fraction | None:
    try:
        found = exact(t, model, limits=_LIMITS)
    except (Undefined, TooLarge):
        return None
    if found is None or found.numerator.bit_length() + found.denominator.bit_length() > _EXACT_BITS:
        return None
    return found


def _differ(a: Term, b: Term, model: Model) -> bool:
    """Whether two numbers whose digits are the same so far certainly differ."""
    try:
        return a != b and bool(compare(a, b, model, limits=_LIMITS))
    except (Undefined, NotCertain, TooLarge):
        return False


def _text(t: Term, known: Fraction | None, digits: int, model: Model) -> str | None:
    """The value to so many significant digits, or a few more where it lies near a tie; None if that can't be had."""
    for more in range(_MORE):
        try:
            if known is not None:
                text = rounded(known, digits + more, significant=True)
            else:
                text = decimal(t, digits + more, significant=True, model=model, limits=_LIMITS)
        except (Undefined, NotCertain):
            return None
        except TooLarge:
            return _scientific(t, digits, model)
        if text is not None:
            return text
    return None


def _scientific(t: Term, digits: int, model: Model) -> str | None:
    """A number that is too large or too small for its digits to be written out: ``3.68e30102999``."""
    bits = 4 * digits + 64
    try:
        found = value(t, model, precision=bits, limits=_LIMITS)
        a = found if isinstance(found, Interval) else intervals.rational(found, bits)
        sign = a.sign()
        if not sign:
            return None
        power = (a.e + max(abs(a.lo).bit_length(), abs(a.hi).bit_length()) - 1) * 30_103 // 100_000
        for k in (power, power - 1, power + 1, power - 2, power + 2):
            mantissa = _times_ten_to(a, -k, bits)
            if 1 <= abs(mantissa.lower) < 10 and 1 <= abs(mantissa.upper) < 10:
                text = rounded(mantissa, digits - 1)
                return None if text is None else f"{text}e{k}"
    except (Undefined, NotCertain, TooLarge):
        pass
    return None


def _times_ten_to(a: Interval, k: int, bits: int) -> Interval:
    if k == 0:
        return a
    scale = intervals.power(intervals.rational(10, bits), abs(k), bits + 64)
    return intervals.mul(a, scale, bits) if k > 0 else intervals.div(a, scale, bits)
