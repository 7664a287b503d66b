"""Verdicts as JSON, text, Markdown and JUnit XML; every word comes from the catalogue ``answers``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from derive.answers.checking import Judged
from derive.answers.judging import Verdict
from derive.answers.values import Param, Said
from derive.sheets.blocks import Language
from derive.sheets.prose import Catalogue, catalogue, placeholders
from derive.visible import flat, hidden, visible

# Faults whose sentence names what belongs there.
_SAID_ALREADY = frozenset(("fault.written-as", "fault.missing-operator"))
VERDICTS: tuple[Verdict, ...] = ("correct", "equivalent", "rounded", "wrong", "undecided", "unreadable")
MARKS = {"correct": "✓", "equivalent": "✓", "rounded": "≈", "wrong": "✗", "undecided": "?", "unreadable": "!"}
STYLES = {
    "correct": "green", "equivalent": "green", "rounded": "green", "wrong": "red bold", "undecided": "yellow",
    "unreadable": "magenta",
}  # fmt: skip


@dataclass(frozen=True)
class Checked:
    """One key with the verdicts on its answers."""

    name: str
    title: str
    answers: tuple[Judged, ...]

    def counts(self) -> dict[str, int]:
        found = Counter(a.verdict for a in self.answers)
        return {v: found[v] for v in VERDICTS}


def sentence(said: Said, lang: Language) -> str:
    """A sentence of the catalogue with what it needs of the parameters."""
    if said.code == "text":
        return str(said.params[lang])
    prose = catalogue(lang)
    key = f"answers.{said.code}"
    if key not in prose:
        key = "answers.fault.other" if said.code.startswith("fault.") else "answers.why.other"
    wanted = placeholders(prose[key])
    if "expected" in said.params and said.code.startswith("fault."):
        said = Said(said.code, {**said.params, "expected": _expected(str(said.params["expected"]), prose)})
    if "why" in said.params and f"answers.undefined.{said.params['why']}" in prose:
        said = Said(said.code, {**said.params, "why": prose.plain(f"answers.undefined.{said.params['why']}")})
    given: Mapping[str, Param] = {n: said.params.get(n, "") for n in wanted}
    return flat(prose.plain(key, **given))


def _expected(codes: str, prose: Catalogue) -> str:
    """What was expected at a place, in words where it is no sign."""
    made = []
    for code in codes.split("|"):
        key = "answers.wanted." + code.replace(" ", "-").replace("'", "")
        made.append(prose.plain(key) if key in prose else code)
    said = made[0]
    for more in made[1:]:
        said = prose.plain("answers.or", one=said, other=more)
    return said


def why(judged: Judged, lang: Language) -> str:
    """The reason for a verdict: sentences beside one another."""
    parts = [judged.reason, *judged.more]
    if judged.verdict == "unreadable" and judged.reason.code.startswith("fault."):
        if "close" in judged.reason.params:
            parts.append(Said("nearest", {"close": judged.reason.params["close"]}))
        elif "expected" in judged.reason.params and judged.reason.code not in _SAID_ALREADY:
            parts.append(Said("fault.expected", {"expected": judged.reason.params["expected"]}))
    if judged.line is not None:
        parts.append(Said(f"line.{judged.line.code}", judged.line.params))
    return ("" if lang == "zh" else " ").join(sentence(p, lang) for p in parts)


def as_json(judged: Judged, lang: Language) -> dict[str, object]:
    """One answer for programs: codes are the same in both languages."""
    expected: dict[str, str] | None = None
    if judged.exact is not None:
        expected = {"exact": judged.exact} | ({"decimal": judged.decimal} if judged.decimal is not None else {})
    made: dict[str, object] = {
        "id": judged.id, "problem": judged.problem, "answer": judged.answer, "verdict": judged.verdict,
        "expected": expected, "code": judged.code, "why": why(judged, lang),
    }  # fmt: skip
    if judged.mistake is not None:
        made["mistake"] = judged.mistake
    if judged.read is not None:
        made["read"] = judged.read
    if judged.caret is not None:
        made["caret"] = judged.caret
    if judged.certified is not None:
        made["certified"] = judged.certified
    if judged.uncertified is not None:
        made["uncertified"] = {
            "code": judged.uncertified.code.partition(".")[2], "why": sentence(judged.uncertified, lang)
        }  # fmt: skip
    return made


def key_as_json(checked: Checked, lang: Language) -> dict[str, object]:
    """One key for programs."""
    made: dict[str, object] = {
        "key": checked.name,
        "title": checked.title,
        "answers": [as_json(a, lang) for a in checked.answers],
        "counts": checked.counts(),
    }
    if any(a.certified is not None for a in checked.answers):
        backed, accepted = certified_of([checked])
        made["certified"] = {"certified": backed, "uncertified": accepted - backed}
    return made


def certified_of(checked: Sequence[Checked]) -> tuple[int, int]:
    """How many accepting verdicts are backed by theorems, and how many there are."""
    known = [a.certified for c in checked for a in c.answers if a.certified is not None]
    return sum(known), len(known)


def summary(checked: Sequence[Checked], lang: Language) -> str:
    """How many answers there are, and how many have which verdict."""
    prose = catalogue(lang)
    totals: Counter[str] = Counter()
    for c in checked:
        totals.update(c.counts())
    parts = [f"{totals[v]} {prose.plain(f'answers.verdict.{v}')}" for v in VERDICTS if totals[v]]
    said = prose.plain("answers.summary", n=sum(totals.values()), counts=", ".join(parts))
    backed, accepted = certified_of(checked)
    if not accepted:
        return said
    return f"{said}\n{prose.plain('answers.certified-summary', n=backed, all=accepted)}"


def expected_shown(judged: Judged) -> str:
    """The right value in one cell."""
    if judged.exact is None:
        return ""
    return judged.exact if judged.decimal is None else f"{judged.exact} ≈ {judged.decimal}"


def answer_shown(judged: Judged) -> str:
    """The answer on one line: a derivation with its lines beside one another, any other with what is not seen."""
    return flat(judged.answer) if judged.problem == "proof" else visible(judged.answer)


def caret_shown(judged: Judged) -> str | None:
    """The place of a fault under the answer, where every character of it is seen, so that the caret stands right."""
    lines = (judged.caret or "").split("\n")
    return "\n".join(lines) if len(lines) == 2 and not any(map(hidden, lines)) else None


def markdown(checked: Sequence[Checked], lang: Language) -> str:
    """A table for each key, with the summary at the end."""
    prose = catalogue(lang)
    columns = [prose.plain(f"answers.column.{c}") for c in ("id", "verdict", "answer", "expected", "why")]
    lines: list[str] = []
    for c in checked:
        lines += [f"## {_cell(c.title or c.name)}", "", f"| {' | '.join(columns)} |", "| --- " * len(columns) + "|"]
        for a in c.answers:
            verdict = f"{MARKS[a.verdict]} {prose.plain(f'answers.verdict.{a.verdict}')}"
            reason = "" if a.accepted else why(a, lang)
            cells = (_cell(a.id), verdict, _code(answer_shown(a)), _code(expected_shown(a)), _cell(reason))
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join([*lines, summary(checked, lang), ""])


def _cell(text: str) -> str:
    """Text that can't become markup in a cell of a Markdown table."""
    return "".join("\\" + c if c in "\\`*_{}[]<>#|!~&$" else c for c in flat(text))


def _code(text: str) -> str:
    said = flat(text).replace("|", "\\|")
    if not said:
        return ""
    fence = "`" * (max((len(run) for run in _runs(said)), default=0) + 1)
    pad = " " if said[0] == "`" or said[-1] == "`" else ""
    return f"{fence}{pad}{said}{pad}{fence}"


def _runs(text: str) -> list[str]:
    return [r for r in "".join(c if c == "`" else " " for c in text).split() if r]


def junit(checked: Sequence[Checked], lang: Language, failing: frozenset[str]) -> str:
    """JUnit XML: one suite for each key, one case for each answer."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for c in checked:
        bad = [a for a in c.answers if a.verdict in failing]
        out.append(
            f'  <testsuite name={quoteattr(visible(c.name))} tests="{len(c.answers)}" failures="{len(bad)}" errors="0">'
        )
        for a in c.answers:
            case = f"    <testcase classname={quoteattr(visible(c.name))} name={quoteattr(visible(a.id))}"
            if a.verdict not in failing:
                out.append(case + "/>")
                continue
            text = "\n".join(x for x in (why(a, lang), caret_shown(a) or "") if x)
            out.append(case + ">")
            out.append(
                f'      <failure type="{a.verdict}" message={quoteattr(visible(a.code))}>{escape(_xml(text))}</failure>'
            )
            out.append("    </testcase>")
        out.append("  </testsuite>")
    return "\n".join([*out, "</testsuites>", ""])


def _xml(text: str) -> str:
    """Text of lines without what is not seen, among it all that XML can't hold."""
    return "\n".join(map(visible, text.split("\n")))
