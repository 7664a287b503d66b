"""An answer that is a derivation: its statement is the theorem's own, and every line of it is proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from derive.answers.judging import Outcome
from derive.answers.values import Derivation, Param, Said, in_words
from derive.counterexamples import shown
from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue
from proofs.statement import Declaration, Statement
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, TermError, substitute, var
from proofs.verify import LineVerdict

MAX_RENAMINGS = 2_000
MAX_SHOWN = 200
LANGUAGES: tuple[Language, Language] = ("zh", "en")


def claim_of(theorem: str) -> str:
    """What a theorem of the library claims, as plain text."""
    from derive.library import theorem as find

    return to_plain(find(theorem).derivation.statement.claim)


def judge_derivation(answer: str, right: Derivation) -> tuple[Outcome, tuple[Said, ...]]:
    """The verdict on a derivation as the proof of a theorem of the library, and what more there is to say.

    Another statement is wrong; of the theorem's own, a proof is correct, a refuted line wrong, anything else undecided.
    So is a proof in fewer steps than are asked for. Raises `SyntaxFault` for a fault before the chain.
    """
    theorem = right.theorem
    from derive.definitions import signatures
    from derive.library import reason_names
    from derive.library import theorem as find
    from proofs.syntax.derivation import read_derivation

    derivation = read_derivation(answer, signatures())
    if not same_statement(derivation.statement, find(theorem).derivation.statement):
        return Outcome("wrong", "proof-other-statement", {"theorem": theorem}), ()
    from proofs.verify import verify

    report = verify(derivation, reason_names())
    found = next((v for v in report.lines if v.verdict == report.verdict), None)
    where: dict[str, Param] = {} if found is None else {"line": found.line, "text": _in_one_line(found.text)}
    match report.verdict:
        case "proved" if report.theorem is not None and not report.contradictory:
            steps = _steps(report.lines)
            if steps < right.steps:
                return Outcome("undecided", "proof-short", {"found": steps, "wanted": right.steps}), ()
            return Outcome("correct", "proof-proved", record=report.record, goals=(derivation.statement,)), ()
        case "refuted" if found is not None:
            return Outcome("wrong", "proof-refuted", where), _against(found)
        case "unreadable":
            return Outcome("unreadable", "proof-unreadable", where), ()
        case other:
            if found is None:
                goal = report.remaining or report.statement.claim
                return Outcome("undecided", "proof-remaining", {"goal": to_plain(goal)}), ()
            return Outcome("undecided", f"proof-{other if other != 'proved' else 'unknown'}", where), ()


def _steps(lines: Sequence[LineVerdict]) -> int:
    """How many steps a proof takes that lead to something new: a line that repeats an earlier one is none."""
    seen: set[Term] = set()
    found = 0
    for line in lines:
        if line.term is not None and line.term not in seen:
            found += line.relation is not None
            seen.add(line.term)
    return found


def _against(line: LineVerdict) -> tuple[Said, ...]:
    """Where a line fails: the values of the names, and of both sides."""
    if line.counterexample is None:
        return ()
    return (in_words(*(catalogue(lang).plain("answers.why.proof-against", against=shown(line.counterexample, lang))
                       for lang in LANGUAGES)),)  # fmt: skip


def _in_one_line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_SHOWN else flat[: MAX_SHOWN - 3] + "..."


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
