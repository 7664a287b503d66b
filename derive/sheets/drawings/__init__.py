"""Drawings: from plain data to a scalable vector picture, by one template for each kind of drawing.

A module for each kind says where things stand; its template in ``templates/svg`` says how they look. The unit is
the point at the text size of a sheet. A picture stands alone (a file, a PDF) or inline in a web page, which then
brings the colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment

from derive.sheets.blocks import AxisRanges, CausalTriangle, Drawing, HeatMap, ShapeFlow
from derive.sheets.drawings import axis_ranges, bars, causal_triangle, heat_map, shape_flow
from derive.sheets.drawings.labels import Writer
from derive.sheets.targets.delimiters import page_environment


@dataclass(frozen=True)
class Picture:
    """A drawing in one language: SVG, and how large it is, in points at the text size of a sheet."""

    svg: str
    width: float
    height: float


def _px(value: float) -> str:
    """A coordinate, to a hundredth of a point."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = page_environment()
    environment.filters.update(px=_px)
    return environment


def draw(drawing: Drawing, writer: Writer, alone: bool) -> Picture:
    """Draw; `alone` for a picture that stands in a file of its own and brings its colours and fonts itself."""
    layout: shape_flow.Layout | heat_map.Layout | causal_triangle.Layout | axis_ranges.Layout | bars.Layout
    if isinstance(drawing, ShapeFlow):
        layout = shape_flow.lay_out(drawing, writer)
    elif isinstance(drawing, HeatMap):
        layout = heat_map.lay_out(drawing, writer)
    elif isinstance(drawing, CausalTriangle):
        layout = causal_triangle.lay_out(drawing, writer)
    elif isinstance(drawing, AxisRanges):
        layout = axis_ranges.lay_out(drawing, writer)
    else:
        layout = bars.lay_out(drawing, writer)
    template = _environment().get_template(f"svg/{drawing.kind}.svg")
    svg = template.render(d=layout, alone=alone)
    return Picture("\n".join(line.strip() for line in svg.splitlines() if line.strip()), layout.width, layout.height)
