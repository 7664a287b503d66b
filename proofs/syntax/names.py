"""How a name is written: its letter or word, its subscripts and its primes."""

from __future__ import annotations

import re
from dataclasses import dataclass

GREEK = frozenset(
    [
        *(
            "alpha",
            "beta",
            "gamma",
            "delta",
            "epsilon",
            "zeta",
            "eta",
            "theta",
            "iota",
            "kappa",
            "lambda",
            "mu",
        ),
        *("nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
        *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"),
    ]
)

# What a bound index may not be called, since a derivation file means something else by it.
RESERVED = frozenset(["e", "sum", "max", "if", "exp", "ln", "sqrt", "let", "claim", "proof", "suppose", "for", "all"])

_WORD = re.compile(r"[A-Za-zα-ωΑ-Ω][A-Za-z0-9α-ωΑ-Ω]*(_[A-Za-z0-9α-ωΑ-Ω]+)*'*")


@dataclass(frozen=True, slots=True)
class SplitName:
    """``d_model'`` is ``d`` with the subscript ``model`` and one prime."""

    base: str
    sub: tuple[str, ...]
    primes: int

    @property
    def upright(self) -> bool:
        """Whether the base is a word, which is set upright, rather than a letter."""
        return is_upright(self.base)


def is_word(name: str) -> bool:
    """Whether `name` is one that a reader can type."""
    return _WORD.fullmatch(name) is not None


def is_upright(part: str) -> bool:
    """Whether a part of a name is set upright: a word is, a single letter and a number are not."""
    return len(part) != 1 and part not in GREEK and not part.isdecimal()


def split_name(name: str) -> SplitName:
    """The parts of `name`. A name that nobody can type is one upright part."""
    if not is_word(name):
        return SplitName(name, (), 0)
    stem = name.rstrip("'")
    base, *sub = stem.split("_")
    return SplitName(base, tuple(sub), len(name) - len(stem))
