"""Each notation of plain text is read as exactly this term."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.syntax.elaborate import read_expression
from proofs.syntax.environment import Environment, declare
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.nodes import Number, Sequence, Special
from proofs.syntax.parser import parse
from proofs.syntax.tokens import Notation
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
    var,
    when,
)
from tests.proofs.syntax.reading import (
    ALPHA,
    C,
    D,
    D_MODEL,
    ENV,
    I_,
    J,
    N,
    SOFTMAX,
    T,
    U,
    W_Q,
    X_,
    Y,
    Z,
    A,
    check_fault,
    fault,
    read,
    relate,
)

ONE, TWO, THREE = num(1), num(2), num(3)
E2S2 = exp(mul(TWO, sqrt(TWO)))


@pytest.mark.parametrize(
    ("text", "term"),
    [
        # numbers
        ("7", num(7)),
        ("0.1192", num(Fraction(1192, 10000))),
        (".5", num(Fraction(1, 2))),
        ("1e-8", num(Fraction(1, 10**8))),
        ("4.194304e6", num(4194304)),
        ("2E+3", num(2000)),
        ("4_194_304", num(4194304)),
        ("4{,}194{,}304", num(4194304)),
        ("-3", neg(THREE)),
        ("+3", THREE),
        ("６４", num(64)),
        # sums and products, flat from left to right
        ("x + y - c", add(X_, Y, neg(C))),
        ("x - (y - c)", sub(X_, sub(Y, C))),
        ("x*y*c", mul(X_, Y, C)),
        ("x*y/c", div(mul(X_, Y), C)),
        ("x/y*c", mul(div(X_, Y), C)),
        ("x/y/c", div(div(X_, Y), C)),
        ("-x*y", neg(mul(X_, Y))),
        ("x*-y", mul(X_, neg(Y))),
        ("x - -y", add(X_, neg(neg(Y)))),
        ("-x^2", neg(power(X_, TWO))),
        ("x · y × c", mul(X_, Y, C)),
        ("x ÷ y − c", sub(div(X_, Y), C)),
        ("（x＋y）／2", div(add(X_, Y), TWO)),
        # factors side by side; the longest declared name first
        ("4d(d+1)", mul(num(4), D, add(D, ONE))),
        ("12nd^2", mul(num(12), N, power(D, TWO))),
        ("2n^2d", mul(TWO, power(N, TWO), D)),
        ("n(n+1)/2", div(mul(N, add(N, ONE)), TWO)),
        ("nd_model", mul(N, D_MODEL)),
        ("nd_{model}", mul(N, D_MODEL)),
        ("d_model", D_MODEL),
        ("d_{model}", D_MODEL),
        ("1/2 n", mul(div(ONE, TWO), N)),
        ("(x)(y)", mul(X_, Y)),
        # powers
        ("x**2", power(X_, TWO)),
        ("x²", power(X_, TWO)),
        ("x⁻¹", power(X_, num(-1))),
        ("x^-1", power(X_, num(-1))),
        ("x^{10}", power(X_, num(10))),
        ("x^3^2", power(X_, power(THREE, TWO))),
        ("2^99", power(TWO, num(99))),
        ("x^(n - 1)", power(X_, sub(N, ONE))),
        ("x^n y", mul(power(X_, N), Y)),
        # functions, with and without brackets
        ("exp(x)", exp(X_)),
        ("ln d^2", ln(power(D, TWO))),
        ("ln(d)^2", power(ln(D), TWO)),
        ("log(n)", ln(N)),
        ("lnn", ln(N)),
        ("n ln n", mul(N, ln(N))),
        ("log_2 8", div(ln(num(8)), ln(TWO))),
        ("log_2(8)", div(ln(num(8)), ln(TWO))),
        ("2 sqrt 2", mul(TWO, sqrt(TWO))),
        ("2sqrt(2)", mul(TWO, sqrt(TWO))),
        ("2sqrt2", mul(TWO, sqrt(TWO))),
        ("√2", sqrt(TWO)),
        ("2√(x+1)", mul(TWO, sqrt(add(X_, ONE)))),
        ("exp[x]", exp(X_)),
        ("abs(x)", maximum(X_, neg(X_))),
        ("|x|", maximum(X_, neg(X_))),
        # e
        ("e", exp(ONE)),
        ("e^2", exp(TWO)),
        ("e^x", exp(X_)),
        ("e^-x", exp(neg(X_))),
        ("e^(1/2)", exp(div(ONE, TWO))),
        ("exp(1)^x", exp(X_)),
        ("1/(1+e^2)", div(ONE, add(ONE, exp(TWO)))),
        ("1/1+e^2", add(div(ONE, ONE), exp(TWO))),
        ("e^(2sqrt(2))/(1+e^(2 sqrt 2))", div(E2S2, add(ONE, E2S2))),
        ("1/(1+e^(2 sqrt(2)))", div(ONE, add(ONE, E2S2))),
        # roots in exponents
        ("d^(1/2)", sqrt(D)),
        ("d^0.5", sqrt(D)),
        ("d^(3/2)", power(sqrt(D), THREE)),
        ("d^(-1/2)", power(sqrt(D), num(-1))),
        ("d^(1/4)", sqrt(sqrt(D))),
        ("x^(4/2)", power(X_, TWO)),
        ("d^(n/2)", power(sqrt(D), N)),
        ("27^(1/3)", THREE),
        # factorials and binomials
        ("5!", num(120)),
        ("0!", ONE),
        ("(2+3)!", num(120)),
        ("2^3!", power(TWO, num(6))),
        ("binom(4, 2)", num(6)),
        ("choose(4, 2)", num(6)),
        ("binom(n, 0)", ONE),
        ("binom(n, 1)", N),
        ("binom(n+1, 2)", div(mul(add(N, ONE), add(add(N, ONE), neg(ONE))), TWO)),
        # maxima, sums, conditions
        ("max(x, y)", maximum(X_, Y)),
        ("max(x, y, c)", maximum(maximum(X_, Y), C)),
        ("max(j = 1..n, z[j])", greatest(J, ONE, N, entry(Z, J))),
        ("max(z)", greatest(J, ONE, N, entry(Z, J))),
        ("sum(z)", total(J, ONE, N, entry(Z, J))),
        ("sum(j = 1..n, z[j])", total(J, ONE, N, entry(Z, J))),
        ("sum(j=t+1..n, j)", total(J, add(T, ONE), N, J)),
        ("sum(j = 1 … n, z[j] + 1)", total(J, ONE, N, add(entry(Z, J), ONE))),
        ("∑_{j=1}^{n} z_j + 1", add(total(J, ONE, N, entry(Z, J)), ONE)),
        ("sum_{j=1}^n z[j]", total(J, ONE, N, entry(Z, J))),
        ("if(i <= t, x, y)", when(relation("le", I_, T), X_, Y)),
        ("if(i > t, x, y)", when(relation("lt", T, I_), X_, Y)),
        ("if(i ≠ t, x, y)", when(relation("ne", I_, T), X_, Y)),
        # entries
        ("z[i]", entry(Z, I_)),
        ("z_i", entry(Z, I_)),
        ("z_{i+1}", entry(Z, add(I_, ONE))),
        ("z_1", entry(Z, ONE)),
        ("z₁", entry(Z, ONE)),
        ("A[i, 2]", entry(A, I_, TWO)),
        ("A[i][2]", entry(A, I_, TWO)),
        ("A_{i,2}", entry(A, I_, TWO)),
        ("A_{it}", entry(A, I_, T)),
        ("W_Q[1, 2]", entry(W_Q, ONE, TWO)),
        ("z[i]^2", power(entry(Z, I_), TWO)),
        # Greek
        ("alpha", ALPHA),
        ("α x", mul(ALPHA, X_)),
        # definitions
        ("softmax(z)", apply(SOFTMAX, N, Z)),
        ("softmax z", apply(SOFTMAX, N, Z)),
        ("softmax(z)[i]", entry(apply(SOFTMAX, N, Z), I_)),
        ("softmax(n, z)[i]", entry(apply(SOFTMAX, N, Z), I_)),
        ("softmax(z - c)[i]", entry(apply(SOFTMAX, N, comprehension([I_], sub(entry(Z, I_), C))), I_)),
    ],
)
def test_plain_text_is_read_as(text: str, term: Term) -> None:
    assert read(text) == term


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("z - c", comprehension([J], sub(entry(Z, J), C))),
        ("2*z", comprehension([J], mul(TWO, entry(Z, J)))),
        ("2z + u", comprehension([J], add(mul(TWO, entry(Z, J)), entry(U, J)))),
        ("-z", comprehension([J], neg(entry(Z, J)))),
        ("z/c", comprehension([J], div(entry(Z, J), C))),
        ("1/z", comprehension([J], div(ONE, entry(Z, J)))),
        ("exp(z)", comprehension([J], exp(entry(Z, J)))),
        ("e^z", comprehension([J], exp(entry(Z, J)))),
        ("z^2", comprehension([J], power(entry(Z, J), TWO))),
        ("max(z, 0)", comprehension([J], maximum(entry(Z, J), num(0)))),
        ("z - max(z)", comprehension([J], sub(entry(Z, J), greatest(I_, ONE, N, entry(Z, I_))))),
        ("if(i = 1, z, u)", comprehension([J], when(relation("eq", I_, ONE), entry(Z, J), entry(U, J)))),
        ("exp(z)/sum(exp(z))", comprehension([J], div(exp(entry(Z, J)), total(I_, ONE, N, exp(entry(Z, I_)))))),
    ],
)
def test_numbers_combine_with_tensors_entry_by_entry(text: str, term: Term) -> None:
    assert read(text) == term


def test_the_names_of_bound_indices_do_not_matter() -> None:
    assert read("sum(j = 1..n, z[j])") == read("sum(k = 1..n, z[k])") == read("sum(i = 1..n, z[i])")


def test_a_bound_index_hides_a_declared_name_in_its_body_only() -> None:
    assert read("sum(x = 1..n, z[x]) + x") == add(total(J, ONE, N, entry(Z, J)), X_)


def test_an_inferred_dimension_is_not_captured_by_an_index_of_the_same_name() -> None:
    assert read("sum(n = 1..3, softmax(z)[n])") == total(J, ONE, THREE, entry(apply(SOFTMAX, N, Z), J))


def test_a_fresh_index_of_a_spread_is_not_captured_by_a_sum_inside() -> None:
    spread = comprehension([I_], total(J, ONE, N, mul(entry(Z, I_), entry(U, J))))
    for name in ("i", "j", "k", "q"):
        assert read(f"sum({name} = 1..n, z * u[{name}])") == spread


@pytest.mark.parametrize(
    ("text", "op", "left", "right"),
    [
        ("x = y", "eq", X_, Y),
        ("x <= y", "le", X_, Y),
        ("x ≤ y", "le", X_, Y),
        ("x >= y", "le", Y, X_),
        ("x > y", "lt", Y, X_),
        ("x != 0", "ne", X_, num(0)),
        ("x ＝ y", "eq", X_, Y),
        ("softmax(z) = z", "eq", apply(SOFTMAX, N, Z), Z),
    ],
)
def test_a_relation_is_read_as(text: str, op: str, left: Term, right: Term) -> None:
    assert relate(text) == relation(op, left, right)


def test_a_declared_e_is_a_variable() -> None:
    env = Environment.of([declare("e", "real"), declare("x", "real")])
    assert read_expression("e^2 x", env) == mul(power(var("e"), TWO), X_)


def test_letters_are_matched_against_the_longest_declared_name() -> None:
    names = Environment.of([declare(s, "size") for s in ("n", "d", "nd")])
    assert read_expression("nd", names) == var("nd", "integer")
    assert read_expression("ndn", names) == mul(var("nd", "integer"), N)
    assert read_expression("dnd", names) == mul(D, var("nd", "integer"))


def test_case_counts() -> None:
    assert fault("X").params == {"name": "X", "nearest": "x"}


# --- what answers may have besides -------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["4,194,304", "4 194 304", "4\u202f194\u202f304", "4_194_304", "4'194'304"])
def test_separators_between_groups_of_three_are_read_where_asked_for(text: str) -> None:
    node = parse(text, notation=Notation(separators=(",", " ", "_", "'")))
    assert isinstance(node, Number)
    assert (node.value, node.text.replace("\u202f", " "), node.span) == (
        4194304,
        text.replace("\u202f", " "),
        (0, 9),
    )


def test_wrong_groups_are_no_number() -> None:
    assert isinstance(parse("4,194,30", notation=Notation(separators=(",",))), Sequence)
    assert isinstance(parse("0,119", notation=Notation(separators=(",",))), Sequence)


def test_suffixes_and_percent_are_read_where_asked_for() -> None:
    notation = Notation(percent=True, suffixes={"k": 1000, "M": 10**6})
    assert read_expression("4.2M", ENV, notation=notation) == num(4200000)
    assert read_expression("11.92%", ENV, notation=notation) == div(num(Fraction(1192, 100)), num(100))
    assert fault("4.2M").code == "undeclared"
    assert fault("11.92%").code == "unexpected"


@pytest.mark.parametrize("text", ["32x128x768", "32 x 128 x 768", "32×128×768", "(32 x 128 x 768)", "32, 128, 768"])
def test_crosses_separate_the_items_of_a_shape_where_asked_for(text: str) -> None:
    node = parse(text, notation=Notation(cross="separator"))
    assert isinstance(node, Sequence)
    assert [n.value for n in node.items if isinstance(n, Number)] == [32, 128, 768]


def test_crosses_between_names_separate_too() -> None:
    node = parse("BxTxd_model", ["B", "T", "d_model"], notation=Notation(cross="separator"))
    assert isinstance(node, Sequence)
    assert len(node.items) == 3


def test_a_lone_x_multiplies_where_asked_for_and_not_declared() -> None:
    env = Environment.of([declare("n", "size")])
    notation = Notation(cross="product")
    assert read_expression("4x10^6", env, notation=notation) == mul(num(4), power(num(10), num(6)))
    assert read_expression("n x 2", env, notation=notation) == mul(N, TWO)
    assert read_expression("2 x", ENV, notation=notation) == mul(TWO, X_)


def test_infinity_and_nan_are_parts_of_the_tree_and_no_terms() -> None:
    assert parse("inf") == Special((0, 3), "inf")
    assert parse("∞") == Special((0, 1), "inf")
    assert parse("NaN") == Special((0, 3), "nan")
    assert fault("inf").code == "not-a-number"


def test_brackets_of_a_sequence_are_kept() -> None:
    kinds = {"(1, 2)": "(", "[1, 2]": "[", "{1, 2}": "{", "1, 2": "", "［1，2］": "["}
    for text, bracket in kinds.items():
        node = parse(text)
        assert isinstance(node, Sequence)
        assert node.bracket == bracket


@given(st.fractions(min_value=0, max_value=10**9, max_denominator=1).map(int), st.integers(0, 12))
def test_decimals_are_exact(digits: int, places: int) -> None:
    text = f"{digits:0{places + 1}d}"
    text = f"{text[:-places]}.{text[-places:]}" if places else text
    assert read(text) == num(Fraction(digits, 10**places))


@given(st.text(alphabet="ndxz_i0123456789+-*/^()[]{},.=!|%<>e \\αß²", max_size=40))
def test_any_text_is_read_or_refused_at_a_place_in_it(text: str) -> None:
    try:
        read(text)
    except SyntaxFault as why:
        check_fault(why, text)
