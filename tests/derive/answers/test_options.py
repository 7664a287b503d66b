"""A single choice: what is no option is never right, and a number that is none of them is wrong."""

from __future__ import annotations

import pytest

from derive.answers.checking import Entry, Judged, check
from derive.answers.report import why
from derive.answers.values import OneOf
from derive.problems import posed

SEED = 45
NUMBERS = {"question": "projection-parameters", "d_model": 768, "h": 12}
WORDS = {"question": "maximum-shift", "d_model": 768, "h": 12}


def options(given: dict[str, object]) -> OneOf:
    value = posed("choice", given, "", SEED).right.value
    assert isinstance(value, OneOf)
    return value


def judged(answer: str, given: dict[str, object] = NUMBERS) -> Judged:
    return check(Entry("x", "choice", given, answer, seed=SEED))


def test_a_number_next_to_an_option_is_none_of_them() -> None:
    values = {int(o.names[0].replace(",", "")) for o in options(NUMBERS).options}
    assert len(values) == 4
    for value in values:
        for other in (value - 1, value + 1, -value, 10 * value):
            assert other not in values
            for text in (str(other), f"{other:,}"):
                found = judged(text)
                assert (found.verdict, found.code) == ("wrong", "none-of-lettered"), text
        assert judged(str(value)).verdict in ("correct", "wrong")
        assert judged(str(value)).code != "none-of-lettered"


@pytest.mark.parametrize("answer", ["2360064", "inf", "1/3", "2360064.5", "768^2 + 1"])
def test_the_reason_is_said_in_both_languages(answer: str) -> None:
    found = judged(answer)
    assert found.verdict == "wrong"
    assert why(found, "en").startswith("This is none of the options A to D.")
    assert why(found, "zh").startswith("这不是 A 到 D 中的任何一个选项。")
    assert found.caret is None


@pytest.mark.parametrize("answer", ["4*768^2", "2.359296e6", "2.36e6", "2359296.0", "3*768^2"])
def test_what_equals_an_option_without_naming_it_is_neither_right_nor_none_of_them(answer: str) -> None:
    found = judged(answer)
    assert found.verdict == "unreadable"
    assert "A to D" in why(found, "en")


@pytest.mark.parametrize("answer", ["no idea", "+++", "768 d", "[1, 2]"])
@pytest.mark.parametrize("given", [NUMBERS, WORDS])
def test_what_is_no_value_stays_unreadable(answer: str, given: dict[str, object]) -> None:
    assert judged(answer, given).verdict == "unreadable"


def test_a_number_is_none_of_options_in_words() -> None:
    assert judged("2360064", WORDS).code == "none-of-lettered"


def test_options_without_letters_are_listed() -> None:
    found = check(Entry("x", "choice", NUMBERS, "2360064"))
    assert (found.verdict, found.code) == ("wrong", "none-of-options")
    assert "2,359,296" in why(found, "en")
    assert "2,359,296" in why(found, "zh")
