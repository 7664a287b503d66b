"""Trying a proved statement on numbers: random instances with NumPy in float64, and to 50 digits with mpmath.

This proves nothing; it would catch a statement that says something else than was meant.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from proofs.calc import Chain
from proofs.context import definitions_in
from proofs.instances import entries
from proofs.statement import Declaration, Statement
from proofs.syntax.environment import Environment, dimensions
from proofs.terms import Definition, Term, entry, free_variables, instantiate, num, relation, substitute, unfold

if TYPE_CHECKING:
    import numpy as np

INSTANCES = 200
WITH_LINES = 20
MAX_SIZE = 5
DIGITS = 50

Model = dict[Term, Any]  # integers and floats; arrays for tensors


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
    a, b = claim.args
    if not a.rank:
        return _apart(claim.op, evaluate(a, model), evaluate(b, model))
    shape = dimensions(a, env) or dimensions(b, env)
    if shape is None:
        raise NoInstance(claim)
    sides = [range(1, int(evaluate(n, model)) + 1) for n in shape]
    worst = 0.0
    for index in itertools.product(*sides):
        place = tuple(map(num, index))
        worst = max(worst, _apart("eq", evaluate(entry(a, *place), model), evaluate(entry(b, *place), model)))
    return worst


def _apart(op: str, x: Any, y: Any) -> float:
    gap = x - y if op in ("le", "lt") else abs(x - y)
    gap = max(gap, 0) / max(1, abs(x), abs(y))
    return math.inf if gap != gap else float(gap)


# --- instances ---------------------------------------------------------------------------------------------


def draw(statement: Statement, rng: random.Random) -> Model:
    """A random instance that fits: sizes from 1 up, ties between them solved for, agreeing tensors made to agree."""
    for _ in range(400):
        model: Model = {}
        if _fill(statement, model, rng, {}):
            return model
    raise NoInstance(statement.claim)


def _stated(statement: Statement, stated: Mapping[str, Any]) -> Model:
    model: Model = {}
    if not _fill(statement, model, random.Random(0), stated):
        raise NoInstance("the stated instance does not fit its hypotheses")
    return model


def _fill(statement: Statement, model: Model, rng: random.Random, stated: Mapping[str, Any]) -> bool:
    import numpy as np

    ties = [h.args for h in statement.hypotheses if h.op == "eq" and not h.args[0].rank]
    for d in statement.declarations:
        if d.variable in model:
            continue
        if d.name in stated:
            value = stated[d.name]
            model[d.variable] = np.array(value, dtype=float) if d.variable.rank else value
        elif d.variable.rank:
            shape = [int(in_float64(n, model)) for n in d.dimensions]
            drawn = np.array([rng.uniform(-2, 2) for _ in range(math.prod(shape))]).reshape(shape)
            model[d.variable] = np.abs(drawn) + 0.01 if d.kind == "positive" else drawn
        else:
            model[d.variable] = _number(d, model, rng)
        _solve(ties, model, statement.declarations)
    for h in statement.hypotheses:
        if not _agree(h, model):
            return False
    if not stated:
        _adjust(statement.hypotheses, model, rng)
    return all(_holds(p, model) for p in statement.assumptions() if not _copied(p))


def _number(d: Declaration, model: Model, rng: random.Random) -> int | float:
    if d.kind == "size":
        return rng.randint(1, MAX_SIZE)
    if d.kind == "index" and d.upper is not None:
        return rng.randint(1, max(1, int(in_float64(d.upper, model))))
    if d.kind == "integer":
        return rng.randint(0, 2)
    return abs(rng.gauss(0, 2)) + 0.01 if d.kind == "positive" else rng.gauss(0, 3)


def _solve(ties: Sequence[tuple[Term, ...]], model: Model, declarations: Sequence[Declaration]) -> None:
    """``d = h*k`` with h, k known: d follows. With d and h known: k follows where h divides d."""
    sizes = {d.variable for d in declarations if not d.variable.rank}
    for a, b in ties:
        for left, right in ((a, b), (b, a)):
            if right in sizes and right not in model and free_variables(left) <= model.keys():
                model[right] = int(in_float64(left, model))
            if left.op == "mul" and free_variables(right) <= model.keys():
                unknown = [x for x in left.args if x not in model]
                if len(unknown) == 1 and unknown[0] in sizes:
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


def _agree(p: Term, model: Model) -> bool:
    """Make two tensors agree where a hypothesis says so: copy the left entries to the right."""
    if p.op != "forall":
        return True
    if not _copied(p):
        return True
    for index in range(int(in_float64(p.args[0], model)), int(in_float64(p.args[1], model)) + 1):
        body = instantiate(p.args[2], (num(index),))
        if body.op == "forall":
            _agree(body, model)
        elif body.op == "eq" and all(x.op == "entry" and x.args[0].op == "var" for x in body.args):
            left, right = body.args
            place = tuple(int(in_float64(x, model)) - 1 for x in right.args[1:])
            model[right.args[0]][place] = in_float64(left, model)
    return True


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
    if p.op == "forall":
        ends = range(int(in_float64(p.args[0], model)), int(in_float64(p.args[1], model)) + 1)
        return all(_holds(instantiate(p.args[2], (num(k),)), model) for k in ends)
    a, b = (in_float64(x, model) for x in p.args)
    if p.op == "eq" and (isinstance(a, float) or isinstance(b, float)):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    return bool({"eq": a == b, "le": a <= b, "lt": a < b, "ne": a != b}[p.op])


# --- values ------------------------------------------------------------------------------------------------


def in_float64(t: Term, model: Model) -> Any:
    """The value in float64; what is defined comes from the NumPy reference, not from its definition."""
    import numpy as np

    from derive.reference import FUNCTIONS

    applied: dict[Term, Any] = {}

    def indices(args: Sequence[Term]) -> tuple[int, ...]:
        return tuple(int(value(i)) for i in args)

    def value(x: Term) -> Any:
        if x.op == "app" and isinstance(x.data, Definition):
            known = applied.get(x)
            if known is not None:
                return known
            given = x.args[x.data.implicit :]
            args = [array(a, x) if a.rank else int(value(a)) if a.sort == "integer" else value(a) for a in given]
            applied[x] = FUNCTIONS[x.data.name](*args)
            return applied[x]
        if x.op == "entry":
            tensor = x.args[0]
            if tensor.op == "lam":
                return value(instantiate(tensor.args[0], x.args[1:]))
            place = tuple(i - 1 for i in indices(x.args[1:]))
            whole = value(tensor)
            if any(not 0 <= i < n for i, n in zip(place, whole.shape, strict=True)):
                return 0.0
            return whole[place]
        if x.op == "var":
            return model[x]
        return _common(x, value, np.float64, _NUMPY)

    def array(a: Term, user: Term) -> np.ndarray[Any, Any]:
        if a.op == "lam":
            shape = _shape(a, user, value)
            made = np.empty(shape)
            for place in itertools.product(*(range(n) for n in shape)):
                made[place] = value(instantiate(a.args[0], tuple(num(i + 1) for i in place)))
            return made
        return np.asarray(value(a))

    return value(t)


def _shape(a: Term, user: Term, value: Callable[[Term], Any]) -> tuple[int, ...]:
    """The dimensions that the signature of the application gives to its argument `a`."""
    from derive.definitions import signatures

    signature = signatures()[user.data.name]  # type: ignore[union-attr]
    place = next(k for k, x in enumerate(user.args) if x is a)
    known = dict(zip(signature.definition.parameters, user.args, strict=True))
    sizes = {p: x for p, x in known.items() if not p.rank}
    return tuple(int(value(substitute(d, sizes))) for d in signature.parameters[place])


def to_fifty_digits(t: Term, model: Model) -> Any:
    """The value to 50 digits, from the definitions themselves."""
    from mpmath import mp, mpf

    mp.dps = DIGITS + 15

    def value(x: Term) -> Any:
        if x.op == "entry":
            tensor = x.args[0]
            if tensor.op == "lam":
                return value(instantiate(tensor.args[0], x.args[1:]))
            place = tuple(int(value(i)) - 1 for i in x.args[1:])
            whole = model[tensor]
            inside = all(0 <= i < n for i, n in zip(place, whole.shape, strict=True))
            return mpf(float(whole[place])) if inside else mpf(0)
        if x.op == "var":
            return mpf(model[x])
        return _common(x, value, mpf, _MPMATH)

    return value(unfold(t, definitions_in(t)))


_NUMPY = "numpy"
_MPMATH = "mpmath"


def _common(x: Term, value: Callable[[Term], Any], number: Callable[[Any], Any], library: str) -> Any:
    if x.op == "num":
        q = Fraction(x.data)  # type: ignore[arg-type]
        return number(q.numerator) / number(q.denominator) if q.denominator != 1 else number(q.numerator)
    if x.op == "if":
        return value(x.args[1] if _truth(x.args[0], value) else x.args[2])
    if x.op in ("sum", "maxof"):
        lo, hi = (int(value(a)) for a in x.args[:2])
        if x.op == "sum" and x.args[2].loose == 0:
            return value(x.args[2]) * max(0, hi - lo + 1)
        terms = [value(instantiate(x.args[2], (num(k),))) for k in range(lo, hi + 1)]
        return max(terms) if x.op == "maxof" else sum(terms, number(0))
    a = [value(y) for y in x.args]
    if x.op == "add":
        return sum(a[1:], a[0])
    if x.op == "mul":
        return math.prod(a[1:], start=a[0])
    if x.op == "neg":
        return -a[0]
    if x.op == "div":
        return a[0] / a[1]
    if x.op == "pow":
        return a[0] ** int(a[1])
    if x.op == "max":
        return max(a)
    return _function(library, x.op)(a[0])


def _function(library: str, op: str) -> Callable[[Any], Any]:
    if library == _NUMPY:
        import numpy as np

        found: Callable[[Any], Any] = {"exp": np.exp, "ln": np.log, "sqrt": np.sqrt}[op]
        return found
    import mpmath

    found = {"exp": mpmath.exp, "ln": mpmath.log, "sqrt": mpmath.sqrt}[op]
    return found


def _truth(p: Term, value: Callable[[Term], Any]) -> bool:
    a, b = (value(y) for y in p.args)
    return bool({"eq": a == b, "le": a <= b, "lt": a < b, "ne": a != b}[p.op])
