"""Why several heads: the theorems are proved, what they leave out is refused, and the numbers are those of mpmath."""

from __future__ import annotations

from decimal import Decimal

import mpmath
import pytest

from derive import heads
from derive.errors import DeriveError
from derive.library import LibraryTheorem, theorem
from derive.results import Result
from derive.sheets.problems import Given
from derive.worked.heads import TwoHeads
from proofs.calc import ChainError
from tests.solution_text import answers, words

NAMES = [r.name for r in heads.RESULTS]


@pytest.mark.parametrize("name", NAMES)
def test_each_theorem_is_accepted_by_kernel_and_replay_and_holds_on_numbers(name: str) -> None:
    outcome = theorem(name).check(3)
    assert outcome.kernel
    assert outcome.replay
    assert outcome.instances >= 200
    assert outcome.largest_deviation < 1e-12


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("one-head-two-weights", "suppose 0 <= a[s] for all s : index[n]", ""),
        ("one-head-two-weights", "suppose p != q", ""),
        ("one-head-two-weights", "claim a[p] + a[q] <= 1", "claim a[p] + a[q] < 1"),
        ("one-head-one-token", "suppose 0 <= a[s] for all s : index[n]", ""),
        ("one-head-one-token", "suppose sum(s = 1..n, a[s]) = 1", ""),
        ("softmax-gap-bound", "s[r] + if(r = p, 0, g)", "s[r]"),
        ("softmax-gap-bound", "for all r : index[n]", "for all r : index[p]"),
        ("softmax-gap-bound", "1 - (n - 1)*exp(-g)", "1 - (n - 2)*exp(-g)"),
        ("softmax-never-one", "suppose p != q", ""),
        ("softmax-never-one", "softmax(s)[p] < 1", "softmax(s)[p] < 1/2"),
        ("causal-row-allowed", "if(r <= t,", "if(r < t,"),
        ("causal-row-allowed", "-- part of a sum", "-- order"),
    ],
)
def test_without_what_it_needs_the_proof_is_refused(name: str, old: str, new: str) -> None:
    text = theorem(name).result.text  # type: ignore[attr-defined]
    assert old in text
    with pytest.raises(ChainError):
        _ = LibraryTheorem(Result(name, name, name, text.replace(old, new))).chain


def solve(**given: Given) -> tuple[list[str], str]:
    solution = TwoHeads().solve(given, 5)
    return answers(solution), words(solution)


def test_two_heads_return_what_one_cant() -> None:
    values = (Decimal(10), Decimal(-10), Decimal(4))
    found, text = solve(values=values, p=1, q=2, g=Decimal(8))
    mpmath.mp.dps = 40
    e = mpmath.exp(8)
    mixture = 4 / (2 * e + 1)
    first, second = (10 * e - 10 + 4) / (e + 2), (10 - 10 * e + 4) / (e + 2)
    assert [f"{float(x):.7f}" for x in (mixture, first, second)] == ["0.0006708", "9.9912838", "-9.9886019"]
    assert found[0] == "0.0006708"
    assert found[1] == "(9.9912838, −9.9886019)"
    assert f"{float(e / (e + 2)):.7f}" == "0.9993295"
    assert "0.9993295" in text
    assert text.count("0.0006708") >= 3  # for both inputs, and in the key


@pytest.mark.parametrize(("p", "q"), [(1, 1), (1, 4), (4, 2)])
def test_positions_that_can_not_be_are_refused(p: int, q: int) -> None:
    with pytest.raises(DeriveError) as refused:
        solve(values=(Decimal(1), Decimal(2), Decimal(3)), p=p, q=q, g=Decimal(2))
    assert refused.value.code == "two-positions"


def test_equal_values_are_refused() -> None:
    with pytest.raises(DeriveError) as refused:
        solve(values=(Decimal(1), Decimal(1)), p=1, q=2, g=Decimal(2))
    assert refused.value.code == "two-values"
