"""What the product says of a derivation, held against the evaluator in many models of what is declared and supposed."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from types import FrameType

from derive.counterexamples import plain
from derive.definitions import signatures
from derive.library import reason_names
from derive.missing import supposable
from proofs.defined import Missing
from proofs.syntax.derivation import read_derivation
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.to_plain import to_plain
from proofs.verify import OutOfTime, verify
from tests.meaning.expressions import RELATIONS, Expr, Hypothesis, Problem, Unreadable, read_hypothesis
from tests.meaning.models import Inexact, completed, from_texts, many, shown
from tests.meaning.partial import (
    CannotTell,
    Model,
    NoValue,
    ZeroSuspected,
    compared,
    interval,
    settled,
    supposed,
    value,
)

SECONDS_A_LINE = 5.0
FALSE = ("false proved", "false refuted", "step from nothing", "false values")


@dataclass(frozen=True)
class Line:
    verdict: str
    missing: tuple[str, ...] = ()
    counterexample: dict[str, str] | None = None
    sides: tuple[str, str] | None = None


@dataclass(frozen=True)
class Said:
    """The verdict on the whole, and on each line of the chain."""

    whole: str
    lines: tuple[Line, ...]
    contradictory: bool = False
    missing: tuple[str, ...] = ()
    counterexample: dict[str, str] | None = None


@dataclass(frozen=True)
class Finding:
    """`false proved` or `false refuted`; `step from nothing`: a line is proved, but what stands before has no value;
    `false values`: a counter-example stands, but its sides are shown wrong. Of lesser weight are the others.

    `needless`, `impossible`: a condition
    that is named holds everywhere or nowhere. `needs and fails`: a line fails where all that it needs is given.
    `inspect`: for a person to look at.
    """

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


@contextmanager
def _within_time() -> Iterator[None]:
    inside = True

    def end(number: int, frame: FrameType | None) -> None:
        if inside:
            raise OutOfTime

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, SECONDS_A_LINE, 0.5)
    try:
        yield
    finally:
        inside = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def said_of(text: str) -> Said:
    """The verdicts of the product; `unreadable` where the text is refused as a whole."""
    try:
        derivation = read_derivation(text, signatures())
    except SyntaxFault:
        return Said("unreadable", ())
    report = verify(derivation, reason_names(), _within_time)
    lines = tuple(
        Line(
            line.verdict,
            _advised(line.missing),
            None if line.counterexample is None else _values(plain(line.counterexample)),
            None if line.counterexample is None else _sides(plain(line.counterexample)),
        )
        for line in report.lines
    )
    against = report.counterexample
    return Said(
        report.verdict, lines, report.contradictory, _advised(report.missing),
        None if against is None else _values(plain(against)),
    )  # fmt: skip


def _advised(missing: tuple[Missing, ...]) -> tuple[str, ...]:
    """The conditions that a person is told to suppose."""
    return tuple(to_plain(condition) for condition in supposable(missing))


def _sides(told: dict[str, object]) -> tuple[str, str]:
    return str(told["left"]), str(told["right"])


def _values(told: dict[str, object]) -> dict[str, str]:
    values = told["values"]
    assert isinstance(values, dict)
    return {str(name): str(v) for name, v in values.items()}


@dataclass(frozen=True)
class Outcome:
    """A settled value, or why there is none (`no value`), or that this can't be told (`unclear`)."""

    value: object = None
    fault: str = ""
    why: str = ""


def outcome(expression: Expr, model: Model) -> Outcome:

    try:
        return Outcome(settled(value(expression, model)))
    except NoValue as none:
        return Outcome(None, "no value", str(none))
    except ZeroSuspected as unsure:
        return Outcome(None, "suspect", str(unsure))
    except (CannotTell, RecursionError) as unsure:
        return Outcome(None, "unclear", str(unsure))


def fails(op: str, a: Outcome, b: Outcome, equal: bool = False) -> bool:
    """Whether both have values and the relation is false of them.

    Where they agree in all digits they are most likely equal; `equal` says whether that is to be taken for granted.
    """
    if a.fault or b.fault:
        return False
    try:
        return not compared(op, a.value, b.value)
    except CannotTell:
        return equal and op in {"<", ">", "!="}


def _text(o: Outcome) -> str:
    if o.fault:
        return f"{o.fault} ({o.why})"
    return str({k: str(v) for k, v in o.value.items()}) if isinstance(o.value, dict) else str(o.value)


def findings(problem: Problem, said: Said, rng: random.Random, models: int = 60) -> list[Finding]:
    """What is false or doubtful in the verdicts."""
    found: list[Finding] = []
    if said.whole == "unreadable" and not said.lines:
        return found
    lines = problem.lines
    if len(lines) != len(said.lines):
        return [Finding("inspect", f"{len(said.lines)} lines judged of {len(lines)}")]
    proved = [line.verdict in {"proved", "wrong-reason"} for line in said.lines]
    if any(proved):
        found += _of_proved(problem, said, proved, list(many(problem, rng, models, 2 * models)))
    for k, line in enumerate(said.lines):
        if line.verdict == "refuted":
            found += _of_refuted(problem, k, _before(said)[k], line, rng)
    if said.whole == "refuted" and all(line.verdict != "refuted" for line in said.lines):
        found += _of_refuted(problem, None, None, Line("refuted", (), said.counterexample), rng)
    found += _of_needs(problem, said, rng)
    advice = {text for line in said.lines for text in line.missing} | set(said.missing)
    if advice:
        found += _of_advice(problem, sorted(advice), rng)
    return found


def _of_proved(problem: Problem, said: Said, proved: list[bool], models: list[dict[str, object]]) -> list[Finding]:
    found: dict[str, Finding] = {}

    def enter(kind: str, place: str, what: str, model: Model) -> None:
        found.setdefault(f"{kind} {place}", Finding(kind, f"{place}: {what} at {shown(model)}"))

    whole = said.whole in {"proved", "wrong-reason"}
    before = _before(said)
    for model in models:
        outcomes = [outcome(e, model) for _, e in problem.lines]
        for k, o in enumerate(outcomes):
            if not proved[k]:
                continue
            place = f"line {k + 1}"
            if o.fault == "no value":
                enter("false proved", place, _text(o), model)
            elif o.fault == "suspect":
                enter("inspect", place, _text(o), model)
            place_before = before[k]
            if place_before is None:
                continue
            last, op = outcomes[place_before], problem.lines[k][0]
            if last.fault == "no value" and not o.fault:
                enter("step from nothing", place, _text(last), model)
            if fails(op, last, o):
                enter("false proved", place, f"{_text(last)} {op} {_text(o)}", model)
            elif fails(op, last, o, equal=True):
                enter("inspect", place, f"equal to all digits: {_text(o)}", model)
        if whole:
            left, right = (outcome(side, model) for side in problem.claim.args)
            for o in (left, right):
                if o.fault == "no value":
                    enter("false proved", "the claim", _text(o), model)
                elif o.fault == "suspect":
                    enter("inspect", "the claim", _text(o), model)
            if fails(problem.claim.op, left, right):
                enter("false proved", "the claim", f"{_text(left)} {problem.claim.op} {_text(right)}", model)
    return list(found.values())


def _before(said: Said) -> list[int | None]:
    """For each line the last one before it that could be read, which it is judged against."""
    found: list[int | None] = []
    last: int | None = None
    for k, line in enumerate(said.lines):
        found.append(last)
        if line.verdict != "unreadable":
            last = k
    return found


def _of_refuted(problem: Problem, k: int | None, before: int | None, line: Line, rng: random.Random) -> list[Finding]:
    """A line is refuted by its counter-example, or at least by one of ours."""
    place = "the claim" if k is None else f"line {k + 1}"
    if k is None:
        op, (a, b) = problem.claim.op, problem.claim.args
    elif before is None:
        return [Finding("inspect", "the first line is refuted")]
    else:
        op, a, b = problem.lines[k][0], problem.lines[before][1], problem.lines[k][1]
    if op not in RELATIONS:
        return [Finding("inspect", f"{place}: the relation {op}")]
    if line.counterexample is not None:
        told = ", ".join(f"{n} = {v}" for n, v in line.counterexample.items())
        try:
            model = from_texts(problem.declarations, line.counterexample)
        except Inexact:
            pass
        else:
            try:
                whole = list(_up_to(completed(problem, model, rng), 3))
            except (CannotTell, NoValue) as why:
                return [Finding("inspect", f"{place}: {told}: {why}")]
            if not whole:
                if len(model) == len(problem.declarations):
                    return [Finding("false refuted", f"{place}: no model: {told}")]
                return [Finding("inspect", f"{place}: no model found around {told}")]
            unsure = ""
            for each in whole:
                x, y = outcome(a, each), outcome(b, each)
                for o in (x, y):
                    if o.fault == "no value":
                        return [Finding("false refuted", f"{place}: {_text(o)} at {shown(each)}")]
                    unsure = unsure or (_text(o) if o.fault else "")
                if not unsure and not fails(op, x, y, equal=True):
                    return [Finding("false refuted", f"{place}: both sides {_text(x)} {_text(y)} at {shown(each)}")]
            if not unsure:
                sides = outcome(a, whole[0]), outcome(b, whole[0])
                if line.sides is not None and not _as_shown(op, line.sides, sides):
                    told = f"{line.sides} for {' and '.join(map(_text, sides))}"
                    return [Finding("false values", f"{place}: {told} at {shown(whole[0])}")]
                return []
    for model in many(problem, rng, 3_000, 6_000):
        if fails(op, outcome(a, model), outcome(b, model), equal=True):
            return []
    return [Finding("inspect", f"{place}: refuted by {line.counterexample}, and no model of ours makes it fail")]


def _as_shown(op: str, shown_: tuple[str, str], sides: tuple[Outcome, Outcome]) -> bool:
    """Whether the two values are what is shown, and are shown differently where they have to differ."""
    if shown_[0] == shown_[1] and op in {"=", "<=", ">="} and not isinstance(sides[0].value, dict):
        return False
    for text, side in zip(shown_, sides, strict=True):
        if isinstance(side.value, dict):
            continue
        try:
            told = Fraction(text)
        except ValueError:
            return False
        if isinstance(side.value, Fraction) and "." not in text and "e" not in text:
            if told != side.value:
                return False
        elif abs(float(interval(side.value).mid) - float(told)) > 1e-4 * max(abs(float(told)), 1e-6):
            return False
    return True


def _up_to(items: Iterator[dict[str, object]], n: int) -> Iterator[dict[str, object]]:
    for k, item in enumerate(items):
        if k >= n:
            return
        yield item


def _of_needs(problem: Problem, said: Said, rng: random.Random) -> list[Finding]:
    """A line that needs something holds where that is given, or at least doesn't fail there."""
    found: list[Finding] = []
    for k, (line, last) in enumerate(zip(said.lines, _before(said), strict=True)):
        if line.verdict != "needs" or last is None:
            continue
        try:
            conditions = tuple(map(read_hypothesis, line.missing))
        except Unreadable:
            continue
        wider = Problem(problem.declarations, (*problem.hypotheses, *conditions), problem.claim, problem.lines)
        op, a, b = problem.lines[k][0], problem.lines[last][1], problem.lines[k][1]
        for model in many(wider, rng, 15, 30):
            x, y = outcome(a, model), outcome(b, model)
            if fails(op, x, y):
                found.append(Finding("needs and fails", f"line {k + 1}: {_text(x)} {op} {_text(y)} at {shown(model)}"))
                break
    return found


def _of_advice(problem: Problem, advice: list[str], rng: random.Random) -> list[Finding]:
    found: list[Finding] = []
    conditions: list[Hypothesis] = []
    for text in advice:
        try:
            conditions.append(read_hypothesis(text))
        except Unreadable:
            found.append(Finding("unread advice", text))
    if not any(True for _ in many(problem, rng, 1, 60)):
        return found
    for condition in conditions:
        if _always(problem, condition, rng, 25) and _always(problem, condition, rng, 500):
            found.append(Finding("needless", str(condition)))
        elif not _possible(problem, [condition], rng):
            found.append(Finding("impossible", str(condition)))
    alone = all(f.kind != "impossible" for f in found)
    if len(conditions) > 1 and alone and not _possible(problem, conditions, rng):
        found.append(Finding("impossible", "together: " + "; ".join(map(str, conditions))))
    return found


def _always(problem: Problem, condition: Hypothesis, rng: random.Random, n: int) -> bool:
    count = 0
    for model in many(problem, rng, n, 2 * n):
        count += 1
        try:
            if not supposed(condition, model):
                return False
        except CannotTell:
            return False
    return count > 0


def _possible(problem: Problem, conditions: list[Hypothesis], rng: random.Random) -> bool:
    wider = Problem(problem.declarations, (*problem.hypotheses, *conditions), problem.claim, problem.lines)
    return any(True for _ in many(wider, rng, 1, 40)) or any(
        all(_supposed(c, model) for c in conditions) for model in many(problem, rng, 250, 500)
    )


def _supposed(condition: Hypothesis, model: Model) -> bool:
    try:
        return supposed(condition, model)
    except CannotTell:
        return True
