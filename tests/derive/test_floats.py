"""The IEEE model against tables, mpmath, NumPy and ml_dtypes, bit for bit where these promise so."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import ml_dtypes
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import derive.floats as fl
from derive.floats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, FORMATS, Float, FloatsError, Format

DTYPES: dict[str, Any] = {
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "float64": np.float64,
}
UNSIGNED: dict[int, Any] = {16: np.uint16, 32: np.uint32, 64: np.uint64}
NUMPY_FORMATS = (FLOAT16, FLOAT32, FLOAT64)

by_name = pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
few = settings(max_examples=40)
by_numpy_name = pytest.mark.parametrize("fmt", NUMPY_FORMATS, ids=lambda fmt: fmt.name)


def to_numpy(x: Float) -> Any:
    return np.array(fl.to_bits(x), UNSIGNED[x.format.width]).view(DTYPES[x.format.name])[()]


def of_numpy(number: Any, fmt: Format) -> Float:
    return fl.from_bits(fmt, int(np.asarray(number, DTYPES[fmt.name]).view(UNSIGNED[fmt.width])))


def decimals(row: tuple[Float, ...] | None) -> list[str]:
    assert row is not None
    return [str(fl.exact_decimal(x)) for x in row]


def row_of(fmt: Format, *scores: fl.Typed) -> tuple[Float, ...]:
    return fl.cast_row(scores, fmt)


@st.composite
def values(draw: st.DrawFn, fmt: Format) -> Float:
    """Any encoding, with extra weight on zeros, subnormals, infinities, NaN and moderate numbers."""
    one, top = fl.to_bits(fl.cast(1, fmt)), fl.to_bits(fl.infinity(fmt))
    sign = draw(st.sampled_from([0, 1 << (fmt.width - 1)]))
    body = st.one_of(
        st.integers(0, (1 << (fmt.width - 1)) - 1),
        st.integers(0, 1 << fmt.precision),
        st.integers(one - (3 << fmt.precision), one + (3 << fmt.precision)),
        st.sampled_from([0, 1, one, top - 1, top, top + 1]),
    )
    return fl.from_bits(fmt, sign | draw(body))


@st.composite
def pairs(draw: st.DrawFn, fmt: Format) -> tuple[Float, Float]:
    """Two values; often neighbours up to sign, so that sums cancel and results lie near ties."""
    x = draw(values(fmt))
    if draw(st.booleans()):
        return x, draw(values(fmt))
    code = fl.to_bits(x) + draw(st.integers(-(2 << fmt.precision), 2 << fmt.precision))
    y = fl.from_bits(fmt, code % (1 << fmt.width))
    return x, fl.opposite(y) if draw(st.booleans()) else y


# ---------------------------------------------------------------- the formats


def test_limits_of_each_format_are_those_of_the_library() -> None:
    for fmt in FORMATS:
        info = ml_dtypes.finfo(DTYPES[fmt.name])
        assert fl.round_rational(fmt, fmt.largest) == of_numpy(info.max, fmt) == fl.largest_finite(fmt)
        assert fl.finite(fmt, fmt.smallest_normal) == of_numpy(info.smallest_normal, fmt)
        assert fl.smallest_positive(fmt) == of_numpy(info.smallest_subnormal, fmt)
    assert FLOAT16.largest == 65504
    assert FLOAT16.overflow_boundary == 65520
    assert FLOAT16.underflow_boundary == Fraction(1, 2**25)
    assert FLOAT64.overflow_boundary == 2**1024 - 2**970


@by_name
def test_ties_at_both_ends_of_the_range_go_to_the_even_neighbour(fmt: Format) -> None:
    high, low, hair = fmt.overflow_boundary, fmt.underflow_boundary, Fraction(1, 10**400)
    assert fl.round_rational(fmt, high) == fl.infinity(fmt)
    assert fl.round_rational(fmt, high - hair) == fl.largest_finite(fmt)
    assert fl.round_rational(fmt, -high) == fl.infinity(fmt, negative=True)
    assert fl.round_rational(fmt, low) == fl.zero(fmt)
    assert fl.round_rational(fmt, low + hair) == fl.smallest_positive(fmt)
    assert fl.round_rational(fmt, -low) == fl.zero(fmt, negative=True)
    assert fl.round_rational(fmt, 3 * low) == fl.finite(fmt, 4 * low)


@pytest.mark.parametrize("fmt", [FLOAT16, BFLOAT16], ids=lambda fmt: fmt.name)
def test_every_encoding_of_sixteen_bits_is_the_value_that_the_library_has(fmt: Format) -> None:
    with np.errstate(invalid="ignore"):
        wide = np.arange(1 << 16, dtype=np.uint16).view(DTYPES[fmt.name]).astype(np.float64)
    ours = [fl.from_bits(fmt, bits) for bits in range(1 << 16)]
    assert [fl.to_bits(x) for x in ours if not x.is_nan] == [b for b in range(1 << 16) if not np.isnan(wide[b])]
    for x, expected in zip(ours, wide.tolist(), strict=True):
        if x.is_finite:
            assert float(x.value) == expected
        elif x.is_infinite:
            assert expected == (-np.inf if x.negative else np.inf)


@by_name
@given(data=st.data())
@few
def test_encoding_and_decoding_are_inverse(fmt: Format, data: st.DataObject) -> None:
    x = data.draw(values(fmt))
    assert fl.from_bits(fmt, fl.to_bits(x)) == x


@by_numpy_name
@given(data=st.data())
@few
def test_neighbours_and_spacing_agree_with_numpy(fmt: Format, data: st.DataObject) -> None:
    x = data.draw(values(fmt))
    number = to_numpy(x)
    with np.errstate(all="ignore"):
        assert fl.next_up(x) == of_numpy(np.nextafter(number, DTYPES[fmt.name](np.inf)), fmt)
        assert fl.next_down(x) == of_numpy(np.nextafter(number, DTYPES[fmt.name](-np.inf)), fmt)
        if x.is_finite and abs(x.value) < fmt.largest:
            assert fl.spacing(x) == of_numpy(np.spacing(np.abs(number)), fmt).value


def test_spacing_of_float16_near_ten_thousand_is_eight() -> None:
    ten_thousand = fl.cast("1e4", FLOAT16)
    assert fl.spacing(ten_thousand) == 8
    assert fl.next_up(ten_thousand).value == 10008
    assert fl.spacing(fl.zero(FLOAT16)) == Fraction(1, 2**24)
    with pytest.raises(FloatsError) as refused:
        fl.spacing(fl.infinity(FLOAT16))
    assert refused.value.code == "no-spacing"


def test_a_value_outside_its_format_cannot_be_made() -> None:
    for value in (Fraction(1, 3), Fraction(65520), Fraction(1, 2**25), Fraction(2049)):
        with pytest.raises(FloatsError, match="not-in-format"):
            fl.finite(FLOAT16, value)
    with pytest.raises(FloatsError, match="not-in-format"):
        Float(FLOAT16, fl.Kind.FINITE, False, Fraction(-1))


def test_formats_have_names_and_others_are_refused() -> None:
    assert [fl.format_named(fmt.name) for fmt in FORMATS] == list(FORMATS)
    with pytest.raises(FloatsError) as refused:
        fl.format_named("float8")
    assert refused.value.code == "unknown-format"
    assert refused.value.parameters["name"] == "float8"


# ---------------------------------------------------------------- decimals in and out


def test_casts_of_typed_decimals() -> None:
    cases = {
        ("11.1", FLOAT16): "11.1015625",
        ("11.09", FLOAT16): "11.09375",
        ("-1e9", FLOAT16): "-Infinity",
        ("-1e4", FLOAT16): "-10000",
        ("65519.999", FLOAT16): "65504",
        ("65520", FLOAT16): "Infinity",
        ("2049", FLOAT16): "2048",
        ("2051", FLOAT16): "2052",
        ("1e-8", FLOAT16): "0",
        ("-1e-8", FLOAT16): "-0",
        ("-0", FLOAT16): "-0",
        ("88.7", FLOAT32): "88.6999969482421875",
        ("88.7", BFLOAT16): "88.5",
        ("1e9", BFLOAT16): "998244352",
    }
    for (typed, fmt), expected in cases.items():
        cast = fl.cast(typed, fmt)
        assert fl.exact_decimal(cast) == Decimal(expected), typed
        assert cast.negative is expected.startswith("-"), typed


def test_a_decimal_is_rounded_once_and_not_through_float64() -> None:
    typed = str(1 + Decimal(2) ** -24) + "000000000000000001"
    assert fl.cast(typed, FLOAT32).value == 1 + Fraction(1, 2**23)
    assert np.float32(float(typed)) == 1


@given(st.integers(-(10**25), 10**25), st.integers(-400, 320))
def test_casts_to_float64_agree_with_the_language(coefficient: int, exponent: int) -> None:
    typed = f"{coefficient}e{exponent}"
    expected = of_numpy(float(typed), FLOAT64)
    assert fl.cast(typed, FLOAT64) == expected
    assert fl.cast(Decimal(typed), FLOAT64) == expected


@pytest.mark.parametrize("target", [FLOAT16, FLOAT32], ids=lambda fmt: fmt.name)
@given(data=st.data())
def test_casts_from_float64_agree_with_numpy(target: Format, data: st.DataObject) -> None:
    wide = data.draw(st.one_of(values(FLOAT64), st.builds(of_numpy, st.floats(-1e6, 1e6), st.just(FLOAT64))))
    with np.errstate(all="ignore"):
        assert fl.convert(wide, target) == of_numpy(DTYPES[target.name](to_numpy(wide)), target)


@given(values(FLOAT32))
@settings(max_examples=400)
def test_casts_to_bfloat16_agree_with_ml_dtypes(wide: Float) -> None:
    expected = np.asarray(to_numpy(wide)).astype(ml_dtypes.bfloat16)
    assert fl.convert(wide, BFLOAT16) == of_numpy(expected, BFLOAT16)


@pytest.mark.parametrize("typed", ["inf", "+Infinity", Decimal("Infinity")])
def test_infinity_as_typed(typed: fl.Typed) -> None:
    assert fl.cast(typed, FLOAT16) == fl.infinity(FLOAT16)


def test_other_specials_as_typed() -> None:
    assert fl.cast("-inf", FLOAT32) == fl.cast(Decimal("-inf"), FLOAT32) == fl.infinity(FLOAT32, negative=True)
    assert fl.cast("nan", FLOAT32) == fl.cast(Decimal("sNaN"), FLOAT32) == fl.nan(FLOAT32)
    assert fl.cast(-15, FLOAT16).value == -15
    assert fl.cast(".5", FLOAT16) == fl.cast("5.e-1", FLOAT16) == fl.finite(FLOAT16, Fraction(1, 2))


@pytest.mark.parametrize(
    "typed", ["", "+", ".", "e5", "1e", "1,000", "0x10", "1/2", "٣", "1 2", "infin", 0.5, True, None]
)
def test_what_is_no_decimal_is_refused(typed: Any) -> None:
    with pytest.raises(FloatsError) as refused:
        fl.cast(typed, FLOAT16)
    assert refused.value.code == "not-a-number"


def test_hostile_sizes_cost_nothing() -> None:
    huge = "9" * 1990
    for fmt in FORMATS:
        for large in ("1e999999999", Decimal("1e999999999"), "1e" + huge, "0." + huge + "e500"):
            assert fl.cast(large, fmt) == fl.infinity(fmt)
        for small in ("-1e-999999999", Decimal("-1e-999999999"), "-1e-" + huge, "-" + huge + "e-2500"):
            assert fl.cast(small, fmt) == fl.zero(fmt, negative=True)
        assert fl.cast("0e" + huge, fmt) == fl.zero(fmt)
        assert fl.exp(fl.cast("1e300", fmt)) == fl.infinity(fmt)
        assert fl.exp(fl.cast("-1e300", fmt)) == fl.zero(fmt)
        assert fl.exp(fl.cast("-1e-300", fmt)) == fl.cast(1, fmt)
    for call in (
        lambda: fl.judge_overflow_claim("1e999999999", FLOAT16),
        lambda: fl.judge_overflow_claim("1e-999999999", FLOAT16),
        lambda: fl.compare_exp(Fraction(10**9), Fraction(1)),
        lambda: fl.exp_bounds(Fraction(-(10**9)), 10),
    ):
        with pytest.raises(FloatsError) as refused:
            call()
        assert refused.value.code == "out-of-range"
    for long in ("1" * 2001, Decimal("1" * 2001), 1 << 10**6):
        with pytest.raises(FloatsError) as refused:
            fl.read(long)
        assert refused.value.code == "too-many-digits"
    assert fl.judge_overflow_claim("0e999999999", FLOAT16).verdict == "false"


@by_name
@given(data=st.data())
@few
def test_exact_and_shortest_decimals_round_back(fmt: Format, data: st.DataObject) -> None:
    x = data.draw(values(fmt))
    exact, shortest = fl.exact_decimal(x), fl.shortest_decimal(x)
    assert fl.cast(exact, fmt) == fl.cast(shortest, fmt) == x
    if x.is_finite:
        assert Fraction(exact) == x.value
        assert len(shortest.as_tuple().digits) <= len(exact.as_tuple().digits)


@by_numpy_name
@given(data=st.data())
@few
def test_shortest_decimals_are_those_that_numpy_prints(fmt: Format, data: st.DataObject) -> None:
    x = data.draw(values(fmt))
    if x.is_finite:
        assert fl.shortest_decimal(x) == Decimal(np.format_float_scientific(to_numpy(x), unique=True))


def test_shortest_decimals_at_powers_of_two_where_the_nearest_rounds_elsewhere() -> None:
    cases = ((FLOAT16, -6, "0.01563"), (FLOAT32, 87, "1.5474251e26"), (FLOAT64, -1007, "7.291122019556398e-304"))
    for fmt, exponent, shortest in cases:
        assert fl.shortest_decimal(fl.finite(fmt, Fraction(2) ** exponent)) == Decimal(shortest)
    assert Decimal(repr(2.0**-1007)) == Decimal("7.291122019556398e-304")
    assert str(fl.shortest_decimal(fl.cast("0.1", FLOAT16))) == "0.1"


def test_dyadic_rationals_as_odd_times_power_of_two() -> None:
    assert fl.dyadic(Fraction(65520)) == (4095, 4)
    assert fl.dyadic(-FLOAT64.underflow_boundary) == (-1, -1075)
    assert fl.dyadic(Fraction(0)) == (0, 0)
    with pytest.raises(FloatsError, match="not-in-format"):
        fl.dyadic(Fraction(1, 3))


# ---------------------------------------------------------------- arithmetic

OPERATIONS: list[tuple[Callable[[Float, Float], Float], Callable[[Any, Any], Any]]] = [
    (fl.add, np.add),
    (fl.subtract, np.subtract),
    (fl.multiply, np.multiply),
    (fl.divide, np.divide),
]


@by_numpy_name
@pytest.mark.parametrize(("ours", "theirs"), OPERATIONS, ids=["add", "subtract", "multiply", "divide"])
@settings(max_examples=60)
@given(data=st.data())
def test_operations_agree_with_numpy_bit_for_bit(
    fmt: Format,
    ours: Callable[[Float, Float], Float],
    theirs: Callable[[Any, Any], Any],
    data: st.DataObject,
) -> None:
    x, y = data.draw(pairs(fmt))
    with np.errstate(all="ignore"):
        assert ours(x, y) == of_numpy(theirs(to_numpy(x), to_numpy(y)), fmt)


@pytest.mark.parametrize(("ours", "theirs"), OPERATIONS, ids=["add", "subtract", "multiply", "divide"])
@settings(max_examples=60)
@given(data=st.data())
def test_operations_in_bfloat16_agree_with_ml_dtypes(
    ours: Callable[[Float, Float], Float], theirs: Callable[[Any, Any], Any], data: st.DataObject
) -> None:
    x, y = data.draw(pairs(BFLOAT16))
    with np.errstate(all="ignore"):
        assert ours(x, y) == of_numpy(theirs(to_numpy(x), to_numpy(y)), BFLOAT16)


@by_numpy_name
@given(data=st.data())
@few
def test_comparison_and_maximum_agree_with_numpy(fmt: Format, data: st.DataObject) -> None:
    x, y = data.draw(pairs(fmt))
    a, b = to_numpy(x), to_numpy(y)
    known = {"<": a < b, "=": a == b, ">": a > b, "unordered": np.isnan(a) or np.isnan(b)}
    assert [order for order, holds in known.items() if holds] == [fl.compare(x, y)]
    greatest = of_numpy(np.maximum(a, b), fmt)
    assert fl.maximum(x, y) == greatest or (greatest.is_zero and fl.maximum(x, y).is_zero)


@by_numpy_name
@given(data=st.data())
@few
def test_sums_run_from_left_to_right(fmt: Format, data: st.DataObject) -> None:
    row = data.draw(st.lists(values(fmt), min_size=1, max_size=6))
    with np.errstate(all="ignore"):
        total = to_numpy(row[0])
        for entry in row[1:]:
            total = total + to_numpy(entry)
    assert fl.sum_of(row) == of_numpy(total, fmt)
    assert fl.partial_sums(row)[-1] == fl.sum_of(row)


def test_the_order_of_a_sum_matters() -> None:
    forwards = row_of(FLOAT16, 2048, 1, 1)
    assert fl.sum_of(forwards).value == 2048
    assert fl.sum_of(forwards[::-1]).value == 2050


@by_name
def test_rules_for_zeros_infinities_and_nan(fmt: Format) -> None:
    plus, minus, one = fl.zero(fmt), fl.zero(fmt, negative=True), fl.cast(1, fmt)
    inf, ninf, nan = fl.infinity(fmt), fl.infinity(fmt, negative=True), fl.nan(fmt)
    assert fl.multiply(plus, inf) == fl.multiply(ninf, minus) == nan
    assert fl.add(inf, ninf) == fl.subtract(ninf, ninf) == nan
    assert fl.divide(plus, plus) == fl.divide(inf, ninf) == nan
    assert fl.divide(one, minus) == ninf
    assert fl.divide(one, ninf) == minus
    assert fl.add(minus, minus) == minus
    assert fl.add(one, fl.opposite(one)) == fl.add(plus, minus) == fl.add(minus, plus) == plus
    assert fl.multiply(fl.smallest_positive(fmt), fl.opposite(fl.smallest_positive(fmt))) == minus
    assert fl.maximum(one, nan) == fl.maximum(nan, inf) == nan
    assert fl.maximum_of((ninf, one, plus)) == one
    assert fl.maximum(minus, plus) == fl.maximum(plus, minus) == plus
    assert fl.compare(minus, plus) == "="
    assert fl.compare(nan, nan) == "unordered"


def test_formats_are_never_mixed_and_rows_never_empty() -> None:
    with pytest.raises(FloatsError) as refused:
        fl.add(fl.cast(1, FLOAT16), fl.cast(1, FLOAT32))
    assert refused.value.code == "format-mismatch"
    for call in (fl.sum_of, fl.maximum_of, lambda row: fl.softmax(row, "safe"), lambda row: fl.dot(row, row)):
        with pytest.raises(FloatsError) as refused:
            call(())
        assert refused.value.code == "empty-row"
    with pytest.raises(FloatsError) as refused:
        fl.dot(row_of(FLOAT16, 1, 2), row_of(FLOAT16, 1))
    assert refused.value.code == "length-mismatch"


def test_a_weight_of_zero_does_not_hide_an_infinite_value() -> None:
    weights, finite, infinite = row_of(FLOAT16, 1, 0), row_of(FLOAT16, 3, 5), row_of(FLOAT16, 3, "inf")
    assert fl.dot(weights, finite).value == 3
    assert fl.dot(weights, infinite).is_nan


# ---------------------------------------------------------------- exp


def correctly_rounded(x: float, fmt: Format) -> float:
    """exp(x) by mpmath at 120 bits, then rounded in integer units of the spacing; a tie does not occur."""
    with mpmath.workprec(120):
        _, mantissa, scale, length = mpmath.exp(x)._mpf_
    quantum = max(scale + length - 1, fmt.emin) - fmt.precision + 1
    if quantum <= scale:
        return math.ldexp(mantissa, scale)
    units, rest = divmod(mantissa, 1 << (quantum - scale))
    half = 1 << (quantum - scale - 1)
    assert rest != half
    units += rest > half
    return math.ldexp(units, quantum) if units.bit_length() + quantum <= fmt.emax + 1 else math.inf


@pytest.mark.parametrize("fmt", [FLOAT16, BFLOAT16], ids=lambda fmt: fmt.name)
def test_exp_of_every_sixteen_bit_value_is_correctly_rounded(fmt: Format) -> None:
    """Against mpmath; far out, where exp is below a quarter of the least subnormal or beyond twice the range,
    and close to 0, where it is within a quarter spacing of 1, the answer is plain."""
    one = fl.cast(1, fmt)
    for bits in range(1 << 16):
        x = fl.from_bits(fmt, bits)
        got = fl.exp(x)
        if x.is_nan:
            assert got.is_nan
        elif x.is_infinite or x.value > fmt.emax + 1 or x.value < fmt.quantum - 2:
            assert got == (fl.zero(fmt) if x.negative else fl.infinity(fmt))
        elif abs(x.value) < Fraction(1, 2 ** (fmt.precision + 2)):
            assert got == one
        else:
            expected = correctly_rounded(float(x.value), fmt)
            assert got.is_infinite if expected == np.inf else got.value == expected


@given(st.floats(-745, 709.8))
@settings(max_examples=300)
def test_exp_in_float64_is_correctly_rounded(number: float) -> None:
    got, expected = fl.exp(of_numpy(number, FLOAT64)), correctly_rounded(number, FLOAT64)
    assert got.is_infinite if expected == np.inf else got.value == expected


@given(st.floats(-104, 89, width=32))
@settings(max_examples=300)
def test_exp_in_float32_is_correctly_rounded(number: float) -> None:
    got, expected = fl.exp(of_numpy(number, FLOAT32)), correctly_rounded(number, FLOAT32)
    assert got.is_infinite if expected == np.inf else got.value == expected


@pytest.mark.parametrize(("fmt", "ulps"), [(FLOAT16, 1), (FLOAT32, 4), (FLOAT64, 4)], ids=lambda p: str(p))
def test_exp_of_numpy_is_within_a_few_ulps(fmt: Format, ulps: int) -> None:
    known = fl.exp_range(fmt)
    low, high = float(known.smallest_positive.value), float(known.largest_finite.value)
    grid = np.linspace(low, high, 700).astype(DTYPES[fmt.name])
    with np.errstate(all="ignore"):
        theirs = np.exp(grid)
    for number, result in zip(grid, theirs, strict=True):
        x = of_numpy(number, fmt)
        if known.smallest_positive.value <= x.value <= known.largest_finite.value:
            ours, numpy_exp = fl.exp(x), of_numpy(result, fmt)
            assert numpy_exp.is_finite
            assert abs(ours.value - numpy_exp.value) <= ulps * fl.spacing(ours)


def test_exp_of_specials_and_of_the_day() -> None:
    for fmt in FORMATS:
        assert fl.exp(fl.infinity(fmt, negative=True)) == fl.zero(fmt)
        assert fl.exp(fl.infinity(fmt)) == fl.infinity(fmt)
        assert fl.exp(fl.nan(fmt)) == fl.nan(fmt)
        assert fl.exp(fl.zero(fmt, negative=True)) == fl.cast(1, fmt)
    assert fl.exp(fl.cast(15, FLOAT16)).is_infinite
    assert fl.exp(fl.cast("11.09", FLOAT16)).is_infinite
    assert fl.exp(fl.cast(500, FLOAT32)).is_infinite
    assert fl.exp(fl.cast(500, FLOAT64)).is_finite
    assert f"{float(fl.exp(fl.cast(500, FLOAT64)).value):.1e}" == "1.4e+217"


@given(st.fractions(-2000, 2000, max_denominator=10**6), st.integers(1, 200))
def test_bounds_of_exp_enclose_it_as_closely_as_asked(x: Fraction, bits: int) -> None:
    lower, upper = fl.exp_bounds(x, bits)
    assert 0 < lower <= upper
    assert upper - lower <= lower / 2**bits
    with mpmath.workprec(400):
        y = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
        hair = mpmath.ldexp(y, -350)
        assert mpmath.mpf(lower.numerator) / lower.denominator <= y + hair
        assert mpmath.mpf(upper.numerator) / upper.denominator >= y - hair


def test_exp_is_compared_with_rationals_exactly() -> None:
    e_below, e_above = Fraction(271828182845904523536, 10**20), Fraction(271828182845904523537, 10**20)
    assert fl.compare_exp(Fraction(1), e_below) == ">"
    assert fl.compare_exp(Fraction(1), e_above) == "<"
    assert fl.compare_exp(Fraction(0), Fraction(1)) == "="
    assert fl.compare_exp(Fraction(1, 10**50), Fraction(1)) == ">"
    assert fl.compare_exp(Fraction(-1, 10**50), Fraction(1)) == "<"


# ---------------------------------------------------------------- the range of exp

TABLE = {
    "float16": ("11.0859375", "11.09375", "-17.328125", "-17.34375"),
    "bfloat16": ("88.5", "89", "-92.5", "-93"),
    "float32": (
        "88.72283172607421875",
        "88.72283935546875",
        "-103.972076416015625",
        "-103.97208404541015625",
    ),
    "float64": (
        "709.7827128933839731",
        "709.7827128933840868",
        "-745.1332191019411084",
        "-745.1332191019412221",
    ),
}


@by_name
def test_the_table_of_thresholds(fmt: Format) -> None:
    known = fl.exp_range(fmt)
    ends = (known.largest_finite, known.smallest_infinite, known.smallest_positive, known.largest_zero)
    for end, expected in zip(ends, TABLE[fmt.name], strict=True):
        exact = fl.exact_decimal(end)
        if fmt is FLOAT64:
            exact = exact.quantize(Decimal(expected))
        assert str(exact) == expected
    assert fl.next_up(known.largest_finite) == known.smallest_infinite
    assert fl.next_down(known.smallest_positive) == known.largest_zero
    assert [known.end(inequality.end) for inequality in known.proof] == list(ends)


@by_name
def test_each_threshold_is_proved_by_an_inequality(fmt: Format) -> None:
    known = fl.exp_range(fmt)
    assert [inequality.relation for inequality in known.proof] == ["<", ">", ">", "<"]
    for inequality in known.proof:
        assert inequality.argument == known.end(inequality.end).value
        assert inequality.holds()
        with mpmath.workprec(300):
            y = mpmath.exp(mpmath.mpf(inequality.argument.numerator) / inequality.argument.denominator)
            boundary = mpmath.mpf(inequality.boundary.numerator) / inequality.boundary.denominator
            assert (y < boundary) is (inequality.relation == "<")
    high = fmt.largest + fl.spacing(fl.largest_finite(fmt)) / 2
    low = fmt.smallest_subnormal / 2
    assert [inequality.boundary for inequality in known.proof] == [high, high, low, low]


def test_an_inequality_turned_round_does_not_hold() -> None:
    assert not fl.ExpInequality("largest-finite", Fraction("11.09375"), "<", Fraction(65520)).holds()
    assert not fl.ExpInequality("largest-zero", Fraction("-17.328125"), "<", Fraction(1, 2**25)).holds()


@by_numpy_name
def test_numpy_overflows_and_vanishes_where_the_model_does(fmt: Format) -> None:
    known = fl.exp_range(fmt)
    with np.errstate(all="ignore"):
        assert np.isfinite(np.exp(to_numpy(known.largest_finite)))
        assert np.isinf(np.exp(to_numpy(known.smallest_infinite)))
        assert np.exp(to_numpy(known.smallest_positive)) > 0
        assert np.exp(to_numpy(known.largest_zero)) == 0


def test_claims_about_overflow() -> None:
    cases = {
        ("88.7", FLOAT32): ("false", "finite-at-witness", "88.70000457763671875", "smallest-infinite"),
        ("88.8", FLOAT32): ("true", "overflows-earlier", "88.72283935546875", None),
        ("89", FLOAT32): ("true", "overflows-earlier", "88.72283935546875", "smallest-infinite"),
        ("88.72283935546875", FLOAT32): ("true", "exact", "88.72283935546875", None),
        ("88.722833", FLOAT32): ("underspecified", "depends-on-rounding", "88.72283172607421875", None),
        ("88.722832", FLOAT32): ("underspecified", "depends-on-rounding", "88.72283172607421875", "largest-finite"),
        ("11.1", FLOAT16): ("true", "overflows-earlier", "11.09375", "smallest-infinite"),
        ("11.09", FLOAT16): ("true", "exact", "11.09375", "smallest-infinite"),
        ("11.08", FLOAT16): ("false", "finite-at-witness", "11.0859375", None),
        ("89", BFLOAT16): ("true", "exact", "89", None),
        ("88", BFLOAT16): ("false", "finite-at-witness", "88", None),
        ("88.7", BFLOAT16): ("underspecified", "depends-on-rounding", "88.5", "boundary"),
        ("88.9", BFLOAT16): ("true", "exact", "89", None),
        ("709.78", FLOAT64): ("false", "finite-at-witness", None, "smallest-infinite"),
        ("1e300", FLOAT16): ("true", "overflows-earlier", "11.09375", None),
        ("-1e300", FLOAT16): ("false", "finite-at-witness", "-65504", None),
    }
    for (typed, fmt), (verdict, reason, witness, rounding) in cases.items():
        claim = fl.judge_overflow_claim(typed, fmt)
        assert (claim.verdict, claim.reason, claim.rounding) == (verdict, reason, rounding), typed
        assert witness is None or str(fl.exact_decimal(claim.witness)) == witness, typed
        assert claim.range == fl.exp_range(fmt)
        if verdict == "false":
            assert claim.witness.value >= claim.claimed
            assert claim.witness_exp.is_finite
        elif verdict == "true":
            assert claim.witness_exp.is_infinite
    eleven = fl.judge_overflow_claim("11.1", FLOAT16)
    assert (str(fl.exact_decimal(eleven.stored)), eleven.stored_exp.is_infinite) == ("11.1015625", True)
    eighty = fl.judge_overflow_claim("88.7", FLOAT32)
    assert f"{float(eighty.stored_exp.value):.6g}" == "3.32598e+38"
    for typed in ("inf", "nan"):
        with pytest.raises(FloatsError) as refused:
            fl.judge_overflow_claim(typed, FLOAT16)
        assert refused.value.code == "not-finite"


@given(st.integers(10_900, 11_300))
def test_a_claim_in_float16_agrees_with_every_value_looked_at(thousandths: int) -> None:
    number = Fraction(thousandths, 1000)
    claim = fl.judge_overflow_claim(f"{thousandths / 1000:.3f}", FLOAT16)
    grid = [x for x in map(Fraction, np.arange(10.5, 12, 1 / 128)) if x >= number]
    assert claim.of_values is all(fl.exp(fl.finite(FLOAT16, x)).is_infinite for x in grid)
    assert claim.of_typed is fl.exp(fl.cast(f"{thousandths / 1000:.3f}", FLOAT16)).is_infinite


# ---------------------------------------------------------------- softmax and masks


@by_name
def test_a_row_masked_everywhere_is_nan_unless_it_is_safe(fmt: Format) -> None:
    row = row_of(fmt, "-inf", "-inf", "-inf")
    naive, shifted, safe = (fl.softmax(row, method) for method in ("naive", "shifted", "safe"))
    assert naive.weights == shifted.weights == (fl.nan(fmt),) * 3
    assert safe.weights == (fl.zero(fmt),) * 3
    assert decimals(naive.step("sum")) == ["0"]
    assert naive.step("maximum") is None
    assert decimals(shifted.step("maximum")) == ["-Infinity"]
    assert decimals(shifted.step("shifted")) == ["NaN"] * 3
    assert decimals(safe.step("shift")) == ["0"]
    assert [step.name for step in safe.steps] == [
        "scores",
        "maximum",
        "shift",
        "shifted",
        "exponentials",
        "sum",
        "weights",
    ]


def test_without_a_shift_exp_overflows_and_inf_over_inf_is_nan() -> None:
    for fmt in (FLOAT16, FLOAT32):
        naive = fl.softmax(row_of(fmt, 500, 502), "naive")
        assert decimals(naive.step("exponentials")) == ["Infinity"] * 2
        assert all(weight.is_nan for weight in naive.weights)
    wide = fl.softmax(row_of(FLOAT64, 500, 502), "naive").weights
    close = fl.softmax(row_of(FLOAT64, 500, 502), "shifted").weights
    for weights in (wide, close):
        assert [f"{float(weight.value):.7f}" for weight in weights] == ["0.1192029", "0.8807971"]
    half = fl.softmax(row_of(FLOAT16, 500, 502), "shifted")
    assert decimals(half.step("shifted")) == ["-2", "0"]
    assert decimals(half.step("exponentials")) == ["0.1353759765625", "1"]
    assert decimals(half.step("sum")) == ["1.1357421875"]
    assert decimals(half.weights) == ["0.11920166015625", "0.88037109375"]


@by_numpy_name
@given(data=st.data())
@few
def test_safe_and_shifted_agree_wherever_a_score_is_finite(fmt: Format, data: st.DataObject) -> None:
    row = tuple(data.draw(st.lists(values(fmt), min_size=1, max_size=6)))
    shifted, safe = fl.softmax(row, "shifted"), fl.softmax(row, "safe")
    if all(x.is_infinite and x.negative for x in row):
        assert all(weight.is_zero for weight in safe.weights)
    else:
        assert shifted.weights == safe.weights


@by_numpy_name
@given(data=st.data())
@few
def test_softmax_is_that_of_numpy_step_by_step(fmt: Format, data: st.DataObject) -> None:
    """Each step but exp, which NumPy does not round correctly, is repeated by NumPy from the step before."""
    row = tuple(data.draw(st.lists(values(fmt), min_size=1, max_size=6)))
    trace = fl.softmax(row, "shifted")

    def array(name: fl.softmax.StepName) -> Any:  # type: ignore[name-defined]
        step = trace.step(name)
        assert step is not None
        return np.array([to_numpy(x) for x in step], DTYPES[fmt.name])

    with np.errstate(all="ignore"):
        shifted = array("scores") - array("maximum")
        weights = array("exponentials") / array("sum")
    assert tuple(of_numpy(x, fmt) for x in shifted) == trace.step("shifted")
    assert tuple(of_numpy(x, fmt) for x in weights) == trace.weights


def test_the_mask_constant_minus_1e9_is_infinite_in_float16_and_minus_1e4_is_not() -> None:
    large, small = fl.cast("-1e9", FLOAT16), fl.cast("-1e4", FLOAT16)
    everywhere = (True, True, True)
    row = row_of(FLOAT16, 1, 2, 3)
    assert large.is_infinite
    assert small.value == -10000
    for mode in ("add", "replace"):
        assert all(w.is_nan for w in fl.softmax(row, "shifted", fl.Mask(everywhere, large, mode)).weights)
        assert all(w.is_zero for w in fl.softmax(row, "safe", fl.Mask(everywhere, large, mode)).weights)
    partly = fl.softmax(row, "shifted", fl.Mask((False, False, True), small, "replace"))
    assert partly.weights[2] == fl.zero(FLOAT16)
    assert decimals(partly.step("masked")) == ["1", "2", "-10000"]


def test_adding_minus_1e4_in_float16_swallows_scores_up_to_four() -> None:
    small = fl.cast("-1e4", FLOAT16)
    upwards = [fl.from_bits(FLOAT16, bits) for bits in range(fl.to_bits(fl.cast(4, FLOAT16)) + 1)]
    scores = (*upwards, *map(fl.opposite, upwards))
    assert max(scores, key=lambda x: x.value).value == 4
    masked = fl.apply_mask(scores, fl.Mask((True,) * len(scores), small, "add"))
    assert {x.value for x in masked} == {Fraction(-10000)}
    assert fl.add(fl.next_up(fl.cast(4, FLOAT16)), small).value == -9992
    few = fl.softmax(row_of(FLOAT16, -4, "0.5", 4), "shifted", fl.Mask((True,) * 3, small, "add"))
    assert len(set(few.weights)) == 1
    assert few.weights[0] == fl.divide(fl.cast(1, FLOAT16), fl.cast(3, FLOAT16))


def test_larger_scores_survive_minus_1e4_added_but_not_put_in_place() -> None:
    small, both = fl.cast("-1e4", FLOAT16), (True, True)
    added = fl.softmax(row_of(FLOAT16, 0, 16), "shifted", fl.Mask(both, small, "add"))
    assert decimals(added.step("masked")) == ["-10000", "-9984"]
    assert 0 < added.weights[0].value < Fraction(1, 10**6)
    assert added.weights[1].value == 1
    replaced = fl.softmax(row_of(FLOAT16, 0, 16), "shifted", fl.Mask(both, small, "replace"))
    assert decimals(replaced.weights) == ["0.5", "0.5"]


@by_numpy_name
def test_minus_1e4_beside_a_valid_score_of_minus_20000_takes_all_the_weight(fmt: Format) -> None:
    mask = fl.Mask((False, True), fl.cast("-1e4", fmt), "replace")
    trace = fl.softmax(row_of(fmt, -20000, 3), "shifted", mask)
    assert trace.step("masked") == row_of(fmt, -20000, -10000)
    assert decimals(trace.weights) == ["0", "1"]


def test_a_mask_must_fit_its_row_and_a_method_must_exist() -> None:
    row = row_of(FLOAT16, 1, 2)
    with pytest.raises(FloatsError) as refused:
        fl.softmax(row, "shifted", fl.Mask((True,), fl.cast(0, FLOAT16), "add"))
    assert refused.value.code == "length-mismatch"
    with pytest.raises(FloatsError) as refused:
        fl.softmax(row, "shifted", fl.Mask((True, True), fl.cast(0, FLOAT32), "add"))
    assert refused.value.code == "format-mismatch"
    with pytest.raises(FloatsError) as refused:
        fl.softmax(row, "stable")  # type: ignore[arg-type]
    assert refused.value.code == "unknown-method"
