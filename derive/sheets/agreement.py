"""Whether the key of an exercise says what its worked solution reached.

The two come from different methods of a kind, `answers` and `solve`, so that one may be right and the other wrong.
Numbers and formulas are compared, by proof or by certified values; words, choices and tables are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from derive.answers.judging import Scope, equal
from derive.answers.showing import plain
from derive.answers.values import Exact, Grid, Names, Right, Row, Value
from derive.errors import DeriveError
from derive.problems.kind import Problem
from derive.sheets.blocks import Block, Box, Chain, Formula, KeyEntry, Text
from derive.sheets.problems import Solution
from proofs.justify import prove
from proofs.syntax.explicit import as_explicit, explicit_dimensions
from proofs.terms import Term, free_variables, num, relation

Shape = tuple[tuple[Term, ...], ...]


def check_agreement(answers: Mapping[str, Problem], solution: Solution) -> None:
    """Compare the answers of a kind with the chains and the key of its solution.

    Where one number is asked, a chain of the solution ends in it, if any chain ends in what could be compared; and
    each number or formula of a key is one of the answers.

    Raises
    ------
    DeriveError
        At the first thing that is not proved to be the same.
    """
    rights = [problem.right for problem in answers.values()]
    if set(answers) == {""}:
        _check_chains(rights[0], solution.worked)
    _check_key(rights, solution.key)


def _check_chains(right: Right, worked: Sequence[Block]) -> None:
    value = right.value
    if not isinstance(value, Exact) or value.term.rank:
        return
    scope = Scope(right.names, brief=True)
    ends = [end for end in _ends(worked) if _comparable(end, value.term, scope)]
    if ends and not any(_same(end, value.term, scope) for end in ends):
        raise DeriveError("key-against-solution", reached=_shown(ends[-1:]), answer=plain(value.term))


def _ends(blocks: Iterable[Block]) -> Iterator[Term]:
    """The last sides of the chains of equalities, also of those in the box of a theorem."""
    for block in blocks:
        if isinstance(block, Chain) and block.lines and all(line.relation == "eq" for line in block.lines):
            term = block.lines[-1].formula.term
            if isinstance(term, Term):
                yield term
        elif isinstance(block, Box) and block.style == "theorem":
            yield from _ends(block.blocks)


def _check_key(rights: Sequence[Right], key: Sequence[KeyEntry]) -> None:
    values = [shape for right in rights if (shape := _entries(right.value)) is not None]
    if len(values) < len(rights):
        return
    names = list(zip(values, (right.names for right in rights), strict=True))
    for entry in key:
        found = _printed(entry.exact)
        if found is not None and not any(_all_same(found, shape, declared) for shape, declared in names):
            shown = [_shown(t for row in shape for t in row) for shape in values]
            raise DeriveError(
                "key-against-answers", entry=_shown(t for row in found for t in row), answers="; ".join(shown)[:200]
            )


def _entries(value: Value) -> Shape | None:
    """A number as one row of one; rows and matrices of numbers; None for anything else."""
    rows = value.rows if isinstance(value, Grid) else (value.items,) if isinstance(value, Row) else ((value,),)
    terms = tuple(tuple(x.term for x in row if isinstance(x, Exact)) for row in rows)
    return _lying(terms) if [*map(len, terms)] == [*map(len, rows)] else None


def _lying(shape: Shape) -> Shape:
    """A column as a row: a vector may be written as either."""
    return (tuple(t for row in shape for t in row),) if all(len(row) == 1 for row in shape) else shape


def _printed(text: Text) -> Shape | None:
    """What a key prints, if it is a number, a formula, or a tensor that is written out."""
    if isinstance(text, int):
        return ((num(text),),)
    term = text.term if isinstance(text, Formula) else None
    if not isinstance(term, Term):
        return None
    if not term.rank:
        return ((term,),)
    dimensions = explicit_dimensions(term)
    if dimensions is None or len(dimensions) > 2:
        return None
    written = as_explicit(term, dimensions)
    return _lying(_rows(written if len(dimensions) == 2 else (written,)))


def _rows(written: object) -> Shape:
    """Rows of terms, as they were read off a tensor."""
    rows = written if isinstance(written, tuple) else ()
    return tuple(tuple(t for t in row if isinstance(t, Term)) for row in rows if isinstance(row, tuple))


def _all_same(found: Shape, shape: Shape, names: Names) -> bool:
    if [*map(len, found)] != [*map(len, shape)]:
        return False
    scope = Scope(names, brief=True)
    pairs = ((a, b) for row, other in zip(found, shape, strict=True) for a, b in zip(row, other, strict=True))
    return all(a.rank == b.rank and _same(a, b, scope) for a, b in pairs)


def _comparable(a: Term, b: Term, scope: Scope) -> bool:
    """Whether two are of one rank and in the same names: a general formula is not compared with a number."""
    return a.rank == b.rank and free_variables(scope.plain(a)) == free_variables(scope.plain(b))


def _same(a: Term, b: Term, scope: Scope) -> bool:
    """Whether two are proved to be equal, or both values are certain and the same."""
    found = equal(a, b, scope).verdict
    if found == "undecided":
        return prove(relation("eq", scope.plain(a), scope.plain(b)), scope.context) is not None
    return found in ("correct", "equivalent")


def _shown(terms: Iterable[Term]) -> str:
    return ", ".join(map(plain, terms))[:200]
