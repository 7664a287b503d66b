"""A tree as plain text with every sign in it: how a text was read, where that differs in form from the typing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from proofs.syntax import nodes
from proofs.syntax.nodes import Node

# How tightly the outermost sign of a text binds.
_RELATION, _SUM, _PRODUCT, _POWER, _ATOM = range(5)


def as_read(node: Node, ranks: Mapping[str, int] | None = None) -> str:
    """`node` in the language of a derivation file, with ``*`` for every product and brackets round every argument.

    `ranks` are the numbers of axes of declared tensors, where these are known.
    """
    return _Writer(ranks or {}).text(node, _RELATION)


def as_operand(node: Node) -> str:
    """The same, in brackets where more than one sign of it would be cut off by a power."""
    return _Writer({}).text(node, _ATOM)


def numeral(value: Fraction) -> str:
    """A numeral in full: an integer, a decimal where there is a finite one, else a quotient."""
    if value.denominator == 1:
        return str(value.numerator)
    rest, places = value.denominator, 0
    for p in (2, 5):
        count = 0
        while rest % p == 0:
            rest, count = rest // p, count + 1
        places = max(places, count)
    if rest != 1:
        return f"({value.numerator}/{value.denominator})"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _may_go_on(node: Node) -> bool:
    """Whether a stroke behind `node` could be taken for a part of its exponent, as in ``e^x/2``."""
    if not isinstance(node, nodes.Power):
        return False
    exponent = node.exponent
    one = isinstance(exponent, nodes.Number) and exponent.value == 1
    return one or isinstance(exponent, (nodes.Name, nodes.Entry))


class _Writer:
    def __init__(self, ranks: Mapping[str, int]) -> None:
        self.ranks = ranks

    def text(self, node: Node, least: int) -> str:
        """`node`, in brackets where it binds less tightly than `least`."""
        made, level = self.written(node)
        return made if level >= least else f"({made})"

    def listed(self, items: tuple[Node, ...]) -> str:
        return ", ".join(self.text(i, _RELATION) for i in items)

    def written(self, node: Node) -> tuple[str, int]:
        match node:
            case nodes.Number(value=value, text=text):
                return (text if text.isdecimal() else numeral(value)), _ATOM
            case nodes.Name(name=name) | nodes.Special(name=name):
                return name, _ATOM
            case nodes.Neg(operand=a):
                return f"-{self.text(a, _PRODUCT)}", _SUM
            case nodes.Sum(operands=parts):
                return self.sum(parts), _SUM
            case nodes.Product(factors=factors, operators=operators):
                return self.product(factors, operators), _PRODUCT
            case nodes.Frac(numerator=a, denominator=b):
                over = f"({self.text(a, _RELATION)})" if _may_go_on(a) else self.text(a, _PRODUCT)
                return f"{over}/{self.text(b, _POWER)}", _PRODUCT
            case nodes.Power(base=a, exponent=b):
                return f"{self.text(a, _ATOM)}^{self.text(b, _ATOM)}", _POWER
            case nodes.Factorial(operand=a):
                return f"{self.text(a, _ATOM)}!", _POWER
            case nodes.Percent(operand=a):
                return f"{self.text(a, _PRODUCT)}/100", _PRODUCT
            case nodes.Apply():
                return self.applied(node)
            case nodes.Bind(kind=kind, name=name, low=low, high=high, body=body):
                ends = f" = {self.text(low, _SUM)}..{self.text(high, _SUM)}" if low and high else ""
                return f"{kind}({name}{ends}, {self.text(body, _RELATION)})", _ATOM
            case nodes.Entry():
                return f"{self.text(node.base, _ATOM)}[{self.listed(self.indices(node))}]", _ATOM
            case nodes.Sequence(bracket=bracket, items=items):
                if bracket == "":
                    return self.listed(items), _RELATION
                return f"{bracket}{self.listed(items)}{ {'(': ')', '[': ']', '{': '}'}[bracket] }", _ATOM
            case nodes.Matrix(rows=rows):
                return f"[{'; '.join(map(self.listed, rows))}]", _ATOM
            case nodes.Relation(sign=sign, left=a, right=b):
                return f"{self.text(a, _SUM)} {sign} {self.text(b, _SUM)}", _RELATION
        raise TypeError(f"no text for {type(node).__name__}")

    def sum(self, parts: tuple[Node, ...]) -> str:
        out = ""
        for k, part in enumerate(parts):
            minus = isinstance(part, nodes.Neg)
            inner = part.operand if isinstance(part, nodes.Neg) else part
            sign = ("-" if minus else "") if not k else " - " if minus else " + "
            out += sign + self.text(inner, _PRODUCT)
        return out

    def product(self, factors: tuple[Node, ...], operators: tuple[nodes.Operator, ...]) -> str:
        # A quotient may stand first; behind a sign it needs its brackets, and so does a product.
        first = factors[0]
        based = isinstance(first, nodes.Apply) and first.function == "log" and len(first.arguments) == 2
        out, divided = self.text(first, _PRODUCT), based or isinstance(first, (nodes.Frac, nodes.Percent))
        divided = divided or (isinstance(first, nodes.Product) and first.operators[-1] == "/")
        if operators[0] == "/" and _may_go_on(first):
            out = f"({out})"
        for k, (sign, factor) in enumerate(zip(operators, factors[1:], strict=True), 1):
            if divided and sign != "/":  # so that nobody takes the factor for a part of the denominator
                out = f"({out})"
            divided = sign == "/"
            more = self.text(factor, _POWER)
            out += (sign or "*") + (f"({more})" if operators[k:][:1] == ("/",) and _may_go_on(factor) else more)
        return out

    def applied(self, node: nodes.Apply) -> tuple[str, int]:
        name, args = node.function, node.arguments
        if name == "sqrt" and len(args) == 2:
            return f"{self.text(args[0], _ATOM)}^(1/{self.text(args[1], _POWER)})", _POWER
        if name == "log" and len(args) == 2:
            return f"ln({self.text(args[0], _RELATION)})/ln({self.text(args[1], _RELATION)})", _PRODUCT
        return f"{'ln' if name == 'log' else name}({self.listed(args)})", _ATOM

    def indices(self, node: nodes.Entry) -> tuple[Node, ...]:
        """The indices of ``X_{tm}``, where they stand side by side, one by one."""
        only = node.indices[0]
        spelled = node.subscript is not None and len(node.indices) == 1
        if not (spelled and isinstance(only, nodes.Product) and only.implicit):
            return node.indices
        names = all(isinstance(f, nodes.Name) for f in only.factors)
        rank = self.ranks.get(node.base.name) if isinstance(node.base, nodes.Name) else None
        apart = names if rank is None else rank == len(only.factors)
        return only.factors if apart else node.indices
