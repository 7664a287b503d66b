"""Property tests, short: `properties.py` runs the same ones long."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.derive.answers import partial
from tests.derive.answers.properties import (
    changed_leaf_is_never_accepted, decimal_is_judged_by_its_digits, equal_form_is_never_wrong,
)  # fmt: skip

EXAMPLES = int(os.environ.get("DERIVE_EXAMPLES", "150"))
RANDOM = st.randoms(use_true_random=False)


@given(RANDOM)
@settings(max_examples=EXAMPLES, deadline=None)
def test_equal_form_is_never_wrong(rng: Random) -> None:
    equal_form_is_never_wrong(rng)


@given(RANDOM)
@settings(max_examples=EXAMPLES, deadline=None)
def test_changed_leaf_is_never_accepted(rng: Random) -> None:
    changed_leaf_is_never_accepted(rng)


@given(RANDOM)
@settings(max_examples=EXAMPLES, deadline=None)
def test_decimal_is_judged_by_its_digits(rng: Random) -> None:
    decimal_is_judged_by_its_digits(rng)


def test_keys_with_a_value_here_and_there_are_compared_where_they_have_one() -> None:
    rng = Random(45)
    found = Counter(partial.one(rng) for _ in range(150))
    assert found["equivalent"] > 20
    assert found["wrong"] > 10
