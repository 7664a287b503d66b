"""A value that the instructor gives: a number, a formula, a vector, a matrix, a set, an infinity, or a letter."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from derive.answers.judging import BEYOND
from derive.answers.reading import (
    Answer, Read, ReadGrid, ReadRow, ReadScalar, ReadSet, read_answer, read_letters,
)  # fmt: skip
from derive.answers.values import (
    Exact, Grid, Letters, Names, Opaque, Right, Row, Said, Scalar, Several, Special, Value,
)  # fmt: skip
from derive.problems.given import Given, GivenRefused, brief, is_name, plain_name
from derive.problems.kind import AnswerKind, Mistake, Problem
from derive.problems.softmax import MAX_PERMUTED
from proofs.evaluate import NotCertain, TooLarge, Undefined, value
from proofs.statement import Declaration, Kind
from proofs.syntax import nodes
from proofs.syntax.elaborate import elaborate
from proofs.syntax.environment import Environment, declare
from proofs.syntax.faults import SyntaxFault
from proofs.terms import Term, free_variables, neg, num

SORTS: Mapping[str, Kind] = {
    "size": "size", "index": "size", "integer": "integer", "real": "real", "positive": "positive",
}  # fmt: skip
"""An index without a range is a whole number from 1 up, as a size is."""

MAX_SYMBOLS = 24


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
    text = as_text(given.needed("value"))
    if text is None:
        raise GivenRefused("not-value", found=brief(given.values.get("value")))
    line = Said("as-given")
    if given.has("kind"):
        given.choice("kind", ("choice",))
        try:
            return Problem(Right(Letters(read_letters(text)), line))
        except SyntaxFault:
            raise GivenRefused("not-letter", found=brief(text)) from None
    declared = _declared(given)
    env = Environment.of(declared)
    try:
        answer = read_answer(text, "any", env.declarations)
        right = _right(answer, env)
    except SyntaxFault as fault:
        nearest = str(fault.params.get("nearest") or "")
        if fault.code == "undeclared":
            name = str(fault.params.get("name", ""))
            code = "value-undeclared-close" if nearest else "value-undeclared"
            raise GivenRefused(code, name=name, **({"close": nearest} if nearest else {})) from None
        raise GivenRefused("value-unreadable", found=brief(text), at=fault.span[0] + 1) from None
    return Problem(Right(right, line, Names(declared), shape=is_shape(right)), tuple(_mistakes(right)))


def is_shape(right: Value) -> bool:
    """Whether a row may be a shape: whole numbers and names only."""
    return isinstance(right, Row) and all(isinstance(x, Exact) and x.term.sort == "integer" for x in right.items)


def _right(answer: Answer, env: Environment) -> Value:
    if len(answer.sides) != 1:
        raise GivenRefused("value-chain")
    read: Read = answer.sides[0]
    match read:
        case ReadScalar():
            return _scalar(read, env)
        case ReadRow(items=items):
            return Row(tuple(_scalar(x, env) for x in items))
        case ReadGrid(rows=rows):
            vector = read.environment and (len(rows) == 1 or len(rows[0]) == 1)
            return Grid(tuple(tuple(_scalar(x, env) for x in r) for r in rows), vector)
        case ReadSet(items=items):
            return Several(tuple(_scalar(x, env) for x in items))


def _scalar(read: ReadScalar, env: Environment) -> Scalar:
    if read.special is not None:
        return Special(read.special)
    try:
        t = elaborate(read.node, env)
    except SyntaxFault as fault:
        if fault.code not in BEYOND or not _known(read.node, env):
            raise
        return Opaque(read.node, fault.code)
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
