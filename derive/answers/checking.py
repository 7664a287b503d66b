"""One entry of a key, from what was typed to a verdict with its reason. Nothing here raises for what a key may hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from derive.answers.judging import ACCEPTING, BEYOND, Outcome, Scope, Verdict, alike, judge
from derive.answers.reading import Answer, Form, ReadScalar, read_answer, read_letters
from derive.answers.showing import shown_decimally, shown_exactly
from derive.answers.values import (
    Condition, Derivation, Grid, Intervals, Letters, Listing, OneOf, Param, Right, Row, Said, Several, Truth,
    Value,
)  # fmt: skip
from derive.problems import is_kind, posed
from derive.problems.asked import Asked, Kind, apart
from derive.problems.given import GivenRefused, brief
from derive.problems.kind import Mistake, Problem
from proofs.evaluate import NotCertain, TooLarge, Undefined
from proofs.syntax.faults import SyntaxFault
from proofs.terms import TermError

if TYPE_CHECKING:
    from derive.answers.certifying import Certified

MAX_KEPT = 256

_TROUBLES = (TermError, TooLarge, NotCertain, Undefined, RecursionError, OverflowError, ZeroDivisionError)
"""What may go wrong with values that are too large, or exist only for other values of what is given."""

SLIPS = frozenset(
    ("cut-off", "last-digit", "sign", "power-of-ten", "rounded-in-full", "finite-for-special", "set-for-vector")
)
"""What can be seen at a wrong answer itself, whatever the problem: these count as mistakes by name as well."""


@dataclass(frozen=True)
class Entry:
    """One answer of a key as it stands there; `fault` says why it can't be asked at all.

    `part` is the one of several values that is answered. For an exercise of a sheet `given` is what the sheet gives,
    and `seed` the seed of the exercise there. `options` say how the answer is judged, where they stand beside `given`.
    """

    id: str
    problem: str
    given: Mapping[str, object]
    answer: str
    fault: Said | None = None
    part: str = ""
    seed: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Judged:
    """The verdict on one entry.

    `reason` is a sentence of the catalogue ``answers``; `code` the same without language; `line` says how the right
    value comes about; `mistake` is the known mistake that the answer equals. `caret` shows the place of a fault.
    `certified` is whether an accepting verdict is backed by theorems, None where that was not asked for;
    `uncertified` says why not, `certificate` has the theorems line by line. `read` is how the answer was read, where
    that differs in form from the typing.
    """

    id: str
    problem: str
    answer: str
    verdict: Verdict
    code: str
    reason: Said
    exact: str | None = None
    decimal: str | None = None
    line: Said | None = None
    mistake: str | None = None
    caret: str | None = None
    more: tuple[Said, ...] = field(default=())
    certified: bool | None = None
    uncertified: Said | None = None
    certificate: tuple[str, ...] = ()
    read: str | None = None

    @property
    def accepted(self) -> bool:
        return self.verdict in ACCEPTING


@dataclass(frozen=True)
class _Posed:
    """A problem made ready: kept, since a key often asks the same again. `brief` is the scope for mistakes."""

    problem: Problem
    scope: Scope
    brief: Scope
    exact: str
    decimal: str | None

    @property
    def rights(self) -> tuple[Right, ...]:
        """The right value, then those that are right as well."""
        right = self.problem.right
        return (right, *(replace(right, value=v, named=None) for v in right.further))


_KEPT: dict[tuple[str, str, str, int | None, str], _Posed] = {}


def _posed(entry: Entry) -> _Posed:
    """The problem of an entry. Raises `GivenRefused`."""
    try:
        key = (entry.problem, repr(entry.given), entry.part, entry.seed, repr(entry.options))
    except ValueError:  # an integer over the limit on digits
        raise GivenRefused("too-large") from None
    found = _KEPT.get(key)
    if found is None:
        try:
            problem = _as_asked(entry)
            right = problem.right
            scopes = (Scope(right.names, demand=right.demand), Scope(right.names, brief=True))
            made = _Posed(problem, *scopes, shown_exactly(right), shown_decimally(right))
        except (TermError, TooLarge, NotCertain, Undefined, RecursionError, OverflowError):
            raise GivenRefused("too-large") from None
        while len(_KEPT) >= MAX_KEPT:
            del _KEPT[next(iter(_KEPT))]
        found = _KEPT[key] = made
    return found


def _as_asked(entry: Entry) -> Problem:
    """The problem of an entry with what its key says of how it is judged. Raises `GivenRefused`."""
    from derive.problems.asked import demanded
    from derive.problems.value import value_of

    given, said = given_to(entry)
    problem = posed(entry.problem, given, entry.part, entry.seed)
    right = demanded(problem.right, said, entry.problem)
    kind = said.kind or kind_of(right.value)
    further = tuple(value_of(v, kind, right.names.declarations, "accept") for v in said.accept)
    return replace(problem, right=replace(right, further=further))


def given_to(entry: Entry) -> tuple[Mapping[str, object], Asked]:
    """What is given to the problem of an entry, and what its key says of how it is judged. Raises `GivenRefused`."""
    own = own_fields(entry.problem) if entry.seed is None else entry.given.keys()
    given, said = apart(entry.given, entry.options, own)
    return ({**given, "kind": said.kind} if said.kind is not None and entry.problem == "value" else given), said


def check(entry: Entry, certify: bool = False) -> Judged:
    """The verdict on one entry of a key; with `certify`, an accepting one with its certificate or why it has none."""
    answer = entry.answer if len(entry.answer) <= 400 else entry.answer[:397] + "..."

    def unreadable(code: str, reason: Said) -> Judged:
        return Judged(entry.id, entry.problem, answer, "unreadable", code, reason)

    if entry.fault is not None:
        return unreadable(entry.fault.code.partition(".")[2].removesuffix("-close") or "sheet-refused", entry.fault)
    if not is_kind(entry.problem):
        return unreadable("unknown-problem", Said("entry.unknown-problem", {"found": brief(entry.problem)}))
    try:
        made = _posed(entry)
    except GivenRefused as refused:
        code = refused.code if refused.code == "text" else f"given.{refused.code}"
        return unreadable("given-refused", Said(code, refused.params))
    right = made.problem.right
    fault: SyntaxFault | None = None
    read: Answer | None = None
    chosen: int | None = None
    more: tuple[Said, ...] = ()
    try:
        if isinstance(right.value, OneOf):
            from derive.answers.options import judge_option

            outcome, chosen = judge_option(entry.answer, right.value)
        elif isinstance(right.value, Derivation):
            from derive.answers.derivations import judge_derivation

            outcome, more = judge_derivation(entry.answer, right.value)
        else:
            outcome, read = _best(entry.answer, made)
    except SyntaxFault as found:
        fault = found
        verdict: Verdict = "undecided" if found.code in BEYOND else "unreadable"
        outcome = Outcome(verdict, found.code, found.params)
    except (TermError, TooLarge, NotCertain, Undefined, RecursionError, OverflowError):
        outcome = Outcome("undecided", "beyond", {"what": ""})
    backed: Certified | None = None
    if certify and outcome.accepted:
        outcome, backed = _backed(outcome, entry.id)
    known = None if outcome.verdict != "wrong" or read is None else known_mistake(read, made.problem, made.brief)
    mistake = None if known is None else known.code
    reason = Said(f"why.{outcome.code}", outcome.params)
    if known is not None:
        reason = known.why or Said(f"mistake.{known.code}")
    elif outcome.verdict == "wrong" and isinstance(right.value, OneOf) and chosen is not None:
        reason, mistake = right.value.options[chosen].why, right.value.options[chosen].code
    if mistake is None and outcome.verdict == "wrong" and outcome.code in SLIPS:
        mistake = outcome.code
    if fault is not None:
        reason = _fault(fault)
    elif "entry" in outcome.params:
        more = (Said("why.entries", outcome.params),)
    return Judged(
        entry.id,
        entry.problem,
        answer,
        outcome.verdict,
        mistake or outcome.code,
        reason,
        made.exact,
        made.decimal,
        right.line if outcome.verdict in ("wrong", "undecided") and right.line.code != "as-given" else None,
        mistake,
        None if fault is None or isinstance(right.value, Derivation) else fault.caret(entry.answer),
        more,
        None if backed is None else backed.holds,
        None if backed is None or backed.holds else Said(f"uncertified.{backed.reason}"),
        () if backed is None else backed.lines,
        None if read is None else read.shown,
    )


def _backed(outcome: Outcome, name: str) -> tuple[Outcome, Certified | None]:
    """An accepting outcome with its certificate; undecided where the opposite was proved."""
    from derive.answers.certifying import Certified, certified

    try:
        found = certified(outcome, name)
    except (*_TROUBLES, MemoryError):
        found = Certified(reason="not-found")
    if found.contradicted:
        return Outcome("undecided", "contradicted"), None
    return outcome, found


def _best(answer: str, made: _Posed) -> tuple[Outcome, Answer | None]:
    """The verdict by the right value, or by another one that is accepted as well; and the answer as it was read.

    Raises `SyntaxFault` for an answer that none of them can be compared with.
    """
    outcome, read = _compared(answer, made.rights[0], made)
    for other in made.rights[1:]:
        if outcome.accepted:
            break
        try:
            found, _ = _compared(answer, other, made)
        except SyntaxFault:
            continue
        if found.accepted or (found.verdict == "undecided" and outcome.verdict == "wrong"):
            outcome = found
    return outcome, read


def _compared(answer: str, right: Right, made: _Posed) -> tuple[Outcome, Answer | None]:
    match right.value:
        case Letters():
            return _letters(answer, right.value), None
        case Truth():
            from derive.answers.truth import judge_truth

            return judge_truth(answer, right.value), None
        case Intervals():
            from derive.answers.intervals import judge_intervals

            return judge_intervals(answer, right.value, made.scope), None
        case Condition():
            from derive.answers.conditions import judge_condition

            return judge_condition(answer, right.value, made.scope), None
    read = read_answer(answer, form_of(right), made.scope.environment.declarations)
    outcome = judge(read, right, made.scope)
    return (_told_apart(read, right, outcome, made) if outcome.code in _ROUNDINGS else outcome), read


def _is_stored(read: Answer, right: Right) -> bool:
    """Whether a decimal is the right value itself where it is put into the format of the problem."""
    last = read.sides[-1]
    if right.stored is None or not isinstance(last, ReadScalar) or last.typed is None:
        return False
    return right.stored(last.typed.value) == right.value


_ROUNDINGS = frozenset(
    ("rounded", "near", "few-digits", "few-places", "rounds-to-zero", "exact-wanted", "count-wanted", "rough")
)  # fmt: skip
"""Codes of what is right to the digits shown, or near enough, whether that is accepted or not."""


def own_fields(name: str) -> Collection[str]:
    """What may be given to a problem kind, but for how an answer is judged."""
    from derive.problems import answer_kinds, kinds

    own = answer_kinds().get(name)
    fields = {f for f in own.fields if f != "kind"} if own is not None else set()
    sheet = kinds().get(name)
    return fields if sheet is None else fields | set(sheet.fields)


def kind_of(value: Value) -> Kind | None:
    """The kind of a right value, for reading others like it; None where any will do."""
    match value:
        case Row():
            return "vector"
        case Grid():
            return "matrix"
        case Several():
            return "set"
        case Listing():
            return "list"
        case Intervals():
            return "interval"
        case Condition():
            return "condition"
        case Truth():
            return "truth"
        case Letters():
            return "choice"
    return None


def form_of(right: Right) -> Form:
    """What form the right value has, for reading."""
    match right.value:
        case Row():
            return "shape" if right.shape else "row"
        case Listing():
            return "row"
        case Grid():
            return "grid"
        case Several():
            return "set"
        case _:
            return "number"


def _letters(answer: str, right: Letters) -> Outcome:
    found = read_letters(answer)
    if found == right.letters:
        return Outcome("correct", "same", unstated="choice")
    return Outcome("wrong", "other-letter", {"found": found})


def _fault(fault: SyntaxFault) -> Said:
    params: dict[str, Param] = {k: v for k, v in fault.params.items() if k != "nearest"}
    nearest = fault.params.get("nearest")
    params["at"] = (fault.column or fault.span[0] + 1) if fault.line is None else fault.line
    if fault.expected:
        params["expected"] = "|".join(fault.expected)
    if nearest:
        params["close"] = nearest
    return Said(f"fault.{fault.code}", params)


def _told_apart(read: Answer, right: Right, outcome: Outcome, made: _Posed) -> Outcome:
    """The verdict on a rounding: undecided where it is as well what somebody answers who makes a known mistake.

    A mistake that differs from the right value only beyond the fourth digit is not told apart by a rounding, nor asked
    to be, and neither is any by a decimal that the format of the problem stores as the right value; but an answer that
    is exactly the mistaken value is none of the right one.
    """
    itself = _is_stored(read, right)
    for mistake in made.problem.mistakes:
        try:
            value = mistake.value()
            if value is None or value == right.value:
                continue
            found = judge(read, Right(value, right.line, right.names, shape=right.shape), made.brief)
            exactly = found.verdict in ("correct", "equivalent")
            if not exactly and (itself or found.verdict != "rounded" or alike(value, right.value)):
                continue
        except (*_TROUBLES, SyntaxFault):
            continue
        if exactly and mistake.never_rounded:
            return Outcome("wrong", "different")
        if outcome.accepted:
            return Outcome("undecided", "shared")
    return outcome


def known_mistake(read: Answer, problem: Problem, scope: Scope) -> Mistake | None:
    """The first known mistake that the answer equals, exactly or to the digits shown."""
    tried: list[Value] = [problem.right.value]
    for mistake in problem.mistakes:
        try:
            value = mistake.value()
            if value is None or value in tried:
                continue
            tried.append(value)
            if judge(
                read, Right(value, problem.right.line, problem.right.names, shape=problem.right.shape), scope
            ).accepted:
                return mistake
        except (*_TROUBLES, SyntaxFault):
            continue
    return None
