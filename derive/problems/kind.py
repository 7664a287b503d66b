"""A problem kind for keys: what may be given, the right answer derived from it, and the mistakes that people make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, TypeVar

from derive.answers.values import COUNTED, NO_NAMES, Demand, Exact, Names, Right, Said, Value
from derive.problems.given import Given
from proofs.terms import Term

_T = TypeVar("_T")

Answered: TypeAlias = Literal["number", "float", "row", "floats", "matrix", "shape", "derivation", "any"]
"""A number or formula, a value of a format, rows of these, a matrix, a shape, a derivation, or any of them."""


@dataclass(frozen=True)
class Mistake:
    """A known mistake: its code, and what somebody answers who makes it (None where it can't be made here).

    The formula is worked out only when an answer was wrong. One that happens to equal the right value is none. With
    `never_rounded` an answer that is exactly this value is no rounding of the right one either. What is said of it is
    the sentence ``answers.mistake.<code>`` of the prose catalogues, or `why`.
    """

    code: str
    value: Callable[[], Value | None]
    never_rounded: bool = False
    why: Said | None = None


@dataclass(frozen=True)
class Problem:
    """A problem as given: its right answer, and the mistakes to look for."""

    right: Right
    mistakes: tuple[Mistake, ...] = ()


SOLVED = Said("solved")
"""How a value comes about that the worked solution of its kind derives."""


def asked(
    value: Value | Term, *mistakes: Mistake, names: Names = NO_NAMES, shape: bool = False, demand: Demand = COUNTED
) -> Problem:
    """A right value, or a term for it, with known mistakes: what a kind of a sheet gives for each value it asks.

    A whole number counts something and has no roundings, unless `demand` says otherwise.
    """
    right = Exact(value) if isinstance(value, Term) else value
    return Problem(Right(right, SOLVED, names, shape=shape, demand=demand), mistakes)


@dataclass(frozen=True)
class AnswerKind:
    """A problem kind by name; `pose` reads what is given and derives the right answer from it.

    `pose` raises `GivenRefused` for whatever it can't use. The names of what may be given are in `fields`, and
    `answered` is what form an answer has.
    """

    name: str
    fields: tuple[str, ...]
    pose: Callable[[Given], Problem]
    answered: Answered = "number"

    def problem(self, given: Mapping[str, object]) -> Problem:
        """The problem for what is given. Raises `GivenRefused`, also for what is given and not known."""
        reader = Given(given, self.fields)
        posed = self.pose(reader)
        return posed


def for_each(code: str, make: Callable[[_T], Value | None], over: Iterable[_T]) -> list[Mistake]:
    """One mistake made in several ways."""
    return [Mistake(code, partial(make, x)) for x in over]


def exactly(code: str, make: Callable[[], Term | None]) -> Mistake:
    """A mistake whose value is one term."""

    def value() -> Exact | None:
        t = make()
        return None if t is None else Exact(t)

    return Mistake(code, value)
