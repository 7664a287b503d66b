"""What the justifier proves and what it leaves alone; each true identity was worked out by hand."""

from __future__ import annotations

import pytest

from derive.definitions import signatures
from proofs.context import Context
from proofs.justify import justify, prove
from proofs.syntax.derivation import read_derivation
from proofs.terms import Term

DECLARED = """
let n : size
let m : size
let t : index[n]
let i : index[n]
let j : index[m]
let x : real
let y : real
let c : real
let p : positive
let q : positive
let z : real[n]
let w : real[n]
let u : real[m]
let A : real[n, m]
"""


def read(claim: str, suppose: str = "") -> tuple[Term, Context]:
    """The claim as a goal, in the context of the declarations above and of what is supposed."""
    supposed = "".join(f"suppose {s}\n" for s in suppose.split(";") if s.strip())
    left = claim.split("=")[0]
    derivation = read_derivation(f"{DECLARED}{supposed}claim {claim}\nproof\n  {left}\n", signatures())
    return derivation.statement.claim, Context(derivation.statement.assumptions())


TRUE = [
    ("sum(j = 1..n, j) = n*(n + 1)/2", ""),
    ("sum(j = 1..n, j^2) = n*(n + 1)*(2*n + 1)/6", ""),
    ("sum(j = 1..n, z[j + 1] - z[j]) = z[n + 1] - z[1]", ""),
    ("(x - 1)*sum(j = 1..n, x^j) = x^(n + 1) - x", "x != 0"),
    ("sum(a = 1..n, sum(b = 1..m, if(b <= a, A[a,b], 0))) = sum(b = 1..m, sum(a = 1..n, if(b <= a, A[a,b], 0)))", ""),
    ("softmax(z - c)[i] = softmax(z)[i]", ""),
    ("softmax(z - max(j = 1..n, z[j]))[i] = softmax(z)[i]", ""),
    ("sum(j = 1..n, softmax(z)[j]) = 1", ""),
    ("ln(sum(j = 1..n, exp(z[j] + c))) = c + ln(sum(j = 1..n, exp(z[j])))", ""),
    ("sum(j = 1..n, z[j]) = sum(j = 1..t, z[j]) + sum(j = t + 1..n, z[j])", ""),
    ("sum(j = 1..n, z[j]) = z[1] + sum(j = 2..n, z[j])", ""),
    ("sum(j = 1..n, z[j]) = z[n] + sum(j = 1..n - 1, z[j])", ""),
    ("sum(j = 2..n + 1, z[j - 1]) = sum(j = 1..n, z[j])", ""),
    ("sum(j = 0..n - 1, z[j + 1]) = sum(j = 1..n, z[j])", ""),
    ("sum(j = 1..n, if(j <= t, z[j], 0)) = sum(j = 1..t, z[j])", ""),
    ("sum(j = 1..n, if(j = t, z[j], 0)) = z[t]", ""),
    ("sum(j = 1..n, if(j != t, z[j], 0)) = sum(j = 1..n, z[j]) - z[t]", ""),
    ("sum(a = 1..n, sum(b = 1..m, A[a,b])) = sum(b = 1..m, sum(a = 1..n, A[a,b]))", ""),
    ("sum(a = 1..n, z[a]*sum(b = 1..m, A[a,b]*u[b])) = sum(b = 1..m, u[b]*sum(a = 1..n, z[a]*A[a,b]))", ""),
    ("sum(a = 1..n, z[a])*sum(b = 1..m, u[b]) = sum(a = 1..n, sum(b = 1..m, z[a]*u[b]))", ""),
    ("sum(j = 1..n, exp(z[j])/(1 + exp(z[j]))) = n - sum(j = 1..n, 1/(1 + exp(z[j])))", ""),
    ("sum(j = 1..n, z[j] + w[j]) = sum(j = 1..n, z[j]) + sum(k = 1..n, w[k])", ""),
    ("sum(j = 1..n, c) = n*c", ""),
    ("sum(j = 1..3, j) = 6", ""),
    ("exp(x + y) = exp(x)*exp(y)", ""),
    ("exp(x) = exp(x/2)*exp(x/2)", ""),
    ("exp(x)/exp(y) = exp(x - y)", ""),
    ("exp(x)/(exp(x) + exp(y)) = 1/(1 + exp(y - x))", ""),
    ("exp(ln(p) + x) = p*exp(x)", ""),
    ("ln(p*q) = ln(p) + ln(q)", ""),
    ("ln(p/q) = ln(p) - ln(q)", ""),
    ("ln(p^3) = 3*ln(p)", ""),
    ("sqrt(p)*sqrt(q) = sqrt(p*q)", ""),
    ("sqrt(x^2) = x", "0 <= x"),
    ("sqrt(n)*sqrt(n) = n", ""),
    ("1/sqrt(n) = sqrt(n)/n", ""),
    ("x*y/x = y", "x != 0"),
    ("(x^2 - 1)/(x - 1) = x + 1", "x != 1"),
    ("(x^2 - y^2)/(x - y) = x + y", "x != y"),
    ("x*c = y*c", "x = y"),
    ("x^2 = 4", "x*y = 4; x = y"),
    ("x + c = y + 2*c", "x = y + c"),
    ("max(x, y) = max(y, x)", ""),
    ("max(x, y) = y", "x <= y"),
    ("2^(n + 1) = 2*2^n", ""),
    ("(x*y)^3 = x^3*y^3", ""),
    ("(1 - x^3) = (1 - x)*(1 + x + x^2)", ""),
    ("if(t <= n, x, y) = x", ""),
    ("sum(j = 1..n, exp(z[j] - c)) = exp(-c)*sum(j = 1..n, exp(z[j]))", ""),
]

FALSE = [
    ("sum(j = 1..n, j) = n*(n - 1)/2", ""),
    ("sum(j = 1..n, j^2) = n*(n + 1)*(2*n + 1)/3", ""),
    ("sum(j = 1..n, z[j + 1] - z[j]) = z[n] - z[1]", ""),
    ("exp(x + y) = exp(x) + exp(y)", ""),
    ("exp(x/2) = exp(x)", ""),
    ("x*y/x = y", ""),
    ("sqrt(x^2) = x", ""),
    ("ln(x*y) = ln(x) + ln(y)", ""),
    ("(x^2 - 1)/(x - 1) = x + 1", ""),
    ("sum(j = 1..n, z[j]*z[i]) = sum(j = 1..n, z[j]*z[j])", ""),
    ("sum(j = 1..n, z[j]) = sum(j = 1..t, z[j]) + sum(j = t..n, z[j])", ""),
    ("sum(j = 1..n, if(j < t, z[j], 0)) = sum(j = 1..t, z[j])", ""),
    ("sum(j = 1..n, z[j]*w[j]) = sum(j = 1..n, z[j])*sum(j = 1..n, w[j])", ""),
    ("sum(j = 1..n, z[j]/w[j]) = sum(j = 1..n, z[j])/sum(j = 1..n, w[j])", ""),
    ("ln(sum(j = 1..n, exp(z[j] + c))) = ln(sum(j = 1..n, exp(z[j])))", ""),
    ("softmax(2*z)[i] = softmax(z)[i]", ""),
    ("softmax(z)[i] = exp(z[i])", ""),
    ("x/(x + y) = 1/(1 + y)", "x != 0; y != 0"),
    ("x^2 = x", ""),
    ("1/(1/x) = x", ""),
    ("x/x = 1", ""),
    ("0/x = x", ""),
    ("max(x, y) = x", ""),
    ("2^99 + x = 2^98 + x", ""),
    ("sum(j = 1..n - 1, z[j]) + z[n] = sum(j = 1..n - 2, z[j]) + z[n]", ""),
    ("A[i,j] = A[j,i]", "n = m"),
]


@pytest.mark.parametrize(("claim", "suppose"), TRUE)
def test_true_identities_are_proved_from_what_was_declared(claim: str, suppose: str) -> None:
    goal, ctx = read(claim, suppose)
    theorem = prove(goal, ctx)
    assert theorem is not None
    assert theorem.conclusion == goal
    assert theorem.hypotheses <= set(ctx.assumptions)


@pytest.mark.parametrize(("claim", "suppose"), FALSE)
def test_what_is_false_or_lacks_its_condition_is_not_proved(claim: str, suppose: str) -> None:
    goal, ctx = read(claim, suppose)
    assert prove(goal, ctx) is None


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        ("exp(z[i] - c) = exp(z[i])*exp(-c)", {"exp of a sum"}),
        ("sum(j = 1..n, exp(z[j])*exp(-c)) = exp(-c)*sum(k = 1..n, exp(z[k]))", {"constant factor"}),
        ("exp(x)*exp(-c)/(exp(-c)*exp(y)) = exp(x)/exp(y)", {"cancel"}),
        ("softmax(z)[i] = exp(z[i])/sum(j = 1..n, exp(z[j]))", {"definition"}),
        ("x*(y + c) = x*y + x*c", set()),
        ("sum(j = 2..n + 1, z[j - 1]) = sum(j = 1..n, z[j])", {"shift the index"}),
        ("sum(j = 1..n, c) = n*c", {"constant sum"}),
        ("ln(p*q) = ln(p) + ln(q)", {"logarithm"}),
        ("sum(j = 1..n, j) = n*(n + 1)/2", {"induction"}),
    ],
)
def test_a_step_names_exactly_the_reasons_that_it_needs(claim: str, reasons: set[str]) -> None:
    goal, ctx = read(claim)
    found = justify(goal, ctx)
    assert found is not None
    assert set(found.reasons) == reasons
