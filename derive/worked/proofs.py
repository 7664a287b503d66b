"""Exercises that ask for a proof: the statement of a library theorem, and its chain."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from derive.library import theorem, theorems
from derive.sheets.blocks import Block, Box, Display, Formula, KeyEntry, Localised, Message, Paragraph
from derive.sheets.problems import Field, Given, Solution
from derive.sheets.prose import catalogue
from derive.worked.steps import theorem_chain


class Proof:
    """Prove a theorem."""

    name = "proof"
    title = Localised("证明", "A proof")

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        return {"theorem": Field("choice", options=tuple(theorems()))}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        name = str(given["theorem"])
        asked = theorem(name)
        statement = asked.derivation.statement
        chain = theorem_chain(asked, seed)
        prose = catalogue("en")
        hypotheses = tuple(Display(Formula(p)) for p in statement.hypotheses)
        task: list[Block] = [Paragraph((Message(f"theorems.{name}.task"),))]
        if hypotheses:
            task += [Paragraph((Message("worked.suppose"),)), *hypotheses, Paragraph((Message("worked.prove"),))]
        task.append(Display(Formula(statement.claim)))
        worked: list[Block] = [Paragraph((Message(f"theorems.{name}.idea"),)), chain]
        if f"theorems.{name}.after" in prose:
            worked.append(Paragraph((Message(f"theorems.{name}.after"),)))
        worked.append(Box("trap", Message("worked.mistake"), (Paragraph((Message(f"theorems.{name}.mistake"),)),)))
        title = asked.title if asked.title_key is None else Message(asked.title_key)
        key = (KeyEntry(exact=Formula(statement.claim), convention=Message(f"theorems.{name}.key")),)
        return Solution(tuple(task), tuple(worked), key, space=4 + 2 * len(chain.lines), title=title)
