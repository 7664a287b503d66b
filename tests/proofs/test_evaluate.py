"""Certified values: against 60 digits of mpmath, by hand, and by what must not be decided."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs import closed_forms, intervals
from proofs.evaluate import (
    EMPTY, Interval, Limits, Model, NotCertain, Tensor, TooLarge, Unassigned, Undefined, compare, decimal, exact, holds,
    prepare, rounded, value,
)  # fmt: skip
from proofs.terms import (
    Definition, Term, add, apply, comprehension, div, entry, exp, forall, greatest, ln, maximum, mul, neg, num, power,
    relation, sqrt, sub, total, var, when,
)  # fmt: skip
from tests.proofs.independent import NoValue, evaluated

x, y = var("x"), var("y")
n, i, j, k = (var(s, "integer") for s in "nijk")
z, A = var("z", "real", 1), var("A", "real", 2)
ZERO, ONE, TWO = num(0), num(1), num(2)


def rows(*values: object) -> Tensor:
    return Tensor(1, {(p + 1,): Fraction(str(v)) for p, v in enumerate(values)}, (len(values),))


# --- enclosures against mpmath ---------------------------------------------------------------------------

rationals = st.fractions(min_value=-200, max_value=200, max_denominator=10**9)
bits = st.sampled_from([53, 64, 128, 300])


def inside(found: Interval, true: mpmath.mpf, width: int | None) -> None:
    with mpmath.workprec(4_000):
        low = mpmath.mpf(found.lower.numerator) / found.lower.denominator
        high = mpmath.mpf(found.upper.numerator) / found.upper.denominator
        assert low <= true <= high
        if width is not None and true:
            assert (high - low) / abs(true) < mpmath.mpf(2) ** (8 - width)


@given(rationals, bits)
def test_exponential_encloses(q: Fraction, b: int) -> None:
    with mpmath.workprec(4_000):
        true = mpmath.exp(mpmath.mpf(q.numerator) / q.denominator)
    inside(intervals.exp_rational(q, b), true, b)


@given(rationals.filter(lambda q: q > 0), bits)
def test_logarithm_encloses(q: Fraction, b: int) -> None:
    with mpmath.workprec(4_000):
        true = mpmath.log(mpmath.mpf(q.numerator) / q.denominator)
    inside(intervals.ln_rational(q, b), true, b if abs(q - 1) > Fraction(1, 8) else None)


@given(rationals.filter(lambda q: q >= 0), bits)
def test_square_root_encloses(q: Fraction, b: int) -> None:
    with mpmath.workprec(4_000):
        true = mpmath.sqrt(mpmath.mpf(q.numerator) / q.denominator)
    inside(intervals.sqrt_rational(q, b), true, b)


@given(rationals, rationals, rationals, rationals, st.sampled_from([4, 20, 64]), st.integers(1, 9))
def test_interval_operations_contain_the_images_of_all_points(
    p: Fraction, q: Fraction, r: Fraction, s: Fraction, b: int, e: int
) -> None:
    def between(u: Fraction, v: Fraction) -> Interval:
        a, c = sorted((u, v))
        low, high = intervals.rational(a, b), intervals.rational(c, b)
        f = min(low.e, high.e)
        return Interval(low.lo << (low.e - f), high.hi << (high.e - f), f)

    a, c = between(p, q), between(r, s)
    for u in (p, q, (p + q) / 2):
        for v in (r, s, (r + s) / 2):
            assert u + v in intervals.add(a, c, b)
            assert u * v in intervals.mul(a, c, b)
            assert max(u, v) in intervals.maximum(a, c)
            assert u**e in intervals.power(a, e, b)
            if c.sign():
                assert u / v in intervals.div(a, c, b)
            else:
                with pytest.raises(NotCertain):
                    intervals.div(a, c, b)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("places", [15, 30, 60, 200])
def test_what_is_nearly_one_or_nearly_zero_is_not_taken_for_it(places: int, sign: int) -> None:
    tiny = Fraction(sign, 10**places)
    with mpmath.workprec(4_000):
        x = mpmath.mpf(sign) / 10**places
        inside(intervals.exp_rational(tiny, 64), mpmath.exp(x), None)
        inside(intervals.ln_rational(1 + tiny, 64), mpmath.log(1 + x), None)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("places", [50, 100, 200])
def test_bounds_at_a_single_point_reach_past_the_rounded_series(places: int, sign: int) -> None:
    one = 1 << places
    with mpmath.workprec(4_000):
        x = mpmath.mpf(sign) / one
        inside(intervals.exp(Interval(sign, sign, -places), 64), mpmath.exp(x), None)
        inside(intervals.ln(Interval(one + sign, one + sign, -places), 64), mpmath.log(1 + x), None)


def test_numbers_of_very_different_size_are_added_and_compared_without_aligning_them() -> None:
    huge = intervals.exp_rational(10**8, 64)
    tiny = intervals.exp_rational(-(10**8), 64)
    assert intervals.compare(tiny, huge) == -1
    assert intervals.compare(intervals.add(huge, tiny, 64), tiny) == 1


# --- terms against mpmath ----------------------------------------------------------------------------------

MODEL = Model({x: Fraction(-3, 2), y: 2, n: 3, z: rows(2, "1/2", -1)})


def numbers(bound: tuple[Term, ...] = ()) -> st.SearchStrategy[Term]:
    index = st.sampled_from([ONE, TWO, n, *bound])
    leaf = st.one_of(
        st.builds(num, st.fractions(min_value=-4, max_value=4, max_denominator=3)),
        st.sampled_from([x, y, n]),
        st.builds(lambda p: entry(z, p), index),
    )
    return st.recursive(leaf, lambda inner: st.one_of(
        st.builds(add, inner, inner), st.builds(mul, inner, inner), st.builds(div, inner, inner),
        st.builds(sub, inner, inner), st.builds(maximum, inner, inner), st.builds(exp, inner), st.builds(ln, inner),
        st.builds(sqrt, inner), st.builds(lambda a, e: power(a, num(e)), inner, st.integers(-2, 3)),
        st.builds(lambda a, b: total(j, ONE, n, div(mul(entry(z, j), a), b)), inner, inner),
        st.builds(lambda a: greatest(j, ONE, n, mul(a, entry(z, j))), inner),
        st.builds(lambda a, b: total(j, ZERO, TWO, when(relation("le", j, ONE), a, b)), inner, inner),
    ), max_leaves=12)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(numbers())
def test_values_of_random_terms_enclose_those_of_mpmath(t: Term) -> None:
    try:
        want = evaluated(t, MODEL)
    except NoValue:
        return
    try:
        found = value(t, MODEL, precision=100)
    except (TooLarge, NotCertain):
        return
    with mpmath.workdps(60):
        low, high = (found, found) if isinstance(found, Fraction) else (found.lower, found.upper)
        slack = mpmath.mpf(10) ** -40 * (1 + abs(want))
        assert mpmath.mpf(low.numerator) / low.denominator - slack <= want
        assert want <= mpmath.mpf(high.numerator) / high.denominator + slack


@settings(max_examples=300, deadline=None)
@given(numbers(), numbers())
def test_what_is_recognised_as_equal_is_equal_to_60_digits(a: Term, b: Term) -> None:
    try:
        order = compare(a, b, MODEL, limits=Limits(precision=256))
        want_a, want_b = evaluated(a, MODEL), evaluated(b, MODEL)
    except (NoValue, Undefined, TooLarge):
        return
    difference, slack = want_a - want_b, mpmath.mpf(10) ** -35 * (1 + abs(want_a))
    if order == 0:
        assert abs(difference) <= slack
    elif order is not None:
        assert difference * order >= -slack


# --- exactness ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        (sqrt(div(num(9), num(4))), Fraction(3, 2)),
        (exp(ZERO), 1),
        (ln(ONE), 0),
        (mul(exp(TWO), exp(num(-2))), 1),
        (mul(sqrt(TWO), sqrt(num(8))), 4),
        (ln(exp(num(3))), 3),
        (exp(ln(num(5))), 5),
        (div(ln(num(8)), ln(TWO)), 3),
        (power(add(ONE, sqrt(TWO)), TWO), None),
        (sub(power(add(ONE, sqrt(TWO)), TWO), mul(TWO, sqrt(TWO))), 3),
        (total(j, num(3), TWO, div(ONE, j)), 0),
        (sub(num(10**16 + 1), num(10**16)), 1),
        (add(div(exp(ONE), add(exp(ONE), exp(TWO))), div(exp(TWO), add(exp(ONE), exp(TWO)))), 1),
        (sub(ln(add(exp(ONE), exp(TWO))), ln(add(ONE, exp(ONE)))), 1),
        (exp(mul(div(ONE, TWO), ln(num(9)))), 3),
        (sqrt(exp(TWO)), None),
    ],
)
def test_exact_values_are_recognised(t: Term, expected: int | Fraction | None) -> None:
    assert exact(t) == expected


@pytest.mark.parametrize(
    ("a", "b", "order"),
    [
        (ln(num(4)), mul(TWO, ln(TWO)), 0),
        (div(exp(div(ONE, TWO)), add(exp(div(ONE, TWO)), ONE)), div(ONE, add(ONE, exp(div(num(-1), TWO)))), 0),
        (add(sqrt(TWO), sqrt(num(3))), sqrt(add(num(5), mul(TWO, sqrt(num(6))))), None),
        (sqrt(num(8)), mul(TWO, sqrt(TWO)), 0),
        (exp(ONE), div(num(19), num(7)), 1),
        (exp(ONE), num(Fraction("2.718281828459045235360287471353")), -1),
        (exp(num(Fraction(1, 10**40))), ONE, 1),
        (power(TWO, num(99)), power(TWO, num(98)), 1),
        (num(10**16), num(10**16 + 1), -1),
        (sqrt(exp(TWO)), exp(ONE), 0),
    ],
)
def test_closed_terms_are_compared(a: Term, b: Term, order: int | None) -> None:
    assert compare(a, b) == order
    assert compare(b, a) == (None if order is None else -order)


def test_nearness_is_never_equality() -> None:
    near = add(exp(ONE), num(Fraction(1, 10**900)))
    assert compare(near, exp(ONE), limits=Limits(precision=256)) is None or compare(near, exp(ONE)) == 1
    nested = sub(sqrt(add(num(5), mul(TWO, sqrt(num(6))))), add(sqrt(TWO), sqrt(num(3))))
    assert compare(nested, ZERO) is None
    assert holds(relation("eq", nested, ZERO)) is None
    assert holds(relation("ne", nested, ZERO)) is None
    with pytest.raises(NotCertain):
        value(div(ONE, nested))


def test_forms_whose_coefficients_or_monomials_grow_are_refused() -> None:
    wide = closed_forms.constant(0)
    for p in range(1, 30):
        wide = closed_forms.add(wide, closed_forms.exp(closed_forms.constant(p)))
    with pytest.raises(TooLarge):
        closed_forms.power(closed_forms.add(wide, closed_forms.sqrt(closed_forms.constant(2))), 20)
    with pytest.raises(TooLarge):
        closed_forms.power(closed_forms.constant(3), 10_000)


# --- what has no value -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("t", "code"),
    [
        (div(ONE, ZERO), "division-by-zero"),
        (div(ONE, sub(mul(exp(ONE), exp(num(-1))), ONE)), "division-by-zero"),
        (power(ZERO, num(-1)), "division-by-zero"),
        (sqrt(num(-1)), "negative-root"),
        (sqrt(sub(ONE, exp(ONE))), "negative-root"),
        (ln(ZERO), "logarithm"),
        (ln(sub(TWO, exp(ONE))), "logarithm"),
        (greatest(j, TWO, ONE, entry(z, j)), "empty-maximum"),
        (mul(ZERO, div(ONE, ZERO)), "division-by-zero"),
        (power(div(ONE, ZERO), ZERO), "division-by-zero"),
        (entry(z, ZERO), "outside-dimensions"),
        (entry(z, num(4)), "outside-dimensions"),
        (total(j, ZERO, TWO, entry(z, j)), "outside-dimensions"),
        (total(j, ZERO, TWO, div(ONE, j)), "division-by-zero"),
    ],
)
def test_what_has_no_value_says_so(t: Term, code: str) -> None:
    with pytest.raises(Undefined) as caught:
        value(t, MODEL)
    assert caught.value.code == code
    with pytest.raises(Undefined):
        holds(relation("eq", t, t), MODEL)


def test_the_part_without_value_has_its_indices_put_in() -> None:
    with pytest.raises(Undefined) as caught:
        value(total(j, ONE, num(3), div(entry(z, j), sub(j, TWO))), MODEL)
    assert caught.value.term == div(entry(z, TWO), sub(TWO, TWO))


def test_what_is_not_evaluated_need_not_have_a_value() -> None:
    assert value(when(relation("lt", ONE, TWO), ONE, div(ONE, ZERO))) == 1
    assert value(total(j, TWO, ONE, div(ONE, ZERO))) == 0


def test_the_root_of_exactly_zero_may_be_taken_though_its_bounds_reach_below() -> None:
    assert value(sqrt(sub(mul(exp(ONE), exp(num(-1))), ONE))) == 0


def test_a_variable_without_a_value_is_named() -> None:
    with pytest.raises(Unassigned) as caught:
        value(add(x, ONE))
    assert caught.value.variable == x


# --- definitions, binders, tensors -------------------------------------------------------------------------


def test_softmax_by_definition_and_written_out_are_equal() -> None:
    m, w = var("m", "integer"), var("w", "real", 1)
    body = comprehension((i,), div(exp(entry(w, i)), total(j, ONE, m, exp(entry(w, j)))))
    softmax = Definition("softmax", (m, w), body, 1)
    shifted = apply(softmax, n, comprehension((i,), sub(entry(z, i), x)))
    assert holds(relation("eq", entry(shifted, TWO), entry(apply(softmax, n, z), TWO)), MODEL) is True
    assert exact(total(k, ONE, n, entry(shifted, k)), MODEL) == 1
    assert decimal(entry(apply(softmax, num(2), z), ONE), 5, model=MODEL) == "0.81757"  # 1/(1+exp(-3/2))


def test_binders_of_one_name_do_not_meet() -> None:
    triangle = total(i, ONE, n, total(j, ONE, i, mul(entry(A, i, j), sub(i, j))))
    table = {(a, b): 10 * a + b for a in range(1, 4) for b in range(1, 4)}
    want = sum((10 * a + b) * (a - b) for a in range(1, 4) for b in range(1, a + 1))
    assert value(triangle, Model({n: 3, A: Tensor(2, table, (3, 3))})) == want


def test_repeated_sums_are_computed_once() -> None:
    inner = total(j, ONE, num(300), exp(div(j, num(7))))
    outer = total(i, ONE, num(300), div(exp(div(i, num(7))), inner))
    assert holds(relation("lt", outer, num(2)), limits=Limits(operations=20_000)) is True


def test_a_zeroth_power_is_one_of_zero_as_well() -> None:
    assert value(power(ZERO, ZERO)) == value(power(sub(x, x), ZERO), MODEL) == 1
    assert value(power(sub(exp(ln(TWO)), TWO), ZERO)) == 1
    assert exact(power(sub(mul(exp(ONE), exp(num(-1))), ONE), ZERO)) == 1


def test_entries_outside_the_dimensions_have_no_value_and_others_are_read_past_them() -> None:
    w, model = var("w", "real", 1), Model({z: rows(1, 2), n: 3})
    with pytest.raises(Undefined) as caught:
        value(total(j, ONE, n, entry(z, j)), model)
    assert caught.value.term == entry(z, num(3))
    assert value(total(j, ONE, n, when(relation("lt", j, n), entry(z, j), ZERO)), model) == 3
    given = Model({z: rows(1, 2), w: comprehension((j,), mul(TWO, entry(z, ONE)))}, {w: (3,)})
    assert value(entry(w, num(3)), given) == 2
    with pytest.raises(Undefined):
        value(entry(w, num(4)), given)


def test_entries_that_no_table_has_are_fixed_where_no_dimensions_are_known() -> None:
    model = Model({z: Tensor(1, {(1,): 5}), n: 3})
    assert value(entry(z, n), model) == value(entry(z, num(3)), model)


def test_values_may_be_terms_over_other_variables() -> None:
    table = {(1,): 4, (2,): mul(TWO, entry(z, ONE)), (3,): exp(x)}
    model = Model({x: 0, y: sqrt(entry(z, ONE)), z: Tensor(1, table, (3,))})
    assert value(y, model) == 2
    assert value(total(j, ONE, num(3), entry(z, j)), model) == 13
    with pytest.raises(TooLarge):
        value(x, Model({x: add(y, ONE), y: x}))


def test_for_all_needs_every_instance() -> None:
    assert holds(forall(j, ONE, n, relation("le", entry(z, j), TWO)), MODEL) is True
    assert holds(forall(j, ONE, n, relation("lt", entry(z, j), TWO)), MODEL) is False
    assert holds(forall(j, TWO, ONE, relation("lt", ONE, ZERO)), MODEL) is True
    with pytest.raises(Undefined):
        holds(forall(j, ONE, n, relation("lt", div(ONE, sub(j, TWO)), num(-5))), MODEL)


# --- limits ------------------------------------------------------------------------------------------------

TEN = num(10)


@pytest.mark.parametrize(
    "t",
    [
        power(TEN, power(TEN, TEN)),
        exp(power(TEN, TEN)),
        exp(exp(exp(exp(TEN)))),
        power(power(power(TEN, TEN), TEN), power(TEN, num(9))),
        total(j, ONE, power(TEN, num(9)), j),
        total(i, ONE, num(10_000), total(j, ONE, i, mul(i, j))),
        mul(*[power(num(7), num(3_000))] * 40, ONE),
        greatest(j, ONE, power(TEN, num(30)), j),
    ],
)
def test_the_enormous_is_refused_at_once(t: Term) -> None:
    with pytest.raises(TooLarge):
        value(t)


def test_definitions_that_double_are_refused_at_once() -> None:
    definition = Definition("f", (x,), add(x, ONE))
    for level in range(30):
        once = apply(definition, x)
        definition = Definition(f"f{level}", (x,), add(once, once))
    with pytest.raises(TooLarge):
        value(apply(definition, ONE))


def test_a_long_real_number_becomes_an_interval_and_a_long_integer_is_refused() -> None:
    long = power(div(num(3), TWO), num(30_000))
    assert isinstance(value(long), Interval)
    with pytest.raises(TooLarge):
        value(power(num(3), num(30_000)))


def test_a_term_of_the_greatest_depth_is_evaluated() -> None:
    t: Term = x
    for _ in range(110):
        t = add(t, ONE)
    assert value(t, Model({x: 1})) == 111


# --- decimals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("t", "digits", "text"),
    [
        (exp(ONE), 4, "2.7183"),
        (exp(ONE), 30, "2.718281828459045235360287471353"),
        (div(TWO, num(3)), 2, "0.67"),
        (div(num(-2), num(3)), 2, "-0.67"),
        (div(ONE, num(8)), 2, None),
        (div(ONE, num(8)), 3, "0.125"),
        (num(Fraction(-1, 1000)), 2, "0.00"),
        (num(7), 0, "7"),
        (div(num(5), TWO), 0, None),
        (add(div(num(5), TWO), num(Fraction(1, 10**300))), 0, "3"),
        (sub(num(Fraction(1, 2)), exp(num(-1000))), 0, "0"),
        (mul(exp(ONE), exp(num(-1))), 3, "1.000"),
    ],
)
def test_digits_after_the_point(t: Term, digits: int, text: str | None) -> None:
    assert decimal(t, digits) == text


@pytest.mark.parametrize(
    ("t", "digits", "text"),
    [
        (num(4194304), 3, "4.19e6"),
        (num(4194304), 7, "4194304"),
        (num(4194304), 8, "4194304.0"),
        (exp(num(-20)), 3, "2.06e-9"),
        (exp(num(-5)), 3, "0.00674"),
        (num(999_999), 3, "1.00e6"),
        (num(-1500), 1, None),
        (exp(num(1000)), 5, "1.9701e434"),
        (neg(exp(num(2))), 3, "-7.39"),
    ],
)
def test_significant_digits(t: Term, digits: int, text: str | None) -> None:
    assert decimal(t, digits, significant=True) == text


@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=997), st.integers(0, 6))
def test_rounding_is_to_the_nearest(q: Fraction, digits: int) -> None:
    text = rounded(q, digits)
    scaled = abs(q) * 10**digits
    if text is None:
        assert scaled % 1 == Fraction(1, 2)
    else:
        assert abs(Fraction(text) - q) * 2 < Fraction(1, 10**digits)


def test_a_rounding_that_bounds_do_not_decide_is_none() -> None:
    wide = Interval(9, 11, -1)  # [4.5, 5.5]
    assert rounded(wide, 0) is None
    assert rounded(Interval(37, 43, -3), 0) == "5"  # [4.625, 5.375]


def test_a_small_evaluation_is_fast() -> None:
    t = relation("eq", div(exp(entry(z, ONE)), total(j, ONE, n, exp(entry(z, j)))), x)
    ready = prepare(t)
    ready.truth(MODEL, 128)
    for _ in range(1_000):
        ready.truth(MODEL, 128)


def test_the_empty_model_is_empty() -> None:
    assert dict(EMPTY.values) == {}
