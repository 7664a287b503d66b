"""What was typed, as a tree: one for plain text and LaTeX, before sorts and dimensions are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from proofs.syntax.faults import Span

RelationSign = Literal["=", "<=", "<", ">=", ">", "!="]
Bracket = Literal["(", "[", "{", ""]
Operator = Literal["*", "/", ""]


@dataclass(frozen=True, slots=True)
class Node:
    """A part of what was typed; `span` is its half-open range of characters."""

    span: Span


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A numeral: its exact value, and its literal text with separators and suffix."""

    value: Fraction
    text: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name in its plain form (`d_model`, `alpha`), declared or not."""

    name: str


@dataclass(frozen=True, slots=True)
class Special(Node):
    """What is no number of the language and may be an answer: infinity, not-a-number."""

    name: Literal["inf", "nan"]


@dataclass(frozen=True, slots=True)
class Neg(Node):
    """``-operand``."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """``a + b - c`` as ``(a, b, Neg(c))``; at least two operands."""

    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product(Node):
    """``a * b / c d``: factors from left to right, and the operator before each but the first, ``""`` if none."""

    factors: tuple[Node, ...]
    operators: tuple[Operator, ...]

    @property
    def implicit(self) -> bool:
        """Nothing but factors beside one another."""
        return not any(self.operators)


@dataclass(frozen=True, slots=True)
class Frac(Node):
    r"""``\frac{a}{b}``."""

    numerator: Node
    denominator: Node


@dataclass(frozen=True, slots=True)
class Power(Node):
    """``base ^ exponent``."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Factorial(Node):
    """``operand!``."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Percent(Node):
    """``operand %``."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A built-in function or a definition at its arguments.

    Built in: `exp`, `ln`, `log` (its base second, where one is given), `sqrt` (its degree second, where one is
    given), `max`, `sum`, `abs`, `if`, `binom`.
    """

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Bind(Node):
    """``sum(name = low..high, body)`` or ``max(...)``; without a range where none was written."""

    kind: Literal["sum", "max"]
    name: str
    low: Node | None
    high: Node | None
    body: Node


@dataclass(frozen=True, slots=True)
class Entry(Node):
    """``base[i, j]``, or ``base_{i,j}`` with `subscript` set to the text under the base."""

    base: Node
    indices: tuple[Node, ...]
    subscript: str | None = None


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """A vector, tuple or list, by its bracket: ``""`` for bare items with commas, ``{`` for a set."""

    bracket: Bracket
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """A matrix written in rows; all have one length."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Relation(Node):
    """``left sign right``."""

    sign: RelationSign
    left: Node
    right: Node


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below `node`, from left to right."""
    parts: tuple[str, ...] = type(node).__match_args__[1:]
    for name in parts:
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            for v in value:
                if isinstance(v, Node):
                    yield v
                elif isinstance(v, tuple):
                    yield from (w for w in v if isinstance(w, Node))


def walk(node: Node) -> Iterator[tuple[Node, int]]:
    """Every node with its depth, the root at 1."""
    waiting = [(node, 1)]
    while waiting:
        n, depth = waiting.pop()
        yield n, depth
        waiting.extend((c, depth + 1) for c in children(n))
