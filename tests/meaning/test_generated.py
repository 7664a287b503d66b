"""Short generated derivations get no false verdict; `python -m tests.meaning.generated` checks many, and long ones."""

from __future__ import annotations

import random

import pytest

from tests.meaning.expressions import Problem, read_problem, size
from tests.meaning.generated import Tally, checked
from tests.meaning.generating import generated
from tests.meaning.judging import FALSE, Line, Said, findings

HEAD = "let n : size\nlet z : real[n]\nlet x : real\nlet t : index[n - 1]\n"


def _length(problem: Problem) -> int:
    return size(problem.claim) + sum(size(e) for _, e in problem.lines)


def test_generated_derivations_get_no_false_verdict() -> None:
    tally = Tally()
    for seed in (s for s in (f"quick.{k}" for k in range(480)) if _length(generated(s)) <= 40):
        result = checked(seed, models=20)
        assert not [f for f in result["found"] if f[0] in {*FALSE, "crash"}], result  # type: ignore[attr-defined]
        tally.enter(result)
    assert min(tally.wholes[verdict] for verdict in ("proved", "needs", "refuted")) >= 10, tally


def _problem(claim: str, *lines: str) -> Problem:
    return read_problem(HEAD + f"claim {claim}\nproof\n" + "\n".join(lines) + "\n")


@pytest.mark.parametrize(("problem", "said"), [
    (_problem("0/x = 0", "0", "= 0"), Said("proved", (Line("proved"), Line("proved")))),
    (_problem("x/x = 1", "x/x", "= 1"), Said("needs", (Line("needs"), Line("proved")))),
    (_problem("x = x", "x", "= x + 0*ln(x)"), Said("unknown", (Line("proved"), Line("proved")))),
    (_problem("x = 2*x", "x", "= 2*x"), Said("proved", (Line("proved"), Line("proved")))),
    (_problem("x = x + z[t + 2]*0", "x", "= x"), Said("proved", (Line("proved"), Line("proved")))),
])  # fmt: skip
def test_a_false_proof_is_found(problem: Problem, said: Said) -> None:
    found = {f.kind for f in findings(problem, said, random.Random(1))}
    assert found & {"false proved", "step from nothing"}


@pytest.mark.parametrize(("values", "claim"), [
    ({"n": "1", "z": "[1]", "x": "1", "t": "1"}, "x = 2*x"),  # no model: t is in 1..n - 1
    ({"n": "1", "z": "[1]", "x": "1"}, "x = 2*x"),
    ({"n": "2", "z": "[1, 1]", "x": "0", "t": "1"}, "x = 2*x"),  # both sides agree
    ({"n": "2", "z": "[1, 1]", "x": "0", "t": "1"}, "x + 1 = 1/x"),  # a side has no value
    ({"n": "2", "z": "[1, 1]", "x": "1", "t": "1"}, "x = z[t + 2]"),
])  # fmt: skip
def test_a_false_counterexample_is_found(values: dict[str, str], claim: str) -> None:
    left, right = claim.split(" = ")
    said = Said("refuted", (Line("proved"), Line("refuted", (), values)))
    found = {f.kind for f in findings(_problem(claim, left, f"= {right}"), said, random.Random(1))}
    assert found & {"false refuted", "inspect"}


def test_advice_that_is_needless_or_impossible_is_found() -> None:
    problem = _problem("x/(x^2 + 1) = x/(x^2 + 1)", "x/(x^2 + 1)", "= x/(1 + x^2)")
    said = Said("needs", (Line("needs", ("x^2 + 1 != 0", "x^2 + 1 = 0", "0 < x")), Line("needs")))
    assert [(f.kind, f.what) for f in findings(problem, said, random.Random(1))] == [
        ("needless", "x^2 + 1 != 0"),
        ("impossible", "x^2 + 1 = 0"),
    ]
