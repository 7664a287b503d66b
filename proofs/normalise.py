"""Normal forms: each conversion returns a term and a kernel theorem ``t = normal form``.

One pass, bottom up: definitions are unfolded, exponentials become powers of a common unit, constants leave
finite sums, sums are split at the conditions of masks and at given cut points, shifted to start at 1 and put
in a fixed order, logarithms and roots are taken apart where signs allow it, hypotheses rewrite what they
equate. What remains are polynomials over atoms, with negative exponents for what is known not to be zero.

Each conversion has the code of a reason and can be switched off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from proofs import kernel
from proofs.context import ONE, ZERO, Context, definitions_in, refl, sym, trans
from proofs.kernel import KernelError, Theorem
from proofs.masks import conditions, cut_points
from proofs.polynomials import (
    Monomial,
    Polynomial,
    TooLarge,
    atom,
    constant,
    leading,
    monomial,
    order,
    ordered,
    plus,
    product,
    raised,
    read,
    text,
    times,
    write,
    write_monomial,
)  # fmt: skip
from proofs.terms import (
    Term,
    TermError,
    abstract,
    add,
    binds,
    comprehension,
    div,
    exp,
    free_variables,
    instantiate,
    ln,
    mul,
    negation,
    num,
    power,
    rebuild,
    relation,
    sqrt,
    sub,
    total,
    var,
)  # fmt: skip

REASONS = (
    "definition", "exp of a sum", "constant factor", "sum of a sum", "constant sum", "single term", "empty sum",
    "split a sum", "shift the index", "swap sums", "condition", "cancel", "power", "logarithm", "root", "maximum",
    "hypothesis", "induction", "order", "part of a sum",
)  # fmt: skip

Converted = tuple[Term, Theorem | None]


class _Restart(Exception):
    """A finer unit of an exponential was found; what was written in the coarser one must be written anew."""


def chain(*steps: Theorem | None) -> Theorem | None:
    """``a = b``, ``b = c``, ... as one equation; None stands for ``a = a``."""
    done: Theorem | None = None
    for e in steps:
        if e is not None:
            done = e if done is None else trans(done, e)
    return done


@dataclass(frozen=True)
class _Rule:
    """A hypothesis ``left = right``, for all values of the pattern indices in their ranges."""

    fact: Theorem
    left: Term
    right: Term
    flipped: bool
    variables: tuple[Term, ...] = ()
    ranges: tuple[tuple[Term, Term], ...] = ()


class Normaliser:
    """Conversions with some reasons switched on, cut points for sums, and a memory of what is done."""

    def __init__(self, reasons: Iterable[str] = REASONS, cuts: Sequence[Term] = ()) -> None:
        self.on = frozenset(reasons)
        self.cuts = tuple(cuts)
        self.units: dict[Term, int] = {}
        self.wanted: dict[Term, None] = {}  # conditions that would help, were they decided
        self._done: dict[tuple[int, Term], Converted] = {}
        self._rules: dict[int, list[_Rule]] = {}
        self._kept: list[Context] = []

    def normal(self, t: Term, ctx: Context) -> Converted:
        """The normal form of a number, with its theorem (None where nothing changed)."""
        unfolding: Theorem | None = None
        names = sorted(definitions_in(t)) if "definition" in self.on else []
        if names or t.redex:
            unfolding = kernel.definition(t, names)
            t = unfolding.conclusion.args[1]
        for _ in range(8):
            try:
                new, e = self._normal(t, ctx)
                return new, chain(unfolding, e)
            except _Restart:
                self._done.clear()
        raise TooLarge("no common unit for an exponential")

    def _normal(self, t: Term, ctx: Context) -> Converted:
        key = (id(ctx), t)
        found = self._done.get(key)
        if found is None:
            self._kept.append(ctx)
            inside, e = self._inner(t, ctx)
            p, facts = self.polynomial(inside, ctx)
            new = write(p)
            if new != inside:
                e = chain(e, kernel.ring(inside, new, facts))
            p, new, e2 = self._reduce_roots(p, new, ctx)
            found = self._done[key] = new, chain(e, e2)
        return found

    # --- polynomials with reciprocals ---

    def polynomial(self, t: Term, ctx: Context) -> tuple[Polynomial, list[Theorem]]:
        """A term whose atoms are normal as a polynomial, and the facts ``a != 0`` that this rests on."""
        facts: dict[Term, Theorem] = {}

        def special(x: Term) -> Polynomial | None:
            if x.op == "div":
                inverse = self._inverse(x.args[1], special, facts, ctx)
                return times(read(x.args[0], special), inverse or atom(div(ONE, x.args[1])))
            if x.op == "pow" and x.args[1].op == "num":
                inverse = self._inverse(x.args[0], special, facts, ctx)
                return None if inverse is None else raised(inverse, -int(x.args[1].data))  # type: ignore[arg-type]
            return None

        return read(t, special), list(facts.values())

    def _inverse(self, t: Term, special: object, facts: dict[Term, Theorem], ctx: Context) -> Polynomial | None:
        p = read(t, special)  # type: ignore[arg-type]
        if not p:
            return None
        if p.keys() == {()}:
            return constant(1 / p[()])
        if "cancel" not in self.on:
            return None
        c, m, rest = parts(p)
        pieces = [a for a, _ in m]
        if rest.keys() != {()}:
            pieces.append(write(rest))
        found: dict[Term, Theorem] = {}
        for a in pieces:
            s = ctx.nonzero(a)
            if s is None:
                found = {}
                break
            found[a] = s
        if not found:
            whole = ctx.nonzero(t)  # known as a whole, though not piece by piece
            if whole is None:
                return None
            facts[t] = whole
            group = write(plus({}, p, 1 / c))
            if len(p) == 1:
                return {tuple((a, -e) for a, e in m): 1 / c}
            other = kernel.relate(
                kernel.axiom("product-nonzero", {"x": num(1 / c), "y": t}, (ctx.nonzero(num(1 / c)), whole)),  # type: ignore[arg-type]
                {0: kernel.ring(mul(num(1 / c), t), group, ())},
            )
            facts[group] = other
            return {((group, -1),): 1 / c}
        facts.update(found)
        inverse: Polynomial = {monomial((a, -e) for a, e in m): 1 / c}
        if rest.keys() != {()}:
            inverse = times(inverse, atom(write(rest), -1))
            if t not in facts and (m or c != 1):
                split = mul(write_monomial(m, c), write(rest))
                whole = ctx.nonzero(split)
                if whole is not None:
                    facts[t] = kernel.relate(whole, {0: kernel.ring(split, t, list(found.values()))})
        return inverse

    def _reduce_roots(self, p: Polynomial, t: Term, ctx: Context) -> tuple[Polynomial, Term, Theorem | None]:
        if "root" not in self.on:
            return p, t, None
        equations: list[tuple[Term, Term, Theorem]] = []
        seen: set[Term] = set()
        for m in p:
            for a, e in m:
                if a.op == "sqrt" and e not in (0, 1) and a not in seen:
                    seen.add(a)
                    sign = ctx.nonnegative(a.args[0])
                    if sign is not None:
                        equations.append((a, a.args[0], kernel.axiom("root-squared", {"x": a.args[0]}, (sign,))))
        done: Theorem | None = None
        for root, inside, square in equations:
            q: Polynomial = {}
            cofactors: Polynomial = {}
            value = read(inside)
            for m, c in p.items():
                k = dict(m).get(root, 0)
                if k in (0, 1):
                    q = plus(q, {m: c})
                    continue
                low = k % 2
                rest = {monomial([*((a, x) for a, x in m if a != root), (root, low)]): c}
                if k >= 2:
                    q = plus(q, times(rest, raised(value, k // 2)))
                    for s in range(k // 2):
                        up = {monomial(((root, k - 2 - 2 * s - low),)): Fraction(1)}
                        cofactors = plus(cofactors, times(times(rest, up), raised(value, s)))
                else:
                    inverse = self._inverse(inside, lambda x: None, {}, ctx)
                    if inverse is None:
                        q = plus(q, {m: c})
                        continue
                    n = -(k // 2)
                    q = plus(q, times(rest, _powers(inverse, n)))
                    for s in range(n):
                        up = {monomial(((root, k + 2 * s - low),)): Fraction(1)}
                        cofactors = plus(cofactors, times(times(rest, up), _powers(inverse, s + 1)), -1)
            if not cofactors:
                continue
            step = self.rewrite(p, q, [(cofactors, square)], ctx)
            if step is not None:
                done, p, t = chain(done, step), q, write(q)
        return p, t, done

    def rewrite(
        self, p: Polynomial, q: Polynomial, by: Sequence[tuple[Polynomial, Theorem]], ctx: Context
    ) -> Theorem | None:
        """``p = q`` where ``p - q`` is the sum of ``cofactor * (a - b)`` over equations ``a = b``."""
        a, b = write(p), write(q)
        premises = []
        for cofactor, e in by:
            multiple = mul(write(cofactor), e.conclusion.args[0])
            scaled = kernel.congruence(multiple, {1: e})
            sides = {}
            for k in (0, 1):
                side = scaled.conclusion.args[k]
                form, facts = self.polynomial(side, ctx)
                sides[k] = kernel.ring(side, write(form), facts)
            premises.append(kernel.relate(scaled, sides))
        ones = [1] * len(premises)
        try:
            low = kernel.linear(relation("le", b, a), premises, [-x for x in ones])
            high = kernel.linear(relation("le", a, b), premises, ones)
        except KernelError:
            return None
        return kernel.axiom("antisymmetry", {"x": a, "y": b}, (high, low))

    # --- below the polynomials ---

    def _inner(self, t: Term, ctx: Context) -> Converted:
        """`t` with everything below ``+ - * / ^`` in normal form."""
        if t.op == "num":
            return t, None
        if t.op == "var":
            return self._hypothesis(t, ctx)
        if t.op in ("add", "mul", "neg") or (t.op == "pow" and t.args[1].op == "num" and t.args[1].data >= 0):  # type: ignore[operator]
            return self._each(t, ctx, normal=())
        if t.op == "div":
            return self._each(t, ctx, normal=(1,))
        if t.op == "pow":
            new, e = self._each(t, ctx, normal=(0, 1))
            return _then(e, self._power(new, ctx))
        if t.op == "if":
            return self._if(t, ctx)
        if t.op == "sum":
            return self._sum(t, ctx, self.cuts)
        if t.op in ("maxof", "lam"):
            return self._binder(t, ctx)
        if t.op == "app" or (t.op == "entry" and t.args[0].op in ("app", "lam")):
            return self._arguments(t, ctx)
        new, e = self._each(t, ctx, normal=range(len(t.args)) if t.op != "entry" else range(1, len(t.args)))
        convert = {"exp": self._exp, "ln": self._ln, "sqrt": self._sqrt, "max": self._max, "entry": self._hypothesis}
        return _then(e, convert[t.op](new, ctx))

    def _each(self, t: Term, ctx: Context, normal: Iterable[int]) -> Converted:
        equal: dict[int, Theorem] = {}
        whole = frozenset(normal)
        for k, a in enumerate(t.args):
            if a.rank:
                continue
            _, e = self._normal(a, ctx) if k in whole else self._inner(a, ctx)
            if e is not None:
                equal[k] = e
        if not equal:
            return t, None
        done = kernel.congruence(t, equal)
        return done.conclusion.args[1], done

    def _arguments(self, t: Term, ctx: Context) -> Converted:
        equal: dict[int, Theorem] = {}
        for k, a in enumerate(t.args):
            _, e = (
                (self._arguments(a, ctx) if a.op == "app" else self._binder(a, ctx) if a.op == "lam" else (a, None))
                if a.rank
                else self._normal(a, ctx)
            )
            if e is not None:
                equal[k] = e
        if not equal:
            return t, None
        done = kernel.congruence(t, equal)
        return done.conclusion.args[1], done

    def _binder(self, t: Term, ctx: Context) -> Converted:
        first: Theorem | None = None
        if t.op == "maxof":
            t, first = self._bounds(t, ctx)
            v = [ctx.fresh()]
            inside = ctx.within(v[0], t.args[0], t.args[1])
        else:
            v, inside = [], ctx
            for _ in range(binds(t)):
                v.append(inside.fresh())
                inside = inside.under()
        body = instantiate(t.args[-1], v)
        _, e = self._normal(body, inside)
        if e is None:
            return t, first
        second = kernel.under(t, e, v)
        return second.conclusion.args[1], chain(first, second)

    def _bounds(self, t: Term, ctx: Context) -> Converted:
        equal = {}
        for k in (0, 1):
            _, e = self._normal(t.args[k], ctx)
            if e is not None and e.conclusion.args[1].sort == "integer":
                equal[k] = e
        if not equal:
            return t, None
        done = kernel.congruence(t, equal)
        return done.conclusion.args[1], done

    # --- exponentials, powers, logarithms, roots, maxima ---

    def _exp(self, t: Term, ctx: Context) -> Converted:
        if "exp of a sum" not in self.on:
            return t, None
        p, _ = self.polynomial(t.args[0], ctx)
        if not p:
            return ONE, kernel.axiom("exp-zero", {}, ())
        pieces: list[tuple[int, Term]] = []
        for m, c in ordered(p):
            name = write_monomial(m)
            known = self.units.get(name)
            unit = (known or 1) * c.denominator // gcd(known or 1, c.denominator)
            self.units[name] = unit
            if known is not None and unit != known:
                raise _Restart
            pieces.append((int(c * unit), write_monomial(m, Fraction(1, unit))))
        parts_ = [x if k == 1 else mul(num(k), x) for k, x in pieces]
        nested = _nested(add, parts_)
        e: Theorem | None = None
        if nested != t.args[0]:
            e = kernel.congruence(t, {0: kernel.ring(t.args[0], nested, self.polynomial(t.args[0], ctx)[1])})
        done = self._exp_pieces(nested, pieces, ctx)
        return _then(e, done, exp(nested))

    def _exp_pieces(self, x: Term, pieces: list[tuple[int, Term]], ctx: Context) -> Converted:
        t = exp(x)
        k, unit = pieces[0]
        if len(pieces) > 1:
            e = kernel.axiom("exp-sum", {"x": x.args[0], "y": x.args[1]}, ())
            _, first = self._exp_pieces(x.args[0], pieces[:1], ctx)
            _, rest = self._exp_pieces(x.args[1], pieces[1:], ctx)
            equal = {n: s for n, s in ((0, first), (1, rest)) if s is not None}
            if equal:
                e = trans(e, kernel.congruence(e.conclusion.args[1], equal))
            return e.conclusion.args[1], e
        done: Theorem | None = None
        if k != 1:
            done = kernel.axiom("exp-multiple", {"n": num(k), "x": unit}, ())
            t = done.conclusion.args[1]
        if unit.op == "ln" and "logarithm" in self.on:
            sign = ctx.positive(unit.args[0])
            if sign is not None:
                back = kernel.axiom("exp-ln", {"x": unit.args[0]}, (sign,))
                if k != 1:
                    back = kernel.congruence(t, {0: back})
                done = chain(done, back)
                t = back.conclusion.args[1]
        return t, done

    def _power(self, t: Term, ctx: Context) -> Converted:
        base, n = t.args
        if "power" not in self.on:
            return t, None
        if base.op == "exp" or (base.op == "pow" and base.args[0].op == "exp" and base.args[1].op == "num"):
            if base.op == "exp":
                e = sym(kernel.axiom("exp-multiple", {"n": n, "x": base.args[0]}, ()))
            else:
                k = base.args[1]
                whole = kernel.axiom("exp-multiple", {"n": k, "x": base.args[0].args[0]}, ())
                e = kernel.congruence(t, {0: sym(whole)})
                e = trans(e, sym(kernel.axiom("exp-multiple", {"n": n, "x": mul(k, base.args[0].args[0])}, ())))
            return _then(e, self._inner(e.conclusion.args[1], ctx))
        if n.op == "num":
            return t, None
        p = read(base)
        if len(p) == 1 and len(pieces := ordered(p)) == 1 and (len(pieces[0][0]) + (pieces[0][1] != 1) > 1):
            (m, c) = pieces[0]
            x = write_monomial(m[:1]) if c == 1 else num(c)
            y = write_monomial(m[1:]) if c == 1 else write_monomial(m)
            both = ctx.nonzero(x), ctx.nonzero(y)
            if both[0] is None or both[1] is None:
                return t, None
            e = kernel.congruence(t, {0: kernel.ring(base, mul(x, y), ())})
            e = trans(e, kernel.axiom("power-product", {"x": x, "y": y, "n": n}, (both[0], both[1])))
            return _then(e, self._each(e.conclusion.args[1], ctx, ()))
        q = read(n)
        if any(c.denominator != 1 for c in q.values()):
            return t, None
        terms = ordered(q)
        apart = ctx.nonzero(base)
        if base.op == "pow" and apart is not None and base.args[1].op != "num":
            inner = ctx.nonzero(base.args[0])
            if inner is not None:
                e = sym(kernel.axiom("power-power", {"x": base.args[0], "m": base.args[1], "n": n}, (inner,)))
                return _then(e, self._inner(e.conclusion.args[1], ctx))
        if len(terms) > 1:
            a, b = write_monomial(*terms[0]), write(dict(terms[1:]))
            if a.sort != "integer" or b.sort != "integer":
                return t, None
            regroup = kernel.congruence(t, {1: kernel.ring(n, add(a, b), ())})
            if apart is not None:
                e = kernel.axiom("power-sum", {"x": base, "m": a, "n": b}, (apart,))
            else:
                low, high = ctx.inequality(relation("le", ZERO, a)), ctx.inequality(relation("le", ZERO, b))
                if low is None or high is None:
                    return t, None
                e = kernel.axiom("power-sum-nonnegative", {"x": base, "m": a, "n": b}, (low, high))
            e = trans(regroup, e)
            return _then(e, self._each(e.conclusion.args[1], ctx, ()))
        m, c = terms[0]
        if c != 1 and m and apart is not None:
            a = write_monomial(m)
            regroup = kernel.congruence(t, {1: kernel.ring(n, mul(a, num(c)), ())})
            e = trans(regroup, kernel.axiom("power-power", {"x": base, "m": a, "n": num(c)}, (apart,)))
            return e.conclusion.args[1], e
        return t, None

    def _ln(self, t: Term, ctx: Context) -> Converted:
        if "logarithm" not in self.on:
            return t, None
        p, facts = self.polynomial(t.args[0], ctx)
        if not p:
            return t, None
        c, m, rest = parts(p)
        factors: list[tuple[Term, int]] = [(num(q), k) for q, k in _primes(c)] if c > 0 else [(num(c), 1)]
        factors += m
        if rest.keys() != {()}:
            factors.append((write(rest), 1))
        if len(factors) == 1 and factors[0][1] == 1:
            if factors[0][0].op == "exp":
                e = kernel.axiom("ln-exp", {"x": factors[0][0].args[0]}, ())
                return e.conclusion.args[1], e
            return t, None
        if not factors:
            zero = kernel.congruence(t, {0: sym(kernel.axiom("exp-zero", {}, ()))})
            e = trans(zero, kernel.axiom("ln-exp", {"x": ZERO}, ()))
            return ZERO, e
        if any(ctx.positive(a) is None for a, _ in factors):
            return t, None
        terms = [a if k == 1 else power(a, num(k)) for a, k in factors]
        nested = _nested(mul, terms)
        first = None if nested == t.args[0] else kernel.congruence(t, {0: kernel.ring(t.args[0], nested, facts)})

        def one(x: Term, place: int) -> Theorem | None:
            a, k = factors[place]
            done: Theorem | None = None
            if k != 1:
                done = kernel.axiom("ln-power", {"x": a, "n": num(k)}, (ctx.positive(a),))  # type: ignore[arg-type]
            if a.op == "exp":
                e = kernel.axiom("ln-exp", {"x": a.args[0]}, ())
                if done is not None:
                    e = kernel.congruence(done.conclusion.args[1], {1: e})
                done = chain(done, e)
            return done

        return _then(first, _converted(ln(nested), _apart(nested, len(terms), "ln-product", ctx.positive, one)))

    def _sqrt(self, t: Term, ctx: Context) -> Converted:
        if "root" not in self.on:
            return t, None
        p, facts = self.polynomial(t.args[0], ctx)
        if not p:
            return t, None
        c, m, rest = parts(p)
        if c < 0:
            return t, None
        # c = (s/q)^2 * r with r square free; a^k = (a^(k//2))^2 * a^(k%2)
        whole = c.numerator * c.denominator
        outer, inner = Fraction(1, c.denominator), []
        for prime, k in _primes(Fraction(whole)):
            outer *= Fraction(prime) ** (k // 2)
            if k % 2:
                inner.append(num(prime))
        squares = [(a, k // 2) for a, k in m if k // 2]
        inner += [a for a, k in m if k % 2]
        if rest.keys() != {()}:
            inner.append(write(rest))
        if outer == 1 and not squares and len(inner) == 1:
            return t, None
        if any(ctx.nonnegative(a) is None for a in inner):
            return t, None
        root = write_monomial(monomial(squares), outer)
        sign = ctx.nonnegative(root)
        if sign is None:
            return t, None
        terms = ([mul(root, root)] if root != ONE else []) + inner
        if not terms:
            terms = [mul(ONE, ONE)]
            root = ONE
        nested = _nested(mul, terms)
        first = None if nested == t.args[0] else kernel.congruence(t, {0: kernel.ring(t.args[0], nested, facts)})
        square = mul(root, root)

        def one(x: Term, place: int) -> Theorem | None:
            return kernel.axiom("root-of-square", {"x": root}, (sign,)) if x == square else None

        try:
            return _then(
                first, _converted(sqrt(nested), _apart(nested, len(terms), "root-product", ctx.nonnegative, one))
            )
        except KernelError:
            return t, None

    def _max(self, t: Term, ctx: Context) -> Converted:
        if "maximum" not in self.on:
            return t, None
        a, b = t.args
        less = ctx.proposition(relation("le", a, b))
        if less is not None:
            return b, kernel.axiom("max-right", {"x": a, "y": b}, (less,))
        more = ctx.proposition(relation("le", b, a))
        if more is not None:
            return a, kernel.axiom("max-left", {"x": a, "y": b}, (more,))
        if order(a) > order(b):  # max(a, b) = max(b, a), by cases
            p = relation("le", a, b)
            flipped = rebuild(t, (b, a))
            sides = []
            for q, one, other in ((p, "max-right", "max-left"), (relation("le", b, a), "max-left", "max-right")):
                known = kernel.assume(q)
                if q is not p:
                    known = kernel.linear(q, (kernel.assume(relation("lt", b, a)),), (1,))
                e = kernel.axiom(one, {"x": a, "y": b}, (known,))
                f = kernel.axiom(other, {"x": b, "y": a}, (known,))
                sides.append(trans(e, sym(f)))
            return flipped, kernel.cases(p, sides[0], sides[1])
        if a.sort == "integer" and b.sort == "integer":
            self.wanted.setdefault(relation("le", a, b))
        return t, None

    # --- conditions and hypotheses ---

    def _if(self, t: Term, ctx: Context) -> Converted:
        c, a, b = t.args
        if "condition" in self.on:
            decided = ctx.decide(c)
            if decided is not None:
                e = kernel.choose(t, decided)
                return _then(e, self._inner(e.conclusion.args[1], ctx))
        then, other = ctx.under(c), ctx.under(negation(c))
        new = self._normal(a, then), self._normal(b, other)
        first: Theorem | None = None
        if new[0][1] is not None or new[1][1] is not None:
            first = kernel.branch(t, new[0][1] or refl(a), new[1][1] or refl(b))
            t = first.conclusion.args[1]
        if t.args[1] == t.args[2] and "condition" in self.on:
            sides = [kernel.choose(t, kernel.assume(p)) for p in (c, negation(c))]
            return t.args[1], chain(first, kernel.cases(c, sides[0], sides[1]))
        self.wanted.setdefault(c)
        return t, first

    def _hypothesis(self, t: Term, ctx: Context) -> Converted:
        if "hypothesis" not in self.on:
            return t, None
        for rule in self._rules_of(ctx):
            e = _apply(rule, t, ctx)
            if e is not None:
                return _then(e, self._normal(e.conclusion.args[1], ctx))
        return t, None

    def _rules_of(self, ctx: Context) -> list[_Rule]:
        rules = self._rules.get(id(ctx))
        if rules is None:
            self._kept.append(ctx)
            found = [r for f in ctx.facts for r in _oriented(f, as_written=True)]
            if not {r.left.args[:1] for r in found}.isdisjoint(r.right.args[:1] for r in found):
                found = [
                    r for f in ctx.facts for r in _oriented(f)
                ]  # rules that could undo each other: one order for all
            self._rules[id(ctx)] = rules = found
        return rules

    # --- finite sums ---

    def _sum(self, t: Term, ctx: Context, cuts: Sequence[Term]) -> Converted:
        t, first = self._bounds(t, ctx)
        lo, hi, _ = t.args
        v = ctx.fresh()
        body = instantiate(t.args[2], (v,))
        none = ctx.inequality(relation("lt", hi, lo)) if "empty sum" in self.on else None
        if none is not None:
            e = kernel.axiom("sum-empty", {"a": lo, "b": hi, "f": comprehension((v,), body)}, (none,))
            return ZERO, chain(first, e)
        if lo == hi and "single term" in self.on:
            e = kernel.axiom("sum-one", {"a": lo, "f": comprehension((v,), body)}, ())
            return _then(chain(first, e), self._inner(e.conclusion.args[1], ctx))
        inside = ctx.within(v, lo, hi)
        cut = self._cut(lo, hi, body, v, ctx, inside, cuts)
        if cut is not None:
            m, low, high, rest = cut
            e = kernel.axiom("sum-split", {"a": lo, "b": hi, "m": m, "f": comprehension((v,), body)}, (low, high))
            both = e.conclusion.args[1]
            equal = {}
            for k in (0, 1):
                _, s = self._sum(both.args[k], ctx, rest)
                if s is not None:
                    equal[k] = s
            second = kernel.congruence(both, equal) if equal else None
            return _then(chain(first, e), _converted(both, second))
        new, e2 = self._inner(body, inside)
        p, facts = self.polynomial(new, inside)
        _, tidy, e3 = self._reduce_roots(p, write(p), inside)
        if e3 is not None:
            e2 = chain(e2, None if write(p) == new else kernel.ring(new, write(p), facts), e3)
            new, (p, facts) = tidy, self.polynomial(tidy, inside)
        if v not in free_variables(new) and "constant sum" in self.on:
            fine = ctx.inequality(relation("le", lo, add(hi, ONE)))
            if fine is not None:
                whole = None if e2 is None else kernel.under(t, e2, (v,))
                constant_ = kernel.axiom("sum-constant", {"a": lo, "b": hi, "x": new}, (fine,))
                return _converted(t, chain(first, whole, constant_))
        if not p:
            p = {(): Fraction(0)}
        pieces = [self._pulled(m, c, v) for m, c in ordered(p)]
        if len(pieces) > 1 and "sum of a sum" not in self.on:
            pieces = [(None, write(p))]
        terms = [r if c is None else mul(c, r) for c, r in pieces]
        nested = _nested(add, terms)
        if nested != new:
            e2 = chain(e2, kernel.ring(new, nested, facts))
        whole = None if e2 is None else kernel.under(t, e2, (v,))
        return _converted(t, chain(first, whole, self._spread(nested, pieces, v, lo, hi, ctx)))

    def _pulled(self, m: Monomial, c: Fraction, v: Term) -> tuple[Term | None, Term]:
        """A monomial as (constant factor or None, what depends on the index)."""
        if not c:
            return ZERO, ONE
        stays = [(a, e) for a, e in m if v in free_variables(a)]
        leaves = [(a, e) for a, e in m if v not in free_variables(a)]
        if "constant factor" not in self.on:
            return None, write_monomial(m, c)
        if not leaves and c == 1:
            return None, write_monomial(tuple(stays))
        return write_monomial(tuple(leaves), c), write_monomial(tuple(stays))

    def _spread(
        self, nested: Term, pieces: list[tuple[Term | None, Term]], v: Term, lo: Term, hi: Term, ctx: Context
    ) -> Theorem | None:
        """``sum(c1*r1 + (c2*r2 + ...)) = c1*sum(r1) + (...)``, each remaining sum in its normal form."""
        where = {"a": lo, "b": hi}
        if len(pieces) > 1:
            x, y = nested.args
            e = kernel.axiom("sum-add", {**where, "f": comprehension((v,), x), "g": comprehension((v,), y)}, ())
            equal = {}
            for k, s in (
                (0, self._spread(x, pieces[:1], v, lo, hi, ctx)),
                (1, self._spread(y, pieces[1:], v, lo, hi, ctx)),
            ):
                if s is not None:
                    equal[k] = s
            return trans(e, kernel.congruence(e.conclusion.args[1], equal)) if equal else e
        c, r = pieces[0]
        done: Theorem | None = None
        if c is not None:
            done = kernel.axiom("sum-factor", {**where, "x": c, "f": comprehension((v,), r)}, ())
        rest = self._residual(r, v, lo, hi, ctx)
        if rest is not None and done is not None:
            rest = kernel.congruence(done.conclusion.args[1], {1: rest})
        return chain(done, rest)

    def _residual(self, r: Term, v: Term, lo: Term, hi: Term, ctx: Context) -> Theorem | None:
        here = total(v, lo, hi, r)
        if v not in free_variables(r) and "constant sum" in self.on:
            fine = ctx.inequality(relation("le", lo, add(hi, ONE)))
            if fine is not None:
                return kernel.axiom("sum-constant", {"a": lo, "b": hi, "x": r}, (fine,))
        if lo != ONE and "shift the index" in self.on:
            k = sub(ONE, lo)
            e = kernel.axiom("sum-shift", {"a": lo, "b": hi, "k": k, "f": comprehension((v,), r)}, ())
            shifted = e.conclusion.args[1]
            equal = {}
            for n in (0, 1):
                p = write(read(shifted.args[n]))
                if p != shifted.args[n]:
                    equal[n] = kernel.ring(shifted.args[n], p, ())
            if equal:
                e = trans(e, kernel.congruence(shifted, equal))
            new = e.conclusion.args[1]
            _, again = self._sum(new, ctx, ())
            return chain(e, again)
        if "swap sums" not in self.on:
            return None
        return self._flattened(here, r, v, lo, hi, ctx)

    def _flattened(self, here: Term, r: Term, v: Term, lo: Term, hi: Term, ctx: Context) -> Theorem | None:
        """A sum of (factors times an inner sum) as one double sum, its two indices in a fixed order."""
        inside = ctx.within(v, lo, hi)
        p, facts = self.polynomial(r, inside)
        ((m, _),) = p.items() if len(p) == 1 else [((), 0)]
        inner = [a for a, e in m if a.op == "sum" and e == 1]
        if len(inner) != 1 or any(a.op == "sum" and e != 1 for a, e in m):
            return None
        s = inner[0]
        w = write_monomial(tuple((a, e) for a, e in m if a is not s))
        lo2, hi2, _ = s.args
        j = inside.fresh()
        deep = inside.within(j, lo2, hi2)
        body = instantiate(s.args[2], (j,))
        e: Theorem | None = None
        new = r
        if w != ONE:
            e = kernel.ring(r, mul(w, s), facts) if r != mul(w, s) else None
            e = chain(
                e, sym(kernel.axiom("sum-factor", {"a": lo2, "b": hi2, "x": w, "f": comprehension((j,), body)}, ()))
            )
            into = e.conclusion.args[1]  # type: ignore[union-attr]
            flat = mul(w, body)
            q, more = self.polynomial(flat, deep)
            tidy = write(q)
            if tidy != flat:
                e = chain(e, kernel.under(into, kernel.ring(flat, tidy, more), (j,)))
            new = e.conclusion.args[1]  # type: ignore[union-attr]
            deeper = self._flattened(new, instantiate(new.args[2], (j,)), j, lo2, hi2, inside)
            if deeper is not None:
                e = chain(e, deeper)
                new = deeper.conclusion.args[1]
        done = None if e is None else kernel.under(here, e, (v,))
        if new.op != "sum" or v in free_variables(new.args[0]) or v in free_variables(new.args[1]):
            return done
        lo2, hi2, _ = new.args
        body = instantiate(new.args[2], (j,))
        double = total(v, lo, hi, new)
        # the other order, with the names that the indices have there
        one, two = ctx.fresh(), ctx.within(ctx.fresh(), lo2, hi2).fresh()
        exchanged = _exchange(body, v, j)
        place = ctx.within(one, lo2, hi2).within(two, lo, hi)
        q, more = self.polynomial(exchanged, place)
        other = total(one, lo2, hi2, total(two, lo, hi, write(q)))
        if (text(other), 1) >= (text(double), 0):
            return done
        swap = kernel.axiom("sum-swap", {"a": lo, "b": hi, "c": lo2, "d": hi2, "h": comprehension((v, j), body)}, ())
        swapped = swap.conclusion.args[1]
        if swapped != other:
            mid = instantiate(swapped.args[2], (one,))
            step = kernel.under(mid, kernel.ring(instantiate(mid.args[2], (two,)), write(q), more), (two,))
            swap = trans(swap, kernel.under(swapped, step, (one,)))
        return chain(done, swap)

    def _cut(
        self, lo: Term, hi: Term, body: Term, v: Term, ctx: Context, inside: Context, cuts: Sequence[Term]
    ) -> tuple[Term, Theorem, Theorem, Sequence[Term]] | None:
        """Where to split a sum: at a condition of a mask on its index, or at a given cut point."""
        candidates: list[tuple[Term, bool]] = []
        if "condition" in self.on:
            for c in conditions(body, v):
                if inside.decide(c) is None:
                    candidates += [(m, True) for m in cut_points(c, v)]
        if "split a sum" in self.on:
            candidates += [(m, False) for m in cuts]
        for m, mask in candidates:
            m = write(read(m))
            if m.sort != "integer" or m == hi or write(read(add(m, ONE))) == lo:
                continue
            low = ctx.inequality(relation("le", lo, add(m, ONE)))
            high = ctx.inequality(relation("le", m, hi))
            if low is None or high is None:
                if mask:
                    self.wanted.setdefault(relation("le", lo, add(m, ONE)) if low is None else relation("le", m, hi))
                continue
            return m, low, high, [x for x in cuts if write(read(x)) != m]
        return None


def parts(p: Polynomial) -> tuple[Fraction, Monomial, Polynomial]:
    """``p = c * m * rest`` with the largest monomial m that divides all, and a rest whose first coefficient is 1."""
    c = leading(p)[1]
    common = dict(next(iter(p)))
    for m in p:
        here = dict(m)
        common = {a: min(common.get(a, 0), here.get(a, 0)) for a in common.keys() | here.keys()}
    factor = monomial(common.items())
    back = tuple((a, -e) for a, e in factor)
    rest = {product(m, back): x / c for m, x in p.items()}
    return c, factor, rest


def _nested(join: Callable[..., Term], terms: Sequence[Term]) -> Term:
    """``a + (b + (c + ...))``, two at a time."""
    nested = terms[-1]
    for x in reversed(terms[:-1]):
        nested = join(x, nested)
    return nested


def _apart(
    x: Term,
    count: int,
    row: str,
    sign: Callable[[Term], Theorem | None],
    one: Callable[[Term, int], Theorem | None],
    place: int = 0,
) -> Theorem | None:
    """A function of ``a * (b * ...)`` taken apart by the row of its products; `one` says more of each factor."""
    if place == count - 1:
        return one(x, place)
    signs = [sign(a) for a in x.args]
    if signs[0] is None or signs[1] is None:
        raise KernelError("a sign is missing")
    e = kernel.axiom(row, {"x": x.args[0], "y": x.args[1]}, (signs[0], signs[1]))
    both = one(x.args[0], place), _apart(x.args[1], count, row, sign, one, place + 1)
    equal = {k: s for k, s in enumerate(both) if s is not None}
    return trans(e, kernel.congruence(e.conclusion.args[1], equal)) if equal else e


def _powers(p: Polynomial, n: int) -> Polynomial:
    r = constant(1)
    for _ in range(n):
        r = times(r, p)
    return r


def _then(e: Theorem | None, rest: Converted, start: Term | None = None) -> Converted:
    new, f = rest
    return new, chain(e, f)


def _converted(t: Term, e: Theorem | None) -> Converted:
    return (t, None) if e is None else (e.conclusion.args[1], e)


def _primes(q: Fraction) -> list[tuple[Fraction, int]]:
    """Small prime factors with their exponents; what is left of numerator and denominator counts as prime."""
    found: dict[int, int] = {}
    for n, sign in ((abs(q.numerator), 1), (q.denominator, -1)):
        d = 2
        while d * d <= n and d < 2_000:
            while n % d == 0:
                found[d] = found.get(d, 0) + sign
                n //= d
            d += 1
        if n > 1:
            found[n] = found.get(n, 0) + sign
    return [(Fraction(d), k) for d, k in sorted(found.items()) if k]


def _exchange(t: Term, a: Term, b: Term) -> Term:
    return instantiate(abstract(t, (a, b)), (b, a))


def _oriented(fact: Theorem, as_written: bool = False) -> list[_Rule]:
    """A fact ``a = b`` (for all ...) as a rewrite rule for an atom, from the later to the earlier in order."""
    p = fact.conclusion
    variables: list[Term] = []
    ranges: list[tuple[Term, Term]] = []
    while p.op == "forall":
        v = var(f"?{len(variables)}", "integer")
        ranges.append((p.args[0], p.args[1]))
        variables.append(v)
        p = instantiate(p.args[2], (v,))
    if p.op != "eq" or p.args[0].rank:
        return []
    a, b = p.args
    choices = []
    for left, right, flipped in ((a, b, False), (b, a, True)):
        atomic = left.op in ("var", "entry", "exp", "ln", "sqrt", "sum") and left not in variables
        if left.op == "var" and left.sort == "integer" and right.sort != "integer":
            continue
        if not atomic or _contains(right, left):
            continue
        bound_here = {x for x in left.args if x in variables} if left.op == "entry" else set()
        if set(variables) - bound_here:
            continue
        choices.append(_Rule(fact, left, right, flipped, tuple(variables), tuple(ranges)))
    if as_written and variables and len(choices) == 2 and all(r.left.op == "entry" for r in choices):
        return choices[:1]
    rank = {"var": 0, "entry": 1}
    choices.sort(key=lambda r: (-rank.get(r.left.op, 2) if r.right.op == r.left.op else 0, order(r.right), r.flipped))
    return choices[:1]


def _contains(t: Term, x: Term) -> bool:
    return t == x or any(_contains(a, x) for a in t.args)


def _apply(rule: _Rule, t: Term, ctx: Context) -> Theorem | None:
    """``t = right`` if the rule's left side matches `t` and its ranges are shown."""
    left = rule.left
    if not rule.variables:
        if t != left:
            return None
        return sym(rule.fact) if rule.flipped else rule.fact
    if t.op != "entry" or t.args[0] != left.args[0]:
        return None
    values: dict[Term, Term] = {}
    differ: dict[int, Term] = {}
    for k, (x, y) in enumerate(zip(left.args[1:], t.args[1:], strict=True), 1):
        if x in rule.variables and x not in values:
            values[x] = y
        elif (values.get(x, x)) != y:
            differ[k] = y
    e = rule.fact
    for v in rule.variables:
        p = e.conclusion
        low = ctx.inequality(relation("le", p.args[0], values[v]))
        high = ctx.inequality(relation("le", values[v], p.args[1])) if low is not None else None
        if low is None or high is None:
            return None
        e = kernel.at(e, values[v], low, high)
    if rule.flipped:
        e = sym(e)
    start = e.conclusion.args[0]
    if start != t:
        try:
            equal = {
                k: kernel.ring(t.args[k], start.args[k], ())
                for k in range(1, len(t.args))
                if t.args[k] != start.args[k]
            }
            e = trans(kernel.congruence(t, equal), e)
        except (KernelError, TermError):
            return None
    return e
