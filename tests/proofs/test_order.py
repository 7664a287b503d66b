"""The search for inequalities: what it proves, what it must leave alone, and by which reason; worked out by hand."""

from __future__ import annotations

import pytest

from derive.definitions import signatures
from derive.library import replays
from proofs.context import Context
from proofs.justify import justify, prove
from proofs.syntax.derivation import read_derivation
from proofs.terms import Term

DECLARED = """
let n : size
let m : size
let t : index[n]
let i : index[n]
let x : real
let y : real
let c : real
let p : positive
let q : positive
let z : real[n]
let w : real[n]
"""


def read(claim: str, suppose: str = "") -> tuple[Term, Context]:
    supposed = "".join(f"suppose {s}\n" for s in suppose.split(";") if s.strip())
    left = claim.split("<")[0].split(" = ")[0]
    text = f"{DECLARED}{supposed}claim {claim}\nproof\n  {left}\n"
    statement = read_derivation(text, signatures()).statement
    return statement.claim, Context(statement.assumptions())


NOT_NEGATIVE = "0 <= z[j] for all j : index[n]"
BELOW = "z[j] <= w[j] for all j : index[n]"
STRICTLY = "z[j] < w[j] for all j : index[n]"

TRUE = [
    ("exp(x) <= exp(y)", "x <= y"),
    ("exp(x) < exp(y)", "x < y"),
    ("exp(-y) <= exp(-x)", "x <= y"),
    ("exp(x) <= 1", "x <= 0"),
    ("1 + x <= exp(x)", ""),
    ("exp(x) <= n*exp(x)", ""),
    ("ln(p) < ln(q)", "p < q"),
    ("sqrt(p) <= sqrt(q)", "p <= q"),
    ("x*p <= y*p", "x <= y"),
    ("x*exp(c) < y*exp(c)", "x < y"),
    ("x^2 <= y^2", "0 <= x; x <= y"),
    ("p/(1 + p) < 1", ""),
    ("1/q <= 1/p", "p <= q"),
    ("1/(q + exp(c)) < 1/(p + exp(c))", "p < q"),
    ("x/p <= y/p", "x <= y"),
    ("1 - p <= 1/(1 + p)", ""),
    ("1 - (x - y)^2 <= 1", ""),
    ("x <= max(x, y)", ""),
    ("z[i] <= max(j = 1..n, z[j])", ""),
    ("exp(z[i] - max(j = 1..n, z[j])) <= 1", ""),
    ("max(j = 1..n, z[j]) <= max(j = 1..n, w[j])", BELOW),
    ("z[i] <= w[i]", BELOW),
    ("exp(z[i]) <= exp(w[i])", BELOW),
    ("1/z[i] <= 1/c", "0 < c; c <= z[j] for all j : index[n]"),
    ("sum(j = 1..n, z[j]) <= sum(j = 1..n, w[j])", BELOW),
    ("sum(j = 1..n, z[j]) < sum(j = 1..n, w[j])", STRICTLY),
    ("sum(j = 1..n, exp(z[j])) <= sum(j = 1..n, exp(w[j]))", BELOW),
    ("sum(j = 1..n, p*z[j]) <= sum(j = 1..n, p*w[j])", BELOW),
    ("z[t] <= sum(j = 1..n, z[j])", NOT_NEGATIVE),
    ("exp(z[t]) <= sum(j = 1..n, exp(z[j]))", ""),
    ("z[t] + z[i] <= sum(j = 1..n, z[j])", f"{NOT_NEGATIVE}; t != i"),
    ("z[t] + z[i] <= sum(j = 1..n, z[j])", f"{NOT_NEGATIVE}; t < i"),
    ("z[t] + z[i] <= sum(j = 1..n, z[j])", f"{NOT_NEGATIVE}; i < t"),
    ("sum(j = 1..t, z[j]) <= sum(j = 1..n, z[j])", NOT_NEGATIVE),
    ("sum(j = t..n, exp(z[j])) <= sum(j = 1..n, exp(z[j]))", ""),
    ("z[t] <= 1", f"{NOT_NEGATIVE}; sum(j = 1..n, z[j]) = 1"),
    ("softmax(z)[i] <= 1", ""),
    ("0 < softmax(z)[i]", ""),
    ("0 <= z[t]*w[t]", f"{NOT_NEGATIVE}; {BELOW}"),
]

UNPROVABLE = [
    ("exp(x) <= exp(y)", ""),
    ("exp(x) <= exp(y)", "y <= x"),
    ("exp(x) < exp(y)", "x <= y"),
    ("exp(x) <= 1", "x <= 1"),
    ("exp(x) <= 1 + x", ""),
    ("1 - x <= exp(x)", ""),
    ("exp(x) < n*exp(x)", ""),
    ("ln(x) <= ln(y)", "x <= y"),
    ("sqrt(x) < sqrt(y)", "x < y"),
    ("x*c <= y*c", "x <= y"),
    ("x*c < y*c", "x < y; 0 <= c"),
    ("x^2 <= y^2", "x <= y"),
    ("x <= x^2", ""),
    ("1/x <= 1/y", "y <= x"),
    ("x/q <= x/p", "p <= q"),
    ("x/c <= y/c", "x <= y"),
    ("x/c <= y", "x <= y*c"),
    ("1/(1 + p) < 1 - p", ""),
    ("max(x, y) <= x", ""),
    ("max(j = 1..n, z[j]) <= z[i]", ""),
    ("z[i] <= w[i]", "z[j] <= w[j] for all j : index[t]"),
    ("z[m] <= w[m]", BELOW),
    ("z[i] <= w[t]", BELOW),
    ("sum(j = 1..n, z[j]) <= sum(j = 1..n, w[j])", "z[j] <= w[j] for all j : index[t]"),
    ("sum(j = 1..n - 1, z[j]) < sum(j = 1..n - 1, w[j])", STRICTLY),
    ("sum(j = 1..n, c*z[j]) <= sum(j = 1..n, c*w[j])", BELOW),
    ("z[t] <= sum(j = 1..n, z[j])", ""),
    ("z[t] < sum(j = 1..n, z[j])", NOT_NEGATIVE),
    ("exp(z[t]) < sum(j = 1..n, exp(z[j]))", ""),
    ("z[m] <= sum(j = 1..n, z[j])", NOT_NEGATIVE),
    ("z[t] + z[i] <= sum(j = 1..n, z[j])", NOT_NEGATIVE),
    ("z[t] + z[i] <= sum(j = 1..n, z[j])", "t != i"),
    ("2*z[t] <= sum(j = 1..n, z[j])", NOT_NEGATIVE),
    ("sum(j = 1..n, z[j]) <= sum(j = 1..t, z[j])", NOT_NEGATIVE),
    ("sum(j = 1..t, z[j]) <= sum(j = 1..n, z[j])", ""),
    ("softmax(z)[i] < 1", ""),
    ("z[t] = 0", f"{NOT_NEGATIVE}; sum(j = 1..n, z[j]) = 1"),
    ("z[t] = 0", "sum(j = 1..n, z[j]) = 1; z[i] = 1; t != i"),
    ("z[t] = 0", f"{NOT_NEGATIVE}; sum(j = 1..n, z[j]) = 1; z[i] = 1"),
]


@pytest.mark.parametrize(("claim", "suppose"), TRUE)
def test_what_holds_is_proved_and_replayed(claim: str, suppose: str) -> None:
    goal, ctx = read(claim, suppose)
    theorem = prove(goal, ctx)
    assert theorem is not None
    assert theorem.conclusion == goal
    assert theorem.hypotheses <= set(ctx.assumptions)
    assert replays("order", theorem, ctx.assumptions, goal)


@pytest.mark.parametrize(("claim", "suppose"), UNPROVABLE)
def test_what_does_not_hold_in_general_is_not_proved(claim: str, suppose: str) -> None:
    goal, ctx = read(claim, suppose)
    assert prove(goal, ctx) is None


def test_equality_follows_from_two_bounds() -> None:
    goal, ctx = read("z[t] = 0", f"{NOT_NEGATIVE}; sum(j = 1..n, z[j]) = 1; z[i] = 1; t != i")
    theorem = prove(goal, ctx)
    assert theorem is not None
    assert theorem.conclusion == goal


@pytest.mark.parametrize(
    ("claim", "suppose", "reasons"),
    [
        ("exp(x) <= exp(y)", "x <= y", ("order",)),
        ("sum(j = 1..n, z[j]) <= sum(j = 1..n, w[j])", BELOW, ("order",)),
        ("z[t] <= sum(j = 1..n, z[j])", NOT_NEGATIVE, ("part of a sum",)),
        ("x + 1 <= y + 1", "x <= y", ()),
    ],
)
def test_the_reason_of_a_step_is_the_one_that_it_needs(claim: str, suppose: str, reasons: tuple[str, ...]) -> None:
    goal, ctx = read(claim, suppose)
    found = justify(goal, ctx)
    assert found is not None
    assert found.reasons == reasons


@pytest.mark.parametrize(
    ("claim", "suppose", "reason"),
    [
        ("exp(x) <= exp(y)", "x <= y", "part of a sum"),
        ("z[t] <= sum(j = 1..n, z[j])", NOT_NEGATIVE, "order"),
        ("z[t] + z[i] <= sum(j = 1..n, z[j])", f"{NOT_NEGATIVE}; t != i", "order"),
    ],
)
def test_the_other_reason_does_not_prove_it(claim: str, suppose: str, reason: str) -> None:
    goal, ctx = read(claim, suppose)
    assert prove(goal, ctx, ()) is None
    assert prove(goal, ctx, (reason,)) is None
