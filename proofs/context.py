"""What may be used at a place in a proof: hypotheses, ranges of bound indices, and what follows from them.

A context searches for side conditions (inequalities between integers, signs, things that are not zero) and
returns kernel theorems, or None where it found none. Under a binder a context is extended by the index's range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs import kernel
from proofs.instances import entries, instances
from proofs.kernel import KernelError, Theorem
from proofs.masks import conditions, edge
from proofs.polynomials import Monomial, Polynomial, TooLarge, plus, quotient, read, times, write, write_monomial
from proofs.statement import Statement
from proofs.syntax.environment import Environment
from proofs.terms import (
    Definition,
    Term,
    TermError,
    comprehension,
    div,
    free_variables,
    instantiate,
    ln,
    mul,
    neg,
    negation,
    num,
    power,
    relation,
    sub,
    var,
)  # fmt: skip

ZERO, ONE = num(0), num(1)
NO_NAMES = Environment()
MAX_CONSTRAINTS = 250
MAX_APART = 8


def refl(t: Term) -> Theorem:
    """``|- t = t``."""
    return kernel.congruence(t, {})


def trans(e: Theorem, f: Theorem) -> Theorem:
    """From ``a = b`` and ``b = c``, ``a = c``."""
    return kernel.relate(e, {1: f})


def sym(e: Theorem) -> Theorem:
    """From ``a = b``, ``b = a``."""
    return kernel.relate(refl(e.conclusion.args[0]), {0: e})


def definitions_in(t: Term) -> frozenset[str]:
    """The names of the definitions applied in `t` and in the bodies of these."""
    found: set[str] = set()
    stack = [t]
    while stack:
        x = stack.pop()
        if isinstance(x.data, Definition) and x.data.name not in found:
            found.add(x.data.name)
            stack.append(x.data.body)
        stack.extend(x.args)
    return frozenset(found)


@dataclass
class _Row:
    """A constraint ``polynomial >= 0`` (or > 0), and the multiples of facts that it is the sum of."""

    form: Polynomial
    strict: bool
    parts: dict[int, Fraction]


class Context:
    """Facts that hold at a place: theorems whose hypotheses are assumptions that may be used there."""

    def __init__(
        self,
        assumptions: Iterable[Term] = (),
        depth: int = 0,
        parent: Context | None = None,
        names: Environment = NO_NAMES,
    ) -> None:
        self.depth = depth
        self.parent = parent
        self.names: Environment = parent.names if parent else names
        self.assumptions: tuple[Term, ...] = (*(parent.assumptions if parent else ()), *assumptions)
        self.facts: list[Theorem] = list(parent.facts) if parent else []
        self._children: dict[tuple[Term, ...], Context] = {}
        self._ranges: dict[tuple[Term, Term, Term], Context] = {}
        self._known: dict[tuple[str, Term], Theorem | None] = {}
        self._busy: set[tuple[str, Term]] = set()
        self._by_conclusion: dict[Term, Theorem] = {}
        self._forms: list[tuple[int, _Row]] | None = None
        for p in assumptions:
            self.facts.append(kernel.assume(p))

    @classmethod
    def of(cls, statement: Statement) -> Context:
        """What a statement grants, and the dimensions that it declares."""
        signatures = {s.definition.name: s for s in statement.signatures}
        return cls(statement.assumptions(), names=Environment.of(statement.declarations, signatures))

    def fresh(self) -> Term:
        """The index that stands for what the next binder binds: named by depth, so that equal things stay equal."""
        return var(f"!{self.depth}", "integer")

    def under(self, *assumptions: Term) -> Context:
        """The context one binder further in (or in a branch of an 'if')."""
        child = self._children.get(assumptions)
        if child is None:
            child = self._children[assumptions] = Context(assumptions, self.depth + 1, self)
        return child

    def within(self, index: Term, lo: Term, hi: Term) -> Context:
        """The context for ``lo <= index <= hi``."""
        key = (index, lo, hi)
        if key not in self._ranges:
            self._ranges[key] = self.under(relation("le", lo, index), relation("le", index, hi))
        return self._ranges[key]

    # --- inequalities ---

    def _stated(self) -> dict[Term, Theorem]:
        """The facts by what they say."""
        if len(self._by_conclusion) != len(self.facts):
            self._by_conclusion = {f.conclusion: f for f in reversed(self.facts)}
            if len(self._by_conclusion) != len(self.facts):  # two facts say the same: keep one
                self.facts = list(dict.fromkeys(self._by_conclusion[f.conclusion] for f in self.facts))
                self._forms = None
        return self._by_conclusion

    def _rows(self) -> list[tuple[int, _Row]]:
        if self._forms is None:
            self._forms = []
            for k, fact in enumerate(self.facts):
                row = _form(fact.conclusion, k)
                if row is not None:
                    self._forms.append((k, row))
            self._sharpen(self._forms)
        return self._forms

    def _sharpen(self, forms: list[tuple[int, _Row]]) -> None:
        """Add ``a < b`` for integers where ``a != b`` is a fact and ``a <= b`` follows from the others."""
        apart = [
            f for f in self.facts if f.conclusion.op == "ne" and all(a.sort == "integer" for a in f.conclusion.args)
        ]
        for f in apart[:MAX_APART]:
            a, b = f.conclusion.args
            for x, y in ((a, b), (b, a)):
                weak = relation("le", x, y)
                target = _form(negation(weak), -1)
                try:
                    known = self._combined(weak, target, [r for _, r in forms], self.facts) if target else None
                    if known is None:
                        continue
                    other = f if x == a else _turned(f)
                    less = kernel.axiom("not-equal-less", {"x": x, "y": y}, (known, other))
                except (KernelError, TermError, TooLarge):
                    continue
                row = _form(less.conclusion, len(self.facts))
                if row is not None and less.conclusion not in self._by_conclusion:
                    forms.append((len(self.facts), row))
                    self.facts.append(less)
                    self._by_conclusion[less.conclusion] = less
                break

    def inequality(self, goal: Term, extra: Sequence[Theorem] = ()) -> Theorem | None:
        """``goal``, a ``<=`` or ``<`` (or an ``=`` between numbers), from the facts by linear arithmetic."""
        if goal.op == "eq":
            low = self.inequality(relation("le", *goal.args), extra)
            high = self.inequality(relation("le", goal.args[1], goal.args[0]), extra) if low else None
            if low is None or high is None:
                return None
            return kernel.axiom("antisymmetry", {"x": goal.args[0], "y": goal.args[1]}, (low, high))
        if goal.op not in ("le", "lt"):
            return None
        known = self._stated().get(goal)
        if known is not None:
            return known
        key = ("linear", goal)
        if not extra and key in self._known:
            return self._known[key]
        found = None if extra else self._outside(key, goal)
        if found is not None:
            return found
        try:
            found = self._linear(goal, extra)
        except (KernelError, TermError, TooLarge):
            found = None
        if not extra:
            self._known[key] = found
        return found

    def _linear(self, goal: Term, extra: Sequence[Theorem]) -> Theorem | None:
        extra = [*extra, *self._instances(goal)]
        rows = [r for _, r in self._rows()]  # which may bring facts of its own
        facts = [*self.facts, *extra]
        for k, e in enumerate(extra, len(self.facts)):
            row = _form(e.conclusion, k)
            if row is not None:
                rows.append(row)
        target = _form(negation(goal), -1)
        if target is None:
            return None
        for m in target.form:  # products of atoms have signs of their own
            if sum(e for _, e in m) > 1:
                sign = self.positive(write_monomial(m)) or self.nonnegative(write_monomial(m))
                row = None if sign is None else _form(sign.conclusion, len(facts))
                if sign is not None and row is not None:
                    facts.append(sign)
                    rows.append(row)
                for product in self._products(m):
                    row = _form(product.conclusion, len(facts))
                    if row is not None:
                        facts.append(product)
                        rows.append(row)
        return self._combined(goal, target, rows, facts)

    @staticmethod
    def _combined(goal: Term, target: _Row, rows: list[_Row], facts: Sequence[Theorem]) -> Theorem | None:
        """``goal`` as a sum of multiples of the facts, which together with its negation contradict each other."""
        rows = [target, *_relevant(target.form, rows)]
        parts = _contradiction(rows)
        if parts is None:
            return None
        own = parts.pop(-1, Fraction(0))
        used = [k for k in sorted(parts) if parts[k]]
        if own:
            return kernel.linear(goal, [facts[k] for k in used], [parts[k] / own for k in used])
        scale = Fraction(1)
        absurd = relation("le", ONE, ZERO)
        for _ in range(8):  # 0 > small: scale until it says 1 <= 0
            try:
                return kernel.absurd(
                    goal, kernel.linear(absurd, [facts[k] for k in used], [parts[k] * scale for k in used])
                )
            except KernelError:
                scale *= 16
        return None

    def _products(self, m: Monomial) -> list[Theorem]:
        """A bound on one factor of a product times the rest, where that has a sign: from ``1 <= n``, ``y <= n y``."""
        found = []
        for k, (x, e) in enumerate(m):
            alone = ((x, 1),)
            bounds = [f for f, r in self._bounds() if alone in r.form] if e == 1 and x.sort == "integer" else []
            rest = write_monomial((*m[:k], *m[k + 1 :])) if bounds else ONE
            sign = self.nonnegative(rest) if bounds else None
            if sign is not None:
                for f in bounds:
                    a, b = f.conclusion.args
                    gap = kernel.linear(relation("le", ZERO, sub(b, a)), (f,), (1,))
                    found.append(kernel.axiom("product-nonnegative", {"x": sub(b, a), "y": rest}, (gap, sign)))
        return found

    def _bounds(self) -> list[tuple[Theorem, _Row]]:
        """Inequalities between integers, each with its form."""
        rows = [(self.facts[k], r) for k, r in self._rows()]
        return [(f, r) for f, r in rows if -2 not in r.parts and f.conclusion.args[0].sort == "integer"]

    def _instances(self, goal: Term) -> list[Theorem]:
        """What the hypotheses that speak of all entries say of those in `goal`."""
        reals = any(a.sort != "integer" for a in goal.args)
        every = [f for f in self.facts if reals and f.conclusion.op == "forall"]
        known = entries(goal.args) if every else []
        found = [t for f in every for t in instances(f, known, self)] if known else []
        new = [e for e in entries(a for t in found for a in t.conclusion.args) if e not in known]
        return found + [t for f in every for t in instances(f, new, self) if t not in found]

    def contradiction(self) -> Theorem | None:
        """``1 <= 0`` from the facts, if they contradict each other by linear arithmetic."""
        absurd = relation("le", ONE, ZERO)
        parts = _contradiction([r for _, r in self._rows()])
        used = [k for k in sorted(parts or {}) if parts and parts[k] and k >= 0]
        for scale in (Fraction(16) ** n for n in range(8) if parts):
            try:
                return kernel.linear(absurd, [self.facts[k] for k in used], [(parts or {})[k] * scale for k in used])
            except KernelError:
                continue
        for f in self.facts:
            same = self.inequality(relation("eq", *f.conclusion.args)) if f.conclusion.op == "ne" else None
            if same is not None:
                return kernel.axiom("contradiction", {"x": f.conclusion.args[0], "y": f.conclusion.args[1]}, (same, f))
        return None

    def decide(self, condition: Term) -> Theorem | None:
        """The condition or its negation, if the facts show one of them."""
        for p in (condition, negation(condition)):
            found = self.proposition(p)
            if found is not None:
                return found
        return None

    def proposition(self, p: Term) -> Theorem | None:
        """Any relation or bounded 'for all', by facts, signs and linear arithmetic."""
        for fact in self.facts:
            if fact.conclusion == p:
                return fact
        if p.op == "forall":
            v = self.fresh()
            lo, hi, body = p.args
            inner = self.within(v, lo, hi).proposition(instantiate(body, (v,)))
            return None if inner is None else kernel.generalise(inner, v, lo, hi)
        if p.args[0].rank:
            return None
        a, b = p.args
        if p.op == "ne":
            return self.nonzero(a) if b == ZERO else self._different(a, b)
        found = self.inequality(p)
        if found is None and p.op == "lt" and a == ZERO:
            return self.positive(b)
        if found is None and p.op == "le" and a == ZERO:
            return self.nonnegative(b)
        if found is None and p.op in ("le", "lt") and a.sort != "integer":
            gap = self.positive(sub(b, a)) if p.op == "lt" else self.nonnegative(sub(b, a))
            if gap is not None:
                found = kernel.linear(p, (gap,), (1,))
        return found

    def _different(self, a: Term, b: Term) -> Theorem | None:
        for op, row in (("lt", "less-not-equal"),):
            less = self.proposition(relation(op, a, b))
            if less is not None:
                return kernel.axiom(row, {"x": a, "y": b}, (less,))
            more = self.proposition(relation(op, b, a))
            if more is not None:
                return kernel.axiom("greater-not-equal", {"x": b, "y": a}, (more,))
        apart = self.nonzero(sub(a, b))
        return None if apart is None else self._apart(a, b, apart)

    def _apart(self, a: Term, b: Term, apart: Theorem) -> Theorem | None:
        """``a != b`` from ``c != 0`` where c is zero if a = b."""
        same = kernel.assume(relation("eq", a, b))
        gap = apart.conclusion.args[0]
        try:
            low = kernel.linear(relation("le", gap, ZERO), (same,), (_scale(gap, a, b),))
            high = kernel.linear(relation("le", ZERO, gap), (same,), (-_scale(gap, a, b),))
        except (KernelError, TooLarge):
            return None
        zero = kernel.axiom("antisymmetry", {"x": gap, "y": ZERO}, (low, high))
        absurd = kernel.axiom("contradiction", {"x": gap, "y": ZERO}, (zero, apart))
        return kernel.absurd(relation("ne", a, b), absurd)

    # --- signs ---

    def _outside(self, key: tuple[str, Term], t: Term) -> Theorem | None:
        """What an outer context knows already, or shows where the goal does not speak of this one's index."""
        place = self.parent
        while place is not None:
            found = place._known.get(key)
            if found is not None:
                return found
            place = place.parent
        if self.parent is None or key[0] != "linear" or var(f"!{self.depth - 1}", "integer") in free_variables(t):
            return None
        return self.parent.inequality(t)

    def _once(self, what: str, t: Term, search: Callable[[Term], Theorem | None]) -> Theorem | None:
        key = (what, t)
        if key in self._known:
            return self._known[key]
        if key in self._busy:
            return None
        found = self._outside(key, t)
        if found is not None:
            return found
        self._busy.add(key)
        try:
            found = search(t)
        except (KernelError, TermError, TooLarge):
            found = None
        self._busy.discard(key)
        self._known[key] = found
        return found

    def positive(self, t: Term) -> Theorem | None:
        """``0 < t``."""
        return self._once("positive", t, self._positive)

    def nonnegative(self, t: Term) -> Theorem | None:
        """``0 <= t``."""
        return self._once("nonnegative", t, self._nonnegative)

    def nonzero(self, t: Term) -> Theorem | None:
        """``t != 0``."""
        return self._once("nonzero", t, self._nonzero)

    def _fact(self, op: str, t: Term) -> Theorem | None:
        return self._stated().get(relation(op, ZERO, t))

    def _positive(self, t: Term) -> Theorem | None:
        goal = relation("lt", ZERO, t)
        known = self._fact("lt", t)
        if known is not None:
            return known
        if t.op == "num":
            return kernel.linear(goal, (), ()) if t.data > 0 else None  # type: ignore[operator]
        if t.op == "exp":
            return kernel.axiom("exp-positive", {"x": t.args[0]}, ())
        found: Theorem | None = None
        if t.op == "mul":
            found = self._product(t, self.positive, "product-positive")
        elif t.op == "div":
            a, b = self.positive(t.args[0]), self.positive(t.args[1])
            if a is not None and b is not None:
                inverse = kernel.axiom("reciprocal-positive", {"x": t.args[1]}, (b,))
                found = self._quotient(t, a, inverse, "product-positive")
        elif t.op == "pow":
            a = self.positive(t.args[0])
            if a is not None:
                found = kernel.axiom("power-positive", {"x": t.args[0], "n": t.args[1]}, (a,))
        elif t.op == "sqrt":
            a = self.positive(t.args[0])
            if a is not None:
                found = kernel.axiom("root-positive", {"x": t.args[0]}, (a,))
        elif t.op == "max":
            found = self._larger(t, goal)
        elif t.op == "ln":
            found = self._logarithm(t.args[0], above=True)
        else:
            found = self._by_structure(t, goal, self._sum_positive) or self._square_apart(t)
        if found is None:
            found = self.inequality(goal)
        if found is None and _closed(t):
            found = _bound(goal)
        return found

    def _nonnegative(self, t: Term) -> Theorem | None:
        goal = relation("le", ZERO, t)
        strict = self.positive(t)
        if strict is not None:
            return kernel.linear(goal, (strict,), (1,))
        known = self._fact("le", t)
        if known is not None:
            return known
        if t.op == "num":
            return kernel.linear(goal, (), ()) if t.data >= 0 else None  # type: ignore[operator]
        found: Theorem | None = None
        if t.op == "mul":
            if len(t.args) == 2 and t.args[0] == t.args[1]:
                return kernel.axiom("square-nonnegative", {"x": t.args[0]}, ())
            found = self._product(t, self.nonnegative, "product-nonnegative")
        elif t.op == "pow" and t.args[1].op == "num" and t.args[1].data >= 1:  # type: ignore[operator]
            n = int(t.args[1].data)  # type: ignore[arg-type]
            if n % 2 == 0:
                half = power(t.args[0], num(n // 2)) if n > 2 else t.args[0]
                square = kernel.axiom("square-nonnegative", {"x": half}, ())
                found = kernel.relate(square, {1: kernel.ring(mul(half, half), t, ())})
            elif n <= 9 and self.nonnegative(t.args[0]) is not None:
                flat = mul(*[t.args[0]] * n) if n > 1 else t.args[0]
                whole = self.nonnegative(flat)
                if whole is not None:
                    found = kernel.relate(whole, {1: kernel.ring(flat, t, ())})
        elif t.op == "div":
            a, b = self.nonnegative(t.args[0]), self.positive(t.args[1])
            if a is not None and b is not None:
                inverse = kernel.axiom("reciprocal-positive", {"x": t.args[1]}, (b,))
                weak = kernel.linear(relation("le", ZERO, inverse.conclusion.args[1]), (inverse,), (1,))
                found = self._quotient(t, a, weak, "product-nonnegative")
        elif t.op == "sqrt":
            a = self.nonnegative(t.args[0])
            if a is not None:
                found = kernel.axiom("root-nonnegative", {"x": t.args[0]}, (a,))
        elif t.op == "max":
            found = self._larger(t, goal)
        else:
            found = self._by_structure(t, goal, self._sum_nonnegative)
        return found if found is not None else self.inequality(goal)

    def _by_structure(self, t: Term, goal: Term, of_sum: Callable[[Term], Theorem | None]) -> Theorem | None:
        if t.op == "sum":
            return of_sum(t)
        if t.op == "if":
            return self._branches(t, goal)
        if t.op in ("app", "entry"):
            return self._unfolded(t, goal)
        return self._parts(t, goal) if t.op == "add" else None

    def _nonzero(self, t: Term) -> Theorem | None:
        goal = relation("ne", t, ZERO)
        for f in self.facts + (self._instances(goal) if t.op == "entry" else []):
            if f.conclusion == goal:
                return f
        if t.op == "num":
            less = t.data > 0  # type: ignore[operator]
            if not t.data:
                return None
            p = kernel.linear(relation("lt", ZERO, t) if less else relation("lt", t, ZERO), (), ())
            return _not_zero(t, p, less)
        positive = self.positive(t)
        if positive is not None:
            return _not_zero(t, positive, True)
        if t.op == "mul":
            found = self._product(t, self.nonzero, "product-nonzero")
            if found is not None:
                return found
        elif t.op == "neg":
            inner = self.nonzero(t.args[0])
            if inner is not None:
                minus = self.nonzero(num(-1))
                both = kernel.axiom("product-nonzero", {"x": num(-1), "y": t.args[0]}, (minus, inner))  # type: ignore[arg-type]
                return kernel.relate(both, {0: kernel.ring(mul(num(-1), t.args[0]), t, ())})
        elif t.op == "div":
            a, b = self.nonzero(t.args[0]), self.nonzero(t.args[1])
            if a is not None and b is not None:
                inverse = kernel.axiom("reciprocal-nonzero", {"x": t.args[1]}, (b,))
                both = kernel.axiom("product-nonzero", {"x": t.args[0], "y": inverse.conclusion.args[0]}, (a, inverse))
                return kernel.relate(both, {0: kernel.ring(mul(t.args[0], inverse.conclusion.args[0]), t, ())})
        elif t.op == "pow":
            inner = self.nonzero(t.args[0])
            if inner is not None:
                return kernel.axiom("power-nonzero", {"x": t.args[0], "n": t.args[1]}, (inner,))
        elif t.op in ("app", "entry"):
            names = definitions_in(t)
            e = kernel.definition(t, sorted(names))
            if e.conclusion.args[1] != t:
                inner = self.nonzero(e.conclusion.args[1])
                return None if inner is None else kernel.relate(inner, {0: sym(e)})
        negative = self._logarithm(t.args[0], above=False) if t.op == "ln" else None
        negative = (
            negative or self.inequality(relation("lt", t, ZERO)) or (self.positive(neg(t)) if t.op != "neg" else None)
        )
        if negative is not None:
            if negative.conclusion.args[0] == ZERO:
                negative = kernel.linear(relation("lt", t, ZERO), (negative,), (1,))
            return _not_zero(t, negative, False)
        return self._from_differences(t) or self._from_multiples(t) or self._from_divisors(t)

    def _logarithm(self, x: Term, above: bool) -> Theorem | None:
        """``0 < ln(x)`` from ``1 < x``, or ``ln(x) < 0`` from ``0 < x`` and ``x < 1``."""
        low, high = (ONE, x) if above else (x, ONE)
        positive, less = self.positive(low), self.proposition(relation("lt", low, high))
        if positive is None or less is None:
            return None
        grows = kernel.axiom("ln-increasing", {"x": low, "y": high}, (positive, less))
        one = kernel.congruence(ln(ONE), {0: sym(kernel.axiom("exp-zero", {}, ()))})
        none = trans(one, kernel.axiom("ln-exp", {"x": ZERO}, ()))
        return kernel.relate(grows, {0 if above else 1: none})

    def _square_apart(self, t: Term) -> Theorem | None:
        """``0 < t`` where t is a positive multiple of the square of what a fact says is not 0."""
        p = read(t) if t.op == "add" else {}
        for f in self.facts if p else ():
            c = f.conclusion
            if c.op != "ne" or c.args[0].rank:
                continue
            q = read(sub(*c.args))
            rest = quotient(p, times(q, q)) if any(q) else None
            if rest is None:
                continue
            x, y = write(q), write(rest)
            apart, more = self.nonzero(x), self.positive(y)
            if apart is None or more is None:
                continue
            square = mul(x, x)
            both = kernel.axiom("product-nonzero", {"x": x, "y": x}, (apart, apart))
            weak = kernel.axiom("square-nonnegative", {"x": x}, ())
            product = kernel.axiom("product-positive", {"x": square, "y": y}, (_above_zero(square, weak, both), more))
            return kernel.relate(product, {1: kernel.ring(mul(square, y), t, ())})
        return None

    def _from_multiples(self, t: Term) -> Theorem | None:
        """``t != 0`` where a polynomial that is known not to be 0 is a multiple of t."""
        p = read(t)
        for f in self.facts if any(p) else ():
            for whole, apart in self._apart_from_facts(f, t):
                rest = quotient(read(whole), p)
                known = apart() if rest is not None and any(rest) else None
                if rest is not None and known is not None:
                    y = write(rest)
                    both = kernel.relate(known, {0: kernel.ring(whole, mul(t, y), ())})
                    return kernel.axiom("factor-nonzero", {"x": t, "y": y}, (both,))
        return None

    def _apart_from_facts(self, f: Theorem, t: Term) -> Iterator[tuple[Term, Callable[[], Theorem | None]]]:
        """What a fact shows not to be 0, with its theorem: itself, or what is equal to something that is not 0."""
        c = f.conclusion
        if c.op not in ("ne", "lt", "eq") or c.args[0].rank:
            return
        a, b = c.args
        if c.op == "eq":
            for whole, other in ((a, b), (b, a)):
                same = f if whole == b else sym(f)

                def apart(other: Term = other, same: Theorem = same) -> Theorem | None:
                    known = self.nonzero(other)
                    return None if known is None else kernel.relate(known, {0: same})

                if whole != t and other != ZERO:
                    yield whole, apart
        elif b == ZERO:
            yield a, lambda: f if c.op == "ne" else _not_zero(a, f, False)
        elif c.op == "lt" and a == ZERO:
            yield b, lambda: _not_zero(b, f, True)

    def _from_divisors(self, t: Term) -> Theorem | None:
        """``t != 0`` where a polynomial that is known not to be 0 divides t, and what remains is not 0 either."""
        p = read(t)
        for f in self.facts:
            c = f.conclusion
            if c.op not in ("ne", "lt") or c.args[0].rank:
                continue
            q = read(sub(*c.args))
            rest = quotient(p, q) if any(q) else None
            if rest is None or not any(rest):
                continue
            x, y = write(q), write(rest)
            one = self.nonzero(x)
            other = self.nonzero(y) if one is not None else None
            if one is not None and other is not None:
                both = kernel.axiom("product-nonzero", {"x": x, "y": y}, (one, other))
                return kernel.relate(both, {0: kernel.ring(mul(x, y), t, ())})
        return None

    def _larger(self, t: Term, goal: Term) -> Theorem | None:
        """The sign of the larger of two numbers: that of either; where neither is known, case by case."""
        a, b = t.args
        less = relation("le", a, b)
        sides = []
        for condition, chosen in ((less, b), (negation(less), a)):
            inner = self.under(condition)
            sign = inner.proposition(relation(goal.op, ZERO, chosen))
            if sign is None and goal.op == "lt":
                sign = inner._apart_from_zero(chosen)
            if sign is None:
                return None
            known = kernel.assume(condition)
            if condition is less:
                same = kernel.axiom("max-right", {"x": a, "y": b}, (known,))
            else:
                weak = kernel.linear(relation("le", b, a), (known,), (1,))
                same = kernel.axiom("max-left", {"x": a, "y": b}, (weak,))
            sides.append(kernel.relate(sign, {1: sym(same)}))
        return kernel.cases(less, sides[0], sides[1])

    def _apart_from_zero(self, t: Term) -> Theorem | None:
        """``0 < t`` from ``0 <= t`` and ``t != 0``."""
        weak = self.inequality(relation("le", ZERO, t))
        apart = self.nonzero(t) if weak is not None else None
        return None if weak is None or apart is None else _above_zero(t, weak, apart)

    def _from_differences(self, t: Term) -> Theorem | None:
        """``t != 0`` from a fact ``a != b`` where t is a multiple of ``a - b``."""
        for f in self.facts:
            p = f.conclusion
            if p.op != "ne" or p.args[0].rank:
                continue
            a, b = p.args
            if not _proportional(read(t), read(sub(a, b))):
                continue
            gap = kernel.assume(relation("eq", t, ZERO))
            s = 1 / _scale(t, a, b)
            # sides of linear are read as right - left: from t = 0, b - a = s * (0 - t) up to sign
            low = kernel.linear(relation("le", a, b), (gap,), (s,))
            high = kernel.linear(relation("le", b, a), (gap,), (-s,))
            same = kernel.axiom("antisymmetry", {"x": a, "y": b}, (low, high))
            absurd = kernel.axiom("contradiction", {"x": a, "y": b}, (same, f))
            return kernel.absurd(relation("ne", t, ZERO), absurd)
        return None

    def _product(self, t: Term, sign: Callable[[Term], Theorem | None], row: str) -> Theorem | None:
        done: Theorem | None = None
        for a in t.args:
            s = sign(a)
            if s is None:
                return None
            if done is None:
                done = s
                continue
            x = _subject(done)
            done = kernel.axiom(row, {"x": x, "y": a}, (done, s))
        if done is not None and _subject(done) != t:
            side = 0 if done.conclusion.op == "ne" else 1
            done = kernel.relate(done, {side: kernel.ring(_subject(done), t, ())})
        return done

    def _quotient(self, t: Term, a: Theorem, inverse: Theorem, row: str) -> Theorem:
        x, y = a.conclusion.args[1], inverse.conclusion.args[1]
        both = kernel.axiom(row, {"x": x, "y": y}, (a, inverse))
        return kernel.relate(both, {1: kernel.ring(mul(x, div(ONE, t.args[1])), t, ())})

    def _sum_positive(self, t: Term) -> Theorem | None:
        lo, hi, body = t.args
        some = self.inequality(relation("le", lo, hi))
        if some is None:
            return None
        v = self.fresh()
        inside = self.within(v, lo, hi)
        each = inside.positive(instantiate(body, (v,)))
        if each is None:
            return self._member_positive(t, v, inside)
        f = comprehension((v,), instantiate(body, (v,)))
        return kernel.axiom("sum-positive", {"a": lo, "b": hi, "f": f}, (some, kernel.generalise(each, v, lo, hi)))

    def _member_positive(self, t: Term, v: Term, inside: Context) -> Theorem | None:
        """A sum of what is not negative, with one positive summand: the one at the edge of a mask."""
        lo, hi, body = t.args
        here = instantiate(body, (v,))
        edges = [k for c in conditions(here, v) if (k := edge(c, v)) is not None]
        each = inside.nonnegative(here) if edges else None
        if each is None:
            return None
        f = comprehension((v,), here)
        for k in dict.fromkeys(edges):
            low, high = self.inequality(relation("le", lo, k)), self.inequality(relation("le", k, hi))
            some = self.positive(instantiate(body, (k,))) if low is not None and high is not None else None
            if low is None or high is None or some is None:
                continue
            every = kernel.generalise(each, v, lo, hi)
            member = kernel.axiom("sum-member", {"a": lo, "b": hi, "k": k, "f": f}, (every, low, high))
            return kernel.linear(relation("lt", ZERO, t), (some, member), (1, 1))
        return None

    def _sum_nonnegative(self, t: Term) -> Theorem | None:
        lo, hi, body = t.args
        v = self.fresh()
        each = self.within(v, lo, hi).nonnegative(instantiate(body, (v,)))
        if each is None:
            return None
        f, none = comprehension((v,), instantiate(body, (v,))), comprehension((v,), ZERO)
        more = kernel.axiom(
            "sum-monotone", {"a": lo, "b": hi, "f": none, "g": f}, (kernel.generalise(each, v, lo, hi),)
        )
        zeros = kernel.axiom(
            "sum-factor", {"a": lo, "b": hi, "x": ZERO, "f": comprehension((v,), ONE)}, ()
        )  # sum(0 * 1) = 0 * sum(1)
        left = more.conclusion.args[0]
        inside = kernel.under(left, kernel.ring(ZERO, mul(ZERO, ONE), ()), (v,))
        flat = trans(trans(inside, zeros), kernel.ring(zeros.conclusion.args[1], ZERO, ()))
        return kernel.relate(more, {0: flat})

    def _branches(self, t: Term, goal: Term) -> Theorem | None:
        c, a, b = t.args
        decided = self.decide(c)
        if decided is not None:
            chosen = kernel.choose(t, decided)
            s = self.proposition(relation(goal.op, ZERO, chosen.conclusion.args[1]))
            return None if s is None else kernel.relate(s, {1: sym(chosen)})
        sides = []
        for condition, part in ((c, a), (negation(c), b)):
            inner = self.under(condition)
            s = inner.proposition(relation(goal.op, ZERO, part))
            if s is None:
                return None
            chosen = kernel.choose(t, kernel.assume(condition))
            sides.append(kernel.relate(s, {1: sym(chosen)}))
        return kernel.cases(c, sides[0], sides[1])

    def _unfolded(self, t: Term, goal: Term) -> Theorem | None:
        e = kernel.definition(t, sorted(definitions_in(t)))
        new = e.conclusion.args[1]
        if new == t:
            return None
        inner = self.positive(new) if goal.op == "lt" else self.nonnegative(new)
        return None if inner is None else kernel.relate(inner, {1: sym(e)})

    def _parts(self, t: Term, goal: Term) -> Theorem | None:
        """A sum whose summands have signs: the linear combination of what is known of each."""
        known = []
        for a in t.args:
            x = a.args[0] if a.op == "neg" else a
            s = self.positive(x) or self.nonnegative(x)
            if s is not None:
                known.append(s)
        return self.inequality(goal, known) if known else None


def _subject(t: Theorem) -> Term:
    return t.conclusion.args[0] if t.conclusion.op == "ne" else t.conclusion.args[1]


def _above_zero(t: Term, weak: Theorem, apart: Theorem) -> Theorem:
    """``0 < t`` from ``0 <= t`` and ``t != 0``."""
    return kernel.axiom("not-equal-less", {"x": ZERO, "y": t}, (weak, _turned(apart)))


def _turned(apart: Theorem) -> Theorem:
    """``b != a`` from ``a != b``."""
    a, b = apart.conclusion.args
    same = sym(kernel.assume(relation("eq", b, a)))
    return kernel.absurd(relation("ne", b, a), kernel.axiom("contradiction", {"x": a, "y": b}, (same, apart)))


def _not_zero(t: Term, p: Theorem, positive: bool) -> Theorem:
    if positive:
        return kernel.axiom("greater-not-equal", {"x": ZERO, "y": t}, (p,))
    return kernel.axiom("less-not-equal", {"x": t, "y": ZERO}, (p,))


def _closed(t: Term) -> bool:
    return t.op == "num" or (
        t.op in ("add", "mul", "neg", "div", "pow", "sqrt", "exp", "ln", "max") and all(map(_closed, t.args))
    )


def _bound(goal: Term) -> Theorem | None:
    for bits in (64, 256, 1024):
        try:
            return kernel.bound(goal, bits)
        except KernelError:
            continue
    return None


def _form(p: Term, k: int) -> _Row | None:
    """A fact as a constraint ``form >= 0``; equations come with the sign left open (`strict` False, twice used)."""
    if p.op not in ("eq", "le", "lt") or p.args[0].rank:
        return None
    a, b = p.args
    try:
        form = plus(read(b), read(a), -1)
    except TooLarge:
        return None
    whole = p.op == "lt" and a.sort == b.sort == "integer"
    if whole:
        form = plus(form, {(): Fraction(1)}, -1)
    return _Row(
        form, p.op == "lt" and not whole, {k: Fraction(1)} if p.op != "eq" else {k: Fraction(1), -2: Fraction(1)}
    )


def _relevant(form: Polynomial, rows: list[_Row]) -> list[_Row]:
    atoms = {m for m in form if m}
    chosen: list[_Row] = []
    rest = list(rows)
    while True:
        near = [r for r in rest if not atoms.isdisjoint(r.form)]
        if not near:
            return chosen
        chosen += near
        rest = [r for r in rest if r not in near]
        for r in near:
            atoms |= {m for m in r.form if m}


def _contradiction(rows: list[_Row]) -> dict[int, Fraction] | None:
    """Multiples of the rows whose sum is a negative constant (or 0 > 0): Fourier-Motzkin, keeping the multiples."""
    live = rows
    while True:
        for r in live:
            c = r.form.get((), Fraction(0))
            if set(r.form) <= {()} and -2 not in r.parts and (c < 0 or (c == 0 and r.strict)):
                return r.parts
            if set(r.form) <= {()} and -2 in r.parts and c:
                parts = {k: v if c < 0 else -v for k, v in r.parts.items() if k != -2}
                return parts
        counts: dict[Monomial, list[int]] = {}
        for r in live:
            for m, c in r.form.items():
                if m:
                    n = counts.setdefault(m, [0, 0, 0])
                    n[2 if -2 in r.parts else c > 0] += 1
        if not counts:
            return None
        m = min(counts, key=lambda m: (0 if counts[m][2] else 1, counts[m][0] * counts[m][1], len(m)))
        having = [r for r in live if m in r.form]
        without = [r for r in live if m not in r.form]
        pivot = next((r for r in having if -2 in r.parts), None)
        new = []
        if pivot is not None:
            for r in having:
                if r is not pivot:
                    new.append(_sum(r, pivot, -r.form[m] / pivot.form[m]))
        else:
            ups = [r for r in having if r.form[m] > 0]
            downs = [r for r in having if r.form[m] < 0]
            for u in ups:
                for d in downs:
                    new.append(_sum(u, d, -u.form[m] / d.form[m]))
        live = without + new
        if len(live) > MAX_CONSTRAINTS:
            return None


def _sum(r: _Row, s: _Row, factor: Fraction) -> _Row:
    both_equal = -2 in r.parts and -2 in s.parts
    parts = {k: v for k, v in r.parts.items() if k != -2}
    for k, v in s.parts.items():
        if k != -2:
            parts[k] = parts.get(k, Fraction(0)) + v * factor
    if both_equal:
        parts[-2] = Fraction(1)
    return _Row(plus(r.form, s.form, factor), r.strict or s.strict, parts)


def _proportional(p: Polynomial, q: Polynomial) -> bool:
    if not p or p.keys() != q.keys():
        return False
    m = next(iter(p))
    return all(c * q[m] == q[k] * p[m] for k, c in p.items())


def _scale(gap: Term, a: Term, b: Term) -> Fraction:
    """The number s with ``gap = s * (a - b)``."""
    p, q = read(gap), read(sub(a, b))
    if not _proportional(p, q):
        raise TooLarge("not proportional")
    m = next(iter(p))
    return p[m] / q[m]
