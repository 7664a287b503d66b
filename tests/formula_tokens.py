r"""Compare a formula as LaTeX with the same formula as Typst, token by token, by way of the MathML of each.

``differences`` takes pairs of (LaTeX, Typst), has ``math-core`` convert the one and Typst export the other,
and says where the two streams of tokens part. A token is an identifier, a number, an operator or a bracket,
or the begin and end of a fraction, root, subscript, superscript, table, row, cell or mark. Spacing and sizes
are no tokens.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

import math_core
import typst

Tokens = tuple[str, ...]

# In both targets a mark becomes a root with this index, so that marks are compared as well.
_LATEX_MARK = r"\sqrt[99]{#1}"
_TYPST_MARK = "#let derive-mark(body) = math.root($99$, body)\n"

_INVISIBLE = "\u2061\u2062\u2063\u2064\u200b\u200c\u200d\ufeff"
_SCRIPTS = {
    "msub": "_", "msup": "^", "msubsup": "_^", "munder": "_", "mover": "^", "munderover": "_^",
}  # fmt: skip
_LEAVES = ("mi", "mn", "mo", "mtext", "ms")
_VOID = ("meta", "link", "br", "img")


@dataclass
class Element:
    tag: str
    children: list[Element] = field(default_factory=list)
    text: str = ""


class _Reader(HTMLParser):
    """Collects the ``math`` elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Element] = []
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID or not (self.open or tag == "math"):
            return
        element = Element(tag)
        (self.open[-1].children if self.open else self.found).append(element)
        self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.open:
            self.open[-1].children.append(Element(tag))

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1].tag == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.open[-1].text += data


def _math(page: str) -> list[Element]:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found


def latex_mathml(formulas: Iterable[str], display: bool = True) -> list[Element]:
    """The MathML of each LaTeX formula, by ``math-core``."""
    convert = math_core.LatexToMathML(macros={"derivemark": _LATEX_MARK}, fancy_error=False)
    pages = [convert.convert_with_local_state(f, displaystyle=display) for f in formulas]
    return [_math(page)[0] for page in pages]


def typst_mathml(formulas: Sequence[str], display: bool = True) -> list[Element]:
    """The MathML of each Typst formula, by Typst's own HTML export, in one compilation."""
    if not formulas:
        return []
    blank = " " if display else ""
    source = _TYPST_MARK + "\n\n".join(f"${blank}{f}{blank}$" for f in formulas)
    page = typst.compile(source.encode(), format="html").decode()
    found = _math(page)
    if len(found) != len(formulas):
        raise AssertionError(f"{len(formulas)} formulas, {len(found)} in the page")
    return found


def tokens(element: Element) -> Tokens:
    """What a reader sees of a formula, as a flat stream."""
    return tuple(_tokens(element))


def _tokens(e: Element) -> Iterator[str]:
    if e.tag in _LEAVES:
        text = unicodedata.normalize("NFKC", e.text).strip().strip(_INVISIBLE)
        if text:
            yield text
        return
    if e.tag == "mspace":
        return
    if e.tag in _SCRIPTS:
        yield from _tokens(e.children[0])
        for sign, child in zip(_SCRIPTS[e.tag], e.children[1:], strict=True):
            yield sign + "{"
            yield from _tokens(child)
            yield "}"
        return
    name = {"msqrt": "root", "mtable": "table", "mtr": "row", "mtd": "cell"}
    if e.tag == "mroot":
        yield "mark{"
        yield from _tokens(e.children[0])
        yield "}"
        return
    if e.tag == "mfrac":
        for sign, child in zip(("over{", "under{"), e.children, strict=True):
            yield sign
            yield from _tokens(child)
            yield "}"
        return
    if e.tag in name:
        yield name[e.tag] + "{"
    for child in e.children:
        yield from _tokens(child)
    if e.tag in name:
        yield "}"


def differences(pairs: Sequence[tuple[str, str]], display: bool = True) -> list[str]:
    """One line for each pair (LaTeX, Typst) whose tokens differ; empty where the two printers agree."""
    left = latex_mathml([a for a, _ in pairs], display)
    right = typst_mathml([b for _, b in pairs], display)
    found = []
    for (latex, typ), a, b in zip(pairs, left, right, strict=True):
        one, two = tokens(a), tokens(b)
        if one != two:
            k = 0
            while one[k : k + 1] == two[k : k + 1] != ():
                k += 1
            seen, here, there = (" ".join(x) for x in (one[:k], one[k : k + 3], two[k : k + 3]))
            found.append(f"{latex}  |  {typ}: after [{seen}] LaTeX has [{here}], Typst [{there}]")
    return found
