"""An answer that chooses one of several options: by its letter, by its words, or as the key prints it."""

from __future__ import annotations

import re

from derive.answers.judging import Outcome, Scope, judge
from derive.answers.reading import MAX_CHARACTERS, Answer, ReadScalar, read_answer, read_letters
from derive.answers.values import NO_NAMES, Exact, OneOf, Right, Said, Special
from proofs.syntax.elaborate import elaborate
from proofs.syntax.environment import Environment
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.tokens import normalised
from proofs.terms import free_variables

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LOOSE_SPACE = re.compile(r"(?<!\d) | (?!\d)")
_MOST_SHOWN = 300


def judge_option(answer: str, right: OneOf) -> tuple[Outcome, int | None]:
    """The verdict, and which option was chosen.

    Raises `SyntaxFault` for what can't be the letter or the name of any option.
    """
    chosen = _by_name(answer, right)
    known = "; ".join(option.names[0] for option in right.options)
    last = chr(ord("A") + len(right.options) - 1)
    if chosen is None and _is_another_value(answer, right):
        code = "none-of-lettered" if right.lettered else "none-of-options"
        return Outcome("wrong", code, {"known": known[:_MOST_SHOWN], "last": last}), None
    if chosen is None and right.lettered:
        try:
            found = read_letters(answer)
        except SyntaxFault as fault:
            if fault.code == "empty":
                raise
            return Outcome("unreadable", "no-option-lettered", {"last": last}), None
        chosen = ord(found[0]) - ord("A")
        if len(found) > 1 or chosen >= len(right.options):
            return Outcome("wrong", "no-letter", {"found": found, "last": last}), None
    if chosen is None:
        known = known[:_MOST_SHOWN]
        letter = len(answer.strip(" ().")) == 1 and answer.strip(" ().").isalpha()
        return Outcome("unreadable", "letter-of-no-sheet" if letter else "no-option", {"known": known}), None
    if chosen == right.right:
        return Outcome("correct", "same"), chosen
    return Outcome("wrong", "other-option"), chosen


def _is_another_value(answer: str, right: OneOf) -> bool:
    """Whether the answer is a number, an infinity or NaN that certainly differs from each option.

    Where an option is in words, it must not name the number that was answered.
    """
    if not any(c.isdigit() for c in answer) and "inf" not in answer.casefold() and "nan" not in answer.casefold():
        return False
    return all(_differs(answer, name) for option in right.options for name in option.names)


def _differs(answer: str, name: str) -> bool:
    """Whether an answer that is a number is another one than an option's, or its words do not have it."""
    try:
        mine = read_answer(answer, "number")
        if len(mine.sides) != 1 or _closed(mine) is None:
            return False
    except SyntaxFault:
        return False
    try:
        theirs = _closed(read_answer(name, "number"))
    except SyntaxFault:
        theirs = None
    if theirs is None:
        return _plainly(answer) not in _plainly(name)
    return judge(mine, Right(theirs, Said("as-given")), Scope(NO_NAMES, brief=True)).verdict == "wrong"


def _closed(answer: Answer) -> Exact | Special | None:
    """What was read as one value without names, None where it is none."""
    read = answer.sides[0]
    if not isinstance(read, ReadScalar):
        return None
    if read.special is not None:
        return Special(read.special)
    t = elaborate(read.node, Environment())
    return None if free_variables(t) else Exact(t)


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
