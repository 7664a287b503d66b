"""The chains of the library with their reasons, mutated: not proved, or each of their lines is true.

``python -m tests.attacks chains --minutes 10`` is the long run; a short one is part of the tests. A line's term is
changed in one place, or its relation, or two lines are exchanged, one is left out or given the reasons of another. A
chain that is still proved must hold line by line: each relation exactly, at models of the declarations and hypotheses,
and each term with a value there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random

from derive.library import LibraryTheorem, theorems
from proofs.calc import Chain, ChainError, proved
from proofs.statement import Statement
from proofs.terms import Term, TermError, relation
from tests.mutations import mutants
from tests.proofs.truth import Trial, tried

Line = tuple[str | None, Term, Sequence[str]]
INSTANCES = 24


class Hole(AssertionError):
    """A chain that is proved although a line of it is false, or has no value, or can't be recognised as true."""


@cache
def chains() -> tuple[Chain, ...]:
    """The chains of the library."""
    return tuple(t.chain for t in theorems().values() if isinstance(t, LibraryTheorem))


@cache
def recognised(statement: Statement, goal: Term) -> Trial:
    """How a line fares in models of what is given.

    Raises
    ------
    Hole
        Where it fails or has no value in some model, or there is no model in which it is exactly true.
    """
    trial = tried(statement.assumptions(), goal, statement.declarations, INSTANCES)
    if trial.false:
        raise Hole(f"false: {goal!r}")
    if trial.undefined:
        raise Hole(f"without a value: {goal!r}")
    if not trial.exact:
        raise Hole(f"not recognised as true: {goal!r}")
    return trial


def mutant(lines: list[Line], random: Random) -> str | None:
    """Change the lines in place; the name of the change, or None where it is none."""
    k = random.randrange(1, len(lines))
    op, term, reasons = lines[k]
    pick = random.randrange(20)
    if pick == 0:
        new = random.choice([o for o in ("eq", "le", "lt") if o != op])
        lines[k] = (new, term, reasons)
        return "another relation"
    if pick == 1:
        lines[k - 1], lines[k] = (lines[k - 1][0], term, lines[k - 1][2]), (op, lines[k - 1][1], reasons)
        return "relation reversed"
    if pick == 2 and len(lines) > 2:
        del lines[k]
        return "line left out"
    if pick == 3:
        other = random.choice(chains())
        lines[k] = (op, term, other.lines[random.randrange(1, len(other.lines))].reasons)
        return "other reasons"
    found = next(iter(mutants(term, random, 1)), None)
    if found is None:
        return None
    lines[k] = (op, found[1], reasons if random.random() < 0.8 else ())
    return found[0]


def run(count: int, seed: int) -> Counter[str]:
    """So many mutants of chains drawn at random, with counts; raises `Hole`."""
    random = Random(f"chains {seed}")
    counts: Counter[str] = Counter()
    while counts["mutants"] < count:
        chain = random.choice(chains())
        lines: list[Line] = [(line.relation, line.term, line.reasons) for line in chain.lines]
        what = mutant(lines, random)
        if what is None:
            continue
        counts["mutants"] += 1
        try:
            made = proved(chain.statement, lines)
        except ChainError as error:
            counts[f"refused: {error.code}"] += 1
            continue
        except TermError:  # an inequality between tensors
            counts["refused: no such relation"] += 1
            continue
        counts["still proved"] += 1
        counts[f"still proved: {what}"] += 1
        for before, after in pairwise(made.lines):
            assert after.relation is not None
            trial = recognised(chain.statement, relation(after.relation, before.term, after.term))
            counts["lines recognised as true"] += 1
            counts["instances, exact"] += trial.exact
            counts["instances, within 160 bits"] += trial.instances - trial.exact
    return counts
