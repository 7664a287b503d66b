"""What is printed, as plain text or as LaTeX, is read back as the same term.

The reader knows nothing of the printers, so that a bracket which both formula printers lost would be noticed here.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from proofs.syntax.elaborate import read_expression, read_relation
from proofs.syntax.environment import Environment
from proofs.syntax.boxes import Family
from proofs.syntax.layout import Style, layout
from proofs.syntax.to_latex import to_latex
from proofs.syntax.to_plain import to_plain
from proofs.terms import (
    RELATIONS,
    Term,
    add,
    apply,
    div,
    entry,
    exp,
    free_variables,
    mul,
    neg,
    num,
    power,
    rebuild,
    substitute,
    total,
)
from tests.proofs.syntax.random_terms import (
    DECLARATIONS,
    SCALE,
    SIGNATURES,
    SOFTMAX,
    C,
    I,
    J,
    M,
    N,
    T,
    X,
    Z,
    arithmetic,
    conditions,
    reals,
    tensors,
)

ENVIRONMENT = Environment.of(DECLARATIONS, {s.definition.name: s for s in SIGNATURES})


def readable(t: Term, decimals: bool) -> Term:
    """`t` as a reader builds terms: signs and quotients instead of numerals that can't be typed, sizes inferred."""
    if t.op == "num":
        q = Fraction(t.data)  # type: ignore[arg-type]
        if q < 0:
            return neg(readable(num(-q), decimals))
        ends = not (set(_primes(q.denominator)) - {2, 5})
        return t if q.denominator == 1 or (ends and decimals) else div(num(q.numerator), num(q.denominator))
    if not t.args:
        return t
    if t.op == "pow" and not free_variables(t.args[1]) and not t.args[1].loose:
        exponent = t.args[1] if t.args[1].op == "num" else num(3)
        base = readable(t.args[0], decimals)
        return exp(readable(exponent, decimals)) if base == exp(num(1)) else power(base, exponent)
    args = tuple(readable(a, decimals) for a in t.args)
    if t.op == "pow" and args[0] == exp(num(1)):
        return exp(args[1])
    if t.op == "entry" and args[0].op == "lam" and all(i.op == "bound" for i in args[1:]):
        return entry(_plain_tensor(t.args[0].rank), *args[1:])
    if t.op == "app" and t.data in (SOFTMAX, SCALE):
        dims = _dimensions(args[-1])
        return apply(t.data, *dims, *args[len(dims) :])  # type: ignore[arg-type]
    made = rebuild(t, args)
    if made.op == "lam" and isinstance(layout(made, Style.LINEAR), Family):
        return _plain_tensor(made.rank)
    return made


def _primes(n: int) -> list[int]:
    return [p for p in (2, 3, 5, 7) if n % p == 0]


def _plain_tensor(rank: int) -> Term:
    return Z if rank == 1 else X


def _dimensions(tensor: Term) -> tuple[Term, ...]:
    """The dimensions that a reader finds for a tensor made of those in the random terms."""
    if tensor.op == "app":
        return tensor.args[:1] if tensor.data == SOFTMAX else tensor.args[:2]
    if tensor.op == "lam" and tensor.args[0].op == "if":
        return (num(2),) * tensor.rank
    if tensor.op == "lam":
        todo = [tensor.args[0]]
        while todo:
            x = todo.pop()
            if x.op == "entry" and x.loose:
                return _dimensions(x.args[0])
            todo.extend(x.args)
    return (N,) if tensor.rank == 1 else (N, M)


# A sum over j of z[j] times a free j, which has come in from outside.
captured = substitute(total(J, num(1), N, mul(entry(Z, J), T)), {T: J})

expressions = st.one_of(arithmetic(3), arithmetic(4), reals(), tensors(2, 1), tensors(2, 2))
thorough = settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))


@thorough
@given(expressions)
@example(neg(mul(C, C)))
@example(mul(neg(C), C))
@example(add(neg(div(C, C)), C))
@example(captured)
def test_plain_text_is_read_back(t: Term) -> None:
    term = readable(t, decimals=True)
    assert read_expression(to_plain(term), ENVIRONMENT) == term


@thorough
@given(expressions, st.booleans())
@example(add(C, neg(add(C, C))), True)
@example(captured, True)
@example(total(I, num(1), N, total(I, num(1), N, add(entry(Z, I), C))), True)
@example(div(mul(C, total(I, num(1), N, entry(Z, I))), div(C, add(C, C, C, C))), False)
def test_latex_is_read_back(t: Term, display: bool) -> None:
    term = readable(t, decimals=False)
    assert read_expression(f"${to_latex(term, display=display)}$", ENVIRONMENT) == term


@settings(max_examples=100, deadline=None)
@given(conditions(2))
def test_relations_are_read_back(condition: Term) -> None:
    term = rebuild(condition, tuple(readable(a, True) for a in condition.args))
    assert term.op in RELATIONS
    assert read_relation(to_plain(term), ENVIRONMENT) == term
    assert read_relation(f"${to_latex(term)}$", ENVIRONMENT) == term
