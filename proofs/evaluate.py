"""Certified values of terms at exact points: what a verdict such as "refuted" rests on.

A `Model` gives an integer to every integer variable, a rational number to every real one and a total function
of its indices to every tensor. The value of a term is exact (an integer or a fraction) as long as it can be,
else an `Interval` that certainly contains it. Nothing is ever called equal because it is close: numbers are
equal if both are exact, or if they are recognised as one closed form (`proofs.closed_forms`).

A term is prepared once (`proofs.compiled`) and then evaluated at many models.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs.compiled import (
    EMPTY, LIMITS, Exact, Limits, Machine, Model, Number, Prepared, Tensor, Unassigned, Undefined, Work, order_of,
    prepare,
)  # fmt: skip
from proofs.intervals import Interval, NotCertain, TooLarge, rational
from proofs.terms import Term

__all__ = [
    "EMPTY", "LIMITS", "Exact", "Interval", "Limits", "Model", "NotCertain", "Number", "Prepared", "Tensor",
    "TooLarge", "Unassigned", "Undefined", "Work", "compare", "decimal", "exact", "holds", "prepare", "rounded",
    "value",
]  # fmt: skip


def _precisions(first: int, limits: Limits) -> Iterator[int]:
    bits = first
    while bits < limits.precision:
        yield bits
        bits *= 2
    yield limits.precision


def value(term: Term, model: Model = EMPTY, *, precision: int = 64, limits: Limits = LIMITS) -> Fraction | Interval:
    """The value of a number: exact where it is recognised as rational, else enclosed.

    Parameters
    ----------
    term : Term
        A term of rank 0 whose free variables the model assigns.
    precision : int
        The enclosure is at most ``2^-precision`` of the value wide, unless `limits.precision` is reached first.

    Raises
    ------
    Undefined
        Where the value, or that of any part that is evaluated, does not exist.
    NotCertain
        Where it can't be told whether it exists (a denominator that may be 0).
    TooLarge
        Before a limit would be exceeded.

    Examples
    --------
    >>> from proofs.terms import div, exp, num, sqrt
    >>> value(sqrt(div(num(9), num(4))))
    Fraction(3, 2)
    >>> value(exp(num(1)))
    [2.7182818284590451, 2.7182818284590451]
    """
    prepared = prepare(term)
    deadline = time.process_time() + limits.seconds
    result: Any = None
    for step, bits in enumerate(_precisions(max(64, precision + 32), limits)):
        try:
            result = prepared.run(Machine(model, bits, limits, deadline))
        except NotCertain:
            result = None
        if isinstance(result, (int, Fraction)):
            return Fraction(result)
        if result is not None and result.narrow(precision):
            return _enclosed(result)
        if step == 0:
            recognised = _recognised(prepared, model, limits, deadline)
            if isinstance(recognised, (int, Fraction)):
                return Fraction(recognised)
    if result is None:
        raise NotCertain
    return _enclosed(result)


def exact(term: Term, model: Model = EMPTY, *, limits: Limits = LIMITS) -> Fraction | None:
    """The value where it is recognised as a rational number. Raises `Undefined`.

    Examples
    --------
    >>> from proofs.terms import exp, mul, num
    >>> exact(mul(exp(num(2)), exp(num(-2))))
    Fraction(1, 1)
    >>> exact(exp(num(2))) is None
    True
    """
    found = _recognised(prepare(term), model, limits, time.process_time() + limits.seconds)
    return Fraction(found) if isinstance(found, (int, Fraction)) else None


def _enclosed(a: Any) -> Interval:
    return a if isinstance(a, Interval) else rational(a, 64)


def _recognised(prepared: Prepared, model: Model, limits: Limits, deadline: float) -> Any:
    """The value as an exact number, a form or a truth value; None where it can't be had."""
    try:
        return prepared.run(Machine(model, 64, limits, deadline, symbolic=True))
    except (NotCertain, TooLarge):
        return None


def holds(proposition: Term, model: Model = EMPTY, *, limits: Limits = LIMITS) -> bool | None:
    """Whether a relation or a bounded "for all" holds; None where it can't be told.

    Raises `Undefined` where any part has no value, and `TooLarge`.

    Examples
    --------
    >>> from proofs.terms import add, exp, mul, num, relation
    >>> holds(relation("eq", exp(num(3)), mul(exp(num(1)), exp(num(2)))))
    True
    >>> holds(relation("lt", exp(num(3)), num(20)))
    False
    """
    prepared = prepare(proposition)
    deadline = time.process_time() + limits.seconds
    for step, bits in enumerate(_precisions(128, limits)):
        try:
            truth: bool | None = prepared.run(Machine(model, bits, limits, deadline))
        except NotCertain:
            truth = None
        if truth is None and step == 0:
            truth = _recognised(prepared, model, limits, deadline)
        if truth is not None:
            return truth
    return None


def compare(a: Term, b: Term, model: Model = EMPTY, *, limits: Limits = LIMITS) -> int | None:
    """-1 if ``a < b``, 1 if ``a > b``, 0 if they are recognised as equal, None where it can't be told.

    Raises `Undefined` and `TooLarge`.

    Examples
    --------
    >>> from proofs.terms import div, ln, mul, num, sqrt
    >>> compare(ln(num(4)), mul(num(2), ln(num(2))))
    0
    >>> compare(sqrt(num(2)), num(1))
    1
    """
    left, right = prepare(a), prepare(b)
    deadline = time.process_time() + limits.seconds
    for step, bits in enumerate(_precisions(128, limits)):
        for symbolic in (False, True) if step == 0 else (False,):
            machine = Machine(model, bits, limits, deadline, symbolic)
            try:
                order = order_of(left.run(machine), right.run(machine), bits)
            except NotCertain:
                continue
            except TooLarge:
                if symbolic:
                    continue
                raise
            if order is not None:
                return order
    return None


def decimal(
    term: Term, digits: int, *, significant: bool = False, model: Model = EMPTY, limits: Limits = LIMITS
) -> str | None:
    """The value rounded to `digits` digits after the point (or significant ones), if the rounding is certain.

    None where the value is a tie, or so close to one that the bounds at the greatest precision contain it.
    Raises `Undefined`, `NotCertain` and `TooLarge`.

    Examples
    --------
    >>> from proofs.terms import div, exp, num
    >>> decimal(exp(num(1)), 4)
    '2.7183'
    >>> decimal(div(num(1), num(8)), 2) is None
    True
    >>> decimal(num(4194304), 3, significant=True)
    '4.19e6'
    """
    if not 0 <= digits <= 2_000 or (significant and not digits):
        raise TooLarge("digits")
    for bits in _precisions(max(64, 4 * digits + 64), limits):
        found = value(term, model, precision=bits, limits=limits)
        text = rounded(found, digits, significant=significant)
        if text is not None or isinstance(found, Fraction):
            return text
    return None


def rounded(number: Exact | Interval, digits: int, *, significant: bool = False) -> str | None:
    """All points of `number` rounded to `digits` digits, if that is one same decimal and no tie."""
    if isinstance(number, Interval):
        if number.e + max(number.lo.bit_length(), number.hi.bit_length()) > 10_000 or number.e < -20_000:
            raise TooLarge("magnitude")
        lower, upper = number.lower, number.upper
    else:
        lower = upper = Fraction(number)
    places = digits
    if significant and lower != 0:
        exponents = {_exponent(lower), _exponent(upper)} if (lower > 0) == (upper > 0) and upper else set()
        if len(exponents) != 1:
            return None
        places = digits - 1 - exponents.pop()
    scale = Fraction(10) ** places
    half = Fraction(1, 2)
    n = (lower * scale + half).__floor__()
    if not (n - half < lower * scale and upper * scale < n + half):
        return None
    return _decimal_text(n, places, digits if significant else None)


def _exponent(q: Fraction) -> int:
    """The k with ``10^k <= |q| < 10^(k+1)``."""
    q = abs(q)
    k = (q.numerator.bit_length() - q.denominator.bit_length()) * 30103 // 100_000 - 1
    while Fraction(10) ** (k + 1) <= q:
        k += 1
    return k


def _decimal_text(n: int, places: int, significant: int | None) -> str:
    """``n / 10^places`` written out; with few significant digits and many places, as ``4.19e6``."""
    sign = "-" if n < 0 else ""
    if abs(n).bit_length() > 13_000:
        raise TooLarge("digits")
    text = str(abs(n))
    if significant is not None and n and (places < 0 or len(text) - 1 - places < -6):
        exponent = len(text) - 1 - places
        text = text[:significant]
        return f"{sign}{text[0]}{'.' + text[1:] if len(text) > 1 else ''}e{exponent}"
    if places <= 0:
        return sign + text
    text = text.rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"
