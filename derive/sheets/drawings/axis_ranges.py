"""Where ranges stand above one axis: distances from 0 under a square root, so that short ones show too."""

from __future__ import annotations

import math
from dataclasses import dataclass

from derive.sheets.blocks import AxisRanges, Message
from derive.sheets.drawings.labels import SIZE, Label, Run, Writer, breadth, lines_of

LENGTH, ROW, BAR, SIDE = 300.0, 30.0, 9.0, 1.0
TICKS = (1, 2, 5, 10, 25, 50, 100, 200, 400, 700, 1000, 2500, 5000, 10000)


@dataclass(frozen=True)
class Rod:
    """One range."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Tick:
    """One mark on the axis."""

    x: float
    label: Label


@dataclass(frozen=True)
class Layout:
    """All that is drawn."""

    width: float
    height: float
    left: float
    right: float
    top: float
    axis: float
    zero: float
    rods: tuple[Rod, ...]
    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]


def lay_out(drawing: AxisRanges, writer: Writer) -> Layout:
    names = [writer.label_runs(r.name) for r in drawing.ranges]
    low = min(0.0, *(r.low for r in drawing.ranges))
    high = max(0.0, *(r.high for r in drawing.ranges))
    left = SIDE + max(map(breadth, names)) + 16
    right = left + LENGTH
    span = math.sqrt(-low) + math.sqrt(high) or 1.0

    def at(value: float) -> float:
        return left + LENGTH * (math.sqrt(-low) + math.copysign(math.sqrt(abs(value)), value)) / span

    rods: list[Rod] = []
    labels: list[Label] = []
    for k, r in enumerate(drawing.ranges):
        y = SIDE + k * ROW + SIZE * 1.3
        x1, x2 = at(r.low), at(r.high)
        rods.append(Rod(x1, y, x2 - x1, BAR))
        labels.append(Label(left - 16, y + BAR - 1, names[k], "end", look="strong"))
        texts = writer.label_runs(r.low_text), writer.label_runs(r.high_text)
        widths = [breadth(t, 8.5) for t in texts]
        middle = at(0)
        over = widths[0] > middle - x1 - 4 or widths[1] > x2 - middle - 4
        first, last = (middle - 4, middle + 4) if over else (x1, x2)
        labels.append(Label(first, y - 3, texts[0], "end" if over else "start", 8.5))
        labels.append(Label(last, y - 3, texts[1], "start" if over else "end", 8.5))
    axis = SIDE + len(drawing.ranges) * ROW + SIZE * 0.8
    ticks: list[Tick] = []
    for n in sorted({0, *TICKS, *(-n for n in TICKS)}, key=abs):
        x = at(n)
        if left - 1 <= x <= right + 1 and all(abs(x - t.x) > 21 for t in ticks):
            ticks.append(
                Tick(x, Label(x, axis + SIZE * 1.4, (Run(f"{n:,}".replace("-", "\u2212")),), size=8.5, look="soft"))
            )
    bottom = axis + SIZE * 2.9
    labels.append(Label(right + 8, axis + SIZE * 0.33, writer.label_runs(drawing.axis), "start"))
    said = lines_of(writer.label_runs(Message("figures.compressed")), LENGTH + left - 20, 8.5)
    labels += [Label(right, bottom + n * 10.5, line, "end", 8.5, "soft") for n, line in enumerate(said)]
    width = right + 8 + breadth(writer.label_runs(drawing.axis)) + SIDE
    height = bottom + (len(said) - 1) * 10.5 + 4 + SIDE
    return Layout(width, height, left, right, SIDE, axis, at(0), tuple(rods), tuple(ticks), tuple(labels))
