"""Where bars stand: panels side by side, each with its own scale and its zero line."""

from __future__ import annotations

from dataclasses import dataclass

from derive.sheets.blocks import Bars
from derive.sheets.drawings.labels import SIZE, Label, Writer, breadth

TALL, LEAST, PAD, BETWEEN, SIDE, WIDEST = 84.0, 26.0, 7.0, 26.0, 1.0, 450.0


@dataclass(frozen=True)
class Rod:
    """One bar."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Zero:
    """The zero line of a panel."""

    x1: float
    x2: float
    y: float


@dataclass(frozen=True)
class Layout:
    """All that is drawn."""

    width: float
    height: float
    rods: tuple[Rod, ...]
    zeros: tuple[Zero, ...]
    labels: tuple[Label, ...]


def lay_out(drawing: Bars, writer: Writer) -> Layout:
    rods: list[Rod] = []
    zeros: list[Zero] = []
    labels: list[Label] = []
    x0, y0, right, bottom = SIDE, SIDE, 0.0, 0.0
    for panel in drawing.panels:
        title = writer.label_runs(panel.title)
        texts = [(writer.label_runs(b.label), writer.label_runs(b.text)) for b in panel.bars]
        slot = max(LEAST, *(breadth(t) + PAD for pair in texts for t in pair))
        inner = max(slot * len(texts), breadth(title))
        if x0 > SIDE and x0 + inner > WIDEST:
            x0, y0 = SIDE, bottom + 12
        middle = x0 + inner / 2
        low = min(0.0, *(b.value for b in panel.bars))
        high = max(0.0, *(b.value for b in panel.bars))
        scale = TALL / ((high - low) or 1.0)
        top = y0 + SIZE * 3.1
        zero = top + high * scale
        end = zero - low * scale + (SIZE * 1.2 if low < 0 else 0)
        labels.append(Label(middle, y0 + SIZE, title, look="strong"))
        first = middle - slot * len(texts) / 2
        zeros.append(Zero(first, first + slot * len(texts), zero))
        for k, bar in enumerate(panel.bars):
            centre = first + (k + 0.5) * slot
            tall = abs(bar.value) * scale
            y = zero - tall if bar.value >= 0 else zero
            rods.append(Rod(centre - slot * 0.3, y, slot * 0.6, tall))
            labels.append(Label(centre, y - 3.5 if bar.value >= 0 else y + tall + SIZE, texts[k][1]))
            labels.append(Label(centre, end + SIZE * 1.5, texts[k][0], look="soft"))
        right = max(right, x0 + inner)
        bottom = max(bottom, end + SIZE * 1.9)
        x0 += inner + BETWEEN
    return Layout(right + SIDE, bottom + SIDE, tuple(rods), tuple(zeros), tuple(labels))
