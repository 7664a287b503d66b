"""An answer that is a derivation: its statement is the theorem's own, and every line of it is proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from derive.answers.judging import Outcome
from proofs.statement import Declaration, Statement
from proofs.terms import Term, TermError, substitute, var

MAX_RENAMINGS = 2_000


def judge_derivation(answer: str, theorem: str) -> Outcome:
    """The verdict on a derivation as the proof of a theorem of the library.

    Another statement is wrong; of the theorem's own, a proof is correct, a refuted line wrong, anything else undecided.
    Raises `SyntaxFault` for a fault before the chain.
    """
    from derive.definitions import signatures
    from derive.library import reason_names
    from derive.library import theorem as find
    from proofs.syntax.derivation import read_derivation

    derivation = read_derivation(answer, signatures())
    if not same_statement(derivation.statement, find(theorem).derivation.statement):
        return Outcome("wrong", "proof-other-statement", {"theorem": theorem})
    from proofs.verify import verify

    report = verify(derivation, reason_names())
    line = next((v.line for v in report.lines if v.verdict == report.verdict), 0)
    match report.verdict:
        case "proved" if report.theorem is not None and not report.contradictory:
            return Outcome("correct", "proof-proved")
        case "refuted":
            return Outcome("wrong", "proof-refuted", {"line": line})
        case "unreadable":
            return Outcome("unreadable", "proof-unreadable", {"line": line})
        case other:
            return Outcome("undecided", f"proof-{other if other != 'proved' else 'unknown'}", {"line": line})


def same_statement(mine: Statement, theirs: Statement) -> bool:
    """Whether two statements are the same up to the names of what is declared, and the order of the hypotheses."""
    if len(mine.declarations) != len(theirs.declarations) or len(mine.hypotheses) != len(theirs.hypotheses):
        return False
    tried = 0
    for renaming in _renamings(mine.declarations, theirs.declarations):
        tried += 1
        if tried > MAX_RENAMINGS:
            return False
        try:
            if _renamed(mine, renaming) == _facts(theirs):
                return True
        except TermError:
            continue
    return False


def _renamings(mine: Sequence[Declaration], theirs: Sequence[Declaration]) -> Iterator[dict[Term, Term]]:
    """Ways to match declarations of the same kind, rank and number of dimensions; those in order come first."""
    if not mine:
        yield {}
        return
    first, *rest = mine
    for k, other in enumerate(theirs):
        alike = (first.kind, first.variable.sort, first.variable.rank, first.upper is None) == (
            other.kind, other.variable.sort, other.variable.rank, other.upper is None,
        )  # fmt: skip
        if alike:
            for more in _renamings(rest, [*theirs[:k], *theirs[k + 1 :]]):
                yield {first.variable: other.variable, **more}


def _facts(s: Statement) -> tuple[Term, frozenset[Term], frozenset[tuple[Term, Term | None, tuple[Term, ...]]]]:
    declared = frozenset((d.variable, d.upper, d.dimensions) for d in s.declarations)
    return s.claim, frozenset(s.hypotheses), declared


def _renamed(
    s: Statement, names: dict[Term, Term]
) -> tuple[Term, frozenset[Term], frozenset[tuple[Term, Term | None, tuple[Term, ...]]]]:
    """The facts of a statement with its variables renamed all at once."""
    aside = {v: var(f"renamed {k}", v.sort, v.rank) for k, v in enumerate(names)}
    back = {aside[v]: other for v, other in names.items()}

    def moved(t: Term) -> Term:
        return substitute(substitute(t, aside), back)

    declared = frozenset(
        (names[d.variable], None if d.upper is None else moved(d.upper), tuple(map(moved, d.dimensions)))
        for d in s.declarations
    )
    return moved(s.claim), frozenset(map(moved, s.hypotheses)), declared
