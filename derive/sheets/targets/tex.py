"""LaTeX sources, for XeLaTeX with the `ctex` package."""

from __future__ import annotations

import re
import unicodedata
from typing import ClassVar

from jinja2 import Environment
from markupsafe import Markup

from derive.errors import DeriveError
from derive.sheets.blocks import Figure, Formula
from derive.sheets.drawings import draw
from derive.sheets.targets import Format, Target, Words
from derive.sheets.targets.delimiters import code_environment

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "#": r"\#",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
}


def _greek(letter: str) -> str:
    """The command for a Greek letter, from its name in Unicode.

    >>> _greek("Λ"), _greek("ω")
    ('\\\\Lambda', '\\\\omega')
    """
    name = unicodedata.name(letter).rsplit(" ", 1)[1].lower().replace("lamda", "lambda")
    return "\\" + (name.capitalize() if letter.isupper() else name)


# What the text fonts of LaTeX lack, from the fonts for mathematics.
_SYMBOLS = {
    "✓": r"\checkmark", "−": "-", "×": r"\times", "÷": r"\div", "±": r"\pm", "·": r"\cdot",
    "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx", "≡": r"\equiv", "∝": r"\propto",
    "→": r"\to", "←": r"\leftarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow", "⇔": r"\Leftrightarrow",
    "∞": r"\infty", "√": r"\surd", "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "∇": r"\nabla",
    "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "⊆": r"\subseteq", "∪": r"\cup", "∩": r"\cap", "∅": r"\emptyset",
    "∀": r"\forall", "∃": r"\exists", "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "⊢": r"\vdash", "ℝ": r"\mathbb{R}",
    "ℕ": r"\mathbb{N}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}", "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil",
    "⌉": r"\rceil", "⟨": r"\langle", "⟩": r"\rangle",
    "²": "^{2}", "³": "^{3}", "¹": "^{1}",
    **dict(zip("⁰⁴⁵⁶⁷⁸⁹⁻", (f"^{{{c}}}" for c in "0456789-"), strict=True)),
    **dict(zip("₀₁₂₃₄₅₆₇₈₉", (f"_{{{c}}}" for c in "0123456789"), strict=True)),
    **{c: _greek(c) for c in "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"},
}  # fmt: skip
# What they have: ASCII, Latin with accents, quotes and dashes; and what goes to the Chinese font.
_PRESENT = re.compile(
    r"[\x20-\x7e\xa0-\u017f\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2460-\u2473\u25a0-\u25ff"
    r"\u3000-\u30ff\u3400-\u9fff\uff00-\uffef\n]"
)


class Tex(Target):
    """LaTeX source."""

    format: ClassVar[Format] = "tex"

    def escape(self, text: str) -> str:
        return "".join(map(_written, text)).replace("--", "{-}{-}")

    def words(self, words: Words) -> str:
        command = {"plain": "", "strong": r"\textbf", "code": r"\texttt"}[words.style]
        return f"{command}{{{self.escape(words.text)}}}" if command else self.escape(words.text)

    def formula(self, formula: Formula) -> str:
        return rf"\({self.printer.latex(formula.term, formula.marked, False)}\)"

    def display(self, formula: Formula) -> Markup:
        return Markup(self.printer.latex(formula.term, formula.marked, True))

    def picture(self, figure: Figure, name: str) -> Markup:
        drawn = draw(figure.drawing, self, alone=True)
        return Markup(rf"\drawing{{{drawn.width / 10.5:.2f}}}{{figures/{name}.pdf}}")

    def environment(self) -> Environment:
        return code_environment(self)


def _written(c: str) -> str:
    """One character as LaTeX shows it.

    Raises
    ------
    DeriveError
        If neither the text fonts nor those for mathematics have it.
    """
    if c in _ESCAPES:
        return _ESCAPES[c]
    if c in _SYMBOLS:
        return rf"\ensuremath{{{_SYMBOLS[c]}}}"
    if not _PRESENT.match(c):
        raise DeriveError("no-glyph-in-latex", character=f"U+{ord(c):04X}", text=c)
    return c
