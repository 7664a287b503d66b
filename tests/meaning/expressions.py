"""Expressions of the tests of meaning: a tree of their own, written in the plain language and read back from it.

Nothing here knows the terms or the reader of the product, so that both can be held against each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

BINARY = frozenset("+-*/^")
UNARY = frozenset({"neg", "sqrt", "ln", "exp", "softmax"})
RELATIONS = ("<=", ">=", "!=", "=", "<", ">")


@dataclass(frozen=True)
class Expr:
    """One node.

    `op` is `num` (with `value`), `var` (with `name`), `neg`, `+`, `-`, `*`, `/`, `^`, `sqrt`, `ln`, `exp`, `softmax`,
    `max` (two or more arguments), `entry` (a tensor and its indices), `sum` or `over` (a sum or a maximum over a range:
    `name` is bound, the arguments are the bounds and the body), `if` (a relation and two branches), `list` (a vector
    that is written out) or a relation.
    """

    op: str
    args: tuple[Expr, ...] = ()
    name: str = ""
    value: Fraction = Fraction(0)

    def __str__(self) -> str:
        return write(self)

    def walk(self) -> Iterator[Expr]:
        """The nodes, the outermost first."""
        yield self
        for arg in self.args:
            yield from arg.walk()


@dataclass(frozen=True)
class Declaration:
    """`let name : sort`; an index has one dimension that bounds it, a tensor of reals one or more."""

    name: str
    sort: str
    dims: tuple[Expr, ...] = ()

    def __str__(self) -> str:
        return f"let {self.name} : {self.sort}" + (f"[{', '.join(map(str, self.dims))}]" if self.dims else "")


@dataclass(frozen=True)
class Hypothesis:
    """A relation, for all values of the binders in their ranges."""

    relation: Expr
    binders: tuple[Declaration, ...] = ()

    def __str__(self) -> str:
        if not self.binders:
            return str(self.relation)
        return f"{self.relation} for all {', '.join(str(b).removeprefix('let ') for b in self.binders)}"


@dataclass(frozen=True)
class Problem:
    """A derivation: what is declared and supposed, the claim, and the lines with the relation before each."""

    declarations: tuple[Declaration, ...]
    hypotheses: tuple[Hypothesis, ...]
    claim: Expr
    lines: tuple[tuple[str, Expr], ...]

    def __str__(self) -> str:
        head = [str(d) for d in self.declarations] + [f"suppose {h}" for h in self.hypotheses]
        lines = [f"  {op} {e}" if op else f"  {e}" for op, e in self.lines]
        return "\n".join([*head, f"claim {self.claim}", "proof", *lines]) + "\n"


def num(value: int | Fraction) -> Expr:
    """A numeral; a negative number or a fraction becomes an operation on numerals, as it would be typed."""
    value = Fraction(value)
    if value < 0:
        return Expr("neg", (num(-value),))
    if value.denominator != 1:
        return Expr("/", (num(value.numerator), num(value.denominator)))
    return Expr("num", (), "", value)


def var(name: str) -> Expr:
    return Expr("var", (), name)


def binary(op: str, left: Expr, right: Expr) -> Expr:
    return Expr(op, (left, right))


def entry(tensor: Expr, *indices: Expr) -> Expr:
    return Expr("entry", (tensor, *indices))


def summed(name: str, low: Expr, high: Expr, body: Expr) -> Expr:
    return Expr("sum", (low, high, body), name)


def largest(name: str, low: Expr, high: Expr, body: Expr) -> Expr:
    return Expr("over", (low, high, body), name)


# ---- writing ---------------------------------------------------------------------------------------------------------

_LEVEL = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "^": 4}


def write(e: Expr) -> str:
    """The plain text of an expression, with all brackets that could be missed."""
    match e.op:
        case "num":
            return str(e.value)
        case "var":
            return e.name
        case "+" | "-" | "*" | "/" | "^":
            left, right = e.args
            level = _LEVEL[e.op]
            lhs = write(left) if _level(left) >= level + (e.op == "^") else f"({write(left)})"
            rhs = write(right) if _level(right) > level else f"({write(right)})"
            return f"{lhs}^{rhs}" if e.op == "^" else f"{lhs} {e.op} {rhs}" if level == 1 else f"{lhs}{e.op}{rhs}"
        case "neg":
            return f"-{write(e.args[0])}" if _level(e.args[0]) >= 4 else f"-({write(e.args[0])})"
        case "entry":
            bare = e.args[0].op in {"var", "softmax", "entry", "list"}
            base = write(e.args[0]) if bare else f"({write(e.args[0])})"
            return f"{base}[{', '.join(map(write, e.args[1:]))}]"
        case "list":
            return f"[{', '.join(map(write, e.args))}]"
        case "sum" | "over":
            low, high, body = map(write, e.args)
            return f"{'sum' if e.op == 'sum' else 'max'}({e.name} = {low}..{high}, {body})"
        case _ if e.op in RELATIONS:
            return f"{write(e.args[0])} {e.op} {write(e.args[1])}"
    return f"{e.op}({', '.join(map(write, e.args))})"


def _level(e: Expr) -> int:
    return _LEVEL.get(e.op, 5)


# ---- changing --------------------------------------------------------------------------------------------------------


def replaced(e: Expr, name: str, by: Expr) -> Expr:
    """The expression with a free variable replaced; bound names are never those of the replacement."""
    if e.op == "var":
        return by if e.name == name else e
    if e.op in {"sum", "over"} and e.name == name:
        low, high, body = e.args
        return Expr(e.op, (replaced(low, name, by), replaced(high, name, by), body), e.name)
    if not e.args:
        return e
    return Expr(e.op, tuple(replaced(a, name, by) for a in e.args), e.name, e.value)


def at(e: Expr, path: tuple[int, ...], by: Expr) -> Expr:
    """The expression with the part at a path replaced."""
    if not path:
        return by
    k, *rest = path
    return Expr(e.op, (*e.args[:k], at(e.args[k], tuple(rest), by), *e.args[k + 1 :]), e.name, e.value)


def size(e: Expr) -> int:
    return 1 + sum(map(size, e.args))


# ---- reading ---------------------------------------------------------------------------------------------------------


class Unreadable(Exception):
    """The text is not in the small language of these tests."""


_TOKEN = re.compile(r"\s*(?:(\d+(?:\.(?!\.)\d+)?)|([A-Za-zα-ω]\w*)|(\.\.|<=|>=|!=|[-+*/^()\[\],=<>:]))")


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        place = 0
        text = text.rstrip()
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise Unreadable(text[place:])
            self.tokens.append(found.group().strip())
            place = found.end()
        self.place = 0

    def peek(self, ahead: int = 0) -> str:
        k = self.place + ahead
        return self.tokens[k] if k < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise Unreadable(f"{wanted or 'more'} expected at {' '.join(self.tokens[self.place :])}")
        self.place += 1
        return token

    def relation(self) -> Expr:
        left = self.sum()
        if self.peek() not in RELATIONS:
            raise Unreadable("no relation")
        op = self.take()
        return binary(op, left, self.sum())

    def sum(self) -> Expr:
        e = self.product()
        while self.peek() in {"+", "-"}:
            e = binary(self.take(), e, self.product())
        return e

    def product(self) -> Expr:
        e = self.signed()
        while self.peek() in {"*", "/"}:
            e = binary(self.take(), e, self.signed())
        return e

    def signed(self) -> Expr:
        if self.peek() == "-":
            self.take()
            return Expr("neg", (self.signed(),))
        base = self.postfix()
        if self.peek() == "^":
            self.take()
            return binary("^", base, self.signed())
        return base

    def postfix(self) -> Expr:
        e = self.atom()
        while self.peek() == "[":
            self.take()
            e = entry(e, *self.list("]"))
        return e

    def list(self, end: str) -> tuple[Expr, ...]:
        found = [self.sum()]
        while self.peek() == ",":
            self.take()
            found.append(self.sum())
        self.take(end)
        return tuple(found)

    def atom(self) -> Expr:
        token = self.take()
        if token == "(":
            e = self.sum()
            self.take(")")
            return e
        if token == "[":
            return Expr("list", self.list("]"))
        if token[0].isdigit():
            value = Fraction(token)
            return Expr("num", (), "", value) if value.denominator == 1 else num(value)
        if not (token[0].isalpha()):
            raise Unreadable(token)
        if self.peek() != "(":
            return var(token)
        self.take("(")
        if token in {"sum", "max"} and self.peek(1) == "=":
            name = self.take()
            self.take("=")
            low = self.sum()
            self.take("..")
            high = self.sum()
            self.take(",")
            body = self.sum()
            self.take(")")
            return Expr("sum" if token == "sum" else "over", (low, high, body), name)
        if token == "if":
            condition = self.relation()
            self.take(",")
            return Expr("if", (condition, *self.list(")")))
        if token not in UNARY | {"max"}:
            raise Unreadable(token)
        return Expr(token, self.list(")"))


def read(text: str) -> Expr:
    """The expression or relation in a text.

    Raises
    ------
    Unreadable
        Where the text is not in the small language of these tests.
    """
    reader = _Reader(text)
    e = reader.sum()
    if reader.peek() in RELATIONS:
        op = reader.take()
        e = binary(op, e, reader.sum())
    if reader.peek():
        raise Unreadable(" ".join(reader.tokens[reader.place :]))
    return e


def read_declaration(text: str) -> Declaration:
    """`n : size`, `i : index[n]`, `z : real[n, m]`."""
    name, _, sort = (part.strip() for part in text.partition(":"))
    if "[" not in sort:
        return Declaration(name, sort)
    head, _, dims = sort.partition("[")
    reader = _Reader(dims)
    return Declaration(name, head.strip(), reader.list("]"))


def read_hypothesis(text: str) -> Hypothesis:
    """`x != 0`, `z[j] != 0 for all j : index[n], k : index[m]`."""
    relation, _, binders = text.partition(" for all ")
    parts = re.split(r",\s*(?=[A-Za-z]\w*\s*:)", binders) if binders else []
    return Hypothesis(read(relation), tuple(read_declaration(p) for p in parts))


def read_problem(text: str) -> Problem:
    """A whole derivation, one item a line.

    Raises
    ------
    Unreadable
        Where something in it is not in the small language of these tests.
    """
    declarations: list[Declaration] = []
    hypotheses: list[Hypothesis] = []
    lines: list[tuple[str, Expr]] = []
    claim: Expr | None = None
    for raw in text.splitlines():
        line = raw.partition(" -- ")[0].strip()
        head, _, rest = line.partition(" ")
        if not line or line == "proof":
            continue
        if head == "let":
            declarations.append(read_declaration(rest))
        elif head == "suppose":
            hypotheses.append(read_hypothesis(rest))
        elif head == "claim":
            claim = read(rest)
        elif head in RELATIONS:
            lines.append((head, read(rest)))
        else:
            lines.append(("", read(line)))
    if claim is None or claim.op not in RELATIONS:
        raise Unreadable("no claim")
    return Problem(tuple(declarations), tuple(hypotheses), claim, tuple(lines))
