"""`derive list KIND` says what the kinds declare, and every kind declares what there is to say."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from derive.answers.values import Derivation, Exact, Grid, Row, Special
from derive.problems import answer_kinds, posed
from derive.problems.given import GivenRefused
from derive.sheets.assemble import seed_of
from derive.sheets.manifest import read
from derive.sheets.problems import Answering, Constrained, Explained, Given
from derive.worked import kinds
from tests.derive.answers.test_hostile import run

MANIFEST = Path(__file__).parents[2] / "build" / "day45.toml"


def listed(*arguments: str) -> dict[str, object]:
    done = run("list", *arguments, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    said: dict[str, object] = json.loads(done.stdout)
    return said


def test_names_types_ranges_defaults_constraint_and_parts_are_said() -> None:
    said = listed("two-heads")
    assert said["given"] == [
        {"name": "values", "type": "numbers", "needed": True, "from": -1000, "to": 1000, "longest": 6},
        {"name": "p", "type": "integer", "needed": False, "default": 1, "from": 1, "to": 6},
        {"name": "q", "type": "integer", "needed": False, "default": 2, "from": 1, "to": 6},
        {"name": "g", "type": "number", "needed": True, "from": 1, "to": 40},
    ]
    assert "different positions" in str(listed("two-heads", "--lang", "en")["constraint"])
    assert [a["part"] for a in said["asked"]] == ["both", "two", "weight"]  # type: ignore[attr-defined]


def test_a_kind_with_one_answer_asks_for_the_whole() -> None:
    said = listed("mha-parameters", "--lang", "en")
    assert said["asked"] == [{"part": "", "what": "a number or a formula, such as 64, 4*512^2 or 1/(1 + e^2)"}]
    assert "h divides d_model" in str(said["constraint"])


def test_text_says_the_same() -> None:
    text = " ".join(run("list", "masked-softmax", "--lang", "en").stdout.split())
    for words in ("scores", "a list of numbers", '"-inf"', "naive, shifted, safe", "needed"):
        assert words in text


def test_unknown_kind_is_one_line_with_the_nearest() -> None:
    done = run("list", "two-haeds", "--lang", "en")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "derive: there is no problem kind two-haeds; did you mean two-heads?\n"


def test_the_list_of_all_holds_each_kind_as_by_itself() -> None:
    problems = listed("--lang", "zh")["problems"]
    assert isinstance(problems, list)
    assert {p["name"] for p in problems} == {"value", *kinds()}
    for name in ("cast", "value"):
        assert listed(name, "--lang", "zh") == next(p for p in problems if p["name"] == name)


def test_the_kind_of_keys_alone_says_what_it_takes_and_how_it_is_judged() -> None:
    said = listed("value", "--lang", "en")
    assert [(f["name"], f["needed"]) for f in said["given"]] == [  # type: ignore[attr-defined]
        ("value", True), ("symbols", False), ("kind", False),
    ]  # fmt: skip
    named = [o["name"] for o in said["options"]]  # type: ignore[attr-defined]
    assert named == ["exact", "places", "digits", "tolerance", "absolute", "accept", "points", "steps"]
    text = " ".join(run("list", "value", "--lang", "en").stdout.split())
    assert all(words in text for words in ("interval", "significant digits"))


def examples() -> Mapping[str, tuple[Mapping[str, Given], int]]:
    """What day 45 gives to each kind that it uses."""
    return {e.problem: (e.given, seed_of(45, e.id)) for e in read(MANIFEST, kinds()).exercises}


@pytest.mark.parametrize("name", [n for n, k in kinds().items() if isinstance(k, Answering)])
def test_the_parts_are_those_that_are_asked(name: str) -> None:
    kind = kinds()[name]
    assert isinstance(kind, Answering)
    given, seed = examples()[name]
    asked = kind.answers(given, seed)
    named = {re.sub(r"\brow \d+", "row t", re.sub(r"\bcolumn \d+", "column c", part)) for part in asked}
    assert named == set(kind.parts)


def test_whatever_must_fit_says_how() -> None:
    with_fits = [k for k in kinds().values() if isinstance(k, Constrained)]
    assert len(with_fits) > 5
    assert [k.name for k in with_fits if not isinstance(k, Explained)] == []


def test_what_is_to_be_typed_is_the_form_of_the_right_value() -> None:
    forms: Mapping[str, tuple[type, ...]] = {
        "number": (Exact,), "float": (Exact, Special), "row": (Row,), "floats": (Row,), "shape": (Row,),
        "matrix": (Grid,), "derivation": (Derivation,),
    }  # fmt: skip
    manifest = read(MANIFEST, kinds())
    seen = set()
    for exercise in manifest.exercises:
        kind = answer_kinds().get(exercise.problem)
        if kind is None or not set(exercise.given) <= set(kind.fields):
            continue
        right = kind.problem(exercise.given).right
        assert isinstance(right.value, forms[kind.answered]), exercise.id
        assert right.shape == (kind.answered == "shape"), exercise.id
        seen.add(kind.answered)
    assert {"number", "float", "matrix", "derivation", "shape"} <= seen


def test_a_proof_is_said_to_be_a_derivation() -> None:
    for lang, words in (("en", ("derivation", "LaTeX", "let", "claim")), ("zh", ("推导", "LaTeX", "let", "claim"))):
        (asked,) = listed("proof", "--lang", lang)["asked"]  # type: ignore[misc]
        assert all(word in asked["what"] for word in words)


def test_no_limit_contradicts_another() -> None:
    said = listed("forward-trace", "--lang", "en")
    assert next(g for g in said["given"] if g["name"] == "X")["rows"] == 4  # type: ignore[attr-defined]
    assert "rows" not in str(said["constraint"])
    assert "head " not in str(said["constraint"])
    assert "head is below h" in str(listed("attention-output", "--lang", "en")["constraint"])


def test_five_rows_are_refused_by_the_limit_that_is_listed() -> None:
    with pytest.raises(GivenRefused):
        posed("forward-trace", {"X": [[1, 0]] * 5, "h": 1})
    assert isinstance(posed("forward-trace", {"X": [[1, 0]] * 4, "h": 1}, "row 4").right.value, Row)


@pytest.mark.parametrize("arguments", [("list",), ("list", "proof"), ("list", "two-heads", "--lang", "zh")])
def test_no_line_ends_in_blanks(arguments: tuple[str, ...]) -> None:
    lines = run(*arguments).stdout.splitlines()
    assert len(lines) > 3
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [("shift", "softmax-shift-invariance"), ("2.4a", "day45:45-02.4a"), ("Softmax-Sum-Won", "softmax-sum-one")],
)
def test_step_says_what_may_be_meant(name: str, meant: str) -> None:
    done = run("step", name, "--lang", "en")
    assert done.returncode == 2
    assert done.stderr == f"derive: there is no theorem or exercise {name}; did you mean {meant}?\n"


def test_what_is_not_declared_is_said_to_be_declared(tmp_path: Path) -> None:
    path = tmp_path / "n.derive"
    path.write_text("claim n = n\nproof\n  n\n  = n\n")
    assert "n is not declared. Declare it: let n : size" in run("verify", str(path), "--lang", "en").stdout
    assert "请声明：let n : size" in run("verify", str(path), "--lang", "zh").stdout
