"""PDF by way of Typst: prose arrives as string literals, formulas from our own printer, fonts are ours alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import typst
from jinja2 import Environment
from markupsafe import Markup

from derive.errors import DeriveError
from derive.resources import templates
from derive.sheets.blocks import Figure, Formula, Language
from derive.sheets.drawings import Picture, draw
from derive.sheets.targets import Format, Target, Words
from derive.sheets.targets.delimiters import code_environment

SHORT = 20
"""Up to so many characters of plain text a formula in a sentence is not broken over lines."""

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def literal(text: str) -> str:
    r"""A Typst string literal, which no text can leave.

    >>> print(literal('#x "y" \\'))
    "#x \"y\" \\"
    """
    return '"' + "".join(_ESCAPES.get(c, c) for c in text) + '"'


_BIG = re.compile(r"\b(?:sum|max)\([a-z]+ = [^,]*, ")


def unbroken(plain: str) -> float:
    """About how much of a formula's width is the widest part that can't be broken: between signs outside brackets.

    >>> unbroken("a + b"), unbroken("f(a + b + c)")
    (0.6, 1.0)
    """
    plain = _BIG.sub("S(", plain)
    depth = longest = start = 0
    for k, c in enumerate(plain):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c in "+-=<>" and plain[k - 1 : k] == " ":
            longest, start = max(longest, k - start), k
    return max(longest, len(plain) - start) / max(1, len(plain))


class Pdf(Target):
    """Typst source; `compile_pdf` makes the bytes."""

    format: ClassVar[Format] = "pdf"
    gap: ClassVar[str] = "#h(0.2em);"

    def escape(self, text: str) -> str:
        return literal(text)

    def words(self, words: Words) -> str:
        function = {"plain": "", "strong": "strong", "code": "raw"}[words.style]
        return f"#{function}({literal(words.text)});" if function else f"#{literal(words.text)};"

    def _equation(self, formula: Formula, display: bool) -> str:
        function = "display-formula" if display else "inline-formula"
        said = literal(self.printer.speech(formula.term, self.lang))
        if display:
            said += f", {unbroken(self.printer.plain(formula.term)):.3f}"
        return f"{function}({said}, ${self.printer.typst(formula.term, formula.marked, display)}$)"

    def formula(self, formula: Formula) -> str:
        made = self._equation(formula, False)
        if len(self.printer.plain(formula.term)) <= SHORT:
            made = made.replace("inline-formula(", "whole-formula(", 1)
        return f"#{made};"

    def display(self, formula: Formula) -> Markup:
        return Markup(self._equation(formula, True))

    def picture(self, figure: Figure, name: str) -> Markup:
        drawn = draw(figure.drawing, self, alone=True)
        alt = literal(self.spoken(figure.alt))
        return Markup(f"picture({alt}, {drawn.width:.2f}, {literal(drawn.svg)})")

    def joined(self, parts: Sequence[str]) -> Markup:
        return Markup("[" + "".join(parts) + "]")

    def environment(self) -> Environment:
        return code_environment(self)


@lru_cache(maxsize=1)
def _compiler() -> typst.Compiler:
    fonts = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(templates() / "fonts")]
    )
    return typst.Compiler(font_paths=fonts, ignore_system_fonts=True)


def picture_pdf(drawn: Picture, title: str, alt: str, lang: Language) -> bytes:
    """A picture as a PDF of just its size, tagged, with its alternative text; for documents that can't hold vectors."""
    size = f"width: {drawn.width:.2f}pt, height: {drawn.height:.2f}pt"
    return compile_pdf(
        f"#set document(title: {literal(title)}, date: none)\n#set page({size}, margin: 0pt)\n"
        f"#set text(lang: {literal(lang)})\n"
        f'#image(bytes({literal(drawn.svg)}), format: "svg", width: 100%, alt: {literal(alt)})\n'
    )


def compile_pdf(source: str) -> bytes:
    """Compile Typst source to a tagged PDF/UA-1 file; the same source gives the same bytes."""
    try:
        compiled = _compiler().compile(source.encode(), format="pdf", pdf_standards=["ua-1"])
    except typst.TypstError as error:
        _, wide, spoken = str(error.message).partition("formula-too-wide: ")
        if wide:
            raise DeriveError(
                "formula-too-wide", formula=spoken if len(spoken) <= 120 else spoken[:117] + "..."
            ) from error
        raise DeriveError("pdf-refused", why=" ".join(str(error.message).split())) from error
    if not isinstance(compiled, bytes):
        raise TypeError("Typst returned no document")
    return compiled
