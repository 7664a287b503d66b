"""`derive prove`: each of those who check has a verdict of its own, and what fails is one line with its verdict."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from derive import numbers, reference
from derive.cli import main
from derive.library import LibraryTheorem, theorem, theorems
from derive.results import Result
from derive.sheets import prose
from proofs.calc import Chain

NAME = "softmax-shift-invariance"
Entry = Mapping[str, Any]


@pytest.fixture
def proved(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Runs ``derive prove``: the exit status, and what was printed on either channel."""

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["derive", "prove", *arguments, "--lang", "en"])
        status = main()
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return status, said.out if "json" in arguments else said.out + said.err

    return run


def changed(monkeypatch: pytest.MonkeyPatch, *edits: tuple[str, str], name: str = NAME) -> None:
    """A theorem of the library with its text edited, as if it had been registered so."""
    text = theorem(name).result.text
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    monkeypatch.setitem(theorems(), name, LibraryTheorem(replace(theorem(name).result, text=text)))


def entry(run: Callable[..., tuple[int, str]], name: str = NAME) -> tuple[int, Entry]:
    status, out = run(name, "--format", "json")
    (found,) = json.loads(out)["theorems"]
    return status, found


def voices(found: Entry) -> tuple[str, ...]:
    return tuple(found[who] for who in ("kernel", "replay", "sympy", "numpy"))


RIGHT = ("accepted", "accepted", "agreed", "agreed")


def test_what_is_right_is_right_for_everybody(proved: Callable[..., tuple[int, str]]) -> None:
    status, found = entry(proved)
    assert (status, found["verdict"], voices(found)) == (0, "proved", RIGHT)
    assert set(found) == {
        "name", "title", "verdict", "kernel", "replay", "sympy", "numpy", "numbers", "free", "seconds",
    }  # fmt: skip


def test_a_wrong_numpy_twin_is_numpys_and_not_the_kernels(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {**reference.FUNCTIONS, "softmax": lambda z: z / z.sum()}
    monkeypatch.setattr(reference, "FUNCTIONS", wrong)
    status, found = entry(proved)
    assert (status, found["verdict"]) == (1, "failed")
    assert voices(found) == ("accepted", "accepted", "agreed", "disagreed")
    assert found["numbers"]["largest_deviation"] > 1e-3
    assert "differ by up to" in found["why"]["numpy"]
    status, text = proved(NAME)
    assert status == 1
    assert f"{NAME}: NumPy: disagreed: the two sides differ by up to" in text


@pytest.mark.parametrize(
    ("twin", "why"),
    [
        (None, "the NumPy reference has no function softmax"),
        (lambda z: z[:1], "could not be asked: IndexError"),
        (lambda _: 1 / 0, "could not be asked: ZeroDivisionError"),
        (lambda: 1, "could not be asked: TypeError"),
    ],
)
def test_a_twin_that_can_not_be_asked_is_no_disagreement(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch, twin: Any, why: str
) -> None:
    left = {k: f for k, f in reference.FUNCTIONS.items() if k != "softmax"}
    monkeypatch.setattr(reference, "FUNCTIONS", left if twin is None else {**left, "softmax": twin})
    status, found = entry(proved)
    if found["numpy"] == "disagreed":  # an entry beyond a shorter array is 0
        assert isinstance(twin, type(lambda: 0))
        return
    assert (status, voices(found)) == (1, ("accepted", "accepted", "agreed", "could-not-be-asked"))
    assert why.removeprefix("could not be asked: ") in found["why"]["numpy"]


def test_sympy_has_a_verdict_of_its_own(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sympy import Symbol, sin

    name = "mha-parameter-count-square"
    d = Symbol("d", integer=True)
    for found_by_sympy, said in (
        (lambda: 3 * d**2, "disagreed"),
        (lambda: sin(d), "could-not-be-asked"),
        (lambda: 1 / 0, "could-not-be-asked"),
    ):
        wrong = LibraryTheorem(replace(theorem(name).result, found=found_by_sympy))
        monkeypatch.setitem(theorems(), name, wrong)
        status, found = entry(proved, name)
        assert (status, found["verdict"]) == (1, "failed")
        assert voices(found) == ("accepted", "accepted", said, "agreed")
        assert found["why"]["sympy"]
        monkeypatch.undo()


def test_a_statement_that_sympy_derives_nothing_for_is_not_asked_of_it(proved: Callable[..., tuple[int, str]]) -> None:
    status, found = entry(proved, "softmax-sum-one")
    assert (status, found["sympy"], found["verdict"]) == (0, "not-asked", "proved")


LINE_10 = "line 10: = exp(z[i])*exp(c) / sum(j = 1..n, exp(z[j])*exp(-c))"
LINE_12 = "line 12: = exp(z[i]) / sum(j = 1..n, exp(z[j]))"
SUM = "  = exp(z[i]) / sum(j = 1..n, exp(z[j]))"
REFUSED: list[tuple[list[tuple[str, str]], str]] = [
    ([("exp(z[i])*exp(-c) /", "exp(z[i])*exp(c) /")], f"{LINE_10}: refuted: "),
    ([(SUM, SUM[:-1])], f"{LINE_12[:-1]}: can’t be read: "),
    ([("-- cancel", "-- magic")], f"{LINE_12}: wrong reason: the step holds, but “magic” is not the name"),
    ([("-- cancel", "-- exp of a sum")], f"{LINE_12}: wrong reason: the step holds, but not by “exp of a sum”"),
    (
        [("  -- cancel", "")],
        f"{LINE_12}: wrong reason: the step holds, but its reasons do not show it; it takes cancel",
    ),
    (
        [("claim softmax(z - c)[i] = softmax(z)[i]", "claim softmax(z - c)[i] = 2*softmax(z)[i]")],
        ", claim: softmax(z - c)[i] = 2*softmax(z)[i]: refuted: ",
    ),
    ([("let z : real[n]", "let z : reals[n]")], "3:9: can’t be read: reals[n] is no sort"),
    ([("let z : real[n]", "let z : real[m]")], "can’t be read: "),
    ([("let z : real[n]", "let z : real")], "can’t be read: "),
    ([("proof\n", "")], "can’t be read: "),
    ([("  = softmax(z)[i]  -- definition\n", "  >= softmax(z)[i]  -- definition\n")], "can’t be read"),
]


@pytest.mark.parametrize(("edits", "said"), REFUSED)
def test_what_fails_is_one_line_with_its_verdict(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch, edits: list[tuple[str, str]], said: str
) -> None:
    changed(monkeypatch, *edits)
    status, text = proved("softmax-sum-one", NAME, "masked-weight-zero")
    lines = text.splitlines()
    assert status == 1
    found = [line for line in lines if line.startswith((f"{NAME},", f"{NAME}:"))]
    assert len(found) >= 1
    assert any(said in line for line in found), found
    for other in ("softmax-sum-one", "masked-weight-zero"):
        assert any(line.split()[:2] == [other, "proved"] for line in lines)
    status, one = entry(proved)
    assert (status, one["verdict"], one["kernel"], one["replay"]) == (1, "failed", "refused", "refused")
    assert one["failing"] == found


def test_a_wrong_sort_that_takes_a_value_away_is_named_with_the_condition(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(monkeypatch, ("let n : size", "let n : integer"), name="softmax-sum-one")
    status, text = proved("softmax-sum-one")
    assert status == 1
    assert "needs a condition: first show, or add to the hypotheses: suppose 1 <= n" in text


def test_every_bad_line_is_named_and_not_only_the_first(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(monkeypatch, ("-- cancel", "-- magic"), ("-- constant factor", "-- wand"))
    _, found = entry(proved)
    assert [line.split(":")[0] for line in found["failing"]] == [f"{NAME}, line 11", f"{NAME}, line 12"]


def test_no_certificate_is_written_of_what_was_refused(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    changed(monkeypatch, ("-- cancel", "-- magic"))
    status, text = proved(NAME, "--certificate", str(tmp_path / "c"))
    assert status == 1
    assert "no certificate is written" in text
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    "key",
    [
        f"theorems.{NAME}.task", f"theorems.{NAME}.key", "reasons.cancel",
        "theorems.output-projection-causality.title",
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_missing_sentence_is_one_line(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch, key: str, lang: Any, tmp_path: Path
) -> None:
    monkeypatch.delitem(prose.catalogue(lang).sentences, key)
    name = "output-projection-causality" if "output" in key else NAME
    status, text = proved("masked-weight-zero", name, "--steps", "--report", str(tmp_path / "trust"))
    assert status == 1
    assert f"{name}: the sentence {key} is missing in {lang}; add it to templates/prose/{lang}" in text
    assert any(line.split()[:2] == ["masked-weight-zero", "proved"] for line in text.splitlines())
    assert any(line.split()[:2] == [name, "proved"] for line in text.splitlines())


def test_a_theorem_that_no_language_speaks_of_is_one_line_and_is_still_judged(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "let x : real\nclaim exp(x)*exp(-x) = 1\nproof\n  exp(x)*exp(-x)\n  = 1  -- exp of a sum, cancel\n"
    monkeypatch.setitem(theorems(), "mine", LibraryTheorem(Result("mine", "\u6211\u7684", "Mine", text)))
    status, found = entry(proved, "mine")
    assert (status, found["verdict"], found["title"]) == (1, "proved", "Mine")
    assert len(found["failing"]) == 8


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("no-instance", "no instance was found that meets the hypotheses"),
        ("trivial", "every size is 1 in all instances that were found, so that nothing was tried"),
        ("beyond", "the numbers of all instances are out of reach, of 50 digits too"),
    ],
)
def test_where_nothing_could_be_tried_numpy_could_not_be_asked(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch, code: numbers.Lack, why: str
) -> None:
    def nothing(chain: Chain, seed: int, stated: object) -> numbers.Trial:
        raise numbers.NoInstance(code, chain.statement.claim)

    monkeypatch.setattr(numbers, "try_chain", nothing)
    status, found = entry(proved)
    assert (status, found["verdict"]) == (1, "failed")
    assert voices(found) == ("accepted", "accepted", "agreed", "could-not-be-asked")
    assert found["why"]["numpy"] == why


def test_the_spread_of_sizes_and_what_float64_can_not_hold_are_told(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = numbers.Trial(7, 0.0, 50, 50, (numbers.Spread("n", 2, 5), numbers.Spread("m", 1, 3)), 4, 60)
    monkeypatch.setattr(numbers, "try_chain", lambda chain, seed, stated: trial)
    status, found = entry(proved)
    assert (status, found["numbers"]) == (0, {
        "instances": 7, "largest_deviation": 0.0, "sizes": {"n": [2, 5], "m": [1, 3]}, "beyond": 4, "compared": 60,
    })  # fmt: skip
    status, text = proved(NAME)
    assert status == 0
    assert "1–5" in text
    assert f"{NAME}: float64 overflows or underflows in 4 of 60 comparisons" in text


def test_a_real_trial_tells_its_sizes(proved: Callable[..., tuple[int, str]]) -> None:
    _, found = entry(proved)
    smallest, largest = found["numbers"]["sizes"]["n"]
    assert 1 <= smallest < largest


def test_no_column_is_cut_off_where_the_terminal_is_narrow(
    proved: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    status, text = proved("mha-parameter-count-head-independence", "masked-weight-zero")
    heading, *rows = text.splitlines()
    assert status == 0
    assert heading.split()[0] == "theorem"
    assert heading.split()[-1] == "deviation"
    assert [row.split()[0] for row in rows[:2]] == ["mha-parameter-count-head-independence", "masked-weight-zero"]
    assert all(re.search(r"\d\.\de[+-]\d\d$", row) for row in rows[:2])
