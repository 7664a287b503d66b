"""What can't be read is refused with a code, at its place, quickly, and without a trace of a crash."""

from __future__ import annotations


import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.syntax.elaborate import read_expression, read_relation
from proofs.syntax.environment import Environment, declare
from proofs.syntax.faults import _ENGLISH, SyntaxFault
from proofs.syntax.parser import parse
from tests.proofs.syntax.reading import ENV, check_fault, fault, read


@pytest.mark.parametrize(
    ("text", "code", "start"),
    [
        ("", "empty", 0),
        ("   ", "empty", 3),
        ("x +", "unexpected-end", 3),
        ("(x + y", "unexpected-end", 6),
        ("x)", "unexpected", 1),
        ("x + ", "unexpected-end", 4),
        ("x * / y", "unexpected", 4),
        ("2 3", "missing-operator", 2),
        ("x 2", "missing-operator", 2),
        ("(x)2", "missing-operator", 3),
        ("1.2.3", "unexpected", 3),
        ("1/2n", "two-readings", 3),
        ("x/y c", "two-readings", 4),
        ("1/2(n+1)", "two-readings", 3),
        ("x^2^", "unexpected-end", 4),
        ("x = y", "relation-unexpected", 0),
        ("x = y = c", "relation-unexpected", 6),
        ("q", "undeclared", 0),
        ("x + d2", "undeclared", 4),
        ("helpx", "undeclared", 0),
        ("d_modle", "undeclared", 0),
        ("x_1", "undeclared", 0),
        ("f(x)", "unknown-function", 0),
        ("sin(x)", "outside-language", 0),
        ("log2(x)", "written-as", 0),
        ("n!", "outside-language", 0),
        ("(1/2)!", "outside-language", 0),
        ("(-1)!", "outside-language", 0),
        ("1000!", "factorial-too-large", 0),
        ("(10^7)!", "factorial-too-large", 0),
        ("((9!)!)!", "factorial-too-large", 1),
        ("(10^13 - 10^14 + 5)!", "factorial-too-large", 0),
        ("binom(10^8, 5*10^7)", "factorial-too-large", 0),
        ("binom(n, n)", "outside-language", 0),
        ("binom(n, 41)", "factorial-too-large", 0),
        ("2^x", "exponent-not-integer", 2),
        ("x^(1/3)", "outside-language", 3),
        ("x^0.3", "outside-language", 2),
        ("inf + 1", "not-a-number", 0),
        ("{1, 2}", "sequence-unexpected", 0),
        ("x[i]", "not-a-tensor", 0),
        ("2[i]", "not-a-tensor", 0),
        ("z[x]", "not-an-integer", 2),
        ("z[n/2]", "not-an-integer", 2),
        ("z[z]", "tensor-unexpected", 2),
        ("z[i, t]", "wrong-number-of-indices", 0),
        ("A[i]", "wrong-number-of-indices", 0),
        ("z + A", "dimensions-differ", 0),
        ("z + [1, 2]", "dimensions-differ", 0),
        ("z*u", "tensor-product", 0),
        ("z u", "tensor-product", 0),
        ("z/u", "tensor-product", 0),
        ("A^2", "tensor-product", 0),
        ("sum(j = 1..x, j)", "not-an-integer", 11),
        ("sum(j = 1..n)", "form", 0),
        ("sum(j, z[j])", "form", 0),
        ("sum(x)", "range-unknown", 0),
        ("sum(e = 1..n, 1)", "unexpected", 4),
        ("if(x < y, 1, 2)", "not-an-integer", 3),
        ("if(i, 1, 2)", "relation-expected", 3),
        ("if(i = 1, 2)", "wrong-number-of-arguments", 0),
        ("exp(x, y)", "wrong-number-of-arguments", 0),
        ("log(8, 2)", "wrong-number-of-arguments", 0),
        ("softmax(x)", "dimensions-differ", 8),
        ("softmax(A)", "dimensions-differ", 8),
        ("softmax(z, z, z)", "wrong-number-of-arguments", 0),
        ("softmax(m, z)", "dimensions-differ", 11),
        ("softmax(x, z)", "not-an-integer", 8),
        ("prefix(x, z)", "not-an-integer", 7),
        ("softmax(softmax)", "unexpected", 15),
        ("exp", "unexpected-end", 3),
        ("exp + 1", "unexpected", 4),
        ("[[1, 2], [3]]", "dimensions-differ", 0),
        ("[]", "unexpected", 1),
        ("(x,)", "unexpected", 3),
        ("x..y", "unexpected", 1),
        ("a.b", "unexpected", 1),
        ("().__class__", "unexpected", 2),
        ("__import__('os')", "unexpected", 11),
        ("lambda: 0", "unexpected", 6),
        ("x\\frac{1}{2}'", "unexpected", 12),
        ("x @ y", "unexpected", 2),
        ("x // y", "unexpected", 3),
        ("x % y", "two-readings", 2),
        ("数", "unexpected", 0),
        ("1\x00", "control-character", 1),
        ("1\u202e2", "control-character", 1),
        ("1\u200b2", "control-character", 1),
        ("\ufeff1", "control-character", 0),
        ("x\ud800", "control-character", 1),
        ("1e901", "number-too-long", 0),
        ("1e99999999999", "number-too-long", 0),
        ("9" * 1001, "number-too-long", 0),
        ("x\u2028y", "control-character", 1),
    ],
)
def test_text_is_refused_with_this_code_at_this_place(text: str, code: str, start: int) -> None:
    why = fault(text)
    assert (why.code, why.span[0]) == (code, start)
    assert why.span[1] <= len(text)
    assert code in _ENGLISH
    assert "\n" not in str(why)


@pytest.mark.parametrize(
    ("text", "name", "nearest"),
    [
        ("d_modle + 1", "d_modle", "d_model"),
        ("D_model", "D_model", "d_model"),
        ("dmodel", "dmodel", "d_model"),
        ("d_{modl}", "d_modl", "d_model"),
        ("softmx(z)", "softmx", "softmax"),
        ("qqq", "qqq", ""),
    ],
)
def test_an_undeclared_symbol_is_named_with_the_nearest_declared_one(text: str, name: str, nearest: str) -> None:
    assert fault(text).params == {"name": name, "nearest": nearest}


def test_a_fault_shows_its_place_under_the_line() -> None:
    assert fault("x + q").caret("x + q") == "x + q\n    ^"
    assert fault("（x，）").caret("（x，）") == "（x，）\n     ^"
    assert SyntaxFault("unexpected", (6, 7), {"found": "q"}).caret("x +\n  q\n") == "  q\n  ^"


def test_a_relation_is_asked_for_where_one_must_be() -> None:
    for text, code in {
        "x + y": "relation-expected",
        "z <= u": "tensor-unexpected",
        "z = x": "dimensions-differ",
    }.items():
        with pytest.raises(SyntaxFault) as why:
            read_relation(text, ENV)
        assert why.value.code == code


def test_no_two_scopes_share_a_name() -> None:
    assert fault("sum(j = 1..n, z[j]) + j").code == "undeclared"
    assert fault("sum(j = 1..j, z[j])").code == "undeclared"


HOSTILE = {
    "open brackets": "(" * 5000,
    "brackets": "(" * 1400 + "1" + ")" * 1400,
    "full-width brackets": "（" * 1400,
    "lists": "[" * 1400,
    "signs": "-" * 2900 + "1",
    "factorials": "1" + "!" * 2900,
    "functions": "exp " * 2000 + "1",
    "roots": "√" * 2500 + "2",
    "towers": "2" + "^2" * 1400,
    "tower of nines": "9**9**9**9",
    "tower of tens": "10^10^10^10",
    "fractions": r"\frac{1}{" * 1400,
    "cases": r"\begin{cases}" * 200,
    "left": r"\left" * 4000,
    "backslashes": "\\" * 9000,
    "digits": "9" * 100_000,
    "fewer digits": "9" * 19_000,
    "divisions": "1" + "/d" * 1400,
    "a run": "n" * 19_999,
    "runs": " ".join(["ndndndndndndndndndndndndndndnddddnndnndnn"] * 480),
    "undeclared": "undeclared_name " * 900,
    "subscripts": "z" + "_z" * 900,
    "raised": "x" + "²" * 2000,
    "lowered": "x" + "₂" * 5000,
    "bars": "|" * 2000,
    "commas": "," * 2000,
    "quotes": "'" * 2000,
    "a long list": "[" + ",".join(["1"] * 1400) + "]",
    "binomials": "binom(" * 20 + "n" + ",40)" * 20,
    "sums in sums": "sum(j=1..n, " * 30 + "z[j]" + ")" * 30,
    "ifs": "if(i<=1," * 40 + "1" + ",2)" * 40,
    "spread on spread": "softmax(" * 30 + "z" + "+c)" * 30,
    "long": "x+" * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_refused_quickly(name: str) -> None:
    why = fault(HOSTILE[name])
    assert len(str(why)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "+".join(["x"] * 1490),
        "*".join(["z[i]"] * 500),
        r"\sum_j softmax(" * 12 + "z" + "_j z)" * 12 + "_j",
        "(" * 30 + "z" + "+c)" * 30 + "[i]",
        "sum(j=1..n, " * 12 + "+".join(["z[j]"] * 500) + ")" * 12,
        "10^(10^10)",
        "-" * 60 + "1",
        "e^{" * 30 + "x" + "}" * 30,
    ],
)
def test_long_input_within_the_limits_is_read_quickly(text: str) -> None:
    read(text)


@given(st.text(max_size=60))
def test_any_characters_are_read_or_refused(text: str) -> None:
    try:
        read(text)
    except SyntaxFault as why:
        check_fault(why, text)


PIECES = ("x", "z", "(", ")", "[", "]", "{", "}", "+", "-", "*", "/", "^", "_", "!", ",", "=", "<=", "..", "sum", "max",
          "if", "1", "2", " ", "|", "exp", "sqrt", "softmax", "j", "i", "\\frac", "\\sum", "\\begin{cases}", "&",
          "\\\\", "\\left", "\\{", "e", "log", "binom", "²", "$", "\\text{if}", "A")  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_sequence_of_symbols_is_read_or_refused(text: str) -> None:
    try:
        read(text)
    except SyntaxFault as why:
        check_fault(why, text)


def test_every_code_in_use_has_a_sentence_that_its_parameters_fill() -> None:
    env = Environment.of([declare("n", "size")])
    with pytest.raises(SyntaxFault) as why:
        read_expression("m", env)
    assert str(why.value) == "'m' is not declared (at 1)"


def test_a_root_without_braces_takes_one_digit_as_tex_does() -> None:
    with pytest.raises(SyntaxFault) as fault:
        parse(r"\sqrt25", latex=True)
    assert fault.value.code == "missing-operator"
    assert parse(r"\sqrt{25}", latex=True) != parse(r"\sqrt2", latex=True)
