"""Conditions on a bound index, as masks have them: where they are, and at which index they change."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs.polynomials import constant, plus, read, write
from proofs.terms import Term, free_variables


def conditions(t: Term, v: Term) -> Iterator[Term]:
    """The conditions of 'if' in `t` that speak of `v` and of no index bound deeper in."""
    stack = [t]
    while stack:
        x = stack.pop()
        if x.op == "if" and x.args[0].loose == 0 and v in free_variables(x.args[0]):
            yield x.args[0]
        stack.extend(reversed(x.args))


def edge(c: Term, v: Term) -> Term | None:
    """The value of `v` at which the two sides of a condition are equal, if it is linear in `v` with slope 1 or -1."""
    form = plus(read(c.args[1]), read(c.args[0]), -1)
    slope = form.pop(((v, 1),), Fraction(0))
    if abs(slope) != 1 or any(v in free_variables(a) for m in form for a, _ in m):
        return None
    return write(plus({}, form, -slope))


def cut_points(c: Term, v: Term) -> list[Term]:
    """The last index before the condition's truth changes."""
    here = edge(c, v)
    if here is None:
        return []
    less = write(plus(read(here), constant(-1)))
    if c.op in ("eq", "ne"):
        return [less, here]
    form = plus(read(c.args[1]), read(c.args[0]), -1)
    return [here if (c.op == "le") == (form[((v, 1),)] < 0) else less]
