"""Traps of SymPy's that a checker must not inherit: what SymPy answers, and how each of our levels refuses it.

Every trap is shown three times: SymPy's own answer, run here; the verdict of `derive verify` or `derive judge`, as a
user gets it; and the kernel's refusal, or the theorem that it makes instead.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy
from sympy.concrete.gosper import gosper_sum
from sympy.matrices.exceptions import ShapeError

from derive import cli
from derive.shapes import Axis, BatchedProduct, ShapeMismatch
from derive.symbolic import to_sympy, to_term
from proofs.calc import ChainError, proved
from proofs.context import Context
from proofs.justify import prove
from proofs.kernel import KernelError, assume, axiom, bound, branch, choose, linear, relate, ring, specialise, under
from proofs.replay import ReplayError, replay
from proofs.statement import Statement
from proofs.syntax.environment import declare
from proofs.terms import (
    Term, TermError, add, div, entry, ln, mul, num, power, relation, sqrt, sub, substitute, total, var, when,
)  # fmt: skip
from tests.proofs.inferences import Inference, by_replay, written
from tests.proofs.truth import tried

AT, J, K, N, T = sympy.symbols("i j k n t", integer=True)
X = sympy.Symbol("x", real=True)
Z = sympy.IndexedBase("z")
ZERO, ONE, TWO, THREE = map(num, range(4))
x, z, w = var("x"), var("z", "real", 1), var("A", "real", 2)
i, j, k, n, t = (var(s, "integer") for s in "ijknt")


def eq(a: Term, b: Term) -> Term:
    return relation("eq", a, b)


def not_proved(claim: Term, *given: Term) -> bool:
    """Whether the search for a proof of a false claim finds none, and small models refute it."""
    return prove(claim, Context(given)) is None and tried(given, claim).false


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["derive", *arguments, "--lang", "en"])
    status = cli.main()
    return status, *capsys.readouterr()


Verify = Callable[..., tuple[str, list[str], str]]
Judge = Callable[..., tuple[str, str]]


@pytest.fixture
def verify(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Verify:
    """`derive verify` of a chain: the verdict on the whole, that on each line, and the last line's message."""

    def verified(header: str, *lines: str) -> tuple[str, list[str], str]:
        said = "".join(f"  = {line}\n" for line in lines[1:])
        file = tmp_path / "derivation.txt"
        file.write_text(f"{header}\nclaim {lines[0]} = {lines[-1]}\nproof\n  {lines[0]}\n{said}", encoding="utf-8")
        status, out, err = run(monkeypatch, capsys, "verify", str(file), "--format", "json")
        if status == 2:
            return "refused", [], err
        report = json.loads(out)
        assert status == (report["verdict"] != "proved")
        return report["verdict"], [line["verdict"] for line in report["lines"]], report["lines"][-1]["message"]

    return verified


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Judge:
    """`derive judge`: the verdict, and why."""

    def judged(expected: str, answer: str, *declared: str) -> tuple[str, str]:
        given = [part for d in declared for part in ("--declare", d)]
        _, out, _ = run(
            monkeypatch, capsys, "judge", f"--expected={expected}", f"--answer={answer}", *given, "--format", "json"
        )
        found = json.loads(out)
        return found["verdict"], found["why"]

    return judged


def test_the_version_of_sympy_is_the_pinned_one() -> None:
    """The answers shown here are those of this version; another one may answer otherwise, and this page is redone."""
    pinned = (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8")
    assert f"sympy=={sympy.__version__}\n" in pinned


# --- substitution that captures a bound index ----------------------------------------------------------------


def test_sympy_captures_a_bound_index() -> None:
    scaled = sympy.Sum(X * AT, (AT, 1, 3))
    assert scaled.subs(X, AT).doit() == 14  # the x put in has become the index: 1 + 4 + 9
    assert scaled.doit().subs(X, AT) == 6 * AT
    assert sympy.Sum(Z[J], (AT, 1, N)).subs(J, AT) == sympy.Sum(Z[AT], (AT, 1, N))


def test_substitution_here_captures_nothing(verify: Verify, judge: Judge) -> None:
    assert verify("let i : integer", "sum(j = 1..3, i*j)", "6*i")[0] == "proved"
    assert verify("let i : integer", "sum(j = 1..3, i*j)", "14")[0] == "refuted"
    header = "let n : size\nlet z : real[n]\nlet j : index[n]"
    assert verify(header, "sum(i = 1..n, z[j])", "sum(i = 1..n, z[i])")[0] == "refuted"
    assert judge("6*i", "sum(j = 1..3, i*j)", "i: integer")[0] == "equivalent"
    assert judge("6*i", "sum(i = 1..3, i*i)", "i: integer")[0] == "wrong"
    scaled = total(i, ONE, THREE, mul(x, i))
    theorem = prove(eq(scaled, mul(num(6), x)), Context(()))
    assert theorem is not None
    put = specialise(theorem, {x: i}).conclusion
    assert put == eq(total(j, ONE, THREE, mul(i, j)), mul(num(6), i))
    assert put.args[0] != total(i, ONE, THREE, mul(i, i))
    assert not_proved(eq(put.args[0], num(14)))
    loose = total(i, ONE, n, entry(z, i)).args[2]  # the body itself, torn out of its sum
    with pytest.raises(TermError, match="can't put"):
        substitute(scaled, {x: loose})
    with pytest.raises(TermError, match="can't put"):
        axiom("sum-factor", {"a": ONE, "b": n, "x": loose, "f": z}, ())


# --- a sum with reversed bounds ------------------------------------------------------------------------------


def test_sympy_gives_a_sum_with_reversed_bounds_a_value_by_karrs_convention() -> None:
    assert sympy.Sum(AT, (AT, 5, 1)).doit() == -9  # minus the sum over 2..4
    assert sympy.Sum(1, (AT, 3, 1)).doit() == -1
    assert sympy.summation(1, (AT, 1, N)).subs(N, -2) == -2


def test_a_sum_with_reversed_bounds_is_empty_here(verify: Verify, judge: Judge) -> None:
    assert verify("let x : real", "sum(i = 5..1, i)", "0")[0] == "proved"
    assert verify("let x : real", "sum(i = 5..1, i)", "-9")[0] == "refuted"
    verdict, _, why = verify("let n : integer", "sum(i = 1..n, 1)", "n")
    assert verdict == "refuted"
    assert "n = -1" in why
    assert verify("let n : size", "sum(i = 1..n, 1)", "n")[0] == "proved"
    assert judge("0", "sum(i = 5..1, i)")[0] == "equivalent"
    assert judge("-9", "sum(i = 5..1, i)")[0] == "wrong"
    five_to_one = {"a": num(5), "b": ONE, "f": z}
    empty = axiom("sum-empty", five_to_one, (linear(relation("lt", ONE, num(5)), (), ()),))
    assert empty.conclusion == eq(total(i, num(5), ONE, entry(z, i)), ZERO)
    found = to_term(sympy.summation(1, (AT, 1, N)), {"n": n})
    assert found == n
    assert not_proved(eq(total(i, ONE, n, ONE), found))
    with pytest.raises(KernelError, match="premise 1"):  # n - 0 is a length only where 1 <= n + 1
        axiom("sum-constant", {"a": ONE, "b": n, "x": ONE}, (assume(relation("le", ONE, num(5))),))
    outside = [linear(relation("le", num(5), add(num(7), ONE)), (), ()), assume(relation("le", num(7), ONE))]
    split = axiom("sum-split", {"a": num(5), "b": ONE, "m": num(7), "f": z}, outside)
    assert split.hypotheses == {relation("le", num(7), ONE)}  # Karr's law for m outside of a..b, from what is false


# --- non-integer bounds --------------------------------------------------------------------------------------


def test_sympy_sums_up_to_a_half() -> None:
    assert sympy.Sum(1, (AT, 1, sympy.Rational(5, 2))).doit() == sympy.Rational(5, 2)
    assert sympy.Sum(AT, (AT, 1, sympy.Rational(5, 2))).doit() == sympy.Rational(35, 8)
    assert sympy.Sum(1, (AT, 1, X)).doit() == X


def test_the_ends_of_a_range_are_integers_here(verify: Verify, judge: Judge) -> None:
    for header, line in (("let x : real", "sum(i = 1..5/2, 1)"), ("let n : real", "sum(i = 1..n, 1)")):
        verdict, _, why = verify(header, line, "5/2")
        assert verdict == "unreadable"
        assert len(why.splitlines()) == 1
        assert "an end of a range must be an integer" in why
    assert judge("5/2", "sum(i=1..5/2,1)")[0] == "unreadable"
    half = num(Fraction(5, 2))
    with pytest.raises(TermError, match="a range takes integers"):
        total(i, ONE, half, ONE)
    law = axiom("sum-constant", {"a": ONE, "b": n, "x": ONE}, (assume(relation("le", ONE, add(n, ONE))),))
    with pytest.raises(TermError, match="does not fit"):
        specialise(law, {n: half})
    with pytest.raises(ReplayError, match="is given for"):
        by_replay(Inference("specialise", (law,), (n, half)))
    lines, (one, two_and_a_half) = written([ONE, half])
    lines.append(json.dumps({"term": len(lines) - 1, "op": "sum", "args": [one, two_and_a_half, one]}))
    with pytest.raises(ReplayError, match="sum is given arguments of the kinds 'iri'"):
        replay(lines)


# --- x/x -----------------------------------------------------------------------------------------------------


def test_sympy_cancels_what_may_be_zero() -> None:
    assert X / X == 1
    assert (X / X).subs(X, 0) == 1
    assert sympy.cancel((X**2 - 1) / (X - 1)) == X + 1
    assert sympy.simplify((X**2 - X) / (X - 1)) == X


def test_nothing_is_cancelled_here_that_may_be_zero(verify: Verify, judge: Judge) -> None:
    verdict, lines, why = verify("let x : real", "x/x", "1")
    assert (verdict, lines) == ("needs", ["needs", "needs"])
    assert "x != 0" in why
    assert verify("let x : real", "(x^2 - 1)/(x - 1)", "x + 1")[0] == "needs"
    assert verify("let x : real\nsuppose x != 0", "x/x", "1")[0] == "proved"
    assert judge("1", "x/x", "x: real")[0] == "wrong"  # it has no value at 0, where the right one has
    assert judge("1", "x/x", "x: positive")[0] == "equivalent"
    assert to_sympy(div(x, x)) == 1  # on the way to SymPy the quotient is lost, and no theorem comes of it
    assert not_proved(eq(div(x, x), to_term(to_sympy(div(x, x)), {})))
    with pytest.raises(KernelError, match="not shown equal"):
        ring(div(x, x), ONE, ())
    given = assume(relation("ne", x, ZERO))
    assert ring(div(x, x), ONE, (given,)).hypotheses == {given.conclusion}
    with pytest.raises(KernelError, match="not shown equal"):
        ring(div(sub(power(x, TWO), ONE), sub(x, ONE)), add(x, ONE), (given,))


# --- 0 times what is not defined -----------------------------------------------------------------------------


def test_sympy_multiplies_what_is_not_defined_by_zero() -> None:
    assert 0 * (1 / X) == 0
    assert (0 * (1 / X)).subs(X, 0) == 0
    assert 0 * sympy.log(X) == 0
    assert sympy.Sum(0 * Z[AT] / (AT - J), (AT, 1, N)).function == 0  # a pole at i = j


def test_zero_times_what_is_not_defined_is_not_proved_here(verify: Verify, judge: Judge) -> None:
    for product, missing in (("0*(1/x)", "x != 0"), ("0*ln(x)", "0 < x"), ("0*sqrt(x)", "0 <= x")):
        verdict, lines, _ = verify("let x : real", product, "0")
        assert (verdict, lines[0]) == ("needs", "needs")
        assert verify(f"let x : real\nsuppose {missing}", product, "0")[0] == "proved"
        assert judge("0", product, "x: real")[0] == "wrong"
    assert judge("0", "0*(1/0)")[0] == "wrong"
    assert verify("let n : size\nlet j : index[n]\nlet z : real[n]", "sum(i = 1..n, 0*z[i]/(i - j))", "0")[0] == "needs"
    # The kernel's 1/0 and ln 0 are some numbers, and 0 times a number is 0. That is no value of 1/0 ...
    for undefined in (div(ONE, x), ln(x), sqrt(x)):
        assert ring(mul(ZERO, undefined), ZERO, ()).hypotheses == frozenset()
    for value in (ZERO, ONE):
        assert prove(eq(div(ONE, ZERO), value), Context(())) is None
        assert prove(relation("ne", div(ONE, ZERO), value), Context(())) is None
    # ... and a chain that people read asks for more.
    statement = Statement((declare("x", "real"),), (), eq(mul(ZERO, div(ONE, x)), ZERO))
    with pytest.raises(ChainError, match="undefined"):
        proved(statement, [(None, statement.claim.args[0], ()), ("eq", ZERO, ())])


# --- 0^0 -----------------------------------------------------------------------------------------------------


def test_sympy_says_that_a_zeroth_power_is_one() -> None:
    assert sympy.S(0) ** 0 == 1
    assert X**0 == 1
    assert (X**0).subs(X, 0) == 1


def test_a_zeroth_power_is_one_here_too(verify: Verify, judge: Judge) -> None:
    assert verify("let x : real", "x^0", "1")[0] == "proved"
    assert verify("let x : real", "0^0", "1")[0] == "proved"
    assert verify("let n : size\nlet r : real", "r^(n - n)", "1")[0] == "proved"
    assert judge("1", "0^0")[0] == "equivalent"
    assert judge("1", "x^0", "x: real")[0] == "equivalent"
    assert ring(power(x, ZERO), ONE, ()).hypotheses == frozenset()


def test_a_negative_power_of_zero_has_no_value(verify: Verify, judge: Judge) -> None:
    verdict, lines, why = verify("let x : real", "x^(-1)*x", "1")
    assert (verdict, lines) == ("needs", ["needs", "needs"])
    assert "x != 0" in why
    assert verify("let x : real\nlet m : integer", "x^m*0", "0")[0] == "needs"
    assert verify("let x : real\nlet m : integer\nsuppose 0 <= m", "x^m*0", "0")[0] == "proved"
    nothing = power(ZERO, num(-1))
    with pytest.raises(KernelError, match="not shown equal"):
        ring(mul(x, power(x, num(-1))), ONE, ())
    for goal in (relation("lt", ZERO, nothing), relation("ne", nothing, ZERO), relation("lt", nothing, TWO)):
        with pytest.raises(KernelError, match="a power of what may be 0"):
            bound(goal, 64)
    for value in (ZERO, ONE):
        assert prove(eq(nothing, value), Context(())) is None
        assert prove(relation("ne", nothing, value), Context(())) is None


# --- the square root of a square -----------------------------------------------------------------------------


def test_sympy_takes_the_root_of_a_square_and_the_square_of_a_root() -> None:
    assert sympy.powdenest(sympy.sqrt(sympy.Symbol("t") ** 2), force=True) == sympy.Symbol("t")
    assert sympy.sqrt(X) ** 2 == X  # of a real x, where the root of a negative one is no real number
    assert sympy.exp(sympy.log(X)) == X
    assert sympy.sqrt(X**2) == sympy.Abs(X)  # right, and only because x was declared real


def test_the_root_of_a_square_is_the_number_here_only_if_it_is_not_negative(verify: Verify, judge: Judge) -> None:
    verdict, _, why = verify("let x : real", "sqrt(x^2)", "x")
    assert verdict == "refuted"
    assert "x = -1" in why
    assert verify("let x : real\nsuppose 0 <= x", "sqrt(x^2)", "x")[0] == "proved"
    assert verify("let x : real", "sqrt(x)^2", "x")[0] == "needs"
    assert verify("let x : real", "exp(ln(x))", "x")[0] == "needs"
    assert judge("x", "sqrt(x^2)", "x: real")[0] == "wrong"
    assert judge("x", "sqrt(x)^2", "x: real")[0] == "wrong"
    assert judge("x", "sqrt(x^2)", "x: positive")[0] == "equivalent"
    assert not_proved(eq(sqrt(mul(x, x)), x))
    assert prove(eq(mul(sqrt(x), sqrt(x)), x), Context(())) is None
    for row in ("root-of-square", "root-squared"):
        with pytest.raises(KernelError, match="1 premises"):
            axiom(row, {"x": x}, ())
        law = axiom(row, {"x": x}, (assume(relation("le", ZERO, x)),))
        assert specialise(law, {x: num(-1)}).hypotheses == {relation("le", ZERO, num(-1))}


# --- a branch of a piecewise that escapes its condition ------------------------------------------------------


def test_sympy_lets_a_branch_escape_its_condition() -> None:
    masked = sympy.Sum(sympy.Piecewise((Z[AT], AT <= T), (0, True)), (AT, 1, N))
    whole, nothing = sympy.Sum(Z[AT], (AT, 1, N)), sympy.Sum(0, (AT, 1, N))
    escaped = sympy.piecewise_fold(masked)  # the condition on the index has left the sum that binds it
    assert escaped == sympy.Piecewise((whole, AT <= T), (nothing, True))
    assert AT in escaped.free_symbols
    assert AT not in masked.free_symbols
    assert escaped.subs({AT: 1, T: 1, N: 2}).doit() == Z[1] + Z[2]
    assert masked.subs({T: 1, N: 2}).doit() == Z[1]
    generic = gosper_sum(X**AT, (AT, 0, N))  # the branch for x != 1, without its condition
    assert not generic.has(sympy.Piecewise)
    assert generic.subs(X, 1) is sympy.nan


MASKED = "let n : size\nlet t : index[n]\nlet s : index[n]\nlet z : real[n]"


def test_a_branch_is_used_here_only_under_its_condition(verify: Verify) -> None:
    line = "sum(i = 1..n, if(i <= t, z[i], 0))"
    assert verify(MASKED, line, "sum(i = 1..t, z[i])")[0] == "proved"
    for wrong in ("sum(i = 1..n, z[i])", "if(s <= t, sum(i = 1..n, z[i]), 0)", "0"):
        assert verify(MASKED, line, wrong)[0] == "refuted"
    verdict, _, why = verify(MASKED, line, "if(i <= t, sum(i = 1..n, z[i]), 0)")
    assert verdict == "unreadable"
    assert "i is not declared" in why
    # what a branch divides by must not be zero under its condition, and only there
    assert verify("let m : integer", "if(m = 0, 1, m/m)", "1")[0] == "proved"
    assert verify("let m : integer", "if(m = 0, m/m, 1)", "1")[0] == "needs"
    assert verify("let x : real\nlet n : size\nsuppose x != 0", "sum(i = 0..n, x^i)", "(1 - x^(n+1))/(1 - x)")[0] in (
        "needs", "unknown")  # fmt: skip
    condition = relation("le", i, t)
    chosen = choose(when(condition, entry(z, i), ZERO), assume(condition))
    assert chosen.hypotheses == {condition}
    masked = total(i, ONE, n, when(condition, entry(z, i), ZERO))
    with pytest.raises(KernelError, match="free in a hypothesis that stays"):
        under(masked, chosen, (i,))
    body = masked.args[2]
    with pytest.raises(KernelError, match="is no closed term"):
        assume(body.args[0])  # the condition itself, torn out of its sum
    assert not_proved(eq(masked, total(i, ONE, n, entry(z, i))), relation("le", ONE, t), relation("le", t, n))
    # what holds under the condition is used in its own branch, and in the other one the condition stays
    chosen = choose(when(condition, x, ZERO), assume(condition))
    same = relate(ring(chosen.conclusion.args[0], chosen.conclusion.args[0], ()), {0: chosen})
    assert branch(when(condition, x, x), same, ring(x, x, ())).hypotheses == frozenset()
    assert branch(when(condition, x, x), ring(x, x, ()), same).hypotheses == {condition}


# --- matrix products that don't fit --------------------------------------------------------------------------


def test_sympy_multiplies_matrices_that_do_not_fit() -> None:
    a, b = sympy.MatrixSymbol("A", N, T), sympy.MatrixSymbol("B", K, N)
    product = a * b  # (n, t) times (k, n): nobody asks whether t = k
    assert product.shape == (N, N)
    assert (a + sympy.MatrixSymbol("C", T, N)).shape == (N, T)
    with pytest.raises(ShapeError):
        product.subs({N: 2, T: 3, K: 4})
    assert sympy.Matrix([1, 2]).dot(sympy.Matrix([[1, 2]])) == 5  # a column with a row


PRODUCT = """let n : size
let m : size
let p : size
let A : real[n, m]
let B : real[p, n]
let i : index[n]
let j : index[n]"""


def test_matrices_that_do_not_fit_are_not_multiplied_here(verify: Verify, judge: Judge) -> None:
    assert verify(PRODUCT, "(A*B)[i,j]", "(A*B)[i,j]")[0] == "unreadable"
    verdict, _, why = verify(PRODUCT, "(A + B)[i,j]", "A[i,j] + B[i,j]")
    assert verdict == "unreadable"
    assert "[n, m]" in why
    assert "[p, n]" in why
    verdict, _, why = verify(PRODUCT, "weights(A, B)[i,j]", "weights(A, B)[i,j]")
    assert verdict == "unreadable"
    assert "dimensions do not fit: " in why
    by_entries = ("sum(k = 1..m, A[i,k]*B[k,j])", "sum(k = 1..p, A[i,k]*B[k,j])")
    assert verify(PRODUCT, *by_entries)[0] == "needs"
    assert verify(f"{PRODUCT}\nsuppose m = p", *by_entries)[0] == "proved"
    assert judge("[1, 4]", "[[1, 2]]*[[1, 2]]")[0] == "undecided"
    assert judge("5", "[1, 2]*[[1, 2]]")[0] in ("undecided", "unreadable")
    rows, inner, other, columns = (Axis(name, var(name, "integer")) for name in ("n", "m", "p", "q"))
    assert BatchedProduct().shape((rows, inner), (inner, columns)) == (rows, columns)
    with pytest.raises(ShapeMismatch, match="contracted: found m, wanted p"):
        BatchedProduct().shape((rows, inner), (other, columns))
    for indices in ((i,), (i, j, k)):
        with pytest.raises(TermError, match="axes"):
            entry(w, *indices)
    with pytest.raises(TermError, match="takes numbers, not a tensor"):
        mul(w, w)
    with pytest.raises(ValueError, match="matmul"):
        np.ones((2, 3)) @ np.ones((4, 2))
