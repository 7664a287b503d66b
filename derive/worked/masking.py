"""Softmax in IEEE formats on a sheet: masked rows, overflow, mask constants, and where causality needs more care.

Every number comes from the exact model `derive.floats` and is compared with NumPy where it has the format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from derive import floats
from derive.floats import (
    FLOAT16, FORMATS, Float, Mask, SoftmaxTrace, cast, cast_row, finite, next_down, next_up, softmax,
)  # fmt: skip
from derive.floats.softmax import Method, apply_mask
from derive.problems.formats import CAST, MASKED_SOFTMAX, METHODS, scalar
from derive.problems.kind import Mistake, Problem, asked
from derive.sheets.blocks import (
    Bar, BarPanel, Bars, Block, Box, Figure, Formula, Heading, Items, KeyEntry, Localised, Message, Paragraph, Table,
    Text,
)  # fmt: skip
from derive.sheets.problems import Field, Given, Solution
from derive.worked.answers import floats_row
from derive.worked.ieee import (
    FORMAT, IN_NUMPY, brief, compared, decimal_of, decimals_of, format_of, in_full, largest_in, listed, most_ulps,
    numpy_softmax, numpy_version, row, sentence, significant, texts, to_numpy, typed, worth,
)  # fmt: skip
from derive.errors import DeriveError, NotProved
from derive.worked.steps import rounded
from proofs.terms import add, div, entry, exp, num, var

NONE = "—"
LONGEST = 8
DIGITS = 2
BAR_PLACES = 4
VALUES = 3
"""The row's own value, and two for the future key."""


def _all_methods(scores: Sequence[Float]) -> dict[Method, SoftmaxTrace]:
    return {m: softmax(scores, m) for m in METHODS}


def _numpy_pairs(scores: Sequence[Float], traces: Mapping[Method, SoftmaxTrace]) -> list[tuple[Float, object]]:
    """Each weight beside that of NumPy, where NumPy has the format."""
    if scores[0].format.name not in IN_NUMPY:
        return []
    return [pair for m, trace in traces.items() for pair in zip(trace.weights, numpy_softmax(scores, m), strict=True)]


def _side_by_side(traces: Mapping[Method, SoftmaxTrace]) -> Table:
    """A column for each method, a row for each step."""
    header = texts(Message("masking.step"), *(Message(f"masking.{m}") for m in traces))
    rows: list[tuple[Text, ...]] = []
    for step in ("maximum", "shift", "shifted", "exponentials", "sum", "weights"):
        cells: list[Text] = []
        for m, trace in traces.items():
            found = trace.step("maximum" if step == "shift" and m == "shifted" else step)
            single = step in ("maximum", "shift", "sum")
            cells.append(NONE if found is None else brief(found[0]) if single else row(found))
        rows.append(texts(Message(f"masking.row-{step}"), *cells))
    return Table(header, tuple(rows), sentence("masking.caption", {"format": next(iter(traces.values())).format.name}))


def how_it_went(trace: SoftmaxTrace) -> str:
    """What became of a row: the code of a sentence."""
    if any(score.is_infinite and not score.negative for score in trace.step("scores") or ()):
        return "infinite"
    if trace.method == "naive":
        exponentials, total = trace.step("exponentials") or (), (trace.step("sum") or ())[0]
        if any(e.is_infinite for e in exponentials):
            return "overflow"
        if total.is_infinite:
            return "overflow-of-sum"
        return "nothing-left" if total.is_zero else "fine"
    maximum = (trace.step("maximum") or ())[0]
    return "empty" if maximum.is_infinite else "fine"


def _finite_row(name: str, row_: Sequence[Float]) -> tuple[Float, ...]:
    """The row, all of whose values are finite in the format.

    Raises
    ------
    DeriveError
        ``not-finite-in-format`` for a value that overflows.
    """
    if not all(x.is_finite for x in row_):
        raise DeriveError("not-finite-in-format", name=name, format=row_[0].format.name)
    return tuple(row_)


class MaskedSoftmax:
    """What does a method of computing softmax return for a row, in a format? All three stand side by side."""

    name = "masked-softmax"
    title = Localised("有遮蔽的一行的 softmax", "Softmax of a masked row")
    fields: Mapping[str, Field] = {
        "scores": Field("numbers", longest=LONGEST, infinite=True),
        "format": FORMAT,
        "method": Field("choice", options=METHODS),
    }

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        fmt = format_of(given)
        scores = cast_row(decimals_of(given, "scores"), fmt)
        method = next(m for m in METHODS if m == given["method"])
        traces = _all_methods(scores)
        said = tuple(Message(f"masking.{m}-{how_it_went(t)}") for m, t in traces.items())
        everywhere = all(s.is_infinite and s.negative for s in scores)
        masked = any(s.is_infinite and s.negative for s in scores)
        naive = how_it_went(traces["naive"])
        last = "everywhere" if everywhere else naive if naive in ("infinite", "nothing-left", "fine") else "overflow"
        worked: list[Block] = [
            Paragraph((Message("masking.idea"),)),
            _side_by_side(traces),
            Items(said),
        ]
        if everywhere:
            convention = Paragraph((Message("masking.convention"),))
            worked.append(Box("remark", Message("masking.convention-label"), (convention,)))
        beside = compared(fmt, _numpy_pairs(scores, traces))
        worked.append(Paragraph((sentence("stability.world", {"format": fmt.name}), beside)))
        worked.append(Box("trap", Message("worked.mistake"), (Paragraph((Message(f"masking.mistake-{last}"),)),)))
        asked: dict[str, Text] = {"scores": row(scores), "format": fmt.name, "method": Message(f"masking.{method}")}
        task = [sentence("masking.task", asked), Message("masking.methods")]
        if masked:
            task.insert(1, Message("masking.masked-score"))
        key = (KeyEntry(exact=row(traces[method].weights), label=Message(f"masking.{method}")),)
        return Solution((Paragraph(tuple(task)),), tuple(worked), key, space=7, title=Message("masking.title"))


class SoftmaxInFormats:
    """Softmax without and with the shift, in all four formats."""

    name = "softmax-in-formats"
    title = Localised("各种格式中的 softmax", "Softmax in four formats")
    fields: Mapping[str, Field] = {"z": Field("numbers", low=-700, high=700, longest=4)}
    parts: Mapping[str, Localised] = {
        f.name: Localised(f"{f.name} 中不平移算出的一行", f"the row without the shift in {f.name}") for f in FORMATS
    }

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        scores = list(decimals_of(given, "z"))
        return {
            f.name: MASKED_SOFTMAX.problem({"scores": scores, "format": f.name, "method": "naive"}) for f in FORMATS
        }

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        z = decimals_of(given, "z")
        rows: list[tuple[Text, ...]] = []
        went: dict[str, list[Text]] = {}
        pairs: list[tuple[Float, object]] = []
        key: list[KeyEntry] = []
        for fmt in FORMATS:
            scores = _finite_row("z", cast_row(z, fmt))
            traces = _all_methods(scores)
            naive, shifted = traces["naive"], traces["shifted"]
            direct = naive.step("exponentials") or ()
            rows.append(texts(fmt.name, row(direct), row(naive.weights), row(shifted.weights)))
            went.setdefault(_direct(naive, shifted), []).append(fmt.name)
            pairs += _numpy_pairs(scores, traces)
            key.append(KeyEntry(exact=row(naive.weights), label=fmt.name))
        header = texts(*(Message(f"masking.head-{h}") for h in ("format", "exponentials", "direct", "shifted")))
        sizes = tuple(
            sentence("masking.formats-size", {"e": Formula(e), "digits": significant(e, DIGITS)})
            for e in (exp(num(Fraction(x))) for x in z)
        )
        said = tuple(
            Message(f"masking.formats-{code}", {"formats": listed(went[code])}) for code in DIRECT if code in went
        )
        off = most_ulps(pairs)
        version: dict[str, Text] = {"version": numpy_version()}
        near = Message("masking.formats-near", {**version, "n": off})
        beside = near if off else Message("masking.formats-checked", version)
        mistake = Message(f"masking.formats-mistake{'' if set(went) - {'fine'} else '-fine'}")
        worked: tuple[Block, ...] = (
            Paragraph((Message("masking.formats-idea"),)),
            Items(sizes),
            Table(header, tuple(rows), Message("masking.formats-caption")),
            Paragraph((*said, Message("masking.formats-shifted"))),
            Paragraph((beside, Message("masking.formats-world"))),
            _before_and_after([Fraction(x) for x in z]),
            Box("trap", Message("worked.mistake"), (Paragraph((mistake,)),)),
        )
        shown = f"[{', '.join(map(typed, z))}]"
        task = Paragraph((sentence("masking.formats-task", {"z": shown}),))
        return Solution((task,), worked, tuple(key), space=7, title=Message("masking.formats-title"))


DIRECT = ("fine", "coarse", "overflow", "overflow-of-sum", "nothing-left")
"""What may become of the direct way in a format, in the order in which it is said."""


def _direct(naive: SoftmaxTrace, shifted: SoftmaxTrace) -> str:
    """What became of the direct way: as `how_it_went`, or ``coarse`` where it lost digits and nothing shows it.

    It is fine where every weight is within 2^(3-p) of the shifted one, p the precision of the format.

    Raises
    ------
    NotProved
        If digits are lost though no exponential lies below the normal values.
    """
    went = how_it_went(naive)
    if went != "fine":
        return went
    fmt = naive.format
    apart = max(abs(a.value - b.value) for a, b in zip(naive.weights, shifted.weights, strict=True))
    if apart <= Fraction(2) ** (3 - fmt.precision):
        return "fine"
    if not all(e.value < fmt.smallest_normal for e in naive.step("exponentials") or ()):
        raise NotProved(fmt.name)
    return "coarse"


def _before_and_after(z: Sequence[Fraction]) -> Figure:
    """Logits, the same after the shift, and the softmax that both have: real numbers, rounded for the drawing."""
    top = max(z)
    parts = [exp(num(x - top)) for x in z]
    weights = [rounded(div(e, add(*parts) if len(parts) > 1 else e), BAR_PLACES).text for e in parts]
    texts_of = {
        "before": [typed(Decimal(x.numerator) / x.denominator) for x in z],
        "after": [typed(Decimal((x - top).numerator) / (x - top).denominator) for x in z],
        "softmax": weights,
    }
    heights = {"before": z, "after": [x - top for x in z], "softmax": [Fraction(w) for w in weights]}
    panels = tuple(
        BarPanel(
            Message(f"masking.bars-{name}"),
            tuple(
                Bar(Formula(entry(var("z", "real", 1), num(k))), float(h), t)
                for k, (h, t) in enumerate(zip(heights[name], shown, strict=True), 1)
            ),
        )
        for name, shown in texts_of.items()
    )
    said: dict[str, Text] = {name: f"[{', '.join(shown)}]" for name, shown in texts_of.items()}
    return Figure(Bars(panels), Message("masking.bars-caption"), sentence("masking.bars-alt", said))


class MaskConstant:
    """A finite constant in place of -inf: what it does, and what it does not promise."""

    name = "mask-constant"
    title = Localised("用有限常数作掩码", "A finite mask constant")
    fields: Mapping[str, Field] = {
        "format": FORMAT,
        "constant": Field("number", default=Decimal("-1e4"), low=-60_000, high=-1),
        "beyond": Field("number", default=Decimal("-1e9"), high=-1),
        "scores": Field("numbers", required=False, default=(Decimal(2), Decimal(1)), longest=LONGEST),
        "near": Field("numbers", required=False, default=(Decimal(-4), Decimal(0), Decimal(4)), longest=LONGEST),
        "apart": Field("numbers", required=False, default=(Decimal(0), Decimal(16)), longest=LONGEST),
        "valid": Field("number", required=False, default=Decimal(-20000)),
    }
    parts: Mapping[str, Localised] = {
        "constant": Localised("constant 在该格式中成为什么", "what constant becomes in the format"),
        "beyond": Localised("beyond 在该格式中成为什么", "what beyond becomes in the format"),
        "weights usual": Localised(
            "constant 替换最后一个分数时的权重", "the weights when constant replaces the last score"
        ),
        "weights beyond": Localised("处处加上 beyond 时的权重", "the weights when beyond is added everywhere"),
        "weights near": Localised(
            "处处加上 constant、分数接近 0 时的权重", "the weights when constant is added everywhere, scores near 0"
        ),
        "weights apart": Localised(
            "处处加上 constant、分数相距较远时的权重", "the weights when constant is added everywhere, scores far apart"
        ),
        "weights replaced": Localised(
            "constant 替换所有分数时的权重", "the weights when constant replaces every score"
        ),
        "weights valid": Localised(
            "constant 旁边有一个更低的有效分数时的权重", "the weights beside a valid score that lies lower"
        ),
    }

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        fmt = format_of(given)
        found = {
            name: CAST.problem({"value": decimal_of(given, name), "format": fmt.name})
            for name in ("constant", "beyond")
        }
        for code, scores, mask, _ in _constant_cases(given):
            found[f"weights {code}"] = floats_row(softmax(apply_mask(scores, mask), "shifted").weights)
        return found

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        fmt = format_of(given)
        constant, beyond = decimal_of(given, "constant"), decimal_of(given, "beyond")
        finite_one, far = cast(constant, fmt), cast(beyond, fmt)
        names = {"constant": typed(constant), "beyond": typed(beyond), "format": fmt.name}
        rows: list[tuple[Text, ...]] = []
        key = [
            KeyEntry(exact=in_full(finite_one), label=typed(constant)),
            KeyEntry(exact=in_full(far), label=typed(beyond)),
        ]
        pairs: list[tuple[Float, object]] = []
        outcomes: list[Text] = []
        for code, scores, mask, used in _constant_cases(given):
            after = apply_mask(scores, mask)
            trace = softmax(after, "shifted")
            if fmt.name in IN_NUMPY:
                pairs += list(zip(trace.weights, numpy_softmax(after, "shifted"), strict=True))
            how = sentence(f"masking.case-{'replaced' if code == 'replaced' else mask_said(mask)}", {"constant": used})
            rows.append(texts(how, row(scores), row(after), row(trace.weights)))
            label = sentence("masking.case-of", {"case": how, "scores": row(scores)})
            key.append(KeyEntry(exact=row(trace.weights), label=label))
            outcomes += _outcome(code, scores, after, trace.weights, names)
        header = texts(*(Message(f"masking.head-{h}") for h in ("case", "scores", "after", "weights")))
        casts: dict[str, Text] = {
            **names,
            "kept": in_full(finite_one),
            "lost": in_full(far),
            "largest": largest_in(fmt),
        }
        gap = min(next_up(finite_one).value - finite_one.value, finite_one.value - next_down(finite_one).value)
        spaced = {**names, "kept": in_full(finite_one), "gap": worth(finite(fmt, gap))}
        usual, *others = outcomes
        worked: tuple[Block, ...] = (
            Paragraph((Message("masking.constant-idea"),)),
            Heading(Message("masking.constant-casts-heading")),
            Paragraph((sentence(f"masking.constant-casts{'' if far.is_infinite else '-finite'}", casts),)),
            Heading(Message("masking.constant-rows-heading")),
            Table(header, tuple(rows), sentence("masking.constant-caption", {"format": fmt.name})),
            Items((usual, sentence("masking.constant-spacing", spaced), *others)),
            Paragraph((sentence("stability.world", {"format": fmt.name}), compared(fmt, pairs))),
            Box("trap", Message("worked.mistake"), (Paragraph((Message("masking.constant-mistake"),)),)),
        )
        asked_rows = tuple((how, scores) for how, scores, _, _ in rows)
        task = (
            Paragraph(
                (
                    sentence(f"masking.constant-task{'' if far.is_infinite else '-finite'}", names),
                    sentence("masking.constant-ask", names),
                )
            ),
            Table(header[:2], asked_rows),
        )
        return Solution(task, worked, tuple(key), space=9, title=sentence("masking.constant-title", names))


def mask_said(mask: Mask) -> str:
    """How a mask is put on: to every score, or in the place of the last."""
    return "added" if mask.mode == "add" else "last"


def _outcome(
    code: str, scores: Sequence[Float], after: Sequence[Float], weights: Sequence[Float], names: Mapping[str, Text]
) -> list[Text]:
    """What became of a row, chosen by its weights."""
    masked = weights[-1]
    facts: dict[str, Text] = {**names, "scores": row(scores), "after": row(after), "weights": row(weights)}
    facts |= {"w": worth(masked), "first": worth(after[0]), "valid": in_full(scores[0])}
    if code == "usual":
        return [sentence(f"masking.constant-usual{'' if masked.is_zero else '-weak'}", facts)]
    if code == "beyond":
        return []
    if code == "replaced":
        return [Message("masking.constant-replaced")]
    if code == "valid":
        low, own = after[1], after[0]
        if own.value == low.value:
            return [sentence("masking.constant-valid-equal", facts)]
        if weights[0].value == masked.value:
            raise NotProved(row(scores))
        if own.value < low.value:
            return [sentence(f"masking.constant-valid{'' if weights[0].is_zero else '-larger'}", facts)]
        return [sentence(f"masking.constant-valid-{'masked' if masked.is_zero else 'weak'}", facts)]
    if any(w.is_nan for w in weights):
        return [sentence("masking.constant-nan", facts)]
    return [sentence(f"masking.constant-{'uniform' if len({x.value for x in after}) == 1 else 'survives'}", facts)]


def _constant_cases(given: Mapping[str, Given]) -> tuple[tuple[str, tuple[Float, ...], Mask, str], ...]:
    """The rows that are masked: a code, the scores, the mask, and its constant as typed."""
    fmt = format_of(given)
    constant, beyond = decimal_of(given, "constant"), decimal_of(given, "beyond")
    finite_one, far = cast(constant, fmt), cast(beyond, fmt)
    usual = _finite_row("scores", cast_row((*decimals_of(given, "scores"), Decimal(0)), fmt))
    near, apart = (_finite_row(n, cast_row(decimals_of(given, n), fmt)) for n in ("near", "apart"))
    last = tuple(k == len(usual) - 1 for k in range(len(usual)))
    pair = _finite_row("valid", (cast(decimal_of(given, "valid"), fmt), floats.zero(fmt)))
    return (
        ("usual", usual, Mask(last, finite_one, "replace"), typed(constant)),
        ("beyond", near, Mask((True,) * len(near), far, "add"), typed(beyond)),
        ("near", near, Mask((True,) * len(near), finite_one, "add"), typed(constant)),
        ("apart", apart, Mask((True,) * len(apart), finite_one, "add"), typed(constant)),
        ("replaced", apart, Mask((True,) * len(apart), finite_one, "replace"), typed(constant)),
        ("valid", pair, Mask((False, True), finite_one, "replace"), typed(constant)),
    )


class CausalityInFormats:
    """Where IEEE arithmetic breaks what was proved over the real numbers: 0 times inf, and a mask that is not -inf."""

    name = "causality-in-ieee"
    title = Localised("浮点数中的因果性", "Causality in floating point")
    fields: Mapping[str, Field] = {
        "format": Field("choice", required=False, default=FLOAT16.name, options=FORMAT.options),
        "constant": Field("number", required=False, default=Decimal("-1e4"), high=-1),
        "score": Field("number", required=False, default=Decimal(-20000)),
        "values": Field("numbers", required=False, default=(Decimal(3), Decimal(5), Decimal(7)), longest=3),
    }
    parts: Mapping[str, Localised] = {
        "infinite": Localised(
            "用 −inf 遮蔽而未来值为 inf 时的输出", "the output with the mask −inf and the future value inf"
        ),
        "constant": Localised(
            "用 constant 遮蔽时的两个输出，写成一行", "the two outputs with the mask constant, as a row"
        ),
    }

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        _, _, infinite, *constant = (_output(given, masked, value) for _, masked, value in _future_cases(given))
        own = cast_row(decimals_of(given, "values")[:1], format_of(given))[0]
        ignored = Mistake("mask-taken-for-exact", lambda: scalar(own))
        return {"infinite": asked(scalar(infinite), ignored), "constant": floats_row(constant)}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        fmt = format_of(given)
        constant, score = cast(decimal_of(given, "constant"), fmt), cast(decimal_of(given, "score"), fmt)
        own, future, changed = _known(given)
        minus = floats.infinity(fmt, True)
        rows: list[tuple[Text, ...]] = []
        pairs = []
        outputs: list[Float] = []
        for code, masked, value in _future_cases(given):
            weights = softmax((score, masked), "shifted").weights
            output = _output(given, masked, value)
            outputs.append(output)
            if fmt.name in IN_NUMPY:
                pairs.append((output, _numpy_output((score, masked), (own, value))))
            how = sentence(f"masking.leak-{code}", {"mask": brief(masked)})
            rows.append(texts(how, row((score, masked)), row(weights), row((own, value)), brief(output)))
        header = texts(*(Message(f"masking.head-{h}") for h in ("mask", "after", "weights", "values", "output")))
        if outputs[0] != outputs[1] or not outputs[2].is_nan:
            raise NotProved("causality")
        weight = softmax((score, constant), "shifted").weights[1]
        unchanged = outputs[3] == outputs[4]
        if weight.is_zero and not unchanged:
            raise NotProved("causality")
        names: dict[str, Text] = {
            "constant": brief(constant), "score": brief(score), "format": fmt.name, "w": worth(weight),
        }  # fmt: skip
        how_far = _leak(score, constant, weight, unchanged)
        said = (Message("masking.leak-nan"), sentence(f"masking.leak-{how_far}", names))
        worked: tuple[Block, ...] = (
            Paragraph((Message("masking.leak-idea"),)),
            Table(header, tuple(rows), sentence("masking.leak-caption", {"format": fmt.name})),
            Items(said),
            Paragraph((Message("masking.leak-conditions"),)),
            Paragraph((sentence("stability.world", {"format": fmt.name}), compared(fmt, pairs))),
            Box("trap", Message("worked.mistake"), (Paragraph((Message("masking.leak-mistake"),)),)),
        )
        key = (
            KeyEntry(exact=brief(outputs[2]), label=sentence("masking.leak-infinite", {"mask": brief(minus)})),
            KeyEntry(
                exact=row(outputs[3:]),
                label=sentence("masking.leak-constant", {"mask": brief(constant)}),
            ),
        )
        asked: dict[str, Text] = {**names, "own": brief(own), "future": brief(future), "changed": brief(changed)}
        task = Paragraph((sentence("masking.leak-task", asked),))
        return Solution((task,), worked, key, space=7, title=Message("masking.leak-title"))


def _leak(score: Float, constant: Float, weight: Float, unchanged: bool) -> str:
    """How the constant does as a mask beside the score, by the weight and the outputs that it leaves."""
    if weight.is_zero:
        return "none"
    if unchanged:
        return "tiny"
    if constant.is_infinite or score.value == constant.value:
        return "equal"
    return "part" if score.value > constant.value else "weight" if weight.value == 1 else "most"


def _known(given: Mapping[str, Given]) -> tuple[Float, Float, Float]:
    """The row's own value, and two different ones for the future key; the score and the values are finite.

    Raises
    ------
    DeriveError
        ``not-finite-in-format`` or ``future-values``.
    """
    fmt = format_of(given)
    _finite_row("score", (cast(decimal_of(given, "score"), fmt),))
    known = _finite_row("values", cast_row(decimals_of(given, "values"), fmt))
    if len(known) != VALUES or known[1].value == known[2].value:
        raise DeriveError("future-values", format=fmt.name)
    return known[0], known[1], known[2]


def _future_cases(given: Mapping[str, Given]) -> tuple[tuple[str, Float, Float], ...]:
    """A code, what masks the future key, and the value there."""
    fmt = format_of(given)
    constant, (_, future, changed) = cast(decimal_of(given, "constant"), fmt), _known(given)
    minus, inf = floats.infinity(fmt, True), floats.infinity(fmt)
    return (
        ("exact", minus, future), ("exact", minus, changed), ("infinite", minus, inf),
        ("constant", constant, future), ("constant", constant, changed),
    )  # fmt: skip


def _output(given: Mapping[str, Given], masked: Float, value: Float) -> Float:
    """The weighted sum of the row's own value and a future one."""
    fmt = format_of(given)
    score, own = cast(decimal_of(given, "score"), fmt), cast_row(decimals_of(given, "values")[:1], fmt)[0]
    return floats.dot(softmax((score, masked), "shifted").weights, (own, value))


def _numpy_output(scores: Sequence[Float], values: Sequence[Float]) -> object:
    """The same in NumPy: weights by the shifted method, products added from left to right."""
    import numpy as np

    weights = numpy_softmax(scores, "shifted")
    with np.errstate(all="ignore"):
        total = type(weights[0])(0)
        for w, v in zip(weights, values, strict=True):
            total = total + w * to_numpy(v)
        return total
