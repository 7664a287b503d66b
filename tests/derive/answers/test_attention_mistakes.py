"""Weights and outputs with the scaling or the mask done wrongly are named, part by part."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from derive.answers.checking import Entry, Judged, check
from derive.answers.report import why
from derive.problems.attention import Layer, joined, weights
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term

X = [[1, 0, 1, 0], [0, 2, 0, 1], [1, 1, 2, 0]]
CHANGES: dict[str, dict[str, str]] = {
    "not-scaled": {"scaling": "none"},
    "scaled-by-width": {"scaling": "width"},
    "not-masked": {"masking": "none"},
    "not-scaled-not-masked": {"scaling": "none", "masking": "none"},
}


def layer(h: int, causal: bool = True) -> Layer:
    return Layer([[Fraction(x) for x in row] for row in X], h, causal)


def judged(kind: str, answer: str, part: str, h: int, causal: bool = True) -> Judged:
    given: dict[str, object] = {"X": X, "h": h, "causal": causal}
    return check(Entry("x", kind, given | ({"head": 0} if kind == "attention-weights" else {}), answer, part=part))


def text(row: list[Term]) -> str:
    return f"[{', '.join(map(to_plain, row))}]"


@pytest.mark.parametrize("h", [1, 2, 4])
@pytest.mark.parametrize("kind", ["attention-weights", "attention-output", "forward-trace"])
def test_each_mistake_is_named_exactly_where_it_shows(kind: str, h: int) -> None:
    def made(one: Layer) -> list[list[Term]]:
        found = weights(one, 0) if kind == "attention-weights" else joined(one, range(h))
        assert found is not None
        return found

    named = set()
    right = made(layer(h))
    for code, changes in CHANGES.items():
        changed = made(replace(layer(h), **changes))  # type: ignore[arg-type]
        for t, row in enumerate(changed):
            found = judged(kind, text(row), f"row {t + 1}", h)
            if judged(kind, text(right[t]), f"row {t + 1}", h).verdict == found.verdict:
                assert found.mistake is None
                continue
            assert found.verdict == "wrong"
            assert found.mistake in CHANGES
            named.add(found.mistake)
            same = made(replace(layer(h), **CHANGES[found.mistake]))[t]  # type: ignore[arg-type]
            assert same == row, (code, found.mistake)
    scaling = set() if h == 4 else {"not-scaled", "scaled-by-width", "not-scaled-not-masked"}
    assert named == {"not-masked"} | scaling


def test_they_are_said_in_both_languages() -> None:
    row = weights(replace(layer(2), scaling="none"), 0)
    assert row is not None
    found = judged("attention-weights", text(row[1]), "row 2", 2)
    assert why(found, "en").startswith("The scores were not divided by sqrt(d_k).")
    assert why(found, "zh").startswith("分数没有除以 sqrt(d_k)。")


def test_without_a_mask_none_is_missed() -> None:
    found = judged("attention-weights", "[1/3, 1/3, 1/3]", "row 2", 2, causal=False)
    assert (found.verdict, found.mistake) == ("wrong", None)
