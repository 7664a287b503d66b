"""What a key gives to a problem: read field by field, and refused with a reason where it can't be used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction

from derive.answers.values import Param
from derive.floats import FORMATS, FloatsError, Format, TypedNumber, format_named, read
from proofs.evaluate import Interval, NotCertain, TooLarge, Undefined, value
from proofs.syntax.elaborate import read_expression
from proofs.syntax.environment import Environment
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.tokens import GREEK
from proofs.syntax.words import RESERVED
from proofs.terms import Term, num, var

MAX_SIZE = 10**12
MAX_LENGTH = 64
MAX_DIGITS = 400

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*'*")
_BRACES = re.compile(r"_\{(?:\\(?:text|mathrm)\{)?([A-Za-z0-9]+)\}?\}")
_LETTER = re.compile(
    rf"\\({'|'.join(sorted(set(GREEK.values()), key=len, reverse=True))})(?![A-Za-z])|[{''.join(GREEK)}]"
)
_WHOLE = re.compile(r"[0-9]{1,20}", re.ASCII)
_EMPTY = Environment()


class GivenRefused(Exception):
    """Something given that can't be used: the code and parameters of the sentence that says why."""

    def __init__(self, code: str, **params: Param) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


def brief(value: object) -> str:
    """A value as it may stand in a message."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**40:
        return "..."
    if isinstance(value, (list, dict, tuple)):
        return f"{type(value).__name__}[{len(value)}]"
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass(frozen=True, slots=True)
class Size:
    """A size given as a number or as a name."""

    term: Term
    number: int | None
    name: str | None


class Given:
    """What is given, field by field. Every method raises `GivenRefused`, which names the field."""

    def __init__(self, values: Mapping[str, object], fields: tuple[str, ...]) -> None:
        self.values = values
        for name in values:
            if name not in fields:
                close = get_close_matches(str(name), fields, 1)
                shown = brief(name)
                if close:
                    raise GivenRefused("unknown-close", name=shown, close=close[0])
                raise GivenRefused("unknown", name=shown, known=", ".join(fields))

    def has(self, name: str) -> bool:
        return self.values.get(name) is not None

    def needed(self, name: str) -> object:
        found = self.values.get(name)
        if found is None:
            raise GivenRefused("missing", name=name)
        return found

    # --- sizes -----------------------------------------------------------------------------------------------

    def size(self, name: str) -> Size:
        """A whole number of at least 1, or a name."""
        found = self.needed(name)
        if isinstance(found, str):
            text = found.strip()
            if _WHOLE.fullmatch(text):
                found = int(text)
            else:
                return _named(name, text)
        if isinstance(found, bool) or not isinstance(found, int):
            raise GivenRefused("not-whole", name=name, found=brief(found))
        if not 1 <= found <= MAX_SIZE:
            raise GivenRefused("size-range", name=name, found=brief(found), high=f"{MAX_SIZE:,}")
        return Size(num(found), found, None)

    def whole(self, name: str, default: int | None, low: int, high: int) -> int:
        """A whole number in a range."""
        found = self.values.get(name, default)
        if isinstance(found, str) and _WHOLE.fullmatch(found.strip()):
            found = int(found)
        if found is None:
            raise GivenRefused("missing", name=name)
        if isinstance(found, bool) or not isinstance(found, int):
            raise GivenRefused("not-whole", name=name, found=brief(found))
        if not low <= found <= high:
            raise GivenRefused("range", name=name, found=brief(found), low=low, high=high)
        return found

    def flag(self, name: str, default: bool) -> bool:
        found = self.values.get(name, default)
        if not isinstance(found, bool):
            raise GivenRefused("not-flag", name=name, found=brief(found))
        return found

    def choice(self, name: str, options: tuple[str, ...]) -> str:
        found = self.needed(name)
        if not isinstance(found, str) or found not in options:
            raise GivenRefused("choice", name=name, found=brief(found), options=", ".join(options))
        return found

    def text(self, name: str) -> str:
        found = self.needed(name)
        if not isinstance(found, str):
            raise GivenRefused("not-text", name=name, found=brief(found))
        return found

    # --- numbers ---------------------------------------------------------------------------------------------

    def format(self, name: str = "format") -> Format:
        return format_named(self.choice(name, tuple(f.name for f in FORMATS)))

    def decimal(self, name: str) -> TypedNumber:
        """A decimal as typed, or an infinity or NaN."""
        return self.as_decimal(name, self.needed(name))

    def as_decimal(self, name: str, found: object) -> TypedNumber:
        if isinstance(found, str):
            found = found.strip().replace("−", "-").replace("∞", "inf").replace("\\infty", "inf")
        if isinstance(found, bool) or not isinstance(found, (str, int, Decimal)):
            raise GivenRefused("not-number", name=name, found=brief(found))
        try:
            return read(found)
        except FloatsError as error:
            code = "too-many-digits" if error.code == "too-many-digits" else "not-number"
            raise GivenRefused(code, name=name, found=brief(found)) from None

    def items(self, name: str) -> list[object]:
        """A list of at least one thing and at most `MAX_LENGTH`."""
        return self.as_items(name, self.needed(name))

    def as_items(self, name: str, found: object) -> list[object]:
        if not isinstance(found, (list, tuple)):
            raise GivenRefused("not-list", name=name, found=brief(found))
        if not 1 <= len(found) <= MAX_LENGTH:
            raise GivenRefused("length", name=name, found=len(found), high=MAX_LENGTH)
        return list(found)

    def exact(self, name: str, found: object) -> Term:
        """A real number given exactly: an integer, a decimal as typed, or a closed expression such as ``"ln 2"``."""
        if isinstance(found, bool) or not isinstance(found, (str, int, Decimal)):
            raise GivenRefused("not-number", name=name, found=brief(found))
        if isinstance(found, int):
            if abs(found) >= 10**MAX_DIGITS:
                raise GivenRefused("too-many-digits", name=name, found=brief(found))
            return num(found)
        if isinstance(found, Decimal):
            exponent = found.as_tuple().exponent
            if not isinstance(exponent, int):
                raise GivenRefused("not-finite", name=name, found=brief(found))
            if len(found.as_tuple().digits) > MAX_DIGITS or abs(exponent) > MAX_DIGITS:
                raise GivenRefused("too-many-digits", name=name, found=brief(found))
            return num(Fraction(found))
        try:
            t = read_expression(found, _EMPTY)
            worth = value(t)
        except SyntaxFault:
            raise GivenRefused("not-number", name=name, found=brief(found)) from None
        except (Undefined, NotCertain, TooLarge):
            raise GivenRefused("no-value", name=name, found=brief(found)) from None
        return t if isinstance(worth, Interval) else num(worth)

    def rational(self, name: str, found: object) -> Fraction:
        t = self.exact(name, found)
        if t.op != "num":
            raise GivenRefused("not-rational", name=name, found=brief(found))
        return Fraction(t.data)  # type: ignore[arg-type]

    def matrix(self, name: str, rows: int, columns: int) -> list[list[Fraction]]:
        """A matrix of rational numbers with at most so many rows and columns."""
        made: list[list[Fraction]] = []
        for line in self.items(name):
            entries = self.as_items(name, line)
            if made and len(entries) != len(made[0]):
                raise GivenRefused("ragged", name=name)
            if len(entries) > columns:
                raise GivenRefused("length", name=name, found=len(entries), high=columns)
            made.append([self.rational(name, e) for e in entries])
        if len(made) > rows:
            raise GivenRefused("length", name=name, found=len(made), high=rows)
        return made


def is_name(text: str) -> bool:
    """Whether `text` can name a symbol."""
    return len(text) <= 40 and _NAME.fullmatch(text) is not None and text not in RESERVED


def plain_name(text: str) -> str:
    r"""``d_{model}`` as ``d_model``, ``\alpha`` and ``α`` as ``alpha``."""
    spelt = _LETTER.sub(lambda m: GREEK.get(m.group(), m.group(1) or m.group()), text.strip())
    return _BRACES.sub(r"_\1", spelt)


def _named(field: str, text: str) -> Size:
    name = plain_name(text)
    if not is_name(name):
        raise GivenRefused("not-size", name=field, found=brief(text))
    return Size(var(name, "integer"), None, name)
