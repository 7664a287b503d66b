"""Which characters can be printed: a character that no font of ours has is an error, never a box on paper."""

from __future__ import annotations

from functools import lru_cache

from derive.errors import DeriveError
from derive.resources import templates


@lru_cache(maxsize=1)
def printable() -> frozenset[int]:
    """All code points that some font of ours has, from the list that ``make_fonts.py`` wrote beside the fonts."""
    points: set[int] = set()
    for line in (templates() / "fonts" / "coverage.txt").read_text(encoding="ascii").split():
        low, _, high = line.partition("-")
        points.update(range(int(low, 16), int(high or low, 16) + 1))
    return frozenset(points)


@lru_cache(maxsize=4096)
def check_glyphs(text: str) -> None:
    """Raise `DeriveError` if a character of `text` is in none of the fonts."""
    known = printable()
    for c in text:
        if ord(c) not in known and c != "\n":
            raise DeriveError(
                "no-glyph", character=f"U+{ord(c):04X}", text=text if len(text) <= 60 else text[:57] + "..."
            )
