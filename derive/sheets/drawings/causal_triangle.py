"""Where the causal triangle stands, and beside it the row of heads that W^O reads at one position."""

from __future__ import annotations

from dataclasses import dataclass

from derive.sheets.blocks import CausalTriangle, Message
from derive.sheets.drawings.labels import SIZE, Label, Run, Writer, breadth

CELL, SIDE, WIDE = 22.0, 1.0, 62.0


@dataclass(frozen=True)
class Square:
    """One cell: read by the head or not; on the row in question or not."""

    x: float
    y: float
    read: bool
    here: bool


@dataclass(frozen=True)
class Arrow:
    """An arrow to the right."""

    x1: float
    x2: float
    y: float


@dataclass(frozen=True)
class Layout:
    """All that is drawn: the triangle, the rows of concatenated heads, W^O, and the rows of the output."""

    width: float
    height: float
    cell: float
    wide: float
    squares: tuple[Square, ...]
    heads: tuple[Square, ...]
    outputs: tuple[Square, ...]
    legend: tuple[Square, ...]
    arrows: tuple[Arrow, ...]
    matrix: tuple[float, float, float, float]
    frame: tuple[float, float, float, float]
    labels: tuple[Label, ...]


def lay_out(drawing: CausalTriangle, writer: Writer) -> Layout:
    T, t = drawing.size, drawing.position
    rows = writer.label_runs(Message("figures.position-t"))
    left, top = SIDE + SIZE * 3.2, SIDE + SIZE * 4.2
    side = T * CELL
    y = top + (t - 0.5) * CELL
    squares = [
        Square(left + s * CELL, top + r * CELL, s <= r, r == t - 1) for r in range(T) for s in range(T)
    ]  # fmt: skip
    heads_at = left + side + 44
    heads = [Square(heads_at, top + r * CELL, r == t - 1, r == t - 1) for r in range(T)]
    matrix_at = heads_at + WIDE + 30
    out_at = matrix_at + 34 + 30
    outputs = [Square(out_at, top + r * CELL, r == t - 1, r == t - 1) for r in range(T)]
    labels = [
        Label(left + side / 2, top - SIZE * 2.0, writer.label_runs(Message("figures.position-s")), look="soft"),
        Label(SIDE + SIZE * 0.8, top + side / 2, rows, look="soft", turned=True),
        Label(left + side / 2, top - SIZE * 3.4, writer.label_runs(Message("figures.head")), look="strong"),
        Label(heads_at + WIDE / 2, top - SIZE * 0.6, writer.label_runs(Message("figures.concatenated")), look="strong"),
        Label(out_at + WIDE / 2, top - SIZE * 0.6, writer.label_runs(Message("figures.output")), look="strong"),
        Label(matrix_at + 17, y + SIZE * 0.33, (Run("W", slanted=True), Run("O", slanted=True, level="sup"))),
    ]
    for k in range(1, T + 1):
        labels.append(Label(left + (k - 0.5) * CELL, top - SIZE * 0.5, (Run(str(k)),)))
        labels.append(Label(left - 5, top + (k - 0.5) * CELL + SIZE * 0.33, (Run(str(k)),), "end"))
    arrows = [
        Arrow(left + side + 3, heads_at - 3, y),
        Arrow(heads_at + WIDE + 3, matrix_at - 3, y),
        Arrow(matrix_at + 34 + 3, out_at - 3, y),
    ]
    bottom = top + side
    notes = [writer.label_runs(Message(f"figures.{key}")) for key in ("read", "not-read")]
    labels.append(Label(left + CELL * 0.8, bottom + SIZE * 2.2, notes[0], "start", look="soft"))
    second = left + CELL * 0.8 + breadth(notes[0]) + 18
    labels.append(Label(second + CELL * 0.8, bottom + SIZE * 2.2, notes[1], "start", look="soft"))
    ends = [out_at + WIDE, second + CELL * 0.8 + breadth(notes[1])]
    ends.append(out_at + WIDE / 2 + breadth(writer.label_runs(Message("figures.output"))) / 2)
    return Layout(
        width=max(ends) + SIDE,
        height=bottom + SIZE * 2.6 + SIDE,
        cell=CELL,
        wide=WIDE,
        squares=tuple(squares),
        heads=tuple(heads),
        outputs=tuple(outputs),
        legend=(Square(left, bottom + SIZE * 1.3, True, False), Square(second, bottom + SIZE * 1.3, False, False)),
        arrows=tuple(arrows),
        matrix=(matrix_at, y - 13, 34.0, 26.0),
        frame=(left, top + (t - 1) * CELL, side, CELL),
        labels=tuple(labels),
    )
