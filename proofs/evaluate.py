"""Certified values of terms at exact points: what a verdict such as "refuted" rests on.

A `Model` gives an integer to every integer variable, a rational number to every real one and a total function
of its indices to every tensor. The value of a term is exact (an integer or a fraction) as long as it can be,
else an `Interval` that certainly contains it. Nothing is ever called equal because it is close: numbers are
equal if both are exact, or if they are recognised as one closed form (`proofs.closed_forms`).

A term is prepared once, as nested functions over one list of slots, and then evaluated at many models.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any, Protocol

from proofs import closed_forms, intervals
from proofs.closed_forms import Form
from proofs.intervals import Interval, NotCertain, TooLarge
from proofs.terms import RELATIONS, Definition, Term, free_variables, instantiate, num

__all__ = [
    "EMPTY", "LIMITS", "Exact", "Interval", "Limits", "Model", "NotCertain", "Number", "Prepared", "Tensor",
    "TooLarge", "Unassigned", "Undefined", "compare", "decimal", "exact", "holds", "prepare", "rounded", "value",
]  # fmt: skip

Exact = int | Fraction
Number = int | Fraction | Interval | Form

_MAX_PREPARED = 60_000
_MAX_LEVELS = 260
_MAX_EXPONENT = 1 << 31
_SMALL = 1 << 256


class Undefined(ArithmeticError):
    """The term has no value here; `code` names the reason and `term` the part, with its indices put in.

    Codes: ``division-by-zero``, ``zeroth-power``, ``negative-root``, ``logarithm``, ``empty-maximum``.
    """

    def __init__(self, code: str, term: Term) -> None:
        super().__init__(f"{code}: {term!r}")
        self.code = code
        self.term = term


class Unassigned(LookupError):
    """The model says nothing of a variable of the term."""

    def __init__(self, variable: Term) -> None:
        super().__init__(str(variable.data))
        self.variable = variable


@dataclass(frozen=True)
class Limits:
    """What one evaluation may cost.

    Attributes
    ----------
    operations : int
        Nodes visited, those of every summand counted.
    precision : int
        The greatest number of bits tried.
    digits : int
        Bits of an exact number; beyond, a real becomes an interval and an integer is refused.
    seconds : float
        Time for one call, looked at whenever a sum begins.
    """

    operations: int = 400_000
    precision: int = 2_048
    digits: int = 10_000
    seconds: float = 5.0


LIMITS = Limits()


@dataclass(frozen=True)
class Tensor:
    """A total function of integer indices: a table, and outside of it a fixed small positive number.

    `shape` is the part that is meant, ``1..shape[k]`` on each axis; entries outside of it may be tabled too.
    An entry may be a closed term, whose value is then the entry (``B[1,2]`` for "A agrees with B").
    """

    rank: int
    table: Mapping[tuple[int, ...], Exact | Term] = field(default_factory=dict)
    shape: tuple[int, ...] | None = None
    strays: frozenset[tuple[int, ...]] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        object.__setattr__(self, "strays", frozenset(k for k in self.table if not self.inside(k)))

    @staticmethod
    def default(indices: tuple[int, ...]) -> int:
        """The entry where the table has none: one of 1..7, the same for the same indices."""
        mixed = 5
        for i in indices:
            mixed = (mixed * 31 + i * 17 + 3) % 1009
        return mixed % 7 + 1

    def inside(self, indices: tuple[int, ...]) -> bool:
        """Whether the indices lie in the part that is meant (everything does where no shape is known)."""
        return self.shape is None or all(1 <= i <= d for i, d in zip(indices, self.shape, strict=True))


@dataclass(frozen=True)
class Model:
    """Values of variables. A real may be given by a closed term over the others instead of a number."""

    values: Mapping[Term, Exact | Tensor | Term] = field(default_factory=dict)


EMPTY = Model()

Frame = list[Any]  # slot 0 the machine, then variables, then indices and arguments: mixed by nature
Run = Callable[[Frame], Any]


class _Entries(Protocol):
    def at(self, indices: tuple[int, ...]) -> Number: ...


class _Machine:
    """One evaluation of one model at one precision."""

    __slots__ = (
        "busy",
        "deadline",
        "digits",
        "known",
        "memo",
        "model",
        "operations",
        "outside",
        "precision",
        "symbolic",
    )

    def __init__(self, model: Model, precision: int, limits: Limits, deadline: float, symbolic: bool = False) -> None:
        self.model = model
        self.precision = precision
        self.symbolic = symbolic
        self.operations = limits.operations
        self.digits = limits.digits
        self.deadline = deadline
        self.memo: dict[tuple[Any, ...], Any] = {}
        self.known: dict[Term, Any] = {}
        self.busy: set[Term] = set()
        self.outside: set[tuple[Term, tuple[int, ...]]] = set()

    def charge(self, operations: int) -> None:
        self.operations -= operations
        if self.operations < 0:
            raise TooLarge("operations")
        if time.monotonic() > self.deadline:
            raise TooLarge("time")

    def variable(self, v: Term) -> Any:
        """The value of a variable: a number, or an object that gives entries."""
        if v in self.known:
            return self.known[v]
        try:
            given = self.model.values[v]
        except KeyError:
            raise Unassigned(v) from None
        known: Any = given
        if isinstance(given, Tensor):
            known = _Table(v, given, self)
        elif isinstance(given, Term):
            known = self.term(given)
        self.known[v] = known
        return known

    def term(self, t: Term) -> Any:
        """The value of a closed term that stands in the model."""
        if t in self.known:
            return self.known[t]
        if t in self.busy:
            raise TooLarge("depth")
        self.busy.add(t)
        self.known[t] = result = prepare(t).run(self)
        self.busy.discard(t)
        return result


class _Table:
    """The entries of a tensor variable."""

    __slots__ = ("machine", "table", "tensor", "variable")

    def __init__(self, variable: Term, tensor: Tensor, machine: _Machine) -> None:
        self.variable = variable
        self.tensor = tensor
        self.machine = machine
        self.table = tensor.table

    def at(self, indices: tuple[int, ...]) -> Number:
        found = self.table.get(indices)
        if found is None or indices in self.tensor.strays:
            if self.tensor.shape is not None:
                self.machine.outside.add((self.variable, indices))
            if found is None:
                return Tensor.default(indices)
        return self.machine.term(found) if isinstance(found, Term) else found


class _Comprehension:
    """The entries of a comprehension, each evaluated when first asked for."""

    __slots__ = ("body", "frame", "known", "slots")

    def __init__(self, body: Run, frame: Frame, slots: slice) -> None:
        self.body = body
        self.frame = frame
        self.slots = slots
        self.known: dict[tuple[int, ...], Number] = {}

    def at(self, indices: tuple[int, ...]) -> Number:
        found = self.known.get(indices)
        if found is None:
            self.frame[self.slots] = indices
            found = self.known[indices] = self.body(self.frame)
        return found


# --- arithmetic on numbers of all kinds --------------------------------------------------------------------


def _interval(a: Any, bits: int) -> Interval:
    return a if type(a) is Interval else intervals.rational(a, bits)


def _form(a: Any) -> Form:
    return a if type(a) is Form else closed_forms.constant(a)


def _plain(q: Fraction) -> Exact:
    return q.numerator if q.denominator == 1 else q


def _weight(q: Exact) -> int:
    return q.bit_length() if isinstance(q, int) else q.numerator.bit_length() + q.denominator.bit_length()


def _within(q: Exact, m: _Machine) -> Number:
    """`q` itself, or an enclosure where its exact form has grown too long."""
    if _weight(q) <= m.digits:
        return q
    if m.symbolic:
        raise TooLarge("digits")
    return intervals.rational(q, m.precision)


def _add(m: _Machine, a: Any, b: Any) -> Number:
    kinds = (type(a), type(b))
    if Form in kinds:
        return _simplest(closed_forms.add(_form(a), _form(b)))
    if Interval in kinds:
        if a == 0 or b == 0:
            result: Number = b if a == 0 else a
            return result
        return intervals.add(_interval(a, m.precision), _interval(b, m.precision), m.precision)
    return _within(a + b, m)


def _mul(m: _Machine, a: Any, b: Any) -> Number:
    kinds = (type(a), type(b))
    if Form in kinds:
        return _simplest(closed_forms.mul(_form(a), _form(b)))
    if Interval in kinds:
        if a == 0 or b == 0:
            return 0
        if a == 1 or b == 1:
            result: Number = b if a == 1 else a
            return result
        return intervals.mul(_interval(a, m.precision), _interval(b, m.precision), m.precision)
    return _within(a * b, m)


def _simplest(f: Form) -> Number:
    q = f.rational()
    return f if q is None else _plain(q)


def _sign(a: Any) -> int:
    """The sign of a number. Raises `NotCertain` where it isn't known."""
    if type(a) is Interval:
        s: int | None = a.sign()
        if s is None:
            raise NotCertain
        return s
    return a.sign() if type(a) is Form else (a > 0) - (a < 0)


def _order(a: Any, b: Any, bits: int) -> int | None:
    """-1, 0, 1 or None; 0 for exact numbers and recognised forms only."""
    kinds = (type(a), type(b))
    if Form in kinds:
        try:
            return closed_forms.add(_form(a), closed_forms.mul(_form(b), closed_forms.constant(-1))).sign()
        except NotCertain:
            return None
    if Interval in kinds:
        return intervals.compare(_interval(a, bits), _interval(b, bits))
    return -1 if a < b else int(a > b)


# --- preparing terms ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Scope:
    """Where names live: variables and parameters by term, bound indices innermost last; the next free slot."""

    names: Mapping[Term, int]
    bound: tuple[int, ...]
    top: int

    def under(self, count: int) -> _Scope:
        return _Scope(self.names, (*self.bound, *range(self.top, self.top + count)), self.top + count)

    def above(self, count: int) -> _Scope:
        return _Scope(self.names, self.bound, self.top + count)


@dataclass(frozen=True)
class _Part:
    """A prepared subterm: how to run it, which slots it reads, and how many nodes one run visits."""

    run: Run
    reads: frozenset[int]
    cost: int


class Prepared:
    """A term or proposition that is ready to be evaluated at many models."""

    __slots__ = ("slots", "start", "term", "variables")

    def __init__(self, t: Term) -> None:
        self.term = t
        self.variables = tuple(sorted(free_variables(t), key=lambda v: (str(v.data), v.rank, v.sort)))
        names = {v: k + 1 for k, v in enumerate(self.variables)}
        maker = _Maker(len(names))
        try:
            self.start = maker.make(t, _Scope(names, (), len(names) + 1), 0).run
        except RecursionError:
            raise TooLarge("depth") from None
        self.slots = maker.slots + 1

    def run(self, m: _Machine) -> Any:
        frame: Frame = [None] * self.slots
        frame[0] = m
        for k, v in enumerate(self.variables):
            frame[k + 1] = m.variable(v)
        try:
            return self.start(frame)
        except RecursionError:
            raise TooLarge("depth") from None

    def at(self, model: Model, bits: int, limits: Limits = LIMITS) -> int | Fraction | Interval:
        """The value at `model`, computed once with `bits` bits; may raise `NotCertain`."""
        result: int | Fraction | Interval = self.run(_Machine(model, bits, limits, time.monotonic() + limits.seconds))
        return result

    def truth(self, model: Model, bits: int, limits: Limits = LIMITS) -> bool | None:
        """Whether the proposition holds, computed once with `bits` bits; None where bounds touch."""
        try:
            result: bool | None = self.run(_Machine(model, bits, limits, time.monotonic() + limits.seconds))
        except NotCertain:
            return None
        return result

    def outside(self, model: Model, bits: int, limits: Limits = LIMITS) -> tuple[tuple[Term, tuple[int, ...]], ...]:
        """The tensor entries that the evaluation reads outside the declared dimensions."""
        machine = _Machine(model, bits, limits, time.monotonic() + limits.seconds)
        self.run(machine)
        return tuple(sorted(machine.outside, key=lambda x: (str(x[0].data), x[1])))


@lru_cache(maxsize=1_024)
def prepare(t: Term) -> Prepared:
    """`t` made ready; kept, since a search asks for the same terms again. Raises `TooLarge`."""
    return Prepared(t)


class _Maker:
    """Turns terms into nested functions; one method for each operation, called ``_<operation>``."""

    def __init__(self, slots: int) -> None:
        self.variables = self.slots = slots
        self.made = 0

    def make(self, t: Term, scope: _Scope, level: int) -> _Part:
        self.made += 1
        if self.made > _MAX_PREPARED:
            raise TooLarge("size")
        if level > _MAX_LEVELS:
            raise TooLarge("depth")
        self.slots = max(self.slots, scope.top)
        if t.op == "var" or t.op == "bound":
            return self._slot(t, scope)
        if t.op in RELATIONS:
            return self._relation(t, scope, level + 1)
        part: _Part = getattr(self, f"_{t.op}")(t, scope, level + 1)
        return part

    def _all(self, terms: Iterable[Term], scope: _Scope, level: int) -> tuple[list[Run], frozenset[int], int]:
        runs: list[Run] = []
        reads: frozenset[int] = frozenset()
        cost = 1
        for a in terms:
            part = self.make(a, scope, level)
            runs.append(part.run)
            reads |= part.reads
            cost += part.cost
        return runs, reads, cost

    def _undefined(self, code: str, t: Term, scope: _Scope) -> Callable[[Frame], Undefined]:
        slots = scope.bound[len(scope.bound) - t.loose :] if t.loose else ()

        def at(f: Frame) -> Undefined:
            return Undefined(code, instantiate(t, [num(f[s]) for s in slots]) if slots else t)

        return at

    def _kept(self, part: _Part) -> Run:
        """`part`, computed once for the same values of the slots that it reads."""
        local = tuple(sorted(s for s in part.reads if s > self.variables))
        run, mark = part.run, object()

        def kept(f: Frame) -> Any:
            memo = f[0].memo
            key = (mark, *[f[s] for s in local])
            found = memo.get(key, memo)
            if found is memo:
                found = memo[key] = run(f)
            return found

        return kept

    def _slot(self, t: Term, scope: _Scope) -> _Part:
        slot = scope.bound[-1 - t.data] if isinstance(t.data, int) else scope.names[t]
        return _Part(lambda f: f[slot], frozenset((slot,)), 1)

    def _num(self, t: Term, scope: _Scope, level: int) -> _Part:
        constant = _plain(t.data) if isinstance(t.data, Fraction) else 0
        return _Part(lambda f: constant, frozenset(), 1)

    def _add(self, t: Term, scope: _Scope, level: int) -> _Part:
        runs, reads, cost = self._all(t.args, scope, level)
        first, rest = runs[0], runs[1:]

        def run(f: Frame) -> Any:
            total = first(f)
            for r in rest:
                b = r(f)
                total = total + b if type(total) is int and type(b) is int else _add(f[0], total, b)
            return total

        return _Part(run, reads, cost)

    def _mul(self, t: Term, scope: _Scope, level: int) -> _Part:
        runs, reads, cost = self._all(t.args, scope, level)
        first, rest = runs[0], runs[1:]

        def run(f: Frame) -> Any:
            product = first(f)
            for r in rest:
                b = r(f)
                if type(product) is int and type(b) is int and -_SMALL < product < _SMALL and -_SMALL < b < _SMALL:
                    product *= b
                else:
                    product = _mul(f[0], product, b)
            return product

        return _Part(self._whole(t, run), reads, cost)

    def _whole(self, t: Term, run: Run) -> Run:
        """For an integer term: refuse what has grown past being exact."""
        if t.sort != "integer":
            return run

        def whole(f: Frame) -> Any:
            result = run(f)
            if type(result) is not int:
                raise TooLarge("digits")
            return result

        return whole

    def _neg(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a,), reads, cost = self._all(t.args, scope, level)

        def run(f: Frame) -> Any:
            x = a(f)
            if type(x) is Interval:
                return intervals.neg(x)
            return closed_forms.mul(x, closed_forms.constant(-1)) if type(x) is Form else -x

        return _Part(run, reads, cost)

    def _div(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a, b), reads, cost = self._all(t.args, scope, level)
        undefined = self._undefined("division-by-zero", t, scope)

        def run(f: Frame) -> Any:
            x, y = a(f), b(f)
            m: _Machine = f[0]
            if _sign(y) == 0:
                raise undefined(f)
            kinds = (type(x), type(y))
            if Form in kinds:
                return _simplest(closed_forms.mul(_form(x), closed_forms.inverse(_form(y))))
            if Interval in kinds:
                if x == 0:
                    return 0
                return intervals.div(_interval(x, m.precision), _interval(y, m.precision), m.precision)
            return _within(_plain(Fraction(x, y)), m)

        return _Part(run, reads, cost)

    def _pow(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a, b), reads, cost = self._all(t.args, scope, level)
        division = self._undefined("division-by-zero", t, scope)
        zeroth = self._undefined("zeroth-power", t, scope)

        def run(f: Frame) -> Any:
            x, n = a(f), b(f)
            m: _Machine = f[0]
            if n <= 0 and _sign(x) == 0:
                raise (division if n else zeroth)(f)
            if n == 0:
                return 1
            if type(x) is Form:
                return _simplest(closed_forms.power(x, n))
            if type(x) is not Interval:
                if x in (0, 1, -1):
                    return x if n % 2 else x * x
                if _weight(x) * abs(n) <= 2 * m.digits:
                    return _within(_plain(Fraction(x) ** n) if n < 0 else x**n, m)
                if m.symbolic:
                    raise TooLarge("digits")
            if abs(n) > _MAX_EXPONENT:
                raise TooLarge("magnitude")
            raised = intervals.power(_interval(x, m.precision), abs(n), m.precision)
            return raised if n > 0 else intervals.div(Interval(1, 1, 0), raised, m.precision)

        return _Part(self._whole(t, run), reads, cost)

    def _sqrt(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a,), reads, cost = self._all(t.args, scope, level)
        undefined = self._undefined("negative-root", t, scope)

        def run(f: Frame) -> Any:
            x = a(f)
            m: _Machine = f[0]
            if type(x) is Interval:
                if x.hi < 0:
                    raise undefined(f)
                return intervals.sqrt(x, m.precision)
            if _sign(x) < 0:
                raise undefined(f)
            if m.symbolic:
                return _simplest(closed_forms.sqrt(_form(x)))
            top, bottom = isqrt(x.numerator), isqrt(x.denominator)
            if top * top == x.numerator and bottom * bottom == x.denominator:
                return _plain(Fraction(top, bottom))
            return intervals.sqrt_rational(x, m.precision)

        return _Part(run, reads, cost)

    def _exp(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a,), reads, cost = self._all(t.args, scope, level)

        def run(f: Frame) -> Any:
            x = a(f)
            m: _Machine = f[0]
            if type(x) is Interval:
                return intervals.exp(x, m.precision)
            if m.symbolic:
                return _simplest(closed_forms.exp(_form(x)))
            return intervals.exp_rational(x, m.precision) if x else 1

        return _Part(run, reads, cost + 4)

    def _ln(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a,), reads, cost = self._all(t.args, scope, level)
        undefined = self._undefined("logarithm", t, scope)

        def run(f: Frame) -> Any:
            x = a(f)
            m: _Machine = f[0]
            if type(x) is Interval:
                if x.hi <= 0:
                    raise undefined(f)
                return intervals.ln(x, m.precision)
            if _sign(x) <= 0:
                raise undefined(f)
            if m.symbolic:
                return _simplest(closed_forms.ln(_form(x)))
            return intervals.ln_rational(x, m.precision) if x != 1 else 0

        return _Part(run, reads, cost + 4)

    def _max(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a, b), reads, cost = self._all(t.args, scope, level)
        return _Part(lambda f: _greater(f[0], a(f), b(f)), reads, cost)

    def _if(self, t: Term, scope: _Scope, level: int) -> _Part:
        (condition, a, b), reads, cost = self._all(t.args, scope, level)
        return _Part(lambda f: a(f) if condition(f) else b(f), reads, cost)

    def _sum(self, t: Term, scope: _Scope, level: int) -> _Part:
        lo, hi, body, slot, reads, cost = self._range(t, scope, level)

        def run(f: Frame) -> Any:
            first, last = lo(f), hi(f)
            m: _Machine = f[0]
            m.charge(max(0, last - first + 1) * cost)
            total: Any = 0
            for k in range(first, last + 1):
                f[slot] = k
                b = body(f)
                total = total + b if type(total) is int and type(b) is int else _add(m, total, b)
            return total

        return _Part(self._kept(_Part(run, reads, 0)), reads, 3)

    def _maxof(self, t: Term, scope: _Scope, level: int) -> _Part:
        lo, hi, body, slot, reads, cost = self._range(t, scope, level)
        undefined = self._undefined("empty-maximum", t, scope)

        def run(f: Frame) -> Any:
            first, last = lo(f), hi(f)
            m: _Machine = f[0]
            if last < first:
                raise undefined(f)
            m.charge((last - first + 1) * cost)
            f[slot] = first
            best = body(f)
            for k in range(first + 1, last + 1):
                f[slot] = k
                best = _greater(m, best, body(f))
            return best

        return _Part(self._kept(_Part(run, reads, 0)), reads, 3)

    def _range(self, t: Term, scope: _Scope, level: int) -> tuple[Run, Run, Run, int, frozenset[int], int]:
        (lo, hi), reads, _ = self._all(t.args[:2], scope, level)
        inner = self.make(t.args[2], scope.under(1), level)
        return lo, hi, inner.run, scope.top, reads | (inner.reads - {scope.top}), inner.cost + 1

    def _forall(self, t: Term, scope: _Scope, level: int) -> _Part:
        lo, hi, body, slot, reads, cost = self._range(t, scope, level)

        def run(f: Frame) -> bool | None:
            first, last = lo(f), hi(f)
            f[0].charge(max(0, last - first + 1) * cost)
            verdict: bool | None = True
            for k in range(first, last + 1):
                f[slot] = k
                truth = body(f)
                if truth is not True and verdict is not False:
                    verdict = truth
            return verdict

        return _Part(run, reads, 3)

    def _relation(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a, b), reads, cost = self._all(t.args, scope, level)
        same, tensors = t.args[0] == t.args[1], t.args[0].rank > 0
        decide = _DECIDE[t.op]

        def run(f: Frame) -> bool | None:
            x, y = a(f), b(f)
            if tensors:
                return True if same or x is y else None
            order = 0 if same else _order(x, y, f[0].precision)
            return None if order is None else decide(order)

        return _Part(run, reads, cost)

    def _lam(self, t: Term, scope: _Scope, level: int) -> _Part:
        inner = self.make(t.args[0], scope.under(t.rank), level)
        own = frozenset(range(scope.top, scope.top + t.rank))
        slots, body, cost = slice(scope.top, scope.top + t.rank), inner.run, inner.cost

        def run(f: Frame) -> _Comprehension:
            def charged(frame: Frame) -> Any:
                frame[0].charge(cost)
                return body(frame)

            return _Comprehension(charged, list(f), slots)

        reads = inner.reads - own
        return _Part(self._kept(_Part(run, reads, 0)), reads, 3)

    def _entry(self, t: Term, scope: _Scope, level: int) -> _Part:
        (tensor, *indices), reads, cost = self._all(t.args, scope, level)
        if len(indices) == 1:
            (i,) = indices
            return _Part(lambda f: tensor(f).at((i(f),)), reads, cost)
        return _Part(lambda f: tensor(f).at(tuple([i(f) for i in indices])), reads, cost)

    def _app(self, t: Term, scope: _Scope, level: int) -> _Part:
        definition = t.data
        if not isinstance(definition, Definition):
            raise TypeError(f"not a definition: {definition!r}")
        args, reads, cost = self._all(t.args, scope.above(len(t.args)), level)
        first = scope.top
        names = {p: first + k for k, p in enumerate(definition.parameters)}
        inner = self.make(definition.body, _Scope(names, (), first + len(names)), level)
        body = inner.run

        def run(f: Frame) -> Any:
            f[first : first + len(args)] = [a(f) for a in args]
            return body(f)

        reads |= inner.reads - frozenset(names.values())
        return _Part(run, reads, cost + inner.cost)


_DECIDE: Mapping[str, Callable[[int], bool]] = {
    "eq": lambda order: order == 0,
    "ne": lambda order: order != 0,
    "le": lambda order: order <= 0,
    "lt": lambda order: order < 0,
}


def _greater(m: _Machine, a: Any, b: Any) -> Any:
    order = _order(a, b, m.precision)
    if order is None:
        if m.symbolic:
            raise NotCertain
        return intervals.maximum(_interval(a, m.precision), _interval(b, m.precision))
    return b if order < 0 else a


# --- questions ---------------------------------------------------------------------------------------------


def _precisions(first: int, limits: Limits) -> Iterator[int]:
    bits = first
    while bits < limits.precision:
        yield bits
        bits *= 2
    yield limits.precision


def value(term: Term, model: Model = EMPTY, *, precision: int = 64, limits: Limits = LIMITS) -> Fraction | Interval:
    """The value of a number: exact where it is recognised as rational, else enclosed.

    Parameters
    ----------
    term : Term
        A term of rank 0 whose free variables the model assigns.
    precision : int
        The enclosure is at most ``2^-precision`` of the value wide, unless `limits.precision` is reached first.

    Raises
    ------
    Undefined
        Where the value, or that of any part that is evaluated, does not exist.
    NotCertain
        Where it can't be told whether it exists (a denominator that may be 0).
    TooLarge
        Before a limit would be exceeded.

    Examples
    --------
    >>> from proofs.terms import div, exp, num, sqrt
    >>> value(sqrt(div(num(9), num(4))))
    Fraction(3, 2)
    >>> value(exp(num(1)))
    [2.7182818284590451, 2.7182818284590451]
    """
    prepared = prepare(term)
    deadline = time.monotonic() + limits.seconds
    result: Any = None
    for step, bits in enumerate(_precisions(max(64, precision + 32), limits)):
        try:
            result = prepared.run(_Machine(model, bits, limits, deadline))
        except NotCertain:
            result = None
        if isinstance(result, (int, Fraction)):
            return Fraction(result)
        if result is not None and result.narrow(precision):
            return _enclosed(result)
        if step == 0:
            recognised = _recognised(prepared, model, limits, deadline)
            if isinstance(recognised, (int, Fraction)):
                return Fraction(recognised)
    if result is None:
        raise NotCertain
    return _enclosed(result)


def exact(term: Term, model: Model = EMPTY, *, limits: Limits = LIMITS) -> Fraction | None:
    """The value where it is recognised as a rational number. Raises `Undefined`.

    Examples
    --------
    >>> from proofs.terms import exp, mul, num
    >>> exact(mul(exp(num(2)), exp(num(-2))))
    Fraction(1, 1)
    >>> exact(exp(num(2))) is None
    True
    """
    found = _recognised(prepare(term), model, limits, time.monotonic() + limits.seconds)
    return Fraction(found) if isinstance(found, (int, Fraction)) else None


def _enclosed(a: Any) -> Interval:
    return _interval(a, 64)


def _recognised(prepared: Prepared, model: Model, limits: Limits, deadline: float) -> Any:
    """The value as an exact number, a form or a truth value; None where it can't be had."""
    try:
        return prepared.run(_Machine(model, 64, limits, deadline, symbolic=True))
    except (NotCertain, TooLarge):
        return None


def holds(proposition: Term, model: Model = EMPTY, *, limits: Limits = LIMITS) -> bool | None:
    """Whether a relation or a bounded "for all" holds; None where it can't be told.

    Raises `Undefined` where any part has no value, and `TooLarge`.

    Examples
    --------
    >>> from proofs.terms import add, exp, mul, num, relation
    >>> holds(relation("eq", exp(num(3)), mul(exp(num(1)), exp(num(2)))))
    True
    >>> holds(relation("lt", exp(num(3)), num(20)))
    False
    """
    prepared = prepare(proposition)
    deadline = time.monotonic() + limits.seconds
    for step, bits in enumerate(_precisions(128, limits)):
        try:
            truth: bool | None = prepared.run(_Machine(model, bits, limits, deadline))
        except NotCertain:
            truth = None
        if truth is None and step == 0:
            truth = _recognised(prepared, model, limits, deadline)
        if truth is not None:
            return truth
    return None


def compare(a: Term, b: Term, model: Model = EMPTY, *, limits: Limits = LIMITS) -> int | None:
    """-1 if ``a < b``, 1 if ``a > b``, 0 if they are recognised as equal, None where it can't be told.

    Raises `Undefined` and `TooLarge`.

    Examples
    --------
    >>> from proofs.terms import div, ln, mul, num, sqrt
    >>> compare(ln(num(4)), mul(num(2), ln(num(2))))
    0
    >>> compare(sqrt(num(2)), num(1))
    1
    """
    left, right = prepare(a), prepare(b)
    deadline = time.monotonic() + limits.seconds
    for step, bits in enumerate(_precisions(128, limits)):
        for symbolic in (False, True) if step == 0 else (False,):
            machine = _Machine(model, bits, limits, deadline, symbolic)
            try:
                order = _order(left.run(machine), right.run(machine), bits)
            except NotCertain:
                continue
            except TooLarge:
                if symbolic:
                    continue
                raise
            if order is not None:
                return order
    return None


def decimal(
    term: Term, digits: int, *, significant: bool = False, model: Model = EMPTY, limits: Limits = LIMITS
) -> str | None:
    """The value rounded to `digits` digits after the point (or significant ones), if the rounding is certain.

    None where the value is a tie, or so close to one that the bounds at the greatest precision contain it.
    Raises `Undefined`, `NotCertain` and `TooLarge`.

    Examples
    --------
    >>> from proofs.terms import div, exp, num
    >>> decimal(exp(num(1)), 4)
    '2.7183'
    >>> decimal(div(num(1), num(8)), 2) is None
    True
    >>> decimal(num(4194304), 3, significant=True)
    '4.19e6'
    """
    if not 0 <= digits <= 2_000 or (significant and not digits):
        raise TooLarge("digits")
    for bits in _precisions(max(64, 4 * digits + 64), limits):
        found = value(term, model, precision=bits, limits=limits)
        text = rounded(found, digits, significant=significant)
        if text is not None or isinstance(found, Fraction):
            return text
    return None


def rounded(number: Exact | Interval, digits: int, *, significant: bool = False) -> str | None:
    """All points of `number` rounded to `digits` digits, if that is one same decimal and no tie."""
    if isinstance(number, Interval):
        if number.e + max(number.lo.bit_length(), number.hi.bit_length()) > 10_000 or number.e < -20_000:
            raise TooLarge("magnitude")
        lower, upper = number.lower, number.upper
    else:
        lower = upper = Fraction(number)
    places = digits
    if significant and lower != 0:
        exponents = {_exponent(lower), _exponent(upper)} if (lower > 0) == (upper > 0) and upper else set()
        if len(exponents) != 1:
            return None
        places = digits - 1 - exponents.pop()
    scale = Fraction(10) ** places
    half = Fraction(1, 2)
    n = (lower * scale + half).__floor__()
    if not (n - half < lower * scale and upper * scale < n + half):
        return None
    return _decimal_text(n, places, digits if significant else None)


def _exponent(q: Fraction) -> int:
    """The k with ``10^k <= |q| < 10^(k+1)``."""
    q = abs(q)
    k = (q.numerator.bit_length() - q.denominator.bit_length()) * 30103 // 100_000 - 1
    while Fraction(10) ** (k + 1) <= q:
        k += 1
    return k


def _decimal_text(n: int, places: int, significant: int | None) -> str:
    """``n / 10^places`` written out; with few significant digits and many places, as ``4.19e6``."""
    sign = "-" if n < 0 else ""
    if abs(n).bit_length() > 13_000:
        raise TooLarge("digits")
    text = str(abs(n))
    if significant is not None and n and (places < 0 or len(text) - 1 - places < -6):
        exponent = len(text) - 1 - places
        text = text[:significant]
        return f"{sign}{text[0]}{'.' + text[1:] if len(text) > 1 else ''}e{exponent}"
    if places <= 0:
        return sign + text
    text = text.rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"
