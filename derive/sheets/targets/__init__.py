"""The four targets: what differs between PDF, web page, LaTeX and Markdown, apart from their templates.

Each target says how words are escaped and styled and how a formula is set; `inline` does the rest the same way
for all. Whatever a template prints goes through `escape`, unless a target made it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

from jinja2 import Environment
from markupsafe import Markup

from derive.sheets.blocks import Figure, Formula, Language, Localised, Message, Text
from derive.sheets.drawings.labels import Run as LabelRun
from derive.sheets.drawings.labels import runs_of_formula
from derive.sheets.formulas import FormulaPrinter
from derive.sheets.glyphs import check_glyphs
from derive.sheets.maths import term_of
from derive.sheets.prose import (
    Literally,
    Maths,
    Placeholder,
    Plural,
    ProseError,
    Style,
    catalogue,
    choose,
    placeholders,
    shown,
)

Format = Literal["pdf", "html", "tex", "md"]
Edition = Literal["student", "solutions", "key"]
Paper = Literal["a4", "letter"]
FORMATS: tuple[Format, ...] = get_args(Format)
EDITIONS: tuple[Edition, ...] = get_args(Edition)
PAPERS: tuple[Paper, ...] = get_args(Paper)

IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Words:
    """A stretch of text in one style."""

    text: str
    style: Style = "plain"


Run: TypeAlias = "Words | Formula"


class Target(ABC):
    """One target format, for one language."""

    format: ClassVar[Format]
    gap: ClassVar[str] = ""  # what stands between a Chinese character and a formula

    def __init__(self, lang: Language, printer: FormulaPrinter) -> None:
        self.lang: Language = lang
        self.printer = printer
        self.prose = catalogue(lang)

    # --- what a target says ---

    @abstractmethod
    def escape(self, text: str) -> str:
        """`text` such that the target shows exactly it."""

    @abstractmethod
    def words(self, words: Words) -> str:
        """Escaped and styled."""

    @abstractmethod
    def formula(self, formula: Formula) -> str:
        """A formula within a line of text."""

    @abstractmethod
    def display(self, formula: Formula) -> Markup:
        """A formula on its own, large, without anything around it."""

    @abstractmethod
    def picture(self, figure: Figure, name: str) -> Markup:
        """The drawing of a figure, without its caption; `name` is that of its file, where the target has one."""

    @abstractmethod
    def environment(self) -> Environment:
        """A Jinja environment with the target's delimiters."""

    def joined(self, parts: Sequence[str]) -> Markup:
        """The rendered runs of one text, put together."""
        return Markup("".join(parts))

    # --- what is the same for all ---

    def runs(self, text: Text, style: Style = "plain") -> list[Run]:
        """The text in this language, as stretches of words and formulas."""
        if isinstance(text, Formula):
            return [text]
        if isinstance(text, Localised):
            return [Words(text.in_language(self.lang), style)]
        if isinstance(text, str | int):
            return [Words(shown(text), style)]
        return self._sentence(text, style)

    def _sentence(self, message: Message, style: Style) -> list[Run]:
        sentence = self.prose[message.key]
        if placeholders(sentence) != set(message.params):
            wanted, got = sorted(placeholders(sentence)), sorted(message.params)
            raise ProseError(f"{message.key!r} in {self.lang} needs {wanted}, not {got}")
        runs: list[Run] = []
        for piece in sentence:
            own: Style = "plain" if isinstance(piece, Maths) else piece.style
            inner: Style = own if own != "plain" else style
            if isinstance(piece, Literally):
                runs.append(Words(piece.text, inner))
            elif isinstance(piece, Maths):
                runs.append(Formula(term_of(piece.source)))
            elif isinstance(piece, Plural):
                runs.append(Words(choose(piece, message.params[piece.name]), inner))
            else:
                runs.extend(self.runs(message.params[piece.name], inner))
        return runs

    def merged(self, *texts: Text) -> list[Run]:
        """The runs, neighbouring words of one style joined, and every character checked against the fonts."""
        found: list[Run] = []
        runs: list[Run] = []
        for text in texts:
            if runs and self.lang == "en":
                runs.append(Words(" "))
            runs += self.runs(text)
        for run in runs:
            last = found[-1] if found else None
            if isinstance(run, Words) and isinstance(last, Words) and last.style == run.style:
                found[-1] = Words(last.text + run.text, run.style)
            elif not (isinstance(run, Words) and not run.text):
                found.append(run)
        for run in found:
            check_glyphs(run.text if isinstance(run, Words) else self.printer.plain(run.term))
        return found

    def inline(self, text: Text) -> Markup:
        """The text as the target writes it within a line."""
        return self.paragraph((text,))

    def paragraph(self, texts: Sequence[Text]) -> Markup:
        """Several texts as one line: with spaces between them in English, without in Chinese."""
        parts: list[str] = []
        last: Run | None = None
        for run in self.merged(*texts):
            if (isinstance(last, Formula) and isinstance(run, Words) and IDEOGRAPH.match(run.text)) or (
                isinstance(run, Formula) and isinstance(last, Words) and IDEOGRAPH.match(last.text[-1])
            ):
                parts.append(self.gap)
            parts.append(self.words(run) if isinstance(run, Words) else self.formula(run))
            last = run
        return self.joined(parts)

    def framed(self, key: str, **codes: str) -> Markup:
        """A sentence whose placeholders are filled by the target's own code: page numbers, say."""
        sentence = self.prose[key]
        if placeholders(sentence) != set(codes):
            raise ProseError(f"{key!r} needs {sorted(placeholders(sentence))}, not {sorted(codes)}")
        parts = [
            codes[p.name]
            if isinstance(p, Placeholder | Plural)
            else self.formula(Formula(term_of(p.source)))
            if isinstance(p, Maths)
            else self.words(Words(p.text, p.style))
            for p in sentence
        ]
        return self.joined(parts)

    def plain(self, text: Text) -> str:
        """The text as bare characters, formulas as plain text: for titles and attributes."""
        return "".join(r.text if isinstance(r, Words) else self.printer.plain(r.term) for r in self.merged(text))

    def spoken(self, text: Text) -> str:
        """The text as bare characters, formulas as they are read aloud: for whoever can't see the page."""
        runs = self.merged(text)
        return "".join(r.text if isinstance(r, Words) else self.printer.speech(r.term, self.lang) for r in runs)

    def label_runs(self, text: Text) -> tuple[LabelRun, ...]:
        """The text as a label in a drawing."""
        found: list[LabelRun] = []
        for run in self.merged(text):
            found += [LabelRun(run.text)] if isinstance(run, Words) else runs_of_formula(self.printer.plain(run.term))
        return tuple(found)

    def width(self, formula: Formula) -> float:
        """About how wide a formula is, in em."""
        return 0.5 * len(self.printer.plain(formula.term))

    def finalize(self, value: object) -> object:
        """What Jinja prints for a value: what a target made as it stands, everything else escaped."""
        if isinstance(value, Markup):
            return value
        if isinstance(value, str | int):
            return Markup(self.escape(shown(value)))
        raise TypeError(f"templates print texts, not {type(value).__name__}")
