"""Worked solutions: what each problem kind asks on a sheet, and how its answer is derived, checked and explained."""

from __future__ import annotations

from functools import cache

from derive.errors import DeriveError
from derive.sheets.problems import Kinds, ProblemKind

REQUIRED = ("name", "title", "fields", "solve")
"""What every problem kind has."""


@cache
def kinds() -> Kinds:
    """Every problem kind that a sheet may name."""
    from derive.worked.attention import AttentionOutput, AttentionWeights, ForwardTrace
    from derive.worked.choices import SingleChoice
    from derive.worked.formats import Cast, ExpInFormat, ExpRangeEnd, ExpRanges, OverflowClaim
    from derive.worked.heads import TwoHeads
    from derive.worked.leaks import CausalityLeak
    from derive.worked.masking import CausalityInFormats, MaskConstant, MaskedSoftmax, SoftmaxInFormats
    from derive.worked.parameters import HeadDimension, MhaParameters
    from derive.worked.proofs import Proof
    from derive.worked.shapes import MhaShape, ShapeTrace, ViewWithoutSwap
    from derive.worked.softmax import Softmax

    made: tuple[ProblemKind, ...] = (
        MhaParameters(), HeadDimension(), MhaShape(), ShapeTrace(), ViewWithoutSwap(), Softmax(), Proof(),
        CausalityLeak(), AttentionWeights(), AttentionOutput(), ForwardTrace(), TwoHeads(), ExpInFormat(),
        ExpRangeEnd(), ExpRanges(), OverflowClaim(), Cast(), MaskedSoftmax(), SoftmaxInFormats(), MaskConstant(),
        CausalityInFormats(), SingleChoice(),
    )  # fmt: skip
    for kind in made:
        missing = [part for part in REQUIRED if not hasattr(kind, part)]
        if missing:
            raise DeriveError("kind-incomplete", name=type(kind).__name__, missing=", ".join(missing))
    return {kind.name: kind for kind in made}
