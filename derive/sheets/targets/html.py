"""Web pages: one file each, MathML made from our LaTeX, fonts inside."""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from io import BytesIO
from typing import ClassVar
from xml.etree import ElementTree

from jinja2 import Environment
from markupsafe import Markup, escape
from math_core import LatexToMathML

from derive.resources import templates
from derive.sheets.blocks import Figure, Formula, Text
from derive.sheets.drawings import draw
from derive.sheets.prose import Placeholder, Plural, words_of
from derive.sheets.targets import Format, Target, Words
from derive.sheets.targets.delimiters import page_environment

# The converter has no classes: a colour stands in for the mark and is exchanged for one below.
_CONVERTER = LatexToMathML(macros={"derivemark": r"\textcolor{Plum}{#1}"}, fancy_error=False)
_MARK = (
    _CONVERTER.convert_with_local_state(r"\textcolor{Plum}{xy}", displaystyle=False).split('style="')[1].split('"')[0]
)


@lru_cache(maxsize=4096)
def mathml(latex: str, display: bool) -> str:
    """MathML for a formula in LaTeX; an unknown command raises."""
    return _CONVERTER.convert_with_local_state(latex, displaystyle=display).replace(
        f'style="{_MARK}"', 'class="changed"'
    )


class Html(Target):
    """HTML with MathML."""

    format: ClassVar[Format] = "html"
    gap: ClassVar[str] = '<span class="gap"></span>'

    def escape(self, text: str) -> str:
        return str(escape(text))

    def words(self, words: Words) -> str:
        tag = {"plain": "", "strong": "strong", "code": "code"}[words.style]
        return f"<{tag}>{self.escape(words.text)}</{tag}>" if tag else self.escape(words.text)

    def formula(self, formula: Formula) -> str:
        made = mathml(self.printer.latex(formula.term, formula.marked, False), False)
        if breadth(made) <= _NARROW:
            return made
        # A sentence can't be scrolled, so what is wider than a telephone is scrolled inside of it.
        return f'<span class="wide" tabindex="0">{made}</span>'

    def display(self, formula: Formula) -> Markup:
        return Markup(mathml(self.printer.latex(formula.term, formula.marked, True), True))

    def picture(self, figure: Figure, name: str) -> Markup:
        drawn = draw(figure.drawing, self, alone=False)
        alt = escape(self.spoken(figure.alt))
        about = f'role="img" tabindex="0" aria-label="{alt}" style="--w: {drawn.width:.0f}"'
        return Markup(f'<div class="picture" {about}>\n{drawn.svg}\n</div>')

    def width(self, formula: Formula) -> float:
        return breadth(self.display(formula))

    def fit(self, formula: Formula, large: bool) -> Markup:
        """The attributes of a wide formula: by how much it shrinks on paper, and that it can be scrolled on screens."""
        room = _ROOM_LARGE if large else _ROOM
        factor = max(_MINIMAL, room / max(self.width(formula), 1.0))
        style = f' style="--fit: {factor:.2f}"' if factor < 1 else ""
        scrolls = self.width(formula) > _NARROW  # whoever has only a keyboard must be able to scroll it
        return Markup(style + (' tabindex="0"' if scrolls else ""))

    def header(self, text: Text) -> Markup:
        """The text of a header cell; a formula alone is also said in words, since many readers skip it there."""
        if not isinstance(text, Formula):
            return self.inline(text)
        said = escape(self.spoken(text))
        return Markup(f'<span class="spoken">{said}</span><span aria-hidden="true">{self.formula(text)}</span>')

    def page_of(self, key: str) -> Markup:
        """The sentence with the number of the page, as the value of CSS's `content`."""
        counters = {"page": "counter(page)", "pages": "counter(pages)"}
        parts = [
            counters[p.name] if isinstance(p, Placeholder | Plural) else css_string(words_of(p))
            for p in self.prose[key]
        ]
        return Markup(" ".join(parts))

    def environment(self) -> Environment:
        environment = page_environment()
        environment.filters.update(css=css_string, fit=self.fit, header=self.header)
        environment.globals.update(page_of=self.page_of)
        return environment


_ENTITY = re.compile(r"&#?\w+;")
_NARROW = 13.0  # of a telephone
_MINIMAL, _ROOM, _ROOM_LARGE = 0.45, 41.0, 26.0  # of the printed page, in widths of an em


@lru_cache(maxsize=4096)
def breadth(formula: str) -> float:
    """About how wide a formula in MathML is, in em: what stands above one another counts once."""
    return _breadth(ElementTree.fromstring(_ENTITY.sub("x", formula)))


def _breadth(node: ElementTree.Element) -> float:
    parts = [_breadth(child) for child in node]
    if node.tag in ("mi", "mn", "mtext"):
        return 0.52 * len(node.text or "")
    if node.tag == "mo":
        text = node.text or ""
        return 1.35 if text in "=\u2264<>\u2260+\u2212\u00d7" and text else 0.45
    if node.tag == "mfrac":
        return max(parts) + 0.25
    if node.tag in ("msub", "msup", "msubsup"):
        return parts[0] + 0.72 * max(parts[1:])
    if node.tag in ("munder", "mover", "munderover"):
        return max(parts[0] + 0.5, *(0.72 * p for p in parts[1:]))
    if node.tag == "mtable":
        return max(parts, default=0.0)
    if node.tag == "msqrt":
        return sum(parts) + 0.8
    return sum(parts)


def css_string(text: str) -> Markup:
    """A CSS string that no text can leave: every character but letters and digits of ASCII is written by its number."""
    inner = "".join(c if c.isascii() and c.isalnum() else f"\\{ord(c):06x}" for c in text)
    return Markup(f'"{inner}"')


@lru_cache(maxsize=1)
def math_font() -> str:
    """The font for formulas, in base64."""
    return base64.b64encode((templates() / "fonts" / "DeriveMath.woff2").read_bytes()).decode()


@lru_cache(maxsize=8)
def chinese_font(characters: str, weight: str) -> str:
    """A font with just the `characters`, in base64: the vendored font cut down."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    options = subset.Options()
    options.layout_features = []
    options.recalc_timestamp = False
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx"]
    options.desubroutinize = True
    stream = BytesIO()
    path = templates() / "fonts" / f"NotoSerifSC-{weight}.otf"
    with TTFont(path, lazy=True, recalcTimestamp=False, recalcBBoxes=False) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=characters)
        subsetter.subset(font)
        font.flavor = "woff"
        font.save(stream)
    return base64.b64encode(stream.getvalue()).decode()


def ideographs(text: str) -> str:
    """The Chinese characters and full-width marks of a text, each once, in order of code."""
    return "".join(sorted(c for c in set(text) if "\u2e80" <= c <= "\u9fff" or "\uff00" <= c <= "\uffef"))


def with_fonts(page: str) -> str:
    """Put in the font for formulas, and one with the Chinese characters that the page shows."""
    bare = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    needed = ideographs(bare)
    page = page.replace("@math-font@", math_font())
    for weight in ("Regular", "Bold"):
        page = page.replace(f"@chinese-{weight}@", chinese_font(needed, weight) if needed else "")
    return page
