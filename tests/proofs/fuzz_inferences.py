"""Random inferences, right ones and wrong ones, by both verifiers: they accept the same, and it is true.

What replay accepts alone, by arithmetic that cancels more, must be true as well.

``python -m tests.attacks inferences --minutes 10`` is the long run; a short one is part of the tests.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from mpmath import iv

from proofs.replay import ReplayError
from proofs.terms import Term
from tests.proofs.inferences import by_replay, lines, text
from tests.proofs.random_inferences import inferences
from tests.proofs.reading_back import reached
from tests.proofs.small_models import Model, refutes
from tests.proofs.truth import BITS

MODELS = 3
STRONGER = ("ring",)  # where replay takes more to be different from 0: a quotient, and what has a factor in front


class Disagreement(AssertionError):
    """An inference that one verifier accepts and the other does not, or that both accept and that is false."""


def run(count: int, seed: int) -> Counter[str]:
    """So many inferences, each on those before it, with counts by rule; raises `Disagreement`."""
    iv.prec = BITS
    random = Random(seed)
    counts: Counter[str] = Counter()
    for inference, theorem in inferences(seed, count):
        said = (inference.rule, inference.parameters)
        counts["inferences"] += 1
        try:
            found = by_replay(inference)
        except ReplayError as error:
            if theorem is None:
                counts["refused by both"] += 1
            elif "is not shown to lie" in str(error):
                counts["a root or logarithm at the edge of its domain, which an interval may miss"] += 1
            else:
                raise Disagreement(f"seed {seed}: only the kernel accepts {said}: {error}") from error
            continue
        if theorem is None:
            if inference.rule not in STRONGER or refuted(random, *reached(lines(inference))):
                raise Disagreement(f"seed {seed}: only replay accepts {said}: {found}")
            counts["accepted by replay alone, and true"] += 1
            continue
        if found != text(theorem):
            raise Disagreement(f"seed {seed}: {theorem!r} by the kernel, and {found} by replay")
        counts["accepted by both"] += 1
        counts[f"accepted by both: {inference.rule}"] += 1
        if refuted(random, theorem.hypotheses, theorem.conclusion):
            raise Disagreement(f"seed {seed}: false: {theorem!r}")
    return counts


def refuted(random: Random, hypotheses: frozenset[Term], conclusion: Term) -> bool:
    return any(refutes(Model(random), tuple(hypotheses), conclusion) for _ in range(MODELS))
