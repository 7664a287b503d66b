"""A right value as text: exactly, and as a decimal where it is no short one itself."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from derive.answers.values import (
    Condition, Derivation, Exact, Grid, Intervals, Letters, Listing, OneOf, Opaque, Piece, Right, Row, Scalar, Several,
    Special, Truth, Value,
)  # fmt: skip
from proofs.evaluate import Limits, NotCertain, TooLarge, Undefined, decimal
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, TermError, free_variables

DIGITS = 10
MAX_SHOWN = 2_000
MAX_PLACES = 24
_LIMITS = Limits(operations=50_000, precision=1_024, seconds=0.5)


def shown_exactly(right: Right) -> str:
    """The right value in full, cut where it is longer than anybody reads."""
    value = right.value
    text = _value(value, _scalar, right.shape)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."


def shown_decimally(right: Right) -> str | None:
    """The right value in decimals, None where it is exact in short ones already or has none."""
    value = right.value
    items: tuple[Scalar, ...]
    match value:
        case Exact():
            items = (value,)
        case Row(items=items) | Several(items=items) | Listing(items=items):
            pass
        case Intervals(pieces=pieces):
            items = tuple(x for p in pieces for x in (p.low, p.high))
        case Grid(rows=rows):
            items = tuple(x for r in rows for x in r)
        case _:
            return None
    made = {x: _decimal(x) for x in items}
    if None in made.values() or all(made[x] == _scalar(x) for x in items):
        return None
    return _value(value, lambda x: str(made[x]), right.shape)


def _value(value: Value, each: Callable[[Scalar], str], shape: bool) -> str:
    match value:
        case Row(items=items):
            inside = ", ".join(map(each, items))
            return f"({inside})" if shape or value.open else f"[{inside}]"
        case Listing(items=items):
            return ", ".join(map(each, items))
        case Intervals(pieces=pieces):
            return " ∪ ".join(_piece(p, each) for p in pieces)
        case Condition(text=text):
            return text
        case Truth(holds=holds):
            return "true" if holds else "false"
        case Grid(rows=rows):
            return "[" + ", ".join("[" + ", ".join(map(each, r)) + "]" for r in rows) + "]"
        case Several(items=items):
            return "{" + ", ".join(map(each, items)) + "}"
        case Letters(letters=letters):
            return ", ".join(letters)
        case OneOf(options=options, right=k, lettered=lettered):
            named = options[k].printed[-1:] if lettered else ()
            return (*named, *options[k].names)[0]
        case Derivation(theorem=name):
            from derive.answers.derivations import claim_of

            return claim_of(name)
        case Exact() | Special() | Opaque():
            return each(value)


def _piece(p: Piece, each: Callable[[Scalar], str]) -> str:
    return f"{'[' if p.low_closed else '('}{each(p.low)}, {each(p.high)}{']' if p.high_closed else ')'}"


def _scalar(x: Scalar) -> str:
    match x:
        case Special(name=name):
            return name
        case Opaque(text=text):
            return text
        case Exact(term=t):
            return terminating(Fraction(t.data)) or plain(t) if t.op == "num" else plain(t)  # type: ignore[arg-type]


def plain(t: Term) -> str:
    """A term as plain text; what is too deep to be printed is not."""
    try:
        return to_plain(t)
    except (TermError, RecursionError):
        return "..."


def terminating(q: Fraction) -> str | None:
    """A rational as a decimal in full, where that has few digits: ``0.1192``, ``4194304``, ``-17.328125``."""
    d = q.denominator
    twos, fives = 0, 0
    while d % 2 == 0 and twos <= MAX_PLACES:
        d, twos = d // 2, twos + 1
    while d % 5 == 0 and fives <= MAX_PLACES:
        d, fives = d // 5, fives + 1
    places = max(twos, fives)
    if d != 1 or places > MAX_PLACES or q.numerator.bit_length() > 4_000:
        return None
    sign = "-" if q < 0 else ""
    digits = str(abs(q.numerator) * 10**places // q.denominator).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


def _decimal(x: Scalar) -> str | None:
    if isinstance(x, Special):
        return x.name
    if isinstance(x, Opaque) or free_variables(x.term):
        return None
    t = x.term
    if t.op == "num":
        short = terminating(Fraction(t.data))  # type: ignore[arg-type]
        if short is not None:
            return short
    try:
        return decimal(t, DIGITS, significant=True, limits=_LIMITS)
    except (Undefined, NotCertain, TooLarge):
        return None
