"""Objects of JSON in which no name is given twice: which of two values was meant can't be known."""

from __future__ import annotations


class Twice(ValueError):
    """An object gives a name twice."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object with these names and values, as the `object_pairs_hook` of `json.loads`.

    Raises
    ------
    Twice
        At the first name that was given before.
    """
    made: dict[str, object] = {}
    for name, value in pairs:
        if name in made:
            raise Twice(name)
        made[name] = value
    return made
