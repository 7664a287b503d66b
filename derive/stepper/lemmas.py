"""Theorems that belong to a proof: lemmas that a step is a case of, what it is a case of as a whole, and relatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from derive.library import LibraryTheorem, theorems
from derive.stepper.subjects import Step, Subject
from proofs.context import Context
from proofs.statement import Statement
from proofs.terms import Definition, Term, TermError, binds, relation, substitute

MAX_RELATED = 9
Kind = Literal["lemma", "general", "case", "related"]


@dataclass(frozen=True)
class Related:
    """A theorem to enter: `values` say what its names stand for, where this proof or step is a case of it."""

    theorem: LibraryTheorem
    kind: Kind
    values: tuple[tuple[Term, Term], ...] = ()


def related(subject: Subject, step: Step) -> tuple[Related, ...]:
    """Theorems to enter from a step: what it, or the whole claim, is a case of; then those about the same things."""
    library = [t for t in theorems().values() if isinstance(t, LibraryTheorem)]
    own = subject.chains[step.chain].statement
    claims = {c.statement.claim for c in subject.chains}
    found: dict[str, Related] = {}
    for t in library:
        general = t.derivation.statement
        if general.claim in claims:
            continue
        if step.before is not None:
            for a, b in _parts(step.before, step.term):
                values = case_of(general, relation("eq", a, b), own) if a.rank == b.rank else None
                if values is not None:
                    found.setdefault(t.name, Related(t, "lemma", values))
        values = case_of(general, own.claim, own)
        if values is not None:
            found.setdefault(t.name, Related(t, "general", values))
        if case_of(own, general.claim, general) is not None:
            found.setdefault(t.name, Related(t, "case"))
    used = names(own.claim)
    for t in library:
        if t.derivation.statement.claim not in claims and names(t.derivation.statement.claim) & used:
            found.setdefault(t.name, Related(t, "related"))
    order = ("lemma", "general", "case", "related")
    return tuple(sorted(found.values(), key=lambda r: order.index(r.kind))[:MAX_RELATED])


def names(t: Term) -> frozenset[str]:
    """The definitions that are applied in a term."""
    own = {t.data.name} if isinstance(t.data, Definition) else set()
    return frozenset(own).union(*(names(a) for a in t.args))


def _parts(a: Term, b: Term) -> Iterator[tuple[Term, Term]]:
    """The two lines, and the parts of them in which alone they differ, from the outside in."""
    while True:
        if not (a.loose or b.loose):
            yield a, b
        if a.op != b.op or a.data != b.data or len(a.args) != len(b.args) or binds(a):
            return
        differing = [(x, y) for x, y in zip(a.args, b.args, strict=True) if x != y]
        if len(differing) != 1:
            return
        a, b = differing[0]


def case_of(general: Statement, claim: Term, own: Statement) -> tuple[tuple[Term, Term], ...] | None:
    """What the names of `general` must stand for to make its claim `claim`, its assumptions holding; else None."""
    declared = {d.variable for d in general.declarations}
    if not declared:
        return None
    for p in (claim, relation(claim.op, *claim.args[::-1]) if claim.op == "eq" else claim):
        values: dict[Term, Term] = {}
        if not _matches(general.claim, p, declared, values):
            continue
        if declared <= values.keys() and _hold(general, values, own):
            return tuple((d.variable, values[d.variable]) for d in general.declarations)
    return None


def _matches(pattern: Term, t: Term, names: set[Term], values: dict[Term, Term]) -> bool:
    if pattern in names:
        if pattern.rank != t.rank or t.loose or (pattern.sort == "integer" and t.sort != "integer"):
            return False
        return values.setdefault(pattern, t) == t
    if pattern.op != t.op or pattern.data != t.data or len(pattern.args) != len(t.args) or pattern.rank != t.rank:
        return False
    return all(_matches(p, x, names, values) for p, x in zip(pattern.args, t.args, strict=True))


def _hold(general: Statement, values: Mapping[Term, Term], own: Statement) -> bool:
    ctx = Context.of(own)
    try:
        return all(ctx.proposition(substitute(p, values)) is not None for p in general.assumptions())
    except TermError:
        return False
