"""Attention weights and outputs of small inputs with identity projections, exactly.

The scores of head i are the products of columns ``i*d_k .. (i+1)*d_k - 1`` of X, divided by ``sqrt(d_k)``.
Source: "Attention Is All You Need" (arXiv:1706.03762v7), sections 3.2.1 and 3.2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Literal

from derive.answers.values import NAN, Exact, Grid, Right, Said, Scalar, Value
from derive.problems.given import Given, GivenRefused
from derive.problems.kind import AnswerKind, Mistake, Problem, for_each
from derive.problems.softmax import base_two, exponentials, shares, summed
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, div, mul, num, sqrt

MAX_POSITIONS = 16

Matrix = list[list[Fraction]]
Scaling = Literal["root", "none", "width", "model"]
Masking = Literal["causal", "none", "strict", "late", "after"]
Sharing = Literal["softmax", "linear", "base-two", "uniform", "turned"]

ZERO, ONE = num(0), num(1)


@dataclass(frozen=True)
class Layer:
    """The input and how weights are made of it: right, or with one thing done differently."""

    x: Matrix
    h: int
    causal: bool
    scaling: Scaling = "root"
    masking: Masking | None = None
    sharing: Sharing = "softmax"

    @property
    def d_k(self) -> int:
        return len(self.x[0]) // self.h

    def columns(self, head: int) -> Matrix:
        """The part of X that one head sees."""
        return [row[head * self.d_k : (head + 1) * self.d_k] for row in self.x]


def scaled(q: Fraction, divisor: int) -> Term:
    """``q / sqrt(divisor)``, with the root above where that leaves a whole factor."""
    root = isqrt(divisor)
    if q == 0 or root * root == divisor:
        return num(q / root if root * root == divisor else q)
    factor = q / divisor
    if factor.denominator == 1:
        return sqrt(num(divisor)) if factor == 1 else mul(num(factor), sqrt(num(divisor)))
    return div(num(q), sqrt(num(divisor)))


def _scale(layer: Layer) -> Callable[[Fraction], Term]:
    if layer.scaling == "none":
        return num
    if layer.scaling == "width":
        return lambda q: num(q / layer.d_k)
    return partial(scaled, divisor=layer.d_k if layer.scaling == "root" else len(layer.x[0]))


def _allowed(layer: Layer, t: int) -> range:
    """The positions that position t may attend to."""
    masking = layer.masking or ("causal" if layer.causal else "none")
    last = {"causal": t + 1, "after": len(layer.x), "none": len(layer.x), "strict": t, "late": t + 2}[masking]
    return range(min(last, len(layer.x)))


def weights(layer: Layer, head: int) -> list[list[Term]] | None:
    """The weights of a head, row by row; None where a row has nothing to attend to, or can't be shared out so."""
    part = layer.columns(head)
    made: list[list[Term]] = []
    for t, query in enumerate(part):
        seen = _allowed(layer, t)
        scores = [sum((a * b for a, b in zip(query, part[s], strict=True)), Fraction(0)) for s in seen]
        row = _shared(scores, layer) if scores else None
        if row is None:
            return None
        if layer.masking == "after":
            row = row[: t + 1]
        made.append([*row, *[ZERO] * (len(part) - len(row))])
    return made


def _shared(scores: list[Fraction], layer: Layer) -> list[Term] | None:
    if layer.sharing == "linear":
        whole = sum(scores)
        return [num(s / whole) for s in scores] if whole else None
    if layer.sharing == "base-two":
        return base_two(scores)
    if layer.sharing == "uniform":
        return [num(Fraction(1, len(scores)))] * len(scores)
    if layer.sharing == "turned":
        return _shared(scores, replace(layer, sharing="softmax"))[::-1]  # type: ignore[index]
    return shares(exponentials([num(s) for s in scores], _scale(layer)))


def output(layer: Layer, head: int) -> list[list[Term]] | None:
    """The weights times V of one head."""
    found = weights(layer, head)
    if found is None:
        return None
    part = layer.columns(head)
    return [[_mixture(row, [v[c] for v in part]) for c in range(layer.d_k)] for row in found]


def _mixture(row: Sequence[Term], values: Sequence[Fraction]) -> Term:
    """``sum_s row[s] * values[s]``, over one denominator where all of the row have the same."""
    rational = [Fraction(w.data) for w in row if w.op == "num"]  # type: ignore[arg-type]
    if len(rational) == len(row):
        return num(sum((w * v for w, v in zip(rational, values, strict=True)), Fraction(0)))
    parts = [(w, v) for w, v in zip(row, values, strict=True) if v and w != ZERO]
    if not parts:
        return ZERO
    if all(w.op == "div" and w.args[1] == parts[0][0].args[1] for w, _ in parts):
        return div(summed([_times(w.args[0], v) for w, v in parts]), parts[0][0].args[1])
    return summed([_times(w, v) for w, v in parts])


def _times(w: Term, v: Fraction) -> Term:
    if w == ONE:
        return num(v)
    return w if v == 1 else mul(num(v), w)


def joined(layer: Layer, order: Sequence[int]) -> list[list[Term]] | None:
    """The outputs of heads beside one another."""
    parts = [output(layer, i) for i in order]
    made: list[list[Term]] = [[] for _ in layer.x]
    for p in parts:
        if p is None:
            return None
        for line, more in zip(made, p, strict=True):
            line.extend(more)
    return made


def grid(rows: list[list[Term]] | None) -> Value | None:
    if rows is None:
        return None
    return Grid(tuple(tuple(Exact(t) for t in r) for r in rows))


def _layer(given: Given) -> tuple[Layer, int | None]:
    x = given.matrix("X", MAX_POSITIONS, 64)
    h = given.whole("h", None, 1, 64)
    if len(x[0]) % h:
        raise GivenRefused("heads-divide", d_model=len(x[0]), h=h)
    layer = Layer(x, h, given.flag("causal", True))
    return layer, given.whole("head", None, 0, h - 1) if given.has("head") else None


_VARIATIONS: tuple[tuple[str, dict[str, str]], ...] = (
    ("not-scaled", {"scaling": "none"}),
    ("scaled-by-width", {"scaling": "width"}),
    ("scaled-by-model-width", {"scaling": "model"}),
    ("not-masked", {"masking": "none"}),
    ("mask-shifted", {"masking": "late"}),
    ("mask-shifted", {"masking": "strict"}),
    ("masked-after-softmax", {"masking": "after"}),
    ("linear-instead-of-exponential", {"sharing": "linear"}),
    ("base-two", {"sharing": "base-two"}),
    ("uniform", {"sharing": "uniform"}),
    ("entries-swapped", {"sharing": "turned"}),
    ("not-scaled-not-masked", {"scaling": "none", "masking": "none"}),
)


def _variations(layer: Layer, make: Callable[[Layer], list[list[Term]] | None]) -> list[Mistake]:
    """What comes out with one thing done differently."""
    found: list[Mistake] = []
    for code, changes in _VARIATIONS:
        if not layer.causal and "masking" in changes:
            if changes["masking"] == "none":
                continue
            code = "masked-where-not" if changes["masking"] == "late" else code
            changes = {**changes, "masking": "causal"} if changes["masking"] == "late" else changes
        changed = replace(layer, **changes)  # type: ignore[arg-type]
        found += for_each(code, lambda other: grid(make(other)), (changed,))
    return found


def _strict(layer: Layer, head: int) -> Value | None:
    """The mask shifted by one with its first row, which has nothing to attend to, as NaN."""
    shifted = replace(layer, masking="strict")
    rows: list[tuple[Scalar, ...]] = [(NAN,) * len(layer.x)]
    part = layer.columns(head)
    for t in range(1, len(part)):
        scores = [sum((a * b for a, b in zip(part[t], part[s], strict=True)), Fraction(0)) for s in range(t)]
        row = _shared(scores, shifted) or []
        rows.append(tuple(Exact(w) for w in [*row, *[ZERO] * (len(part) - len(row))]))
    return Grid(tuple(rows))


def _transposed(rows: list[list[Term]] | None) -> Value | None:
    return None if rows is None else grid([list(r) for r in zip(*rows, strict=True)])


def _weights(given: Given) -> Problem:
    layer, head = _layer(given)
    if head is None:
        if layer.h > 1:
            raise GivenRefused("missing", name="head")
        head = 0
    right = grid(weights(layer, head))
    if right is None:
        raise GivenRefused("no-value", name="X", found="X")
    mistakes = _variations(layer, lambda changed: weights(changed, head))
    mistakes += for_each("another-head", lambda i: grid(weights(layer, i)), range(layer.h))
    mistakes += [
        Mistake("heads-not-split", lambda: grid(weights(replace(layer, h=1), 0)) if layer.h > 1 else None),
        Mistake("transposed", lambda: _transposed(weights(layer, head))),
        Mistake("scores-not-softmax", lambda: grid(_scores(layer, head))),
        Mistake("scores-not-softmax", lambda: grid(_scores(replace(layer, scaling="none"), head))),
        Mistake("over-columns", lambda: grid(_over_columns(layer, head))),
        Mistake("output-instead-of-weights", lambda: grid(output(layer, head))),
        Mistake("mask-shifted", lambda: _strict(layer, head) if layer.causal else None),
    ]
    return Problem(Right(right, _line(layer, "attention-weights")), tuple(mistakes))


def _scores(layer: Layer, head: int) -> list[list[Term]]:
    part, scale = layer.columns(head), _scale(layer)
    return [[scale(sum((a * b for a, b in zip(q, k, strict=True)), Fraction(0))) for k in part] for q in part]


def _over_columns(layer: Layer, head: int) -> list[list[Term]]:
    """Softmax of each column of the masked scores, where each row is right."""
    part = layer.columns(head)
    columns = []
    for s, key in enumerate(part):
        seen = [t for t in range(len(part)) if s in _allowed(layer, t)]
        scores = [sum((a * b for a, b in zip(part[t], key, strict=True)), Fraction(0)) for t in seen]
        found = dict(zip(seen, shares(exponentials([num(q) for q in scores], _scale(layer))), strict=True))
        columns.append([found.get(t, ZERO) for t in range(len(part))])
    return [list(r) for r in zip(*columns, strict=True)]


def _stacked(layer: Layer) -> list[list[Term]] | None:
    """The outputs of the heads below one another, where they stand beside one another."""
    parts = [output(layer, i) for i in range(layer.h)]
    return None if any(p is None for p in parts) else [r for p in parts if p is not None for r in p]


def _output(given: Given) -> Problem:
    layer, head = _layer(given)
    heads = range(layer.h) if head is None else (head,)
    right = grid(joined(layer, heads))
    if right is None:
        raise GivenRefused("no-value", name="X", found="X")
    mistakes = _variations(layer, lambda changed: joined(changed, heads))
    mistakes += [
        Mistake("heads-in-another-order", lambda: grid(joined(layer, tuple(reversed(heads))))),
        Mistake("heads-not-split", lambda: grid(joined(replace(layer, h=1), (0,))) if layer.h > 1 else None),
        Mistake("weights-instead-of-output", lambda: grid(weights(layer, heads[0]))),
        Mistake("input-unchanged", lambda: grid([[num(q) for q in r] for r in layer.x])),
        Mistake("transposed", lambda: _transposed(joined(layer, heads))),
    ]
    if head is None and layer.h > 1:
        mistakes += for_each("one-head-output", lambda i: grid(output(layer, i)), range(layer.h))
        mistakes.append(Mistake("heads-stacked", lambda: grid(_stacked(layer))))
    if head is not None:
        mistakes.append(Mistake("all-heads", lambda: grid(joined(layer, range(layer.h)))))
        mistakes += for_each("another-head", lambda i: grid(output(layer, i)), range(layer.h))
    return Problem(Right(right, _line(layer, "attention-output")), tuple(mistakes))


def _line(layer: Layer, what: str) -> Said:
    code = f"{what}-causal" if layer.causal else what
    return Said(code, {"root": to_plain(scaled(Fraction(layer.d_k), layer.d_k)), "d_k": layer.d_k})


WEIGHTS = AnswerKind("attention-weights", ("X", "h", "head", "causal"), _weights, "matrix")
OUTPUT = AnswerKind("attention-output", ("X", "h", "head", "causal"), _output, "matrix")
