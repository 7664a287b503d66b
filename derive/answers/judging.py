"""Judging what was read against the right value: proved equal, refuted by certain bounds, or undecided.

Two numbers are equal if they are proved so: by exact arithmetic on recognised closed forms, or by the kernel where
there are names. They differ if certain bounds differ at exact points. A decimal is right to the digits shown if
certain bounds of the right value lie within half a unit of its last digit. What can't be told is `undecided`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Literal, TypeAlias

from derive.answers.reading import Answer, Read, ReadGrid, ReadRow, ReadScalar, ReadSet, Typed, as_typed
from derive.answers.values import (
    Exact, Grid, Names, Opaque, Param, Right, Row, Scalar, Several, Special, Value,
)  # fmt: skip
from proofs.context import Context
from proofs.defined import undefined
from proofs.evaluate import EMPTY, Interval, Limits, Model, NotCertain, TooLarge, Unassigned, Undefined, compare, value
from proofs.justify import prove
from proofs.statement import Declaration
from proofs.syntax import nodes
from proofs.syntax.elaborate import elaborate, elaborate_with_dimensions
from proofs.syntax.environment import Environment
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, TermError, entry, free_variables, num, relation, substitute, unfold

Verdict = Literal["correct", "equivalent", "rounded", "wrong", "undecided", "unreadable"]
ACCEPTING: frozenset[Verdict] = frozenset(("correct", "equivalent", "rounded"))
_ORDER: tuple[Verdict, ...] = ("correct", "equivalent", "rounded", "undecided", "wrong", "unreadable")

LIMITS = Limits(operations=100_000, precision=2_048, digits=20_000, seconds=1.0)
BEYOND = frozenset(("outside-language", "factorial-too-large", "exponent-not-integer", "tensor-product", "too-large"))
"""Faults of expressions that were read and can't be judged, rather than not read."""

POINTS = 6


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with its reason as a code, and what fills the sentence."""

    verdict: Verdict
    code: str
    params: Mapping[str, Param] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return self.verdict in ACCEPTING


CORRECT, EQUIVALENT = Outcome("correct", "same"), Outcome("equivalent", "equal")
ROUNDED = Outcome("rounded", "rounded")
WRONG = Outcome("wrong", "different")


class Scope:
    """Names made ready for judging: their environment for reading, facts for proving, points for refuting.

    With `brief` only the verdict is asked for: what is wrong is neither described nor looked at to the end.
    """

    def __init__(self, names: Names, brief: bool = False) -> None:
        self.names = names
        self.brief = brief
        self.environment = Environment.of(names.declarations)

    @cached_property
    def context(self) -> Context:
        return Context([a for d in self.names.declarations for a in d.assumptions()])

    @cached_property
    def points(self) -> tuple[Model, ...]:
        return tuple(islice(_points(self.names.declarations), POINTS))

    def plain(self, t: Term) -> Term:
        """`t` with the names that stand for something else replaced by it."""
        return substitute(t, self.names.meanings) if self.names.meanings else t


_SIZES = (3, 5, 2, 7, 11, 4, 13, 1, 6, 17, 9, 8)
_REALS = tuple(Fraction(a, b) for a, b in ((7, 3), (-5, 2), (2, 7), (11, 4), (-1, 3), (13, 5), (3, 1), (-9, 4), (1, 5)))


def _points(declarations: Iterable[Declaration]) -> Iterator[Model]:
    """Exact values for the declared names; different names have different ones."""
    for start in (0, 3, 1, 6, 4, 9, 7):
        values: dict[Term, int | Fraction] = {}
        for k, d in enumerate(declarations):
            if d.kind in ("size", "index"):
                values[d.variable] = _SIZES[(start + k) % len(_SIZES)]
            elif d.kind == "integer":
                values[d.variable] = _SIZES[(start + k) % len(_SIZES)] * (-1 if (start // 3 + k) % 2 else 1)
            else:
                q = _REALS[(start + k) % len(_REALS)]
                values[d.variable] = abs(q) if d.kind == "positive" else q
        yield Model(values)


# --- numbers and formulas ------------------------------------------------------------------------------------


def _certain(a: Term, b: Term, model: Model = EMPTY) -> int | None:
    """The order of two values; None where it can't be told. Raises `Undefined`."""
    try:
        return compare(a, b, model, limits=LIMITS)
    except (TooLarge, NotCertain, Unassigned):
        return None


def equal(a: Term, b: Term, scope: Scope) -> Outcome:
    """Whether the answer `a` is the right value `b`: two numbers, or two formulas in the names of `scope`."""
    if a == b:
        return CORRECT
    a, b = scope.plain(a), scope.plain(b)
    if not free_variables(a) and not free_variables(b):
        try:
            order = _certain(a, b)
        except Undefined as no:
            return Outcome("wrong", "no-value", {"why": no.code})
        return Outcome("undecided", "not-told-apart") if order is None else WRONG if order else EQUIVALENT
    undefined_at = 0
    for model in scope.points:
        try:
            if _certain(a, b, model) not in (0, None):
                return Outcome("wrong", "differs-at", {"where": shown_point(model)})
        except Undefined:
            undefined_at += 1
    return _proved(a, b, scope)


def _proved(a: Term, b: Term, scope: Scope) -> Outcome:
    try:
        goal = relation("eq", a, b)
        found = prove(goal, scope.context)
        granted = undefined(b, scope.context)
        needed = [p for p in undefined(a, scope.context) if p not in granted]
        if found is None and needed:
            found = prove(goal, scope.context.under(*needed))
    except (TermError, RecursionError):
        return Outcome("undecided", "no-proof")
    if found is None:
        return Outcome("undecided", "no-proof")
    if needed:
        return Outcome("undecided", "needs-condition", {"condition": ", ".join(map(to_plain, needed))[:200]})
    return EQUIVALENT


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


def decimal(typed: Typed, right: Term, scope: Scope, term: Term) -> Outcome:
    """A decimal as typed against the right value: equal, right to the digits shown, cut off, or wrong.

    A whole number of one digit typed in full is exact, and 0 is never a rounding of something else.
    """
    if right.op == "num" and typed.value == right.data:
        return CORRECT
    same = equal(term, right, scope)
    right = scope.plain(right)
    if same.verdict in ("correct", "equivalent") or free_variables(right):
        return same
    try:
        return _decimal(typed, right, same, scope.brief)
    except Undefined as no:
        return Outcome("wrong", "no-value", {"why": no.code})


def _decimal(typed: Typed, right: Term, same: Outcome, brief: bool) -> Outcome:
    v, half = typed.value, typed.unit / 2
    if v == 0 or (typed.bare and typed.digits <= 1):
        return same
    near = _within(right, v - half, v + half)
    if near is None:
        return Outcome("undecided", "not-told-apart")
    if near and not typed.dots:
        return replace(ROUNDED, params={"digits": typed.digits})
    if brief:
        return same
    beyond = v + typed.unit if v > 0 else v - typed.unit
    cut = _within(right, min(v, beyond), max(v, beyond)) and _within(right, beyond, beyond) is False
    if typed.dots and (near or cut):
        return replace(ROUNDED, params={"digits": typed.digits}) if near and cut else Outcome("undecided", "dots")
    if cut:
        return Outcome("wrong", "cut-off", {"digits": typed.digits})
    return replace(same, code=_slip(typed, right)) if same.verdict == "wrong" else same


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
        same = same_tree(read.node, right.node)
        return CORRECT if same else Outcome("undecided", "beyond", {"what": right.text[:80]})
    if read.special is not None or isinstance(right, Special):
        return _special(read, right, scope)
    t = _term(read.node, scope)
    if isinstance(t, Outcome):
        return t
    if read.typed is not None:
        found = decimal(read.typed, right.term, scope, t)
    else:
        found = equal(t, right.term, scope)
        if found.verdict == "wrong" and not free_variables(t) and _has_decimals(read.node):
            found = _loose(read.node, right.term, found, scope)
    return found


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
        return CORRECT
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
        return worst
    places = [p for p, o in listed if o.verdict == worst.verdict]
    return replace(worst, params={**worst.params, "entry": _shown_places(places)})


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
            pairs = enumerate(zip(row.items, items, strict=True), 1)
            return _worst((((k,), scalar(a, b, scope)) for k, (a, b) in pairs), scope)
        case Grid(rows=rows):
            if isinstance(read, ReadScalar) and len(rows) == len(rows[0]) == 1:
                return scalar(read, rows[0][0], scope)
            if isinstance(read, ReadRow) and right.vector:
                return side(read, Row(tuple(x for r in rows for x in r)), scope)
            if not isinstance(read, ReadGrid) or (len(read.rows), len(read.rows[0])) != (len(rows), len(rows[0])):
                return different
            entries = (
                ((i, j), scalar(a, b, scope))
                for i, (mine, theirs) in enumerate(zip(read.rows, rows, strict=True), 1)
                for j, (a, b) in enumerate(zip(mine, theirs, strict=True), 1)
            )
            return _worst(entries, scope)
        case Several(items=items):
            return _several(read, items, scope) if isinstance(read, ReadSet) else different
        case Exact() | Special() | Opaque():
            if isinstance(read, ReadRow) and len(read.items) == 1:
                read = read.items[0]
            return scalar(read, right, scope) if isinstance(read, ReadScalar) else different
    raise TypeError(f"no answer is compared with {right!r}")


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


def _several(read: ReadSet, items: tuple[Scalar, ...], scope: Scope) -> Outcome:
    """A set: everything in it is in the right one, and the other way round."""
    table = [[scalar(a, b, scope) for b in items] for a in read.items]
    lines: list[list[Outcome]] = [*table, *([row[k] for row in table] for k in range(len(items)))]
    best = [min(line, key=lambda o: _ORDER.index(o.verdict)) for line in lines if line]
    worst = max(best, key=lambda o: _ORDER.index(o.verdict))
    if worst.verdict == "rounded" and not _matched(table, _different(items, scope)):
        return Outcome("wrong", "other-elements")
    return Outcome("wrong", "other-elements") if worst.verdict == "wrong" else worst


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
    """Whether every one of the columns has a row of its own that is accepted there: one rounding is one element."""
    taken: dict[int, int] = {}

    def placed(column: int, seen: set[int]) -> bool:
        for k, row in enumerate(table):
            if row[column].accepted and k not in seen:
                seen.add(k)
                if k not in taken or placed(taken[k], seen):
                    taken[k] = column
                    return True
        return False

    return all(placed(c, set()) for c in columns)


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
    return worst


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
