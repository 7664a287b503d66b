"""What kinds ask for, as values that answers are judged by: words to choose from, rows of a format, matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from derive.answers.showing import shown_exactly
from derive.answers.values import COUNTED, Demand, Exact, Grid, OneOf, Option, Row, Said, Value, in_words
from derive.problems.formats import scalar
from derive.problems.kind import Mistake, Problem, asked
from derive.sheets.blocks import Formula, KeyEntry, Language, Localised, Message, Text
from proofs.syntax.explicit import explicit_tensor
from proofs.terms import Term, num

if TYPE_CHECKING:
    from derive.floats import Float

LANGUAGES: tuple[Language, Language] = ("zh", "en")


def spelt(text: Text) -> tuple[str, str]:
    """A text as plain characters, in Chinese and in English."""
    from derive.sheets.formulas import TermPrinter
    from derive.sheets.targets.md import Md

    zh, en = (Md(lang, TermPrinter()).plain(text) for lang in LANGUAGES)
    return zh, en


def said(text: Text) -> Said:
    """A text of a sheet as the reason for a verdict."""
    return in_words(*spelt(text))


def wrong(value: Value | Term, why: Localised, code: str = "known-mistake") -> Mistake:
    """A value that somebody answers who makes a mistake, and what is said to them."""
    found = Exact(value) if isinstance(value, Term) else value
    return Mistake(code, lambda: found, why=in_words(why.zh, why.en))


def key_entry(
    problem: Problem, label: Text | None = None, decimal: Text | None = None, convention: Text | None = None
) -> KeyEntry:
    """What is asked as a line of the key: numbers, rows and matrices as formulas, anything else as plain text."""
    value = problem.right.value
    exact: Text = shown_exactly(problem.right)
    if isinstance(value, Exact):
        t = value.term
        exact = int(t.data) if t.op == "num" and t.sort == "integer" else Formula(t)  # type: ignore[arg-type]
    elif isinstance(value, Row):
        terms = [x.term for x in value.items if isinstance(x, Exact)]
        exact = Formula(explicit_tensor(tuple(terms))) if len(terms) == len(value.items) else exact
    return KeyEntry(exact, label, decimal, convention)


def one_word(right: str, words: Mapping[str, Text]) -> Problem:
    """One of several words, by their codes: ``leaks`` or ``keeps``."""
    shown = {code: spelt(word) for code, word in words.items()}
    options = tuple(
        Option(code, (en, zh, code), said(Message("worked.other-word", {"found": words[code], "right": words[right]})))
        for code, (zh, en) in shown.items()
    )
    return asked(OneOf(options, list(words).index(right)))


def floats_row(values: Sequence[Float], demand: Demand = COUNTED) -> Problem:
    """A row of values of a format."""
    return asked(Row(tuple(map(scalar, values))), demand=demand)


Matrices: TypeAlias = Mapping[str, Callable[[], Sequence[Sequence[Term]]]]


def by_rows(rows: Sequence[Sequence[Term]], mistaken: Matrices = MappingProxyType({})) -> dict[str, Problem]:
    """A matrix as a whole, row by row, and entry by entry; counted from 1.

    `mistaken` are the matrices that known mistakes lead to, by their codes.
    """

    def part(choose: Callable[[Sequence[Sequence[Term]]], Value]) -> Problem:
        return asked(choose(rows), *(Mistake(c, lambda make=m: choose(make())) for c, m in mistaken.items()))  # type: ignore[misc]

    found = {"": part(lambda m: Grid(tuple(tuple(map(Exact, row)) for row in m)))}
    for t, row in enumerate(rows):
        found[f"row {t + 1}"] = part(lambda m, t=t: Row(tuple(map(Exact, m[t]))))  # type: ignore[misc]
        for c in range(len(row)):
            found[f"row {t + 1} column {c + 1}"] = part(lambda m, t=t, c=c: Exact(m[t][c]))  # type: ignore[misc]
    return found


def integers(rows: Sequence[Sequence[int]]) -> Grid:
    """A matrix of whole numbers."""
    return Grid(tuple(tuple(Exact(num(x)) for x in row) for row in rows))
