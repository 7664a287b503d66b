"""Values to choose from: what a manifest may give instead of one value, and how a seed draws from them.

Where there are few enough combinations all of them are tried against the kind's constraint, and put in an order
that only the exercise decides; the seed is a place in that order, so that seeds in a row give different values as
long as there are any. Where there are too many, values are drawn at random until they fit.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

from derive.sheets.problems import Given

FEW = 20_000
TRIES = 2_000


@dataclass(frozen=True)
class Choose:
    """One of these values."""

    values: tuple[Wish, ...]

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """How many values there are up to each of these, itself included."""
        return tuple(accumulate(map(count, self.values)))


Wish: TypeAlias = "Given | Choose | tuple[Wish, ...]"


class NothingFits(ValueError):
    """No combination of the values fits."""


def is_fixed(wish: Wish) -> bool:
    """Whether there is nothing to choose."""
    return not isinstance(wish, Choose) and (not isinstance(wish, tuple) or all(map(is_fixed, wish)))


def count(wish: Wish) -> int:
    """How many values there are.

    >>> count((Choose((1, 2, 3)), 7, Choose((4, 5))))
    6
    """
    if isinstance(wish, Choose):
        return wish.ends[-1]
    return math.prod(map(count, wish)) if isinstance(wish, tuple) else 1


def pick(wish: Wish, place: int) -> Given:
    """The value at a place, from 0, below `count`.

    >>> [pick((Choose((1, 2)), Choose((3, 4))), k) for k in range(4)]
    [(1, 3), (2, 3), (1, 4), (2, 4)]
    """
    if isinstance(wish, Choose):
        k = bisect_right(wish.ends, place)
        return pick(wish.values[k], place - (wish.ends[k - 1] if k else 0))
    if isinstance(wish, tuple):
        found: list[Given] = []
        for part in wish:
            place, here = divmod(place, count(part))
            found.append(pick(part, here))
        return tuple(found)
    return wish


@dataclass(frozen=True, eq=False)
class Ranges:
    """The given of one exercise as a manifest has it: names with what may stand for them, and what must hold."""

    wishes: Mapping[str, Wish]
    fits: Callable[[Mapping[str, Given]], bool]
    salt: str

    @cached_property
    def _whole(self) -> int:
        return math.prod(map(count, self.wishes.values()))

    @cached_property
    def _order(self) -> tuple[int, ...]:
        fitting = [place for place in range(self._whole) if self.fits(self._at(place))]
        random.Random(f"derive ranges {self.salt}").shuffle(fitting)
        return tuple(fitting)

    def _at(self, place: int) -> dict[str, Given]:
        found: dict[str, Given] = {}
        for name, wish in self.wishes.items():
            place, here = divmod(place, count(wish))
            found[name] = pick(wish, here)
        return found

    def draw(self, seed: int) -> Mapping[str, Given]:
        """The values for a seed; the same for the same seed.

        Raises
        ------
        NothingFits
            If no combination fits, or none was found.
        """
        if all(map(is_fixed, self.wishes.values())):
            return self._at(0)
        if self._whole <= FEW:
            if not self._order:
                raise NothingFits
            return self._at(self._order[seed % len(self._order)])
        rng = random.Random(f"derive ranges {self.salt} {seed}")
        for _ in range(TRIES):
            found = self._at(rng.randrange(self._whole))
            if self.fits(found):
                return found
        raise NothingFits
