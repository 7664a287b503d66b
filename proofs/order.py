"""The search for inequalities: monotone functions, sums term by term, parts of sums, and linear arithmetic on top.

Two sides are compared as they are written where they are built alike (quotients, products, powers, exponentials,
sums over one range); what remains is linear arithmetic over atoms, to which facts about these atoms are handed:
their signs, instances of hypotheses, which of two sums or exponentials is larger, and members of sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations

from proofs import kernel
from proofs.context import ONE, ZERO, Context, sym
from proofs.instances import entries, instances, places
from proofs.kernel import KernelError, Theorem
from proofs.normalise import Normaliser
from proofs.polynomials import TooLarge, read
from proofs.terms import (
    Term,
    TermError,
    add,
    comprehension,
    div,
    exp,
    instantiate,
    mul,
    negation,
    num,
    relation,
    sub,
    total,
)  # fmt: skip

ORDER = "order"
PART = "part of a sum"
MAX_DEPTH = 8
MAX_PLACES = 6
MAX_POWER = 8


class Order:
    """One search, with some reasons switched on: `ORDER` compares functions and sums, `PART` takes parts of sums."""

    def __init__(self, normaliser: Normaliser) -> None:
        self.n = normaliser
        self.on = normaliser.on
        self._known: dict[tuple[int, Term], Theorem | None] = {}
        self._kept: list[Context] = []

    def prove(self, goal: Term, ctx: Context, depth: int = MAX_DEPTH) -> Theorem | None:
        """A theorem for ``a <= b`` or ``a < b``, or None."""
        if not depth:
            return None
        key = (id(ctx), goal)
        if key not in self._known:
            self._known[key] = None  # what is being looked for is not to be used
            self._kept.append(ctx)
            with suppress(KernelError, TermError, TooLarge):
                self._known[key] = self._search(goal, ctx, depth)
        return self._known[key]

    def _search(self, goal: Term, ctx: Context, depth: int) -> Theorem | None:
        a, b = goal.args
        if a == b:
            return kernel.linear(goal, (), ()) if goal.op == "le" else None
        found = ctx.proposition(goal)
        if found is None and ORDER in self.on:
            found = self._alike(goal, ctx, depth)
        if found is None:
            found = ctx.inequality(goal, list(self._facts((a, b), ctx, depth)))
        if found is None:
            found = self._in_normal_form(goal, ctx, depth)
        if found is None and ORDER in self.on:
            found = self._cleared(goal, ctx, depth)
        return found

    def _in_normal_form(self, goal: Term, ctx: Context, depth: int) -> Theorem | None:
        a, e = self.n.normal(goal.args[0], ctx)
        b, f = self.n.normal(goal.args[1], ctx)
        if e is None and f is None:
            return None
        new = relation(goal.op, a, b)
        found = ctx.proposition(new) or ctx.inequality(new, list(self._facts((a, b), ctx, depth)))
        if found is None:
            return None
        return kernel.relate(found, {k: sym(x) for k, x in ((0, e), (1, f)) if x is not None})

    # --- two sides built alike ---

    def _alike(self, goal: Term, ctx: Context, depth: int) -> Theorem | None:
        a, b = goal.args
        if a.op != b.op or len(a.args) != len(b.args):
            return None
        if a.op in ("exp", "ln", "sqrt"):
            return self._function(goal, ctx, depth)
        if a.op == "neg":
            less = self.prove(relation(goal.op, b.args[0], a.args[0]), ctx, depth - 1)
            return None if less is None else kernel.linear(goal, (less,), (1,))
        if a.op == "sum":
            return self._sums(goal, ctx, depth)
        if a.op == "div":
            return self._quotients(goal, ctx, depth)
        if a.op == "mul":
            return self._factors(goal, a.args, b.args, ctx, depth)
        if a.op == "pow" and a.args[1] == b.args[1] and a.args[1].op == "num":
            n = int(a.args[1].data)  # type: ignore[arg-type]
            if 1 < n <= MAX_POWER:
                return self._factors(goal, a.args[:1] * n, b.args[:1] * n, ctx, depth)
        if a.op == "maxof" and a.args[:2] == b.args[:2]:
            return self._largest(goal, ctx, depth)
        return None

    def _function(self, goal: Term, ctx: Context, depth: int) -> Theorem | None:
        """An increasing function of one number; ``<=`` from ``<`` and ``=``, case by case."""
        f, x, y = goal.args[0].op, goal.args[0].args[0], goal.args[1].args[0]
        inner = self.prove(relation(goal.op, x, y), ctx, depth - 1)
        if inner is None:
            return None
        start = None
        if f != "exp":
            start = ctx.positive(x) if f == "ln" else ctx.nonnegative(x)
            if start is None:
                return None
        row = {"exp": "exp-increasing", "ln": "ln-increasing", "sqrt": "root-increasing"}[f]

        def above(less: Theorem) -> Theorem:
            return kernel.axiom(row, {"x": x, "y": y}, (less,) if start is None else (start, less))

        if goal.op == "lt":
            return above(inner)
        less = relation("lt", x, y)
        strict = kernel.linear(goal, (above(kernel.assume(less)),), (1,))
        same = kernel.axiom("antisymmetry", {"x": x, "y": y}, (inner, kernel.assume(relation("le", y, x))))
        equal = kernel.congruence(goal.args[0], {0: same})
        return kernel.cases(less, strict, kernel.linear(goal, (equal,), (1,)))

    def _sums(self, goal: Term, ctx: Context, depth: int) -> Theorem | None:
        """Sums over one range, term by term; ``<`` where the range is not empty."""
        a, b = goal.args
        lo, hi = a.args[:2]
        if b.args[:2] != (lo, hi):
            return None
        v = ctx.fresh()
        f, g = instantiate(a.args[2], (v,)), instantiate(b.args[2], (v,))
        each = self.prove(relation(goal.op, f, g), ctx.within(v, lo, hi), depth - 1)
        if each is None:
            return None
        if goal.op == "le":
            every = kernel.generalise(each, v, lo, hi)
            values = {"a": lo, "b": hi, "f": comprehension((v,), f), "g": comprehension((v,), g)}
            return kernel.axiom("sum-monotone", values, (every,))
        some = ctx.inequality(relation("le", lo, hi))
        if some is None:
            return None
        gap = kernel.linear(relation("lt", ZERO, sub(g, f)), (each,), (1,))
        whole = kernel.axiom(
            "sum-positive",
            {"a": lo, "b": hi, "f": comprehension((v,), sub(g, f))},
            (some, kernel.generalise(gap, v, lo, hi)),
        )
        return self._difference(goal, whole, v, f, g)

    def _difference(self, goal: Term, whole: Theorem, v: Term, f: Term, g: Term) -> Theorem:
        """``sum(f) < sum(g)`` from ``0 < sum(g - f)``."""
        lo, hi = goal.args[0].args[:2]
        range_ = {"a": lo, "b": hi}
        flat = kernel.under(whole.conclusion.args[1], kernel.ring(sub(g, f), add(g, mul(num(-1), f)), ()), (v,))
        minus = comprehension((v,), mul(num(-1), f))
        parts = kernel.axiom("sum-add", {**range_, "f": comprehension((v,), g), "g": minus}, ())
        factor = kernel.axiom("sum-factor", {**range_, "x": num(-1), "f": comprehension((v,), f)}, ())
        return kernel.linear(goal, (whole, flat, parts, factor), (1, 1, 1, 1))

    def _quotients(self, goal: Term, ctx: Context, depth: int) -> Theorem | None:
        """``a/c <= b/d``: a larger numerator, a smaller denominator, and what else must be known of signs."""
        (a, c), (b, d) = goal.args[0].args, goal.args[1].args
        if c == d:
            up = self._scaled(goal.op, a, b, div(ONE, c), ctx, depth)
            return None if up is None else kernel.linear(goal, (up,), (1,))
        shrink = self.prove(relation("lt" if goal.op == "lt" and a == b else "le", d, c), ctx, depth - 1)
        least = None if shrink is None else ctx.positive(d)
        if shrink is None or least is None:
            return None
        inverse = self._reciprocals(shrink, least)
        for x, other in ((a, d), (b, c)):
            sign = ctx.positive(x) or ctx.nonnegative(x)
            if sign is None:
                continue
            first = self._times(inverse, x, sign)
            second = self._scaled(goal.op, a, b, div(ONE, other), ctx, depth) if a != b else None
            both = [t for t in (first, second) if t is not None]
            if len(both) < 1 + (a != b):
                continue
            try:
                return kernel.linear(goal, both, [1] * len(both))
            except KernelError:
                continue
        return None

    def _reciprocals(self, shrink: Theorem, least: Theorem) -> Theorem:
        """``1/c <= 1/d`` (or ``<``) from ``d <= c`` and ``0 < d``."""
        d, c = shrink.conclusion.args
        op = shrink.conclusion.op
        positive = kernel.linear(relation("lt", ZERO, c), (least, shrink), (1, 1))
        one, other = (kernel.axiom("reciprocal-positive", {"x": x}, (p,)) for x, p in ((c, positive), (d, least)))
        r = kernel.axiom("product-positive", {"x": div(ONE, c), "y": div(ONE, d)}, (one, other))
        scaled = self._times(shrink, r.conclusion.args[1], r)
        nonzero = [kernel.axiom("greater-not-equal", {"x": ZERO, "y": x}, (p,)) for x, p in ((c, positive), (d, least))]
        left = kernel.ring(scaled.conclusion.args[0], div(ONE, c), nonzero)
        right = kernel.ring(scaled.conclusion.args[1], div(ONE, d), nonzero)
        found = kernel.relate(scaled, {0: left, 1: right})
        return kernel.linear(relation(op, *found.conclusion.args), (found,), (1,))

    def _scaled(self, op: str, a: Term, b: Term, r: Term, ctx: Context, depth: int) -> Theorem | None:
        """``a r <= b r`` where r is positive, or not negative."""
        sign = ctx.positive(r) or (ctx.nonnegative(r) if op == "le" else None)
        less = None if sign is None else self.prove(relation(op, a, b), ctx, depth - 1)
        return None if sign is None or less is None else self._times(less, r, sign)

    @staticmethod
    def _times(less: Theorem, r: Term, sign: Theorem) -> Theorem:
        """``a r <= b r`` from ``a <= b`` and the sign of r; ``<`` from ``<`` and ``0 < r``."""
        a, b = less.conclusion.args
        op = "lt" if less.conclusion.op == sign.conclusion.op == "lt" else "le"
        gap = kernel.linear(relation(op, ZERO, sub(b, a)), (less,), (1,))
        if op == "le" and sign.conclusion.op == "lt":
            sign = kernel.linear(relation("le", ZERO, r), (sign,), (1,))
        row = "product-positive" if op == "lt" else "product-nonnegative"
        product = kernel.axiom(row, {"x": sub(b, a), "y": r}, (gap, sign))
        return kernel.linear(relation(op, mul(a, r), mul(b, r)), (product,), (1,))

    def _factors(
        self, goal: Term, left: tuple[Term, ...], right: tuple[Term, ...], ctx: Context, depth: int
    ) -> Theorem | None:
        """``a b <= a' b'`` factor by factor, from left to right; what stays must not be negative."""
        steps: list[Theorem] = []
        for k, (a, b) in enumerate(zip(left, right, strict=True)):
            if a == b:
                continue
            rest = [*right[:k], *left[k + 1 :]]
            step = None
            for op in ("lt", "le") if goal.op == "lt" else ("le",):
                step = self._scaled(op, a, b, mul(*rest) if len(rest) > 1 else rest[0], ctx, depth)
                if step is not None:
                    break
            if step is None:
                return None
            steps.append(step)
        return kernel.linear(goal, steps, [1] * len(steps))

    def _largest(self, goal: Term, ctx: Context, depth: int) -> Theorem | None:
        """Maxima over one range, entry by entry."""
        a, b = goal.args
        lo, hi = a.args[:2]
        some = ctx.inequality(relation("le", lo, hi))
        if some is None or goal.op != "le":
            return None
        v = ctx.fresh()
        inside = ctx.within(v, lo, hi)
        f, g = instantiate(a.args[2], (v,)), instantiate(b.args[2], (v,))
        below = self.prove(relation("le", f, g), inside, depth - 1)
        if below is None:
            return None
        low, high = (kernel.assume(p) for p in (relation("le", lo, v), relation("le", v, hi)))
        member = kernel.axiom("max-member", {"a": lo, "b": hi, "k": v, "f": comprehension((v,), g)}, (low, high))
        each = kernel.linear(relation("le", f, b), (below, member), (1, 1))
        every = kernel.generalise(each, v, lo, hi)
        return kernel.axiom("max-least", {"a": lo, "b": hi, "x": b, "f": comprehension((v,), f)}, (some, every))

    # --- denominators ---

    def _cleared(self, goal: Term, ctx: Context, depth: int) -> Theorem | None:
        """A quotient on one side only: multiply by its positive denominator."""
        a, b = goal.args
        for side, other in ((a, b), (b, a)):
            if side.op != "div" or (other.op == "div" and side is b):
                continue
            x, c = side.args
            sign = ctx.positive(c)
            if sign is None:
                continue
            wanted = relation(goal.op, x, mul(other, c)) if side is a else relation(goal.op, mul(other, c), x)
            less = self.prove(wanted, ctx, depth - 1)
            if less is None:
                continue
            inverse = kernel.axiom("reciprocal-positive", {"x": c}, (sign,))
            scaled = self._times(less, div(ONE, c), inverse)
            nonzero = [kernel.axiom("greater-not-equal", {"x": ZERO, "y": c}, (sign,))]
            new = {k: kernel.ring(scaled.conclusion.args[k], goal.args[k], nonzero) for k in (0, 1)}
            return kernel.relate(scaled, new)
        return None

    # --- facts for linear arithmetic ---

    def _facts(self, sides: tuple[Term, Term], ctx: Context, depth: int) -> Iterator[Theorem]:
        known = entries(sides)
        for fact in ctx.facts:
            if fact.conclusion.op == "forall":
                for found in instances(fact, known, ctx):
                    yield from self._plain(found, ctx)
        atoms, pieces = _atoms(sides), _summands(sides)
        for t in dict.fromkeys((*pieces, *atoms)):
            sign = ctx.positive(t) or ctx.nonnegative(t)
            if sign is not None:
                yield sign
        if ORDER in self.on:
            yield from self._between(atoms, known, ctx, depth)
        if PART in self.on:
            told = [x for f in ctx.facts if f.conclusion.op in ("eq", "le", "lt") for x in f.conclusion.args]
            known = list(dict.fromkeys((*known, *entries(told))))
            for s in dict.fromkeys((*atoms, *_atoms(told))):
                if s.op == "sum":
                    yield from self._parts(s, known, atoms, ctx)

    def _plain(self, fact: Theorem, ctx: Context) -> Iterator[Theorem]:
        """A fact, and the same in normal form."""
        yield fact
        if fact.conclusion.op in ("le", "lt"):
            forms = {k: self.n.normal(fact.conclusion.args[k], ctx)[1] for k in (0, 1)}
            changed = {k: e for k, e in forms.items() if e is not None}
            if changed:
                yield kernel.relate(fact, changed)

    def _between(self, atoms: list[Term], known: list[Term], ctx: Context, depth: int) -> Iterator[Theorem]:
        """Which of two sums over one range is larger, which of two exponentials; what a maximum is at least."""
        for x in atoms:
            if x.op == "exp":
                yield kernel.axiom("exp-tangent", {"x": x.args[0]}, ())
                yield from self._around_one(x, ctx, depth)
            elif x.op == "max":
                yield from _maximum(x)
            elif x.op == "maxof":
                lo, hi = x.args[:2]
                v = ctx.fresh()
                body = instantiate(x.args[2], (v,))
                for k in places((body,), v, known)[:MAX_PLACES]:
                    low, high = ctx.inequality(relation("le", lo, k)), ctx.inequality(relation("le", k, hi))
                    if low is not None and high is not None:
                        values = {"a": lo, "b": hi, "k": k, "f": comprehension((v,), body)}
                        yield from self._plain(kernel.axiom("max-member", values, (low, high)), ctx)
            for y in atoms:
                if x.op == y.op and x.op in ("exp", "sum", "sqrt", "ln", "maxof") and x != y:
                    found = self.prove(relation("le", x, y), ctx, depth - 1) if self._could(x, y) else None
                    if found is not None:
                        yield found

    @staticmethod
    def _could(x: Term, y: Term) -> bool:
        return x.op not in ("sum", "maxof") or x.args[:2] == y.args[:2]

    def _around_one(self, x: Term, ctx: Context, depth: int) -> Iterator[Theorem]:
        """``exp(x) <= 1`` for x <= 0, and ``1 <= exp(x)`` for 0 <= x."""
        for op in ("lt", "le"):
            for low, high in ((x.args[0], ZERO), (ZERO, x.args[0])):
                inner = ctx.proposition(relation(op, low, high))
                if inner is None and depth > 1:
                    inner = self.prove(relation(op, low, high), ctx, min(depth - 1, 2))
                if inner is None:
                    continue
                found = self._function(relation(op, exp(low), exp(high)), ctx, depth)
                if found is not None:
                    one = kernel.axiom("exp-zero", {}, ())
                    yield kernel.relate(found, {1 if high == ZERO else 0: one})
                    return

    def _parts(self, s: Term, known: list[Term], atoms: list[Term], ctx: Context) -> Iterator[Theorem]:
        """Members of a sum of what is not negative, two at a time where they differ, and shorter sums in it."""
        lo, hi = s.args[:2]
        v = ctx.fresh()
        body = instantiate(s.args[2], (v,))
        each = ctx.within(v, lo, hi).nonnegative(body)
        if each is None:
            return
        f = comprehension((v,), body)
        every = kernel.generalise(each, v, lo, hi)
        inside = []
        for k in places((body,), v, known)[:MAX_PLACES]:
            low, high = ctx.inequality(relation("le", lo, k)), ctx.inequality(relation("le", k, hi))
            if low is not None and high is not None:
                inside.append(k)
                yield from self._plain(
                    kernel.axiom("sum-member", {"a": lo, "b": hi, "k": k, "f": f}, (every, low, high)), ctx
                )
        for k, m in combinations(inside, 2):
            both = self._two(s, f, k, m, ctx)
            if both is not None:
                yield from self._plain(both, ctx)
        for other in atoms:
            if other.op == "sum" and other != s and other.args[2] == s.args[2]:
                shorter = self._shorter(s, other, f, ctx)
                if shorter is not None:
                    yield shorter

    def _two(self, s: Term, f: Term, k: Term, m: Term, ctx: Context) -> Theorem | None:
        """``f[k] + f[m] <= sum(f)`` for k != m: one is in the sum up to the smaller place, the other behind it."""
        goal = relation("le", add(_at(f, k), _at(f, m)), s)
        for x, y in ((k, m), (m, k)):
            if ctx.inequality(relation("lt", x, y)) is not None:
                return self._ordered_pair(goal, s, f, x, y, ctx)
        if ctx.proposition(relation("ne", k, m)) is None:
            return None
        less = relation("lt", k, m)
        one = self._ordered_pair(goal, s, f, k, m, ctx.under(less))
        other = self._ordered_pair(goal, s, f, m, k, ctx.under(negation(less)))
        return None if one is None or other is None else kernel.cases(less, one, other)

    @staticmethod
    def _ordered_pair(goal: Term, s: Term, f: Term, k: Term, m: Term, ctx: Context) -> Theorem | None:
        """The same where k < m can be shown."""
        lo, hi = s.args[:2]
        next_ = add(k, ONE)
        before = ctx.proposition(relation("lt", k, m))
        if before is None:  # k <= m and k != m
            weak, apart = ctx.inequality(relation("le", k, m)), ctx.proposition(relation("ne", k, m))
            if weak is None or apart is None:
                return None
            before = kernel.axiom("not-equal-less", {"x": k, "y": m}, (weak, apart))
        bounds = [
            ctx.inequality(p, (before,))
            for p in (
                relation("le", lo, next_), relation("le", k, hi), relation("le", lo, k), relation("le", k, k),
                relation("le", next_, m), relation("le", m, hi),
            )
        ]  # fmt: skip
        shown = [b for b in bounds if b is not None]
        if len(shown) < len(bounds):
            return None
        split = kernel.axiom("sum-split", {"a": lo, "b": hi, "m": k, "f": f}, shown[:2])
        parts = []
        for (a, b), place, pair in (((lo, k), k, shown[2:4]), ((next_, hi), m, shown[4:])):
            v = ctx.fresh()
            each = ctx.within(v, a, b).nonnegative(_at(f, v))
            if each is None:
                return None
            every = kernel.generalise(each, v, a, b)
            parts.append(kernel.axiom("sum-member", {"a": a, "b": b, "k": place, "f": f}, (every, *pair)))
        return kernel.linear(goal, (*parts, split), (1, 1, -1))

    @staticmethod
    def _shorter(s: Term, part: Term, f: Term, ctx: Context) -> Theorem | None:
        """A sum over a part of the range is at most the whole, where what is left out is not negative."""
        (lo, hi), (a, b) = s.args[:2], part.args[:2]
        before, behind = sub(a, ONE), add(b, ONE)
        facts: list[Theorem] = []
        sums: list[Theorem] = []
        ends = [relation("le", lo, add(before, ONE)), relation("le", before, hi)]
        ends += [relation("le", add(before, ONE), behind), relation("le", b, hi)]
        for p in ends:
            found = ctx.inequality(p)
            if found is None:
                return None
            facts.append(found)
        first = kernel.axiom("sum-split", {"a": lo, "b": hi, "m": before, "f": f}, facts[:2])
        start = add(before, ONE)
        second = kernel.axiom("sum-split", {"a": start, "b": hi, "m": b, "f": f}, facts[2:])
        same = kernel.congruence(part, {0: kernel.ring(a, start, ())})
        for x, y in ((lo, before), (behind, hi)):
            v = ctx.fresh()
            rest = ctx.nonnegative(total(v, x, y, _at(f, v)))
            if rest is None:
                return None
            sums.append(rest)
        goal = relation("le", part, s)
        return kernel.linear(goal, (*sums, first, second, same), (1, 1, -1, -1, 1))


def _at(f: Term, k: Term) -> Term:
    """The entry of a comprehension at `k`, read off."""
    return instantiate(f.args[0], (k,))


def _maximum(x: Term) -> Iterator[Theorem]:
    """``a <= max(a, b)`` and ``b <= max(a, b)``."""
    a, b = x.args
    less = relation("le", a, b)
    strict = kernel.assume(relation("lt", b, a))
    weak = kernel.linear(relation("le", b, a), (strict,), (1,))
    right = kernel.axiom("max-right", {"x": a, "y": b}, (kernel.assume(less),))
    left = kernel.axiom("max-left", {"x": a, "y": b}, (weak,))
    for y in (a, b):
        goal = relation("le", y, x)
        holds = kernel.linear(goal, (right, kernel.assume(less)), (-1, 1 if y is a else 0))
        fails = kernel.linear(goal, (left, strict), (-1, 1 if y is b else 0))
        yield kernel.cases(less, holds, fails)


def _atoms(sides: Iterable[Term]) -> list[Term]:
    found: dict[Term, None] = {}
    for t in sides:
        if t.rank:
            continue
        for m in read(t):
            for a, _ in m:
                found.setdefault(a)
    return list(found)


def _summands(sides: Iterable[Term]) -> list[Term]:
    """What stands between the signs of each side, as it is written."""
    found: dict[Term, None] = {}
    stack = list(sides)
    while stack:
        t = stack.pop()
        if t.op in ("add", "neg"):
            stack.extend(t.args)
        elif t.op != "num":
            found.setdefault(t)
    return list(found)
