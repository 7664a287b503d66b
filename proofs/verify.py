"""Verdicts on somebody's own derivation, line by line, each against the line before it.

``proved``: the kernel joins the two lines, and everything in the line has a value. ``needs``: a condition was not
established. ``refuted``: a counter-example. ``wrong-reason``: the step holds, but not by the reason given.
``unknown``: neither a proof nor a counter-example was found. ``unreadable``: not a line of the language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Literal

from proofs.calc import ARITHMETIC, Line, joined, reason_codes
from proofs.certificate import flatten
from proofs.certificate_text import canonical
from proofs.context import Context, sym
from proofs.defined import undefined
from proofs.justify import Justified, justify, prove
from proofs.kernel import Theorem
from proofs.refute import CounterExample, refute
from proofs.replay import ReplayError, difference, replay
from proofs.statement import Statement
from proofs.syntax.derivation import Derivation, DerivationLine
from proofs.syntax.faults import SyntaxFault
from proofs.terms import Term, TermError, relation

Verdict = Literal["proved", "needs", "refuted", "unknown", "wrong-reason", "unreadable"]
WORST: tuple[Verdict, ...] = ("unreadable", "refuted", "needs", "unknown", "wrong-reason", "proved")
_OPERATIONS = {"=": "eq", "<=": "le", "<": "lt", ">=": "le", ">": "lt"}


@dataclass(frozen=True)
class LineVerdict:
    """One line of the chain: its verdict, the reasons that the step took, and what else there is to say.

    `missing` are the conditions that were not established; `given` the reasons that the learner gave (None where they
    are no known names, and then `given_text` says what was written).
    """

    line: int
    text: str
    verdict: Verdict
    relation: str | None = None
    term: Term | None = None
    before: Term | None = None
    reasons: tuple[str, ...] = ()
    missing: tuple[Term, ...] = ()
    given: tuple[str, ...] | None = ()
    given_text: str = ""
    fault: SyntaxFault | None = None
    counterexample: CounterExample | None = None
    theorem: Theorem | None = None
    reversed: bool = False


@dataclass(frozen=True)
class Report:
    """The verdict on the whole: the worst line decides; `remaining` is what is still to be shown of the claim."""

    verdict: Verdict
    lines: tuple[LineVerdict, ...]
    statement: Statement
    theorem: Theorem | None = None
    remaining: Term | None = None
    contradictory: bool = False


class OutOfTime(Exception):
    """Raised by a guard inside of what it guards: the line in hand gets no verdict but ``unknown``."""


BEYOND = (OutOfTime, RecursionError, MemoryError, TermError)
"""What ends the work on a line that is read, and too large to be judged: unfolding may go over the limits on terms."""


def verify(
    derivation: Derivation,
    names: Mapping[str, str],
    guard: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Report:
    """Judge every line; `names` maps the names of reasons, folded, to their codes.

    `guard` is entered for each line, and for each thing that is asked of the whole. Every line that is called proved
    has a kernel theorem, and the second verifier has accepted its certificate.
    """
    statement = derivation.statement
    ctx = Context(statement.assumptions())
    judged: list[LineVerdict] = []
    before: Term | None = None
    for line in derivation.lines:
        try:
            with guard():
                verdict = _judged(line, before, statement, ctx, names)
        except BEYOND:
            ctx = Context(statement.assumptions())
            verdict = LineVerdict(line.line_number, line.text, "unknown", term=line.term, before=before)
        judged.append(verdict)
        if verdict.term is not None:
            before = verdict.term
    judged = _replayed(judged, statement, guard)
    contradictory = False
    with suppress(*BEYOND), guard():
        contradictory = ctx.contradiction() is not None
    worst: Verdict = min((v.verdict for v in judged), key=WORST.index, default="unknown")
    theorem: Theorem | None = None
    remaining: Term | None = None
    if worst in ("proved", "wrong-reason"):
        with suppress(*BEYOND), guard():
            theorem = joined(statement.claim, _in_order(judged), ctx)
        if theorem is None:
            worst, remaining = "unknown", statement.claim
            with suppress(*BEYOND), guard():
                remaining = _remaining(statement.claim, judged, ctx)
    return Report(worst, tuple(judged), statement, theorem, remaining, contradictory)


def _replayed(
    judged: list[LineVerdict], statement: Statement, guard: Callable[[], AbstractContextManager[None]]
) -> list[LineVerdict]:
    """The verdicts, with ``unknown`` for a line whose theorem the second verifier does not accept."""
    named = [(str(k), v.theorem) for k, v in enumerate(judged) if v.theorem is not None]
    if not named:
        return judged
    granted = [canonical(p) for p in statement.assumptions()]
    found: set[str] = set()
    accepted: set[str] = set()
    with suppress(ReplayError, *BEYOND), guard():
        for shown in replay(flatten(named)):
            wanted = dict(named)[shown.name].conclusion
            if difference(shown, granted, canonical(wanted)) is None:
                found.add(shown.name)
        accepted = found
    return [
        v if v.theorem is None or str(k) in accepted else replace(v, verdict="unknown", theorem=None)
        for k, v in enumerate(judged)
    ]


def _judged(
    line: DerivationLine, before: Term | None, statement: Statement, ctx: Context, names: Mapping[str, str]
) -> LineVerdict:
    at, text = line.line_number, line.text
    if line.term is None or line.fault is not None:
        return LineVerdict(at, text, "unreadable", fault=line.fault)
    term = line.term
    missing = tuple(undefined(term, ctx))
    if before is None or line.relation is None:
        return LineVerdict(at, text, "needs" if missing else "proved", term=term, missing=missing)
    op = _OPERATIONS[line.relation]
    flipped = line.relation in (">=", ">")
    goal = relation(op, term, before) if flipped else relation(op, before, term)
    found = justify(goal, ctx)
    if found is not None and not missing:
        return replace(_with_reason(line, term, before, op, goal, found, ctx, names), reversed=flipped)
    conditions = tuple(dict.fromkeys((*undefined(before, ctx), *missing)))
    if conditions and (found is not None or prove(goal, ctx.under(*conditions)) is not None):
        return LineVerdict(at, text, "needs", op, term, before, missing=conditions)
    against = refute(statement.declarations, statement.hypotheses, goal)
    if against is not None:
        return LineVerdict(at, text, "refuted", op, term, before, counterexample=against)
    return LineVerdict(at, text, "unknown", op, term, before, missing=conditions)


def _with_reason(
    line: DerivationLine, term: Term, before: Term, op: str, goal: Term, found: Justified, ctx: Context,
    names: Mapping[str, str],
) -> LineVerdict:  # fmt: skip
    at, text, said = line.line_number, line.text, line.reason_text
    shown = found.reasons or (ARITHMETIC,)
    if not said:
        return LineVerdict(at, text, "proved", op, term, before, shown, theorem=found.theorem)
    given = reason_codes(said, names)
    holds = given is not None and _holds(given, found, goal, ctx)
    verdict: Verdict = "proved" if holds else "wrong-reason"
    return LineVerdict(
        at, text, verdict, op, term, before, shown, given=given, given_text=said, theorem=found.theorem
    )  # fmt: skip


def _holds(given: Sequence[str], found: Justified, goal: Term, ctx: Context) -> bool:
    """Whether the step holds by these reasons, and takes at least one of them."""
    codes = [c for c in given if c != ARITHMETIC]
    if not codes:
        return not found.reasons
    if not found.reasons and goal.op == "eq":  # arithmetic alone does it
        return False
    if set(found.reasons) == set(codes):
        return True
    return prove(goal, ctx, codes) is not None


def _in_order(judged: Sequence[LineVerdict]) -> list[Line]:
    """The chain from its smaller end; lines that were typed with > or >= run the other way."""
    lines = [Line(v.relation, v.term, (), v.theorem) for v in judged if v.term is not None]
    if not any(v.reversed for v in judged):
        return lines
    turned: list[Line] = []
    for k, line in enumerate(reversed(lines)):
        link = None if k == 0 else lines[len(lines) - k]
        theorem = None if link is None or link.theorem is None else link.theorem
        if theorem is not None and theorem.conclusion.op == "eq":
            theorem = sym(theorem)
        turned.append(Line(None if link is None else link.relation, line.term, (), theorem))
    return turned


def _remaining(claim: Term, judged: Sequence[LineVerdict], ctx: Context) -> Term | None:
    """What would join the chain's ends to the claim's two sides."""
    terms = [v.term for v in judged if v.term is not None]
    if not terms or claim.op not in ("eq", "le", "lt"):
        return claim
    a, b = claim.args
    for start, end in ((a, b), (b, a)):
        if _same(terms[0], start, ctx):
            return relation(claim.op, terms[-1], end) if terms[-1].rank == end.rank else claim
    return claim


def _same(x: Term, y: Term, ctx: Context) -> bool:
    return x == y or (x.rank == y.rank and prove(relation("eq", x, y), ctx, ()) is not None)
