"""Every exercise of day 45 can be answered in a key: what is derived is right, what is printed is accepted, and each
wrong option is wrong with its own explanation."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from derive.answers.checking import Entry, Judged, check
from derive.answers.report import why
from derive.answers.showing import shown_exactly
from derive.keys import load
from derive.library import theorem
from derive.problems import answer_kinds, posed
from derive.sheets.assemble import assemble, seed_of
from derive.sheets.blocks import Choice, Exercise
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import Asked, read
from derive.sheets.problems import Answering, Given
from derive.sheets.targets.md import Md
from derive.worked import kinds
from tests.derive.answers.test_hostile import run

MANIFEST = Path(__file__).parent.parent / "build" / "day45.toml"
SEED = 45
EXERCISES: Mapping[str, Asked] = {e.id: e for e in read(MANIFEST, kinds()).exercises}


def parts_of(asked: Asked, given: Mapping[str, Given], seed: int) -> list[str]:
    """The parts that a key may name, the whole among them where there is one."""
    kind = kinds()[asked.problem]
    named = list(kind.answers(given, seed)) if isinstance(kind, Answering) else []
    return named if "" in named or asked.problem not in answer_kinds() else ["", *named]


def derived(asked: Asked, part: str) -> str:
    """The right answer as it is derived: a proof's own chain, else the exact value."""
    if asked.problem == "proof":
        name = str(asked.given["theorem"])
        return str(theorem(name).result.text)  # type: ignore[attr-defined]
    return shown_exactly(posed(asked.problem, asked.given, part, seed_of(SEED, asked.id)).right)


def written(entries: list[tuple[str, str, str]], head: str = "") -> str:
    """A key with an exercise of day 45, a part and an answer each; a JSON string is one of TOML, too."""
    lines = [f"[key]\n{head}\n"]
    for k, (exercise, part, answer) in enumerate(entries):
        lines.append(f'[[answer]]\nid = "{k}"\nexercise = "day45:{exercise}"')
        lines += [f"part = {json.dumps(part)}"] if part else []
        lines.append(f"answer = {json.dumps(answer, ensure_ascii=False)}\n")
    return "\n".join(lines)


def judged(entries: list[tuple[str, str, str]], folder: Path, head: str = "") -> list[Judged]:
    path = folder / "key.toml"
    path.write_text(written(entries, head), encoding="utf-8")
    return [check(entry) for entry in load(path).entries]


def test_the_sheet_has_all_its_exercises() -> None:
    assert len(EXERCISES) == 45


@pytest.mark.parametrize("name", EXERCISES)
def test_every_derived_answer_is_right(name: str, tmp_path: Path) -> None:
    asked = EXERCISES[name]
    parts = parts_of(asked, asked.given, seed_of(SEED, name))
    assert parts
    found = judged([(name, part, derived(asked, part)) for part in parts], tmp_path)
    assert [(part, a.code) for part, a in zip(parts, found, strict=True) if not a.accepted] == []
    assert {a.verdict for a in found} <= {"correct", "equivalent"}


@pytest.mark.parametrize("name", [n for n, e in EXERCISES.items() if e.problem != "proof"])
def test_no_part_is_right_with_the_answer_to_another(name: str, tmp_path: Path) -> None:
    asked = EXERCISES[name]
    parts = parts_of(asked, asked.given, seed_of(SEED, name))
    answers = {part: derived(asked, part) for part in parts}
    pairs = [(p, other) for p in parts for other in parts if answers[p] != answers[other]]
    if not pairs:
        assert len(set(answers.values())) == 1
        return
    found = judged([(name, p, answers[other]) for p, other in pairs], tmp_path)
    same = {("weights usual", "weights near")}
    assert [(pair, a.verdict) for pair, a in zip(pairs, found, strict=True) if a.accepted and pair not in same] == []


def printed_parts(exercise: Exercise, asked: Asked) -> list[list[str]]:
    """The parts that each line of the printed key answers, in its order."""
    whole = len(exercise.key) == 1
    parts = [p for p in parts_of(asked, asked.given, seed_of(SEED, asked.id)) if p or whole]
    if asked.problem == "shape-trace":
        groups: dict[str, list[str]] = {}
        for part in parts:
            axes = answer_kinds()["mha-shape"].problem({**asked.given, "at": part}).right.named
            groups.setdefault(repr(axes), []).append(part)
        return list(groups.values())
    if parts and parts[-1].startswith("row"):
        labels = [Md("en", TermPrinter()).plain(entry.label or "") for entry in exercise.key]
        return [[label.replace(",", "")] for label in labels]
    return [[part] for part in parts]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_answer_is_accepted_as_the_key_prints_it(lang: str, tmp_path: Path) -> None:
    sheet = assemble(read(MANIFEST, kinds()), kinds())
    target = Md("zh" if lang == "zh" else "en", TermPrinter())
    entries = []
    for exercise in (e for a in sheet.activities for e in a.exercises):
        asked = EXERCISES[exercise.id]
        if asked.problem == "proof":
            continue
        names = printed_parts(exercise, asked)
        assert len(names) == len(exercise.key), exercise.id
        for line, parts in zip(exercise.key, names, strict=True):
            entries += [(exercise.id, part, target.plain(line.exact)) for part in parts]
            if line.decimal is not None:
                entries += [(exercise.id, part, target.plain(line.decimal)) for part in parts]
    assert len(entries) > 70
    found = judged(entries, tmp_path)
    assert [(e, why(a, "en")) for e, a in zip(entries, found, strict=True) if not a.accepted] == []


@pytest.mark.parametrize("name", [n for n, e in EXERCISES.items() if e.problem == "choice"])
@pytest.mark.parametrize("seed", [SEED, 46, 47])
def test_each_wrong_option_is_wrong_with_its_explanation(name: str, seed: int, tmp_path: Path) -> None:
    asked = EXERCISES[name]
    solution = kinds()[asked.problem].solve(asked.given, seed_of(seed, name))
    (choice,) = (block for block in solution.task if isinstance(block, Choice))
    letters = [chr(ord("A") + k) for k in range(len(choice.options))]
    found = judged([(name, "", letter) for letter in letters], tmp_path, f"seed = {seed}")
    assert [a.verdict for a in found] == ["correct" if o.right else "wrong" for o in choice.options]
    said = {lang: Md(lang, TermPrinter()) for lang in ("zh", "en")}  # type: ignore[arg-type]
    for option, a in zip(choice.options, found, strict=True):
        if option.right:
            assert re.search(rf"\b{letters[choice.options.index(option)]}\b", solution_key(solution.key[0].exact))
            continue
        assert a.mistake is not None
        assert said["zh"].plain(option.why) in why(a, "zh")
        assert said["en"].plain(option.why) in why(a, "en")


def solution_key(text: object) -> str:
    return Md("en", TermPrinter()).plain(text)  # type: ignore[arg-type]


def test_options_may_be_named_by_their_words_but_never_by_letter_and_other_words(tmp_path: Path) -> None:
    entries = [("45-04.4a", "", x) for x in ("64", "768", "B (64)", "b", "(B)", "A (64)", "E", "A, B", "none of them")]
    assert [a.verdict for a in judged(entries, tmp_path)] == [
        "correct", "wrong", "correct", "correct", "correct", "unreadable", "wrong", "wrong", "unreadable",
    ]  # fmt: skip


def test_parts_must_be_named_and_must_exist(tmp_path: Path) -> None:
    entries = [
        ("45-01.1e", "", "1"), ("45-01.1e", "wieght", "1"), ("45-01.2a", "weight", "64"),
        ("45-02.4a", "row 3", "[1, 0]"),
        ("45-03.range-a", "verdict", "maybe"), ("45-03.range-a", "verdict", "错误"), ("45-04.2e", "mixed", "keeps"),
    ]  # fmt: skip
    found = judged(entries, tmp_path)
    assert [a.verdict for a in found] == [*["unreadable"] * 5, "correct", "wrong"]
    assert "both, two, weight" in why(found[0], "en")
    assert "both, two, weight" in why(found[1], "en")
    assert "one value" in why(found[2], "en")
    assert "row 1" in why(found[3], "en")


def test_the_command_judges_the_whole_sheet(tmp_path: Path) -> None:
    entries = []
    for name, asked in EXERCISES.items():
        part = parts_of(asked, asked.given, seed_of(SEED, name))[0]
        entries.append((name, part, derived(asked, part)))
    (tmp_path / "key.toml").write_text(written(entries), encoding="utf-8")
    done = run("check", "key.toml", "--format", "json", cwd=tmp_path)
    said = json.loads(done.stdout)
    assert done.returncode == 0, [a for a in said["answers"] if a["verdict"] not in ("correct", "equivalent")]
    assert said["counts"]["correct"] + said["counts"]["equivalent"] == len(EXERCISES)


@pytest.mark.parametrize("answer", ["6 4", "6\t4", "64 64", "A A", "AB", "A, B", "A or B", "not A", "6,4"])
def test_what_is_no_option_is_never_the_right_one(answer: str) -> None:
    judged = check(Entry("1", "choice", {"question": "head-dimension", "d_model": 1024, "h": 16}, answer, seed=1))
    assert judged.verdict in ("wrong", "unreadable")
