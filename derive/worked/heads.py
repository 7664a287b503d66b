"""Two heads return what one can't, in numbers: one row of weights gives a mixture, two rows give both values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from derive.definitions import signatures
from derive.errors import DeriveError
from derive.sheets.blocks import (
    Block, Box, Chain, Display, Formula, KeyEntry, Localised, Message, Paragraph, Table, Text,
)  # fmt: skip
from derive.sheets.problems import Field, Given, Solution
from derive.worked.ieee import decimal_of, decimals_of, proved_less, sentence, texts, typed
from derive.worked.steps import NotProved, equation, rounded
from proofs.syntax.explicit import explicit_tensor
from proofs.terms import Term, add, apply, div, entry, exp, mul, num, relation, sub

PLACES = 7


class TwoHeads:
    """What one head and what two heads return of the values at two positions, and how close the weights are to 1."""

    name = "two-heads"
    title = Localised("一个头与两个头", "One head and two heads")
    fields: Mapping[str, Field] = {
        "values": Field("numbers", low=-1000, high=1000, longest=6),
        "p": Field("integer", required=False, default=1, low=1, high=6),
        "q": Field("integer", required=False, default=2, low=1, high=6),
        "g": Field("number", low=1, high=40),
    }

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        values = [Fraction(x) for x in decimals_of(given, "values")]
        g, p, q, n = Fraction(decimal_of(given, "g")), given["p"], given["q"], len(values)
        if not isinstance(p, int) or not isinstance(q, int) or p == q or max(p, q) > n:
            raise DeriveError("two-positions", n=n)
        swapped = list(values)
        swapped[p - 1], swapped[q - 1] = values[q - 1], values[p - 1]
        if values[p - 1] == values[q - 1]:
            raise DeriveError("two-values")
        both, one, other = (_scores(n, g, places) for places in ((p, q), (p,), (q,)))
        weight, printed = _weight(one, p, seed)
        bound = sub(num(1), mul(num(n - 1), exp(num(-g))) if n > 2 else exp(num(-g)))
        proved_less(bound, weight)
        proved_less(weight, num(1))
        rows: list[tuple[Text, ...]] = []
        outputs = {}
        for name, scores in (("both", both), ("first", one), ("second", other)):
            found = [_average(scores, v) for v in (values, swapped)]
            outputs[name] = found
            rows.append(texts(Message(f"two-heads.row-{name}"), _row(scores), *found))
        if outputs["both"][0] != outputs["both"][1] or outputs["first"][0] == outputs["first"][1]:
            raise NotProved("two-heads")
        facts: dict[str, Text] = {
            "p": p, "q": q, "g": typed(decimal_of(given, "g")), "n": n,
            "values": _row(values), "swapped": _row(swapped),
        }  # fmt: skip
        header = texts(
            Message("two-heads.head"), Message("two-heads.scores"),
            sentence("two-heads.of", {"values": _row(values)}), sentence("two-heads.of", {"values": _row(swapped)}),
        )  # fmt: skip
        size = rounded(weight, PLACES)
        worked: tuple[Block, ...] = (
            Paragraph((sentence("two-heads.idea", {"p": p, "q": q}),)),
            Table(header, tuple(rows), sentence("two-heads.caption", {"places": PLACES})),
            Paragraph((sentence("two-heads.one", {"p": p, "q": q}),)),
            Paragraph((sentence("two-heads.two", {"p": p, "q": q}),)),
            Paragraph((sentence("two-heads.weight", {"p": p}),)),
            printed,
            Paragraph((sentence("two-heads.close", {"digits": size.text}),)),
            Display(Formula(relation("lt", bound, weight))),
            Display(Formula(relation("lt", weight, num(1)))),
            Box("trap", Message("worked.mistake"), (Paragraph((Message("two-heads.mistake"),)),)),
        )
        key = (
            KeyEntry(exact=outputs["both"][0], label=Message("two-heads.row-both")),
            KeyEntry(exact=f"({outputs['first'][0]}; {outputs['second'][0]})", label=Message("two-heads.key-two")),
            KeyEntry(exact=Formula(weight), decimal=size.text, label=sentence("two-heads.key-weight", {"p": p})),
        )
        task = Paragraph((sentence("two-heads.task", facts), sentence("two-heads.ask", facts)))
        return Solution((task,), worked, key, space=9, title=Message("two-heads.title"))


def _scores(n: int, g: Fraction, places: Sequence[int]) -> list[Fraction]:
    """g at the places that the head looks at, 0 elsewhere."""
    return [g if k in places else Fraction(0) for k in range(1, n + 1)]


def _row(values: Sequence[Fraction]) -> str:
    return f"[{', '.join(map(_written, values))}]"


def _written(q: Fraction) -> str:
    """A decimal fraction as a decimal."""
    return typed(Decimal(q.numerator) / Decimal(q.denominator))


def _weight(scores: Sequence[Fraction], p: int, seed: int) -> tuple[Term, Chain]:
    """The weight at `p` in closed form, with its chain from the definition."""
    n = len(scores)
    vector = explicit_tensor(tuple(num(x) for x in scores))
    first = entry(apply(signatures()["softmax"].definition, num(n), vector), num(p))
    plain = [exp(num(x)) for x in scores]
    top = plain[p - 1]
    closed = div(top, add(top, num(n - 1)))
    steps = [(div(top, add(*plain)), ("definition", "condition", "single term")), (closed, ("exp of a sum",))]
    _, printed = equation(first, steps, seed)
    return closed, printed


def _average(scores: Sequence[Fraction], values: Sequence[Fraction]) -> str:
    """What the head returns: the average of the values with its softmax weights, rounded, the rounding proved."""
    parts = [exp(num(x)) if x else num(1) for x in scores]
    term = div(add(*(mul(num(v), e) for v, e in zip(values, parts, strict=True))), add(*parts))
    return typed(Decimal(rounded(term, PLACES).text))
