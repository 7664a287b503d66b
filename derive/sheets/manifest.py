"""Reading a manifest: strictly, safely, and with one clear error for whatever is not as it should be.

Nothing is guessed: an unknown key, an unknown problem kind, a value of another type, a missing language or
anything over the limits below is refused, with the file and the place. Numbers are the decimals as typed.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from derive.errors import DeriveError
from derive.files import read as read_bytes
from derive.sheets.blocks import Localised
from derive.sheets.problems import Constrained, Field, Given, Kinds
from derive.sheets.ranges import Choose, NothingFits, Ranges, Wish, is_fixed, pick

MAX_BYTES = 1_000_000
MAX_EXERCISES = 500
MAX_CHOICES = 1_000
MAX_OFFERED = 10_000
MAX_TEXT = 2_000
MAX_DIGITS = 400
MAX_SEED = 2**63 - 1

Toml: TypeAlias = "Mapping[str, Toml] | list[Toml] | str | int | float | bool | Decimal | object"

_SHEET_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_EXERCISE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ACTIVITY = ("id", "title", "minutes", "goal", "prerequisites", "standard", "mode", "declaration")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DOTTED = re.compile(
    rb"(?:^|[{,]|\xef\xbb\xbf)\[{0,2}(?:(?:[\w-]++|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+')\.){33}", re.MULTILINE
)


@dataclass(frozen=True)
class Asked:
    """One exercise as a manifest asks for it: a problem kind and what is given, types checked, defaults filled in.

    `given` is drawn from the `ranges` with the manifest's own seed.
    """

    id: str
    problem: str
    given: Mapping[str, Given]
    ranges: Ranges
    points: int | None
    title: Localised | None
    space: int | None


@dataclass(frozen=True)
class ActivityFacts:
    """What a manifest says of an activity; exercises belong to it by their number up to the first dot."""

    id: str
    title: Localised | None
    minutes: int | None
    goal: Localised | None
    prerequisites: Localised | None
    standard: Localised | None
    mode: str | None
    declaration: bool


@dataclass(frozen=True)
class Source:
    """A source that the sheet cites, with its licence, its version and the day on which it was verified."""

    title: Localised
    version: str
    licence: str
    verified: str


@dataclass(frozen=True)
class Manifest:
    """A sheet as asked for."""

    path: Path
    id: str
    title: Localised
    seed: int
    activities: tuple[ActivityFacts, ...]
    exercises: tuple[Asked, ...]
    sources: tuple[Source, ...]


MODES = ("alone", "assistant")


class _Table:
    """One table of a manifest, read key by key. A key that is none of `known` is refused before any is read."""

    def __init__(self, file: str, where: str, value: Toml, known: Collection[str]) -> None:
        if not isinstance(value, Mapping):
            raise DeriveError("manifest-type", file=file, where=where, expected="table", found=_name_of(value))
        self.file, self.where, self.left = file, where, dict(value)
        self.offered = 0
        for key in self.left:
            if key not in known:
                close = get_close_matches(key, known, 1)
                if close:
                    raise self.fail("manifest-unknown-key-close", _brief(key), close=close[0])
                raise self.fail("manifest-unknown-key", _brief(key), known=", ".join(known) or "–")

    def fail(self, code: str, key: str, **params: str | int) -> DeriveError:
        return DeriveError(code, file=self.file, where=f"{self.where}.{key}" if self.where else key, **params)

    def take(self, key: str, required: bool) -> Toml | None:
        value: Toml | None = self.left.pop(key, None)  # a null of JSON is no value
        if value is None and required:
            raise self.fail("manifest-missing", key)
        return value

    def text(self, key: str, required: bool = True) -> str | None:
        value = self.take(key, required)
        return None if value is None else self.checked(key, value)

    def checked(self, key: str, value: Toml) -> str:
        if not isinstance(value, str):
            raise self.fail("manifest-type", key, expected="text", found=_name_of(value))
        if len(value) > MAX_TEXT:
            raise self.fail("manifest-too-long", key, limit=MAX_TEXT, found=len(value))
        if not value.strip():
            raise self.fail("manifest-empty", key)
        for c in value:
            if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
                raise self.fail("manifest-character", key, character=f"U+{ord(c):04X}")
        return value

    def localised(self, key: str, required: bool = True) -> Localised | None:
        value = self.take(key, required)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self.fail("manifest-languages", key)
        table = _Table(self.file, f"{self.where}.{key}" if self.where else key, value, ("zh", "en"))
        return Localised(zh=table.text("zh") or "", en=table.text("en") or "")

    def whole(self, key: str, low: int, high: int) -> int | None:
        value = self.take(key, False)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.fail("manifest-type", key, expected="integer", found=_name_of(value))
        if not low <= value <= high:
            raise self.fail("manifest-range", key, low=low, high=high, found=_brief(value))
        return value

    def flag(self, key: str) -> bool:
        value = self.take(key, False)
        if value is not None and not isinstance(value, bool):
            raise self.fail("manifest-type", key, expected="bool", found=_name_of(value))
        return bool(value)

    def tables(self, key: str, required: bool = False) -> list[Toml]:
        value = self.take(key, required)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.fail("manifest-type", key, expected="tables", found=_name_of(value))
        if len(value) > MAX_EXERCISES:
            raise self.fail("manifest-too-many", key, limit=MAX_EXERCISES, found=len(value))
        return value


def _brief(value: object) -> str:
    text = str(value) if not isinstance(value, int) or abs(value) < 10**60 else "an integer of more than 60 digits"
    return text if len(text) <= 60 else text[:57] + "..."


def _name_of(value: object) -> str:
    """The TOML name of a value's type."""
    for kind, name in (
        (bool, "bool"),
        (int, "integer"),
        (Decimal, "number"),
        (str, "text"),
        (list, "list"),
        (Mapping, "table"),
    ):
        if isinstance(value, kind):
            return name
    return "date"


def is_dotted(raw: bytes) -> bool:
    """Whether a key of this TOML has very many parts: those take a parser the square of their number.

    >>> is_dotted(b"a.b = 1"), is_dotted(b"a." * 40 + b"a = 1")
    (False, True)
    """
    return _DOTTED.search(raw.translate(None, b" \t")) is not None


def load(path: Path) -> Mapping[str, object]:
    """The TOML of a file, with the decimals as typed."""
    file = path.name
    try:
        raw = read_bytes(path, MAX_BYTES)
    except OSError as error:
        raise DeriveError("manifest-unreadable", file=str(path), why=error.strerror or "") from None
    if len(raw) > MAX_BYTES:
        raise DeriveError("manifest-too-large", file=file, limit=MAX_BYTES)
    if is_dotted(raw):
        raise DeriveError("manifest-syntax", file=file, why="nested too deeply")
    try:
        return tomllib.loads(raw.decode("utf-8-sig"), parse_float=Decimal)
    except UnicodeDecodeError as error:
        raise DeriveError("manifest-encoding", file=file, byte=error.start + 1) from None
    except (tomllib.TOMLDecodeError, ValueError, ArithmeticError) as error:
        raise DeriveError("manifest-syntax", file=file, why=_brief(str(error).replace("\n", " "))) from None
    except RecursionError:
        raise DeriveError("manifest-syntax", file=file, why="nested too deeply") from None


def read(path: Path, kinds: Kinds) -> Manifest:
    """Read and check the manifest at `path`; `kinds` are the problem kinds that there are.

    Raises
    ------
    DeriveError
        For anything that is not as the contract says; nothing is skipped or repaired.
    """
    file = path.name
    top = _Table(file, "", load(path), ("sheet", "activity", "exercise", "source"))
    sheet = _Table(file, "sheet", top.take("sheet", True), ("id", "title", "seed"))
    identity = sheet.text("id") or ""
    if not _SHEET_ID.fullmatch(identity):
        raise sheet.fail("manifest-sheet-id", "id", found=_brief(identity))
    title = sheet.localised("title")
    if title is None:
        raise sheet.fail("manifest-missing", "title")
    seed = sheet.whole("seed", 0, MAX_SEED)
    activities = tuple(_activity(file, i, v) for i, v in enumerate(top.tables("activity"), 1))
    exercises = tuple(
        _exercise(file, i, v, kinds, seed or 0) for i, v in enumerate(top.tables("exercise", required=True), 1)
    )
    sources = tuple(_source(file, i, v) for i, v in enumerate(top.tables("source"), 1))
    if not exercises:
        raise top.fail("manifest-no-exercises", "exercise")
    for what, names in (("exercise", [e.id for e in exercises]), ("activity", [a.id for a in activities])):
        twice = next((n for i, n in enumerate(names) if n in names[:i]), None)
        if twice is not None:
            raise DeriveError("manifest-twice", file=file, where=what, found=twice)
    lost = [a.id for a in activities if not any(activity_of(e.id) == a.id for e in exercises)]
    if lost:
        raise DeriveError("manifest-activity-empty", file=file, where=f"activity {lost[0]}", found=lost[0])
    return Manifest(path, identity, title, 0 if seed is None else seed, activities, exercises, sources)


def activity_of(exercise: str) -> str:
    """The activity that an exercise belongs to: its number up to the first dot.

    >>> activity_of("45-04.1a")
    '45-04'
    """
    return exercise.split(".", 1)[0]


def _number(table: _Table, pattern: re.Pattern[str]) -> str:
    identity = table.text("id") or ""
    if not pattern.fullmatch(identity):
        raise table.fail("manifest-id", "id", found=_brief(identity))
    return identity


def _activity(file: str, number: int, value: Toml) -> ActivityFacts:
    table = _Table(file, f"activity {number}", value, _ACTIVITY)
    mode = None
    found = ActivityFacts(
        id=_number(table, _EXERCISE_ID),
        title=table.localised("title", required=False),
        minutes=table.whole("minutes", 1, 1_440),
        goal=table.localised("goal", required=False),
        prerequisites=table.localised("prerequisites", required=False),
        standard=table.localised("standard", required=False),
        mode=(mode := table.text("mode", required=False)),
        declaration=table.flag("declaration"),
    )
    if mode is not None and mode not in MODES:
        raise table.fail("manifest-choice", "mode", options=", ".join(MODES), found=_brief(mode))
    return found


def _source(file: str, number: int, value: Toml) -> Source:
    table = _Table(file, f"source {number}", value, ("title", "version", "licence", "verified"))
    title = table.localised("title")
    version, licence, verified = table.text("version"), table.text("licence"), table.text("verified")
    if title is None or version is None or licence is None or verified is None:
        raise table.fail("manifest-missing", "title")
    if not _DATE.fullmatch(verified):
        raise table.fail("manifest-date", "verified", found=_brief(verified))
    return Source(title, version, licence, verified)


def _exercise(file: str, number: int, value: Toml, kinds: Kinds, seed: int) -> Asked:
    named = value.get("id") if isinstance(value, Mapping) else None
    shown = named if isinstance(named, str) and _EXERCISE_ID.fullmatch(named) else number
    table = _Table(file, f"exercise {shown}", value, ("id", "problem", "given", "points", "title", "space"))
    identity = _number(table, _EXERCISE_ID)
    table.where = f"exercise {identity}"
    problem = table.text("problem") or ""
    kind = kinds.get(problem)
    if kind is None:
        close = get_close_matches(problem, list(kinds), 1)
        if close:
            raise table.fail("manifest-unknown-problem-close", "problem", found=_brief(problem), close=close[0])
        raise table.fail("manifest-unknown-problem", "problem", found=_brief(problem))
    raw = table.take("given", False)
    where = f"exercise {identity}.given"
    wishes = _wishes(file, where, {} if raw is None else raw, kind.fields)
    ranges = Ranges(wishes, kind.fits if isinstance(kind, Constrained) else lambda _: True, identity)
    asked = Asked(
        id=identity,
        problem=problem,
        given=drawn(file, where, ranges, seed),
        ranges=ranges,
        points=table.whole("points", 0, 1_000),
        title=table.localised("title", required=False),
        space=table.whole("space", 0, 60),
    )
    return asked


def drawn(file: str, where: str, ranges: Ranges, seed: int) -> Mapping[str, Given]:
    """What is given for a seed."""
    try:
        return ranges.draw(seed)
    except NothingFits:
        raise DeriveError("nothing-fits", file=file, where=where) from None


def given(file: str, where: str, value: Toml, fields: Mapping[str, Field]) -> dict[str, Given]:
    """Check what is given against the fields of a problem kind, and fill in the defaults; nothing is left to choose."""
    found: dict[str, Given] = {}
    for name, wish in _wishes(file, where, value, fields).items():
        if not is_fixed(wish):
            raise DeriveError("manifest-no-choice", file=file, where=f"{where}.{name}")
        found[name] = pick(wish, 0)
    return found


def _wishes(file: str, where: str, value: Toml, fields: Mapping[str, Field]) -> dict[str, Wish]:
    table = _Table(file, where, value, tuple(fields))
    found: dict[str, Wish] = {}
    for name, field in fields.items():
        raw = table.take(name, field.required and field.default is None)
        if raw is not None:
            found[name] = _wish(table, name, raw, field)
        elif field.default is not None:
            found[name] = field.default
    return found


def _wish(table: _Table, key: str, raw: Toml, field: Field) -> Wish:
    """One value, or what to choose it from."""
    if isinstance(raw, Mapping):
        offered = _offered(table, key, raw, field)
        table.offered += len(offered)  # choices may stand in one another
        if table.offered > MAX_OFFERED:
            raise table.fail("manifest-too-many", key, limit=MAX_OFFERED, found=table.offered)
        return Choose(tuple(_wish(table, key, x, field) for x in offered))
    if isinstance(raw, list) and field.type in ("numbers", "matrix"):
        return _listed(table, key, raw, field)
    return _value(table, key, raw, field)


def _offered(table: _Table, key: str, raw: Toml, field: Field) -> list[Toml]:
    """The values of ``{ choose = [...] }``, or of ``{ from = 2, to = 8, step = 2 }`` for integers."""
    place = f"{table.where}.{key}"
    stepped = field.type in ("integer", "number", "numbers", "matrix") and isinstance(raw, Mapping) and "from" in raw
    inner = _Table(table.file, place, raw, ("from", "to", "step") if stepped else ("choose",))
    if stepped:
        bound = 10**15
        low, high = inner.whole("from", -bound, bound), inner.whole("to", -bound, bound)
        step = inner.whole("step", 1, bound) or 1
        if low is None or high is None:
            raise inner.fail("manifest-missing", "to")
        if not low <= high:
            raise inner.fail("manifest-low", "to", low=low, found=high)
        if (high - low) // step >= MAX_CHOICES:
            raise inner.fail("manifest-too-many", "to", limit=MAX_CHOICES, found=(high - low) // step + 1)
        return list(range(low, high + 1, step))
    offered = inner.take("choose", True)
    if not isinstance(offered, list):
        raise inner.fail("manifest-type", "choose", expected="list", found=_name_of(offered))
    if not offered:
        raise inner.fail("manifest-nothing-offered", "choose")
    if len(offered) > MAX_CHOICES:
        raise inner.fail("manifest-too-many", "choose", limit=MAX_CHOICES, found=len(offered))
    return offered


def _listed(table: _Table, key: str, raw: list[Toml], field: Field) -> Wish:
    """A list or a matrix, each entry a number or what to choose it from."""
    if not any(isinstance(x, Mapping) or (isinstance(x, list) and any(isinstance(y, Mapping) for y in x)) for x in raw):
        return _value(table, key, raw, field)
    one = replace(field, type="number")
    shape: list[Toml] = [[0 if isinstance(y, Mapping) else y for y in x] if isinstance(x, list) else x for x in raw]
    if field.type == "numbers":
        _value(table, key, [field.low or 0 if isinstance(x, Mapping) else x for x in raw], field)
        return tuple(_wish(table, key, x, one) for x in raw)
    _value(table, key, shape, replace(field, low=None, high=None))
    return tuple(tuple(_wish(table, key, y, one) for y in x) for x in raw if isinstance(x, list))


def _value(table: _Table, key: str, raw: Toml, field: Field) -> Given:
    if field.type == "bool":
        if not isinstance(raw, bool):
            raise table.fail("manifest-type", key, expected="bool", found=_name_of(raw))
        return raw
    if field.type == "choice":
        text = table.checked(key, raw)
        if text not in field.options:
            close = get_close_matches(text, field.options, 1)
            if close:
                raise table.fail("manifest-choice-close", key, found=_brief(text), close=close[0])
            raise table.fail("manifest-choice", key, options=", ".join(field.options), found=_brief(text))
        return text
    if field.type == "integer":
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise table.fail("manifest-type", key, expected="integer", found=_name_of(raw))
        return _in_range(table, key, raw, field)
    if field.type == "number":
        return _decimal(table, key, raw, field)
    if not isinstance(raw, list):
        raise table.fail("manifest-type", key, expected=field.type, found=_name_of(raw))
    most = field.longest if field.rows is None else field.rows
    if not raw or len(raw) > most:
        raise table.fail("manifest-length", key, limit=most, found=len(raw))
    if field.type == "numbers":
        return tuple(_decimal(table, key, x, field) for x in raw)
    rows: list[Given] = []
    width = len(raw[0]) if isinstance(raw[0], list) else 0
    for row in raw:
        if not isinstance(row, list):
            raise table.fail("manifest-type", key, expected="matrix", found=_name_of(row))
        if not row or len(row) > field.longest or len(row) != width:
            raise table.fail("manifest-ragged", key)
        rows.append(tuple(_decimal(table, key, x, field) for x in row))
    return tuple(rows)


def _decimal(table: _Table, key: str, raw: Toml, field: Field) -> Decimal:
    if field.infinite and (raw == "-inf" or raw == Decimal("-Infinity")):
        return Decimal("-Infinity")
    if isinstance(raw, bool) or not isinstance(raw, int | Decimal):
        raise table.fail("manifest-type", key, expected="number", found=_name_of(raw))
    if isinstance(raw, Decimal):
        if not raw.is_finite():
            raise table.fail("manifest-finite", key)
        _, digits, exponent = raw.as_tuple()
        if len(digits) > MAX_DIGITS or (isinstance(exponent, int) and abs(exponent) > MAX_DIGITS):
            raise table.fail("manifest-digits", key, limit=MAX_DIGITS)
        _in_range(table, key, raw, field)
        return raw
    return Decimal(_in_range(table, key, raw, field))


def _in_range(table: _Table, key: str, raw: int | Decimal, field: Field) -> int:
    """`raw` itself, where it is within the field's range and the limit on digits."""
    if isinstance(raw, int) and abs(raw) >= 10**MAX_DIGITS:
        raise table.fail("manifest-digits", key, limit=MAX_DIGITS)
    low, high = field.low, field.high
    if (low is not None and raw < low) or (high is not None and raw > high):
        if low is not None and high is not None:
            raise table.fail("manifest-range", key, low=low, high=high, found=_brief(raw))
        if low is not None:
            raise table.fail("manifest-low", key, low=low, found=_brief(raw))
        raise table.fail("manifest-high", key, high=high or 0, found=_brief(raw))
    return raw if isinstance(raw, int) else 0
