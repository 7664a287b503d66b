"""Attempts to break what proves, for as long as is asked; a short run of each is part of the tests.

    python -m tests.attacks [ATTACK...] [--minutes M] [--seed S]

Each attack (all of them by default, one after the other) runs for M minutes, 10 by default, and prints what it did and
how often. The first hole ends it: what was found is printed, and the exit status is 1.

    certificates  mutants of the library's certificates: refused, or what they and their steps say is true
    chains        mutants of the library's chains with their reasons: not proved, or each line is exactly true
    corruptions   the same chains as learners' files with a corrupted line, through all of `verify`
    pairs         generated pairs of lines, equal and unequal: no false verdict
    inferences    random inferences, right and wrong, by the kernel and by the second verifier
    rules         a state machine over all rules of the kernel: every theorem is true, and its certificate replays
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

Attack = Callable[[int], Iterator[Counter[str]]]


def certificates(seed: int) -> Iterator[Counter[str]]:
    from tests.proofs.fuzz_certificates import Run

    run = Run(seed)
    while True:
        run.counts.clear()
        run.kinds.clear()
        run.unmet.clear()
        yield run.mutants(50) + Counter({f"mutated: {k}": n for k, n in run.kinds.items()}) + Counter(run.unmet)


def chains(seed: int) -> Iterator[Counter[str]]:
    from tests.proofs.fuzz_chains import run

    return (run(20, k) for k in itertools.count(seed * 1_000_000))


def corruptions(seed: int) -> Iterator[Counter[str]]:
    from tests.proofs.fuzz_corruptions import run

    return (run(5, k) for k in itertools.count(seed * 1_000_000))


def pairs(seed: int) -> Iterator[Counter[str]]:
    from tests.proofs.fuzz_pairs import run

    return (run(50, k) for k in itertools.count(seed * 1_000_000))


def inferences(seed: int) -> Iterator[Counter[str]]:
    from tests.proofs.fuzz_inferences import run

    return (run(300, k) for k in itertools.count(seed * 1_000_000))


def rules(seed: int) -> Iterator[Counter[str]]:
    from proofs.kernel import AXIOMS
    from tests.proofs.random_inferences import RULES
    from tests.proofs.rule_machine import run

    never = dict.fromkeys((*(f"rule {r}" for r in RULES), *(f"row {r}" for r in AXIOMS)), 0)
    for k in itertools.count(seed * 1_000_000):
        counts = run(k)
        counts.update(never)
        yield counts


ATTACKS: Mapping[str, Attack] = {f.__name__: f for f in (certificates, chains, corruptions, pairs, inferences, rules)}


def attacked(name: str, seconds: float, seed: int) -> bool:
    """Run one attack and print its counts; whether nothing was found."""
    counts: Counter[str] = Counter()
    start = time.perf_counter()
    hole: AssertionError | None = None
    batches = ATTACKS[name](seed)
    while time.perf_counter() - start < seconds and hole is None:
        try:
            counts.update(next(batches))
        except AssertionError as error:
            hole = error
    print(f"{name}, seed {seed}, {(time.perf_counter() - start) / 60:.1f} minutes")
    for what, count in sorted(counts.items()):
        print(f"{count:>10}  {what}")
    if hole is not None:
        print(f"a hole: {hole}")
    sys.stdout.flush()
    return hole is None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--minutes", type=float, default=10.0, metavar="M", help="for each attack; default 10")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    asked = parser.parse_args()
    unknown = [name for name in asked.attacks if name not in ATTACKS]
    if unknown:
        parser.error(f"no attack is called {unknown[0]}; there are {', '.join(ATTACKS)}")
    found = [attacked(name, 60 * asked.minutes, asked.seed) for name in asked.attacks or ATTACKS]
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
