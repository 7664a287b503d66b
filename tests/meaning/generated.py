"""Checks generated derivations: `python -m tests.meaning.generated --count 50000 --seed 1 --jobs 1`.

Each derivation is written to the log as one line of JSON; a run with the same log goes on where the last one ended.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

from tests.meaning.generating import generated
from tests.meaning.judging import FALSE, Finding, findings, said_of


def checked(seed: str, models: int = 60) -> dict[str, object]:
    """The verdicts on the derivation of a seed, and what is wrong with them."""
    problem = generated(seed)
    text = str(problem)
    begun = time.perf_counter()
    try:
        said = said_of(text)
        took = time.perf_counter() - begun
        found = findings(problem, said, random.Random(f"models {seed}"), models)
    except Exception:  # a crash of the product is a finding like any other
        took = time.perf_counter() - begun
        found = [Finding("crash", traceback.format_exc(limit=-3))]
        return {"seed": seed, "whole": "crash", "lines": [], "found": [(f.kind, f.what) for f in found], "took": took}
    return {
        "seed": seed,
        "whole": said.whole,
        "lines": [line.verdict for line in said.lines],
        "found": [(f.kind, f.what) for f in found],
        "took": round(took, 3),
        "all": round(time.perf_counter() - begun, 3),
    }


def _results(seeds: list[str], jobs: int) -> Iterator[dict[str, object]]:
    if jobs == 1:
        yield from map(checked, seeds)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(checked, seeds, chunksize=20)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--log", type=Path, help="default: meaning-SEED.jsonl in the current directory")
    parser.add_argument("--every", type=int, default=1_000, help="print the counts after so many")
    given = parser.parse_args(argv)
    log: Path = given.log or Path(f"meaning-{given.seed}.jsonl")
    before: list[dict[str, object]] = []
    if log.exists():
        before = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.endswith("}")]
    done = {str(r["seed"]) for r in before}
    tally = Tally()
    for result in before:
        tally.enter(result)
    seeds = [s for s in (f"{given.seed}.{k}" for k in range(given.count)) if s not in done]
    with log.open("a", encoding="utf-8") as out:
        for k, result in enumerate(_results(seeds, given.jobs), 1):
            out.write(json.dumps(result, ensure_ascii=False) + "\n")
            out.flush()
            tally.enter(result)
            if any(kind in {*FALSE, "crash"} for kind, _ in result["found"]):  # type: ignore[attr-defined]
                _print(result)
            if k % given.every == 0:
                print(tally, flush=True)
    print(tally)
    return 1 if tally.false else 0


def _print(result: dict[str, object]) -> None:
    print(f"--- seed {result['seed']}: {result['whole']} {result['lines']}")
    print(generated(str(result["seed"])), end="")
    for kind, what in result["found"]:  # type: ignore[attr-defined]
        print(f"  {kind}: {what}")
    print(flush=True)


class Tally:
    """Counts of verdicts on wholes and lines, and of findings."""

    def __init__(self) -> None:
        self.wholes: Counter[str] = Counter()
        self.lines: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.seconds = 0.0

    def enter(self, result: dict[str, object]) -> None:
        self.wholes[str(result["whole"])] += 1
        self.lines.update(result["lines"])  # type: ignore[arg-type]
        self.found.update({kind for kind, _ in result["found"]})  # type: ignore[attr-defined]
        self.seconds += float(str(result["took"]))

    @property
    def false(self) -> int:
        return sum(self.found[kind] for kind in (*FALSE, "crash"))

    def __str__(self) -> str:
        def row(counts: Counter[str]) -> str:
            return ", ".join(f"{n} {name}" for name, n in counts.most_common()) or "none"

        return (
            f"{self.wholes.total()} derivations ({self.seconds:.0f} s in the product): {row(self.wholes)}\n"
            f"  lines: {row(self.lines)}\n  derivations with a finding: {row(self.found)}"
        )


if __name__ == "__main__":
    sys.exit(main())
