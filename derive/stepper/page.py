"""One self-contained page to step through a proof: both languages, every line, its reasons, its numbers and a quiz."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from derive.counterexamples import shown as counterexample
from derive.definitions import signatures
from derive.library import reason_text
from derive.sheets.blocks import Formula, Language, Message, Text
from derive.sheets.documents import RELATIONS
from derive.sheets.formulas import TermPrinter
from derive.sheets.prose import LANGUAGES, Placeholder, Plural, ProseError, catalogue, words_of
from derive.sheets.targets.html import Html, with_fonts
from derive.stepper import exported
from derive.stepper.exported import Json
from derive.stepper.instance import Instance, begin
from derive.stepper.quiz import Questions, questions
from derive.stepper.screens import Speaker
from derive.stepper.subjects import Step, Subject
from derive.stepper.why import Origin, why
from proofs.refute import CounterExample
from proofs.syntax.environment import Environment, dimensions
from proofs.syntax.layout import Path
from proofs.syntax.to_speech import to_speech
from proofs.terms import Term

TAGS: Mapping[Language, str] = {"zh": "zh-CN", "en": "en"}
_SCRIPTED = (
    "page-title", "page-equal", "page-close", "page-different", "page-right", "page-wrong", "page-wrong-line",
    "page-score", "page-question-line", "page-question-reason", "page-answer-first", "page-copied", "line-of",
)  # fmt: skip
_FAULTS = (
    "division-by-zero", "negative-root", "logarithm", "empty-maximum", "outside-dimensions", "too-large", "overflow",
    "unknown-shape",
)  # fmt: skip


@dataclass(frozen=True)
class Both:
    """One text in both languages, as markup."""

    zh: Markup
    en: Markup

    def __html__(self) -> str:
        return f'<span lang="zh-CN">{self.zh}</span><span lang="en">{self.en}</span>'


class Printer:
    """The two targets, and texts for both at once."""

    def __init__(self) -> None:
        terms = TermPrinter()
        self.targets: Mapping[Language, Html] = {lang: Html(lang, terms) for lang in LANGUAGES}

    def say(self, key: str, **params: Text) -> Both:
        return self.text(Message(f"stepper.{key}", params))

    def text(self, text: Text) -> Both:
        return Both(*(self.targets[lang].inline(text) for lang in LANGUAGES))

    def formula(self, term: Term, marks: frozenset[Path] = frozenset()) -> Markup:
        return self.targets["en"].display(Formula(term, marks))

    def inline(self, term: Term) -> str:
        return self.targets["en"].formula(Formula(term))

    def listed(self, terms: Sequence[Term], comma: str = ", ") -> Markup:
        return Markup(comma.join(map(self.inline, terms)))

    def framed(self, key: str, **codes: str | Mapping[Language, str]) -> Both:
        """A sentence filled with markup, the same in both languages or one for each."""
        made = []
        for lang in LANGUAGES:
            own = {k: v if isinstance(v, str) else v[lang] for k, v in codes.items()}
            made.append(self.targets[lang].framed(f"stepper.{key}", **own))
        return Both(*made)

    def reasons(self, codes: tuple[str, ...]) -> Both:
        message = reason_text(codes)
        return self.text("" if message is None else message)

    def bare(self, codes: tuple[str, ...]) -> dict[str, Json]:
        """The reasons as bare characters, by language."""
        message = reason_text(codes)
        return {lang: "" if message is None else self.targets[lang].plain(message) for lang in LANGUAGES}


@dataclass(frozen=True)
class PageCondition:
    """A condition of a line and where it comes from."""

    proposition: Markup
    sources: Both


@dataclass(frozen=True)
class PageRule:
    """A rule as the page explains it."""

    name: Both
    sentence: Both
    rows: tuple[tuple[Markup, Both | None], ...]
    definitions: tuple[Markup, ...]
    conditions: tuple[PageCondition, ...]


@dataclass(frozen=True)
class PageLine:
    """A line of the page: as a result, with what changed; as a source, with what will change."""

    number: int
    chain: int
    relation: str
    result: Markup
    source: Markup | None
    reasons: Both | None
    speech: Both | None
    value: Both
    rules: tuple[PageRule, ...]
    rests: tuple[Markup, ...]


def page(subject: Subject, lang: Language) -> str:
    """The page; it opens in `lang`, and is the same each time for the same proof."""
    printer = Printer()
    instance = begin(subject.statement, subject.stated)
    steps = subject.steps
    following = [*steps[1:], None]
    lines = [_line(printer, subject, instance, s, f) for s, f in zip(steps, following, strict=True)]
    asked = [questions(subject, s) if s.before is not None else None for s in steps]
    environment = printer.targets["en"].environment()
    options = [[(printer.formula(o.term), _spoken(o.term)) for o in q.lines] if q is not None else [] for q in asked]
    text = environment.get_template("stepper/page.html").render(
        lang=lang,
        tag=TAGS[lang],
        title=printer.text(subject.title),
        bare_title=printer.targets[lang].prose.plain(
            "stepper.page-title", title=printer.targets[lang].plain(subject.title)
        ),
        say=printer.say,
        framed=printer.framed,
        text=printer.text,
        lines=lines,
        options=options,
        claims=[printer.formula(c.statement.claim) for c in subject.chains],
        hypotheses=[printer.formula(h) for h in subject.statement.hypotheses],
        assumptions=[printer.inline(p) for p in subject.statement.assumptions()],
        declarations=_declarations(printer, instance),
        numbers=[(d.name, value) for d, value, _ in instance.listed()],
        data=Markup(_data(printer, subject, instance, asked)),
        sources=[
            Markup(environment.loader.get_source(environment, f"stepper/{name}")[0])  # type: ignore[union-attr]
            for name in ("evaluate.js", "page.js")
        ],
    )
    return with_fonts(text)


def _line(printer: Printer, subject: Subject, instance: Instance, step: Step, following: Step | None) -> PageLine:
    statement = subject.chains[step.chain].statement
    goes_on = following is not None and following.before is not None
    rules: list[PageRule] = []
    rests: tuple[Markup, ...] = ()
    if step.before is not None:
        found = why(step, statement)
        for rule in found.rules:
            rows = []
            for row in rule.rows:
                needed = printer.framed("why-if", conditions=printer.listed(row.premises)) if row.premises else None
                rows.append((Markup(printer.inline(row.conclusion)), needed))
            conditions = tuple(
                PageCondition(Markup(printer.inline(c.proposition)), _sources(printer, c.origins))
                for c in rule.conditions
            )
            sentence = printer.say(f"rule.{rule.code.replace(' ', '-')}")
            definitions = tuple(Markup(printer.inline(d)) for d in rule.definitions)
            rules.append(PageRule(printer.reasons((rule.code,)), sentence, tuple(rows), definitions, conditions))
        rests = tuple(Markup(printer.inline(p)) for p in found.rests_on)
    return PageLine(
        step.line + 1,
        step.chain,
        "" if step.relation is None else RELATIONS[step.relation][0],
        printer.formula(step.term, step.marks_after),
        printer.formula(step.term, following.marks_before) if goes_on and following is not None else None,
        printer.reasons(step.reasons) if step.reasons else None,
        _speech(step) if step.before is not None else None,
        Both(*(Markup.escape(Speaker(lang, 400).shown(instance.show(step.term))) for lang in LANGUAGES)),
        tuple(rules),
        rests,
    )


def _sources(printer: Printer, origins: tuple[Origin, ...]) -> Both:
    parts: list[Both] = []
    for o in origins:
        if o.term is None:
            parts.append(printer.say("from-arithmetic"))
        elif o.kind == "row":
            parts.append(printer.framed("from-row", rule=printer.inline(o.term)))
        else:
            parts.append(printer.framed(f"from-{o.kind}", condition=printer.inline(o.term)))
    return printer.framed("from", sources={"zh": "，".join(p.zh for p in parts), "en": ", ".join(p.en for p in parts)})


def _speech(step: Step) -> Both:
    """What changes, as it is read aloud: for whoever can't see the marks."""
    made = []
    for lang in LANGUAGES:
        comma = "；" if lang == "zh" else "; "
        parts = [
            comma.join(to_speech(p, lang) for p in _parts(whole, marks))
            for whole, marks in ((step.before or step.term, step.marks_before), (step.term, step.marks_after))
        ]
        made.append(Markup.escape(catalogue(lang).plain("stepper.page-speech", before=parts[0], after=parts[1])))
    return Both(*made)


def _spoken(t: Term) -> Both:
    return Both(*(Markup.escape(to_speech(t, lang)) for lang in LANGUAGES))


def _parts(t: Term, marks: frozenset[Path]) -> list[Term]:
    """The marked parts; the whole where one of them holds an index bound outside of it, which could not be named."""
    found = []
    for path in sorted(marks):
        part = t
        for k in path:
            part = part.args[k]
        if part.loose:
            return [t]
        found.append(part)
    return list(dict.fromkeys(found)) or [t]


def _declarations(printer: Printer, instance: Instance) -> list[dict[str, object]]:
    return [
        {"name": d.name, "formula": Markup(printer.inline(d.variable)), "rank": d.variable.rank, "tied": tied}
        for d, _, tied in instance.listed()
    ]


def _data(printer: Printer, subject: Subject, instance: Instance, asked: list[Questions | None]) -> str:
    """What the scripts need, as JSON that can't end the element it stands in."""
    environment = Environment.of(subject.statement.declarations, signatures())
    texts: dict[str, Json] = {}
    for lang in LANGUAGES:
        own: dict[str, Json] = {key: _raw(lang, key) for key in _SCRIPTED}
        own |= {f"no-value-{code}": _raw(lang, f"no-value-{code}") for code in _FAULTS}
        own["title"] = printer.targets[lang].plain(subject.title)
        texts[lang] = own
    lines: list[Json] = []
    for step, q in zip(subject.steps, asked, strict=True):
        axes = dimensions(step.term, environment) if step.term.rank else ()
        one: dict[str, Json] = {
            "chain": step.chain,
            "line": step.line,
            "all": len(subject.chains[step.chain].lines),
            "relation": step.relation,
            "term": exported.term(step.term),
            "dimensions": None if axes is None else [exported.term(t) for t in axes],
        }
        if q is not None and len(q.reasons) > 1:
            one["reasons"] = [{"right": o.right, "text": printer.bare(o.codes)} for o in q.reasons]
        if q is not None and q.lines:
            one["options"] = [{"right": o.right, "why": _why_not(o.against)} for o in q.lines]
        lines.append(one)
    data: dict[str, Json] = {
        "statement": exported.statement(subject.statement),
        "chosen": exported.chosen(instance),
        "definitions": exported.definitions(
            [t for s in subject.steps for t in (s.term,)] + list(subject.statement.assumptions())
        ),
        "lines": lines,
        "texts": texts,
        "tags": {lang: TAGS[lang] for lang in LANGUAGES},
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def _why_not(against: CounterExample | None) -> dict[str, Json]:
    if against is None:
        return {}
    return {lang: counterexample(against, lang) for lang in LANGUAGES}


def _raw(lang: Language, key: str) -> str:
    """A sentence with its placeholders left open, for the script to fill."""
    parts = []
    for piece in catalogue(lang)[f"stepper.{key}"]:
        if isinstance(piece, Plural):
            raise ProseError(f"{key}: the page's script has no plurals")
        parts.append(f"{{{piece.name}}}" if isinstance(piece, Placeholder) else words_of(piece))
    return "".join(parts)
