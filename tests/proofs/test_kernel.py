"""The kernel does what its rules draw, refuses everything else, and nothing but its rules makes a theorem."""

from __future__ import annotations

import copy
from fractions import Fraction
from random import Random

import mpmath
import pytest

from proofs import kernel
from proofs.certificate import flatten
from proofs.kernel import KernelError, Theorem, assume, bound, is_theorem
from proofs.replay import ReplayError, replay
from proofs.terms import (
    Definition, Term, TermError, add, apply, div, exp, ln, maximum, mul, neg, num, power, relation, sqrt, var,
)  # fmt: skip
from tests.proofs.conditions import survivors
from tests.proofs.forgeries import SORTS, TERMS, THEOREMS, Forgery, forged
from tests.proofs.inferences import by_kernel
from tests.proofs.refusals import ACCEPTED, REFUSED, Accepted, Refused


@pytest.mark.parametrize("inference", ACCEPTED, ids=lambda a: a.name)
def test_an_inference_that_holds_is_made(inference: Accepted) -> None:
    theorem = by_kernel(inference.make())
    assert is_theorem(theorem)
    assert theorem.hypotheses == frozenset(inference.hypotheses())
    assert theorem.conclusion == inference.conclusion()


@pytest.mark.parametrize("inference", REFUSED, ids=lambda r: r.name)
def test_an_inference_that_misses_one_condition_is_refused(inference: Refused) -> None:
    wrong = inference.make()
    with pytest.raises((KernelError, TermError)) as error:
        by_kernel(wrong)
    assert inference.kernel in str(error.value)


def test_every_rule_is_used_and_refused() -> None:
    rules = {r for r in kernel.__all__ if r.islower() and r != "is_theorem"}
    assert {a.make().rule for a in ACCEPTED} == rules
    assert {r.make().rule for r in REFUSED} == rules


@pytest.mark.parametrize("forgery", THEOREMS, ids=lambda f: f.name)
def test_a_theorem_can_not_be_forged(forgery: Forgery) -> None:
    with pytest.raises((TypeError, AttributeError, KernelError, TermError)) as error:
        forgery.attempt()
    assert forgery.said in str(error.value)


@pytest.mark.parametrize("forgery", TERMS, ids=lambda f: f.name)
def test_a_term_that_can_not_be_is_not_made(forgery: Forgery) -> None:
    with pytest.raises((TypeError, AttributeError, TermError)) as error:
        forgery.attempt()
    assert forgery.said in str(error.value)


@pytest.mark.parametrize(
    ("make", "whole"), [(make, whole) for _, make, whole in SORTS], ids=[name for name, _, _ in SORTS]
)
def test_the_sort_of_a_term(make: object, whole: bool) -> None:
    term = make()  # type: ignore[operator]
    assert (term.sort == "integer") == whole


def test_what_has_no_proof_is_no_theorem_and_has_no_certificate() -> None:
    false = relation("le", num(1), num(0))
    fake = forged(frozenset(), false)
    assert type(fake) is Theorem
    assert not is_theorem(fake)
    with pytest.raises(ReplayError, match="does not claim the hypotheses of its step"):
        replay(flatten([("false", fake)]))


def test_an_equal_but_other_theorem_is_told_apart() -> None:
    true = assume(relation("le", num(0), num(1)))
    other = forged(true.hypotheses, true.conclusion)
    assert is_theorem(true)
    assert not is_theorem(other)
    assert not is_theorem(None)
    with pytest.raises(TypeError):
        copy.copy(true)


def closed(random: Random, depth: int) -> Term:
    pick = random.randrange(2 if depth == 0 else 10)
    if pick < 2:
        return num(Fraction(random.randrange(-60, 90), random.choice((1, 1, 2, 3, 7, 10))))
    s, t = closed(random, depth - 1), closed(random, depth - 1)
    return (
        add(s, t), mul(s, t), neg(s), div(s, t), power(s, num(random.choice((2, 3, -1, 5)))), sqrt(s), ln(s),
        exp(s if random.random() < 0.3 else div(s, num(20))) if depth == 1 else maximum(s, t),
    )[pick - 2]  # fmt: skip


def at_fifty_digits(t: Term) -> mpmath.mpf:
    args = [at_fifty_digits(s) for s in t.args]
    if t.op == "num":
        return mpmath.mpf(Fraction(t.data).numerator) / Fraction(t.data).denominator  # type: ignore[arg-type]
    if t.op in ("add", "mul"):
        return mpmath.fsum(args) if t.op == "add" else mpmath.fprod(args)
    if t.op == "pow":
        return args[0] ** int(args[1])
    return {
        "neg": lambda a: -a, "div": lambda a, b: a / b, "sqrt": _real(mpmath.sqrt), "ln": _real(mpmath.log),
        "exp": mpmath.exp, "max": max,
    }[t.op](*args)  # fmt: skip


def _real(function: object) -> object:
    def one(a: mpmath.mpf) -> mpmath.mpf:
        if a < 0:
            raise ZeroDivisionError
        return function(a)  # type: ignore[operator]

    return one


@pytest.mark.parametrize("seed", range(150))
def test_bounds_agree_with_fifty_digits(seed: int) -> None:
    """A number is shown to lie between its decimals rounded down and up, and not below or above both."""
    random = Random(seed)
    with mpmath.workdps(60):
        for _ in range(8):
            t = closed(random, 2)
            try:
                value = at_fifty_digits(t)
            except ZeroDivisionError:
                continue
            if not 1e-30 < abs(value) < 1e30:
                continue
            sign, mantissa, exponent, _ = value._mpf_
            exact = (-1) ** sign * int(mantissa) * Fraction(2) ** exponent
            step = abs(exact) / 10**20
            low, high = ((exact + k * step).limit_denominator(10**60) for k in (-1, 1))
            try:
                bound(relation("lt", num(low), t), 100)
            except KernelError as error:
                if "may" not in str(error):  # a divisor or an argument that is zero, as in ln(1 - 1)
                    raise
                continue
            bound(relation("lt", t, num(high)), 100)
            for wrong in (relation("lt", t, num(low)), relation("lt", num(high), t), relation("le", num(high), t)):
                with pytest.raises(KernelError):
                    bound(wrong, 100)


def test_no_condition_can_be_deleted_without_a_test_that_misses_it() -> None:
    count, left = survivors("terms", "kernel")
    assert count > 200
    assert not [f"{d.module}.py, line {d.line}: {d.condition}" for d in left]


def test_definitions_nested_too_deeply_are_an_error_and_no_crash() -> None:
    x = var("x")
    t = exp(x)
    for k in range(3_000):
        t = apply(Definition(f"d{k}", (x,), t), x)
    with pytest.raises(TermError, match="nested too deeply"):
        kernel.definition(t, [f"d{k}" for k in range(3_000)])
