"""LaTeX sources, for XeLaTeX with the `ctex` package."""

from __future__ import annotations

from typing import ClassVar

from jinja2 import Environment
from markupsafe import Markup

from derive.sheets.blocks import Formula
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
    "\u2713": r"\ensuremath{\checkmark}",
    "\u2212": r"\ensuremath{-}",
    "\u00d7": r"\ensuremath{\times}",
    "\u2265": r"\ensuremath{\geq}",
    "\u2264": r"\ensuremath{\leq}",
}


class Tex(Target):
    """LaTeX source."""

    format: ClassVar[Format] = "tex"

    def escape(self, text: str) -> str:
        return "".join(_ESCAPES.get(c, c) for c in text).replace("--", "{-}{-}")

    def words(self, words: Words) -> str:
        command = {"plain": "", "strong": r"\textbf", "code": r"\texttt"}[words.style]
        return f"{command}{{{self.escape(words.text)}}}" if command else self.escape(words.text)

    def formula(self, formula: Formula) -> str:
        return rf"\({self.printer.latex(formula.term, formula.marked, False)}\)"

    def display(self, formula: Formula) -> Markup:
        return Markup(self.printer.latex(formula.term, formula.marked, True))

    def environment(self) -> Environment:
        return code_environment(self)
