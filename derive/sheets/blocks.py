"""The blocks that a sheet is made of: plain frozen dataclasses that know nothing of any target format.

Inline content is a `Text`: a `Message` (a whole sentence of the prose catalogue with values for its
placeholders), a `Localised` text from a manifest, a `Formula`, an `int` (printed with thousands separators)
or a `str` that reads the same in every language (an identifier, a name). No string is ever markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

Language = Literal["zh", "en"]
Path = tuple[int, ...]
Text: TypeAlias = "Message | Localised | Formula | str | int"


@dataclass(frozen=True)
class Formula:
    """A term of the proof language (opaque here), with the places of subterms to mark as changed."""

    term: object
    marked: frozenset[Path] = frozenset()


@dataclass(frozen=True)
class Localised:
    """A text that a manifest gives in each language."""

    zh: str
    en: str

    def in_language(self, lang: Language) -> str:
        return self.zh if lang == "zh" else self.en


@dataclass(frozen=True)
class Message:
    """A whole sentence: the key of the prose catalogues, and what fills the placeholders."""

    key: str
    params: Mapping[str, Text] = field(default_factory=dict)


# --- blocks ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    """A heading inside an exercise; never the last thing on a page."""

    kind: ClassVar[str] = "heading"
    text: Text


@dataclass(frozen=True)
class Paragraph:
    """One or more sentences, set as one paragraph."""

    kind: ClassVar[str] = "paragraph"
    texts: tuple[Text, ...]


@dataclass(frozen=True)
class Items:
    """A list, numbered or with bullets."""

    kind: ClassVar[str] = "items"
    items: tuple[Text, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Display:
    """A formula on a line of its own."""

    kind: ClassVar[str] = "display"
    formula: Formula


Relation = Literal["eq", "le", "lt", "ne", "ge", "gt"]


@dataclass(frozen=True)
class ChainLine:
    """One line of a chain: relation to the line before, its right side, and why, in words.

    In the formula the places that this line changed are `marked`. The reason is a phrase, not a sentence; `codes` are
    the reasons as a proof names them, of which the phrase may say several at once.
    """

    relation: Relation
    formula: Formula
    reason: Text | None = None
    codes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chain:
    """A derivation: its first term, the lines after it, and under it what it was checked against."""

    kind: ClassVar[str] = "chain"
    first: Formula
    lines: tuple[ChainLine, ...]
    checked: tuple[Text, ...] = ()
    first_reason: Text | None = None


@dataclass(frozen=True)
class Table:
    """A small table: a header row and rows of cells; the first column names the row."""

    kind: ClassVar[str] = "table"
    header: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    caption: Text | None = None

    def __post_init__(self) -> None:
        if any(len(row) != len(self.header) for row in self.rows):
            raise ValueError("each row of a table has as many cells as its header")


@dataclass(frozen=True)
class Box:
    """A framed statement (theorem, lemma, definition, convention) or remark (note, trap, hint), with a label."""

    kind: ClassVar[str] = "box"
    style: Literal["theorem", "remark", "trap"]
    label: Text
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Option:
    """One option of a single choice; `why` says why it is right, or which mistake leads to it."""

    text: Text
    right: bool
    why: Text


@dataclass(frozen=True)
class Choice:
    """A single choice: student copies print boxes, worked solutions print each option's reason."""

    kind: ClassVar[str] = "choice"
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        if sum(option.right for option in self.options) != 1:
            raise ValueError("a single choice has exactly one right option")


@dataclass(frozen=True)
class AnswerSpace:
    """Ruled room for an answer; printed in student copies only."""

    kind: ClassVar[str] = "space"
    lines: int


# --- pictures ----------------------------------------------------------------------------------------------
# A drawing is plain data; how it looks stands in templates/svg. A formula in a drawing is set on one line, with
# lowered and raised parts, so it should be short: a name, a numeral, `h*d_k`, `2^-14`.


@dataclass(frozen=True)
class Axis:
    """One axis of a shape: its name (``B``, ``d_model``, ``h*d_k``) and its length here."""

    symbol: Text
    length: int


@dataclass(frozen=True)
class ShapeStep:
    """One array on its way: its name, its axes in order, and the operation that made it from the one before."""

    name: Text
    axes: tuple[Axis, ...]
    operation: Text | None = None


@dataclass(frozen=True)
class ShapeFlow:
    """The arrays from the input to the output, one below the other, an arrow with the operation between them."""

    kind: ClassVar[str] = "shape-flow"
    steps: tuple[ShapeStep, ...]


@dataclass(frozen=True)
class Cell:
    """One cell of a heat map: the number as it is printed (exact decimals), and the shade, from 0 to 1."""

    text: Text
    shade: float


@dataclass(frozen=True)
class HeatPanel:
    """One map, of one head say: a row of cells for each row label; None is a masked cell."""

    title: Text | None
    rows: tuple[Text, ...]
    columns: tuple[Text, ...]
    cells: tuple[tuple[Cell | None, ...], ...]

    def __post_init__(self) -> None:
        if len(self.cells) != len(self.rows) or any(len(row) != len(self.columns) for row in self.cells):
            raise ValueError("a heat map has a row of cells for each row label, and a cell for each column label")


@dataclass(frozen=True)
class HeatMap:
    """Maps side by side, with what rows and columns are ("query position", "key position")."""

    kind: ClassVar[str] = "heat-map"
    panels: tuple[HeatPanel, ...]
    row_axis: Text
    column_axis: Text


@dataclass(frozen=True)
class CausalTriangle:
    """Which of T positions a causal head reads at each position, and what W^O reads at `position` (from 1)."""

    kind: ClassVar[str] = "causal-triangle"
    size: int
    position: int

    def __post_init__(self) -> None:
        if not 1 <= self.position <= self.size:
            raise ValueError("the position is one of 1 to T")


@dataclass(frozen=True)
class Range:
    """From the lowest to the highest value of something, each as a number and as it is printed."""

    name: Text
    low: float
    high: float
    low_text: Text
    high_text: Text


@dataclass(frozen=True)
class AxisRanges:
    """Several ranges above one axis, drawn with distances from 0 under a square root, so that short ones show."""

    kind: ClassVar[str] = "axis-ranges"
    axis: Text
    ranges: tuple[Range, ...]


@dataclass(frozen=True)
class Bar:
    """One bar: its label, its height, and the number as it is printed."""

    label: Text
    value: float
    text: Text


@dataclass(frozen=True)
class BarPanel:
    """Bars over one axis, with a scale of their own."""

    title: Text
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Bars:
    """Panels of bars side by side: logits, shifted logits, and the softmax of both."""

    kind: ClassVar[str] = "bars"
    panels: tuple[BarPanel, ...]


Drawing: TypeAlias = ShapeFlow | HeatMap | CausalTriangle | AxisRanges | Bars


@dataclass(frozen=True)
class Figure:
    """A picture with its caption; `alt` tells in a sentence or two what it shows, to whoever can't see it."""

    kind: ClassVar[str] = "figure"
    drawing: Drawing
    caption: Text
    alt: Text


Block: TypeAlias = Heading | Paragraph | Items | Display | Chain | Table | Box | Choice | AnswerSpace | Figure


# --- exercises and sheets ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Credit:
    """One step of a marking scheme: what must be there, its weight among the steps, and what loses it."""

    step: Text | ChainLine
    weight: int = 1
    loses: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Mark:
    """A line of a marking scheme: so many points for these steps, and what loses them."""

    steps: tuple[Text | ChainLine, ...]
    points: int
    loses: tuple[Text, ...] = ()


@dataclass(frozen=True)
class KeyEntry:
    """One answer of a key: what is answered, exactly, in decimals where it helps, and under which convention."""

    exact: Text
    label: Text | None = None
    decimal: Text | None = None
    convention: Text | None = None

    @property
    def text(self) -> Text:
        """The entry as one text: ``label: exact ≈ decimal (convention)``."""
        text = self.exact
        if self.decimal is not None:
            text = Message("sheet.approximately", {"exact": text, "decimal": self.decimal})
        if self.convention is not None:
            text = Message("sheet.under-convention", {"answer": text, "convention": self.convention})
        return text if self.label is None else Message("sheet.labelled", {"label": self.label, "answer": text})


@dataclass(frozen=True)
class Exercise:
    """One exercise: what every edition asks, what the worked solution (or proof) adds, what the key holds."""

    id: str
    title: Text | None
    points: int | None
    task: tuple[Block, ...]
    space: int
    worked: tuple[Block, ...]
    key: tuple[KeyEntry, ...]
    marking: tuple[Mark, ...] = ()
    proof: bool = False


@dataclass(frozen=True)
class Activity:
    """A part of a sheet: its exercises, with time, goal, prerequisites and the standard for having mastered it."""

    id: str
    title: Text | None
    facts: tuple[tuple[Text, Text], ...]
    declaration: bool
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True)
class Sheet:
    """A sheet, ready to be printed in any edition, language and format."""

    id: str
    title: Localised
    seed: int
    activities: tuple[Activity, ...]
    sources: tuple[Text, ...] = ()

    @property
    def points(self) -> int | None:
        """The sum of all points; none where no exercise has any."""
        known = [e.points for a in self.activities for e in a.exercises if e.points is not None]
        return sum(known) if known else None

    @property
    def totals(self) -> tuple[tuple[str, int], ...]:
        """The points of each activity, or of each exercise where there is one activity only; none for no points."""
        parts = [(a.id, a.exercises) for a in self.activities]
        if len(parts) == 1:
            parts = [(e.id, (e,)) for e in self.activities[0].exercises]
        sums = [(name, [e.points for e in exercises if e.points is not None]) for name, exercises in parts]
        return tuple((name, sum(points)) for name, points in sums if points)
