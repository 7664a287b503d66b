"""Random inferences over small random terms, right ones and wrong ones, for comparing the two verifiers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from proofs.kernel import AXIOMS, KernelError, Theorem, assume, choose, relate, ring
from proofs.terms import (
    Definition, Term, TermError, add, apply, comprehension, div, entry, exp, forall, free_variables, greatest,
    instantiate, ln, maximum, mul, neg, negation, num, power, relation, sqrt, substitute, total, unfold, var,
    when,
)  # fmt: skip
from tests.proofs.inferences import Inference, by_kernel

x, y = var("x"), var("y")
i, k, n = (var(s, "integer") for s in "ikn")
u, v = var("u", "real", 1), var("v", "real", 1)
a = var("A", "real", 2)
shifted = Definition("shifted", (n, u), comprehension((i,), add(entry(u, add(i, n)), n)), 1)
double = Definition("double", (x,), mul(num(2), x))
nested = Definition("nested", (x, n), total(i, num(1), n, mul(apply(double, x), i)))
RULES = (
    "assume", "cut", "congruence", "under", "branch", "choose", "relate", "cases", "absurd", "specialise", "generalise",
    "at", "induction", "definition", "ring", "linear", "bound", "axiom",
)  # fmt: skip


class Maker:
    """Draws terms and inferences; what the kernel accepts becomes a premise of later ones."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.known: list[Theorem] = []
        for _ in range(12):
            self.known.append(assume(self.proposition()))
        for _ in range(4):
            t = self.number(2)
            self.known.append(ring(t, t, ()))

    # terms

    def integer(self, depth: int) -> Term:
        r = self.random
        pick = r.randrange(3 if depth <= 0 else 12)
        if pick == 0:
            return num(r.choice((0, 1, 2, -1, 3)))
        if pick < 3:
            return r.choice((i, k, n))
        s, t = self.integer(depth - 2), self.integer(depth - 1)
        return (
            add(s, t), add(t, num(1)), mul(s, t), neg(s), maximum(s, t), power(s, num(r.choice((1, 2)))),
            total(i, num(1), s, t), when(self.condition(depth), s, t), add(s, num(-1)),
        )[pick - 3]  # fmt: skip

    def condition(self, depth: int) -> Term:
        return relation(self.random.choice(("le", "lt", "eq", "ne")), self.integer(depth - 2), self.integer(depth - 2))

    def number(self, depth: int) -> Term:
        r = self.random
        pick = r.randrange(4 if depth <= 0 else 18)
        if pick == 0:
            return num(r.choice((0, 1, 2, -1, Fraction(1, 2), Fraction(-3, 2))))
        if pick == 1:
            return self.integer(depth - 1)
        if pick < 4:
            return r.choice((x, y, x, y, entry(u, i)))
        s, t = self.number(depth - 2), self.number(depth - 1)
        return (
            lambda: add(s, t), lambda: add(t, s, num(1)), lambda: mul(s, t), lambda: neg(t), lambda: div(s, t),
            lambda: power(t, r.choice((num(2), num(-1), num(0), n))), lambda: exp(t), lambda: r.choice((sqrt, ln))(t),
            lambda: maximum(s, t), lambda: total(i, num(1), self.integer(0), t),
            lambda: greatest(k, self.integer(0), n, t), lambda: when(self.condition(depth), s, t),
            lambda: entry(self.tensor(depth - 1), self.integer(depth - 1)), lambda: r.choice(
                (apply(double, t), apply(nested, t, n), entry(a, self.integer(0), k))),
        )[pick - 4]()  # fmt: skip

    def tensor(self, depth: int) -> Term:
        r = self.random
        pick = r.randrange(2 if depth <= 0 else 4)
        if pick < 2:
            return (u, v)[pick]
        return comprehension((i,), self.number(depth - 1)) if pick == 2 else apply(shifted, self.integer(0), u)

    def proposition(self, depth: int = 2) -> Term:
        r = self.random
        pick = r.randrange(10)
        if pick == 0:
            return forall(i, num(1), n, relation("le", self.number(1), entry(u, i)))
        if pick == 1:
            return relation("eq", self.tensor(1), self.tensor(1))
        if pick < 4:
            return self.condition(2)
        return relation(r.choice(("le", "lt", "eq", "ne", "eq")), self.number(depth), self.number(depth))

    def loose(self) -> Term:
        return total(i, num(1), n, add(self.number(1), i)).args[2]

    # inferences

    def theorem(self, *ops: str) -> Theorem:
        fitting = [t for t in self.known if not ops or t.conclusion.op in ops]
        return self.random.choice(fitting or self.known)

    def equation_for(self, t: Term) -> Theorem:
        """An equation that rewrites `t`, assumed for the purpose or proved."""
        r = self.random
        fitting = [e for e in self.known if e.conclusion.op == "eq" and e.conclusion.args[0] == t]
        if fitting and r.random() < 0.5:
            return r.choice(fitting)
        if t.sort == "proposition" or t.loose:
            return self.theorem("eq")
        if t.rank:
            return assume(relation("eq", t, r.choice((u, v)) if t.rank == 1 else t))
        if r.random() < 0.3:
            return ring(t, mul(num(1), t), ())
        return assume(relation("eq", t, self.number(1) if r.random() < 0.6 else self.integer(1)))

    def inference(self) -> Inference:
        """One inference; it may be wrong in any place."""
        made = self.right()
        return made if self.random.random() < 0.6 else self.spoiled(made)

    def spoiled(self, made: Inference) -> Inference:
        r = self.random
        premises, parameters = list(made.premises), list(made.parameters)
        pick = r.randrange(5)
        if pick == 0 and premises:
            premises[r.randrange(len(premises))] = self.theorem()
        elif pick == 1 and len(premises) > 1:
            r.shuffle(premises)
        elif pick == 2 and premises:
            p = r.randrange(len(premises))
            old = premises[p]
            variables = sorted(free_variables(old.conclusion), key=repr)
            if variables:
                w = r.choice(variables)
                value = self.integer(1) if w.sort == "integer" else self.tensor(1) if w.rank == 1 else self.number(1)
                if w.rank < 2:
                    premises[p] = assume(substitute(old.conclusion, {w: value}))
        elif parameters:
            p = r.randrange(len(parameters))
            old_parameter = parameters[p]
            if isinstance(old_parameter, Term):
                parameters[p] = r.choice((self.number(1), self.proposition(1), i, n, x, self.loose(), self.integer(1)))
            elif isinstance(old_parameter, int | Fraction):
                parameters[p] = old_parameter + r.choice((-1, 1, 2, Fraction(1, 2)))
            else:
                parameters[p] = r.choice(("exp-sum", "double", "x", "f", "zz"))
        return Inference(made.rule, tuple(premises), tuple(parameters))

    def right(self) -> Inference:
        """An inference that is right in form."""
        r = self.random
        rule = r.choice(RULES)
        return getattr(self, f"_{rule}")()

    def _assume(self) -> Inference:
        return Inference("assume", (), (self.proposition(),))

    def _cut(self) -> Inference:
        t = self.theorem()
        if t.hypotheses:
            h = self.random.choice(sorted(t.hypotheses, key=repr))
            fitting = [s for s in self.known if s.conclusion == h]
            if fitting:
                return Inference("cut", (self.random.choice(fitting), t))
        return Inference("cut", (assume(t.conclusion), t))

    def _congruence(self) -> Inference:
        t = self.number(3) if self.random.random() < 0.8 else self.tensor(2)
        places = [p for p in range(len(t.args)) if self.random.random() < 0.6]
        return Inference("congruence", tuple(self.equation_for(t.args[p]) for p in places), (t, *places))

    def _relate(self) -> Inference:
        t = self.theorem("eq", "le", "lt", "ne")
        places = [p for p in (0, 1) if self.random.random() < 0.6]
        return Inference("relate", (t, *(self.equation_for(t.conclusion.args[p]) for p in places)), tuple(places))

    def _under(self) -> Inference:
        r = self.random
        kind = r.randrange(3)
        body = self.number(2)
        w = var(r.choice("ikj"), "integer")
        t = comprehension((i,), body) if kind == 2 else (total, greatest)[kind](i, num(1), self.integer(0), body)
        inner = instantiate(t.args[-1], (w,))
        c = relation("le", num(1), w)
        if r.random() < 0.5:
            e = ring(inner, add(inner, num(0)), ())
        else:
            e = _turned(choose(when(c, inner, num(0)), assume(c)))
        return Inference("under", (e,), (t, w))

    def _if(self) -> Term:
        return when(self.condition(2), self.number(2), self.number(2))

    def _branch(self) -> Inference:
        t = self._if()
        return Inference("branch", (self.equation_for(t.args[1]), self.equation_for(t.args[2])), (t,))

    def _choose(self) -> Inference:
        t = self._if()
        c = t.args[0] if self.random.random() < 0.5 else negation(t.args[0])
        return Inference("choose", (assume(c),), (t,))

    def _cases(self) -> Inference:
        t = self.theorem()
        plain = [h for h in t.hypotheses if h.op != "forall" and not h.args[0].rank]
        p = self.random.choice(sorted(plain, key=repr)) if plain else self.condition(1)
        return Inference("cases", (t, t), (p,))

    def _absurd(self) -> Inference:
        p = self.condition(2)
        return Inference("absurd", (assume(relation("le", num(1), num(0))),), (p,))

    def _specialise(self) -> Inference:
        t = self.theorem()
        pairs: list[Term] = []
        for w in self.random.sample((i, k, n, x, y, u), 2):
            pairs += [w, self.integer(1) if w.sort == "integer" else self.tensor(2) if w.rank else self.number(1)]
        return Inference("specialise", (t,), tuple(pairs))

    def _generalise(self) -> Inference:
        t = self.theorem()
        return Inference("generalise", (t,), (self.random.choice((i, k, n)), num(1), self.integer(0)))

    def _at(self) -> Inference:
        t = self.theorem("forall")
        place = self.integer(1)
        lo, hi = t.conclusion.args[:2] if t.conclusion.op == "forall" else (num(1), n)
        return Inference("at", (t, assume(relation("le", lo, place)), assume(relation("le", place, hi))), (place,))

    def _induction(self) -> Inference:
        r = self.random
        p, lo = self.condition(2) if r.random() < 0.5 else self.proposition(1), self.integer(0)
        return Inference(
            "induction",
            (assume(substitute(p, {k: lo})), assume(substitute(p, {k: add(k, num(1))}))),
            (p, r.choice((k, k, i)), lo),
        )

    def _definition(self) -> Inference:
        names = self.random.sample(("double", "nested", "shifted"), self.random.randrange(4))
        return Inference("definition", (), (self.number(4), *names))

    def _ring(self) -> Inference:
        r = self.random
        given = [
            assume(relation("ne", t, num(0))) for t in r.sample((x, y, add(x, y), mul(x, y), exp(x)), r.randrange(3))
        ]
        s = self.rational(3)
        return Inference("ring", tuple(given), (s, self.same(s)))

    def rational(self, depth: int) -> Term:
        r = self.random
        pick = r.randrange(3 if depth <= 0 else 9)
        if pick < 3:
            return (r.choice((num(2), num(-1), num(Fraction(1, 2)), num(0))), x, y)[pick]
        s, t = self.rational(depth - 1), self.rational(depth - 2)
        return (
            add(s, t), mul(s, t), div(s, r.choice((x, add(x, y), mul(x, y), t))), neg(s),
            power(r.choice((x, s)), num(r.choice((2, 3, -1, -2, 0)))), exp(x),
        )[pick - 3]  # fmt: skip

    def same(self, t: Term) -> Term:
        """Another form of `t`, or nearly."""
        r = self.random
        if not t.args or r.random() < 0.2:
            return r.choice((t, mul(t, num(1)), add(t, num(0)), mul(x, div(t, x)), div(mul(y, t), y), neg(neg(t)), t))
        args = [self.same(s) if s.rank == 0 and t.op in ("add", "mul", "neg", "div") else s for s in t.args]
        if t.op in ("add", "mul"):
            r.shuffle(args)
            return add(*args) if t.op == "add" else mul(*args)
        if t.op == "mul" and r.random() < 0.3:
            return mul(args[1], args[0])
        if t.op == "pow" and t.args[1] == num(2):
            return mul(args[0], args[0])
        if t.op == "pow" and t.args[1] == num(-1):
            return div(num(1), args[0])
        if t.op == "div":
            return mul(args[0], div(num(1), args[1])) if r.random() < 0.5 else div(*args)
        return neg(args[0]) if t.op == "neg" else t

    def _linear(self) -> Inference:
        r = self.random
        premises = [self.theorem("le", "lt", "eq") for _ in range(r.randrange(4))]
        premises = [p for p in premises if p.conclusion.op in ("le", "lt", "eq") and not p.conclusion.args[0].rank]
        factors = [r.choice((1, 2, Fraction(1, 2), 0, 1, -1 if p.conclusion.op == "eq" else 3)) for p in premises]
        left: list[Term] = [num(r.choice((0, 1, -1, Fraction(1, 2))))]
        right: list[Term] = [num(0)]
        for p, f in zip(premises, factors, strict=True):
            left.append(mul(num(f), p.conclusion.args[0]))
            right.append(mul(num(f), p.conclusion.args[1]))
        goal = relation(r.choice(("le", "lt")), add(*left, num(0)), add(*right, num(0)))
        return Inference("linear", tuple(premises), (goal, *factors))

    def _bound(self) -> Inference:
        r = self.random

        def closed(depth: int) -> Term:
            pick = r.randrange(1 if depth <= 0 else 8)
            if pick == 0:
                return num(r.choice((0, 1, 2, -1, Fraction(1, 3), 7, Fraction(-5, 2))))
            s, t = closed(depth - 1), closed(depth - 2)
            return (
                add(s, t), mul(s, t), div(s, t), power(s, num(r.choice((2, 3, -1, 0)))), exp(s),
                r.choice((sqrt, ln))(s), maximum(s, t),
            )[pick - 1]  # fmt: skip

        goal = relation(r.choice(("lt", "le", "ne")), closed(3), closed(3))
        return Inference("bound", (), (goal, r.choice((20, 64, 100))))

    def _axiom(self) -> Inference:
        r = self.random
        name = r.choice(sorted(AXIOMS))
        row = AXIOMS[name]
        free: set[Term] = set().union(*(free_variables(p) for p in (*row.premises, row.conclusion)))
        values: dict[Term, Term] = {}
        for w in sorted(free, key=repr):
            if w.rank == 2:
                values[w] = r.choice((a, comprehension((i, k), mul(entry(u, i), self.number(1)))))
            else:
                values[w] = self.tensor(2) if w.rank else self.integer(1) if w.sort == "integer" else self.number(1)
        premises = tuple(assume(unfold(substitute(p, values), ())) for p in row.premises)
        return Inference("axiom", premises, (name, *(s for w, t in values.items() for s in (str(w.data), t))))

    def learn(self, inference: Inference) -> Theorem | None:
        """What the kernel makes of it; remembered if it is not large."""
        try:
            new = by_kernel(inference)
        except (KernelError, TermError, TypeError):
            return None
        if new.conclusion.size < 60 and len(new.hypotheses) < 8:
            self.known.append(new)
            if len(self.known) > 60:
                self.known.pop(self.random.randrange(len(self.known)))
        return new


def _turned(e: Theorem) -> Theorem:
    s = e.conclusion.args[0]
    return relate(ring(s, s, ()), {0: e})


def inferences(seed: int, count: int) -> Sequence[tuple[Inference, Theorem | None]]:
    """Random inferences with what the kernel makes of them."""
    maker = Maker(Random(seed))
    made = []
    while len(made) < count:
        try:
            one = maker.inference()
        except (TermError, KernelError, ZeroDivisionError):
            continue
        places = [p for p in one.parameters if one.rule in ("congruence", "relate") and not isinstance(p, Term)]
        if len(set(places)) == len(places):  # a call of the kernel can't name one place twice
            made.append((one, maker.learn(one)))
    return made
