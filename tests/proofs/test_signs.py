"""Parity of powers, roots of squares and absolute values: what is equal is proved, what is not is not."""

from __future__ import annotations

import pytest

from proofs.certificate import flatten
from proofs.certificate_text import canonical
from proofs.context import Context
from proofs.replay import difference, replay
from proofs.signs import prove_signed
from proofs.statement import Statement
from proofs.syntax.elaborate import read_expression
from proofs.syntax.environment import Environment, declare
from proofs.terms import relation

DECLARED = tuple(
    declare(name, sort)  # type: ignore[arg-type]
    for name, sort in (("x", "real"), ("y", "real"), ("a", "real"), ("n", "size"), ("m", "integer"))
)
ENVIRONMENT = Environment.of(DECLARED)


def proved(left: str, right: str) -> bool:
    """Whether the equation is proved, and its certificate replays to it."""
    a, b = (read_expression(text, ENVIRONMENT) for text in (left, right))
    statement = Statement(DECLARED, (), relation("eq", a, b))
    found = prove_signed(statement.claim, Context.of(statement))
    if found is None:
        return False
    (shown,) = replay(flatten([("equal", found)]))
    assert difference(shown, map(canonical, statement.assumptions()), canonical(statement.claim)) is None
    return True


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(a-x)^6000", "(x-a)^6000"), ("(a-x)^6001 + 1", "1 - (x-a)^6001"), ("(a-x)^3", "-(x-a)^3"),
        ("(2x-2)^40", "2^40*(1-x)^40"), ("(-6)^n", "(-1)^n*6^n"), ("4^n", "2^(2n)"),
        ("(-1)^(2n)", "1"), ("(-1)^(2n+1)", "-1"), ("(-1)^(2m)", "1"), ("1^m", "1"), ("(-x)^n", "(-1)^n*x^n"),
        ("abs(x)", "sqrt(x^2)"), ("sqrt((x-y)^2)", "abs(y-x)"), ("sqrt(x^2*y^2)", "abs(x*y)"), ("sqrt(x^4)", "x^2"),
        ("abs(x)*abs(y)", "abs(x*y)"), ("abs(x)^2", "x^2"), ("abs(abs(x))", "abs(x)"),
        ("max(x, y)", "(x + y + abs(x-y))/2"), ("sqrt(4*x^2)", "2*abs(x)"), ("sqrt(x*x)", "abs(-x)"),
    ],
)  # fmt: skip
def test_what_is_equal_is_proved(left: str, right: str) -> None:
    assert proved(left, right)
    assert proved(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(a-x)^6001", "(x-a)^6001"), ("(a-x)^6000", "(x-a)^6001"), ("(-6)^n", "6^n"), ("(-1)^n", "1"),
        ("(-1)^(2n+1)", "1"), ("(-1)^(n+1)", "(-1)^n"), ("abs(x)", "x"), ("sqrt(x^2)", "x"), ("sqrt(x^2)", "-x"),
        ("sqrt(x^2*y^2)", "x*y"), ("sqrt(x^4)", "-x^2"), ("abs(x-y)", "x-y"), ("max(x, y)", "x"), ("(-x)^n", "x^n"),
        ("4^n", "2^n"), ("abs(x)*abs(y)", "x*y"), ("sqrt(x^2)/x", "1"), ("1^m", "0"),
    ],
)  # fmt: skip
def test_what_differs_is_not(left: str, right: str) -> None:
    assert not proved(left, right)
