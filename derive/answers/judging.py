"""Judging what was read against the right value: proved equal, refuted by certain bounds, or undecided.

Two numbers are equal if they are proved so: by exact arithmetic on recognised closed forms, or by the kernel where
there are names. They differ if certain bounds differ at exact points, or if the answer has no value where the right
one has. A decimal is right to the digits shown if certain bounds of the right value lie within half a unit of its
last digit. What can't be told is `undecided`. Every accepting outcome carries what it says as statements.
"""

from __future__ import annotations

from copy import copy
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

from derive.answers.reading import Answer, Read, ReadGrid, ReadRow, ReadScalar, ReadSet, Typed, as_typed
from derive.answers.values import (
    ANY_ROUNDING, DIGITS_OF_A_THRESHOLD, Demand, Exact, Grid, Listing, Names, Opaque, Param, Right, Row, Scalar,
    Several, Special, Value,
)  # fmt: skip
from proofs import kernel
from proofs.context import Context
from proofs.defined import undefined
from proofs.evaluate import (
    EMPTY, Interval, Limits, Model, NotCertain, TooLarge, Unassigned, Undefined, compare, value,
)  # fmt: skip
from proofs.evaluate import decimal as decimal_of
from proofs.kernel import Theorem
from proofs.record import Established
from proofs.signs import prove_signed
from proofs.statement import Declaration, Kind, Statement
from proofs.syntax import nodes
from proofs.syntax.elaborate import elaborate, elaborate_with_dimensions
from proofs.syntax.environment import Environment
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, TermError, add, entry, free_variables, mul, neg, num, relation, sub, substitute, unfold

Verdict = Literal["correct", "equivalent", "rounded", "wrong", "undecided", "unreadable"]
ACCEPTING: frozenset[Verdict] = frozenset(("correct", "equivalent", "rounded"))
_ORDER: tuple[Verdict, ...] = ("correct", "equivalent", "rounded", "undecided", "wrong", "unreadable")

LIMITS = Limits(operations=100_000, precision=2_048, digits=20_000, seconds=20.0)
"""The limit is the work; the time is there for what the work was not counted of."""

BEYOND = frozenset(("outside-language", "factorial-too-large", "exponent-not-integer", "tensor-product", "too-large"))
"""Faults of expressions that were read and can't be judged, rather than not read."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with its reason as a code, and what fills the sentence.

    `goals` are what an accepting verdict says, as statements; `unstated` is the code of why a part of it is none.
    `record` are the theorems for the only one, where they were found on the way.
    """

    verdict: Verdict
    code: str
    params: Mapping[str, Param] = field(default_factory=dict)
    goals: tuple[Statement, ...] = ()
    unstated: str = ""
    record: tuple[Established, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.verdict in ACCEPTING


CORRECT, EQUIVALENT = Outcome("correct", "same"), Outcome("equivalent", "equal")
ROUNDED = Outcome("rounded", "rounded")
WRONG = Outcome("wrong", "different")
UNSTATED = Outcome("correct", "same", unstated="special")


class Scope:
    """Names made ready for judging: their environment for reading, facts for proving, points for refuting.

    `demand` is how near an answer must come; `unit` is the place down to which another entry of the same row shows
    enough digits, so that this one does as well. With `brief` only the verdict is asked for: what is wrong is neither
    described nor looked at to the end.
    """

    def __init__(self, names: Names, brief: bool = False, demand: Demand = ANY_ROUNDING) -> None:
        self.names = names
        self.brief = brief
        self.demand = demand
        self.unit: Fraction | None = None
        self.environment = Environment.of(names.declarations)
        self._domains: dict[Term, tuple[Term, ...]] = {}

    @cached_property
    def context(self) -> Context:
        return Context([a for d in self.names.declarations for a in d.assumptions()])

    @cached_property
    def points(self) -> tuple[Model, ...]:
        return tuple(_points(self.names.declarations))

    def plain(self, t: Term) -> Term:
        """`t` with the names that stand for something else replaced by it."""
        return substitute(t, self.names.meanings) if self.names.meanings else t

    def beside(self, entries: Iterable[ReadScalar]) -> Scope:
        """The same for an entry of a row or a matrix: the digits of a rounding are counted by the place of the last."""
        least = self.demand.digits or self.demand.least
        typed = [x.typed for x in entries if x.typed is not None]
        units = [t.unit for t in typed if t.digits >= least and not t.bare]
        made = copy(self)
        made.unit = max(units, default=None)
        return made

    def domain(self, t: Term) -> tuple[Term, ...]:
        """The conditions, beyond what is declared, under which `t` has a value."""
        found = self._domains.get(t)
        if found is None:
            found = self._domains[t] = tuple(undefined(t, self.context))
        return found

    def goal(self, claim: Term, domain: tuple[Term, ...] = ()) -> Statement:
        """A claim about the declared names, where the right value has a value."""
        mentioned = {v for p in (claim, *domain) for v in free_variables(p)}
        declared = tuple(d for d in self.names.declarations if d.variable in mentioned)
        return Statement(declared, domain, claim)


_SIZES = (3, 5, 2, 7, 11, 4, 13, 1, 6, 17, 9, 8)
_REALS = tuple(Fraction(a, b) for a, b in ((7, 3), (-5, 2), (2, 7), (11, 4), (-1, 3), (13, 5), (3, 1), (-9, 4), (1, 5)))
_SHARES = tuple(Fraction(a, b) for a, b in ((2, 7), (3, 5), (1, 9), (5, 6), (4, 11), (7, 8), (1, 3), (9, 10)))
_FAR = tuple(Fraction(n) for n in (113, 271, 1009, 89, 509, 37, 733))
_Spread: TypeAlias = Literal["mixed", "positive", "share", "far", "far below", "zero", "one"]
_SPREADS: tuple[tuple[_Spread, int], ...] = (
    *(("mixed", k) for k in (0, 3, 1, 6, 4, 9)),
    *(("positive", k) for k in (2, 5, 7)),
    *(("share", k) for k in (0, 2, 5)),
    ("zero", 0), ("one", 0), ("far", 0), ("far below", 1),
)  # fmt: skip
"""How the values for the declared names are spread: of both signs, all positive, all between 0 and 1, and so on."""


def _points(declarations: Iterable[Declaration]) -> Iterator[Model]:
    """Exact values for the declared names; different names have different ones, but for those where all are one."""
    declared = tuple(declarations)
    for spread, start in _SPREADS if declared else ():
        yield Model({d.variable: _point(d.kind, spread, start, k) for k, d in enumerate(declared)})


def _point(kind: Kind, spread: _Spread, start: int, k: int) -> int | Fraction:
    whole = kind in ("size", "index", "integer")
    least = 1 if kind in ("size", "index") else 0
    if spread == "zero":
        return least if whole else Fraction(0) if kind == "real" else Fraction(1, 7)
    if spread == "one":
        return 1 if whole else Fraction(1)
    if whole:
        q = _SIZES[(start + k) % len(_SIZES)]
        turned = kind == "integer" and ((spread == "mixed" and (start // 3 + k) % 2) or spread == "far below")
        return -q if turned else q
    table = {"share": _SHARES, "far": _FAR, "far below": _FAR}.get(spread, _REALS)
    value = table[(start + k) % len(table)]
    if kind == "positive" or spread == "positive":
        return abs(value)
    return -value if spread == "far below" else value


# --- numbers and formulas ------------------------------------------------------------------------------------


def _certain(a: Term, b: Term, model: Model = EMPTY) -> int | None:
    """The order of two values; None where it can't be told. Raises `Undefined`."""
    try:
        return compare(a, b, model, limits=LIMITS)
    except (TooLarge, NotCertain, Unassigned):
        return None


def equal(a: Term, b: Term, scope: Scope) -> Outcome:
    """Whether the answer `a` is the right value `b`: two numbers, or two formulas in the names of `scope`.

    Two formulas are compared where the right one has a value.
    """
    same = a == b
    a, b = scope.plain(a), scope.plain(b)
    if same:
        return replace(CORRECT, goals=(scope.goal(relation("eq", a, b), scope.domain(b)),))
    if not free_variables(a) and not free_variables(b):
        try:
            order = _certain(a, b)
        except Undefined as no:
            return Outcome("wrong", "no-value", {"why": no.code})
        if order is None:
            return Outcome("undecided", "not-told-apart")
        return WRONG if order else replace(EQUIVALENT, goals=(scope.goal(relation("eq", a, b)),))
    somewhere = False
    for model in scope.points:
        try:
            order = _certain(a, b, model)
        except Undefined as no:
            if not _has_value(b, model):
                continue
            return Outcome("wrong", "no-value-at", {"where": shown_point(model), "why": no.code})
        somewhere = somewhere or order is not None or _has_value(b, model)
        if order not in (0, None):
            return Outcome("wrong", "differs-at", {"where": shown_point(model)})
    return _proved(a, b, scope, somewhere)


def _has_value(t: Term, model: Model) -> bool:
    """Whether `t` certainly has a value at a point."""
    try:
        value(t, model, limits=LIMITS)
    except (Undefined, TooLarge, NotCertain, Unassigned):
        return False
    return True


def _proved(a: Term, b: Term, scope: Scope, somewhere: bool) -> Outcome:
    """The verdict by proof, under the conditions under which the right value `b` has one.

    Where these hold at no point that was looked at, they might contradict each other, and prove anything.
    """
    try:
        goal = relation("eq", a, b)
        domain = scope.domain(b)
        if domain and not somewhere:
            return Outcome("undecided", "no-point")
        inside = scope.context.under(*domain) if domain else scope.context
        found = prove_signed(goal, inside)
        needed = [p for p in undefined(a, inside) if from_granted(p, domain, inside) is None]
        missing = _missing(a, b, needed, scope)
        if missing is not None:
            return missing
        if found is None and needed:
            found = prove_signed(goal, inside.under(*needed))
    except (TermError, RecursionError):
        return Outcome("undecided", "no-proof")
    if found is None:
        return Outcome("undecided", "no-proof")
    if needed:
        return Outcome("undecided", "needs-condition", {"condition": ", ".join(map(to_plain, needed))[:200]})
    return replace(EQUIVALENT, goals=(scope.goal(goal, domain),))


def _missing(a: Term, b: Term, needed: list[Term], scope: Scope) -> Outcome | None:
    """Where the answer `a` has no value and the right value `b` has one: at a zero of what must not be one."""
    for p in needed:
        for model in _zeros(p, scope) if p.op in ("ne", "lt", "le") else ():
            try:
                value(a, model, limits=LIMITS)
            except Undefined as no:
                if _has_value(b, model):
                    return Outcome("wrong", "no-value-at", {"where": shown_point(model), "why": no.code})
            except (TooLarge, NotCertain, Unassigned):
                continue
    return None


def _zeros(p: Term, scope: Scope) -> Iterator[Model]:
    """Points at which the sides of a relation that is linear in a real name are equal, and beside them."""
    gap = sub(*p.args)
    for v in sorted((v for v in free_variables(p) if v.sort == "real" and not v.rank), key=repr):
        for base in scope.points[:3]:
            models = [Model({**base.values, v: Fraction(k)}) for k in range(3)]
            try:
                ends = [value(gap, m, limits=LIMITS) for m in models]
            except (Undefined, TooLarge, NotCertain, Unassigned):
                continue
            at = [q for q in ends if not isinstance(q, Interval)]
            if len(at) < 3 or at[0] == at[1] or at[2] - at[1] != at[1] - at[0]:
                continue
            root = at[0] / (at[0] - at[1])
            kinds = {d.variable: d.kind for d in scope.names.declarations}
            for q in (root, root - 1, root + 1):
                if kinds.get(v) != "positive" or q > 0:
                    yield Model({**base.values, v: q})


def from_granted(p: Term, granted: Iterable[Term], ctx: Context) -> Theorem | None:
    """A condition from one that is granted, where the two differ in how their sides are written only."""
    for q in granted:
        if q.op != p.op or q.op not in ("ne", "lt", "le"):
            continue
        sides: dict[int, Theorem] = {}
        for k in (0, 1):
            same = None if q.args[k] == p.args[k] else prove_signed(relation("eq", q.args[k], p.args[k]), ctx)
            if same is not None:
                sides[k] = same
            elif q.args[k] != p.args[k]:
                break
        else:
            return kernel.relate(kernel.assume(q), sides)
    return None


def shown_point(model: Model) -> str:
    """The values of names at a point, as ``d = 3, n = 5``."""
    return ", ".join(f"{v.data} = {q}" for v, q in model.values.items())


# --- decimals as typed -----------------------------------------------------------------------------------------


def _within(right: Term, low: Fraction, high: Fraction) -> bool | None:
    """Whether the right value lies between two rationals, ends included; None where it can't be told."""
    for bits in (64, 256, 1_024):
        try:
            found = value(right, precision=bits, limits=LIMITS)
        except (TooLarge, NotCertain):
            return None
        if not isinstance(found, Interval):
            return low <= found <= high
        if abs(found.e) > LIMITS.digits:
            return _far(found, low, high)
        lower, upper = found.lower, found.upper
        if low <= lower and upper <= high:
            return True
        if upper < low or lower > high:
            return False
    return None


def _far(found: Interval, low: Fraction, high: Fraction) -> bool | None:
    """As `_within`, for a value so large or small that its bounds aren't written out."""
    sign = found.sign()
    if sign is None:
        return None
    if found.e > 0:
        return False
    return None if low <= 0 <= high else False


def decimal(typed: Typed, right: Exact, scope: Scope, term: Term) -> Outcome:
    """A decimal as typed against the right value: equal, right to the digits shown, cut off, or wrong.

    A whole number of one digit typed in full is exact, and 0 is never a rounding of something else.
    """
    same = equal(term, right.term, scope)
    if same.accepted:
        exactly = right.term.op == "num" and typed.value == right.term.data
        return replace(CORRECT, goals=same.goals) if exactly else same
    plain = scope.plain(right.term)
    if free_variables(plain):
        return same
    try:
        return _decimal(typed, plain, same, scope)
    except Undefined as no:
        return Outcome("wrong", "no-value", {"why": no.code})


def _decimal(typed: Typed, right: Term, same: Outcome, scope: Scope) -> Outcome:
    demand = scope.demand
    unit, shown = _unit(typed, demand)
    v, half = typed.value, unit / 2
    if typed.bare and shown <= 1 and demand.places != 0 and demand.digits != 1:
        return same
    if v == 0:
        asked = demand.places is not None and unit <= Fraction(10) ** -demand.places
        return Outcome("undecided", "rounds-to-zero") if asked and _within(right, -half, half) else same
    near = _within(right, v - half, v + half)
    if near is None:
        return Outcome("undecided", "not-told-apart")
    if near and not typed.dots:
        return _rounded(v, half, shown, right, scope)
    if scope.brief:
        return same
    beyond = v + unit if v > 0 else v - unit
    cut = _within(right, min(v, beyond), max(v, beyond)) and _within(right, beyond, beyond) is False
    if typed.dots and (near or cut):
        return _rounded(v, half, shown, right, scope) if near and cut else Outcome("undecided", "dots")
    if cut:
        return Outcome("wrong", "cut-off", {"digits": shown})
    return replace(same, code=_slip(typed, right)) if same.verdict == "wrong" else same


def _unit(typed: Typed, demand: Demand) -> tuple[Fraction, int]:
    """What one unit of the last digit that counts is worth, and how many digits there are down to it.

    In a whole number typed in full all digits count, but for noughts beyond the digits that are asked for.
    """
    if not typed.bare or demand.digits is None or typed.digits <= demand.digits:
        return typed.unit, typed.digits
    n = abs(int(typed.value))
    spare = 0
    while n and n % 10 == 0 and typed.digits - spare > demand.digits:
        n //= 10
        spare += 1
    return typed.unit * 10**spare, typed.digits - spare


def _rounded(v: Fraction, half: Fraction, shown: int, right: Term, scope: Scope) -> Outcome:
    """The verdict on a decimal that is right to the digits shown: whether these are enough."""
    demand = scope.demand
    if demand.exact or (demand.whole and right.op == "num" and right.sort == "integer"):
        return Outcome("undecided", "exact-wanted" if demand.exact else "count-wanted")
    if demand.places is not None:
        if 2 * half > Fraction(10) ** -demand.places:
            return Outcome("undecided", "few-places", {"places": demand.places})
    elif demand.tolerance is not None or demand.absolute is not None:
        return Outcome("undecided", "rough", _allowed(demand))
    elif shown < (demand.digits or demand.least) and (scope.unit is None or 2 * half > scope.unit):
        return Outcome("undecided", "few-digits", {"digits": demand.digits or demand.least})
    low, high = relation("le", num(v - half), right), relation("le", right, num(v + half))
    return replace(ROUNDED, params={"digits": shown}, goals=(scope.goal(low), scope.goal(high)))


def _allowed(demand: Demand) -> dict[str, Param]:
    """What may be off, in words that are the same in all languages."""
    if demand.tolerance is not None:
        return {"allowed": f"{_short(demand.tolerance)} * |x|"}
    return {"allowed": _short(demand.absolute or Fraction(0))}


def _short(q: Fraction) -> str:
    from derive.answers.showing import terminating

    return terminating(q) or str(q)


# --- how far off an answer may be --------------------------------------------------------------------------------


def _near(t: Term, right: Term, found: Outcome, scope: Scope) -> Outcome:
    """The verdict on a number that is not the right one, where a key says how far off it may be."""
    demand = scope.demand
    t, right = scope.plain(t), scope.plain(right)
    if (demand.tolerance is None and demand.absolute is None) or free_variables(t) or free_variables(right):
        return found
    try:
        order = _certain(right, num(0))
        if order is None:
            return Outcome("undecided", "not-told-apart")
        goals = _nearness(t, right, order, demand)
        apart = [_certain(p.args[0], p.args[1]) for p in goals]
    except Undefined:
        return found
    if None in apart:
        return Outcome("undecided", "not-told-apart")
    if all(k is not None and k <= 0 for k in apart):
        return Outcome("rounded", "near", _allowed(demand), tuple(map(scope.goal, goals)))
    return Outcome("wrong", "far", _allowed(demand)) if (found.verdict, found.code) == ("wrong", "different") else found


def _nearness(t: Term, right: Term, sign: int, demand: Demand) -> tuple[Term, ...]:
    """That a number is no further from the right one than is allowed, and for a relative tolerance its sign."""
    if demand.absolute is not None:
        width = num(demand.absolute)
    else:
        width = mul(num(demand.tolerance or 0), right if sign > 0 else neg(right))
    ends = relation("le", sub(right, width), t), relation("le", t, add(right, width))
    if demand.absolute is not None or not sign:
        return ends
    return (*ends, relation("lt", num(0), right) if sign > 0 else relation("lt", right, num(0)))


def _to_key(t: Term, right: Exact, node: nodes.Node, found: Outcome, scope: Scope) -> Outcome:
    """The verdict on an exact number that is not the decimal in the key: whether that is its rounding."""
    if right.unit is None or right.term.op != "num" or found.verdict != "wrong" or _has_decimals(node):
        return found
    half, v = right.unit / 2, Fraction(right.term.data)  # type: ignore[arg-type]
    if not v or not _within(t, v - half, v + half):
        return found
    digits = len(str(abs(int(v / right.unit))))
    if scope.demand.exact or digits < scope.demand.least or right.unit >= 1:
        return Outcome("undecided", "key-rounded")
    goals = relation("le", num(v - half), t), relation("le", t, num(v + half))
    return Outcome("rounded", "key-rounding", {}, tuple(map(scope.goal, goals)))


def alike(a: Value, b: Value) -> bool:
    """Whether two values agree to the fourth significant digit of `b`, or of its largest entry."""
    mine, theirs = _entries(a), _entries(b)
    if type(a) is not type(b) or mine is None or theirs is None or len(mine) != len(theirs):
        return a == b
    pairs = [(x, y) for x, y in zip(mine, theirs, strict=True) if x != y]
    places = [_place(y) for y in theirs if isinstance(y, Exact)]
    known = [p for p in places if p is not None]
    return not pairs or (len(known) == len(places) > 0 and all(_within_half(x, y, max(known)) for x, y in pairs))


def _entries(value: Value) -> tuple[Scalar, ...] | None:
    match value:
        case Exact():
            return (value,)
        case Row(items=items) | Several(items=items):
            return items
        case Grid(rows=rows):
            return tuple(x for r in rows for x in r)
    return None


def _place(x: Exact) -> int | None:
    """The power of ten of the fourth significant digit of a number, very low for 0; None where it can't be told."""
    if free_variables(x.term):
        return None
    try:
        if _certain(x.term, num(0)) == 0:
            return -_LOWEST
        shown = decimal_of(x.term, DIGITS_OF_A_THRESHOLD, significant=True, limits=LIMITS)
    except (Undefined, TooLarge, NotCertain):
        return None
    if shown is None:
        return None
    typed = Decimal(shown)
    return typed.adjusted() - DIGITS_OF_A_THRESHOLD + 1 if typed else -_LOWEST


_LOWEST = 400


def _within_half(a: Scalar, b: Scalar, place: int) -> bool:
    """Whether two numbers certainly differ by at most half of a power of ten."""
    if not isinstance(a, Exact) or not isinstance(b, Exact) or free_variables(a.term) or free_variables(b.term):
        return False
    half = num(Fraction(10) ** place / 2)
    try:
        order = _certain(sub(b.term, half), a.term), _certain(a.term, add(b.term, half))
    except Undefined:
        return False
    return all(k is not None and k <= 0 for k in order)


# --- slips -----------------------------------------------------------------------------------------------------


def _slip(typed: Typed, right: Term) -> str:
    """The kind of slip that a wrong decimal looks like."""
    v, half = typed.value, typed.unit / 2
    if typed.digits > 1 and _within(right, v - 3 * half, v + 3 * half):
        return "last-digit"
    if _within(right, -v - half, -v + half):
        return "sign"
    if typed.bare and typed.digits > 1:
        zeros = Fraction(10 ** (len(str(abs(int(v)))) - len(str(abs(int(v))).rstrip("0"))), 2)
        if zeros > half and _within(right, v - zeros, v + zeros):
            return "rounded-in-full"
    for n in (1, 2, 3, 6, 9, -1, -2, -3, -6, -9):
        factor = Fraction(10) ** n
        if _within(right, min((v - half) * factor, (v + half) * factor), max((v - half) * factor, (v + half) * factor)):
            return "power-of-ten"
    return "different"


# --- one entry -----------------------------------------------------------------------------------------------


def _term(node: nodes.Node, scope: Scope) -> Term | Outcome:
    """The term of an answer, or the outcome of one that is outside the language. Raises `SyntaxFault`."""
    try:
        t = elaborate(node, scope.environment)
    except SyntaxFault as fault:
        if fault.code in BEYOND:
            return Outcome("undecided", "beyond", {"what": str(fault.params.get("what", ""))[:80]})
        raise
    if t.rank:
        raise SyntaxFault("tensor-unexpected", node.span, {"what": "an answer"})
    return t


def scalar(read: ReadScalar, right: Scalar, scope: Scope) -> Outcome:
    """One number, formula or special value against another. Raises `SyntaxFault` for an undeclared name."""
    if isinstance(right, Opaque):
        if same_tree(read.node, right.node):
            return replace(UNSTATED, unstated="beyond")
        return Outcome("undecided", "beyond", {"what": right.text[:80]})
    if read.special is not None or isinstance(right, Special):
        return _special(read, right, scope)
    t = _term(read.node, scope)
    if isinstance(t, Outcome):
        return t
    if read.typed is not None:
        found = decimal(read.typed, right, scope, t)
    else:
        found = equal(t, right.term, scope)
        if found.verdict == "wrong" and not free_variables(t):
            found = _to_key(t, right, read.node, found, scope)
            if found.verdict == "wrong" and _has_decimals(read.node):
                found = _loose(read.node, right.term, found, scope)
    return found if found.accepted else _near(t, right.term, found, scope)


def _special(read: ReadScalar, right: Scalar, scope: Scope) -> Outcome:
    if read.special is None:
        t = _term(read.node, scope)
        if isinstance(t, Outcome):
            return t
        if not free_variables(t) and read.typed is None:
            try:
                value(t, limits=LIMITS)
            except Undefined as no:
                return Outcome("wrong", "no-value", {"why": no.code})
            except (TooLarge, NotCertain):
                pass
        return Outcome("wrong", "finite-for-special", {"right": right.name if isinstance(right, Special) else ""})
    if isinstance(right, Special) and right.name == read.special:
        return UNSTATED
    return Outcome("wrong", "special", {"found": read.special})


def _has_decimals(node: nodes.Node) -> bool:
    return any(isinstance(n, nodes.Number) and "." in n.text for n, _ in nodes.walk(node))


def _loose(node: nodes.Node, right: Term, found: Outcome, scope: Scope) -> Outcome:
    """An expression with decimals in it that is not exactly right: whether it may be so to the digits shown.

    Each decimal is moved by half a unit either way, all at once up or all down, one at a time: if the right value
    lies between, nobody can tell whether a rounding was meant.
    """
    numbers = [n for n, _ in nodes.walk(node) if isinstance(n, nodes.Number) and "." in n.text]
    if len(numbers) > 6:
        return found
    try:
        for signs in range(1 << len(numbers)):
            shifted: dict[nodes.Node, Fraction] = {}
            for k, n in enumerate(numbers):
                typed = as_typed(n)
                if typed is None:
                    return Outcome("undecided", "decimals-inside")
                step = typed.unit / 2
                shifted[n] = n.value + (step if signs >> k & 1 else -step)
            moved = elaborate(_with(node, shifted), scope.environment)
            order, first = _certain(moved, right), _certain(elaborate(node, scope.environment), right)
            if order is None or first is None or order != first:
                return Outcome("undecided", "decimals-inside")
    except (SyntaxFault, Undefined):
        return found
    return found


def _with(node: nodes.Node, numbers: Mapping[nodes.Node, Fraction]) -> nodes.Node:
    """`node` with other values for some of its numerals."""
    if isinstance(node, nodes.Number):
        q = numbers.get(node)
        return node if q is None else nodes.Number(node.span, q, str(q))
    changed: dict[str, object] = {}
    for name in node.__slots__:
        part = getattr(node, name)
        if isinstance(part, nodes.Node):
            changed[name] = _with(part, numbers)
        elif isinstance(part, tuple) and part and isinstance(part[0], nodes.Node):
            changed[name] = tuple(_with(p, numbers) for p in part)
    return replace(node, **changed) if changed else node  # type: ignore[arg-type]


def same_tree(a: nodes.Node, b: nodes.Node) -> bool:
    """Whether two trees are the same but for their places and the brackets of what was typed."""
    if type(a) is not type(b):
        return False
    if isinstance(a, nodes.Number) and isinstance(b, nodes.Number):
        return a.value == b.value
    mine, others = list(nodes.children(a)), list(nodes.children(b))
    plain = all(
        getattr(a, n, None) == getattr(b, n, None)
        for n in ("name", "function", "sign", "operators", "kind", "subscript", "bracket")
    )
    return plain and len(mine) == len(others) and all(map(same_tree, mine, others))


# --- rows, grids, sets ---------------------------------------------------------------------------------------

Place: TypeAlias = "tuple[int, ...]"


def _worst(found: Iterable[tuple[Place, Outcome]], scope: Scope) -> Outcome:
    """The worst of the entries' outcomes, with the places of those that are no better."""
    listed: list[tuple[Place, Outcome]] = []
    for place, outcome in found:
        if scope.brief and not outcome.accepted:
            return outcome
        listed.append((place, outcome))
    worst = max((o for _, o in listed), key=lambda o: _ORDER.index(o.verdict))
    if worst.verdict not in ("wrong", "undecided"):
        return with_goals(worst, (o for _, o in listed))
    places = [p for p, o in listed if o.verdict == worst.verdict]
    return replace(worst, params={**worst.params, "entry": _shown_places(places)})


def with_goals(outcome: Outcome, parts: Iterable[Outcome]) -> Outcome:
    """An outcome with all that its parts say."""
    kept = tuple(parts)
    goals = tuple(dict.fromkeys(g for p in kept for g in p.goals))
    return replace(outcome, goals=goals, unstated=next((p.unstated for p in kept if p.unstated), ""))


def _shown_places(places: list[Place]) -> str:
    shown = ["[" + ", ".join(map(str, p)) + "]" for p in places[:4]]
    return ", ".join(shown) + (", ..." if len(places) > 4 else "")


def _shape(read: Read) -> str:
    match read:
        case ReadScalar():
            return "1"
        case ReadRow(items=items):
            return f"{len(items)}"
        case ReadGrid(rows=rows):
            return f"{len(rows)} x {len(rows[0])}"
        case ReadSet(items=items):
            return f"{{{len(items)}}}"


def _shape_of(right: Value) -> str:
    match right:
        case Row(items=items):
            return f"{len(items)}"
        case Grid(rows=rows):
            return f"{len(rows)} x {len(rows[0])}"
        case Several(items=items):
            return f"{{{len(items)}}}"
        case _:
            return "1"


def _as_row(read: Read) -> ReadRow | None:
    """What can be read as a vector: a row, a column, a matrix of one row written as one, a single number."""
    match read:
        case ReadRow():
            return read
        case ReadScalar():
            return ReadRow((read,))
        case ReadGrid(rows=rows, environment=environment):
            if environment and all(len(r) == 1 for r in rows):
                return ReadRow(tuple(r[0] for r in rows))
            return ReadRow(rows[0]) if environment and len(rows) == 1 else None
    return None


def side(read: Read, right: Value, scope: Scope) -> Outcome:
    """One thing that was read against the right value. Raises `SyntaxFault` for an undeclared name."""
    if isinstance(read, ReadScalar) and read.special is None and isinstance(right, (Row, Grid)):
        whole = _tensor(read, right, scope)
        if whole is not None:
            return whole
    shapes = {"found": _shape(read), "expected": _shape_of(right)}
    different = Outcome("wrong", "other-shape", shapes)
    match right:
        case Row(items=items):
            row = _as_row(read)
            if isinstance(read, ReadSet):
                return Outcome("wrong", "set-for-vector")
            if row is None or len(row.items) != len(items):
                return different
            if right.open and not (isinstance(read, ReadRow) and read.bracket in ("(", "")):
                return Outcome("undecided", "brackets")
            pairs = enumerate(zip(row.items, items, strict=True), 1)
            beside = scope.beside(row.items)
            return _worst((((k,), scalar(a, b, beside)) for k, (a, b) in pairs), scope)
        case Grid(rows=rows):
            if isinstance(read, ReadScalar) and len(rows) == len(rows[0]) == 1:
                return scalar(read, rows[0][0], scope)
            if isinstance(read, ReadRow) and right.vector:
                return side(read, Row(tuple(x for r in rows for x in r)), scope)
            if not isinstance(read, ReadGrid) or (len(read.rows), len(read.rows[0])) != (len(rows), len(rows[0])):
                return different
            beside = scope.beside(x for r in read.rows for x in r)
            entries = (
                ((i, j), scalar(a, b, beside))
                for i, (mine, theirs) in enumerate(zip(read.rows, rows, strict=True), 1)
                for j, (a, b) in enumerate(zip(mine, theirs, strict=True), 1)
            )
            return _worst(entries, scope)
        case Several(items=items):
            if isinstance(read, ReadScalar) and read.special is None:  # a bare list of one
                read = ReadSet((read,))
            bare = isinstance(read, ReadRow) and not read.bracket
            return _several(read.items, items, scope) if isinstance(read, ReadSet) or bare else different  # type: ignore[union-attr]
        case Listing(items=items):
            return _list(read, items, scope, different)
        case Exact() | Special() | Opaque():
            if isinstance(read, ReadRow) and len(read.items) == 1:
                read = read.items[0]
            return scalar(read, right, scope) if isinstance(read, ReadScalar) else different
    raise TypeError(f"no answer is compared with {right!r}")


def _list(read: Read, items: tuple[Scalar, ...], scope: Scope, different: Outcome) -> Outcome:
    """A list in brackets of any kind, or bare; braces leave open how often something occurs."""
    if isinstance(read, ReadScalar):
        read = ReadRow((read,))
    if isinstance(read, ReadSet):
        if len(_different(items, scope)) < len(items):
            return Outcome("undecided", "set-for-list")
        return _several(read.items, items, scope)
    return _listed(read.items, items, scope) if isinstance(read, ReadRow) else different


def _tensor(read: ReadScalar, right: Row | Grid, scope: Scope) -> Outcome | None:
    """An expression whose value is a vector or a matrix, as ``1/2 * (1, 3)``; None for any other.

    Raises `SyntaxFault` for what stands for nothing.
    """
    try:
        t, dims = elaborate_with_dimensions(read.node, scope.environment)
    except SyntaxFault as fault:
        if fault.code not in BEYOND:
            raise
        return Outcome("undecided", "beyond", {"what": str(fault.params.get("what", ""))[:80]})
    wanted = [len(right.items)] if isinstance(right, Row) else [len(right.rows), len(right.rows[0])]
    if not t.rank:
        return None
    column = isinstance(right, Row) and any(isinstance(n, nodes.Matrix) for n, _ in nodes.walk(read.node))
    if column and dims == (num(wanted[0]), num(1)):
        wanted = [*wanted, 1]
    if list(dims) != [num(n) for n in wanted]:
        return Outcome("wrong", "other-shape", {"found": " x ".join(map(to_plain, dims)), "expected": _shape_of(right)})
    rows = (right.items,) if isinstance(right, Row) else right.rows
    found: list[tuple[Place, Outcome]] = []
    for i, row in enumerate(rows, 1):
        for j, b in enumerate(row, 1):
            place = (j, *wanted[1:]) if isinstance(right, Row) else (i, j)
            made = unfold(entry(t, *map(num, place)), ())
            found.append((place, equal(made, b.term, scope) if isinstance(b, Exact) else WRONG))
    return _worst(found, scope)


def _several(read: tuple[ReadScalar, ...], items: tuple[Scalar, ...], scope: Scope) -> Outcome:
    """A set: everything in it is in the right one, and the other way round."""
    table = [[scalar(a, b, scope) for b in items] for a in read]
    lines: list[list[Outcome]] = [*table, *([row[k] for row in table] for k in range(len(items)))]
    best = [min(line, key=lambda o: _ORDER.index(o.verdict)) for line in lines if line]
    worst = max(best, key=lambda o: _ORDER.index(o.verdict))
    if worst.verdict in ("rounded", "undecided") and not _matched(table, _different(items, scope)):
        return Outcome("wrong", "other-elements")
    if worst.verdict == "wrong":
        return Outcome("wrong", "other-elements")
    return with_goals(worst, best) if worst.accepted else worst


def _listed(read: tuple[ReadScalar, ...], items: tuple[Scalar, ...], scope: Scope) -> Outcome:
    """A list in which order does not count: each entry has one of its own on the other side."""
    if len(read) != len(items):
        return Outcome("wrong", "other-shape", {"found": str(len(read)), "expected": str(len(items))})
    found = paired([[scalar(a, b, scope) for b in items] for a in read])
    return Outcome("wrong", "other-elements") if found is None else found


def paired(table: list[list[Outcome]]) -> Outcome | None:
    """The outcome of a table of as many rows as columns, each row with a column of its own; None if none is good."""
    for good in (("correct", "equivalent"), ("correct", "equivalent", "rounded"), (*ACCEPTING, "undecided")):
        pairs = _pairing(table, frozenset(good))
        if pairs is not None:
            chosen = [table[k][c] for c, k in sorted(pairs.items())]
            worst = max(chosen, key=lambda o: _ORDER.index(o.verdict))
            return with_goals(worst, chosen) if worst.accepted else worst
    return None


def _different(items: tuple[Scalar, ...], scope: Scope) -> list[int]:
    """The places of the elements, each value once."""
    kept: list[int] = []
    for k, b in enumerate(items):
        if not any(_same(items[j], b, scope) for j in kept):
            kept.append(k)
    return kept


def _same(a: Scalar, b: Scalar, scope: Scope) -> bool:
    return a == b or (isinstance(a, Exact) and isinstance(b, Exact) and equal(a.term, b.term, scope).accepted)


def _matched(table: list[list[Outcome]], columns: list[int]) -> bool:
    """Whether every one of the columns may have a row of its own: one rounding is one element."""
    return _pairing([[row[c] for c in columns] for row in table], (*ACCEPTING, "undecided")) is not None


def _pairing(table: list[list[Outcome]], good: Collection[str]) -> dict[int, int] | None:
    """For each column a row of its own with a good verdict there; None where there are none."""
    taken: dict[int, int] = {}

    def placed(column: int, seen: set[int]) -> bool:
        for k, row in enumerate(table):
            if row[column].verdict in good and k not in seen:
                seen.add(k)
                if k not in taken or placed(taken[k], seen):
                    taken[k] = column
                    return True
        return False

    columns = len(table[0]) if table else 0
    return {c: k for k, c in taken.items()} if all(placed(c, set()) for c in range(columns)) else None


def uses(read: Read, names: frozenset[str]) -> bool:
    """Whether any of the names occurs in what was read."""
    items: list[ReadScalar]
    match read:
        case ReadScalar():
            items = [read]
        case ReadRow(items=found) | ReadSet(items=found):
            items = list(found)
        case ReadGrid(rows=rows):
            items = [x for r in rows for x in r]
    return any(isinstance(n, nodes.Name) and n.name in names for x in items for n, _ in nodes.walk(x.node))


def judge(answer: Answer, right: Right, scope: Scope) -> Outcome:
    """All sides of an answer against the right value; the worst of them decides.

    An answer in names to a problem given in numbers is compared with the right value in names, entry by entry.
    Raises `SyntaxFault` for an undeclared name.
    """
    outcomes = []
    sides = answer.sides
    if len(sides) > 1 and _restates(sides[0], right, scope):
        sides = sides[1:]
    for read in sides:
        target = right.value
        if right.named is not None:
            declared = frozenset(d.name for d in right.names.declarations)
            if uses(read, declared):
                target = _mixed(read, right.value, right.named, declared)
        outcomes.append(side(read, target, scope))
    if len(outcomes) == 1:
        return outcomes[0]
    worst = max(outcomes, key=lambda o: _ORDER.index(o.verdict))
    return with_goals(worst, outcomes) if worst.accepted else worst


def _restates(read: Read, right: Right, scope: Scope) -> bool:
    """Whether a side is the question itself: the exponential that is asked for in a format, as a real number."""
    if not right.asked or not isinstance(read, ReadScalar) or read.special is not None or read.typed is not None:
        return False
    t = _term(read.node, scope)
    return not isinstance(t, Outcome) and any(equal(t, a, scope).accepted for a in right.asked)


def _mixed(read: Read, numbers: Value, named: Value, declared: frozenset[str]) -> Value:
    """The right value in names at the entries where the answer uses one, else in numbers."""
    if isinstance(read, ReadRow) and isinstance(numbers, Row) and isinstance(named, Row):
        if len(read.items) != len(numbers.items):
            return numbers
        chosen = zip(read.items, numbers.items, named.items, strict=True)
        return Row(tuple(n if uses(x, declared) else q for x, q, n in chosen))
    return named
