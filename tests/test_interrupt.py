"""Ctrl-C at any time: one line, status 130, no traceback, nothing half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SLOW = {
    "build": ["build", str(ROOT / "build" / "day45.toml"), "--out", "out"],
    "prove": ["prove", "--certificate", "c.jsonl", "attention-layer-causality"],
    "check": ["check", "k.toml", "--jobs", "2", "--out", "r.json", "--format", "json"],
    "verify": ["verify", "d.txt"],
    "list": ["list"],
}


def interrupted(folder: Path, name: str, after: float) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "derive", *SLOW[name], "--lang", "en"]
    if name == "build":
        command = command[:-2]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    time.sleep(after)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to the workers too
    _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.mark.parametrize("name", SLOW)
def test_an_interrupt_is_one_line_at_any_time(tmp_path: Path, name: str) -> None:
    entry = '[[answer]]\nid = "{}"\nproblem = "value"\ngiven = {{ value = "64" }}\nanswer = "(1+sqrt(2)+sqrt(3))^40"\n'
    (tmp_path / "k.toml").write_text("".join(entry.format(k) for k in range(40)))
    chain = "".join(f"  = (1+a+b)^{k % 9 + 30} + 1 - 1\n" for k in range(30))
    (tmp_path / "d.txt").write_text(f"let a, b : real\nclaim (1+a+b)^30 = 0\nproof\n  (1+a+b)^30\n{chain}")
    stopped = 0
    for after in (0.15, 0.3, 0.5, 0.8, 1.2):
        status, said = interrupted(tmp_path, name, after)
        assert "Traceback" not in said
        if (status, said) == (-signal.SIGINT, ""):  # Python itself had not begun
            continue
        if status != 130:  # it was done before
            assert status in (0, 1), said
            continue
        stopped += 1
        assert said.splitlines()[-1:] == ["derive: stopped; no file is left half written"]
        assert said.count("derive: ") == 1
    assert stopped or name == "list"
    assert not list(tmp_path.rglob(".*.derive-part"))
