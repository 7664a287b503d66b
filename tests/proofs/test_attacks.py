"""Short runs of the attacks on what proves: nothing false is accepted, nothing breaks, and a hole would be seen.

The long runs are those of ``python -m tests.attacks``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from proofs import kernel, replay
from proofs.kernel import AXIOMS, Axiom, KernelError, assume
from proofs.terms import add, div, mul, num, relation, var
from tests.proofs import fuzz_chains, rule_machine
from tests.proofs.fuzz_certificates import MUTATIONS, Run
from tests.proofs.inferences import Inference, by_kernel, lines
from tests.proofs.random_inferences import RULES
from tests.proofs.reading_back import reached
from tests.proofs.truth import tried


def test_mutated_certificates_are_refused_or_prove_what_is_true() -> None:
    run = Run(seed=6)
    counts = run.mutants(200)
    assert counts["refused"] + counts["accepted"] == counts["mutants"] == 200
    assert counts["accepted, something else"] >= 1
    assert counts["new steps claimed"] >= 25
    assert counts["statements: true"] >= 25
    assert all(run.kinds[name] for name in MUTATIONS)


def test_mutated_chains_are_not_proved_or_true_line_by_line() -> None:
    counts = fuzz_chains.run(60, seed=6)
    assert counts["refused: unjustified"] >= 30
    assert counts["instances, exact"] > 10 * counts["lines recognised as true"] > 0


def test_whatever_rules_are_applied_every_theorem_is_true_and_replays() -> None:
    counts: Counter[str] = Counter()
    wanted = [*(f"rule {rule}" for rule in RULES), *(f"row {row}" for row in AXIOMS)]
    for seed in range(30):
        counts += rule_machine.run(seed)
        if seed >= 9 and all(counts[name] >= (3 if name.startswith("rule") else 1) for name in wanted):
            break
    assert [name for name in wanted if not counts[name]] == []
    assert counts["theorems tried where their hypotheses hold"] >= counts["theorems"] // 2 > 300


# --- a hole would be seen --------------------------------------------------------------------------------------


def without_premise(patch: pytest.MonkeyPatch, name: str, place: int) -> None:
    """Take a premise out of a row of both tables."""
    row = AXIOMS[name]
    left = tuple(p for k, p in enumerate(row.premises) if k != place)
    patch.setitem(kernel.AXIOMS, name, Axiom(name, left, row.conclusion))  # type: ignore[arg-type]
    said = replay.ROWS[name]
    parts = said[: said.index("=>")].replace(") (", ")|(").split("|")
    assert len(parts) == len(row.premises)
    kept = " ".join(p for k, p in enumerate(parts) if k != place)
    patch.setitem(replay.ROWS, name, f"{kept} {said[said.index('=>') :]}".strip())


def bound_index_is_never_free(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(kernel, "_new", lambda *_: None)
    patch.setattr(replay.Rules, "arbitrary", lambda *_: None)


HOLES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "an index that is free in a hypothesis": bound_index_is_never_free,
    "a power of what may be zero": lambda patch: without_premise(patch, "power-nonzero", 0),
    "the root of a square": lambda patch: without_premise(patch, "root-of-square", 0),
    "a positive sum over no index": lambda patch: without_premise(patch, "sum-positive", 0),
    "a sum split outside of its range": lambda patch: without_premise(patch, "sum-split", 1),
}


@pytest.mark.parametrize("name", HOLES)
def test_the_machine_finds_a_hole_that_both_verifiers_have(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    HOLES[name](monkeypatch)
    with pytest.raises(rule_machine.Fault, match="false: "):
        rule_machine.runs(150)


def test_what_replay_alone_cancels_is_true() -> None:
    """A quotient of what is not zero, which the kernel does not look for among what may be divided out."""
    x, c = var("x"), add(var("x"), var("y"))
    given = tuple(assume(relation("ne", t, num(0))) for t in (c, x))
    inference = Inference("ring", given, (div(x, div(c, x)), div(mul(x, x), c)))
    with pytest.raises(KernelError, match="not shown equal"):
        by_kernel(inference)
    hypotheses, conclusion = reached(lines(inference))
    assert hypotheses == {t.conclusion for t in given}
    assert conclusion == relation("eq", *inference.parameters)
    trial = tried(sorted(hypotheses, key=repr), conclusion)
    assert not trial.false
    assert trial.exact >= 10
