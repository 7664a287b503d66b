"""Tables as TOML, JSON and CSV, whatever they hold: numbers keep the digits that they have."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from decimal import Decimal


def as_toml(table: Mapping[str, object]) -> str:
    """Tables and lists of tables at the top under headings of their own, everything else in one line."""
    plain, headed = [], []
    for name, value in table.items():
        parts = value if isinstance(value, list) and value and all(isinstance(v, dict) for v in value) else [value]
        if not isinstance(parts[0], dict):
            plain.append(f"{_key(name)} = {_value(value)}\n")
            continue
        mark = ("[[", "]]") if isinstance(value, list) else ("[", "]")
        for part in parts:
            lines = [f"{_key(k)} = {_value(v)}\n" for k, v in part.items()]
            headed.append(f"{mark[0]}{_key(name)}{mark[1]}\n{''.join(lines)}\n")
    return "".join((*plain, *headed))


def _key(name: object) -> str:
    text = str(name)
    bare = text.isascii() and bool(text) and all(c.isalnum() or c in "-_" for c in text)
    return text if bare else json.dumps(text, ensure_ascii=False)


def _value(value: object) -> str:
    if isinstance(value, str) and "\n" in value and "'''" not in value:
        return f"'''\n{value}'''"
    return _written(value, "inf", "nan", " = ", _key)


def as_json(value: object) -> str:
    return _written(value, "Infinity", "NaN", ": ", json.dumps)


def _written(value: object, infinity: str, nan: str, equals: str, name: object) -> str:
    def inner(v: object) -> str:
        return _written(v, infinity, nan, equals, name)

    if isinstance(value, Mapping):
        made = ", ".join(f"{name(k)}{equals}{inner(v)}" for k, v in value.items())  # type: ignore[operator]
        return "{" + made + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inner, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal) and not value.is_finite():
        return nan if value.is_nan() else ("-" if value < 0 else "") + infinity
    if isinstance(value, int):
        return hex(value) if abs(value) >= 10**4_000 else str(value)  # hexadecimal digits have no limit in TOML
    if isinstance(value, (Decimal, float)):
        return str(value)
    return json.dumps(str(value), ensure_ascii=False)


def as_csv(table: Mapping[str, object]) -> str:
    """The answers of a key with the columns that any of them has."""
    answers = table.get("answer")
    rows = [a for a in answers if isinstance(a, dict)] if isinstance(answers, list) else []
    names = list(dict.fromkeys(str(k) for row in rows for k in row)) or ["id", "problem", "given", "answer"]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row.get(n, "")) for n in names])
    return out.getvalue()


def _cell(value: object) -> str:
    return value if isinstance(value, str) else as_json(value)
