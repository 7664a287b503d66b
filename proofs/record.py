"""What a derivation establishes, theorem by theorem: its steps, that its lines have values, its claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from proofs.certificate import flatten
from proofs.certificate_text import canonical
from proofs.kernel import Theorem
from proofs.replay import ReplayError, difference, replay
from proofs.statement import Statement
from proofs.terms import Term


@dataclass(frozen=True)
class Established:
    """What is asked and the theorem that answers it, with what holds at its place beside the statement's assumptions.

    `path` has the ranges of the indices that are bound around the place, and the conditions of an 'if' on the way to
    it; its free indices are the bound ones, so that the theorem speaks of all of their values.
    """

    name: str
    asked: Term
    theorem: Theorem
    path: tuple[Term, ...] = ()


def certificate(record: Iterable[Established]) -> Iterator[str]:
    """The certificate of all theorems, line by line."""
    return flatten((e.name, e.theorem) for e in record)


def accepted(record: Iterable[Established], statement: Statement, lines: Iterable[str] | None = None) -> frozenset[str]:
    """The names of the theorems that the second verifier accepts, with nothing supposed but what the statement grants.

    `lines` is the certificate to be read, by default the one of `record`. A certificate that is refused accepts none.
    """
    known = {e.name: e for e in record}
    granted = [canonical(p) for p in statement.assumptions()]
    found: set[str] = set()
    try:
        for shown in replay(certificate(known.values()) if lines is None else lines):
            e = known.get(shown.name)
            if e is not None and difference(shown, [*granted, *map(canonical, e.path)], canonical(e.asked)) is None:
                found.add(shown.name)
    except ReplayError:
        return frozenset()
    return frozenset(found)


def replays(record: Iterable[Established], statement: Statement, lines: Iterable[str] | None = None) -> bool:
    """Whether the second verifier accepts every theorem of the record."""
    known = tuple(record)
    return accepted(known, statement, lines) == {e.name for e in known}
