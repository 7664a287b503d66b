"""Single choice: one right option, and wrong ones that are the mistakes people make, each with its explanation.

The options are worked out from what is given and shuffled by the seed; the key follows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from derive.answers.values import OneOf
from derive.answers.values import Option as Named
from derive.errors import DeriveError
from derive.problems.kind import Problem, asked
from derive.sheets.blocks import Block, Choice, Display, Formula, KeyEntry, Localised, Message, Option, Paragraph, Text
from derive.sheets.problems import Field, Given, Solution
from derive.worked.answers import said, spelt
from derive.worked.ieee import sentence
from derive.worked.shapes import size_is
from derive.worked.steps import equation
from proofs.terms import Term, div, mul, num, power

OPTIONS = 4


@dataclass(frozen=True)
class Question:
    """What is asked, the right option, the tempting ones (the first few that differ are taken), and the reasoning."""

    code: str
    right: Text
    tempting: tuple[tuple[str, Text], ...]
    params: Mapping[str, Text]
    worked: Callable[[int], tuple[Block, ...]]


class SingleChoice:
    """One of three questions, with given sizes."""

    name = "choice"
    title = Localised("单项选择", "A single choice")
    fields: Mapping[str, Field] = {
        "question": Field("choice", options=("head-dimension", "projection-parameters", "maximum-shift")),
        "d_model": Field("integer", required=False, default=768, low=2, high=10**6),
        "h": Field("integer", required=False, default=12, low=2, high=10**4),
    }

    constraint = Localised("h 整除 d_model。", "h divides d_model.")
    parts: Mapping[str, Localised] = {
        "": Localised("正确选项的字母或内容", "the letter or the words of the right option")
    }

    def fits(self, given: Mapping[str, Given]) -> bool:
        d, h = given["d_model"], given["h"]
        return isinstance(d, int) and isinstance(h, int) and d % h == 0

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        named = []
        options = _options(_question(given, seed), seed)
        for k, (code, option) in enumerate(options):
            printed = spelt(_printed(k, option.text))
            named.append(Named(code, spelt(option.text), said(option.why), printed))
        right = next(k for k, (_, option) in enumerate(options) if option.right)
        return {"": asked(OneOf(tuple(named), right, lettered=True))}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        question = _question(given, seed)
        prefix = f"choices.{question.code}"
        options = tuple(option for _, option in _options(question, seed))
        place = next(k for k, o in enumerate(options) if o.right)
        letter = chr(ord("A") + place)
        choice = Choice(options)
        task = (Paragraph((sentence(f"{prefix}.task", question.params),)), choice)
        idea = sentence(f"{prefix}.idea", question.params)
        reason = Paragraph((sentence("choices.answer", {"letter": letter}), idea))
        key = (KeyEntry(exact=_printed(place, question.right)),)
        worked = (choice, reason, *question.worked(seed))
        return Solution(task, worked, key, space=0, title=Message(f"{prefix}.title"))


def _question(given: Mapping[str, Given], seed: int) -> Question:
    d, h = given["d_model"], given["h"]
    if not isinstance(d, int) or not isinstance(h, int):
        raise TypeError((d, h))
    if d % h:
        raise DeriveError("heads-divide", d_model=d, h=h)
    return QUESTIONS[str(given["question"])](d, h)


def _options(question: Question, seed: int) -> list[tuple[str, Option]]:
    """The right option and the first tempting ones that differ, with their codes, shuffled by the seed."""
    prefix = f"choices.{question.code}"
    options = [("right", Option(question.right, True, sentence(f"{prefix}.right", question.params)))]
    taken: list[Text] = [question.right]
    for code, text in question.tempting:
        if text not in taken and len(options) < OPTIONS:
            taken.append(text)
            options.append((code, Option(text, False, sentence(f"{prefix}.wrong-{code}", question.params))))
    random.Random(f"choice {question.code} {seed}").shuffle(options)
    return options


def _printed(place: int, text: Text) -> Text:
    """An option as a key prints it."""
    return sentence("choices.key", {"letter": chr(ord("A") + place), "answer": text})


def _proved(first: Term, value: int, seed: int) -> Block:
    _, printed = equation(first, [(num(value), ())], seed)
    return printed


def _sizes(d: int, h: int) -> dict[str, Text]:
    return {"d_model": d, "h": h, "width": size_is("d_model", d), "heads": size_is("h", h)}


def _head_dimension(d: int, h: int) -> Question:
    right = d // h
    tempting = (("multiplied", d * h), ("whole", d), ("heads", h), ("halved", d // 2))
    return Question(
        "head-dimension", right, tempting, {**_sizes(d, h), "d_k": right},
        lambda seed: (_proved(div(num(d), num(h)), right, seed),),
    )  # fmt: skip


def _projection_parameters(d: int, h: int) -> Question:
    right = 4 * d * d
    tempting = (
        ("without-output", 3 * d * d),
        ("with-biases", 4 * d * d + 4 * d),
        ("one-matrix", d * d),
        ("per-head", right * h),
    )
    square = power(num(d), num(2))
    return Question(
        "projection-parameters", right, tempting, {**_sizes(d, h), "square": Formula(square), "right": right},
        lambda seed: (_proved(mul(num(4), square), right, seed),),
    )  # fmt: skip


def _maximum_shift(d: int, h: int) -> Question:
    code = "maximum-shift"
    tempting = tuple((c, Message(f"choices.{code}.{c}")) for c in ("positive", "variance", "small"))
    return Question(code, Message(f"choices.{code}.cancels"), tempting, {}, _shift)


def _shift(seed: int) -> tuple[Block, ...]:
    from derive.library import theorem
    from derive.worked.steps import theorem_chain

    shift = theorem("softmax-maximum-shift")
    theorem_chain(shift, seed)
    return (Display(Formula(shift.derivation.statement.claim)),)


QUESTIONS: Mapping[str, Callable[[int, int], Question]] = {
    "head-dimension": _head_dimension,
    "projection-parameters": _projection_parameters,
    "maximum-shift": _maximum_shift,
}
