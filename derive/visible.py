"""Text from outside as it is printed: none of it ends a line, moves the cursor or turns the direction of writing.

Everything that prints what was read from a file, a name of a file or the command line puts it through `visible`; the
sentences of the catalogues do so with their values.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache

_BLANK = frozenset(map(chr, (
    0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, *range(0xFE00, 0xFE10), 0xFFA0,
    *range(0xE0100, 0xE01F0),
)))  # fmt: skip
"""What is no control character and yet is not seen."""

_PLAIN = re.compile(r"[ -~]*")


@lru_cache(maxsize=4096)
def is_hidden(c: str) -> bool:
    """Whether a character is a control character, of no width, or no character at all."""
    return unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or c in _BLANK


def hidden(text: str) -> str | None:
    """The first character of `text` that is not seen, as ``U+XXXX``; None where all are."""
    if _PLAIN.fullmatch(text):
        return None
    return next((f"U+{ord(c):04X}" for c in text if is_hidden(c)), None)


def visible(text: str) -> str:
    r"""`text` on one line, with ``U+XXXX`` for what is not seen.

    >>> visible("a\nb\x1b[2J\u202e")
    'aU+000AbU+001B[2JU+202E'
    """
    if _PLAIN.fullmatch(text):
        return text
    return "".join(f"U+{ord(c):04X}" if is_hidden(c) else c for c in text)


def flat(text: str) -> str:
    """`text` of several lines on one: a space for each run of spaces, tabs and ends of lines; the rest `visible`."""
    return visible(re.sub(r"[ \t\n]+", " ", text.replace("\r\n", "\n")).strip(" "))


def json_text(value: object) -> str:
    r"""JSON for people and programs; what is not seen stands there as ``\uXXXX``.

    >>> json_text(["\x9b2J", "é"])
    '[\n  "\\u009b2J",\n  "é"\n]'
    """
    said = json.dumps(value, ensure_ascii=False, indent=2)
    return re.sub(r"[^ -~\n]", lambda m: _escaped(m[0]) if is_hidden(m[0]) else m[0], said)


def _escaped(c: str) -> str:
    units = c.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2))
