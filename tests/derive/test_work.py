"""The work that the library's theorems take is far below what the verifiers allow."""

from __future__ import annotations

import pytest

from derive.library import theorems
from proofs import replay
from proofs.terms import MAX_WORK, at_most

LEFT = 50
"""What is allowed is at least so many times what is taken."""


@pytest.mark.parametrize("name", list(theorems()))
def test_a_theorem_of_the_library_takes_a_small_part_of_the_work_that_is_allowed(name: str) -> None:
    with at_most(MAX_WORK):
        outcome = theorems()[name].check(0)
    assert outcome.proved
    reader = replay.Reader()
    for line in outcome.certificate.splitlines():
        reader.read(line)
    assert reader.work * LEFT < reader.allowed
