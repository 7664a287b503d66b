"""Each notation of LaTeX is read as exactly this term."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.syntax.nodes import Matrix, Number, Sequence, Special
from proofs.syntax.parser import parse
from proofs.terms import (
    Term,
    add,
    apply,
    comprehension,
    div,
    entry,
    exp,
    greatest,
    ln,
    maximum,
    mul,
    neg,
    num,
    power,
    relation,
    sqrt,
    sub,
    total,
    when,
)
from tests.proofs.syntax.reading import (
    ALPHA, C, D, D_MODEL, I_, J, K, N, M, SOFTMAX, T, W_Q, X_, Y, Z, A, B, fault, read, relate,
)  # fmt: skip

ONE, TWO, THREE = num(1), num(2), num(3)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        (r"\frac{x}{y}", div(X_, Y)),
        (r"\dfrac{x}{y}", div(X_, Y)),
        (r"\tfrac12", div(ONE, TWO)),
        (r"\frac1{12}", div(ONE, num(12))),
        (r"\frac{n(n+1)}{2}", div(mul(N, add(N, ONE)), TWO)),
        (r"\frac{1}{1+e^2}", div(ONE, add(ONE, exp(TWO)))),
        (r"\frac{1}{2^{99}}", div(ONE, power(TWO, num(99)))),
        (r"3\frac{n}{2}", mul(THREE, div(N, TWO))),
        (r"\sqrt{d}", sqrt(D)),
        (r"\sqrt 2", sqrt(TWO)),
        (r"\sqrt2", sqrt(TWO)),
        (r"2\sqrt{2}", mul(TWO, sqrt(TWO))),
        (r"\sqrt[2]{d}", sqrt(D)),
        (r"\sqrt[4]{d}", sqrt(sqrt(D))),
        (r"\sqrt[3]{27}", THREE),
        (r"\frac{\sqrt{d}}{d}", div(sqrt(D), D)),
        (r"\ln n", ln(N)),
        (r"\ln d^2", ln(power(D, TWO))),
        (r"\ln^2 n", power(ln(N), TWO)),
        (r"\log\left(n\right)", ln(N)),
        (r"\log_{10} n", div(ln(N), ln(num(10)))),
        (r"\log_2 n", div(ln(N), ln(TWO))),
        (r"\exp(x)", exp(X_)),
        (r"\exp\left(-x\right)", exp(neg(X_))),
        (r"\exp{x}", exp(X_)),
        (r"e^{z_i - c}", exp(sub(entry(Z, I_), C))),
        (r"e^{-c} e^{z_i}", mul(exp(neg(C)), exp(entry(Z, I_)))),
        (r"x \cdot y \times c", mul(X_, Y, C)),
        (r"x \div y", div(X_, Y)),
        (r"4\,194\,304", num(4194304)),
        (r"4{,}194{,}304 \cdot 1", mul(num(4194304), ONE)),
        (r"\sum_{j=1}^{n} e^{z_j}", total(J, ONE, N, exp(entry(Z, J)))),
        (r"\sum_{j=1}^n z_j", total(J, ONE, N, entry(Z, J))),
        (r"\sum^{n}_{j=1} z_j", total(J, ONE, N, entry(Z, J))),
        (r"\sum\limits_{j=1}^{n} z_j", total(J, ONE, N, entry(Z, J))),
        (r"\sum_{j=1}^{n} z_j + c", add(total(J, ONE, N, entry(Z, J)), C)),
        (r"\sum_{j=1}^{n} z_j - c", sub(total(J, ONE, N, entry(Z, J)), C)),
        (r"\sum_{j=1}^{n} z_j c", total(J, ONE, N, mul(entry(Z, J), C))),
        (r"c \sum_{j=1}^{n} z_j", mul(C, total(J, ONE, N, entry(Z, J)))),
        (r"\sum_{j=1}^{n} (z_j + c)", total(J, ONE, N, add(entry(Z, J), C))),
        (r"\sum_{j=1}^{n} \sum_{k=1}^{m} A_{j,k}", total(J, ONE, N, total(K, ONE, M, entry(A, J, K)))),
        (r"\sum_j z_j", total(J, ONE, N, entry(Z, J))),
        (r"\sum_k A_{ik}", total(K, ONE, M, entry(A, I_, K))),
        (r"\max_{j=1}^{n} z_j", greatest(J, ONE, N, entry(Z, J))),
        (r"\max_{1 \le j \le n} z_j - c", sub(greatest(J, ONE, N, entry(Z, J)), C)),
        (r"\max_j z_j", greatest(J, ONE, N, entry(Z, J))),
        (r"\max(x, y)", maximum(X_, Y)),
        (r"\max\{x, y\}", maximum(X_, Y)),
        (r"\max\left\{x, y\right\}", maximum(X_, Y)),
        (r"\left|x\right|", maximum(X_, neg(X_))),
        (r"\lvert x \rvert", maximum(X_, neg(X_))),
        (r"\binom{n+1}{2}", div(mul(add(N, ONE), add(add(N, ONE), neg(ONE))), TWO)),
        (r"\binom52", num(10)),
        (r"\alpha x", mul(ALPHA, X_)),
        (r"\alpha^{2}", power(ALPHA, TWO)),
        (r"d_{model}\cdot d_{model}", mul(D_MODEL, D_MODEL)),
        (r"d_{\mathrm{model}}^2", power(D_MODEL, TWO)),
        (r"d_{\text{model}}", D_MODEL),
        (r"4 d_{model}^2", mul(num(4), power(D_MODEL, TWO))),
        (r"2nd_{\mathrm{model}}", mul(TWO, N, D_MODEL)),
        (r"z_i", entry(Z, I_)),
        (r"z_i^2", power(entry(Z, I_), TWO)),
        (r"z^2_i", power(entry(Z, I_), TWO)),
        (r"z_iz_t \cdot 1", mul(entry(Z, I_), entry(Z, T), ONE)),
        (r"B_{i,t,1}", entry(B, I_, T, ONE)),
        (r"B_{itn}", entry(B, I_, T, N)),
        (r"(W_Q)_{1,2}", entry(W_Q, ONE, TWO)),
        (r"\mathbf{W}_Q[1,2]", entry(W_Q, ONE, TWO)),
        (r"\operatorname{softmax}(z - c)_i",
         entry(apply(SOFTMAX, N, comprehension([I_], sub(entry(Z, I_), C))), I_)),
        (r"\mathrm{softmax}(z)_{i}", entry(apply(SOFTMAX, N, Z), I_)),
        (r"\text{softmax}\left(z\right)_i", entry(apply(SOFTMAX, N, Z), I_)),
        (r"\begin{cases} x & i \le t \\ y & \text{otherwise} \end{cases}", when(relation("le", I_, T), X_, Y)),
        (r"\begin{cases} x & \text{if } i \le t \\ y & i > t \end{cases}", when(relation("le", I_, T), X_, Y)),
        (r"\begin{cases} x & i \le t \\ y & t < i \end{cases}", when(relation("le", I_, T), X_, Y)),
        (r"5!", num(120)),
        (r"$x + y$", add(X_, Y)),
        (r"\(x + y\)", add(X_, Y)),
        (r"\[x + y\]", add(X_, Y)),
        (r"0.5\;x\quad", mul(num(Fraction(1, 2)), X_)),
    ],
)  # fmt: skip
def test_latex_is_read_as(text: str, term: Term) -> None:
    assert read(text) == term


@pytest.mark.parametrize(
    ("text", "op"),
    [(r"x \le y", "le"), (r"x \leq y", "le"), (r"x \neq y", "ne"), (r"x \ne y", "ne"), (r"x \lt y", "lt")],
)
def test_relations_have_commands(text: str, op: str) -> None:
    assert relate(text) == relation(op, X_, Y)


def test_the_shift_in_latex_is_the_shift_in_plain_text() -> None:
    latex = r"\frac{e^{-c} e^{z_i}}{e^{-c} \sum_{j=1}^{n} e^{z_j}} = \operatorname{softmax}(z)_i"
    assert relate(latex) == relate("exp(-c)*exp(z[i])/(exp(-c)*sum(j = 1..n, exp(z[j]))) = softmax(z)[i]")


def test_matrices_are_read_by_rows() -> None:
    for name in ("pmatrix", "bmatrix"):
        node = parse(rf"\begin{{{name}}}1&2\\3&4\end{{{name}}}")
        assert isinstance(node, Matrix)
        assert [[n.value for n in row if isinstance(n, Number)] for row in node.rows] == [[1, 2], [3, 4]]
    assert read(r"\begin{pmatrix}1&2\\3&4\\\end{pmatrix}") == read("[[1, 2], [3, 4]]") == read("[1, 2; 3, 4]")


def test_sets_and_infinity_have_commands() -> None:
    node = parse(r"\{1, 2\}")
    assert isinstance(node, Sequence)
    assert node.bracket == "{"
    assert parse(r"-\infty").operand == Special((1, 7), "inf")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (r"\foo", "unknown-command"),
        (r"\begin{align}x\end{align}", "unknown-command"),
        (r"\frac{1}", "unexpected-end"),
        (r"\frac{1}{", "unexpected-end"),
        (r"\sqrt[3]{2}", "outside-language"),
        (r"3\frac{1}{2}", "two-readings"),
        (r"3\frac12", "two-readings"),
        (r"\sum_{j=1} z_j", "range-unknown"),
        (r"\sum_j x", "range-unknown"),
        (r"\sum z_j", "undeclared"),
        (r"\begin{pmatrix}1&2\\3\end{pmatrix}", "dimensions-differ"),
        (r"\begin{cases} x & i \le t \\ y & i < t \end{cases}", "outside-language"),
        (r"\beta", "undeclared"),
        (r"\sin x", "outside-language"),
        (r"z_j", "undeclared"),
        (r"x_i", "undeclared"),
        (r"x \pm y", "unknown-command"),
        (r"{x, y}\cdot 1", "sequence-unexpected"),
    ],
)
def test_latex_is_refused_with(text: str, code: str) -> None:
    assert fault(text).code == code


def test_a_range_is_inferred_with_the_names_that_hold_at_its_place() -> None:
    """Below the inner sum `c` is an index, so the declared `c` must not get into what is summed."""
    made = read(r"\sum_{t} \sum_{c=1}^{n} softmax(z - c)_t z_t")
    shifted = entry(apply(SOFTMAX, N, comprehension([I_], sub(entry(Z, I_), K))), T)
    assert made == total(T, ONE, N, total(K, ONE, N, mul(shifted, entry(Z, T))))
    assert fault(r"\sum_{q} \sum_{c=1}^{n} softmax(z - c)_q").code == "range-unknown"
