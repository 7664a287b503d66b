"""Counting the parameters of multi-head attention for given sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from derive.definitions import signatures
from derive.errors import DeriveError
from derive.sheets.blocks import Block, Box, Formula, KeyEntry, Localised, Message, Paragraph, Table, Text
from derive.sheets.problems import Field, Given, Solution
from derive.errors import NotProved
from derive.worked.steps import equation
from proofs.terms import Term, add, apply, mul, num, power, relation, var

SIZES = Field("integer", low=1, high=10**7)
OPTIONAL = Field("integer", required=False, low=1, high=10**7)


@dataclass(frozen=True)
class Sizes:
    """d_model, heads, key/value heads, d_k, d_v, and whether there are biases."""

    d: int
    h: int
    g: int
    d_k: int
    d_v: int
    bias: bool


def sizes_of(given: Mapping[str, Given]) -> Sizes:
    """Fill in ``d_k = d_v = d_model/h`` and as many key/value heads as heads, where they are not given.

    Raises
    ------
    DeriveError
        ``heads-divide`` where d_model is not a multiple of h and d_k or d_v is not given; ``kv-heads-divide`` where
        the key/value heads do not divide the heads.
    """
    d, h = _whole(given["d_model"]), _whole(given["h"])
    if d % h and (given.get("d_k") is None or given.get("d_v") is None):
        raise DeriveError("heads-divide", d_model=d, h=h)
    g = _whole(given.get("kv_heads") or h)
    if h % g:
        raise DeriveError("kv-heads-divide", h=h, g=g)
    d_k, d_v = (_whole(given.get(x) or d // h) for x in ("d_k", "d_v"))
    return Sizes(d, h, g, d_k, d_v, bool(given.get("bias", False)))


def sizes_fit(given: Mapping[str, Given]) -> bool:
    """Whether `sizes_of` takes them."""
    try:
        sizes_of(given)
    except DeriveError:
        return False
    return True


def _whole(value: Given | None) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def named(name: str, value: int) -> Formula:
    """``d_model = 768`` as a formula."""
    return Formula(relation("eq", var(name, "integer"), num(value)))


class MhaParameters:
    """How many parameters do the four projections have?"""

    name = "mha-parameters"
    title = Localised("多头注意力的参数量", "Parameters of multi-head attention")
    fields: Mapping[str, Field] = {
        "d_model": SIZES,
        "h": SIZES,
        "bias": Field("bool", required=False, default=False),
        "d_k": OPTIONAL,
        "d_v": OPTIONAL,
        "kv_heads": OPTIONAL,
    }
    constraint = Localised(
        "h 整除 d_model，除非 d_k 和 d_v 都给出；kv_heads 整除 h。",
        "h divides d_model, unless d_k and d_v are given; kv_heads divides h.",
    )

    def fits(self, given: Mapping[str, Given]) -> bool:
        return sizes_fit(given)

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        from derive.reference import parameters as counted

        s = sizes_of(given)
        count, steps = _count(s)
        chain, printed = equation(count, steps, seed)
        answer = chain.lines[-1].term
        if counted(s.d, s.h, s.g, s.d_k, s.d_v, int(s.bias)) != answer.data:
            raise NotProved(answer)
        printed = replace(printed, checked=(*printed.checked, Message("checked.exact")))
        task: list[Text] = [Message("parameters.task", {"d": named("d_model", s.d), "h": named("h", s.h)})]
        if s.g != s.h:
            task.append(Message("parameters.task-kv", {"g": s.g}))
        if s.h * s.d_k != s.d or s.h * s.d_v != s.d:
            task.append(Message("parameters.task-widths", {"d_k": named("d_k", s.d_k), "d_v": named("d_v", s.d_v)}))
        task.append(Message("parameters.ask-biases" if s.bias else "parameters.ask"))
        convention = Message("parameters.with-biases" if s.bias else "parameters.without-biases")
        worked: tuple[Block, ...] = (
            Paragraph((Message("parameters.idea"), Message("parameters.widths", _widths(s)))),
            _ledger(s),
            Paragraph((Message("parameters.sum"),)),
            printed,
            Box("trap", Message("worked.mistake"), (Paragraph((_mistake(s),)),)),
        )
        key = (KeyEntry(exact=int(answer.data), convention=convention),)
        title = Message("parameters.title")
        return Solution(task=(Paragraph(tuple(task)),), worked=worked, key=key, space=6, title=title)


def _widths(s: Sizes) -> Mapping[str, Text]:
    return {"d_k": named("d_k", s.d_k), "d_v": named("d_v", s.d_v)}


def _count(s: Sizes) -> tuple[Term, list[tuple[Term, tuple[str, ...]]]]:
    """``parameters(...)`` with the lines down to the number."""
    d, h, g, d_k, d_v = map(num, (s.d, s.h, s.g, s.d_k, s.d_v))
    first = apply(signatures()["parameters"].definition, d, h, g, d_k, d_v, num(int(s.bias)))
    columns = [mul(h, d_k), mul(g, d_k), mul(g, d_v)]
    parts = [mul(d, c) for c in columns] + [mul(mul(h, d_v), d)]
    if s.bias:
        parts.append(add(*columns, d))
    steps: list[tuple[Term, tuple[str, ...]]] = [(add(*parts), ("definition", "constant sum"))]
    if s.h == s.g and s.h * s.d_k == s.h * s.d_v == s.d:
        square = mul(num(4), power(d, num(2)))
        steps.append((add(square, mul(num(4), d)) if s.bias else square, ("arithmetic",)))
    whole = s.d * (s.h * s.d_k + s.g * s.d_k + s.g * s.d_v + s.h * s.d_v)
    whole += int(s.bias) * (s.h * s.d_k + s.g * s.d_k + s.g * s.d_v + s.d)
    steps.append((num(whole), ("arithmetic",)))
    return first, steps


def _ledger(s: Sizes) -> Table:
    rows: list[tuple[Text, ...]] = []
    shapes = (
        ("W_Q", s.d, s.h * s.d_k), ("W_K", s.d, s.g * s.d_k), ("W_V", s.d, s.g * s.d_v), ("W_O", s.h * s.d_v, s.d),
    )  # fmt: skip
    for name, rows_, columns in shapes:
        shape: Text = Message("parameters.shape", {"rows": rows_, "columns": columns})
        row: tuple[Text, ...] = (Formula(var(name, "real", 2)), shape, rows_ * columns)
        rows.append((*row, columns) if s.bias else row)
    total = sum(r * c for _, r, c in shapes)
    foot: tuple[Text, ...] = (Message("parameters.total"), "", total)
    rows.append((*foot, sum(c for _, _, c in shapes)) if s.bias else foot)
    header: tuple[Text, ...] = (
        Message("parameters.matrix"), Message("parameters.shape-head"), Message("parameters.weights"),
    )  # fmt: skip
    return Table((*header, Message("parameters.biases")) if s.bias else header, tuple(rows))


def _mistake(s: Sizes) -> Message:
    without = s.d * (s.h * s.d_k + s.g * s.d_k + s.g * s.d_v)
    if s.bias:
        return Message("parameters.mistake-biases", {"n": without + s.h * s.d_v * s.d})
    return Message("parameters.mistake-output", {"n": without})


class HeadDimension:
    """How wide is one head?"""

    name = "mha-head-dimension"
    title = Localised("每个头的维度", "Width of one head")
    fields: Mapping[str, Field] = {"d_model": SIZES, "h": SIZES}
    constraint = Localised("h 整除 d_model。", "h divides d_model.")

    def fits(self, given: Mapping[str, Given]) -> bool:
        return sizes_fit(given)

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        s = sizes_of(given)
        from proofs.terms import div

        chain, printed = equation(div(num(s.d), num(s.h)), [(num(s.d_k), ("arithmetic",))], seed)
        mistake = Message("parameters.head-mistake-one")
        if s.h > 1:
            mistake = Message("parameters.head-mistake", {"n": s.d * s.h})
        task = Message("parameters.head-task", {"d": named("d_model", s.d), "h": named("h", s.h)})
        worked: tuple[Block, ...] = (
            Paragraph((Message("parameters.head-idea"),)),
            printed,
            Box("trap", Message("worked.mistake"), (Paragraph((mistake,)),)),
        )
        key = (KeyEntry(exact=int(chain.lines[-1].term.data)),)  # type: ignore[arg-type]
        return Solution(
            task=(Paragraph((task,)),), worked=worked, key=key, space=3, title=Message("parameters.head-title")
        )  # fmt: skip
