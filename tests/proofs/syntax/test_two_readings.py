"""What people read in two ways is refused with both readings; what a reader decides is shown."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.syntax.as_read import as_read
from proofs.syntax.derivation import read_derivation
from proofs.syntax.elaborate import elaborate, read_expression
from proofs.syntax.environment import Environment, declare
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.parser import parse, reading
from proofs.syntax.tokens import Notation
from proofs.terms import num

N = declare("n", "size")
NAMES = (
    N, declare("d", "size"), declare("h", "size"), declare("d_k", "size"), declare("i", "index", N.variable),
    declare("x", "real"), declare("y", "real"), declare("f", "real"), declare("E", "real"), declare("sizes", "real"),
    declare("alpha", "real"), declare("z", "real", None, (N.variable,)),
)  # fmt: skip
ENV = Environment.of(NAMES)
ANSWERS = Notation(percent=True, suffixes={"M": 10**6}, cross="product")


def refusal(text: str, env: Environment = ENV, notation: Notation = ANSWERS) -> SyntaxFault:
    with pytest.raises(SyntaxFault) as why:
        read_expression(text, env, notation=notation)
    return why.value


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("ln 2x", "ln(2*x)", "ln(2)*x"),
        ("exp 2x", "exp(2*x)", "exp(2)*x"),
        (r"\exp x y", "exp(x*y)", "exp(x)*y"),
        (r"\ln{2}x", "ln(2*x)", "ln(2)*x"),
        ("sqrt 2x", "sqrt(2*x)", "sqrt(2)*x"),
        ("√2x", "sqrt(2*x)", "sqrt(2)*x"),
        ("ln x/y", "ln(x/y)", "ln(x)/y"),
        (r"\ln x/y", "ln(x/y)", "ln(x)/y"),
        ("log_2 x y", "ln(x*y)/ln(2)", "(ln(x)/ln(2))*y"),
        ("ln(x+1)(x-1)", "ln((x + 1)*(x - 1))", "ln(x + 1)*(x - 1)"),
        ("ln (x+1)^2", "ln((x + 1)^2)", "ln(x + 1)^2"),
        (r"\ln(x+1)^2", "ln((x + 1)^2)", "ln(x + 1)^2"),
        ("ln(x)²", "ln(x^2)", "ln(x)^2"),
        (r"\sqrt x^2", "sqrt(x^2)", "sqrt(x)^2"),
        ("e^xy", "e^(x*y)", "e^x*y"),
        ("e^2x", "e^(2*x)", "e^2*x"),
        ("2^3x", "2^(3*x)", "2^3*x"),
        ("x^ny", "x^(n*y)", "x^n*y"),
        ("ln 2*x", "ln(2*x)", "ln(2)*x"),
        ("ln2*x", "ln(2*x)", "ln(2)*x"),
        ("ln2/x", "ln(2/x)", "ln(2)/x"),
        ("ln1/2", "ln(1/2)", "ln(1)/2"),
        ("ln x·y", "ln(x*y)", "ln(x)*y"),
        (r"\ln x·y", "ln(x*y)", "ln(x)*y"),
        ("sqrt 2/2", "sqrt(2/2)", "sqrt(2)/2"),
        ("sqrt2*7", "sqrt(2*7)", "sqrt(2)*7"),
        ("√x/2", "sqrt(x/2)", "sqrt(x)/2"),
        (r"\sqrt2d", "sqrt(2*d)", "sqrt(2)*d"),
        (r"\sqrt h/d", "sqrt(h/d)", "sqrt(h)/d"),
        (r"\sqrt2(x+1)", "sqrt(2*(x + 1))", "sqrt(2)*(x + 1)"),
        (r"\ln{2x}", "ln(2*x)", "ln(2)*x"),
        (r"\ln{x+1}", "ln(x + 1)", "ln(x) + 1"),
        (r"\exp{-2x}", "exp(-2*x)", "exp(-2)*x"),
        ("√ 2dd x", "sqrt(2*d*d*x)", "sqrt(2)*d*d*x"),
        ("e^-x/2", "e^(-x/2)", "e^(-x)/2"),
        ("e^-x^2/(2y^2)", "e^(-x^2/(2*y^2))", "e^(-x^2)/(2*y^2)"),
        ("e^x/2", "e^(x/2)", "(e^x)/2"),
        ("x^-1/2", "x^(-1/2)", "x^(-1)/2"),
        ("n x n", "n*x*n", "n*n"),
        ("2 x (y+1)", "2*x*(y + 1)", "2*(y + 1)"),
        ("1/2nd x", "1/(2*n*d*x)", "(1/2)*n*d*x"),
        ("√½d", "sqrt(0.5*d)", "sqrt(0.5)*d"),
        ("x^-2y", "x^((-2)*y)", "x^(-2)*y"),
        ("2^n(n+1)", "2^(n*(n + 1))", "2^n*(n + 1)"),
        ("x^1/2", "x^(1/2)", "(x^1)/2"),
        ("2^3^2", "2^(3^2)", "(2^3)^2"),
        ("1/2n", "1/(2*n)", "(1/2)*n"),
        ("x/y(h)", "x/(y*h)", "(x/y)*h"),
        ("1 1/2", "1 + 1/2", "1*(1/2)"),
        (r"3\frac12", "3 + 1/2", "3*(1/2)"),
        ("x % d", "x/100*d", "x mod d"),
        ("7 % (4)", "7/100*..", "7 mod .."),
        ("0.5 (50%)", "0.5*(50/100)", "0.5, 50/100"),
        ("3 (4)", "3*4", "3, 4"),
        ("1024 (2^10)", "1024*2^10", "1024, 2^10"),
        ("0x10", "0*x*10", "16"),
        ("5!!", "(5!)!", "5*(5 - 2)*(5 - 4)*.."),
        ("max(1,000, d)", "1000", "1, 000"),
        ("E(x)", "E*(..)", "E(..)"),
        (r"\sum_{i=1}^n z_i + z_i", "sum(i = 1..n, z[i]) + z[i]", "sum(i = 1..n, z[i] + z[i])"),
        (r"\max_i z_i x", "max(i, z[i]*x)", "max(i, z[i])*x"),
        (r"\log \sum_i e^{z_i} x", "ln(sum(i, e^z[i]*x))", "ln(sum(i, e^z[i]))*x"),
    ],
)
def test_both_readings_are_given(text: str, one: str, other: str) -> None:
    why = refusal(text)
    assert (why.code, why.params.get("one"), why.params.get("other")) == ("two-readings", one, other)


def test_a_power_of_ten_beside_the_number_e_is_refused() -> None:
    declared = Environment.of([*NAMES, declare("e", "real")])
    for text, env in (("2e+3", declared), ("2e+3 + e^x", ENV), ("2E3", ENV)):
        assert refusal(text, env).code == "two-readings"
    assert read_expression("2e+3", ENV) == num(2000)


def test_factorial_before_an_equals_sign_is_no_inequality() -> None:
    with pytest.raises(SyntaxFault) as why:
        parse("3!=6")
    assert why.value.params == {"one": "3 != ..", "other": "3! = .."}


@pytest.mark.parametrize(
    "text", ["f(x + y)", "alpha(x)", "sizes(x)", "q(x)", "Q_1(x)", r"\psi(x)", "rank(x)", "f_1(x)"]
)
def test_what_reads_as_a_function_is_no_factor(text: str) -> None:
    assert refusal(text).code == "unknown-function"


def test_derivatives_and_expectations_are_no_products() -> None:
    for text in ("d/dx x^2", r"\frac{d}{dx} x^2", r"\frac{d^2 y}{dx^2}", r"\partial x"):
        assert refusal(text).code == "derivative"
    assert refusal("E[x]").code == "unknown-function"


@pytest.mark.parametrize("name", ["cos", "Var", "sigma", "\\sigma", "min"])
def test_names_of_known_functions_are_not_declared(name: str) -> None:
    with pytest.raises(SyntaxFault) as why:
        read_derivation(f"let {name} : real\nclaim 1 = 1\nproof\n 1\n = 1", {})
    assert why.value.code == "reserved-name"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("sum(i, 1, n, z[i])", "sum(j = 1..n, x[j])"),
        ("sum(i in 1..n, z[i])", "sum(j = 1..n, x[j])"),
        ("sum(i=1:n, z[i])", "sum(i = 1..n, x[i])"),
        ("sum_{i}", "sum(i = 1..n, x[i])"),
        ("max x, y", "max(x, y)"),
    ],
)
def test_a_near_miss_names_the_form(text: str, form: str) -> None:
    why = refusal(text)
    assert (why.code, why.params["form"]) == ("form", form)


@pytest.mark.parametrize(("sign", "right"), [("==", "="), (":=", "="), ("=>", ">="), ("=<", "<="), ("<>", "!=")])
def test_signs_of_other_languages_are_named(sign: str, right: str) -> None:
    why = refusal(f"x {sign} y")
    assert (why.code, why.params["form"]) == ("written-as", right)
    lines = read_derivation(f"let x : real\nclaim x = x\nproof\n x\n {sign} x", {}).lines
    assert lines[1].fault is not None
    assert lines[1].fault.caret() == f" {sign} x\n ^"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("4d(d+1)", "4*d*(d + 1)"),
        ("h(d_k + d)", "h*(d_k + d)"),
        ("2dh(x+y)", "2*d*h*(x + y)"),
        (r"\ln d^2", "ln(d^2)"),
        ("2 sqrt 2", "2*sqrt(2)"),
        ("log(x)", "ln(x)"),
        ("28%", "28/100"),
        ("4.2M", "4200000"),
        ("1/2 n", "(1/2)*n"),
        ("ln 2 * x", "ln(2)*x"),
        (r"\ln 2 \cdot x", "ln(2)*x"),
        ("2 sqrt 2 / 3", "2*sqrt(2)/3"),
        ("√3/2", "sqrt(3)/2"),
        ("√2*x", "sqrt(2)*x"),
        ("ln|x|/x", "ln(abs(x))/x"),
        ("ln x/ln 2", "ln(x)/ln(2)"),
        (r"\ln{(x+1)}", "ln(x + 1)"),
        (r"\exp{-x^2}", "exp(-x^2)"),
        ("ln0.5", "ln(0.5)"),
        ("ln½²", "ln(0.5^2)"),
        ("e^x / 2", "(e^x)/2"),
        ("e^x/(1+e^x)", "(e^x)/(1 + e^x)"),
        ("2 x ln x", "2*x*ln(x)"),
        ("n^2d", "n^2*d"),
        ("e^x y", "e^x*y"),
        (r"\sum_i z_i + x", "sum(i, z[i]) + x"),
    ],
)
def test_what_the_reader_decided_is_shown(text: str, read: str) -> None:
    found = reading(text, ENV.declarations, tensors=ENV.tensors(), notation=ANSWERS)
    assert (found.decided, as_read(found.node, ENV.tensors())) == (True, read)


@pytest.mark.parametrize(
    "text",
    [
        "x*y",
        r"x \cdot y",
        "x · y",
        "((x))",
        "exp(x)^2",
        r"\sqrt{2}d",
        r"\sqrt2/2",
        "x^2/2",
        "½x",
        "2x",
        "2 y x",
        "z[i]",
        r"\frac{x}{y}",
        "-x^2",
        "x - 1",
    ],
)
def test_what_was_read_as_it_was_typed_is_not_shown(text: str) -> None:
    assert not reading(text, ENV.declarations, tensors=ENV.tensors()).decided


@pytest.mark.parametrize(
    "text", ["4d(d+1)/2", r"\ln d^2 - x", "x/y/h*d", "-(x - y)^2", "sum(i = 1..n, z[i]*x)^2", "|x - y|", "x^(-n)"]
)
def test_a_reading_reads_back_as_the_same(text: str) -> None:
    node = parse(text, ENV.declarations, tensors=ENV.tensors())
    again = parse(as_read(node, ENV.tensors()), ENV.declarations, tensors=ENV.tensors())
    assert elaborate(again, ENV) == elaborate(node, ENV)


def test_a_line_of_a_derivation_carries_how_it_was_read() -> None:
    text = "let d : size\nclaim 4d(d+1) = 4*d^2 + 4*d\nproof\n 4d(d+1)\n = 4*d^2 + 4*d"
    found = read_derivation(text, {})
    assert [line.read for line in found.lines] == ["4*d*(d + 1)", None]
    assert [(h.line_number, h.read) for h in found.header] == [(2, "4*d*(d + 1) = 4*d^2 + 4*d")]


def test_a_reading_that_names_what_nobody_declared_says_so_first() -> None:
    for text, name in (("d1/2x", "d1"), ("1/2h7", "h7"), ("2/3π", "pi"), ("ln 2q", "q")):
        why = refusal(text)
        assert (why.code, why.params.get("name")) == ("undeclared", name)


def test_both_readings_are_accepted_when_they_are_typed() -> None:
    texts = ("ln2/x", r"\sqrt2d", r"\ln{2x}", "e^-x/2", "e^x/2", "x^1/2", "√ 2dd", "e^z[i]/2", "1/2nd", "2^n/n", "√½d")
    env = Environment.of([*NAMES, declare("m", "size")])
    for text in texts:
        why = refusal(text, env)
        for reading_ in (str(why.params["one"]), str(why.params["other"])):
            assert as_read(parse(reading_, env.declarations, tensors=env.tensors()), env.tensors()) == reading_


@pytest.mark.parametrize(("text", "form"), [("log2(8)", "log_2(..)"), ("log2 x", "log_2(..)")])
def test_a_logarithm_with_its_base_behind_the_word_names_the_form(text: str, form: str) -> None:
    why = refusal(text)
    assert (why.code, why.params["form"]) == ("written-as", form)


def test_a_fraction_of_one_character_is_a_numeral() -> None:
    half = num(Fraction(1, 2))
    assert read_expression("½", ENV) == half
    assert read_expression("2½", ENV) == num(Fraction(5, 2))
