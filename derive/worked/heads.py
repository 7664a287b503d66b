"""Two heads return what one can't, in numbers: one row of weights gives a mixture, two rows give both values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from derive.answers.values import Exact, Row
from derive.definitions import signatures
from derive.errors import DeriveError
from derive.problems.kind import Mistake, Problem, asked
from derive.sheets.blocks import (
    Block, Box, Chain, Display, Formula, KeyEntry, Localised, Message, Paragraph, Table, Text,
)  # fmt: skip
from derive.sheets.problems import Field, Given, Solution
from derive.worked.answers import key_entry
from derive.worked.ieee import decimal_of, decimals_of, sentence, texts, typed
from derive.errors import NotProved
from derive.worked.bounds import proved_less
from derive.library import theorem
from derive.worked.steps import equation, rounded, theorem_chain
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

    constraint = Localised(
        "p 与 q 是两个不同的位置，都不超过数值的个数，且这两处的数值不同。",
        "p and q are two different positions, at most as many as there are values, and the values there differ.",
    )
    parts: Mapping[str, Localised] = {
        "both": Localised(
            "同时看两个位置的一个头对第一个输入的输出", "what one head that looks at both returns, first input"
        ),
        "two": Localised("两个头对第一个输入的输出，写成一行", "what the two heads return, first input, as a row"),
        "weight": Localised("第一个头在位置 p 处的权重", "the weight at p in the first of the two heads"),
    }

    def fits(self, given: Mapping[str, Given]) -> bool:
        try:
            _values(given)
        except DeriveError:
            return False
        return True

    def answers(self, given: Mapping[str, Given], seed: int) -> Mapping[str, Problem]:
        values, _, p, q = _values(given)
        n, g = len(values), Fraction(decimal_of(given, "g"))
        both, one, other = (_scores(n, g, places) for places in ((p, q), (p,), (q,)))
        first, second = (Exact(_mixture(scores, values)) for scores in (one, other))
        exchanged = Mistake("entries-swapped", lambda: Row((second, first)))
        unequal = Mistake("one-position-only", lambda: first)
        return {
            "both": asked(_mixture(both, values), unequal, Mistake("one-position-only", lambda: second)),
            "two": asked(Row((first, second)), exchanged),
            "weight": asked(_closed(one, p), Mistake("weight-of-one", lambda: Exact(num(1)))),
        }

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        values, swapped, p, q = _values(given)
        n, g = len(values), Fraction(decimal_of(given, "g"))
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
        if outputs["first"] != outputs["second"][::-1]:
            raise NotProved("two-heads")
        theorem_chain(theorem("softmax-gap-bound"), seed)
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
            Paragraph((sentence(f"two-heads.two{'' if _close_to_one(weight) else '-far'}", {"p": p, "q": q}),)),
            Paragraph((sentence("two-heads.weight", {"p": p}),)),
            printed,
            Paragraph((sentence("two-heads.close", {"digits": size.text}),)),
            Display(Formula(relation("lt", bound, weight))),
            Display(Formula(relation("lt", weight, num(1)))),
            Box("trap", Message("worked.mistake"), (Paragraph((Message("two-heads.mistake"),)),)),
        )
        key = (
            KeyEntry(exact=outputs["both"][0], label=Message("two-heads.row-both")),
            KeyEntry(exact=f"({outputs['first'][0]}, {outputs['second'][0]})", label=Message("two-heads.key-two")),
            key_entry(self.answers(given, seed)["weight"], sentence("two-heads.key-weight", {"p": p}), size.text),
        )
        task = Paragraph((sentence("two-heads.task", facts), sentence("two-heads.ask", facts)))
        return Solution((task,), worked, key, space=9, title=Message("two-heads.title"))


NEARLY = Fraction(9, 10)
"""From this weight on a head is said to return about the value at its position."""


def _close_to_one(weight: Term) -> bool:
    """Whether a weight is at least `NEARLY`, proved; if not, that it is less is proved."""
    try:
        proved_less(num(NEARLY), weight)
    except NotProved:
        proved_less(weight, num(NEARLY))
        return False
    return True


def _values(given: Mapping[str, Given]) -> tuple[list[Fraction], list[Fraction], int, int]:
    """The values, the same with those at p and q exchanged, and p and q.

    Raises
    ------
    DeriveError
        ``two-positions`` or ``two-values``.
    """
    values = [Fraction(x) for x in decimals_of(given, "values")]
    p, q, n = given["p"], given["q"], len(values)
    if not isinstance(p, int) or not isinstance(q, int) or p == q or max(p, q) > n:
        raise DeriveError("two-positions", n=n)
    swapped = list(values)
    swapped[p - 1], swapped[q - 1] = values[q - 1], values[p - 1]
    if values[p - 1] == values[q - 1]:
        raise DeriveError("two-values")
    return values, swapped, p, q


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
    closed = _closed(scores, p)
    steps = [(div(plain[p - 1], add(*plain)), ("definition", "condition", "single term")), (closed, ("exp of a sum",))]
    _, printed = equation(first, steps, seed)
    return closed, printed


def _closed(scores: Sequence[Fraction], p: int) -> Term:
    """The weight at the only position with a score other than 0."""
    top = exp(num(scores[p - 1]))
    return div(top, add(top, num(len(scores) - 1)))


def _mixture(scores: Sequence[Fraction], values: Sequence[Fraction]) -> Term:
    """The average of the values with softmax weights."""
    parts = [exp(num(x)) if x else num(1) for x in scores]
    return div(add(*(mul(num(v), e) for v, e in zip(values, parts, strict=True))), add(*parts))


def _average(scores: Sequence[Fraction], values: Sequence[Fraction]) -> str:
    """What the head returns: the average of the values with its softmax weights, rounded, the rounding proved."""
    return typed(Decimal(rounded(_mixture(scores, values), PLACES).text))
