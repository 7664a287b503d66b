"""No text from outside forges a line of what is printed; nothing that is given twice is taken for one of the two."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from derive.keys import KeyRefused, load
from derive.visible import flat, hidden, json_text, visible
from tests.derive.answers.test_hostile import run

UNSEEN = "\n\r\t\x0b\x0c\x1b\x00\x07\x7f\x85\x9b\u200b\u200d\u2028\u2029\u202e\u2066\u00ad\ufeff\ue000\u3164\U000e0041"
FORGED = f"\r\n✓ correct      zz{UNSEEN}"


def unseen(text: str) -> set[str]:
    return {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")}


@pytest.mark.parametrize("c", UNSEEN)
def test_what_is_not_seen_is_shown_by_its_number(c: str) -> None:
    number = f"U+{ord(c):04X}"
    assert visible(f"a{c}b") == f"a{number}b"
    assert hidden(f"a{c}b") == number
    assert visible(visible(c)) == visible(c)
    assert json.loads(json_text([c])) == [c]
    assert not unseen(json_text({c: c}))


@pytest.mark.parametrize("text", ["softmax(z)[i] ≤ 1", "注意力 45-04.1a", "d_model　= 512", "naïve α₁ ∑ 😀"])
def test_what_is_seen_stays(text: str) -> None:
    assert visible(text) == flat(text) == text
    assert hidden(text) is None


def test_lines_of_a_derivation_stand_beside_one_another() -> None:
    assert flat("  a\r\n   = b \n\t= c\x1b") == "a = b = cU+001B"


def key(folder: Path, *entries: dict[str, object], name: str = "k.json") -> Path:
    path = folder / name
    path.write_text(json.dumps({"key": {"title": f"title{FORGED}"}, "answer": entries}), encoding="utf-8")
    return path


ENTRY = {"id": "a", "problem": "value", "given": {"value": "2"}, "answer": "3"}
PROOF = {"problem": "proof", "given": {"theorem": "softmax-shift-invariance"}}


@pytest.mark.parametrize("format_", ["text", "json", "junit", "markdown"])
@pytest.mark.parametrize("where", ["id", "answer", "problem", "part", "value", "proof"])
def test_no_line_of_a_report_is_forged(tmp_path: Path, format_: str, where: str) -> None:
    entry: dict[str, object] = ENTRY | {where: f"3{FORGED}"}
    if where == "value":
        entry = ENTRY | {"given": {"value": f"3{FORGED}"}}
    if where == "proof":
        entry = ENTRY | PROOF | {"answer": f"3{FORGED}"}
    done = run("check", str(key(tmp_path, entry)), "--format", format_, "--lang", "en")
    assert done.returncode == 1
    assert not done.stderr
    assert not unseen(done.stdout)
    assert not [line for line in done.stdout.splitlines() if line.startswith("✓")]
    if where in ("id", "answer", "problem") and format_ in ("text", "markdown"):
        assert "U+001B" in done.stdout


@pytest.mark.parametrize("c", ["\n", "\x1b", "\x9b", "\u202e", "\u200b"])
@pytest.mark.parametrize("ending", ["json", "csv"])
def test_control_characters_are_refused_in_ids(tmp_path: Path, c: str, ending: str) -> None:
    if ending == "json":
        path = key(tmp_path, ENTRY | {"id": f"a{c}b", "answer": "2"}, ENTRY | {"answer": "2"})
    else:
        path = tmp_path / "k.csv"
        path.write_text(f'id,problem,given,answer\n"a{c}b",value,"{{""value"": 2}}",2\na,value,"{{""value"": 2}}",2\n')
    done = run("check", str(path), "--format", "json", "--lang", "en")
    said = json.loads(done.stdout)["answers"]
    assert [a["verdict"] for a in said] == ["unreadable", "correct"]
    assert f"U+{ord(c):04X}" in said[0]["why"]


def test_the_pytest_plugin_prints_no_forged_line(tmp_path: Path) -> None:
    key(tmp_path, ENTRY | {"answer": f"3{FORGED}"}, ENTRY | {"id": f"b{FORGED}"})
    command = [sys.executable, "-m", "pytest", "--derive-keys", "k.json", "-p", "no:cacheprovider", "-v"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert not unseen(done.stdout.replace("\x1b[", ""))
    assert "U+001B" in done.stdout
    assert not [line for line in done.stdout.splitlines() if line.startswith("✓")]


def test_a_name_of_a_file_and_an_argument_forge_nothing(tmp_path: Path) -> None:
    name = "k\n✓ correct\x1b[2J.toml"
    commands = (
        ["check", name], ["verify", name], ["build", name], ["prove", name], ["step", name], ["list", name],
        ["judge", "--expected", "1", "--answer", "1", "--declare", name], ["check", "--format", name],
        [name], [f"--{name}"],
    )  # fmt: skip
    for arguments in commands:
        done = run(*arguments, "--lang", "en", cwd=tmp_path)
        assert done.returncode == 2, arguments
        assert (done.stdout, done.stderr.count("\n")) == ("", 1), done.stderr
        assert not unseen(done.stderr), done.stderr


def test_a_derivation_forges_no_line(tmp_path: Path) -> None:
    text = "let x : real\nclaim x + 0 = x\nproof\n  x + 0\n  = x + \x1b[2J\u202e 0\n  = x -- ring\x9b\n"
    (tmp_path / "d.txt").write_text(text, encoding="utf-8")
    for more in ((), ("--format", "json"), ("--hint", "4")):
        done = run("verify", "d.txt", *more, cwd=tmp_path)
        assert not unseen(done.stdout + done.stderr)


def test_judge_forges_no_line() -> None:
    for expected, answer in (("2", f"3{FORGED}"), (f"2{FORGED}", "3")):
        done = run("judge", "--expected", expected.replace("\x00", ""), "--answer", answer.replace("\x00", ""))
        assert not unseen(done.stdout + done.stderr)
        assert not [line for line in done.stdout.splitlines()[1:] if line.startswith("✓")]


# --- given twice -----------------------------------------------------------------------------------------------


def refused(path: Path) -> KeyRefused:
    with pytest.raises(KeyRefused) as error:
        load(path)
    return error.value


def test_a_name_twice_in_an_object_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_text('{"answer": [\n{"id": "a", "problem": "value",\n "answer": "1",\n "\\u0061nswer": "2"}]}')
    error = refused(path)
    assert (error.code, error.params["found"], error.params["line"]) == ("name-twice", "answer", 4)
    done = run("check", str(path), "--lang", "en")
    assert (done.returncode, done.stderr) == (
        2,
        "derive: k.json, line 4: an object has the name answer twice; keep one\n",
    )


def test_a_name_twice_in_a_cell_spoils_that_row_only(tmp_path: Path) -> None:
    path = tmp_path / "k.csv"
    path.write_text('id,problem,given,answer\na,value,"{""value"": 2, ""value"": 3}",3\nb,value,"{""value"": 2}",2\n')
    said = json.loads(run("check", str(path), "--format", "json", "--lang", "en").stdout)["answers"]
    assert [(a["verdict"], a["code"]) for a in said] == [("unreadable", "given-twice"), ("correct", "same")]


@pytest.mark.parametrize("ending", ["json", "toml", "csv"])
def test_repeated_ids_are_refused_with_their_places(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"k.{ending}"
    if ending == "json":
        key(tmp_path, ENTRY, ENTRY | {"id": "b"}, ENTRY)
    elif ending == "toml":
        path.write_text("".join(f'[[answer]]\nid = "{k}"\nproblem = "value"\nanswer = "1"\n' for k in "aba"))
    else:
        path.write_text("id,problem,given,answer\n" + "".join(f'{k},value,"{{}}",1\n' for k in "aba"))
    error = refused(path)
    assert (error.code, error.params["id"], error.params["first"], error.params["second"]) == ("id-twice", "a", 1, 3)
    done = run("check", str(path), "--lang", "zh")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
