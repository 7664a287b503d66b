"""Worked solutions: what each problem kind asks on a sheet, and how its answer is derived, checked and explained."""

from __future__ import annotations

from functools import cache

from derive.sheets.problems import Kinds


@cache
def kinds() -> Kinds:
    """Every problem kind that a sheet may name."""
    from derive.worked.leaks import CausalityLeak
    from derive.worked.parameters import HeadDimension, MhaParameters
    from derive.worked.proofs import Proof
    from derive.worked.softmax import Softmax

    return {kind.name: kind for kind in (MhaParameters(), HeadDimension(), Softmax(), Proof(), CausalityLeak())}
