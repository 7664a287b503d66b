"""Statements as people make them: declared names, hypotheses, and a claim.

The kernel knows neither sizes nor dimensions: a ``size`` is an integer with the hypothesis ``1 <= n``, and
the dimensions of a tensor only tell a reader, a printer or a search for counter-examples which part is meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from proofs.terms import Definition, Term, num, relation

Kind = Literal["size", "index", "integer", "real", "positive"]


@dataclass(frozen=True)
class Declaration:
    """One declared name: its variable, its kind, for an index its upper end, for a tensor its dimensions."""

    variable: Term
    kind: Kind
    upper: Term | None = None
    dimensions: tuple[Term, ...] = ()

    @property
    def name(self) -> str:
        return str(self.variable.data)

    def assumptions(self) -> tuple[Term, ...]:
        """What the declaration says of its variable, as relations: ``1 <= n``; ``1 <= i``, ``i <= n``; ``0 < x``."""
        if self.kind == "size":
            return (relation("le", num(1), self.variable),)
        if self.kind == "index" and self.upper is not None:
            return (relation("le", num(1), self.variable), relation("le", self.variable, self.upper))
        if self.kind == "positive" and not self.variable.rank:
            return (relation("lt", num(0), self.variable),)
        return ()


@dataclass(frozen=True)
class Signature:
    """A definition with the dimensions of its parameters and of its value, in terms of its own parameters.

    ``softmax(n; z)`` has parameter dimensions ``((), (n,))`` and value dimensions ``(n,)``: from
    ``softmax(z - c)`` with `z` of dimension `m`, a reader infers that the first argument is `m`.
    """

    definition: Definition
    parameters: tuple[tuple[Term, ...], ...]
    value: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Statement:
    """Declarations, hypotheses (each a relation or a bounded 'for all') and a claim (a relation)."""

    declarations: tuple[Declaration, ...]
    hypotheses: tuple[Term, ...]
    claim: Term
    signatures: tuple[Signature, ...] = field(default=())

    def assumptions(self) -> tuple[Term, ...]:
        """All that may be used: what the declarations say, then the hypotheses."""
        return assumptions(self.declarations, self.hypotheses)


def assumptions(declarations: Iterable[Declaration], hypotheses: Iterable[Term] = ()) -> tuple[Term, ...]:
    """What is said of each variable, and ``0 <= n`` for a dimension that could be negative; hypotheses last."""
    known = tuple(declarations)
    counts = {d.variable for d in known if d.kind in ("size", "index")}
    said: dict[Term, None] = {}
    for d in known:
        said |= dict.fromkeys(d.assumptions())
    for d in known:
        said |= {relation("le", num(0), n): None for n in d.dimensions if not _counts(n, counts)}
    return (*said, *(h for h in hypotheses if h not in said))


def _counts(t: Term, counts: Collection[Term]) -> bool:
    """Whether `t` is put together by plus and times from sizes, indices and numerals, and so is never negative."""
    if isinstance(t.data, Fraction):
        return t.data >= 0
    return t in counts or (t.op in ("add", "mul") and all(_counts(a, counts) for a in t.args))
