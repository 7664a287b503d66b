"""The marking scheme of an exercise: its points shared out over the steps of its solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from derive.sheets.blocks import Block, Box, Chain, Choice, Credit, Formula, KeyEntry, Mark, Message, Text
from derive.sheets.prose import catalogue

MOST_LOSSES = 2  # as many as are named for one step


def marking(
    points: int | None, credits: Sequence[Credit], worked: Sequence[Block], key: Sequence[KeyEntry]
) -> tuple[Mark, ...]:
    """How the points are earned: by `credits`, or else by the lines of the chains, or else by the answers."""
    if not points:
        return ()
    return shared_out(points, credits or _of_choices(worked) or of_chains(worked) or _of_answers(key))


def shared_out(points: int, credits: Sequence[Credit]) -> tuple[Mark, ...]:
    """Whole points for every step, in proportion to the weights; steps that get none are joined to the next that does.

    Up to each step the points are those of its share, rounded down, so that the last step completes them.

    >>> [(len(m.steps), m.points) for m in shared_out(2, [Credit("a"), Credit("b"), Credit("c")])]
    [(2, 1), (1, 1)]
    >>> [(len(m.steps), m.points) for m in shared_out(5, [Credit("a"), Credit("b", weight=3)])]
    [(1, 1), (1, 4)]
    """
    whole = sum(c.weight for c in credits)
    marks: list[Mark] = []
    waiting: list[Credit] = []
    weight = given = 0
    for credit in credits:
        waiting.append(credit)
        weight += credit.weight
        earned = points * weight // whole - given
        if earned:
            loses: list[Text] = []
            for loss in (x for c in waiting for x in c.loses):
                if loss not in loses:
                    loses.append(loss)
            marks.append(Mark(tuple(c.step for c in waiting), earned, tuple(loses)))
            given += earned
            waiting = []
    return tuple(marks)


def _inside(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, those in boxes after their box."""
    return [x for b in blocks for x in ((b, *_inside(b.blocks)) if isinstance(b, Box) else (b,))]


def _of_choices(worked: Sequence[Block]) -> list[Credit]:
    found: list[Credit] = []
    for block in _inside(worked):
        if isinstance(block, Choice):
            (right,) = (k for k, option in enumerate(block.options) if option.right)
            step = Message("marking.option", {"letter": chr(ord("A") + right)})
            found.append(Credit(step, 1, (Message("marking.loses-option"),)))
    return found


def of_chains(worked: Sequence[Block]) -> list[Credit]:
    """A credit for each line of the chains among these blocks."""
    lines = [line for block in _inside(worked) if isinstance(block, Chain) for line in block.lines]
    return [Credit(replace(line, formula=Formula(line.formula.term)), 1, _losses(line.reason)) for line in lines]


def _losses(reason: Text | None) -> tuple[Text, ...]:
    """What goes wrong at a line, by the reasons that belong to it."""
    named = [reason, *reason.params.values()] if isinstance(reason, Message) else []
    codes = [m.key.removeprefix("reasons.") for m in named if isinstance(m, Message) and m.key.startswith("reasons.")]
    keys = [f"marking.loses-{code}" for code in codes]
    known = [key for key in keys if key in catalogue("en")]
    return tuple(Message(key) for key in known[:MOST_LOSSES] or ["marking.loses-line"])


def _of_answers(key: Sequence[KeyEntry]) -> list[Credit]:
    return [Credit(entry.text, 1, (Message("marking.loses-answer"),)) for entry in key]
