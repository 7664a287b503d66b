"""What is said of a part that may have no value: what it needs, and what can be supposed."""

from __future__ import annotations

from collections.abc import Sequence

from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue
from proofs.defined import Missing
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term


def supposable(missing: Sequence[Missing]) -> tuple[Term, ...]:
    """The conditions that a person may add to the hypotheses: each fails somewhere, and all can hold at once."""
    return tuple(m.condition for m in missing if m.holds and m.fails is not None and not m.never)


def said(missing: Sequence[Missing], lang: Language) -> str:
    """What the parts need, one sentence for each kind of thing that is missing."""
    prose = catalogue(lang)
    parts = [_one(m, lang) for m in missing if m.never or m.index is not None]
    advised = [m for m in missing if m.condition in supposable(missing)]
    if advised:
        parts.append(prose.plain("verify.needs", conditions="; ".join(to_plain(m.condition) for m in advised)))
    for m in missing:
        if m.never or m.index is not None or m in advised:
            continue
        key = "verify.needs-unheld" if m.fails is not None else "verify.needs-open"
        parts.append(prose.plain(key, part=to_plain(m.part), condition=to_plain(m.condition)))
    return ("；" if lang == "zh" else "; ").join(dict.fromkeys(parts))


def _one(m: Missing, lang: Language) -> str:
    """What is wrong at one part: an index outside its range, or a condition that can't hold."""
    prose = catalogue(lang)
    part = to_plain(m.part)
    if m.index is None or m.upper is None:
        return prose.plain("verify.no-value", part=part, condition=to_plain(m.condition))
    ranges = "; ".join(f"{to_plain(v)} = {to_plain(lo)}..{to_plain(hi)}" for v, lo, hi in m.within)
    key = "verify.no-entry" if m.never else "verify.open-entry"
    index, upper = to_plain(m.index), to_plain(m.upper)
    if ranges:
        return prose.plain(f"{key}-within", part=part, index=index, upper=upper, ranges=ranges)
    return prose.plain(key, part=part, index=index, upper=upper)
