"""What IEEE formats hold: exp of a number, the range of exp, a cast, and softmax of a masked row.

Everything is rounded to nearest, ties to even; the exact model is `derive.floats` (IEEE 754-2019).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import permutations
from typing import get_args

from derive.answers.values import (
    INF, MINUS_INF, NAN, THRESHOLD, Exact, Right, Row, Said, Scalar, Value, number,
)  # fmt: skip
from derive.floats import (
    FORMATS, ExpRange, Float, Format, Kind, TypedNumber, cast, cast_row, exact_decimal, exp, exp_bounds, exp_range,
    finite, largest_finite, next_down, next_up, round_rational, shortest_decimal, softmax, spacing,
)  # fmt: skip
from derive.floats.exponential import RangeEnd
from derive.floats.softmax import Method
from derive.problems.given import Given, GivenRefused
from derive.problems.kind import AnswerKind, Mistake, Problem, for_each
from derive.problems.softmax import MAX_PERMUTED, base_two, exact_row, exponentials, shares
from proofs.terms import Term, ln, num
from proofs.terms import exp as exp_term

MAX_REAL = 2_000
"""Largest |x| for which exp(x) as a real number is looked at among the mistakes."""

ENDS: tuple[RangeEnd, ...] = get_args(RangeEnd)
_NEIGHBOUR: Mapping[RangeEnd, RangeEnd] = {
    "largest-finite": "smallest-infinite",
    "smallest-infinite": "largest-finite",
    "smallest-positive": "largest-zero",
    "largest-zero": "smallest-positive",
}
METHODS: tuple[Method, ...] = get_args(Method)
_BY: Mapping[Method, str] = {"naive": "as-naive", "shifted": "as-shifted", "safe": "as-safe"}


def scalar(x: Float) -> Scalar:
    """A value of a format as a value of an answer; the two zeros are one number."""
    if x.is_nan:
        return NAN
    if x.is_infinite:
        return MINUS_INF if x.negative else INF
    return number(x.value)


def shown(x: Float) -> str:
    """A value of a format in full where that is short, else the shortest decimal that gives it."""
    full = str(exact_decimal(x))
    text = full if len(full) <= 24 else str(shortest_decimal(x))
    return text.replace("Infinity", "inf").replace("NaN", "nan").replace("E+", "e").replace("E", "e")


def typed_text(x: TypedNumber) -> str:
    """A number as it was typed, briefly."""
    if x.kind is Kind.NAN:
        return "nan"
    if x.kind is Kind.INFINITE:
        return "-inf" if x.negative else "inf"
    sign = "-" if x.negative else ""
    digits = str(x.coefficient) if x.coefficient < 10**40 else "..."
    if -12 <= x.exponent < 0:
        digits = digits.rjust(1 - x.exponent, "0")
        return f"{sign}{digits[: x.exponent]}.{digits[x.exponent :]}"
    return f"{sign}{digits}" if x.exponent == 0 else f"{sign}{digits}e{x.exponent}"


def others(fmt: Format) -> tuple[Format, ...]:
    """The other formats."""
    return tuple(f for f in FORMATS if f != fmt)


@cache
def ranges(fmt: Format) -> ExpRange:
    """The range of exp in a format, found once."""
    return exp_range(fmt)


def _real(x: TypedNumber) -> Fraction | None:
    """The number typed, where exp of it can be looked at as a real number."""
    if x.kind is not Kind.FINITE or x.exponent > 4 or x.exponent < -400:
        return None
    q = x.exact()
    return q if abs(q) <= MAX_REAL else None


def _when(condition: bool, make: Callable[[], Value]) -> Callable[[], Value | None]:
    return make if condition else lambda: None


def _exp_in_format(given: Given) -> Problem:
    x, fmt = given.decimal("x"), given.format()
    stored = cast(x, fmt)
    result = exp(stored)
    real = _real(x)

    def of_typed() -> Value | None:
        """exp of the number as typed, rounded once: as if x had not been rounded first."""
        return None if real is None else _rounded_exp(real, fmt)

    mistakes = [
        Mistake(
            "exp-finite" if result.is_infinite else "real-exponential",
            lambda: None if real is None else Exact(exp_term(num(real))),
        ),
        Mistake("argument-not-rounded", of_typed),
        Mistake("saturated", _when(result.is_infinite, lambda: scalar(largest_finite(fmt)))),
        Mistake("overflow-wrongly", _when(result.is_finite, lambda: INF)),
        Mistake("underflow-wrongly", _when(result.is_finite and not result.is_zero, lambda: number(0))),
        Mistake("nan-instead", _when(not result.is_nan, lambda: NAN)),
        *for_each("another-format", partial(_exp_of, x), others(fmt)),
        Mistake("sign-of-infinity", _when(result.is_infinite, lambda: MINUS_INF)),
        Mistake("sign-turned", lambda: None if real is None else Exact(exp_term(num(-real)))),
    ]
    if result.is_finite and not result.is_zero:
        mistakes += [Mistake("neighbour", partial(scalar, step(result))) for step in (next_up, next_down)]
    line = Said("exp-in-format", {
        "x": typed_text(x), "stored": shown(stored), "format": fmt.name, "result": shown(result),
        "largest": shown(largest_finite(fmt)),
    })  # fmt: skip
    asked = [real, stored.value if stored.is_finite else None]
    return Problem(
        Right(scalar(result), line, asked=tuple(exp_term(num(q)) for q in asked if q is not None)), tuple(mistakes)
    )


def _rounded_exp(q: Fraction, fmt: Format) -> Scalar | None:
    """exp of a rational that need not be in the format, rounded to it."""
    if not q:
        return number(1)
    bits = 64
    while bits <= 4_096:
        low, high = (round_rational(fmt, b) for b in exp_bounds(q, bits))
        if low == high:
            return scalar(low)
        bits *= 2
    return None


def _exp_of(x: TypedNumber, fmt: Format) -> Scalar:
    return scalar(exp(cast(x, fmt)))


def _exp_range(given: Given) -> Problem:
    fmt = given.format()
    bound = given.choice("bound", ENDS)
    found = ranges(fmt)
    end = next(e for e in ENDS if e == bound)
    right = found.end(end)
    upper = end in ("largest-finite", "smallest-infinite")
    boundary = fmt.overflow_boundary if upper else fmt.underflow_boundary
    limit = fmt.largest if upper else fmt.smallest_subnormal
    other_end = _NEIGHBOUR[end]
    mistakes = [
        Mistake("other-side", lambda: scalar(found.end(other_end)), never_rounded=True),
        *for_each("threshold-of-another-format", lambda f: scalar(ranges(f).end(end)), others(fmt)),
        Mistake("real-threshold", lambda: Exact(ln(num(limit)))),
        Mistake("real-threshold", lambda: Exact(ln(num(boundary)))),
        Mistake("real-threshold", lambda: Exact(ln(num(fmt.smallest_normal))) if not upper else None),
        Mistake("largest-value", lambda: number(limit)),
        Mistake("sign-turned", lambda: number(-right.value)),
        *for_each("other-end", lambda e: scalar(found.end(e)), ENDS),
        *(Mistake("neighbour", partial(scalar, step(right))) for step in (next_up, next_down)),
    ]
    line = Said(f"exp-range-{end}", {
        "format": fmt.name, "x": shown(right), "other": shown(found.end(other_end)),
    })  # fmt: skip
    kept = Right(number(right.value), line, demand=THRESHOLD, stored=lambda q: scalar(round_rational(fmt, q)))
    return Problem(kept, tuple(mistakes))


def _cast(given: Given) -> Problem:
    x, fmt = given.decimal("value"), given.format()
    result = cast(x, fmt)
    far = x.kind is Kind.FINITE and abs(x.exponent) > 300
    exact = None if x.kind is not Kind.FINITE or far else x.exact()
    mistakes = [
        Mistake(
            "overflow-ignored" if result.is_infinite else "not-rounded",
            lambda: None if exact is None else number(exact),
        ),
        Mistake("taken-for-out-of-range", _when(result.is_finite, lambda: infinite(x.negative))),
        Mistake("taken-for-out-of-range", _when(result.is_finite, lambda: infinite(not x.negative))),
        Mistake(
            "taken-for-out-of-range",
            _when(result.is_finite, lambda: number(-fmt.largest if x.negative else fmt.largest)),
        ),
        Mistake("saturated", _when(result.is_infinite, lambda: number(-fmt.largest if x.negative else fmt.largest))),
        Mistake("sign-of-infinity", _when(result.is_infinite, lambda: infinite(not x.negative))),
        Mistake("nan-instead", _when(not result.is_nan, lambda: NAN)),
        Mistake("infinity-instead", _when(result.is_nan, lambda: INF)),
        Mistake("underflow-wrongly", _when(result.is_finite and not result.is_zero, lambda: number(0))),
        *for_each("another-format", lambda f: scalar(cast(x, f)), others(fmt)),
        Mistake("sign-turned", lambda: number(-result.value) if result.is_finite else None),
    ]
    if result.is_finite:
        mistakes += [Mistake("rounded-the-other-way", partial(scalar, step(result))) for step in (next_up, next_down)]
    line = Said("cast-overflow" if result.is_infinite and x.kind is Kind.FINITE else "cast", {
        "x": typed_text(x), "format": fmt.name, "result": shown(result), "largest": shown(largest_finite(fmt)),
        "spacing": "" if not result.is_finite else shown(finite(fmt, spacing(result))),
    })  # fmt: skip
    return Problem(Right(scalar(result), line), tuple(mistakes))


def infinite(negative: bool) -> Scalar:
    return MINUS_INF if negative else INF


def _row(values: Sequence[Float]) -> Row:
    return Row(tuple(map(scalar, values)))


def _masked_softmax(given: Given) -> Problem:
    typed = [given.as_decimal("scores", s) for s in given.items("scores")]
    fmt = given.format()
    method = next(m for m in METHODS if m == given.choice("method", METHODS))
    scores = cast_row(typed, fmt)
    if any(s.is_nan for s in scores):
        raise GivenRefused("not-number", name="scores", found="nan")
    result = softmax(scores, method).weights
    n = len(scores)
    kept = [k for k, s in enumerate(scores) if not (s.is_infinite and s.negative)]
    reals = [t.exact() for t in typed if t.kind is Kind.FINITE and abs(t.exponent) <= 300]

    def real() -> Value | None:
        """The weights as real numbers, masked ones 0: as if nothing overflowed or was rounded."""
        if not kept or len(reals) != len(kept):
            return None
        weights = dict(zip(kept, shares(exponentials([num(q) for q in reals])), strict=True))
        return exact_row([weights.get(k, num(0)) for k in range(n)])

    def mask_ignored() -> Value | None:
        """Masked scores taken for 0."""
        if len(kept) == n or len(reals) != len(kept):
            return None
        values = dict(zip(kept, reals, strict=True))
        return exact_row(shares(exponentials([num(values.get(k, Fraction(0))) for k in range(n)])))

    def uniform(places: Sequence[int]) -> Value | None:
        if not places:
            return None
        return Row(tuple(number(Fraction(int(k in places), len(places))) for k in range(n)))

    def reordered(order: tuple[int, ...]) -> Value:
        """The weights that are not masked, in another order."""
        moved = dict(zip(kept, order, strict=True))
        return _row([result[moved.get(k, k)] for k in range(n)])

    def among_kept(parts: Sequence[Term] | None) -> Value | None:
        if parts is None or not kept or len(parts) != len(kept):
            return None
        found = dict(zip(kept, parts, strict=True))
        return exact_row([found.get(k, num(0)) for k in range(n)])

    def linear() -> Value | None:
        whole = sum(reals, Fraction(0))
        return among_kept([num(q / whole) for q in reals]) if whole else None

    def powers_of_two() -> Value | None:
        return among_kept(base_two(reals) if reals else None)

    def by(other: Method) -> Value:
        return _row(softmax(scores, other).weights)

    everywhere = not kept
    mistakes = [
        *([Mistake("uniform-instead-of-nan", lambda: uniform(range(n)))] if everywhere else []),
        *(Mistake(code, partial(by, m)) for m, code in _BY.items() if m != method),
        Mistake("overflow-ignored" if any(w.is_nan or w.is_infinite for w in result) else "real-arithmetic", real),
        Mistake("nan-everywhere", lambda: Row((NAN,) * n)),
        Mistake("infinite-weights", lambda: Row((INF,) * n)),
        Mistake("zeros-instead-of-nan", lambda: Row((number(0),) * n)),
        Mistake("mask-ignored", mask_ignored),
        Mistake("uniform", lambda: uniform(kept)),
        Mistake("uniform", lambda: uniform(range(n))),
        Mistake(
            "nan-only-where-masked", lambda: Row(tuple(scalar(w) if k in kept else NAN for k, w in enumerate(result)))
        ),
        *for_each("another-format", lambda f: _row(softmax(cast_row(typed, f), method).weights), others(fmt)),
        Mistake("entries-swapped", lambda: _row(tuple(reversed(result)))),
        *(for_each("entries-swapped", reordered, permutations(kept)) if len(kept) <= MAX_PERMUTED else ()),
        Mistake("linear-instead-of-exponential", linear),
        Mistake("base-two", powers_of_two),
        Mistake("not-normalised", lambda: _row([exp(s) for s in scores])),
    ]
    shown_row = ", ".join(map(shown, result))
    line = Said(f"masked-softmax-{method}" if not everywhere else f"masked-softmax-{method}-everywhere", {
        "format": fmt.name, "row": shown_row if len(shown_row) <= 200 else shown_row[:197] + "...",
    })  # fmt: skip
    return Problem(Right(_row(result), line), tuple(mistakes))


EXP_IN_FORMAT = AnswerKind("exp-in-format", ("x", "format"), _exp_in_format, "float")
EXP_RANGE = AnswerKind("exp-range", ("format", "bound"), _exp_range, "number")
CAST = AnswerKind("cast", ("value", "format"), _cast, "float")
MASKED_SOFTMAX = AnswerKind("masked-softmax", ("scores", "format", "method"), _masked_softmax, "floats")
