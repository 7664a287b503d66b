"""A numeric instance beside a proof: numbers for the declared names, which the learner may change.

Whoever steps chooses some numbers; the others are filled in by a fixed pattern. What an equation among the hypotheses
ties (``d = h*d_k``) is computed from the rest, entries that a hypothesis makes agree are copied, and an index stays in
its range. A hypothesis that still does not hold is named, since the lines then need not agree.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor, prod

from derive.definitions import signatures
from derive.results import Value
from proofs.evaluate import (
    Exact, Interval, Limits, Model, NotCertain, Tensor, TooLarge, Unassigned, Undefined, holds, rounded, value,
)  # fmt: skip
from proofs.refute import satisfiable
from proofs.statement import Declaration, Statement
from proofs.syntax.environment import Environment, dimensions
from proofs.terms import Term, div, entry, free_variables, instantiate, mul, num

MAX_CELLS = 2_000
MAX_WHOLE = 10**7
MAX_DIGITS = 30
MAX_SETTING = 4_000
DIGITS = 12
_LIMITS = Limits(operations=150_000, precision=1_024)
_SIZE = 2
_POSITIONS = 3

Index = tuple[int, ...]
Chosen = Mapping[str, Fraction]
Entries = Mapping[str, Mapping[Index, Fraction]]


class SettingError(ValueError):
    """Something typed as ``n = 3, c = 2`` that can't be: a code and what its sentence needs."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(f"{code}: {params}")
        self.code, self.params = code, params


@dataclass(frozen=True)
class Tie:
    """A variable that a hypothesis gives as a term over others."""

    variable: Term
    term: Term


@dataclass(frozen=True)
class Shown:
    """The value of a term: `text` as it is printed; `kind` says whether it is the number itself, a certified
    rounding, or that there is none (and then `text` is the code of the reason)."""

    kind: str
    text: str

    @property
    def sign(self) -> str:
        return {"exact": "=", "rounded": "≈"}.get(self.kind, "")


@dataclass(frozen=True)
class Instance:
    """Numbers for the names of a statement: those chosen, and what follows from them."""

    statement: Statement
    scalars: Chosen
    entries: Entries

    @cached_property
    def ties(self) -> tuple[Tie, ...]:
        return ties(self.statement)

    @cached_property
    def numbers(self) -> dict[Term, Fraction]:
        """The value of every scalar."""
        tied = {t.variable for t in self.ties}
        found: dict[Term, Fraction] = {}
        for d in self._scalars():
            if d.variable not in tied and d.kind != "index":
                found[d.variable] = self.scalars.get(d.name, _default(d))
        for tie in self.ties:
            x = _number(tie.term, _model(found))
            if x is not None:
                whole = tie.variable.sort == "integer"
                found[tie.variable] = Fraction(max(1, floor(x))) if whole else x
        for d in self._scalars():
            if d.variable not in found and d.kind == "index" and d.upper is not None:
                top = _number(d.upper, _model(found)) or Fraction(1)
                found[d.variable] = max(Fraction(1), min(self.scalars.get(d.name, Fraction(2)), top))
            found.setdefault(d.variable, _default(d))
        return found

    def is_tied(self, name: str) -> bool:
        """Whether a name follows from others by a hypothesis."""
        return any(t.variable.data == name for t in self.ties)

    def _scalars(self) -> list[Declaration]:
        return [d for d in self.statement.declarations if not d.variable.rank]

    def shape(self, d: Declaration) -> Index:
        """The dimensions of a tensor, in numbers."""
        sides = [_number(t, _model(self.numbers)) for t in d.dimensions]
        return tuple(max(0, int(s)) if s is not None else 0 for s in sides)

    @cached_property
    def tables(self) -> dict[Term, dict[Index, Fraction]]:
        """The entries of every tensor, those that a hypothesis makes agree copied."""
        found: dict[Term, dict[Index, Fraction]] = {}
        for seed, d in enumerate(self.statement.declarations):
            if d.variable.rank:
                own = self.entries.get(d.name, {})
                places = list(itertools.product(*(range(1, n + 1) for n in self.shape(d))))
                found[d.variable] = {p: own.get(p, filled(seed, p, d.kind == "positive")) for p in places}
        for source, target in self.copies:
            if source[0] in found and target[0] in found and target[1] in found[target[0]]:
                found[target[0]][target[1]] = found[source[0]].get(source[1], Fraction(0))
        return found

    @cached_property
    def copies(self) -> tuple[tuple[tuple[Term, Index], tuple[Term, Index]], ...]:
        """Pairs of cells that a hypothesis makes equal: the one that is free, and the one that is copied."""
        return tuple(c for h in self.statement.hypotheses for c in _copies(h, _model(self.numbers)))

    @cached_property
    def model(self) -> Model:
        values: dict[Term, Exact | Tensor | Term] = dict(_model(self.numbers).values)
        for seed, d in enumerate(self.statement.declarations):
            if d.variable.rank:
                values[d.variable] = Tensor(d.variable.rank, self.tables[d.variable], self.shape(d), seed)
        return Model(values)

    @cached_property
    def broken(self) -> tuple[Term, ...]:
        """What is assumed and does not hold here."""
        found = []
        for p in self.statement.assumptions():
            try:
                if holds(p, self.model, limits=_LIMITS) is not True:
                    found.append(p)
            except (Undefined, TooLarge, Unassigned):
                found.append(p)
        return tuple(found)

    def show(self, term: Term) -> tuple[Shown, ...]:
        """The value of a term: one number, or one for each entry of a tensor."""
        if not term.rank:
            return (_shown(term, self.model),)
        axes = dimensions(term, Environment.of(self.statement.declarations, signatures()))
        if axes is None:
            return (Shown("none", "unknown-shape"),)
        sides = [_number(t, self.model) for t in axes]
        if any(s is None or s > 12 for s in sides):
            return (Shown("none", "too-large"),)
        places = itertools.product(*(range(1, int(s or 0) + 1) for s in sides))
        return tuple(_shown(entry(term, *map(num, p)), self.model) for p in places)

    def listed(self) -> Iterator[tuple[Declaration, str, bool]]:
        """Each declared name with its value as text, and whether it follows from others."""
        tied = {t.variable for t in self.ties}
        for d in self.statement.declarations:
            if d.variable.rank:
                yield d, _rows(self.tables[d.variable], self.shape(d)), False
            else:
                yield d, str(self.numbers[d.variable]), d.variable in tied

    def with_settings(self, text: str) -> Instance:
        """The instance after ``n = 3, c = 2, z = [1, 2, 3], z[2] = 5``.

        Raises
        ------
        SettingError
            Where the text can't be read, names nothing that is declared, or gives what can't be.
        """
        if len(text) > MAX_SETTING:
            raise SettingError("too-long", limit=MAX_SETTING)
        scalars, entries = dict(self.scalars), {k: dict(v) for k, v in self.entries.items()}
        declared = {d.name: d for d in self.statement.declarations}
        for name, place, given in _settings(text):
            d = declared.get(name)
            if d is None:
                raise SettingError("unknown", name=name, known=", ".join(declared) or "—")
            if self.is_tied(name):
                raise SettingError("tied", name=name)
            if d.variable.rank:
                _set_entries(self, d, place, given, entries.setdefault(name, {}))
            else:
                if place or not isinstance(given, Fraction):
                    raise SettingError("not-a-tensor", name=name)
                scalars[name] = _fitting(d, given)
        changed = replace(self, scalars=scalars, entries=entries)
        for d in changed._scalars():
            wanted = scalars.get(d.name)
            if d.kind == "index" and wanted is not None and wanted != changed.numbers[d.variable] and d.name in text:
                raise SettingError("out-of-range", name=d.name, high=str(_number(d.upper or num(1), changed.model)))
        cells = sum(prod(changed.shape(d)) for d in self.statement.declarations if d.variable.rank)
        if cells > MAX_CELLS:
            raise SettingError("too-many", limit=MAX_CELLS)
        return changed


def filled(seed: int, place: Index, positive: bool) -> Fraction:
    """The entry of a tensor that nobody chose: a half of a small whole number, the same for the same place.

    >>> filled(0, (1,), False), filled(0, (2,), False)
    (Fraction(-1, 1), Fraction(-3, 2))
    """
    mixed = seed * 5 + 3
    for i in place:
        mixed = (mixed * 31 + i * 17) % 1009
    return Fraction(mixed % 8 + 1, 2) if positive else Fraction(mixed % 9 - 4, 2)


def begin(statement: Statement, stated: Mapping[str, Value]) -> Instance:
    """The instance that the source speaks of; what it leaves open is small, and such that the hypotheses hold."""
    scalars: dict[str, Fraction] = {}
    entries: dict[str, dict[Index, Fraction]] = {}
    for name, given in stated.items():
        if isinstance(given, tuple):
            entries[name] = dict(_cells(given))
        else:
            scalars[name] = Fraction(given)
    first = Instance(statement, scalars, entries)
    if not first.broken:
        return first
    free = [d.name for d in statement.declarations if d.kind == "index" and d.name not in scalars]
    for places in itertools.product((2, 1, 3), repeat=min(len(free), 4)):
        tried = replace(first, scalars={**scalars, **{n: Fraction(p) for n, p in zip(free, places, strict=False)}})
        if not tried.broken:
            return tried
    return _found(first) or first


def _found(first: Instance) -> Instance | None:
    """An instance from a model of the hypotheses that the search for counter-examples finds."""
    statement = first.statement
    model = satisfiable(statement.declarations, statement.hypotheses)
    if model is None:
        return None
    scalars = dict(first.scalars)
    entries = {k: dict(v) for k, v in first.entries.items()}
    for d in statement.declarations:
        given = model.values.get(d.variable)
        if isinstance(given, Tensor):
            cells = {p: x if not isinstance(x, Term) else _number(x, model) for p, x in given.table.items()}
            entries[d.name] = {p: Fraction(x) for p, x in cells.items() if x is not None}
        elif isinstance(given, int | Fraction):
            scalars[d.name] = Fraction(given)
        elif given is not None:
            x = _number(given, model)
            if x is not None:
                scalars[d.name] = x
    tried = Instance(statement, scalars, entries)
    return None if tried.broken else tried


def ties(statement: Statement) -> tuple[Tie, ...]:
    """What the equations between numbers among the hypotheses give: ``h*d_k = d`` gives `d`, then others."""
    found: list[Tie] = []
    used: set[Term] = set()
    scalars = {d.variable for d in statement.declarations if not d.variable.rank and d.kind != "index"}
    for h in statement.hypotheses:
        if h.op == "eq" and not h.args[0].rank and free_variables(h) <= scalars:
            tie = next(_solutions(h, used | {t.variable for t in found}), None)
            if tie is not None:
                found.append(tie)
                used |= free_variables(tie.term)
    return tuple(found)


def _solutions(h: Term, taken: set[Term]) -> Iterator[Tie]:
    for a, b in (h.args, h.args[::-1]):
        if a.op == "var" and a not in taken and a not in free_variables(b):
            yield Tie(a, b)
    for a, b in (h.args, h.args[::-1]):
        if a.op != "mul":
            continue
        for k in reversed(range(len(a.args))):
            x, rest = a.args[k], a.args[:k] + a.args[k + 1 :]
            if x.op == "var" and x not in taken and not any(x in free_variables(t) for t in (*rest, b)):
                yield Tie(x, div(b, mul(*rest) if len(rest) > 1 else rest[0]))


def _copies(h: Term, model: Model) -> Iterator[tuple[tuple[Term, Index], tuple[Term, Index]]]:
    if h.op == "forall":
        lo, hi = (_number(t, model) for t in h.args[:2])
        if lo is None or hi is None or hi - lo > MAX_CELLS:
            return
        for k in range(int(lo), int(hi) + 1):
            yield from _copies(instantiate(h.args[2], (num(k),)), model)
    elif h.op == "eq" and all(x.op == "entry" and x.args[0].op == "var" for x in h.args):
        cells = []
        for x in h.args:
            place = [_number(i, model) for i in x.args[1:]]
            if any(i is None for i in place):
                return
            cells.append((x.args[0], tuple(int(i or 0) for i in place)))
        yield cells[0], cells[1]


def _default(d: Declaration) -> Fraction:
    if d.kind == "size":
        return Fraction(_POSITIONS if d.name == "T" else _SIZE)
    return Fraction(1)


def _model(numbers: Mapping[Term, Fraction]) -> Model:
    return Model({v: x.numerator if x.denominator == 1 else x for v, x in numbers.items()})


def _number(term: Term, model: Model) -> Fraction | None:
    """The value where it is a rational number that can be had."""
    try:
        found = value(term, model, limits=_LIMITS)
    except (Undefined, NotCertain, TooLarge, Unassigned):
        return None
    return found if isinstance(found, Fraction) else None


def _shown(term: Term, model: Model) -> Shown:
    try:
        found = value(term, model, precision=64, limits=_LIMITS)
    except Undefined as fault:
        return Shown("none", fault.code)
    except (NotCertain, TooLarge, Unassigned, RecursionError):
        return Shown("none", "too-large")
    if isinstance(found, Fraction) and max(len(str(abs(found.numerator))), len(str(found.denominator))) <= 14:
        return Shown("exact", str(found))
    text = _decimal(found)
    return Shown("none", "too-large") if text is None else Shown("rounded", text)


def _decimal(found: Fraction | Interval) -> str | None:
    for digits in (DIGITS, DIGITS - 2, DIGITS - 5):
        try:
            text = rounded(found, digits, significant=True) or rounded(found, digits)
        except TooLarge:
            return None
        if text is not None:
            return text
    return None


def _rows(table: Mapping[Index, Fraction], shape: Index) -> str:
    """The entries as nested rows: ``[[1, 2], [3, 4]]``."""

    def at(place: Index) -> str:
        if len(place) == len(shape):
            return str(table[place])
        return f"[{', '.join(at((*place, k)) for k in range(1, shape[len(place)] + 1))}]"

    return at(())


# --- reading what is typed ---------------------------------------------------------------------------------


Given = Fraction | tuple["Given", ...]

_NAME = re.compile(r"\s*([A-Za-z][A-Za-z0-9_']*)\s*(?:\[([\d\s,]+)\])?\s*=\s*")
_NUMBER = re.compile(r"\s*([-+−]?\d+(?:\.\d+)?(?:\s*/\s*\d+)?)\s*")
_SEPARATOR = re.compile(r"\s*(?:[,;，；、]\s*|$)")


def _settings(text: str) -> Iterator[tuple[str, Index, Given]]:
    at = 0
    while at < len(text.rstrip()):
        m = _NAME.match(text, at)
        if m is None:
            raise SettingError("unreadable", text=text[at:].strip()[:30])
        place = tuple(int(k) for k in m[2].split(",") if k.strip() and len(k) < 9) if m[2] else ()
        given, at = _given(text, m.end(), 0)
        end = _SEPARATOR.match(text, at)
        if end is None:
            raise SettingError("unreadable", text=text[at:].strip()[:30])
        at = end.end()
        yield m[1], place, given


def _given(text: str, at: int, depth: int) -> tuple[Given, int]:
    m = _NUMBER.match(text, at)
    if m is not None:
        return _rational(m[1]), m.end()
    while at < len(text) and text[at].isspace():
        at += 1
    if depth > 7 or at >= len(text) or text[at] not in "[(":
        raise SettingError("unreadable", text=text[at:].strip()[:30])
    close = "]" if text[at] == "[" else ")"
    found: list[Given] = []
    at += 1
    while True:
        item, at = _given(text, at, depth + 1)
        found.append(item)
        while at < len(text) and text[at].isspace():
            at += 1
        if at < len(text) and text[at] in ",，":
            at += 1
        elif at < len(text) and text[at] == close:
            return tuple(found), at + 1
        else:
            raise SettingError("unreadable", text=text[at:].strip()[:30])


def _rational(text: str) -> Fraction:
    text = "".join(text.split()).replace("−", "-")
    if sum(c.isdigit() for c in text) > MAX_DIGITS:
        raise SettingError("too-long", limit=MAX_DIGITS)
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise SettingError("unreadable", text=text[:30]) from None


def _fitting(d: Declaration, x: Fraction) -> Fraction:
    if d.variable.sort == "integer" and x.denominator != 1:
        raise SettingError("not-whole", name=d.name)
    if d.kind in ("size", "index") and x < 1:
        raise SettingError("too-small", name=d.name)
    if d.kind == "positive" and x <= 0:
        raise SettingError("not-positive", name=d.name)
    if d.variable.sort == "integer" and abs(x) > MAX_WHOLE:
        raise SettingError("too-big", name=d.name, limit=MAX_WHOLE)
    return x


def _set_entries(of: Instance, d: Declaration, place: Index, given: Given, own: dict[Index, Fraction]) -> None:
    if place:
        if len(place) != d.variable.rank or not isinstance(given, Fraction):
            raise SettingError("axes", name=d.name, axes=d.variable.rank)
        own[place] = _fitting(d, given)
        return
    if isinstance(given, Fraction):
        raise SettingError("axes", name=d.name, axes=d.variable.rank)
    cells = dict(_cells(given))
    if any(len(p) != d.variable.rank for p in cells):
        raise SettingError("axes", name=d.name, axes=d.variable.rank)
    own.update({p: _fitting(d, x) for p, x in cells.items()})


def _cells(given: Value | Given) -> Iterator[tuple[Index, Fraction]]:
    if isinstance(given, tuple):
        for k, part in enumerate(given, 1):
            for place, x in _cells(part):
                yield (k, *place), x
    else:
        yield (), Fraction(given)
