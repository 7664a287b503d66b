# ruff: noqa: E501, ISC004
"""Derivations of learners, right and wrong, with the verdict on every line.

Each case is a header, a claim, and lines; the marks before the lines are the verdicts that must come out:
P proved, N needs, R refuted, U unknown, W wrong-reason, X unreadable. Where several will do, they are written
together (``RU``). The last field is the verdict on the whole.
"""

from __future__ import annotations

import pytest

from derive.definitions import signatures
from derive.library import LibraryTheorem, reason_names, theorems
from proofs.syntax.derivation import read_derivation
from proofs.verify import Report, verify

VECTOR = "let n : size\nlet z : real[n]\nlet c : real\nlet i : index[n]"
REALS = "let x : real\nlet y : real\nlet a : real\nlet b : real"
POSITIVES = "let p : positive\nlet q : positive"
SPLIT = "let n : size\nlet z : real[n]\nlet w : real[n]\nlet t : index[n]\nlet i : index[n]\nlet c : real"
COUNT = "let d : size\nlet h : size\nlet k : size"
TIED = COUNT + "\nsuppose h*k = d"
MATRIX = "let n : size\nlet m : size\nlet A : real[n, m]\nlet u : real[n]\nlet v : real[m]"
MASK = "let T : size\nlet t : index[T]\nlet s : index[T]\nlet S : real[T, T]"
VERDICTS = {"P": "proved", "N": "needs", "R": "refuted", "U": "unknown", "W": "wrong-reason", "X": "unreadable"}

CASES = [
    # shift invariance, in several styles
    ("shift, every step with its reason", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]",
        "P = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c)) -- definition",
        "P = exp(z[i])*exp(-c) / sum(j = 1..n, exp(z[j])*exp(-c)) -- exp of a sum",
        "P = exp(z[i])*exp(-c) / (exp(-c)*sum(j = 1..n, exp(z[j]))) -- constant factor",
        "P = exp(z[i]) / sum(j = 1..n, exp(z[j])) -- cancel",
        "P = softmax(z)[i] -- definition"], "proved"),
    ("shift, in one step", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]", "P = softmax(z)[i]"], "proved"),
    ("shift, from the definition straight to the cancelled form", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]",
        "P = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))",
        "P = exp(z[i]) / sum(k = 1..n, exp(z[k])) -- exp of a sum, constant factor, cancel",
        "P = softmax(z)[i]"], "proved"),
    ("shift, from the right side", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z)[i]",
        "P = exp(-c)*exp(z[i]) / (exp(-c)*sum(j = 1..n, exp(z[j])))",
        "P = softmax(z - c)[i]"], "proved"),
    ("shift, with quotients of exponentials", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]",
        "P = (exp(z[i])/exp(c)) / sum(j = 1..n, exp(z[j])/exp(c))",
        "P = (exp(z[i])/exp(c)) / (sum(j = 1..n, exp(z[j]))/exp(c))",
        "P = softmax(z)[i]"], "proved"),
    ("shift, in LaTeX", VECTOR, r"$\operatorname{softmax}(z - c)_i = \operatorname{softmax}(z)_i$", [
        r"P $\operatorname{softmax}(z - c)_i$",
        r"P = $\frac{e^{z_i - c}}{\sum_{j=1}^{n} e^{z_j - c}}$",
        r"P = $\operatorname{softmax}(z)_i$"], "proved"),
    ("shift, reasons in Chinese", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]",
        "P = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c)) -- 定义",
        "P = softmax(z)[i]"], "proved"),
    ("sign slip", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]",
        "R = exp(z[i] + c) / sum(j = 1..n, exp(z[j] - c))",
        "R = softmax(z)[i]"], "refuted"),
    ("exp of a difference as a difference", VECTOR, "exp(z[i] - c) = exp(z[i])/exp(c)", [
        "P exp(z[i] - c)", "R = exp(z[i]) - exp(c)", "R = exp(z[i])/exp(c)"], "refuted"),
    ("factor left in the numerator", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]",
        "P = exp(-c)*exp(z[i]) / (exp(-c)*sum(j = 1..n, exp(z[j])))",
        "R = exp(-c)*exp(z[i]) / sum(j = 1..n, exp(z[j]))",
        "R = softmax(z)[i]"], "refuted"),
    ("factor left in the denominator", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]",
        "R = exp(z[i]) / (exp(-c)*sum(j = 1..n, exp(z[j])))",
        "R = softmax(z)[i]"], "refuted"),
    ("index captured", VECTOR, "sum(j = 1..n, z[j]*z[i]) = z[i]*sum(j = 1..n, z[j])", [
        "P sum(j = 1..n, z[j]*z[i])", "R = sum(i = 1..n, z[i]*z[i])", "R = z[i]*sum(j = 1..n, z[j])"], "refuted"),
    ("temperature is no shift", VECTOR, "softmax(2*z)[i] = softmax(z)[i]", [
        "P softmax(2*z)[i]", "R = softmax(z)[i]"], "refuted"),
    ("rows sum to one", VECTOR, "sum(i = 1..n, softmax(z)[i]) = 1", [
        "P sum(i = 1..n, softmax(z)[i])",
        "P = sum(i = 1..n, exp(z[i]) / sum(j = 1..n, exp(z[j]))) -- definition",
        "P = sum(i = 1..n, exp(z[i])) / sum(j = 1..n, exp(z[j])) -- constant factor",
        "P = 1 -- cancel"], "proved"),
    ("log-sum-exp with its shift", VECTOR, "ln(sum(j = 1..n, exp(z[j] + c))) = c + ln(sum(j = 1..n, exp(z[j])))", [
        "P ln(sum(j = 1..n, exp(z[j] + c)))",
        "P = ln(exp(c)*sum(j = 1..n, exp(z[j])))",
        "P = c + ln(sum(j = 1..n, exp(z[j])))"], "proved"),
    ("log-sum-exp without its shift", VECTOR, "ln(sum(j = 1..n, exp(z[j] + c))) = ln(sum(j = 1..n, exp(z[j])))", [
        "P ln(sum(j = 1..n, exp(z[j] + c)))", "R = ln(sum(j = 1..n, exp(z[j])))"], "refuted"),
    ("log of a sum as a sum of logs", POSITIVES, "ln(p + q) = ln(p) + ln(q)", [
        "P ln(p + q)", "R = ln(p) + ln(q)"], "refuted"),
    ("log of a product", POSITIVES, "ln(p*q) = ln(p) + ln(q)", ["P ln(p*q)", "P = ln(p) + ln(q) -- logarithm"], "proved"),
    ("log of a product, signs unknown", REALS, "ln(x*y) = ln(x) + ln(y)", [
        "N ln(x*y)", "N = ln(x) + ln(y)"], "needs"),
    # reasons
    ("wrong reason for a right step", VECTOR, "exp(z[i] - c) = exp(z[i])*exp(-c)", [
        "P exp(z[i] - c)", "W = exp(z[i])*exp(-c) -- constant factor"], "wrong-reason"),
    ("a reason where arithmetic is enough", REALS, "x*(y + a) = x*y + x*a", [
        "P x*(y + a)", "W = x*y + x*a -- cancel"], "wrong-reason"),
    ("arithmetic as the reason", REALS, "x*(y + a) = x*y + x*a", [
        "P x*(y + a)", "P = x*y + x*a -- arithmetic"], "proved"),
    ("arithmetic where more is needed", VECTOR, "exp(z[i] - c) = exp(z[i])*exp(-c)", [
        "P exp(z[i] - c)", "W = exp(z[i])*exp(-c) -- arithmetic"], "wrong-reason"),
    ("a reason that is no rule", VECTOR, "exp(z[i] - c) = exp(z[i])*exp(-c)", [
        "P exp(z[i] - c)", "W = exp(z[i])*exp(-c) -- by magic"], "wrong-reason"),
    # counting
    ("counting with the tie", TIED, "4*d*(h*k) = 4*d^2", ["P 4*d*(h*k)", "P = 4*d*d -- hypothesis", "P = 4*d^2"], "proved"),
    ("counting without the tie", COUNT, "4*d*(h*k) = 4*d^2", ["P 4*d*(h*k)", "R = 4*d^2"], "refuted"),
    ("counting, output projection forgotten", TIED, "d*(h*k) + d*(h*k) + d*(h*k) + (h*k)*d = 4*d^2", [
        "P d*(h*k) + d*(h*k) + d*(h*k) + (h*k)*d", "R = 3*d^2", "R = 4*d^2"], "refuted"),
    ("counting, multiplied by the heads", TIED, "4*d*(h*k) = 4*d^2", ["P 4*d*(h*k)", "R = 4*h*d^2", "R = 4*d^2"], "refuted"),
    ("counting by the definition", COUNT, "entries(d, h*k) = d*h*k", ["P entries(d, h*k)", "P = d*h*k"], "proved"),
    ("counting with the wrong width", COUNT, "entries(d, h*k) = d*h*k", ["P entries(d, h*k)", "R = d*h", "R = d*h*k"], "refuted"),
    # cancelling
    ("cancelled zero", REALS, "x*y/x = y", ["N x*y/x", "N = y"], "needs"),
    ("cancelled with its condition", REALS + "\nsuppose x != 0", "x*y/x = y", ["P x*y/x", "P = y -- cancel"], "proved"),
    ("difference of squares over a difference", REALS, "(x^2 - y^2)/(x - y) = x + y", [
        "N (x^2 - y^2)/(x - y)", "N = x + y"], "needs"),
    ("difference of squares, values apart", REALS + "\nsuppose x != y", "(x^2 - y^2)/(x - y) = x + y", [
        "P (x^2 - y^2)/(x - y)", "P = (x - y)*(x + y)/(x - y)", "P = x + y -- cancel"], "proved"),
    ("cancelled in a sum", REALS + "\nsuppose x != 0", "(x + y)/x = 1 + y/x", [
        "P (x + y)/x", "R = 1 + y", "R = 1 + y/x"], "refuted"),
    ("quotient of sums", POSITIVES + "\nlet a : real\nlet b : real", "(a + b)/(p + q) = a/(p + q) + b/(p + q)", [
        "P (a + b)/(p + q)", "R = a/p + b/q", "R = a/(p + q) + b/(p + q)"], "refuted"),
    ("zeroth power", REALS, "x^0 = 1", ["P x^0", "P = 1"], "proved"),
    # roots
    ("root of a square", REALS, "sqrt(x^2) = x", ["P sqrt(x^2)", "R = x"], "refuted"),
    ("root of a square, not negative", REALS + "\nsuppose 0 <= x", "sqrt(x^2) = x", ["P sqrt(x^2)", "P = x -- root"], "proved"),
    ("root of a sum", POSITIVES, "sqrt(p + q) = sqrt(p) + sqrt(q)", ["P sqrt(p + q)", "R = sqrt(p) + sqrt(q)"], "refuted"),
    ("rationalised", COUNT, "1/sqrt(d) = sqrt(d)/d", ["P 1/sqrt(d)", "P = sqrt(d)/d"], "proved"),
    ("root of a product", POSITIVES, "sqrt(p*q) = sqrt(p)*sqrt(q)", ["P sqrt(p*q)", "P = sqrt(p)*sqrt(q)"], "proved"),
    # sums
    ("split at t", SPLIT, "sum(j = 1..n, z[j]) = sum(j = 1..t, z[j]) + sum(j = t + 1..n, z[j])", [
        "P sum(j = 1..n, z[j])", "P = sum(j = 1..t, z[j]) + sum(j = t + 1..n, z[j]) -- split a sum"], "proved"),
    ("split that counts t twice", SPLIT, "sum(j = 1..n, z[j]) = sum(j = 1..t, z[j]) + sum(j = t..n, z[j])", [
        "P sum(j = 1..n, z[j])", "R = sum(j = 1..t, z[j]) + sum(j = t..n, z[j])"], "refuted"),
    ("split that loses t", SPLIT, "sum(j = 1..n, z[j]) = sum(j = 1..t - 1, z[j]) + sum(j = t + 1..n, z[j])", [
        "P sum(j = 1..n, z[j])", "R = sum(j = 1..t - 1, z[j]) + sum(j = t + 1..n, z[j])"], "refuted"),
    ("first term apart", SPLIT, "sum(j = 1..n, z[j]) = z[1] + sum(j = 2..n, z[j])", [
        "P sum(j = 1..n, z[j])", "P = z[1] + sum(j = 2..n, z[j])"], "proved"),
    ("exchange of two sums", MATRIX, "sum(i = 1..n, sum(j = 1..m, A[i,j])) = sum(j = 1..m, sum(i = 1..n, A[i,j]))", [
        "P sum(i = 1..n, sum(j = 1..m, A[i,j]))",
        "P = sum(j = 1..m, sum(i = 1..n, A[i,j])) -- swap sums"], "proved"),
    ("exchange with factors", MATRIX,
     "sum(i = 1..n, u[i]*sum(j = 1..m, A[i,j]*v[j])) = sum(j = 1..m, v[j]*sum(i = 1..n, u[i]*A[i,j]))", [
        "P sum(i = 1..n, u[i]*sum(j = 1..m, A[i,j]*v[j]))",
        "P = sum(i = 1..n, sum(j = 1..m, u[i]*A[i,j]*v[j]))",
        "P = sum(j = 1..m, v[j]*sum(i = 1..n, u[i]*A[i,j]))"], "proved"),
    ("product of sums as a sum of products", SPLIT, "sum(j = 1..n, z[j]*w[j]) = sum(j = 1..n, w[j]*z[j])", [
        "P sum(j = 1..n, z[j]*w[j])",
        "R = sum(j = 1..n, z[j])*sum(j = 1..n, w[j])",
        "R = sum(j = 1..n, w[j]*z[j])"], "refuted"),
    ("sum of quotients as quotient of sums", SPLIT + "\nsuppose w[j] != 0 for all j : index[n]\nsuppose sum(j = 1..n, w[j]) != 0",
     "sum(j = 1..n, z[j]/w[j]) = sum(j = 1..n, z[j])/sum(j = 1..n, w[j])", [
        "P sum(j = 1..n, z[j]/w[j])", "R = sum(j = 1..n, z[j])/sum(j = 1..n, w[j])"], "refuted"),
    ("constant summed", SPLIT, "sum(j = 1..n, c) = n*c", ["P sum(j = 1..n, c)", "P = n*c -- constant sum"], "proved"),
    ("constant summed once", SPLIT, "sum(j = 1..n, c) = n*c", ["P sum(j = 1..n, c)", "R = c", "R = n*c"], "refuted"),
    ("shifted index", SPLIT, "sum(j = 2..n + 1, z[j - 1]) = sum(j = 1..n, z[j])", [
        "P sum(j = 2..n + 1, z[j - 1])", "P = sum(j = 1..n, z[j]) -- shift the index"], "proved"),
    ("shifted index, bounds forgotten", SPLIT, "sum(j = 2..n + 1, z[j - 1]) = sum(j = 1..n, z[j])", [
        "P sum(j = 2..n + 1, z[j - 1])", "NU = sum(j = 2..n + 1, z[j])", "NU = sum(j = 1..n, z[j])"], "needs|unknown"),
    ("linearity", SPLIT, "sum(j = 1..n, z[j] + w[j]) = sum(j = 1..n, z[j]) + sum(j = 1..n, w[j])", [
        "P sum(j = 1..n, z[j] + w[j])",
        "P = sum(j = 1..n, z[j]) + sum(j = 1..n, w[j]) -- sum of a sum"], "proved"),
    ("empty range", "let m : integer\nlet z : real[3]", "sum(j = 1..m, exp(z[1]))/sum(j = 1..m, exp(z[1])) = 1", [
        "N sum(j = 1..m, exp(z[1]))/sum(j = 1..m, exp(z[1]))", "N = 1"], "needs"),
    # masks and causality
    ("masked sum", MASK, "sum(r = 1..T, if(r <= t, exp(S[t,r]), 0)) = sum(r = 1..t, exp(S[t,r]))", [
        "P sum(r = 1..T, if(r <= t, exp(S[t,r]), 0))", "P = sum(r = 1..t, exp(S[t,r])) -- condition"], "proved"),
    ("mask off by one", MASK, "sum(r = 1..T, if(r < t, exp(S[t,r]), 0)) = sum(r = 1..t, exp(S[t,r]))", [
        "P sum(r = 1..T, if(r < t, exp(S[t,r]), 0))", "R = sum(r = 1..t, exp(S[t,r]))"], "refuted"),
    ("weight of a masked position", MASK + "\nsuppose t < s",
     "if(s <= t, exp(S[t,s]), 0)/sum(r = 1..t, exp(S[t,r])) = 0", [
        "P if(s <= t, exp(S[t,s]), 0)/sum(r = 1..t, exp(S[t,r]))",
        "P = 0/sum(r = 1..t, exp(S[t,r])) -- condition",
        "P = 0"], "proved"),
    ("weight of a masked position, not masked", MASK, "if(s <= t, exp(S[t,s]), 0)/sum(r = 1..t, exp(S[t,r])) = 0", [
        "P if(s <= t, exp(S[t,s]), 0)/sum(r = 1..t, exp(S[t,r]))", "R = 0"], "refuted"),
    ("output projection with the wrong position",
     "let T : size\nlet h : size\nlet t : index[T]\nlet s : index[T]\nlet A : real[h, T]\nlet B : real[h, T]\nlet w : real[h]\n"
     "suppose A[i,t] = B[i,t] for all i : index[h]",
     "sum(i = 1..h, A[i,s]*w[i]) = sum(i = 1..h, B[i,s]*w[i])", [
        "P sum(i = 1..h, A[i,s]*w[i])", "R = sum(i = 1..h, B[i,s]*w[i])"], "refuted"),
    ("output projection with the right position",
     "let T : size\nlet h : size\nlet t : index[T]\nlet A : real[h, T]\nlet B : real[h, T]\nlet w : real[h]\n"
     "suppose A[i,t] = B[i,t] for all i : index[h]",
     "sum(i = 1..h, A[i,t]*w[i]) = sum(i = 1..h, B[i,t]*w[i])", [
        "P sum(i = 1..h, A[i,t]*w[i])", "P = sum(i = 1..h, B[i,t]*w[i]) -- hypothesis"], "proved"),
    # the whole
    ("stops before the claim", VECTOR, "softmax(z - c)[i] = softmax(z)[i]", [
        "P softmax(z - c)[i]", "P = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))"], "unknown"),
    ("a line after a bad one is judged", REALS, "x + x = 2*x", ["P x + x", "X = 2*", "P = 2*x"], "unreadable"),
    ("undeclared name", REALS, "x + x = 2*x", ["P x + x", "X = 2*zz", "P = 2*x"], "unreadable"),
    ("powers of two", COUNT, "2^(d + 1) = 2*2^d", ["P 2^(d + 1)", "P = 2*2^d"], "proved"),
    ("nearly equal numbers", REALS, "x + 2^99 = x + 2^98", ["P x + 2^99", "R = x + 2^98"], "refuted"),
    ("maximum does not depend on the order", REALS, "max(x, y) = max(y, x)", ["P max(x, y)", "P = max(y, x)"], "proved"),
    ("maximum taken for its first", REALS, "max(x, y) = max(y, x)", ["P max(x, y)", "R = x", "R = max(y, x)"], "refuted"),
]  # fmt: skip


def judged(header: str, claim: str, lines: list[str]) -> Report:
    chain = "\n".join("  " + line.split(" ", 1)[1] for line in lines)
    text = f"{header}\nclaim {claim}\nproof\n{chain}\n"
    return verify(read_derivation(text, signatures()), reason_names())


@pytest.mark.parametrize(("name", "header", "claim", "lines", "whole"), CASES, ids=[c[0] for c in CASES])
def test_each_line_gets_its_verdict(name: str, header: str, claim: str, lines: list[str], whole: str) -> None:
    report = judged(header, claim, lines)
    for line, found in zip(lines, report.lines, strict=True):
        allowed = [VERDICTS[mark] for mark in line.split(" ", 1)[0]]
        assert found.verdict in allowed, (found.text, found.verdict, found.reasons, found.missing)
    assert report.verdict in whole.split("|")
    assert (report.theorem is not None) == (whole == "proved" or whole == "wrong-reason")


def test_hypotheses_that_contradict_each_other_are_reported() -> None:
    report = judged("let x : real\nsuppose x < 1\nsuppose 2 < x", "x = x + 1", ["P x", "P = x + 1"])
    assert report.contradictory


def test_a_condition_is_named_as_the_learner_would_name_it() -> None:
    from proofs.syntax.to_plain import to_plain

    report = judged(REALS, "x*y/(2*x) = y/2", ["N x*y/(2*x)", "N = y/2"])
    assert [to_plain(m.condition) for m in report.lines[0].missing] == ["x != 0"]
    report = judged("let m : integer\nlet z : real[3]", "1/sum(j = 1..m, exp(z[1])) = 1/sum(k = 1..m, exp(z[1]))", [
        "N 1/sum(j = 1..m, exp(z[1]))", "N = 1/sum(k = 1..m, exp(z[1]))",
    ])  # fmt: skip
    assert [to_plain(m.condition) for m in report.lines[0].missing] == ["1 <= m"]


@pytest.mark.parametrize("name", ["指数律", "和的指数", "exp of a sum", "Exponential of a sum"])
def test_a_reason_is_understood_by_each_of_its_names(name: str) -> None:
    report = judged("let x, y : real", "exp(x + y) = exp(x)*exp(y)", ["P exp(x + y)", f"P = exp(x)*exp(y)  -- {name}"])
    assert (report.verdict, report.lines[1].reasons) == ("proved", ("exp of a sum",))


@pytest.mark.parametrize("name", list(theorems()))
def test_every_chain_of_the_library_verifies_as_a_learners_file(name: str) -> None:
    found = theorems()[name]
    assert isinstance(found, LibraryTheorem)
    report = verify(found.derivation, reason_names())
    assert report.verdict == "proved", [(line.verdict, line.text) for line in report.lines]


def test_generated_pairs_of_lines_get_no_false_verdict() -> None:
    from tests.proofs.fuzz_pairs import run

    counts = run(120, seed=3)
    assert counts["equal proved"] >= counts["equal"] // 2
    assert counts["unequal refuted"] + counts["unequal open"] > 0


def test_corrupted_chains_of_the_library_are_not_proved() -> None:
    from tests.proofs.fuzz_corruptions import run

    counts = run(12, seed=3)
    assert counts["refuted"] >= 4
