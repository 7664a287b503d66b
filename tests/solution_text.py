"""All words and values of a solution as one text, to be read by tests."""

from __future__ import annotations

import dataclasses

from derive.sheets.blocks import Formula, Language, Localised, Message, Text
from derive.sheets.problems import Solution
from derive.sheets.prose import Literally, Maths, Placeholder, Plural, catalogue, choose, shown
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term


def text_of(text: Text, lang: Language) -> str:
    """One piece of inline content."""
    if isinstance(text, Formula):
        assert isinstance(text.term, Term)
        return to_plain(text.term)
    if isinstance(text, Localised):
        return text.in_language(lang)
    if isinstance(text, Message):
        sentence = catalogue(lang)[text.key]
        wanted = {p.name for p in sentence if isinstance(p, Placeholder | Plural)}
        assert wanted == set(text.params), text.key
        return "".join(
            p.text
            if isinstance(p, Literally)
            else p.source
            if isinstance(p, Maths)
            else choose(p, text.params[p.name])
            if isinstance(p, Plural)
            else text_of(text.params[p.name], lang)
            for p in sentence
        )
    return shown(text)


def words(part: object, lang: Language = "en") -> str:
    """Everything that a block, a row of blocks or a whole solution says."""
    if isinstance(part, Formula | Localised | Message | str) or (isinstance(part, int) and not isinstance(part, bool)):
        return text_of(part, lang)
    if isinstance(part, tuple):
        return "\n".join(words(p, lang) for p in part)
    if dataclasses.is_dataclass(part):
        return "\n".join(words(getattr(part, f.name), lang) for f in dataclasses.fields(part))
    return ""


def answers(solution: Solution, lang: Language = "en") -> list[str]:
    """The exact answers of the key."""
    return [text_of(k.exact, lang) for k in solution.key]
