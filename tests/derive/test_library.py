"""Every theorem of the library is proved, replayed and tried; corrupted lines and dropped hypotheses are refused."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from derive.library import LibraryTheorem, replays, theorems
from derive.numbers import Model, deviation, draw, in_float64, to_fifty_digits
from derive.results import Result
from tests.mutations import mutants
from proofs.calc import ARITHMETIC, ChainError, proved
from proofs.context import Context
from proofs.defined import missing
from proofs.justify import prove
from proofs.statement import Statement
from proofs.syntax.environment import Environment
from proofs.terms import Term, add, div, exp, mul, num, power, relation, var

NAMES = list(theorems())


def _theorem(name: str) -> LibraryTheorem:
    found = theorems()[name]
    assert isinstance(found, LibraryTheorem)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_each_theorem_is_accepted_by_kernel_replay_and_numbers(name: str) -> None:
    outcome = _theorem(name).check(seed=7)
    assert outcome.kernel
    assert outcome.replay
    assert outcome.instances >= 200 or outcome.free == 0
    assert outcome.largest_deviation < 1e-12


def test_the_names_of_the_four_results_and_their_companions_are_those_agreed_on() -> None:
    assert {
        "mha-parameter-count", "softmax-shift-invariance", "softmax-500-502", "output-projection-causality",
        "mha-parameter-count-square", "mha-parameter-count-head-independence", "masked-head-causality",
        "attention-layer-causality", "output-projection-independence",
    } <= set(NAMES)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_theorem_uses_no_hypothesis_that_its_statement_does_not_make(name: str) -> None:
    chain = _theorem(name).chain
    assert chain.theorem.hypotheses <= set(chain.statement.assumptions())
    assert chain.theorem.conclusion == chain.statement.claim


@pytest.mark.parametrize("name", NAMES)
def test_a_corrupted_line_is_accepted_only_where_it_is_still_true(name: str) -> None:
    chain = _theorem(name).chain
    rng = random.Random(name)
    ctx = Context.of(chain.statement)
    env = Environment.of(chain.statement.declarations)
    closed = not chain.statement.declarations
    models: list[Model] = [draw(chain.statement, rng) for _ in range(1 if closed else 12)]
    refused = tried = 0
    most = 4 if "layer" in name else 9
    for before, line in zip(chain.lines, chain.lines[1:], strict=False):
        for what, mutant in mutants(line.term, rng, most):
            goal = relation("eq", before.term, mutant)
            accepted = prove(goal, ctx, [r for r in line.reasons if r != ARITHMETIC]) is not None
            accepted = accepted and not missing(mutant, ctx)
            evaluate = to_fifty_digits if closed else in_float64
            assert not accepted or all(deviation(goal, m, env, evaluate) < 1e-9 for m in models), (what, mutant)
            tried += 1
            refused += not accepted
    assert tried >= 4
    assert refused >= 1


@pytest.mark.parametrize("name", [n for n in NAMES if _theorem(n).derivation.statement.hypotheses])
def test_dropping_any_hypothesis_is_refused(name: str) -> None:
    chain = _theorem(name).chain
    lines = [(x.relation, x.term, x.reasons) for x in chain.lines]
    for hypothesis in chain.statement.hypotheses:
        left = tuple(h for h in chain.statement.hypotheses if h != hypothesis)
        with pytest.raises(ChainError):
            proved(replace(chain.statement, hypotheses=left), lines)


def test_replay_refuses_a_certificate_of_another_statement() -> None:
    chain = _theorem("softmax-shift-invariance").chain
    granted = chain.statement.assumptions()
    left, right = chain.statement.claim.args
    assert replays("shift", chain.theorem, granted, chain.statement.claim)
    assert not replays("shift", chain.theorem, granted, relation("eq", right, left))
    assert not replays("shift", chain.theorem, (), chain.statement.claim)


def test_what_sympy_finds_must_be_what_the_chain_claims() -> None:
    right = _theorem("mha-parameter-count-square").result
    wrong = replace(right, text=right.text.replace("4*d^2", "5*d^2").replace("d + d + d + d", "d + d + d + d + d"))
    assert LibraryTheorem(wrong).check(0).kernel.said == "refused"
    from sympy import Symbol

    other = Result(right.name, right.zh, right.en, right.text, found=lambda: 3 * Symbol("d", integer=True) ** 2)
    checked = LibraryTheorem(other).check(0)
    assert (checked.kernel.said, checked.sympy.said) == ("accepted", "disagreed")
    assert not checked.proved


def test_the_instances_of_the_day_come_out_of_the_formula() -> None:
    d, b = var("d", "integer"), var("b", "integer")
    formula = add(mul(num(4), power(d, num(2))), mul(num(4), b, d))
    from proofs.terms import substitute

    for width, without, with_biases in ((4, 64, 80), (768, 2_359_296, 2_362_368), (1024, 4_194_304, 4_198_400)):
        for bias, count in ((0, without), (1, with_biases)):
            instance = substitute(formula, {d: num(width), b: num(bias)})
            assert prove(relation("eq", instance, num(count)), Context()) is not None


def test_a_chain_that_stops_short_of_the_claim_is_refused() -> None:
    x = var("x")
    statement = Statement((), (), relation("eq", exp(x), mul(exp(x), exp(x))))
    lines: list[tuple[str | None, Term, tuple[str, ...]]] = [
        (None, exp(x), ()),
        ("eq", mul(exp(div(x, num(2))), exp(div(x, num(2)))), ("exp of a sum",)),
    ]
    with pytest.raises(ChainError) as fault:
        proved(statement, lines)
    assert fault.value.code == "claim-not-reached"
