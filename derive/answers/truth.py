"""An answer that is true or false, in the words, letters and marks that people use for it."""

from __future__ import annotations

from derive.answers.judging import Outcome
from derive.answers.reading import MAX_CHARACTERS
from derive.answers.values import Truth
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.tokens import normalised

_TRUE = frozenset(
    ("true", "t", "yes", "y", "right", "correct", "holds", "对", "真", "是", "正确", "成立", "√", "✓", "✔")
)
_FALSE = frozenset(
    ("false", "f", "no", "n", "wrong", "incorrect", "not true", "错", "假", "否", "不对", "错误", "不正确", "不成立",
     "×", "✗", "✘")
)  # fmt: skip
_ROUND = " \t\r\n.。!！()[]（）【】$*\"'"


def read_truth(text: str) -> bool:
    """Whether `text` says true. Raises `SyntaxFault` for what says neither."""
    if len(text) > MAX_CHARACTERS:
        raise SyntaxFault("too-long", (MAX_CHARACTERS, MAX_CHARACTERS + 1), {"limit": MAX_CHARACTERS})
    word = " ".join(normalised(text).strip(_ROUND).casefold().split())
    for prefix in ("\\text{", "\\mathrm{", "\\textbf{"):
        if word.startswith(prefix) and word.endswith("}"):
            word = word[len(prefix) : -1].strip(_ROUND)
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    if not word:
        raise SyntaxFault("empty", (0, max(1, len(text))))
    raise SyntaxFault("unexpected", (0, len(text)), {"found": word[:40]}, ("true or false",))


def judge_truth(answer: str, right: Truth) -> Outcome:
    """The verdict on an answer that says true or false. Raises `SyntaxFault`."""
    if read_truth(answer) == right.holds:
        return Outcome("correct", "same", unstated="choice")
    return Outcome("wrong", "other-truth")
