"""The prose catalogues say the same things in both languages, and refuse what can't be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from derive.sheets.prose import Literally, Placeholder, ProseError, catalogue, parse, placeholders

ROOT = Path(__file__).parents[2]


def test_each_language_has_every_text_of_the_other() -> None:
    zh, en = catalogue("zh"), catalogue("en")
    assert set(zh.sentences) == set(en.sentences)
    assert len(zh.sentences) > 100


@pytest.mark.parametrize("key", sorted(catalogue("en").sentences))
def test_a_text_needs_the_same_values_in_both_languages(key: str) -> None:
    assert placeholders(catalogue("zh")[key]) == placeholders(catalogue("en")[key])


def test_chinese_sentences_are_in_chinese_and_english_ones_are_not() -> None:
    han = re.compile(r"[\u4e00-\u9fff]")
    words = re.compile(r"[A-Za-z]{3}")
    for key, sentence in catalogue("en").sentences.items():
        assert not any(isinstance(p, Literally) and han.search(p.text) for p in sentence), key
    for key, sentence in catalogue("zh").sentences.items():
        text = "".join(p.text for p in sentence if isinstance(p, Literally))
        assert han.search(text) or not words.search(text), key


def test_every_error_code_that_is_raised_has_a_sentence_with_its_parameters() -> None:
    raised = set()
    for folder in ("derive", "proofs"):
        for file in (ROOT / folder).rglob("*.py"):
            raised |= set(re.findall(r'DeriveError\(\s*"([a-z-]+)"', file.read_text(encoding="utf-8")))
            raised |= set(re.findall(r'\.fail\(\s*"([a-z-]+)"', file.read_text(encoding="utf-8")))
    assert raised
    assert {f"errors.{code}" for code in raised} <= set(catalogue("en").sentences)


def test_values_are_never_read_as_markup() -> None:
    assert parse("a {x} **b** `c` {{d}}") == (
        Literally("a "),
        Placeholder("x"),
        Literally(" "),
        Literally("b", "strong"),
        Literally(" "),
        Literally("c", "code"),
        Literally(" "),
        Literally("{"),
        Literally("d"),
        Literally("}"),
    )
    assert catalogue("en").plain("errors.usage", why="{why} **x** `y`") == "{why} **x** `y`"


@pytest.mark.parametrize("sentence", ["{", "}", "{a b}", "{n:one}", "**open", "`open", "**a `b** c`"])
def test_a_sentence_that_can_not_be_read_is_refused(sentence: str) -> None:
    with pytest.raises(ProseError):
        parse(sentence)


def test_a_missing_or_superfluous_value_is_refused() -> None:
    with pytest.raises(ProseError):
        catalogue("en").plain("sheet.seed")
    with pytest.raises(ProseError):
        catalogue("en").plain("sheet.seed", seed=1, other=2)
    with pytest.raises(ProseError):
        catalogue("en").plain("sheet.no-such-sentence")


@pytest.mark.parametrize(("n", "words"), [(0, "0 points"), (1, "1 point"), (2, "2 points"), (1234, "1,234 points")])
def test_english_numbers_agree(n: int, words: str) -> None:
    assert catalogue("en").plain("sheet.points-of", n=n) == words
