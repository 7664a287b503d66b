"""An answer that chooses one of several options: by its letter, by its words, or as the key prints it."""

from __future__ import annotations

import re

from derive.answers.judging import Outcome
from derive.answers.reading import MAX_CHARACTERS, read_letters
from derive.answers.values import OneOf
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.tokens import normalised

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LOOSE_SPACE = re.compile(r"(?<!\d) | (?!\d)")
_MOST_SHOWN = 300


def judge_option(answer: str, right: OneOf) -> tuple[Outcome, int | None]:
    """The verdict, and which option was chosen.

    Raises `SyntaxFault` for what can't be the letter or the name of any option.
    """
    chosen = _by_name(answer, right)
    if chosen is None and right.lettered:
        found = read_letters(answer)
        chosen = ord(found[0]) - ord("A")
        if len(found) > 1 or chosen >= len(right.options):
            last = chr(ord("A") + len(right.options) - 1)
            return Outcome("wrong", "no-letter", {"found": found, "last": last}), None
    if chosen is None:
        known = "; ".join(option.names[0] for option in right.options)[:_MOST_SHOWN]
        letter = len(answer.strip(" ().")) == 1 and answer.strip(" ().").isalpha()
        return Outcome("unreadable", "letter-of-no-sheet" if letter else "no-option", {"known": known}), None
    if chosen == right.right:
        return Outcome("correct", "same"), chosen
    return Outcome("wrong", "other-option"), chosen


def _by_name(answer: str, right: OneOf) -> int | None:
    """The option with this name, where exactly one has it."""
    if len(answer) > MAX_CHARACTERS:
        raise SyntaxFault("too-long", (MAX_CHARACTERS, MAX_CHARACTERS + 1), {"limit": MAX_CHARACTERS})
    wanted = _plainly(answer)
    found = [
        k
        for k, option in enumerate(right.options)
        if wanted in map(_plainly, (*option.names, *(option.printed if right.lettered else ())))
    ]
    return found[0] if len(found) == 1 else None


def _plainly(text: str) -> str:
    """The text without spaces, thousands separators, dollar signs, a final full stop, and the case of its letters.

    A space between two digits stays: ``6 4`` is not ``64``.
    """
    bare = _THOUSANDS.sub("", normalised(text).replace("$", "")).casefold()
    return _LOOSE_SPACE.sub("", " ".join(bare.split())).rstrip(".。")
