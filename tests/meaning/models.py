"""Models of what is declared and supposed: small sizes, and often values that are 0, negative or equal."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from tests.meaning.expressions import Declaration, Expr, Hypothesis, Problem
from tests.meaning.partial import (
    CannotTell,
    Model,
    NoValue,
    Tensor,
    holds,
    in_range,
    instances,
    integer,
    is_model,
    settled,
    sign,
    value,
)

POOLS: tuple[tuple[int | Fraction, ...], ...] = (
    (-2, -1, 0, 1, 2, 3, Fraction(1, 2), Fraction(-1, 2)),
    (-1, 0, 1),
    (0, 1),
    (0,),
    (1, 2, 3, Fraction(1, 2)),
    (1, 2, 3, 4, 5, Fraction(1, 3)),
    (-1, -2, -3, Fraction(-1, 2)),
    (1,),
    (-1, 1, 2),
    (7, -5, Fraction(2, 3), Fraction(-3, 4), 4, 9),
    (Fraction(1, 10), Fraction(-1, 10), 10, -10, Fraction(1, 100)),
)
SIZES = (1, 1, 1, 2, 2, 2, 3, 3, 4)
INTEGERS = (-2, -1, 0, 0, 1, 1, 2, 2, 3, 4)


def from_entries(dims: tuple[int, ...], entries: dict[tuple[int, ...], object]) -> Tensor:
    return Tensor(dims, entries.__getitem__)


def sampled(problem: Problem, rng: random.Random) -> dict[str, object] | None:
    """One try at a model; None where it is none, or where that can't be told."""
    for _ in range(2):
        try:
            model = _tried(problem, rng)
            if model is not None and is_model(problem.declarations, problem.hypotheses, model):
                return model
        except (CannotTell, NoValue):
            continue
    return None


def many(problem: Problem, rng: random.Random, wanted: int, tries: int) -> Iterator[dict[str, object]]:
    """Models, as many as are found in so many tries, and no two the same."""
    seen: set[str] = set()
    found = 0
    for done in range(tries):
        if found >= wanted or (done > 40 and found == 0) or done > 20 * (found + 10):
            return
        model = sampled(problem, rng)
        if model is None:
            continue
        name = shown(model)
        if name not in seen:
            seen.add(name)
            found += 1
            yield model


def _tried(problem: Problem, rng: random.Random) -> dict[str, object] | None:
    model: dict[str, object] = {}
    pool = rng.choice(POOLS)
    own = rng.random() < 0.3  # each name draws from a pool of its own
    small = rng.random() < 0.35
    for d in problem.declarations:
        if d.sort == "size":
            model[d.name] = Fraction(rng.choice((1, 1, 2) if small else SIZES))
        elif d.sort == "integer":
            model[d.name] = Fraction(rng.choice(INTEGERS))
    whole = [h for h in problem.hypotheses if not h.binders and _names(h.relation) <= model.keys()]
    kinds = {d.name: d for d in problem.declarations}
    _mended(whole, model, kinds, rng)
    for d in problem.declarations:
        if d.name in model:
            continue
        dims = [integer(value(e, model)) for e in d.dims]
        if d.sort == "index":
            if dims[0] < 1:
                return None
            model[d.name] = Fraction(rng.choice((1, dims[0], rng.randint(1, dims[0]))))
            continue
        values = rng.choice(POOLS) if own else pool
        if d.sort == "positive":
            values = [abs(v) for v in values if v] or (1, 2)
        if not dims:
            model[d.name] = Fraction(rng.choice(values))
            continue
        if min(dims) < 0:
            return None
        keys = product(*(range(1, k + 1) for k in dims))
        model[d.name] = from_entries(tuple(dims), {k: Fraction(rng.choice(values)) for k in keys})
    for _ in range(2):
        _mended(problem.hypotheses, model, kinds, rng)
    return model


def _names(e: Expr) -> set[str]:
    return {part.name for part in e.walk() if part.op == "var"}


def _mended(
    hypotheses: Sequence[Hypothesis], model: dict[str, object], kinds: dict[str, Declaration], rng: random.Random
) -> None:
    """Changes values so that hypotheses hold that say something of a name or of an entry."""
    for h in hypotheses:
        try:
            cases = list(instances(h.binders, model))
        except (NoValue, CannotTell):
            continue
        for case in cases:
            try:
                if holds(h.relation, case):
                    continue
            except CannotTell:
                continue
            except NoValue:
                pass
            sides = [(h.relation.op, *h.relation.args), (_turned(h.relation.op), *reversed(h.relation.args))]
            if rng.random() < 0.4:
                sides.reverse()
            for op, target, other in sides:
                if _set(op, target, other, case, model, kinds, rng):
                    break


def _turned(op: str) -> str:
    return {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)


def _set(
    op: str, target: Expr, other: Expr, case: Model, model: dict[str, object], kinds: dict[str, Declaration],
    rng: random.Random,
) -> bool:  # fmt: skip
    """Gives a name or an entry a value that stands in the relation to the other side; whether that was done."""
    if target.op in {"neg", "+", "-", "*", "/", "^", "exp", "ln", "sqrt"}:
        return _through(op, target, other, case, model, kinds, rng)
    try:
        wanted = settled(value(other, case))
        if isinstance(wanted, dict):
            if target.op == "var" and target.name in kinds and op == "=":
                kept = model[target.name]
                if isinstance(kept, Tensor) and set(kept.indices()) == wanted.keys():
                    model[target.name] = from_entries(kept.dims, wanted)
                    return True
            return False
        return _give(op, target, wanted, case, model, kinds, rng)
    except (NoValue, CannotTell, ValueError, IndexError):
        return False


def _give(
    op: str, target: Expr, wanted: object, case: Model, model: dict[str, object], kinds: dict[str, Declaration],
    rng: random.Random,
) -> bool:  # fmt: skip
    if op != "=":
        if not isinstance(wanted, Fraction):
            return False
        step = rng.choice((1, 2, Fraction(1, 2), 1))
        if op in {"<", ">", "!="}:
            wanted += step if op == ">" or (op == "!=" and rng.random() < 0.5) else -step
        elif rng.random() < 0.6:
            wanted += step if op == ">=" else -step
    if target.op == "var" and target.name in kinds:
        d = kinds[target.name]
        if not in_range(d, wanted, model):
            return False
        model[target.name] = wanted
        return True
    if target.op == "entry" and target.args[0].op == "var" and target.args[0].name in kinds:
        kept = model[target.args[0].name]
        key = tuple(integer(value(a, case)) for a in target.args[1:])
        if not isinstance(kept, Tensor) or len(key) != len(kept.dims) or key not in set(kept.indices()):
            return False
        entries = {k: kept.at(k) for k in kept.indices()}
        entries[key] = wanted
        model[target.args[0].name] = from_entries(kept.dims, entries)
        return True
    return False


def _through(
    op: str, target: Expr, other: Expr, case: Model, model: dict[str, object], kinds: dict[str, Declaration],
    rng: random.Random,
) -> bool:  # fmt: skip
    """Solves for a part of the target: `a + b = c` for a or for b, `-a < c`, `a*b = c`, `exp(a) = c`."""
    choices = list(range(len(target.args)))
    rng.shuffle(choices)
    flipped = _turned(op)
    for k in choices:
        part = target.args[k]
        rest = target.args[1 - k] if len(target.args) == 2 else None
        goal: Expr | None = None
        relation = op
        if target.op == "neg":
            goal, relation = Expr("neg", (other,)), flipped
        elif target.op == "+" and rest is not None:
            goal = Expr("-", (other, rest))
        elif target.op == "-" and rest is not None:
            goal = Expr("+", (other, rest)) if k == 0 else Expr("-", (rest, other))
            relation = op if k == 0 else flipped
        elif target.op in {"*", "/"} and rest is not None:
            try:
                s = value(rest, case)
                if isinstance(s, Tensor) or sign(s) == 0:
                    continue
                if target.op == "*" or k == 0:
                    goal = Expr("/" if target.op == "*" else "*", (other, rest))
                    relation = op if sign(s) > 0 else flipped
                elif op == "=":
                    goal = Expr("/", (rest, other))
            except (NoValue, CannotTell):
                continue
        elif target.op == "exp":
            goal = Expr("ln", (other,))
        elif target.op == "ln":
            goal = Expr("exp", (other,))
        elif target.op == "sqrt":
            goal = Expr("^", (other, Expr("num", (), "", Fraction(2))))
        elif target.op == "^" and k == 0 and rest is not None and rest.op == "num" and rest.value == 2:
            goal = Expr("sqrt", (other,))
        if goal is not None and _set(relation, part, goal, case, model, kinds, rng):
            return True
    return False


# ---- in words, and from words ----------------------------------------------------------------------------------------


def shown(model: Model) -> str:
    def text(v: object) -> str:
        if isinstance(v, Tensor):
            return _nested(v.dims, {k: text(v.at(k)) for k in v.indices()}, ())
        return str(v)

    return ", ".join(f"{name} = {text(v)}" for name, v in model.items())


def _nested(dims: tuple[int, ...], entries: dict[tuple[int, ...], str], key: tuple[int, ...]) -> str:
    if len(key) == len(dims):
        return entries[key]
    return "[" + ", ".join(_nested(dims, entries, (*key, k)) for k in range(1, dims[len(key)] + 1)) + "]"


class Inexact(Exception):
    """A value is shown in a form that doesn't say exactly what it is."""


_RATIONAL = re.compile(r"-?\d+(/\d+)?")


def from_texts(declarations: tuple[Declaration, ...], texts: dict[str, str]) -> dict[str, object]:
    """A model from the values of a counter-example as they are shown.

    Raises
    ------
    Inexact
        Where a value is no integer and no fraction.
    """
    model: dict[str, object] = {}
    for d in declarations:
        if d.name not in texts:
            continue
        text = texts[d.name].replace(" ", "")
        flat = [t for t in re.split(r"[\[\],]+", text) if t]
        if not all(_RATIONAL.fullmatch(t) for t in flat):
            raise Inexact(f"{d.name} = {texts[d.name]}")
        numbers = [Fraction(t) for t in flat]
        if not text.startswith("["):
            model[d.name] = numbers[0]
            continue
        try:
            dims = tuple(integer(value(e, model)) for e in d.dims)
        except (NoValue, CannotTell):
            raise Inexact(f"dimensions of {d.name}") from None
        keys = list(product(*(range(1, k + 1) for k in dims)))
        if len(keys) != len(numbers):
            raise Inexact(f"{d.name} = {texts[d.name]} has not the shape {dims}")
        model[d.name] = from_entries(dims, dict(zip(keys, numbers, strict=True)))
    return model


def completed(
    problem: Problem, model: dict[str, object], rng: random.Random, tries: int = 200
) -> Iterator[dict[str, object]]:
    """Models that agree with the values given and have some for the rest."""
    rest = [d for d in problem.declarations if d.name not in model]
    if not rest:
        if is_model(problem.declarations, problem.hypotheses, model):
            yield model
        return
    fixed = tuple(
        Hypothesis(Expr("=", (Expr("var", (), name), Expr("num", (), "", v))))
        for name, v in model.items()
        if isinstance(v, Fraction)
    )
    wider = Problem(problem.declarations, (*fixed, *problem.hypotheses), problem.claim, ())
    kinds = {d.name: d for d in problem.declarations}
    for _ in range(tries):
        try:
            found = _tried(wider, rng)
            if found is None:
                continue
            found.update(model)
            others = {k: d for k, d in kinds.items() if k not in model}
            _mended(problem.hypotheses, found, others, rng)
            if is_model(problem.declarations, problem.hypotheses, found):
                yield found
        except (NoValue, CannotTell):
            continue
