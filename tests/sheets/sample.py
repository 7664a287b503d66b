"""A small sheet with made-up solutions over real terms, to print and look at every kind of block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from derive.errors import DeriveError
from derive.sheets.blocks import (
    Axis,
    AxisRanges,
    Bar,
    BarPanel,
    Bars,
    Box,
    CausalTriangle,
    Cell,
    Chain,
    ChainLine,
    Choice,
    Display,
    Figure,
    Formula,
    Heading,
    HeatMap,
    HeatPanel,
    Items,
    KeyEntry,
    Localised,
    Message,
    Option,
    Paragraph,
    Range,
    ShapeFlow,
    ShapeStep,
    Table,
)
from derive.sheets.problems import Field, Given, Kinds, Solution
from proofs.syntax.changed import changed
from proofs.terms import Term, add, div, entry, exp, mul, num, power, relation, sub, total, var

MANIFEST = """
[sheet]
id = "sample"
title = { zh = "多头注意力与数值稳定性", en = "Multi-head attention and numerical stability" }
seed = 45

[[activity]]
id = "45-04"
title = { zh = "闭卷", en = "Closed book" }
minutes = 120
goal = { zh = "独立写出参数个数与平移不变性的证明。", en = "Write both proofs alone." }
prerequisites = { zh = "第 43、44 天：缩放点积注意力与因果掩码。", en = "Days 43 and 44: the causal mask." }
standard = { zh = "所有计数准确，证明完整。", en = "All counts exact, the proof complete." }
mode = "alone"
declaration = true

[[exercise]]
id = "45-04.1a"
problem = "count"
given = { d_model = 1024, h = 16 }
points = 2

[[exercise]]
id = "45-04.2"
problem = "shift"
points = 6

[[exercise]]
id = "45-04.4a"
problem = "choice"
points = 1

[[exercise]]
id = "45-04.5"
problem = "pictures"
points = 2

[[source]]
title = { zh = "Attention Is All You Need, 第 3.2 节", en = "Attention Is All You Need, section 3.2" }
version = "arXiv:1706.03762v7"
licence = "arXiv.org perpetual, non-exclusive licence"
verified = "2026-10-30"
"""

n, i, j = (var(x, "integer") for x in "nij")
d, h = var("d_model", "integer"), var("h", "integer")
z, c = var("z", "real", 1), var("c")


def same(zh: str, en: str) -> Localised:
    return Localised(zh=zh, en=en)


def line(relation_: str, old: Term, new: Term, zh: str, en: str) -> ChainLine:
    return ChainLine("eq", Formula(new, changed(old, new)[1]), same(zh, en))


CHECKED = (
    same(
        "✓ 每一行都由内核接受，并由第二个验证器复核。",
        "✓ Every line was accepted by the kernel and by the second verifier.",
    ),
    same(
        "用 NumPy（float64）试了 200 个随机算例，所有偏差都小于",
        "Tried on 200 random instances in NumPy (float64): every deviation below",
    ),
    Formula(power(num(10), num(-15))),
)


def shift() -> Solution:
    over = total(j, num(1), n, exp(sub(entry(z, j), c)))
    lines = [
        div(exp(sub(entry(z, i), c)), over),
        div(
            mul(exp(entry(z, i)), exp(sub(num(0), c))), total(j, num(1), n, mul(exp(entry(z, j)), exp(sub(num(0), c))))
        ),
        div(
            mul(exp(entry(z, i)), exp(sub(num(0), c))), mul(exp(sub(num(0), c)), total(j, num(1), n, exp(entry(z, j))))
        ),
        div(exp(entry(z, i)), total(j, num(1), n, exp(entry(z, j)))),
    ]
    reasons = [
        ("softmax 的定义", "definition of softmax"),
        (
            "指数律，用于分子与分母的每一项",
            "exponential of a sum, in the numerator and in every term of the denominator",
        ),
        ("提出与求和指标无关的因子", "constant factor taken out of the sum"),
        ("约去公因子，它是正数", "cancel the common factor, which is positive"),
    ]
    chain = tuple(
        line("eq", a, b, *reason) for a, b, reason in zip([lines[0], *lines[:-1]], lines, reasons, strict=True)
    )
    long = add(*(mul(var(f"W_{k}"), var("d_model"), var("d_k")) for k in range(9)))
    return Solution(
        title=same("平移不变性", "Shift invariance"),
        task=(
            Paragraph(
                (
                    same("证明：对任意的", "Prove that for every real"),
                    Formula(c),
                    same("，下式成立。", "the following holds."),
                )
            ),
            Display(Formula(relation("eq", lines[0], lines[-1]))),
        ),
        worked=(
            Box(
                "theorem",
                same("定理（平移不变性）", "Theorem (shift invariance)"),
                (
                    Paragraph(
                        (same("对每个", "For each"), Formula(relation("le", num(1), n)), same("都有", "we have"))
                    ),
                    Display(Formula(relation("eq", lines[0], lines[-1]))),
                ),
            ),
            Chain(Formula(entry(z, i)), chain, CHECKED),
            Heading(same("一个过长的式子", "A formula that is too long")),
            Chain(
                Formula(long),
                (
                    ChainLine("eq", Formula(add(long, num(0))), same("加零", "add zero")),
                    ChainLine("le", Formula(div(add(*long.args[:7]), add(*long.args[:3]))), same("分母", "divide")),
                ),
            ),
        ),
        key=(KeyEntry(same("证明见详解", "a proof; see the worked solutions")),),
        space=8,
    )


def count(given: Mapping[str, Given]) -> Solution:
    size, heads = given["d_model"], given["h"]
    assert isinstance(size, int)
    assert isinstance(heads, int)
    if size % heads:
        raise DeriveError("manifest-range", low=1, high=1, found=heads)
    left = mul(num(4), power(d, num(2)))
    right = mul(num(4), power(num(size), num(2)))
    result = num(4 * size * size)
    return Solution(
        title=same("参数个数", "Parameters"),
        task=(
            Paragraph(
                (
                    same(
                        "下列张量各有多少参数？不计偏置。# $ \\ { } < > & % _ ^ ~ * [",
                        "How many parameters, without biases? # $ \\ { } < > & % _ ^ ~ * [",
                    ),
                    Formula(relation("eq", d, num(size))),
                    Formula(relation("eq", h, num(heads))),
                )
            ),
        ),
        worked=(
            Table(
                (same("矩阵", "Matrix"), same("形状", "Shape"), same("参数", "Parameters")),
                tuple((Formula(var(f"W_{x}")), f"{size} × {size}", size * size) for x in "QKVO"),
                same("四个投影", "The four projections"),
            ),
            Chain(
                Formula(left),
                (
                    line("eq", left, right, "代入已知的数", "insert what is given"),
                    line("eq", right, result, "算术", "arithmetic"),
                ),
                CHECKED,
            ),
            Box(
                "trap",
                same("陷阱", "Trap"),
                (Paragraph((same("不要忘记输出投影。", "Don’t forget the output projection."),)),),
            ),
            Items((same("一", "one"), same("二", "two")), numbered=True),
        ),
        key=(
            KeyEntry(4 * size * size, label=same("不计偏置", "without biases")),
            KeyEntry(
                4 * size * size + 4 * size,
                label=same("计偏置", "with biases"),
                convention=same("四个投影都有偏置", "all four projections have biases"),
            ),
        ),
        space=3,
    )


def choice() -> Solution:
    return Solution(
        title=same("单选", "Single choice"),
        task=(
            Paragraph((same("为什么可以减去最大值？", "Why may the maximum be subtracted?"),)),
            Choice(
                tuple(
                    Option(
                        same(f"选项 {k}", f"option {k}"),
                        k == 2,
                        same("因为公因子约去。", "because the factor cancels."),
                    )
                    for k in range(4)
                )
            ),
        ),
        worked=(
            Choice(
                tuple(
                    Option(
                        same(f"选项 {k}", f"option {k}"),
                        k == 2,
                        same("因为公因子约去。", "because the factor cancels."),
                    )
                    for k in range(4)
                )
            ),
        ),
        key=(KeyEntry("C"),),
        space=0,
    )


def pictured() -> Solution:
    """One picture of each kind."""
    axis = {name: Formula(var(name, "integer")) for name in ("B", "T", "h", "d_k", "d_model")}

    def array(name: str, axes: dict[str, int], zh: str = "", en: str = "") -> ShapeStep:
        made = tuple(Axis(axis[a], size) for a, size in axes.items())
        return ShapeStep(name, made, same(zh, en) if zh else None)

    flow = ShapeFlow(
        (
            array("X", {"B": 1, "T": 2, "d_model": 4}),
            array("Q", {"B": 1, "T": 2, "d_model": 4}, "乘以查询矩阵", "multiply by the query matrix"),
            array("Q", {"B": 1, "T": 2, "h": 2, "d_k": 2}, "视为四个轴", "view as four axes"),
            array(
                "Q",
                {"B": 1, "h": 2, "T": 2, "d_k": 2},
                "交换第 1、2 轴",
                "swap the axes 1 and 2, so that each head is a matrix",
            ),
        )
    )
    weights = [[Cell("1", 1.0), None], [Cell("0.0558072", 0.056), Cell("0.9441928", 0.944)]]
    numbers = ("1", "2")
    panels = tuple(
        HeatPanel(same(f"头 {k}", f"head {k}"), numbers, numbers, tuple(map(tuple, weights))) for k in (1, 2, 3)
    )
    heat = HeatMap(panels, same("查询位置", "query position"), same("键位置", "key position"))
    ranges = AxisRanges(
        Formula(var("x")),
        (
            Range("float16", -17.328125, 11.0859375, "−17.328125", "11.0859375"),
            Range("bfloat16", -92.5, 88.5, "−92.5", "88.5"),
            Range("float32", -103.97, 88.7228, "−103.972076416015625", "88.72283172607421875"),
            Range("float64", -745.13, 709.78, "−745.1332191019411084", "709.7827128933839731"),
        ),
    )
    logits = [Bar(Formula(entry(z, num(k))), v, str(v).replace("-", "−")) for k, v in ((1, 500), (2, 502))]
    shifted = [Bar(Formula(entry(z, num(k))), v, str(v).replace("-", "−")) for k, v in ((1, -2), (2, 0))]
    soft = [Bar("1", 0.119, "0.1192029"), Bar("2", 0.881, "0.8807971")]
    bars = Bars(
        (
            BarPanel(same("移动之前", "before the shift"), tuple(logits)),
            BarPanel(same("移动之后", "after the shift"), tuple(shifted)),
            BarPanel(same("两者的 softmax", "softmax of both"), tuple(soft)),
        )
    )
    triangle = CausalTriangle(5, 3)
    said = {"n": 5, "t": 3}
    figures = (
        Figure(
            flow,
            same("形状的变化", "The way of the shapes"),
            same("四个数组的形状", "Four shapes, one below the other"),
        ),
        Figure(heat, same("每个头的权重", "The weights of each head"), same("三张热图", "Three heat maps")),
        Figure(triangle, Message("figures.triangle-caption", {"t": 3}), Message("figures.triangle-alt", said)),
        Figure(ranges, same("指数函数的范围", "Where exp is finite and not 0"), same("四个区间", "Four ranges")),
        Figure(bars, same("移动前后", "Before and after"), same("三组柱", "Three groups of bars")),
    )
    return Solution(
        title=same("图", "Pictures"),
        task=(Paragraph((same("看图。", "Look at the picture."),)), figures[2]),
        worked=(figures[0], figures[1], Box("remark", same("注", "Note"), figures[3:])),
        key=(KeyEntry(same("见图", "see the picture")),),
        space=2,
    )


@dataclass(frozen=True)
class Kind:
    name: str
    title: Localised
    fields: Mapping[str, Field] = field(default_factory=dict)

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        return {"count": lambda: count(given), "shift": shift, "choice": choice, "pictures": pictured}[self.name]()


KINDS: Kinds = {
    "count": Kind(
        "count",
        same("计数", "Count"),
        {
            "d_model": Field("integer", low=1, high=10**6),
            "h": Field("integer", low=1, high=10**6),
            "bias": Field("bool", required=False, default=False),
        },
    ),
    "shift": Kind("shift", same("平移", "Shift")),
    "choice": Kind("choice", same("单选", "Choice")),
    "pictures": Kind("pictures", same("图", "Pictures")),
}


def write_manifest(folder: Path, text: str = MANIFEST, name: str = "sample.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
