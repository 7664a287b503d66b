"""How busy the machine is changes no verdict: limits count work and the time of the processor."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from derive.answers import pool
from derive.answers.checking import Entry, Judged
from derive.commands import verify as command
from proofs.verify import OutOfTime


def _spin() -> None:
    while True:
        pass


@contextmanager
def busy() -> Iterator[None]:
    """Programs beside this one that take all that they can get."""
    others = [multiprocessing.get_context("fork").Process(target=_spin, daemon=True) for _ in range(6)]
    for p in others:
        p.start()
    try:
        yield
    finally:
        for p in others:
            p.kill()
            p.join()


ANSWERS = (
    "10^10^10",
    "sqrt(" * 40 + "2" + ")" * 40,
    "(" + "+".join(f"sqrt({p})" for p in (2, 3, 5, 7, 11)) + ")^12",
    "64",
)


def test_verdicts_beside_busy_programs_are_those_on_an_idle_machine() -> None:
    entries = [Entry(str(k), "value", {"value": "64"}, a) for k, a in enumerate(ANSWERS)]
    entries.append(Entry("p", "proof", {"theorem": "softmax-shift-invariance"}, "let n : size\nproof\n  0 = 0"))
    idle = pool.check_all(entries)
    with busy():
        assert pool.check_all(entries, jobs=2) == idle


def test_an_answer_is_given_its_time_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(entry: Entry, certify: bool = False) -> Judged:
        end = time.process_time() + (0.4 if entry.id == "short" else 60)
        while time.process_time() < end:
            pass
        return Judged(entry.id, entry.problem, "", "correct", "same", pool.stopped(entry, "time-limit").reason)

    monkeypatch.setattr(pool, "check", check)
    entries = [Entry(name, "value", {}, "") for name in ("short", "endless", "short")]
    with busy():
        found = pool.check_all(entries, seconds=1)
    assert [j.code for j in found] == ["same", "time-limit", "same"]


def test_an_answer_that_only_waits_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "PATIENCE", 3)
    monkeypatch.setattr(pool, "check", lambda entry, certify: time.sleep(600))
    (found,) = pool.check_all([Entry("a", "value", {}, "")], seconds=0.2)
    assert (found.verdict, found.code) == ("undecided", "time-limit")


def test_a_line_is_given_its_time_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "SECONDS_A_LINE", 0.3)
    with command.within_time():
        time.sleep(0.6)
    start = time.process_time()
    with pytest.raises(OutOfTime), command.within_time():
        _spin()
    assert 0.25 < time.process_time() - start < 0.6
