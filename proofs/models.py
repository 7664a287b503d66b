"""Models of declarations and hypotheses: small sizes first, what is tied is solved for, the rest is drawn.

A `Family` of models has its integers first: sizes, indices and integers, those that a hypothesis ties (``d = h*k``)
computed from the others. Declared integers that nothing speaks of are given values too, since a declaration says
something of others (``t : index[n-1]`` makes n at least 2), and no dimension is below 0. With the integers fixed, in a
`Case`, the hypotheses lose their binders, and every equality gives one *cell* (a variable, or one entry of a tensor)
as a term over the others. What is left is drawn, by simple patterns and then at random, and moved to where the order
hypotheses hold, or onto their boundaries.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from random import Random

from proofs.evaluate import (
    EMPTY,
    Exact,
    Interval,
    Limits,
    Model,
    NotCertain,
    Tensor,
    TooLarge,
    Undefined,
    Work,
    holds,
    prepare,
)
from proofs.solving import above, cells_of, hidden, replaced, solved_for, without_definitions
from proofs.statement import Declaration, assumptions
from proofs.terms import (
    Term, TermError, add, entry, forall, free_variables, instantiate, maximum, num, rebuild, relation, sub, substitute,
    unfold, var,
)  # fmt: skip

SIZES = (1, 2, 3, 5)
_MORE_SIZES = (4, 6, 7, 8, 12, 16)
_INTEGERS = (1, 0, 2, -1, 3, -2, 5)
_MAX_CASES = 150
_MAX_WHOLE_CASES = 600
_MAX_VISITS = 20_000
_MAX_CELLS = 1_100
_MAX_GROUND = 6_000
_GROUNDING = 8  # of an evaluation's operations, for taking one node of a hypothesis apart
_DRAWING = 25  # the same, for a model, besides one for each of its cells
_PATIENCE = 5
_MAX_BYSTANDING, _MAX_RETRIES = 500, 20
_DIVES = 8
_LIMITS = Limits(operations=100_000, precision=512)

_MIXED = tuple(Fraction(x) for x in ("1", "2", "-1", "3", "1/2", "-2", "5", "3/2", "-3", "4", "1/3", "-1/2", "7"))
_POSITIVE = tuple(Fraction(x) for x in ("2", "1", "3", "1/2", "5", "3/2", "4", "1/3", "7", "2/3", "6"))
_NEGATIVE = tuple(Fraction(x) for x in ("-1", "-2", "-1/2", "-3", "-3/2", "-5", "-4"))
_SMALL = tuple(Fraction(x) for x in ("0", "1", "-1", "2", "1/2", "-2", "3", "-1/2", "3/2"))
_EXTREME = tuple(Fraction(x) for x in ("10", "100", "1000", "1/10", "1/1000"))
_STEPS = tuple(Fraction(x) for x in ("1", "1/2", "2", "1/8", "3"))
_SCALES = (Fraction(1, 4), Fraction(1, 16))  # what is bounded by a sum is met by smaller numbers
PATTERNS = 11


# --- the family --------------------------------------------------------------------------------------------


class Family:
    """All models of some declarations and hypotheses, as far as they concern the propositions `about`.

    Of what neither the propositions nor a hypothesis speak of, integers have values in a model as well; numbers and
    tensors have none, since any will do.
    """

    def __init__(
        self,
        declarations: Sequence[Declaration],
        hypotheses: Iterable[Term],
        about: Iterable[Term],
        work: Work | None = None,
        sizes: Sequence[int] = (),
    ) -> None:
        about, hypotheses = tuple(about), tuple(hypotheses)
        self.work = work
        self.sizes = sizes
        self.limits = replace(_LIMITS, work=work)
        self.declared = {d.variable: d for d in declarations}
        said = assumptions(declarations)
        given = list(dict.fromkeys(without_definitions(h) for h in (*hypotheses, *said)))
        self.eliminated, given, self.possible = _eliminate(given)
        self.relevant = self._relevant([*about, *(h for h in hypotheses if h not in said)])
        self.whole = [h for h in given if all(v.sort == "integer" for v in free_variables(h))]
        self.real = [h for h in given if h not in self.whole and free_variables(h) <= self.relevant]
        self.existing = [p for v in self.eliminated if (p := self._has_entries(v)) is not None]
        self.numerals = _numerals([*given, *about])
        self.tied = self._tied()
        self.order = self._order(self.integers)
        self.bystanding = self._order(
            [v for v in self.declared if v.sort == "integer" and v not in self.relevant], self.order
        )

    def _relevant(self, terms: Iterable[Term]) -> frozenset[Term]:
        """The variables of some terms, and those that their declarations depend on."""
        pending = [v for t in terms for v in free_variables(t)]
        known: set[Term] = set()
        while pending:
            v = pending.pop()
            if v not in known:
                known.add(v)
                d = self.declared.get(v)
                if d is not None:
                    ranges = (*d.dimensions, d.upper) if d.upper is not None else d.dimensions
                    pending.extend(w for t in ranges for w in free_variables(t))
        return frozenset(known)

    @cached_property
    def integers(self) -> list[Term]:
        declared = [v for v in self.declared if v in self.relevant and v.sort == "integer"]
        return declared + sorted(
            (v for v in self.relevant if v.sort == "integer" and v not in self.declared), key=lambda v: str(v.data)
        )

    @cached_property
    def reals(self) -> list[Term]:
        """Real variables and tensors, declared ones first, without those that a hypothesis identifies with others."""
        declared = [v for v in self.declared if v in self.relevant and v.sort == "real"]
        others = sorted(
            (v for v in self.relevant if v.sort == "real" and v not in self.declared),
            key=lambda v: (str(v.data), v.rank),
        )
        return [v for v in declared + others if v not in self.eliminated]

    def _has_entries(self, v: Term) -> Term | None:
        """Of a tensor that is given by a term: that each of its entries is itself, which has it evaluated."""
        dimensions = self.declared[v].dimensions if v in self.declared else ()
        if not dimensions:
            return None
        indices = [var(f"axis {k}", "integer") for k in range(len(dimensions))]
        made = relation("eq", entry(v, *indices), entry(v, *indices))
        for index, d in reversed(list(zip(indices, dimensions, strict=True))):
            made = forall(index, num(1), d, made)
        return made

    def _tied(self) -> dict[Term, Term]:
        """Integers that equalities give as terms over the others."""
        tied: dict[Term, Term] = {}
        for h in self.whole:
            if h.op != "eq":
                continue
            a, b = h.args
            choices: list[tuple[int, Term, Term]] = []
            for v in (free_variables(h) & self.relevant) - tied.keys():
                x = solved_for(v, a, b)
                if x is not None and not self._depends(x, v, tied):
                    effort = (v not in (a, b)) + 2 * (x.sort != "integer") + (self._kind(v) == "index")
                    choices.append((effort, v, x))
            if choices:
                _, v, x = min(choices, key=lambda c: (c[0], str(c[1].data)))
                tied[v] = x
        return tied

    def _depends(self, x: Term, v: Term, tied: Mapping[Term, Term]) -> bool:
        pending, seen = list(free_variables(x)), set[Term]()
        while pending:
            w = pending.pop()
            if w == v:
                return True
            if w not in seen:
                seen.add(w)
                pending.extend(free_variables(tied[w]) if w in tied else ())
        return False

    def _kind(self, v: Term) -> str:
        return self.declared[v].kind if v in self.declared else "integer"

    def _order(self, integers: Sequence[Term], known: Sequence[Term] = ()) -> list[Term]:
        """Integers, each after those that its value or range depends on, unless these are `known`."""
        needs: dict[Term, frozenset[Term]] = {}
        for v in integers:
            d = self.declared.get(v)
            upper = d.upper if d is not None else None
            source = self.tied.get(v, upper)
            needs[v] = free_variables(source) if source is not None else frozenset()
        order: list[Term] = []
        left = list(integers)
        while left:
            ready = next((v for v in left if needs[v] <= {*known, *order}), None)
            if ready is None:
                ready = left[0]
                self.tied.pop(ready, None)
            order.append(ready)
            left.remove(ready)
        return order

    def cases(self) -> list[Case]:
        """Integer assignments that the hypotheses about integers allow, smaller ones first, then some larger."""
        if not self.possible:
            return []
        checks = self._checks()
        if checks is None:
            return []
        found = list(itertools.islice(self._search(checks), _MAX_CASES if self.reals else _MAX_WHOLE_CASES))
        rng = Random(45)
        for _ in range(20):
            dive = self._dive(checks, rng)
            if dive is not None and dive not in found:
                found.append(dive)
        return [Case(self, assignment) for assignment in found]

    def drawn_cases(self, most: int, rng: Random) -> list[Case]:
        """Different cases with integers drawn at random, at most so many; fewer where few were met."""
        checks = self._checks() if self.possible else None
        if checks is None:
            return []
        found: dict[tuple[int, ...], dict[Term, int]] = {}
        for _ in range(_DIVES * most):
            dive = self._dive(checks, rng)
            if dive is not None:
                found.setdefault(tuple(dive.values()), dive)
            if len(found) == most:
                break
        return [Case(self, assignment) for assignment in found.values()]

    def _checks(self) -> list[list[Term]] | None:
        """For each place in the order, the hypotheses to be checked there; None if one without variables fails."""
        whole = [*self.order, *self.bystanding]
        checks: list[list[Term]] = [[] for _ in whole]
        place = {v: k for k, v in enumerate(whole)}
        for h in self.whole:
            places = [place[v] for v in free_variables(h)]
            if places:
                checks[max(places)].append(h)
            elif not self._holds(h, EMPTY):
                return None
        return checks

    def _search(self, checks: list[list[Term]]) -> Iterator[dict[Term, int]]:
        """By levels: all assignments whose choices' places in their ranges sum to 0, to 1, to 2, and so on."""
        visits = 0
        last = max((k for k, v in enumerate(self.order) if v not in self.tied), default=-1)

        def extend(k: int, level: int, known: dict[Term, int]) -> Iterator[dict[Term, int]]:
            nonlocal visits
            if k == len(self.order):
                found = self._completed(known, checks) if level == 0 else None
                if found is not None:
                    yield found
                return
            v = self.order[k]
            for place, x in enumerate(self._range(v, known)):
                cost = 0 if v in self.tied else place
                visits += 1
                if cost > level or visits > _MAX_VISITS or self.spent:
                    break
                if k == last and cost != level:
                    continue
                known[v] = x
                if all(self._holds(h, Model(known)) for h in checks[k]):
                    yield from extend(k + 1, level - cost, known)
                known.pop(v, None)

        for level in range(7 * len(self.order) + 1):
            yield from extend(0, level, {})
            if visits > _MAX_VISITS or last < 0 or self.spent:
                return

    def _completed(self, known: Mapping[Term, int], checks: list[list[Term]]) -> dict[Term, int] | None:
        """The assignment with the first values for the integers that nothing speaks of; None if none were found."""
        visits = 0

        def complete(k: int, found: dict[Term, int]) -> dict[Term, int] | None:
            nonlocal visits
            if k == len(self.bystanding):
                return dict(found)
            v = self.bystanding[k]
            for x in self._range(v, found):
                visits += 1
                if visits > _MAX_BYSTANDING + _MAX_RETRIES * len(self.bystanding):
                    return None
                found[v] = x
                if all(self._holds(h, Model(found)) for h in checks[len(self.order) + k]):
                    whole = complete(k + 1, found)
                    if whole is not None:
                        return whole
                found.pop(v, None)
            return None

        return complete(0, dict(known))

    @property
    def spent(self) -> bool:
        """Whether the search has no more work to spend."""
        return self.work is not None and self.work.spent

    def _holds(self, p: Term, model: Model) -> bool:
        try:
            return prepare(p).truth(model, 128, self.limits) is True
        except (Undefined, TooLarge):
            return False

    def _dive(self, checks: list[list[Term]], rng: Random) -> dict[Term, int] | None:
        known: dict[Term, int] = {}
        for k, v in enumerate(self.order):
            choices = self._range(v, known)
            if not choices:
                return None
            known[v] = rng.choice(choices)
            if not all(self._holds(h, Model(known)) for h in checks[k]):
                return None
        return self._completed(known, checks)

    def _range(self, v: Term, known: Mapping[Term, int]) -> Sequence[int]:
        model = Model(known)
        try:
            if v in self.tied:
                x = prepare(self.tied[v]).at(model, 64, self.limits)
                return (int(x),) if isinstance(x, (int, Fraction)) and x.denominator == 1 else ()
            d = self.declared.get(v)
            if d is not None and d.kind == "index" and d.upper is not None:
                top = int(prepare(d.upper).at(model, 64, self.limits))  # type: ignore[arg-type]
                return range(1, top + 1) if top <= 7 else (1, 2, 3, top - 1, top, 4, 5)
        except (Undefined, NotCertain, TooLarge):
            return ()
        size = d is not None and d.kind == "size"
        sizes = self.sizes or (SIZES if self.reals else SIZES + _MORE_SIZES)
        base = sizes if size else _INTEGERS
        more = [n for n in self.numerals if n not in base and (n >= 1 or not size)]
        return (*base, *more[:8])


def _eliminate(hypotheses: Sequence[Term]) -> tuple[dict[Term, Term], list[Term], bool]:
    """Equalities between whole tensors, used up: what each tensor is, the other hypotheses, whether all could be."""
    eliminated: dict[Term, Term] = {}
    left = list(hypotheses)
    for h in hypotheses:
        if h.op != "eq" or not h.args[0].rank:
            continue
        left.remove(h)
        a, b = (substitute(x, eliminated) for x in h.args)
        for v, x in ((a, b), (b, a)):
            if v.op == "var" and v not in free_variables(x):
                eliminated = {w: substitute(t, {v: x}) for w, t in eliminated.items()}
                eliminated[v] = x
                break
        else:
            if a != b:
                return {}, [], False
    try:
        return eliminated, [unfold(substitute(h, eliminated), ()) for h in left], True
    except TermError:
        return {}, [], False


def _numerals(terms: Iterable[Term]) -> list[int]:
    """Integers near the numerals of some terms: where a relation between integers may turn."""
    found: set[int] = set()
    pending = list(terms)
    while pending:
        t = pending.pop()
        if isinstance(t.data, Fraction) and abs(t.data) <= 2_000:
            n = int(t.data)
            found |= {n - 1, n, n + 1}
        pending.extend(t.args)
    return sorted(found, key=lambda n: (abs(n), n < 0))


# --- one case ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidate:
    """A model, by the numbers drawn for its free cells."""

    case: Case
    numbers: Mapping[Term, Exact]

    @cached_property
    def model(self) -> Model:
        return self.case.model(self.numbers)

    def with_numbers(self, numbers: Mapping[Term, Exact]) -> Candidate:
        return Candidate(self.case, {**self.numbers, **numbers})

    def allowed(self) -> bool:
        """Whether every hypothesis certainly holds."""
        return self.case.allows(self.model)


class Case:
    """The models of a family that have the same integers."""

    def __init__(self, family: Family, integers: Mapping[Term, int]) -> None:
        self.family = family
        self.integers = dict(integers)
        self.failures = 0
        self.limits = family.limits
        self.too_large = False
        self._ground = 0

    @cached_property
    def shapes(self) -> dict[Term, tuple[int, ...] | None]:
        """The dimensions of each tensor, in numbers."""
        model = Model(self.integers)
        shapes: dict[Term, tuple[int, ...] | None] = {}
        for v in (*self.family.reals, *self.family.eliminated):
            if v.rank:
                d = self.family.declared.get(v)
                axes = d.dimensions if d is not None else ()
                numbers = [prepare(t).at(model, 64, self.limits) for t in axes]
                shapes[v] = tuple(int(x) for x in numbers) if axes else None  # type: ignore[arg-type]
        return shapes

    @cached_property
    def ready(self) -> bool:
        """Whether the hypotheses could be solved; False too where there would be too much to draw (`too_large`)."""
        try:
            self._prepare()
        except (TooLarge, TermError, RecursionError):
            self.too_large = True
            return False
        except (Undefined, NotCertain):
            return False
        return True

    def _spend(self, operations: int) -> None:
        if self.family.work is not None:
            self.family.work.spend(operations)

    def _prepare(self) -> None:
        self.cells: dict[Term, list[Term]] = {}
        for v in self.family.reals:
            if not v.rank:
                self.cells[v] = [v]
                continue
            shape = self.shapes[v] or (3,) * v.rank
            count = 1
            for d in shape:
                count *= max(0, d)
            if count > _MAX_CELLS:
                raise TooLarge("size")
            places = itertools.product(*(range(1, d + 1) for d in shape))
            self.cells[v] = [entry(v, *map(num, place)) for place in places]
        count = sum(map(len, self.cells.values()))
        if count > _MAX_CELLS:
            raise TooLarge("size")
        self._spend(_GROUNDING * count)
        integers = {v: num(n) for v, n in self.integers.items()}
        relations: list[Term] = []
        for h in self.family.real:
            known = {v: n for v, n in integers.items() if v in free_variables(h)}
            relations.extend(self._instances(substitute(h, known)))
        known_cells = {c for cells in self.cells.values() for c in cells}
        for r in relations:
            for cell in cells_of(r):
                if cell not in known_cells:
                    if self.shapes.get(cell.args[0] if cell.op == "entry" else cell) is not None:
                        raise Undefined("outside-dimensions", cell)
                    known_cells.add(cell)
                    self.cells.setdefault(cell.args[0] if cell.op == "entry" else cell, []).append(cell)
        self.solved: dict[Term, Term] = {}
        self.constraints: list[tuple[Term, bool]] = []
        for r in sorted(relations, key=lambda r: r.op != "eq"):
            self._use(r)
        self.constraints = [(replaced(r, self.solved), exact) for r, exact in self.constraints]
        self.free = [c for cells in self.cells.values() for c in cells if c not in self.solved]

    def _instances(self, h: Term) -> Iterator[Term]:
        """A hypothesis without its "for all" and without any binder."""
        if h.op != "forall":
            yield rebuild(h, tuple(self._grounded(a) for a in h.args))
            return
        lo, hi = (int(prepare(x).at(EMPTY, 64, self.limits)) for x in h.args[:2])  # type: ignore[arg-type]
        if hi - lo >= _MAX_CELLS:
            raise TooLarge("size")
        for k in range(lo, hi + 1):
            yield from self._instances(instantiate(h.args[2], [num(k)]))

    def _grounded(self, t: Term) -> Term:
        self._ground += 1
        if self._ground > _MAX_GROUND:
            raise TooLarge("size")
        self._spend(_GROUNDING)
        if t.op in ("num", "var", "lam"):
            return t
        if t.sort == "integer" and not t.rank and not free_variables(t):
            return num(int(prepare(t).at(EMPTY, 64, self.limits)))  # type: ignore[arg-type]
        if t.op in ("sum", "maxof"):
            lo, hi = (int(prepare(x).at(EMPTY, 64, self.limits)) for x in t.args[:2])  # type: ignore[arg-type]
            if hi - lo >= _MAX_CELLS:
                raise TooLarge("size")
            parts = [self._grounded(instantiate(t.args[2], [num(k)])) for k in range(lo, hi + 1)]
            if not parts:
                return num(0) if t.op == "sum" else t
            result = parts[0]
            if t.op == "sum":
                return add(*parts) if len(parts) > 1 else result
            for p in parts[1:]:
                result = maximum(result, p)
            return result
        if t.op == "if":
            return self._grounded(t.args[1] if prepare(t.args[0]).truth(EMPTY, 64, self.limits) else t.args[2])
        return rebuild(t, tuple(self._grounded(a) for a in t.args))

    def _use(self, r: Term) -> None:
        """Solve an equality for one cell; keep everything as a constraint to be checked."""
        r = replaced(r, self.solved)
        if r.op != "eq" or r.args[0] == r.args[1]:
            self.constraints.append((r, True))
            return
        a, b = r.args
        for cell in sorted(cells_of(r), key=lambda c: c not in (a, b)):
            x = None if hidden(r, cell) else solved_for(cell, a, b)
            if x is not None:
                exact = not any(p.op == "sqrt" or p.op == "pow" for p in above(a, b, cell))
                self.solved = {c: replaced(t, {cell: x}) for c, t in self.solved.items()}
                self.solved[cell] = x
                self.constraints.append((r, not exact))
                return
        self.constraints.append((r, True))

    def model(self, numbers: Mapping[Term, Exact]) -> Model:
        """The model in which the free cells have these numbers."""
        values: dict[Term, Exact | Tensor | Term] = {**self.family.eliminated, **self.integers}
        for seed, (v, cells) in enumerate(self.cells.items()):
            given = {c: self.solved[c] if c in self.solved else numbers[c] for c in cells}
            if v.rank:
                table = {tuple(int(i.data) for i in c.args[1:]): x for c, x in given.items()}  # type: ignore[arg-type]
                values[v] = Tensor(v.rank, table, self.shapes.get(v), seed)
            else:
                values[v] = given[v]
        shapes = {v: shape for v in self.family.eliminated if (shape := self.shapes.get(v)) is not None}
        return Model(values, shapes)

    def allows(self, model: Model) -> bool:
        """Whether every hypothesis certainly holds; what was solved for holds by construction where it is defined."""
        return all(self._kept(r, certain, model) for r, certain in self.constraints) and self._consistent(model)

    def _consistent(self, model: Model) -> bool:
        """Whether no hypothesis, in its own words, fails or has no value."""
        try:
            said = (*self.family.real, *self.family.existing)
            return all(prepare(h).truth(model, 128, self.limits) is not False for h in said)
        except (Undefined, TooLarge):
            return False

    def draw(self, pattern: int) -> Candidate | None:
        """A model by the given pattern (fixed ones, then random), or None where the hypotheses stay broken."""
        if not self.ready or self.failures >= _PATIENCE:
            return None
        try:
            self._spend(_DRAWING + len(self.free))
        except TooLarge:
            return None
        rng = Random(pattern * 1_000_003 + sum(self.integers.values()) * 101 + len(self.free))
        numbers = _pattern(pattern, self.cells, self.solved.keys(), rng, self.family.declared)
        if self.constraints and pattern % 4 == 3:
            self._to_edges(numbers, rng)
        drawn = dict(numbers)
        for _ in range(5):
            candidate = Candidate(self, dict(numbers))
            broken = self._broken(candidate)
            if not broken:
                return self._met(candidate)
            for r in broken:
                self._repair(r, numbers, rng)
        for scale in _SCALES:
            candidate = Candidate(self, {c: x * scale for c, x in drawn.items()})
            if not self._broken(candidate):
                return self._met(candidate)
        self.failures += 1
        return None

    def _broken(self, candidate: Candidate) -> list[Term]:
        return [r for r, certain in self.constraints if not self._kept(r, certain, candidate.model)]

    def _met(self, candidate: Candidate) -> Candidate | None:
        self.failures = 0
        return candidate if self._consistent(candidate.model) else None

    def _kept(self, r: Term, certain: bool, model: Model) -> bool:
        try:
            truth = prepare(r).truth(model, 128, self.limits)
            if truth is None and certain:
                return r.op == "eq" and holds(r, model, limits=self.limits) is True
        except (Undefined, TooLarge):
            return False
        return truth is not False

    def _boundary(self, r: Term, cell: Term, numbers: Mapping[Term, Exact]) -> Exact | None:
        """The number for `cell` at which both sides of `r` are equal (nearly, where it is no rational number)."""
        try:
            x = None if hidden(r, cell) else solved_for(cell, *r.args)
            if x is not None:
                found = prepare(x).at(self.model(numbers), 64, self.limits)
                return round(found.lower * 64) / Fraction(64) if isinstance(found, Interval) else found
            rest = sub(*r.args)
            at = [prepare(replaced(rest, {cell: num(k)})).at(self.model(numbers), 64, self.limits) for k in (0, 1)]
            zero, one = at
            if isinstance(zero, Interval) or isinstance(one, Interval) or zero == one:
                return None
            return Fraction(zero) / (zero - one)
        except (Undefined, NotCertain, TooLarge, TermError):
            return None

    def _repair(self, r: Term, numbers: dict[Term, Exact], rng: Random) -> None:
        """Move one cell of a broken relation so that it holds."""
        cells = [c for c in cells_of(r) if c in numbers]
        rng.shuffle(cells)
        for cell in cells:
            old = numbers[cell]
            edge = self._boundary(r, cell, numbers)
            tries: list[Exact] = []
            if edge is not None:
                if r.op == "eq" or (r.op == "le" and rng.random() < 0.3):
                    tries.append(edge)
                steps = rng.sample(_STEPS, len(_STEPS))
                tries.extend(edge + s * sign for s in steps for sign in (1, -1))
            tries.extend(rng.sample(_SMALL, 4))
            for x in tries:
                numbers[cell] = x
                if self._kept(r, True, self.model(numbers)):
                    return
            numbers[cell] = old

    def _to_edges(self, numbers: dict[Term, Exact], rng: Random) -> None:
        """Move cells onto the boundaries of order hypotheses."""
        for r, _ in self.constraints:
            cells = [c for c in cells_of(r) if c in numbers]
            if r.op == "le" and cells and rng.random() < 0.6:
                cell = rng.choice(cells)
                edge = self._boundary(r, cell, numbers)
                if edge is not None:
                    numbers[cell] = edge


def _pattern(
    number: int, cells: Mapping[Term, Sequence[Term]], solved: Iterable[Term], rng: Random,
    declared: Mapping[Term, Declaration],
) -> dict[Term, Exact]:  # fmt: skip
    """Numbers for all cells that were not solved for."""
    numbers: dict[Term, Exact] = {}
    left = set(solved)
    count = 0
    for place, (v, own) in enumerate(cells.items()):
        positive = v in declared and declared[v].kind == "positive"
        mode = rng.randrange(8)
        same = rng.choice(_SMALL)
        for k, cell in enumerate(own):
            if cell in left:
                continue
            drawn = _drawn(number, count, place, k == len(own) - 1, mode, same, rng)
            numbers[cell] = max(drawn, -drawn) or 1 if positive else drawn
            count += 1
    return {c: x.numerator if x.denominator == 1 else x for c, x in numbers.items()}


def _drawn(number: int, count: int, place: int, last: bool, mode: int, same: Exact, rng: Random) -> Exact:
    """One number; `count` is its place among all, `place` that of its variable, `mode` a choice for the variable."""
    constants: dict[int, Exact] = {2: 0, 3: 1, 5: -1, 7: 2, 8: Fraction(1, 2)}
    if number in constants:
        return constants[number]
    if number in (0, 1, 9):
        values = {0: _MIXED, 1: _POSITIVE, 9: _NEGATIVE}[number]
        return values[count % len(values)]
    if number in (4, 10):
        return (_POSITIVE if number == 4 else _MIXED[1:])[place % 10]
    if number == 6:
        return 1 if last else 0
    sign = rng.choice((1, 1, -1)) if mode < 3 else -1 if mode == 3 else 1
    if mode == 7:
        return same
    if mode == 6:
        return Fraction(rng.randint(1, 5), rng.randint(20, 40))
    if number % 3 == 0:
        return sign * abs(rng.choice(_SMALL))
    if number % 11 == 1:
        return sign * rng.choice(_EXTREME)
    return sign * Fraction(rng.randint(1, 9), rng.randint(1, 5))
