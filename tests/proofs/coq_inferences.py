"""Random inferences that the kernel accepts, put before Coq: ``python -m tests.proofs.coq_inferences [COUNT] [SEED]``.

What Coq refuses is printed: a theorem that is false, or one for which the fixed proof of its rule is too weak.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from derive.coq import Workshop
from proofs.coq.files import HEADER, definition
from proofs.coq.inferences import Inferences, Lemma
from proofs.coq.shared import Inexpressible
from proofs.coq.writing import Writer
from proofs.kernel import Theorem
from tests.proofs.coq_mutants import accepted
from tests.proofs.random_inferences import double, inferences, nested, shifted

DEFINITIONS = {shifted: "shifted", double: "double", nested: "nested"}


def run(count: int, seed: int, folder: Path) -> tuple[Counter[str], list[Lemma]]:
    """What became of `count` random inferences, and what Coq refused; the prelude is compiled in `folder`."""
    tally: Counter[str] = Counter()
    writer = Writer(DEFINITIONS)
    made = Inferences(writer, {})
    lemmas: list[Lemma] = []
    for k, (_, theorem) in enumerate(inferences(seed, count)):
        if isinstance(theorem, Theorem):
            try:
                lemmas += made.written(theorem, f"inference_{k}")
            except Inexpressible:
                tally["not expressible"] += 1
    header = HEADER + "\n".join(definition(d, writer) for d in DEFINITIONS)
    names = accepted(folder, lemmas, header)
    tally["accepted"] = len(names)
    refused = [lemma for lemma in lemmas if lemma.name not in names]
    tally["refused"] = len(refused)
    return tally, refused


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    with tempfile.TemporaryDirectory() as name:
        workshop = Workshop(Path(name))
        if workshop.fault:
            sys.exit(workshop.fault)
        tally, refused = run(count, seed, workshop.folder)
    for lemma in refused:
        print(lemma.text())
    for what, n in sorted(tally.items()):
        print(f"{n:6} {what}")


if __name__ == "__main__":
    main()
