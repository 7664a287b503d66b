"""The formula printer that sheets need: one method for each target. Terms are opaque here.

Marked places are printed as ``\\derivemark{...}`` in LaTeX and as ``#derive-mark($...$)`` in Typst's math mode; both
are defined by the templates, so that the look stays there. No printer returns delimiters (``$``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

from derive.sheets.blocks import Language, Path
from proofs.syntax.to_latex import to_latex
from proofs.syntax.to_plain import to_plain
from proofs.syntax.to_speech import to_speech
from proofs.syntax.to_typst import to_typst
from proofs.terms import Term

MOST_KEPT = 50_000


class FormulaPrinter(Protocol):
    """Prints one term for each target; `display` is for a formula on a line of its own."""

    def __hash__(self) -> int: ...
    def latex(self, term: object, marks: frozenset[Path], display: bool) -> str: ...
    def typst(self, term: object, marks: frozenset[Path], display: bool) -> str: ...
    def plain(self, term: object) -> str: ...
    def speech(self, term: object, lang: Language) -> str: ...


class TermPrinter:
    """The printers of the proof language; what was printed is kept, since every edition prints it again.

    Equal terms may name their indices differently, so that what is kept belongs to one object and not to a value.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], tuple[Term, str]] = {}

    def _once(self, how: str, term: object, make: Callable[[Term], str], *also: object) -> str:
        key = (how, id(term), *also)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            known = cast(Term, term)
            found = self._kept[key] = (known, make(known))  # the term is held, so that its id stays its own
        return found[1]

    def latex(self, term: object, marks: frozenset[Path], display: bool) -> str:
        return self._once("latex", term, lambda t: to_latex(t, marks, display), marks, display)

    def typst(self, term: object, marks: frozenset[Path], display: bool) -> str:
        return self._once("typst", term, lambda t: to_typst(t, marks, display), marks, display)

    def plain(self, term: object) -> str:
        return self._once("plain", term, to_plain)

    def speech(self, term: object, lang: Language) -> str:
        return self._once("speech", term, lambda t: to_speech(t, lang), lang)
