"""Shapes on a sheet: one shape, the whole way through the layer, and what a view without a swap does to the values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from derive.errors import DeriveError
from derive.problems.kind import Mistake, Problem, asked
from derive.shapes import (
    DirectView, Heads, LayerSizes, ShapeMismatch, Stage, Step, direct_view, named, numbered, numpy_shapes, trace,
    wrong_orders,
)  # fmt: skip
from derive.sheets.blocks import (
    Axis, Block, Box, Credit, Display, Figure, Formula, KeyEntry, Localised, Message, Paragraph, ShapeFlow, ShapeStep,
    Table, Text,
)  # fmt: skip
from derive.sheets.problems import Field, Given, Solution
from derive.sheets.prose import catalogue
from derive.worked.answers import integers
from derive.errors import NotProved
from proofs.syntax.explicit import explicit_tensor
from proofs.terms import Term, num, relation, var

FIELDS: Mapping[str, Field] = {
    "B": Field("integer", low=1, high=10**6),
    "T": Field("integer", low=1, high=10**6),
    "d_model": Field("integer", low=1, high=10**6),
    "h": Field("integer", low=1, high=10**4),
}
DIVIDES = Localised("h 整除 d_model。", "h divides d_model.")
ASKED: Final[tuple[Stage, ...]] = (
    "input", "projected", "viewed", "heads", "scores", "weights", "context", "swapped-back", "concatenated", "output",
)  # fmt: skip
SWAPPED: Final[frozenset[Stage]] = frozenset(("heads", "context"))
LARGEST_WORK = 10**8
"""How many multiplications the comparison with NumPy may take; larger layers are compared at smaller sizes."""


def whole(given: Mapping[str, Given], name: str) -> int:
    """An integer that the manifest reader has checked."""
    value = given[name]
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def sizes_of(given: Mapping[str, Given]) -> LayerSizes:
    """The sizes of a layer.

    Raises
    ------
    DeriveError
        ``heads-divide`` where h does not divide d_model.
    """
    B, T, d_model, h = (whole(given, n) for n in ("B", "T", "d_model", "h"))
    if d_model % h:
        raise DeriveError("heads-divide", d_model=d_model, h=h)
    return LayerSizes(B, T, d_model, h)


def _fits(given: Mapping[str, Given]) -> bool:
    """Whether the heads can share the width equally."""
    return whole(given, "d_model") % whole(given, "h") == 0


def tuple_of(sizes: Sequence[Term]) -> Formula:
    """``(B, h, T, d_k)`` or ``(1, 2, 2, 2)`` as a formula."""
    return Formula(explicit_tensor(tuple(sizes)))


def size_is(name: str, value: int) -> Formula:
    """``d_k = 64`` as a formula."""
    return Formula(relation("eq", var(name, "integer"), num(value)))


def traced(sizes: LayerSizes) -> tuple[tuple[Step, Step], ...]:
    """Each step in names and in numbers, compared with real arrays.

    Raises
    ------
    NotProved
        Where the shapes of NumPy, or those that answers are judged by, differ from ours.
    """
    compared = compared_sizes(sizes)
    real = numpy_shapes(compared)
    for step in trace(numbered(compared)):
        if tuple(num(n) for n in real[step.stage]) != step.sizes:
            raise NotProved(step.stage)
    pairs = tuple(zip(trace(named()), trace(numbered(sizes)), strict=True))
    for letters, _ in pairs:
        if tuple(str(t.data) for t in letters.sizes) != _judged()[letters.stage]:
            raise NotProved(letters.stage)
    return pairs


def _judged() -> Mapping[str, tuple[str, ...]]:
    from derive.problems.shapes import SHAPES

    return SHAPES


def compared_sizes(s: LayerSizes) -> LayerSizes:
    """The sizes themselves where a real computation is quick, else smaller ones of the same kind."""
    work = s.B * s.T * (4 * s.d_model**2 + 2 * s.T * s.d_model)
    return s if work <= LARGEST_WORK else s.reduced()


def checked(sizes: LayerSizes) -> Paragraph:
    """What the shapes were compared with."""
    s = compared_sizes(sizes)
    if s == sizes:
        return Paragraph((Message("shapes.checked"),))
    small = {"b": s.B, "t": s.T, "d_model": s.d_model, "h": s.h}
    return Paragraph((Message("shapes.checked-smaller", small),))


def shape_table(pairs: Sequence[tuple[Step, Step]], caption: bool = True) -> Table:
    """A row for each array: what made it, its axes by name, their sizes."""
    rows: list[tuple[Text, ...]] = []
    for letters, numbers in pairs:
        made = Message(f"shapes.made.{letters.stage}")
        rows.append((Message(f"shapes.array.{letters.stage}"), made, tuple_of(letters.sizes), tuple_of(numbers.sizes)))
    header: tuple[Text, ...] = tuple(Message(f"shapes.head-{x}") for x in ("array", "made", "names", "numbers"))
    return Table(header, tuple(rows), Message("shapes.caption") if caption else None)


def shape_flow(pairs: Sequence[tuple[Step, Step]]) -> Figure:
    """The same as a drawing: a line follows each axis."""
    steps: list[ShapeStep] = []
    for letters, numbers in pairs:
        axes = tuple(
            Axis(Formula(a.size), int(n.data))  # type: ignore[arg-type]
            for a, n in zip(letters.shape, numbers.sizes, strict=True)
        )
        operation = Message(f"shapes.made.{letters.stage}") if letters.operations else None
        steps.append(ShapeStep(Message(f"shapes.array.{letters.stage}"), axes, operation))
    return Figure(ShapeFlow(tuple(steps)), Message("shapes.flow-caption"), Message("shapes.flow-alt"))


def _task(sizes: LayerSizes) -> tuple[Text, ...]:
    given = {n.lower(): size_is(n, v) for n, v in (("B", sizes.B), ("T", sizes.T), ("h", sizes.h))}
    return (Message("shapes.task", {**given, "d_model": size_is("d_model", sizes.d_model)}),)


def _width(sizes: LayerSizes) -> Message:
    return Message("shapes.width", {"d_k": size_is("d_k", sizes.d_k)})


class MhaShape:
    """Which shape has one array on its way through the layer?"""

    name = "mha-shape"
    title = Localised("多头注意力中的形状", "A shape inside multi-head attention")
    fields: Mapping[str, Field] = {**FIELDS, "at": Field("choice", options=ASKED)}
    constraint = DIVIDES

    def fits(self, given: Mapping[str, Given]) -> bool:
        return _fits(given)

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        sizes = sizes_of(given)
        pairs = traced(sizes)
        place = next(k for k, (step, _) in enumerate(pairs) if step.stage == given["at"])
        letters, numbers = pairs[place]
        ask = Message("shapes.ask", {"array": Message(f"shapes.asked.{letters.stage}")})
        worked: tuple[Block, ...] = (
            Paragraph((Message("shapes.idea"), _width(sizes))),
            shape_table(pairs[: place + 1], caption=False),
            checked(sizes),
            Box("trap", Message("worked.mistake"), (Paragraph((_mistake(letters, numbers, pairs[place - 1]),)),)),
        )
        names = Message("shapes.names", {"names": tuple_of(letters.sizes)})
        key = (KeyEntry(exact=tuple_of(numbers.sizes), convention=names),)
        title = Message("shapes.title-one", {"array": Message(f"shapes.array.{letters.stage}")})
        return Solution((Paragraph((*_task(sizes), ask)),), worked, key, space=3, title=title)


def _mistake(letters: Step, numbers: Step, before: tuple[Step, Step]) -> Message:
    if letters.stage in SWAPPED or letters.stage == "viewed":
        B, h, T, d_k = (num(x) for x in _head_sizes(letters, numbers))
        wrong = (B, T, h, d_k) if letters.stage in SWAPPED else (B, h, T, d_k)
        if num(1) in (h, T):
            return Message("shapes.mistake-single")
        if h == T:
            return Message("shapes.mistake-alike", {"s": tuple_of(wrong)})
        return Message(f"shapes.mistake-{'swapped' if letters.stage in SWAPPED else 'viewed'}", {"s": tuple_of(wrong)})
    if letters.stage in ("scores", "weights"):
        return Message("shapes.mistake-scores")
    return Message("shapes.mistake-width" if len(letters.shape) == 3 else "shapes.mistake-order")


def _head_sizes(letters: Step, numbers: Step) -> tuple[int, ...]:
    sizes = {str(a.data): int(n.data) for a, n in zip(letters.sizes, numbers.sizes, strict=True)}  # type: ignore[arg-type]
    return tuple(sizes[x] for x in ("B", "h", "T", "d_k"))


class ShapeTrace:
    """The shape of every array from the input to the output, by name and in numbers."""

    name = "shape-trace"
    title = Localised("形状的完整追踪", "Shapes through the whole layer")
    fields: Mapping[str, Field] = FIELDS
    constraint = DIVIDES

    @property
    def parts(self) -> Mapping[str, Localised]:
        zh, en = catalogue("zh"), catalogue("en")
        return {at: Localised(*(prose.plain(f"shapes.array.{at}") for prose in (zh, en))) for at in ASKED}

    def fits(self, given: Mapping[str, Given]) -> bool:
        return _fits(given)

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        from derive.problems.shapes import SHAPE

        sizes_of(given)
        return {at: SHAPE.problem({**given, "at": at}) for at in ASKED}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        sizes = sizes_of(given)
        pairs = traced(sizes)
        worked: list[Block] = [
            Paragraph((Message("shapes.idea"), _width(sizes))),
            shape_table(pairs),
            Paragraph((Message("shapes.keys"),)),
            checked(sizes),
            shape_flow(pairs),
        ]
        same = sorted({n for n in ("T", "h", "d_k") if sizes.T == sizes.h == sizes.d_k})
        trap: list[Block] = [Paragraph((Message("shapes.trap" if same else "shapes.trap-apart"),)), _refusals(sizes)]
        worked.append(Box("trap", Message("worked.mistake"), tuple(trap)))
        task = Paragraph((*_task(sizes), Message("shapes.ask-all")))
        credits = tuple(
            Credit(Message("shapes.credit", {"array": Message(f"shapes.array.{letters.stage}")}))
            for letters, _ in pairs
            if letters.operations
        )
        title = Message("shapes.title")
        return Solution((task,), tuple(worked), _grouped(pairs), space=14, title=title, credits=credits)


def _grouped(pairs: Sequence[tuple[Step, Step]]) -> tuple[KeyEntry, ...]:
    """One entry for each row of axes, labelled with the arrays that have it."""
    groups: dict[tuple[Term, ...], list[tuple[Step, Step]]] = {}
    for pair in pairs:
        groups.setdefault(pair[0].sizes, []).append(pair)
    found: list[KeyEntry] = []
    for sizes, members in groups.items():
        arrays = {"abcdef"[k]: Message(f"shapes.array.{letters.stage}") for k, (letters, _) in enumerate(members)}
        found.append(
            KeyEntry(
                exact=tuple_of(members[0][1].sizes),
                label=Message(f"shapes.arrays-{len(members)}", arrays),
                convention=Message("shapes.names", {"names": tuple_of(sizes)}),
            )
        )
    return tuple(found)


def _refusals(sizes: LayerSizes) -> Table:
    """Four wrong orders: which axis does not fit by name, and whether the numbers would have shown it."""
    by_number = _accepted_by_numbers(sizes)
    rows: list[tuple[Text, ...]] = []
    for way, refused in wrong_orders(numbered(sizes)).items():
        fits = Message("shapes.numbers-fit" if way in by_number else "shapes.numbers-differ")
        rows.append((Message(f"shapes.wrong.{way}"), axis_refused(refused), fits))
    header: tuple[Text, ...] = tuple(Message(f"shapes.head-{x}") for x in ("wrong", "refused", "by-numbers"))
    return Table(header, tuple(rows))


def axis_refused(refused: ShapeMismatch) -> Message:
    """The axis that does not fit, in words."""
    found, wanted = (None if a is None else Message(f"shapes.axis.{a.name}") for a in (refused.found, refused.wanted))
    if found is None or wanted is None:
        axis = wanted if found is None else found
        return Message("shapes.refused-missing" if found is None else "shapes.refused-left", {"axis": axis or ""})
    return Message(f"shapes.refused-{refused.code}", {"found": found, "wanted": wanted})


def _accepted_by_numbers(s: LayerSizes) -> frozenset[str]:
    """The wrong orders that go through by the numbers alone and give an array of the right shape."""
    T, h, d_k = s.T, s.h, s.d_k
    found = {"view-without-swap", "merge-without-swap"}  # as many numbers as before: any order of axes will do
    if h == T:
        found.add("product-without-swap")  # scores (B,T,h,h) for (B,h,T,T)
    if d_k == T:
        found.add("keys-not-transposed")  # contracts d_k of the queries with the positions of the keys
    return frozenset(found)


class ViewWithoutSwap:
    """Why may (B, T, h*d_k) not be viewed as (B, h, T, d_k) directly?"""

    name = "view-without-swap"
    title = Localised("少了换轴的视图", "A view without the swap")
    fields: Mapping[str, Field] = {
        "T": Field("integer", low=2, high=6),
        "h": Field("integer", low=2, high=4),
        "d_k": Field("integer", low=1, high=4),
    }
    parts: Mapping[str, Localised] = {
        "right": Localised("第 0 个头的正确数组", "the array of head 0, rightly"),
        "direct": Localised("直接视图给出的第 0 个头的数组", "the array of head 0, viewed at once"),
    }

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        made = direct_view(*(whole(given, n) for n in ("T", "h", "d_k")))
        right, direct = integers(made.right[0]), integers(made.direct[0])
        return {
            "right": asked(right, Mistake("viewed-at-once", lambda: direct)),
            "direct": asked(direct, Mistake("swapped-after-all", lambda: right)),
        }

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        T, h, d_k = (whole(given, n) for n in ("T", "h", "d_k"))
        made = direct_view(T, h, d_k)
        _against_numpy(made, T, h, d_k)
        step = made.step
        array = _matrix(made.array)
        sizes: Mapping[str, Text] = {"t": size_is("T", T), "h": size_is("h", h), "d_k": size_is("d_k", d_k)}
        task = (
            Paragraph((Message("shapes.view-task", sizes),)),
            Display(array),
            Paragraph((Message("shapes.view-ask"),)),
        )
        rows: list[tuple[Text, ...]] = [
            (Message("shapes.head-row", {"i": i, "t": t + 1}), _row(made.right[i][t]), _row(made.direct[i][t]))
            for i in range(h)
            for t in range(T)
        ]
        header: tuple[Text, ...] = tuple(Message(f"shapes.head-{x}") for x in ("head", "right", "direct"))
        lost, kept = made.direct[0][1], made.right[0][1]
        facts = {"n": made.differing, "all": T * h * d_k}
        first = {"n": T * d_k}
        example = {"right": _row(kept), "direct": _row(lost)}
        worked: tuple[Block, ...] = (
            Paragraph((Message("shapes.view-idea", {"step": step}),)),
            Table(header, tuple(rows), Message("shapes.view-caption")),
            Paragraph((Message("shapes.view-reading", {**example, **first}), Message("shapes.view-count", facts))),
            Paragraph((Message("shapes.view-general"),)),
            Paragraph((Message("shapes.view-checked"),)),
            Box("trap", Message("worked.mistake"), (Paragraph((Message("shapes.view-mistake"),)),)),
        )
        key = (
            KeyEntry(exact=_bracketed(made.right[0]), label=Message("shapes.view-key-right")),
            KeyEntry(exact=_bracketed(made.direct[0]), label=Message("shapes.view-key-direct")),
        )
        credits = tuple(Credit(Message(f"shapes.credit-view-{x}")) for x in ("right", "direct", "why"))
        title = Message("shapes.view-title")
        return Solution(task, worked, key, space=8, title=title, credits=credits)


def _matrix(rows: Sequence[Sequence[int]]) -> Formula:
    return Formula(explicit_tensor(tuple(tuple(map(num, r)) for r in rows)))


def _bracketed(rows: Sequence[Sequence[int]]) -> str:
    """``[[11, 12], [21, 22]]``, which stays on one line."""
    return "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in rows) + "]"


def _row(values: Sequence[int]) -> Text:
    return Formula(explicit_tensor(tuple(map(num, values))))


def _against_numpy(made: DirectView, T: int, h: int, d_k: int) -> None:
    """The same with NumPy's own reshape and swapaxes; a difference is a fault of ours."""
    import numpy as np

    def nested(heads: Heads) -> list[list[list[int]]]:
        return [[list(row) for row in head] for head in heads]

    x = np.array(made.array)
    right = x.reshape(1, T, h, d_k).swapaxes(1, 2)[0]
    direct = x.reshape(1, h, T, d_k)[0]
    if right.tolist() != nested(made.right) or direct.tolist() != nested(made.direct) or made.right == made.direct:
        raise NotProved("view")
