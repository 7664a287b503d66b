"""The chains of the library as learners' files, each with one line corrupted: never ``proved`` where it is false.

``python -m tests.proofs.fuzz_corruptions 2000 [SEED]`` is the long run. A corrupted line that is still true is
recognised as such as in `fuzz_chains`: exactly, at models of what is given.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import replace

from derive.library import OPERATIONS, LibraryTheorem, reason_names, theorems
from proofs.syntax.derivation import Derivation
from proofs.terms import relation
from proofs.verify import verify
from tests.mutations import mutants
from tests.proofs.fuzz_chains import recognised


def run(corruptions: int, seed: int) -> Counter[str]:
    """Corrupt that many lines; raises `Hole` where a false line makes a proved whole."""
    rng = random.Random(f"corruptions {seed}")
    library = [t for t in theorems().values() if isinstance(t, LibraryTheorem)]
    names = reason_names()
    counts: Counter[str] = Counter()
    while counts["corrupted"] < corruptions:
        derivation = rng.choice(library).derivation
        k = rng.randrange(1, len(derivation.lines))
        line = derivation.lines[k]
        found = next(iter(mutants(line.term, rng, 1)), None) if line.term is not None else None
        if found is None:
            continue
        lines = (*derivation.lines[:k], replace(line, term=found[1], reason_text=None), *derivation.lines[k + 1 :])
        corrupted = Derivation(derivation.statement, lines, derivation.claim_text, derivation.claim_line)
        report = verify(corrupted, names)
        counts["corrupted"] += 1
        verdict = next((v.verdict for v in report.lines[k:] if v.verdict != "proved"), "claim not reached")
        accepted = report.theorem is not None  # a reason that does not hold doesn't make a line false
        counts["still proved, and true" if accepted else verdict] += 1
        if accepted:
            before, sign = derivation.lines[k - 1].term, line.relation
            if before is None or sign is None:
                raise AssertionError(line.text)
            recognised(derivation.statement, relation(OPERATIONS[sign], before, found[1]))
    return counts


def main() -> None:
    corruptions = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for name, count in sorted(run(corruptions, seed).items()):
        print(f"{name:20}{count:>8}")


if __name__ == "__main__":
    main()
