"""Judging answers beside `math-verify` (PyPI) on the same values, in one run: verdicts and time.

Run with ``python -m tests.benchmarks.answers [KEY.toml ...]``; without keys, on the cases of the tests. `math-verify`
is compared where it is installed. It knows two verdicts, so `correct`, `equivalent` and `rounded` count as accepted.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from derive.answers.checking import Entry, check
from derive.keys import load

MARKS = {"=": True, "~": True, "!": False, "?": False, "x": False}


def cases(paths: Sequence[str]) -> list[tuple[Entry, bool | None]]:
    """Entries with whether they should be accepted, where that is known."""
    if paths:
        return [(e, None) for p in paths for e in load(Path(p)).entries]
    from tests.derive.answers.test_values import CASES

    return [
        (Entry(str(k), "value", {"value": value, "symbols": symbols}, answer), MARKS[mark])
        for k, (value, symbols, listed) in enumerate(CASES)
        for mark, answers in listed.items()
        for answer in answers
    ]


def timed(judge: Callable[[Entry], bool], entries: Sequence[tuple[Entry, bool | None]]) -> list[tuple[bool, float]]:
    found = []
    for entry, _ in entries:
        start = time.perf_counter()
        accepted = judge(entry)
        found.append((accepted, (time.perf_counter() - start) * 1e3))
    return found


def ours(entry: Entry) -> bool:
    return check(entry).accepted


def theirs() -> Callable[[Entry], bool] | None:
    """`math-verify` on the same texts, LaTeX between dollar signs; None where it isn't installed."""
    try:
        from math_verify import parse, verify  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None

    def judge(entry: Entry) -> bool:
        gold = parse(f"${entry.given['value']}$", parsing_timeout=None)
        answer = parse(f"${entry.answer}$", parsing_timeout=None)
        return bool(verify(gold, answer, timeout_seconds=None))

    return judge


def report(name: str, found: list[tuple[bool, float]], entries: Sequence[tuple[Entry, bool | None]]) -> None:
    times = sorted(t for _, t in found)
    known = [(accepted, right) for (accepted, _), (_, right) in zip(found, entries, strict=True) if right is not None]
    verdicts = ""
    if known:
        accepted, refused = sum(a and not r for a, r in known), sum(r and not a for a, r in known)
        verdicts = f"; wrongly accepted {accepted}, wrongly refused {refused}"
    print(
        f"{name:12} {len(found)} answers, median {statistics.median(times):.2f} ms, "
        f"99th percentile {times[int(len(times) * 0.99)]:.2f} ms{verdicts}"
    )


def main(paths: Sequence[str]) -> None:
    entries = cases(paths)
    timed(ours, entries)  # warm
    report("derive", timed(ours, entries), entries)
    judge = theirs()
    if judge is None:
        print("math-verify is not installed")
        return
    values = [(e, r) for e, r in entries if e.problem == "value" and isinstance(e.given.get("value"), str)]
    timed(judge, values[:20])  # warm
    report("math-verify", timed(judge, values), values)
    report("derive", timed(ours, values), values)


if __name__ == "__main__":
    main(sys.argv[1:])
