"""Inequalities between closed numbers, proved by the kernel's rational bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from derive.errors import NotProved
from derive.library import replays
from proofs.kernel import KernelError, Theorem, bound
from proofs.terms import Term, relation

_BITS = (64, 256, 1024, 2048)
_HEARD: ContextVar[dict[Term, None] | None] = ContextVar("heard", default=None)


@contextmanager
def heard() -> Iterator[dict[Term, None]]:
    """The inequalities that are proved meanwhile, in order."""
    kept: dict[Term, None] = {}
    token = _HEARD.set(kept)
    try:
        yield kept
    finally:
        _HEARD.reset(token)


def proved_less(a: Term, b: Term) -> Theorem:
    """``a < b`` between closed numbers, by the kernel's rational bounds, and replayed.

    Raises
    ------
    NotProved
        Where bounds of 2,048 bits do not show it.
    """
    goal = relation("lt", a, b)
    for bits in _BITS:
        try:
            theorem = bound(goal, bits)
        except KernelError:
            continue
        if replays("bound", theorem, (), goal):
            kept = _HEARD.get()
            if kept is not None:
                kept[goal] = None
            return theorem
    raise NotProved(goal)
