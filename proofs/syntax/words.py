"""Which names a run of letters is made of: the names in scope and the functions, the longest first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from proofs.syntax.faults import Span, SyntaxFault
from proofs.syntax.tokens import TokenKind

MAX_NAME = 60

FUNCTIONS = frozenset(("exp", "ln", "log", "sqrt", "max", "sum", "abs", "if", "binom"))
_SPELLINGS = {
    "choose": "binom", "infinity": "inf", "infty": "inf", "inf": "inf", "Inf": "inf", "oo": "inf",
    "nan": "nan", "NaN": "nan", "NAN": "nan",
}  # fmt: skip
_SPECIAL = frozenset(("inf", "nan"))
# Well-known functions and operators that the language does not have: read as one word, never as a product of letters.
FOREIGN = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "arcsin", "arccos", "arctan", "asin",
    "acos", "atan", "floor", "ceil", "round", "mod", "gcd", "lcm", "det", "min", "argmax", "argmin", "arg", "lim",
    "int", "prod", "tg", "ctg", "Tr", "relu", "sigmoid", "gelu", "erf", "log2", "log10", "exp2", "sgn", "sign",
    "diag", "tr", "trace",
    "sigma", "Var", "var", "Cov", "cov", "Corr", "corr", "Std", "std", "Pr", "mean", "median", "sup", "limsup",
    "liminf", "ReLU", "GELU", "SiLU", "silu", "swish", "softplus", "logit", "expit", "log1p", "expm1", "erfc", "grad",
    "LayerNorm", "layernorm", "RMSNorm", "concat", "Concat", "arcsinh", "arccosh", "arctanh", "arccot",
))  # fmt: skip
RESERVED = FUNCTIONS | FOREIGN | frozenset(_SPELLINGS) | frozenset(("let", "suppose", "claim", "proof", "for", "all"))


def foreign(name: str, span: Span) -> SyntaxFault:
    """The fault of a function that the language does not have; ``log2`` names the form that it has."""
    if name in ("log2", "log10"):
        form = f"log_{name[3:]}(..)" if name == "log2" else "ln(..)/ln(10)"
        return SyntaxFault("written-as", span, {"found": f"{name}(..)", "form": form}, (form,))
    return SyntaxFault("outside-language", span, {"what": name})


_OF_FUNCTIONS = frozenset("fgFG")
_OF_OPERATORS = frozenset("EP")


def before_bracket(name: str) -> Literal["factor", "function", "either"]:
    """What a declared name is before a round bracket: a factor, a function by custom, or what people read both ways.

    A single letter, with or without a subscript, is a factor. Letters that name functions by custom, Greek letters,
    names of several letters and names with a prime are functions; `E` and `P` are an operator to some.
    """
    base = name.partition("_")[0].rstrip("0123456789")
    if len(base) != 1 or name.endswith("'") or base in _OF_FUNCTIONS:
        return "function"
    return "either" if base in _OF_OPERATORS else "factor"


Piece: TypeAlias = tuple[TokenKind, str, int, int]
"""What a part of a run is, its plain form, and where in the run it begins and ends."""


@dataclass
class Words:
    """The names and functions that letters are matched against; `bound` holds the indices in scope."""

    names: frozenset[str]
    functions: frozenset[str]
    latex: bool
    tensors: frozenset[str] = frozenset()
    bound: list[str] = field(default_factory=list)
    _longest: int = 0
    _split: dict[tuple[str, tuple[str, ...]], list[Piece] | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls, names: Collection[str], functions: Collection[str], latex: bool, tensors: Collection[str] = ()
    ) -> Words:
        """The words for these declared names, those of tensors among them, and definitions."""
        made = cls(frozenset(names), frozenset(functions), latex, frozenset(tensors))
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
        key = (run, tuple(self.bound))
        if key not in self._split:
            self._split[key] = self._pieces(run)
        return self._split[key]

    def _pieces(self, run: str) -> list[Piece] | None:
        size, longest = len(run), max(self._longest, *map(len, self.bound), 0)
        # From each place on: the pieces of one step and where they end, or None if the rest can't be split.
        steps: list[tuple[list[Piece], int] | None] = [None] * size + [([], size)]
        for k in range(size - 1, -1, -1):
            for end in range(min(size, k + longest), k, -1):
                found = self.meaning(run[k:end])
                if found is None:
                    continue
                more, stop = self._after(run, end, found)
                if steps[stop] is not None:
                    steps[k] = ([(*found, k, end), *more], stop)
                    break
        pieces: list[Piece] = []
        k = 0
        while k < size:
            step = steps[k]
            if step is None:
                return None
            pieces += step[0]
            k = step[1]
        return pieces

    def _after(self, run: str, end: int, found: tuple[TokenKind, str]) -> tuple[list[Piece], int]:
        """What belongs to the piece that ends at `end`: a subscript, or a numeral after a function; and where it ends.

        Where something can't follow, the place given is one that can't be split either.
        """
        rest = run[end:]
        if rest[:1] == "_":
            sub = rest[1:2] if self.latex else rest[1:].partition("_")[0]
            stop = end + 1 + len(sub)
            binds = found in (("function", "sum"), ("function", "max"))
            if sub.isdecimal() or self.known(sub) or binds:
                return [
                    ("sign", "_", end, end + 1),
                    ("number" if sub.isdecimal() else "name", sub, end + 1, stop),
                ], stop
        elif rest.isdecimal() and found[0] == "function":
            return [("number", rest, end, len(run))], len(run)
        return [], end
