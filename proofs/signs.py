"""Signs and powers: what a change of sign does to a power, to a root of a square and to an absolute value.

A power of a negated base keeps or turns its sign by the parity of the exponent, ``(a - x)^6000 = (x - a)^6000`` and
``(-6)^n = (-1)^n * 6^n``; a root of a square and a maximum are looked at case by case, ``sqrt(g^2) = |g|``. Powers
too high to be multiplied out are taken for numbers of which nothing else is known. Everything found is theorems.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from proofs import kernel
from proofs.context import ONE, ZERO, Context, refl, sym, trans
from proofs.justify import prove
from proofs.kernel import KernelError, Theorem
from proofs.normalise import chain
from proofs.polynomials import Polynomial, TooLarge, constant, leading, read, times, write
from proofs.terms import (
    Term, TermError, add, binds, div, mul, neg, negation, num, power, rebuild, relation, var,
)  # fmt: skip

MAX_CASES = 3
MAX_EXPANDED = 12
MAX_FACTORS = 64
MAX_PRIME = 1_000
MAX_COEFFICIENT = 4_000

_MINUS = num(-1)


def prove_signed(goal: Term, ctx: Context) -> Theorem | None:
    """A theorem ``assumptions |- a = b``, by parity and by cases of sign besides all that `prove` does."""
    found = prove(goal, ctx)
    if found is not None or goal.op != "eq" or goal.args[0].rank:
        return found
    try:
        return _prove_signed(goal, ctx, MAX_CASES)
    except (KernelError, TermError, TooLarge, RecursionError):
        return None


def _prove_signed(goal: Term, ctx: Context, cases: int) -> Theorem | None:
    (a, e), (b, f) = (_signed(t, ctx) for t in goal.args)
    middle = refl(a) if a == b else _abstracted(a, b, ctx)
    if middle is not None:
        return chain(e, middle, None if f is None else sym(f)) or middle
    if not cases:
        return None
    for c in _conditions(*goal.args):
        if ctx.proposition(c) is not None or ctx.proposition(negation(c)) is not None:
            continue
        holds = _prove_signed(goal, ctx.under(c), cases - 1)
        fails = None if holds is None else _prove_signed(goal, ctx.under(negation(c)), cases - 1)
        return None if holds is None or fails is None else kernel.cases(c, holds, fails)
    return None


def _conditions(*terms: Term) -> list[Term]:
    """The cases to look at: the signs in maxima and under roots, and which argument of any other maximum is greater."""
    found: dict[Term, None] = {}

    def look(t: Term) -> None:
        if t.op == "max" and not _opposite(*t.args):
            found.setdefault(relation("le", t.args[1], t.args[0]))
        elif t.op == "max" or t.op == "sqrt":
            found.update(dict.fromkeys(relation("le", ZERO, g) for g in _bases(t.args[0])))
        if not binds(t):
            for x in t.args:
                look(x)

    for t in terms:
        look(t)
    return list(found)


def _opposite(a: Term, b: Term) -> bool:
    try:
        return not read(add(a, b))
    except TooLarge:
        return False


def _bases(t: Term) -> list[Term]:
    """What `t` is a product of powers of, in one sign: ``x`` and ``y - x`` of ``-x^2*(x - y)``."""
    if t.op in ("mul", "div", "neg"):
        return [g for x in t.args for g in _bases(x)]
    if t.op == "pow" and t.args[1].op == "num":
        return _bases(t.args[0])
    if t.op in ("num", "exp", "sqrt", "max"):
        return []
    p = read(t)
    return [write(times(p, constant(-1)) if leading(p)[1] < 0 else p)] if p else []


# --- absolute values and roots, where signs are known -----------------------------------------------------------


def _size(t: Term, ctx: Context) -> tuple[int, Term] | None:
    """The sign of a product of powers and what it is without it, ``t = sign * size`` with ``0 <= size``."""
    if t.op == "num":
        return (1, t) if _data(t) >= 0 else (-1, num(-_data(t)))
    if t.op == "neg":
        inner = _size(t.args[0], ctx)
        return None if inner is None else (-inner[0], inner[1])
    if t.op in ("mul", "div"):
        parts = [_size(x, ctx) for x in t.args]
        sign, sizes = 1, []
        for part in parts:
            if part is None:
                return None
            sign *= part[0]
            sizes.append(part[1])
        return sign, mul(*sizes) if t.op == "mul" else div(*sizes)
    if t.op == "pow" and t.args[1].op == "num" and _data(t.args[1]) > 0:
        inner = _size(t.args[0], ctx)
        if inner is None:
            return None
        return (1 if _data(t.args[1]) % 2 == 0 else inner[0]), power(inner[1], t.args[1])
    for sign, size in ((1, t), (-1, _negated(t))):
        if ctx.nonnegative(size) is not None:
            return sign, size
    return None


def _negated(t: Term) -> Term:
    return write(times(read(t), constant(-1)))


def _absolute(t: Term, ctx: Context) -> Theorem | None:
    """``max(a, -a) = |a|`` where the sign of `a` is known."""
    a, b = t.args
    if not _opposite(a, b):
        return None
    found = _size(a, ctx)
    some = None if found is None else ctx.nonnegative(found[1])
    if found is None or some is None:
        return None
    sign, size = found
    greater, less, row = (a, b, "max-left") if sign > 0 else (b, a, "max-right")
    same = kernel.ring(size, greater, ())
    more = kernel.relate(some, {1: same})
    chosen = kernel.axiom(row, {"x": a, "y": b}, (kernel.linear(relation("le", less, greater), (more,), (2,)),))
    return trans(chosen, sym(same))


def _root(t: Term, ctx: Context) -> Theorem | None:
    """``sqrt(g^2) = |g|`` where the sign of `g` is known."""
    g = _half(t.args[0])
    found = None if g is None else _size(g, ctx)
    some = None if found is None else ctx.nonnegative(found[1])
    if found is None or some is None:
        return None
    size = found[1]
    inside = kernel.congruence(t, {0: kernel.ring(t.args[0], mul(size, size), ())})
    return trans(inside, kernel.axiom("root-of-square", {"x": size}, (some,)))


def _half(t: Term) -> Term | None:
    """The g with ``t = g^2`` by the exponents in `t`."""
    if t.op == "num":
        q = _data(t)
        if q < 0:
            return None
        above, below = isqrt(q.numerator), isqrt(q.denominator)
        return num(Fraction(above, below)) if Fraction(above, below) ** 2 == q else None
    if t.op == "pow" and t.args[1].op == "num" and _data(t.args[1]) % 2 == 0:
        k = _data(t.args[1]) / 2
        return t.args[0] if k == 1 else power(t.args[0], num(k))
    if t.op == "mul":
        factors = list(t.args)
        halves: list[Term] = []
        while factors:
            x = factors.pop()
            half = _half(x)
            if half is None and x in factors:
                factors.remove(x)
                half = x
            if half is None:
                return None
            halves.append(half)
        return mul(*halves) if len(halves) > 1 else halves[0]
    if t.op == "div":
        top, bottom = (_half(x) for x in t.args)
        return None if top is None or bottom is None else div(top, bottom)
    return None


# --- powers that are not multiplied out -----------------------------------------------------------------------


def _abstracted(a: Term, b: Term, ctx: Context) -> Theorem | None:
    """``a = b`` with every power that is too high to be multiplied out taken for a number by itself."""
    names: dict[Term, Term] = {}
    left, right = (_without(t, names) for t in (a, b))
    if left == right:
        found: Theorem | None = refl(left)
    else:
        found = prove(relation("eq", left, right), ctx)
    return found if found is None or not names else kernel.specialise(found, {v: t for t, v in names.items()})


def _without(t: Term, names: dict[Term, Term]) -> Term:
    if binds(t):
        return t
    if t.op == "pow" and t.args[1].op == "num" and abs(Fraction(_data(t.args[1]))) > MAX_EXPANDED:
        if t.args[0].op not in ("num", "var"):
            return names.setdefault(t, var(f"power {len(names)}"))
        return t
    args = tuple(_without(x, names) for x in t.args)
    return t if args == t.args else rebuild(t, args)


def _data(t: Term) -> Fraction:
    return Fraction(t.data)  # type: ignore[arg-type]


# --- rewriting powers -----------------------------------------------------------------------------------------

_Rewritten = tuple[Term, Theorem | None]


def _signed(t: Term, ctx: Context) -> _Rewritten:
    """`t` with its powers in one sign and over prime numerals, with the theorem (None where nothing changed)."""
    if binds(t) or not t.args:
        return t, None
    parts = [_signed(x, ctx) for x in t.args]
    inner: Theorem | None = None
    changed = {k: e for k, (_, e) in enumerate(parts) if e is not None}
    if changed:
        inner = kernel.congruence(t, changed)
        t = inner.conclusion.args[1]
    outer: Theorem | None = None
    if t.op == "pow":
        outer = _numeral_exponent(t) if t.args[1].op == "num" else _symbolic_exponent(t, ctx)
    elif t.op in ("max", "sqrt"):
        outer = _absolute(t, ctx) if t.op == "max" else _root(t, ctx)
    return (t, inner) if outer is None else (outer.conclusion.args[1], chain(inner, outer))


def _numeral_exponent(t: Term) -> Theorem | None:
    """``base^k = c^k * w^k`` where c is the leading coefficient of the base, and w the base without it."""
    base, k = t.args
    if base.op in ("num", "var") or abs(_data(k)) <= 1:
        return None
    p = read(base)
    if not p:
        return None
    c = leading(p)[1]
    if max(c.numerator.bit_length(), c.denominator.bit_length()) * abs(_data(k)) > MAX_COEFFICIENT:
        c = Fraction(1 if c > 0 else -1)
    wanted = write(times(p, constant(1 / c)))
    if wanted == base or _data(k) < 0:
        return None
    if c == 1:
        return kernel.congruence(t, {0: kernel.ring(base, wanted, ())})
    moved = kernel.congruence(t, {0: kernel.ring(base, mul(num(c), wanted), ())})
    u = var("base")
    apart = kernel.ring(power(mul(num(c), u), k), mul(num(c ** int(_data(k))), power(u, k)), ())
    return trans(moved, kernel.specialise(apart, {u: wanted}))


def _symbolic_exponent(t: Term, ctx: Context) -> Theorem | None:
    base, n = t.args
    q = _numeral(base)
    if q is not None:
        return _numeral_base(t, q)
    p = read(base)
    if not p or leading(p)[1] >= 0:
        return None
    wanted = write(times(p, constant(-1)))
    some = ctx.nonzero(wanted)
    if some is None:
        return _whole_power(t, wanted, ctx)
    moved = kernel.congruence(t, {0: kernel.ring(base, mul(_MINUS, wanted), ())})
    parts = kernel.axiom("power-product", {"x": _MINUS, "y": wanted, "n": n}, (_nonzero(_MINUS), some))
    done = trans(moved, parts)
    even = _parity(power(_MINUS, n))
    return done if even is None else trans(done, kernel.congruence(done.conclusion.args[1], {0: even}))


def _whole_power(t: Term, wanted: Term, ctx: Context) -> Theorem | None:
    """``base^n = (-1)^n * (-base)^n`` for a base that may be 0 and an n from 0 up, by induction."""
    base, n = t.args
    some = ctx.inequality(relation("le", ZERO, n))
    if some is None:
        return None
    u, k = var("base"), var("exponent", "integer")
    claim = relation("eq", power(neg(u), k), mul(power(_MINUS, k), power(u, k)))
    start = kernel.ring(power(neg(u), ZERO), mul(power(_MINUS, ZERO), power(u, ZERO)), ())
    low, one = kernel.assume(relation("le", ZERO, k)), kernel.linear(relation("le", ZERO, ONE), (), ())
    parts = [kernel.axiom("power-sum-nonnegative", {"x": x, "m": k, "n": ONE}, (low, one)) for x in (neg(u), _MINUS, u)]
    above = trans(parts[0], kernel.congruence(parts[0].conclusion.args[1], {0: kernel.assume(claim)}))
    whole = mul(power(_MINUS, add(k, ONE)), power(u, add(k, ONE)))
    below = kernel.congruence(whole, {0: parts[1], 1: parts[2]})
    same = kernel.ring(above.conclusion.args[1], below.conclusion.args[1], ())
    every = kernel.induction(claim, k, ZERO, start, trans(trans(above, same), sym(below)))
    here = kernel.specialise(every, {u: wanted, k: n})
    here = kernel.cut(some, here) if some.conclusion in here.hypotheses else here
    moved = kernel.congruence(t, {0: kernel.ring(base, neg(wanted), ())})
    return trans(moved, here)


def _numeral(t: Term) -> Fraction | None:
    if t.op == "neg" and t.args[0].op == "num":
        return -_data(t.args[0])
    return _data(t) if t.op == "num" else None


def _nonzero(t: Term) -> Theorem:
    q = _data(t)
    if q > 0:
        return kernel.axiom("greater-not-equal", {"x": ZERO, "y": t}, (kernel.linear(relation("lt", ZERO, t), (), ()),))
    return kernel.axiom("less-not-equal", {"x": t, "y": ZERO}, (kernel.linear(relation("lt", t, ZERO), (), ()),))


def _numeral_base(t: Term, q: Fraction) -> Theorem | None:
    """A power of a whole number as powers of -1 and of primes."""
    n = t.args[1]
    factors = _factors(q)
    if q == 1:
        return one_to(n)
    if not factors:
        return None
    if len(factors) == 1:
        if factors[0] != -1:
            return None
        same = kernel.congruence(t, {0: kernel.ring(t.args[0], _MINUS, ())})
        return chain(same, _parity(power(_MINUS, n)))
    done: Theorem | None = None
    rest = q
    for k, f in enumerate(factors[:-1]):
        one, more = num(f), num(rest / f)
        whole = t.args[0] if k == 0 else num(rest)
        split = kernel.congruence(power(whole, n), {0: kernel.ring(whole, mul(one, more), ())})
        parts = trans(
            split, kernel.axiom("power-product", {"x": one, "y": more, "n": n}, (_nonzero(one), _nonzero(more)))
        )
        parity = _parity(power(one, n)) if f == -1 else None
        if parity is not None:
            parts = trans(parts, kernel.congruence(parts.conclusion.args[1], {0: parity}))
        done = parts if done is None else _last(done, parts)
        rest /= f
    return done


def _last(done: Theorem, parts: Theorem) -> Theorem:
    """``a = f * (g * w)`` from ``a = f * w'`` and ``w' = w``, wherever w' stands innermost."""

    def inside(t: Term) -> Theorem:
        if t == parts.conclusion.args[0]:
            return parts
        return kernel.congruence(t, {1: inside(t.args[1])})

    return trans(done, inside(done.conclusion.args[1]))


def _factors(q: Fraction) -> list[Fraction]:
    """-1 where it is negative, then small primes with repetition; empty for a fraction, 0, 1, and what has others."""
    if q.denominator != 1 or q in (0, 1):
        return []
    found = [Fraction(-1)] if q < 0 else []
    n, p = abs(q.numerator), 2
    while n > 1 and p <= MAX_PRIME and len(found) <= MAX_FACTORS:
        while n % p == 0:
            found.append(Fraction(p))
            n //= p
        p += 1
    if n > 1:
        found.append(Fraction(n))
    return found if len(found) <= MAX_FACTORS else []


def _parity(t: Term) -> Theorem | None:
    """``(-1)^(2*m + r) = (-1)^r``, the even part of the exponent left out; None where there is none."""
    n = t.args[1]
    try:
        p = read(n)
    except TooLarge:
        return None
    even: Polynomial = {}
    odd: Polynomial = {}
    for m, c in p.items():
        if c.denominator != 1:
            return None
        rest = c % 2
        if c != rest:
            even[m] = (c - rest) / 2
        if rest:
            odd[m] = rest
    if not even:
        return None
    half, rest_term = write(even), write(odd)
    if half.sort != "integer" or rest_term.sort != "integer":
        return None
    some = _nonzero(_MINUS)
    double = mul(num(2), half)
    one = _even_power(half, some)
    if not odd:
        return trans(kernel.congruence(t, {1: kernel.ring(n, double, ())}), one)
    both = add(double, rest_term)
    split = kernel.axiom("power-sum", {"x": _MINUS, "m": double, "n": rest_term}, (some,))
    start = trans(kernel.congruence(t, {1: kernel.ring(n, both, ())}), split)
    start = trans(start, kernel.congruence(start.conclusion.args[1], {0: one}))
    last = power(_MINUS, rest_term)
    if rest_term.op == "num":
        return trans(start, kernel.ring(start.conclusion.args[1], _MINUS, ()))
    return trans(start, kernel.ring(start.conclusion.args[1], last, ()))


def _even_power(m: Term, some: Theorem) -> Theorem:
    """``(-1)^(2*m) = 1``."""
    apart = kernel.axiom("power-power", {"x": _MINUS, "m": num(2), "n": m}, (some,))
    square = kernel.congruence(apart.conclusion.args[1], {0: kernel.ring(power(_MINUS, num(2)), ONE, ())})
    return trans(trans(apart, square), one_to(m))


def one_to(m: Term) -> Theorem:
    """``1^m = 1``: it is its own square, and not 0."""
    one = _nonzero(ONE)
    t = power(ONE, m)
    twice = kernel.axiom("power-product", {"x": ONE, "y": ONE, "n": m}, (one, one))
    same = kernel.congruence(twice.conclusion.args[0], {0: kernel.ring(mul(ONE, ONE), ONE, ())})
    square = trans(sym(same), twice)  # t = t * t
    some = kernel.axiom("power-nonzero", {"x": ONE, "n": m}, (one,))
    by_itself = kernel.congruence(div(t, t), {0: square})
    left = kernel.ring(ONE, div(t, t), (some,))
    right = kernel.ring(div(mul(t, t), t), t, (some,))
    return sym(trans(trans(left, by_itself), right))
