"""Problem kinds: what may be given, the right answer derived from it, and the mistakes that people make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from derive.sheets.problems import Answering

if TYPE_CHECKING:
    from derive.problems.kind import AnswerKind, Problem
    from derive.sheets.problems import Kinds


@cache
def answer_kinds() -> Mapping[str, AnswerKind]:
    """Every problem kind that a key may name, by name."""
    from derive.problems.attention import OUTPUT, WEIGHTS
    from derive.problems.formats import CAST, EXP_IN_FORMAT, EXP_RANGE, MASKED_SOFTMAX
    from derive.problems.parameters import HEAD_DIMENSION, PARAMETERS
    from derive.problems.proof import PROOF
    from derive.problems.shapes import SHAPE
    from derive.problems.softmax import SOFTMAX
    from derive.problems.value import VALUE

    kinds = (
        VALUE, PARAMETERS, HEAD_DIMENSION, SHAPE, SOFTMAX, WEIGHTS, OUTPUT, EXP_IN_FORMAT, EXP_RANGE, CAST,
        MASKED_SOFTMAX, PROOF,
    )  # fmt: skip
    return {k.name: k for k in kinds}


def kinds() -> Kinds:
    """Every problem kind that a sheet may name, with its worked solution."""
    from derive.worked import kinds as worked

    return worked()


def is_kind(name: str) -> bool:
    """Whether a key may name this problem kind."""
    return name in answer_kinds() or name in kinds()


def posed(name: str, given: Mapping[str, object], part: str = "", seed: int | None = None) -> Problem:
    """What is asked: the whole of a problem kind, or with `part` one of the values that it asks.

    With `seed`, `given` comes from a sheet, is checked already, and the seed is that of the exercise. Raises
    `GivenRefused`, also for a part that there is not, and where one of several must be named.
    """
    from derive.sheets.problems import Answering

    own = answer_kinds().get(name)
    if own is not None and not part and set(given) <= set(own.fields):
        return own.problem(given)
    sheet = kinds().get(name)
    if own is not None and not part and not (isinstance(sheet, Answering) and set(given) <= set(sheet.fields)):
        return own.problem(given)
    if isinstance(sheet, Answering):
        return _part_of(sheet, given, part, seed)
    from derive.problems.given import GivenRefused, brief

    raise GivenRefused("one-part", found=brief(part), kind=name)


def _part_of(kind: Answering, given: Mapping[str, object], part: str, seed: int | None) -> Problem:
    from dataclasses import replace

    from derive.answers.values import OneOf, in_words
    from derive.errors import DeriveError
    from derive.problems.given import GivenRefused, brief
    from derive.sheets.manifest import given as checked
    from derive.sheets.prose import catalogue

    try:
        values = checked(kind.name, "given", given, kind.fields) if seed is None else given
        found = kind.answers(values, seed or 0)  # type: ignore[arg-type]
    except DeriveError as error:
        params: dict[str, str | int] = {"file": kind.name, "where": "given", **error.params}
        said = in_words(*(catalogue(lang).plain(f"errors.{error.code}", **params) for lang in ("zh", "en")))
        raise GivenRefused(said.code, **said.params) from None
    if part not in found:
        known = ", ".join(name for name in found if name)
        code = "no-part" if part and known else "one-part" if part else "which-part"
        raise GivenRefused(code, found=brief(part), kind=kind.name, known=known)
    problem = found[part]
    if seed is None and isinstance(problem.right.value, OneOf):
        unlettered = replace(problem.right.value, lettered=False)
        problem = replace(problem, right=replace(problem.right, value=unlettered))
    return problem
