"""Questions about the next step: its reason among plausible ones, its line among classic slips.

Every wrong option is wrong for a reason that was checked: a reason by which no proof of the step is found (or any,
where arithmetic alone does it), a line with a counter-example.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from derive.library import CODES
from derive.stepper.subjects import Step, Subject
from proofs.calc import ARITHMETIC
from proofs.context import Context
from proofs.justify import prove
from proofs.refute import Budget, CounterExample, refute
from proofs.statement import Statement
from proofs.terms import Term, TermError, add, div, exp, mul, neg, num, power, rebuild, relation

REASONS = 4
LINES = 3
MAX_TRIED = 14
_BUDGET = Budget(models=80)

# What is taken for what: the reasons that somebody might name instead.
_CONFUSED = {
    "definition": ("hypothesis", ARITHMETIC, "constant factor"),
    "exp of a sum": ("sum of a sum", "logarithm", "power", "constant factor"),
    "constant factor": ("sum of a sum", "cancel", "exp of a sum", "swap sums"),
    "sum of a sum": ("constant factor", "split a sum", "swap sums"),
    "constant sum": ("single term", "constant factor", "empty sum"),
    "single term": ("empty sum", "constant sum", "split a sum"),
    "empty sum": ("single term", "constant sum", "cancel"),
    "split a sum": ("sum of a sum", "swap sums", "shift the index"),
    "shift the index": ("split a sum", "swap sums", "constant factor"),
    "swap sums": ("sum of a sum", "shift the index", "constant factor"),
    "condition": ("empty sum", "hypothesis", "split a sum"),
    "cancel": (ARITHMETIC, "constant factor", "exp of a sum"),
    "power": ("exp of a sum", "logarithm", ARITHMETIC),
    "logarithm": ("exp of a sum", "power", "cancel"),
    "root": ("power", "cancel", ARITHMETIC),
    "maximum": ("order", "condition", "part of a sum"),
    "hypothesis": ("definition", ARITHMETIC, "cancel"),
    "order": ("part of a sum", "hypothesis", "maximum"),
    "part of a sum": ("order", "split a sum", "hypothesis"),
    "induction": ("order", "hypothesis", "split a sum"),
    ARITHMETIC: ("cancel", "constant factor", "hypothesis"),
}


@dataclass(frozen=True)
class ReasonOption:
    """Reasons that may be chosen for a step."""

    codes: tuple[str, ...]
    right: bool


@dataclass(frozen=True)
class LineOption:
    """A line that may be chosen as the next; a wrong one comes with where it fails."""

    term: Term
    right: bool
    against: CounterExample | None = None


@dataclass(frozen=True)
class Questions:
    """What is asked about one step; no lines where too few slips were found that are certainly wrong."""

    reasons: tuple[ReasonOption, ...]
    lines: tuple[LineOption, ...]


def questions(subject: Subject, step: Step) -> Questions:
    """The questions about a step, the same for the same proof."""
    statement = subject.chains[step.chain].statement
    rng = Random(f"{subject.name} {step.chain} {step.line}")
    reasons = [ReasonOption(step.reasons, True)]
    reasons += [ReasonOption(codes, False) for codes in itertools.islice(_wrong_reasons(step, statement), REASONS - 1)]
    lines = [LineOption(step.term, True)]
    lines += itertools.islice(_wrong_lines(step, statement, rng), LINES - 1)
    rng.shuffle(reasons)
    rng.shuffle(lines)
    return Questions(tuple(reasons), tuple(lines) if len(lines) > 1 else ())


def _wrong_reasons(step: Step, statement: Statement) -> Iterator[tuple[str, ...]]:
    if step.before is None or step.relation is None:
        return
    goal = relation(step.relation, step.before, step.term)
    ctx = Context.of(statement)
    seen = {frozenset(step.reasons)}
    for codes in _plausible(step.reasons):
        if frozenset(codes) not in seen:
            seen.add(frozenset(codes))
            unneeded = step.reasons == (ARITHMETIC,)
            if unneeded or prove(goal, ctx, [c for c in codes if c != ARITHMETIC]) is None:
                yield codes


def _plausible(right: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Other reasons: one exchanged for what is taken for it; then one left out; then any."""
    for k in range(3):
        for at, code in enumerate(right):
            others = _CONFUSED.get(code, ())
            if k < len(others) and others[k] not in right:
                yield (*right[:at], others[k], *right[at + 1 :])
        if len(right) > 1 and k < len(right):
            yield right[:k] + right[k + 1 :]
    for code in CODES:
        if code not in right:
            yield (code, *right[1:])


def _wrong_lines(step: Step, statement: Statement, rng: Random) -> Iterator[LineOption]:
    """Lines that a slip would give instead, each with a counter-example."""
    if step.before is None or step.relation is None:
        return
    found = list(dict.fromkeys(slips(step.term, statement)))
    rng.shuffle(found)
    for t in found[:MAX_TRIED]:
        if t in (step.before, step.term):
            continue
        against = refute(
            statement.declarations, statement.hypotheses, relation(step.relation, step.before, t), budget=_BUDGET
        )
        if against is not None:
            yield LineOption(t, False, against)


def slips(t: Term, statement: Statement) -> Iterator[Term]:
    """The term with one classic slip somewhere: a lost factor, a sign, a quotient upside down, a range cut short."""
    if t.sort != "proposition" and not t.rank:
        yield from _slips_here(t)
    for k, a in enumerate(t.args):
        if t.op == "app" or (t.op == "entry" and k == 0 and not a.args):
            continue
        for wrong in slips(a, statement):
            try:
                yield rebuild(t, (*t.args[:k], wrong, *t.args[k + 1 :]))
            except TermError:
                continue
    if t.op == "entry" and t.args[0].op == "var":
        for d in statement.declarations:
            if d.kind == "index" and t.args[-1] != d.variable:
                yield rebuild(t, (*t.args[:-1], d.variable))


def _slips_here(t: Term) -> Iterator[Term]:
    if t.op == "exp" and t.args[0].op == "add":
        yield add(*(exp(a) for a in t.args[0].args))
    if t.op == "exp" and t.args[0].op == "neg":
        yield exp(t.args[0].args[0])
    if t.op == "mul":
        for k in range(len(t.args)):
            rest = t.args[:k] + t.args[k + 1 :]
            yield mul(*rest) if len(rest) > 1 else rest[0]
        yield add(*t.args)
    if t.op == "add":
        for k, a in enumerate(t.args):
            rest = t.args[:k] + t.args[k + 1 :]
            yield add(*rest) if len(rest) > 1 else rest[0]
            if a.op == "neg":
                yield rebuild(t, (*t.args[:k], a.args[0], *t.args[k + 1 :]))
    if t.op == "div":
        yield div(t.args[1], t.args[0])
        yield t.args[0]
        yield mul(*t.args)
    if t.op == "sum":
        yield rebuild(t, (t.args[0], add(t.args[1], neg(num(1))), t.args[2]))
    if t.op == "sqrt":
        yield t.args[0]
    if t.op == "pow" and t.args[1].op == "num":
        yield power(t.args[0], num(t.args[1].data + 1))  # type: ignore[operator]
        yield mul(t.args[1], t.args[0])
    if t.op == "num":
        yield num(t.data + 1)  # type: ignore[operator]
