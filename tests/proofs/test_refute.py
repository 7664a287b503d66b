"""Counter-examples: truths have none, slips have small ones, and each is checked again by another evaluator."""

from __future__ import annotations

from fractions import Fraction

import pytest

from derive.definitions import signatures
from proofs.evaluate import Tensor, prepare
from proofs.refute import Agreement, Budget, CounterExample, agree, refute, satisfiable
from proofs.statement import Declaration, Statement
from proofs.syntax.derivation import read_derivation
from proofs.terms import entry, forall, free_variables, num, relation, var
from tests.proofs.independent import CONTEXT, evaluated, number


def statement(text: str) -> Statement:
    """A statement from one line: declarations and hypotheses, then the claim, with semicolons between."""
    *given, claim = [part.strip() for part in text.split(";")]
    lines = [part if part.startswith("suppose") else f"let {part}" for part in given]
    return read_derivation("\n".join([*lines, f"claim {claim}", "proof", "  0"]), signatures()).statement


def refuted(text: str) -> CounterExample | None:
    s = statement(text)
    return refute(s.declarations, s.hypotheses, s.claim)


def shown(text: str) -> tuple[dict[str, object], CounterExample]:
    found = refuted(text)
    assert found is not None
    return {a.name: a.value for a in found.assignments}, found


TRUTHS = """
n:size; z:real[n]; c:real; i:index[n]; softmax(z - c)[i] = softmax(z)[i]
n:size; z:real[n]; c:real; softmax(z - c) = softmax(z)
n:size; z:real[n]; sum(i=1..n, softmax(z)[i]) = 1
n:size; x:real[n]; b:real; ln(sum(j=1..n, exp(x[j]+b))) = b + ln(sum(j=1..n, exp(x[j])))
T:size; h:size; d_v:size; d:size; t:index[T]; m:index[d]; A:real[h,T,d_v]; B:real[h,T,d_v]; W:real[h,d_v,d]; b:real[d]; suppose A[i, t, k] = B[i, t, k] for all i : index[h], k : index[d_v]; sum(i = 1..h, sum(k = 1..d_v, A[i,t,k]*W[i,k,m])) + b[m] = sum(i = 1..h, sum(k = 1..d_v, B[i,t,k]*W[i,k,m])) + b[m]
d:size; h:size; k:size; suppose d = h*k; 4*d^2 = 4*d*h*k
n:size; t:index[n]; z:real[n]; sum(j=1..n,z[j]) = sum(j=1..t,z[j]) + sum(j=t+1..n,z[j])
n:size; m:size; A:real[n,m]; sum(i=1..n, sum(j=1..m, A[i,j])) = sum(j=1..m, sum(i=1..n, A[i,j]))
x:real; y:real; suppose x != 0; (x*y)/x = y
x:real; y:real; (x*y)/x = y
T:size; d:size; t:index[T]; s:index[T]; Q:real[T,d]; K:real[T,d]; sum(s=1..T, weights(Q,K)[t,s]) = 1
T:size; d:size; w:size; t:index[T]; m:index[w]; Q:real[T,d]; K:real[T,d]; V:real[T,w]; head(Q,K,V)[t,m] = sum(s=1..t, exp(sum(k=1..d,Q[t,k]*K[s,k])/sqrt(d))*V[s,m])/sum(s=1..t, exp(sum(k=1..d,Q[t,k]*K[s,k])/sqrt(d)))
x:real; y:real; suppose x < y; exp(x) < exp(y)
n:size; z:real[n]; i:index[n]; z[i] <= max(j=1..n, z[j])
n:size; z:real[n]; c:real; i:index[n]; softmax(z + c)[i] = softmax(z)[i]
n:size; z:real[n]; i:index[n]; softmax(z)[i] = 1/sum(j=1..n, exp(z[j] - z[i]))
n:size; z:real[n]; i:index[n]; softmax(z - max(j=1..n, z[j]))[i] = softmax(z)[i]
n:size; x:real[n]; ln(sum(j=1..n, exp(x[j]))) = max(j=1..n,x[j]) + ln(sum(j=1..n, exp(x[j] - max(k=1..n,x[k]))))
n:size; x:real[n]; max(j=1..n,x[j]) <= ln(sum(j=1..n, exp(x[j])))
n:size; x:real[n]; ln(sum(j=1..n, exp(x[j]))) <= max(j=1..n,x[j]) + ln(n)
n:size; z:real[n]; i:index[n]; 0 < softmax(z)[i]
n:size; z:real[n]; i:index[n]; softmax(z)[i] <= 1
x:real; y:real; exp(x+y) = exp(x)*exp(y)
x:positive; y:positive; ln(x*y) = ln(x) + ln(y)
x:real; suppose x != 0; ln(x^2) = 2*ln(max(x,-x))
x:real; sqrt(x^2) = max(x,-x)
x:real; suppose 0 <= x; sqrt(x)^2 = x
x:real; sqrt(x)^2 = x
x:real; x/x = 1
x:real; x^0 = 1
x:real; y:real; (x-y)*(x+y) = x^2 - y^2
x:real; y:real; suppose x != y; (x^2-y^2)/(x-y) = x + y
x:real; y:real; 2*x*y <= x^2 + y^2
x:real; 1 + x <= exp(x)
x:positive; ln(x) <= x - 1
n:size; sum(j=1..n, j) = n*(n+1)/2
n:size; sum(j=1..n, 2*j-1) = n^2
n:size; c:real; x:real[n]; sum(j=1..n, c*x[j]) = c*sum(j=1..n,x[j])
n:size; t:index[n]; z:real[n]; sum(j=1..n, if(j<=t, z[j], 0)) = sum(j=1..t, z[j])
n:size; t:index[n]; z:real[n]; sum(j=1..n, if(j != t, z[j], 0)) = sum(j=1..n, z[j]) - z[t]
n:size; z:real[n]; sum(j=1..n, z[j]) = sum(j=0..n-1, z[j+1])
n:size; z:real[n]; sum(j=1..n, z[j]) = sum(j=1..n, z[n+1-j])
n:size; A:real[n,n]; sum(i=1..n, sum(j=1..i, A[i,j])) = sum(j=1..n, sum(i=j..n, A[i,j]))
n:size; a:real[n]; b:real[n]; sum(i=1..n, a[i])*sum(j=1..n, b[j]) = sum(i=1..n, sum(j=1..n, a[i]*b[j]))
d:size; h:size; k:size; suppose h*k = d; 3*d*h*k + h*k*d + 4*d = 4*d^2 + 4*h*k
n:size; A:real[n]; B:real[n]; t:index[n]; suppose A[s] = B[s] for all s:index[t]; sum(j=1..t, exp(A[j])) = sum(j=1..t, exp(B[j]))
n:size; A:real[n]; B:real[n]; suppose A = B; sum(j=1..n, A[j]) = sum(j=1..n, B[j])
n:size; z:real[n]; w:real[n]; c:real; suppose w = z + c; softmax(w) = softmax(z)
n:size; z:real[n]; s:real; i:index[n]; suppose s = sum(j=1..n, exp(z[j])); softmax(z)[i] = exp(z[i])/s
x:real; y:real; suppose exp(x) = y; ln(y) = x
x:real; suppose x^2 = 2; suppose 0 < x; x = sqrt(2)
x:real; y:real; suppose x = y + 1; x^2 - y^2 = 2*y + 1
x:real; y:real; z:real; suppose x <= y; suppose y <= z; x <= z
n:size; p:real[n]; suppose 0 <= p[j] for all j:index[n]; suppose sum(j=1..n,p[j]) = 1; p[1] <= 1
n:size; z:real[n]; suppose z[i] <= z[i+1] for all i:index[n-1]; z[1] <= z[n]
T:size; d:size; Q:real[T,d]; K:real[T,d]; t:index[T]; s:index[T]; suppose t < s; weights(Q,K)[t,s] = 0
T:size; d:size; w:size; Q:real[T,d]; K:real[T,d]; V:real[T,w]; U:real[T,w]; t:index[T]; m:index[w]; suppose V[s,c] = U[s,c] for all s:index[t], c:index[w]; head(Q,K,V)[t,m] = head(Q,K,U)[t,m]
"""  # noqa: E501

SLIPS = """
x:real; sqrt(x^2) = x
a:real; b:real; exp(a+b) = exp(a)+exp(b)
n:size; z:real[n]; i:index[n]; sum(j=1..n, z[j]*z[i]) = sum(j=1..n, z[j]*z[j])
n:size; z:real[n]; c:real; i:index[n]; exp(-c)*exp(z[i])/(exp(-c)*sum(j=1..n, exp(z[j]))) = exp(-c)*exp(z[i])/sum(j=1..n, exp(z[j]))
n:size; x:real[n]; b:real; ln(exp(b)*sum(j = 1..n, exp(x[j]))) = ln(sum(j = 1..n, exp(x[j])))
n:size; z:real[n]; c:real; i:index[n]; exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c)) = (exp(z[i]) - exp(c)) / sum(j = 1..n, exp(z[j]) - exp(c))
n:size; x:real[n]; y:real[n]; sum(j=1..n, x[j]/y[j]) = sum(j=1..n,x[j])/sum(j=1..n,y[j])
d:size; h:size; k:size; suppose d = h*k; d*d = h*k*k
d:size; h:size; k:size; suppose h*k = d; 4*d^2 + d = 4*d^2
x:real; y:real; suppose x = y + 1; x^2 = y^2
x:real; suppose x < 0; sqrt(x^2) = x
x:real; suppose 0 < x; x <= x^2
x:real; x != 3
x:real; x^2 != 2
x:real; y:real; suppose x <= y; x < y
x:real; y:real; suppose x < y; x^2 < y^2
x:real; x^2 <= 100
n:integer; 2^99*n = 2^98*n
x:real; x*(1 + 10^-30) = x
x:real; exp(x) = exp(x + 10^-30)
x:real; exp(x)*10^16 + 1 = exp(x)*10^16
n:size; sum(j=1..n, j) = n*(n-1)/2
n:size; t:index[n]; z:real[n]; sum(j=1..n,z[j]) = sum(j=1..t,z[j]) + sum(j=t..n,z[j])
n:size; w:real[n]; x:real[n]; suppose sum(j=1..n,w[j]) = 1; sum(j=1..n, w[j]*x[j]) = sum(j=1..n,x[j])
T:size; h:size; d_v:size; d:size; t:index[T]; m:index[d]; A:real[h,T,d_v]; B:real[h,T,d_v]; W:real[h,d_v,d]; s:index[T]; suppose A[i, t, k] = B[i, t, k] for all i : index[h], k : index[d_v]; sum(i = 1..h, sum(k = 1..d_v, A[i,s,k]*W[i,k,m])) = sum(i = 1..h, sum(k = 1..d_v, B[i,s,k]*W[i,k,m]))
n:size; z:real[n]; c:real; softmax(z*c) = softmax(z)
n:size; z:real[n]; s:real; suppose s = sum(j=1..n, exp(z[j])); ln(s) = sum(j=1..n, z[j])
n:size; m:size; A:real[n,m]; sum(i=1..n, sum(j=1..m, A[i,j])) = sum(i=1..n, sum(j=1..i, A[i,j]))
x:real; y:real; suppose x + y = 3; suppose x - y = 1; x*y = 3
x:positive; ln(x^2) = ln(x)^2
x:real; y:real; suppose x != 0; suppose y != 0; 1/(x+y) = 1/x + 1/y
x:real; y:real; max(x,y) = x
n:size; z:real[n]; max(j=1..n,z[j]) = z[1]
n:size; n != 7
n:size; k:size; suppose 12 <= n; suppose n = 2*k; k <= 7
n:size; z:real[n]; t:index[n]; sum(j=1..n, if(j <= t, z[j], 0)) = sum(j=1..t-1, z[j])
x:real; y:real; ln(x+y) = ln(x)+ln(y)
x:real; y:real; sqrt(x+y) = sqrt(x)+sqrt(y)
x:real; y:real; (x+y)^2 = x^2+y^2
x:real; y:real; exp(x*y) = exp(x)*exp(y)
x:real; exp(-x) = -exp(x)
x:real; ln(exp(x)+1) = x + ln(1)
n:size; x:real[n]; y:real[n]; sum(j=1..n, x[j]*y[j]) = sum(j=1..n, x[j])*sum(j=1..n,y[j])
n:size; x:real[n]; sum(j=1..n, x[j]^2) = sum(j=1..n,x[j])^2
n:size; c:real; sum(j=1..n, c) = c
n:size; c:real; x:real[n]; sum(j=1..n, c + x[j]) = c + sum(j=1..n, x[j])
n:size; sum(j=1..n, 1) = n + 1
n:size; sum(j=0..n, 1) = n
n:size; m:integer; sum(j=m..n, 1) = n - m + 1
n:size; z:real[n]; sum(j=1..n, z[j]) = sum(j=1..n-1, z[j])
n:size; z:real[n]; sum(j=1..n, z[j]) = z[1] + sum(j=2..n-1, z[j])
n:size; z:real[n]; i:index[n]; softmax(z)[i] = exp(z[i])/sum(j=1..n, z[j])
n:size; z:real[n]; i:index[n]; softmax(z)[i] = z[i]/sum(j=1..n, z[j])
n:size; z:real[n]; c:real; i:index[n]; softmax(z - c)[i] = softmax(z)[i] - c
n:size; z:real[n]; c:real; i:index[n]; softmax(z - c)[i] = exp(-c)*softmax(z)[i]
n:size; z:real[n]; i:index[n]; softmax(2*z)[i] = softmax(z)[i]^2
n:size; z:real[n]; i:index[n]; softmax(z)[i] = 1/n
n:size; z:real[n]; i:index[n]; k:index[n]; softmax(z)[i] = softmax(z)[k]
n:size; z:real[n]; i:index[n]; softmax(z)[i] < 1/2
n:size; z:real[n]; i:index[n]; softmax(z)[i] < 1
n:size; x:real[n]; ln(sum(j=1..n, exp(x[j]))) = sum(j=1..n, ln(exp(x[j])))
n:size; x:real[n]; ln(sum(j=1..n, exp(x[j]))) <= max(j=1..n, x[j])
n:size; x:real[n]; max(j=1..n, x[j]) < ln(sum(j=1..n, exp(x[j])))
n:size; x:real[n]; y:real[n]; max(j=1..n, x[j]+y[j]) = max(j=1..n,x[j]) + max(j=1..n,y[j])
n:size; x:real[n]; c:real; max(j=1..n, c*x[j]) = c*max(j=1..n,x[j])
x:real; y:real; max(x,y)^2 = max(x^2,y^2)
d:size; h:size; k:size; suppose d = h*k; 4*d^2 = 4*d*k
d:size; h:size; k:size; suppose d = h*k; d/h = h
d:size; h:size; k:size; 4*d^2 = 3*d*h*k + h*k*d
d:size; h:size; k:size; suppose h*k = d; 3*d*h*k + h*k = 4*d^2
d:size; h:size; suppose h <= d; d = h
d:size; h:size; k:size; suppose d = h*k; suppose h < d; k = 2
x:real; x/x = 1/1 + x - x + 0*x + 1
x:real; y:real; x/y + y/x = (x+y)/(x*y)
x:real; y:real; z:real; x/(y+z) = x/y + x/z
x:real; 1/(1/x) = 1/x
x:real; x^3 = x^2
x:real; (x^2)^3 = x^5
x:real; n:integer; x^n*x^2 = x^(2*n)
x:real; suppose 1 < x; x^2 = x
x:real; suppose -1 < x; suppose x < 1; x = 0
x:real; suppose 5 <= x; suppose x <= 7; x = 6
x:real; y:real; suppose x^2 = y^2; x = y
x:real; suppose exp(x) = 2; x = 1
x:real; suppose x^2 = 2; x = sqrt(2) + 1
x:real; y:real; suppose exp(x) = y; y = x + 1
n:size; p:real[n]; suppose 0 < p[j] for all j:index[n]; suppose sum(j=1..n,p[j]) = 1; p[1] = 1/n
n:size; p:real[n]; suppose 0 <= p[j] for all j:index[n]; suppose sum(j=1..n,p[j]) = 1; sum(j=1..n, p[j]^2) = 1
n:size; A:real[n]; B:real[n]; t:index[n]; suppose A[s] = B[s] for all s:index[t]; sum(j=1..n, A[j]) = sum(j=1..n, B[j])
n:size; A:real[n]; B:real[n]; t:index[n]; suppose A[s] = B[s] for all s:index[t]; sum(j=1..t+1, A[j]) = sum(j=1..t+1, B[j])
n:size; A:real[n]; B:real[n]; suppose A[s] = 2*B[s] for all s:index[n]; sum(j=1..n, A[j]) = sum(j=1..n, B[j])
T:size; d:size; Q:real[T,d]; K:real[T,d]; t:index[T]; s:index[T]; weights(Q,K)[t,s] = weights(K,Q)[t,s]
T:size; d:size; Q:real[T,d]; K:real[T,d]; t:index[T]; s:index[T]; weights(Q,K)[t,s] = exp(sum(k=1..d,Q[t,k]*K[s,k])/sqrt(d))/sum(r=1..T, exp(sum(k=1..d,Q[t,k]*K[r,k])/sqrt(d)))
T:size; d:size; Q:real[T,d]; K:real[T,d]; t:index[T]; s:index[T]; 0 < weights(Q,K)[t,s]
T:size; d:size; w:size; Q:real[T,d]; K:real[T,d]; V:real[T,w]; U:real[T,w]; t:index[T]; m:index[w]; suppose V[s,c] = U[s,c] for all s:index[t-1], c:index[w]; head(Q,K,V)[t,m] = head(Q,K,U)[t,m]
n:size; z:real[n]; a:integer; b:integer; sum(j=a..b, 1) = b - a + 1
n:size; m:size; A:real[n,m]; x:real[m]; i:index[n]; sum(j=1..m, A[i,j]*x[j]) = sum(j=1..m, A[i,j])*x[i]
n:size; A:real[n,n]; sum(i=1..n, sum(j=1..n, A[i,j])) = sum(i=1..n, A[i,i])
n:size; A:real[n,n]; sum(i=1..n, sum(j=1..i, A[i,j])) = sum(j=1..n, sum(i=1..j, A[i,j]))
n:size; z:real[n]; t:index[n]; sum(j=1..n, if(j < t, z[j], 0)) = sum(j=1..t, z[j])
x:real; y:real; suppose x < y; 1/y < 1/x
x:real; y:real; c:real; suppose x <= y; c*x <= c*y
x:positive; ln(x) < x - 1
x:real; exp(x) <= 1 + x + x^2
x:real; 1 + x < exp(x)
x:real; x <= 10^6
x:real; y:real; x*y != 5
n:size; n^2 <= 2^n
n:size; 2^n <= 100*n
x:real; suppose 0 <= x; sqrt(x) <= x
"""  # noqa: E501


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


PATIENT = Budget(seconds=60)
"""So that how busy the machine is decides nothing."""


@pytest.mark.parametrize("text", lines(TRUTHS))
def test_truths_are_not_refuted_and_agree(text: str) -> None:
    s = statement(text)
    assert refute(s.declarations, s.hypotheses, s.claim) is None
    agreement = agree(s, s.claim, 24)
    assert 1 <= agreement.tried == agreement.held + agreement.undecided
    assert agreement.held >= 1


@pytest.mark.parametrize("text", lines(SLIPS))
def test_slips_are_refuted_and_another_evaluator_agrees(text: str) -> None:
    s = statement(text)
    found = refute(s.declarations, s.hypotheses, s.claim, budget=PATIENT)
    assert found is not None
    for p in s.assumptions():
        if p.args[0].rank or not free_variables(p) <= found.model.values.keys():
            continue  # tensors identified as a whole, and declarations that nothing depends on
        assert evaluated(p, found.model)
    claim = s.claim
    if claim.args[0].rank:
        claim = relation("eq", *(entry(side, *map(num, found.at)) for side in claim.args))
    assert not evaluated(claim, found.model)
    for side, text_or_number in zip(claim.args, (found.left, found.right), strict=True):
        want = evaluated(side, found.model)
        got = number(Fraction(text_or_number))
        assert abs(want - got) <= abs(want) * CONTEXT.mpf(10) ** -5 + CONTEXT.mpf(10) ** -30


@pytest.mark.parametrize(
    ("text", "values", "left", "right"),
    [
        ("x:real; sqrt(x^2) = x", {"x": -1}, 1, -1),
        ("x:real; suppose 0 < x; x <= x^2", {"x": Fraction(1, 2)}, Fraction(1, 2), Fraction(1, 4)),
        ("d:size; h:size; k:size; suppose d = h*k; 4*d^2 = 4*d*k", {"d": 2, "h": 2, "k": 1}, 16, 8),
        ("d:size; h:size; k:size; suppose h*k = d; d = h", {"d": 2, "h": 1, "k": 2}, 2, 1),
        ("x:real; y:real; suppose x = y + 1; x^2 = y^2", {"x": 1, "y": 0}, 1, 0),
        ("n:integer; 2^99*n = 2^98*n", {"n": 1}, 2**99, 2**98),
        ("x:real; 10^16 + 1 = 10^16", {}, 10**16 + 1, 10**16),
        ("n:size; n^2 <= 2^n", {"n": 3}, 9, 8),
        ("n:size; n != 7", {"n": 7}, 7, 7),
        ("n:size; k:size; suppose n = 12*k; n <= 12", {"n": 24, "k": 2}, 24, 12),
        ("n:size; n^4 + 35*n^2 + 24 = 10*n^3 + 50*n", {"n": 5}, 1524, 1500),
    ],
)
def test_counter_examples_are_small(text: str, values: dict[str, object], left: object, right: object) -> None:
    assignments, found = shown(text)
    assert (assignments, found.left, found.right) == (values, left, right)


def test_values_are_shown_with_enough_digits_to_differ() -> None:
    _, found = shown("x:real; exp(x) = exp(x + 10^-30)")
    assert found.left == 1
    assert str(found.right).startswith("1.000000000000000000000000000001")


def test_differences_far_below_floating_point_are_seen() -> None:
    for text in ("x:real; x + 10^-30 = x", "x:real; exp(x)*(1 + 10^-60) = exp(x)", "x:real; ln(2) + 10^-300 = ln(2)"):
        assert refuted(text) is not None


def test_what_is_too_large_to_be_written_out_is_shown_as_a_power_of_ten() -> None:
    _, found = shown("x:real; 2^(10^8) + x = x")
    assert found.left == "3.68467e30102999"
    _, found = shown("x:real; exp(-10^7 - x)/3 = exp(-10^7 - x)/2")
    assert (found.left, found.right) == ("5.05646e-4342946", "7.58468e-4342946")
    _, found = shown("x:real; exp(10^8 + x) = exp(10^8 + x) * (1 + 10^(-12))")
    assert found.left != found.right


def test_the_smallest_part_that_differs_is_named() -> None:
    _, found = shown(
        "n:size; z:real[n]; c:real; i:index[n]; exp(-c)*exp(z[i]) / (exp(-c)*sum(j = 1..n, exp(z[j])))"
        " = exp(-c)*exp(z[i]) / sum(j = 1..n, exp(z[j]))"
    )
    assert found.part.path == (1,)
    assert found.part.left.op == "mul"
    assert found.part.right.op == "sum"
    assert (found.left, found.right, found.part.left_value, found.part.right_value) == (1, "0.367879", "0.367879", 1)


def test_the_smallest_part_under_a_sum_has_its_index_put_in() -> None:
    _, found = shown("n:size; z:real[n]; i:index[n]; sum(j = 1..n, z[j]*z[i]) = sum(j = 1..n, z[j]*z[j])")
    z, i = var("z", "real", 1), var("i", "integer")
    assert (found.part.path, found.part.indices) == ((2, 1), (2,))
    assert (found.part.left, found.part.right) == (entry(z, i), entry(z, num(2)))
    assert (found.part.left_value, found.part.right_value) == (0, 1)


def test_sides_of_different_shape_differ_as_a_whole() -> None:
    _, found = shown("a:real; b:real; exp(a + b) = exp(a) + exp(b)")
    assert found.part.path == ()


def test_equal_tensors_differ_at_an_entry() -> None:
    _, found = shown("n:size; z:real[n]; softmax(2*z) = softmax(z)")
    assert len(found.at) == 1


def test_a_bounded_for_all_is_refuted_at_an_instance() -> None:
    n, j, z = var("n", "integer"), var("j", "integer"), var("z", "real", 1)
    declarations = [Declaration(n, "size"), Declaration(z, "real", None, (n,))]
    found = refute(declarations, [], forall(j, num(1), n, relation("le", entry(z, j), num(10))))
    assert found is not None
    assert isinstance(found.left, int | Fraction)
    assert found.left > 10
    assert len(found.at) == 1


def test_irrelevant_declarations_are_left_out_and_ranges_are_kept() -> None:
    assignments, _ = shown("T:size; w:size; t:index[T]; q:real[w]; x:real; x + t = t")
    assert list(assignments) == ["T", "t", "x"]


def test_tensors_are_shown_by_rows() -> None:
    assignments, _ = shown("n:size; A:real[n,2]; sum(i = 1..n, A[i,1] + A[i,2]) = A[1,1]")
    assert assignments["A"] == ((0, 1),)


@pytest.mark.parametrize(
    "text",
    [
        "x:real; 1/(x - x) = 2",
        "x:real; ln(0*x) = 1",
        "x:real; sqrt(-1 - x^2) = 1",
        "n:size; z:real[n]; max(j = 2..1, z[j]) = z[1]",
        "x:real; 0/(exp(x)*exp(-x) - 1) = 5",
        "x:real; y:real; suppose x < y; suppose y < x; x = x + 1",
        "x:real; suppose 1/(x - x) = 1; x = x + 1",
        "x:real; suppose ln(-1) = 0; x = x + 1",
        "n:size; suppose n < 1; n = n + 1",
        "n:size; A:real[n]; B:real[n]; suppose A = B; suppose A[1] = B[1] + 1; n = 0",
    ],
)
def test_nothing_is_refuted_where_there_is_no_value_or_no_model(text: str) -> None:
    assert refuted(text) is None


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("x:real; y:real; suppose x < y; suppose y < x; x = y", False),
        ("d:size; h:size; k:size; suppose d = h*k; suppose d = 6; suppose h = 4; d = d", False),
        ("d:size; h:size; k:size; suppose d = h*k; suppose d = 6; suppose h = 2; d = d", True),
        ("x:real; y:real; suppose x + y = 3; suppose x - y = 1; x = x", True),
        ("n:size; p:real[n]; suppose 0 < p[j] for all j:index[n]; suppose sum(j = 1..n, p[j]) = 1; n = n", True),
        ("n:size; z:real[n]; suppose z[i] < z[i+1] for all i:index[n-1]; suppose 3 <= n; n = n", True),
        ("n:size; z:real[n]; i:index[n]; suppose softmax(z)[i] = 1/3; n = n", True),
    ],
)
def test_models_of_hypotheses(text: str, possible: bool) -> None:
    s = statement(text)
    model = satisfiable(s.declarations, s.hypotheses)
    assert (model is not None) == possible
    if model is not None:
        for p in s.assumptions():
            assert prepare(p).truth(model, 128) is not False
            assert evaluated(p, model)


def test_agreeing_counts_models() -> None:
    s = statement("n:size; z:real[n]; c:real; i:index[n]; softmax(z - c)[i] = softmax(z)[i]")
    assert agree(s, s.claim, 24) == Agreement(24, 24, 0, 5, "")


HOSTILE = """
x:real; 10^(10^10)*x = x
n:size; sum(j=1..10^9, j) = n
n:size; sum(j=1..n, sum(i=1..10^6, i)) = n
x:real; exp(10^9) = x
x:real; exp(exp(50)) = exp(exp(50)) + 1
n:size; z:real[n]; suppose n = 10^9; sum(j=1..n, z[j]) = 0
n:size; A:real[n,n,n,n,n,n,n,n]; A[1,1,1,1,1,1,1,1] = A[n,n,n,n,n,n,n,n]
n:integer; i:index[10^12]; z:real[10^12]; z[i] = z[n]
a:integer; b:integer; c:integer; d:integer; e:integer; f:integer; suppose a*b*c*d*e*f = 7919*104729; a = b
x:real; suppose x^5 - x = 1; x = 0
x:real; (1 + x)^(10^6) = x
"""


@pytest.mark.parametrize("text", lines(HOSTILE))
def test_hostile_claims_are_done_with_soon(text: str) -> None:
    refuted(text)


def test_the_same_search_gives_the_same_answer() -> None:
    text = "n:size; z:real[n]; i:index[n]; k:index[n]; softmax(z)[i] = softmax(z)[k]"
    assert refuted(text) == refuted(text)


def test_a_small_budget_is_kept() -> None:
    s = statement("n:size; z:real[n]; c:real; i:index[n]; softmax(z - c)[i] = softmax(z)[i]")
    assert refute(s.declarations, s.hypotheses, s.claim, budget=Budget(models=10)) is None


def test_the_model_of_a_counter_example_is_complete() -> None:
    _, found = shown("n:size; A:real[n]; B:real[n]; suppose A = B; sum(j = 1..n, A[j]) = 2*sum(j = 1..n, B[j])")
    b = found.model.values[var("B", "real", 1)]
    assert isinstance(b, Tensor) or isinstance(found.model.values[var("A", "real", 1)], Tensor)
