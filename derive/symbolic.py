"""Terms of the proof language to SymPy and back. SymPy is a source of ideas; nothing it says counts as proved.

Going to SymPy loses what SymPy does while it builds an expression (``x/x`` becomes 1); coming back, only numbers,
symbols, sums, products, integer powers, square roots, exp, log and Max are read, and anything else is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import (
    Add, Eq, Expr, Indexed, IndexedBase, Integer, Le, Lt, Max, Mul, Ne, Piecewise, Pow, Rational, S, Sum, Symbol, exp,
    log, sqrt,
)  # fmt: skip

from proofs import terms as t
from proofs.context import definitions_in
from proofs.terms import Term


class NotSymbolic(ValueError):
    """An expression or a term that has no counterpart on the other side."""


def to_sympy(term: Term) -> Expr:
    """The SymPy expression of a number; definitions are unfolded first, bound indices get names of their own."""
    return _Writer().write(t.unfold(term, definitions_in(term)))


class _Writer:
    def __init__(self) -> None:
        self.fresh = 0

    def write(self, x: Term) -> Expr:
        a = x.args
        match x.op:
            case "num":
                q = Fraction(x.data)  # type: ignore[arg-type]
                return Rational(q.numerator, q.denominator)
            case "var":
                return Symbol(str(x.data), integer=True) if x.sort == "integer" else Symbol(str(x.data), real=True)
            case "add":
                return Add(*map(self.write, a))
            case "mul":
                return Mul(*map(self.write, a))
            case "neg":
                return -self.write(a[0])
            case "div":
                return self.write(a[0]) / self.write(a[1])
            case "pow":
                return self.write(a[0]) ** self.write(a[1])
            case "sqrt" | "exp" | "ln":
                return {"sqrt": sqrt, "exp": exp, "ln": log}[x.op](self.write(a[0]))
            case "max":
                return Max(*map(self.write, a))
            case "entry" if a[0].op == "var":
                return Indexed(IndexedBase(str(a[0].data)), *map(self.write, a[1:]))
            case "sum":
                self.fresh += 1
                index = t.var(f"_i{self.fresh}", "integer")
                body = self.write(t.instantiate(a[2], (index,)))
                return Sum(body, (self.write(index), self.write(a[0]), self.write(a[1])))
            case "if":
                return Piecewise((self.write(a[1]), self._condition(a[0])), (self.write(a[2]), True))
        raise NotSymbolic(x.op)

    def _condition(self, p: Term) -> Any:
        made = {"eq": Eq, "le": Le, "lt": Lt, "ne": Ne}[p.op]
        return made(self.write(p.args[0]), self.write(p.args[1]))


def to_term(expression: Expr, variables: Mapping[str, Term]) -> Term:
    """The term of a SymPy expression over the given variables.

    Raises
    ------
    NotSymbolic
        For anything that the proof language has no word for, and for symbols that are not among `variables`.
    """
    e = S(expression) if isinstance(expression, int) else expression
    if isinstance(e, Rational):
        return t.num(Fraction(int(e.p), int(e.q)))
    if e is S.Exp1:
        return t.exp(t.num(1))
    if isinstance(e, Symbol):
        if e.name not in variables:
            raise NotSymbolic(e.name)
        return variables[e.name]
    parts = [to_term(a, variables) for a in e.args] if isinstance(e, Add | Mul | Max) else []
    if isinstance(e, Add):
        return t.add(*parts)
    if isinstance(e, Mul):
        return t.mul(*parts)
    if isinstance(e, Max) and len(parts) == 2:
        return t.maximum(*parts)
    if isinstance(e, exp):
        return t.exp(to_term(e.args[0], variables))
    if isinstance(e, log):
        return t.ln(to_term(e.args[0], variables))
    if isinstance(e, Pow):
        base, exponent = e.args
        if base is S.Exp1:
            return t.exp(to_term(exponent, variables))
        if exponent == S.Half:
            return t.sqrt(to_term(base, variables))
        if exponent == -S.Half:
            return t.div(t.num(1), t.sqrt(to_term(base, variables)))
        if isinstance(exponent, Integer) and exponent < 0:
            inverse = to_term(base, variables)
            return t.div(t.num(1), inverse if exponent == -1 else t.power(inverse, t.num(-int(exponent))))
        return t.power(to_term(base, variables), to_term(exponent, variables))
    raise NotSymbolic(type(e).__name__)
