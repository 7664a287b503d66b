"""A state machine over the rules of the kernel: whatever is applied in whatever order, what is made is true.

The state is what has been built so far: integers, numbers, tensors, propositions, theorems. A step builds a term or
makes one inference from what is there: one that fits, or one with a wrong premise or parameter. After each inference
that the kernel accepts, the theorem is tried in small models and its certificate is replayed; what the kernel refuses,
the second verifier refuses too. ``python -m tests.attacks rules --minutes 10`` is the long run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, TypeAlias

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle, RuleBasedStateMachine, initialize, multiple, rule, run_state_machine_as_test,
)  # fmt: skip
from mpmath import iv

from proofs.certificate import flatten
from proofs.context import Context
from proofs.justify import prove
from proofs.kernel import AXIOMS, KernelError, Theorem, assume
from proofs.replay import ReplayError, replay
from proofs.terms import (
    Term, TermError, add, apply, comprehension, div, entry, exp, forall, free_variables, greatest, instantiate, ln,
    maximum, mul, neg, negation, num, power, relation, sqrt, sub, substitute, total, unfold, var, when,
)  # fmt: skip
from tests.proofs.fuzz_inferences import STRONGER
from tests.proofs.inferences import Inference, Parameter, by_kernel, by_replay, lines, text
from tests.proofs.random_inferences import double, nested, shifted
from tests.proofs.reading_back import reached
from tests.proofs.small_models import Model, TooFar
from tests.proofs.truth import BITS

MODELS, MET = 24, 8  # drawn for a theorem at most, and wanted with its hypotheses true
Made: TypeAlias = Any  # what goes into a bundle: a term or a theorem, or none, or several
NAMES = ("double", "nested", "shifted")
TABLE, ROWS = sorted(AXIOMS), 6  # rows of the table, and how many of them in one step
FORMS = 4  # of rational functions, in one step
LARGE, MANY = 45, 7  # nodes of a term, hypotheses of a theorem that is used again
ZERO, ONE, TWO, HALF = num(0), num(1), num(2), num(Fraction(1, 2))
ABSURD = relation("le", ONE, ZERO)
x, y = var("x"), var("y")
i, k, n = (var(s, "integer") for s in "ikn")
u, v, a = var("u", "real", 1), var("v", "real", 1), var("A", "real", 2)
RELATION = st.sampled_from(("eq", "le", "lt", "ne"))
PICK = st.integers(0, 10**6)
CROOKED = st.sampled_from((False, False, False, True))
NUMERAL = st.sampled_from([num(q) for q in (0, 1, 2, -1, 3, Fraction(1, 2), Fraction(-3, 2))])
CLOSED = st.recursive(
    NUMERAL,
    lambda inner: st.one_of(
        st.builds(add, inner, inner), st.builds(mul, inner, inner), st.builds(div, inner, inner),
        st.builds(maximum, inner, inner), st.builds(exp, inner), st.builds(ln, inner), st.builds(sqrt, inner),
        st.builds(neg, inner), st.builds(power, inner, st.sampled_from([num(q) for q in (2, 3, 0, -1)])),
    ),
    max_leaves=4,
)  # fmt: skip


EXAMPLES, STEPS = 9, 50
SETTINGS = settings(
    max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, database=None, print_blob=False,
    phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
)  # fmt: skip


class Fault(AssertionError):
    """A theorem that is false or has no certificate that replays, or an inference that only replay accepts."""


class Rules(RuleBasedStateMachine):
    """Builds terms and theorems; `counts` is kept over all examples of a run."""

    counts: ClassVar[Counter[str]] = Counter()
    integers = Bundle("integers")
    numbers = Bundle("numbers")
    tensors = Bundle("tensors")
    propositions = Bundle("propositions")
    theorems = Bundle("theorems")

    def __init__(self) -> None:
        super().__init__()
        iv.prec = BITS
        self.random = Random(45)
        self.made: list[Theorem] = []

    # --- what is made --------------------------------------------------------------------------------------

    def infer(self, name: str, premises: Sequence[Theorem], parameters: Sequence[Parameter]) -> Made:
        """The theorem of one inference, checked; nothing where it is refused."""
        inference = Inference(name, tuple(premises), tuple(parameters))
        try:
            theorem = by_kernel(inference)
        except (KernelError, TermError):
            self.counts[f"refused {name}"] += 1
            self.refused(inference)
            return multiple()
        self.counts[f"rule {name}"] += 1
        if name == "axiom":
            self.counts[f"row {parameters[0]}"] += 1
        self.check(theorem)
        if theorem.conclusion.size > LARGE or len(theorem.hypotheses) > MANY:
            return multiple()
        self.made.append(theorem)
        return theorem

    def refused(self, inference: Inference) -> None:
        """What the kernel refuses, replay refuses too, or it is true."""
        try:
            shown = by_replay(inference)
        except ReplayError:
            return
        if inference.rule not in STRONGER:
            raise Fault(f"only replay accepts {inference}: {shown}")
        self.tried(*reached(lines(inference)))
        self.counts["accepted by replay alone, and true"] += 1

    def tried(self, hypotheses: frozenset[Term], conclusion: Term) -> int:
        """In how many models the hypotheses hold, and the conclusion is not false."""
        met = 0
        for _ in range(MODELS):
            model = Model(self.random)
            try:
                if all(model.holds(h) is True for h in hypotheses):
                    if model.holds(conclusion) is False:
                        raise Fault(f"false: {set(hypotheses)} |- {conclusion!r} at {model.values}, {model.open}")
                    met += 1
            except (TooFar, OverflowError):
                continue
            if met == MET:
                break
        return met

    def check(self, theorem: Theorem) -> None:
        """It is true wherever it can be tried, and its certificate replays to the same sequent."""
        self.counts["theorems"] += 1
        met = self.tried(theorem.hypotheses, theorem.conclusion)
        self.counts["theorems tried where their hypotheses hold"] += met > 0
        self.counts["models in which a theorem was tried"] += met
        try:
            (shown,) = replay(flatten([("made", theorem)]))
        except ReplayError as error:
            if "is not shown to lie" not in str(error):  # a root at the very edge of its domain
                raise Fault(f"no certificate: {theorem!r}: {error}") from error
            self.counts["at the edge of a domain"] += 1
            return
        if (shown.hypotheses, shown.conclusion) != text(theorem):
            raise Fault(f"{theorem!r} replays as {shown.text}")

    def known(self, p: Term, pick: int) -> Theorem:
        """A theorem that concludes `p`, else the assumption of it."""
        fitting = [t for t in self.made if t.conclusion == p]
        return fitting[pick % len(fitting)] if fitting else assume(p)

    def equation(self, t: Term, other: Term, pick: int) -> Theorem:
        """An equation with `t` on the left: made before, proved for the purpose, or assumed."""
        fitting = [e for e in self.made if e.conclusion.op == "eq" and e.conclusion.args[0] == t]
        if fitting and pick % 3:
            return fitting[pick % len(fitting)]
        if t.sort == "proposition" or t.rank != other.rank:
            return by_kernel(Inference("definition", (), (t,))) if t.sort != "proposition" else assume(t)
        if pick % 2 and not t.rank:
            return by_kernel(Inference("ring", (), (t, mul(ONE, t))))
        return assume(relation("eq", t, other))

    def small(self, make: Callable[[], Term]) -> Made:
        """A term, where it can be made and is not large."""
        try:
            t = make()
        except TermError:
            return multiple()
        return t if t.size <= LARGE else multiple()

    # --- terms ---------------------------------------------------------------------------------------------

    @initialize(target=integers)
    def first_integers(self) -> Made:
        return multiple(i, k, n, ONE, ZERO, TWO)

    @initialize(target=numbers)
    def first_numbers(self) -> Made:
        return multiple(x, y, HALF, num(-1), entry(u, i), entry(u, k))

    @initialize(target=tensors)
    def first_tensors(self) -> Made:
        return multiple(u, v, comprehension((i,), mul(x, entry(u, i))))

    @initialize(target=propositions)
    def first_propositions(self) -> Made:
        return multiple(relation("le", ONE, n), relation("lt", ZERO, x), relation("ne", x, ZERO), relation("le", i, n))

    @rule(target=integers, s=integers, t=integers, p=propositions, pick=st.integers(0, 7))
    def integer(self, s: Term, t: Term, p: Term, pick: int) -> Made:
        return self.small(lambda: (
            lambda: add(s, t), lambda: add(s, ONE), lambda: sub(s, t), lambda: mul(s, t), lambda: maximum(s, t),
            lambda: total(i, ONE, s, t), lambda: when(p, s, t), lambda: power(s, TWO),
        )[pick]())  # fmt: skip

    @rule(target=numbers, s=numbers, t=numbers, m=integers, pick=st.integers(0, 12))
    def number(self, s: Term, t: Term, m: Term, pick: int) -> Made:
        return self.small(lambda: (
            lambda: add(s, t), lambda: sub(s, t), lambda: mul(s, t), lambda: div(s, t), lambda: exp(s),
            lambda: sqrt(s), lambda: ln(s), lambda: maximum(s, t), lambda: power(s, m), lambda: power(s, ZERO),
            lambda: apply(double, s), lambda: apply(nested, s, m), lambda: add(s, m),
        )[pick]())  # fmt: skip

    @rule(target=numbers, s=numbers, lo=integers, hi=integers, w=st.sampled_from((i, k)), greater=st.booleans())
    def ranged(self, s: Term, lo: Term, hi: Term, w: Term, greater: bool) -> Made:
        return self.small(lambda: (greatest if greater else total)(w, lo, hi, s))

    @rule(target=numbers, p=propositions, s=numbers, t=numbers)
    def conditional(self, p: Term, s: Term, t: Term) -> Made:
        return self.small(lambda: when(p, s, t))

    @rule(target=numbers, f=tensors, m=integers)
    def read(self, f: Term, m: Term) -> Made:
        return self.small(lambda: entry(f, m))

    @rule(target=tensors, s=numbers, f=tensors, m=integers, shift=st.booleans(), w=st.sampled_from((i, k)))
    def tensor(self, s: Term, f: Term, m: Term, shift: bool, w: Term) -> Made:
        return self.small(lambda: apply(shifted, m, f) if shift else comprehension((w,), s))

    @rule(target=propositions, op=RELATION, s=st.one_of(integers, numbers), t=st.one_of(integers, numbers))
    def relation_of_numbers(self, op: str, s: Term, t: Term) -> Made:
        return self.small(lambda: relation(op, s, t))

    @rule(target=propositions, op=RELATION, s=integers, t=integers)
    def condition(self, op: str, s: Term, t: Term) -> Made:
        return self.small(lambda: relation(op, s, t))

    @rule(target=propositions, p=propositions, lo=integers, hi=integers, w=st.sampled_from((i, k)))
    def every(self, p: Term, lo: Term, hi: Term, w: Term) -> Made:
        return self.small(lambda: forall(w, lo, hi, p))

    # --- the rules of the kernel ---------------------------------------------------------------------------

    @rule(target=theorems, p=st.one_of(propositions, propositions, numbers))
    def assume(self, p: Term) -> Made:
        return self.infer("assume", (), (p,))

    @rule(target=theorems, t=theorems, pick=PICK, crooked=CROOKED)
    def cut(self, t: Theorem, pick: int, crooked: bool) -> Made:
        """A theorem used where it is a hypothesis, or with one of its own shown, from a stronger one if need be."""
        users = [s for s in self.made if t.conclusion in s.hypotheses and s.conclusion != t.conclusion]
        if crooked or (users and pick % 2):
            users = self.made if crooked else users
            return self.infer("cut", (t, users[pick % len(users)] if users else t), ())
        granted = sorted(t.hypotheses, key=repr)
        h = granted[pick % len(granted)] if granted else t.conclusion
        known = self.known(h, pick)
        if known.rule == "assume" and h.op == "le":
            known = by_kernel(Inference("linear", (assume(relation("lt", *h.args)),), (h, 1)))
        elif known.rule == "assume" and h.op == "ne" and unfold(h, ()) == h:
            less = assume(relation("lt", *h.args))
            known = by_kernel(Inference("axiom", (less,), ("less-not-equal", "x", h.args[0], "y", h.args[1])))
        return self.infer("cut", (known, t), ())

    @rule(target=theorems, t=st.one_of(numbers, tensors), other=st.one_of(numbers, integers), f=tensors, pick=PICK,
          crooked=CROOKED)  # fmt: skip
    def congruence(self, t: Term, other: Term, f: Term, pick: int, crooked: bool) -> Made:
        places = [p for p in range(len(t.args)) if crooked or not (t.args[p].loose or t.args[p].sort == "proposition")]
        places = [p for p in places if pick >> p & 1 or len(places) == 1]
        made = [self.equation(t.args[p], f if t.args[p].rank else other, pick) for p in places if not t.args[p].loose]
        if crooked:
            made.reverse()
        return self.infer("congruence", made, (t, *places[: len(made)]))

    @rule(target=theorems, s=numbers, lo=integers, hi=integers, kind=st.integers(0, 2), w=st.sampled_from((i, k, n)),
          how=st.integers(0, 4), pick=PICK, crooked=CROOKED)  # fmt: skip
    def under(self, s: Term, lo: Term, hi: Term, kind: int, w: Term, how: int, pick: int, crooked: bool) -> Made:
        t = comprehension((i,), s) if kind == 2 else (total, greatest)[kind](i, lo, hi, s)
        inner = instantiate(t.args[-1], (w,))
        low, high = relation("le", lo, w), relation("le", w, hi)
        fitting = [e for e in self.made if e.conclusion.op == "eq" and e.conclusion.args[0] == inner]
        if fitting and how == 0:
            e = fitting[pick % len(fitting)]
        elif how < 3:  # the range is used
            c = low if how == 1 else high
            e = _turned(by_kernel(Inference("choose", (assume(c),), (when(c, inner, ZERO),))))
        elif how == 3:
            e = by_kernel(Inference("ring", (), (inner, add(inner, ZERO))))
        else:
            e = self.equation(inner, s, pick)
        if crooked:
            t = (total, greatest)[kind % 2](i, lo, add(hi, ONE), s)
        return self.infer("under", (e,), (t, w))

    def _if(self, t: Term, p: Term, s: Term) -> Term:
        if t.op == "if":
            return t
        condition = p if p.op != "forall" and all(z.sort == "integer" for z in p.args) else relation("le", i, n)
        return when(condition, t, s)

    @rule(target=theorems, t=numbers, p=propositions, s=numbers, other=numbers, pick=PICK, crooked=CROOKED)
    def branch(self, t: Term, p: Term, s: Term, other: Term, pick: int, crooked: bool) -> Made:
        t = self._if(t, p, s)
        c, one, two = t.args
        then = by_kernel(Inference("choose", (assume(c),), (when(c, one, other),)))
        then = _turned(then) if pick % 2 and not crooked else self.equation(one, other, pick)
        if pick % 3 == 0 and negation(c) != c:
            els = by_kernel(Inference("choose", (assume(negation(c)),), (when(c, other, two),)))
            els = _turned(els)
        else:
            els = self.equation(two, other, pick)
        return self.infer("branch", (els, then) if crooked else (then, els), (t,))

    @rule(target=theorems, t=numbers, p=propositions, s=numbers, pick=PICK, crooked=CROOKED)
    def choose(self, t: Term, p: Term, s: Term, pick: int, crooked: bool) -> Made:
        t = self._if(t, p, s)
        c = t.args[0] if pick % 2 else negation(t.args[0])
        if crooked:
            c = relation(c.op, c.args[1], c.args[0])
        return self.infer("choose", (self.known(c, pick),), (t,))

    @rule(target=theorems, t=theorems, other=numbers, pick=PICK, crooked=CROOKED)
    def relate(self, t: Theorem, other: Term, pick: int, crooked: bool) -> Made:
        p = t.conclusion
        places = [j for j in (0, 1) if pick >> j & 1] if p.op != "forall" else [0]
        made = [self.equation(p.args[j], other, pick >> 2) for j in places]
        return self.infer("relate", (t, *(made[::-1] if crooked else made)), places)

    @rule(target=theorems, t=theorems, p=propositions, pick=PICK, crooked=CROOKED)
    def cases(self, t: Theorem, p: Term, pick: int, crooked: bool) -> Made:
        """On a hypothesis of one of two theorems with one conclusion, or weakened ones."""
        plain = [h for h in sorted(t.hypotheses, key=repr) if h.op != "forall" and not h.args[0].rank]
        h = plain[pick % len(plain)] if plain and pick % 3 else p
        if h.op == "forall" or h.args[0].rank:
            return self.infer("cases", (t, t), (h,))
        others = [s for s in self.made if s.conclusion == t.conclusion and s is not t]
        other = others[pick % len(others)] if others else t
        clash = [s for s in self.made if s.conclusion == ABSURD and negation(h) in s.hypotheses]
        if clash and t.conclusion.op != "forall" and not t.conclusion.args[0].rank:
            other = by_kernel(Inference("absurd", (clash[pick % len(clash)],), (t.conclusion,)))
        return self.infer("cases", (other, t) if crooked else (t, other), (h,))

    @rule(target=theorems, p=propositions, how=st.integers(0, 2), pick=PICK)
    def clash(self, p: Term, how: int, pick: int) -> Made:
        """A contradiction from a proposition and its negation, to be used by `absurd` and `cases`."""
        if p.op == "forall" or p.args[0].rank:
            return multiple()
        given = (self.known(p, pick), self.known(negation(p), pick))
        if p.op in ("eq", "ne"):
            given = given if p.op == "eq" else given[::-1]
            return self.infer("axiom", given, ("contradiction", "x", p.args[0], "y", p.args[1]))
        return self.infer("linear", given, (ABSURD, 1, how))

    @rule(target=theorems, p=propositions, pick=PICK, crooked=CROOKED)
    def absurd(self, p: Term, pick: int, crooked: bool) -> Made:
        fitting = [t for t in self.made if t.conclusion == ABSURD]
        if not fitting or crooked:
            return self.infer("absurd", (self.known(ABSURD, pick),), (p,))
        t = fitting[pick % len(fitting)]
        plain = [h for h in sorted(t.hypotheses, key=repr) if h.op != "forall" and not h.args[0].rank]
        return self.infer("absurd", (t,), (negation(plain[pick % len(plain)]) if plain and pick % 4 else p,))

    @rule(target=theorems, t=theorems, s=numbers, m=integers, f=tensors, pick=PICK)
    def specialise(self, t: Theorem, s: Term, m: Term, f: Term, pick: int) -> Made:
        free = sorted({w for p in (*t.hypotheses, t.conclusion) for w in free_variables(p)}, key=repr) or [x]
        values = {free[pick % len(free)], free[pick // 7 % len(free)]}
        given = [z for w in sorted(values, key=repr) for z in (w, f if w.rank == 1 else m if pick % 2 else s)]
        return self.infer("specialise", (t,), given)

    @rule(target=theorems, t=theorems, w=st.sampled_from((i, k, n)), lo=integers, hi=integers, crooked=CROOKED)
    def generalise(self, t: Theorem, w: Term, lo: Term, hi: Term, crooked: bool) -> Made:
        if not crooked:
            lows = [h.args[0] for h in t.hypotheses if h.op == "le" and h.args[1] == w and h.args[0].sort == "integer"]
            highs = [h.args[1] for h in t.hypotheses if h.op == "le" and h.args[0] == w and h.args[1].sort == "integer"]
            lo, hi = min([*lows, lo][:1], key=repr), min([*highs, hi][:1], key=repr)
        return self.infer("generalise", (t,), (w, lo, hi))

    @rule(target=theorems, p=propositions, m=integers, w=st.sampled_from((i, k)), lo=integers, hi=integers, pick=PICK,
          crooked=CROOKED)  # fmt: skip
    def at(self, p: Term, m: Term, w: Term, lo: Term, hi: Term, pick: int, crooked: bool) -> Made:
        fitting = [t for t in self.made if t.conclusion.op == "forall"]
        t = fitting[pick % len(fitting)] if fitting and pick % 3 else assume(forall(w, lo, hi, p))
        lo, hi = t.conclusion.args[:2]
        low, high = (self.known(q, pick) for q in (relation("le", lo, m), relation("le", m, hi)))
        return self.infer("at", (t, high, low) if crooked else (t, low, high), (m,))

    @rule(target=theorems, p=propositions, s=numbers, lo=integers, c=NUMERAL, w=st.sampled_from((k, i)),
          op=st.sampled_from(("le", "lt", "eq")), crooked=CROOKED)  # fmt: skip
    def induction(self, p: Term, s: Term, lo: Term, c: Term, w: Term, op: str, crooked: bool) -> Made:
        """Of something that grows with the index, or of anything where the start and the step can be found."""
        if op != "eq" and w not in free_variables(s) | free_variables(lo):
            p = relation(op, s, add(s, mul(c, sub(w, lo)), *((ONE,) if op == "lt" else ())))
        elif op == "eq":
            p = relation("eq", total(n, lo, w, mul(c, entry(u, n))), mul(c, total(n, lo, w, entry(u, n))))
        following = substitute(p, {w: add(w, ONE)})
        start = _found(substitute(p, {w: lo}), ()) or assume(substitute(p, {w: lo}))
        step = _found(following, (p, relation("le", lo, w))) or assume(following)
        if crooked:
            lo = add(lo, num(-1))
        return self.infer("induction", (start, step), (p, w, lo))

    @rule(target=theorems, t=st.one_of(numbers, tensors), names=st.sets(st.sampled_from(NAMES)))
    def definition(self, t: Term, names: set[str]) -> Made:
        return self.infer("definition", (), (t, *sorted(names)))

    @rule(target=theorems, r=numbers, s=numbers, t=numbers, pick=PICK)
    def rings(self, r: Term, s: Term, t: Term, pick: int) -> Made:
        """Some forms that are equal, with what must not be zero for that, or less, or with one of them changed."""
        random = Random(f"{pick} {r} {s} {t} {len(self.made)}")
        made = [self.ring(form, random.randrange(5), pick) for form in random.sample(forms(r, s, t), FORMS)]
        return multiple(*(t for t in made if isinstance(t, Theorem)))

    def ring(self, form: tuple[Term, Term, tuple[Term, ...]], given: int, pick: int) -> Made:
        left, right, nonzero = form
        wanted = [relation("ne", z, ZERO) for z in nonzero]
        if given == 1 and len(nonzero) == 2:
            wanted = [relation("ne", mul(*nonzero), ZERO)]
        made = [self.known(p, pick) for p in (wanted[:-1] if given == 0 else wanted)]
        if given == 4:
            right = add(right, num(pick % 2))
        return self.infer("ring", made, (right, left) if pick % 2 else (left, right))

    @rule(target=theorems, ts=st.lists(theorems, max_size=3), op=st.sampled_from(("le", "lt")),
          s=st.one_of(numbers, integers),
          factors=st.lists(st.sampled_from((1, 2, Fraction(1, 2), 0, -1)), min_size=3, max_size=3),
          slack=st.sampled_from((0, 0, 1, -1, Fraction(1, 2), Fraction(-1, 2), Fraction(-1, 3))))  # fmt: skip
    def linear(self, ts: list[Theorem], op: str, s: Term, factors: list[Fraction], slack: Fraction) -> Made:
        """A sum of multiples, with a constant that may be too large or be owed to rounding between integers."""
        used = [t for t in ts if t.conclusion.op in ("eq", "le", "lt") and not t.conclusion.args[0].rank]
        whole = [t for t in used if all(z.sort == "integer" for z in t.conclusion.args)]
        if used == whole:  # no fractions, so that all is between integers, and rounding may count
            factors, slack = [Fraction(f).numerator for f in factors], Fraction(slack).numerator
        left, right = [s], [s, num(slack)]
        for t, f in zip(used, factors, strict=False):
            left.append(mul(num(f), t.conclusion.args[0]))
            right.append(mul(num(f), t.conclusion.args[1]))
        return self.infer("linear", used, (relation(op, add(*left, ZERO), add(*right)), *factors[: len(used)]))

    @rule(target=theorems, op=st.sampled_from(("le", "lt", "ne")), s=CLOSED, t=CLOSED,
          bits=st.sampled_from((20, 64, 100)))  # fmt: skip
    def bound(self, op: str, s: Term, t: Term, bits: int) -> Made:
        return self.infer("bound", (), (relation(op, s, t), bits))

    @rule(target=theorems, first=PICK, pick=PICK, xs=st.tuples(numbers, numbers),
          zs=st.tuples(*[integers] * 5), fs=st.tuples(tensors, tensors), crooked=CROOKED)  # fmt: skip
    def axioms(
        self, first: int, xs: tuple[Term, ...], zs: tuple[Term, ...], fs: tuple[Term, ...], pick: int, crooked: bool
    ) -> Made:
        """Some rows of the table, with the same values where their variables are called the same."""
        names = Random(f"{first} {pick} {xs} {zs} {fs} {len(self.made)}").sample(TABLE, ROWS)
        made = [self.axiom(name, xs, zs, fs, pick, crooked) for name in names]
        return multiple(*(t for t in made if isinstance(t, Theorem)))

    def axiom(
        self, name: str, xs: tuple[Term, ...], zs: tuple[Term, ...], fs: tuple[Term, ...], pick: int, crooked: bool
    ) -> Made:
        row = AXIOMS[name]
        matrix = comprehension((i, k), mul(entry(fs[0], i), entry(fs[1], k)) if pick % 2 else entry(a, k, i))
        drawn = {**dict(zip("abkmn", zs, strict=True)), "c": zs[2], "d": zs[3], "i": zs[4], "j": zs[0]}
        drawn |= {"x": xs[0], "y": xs[1], "f": fs[0], "g": fs[1], "h": matrix}
        free = {w for p in (*row.premises, row.conclusion) for w in free_variables(p)}
        values = {w: drawn[str(w.data)] for w in sorted(free, key=repr)}
        wanted = [unfold(substitute(p, values), ()) for p in row.premises]
        if any(p.size > LARGE for p in wanted):
            return None
        if crooked and wanted:
            wanted = wanted[::-1] if len(wanted) > 1 else [relation("le", ZERO, ONE)]
        made = [self.known(p, pick) for p in wanted]
        return self.infer("axiom", made, (name, *(s for w, t in values.items() for s in (str(w.data), t))))


def forms(r: Term, s: Term, t: Term) -> tuple[tuple[Term, Term, tuple[Term, ...]], ...]:
    """Two forms of one rational function, and what must not be zero for them to be equal."""
    return (
        (mul(r, add(s, t)), add(mul(r, s), mul(t, r)), ()),
        (power(add(r, s), TWO), add(power(r, TWO), mul(TWO, r, s), mul(s, s)), ()),
        (mul(div(r, s), s), r, (s,)),
        (add(div(r, s), div(t, s)), div(add(r, t), s), ()),
        (add(div(r, s), div(s, t)), div(add(mul(r, t), mul(s, s)), mul(s, t)), (s, t)),
        (div(r, r), ONE, (r,)),
        (power(r, ZERO), ONE, (r,)),
        (power(r, num(-1)), div(ONE, r), (r,)),
        (div(ONE, mul(r, s)), mul(div(ONE, r), div(ONE, s)), (r, s)),
        (mul(ZERO, r), ZERO, ()),
        (div(r, div(s, t)), div(mul(r, t), s), (s, t)),
        (neg(sub(r, s)), sub(s, r), ()),
    )


def _turned(e: Theorem) -> Theorem:
    s = e.conclusion.args[0]
    return by_kernel(Inference("relate", (by_kernel(Inference("ring", (), (s, s))), e), (0,)))


def _found(goal: Term, given: tuple[Term, ...]) -> Theorem | None:
    return prove(goal, Context(given))


def run(number: int, *, shrink: bool = True) -> Counter[str]:
    """Some sequences of steps from a seed, with counts; raises `Fault`, at the shortest sequence if it is shrunk."""
    before = Rules.counts
    Rules.counts = Counter()
    machine = seed(number)(type("SeededRules", (Rules,), {}))
    phases = SETTINGS.phases if shrink else (Phase.generate,)
    try:
        run_state_machine_as_test(machine, settings=settings(SETTINGS, phases=phases))
        return Rules.counts
    finally:
        Rules.counts = before


def runs(most: int) -> None:
    """Up to so many runs, ended by the first `Fault`, as it was found."""
    for number in range(most):
        run(number, shrink=False)
