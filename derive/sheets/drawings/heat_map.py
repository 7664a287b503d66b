"""Where the cells of heat maps stand: panels side by side, in as many rows of panels as the page needs."""

from __future__ import annotations

from dataclasses import dataclass

from derive.sheets.blocks import HeatMap
from derive.sheets.drawings.labels import SIZE, Label, Writer, breadth

CELL, LEAST, PAD, BETWEEN, SIDE, WIDEST = 25.0, 30.0, 6.0, 30.0, 1.0, 450.0
DARK = 0.55  # from this shade on, the number is written in the colour of the paper


@dataclass(frozen=True)
class Square:
    """One cell: its place, its shade from 0 to 1 (None: masked), and its number."""

    x: float
    y: float
    width: float
    height: float
    shade: float | None
    label: Label | None


@dataclass(frozen=True)
class Layout:
    """All that is drawn."""

    width: float
    height: float
    squares: tuple[Square, ...]
    labels: tuple[Label, ...]


def lay_out(drawing: HeatMap, writer: Writer) -> Layout:
    squares: list[Square] = []
    labels: list[Label] = []
    row_axis, column_axis = writer.label_runs(drawing.row_axis), writer.label_runs(drawing.column_axis)
    x0, y0, right, deepest = SIDE, SIDE, 0.0, 0.0
    for panel in drawing.panels:
        rows = [writer.label_runs(t) for t in panel.rows]
        columns = [writer.label_runs(t) for t in panel.columns]
        texts = [[None if c is None else writer.label_runs(c.text) for c in row] for row in panel.cells]
        written = [*columns, *(t for row in texts for t in row if t is not None)]
        cell = max(LEAST, *(breadth(t) + 2 * PAD for t in written))
        margin = SIZE * 1.5 + max(map(breadth, rows)) + PAD
        title = () if panel.title is None else writer.label_runs(panel.title)
        inner = max(cell * len(columns), breadth(column_axis), breadth(title))
        if x0 > SIDE and x0 + margin + inner > WIDEST:
            x0, y0 = SIDE, deepest + BETWEEN * 0.7
        left = x0 + margin
        top = y0 + (SIZE * 1.7 if title else 0) + SIZE * 2.9
        middle = left + cell * len(columns) / 2
        if title:
            labels.append(Label(middle, y0 + SIZE, title, look="strong"))
        labels.append(Label(middle, top - SIZE * 1.9, column_axis, look="soft"))
        labels += [Label(left + (k + 0.5) * cell, top - SIZE * 0.5, c) for k, c in enumerate(columns)]
        labels.append(Label(x0 + SIZE * 0.8, top + CELL * len(rows) / 2, row_axis, look="soft", turned=True))
        for k, row in enumerate(rows):
            y = top + k * CELL
            labels.append(Label(left - PAD, y + CELL / 2 + SIZE * 0.33, row, "end"))
            for n, found in enumerate(panel.cells[k]):
                x = left + n * cell
                text = texts[k][n]
                if found is None or text is None:
                    squares.append(Square(x, y, cell, CELL, None, None))
                    continue
                shade = min(1.0, max(0.0, found.shade))
                look = "inverse" if shade >= DARK else ""
                label = Label(x + cell / 2, y + CELL / 2 + SIZE * 0.33, text, look=look)
                squares.append(Square(x, y, cell, CELL, shade, label))
        end = left + (inner + cell * len(columns)) / 2
        right, deepest = max(right, end), max(deepest, top + CELL * len(rows))
        x0 = end + BETWEEN
    return Layout(right + SIDE, deepest + SIDE, tuple(squares), tuple(labels))
