"""What a solution says of its numbers holds: every kind over its whole range, its sentences read back and checked.

The checks share nothing with the product: formats are rounded here with rational numbers, exp comes from mpmath.
"""

# ruff: noqa: E501 -- a sentence that is read stands on one line

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from math import inf, isnan, nan

import mpmath
import numpy as np
import pytest

from derive.errors import DeriveError
from derive.sheets.blocks import Message
from derive.sheets.manifest import given as read_given
from derive.sheets.problems import Solution
from derive.worked import kinds
from tests.solution_text import text_of, words

# --- formats, once more ------------------------------------------------------------------------------------

PRECISION = {"float16": (11, 15), "bfloat16": (8, 127), "float32": (24, 127), "float64": (53, 1023)}
FORMATS = tuple(PRECISION)
Number = Fraction | float  # a float is inf, -inf or nan


def largest(fmt: str) -> Fraction:
    p, emax = PRECISION[fmt]
    return (2 - Fraction(2) ** (1 - p)) * Fraction(2) ** emax


def tiny(fmt: str) -> Fraction:
    p, emax = PRECISION[fmt]
    return Fraction(2) ** (2 - emax - p)


def overflow(fmt: str) -> Fraction:
    p, emax = PRECISION[fmt]
    return largest(fmt) + Fraction(2) ** (emax - p)


def step(fmt: str, q: Fraction) -> Fraction:
    """The distance of neighbouring values in the binade of q."""
    p, emax = PRECISION[fmt]
    e = 1 - emax
    if q:
        q = abs(q)
        e = max(e, q.numerator.bit_length() - q.denominator.bit_length())
        e -= int(Fraction(2) ** e > q and e > 1 - emax)
    return Fraction(2) ** (e - p + 1)


def to(fmt: str, q: Number) -> Number:
    """Rounded to nearest, ties to even."""
    if isinstance(q, float):
        return q
    unit = step(fmt, q)
    found = round(q / unit) * unit
    return found if abs(found) <= largest(fmt) else inf if q > 0 else -inf


def up(fmt: str, q: Fraction) -> Fraction:
    """The next value above."""
    unit = step(fmt, q)
    if q < 0 and to(fmt, q + unit / 2) == q + unit / 2:
        unit /= 2
    return q + unit


def ceiling(fmt: str, q: Fraction) -> Number:
    """The least value that is at least q."""
    found = to(fmt, q)
    if isinstance(found, float):
        return found if found > 0 else -largest(fmt)
    return found if found >= q else up(fmt, found)


@cache
def real_exp(q: Fraction) -> Fraction:
    with mpmath.workdps(400):
        found = mpmath.exp(mpmath.mpf(q.numerator) / q.denominator)
        return Fraction(int(found.man)) * Fraction(2) ** int(found.exp)


def exp_in(fmt: str, q: Number) -> Number:
    if isinstance(q, float):
        return q if isnan(q) or q > 0 else Fraction(0)
    if abs(q) > 2000:
        return inf if q > 0 else Fraction(0)
    return to(fmt, real_exp(q)) if q else Fraction(1)


def minus(fmt: str, a: Number, b: Number) -> Number:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return to(fmt, a - b)
    return float(a if isinstance(a, float) else 0.0) - float(b if isinstance(b, float) else 0.0)


def plus(fmt: str, a: Number, b: Number) -> Number:
    return minus(fmt, a, -b)


def over(fmt: str, a: Number, b: Number) -> Number:
    if isinstance(a, float) or isinstance(b, float):
        if isinstance(a, Fraction) and isinstance(b, float) and not isnan(b):
            return Fraction(0)
        return nan if isinstance(a, float) and isinstance(b, float) else a if isinstance(a, float) else nan
    return to(fmt, a / b) if b else nan if not a else inf


@dataclass(frozen=True)
class Softmax:
    """Exponentials, their sum, and the weights."""

    e: tuple[Number, ...]
    total: Number
    w: tuple[Number, ...]


def softmax(fmt: str, z: Sequence[Number], shift: bool) -> Softmax:
    top = max(z) if not any(isinstance(x, float) and isnan(x) for x in z) else nan
    e = tuple(exp_in(fmt, minus(fmt, x, top) if shift else x) for x in z)
    total: Number = Fraction(0)
    for x in e:
        total = plus(fmt, total, x)
    return Softmax(e, total, tuple(over(fmt, x, total) for x in e))


def same(a: Number, b: Number) -> bool:
    return a == b or (isinstance(a, float) and isinstance(b, float) and isnan(a) and isnan(b))


# --- texts as numbers --------------------------------------------------------------------------------------


def number(text: str) -> Number:
    """A number as it is printed: decimals, powers of 2, inf, NaN."""
    text = text.replace("−", "-").replace(",", "").removeprefix("about ").strip("().")
    if text.lower() in ("inf", "-inf", "nan"):
        return float(text)
    if "/" in text:
        return Fraction(text)
    total = Fraction(0)
    for sign, base, power, plain in re.findall(r"([-+]? ?)(?:(\d+)\^\(?(-?\d+)\)?|([\d.]+(?:e-?\d+)?))", text):
        value = Fraction(int(base)) ** int(power) if base else Fraction(plain)
        total += -value if "-" in sign else value
    return total


def finite(text: str) -> Fraction:
    found = number(text)
    assert isinstance(found, Fraction), text
    return found


def is_about(text: str, value: Number) -> bool:
    """Whether a text gives a value: exactly, or with 'about' to the digits that it shows."""
    if not text.startswith("about "):
        return same(number(text), value)
    assert isinstance(value, Fraction)
    shown = Decimal(text.removeprefix("about ").replace("−", "-"))
    exponent = shown.as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(Fraction(shown) - value) <= Fraction(10) ** exponent


def row(text: str) -> list[str]:
    return text.strip("[]").split(", ")


def formats_in(text: str) -> list[str]:
    return re.split(r", | and ", text)


# --- what is said and how it is checked --------------------------------------------------------------------

Given = Mapping[str, object]
Check = Callable[[re.Match[str], Given], bool]
CLAIMS: list[tuple[re.Pattern[str], Check, str]] = []
"""A sentence, its check, and words that a text must have for it."""
N = r"(?:about )?[−-]?(?:\d[\d.]*(?:e−?\d+)?|inf|NaN)(?=$|[^\d])"
B = rf"(?:2\^\(?-?\d+\)?(?: - 2\^\(?-?\d+\)?)?|{N})"
F = r"b?float\d+"


def landmark(pattern: str) -> str:
    """The longest words of a pattern that a text has word by word wherever it fits."""
    plain = re.split(
        r"\\.|\[[^\]]*\]|\([^()]*\)[?*+]?|<.>|[^A-Za-z0-9 ,:;]", pattern.replace("(?:", "(").replace("|", "\0")
    )
    return max(plain, key=len, default="")


def claim(pattern: str) -> Callable[[Check], Check]:
    """A sentence, with its numbers, and what must hold of them and what is given."""
    found = landmark(pattern)
    for short, long in (
        ("<E>", r"[−-]?\d[\d./]*(?:e[−-]?\d+)?"),
        ("<N>", N),
        ("<B>", B),
        ("<F>", F),
        ("<R>", r"\[[^\]]*\]"),
    ):
        pattern = pattern.replace(short, long)

    def kept(check: Check) -> Check:
        CLAIMS.append((re.compile(pattern, re.MULTILINE), check, found))
        return check

    return kept


def typed(g: Given, name: str) -> Fraction:
    return Fraction(str(g[name]))


def stored(g: Given, name: str) -> Number:
    return to(str(g["format"]), typed(g, name))


claim(r"(<N>) is a value of (<F>), so it is stored exactly")(lambda m, g: to(m[2], number(m[1])) == number(m[1]))
claim(r"(<N>) is not a value of (<F>); what is stored is (<N>)")(
    lambda m, g: to(m[2], number(m[1])) == number(m[3]) != number(m[1])
)
claim(r"As a real number, exp\((<E>)\) ≈ (<N>)")(lambda m, g: digits_of(m[2], real_exp(finite(m[1]))))
claim(r"[Tt]he largest finite value of (<F>),? (?:is )?(<N>)")(lambda m, g: is_about(m[2], largest(m[1])))
claim(r"Real numbers of at least (<B>) round to inf")(lambda m, g: number(m[1]) in map(overflow, FORMATS))
claim(r"positive ones of at most (<B>) round to 0")(lambda m, g: 2 * finite(m[1]) in map(tiny, FORMATS))
claim(r"Rational bounds prove (<B>) < exp\((<E>)\), so the result is inf")(
    lambda m, g: number(m[1]) == overflow(str(g["format"])) < real_exp(finite(m[2]))
)
claim(r"prove exp\((<E>)\) < (<B>), which is half the smallest positive value of (<F>)")(
    lambda m, g: real_exp(finite(m[1])) < 2 * finite(m[2]) / 2 == tiny(m[3]) / 2
)


@claim(
    r"prove (<N>) < exp\((<E>)\) < (<N>)\. Every real number between these two rounds to the same value of (<F>): (<N>)"
)
def all_between_round_alike(m: re.Match[str], g: Given) -> bool:
    low, high, result = finite(m[1]), finite(m[3]), finite(m[5])
    near = (high - low) / 10**9
    return low < real_exp(finite(m[2])) < high and to(m[4], low + near) == to(m[4], high - near) == result


claim(r"^exp\((<E>)\) < (<B>)$")(lambda m, g: real_exp(finite(m[1])) < finite(m[2]))
claim(r"^exp\((<E>)\) > (<B>)$")(lambda m, g: real_exp(finite(m[1])) > finite(m[2]))
claim(r"exp\(0\) is exactly (<N>)")(lambda m, g: number(m[1]) == 1)
claim(r"Rounding exp\((<E>)\) without rounding the argument first\. Here this also gives (<N>)")(
    lambda m, g: (
        to(str(g["format"]), real_exp(finite(m[1]))) == number(m[2]) == exp_in(str(g["format"]), stored(g, "x"))
    )
)
claim(r"Rounding exp\((<E>)\) without rounding the argument first: that gives (<N>), not (<N>)")(
    lambda m, g: (
        to(str(g["format"]), real_exp(finite(m[1]))) == number(m[2])
        and number(m[2]) != number(m[3]) == exp_in(str(g["format"]), stored(g, "x"))
    )
)
claim(r"Here (<N>) is a value of (<F>), and only the result is rounded")(
    lambda m, g: to(m[2], number(m[1])) == number(m[1])
)
claim(r"A real number rounds to inf exactly if it is at least (<B>): half a step above")(
    lambda m, g: number(m[1]) == overflow(str(g["format"]))
)
claim(r"smallest positive value of (<F>) is (<N>)\. A positive real number rounds to 0 exactly if it is at most (<B>)")(
    lambda m, g: is_about(m[2], tiny(m[1])) and 2 * finite(m[3]) == tiny(m[1])
)
claim(r"two arguments are neighbours in (<F>)")(lambda m, g: True)  # the inequalities beside it are read on their own
claim(r"(<F>): (<N>) … (<N>)(?=[;.])")(lambda m, g: (m[2], m[3]) == tuple(two_places(x) for x in ends(m[1])[1:3]))


@cache
def ends(fmt: str) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The largest x with exp 0, the smallest with exp above 0, the largest with finite exp, the next up."""
    found = []
    for bound, negative in ((tiny(fmt) / 2, True), (overflow(fmt), False)):
        with mpmath.workdps(400):
            guess = mpmath.log(mpmath.mpf(bound.numerator) / bound.denominator)
            x = to(fmt, Fraction(int(guess.man)) * Fraction(2) ** int(guess.exp) * (-1 if guess < 0 else 1))
        assert isinstance(x, Fraction)
        below = x if (real_exp(x) <= bound if negative else real_exp(x) < bound) else x - step(fmt, x)
        found += [below, up(fmt, below)]
    zero, positive, top, first = found
    assert exp_in(fmt, zero) == 0 < exp_in(fmt, positive)
    assert exp_in(fmt, top) < inf == exp_in(fmt, first)  # type: ignore[operator]
    return zero, positive, top, first


def two_places(q: Fraction) -> str:
    shown = (Decimal(q.numerator) / q.denominator).quantize(Decimal("0.01"), ROUND_HALF_EVEN).normalize()
    return f"{shown:f}".replace("-", "−")


def digits_of(text: str, value: Fraction) -> bool:
    """Whether a text is the value rounded to the digits that it shows."""
    shown = Decimal(text.replace("−", "-"))
    exponent = shown.as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(Fraction(shown) - value) <= Fraction(10) ** exponent / 2


# claims about overflow

claim(r"In (<F>), (<N>) is stored as (<N>); as a real number, the exponential of that is (<N>) to six")(
    lambda m, g: to(m[1], number(m[2])) == number(m[3]) and digits_of(m[4], real_exp(finite(m[3])))
)


@claim(r"As stated, the claim is (true|false|underspecified)")
def the_verdict(m: re.Match[str], g: Given) -> bool:
    fmt, c = str(g["format"]), typed(g, "threshold")
    first = ends(fmt)[3]
    of_values, of_typed = ceiling(fmt, c) >= first, to(fmt, c) >= first
    return m[1] == ("false" if not of_values else "true" if of_typed else "underspecified")


claim(r"names the threshold itself: no smaller value of (<F>) overflows, and exp\((<E>)\) is (inf)")(
    lambda m, g: ends(m[1])[3] == number(m[2]) == typed(g, "threshold")
)
claim(r"In (<F>) the next value after (<N>) is (<N>), and (<N>) lies above \2 and below \3\. .* no smaller value does")(
    lambda m, g: ends(m[1])[2:] == (number(m[2]), number(m[3])) and number(m[2]) < number(m[4]) < number(m[3])
)
claim(r"Every value from (<N>) up overflows\. But overflow begins before \1: exp\((<E>)\) is already (inf)")(
    lambda m, g: ends(str(g["format"]))[3] == number(m[2]) < number(m[1])
)
claim(r"The value (<N>) is at least (<N>), and its exponential in (<F>) is (<N>): finite")(
    lambda m, g: (
        to(m[3], number(m[1])) == number(m[1]) >= number(m[2])
        and is_about(m[4], exp_in(m[3], number(m[1])))
        and number(m[4]) != inf
    )
)
claim(
    r"values of (<F>) from (<N>) up\. But \2 itself, as typed, is rounded down to (<N>), and there exp is (<N>): finite"
)(
    lambda m, g: (
        ceiling(m[1], finite(m[2])) >= ends(m[1])[3]
        and to(m[1], number(m[2])) == number(m[3]) < number(m[2])
        and is_about(m[4], exp_in(m[1], number(m[3])))
        and number(m[4]) != inf
    )
)


def rounds_to(value: Fraction, c: str) -> bool:
    """Whether a value rounds to c at the places that c shows, however ties are broken."""
    unit = Decimal(1).scaleb(-len(c.partition(".")[2]))
    with mpmath.workdps(60):
        shown = Decimal(mpmath.nstr(mpmath.mpf(value.numerator) / value.denominator, 50))
    wanted = Decimal(c.replace("−", "-"))
    return all(shown.quantize(unit, how) == wanted for how in (ROUND_HALF_EVEN, ROUND_HALF_UP))


claim(r"Rounded to .*?, the exact threshold (<N>) is indeed (<N>)\.")(
    lambda m, g: ends(str(g["format"]))[3] == number(m[1]) and rounds_to(finite(m[1]), m[2])
)
claim(r"Rounded to .*?, the largest value with finite exp\(x\), (<N>), is (<N>)\.")(
    lambda m, g: ends(str(g["format"]))[2] == number(m[1]) and rounds_to(finite(m[1]), m[2])
)


@claim(
    r"the real number whose exponential is (<B>) is (<N>)\. But (<F>) has no value between (<N>) and (<N>), "
    r"so the threshold in the format is (<N>), not (<N>)"
)
def the_boundary_rounds_to(m: re.Match[str], g: Given) -> bool:
    with mpmath.workdps(60):
        log = Fraction(str(mpmath.log(mpmath.mpf(finite(m[1]).numerator))))
    top, first = ends(m[3])[2:]
    return (
        number(m[1]) == overflow(m[3])
        and rounds_to(log, m[2])
        and (number(m[4]), number(m[5]), number(m[6])) == (top, first, first)
        and number(m[7]) == number(m[2]) != first
    )


claim(r"in (<F>), exp\(x\) is finite for all values x up to (<N>), and inf from the next value, (<N>), on")(
    lambda m, g: ends(m[1])[2:] == (number(m[2]), number(m[3]))
)

# casts

claim(
    r"absolute value (<B>) or more becomes infinite, and (<N>) exceeds that in absolute value\. So the result is (<N>)"
)(
    lambda m, g: (
        abs(finite(m[2])) > finite(m[1]) == overflow(str(g["format"]))
        and number(m[3]) == (inf if finite(m[2]) > 0 else -inf)
    )
)
claim(r"In absolute value (<N>) is exactly (<B>), half a step above: a tie, .* So the result is (<N>)")(
    lambda m, g: (
        abs(finite(m[1])) == finite(m[2]) == overflow(str(g["format"]))
        and number(m[3]) == to(str(g["format"]), number(m[1]))
    )
)
claim(r"(<N>) is a value of (<F>) and is stored exactly; the next value farther from 0 is (<N>) away")(
    lambda m, g: (
        to(m[2], number(m[1])) == number(m[1])
        and is_about(m[3], up(m[2], abs(finite(m[1]))) - abs(finite(m[1])))
        and abs(finite(m[1])) < largest(m[2])
    )
)
claim(r"In absolute value (<N>) is the largest finite value of (<F>), (<N>), and it is stored exactly")(
    lambda m, g: abs(finite(m[1])) == largest(m[2]) and is_about(m[3], largest(m[2]))
)
claim(r"(<N>) is 0, which every format stores")(lambda m, g: number(m[1]) == 0)


@claim(r"(<N>) lies between the neighbouring values (<N>) and (<N>); the nearer one, (<N>), is stored")
def the_nearer_one(m: re.Match[str], g: Given) -> bool:
    value, low, high, result = (finite(m[k]) for k in (1, 2, 3, 4))
    other = low + high - result
    return low < value < high and abs(value - result) < abs(value - other) and neighbours(str(g["format"]), low, high)


@claim(r"(<N>) lies halfway between the neighbouring values (<N>) and (<N>); .* digit is 0, (<N>), is stored")
def the_even_one(m: re.Match[str], g: Given) -> bool:
    fmt, value, low, high = str(g["format"]), finite(m[1]), finite(m[2]), finite(m[3])
    return 2 * value == low + high and neighbours(fmt, low, high) and to(fmt, value) == number(m[4])


def neighbours(fmt: str, low: Fraction, high: Fraction) -> bool:
    return to(fmt, low) == low and to(fmt, high) == high and up(fmt, low) == high


claim(
    r"In absolute value (<N>) is above the largest finite value of (<F>), (<N>), but below (<B>), half .*: (<N>) is stored"
)(
    lambda m, g: (
        is_about(m[3], largest(m[2]))
        and largest(m[2]) < abs(finite(m[1])) < finite(m[4]) == overflow(m[2])
        and to(m[2], number(m[1])) == number(m[5])
    )
)

# softmax in formats


def scores_of(g: Given, name: str, fmt: str) -> list[Number]:
    values = g[name]
    assert isinstance(values, list)
    return [to(fmt, float("-inf") if x == "-inf" else Fraction(str(x))) for x in values]


def went(fmt: str, z: Sequence[Number]) -> str:
    """What becomes of the direct way, in the words of this test."""
    if inf in z:
        return "infinite"
    s = softmax(fmt, z, False)
    if inf in s.e:
        return "overflow"
    return "sum" if s.total == inf else "zero" if s.total == 0 else "fine"


def naive(expected: str) -> Check:
    return lambda m, g: went(str(g["format"]), scores_of(g, "scores", str(g["format"]))) == expected


claim(r"Naive: nothing overflows here, and the sum is a positive finite number")(naive("fine"))
claim(r"Naive: at least one exponential overflows to inf, and so does the sum")(naive("overflow"))
claim(r"Naive: each exponential is finite, but their sum overflows")(naive("sum"))
claim(r"Naive: every exponential is 0, and so is their sum")(naive("zero"))
claim(r"Naive: a score is inf itself")(naive("infinite"))


def top_is(expected: Callable[[Number], bool]) -> Check:
    return lambda m, g: expected(max(scores_of(g, "scores", str(g["format"]))))


claim(
    r"Shifted: the largest exponent is now 0 and its term is e\^0 = 1\. .* neither an exponential nor the sum overflows"
)(lambda m, g: inf > softmax(str(g["format"]), scores_of(g, "scores", str(g["format"])), True).total >= 1)
claim(r"Shifted: the maximum is −inf")(top_is(lambda x: x == -inf))
claim(r"Shifted: the maximum is inf")(top_is(lambda x: x == inf))
claim(r"Safe: the maximum is finite")(top_is(lambda x: isinstance(x, Fraction)))
claim(r"Safe: 0 is subtracted instead of −inf")(top_is(lambda x: x == -inf))
claim(r"Safe: it guards against −inf, not against inf")(top_is(lambda x: x == inf))


def direct(expected: str) -> Check:
    return lambda m, g: all(went(f, scores_of(g, "z", f)) == expected for f in formats_in(m[1]))


def agrees(fmt: str, z: Sequence[Number]) -> bool:
    """Whether the direct weights are near the real ones: within 16 roundings."""
    assert all(isinstance(x, Fraction) for x in z)
    real = [real_exp(x) for x in z if isinstance(x, Fraction)]
    found = softmax(fmt, z, False).w
    return all(
        isinstance(w, Fraction) and abs(w - x / sum(real)) <= Fraction(2) ** (4 - PRECISION[fmt][0])
        for w, x in zip(found, real, strict=True)
    )


LIST = r"((?:<F>(?:, | and )?)+)"
claim(rf"The direct computation works in {LIST}\.")(
    lambda m, g: all(
        went(f, scores_of(g, "z", f)) == "fine" and agrees(f, scores_of(g, "z", f)) for f in formats_in(m[1])
    )
)
claim(rf"In {LIST} the direct computation does not overflow, but it loses digits")(
    lambda m, g: all(
        went(f, scores_of(g, "z", f)) == "fine"
        and max(softmax(f, scores_of(g, "z", f), False).e) < Fraction(2) ** (1 - PRECISION[f][1])
        and not near_shifted(f, scores_of(g, "z", f))
        for f in formats_in(m[1])
    )
)
claim(rf"The direct computation fails in {LIST}: an exponential overflows")(direct("overflow"))
claim(rf"The direct computation fails in {LIST}: the exponentials are finite, but")(direct("sum"))
claim(rf"The direct computation fails in {LIST}: every exponential underflows")(direct("zero"))
claim(rf"Without the shift, exp\(<N>\) overflows to inf in {LIST}, and")(direct("overflow"))
claim(rf"Without the shift, each exponential is finite in {LIST}, but")(direct("sum"))
claim(rf"Without the shift, every exponential underflows to 0 in {LIST}, and")(direct("zero"))
claim(rf"In {LIST} the exponentials and their sum stay finite without the shift, and the sum is not 0")(direct("fine"))
claim(r"After the shift the largest exponent is 0 and its term is 1; nothing overflows")(
    lambda m, g: all(softmax(f, scores_of(g, "z", f), True).total < inf for f in FORMATS)
)
claim(r"exp\((<E>)\) ≈ (<N>)")(lambda m, g: digits_of(m[2], real_exp(finite(m[1]))))
claim(r"Concluding from these logits that the direct computation always works")(
    lambda m, g: all(went(f, scores_of(g, "z", f)) == "fine" for f in FORMATS)
)


def near_shifted(fmt: str, z: Sequence[Number]) -> bool:
    pairs = zip(softmax(fmt, z, False).w, softmax(fmt, z, True).w, strict=True)
    return all(abs(a - b) <= Fraction(2) ** (2 - PRECISION[fmt][0]) for a, b in pairs)


claim(r"The largest logit is (<N>); subtracting it")(
    lambda m, g: number(m[1]) == max(scores_of(g, "z", "float64")) != 0
)
claim(r"The largest logit is 0, so no exponent is above 0")(lambda m, g: max(scores_of(g, "z", "float64")) == 0)
claim(r"Last, multiply numerator and denominator by the number that turns the smallest exponential into 1")(
    lambda m, g: len(set(scores_of(g, "z", "float64"))) > 1
)


@claim(r"^(<N>) < (.+) < (<N>)$")
def between(m: re.Match[str], g: Given) -> bool:
    if "z" not in g:
        return True
    text = re.sub(r"exp\(([^()]*)\)", lambda e: f"(R({e[1]!r}))", m[2].replace("−", "-"))
    assert re.fullmatch(r"[\d+/()' R.-]+", text), text
    return finite(m[1]) < worked_out(text) < finite(m[3])


def worked_out(text: str) -> Fraction:
    """A quotient of sums of exponentials, R('2') for exp(2): at most one division, outermost."""
    total = [Fraction(0), Fraction(0)]
    parts = text.split(" / ") if " / " in text else re.split(r"/(?=\(|\d)", text, maxsplit=1)
    for k, part in enumerate(parts):
        for e, plain in re.findall(r"R\('([^']+)'\)|(?<![\w'.-])(\d+)(?![\w'.])", part):
            total[k] += real_exp(Fraction(e)) if e else Fraction(plain)
    return total[0] / total[1] if len(parts) > 1 else total[0]


# mask constants


def zeros(m: re.Match[str], g: Given, z: Sequence[Number]) -> Number:
    return softmax(str(g["format"]), z, True).w[-1]


def listed(text: str) -> list[Number]:
    return [number(x) for x in row(text)]


claim(r"(<N>) is stored as (<N>), a finite value\. (<N>) is out of range \(.*?\): a cast gives (<N>), and a row")(
    lambda m, g: (
        all(same(to(str(g["format"]), number(m[k])), number(m[k + 1])) for k in (1, 3)) and abs(number(m[4])) == inf
    )
)
claim(r"(<N>) is stored as (<N>) and (<N>) as (<N>); both are finite")(
    lambda m, g: all(
        to(str(g["format"]), number(m[k])) == number(m[k + 1]) and abs(number(m[k + 1])) < inf for k in (1, 3)
    )
)
claim(r"In the row (<R>), (<N>) in place of the last score works as a mask: .* exactly 0")(
    lambda m, g: zeros(m, g, [*map(shown_value(g), row(m[1])[:-1]), stored(g, "constant")]) == 0
)
claim(r"In the row (<R>), (<N>) in place of the last score does not mask it: .* keeps the weight (<N>)\.")(
    lambda m, g: (
        is_about(m[3], zeros(m, g, [*map(shown_value(g), row(m[1])[:-1]), stored(g, "constant")])) and number(m[3]) > 0
    )
)


def shown_value(g: Given) -> Callable[[str], Number]:
    return lambda text: to(str(g["format"]), number(text))


@claim(r"(<N>) is stored as (<N>), and near it the values of (<F>) are (<N>) apart: a score smaller than half of that")
def small_scores_are_lost(m: re.Match[str], g: Given) -> bool:
    c, gap = finite(m[2]), finite(m[4])
    near = gap / 2 * Fraction(999, 1000)
    return (
        to(m[3], number(m[1])) == c == to(m[3], c + near) == to(m[3], c - near)
        and to(m[3], c + gap * Fraction(1001, 1000)) != c
    )


def added(g: Given, text: str) -> list[Number]:
    return [plus(str(g["format"]), shown_value(g)(x), stored(g, "constant")) for x in row(text)]


claim(r"(<N>) added to (<R>): every score becomes (<N>), and the row is uniform")(
    lambda m, g: {*added(g, m[2])} == {added(g, m[2])[0]} and is_about(m[3], added(g, m[2])[0])
)
claim(r"(<N>) added to (<R>): they become (<R>), and the differences that survive decide the weights (<R>)\.")(
    lambda m, g: (
        len({*added(g, m[2])}) > 1
        and all(is_about(f"about {a}", b) for a, b in zip(row(m[3]), added(g, m[2]), strict=True))
        and all(
            is_about(f"about {a}", b)
            for a, b in zip(row(m[4]), softmax(str(g["format"]), added(g, m[2]), True).w, strict=True)
        )
    )
)
claim(r"(<N>) added to (<R>): they become (<R>), beyond the range, and NaN appears")(
    lambda m, g: any(isinstance(w, float) and isnan(w) for w in softmax(str(g["format"]), added(g, m[2]), True).w)
)


def beside(m: re.Match[str], g: Given) -> tuple[Number, Number, Number, Number]:
    """The valid score and the constant as stored, and their weights."""
    pair = stored(g, "valid"), stored(g, "constant")
    return (*pair, *softmax(str(g["format"]), pair, True).w)  # type: ignore[return-value]


def of_pair(check: Callable[[Number, Number, Number, Number], bool]) -> Check:
    def checked(m: re.Match[str], g: Given) -> bool:
        v, c, own, masked = beside(m, g)
        said = m.groupdict().get("w")
        return check(v, c, own, masked) and (said is None or is_about(said, masked)) and v == number(m["v"])

    return checked


V = r"(?P<v><N>)"
claim(rf"Beside the valid score {V} the mask <N> is the larger one: the masked key gets all the weight")(
    of_pair(lambda v, c, own, masked: v < c and (own, masked) == (0, 1))
)
claim(
    rf"Beside the valid score {V} the mask <N> is the larger one: the masked key gets the larger weight, (?P<w><N>)\."
)(of_pair(lambda v, c, own, masked: v < c and own < masked))
claim(rf"The valid score {V} equals the stored mask constant")(
    of_pair(lambda v, c, own, masked: v == c and own == masked)
)
claim(rf"Beside the valid score {V} the mask <N> works too: the masked weight is exactly 0")(
    of_pair(lambda v, c, own, masked: v > c and masked == 0)
)
claim(rf"Beside the valid score {V} the mask <N> lies too close: the masked key keeps the weight (?P<w><N>)\.")(
    of_pair(lambda v, c, own, masked: v > c and 0 < masked < own)
)

# causality in formats


def leak(check: Callable[[Number, Number, Number], bool]) -> Check:
    def checked(m: re.Match[str], g: Given) -> bool:
        pair = stored(g, "score"), stored(g, "constant")
        weight = softmax(str(g["format"]), pair, True).w[1]
        said = m.groupdict().get("w")
        return check(*pair, weight) and (said is None or is_about(said, weight))

    return checked


claim(r"The valid score <N> lies below the mask constant <N>, .*, and its weight is 1\.")(
    leak(lambda s, c, w: s < c and w == 1)
)
claim(r"The valid score <N> lies below the mask constant <N>, .* the larger score and the weight (?P<w><N>)\.")(
    leak(lambda s, c, w: s < c and 0 < w < 1)
)
claim(r"The valid score <N> equals the mask constant <N>, and each key gets the weight (?P<w><N>)\.")(
    leak(lambda s, c, w: s == c)
)
claim(r"The mask constant <N> lies below the valid score <N>, but not far enough: .* the weight (?P<w><N>)\.")(
    leak(lambda s, c, w: c < s and w > 0)
)
claim(r"Here the mask constant <N> lies far enough below the valid score <N>: .* exactly 0")(
    leak(lambda s, c, w: c < s and w == 0)
)

claim(
    r"The mask constant <N> does not lie far enough below the valid score <N>: the future key keeps the weight (?P<w><N>)\."
)(leak(lambda s, c, w: c < s and w > 0))

# heads, leaks, shapes, counts, attention


def weight_at_p(g: Given) -> Fraction:
    values = g["values"]
    assert isinstance(values, list)
    e = real_exp(typed(g, "g"))
    return e / (e + len(values) - 1)


claim(r"at least nine tenths of the weight lie on position")(lambda m, g: weight_at_p(g) >= Fraction(9, 10))
claim(r"so each weight there is below nine tenths")(lambda m, g: weight_at_p(g) < Fraction(9, 10))
claim(r"Rounded, it is (<N>)\. It exceeds the lower bound .* and it is below 1")(
    lambda m, g: (
        digits_of(m[1], weight_at_p(g)) and weight_at_p(g) > 1 - (len(g["values"]) - 1) / real_exp(typed(g, "g"))
    )  # type: ignore[arg-type]
)
claim(r"^\([abc]\) .*\n(\d.*)\n(\d.*)\n(leaks|does not leak)$")(lambda m, g: (m[1] != m[2]) == (m[3] == "leaks"))


@claim(
    r"takes the first (\d+) numbers in memory, which begin with head 1 at position 1 and go on with head 1 at position 2"
)
def memory_begins(m: re.Match[str], g: Given) -> bool:
    T, h, d_v = (int(str(g[n])) for n in ("T", "h", "d_v"))
    flat = [(i, t) for i in range(h) for t in range(T) for _ in range(d_v)][: int(m[1])]
    return int(m[1]) == h * d_v and flat[:d_v] == [(0, 0)] * d_v and (0, 1) in flat


def size(g: Given, name: str) -> int:
    return int(str(g[name]))


claim(r"\((\d+(?:, \d+)+)\) is the shape before the swap\.")(
    lambda m, g: 1 not in (size(g, "h"), size(g, "T")) and size(g, "h") != size(g, "T")
)
claim(r"\((\d+(?:, \d+)+)\) can be had by a view too, but it holds the wrong numbers")(
    lambda m, g: 1 not in (size(g, "h"), size(g, "T")) and size(g, "h") != size(g, "T")
)
claim(r"Here T and h are equal, so the shape is \(([\d, ]+)\) before the swap and after it")(
    lambda m, g: size(g, "h") == size(g, "T")
)
claim(r"With one position or one head, exchanging T and h moves no number")(
    lambda m, g: 1 in (size(g, "h"), size(g, "T"))
)
claim(r"When T, h and d_k are equal")(lambda m, g: size(g, "T") == size(g, "h") == size(g, "d_model") // size(g, "h"))
claim(r"Here T, h and d_k are not all equal, so some wrong orders already fail by number")(
    lambda m, g: not size(g, "T") == size(g, "h") == size(g, "d_model") // size(g, "h")
)
claim(r"(\d+) of (\d+) entries are wrong")(
    lambda m, g: int(m[1]) == wrong_entries(g) and int(m[2]) == size(g, "T") * size(g, "h") * size(g, "d_k")
)


def wrong_entries(g: Given) -> int:
    T, h, d_k = (size(g, n) for n in ("T", "h", "d_k"))
    x = np.arange(T * h * d_k)
    return int((x.reshape(T, h, d_k).swapaxes(0, 1) != x.reshape(h, T, d_k)).sum())


@claim(
    r"the right way has \((.*?)\): the columns of head 0 at position 2\. The direct view has \((.*?)\): .* the first (\d+) numbers"
)
def rows_of_the_view(m: re.Match[str], g: Given) -> bool:
    T, h, d_k = (size(g, n) for n in ("T", "h", "d_k"))
    array = re.findall(r"\d+", str(m[1])), re.findall(r"\d+", str(m[2]))
    positions = [{int(x) // 10 ** (len(x) - 1) for x in part} for part in array]
    return positions[0] == {2} and positions[1] == {1} and int(m[3]) == T * d_k and h > 1


claim(r"Multiplying instead of dividing gives ([\d,]+)")(
    lambda m, g: number(m[1]) == size(g, "d_model") * size(g, "h") != size(g, "d_model") // size(g, "h")
)
claim(r"A single head is as wide as the model")(lambda m, g: size(g, "h") == 1)
claim(r"([\d,]+) columns are shared by ([\d,]+) heads: ([\d,]+) each")(
    lambda m, g: number(m[1]) == finite(m[2]) * finite(m[3]) == size(g, "d_model")
)
claim(r"crossed cells are masked")(lambda m, g: bool(g.get("causal", True)))


# --- the whole range ---------------------------------------------------------------------------------------


def near_ends() -> Iterator[tuple[str, str]]:
    """For each format the ends of exp with their neighbours, typed in full and rounded."""
    for fmt in FORMATS:
        for x in ends(fmt):
            for y in (x, x - step(fmt, x), x + step(fmt, x)):
                full = (
                    f"{Decimal(y.numerator) / y.denominator:f}" if fmt != "float64" else two_places(y).replace("−", "-")
                )
                yield fmt, full
            for places in (0, 1, 2, 3):
                yield fmt, f"{Decimal(x.numerator) / x.denominator:.{places}f}"


def numbers(*texts: str) -> list[Decimal]:
    return [Decimal(t) for t in texts]


def exps() -> Iterator[dict[str, object]]:
    plain = ("0", "-0", "1", "-1", "0.1", "15", "-20", "1e-30", "700", "-700", "5.5", "11.1", "88.7", "-17.33")
    found = {*itertools.product(FORMATS, plain), *near_ends()}
    return ({"x": Decimal(x), "format": f} for f, x in sorted(found) if abs(Decimal(x)) <= 700)


def thresholds() -> Iterator[dict[str, object]]:
    plain = (
        "0",
        "-1000",
        "1000",
        "5",
        "11",
        "11.1",
        "11.09",
        "88",
        "88.5",
        "88.6",
        "88.7",
        "88.9",
        "89",
        "709.78",
        "1e1",
        "-90",
    )
    found = {*itertools.product(FORMATS, plain), *near_ends()}
    return ({"threshold": Decimal(x), "format": f} for f, x in sorted(found))


def casts() -> Iterator[dict[str, object]]:
    for f in FORMATS:
        top, edge = largest(f), overflow(f)
        half = Fraction(1 + tiny(f).denominator, 1)
        found = [Fraction(x) for x in (0, 1, 3, 2049, 65519, 65520, 65504, 65505, Fraction(1, 10), 10**6)]
        found += [top, edge, edge - 1, edge + 1, tiny(f), tiny(f) / 2, tiny(f) * 3 / 2, Fraction(2) ** 30 + half]
        p = PRECISION[f][0]
        found += [Fraction(2) ** p + 1, Fraction(2) ** p + 3, 1 + Fraction(2) ** -p, 1 + 3 * Fraction(2) ** -p]
        for q in found:
            text = exact(q)
            if len(text) < 330:
                yield from ({"value": Decimal(sign + text), "format": f} for sign in ("", "-"))


def exact(q: Fraction) -> str:
    if q.denominator & (q.denominator - 1):
        return str(Decimal(q.numerator) / q.denominator)
    k = q.denominator.bit_length() - 1
    digits = str(q.numerator * 5**k).rjust(k + 1, "0")
    return f"{digits[: len(digits) - k]}.{digits[len(digits) - k :]}" if k else digits


def masked() -> Iterator[dict[str, object]]:
    rows: list[list[object]] = [
        [1], [0, 0], [11, 11, 10], ["-inf", "-inf"], [1, "-inf"], ["-inf", 70000], [70000, 1], [-70000, -70000], [-20, -20],
        [-200, -300], [88, 88, 88], [89, 1], [Decimal("1e39"), 1], [709, 709], [-746, -800], [11, "-inf", 11, 11],
        [Decimal("-1e9"), 5], [0, -11, 65504, -65504], [12, 12, 12],
    ]  # fmt: skip
    return (
        {"scores": r, "format": f, "method": m}
        for r in rows
        for f, m in zip(FORMATS, itertools.cycle(("naive", "shifted", "safe")), strict=False)
    )


def logits() -> list[list[object]]:
    return [
        [500, 502], [1, 2], [0, 0], [0], [-3, -5], [700, 700], [-700, -700], [11, 11, 10], [-17, numbers("-17.2")[0]],
        [-15, -16], [88, 88, 88, 88], [-87, -88], [-88, numbers("-88.5")[0]], [0, 5, -5], [-9, numbers("-9.5")[0], -10], [12, -700],
        [numbers("-16.5")[0], -17], [-100, -102], [10, 10, 10, 10],
    ]  # fmt: skip


def constants() -> Iterator[dict[str, object]]:
    chosen = ("-1", "-2", "-8", "-10", "-100", "-8192", "-1e4", "-30000", "-60000", "-2048.5")
    valid = ("-20000", "-1", "0", "-2", "-1.001", "-10000", "-10001", "-60000", "5", "-3", "-9")
    rows = [
        ([2, 1], [-4, 0, 4], [0, 16]),
        ([5], [1, 1], [-60000, -60000]),
        ([-3, -2], [100, 0], [0, 0.5]),
        ([0], [0], [3000, -3000]),
    ]
    rng = random.Random(1)
    for f, c in itertools.product(FORMATS, chosen):
        for v in rng.sample(valid, 4):
            (s, near, apart), far = rng.choice(rows), rng.choice(("-1e9", "-65510", "-70000", "-5", "-1e39"))
            yield {
                "format": f, "constant": Decimal(c), "beyond": Decimal(far), "valid": Decimal(v),
                "scores": [Decimal(str(x)) for x in s], "near": [Decimal(str(x)) for x in near],
                "apart": [Decimal(str(x)) for x in apart],
            }  # fmt: skip
        yield {"format": f, "constant": Decimal(c), "beyond": Decimal("-1e9")}


FILLED: Mapping[str, dict[str, object]] = {
    "mask-constant": {"scores": [2, 1], "near": [-4, 0, 4], "apart": [0, 16], "valid": -20000},
    "causality-in-ieee": {"values": [3, 5, 7]},
    "causality-leak": {"T": 2, "h": 2, "d_v": 2},
}


def leaks() -> Iterator[dict[str, object]]:
    pairs = itertools.product(
        ("-1e4", "-1", "-10", "-1e9", "-20000"), ("-20000", "2", "-1", "-1.5", "-9", "-10000", "0")
    )
    return (
        {"format": f, "constant": Decimal(c), "score": Decimal(s)} for (c, s), f in itertools.product(pairs, FORMATS)
    )


def heads() -> Iterator[dict[str, object]]:
    rows: list[list[object]] = [[1, 2], [10, -10, 4], [5, 0, 0, 0, 0, 1000], [1, 2, 3, 4]]
    leads = ("1", "2", "2.5", "3", "8", "40")
    return ({"values": v, "g": Decimal(g)} for k, v in enumerate(rows) for g in leads[k % 2 :: 2])


def sizes(low: int, **limits: Sequence[int]) -> list[dict[str, object]]:
    return [dict(zip(limits, values, strict=True)) for values in itertools.product(*limits.values())]


def shapes() -> list[dict[str, object]]:
    found: list[dict[str, object]] = [
        {"B": b, "T": t, "d_model": h * d, "h": h}
        for b, t, h, d in itertools.product((1, 2), (1, 2, 3, 5), (1, 2, 3), (1, 2, 3))
    ]
    return [*found, {"B": 10**6, "T": 10**6, "d_model": 10**6, "h": 10**4}]


INPUTS: list[list[list[object]]] = [
    [[1, 0, 1, 0], [0, 2, 0, 1]],
    [[0, 0], [0, 0]],
    [[1, 1, 2, -2]],
    [[-1, 2], [3, Decimal("0.5")], [1, 1]],
]
RANGE: Mapping[str, Callable[[], Iterator[dict[str, object]] | list[dict[str, object]]]] = {
    "exp-in-format": exps,
    "exp-range": lambda: [{"format": f, "bound": b} for f in FORMATS for b in ("largest-finite", "smallest-infinite", "smallest-positive", "largest-zero")],
    "exp-ranges": lambda: [{}],
    "overflow-claim": thresholds,
    "cast": casts,
    "masked-softmax": masked,
    "softmax-in-formats": lambda: [{"z": z} for z in logits()],
    "softmax": lambda: [{"z": z} for z in logits() if z != [12, -700]],
    "mask-constant": constants,
    "causality-in-ieee": leaks,
    "two-heads": heads,
    "causality-leak": lambda: [{}, *sizes(1, T=range(2, 7), h=range(2, 5), d_v=range(1, 5))],
    "mha-shape": lambda: [{**g, "at": at} for g in shapes()[::3] for at in ("viewed", "heads", "scores", "context", "output", "swapped-back")],
    "shape-trace": lambda: shapes()[::2],
    "view-without-swap": lambda: sizes(1, T=range(2, 7), h=range(2, 5), d_k=range(1, 5)),
    "mha-parameters": lambda: [
        {"d_model": d, "h": h, "bias": b} for d, h, b in itertools.product((1, 4, 768, 10**7), (1, 2, 4), (True, False)) if d % h == 0
    ],
    "mha-head-dimension": lambda: [{"d_model": d, "h": h} for d, h in itertools.product((1, 4, 768, 10**7), (1, 2, 4)) if d % h == 0],
    "choice": lambda: [
        {"question": q, "d_model": d, "h": h}
        for q, (d, h) in itertools.product(("head-dimension", "projection-parameters", "maximum-shift"), ((768, 12), (2, 2), (4, 2), (10**6, 10**4)))
    ],
    "attention-weights": lambda: [{"X": x, "h": 1, "head": 0, "causal": c} for x in INPUTS for c in (True, False)],
    "attention-output": lambda: [{"X": x, "h": 1, "causal": c} for x in INPUTS for c in (True, False)],
    "forward-trace": lambda: [{"X": x, "h": 1, "causal": c} for x in INPUTS[:2] for c in (True, False)],
}  # fmt: skip

REFUSED = ("not-finite-in-format", "future-values", "two-values")


@cache
def solved(name: str) -> list[tuple[dict[str, object], Solution]]:
    """Every solution of a kind over its range; values that do not go together are refused, with a reason."""
    kind = kinds()[name]
    found = []
    for g in RANGE[name]():
        try:
            found.append(({**FILLED.get(name, {}), **g}, kind.solve(read_given("test", "given", g, kind.fields), 1)))
        except DeriveError as error:
            if error.code not in REFUSED:
                raise
    return found


def test_every_kind_is_built_over_its_range() -> None:
    assert set(RANGE) == set(kinds()) - {"proof"}


@pytest.mark.parametrize("name", RANGE)
def test_what_is_said_of_numbers_holds(name: str) -> None:
    assert len(solved(name)) >= 1
    for g, solution in solved(name):
        text = words(solution)
        for pattern, check, found in CLAIMS:
            if found in text:
                for m in pattern.finditer(text):
                    assert check(m, g), (g, m[0])


# --- nothing goes unread -----------------------------------------------------------------------------------

STATES = re.compile(
    r"round|exact|equal|at least|at most|larger|smaller|largest|nearer|above|below|beyond|between|close|overflow|underflow"
    r"|finite|infinite|works|fail|lost|lose|uniform|same|half|neighbour|wrong|differ|leak|tenths|gives|gets|keeps"
)
CHOSEN = ("stability", "masking", "two-heads", "leaks", "softmax")
GENERAL = {
    # what is asked, headings and labels, and what holds whatever is given
    "stability.exp-task", "stability.exp-idea", "stability.world", "stability.exp-mistake-inf",
    "stability.exp-mistake-zero", "stability.range-task", "stability.range-idea", "stability.range-mistake",
    "stability.range-mistake-upper", "stability.range-mistake-lower", "stability.ranges-task", "stability.range-caption",
    "stability.range-proof", "stability.axis-caption", "stability.claim-task", "stability.claim-idea",
    "stability.claim-mistake", "stability.cast-idea", "stability.cast-mistake", "stability.rounded-to",
    "stability.to-places", "stability.to-whole", "stability.claim-title", "stability.ranges-title",
    "stability.numpy-twice", "stability.asked-largest-zero", "stability.end-largest-finite",
    "stability.asked-largest-finite", "masking.caption", "masking.methods", "masking.idea", "masking.convention", "masking.mistake-everywhere",
    "masking.mistake-overflow", "masking.mistake-nothing-left", "masking.mistake-infinite", "masking.mistake-fine",
    "masking.formats-task", "masking.formats-idea", "masking.formats-caption", "masking.formats-world",
    "masking.bars-caption", "masking.formats-mistake", "masking.constant-task", "masking.constant-task-finite",
    "masking.constant-ask", "masking.constant-idea", "masking.constant-caption", "masking.constant-replaced",
    "masking.constant-mistake", "masking.leak-task", "masking.leak-idea", "masking.leak-caption", "masking.leak-nan",
    "masking.leak-conditions", "masking.leak-mistake", "masking.leak-infinite",
    "two-heads.task", "two-heads.ask", "two-heads.idea", "two-heads.caption", "two-heads.one", "two-heads.weight",
    "leaks.title", "leaks.task", "leaks.idea", "leaks.checked", "leaks.mistake", "leaks.leaks", "leaks.keeps",
    "softmax.title", "softmax.ask", "softmax.decimals", "softmax.direct-world", "softmax.shift-anyway",
    "softmax.credit-decimals",
    # compared with NumPy in the run, and below
    "stability.in-numpy", "stability.near-numpy", "stability.not-in-numpy", "masking.formats-checked",
    "masking.formats-near",
}  # fmt: skip


def messages(part: object) -> Iterator[Message]:
    """All sentences of a solution."""
    if isinstance(part, Message):
        yield part
    for x in (
        part if isinstance(part, tuple) else part.values() if isinstance(part, Mapping)
        else [getattr(part, f.name) for f in fields(part)] if is_dataclass(part) else ()
    ):  # fmt: skip
        yield from messages(x)


def test_every_sentence_that_relates_numbers_is_read() -> None:
    unread = set()
    for name in RANGE:
        for _, solution in solved(name):
            for message in messages(solution):
                if message.key.partition(".")[0] in CHOSEN and message.key not in GENERAL:
                    text = text_of(message, "en")
                    if STATES.search(text) and not any(p.search(text) for p, _, _ in CLAIMS):
                        unread.add((message.key, text))
    assert not unread


def test_every_claim_that_is_known_is_made_somewhere() -> None:
    texts = "\n".join(words(solution) for name in RANGE for _, solution in solved(name))
    dead = [p.pattern for p, _, found in CLAIMS if found not in texts or not p.search(texts)]
    assert not dead


def test_numpy_is_said_to_agree_bit_for_bit_only_where_it_does() -> None:
    kinds_of = {"float16": np.float16, "float32": np.float32, "float64": np.float64}
    seen = set()
    for g, solution in solved("exp-in-format"):
        fmt = str(g["format"])
        if fmt in kinds_of:
            with np.errstate(all="ignore"):
                found = float(np.exp(kinds_of[fmt](float(str(g["x"])))))
            alike = found == float(number(text_of(solution.key[0].exact, "en")))
            said = {m.key for m in messages(solution)} & {"stability.in-numpy", "stability.near-numpy"}
            assert said == {f"stability.{'in' if alike else 'near'}-numpy"}, g
            seen |= said
    assert "stability.in-numpy" in seen
