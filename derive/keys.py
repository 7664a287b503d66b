"""Reading an answer key: TOML, JSON or CSV, under limits that are looked at before anything is parsed.

An entry names a problem kind with what is given, or an exercise of a sheet. The sheet is looked for in the manifest
that the key names, else in ``./build``, beside the key, and among those that come with the package.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from derive.answers.checking import Entry
from derive.answers.values import Param, Said, in_words
from derive.distinct import Twice, distinct
from derive.errors import DeriveError
from derive.files import read
from derive.problems.asked import OPTIONS
from derive.visible import hidden

if TYPE_CHECKING:
    from derive.sheets.manifest import Manifest

MAX_BYTES = 20_000_000
MAX_ANSWERS = 50_000
MAX_LONG_DIGITS = 200_000
"""Digits of all bare integers together that are too long for Python to read by default."""

MAX_THINGS = 200_000
THINGS_AN_ANSWER = 60
"""Commas, equals signs and opening brackets that a key may hold besides, and for each of its entries on average."""

MAX_DEPTH = 32
"""How deep lists and tables of one entry may be nested."""

MAX_MANIFESTS = 64
"""How many manifests in one folder are looked into."""

FIELDS = ("id", "problem", "given", "answer", "exercise", "part", *OPTIONS)
HEAD = ("title", "sheet", "seed")
NOTES = ("title", "note", "comment", "name")
"""What an entry may hold besides, for people."""

_LONG = re.compile(rb"(?<![\w.\"'])[0-9_]{4300,}")
_ENTRY_MARKS: Mapping[str, tuple[re.Pattern[bytes], ...]] = {
    ".toml": (
        re.compile(rb"^[ \t]*\[\[", re.MULTILINE), re.compile(rb"\bid\"?[ \t]*="), re.compile(rb"\banswer\"?[ \t]*="),
        re.compile(rb"\{\s*\}"),
    ),
    ".json": (re.compile(rb"\"id\"\s*:"), re.compile(rb"\"answer\"\s*:"), re.compile(rb"\{\s*\}")),
    ".csv": (re.compile(rb"\n"),),
}  # fmt: skip
"""What an entry has at least one of, by the ending of the file: counted before anything is parsed."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_EXERCISE = re.compile(r"([A-Za-z0-9_-]{1,64}):([A-Za-z0-9._-]{1,64})")


class KeyRefused(Exception):
    """A key that can't be opened, decoded or understood at all: code and parameters of a sentence ``key.<code>``."""

    def __init__(self, code: str, **params: Param) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


@dataclass(frozen=True)
class KeyLimits:
    """How large a key may be."""

    size: int = MAX_BYTES
    answers: int = MAX_ANSWERS


@dataclass(frozen=True)
class Key:
    """A key as read: its name, its title, and its entries in order."""

    name: str
    title: str
    entries: tuple[Entry, ...]


def load(path: Path, limits: KeyLimits | None = None) -> Key:
    """Read the key at `path`; its ending says how it is written.

    Raises
    ------
    KeyRefused
        For a file that can't be opened, is too large, is no UTF-8 text or no key at all. What is wrong with one
        entry is kept with that entry.
    """
    from derive.sheets.manifest import is_dotted

    limits = limits or KeyLimits()
    raw = _bytes(path, limits)
    kind = path.suffix.lower()
    if kind not in _ENTRY_MARKS:
        raise KeyRefused("ending", file=path.name, found=path.suffix or path.name)
    most = 2 * limits.answers + 1_000
    if any(sum(1 for _ in islice(mark.finditer(raw), most + 1)) > most for mark in _ENTRY_MARKS[kind]):
        raise KeyRefused("too-many", file=path.name, limit=limits.answers)
    things, entries = sum(map(raw.count, (b",", b"=", b"[", b"{"))), raw.count(b"\n" if kind == ".csv" else b"answer")
    if things > MAX_THINGS + THINGS_AN_ANSWER * min(entries, most):
        raise KeyRefused("crowded", file=path.name)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise KeyRefused("encoding", file=path.name, at=fault.start + 1) from None
    if "\x00" in text:
        raise KeyRefused("nul", file=path.name, at=text.index("\x00") + 1)
    if sum(len(m.group()) for m in _LONG.finditer(raw)) > MAX_LONG_DIGITS and kind != ".csv":
        raise KeyRefused("digits", file=path.name, limit=MAX_LONG_DIGITS)
    if kind == ".toml" and is_dotted(raw):
        raise KeyRefused("nested", file=path.name)
    head, answers = _PARSERS[kind](path.name, text)
    if len(answers) > limits.answers:
        raise KeyRefused("too-many", file=path.name, limit=limits.answers)
    exercises = _Exercises(path, head.sheet, head.seed)
    made = tuple(_entry(a, n, exercises) for n, a in enumerate(answers, 1))
    first: dict[str, int] = {}
    for n, entry in enumerate(made, 1):
        if first.setdefault(entry.id, n) != n:
            raise KeyRefused("id-twice", file=path.name, id=entry.id, first=first[entry.id], second=n)
    return Key(path.name, head.title, made)


def _bytes(path: Path, limits: KeyLimits) -> bytes:
    try:
        if path.is_file() and path.stat().st_size > limits.size:
            raise KeyRefused("too-large", file=path.name, limit=limits.size)
        raw = read(path, limits.size)
    except OSError as fault:
        raise KeyRefused("unreadable", file=str(path), why=fault.strerror or "") from None
    except ValueError:
        raise KeyRefused("unreadable", file=ascii(str(path))[:80], why="") from None
    if len(raw) > limits.size:
        raise KeyRefused("too-large", file=path.name, limit=limits.size)
    return raw


# --- the three ways in which keys are written ------------------------------------------------------------------


@contextmanager
def _long_integers() -> Iterator[None]:
    """Integers of any length may be read meanwhile; how long they are was looked at before."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


@dataclass(frozen=True)
class _Head:
    """What the table ``[key]`` says: a title, the manifest of the sheet, and the seed of the variant."""

    title: str = ""
    sheet: str | None = None
    seed: int | None = None


def _toml(name: str, text: str) -> tuple[_Head, list[object]]:
    try:
        with _long_integers():
            table: object = tomllib.loads(text, parse_float=_decimal)
    except (ValueError, ArithmeticError) as fault:
        raise KeyRefused("syntax", file=name, format="TOML", why=_short(fault)) from None
    except RecursionError:
        raise KeyRefused("nested", file=name) from None
    return _from_table(name, table)


def _json(name: str, text: str) -> tuple[_Head, list[object]]:
    try:
        with _long_integers():
            table: object = json.loads(
                _paired(text), parse_float=_decimal, parse_constant=_decimal, object_pairs_hook=distinct
            )
    except Twice as twice:
        raise KeyRefused("name-twice", file=name, found=twice.name[:60], line=_line(text, twice.name)) from None
    except (ValueError, ArithmeticError) as fault:
        raise KeyRefused("syntax", file=name, format="JSON", why=_short(fault)) from None
    except RecursionError:
        raise KeyRefused("nested", file=name) from None
    return _from_table(name, table)


def _line(text: str, name: str) -> int:
    """The first line on which an object of `text` has given `name` a second time."""
    opened: list[set[str]] = []
    for m in re.finditer(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]', text):
        if m[0] == "{":
            opened.append(set())
        elif m[0] == "}":
            opened[-1:] = []
        elif m[2] and opened:
            said = str(json.loads(f'"{m[1]}"', strict=False))
            if said == name and said in opened[-1]:
                return text.count("\n", 0, m.start()) + 1
            opened[-1].add(said)
    return 1


def _paired(text: str) -> str:
    """JSON without halves of surrogate pairs: they are no characters, and can't be printed."""
    if not _SURROGATE.search(text):
        return text
    return _ESCAPE.sub(lambda m: "\\ufffd" if m[1] and 0xD800 <= int(m[1], 16) < 0xE000 else m[0], text)


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace("_", ""))


def _short(fault: Exception) -> str:
    text = " ".join(str(fault).split())
    return text if len(text) <= 120 else text[:117] + "..."


def _from_table(name: str, table: object) -> tuple[_Head, list[object]]:
    if not isinstance(table, dict):
        raise KeyRefused("no-answers", file=name)
    answers = table.get("answer", table.get("answers"))
    head = table.get("key", {})
    if not isinstance(answers, list) or not all(isinstance(a, dict) for a in answers):
        raise KeyRefused("no-answers", file=name)
    return _head(name, head if isinstance(head, dict) else {}), answers


def _head(name: str, table: Mapping[str, object]) -> _Head:
    from derive.problems.given import brief
    from derive.sheets.manifest import MAX_SEED

    for key in table:
        close = get_close_matches(str(key)[:100], HEAD, 1, 0.75)
        if close and key not in HEAD:
            raise KeyRefused("head-close", file=name, found=brief(key), close=close[0])
    title, sheet, seed = table.get("title", ""), table.get("sheet"), table.get("seed")
    if sheet is not None and (not isinstance(sheet, str) or not _is_below(sheet)):
        raise KeyRefused("sheet-path", file=name, found=brief(sheet))
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED):
        raise KeyRefused("seed", file=name, found=brief(seed), high=f"{MAX_SEED:,}")
    return _Head((title if isinstance(title, str) else "")[:200], sheet, seed)


def _is_below(text: str) -> bool:
    """Whether a path names a manifest in the folder of the key, or in a folder below it."""
    path = PurePosixPath(text)
    return (
        0 < len(text) <= 400
        and text.isprintable()
        and not path.is_absolute()
        and not {"..", "~"} & set(path.parts)
        and not re.search(r"[\\:]", text)
        and path.suffix.lower() == ".toml"
    )


@dataclass(frozen=True)
class _Ragged:
    """A row of a CSV file that has not as many cells as there are columns."""

    id: str
    cells: int


def _csv(name: str, text: str) -> tuple[_Head, list[object]]:
    csv.field_size_limit(MAX_BYTES)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as fault:
        raise KeyRefused("syntax", file=name, format="CSV", why=_short(fault)) from None
    header = [c.strip() for c in rows[0]] if rows else []
    if (
        len(set(header)) < len(header)
        or "answer" not in header
        or "id" not in header
        or not {"problem", "exercise"} & set(header)
    ):
        raise KeyRefused("columns", file=name)
    made: list[object] = []
    for row in rows[1:]:
        if not any(c.strip() for c in row):
            continue
        if len(row) != len(header):
            made.append(_Ragged(row[0] if row else "", len(row)))
            continue
        cells: dict[str, object] = {
            n: c for n, c in zip(header, row, strict=True) if n in ("id", "answer") or c.strip()
        }
        if "given" in cells:
            cells["given"] = _json_cell(str(cells["given"]))
        if str(cells.get("accept", "")).lstrip().startswith("["):  # a list of values, or a row that is one value
            listed = _json_cell(str(cells["accept"]))
            cells["accept"] = (
                listed if isinstance(listed, list) and any(isinstance(x, str) for x in listed) else [cells["accept"]]
            )
        made.append(cells)
    return _Head(), made


def _json_cell(cell: str) -> object:
    """The JSON in a cell, or None where it is none; `Twice` where an object gives a name twice."""
    if len(cell) > 200_000 or sum(len(m) for m in re.findall(r"[0-9]{4300,}", cell)) > 20_000:
        return None
    try:
        with _long_integers():
            found: object = json.loads(
                _paired(cell), parse_float=_decimal, parse_constant=_decimal, object_pairs_hook=distinct
            )
    except Twice as twice:
        return twice
    except (ValueError, ArithmeticError, RecursionError):
        return None
    return found


_PARSERS = {".toml": _toml, ".json": _json, ".csv": _csv}


# --- entries ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Exercise:
    """An exercise as a sheet asks for it: its problem kind, what is given there, and its seed."""

    problem: str
    given: Mapping[str, object]
    seed: int


class _Exercises:
    """The exercises of sheets, read only when one of them is named.

    Raises
    ------
    KeyRefused
        Where the manifest that the key names is not there, or can't be read.
    """

    def __init__(self, key: Path, sheet: str | None, seed: int | None) -> None:
        self.key, self.seed = key, seed
        self.named = None if sheet is None else self._named(sheet)
        self.sheets: dict[Path, Manifest | DeriveError] = {}
        self.known: dict[tuple[str, str], _Exercise] = {}

    def _named(self, sheet: str) -> Path:
        """The file that the key names; a link that leads out of the key's folder is none."""
        path = self.key.parent / sheet
        try:
            inside = path.resolve().is_relative_to(self.key.parent.resolve())
            found = path.is_file()
        except (OSError, RuntimeError):
            inside, found = True, False
        if not inside:
            raise KeyRefused("sheet-path", file=self.key.name, found=sheet[:60])
        if not found:
            raise KeyRefused("sheet-missing", file=self.key.name, found=sheet[:60])
        return path

    def find(self, sheet: str, exercise: str) -> _Exercise:
        """The exercise of that number. Raises `DeriveError` for what is wrong with its manifest, `KeyError` if none."""
        if (sheet, exercise) not in self.known:
            self.known[sheet, exercise] = self._read(self._sheet(sheet), exercise)
        return self.known[sheet, exercise]

    def numbers(self, sheet: str) -> tuple[str, ...]:
        """The numbers of the exercises of a sheet; none where there is no such sheet."""
        read = (m for m in self.sheets.values() if not isinstance(m, DeriveError) and m.id == sheet)
        return tuple(e.id for m in read for e in m.exercises)

    def _read(self, manifest: Manifest, exercise: str) -> _Exercise:
        from derive.sheets.assemble import seed_of
        from derive.sheets.manifest import drawn

        asked = next((e for e in manifest.exercises if e.id == exercise), None)
        if asked is None:
            raise KeyError(exercise)
        seed = manifest.seed if self.seed is None else self.seed
        given = drawn(manifest.path.name, f"exercise {exercise}.given", asked.ranges, seed)
        return _Exercise(asked.problem, given, seed_of(seed, exercise))

    def _sheet(self, sheet: str) -> Manifest:
        path = self.named or self._places.get(sheet)
        if path is None:
            raise KeyError(sheet)
        if path not in self.sheets:
            from derive.problems import kinds
            from derive.sheets.manifest import read

            try:
                self.sheets[path] = read(path, kinds())
            except DeriveError as error:
                self.sheets[path] = error
        found = self.sheets[path]
        if isinstance(found, DeriveError):
            raise found
        if found.id != sheet:
            raise KeyError(sheet)
        return found

    @cached_property
    def _places(self) -> Mapping[str, Path]:
        """The first manifest of each sheet."""
        found: dict[str, Path] = {}
        for path in self._manifests():
            identity = _sheet_id(path)
            if identity is not None:
                found.setdefault(identity, path)
        return found

    def _manifests(self) -> Iterator[Path]:
        from derive.resources import manifests

        for folder in (Path("build"), self.key.parent):
            yield from islice(sorted(p for p in folder.glob("*.toml") if p.is_file()), MAX_MANIFESTS)
        yield from manifests()


def _sheet_id(path: Path) -> str | None:
    """The id of the sheet of a manifest; None for any other file, and for one that can't be read."""
    from derive.sheets.manifest import load as load_manifest

    try:
        sheet = load_manifest(path).get("sheet")
    except DeriveError:
        return None
    identity = sheet.get("id") if isinstance(sheet, Mapping) else None
    return identity if isinstance(identity, str) else None


def _is_flat(value: object) -> bool:
    """Whether lists and tables in `value` are nested no deeper than `MAX_DEPTH`."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [x for v in level for x in (v.values() if isinstance(v, dict) else v if isinstance(v, list) else ())]
        if not level:
            return True
    return False


def _entry(raw: object, number: int, exercises: _Exercises) -> Entry:
    """One entry; what is wrong with it stays with it."""
    from derive.problems.given import brief

    fields: dict[str, object] = {str(k): v for k, v in raw.items()} if isinstance(raw, dict) else {}
    name = raw.id if isinstance(raw, _Ragged) else fields.get("id")
    identity = (
        str(name)[:100] if isinstance(name, (str, int)) and not isinstance(name, bool) and brief(name) != "..." else ""
    )
    identity = identity.strip() or f"#{number}"
    problem, given = fields.get("problem"), fields.get("given", {})
    twice = given if isinstance(given, Twice) else None
    flat = _is_flat(fields)
    answer = _answer(fields.get("answer")) if flat else None
    options = {name: fields[name] for name in OPTIONS if name in fields}

    def refused(code: str, **params: Param) -> Entry:
        shown = problem if isinstance(problem, str) else ""
        return Entry(identity, shown[:100], {}, answer or "", Said(f"entry.{code}", params))

    character = hidden(identity)
    if character is not None:
        return refused("id-characters", character=character)
    if isinstance(raw, _Ragged):
        return refused("columns", found=raw.cells)
    if not flat:
        return refused("nested", limit=MAX_DEPTH)
    if twice is not None:
        return refused("given-twice", name=brief(twice.name))
    unknown = next((k for k in fields if k not in FIELDS and k not in NOTES), None)
    if unknown is not None:
        close = get_close_matches(unknown, FIELDS, 1)
        if close:
            return refused("unknown-field-close", found=brief(unknown), close=close[0])
        return refused("unknown-field", found=brief(unknown), known=", ".join(FIELDS))
    if "answer" not in fields:
        return refused("no-answer")
    if answer is None:
        return refused("answer-type", found=brief(fields["answer"]))
    part = fields.get("part", "")
    if not isinstance(part, str) or len(part) > 100:
        return refused("part-type", found=brief(part))
    if "exercise" in fields:
        if problem is not None or fields.get("given"):
            return refused("both")
        asked = fields["exercise"]
        m = _EXERCISE.fullmatch(asked) if isinstance(asked, str) else None
        if m is None:
            return refused("exercise-form", found=brief(fields["exercise"]))
        try:
            named = exercises.find(m.group(1), m.group(2))
        except KeyError:
            close = get_close_matches(m.group(2), exercises.numbers(m.group(1)), 1)
            if close:
                return refused("no-exercise-close", found=m.group(), close=f"{m.group(1)}:{close[0]}")
            return refused("no-exercise", found=m.group())
        except DeriveError as error:
            return Entry(identity, "", {}, answer, _as_reason(error))
        return Entry(
            identity, named.problem, named.given, answer, part=part.strip(), seed=named.seed, options=options
        )  # fmt: skip
    if not isinstance(problem, str) or not problem:
        return refused("no-problem")
    if not isinstance(given, dict):
        return refused("given-type")
    return Entry(identity, problem, given, answer, part=part.strip(), options=options)


def _answer(found: object) -> str | None:
    """An answer as text; true and false as they are written."""
    from derive.problems.value import as_text

    return ("true" if found else "false") if isinstance(found, bool) else as_text(found)


def _as_reason(error: DeriveError) -> Said:
    """What is wrong with a manifest, as the reason for which an entry can't be asked."""
    from derive.sheets.prose import catalogue

    return in_words(*(catalogue(lang).plain(f"errors.{error.code}", **error.params) for lang in ("zh", "en")))
