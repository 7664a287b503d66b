"""One document: a sheet in one edition, language and format."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment
from markupsafe import Markup

from derive.sheets.blocks import Block, Box, Chain, Figure, Formula, Language, Message, Sheet, Text
from derive.sheets.drawings import draw
from derive.sheets.formulas import FormulaPrinter
from derive.sheets.targets import EDITIONS, Edition, Format, Paper, Target

RELATIONS: Mapping[str, tuple[str, str]] = {  # relation -> as a character, in LaTeX
    "eq": ("=", "="),
    "le": ("\u2264", r"\leq"),
    "lt": ("<", "<"),
    "ne": ("\u2260", r"\neq"),
    "ge": ("\u2265", r"\geq"),
    "gt": (">", ">"),
}


@dataclass(frozen=True)
class Order:
    """One document that is wanted."""

    edition: Edition
    lang: Language
    format: Format
    paper: Paper = "a4"
    large: bool = False
    variant: int | None = None

    def name(self, sheet: str) -> str:
        """The name of its file, within the folder of its sheet.

        >>> Order("student", "zh", "pdf", "letter", large=True).name("day45")
        'day45-student-zh-letter-large.pdf'
        """
        letter = "-letter" if self.paper == "letter" else ""
        large = "-large" if self.large else ""
        return f"{sheet}-{self.edition}-{self.lang}{letter}{large}{numbered(self.variant)}.{self.format}"


def numbered(variant: int | None) -> str:
    """How the number of a variant stands in a name.

    >>> numbered(3), numbered(None)
    ('-v03', '')
    """
    return "" if variant is None else f"-v{variant:02d}"


def digest(content: bytes) -> str:
    """What the name of a picture says of its content.

    >>> digest(b"")
    'e3b0c44298fc'
    """
    return hashlib.sha256(content).hexdigest()[:12]


@dataclass(frozen=True)
class _Maker:
    """A target with its environment, kept for the next document of the same language."""

    target: Target
    environment: Environment


def _target(format: Format, lang: Language, printer: FormulaPrinter) -> Target:
    """The target, imported only when it is needed."""
    if format == "pdf":
        from derive.sheets.targets.pdf import Pdf

        return Pdf(lang, printer)
    if format == "html":
        from derive.sheets.targets.html import Html

        return Html(lang, printer)
    if format == "tex":
        from derive.sheets.targets.tex import Tex

        return Tex(lang, printer)
    from derive.sheets.targets.md import Md

    return Md(lang, printer)


@lru_cache(maxsize=32)
def _maker(format: Format, lang: Language, printer: FormulaPrinter) -> _Maker:
    target = _target(format, lang, printer)
    return _Maker(target, dress(target))


def dress(target: Target) -> Environment:
    """A Jinja environment with what every document needs to print texts and formulas in its target."""
    environment = target.environment()

    def words(key: str, **params: Text) -> Markup:
        return target.inline(Message(key, params))

    def bare(key: str, **params: str | int) -> str:
        return target.prose.plain(key, **params)

    environment.globals.update(words=words, bare=bare, framed=target.framed, relations=RELATIONS, lang=target.lang)
    environment.filters.update(code=Markup, number=lambda n: Markup(int(n)))
    environment.filters.update(
        inline=target.inline,
        paragraph=target.paragraph,
        picture=target.picture,
        plain=target.plain,
        display=target.display,
        width=target.width,
    )
    return environment


class Press:
    """Prints one sheet: what its documents share (the characters of its web pages) is found once."""

    def __init__(self, sheet: Sheet, printer: FormulaPrinter, variant: int | None = None) -> None:
        self.variant = variant
        self.sheet = sheet
        self.printer = printer
        self._characters: dict[Language, str] = {}
        self._sources: dict[Order, str] = {}
        self._pictures: dict[tuple[int, Format, Language], tuple[str, bytes]] = {}
        self._names = {
            id(figure): f"{sheet.id}-{e.id}-{n}"
            for a in sheet.activities
            for e in a.exercises
            for n, figure in enumerate(figures((*e.task, *e.worked)), 1)
        }

    def source(self, order: Order) -> str:
        """The document's text: Typst source for a PDF; for a web page the fonts are still to be put in."""
        if order not in self._sources:
            self._sources[order] = self._rendered(order)
        return self._sources[order]

    def _rendered(self, order: Order) -> str:
        maker = _maker(order.format, order.lang, self.printer)
        template = maker.environment.get_template(
            f"{order.format}/sheet.{'typ' if order.format == 'pdf' else order.format}"
        )
        text = template.render(
            sheet=self.sheet,
            edition=order.edition,
            paper=order.paper,
            large=order.large,
            titled=any(a.title for a in self.sheet.activities),
            name_of=lambda figure: self._picture(figure, order)[0],
        )
        return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n" if order.format == "md" else text

    def _picture(self, figure: Figure, order: Order) -> tuple[str, bytes]:
        """The name of a picture's file without its ending, and its content; neither where it stands in the document.

        The name carries the digest of the content: whatever else is built into the folder, and wherever a build is
        cut off, a document finds the very pictures that it was made with. It is the same in every edition.
        """
        if order.format not in ("tex", "md"):
            return "", b""
        key = id(figure), order.format, order.lang
        if key not in self._pictures:
            target = _maker(order.format, order.lang, self.printer).target
            drawn = draw(figure.drawing, target, alone=True)
            if order.format == "md":
                content = (drawn.svg + "\n").encode()
            else:
                from derive.sheets.targets.pdf import picture_pdf

                content = picture_pdf(drawn, target.plain(figure.caption), target.spoken(figure.alt), order.lang)
            name = f"{self._names[id(figure)]}-{digest(content)}-{order.lang}{numbered(self.variant)}"
            self._pictures[key] = name, content
        return self._pictures[key]

    def pictures(self, order: Order) -> dict[str, bytes]:
        """The pictures that stand as files beside a document, by name: vector graphics for Markdown, PDF for LaTeX."""
        if order.edition == "key" or order.format not in ("tex", "md"):
            return {}
        ending = "svg" if order.format == "md" else "pdf"
        found: dict[str, bytes] = {}
        for exercise in (e for a in self.sheet.activities for e in a.exercises):
            shown = exercise.task if order.edition == "student" else (*exercise.task, *exercise.worked)
            for name, content in (self._picture(figure, order) for figure in figures(shown)):
                found[f"{name}.{ending}"] = content
        return found

    def render(self, order: Order) -> bytes:
        """The bytes of one document; they depend on the sheet and the order alone.

        Raises
        ------
        DeriveError
            If a character can't be printed, or a formula does not fit.
        """
        text = self.source(order)
        if order.format == "pdf":
            from derive.sheets.targets.pdf import compile_pdf

            return compile_pdf(text)
        return (self._with_fonts(text, order.lang) if order.format == "html" else text).encode()

    def _with_fonts(self, page: str, lang: Language) -> str:
        """Put in the font for formulas, and one with the Chinese characters that any edition of this sheet shows."""
        from derive.sheets.targets.html import chinese_font, ideographs, math_font

        if lang not in self._characters:
            pages = (self.source(Order(edition, lang, "html", variant=self.variant)) for edition in EDITIONS)
            self._characters[lang] = ideographs(
                "".join(re.sub(r"<style>.*?</style>", "", p, flags=re.DOTALL) for p in pages)
            )
        needed = self._characters[lang]
        page = page.replace("@math-font@", math_font())
        for weight in ("Regular", "Bold"):
            page = page.replace(f"@chinese-{weight}@", chinese_font(needed, weight) if needed else "")
        return page


def figures(blocks: tuple[Block, ...]) -> list[Figure]:
    """Every picture among the blocks, also those in boxes, in order."""
    found: list[Figure] = []
    for block in blocks:
        if isinstance(block, Figure):
            found.append(block)
        elif isinstance(block, Box):
            found += figures(block.blocks)
    return found


def formulas(sheet: Sheet) -> list[Formula]:
    """Every formula of a sheet, for tests that compare printers over all that any sheet prints."""
    found: list[Formula] = []

    def walk(value: object) -> None:
        if isinstance(value, Formula):
            found.append(value)
        elif isinstance(value, Message):
            walk(tuple(value.params.values()))
        elif isinstance(value, tuple):
            for v in value:
                walk(v)
        elif hasattr(value, "__dataclass_fields__"):
            walk(tuple(getattr(value, name) for name in value.__dataclass_fields__))

    walk(sheet.activities)
    return found


def chains(sheet: Sheet) -> list[Chain]:
    """Every chain of the worked solutions."""
    blocks = [b for a in sheet.activities for e in a.exercises for b in e.worked]
    return [b for b in blocks if isinstance(b, Chain)]
