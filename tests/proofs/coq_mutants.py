"""Corrupted lemmas and dropped hypotheses, which Coq must refuse: ``python -m tests.proofs.coq_mutants [COUNT]``.

A mutant is a lemma of a theorem's file, changed in one place of its conclusion, with the proof that the lemma has. One
that Coq accepts must be true: it is tried in small models by an evaluator that shares nothing with Coq or the kernel.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from derive.coq import Workshop, compile_file, of_chain
from derive.library import LibraryTheorem, replays, theorem, theorems
from proofs.context import Context
from proofs.coq.files import HEADER, without
from proofs.coq.inferences import Lemma
from proofs.coq.shared import Inexpressible, module
from proofs.justify import prove
from proofs.kernel import Theorem
from proofs.terms import Term, TermError
from tests.mutations import mutants
from tests.proofs.truth import tried


@dataclass(frozen=True)
class Mutant:
    """A changed lemma, with what it says as a kernel would have it."""

    lemma: Lemma
    of: Theorem
    conclusion: Term


def changed(t: LibraryTheorem, count: int, rng: random.Random) -> list[Mutant]:
    """About `count` mutants: half of them of lines of the chain, half of any lemma; any place of what it says."""
    made = of_chain(t.name, t.chain).proof().inferences
    whole = {line.theorem.conclusion for line in t.chain.lines if line.theorem is not None}
    lines = [x for x in made.made if x[0].conclusion in whole]
    found: list[Mutant] = []
    for attempt in range(20 * count):
        if len(found) == count:
            break
        inference, lemma = rng.choice(lines if lines and attempt % 2 else made.made)
        for _, conclusion in mutants(inference.conclusion, rng, 1):
            if conclusion == inference.conclusion:
                continue
            try:
                statement = made.says(inference, conclusion)
            except (Inexpressible, TermError, KeyError):  # with variables that the lemma does not have
                continue
            if statement != lemma.statement:
                found.append(Mutant(Lemma(f"mutant_{attempt}", statement, lemma.proof), inference, conclusion))
    return found


def accepted(folder: Path, lemmas: Sequence[Lemma], header: str) -> set[str]:
    """The names of those lemmas that Coq accepts, tried one after the other in one process."""
    script = [header]
    for lemma in lemmas:
        script += [lemma.text(), "Abort All."]
    script += [f"Check {lemma.name}." for lemma in lemmas]
    command = ["coqtop", "-q", "-w", "none", "-Q", ".", "Derive"]
    done = subprocess.run(
        command, cwd=folder, input="\n".join(script), capture_output=True, text=True, timeout=900, check=False
    )
    shown = re.findall(r"^(?:Coq < |\S+ < )*(\w+)\s*\n?\s+: ", done.stdout, re.MULTILINE)
    return set(shown) & {lemma.name for lemma in lemmas}


def opened(names: Sequence[str]) -> str:
    """The beginning of a file in which the lemmas of these theorems may be used by name."""
    return HEADER + "".join(f"From Derive Require Import {module(n)}.\n" for n in names)


def compiled(folder: Path, t: LibraryTheorem) -> None:
    """Compile the file of a theorem, so that others can use it."""
    (folder / f"{module(t.name)}.v").write_text(of_chain(t.name, t.chain).proof().text(), encoding="utf-8")
    said = compile_file(folder, module(t.name))
    if said.error:
        raise AssertionError(said.error)


def dropped(t: LibraryTheorem) -> Iterator[Lemma]:
    """The theorem without each of its hypotheses in turn."""
    statement = t.derivation.statement
    for h in statement.assumptions():
        yield without(t.name, statement, h)


def truth(hypotheses: Sequence[Term], conclusion: Term) -> str:
    """``true``, ``FALSE`` or ``open``: by exact evaluation, else by a proof of our own that both verifiers accept."""
    trial = tried(hypotheses, conclusion)
    if trial.false:
        return "FALSE"
    if trial.exact:
        return "true"
    proof = prove(conclusion, Context(hypotheses))
    return "true" if proof is not None and replays("mutant", proof, tuple(hypotheses), conclusion) else "open"


def run(count: int, seed: int) -> Counter[str]:
    """Count what became of about `count` mutants over all theorems, and of every dropped hypothesis."""
    rng = random.Random(seed)
    tally: Counter[str] = Counter()
    library = list(theorems())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        Workshop(folder)
        for n in library:
            t = theorem(n)
            compiled(folder, t)
            tried_ones = changed(t, -(-count // len(library)), rng)
            hypotheses = list(dropped(t))
            true = Lemma("control", "forall n : Z, (n < n + 1)%Z", ("intro n.", "lia."))
            names = accepted(folder, [true, *(m.lemma for m in tried_ones), *hypotheses], opened([n]))
            assert "control" in names, "Coq refused what is true"
            for m in tried_ones:
                if m.lemma.name not in names:
                    tally["mutant refused"] += 1
                    continue
                verdict = truth(sorted(m.of.hypotheses, key=repr), m.conclusion)
                tally[f"mutant accepted, and {verdict}"] += 1
                if verdict != "true":
                    print(n, m.lemma.text(), verdict, file=sys.stderr)
            for lemma in hypotheses:
                tally["hypothesis implied by the others" if lemma.name in names else "hypothesis refused"] += 1
    return tally


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    tally = run(count, seed)
    for what, n in sorted(tally.items()):
        print(f"{n:6} {what}")
    if any("FALSE" in what or "open" in what for what in tally):
        sys.exit(1)


if __name__ == "__main__":
    main()
