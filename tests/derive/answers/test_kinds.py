"""Problem kinds: right values against NumPy and mpmath, and the mistakes that people make."""

# ruff: noqa: E501
from __future__ import annotations

from decimal import Decimal

import ml_dtypes
import mpmath
import numpy as np
import pytest

from derive.answers.checking import Entry, Judged, check
from derive.problems import answer_kinds
from derive.sheets.prose import catalogue

ACCEPTED = {"correct", "equivalent"}
X = [[1, 0, 1, 0], [0, 2, 0, 1]]
X3 = [[1, 2, 0, 1], [0, 1, 1, 1], [2, 0, 1, 3]]
DTYPES = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32, "float64": np.float64}


def judged(problem: str, given: dict[str, object], answer: str) -> Judged:
    return check(Entry("x", problem, given, answer))


def verdict(problem: str, given: dict[str, object], answer: str) -> str:
    return judged(problem, given, answer).verdict


# --- parameters --------------------------------------------------------------------------------------------


def counted(d: int, h: int, g: int, d_k: int, d_v: int, bias: bool) -> int:
    """The parameters of real weight arrays."""
    arrays = [np.empty((d, h * d_k)), np.empty((d, g * d_k)), np.empty((d, g * d_v)), np.empty((h * d_v, d))]
    return sum(a.size + (a.shape[1] if bias else 0) for a in arrays)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    ("d", "h", "g", "d_k", "d_v"),
    [(4, 2, 2, 2, 2), (768, 12, 12, 64, 64), (1024, 16, 16, 64, 64), (1024, 16, 4, 64, 64), (512, 8, 8, 32, 64),
     (96, 6, 2, 10, 7), (1, 1, 1, 1, 1), (64, 8, 1, 8, 8)],
)  # fmt: skip
def test_count_is_that_of_real_arrays(d: int, h: int, g: int, d_k: int, d_v: int, bias: bool) -> None:
    n = counted(d, h, g, d_k, d_v, bias)
    given = {"d_model": d, "h": h, "kv_heads": g, "d_k": d_k, "d_v": d_v, "bias": bias}
    assert verdict("mha-parameters", given, f"{n:,}") in ACCEPTED
    assert verdict("mha-parameters", given, str(n + 1)) == "wrong"
    assert verdict("mha-parameters", given, str(n - 1)) == "wrong"


@pytest.mark.parametrize(
    ("given", "right", "wrong"),
    [
        (
            {"d_model": "d", "h": "h"},
            ["4d^2", "4dh d_k", "4 d d", "2d(h d_k + h d_v)"],
            ["3d^2", "4d^2h", "4d", "4d^2+4d"],
        ),
        (
            {"d_model": "d", "h": "h", "bias": True},
            ["4d(d+1)", "4d^2+4d", "4d h d_k + 4d"],
            ["4d^2", "4d^2+d", "4d^2+3d"],
        ),
        ({"d_model": "d", "h": "h", "d_k": "k", "d_v": "v"}, ["2dh(k+v)", "2dhk+2dhv"], ["4d^2", "4dhk", "2dhk+dhv"]),
        (
            {"d_model": "d_model", "h": "n", "kv_heads": "g"},
            ["2d_model^2+2d_model^2 g/n", "2 d_{model}^2(1+g/n)"],
            ["4d_model^2", "2d_model^2"],
        ),
        ({"d_model": 1024, "h": 16}, ["4 d_model^2", "4 d_{model} h d_k"], ["d_model^2 h/4", "3d_model^2"]),
    ],
)
def test_formulas_in_names(given: dict[str, object], right: list[str], wrong: list[str]) -> None:
    assert [verdict("mha-parameters", given, a) in ACCEPTED for a in right] == [True] * len(right)
    assert [verdict("mha-parameters", given, a) for a in wrong] == ["wrong"] * len(wrong)


@pytest.mark.parametrize(
    ("given", "answer", "mistake"),
    [
        ({"d_model": 1024, "h": 16}, "3,145,728", "forgot-output-projection"),
        ({"d_model": 1024, "h": 16}, "4,198,400", "biases-counted"),
        ({"d_model": 1024, "h": 16, "bias": True}, "4194304", "biases-left-out"),
        ({"d_model": 1024, "h": 16, "bias": True}, "4,197,376", "output-bias-left-out"),
        ({"d_model": 4, "h": 2}, "128", "times-heads"),
        ({"d_model": 768, "h": 12}, "16384", "head-width-squared"),
        ({"d_model": 1024, "h": 16, "kv_heads": 4}, "4194304", "kv-heads-ignored"),
        ({"d_model": 512, "h": 8, "d_k": 32, "d_v": 32}, "1048576", "model-width-squared"),
        ({"d_model": 768, "h": 12}, "1.77M", "forgot-output-projection"),
        ({"d_model": 768, "h": 12}, "589,824", "one-matrix-only"),
        ({"d_model": 768, "h": 12}, "7077888", "whole-block"),
        ({"d_model": "d", "h": "h"}, "3d^2", "forgot-output-projection"),
        ({"d_model": "d", "h": "h"}, "4d^2h", "times-heads"),
    ],
)  # fmt: skip
def test_mistakes_in_counting_are_named(given: dict[str, object], answer: str, mistake: str) -> None:
    assert judged("mha-parameters", given, answer).mistake == mistake


def test_mistake_that_equals_the_right_value_is_none() -> None:
    # With h = 1 there is nothing to multiply by, and d_k is d_model.
    assert verdict("mha-parameters", {"d_model": 8, "h": 1}, "256") in ACCEPTED
    assert verdict("mha-shape", {"B": 1, "T": 2, "d_model": 4, "h": 2, "at": "heads"}, "(1,2,2,2)") in ACCEPTED


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("64", "correct"), ("64.0", "correct"), ("768/12", "equivalent"), ("d_model/h", "correct"), ("d_k = 64", "correct"),
     ("768/12 = 64", "equivalent"), ("63", "wrong"), ("9216", "wrong"), ("768", "wrong"), ("12", "wrong"), ("h/d_model", "wrong")],
)  # fmt: skip
def test_head_dimension(answer: str, expected: str) -> None:
    assert verdict("mha-head-dimension", {"d_model": 768, "h": 12}, answer) == expected


# --- shapes ------------------------------------------------------------------------------------------------


def shapes(b: int, t: int, d: int, h: int) -> dict[str, tuple[int, ...]]:
    """The shapes of real arrays on their way through the layer."""
    x = np.zeros((b, t, d))
    viewed = x.reshape(b, t, h, d // h)
    heads = viewed.transpose(0, 2, 1, 3)
    scores = heads @ heads.transpose(0, 1, 3, 2)
    context = scores @ heads
    back = context.transpose(0, 2, 1, 3)
    joined = back.reshape(b, t, d)
    return {
        "input": x.shape, "projected": x.shape, "viewed": viewed.shape, "heads": heads.shape, "scores": scores.shape,
        "weights": scores.shape, "context": context.shape, "swapped-back": back.shape, "concatenated": joined.shape,
        "output": joined.shape,
    }  # fmt: skip


@pytest.mark.parametrize("at", sorted(shapes(1, 1, 1, 1)))
@pytest.mark.parametrize(("b", "t", "d", "h"), [(2, 5, 12, 3), (3, 7, 20, 4), (1, 2, 4, 2)])
def test_shape_is_that_of_real_arrays(b: int, t: int, d: int, h: int, at: str) -> None:
    given = {"B": b, "T": t, "d_model": d, "h": h, "at": at}
    right = shapes(b, t, d, h)
    for name, shape in right.items():
        expected = ACCEPTED if shape == right[at] else {"wrong"}
        assert verdict("mha-shape", given, " x ".join(map(str, shape))) in expected, name
        assert verdict("mha-shape", given, str(shape)) in expected, name


NAMED = {"B": "B", "T": "T", "d_model": "d_model", "h": "h"}


@pytest.mark.parametrize(
    ("at", "answer", "expected"),
    [
        ("heads", "(B, h, T, d_k)", "correct"), ("heads", "B x h x T x d_k", "correct"), ("heads", "(B,h,T,d_model/h)", "equivalent"),
        ("heads", "(B,h,T,d_v)", "equivalent"), ("heads", "(B,T,h,d_k)", "wrong"), ("heads", "(B,h,T,d_model)", "wrong"),
        ("scores", "(B,h,T,T)", "correct"), ("scores", "(B,T,T)", "wrong"), ("scores", "(B,h,T,d_k)", "wrong"),
        ("viewed", "(B,T,h,d_k)", "correct"), ("viewed", "(B,h,T,d_k)", "wrong"), ("input", "(B,T,h d_k)", "equivalent"),
        ("output", "(B,T,d_model)", "correct"), ("output", "(B,T,D)", "unreadable"), ("heads", "(b,h,t,d_k)", "unreadable"),
    ],
)  # fmt: skip
def test_shape_in_names(at: str, answer: str, expected: str) -> None:
    assert verdict("mha-shape", {**NAMED, "at": at}, answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("(1,2,2,2)", "correct"), ("(B,h,T,d_k)", "correct"), ("(B,T,h,d_k)", "wrong"), ("(1,T,h,2)", "wrong"), ("(1,h,2,d_k)", "correct")],
)  # fmt: skip
def test_names_say_which_axis_is_which_although_all_are_two(answer: str, expected: str) -> None:
    assert verdict("mha-shape", {"B": 1, "T": 2, "d_model": 4, "h": 2, "at": "heads"}, answer) == expected


# --- softmax and attention ---------------------------------------------------------------------------------


def exact_softmax(z: list[object]) -> list[mpmath.mpf]:
    with mpmath.workdps(50):
        e = [mpmath.e ** mpmath.mpf(str(x)) for x in z]
        return [x / sum(e) for x in e]


def shown(values: object, digits: int) -> str:
    """Nested lists of numbers with so many decimals."""
    if isinstance(values, list):
        return "[" + ", ".join(shown(v, digits) for v in values) + "]"
    with mpmath.workdps(50):
        return str(Decimal(mpmath.nstr(mpmath.mpf(values), 40)).quantize(Decimal(10) ** -digits))


@pytest.mark.parametrize("digits", [4, 7, 12])
@pytest.mark.parametrize(
    "z", [[500, 502], [1, 2, 3], [0, 0, 5], ["-3", "1.5", "0.25", "2"], [3, -2], [7, 8, 9, 10, 11]]
)
def test_softmax_to_any_number_of_digits(z: list[object], digits: int) -> None:
    right = shown(exact_softmax(z), digits)
    assert verdict("softmax", {"z": z}, right) in {"rounded", *ACCEPTED}
    with mpmath.workdps(50):
        off = [v + mpmath.mpf(3) * mpmath.mpf(10) ** -digits for v in exact_softmax(z)]
    assert verdict("softmax", {"z": z}, shown(off, digits)) == "wrong"


def test_softmax_of_logarithms_is_rational() -> None:
    assert verdict("softmax", {"z": ["ln 1", "ln 2", "ln 3"]}, "[1/6, 1/3, 1/2]") in ACCEPTED


@pytest.mark.parametrize(
    ("z", "answer", "mistake"),
    [
        ([500, 502], "[0.8808, 0.1192]", "entries-swapped"),
        ([500, 502], "[500/1002, 502/1002]", "linear-instead-of-exponential"),
        ([500, 502], "[0.2, 0.8]", "base-two"),
        ([500, 502], "[nan, nan]", "overflow-on-the-way"),
        ([1, 2, 4], "[0, 0, 1]", "argmax"),
        ([1, 2, 4], "[1/3, 1/3, 1/3]", "uniform"),
        ([1, 2, 4], "[e, e^2, e^4]", "not-normalised"),
        ([1, 2, 4], "[0.7054, 0.2595, 0.0351]", "sign-turned"),
    ],
)
def test_mistakes_with_softmax_are_named(z: list[object], answer: str, mistake: str) -> None:
    assert judged("softmax", {"z": z}, answer).mistake == mistake


def attention(
    x: list[list[int]], h: int, head: int, causal: bool = True, scale: float | None = None, shift: int = 0
) -> np.ndarray:
    """Weights in float64 by NumPy."""
    part = np.array(x, dtype=float)[:, head * len(x[0]) // h : (head + 1) * len(x[0]) // h]
    scores = part @ part.T / (np.sqrt(part.shape[1]) if scale is None else scale)
    if causal:
        scores = np.where(np.tri(len(x), k=shift, dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("x", "h"), [(X, 2), (X, 1), (X3, 2), (X3, 4), (X3, 1)])
def test_weights_and_outputs_are_those_of_numpy(x: list[list[int]], h: int, causal: bool) -> None:
    d_k = len(x[0]) // h
    whole = []
    for head in range(h):
        w = attention(x, h, head, causal)
        out = w @ np.array(x, dtype=float)[:, head * d_k : (head + 1) * d_k]
        whole.append(out)
        given = {"X": x, "h": h, "head": head, "causal": causal}
        for digits in (4, 8):
            assert verdict("attention-weights", given, shown(w.tolist(), digits)) in {"rounded", *ACCEPTED}
            assert verdict("attention-output", given, shown(out.tolist(), digits)) in {"rounded", *ACCEPTED}
        assert verdict("attention-weights", given, shown((w + 0.0003).tolist(), 4)) == "wrong"
    joined = np.concatenate(whole, axis=1)
    assert verdict("attention-output", {"X": x, "h": h, "causal": causal}, shown(joined.tolist(), 6)) in {
        "rounded",
        *ACCEPTED,
    }


@pytest.mark.parametrize(
    ("made", "mistake"),
    [
        (attention(X3, 2, 0, scale=1), "not-scaled"),
        (attention(X3, 2, 0, scale=2), "scaled-by-width"),
        (attention(X3, 2, 0, causal=False), "not-masked"),
        (attention(X3, 2, 0, shift=1), "mask-shifted"),
        (attention(X3, 2, 1), "another-head"),
        (attention(X3, 2, 0).T, "transposed"),
        (attention(X3, 1, 0), "heads-not-split"),
        (np.tril(attention(X3, 2, 0, causal=False)), "masked-after-softmax"),
        (attention(X3, 2, 0, causal=False, scale=1), "not-scaled-not-masked"),
    ],
)
def test_mistakes_with_weights_are_named(made: np.ndarray, mistake: str) -> None:
    found = judged("attention-weights", {"X": X3, "h": 2, "head": 0}, shown(made.tolist(), 4))
    # With d_k = 2 and d_model = 4 the root of d_model is d_k.
    assert found.mistake == mistake


@pytest.mark.parametrize(
    ("problem", "head", "answer", "mistake"),
    [
        ("attention-weights", 0, "[[1, 0], [0.9442, 0.0558]]", "entries-swapped"),
        ("attention-weights", 0, "[[1, 0], [0.5, 0.5]]", "uniform"),
        ("attention-weights", 0, "[[1, 0], [0, 4]]", "scores-not-softmax"),
        ("attention-weights", 0, "[[0.3302, 0], [0.6698, 1]]", "over-columns"),
        ("attention-output", None, "[[1, 0], [0.0558, 1.8884]]", "one-head-output"),
        ("attention-output", None, "[[1, 0], [0.0558, 1.8884], [1, 0], [0.3302, 0.6698]]", "heads-stacked"),
        ("attention-output", 1, "[[1, 0, 1, 0], [0.0558, 1.8884, 0.3302, 0.6698]]", "all-heads"),
        ("attention-output", 0, "[[1, 0], [0.5, 1]]", "uniform"),
    ],
)
def test_more_mistakes_with_weights_and_outputs_are_named(
    problem: str, head: int | None, answer: str, mistake: str
) -> None:
    given: dict[str, object] = {"X": X, "h": 2, **({} if head is None else {"head": head})}
    if mistake == "over-columns":
        given["X"] = [[1, 0, 1, 0], [2, 0, 0, 1]]
        e = [np.exp(np.array(s) / np.sqrt(2)) for s in ([1.0, 2.0], [4.0])]
        first, second = e[0] / e[0].sum()
        answer = f"[[{first:.4f}, 0], [{second:.4f}, 1]]"
    assert judged(problem, given, answer).mistake == mistake


# --- formats -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(DTYPES))
@pytest.mark.parametrize(
    "x", ["0", "1", "-1", "0.5", "5", "-7.25", "11.09", "-17.33", "88.7", "15", "-110", "709.8", "-800"]
)
def test_exp_agrees_with_correctly_rounded_reference(name: str, x: str) -> None:
    dtype = DTYPES[name]
    stored = dtype(x) if name != "bfloat16" else dtype(np.float64(x))
    with mpmath.workdps(60), np.errstate(over="ignore"):
        real = mpmath.e ** mpmath.mpf(float(stored))
        # float64 is exact enough to be rounded again: no case here is near a tie of the smaller formats.
        reference = (
            float(np.asarray(float(real), dtype=np.float64).astype(dtype)) if abs(real) < 1e308 else float("inf")
        )
    answer = "inf" if np.isinf(reference) else f"{Decimal(reference):f}"
    if len(answer) > 800:
        answer = mpmath.nstr(mpmath.mpf(reference), 12)
    assert verdict("exp-in-format", {"x": x, "format": name}, answer) in {"rounded", *ACCEPTED}


# The table of the study day, recomputed in exact arithmetic.
RANGES = {
    ("float16", "largest-finite"): "11.0859375", ("float16", "smallest-infinite"): "11.09375",
    ("float16", "smallest-positive"): "-17.328125", ("float16", "largest-zero"): "-17.34375",
    ("bfloat16", "largest-finite"): "88.5", ("bfloat16", "smallest-infinite"): "89",
    ("bfloat16", "smallest-positive"): "-92.5", ("bfloat16", "largest-zero"): "-93",
    ("float32", "largest-finite"): "88.72283172607421875", ("float32", "smallest-infinite"): "88.72283935546875",
    ("float32", "smallest-positive"): "-103.972076416015625", ("float32", "largest-zero"): "-103.97208404541015625",
    ("float64", "largest-finite"): "709.7827128933839731", ("float64", "smallest-infinite"): "709.7827128933840868",
    ("float64", "smallest-positive"): "-745.1332191019411084", ("float64", "largest-zero"): "-745.1332191019412221",
}  # fmt: skip


@pytest.mark.parametrize(("where", "right"), RANGES.items(), ids=lambda v: "-".join(v) if isinstance(v, tuple) else v)
def test_range_of_exp(where: tuple[str, str], right: str) -> None:
    given = {"format": where[0], "bound": where[1]}
    assert verdict("exp-range", given, right) in {"rounded", *ACCEPTED}
    for other, value in RANGES.items():
        rounding = value == "89" and where[0] == "float32"  # 88.72 to two digits
        if other != where and not rounding:
            assert verdict("exp-range", given, value) == "wrong", other


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [("88.72", "threshold-of-another-format"), ("89", "other-side"), ("11.09", "threshold-of-another-format"), ("-92.5", "other-end")],
)  # fmt: skip
def test_mistakes_with_thresholds_are_named(answer: str, mistake: str) -> None:
    assert judged("exp-range", {"format": "bfloat16", "bound": "largest-finite"}, answer).mistake == mistake


@pytest.mark.parametrize("name", sorted(DTYPES))
@pytest.mark.parametrize(
    "x", ["0", "0.1", "-1e4", "-1e9", "11.1", "65504", "65519", "65520", "1e-8", "3.4e38", "1e39", "16777217", "2049"]
)
def test_cast_is_that_of_the_library(name: str, x: str) -> None:
    with np.errstate(over="ignore"):
        value = float(np.array(float(x)).astype(DTYPES[name]))
    answer = str(value) if np.isinf(value) else f"{Decimal(value):f}"
    assert verdict("cast", {"value": x, "format": name}, answer) in ACCEPTED
    if answer not in ("0", "inf", "-inf"):
        off = f"{Decimal(value) * Decimal('1.01'):f}"
        assert verdict("cast", {"value": x, "format": name}, off) == "wrong"


@pytest.mark.parametrize(
    ("problem", "given", "answer", "mistake"),
    [
        ("exp-in-format", {"x": 15, "format": "float16"}, "3269017", "exp-finite"),
        ("exp-in-format", {"x": 15, "format": "float16"}, "65504", "saturated"),
        ("exp-in-format", {"x": 1, "format": "float16"}, "2.718", "real-exponential"),
        ("exp-in-format", {"x": "11.09", "format": "float16"}, "65504", "argument-not-rounded"),
        ("exp-in-format", {"x": 10, "format": "float16"}, "inf", "overflow-wrongly"),
        ("cast", {"value": "-1e4", "format": "float16"}, "-inf", "taken-for-out-of-range"),
        ("cast", {"value": "-1e9", "format": "float16"}, "-1e9", "overflow-ignored"),
        ("cast", {"value": "-1e9", "format": "float16"}, "-65504", "saturated"),
        ("cast", {"value": "-1e9", "format": "float16"}, "inf", "sign-of-infinity"),
        ("cast", {"value": "-1e4", "format": "float16"}, "inf", "taken-for-out-of-range"),
        ("cast", {"value": "-1e4", "format": "float16"}, "-65504", "taken-for-out-of-range"),
        ("exp-in-format", {"x": "11.09", "format": "float16"}, "65000", "finite-for-special"),
        ("exp-in-format", {"x": 15, "format": "float16"}, "e^20 = inf", "finite-for-special"),
        (
            "masked-softmax",
            {"scores": [1, 2, "-inf"], "format": "float32", "method": "shifted"},
            "[0.7311, 0.2689, 0]",
            "entries-swapped",
        ),
        (
            "masked-softmax",
            {"scores": [1, 2, "-inf"], "format": "float32", "method": "shifted"},
            "[1/3, 2/3, 0]",
            "linear-instead-of-exponential",
        ),
        ("softmax", {"z": [500, 502]}, "[0.119, 0.880]", "cut-off"),
        ("mha-parameters", {"d_model": 1024, "h": 16}, "-4194304", "sign"),
    ],
)
def test_mistakes_with_formats_are_named(problem: str, given: dict[str, object], answer: str, mistake: str) -> None:
    assert judged(problem, given, answer).mistake == mistake


@pytest.mark.parametrize(
    ("x", "answer", "expected"),
    [
        (15, "exp(15) = inf", "correct"),
        (15, "e^15 = inf", "correct"),
        ("11.09", "e^11.09 = inf", "correct"),
        ("11.09", "e^11.09375 = inf", "correct"),
        (1, "e = 2.71875", "correct"),
        (15, "exp(20) = inf", "wrong"),
        (15, "e^2 + 5 = inf", "wrong"),
        (15, "3269017 = inf", "wrong"),
        (1, "e^2 = 2.71875", "wrong"),
    ],
)
def test_only_the_question_itself_may_stand_before_the_answer(x: object, answer: str, expected: str) -> None:
    assert verdict("exp-in-format", {"x": x, "format": "float16"}, answer) == expected


NAIVE, SHIFTED, SAFE = "naive", "shifted", "safe"


@pytest.mark.parametrize(
    ("scores", "format_", "method", "answer", "expected"),
    [
        (["-inf"] * 3, "float32", SHIFTED, "[nan, nan, nan]", ACCEPTED),
        (["-inf"] * 3, "float32", NAIVE, "(NaN, NaN, NaN)", ACCEPTED),
        (["-inf"] * 3, "float32", SAFE, "[0, 0, 0]", ACCEPTED),
        (["-inf"] * 3, "float32", SAFE, "[nan, nan, nan]", {"wrong"}),
        (["-inf"] * 3, "float32", SHIFTED, "[0, 0, 0]", {"wrong"}),
        ([0, "-inf", 0], "float16", SHIFTED, "[0.5, 0, 0.5]", ACCEPTED),
        ([500, 502], "float16", NAIVE, "[nan, nan]", ACCEPTED),
        ([500, 502], "float32", NAIVE, "[nan, nan]", ACCEPTED),
        ([500, 502], "float64", NAIVE, "[0.1192, 0.8808]", {"rounded"}),
        ([500, 502], "float32", SHIFTED, "[0.1192, 0.8808]", {"rounded"}),
        ([500, 502], "float32", NAIVE, "[0.1192, 0.8808]", {"wrong"}),
        ([-200, -200], "float32", NAIVE, "[nan, nan]", ACCEPTED),
        ([-200, -200], "float32", SHIFTED, "[1/2, 0.5]", ACCEPTED),
        ([-20000, -10000], "float16", SAFE, "[0, 1]", ACCEPTED),
        ([3], "float16", SAFE, "1", ACCEPTED),
    ],
)  # fmt: skip
def test_masked_softmax(scores: list[object], format_: str, method: str, answer: str, expected: set[str]) -> None:
    assert verdict("masked-softmax", {"scores": scores, "format": format_, "method": method}, answer) in expected


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["float16", "float32"])
def test_shifted_softmax_agrees_with_numpy_to_three_digits(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = [str(x) for x in rng.integers(-40, 40, size=4) / 8]
    z = np.array(scores, dtype=DTYPES[name])
    e = np.exp((z - z.max()).astype(np.float64))
    exact = (e / e.sum()).tolist()
    given = {"scores": scores, "format": name, "method": SHIFTED}
    off = [v + 0.02 for v in exact]
    assert verdict("masked-softmax", given, shown(off, 3)) == "wrong"
    if name == "float32":
        assert verdict("masked-softmax", given, shown(exact, 4)) in {"rounded", *ACCEPTED}


# --- what is given -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "given", "detail"),
    [
        ("mha-parameters", {"d_model": 768, "h": 7}, "heads-divide"),
        ("mha-parameters", {"d_model": 768}, "missing"),
        ("mha-parameters", {"d_model": 0, "h": 1}, "size-range"),
        ("mha-parameters", {"d_model": "4h", "h": 1}, "not-size"),
        ("mha-parameters", {"d_model": True, "h": 1}, "not-whole"),
        ("mha-parameters", {"d_model": 8, "h": 2, "bias": "yes"}, "not-flag"),
        ("mha-parameters", {"d_model": 8, "h": 4, "kv_heads": 3}, "kv-heads-divide"),
        ("mha-parameters", {"dmodel": 8, "h": 4}, "unknown-close"),
        ("mha-parameters", {"d_model": 10**300, "h": 4}, "size-range"),
        ("mha-parameters", {"d_model": 10**5000, "h": 4}, "too-large"),
        ("mha-head-dimension", {"d_model": 10, "h": 3}, "heads-divide"),
        ("mha-shape", {**NAMED, "at": "somewhere"}, "choice"),
        ("softmax", {"z": []}, "length"),
        ("softmax", {"z": "1, 2"}, "not-list"),
        ("softmax", {"z": ["a"]}, "not-number"),
        ("softmax", {"z": ["1/0"]}, "no-value"),
        ("softmax", {"z": [Decimal("inf")]}, "not-finite"),
        ("softmax", {"z": [0] * 65}, "length"),
        ("attention-weights", {"X": X, "h": 2}, "missing"),
        ("attention-weights", {"X": X, "h": 3, "head": 0}, "heads-divide"),
        ("attention-weights", {"X": X, "h": 2, "head": 2}, "range"),
        ("attention-weights", {"X": [[1], [1, 2]], "h": 1, "head": 0}, "ragged"),
        ("attention-weights", {"X": [["sqrt 2"]], "h": 1, "head": 0}, "not-rational"),
        ("exp-in-format", {"x": "abc", "format": "float16"}, "not-number"),
        ("exp-in-format", {"x": 1, "format": "float8"}, "choice"),
        ("exp-range", {"format": "float16", "bound": "largest"}, "choice"),
        ("cast", {"value": "9" * 5000, "format": "float16"}, "too-many-digits"),
        ("masked-softmax", {"scores": ["nan"], "format": "float16", "method": "safe"}, "not-number"),
        ("proof", {"theorem": "softmax-shift-invarianc"}, "no-theorem-close"),
        ("proof", {"theorem": 3}, "not-text"),
    ],
)  # fmt: skip
def test_given_that_cannot_be_used_is_refused(problem: str, given: dict[str, object], detail: str) -> None:
    found = judged(problem, given, "1")
    assert (found.verdict, found.code, found.reason.code) == ("unreadable", "given-refused", f"given.{detail}")


SAMPLES: list[tuple[str, dict[str, object]]] = [
    ("mha-parameters", {"d_model": 8, "h": 2, "bias": True}),
    ("mha-parameters", {"d_model": 8, "h": 2}),
    ("mha-head-dimension", {"d_model": 8, "h": 2}),
    *(("mha-shape", {**NAMED, "at": at}) for at in ("input", "viewed", "heads", "scores", "context", "swapped-back")),
    ("softmax", {"z": [1, 2]}),
    ("attention-weights", {"X": X, "h": 2, "head": 0}),
    ("attention-weights", {"X": X, "h": 2, "head": 0, "causal": False}),
    ("attention-output", {"X": X, "h": 2}),
    ("attention-output", {"X": X, "h": 2, "head": 1, "causal": False}),
    ("exp-in-format", {"x": 15, "format": "float16"}),
    ("exp-in-format", {"x": 1, "format": "float16"}),
    *(("exp-range", {"format": "float16", "bound": b}) for b in ("largest-finite", "smallest-infinite", "smallest-positive", "largest-zero")),
    ("cast", {"value": "-1e4", "format": "float16"}),
    ("cast", {"value": "-1e9", "format": "float16"}),
    *(("masked-softmax", {"scores": s, "format": "float16", "method": m}) for m in (NAIVE, SHIFTED, SAFE) for s in ([1, "-inf"], ["-inf"])),
    ("value", {"value": "[1,2,3]"}), ("value", {"value": "[[1,2],[3,4]]"}), ("value", {"value": "5"}),
]  # fmt: skip


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(("problem", "given"), SAMPLES)
def test_every_mistake_and_every_derivation_has_its_sentence(problem: str, given: dict[str, object], lang: str) -> None:
    prose = catalogue("zh" if lang == "zh" else "en")
    posed = answer_kinds()[problem].problem(given)
    assert f"answers.line.{posed.right.line.code}" in prose
    for mistake in posed.mistakes:
        assert f"answers.mistake.{mistake.code}" in prose, mistake.code


@pytest.mark.parametrize(("problem", "given"), SAMPLES)
def test_no_mistake_is_accepted_unless_it_is_the_right_value(problem: str, given: dict[str, object]) -> None:
    """Each mistake's value, judged as an answer would be, is refused or equals the right value."""
    from derive.answers.showing import shown_exactly
    from derive.answers.values import Right

    posed = answer_kinds()[problem].problem(given)
    for mistake in posed.mistakes:
        value = mistake.value()
        if value is None:
            continue
        text = shown_exactly(Right(value, posed.right.line, posed.right.names, shape=posed.right.shape))
        found = judged(problem, given, text)
        if found.verdict not in ACCEPTED | {"rounded", "undecided"}:
            assert found.mistake is not None, (mistake.code, text)
