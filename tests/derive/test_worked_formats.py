"""Exercises on floating point: their values are those of the table of the day, of NumPy, ml_dtypes and mpmath."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import ml_dtypes
import mpmath
import numpy as np
import pytest

from derive import floats
from derive.sheets.manifest import given as read_given
from derive.sheets.problems import Given, ProblemKind, Solution
from derive.worked import kinds
from derive.worked.ieee import brief, overflow_boundary, significant, underflow_boundary
from derive.errors import NotProved
from proofs.evaluate import value
from proofs.terms import exp, num
from tests.solution_text import answers, words

NUMPY: Mapping[str, Any] = {
    "float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32, "float64": np.float64,
}  # fmt: skip

THRESHOLDS = {
    "float16": ("11.0859375", "11.09375", "−17.328125", "−17.34375"),
    "bfloat16": ("88.5", "89", "−92.5", "−93"),
    "float32": ("88.72283172607421875", "88.72283935546875", "−103.972076416015625", "−103.97208404541015625"),
    "float64": ("709.7827128933839731", "709.7827128933840868", "−745.1332191019411084", "−745.1332191019412221"),
}
ENDS = ("largest-finite", "smallest-infinite", "smallest-positive", "largest-zero")


def kind(name: str) -> ProblemKind:
    return kinds()[name]


def solve(name: str, seed: int = 1, **given: object) -> Solution:
    """As from a manifest: what is given is checked and defaults are filled in."""
    checked: dict[str, Given] = read_given("test.toml", "test", given, kind(name).fields)
    return kind(name).solve(checked, seed)


# --- exp, ranges, claims, casts ----------------------------------------------------------------------------


def test_exp_of_15_overflows_in_float16_and_says_by_which_inequality() -> None:
    solution = solve("exp-in-format", x=15, format="float16")
    assert answers(solution) == ["inf"]
    text = words(solution)
    for said in ("3269017.37", "65504", "65520 < exp(15)", "IEEE 754", "NumPy"):
        assert said in text.replace("65,520", "65520"), said
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(np.float16(15)))


@pytest.mark.parametrize("fmt", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("x", ["0", "1", "-1", "11.09", "5.5", "-17.33", "-20", "88.72", "-100", "0.1"])
def test_exp_is_the_real_exponential_of_the_stored_number_rounded_once(fmt: str, x: str) -> None:
    stored = NUMPY[fmt](float(x))
    mpmath.mp.dps = 60
    real = mpmath.exp(mpmath.mpf(float(stored)))
    found = answers(solve("exp-in-format", x=Decimal(x), format=fmt))[0]
    with np.errstate(over="ignore"):
        nearest = NUMPY[fmt](real) if fmt == "float64" else NUMPY[fmt](np.float64(real))
    assert NUMPY[fmt](float(found.replace("−", "-"))) == nearest


@pytest.mark.parametrize("fmt", THRESHOLDS)
def test_the_range_of_exp_is_the_table_of_the_day(fmt: str) -> None:
    solution = solve("exp-ranges")
    entry = next(k for k in solution.key if k.label == fmt)
    assert entry.exact == f"[{', '.join(THRESHOLDS[fmt])}]"
    text = words(solution)
    for shown in THRESHOLDS[fmt]:
        assert shown in text


def test_sixteen_inequalities_prove_the_table() -> None:
    text = words(solve("exp-ranges").worked)
    assert sum(line.startswith("exp(") and ("<" in line or ">" in line) for line in text.splitlines()) == 16


@pytest.mark.parametrize("fmt", THRESHOLDS)
@pytest.mark.parametrize("end", range(4))
def test_each_end_of_a_range_alone(fmt: str, end: int) -> None:
    (found,) = answers(solve("exp-range", format=fmt, bound=ENDS[end]))
    assert abs(Decimal(found.replace("−", "-")) - Decimal(THRESHOLDS[fmt][end].replace("−", "-"))) <= Decimal("5e-17")


@pytest.mark.parametrize("fmt", THRESHOLDS)
def test_boundaries_are_half_a_step_from_the_largest_and_half_the_smallest_value(fmt: str) -> None:
    information = ml_dtypes.finfo(NUMPY[fmt])
    largest, tiny = Fraction(float(information.max)), Fraction(float(information.smallest_subnormal))
    step = largest - Fraction(float(np.nextafter(NUMPY[fmt](information.max), NUMPY[fmt](0))))
    known = floats.format_named(fmt)
    assert value(overflow_boundary(known)) == largest + step / 2
    assert value(underflow_boundary(known)) == tiny / 2


@pytest.mark.parametrize(
    ("fmt", "threshold", "verdict", "said"),
    [
        (
            "float32",
            "88.7",
            "false",
            ("3.32598e38", "88.72283172607421875", "exact threshold 88.72283935546875 is indeed 88.7"),
        ),
        ("float16", "11.1", "true", ("11.1015625", "11.0859375", "exp(11.09375) is already inf")),
        ("float16", "11.09375", "true", ("names the threshold itself",)),
        ("float16", "11.09", "true", ("11.09 lies above 11.0859375 and below 11.09375",)),
        ("bfloat16", "88.6", "underspecified", ("rounded down to 88.5",)),
        ("float64", "709.78", "false", ("709.7827128933839730962063185870647430419921875",)),
    ],
)
def test_claims_about_overflow_are_judged_and_put_right(
    fmt: str, threshold: str, verdict: str, said: tuple[str, ...]
) -> None:
    solution = solve("overflow-claim", format=fmt, threshold=Decimal(threshold))
    assert answers(solution)[0] == verdict
    text = words(solution)
    for expected in said:
        assert expected in text, expected


@pytest.mark.parametrize(
    ("number", "fmt", "result"),
    [
        ("-1e9", "float16", "−inf"), ("-1e4", "float16", "−10000"), ("65519", "float16", "65504"),
        ("65520", "float16", "inf"), ("10003", "float16", "10000"), ("0.1", "float16", "0.0999755859375"),
        ("-1e9", "bfloat16", "−998244352"), ("1e39", "float32", "inf"), ("-1e9", "float32", "−1000000000"),
    ],
)  # fmt: skip
def test_casts_are_those_of_the_libraries(number: str, fmt: str, result: str) -> None:
    assert answers(solve("cast", value=Decimal(number), format=fmt)) == [result]
    with np.errstate(over="ignore"):
        assert float(NUMPY[fmt](float(number))) == float(result.replace("−", "-"))


def test_digits_of_a_real_number_are_refused_where_they_are_not_certain() -> None:
    assert significant(exp(num(500)), 2) == "1.4e217"
    with pytest.raises(NotProved):
        significant(num(Fraction(25, 2)), 2)


@pytest.mark.parametrize(("x", "text"), [("59872", "59872"), ("0.1", "0.1"), ("1e-7", "1.2e−7"), ("-inf", "−inf")])
def test_values_are_written_briefly(x: str, text: str) -> None:
    assert brief(floats.cast(x, floats.FLOAT16)) == text


# --- softmax -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "result"), [("naive", "[NaN, NaN]"), ("shifted", "[NaN, NaN]"), ("safe", "[0, 0]")])
@pytest.mark.parametrize("fmt", THRESHOLDS)
def test_a_row_masked_everywhere(fmt: str, method: str, result: str) -> None:
    solution = solve("masked-softmax", scores=["-inf", "-inf"], format=fmt, method=method)
    assert answers(solution) == [result]
    assert "Convention" in words(solution)


def test_a_sum_overflows_though_no_summand_does() -> None:
    solution = solve("masked-softmax", scores=[11, 11, 10], format="float16", method="naive")
    assert answers(solution) == ["[0, 0, 0]"]
    assert "[59872, 59872, 22032]" in words(solution)
    with np.errstate(over="ignore"):
        exponentials = np.exp(np.array([11, 11, 10], np.float16))
        assert exponentials.tolist() == [59872, 59872, 22032]
        assert np.isinf(exponentials[0] + exponentials[1])


def test_softmax_of_500_and_502_in_each_format() -> None:
    solution = solve("softmax-in-formats", z=[Decimal("500.0"), Decimal("502.0")])
    found = dict(zip(("float16", "bfloat16", "float32", "float64"), answers(solution), strict=True))
    assert [found[f] for f in ("float16", "bfloat16", "float32")] == ["[NaN, NaN]"] * 3
    low, high = map(float, found["float64"].strip("[]").split(","))
    assert abs(low - 0.11920292202211755) < 1e-15
    assert abs(high - 0.8807970779778823) < 1e-15
    text = words(solution)
    assert "exp(500) ≈ 1.4e217" in text
    assert "The direct computation fails in float16, bfloat16 and float32: an exponential overflows to inf." in text
    assert "The direct computation works in float64." in text


def test_mask_constants_in_float16() -> None:
    solution = solve("mask-constant", format="float16", constant=Decimal("-1e4"), beyond=Decimal("-1e9"))
    assert answers(solution) == [
        "−10000", "−inf", "[0.731, 0.2688, 0]", "[NaN, NaN, NaN]", "[0.3333, 0.3333, 0.3333]", "[1.2e−7, 1]",
        "[0.5, 0.5]", "[0, 1]",
    ]  # fmt: skip
    added = np.array([-4, 0, 4], np.float16) + np.float16(-1e4)
    assert added.tolist() == [-10000] * 3
    assert (np.array([0, 16], np.float16) + np.float16(-1e4)).tolist() == [-10000, -9984]
    assert np.spacing(np.float16(1e4)) == 8
    assert "float16 are 8 apart" in words(solution)


def test_causality_has_two_exceptions_in_floating_point() -> None:
    solution = solve("causality-in-ieee")
    assert answers(solution) == ["NaN", "[5, 7]"]
    with np.errstate(invalid="ignore"):
        assert np.isnan(np.float16(1) * np.float16(3) + np.float16(0) * np.float16(np.inf))


def test_no_leak_is_claimed_where_scores_lie_well_above_the_constant() -> None:
    solution = solve("causality-in-ieee", score=2)
    assert answers(solution)[1] == "[3, 3]"
    assert "does not change with the future value" in words(solution)


# --- single choice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("head-dimension", "64", {"9,216", "768", "12"}),
        ("projection-parameters", "2,359,296", {"1,769,472", "2,362,368", "589,824"}),
    ],
)
def test_the_options_are_the_right_value_and_known_mistakes(question: str, right: str, wrong: set[str]) -> None:
    solution = solve("choice", question=question)
    choice: Any = solution.task[1]
    texts = [f"{o.text:,}" for o in choice.options]
    assert {t for t, o in zip(texts, choice.options, strict=True) if not o.right} == wrong
    assert answers(solution) == [f"{'ABCD'[texts.index(right)]} ({right})"]


@pytest.mark.parametrize("question", ["head-dimension", "projection-parameters", "maximum-shift"])
def test_options_are_shuffled_by_the_seed_and_the_key_follows(question: str) -> None:
    places = set()
    for seed in range(24):
        solution = solve("choice", seed, question=question)
        choice: Any = solution.task[1]
        place = next(k for k, o in enumerate(choice.options) if o.right)
        assert answers(solution)[0].startswith("ABCD"[place])
        assert len({str(o.text) for o in choice.options}) == len(choice.options) == 4
        places.add(place)
    assert places == {0, 1, 2, 3}
    assert solve("choice", 7, question=question) == solve("choice", 7, question=question)


@pytest.mark.parametrize(("d_model", "h"), [(4, 2), (2, 2), (16, 4), (1024, 32)])
def test_options_never_coincide(d_model: int, h: int) -> None:
    for question in ("head-dimension", "projection-parameters"):
        choice: Any = solve("choice", question=question, d_model=d_model, h=h).task[1]
        values = [o.text for o in choice.options]
        assert len(set(values)) == len(values) >= 2


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("two-heads", {"values": [1, 2], "g": 3}), ("exp-in-format", {"x": 1, "format": "float16"}), ("exp-ranges", {}),
        ("exp-in-format", {"x": -20, "format": "float16"}), ("exp-in-format", {"x": 0, "format": "float16"}),
        ("overflow-claim", {"format": "bfloat16", "threshold": Decimal("88.6")}),
        ("cast", {"value": Decimal("0.1"), "format": "float16"}), ("softmax-in-formats", {"z": [1, 2]}),
        ("softmax-in-formats", {"z": [700, 700]}), ("softmax-in-formats", {"z": [-700, -700]}),
        ("masked-softmax", {"scores": [1, "-inf"], "format": "bfloat16", "method": "shifted"}),
        ("mask-constant", {"format": "float32"}), ("mask-constant", {"format": "bfloat16"}),
        ("causality-in-ieee", {}), ("choice", {"question": "maximum-shift"}),
    ],
)  # fmt: skip
def test_every_sentence_has_its_values_in_both_languages(name: str, given: dict[str, object]) -> None:
    solution = solve(name, **given)
    assert len(words(solution, "zh")) > 100
    assert len(words(solution, "en")) > 100
