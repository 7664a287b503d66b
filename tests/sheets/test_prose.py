"""The prose catalogues say the same things in both languages, and refuse what can't be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from derive.sheets.blocks import Message
from derive.sheets.formulas import TermPrinter
from derive.sheets.maths import MathsError, term_of
from derive.sheets.prose import (
    LANGUAGES,
    Literally,
    Placeholder,
    ProseError,
    catalogue,
    formulas_in,
    parse,
    placeholders,
)
from derive.sheets.targets.html import Html
from derive.sheets.targets.md import Md
from derive.sheets.targets.pdf import Pdf
from derive.sheets.targets.tex import Tex
from proofs.syntax.to_plain import to_plain
from proofs.syntax.to_speech import to_speech

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
    words = re.compile(r"(?!Coq\b|NumPy\b|SymPy\b)\b[A-Za-z]{3}")
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


def test_each_language_has_the_formulas_of_the_other() -> None:
    zh, en = catalogue("zh"), catalogue("en")
    for key, sentence in en.sentences.items():
        assert set(formulas_in(sentence)) == set(formulas_in(zh[key])), key


def test_every_formula_in_a_sentence_can_be_read_and_printed() -> None:
    found = {f for lang in LANGUAGES for s in catalogue(lang).sentences.values() for f in formulas_in(s)}
    assert len(found) > 40
    for source in found:
        term = term_of(source)
        assert to_plain(term)
        assert all(to_speech(term, lang) for lang in LANGUAGES)


def test_no_sentence_writes_a_formula_as_words() -> None:
    """Powers and subscripts belong between dollar signs; names in code and in the errors of commands do not."""
    suspect = re.compile(r"[²³₀-₉]|\b[A-Za-z]_[A-Za-z]\b|\b\w\^\w|(?<![A-Za-z])[dhnz] [≤≥=<>] ")
    for lang in LANGUAGES:
        for key, sentence in catalogue(lang).sentences.items():
            if key.split(".")[0] not in ("answers", "errors", "help", "stepper", "verify"):
                for piece in sentence:
                    if isinstance(piece, Literally) and piece.style != "code":
                        assert not suspect.search(piece.text), key


@pytest.mark.parametrize("source", ["h*", "(", "exp(", "1/2n", "a = ", "z["])
def test_a_formula_that_can_not_be_read_is_our_fault(source: str) -> None:
    with pytest.raises(MathsError):
        term_of(source)


def test_names_in_formulas_get_the_sort_that_they_usually_have() -> None:
    assert term_of("h*d_k").sort == "integer"
    assert term_of("exp(-c)").sort == "real"
    assert term_of("A[i,t,k]").args[0].rank == 3
    assert term_of("softmax(z - c)").rank == 1
    assert term_of("W_O").rank == 2
    assert term_of("n >= 1") == term_of("1 <= n")


def test_dollars_are_printed_where_they_are_doubled() -> None:
    assert parse("5$$ and $h*d_k$")[0] == Literally("5")
    assert "".join(p.text for p in parse("a$$b") if isinstance(p, Literally)) == "a$b"
    with pytest.raises(ProseError):
        parse("a $ b")


def test_formulas_reach_every_target() -> None:
    message = Message("theorems.mha-parameter-count-square.mistake")
    printer = TermPrinter()
    assert "h\\,d_{k}" in Tex("en", printer).inline(message)
    assert "$4d^{2}$" in Md("zh", printer).inline(message)
    assert "<math>" in Html("zh", printer).inline(message)
    assert "whole-formula(" in Pdf("en", printer).inline(message)
    assert Pdf("en", printer).spoken(message).startswith("Writing 4 times d squared where h times d sub k differs")
