"""The evaluator that verdicts are held against: its values are those of the design page, worked out by hand here."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.meaning.expressions import read, read_problem, write
from tests.meaning.generating import generated
from tests.meaning.models import from_entries, many
from tests.meaning.partial import CannotTell, NoValue, holds, interval, is_model, settled, value

MODEL: dict[str, object] = {
    "n": Fraction(3),
    "x": Fraction(0),
    "y": Fraction(-2),
    "z": from_entries((3,), {(1,): Fraction(1), (2,): Fraction(0), (3,): Fraction(4)}),
    "w": from_entries((0,), {}),
    "A": from_entries((1, 2), {(1, 1): Fraction(5), (1, 2): Fraction(6)}),
}


@pytest.mark.parametrize(("text", "expected"), [
    ("x^0", 1), ("0^0", 1), ("2^(-2)", Fraction(1, 4)), ("y^3", -8), ("sqrt(y^2)", 2), ("ln(exp(y))", -2),
    ("exp(y)*exp(2)", 1), ("exp(ln(3)*0)", 1), ("(exp(1) + exp(2))/(exp(2) + exp(3))*exp(1)", 1),
    ("(exp(2) - 1)/(exp(1) - 1) - exp(1)", 1), ("sum(j = 1..n, z[j])", 5), ("sum(j = 1..0, 1/0)", 0),
    ("sum(j = 2..1, z[9])", 0), ("max(j = 1..n, z[j])", 4), ("max(x, y, 1)", 1), ("if(n = 3, 7, 1/0)", 7),
    ("if(n < 3, z[4], 7)", 7), ("A[1, 2]", 6), ("(2*z)[3]", 8), ("(z - z[3])[1]", -3),
    ("softmax(0*z)[2]", Fraction(1, 3)),
    ("sum(j = 1..n, softmax(z)[j])", 1), ("sum(j = 1..n, sum(k = 1..j, k))", 10), ("(1/z)[3]", Fraction(1, 4)),
])  # fmt: skip
def test_a_value_is_exact(text: str, expected: Fraction) -> None:
    assert value(read(text), MODEL) == expected


@pytest.mark.parametrize("text", [
    "1/x", "0/x", "x^(-1)", "(1/x)^0", "ln(x)", "0*ln(y)", "sqrt(y)", "z[0]", "z[4]", "z[4]*0", "A[2, 1]", "w[1]",
    "max(j = 1..0, j)", "sum(j = 0..n, z[j])", "sum(j = 1..n, 1/z[j])", "if(n = 3, 1/0, 7)", "1/(exp(1) - exp(1))",
    "1/(exp(2) - exp(1)*exp(1))", "ln(exp(1) - exp(2))", "1/(exp(1)/exp(3) - exp(y))", "softmax(ln(z))[1]", "1/z",
    "softmax(z)[4]", "sqrt(sum(j = 1..n, -z[j]))",
])  # fmt: skip
def test_there_is_no_value(text: str) -> None:
    with pytest.raises(NoValue):
        settled(value(read(text), MODEL))


def test_what_agrees_in_all_digits_is_not_called_equal() -> None:
    with pytest.raises(CannotTell):
        holds(read("ln(6) = ln(2) + ln(3)"), MODEL)
    assert not holds(read("ln(6) = ln(2) + ln(4)"), MODEL)
    assert holds(read("ln(2) < sqrt(2)"), MODEL)
    assert 0.693 < interval(value(read("ln(2)"), MODEL)).a < 0.694


def test_a_model_is_one_of_all_that_is_declared_and_supposed() -> None:
    declared = "let n : size\nlet t : index[n - 1]\nlet u : real[n - 2]\n"
    problem = read_problem(declared + "suppose 1/u[j] = 1 for all j : index[n - 2]\nclaim n = n\n")
    given = problem.declarations, problem.hypotheses
    ones = from_entries((1,), {(1,): Fraction(1)})
    assert is_model(*given, {"n": Fraction(3), "t": Fraction(2), "u": ones})
    assert not is_model(*given, {"n": Fraction(3), "t": Fraction(3), "u": ones})
    assert not is_model(*given, {"n": Fraction(3), "t": Fraction(2), "u": from_entries((1,), {(1,): Fraction(0)})})
    assert not is_model(*given, {"n": Fraction(2), "t": Fraction(1), "u": ones})
    assert is_model(*given, {"n": Fraction(2), "t": Fraction(1), "u": from_entries((0,), {})})
    assert not is_model(*given, {"n": Fraction(1), "t": Fraction(1), "u": from_entries((0,), {})})


def test_models_are_found_where_equations_tie_names() -> None:
    declared = "let n : size\nlet z : real[n]\nlet x : real\nlet y : real\n"
    supposed = "suppose x*y = 1\nsuppose z[j] = x for all j : index[n]\nsuppose 0 < x\n"
    problem = read_problem(declared + supposed + "claim x = x\n")
    found = list(many(problem, random.Random(1), 20, 200))
    assert len(found) >= 15
    assert all(is_model(problem.declarations, problem.hypotheses, model) for model in found)


def test_what_is_written_is_read_back() -> None:
    for k in range(200):
        problem = generated(f"written {k}")
        for e in (*problem.claim.args, *(line for _, line in problem.lines)):
            assert read(write(e)) == e, write(e)
