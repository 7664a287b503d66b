"""How a text was read, and where it can't be, in `verify`, `judge` and `check`: text and JSON, both languages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from derive.commands.verify import sentence
from derive.sheets.prose import catalogue
from proofs.syntax.derivation import read_derivation
from proofs.syntax.faults import SyntaxFault
from tests.derive.answers.test_hostile import run

READ = "let d : size\nclaim 4d(d+1) = 4*d^2 + 4*d\nproof\n 4d(d+1)\n = 4*d^2 + 4*d\n"
BAD_CLAIM = "let x : real\nclaim ln 2x = x\nproof\n x\n = x\n"
BAD_LINE = "let x : real\nclaim x = x\nproof\n x\n = ln 2x\n"


def verified(path: Path, text: str, *more: str) -> subprocess.CompletedProcess[str]:
    file = path / "a.txt"
    file.write_text(text)
    return run("verify", str(file), *more)


def test_verify_shows_how_a_line_and_the_claim_were_read(tmp_path: Path) -> None:
    said = json.loads(verified(tmp_path, READ, "--format", "json").stdout)
    assert said["header"] == [{"line": 2, "text": "4d(d+1) = 4*d^2 + 4*d", "read": "4*d*(d + 1) = 4*d^2 + 4*d"}]
    assert [line.get("read") for line in said["lines"]] == ["4*d*(d + 1)", None]
    assert "read as: 4*d*(d + 1)" in verified(tmp_path, READ, "--lang", "en").stdout
    assert "读作：4*d*(d + 1)" in verified(tmp_path, READ, "--lang", "zh").stdout


def test_verify_puts_a_caret_under_the_place(tmp_path: Path) -> None:
    made = verified(tmp_path, BAD_LINE, "--format", "json")
    line = json.loads(made.stdout)["lines"][1]
    assert (made.returncode, line["verdict"], line["caret"]) == (1, "unreadable", " = ln 2x\n       ^")
    assert "ln(2*x)" in line["message"]
    assert "ln(2)*x" in line["message"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_fault_before_the_chain_is_json_with_status_1(tmp_path: Path, lang: str) -> None:
    made = verified(tmp_path, BAD_CLAIM, "--format", "json", "--lang", lang)
    said = json.loads(made.stdout)
    assert (made.returncode, said["claim"], said["verdict"]) == (1, "ln 2x = x", "unreadable")
    (line,) = said["lines"]
    assert (line["line"], line["verdict"], line["caret"]) == (2, "unreadable", "claim ln 2x = x\n          ^")
    shown = verified(tmp_path, BAD_CLAIM, "--lang", lang)
    assert shown.returncode == 1
    assert "claim ln 2x = x\n" in shown.stdout


def test_what_is_no_derivation_at_all_is_status_2(tmp_path: Path) -> None:
    assert verified(tmp_path, "hello\n", "--format", "json").returncode == 2


@pytest.mark.parametrize(("lang", "read"), [("en", "read as: 4*d*(d + 1)"), ("zh", "读作：4*d*(d + 1)")])
def test_judge_shows_how_an_answer_was_read(lang: str, read: str) -> None:
    args = ("judge", "--expected", "4*d^2 + 4*d", "--answer", "4d(d+1)", "--declare", "d: size")
    assert json.loads(run(*args, "--format", "json").stdout)["read"] == "4*d*(d + 1)"
    assert read in run(*args, "--lang", lang).stdout
    plain = ("judge", "--expected", "4*d", "--answer", "4*d", "--declare", "d: size", "--format", "json")
    assert "read" not in json.loads(run(*plain).stdout)


def test_check_shows_how_an_answer_was_read(tmp_path: Path) -> None:
    key = tmp_path / "key.toml"
    key.write_text(
        '[key]\ntitle = "t"\n[[answer]]\nid = "a"\nproblem = "value"\n'
        'given = { value = "4*d^2 + 4*d", symbols = { d = "size" } }\nanswer = "4d(d+1)"\n'
    )
    made = run("check", str(key), "--format", "json")
    assert json.loads(made.stdout)["answers"][0]["read"] == "4*d*(d + 1)"


@pytest.mark.parametrize("answer", ["1,5d", "0,7*10", "0,5+1"])
def test_a_decimal_comma_is_unreadable_and_not_wrong(answer: str) -> None:
    args = ("judge", "--expected", "7", "--answer", answer, "--declare", "d: size", "--format", "json")
    assert json.loads(run(*args).stdout)["verdict"] == "unreadable"


@pytest.mark.parametrize("answer", ["d; 1,234", "2*(1,234 + d)"])
def test_a_comma_that_may_separate_is_refused_with_both_readings(answer: str) -> None:
    args = ("judge", "--expected", "7", "--answer", answer, "--declare", "d: size", "--format", "json", "--lang", "en")
    said = json.loads(run(*args).stdout)
    assert (said["verdict"], said["code"]) == ("unreadable", "two-readings")
    assert "1234 or as 1, 234" in said["why"]


@pytest.mark.parametrize(
    "text",
    [
        "let x : real\nlet z : real[3]\nclaim z[x] = 1\nproof\n 1\n = 1\n",
        "let x : real\nlet z : real[x]\nclaim 1 = 1\nproof\n 1\n = 1\n",
        "let x : real\nclaim sum(j = 1..x, j) = 1\nproof\n 1\n = 1\n",
        "let x : real\nclaim if(x = 1, 1, 2) = 1\nproof\n 1\n = 1\n",
        "let x : real\nclaim x! = 1\nproof\n 1\n = 1\n",
        "let z : real[3]\nclaim z <= z\nproof\n z\n <= z\n",
    ],
)
def test_a_chinese_message_has_no_english_words(text: str) -> None:
    with pytest.raises(SyntaxFault) as why:
        read_derivation(text, {})
    what = str(why.value.params["what"])
    assert "verify.what." + what.replace(" ", "-") in catalogue("zh")
    assert what not in sentence(why.value, "zh")
    assert what in sentence(why.value, "en")
