"""Single choice: one right option, and wrong ones that are the mistakes people make, each with its explanation.

The options are worked out from what is given and shuffled by the seed; the key follows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from derive.errors import DeriveError
from derive.sheets.blocks import Block, Choice, Display, Formula, KeyEntry, Localised, Message, Option, Paragraph, Text
from derive.sheets.problems import Field, Given, Solution
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
    worked: tuple[Block, ...]


class SingleChoice:
    """One of three questions, with given sizes."""

    name = "choice"
    title = Localised("单项选择", "A single choice")
    fields: Mapping[str, Field] = {
        "question": Field("choice", options=("head-dimension", "projection-parameters", "maximum-shift")),
        "d_model": Field("integer", required=False, default=768, low=2, high=10**6),
        "h": Field("integer", required=False, default=12, low=2, high=10**4),
    }

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        d, h = given["d_model"], given["h"]
        if not isinstance(d, int) or not isinstance(h, int):
            raise TypeError((d, h))
        if d % h:
            raise DeriveError("heads-divide", d_model=d, h=h)
        asked = QUESTIONS[str(given["question"])](d, h, seed)
        prefix = f"choices.{asked.code}"
        options = [Option(asked.right, True, sentence(f"{prefix}.right", asked.params))]
        taken: list[Text] = [asked.right]
        for code, text in asked.tempting:
            if text not in taken and len(options) < OPTIONS:
                taken.append(text)
                options.append(Option(text, False, sentence(f"{prefix}.wrong-{code}", asked.params)))
        random.Random(f"choice {asked.code} {seed}").shuffle(options)
        place = next(k for k, o in enumerate(options) if o.right)
        letter = chr(ord("A") + place)
        choice = Choice(tuple(options))
        task = (Paragraph((sentence(f"{prefix}.task", asked.params),)), choice)
        reason = Paragraph((sentence("choices.answer", {"letter": letter}), sentence(f"{prefix}.idea", asked.params)))
        key = (KeyEntry(exact=sentence("choices.key", {"letter": letter, "answer": asked.right})),)
        worked = (choice, reason, *asked.worked)
        return Solution(task, worked, key, space=0, title=Message(f"{prefix}.title"))


def _proved(first: Term, value: int, seed: int) -> Block:
    _, printed = equation(first, [(num(value), ())], seed)
    return printed


def _sizes(d: int, h: int) -> dict[str, Text]:
    return {"d_model": d, "h": h, "width": size_is("d_model", d), "heads": size_is("h", h)}


def _head_dimension(d: int, h: int, seed: int) -> Question:
    right = d // h
    tempting = (("multiplied", d * h), ("whole", d), ("heads", h), ("halved", d // 2))
    return Question(
        "head-dimension", right, tempting, {**_sizes(d, h), "d_k": right},
        (_proved(div(num(d), num(h)), right, seed),),
    )  # fmt: skip


def _projection_parameters(d: int, h: int, seed: int) -> Question:
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
        (_proved(mul(num(4), square), right, seed),),
    )  # fmt: skip


def _maximum_shift(d: int, h: int, seed: int) -> Question:
    code = "maximum-shift"
    tempting = tuple((c, Message(f"choices.{code}.{c}")) for c in ("positive", "variance", "small"))
    from derive.library import theorem
    from derive.worked.steps import theorem_chain

    shift = theorem("softmax-maximum-shift")
    theorem_chain(shift, seed)
    claim = shift.derivation.statement.claim
    return Question(
        code, Message(f"choices.{code}.cancels"), tempting, {}, (Display(Formula(claim)),),
    )  # fmt: skip


QUESTIONS: Mapping[str, Callable[[int, int, int], Question]] = {
    "head-dimension": _head_dimension,
    "projection-parameters": _projection_parameters,
    "maximum-shift": _maximum_shift,
}
