"""Counter-examples in words and as plain data."""

from __future__ import annotations

from fractions import Fraction

from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue
from proofs.refute import CounterExample, Shown
from proofs.syntax.to_plain import to_plain


def shown(against: CounterExample, lang: Language) -> str:
    """Where a line fails, the values of both sides there, and the smallest part that differs."""
    prose = catalogue(lang)
    values = ", ".join(f"{a.name} = {_text(a.value)}" for a in against.assignments)
    left, right = _text(against.left), _text(against.right)
    key = "verify.values" if values else "verify.closed"
    params = {"values": values} if values else {}
    said = prose.plain(key, **params, left=left, right=right)
    part = against.part
    if part.path:
        left = f"{to_plain(part.left)} = {_text(part.left_value)}"
        right = f"{to_plain(part.right)} = {_text(part.right_value)}"
        said += ("" if lang == "zh" else " ") + prose.plain("verify.part", left=left, right=right)
    return said


def plain(against: CounterExample) -> dict[str, object]:
    """The same for programs: values by name, both sides."""
    return {
        "values": {a.name: _text(a.value) for a in against.assignments},
        "left": _text(against.left),
        "right": _text(against.right),
    }


def _text(value: Shown) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_text, value))}]"
    return str(value) if isinstance(value, Fraction | int) else value
