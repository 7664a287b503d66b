"""Values of terms in two worlds: float64 with NumPy, and 50 digits with mpmath.

A term becomes a function once, and the function is called for every instance. In float64 what is defined comes from
the NumPy reference and not from its definition; to 50 digits everything comes from the definitions themselves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from proofs.terms import Definition, Term, substitute

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Model: TypeAlias = "dict[Term, Any]"  # integers and floats; arrays, or functions of an index, for tensors
Place: TypeAlias = tuple[int, ...]
Tensor: TypeAlias = Callable[[Place], Any]  # indices from 1


class NoValue(ArithmeticError):
    """A term has no value: an entry outside of a tensor, or a root or logarithm of what has none."""


class Beyond(ArithmeticError):
    """A number is too large to be computed with, to however many digits."""


class Run:
    """One instance: its model, and the tensors that were computed for it."""

    __slots__ = ("known", "model")

    def __init__(self, model: Model) -> None:
        self.model = model
        self.known: dict[tuple[int, Place], Any] = {}


_LARGEST_EXPONENT = 10**12  # of an exponential that is computed to many digits

Value: TypeAlias = Callable[[Run, Place], Any]
"""What a term is in a run; the indices that are bound around it, the innermost last."""


class World:
    """Numbers and functions of one kind of arithmetic."""

    def __init__(
        self, number: Callable[[Any], Any], functions: Mapping[str, Callable[[Any], Any]], reference: bool
    ) -> None:
        self.number = number
        self.functions = functions
        self.reference = reference
        self.compiled = lru_cache(maxsize=8192)(self._compiled)

    def value(self, t: Term, run: Run, indices: Place = ()) -> Any:
        """The value of a number, or the tensor as a function of its indices."""
        if t.rank:
            return self.tensor(t)(run, indices)
        return self.compiled(t)(run, indices)

    # --- numbers ---

    def _compiled(self, t: Term) -> Value:
        op = t.op
        if op == "num":
            q = Fraction(t.data)  # type: ignore[arg-type]
            whole = self.number(q.numerator)
            constant = whole if q.denominator == 1 else whole / self.number(q.denominator)
            return lambda run, s: constant
        if op == "var":
            number = self.number
            return (lambda run, s: run.model[t]) if self.reference else (lambda run, s: number(run.model[t]))
        if op == "bound":
            at, number = -1 - int(t.data), self.number  # type: ignore[arg-type]
            return lambda run, s: number(s[at])
        if op == "entry":
            return self._entry(t)
        if op == "if":
            return self._choice(t)
        if op in ("sum", "maxof"):
            return self._sum(t)
        if op == "app":
            return self._application(t)
        return self._operation(op, [self.compiled(a) for a in t.args])

    def _operation(self, op: str, a: list[Value]) -> Value:
        if op == "add":
            first, *rest = a

            def add(run: Run, s: Place) -> Any:
                whole = first(run, s)
                for x in rest:
                    whole = whole + x(run, s)
                return whole

            return add
        if op == "mul":
            return lambda run, s: math.prod([x(run, s) for x in a[1:]], start=a[0](run, s))
        x = a[0]
        if op == "neg":
            return lambda run, s: -x(run, s)
        if op == "max":
            return lambda run, s: max(f(run, s) for f in a)
        if op == "div":
            y, number = a[1], self.number
            return lambda run, s: number(x(run, s)) / y(run, s)
        if op == "pow":
            y, number = a[1], self.number
            return lambda run, s: number(x(run, s)) ** int(y(run, s))
        function = self.functions[op]
        return lambda run, s: function(x(run, s))

    def index(self, t: Term) -> Callable[[Run, Place], int]:
        """The value of an integer term, as an integer."""
        if t.op == "bound":
            at = -1 - int(t.data)  # type: ignore[arg-type]
            return lambda run, s: s[at]
        if t.op == "num":
            constant = int(t.data)  # type: ignore[arg-type]
            return lambda run, s: constant
        value = self.compiled(t)
        return lambda run, s: int(value(run, s))

    def _entry(self, t: Term) -> Value:
        at = [self.index(i) for i in t.args[1:]]
        if t.args[0].op == "lam":
            body = self.compiled(t.args[0].args[0])
            return lambda run, s: body(run, s + tuple([i(run, s) for i in at]))
        tensor = self.tensor(t.args[0])
        return lambda run, s: tensor(run, s)(tuple([i(run, s) for i in at]))

    def holds(self, t: Term) -> Callable[[Run, Place], bool]:
        """Whether a relation between numbers holds, compared exactly."""
        x, y = self.compiled(t.args[0]), self.compiled(t.args[1])
        if t.op == "eq":
            return lambda run, s: bool(x(run, s) == y(run, s))
        if t.op == "ne":
            return lambda run, s: bool(x(run, s) != y(run, s))
        if t.op == "le":
            return lambda run, s: bool(x(run, s) <= y(run, s))
        return lambda run, s: bool(x(run, s) < y(run, s))

    def _choice(self, t: Term) -> Value:
        condition, yes, no = self.holds(t.args[0]), self.compiled(t.args[1]), self.compiled(t.args[2])
        return lambda run, s: yes(run, s) if condition(run, s) else no(run, s)

    def _sum(self, t: Term) -> Value:
        lo, hi, body = self.index(t.args[0]), self.index(t.args[1]), self.compiled(t.args[2])
        zero = self.number(0)
        if t.op == "maxof":
            return lambda run, s: max(body(run, (*s, k)) for k in range(lo(run, s), hi(run, s) + 1))
        if t.args[2].loose == 0:
            return lambda run, s: body(run, s) * max(0, hi(run, s) - lo(run, s) + 1)

        def add_up(run: Run, s: Place) -> Any:
            whole = zero
            for k in range(lo(run, s), hi(run, s) + 1):
                whole = whole + body(run, (*s, k))
            return whole

        return add_up

    # --- tensors and definitions ---

    def tensor(self, t: Term) -> Callable[[Run, Place], Tensor]:
        """A tensor as a function of its indices."""
        if t.op == "lam":
            body = self.compiled(t.args[0])
            return lambda run, s: lambda place: body(run, s + place)
        compute: Callable[[Run, Place], Any] = self._application(t) if t.op == "app" else lambda run, s: run.model[t]

        def kept(run: Run, s: Place) -> Tensor:
            key = (id(t), s if t.loose else ())
            found = run.known.get(key)
            if found is None:
                found = run.known[key] = self._as_function(compute(run, s))
            return found

        return kept

    def _as_function(self, made: Any) -> Tensor:
        """An array as a function of its indices, which has no entries outside."""
        if callable(made):
            return made  # type: ignore[no-any-return]
        number, shape = self.number, made.shape

        def at(place: Place) -> Any:
            for i, n in zip(place, shape, strict=True):
                if not 0 < i <= n:
                    raise NoValue(place)
            found = made[tuple([i - 1 for i in place])]
            return found if self.reference else number(float(found))

        return at

    def _application(self, t: Term) -> Callable[[Run, Place], Any]:
        if not isinstance(t.data, Definition):
            raise TypeError(t)
        return self._by_reference(t, t.data) if self.reference else self._by_definition(t, t.data)

    def _by_definition(self, t: Term, definition: Definition) -> Callable[[Run, Place], Any]:
        """The body, with the arguments for the parameters; entries of a tensor are computed once each."""
        args = [self.tensor(a) if a.rank else self.compiled(a) for a in t.args]
        body, rank = definition.body, t.rank
        inner = self.compiled(body.args[0]) if rank and body.op == "lam" else None

        def apply(run: Run, s: Place) -> Any:
            new = Run(dict(zip(definition.parameters, (a(run, s) for a in args), strict=True)))
            if inner is None:
                return self.value(body, new)
            known: dict[Place, Any] = {}

            def at(place: Place) -> Any:
                if place not in known:
                    known[place] = inner(new, place)
                return known[place]

            return at

        return apply

    def _by_reference(self, t: Term, definition: Definition) -> Callable[[Run, Place], Any]:
        """The function of the NumPy reference, at arrays of the sizes that the signature says."""
        from derive.definitions import signatures

        signature = signatures()[definition.name]
        sizes = {p: x for p, x in zip(definition.parameters, t.args, strict=True) if not p.rank}
        args: list[Callable[[Run, Place], Any]] = []
        for a, dimensions in list(zip(t.args, signature.parameters, strict=True))[definition.implicit :]:
            if a.rank:
                args.append(self._array(a, [self.index(substitute(d, sizes)) for d in dimensions]))
            else:
                args.append(self.index(a) if a.sort == "integer" else self.compiled(a))

        def apply(run: Run, s: Place) -> Any:
            from derive.reference import FUNCTIONS

            return FUNCTIONS[definition.name](*(a(run, s) for a in args))

        return apply

    def _array(self, a: Term, sizes: list[Callable[[Run, Place], int]]) -> Callable[[Run, Place], Array]:
        if a.op == "var":
            return lambda run, s: run.model[a]
        if a.op == "app":
            return self._application(a)
        body = self.compiled(a.args[0])

        def fill(run: Run, s: Place) -> Array:
            import numpy as np

            shape = tuple([n(run, s) for n in sizes])
            made = np.empty(shape)
            for place in itertools.product(*(range(n) for n in shape)):
                made[place] = body(run, s + tuple([i + 1 for i in place]))
            return made

        return fill


@lru_cache(maxsize=1)
def float64() -> World:
    """IEEE double precision, by NumPy."""
    import numpy as np

    return World(np.float64, {"exp": np.exp, "ln": np.log, "sqrt": np.sqrt}, reference=True)


@lru_cache(maxsize=4)
def precise(digits: int) -> World:
    """So many decimal digits, by mpmath."""
    import mpmath

    context = mpmath.mp.clone()
    context.dps = digits

    def exp(x: Any) -> Any:
        if abs(x) > _LARGEST_EXPONENT:
            raise Beyond(x)
        return context.exp(x)

    def ln(x: Any) -> Any:
        if x <= 0:
            raise NoValue(x)
        return context.log(x)

    def sqrt(x: Any) -> Any:
        if x < 0:
            raise NoValue(x)
        return context.sqrt(x)

    return World(context.mpf, {"exp": exp, "ln": ln, "sqrt": sqrt}, reference=False)
