"""Formulas in sentences: text of our own grammar becomes a term, its names declared by what they usually mean.

A sentence may say ``$h*d_k = d$`` without declaring anything: lower-case letters that count or point are integers,
`z` is a vector, what has an index is a tensor of as many dimensions as it has indices, and all else is a real number.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofs.statement import Declaration
    from proofs.terms import Term

_NAME = re.compile(r"(?P<name>[A-Za-z]+(?:_[A-Za-z0-9]+)?)\s*(?:\[(?P<indices>[^\[\]]*)\])?")
_BOUND = re.compile(r"\b(?:sum|max)\(\s*([A-Za-z]+)\s*=")
_INTEGERS = re.compile(r"[ghijklmnpqrst]|[BTNH]|[dn](?:_[A-Za-z0-9]+)?")
_RANKS = {"z": 1, "W": 2, "X": 2, "Y": 2, "Q": 2, "K": 2, "V": 2}
_RELATIONS = re.compile(r"[<>=!]=?")


class MathsError(ValueError):
    """A formula in a sentence that can't be read: a fault of ours, not of a user."""


def _declarations(source: str) -> list[Declaration]:
    from derive.definitions import signatures
    from proofs.syntax.environment import declare
    from proofs.syntax.words import RESERVED
    from proofs.terms import var

    bound = set(_BOUND.findall(source))
    ranks: dict[str, int] = {}
    for m in _NAME.finditer(source):
        name = m["name"]
        inner = [w for w, _ in _NAME.findall(m["indices"] or "")]
        own = (name, m["indices"].count(",") + 1 if m["indices"] else 0)
        for found, rank in (own, *((w, 0) for w in inner)):
            if found in RESERVED or found in signatures() or found in bound or found == "e":
                continue
            ranks[found] = max(ranks.get(found, 0), rank or _RANKS.get(found.split("_")[0], 0))
    dimensions = [var(x, "integer") for x in ("n", "T", "h", "d_k")]
    made = [declare(str(d.data), "size") for d in dimensions]
    for name, rank in ranks.items():
        axes = dimensions[:1] if rank == 1 else dimensions[1 : rank + 1]
        if rank:
            made.append(declare(name, "real", dimensions=tuple(axes)))
        else:
            made.append(declare(name, "integer" if _INTEGERS.fullmatch(name) else "real"))
    return made


@lru_cache(maxsize=1024)
def term_of(source: str) -> Term:
    """The term that a formula in a sentence stands for: an expression, or one relation.

    Raises
    ------
    MathsError
        If it can't be read.

    Examples
    --------
    >>> from proofs.syntax.to_plain import to_plain
    >>> to_plain(term_of("h*d_k = d")), to_plain(term_of("exp(z[i] - c)"))
    ('h*d_k = d', 'exp(z[i] - c)')
    >>> term_of("h*")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    derive.sheets.maths.MathsError: 'h*': ...
    """
    from derive.definitions import signatures
    from proofs.syntax.elaborate import read_expression, read_relation
    from proofs.syntax.environment import Environment
    from proofs.syntax.faults import SyntaxFault

    env = Environment.of(_declarations(source), signatures())
    try:
        return (read_relation if _RELATIONS.search(_BOUND.sub("", source)) else read_expression)(source, env)
    except SyntaxFault as fault:
        raise MathsError(f"{source!r}: {fault}") from fault
