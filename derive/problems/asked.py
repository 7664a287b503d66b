"""How an answer is judged, as its key says: its kind, how near it must come, and what is right as well.

A key says this in `given` or beside it. What makes no sense is refused with the reason: an option of the wrong type or
out of range, two that contradict each other, and one that the right value has no use for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from derive.answers.values import (
    Demand, Derivation, Exact, Grid, Intervals, Letters, Listing, OneOf, Right, Row, Scalar, Several, Truth, Value,
)  # fmt: skip
from derive.problems.given import GivenRefused, brief
from proofs.terms import free_variables

Kind: TypeAlias = Literal[
    "number", "formula", "vector", "matrix", "set", "list", "interval", "condition", "truth", "choice"
]
"""What the right value of a problem `value` is."""

KINDS: tuple[Kind, ...] = get_args(Kind)
NEARNESS = ("exact", "places", "digits", "tolerance", "absolute")
"""How near an answer must come: a key says one of these."""

OPTIONS = ("kind", *NEARNESS, "accept", "points", "steps")

MAX_PLACES = 100
MAX_ACCEPTED = 32
MAX_STEPS = 1_000
MAX_POINTS = 10_000
_MAX_DIGITS = 60


@dataclass(frozen=True)
class Asked:
    """What a key says of how an answer is judged; None where it says nothing."""

    kind: Kind | None = None
    exact: bool | None = None
    places: int | None = None
    digits: int | None = None
    tolerance: Fraction | None = None
    absolute: Fraction | None = None
    accept: tuple[object, ...] = ()
    steps: int | None = None

    def nearness(self) -> str | None:
        """The option that says how near an answer must come."""
        return next(iter(self.said()), None)

    def said(self) -> list[str]:
        """All options that say how near an answer must come; ``exact = false`` says nothing."""
        return [n for n in NEARNESS if getattr(self, n) is not None and getattr(self, n) is not False]


def is_option(name: str) -> bool:
    """Whether an entry of a key may hold this beside `given`."""
    return name in OPTIONS


def apart(
    given: Mapping[str, object], beside: Mapping[str, object], own: Collection[str]
) -> tuple[Mapping[str, object], Asked]:
    """What is given without the options among it, and the options; `own` are fields of the problem kind itself.

    Raises `GivenRefused`.
    """
    within = {k: v for k, v in given.items() if k in OPTIONS and k not in own}
    twice = next((k for k in within if k in beside), None)
    if twice is not None:
        raise GivenRefused("option-twice", name=twice)
    rest = {k: v for k, v in given.items() if k not in within} if within else given
    return rest, asked({**within, **beside})


def asked(options: Mapping[str, object]) -> Asked:
    """The options as they are used. Raises `GivenRefused`."""
    found = Asked()
    for name, value in options.items():
        match name:
            case "kind":
                found = replace(found, kind=_kind(value))
            case "exact":
                found = replace(found, exact=_flag(name, value))
            case "places":
                found = replace(found, places=_whole(name, value, 0, MAX_PLACES))
            case "digits":
                found = replace(found, digits=_whole(name, value, 1, MAX_PLACES))
            case "tolerance":
                found = replace(found, tolerance=_positive(name, value, Fraction(1)))
            case "absolute":
                found = replace(found, absolute=_positive(name, value, None))
            case "accept":
                found = replace(found, accept=_accepted(value))
            case "points":
                _points(value)
            case "steps":
                found = replace(found, steps=_whole(name, value, 1, MAX_STEPS))
    said = found.said()
    if len(said) > 1:
        raise GivenRefused("options-contradict", one=said[0], other=said[1])
    return found


def _kind(value: object) -> Kind:
    for kind in KINDS:
        if value == kind:
            return kind
    raise GivenRefused("choice", name="kind", found=brief(value), options=", ".join(KINDS))


def _flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):  # a cell of a CSV file
        return value.strip().lower() == "true"
    raise GivenRefused("not-flag", name=name, found=brief(value))


def _number(name: str, value: object) -> Fraction:
    if isinstance(value, str):
        try:
            value = Decimal(value.strip())
        except InvalidOperation:
            raise GivenRefused("not-number", name=name, found=brief(value)) from None
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise GivenRefused("not-number", name=name, found=brief(value))
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int):
            raise GivenRefused("not-finite", name=name, found=brief(value))
        if len(value.as_tuple().digits) > _MAX_DIGITS or abs(exponent) > 400:
            raise GivenRefused("too-many-digits", name=name, found=brief(value))
    elif abs(value) >= 10**_MAX_DIGITS:
        raise GivenRefused("too-many-digits", name=name, found=brief(value))
    return Fraction(value)


def _whole(name: str, value: object, low: int, high: int) -> int:
    q = _number(name, value)
    if q.denominator != 1 or (isinstance(value, Decimal) and value.as_tuple().exponent != 0):
        raise GivenRefused("not-whole", name=name, found=brief(value))
    if not low <= q <= high:
        raise GivenRefused("range", name=name, found=brief(value), low=low, high=high)
    return int(q)


def _positive(name: str, value: object, below: Fraction | None) -> Fraction:
    q = _number(name, value)
    if q <= 0 or (below is not None and q >= below):
        code = "option-positive" if below is None else "option-share"
        raise GivenRefused(code, name=name, found=brief(value))
    return q


def _points(value: object) -> None:
    q = _number("points", value)
    if not 0 <= q <= MAX_POINTS:
        raise GivenRefused("range", name="points", found=brief(value), low=0, high=MAX_POINTS)


def _accepted(value: object) -> tuple[object, ...]:
    """The further right values; one that is text may stand without a list."""
    listed = value if isinstance(value, (list, tuple)) else (value,)
    if not 1 <= len(listed) <= MAX_ACCEPTED:
        raise GivenRefused("length", name="accept", found=len(listed), high=MAX_ACCEPTED)
    return tuple(listed)


# --- the options and the right value ---------------------------------------------------------------------------


def demanded(right: Right, said: Asked, kind: str) -> Right:
    """The right value with how near an answer must come. Raises `GivenRefused` for what it has no use for."""
    if said.kind is not None and kind != "value":
        raise GivenRefused("option-kind", kind=kind)
    if said.steps is not None:
        if not isinstance(right.value, Derivation):
            raise GivenRefused("option-steps", name="steps")
        right = replace(right, value=replace(right.value, steps=said.steps))
    if said.accept and isinstance(right.value, (Derivation, OneOf)):
        raise GivenRefused("option-accept", name="accept")
    near = said.nearness()
    if near is not None and near != "exact":
        numbers = [x for x in scalars(right.value) if isinstance(x, Exact) and not free_variables(x.term)]
        if not numbers:
            raise GivenRefused("option-numbers", name=near)
        if near == "tolerance" and all(x.term.op == "num" and not x.term.data for x in numbers):
            raise GivenRefused("option-zero", name=near)
    if near is None and said.exact is None:
        return right
    demand = Demand(
        exact=bool(said.exact), whole=False, least=right.demand.least, places=said.places, digits=said.digits,
        tolerance=said.tolerance, absolute=said.absolute,
    )  # fmt: skip
    return replace(right, demand=demand)


def scalars(value: Value) -> tuple[Scalar, ...]:
    """The numbers, formulas and infinities that a value is made of."""
    match value:
        case Row(items=items) | Several(items=items) | Listing(items=items):
            return items
        case Grid(rows=rows):
            return tuple(x for r in rows for x in r)
        case Intervals(pieces=pieces):
            return tuple(x for p in pieces for x in (p.low, p.high))
        case Letters() | OneOf() | Derivation() | Truth():
            return ()
        case Exact():
            return (value,)
    return ()
