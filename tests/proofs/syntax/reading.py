"""What the reading tests speak about: a few declared names, softmax, and terms to compare with."""

from __future__ import annotations

from proofs.statement import Signature
from proofs.syntax.elaborate import read_expression, read_relation
from proofs.syntax.environment import Environment, declare
from proofs.syntax.faults import _ENGLISH, SyntaxFault
from proofs.terms import (
    Definition,
    Term,
    comprehension,
    div,
    entry,
    exp,
    num,
    total,
    var,
)

N, M, D, D_MODEL = (var(v, "integer") for v in ("n", "m", "d", "d_model"))
I_, J, K, T = (var(v, "integer") for v in ("i", "j", "k", "t"))
X_, Y, C, ALPHA = (var(v) for v in ("x", "y", "c", "alpha"))
Z, U = var("z", "real", 1), var("u", "real", 1)
A = var("A", "real", 2)
B = var("B", "real", 3)
W_Q = var("W_Q", "real", 2)

SOFTMAX = Definition(
    "softmax",
    (N, Z),
    comprehension([I_], div(exp(entry(Z, I_)), total(J, num(1), N, exp(entry(Z, J))))),
    1,
)
_R, _W = var("r", "integer"), var("w", "real", 2)
ROWS = Definition("row_sums", (N, M, _W), comprehension([I_], total(J, num(1), M, entry(_W, I_, J))), 2)
PREFIX = Definition("prefix", (N, T, Z), total(J, num(1), T, entry(Z, J)), 1)
SIGNATURES = {
    "softmax": Signature(SOFTMAX, ((), (N,)), (N,)),
    "row_sums": Signature(ROWS, ((), (), (N, M)), (N,)),
    "prefix": Signature(PREFIX, ((), (), (N,))),
}

DECLARATIONS = (
    declare("n", "size"),
    declare("m", "size"),
    declare("d", "size"),
    declare("d_model", "size"),
    declare("i", "index", N),
    declare("t", "index", N),
    declare("x", "real"),
    declare("y", "real"),
    declare("c", "real"),
    declare("alpha", "positive"),
    declare("z", "real", None, (N,)),
    declare("u", "real", None, (N,)),
    declare("A", "real", None, (N, M)),
    declare("B", "real", None, (N, M, D)),
    declare("W_Q", "real", None, (D_MODEL, D_MODEL)),
)
ENV = Environment.of(DECLARATIONS, SIGNATURES)


def read(text: str, latex: bool | None = None) -> Term:
    return read_expression(text, ENV, latex=latex)


def relate(text: str) -> Term:
    return read_relation(text, ENV)


def check_fault(why: SyntaxFault, text: str) -> None:
    """A fault has a sentence, and a place in what was read."""
    assert why.code in _ENGLISH
    assert 0 <= why.span[0] <= why.span[1] <= len(text)
    assert str(why)
    assert why.caret(text)


def fault(text: str, env: Environment = ENV) -> SyntaxFault:
    """The fault that reading `text` as an expression gives."""
    try:
        made = read_expression(text, env)
    except SyntaxFault as why:
        return why
    raise AssertionError(f"{text!r} was read as {made!r}")
