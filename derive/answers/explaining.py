"""The worked solution of one answer of a key, as plain text."""

from __future__ import annotations

from dataclasses import replace

from derive.answers.checking import Entry, Judged, given_to
from derive.answers.report import MARKS, answer_shown, caret_shown, expected_shown, sentence, why
from derive.answers.values import Said
from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue
from derive.visible import visible


def explanation(entry: Entry, judged: Judged, lang: Language) -> str:
    """What was asked and answered, the right value, how it is derived, and the chain where the kind has one."""
    prose = catalogue(lang)
    verdict = f"{MARKS[judged.verdict]} {prose.plain(f'answers.verdict.{judged.verdict}')}"
    lines = [
        f"{visible(entry.id)}  ({visible(entry.problem)})",
        prose.plain("answers.explain.answer", answer=answer_shown(judged), verdict=verdict),
    ]
    if judged.exact is not None:
        lines.append(prose.plain("answers.explain.right", right=expected_shown(judged)))
    line = _line(entry)
    if line is not None:
        lines.append(sentence(Said(f"line.{line.code}", line.params), lang))
    lines += _chain(entry, lang)
    if not judged.accepted:
        reason = why(replace(judged, line=None), lang)
        lines += [x for x in (reason, caret_shown(judged)) if x]
    return "\n".join(lines)


def _line(entry: Entry) -> Said | None:
    from derive.problems import is_kind, posed
    from derive.problems.given import GivenRefused

    if entry.fault is not None or not is_kind(entry.problem):
        return None
    try:
        line = posed(entry.problem, given_to(entry)[0], entry.part, entry.seed).right.line
    except GivenRefused:
        return None
    return None if line.code == "solved" else line


def _chain(entry: Entry, lang: Language) -> list[str]:
    """The chains of the worked solution, where the problem kind has one for what is given."""
    from derive.errors import DeriveError
    from derive.problems import kinds
    from derive.problems.given import GivenRefused
    from derive.sheets.blocks import Chain
    from derive.sheets.manifest import given
    from derive.sheets.terminal import chain_lines

    kind = kinds().get(entry.problem)
    if kind is None:
        return []
    try:
        asked, _ = given_to(entry)
        values = given("", "", asked, kind.fields) if entry.seed is None else asked
        solution = kind.solve(values, entry.seed or 0)  # type: ignore[arg-type]
    except (DeriveError, GivenRefused):
        return []
    return [line for block in solution.worked if isinstance(block, Chain) for line in chain_lines(block, lang)]
