"""Tensors that need no indices on paper: ``z - c``, ``(500, 502)``, matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from proofs.terms import Term, binds


def mentions(t: Term, first: int, count: int) -> bool:
    """Whether `t` has one of the bound indices `first`, ..., ``first + count - 1``."""
    todo = [(t, first)]
    while todo:
        x, low = todo.pop()
        if x.loose <= low:
            continue
        if x.op == "bound" and low <= int(x.data) < low + count:  # type: ignore[arg-type]
            return True
        inner = binds(x)
        for k, a in enumerate(x.args):
            todo.append((a, low + inner if k + 1 == len(x.args) else low))
    return False


def entrywise_kind(t: Term, rank: int) -> Literal["tensor", "scalar", "other"]:
    """Whether `t` is linear in entries of tensors at exactly the `rank` innermost indices, in order."""
    if not mentions(t, 0, rank):
        return "scalar"
    if t.op == "entry":
        exact = [x.data if x.op == "bound" else None for x in t.args[1:]] == list(range(rank - 1, -1, -1))
        return "tensor" if exact and not mentions(t.args[0], 0, rank) else "other"
    if t.op not in ("add", "neg", "mul", "div"):
        return "other"
    tensors = 0
    for k, a in enumerate(t.args):
        kind = entrywise_kind(a, rank)
        if kind == "other" or (t.op == "div" and k == 1 and kind == "tensor"):
            return "other"
        tensors += kind == "tensor"
    return "other" if t.op == "mul" and tensors != 1 else "tensor"


def explicit_shape(body: Term, axes: tuple[int, ...]) -> tuple[int, ...] | None:
    """The lengths of an explicit tensor whose body tests its `axes` against 1, 2, ... in order; else None."""
    if not axes:
        return ()
    inner: tuple[int, ...] | None = None
    count = 0
    for part, _ in slices(body, axes[0]):
        if mentions(part, axes[0], 1):
            return None
        shape = explicit_shape(part, axes[1:])
        if shape is None or (count and shape != inner):
            return None
        inner, count = shape, count + 1
    return None if count < 2 or inner is None else (count, *inner)


def slices(body: Term, axis: int) -> Iterator[tuple[Term, tuple[int, ...]]]:
    """The values of ``if(i = 1, a, if(i = 2, b, c))``, each with its path from `body`."""
    k = 1
    path: tuple[int, ...] = ()
    while body.op == "if" and body.args[0].op == "eq":
        index, value = body.args[0].args
        if not (index.op == "bound" and index.data == axis and value.op == "num" and value.data == k):
            break
        yield body.args[1], (*path, 1)
        body, path, k = body.args[2], (*path, 2), k + 1
    yield body, path
