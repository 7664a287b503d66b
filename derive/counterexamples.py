"""Counter-examples in words and as plain data."""

from __future__ import annotations

from fractions import Fraction

from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue
from proofs.refute import CounterExample
from proofs.shown import Shown
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term

_LONG = 1_000
"""A fraction with a denominator above this is written as a decimal where that ends."""


def shown(against: CounterExample, lang: Language) -> str:
    """Where a line fails, the values of both sides there, and the smallest part that differs.

    A rounded number is written after ``≈``, one that is exact after ``=``.
    """
    prose = catalogue(lang)
    values = ", ".join(_equation(a.name, a.value) for a in against.assignments)
    left, right = text(against.left), text(against.right)
    key = "verify.values" if values else "verify.closed"
    params = {"values": values} if values else {}
    said = prose.plain(key, **params, left=left, right=right)
    part = against.part
    if part.path:
        left, right = _evaluated(part.left, part.left_value), _evaluated(part.right, part.right_value)
        said += ("" if lang == "zh" else " ") + prose.plain("verify.part", left=left, right=right)
    return said


def plain(against: CounterExample) -> dict[str, object]:
    """The same for programs: values by name, both sides."""
    return {
        "values": {a.name: text(a.value) for a in against.assignments},
        "left": text(against.left),
        "right": text(against.right),
    }


def text(value: Shown) -> str:
    """A value as it is written."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(text, value))}]"
    return _number(Fraction(value)) if isinstance(value, Fraction | int) else value


def _evaluated(part: Term, value: Shown) -> str:
    """A part with its value; a number that is its own value stands alone."""
    written = to_plain(part)
    return written if written == text(value) else _equation(written, value)


def _equation(left: str, value: Shown) -> str:
    return f"{left} {'≈' if _is_rounded(value) else '='} {text(value)}"


def _is_rounded(value: Shown) -> bool:
    return any(map(_is_rounded, value)) if isinstance(value, tuple) else isinstance(value, str)


def _number(q: Fraction) -> str:
    if q.denominator <= _LONG:
        return str(q)
    twos = (q.denominator & -q.denominator).bit_length() - 1
    fives = 0
    rest = q.denominator >> twos
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        return str(q)
    places = max(twos, fives)
    digits = str(abs(q.numerator) * 10**places // q.denominator).rjust(places + 1, "0")
    return f"{'-' if q < 0 else ''}{digits[:-places]}.{digits[-places:]}"
