"""What a command reads is a file, and what it writes replaces nobody's work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.derive.answers.test_hostile import run

KEY = '[[answer]]\nid = "a"\nproblem = "value"\ngiven = { value = "2" }\nanswer = "2"\n'
DERIVATION = "let x : real\nclaim x + x = 2*x\nproof\n  x + x\n  = 2*x\n"
THEOREM = "softmax-sum-one"
WRITERS = {
    "certificate": (["prove", THEOREM, "--certificate", "out"], "out"),
    "report": (["prove", THEOREM, "--report", "out.html"], "out.html"),
    "markdown": (["prove", THEOREM, "--report", "out.html"], "out.md"),
    "coq": (["prove", THEOREM, "--coq", "."], "prelude.v"),
    "makefile": (["prove", THEOREM, "--coq", "."], "Makefile"),
    "derivation": (["verify", "d.txt", "--certificate", "out"], "out"),
    "page": (["step", THEOREM, "--html", "out"], "out"),
    **{f: (["check", "k.toml", "--format", f, "--out", "out"], "out") for f in ("text", "json", "junit", "markdown")},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "k.toml").write_text(KEY)
    (tmp_path / "d.txt").write_text(DERIVATION)
    return tmp_path


def refused(folder: Path, said: str, *arguments: str) -> None:
    done = run(*arguments, "--lang", "en", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    assert said in done.stderr


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_earlier_output_is_replaced_and_another_file_only_by_force(folder: Path, name: str, lang: str) -> None:
    arguments, file = WRITERS[name]
    out = folder / file
    for _ in range(2):
        assert run(*arguments, "--lang", lang, cwd=folder).returncode == 0
    mine = "my own notes\n"
    out.write_text(mine)
    refused(folder, f"{file} is there and no earlier output", *arguments)
    assert out.read_text() == mine
    assert run(*arguments, "--force", cwd=folder).returncode == 0
    assert out.read_text() != mine
    out.write_text("")
    assert run(*arguments, cwd=folder).returncode == 0


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_what_is_read_is_never_overwritten(folder: Path, force: tuple[str, ...]) -> None:
    (folder / "link").symlink_to("k.toml")
    (folder / "hard").hardlink_to(folder / "k.toml")
    for file in ("k.toml", "./k.toml", "link", "hard"):
        refused(folder, "is read by this command", "check", "k.toml", "--out", file, *force)
    refused(folder, "is read by this command", "verify", "d.txt", "--certificate", "d.txt", *force)
    assert (folder / "k.toml").read_text() == KEY
    assert (folder / "d.txt").read_text() == DERIVATION


@pytest.mark.parametrize("name", WRITERS)
def test_a_pipe_or_folder_is_not_written_into(folder: Path, name: str) -> None:
    arguments, file = WRITERS[name]
    os.mkfifo(folder / file)
    refused(folder, "Is a named pipe", *arguments, "--force")
    (folder / file).unlink()
    (folder / file).mkdir()
    refused(folder, "Is a directory", *arguments, "--force")


@pytest.mark.parametrize(
    "arguments",
    [("check", "pipe.toml"), ("check", "pipe.csv"), ("verify", "pipe.toml"), ("build", "pipe.toml"),
     ("step", THEOREM, "--save", "pipe.toml")],
)  # fmt: skip
def test_a_pipe_is_not_read(folder: Path, arguments: tuple[str, ...]) -> None:
    for name in ("pipe.toml", "pipe.csv"):
        os.mkfifo(folder / name)
    refused(folder, "" if "--save" in arguments else "Is a named pipe", *arguments)


def test_a_device_or_folder_is_not_read(folder: Path) -> None:
    refused(folder, "Is a device", "verify", "/dev/zero")
    refused(folder, "Is a device", "check", "k.toml", "--out", "/dev/null")
    (folder / "f.toml").mkdir()
    for command in ("verify", "check", "build"):
        refused(folder, "Is a directory", command, "f.toml")


@pytest.mark.parametrize("text", [DERIVATION, "claim"])
def test_a_derivation_is_read_from_standard_input(folder: Path, text: str) -> None:
    command = [sys.executable, "-m", "derive", "verify", "-", "--lang", "en"]
    root = str(Path(__file__).parents[1])
    done = subprocess.run(
        command, input=text, cwd=folder, env={**os.environ, "PYTHONPATH": root}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == (0 if text == DERIVATION else 1)
    assert done.stderr == ""
