"""Hints: four rungs for the first line that does not hold."""

from __future__ import annotations

import pytest

from derive.definitions import signatures
from derive.hints import hint
from derive.library import reason_names
from proofs.syntax.derivation import read_derivation
from proofs.verify import Report, verify

SLIP = """
let n : size
let z : real[n]
let c : real
let i : index[n]
claim softmax(z - c)[i] = softmax(z)[i]
proof
  softmax(z - c)[i]
  = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))
  = (exp(z[i]) - exp(c)) / sum(j = 1..n, exp(z[j]) - exp(c))
"""
ZERO = """
let x : real
let y : real
claim x*y/x = y
proof
  x*y/x
  = y
"""


def _report(text: str) -> Report:
    return verify(read_derivation(text, signatures()), reason_names())


@pytest.mark.parametrize(
    ("rung", "said"),
    [(1, "quotient"), (2, "exp of a sum"), (3, "exp(x + y) = exp(x)*exp(y)"), (4, "= exp(z[i])*exp(-c)/sum(")],
)
def test_each_rung_says_more_than_the_one_below(rung: int, said: str) -> None:
    assert said in hint(_report(SLIP), rung, "en")


def test_the_line_of_the_last_rung_is_itself_proved() -> None:
    line = hint(_report(SLIP), 4, "en").split(": ", 1)[1]
    kept = SLIP.rstrip().rsplit("\n", 1)[0]
    assert [v.verdict for v in _report(f"{kept}\n  {line}\n").lines] == ["proved"] * 3


def test_a_missing_condition_is_named_on_the_third_rung_only() -> None:
    report = _report(ZERO)
    assert "x != 0" not in hint(report, 1, "en") + hint(report, 2, "en")
    assert "x != 0" in hint(report, 3, "en")
    assert hint(report, 4, "zh").endswith("suppose x != 0")


def test_a_claim_that_is_false_gets_no_hint_towards_it() -> None:
    report = _report("let x : real\nclaim x = x + 1\nproof\n  x\n  = x + 1\n")
    assert "Is the claim right?" in hint(report, 4, "en")
