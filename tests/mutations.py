"""Corrupted copies of a term: a sign, an index, a bound, a coefficient or an operation changed in one place."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from proofs.terms import (
    RELATIONS, Term, TermError, add, div, exp, free_variables, mul, neg, num, rebuild, relation, when,
)  # fmt: skip


def mutants(term: Term, rng: random.Random, most: int) -> Iterator[tuple[str, Term]]:
    """At most `most` corrupted copies, each with the name of what was changed."""
    others = sorted((v for v in free_variables(term) if v.sort == "integer"), key=repr)
    places = list(_places(term, ()))
    rng.shuffle(places)
    made = 0
    for path in places:
        for name, new in _changes(_at(term, path), others, rng):
            try:
                mutant = _put(term, path, new)
            except TermError:
                continue
            if mutant != term:
                yield name, mutant
                made += 1
                if made == most:
                    return
                break


def _places(t: Term, path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield path
    path_args = list(enumerate(t.args))[1:] if t.op == "if" else list(enumerate(t.args))
    for k, a in path_args:
        if a.sort != "proposition":
            yield from _places(a, (*path, k))


def _at(t: Term, path: tuple[int, ...]) -> Term:
    for k in path:
        t = t.args[k]
    return t


def _put(t: Term, path: tuple[int, ...], new: Term) -> Term:
    if not path:
        return new
    k, *rest = path
    args = list(t.args)
    args[k] = _put(args[k], tuple(rest), new)
    return rebuild(t, tuple(args))


def _changes(t: Term, others: list[Term], rng: random.Random) -> list[tuple[str, Term]]:
    made: list[tuple[str, Term]] = []
    if t.rank:
        return made
    if t.op == "num":
        made.append(("coefficient", num(Fraction(t.data) + rng.choice((-1, 1)))))
    if t.op == "var" and t.sort == "integer":
        made += [("index", v) for v in others if v != t] + [("bound", add(t, num(1)))]
    if t.op == "bound":
        made += [("index", v) for v in others]
    if t.op == "neg":
        made.append(("sign", t.args[0]))
    if t.op in ("exp", "entry", "div") and t.sort != "integer":
        made.append(("sign", neg(t)))
    if t.op == "add":
        made += [("term dropped", x) for x in t.args[:1]] + [("sum to product", mul(*t.args))]
    if t.op == "mul":
        made += [("factor dropped", x) for x in t.args[-1:]] + [("product to sum", add(*t.args))]
    if t.op == "div":
        made.append(("quotient turned", div(t.args[1], t.args[0])))
    if t.op == "sqrt":
        made.append(("root dropped", t.args[0]))
    if t.op == "if":
        c, a, b = t.args
        made.append(("branches exchanged", when(c, b, a)))
        made += [("condition", when(relation(op, *c.args), a, b)) for op in RELATIONS if op != c.op]
    if t.op in ("sum", "maxof"):
        lo, hi, body = t.args
        made += [("bound", rebuild(t, (add(lo, num(1)), hi, body))), ("bound", rebuild(t, (lo, add(hi, num(1)), body)))]
        made.append(("bounds exchanged", rebuild(t, (hi, lo, body))))
    if t.op == "exp" and t.args[0].op == "add":
        made.append(("exp of a sum as a sum", add(*(exp(x) for x in t.args[0].args))))
    rng.shuffle(made)
    return made
