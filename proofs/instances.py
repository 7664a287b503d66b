"""Instances of bounded hypotheses: which values of a 'for all' speak of the entries in a goal.

From ``0 <= a[s] for all s`` and a goal about ``a[p]`` comes ``0 <= a[p]``, where p is shown to be in the range.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice, product
from typing import TYPE_CHECKING

from proofs import kernel
from proofs.masks import edge
from proofs.terms import Term, free_variables, instantiate, relation, var

if TYPE_CHECKING:
    from proofs.context import Context
    from proofs.kernel import Theorem

MAX_INSTANCES = 24


def entries(terms: Iterable[Term]) -> list[Term]:
    """The entries of tensors in `terms` that mention no index bound further out, each once."""
    found: dict[Term, None] = {}
    stack = list(terms)
    while stack:
        t = stack.pop()
        if t.op == "entry" and not t.loose and t.args[0].op == "var":
            found.setdefault(t)
        stack.extend(t.args)
    return list(found)


def places(body: Iterable[Term], index: Term, among: Collection[Term]) -> list[Term]:
    """The values of `index` at which an entry in `body` becomes one of the entries `among`."""
    found: dict[Term, None] = {}
    for pattern in entries(body):
        if index not in free_variables(pattern):
            continue
        for known in among:
            if known.args[0] != pattern.args[0] or len(known.args) != len(pattern.args):
                continue
            for p, k in zip(pattern.args[1:], known.args[1:], strict=True):
                if p == index:
                    found.setdefault(k)
                elif index in free_variables(p):
                    solved = edge(relation("eq", p, k), index)
                    if solved is not None:
                        found.setdefault(solved)
    return list(found)


def instances(fact: Theorem, among: Collection[Term], ctx: Context) -> Iterator[Theorem]:
    """The instances of a bounded 'for all' over an inequality that speak of the entries `among`."""
    body = fact.conclusion
    markers: list[Term] = []
    while body.op == "forall":
        marker = var(f"?{len(markers)}", "integer")
        markers.append(marker)
        body = instantiate(body.args[2], (marker,))
    if not markers or body.op not in ("le", "lt", "ne"):
        return
    values = [places((body,), m, among) for m in markers]
    for chosen in islice(product(*values), MAX_INSTANCES):
        found: Theorem | None = fact
        for value in chosen:
            lo, hi, _ = found.conclusion.args  # type: ignore[union-attr]
            low = ctx.inequality(relation("le", lo, value))
            high = ctx.inequality(relation("le", value, hi)) if low is not None else None
            if low is None or high is None:
                found = None
                break
            found = kernel.at(found, value, low, high)  # type: ignore[arg-type]
        if found is not None:
            yield found
