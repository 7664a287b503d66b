"""What the writers of proofs and of questions both need, and what prints no term: names, orders, the prelude."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from proofs.kernel import AXIOMS
from proofs.record import Established
from proofs.statement import Statement
from proofs.terms import Term, free_variables


FORBIDDEN = frozenset({
    "Admitted", "admit", "give_up", "Abort", "Axiom", "Axioms", "Parameter", "Parameters", "Conjecture",
    "Hypothesis", "Hypotheses", "Variable", "Variables", "Context", "Section", "Declare", "Load", "Unset", "Set",
    "Extraction", "Redirect", "Cd", "Module", "Include", "bypass_check", "Obligations", "Program",
})  # fmt: skip
"""Words that no file may have outside of its comments."""


class Inexpressible(ValueError):
    """A term or a proof that the translation does not reach, such as an index that is itself a sum."""


def module(name: str) -> str:
    """The name of a theorem as that of its file and of the theorem in it.

    >>> module("softmax-sum-one"), module("line 3"), module("2nd")
    ('softmax_sum_one', 'line_3', 't_2nd')
    """
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return plain if plain[:1].isalpha() else f"t_{plain}"


@cache
def prelude() -> str:
    """The file that every other one rests on."""
    return (files("proofs.coq") / "prelude.v").read_text(encoding="utf-8")


@cache
def of_prelude() -> frozenset[str]:
    """What the prelude names: its definitions, lemmas and tactics."""
    return frozenset(re.findall(r"^(?:Lemma|Definition|Fixpoint|Ltac)\s+(\w+)", prelude(), re.MULTILINE))


def beside(statement: Statement, e: Established) -> list[Term]:
    """What holds at the place of what is asked, and is no assumption of the statement, in order."""
    granted = set(statement.assumptions())
    return [p for p in dict.fromkeys(e.path) if p not in granted]


def own_variables(statement: Statement, e: Established) -> list[Term]:
    """The free variables of what is asked that the statement does not declare, in a fixed order."""
    declared = {d.variable for d in statement.declarations}
    free = {v for p in (*beside(statement, e), e.asked) for v in free_variables(p)} - declared
    return sorted(free, key=lambda v: (str(v.data), v.sort, v.rank))


def labels(named: Sequence[Established]) -> list[tuple[str, Established]]:
    """What is asked with labels that Coq can read, each once in a file: ``line-3`` is ``said_line_3``."""
    made: dict[str, Established] = {}
    for e in named:
        base = f"said_{module(e.name)}"
        wanted, k = base, 1
        while wanted in made:
            wanted, k = f"{base}_again_{k}", k + 1
        made[wanted] = e
    return list(made.items())


def row_name(name: str) -> str:
    """The lemma of the prelude for a row of the table of axioms."""
    return name.replace("-", "_")


def row_variables(name: str) -> list[Term]:
    """The variables of a row, in the order in which its lemma takes them: by name."""
    row = AXIOMS[name]
    return sorted({v for p in (*row.premises, row.conclusion) for v in free_variables(p)}, key=lambda v: str(v.data))
