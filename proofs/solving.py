"""Solving a relation without binders for one of its parts, as far as undoing operations one by one can do it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from proofs.terms import (
    Definition, Term, TermError, add, div, exp, ln, mul, neg, num, power, rebuild, sqrt, sub, unfold,
)  # fmt: skip


def occurrences(t: Term, part: Term) -> int:
    """How often `part` stands in `t`."""
    if t == part:
        return 1
    return sum(occurrences(a, part) for a in t.args)


def solved_for(part: Term, a: Term, b: Term) -> Term | None:
    """The x for which ``a = b`` holds with x in the place of `part`, which stands there once; None if unknown.

    The equation holds for it wherever both x and the two sides have a value, except after undoing a square
    or a root, where a sign may be wrong.
    """
    if occurrences(a, part) + occurrences(b, part) != 1:
        return None
    if occurrences(b, part):
        a, b = b, a
    while a != part:
        if a.op not in ("add", "mul", "neg", "div", "exp", "ln", "sqrt", "pow"):
            return None
        k = next(k for k, x in enumerate(a.args) if occurrences(x, part))
        others = [x for j, x in enumerate(a.args) if j != k]
        rest = others[0] if len(others) == 1 else None
        if a.op == "add":
            b = sub(b, rest or add(*others))
        elif a.op == "mul":
            b = div(b, rest or mul(*others))
        elif a.op == "neg":
            b = neg(b)
        elif a.op == "div":
            b = mul(b, a.args[1]) if k == 0 else div(a.args[0], b)
        elif a.op == "exp":
            b = ln(b)
        elif a.op == "ln":
            b = exp(b)
        elif a.op == "sqrt":
            b = power(b, num(2))
        elif k == 0 and a.args[1] == num(2):
            b = sqrt(b)
        else:
            return None
        a = a.args[k]
    return b


def replaced(t: Term, values: Mapping[Term, Term]) -> Term:
    """`t`, a term without binders, with parts replaced."""
    if t in values:
        return values[t]
    return rebuild(t, tuple(replaced(a, values) for a in t.args)) if t.args else t


def without_definitions(t: Term) -> Term:
    """`t` with every definition unfolded; `t` itself where that grows too large."""
    names: set[str] = set()
    pending = [t]
    seen: set[Term] = set()
    while pending:
        x = pending.pop()
        if x in seen:
            continue
        seen.add(x)
        if isinstance(x.data, Definition):
            names.add(x.data.name)
            pending.append(x.data.body)
        pending.extend(x.args)
    try:
        return unfold(t, names)
    except TermError:
        return t


def cells_of(t: Term) -> list[Term]:
    """Real variables, and entries of tensor variables at numerals, in the order of their appearance."""
    found: dict[Term, None] = {}

    def look(x: Term) -> None:
        if x.op == "var":
            if not x.rank and x.sort == "real":
                found[x] = None
        elif x.op == "entry" and x.args[0].op == "var" and all(i.op == "num" for i in x.args[1:]):
            found[x] = None
        else:
            for a in x.args:
                look(a)

    look(t)
    return list(found)


def hidden(t: Term, cell: Term) -> bool:
    """Whether the cell's tensor is also used as a whole, so that the cell may stand where it can't be seen."""
    if cell.op != "entry":
        return False
    tensor = cell.args[0]

    def bare(x: Term) -> bool:
        if x == tensor:
            return True
        start = 1 if x.op == "entry" and x.args[0] == tensor and all(i.op == "num" for i in x.args[1:]) else 0
        return any(bare(a) for a in x.args[start:])

    return bare(t)


def above(a: Term, b: Term, cell: Term) -> Iterator[Term]:
    """The terms that contain the cell."""
    for side in (a, b):
        x = side
        while x != cell and occurrences(x, cell):
            yield x
            x = next(y for y in x.args if occurrences(y, cell))
