"""The formula printer that sheets need: one method for each target. Terms are opaque here.

Marked places are printed as ``\\derivemark{...}`` in LaTeX and as ``#derive-mark($...$)`` in Typst's math mode; both
are defined by the templates, so that the look stays there. No printer returns delimiters (``$``).
"""

from __future__ import annotations

from typing import Protocol, cast

from derive.sheets.blocks import Language, Path
from proofs.syntax.to_latex import to_latex
from proofs.syntax.to_plain import to_plain
from proofs.syntax.to_speech import to_speech
from proofs.syntax.to_typst import to_typst
from proofs.terms import Term


class FormulaPrinter(Protocol):
    """Prints one term for each target; `display` is for a formula on a line of its own."""

    def __hash__(self) -> int: ...
    def latex(self, term: object, marks: frozenset[Path], display: bool) -> str: ...
    def typst(self, term: object, marks: frozenset[Path], display: bool) -> str: ...
    def plain(self, term: object) -> str: ...
    def speech(self, term: object, lang: Language) -> str: ...


class TermPrinter:
    """The printers of the proof language."""

    def latex(self, term: object, marks: frozenset[Path], display: bool) -> str:
        return to_latex(cast(Term, term), marks, display)

    def typst(self, term: object, marks: frozenset[Path], display: bool) -> str:
        return to_typst(cast(Term, term), marks, display)

    def plain(self, term: object) -> str:
        return to_plain(cast(Term, term))

    def speech(self, term: object, lang: Language) -> str:
        return to_speech(cast(Term, term), lang)
