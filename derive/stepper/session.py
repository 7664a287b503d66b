"""Where somebody is: a stack of proofs with a place and numbers in each, and how it is kept in a file when asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from derive.distinct import distinct
from derive.errors import DeriveError
from derive.files import read
from derive.stepper.instance import MAX_CELLS, Index, Instance, begin
from derive.stepper.subjects import Step, Subject, subject
from derive.writing import write_file

MAX_BYTES = 1_000_000
MAX_STACK = 8
_FORMAT = "derive step 1"


@dataclass(frozen=True)
class Place:
    """One proof on the stack: the step that is shown (from 0), and the numbers."""

    subject: Subject
    at: int
    instance: Instance

    @property
    def step(self) -> Step:
        return self.subject.steps[self.at]

    def moved(self, by: int) -> Place:
        """The place some steps on, within the proof."""
        return self.to(self.at + by)

    def to(self, at: int) -> Place:
        return replace(self, at=max(0, min(len(self.subject.steps) - 1, at)))


@dataclass(frozen=True)
class Session:
    """The proof that is being read last, those it was entered from before it."""

    stack: tuple[Place, ...]

    @property
    def here(self) -> Place:
        return self.stack[-1]

    @property
    def inside(self) -> bool:
        """Whether another proof was entered from the first one."""
        return len(self.stack) > 1

    def at(self, place: Place) -> Session:
        return Session((*self.stack[:-1], place))

    def enter(self, entered: Subject) -> Session:
        """Into another proof; the oldest but the first is forgotten where there are too many."""
        stack = (*self.stack, start(entered))
        return Session(stack if len(stack) <= MAX_STACK else (stack[0], *stack[2:]))

    def leave(self) -> Session:
        return Session(self.stack[:-1]) if self.inside else self


def start(chosen: Subject) -> Place:
    """The first line, with the numbers that the statement's source speaks of."""
    return Place(chosen, 0, begin(chosen.statement, chosen.stated))


# --- kept in a file ----------------------------------------------------------------------------------------


def saved(session: Session) -> str:
    """The session as JSON: names, places, and the numbers that were chosen."""
    places = [
        {
            "name": p.subject.name,
            "line": p.at,
            "numbers": {k: str(x) for k, x in p.instance.scalars.items() if not p.instance.is_tied(k)},
            "entries": {
                k: {",".join(map(str, i)): str(x) for i, x in cells.items()} for k, cells in p.instance.entries.items()
            },
        }
        for p in session.stack
    ]
    return json.dumps({"format": _FORMAT, "proofs": places}, ensure_ascii=False, indent=1) + "\n"


def save(session: Session, path: Path) -> None:
    """Write the session to a file, all of it or nothing.

    Raises
    ------
    DeriveError
        As `derive.writing.write_file` does.
    """
    write_file(path, saved(session))


def resumed(first: Subject, path: Path) -> Session:
    """The session kept in a file; a new one where there is no file yet.

    Raises
    ------
    DeriveError
        ``save-unreadable`` where the file is something else; ``save-other`` where it belongs to another proof.
    """
    try:
        data = read(path, MAX_BYTES)
    except FileNotFoundError:
        return Session((start(first),))
    except OSError:
        raise DeriveError("save-unreadable", file=str(path)) from None
    try:
        if len(data) > MAX_BYTES:
            raise ValueError("too large")
        table = json.loads(data, object_pairs_hook=distinct)
        if not isinstance(table, dict) or table.get("format") != _FORMAT:
            raise ValueError("format")
        proofs = table["proofs"]
        if not isinstance(proofs, list) or not 1 <= len(proofs) <= MAX_STACK:
            raise ValueError("proofs")
        names = [_text(p["name"]) for p in proofs]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DeriveError("save-unreadable", file=str(path)) from None
    if names[0] != first.name:
        raise DeriveError("save-other", file=str(path), other=names[0], name=first.name)
    try:
        subjects = [first, *(subject(n) for n in names[1:])]
        return Session(tuple(_place(s, p) for s, p in zip(subjects, proofs, strict=True)))
    except (ValueError, KeyError, TypeError, ArithmeticError, DeriveError):
        raise DeriveError("save-unreadable", file=str(path)) from None


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 200:
        raise ValueError(value)
    return value


def _place(chosen: Subject, table: Mapping[str, object]) -> Place:
    first = start(chosen)
    numbers, entries, line = table["numbers"], table["entries"], table["line"]
    if not isinstance(numbers, dict) or not isinstance(entries, dict) or not isinstance(line, int):
        raise ValueError("place")
    blank = Instance(chosen.statement, {}, {})
    known = {d.name: d for d in chosen.statement.declarations}
    settings = [
        f"{k} = {_number(x)}" for k, x in numbers.items() if not known[k].variable.rank and not blank.is_tied(k)
    ]
    instance = blank.with_settings(", ".join(settings))
    cells: dict[str, dict[Index, Fraction]] = {}
    for name, own in entries.items():
        if not known[name].variable.rank or not isinstance(own, dict) or len(own) > MAX_CELLS:
            raise ValueError(name)
        cells[name] = {_index(i, known[name].variable.rank): _number(x) for i, x in own.items()}
    return replace(first, instance=replace(instance, entries=cells)).to(line)


def _number(value: object) -> Fraction:
    text = _text(value)
    if len(text) > 64 or "e" in text.lower():
        raise ValueError(text)
    return Fraction(text)


def _index(text: str, rank: int) -> Index:
    place = tuple(int(k) for k in _text(text).split(","))
    if len(place) != rank or any(not 1 <= k <= MAX_CELLS for k in place):
        raise ValueError(text)
    return place
