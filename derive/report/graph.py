"""What proofs rest on, as pictures: theorems with their definitions and axioms, and a chain line by line.

A node names what it is in its classes, and an edge the two nodes that it joins, so that a page can tell by style
alone which edges belong to the node at hand. The unit is the point at the text size of a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean

from derive.library import reason_text
from derive.report.evidence import Evidence
from derive.report.trusted import family
from derive.sheets.blocks import Message, Text
from derive.sheets.drawings.labels import Label, Run, breadth, lines_of, runs_of_formula
from derive.sheets.targets import Target
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term

SIZE, LEADING, PAD, BOX, GAP, MOST, SIDE = 9.0, 10.5, 5.0, 14.0, 4.0, 30.0, 1.0
ACROSS, BEFORE, REASONS = 118.0, 84.0, 190.0


@dataclass(frozen=True)
class Node:
    """A box with its lines of text; `kind` is its colour, `name` what its edges call it."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    name: str
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class Edge:
    """A curve from one side of a node to the facing side of another."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str
    ends: tuple[str, str]
    weight: float


@dataclass(frozen=True)
class Layout:
    """All that is drawn."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    headings: tuple[Label, ...]


@dataclass(frozen=True)
class _Item:
    """A node before it has a place; `heading` begins a group."""

    name: str
    kind: str
    lines: tuple[tuple[Run, ...], ...]
    heading: tuple[Run, ...] | None = None

    @property
    def width(self) -> float:
        return max(breadth(line, SIZE) for line in self.lines) + 2 * PAD

    @property
    def height(self) -> float:
        return BOX + (len(self.lines) - 1) * LEADING


def overall(evidence: Sequence[Evidence], target: Target) -> Layout:
    """Definitions, theorems and axioms in three columns, each theorem joined to what it rests on."""
    theorems = [_Item(f"t{k}", "theorem", (_words(e.name),)) for k, e in enumerate(evidence)]
    rows = _uses(evidence, lambda e: e.tally.rows)
    unfolded = _uses(evidence, lambda e: dict.fromkeys(e.tally.unfolded, 1))
    left = [_Item(f"d-{d}", "definition", (_words(d),)) for d in sorted(unfolded, key=lambda d: fmean(unfolded[d]))]
    right = _by_family(rows, target)
    columns = [_column(left, 0.0), _column(theorems, 0.0), _column(right, 0.0)]
    tallest = max(c.height for c in columns)
    x = SIDE
    placed: list[_Column] = []
    for items, after in ((left, BEFORE), (theorems, ACROSS), (right, 0.0)):
        column = _column(items, x, tallest)
        placed.append(column)
        if items:
            x += column.width + after
    definitions, middle, axioms = ({n.name: n for n in c.nodes} for c in placed)
    edges = []
    for k, e in enumerate(evidence):
        here = middle[f"t{k}"]
        for d in e.tally.unfolded:
            edges.append(_edge(definitions[f"d-{d}"], here, "definition", 1))
        for row, count in e.tally.rows.items():
            edges.append(_edge(here, axioms[f"r-{row}"], family(row), count))
    return _whole(placed, edges)


def of_theorem(e: Evidence, target: Target, assumptions: Mapping[int, Text | Term]) -> Layout:
    """The lines of a chain, each joined to the assumptions, definitions and axioms that it rests on.

    `assumptions` are the names, or the formulas themselves, of the statement's assumptions.
    """
    lines = [x for x in e.lines if x.number is not None or x.rests_on_something]
    left, joined = [], []
    for x in lines:
        name = f"l{x.number or 0}"
        reasons = _reasons(x.number, x.reasons, target)
        left.append(_Item(name, "line", tuple(lines_of(reasons, REASONS, SIZE))))
        joined += [(name, f"a{n}", "assumption", 1) for n in x.assumptions]
        joined += [(name, f"d-{d}", "definition", 1) for d in x.tally.unfolded]
        joined += [(name, f"r-{row}", family(row), count) for row, count in x.tally.rows.items()]
    used = dict.fromkeys(n for x in lines for n in x.assumptions)
    right = [
        _Item(f"a{n}", "assumption", (_named(assumptions[n], target),), _heading(target, "assumptions", k))
        for k, n in enumerate(sorted(used))
    ]
    unfolded = dict.fromkeys(d for x in lines for d in x.tally.unfolded)
    right += [
        _Item(f"d-{d}", "definition", (_words(d),), _heading(target, "definitions", k)) for k, d in enumerate(unfolded)
    ]
    places = {f"l{x.number or 0}": k for k, x in enumerate(lines)}
    uses = {
        row: [float(places[a]) for a, b, _, _ in joined if b == f"r-{row}"] for row in e.tally.rows
    }  # fmt: skip
    right += _by_family({row: at for row, at in uses.items() if at}, target)
    tallest = max(_column(left, 0.0).height, _column(right, 0.0).height)
    first = _column(left, SIDE, tallest)
    second = _column(right, SIDE + first.width + ACROSS, tallest)
    nodes = {n.name: n for n in (*first.nodes, *second.nodes)}
    edges = [_edge(nodes[a], nodes[b], kind, count) for a, b, kind, count in joined]
    return _whole([first, second], edges)


# --- columns -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Column:
    width: float
    height: float
    nodes: tuple[Node, ...]
    headings: tuple[Label, ...]


def _column(items: Sequence[_Item], x: float, height: float = 0.0) -> _Column:
    """Boxes of one width below one another, spread over `height` where there is room."""
    width = max((i.width for i in items), default=0.0)
    needed = sum(i.height for i in items) + GAP * max(0, len(items) - 1) + 2 * SIDE
    needed += sum(LEADING + 3 + (GAP if k else 0) for k, i in enumerate(items) if i.heading is not None)
    spare = max(0.0, height - needed)
    between = min(spare / max(1, len(items)), MOST - GAP)
    y = SIDE + (spare - between * max(0, len(items) - 1)) / 2
    nodes, headings = [], []
    for k, item in enumerate(items):
        if item.heading is not None:
            y += GAP if k else 0
            headings.append(Label(x, y + SIZE, item.heading, "start", SIZE - 1, f"soft {item.kind}"))
            y += LEADING + 3
        labels = tuple(
            Label(x + PAD, y + BOX / 2 + SIZE * 0.33 + n * LEADING, line, "start", SIZE)
            for n, line in enumerate(item.lines)
        )
        nodes.append(Node(x, y, width, item.height, item.kind, item.name, labels))
        y += item.height + GAP + between
    return _Column(width, needed, tuple(nodes), tuple(headings))


def _by_family(uses: Mapping[str, Sequence[float]], target: Target) -> list[_Item]:
    """Rows by family; families and rows stand near what uses them, so that few edges cross."""
    groups: dict[str, list[str]] = {}
    for row in uses:
        groups.setdefault(family(row), []).append(row)
    found = []
    for group in sorted(groups, key=lambda g: fmean(x for row in groups[g] for x in uses[row])):
        for k, row in enumerate(sorted(groups[group], key=lambda r: (fmean(uses[r]), r))):
            found.append(_Item(f"r-{row}", group, (_words(row),), _heading(target, f"family-{group}", k)))
    return found


def _uses(evidence: Sequence[Evidence], used: Callable[[Evidence], Mapping[str, int]]) -> dict[str, list[float]]:
    """At which theorems each thing is used."""
    found: dict[str, list[float]] = {}
    for k, e in enumerate(evidence):
        for name in used(e):
            found.setdefault(name, []).append(float(k))
    return found


def _edge(a: Node, b: Node, kind: str, count: int) -> Edge:
    weight = min(2.0, 0.7 + 0.3 * log2(count))
    return Edge(a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2, kind, (a.name, b.name), weight)


def _whole(columns: Sequence[_Column], edges: Sequence[Edge]) -> Layout:
    nodes = tuple(n for c in columns for n in c.nodes)
    headings = tuple(h for c in columns for h in c.headings)
    right = max(
        max((n.x + n.width for n in nodes), default=0.0),
        max((h.x + breadth(h.runs, h.size) for h in headings), default=0.0),
    )
    bottom = max((n.y + n.height for n in nodes), default=0.0)
    return Layout(right + SIDE, bottom + SIDE, nodes, tuple(edges), headings)


# --- labels ------------------------------------------------------------------------------------------------


def _words(text: str) -> tuple[Run, ...]:
    return (Run(text),)


def _heading(target: Target, key: str, place: int) -> tuple[Run, ...] | None:
    """The heading of a group stands before its first member."""
    return target.label_runs(Message(f"report.{key}")) if place == 0 else None


def _named(name: Text | Term, target: Target) -> tuple[Run, ...]:
    if isinstance(name, Term):
        return runs_of_formula(to_plain(name).replace("<=", "\u2264").replace("!=", "\u2260"))
    return target.label_runs(name)


def _reasons(number: int | None, codes: tuple[str, ...], target: Target) -> tuple[Run, ...]:
    if number is None:
        return target.label_runs(Message("report.joined"))
    said = reason_text(codes)
    return (Run(f"{number}\u2002"), *(() if said is None else target.label_runs(said)))
