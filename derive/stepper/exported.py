"""Terms and statements as plain data, for the evaluator of the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from derive.stepper.instance import Instance, ties
from proofs.statement import Declaration, Statement
from proofs.terms import Definition, Term

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


def term(t: Term) -> list[Json]:
    """A term as nested lists: the operation, its data, its arguments.

    >>> from proofs.terms import add, num, var
    >>> term(add(var("x"), num(Fraction(1, 2))))
    ['add', ['var', 'x'], ['num', 1, 2]]
    """
    args: list[Json] = [term(a) for a in t.args]
    if t.op == "num":
        q = Fraction(t.data)  # type: ignore[arg-type]
        return ["num", _whole(q.numerator), _whole(q.denominator)]
    if t.op == "var":
        return ["var", str(t.data)]
    if t.op == "bound":
        return ["bound", int(t.data)]  # type: ignore[arg-type]
    if t.op == "lam":
        return ["lam", t.rank, *args]
    if t.op == "app":
        return ["app", t.data.name, *args]  # type: ignore[union-attr]
    return [t.op, *args]


def _whole(n: int) -> int | float:
    """A whole number that a reader with float64 alone reads as the nearest one."""
    return n if abs(n) < 2**53 else float(n) if abs(n) < 2**1000 else 2.0**1000 * (1 if n > 0 else -1)


def definitions(terms: Iterable[Term]) -> dict[str, Json]:
    """Every definition that some terms need, by name: its parameters, and its body."""
    found: dict[str, Json] = {}
    waiting = list(terms)
    while waiting:
        t = waiting.pop()
        waiting.extend(t.args)
        if isinstance(t.data, Definition) and t.data.name not in found:
            found[t.data.name] = {
                "parameters": [str(p.data) for p in t.data.parameters],
                "body": term(t.data.body),
            }
            waiting.append(t.data.body)
    return found


def declaration(d: Declaration) -> dict[str, Json]:
    """A declared name: its kind, the upper end of an index, the dimensions of a tensor."""
    return {
        "name": d.name,
        "kind": d.kind,
        "rank": d.variable.rank,
        "integer": d.variable.sort == "integer",
        "upper": None if d.upper is None else term(d.upper),
        "dimensions": [term(t) for t in d.dimensions],
    }


def statement(of: Statement) -> dict[str, Json]:
    """What an instance needs to know: the declared names, what is assumed, and what is computed from what."""
    return {
        "declarations": [declaration(d) for d in of.declarations],
        "hypotheses": [term(h) for h in of.hypotheses],
        "assumptions": [term(p) for p in of.assumptions()],
        "ties": [{"name": str(t.variable.data), "term": term(t.term)} for t in ties(of)],
    }


def chosen(instance: Instance) -> dict[str, Json]:
    """The numbers of an instance, all of them, as decimals."""
    entries: Mapping[Term, Mapping[tuple[int, ...], Fraction]] = instance.tables
    return {
        "scalars": {str(v.data): float(x) for v, x in instance.numbers.items()},
        "entries": {
            str(v.data): {",".join(map(str, p)): float(x) for p, x in table.items()} for v, table in entries.items()
        },
    }
