"""Truth of propositions in small models, written for the tests alone.

A model gives every variable a value and fixes, as it likes, all that the kernel leaves open: 1/0, roots of negative
numbers, logarithms of what is not positive, negative powers of 0, the maximum over an empty range. A
number is a fraction as long as it can be, else an interval that certainly contains it; a proposition is true,
false, or None where the intervals don't decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import isqrt
from random import Random
from typing import Any

from mpmath import iv

from proofs.terms import Definition, Term

Number = Any  # a Fraction or an mpmath interval
OPEN = (0, 1, -1, 2, -2, Fraction(1, 2), Fraction(-7, 3))
REALS = tuple(Fraction(q) for q in ("0", "1", "-1", "2", "-2", "1/2", "-1/2", "3", "3/2", "-7/3", "1/3"))
INTEGERS = (0, 1, 2, 3, -1, -2, 4)
MAX_RANGE, MAX_INNER_RANGE = 600, 12
MAX_POWER = 1_000
MAX_BITS = 100_000


class TooFar(ArithmeticError):
    """A range or a power that is too large to be tried."""


@dataclass
class Model:
    """Values of variables, drawn when they are first asked for, and of all that is left open, the same everywhere."""

    random: Random
    values: dict[object, Any] = field(default_factory=dict)
    open: dict[object, Fraction] = field(default_factory=dict)

    def drawn(self, key: object, choices: Sequence[Any]) -> Fraction:
        return self._kept(self.values, key, choices)

    def unspecified(self, key: object, choices: Sequence[Any] = OPEN) -> Fraction:
        return self._kept(self.open, key, choices)

    def _kept(self, known: dict[object, Any], key: object, choices: Sequence[Any]) -> Fraction:
        if key not in known:
            known[key] = Fraction(self.random.choice(choices))
        return known[key]

    def number(self, t: Term, scope: tuple[int, ...] = ()) -> Number:
        op, args = t.op, t.args
        if op == "num":
            return Fraction(t.data)
        if op == "var":
            return self.drawn(t, INTEGERS if t.sort == "integer" else REALS)
        if op == "bound":
            return Fraction(scope[-1 - int(t.data)])
        if op == "if":
            holds = self.holds(args[0], scope)
            return self.number(args[1] if holds else args[2], scope)
        if op in ("sum", "maxof"):
            values = [self.number(args[2], (*scope, k)) for k in self.range(t, scope)]
            if op == "sum":
                return reduce(_plus, values, Fraction(0))
            return reduce(_greater, values) if values else self.unspecified("empty", INTEGERS)
        if op == "entry":
            return self.entry(args[0], tuple(int(self.number(a, scope)) for a in args[1:]), scope)
        if op == "app":
            return self.applied(t, scope).number(t.data.body)
        values = [self.number(a, scope) for a in args]
        if op in ("add", "mul", "max"):
            return reduce({"add": _plus, "mul": _times, "max": _greater}[op], values)
        if op == "neg":
            return -values[0]
        if op == "div":
            return _times(values[0], self.inverse(values[1]))
        if op == "pow":
            return self.power(values[0], int(values[1]))
        return {"exp": self.exp, "ln": self.ln, "sqrt": self.sqrt}[op](values[0])

    def applied(self, t: Term, scope: tuple[int, ...]) -> Model:
        assert isinstance(t.data, Definition)
        inner = Model(self.random, {}, self.open)
        for p, a in zip(t.data.parameters, t.args, strict=True):
            inner.values[p] = (lambda *at, a=a: self.entry(a, at, scope)) if p.rank else self.number(a, scope)
        return inner

    def entry(self, tensor: Term, at: tuple[int, ...], scope: tuple[int, ...]) -> Number:
        if tensor.op == "lam":
            return self.number(tensor.args[0], (*scope, *at))
        if tensor.op == "app":
            return self.applied(tensor, scope).entry(tensor.data.body, at, ())
        known = self.values.get(tensor)
        return known(*at) if known is not None else self.drawn((tensor, at), REALS)

    def range(self, t: Term, scope: tuple[int, ...]) -> Sequence[int]:
        lo, hi = (int(self.number(a, scope)) for a in t.args[:2])
        if hi - lo > (MAX_INNER_RANGE if scope else MAX_RANGE):
            raise TooFar
        return range(lo, hi + 1)

    def inverse(self, x: Number) -> Number:
        if isinstance(x, Fraction):
            return 1 / x if x else self.unspecified("1/0")
        if 0 in x:
            raise TooFar
        return 1 / x

    def power(self, x: Number, n: int) -> Number:
        if abs(n) > MAX_POWER:
            raise TooFar
        if isinstance(x, Fraction):
            if abs(n) * max(x.numerator.bit_length(), x.denominator.bit_length()) > MAX_BITS:
                raise TooFar
            return x**n if x or n >= 0 else self.unspecified(("0^", n))
        if n < 0 and 0 in x:
            raise TooFar
        return x**n

    def exp(self, x: Number) -> Number:
        return Fraction(1) if x == 0 and isinstance(x, Fraction) else iv.exp(_interval(x))

    def ln(self, x: Number) -> Number:
        if isinstance(x, Fraction):
            if x <= 0:
                return self.unspecified(("ln", x))
            return Fraction(0) if x == 1 else iv.log(_interval(x))
        if not x.a > 0:
            raise TooFar
        return iv.log(x)

    def sqrt(self, x: Number) -> Number:
        if isinstance(x, Fraction):
            if x < 0:
                return self.unspecified(("sqrt", x))
            p, q = isqrt(x.numerator), isqrt(x.denominator)
            return Fraction(p, q) if Fraction(p, q) ** 2 == x else iv.sqrt(_interval(x))
        if x.a < 0:
            raise TooFar
        return iv.sqrt(x)

    def holds(self, p: Term, scope: tuple[int, ...] = ()) -> bool | None:
        if p.op == "forall":
            each = [self.holds(p.args[2], (*scope, k)) for k in self.range(p, scope)]
            return False if False in each else None if None in each else True
        if p.args[0].rank:
            return self.same_tensor(*p.args, scope)
        a, b = (self.number(x, scope) for x in p.args)
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return {"eq": a == b, "ne": a != b, "le": a <= b, "lt": a < b}[p.op]
        a, b = _interval(a), _interval(b)
        if a.b < b.a:
            return p.op != "eq"
        if b.b < a.a:
            return p.op == "ne"
        return None

    def same_tensor(self, a: Term, b: Term, scope: tuple[int, ...]) -> bool | None:
        """False if the two differ somewhere near; never certainly true."""
        if a == b:
            return True
        for k in range(-1, 4):
            x, y = (self.entry(t, (k,) * a.rank, scope) for t in (a, b))
            if isinstance(x, Fraction) and isinstance(y, Fraction) and x != y:
                return False
        return None


def _interval(x: Number) -> Any:
    return iv.mpf(x.numerator) / iv.mpf(x.denominator) if isinstance(x, Fraction) else x


def _both(x: Number, y: Number) -> tuple[Number, Number]:
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x, y
    return _interval(x), _interval(y)


def _plus(x: Number, y: Number) -> Number:
    x, y = _both(x, y)
    return x + y


def _times(x: Number, y: Number) -> Number:
    if Fraction(0) in (z for z in (x, y) if isinstance(z, Fraction)):
        return Fraction(0)
    x, y = _both(x, y)
    return x * y


def _greater(x: Number, y: Number) -> Number:
    x, y = _both(x, y)
    if isinstance(x, Fraction):
        return max(x, y)
    return iv.mpf([max(x.a, y.a), max(x.b, y.b)])


def refutes(model: Model, premises: Sequence[Term], conclusion: Term) -> bool:
    """Whether all premises are certainly true in the model, and the conclusion certainly false."""
    try:
        return model.holds(conclusion) is False and all(model.holds(p) is True for p in premises)
    except (TooFar, OverflowError):
        return False
