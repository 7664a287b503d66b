"""Shapes through the layer: which axis is which, in numbers or names.

Source: "Attention Is All You Need" (arXiv:1706.03762v7), section 3.2.2, with the axes in the order that nanoGPT uses.
"""

from __future__ import annotations

from functools import partial
from itertools import permutations
from typing import Final

from derive.answers.values import Exact, Names, Right, Row, Said
from derive.problems.given import Given
from derive.problems.kind import AnswerKind, Mistake, Problem
from derive.problems.parameters import divides
from proofs.syntax.environment import declare
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, div, mul, num, var

SHAPES: Final = {
    "input": ("B", "T", "d_model"), "projected": ("B", "T", "d_model"),
    "viewed": ("B", "T", "h", "d_k"), "heads": ("B", "h", "T", "d_k"),
    "scores": ("B", "h", "T", "T"), "weights": ("B", "h", "T", "T"),
    "context": ("B", "h", "T", "d_k"), "swapped-back": ("B", "T", "h", "d_k"),
    "concatenated": ("B", "T", "d_model"), "output": ("B", "T", "d_model"),
}  # fmt: skip
"""The axes after each step; d_v is d_k here, and h*d_k is d_model."""


def _row(terms: tuple[Term, ...]) -> Row:
    return Row(tuple(Exact(t) for t in terms))


def _shape(given: Given) -> Problem:
    at = given.choice("at", tuple(SHAPES))
    sizes = {n: given.size(n) for n in ("B", "T", "d_model", "h")}
    divides(sizes["d_model"], sizes["h"])
    axes = SHAPES[at]
    numbers = all(s.number is not None for s in sizes.values())
    symbols = {n: var(n, "integer") if numbers else s.term for n, s in sizes.items()}
    names = list(sizes) if numbers else list({s.name for s in sizes.values() if s.name is not None})
    widths = [declare(n, "positive") for n in ("d_k", "d_v") if n not in names]
    declared = (*(declare(n, "size") for n in names), *widths)
    meaning = div(symbols["d_model"], symbols["h"])
    meanings = {d.variable: meaning for d in widths}
    terms: dict[str, Term] = {n: s.term for n, s in sizes.items()}
    d, h = sizes["d_model"].number, sizes["h"].number
    d_k = next((w.variable for w in widths if w.name == "d_k"), meaning)
    terms["d_k"] = num(d // h) if d is not None and h is not None else d_k
    symbols["d_k"] = d_k
    right = tuple(terms[a] for a in axes)
    named = _row(tuple(symbols[a] for a in axes)) if numbers else None
    line = Said("shape", {"at": at, "axes": ", ".join(axes), "shape": ", ".join(map(to_plain, right))})
    return Problem(
        Right(_row(right), line, Names(declared, meanings), named, shape=True),
        _mistakes(at, axes, terms, symbols if numbers else None),
    )


def _mistakes(
    at: str, axes: tuple[str, ...], terms: dict[str, Term], symbols: dict[str, Term] | None
) -> tuple[Mistake, ...]:
    """Shapes that people give instead, in numbers and, where the answer may be in names, in names."""
    found: list[Mistake] = []

    def add(code: str, other: tuple[str, ...]) -> None:
        if other == axes:
            return
        for table in (terms, symbols):
            if table is not None:
                found.append(Mistake(code, partial(_row, tuple(_axis(table, a) for a in other))))

    if axes == ("B", "h", "T", "d_k"):
        add("view-without-swap", ("B", "T", "h", "d_k"))
    elif axes == ("B", "T", "h", "d_k"):
        add("swapped-already", ("B", "h", "T", "d_k"))
    add("heads-left-out", tuple(a for a in axes if a != "h"))
    add("batch-left-out", axes[1:])
    add("width-not-split", tuple("d_model" if a == "d_k" else a for a in axes))
    if at in ("scores", "weights"):
        add("wrong-axis-contracted", ("B", "h", "d_k", "d_k"))
        add("wrong-axis-contracted", ("B", "T", "d_k", "d_k"))
        add("wrong-axis-contracted", ("B", "T", "h", "h"))
    if axes == ("B", "T", "d_model"):
        add("heads-not-joined", ("B", "T", "h", "d_k"))
        add("heads-not-joined", ("B", "h", "T", "d_k"))
        add("one-head-only", ("B", "T", "d_k"))
    for other in permutations(axes):
        add("axes-swapped", other)
    for name, other in SHAPES.items():
        if name != at:
            add("shape-of-another-step", other)
    add("tokens-times-width", ("B", "T*d_model"))
    return tuple(found)


def _axis(table: dict[str, Term], name: str) -> Term:
    return mul(table["T"], table["d_model"]) if "*" in name else table[name]


SHAPE = AnswerKind("mha-shape", ("B", "T", "d_model", "h", "at"), _shape, "shape")
