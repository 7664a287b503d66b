"""Verdicts on somebody's own derivation, line by line, each against the line before it.

``proved``: the kernel joins the two lines, and everything in the line has a value. ``needs``: a condition was not
established. ``refuted``: a counter-example. ``wrong-reason``: the step holds, but not by the reason given.
``unknown``: neither a proof nor a counter-example was found. ``unreadable``: not a line of the language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from proofs.calc import ARITHMETIC, Line, joined, reason_codes
from proofs.context import Context, sym
from proofs.defined import Missing, established, least, missing
from proofs.justify import Justified, justify, prove
from proofs.kernel import Theorem
from proofs.record import Established, accepted
from proofs.refute import Agreement, CounterExample, examine, satisfiable
from proofs.statement import Statement
from proofs.syntax.derivation import Derivation, DerivationLine
from proofs.syntax.faults import SyntaxFault
from proofs.terms import Term, TermError, relation

Verdict = Literal["proved", "needs", "refuted", "unknown", "wrong-reason", "unreadable"]
WORST: tuple[Verdict, ...] = ("unreadable", "refuted", "needs", "unknown", "wrong-reason", "proved")
Guard: TypeAlias = Callable[[], AbstractContextManager[None]]
_OPERATIONS = {"=": "eq", "<=": "le", "<": "lt", ">=": "le", ">": "lt"}


@dataclass(frozen=True)
class LineVerdict:
    """One line of the chain: its verdict, the reasons that the step took, and what else there is to say.

    `missing` are the conditions under which it has a value and that were not established; `given` the reasons that the
    learner gave (None where they are no known names, and then `given_text` says what was written); `agreement` says how
    the step fared on numbers, where neither a proof nor a counter-example was found.
    """

    line: int
    text: str
    verdict: Verdict
    relation: str | None = None
    term: Term | None = None
    before: Term | None = None
    reasons: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    given: tuple[str, ...] | None = ()
    given_text: str = ""
    fault: SyntaxFault | None = None
    counterexample: CounterExample | None = None
    agreement: Agreement | None = None
    theorem: Theorem | None = None
    reversed: bool = False


@dataclass(frozen=True)
class Report:
    """The verdict on the whole: the worst line decides, and the claim as if it were one.

    Attributes
    ----------
    theorem : Theorem or None
        The claim's, where all of it is proved.
    remaining : Term or None
        What is still to be shown of the claim.
    contradictory : bool
        Whether the hypotheses contradict each other, so that anything follows from them.
    missing : tuple of Missing
        What the claim itself needs to have a value, and was not established.
    counterexample : CounterExample or None
        Values at which the claim is false, where all lines hold.
    record : tuple of Established
        All theorems that the verdicts rest on; the second verifier has accepted each.
    """

    verdict: Verdict
    lines: tuple[LineVerdict, ...]
    statement: Statement
    theorem: Theorem | None = None
    remaining: Term | None = None
    contradictory: bool = False
    missing: tuple[Missing, ...] = ()
    counterexample: CounterExample | None = None
    record: tuple[Established, ...] = ()


class OutOfTime(Exception):
    """Raised by a guard inside of what it guards: the line in hand gets no verdict but ``unknown``."""


BEYOND = (OutOfTime, RecursionError, MemoryError, TermError)
"""What ends the work on a line that is read, and too large to be judged: unfolding may go over the limits on terms."""


def verify(
    derivation: Derivation,
    names: Mapping[str, str],
    guard: Guard = nullcontext,
) -> Report:
    """Judge every line; `names` maps the names of reasons, folded, to their codes.

    `guard` is entered for each line, and for each thing that is asked of the whole. Of everything that is called proved
    there are kernel theorems, for its steps and for the values of its lines and of the claim, and the second verifier
    has accepted the certificate of them all.
    """
    statement = derivation.statement
    ctx = Context.of(statement)
    numbers = _Numbers(statement)
    judged: list[LineVerdict] = []
    before: Term | None = None
    for line in derivation.lines:
        try:
            with guard():
                verdict = _judged(line, before, numbers, ctx, names)
        except BEYOND:
            ctx = Context.of(statement)
            verdict = LineVerdict(line.line_number, line.text, "unknown", term=line.term, before=before)
        judged.append(verdict)
        if verdict.term is not None:
            before = verdict.term
    report = Report("unknown", tuple(judged), statement)
    with suppress(*BEYOND), guard():
        report = replace(report, contradictory=ctx.contradiction() is not None)
    record: list[Established] | None = None
    with suppress(*BEYOND), guard():
        record = _recorded(judged, ctx)
    if record is None:
        record = []
        report = replace(report, lines=tuple(_unproved(v) for v in judged))
    report = _concluded(replace(report, record=tuple(record)), ctx, numbers, guard)
    return _replayed(report, guard)


def _worst(verdicts: Iterable[Verdict]) -> Verdict:
    return min(verdicts, key=WORST.index, default="unknown")


def _recorded(judged: Sequence[LineVerdict], ctx: Context) -> list[Established]:
    """The theorems behind each line: its step, and that it has a value."""
    record = []
    for k, v in enumerate(judged):
        if v.verdict not in ("proved", "wrong-reason") or v.term is None:
            continue
        if v.theorem is not None and v.before is not None and v.relation is not None:
            sides = (v.term, v.before) if v.reversed else (v.before, v.term)
            record.append(Established(f"line-{k}", relation(v.relation, *sides), v.theorem))
        record += established(f"line-{k}", v.term, ctx)
    return record


def _concluded(report: Report, ctx: Context, numbers: _Numbers, guard: Guard) -> Report:
    """The report with the verdict on the whole: of the lines, of the claim's value, of whether they reach it."""
    claim = report.statement.claim
    worst = _worst(v.verdict for v in report.lines)
    if worst in ("unreadable", "refuted"):
        return replace(report, verdict=worst)
    theorem: Theorem | None = None
    own: Verdict = "unknown"
    with suppress(*BEYOND), guard():
        lacking = numbers.judged(missing(claim, ctx))
        own = _of_missing(lacking)
        report = replace(report, missing=lacking)
    if worst in ("proved", "wrong-reason"):
        with suppress(*BEYOND), guard():
            theorem = joined(claim, _in_order(report.lines), ctx)
    if theorem is None:
        with suppress(*BEYOND), guard():
            valueless = any(m.never for m in report.missing)
            against = None if valueless else numbers.examined(claim, tuple(m.condition for m in report.missing))
            if isinstance(against, CounterExample):
                return replace(report, verdict="refuted", counterexample=against)
        if worst in ("proved", "wrong-reason"):
            report = replace(report, remaining=claim)
            with suppress(*BEYOND), guard():
                report = replace(report, remaining=_remaining(claim, report.lines, ctx))
        return replace(report, verdict=_worst((worst, own, "unknown")))
    record = report.record
    if own == "proved":
        with suppress(*BEYOND), guard():
            values = established("claim", claim, ctx)
            record = (*record, Established("claim", claim, theorem), *values)
    if record == report.record:
        own = _worst((own, "unknown"))
    return replace(report, verdict=_worst((worst, own)), theorem=theorem if own == "proved" else None, record=record)


def _replayed(report: Report, guard: Guard) -> Report:
    """The report, with ``unknown`` for what the second verifier does not accept."""
    found: frozenset[str] = frozenset()
    with suppress(*BEYOND), guard():
        found = accepted(report.record, report.statement)
    refused = {e.name for e in report.record} - found
    if not refused:
        return report
    bad = {name.partition("-value-")[0] for name in refused}
    lines = tuple(_unproved(v) if f"line-{k}" in bad else v for k, v in enumerate(report.lines))
    claim: tuple[Verdict, ...] = ("unknown",) if "claim" in bad else ()
    verdict = _worst((report.verdict, *(v.verdict for v in lines), *claim))
    kept = tuple(e for e in report.record if e.name in found)
    theorem = None if bad else report.theorem
    return replace(report, verdict=verdict, lines=lines, theorem=theorem, record=kept)


def _unproved(v: LineVerdict) -> LineVerdict:
    return replace(v, verdict="unknown", theorem=None) if v.verdict in ("proved", "wrong-reason") else v


class _Numbers:
    """What numbers say of the propositions of one derivation; each is looked at once."""

    def __init__(self, statement: Statement) -> None:
        self.known = statement.declarations, statement.hypotheses
        self.looked: dict[tuple[Term, tuple[Term, ...]], CounterExample | Agreement] = {}
        self.held: dict[tuple[Term, ...], bool] = {}

    def examined(self, p: Term, conditions: tuple[Term, ...] = ()) -> CounterExample | Agreement:
        """A counter-example where these conditions hold, or what was tried: without them a side has no value."""
        if (p, conditions) not in self.looked:
            declarations, hypotheses = self.known
            self.looked[p, conditions] = examine(declarations, (*hypotheses, *conditions), p)
        return self.looked[p, conditions]

    def hold(self, conditions: tuple[Term, ...]) -> bool:
        """Whether values were found that meet the conditions and all that is supposed."""
        if conditions not in self.held:
            declarations, hypotheses = self.known
            self.held[conditions] = satisfiable(declarations, (*hypotheses, *conditions)) is not None
        return self.held[conditions]

    def judged(self, found: Sequence[Missing]) -> tuple[Missing, ...]:
        """Each with values at which its condition fails, and whether values were found that meet all of them."""
        holds = bool(found) and not any(m.never for m in found) and self.hold(tuple(m.condition for m in found))
        return tuple(m if m.never else self._failing(m, holds) for m in found)

    def _failing(self, m: Missing, holds: bool) -> Missing:
        against = self.examined(m.condition)
        return replace(m, fails=against if isinstance(against, CounterExample) else None, holds=holds)


def _of_missing(found: Sequence[Missing]) -> Verdict:
    """``needs`` where a condition is known to fail somewhere; ``unknown`` where none is, and none was established."""
    if not found:
        return "proved"
    return "needs" if any(m.never or m.fails is not None for m in found) else "unknown"


def _judged(
    line: DerivationLine, before: Term | None, numbers: _Numbers, ctx: Context, names: Mapping[str, str]
) -> LineVerdict:
    at, text = line.line_number, line.text
    if line.term is None or line.fault is not None:
        return LineVerdict(at, text, "unreadable", fault=line.fault)
    term = line.term
    lacking = missing(term, ctx)
    if before is None or line.relation is None:
        shown = numbers.judged(lacking)
        return LineVerdict(at, text, _of_missing(shown), term=term, missing=shown)
    op = _OPERATIONS[line.relation]
    flipped = line.relation in (">=", ">")
    goal = relation(op, term, before) if flipped else relation(op, before, term)
    found = justify(goal, ctx)
    both = least(tuple({m.condition: m for m in (*missing(before, ctx), *lacking)}.values()), ctx)
    if found is not None and not both:
        return replace(_with_reason(line, term, before, op, goal, found, ctx, names), reversed=flipped)
    shown = numbers.judged(both)
    wanted = _of_missing(shown)
    conditions = tuple(m.condition for m in both)
    valueless = any(m.never for m in both)
    if shown and (valueless or found is not None or prove(goal, ctx.under(*conditions)) is not None):
        return LineVerdict(at, text, wanted, op, term, before, missing=shown)
    looked = numbers.examined(goal, conditions)
    if isinstance(looked, CounterExample):
        return LineVerdict(at, text, "refuted", op, term, before, counterexample=looked)
    return LineVerdict(at, text, "unknown", op, term, before, missing=shown, agreement=looked)


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
