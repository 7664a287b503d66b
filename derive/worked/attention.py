"""Attention by hand: exact weights and outputs of a small layer, and a forward pass from the input to W^O.

Every line is proved by the kernel for these numbers, rechecked from its certificate, and the results are compared
with the arrays of a real computation in NumPy. Within a head, `Q`, `K` and `V` name its own columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

from derive.attention import Forward, Head, Matrix, identity
from derive.errors import DeriveError
from derive.problems.kind import Problem
from derive.problems.softmax import summed
from derive.shapes import LayerSizes
from derive.sheets.blocks import (
    Block, Box, Cell, Credit, Figure, Formula, Heading, HeatMap, HeatPanel, KeyEntry, Localised, Message,
    Paragraph, Table, Text,
)  # fmt: skip
from derive.sheets.problems import Field, Given, Solution
from derive.worked.answers import by_rows
from derive.worked.forward import (
    PLACES, against_numpy, decimal_text, decimals, head_chains, is_short_decimal, projected,
)  # fmt: skip
from derive.worked.matrices import Named, Rows, numerals, row_chain, times
from derive.worked.shapes import checked as shapes_checked
from derive.worked.shapes import shape_table, traced
from derive.worked.steps import PUT_IN, equation, power_of_ten
from proofs.syntax.explicit import explicit_tensor
from proofs.syntax.to_plain import to_plain
from proofs.terms import num, sqrt, var

IN_MAPS = 4
MOST_POSITIONS = 4
LARGEST = 20
LONGEST = 130

_MATRIX = Field("matrix", low=-LARGEST, high=LARGEST, longest=8)
_PROJECTION = replace(_MATRIX, required=False)
FIELDS: Mapping[str, Field] = {
    "X": replace(_MATRIX, rows=MOST_POSITIONS),
    "h": Field("integer", low=1, high=8),
    "causal": Field("bool", required=False, default=True),
}
PROJECTIONS: Mapping[str, Field] = {f"W_{p}": _PROJECTION for p in "QKVO"}
PARTS: Mapping[str, Localised] = {
    "": Localised("整个矩阵", "the whole matrix"),
    "row t": Localised("其中第 t 行", "its row t"),
    "row t column c": Localised("第 t 行第 c 列的元素", "the entry in row t and column c"),
}
WHOLE = Localised(
    "h 整除 d_model（X 的列数），投影是 d_model 阶方阵。",
    "h divides d_model (the columns of X), projections are d_model by d_model.",
)
DIVIDES = Localised(
    "h 整除 d_model（X 的列数），投影是 d_model 阶方阵，head 小于 h。",
    "h divides d_model (the columns of X), projections are d_model by d_model, head is below h.",
)
HEAD: Mapping[str, Field] = {"head": Field("integer", required=False, low=0, high=7)}


# --- what is given -----------------------------------------------------------------------------------------


def forward_of(given: Mapping[str, Given]) -> Forward:
    """The layer that is given, with unit matrices where no projection is.

    Raises
    ------
    DeriveError
        ``attention-positions``, ``heads-divide``, ``projection-shape`` or ``head-range``.
    """
    x = _matrix(given["X"])
    h, d = _whole(given["h"]), len(x[0])
    if len(x) > MOST_POSITIONS:
        raise DeriveError("attention-positions", limit=MOST_POSITIONS, found=len(x))
    if d % h:
        raise DeriveError("heads-divide", d_model=d, h=h)
    head = given.get("head")
    if head is not None and _whole(head) >= h:
        raise DeriveError("head-range", head=_whole(head), h=h)
    w: dict[str, Matrix] = {}
    for name in PROJECTIONS:
        value = given.get(name)
        w[name] = identity(d) if value is None else _matrix(value)
        if (len(w[name]), len(w[name][0])) != (d, d):
            raise DeriveError("projection-shape", name=name, d_model=d, rows=len(w[name]), columns=len(w[name][0]))
    return Forward(x, h, given.get("causal") is not False, w["W_Q"], w["W_K"], w["W_V"], w["W_O"])


def _fits(given: Mapping[str, Given]) -> bool:
    try:
        forward_of(given)
    except DeriveError:
        return False
    return True


def _whole(value: Given) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def _matrix(value: Given) -> Matrix:
    if not isinstance(value, tuple):
        raise TypeError(value)
    return tuple(tuple(_rational(x) for x in row) for row in value if isinstance(row, tuple))


def _rational(value: Given) -> Fraction:
    if not isinstance(value, int | Decimal):
        raise TypeError(value)
    return Fraction(value)


# --- blocks ------------------------------------------------------------------------------------------------


def _checked(forward: Forward) -> tuple[Text, ...]:
    bound = power_of_ten(against_numpy(forward))
    return Message("checked.proof"), Message("attention.checked", {"bound": bound})


def _positions(head: Head) -> tuple[Text, ...]:
    return tuple(str(t + 1) for t in range(head.positions))


def heat_map(heads: Mapping[int, Head]) -> Figure:
    """The weights of heads as maps with their numbers; what is masked has none."""
    panels: list[HeatPanel] = []
    said: list[str] = []
    for i, head in heads.items():
        cells: list[tuple[Cell | None, ...]] = []
        for t, row in enumerate(head.weights):
            texts = [decimal_text(w.term, IN_MAPS) for w in row]
            seen = head.allowed(t)
            cells.append(tuple(Cell(x, float(x)) if r in seen else None for r, x in enumerate(texts)))
            said.append(f"{i}.{t + 1}: ({', '.join(texts[r] for r in seen)})")
        title = Message("attention.head", {"i": i})
        panels.append(HeatPanel(title, _positions(head), _positions(head), tuple(cells)))
    drawing = HeatMap(tuple(panels), Message("figures.position-t"), Message("figures.position-s"))
    masked = any(head.causal for head in heads.values())
    alt = Message("attention.map-alt-causal" if masked else "attention.map-alt", {"rows": "; ".join(said)})
    caption = Message(f"attention.map-caption{'-causal' if masked else ''}", {"places": IN_MAPS})
    return Figure(drawing, caption, alt)


def rounding_said(rows: Rows) -> Message:
    """That the decimals of a table are rounded, and proved to be; or that they are exact, where all of them end."""
    if all(is_short_decimal(x, PLACES) for row in rows for x in row):
        return Message("attention.decimals-exact")
    return Message("attention.decimals", {"places": PLACES})


def _table(rows: Sequence[Sequence[str]], caption: Message) -> Table:
    header: tuple[Text, ...] = (Message("attention.position"), *(str(c + 1) for c in range(len(rows[0]))))
    return Table(header, tuple((str(t + 1), *row) for t, row in enumerate(rows)), caption)


def _input(forward: Forward) -> list[Block]:
    """What is given: the input, the projections, the heads, the mask."""
    facts = {"t": len(forward.x), "d": forward.width, "h": forward.h, "d_k": forward.d_k}
    unit = identity(forward.width)
    given = {"W_Q": forward.w_q, "W_K": forward.w_k, "W_V": forward.w_v, "W_O": forward.w_o}
    blocks: list[Block] = [
        Paragraph((Message("attention.task", facts),)),
        Named.of("X", numerals(forward.x)).shown,
    ]
    other = [n for n, w in given.items() if w != unit]
    if other:
        alone = other == ["W_O"]
        said = Message("attention.projections-output") if alone else Message("attention.projections", {"n": len(other)})
        blocks.append(Paragraph((said,)))
        blocks += [Named.of(n, numerals(given[n])).shown for n in other]
    if len(other) < len(given):
        blocks.append(Paragraph((_units([n for n in given if n not in other]),)))
    return blocks


def _units(names: Sequence[str]) -> Message:
    """Which projections are unit matrices."""
    if len(names) == len(PROJECTIONS):
        return Message("attention.units")
    params: Mapping[str, Text] = {"abc"[k]: Formula(var(n, "real", 2)) for k, n in enumerate(names)}
    return Message(f"attention.units-{len(names)}", params)


def _mask(forward: Forward) -> Message:
    return Message("attention.causal" if forward.causal else "attention.not-causal")


def _columns(forward: Forward, i: int) -> Mapping[str, Text]:
    first, last = i * forward.d_k + 1, (i + 1) * forward.d_k
    return {"i": i, "first": first, "last": last}


def _slices(forward: Forward, i: int) -> list[Block]:
    """What one head sees of queries, keys and values."""
    head = forward.heads[i]
    parts = {"Q": head.q, "K": head.k, "V": head.v}
    blocks: list[Block] = [Paragraph((Message("attention.columns", _columns(forward, i)),))]
    if head.q == head.k == head.v:
        blocks.append(Named.of("Q", numerals(head.q)).shown)
        blocks.append(Paragraph((Message("attention.all-equal"),)))
    else:
        blocks += [Named.of(n, numerals(m)).shown for n, m in parts.items()]
    return blocks


def _projections(forward: Forward, letters: str) -> list[Block]:
    """The chains from X to queries, keys and values, where a projection is not the unit matrix."""
    unit = identity(forward.width)
    blocks: list[Block] = []
    for letter, w in zip("QKV", (forward.w_q, forward.w_k, forward.w_v), strict=True):
        if letter in letters and w != unit:
            matrix = Formula(var(letter, "real", 2))
            blocks.append(Paragraph((Message("attention.projection", {"m": matrix}),)))
            blocks.append(projected(letter, forward, w))
    return blocks


def _head(forward: Forward, i: int, output: bool, last: tuple[Text, ...]) -> list[Block]:
    """The worked solution of one head."""
    head = forward.heads[i]
    chains = head_chains(head, output)
    seen = Message("attention.mask-causal" if head.causal else "attention.mask-none")
    blocks: list[Block] = [
        *_slices(forward, i),
        Paragraph((Message("attention.scores"),)),
        chains.scores,
        Paragraph((Message("attention.scaling", {"d_k": Formula(sqrt(num(head.width)))}),)),
        chains.scaled,
        Paragraph((seen, Message("attention.weights"))),
        *chains.weights,
    ]
    if output:
        blocks += [Paragraph((Message("attention.mixing"),)), *chains.output]
    return [*blocks[:-1], replace((*chains.weights, *chains.output)[-1], checked=last)]


def _unscaled(head: Head) -> Message:
    """What the last weight would be without the division by the root of the width, or without the mask."""
    t = head.positions - 1
    wrong = replace(head.weights[t][t], width=1).term
    if head.width > 1 and wrong != head.weights[t][t].term:
        facts: Mapping[str, Text] = {"t": t + 1, "w": Formula(wrong), "decimal": decimal_text(wrong, IN_MAPS)}
        return Message("attention.mistake-unscaled", facts)
    return Message("attention.mistake-mask")


def _row_sum(head: Head, seed: int) -> list[Block]:
    """A check: the last row of the weights sums to 1."""
    t = head.positions - 1
    row = [w.term for w in head.weights[t]]
    if len(row) == 1:
        return []
    _, chain = equation(summed(row), [(num(1), ("cancel",))], seed)
    return [Paragraph((Message("attention.rows-sum", {"t": t + 1}),)), replace(chain, checked=())]


def _only_head(forward: Forward, given: Mapping[str, Given]) -> int:
    """The head that is asked for: the one that is named, or the only one there is."""
    asked = given.get("head")
    if asked is None and forward.h > 1:
        raise DeriveError("head-missing", h=forward.h)
    return 0 if asked is None else _whole(asked)


def _changes(forward: Forward, closed: Callable[[Forward], Rows]) -> dict[str, Callable[[], Rows]]:
    """What the same computation gives with the scaling or the mask done differently, by the code of the mistake."""
    changed = {
        "not-scaled": replace(forward, scaling="none"),
        "scaled-by-width": replace(forward, scaling="width"),
    }
    if forward.causal:
        changed["not-masked"] = replace(forward, causal=False)
        changed["not-scaled-not-masked"] = replace(forward, causal=False, scaling="none")
    return {code: cache(partial(closed, other)) for code, other in changed.items()}


def _closed_weights(forward: Forward, given: Mapping[str, Given]) -> Rows:
    return [[w.term for w in row] for row in forward.heads[_only_head(forward, given)].weights]


def _closed_output(forward: Forward, given: Mapping[str, Given]) -> Rows:
    """The output of the head that is named, or of the whole layer."""
    asked = given.get("head")
    return forward.output if asked is None else [[x.term for x in row] for row in forward.heads[_whole(asked)].output]


class AttentionWeights:
    """The weights of one head, exactly."""

    name = "attention-weights"
    title = Localised("注意力权重的精确值", "Exact attention weights")
    fields: Mapping[str, Field] = {**FIELDS, **HEAD, "W_Q": _PROJECTION, "W_K": _PROJECTION}

    parts = PARTS
    constraint = DIVIDES

    def fits(self, given: Mapping[str, Given]) -> bool:
        return _fits(given)

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        forward = forward_of(given)
        changes = _changes(forward, lambda changed: _closed_weights(changed, given))
        return by_rows(_closed_weights(forward, given), changes)

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        forward = forward_of(given)
        i = _only_head(forward, given)
        head = forward.heads[i]
        closed = _closed_weights(forward, given)
        shown = decimals(closed)
        worked: list[Block] = [
            Paragraph((Message("attention.idea-weights"),)),
            *_projections(forward, "QK"),
            *_head(forward, i, False, _checked(forward)),
            Paragraph((rounding_said(closed),)),
            _table(shown, Message("attention.weights-caption")),
            *_row_sum(head, seed),
            heat_map({i: head}),
            Box("trap", Message("worked.mistake"), (Paragraph((_unscaled(head),)),)),
        ]
        ask = Message("attention.ask-weights", {"i": i, "places": PLACES})
        task = (*_input(forward), Paragraph((_mask(forward), ask)))
        key = key_rows(closed, "attention.key-row")
        title = Message("attention.title-weights", {"i": i})
        credits = tuple(Credit(Message(f"attention.credit-{x}")) for x in ("scores", "scaling", "mask", "weights"))
        return Solution(task, tuple(worked), key, space=10, title=title, credits=credits)


def _joined(forward: Forward) -> list[Block]:
    """Concatenation and output projection."""
    o = Named.of("O", forward.concatenated)
    w = Named.of("W_O", numerals(forward.w_o))
    reasons = (*PUT_IN, "cancel")
    chains = [row_chain(row, [(value, reasons)]) for row, value in zip(times(o, w), forward.output, strict=True)]
    unit = forward.w_o == identity(forward.width)
    return [
        Paragraph((Message("attention.concatenate"),)),
        o.shown,
        Paragraph((Message("attention.output-unit" if unit else "attention.output"),)),
        *chains[:-1],
        replace(chains[-1], checked=_checked(forward)),
    ]


def _whole_pass(forward: Forward) -> list[Block]:
    """Every head, then concatenation, output projection, decimals and maps."""
    blocks: list[Block] = list(_projections(forward, "QKV"))
    for i in range(forward.h):
        blocks.append(Heading(Message("attention.head", {"i": i})))
        blocks += _head(forward, i, True, ())
    if forward.h > 1:
        blocks.append(Heading(Message("attention.heads-joined")))
    blocks += _joined(forward)
    blocks += [
        Paragraph((rounding_said(forward.output),)),
        _table(decimals(forward.output), Message("attention.output-caption")),
        heat_map(dict(enumerate(forward.heads))),
    ]
    return blocks


class AttentionOutput:
    """The output of one head, or of the whole layer, exactly."""

    name = "attention-output"
    title = Localised("注意力输出的精确值", "Exact attention output")
    fields: Mapping[str, Field] = {**FIELDS, **HEAD, **PROJECTIONS}

    parts = PARTS
    constraint = DIVIDES

    def fits(self, given: Mapping[str, Given]) -> bool:
        return _fits(given)

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        forward = forward_of(given)
        changes = _changes(forward, lambda changed: _closed_output(changed, given))
        return by_rows(_closed_output(forward, given), changes)

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        forward = forward_of(given)
        asked = given.get("head")
        i = None if asked is None else _whole(asked)
        closed = _closed_output(forward, given)
        worked: list[Block] = [Paragraph((Message("attention.idea-output"),))]
        if i is None:
            worked += _whole_pass(forward)
        else:
            worked += _projections(forward, "QKV")
            worked += _head(forward, i, True, _checked(forward))
            worked.append(Paragraph((rounding_said(closed),)))
            worked.append(_table(decimals(closed), Message("attention.head-caption", {"i": i})))
            worked.append(heat_map({i: forward.heads[i]}))
        worked.append(Box("trap", Message("worked.mistake"), (Paragraph((Message("attention.mistake-output"),)),)))
        if i is None:
            ask = Message("attention.ask-output", {"places": PLACES})
        else:
            ask = Message("attention.ask-head", {"i": i, "places": PLACES})
        task = (*_input(forward), Paragraph((_mask(forward), ask)))
        title = Message("attention.title-output") if i is None else Message("attention.title-head", {"i": i})
        key = key_rows(closed, "attention.key-row")
        return Solution(task, tuple(worked), key, space=14, title=title, credits=_credits())


def key_rows(rows: Rows, label: str, places: int = PLACES, **params: int) -> tuple[KeyEntry, ...]:
    """An entry of the key for each row; a row that is too long for a line is given entry by entry."""
    found: list[KeyEntry] = []
    for t, row in enumerate(rows):
        shown = [decimal_text(x, places) for x in row]
        exact = explicit_tensor(tuple(row))
        if len(to_plain(exact)) <= LONGEST:
            rational = all(x.op == "num" for x in row)
            decimal = None if rational else f"({', '.join(shown)})"
            found.append(KeyEntry(Formula(exact), Message(label, {**params, "t": t + 1}), decimal))
            continue
        for c, (x, text) in enumerate(zip(row, shown, strict=True)):
            place = {**params, "t": t + 1, "c": c + 1}
            found.append(KeyEntry(Formula(x), Message(f"{label}-column", place), None if x.op == "num" else text))
    return tuple(found)


def _credits(*more: str) -> tuple[Credit, ...]:
    names = (*more, "scores", "scaling", "mask", "weights", "mixing", "output")
    return tuple(Credit(Message(f"attention.credit-{x}")) for x in names)


class ForwardTrace:
    """The whole way of an input through a layer: shapes and exact values, step by step."""

    name = "forward-trace"
    title = Localised("从输入到输出的完整追踪", "A forward pass from end to end")
    fields: Mapping[str, Field] = {**FIELDS, **PROJECTIONS}

    parts = PARTS
    constraint = WHOLE

    def fits(self, given: Mapping[str, Given]) -> bool:
        return _fits(given)

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        forward = forward_of(given)
        return by_rows(forward.output, _changes(forward, lambda changed: changed.output))

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        forward = forward_of(given)
        sizes = LayerSizes(1, len(forward.x), forward.width, forward.h)
        worked: tuple[Block, ...] = (
            Paragraph((Message("attention.idea-trace"),)),
            shape_table(traced(sizes)),
            shapes_checked(sizes),
            *_whole_pass(forward),
            Box("trap", Message("worked.mistake"), (Paragraph((_unscaled(forward.heads[-1]),)),)),
        )
        ask = Message("attention.ask-trace", {"places": PLACES})
        task = (*_input(forward), Paragraph((_mask(forward), ask)))
        key = key_rows(forward.output, "attention.key-row")
        credits = _credits("shapes")
        title = Message("attention.title-trace")
        return Solution(task, tuple(worked), key, space=18, title=title, credits=credits)
