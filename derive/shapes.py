"""Shapes through multi-head attention: operations on named axes, each of which refuses an axis that does not fit.

Where two axes are equally long, numbers can't tell them apart; names can. A shape is a row of axes, each with a name
and a size (a numeral, or a letter), and every operation checks both. Keys and values have their positions on an axis
of their own, `S`, as long as the axis `T` of the queries. Source: "Attention Is All You Need" (arXiv:1706.03762v7),
sections 3.2.1 and 3.2.2, with the axes in the order that nanoGPT uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from proofs.terms import Term, num, var


@dataclass(frozen=True)
class Axis:
    """An axis: its name, its size, and the axes that were joined to make it, the slowest first."""

    name: str
    size: Term
    parts: tuple[Axis, ...] = ()

    def fits(self, other: Axis) -> bool:
        """Whether both are the same axis, as far as a matrix or a sum over it can tell."""
        return (self.name, self.size) == (other.name, other.size)


Shape: TypeAlias = tuple[Axis, ...]
MismatchCode = Literal["width", "view", "no-axis", "batch", "contracted", "mask", "softmax", "merge"]


class ShapeMismatch(ValueError):
    """An operation met an axis that does not fit: `found` where it needs `wanted` (None: no axis at all)."""

    def __init__(self, code: MismatchCode, found: Axis | None, wanted: Axis | None) -> None:
        names = [None if a is None else a.name for a in (found, wanted)]
        super().__init__(f"{code}: found {names[0]}, wanted {names[1]}")
        self.code, self.found, self.wanted = code, found, wanted


# --- operations --------------------------------------------------------------------------------------------


class Operation(Protocol):
    """What makes one array of others: `shape` gives its shape, or raises `ShapeMismatch`."""

    def shape(self, *inputs: Shape) -> Shape: ...


@dataclass(frozen=True)
class Project:
    """Multiplication by a matrix of shape (rows, columns) from the right.

    >>> a = named()
    >>> [x.name for x in Project(a.d_model, a.split).shape((a.B, a.T, a.d_model))]
    ['B', 'T', 'd_model']
    >>> Project(a.d_model, a.split).shape((a.B, a.T, a.h, a.d_k))
    Traceback (most recent call last):
    derive.shapes.ShapeMismatch: width: found d_k, wanted d_model
    """

    rows: Axis
    columns: Axis

    def shape(self, *inputs: Shape) -> Shape:
        (x,) = inputs
        if not x or not x[-1].fits(self.rows):
            raise ShapeMismatch("width", x[-1] if x else None, self.rows)
        return (*x[:-1], self.columns)


@dataclass(frozen=True)
class View:
    """The same numbers in the same order under another shape: an axis may fall into its parts, none may move.

    >>> a = named()
    >>> [x.name for x in View((a.B, a.T, a.h, a.d_k)).shape((a.B, a.T, a.split))]
    ['B', 'T', 'h', 'd_k']
    >>> View((a.B, a.h, a.T, a.d_k)).shape((a.B, a.T, a.split))
    Traceback (most recent call last):
    derive.shapes.ShapeMismatch: view: found T, wanted h
    """

    to: Shape

    def shape(self, *inputs: Shape) -> Shape:
        (x,) = inputs
        old, new = _elementary(x), _elementary(self.to)
        for k in range(max(len(old), len(new))):
            found = old[k] if k < len(old) else None
            wanted = new[k] if k < len(new) else None
            if found is None or wanted is None or not found.fits(wanted):
                raise ShapeMismatch("view", found, wanted)
        return self.to


def _elementary(shape: Shape) -> Shape:
    """The axes that all others are made of, in the order in which the numbers lie."""
    return tuple(e for a in shape for e in (_elementary(a.parts) if a.parts else (a,)))


@dataclass(frozen=True)
class SwapAxes:
    """Two axes change places, and the numbers move with them.

    >>> a = named()
    >>> [x.name for x in SwapAxes("T", "h").shape((a.B, a.T, a.h, a.d_k))]
    ['B', 'h', 'T', 'd_k']
    >>> SwapAxes("T", "h").shape((a.B, a.T, a.d_model))
    Traceback (most recent call last):
    derive.shapes.ShapeMismatch: no-axis: found None, wanted h
    """

    first: str
    second: str

    def shape(self, *inputs: Shape) -> Shape:
        (x,) = inputs
        names = [a.name for a in x]
        for name in (self.first, self.second):
            if names.count(name) != 1:
                raise ShapeMismatch("no-axis", None, Axis(name, var(name, "integer")))
        turned = {self.first: x[names.index(self.second)], self.second: x[names.index(self.first)]}
        return tuple(turned.get(a.name, a) for a in x)


@dataclass(frozen=True)
class BatchedProduct:
    """A product of matrices for each setting of the leading axes: (..., m, k) times (..., k, n) gives (..., m, n).

    >>> a = named()
    >>> q, k = (a.B, a.h, a.T, a.d_k), (a.B, a.h, a.d_k, a.S)
    >>> [x.name for x in BatchedProduct().shape(q, k)]
    ['B', 'h', 'T', 'S']
    >>> BatchedProduct().shape((a.B, a.T, a.h, a.d_k), (a.B, a.S, a.d_k, a.h))
    Traceback (most recent call last):
    derive.shapes.ShapeMismatch: batch: found T, wanted S
    """

    def shape(self, *inputs: Shape) -> Shape:
        x, y = inputs
        for a, b in zip(x[:-2], y[:-2], strict=False):
            if not a.fits(b):
                raise ShapeMismatch("batch", a, b)
        if len(x) != len(y):
            longer, shorter = (x, y) if len(x) > len(y) else (y, x)
            raise ShapeMismatch("batch", longer[len(shorter) - 2], None)
        if not x[-1].fits(y[-2]):
            raise ShapeMismatch("contracted", x[-1], y[-2])
        return (*x[:-1], y[-1])


@dataclass(frozen=True)
class Scale:
    """Division of every entry by one number; the shape stays."""

    def shape(self, *inputs: Shape) -> Shape:
        (x,) = inputs
        return x


@dataclass(frozen=True)
class CausalMask:
    """Keys after the query are left out; the last two axes must be queries and keys, equally many.

    >>> a = named()
    >>> CausalMask("T", "S").shape((a.B, a.h, a.S, a.T))
    Traceback (most recent call last):
    derive.shapes.ShapeMismatch: mask: found S, wanted T
    """

    queries: str
    keys: str

    def shape(self, *inputs: Shape) -> Shape:
        (x,) = inputs
        for found, name in zip(x[-2:], (self.queries, self.keys), strict=True):
            if found.name != name:
                raise ShapeMismatch("mask", found, Axis(name, found.size))
        if x[-2].size != x[-1].size:
            raise ShapeMismatch("mask", x[-1], x[-2])
        return x


@dataclass(frozen=True)
class Softmax:
    """Softmax along one axis, which must be the last."""

    along: str

    def shape(self, *inputs: Shape) -> Shape:
        (x,) = inputs
        if x[-1].name != self.along:
            raise ShapeMismatch("softmax", x[-1], Axis(self.along, x[-1].size))
        return x


@dataclass(frozen=True)
class Merge:
    """The last axes become one: they must be the parts of it, in their order.

    >>> a = named()
    >>> [x.name for x in Merge(a.joined).shape((a.B, a.T, a.h, a.d_v))]
    ['B', 'T', 'd_model']
    >>> Merge(a.joined).shape((a.B, a.h, a.T, a.d_v))
    Traceback (most recent call last):
    derive.shapes.ShapeMismatch: merge: found T, wanted h
    """

    into: Axis

    def shape(self, *inputs: Shape) -> Shape:
        (x,) = inputs
        parts = self.into.parts
        if len(x) < len(parts):
            raise ShapeMismatch("merge", None, parts[0])
        for found, wanted in zip(x[-len(parts) :], parts, strict=True):
            if not found.fits(wanted):
                raise ShapeMismatch("merge", found, wanted)
        return (*x[: -len(parts)], self.into)


# --- the layer ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LayerAxes:
    """The axes of a layer. `split` is the projected width, made of h and d_k; `joined` is made of h and d_v."""

    B: Axis
    T: Axis
    S: Axis
    h: Axis
    d_k: Axis
    d_v: Axis
    d_model: Axis
    split: Axis
    joined: Axis


@dataclass(frozen=True)
class LayerSizes:
    """Batch, positions, width of the model, heads; ``d_k = d_v = d_model/h``."""

    B: int
    T: int
    d_model: int
    h: int

    @property
    def d_k(self) -> int:
        return self.d_model // self.h

    def reduced(self) -> LayerSizes:
        """Sizes as small as a quick computation needs; axes that differ in length keep on differing if they can."""
        h, d_k = min(self.h, 3), min(self.d_k, 4)
        return LayerSizes(min(self.B, 2), min(self.T, 5), h * d_k, h)


def _axes(size: Callable[[str], Term]) -> LayerAxes:
    B, T, h, d_k = (Axis(n, size(n)) for n in ("B", "T", "h", "d_k"))
    d_model, S = Axis("d_model", size("d_model")), Axis("S", size("T"))
    joined = Axis("d_model", size("d_model"), (h, d_k))
    return LayerAxes(B, T, S, h, d_k, d_k, d_model, joined, joined)


def named() -> LayerAxes:
    """All sizes as letters, with ``h*d_k = d_model`` and d_v = d_k."""
    return _axes(lambda name: var(name, "integer"))


def numbered(sizes: LayerSizes) -> LayerAxes:
    """All sizes as numbers.

    Raises
    ------
    ShapeMismatch
        ``width`` where h does not divide d_model: the heads can't share the columns.
    """
    values = {"B": sizes.B, "T": sizes.T, "h": sizes.h, "d_k": sizes.d_k, "d_model": sizes.d_model}
    found = _axes(lambda name: num(values[name]))
    if sizes.h * sizes.d_k != sizes.d_model:
        raise ShapeMismatch("width", found.d_model, found.h)
    return found


Stage = Literal[
    "input", "projected", "viewed", "heads", "scores", "weights", "context", "swapped-back", "concatenated", "output"
]


@dataclass(frozen=True)
class Step:
    """One array on its way through the layer: its name, what made it, its shape."""

    stage: Stage
    operations: tuple[Operation, ...]
    shape: Shape

    @property
    def sizes(self) -> tuple[Term, ...]:
        return tuple(a.size for a in self.shape)


def trace(a: LayerAxes) -> tuple[Step, ...]:
    """The arrays from input to output, every operation checked; keys and values take the same way as the queries.

    >>> [str(x.size.data) for x in trace(named())[4].shape]
    ['B', 'h', 'T', 'T']
    """
    steps = [Step("input", (), (a.B, a.T, a.d_model))]

    def then(stage: Stage, *operations: Operation, other: Shape | None = None) -> None:
        shape = steps[-1].shape
        for k, operation in enumerate(operations):
            shape = operation.shape(shape, other) if other is not None and not k else operation.shape(shape)
        steps.append(Step(stage, operations, shape))

    then("projected", Project(a.d_model, a.split))
    then("viewed", View((a.B, a.T, a.h, a.d_k)))
    then("heads", SwapAxes("T", "h"))
    keys = SwapAxes("S", "d_k").shape(split_into_heads(a, a.split, a.d_k))
    then("scores", BatchedProduct(), other=keys)
    then("weights", Scale(), CausalMask("T", "S"), Softmax("S"))
    then("context", BatchedProduct(), other=split_into_heads(a, a.joined, a.d_v))
    then("swapped-back", SwapAxes("h", "T"))
    then("concatenated", Merge(a.joined))
    then("output", Project(a.joined, a.d_model))
    return tuple(steps)


def split_into_heads(a: LayerAxes, width: Axis, part: Axis) -> Shape:
    """The shape of keys or values after projection, view and swap: their positions are the axis S."""
    projected = Project(a.d_model, width).shape((a.B, a.S, a.d_model))
    viewed = View((a.B, a.S, a.h, part)).shape(projected)
    return SwapAxes("S", "h").shape(viewed)


# --- wrong orders ------------------------------------------------------------------------------------------

WrongOrder = Literal["view-without-swap", "product-without-swap", "keys-not-transposed", "merge-without-swap"]


def wrong_orders(a: LayerAxes) -> Mapping[WrongOrder, ShapeMismatch]:
    """Ways that people go wrong, each run until an operation refuses; the axis is in what it says.

    Raises
    ------
    ValueError
        If one of them is not refused.
    """
    viewed, swapped = (a.B, a.T, a.h, a.d_k), (a.B, a.h, a.T, a.d_k)
    ways: Mapping[WrongOrder, Callable[[], Shape]] = {
        "view-without-swap": lambda: View(swapped).shape((a.B, a.T, a.split)),
        "product-without-swap": lambda: BatchedProduct().shape(viewed, (a.B, a.S, a.d_k, a.h)),
        "keys-not-transposed": lambda: BatchedProduct().shape(swapped, split_into_heads(a, a.split, a.d_k)),
        "merge-without-swap": lambda: Merge(a.joined).shape((a.B, a.h, a.T, a.d_v)),
    }
    refused: dict[WrongOrder, ShapeMismatch] = {}
    for name, way in ways.items():
        try:
            way()
        except ShapeMismatch as found:
            refused[name] = found
        else:
            raise ValueError(name)
    return refused


# --- real arrays -------------------------------------------------------------------------------------------


def numpy_shapes(sizes: LayerSizes) -> Mapping[Stage, tuple[int, ...]]:
    """The `.shape` of every array of a real computation with NumPy, made of random numbers from a fixed seed."""
    import numpy as np

    rng = np.random.default_rng(45)
    B, T, d, h, d_k = sizes.B, sizes.T, sizes.d_model, sizes.h, sizes.d_k
    x: Any = rng.standard_normal((B, T, d))
    projected = [x @ rng.standard_normal((d, h * d_k)) for _ in range(3)]
    viewed = [p.reshape(B, T, h, d_k) for p in projected]
    q, k, v = (p.swapaxes(1, 2) for p in viewed)
    scores = q @ k.swapaxes(-1, -2)
    allowed = np.tril(np.ones((T, T), dtype=bool))
    masked = np.where(allowed, scores / np.sqrt(d_k), -np.inf)
    e = np.exp(masked - masked.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    context = weights @ v
    back = context.swapaxes(1, 2)
    joined = back.reshape(B, T, h * d_k)
    arrays: Mapping[Stage, Any] = {
        "input": x, "projected": projected[0], "viewed": viewed[0], "heads": q, "scores": scores, "weights": weights,
        "context": context, "swapped-back": back, "concatenated": joined,
        "output": joined @ rng.standard_normal((h * d_k, d)),
    }  # fmt: skip
    return {stage: tuple(map(int, a.shape)) for stage, a in arrays.items()}


Heads: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True)
class DirectView:
    """One array of shape (T, h*d_k), made into heads (h, T, d_k) in the right way and by a direct view.

    The entry at position t and column c, both from 1, is ``step*t + c``: it tells where it comes from.
    """

    step: int
    array: tuple[tuple[int, ...], ...]
    right: Heads
    direct: Heads

    @property
    def differing(self) -> int:
        """How many entries of the direct view are not those of the right one."""
        flat = [[x for head in way for row in head for x in row] for way in (self.right, self.direct)]
        return sum(a != b for a, b in zip(*flat, strict=True))


def direct_view(T: int, h: int, d_k: int) -> DirectView:
    """View (T, h*d_k) as (T, h, d_k) and swap, against viewing it as (h, T, d_k) at once.

    In the right way head i holds at position t the entries ``X[t, i*d_k + k]``; the direct view reads the numbers as
    they lie, so that it holds number ``(i*T + t)*d_k + k`` instead of ``(t*h + i)*d_k + k`` (all from 0).

    >>> direct_view(2, 2, 2).direct[0]
    ((11, 12), (13, 14))
    >>> direct_view(2, 2, 2).right[0]
    ((11, 12), (21, 22))
    """
    width = h * d_k
    step = 10 ** len(str(width))
    array = tuple(tuple(step * t + c for c in range(1, width + 1)) for t in range(1, T + 1))
    flat = [x for row in array for x in row]

    def heads(place: Callable[[int, int], int]) -> Heads:
        return tuple(tuple(tuple(flat[place(i, t) * d_k + k] for k in range(d_k)) for t in range(T)) for i in range(h))

    return DirectView(step, array, heads(lambda i, t: t * h + i), heads(lambda i, t: i * T + t))
