"""One entry of a key, from what was typed to a verdict with its reason. Nothing here raises for what a key may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from derive.answers.judging import ACCEPTING, BEYOND, Outcome, Scope, Verdict, judge
from derive.answers.reading import Answer, Form, read_answer, read_letters
from derive.answers.showing import shown_decimally, shown_exactly
from derive.answers.values import Derivation, Grid, Letters, OneOf, Param, Right, Row, Said, Several, Value
from derive.problems import is_kind, posed
from derive.problems.given import GivenRefused, brief
from derive.problems.kind import Mistake, Problem
from proofs.evaluate import NotCertain, TooLarge, Undefined
from proofs.syntax.faults import SyntaxFault
from proofs.terms import TermError

MAX_KEPT = 256

SLIPS = frozenset(
    ("cut-off", "last-digit", "sign", "power-of-ten", "rounded-in-full", "finite-for-special", "set-for-vector")
)
"""What can be seen at a wrong answer itself, whatever the problem: these count as mistakes by name as well."""


@dataclass(frozen=True)
class Entry:
    """One answer of a key as it stands there; `fault` says why it can't be asked at all.

    `part` is the one of several values that is answered. For an exercise of a sheet `given` is what the sheet gives,
    and `seed` the seed of the exercise there.
    """

    id: str
    problem: str
    given: Mapping[str, object]
    answer: str
    fault: Said | None = None
    part: str = ""
    seed: int | None = None


@dataclass(frozen=True)
class Judged:
    """The verdict on one entry.

    `reason` is a sentence of the catalogue ``answers``; `code` the same without language; `line` says how the right
    value comes about; `mistake` is the known mistake that the answer equals. `caret` shows the place of a fault.
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

    @property
    def accepted(self) -> bool:
        return self.verdict in ACCEPTING


@dataclass(frozen=True)
class _Posed:
    """A problem made ready: kept, since a key often asks the same again."""

    problem: Problem
    scope: Scope
    brief: Scope
    exact: str
    decimal: str | None


_KEPT: dict[tuple[str, str, str, int | None], _Posed] = {}


def _posed(entry: Entry) -> _Posed:
    """The problem of an entry. Raises `GivenRefused`."""
    try:
        key = (entry.problem, repr(entry.given), entry.part, entry.seed)
    except ValueError:  # an integer over the limit on digits
        raise GivenRefused("too-large") from None
    found = _KEPT.get(key)
    if found is None:
        try:
            problem = posed(entry.problem, entry.given, entry.part, entry.seed)
            right = problem.right
            scopes = (Scope(right.names), Scope(right.names, brief=True))
            made = _Posed(problem, *scopes, shown_exactly(right), shown_decimally(right))
        except (TermError, TooLarge, NotCertain, Undefined, RecursionError, OverflowError):
            raise GivenRefused("too-large") from None
        while len(_KEPT) >= MAX_KEPT:
            del _KEPT[next(iter(_KEPT))]
        found = _KEPT[key] = made
    return found


def check(entry: Entry) -> Judged:
    """The verdict on one entry of a key."""
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
        if isinstance(right.value, Letters):
            outcome = _letters(entry.answer, right.value)
        elif isinstance(right.value, OneOf):
            from derive.answers.options import judge_option

            outcome, chosen = judge_option(entry.answer, right.value)
        elif isinstance(right.value, Derivation):
            from derive.answers.derivations import judge_derivation

            outcome, more = judge_derivation(entry.answer, right.value.theorem)
        else:
            read = read_answer(entry.answer, form_of(right), made.scope.environment.declarations)
            outcome = judge(read, right, made.scope)
            if outcome.verdict == "rounded" and _is_mistake(read, made):
                outcome = Outcome("wrong", "different")
    except SyntaxFault as found:
        fault = found
        verdict: Verdict = "undecided" if found.code in BEYOND else "unreadable"
        outcome = Outcome(verdict, found.code, found.params)
    except (TermError, TooLarge, NotCertain, Undefined, RecursionError, OverflowError):
        outcome = Outcome("undecided", "beyond", {"what": ""})
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
    )


def form_of(right: Right) -> Form:
    """What form the right value has, for reading."""
    match right.value:
        case Row():
            return "shape" if right.shape else "row"
        case Grid():
            return "grid"
        case Several():
            return "set"
        case _:
            return "number"


def _letters(answer: str, right: Letters) -> Outcome:
    found = read_letters(answer)
    return Outcome("correct", "same") if found == right.letters else Outcome("wrong", "other-letter", {"found": found})


def _fault(fault: SyntaxFault) -> Said:
    params: dict[str, Param] = {k: v for k, v in fault.params.items() if k != "nearest"}
    nearest = fault.params.get("nearest")
    params["at"] = (fault.column or fault.span[0] + 1) if fault.line is None else fault.line
    if fault.expected:
        params["expected"] = "|".join(fault.expected)
    if nearest:
        params["close"] = nearest
    return Said(f"fault.{fault.code}", params)


def _is_mistake(read: Answer, posed: _Posed) -> bool:
    """Whether an answer that might be a rounding is exactly a mistake which is none."""
    right = posed.problem.right
    for mistake in posed.problem.mistakes:
        value = mistake.value() if mistake.never_rounded else None
        if value is not None:
            found = judge(read, Right(value, right.line, right.names), posed.brief)
            if found.verdict in ("correct", "equivalent"):
                return True
    return False


def known_mistake(read: Answer, problem: Problem, scope: Scope) -> Mistake | None:
    """The first known mistake that the answer equals, exactly or to the digits shown."""
    tried: list[Value] = [problem.right.value]
    for mistake in problem.mistakes:
        try:
            value = mistake.value()
            if value is None or value in tried:
                continue
            tried.append(value)
            if judge(read, Right(value, problem.right.line, problem.right.names), scope).accepted:
                return mistake
        except (
            SyntaxFault,
            TermError,
            TooLarge,
            NotCertain,
            Undefined,
            RecursionError,
            OverflowError,
            ZeroDivisionError,
        ):
            continue
    return None
