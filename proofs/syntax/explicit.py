"""Vectors and matrices written out by entries, as comprehensions: ``[500, 502]`` is i -> if(i = 1, 500, 502)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from proofs.terms import Term, comprehension, free_variables, num, relation, var, when

# A scalar term, or a row of these, or a row of rows; all rows of one length.
Entries: TypeAlias = "Term | Sequence[Entries]"
Written: TypeAlias = "Term | tuple[Written, ...]"

MAX_LENGTH = 64


def selected(index: Term, values: Sequence[Term]) -> Term:
    """``if(index = 1, values[0], if(index = 2, values[1], ...))``; the last value stands for all that remain."""
    chosen = values[-1]
    for k in range(len(values) - 1, 0, -1):
        chosen = when(relation("eq", index, num(k)), values[k - 1], chosen)
    return chosen


def explicit_tensor(values: Sequence[Entries]) -> Term:
    """The tensor with these entries: terms for a vector, rows of terms for a matrix.

    Raises `ValueError` if rows differ in length or depth, if one is empty or longer than `MAX_LENGTH`.
    """
    taken = {str(v.data) for t in _leaves(values) for v in free_variables(t)}
    dims = _shape(values)
    fresh = (n for n in (*"ijklmpq", *(f"i_{k}" for k in range(len(taken) + len(dims)))) if n not in taken)
    indices = [var(next(fresh), "integer") for _ in dims]

    def at(part: Entries, left: Sequence[Term]) -> Term:
        if isinstance(part, Term):
            return part
        return selected(left[0], [at(p, left[1:]) for p in part])

    return comprehension(indices, at(values, indices))


def _leaves(values: Entries) -> list[Term]:
    return [values] if isinstance(values, Term) else [t for v in values for t in _leaves(v)]


def _shape(values: Entries) -> tuple[int, ...]:
    if isinstance(values, Term):
        return ()
    shapes = {_shape(v) for v in values}
    if len(shapes) != 1 or len(values) > MAX_LENGTH:
        raise ValueError("rows must be of one length, not empty and not too long")
    return (len(values), *shapes.pop())


def as_explicit(term: Term, dims: Sequence[int]) -> tuple[Written, ...] | None:
    """The entries of `term` if it is one that `explicit_tensor` makes for these dimensions, else None."""
    if term.op != "lam" or term.rank != len(dims) or any(d < 1 for d in dims):
        return None
    found = _read(term.args[0], dims, term.rank - 1)
    return found if isinstance(found, tuple) else None


def explicit_dimensions(term: Term) -> tuple[int, ...] | None:
    """The dimensions of a tensor made by `explicit_tensor`, read off its entries; None for any other term."""
    if term.op != "lam":
        return None
    dims: list[int] = []
    body = term.args[0]
    for k in range(term.rank - 1, -1, -1):
        length, branch = 1, body
        while _is_test(branch, k, length):
            length, branch = length + 1, branch.args[2]
        dims.append(length)
        body = body.args[1] if length > 1 else body
    return tuple(dims) if as_explicit(term, dims) is not None else None


def _is_test(body: Term, index: int, value: int) -> bool:
    """Whether `body` is ``if(index = value, ...)`` for the bound index at this distance."""
    if body.op != "if" or body.args[0].op != "eq":
        return False
    left, right = body.args[0].args
    return left.op == "bound" and left.data == index and right.op == "num" and right.data == value


def _read(body: Term, dims: Sequence[int], index: int) -> Written | None:
    if not dims:
        return body if not body.loose else None
    rows: list[Written] = []
    for k in range(1, dims[0] + 1):
        last = k == dims[0]
        if not last and not _is_test(body, index, k):
            return None
        row = _read(body if last else body.args[1], dims[1:], index - 1)
        if row is None:
            return None
        rows.append(row)
        body = body if last else body.args[2]
    return tuple(rows)
