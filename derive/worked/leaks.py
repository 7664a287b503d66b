"""The converse of causality in numbers: a wrong reshape before W^O, or mixing along time, does leak."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from derive.problems.kind import Problem
from derive.sheets.blocks import Block, Box, KeyEntry, Localised, Message, Paragraph, Table, Text
from derive.sheets.problems import Field, Given, Solution
from derive.worked.answers import one_word
from derive.errors import NotProved

Numbers = list[list[int]]


class CausalityLeak:
    """Which of three ways to bring the heads to W^O lets position 1 see later positions?"""

    name = "causality-leak"
    title = Localised("哪一步会泄漏未来", "Which step leaks the future")
    fields: Mapping[str, Field] = {
        "T": Field("integer", required=False, default=2, low=2, high=6),
        "h": Field("integer", required=False, default=2, low=2, high=4),
        "d_v": Field("integer", required=False, default=2, low=1, high=4),
    }

    parts: Mapping[str, Localised] = {
        "swapped": Localised("(a) 先换轴再展平：泄漏还是不泄漏", "(a) swap, then flatten: does it leak"),
        "reshaped": Localised("(b) 不换轴直接展平：泄漏还是不泄漏", "(b) flatten without the swap: does it leak"),
        "mixed": Localised("(c) 把各位置相加：泄漏还是不泄漏", "(c) add up the positions: does it leak"),
    }

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        T, h, d_v = (_whole(given.get(k), 2) for k in ("T", "h", "d_v"))
        before, after = _heads(h, T, d_v, 0), _heads(h, T, d_v, 100)
        words = {code: Message(f"leaks.{code}") for code in ("leaks", "keeps")}
        found = {way: flatten(before, h, T, d_v)[0] != flatten(after, h, T, d_v)[0] for way, flatten in _WAYS.items()}
        return {way: one_word("leaks" if leaks else "keeps", words) for way, leaks in found.items()}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        T, h, d_v = (_whole(given.get(k), 2) for k in ("T", "h", "d_v"))
        before, after = _heads(h, T, d_v, 0), _heads(h, T, d_v, 100)
        rows: list[tuple[Text, ...]] = []
        verdicts: dict[str, bool] = {}
        for way, flatten in _WAYS.items():
            one, other = flatten(before, h, T, d_v)[0], flatten(after, h, T, d_v)[0]
            verdicts[way] = one != other
            _against_numpy(way, before, one, h, T, d_v)
            verdict = Message("leaks.leaks" if one != other else "leaks.keeps")
            if verdicts[way] == (way == "swapped"):
                raise NotProved(way)
            rows.append((Message(f"leaks.{way}"), _row(one), _row(other), verdict))
        header: tuple[Text, ...] = (
            Message("leaks.way"), Message("leaks.before"), Message("leaks.after"), Message("leaks.verdict"),
        )  # fmt: skip
        task = Paragraph((Message("leaks.task", {"h": h, "t": T, "d_v": d_v}), Message("leaks.ask")))
        worked: tuple[Block, ...] = (
            Paragraph((Message("leaks.idea", {"n": h * d_v}),)),
            Table(header, tuple(rows), Message("leaks.caption")),
            Paragraph((Message("leaks.reading", {"n": h * d_v}),)),
            Paragraph((Message("leaks.checked"),)),
            Box("trap", Message("worked.mistake"), (Paragraph((Message("leaks.mistake"),)),)),
        )
        key = tuple(
            KeyEntry(exact=Message("leaks.leaks" if leaks else "leaks.keeps"), label=Message(f"leaks.{way}"))
            for way, leaks in verdicts.items()
        )
        return Solution((task,), worked, key, space=8, title=Message("leaks.title"))


def _whole(value: Given | None, default: int) -> int:
    return value if isinstance(value, int) else default


def _heads(h: int, T: int, d_v: int, shift: int) -> list[Numbers]:
    """Head i, position t, column k holds ``100 i + 10 t + k``; `shift` is added at each position but the first."""
    return [
        [[100 * (i + 1) + 10 * (t + 1) + k + 1 + (shift if t else 0) for k in range(d_v)] for t in range(T)]
        for i in range(h)
    ]


def _row(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))


def _swapped(a: list[Numbers], h: int, T: int, d_v: int) -> Numbers:
    return [[x for i in range(h) for x in a[i][t]] for t in range(T)]


def _reshaped(a: list[Numbers], h: int, T: int, d_v: int) -> Numbers:
    flat = [x for head in a for row in head for x in row]
    return [flat[t * h * d_v : (t + 1) * h * d_v] for t in range(T)]


def _mixed(a: list[Numbers], h: int, T: int, d_v: int) -> Numbers:
    joined = _swapped(a, h, T, d_v)
    return [[sum(column) for column in zip(*joined, strict=True)] for _ in range(T)]


_WAYS: Mapping[str, Callable[[list[Numbers], int, int, int], Numbers]] = {
    "swapped": _swapped,
    "reshaped": _reshaped,
    "mixed": _mixed,
}


def _against_numpy(way: str, a: list[Numbers], first: Sequence[int], h: int, T: int, d_v: int) -> None:
    """The same with NumPy's own reshape and swapaxes; a difference is a fault of ours."""
    import numpy as np

    x: Any = np.array(a)
    joined = np.swapaxes(x, 0, 1).reshape(T, h * d_v)
    found = {
        "swapped": joined[0],
        "reshaped": x.reshape(T, h * d_v)[0],
        "mixed": np.broadcast_to(joined.sum(axis=0), joined.shape)[0],
    }[way]
    if found.tolist() != list(first):
        raise NotProved(way)
