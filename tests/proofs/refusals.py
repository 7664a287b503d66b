"""Inferences that must be refused, at least one for every side condition of every rule, and inferences that hold.

Each refused one satisfies all side conditions of its rule but one, so that it would go through if that one were
forgotten. Both verifiers must refuse it, each with its own sentence, of which a part is given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from proofs.kernel import Theorem, assume, axiom, choose, cut, linear, relate, ring
from proofs.terms import (
    Definition, Term, add, apply, comprehension, div, entry, exp, forall, greatest, ln, maximum, mul, neg, negation,
    num, power, relation, sqrt, sub, total, var, when,
)  # fmt: skip
from tests.proofs.inferences import Inference


@dataclass(frozen=True)
class Refused:
    """An inference, made only when asked for, and parts of the sentences of the two verifiers that refuse it."""

    name: str
    make: Callable[[], Inference]
    kernel: str
    replay: str


@dataclass(frozen=True)
class Accepted:
    """An inference that holds, with its hypotheses and its conclusion."""

    name: str
    make: Callable[[], Inference]
    hypotheses: Callable[[], tuple[Term, ...]]
    conclusion: Callable[[], Term]


def eq(a: Term, b: Term) -> Term:
    return relation("eq", a, b)


def le(a: Term, b: Term) -> Term:
    return relation("le", a, b)


def lt(a: Term, b: Term) -> Term:
    return relation("lt", a, b)


def ne(a: Term, b: Term) -> Term:
    return relation("ne", a, b)


def given(p: Term) -> Theorem:
    return assume(p)


def steps(rule: str, *premises_and_parameters: Theorem | Term | str | int | Fraction) -> Inference:
    premises = tuple(x for x in premises_and_parameters if isinstance(x, Theorem))
    parameters = tuple(x for x in premises_and_parameters if not isinstance(x, Theorem))
    return Inference(rule, premises, parameters)


x, y, z, w = var("x"), var("y"), var("z"), var("w")
i, j, k, m, n = (var(s, "integer") for s in "ijkmn")
u, v = var("u", "real", 1), var("v", "real", 1)
a, b = var("A", "real", 2), var("B", "real", 2)
zero, one, two = num(0), num(1), num(2)
half = num(Fraction(1, 2))
ABSURD = le(one, zero)
ui, vi = entry(u, i), entry(v, i)
sum_u = total(i, one, n, ui)
closed_sum = total(i, one, n, x)
loose_index = total(i, one, n, i).args[2]
loose_real = sum_u.args[2]
loose_relation = forall(i, one, n, lt(i, n)).args[2]
condition = le(i, n)
chosen = when(condition, x, y)
double = Definition("double", (x,), mul(two, x))


def known(p: Term) -> Theorem:
    return linear(p, (), ())


def same(t: Term) -> Theorem:
    return ring(t, t, ())


REFUSED: list[Refused] = []


def refused(kernel: str, replay: str) -> Callable[[Callable[[], Inference]], Callable[[], Inference]]:
    def note(make: Callable[[], Inference]) -> Callable[[], Inference]:
        REFUSED.append(Refused(make.__name__, make, kernel, replay))
        return make

    return note


CLOSED = ("is no closed", "is not bound")


# --- assume, cut -------------------------------------------------------------------------------------------


@refused("is no proposition", "is no proposition")
def assume_a_number() -> Inference:
    return steps("assume", x)


@refused(*CLOSED)
def assume_what_is_not_closed() -> Inference:
    return steps("assume", loose_relation)


@refused("is no hypothesis", "is no hypothesis")
def cut_what_is_no_hypothesis() -> Inference:
    return steps("cut", known(le(zero, two)), given(le(zero, one)))


# --- congruence, relate ------------------------------------------------------------------------------------


@refused(*CLOSED)
def congruence_in_what_is_not_closed() -> Inference:
    return steps("congruence", loose_real)


@refused("no number or tensor", "is given arguments of the kinds 'pp'")
def congruence_in_a_proposition() -> Inference:
    return steps("congruence", lt(x, y))


@refused("no argument -1", "none of 1 places")
def congruence_at_a_negative_place() -> Inference:
    return steps("congruence", given(eq(x, y)), exp(x), -1)


@refused("no argument 2", "none of 2 places")
def congruence_under_a_binder() -> Inference:
    return steps("congruence", given(eq(x, y)), closed_sum, 2)


@refused("no argument 0", "none of 0 places")
def congruence_in_a_comprehension() -> Inference:
    return steps("congruence", given(eq(x, y)), comprehension((i,), x), 0)


@refused("no argument 1", "none of 1 places")
def congruence_beyond_the_last_argument() -> Inference:
    return steps("congruence", given(eq(x, y)), exp(x), 1)


@refused("a premise is no equation", "is none of eq")
def congruence_by_an_inequality() -> Inference:
    return steps("congruence", given(le(x, y)), exp(x), 0)


@refused("argument 0 is x", "is found, where x:real is needed")
def congruence_by_another_equation() -> Inference:
    return steps("congruence", given(eq(y, z)), exp(x), 0)


@refused("argument 0 is y", "is found, where y:real is needed")
def congruence_backwards() -> Inference:
    return steps("congruence", given(eq(x, y)), exp(y), 0)


@refused("takes integers", "of the kinds 'Ar'")
def congruence_that_makes_an_index_real() -> Inference:
    return steps("congruence", given(eq(i, x)), ui, 1)


@refused("takes integers", "of the kinds 'irr'")
def congruence_that_makes_a_range_real() -> Inference:
    return steps("congruence", given(eq(n, x)), sum_u, 1)


@refused("is no relation", "is none of eq, ne, le, lt")
def relate_a_for_all() -> Inference:
    return steps("relate", given(forall(i, one, n, lt(ui, x))), given(eq(one, two)), 0)


@refused("the sides 0 and 1", "none of 2 places")
def relate_a_third_side() -> Inference:
    return steps("relate", given(lt(x, y)), given(eq(x, z)), 2)


@refused("the sides 0 and 1", "none of 2 places")
def relate_at_a_negative_place() -> Inference:
    return steps("relate", given(lt(x, y)), given(eq(y, z)), -1)


@refused("a premise is no equation", "is none of eq")
def relate_by_an_inequality() -> Inference:
    return steps("relate", given(lt(x, y)), given(le(y, z)), 1)


@refused("side 1 is y", "is found, where y:real is needed")
def relate_by_another_equation() -> Inference:
    return steps("relate", given(lt(x, y)), given(eq(z, y)), 1)


@refused("side 0 is x", "is found, where x:real is needed")
def relate_the_other_side() -> Inference:
    return steps("relate", given(lt(x, y)), given(eq(y, z)), 0)


# --- under -------------------------------------------------------------------------------------------------


@refused(*CLOSED)
def under_a_sum_that_is_not_closed() -> Inference:
    inner = total(j, one, n, total(i, one, j, x)).args[2]
    return steps("under", same(x), inner, i)


@refused("binds nothing", "binds no index")
def under_a_for_all() -> Inference:
    return steps("under", given(eq(x, y)), forall(i, one, n, eq(x, y)), i)


@refused("binds nothing", "binds no index")
def under_no_binder() -> Inference:
    return steps("under", same(x), exp(x))


@refused("binds 2 distinct", "2 indices are bound")
def under_with_one_variable_for_two_indices() -> Inference:
    t = comprehension((i, j), entry(a, i, j))
    return steps("under", known_entrywise(), t, i, i)


def known_entrywise() -> Theorem:
    return ring(entry(a, i, i), mul(one, entry(a, i, i)), ())


@refused("binds 1 distinct", "1 indices are bound")
def under_with_two_variables_for_one_index() -> Inference:
    return steps("under", same(ui), sum_u, i, j)


@refused("is no equation", "is none of eq")
def under_an_inequality() -> Inference:
    return steps("under", known_order(), total(i, one, n, x), i)


def known_order() -> Theorem:
    return linear(le(x, add(x, one)), (), ())


@refused("the body is not", "is needed")
def under_another_body() -> Inference:
    return steps("under", same(vi), sum_u, i)


@refused("not an integer variable", "is no integer variable")
def under_with_a_numeral_for_the_index() -> Inference:
    return steps("under", given(eq(entry(u, num(3)), y)), sum_u, num(3))


@refused("free in a hypothesis that stays", "not arbitrary")
def under_an_assumption_on_the_index() -> Inference:
    return steps("under", given(eq(ui, zero)), sum_u, i)


@refused("free in a hypothesis that stays", "not arbitrary")
def under_an_assumption_from_another_range() -> Inference:
    return steps("under", equal_for(le(i, m)), sum_u, i)


@refused("free in a hypothesis that stays", "not arbitrary")
def under_a_comprehension_has_no_range() -> Inference:
    return steps("under", equal_for(le(one, i)), comprehension((i,), ui), i)


def equal_for(p: Term) -> Theorem:
    """``p |- u[i] = if(p, u[i], 0)``."""
    return turned(choose(when(p, ui, zero), given(p)))


def turned(e: Theorem) -> Theorem:
    """``b = a`` from ``a = b``."""
    return relate(ring(e.conclusion.args[0], e.conclusion.args[0], ()), {0: e})


@refused("free in the conclusion", "not arbitrary")
def under_an_index_that_the_body_has_already() -> Inference:
    t = total(j, one, n, entry(a, i, j))
    return steps("under", ring(entry(a, i, i), mul(one, entry(a, i, i)), ()), t, i)


@refused("free in the conclusion", "not arbitrary")
def under_an_index_that_the_range_has() -> Inference:
    return steps("under", equal_for(le(i, i)), total(j, one, i, entry(u, j)), i)


# --- if ----------------------------------------------------------------------------------------------------


@refused(*CLOSED)
def branch_in_what_is_not_closed() -> Inference:
    t = total(i, one, n, when(le(i, one), x, y)).args[2]
    return steps("branch", same(x), same(y), t)


@refused("is no 'if'", "is none of if")
def branch_in_a_sum() -> Inference:
    return steps("branch", same(x), same(x), total(i, one, n, x))


@refused("is no equation", "is none of eq")
def branch_by_an_inequality_then() -> Inference:
    return steps("branch", known_order(), same(y), chosen)


@refused("is no equation", "is none of eq")
def branch_by_an_inequality_else() -> Inference:
    return steps("branch", same(x), linear(le(y, add(y, one)), (), ()), chosen)


@refused("not those of the premises", "are not the branches")
def branch_with_another_then() -> Inference:
    return steps("branch", same(z), same(y), chosen)


@refused("not those of the premises", "are not the branches")
def branch_with_another_else() -> Inference:
    return steps("branch", same(x), same(z), chosen)


@refused(*CLOSED)
def choose_in_what_is_not_closed() -> Inference:
    t = total(j, one, n, when(condition, entry(u, j), y)).args[2]
    return steps("choose", given(condition), t)


@refused("is no 'if'", "is none of if")
def choose_in_a_sum() -> Inference:
    return steps("choose", given(condition), total(i, one, n, x))


@refused("does not decide", "does not decide")
def choose_by_another_condition() -> Inference:
    return steps("choose", given(lt(i, n)), chosen)


@refused("does not decide", "does not decide")
def choose_by_the_converse() -> Inference:
    return steps("choose", given(le(n, i)), chosen)


# --- cases, absurd -----------------------------------------------------------------------------------------


@refused(*CLOSED)
def cases_of_what_is_not_closed() -> Inference:
    return steps("cases", same(x), same(x), loose_relation)


@refused("conclusions differ", "is found, where")
def cases_with_two_conclusions() -> Inference:
    return steps("cases", given(le(x, y)), given(lt(y, x)), le(x, y))


@refused("is the negation of", "has no negation")
def cases_of_a_for_all() -> Inference:
    return steps("cases", same(x), same(x), forall(i, one, n, lt(ui, x)))


@refused("is the negation of", "has no negation")
def cases_of_an_equation_of_tensors() -> Inference:
    return steps("cases", same(x), same(x), eq(u, v))


@refused(*CLOSED)
def absurd_for_what_is_not_closed() -> Inference:
    return steps("absurd", given(ABSURD), loose_relation)


@refused("is not 1 <= 0", "is found, where (le 1 0) is needed")
def absurd_without_a_contradiction() -> Inference:
    return steps("absurd", given(lt(y, x)), le(x, y))


@refused("is the negation of", "has no negation")
def absurd_for_a_for_all() -> Inference:
    return steps("absurd", given(ABSURD), forall(i, one, n, lt(ui, x)))


# --- specialise, generalise, at ----------------------------------------------------------------------------


@refused("can't put", "is no variable")
def specialise_a_numeral() -> Inference:
    return steps("specialise", given(lt(one, x)), one, two)


@refused("can't put", "is not bound")
def specialise_to_what_is_not_closed() -> Inference:
    return steps("specialise", same(total(i, one, n, mul(x, ui))), x, loose_real)


@refused("does not fit", "is given for")
def specialise_an_integer_to_a_real() -> Inference:
    return steps("specialise", linear(le(add(m, one), n), (given(lt(m, n)),), (1,)), n, half)


@refused("does not fit", "is given for")
def specialise_a_tensor_to_a_number() -> Inference:
    return steps("specialise", same(sum_u), u, x)


@refused("does not fit", "is given for")
def specialise_a_tensor_to_one_of_another_rank() -> Inference:
    return steps("specialise", given(eq(u, v)), u, a)


@refused("does not fit", "is given for")
def specialise_a_number_to_a_proposition() -> Inference:
    return steps("specialise", same(x), x, lt(x, y))


@refused("free in a hypothesis that stays", "not arbitrary")
def generalise_an_assumption() -> Inference:
    return steps("generalise", given(lt(ui, x)), i, one, n)


@refused("free in a hypothesis that stays", "not arbitrary")
def generalise_over_another_range() -> Inference:
    return steps("generalise", given(le(i, n)), i, one, m)


@refused("free in the conclusion", "not arbitrary")
def generalise_over_a_range_from_the_index_itself() -> Inference:
    return steps("generalise", given(le(i, i)), i, i, n)


@refused("free in the conclusion", "not arbitrary")
def generalise_over_a_range_to_the_index_itself() -> Inference:
    return steps("generalise", same(x), i, one, add(i, one))


@refused("not an integer variable", "is no integer variable")
def generalise_a_numeral() -> Inference:
    return steps("generalise", same(x), one, one, n)


@refused("is not an integer variable", "is no integer variable")
def generalise_a_real() -> Inference:
    return steps("generalise", same(y), x, one, n)


@refused(*CLOSED)
def generalise_from_what_is_not_closed() -> Inference:
    return steps("generalise", same(x), i, loose_index, n)


@refused(*CLOSED)
def generalise_to_what_is_not_closed() -> Inference:
    return steps("generalise", same(x), i, one, loose_index)


every = forall(i, one, num(9), lt(ui, x))


@refused("is no 'for all'", "is none of forall")
def at_in_a_relation() -> Inference:
    return steps("at", given(lt(x, y)), known(le(one, two)), known(le(two, num(9))), two)


@refused("shown to be in the range", "do not place")
def at_below_the_range() -> Inference:
    return steps("at", given(every), known(le(zero, num(3))), known(le(num(3), num(9))), num(3))


@refused("shown to be in the range", "do not place")
def at_above_the_range() -> Inference:
    return steps("at", given(every), known(le(one, num(3))), known(le(num(3), num(10))), num(3))


@refused("shown to be in the range", "do not place")
def at_another_place() -> Inference:
    return steps("at", given(every), known(le(one, num(3))), known(le(num(3), num(9))), num(20))


@refused("takes integers", "do not place")
def at_a_place_between_integers() -> Inference:
    t = num(Fraction(5, 2))
    return steps("at", given(every), known(le(one, t)), known(le(t, num(9))), t)


@refused("takes integers", "do not place")
def at_a_place_between_integers_that_is_no_index() -> Inference:
    t = num(Fraction(5, 2))
    no_half = forall(i, one, num(9), ne(mul(two, i), num(5)))
    return steps("at", given(no_half), known(le(one, t)), known(le(t, num(9))), t)


@refused("to be in the range", "is not bound")
def at_what_is_not_closed() -> Inference:
    return steps("at", given(every), known(le(one, two)), known(le(two, num(9))), loose_index)


# --- induction ---------------------------------------------------------------------------------------------

claim = le(zero, mul(half, k))
start = known(le(zero, mul(half, zero)))


def following(*more: Theorem) -> Theorem:
    goal = le(zero, mul(half, add(k, one)))
    return linear(goal, (given(claim), *more), (1, *([0] * len(more))))


@refused("the start is not shown", "is needed")
def induction_from_another_start() -> Inference:
    return steps("induction", start, following(), claim, k, one)


@refused("the step is not shown", "is needed")
def induction_without_a_step() -> Inference:
    return steps("induction", start, given(claim), claim, k, zero)


@refused("free in a hypothesis that stays", "not arbitrary")
def induction_with_a_start_for_some_k() -> Inference:
    weak = linear(le(zero, mul(half, zero)), (given(le(k, n)),), (0,))
    return steps("induction", weak, following(), claim, k, zero)


@refused("free in a hypothesis that stays", "not arbitrary")
def induction_with_a_step_for_some_k() -> Inference:
    return steps("induction", start, following(given(le(k, n))), claim, k, zero)


@refused("free in the conclusion", "not arbitrary")
def induction_from_a_start_that_moves() -> Inference:
    p = le(k, k)
    return steps(
        "induction", known(le(sub(k, one), sub(k, one))), known(le(add(k, one), add(k, one))), p, k, sub(k, one)
    )


@refused("is not an integer variable", "is no integer variable")
def induction_over_the_reals() -> Inference:
    p = le(zero, mul(half, x))
    step = linear(le(zero, mul(half, add(x, one))), (given(p),), (1,))
    return steps("induction", start, step, p, x, zero)


@refused("does not fit", "is given for")
def induction_from_between_integers() -> Inference:
    p = le(zero, mul(half, k))
    base = known(le(zero, mul(half, half)))
    return steps("induction", base, following(), p, k, half)


@refused("can't put", "is no integer variable")
def induction_over_a_numeral() -> Inference:
    return steps("induction", known(le(one, one)), known(le(one, one)), le(one, one), one, one)


# --- definition --------------------------------------------------------------------------------------------


@refused(*CLOSED)
def definition_in_what_is_not_closed() -> Inference:
    return steps("definition", loose_real)


@refused("no number or tensor", "of the kinds 'pp'")
def definition_in_a_proposition() -> Inference:
    return steps("definition", eq(apply(double, x), y), "double")


# --- ring --------------------------------------------------------------------------------------------------


@refused(*CLOSED)
def ring_of_what_is_not_closed_on_the_left() -> Inference:
    return steps("ring", loose_real, loose_real)


@refused("not shown equal", "differ as rational")
def ring_of_two_different_things() -> Inference:
    return steps("ring", add(x, y), add(x, mul(two, y)))


@refused("numbers, not a tensor", "are not both numbers")
def ring_of_tensors() -> Inference:
    return steps("ring", u, u)


@refused("not say that something is not 0", "is none of ne")
def ring_with_an_inequality() -> Inference:
    return steps("ring", given(lt(x, zero)), mul(x, div(one, x)), one)


@refused("not say that something is not 0", "is found, where 0 is needed")
def ring_with_another_number_than_zero() -> Inference:
    return steps("ring", given(ne(x, one)), mul(x, div(one, x)), one)


@refused("not shown equal", "differ as rational")
def ring_cancelling_what_may_be_zero() -> Inference:
    return steps("ring", mul(x, div(y, x)), y)


@refused("not shown equal", "differ as rational")
def ring_cancelling_another_than_the_nonzero() -> Inference:
    return steps("ring", given(ne(y, zero)), mul(x, div(one, x)), one)


@refused("not shown equal", "differ as rational")
def ring_cancelling_a_sum_of_nonzeros() -> Inference:
    return steps("ring", given(ne(x, zero)), given(ne(y, zero)), mul(add(x, y), div(one, add(x, y))), one)


@refused("not shown equal", "differ as rational")
def ring_cancelling_a_summand_of_a_nonzero() -> Inference:
    return steps("ring", given(ne(add(x, y), zero)), mul(x, div(one, x)), one)


@refused("not shown equal", "differ as rational")
def ring_cancelling_a_product_with_one_nonzero_factor() -> Inference:
    return steps("ring", given(ne(x, zero)), mul(x, y, div(one, mul(x, y))), one)


@refused("not shown equal", "differ as rational")
def ring_cancelling_zero() -> Inference:
    return steps("ring", mul(sub(x, x), div(one, sub(x, x))), one)


@refused("not shown equal", "differ as rational")
def ring_cancelling_zero_that_is_assumed_nonzero() -> Inference:
    return steps("ring", given(ne(sub(x, x), zero)), mul(zero, div(one, zero)), one)


@refused("not shown equal", "differ as rational")
def ring_zeroth_power_of_zero_is_not_zero() -> Inference:
    return steps("ring", power(zero, zero), zero)


@refused("not shown equal", "differ as rational")
def ring_negative_power_of_what_may_be_zero() -> Inference:
    return steps("ring", mul(power(x, num(-2)), power(x, num(3))), x)


@refused("not shown equal", "differ as rational")
def ring_reciprocal_of_a_multiple_of_what_may_be_zero() -> Inference:
    return steps("ring", div(one, mul(two, x)), mul(half, div(one, x)))


@refused("not shown equal", "differ as rational")
def ring_division_by_zero_is_not_zero() -> Inference:
    return steps("ring", div(one, zero), zero)


@refused("not shown equal", "differ as rational")
def ring_numerals_inside_atoms_count() -> Inference:
    return steps("ring", exp(mul(half, x)), exp(x))


@refused("not shown equal", "differ as rational")
def ring_does_not_confuse_exponents() -> Inference:
    return steps("ring", power(x, n), power(x, m))


@refused("an exponent over", "the exponent 100001 is over")
def ring_with_too_large_an_exponent() -> Inference:
    return steps("ring", power(x, num(100_001)), power(x, num(100_001)))


@refused("too many digits", "40000 bits")
def ring_with_too_large_a_number() -> Inference:
    return steps("ring", power(two, num(50_000)), power(two, num(50_000)))


@refused("too many digits", "bits, is too large")
def ring_with_too_large_a_product() -> Inference:
    t = mul(*[num(10**1_999)] * 9)
    return steps("ring", t, t)


@refused("too many monomials", "a polynomial is too large")
def ring_with_too_many_products() -> Inference:
    t = add(*(entry(u, num(q)) for q in range(700)))
    return steps("ring", mul(t, t), mul(t, t))


@refused("too many monomials", "a polynomial is too large")
def ring_with_too_many_monomials() -> Inference:
    t = add(*(exp(num(q)) for q in range(4_100)))
    return steps("ring", t, zero)


# --- linear ------------------------------------------------------------------------------------------------


@refused(*CLOSED)
def linear_to_what_is_not_closed() -> Inference:
    return steps("linear", le(loose_index, loose_index))


@refused("is no inequality", "is none of le, lt")
def linear_to_an_equation() -> Inference:
    return steps("linear", given(eq(x, y)), eq(x, y), 1)


@refused("is no inequality", "is none of le, lt")
def linear_to_a_disequation() -> Inference:
    return steps("linear", ne(zero, one))


@refused("one multiplier for each premise", "multipliers")
def linear_with_too_few_multipliers() -> Inference:
    return steps("linear", given(le(x, y)), le(zero, one))


@refused("no equation or inequality", "is none of eq, le, lt")
def linear_by_a_disequation() -> Inference:
    return steps("linear", given(ne(x, y)), le(x, y), 1)


@refused("a negative multiple", "by a negative number")
def linear_by_a_negative_multiple() -> Inference:
    return steps("linear", given(le(x, y)), le(y, x), -1)


@refused("a negative multiple", "by a negative number")
def linear_by_a_negative_multiple_of_a_strict_one() -> Inference:
    return steps("linear", given(lt(x, y)), le(y, x), -1)


@refused("do not give the goal", "do not suffice")
def linear_with_something_left() -> Inference:
    return steps("linear", given(le(x, y)), le(x, add(y, z)), 1)


@refused("do not give the goal", "do not suffice")
def linear_with_too_small_a_constant() -> Inference:
    return steps("linear", given(le(x, y)), le(add(x, half), y), 1)


@refused("do not give the goal", "do not suffice")
def linear_strict_from_weak() -> Inference:
    return steps("linear", given(le(x, y)), lt(x, y), 1)


@refused("do not give the goal", "do not suffice")
def linear_strict_by_a_strict_premise_that_is_not_used() -> Inference:
    return steps("linear", given(le(x, y)), given(lt(z, w)), lt(x, y), 1, 0)


@refused("do not give the goal", "do not suffice")
def linear_strict_by_an_equation() -> Inference:
    return steps("linear", given(eq(x, y)), lt(x, y), 1)


@refused("do not give the goal", "do not suffice")
def linear_integer_strict_from_weak() -> Inference:
    return steps("linear", given(le(m, n)), lt(m, n), 1)


@refused("do not give the goal", "do not suffice")
def linear_integer_with_a_whole_gap() -> Inference:
    return steps("linear", given(le(m, n)), le(add(m, one), n), 1)


@refused("do not give the goal", "do not suffice")
def linear_tightening_where_the_left_side_is_real() -> Inference:
    return steps("linear", given(lt(x, n)), le(add(x, one), n), 1)


@refused("do not give the goal", "do not suffice")
def linear_tightening_where_the_right_side_is_real() -> Inference:
    return steps("linear", given(lt(n, x)), le(add(n, one), x), 1)


@refused("do not give the goal", "do not suffice")
def linear_rounding_a_real_goal_left() -> Inference:
    return steps("linear", given(le(m, n)), le(add(m, half), n), 1)


@refused("do not give the goal", "do not suffice")
def linear_rounding_a_real_goal_right() -> Inference:
    return steps("linear", given(le(m, n)), le(m, sub(n, half)), 1)


@refused("do not give the goal", "do not suffice")
def linear_rounding_a_strict_integer_goal() -> Inference:
    twice = le(mul(two, m), mul(two, n))
    return steps("linear", given(twice), lt(m, add(n, zero)), half.data)


@refused("do not give the goal", "do not suffice")
def linear_integer_from_minus_one_without_a_strict_premise() -> Inference:
    return steps("linear", given(le(x, x)), le(one, zero), 1)


@refused("do not give the goal", "do not suffice")
def linear_integer_strictness_counts_once() -> Inference:
    """m < n counts as m + 1 <= n, and not as strict once more."""
    return steps("linear", given(lt(m, n)), lt(add(m, one), n), 1)


@refused("do not give the goal", "do not suffice")
def linear_power_with_integer_base_and_unknown_exponent_is_real() -> Inference:
    t = power(two, n)
    return steps("linear", given(lt(zero, t)), le(one, t), 1)


@refused("do not give the goal", "do not suffice")
def linear_negative_power_is_real() -> Inference:
    t = power(m, num(-1))
    return steps("linear", given(lt(zero, t)), le(one, t), 1)


@refused("do not give the goal", "do not suffice")
def linear_quotient_of_integers_is_real() -> Inference:
    t = div(m, n)
    return steps("linear", given(lt(zero, t)), le(one, t), 1)


@refused("do not give the goal", "do not suffice")
def linear_sum_of_reals_is_real() -> Inference:
    return steps("linear", given(lt(zero, sum_u)), le(one, sum_u), 1)


@refused("do not give the goal", "do not suffice")
def linear_maximum_of_reals_is_real() -> Inference:
    t = greatest(i, one, n, ui)
    return steps("linear", given(lt(zero, t)), le(one, t), 1)


@refused("do not give the goal", "do not suffice")
def linear_if_with_a_real_branch_is_real() -> Inference:
    t = when(condition, n, x)
    return steps("linear", given(lt(zero, t)), le(one, t), 1)


near = add(n, x)


@refused("do not give the goal", "do not suffice")
def linear_rounding_too_far() -> Inference:
    return steps("linear", given(lt(m, near)), given(le(x, two)), le(m, n), 1, 1)


@refused("do not give the goal", "do not suffice")
def linear_rounding_to_a_strict_goal() -> Inference:
    return steps("linear", given(lt(m, near)), given(le(x, one)), lt(m, n), 1, 1)


@refused("takes numbers, not a tensor", "are not both numbers")
def linear_by_an_equation_of_tensors() -> Inference:
    return steps("linear", given(eq(u, v)), le(zero, one), 1)


# --- bound -------------------------------------------------------------------------------------------------


@refused("is no inequality", "is none of le, lt, ne")
def bound_an_equation() -> Inference:
    return steps("bound", eq(one, one), 64)


@refused(*CLOSED)
def bound_what_is_not_closed() -> Inference:
    return steps("bound", lt(loose_index, two), 64)


@refused("from 1 to 4000 bits", "where 1 to 4000 are allowed")
def bound_with_no_bits() -> Inference:
    return steps("bound", lt(one, two), 0)


@refused("from 1 to 4000 bits", "where 1 to 4000 are allowed")
def bound_with_too_many_bits() -> Inference:
    return steps("bound", lt(one, two), 4_001)


@refused("from 1 to 4000 bits", "where 1 to 4000 are allowed")
def bound_with_half_a_bit() -> Inference:
    return steps("bound", lt(one, two), Fraction(129, 2))


@refused("not shown with", "is not seen with")
def bound_what_is_false() -> Inference:
    return steps("bound", lt(num(Fraction(27183, 10000)), exp(one)), 64)


@refused("not shown with", "is not seen with")
def bound_what_is_equal() -> Inference:
    return steps("bound", le(exp(zero), exp(ln(one))), 64)


@refused("not shown with", "is not seen with")
def bound_a_difference_of_equals() -> Inference:
    return steps("bound", ne(mul(sqrt(two), sqrt(two)), two), 64)


@refused("not shown with", "is not seen with")
def bound_an_order_by_a_difference() -> Inference:
    return steps("bound", lt(two, one), 64)


@refused("is no closed number", "is no closed number")
def bound_a_variable() -> Inference:
    return steps("bound", lt(x, two), 64)


@refused("is no closed number", "is no closed number")
def bound_a_sum() -> Inference:
    return steps("bound", lt(zero, total(i, one, two, i)), 64)


@refused("exponent that is no numeral", "has no numeral")
def bound_an_exponent_that_is_no_numeral() -> Inference:
    return steps("bound", lt(one, power(two, add(one, one))), 64)


@refused("exponent that is too large", "one too large")
def bound_an_exponent_that_is_too_large() -> Inference:
    return steps("bound", lt(zero, power(two, num(100_001))), 64)


@refused("not shown", "is not seen")
def bound_a_zeroth_power_of_zero_is_not_below_one() -> Inference:
    return steps("bound", lt(power(zero, zero), one), 64)


@refused("a power of what may be 0", "not shown to differ from 0")
def bound_a_negative_power_of_what_may_be_zero() -> Inference:
    return steps("bound", lt(zero, power(sub(exp(one), exp(one)), num(-2))), 64)


@refused("a division by what may be 0", "not shown to differ from 0")
def bound_a_division_by_zero() -> Inference:
    return steps("bound", lt(zero, add(one, div(zero, zero))), 64)


@refused("a division by what may be 0", "not shown to differ from 0")
def bound_a_division_by_what_may_be_zero() -> Inference:
    return steps("bound", lt(zero, add(one, mul(zero, div(one, sub(exp(one), exp(one)))))), 64)


@refused("root of what may be negative", "is defined")
def bound_the_root_of_a_negative_number() -> Inference:
    return steps("bound", lt(num(-1), sqrt(num(-4))), 64)


@refused("logarithm of what may not be positive", "is defined")
def bound_the_logarithm_of_zero() -> Inference:
    return steps("bound", lt(ln(zero), one), 64)


@refused("exponential that is too large", "too large to be bounded")
def bound_too_large_an_exponential() -> Inference:
    return steps("bound", lt(zero, exp(num(200_000))), 64)


# --- axiom -------------------------------------------------------------------------------------------------


@refused("no row is called", "has no row")
def axiom_that_is_not_in_the_table() -> Inference:
    return steps("axiom", "everything")


@refused("values for", "one value for each")
def axiom_without_a_value() -> Inference:
    return steps("axiom", "exp-sum", "x", x)


@refused("values for", "one value for each")
def axiom_with_another_variable() -> Inference:
    return steps("axiom", "exp-positive", "y", x)


@refused("1 premises", "needs 1 premises")
def axiom_without_its_premise() -> Inference:
    return steps("axiom", "exp-ln", "x", x)


@refused("2 premises", "needs 2 premises")
def axiom_with_too_few_premises() -> Inference:
    return steps("axiom", given(le(zero, x)), "product-nonnegative", "x", x, "y", y)


@refused("premise 1 is", "is found, where")
def axiom_with_another_premise() -> Inference:
    return steps("axiom", given(lt(one, x)), "exp-ln", "x", x)


@refused("premise 2 is", "is found, where")
def axiom_with_another_second_premise() -> Inference:
    return steps("axiom", given(le(zero, x)), given(le(zero, x)), "product-nonnegative", "x", x, "y", y)


@refused("does not fit", "is given for")
def axiom_with_a_real_for_an_integer() -> Inference:
    return steps("axiom", "exp-multiple", "n", half, "x", x)


@refused("does not fit", "is given for")
def axiom_with_a_number_for_a_tensor() -> Inference:
    return steps("axiom", "sum-one", "f", x, "a", one)


@refused("does not fit", "is given for")
def axiom_with_a_proposition_for_a_number() -> Inference:
    return steps("axiom", "exp-positive", "x", lt(x, y))


@refused("can't put", "is not bound")
def axiom_with_a_factor_that_depends_on_the_index() -> Inference:
    return steps("axiom", "sum-factor", "a", one, "b", n, "x", loose_real, "f", comprehension((i,), ui))


@refused("premise 2 is", "is found, where")
def axiom_sum_positive_of_what_is_only_not_negative() -> Inference:
    return steps("axiom", given(le(one, n)), given(forall(i, one, n, le(zero, ui))), "sum-positive", *range_of_u)


range_of_u: tuple[str | Term, ...] = ("a", one, "b", n, "f", comprehension((i,), ui))


@refused("premise 1 is", "is found, where")
def axiom_sum_positive_over_an_empty_range() -> Inference:
    positive = forall(i, one, n, lt(zero, ui))
    return steps("axiom", given(le(one, add(n, one))), given(positive), "sum-positive", *range_of_u)


# --- what holds --------------------------------------------------------------------------------------------

ACCEPTED: list[Accepted] = []


def accepted(name: str, make: Callable[[], Inference], hypotheses: tuple[Term, ...], conclusion: Term) -> None:
    ACCEPTED.append(Accepted(name, make, lambda: hypotheses, lambda: conclusion))


p, q = le(x, y), lt(z, w)
accepted("assume", lambda: steps("assume", p), (p,), p)
accepted(
    "cut",
    lambda: steps("cut", linear(p, (given(lt(x, y)),), (1,)), linear(le(x, add(y, one)), (given(p), given(q)), (1, 0))),
    (lt(x, y), q),
    le(x, add(y, one)),
)
accepted(
    "congruence",
    lambda: steps("congruence", given(eq(x, y)), given(eq(z, w)), mul(x, n, z), 0, 2),
    (eq(x, y), eq(z, w)),
    eq(mul(x, n, z), mul(y, n, w)),
)
accepted(
    "congruence in a range",
    lambda: steps("congruence", given(eq(n, m)), sum_u, 1),
    (eq(n, m),),
    eq(sum_u, total(i, one, m, ui)),
)
accepted("congruence of tensors", lambda: steps("congruence", given(eq(u, v)), ui, 0), (eq(u, v),), eq(ui, vi))
accepted(
    "under a sum",
    lambda: steps("under", linear_pair(), total(i, one, n, ui), i),
    (q,),
    eq(sum_u, total(i, one, n, when(le(one, i), when(le(i, n), ui, zero), zero))),
)


def linear_pair() -> Theorem:
    """``1 <= i, i <= n, z < w |- u[i] = if(1 <= i, if(i <= n, u[i], 0), 0)``."""
    low, high = given(le(one, i)), given(le(i, n))
    inner = choose(when(le(i, n), ui, zero), high)
    outer = when(le(one, i), when(le(i, n), ui, zero), zero)
    e = relate(choose(outer, low), {1: inner})
    strong = linear(le(one, i), (low, given(q)), (1, 0))
    e = cut(strong, e)
    return turned(e)


accepted(
    "under a maximum",
    lambda: steps("under", ring(ui, mul(one, ui), ()), greatest(i, one, n, ui), i),
    (),
    eq(greatest(i, one, n, ui), greatest(i, one, n, mul(one, ui))),
)
accepted(
    "under a comprehension",
    lambda: steps(
        "under", ring(entry(a, i, j), mul(one, entry(a, i, j)), ()), comprehension((j, i), entry(a, j, i)), i, j
    ),
    (),
    eq(comprehension((j, i), entry(a, j, i)), comprehension((j, i), mul(one, entry(a, j, i)))),
)
accepted(
    "branch",
    lambda: steps(
        "branch", linear_equal(condition, x, given(q)), linear_equal(negation(condition), y, given(p)), chosen
    ),
    (p, q),
    eq(chosen, when(condition, when(condition, x, zero), when(negation(condition), y, zero))),
)


def linear_equal(c: Term, t: Term, more: Theorem) -> Theorem:
    """``c, more |- t = if(c, t, 0)``."""
    weak = linear(c, (given(c), more), (1, 0)) if c.op in ("le", "lt") else given(c)
    return cut(weak, turned(choose(when(c, t, zero), given(c))))


accepted("choose then", lambda: steps("choose", given(condition), chosen), (condition,), eq(chosen, x))
accepted("choose else", lambda: steps("choose", given(lt(n, i)), chosen), (lt(n, i),), eq(chosen, y))
accepted(
    "relate",
    lambda: steps("relate", given(lt(x, y)), given(eq(x, z)), given(eq(y, w)), 0, 1),
    (lt(x, y), eq(x, z), eq(y, w)),
    lt(z, w),
)
accepted("relate tensors", lambda: steps("relate", given(eq(u, v)), given(eq(u, v)), 0), (eq(u, v),), eq(v, v))
accepted(
    "cases",
    lambda: steps(
        "cases",
        linear(le(zero, one), (given(p), given(q)), (0, 0)),
        linear(le(zero, one), (given(lt(y, x)), given(lt(x, z))), (0, 0)),
        p,
    ),
    (q, lt(x, z)),
    le(zero, one),
)
accepted(
    "absurd",
    lambda: steps("absurd", linear(ABSURD, (given(lt(y, x)), given(q), given(p)), (1, 0, 1)), le(x, y)),
    (q, p),
    le(x, y),
)
accepted(
    "absurd of an equation",
    lambda: steps("absurd", contradiction(), eq(x, y)),
    (eq(x, y),),
    eq(x, y),
)


def contradiction() -> Theorem:
    return axiom("contradiction", {"x": x, "y": y}, (given(eq(x, y)), given(ne(x, y))))


accepted(
    "specialise all at once",
    lambda: steps("specialise", given(lt(x, y)), x, y, y, x),
    (lt(y, x),),
    lt(y, x),
)
accepted(
    "specialise under a binder",
    lambda: steps("specialise", same(total(i, one, n, mul(x, ui))), x, i),
    (),
    eq(total(j, one, n, mul(i, entry(u, j))), total(j, one, n, mul(i, entry(u, j)))),
)
accepted(
    "generalise",
    lambda: steps("generalise", linear(le(i, n), (given(le(i, n)), given(q)), (1, 0)), i, one, n),
    (q,),
    forall(i, one, n, le(i, n)),
)
accepted(
    "at",
    lambda: steps("at", given(every), given(le(one, m)), given(le(m, num(9))), m),
    (every, le(one, m), le(m, num(9))),
    lt(entry(u, m), x),
)
accepted(
    "induction",
    lambda: steps(
        "induction",
        linear(start.conclusion, (given(p),), (0,)),
        following(given(q), given(le(zero, k))),
        claim,
        k,
        zero,
    ),
    (p, q, le(zero, k)),
    claim,
)
accepted(
    "definition",
    lambda: steps("definition", exp(apply(double, y)), "double"),
    (),
    eq(exp(apply(double, y)), exp(mul(two, y))),
)
accepted(
    "definition left alone", lambda: steps("definition", apply(double, y)), (), eq(apply(double, y), apply(double, y))
)
accepted(
    "entry of a comprehension",
    lambda: steps("definition", total(j, one, n, entry(comprehension((i, k), entry(a, k, i)), j, two))),
    (),
    eq(
        total(j, one, n, entry(comprehension((i, k), entry(a, k, i)), j, two)),
        total(j, one, n, entry(a, two, j)),
    ),
)
xy = mul(x, y)
accepted("ring", lambda: steps("ring", power(add(x, y), two), add(mul(x, x), mul(two, x, y), power(y, two))), (), eq(
    power(add(x, y), two), add(mul(x, x), mul(two, x, y), power(y, two))))  # fmt: skip
accepted(
    "ring with what is not zero",
    lambda: steps("ring", given(ne(x, zero)), given(ne(add(x, y), zero)), add(div(y, x), div(x, add(x, y))),
                  div(add(mul(y, add(x, y)), power(x, two)), mul(x, add(y, x)))),
    (ne(x, zero), ne(add(x, y), zero)),
    eq(add(div(y, x), div(x, add(x, y))), div(add(mul(y, add(x, y)), power(x, two)), mul(x, add(y, x)))),
)  # fmt: skip
accepted(
    "ring with a product that is not zero",
    lambda: steps("ring", given(ne(xy, zero)), mul(x, power(x, num(-2))), div(one, x)),
    (ne(xy, zero),),
    eq(mul(x, power(x, num(-2))), div(one, x)),
)
accepted(
    "ring with a zeroth power",
    lambda: steps("ring", power(mul(neg(two), x), zero), one),
    (),
    eq(power(mul(neg(two), x), zero), one),
)
accepted(
    "ring with a zeroth power of zero", lambda: steps("ring", power(zero, zero), one), (), eq(power(zero, zero), one)
)
accepted(
    "bound on a zeroth power of zero",
    lambda: steps("bound", lt(zero, power(zero, zero)), 64),
    (),
    lt(zero, power(zero, zero)),
)
accepted("linear", lambda: steps("linear", given(le(x, y)), given(lt(z, w)), lt(add(x, z), add(y, w)), 1, 1),
         (le(x, y), lt(z, w)), lt(add(x, z), add(y, w)))  # fmt: skip
accepted("linear with an unused hypothesis", lambda: steps("linear", given(p), le(zero, one), 0), (p,), le(zero, one))
accepted("linear by minus an equation", lambda: steps("linear", given(eq(x, y)), le(y, x), -1), (eq(x, y),), le(y, x))
accepted(
    "linear between integers",
    lambda: steps("linear", given(lt(m, n)), le(add(m, one), n), 1),
    (lt(m, n),),
    le(add(m, one), n),
)
accepted(
    "linear between three integers",
    lambda: steps("linear", given(lt(k, m)), given(lt(m, n)), le(add(k, two), n), 1, 1),
    (lt(k, m), lt(m, n)),
    le(add(k, two), n),
)
accepted("linear rounding", lambda: steps("linear", given(lt(mul(two, m), add(mul(two, n), one))), le(m, n), half.data),
         (lt(mul(two, m), add(mul(two, n), one)),), le(m, n))  # fmt: skip
accepted(
    "linear rounding from a strict real one",
    lambda: steps("linear", given(lt(m, add(n, x))), given(le(x, one)), le(m, n), 1, 1),
    (lt(m, add(n, x)), le(x, one)),
    le(m, n),
)
accepted(
    "bound",
    lambda: steps("bound", lt(exp(one), num(Fraction(27183, 10000))), 64),
    (),
    lt(exp(one), num(Fraction(27183, 10000))),
)
accepted("bound a difference", lambda: steps("bound", ne(two, sqrt(two)), 64), (), ne(two, sqrt(two)))
accepted("bound a difference the other way", lambda: steps("bound", ne(sqrt(two), two), 64), (), ne(sqrt(two), two))
accepted(
    "axiom",
    lambda: steps("axiom", given(le(one, n)), given(forall(i, one, n, lt(zero, exp(ui)))), "sum-positive",
                  "a", one, "b", n, "f", comprehension((j,), exp(entry(u, j)))),
    (le(one, n), forall(i, one, n, lt(zero, exp(ui)))),
    lt(zero, total(i, one, n, exp(ui))),
)  # fmt: skip
accepted(
    "axiom of a maximum", lambda: steps("axiom", given(p), "max-right", "x", x, "y", y), (p,), eq(maximum(x, y), y)
)
