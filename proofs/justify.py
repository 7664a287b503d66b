"""Finding the reason for a step: from two lines to a kernel theorem that joins them, or None.

Both sides are brought to normal form; a ring step closes what normal forms leave open (compound denominators),
then equations among the hypotheses are used as polynomials, sums with equal bodies are recognised, sums are cut
at each other's ends, and undecided conditions are taken case by case. Everything found is kernel inferences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs import kernel
from proofs.context import ONE, ZERO, Context, definitions_in, sym
from proofs.kernel import KernelError, Theorem
from proofs.masks import conditions, cut_points
from proofs.normalise import REASONS, Normaliser, chain
from proofs.order import ORDER, PART, Order
from proofs.polynomials import (
    Monomial,
    Polynomial,
    TooLarge,
    constant,
    leading,
    monomial,
    ordered,
    plus,
    read,
    times,
    write,
)
from proofs.terms import (
    Term,
    TermError,
    add,
    binds,
    free_variables,
    instantiate,
    neg,
    negation,
    num,
    relation,
    sub,
    substitute,
    total,
    unfold,
)  # fmt: skip

MAX_CASES = 4
MAX_ATTEMPTS = 6


@dataclass(frozen=True)
class Justified:
    """A theorem for a step, and the codes of the reasons that it needed (empty: arithmetic alone)."""

    theorem: Theorem
    reasons: tuple[str, ...]


def prove(goal: Term, ctx: Context, reasons: Iterable[str] = REASONS) -> Theorem | None:
    """A theorem ``assumptions |- goal`` for a relation or a bounded 'for all', with the given reasons switched on."""
    on = frozenset(reasons)
    if goal.op == "forall":
        v = ctx.fresh()
        lo, hi, body = goal.args
        inner = prove(instantiate(body, (v,)), ctx.within(v, lo, hi), on)
        return None if inner is None else kernel.generalise(inner, v, lo, hi)
    try:
        if goal.op == "eq":
            return _equal(goal.args[0], goal.args[1], ctx, on, MAX_CASES) or _squeezed(goal, ctx, on)
        return _ordered(goal, ctx, on)
    except (KernelError, TermError, TooLarge, RecursionError):
        return None


def justify(goal: Term, ctx: Context) -> Justified | None:
    """A theorem for the step, with a set of reasons of which none can be left out."""
    plain = prove(goal, ctx, ())
    if plain is not None:
        return Justified(plain, ())
    best = prove(goal, ctx)
    if best is None:
        return None
    used = [r for r in REASONS if r in _used(best)]
    found = prove(goal, ctx, used)
    if found is None:  # a conversion that leaves no trace in the proof was needed too
        used = list(REASONS)
    else:
        best = found
    for r in list(used):
        fewer = [x for x in used if x != r]
        found = prove(goal, ctx, fewer)
        if found is not None:
            used, best = fewer, found
    return Justified(best, tuple(used))


TRACES = {
    "exp-sum": "exp of a sum", "exp-multiple": "exp of a sum", "exp-zero": "exp of a sum",
    "sum-factor": "constant factor", "sum-add": "sum of a sum", "sum-constant": "constant sum",
    "sum-one": "single term", "sum-empty": "empty sum", "sum-split": "split a sum", "sum-shift": "shift the index",
    "sum-swap": "swap sums", "power-sum": "power", "power-sum-nonnegative": "power", "power-power": "power",
    "power-product": "power", "ln-product": "logarithm", "ln-power": "logarithm", "ln-exp": "logarithm",
    "exp-ln": "logarithm", "root-squared": "root", "root-product": "root", "root-of-square": "root",
    "max-left": "maximum", "max-right": "maximum", "exp-increasing": "order", "exp-tangent": "order",
    "ln-increasing": "order", "root-increasing": "order", "sum-monotone": "order", "max-member": "order",
    "reciprocal-positive": "order", "antisymmetry": "order", "sum-member": "part of a sum",
}  # fmt: skip


def _used(theorem: Theorem) -> set[str]:
    """The reasons that leave a trace in a proof."""
    found: set[str] = set()
    seen: set[int] = set()
    stack = [theorem]
    while stack:
        t = stack.pop()
        if id(t) in seen:
            continue
        seen.add(id(t))
        stack.extend(t.premises)
        if t.rule == "axiom":
            code = TRACES.get(str(t.parameters[0]))
            if code is not None:
                found.add(code)
        elif t.rule == "definition" and len(t.parameters) > 1:
            found.add("definition")
        elif t.rule == "ring" and t.premises:
            found.add("cancel")
        elif t.rule in ("choose", "branch"):
            found.add("condition")
        elif t.rule == "induction":
            found.add("induction")
        elif t.rule == "assume" and t.conclusion.op in ("eq", "forall"):
            found.add("hypothesis")
    if "condition" in found:
        found.add("split a sum")
    return found


# --- equations ---------------------------------------------------------------------------------------------


def _equal(a: Term, b: Term, ctx: Context, on: frozenset[str], cases: int) -> Theorem | None:
    if a == b:
        return kernel.congruence(a, {})
    if a.rank:
        return _equal_tensors(a, b, ctx, on)
    if not cases:
        return _by_normal_forms(a, b, ctx, on, (), {})
    if (a.op == "if") != (b.op == "if") and "condition" in on:
        c = (a if a.op == "if" else b).args[0]
        if _in_scope(c, ctx) and ctx.decide(c) is None:
            return _by_cases(a, b, c, ctx, on, cases)
    side_by_side = _side_by_side(a, b, ctx, on)
    if side_by_side is not None:
        return side_by_side
    wanted: dict[Term, None] = {}
    tried: list[tuple[Term, ...]] = []
    for level in (0, 1, 2):
        cuts = _cut_points(a, b, level, ctx) if level and "split a sum" in on else ()
        if level and (not cuts or cuts in tried):
            break
        tried.append(cuts)
        found = _by_normal_forms(a, b, ctx, on, cuts, wanted)
        if found is not None:
            return found
    if cases and "condition" in on:
        for c in wanted:
            if not _in_scope(c, ctx) or c in ctx.assumptions:
                continue
            found = _by_cases(a, b, c, ctx, on, cases)
            if found is not None:
                return found
    if (
        cases and "condition" in on and "swap sums" in on and _has_condition(a)
    ):  # a mask with both indices: the order of the sums first
        found = _by_normal_forms(a, b, ctx, on - {"condition"}, (), {})
        if found is not None:
            return found
    return _by_induction(a, b, ctx, on) if cases and "induction" in on else None


def _has_condition(t: Term) -> bool:
    return t.op == "if" or any(map(_has_condition, t.args))


def _by_induction(a: Term, b: Term, ctx: Context, on: frozenset[str]) -> Theorem | None:
    """Induction on the upper end of a sum, a size; what else is supposed of it is not used."""
    inner = on - {"induction"} | {"split a sum", "single term"}
    ends = dict.fromkeys(s.args[1] for t in (a, b) for s in _sums(t) if s.args[1].op == "var")
    for n in ends:
        if relation("le", ONE, n) not in ctx.assumptions:
            continue
        k = ctx.fresh()
        rest = Context([p for p in ctx.assumptions if n not in free_variables(p)], ctx.depth + 1)
        claim = substitute(relation("eq", a, b), {n: k})
        first = substitute(claim, {k: ONE})
        start = _equal(first.args[0], first.args[1], rest, inner, 1)
        if start is None:
            continue
        following = substitute(claim, {k: add(k, ONE)})
        step = _step(claim, following, rest.under(relation("le", ONE, k), claim), k, inner)
        if step is None:
            continue
        every = kernel.induction(claim, k, ONE, start, step)
        return kernel.specialise(every, {k: n})
    return None


def _step(claim: Term, following: Term, ctx: Context, k: Term, on: frozenset[str]) -> Theorem | None:
    """The case k + 1 from the case k: the last terms apart, then what is supposed of k."""
    n = Normaliser(on - {"shift the index"}, (k,))
    left, e = n.normal(following.args[0], ctx)
    right, f = n.normal(following.args[1], ctx)
    p, q = n.polynomial(left, ctx)[0], n.polynomial(right, ctx)[0]
    plain = _plain(n)
    sides = {}
    for side in (0, 1):
        _, g = plain.normal(claim.args[side], ctx)
        if g is not None:
            sides[side] = g
    known = kernel.relate(kernel.assume(claim), sides) if sides else kernel.assume(claim)
    form = plus(n.polynomial(known.conclusion.args[0], ctx)[0], n.polynomial(known.conclusion.args[1], ctx)[0], -1)
    rest, cofactor = plus(p, q, -1), constant(0)
    for _ in range(20):
        if not rest or not form:
            break
        quotient = _divide(rest, form)
        if quotient is None:
            break
        cofactor = plus(cofactor, quotient)
        rest = plus(rest, times(quotient, form), -1)
    if rest:
        return None
    middle = n.rewrite(p, q, [(cofactor, known)], ctx) if cofactor else _close(left, right, n, ctx)
    if middle is None and left != right:
        return None
    return chain(e, middle, None if f is None else sym(f)) or kernel.congruence(left, {})


def _by_cases(a: Term, b: Term, c: Term, ctx: Context, on: frozenset[str], cases: int) -> Theorem | None:
    holds = _equal(a, b, ctx.under(c), on, cases - 1)
    fails = _equal(a, b, ctx.under(negation(c)), on, cases - 1) if holds is not None else None
    return None if holds is None or fails is None else kernel.cases(c, holds, fails)


def _side_by_side(a: Term, b: Term, ctx: Context, on: frozenset[str]) -> Theorem | None:
    """Two lines that differ in a few places: these places by normal forms, the rest by congruence."""
    if "definition" in on and (names := sorted(definitions_in(a) | definitions_in(b))):
        left, right = (unfold(t, names) for t in (a, b))
        found = _alongside(left, right, ctx, on, [MAX_ATTEMPTS])
        if found is None:
            return None
        back = None if right == b else sym(kernel.definition(b, names))
        return chain(None if left == a else kernel.definition(a, names), found, back)
    return _alongside(a, b, ctx, on, [MAX_ATTEMPTS])


def _alongside(a: Term, b: Term, ctx: Context, on: frozenset[str], left: list[int]) -> Theorem | None:
    """``a = b``, the deepest differing parts first; `left` counts down the attempts by normal forms."""
    if a == b:
        return kernel.congruence(a, {})
    found = _inside(a, b, ctx, on, left) if a.op == b.op and a.data == b.data and len(a.args) == len(b.args) else None
    if found is not None or a.rank or not left[0]:
        return found
    left[0] -= 1
    try:
        return _by_normal_forms(a, b, ctx, on, (), {})
    except (KernelError, TermError, TooLarge):
        return None


def _inside(a: Term, b: Term, ctx: Context, on: frozenset[str], left: list[int]) -> Theorem | None:
    if binds(a):
        if a.args[:-1] != b.args[:-1]:
            return None
        place, vs = ctx, []
        if a.op == "lam":
            for _ in range(binds(a)):
                vs.append(place.fresh())
                place = place.under()
        else:
            vs.append(ctx.fresh())
            place = ctx.within(vs[0], a.args[0], a.args[1])
        e = _alongside(instantiate(a.args[-1], vs), instantiate(b.args[-1], vs), place, on, left)
        return None if e is None else kernel.under(a, e, vs)
    if a.op == "if":
        if a.args[0] != b.args[0]:
            return None
        then = _alongside(a.args[1], b.args[1], ctx.under(a.args[0]), on, left)
        other = _alongside(a.args[2], b.args[2], ctx.under(negation(a.args[0])), on, left) if then else None
        return None if then is None or other is None else kernel.branch(a, then, other)
    equal: dict[int, Theorem] = {}
    for k, (x, y) in enumerate(zip(a.args, b.args, strict=True)):
        if x != y:
            e = _alongside(x, y, ctx, on, left)
            if e is None:
                return None
            equal[k] = e
    return kernel.congruence(a, equal)


def _in_scope(c: Term, ctx: Context) -> bool:
    """Whether every index named by depth in `c` is bound outside the place of `ctx`."""
    names = [str(v.data) for v in free_variables(c)]
    return all(not s.startswith("!") or int(s[1:]) < ctx.depth for s in names)


def _equal_tensors(a: Term, b: Term, ctx: Context, on: frozenset[str]) -> Theorem | None:
    if "definition" in on and "app" in (a.op, b.op):
        unfold_a, unfold_b = (kernel.definition(t, sorted(definitions_in(t))) for t in (a, b))
        left, right = unfold_a.conclusion.args[1], unfold_b.conclusion.args[1]
        same = None if (left, right) == (a, b) else _equal(left, right, ctx, on, 0)
        return None if same is None else chain(unfold_a, same, sym(unfold_b))
    if a.op == b.op == "lam":
        place, vs = ctx, []
        for _ in range(binds(a)):
            vs.append(place.fresh())
            place = place.under()
        e = _equal(instantiate(a.args[0], vs), instantiate(b.args[0], vs), place, on, MAX_CASES)
        return None if e is None else kernel.under(a, e, vs)
    return None


def _by_normal_forms(
    a: Term, b: Term, ctx: Context, on: frozenset[str], cuts: tuple[Term, ...], wanted: dict[Term, None]
) -> Theorem | None:
    n = Normaliser(on, cuts)
    for _ in range(4):
        left, e = n.normal(a, ctx)
        units = dict(n.units)
        right, f = n.normal(b, ctx)
        if all(n.units[k] == u for k, u in units.items()):
            break
    wanted.update(n.wanted)
    middle = _close(left, right, n, ctx)
    if left != right and middle is None:
        return None
    done = chain(e, middle, None if f is None else sym(f))
    return kernel.congruence(a, {}) if done is None else done


def _close(left: Term, right: Term, n: Normaliser, ctx: Context) -> Theorem | None:
    """``left = right`` between normal forms."""
    if left == right:
        return None
    p, facts = n.polynomial(left, ctx)
    q, more = n.polynomial(right, ctx)
    try:
        return kernel.ring(left, right, [*facts, *(t for t in more if t not in facts)])
    except KernelError:
        pass
    found = _modulo_hypotheses(p, q, n, ctx)
    if found is None:
        found = _matching_atoms(left, right, p, q, n, ctx)
    if found is None and "sum of a sum" in n.on:
        found = _merged_sums(left, right, p, q, n, ctx)
    return found


def _modulo_hypotheses(p: Polynomial, q: Polynomial, n: Normaliser, ctx: Context) -> Theorem | None:
    """Two polynomials that differ by multiples of equations among the hypotheses."""
    if "hypothesis" not in n.on:
        return None
    rules: list[tuple[Polynomial, Theorem]] = []
    for fact in ctx.facts:
        c = fact.conclusion
        if c.op != "eq" or c.args[0].rank:
            continue
        sides = {}
        for k in (0, 1):
            _, e = _plain(n).normal(c.args[k], ctx)
            if e is not None:
                sides[k] = e
        e = kernel.relate(fact, sides) if sides else fact
        form = plus(n.polynomial(e.conclusion.args[0], ctx)[0], n.polynomial(e.conclusion.args[1], ctx)[0], -1)
        if form and form.keys() != {()}:
            rules.append((form, e))
    if not rules:
        return None
    rest = plus(p, q, -1)
    cofactors: list[Polynomial] = [{} for _ in rules]
    for _ in range(200):
        for k, (form, _) in enumerate(rules):
            step = _divide(rest, form)
            if step is not None:
                cofactors[k] = plus(cofactors[k], step)
                rest = plus(rest, times(step, form), -1)
                break
        else:
            return None
        if not rest:
            by = [(c, e) for c, (_, e) in zip(cofactors, rules, strict=True) if c]
            return n.rewrite(p, q, by, ctx)
    return None


def _plain(n: Normaliser) -> Normaliser:
    """The same conversions without rewriting by hypotheses."""
    other = Normaliser(n.on - {"hypothesis"})
    other.units = n.units
    return other


def _divide(p: Polynomial, form: Polynomial) -> Polynomial | None:
    """A term of the quotient of `p` by `form`: some monomial of p is a multiple of form's first."""
    m, c = leading(form)
    divisor = dict(m)
    for k, x in ordered(p):
        here = dict(k)
        if all(here.get(a, 0) >= e > 0 or (e < 0 and here.get(a, 0) <= e) for a, e in divisor.items()):
            rest = monomial([(a, here.get(a, 0) - divisor.get(a, 0)) for a in here.keys() | divisor.keys()])
            return {rest: x / c}
    return None


def _atoms(p: Polynomial) -> list[Term]:
    return list(dict.fromkeys(a for m, _ in ordered(p) for a, _ in m))


def _matching_atoms(
    left: Term, right: Term, p: Polynomial, q: Polynomial, n: Normaliser, ctx: Context
) -> Theorem | None:
    """Atoms that look different and are equal inside (bodies equal up to a compound denominator, say)."""
    mine, theirs = _atoms(p), _atoms(q)
    done: Theorem | None = None
    for x in [a for a in mine if a not in theirs]:
        for y in [a for a in theirs if a not in mine]:
            if x.op != y.op or x.op in ("var", "num") or len(x.args) != len(y.args):
                continue
            e = _same(x, y, n, ctx)
            if e is None:
                continue
            step = _replaced(left, x, e)
            if step is not None:
                done = chain(done, step)
                left = step.conclusion.args[1]
            break
    if done is None:
        return None
    if left == right:
        return done
    facts = [*n.polynomial(left, ctx)[1], *n.polynomial(right, ctx)[1]]
    try:
        return chain(done, kernel.ring(left, right, facts))
    except KernelError:
        return None


def _same(x: Term, y: Term, n: Normaliser, ctx: Context) -> Theorem | None:
    if x.data != y.data or (x.op == "if" and x.args[0] != y.args[0]):
        return None
    if binds(x):
        if x.args[:-1] != y.args[:-1]:
            return None
        place, vs = ctx, []
        if x.op == "lam":
            for _ in range(binds(x)):
                vs.append(place.fresh())
                place = place.under()
        else:
            vs.append(ctx.fresh())
            place = ctx.within(vs[0], x.args[0], x.args[1])
        e = _closed(instantiate(x.args[-1], vs), instantiate(y.args[-1], vs), n, place)
        return None if e is None else kernel.under(x, e, vs)
    if x.op == "if":
        sides = []
        for k, c in ((1, x.args[0]), (2, negation(x.args[0]))):
            s = _closed(x.args[k], y.args[k], n, ctx.under(c))
            if s is None:
                return None
            sides.append(s)
        return kernel.branch(x, sides[0], sides[1])
    equal = {}
    for k, (mine, other) in enumerate(zip(x.args, y.args, strict=True)):
        if mine != other:
            e = None if mine.rank else _closed(mine, other, n, ctx)
            if e is None:
                return None
            equal[k] = e
    return kernel.congruence(x, equal)


def _closed(s: Term, t: Term, n: Normaliser, ctx: Context) -> Theorem | None:
    return kernel.congruence(s, {}) if s == t else _close(s, t, n, ctx)


def _replaced(t: Term, x: Term, e: Theorem) -> Theorem | None:
    """``t = t'`` with the atom `x` replaced by what `e` says it equals, outside binders."""
    if t == x:
        return e
    equal = {}
    for k, a in enumerate(t.args[: len(t.args) - (binds(t) > 0)]):
        if not a.rank:
            s = _replaced(a, x, e)
            if s is not None:
                equal[k] = s
    return kernel.congruence(t, equal) if equal and t.sort != "proposition" else None


def _merged_sums(left: Term, right: Term, p: Polynomial, q: Polynomial, n: Normaliser, ctx: Context) -> Theorem | None:
    """Sums over one range whose bodies cancel only together: ``sum(x/(1+x)) = n - sum(1/(1+x))``."""
    rest = plus(p, q, -1)
    groups: dict[tuple[Term, Term, Monomial], list[tuple[Term, Fraction]]] = {}
    for m, c in ordered(rest):
        sums = [a for a, e in m if a.op == "sum" and e == 1]
        if len(sums) == 1:
            outer = tuple((a, e) for a, e in m if a is not sums[0])
            groups.setdefault((sums[0].args[0], sums[0].args[1], outer), []).append((sums[0], c))
    for (lo, hi, outer), members in groups.items():
        v = ctx.fresh()
        place = ctx.within(v, lo, hi)
        body = constant(_constant_summand(rest, outer, lo, hi))
        for s, c in members:
            body = plus(body, n.polynomial(instantiate(s.args[2], (v,)), place)[0], c)
        inside = write(body)
        whole = total(v, lo, hi, inside)
        try:
            none = kernel.under(whole, kernel.ring(inside, ZERO, n.polynomial(inside, place)[1]), (v,))
        except KernelError:
            continue
        flat, e = n.normal(whole, ctx)
        empty, f = n.normal(none.conclusion.args[1], ctx)
        zero = chain(None if e is None else sym(e), none, f)
        one = {outer: Fraction(1)}
        if zero is not None and empty == ZERO and not plus(rest, times(one, read(flat)), -1):
            return n.rewrite(p, q, [(one, zero)], ctx)
    return None


def _constant_summand(rest: Polynomial, outer: Monomial, lo: Term, hi: Term) -> Fraction:
    """c where ``rest`` holds ``c * outer * (hi - lo + 1)``: what was a constant summand in a sum over that range."""
    length = read(add(hi, num(1), neg(lo)))
    if not length:
        return Fraction(0)
    m, c = leading(length)
    return rest.get(monomial([*outer, *m]), Fraction(0)) / c


def _cut_points(a: Term, b: Term, level: int, ctx: Context) -> tuple[Term, ...]:
    """Where sums of one side end, as places to cut those of the other; at level 2, first and last terms too."""
    found: dict[Term, None] = {}
    for t in (a, b):
        for s in _sums(unfold(t, definitions_in(t))):
            lo, hi = s.args[0], s.args[1]
            if lo.loose or hi.loose:
                continue
            v = ctx.fresh()
            body = instantiate(s.args[2], (v,)) if s.args[2].loose <= 1 else s.args[2]
            points = [sub(lo, ONE), hi, *(m for c in conditions(body, v) for m in cut_points(c, v))]
            if level == 2:
                points += [lo, sub(hi, ONE)]
            for m in points:
                found.setdefault(write(read(m)))
    return tuple(found) if len(found) <= 12 else ()


def _sums(t: Term) -> Iterator[Term]:
    if t.op == "sum":
        yield t
    for x in t.args:
        yield from _sums(x)


# --- inequalities ------------------------------------------------------------------------------------------


def _ordered(goal: Term, ctx: Context, on: frozenset[str]) -> Theorem | None:
    found = ctx.proposition(goal)
    if found is not None:
        return found
    n = Normaliser(on)
    a, e = n.normal(goal.args[0], ctx)
    b, f = n.normal(goal.args[1], ctx)
    found = ctx.proposition(relation(goal.op, a, b))
    if found is None and goal.op in ("le", "lt"):
        signs = _signs([*_atoms(read(a)), *_atoms(read(b))], ctx)
        found = ctx.inequality(relation(goal.op, a, b), signs)
    if found is None:
        return _compared(goal, ctx, n) if goal.op in ("le", "lt") and not n.on.isdisjoint((ORDER, PART)) else None
    back = {k: sym(x) for k, x in ((0, e), (1, f)) if x is not None}
    return kernel.relate(found, back) if back else found


def _compared(goal: Term, ctx: Context, n: Normaliser) -> Theorem | None:
    """By monotone functions, sums term by term and parts of sums, with definitions unfolded first."""
    unfolded = {}
    if "definition" in n.on:
        for k, side in enumerate(goal.args):
            e = kernel.definition(side, sorted(definitions_in(side)))
            if e.conclusion.args[1] != side:
                unfolded[k] = e
    sides = [unfolded[k].conclusion.args[1] if k in unfolded else side for k, side in enumerate(goal.args)]
    found = Order(n).prove(relation(goal.op, *sides), ctx)
    if found is None or not unfolded:
        return found
    return kernel.relate(found, {k: sym(e) for k, e in unfolded.items()})


def _squeezed(goal: Term, ctx: Context, on: frozenset[str]) -> Theorem | None:
    """``a = b`` from ``a <= b`` and ``b <= a``, where hypotheses say which numbers are larger."""
    a, b = goal.args
    if a.rank or on.isdisjoint((ORDER, PART)) or not any(map(_bounds_reals, ctx.assumptions)):
        return None
    low = _ordered(relation("le", a, b), ctx, on)
    high = None if low is None else _ordered(relation("le", b, a), ctx, on)
    return None if low is None or high is None else kernel.axiom("antisymmetry", {"x": a, "y": b}, (low, high))


def _bounds_reals(p: Term) -> bool:
    while p.op == "forall":
        p = p.args[2]
    return p.op in ("le", "lt") and any(x.sort != "integer" for x in p.args)


def _signs(atoms: Iterable[Term], ctx: Context) -> list[Theorem]:
    found = []
    for a in dict.fromkeys(atoms):
        s = ctx.positive(a) or ctx.nonnegative(a)
        if s is not None:
            found.append(s)
    return found
