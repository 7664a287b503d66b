"""Values of expressions in which something may have no value, as the design page says it, and of nothing else.

A value is a rational number; a quotient of sums of `q*exp(r)` with rational q and r, which are equal only if they are
equal term by term (Lindemann and Weierstrass); or an interval of 60 digits. What has no value raises `NoValue`, what
these means can't decide raises `CannotTell`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isqrt

from mpmath import iv

from tests.meaning.expressions import RELATIONS, Declaration, Expr, Hypothesis

DIGITS = 60
MAX_TERMS = 40
MAX_BITS = 4_000
iv.dps = DIGITS


class NoValue(Exception):
    """The expression has no value; the message says which part and why."""


class CannotTell(Exception):
    """Whether there is a value, or which, is beyond these means."""


class ZeroSuspected(CannotTell):
    """Something is zero to all digits, so that what hangs on it probably has no value."""


Monomials = dict[Fraction, Fraction]


@dataclass(frozen=True)
class Exponential:
    """A quotient of sums of `coefficient * exp(exponent)`; the denominator is not zero, nor is the whole rational."""

    above: tuple[tuple[Fraction, Fraction], ...]
    below: tuple[tuple[Fraction, Fraction], ...]


Number = object  # Fraction, Exponential or an interval of mpmath


@dataclass(frozen=True)
class Tensor:
    """Entries by 1-based indices; an entry is only looked at where it is asked for."""

    dims: tuple[int, ...]
    at: Callable[[tuple[int, ...]], object]

    def indices(self) -> Iterator[tuple[int, ...]]:
        return product(*(range(1, d + 1) for d in self.dims))


Model = Mapping[str, object]

# ---- numbers ---------------------------------------------------------------------------------------------------------


@contextmanager
def _digits(n: int) -> Iterator[None]:
    before = iv.dps
    iv.dps = n
    try:
        yield
    finally:
        iv.dps = before


def _of(above: Monomials, below: Monomials) -> Number:
    above = {r: q for r, q in above.items() if q}
    if not above:
        return Fraction(0)
    if len(below) == 1:
        ((r0, q0),) = below.items()
        above, below = {r - r0: q / q0 for r, q in above.items()}, {Fraction(0): Fraction(1)}
    elif len(above) == len(below):  # a rational number hidden in a quotient
        pairs = list(zip(sorted(above.items()), sorted(below.items()), strict=True))
        (r0, q0), (r1, q1) = pairs[0]
        if all(r == s + r0 - r1 and q * q1 == p * q0 for (r, q), (s, p) in pairs):
            above, below = {r0 - r1: q0 / q1}, {Fraction(0): Fraction(1)}
    if below == {0: 1} and list(above) == [0]:
        return above[Fraction(0)]
    found = Exponential(tuple(sorted(above.items())), tuple(sorted(below.items())))
    return found if len(above) + len(below) <= MAX_TERMS else interval(found)


def _parts(v: Number) -> tuple[Monomials, Monomials]:
    if isinstance(v, Exponential):
        return dict(v.above), dict(v.below)
    assert isinstance(v, Fraction)
    return {Fraction(0): v}, {Fraction(0): Fraction(1)}


def _times(a: Monomials, b: Monomials) -> Monomials:
    found: Monomials = {}
    for r, q in a.items():
        for s, p in b.items():
            found[r + s] = found.get(r + s, Fraction(0)) + q * p
    return found


def _exact(*vs: Number) -> bool:
    return all(isinstance(v, Fraction | Exponential) for v in vs)


def interval(v: Number) -> object:
    """An interval around a number."""
    if isinstance(v, Fraction):
        return iv.mpf(v.numerator) / v.denominator
    if isinstance(v, Exponential):
        above = sum((interval(q) * iv.exp(interval(r)) for r, q in v.above), iv.mpf(0))
        below = sum((interval(q) * iv.exp(interval(r)) for r, q in v.below), iv.mpf(0))
        if below.a <= 0 <= below.b:
            raise CannotTell("a denominator near zero")
        return above / below
    return v


def sign(v: Number) -> int:
    """-1, 0 or 1.

    Raises
    ------
    CannotTell
        Where an interval contains zero.
    """
    if isinstance(v, Fraction):
        return (v > 0) - (v < 0)
    if isinstance(v, Exponential):
        return _sign_of_sum(v.above) * _sign_of_sum(v.below)
    if v.a > 0:
        return 1
    if v.b < 0:
        return -1
    if v.a == 0 == v.b:
        return 0
    raise ZeroSuspected(str(v)) if v.delta < iv.mpf(10) ** -30 else CannotTell(str(v))


def _sign_of_sum(terms: tuple[tuple[Fraction, Fraction], ...]) -> int:
    if len({q > 0 for _, q in terms}) == 1:
        return 1 if terms[0][1] > 0 else -1
    for digits in (30, DIGITS, 400):
        with _digits(digits):
            v = sum((interval(q) * iv.exp(interval(r)) for r, q in terms), iv.mpf(0))
            if v.a > 0:
                return 1
            if v.b < 0:
                return -1
    raise CannotTell("a sum of exponentials near zero")


def _bounded(v: Fraction) -> Fraction:
    if v.numerator.bit_length() + v.denominator.bit_length() > MAX_BITS:
        raise CannotTell("too many digits")
    return v


def add(a: Number, b: Number) -> Number:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    if not _exact(a, b):
        return interval(a) + interval(b)
    (p, q), (r, s) = _parts(a), _parts(b)
    if q == s:
        total = dict(p)
        for k, c in r.items():
            total[k] = total.get(k, Fraction(0)) + c
        return _of(total, q)
    total = _times(p, s)
    for k, c in _times(r, q).items():
        total[k] = total.get(k, Fraction(0)) + c
    return _of(total, _times(q, s))


def negative(a: Number) -> Number:
    return -a if isinstance(a, Fraction) else multiply(Fraction(-1), a)


def subtract(a: Number, b: Number) -> Number:
    return a - b if isinstance(a, Fraction) and isinstance(b, Fraction) else add(a, negative(b))


def multiply(a: Number, b: Number) -> Number:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _bounded(a * b)
    if (isinstance(a, Fraction) and not a) or (isinstance(b, Fraction) and not b):
        return Fraction(0)
    if not _exact(a, b):
        return interval(a) * interval(b)
    (p, q), (r, s) = _parts(a), _parts(b)
    return _of(_times(p, r), _times(q, s))


def divide(a: Number, b: Number) -> Number:
    if sign(b) == 0:
        raise NoValue("division by 0")
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _bounded(a / b)
    if not _exact(a, b):
        return interval(a) / interval(b)
    (p, q), (r, s) = _parts(a), _parts(b)
    return _of(_times(p, s), _times(q, r))


def power(a: Number, k: Number) -> Number:
    """`a^k` for an integer k, and for a half where a is not negative."""
    if not isinstance(k, Fraction):
        raise CannotTell("an exponent that is no rational number")
    if k.denominator == 2:
        return power(root(a), Fraction(2 * k))
    if k.denominator != 1:
        raise CannotTell("an exponent that is no integer")
    if k == 0:
        return Fraction(1)
    if k < 0:
        return divide(Fraction(1), power(a, -k))
    if isinstance(a, Fraction):
        if k > MAX_BITS or k * (a.numerator.bit_length() + a.denominator.bit_length() - 1) > MAX_BITS:
            raise CannotTell("too many digits")
        return Fraction(a.numerator ** int(k), a.denominator ** int(k))
    if k > 60:
        raise CannotTell("too high a power")
    found: Number = Fraction(1)
    for _ in range(int(k)):
        found = multiply(found, a)
    return found


def root(a: Number) -> Number:
    s = sign(a)
    if s < 0:
        raise NoValue("root of a negative number")
    if s == 0:
        return Fraction(0)
    if isinstance(a, Fraction):
        p, q = isqrt(a.numerator), isqrt(a.denominator)
        if p * p == a.numerator and q * q == a.denominator:
            return Fraction(p, q)
    if isinstance(a, Exponential) and len(a.above) == 1 and a.below == ((0, 1),):
        ((r, q),) = a.above
        return multiply(root(q), exponential(r / 2))
    return iv.sqrt(interval(a))


def exponential(a: Number) -> Number:
    if isinstance(a, Fraction):
        if abs(a) > 10_000:
            raise CannotTell("too large an exponent")
        return _of({a: Fraction(1)}, {Fraction(0): Fraction(1)})
    v = interval(a)
    if v.b > 10_000 or v.a < -10_000:
        raise CannotTell("too large an exponent")
    return iv.exp(v)


def logarithm(a: Number) -> Number:
    if sign(a) <= 0:
        raise NoValue("logarithm of what is not positive")
    if a == 1:
        return Fraction(0)
    if isinstance(a, Exponential) and len(a.above) == 1 and a.below == ((0, 1),):
        ((r, q),) = a.above
        return add(r, logarithm(q))
    return iv.log(interval(a))


def maximum(a: Number, b: Number) -> Number:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return max(a, b)
    try:
        return a if sign(add(a, negative(b))) >= 0 else b
    except CannotTell:
        x, y = interval(a), interval(b)
        return iv.mpf([max(x.a, y.a), max(x.b, y.b)])


# ---- expressions -----------------------------------------------------------------------------------------------------


def value(e: Expr, model: Model) -> object:
    """The value of an expression: a number, or a tensor whose entries are worked out when they are looked at.

    Raises
    ------
    NoValue, CannotTell
        Where there is none, or where that is not clear.
    """
    op = e.op
    if op == "num":
        return e.value
    if op == "var":
        try:
            return model[e.name]
        except KeyError:
            raise CannotTell(e.name) from None
    if op == "entry":
        return _entry(value(e.args[0], model), [integer(value(a, model)) for a in e.args[1:]], e)
    if op in {"sum", "over"}:
        return _over(e, model)
    if op == "if":
        return value(e.args[1 if holds(e.args[0], model) else 2], model)
    if op == "list":
        return _written_out(e.args, model)
    if op == "softmax":
        return _softmax(value(e.args[0], model))
    return _each(op, [value(a, model) for a in e.args])


_OPERATIONS: dict[str, Callable[..., Number]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "^": power,
    "neg": negative,
    "sqrt": root,
    "ln": logarithm,
    "exp": exponential,
}


def _each(op: str, args: list[object]) -> object:
    """An operation on numbers, or entry by entry."""
    if any(isinstance(a, Tensor) for a in args):
        shapes = {a.dims for a in args if isinstance(a, Tensor)}
        if len(shapes) > 1:
            raise CannotTell("tensors of different shapes")
        (dims,) = shapes
        return Tensor(dims, lambda k: _each(op, [a.at(k) if isinstance(a, Tensor) else a for a in args]))
    if op == "max":
        found = args[0]
        for a in args[1:]:
            found = maximum(found, a)
        return found
    return _OPERATIONS[op](*args)


def integer(v: object) -> int:
    if not isinstance(v, Fraction) or v.denominator != 1:
        raise CannotTell(f"{v} as an integer")
    return int(v)


def _entry(tensor: object, indices: list[int], e: Expr) -> object:
    if not isinstance(tensor, Tensor):
        raise CannotTell(f"{e.args[0]} has no entries")
    if len(indices) > len(tensor.dims):
        raise CannotTell(f"too many indices: {e}")
    for k, d in zip(indices, tensor.dims, strict=False):
        if not 1 <= k <= d:
            raise NoValue(f"{e}: index {k} outside 1..{d}")
    if len(indices) < len(tensor.dims):
        return Tensor(tensor.dims[len(indices) :], lambda more: tensor.at((*indices, *more)))
    return tensor.at(tuple(indices))


def _over(e: Expr, model: Model) -> object:
    low, high = (integer(value(a, model)) for a in e.args[:2])
    if high - low > 200:
        raise CannotTell("a long range")
    inner = dict(model)
    found: object = Fraction(0) if e.op == "sum" else None
    for k in range(low, high + 1):
        inner[e.name] = Fraction(k)
        term = value(e.args[2], inner)
        if isinstance(term, Tensor):  # its entries are worked out later, when the bound variable has moved on
            term = value(e.args[2], dict(inner))
        found = term if found is None else _each("+" if e.op == "sum" else "max", [found, term])
    if found is None:
        raise NoValue(f"{e}: the largest of nothing")
    return found


def _written_out(rows: tuple[Expr, ...], model: Model) -> Tensor:
    shapes = {(len(row.args),) if row.op == "list" else () for row in rows}
    if len(shapes) > 1:
        raise CannotTell("rows of different lengths")
    (inner,) = shapes
    kept = dict(model)

    def at(k: tuple[int, ...]) -> object:
        row = value(rows[k[0] - 1], kept)
        return row.at(k[1:]) if isinstance(row, Tensor) else row

    return Tensor((len(rows), *inner), at)


def _softmax(v: object) -> object:
    if not isinstance(v, Tensor) or len(v.dims) != 1:
        raise CannotTell("softmax of no vector")
    total: list[Number] = []

    def at(k: tuple[int, ...]) -> Number:
        if not total:
            sum_: Number = Fraction(0)
            for j in v.indices():
                sum_ = add(sum_, exponential(v.at(j)))
            total.append(sum_)
        return divide(exponential(v.at(k)), total[0])

    return Tensor(v.dims, at)


def settled(v: object) -> object:
    """A value with all entries of a tensor worked out: numbers, or a dictionary of them by index."""
    if isinstance(v, Tensor):
        return {k: v.at(k) for k in v.indices()}
    return v


def compared(op: str, a: object, b: object) -> bool:
    """Whether a relation holds between two settled values, entry by entry.

    Raises
    ------
    CannotTell
        Where the difference can't be told from zero.
    """
    if isinstance(a, dict) or isinstance(b, dict):
        keys = a.keys() if isinstance(a, dict) else b.keys()
        if isinstance(a, dict) and isinstance(b, dict) and a.keys() != b.keys():
            raise CannotTell("tensors of different shapes")
        unsure: CannotTell | None = None
        for k in keys:
            try:
                if not compared(op, a[k] if isinstance(a, dict) else a, b[k] if isinstance(b, dict) else b):
                    return False
            except CannotTell as found:
                unsure = found
        if unsure is not None:
            raise unsure
        return True
    s = sign(subtract(a, b))
    return {"=": s == 0, "!=": s != 0, "<": s < 0, "<=": s <= 0, ">": s > 0, ">=": s >= 0}[op]


def holds(relation: Expr, model: Model) -> bool:
    """Whether a relation holds; both sides need a value.

    Raises
    ------
    NoValue, CannotTell
        Where a side has none, or where that is not clear.
    """
    assert relation.op in RELATIONS
    a, b = (settled(value(side, model)) for side in relation.args)
    return compared(relation.op, a, b)


# ---- declarations and hypotheses -------------------------------------------------------------------------------------


def in_range(declaration: Declaration, v: object, model: Model) -> bool:
    """Whether a value is one of what is declared, where the dimensions are those of the model."""
    dims = [integer(value(d, model)) for d in declaration.dims]
    if declaration.sort == "real" and dims:
        return isinstance(v, Tensor) and min(dims) >= 0 and v.dims == tuple(dims)
    if isinstance(v, Tensor):
        return False
    if declaration.sort == "real":
        return True
    if declaration.sort == "positive":
        return sign(v) > 0
    if not isinstance(v, Fraction) or v.denominator != 1:
        return False
    match declaration.sort:
        case "size":
            return v >= 1
        case "index":
            return 1 <= v <= dims[0]
    return declaration.sort == "integer"


def instances(binders: tuple[Declaration, ...], model: Model) -> Iterator[Model]:
    """The model with each choice of values for the binders, which are indices."""
    if not binders:
        yield model
        return
    first, *rest = binders
    if first.sort != "index":
        raise CannotTell(f"all {first}")
    for k in range(1, integer(value(first.dims[0], model)) + 1):
        yield from instances(tuple(rest), {**model, first.name: Fraction(k)})


def supposed(hypothesis: Hypothesis, model: Model) -> bool:
    """Whether a hypothesis holds; what lacks a value somewhere does not hold.

    Raises
    ------
    CannotTell
        Where that is not clear.
    """
    try:
        return all(holds(hypothesis.relation, each) for each in instances(hypothesis.binders, model))
    except NoValue:
        return False


def is_model(declarations: tuple[Declaration, ...], hypotheses: tuple[Hypothesis, ...], model: Model) -> bool:
    """Whether all that is declared and supposed holds in the model.

    Raises
    ------
    CannotTell
        Where that is not clear.
    """
    try:
        if not all(d.name in model and in_range(d, model[d.name], model) for d in declarations):
            return False
    except NoValue:
        return False
    return all(supposed(h, model) for h in hypotheses)
