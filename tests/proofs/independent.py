"""A second evaluator of terms, in 60 digits of mpmath and without certification, to compare the certified one with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mpmath

from proofs.evaluate import Model, Tensor
from proofs.terms import Definition, Term

CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 60
_NEARLY_ZERO = CONTEXT.mpf(10) ** -40


class NoValue(Exception):
    """A quotient, power, root, logarithm or maximum has no value, or is too near to where it has none."""


def number(q: Any) -> Any:
    return CONTEXT.mpf(q.numerator) / q.denominator


def evaluated(t: Term, model: Model, names: Mapping[Term, Any] | None = None, bound: Sequence[int] = ()) -> Any:
    """A number, a truth value, or for a tensor a function of a tuple of indices."""
    known = {} if names is None else names

    def at(x: Term, *more: int) -> Any:
        return evaluated(x, model, known, (*bound, *more))

    if t.op == "num":
        return number(t.data)
    if t.op == "bound":
        return CONTEXT.mpf(bound[-1 - t.data])
    if t.op == "var":
        if t in known:
            return known[t]
        given = model.values[t]
        if isinstance(given, Term):
            return evaluated(given, model)
        if isinstance(given, Tensor):
            return lambda places: _entry(given, places, model)
        return number(given)
    if t.op == "lam":
        return lambda places: at(t.args[0], *places)
    if t.op == "app":
        assert isinstance(t.data, Definition)
        arguments = dict(zip(t.data.parameters, map(at, t.args), strict=True))
        return evaluated(t.data.body, model, arguments)
    if t.op == "entry":
        return at(t.args[0])(tuple(int(at(i)) for i in t.args[1:]))
    if t.op == "if":
        return at(t.args[1]) if at(t.args[0]) else at(t.args[2])
    if t.op in ("sum", "maxof", "forall"):
        values = [at(t.args[2], k) for k in range(int(at(t.args[0])), int(at(t.args[1])) + 1)]
        if t.op == "maxof" and not values:
            raise NoValue
        return {"sum": CONTEXT.fsum, "maxof": max, "forall": all}[t.op](values)
    return _operation(t.op, [at(a) for a in t.args])


def _entry(tensor: Tensor, places: tuple[int, ...], model: Model) -> Any:
    if not tensor.inside(places):
        raise NoValue
    found = tensor.table.get(places, tensor.default(places))
    return evaluated(found, model) if isinstance(found, Term) else number(found)


def _operation(op: str, v: list[Any]) -> Any:
    if op == "add":
        return CONTEXT.fsum(v)
    if op == "mul":
        return CONTEXT.fprod(v)
    if op == "neg":
        return -v[0]
    if op == "max":
        return max(v)
    if op in ("eq", "ne", "le", "lt"):
        near = abs(v[0] - v[1]) <= _NEARLY_ZERO * (1 + abs(v[0]))
        return {"eq": near, "ne": not near, "le": v[0] < v[1] or near, "lt": v[0] < v[1] and not near}[op]
    if op == "div":
        _nonzero(v[1])
        return v[0] / v[1]
    if op == "pow":
        if v[1] < 0:
            _nonzero(v[0])
        return v[0] ** int(v[1])
    if op == "exp":
        if abs(v[0]) > 10**5:
            raise NoValue
        return CONTEXT.exp(v[0])
    if v[0] < 0 or (op == "ln" and v[0] < _NEARLY_ZERO):
        raise NoValue
    return CONTEXT.log(v[0]) if op == "ln" else CONTEXT.sqrt(v[0])


def _nonzero(x: Any) -> None:
    if abs(x) < _NEARLY_ZERO:
        raise NoValue
