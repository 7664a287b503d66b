"""`derive check`, `derive judge` and the pytest plugin: what they print, and their exit status."""

# ruff: noqa: E501
from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.derive.answers.test_hostile import run

ROOT = Path(__file__).parents[3]
KEY = """
[key]
title = "A key"
[[answer]]
id = "right"
problem = "mha-parameters"
given = { d_model = 1024, h = 16, bias = false }
answer = "4,194,304"
[[answer]]
id = "number"
problem = "value"
given = { value = 0.25 }
answer = 0.250
[[answer]]
id = "list"
problem = "softmax"
given = { z = [500.0, 502.0] }
answer = [0.1192, 0.8808]
"""
WRONG = """
[[answer]]
id = "wrong"
problem = "mha-parameters"
given = { d_model = 1024, h = 16 }
answer = "3,145,728"
[[answer]]
id = "unreadable | `x` *y*"
problem = "value"
given = { value = "1" }
answer = "1 +"
[[answer]]
id = "refused"
problem = "mha-parameters"
given = { d_model = 768, h = 7 }
answer = "1"
[[answer]]
problem = "nothing"
answer = "1"
[[answer]]
id = "typo"
problem = "value"
gvien = { value = "1" }
answer = "1"
"""


@pytest.fixture
def right(tmp_path: Path) -> Path:
    path = tmp_path / "right.toml"
    path.write_text(KEY, encoding="utf-8")
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.toml"
    path.write_text(KEY + WRONG, encoding="utf-8")
    return path


def test_key_that_is_right_has_status_0(right: Path) -> None:
    done = run("check", str(right), "--format", "json")
    said = json.loads(done.stdout)
    assert done.returncode == 0
    assert [a["verdict"] for a in said["answers"]] == ["correct", "correct", "rounded"]
    assert said["counts"]["rounded"] == 1
    assert said["answers"][0]["expected"] == {"exact": "4194304"}


def test_strict_lets_roundings_fail(right: Path) -> None:
    assert run("check", str(right), "--strict", "--format", "json").returncode == 1


def test_one_unreadable_entry_does_not_stop_the_others(wrong: Path) -> None:
    done = run("check", str(wrong), "--format", "json")
    found = {a["id"]: a for a in json.loads(done.stdout)["answers"]}
    assert done.returncode == 1
    assert [a["verdict"] for a in found.values()] == ["correct", "correct", "rounded", "wrong", *["unreadable"] * 4]
    assert found["wrong"]["mistake"] == "forgot-output-projection"
    assert found["refused"]["code"] == "given-refused"
    assert found["#7"]["code"] == "unknown-problem"
    assert found["typo"]["code"] == "unknown-field"


def test_codes_are_the_same_in_both_languages(wrong: Path) -> None:
    zh, en = (
        json.loads(run("check", str(wrong), "--format", "json", "--lang", lang).stdout)["answers"]
        for lang in ("zh", "en")
    )
    assert [a["code"] for a in zh] == [a["code"] for a in en]
    assert all(a["why"] != b["why"] for a, b in zip(zh, en, strict=True))


def test_several_keys_give_a_list(right: Path, wrong: Path) -> None:
    said = json.loads(run("check", str(right), str(wrong), "--format", "json", "--jobs", "2").stdout)
    assert [k["key"] for k in said["keys"]] == ["right.toml", "wrong.toml"]


def test_csv_and_json_say_the_same_as_toml(tmp_path: Path) -> None:
    rows = [
        ("a", "mha-parameters", {"d_model": 1024, "h": 16}, "4,194,304"),
        ("b", "softmax", {"z": [500, 502]}, "[0.1192, 0.8807]"),
        ("c", "value", {"value": "x", "symbols": {"x": "real"}}, "x+1"),
    ]
    as_json = tmp_path / "k.json"
    as_json.write_text(
        json.dumps({"answer": [dict(zip(("id", "problem", "given", "answer"), r, strict=True)) for r in rows]})
    )
    as_csv = tmp_path / "k.csv"
    lines = [",".join([r[0], r[1], '"' + json.dumps(r[2]).replace('"', '""') + '"', f'"{r[3]}"']) for r in rows]
    as_csv.write_text(
        "\ufeffid,problem,given,answer\r\n" + "\r\n".join([*lines, "d,value,oops,1", "e,value"]), encoding="utf-8"
    )
    found = [
        [a["verdict"] for a in json.loads(run("check", str(p), "--format", "json").stdout)["answers"]]
        for p in (as_json, as_csv)
    ]
    assert found[0] == ["correct", "wrong", "wrong"]
    assert found[1] == [*found[0], "unreadable", "unreadable"]


def test_exercise_of_a_sheet_is_found(tmp_path: Path) -> None:
    sheets = tmp_path / "build"
    sheets.mkdir()
    (sheets / "s.toml").write_text(
        '[sheet]\nid = "s"\ntitle = { zh = "卷", en = "sheet" }\n[[exercise]]\nid = "1.a"\nproblem = "mha-parameters"\n'
        "given = { d_model = 4, h = 2 }\n",
        encoding="utf-8",
    )
    key = tmp_path / "k.csv"
    key.write_text(
        'id,exercise,answer,given\na,s:1.a,64,\nb,s:1.b,64,\nc,nonsense,64,\nd,s:1.a,64,"{""d_model"": 4, ""h"": 2}"\n'
    )
    said = json.loads(run("check", str(key), "--format", "json", cwd=tmp_path).stdout)
    assert [(a["verdict"], a["code"]) for a in said["answers"]] == [
        ("correct", "same"), ("unreadable", "no-exercise"), ("unreadable", "exercise-form"), ("unreadable", "both"),
    ]  # fmt: skip


def test_text_shows_marks_that_read_without_colour(wrong: Path) -> None:
    text = run("check", str(wrong), "--lang", "en").stdout
    assert "✗ wrong" in text
    assert "! unreadable" in text
    assert "leaves out the output projection" in " ".join(text.split())
    assert "8 answers:" in text


def test_junit_is_well_formed_and_counts_failures(wrong: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.xml"
    assert run("check", str(wrong), "--format", "junit", "--out", str(out)).returncode == 1
    suite = ET.parse(out).getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("8", "5")
    assert [c.get("name") for c in suite][4] == "unreadable | `x` *y*"


def test_markdown_is_not_broken_by_what_a_key_says(wrong: Path) -> None:
    text = run("check", str(wrong), "--format", "markdown", "--lang", "en").stdout
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 10
    assert "unreadable \\| \\`x\\` \\*y\\*" in text


def test_explain_prints_the_derivation(right: Path) -> None:
    done = run("check", str(right), "--explain", "right", "--lang", "en")
    assert done.returncode == 0
    assert "4*1024^2 = 4194304" in done.stdout
    assert run("check", str(right), "--explain", "nobody").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "status", "verdict"),
    [
        (("--expected", "4d^2+4d", "--answer", "4d(d+1)", "--declare", "d: size"), 0, "equivalent"),
        (("--expected", "1/(1+e^2)", "--answer", "0.1192"), 0, "rounded"),
        (("--expected", "1/(1+e^2)", "--answer", "0.1192", "--strict"), 1, "rounded"),
        (("--expected", "-inf", "--answer", "inf"), 1, "wrong"),
        (("--expected", "B", "--answer", "(b)", "--choice"), 0, "correct"),
        (("--expected", "x y", "--answer", "y x", "--declare", "x: real, y: real"), 0, "equivalent"),
        (("--expected", "1", "--answer", "1 +"), 1, "unreadable"),
    ],
)
def test_judge(arguments: tuple[str, ...], status: int, verdict: str) -> None:
    done = run("judge", *arguments, "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (status, verdict)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",), ("check", "nowhere.toml"), ("check", "x.toml", "--format", "pdf"), ("check", "x.toml", "--jobs", "0"),
        ("judge", "--expected", "1"), ("judge", "--expected", "x", "--answer", "x", "--declare", "x"),
    ],
)  # fmt: skip
def test_command_that_cannot_be_understood_has_status_2_and_one_line(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_line_ends_in_blanks(wrong: Path, lang: str) -> None:
    lines = run("check", str(wrong), "--lang", lang).stdout.splitlines()
    assert len(lines) > 8
    assert [line for line in lines if line != line.rstrip()] == []


def test_an_explanation_does_not_point_to_itself(tmp_path: Path) -> None:
    key = tmp_path / "key.toml"
    given = "given = { X = [[1, 0], [0, 2]], h = 1 }"
    key.write_text(f'[[answer]]\nid = "w"\nproblem = "attention-weights"\npart = "row 2"\n{given}\nanswer = "[1, 2]"\n')
    assert "derive check --explain prints the derivation." in " ".join(
        run("check", str(key), "--lang", "en").stdout.split()
    )
    said = run("check", str(key), "--explain", "w", "--lang", "en")
    assert said.returncode == 1
    assert "exp(2*sqrt(2))" in said.stdout
    assert "--explain" not in said.stdout


def test_plugin_makes_one_test_of_each_answer(wrong: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--derive-keys",
        "*.toml",
        "-q",
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=wrong.parent, timeout=60, check=False,
        env={"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 1
    assert "5 failed, 3 passed" in done.stdout
    assert "leaves out the output projection" in done.stdout
