"""Random terms over a fixed set of declared variables, for the property tests of printers and parsers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from proofs.statement import Declaration, Signature
from proofs.terms import (
    Definition,
    Term,
    add,
    apply,
    comprehension,
    div,
    entry,
    exp,
    forall,
    greatest,
    ln,
    maximum,
    mul,
    neg,
    num,
    power,
    relation,
    sqrt,
    total,
    var,
    when,
)  # fmt: skip

N, M, I, J, T, S = (var(x, "integer") for x in ("n", "d_model", "i", "j", "t", "s"))  # noqa: E741
C, X_SCALAR, ALPHA, LOGIT = (var(x) for x in ("c", "x", "alpha", "logit"))
Z, W = var("z", rank=1), var("w_0", rank=1)
X, WQ = var("X", rank=2), var("W_Q", rank=2)

_u, _v = var("u", rank=1), var("V", rank=2)
SOFTMAX = Definition(
    "softmax",
    (N, _u),
    comprehension([I], div(exp(entry(_u, I)), total(J, num(1), N, exp(entry(_u, J))))),
    implicit=1,
)
SCALE = Definition("scaled", (N, M, C, _v), comprehension([I, J], mul(C, entry(_v, I, J))), implicit=2)
PAIR = Definition("f", (C, X_SCALAR), add(C, X_SCALAR))

INTEGERS, REALS, VECTORS, MATRICES = (N, M, I, J, T), (C, X_SCALAR, ALPHA, LOGIT), (Z, W), (X, WQ)

DECLARATIONS = (
    Declaration(N, "size"), Declaration(M, "size"), Declaration(I, "index", N), Declaration(J, "index", N),
    Declaration(T, "index", N), Declaration(C, "real"), Declaration(X_SCALAR, "real"), Declaration(ALPHA, "real"),
    Declaration(LOGIT, "real"), Declaration(Z, "real", None, (N,)), Declaration(W, "real", None, (N,)),
    Declaration(X, "real", None, (N, M)), Declaration(WQ, "real", None, (N, M)),
)  # fmt: skip
SIGNATURES = (
    Signature(SOFTMAX, ((), (N,)), (N,)),
    Signature(SCALE, ((), (), (), (N, M)), (N, M)),
    Signature(PAIR, ((), ()), ()),
)


@st.composite
def integers(draw: st.DrawFn, depth: int = 2) -> Term:
    kind = draw(st.integers(0, 5)) if depth else draw(st.integers(0, 1))
    if kind == 0:
        return draw(st.sampled_from(INTEGERS))
    if kind == 1:
        return num(draw(st.integers(-3, 20)))
    if kind == 2:
        return add(*draw(st.lists(integers(depth - 1), min_size=2, max_size=3)))
    if kind == 3:
        return neg(draw(integers(depth - 1)))
    if kind == 4:
        return mul(*draw(st.lists(integers(depth - 1), min_size=2, max_size=3)))
    return when(draw(conditions(depth - 1)), draw(integers(depth - 1)), draw(integers(depth - 1)))


@st.composite
def conditions(draw: st.DrawFn, depth: int = 1) -> Term:
    op = draw(st.sampled_from(["eq", "le", "lt", "ne"]))
    return relation(op, draw(integers(depth)), draw(integers(depth)))


@st.composite
def tensors(draw: st.DrawFn, depth: int, rank: int) -> Term:
    atoms = VECTORS if rank == 1 else MATRICES
    kind = draw(st.integers(0, 5)) if depth > 0 else 0
    if kind <= 1:
        return draw(st.sampled_from(atoms))
    indices = (I,) if rank == 1 else (T, J)
    if kind == 2:
        a = tensors(depth - 1, rank)
        return apply(SOFTMAX, N, draw(a)) if rank == 1 else apply(SCALE, N, M, draw(reals(depth - 1)), draw(a))
    if kind == 3:
        inner = draw(tensors(depth - 1, rank))
        scalar = draw(st.sampled_from([C, X_SCALAR, num(2), neg(C)]))
        at = entry(inner, *indices)
        made = draw(st.sampled_from([add(at, neg(scalar)), mul(scalar, at), div(at, scalar), neg(at), add(scalar, at)]))
        return comprehension(indices, made)
    if kind == 4:
        values = draw(st.lists(reals(depth - 1), min_size=4, max_size=4))
        one = num(1)
        if rank == 1:
            return comprehension([I], when(relation("eq", I, one), values[0], values[1]))
        rows = [when(relation("eq", J, one), values[k], values[k + 1]) for k in (0, 2)]
        return comprehension([T, J], when(relation("eq", T, one), *rows))
    return comprehension(indices, draw(reals(depth - 1)))


@st.composite
def reals(draw: st.DrawFn, depth: int = 4) -> Term:
    kind = draw(st.integers(0, 17 if depth > 0 else 3))
    inner = reals(depth - 1)
    match kind:
        case 0:
            return draw(st.sampled_from(REALS))
        case 1:
            return num(draw(st.sampled_from([0, 1, 2, 10, 65504, 2362368, -1, -7])))
        case 2:
            return num(Fraction(draw(st.integers(-5, 5)), draw(st.integers(1, 7))))
        case 3:
            return entry(draw(st.sampled_from(VECTORS)), draw(integers(1)))
        case 4:
            return entry(draw(st.sampled_from(MATRICES)), draw(integers(1)), draw(integers(1)))
        case 5:
            return add(*draw(st.lists(inner, min_size=2, max_size=3)))
        case 6:
            return neg(draw(inner))
        case 7:
            return mul(*draw(st.lists(inner, min_size=2, max_size=4)))
        case 8:
            return div(draw(inner), draw(inner))
        case 9:
            return power(draw(inner), draw(integers(1)))
        case 10:
            return draw(st.sampled_from([sqrt, ln, exp]))(draw(inner))
        case 11:
            return exp(draw(st.one_of(inner, st.just(num(1)))))
        case 12:
            return maximum(draw(inner), draw(inner))
        case 13:
            make = draw(st.sampled_from([total, greatest]))
            return make(draw(st.sampled_from([I, J, S, T])), draw(integers(1)), draw(integers(1)), draw(inner))
        case 14:
            return when(draw(conditions()), draw(inner), draw(inner))
        case 15:
            return entry(draw(tensors(depth - 1, 1)), draw(integers(1)))
        case 16:
            return entry(draw(tensors(depth - 1, 2)), draw(integers(1)), draw(integers(1)))
        case _:
            return apply(PAIR, draw(inner), draw(inner))


@st.composite
def propositions(draw: st.DrawFn, depth: int = 3) -> Term:
    kind = draw(st.integers(0, 2))
    if kind == 0:
        hi = draw(integers(1))
        return forall(draw(st.sampled_from([I, J, S])), num(1), hi, draw(propositions(depth - 1)))
    op = draw(st.sampled_from(["eq", "le", "lt", "ne"]))
    return relation(op, draw(reals(depth)), draw(reals(depth)))


def terms() -> st.SearchStrategy[Term]:
    return st.one_of(reals(), propositions(), tensors(3, 1), tensors(3, 2))


@st.composite
def arithmetic(draw: st.DrawFn, depth: int = 4) -> Term:
    """Terms in which brackets matter most: sums, signs, products, quotients, powers and ranges in one another."""
    kind = draw(st.integers(0, 8)) if depth > 0 else 0
    inner = arithmetic(depth - 1)
    match kind:
        case 0:
            return draw(st.sampled_from([C, X_SCALAR, num(2), num(-7), entry(Z, I), entry(Z, J)]))
        case 1 | 2:
            return add(*draw(st.lists(inner, min_size=2, max_size=3)))
        case 3:
            return neg(draw(inner))
        case 4 | 5:
            return mul(*draw(st.lists(inner, min_size=2, max_size=3)))
        case 6:
            return div(draw(inner), draw(inner))
        case 7:
            return power(draw(inner), draw(st.sampled_from([num(2), num(-3), N, add(N, num(1)), neg(N)])))
        case _:
            return total(draw(st.sampled_from([I, J])), num(1), N, draw(inner))
