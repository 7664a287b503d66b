"""Terms of the proof language: immutable, never simplified by being built. Part of what must be trusted.

A term is a node with an operation, arguments and data. Bound indices are nameless (de Bruijn), so two
terms that differ only in the names of bound indices are equal by ``==``. Sorts: ``integer`` (which may
stand wherever a real may), ``real`` and ``proposition``; a tensor of rank r is a total function of r
integer indices with real values. There is no infinity and no NaN.

Operations, with their arguments and data (``|`` marks what stands under a binder):

    num []  Fraction           var []  name              bound [] distance to its binder
    add [a, b, ...]            mul [a, b, ...]           neg [a]         div [a, b]
    pow [a, n] n an integer    sqrt [a]    exp [a]       ln [a]          max [a, b]
    entry [tensor, i, ...]     lam [| body] rank         sum [lo, hi | body]
    maxof [lo, hi | body]      if [condition, a, b]      app [a, ...] Definition
    eq, le, lt, ne [a, b]      forall [lo, hi | proposition]

Limits: a term has at most ``MAX_NODES`` nodes, ``MAX_DEPTH`` levels, and numerals of ``MAX_DIGITS`` digits. One
inference takes at most ``MAX_WORK`` units of work: nodes visited or made, products of numbers of 500 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from operator import is_
from typing import Literal, NoReturn, TypeAlias

Sort = Literal["integer", "real", "proposition"]
Data: TypeAlias = "Fraction | str | int | Definition | None"

MAX_NODES = 20_000
MAX_DEPTH = 120
MAX_DIGITS = 2_000
MAX_WORK = 4_000_000
_MAX_NUMERAL = 10**MAX_DIGITS

RELATIONS = ("eq", "le", "lt", "ne")
_BINDERS = ("sum", "maxof", "forall")


class TermError(ValueError):
    """A term that can't be: ranks or sorts that don't fit, or a limit on size exceeded."""


class WorkError(TermError):
    """More work than is allowed."""


_left: float = float("inf")


def spend(work: int) -> None:
    """Count work, before it is done. Raises `WorkError` where it is more than `at_most` allows."""
    global _left
    _left -= work
    if _left < 0:
        raise WorkError("more work is needed than is allowed")


@contextmanager
def at_most(work: int) -> Iterator[None]:
    """What is done inside takes so much work, counted and not timed; what is left around it is a limit too."""
    global _left
    around = _left
    _left = inside = min(work, around)
    try:
        yield
    finally:
        _left = around - (inside - _left)


class Term:
    """One node. Made by the functions of this module only; compared up to the names of bound indices."""

    __slots__ = ("_free", "_hash", "args", "data", "depth", "hint", "loose", "op", "rank", "redex", "size", "sort")
    op: str
    args: tuple[Term, ...]
    data: Data
    sort: Sort
    rank: int
    hint: tuple[str, ...]
    loose: int
    size: int
    depth: int
    redex: bool  # whether an entry of a comprehension stands in it, to be read off
    _hash: int
    _free: frozenset[Term] | None

    def __new__(cls, *_: object, **__: object) -> Term:
        raise TypeError("terms are made by the functions of their module only")

    def __init_subclass__(cls, **_: object) -> NoReturn:
        raise TypeError("Term has no subclasses")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("terms are immutable")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __reduce__(self) -> str:
        raise TypeError("terms are not pickled; write a certificate instead")

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Term or self._hash != other._hash:
            return False
        return (
            self.op == other.op
            and self.data == other.data
            and self.sort == other.sort
            and self.rank == other.rank
            and self.args == other.args
        )

    def __repr__(self) -> str:
        if self.op in ("num", "var"):
            return str(self.data)
        head = self.data.name if isinstance(self.data, Definition) else self.op
        inner = [f"#{self.data}"] if self.op == "bound" else []
        return f"{head}({', '.join([*inner, *map(repr, self.args)])})"


@dataclass(frozen=True, slots=True)
class Definition:
    """A name for a body: ``name(parameters) := body``. The first `implicit` parameters are sizes that a reader infers.

    Every free variable of the body is a parameter, so unfolding can't capture anything.
    """

    name: str
    parameters: tuple[Term, ...]
    body: Term
    implicit: int = 0

    def __post_init__(self) -> None:
        distinct = type(self.parameters) is tuple and len(set(self.parameters)) == len(self.parameters)
        if not distinct or any(p.op != "var" for p in self.parameters):
            raise TermError(f"definition {self.name}: parameters must be a tuple of distinct variables")
        if self.body.loose or not free_variables(self.body) <= set(self.parameters):
            raise TermError(f"definition {self.name}: the body has variables that are no parameters")


# --- making terms ------------------------------------------------------------------------------------------


_PUT = tuple(getattr(Term, slot).__set__ for slot in Term.__slots__)


def _term(op: str, args: tuple[Term, ...], data: Data, sort: Sort, rank: int, hint: tuple[str, ...] = ()) -> Term:
    spend(4 + len(args))
    binds = rank if op == "lam" else 1 if op in _BINDERS else 0
    size, depth, loose, redex = 1, 0, 0, op == "entry" and args[0].op == "lam"
    for a in args:
        if type(a) is not Term:
            raise TermError(f"{a!r} is no term")
        size += a.size
        redex = redex or a.redex
        if a.depth > depth:
            depth = a.depth
        if a.loose > loose:
            loose = a.loose
    if binds:
        loose = max(0, args[-1].loose - binds, *(a.loose for a in args[:-1]))
    elif op == "bound":
        loose = int(data) + 1  # type: ignore[arg-type]
    if size > MAX_NODES or depth >= MAX_DEPTH:
        raise TermError(f"term too large: {size} nodes (limit {MAX_NODES}), depth {depth + 1} (limit {MAX_DEPTH})")
    new = object.__new__(Term)
    values = (None, hash((op, args, data, sort, rank)), args, data, depth + 1, hint, loose, op, rank, redex, size, sort)
    for put, value in zip(_PUT, values, strict=True):
        put(new, value)
    return new


def num(value: int | Fraction) -> Term:
    """The rational numeral `value`; an integer where the denominator is 1."""
    q = Fraction(value)
    if abs(q.numerator) >= _MAX_NUMERAL or q.denominator >= _MAX_NUMERAL:
        raise TermError(f"numeral too long: more than {MAX_DIGITS} digits")
    return _term("num", (), q, "integer" if q.denominator == 1 else "real", 0)


def var(name: str, sort: Sort = "real", rank: int = 0) -> Term:
    """A free variable. Two variables are the same only if name, sort and rank are."""
    if type(name) is not str or sort not in ("integer", "real") or rank < 0 or (rank and sort != "real"):
        raise TermError(f"variable {name}: a {sort} of rank {rank} can't be")
    return _term("var", (), name, sort, rank)


def _bound(k: int) -> Term:
    return _term("bound", (), k, "integer", 0)


def _scalars(what: str, args: Sequence[Term]) -> Sort:
    """Refuse tensors and propositions; the common sort of what remains."""
    sort: Sort = "integer"
    for a in args:
        if a.rank or a.sort == "proposition":
            raise TermError(f"{what} takes numbers, not a {'tensor' if a.rank else 'proposition'}: {a!r}")
        if a.sort == "real":
            sort = "real"
    return sort


def _integers(what: str, args: Sequence[Term]) -> None:
    if _scalars(what, args) != "integer":
        raise TermError(f"{what} takes integers: {', '.join(map(repr, args))}")


def add(*args: Term) -> Term:
    """``a + b + ...``, at least two summands."""
    if len(args) < 2:
        raise TermError("a sum has at least two summands")
    return _term("add", args, None, _scalars("+", args), 0)


def mul(*args: Term) -> Term:
    """``a * b * ...``, at least two factors."""
    if len(args) < 2:
        raise TermError("a product has at least two factors")
    return _term("mul", args, None, _scalars("*", args), 0)


def neg(a: Term) -> Term:
    """``-a``."""
    return _term("neg", (a,), None, _scalars("-", (a,)), 0)


def sub(a: Term, b: Term) -> Term:
    """``a - b``, which is ``a + (-b)``: there is no operation for it."""
    return add(a, neg(b))


def div(a: Term, b: Term) -> Term:
    """``a / b``, a real; ``1/0`` is some unspecified number."""
    _scalars("/", (a, b))
    return _term("div", (a, b), None, "real", 0)


def power(a: Term, n: Term) -> Term:
    """``a ^ n`` with an integer exponent; ``a^0`` is 1, and ``0^-1`` some unspecified number."""
    _integers("an exponent", (n,))
    whole = _scalars("^", (a,)) == "integer" and n.op == "num" and n.data >= 1  # type: ignore[operator]
    return _term("pow", (a, n), None, "integer" if whole else "real", 0)


def sqrt(a: Term) -> Term:
    """The square root; of a negative number, some unspecified number."""
    _scalars("sqrt", (a,))
    return _term("sqrt", (a,), None, "real", 0)


def exp(a: Term) -> Term:
    """The exponential."""
    _scalars("exp", (a,))
    return _term("exp", (a,), None, "real", 0)


def ln(a: Term) -> Term:
    """The natural logarithm; of what is not positive, some unspecified number."""
    _scalars("ln", (a,))
    return _term("ln", (a,), None, "real", 0)


def maximum(a: Term, b: Term) -> Term:
    """The greater of two numbers."""
    return _term("max", (a, b), None, _scalars("max", (a, b)), 0)


def entry(tensor: Term, *indices: Term) -> Term:
    """``tensor[i, ...]``, one index for each axis."""
    if tensor.rank != len(indices) or not indices:
        raise TermError(f"{tensor!r} has {tensor.rank} axes, not {len(indices)}")
    _integers("an index", indices)
    return _term("entry", (tensor, *indices), None, "real", 0)


def when(condition: Term, a: Term, b: Term) -> Term:
    """``a`` if the condition holds, else ``b``. A condition is one relation between integers."""
    if condition.op not in RELATIONS or any(x.sort != "integer" for x in condition.args):
        raise TermError(f"a condition is a relation between integers, not {condition!r}")
    return _term("if", (condition, a, b), None, _scalars("if", (a, b)), 0)


def apply(definition: Definition, *args: Term) -> Term:
    """The defined function at `args`; sorts and ranks must be those of its parameters."""
    if type(definition) is not Definition or len(args) != len(definition.parameters):
        raise TermError(f"{definition.name} takes {len(definition.parameters)} arguments, not {len(args)}")
    for p, a in zip(definition.parameters, args, strict=True):
        _fits(p, a)
    return _term("app", args, definition, definition.body.sort, definition.body.rank)


def relation(op: str, a: Term, b: Term) -> Term:
    """``eq``, ``le``, ``lt`` or ``ne`` between two numbers; ``eq`` also between two tensors of one rank."""
    if op not in RELATIONS:
        raise TermError(f"no relation is called {op}")
    if not (op == "eq" and a.rank == b.rank > 0):
        _scalars(op, (a, b))
    return _term(op, (a, b), None, "proposition", 0)


def _close(op: str, variables: Sequence[Term], bounds: tuple[Term, ...], body: Term, sort: Sort) -> Term:
    if len(set(variables)) != len(variables) or any(v.op != "var" or v.sort != "integer" for v in variables):
        raise TermError("what is bound must be distinct integer variables")
    _integers("a range", bounds)
    rank = len(variables) if op == "lam" else 0
    hint = tuple(str(v.data) for v in variables)
    return _term(op, (*bounds, abstract(body, variables)), None, sort, rank, hint)


def comprehension(variables: Sequence[Term], body: Term) -> Term:
    """The tensor whose entry at the indices `variables` is `body`."""
    _scalars("a tensor's entry", (body,))
    if not variables:
        raise TermError("a tensor has at least one axis")
    return _close("lam", variables, (), body, "real")


def total(variable: Term, lo: Term, hi: Term, body: Term) -> Term:
    """``sum(variable = lo..hi, body)``, both ends included; 0 when ``hi < lo``."""
    return _close("sum", (variable,), (lo, hi), body, _scalars("sum", (body,)))


def greatest(variable: Term, lo: Term, hi: Term, body: Term) -> Term:
    """``max(variable = lo..hi, body)``; when ``hi < lo``, some unspecified number."""
    return _close("maxof", (variable,), (lo, hi), body, _scalars("max", (body,)))


def forall(variable: Term, lo: Term, hi: Term, body: Term) -> Term:
    """``body`` for every integer `variable` with ``lo <= variable <= hi``."""
    if body.sort != "proposition":
        raise TermError(f"'for all' speaks of a proposition, not {body!r}")
    return _close("forall", (variable,), (lo, hi), body, "proposition")


# --- taking terms apart ------------------------------------------------------------------------------------


def binds(t: Term) -> int:
    """How many indices the last argument of `t` has bound by `t` itself."""
    return t.rank if t.op == "lam" else 1 if t.op in _BINDERS else 0


def rebuild(t: Term, args: tuple[Term, ...]) -> Term:
    """`t` with other arguments of the same sorts and ranks; sorts are computed anew."""
    if len(args) == len(t.args) and all(map(is_, args, t.args)):
        return t
    if t.op in ("add", "mul"):
        return _term(t.op, args, None, _scalars(t.op, args), 0)
    if t.op in ("lam", "sum", "maxof", "forall"):
        if t.op == "forall":
            if args[-1].sort != "proposition":
                raise TermError("'for all' speaks of a proposition")
        else:
            _scalars(t.op, args[-1:])
        _integers("a range", args[:-1])
        sort: Sort = args[-1].sort if t.op in ("sum", "maxof") else t.sort
        return _term(t.op, args, t.data, sort, t.rank, t.hint)
    if t.op == "app":
        return apply(t.data, *args)  # type: ignore[arg-type]
    if t.op in RELATIONS:
        return relation(t.op, *args)
    return _MAKERS[t.op](*args)


_MAKERS: dict[str, Callable[..., Term]] = {
    "neg": neg, "div": div, "pow": power, "sqrt": sqrt, "exp": exp, "ln": ln,
    "max": maximum, "entry": entry, "if": when,
}  # fmt: skip


def _walk(t: Term, at: Callable[[Term, int], Term | None], level: int = 0) -> Term:
    """Rebuild `t`, where `at(node, binders crossed)` may give a replacement for a node."""
    new = at(t, level)
    if new is not None:
        return new
    if not t.args:
        return t
    inner = binds(t)
    last = len(t.args) - 1
    args = tuple(_walk(a, at, level + inner if k == last else level) for k, a in enumerate(t.args))
    return rebuild(t, args)


def _shift(t: Term, by: int) -> Term:
    """Raise the loose indices of `t` by `by`, for standing under that many more binders."""

    def at(x: Term, level: int) -> Term | None:
        if x.loose <= level:
            return x
        return _bound(int(x.data) + by) if x.op == "bound" else None  # type: ignore[arg-type]

    return t if by == 0 or t.loose == 0 else _walk(t, at)


def instantiate(body: Term, values: Sequence[Term]) -> Term:
    """The body of a binder of ``len(values)`` indices with `values` put in; the first value is the first index."""
    n = len(values)
    if n == 1 and body.loose <= 1 and values[0].op == "bound" and values[0].data == 0:
        return body

    def at(x: Term, level: int) -> Term | None:
        if x.loose <= level:
            return x
        if x.op != "bound":
            return None
        k = int(x.data) - level  # type: ignore[arg-type]
        return _shift(values[n - 1 - k], level) if k < n else _bound(int(x.data) - n)  # type: ignore[arg-type]

    _integers("an index", values)
    return _walk(body, at)


def abstract(t: Term, variables: Sequence[Term]) -> Term:
    """The body of a binder: free occurrences of `variables` become bound, the first variable outermost."""
    place = {v: len(variables) - 1 - k for k, v in enumerate(variables)}

    def at(x: Term, level: int) -> Term | None:
        if x.op == "var":
            k = place.get(x)
            return x if k is None else _bound(k + level)
        if x.op == "bound":
            k = int(x.data)  # type: ignore[arg-type]
            return _bound(k + len(variables)) if k >= level else x
        return x if x.loose <= level and place.keys().isdisjoint(free_variables(x)) else None

    return _walk(t, at)


def substitute(t: Term, values: Mapping[Term, Term]) -> Term:
    """Put closed terms for free variables, all at once. Sorts and ranks must fit; nothing can be captured."""
    for v, value in values.items():
        if v.op != "var" or value.loose:
            raise TermError(f"can't put {value!r} for {v!r}")
        _fits(v, value)

    def at(x: Term, level: int) -> Term | None:
        if x.op == "var":
            return values.get(x, x)
        return x if values.keys().isdisjoint(free_variables(x)) else None

    return _walk(t, at) if values else t


def _fits(v: Term, value: Term) -> None:
    if v.rank != value.rank or value.sort == "proposition" or (v.sort == "integer" and value.sort != "integer"):
        raise TermError(f"{value!r} does not fit {v!r}, a {v.sort} of rank {v.rank}")


def unfold(t: Term, names: Iterable[str]) -> Term:
    """Replace the applications of the named definitions by their bodies, and read entries of comprehensions.

    ``softmax(n, z)[i]`` becomes the quotient itself. With no names, only entries of comprehensions are read.
    """
    wanted = frozenset(names)

    def step(x: Term) -> Term:
        spend(8)
        if not wanted and not x.redex:
            return x
        if x.args:
            x = rebuild(x, tuple(step(a) for a in x.args))
        if x.op == "app" and isinstance(x.data, Definition) and x.data.name in wanted:
            return step(_body(x.data, x.args))
        if x.op == "entry" and x.args[0].op == "lam":
            return step(instantiate(x.args[0].args[0], x.args[1:]))
        return x

    try:
        return step(t)
    except RecursionError:
        raise TermError("definitions that are nested too deeply") from None


def _body(definition: Definition, args: Sequence[Term]) -> Term:
    place = dict(zip(definition.parameters, args, strict=True))

    def at(x: Term, level: int) -> Term | None:
        if x.op == "var":
            return _shift(place[x], level)
        return x if not free_variables(x) else None

    return _walk(definition.body, at)


def free_variables(t: Term) -> frozenset[Term]:
    """The free variables of `t`."""
    known = t._free
    if known is None:
        known = frozenset((t,)) if t.op == "var" else frozenset().union(*(free_variables(a) for a in t.args))
        object.__setattr__(t, "_free", known)
    return known


def negation(p: Term) -> Term:
    """The relation that holds exactly where `p` fails."""
    if p.op not in RELATIONS or p.args[0].rank:
        raise TermError(f"no relation is the negation of {p!r}")
    a, b = p.args
    if p.op in ("eq", "ne"):
        return relation("ne" if p.op == "eq" else "eq", a, b)
    return relation("lt" if p.op == "le" else "le", b, a)
