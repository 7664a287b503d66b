"""A value that the instructor gives: a number, a formula, a vector, a matrix, a set, an infinity, or a letter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import prod

from derive.answers.conditions import read_condition
from derive.answers.intervals import is_half_open, is_turned, read_intervals
from derive.answers.judging import BEYOND, Scope
from derive.answers.reading import (
    Answer, Form, Read, ReadGrid, ReadRow, ReadScalar, ReadSet, read_answer, read_letters,
)  # fmt: skip
from derive.answers.truth import read_truth
from derive.answers.values import (
    ANY_ROUNDING, Condition, Exact, Grid, Intervals, Letters, Listing, Names, Opaque, Piece, Right, Row, Said, Scalar,
    Several, Special, Truth, Value,
)  # fmt: skip
from derive.problems.asked import KINDS, Kind, scalars
from derive.problems.given import Given, GivenRefused, brief, is_name, plain_name
from derive.problems.kind import AnswerKind, Mistake, Problem
from derive.problems.softmax import MAX_PERMUTED
from proofs.evaluate import NotCertain, TooLarge, Undefined, exact, value
from proofs.statement import Declaration
from proofs.statement import Kind as Sort
from proofs.syntax import nodes
from proofs.syntax.elaborate import elaborate, elaborate_with_dimensions
from proofs.syntax.environment import Environment, declare
from proofs.syntax.faults import SyntaxFault
from proofs.terms import Term, TermError, binds, entry, free_variables, neg, negation, num, rebuild, unfold

SORTS: Mapping[str, Sort] = {
    "size": "size", "index": "size", "integer": "integer", "real": "real", "positive": "positive",
}  # fmt: skip
"""An index without a range is a whole number from 1 up, as a size is."""

MAX_SYMBOLS = 24
MAX_ENTRIES = 4_096


def as_text(answer: object) -> str | None:
    """What TOML or JSON hold as text: a number as typed, a list in brackets; None for anything else."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bool):
        return None
    if isinstance(answer, int):
        return str(answer) if abs(answer) < 10**4_000 else None
    if isinstance(answer, Decimal):
        return {"Infinity": "inf", "-Infinity": "-inf", "NaN": "nan"}.get(str(answer), str(answer))
    if isinstance(answer, (list, tuple)) and len(answer) <= 10_000:
        parts = [as_text(a) for a in answer]
        known = [p for p in parts if p is not None]
        return f"[{', '.join(known)}]" if len(known) == len(parts) else None
    return None


def _declared(given: Given) -> tuple[Declaration, ...]:
    symbols = given.values.get("symbols")
    if symbols is None:
        return ()
    if not isinstance(symbols, Mapping) or len(symbols) > MAX_SYMBOLS:
        raise GivenRefused("symbols", name="symbols")
    made = {}
    for name, sort in symbols.items():
        plain = plain_name(str(name))
        if not is_name(plain):
            raise GivenRefused("symbol-name", found=brief(name))
        if not isinstance(sort, str) or sort not in SORTS:
            raise GivenRefused("symbol-sort", name=brief(name), found=brief(sort), options=", ".join(SORTS))
        made[plain] = declare(plain, SORTS[sort])
    return tuple(made.values())


def _value(given: Given) -> Problem:
    found = given.needed("value")
    kind = next((k for k in KINDS if k == given.values.get("kind")), None)
    if given.has("kind") and kind is None:
        given.choice("kind", KINDS)
    declared = _declared(given)
    right = value_of(found, kind, declared, "value")
    names = Names(declared)
    _refuse_nowhere(right, names)
    mistakes = tuple(_mistakes(right)) if kind not in ("set", "list") else ()
    return Problem(
        Right(right, Said("as-given"), names, shape=kind is None and is_shape(right), demand=ANY_ROUNDING), mistakes
    )


def value_of(found: object, kind: Kind | None, declared: tuple[Declaration, ...], field: str) -> Value:
    """The right value that a key types, of a kind where it says which. Raises `GivenRefused`, which names the field."""
    if kind == "truth" and isinstance(found, bool):
        return Truth(found)
    text = as_text(found)
    if text is None:
        raise GivenRefused("not-value", found=brief(found))
    env = Environment.of(declared)
    try:
        return _of_kind(text, kind, env)
    except SyntaxFault as fault:
        if kind == "choice":
            raise GivenRefused("not-letter", found=brief(text)) from None
        if kind == "truth":
            raise GivenRefused("not-truth", found=brief(text)) from None
        nearest = str(fault.params.get("nearest") or "")
        if fault.code == "undeclared":
            name = str(fault.params.get("name", ""))
            code = "value-undeclared-close" if nearest else "value-undeclared"
            raise GivenRefused(code, name=name, **({"close": nearest} if nearest else {})) from None
        raise GivenRefused("value-unreadable", found=brief(text), at=fault.span[0] + 1) from None


_FORMS: Mapping[Kind, Form] = {
    "number": "number", "formula": "number", "vector": "row", "matrix": "grid", "set": "set", "list": "row",
}  # fmt: skip


def _of_kind(text: str, kind: Kind | None, env: Environment) -> Value:
    if kind == "choice":
        return Letters(read_letters(text))
    if kind == "truth":
        return Truth(read_truth(text))
    if kind == "condition":
        return read_condition(text, env)
    if kind == "interval" or (kind is None and is_half_open(text)):
        return _intervals(text, env)
    right = _right(read_answer(text, "any" if kind is None else _FORMS[kind], env.declarations), env, kind is None)
    return right if kind is None else _as_kind(right, kind, text)


def _as_kind(right: Value, kind: Kind, text: str) -> Value:
    """The value that was read, as one of the kind that the key says it is."""
    match kind, right:
        case "number", Exact(term=t) if not free_variables(t):
            return right
        case ("number", Special()) | ("formula", Exact() | Special() | Opaque()):
            return right
        case "vector", Row():
            return right
        case "vector", Grid(rows=rows, vector=True):
            return Row(tuple(x for r in rows for x in r))
        case "vector" | "list" | "set", Exact() | Special() | Opaque():
            items: tuple[Scalar, ...] = (right,)
            return Row(items) if kind == "vector" else Listing(items) if kind == "list" else Several(items)
        case "matrix", Grid(rows=rows):
            return Grid(rows)
        case "set", Several() | Row():
            return Several(right.items)
        case "list", Row() | Several():
            return Listing(right.items)
    raise GivenRefused("kind-differs", found=brief(text), kind=kind)


def _intervals(text: str, env: Environment) -> Intervals:
    pieces = []
    for read in read_intervals(text, env.declarations):
        low = Special("-inf") if read.low is None else _scalar(read.low, env)
        high = Special("inf") if read.high is None else _scalar(read.high, env)
        pieces.append(Piece(low, high, read.low_closed, read.high_closed))
    if any(map(is_turned, pieces)):
        raise GivenRefused("interval-empty", found=brief(text))
    return Intervals(tuple(pieces))


def _refuse_nowhere(right: Value, names: Names) -> None:
    """Refuse a value that exists nowhere, and a condition that never holds, whatever the names stand for."""
    scope = Scope(names)
    terms = [x.term for x in scalars(right) if isinstance(x, Exact) and free_variables(x.term)]
    needed = [scope.domain(t) for t in terms]
    if isinstance(right, Condition):
        needed.append(right.relations)
    for conditions in needed:
        try:
            inside = scope.context.under(*conditions)
            nowhere = inside.contradiction() is not None or any(
                scope.context.proposition(negation(p)) is not None for p in conditions if p.op != "forall"
            )
        except (TermError, RecursionError):
            continue
        if nowhere:
            raise GivenRefused("never-holds" if isinstance(right, Condition) else "no-value", name="value")


def is_shape(right: Value) -> bool:
    """Whether a row may be a shape: whole numbers and names only."""
    return isinstance(right, Row) and all(isinstance(x, Exact) and x.term.sort == "integer" for x in right.items)


def _right(answer: Answer, env: Environment, open_: bool) -> Value:
    """What was read as a value; with `open_` two entries in round brackets may also be meant as an interval."""
    if len(answer.sides) != 1:
        raise GivenRefused("value-chain")
    read: Read = answer.sides[0]
    match read:
        case ReadScalar():
            return _tensor(read, env) or _scalar(read, env)
        case ReadRow(items=items):
            return Row(tuple(_scalar(x, env) for x in items), open_ and read.bracket == "(" and len(items) == 2)
        case ReadGrid(rows=rows):
            vector = read.environment and (len(rows) == 1 or len(rows[0]) == 1)
            return Grid(tuple(tuple(_scalar(x, env) for x in r) for r in rows), vector)
        case ReadSet(items=items):
            return Several(tuple(_scalar(x, env) for x in items))


def _tensor(read: ReadScalar, env: Environment) -> Value | None:
    """An expression whose value is a vector or a matrix, as ``(1, 2) + (3, 4)``, by its entries; None for any other."""
    if read.special is not None or not any(
        isinstance(n, (nodes.Sequence, nodes.Matrix)) for n, _ in nodes.walk(read.node)
    ):
        return None
    try:
        t, dims = elaborate_with_dimensions(read.node, env)
    except SyntaxFault as fault:
        if fault.code in BEYOND:
            return None
        raise
    sizes = [int(d.data) for d in dims if d.op == "num"]  # type: ignore[arg-type]
    if not t.rank or len(sizes) != t.rank or t.rank > 2 or not all(sizes) or prod(sizes) > MAX_ENTRIES:
        return None

    def one(*place: int) -> Scalar:
        x = _decided(unfold(entry(t, *map(num, place)), ()))
        found = None if free_variables(x) else exact(x)
        return _closed(x if found is None else num(found))

    if t.rank == 1:
        return Row(tuple(one(i) for i in range(1, sizes[0] + 1)))
    return Grid(tuple(tuple(one(i, j) for j in range(1, sizes[1] + 1)) for i in range(1, sizes[0] + 1)))


def _decided(t: Term) -> Term:
    """`t` with every choice between numerals made, as the entries of a vector that is written out have them."""
    if t.op == "if" and all(a.op == "num" for a in t.args[0].args):
        low, high = (Fraction(a.data) for a in t.args[0].args)  # type: ignore[arg-type]
        holds = {"eq": low == high, "le": low <= high, "lt": low < high, "ne": low != high}[t.args[0].op]
        return _decided(t.args[1 if holds else 2])
    if binds(t) or not t.args:
        return t
    return rebuild(t, tuple(map(_decided, t.args)))


def _scalar(read: ReadScalar, env: Environment) -> Scalar:
    if read.special is not None:
        return Special(read.special)
    try:
        t = elaborate(read.node, env)
    except SyntaxFault as fault:
        if fault.code not in BEYOND or not _known(read.node, env):
            raise
        return Opaque(read.node, fault.code)
    if t.rank:
        raise SyntaxFault("tensor-unexpected", read.node.span, {"what": "an answer"})
    typed = read.typed
    return replace(_closed(t), unit=None if typed is None or typed.bare or typed.dots else typed.unit)


def _closed(t: Term) -> Exact:
    """A number or formula as a value. Raises `GivenRefused` for a number that has none."""
    if not free_variables(t):
        try:
            value(t)
        except Undefined:
            raise GivenRefused("no-value", name="value", found="value") from None
        except (NotCertain, TooLarge):
            pass
    return Exact(t)


def _known(node: nodes.Node, env: Environment) -> bool:
    """Whether every name in an expression outside the language is declared, or a function that people know."""
    from proofs.syntax.words import FOREIGN

    names = {n.name for n, _ in nodes.walk(node) if isinstance(n, nodes.Name)}
    return all(n in env.declarations or n in FOREIGN or n == "e" for n in names)


def _mistakes(right: Value) -> list[Mistake]:
    """Slips that can be made with any value: another order, rows for columns, a sign, the reciprocal."""
    from itertools import permutations

    if isinstance(right, Row) and len(right.items) > 1:
        short = len(right.items) <= MAX_PERMUTED
        orders = permutations(right.items) if short else iter((tuple(reversed(right.items)),))
        return [Mistake("entries-swapped", lambda o=o: Row(o)) for o in orders if o != right.items]  # type: ignore[misc]
    if isinstance(right, Grid):
        return [Mistake("transposed", lambda: Grid(tuple(zip(*right.rows, strict=True)), right.vector))]
    if isinstance(right, Exact):
        t = right.term
        return [Mistake("sign-turned", lambda: Exact(_opposite(t)))]
    return []


def _opposite(t: Term) -> Term:
    return num(-Fraction(t.data)) if t.op == "num" else neg(t)  # type: ignore[arg-type]


VALUE = AnswerKind("value", ("value", "symbols", "kind"), _value, "any")
