"""Trying a proved statement on numbers: random instances with NumPy in float64, and to 50 digits with mpmath.

This proves nothing; it would catch a statement that says something else than was meant.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from derive.evaluation import Model, Place, Run, float64, precise
from proofs.calc import Chain
from proofs.instances import entries
from proofs.statement import Declaration, Statement
from proofs.syntax.environment import Environment, dimensions
from proofs.terms import Term, free_variables, instantiate, num, relation

INSTANCES = 200
WITH_LINES = 20
MAX_SIZE = 5
DIGITS = 50


class NoInstance(ValueError):
    """No instance that fits the hypotheses was found."""


@dataclass(frozen=True)
class Trial:
    """How often a statement was tried, and by how much its sides differed at most, relative to their size."""

    instances: int
    largest_deviation: float
    digits: int
    agreed: int


def try_chain(chain: Chain, seed: int, stated: Mapping[str, Any], instances: int = INSTANCES) -> Trial:
    """Evaluate the claim at random instances and the stated one; at some of them each line too, and to 50 digits."""
    statement = chain.statement
    env = Environment.of(statement.declarations, {s.definition.name: s for s in statement.signatures})
    links = [statement.claim]
    links += [relation(b.relation, a.term, b.term) for a, b in pairwise(chain.lines) if b.relation is not None]
    rng = random.Random(f"derive {seed}")
    closed = not statement.declarations
    largest, count = 0.0, 0
    models: list[Model] = []
    for _ in range(1 if closed else instances):
        models.append(draw(statement, rng))
    if stated and not closed:
        models.append(_stated(statement, stated))
    for model in models:
        tried = links if count < WITH_LINES or model is models[-1] else links[:1]
        largest = max(largest, *(deviation(p, model, env, in_float64) for p in tried))
        count += 1
    agreed = DIGITS
    for model in models[:3] + models[-1:]:
        precise = deviation(statement.claim, model, env, to_fifty_digits)
        if precise:
            agreed = min(agreed, max(0, int(-math.log10(precise))))
        if precise > 10.0 ** (5 - DIGITS):
            largest = max(largest, precise)
    return Trial(count, largest, DIGITS, agreed)


def deviation(claim: Term, model: Model, env: Environment, evaluate: Callable[[Term, Model], Any]) -> float:
    """By how much the sides of a claim differ, relative to their size; for tensors the most of all entries."""
    a, b = claim.args
    x, y = evaluate(a, model), evaluate(b, model)
    if not a.rank:
        return _apart(claim.op, x, y)
    shape = dimensions(a, env) or dimensions(b, env)
    if shape is None:
        raise NoInstance(claim)
    sides = [range(1, int(evaluate(n, model)) + 1) for n in shape]
    return max((_apart("eq", x(place), y(place)) for place in itertools.product(*sides)), default=0.0)


def _apart(op: str, x: Any, y: Any) -> float:
    gap = x - y if op in ("le", "lt") else abs(x - y)
    gap = max(gap, 0) / max(1, abs(x), abs(y))
    return math.inf if gap != gap else float(gap)


# --- instances ---------------------------------------------------------------------------------------------


def draw(statement: Statement, rng: random.Random) -> Model:
    """A random instance that fits: sizes from 1 up, ties between them solved for, agreeing tensors made to agree."""
    plan = _plan(statement)
    for _ in range(400):
        model: Model = {}
        if _fill(plan, model, rng, {}):
            return model
    raise NoInstance(statement.claim)


def _stated(statement: Statement, stated: Mapping[str, Any]) -> Model:
    model: Model = {}
    if not _fill(_plan(statement), model, random.Random(0), stated):
        raise NoInstance("the stated instance does not fit its hypotheses")
    return model


def _fill(plan: _Plan, model: Model, rng: random.Random, stated: Mapping[str, Any]) -> bool:
    import numpy as np

    statement = plan.statement
    run = Run(model)
    for d in statement.declarations:
        if d.variable in model:
            continue
        if d.name in stated:
            value = stated[d.name]
            model[d.variable] = np.array(value, dtype=float) if d.variable.rank else value
        elif d.variable.rank:
            shape = [n(run, ()) for n in plan.dimensions[d.name]]
            drawn = np.array([rng.uniform(-2, 2) for _ in range(math.prod(shape))]).reshape(shape)
            model[d.variable] = np.abs(drawn) + 0.01 if d.kind == "positive" else drawn
        else:
            model[d.variable] = _number(d, model, rng)
        if plan.ties:
            _solve(plan, model)
    for h in statement.hypotheses:
        if not _agree(h, model):
            return False
    if not stated:
        _adjust(statement.hypotheses, model, rng)
    run = Run(model)
    return all(check(run, ()) for check in plan.checks)


@dataclass(frozen=True)
class _Plan:
    """What every instance of a statement needs: equations between sizes, dimensions of tensors, what must hold."""

    statement: Statement
    ties: tuple[tuple[Term, Term, frozenset[Term], frozenset[Term]], ...]
    sizes: frozenset[Term]
    dimensions: Mapping[str, tuple[Callable[[Run, Place], int], ...]]
    checks: tuple[Callable[[Run, Place], bool], ...]


@lru_cache(maxsize=64)
def _plan(statement: Statement) -> _Plan:
    ties = [h.args for h in statement.hypotheses if h.op == "eq" and not h.args[0].rank]
    both = [side for a, b in ties for side in ((a, b), (b, a))]
    return _Plan(
        statement,
        tuple((a, b, free_variables(a), free_variables(b)) for a, b in both),
        frozenset(d.variable for d in statement.declarations if not d.variable.rank),
        {d.name: tuple(map(float64().index, d.dimensions)) for d in statement.declarations},
        tuple(_condition(p) for p in statement.assumptions() if not _copied(p)),
    )


def _number(d: Declaration, model: Model, rng: random.Random) -> int | float:
    if d.kind == "size":
        return rng.randint(1, MAX_SIZE)
    if d.kind == "index" and d.upper is not None:
        return rng.randint(1, max(1, int(in_float64(d.upper, model))))
    if d.kind == "integer":
        return rng.randint(0, 2)
    return abs(rng.gauss(0, 2)) + 0.01 if d.kind == "positive" else rng.gauss(0, 3)


def _solve(plan: _Plan, model: Model) -> None:
    """``d = h*k`` with h, k known: d follows. With d and h known: k follows where h divides d."""
    for left, right, of_left, of_right in plan.ties:
        if right in plan.sizes and right not in model and of_left <= model.keys():
            model[right] = int(in_float64(left, model))
        if left.op == "mul" and of_right <= model.keys():
            unknown = [x for x in left.args if x not in model]
            if len(unknown) == 1 and unknown[0] in plan.sizes:
                rest = math.prod(model[x] for x in left.args if x in model)
                value = in_float64(right, model)
                if rest and value % rest == 0:
                    model[unknown[0]] = int(value // rest)


def _copied(p: Term) -> bool:
    """Whether `p` says that two tensors agree at some entries, as `_agree` has made them."""
    while p.op == "forall":
        p = p.args[2]
        if p.op == "eq" and all(x.op == "entry" and x.args[0].op == "var" for x in p.args):
            return p.args[0].args[1:] == p.args[1].args[1:]
    return False


def _agree(p: Term, model: Model, indices: Place = ()) -> bool:
    """Make two tensors agree where a hypothesis says so: copy the left entries to the right."""
    if p.op != "forall" or not _copied(p):
        return True
    world, run = float64(), Run(model)
    body = p.args[2]
    for index in _range(p, run, indices):
        at = (*indices, index)
        if body.op == "forall":
            _agree(body, model, at)
        elif body.op == "eq" and all(x.op == "entry" and x.args[0].op == "var" for x in body.args):
            left, right = body.args
            place = tuple(world.index(x)(run, at) - 1 for x in right.args[1:])
            model[right.args[0]][place] = world.value(left, run, at)
    return True


def _range(p: Term, run: Run, indices: Place) -> range:
    """The indices that a bounded 'for all' runs over."""
    world = float64()
    return range(world.index(p.args[0])(run, indices), world.index(p.args[1])(run, indices) + 1)


def _adjust(hypotheses: Sequence[Term], model: Model, rng: random.Random) -> None:
    """Move entries of tensors until inequalities over all entries hold, and scale the rest where a sum is given."""
    pinned: set[tuple[Term, tuple[int, ...]]] = set()
    scalars = [h for h in hypotheses if h.op == "eq" and not h.args[0].rank]
    for h in scalars:
        if h.args[0].op == "entry" and h.args[0].args[0].op == "var":
            pinned.add(_put(h.args[0], in_float64(h.args[1], model), model))
    for h in hypotheses:
        if h.op == "forall" and _inside(h).op in ("le", "lt"):
            _lower(h, model, rng)
    for h in scalars:
        if h.args[0].op == "sum":
            _scale(h, model, pinned)


def _inside(p: Term) -> Term:
    """What a bounded 'for all' says of each index."""
    while p.op == "forall":
        p = p.args[2]
    return p


def _put(e: Term, value: float, model: Model) -> tuple[Term, tuple[int, ...]]:
    """Give an entry a value; which entry it is."""
    place = tuple(int(in_float64(x, model)) - 1 for x in e.args[1:])
    model[e.args[0]][place] = value
    return e.args[0], place


def _lower(p: Term, model: Model, rng: random.Random) -> None:
    """For each index at which an inequality fails, move the first entry that speaks of the index."""
    for index in range(int(in_float64(p.args[0], model)), int(in_float64(p.args[1], model)) + 1):
        body = instantiate(p.args[2], (num(index),))
        if body.op == "forall":
            _lower(body, model, rng)
        elif body.op in ("le", "lt") and not _holds(body, model):
            moved = [e for e in entries(body.args) if num(index) in e.args[1:]]
            before = in_float64(body.args[0], model) - in_float64(body.args[1], model)
            for e in moved[:1]:
                value = in_float64(e, model)
                _put(e, value + 1, model)
                slope = in_float64(body.args[0], model) - in_float64(body.args[1], model) - before
                _put(e, value - (before + rng.uniform(0.01, 1)) / slope if slope else value, model)


def _scale(h: Term, model: Model, pinned: set[tuple[Term, tuple[int, ...]]]) -> None:
    """A sum of entries equals what is given: multiply those that are free by one number."""
    import numpy as np

    tensors = {e.args[0] for e in entries((instantiate(h.args[0].args[2], (num(1),)),))}
    for tensor in sorted(tensors, key=repr):
        free = np.ones(model[tensor].shape, dtype=bool)
        for name, place in pinned:
            if name == tensor and all(0 <= i < n for i, n in zip(place, free.shape, strict=True)):
                free[place] = False
        whole = model[tensor]
        model[tensor] = np.where(free, 0.0, whole)
        fixed = in_float64(h.args[0], model)
        model[tensor] = whole
        rest = in_float64(h.args[0], model) - fixed
        if rest:
            model[tensor] = np.where(free, whole * (in_float64(h.args[1], model) - fixed) / rest, whole)
            return


def _holds(p: Term, model: Model) -> bool:
    return _condition(p)(Run(model), ())


def _condition(p: Term) -> Callable[[Run, Place], bool]:
    """Whether a relation, or a bounded 'for all', holds; equations between floats up to rounding."""
    world = float64()
    if p.op == "forall":
        lo, hi, inner = world.index(p.args[0]), world.index(p.args[1]), _condition(p.args[2])
        return lambda run, s: all(inner(run, (*s, k)) for k in range(lo(run, s), hi(run, s) + 1))
    if p.op != "eq" or p.args[0].rank:
        return world.holds(p)
    x, y = map(world.compiled, p.args)

    def close(run: Run, s: Place) -> bool:
        a, b = x(run, s), y(run, s)
        rounded = isinstance(a, float) or isinstance(b, float)
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) if rounded else bool(a == b)

    return close


# --- values ------------------------------------------------------------------------------------------------


def in_float64(t: Term, model: Model) -> Any:
    """The value in float64; what is defined comes from the NumPy reference, not from its definition."""
    return float64().value(t, Run(model))


def to_fifty_digits(t: Term, model: Model) -> Any:
    """The value to 50 digits, from the definitions themselves."""
    return precise(DIGITS + 15).value(t, Run(model))
