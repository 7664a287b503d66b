"""The kernel: the only maker of theorems. Rules, and a table of axioms. Part of what must be trusted.

A theorem says ``H |- p``: in every model in which all hypotheses in H hold, p holds. In a model integers
and reals are the real things and tensors are any functions; ``a / b`` is ``a * inv(b)``, where ``inv(0)``,
a logarithm of what is not positive, a root of a negative number and a negative power of 0 are
some fixed numbers of which nothing is known; ``max`` over an empty range is some fixed integer.

The rules, in order:

    assume       cut          congruence   under        branch       choose       relate
    cases        absurd       specialise   generalise   at           induction    definition
    ring         linear       bound        axiom

Algorithms and binders are rules; mathematics is the table `AXIOMS`. A side condition that does not hold
raises `KernelError` (or `TermError`, where a term could not even be built), and no theorem is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import NoReturn, TypeAlias
from weakref import WeakSet

from proofs.terms import (
    MAX_DIGITS, MAX_WORK, Term, abstract, add, at_most, binds, div, entry, exp, forall, free_variables, greatest,
    instantiate, ln, maximum, mul, neg, negation, num, power, rebuild, relation, spend, sqrt, sub, substitute, total,
    unfold, var,
)  # fmt: skip

__all__ = [
    "AXIOMS", "Axiom", "KernelError", "Theorem", "absurd", "assume", "at", "axiom", "bound", "branch", "cases",
    "choose", "congruence", "cut", "definition", "generalise", "induction", "is_theorem", "linear", "relate",
    "ring", "specialise", "under",
]  # fmt: skip

Parameter: TypeAlias = Term | str | int | Fraction

MAX_MONOMIALS = 4_000
MAX_EXPONENT = 100_000
MAX_PRECISION = 4_000
_MAX_BITS = MAX_DIGITS * 10 // 3


class KernelError(ValueError):
    """An inference whose side conditions do not hold."""


def _need(condition: bool, message: str, *said: object) -> None:
    if not condition:
        raise KernelError(message.format(*said))


class Theorem:
    """``hypotheses |- conclusion``, with the inference that made it. Made by the rules of this module only."""

    __slots__ = ("__weakref__", "conclusion", "hypotheses", "parameters", "premises", "rule")
    hypotheses: frozenset[Term]
    conclusion: Term
    rule: str
    premises: tuple[Theorem, ...]
    parameters: tuple[Parameter, ...]

    def __new__(cls, *_: object, **__: object) -> NoReturn:
        raise TypeError("theorems are made by the rules of the kernel only")

    def __init_subclass__(cls, **_: object) -> NoReturn:
        raise TypeError("Theorem has no subclasses")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("theorems are immutable")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("theorems are neither copied nor pickled; write a certificate instead")

    __reduce__ = __copy__ = __deepcopy__ = __replace__ = __reduce_ex__  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{', '.join(sorted(map(repr, self.hypotheses)))} |- {self.conclusion!r}"


_MADE: WeakSet[Theorem] = WeakSet()


def is_theorem(x: object) -> bool:
    """Whether `x` was made by a rule of this kernel, in this process."""
    return type(x) is Theorem and x in _MADE


def _theorem(
    hypotheses: frozenset[Term], conclusion: Term, rule: str, premises: Sequence[Theorem], *parameters: Parameter
) -> Theorem:
    for t in premises:
        _need(is_theorem(t), "{}: a premise is not a theorem of this kernel", rule)
    for p in (conclusion, *parameters):
        closed = p.loose == 0 if type(p) is Term else type(p) in (str, int, Fraction)
        _need(closed, "{}: {!r} is no closed term, text or number", rule, p)
    new: Theorem = object.__new__(Theorem)  # type: ignore[arg-type]
    for name, value in (
        ("hypotheses", hypotheses), ("conclusion", conclusion), ("rule", rule),
        ("premises", tuple(premises)), ("parameters", parameters),
    ):  # fmt: skip
        object.__setattr__(new, name, value)
    _MADE.add(new)
    return new


def _all(theorems: Sequence[Theorem]) -> frozenset[Term]:
    return frozenset().union(*(t.hypotheses for t in theorems))


def _new(variables: Sequence[Term], hypotheses: frozenset[Term], *terms: Term) -> None:
    """Each variable is an arbitrary integer: it is free in nothing that stays."""
    for v in variables:
        _need(v.op == "var" and v.sort == "integer", "{!r} is not an integer variable", v)
        _need(not any(v in free_variables(h) for h in hypotheses), "{!r} is free in a hypothesis that stays", v)
        _need(not any(v in free_variables(t) for t in terms), "{!r} is free in the conclusion", v)


_ABSURD = relation("le", num(1), num(0))


# --- structural rules --------------------------------------------------------------------------------------


def assume(p: Term) -> Theorem:
    """
    ::

        ------
        p |- p

    >>> x = var("x")
    >>> assume(relation("lt", num(0), x))
    lt(0, x) |- lt(0, x)
    >>> assume(x)
    Traceback (most recent call last):
    proofs.kernel.KernelError: x is no proposition
    """
    _need(p.sort == "proposition", "{!r} is no proposition", p)
    return _theorem(frozenset((p,)), p, "assume", (), p)


def cut(known: Theorem, theorem: Theorem) -> Theorem:
    """
    ::

        H |- p      p, K |- q
        ---------------------
             H, K |- q

    >>> p = relation("le", num(0), num(1))
    >>> cut(linear(p, (), ()), assume(p))
     |- le(0, 1)
    >>> cut(linear(p, (), ()), assume(relation("le", num(1), num(0))))
    Traceback (most recent call last):
    proofs.kernel.KernelError: cut: le(0, 1) is no hypothesis
    """
    p = known.conclusion
    _need(p in theorem.hypotheses, "cut: {!r} is no hypothesis", p)
    return _theorem(known.hypotheses | (theorem.hypotheses - {p}), theorem.conclusion, "cut", (known, theorem))


def congruence(t: Term, equal: Mapping[int, Theorem]) -> Theorem:
    """
    ::

        H |- a = a'   ...
        --------------------------
        H, ... |- f(a, ...) = f(a', ...)

    `equal` gives equations for some arguments of `t`; what stands under a binder is not among them.

    >>> x, y = var("x"), var("y")
    >>> congruence(exp(x), {0: assume(relation("eq", x, y))})
    eq(x, y) |- eq(exp(x), exp(y))
    >>> congruence(exp(y), {0: assume(relation("eq", x, y))})
    Traceback (most recent call last):
    proofs.kernel.KernelError: congruence: argument 0 is y, not x
    """
    _need(t.sort != "proposition", "congruence: {!r} is no number or tensor", t)
    args, equal = list(t.args), dict(equal)
    for k, e in equal.items():
        _need(0 <= k < len(args) - (binds(t) > 0), "congruence: {} has no argument {} outside its binder", t.op, k)
        _need(e.conclusion.op == "eq", "congruence: a premise is no equation")
        side = e.conclusion.args[0]
        _need(side == args[k], "congruence: argument {} is {!r}, not {!r}", k, args[k], side)
        args[k] = e.conclusion.args[1]
    new = rebuild(t, tuple(args))
    return _theorem(_all(list(equal.values())), relation("eq", t, new), "congruence", tuple(equal.values()), t, *equal)


def under(t: Term, theorem: Theorem, variables: Sequence[Term]) -> Theorem:
    """
    ::

        H, lo <= i, i <= hi |- a = a'
        --------------------------------------------------      i free in no H
        H |- sum(i = lo..hi, a) = sum(i = lo..hi, a')

    Also for ``max``; for a comprehension there is no range, and all its indices are `variables`.

    >>> i, n, x = var("i", "integer"), var("n", "integer"), var("x", "real", 1)
    >>> e = ring(add(entry(x, i), entry(x, i)), mul(num(2), entry(x, i)), ())
    >>> under(total(i, num(1), n, add(entry(x, i), entry(x, i))), e, (i,)).conclusion.args[1]
    sum(1, n, mul(2, entry(x, bound(#0))))
    >>> p = assume(relation("eq", entry(x, i), num(0)))
    >>> under(total(i, num(1), n, entry(x, i)), p, (i,))
    Traceback (most recent call last):
    proofs.kernel.KernelError: i is free in a hypothesis that stays
    """
    n, variables = binds(t), tuple(variables)
    _need(t.op != "forall" and n > 0, "under: {!r} binds nothing", t)
    _need(len(set(variables)) == len(variables) == n, "under: {} binds {} distinct indices", t.op, n)
    stays = theorem.hypotheses
    if t.op != "lam":
        stays = stays - _range(variables[0], t.args[0], t.args[1])
    _new(variables, stays, t)
    e = theorem.conclusion
    _need(e.op == "eq", "under: the premise is no equation")
    _need(e.args[0] == instantiate(t.args[-1], variables), "under: the body is not {!r}", e.args[0])
    new = rebuild(t, (*t.args[:-1], abstract(e.args[1], variables)))
    return _theorem(stays, relation("eq", t, new), "under", (theorem,), t, *variables)


def _range(v: Term, lo: Term, hi: Term) -> frozenset[Term]:
    return frozenset((relation("le", lo, v), relation("le", v, hi)))


def branch(t: Term, then: Theorem, other: Theorem) -> Theorem:
    """
    ::

        H, c |- a = a'      K, not c |- b = b'
        -----------------------------------------
        H, K |- if(c, a, b) = if(c, a', b')

    >>> from proofs.terms import when
    >>> i, x = var("i", "integer"), var("x")
    >>> c = relation("le", i, num(1))
    >>> branch(when(c, add(x, x), x), ring(add(x, x), mul(num(2), x), ()), ring(x, x, ())).conclusion.args[1]
    if(le(i, 1), mul(2, x), x)
    >>> branch(when(c, x, x), ring(x, x, ()), ring(add(x, x), mul(num(2), x), ()))
    Traceback (most recent call last):
    proofs.kernel.KernelError: branch: the branches are not those of the premises
    """
    _need(t.op == "if", "branch: {!r} is no 'if'", t)
    c, a, b = t.args
    e, f = then.conclusion, other.conclusion
    _need(e.op == "eq" and f.op == "eq", "branch: a premise is no equation")
    _need(e.args[0] == a and f.args[0] == b, "branch: the branches are not those of the premises")
    stays = (then.hypotheses - {c}) | (other.hypotheses - {negation(c)})
    return _theorem(stays, relation("eq", t, rebuild(t, (c, e.args[1], f.args[1]))), "branch", (then, other), t)


def choose(t: Term, theorem: Theorem) -> Theorem:
    """
    ::

        H |- c                         H |- not c
        ------------------------       ------------------------
        H |- if(c, a, b) = a           H |- if(c, a, b) = b

    >>> from proofs.terms import when
    >>> i, x = var("i", "integer"), var("x")
    >>> c = relation("le", i, num(1))
    >>> choose(when(c, x, num(0)), assume(negation(c)))
    lt(1, i) |- eq(if(le(i, 1), x, 0), 0)
    >>> choose(when(c, x, num(0)), assume(relation("lt", i, num(1))))
    Traceback (most recent call last):
    proofs.kernel.KernelError: choose: lt(i, 1) does not decide le(i, 1)
    """
    _need(t.op == "if", "choose: {!r} is no 'if'", t)
    c, p = t.args[0], theorem.conclusion
    _need(p in (c, negation(c)), "choose: {!r} does not decide {!r}", p, c)
    return _theorem(theorem.hypotheses, relation("eq", t, t.args[1 if p == c else 2]), "choose", (theorem,), t)


def relate(theorem: Theorem, equal: Mapping[int, Theorem]) -> Theorem:
    """
    ::

        H |- a R b     K |- a = a'     L |- b = b'
        -------------------------------------------
                  H, K, L |- a' R b'

    >>> x, y, z = var("x"), var("y"), var("z")
    >>> relate(assume(relation("eq", x, y)), {1: assume(relation("eq", y, z))}).conclusion
    eq(x, z)
    >>> relate(assume(relation("lt", x, y)), {1: assume(relation("eq", z, y))})
    Traceback (most recent call last):
    proofs.kernel.KernelError: relate: side 1 is y, not z
    """
    p = theorem.conclusion
    _need(p.op in ("eq", "le", "lt", "ne"), "relate: {!r} is no relation", p)
    args, equal = list(p.args), dict(equal)
    for k, e in equal.items():
        _need(k in (0, 1), "relate: a relation has the sides 0 and 1")
        _need(e.conclusion.op == "eq", "relate: a premise is no equation")
        _need(e.conclusion.args[0] == args[k], "relate: side {} is {!r}, not {!r}", k, args[k], e.conclusion.args[0])
        args[k] = e.conclusion.args[1]
    premises = (theorem, *equal.values())
    return _theorem(_all(premises), relation(p.op, *args), "relate", premises, *equal)


def cases(p: Term, holds: Theorem, fails: Theorem) -> Theorem:
    """
    ::

        H, p |- q      K, not p |- q
        ----------------------------
                H, K |- q

    >>> x = var("x")
    >>> p = relation("le", num(0), x)
    >>> q = linear(relation("le", num(0), num(1)), (), ())
    >>> cases(p, q, q)
     |- le(0, 1)
    >>> cases(p, q, assume(negation(p)))
    Traceback (most recent call last):
    proofs.kernel.KernelError: cases: the conclusions differ
    """
    _need(holds.conclusion == fails.conclusion, "cases: the conclusions differ")
    stays = (holds.hypotheses - {p}) | (fails.hypotheses - {negation(p)})
    return _theorem(stays, holds.conclusion, "cases", (holds, fails), p)


def absurd(p: Term, theorem: Theorem) -> Theorem:
    """
    ::

        H, not p |- 1 <= 0
        ------------------
              H |- p

    >>> x = var("x")
    >>> p, q = relation("lt", x, num(0)), relation("le", num(0), x)
    >>> absurd(q, linear(relation("le", num(1), num(0)), (assume(p), assume(relation("lt", num(0), x))), (1, 1)))
    lt(0, x) |- le(0, x)
    >>> absurd(q, assume(p))
    Traceback (most recent call last):
    proofs.kernel.KernelError: absurd: lt(x, 0) is not 1 <= 0
    """
    _need(theorem.conclusion == _ABSURD, "absurd: {!r} is not 1 <= 0", theorem.conclusion)
    return _theorem(theorem.hypotheses - {negation(p)}, p, "absurd", (theorem,), p)


@at_most(MAX_WORK)
def specialise(theorem: Theorem, values: Mapping[Term, Term]) -> Theorem:
    """
    ::

            H |- p
        --------------
        H[t/x] |- p[t/x]

    Terms for free variables, all at once, in the hypotheses too.

    >>> x, y = var("x"), var("y")
    >>> specialise(assume(relation("lt", x, y)), {x: num(1)})
    lt(1, y) |- lt(1, y)
    >>> specialise(assume(relation("lt", x, y)), {num(1): x})
    Traceback (most recent call last):
    proofs.terms.TermError: can't put x for 1
    """
    values = dict(values)
    hypotheses = frozenset(substitute(h, values) for h in theorem.hypotheses)
    pairs = tuple(x for pair in values.items() for x in pair)
    return _theorem(hypotheses, substitute(theorem.conclusion, values), "specialise", (theorem,), *pairs)


def generalise(theorem: Theorem, i: Term, lo: Term, hi: Term) -> Theorem:
    """
    ::

        H, lo <= i, i <= hi |- p
        ------------------------------      i free in no H
        H |- for all i in lo..hi: p

    >>> i, n = var("i", "integer"), var("n", "integer")
    >>> generalise(assume(relation("le", i, n)), i, num(1), n)
     |- forall(1, n, le(bound(#0), n))
    >>> generalise(assume(relation("le", i, n)), i, num(1), add(n, num(-1)))
    Traceback (most recent call last):
    proofs.kernel.KernelError: i is free in a hypothesis that stays
    """
    stays = theorem.hypotheses - _range(i, lo, hi)
    _new((i,), stays, lo, hi)
    return _theorem(stays, forall(i, lo, hi, theorem.conclusion), "generalise", (theorem,), i, lo, hi)


def at(theorem: Theorem, t: Term, low: Theorem, high: Theorem) -> Theorem:
    """
    ::

        H |- for all i in lo..hi: p     K |- lo <= t     L |- t <= hi
        -------------------------------------------------------------
                            H, K, L |- p[t/i]

    >>> i, n = var("i", "integer"), var("n", "integer")
    >>> every = assume(forall(i, num(1), num(9), relation("lt", i, n)))
    >>> le = lambda a, b: linear(relation("le", num(a), num(b)), (), ())
    >>> at(every, num(3), le(1, 3), le(3, 9)).conclusion
    lt(3, n)
    >>> at(every, num(3), le(1, 3), le(3, 10))
    Traceback (most recent call last):
    proofs.kernel.KernelError: at: 3 is not shown to be in the range
    """
    p = theorem.conclusion
    _need(p.op == "forall", "at: {!r} is no 'for all'", p)
    lo, hi, body = p.args
    inside = low.conclusion == relation("le", lo, t) and high.conclusion == relation("le", t, hi)
    _need(inside, "at: {!r} is not shown to be in the range", t)
    premises = (theorem, low, high)
    return _theorem(_all(premises), instantiate(body, (t,)), "at", premises, t)


def induction(p: Term, k: Term, lo: Term, base: Theorem, step: Theorem) -> Theorem:
    """
    ::

        H |- p[lo/k]      K, lo <= k, p |- p[k+1/k]
        -------------------------------------------      k free in no H, no K, not in lo
                  H, K, lo <= k |- p

    >>> k, one, half = var("k", "integer"), num(1), num(Fraction(1, 2))
    >>> p = relation("le", num(0), mul(half, k))
    >>> start = linear(relation("le", num(0), mul(half, num(0))), (), ())
    >>> step = linear(relation("le", num(0), mul(half, add(k, one))), (assume(p),), (1,))
    >>> induction(p, k, num(0), start, step)
    le(0, k) |- le(0, mul(1/2, k))
    >>> induction(p, k, num(1), start, step)
    Traceback (most recent call last):
    proofs.kernel.KernelError: induction: the start is not shown
    """
    first, following = relation("le", lo, k), substitute(p, {k: add(k, num(1))})
    _need(base.conclusion == substitute(p, {k: lo}), "induction: the start is not shown")
    _need(step.conclusion == following, "induction: the step is not shown")
    stays = base.hypotheses | (step.hypotheses - {first, p})
    _new((k,), stays, lo)
    return _theorem(stays | {first}, p, "induction", (base, step), p, k, lo)


@at_most(MAX_WORK)
def definition(t: Term, names: Sequence[str]) -> Theorem:
    """
    ::

        -----------
        |- t = t'

    where t' is `t` with the named definitions unfolded, and entries of comprehensions read off.

    >>> from proofs.terms import comprehension
    >>> i, x = var("i", "integer"), var("x")
    >>> definition(entry(comprehension((i,), mul(x, i)), num(3)), ())
     |- eq(entry(lam(mul(x, bound(#0))), 3), mul(x, 3))
    >>> definition(relation("eq", x, x), ())
    Traceback (most recent call last):
    proofs.kernel.KernelError: definition: eq(x, x) is no number or tensor
    """
    _need(t.sort != "proposition", "definition: {!r} is no number or tensor", t)
    return _theorem(frozenset(), relation("eq", t, unfold(t, names)), "definition", (), t, *names)


# --- arithmetic --------------------------------------------------------------------------------------------

_Monomial = tuple[tuple[int, int], ...]
_Poly = dict[_Monomial, Fraction]
_Quotient = tuple[_Poly, dict[int, int]]  # numerator, and the exponents of the factors of the denominator


class _Ring:
    """Rational functions over atoms; a reciprocal is taken only of what is known not to be zero."""

    def __init__(self, nonzero: Sequence[Term]) -> None:
        self.atoms: dict[Term, int] = {}
        self.factors: list[_Poly] = []
        self.units: set[int] = set()
        self.known: dict[frozenset[tuple[_Monomial, Fraction]], int] = {}
        for t in nonzero:
            p, _ = self.quotient(t)
            if p:
                self.known.setdefault(_key(p), len(self.factors))
                self.factors.append(p)
            if len(p) == 1:
                self.units.update(a for m in p for a, _ in m)

    def atom(self, t: Term) -> _Quotient:
        return {((self.atoms.setdefault(t, len(self.atoms)), 1),): Fraction(1)}, {}

    def quotient(self, t: Term) -> _Quotient:
        spend(8)
        if t.op == "num":
            return ({(): t.data} if t.data else {}), {}  # type: ignore[dict-item]
        if t.op == "add":
            s = self.quotient(t.args[0])
            for a in t.args[1:]:
                s = self.plus(s, self.quotient(a))
            return s
        if t.op == "mul":
            s = self.quotient(t.args[0])
            for a in t.args[1:]:
                s = self.times(s, self.quotient(a))
            return s
        if t.op == "neg":
            p, d = self.quotient(t.args[0])
            return {m: -c for m, c in p.items()}, d
        if t.op == "div":
            inverse = self.inverse(t.args[1]) or self.atom(div(num(1), t.args[1]))
            return self.times(self.quotient(t.args[0]), inverse)
        if t.op == "pow" and t.args[1].op == "num":
            n = int(t.args[1].data)  # type: ignore[arg-type]
            base = self.quotient(t.args[0]) if n >= 0 else self.inverse(t.args[0])
            if base is not None:
                return self.raised(base, abs(n))
        return self.atom(t)

    def inverse(self, t: Term) -> _Quotient | None:
        """``1/t``, or None where `t` is not known to be different from zero."""
        if t.op in ("mul", "neg"):
            parts = [self.inverse(a) for a in t.args]
            if None not in parts:
                s: _Quotient = {(): Fraction(1 if t.op == "mul" else -1)}, {}
                for part in parts:
                    s = self.times(s, part)  # type: ignore[arg-type]
                return s
        p, d = self.quotient(t)
        k = self.known.get(_key(p))
        unit = len(p) == 1 and all(a in self.units for m in p for a, _ in m)
        if k is None and not unit:
            return None
        one: _Poly = {(): Fraction(1)}
        for f, e in d.items():
            one = _product(one, self.raised((self.factors[f], {}), e)[0])
        if len(p) == 1:
            ((m, c),) = p.items()
            return _product(one, {tuple((a, -e) for a, e in m): 1 / c}), {}
        scale = self.factors[k][max(p)] / p[max(p)]  # type: ignore[index]
        return {m: c * scale for m, c in one.items()}, {k: 1}  # type: ignore[dict-item]

    def plus(self, s: _Quotient, t: _Quotient) -> _Quotient:
        (p, d), (q, e) = s, t
        if d != e:
            both = {f: max(d.get(f, 0), e.get(f, 0)) for f in d | e}
            p, q = self.over(p, d, both), self.over(q, e, both)
            d = both
        return _combined(p, q), d

    def over(self, p: _Poly, d: dict[int, int], both: dict[int, int]) -> _Poly:
        for f, e in both.items():
            if e > d.get(f, 0):
                p = _product(p, self.raised((self.factors[f], {}), e - d.get(f, 0))[0])
        return p

    def times(self, s: _Quotient, t: _Quotient) -> _Quotient:
        (p, d), (q, e) = s, t
        return _product(p, q), {f: d.get(f, 0) + e.get(f, 0) for f in d | e} if e else d

    def raised(self, s: _Quotient, n: int) -> _Quotient:
        p, d = s
        _need(n <= MAX_EXPONENT, "ring: an exponent over {}", MAX_EXPONENT)
        d = {f: e * n for f, e in d.items()} if n else {}
        if len(p) == 1:
            ((m, c),) = p.items()
            bits = max(c.numerator.bit_length(), c.denominator.bit_length())
            _need(bits * n <= 2 * _MAX_BITS or abs(c) == 1, "ring: a number with too many digits")
            return {tuple((a, e * n) for a, e in m) if n else (): c**n}, d
        r: _Poly = {(): Fraction(1)}
        while n:
            if n & 1:
                r = _product(r, p)
            n >>= 1
            if n:
                p = _product(p, p)
        return r, d

    def zero(self, t: Term) -> bool:
        return not self.quotient(t)[0]


def _key(p: _Poly) -> frozenset[tuple[_Monomial, Fraction]]:
    """`p` up to a numeral factor."""
    spend(_cost(p, p))
    c = p[max(p)] if p else 1
    return frozenset((m, a / c) for m, a in p.items())


def _cost(p: _Poly, q: _Poly) -> int:
    """The work of multiplying one term of `p` with all of `q`."""
    bits = [max((c.numerator.bit_length() + c.denominator.bit_length() for c in s.values()), default=0) for s in (p, q)]
    atoms = sum(max(map(len, s), default=0) for s in (p, q))
    return len(q) * (4 + atoms + (sum(bits) ** 2 >> 18))


def _combined(p: _Poly, q: _Poly) -> _Poly:
    spend((len(p) >> 4) + _cost(q, q))
    r = dict(p)
    for m, c in q.items():
        c += r.get(m, 0)
        if c:
            r[m] = c
        else:
            del r[m]
    _need(len(r) <= MAX_MONOMIALS, "ring: too many monomials")
    return r


def _product(p: _Poly, q: _Poly) -> _Poly:
    _need(len(p) * len(q) <= 25 * MAX_MONOMIALS, "ring: too many monomials")
    spend(len(p) * _cost(p, q))
    r: _Poly = {}
    for m, c in p.items():
        for k, b in q.items():
            exponents = dict(m)
            for a, e in k:
                exponents[a] = exponents.get(a, 0) + e
            both = tuple(sorted((a, e) for a, e in exponents.items() if e))
            s = r.get(both, 0) + c * b
            _need(s.numerator.bit_length() + s.denominator.bit_length() <= 4 * _MAX_BITS, "ring: too many digits")
            r[both] = s
    return {m: c for m, c in r.items() if c}


@at_most(MAX_WORK)
def ring(a: Term, b: Term, nonzero: Sequence[Theorem]) -> Theorem:
    """
    ::

        H |- t != 0   ...
        -----------------      a = b as rational functions in which only such t are divided out
        H, ... |- a = b

    What may be divided out: a numeral, a product or negation of what may, a numeral times such a t, and a
    product of powers of atoms each of which occurs in such a product t. Every other reciprocal is an atom, as
    is whatever is not built by ``+ - * / ^`` with a numeral exponent.

    >>> x, y = var("x"), var("y")
    >>> ring(mul(x, div(y, x)), y, (assume(relation("ne", x, num(0))),))
    ne(x, 0) |- eq(mul(x, div(y, x)), y)
    >>> ring(mul(x, div(y, x)), y, ())
    Traceback (most recent call last):
    proofs.kernel.KernelError: ring: the two sides are not shown equal
    """
    for t in (nonzero := tuple(nonzero)):
        p = t.conclusion
        _need(p.op == "ne" and p.args[1] == num(0), "ring: {!r} does not say that something is not 0", p)
    same = _Ring([t.conclusion.args[0] for t in nonzero]).zero(sub(a, b))
    _need(same, "ring: the two sides are not shown equal")
    return _theorem(_all(nonzero), relation("eq", a, b), "ring", nonzero, a, b)


@at_most(MAX_WORK)
def linear(goal: Term, premises: Sequence[Theorem], multipliers: Sequence[int | Fraction]) -> Theorem:
    """
    ::

        H |- a R b   ...
        ----------------      d - c = sum of multiplier * (b - a) + a constant that is large enough
        H, ... |- c R d

    Multipliers of ``<=`` and ``<`` are not negative. Between integers ``a < b`` counts as ``a + 1 <= b``, and
    what exceeds -1 is at least 0. Products of atoms are atoms.

    >>> n, m = var("n", "integer"), var("m", "integer")
    >>> linear(relation("le", add(n, num(1)), m), (assume(relation("lt", n, m)),), (1,))
    lt(n, m) |- le(add(n, 1), m)
    >>> linear(relation("lt", n, m), (assume(relation("le", n, m)),), (1,))
    Traceback (most recent call last):
    proofs.kernel.KernelError: linear: these multiples do not give the goal
    """
    premises, multipliers = tuple(premises), tuple(map(Fraction, multipliers))
    _need(goal.op in ("le", "lt"), "linear: {!r} is no inequality", goal)
    _need(len(premises) == len(multipliers), "linear: one multiplier for each premise")
    r, strict = _Ring(()), False
    rest = r.quotient(sub(goal.args[1], goal.args[0]))[0]
    for t, f in zip(premises, multipliers, strict=True):
        p = t.conclusion
        _need(p.op in ("eq", "le", "lt"), "linear: {!r} is no equation or inequality", p)
        _need(p.op == "eq" or f >= 0, "linear: a negative multiple of an inequality")
        whole = p.op == "lt" and all(a.sort == "integer" for a in p.args)
        strict = strict or (p.op == "lt" and not whole and f > 0)
        gap = r.quotient(sub(sub(p.args[1], p.args[0]), num(1 if whole else 0)))[0]
        rest = _combined(rest, {m: -c * f for m, c in gap.items() if f})
    constant = rest.pop((), Fraction(0))
    if all(a.sort == "integer" for a in goal.args):
        enough = constant > (-1 if goal.op == "le" else 0) or (constant == 0 and strict)
        enough = enough or (constant == -1 and goal.op == "le" and strict)
    else:
        enough = constant > 0 or (constant == 0 and (goal.op == "le" or strict))
    _need(not rest and enough, "linear: these multiples do not give the goal")
    return _theorem(_all(premises), goal, "linear", premises, goal, *multipliers)


# --- numeric bounds ----------------------------------------------------------------------------------------

_Interval = tuple[Fraction, Fraction]


def _outward(lo: Fraction, hi: Fraction, bits: int) -> _Interval:
    """An interval around [lo, hi] whose ends have at most about `bits` significant bits."""
    ends = []
    for q, up in ((lo, 0), (hi, 1)):
        spend(8 + ((q.numerator.bit_length() + q.denominator.bit_length() + bits) ** 2 >> 18))
        drop = q.numerator.bit_length() - q.denominator.bit_length() - bits
        scaled = q / Fraction(2) ** drop if q else q
        whole = -((-scaled.numerator) // scaled.denominator) if up else scaled.numerator // scaled.denominator
        ends.append(whole * Fraction(2) ** drop)
    return ends[0], ends[1]


def _exp(x: Fraction, bits: int) -> _Interval:
    """Bounds on exp(x): halve the argument until it is at most 1/2, sum the series, square."""
    if x < 0:
        lo, hi = _exp(-x, bits)
        return _outward(1 / hi, 1 / lo, bits)
    _need(x < 100_000, "bound: an exponential that is too large")
    halvings = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 2)
    bits += 2 * halvings + 8
    lo, hi = y = _outward(x / 2**halvings, x / 2**halvings, bits)
    term, series, k = (Fraction(1), Fraction(1)), (Fraction(1), Fraction(1)), 0
    while term[1] > Fraction(1, 2**bits):
        k += 1
        term = _outward(term[0] * y[0] / k, term[1] * y[1] / k, bits)
        series = _outward(series[0] + term[0], series[1] + term[1], bits)
    lo, hi = series[0], series[1] + 2 * term[1]
    for _ in range(halvings):
        lo, hi = _outward(lo * lo, hi * hi, bits)
    return lo, hi


def _ln(x: Fraction, bits: int) -> _Interval:
    """Bounds on ln(x): ln(m 2^k) = k ln 2 + ln m, each by the series of the inverse hyperbolic tangent."""

    def near(m: Fraction) -> _Interval:  # 1 <= m <= 2, so u <= 1/3 and the rest is under 9/8 of the next term
        u = _outward((m - 1) / (m + 1), (m - 1) / (m + 1), bits)
        lo = hi = Fraction(0)
        low, high, k = u[0], u[1], 1
        while True:
            lo, hi = _outward(lo + 2 * low / k, hi + 2 * high / k, bits)
            low, high, k = *_outward(low * u[0] ** 2, high * u[1] ** 2, bits), k + 2
            if high < Fraction(1, 2**bits):
                return lo, hi + 3 * high

    _need(x > 0, "bound: the logarithm of what may not be positive")
    k = x.numerator.bit_length() - x.denominator.bit_length()
    k -= x < Fraction(2) ** k
    bits += 12
    (lo, hi), two = near(x / Fraction(2) ** k), near(Fraction(2))
    ends = sorted((k * two[0], k * two[1]))
    return lo + ends[0], hi + ends[1]


def _root(x: Fraction, bits: int) -> _Interval:
    """Bounds on the root of x, relative precision `bits`."""
    _need(x >= 0, "bound: the root of what may be negative")
    scale = max(0, bits - (x.numerator.bit_length() - x.denominator.bit_length()) // 2 + 2)
    spend(8 + ((x.numerator.bit_length() + x.denominator.bit_length() + 4 * scale) ** 2 >> 18))
    n = x.numerator * 4**scale
    r = isqrt(n // x.denominator)
    return Fraction(r, 2**scale), Fraction(r if r * r * x.denominator == n else r + 1, 2**scale)


def _interval(t: Term, bits: int) -> _Interval:
    spend(4)
    if t.op == "num":
        return t.data, t.data  # type: ignore[return-value]
    _need(t.op in ("add", "mul", "neg", "div", "pow", "sqrt", "exp", "ln", "max"), "bound: {!r} is no closed number", t)
    if t.op == "pow":
        _need(t.args[1].op == "num", "bound: an exponent that is no numeral")
        n = int(t.args[1].data)  # type: ignore[arg-type]
        _need(abs(n) <= MAX_EXPONENT, "bound: an exponent that is too large")
        a = _interval(t.args[0], bits + 2 * n.bit_length() + 4)
        _need(n >= 0 or not a[0] <= 0 <= a[1], "bound: a power of what may be 0")
        r = (Fraction(1), Fraction(1))
        for bit in f"{abs(n):b}":
            r = _outward(*_times(r, r), bits + 2 * n.bit_length() + 4)
            if bit == "1":
                r = _outward(*_times(r, a), bits + 2 * n.bit_length() + 4)
        return r if n >= 0 else (1 / r[1], 1 / r[0])
    parts = [_interval(a, bits) for a in t.args]
    x = parts[0]
    if t.op == "neg":
        return -x[1], -x[0]
    if t.op in ("exp", "ln", "sqrt"):
        f = {"exp": _exp, "ln": _ln, "sqrt": _root}[t.op]
        return f(x[0], bits)[0], f(x[1], bits)[1]
    if t.op == "max":
        return max(x[0], parts[1][0]), max(x[1], parts[1][1])
    if t.op == "div":
        lo, hi = parts[1]
        _need(not lo <= 0 <= hi, "bound: a division by what may be 0")
        parts[1] = (1 / hi, 1 / lo)
    for y in parts[1:]:
        x = _outward(*((x[0] + y[0], x[1] + y[1]) if t.op == "add" else _times(x, y)), bits)
    return x


def _times(x: _Interval, y: _Interval) -> _Interval:
    ends = [a * b for a in x for b in y]
    return min(ends), max(ends)


@at_most(MAX_WORK)
def bound(goal: Term, bits: int) -> Theorem:
    """
    ::

        ---------      a R b between closed numbers, by rational bounds with `bits` significant bits
        |- a R b

    >>> bound(relation("lt", exp(num(1)), num(Fraction(27183, 10000))), 64)
     |- lt(exp(1), 27183/10000)
    >>> bound(relation("le", exp(num(0)), exp(ln(num(1)))), 64)
    Traceback (most recent call last):
    proofs.kernel.KernelError: bound: not shown with 64 bits
    """
    _need(goal.op in ("le", "lt", "ne"), "bound: {!r} is no inequality", goal)
    _need(type(bits) is int and 0 < bits <= MAX_PRECISION, "bound: from 1 to {} bits", MAX_PRECISION)
    a, b = (_interval(x, bits) for x in goal.args)
    _need(a[1] < b[0] or (goal.op == "ne" and b[1] < a[0]), "bound: not shown with {} bits", bits)
    return _theorem(frozenset(), goal, "bound", (), goal, bits)


# --- the table of axioms -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Axiom:
    """``premises |- conclusion`` for every value of the variables that occur; a tensor variable is any function."""

    name: str
    premises: tuple[Term, ...]
    conclusion: Term


def _table() -> dict[str, Axiom]:
    x, y = var("x"), var("y")
    a, b, c, d = (var(s, "integer") for s in "abcd")
    i, j, k, m, n = (var(s, "integer") for s in "ijkmn")
    f, g, h = var("f", "real", 1), var("g", "real", 1), var("h", "real", 2)
    zero, one = num(0), num(1)

    def eq(s: Term, t: Term) -> Term:
        return relation("eq", s, t)

    def le(s: Term, t: Term) -> Term:
        return relation("le", s, t)

    def lt(s: Term, t: Term) -> Term:
        return relation("lt", s, t)

    def ne(s: Term, t: Term) -> Term:
        return relation("ne", s, t)

    def sigma(body: Term, lo: Term = a, hi: Term = b) -> Term:
        return total(i, lo, hi, body)

    fi, gi = entry(f, i), entry(g, i)
    rows: tuple[tuple[str, tuple[Term, ...], Term], ...] = (
        # order and signs
        ("antisymmetry", (le(x, y), le(y, x)), eq(x, y)),
        ("less-not-equal", (lt(x, y),), ne(x, y)),
        ("greater-not-equal", (lt(x, y),), ne(y, x)),
        ("not-equal-less", (le(x, y), ne(x, y)), lt(x, y)),
        ("contradiction", (eq(x, y), ne(x, y)), le(one, zero)),
        ("product-nonnegative", (le(zero, x), le(zero, y)), le(zero, mul(x, y))),
        ("product-positive", (lt(zero, x), lt(zero, y)), lt(zero, mul(x, y))),
        ("product-nonzero", (ne(x, zero), ne(y, zero)), ne(mul(x, y), zero)),
        ("factor-nonzero", (ne(mul(x, y), zero),), ne(x, zero)),
        ("square-nonnegative", (), le(zero, mul(x, x))),
        ("reciprocal-positive", (lt(zero, x),), lt(zero, div(one, x))),
        ("reciprocal-nonzero", (ne(x, zero),), ne(div(one, x), zero)),
        # integer powers
        ("power-positive", (lt(zero, x),), lt(zero, power(x, n))),
        ("power-nonzero", (ne(x, zero),), ne(power(x, n), zero)),
        ("power-sum", (ne(x, zero),), eq(power(x, add(m, n)), mul(power(x, m), power(x, n)))),
        ("power-sum-nonnegative", (le(zero, m), le(zero, n)), eq(power(x, add(m, n)), mul(power(x, m), power(x, n)))),
        ("power-power", (ne(x, zero),), eq(power(x, mul(m, n)), power(power(x, m), n))),
        ("power-product", (ne(x, zero), ne(y, zero)), eq(power(mul(x, y), n), mul(power(x, n), power(y, n)))),
        # exponential and logarithm
        ("exp-sum", (), eq(exp(add(x, y)), mul(exp(x), exp(y)))),
        ("exp-zero", (), eq(exp(zero), one)),
        ("exp-positive", (), lt(zero, exp(x))),
        ("exp-increasing", (lt(x, y),), lt(exp(x), exp(y))),
        ("exp-multiple", (), eq(exp(mul(n, x)), power(exp(x), n))),
        ("exp-tangent", (), le(add(one, x), exp(x))),
        ("exp-ln", (lt(zero, x),), eq(exp(ln(x)), x)),
        ("ln-exp", (), eq(ln(exp(x)), x)),
        ("ln-product", (lt(zero, x), lt(zero, y)), eq(ln(mul(x, y)), add(ln(x), ln(y)))),
        ("ln-power", (lt(zero, x),), eq(ln(power(x, n)), mul(n, ln(x)))),
        ("ln-increasing", (lt(zero, x), lt(x, y)), lt(ln(x), ln(y))),
        # roots
        ("root-squared", (le(zero, x),), eq(mul(sqrt(x), sqrt(x)), x)),
        ("root-nonnegative", (le(zero, x),), le(zero, sqrt(x))),
        ("root-positive", (lt(zero, x),), lt(zero, sqrt(x))),
        ("root-of-square", (le(zero, x),), eq(sqrt(mul(x, x)), x)),
        ("root-product", (le(zero, x), le(zero, y)), eq(sqrt(mul(x, y)), mul(sqrt(x), sqrt(y)))),
        ("root-increasing", (le(zero, x), lt(x, y)), lt(sqrt(x), sqrt(y))),
        # maxima
        ("max-left", (le(y, x),), eq(maximum(x, y), x)),
        ("max-right", (le(x, y),), eq(maximum(x, y), y)),
        ("max-member", (le(a, k), le(k, b)), le(entry(f, k), greatest(i, a, b, fi))),
        ("max-least", (le(a, b), forall(i, a, b, le(fi, x))), le(greatest(i, a, b, fi), x)),
        # finite sums
        ("sum-add", (), eq(sigma(add(fi, gi)), add(sigma(fi), sigma(gi)))),
        ("sum-factor", (), eq(sigma(mul(x, fi)), mul(x, sigma(fi)))),
        ("sum-constant", (le(a, add(b, one)),), eq(sigma(x), mul(add(b, neg(a), one), x))),
        ("sum-empty", (lt(b, a),), eq(sigma(fi), zero)),
        ("sum-one", (), eq(sigma(fi, a, a), entry(f, a))),
        ("sum-split", (le(a, add(m, one)), le(m, b)),
         eq(sigma(fi), add(sigma(fi, a, m), sigma(fi, add(m, one), b)))),
        ("sum-shift", (), eq(sigma(fi), sigma(entry(f, sub(i, k)), add(a, k), add(b, k)))),
        ("sum-reverse", (), eq(sigma(fi), sigma(entry(f, add(a, b, neg(i)))))),
        ("sum-swap", (), eq(sigma(total(j, c, d, entry(h, i, j))), total(j, c, d, sigma(entry(h, i, j))))),
        ("sum-monotone", (forall(i, a, b, le(fi, gi)),), le(sigma(fi), sigma(gi))),
        ("sum-positive", (le(a, b), forall(i, a, b, lt(zero, fi))), lt(zero, sigma(fi))),
        ("sum-member", (forall(i, a, b, le(zero, fi)), le(a, k), le(k, b)), le(entry(f, k), sigma(fi))),
    )  # fmt: skip
    return {name: Axiom(name, premises, conclusion) for name, premises, conclusion in rows}


AXIOMS: Mapping[str, Axiom] = _table()
_VARIABLES = {
    name: {str(v.data): v for p in (*row.premises, row.conclusion) for v in free_variables(p)}
    for name, row in AXIOMS.items()
}


@at_most(MAX_WORK)
def axiom(name: str, values: Mapping[str, Term], premises: Sequence[Theorem]) -> Theorem:
    """
    ::

        H |- p[t/x]   ...
        -----------------      p, ... |- q a row of the table, for any terms t
        H, ... |- q[t/x]

    A tensor variable is given a comprehension, and its entries are read off: ``f[j]`` may mention j, while
    what is given for a number can't.

    >>> axiom("exp-positive", {"x": num(2)}, ())
     |- lt(0, exp(2))
    >>> axiom("reciprocal-nonzero", {"x": num(2)}, (axiom("exp-positive", {"x": num(2)}, ()),))
    Traceback (most recent call last):
    proofs.kernel.KernelError: axiom reciprocal-nonzero: premise 1 is lt(0, exp(2)), not ne(2, 0)
    """
    row, values, premises = AXIOMS.get(name), dict(values), tuple(premises)
    if row is None:
        raise KernelError(f"axiom: no row is called {name}")
    _need(values.keys() == _VARIABLES[name].keys(), "axiom {}: values for {}", name, sorted(_VARIABLES[name]))
    _need(len(premises) == len(row.premises), "axiom {}: {} premises", name, len(row.premises))
    put = {_VARIABLES[name][v]: t for v, t in values.items()}
    for k, (p, t) in enumerate(zip(row.premises, premises, strict=True), 1):
        wanted = unfold(substitute(p, put), ())
        _need(t.conclusion == wanted, "axiom {}: premise {} is {!r}, not {!r}", name, k, t.conclusion, wanted)
    pairs = tuple(x for pair in values.items() for x in pair)
    return _theorem(_all(premises), unfold(substitute(row.conclusion, put), ()), "axiom", premises, name, *pairs)
