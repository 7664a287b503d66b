"""What can be stepped through: a theorem of the library, or the worked derivation of an exercise."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import cast

from derive.errors import DeriveError
from derive.library import LibraryTheorem, theorem, theorems
from derive.results import Value
from derive.sheets.blocks import Chain as PrintedChain
from derive.sheets.blocks import Localised
from derive.sheets.manifest import Asked, Manifest
from proofs.calc import Chain, ChainError, proved
from proofs.kernel import Theorem
from proofs.record import replays
from proofs.statement import Statement
from proofs.syntax.changed import changed
from proofs.syntax.layout import Path as Place
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, relation


@dataclass(frozen=True)
class Step:
    """One line of a chain as it is reached from the line before it; `before` is None for the first line of a chain.

    `marks_before` and `marks_after` are the places that differ, in the line before and in this one.
    """

    chain: int
    line: int
    relation: str | None
    before: Term | None
    term: Term
    reasons: tuple[str, ...] = ()
    theorem: Theorem | None = None
    marks_before: frozenset[Place] = frozenset()
    marks_after: frozenset[Place] = frozenset()


@dataclass(frozen=True)
class Subject:
    """A proved derivation: its name, its chains in order (an exercise may have several), and an instance to begin with.

    `header` is what stands before the chain in a derivation file: declarations, hypotheses and the claim.
    """

    name: str
    title: Localised
    chains: tuple[Chain, ...]
    headers: tuple[str, ...]
    stated: Mapping[str, Value] = field(default_factory=dict)

    @property
    def statement(self) -> Statement:
        """The statement whose names an instance gives values to."""
        return self.chains[0].statement

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return tuple(s for k, chain in enumerate(self.chains) for s in _steps(k, chain))


def _steps(number: int, chain: Chain) -> Iterator[Step]:
    before: Term | None = None
    for k, line in enumerate(chain.lines):
        if before is None:
            yield Step(number, k, None, None, line.term)
        else:
            gone, come = changed(before, line.term)
            yield Step(number, k, line.relation, before, line.term, line.reasons, line.theorem, gone, come)
        before = line.term


def subject(name: str) -> Subject:
    """The theorem or exercise of that name; an exercise is ``sheet:id``, or its id alone where only one sheet has it.

    Raises
    ------
    DeriveError
        ``no-step`` or ``no-step-close`` where there is none, ``no-chain`` where it has no derivation, ``no-proof``
        where the kernel or the second verifier does not accept it.
    """
    if name in theorems():
        return of_theorem(theorem(name))
    known: list[str] = []
    for manifest in _manifests():
        for asked in manifest.exercises:
            full = f"{manifest.id}:{asked.id}"
            if name in (full, asked.id):
                return _of_exercise(full, asked, manifest.seed)
            known.append(full)
    close = _nearest(name[:80], [*theorems(), *known])
    if close is not None:
        raise DeriveError("no-step-close", name=name, close=close)
    raise DeriveError("no-step", name=name)


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """The name that somebody may have meant: one that is alike, also without its sheet, or shares the most words."""
    plain = name.casefold()
    short = {full.partition(":")[2] or full: full for full in reversed(known)} | {full: full for full in known}
    close = difflib.get_close_matches(plain, list(short), 1, 0.6)
    if close:
        return short[close[0]]
    words = {w for w in re.split(r"[^a-z0-9]+", plain) if len(w) > 2}
    shared = {full: len(words & set(re.split(r"[^a-z0-9]+", full))) for full in known}
    best = max(known, key=lambda full: shared[full], default=None)
    return best if best is not None and shared[best] else None


def _manifests() -> Iterator[Manifest]:
    from derive.resources import manifests
    from derive.sheets.manifest import read
    from derive.worked import kinds

    for path in sorted(Path("build").glob("*.toml")) or manifests():
        yield read(path, kinds())


def of_theorem(chosen: LibraryTheorem) -> Subject:
    """A theorem of the library, proved and replayed now."""
    header = chosen.result.text.partition("\nproof")[0].strip()
    return Subject(chosen.name, chosen.title, (_accepted(chosen),), (header,), chosen.result.stated)


def _accepted(chosen: LibraryTheorem) -> Chain:
    try:
        chain = chosen.chain
    except ChainError as fault:
        raise DeriveError("no-proof", name=chosen.name, line=fault.line + 1) from None
    if not replays(chain.record(chosen.name), chain.statement):
        raise DeriveError("no-proof", name=chosen.name, line=len(chain.lines))
    return chain


def _of_exercise(name: str, asked: Asked, seed: int) -> Subject:
    from derive.worked import kinds

    named = asked.given.get("theorem")
    if asked.problem == "proof" and isinstance(named, str):
        found = of_theorem(theorem(named))
        return Subject(name, asked.title or found.title, found.chains, found.headers, found.stated)
    kind = kinds()[asked.problem]
    solution = kind.solve(asked.given, seed)
    printed = [b for b in solution.worked if isinstance(b, PrintedChain)]
    if not printed:
        raise DeriveError("no-chain", name=name)
    chains = tuple(_closed(name, block) for block in printed)
    headers = tuple(f"claim {to_plain(c.statement.claim)}" for c in chains)
    return Subject(name, asked.title or kind.title, chains, headers)


def _closed(name: str, block: PrintedChain) -> Chain:
    """The chain of a worked solution over closed terms, with its theorems."""
    first = cast(Term, block.first.term)
    lines: list[tuple[str | None, Term, Sequence[str]]] = [(None, first, ())]
    lines += [(line.relation, cast(Term, line.formula.term), line.codes) for line in block.lines]
    statement = Statement((), (), relation("eq", first, lines[-1][1]))
    try:
        chain = proved(statement, lines)
    except ChainError as fault:
        raise DeriveError("no-proof", name=name, line=fault.line + 1) from None
    if not replays(chain.record(name), statement):
        raise DeriveError("no-proof", name=name, line=len(lines))
    return chain
