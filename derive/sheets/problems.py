"""What the mathematical side hands in: problem kinds, what may be given to them, and what they answer with.

A kind describes itself: its name, its title, the fields that `given` may hold. The manifest reader checks
names and types against these fields; `solve` then checks what only mathematics can (that `h` divides
`d_model`), raising `DeriveError`, derives the answer, and returns it as blocks. `solve` must be a function of its
arguments alone: random instances come from the seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

from derive.sheets.blocks import Block, Credit, KeyEntry, Localised, Text

if TYPE_CHECKING:
    from derive.problems.kind import Problem

Given: TypeAlias = "bool | int | Decimal | str | tuple[Given, ...]"
FieldType = Literal["bool", "integer", "number", "numbers", "matrix", "choice"]


class Seed(int):
    """The seed of one exercise, and `general`, the seed for what all variants share: trials of general theorems."""

    general: int

    def __new__(cls, value: int, general: int) -> Seed:
        made = super().__new__(cls, value)
        made.general = general
        return made


@dataclass(frozen=True)
class Field:
    """One thing that may be given: its type, whether it must be, its default, and its range.

    `integer` arrives as int, `number` as Decimal as typed, `numbers` as a tuple of Decimals, `matrix` as a
    tuple of equally long tuples of Decimals, `choice` as one of the strings `options`. `low` and `high` bound
    integers, numbers and the entries of `numbers` and `matrix`; `longest` bounds lengths, and `rows` the rows of
    a matrix where fewer are allowed than columns. With `infinite` a number may be ``"-inf"``, a masked score.
    """

    type: FieldType
    required: bool = True
    default: Given | None = None
    low: int | None = None
    high: int | None = None
    longest: int = 64
    options: tuple[str, ...] = ()
    infinite: bool = False
    rows: int | None = None


@dataclass(frozen=True)
class Solution:
    """An exercise as derived in this run: the task, the worked solution, the key, and room for an answer.

    `credits` says how the points are earned; where it is empty, the lines of the chains share them. With `proof` what
    is asked is a proof, and the worked solution is headed as one.
    """

    task: tuple[Block, ...]
    worked: tuple[Block, ...]
    key: tuple[KeyEntry, ...]
    space: int = 6
    title: Text | None = None
    credits: tuple[Credit, ...] = ()
    proof: bool = False


class ProblemKind(Protocol):
    """A problem kind: what is asked, what is given, how its answer is derived."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> Localised: ...
    @property
    def fields(self) -> Mapping[str, Field]: ...
    def solve(self, given: Mapping[str, Given], seed: int) -> Solution: ...


@runtime_checkable
class Constrained(Protocol):
    """A kind whose values must fit one another (`h` divides `d_model`): what a draw of a variant must satisfy."""

    def fits(self, given: Mapping[str, Given]) -> bool: ...


@runtime_checkable
class Explained(Protocol):
    """A kind that says, for whoever asks what it takes, how its values must fit one another."""

    @property
    def constraint(self) -> Localised: ...


@runtime_checkable
class Answering(ProblemKind, Protocol):
    """A kind that gives the values it asks for, each by the name of its part: for the key, and for judging answers.

    `parts` says what each part is; the part ``""`` is the whole. Where the number of parts depends on what is given,
    a name stands for all those that differ from it in their numbers: ``row t`` for ``row 1``, ``row 2``.
    """

    @property
    def parts(self) -> Mapping[str, Localised]: ...
    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]: ...


Kinds: TypeAlias = Mapping[str, ProblemKind]
