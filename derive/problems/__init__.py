"""Problem kinds: what may be given, the right answer derived from it, and the mistakes that people make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from derive.problems.kind import AnswerKind
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
