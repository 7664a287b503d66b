"""Markdown with formulas between dollar signs, as GitHub, Pandoc and Jupyter read it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from jinja2 import Environment
from markupsafe import Markup

from derive.sheets.blocks import Figure, Formula
from derive.sheets.targets import Format, Target, Words
from derive.sheets.targets.delimiters import code_environment

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$^!])")
_LINE_START = re.compile(r"^(\s*)([-+=]|\d+(?=[.)]))")
_OPENS = re.compile(r"[\s(\[，。、；：（]$")
_CLOSES = re.compile(r"^[\s)\].,;:!?，。、；：！？）]")


class Md(Target):
    """Markdown source."""

    format: ClassVar[Format] = "md"

    def escape(self, text: str) -> str:
        escaped = _SPECIAL.sub(r"\\\1", text)
        start = _LINE_START.match(escaped)
        if start and start[2].isdigit():
            return f"{start[1]}{start[2]}\\{escaped[start.end() :]}"
        return f"{start[1]}\\{escaped[start.start(2) :]}" if start else escaped

    def words(self, words: Words) -> str:
        if words.style == "code":
            fence = "`" * (1 + max((len(run) for run in re.findall("`+", words.text)), default=0))
            pad = " " if "`" in words.text else ""
            return f"{fence}{pad}{words.text}{pad}{fence}"
        return f"**{self.escape(words.text)}**" if words.style == "strong" else self.escape(words.text)

    def formula(self, formula: Formula) -> str:
        return f"${self._latex(formula, False)}$"

    def display(self, formula: Formula) -> Markup:
        return Markup(self._latex(formula, True))

    def _latex(self, formula: Formula, display: bool) -> str:
        """LaTeX without marks, whose command no reader knows, and without bars, which end a table's cell."""
        return self.printer.latex(formula.term, frozenset(), display).replace("|", r"\vert ")

    def joined(self, parts: Sequence[str]) -> Markup:
        """A formula is set off by spaces, since readers don't take ``$`` beside a letter for one."""
        line = ""
        for part in parts:
            formula = part.startswith("$")
            before = line.endswith("$") and not line.endswith("\\$")
            if (formula and line and not _OPENS.search(line)) or (before and not _CLOSES.match(part)):
                line += " "
            line += part
        return Markup(line)

    def picture(self, figure: Figure, name: str) -> Markup:
        return Markup(f"![{self.escape(self.spoken(figure.alt))}](figures/{name}.svg)")

    def environment(self) -> Environment:
        return code_environment(self)
