"""Which names a run of letters is made of: the names in scope and the functions, the longest first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeAlias

from proofs.syntax.tokens import TokenKind

MAX_NAME = 60

FUNCTIONS = frozenset(("exp", "ln", "log", "sqrt", "max", "sum", "abs", "if", "binom"))
_SPELLINGS = {
    "choose": "binom", "infinity": "inf", "infty": "inf", "inf": "inf", "Inf": "inf", "oo": "inf",
    "nan": "nan", "NaN": "nan", "NAN": "nan",
}  # fmt: skip
_SPECIAL = frozenset(("inf", "nan"))
# Well-known functions that the language does not have: read as one word, never as a product of letters.
FOREIGN = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "arcsin", "arccos", "arctan", "asin",
    "acos", "atan", "floor", "ceil", "round", "mod", "gcd", "lcm", "det", "min", "argmax", "argmin", "arg", "lim",
    "int", "prod", "relu", "sigmoid", "gelu", "erf", "log2", "log10", "exp2", "sgn", "sign", "diag", "tr", "trace",
))  # fmt: skip
RESERVED = FUNCTIONS | frozenset(_SPELLINGS) | frozenset(("let", "suppose", "claim", "proof", "for", "all"))

Piece: TypeAlias = tuple[TokenKind, str, int, int]
"""What a part of a run is, its plain form, and where in the run it begins and ends."""


@dataclass
class Words:
    """The names and functions that letters are matched against; `bound` holds the indices in scope."""

    names: frozenset[str]
    functions: frozenset[str]
    latex: bool
    bound: list[str] = field(default_factory=list)
    _longest: int = 0

    @classmethod
    def of(cls, names: Collection[str], functions: Collection[str], latex: bool) -> Words:
        """The words for these declared names and definitions."""
        made = cls(frozenset(names), frozenset(functions), latex)
        made._longest = max(map(len, (*names, *functions, "infinity")))
        return made

    def known(self, name: str) -> bool:
        return name in self.names or name in self.bound

    def meaning(self, word: str) -> tuple[TokenKind, str] | None:
        """What a whole word is: a name in scope, a function, infinity or nan, or the number e."""
        if self.known(word):
            return ("name", word)
        if word in self.functions or word in FUNCTIONS:
            return ("function", word)
        spelled = _SPELLINGS.get(word)
        if spelled is not None:
            return ("special" if spelled in _SPECIAL else "function", spelled)
        return ("name", "e") if word == "e" else None

    def with_subscript(self, base: str, inner: str) -> tuple[int, str] | None:
        """Where in `base` a name in scope begins that ends in the subscript `inner`, the longest first."""
        for cut in range(min(len(base), MAX_NAME)):
            name = f"{base[cut:]}_{inner}"
            if self.known(name):
                return cut, name
        return None

    def split(self, run: str) -> list[Piece] | None:
        """`run` as names in scope and functions, the longest first at every place; None if that can't be."""
        whole = self.meaning(run)
        if whole is not None:
            return [(*whole, 0, len(run))]
        if run in FOREIGN or len(run) > MAX_NAME:
            return None
        size, longest = len(run), max(self._longest, *map(len, self.bound), 0)
        best: list[list[Piece] | None] = [None] * size + [[]]
        for k in range(size - 1, -1, -1):
            for end in range(min(size, k + longest), k, -1):
                found = self.meaning(run[k:end])
                if found is None:
                    continue
                rest = self._tail(run, k, end, found, best)
                if rest is not None:
                    best[k] = [(*found, k, end), *rest]
                    break
        return best[0]

    def _tail(
        self, run: str, k: int, end: int, found: tuple[TokenKind, str],
        best: list[list[Piece] | None],
    ) -> list[Piece] | None:  # fmt: skip
        """What follows the piece ``run[k:end]``: more pieces, a number after a function, or a subscript."""
        rest, size = run[end:], len(run)
        if not rest:
            return []
        if rest[0] == "_":
            sub = rest[1:].partition("_")[0] if not self.latex else rest[1:2]
            stop = end + 1 + len(sub)
            binds = found in (("function", "sum"), ("function", "max"))
            if not (sub.isdecimal() or self.known(sub) or binds) or best[stop] is None:
                return None
            more = best[stop] or []
            return [("sign", "_", end, end + 1), ("number" if sub.isdecimal() else "name", sub, end + 1, stop), *more]
        if rest[0].isdecimal():
            return [("number", rest, end, size)] if found[0] == "function" and rest.isdecimal() else None
        return best[end]
