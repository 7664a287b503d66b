"""Where the arrays of a shape flow stand: one row each, and lines that follow an axis from array to array."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from derive.sheets.blocks import ShapeFlow
from derive.sheets.drawings.labels import SIZE, Label, Run, Writer, breadth, lines_of

ROW, GAP, PAD, LEAST, SIDE = 27.0, 19.0, 8.0, 34.0, 1.0
OPERATION = 150.0


@dataclass(frozen=True)
class AxisBox:
    """One axis of one array: a box with the name above the length."""

    x: float
    y: float
    width: float
    height: float
    symbol: Label
    length: Label


@dataclass(frozen=True)
class Line:
    """A line from one place to another."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True)
class Layout:
    """All that is drawn."""

    width: float
    height: float
    names: tuple[Label, ...]
    boxes: tuple[AxisBox, ...]
    threads: tuple[Line, ...]
    arrows: tuple[Line, ...]
    operations: tuple[Label, ...]


def lay_out(drawing: ShapeFlow, writer: Writer) -> Layout:
    names = [writer.label_runs(step.name) for step in drawing.steps]
    symbols = [[writer.label_runs(axis.symbol) for axis in step.axes] for step in drawing.steps]
    left = max(map(breadth, names), default=0.0) + 10 + SIDE
    widths = [
        [
            max(LEAST, breadth(s) + 2 * PAD, breadth((Run(str(a.length)),)) + 2 * PAD)
            for s, a in zip(row, step.axes, strict=True)
        ]
        for row, step in zip(symbols, drawing.steps, strict=True)
    ]
    right = left + max((sum(row) for row in widths), default=0.0)
    arrow = right + 14
    boxes: list[AxisBox] = []
    places: list[dict[tuple[Run, ...], AxisBox]] = []
    labels: list[Label] = []
    widest = 0.0
    operations: list[Label] = []
    arrows: list[Line] = []
    for k, step in enumerate(drawing.steps):
        y = SIDE + k * (ROW + GAP)
        labels.append(Label(left - 10, y + ROW / 2 + SIZE * 0.33, names[k], "end", look="strong"))
        x = left
        row: list[AxisBox] = []
        for axis, symbol, width in zip(step.axes, symbols[k], widths[k], strict=True):
            middle = x + width / 2
            row.append(
                AxisBox(
                    x, y, width, ROW,
                    Label(middle, y + 11, symbol),
                    Label(middle, y + ROW - 4.5, (Run(str(axis.length)),), look="soft"),
                )
            )  # fmt: skip
            x += width
        boxes += row
        places.append({s: box for s, box in zip(symbols[k], row, strict=True) if symbols[k].count(s) == 1})
        if k and step.operation is not None:
            arrows.append(Line(arrow, y - GAP - ROW / 2 + 3, arrow, y + ROW / 2 - 3))
            said = lines_of(writer.label_runs(step.operation), OPERATION)
            first = y - GAP / 2 + SIZE * 0.33 - (len(said) - 1) * SIZE * 0.6
            for n, line in enumerate(said):
                operations.append(Label(arrow + 9, first + n * SIZE * 1.2, line, "start"))
                widest = max(widest, breadth(line))
    threads = [
        Line(above[s].x + above[s].width / 2, above[s].y + ROW, below[s].x + below[s].width / 2, below[s].y)
        for above, below in pairwise(places)
        for s in above
        if s in below
    ]
    height = 2 * SIDE + len(drawing.steps) * (ROW + GAP) - GAP
    total = arrow + 9 + widest if arrows else right
    return Layout(total + SIDE, height, tuple(labels), tuple(boxes), tuple(threads), tuple(arrows), tuple(operations))
