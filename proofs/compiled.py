"""Terms made ready to be evaluated: nested functions over one list of slots, run at many models.

Slot 0 holds the machine of one evaluation, then come the variables, then whatever binders and definitions add.
Numbers are exact (`int`, `Fraction`), or certified enclosures (`Interval`), or, in a symbolic run, closed forms.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any, Protocol

from proofs import closed_forms, intervals
from proofs.closed_forms import Form
from proofs.intervals import Interval, NotCertain, TooLarge
from proofs.terms import RELATIONS, Definition, Term, entry, free_variables, instantiate, num


Exact = int | Fraction
Number = int | Fraction | Interval | Form

_MAX_PREPARED = 60_000
_MAX_LEVELS = 260
_MAX_EXPONENT = 1 << 31
_SMALL = 1 << 256
_CLOCK = 4_095  # operations between two looks at the clock, which take long
_MAKING = 4  # nodes made ready for the price of one visited: not all are made anew, but that must not tell


class Undefined(ArithmeticError):
    """The term has no value here; `code` names the reason and `term` the part, with its indices put in.

    Codes: ``division-by-zero``, ``negative-root``, ``logarithm``, ``empty-maximum``, ``outside-dimensions``.
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


class Work:
    """What a whole search may still cost, in the units of `Limits.operations`; all its evaluations draw on it."""

    __slots__ = ("left",)

    def __init__(self, operations: int) -> None:
        self.left = operations

    def spend(self, operations: int) -> None:
        """Raises `TooLarge` where nothing is left."""
        self.left -= operations
        if self.left < 0:
            raise TooLarge("work")

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0


@dataclass(frozen=True)
class Limits:
    """What one evaluation may cost.

    Attributes
    ----------
    operations : int
        Nodes visited, those of every summand counted; what takes many bits counts for more.
    precision : int
        The greatest number of bits tried.
    digits : int
        Bits of an exact number; beyond, a real becomes an interval and an integer is refused.
    seconds : float
        Time for one call, looked at whenever a sum begins: a safety net, far above what the operations take.
    work : Work, optional
        What all evaluations of a search may cost together.
    """

    operations: int = 400_000
    precision: int = 2_048
    digits: int = 10_000
    seconds: float = 60.0
    work: Work | None = None


LIMITS = Limits()


@dataclass(frozen=True)
class Tensor:
    """The entries of a tensor: a table, and where it has none a fixed small positive number.

    `shape` is the part that is meant, ``1..shape[k]`` on each axis; outside of it an entry has no value. Without a
    shape there are entries everywhere. An entry may be a closed term, whose value is then the entry (``B[1,2]`` for
    "A agrees with B"). Tensors with different seeds have different entries where their tables have none.
    """

    rank: int
    table: Mapping[tuple[int, ...], Exact | Term] = field(default_factory=dict)
    shape: tuple[int, ...] | None = None
    seed: int = 0

    def default(self, indices: tuple[int, ...]) -> int:
        """The entry where the table has none: one of 1..7, the same for the same indices and seed."""
        mixed = 5 + self.seed
        for i in indices:
            mixed = (mixed * 31 + i * 17 + 3) % 1009
        return mixed % 7 + 1

    def inside(self, indices: tuple[int, ...]) -> bool:
        """Whether the indices lie in the part that is meant (everything does where no shape is known)."""
        return self.shape is None or all(1 <= i <= d for i, d in zip(indices, self.shape, strict=True))


@dataclass(frozen=True)
class Model:
    """Values of variables. A real, or a whole tensor, may be given by a closed term over the others.

    `shapes` are the dimensions of tensors that are given by terms, outside of which they have no entries.
    """

    values: Mapping[Term, Exact | Tensor | Term] = field(default_factory=dict)
    shapes: Mapping[Term, tuple[int, ...]] = field(default_factory=dict)


EMPTY = Model()

Frame = list[Any]  # slot 0 the machine, then variables, then indices and arguments: mixed by nature
Run = Callable[[Frame], Any]


class _Entries(Protocol):
    def at(self, indices: tuple[int, ...]) -> Number: ...


class Machine:
    """One evaluation of one model at one precision."""

    __slots__ = (
        "busy",
        "deadline",
        "digits",
        "known",
        "memo",
        "model",
        "operations",
        "precision",
        "seconds",
        "symbolic",
        "tight",
        "work",
    )

    def __init__(
        self, model: Model, precision: int, limits: Limits, deadline: float | None = None, symbolic: bool = False
    ) -> None:
        self.model = model
        self.precision = precision
        self.symbolic = symbolic
        self.operations = limits.operations
        self.work = limits.work
        self.digits = limits.digits
        self.seconds = limits.seconds
        self.deadline = deadline
        self.memo: dict[tuple[Any, ...], Any] = {}
        self.known: dict[Term, Any] = {}
        self.busy: set[Term] = set()
        self.tight = True

    def charge(self, operations: int) -> None:
        self.operations -= operations
        if self.operations < 0:
            raise TooLarge("operations")
        if self.work is not None:
            self.work.spend(operations * (1 + self.precision // 512))
        if self.operations & _CLOCK < operations:
            now = time.process_time()
            if self.deadline is None:
                self.deadline = now + self.seconds
            elif now > self.deadline:
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
            if v in self.model.shapes:
                known = _Shaped(v, self.model.shapes[v], known)
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


def _outside(variable: Term, indices: tuple[int, ...]) -> Undefined:
    return Undefined("outside-dimensions", entry(variable, *map(num, indices)))


class _Table:
    """The entries of a tensor variable."""

    __slots__ = ("machine", "table", "tensor", "variable")

    def __init__(self, variable: Term, tensor: Tensor, machine: Machine) -> None:
        self.variable = variable
        self.tensor = tensor
        self.machine = machine
        self.table = tensor.table

    def at(self, indices: tuple[int, ...]) -> Number:
        if not self.tensor.inside(indices):
            raise _outside(self.variable, indices)
        found = self.table.get(indices)
        if found is None:
            return self.tensor.default(indices)
        return self.machine.term(found) if isinstance(found, Term) else found


class _Shaped:
    """The entries of a tensor that is given by a term, within the dimensions of its variable."""

    __slots__ = ("entries", "shape", "variable")

    def __init__(self, variable: Term, shape: tuple[int, ...], entries: _Entries) -> None:
        self.variable = variable
        self.shape = shape
        self.entries = entries

    def at(self, indices: tuple[int, ...]) -> Number:
        if not all(1 <= i <= d for i, d in zip(indices, self.shape, strict=True)):
            raise _outside(self.variable, indices)
        return self.entries.at(indices)


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


def _within(q: Exact, m: Machine) -> Number:
    """`q` itself, or an enclosure where its exact form has grown too long."""
    if _weight(q) <= m.digits:
        return q
    if m.symbolic:
        raise TooLarge("digits")
    return intervals.rational(q, m.precision)


def _add(m: Machine, a: Any, b: Any) -> Number:
    kinds = (type(a), type(b))
    if Form in kinds:
        _charge_forms(m, a, b)
        return _simplest(closed_forms.add(_form(a), _form(b)))
    if Interval in kinds:
        if a == 0 or b == 0:
            result: Number = b if a == 0 else a
            return result
        return intervals.add(_interval(a, m.precision), _interval(b, m.precision), m.precision)
    return _within(a + b, m)


def _mul(m: Machine, a: Any, b: Any) -> Number:
    kinds = (type(a), type(b))
    if Form in kinds:
        _charge_forms(m, a, b)
        return _simplest(closed_forms.mul(_form(a), _form(b)))
    if Interval in kinds:
        if a == 0 or b == 0:
            return 0
        if a == 1 or b == 1:
            result: Number = b if a == 1 else a
            return result
        return intervals.mul(_interval(a, m.precision), _interval(b, m.precision), m.precision)
    return _within(a * b, m)


def _many_bits(m: Machine) -> int:
    """How many products cost as much as an exponential or a logarithm, as measured."""
    return 64 if m.symbolic else 4 + m.precision**2 // 8_192


def _charge_forms(m: Machine, a: Any, b: Any) -> None:
    """Multiplying or comparing closed forms takes each monomial of one with each of the other."""
    if type(a) is Form and type(b) is Form:
        m.charge(4 * (len(a.numerator) + len(a.denominator)) * (len(b.numerator) + len(b.denominator)))


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


def order_of(a: Any, b: Any, bits: int) -> int | None:
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


_TIGHT = 40


def _is_tight(a: Any) -> bool:
    """Whether a number is known to 40 bits, those after the point where it is small."""
    return type(a) is not Interval or a.narrow(_TIGHT) or (a.hi - a.lo).bit_length() + a.e < -_TIGHT


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

    __slots__ = ("cost", "slots", "start", "term", "variables")

    def __init__(self, t: Term) -> None:
        self.term = t
        self.variables = tuple(sorted(free_variables(t), key=lambda v: (str(v.data), v.rank, v.sort)))
        names = {v: k + 1 for k, v in enumerate(self.variables)}
        maker = _Maker(len(names))
        try:
            part = maker.make(t, _Scope(names, (), len(names) + 1), 0)
        except RecursionError:
            raise TooLarge("depth") from None
        self.start = part.run
        self.slots = maker.slots + 1
        self.cost = part.cost + maker.made // _MAKING

    def run(self, m: Machine) -> Any:
        m.charge(self.cost)
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
        result: int | Fraction | Interval = self.run(Machine(model, bits, limits))
        return result

    def truth(self, model: Model, bits: int, limits: Limits = LIMITS) -> bool | None:
        """Whether the proposition holds, computed once with `bits` bits; None where bounds touch."""
        return self.judged(model, bits, limits)[0]

    def judged(self, model: Model, bits: int, limits: Limits = LIMITS) -> tuple[bool | None, bool]:
        """The same, and whether the bounds that touch are tight, so that the sides agree as far as they tell."""
        machine = Machine(model, bits, limits)
        try:
            result: bool | None = self.run(machine)
        except NotCertain:
            return None, False
        return result, machine.tight


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
            m: Machine = f[0]
            if _sign(y) == 0:
                raise undefined(f)
            kinds = (type(x), type(y))
            if Form in kinds:
                _charge_forms(m, x, y)
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

        def run(f: Frame) -> Any:
            x, n = a(f), b(f)
            m: Machine = f[0]
            if n == 0:
                return 1
            if n < 0 and _sign(x) == 0:
                raise division(f)
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
            m.charge(abs(n).bit_length() * m.precision // 512)
            raised = intervals.power(_interval(x, m.precision), abs(n), m.precision)
            return raised if n > 0 else intervals.div(Interval(1, 1, 0), raised, m.precision)

        return _Part(self._whole(t, run), reads, cost)

    def _sqrt(self, t: Term, scope: _Scope, level: int) -> _Part:
        (a,), reads, cost = self._all(t.args, scope, level)
        undefined = self._undefined("negative-root", t, scope)

        def run(f: Frame) -> Any:
            x = a(f)
            m: Machine = f[0]
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
            m: Machine = f[0]
            m.charge(_many_bits(m))
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
            m: Machine = f[0]
            m.charge(_many_bits(m))
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
            m: Machine = f[0]
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
            m: Machine = f[0]
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
            _charge_forms(f[0], x, y)
            order = 0 if same else order_of(x, y, f[0].precision)
            if order is None and not (_is_tight(x) and _is_tight(y)):
                f[0].tight = False
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


def _greater(m: Machine, a: Any, b: Any) -> Any:
    order = order_of(a, b, m.precision)
    if order is None:
        if m.symbolic:
            raise NotCertain
        return intervals.maximum(_interval(a, m.precision), _interval(b, m.precision))
    return b if order < 0 else a
