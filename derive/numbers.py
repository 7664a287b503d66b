"""Trying a proved statement on numbers: random instances with NumPy in float64, and to 50 digits with mpmath.

This proves nothing; it would catch a statement that says something else than was meant. An instance is built from the
declarations and hypotheses: integers first, then each real that an equation gives is computed from the others, in
order, so that recurrences run. What float64 can't represent is no deviation: there the 50 digits are compared alone.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from derive.evaluation import Beyond, Model, NoValue, Place, Run, World, float64, precise
from proofs.calc import Chain
from proofs.models import Case, Family
from proofs.solving import cells_of
from proofs.statement import Declaration, Statement
from proofs.syntax.environment import Environment, dimensions
from proofs.terms import Term, entry, num, relation

INSTANCES = 200
WITH_LINES = 20
DIGITS = 50
TOLERANCE = 1e-9
"""Sides that deviate by more are compared to 50 digits where float64 overflowed or underflowed on the way."""
SIZES = (1, 2, 3, 4, 5)
WHOLE_SIZES = (*range(1, 13), 16, 20, 25, 32, 50, 64, 100)
"""Sizes where there are integers alone, so that no tensor grows with them."""
_CASES = 16
_TRIES = 3
_PATIENCE = 20
_FIRST_PATTERN = 2
_MODERATE = 11  # every such pattern, but for the one after it, draws no extreme numbers, of which exp overflows
_OUT_OF_RANGE = frozenset(("overflow", "underflow"))


Lack = Literal["no-instance", "trivial", "beyond"]


class NoInstance(ValueError):
    """Nothing could be tried. `code` says why.

    ``no-instance``: no numbers were found that meet all declarations and hypotheses. ``trivial``: all sizes are 1 in
    whatever was found. ``beyond``: the numbers are out of reach of 50 digits too.
    """

    def __init__(self, code: Lack, claim: Term) -> None:
        super().__init__(f"{code}: {claim!r}")
        self.code: Lack = code


@dataclass(frozen=True)
class Spread:
    """The smallest and the largest value of a size in the instances that were tried."""

    name: str
    smallest: int
    largest: int


@dataclass(frozen=True)
class Trial:
    """How often a statement was tried, and by how much its sides differed at most, relative to their size.

    Attributes
    ----------
    instances : int
        Different instances; where no real number is drawn there may be few.
    largest_deviation : float
        Of all lines and the claim in float64, and of the claim to 50 digits.
    digits, agreed : int
        To so many digits the claim was evaluated, and to so many both sides agree.
    sizes : tuple of Spread
        For each size that the statement speaks of.
    beyond : int
        Comparisons in which float64 overflows or underflows, so that only the 50 digits were compared.
    compared : int
        All comparisons.
    """

    instances: int
    largest_deviation: float
    digits: int
    agreed: int
    sizes: tuple[Spread, ...] = ()
    beyond: int = 0
    compared: int = 0


def try_chain(chain: Chain, seed: int, stated: Mapping[str, Any], instances: int = INSTANCES) -> Trial:
    """Evaluate the claim at random instances and the stated one; at some of them each line too, and to 50 digits.

    Raises
    ------
    NoInstance
        Where there is nothing to try it on, or nothing but instances whose sizes are all 1.
    """
    statement = chain.statement
    env = Environment.of(statement.declarations, {s.definition.name: s for s in statement.signatures})
    links = [statement.claim]
    links += [relation(b.relation, a.term, b.term) for a, b in pairwise(chain.lines) if b.relation is not None]
    rng = random.Random(f"derive {seed}")
    source = Source(statement, links)
    tried = list(source.instances(instances, rng))
    sizes = source.spread(tried)
    if stated and statement.declarations:
        tried.append(_stated(statement, links, stated))
    if not tried:
        raise NoInstance("no-instance", statement.claim)
    if sizes and all(s.largest == 1 for s in sizes) and all(s.largest == 1 for s in source.spread(tried)):
        raise NoInstance("trivial", statement.claim)
    largest, beyond, compared, unreached = 0.0, 0, 0, 0
    agreed = DIGITS
    for count, instance in enumerate(tried):
        last = instance is tried[-1]
        for p in links if count < WITH_LINES or last else links[:1]:
            compared += 1
            apart = _in_range(p, instance, env)
            exactly = apart is None or (p is links[0] and (count < 3 or last))
            beyond += apart is None
            try:
                finely = deviation(p, instance.precisely, env, to_fifty_digits) if exactly else 0.0
            except Beyond:
                unreached += apart is None
                finely = 0.0
            if finely and p is links[0]:
                agreed = min(agreed, max(0, int(-math.log10(finely))) if finely < math.inf else 0)
            largest = max(largest, apart or 0.0, finely if finely > 10.0 ** (5 - DIGITS) else 0.0)
    if unreached == compared:
        raise NoInstance("beyond", statement.claim)
    return Trial(len(tried), largest, DIGITS, agreed, sizes, beyond, compared)


@contextmanager
def _watched() -> Iterator[set[str]]:
    """What floating-point errors NumPy meets inside, none of which it prints: ``overflow``, ``invalid value``, ..."""
    import numpy as np

    seen: set[str] = set()
    with np.errstate(all="call", call=lambda kind, flag: seen.add(kind)):
        yield seen


def _in_range(p: Term, instance: Instance, env: Environment) -> float | None:
    """The deviation in float64; None where it says nothing, since a number on the way overflows or underflows."""
    try:
        with _watched() as seen:
            apart = deviation(p, instance.model, env, in_float64)
    except OverflowError:
        return None
    return None if apart > TOLERANCE and (instance.overflows or seen & _OUT_OF_RANGE) else apart


def deviation(claim: Term, model: Model, env: Environment, evaluate: Callable[[Term, Model], Any]) -> float:
    """By how much the sides of a claim differ, relative to their size; for tensors the most of all entries."""
    a, b = claim.args
    try:
        x, y = evaluate(a, model), evaluate(b, model)
        if not a.rank:
            return _apart(claim.op, x, y)
        shape = dimensions(a, env) or dimensions(b, env)
        if shape is None:
            raise NoInstance("no-instance", claim)
        sides = [range(1, int(evaluate(n, model)) + 1) for n in shape]
        return max((_apart("eq", x(place), y(place)) for place in itertools.product(*sides)), default=0.0)
    except (NoValue, ZeroDivisionError):
        return math.inf


def _apart(op: str, x: Any, y: Any) -> float:
    if op == "ne":
        return math.inf if x == y else 0.0
    gap = x - y if op in ("le", "lt") else abs(x - y)
    gap = max(gap, 0) / max(1, abs(x), abs(y))
    return math.inf if gap != gap else float(gap)


# --- instances ---------------------------------------------------------------------------------------------


def draw(statement: Statement, rng: random.Random) -> Model:
    """The numbers of a random instance that fits the declarations and hypotheses; raises `NoInstance`."""
    for instance in Source(statement, [statement.claim]).instances(1, rng):
        return instance.model
    raise NoInstance("no-instance", statement.claim)


@dataclass(frozen=True)
class Instance:
    """One instance: the integers, in its case, and numbers for the cells that are not computed from others."""

    case: Case
    numbers: Mapping[Term, float]

    @property
    def model(self) -> Model:
        """In float64."""
        return self._in_float64[0]

    @property
    def overflows(self) -> bool:
        """Whether float64 overflows or underflows where a number is computed from others."""
        return self._in_float64[1]

    @cached_property
    def _in_float64(self) -> tuple[Model, bool]:
        with _watched() as seen:
            return _filled(self, float64(), _array), bool(seen & _OUT_OF_RANGE)

    @cached_property
    def precisely(self) -> Model:
        """To 50 digits: the same numbers, and those computed from them anew."""
        return _filled(self, precise(DIGITS + 15), lambda shape, table: _entries(table))


def _filled(
    instance: Instance, world: World, stored: Callable[[tuple[int, ...] | None, dict[Place, Any]], Any]
) -> Model:
    """Values of all variables in a world: what was drawn, and what the equations make of it."""
    case = instance.case
    model: Model = dict(case.integers)
    tables = {v: (case.shapes.get(v), dict[Place, Any]()) for v in case.cells if v.rank}
    for known in (True, False):
        for v, cells in case.cells.items():
            for cell in cells:
                if (cell in instance.numbers) is not known:
                    continue
                x = world.number(instance.numbers[cell]) if known else world.value(case.solved[cell], Run(model))
                if v.rank:
                    tables[v][1][_place(cell)] = x
                else:
                    model[v] = x
        for v, (shape, table) in tables.items():
            model[v] = stored(shape, table)
    for v, t in case.family.eliminated.items():
        shape = case.shapes.get(v)
        tensor = world.value(t, Run(model))
        places = itertools.product(*(range(1, n + 1) for n in shape)) if shape is not None else ()
        model[v] = stored(shape, {p: tensor(p) for p in places}) if shape is not None else tensor
    return model


def _place(cell: Term) -> Place:
    return tuple(int(i.data) for i in cell.args[1:])  # type: ignore[arg-type]


def _array(shape: tuple[int, ...] | None, table: Mapping[Place, Any]) -> Any:
    import numpy as np

    if shape is None:
        return _entries(table)
    made = np.full(shape, np.nan)
    for place, x in table.items():
        made[tuple(i - 1 for i in place)] = x
    return made


def _entries(table: Mapping[Place, Any]) -> Callable[[Place], Any]:
    def at(place: Place) -> Any:
        if place not in table:
            raise NoValue(place)
        return table[place]

    return at


class Source:
    """Where the instances of a statement come from: its integers are drawn, the rest by what they leave open."""

    def __init__(self, statement: Statement, about: Sequence[Term], more: Iterable[Term] = ()) -> None:
        self.statement = statement
        hypotheses = (*statement.hypotheses, *more)
        family = Family(statement.declarations, hypotheses, about)
        self.family = Family(
            statement.declarations, hypotheses, about, sizes=SIZES if family.reals or family.eliminated else WHOLE_SIZES
        )
        self.checks = [_condition(p) for p in (*statement.assumptions(), *more)]

    def instances(self, most: int, rng: random.Random) -> Iterator[Instance]:
        """Different instances that fit, at most so many."""
        drawn = self.family.drawn_cases(most if not self.family.reals else _CASES, rng)
        cases = [c for c in drawn or self.family.cases()[:_CASES] if c.ready]
        failed = dict.fromkeys(map(id, cases), 0)
        made = 0
        while cases and made < most:
            for case in cases:
                case.failures = 0
                found = self._drawn(case, rng) if made < most else None
                failed[id(case)] = failed[id(case)] + 1 if found is None else 0
                if found is not None:
                    made += 1
                    yield found
            cases = [c for c in cases if c.free and failed[id(c)] < _PATIENCE]

    def _drawn(self, case: Case, rng: random.Random) -> Instance | None:
        numbers: dict[Term, float] = {}
        for cell in case.free:
            numbers[cell] = rng.gauss(0, 3) if cell.op == "var" else rng.uniform(-2, 2)
        bound = {c for r, certain in case.constraints if certain for c in cells_of(r)}
        if bound:
            candidate = case.draw(_MODERATE * rng.randrange(_FIRST_PATTERN, 10**5) + rng.randrange(2, _MODERATE))
            if candidate is None:
                return None
            numbers |= {c: float(x) for c, x in candidate.numbers.items() if c in bound}
        made = Instance(case, {c: -x if x < 0 and self._positive(c) else x for c, x in numbers.items()})
        return made if self._fits(made) else None

    def _positive(self, cell: Term) -> bool:
        d = self.family.declared.get(cell.args[0] if cell.op == "entry" else cell)
        return d is not None and d.kind == "positive"

    def _fits(self, made: Instance) -> bool:
        """Whether all that was said holds, up to rounding."""
        try:
            with _watched():
                run = Run(made.model)
                if all(check(run, ()) for check in self.checks):
                    return True
        except (NoValue, OverflowError, ValueError, ZeroDivisionError):
            pass
        try:
            run = Run(made.precisely)
            return all(_condition(p, precise(DIGITS + 15))(run, ()) for p in self.statement.assumptions())
        except (NoValue, Beyond, OverflowError, ValueError, ZeroDivisionError):
            return False

    def spread(self, tried: Sequence[Instance]) -> tuple[Spread, ...]:
        """The smallest and largest value of each size that the statement speaks of."""
        found = []
        for d in self.statement.declarations:
            if d.kind == "size" and d.variable in self.family.relevant and tried:
                values = [t.case.integers[d.variable] for t in tried]
                found.append(Spread(d.name, min(values), max(values)))
        return tuple(found)


def _stated(statement: Statement, about: Sequence[Term], stated: Mapping[str, Any]) -> Instance:
    """The instance that the source speaks of: its numbers are equations like those among the hypotheses."""
    equations = [p for d in statement.declarations if d.name in stated for p in _equations(d, stated[d.name])]
    source = Source(statement, about, equations)
    rng = random.Random(0)
    for case in source.family.cases()[:_CASES]:
        if case.ready:
            for _ in range(_TRIES):
                found = source._drawn(case, rng)
                if found is not None:
                    return found
    raise NoInstance("no-instance", statement.claim)


def _equations(d: Declaration, value: Any) -> Iterator[Term]:
    def inside(x: Any, place: tuple[int, ...]) -> Iterator[Term]:
        if isinstance(x, tuple):
            for k, y in enumerate(x, 1):
                yield from inside(y, (*place, k))
        else:
            yield relation("eq", entry(d.variable, *map(num, place)) if place else d.variable, num(x))

    return inside(value, ())


def _condition(p: Term, world: World | None = None) -> Callable[[Run, Place], bool]:
    """Whether a relation, or a bounded 'for all', holds, up to rounding; tensors that were identified are equal."""
    world = world or float64()
    if p.op == "forall":
        lo, hi, inner = world.index(p.args[0]), world.index(p.args[1]), _condition(p.args[2], world)
        return lambda run, s: all(inner(run, (*s, k)) for k in range(lo(run, s), hi(run, s) + 1))
    if p.args[0].rank:
        return lambda run, s: True
    x, y = map(world.compiled, p.args)
    exact = p.args[0].sort == p.args[1].sort == "integer"
    near = 0.0 if exact else 1e-12

    def holds(run: Run, s: Place) -> bool:
        a, b = x(run, s), y(run, s)
        if p.op == "ne":
            return bool(a != b)
        if p.op == "lt":
            return bool(a < b)
        if p.op == "le" and a <= b:
            return True
        return bool(abs(a - b) <= near * max(1, abs(a), abs(b)))

    return holds


# --- values ------------------------------------------------------------------------------------------------


def in_float64(t: Term, model: Model) -> Any:
    """The value in float64; what is defined comes from the NumPy reference, not from its definition."""
    return float64().value(t, Run(model))


def to_fifty_digits(t: Term, model: Model) -> Any:
    """The value to 50 digits, from the definitions themselves."""
    return precise(DIGITS + 15).value(t, Run(model))
