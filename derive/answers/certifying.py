"""Backing an accepting verdict by theorems: what it says is proved by the kernel, and replayed from the certificate.

Judging rests on closed forms and intervals that no certificate records. Here each statement that an outcome carries is
proved anew: an equation by the search, a rounding by two inequalities from the kernel's rational bounds; and that the
answer has a value, besides. What has no statement (an infinity, a letter), and what the search does not find, is said.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from derive.answers.judging import Outcome, from_granted
from proofs import kernel
from proofs.context import Context
from proofs.defined import Condition, conditions
from proofs.justify import prove
from proofs.kernel import KernelError, Theorem
from proofs.record import Established, certificate, replays
from proofs.signs import prove_signed
from proofs.statement import Statement
from proofs.terms import Term, TermError, free_variables, negation, relation

PRECISIONS = (64, 256, 1_024, 2_048)


@dataclass(frozen=True)
class Certified:
    """What became of the attempt: the certificate line by line, or the code of why there is none.

    With `contradicted` the opposite of what the verdict says was proved.
    """

    lines: tuple[str, ...] = ()
    reason: str = ""
    contradicted: bool = False

    @property
    def holds(self) -> bool:
        return not self.reason


def certified(outcome: Outcome, name: str) -> Certified:
    """The certificate of an accepting outcome; its theorems are called after `name`."""
    if outcome.unstated:
        return Certified(reason=outcome.unstated)
    if outcome.record:
        (statement,) = outcome.goals
        record = [replace(e, name=f"{name} {e.name}") for e in outcome.record]
        return _replayed(record, statement)
    if not outcome.goals:
        return Certified(reason="no-statement")
    record = []
    for k, goal in enumerate(outcome.goals, 1):
        found = _established(f"{name} {k}", goal)
        if found is None:
            return Certified(reason="contradicted" if _refuted(goal) else "not-found", contradicted=_refuted(goal))
        record += found
    return _replayed(record, Statement((), (), outcome.goals[0].claim))


def _replayed(record: list[Established], statement: Statement) -> Certified:
    lines = tuple(certificate(record))
    return Certified(lines) if replays(record, statement, lines) else Certified(reason="refused")


def _established(name: str, goal: Statement) -> list[Established] | None:
    """The theorems for a statement and for what its sides need to have a value; None where one is not found."""
    ctx = Context.of(goal)
    granted = goal.assumptions()
    try:
        theorem = shown(goal.claim, ctx)
        needed = [
            _shown(c, goal.hypotheses, ctx).established(f"{name} value {k}")
            for k, c in enumerate(conditions(goal.claim, ctx), 1)
        ]
    except (KernelError, TermError, RecursionError):
        return None
    known = [e for e in needed if e is not None]
    if theorem is None or len(known) < len(needed):
        return None
    return [Established(name, goal.claim, theorem, granted), *(replace(e, path=(*granted, *e.path)) for e in known)]


def _shown(condition: Condition, granted: tuple[Term, ...], ctx: Context) -> Condition:
    """A condition with its theorem, also where it is one of those granted written otherwise."""
    if condition.theorem is not None or condition.path:
        return condition
    return replace(condition, theorem=from_granted(condition.wanted, granted, ctx))


def shown(claim: Term, ctx: Context) -> Theorem | None:
    """A theorem for a relation: by arithmetic alone, by bounds, or by the search."""
    if free_variables(claim):
        found = prove_signed(claim, ctx) if claim.op == "eq" else ctx.proposition(claim) or prove(claim, ctx)
        return found or _from_both_sides(claim, ctx)
    if claim.op == "eq":
        return _by_arithmetic(claim) or prove_signed(claim, ctx)
    return _by_arithmetic(claim) or _by_bounds(claim) or prove(claim, ctx)


def _from_both_sides(claim: Term, ctx: Context) -> Theorem | None:
    """``a = b`` from ``a <= b`` and ``b <= a``."""
    if claim.op != "eq" or claim.args[0].rank:
        return None
    a, b = claim.args
    low, high = ctx.inequality(relation("le", a, b)), ctx.inequality(relation("le", b, a))
    return None if low is None or high is None else kernel.axiom("antisymmetry", {"x": a, "y": b}, (low, high))


def _by_arithmetic(claim: Term) -> Theorem | None:
    try:
        if claim.op == "eq":
            return kernel.ring(claim.args[0], claim.args[1], ())
        return kernel.linear(claim, (), ()) if claim.op in ("le", "lt") else None
    except KernelError:
        return None


def _by_bounds(claim: Term) -> Theorem | None:
    if claim.op not in ("le", "lt", "ne"):
        return None
    for bits in PRECISIONS:
        try:
            return kernel.bound(claim, bits)
        except (KernelError, TermError):
            continue
    return None


def _refuted(goal: Statement) -> bool:
    """Whether the opposite of a claim between numbers is proved."""
    claim = goal.claim
    if free_variables(claim) or claim.op not in ("eq", "le", "lt"):
        return False
    opposite = negation(claim)
    return (_by_arithmetic(opposite) or _by_bounds(opposite)) is not None


# --- one file for many -----------------------------------------------------------------------------------------


def joined(certificates: Iterable[Iterable[str]]) -> Iterator[str]:
    """Several certificates as one: what each numbers for itself is numbered on."""
    yield json.dumps({"certificate": "derive", "version": 1})
    used = {"term": 0, "definition": 0, "step": 0}
    for lines in certificates:
        start = dict(used)
        for line in lines:
            entry: dict[str, object] = json.loads(line)
            if "certificate" in entry:
                continue
            moved = _moved(entry, start)
            for kind in used:
                if kind in entry and not (kind == "step" and "theorem" in entry):
                    used[kind] += 1
                    break
            yield json.dumps(moved, separators=(",", ":"), ensure_ascii=False)


def _moved(entry: dict[str, object], start: dict[str, int]) -> dict[str, object]:
    """One line with all its numbers moved on."""

    def on(kind: str, found: object) -> object:
        if isinstance(found, list):
            return [on(kind, x) for x in found]
        return found + start[kind] if isinstance(found, int) else found

    if "theorem" in entry:
        kinds = {"step": "step", "hypotheses": "term", "conclusion": "term"}
    elif "definition" in entry:
        kinds = {"definition": "definition", "parameters": "term", "body": "term"}
    elif "rule" in entry:
        kinds = {"step": "step", "premises": "step"}
    else:
        kinds = {"term": "term", "args": "term"} | ({"data": "definition"} if entry.get("op") == "app" else {})
    made = {key: on(kinds[key], x) if key in kinds else x for key, x in entry.items()}
    if "rule" in entry and isinstance(entry["parameters"], list):
        made["parameters"] = [
            {"term": on("term", p["term"])} if isinstance(p, dict) and "term" in p else p for p in entry["parameters"]
        ]
    return made
