"""What is said of slips in what people type: the unknown name before the missing one, with the nearest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.derive.answers.test_hostile import run

SHEET = '[sheet]\nid = "s"\ntitle = { zh = "卷", en = "sheet" }\n[[exercise]]\nid = "1"\n'


def refused(folder: Path, name: str, text: str, command: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    done = run(command, name, "--lang", "en", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr.strip()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('problme = "proof"\n', "s.toml, exercise 1.problme: unknown key; did you mean problem?"),
        ('problem = "mha-parameters"\ngiven = { d_modle = 4, h = 2 }\n',
         "given.d_modle: unknown key; did you mean d_model?"),
        ('problem = "proof"\ngiven = { theorem = "softmax-shift-invarience" }\n',
         "there is no softmax-shift-invarience; did you mean softmax-shift-invariance?"),
        ('problem = "mha-parameters"\ngiven = { d_model = { chose = [4] }, h = 2 }\n',
         "given.d_model.chose: unknown key; did you mean choose?"),
    ],
)  # fmt: skip
def test_manifest(text: str, said: str, tmp_path: Path) -> None:
    assert said in refused(tmp_path, "s.toml", SHEET + text, "build")


def test_unknown_table_of_a_manifest_comes_before_the_missing_one(tmp_path: Path) -> None:
    text = SHEET.replace("[[exercise]]", "[[exercises]]") + 'problem = "proof"\n'
    assert "did you mean exercise?" in refused(tmp_path, "s.toml", text, "build")


def test_unknown_field_of_a_key(tmp_path: Path) -> None:
    head = '[key]\nsheets = "s.toml"\n[[answer]]\nid = "a"\nproblem = "value"\nanswer = "1"\n'
    assert refused(tmp_path, "k.toml", head, "check").endswith("[key] has a field sheets; did you mean sheet?")
    (tmp_path / "k.toml").write_text('[[answer]]\nid = "a"\nproblme = "value"\n', encoding="utf-8")
    (answer,) = json.loads(run("check", "k.toml", "--format", "json", "--lang", "en", cwd=tmp_path).stdout)["answers"]
    assert (answer["code"], answer["why"]) == ("unknown-field", "The entry has a field problme; did you mean problem?")


@pytest.mark.parametrize(("expected", "answer"), [("4d", "4"), ("4", "4d"), ("4d", "4d")])
def test_judge_says_how_to_declare_a_name(expected: str, answer: str) -> None:
    done = run("judge", "--expected", expected, "--answer", answer, "--lang", "en")
    assert done.returncode == 1
    assert "--declare 'd: size'" in done.stdout


DERIVATION = """let x : real
claim x + x = 2*x
proof
  x + x
  = 3*x
  {then}
  = 2*x
"""


@pytest.mark.parametrize(
    ("then", "said"),
    [("", "starts from line 5, which is itself the result of a false step; the line itself equals line 4."),
     ("= 4*x", "starts from line 6, which is itself the result of a false step; the line itself equals line 4.")],
)  # fmt: skip
def test_a_right_line_behind_a_wrong_one_is_told_apart(then: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text(DERIVATION.format(then=then), encoding="utf-8")
    done = run("verify", "d.txt", "--format", "json", "--lang", "en", cwd=tmp_path)
    lines = json.loads(done.stdout)["lines"]
    assert lines[-1]["verdict"] == "refuted"
    assert said in lines[-1]["message"]
    assert "itself" not in lines[1]["message"]


def test_a_wrong_line_behind_a_wrong_one_agrees_with_nothing(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text(DERIVATION.format(then="= 4*x"), encoding="utf-8")
    done = run("verify", "d.txt", "--format", "json", "--lang", "en", cwd=tmp_path)
    message = json.loads(done.stdout)["lines"][2]["message"]
    assert message.endswith("starts from line 5, which is itself the result of a false step.")
