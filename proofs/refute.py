"""Hunting a counter-example with numbers: sizes and values at which a proposition certainly fails.

A counter-example is a model of all declarations and hypotheses, those that the proposition doesn't name too. It counts
only where every part that is evaluated has a value, every hypothesis certainly holds, and the proposition certainly
fails: exactly, or by enclosures that don't touch. Finding none says nothing, beyond what an `Agreement` counts.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from proofs.evaluate import (
    EMPTY, Exact, Limits, Model, NotCertain, TooLarge, Unassigned, Undefined, Work, holds, prepare, value,
)  # fmt: skip
from proofs.models import PATTERNS, Candidate, Case, Family
from proofs.shown import Shown, distinct
from proofs.solving import without_definitions
from proofs.statement import Declaration, Statement
from proofs.terms import Term, TermError, add, binds, entry, free_variables, instantiate, num, relation

_FIRST_BITS = 128
_CLOSER_BITS = (512, 2_048)
_CLOSER_LOOKS = 6
_CLOCK = 32  # models between two looks at the clock, which take long
_PATIENCE = 12
_FRONT = 24
_BACK = 16
_SIMPLE: tuple[Exact, ...] = (0, 1, 2, -1, Fraction(1, 2))


@dataclass(frozen=True)
class Budget:
    """How hard to look: models tried, nodes visited for one model and for all of them.

    `seconds` is a safety net only, far above what the work takes, so that a busy machine changes no verdict.
    """

    models: int = 240
    operations: int = 100_000
    work: int = 1_500_000
    seconds: float = 60.0


BUDGET = Budget()


@dataclass(frozen=True)
class Assignment:
    """One declared name and its value: exact, or a certified decimal, or a tensor's nested rows."""

    name: str
    kind: str
    value: Shown


@dataclass(frozen=True)
class Part:
    """The smallest part in which the two sides differ: its place in both, and its value in each.

    `path` leads from the side down to the part by argument numbers; `indices` are the values of the indices bound on
    the way, outermost first, which `left` and `right` have in place of them.
    """

    path: tuple[int, ...]
    indices: tuple[int, ...]
    left: Term
    right: Term
    left_value: Shown
    right_value: Shown


@dataclass(frozen=True)
class CounterExample:
    """Where a proposition fails.

    Numbers that are not equal are shown as different texts.

    Attributes
    ----------
    assignments : tuple of Assignment
        In the order of the declarations. Numbers and tensors that neither the proposition nor a hypothesis depends on
        are left out, and integers that say nothing of those that are there.
    left, right : Shown
        The values of the two sides.
    part : Part
        The smallest part that differs; the whole where the two sides are of different shape.
    at : tuple of int
        For an equality of tensors, the entry at which they differ.
    model : Model
        For evaluating anything else there.
    """

    assignments: tuple[Assignment, ...]
    left: Shown
    right: Shown
    part: Part
    at: tuple[int, ...] = ()
    model: Model = field(default=EMPTY, compare=False)


Why = Literal["", "no-instance", "no-value", "too-large"]


@dataclass(frozen=True)
class Agreement:
    """How a proposition fared in the instances that were tried.

    Attributes
    ----------
    tried : int
        Instances in which every hypothesis holds and all of the proposition has a value.
    held : int
        Of these, those in which it holds, as far as bounds of some 40 bits can tell.
    undecided : int
        Those in which the bounds don't tell.
    largest : int or None
        The largest of the sizes in them; None where no size is declared that they speak of.
    why : str
        Why none was tried: no instance meets the hypotheses, or none was found in which the proposition has a value,
        or the sizes and numbers were beyond reach. Empty where any was.
    """

    tried: int = 0
    held: int = 0
    undecided: int = 0
    largest: int | None = None
    why: Why = "no-instance"


def examine(
    declarations: Sequence[Declaration],
    hypotheses: Iterable[Term],
    proposition: Term,
    *,
    budget: Budget = BUDGET,
) -> CounterExample | Agreement:
    """A small counter-example to `proposition`, or what was tried without finding one.

    Parameters
    ----------
    declarations, hypotheses
        What is given; what the declarations say of their variables is added.
    proposition : Term
        A relation between two numbers or tensors, or a bounded "for all".
    """
    try:
        return _Hunt(declarations, tuple(hypotheses), proposition, budget).result()
    except (TooLarge, TermError, RecursionError):
        return Agreement(why="too-large")


def refute(
    declarations: Sequence[Declaration],
    hypotheses: Iterable[Term],
    proposition: Term,
    *,
    budget: Budget = BUDGET,
) -> CounterExample | None:
    """A small counter-example to `proposition`, or None if none was found; see `examine`.

    Examples
    --------
    >>> from proofs.terms import power, sqrt, var
    >>> x = var("x")
    >>> found = refute([Declaration(x, "real")], [], relation("eq", sqrt(power(x, num(2))), x))
    >>> found.assignments, found.left, found.right
    ((Assignment(name='x', kind='real', value=-1),), 1, -1)
    """
    found = examine(declarations, hypotheses, proposition, budget=budget)
    return found if isinstance(found, CounterExample) else None


def agree(statement: Statement, proposition: Term, trials: int = 24) -> Agreement:
    """How the proposition fares in at most so many models of the statement's declarations and hypotheses."""
    try:
        hunt = _Hunt(statement.declarations, statement.hypotheses, proposition, Budget(models=trials))
        return hunt.agreement()
    except (TooLarge, TermError, RecursionError):
        return Agreement(why="too-large")


def satisfiable(
    declarations: Sequence[Declaration],
    hypotheses: Iterable[Term],
    *,
    about: Iterable[Term] = (),
    budget: Budget = BUDGET,
) -> Model | None:
    """A model in which all hypotheses certainly hold; None if none was found (which proves nothing).

    It has values for the variables that the hypotheses speak of, and for those in `about`.
    """
    hypotheses = tuple(hypotheses)
    numbers = [entry(v, *[num(1)] * v.rank) if v.rank else v for v in about]
    said = add(num(0), *numbers) if numbers else num(0)
    nothing = relation("eq", said, said)
    try:
        found = next(_Hunt(declarations, hypotheses, nothing, budget).candidates(), None)
    except (TooLarge, TermError, RecursionError):
        return None
    return None if found is None else found.model


# --- the hunt ----------------------------------------------------------------------------------------------


@dataclass
class _Count:
    """What an `Agreement` is made of, while it is counted."""

    tried: int = 0
    held: int = 0
    undecided: int = 0
    largest: int | None = None
    without_value: int = 0
    too_large: int = 0

    def agreement(self) -> Agreement:
        why: Why = "no-value" if self.without_value else "too-large" if self.too_large else "no-instance"
        return Agreement(self.tried, self.held, self.undecided, self.largest, "" if self.tried else why)


Fate = Literal["holds", "touches", "fails", "no-value", "too-large"]


@dataclass(frozen=True)
class _Look:
    """How a proposition fares in one model; where it fails, the instance of it that does."""

    fate: Fate
    failing: tuple[tuple[int, ...], Term] | None = None


class _Hunt:
    """One search. Order claims are first looked at where their negation was used as a hypothesis."""

    def __init__(
        self, declarations: Sequence[Declaration], hypotheses: tuple[Term, ...], proposition: Term, budget: Budget
    ) -> None:
        self.declarations = declarations
        self.hypotheses = hypotheses
        self.proposition = proposition
        self.budget = budget
        self.work = Work(budget.work)
        self.limits = Limits(operations=budget.operations, precision=2_048, seconds=budget.seconds / 4, work=self.work)
        self.deadline = time.process_time() + budget.seconds
        self.closer_looks = _CLOSER_LOOKS
        self.looks = 0
        self.instances = _instances(proposition, {d.variable: d for d in declarations}, self.limits)

    def result(self) -> CounterExample | Agreement:
        p = self.proposition
        if p.op in ("le", "lt", "ne") and not p.args[0].rank:
            a, b = p.args
            negations = {"ne": ("eq", a, b), "lt": ("eq", a, b), "le": ("lt", b, a)}
            found = self._first(_Count(), (relation(*negations[p.op]),), self.budget.models // 8, _PATIENCE)
            if found is not None:
                return found
        count = _Count()
        return self._first(count, (), self.budget.models) or count.agreement()

    def _family(self, more: tuple[Term, ...] = ()) -> Family:
        return Family(self.declarations, (*self.hypotheses, *more), [self.proposition], self.work)

    def _first(
        self, count: _Count, more: tuple[Term, ...], models: int, patience: int | None = None
    ) -> CounterExample | None:
        family = self._family(more)
        cases = family.cases()
        for place, candidate in self._schedule(cases, models, patience):
            look = self._look(candidate)
            self._counted(count, look, candidate)
            if look.failing is not None:
                smaller = self._in_smaller_case(cases[:place])
                best = self._simpler(smaller or candidate)
                return self._described(family, best) or self._described(family, candidate)
        count.too_large += any(case.too_large for case in cases) or self._exhausted
        return None

    def agreement(self) -> Agreement:
        """What there is to say of the models, one after the other, whether the proposition fails in any or not."""
        count = _Count()
        cases = self._family().cases()
        for _, candidate in self._schedule(cases, self.budget.models):
            self._counted(count, self._look(candidate), candidate)
        count.too_large += any(case.too_large for case in cases) or self._exhausted
        return count.agreement()

    def _counted(self, count: _Count, look: _Look, candidate: Candidate) -> None:
        if look.fate in ("no-value", "too-large"):
            count.without_value += look.fate == "no-value"
            count.too_large += look.fate == "too-large"
            return
        count.tried += 1
        count.held += look.fate == "holds"
        count.undecided += look.fate == "touches"
        family = candidate.case.family
        kinds = {v: d.kind for v, d in family.declared.items() if v in family.relevant}
        sizes = [n for v, n in candidate.case.integers.items() if kinds.get(v) == "size"]
        if sizes:
            count.largest = max(count.largest or 0, *sizes)

    def candidates(self) -> Iterator[Candidate]:
        """Models of the hypotheses."""
        return (candidate for _, candidate in self._schedule(self._family().cases(), self.budget.models))

    @property
    def _exhausted(self) -> bool:
        self.looks += 1
        return self.work.spent or (self.looks % _CLOCK == 0 and time.process_time() > self.deadline)

    def _schedule(
        self, cases: Sequence[Case], models: int, patience: int | None = None
    ) -> Iterator[tuple[int, Candidate]]:
        """Models with the places of their cases: the smallest cases again and again, larger ones now and then.

        Ends after `patience` draws that gave no model.
        """
        tried = failed = 0
        back = _FRONT
        for pattern in itertools.count():
            places = [*range(min(_FRONT, len(cases))), *range(back, min(back + _BACK, len(cases)))]
            back += _BACK
            open_places = [k for k in places if pattern == 0 or k >= _FRONT or _is_open(cases[k])]
            if not open_places or pattern > 4 * models:
                return
            for k in open_places:
                if tried >= models or self._exhausted:
                    return
                tried += 1
                candidate = cases[k].draw(pattern if _is_open(cases[k]) else 0)
                if candidate is not None:
                    yield k, candidate
                    continue
                failed += 1
                if failed == patience:
                    return

    def _look(self, candidate: Candidate, closely: bool = False) -> _Look:
        """How the proposition fares in a model; it fails only where all of it is defined.

        Where bounds touch, more bits are tried, but (unless `closely`) only a few times in one search.
        """
        failing: tuple[tuple[int, ...], Term] | None = None
        touches, any_instance = False, False
        try:
            for at, p in self.instances(candidate):
                any_instance = True
                truth, tight = prepare(p).judged(candidate.model, _FIRST_BITS, self.limits)
                if truth is None and (closely or self.closer_looks > 0):
                    self.closer_looks -= not closely
                    truth = self._closer(p, candidate.model)
                if truth is False and failing is None:
                    failing = at, p
                touches |= truth is None and (p.op in ("ne", "lt") or not tight)
        except (Undefined, Unassigned):
            return _Look("no-value")
        except (TooLarge, NotCertain):
            return _Look("too-large")
        if failing is not None:
            return _Look("fails", failing)
        return _Look("touches" if touches else "holds" if any_instance else "no-value")

    def _closer(self, p: Term, model: Model) -> bool | None:
        for bits in _CLOSER_BITS:
            truth = prepare(p).truth(model, bits, self.limits)
            if truth is not None:
                return truth
        return holds(p, model, limits=self.limits) if p.op in ("ne", "lt") else None

    def _fails(self, candidate: Candidate) -> bool:
        return self._look(candidate).failing is not None

    def _in_smaller_case(self, cases: Sequence[Case]) -> Candidate | None:
        """A counter-example with smaller sizes than the first one found."""
        for case in cases[:_FRONT]:
            for pattern in range(PATTERNS + 4 if _is_open(case) else 1):
                if self._exhausted:
                    return None
                candidate = case.draw(pattern)
                if candidate is not None and self._fails(candidate):
                    return candidate
        return None

    def _simpler(self, candidate: Candidate) -> Candidate:
        """The same counter-example with as many simple numbers as can be."""
        trials = 120
        groups: list[list[Term]] = [list(candidate.numbers)]
        groups += [[c for c in cells if c in candidate.numbers] for cells in candidate.case.cells.values()]
        groups += [[c] for c in candidate.numbers]
        for group in groups:
            now = sum(_weight(candidate.numbers[c]) for c in group)
            for x in _SIMPLE:
                if _weight(x) * len(group) >= now or trials == 0 or self._exhausted:
                    break
                trials -= 1
                simpler = candidate.with_numbers(dict.fromkeys(group, x))
                if simpler.allowed() and self._fails(simpler):
                    candidate = simpler
                    break
        return candidate

    def _described(self, family: Family, candidate: Candidate) -> CounterExample | None:
        """A counter-example with the values that it used; None where they can't be shown or told apart in print."""
        self.work.left = max(self.work.left, self.budget.work // 4)
        failing = self._look(candidate, closely=True).failing
        if failing is None or not candidate.allowed():
            return None
        at, p = failing
        model = candidate.model
        indices: tuple[int, ...] = ()
        while p.op == "forall":
            k = next(k for k, _ in _bodies(p, model) if _certainly(instantiate(p.args[2], [num(k)]), model) is False)
            indices = (*indices, k)
            p = instantiate(p.args[2], [num(k)])
        left, right = p.args
        path, bound, part_left, part_right = _smallest_part(left, right, model) if p.op == "eq" else _whole(left, right)
        named = [d for d in self.declarations if d.variable in family.relevant or self._speaks(d, family)]
        cells = {d.variable: _cells(d.variable, candidate) for d in named}
        shown = distinct([left, right, part_left, part_right, *(c for own in cells.values() for c in own)], model)
        if shown is None or (p.op in ("eq", "le") and shown[left] == shown[right]):
            return None
        part = Part(path, bound, part_left, part_right, shown[part_left], shown[part_right])
        values = tuple(Assignment(d.name, d.kind, _rows(d.variable, candidate, shown)) for d in named)
        return CounterExample(values, shown[left], shown[right], part, at or indices, model)

    def _speaks(self, d: Declaration, family: Family) -> bool:
        """Whether a declaration that nothing speaks of says something of a variable that something speaks of."""
        if d.kind != "index" or d.upper is None:
            return False
        return bool(free_variables(without_definitions(d.upper)) & family.relevant)


def _is_open(case: Case) -> bool:
    return case.ready and bool(case.free)


def _weight(x: Exact) -> int:
    return 0 if x == 0 else abs(x.numerator) + 2 * x.denominator - 1 + (x < 0)


_Instances = Callable[[Candidate], Iterable[tuple[tuple[int, ...], Term]]]


def _instances(p: Term, declared: dict[Term, Declaration], limits: Limits) -> _Instances:
    """How to get what is to be evaluated: the proposition itself, or, for tensors, one equality for each entry."""
    if p.op != "eq" or not p.args[0].rank:
        return lambda candidate: [((), p)]
    a, b = p.args
    dimensions = _dimensions(a, declared) or _dimensions(b, declared)

    def entries(candidate: Candidate) -> Iterator[tuple[tuple[int, ...], Term]]:
        if dimensions is None:
            return
        model = Model(candidate.case.integers)
        shape = [int(prepare(d).at(model, _FIRST_BITS, limits)) for d in dimensions]  # type: ignore[arg-type]
        for place in itertools.product(*(range(1, d + 1) for d in shape)):
            indices = [num(k) for k in place]
            yield place, relation("eq", entry(a, *indices), entry(b, *indices))

    return entries


def _dimensions(t: Term, declared: dict[Term, Declaration]) -> tuple[Term, ...] | None:
    """The dimensions of a tensor, read off the entries that its indices are used in; None if that doesn't tell."""
    t = without_definitions(t)
    if t.op == "var":
        d = declared.get(t)
        return d.dimensions if d is not None and d.dimensions else None
    found: dict[int, Term] = {}

    def look(x: Term, level: int) -> None:
        if x.op == "entry" and x.args[0] in declared:
            for axis, i in zip(declared[x.args[0]].dimensions, x.args[1:], strict=False):
                if isinstance(i.data, int) and i.op == "bound" and i.data >= level:
                    found.setdefault(i.data - level, axis)
        for k, a in enumerate(x.args):
            look(a, level + (binds(x) if k == len(x.args) - 1 else 0))

    if t.op != "lam":
        return None
    look(t.args[0], 0)
    axes = [found.get(t.rank - 1 - k) for k in range(t.rank)]
    return tuple(d for d in axes if d is not None) if all(d is not None for d in axes) else None


# --- describing --------------------------------------------------------------------------------------------


def _certainly(p: Term, model: Model) -> bool | None:
    try:
        for bits in (_FIRST_BITS, *_CLOSER_BITS):
            truth = prepare(p).truth(model, bits)
            if truth is not None:
                return truth
    except (Undefined, TooLarge, NotCertain):
        pass
    return None


def _differ(a: Term, b: Term, model: Model) -> bool:
    return a != b and _certainly(relation("eq", a, b), model) is False


def _bodies(t: Term, model: Model) -> Iterator[tuple[int, Term]]:
    """The body of a sum, maximum or "for all" for each of its indices."""
    lo, hi = (int(value(x, model).__floor__()) for x in t.args[:2])  # type: ignore[union-attr]
    for k in range(lo, min(hi, lo + 200) + 1):
        yield k, instantiate(t.args[2], [num(k)])


_Place = tuple[tuple[int, ...], tuple[int, ...], Term, Term]


def _whole(a: Term, b: Term) -> _Place:
    return (), (), a, b


def _smallest_part(a: Term, b: Term, model: Model) -> _Place:
    """Go down both sides together as long as exactly one pair of arguments differs; entries are not taken apart."""
    path: tuple[int, ...] = ()
    indices: tuple[int, ...] = ()
    while True:
        step = _one_down(a, b, model)
        if step is None:
            return path, indices, a, b
        more, bound, a, b = step
        path, indices = path + more, indices + bound


def _one_down(a: Term, b: Term, model: Model) -> _Place | None:
    if a.op != b.op or a.op == "entry" or a.data != b.data or len(a.args) != len(b.args) or a.rank or b.rank:
        return None
    unequal = [k for k, (x, y) in enumerate(zip(a.args, b.args, strict=True)) if x != y]
    if a.op in ("sum", "maxof"):
        if unequal != [2]:
            return None
        for (k, x), (_, y) in zip(_bodies(a, model), _bodies(b, model), strict=True):
            if _differ(x, y, model):
                return (2,), (k,), x, y
        return None
    if any(a.args[k].rank or a.args[k].sort == "proposition" for k in unequal):
        return None
    if a.op == "if":
        taken = 1 if _certainly(a.args[0], model) else 2
        unequal = [k for k in unequal if k == taken]
    differing = [k for k in unequal if _differ(a.args[k], b.args[k], model)]
    if len(differing) != 1:
        return None
    k = differing[0]
    return (k,), (), a.args[k], b.args[k]


def _cells(v: Term, candidate: Candidate) -> list[Term]:
    """A variable, or the entries of a tensor within its dimensions."""
    if not v.rank:
        return [v]
    shape = candidate.case.shapes.get(v)
    if shape is None:
        return []
    return [entry(v, *map(num, place)) for place in itertools.product(*(range(1, n + 1) for n in shape))]


def _rows(v: Term, candidate: Candidate, shown: Mapping[Term, Shown]) -> Shown:
    if not v.rank:
        return shown[v]
    shape = candidate.case.shapes.get(v)
    if shape is None:
        return ()

    def rows(place: tuple[int, ...]) -> Shown:
        if len(place) == v.rank:
            return shown[entry(v, *map(num, place))]
        return tuple(rows((*place, k)) for k in range(1, shape[len(place)] + 1))

    return rows(())
