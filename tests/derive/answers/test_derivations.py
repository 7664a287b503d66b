"""Answers that are derivations: the statement must be the theorem's own, and then every line be proved."""

# ruff: noqa: E501
from __future__ import annotations

import re

import pytest

from derive.answers.checking import Entry, Judged, check
from derive.answers.derivations import same_statement
from derive.answers.report import as_json, why
from derive.definitions import signatures
from proofs.syntax.derivation import read_derivation

SHIFT = """let n : size
let z : real[n]
let c : real
let i : index[n]
claim softmax(z - c)[i] = softmax(z)[i]
proof
  softmax(z - c)[i]
  = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))
  = exp(z[i])*exp(-c) / sum(j = 1..n, exp(z[j])*exp(-c))
  = exp(z[i]) / sum(k = 1..n, exp(z[k]))
  = softmax(z)[i]
"""


def judged(text: str, theorem: str = "softmax-shift-invariance") -> Judged:
    return check(Entry("x", "proof", {"theorem": theorem}, text))


def alike(a: str, b: str) -> bool:
    return same_statement(*(read_derivation(t, signatures()).statement for t in (a, b)))


RENAMED = re.sub(r"\bn\b", "m", re.sub(r"\bz\b", "w", SHIFT))


@pytest.mark.parametrize(
    "other",
    [
        RENAMED,
        SHIFT.replace("let c : real\nlet i : index[n]", "let i : index[n]\nlet c : real"),
        SHIFT.replace("let z : real[n]\nlet c : real", "let c : real\nlet z : real[n]"),
    ],
)
def test_names_and_order_of_declarations_do_not_matter(other: str) -> None:
    assert alike(SHIFT, other)


@pytest.mark.parametrize(
    "other",
    [
        SHIFT.replace("claim", "suppose c = 0\nclaim", 1),
        SHIFT.replace("claim softmax(z - c)[i] = softmax(z)[i]", "claim softmax(z - c)[i] = softmax(z - c)[i]"),
        SHIFT.replace("claim softmax(z - c)[i]", "claim softmax(z + c)[i]"),
        SHIFT.replace("let c : real", "let c : positive"),
        SHIFT.replace("let c : real", "let c : real\nlet b : real"),
        SHIFT.replace("let i : index[n]", "let m : size\nlet i : index[n]"),
    ],
)
def test_another_statement_is_another_one(other: str) -> None:
    assert not alike(SHIFT, other)
    found = judged(other)
    assert (found.verdict, found.code) == ("wrong", "proof-other-statement")


@pytest.mark.parametrize("text", [SHIFT, RENAMED])
def test_proof_of_the_theorem_is_correct(text: str) -> None:
    assert judged(text).verdict == "correct"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (SHIFT.replace("= exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))", "= exp(z[i] - c) / sum(j = 1..n, exp(z[j] + c))"), "wrong"),
        (SHIFT.replace("  = softmax(z)[i]\n", ""), "correct"),  # the last line equals the claim's side by arithmetic alone
        (SHIFT.replace("  = softmax(z)[i]\n", "  = \n"), "unreadable"),
        ("proof", "unreadable"),
        ("64", "unreadable"),
        ("", "unreadable"),
    ],
)  # fmt: skip
def test_anything_else_is_not(text: str, verdict: str) -> None:
    found = judged(text)
    allowed = {verdict} if verdict != "correct" else {"correct", "undecided"}
    assert found.verdict in allowed, found


REFUTED = SHIFT.replace(
    "= exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))", "= exp(z[i] - c) / sum(j = 1..n, exp(z[j] + c))"
)


def test_a_refuted_line_is_shown_with_its_counter_example() -> None:
    found = judged(REFUTED)
    line = 1 + REFUTED.splitlines().index("  = exp(z[i] - c) / sum(j = 1..n, exp(z[j] + c))")
    for lang, words in (("en", ("the left side is", "the right side is")), ("zh", ("左边是", "右边是"))):
        said = why(found, lang)  # type: ignore[arg-type]
        assert "exp(z[i] - c) / sum(j = 1..n, exp(z[j] + c))" in said
        assert re.search(rf"(line {line} of|第 {line} 行)", said)
        assert all(word in said for word in words)
        assert "c = " in said


def test_the_right_value_is_the_claim() -> None:
    found = judged(REFUTED)
    assert found.exact == "softmax(z - c)[i] = softmax(z)[i]"
    assert as_json(found, "en")["expected"] == {"exact": "softmax(z - c)[i] = softmax(z)[i]"}


@pytest.mark.parametrize("text", ["64", "proof\n  1\n  = 1\n", "let n : size\nclaim n = n\n", "claim 1 = 1\nproof\n"])
def test_what_is_missing_is_said_to_be_written(text: str) -> None:
    found = judged(text)
    assert found.verdict == "unreadable"
    assert "write" in why(found, "en")
    assert re.search("请", why(found, "zh"))


def test_a_chain_that_stops_early_is_said_to() -> None:
    found = judged("\n".join(SHIFT.splitlines()[:7]))
    assert (found.verdict, found.code) == ("undecided", "proof-remaining")
    assert "softmax(z)[i]" in why(found, "en")
