"""The command line: instant help, one line for each error, exit status 2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def derive(*arguments: str, cwd: Path, lang: str = "en_GB.UTF-8") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": lang, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "derive.cli", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_help_names_every_command_and_imports_nothing_heavy(tmp_path: Path) -> None:
    probe = (
        "import sys; sys.argv = ['derive', '--help']; import derive.cli as c; c.main();"
        "heavy = {'sympy', 'numpy', 'typst', 'rich', 'jinja2', 'mpmath', 'fontTools', 'proofs'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", probe], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in ("build", "list", "prove"):
        assert command in done.stdout


def test_help_follows_the_locale_and_lang(tmp_path: Path) -> None:
    assert "命令" in derive("--help", cwd=tmp_path, lang="zh_CN.UTF-8").stdout
    assert "Commands" in derive("--help", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["biuld"], "biuld"),
        (["build", "--fromat", "pdf"], "--format"),
        (["build", "--format", "docx"], "pdf, html, tex, md"),
        (["build", "--format", "pdf,pdf"], "twice"),
        (["build", "--lang", "fr"], "zh, en"),
        (["build", "--paper", "a5"], "a4, letter"),
        (["build", "--edition", "teacher"], "student, solutions, key"),
        (["build", "--seed", "x"], "--seed"),
        (["build", "--seed", "-1"], "--seed"),
        (["build", "--variants", "0"], "--variants"),
        (["build", "none.toml"], "none.toml"),
    ],
)
def test_an_error_is_one_line_and_status_2(tmp_path: Path, arguments: list[str], words: str) -> None:
    done = derive(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("derive: ")
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_errors_are_said_in_chinese_too(tmp_path: Path) -> None:
    assert "无法打开清单" in derive("build", "none.toml", "--lang", "zh", cwd=tmp_path).stderr
    assert "无法打开清单" in derive("build", "none.toml", cwd=tmp_path, lang="zh_CN.UTF-8").stderr
