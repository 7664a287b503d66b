"""Every counter-example is a model: judged by the values that it shows, with an evaluator that is written here.

The evaluator knows exact rational numbers and nothing else, and says of each term whether it has a value: no quotient
by 0, no negative power of 0, no entry outside of the declared dimensions, no maximum of nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from derive.counterexamples import shown as in_words
from derive.counterexamples import text
from derive.sheets.prose import LANGUAGES
from proofs.refute import Agreement, Budget, CounterExample, agree, examine, refute
from proofs.shown import Shown
from proofs.statement import Declaration, Statement
from proofs.syntax.environment import declare
from proofs.terms import (
    Term, TermError, add, div, entry, free_variables, greatest, maximum, mul, neg, num, power, relation, sub, total,
    var, when,
)  # fmt: skip
from tests.proofs.independent import evaluated
from tests.proofs.test_refute import refuted, shown, statement


class NoValue(Exception):
    """The term has no value at these numbers."""


class Values:
    """Declared names with their values, as a counter-example shows them."""

    def __init__(self, declarations: Sequence[Declaration], values: Mapping[str, Any]) -> None:
        self.values = values
        self.declared = {d.name: d for d in declarations}

    def number(self, t: Term, bound: tuple[int, ...] = ()) -> Fraction:
        def at(x: Term) -> Fraction:
            return self.number(x, bound)

        op, args = t.op, t.args
        if op == "num":
            return Fraction(t.data)  # type: ignore[arg-type]
        if op == "bound":
            return Fraction(bound[-1 - int(t.data)])  # type: ignore[arg-type]
        if op == "var":
            return Fraction(self.values[str(t.data)])
        if op == "entry":
            return self.entry(str(args[0].data), [int(at(i)) for i in args[1:]])
        if op == "if":
            return at(args[1]) if self.holds(args[0], bound) else at(args[2])
        if op in ("sum", "maxof"):
            inside = [self.number(args[2], (*bound, k)) for k in range(int(at(args[0])), int(at(args[1])) + 1)]
            if op == "maxof" and not inside:
                raise NoValue(t)
            return sum(inside, Fraction(0)) if op == "sum" else max(inside)
        values = [at(a) for a in args]
        if op == "add":
            return sum(values, Fraction(0))
        if op == "mul":
            product = Fraction(1)
            for x in values:
                product *= x
            return product
        if op == "neg":
            return -values[0]
        if op == "max":
            return max(values)
        x, y = values
        if op == "div":
            if y == 0:
                raise NoValue(t)
            return x / y
        assert op == "pow", op
        if x == 0 and y < 0:
            raise NoValue(t)
        return x ** int(y)

    def entry(self, name: str, place: list[int]) -> Fraction:
        shape = [int(self.number(n)) for n in self.declared[name].dimensions]
        found: Any = self.values[name]
        for i, n in zip(place, shape, strict=True):
            if not 1 <= i <= n:
                raise NoValue(name)
            assert len(found) == n
            found = found[i - 1]
        return Fraction(found)

    def holds(self, p: Term, bound: tuple[int, ...] = ()) -> bool:
        if p.op == "forall":
            lo, hi = (int(self.number(a, bound)) for a in p.args[:2])
            return False not in [self.holds(p.args[2], (*bound, k)) for k in range(lo, hi + 1)]
        a, b = (self.number(x, bound) for x in p.args)
        return {"eq": a == b, "ne": a != b, "le": a <= b, "lt": a < b}[p.op]


def is_exact(value: Shown) -> bool:
    return all(map(is_exact, value)) if isinstance(value, tuple) else not isinstance(value, str)


def assert_is_model(s: Statement, claim: Term, found: CounterExample) -> None:
    """All declarations and hypotheses hold, both sides have a value, and the claim fails; as it is shown."""
    values: dict[str, Any] = {a.name: a.value for a in found.assignments}
    if not all(map(is_exact, values.values())):
        assert all(evaluated(p, found.model) for p in s.hypotheses)
        assert not evaluated(claim, found.model)
        return
    for d in s.declarations:  # what nothing depends on is not shown, but there
        if d.variable.sort == "integer" and d.name not in values:
            values[d.name] = found.model.values[d.variable]
            assert d.variable not in free_variables(claim)
    world = Values(s.declarations, values)
    for d in s.declarations:
        assert all(world.number(n) >= 0 for n in d.dimensions)
        if d.kind == "size":
            assert values[d.name] >= 1
        if d.kind == "index":
            assert d.upper is not None
            assert 1 <= values[d.name] <= world.number(d.upper)
        if d.kind == "positive" and d.name in values and not d.variable.rank:
            assert values[d.name] > 0
    assert all(world.holds(h) for h in s.hypotheses)
    left, right = (world.number(side) for side in claim.args)
    assert not world.holds(claim)
    for value, want in ((found.left, left), (found.right, right)):
        assert Fraction(value) == want or isinstance(value, str)  # type: ignore[arg-type]
    assert (found.left == found.right) == (left == right)
    if claim.op == "eq":
        assert found.part.left_value != found.part.right_value
    for lang in LANGUAGES:
        assert not re.search(r"(?<![\w)\]])(-?[\d./]+) [=≈] \1(?![\w.])", in_words(found, lang))


N, T, AT, K = (var(name, "integer") for name in "ntik")
X, Y, P = var("x"), var("y"), var("p")
Z, A = var("z", "real", 1), var("A", "real", 2)
J = var("j", "integer")


def random_header(rng: random.Random) -> tuple[list[Declaration], list[Term]]:
    """Declarations and hypotheses, of which a claim need not use any."""
    shift = num(rng.choice([0, 1, 2, 3]))
    declarations = [
        declare("n", "size"),
        declare("t", "index", rng.choice([N, sub(N, shift), add(N, shift)])),
        declare("i", "index", rng.choice([N, T, sub(N, T), sub(T, num(1))])),
        declare("k", rng.choice(["integer", "size"])),
        declare("x", "real"),
        declare("y", "real"),
        declare("p", "positive"),
        declare("z", "real", None, (rng.choice([N, sub(N, shift), K, num(2)]),)),
        declare("A", "real", None, (N, rng.choice([N, T, sub(N, num(2))]))),
    ]
    possible = [
        relation("lt", X, Y), relation("eq", X, add(Y, num(1))), relation("ne", X, num(0)), relation("le", T, K),
        relation("eq", K, add(T, num(2))), relation("eq", mul(X, Y), P), relation("eq", entry(Z, num(1)), X),
        relation("le", entry(Z, T), num(2)), relation("eq", total(J, num(1), N, entry(A, J, num(1))), num(1)),
        relation("lt", num(1), N), relation("eq", div(X, Y), num(2)),
    ]  # fmt: skip
    return declarations, rng.sample(possible, rng.choice([0, 0, 1, 1, 2]))


def random_index(rng: random.Random, inner: Term | None) -> Term:
    return rng.choice(
        [*([inner] * 3 if inner is not None else []), AT, T, N, num(1), num(2), sub(N, num(1)), num(0), K]
    )


def random_term(rng: random.Random, depth: int, inner: Term | None = None) -> Term:
    """A term that may well have no value."""
    if depth == 0 or rng.random() < 0.15:
        kind = rng.randrange(7)
        if kind < 2:
            return entry(Z, random_index(rng, inner))
        if kind == 2:
            return entry(A, random_index(rng, inner), random_index(rng, inner))
        return rng.choice([X, Y, P, num(rng.randint(-2, 3)), N, K, *([inner] if inner is not None else [])])

    def deeper() -> Term:
        return random_term(rng, depth - 1, inner)

    kind = rng.randrange(10)
    if kind < 3:
        return add(deeper(), deeper()) if kind else sub(deeper(), deeper())
    if kind < 5:
        return mul(deeper(), deeper())
    if kind == 5:
        return div(deeper(), deeper())
    if kind == 6:
        return power(deeper(), rng.choice([num(2), num(0), num(-1), sub(N, num(1)), sub(K, T)]))
    if kind == 7:
        return maximum(deeper(), neg(deeper()))
    if kind == 8:
        return when(relation("le", random_index(rng, inner), N), deeper(), deeper())
    if inner is not None:
        return deeper()
    make = rng.choice([total, total, greatest])
    lo, hi = rng.choice([(num(1), N), (num(1), sub(N, num(1))), (num(0), sub(N, num(1))), (T, N), (num(1), K)])
    return make(J, lo, hi, random_term(rng, depth - 1, J))


def random_statement(rng: random.Random) -> Statement:
    declarations, hypotheses = random_header(rng)
    left = random_term(rng, rng.randint(0, 3))
    right = random_term(rng, rng.randint(0, 3)) if rng.random() < 0.5 else add(left, neg(random_term(rng, 1)))
    op = rng.choice(["eq", "eq", "eq", "le", "lt", "ne"])
    return Statement(tuple(declarations), tuple(hypotheses), relation(op, left, right))


def counted(seed: int, statements: int) -> tuple[int, int]:
    """How many statements out of so many were refuted, and of how many numbers could be tried; all are checked."""
    rng = random.Random(f"models {seed}")
    against = tried = 0
    for _ in range(statements):
        try:
            s = random_statement(rng)
        except TermError:
            continue
        found = examine(s.declarations, s.hypotheses, s.claim, budget=Budget(models=40))
        if isinstance(found, CounterExample):
            assert_is_model(s, s.claim, found)
            against += 1
        else:
            assert bool(found.why) == (found.tried == 0)
            assert found.held + found.undecided == found.tried
            tried += found.tried > 0
    return against, tried


@pytest.mark.parametrize("seed", range(6))
def test_every_counter_example_is_a_model_with_two_different_values(seed: int) -> None:
    against, tried = counted(seed, 120)
    assert against > 20
    assert tried


def test_declarations_that_the_claim_does_not_name_hold_as_well() -> None:
    assert refuted("n:size; t:index[n-1]; 4 <= 2^n") is None
    values, _ = shown("n:size; t:index[n-1]; 5 <= 2^n")
    assert values == {"n": 2, "t": 1}
    assert refuted("n:size; t:index[n-3]; s:index[t-2]; n != 5") is None
    assert refuted("n:size; t:index[n-3]; s:index[t-2]; n != 6") is not None
    assert refuted("n:size; z:real[n-3]; 3 <= n") is None
    assert refuted("n:size; z:real[n-3]; 4 <= n") is not None
    assert refuted("n:size; t:index[0]; 1 = 2") is None
    assert refuted("n:integer; z:real[n]; 0 <= n") is None


def test_a_zeroth_power_of_zero_is_one() -> None:
    assert refuted("x:real; x^0 = 1") is None
    assert refuted("x:real; n:integer; suppose 0 <= n; suppose x = 0; suppose n = 0; x^n = 0") is not None
    assert refuted("x:real; suppose x = 0; x^(-1) = 0") is None


OUTSIDE = """
n:size; z:real[n]; sum(j = 0..n-1, z[j]) = sum(j = 1..n, z[j])
n:size; z:real[n]; sum(j = 1..n+1, z[j]) = sum(j = 1..n, z[j])
n:size; z:real[n]; sum(j = 1..n, z[j+1]) = sum(j = 2..n, z[j])
n:size; z:real[n]; z[n+1] = z[1]
z:real[3]; softmax(z)[4]/softmax(z)[1] = exp(z[4] - z[1]) + 1
n:size; A:real[n]; B:real[n]; suppose A[j] = B[j] for all j:index[n]; A[n + 1] = B[n + 1] + 1
n:size; A:real[n]; B:real[n]; suppose A = B; A[n + 1] = B[n + 1] + 1
n:size; z:real[n]; suppose z[i] <= z[i+1] for all i:index[n]; z[1] = z[1] + 1
n:size; z:real[n]; w:real[n]; suppose w = z/0; n = n + 1
n:size; z:real[n]; max(j = 1..n-1, z[1]) = z[1] + if(1 < n, 0, 1)
x:real; y:real; suppose y = ln(-x^2); x = x + 1
"""


@pytest.mark.parametrize("text", [line for line in OUTSIDE.splitlines() if line])
def test_nothing_is_refuted_by_an_entry_or_a_hypothesis_without_a_value(text: str) -> None:
    assert refuted(text) is None
    s = statement(text)
    agreement = agree(s, s.claim)
    assert (agreement.held, agreement.why) in [(agreement.tried, ""), (0, "no-value"), (0, "no-instance")]


def test_entries_that_a_condition_leaves_out_are_not_read() -> None:
    assert refuted("n:size; z:real[n]; sum(j = 1..n, if(j < n, z[j+1], 0)) = sum(j = 2..n, z[j]) + 1") is not None


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("exp(1) = 2.718281828", "2.71828182846", Fraction("2.718281828")),
        ("exp(1) = 2.718281828459", "2.7182818284590452354", Fraction("2.718281828459")),
        ("sqrt(2) = 1.414213562373", "1.4142135623730950488", Fraction("1.414213562373")),
        ("1/3 = 0.333333", Fraction(1, 3), Fraction("0.333333")),
        ("2^600 = 2^600 + 1", None, None),
    ],
)  # fmt: skip
def test_two_values_that_differ_are_never_shown_alike(text: str, left: Shown | None, right: Shown | None) -> None:
    found = refuted(text)
    assert found is not None
    assert found.left != found.right
    if left is not None:
        assert (found.left, found.right) == (left, right)


def test_values_that_were_solved_for_are_told_apart_as_well() -> None:
    values, found = shown("x:real; y:real; suppose x^2 = 2; suppose 0 < x; suppose y = 1.41421; x = y")
    assert values == {"x": "1.41421356", "y": Fraction("1.41421")}
    assert (found.left, found.right) == ("1.41421356", Fraction("1.41421"))


def test_a_number_is_not_said_to_be_itself() -> None:
    _, found = shown("n:size; 6 + n = n + n")
    assert in_words(found, "en") == ("for n = 1, the left side is 7, the right side is 2. They differ in 6 and n = 1.")
    _, found = shown("x:real; suppose x^2 = 2; suppose 0 < x; x*3 = x + x^2")
    assert "x ≈ 1.41421" in in_words(found, "en")


def test_long_fractions_are_written_as_the_decimals_that_they_are() -> None:
    assert text(Fraction(-271828, 10**5)) == "-2.71828"
    assert text(Fraction(1, 1024 * 5**3)) == "0.0000078125"
    assert text((Fraction(1, 2), Fraction(1, 3 * 10**5))) == "[1/2, 1/300000]"


def said(text: str, trials: int = 24) -> Agreement:
    s = statement(text)
    return agree(s, s.claim, trials)


def test_numbers_agree_only_where_numbers_were_tried() -> None:
    assert said("n:size; sum(j = 1..n, j) = n*(n+1)/2") == Agreement(9, 9, 0, 16, "")
    assert said("1 = 1") == Agreement(1, 1, 0, None, "")
    assert said("x:real; exp(x) = exp(x)").held == 24
    assert said("x:real; suppose x < 0; suppose 0 < x; x = x") == Agreement(0, 0, 0, None, "no-instance")
    assert said("x:real; 1/(x - x) = 1") == Agreement(0, 0, 0, None, "no-value")
    assert said("n:size; suppose n = 10^9; sum(j = 1..n, j) = n*(n+1)/2").why == "too-large"
    assert said("n:size; z:real[n]; suppose n = 10^6; sum(j = 1..n, z[j]) = sum(i = 1..n, z[i])").why == "too-large"


def test_the_work_decides_and_not_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    s = statement("n:size; z:real[n]; c:real; i:index[n]; softmax(z - c)[i] = softmax(z)[i]")
    spent = [examine(s.declarations, s.hypotheses, s.claim, budget=Budget(work=20_000)) for _ in range(2)]
    assert spent[0] == spent[1]
    assert isinstance(spent[0], Agreement)
    assert 0 < spent[0].tried < 240
    clock = iter(range(10**9))
    monkeypatch.setattr("proofs.refute.time.process_time", lambda: next(clock) / 1000)
    slow = statement("n:size; n^4 + 35*n^2 + 24 = 10*n^3 + 50*n")
    assert refute(slow.declarations, slow.hypotheses, slow.claim) is not None
