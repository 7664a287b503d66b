"""Words and short formulas in a drawing: one line of runs, upright or slanted, on the line, lowered or raised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

from derive.sheets.blocks import Text

SIZE = 9.5
Level = Literal["", "sub", "sup"]

_NAME = re.compile(
    r"(?P<base>[A-Za-z]+)(?:_(?P<sub>[A-Za-z0-9]+)|\[(?P<index>[a-z0-9, ]+)\])?"
    r"|\^(?P<sup>-?\d+|[a-z]|\([^()]*\))|(?P<rest>.)"
)
_WIDE = re.compile(r"[\u2e80-\uffef]")


@dataclass(frozen=True)
class Run:
    """A stretch of a label."""

    text: str
    slanted: bool = False
    level: Level = ""


@dataclass(frozen=True)
class Label:
    """One line of text at a place: `x` is its left end, middle or right end, `y` the line it stands on."""

    x: float
    y: float
    runs: tuple[Run, ...]
    anchor: Literal["start", "middle", "end"] = "middle"
    size: float = SIZE
    look: str = ""
    turned: bool = False


class Writer(Protocol):
    """What a target does for a drawing: gives a text as runs of words and formulas in its language."""

    def label_runs(self, text: Text) -> tuple[Run, ...]: ...


def runs_of_formula(plain: str) -> tuple[Run, ...]:
    """A formula in plain text on one line: letters slanted, ``_k`` and ``[k]`` lowered, ``^2`` raised.

    >>> [(r.text, r.slanted, r.level) for r in runs_of_formula("h*d_k")]
    [('h', True, ''), ('\\u2009', False, ''), ('d', True, ''), ('k', True, 'sub')]
    >>> [(r.text, r.level) for r in runs_of_formula("2^-14")]
    [('2', ''), ('\\u221214', 'sup')]
    """
    found: list[Run] = []
    for m in _NAME.finditer(plain):
        if m["base"]:
            found.append(Run(m["base"], slanted=len(m["base"]) == 1))
            sub = m["sub"] or m["index"]
            if sub:
                found.append(Run(sub, slanted=len(sub) == 1 and sub.isalpha(), level="sub"))
        elif m["sup"]:
            found.append(Run(m["sup"].strip("()").replace("-", "\u2212"), level="sup"))
        else:
            rest = {"*": "\u2009", "-": "\u2212"}.get(m["rest"], m["rest"])
            if found and found[-1] == Run(found[-1].text):
                found[-1] = Run(found[-1].text + rest)
            else:
                found.append(Run(rest))
    return tuple(found)


def breadth(runs: tuple[Run, ...], size: float = SIZE) -> float:
    """About how wide a label is."""
    total = 0.0
    for run in runs:
        scale = 0.7 if run.level else 1.0
        for c in run.text:
            em = (
                1.0
                if _WIDE.match(c)
                else 0.25
                if c in " .,:;il|'\u2009()"
                else 0.7
                if c.isupper() or c in "mw\u2212="
                else 0.5
            )
            total += em * scale
    return total * size


def lines_of(runs: tuple[Run, ...], width: float, size: float = SIZE) -> list[tuple[Run, ...]]:
    """The runs on as many lines as they need: broken at spaces, and between Chinese characters."""
    pieces: list[Run] = []
    for run in runs:
        if run.level:
            pieces.append(run)
        else:
            parts = re.findall(
                r"[\u2e80-\uffef][\uff00-\uff0f\u3001\u3002\uff0c\uff1a\uff1b\uff1f]*|[^\u2e80-\uffef\s]+\s*|\s+",
                run.text,
            )
            pieces += [Run(p, run.slanted) for p in parts]
    lines: list[tuple[Run, ...]] = [()]
    for piece in pieces:
        if lines[-1] and not piece.level and breadth((*lines[-1], piece), size) > width:
            lines.append(())
        lines[-1] += (piece,)
    return [_joined(line) for line in lines]


def _joined(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    found: list[Run] = []
    for run in runs:
        last = found[-1] if found else None
        if last is not None and (last.slanted, last.level) == (run.slanted, run.level):
            found[-1] = Run(last.text + run.text, run.slanted, run.level)
        else:
            found.append(run)
    return tuple(found)
