"""Every row of the two tables holds in random models, needs each of its premises, and some follow from others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from random import Random

import pytest
from mpmath import iv

from proofs import replay
from proofs.certificate_text import canonical
from proofs.kernel import AXIOMS, Theorem, assume, axiom, cases, congruence, induction, linear, relate, ring, specialise
from proofs.terms import (
    Term,
    add,
    comprehension,
    entry,
    instantiate,
    mul,
    negation,
    num,
    relation,
    sub,
    substitute,
    total,
    var,
)
from tests.proofs.small_models import Model, TooFar, refutes

MODELS = int(os.environ.get("MODELS", "400"))
iv.prec = 160


@pytest.mark.parametrize("name", AXIOMS)
def test_a_row_holds_in_every_model(name: str) -> None:
    row = AXIOMS[name]
    random = Random(name)
    tried = 0
    for _ in range(20 * MODELS):
        model = Model(random)
        assert not refutes(model, row.premises, row.conclusion), model.values
        try:
            tried += all(model.holds(p) is True for p in row.premises)
        except TooFar:
            continue
        if tried >= MODELS:
            break
    assert tried >= MODELS // 8 or name == "contradiction"  # whose premises can't both hold


@pytest.mark.parametrize(("name", "k"), [(name, k) for name, row in AXIOMS.items() for k in range(len(row.premises))])
def test_a_row_fails_in_some_model_without_one_of_its_premises(name: str, k: int) -> None:
    row = AXIOMS[name]
    others = [p for j, p in enumerate(row.premises) if j != k]
    random = Random(f"{name} {k}")
    assert any(refutes(Model(random), others, row.conclusion) for _ in range(20_000))


def test_a_false_row_is_refuted() -> None:
    x, y = var("x"), var("y")
    assert any(refutes(Model(Random(k)), (), relation("le", mul(x, y), add(x, y))) for k in range(500))


@pytest.mark.parametrize("name", AXIOMS)
def test_the_two_tables_say_the_same(name: str) -> None:
    store = replay.Store()
    premises, conclusion, variables = replay.row(store, name)
    assert [store.canonical(p) for p in premises] == [canonical(p) for p in AXIOMS[name].premises]
    assert store.canonical(conclusion) == canonical(AXIOMS[name].conclusion)
    free = {v for p in (*AXIOMS[name].premises, AXIOMS[name].conclusion) for v in _free(p)}
    assert {x: store.canonical(v) for x, v in variables.items()} == {str(v.data): canonical(v) for v in free}


def test_the_two_tables_have_the_same_rows() -> None:
    assert set(AXIOMS) == set(replay.ROWS)


def _free(t: Term) -> set[Term]:
    return {t} if t.op == "var" else {v for a in t.args for v in _free(a)}


# --- laws that follow from others by induction ---------------------------------------------------------------

a, b, i, k = (var(s, "integer") for s in "abik")
x, f, g = var("x"), var("f", "real", 1), var("g", "real", 1)
one = num(1)


def by_induction(left: Term, right: Term) -> Theorem:
    """``|- left = right``, two terms with sums over ``a..b``, if it holds for no summand and goes on by one more.

    Uses of the sums only that they split, and what they are over no and over one index.
    """

    def until(t: Term, hi: Term) -> Term:
        return substitute(t, {b: hi})

    before = add(a, num(-1))
    p = relation("eq", until(left, k), until(right, k))
    # no summand
    empty = [
        _evaluated(until(t, before), "sum-empty", linear(relation("lt", before, a), (), ())) for t in (left, right)
    ]
    start = _joined(*empty)
    # one more
    following = add(k, one)
    low = linear(relation("le", a, following), (assume(relation("le", before, k)),), (1,))
    high = linear(relation("le", k, following), (), ())
    more = [_evaluated(until(t, following), "sum-split", low, high) for t in (left, right)]
    shown = [relate(e, {1: _evaluated(e.conclusion.args[1], "sum-one")}) for e in more]
    ends = [e.conclusion.args[1] for e in shown]
    hypothesis = assume(p)
    # right(k) + its last summand is, by the hypothesis, left(k) + the last summand
    sums = [until(t, k) for t in (left, right)]
    step = _by_hypothesis(shown, ends, sums, hypothesis)
    every = specialise(induction(p, k, before, start, step), {k: b})
    # an empty range that ends even earlier
    short = negation(relation("le", before, b))
    none = linear(relation("lt", b, a), (assume(short),), (1,))
    return cases(relation("le", before, b), every, _joined(*(_evaluated(t, "sum-empty", none) for t in (left, right))))


def _evaluated(t: Term, row: str, *premises: Theorem) -> Theorem:
    """``t = t'`` where the sums in `t` are rewritten by a row of the table, as far as it fits."""
    if t.op == "sum":
        lo, hi, _ = t.args
        body = comprehension((i,), _body(t))
        values: dict[str, Term] = {"a": lo, "b": hi, "f": body}
        if row == "sum-split":
            values["m"] = hi.args[0]  # of m + 1
        if row == "sum-one":
            if lo != hi:
                return ring(t, t, ())
            del values["b"]
        return axiom(row, values, premises)
    if t.op in ("add", "mul"):
        parts = {n: _evaluated(s, row, *premises) for n, s in enumerate(t.args)}
        return congruence(t, parts)
    return ring(t, t, ())


def _body(t: Term) -> Term:
    return instantiate(t.args[2], (i,))


def _joined(s: Theorem, t: Theorem) -> Theorem:
    """``a = b`` from ``a = a'`` and ``b = b'``, where ``a' = b'`` by ring arithmetic."""
    middle = ring(s.conclusion.args[1], t.conclusion.args[1], ())
    back = relate(ring(t.conclusion.args[0], t.conclusion.args[0], ()), {0: t})
    return relate(relate(s, {1: middle}), {1: back})


def _by_hypothesis(shown: list[Theorem], ends: list[Term], sums: list[Term], p: Theorem) -> Theorem:
    left, right = ends
    more = [sub(e, s) for e, s in zip(ends, sums, strict=True)]
    spread = [ring(e, add(s, m), ()) for e, s, m in zip(ends, sums, more, strict=True)]
    middle = congruence(add(sums[0], more[0]), {0: p, 1: ring(more[0], more[1], ())})
    joined = relate(relate(spread[0], {1: middle}), {1: _turned(spread[1])})
    assert joined.conclusion == relation("eq", left, right)
    return relate(relate(shown[0], {1: joined}), {1: _turned(shown[1])})


def _turned(e: Theorem) -> Theorem:
    s = e.conclusion.args[0]
    return relate(ring(s, s, ()), {0: e})


def sigma(body: Term) -> Term:
    return total(i, a, b, body)


LAWS: Mapping[str, tuple[Term, Term]] = {
    "sum-add": (sigma(add(entry(f, i), entry(g, i))), add(sigma(entry(f, i)), sigma(entry(g, i)))),
    "sum-factor": (sigma(mul(x, entry(f, i))), mul(x, sigma(entry(f, i)))),
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_follows_by_induction(name: str) -> None:
    left, right = LAWS[name]
    proved = by_induction(left, right)
    assert not proved.hypotheses
    assert proved.conclusion == AXIOMS[name].conclusion
    assert name not in _rows(proved)


def _rows(theorem: Theorem) -> set[object]:
    found = {theorem.parameters[0]} if theorem.rule == "axiom" else set()
    for p in theorem.premises:
        found |= _rows(p)
    return found
