"""Chains as plain text, for terminals."""

from __future__ import annotations

from derive.sheets.blocks import Chain, Language, Text
from derive.sheets.documents import RELATIONS
from derive.sheets.formulas import TermPrinter
from derive.sheets.targets.md import Md


def plain(text: Text, lang: Language) -> str:
    """A text as one line of bare characters."""
    return " ".join(Md(lang, TermPrinter()).plain(text).split())


def chain_lines(chain: Chain, lang: Language) -> list[str]:
    """One line of text for each line of the chain, reasons after ``--``, and what it was checked against."""
    target = Md(lang, TermPrinter())

    def reason(text: Text | None) -> str:
        return "" if text is None else f"  -- {target.plain(text)}"

    rows = [(f"  {target.plain(chain.first)}", reason(chain.first_reason))]
    rows += [
        (f"    {RELATIONS[line.relation][0]} {target.plain(line.formula)}", reason(line.reason)) for line in chain.lines
    ]
    width = min(64, max(len(formula) for formula, _ in rows))
    lines = [(formula.ljust(width) + said).rstrip() for formula, said in rows]
    return [*lines, *(f"  {target.plain(text)}" for text in chain.checked)]
