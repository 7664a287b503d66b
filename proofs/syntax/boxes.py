"""What a formula is made of on paper: the boxes that the layout makes and that every printer prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from proofs.syntax.names import split_name

Join = Literal["", "thin", "dot"]
RelationSign = Literal["eq", "le", "lt", "ne"]


@dataclass(frozen=True, slots=True)
class Number:
    """A numeral without sign: an integer, in linear text also a decimal. `grouped` asks for 1,234,567."""

    digits: str
    grouped: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a bound index, or ``e``."""

    text: str


@dataclass(frozen=True, slots=True)
class Signed:
    """``-body``"""

    body: Node


@dataclass(frozen=True, slots=True)
class Summand:
    """One summand after its sign; `marked` where the mark takes in the sign."""

    minus: bool
    body: Node
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """``a + b - c``"""

    terms: tuple[Summand, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors, and what stands between each two of them."""

    factors: tuple[Node, ...]
    joins: tuple[Join, ...]


@dataclass(frozen=True, slots=True)
class Fraction:
    """A fraction with a bar."""

    over: Node
    under: Node


@dataclass(frozen=True, slots=True)
class Slash:
    """A fraction on one line."""

    over: Node
    under: Node


@dataclass(frozen=True, slots=True)
class Scripted:
    """A base with subscripts, a superscript, or both."""

    base: Node
    sub: tuple[Node, ...] = ()
    sup: Node | None = None


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    body: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments in brackets; `builtin` for exp, ln, max, sqrt and if."""

    name: str
    args: tuple[Node, ...]
    builtin: bool = False


@dataclass(frozen=True, slots=True)
class Big:
    """A sum or a maximum over a range."""

    op: Literal["sum", "max"]
    index: Name
    lo: Node
    hi: Node
    body: Node


@dataclass(frozen=True, slots=True)
class ForAll:
    """``body`` for every index in a range; `from_one` where the range begins with the numeral 1."""

    index: Name
    lo: Node
    hi: Node
    body: Node
    from_one: bool


@dataclass(frozen=True, slots=True)
class Cases:
    """Two values, each with its condition."""

    then: Node
    condition: Node
    otherwise: Node
    negated: Node


@dataclass(frozen=True, slots=True)
class Vector:
    """An explicit vector, or an explicit tensor of rank three and more by its slices."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """An explicit matrix."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Family:
    """A tensor by its entry at general indices, in linear text and speech: elsewhere it is a subscript."""

    body: Node
    indices: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """``a = b`` and its kin."""

    sign: RelationSign
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Brackets:
    """Round brackets; `tall` where their contents are higher than a line."""

    body: Node
    tall: bool


@dataclass(frozen=True, slots=True)
class Marked:
    """A part that changed."""

    body: Node


Node = (
    Number | Name | Signed | Sum | Product | Fraction | Slash | Scripted | Root | Call | Big | ForAll | Cases
    | Vector | Matrix | Family | Relation | Brackets | Marked
)  # fmt: skip


def children(node: Node) -> Iterator[Node]:
    """The nodes right under `node`, from left to right."""
    match node:
        case Number() | Name():
            return
        case Signed(body) | Root(body) | Brackets(body) | Marked(body):
            yield body
        case Sum(terms):
            for s in terms:
                yield s.body
        case Product(factors=several) | Call(args=several) | Vector(several):
            yield from several
        case Fraction(a, b) | Slash(a, b) | Relation(left=a, right=b):
            yield from (a, b)
        case Scripted(base, sub, sup):
            yield base
            yield from sub
            if sup is not None:
                yield sup
        case Big(index=index, lo=lo, hi=hi, body=body) | ForAll(index=index, lo=lo, hi=hi, body=body):
            yield from (index, lo, hi, body)
        case Cases(then, condition, otherwise, negated):
            yield from (then, condition, otherwise, negated)
        case Matrix(rows):
            for row in rows:
                yield from row
        case Family(body, indices):
            yield body
            yield from indices


def bare(node: Node) -> Node:
    """`node` without the marks around it."""
    while isinstance(node, Marked):
        node = node.body
    return node


def is_tall(node: Node) -> bool:
    """Whether `node` is higher than a line of text with sub- and superscripts."""
    todo = [node]
    while todo:
        n = todo.pop()
        if isinstance(n, (Fraction, Big, Cases, Matrix)):
            return True
        todo.extend([n.base] if isinstance(n, Scripted) else children(n))
    return False


def _has_names(node: Node) -> bool:
    todo = [node]
    while todo:
        n = todo.pop()
        if isinstance(n, (Name, Sum)):
            return True
        todo.extend(children(n))
    return False


def is_small(node: Node) -> bool:
    """Whether `node` may stand in a fraction with a bar in running text."""
    count = 0
    todo = [node]
    while todo:
        n = bare(todo.pop())
        if isinstance(n, (Fraction, Slash, Big, Cases, Matrix, Vector, Call, Brackets, Family)):
            return False
        if isinstance(n, (Name, Number)):
            count += 1
        todo.extend(children(n))
    return count <= 3


def first_of(node: Node) -> Node:
    """The leftmost part of `node`."""
    while True:
        node = bare(node)
        if isinstance(node, Product):
            node = node.factors[0]
        elif isinstance(node, Scripted):
            node = node.base
        elif isinstance(node, Slash):
            node = node.over
        else:
            return node


def last_of(node: Node) -> Node:
    """The rightmost part of `node`."""
    while True:
        node = bare(node)
        if isinstance(node, Product):
            node = node.factors[-1]
        elif isinstance(node, Signed):
            node = node.body
        elif isinstance(node, Slash):
            node = node.under
        elif isinstance(node, Sum):
            node = node.terms[-1].body
        else:
            return node


def joins_between(factors: Sequence[Node]) -> tuple[Join, ...]:
    """What stands between each two factors."""
    return tuple(_join(a, b) for a, b in pairwise(factors))


def _join(left: Node, right: Node) -> Join:
    """What stands between two factors: a dot where juxtaposition could be read as something else."""
    ends, begins = last_of(left), first_of(right)
    digits = isinstance(ends, Number) or (isinstance(ends, Signed) and isinstance(bare(ends.body), Number))
    if isinstance(begins, Number):
        return "dot"
    if isinstance(begins, Big) or (isinstance(begins, Call) and begins.builtin):
        return ""
    if isinstance(begins, Fraction) and (digits or isinstance(ends, Fraction)):
        return "dot"
    named = bare(ends.base) if isinstance(ends, Scripted) else ends
    if isinstance(begins, (Brackets, Vector, Matrix)):
        remark = digits and not _has_names(begins)  # 2 (3) may be a remark
        applied = isinstance(named, Call) and named.builtin  # ln(x)(y) may be ln of both
        return "dot" if isinstance(named, Name) or remark or applied else "" if digits else "thin"
    if any(isinstance(n, Name) and split_name(n.text).upright for n in (named, begins)):
        return "dot" if not digits else "thin"
    return "" if digits else "thin"
