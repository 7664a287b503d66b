"""exp and casts in IEEE formats on a sheet: one value, the whole range, and claims about where exp overflows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from derive.answers.values import THRESHOLD
from derive.floats import (
    FLOAT64, FORMATS, ExpRange, Float, Format, cast, exact_decimal, exp_bounds, exp_range, finite, infinity,
    judge_overflow_claim,
    largest_finite, next_down, next_up, round_rational, spacing,
)  # fmt: skip
from derive.floats import OverflowClaim as Judged
from derive.floats import exp as exp_in
from derive.floats import read
from derive.problems.formats import ENDS, EXP_RANGE
from derive.problems.kind import Problem, exactly
from derive.sheets.blocks import (
    AxisRanges, Block, Box, Figure, Formula, Heading, Items, KeyEntry, Localised, Message, Paragraph, Range,
    Table, Text,
)  # fmt: skip
from derive.sheets.problems import Field, Given, Solution
from derive.worked.answers import floats_row, one_word
from derive.worked.ieee import (
    FORMAT, IN_NUMPY, compared, decimal_of, exp_above, exp_below, format_of, in_full, largest_in, numpy_exp,
    overflow_boundary, sentence, shown_boundary, significant, signed, texts, to_numpy, typed, underflow_boundary, worth,
    written,
)  # fmt: skip
from derive.errors import NotProved
from derive.worked.bounds import proved_less
from proofs.terms import exp, num, var

DIGITS = 9
PLACES = 16
CLAIM_DIGITS = 6
EXP_BITS = 256
"""So fine are the bounds on exp of a number that is not in the format."""
AXIS_PLACES = 2
LARGEST = 700
LARGEST_CLAIM = 1_000


class ExpInFormat:
    """What is exp(x) in a format?"""

    name = "exp-in-format"
    title = Localised("某种格式中的 exp", "exp in a format")
    fields: Mapping[str, Field] = {"x": Field("number", low=-LARGEST, high=LARGEST), "format": FORMAT}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        x, fmt = decimal_of(given, "x"), format_of(given)
        stored = cast(x, fmt)
        result = exp_in(stored)
        e = exp(num(stored.value))
        exact = Fraction(x) == stored.value
        params: dict[str, Text] = {"x": typed(x), "format": fmt.name, "stored": in_full(stored)}
        task = Paragraph((sentence("stability.exp-task", {"x": typed(x), "format": fmt.name}),))
        said = list(_outcome(stored, result))
        if not stored.is_zero:
            said.insert(0, sentence("stability.exp-real", {"e": Formula(e), "digits": significant(e, DIGITS)}))
        worked: list[Block] = [
            Paragraph((sentence("stability.exp-idea", {"format": fmt.name}),)),
            Items((sentence(f"stability.exp-stored{'' if exact else '-rounded'}", params), *said), numbered=True),
            Paragraph(
                (
                    sentence("stability.world", {"format": fmt.name}),
                    compared(fmt, [(result, numpy_exp(stored))] if fmt.name != "bfloat16" else []),
                )
            ),
            Box("trap", Message("worked.mistake"), (Paragraph((_exp_mistake(x, stored, result),)),)),
        ]
        key = (KeyEntry(exact=in_full(result), convention=sentence("stability.in-format", {"format": fmt.name})),)
        return Solution((task,), tuple(worked), key, space=5, title=Message("stability.exp-title"))


def _exp_mistake(x: Decimal, stored: Float, result: Float) -> Text:
    """What to avoid; where the argument is rounded, whether forgetting that changes the result here."""
    if not result.is_finite or result.is_zero:
        return Message(f"stability.exp-mistake-{'zero' if result.is_zero else 'inf'}")
    facts: dict[str, Text] = {"x": typed(x), "format": result.format.name, "result": in_full(result)}
    if Fraction(x) == stored.value:
        return sentence("stability.exp-mistake-stored", facts)
    low, high = (round_rational(result.format, b) for b in exp_bounds(Fraction(x), EXP_BITS))
    if low != high:
        raise NotProved(exp(num(Fraction(x))))
    if low == result:
        return sentence("stability.exp-mistake-same", facts)
    return sentence("stability.exp-mistake-other", {**facts, "other": in_full(low)})


def _outcome(stored: Float, result: Float) -> tuple[Text, ...]:
    """What e^x becomes in the format, and the proved inequality that decides it."""
    fmt, e = stored.format, exp(num(stored.value))
    if result.is_infinite:
        proved_less(overflow_boundary(fmt), e)
        largest = largest_in(fmt)
        boundary = shown_boundary(overflow_boundary(fmt))
        return (
            sentence("stability.exp-limit", {"format": fmt.name, "largest": largest, "boundary": boundary}),
            sentence("stability.exp-inf", {"e": Formula(e), "boundary": boundary}),
        )
    if result.is_zero:
        proved_less(e, underflow_boundary(fmt))
        boundary = shown_boundary(underflow_boundary(fmt))
        return (sentence("stability.exp-zero", {"e": Formula(e), "boundary": boundary, "format": fmt.name}),)
    if stored.is_zero:
        return (sentence("stability.exp-one", {"result": in_full(result)}),)
    low, high = ((result.value + other.value) / 2 for other in (next_down(result), next_up(result)))
    proved_less(num(low), e)
    proved_less(e, num(high))
    ends: dict[str, Text] = {
        "low": written(_exactly(low)), "high": written(_exactly(high)), "e": Formula(e), "result": in_full(result),
    }  # fmt: skip
    return (sentence("stability.exp-finite", {**ends, "format": fmt.name}),)


def _exactly(q: Fraction) -> Decimal:
    """A dyadic rational as a decimal, all digits."""
    k = q.denominator.bit_length() - 1
    return Decimal((int(q < 0), tuple(map(int, str(abs(q.numerator) * 5**k))), -k))


# --- the range of exp --------------------------------------------------------------------------------------


class ExpRangeEnd:
    """One end of the range of exp in a format."""

    name = "exp-range"
    title = Localised("exp 的取值界限", "An end of the range of exp")
    fields: Mapping[str, Field] = {"format": FORMAT, "bound": Field("choice", options=ENDS)}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        fmt = format_of(given)
        end = next(e for e in ENDS if e == given["bound"])
        known = exp_range(fmt)
        upper = end in ("largest-finite", "smallest-infinite")
        pair = _proofs(known)[:2] if upper else _proofs(known)[2:]
        params: dict[str, Text] = {"format": fmt.name, "end": Message(f"stability.asked-{end}")}
        worked: tuple[Block, ...] = (
            Paragraph((Message("stability.range-idea"),)),
            Paragraph((sentence(f"stability.range-{'overflow' if upper else 'underflow'}", _limits(fmt, upper)),)),
            Items(pair),
            Paragraph((sentence("stability.range-neighbours", {"format": fmt.name}),)),
            Paragraph((_numpy_range(known),)),
            Box(
                "trap",
                Message("worked.mistake"),
                (Paragraph((Message(f"stability.range-mistake-{'upper' if upper else 'lower'}"),)),),
            ),
        )
        value = known.end(end)
        key = (KeyEntry(exact=in_full(value), label=Message(f"stability.asked-{end}"), convention=fmt.name),)
        task = Paragraph((sentence("stability.range-task", params),))
        return Solution((task,), worked, key, space=5, title=Message("stability.range-title"))


def _limits(fmt: Format, upper: bool) -> dict[str, Text]:
    boundary = overflow_boundary(fmt) if upper else underflow_boundary(fmt)
    limit = largest_finite(fmt) if upper else finite(fmt, fmt.smallest_subnormal)
    return {"format": fmt.name, "limit": worth(limit), "boundary": shown_boundary(boundary)}


def _proofs(known: ExpRange) -> tuple[Text, ...]:
    """The four inequalities, each proved by rational bounds."""
    high, low = overflow_boundary(known.format), underflow_boundary(known.format)
    return (
        exp_below(known.largest_finite, high), exp_above(known.smallest_infinite, high),
        exp_above(known.smallest_positive, low), exp_below(known.largest_zero, low),
    )  # fmt: skip


def _numpy_range(known: ExpRange) -> Text:
    """The four values in NumPy: finite, inf, positive, 0."""
    ends = [known.end(e) for e in ENDS]
    pairs = [(exp_in(x), numpy_exp(x)) for x in ends] if known.format.name != "bfloat16" else []
    return compared(known.format, pairs, ulps=1)


class ExpRanges:
    """The range of exp in all four formats, as a table, on one axis, and proved."""

    name = "exp-ranges"
    title = Localised("四种格式中 exp 的取值范围", "The range of exp in four formats")
    fields: Mapping[str, Field] = {}
    parts: Mapping[str, Localised] = {
        f.name: Localised(
            f"{f.name} 的四个界限，按题目中的顺序写成一行",
            f"the four ends for {f.name}, in the order of the question, as a row",
        )
        for f in FORMATS
    }

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        return {f.name: floats_row([exp_range(f).end(e) for e in ENDS], THRESHOLD) for f in FORMATS}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        known = [exp_range(f) for f in FORMATS]
        header = texts(Message("stability.format"), *(Message(f"stability.end-{e}") for e in ENDS))
        rows = tuple(texts(r.format.name, *(_shown(r.end(e)) for e in ENDS)) for r in known)
        ranges = tuple(
            Range(
                r.format.name, float(r.smallest_positive.value), float(r.largest_finite.value),
                _short(r.smallest_positive), _short(r.largest_finite),
            )
            for r in known
        )  # fmt: skip
        alt = sentence("stability.axis-alt", {"ranges": _all(ranges), "places": AXIS_PLACES})
        worked: list[Block] = [
            Paragraph((Message("stability.range-idea"),)),
            Table(header, rows, sentence("stability.range-caption", {"places": PLACES})),
            Figure(AxisRanges(Formula(_X), ranges), Message("stability.axis-caption", {"places": AXIS_PLACES}), alt),
            Paragraph((Message("stability.range-proof"),)),
        ]
        for r in known:
            limits = {**_limits(r.format, True), "tiny": shown_boundary(underflow_boundary(r.format))}
            worked.append(Heading(sentence("stability.range-of", {"format": r.format.name})))
            worked.append(Paragraph((sentence("stability.range-limits", limits), _numpy_range(r))))
            worked.append(Items(_proofs(r)))
        worked.append(Box("trap", Message("worked.mistake"), (Paragraph((Message("stability.range-mistake"),)),)))
        key = tuple(
            KeyEntry(f"[{', '.join(_shown(r.end(e)) for e in ENDS)}]", r.format.name, convention=_rounding_of(r))
            for r in known
        )
        task = Paragraph((Message("stability.ranges-task"),))
        return Solution((task,), tuple(worked), key, space=8, title=Message("stability.ranges-title"))


_X = var("x")


def _shown(x: Float) -> str:
    """All digits where they are few, else rounded to `PLACES` decimal places."""
    full = exact_decimal(x)
    text = f"{full:f}"
    return signed(text if len(text) <= 24 else f"{full:.{PLACES}f}")


def _rounding_of(known: ExpRange) -> Text | None:
    """To how many places the ends are shown, where one is not shown in full."""
    if all(_shown(known.end(e)) == in_full(known.end(e)) for e in ENDS):
        return None
    return Message("stability.rounded-to", {"places": PLACES})


def _short(x: Float) -> str:
    """Rounded to `AXIS_PLACES` decimal places, for a drawing."""
    return signed(f"{round(exact_decimal(x), AXIS_PLACES).normalize():f}")


def _all(ranges: tuple[Range, ...]) -> str:
    return "; ".join(f"{r.name}: {r.low_text} … {r.high_text}" for r in ranges)


# --- claims ------------------------------------------------------------------------------------------------


class OverflowClaim:
    """A source says where exp overflows in a format: true, false, or what is missing?"""

    name = "overflow-claim"
    title = Localised("溢出界限的说法", "A claim about overflow")
    fields: Mapping[str, Field] = {
        "format": FORMAT,
        "threshold": Field("number", low=-LARGEST_CLAIM, high=LARGEST_CLAIM),
    }
    parts: Mapping[str, Localised] = {
        "verdict": Localised(
            "原话的对错：true、false 或 underspecified", "the claim as stated: true, false or underspecified"
        ),
        "threshold": Localised("使 exp(x) 为 inf 的最小 x", "the smallest x for which exp(x) is inf"),
    }

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        fmt = format_of(given)
        judged = judge_overflow_claim(decimal_of(given, "threshold"), fmt)
        words = {v: Message(f"stability.verdict-{v}") for v in ("true", "false", "underspecified")}
        threshold = EXP_RANGE.problem({"format": fmt.name, "bound": "smallest-infinite"})
        if judged.verdict != "true":
            claimed = exactly("refuted-claim", lambda: num(Fraction(decimal_of(given, "threshold"))))
            threshold = replace(threshold, mistakes=(claimed, *threshold.mistakes))
        return {"verdict": one_word(judged.verdict, words), "threshold": threshold}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        c, fmt = decimal_of(given, "threshold"), format_of(given)
        judged = judge_overflow_claim(c, fmt)
        known = judged.range
        params: dict[str, Text] = {"format": fmt.name, "c": typed(c)}
        verdict = Message(f"stability.verdict-{judged.verdict}")
        real = significant(exp(num(judged.stored.value)), CLAIM_DIGITS)
        stored = {**params, "stored": in_full(judged.stored), "digits": real}
        worked: list[Block] = [
            Paragraph((Message("stability.claim-idea"),)),
            Paragraph((sentence("stability.claim-stored", stored),)),
        ]
        ends = {"finite": in_full(known.largest_finite), "infinite": in_full(known.smallest_infinite)}
        facts: dict[str, Text] = {**params, **ends}
        facts |= {"witness": in_full(judged.witness), "result": worth(judged.witness_exp)}
        said: list[Text] = [sentence("stability.claim-verdict", {"verdict": verdict})]
        between = judged.reason == "exact" and judged.claimed != judged.witness.value
        said.append(sentence(f"stability.claim-{judged.reason}{'-between' if between else ''}", facts))
        said += _as_rounding(c, judged, facts)
        worked.append(Paragraph(tuple(said)))
        worked.append(Paragraph((sentence("stability.claim-threshold", {**params, **ends}),)))
        boundary = overflow_boundary(fmt)
        proofs = dict.fromkeys((known.largest_finite, known.smallest_infinite, judged.witness, judged.stored))
        worked.append(
            Items(
                tuple(
                    exp_above(x, boundary) if exp_in(x).is_infinite else exp_below(x, boundary)
                    for x in sorted(proofs, key=lambda x: x.value)
                )
            )
        )
        pairs = [(exp_in(x), numpy_exp(x)) for x in proofs] if fmt.name != "bfloat16" else []
        worked.append(Paragraph((compared(fmt, pairs),)))
        worked.append(Box("trap", Message("worked.mistake"), (Paragraph((Message("stability.claim-mistake"),)),)))
        key = (
            KeyEntry(exact=verdict, label=Message("stability.claim-label")),
            KeyEntry(exact=in_full(known.smallest_infinite), label=Message("stability.claim-first")),
        )
        task = Paragraph((sentence("stability.claim-task", params),))
        return Solution((task,), tuple(worked), key, space=6, title=Message("stability.claim-title"))


def _as_rounding(c: Decimal, judged: Judged, facts: Mapping[str, Text]) -> list[Text]:
    """Which number near the threshold the claim rounds, if it does: the claimed number as the rounding of that."""
    places = read(c).places
    if judged.rounding is None or places < 0:
        return []
    precision = Message("stability.to-places", {"n": places}) if places else Message("stability.to-whole")
    boundary = overflow_boundary(judged.format)
    if judged.rounding == "boundary":
        half = Fraction(1, 2 * 10**places)
        proved_less(exp(num(Fraction(c) - half)), boundary)
        proved_less(boundary, exp(num(Fraction(c) + half)))
    shown = {**facts, "precision": precision, "boundary": shown_boundary(boundary)}
    return [sentence(f"stability.claim-rounding-{judged.rounding}", shown)]


# --- casts -------------------------------------------------------------------------------------------------


class Cast:
    """What is left of a number in a format?"""

    name = "cast"
    title = Localised("转换到某种格式", "A cast to a format")
    fields: Mapping[str, Field] = {"value": Field("number"), "format": FORMAT}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        value, fmt = decimal_of(given, "value"), format_of(given)
        result = cast(value, fmt)
        params: dict[str, Text] = {"value": typed(value), "format": fmt.name, "result": in_full(result)}
        params["limit"] = largest_in(fmt)
        way = _cast_way(value, result, params)
        if fmt.name in IN_NUMPY and _rounded_twice(value, fmt) != result:
            beside = Message("stability.numpy-twice", {"format": fmt.name})
        else:
            found = _numpy_cast(value, fmt)
            beside = compared(fmt, [] if found is None else [(result, found)], ulps=0)
        worked: tuple[Block, ...] = (
            Paragraph((sentence("stability.cast-idea", {"format": fmt.name}),)),
            Paragraph((way,)),
            Paragraph((beside,)),
            Box("trap", Message("worked.mistake"), (Paragraph((Message("stability.cast-mistake"),)),)),
        )
        key = (KeyEntry(exact=in_full(result), convention=sentence("stability.in-format", {"format": fmt.name})),)
        task = Paragraph((sentence("stability.cast-task", {"value": typed(value), "format": fmt.name}),))
        return Solution((task,), worked, key, space=4, title=Message("stability.cast-title"))


def _cast_way(value: Decimal, result: Float, params: Mapping[str, Text]) -> Text:
    """How a number comes to be stored: exactly, rounded to one side or from halfway, or not at all."""
    fmt, exact = result.format, Fraction(value)
    beyond = {**params, "boundary": shown_boundary(overflow_boundary(fmt))}
    if result.is_infinite:
        if abs(exact) < fmt.overflow_boundary:
            raise NotProved(value)
        return sentence(f"stability.cast-inf{'-at' if abs(exact) == fmt.overflow_boundary else ''}", beyond)
    if exact == result.value:
        if result.is_zero:
            return sentence("stability.cast-zero", params)
        if abs(exact) == fmt.largest:
            return sentence("stability.cast-largest", params)
        return sentence("stability.cast-exact", {**params, "spacing": worth(finite(fmt, spacing(result)))})
    other = _other_side(result, value)
    if other.is_infinite:
        return sentence("stability.cast-last", beyond)
    below, above = sorted((result, other), key=lambda x: x.value)
    ends = {**params, "below": in_full(below), "above": in_full(above)}
    tie = 2 * exact == below.value + above.value
    if not tie and abs(exact - result.value) >= abs(exact - other.value):
        raise NotProved(value)
    return sentence(f"stability.cast-{'tie' if tie else 'rounded'}", ends)


def _rounded_twice(value: Decimal, fmt: Format) -> Float:
    """The number rounded to float64 and then to the format, as NumPy does."""
    once = cast(value, FLOAT64)
    return round_rational(fmt, once.value) if once.is_finite else infinity(fmt, once.negative)


def _other_side(result: Float, value: Decimal) -> Float:
    """The value of the format on the other side of what was typed."""
    return next_up(result) if result.value < Fraction(value) else next_down(result)


def _numpy_cast(value: Decimal, fmt: Format) -> object:
    import numpy as np

    if fmt.name == "bfloat16":
        return None
    with np.errstate(all="ignore"):
        return type(to_numpy(cast(0, fmt)))(float(value))
