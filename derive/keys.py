"""Reading an answer key: TOML, JSON or CSV, under limits that are looked at before anything is parsed."""

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
from itertools import islice
from decimal import Decimal
from pathlib import Path

from derive.answers.checking import Entry
from derive.answers.values import Param, Said

MAX_BYTES = 20_000_000
MAX_ANSWERS = 50_000
MAX_LONG_DIGITS = 200_000
"""Digits of all bare integers together that are too long for Python to read by default."""

MAX_THINGS = 200_000
THINGS_AN_ANSWER = 60
"""Commas, equals signs and opening brackets that a key may hold besides, and for each of its entries on average."""

MAX_DEPTH = 32
"""How deep lists and tables of one entry may be nested."""

FIELDS = ("id", "problem", "given", "answer", "exercise")
NOTES = ("points", "title", "note", "comment", "name")
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
_DOTTED = re.compile(rb"(?:^|[{,])\[{0,2}(?:(?:[\w-]{1,200}|\"[^\"\n]{0,200}\"|'[^'\n]{0,200}')\.){33}", re.MULTILINE)
"""A key of TOML with very many parts: those take a parser more than their number of steps."""

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
    if kind == ".toml" and _DOTTED.search(raw.translate(None, b" \t")):
        raise KeyRefused("nested", file=path.name)
    title, answers = _PARSERS[kind](path.name, text)
    if len(answers) > limits.answers:
        raise KeyRefused("too-many", file=path.name, limit=limits.answers)
    resolve = _Exercises()
    return Key(path.name, title, tuple(_entry(a, n, resolve) for n, a in enumerate(answers, 1)))


def _bytes(path: Path, limits: KeyLimits) -> bytes:
    try:
        if path.is_file() and path.stat().st_size > limits.size:
            raise KeyRefused("too-large", file=path.name, limit=limits.size)
        with path.open("rb") as stream:
            raw = stream.read(limits.size + 1)
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


def _toml(name: str, text: str) -> tuple[str, list[object]]:
    try:
        with _long_integers():
            table: object = tomllib.loads(text, parse_float=_decimal)
    except (ValueError, ArithmeticError) as fault:
        raise KeyRefused("syntax", file=name, format="TOML", why=_short(fault)) from None
    except RecursionError:
        raise KeyRefused("nested", file=name) from None
    return _from_table(name, table)


def _json(name: str, text: str) -> tuple[str, list[object]]:
    try:
        with _long_integers():
            table: object = json.loads(_paired(text), parse_float=_decimal, parse_constant=_decimal)
    except (ValueError, ArithmeticError) as fault:
        raise KeyRefused("syntax", file=name, format="JSON", why=_short(fault)) from None
    except RecursionError:
        raise KeyRefused("nested", file=name) from None
    return _from_table(name, table)


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


def _from_table(name: str, table: object) -> tuple[str, list[object]]:
    if not isinstance(table, dict):
        raise KeyRefused("no-answers", file=name)
    answers = table.get("answer", table.get("answers"))
    head = table.get("key", {})
    if not isinstance(answers, list) or not all(isinstance(a, dict) for a in answers):
        raise KeyRefused("no-answers", file=name)
    title = head.get("title", "") if isinstance(head, dict) else ""
    return (title if isinstance(title, str) else "")[:200], answers


def _csv(name: str, text: str) -> tuple[str, list[object]]:
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
            made.append({"id": row[0] if row else "", "columns": len(row)})
            continue
        cells: dict[str, object] = {
            n: c for n, c in zip(header, row, strict=True) if n in ("id", "answer") or c.strip()
        }
        if "given" in cells:
            cells["given"] = _json_given(str(cells["given"]))
        made.append(cells)
    return "", made


def _json_given(cell: str) -> object:
    """The object in a cell, or None where it is none."""
    if len(cell) > 200_000 or sum(len(m) for m in re.findall(r"[0-9]{4300,}", cell)) > 20_000:
        return None
    try:
        with _long_integers():
            found: object = json.loads(_paired(cell), parse_float=_decimal, parse_constant=_decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return None
    return found


_PARSERS = {".toml": _toml, ".json": _json, ".csv": _csv}


# --- entries ---------------------------------------------------------------------------------------------------


class _Exercises:
    """The exercises of sheets, each manifest read once and only when one of its exercises is named."""

    def __init__(self) -> None:
        self.sheets: dict[str, Mapping[str, Mapping[str, object]]] | None = None

    def find(self, sheet: str, exercise: str) -> Mapping[str, object] | None:
        if self.sheets is None:
            self.sheets = _sheets()
        return self.sheets.get(sheet, {}).get(exercise)


def _sheets() -> dict[str, Mapping[str, Mapping[str, object]]]:
    """Problem and given of every exercise, by sheet and number; a manifest that can't be read has none."""
    from derive.errors import DeriveError
    from derive.resources import manifests
    from derive.sheets.manifest import load as load_manifest

    found: dict[str, Mapping[str, Mapping[str, object]]] = {}
    for path in sorted(Path("build").glob("*.toml")) or manifests():
        try:
            table = load_manifest(path)
        except DeriveError:
            continue
        sheet, exercises = table.get("sheet"), table.get("exercise")
        if isinstance(sheet, Mapping) and isinstance(exercises, list):
            found[str(sheet.get("id"))] = {str(e.get("id")): e for e in exercises if isinstance(e, Mapping)}
    return found


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
    from derive.problems.value import as_text

    fields: dict[str, object] = {str(k): v for k, v in raw.items()} if isinstance(raw, dict) else {}
    name = fields.get("id")
    identity = (
        str(name)[:100] if isinstance(name, (str, int)) and not isinstance(name, bool) and brief(name) != "..." else ""
    )
    identity = identity.strip() or f"#{number}"
    problem, given = fields.get("problem"), fields.get("given", {})
    flat = _is_flat(fields)
    answer = as_text(fields.get("answer")) if flat else None

    def refused(code: str, **params: Param) -> Entry:
        shown = problem if isinstance(problem, str) else ""
        return Entry(identity, shown[:100], {}, answer or "", Said(f"entry.{code}", params))

    if "columns" in fields and "answer" not in fields:
        return refused("columns", found=int(str(fields["columns"])))
    if not flat:
        return refused("nested", limit=MAX_DEPTH)
    unknown = next((k for k in fields if k not in FIELDS and k not in NOTES), None)
    if unknown is not None:
        return refused("unknown-field", found=brief(unknown), known=", ".join(FIELDS))
    if "answer" not in fields:
        return refused("no-answer")
    if answer is None:
        return refused("answer-type", found=brief(fields["answer"]))
    if "exercise" in fields:
        if problem is not None or fields.get("given"):
            return refused("both")
        m = _EXERCISE.fullmatch(str(fields["exercise"]))
        if m is None:
            return refused("exercise-form", found=brief(fields["exercise"]))
        named = exercises.find(m.group(1), m.group(2))
        if named is None:
            return refused("no-exercise", found=m.group())
        problem, given = named.get("problem"), named.get("given", {})
    if not isinstance(problem, str) or not problem:
        return refused("no-problem")
    if not isinstance(given, dict):
        return refused("given-type")
    return Entry(identity, problem, given, answer)
