"""Counting parameters on a sheet: the largest sizes, and the comparison with NumPy that is printed."""

from __future__ import annotations

import pytest

from derive import reference
from derive.worked.parameters import MhaParameters
from derive.errors import NotProved


def test_the_largest_sizes_are_counted_without_filling_memory() -> None:
    given = {"d_model": 10**7, "h": 10, "bias": True}
    solution = MhaParameters().solve(given, seed=1)
    assert solution.key[0].exact == 400_000_040_000_000


def test_a_count_that_numpy_does_not_confirm_to_the_last_unit_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "parameters", lambda *sizes: 400_000_040_000_001)
    with pytest.raises(NotProved):
        MhaParameters().solve({"d_model": 10**7, "h": 10, "bias": True}, seed=1)
