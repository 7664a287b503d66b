"""Changes to an input that know its structure: the tables of a key or manifest, and the tokens and lines of formulas.

Everything follows from the random numbers that are handed in, so that a run can be repeated.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
import tomllib
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import cache

from derive.definitions import signatures
from derive.library import reason_names, theorems
from derive.problems import answer_kinds, kinds
from proofs.syntax import tokens as lexical
from proofs.syntax.derivation import KEYWORDS
from proofs.syntax.words import FOREIGN, RESERVED
from tests.fuzz.writing import as_csv, as_json, as_toml

MAX_LENGTH = 6_000

_TOKEN = re.compile(r"\\[A-Za-z]+|[A-Za-z_]+|\d+(?:\.\d+)?|\s+|<=|>=|!=|--|\.\.|.", re.DOTALL)
_OPENING, _CLOSING = "([{", ")]}"

NUMBERS = (
    "0", "1", "2", "-1", "3", "7", "10", "64", "0.5", "-0", "0.1", "1e5", "1e-400", "1e400", "1e999999999", "10^12",
    "9" * 50, "9" * 401, "9" * 1_000, "65504", "65520", "1_000", "1,024", "4,194,304", "1/3", "½", "٣", "２", "²",
    "0x10", "1..2", "00", "2^31", "2^63", "1/0", "0^0",
)  # fmt: skip

FRAGMENTS = (
    "sum(j = 1..n, {})", "max(j = 1..n, {})", "max({}, 1)", "if(i = 1, {}, 0)", "sqrt({})", "exp({})", "ln({})",
    "1/({})", "({})^2", "({})^(1/2)", "-({})", "binom({}, 2)", "({})!", "|{}|", "\\frac{{1}}{{{}}}", "\\sqrt{{{}}}",
    "\\sum_{{j=1}}^{{n}} {}", "e^{{{}}}", "softmax({})", "[{}]", "[{0}, {0}]", "{{{}}}", "({})[1]", "({})_i", "${}$",
    "let x : real[{}]", "let i : index[{}]", "suppose {} <= 1 for all i : index[n]", "suppose {} != 0", "= {}",
    "<= {}", "{} -- definition", "{0} = {0}", "\\begin{{pmatrix}} {0} & {0} \\\\ {0} & {0} \\end{{pmatrix}}",
)  # fmt: skip

CHARACTERS = (
    "\x00\t\r\n\x0b\x85\xa0\u2028\u200b\u202e\ufeff\ufffd\ud7ff\U0001f600\u0301\u2212\u00d7\u22c5\u221a\u2211\u03b1"
    "ⁿ₁ﬁ中，。：（）＝｛｝"
)

VALUES: tuple[Callable[[], object], ...] = (
    lambda: 0, lambda: 1, lambda: -1, lambda: 2, lambda: 10**7, lambda: 10**15, lambda: 2**63, lambda: 10**40,
    lambda: 10**400, lambda: 10**4_301, lambda: 10**5_000, lambda: -(10**5_000), lambda: True, lambda: False,
    lambda: "", lambda: " ", lambda: "inf", lambda: "-inf", lambda: "nan", lambda: "A", lambda: "n", lambda: "x" * 300,
    list, lambda: [[]], dict, lambda: [1, 2], lambda: [[1, 2], [3, 4]], lambda: [[1], [2, 3]],
    lambda: {"choose": [1, 2]}, lambda: {"from": 1, "to": 4}, lambda: {"from": 0, "to": 10**15, "step": 10**13},
    lambda: {"choose": [{"choose": [1, 2]}, 3]}, lambda: {"zh": "一", "en": "one"}, lambda: Decimal("0.1"),
    lambda: Decimal("1e-400"), lambda: Decimal("1e401"), lambda: Decimal("1e999999"), lambda: Decimal("NaN"),
    lambda: Decimal("sNaN"), lambda: Decimal("Infinity"), lambda: Decimal("-Infinity"), lambda: Decimal("-0.0"),
    lambda: None, lambda: date(2026, 1, 1), lambda: "\ud7ff\u202e", lambda: "a.b", lambda: "day45:45-04.1a",
)  # fmt: skip

NAMES = (
    "id", "problem", "given", "answer", "exercise", "points", "title", "note", "columns", "key", "answers", "sheet",
    "activity", "source", "seed", "zh", "en", "space", "choose", "from", "to", "step", "minutes", "mode", "value",
    "symbols", "kind", "theorem", "", "a b", "é",
)  # fmt: skip


@cache
def dictionary() -> tuple[str, ...]:
    """The words and signs of the three languages, as their readers know them."""
    commands = (
        *lexical._LATEX_SIGNS, *lexical._LATEX_WORDS, *lexical._LATEX_NOTHING, *lexical._LATEX_ARGUMENTS,
        *lexical._LATEX_NAMED, *lexical._GREEK_COMMANDS,
    )  # fmt: skip
    fields = {f for k in answer_kinds().values() for f in k.fields} | {f for k in kinds().values() for f in k.fields}
    options = {o for k in kinds().values() for f in k.fields.values() for o in f.options}
    found = [
        *sorted(RESERVED | FOREIGN), *KEYWORDS, "size", "index", "integer", "real", "positive", "for all", "proof\n",
        *("\\" + c for c in sorted(commands)), "\\begin{pmatrix}", "\\end{pmatrix}", "\\\\", "&", "\\left(", "\\right)",
        *sorted(signatures()), *sorted(reason_names()), *sorted(lexical.GREEK), *sorted(theorems()),
        *sorted(answer_kinds()), *sorted(kinds()), *sorted(fields), *sorted(options), *NAMES[:-3],
        "<=", ">=", "!=", "..", "--", " -- ", "=", "<", ">", "+", "-", "*", "/", "^", "_", "!", "|", ",", ";", ":",
        "(", ")", "[", "]", "{", "}", "$", "#", "'", '"', "\n", "  ", "%", "≈", "~", "->", "∈", "**", "//", "[[", "]]",
        "'''", '"""', "true", "false", "null", "\\u0041", "\\ud800",
    ]  # fmt: skip
    return tuple(dict.fromkeys(found))


def libfuzzer_dictionary() -> str:
    """The same, as a file that libFuzzer reads."""
    return "".join(f'"{"".join(map(_escaped, word))}"\n' for word in (*dictionary(), *NUMBERS) if word)


def _escaped(character: str) -> str:
    plain = character.isascii() and character.isalnum()
    return character if plain else "".join(f"\\x{byte:02X}" for byte in character.encode())


# --- formulas and lines --------------------------------------------------------------------------------------


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _groups(found: Sequence[str]) -> list[tuple[int, int]]:
    """Where bracketed groups begin and end, brackets included."""
    opened: list[int] = []
    groups = []
    for k, t in enumerate(found):
        if t in _OPENING:
            opened.append(k)
        elif t in _CLOSING and opened:
            groups.append((opened.pop(), k + 1))
    return groups


def formula(text: str, rng: random.Random, others: Sequence[str] = ()) -> str:
    """`text` with one change to its tokens, bracketed groups or lines."""
    found = _tokens(text)
    if not found:
        return rng.choice(dictionary())
    k = rng.randrange(len(found))
    groups = _groups(found)
    way = rng.randrange(15)
    if way == 0:
        del found[k]
    elif way == 1:
        found.insert(k, rng.choice(dictionary()))
    elif way == 2:
        found[k] = rng.choice(dictionary())
    elif way == 3:
        numbers = [j for j, t in enumerate(found) if t[0].isdecimal()]
        found[rng.choice(numbers) if numbers else k] = rng.choice(NUMBERS)
    elif way == 4:
        names = [j for j, t in enumerate(found) if t[0].isalpha() or t[0] == "\\"]
        if names:
            found[rng.choice(names)] = found[rng.choice(names)]
    elif way == 5:
        j = rng.randrange(len(found))
        found[j], found[k] = found[k], found[j]
    elif way == 6:
        found[k:k] = [found[k]] * rng.choice((1, 1, 2, 30, 300))
    elif way == 7 and groups:
        a, b = rng.choice(groups)
        found[a:b] = [_nested("".join(found[a:b]), rng)]
    elif way == 8 and len(groups) > 1:
        (a, b), (c, d) = rng.choice(groups), rng.choice(groups)
        found[a:b] = found[c:d]
    elif way == 9 and groups:
        a, b = rng.choice(groups)
        many = rng.choice((1, 2, 20, 100))
        found[a:b] = [*found[a : a + 1] * many, *found[a:b], *found[b - 1 : b] * many]
    elif way == 10 and others:
        theirs = _tokens(rng.choice(others)) or [""]
        places = _groups(theirs)
        a, b = rng.choice(places) if places else (0, min(len(theirs), rng.randint(1, 8)))
        c, d = rng.choice(groups) if groups else (k, k + 1)
        found[c:d] = theirs[a:b]
    elif way == 11:
        found.insert(k, rng.choice(CHARACTERS))
    elif way == 12:
        j = min(len(found), k + rng.randint(1, 12))
        part = "".join(found[k:j])
        found[k:j] = [_nested(part, rng)]
    else:
        return _lines(text, rng, others)
    return "".join(found)


def _nested(part: str, rng: random.Random) -> str:
    """`part` inside of a fragment, and sometimes that inside of it again, many times over."""
    fragment = rng.choice(FRAGMENTS)
    for _ in range(rng.choice((1, 1, 1, 2, 6, 18))):
        made = fragment.format(part)
        if len(made) > MAX_LENGTH // 2:
            break
        part = made
    return part


def _lines(text: str, rng: random.Random, others: Sequence[str]) -> str:
    lines = text.split("\n")
    k = rng.randrange(len(lines))
    way = rng.randrange(8)
    if way == 0:
        del lines[k]
    elif way == 1:
        lines.insert(k, lines[rng.randrange(len(lines))])
    elif way == 2:
        j = rng.randrange(len(lines))
        lines[j], lines[k] = lines[k], lines[j]
    elif way == 3 and others:
        lines.insert(k, rng.choice(rng.choice(others).split("\n")))
    elif way == 4 and others:
        theirs = rng.choice(others).split("\n")
        lines[k:] = theirs[rng.randrange(len(theirs)) :]
    elif way == 5:
        lines[k] = rng.choice((" " * rng.randint(0, 9), "\t")) + lines[k].lstrip()
    elif way == 6:
        lines[k:k] = [lines[k]] * rng.choice((2, 20, 200))
    else:
        lines[k] = lines[k] + " -- " + rng.choice(sorted(reason_names()))
    return "\n".join(lines)


# --- tables --------------------------------------------------------------------------------------------------


def _places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    found = [path]
    if isinstance(value, dict):
        for k, v in value.items():
            found += _places(v, (*path, k))
    elif isinstance(value, list):
        for j, v in enumerate(value[:20]):
            found += _places(v, (*path, j))
    return found


def _at(value: object, path: tuple[object, ...]) -> object:
    for k in path:
        value = value[k]  # type: ignore[index]
    return value


def table(value: dict[str, object], rng: random.Random, others: Sequence[str], parsed: Sequence[object]) -> None:
    """Change one thing in a table, in place."""
    places = [p for p in _places(value) if p]
    if not places:
        value[rng.choice(NAMES)] = rng.choice(VALUES)()
        return
    path = rng.choice(places)
    holder, name = _at(value, path[:-1]), path[-1]
    old = _at(value, path)
    way = rng.randrange(12)
    if isinstance(old, str) and way < 6:
        new: object = formula(old, rng, others)
    elif isinstance(old, (int, Decimal)) and way < 3:
        new = _number(old, rng)
    elif way == 3 and isinstance(holder, dict):
        del holder[name]
        return
    elif way == 4 and isinstance(holder, dict):
        holder[rng.choice((*NAMES, *dictionary()))] = holder.pop(name)
        return
    elif way == 5 and isinstance(old, dict):
        old[rng.choice((*NAMES, *dictionary()))] = rng.choice(VALUES)()
        return
    elif way == 6 and isinstance(old, list):
        old.append(_at(value, rng.choice(places)))
        new = _copied(old)
    elif way == 7:
        new = _copied(_at(value, rng.choice(places)))
    elif way == 8 and parsed:
        other = rng.choice(parsed)
        new = _copied(_at(other, rng.choice(_places(other))))
    elif way == 9:
        new = old
        for _ in range(rng.choice((1, 1, 2, 31, 34, 200))):
            new = [new]
    elif way == 10:
        new = {rng.choice(("choose", "choose", "from")): [old, rng.choice(VALUES)()]}
    else:
        new = rng.choice(VALUES)()
    holder[name] = new  # type: ignore[index]


def _copied(value: object) -> object:
    if isinstance(value, dict):
        return {k: _copied(v) for k, v in value.items()}
    return [_copied(v) for v in value] if isinstance(value, list) else value


def _number(old: int | Decimal, rng: random.Random) -> object:
    if isinstance(old, Decimal) and not old.is_finite():
        return Decimal(0)
    if isinstance(old, int) and abs(old) > 10**30:
        return old % 1_000
    step = rng.choice((1, -1, 2, 10, -100))
    return rng.choice((old + step, -old, old * 2, old * 1_000, Decimal(old) / 7, str(old)))


def _key_table(data: bytes) -> dict[str, object] | None:
    text = data[1:].decode("utf-8")
    mark = data[:1].lower()
    if mark == b"j":
        found = json.loads(text, parse_float=Decimal, parse_constant=Decimal)
    elif mark == b"c":
        rows = list(csv.reader(io.StringIO(text, newline="")))
        found = {"answer": [dict(zip(rows[0], row, strict=False)) for row in rows[1:]]} if rows else {}
    else:
        found = tomllib.loads(text, parse_float=Decimal)
    return found if isinstance(found, dict) else None


def _parsed(target: str, data: bytes) -> dict[str, object] | None:
    try:
        return _key_table(data) if target == "keys" else tomllib.loads(data.decode("utf-8"), parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError, csv.Error):
        return None


def _written(target: str, data: bytes, value: dict[str, object], rng: random.Random) -> bytes:
    """A table as it was written before, a key now and then in another format."""
    mark = data[:1].decode("latin-1") if target == "keys" else ""
    if mark and (mark.lower() not in "tjc" or rng.random() < 0.1):
        mark = rng.choice("tjcTJC")
    made = as_json(value) if mark.lower() == "j" else as_csv(value) if mark.lower() == "c" else as_toml(value)
    return (mark + made).encode("utf-8", "replace")


# --- inputs --------------------------------------------------------------------------------------------------


def bits(data: bytes, rng: random.Random) -> bytes:
    """A byte changed, left out or put in."""
    k = rng.randrange(len(data) + 1)
    byte = bytes((rng.randrange(256),))
    return rng.choice((data[:k] + byte + data[k + 1 :], data[:k] + data[k + 1 :], data[:k] + byte + data[k:]))


def mutated(
    target: str, data: bytes, rng: random.Random, others: Sequence[bytes],
    bytewise: Callable[[bytes, random.Random], bytes] = bits,
) -> bytes:  # fmt: skip
    """`data` with one to five changes; parts may come from `others`."""
    near = [rng.choice(others) for _ in range(3)] if others else []
    texts = [o.decode("utf-8", "replace") for o in near]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        if rng.random() < 0.1:
            data = bytewise(data, rng)
            continue
        value = _parsed(target, data) if target != "derivations" and rng.random() < 0.75 else None
        try:
            if value is not None:
                parsed = [p for p in (_parsed(target, o) for o in near) if p is not None]
                table(value, rng, texts, parsed)
                data = _written(target, data, value, rng)
            else:
                data = formula(data.decode("utf-8", "replace"), rng, texts).encode("utf-8", "replace")
        except (ArithmeticError, RecursionError, ValueError):
            data = bytewise(data, rng)
    return data[:MAX_LENGTH]


def crossed(target: str, data: bytes, other: bytes, rng: random.Random) -> bytes:
    """Parts of two inputs: a table's tables from both, or lines from both."""
    mine, theirs = _parsed(target, data), _parsed(target, other)
    if target != "derivations" and mine and theirs:
        for name, value in theirs.items():
            if isinstance(value, list) and isinstance(mine.get(name), list):
                mine[name] = [*mine[name], *value][: rng.randint(1, 4)]  # type: ignore[misc]
            elif rng.random() < 0.5:
                mine[name] = value
        return _written(target, data, mine, rng)[:MAX_LENGTH]
    a, b = data.split(b"\n"), other.split(b"\n")
    return b"\n".join(a[: rng.randrange(len(a) + 1)] + b[rng.randrange(len(b)) :])[:MAX_LENGTH]
