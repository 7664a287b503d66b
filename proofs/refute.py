"""Hunting a counter-example with numbers: sizes and values at which a proposition certainly fails.

A counter-example counts only where every part that is evaluated has a value, every hypothesis certainly holds, and
the proposition certainly fails: exactly, or by enclosures that don't touch. Finding none says nothing.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from proofs.evaluate import (
    EMPTY, Exact, Interval, Limits, Model, NotCertain, TooLarge, Unassigned, Undefined, decimal, exact, holds, prepare,
    value,
)  # fmt: skip
from proofs.models import PATTERNS, Candidate, Case, Family
from proofs.solving import without_definitions
from proofs.statement import Declaration, Statement
from proofs.terms import Term, TermError, add, binds, entry, instantiate, num, relation

Shown = int | Fraction | str | tuple["Shown", ...]

_FIRST_BITS = 128
_CLOSER_BITS = (512, 2_048)
_CLOSER_LOOKS = 6
_PATIENCE = 12
_FRONT = 24
_BACK = 16
_SHOWN_BITS = 160
UNSHOWN = "..."
_SIMPLE: tuple[Exact, ...] = (0, 1, 2, -1, Fraction(1, 2))


@dataclass(frozen=True)
class Budget:
    """How hard to look: models tried, nodes visited for one model, and seconds for all of them."""

    models: int = 240
    operations: int = 100_000
    seconds: float = 2.0


BUDGET = Budget()


@dataclass(frozen=True)
class Assignment:
    """One declared name and its value: exact, or a certified decimal, or a tensor's nested rows.

    A number too large to be written out is a bound, as ``> 1e30102999``; ``...`` is one that couldn't be had.
    """

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

    Attributes
    ----------
    assignments : tuple of Assignment
        In the order of the declarations; those that neither the proposition nor a hypothesis depends on are left out.
    left, right : Shown
        The values of the two sides.
    part : Part
        The smallest part that differs; the whole where the two sides are of different shape.
    at : tuple of int
        For an equality of tensors, the entry at which they differ.
    outside : tuple
        Entries outside the declared dimensions that a side reads, by name and indices: arbitrary numbers.
    model : Model
        For evaluating anything else there.
    """

    assignments: tuple[Assignment, ...]
    left: Shown
    right: Shown
    part: Part
    at: tuple[int, ...] = ()
    outside: tuple[tuple[str, tuple[int, ...]], ...] = ()
    model: Model = field(default=EMPTY, compare=False)


def refute(
    declarations: Sequence[Declaration],
    hypotheses: Iterable[Term],
    proposition: Term,
    *,
    budget: Budget = BUDGET,
) -> CounterExample | None:
    """A small counter-example to `proposition`, or None if none was found.

    Parameters
    ----------
    declarations, hypotheses
        What is given; what the declarations say of their variables is added.
    proposition : Term
        A relation between two numbers or tensors, or a bounded "for all".

    Examples
    --------
    >>> from proofs.terms import power, sqrt, var
    >>> x = var("x")
    >>> found = refute([Declaration(x, "real")], [], relation("eq", sqrt(power(x, num(2))), x))
    >>> found.assignments, found.left, found.right
    ((Assignment(name='x', kind='real', value=-1),), 1, -1)
    """
    try:
        return _Hunt(declarations, tuple(hypotheses), proposition, budget).result()
    except (TooLarge, TermError, RecursionError):
        return None


def agree(statement: Statement, proposition: Term, trials: int = 24) -> int:
    """The number of models, of at most `trials`, in which the proposition holds as far as bounds can tell."""
    try:
        hunt = _Hunt(statement.declarations, statement.hypotheses, proposition, Budget(models=trials))
        return sum(hunt.truth(c) is not False for c in hunt.candidates() if hunt.defined(c))
    except (TooLarge, TermError, RecursionError):
        return 0


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


class _Hunt:
    """One search. Order claims are first looked at where their negation was used as a hypothesis."""

    def __init__(
        self, declarations: Sequence[Declaration], hypotheses: tuple[Term, ...], proposition: Term, budget: Budget
    ) -> None:
        self.declarations = declarations
        self.hypotheses = hypotheses
        self.proposition = proposition
        self.budget = budget
        self.limits = Limits(operations=budget.operations, precision=2_048, seconds=budget.seconds)
        self.deadline = time.monotonic() + budget.seconds
        self.closer_looks = _CLOSER_LOOKS
        self.instances = _instances(proposition, {d.variable: d for d in declarations})

    def result(self) -> CounterExample | None:
        p = self.proposition
        if p.op in ("le", "lt", "ne") and not p.args[0].rank:
            a, b = p.args
            negations = {"ne": ("eq", a, b), "lt": ("eq", a, b), "le": ("lt", b, a)}
            found = self._first((relation(*negations[p.op]),), self.budget.models // 8, _PATIENCE)
            if found is not None:
                return found
        return self._first((), self.budget.models)

    def _first(self, more: tuple[Term, ...], models: int, patience: int | None = None) -> CounterExample | None:
        family = Family(self.declarations, (*self.hypotheses, *more), [self.proposition])
        cases = family.cases()
        for place, candidate in self._schedule(cases, models, patience):
            failing = self._failing(candidate)
            if failing is not None:
                smaller = self._in_smaller_case(cases[:place])
                best = self._simpler(smaller or candidate)
                return self._described(family, best)
        return None

    def candidates(self) -> Iterator[Candidate]:
        """Models of the hypotheses."""
        cases = Family(self.declarations, self.hypotheses, [self.proposition]).cases()
        return (candidate for _, candidate in self._schedule(cases, self.budget.models))

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
                if tried >= models or time.monotonic() > self.deadline:
                    return
                tried += 1
                candidate = cases[k].draw(pattern if _is_open(cases[k]) else 0)
                if candidate is not None:
                    yield k, candidate
                    continue
                failed += 1
                if failed == patience:
                    return

    def truth(self, candidate: Candidate) -> bool | None:
        """Whether the proposition holds in a model. Raises `Undefined`."""
        verdict: bool | None = True
        for _, p in self.instances(candidate):
            truth = prepare(p).truth(candidate.model, _FIRST_BITS, self.limits)
            if truth is False:
                return False
            if truth is None:
                verdict = None
        return verdict

    def defined(self, candidate: Candidate) -> bool:
        """Whether the proposition can be evaluated in a model at all."""
        try:
            self.truth(candidate)
        except (Undefined, TooLarge, NotCertain, Unassigned):
            return False
        return True

    def _failing(self, candidate: Candidate, closely: bool = False) -> tuple[tuple[int, ...], Term] | None:
        """The instance of the proposition that certainly fails, where all of it is defined.

        Where bounds touch, more bits are tried, but (unless `closely`) only a few times in one search.
        """
        failing: tuple[tuple[int, ...], Term] | None = None
        try:
            for at, p in self.instances(candidate):
                truth = prepare(p).truth(candidate.model, _FIRST_BITS, self.limits)
                if truth is None and (closely or self.closer_looks > 0):
                    self.closer_looks -= not closely
                    for bits in _CLOSER_BITS:
                        truth = prepare(p).truth(candidate.model, bits, self.limits)
                        if truth is not None:
                            break
                    if truth is None and p.op in ("ne", "lt"):
                        truth = holds(p, candidate.model, limits=self.limits)
                if truth is False and failing is None:
                    failing = at, p
        except (Undefined, TooLarge, NotCertain, Unassigned):
            return None
        return failing

    def _in_smaller_case(self, cases: Sequence[Case]) -> Candidate | None:
        """A counter-example with smaller sizes than the first one found."""
        for case in cases[:_FRONT]:
            for pattern in range(PATTERNS + 4 if _is_open(case) else 1):
                if time.monotonic() > self.deadline:
                    return None
                candidate = case.draw(pattern)
                if candidate is not None and self._failing(candidate):
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
                if _weight(x) * len(group) >= now or trials == 0:
                    break
                trials -= 1
                simpler = candidate.with_numbers(dict.fromkeys(group, x))
                if simpler.allowed() and self._failing(simpler):
                    candidate = simpler
                    break
        return candidate

    def _described(self, family: Family, candidate: Candidate) -> CounterExample | None:
        failing = self._failing(candidate, closely=True)
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
        part = _smallest_part(left, right, model) if p.op == "eq" else ((), (), left, right)
        sides = _shown_apart(left, right, model)
        path, bound, part_left, part_right = part
        smallest = Part(path, bound, part_left, part_right, *_shown_apart(part_left, part_right, model))
        outside = prepare(p).outside(model, _FIRST_BITS, self.limits)
        shown = tuple(
            Assignment(d.name, d.kind, _shown_variable(d.variable, candidate))
            for d in self.declarations
            if d.variable in family.relevant
        )
        names = tuple((str(v.data), places) for v, places in outside)
        return CounterExample(shown, *sides, smallest, at or indices, names, model)


def _is_open(case: Case) -> bool:
    return case.ready and bool(case.free)


def _weight(x: Exact) -> int:
    return 0 if x == 0 else abs(x.numerator) + 2 * x.denominator - 1 + (x < 0)


_Instances = Callable[[Candidate], Iterable[tuple[tuple[int, ...], Term]]]


def _instances(p: Term, declared: dict[Term, Declaration]) -> _Instances:
    """How to get what is to be evaluated: the proposition itself, or, for tensors, one equality for each entry."""
    if p.op != "eq" or not p.args[0].rank:
        return lambda candidate: [((), p)]
    a, b = p.args
    dimensions = _dimensions(a, declared) or _dimensions(b, declared)

    def entries(candidate: Candidate) -> Iterator[tuple[tuple[int, ...], Term]]:
        if dimensions is None:
            return
        model = Model(candidate.case.integers)
        shape = [int(prepare(d).at(model, _FIRST_BITS)) for d in dimensions]  # type: ignore[arg-type]
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


def _shown(t: Term, model: Model, digits: int) -> Shown:
    """The value as an exact number where it is a short one, else as a certified decimal, else as a bound."""
    try:
        found = exact(t, model)
        if found is not None and found.numerator.bit_length() + found.denominator.bit_length() <= _SHOWN_BITS:
            return found.numerator if found.denominator == 1 else found
        for more in range(4):
            text = decimal(t, digits + more, significant=True, model=model)
            if text is not None:
                return text
    except TooLarge:
        return _bound(t, model)
    except (Undefined, NotCertain):
        pass
    return UNSHOWN


def _bound(t: Term, model: Model) -> Shown:
    """For a number that is too large or too small to be written out: ``> 1e30102999``, ``< 1e-30102999``."""
    try:
        found = value(t, model)
    except (Undefined, NotCertain, TooLarge):
        return UNSHOWN
    sign = found.sign() if isinstance(found, Interval) else None
    if not isinstance(found, Interval) or not sign:
        return UNSHOWN
    ends = sorted((abs(found.lo).bit_length(), abs(found.hi).bit_length()))
    if found.e > 0:
        return f"{'>' if sign > 0 else '<'} {'' if sign > 0 else '-'}1e{(found.e + ends[0] - 1) * 30_102 // 100_000}"
    return f"{'<' if sign > 0 else '>'} {'' if sign > 0 else '-'}1e-{-(found.e + ends[1]) * 30_102 // 100_000}"


def _shown_apart(a: Term, b: Term, model: Model) -> tuple[Shown, Shown]:
    """Both values, with as many digits as it takes to tell them apart."""
    left: Shown = UNSHOWN
    right: Shown = UNSHOWN
    for digits in (6, 12, 25, 50, 100, 200, 400):
        left, right = _shown(a, model, digits), _shown(b, model, digits)
        if _number(left) != _number(right):
            break
    return left, right


def _number(x: Shown) -> Fraction | None:
    try:
        return None if isinstance(x, tuple) else Fraction(x)
    except ValueError:
        return None


def _shown_variable(v: Term, candidate: Candidate) -> Shown:
    if not v.rank:
        return _shown(v, candidate.model, 6)
    shape = candidate.case.shapes.get(v) or ()

    def rows(place: tuple[int, ...]) -> Shown:
        if len(place) == v.rank:
            return _shown(entry(v, *map(num, place)), candidate.model, 6)
        return tuple(rows((*place, k)) for k in range(1, shape[len(place)] + 1))

    return rows(()) if shape else ()
