"""``python -m tests.meaning.readings --minutes 60 --seed 1``: the long run. Exit status 1 if anything is reported."""

from __future__ import annotations

import argparse
import signal

from tests.meaning.readings.campaign import run
from tests.meaning.readings.writer import texts

REPORTED = ("silent", "shown", "nobody", "raised", "rare-choice", "message", "note")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="weaker habits, allowed readings and clear refusals too")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was found so far is still reported
    tally = run(texts(options.seed), 60 * options.minutes)
    more = ("silent-weaker", "allowed", "own-gap", "refused-clear") if options.all else ()
    for line in tally.lines((*REPORTED, *more)):
        print(line)
    print(f"{tally.texts} texts, {tally.several} with several readings that people use")
    for outcome, count in sorted(tally.outcomes.items()):
        print(f"  {outcome}: {count}")
    for kind in sorted({k for k, _, _ in tally.counts}):
        shapes = [c for (k, _, _), c in tally.counts.items() if k == kind]
        print(f"  {kind}: {sum(shapes)} texts of {len(shapes)} shapes")
    return 1 if any(k in REPORTED for k, _, _ in tally.counts) else 0


raise SystemExit(main())
