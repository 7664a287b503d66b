"""Chains of matrices: each entry proved by itself, the matrix put together by the kernel, names for what is given.

A name such as ``Q`` stands for a definition without arguments, so that a line shows where its numbers come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from derive.definitions import signatures
from derive.library import printed_chain
from derive.sheets.blocks import Chain as PrintedChain
from derive.sheets.blocks import Display, Formula
from derive.errors import NotProved
from derive.worked.steps import in_words, known_reasons
from proofs import kernel
from proofs.calc import ARITHMETIC, Chain, Line, joined
from proofs.context import Context, definitions_in
from proofs.defined import established, undefined
from proofs.justify import prove
from proofs.kernel import Theorem
from proofs.record import Established, replays
from proofs.statement import Statement
from proofs.syntax.explicit import explicit_tensor, selected
from proofs.terms import Definition, Term, apply, entry, mul, num, rebuild, relation, total, unfold, var, when

Row: TypeAlias = Sequence[Term]
Rows: TypeAlias = Sequence[Row]
Step: TypeAlias = tuple[Rows, Sequence[str]]

AGREE = 1e-12
_I, _J, _S = (var(n, "integer") for n in "ijs")


def tensor(rows: Rows) -> Term:
    """The matrix with these entries."""
    return explicit_tensor(tuple(tuple(r) for r in rows))


def numerals(m: Sequence[Sequence[Fraction]]) -> list[list[Term]]:
    """The entries of a matrix of rational numbers as terms."""
    return [[num(x) for x in row] for row in m]


@dataclass(frozen=True)
class Named:
    """A matrix that a solution calls by a name."""

    name: str
    rows: tuple[tuple[Term, ...], ...]

    @staticmethod
    def of(name: str, rows: Rows) -> Named:
        return Named(name, tuple(tuple(r) for r in rows))

    @property
    def matrix(self) -> Term:
        return tensor(self.rows)

    @property
    def term(self) -> Term:
        return apply(Definition(self.name, (), self.matrix, 0))

    @property
    def shown(self) -> Display:
        """``Q = ...``"""
        return Display(Formula(relation("eq", self.term, self.matrix)))


def times(a: Named, b: Named) -> list[list[Term]]:
    """The product of two matrices before it is worked out: ``sum(s = 1..n, A[t,s]*B[s,c])`` in every entry."""
    n, left, right = num(len(b.rows)), a.term, b.term

    def at(t: int, c: int) -> Term:
        return total(_S, num(1), n, mul(entry(left, num(t + 1), _S), entry(right, _S, num(c + 1))))

    return [[at(t, c) for c in range(len(b.rows[0]))] for t in range(len(a.rows))]


def matrix_chain(first: Rows, steps: Sequence[Step]) -> PrintedChain:
    """The chain ``first = ... = last`` of matrices of one shape, proved, replayed, and tried with NumPy.

    Raises
    ------
    NotProved
        If an entry is not proved, or the second verifier or the numbers do not confirm the whole.
    """
    return _chain([(first, ()), *steps], tensor)


def row_chain(first: Row, steps: Sequence[tuple[Row, Sequence[str]]]) -> PrintedChain:
    """The same for vectors: one row of a matrix, say."""
    return _chain([((first,), ()), *(((row,), reasons) for row, reasons in steps)], vector)


def vector(rows: Rows) -> Term:
    """The only row as a vector."""
    (row,) = rows
    return explicit_tensor(tuple(row))


def _chain(steps: Sequence[Step], made: Callable[[Rows], Term]) -> PrintedChain:
    ctx = Context(())
    kept: list[Step] = []
    for rows, reasons in steps:
        if not kept or made(rows) != made(kept[-1][0]):
            kept.append((rows, known_reasons(reasons)))
    values: list[Established] = []
    for k, (rows, _) in enumerate(kept):
        for n, x in enumerate(dict.fromkeys(x for row in rows for x in row)):
            if undefined(x, ctx):
                raise NotProved(x)
            values += established(f"line-{k}-entry-{n}", x, ctx)
    lines = [Line(None, made(kept[0][0]))]
    for (before, _), (after, reasons) in pairwise(kept):
        theorem = _equal(made(before), before, after, reasons, ctx)
        lines.append(Line("eq", made(after), tuple(reasons), theorem))
    statement = Statement((), (), relation("eq", lines[0].term, lines[-1].term))
    whole = joined(statement.claim, lines, ctx)
    if whole is None or not replays((Established("instance", statement.claim, whole), *values), statement):
        raise NotProved(statement.claim)
    _tried(kept[0][0], kept[-1][0])
    shown = tuple(Line(line.relation, _by_name(line.term), line.reasons) for line in lines)
    return in_words(printed_chain(Chain(statement, shown, whole)))


def _by_name(t: Term) -> Term:
    """`t` with a variable for every name of a matrix, which is printed with its indices like any other tensor."""
    if isinstance(t.data, Definition) and not t.args:
        return var(t.data.name, "real", t.rank)
    args = tuple(map(_by_name, t.args))
    return t if args == t.args else rebuild(t, args)


def _equal(whole: Term, before: Rows, after: Rows, reasons: Sequence[str], ctx: Context) -> Theorem:
    """Two matrices (or vectors) are equal since their entries are: the theorem between the two comprehensions."""
    codes = [r for r in reasons if r != ARITHMETIC]
    known: dict[tuple[Term, Term], Theorem] = {}

    def same(x: Term, y: Term) -> Theorem:
        if (x, y) not in known:
            found = kernel.congruence(x, {}) if x == y else prove(relation("eq", x, y), ctx, codes)
            if found is None:
                raise NotProved(relation("eq", x, y))
            known[x, y] = found
        return known[x, y]

    rows = [
        _chosen(_J, row, [same(x, y) for x, y in zip(row, other, strict=True)])
        for row, other in zip(before, after, strict=True)
    ]
    if whole.rank == 1:
        return kernel.under(whole, rows[0], (_J,))
    body = _chosen(_I, [selected(_J, row) for row in before], rows)
    return kernel.under(whole, body, (_I, _J))


def _chosen(index: Term, values: Sequence[Term], theorems: Sequence[Theorem]) -> Theorem:
    """``if(index = 1, a, if(index = 2, b, ...))`` with each value replaced as its theorem says."""
    done, rest = theorems[-1], values[-1]
    for k in range(len(values) - 1, 0, -1):
        rest = when(relation("eq", index, num(k)), values[k - 1], rest)
        done = kernel.branch(rest, theorems[k - 1], done)
    return done


def _tried(before: Rows, after: Rows) -> None:
    """Both matrices in float64, with the names taken apart."""
    from derive.numbers import in_float64

    for row, other in zip(before, after, strict=True):
        for x, y in zip(row, other, strict=True):
            a, b = (float(in_float64(unfold(t, definitions_in(t) - set(signatures())), {})) for t in (x, y))
            if not abs(a - b) <= AGREE * max(1.0, abs(a)):
                raise NotProved(relation("eq", x, y))
