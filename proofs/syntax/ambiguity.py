"""What people read in two ways: both readings as trees, and what in a tree tells that there are two."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence as Many
from dataclasses import replace

from proofs.syntax.as_read import as_read
from proofs.syntax.faults import Span, SyntaxFault
from proofs.syntax.nodes import (
    Apply, Bind, Entry, Frac, Name, Neg, Node, Number, Operator, Percent, Power, Product, Sum, children, walk,
)  # fmt: skip

MAX_READING = 400


def two(span: Span, one: Node, other: Node) -> SyntaxFault:
    """The fault of a text that can be read in two ways, with both written out."""
    return SyntaxFault("two-readings", span, {"one": as_read(one)[:MAX_READING], "other": as_read(other)[:MAX_READING]})


def times(factors: Many[Node], operators: Many[Operator]) -> Node:
    """Factors with the operators between them as one node."""
    if len(factors) == 1:
        return factors[0]
    return Product((factors[0].span[0], factors[-1].span[1]), tuple(factors), tuple(operators))


def beside(a: Node, b: Node) -> Node:
    """``a b``."""
    first = (a.factors, a.operators) if isinstance(a, Product) else ((a,), ())
    second = (b.factors, b.operators) if isinstance(b, Product) else ((b,), ())
    return times((*first[0], *second[0]), (*first[1], "", *second[1]))


def apart(a: Node, b: Node) -> Node:
    """``a / b``."""
    return Frac((a.span[0], b.span[1]), a, b)


def open_exponent(exponent: Node, latex: bool) -> bool:
    """Whether an exponent without brackets may go on behind a stroke: ``e^x/2``, ``e^-x/2``, ``x^1/2``; not ``x^2/2``.

    In LaTeX a name is raised alone, and seen to be.
    """
    if isinstance(exponent, Number):
        return exponent.value == 1
    return isinstance(exponent, Neg) or (isinstance(exponent, (Name, Entry)) and not latex)


def continues(exponent: Node, under: Node) -> bool:
    """Whether `under` may stand below `exponent`: a numeral or name; behind a sign also a product, as in (2*s^2)."""
    if isinstance(under, (Name, Number)):
        return True
    parts = [n for n, _ in walk(under)]
    plain = all(isinstance(n, (Number, Name, Product, Power)) and getattr(n, "name", "") != "e" for n in parts)
    return isinstance(exponent, Neg) and plain


def narrower(node: Apply) -> Node | None:
    """What ``f{a b}`` is to whom the braces are not printed: ``f(a) b``; None where all of it is one factor."""
    whole = node.arguments[0]
    inner = whole.operand if isinstance(whole, Neg) else whole

    def at(part: Node) -> Node:
        return replace(node, arguments=(Neg(whole.span, part) if isinstance(whole, Neg) else part, *node.arguments[1:]))

    if isinstance(inner, Product):
        return replace(inner, factors=(at(inner.factors[0]), *inner.factors[1:]))
    if isinstance(inner, Sum):
        first = inner.operands[0]
        begins = first.factors[0] if isinstance(first, Product) else first
        if begins is first:
            return replace(inner, operands=(at(first), *inner.operands[1:]))
        made = replace(first, factors=(at(begins), *first.factors[1:])) if isinstance(first, Product) else first
        return replace(inner, operands=(made, *inner.operands[1:]))
    return None


def remark(inside: Node) -> bool:
    """Whether what stands in a bracket is one value without names, as in ``0.5 (50%)``: a remark, or a factor."""
    if isinstance(inside, (Sum, Neg)):
        return False
    return not any(isinstance(n, Name) and n.name != "e" for n, _ in walk(inside)) and not _is_sequence(inside)


def _is_sequence(node: Node) -> bool:
    return not isinstance(node, (Number, Percent, Power, Product, Frac, Apply, Name))


def derivative(over: Node, under: Node, known: Callable[[str], bool]) -> bool:
    """Whether a quotient is written like a derivative: ``d/dx``, ``dy/dx``, ``d^2 y/dx^2``."""
    return _differential(over, known, alone=True) and _differential(under, known, alone=False)


def _differential(node: Node, known: Callable[[str], bool], *, alone: bool) -> bool:
    """Whether `node` is ``d``, ``d^2``, or one of these before something else; `alone` is whether it may be all."""
    first = node
    if isinstance(node, Power):  # dx^2 where dx is no declared name
        return _differential(node.base, known, alone=alone)
    if isinstance(node, Product):
        if not node.implicit or len(node.factors) != 2:
            return False
        first = node.factors[0]
        alone = True
    if isinstance(first, Power):
        first = first.base
    if not isinstance(first, Name):
        return False
    if first.name == "d":
        return alone
    return not isinstance(node, Product) and first.name[:1] == "d" and len(first.name) > 1 and not known(first.name)


def mentions(node: Node, name: str) -> bool:
    """Whether the name stands in `node` where no sum or maximum binds it."""
    waiting = [node]
    while waiting:
        n = waiting.pop()
        if isinstance(n, Name) and n.name == name:
            return True
        if isinstance(n, Bind) and n.name == name:
            waiting.extend(e for e in (n.low, n.high) if e is not None)
            continue
        waiting.extend(children(n))
    return False


def big_index(node: Node, bare: Collection[Bind]) -> Bind | None:
    """The sum or maximum without brackets that `node` ends with, if it does."""
    while True:
        if isinstance(node, Neg):
            node = node.operand
        elif isinstance(node, Product):
            node = node.factors[-1]
        elif isinstance(node, Bind):
            return node if any(node is b for b in bare) else None
        elif isinstance(node, Apply) and len(node.arguments) == 1:
            node = node.arguments[0]
        else:
            return None


def with_body(node: Node, bind: Bind, body: Node) -> Node:
    """`node` with another body for the sum that it ends with."""
    if node is bind:
        return replace(bind, body=body)
    if isinstance(node, Neg):
        return replace(node, operand=with_body(node.operand, bind, body))
    if isinstance(node, Product):
        return replace(node, factors=(*node.factors[:-1], with_body(node.factors[-1], bind, body)))
    if isinstance(node, Apply):
        return replace(node, arguments=(with_body(node.arguments[0], bind, body),))
    return node


def shorter(bind: Bind) -> tuple[Bind, Node, Operator] | None:
    """A sum of a product as one of its first factors, and the rest, where the rest has nothing to do with the index."""
    body = bind.body
    if not isinstance(body, Product):
        return None
    cut = next((k for k, f in enumerate(body.factors) if k and not mentions(f, bind.name)), None)
    if cut is None or any(mentions(f, bind.name) for f in body.factors[cut:]):
        return None
    first = times(body.factors[:cut], body.operators[: cut - 1])
    return replace(bind, body=first), times(body.factors[cut:], body.operators[cut:]), body.operators[cut - 1]
