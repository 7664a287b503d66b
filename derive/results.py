"""A result: a named statement with the chain that proves it, and what SymPy found beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sympy import Expr

Value = int | tuple["Value", ...]


@dataclass(frozen=True)
class Result:
    """A statement of the library.

    `text` is a derivation in the format of ``derive verify``. `found` derives with SymPy what the right side of the
    claim must be (for a vector, its entries), `vanishes` an instance of left minus right; the kernel has the last
    word on both. `stated` is the instance that the source speaks of, tried beside the random ones.
    """

    name: str
    zh: str
    en: str
    text: str
    found: Callable[[], Expr | tuple[Expr, ...]] | None = None
    vanishes: Callable[[], Expr] | None = None
    stated: Mapping[str, Value] = field(default_factory=dict)
