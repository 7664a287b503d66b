"""The prose catalogues: whole sentences in each language, with placeholders, from ``templates/prose/<lang>/*.toml``.

The key of a sentence is its file's name and its name in the file, ``checked.theorem``; nested tables add dots.
In a sentence ``{name}`` is a placeholder, ``{n:instance|instances}`` chooses by the number `n` (the first for 1),
``$h*d_k = d$`` is a formula in the grammar of the proof language, ``**strong**`` and ```code``` are set so, and
``{{``, ``}}`` and ``$$`` are braces and a dollar. Values are never read as any of this.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, get_args

from derive.resources import templates
from derive.sheets.blocks import Language
from derive.visible import visible

LANGUAGES: tuple[Language, ...] = get_args(Language)
Style = Literal["plain", "strong", "code"]


@dataclass(frozen=True)
class Literally:
    """Words of the sentence itself."""

    text: str
    style: Style = "plain"


@dataclass(frozen=True)
class Placeholder:
    """Where a value goes."""

    name: str
    style: Style = "plain"


@dataclass(frozen=True)
class Plural:
    """Words that depend on whether the number `name` is 1."""

    name: str
    one: str
    other: str
    style: Style = "plain"


@dataclass(frozen=True)
class Maths:
    """A formula, as it was typed."""

    source: str


Piece: TypeAlias = Literally | Placeholder | Plural | Maths
Sentence: TypeAlias = tuple[Piece, ...]

_TOKEN = re.compile(
    r"(?P<brace>\{\{|\}\})|\{(?P<name>[a-z_][a-z0-9_]*)(?::(?P<one>[^{}|]*)\|(?P<other>[^{}|]*))?\}"
    r"|(?P<dollar>\$\$)|\$(?P<maths>[^${}`]+)\$|(?P<strong>\*\*)|(?P<code>`)|(?P<text>[^{}*`$]+|\*)"
)


class ProseError(Exception):
    """A catalogue that can't be: a fault of ours, not of a user."""


def parse(sentence: str) -> Sentence:
    """Read one sentence of a catalogue.

    >>> parse("{n} {n:step|steps}, **all** right")[1:4]
    (Literally(text=' ', style='plain'), Plural(name='n', one='step', other='steps', style='plain'), \
Literally(text=', ', style='plain'))
    """
    pieces: list[Piece] = []
    style: Style = "plain"
    at = 0
    while at < len(sentence):
        m = _TOKEN.match(sentence, at)
        if m is None:
            raise ProseError(f"column {at + 1}: a brace or dollar that opens or closes nothing in {sentence!r}")
        at = m.end()
        if m["strong"] or m["code"]:
            wanted: Style = "strong" if m["strong"] else "code"
            if style not in ("plain", wanted):
                raise ProseError(f"styles overlap in {sentence!r}")
            style = "plain" if style == wanted else wanted
        elif m["name"] and m["one"] is not None:
            pieces.append(Plural(m["name"], m["one"], m["other"], style))
        elif m["name"]:
            pieces.append(Placeholder(m["name"], style))
        elif m["maths"]:
            pieces.append(Maths(m["maths"]))
        else:
            pieces.append(Literally(m["brace"][0] if m["brace"] else "$" if m["dollar"] else m["text"], style))
    if style != "plain":
        raise ProseError(f"a style is not closed in {sentence!r}")
    return tuple(pieces)


def placeholders(sentence: Sentence) -> frozenset[str]:
    """The names that a sentence needs."""
    return frozenset(p.name for p in sentence if isinstance(p, Placeholder | Plural))


def formulas_in(sentence: Sentence) -> tuple[str, ...]:
    """The formulas of a sentence, as they were typed."""
    return tuple(p.source for p in sentence if isinstance(p, Maths))


@dataclass(frozen=True)
class Catalogue:
    """All sentences of one language."""

    lang: Language
    sentences: dict[str, Sentence]

    def __getitem__(self, key: str) -> Sentence:
        try:
            return self.sentences[key]
        except KeyError:
            raise ProseError(f"no sentence {key!r} in {self.lang}") from None

    def __contains__(self, key: str) -> bool:
        return key in self.sentences

    def plain(self, key: str, **params: str | int) -> str:
        """The sentence with plain values, without styles: for terminals and for attributes."""
        sentence = self[key]
        if placeholders(sentence) != set(params):
            raise ProseError(f"{key!r} needs {sorted(placeholders(sentence))}, not {sorted(params)}")
        return "".join(
            choose(p, params[p.name])
            if isinstance(p, Plural)
            else shown(params[p.name])
            if isinstance(p, Placeholder)
            else words_of(p)
            for p in sentence
        )


def words_of(piece: Literally | Maths) -> str:
    """What a piece says without values, as plain text."""
    return piece.text if isinstance(piece, Literally) else plain_maths(piece.source)


def plain_maths(source: str) -> str:
    """A formula of a sentence as plain text."""
    from derive.sheets.maths import term_of
    from proofs.syntax.to_plain import to_plain

    return to_plain(term_of(source))


def shown(value: str | int) -> str:
    """A number with thousands separators; a text without anything that is not seen."""
    return f"{value:,}" if isinstance(value, int) else visible(value)


def choose(plural: Plural, value: object) -> str:
    """The form of `plural` for the number `value`."""
    if not isinstance(value, int):
        raise ProseError(f"{plural.name!r} chooses between forms, so it is a number, not {value!r}")
    return plural.one if value == 1 else plural.other


@cache
def catalogue(lang: Language) -> Catalogue:
    """Read the catalogue of a language, once."""
    sentences: dict[str, Sentence] = {}

    def collect(prefix: str, table: dict[str, object]) -> None:
        for name, value in table.items():
            key = f"{prefix}.{name}"
            if isinstance(value, dict):
                collect(key, value)
            elif isinstance(value, str):
                sentences[key] = parse(value.strip())
            else:
                raise ProseError(f"{key}: a sentence is a string, not {value!r}")

    for file in sorted((templates() / "prose" / lang).glob("*.toml")):
        collect(file.stem, tomllib.loads(file.read_text(encoding="utf-8")))
    return Catalogue(lang, sentences)
