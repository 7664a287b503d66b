"""The forward pass of a small attention layer in exact numbers: scores, scaling, mask, weights, outputs, W^O.

Input and projections are rational, so every score is; a weight is a quotient of sums of exponentials, such as
``1/(1 + e^(2 sqrt 2))``, and an output a combination of such quotients. Positions and columns count from 1 in what is
said, heads from 0. Source: "Attention Is All You Need" (arXiv:1706.03762v7), sections 3.2.1 and 3.2.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

from derive.problems.attention import scaled
from derive.problems.softmax import summed
from proofs.terms import Term, add, div, exp, mul, num

Scaling = Literal["root", "none", "width"]
"""What divides the scores: the root of the width; and done wrongly nothing, or the width itself."""

Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]


def product(a: Matrix, b: Matrix) -> Matrix:
    """The product of two matrices."""
    columns = tuple(zip(*b, strict=True))
    return tuple(tuple(_dot(row, c) for c in columns) for row in a)


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def identity(n: int) -> Matrix:
    """The unit matrix."""
    return tuple(tuple(Fraction(i == j) for j in range(n)) for i in range(n))


@dataclass(frozen=True)
class Share:
    """``sum_i values_i e^(x_i) / sum_i counts_i e^(x_i)``: what a row of weights makes of some values.

    The exponents are ``x_i = gap_i / sqrt(width)``, where the gaps, in ascending order and all different, tell by how
    much a score exceeds the smallest of its row. Shares of one row add up and scale as their values do.
    """

    gaps: tuple[Fraction, ...]
    counts: tuple[int, ...]
    width: int
    values: tuple[Fraction, ...]

    def __add__(self, other: Share) -> Share:
        if (self.gaps, self.counts, self.width) != (other.gaps, other.counts, other.width):
            raise ValueError("shares of different rows")
        return self._with(x + y for x, y in zip(self.values, other.values, strict=True))

    def times(self, factor: Fraction) -> Share:
        return self._with(factor * x for x in self.values)

    def _with(self, values: Iterable[Fraction]) -> Share:
        return Share(self.gaps, self.counts, self.width, tuple(values))

    @property
    def constant(self) -> Fraction | None:
        """The share as a number, where the exponentials cancel."""
        found = {x / n for x, n in zip(self.values, self.counts, strict=True)}
        return found.pop() if len(found) == 1 else None

    def exponential(self, gap: Fraction) -> Term:
        return exp(scaled(gap, self.width)) if gap else num(1)

    @property
    def denominator(self) -> Term:
        """``1 + 2 e^(1/sqrt 2)``"""
        return summed(
            [_multiple(Fraction(n), self.exponential(g)) for g, n in zip(self.gaps, self.counts, strict=True)]
        )

    @property
    def term(self) -> Term:
        if self.constant is not None:
            return num(self.constant)
        parts = [_multiple(x, self.exponential(g)) for g, x in zip(self.gaps, self.values, strict=True) if x]
        return div(summed(parts), self.denominator)


def _multiple(factor: Fraction, e: Term) -> Term:
    if e == num(1):
        return num(factor)
    return e if factor == 1 else mul(num(factor), e)


def total_of(shares: Sequence[Share]) -> Term:
    """The sum of shares: those over one denominator as one quotient, and the numbers added up."""
    groups: dict[tuple[tuple[Fraction, ...], tuple[int, ...]], Share] = {}
    for share in shares:
        row = (share.gaps, share.counts)
        groups[row] = groups[row] + share if row in groups else share
    known = sum((s.constant for s in groups.values() if s.constant is not None), Fraction(0))
    terms = [s.term for s in groups.values() if s.constant is None]
    return summed([num(known), *terms] if known or not terms else terms)


@dataclass(frozen=True)
class Head:
    """One head: its queries, keys and values, each of shape (T, d_k), and whether it is masked."""

    q: Matrix
    k: Matrix
    v: Matrix
    causal: bool
    scaling: Scaling = "root"

    @property
    def radicand(self) -> int:
        """The number whose root divides the scores."""
        return {"root": self.width, "none": 1, "width": self.width**2}[self.scaling]

    @property
    def positions(self) -> int:
        return len(self.q)

    @property
    def width(self) -> int:
        return len(self.q[0])

    @cached_property
    def scores(self) -> Matrix:
        """Queries times transposed keys, (T, T)."""
        return tuple(tuple(_dot(q, k) for k in self.k) for q in self.q)

    def scaled(self, t: int, s: int) -> Term:
        """The score over the root of the width (positions from 0)."""
        return scaled(self.scores[t][s], self.radicand)

    def allowed(self, t: int) -> range:
        """The positions that position t reads (from 0)."""
        return range(t + 1 if self.causal else self.positions)

    def _share(self, t: int, values: Sequence[Fraction]) -> Share:
        """What row t makes of one value for each position that it reads."""
        row = [self.scores[t][s] for s in self.allowed(t)]
        low = min(row)
        gaps = tuple(sorted({x - low for x in row}))
        sums = [sum((v for v, x in zip(values, row, strict=False) if x - low == g), Fraction(0)) for g in gaps]
        return Share(gaps, tuple(sum(x - low == g for x in row) for g in gaps), self.radicand, tuple(sums))

    @cached_property
    def weights(self) -> tuple[tuple[Share, ...], ...]:
        """The attention weights, (T, T); 0 where the mask is."""
        unit = identity(self.positions)
        return tuple(tuple(self._share(t, unit[s]) for s in range(self.positions)) for t in range(self.positions))

    @cached_property
    def output(self) -> tuple[tuple[Share, ...], ...]:
        """The weights times the values, (T, d_v)."""
        columns = tuple(zip(*self.v, strict=True))
        return tuple(tuple(self._share(t, c) for c in columns) for t in range(self.positions))

    def spelled(self, t: int, c: int) -> Term:
        """The output at t in column c with every product written out, over one denominator."""
        row = self.weights[t][0]
        seen = self.allowed(t)
        low = min(self.scores[t][s] for s in seen)
        parts = [mul(num(self.v[s][c]), row.exponential(self.scores[t][s] - low)) for s in seen]
        return div(summed(parts), row.denominator) if len(row.gaps) > 1 or len(seen) > 1 else parts[0]


@dataclass(frozen=True)
class Forward:
    """A layer at work: input (T, d_model), projections (d_model, d_model), heads, mask."""

    x: Matrix
    h: int
    causal: bool
    w_q: Matrix
    w_k: Matrix
    w_v: Matrix
    w_o: Matrix
    scaling: Scaling = "root"

    @property
    def width(self) -> int:
        return len(self.x[0])

    @property
    def d_k(self) -> int:
        return self.width // self.h

    @cached_property
    def projected(self) -> tuple[Matrix, Matrix, Matrix]:
        """Queries, keys and values of all heads beside one another."""
        return product(self.x, self.w_q), product(self.x, self.w_k), product(self.x, self.w_v)

    @cached_property
    def heads(self) -> tuple[Head, ...]:
        """Head i has the columns ``i*d_k + 1`` to ``(i + 1)*d_k``."""

        def part(m: Matrix, i: int) -> Matrix:
            return tuple(row[i * self.d_k : (i + 1) * self.d_k] for row in m)

        q, k, v = self.projected
        return tuple(Head(part(q, i), part(k, i), part(v, i), self.causal, self.scaling) for i in range(self.h))

    @cached_property
    def concatenated(self) -> tuple[tuple[Term, ...], ...]:
        """The outputs of all heads beside one another, (T, d_model)."""
        return tuple(tuple(s.term for head in self.heads for s in head.output[t]) for t in range(len(self.x)))

    @cached_property
    def output(self) -> tuple[tuple[Term, ...], ...]:
        """Concatenated heads times W^O, (T, d_model): one share of each head in every entry."""
        return tuple(tuple(self._entry(t, m) for m in range(self.width)) for t in range(len(self.x)))

    def _entry(self, t: int, m: int) -> Term:
        shares = []
        for i, head in enumerate(self.heads):
            parts = [s.times(self.w_o[i * self.d_k + c][m]) for c, s in enumerate(head.output[t])]
            mixed = parts[0]
            for p in parts[1:]:
                mixed = mixed + p
            shares.append(mixed)
        return total_of(shares)


def dots(a: Matrix, b: Matrix) -> list[list[Term]]:
    """The entries of ``a`` times transposed ``b`` with every product written out."""
    return [[_spelled(row, other) for other in b] for row in a]


def _spelled(a: Sequence[Fraction], b: Sequence[Fraction]) -> Term:
    parts = [mul(num(x), num(y)) for x, y in zip(a, b, strict=True)]
    return add(*parts) if len(parts) > 1 else parts[0]
