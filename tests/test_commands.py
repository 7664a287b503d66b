"""`build`, `list` and `prove` over made-up problem kinds and theorems: what they print, write and return."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import pytest

from derive import cli
from derive.sheets.blocks import Chain, Language, Localised
from derive.theorems import NOT_ASKED, DefinitionName, Outcome, RuleName, Verdict
from tests.sheets.sample import KINDS, shift, write_manifest

ACCEPTED, REFUSED, AGREED = Verdict("accepted"), Verdict("refused"), Verdict("agreed")
OUTCOME = Outcome(
    ACCEPTED, ACCEPTED, NOT_ASKED, AGREED, 200, 2.5e-16, 3, 0.01, '{"line": 1}\n',
    tuple(b for b in shift().worked if isinstance(b, Chain)),
)  # fmt: skip


@dataclass(frozen=True)
class Theorem:
    name: str
    title: Localised
    outcome: Outcome = OUTCOME

    def check(self, seed: int) -> Outcome:
        return self.outcome

    def unsaid(self) -> tuple[tuple[Language, str], ...]:
        return ()


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worked, found = ModuleType("derive.worked"), ModuleType("derive.library")
    title = Localised(zh="平移不变性", en="Shift invariance")
    bad = replace(OUTCOME, replay=REFUSED)
    known = {"shift": Theorem("shift", title), "broken": Theorem("broken", title, bad)}
    vars(worked)["kinds"] = lambda: KINDS
    vars(found).update(
        theorems=lambda: known,
        rules=lambda: [RuleName("definition", "定义", "definition")],
        definitions=lambda: [DefinitionName("softmax", ("z",))],
    )
    monkeypatch.setitem(sys.modules, "derive.worked", worked)
    monkeypatch.setitem(sys.modules, "derive.library", found)
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    write_manifest(tmp_path / "build")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["derive", *arguments])
    return cli.main()


def test_build_takes_the_manifests_of_the_folder_build(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "build", "--format", "md,tex", "--lang", "en", "--edition", "key", "--seed", "7") == 0
    assert sorted(p.name for p in Path("build/out/sample").iterdir()) == ["sample-key-en.md", "sample-key-en.tex"]
    assert "Seed 7" in Path("build/out/sample/sample-key-en.md").read_text(encoding="utf-8")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("2 documents in build/out/sample")


def test_list_prints_json_alone_on_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "list", "--format", "json", "--lang", "zh") == 0
    listed = json.loads(capsys.readouterr().out)
    assert list(listed) == ["theorems", "problems", "sheets", "rules", "definitions"]
    assert listed["theorems"][0] == {"name": "shift", "title": "平移不变性"}
    assert listed["sheets"] == [{"name": "sample", "title": "多头注意力与数值稳定性"}]
    assert listed["rules"] == [{"code": "definition", "zh": "定义", "en": "definition"}]
    assert listed["definitions"] == [{"name": "softmax", "arguments": ["z"]}]


def test_prove_says_what_each_check_came_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "prove", "--format", "json") == 1
    good, bad = json.loads(capsys.readouterr().out)["theorems"]
    assert (good["verdict"], good["kernel"], good["replay"]) == ("proved", "accepted", "accepted")
    assert (bad["verdict"], bad["kernel"], bad["replay"]) == ("failed", "accepted", "refused")
    assert (good["sympy"], good["numpy"]) == ("not-asked", "agreed")
    assert (good["numbers"]["instances"], good["numbers"]["largest_deviation"]) == (200, 2.5e-16)
    assert list(good) == [
        "name", "title", "verdict", "kernel", "replay", "sympy", "numpy", "numbers", "free", "seconds",
    ]  # fmt: skip


def test_prove_prints_the_steps_and_writes_the_certificate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "prove", "shift", "--steps", "--certificate", "c.jsonl", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "-- definition of softmax" in out
    assert "proved" in out
    assert Path("c.jsonl").read_text() == '{"line": 1}\n'


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("prove", "shfit"), "shift"), (("prove", "zzz"), "zzz"), (("prove", "--certificate", "c"), "exactly one")],
)
def test_a_theorem_that_is_not_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    assert run(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err
