"""The exact softmax of given logits: from the definition, through the shift by the maximum, to closed forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from derive import floats
from derive.definitions import signatures
from derive.errors import DeriveError
from derive.sheets.blocks import Block, Box, Credit, Formula, KeyEntry, Localised, Message, Paragraph, Text
from derive.sheets.marking import of_chains
from derive.sheets.problems import Field, Given, Solution
from derive.errors import NotProved
from derive.worked.ieee import listed, sentence, signed
from derive.worked.masking import how_it_went
from derive.worked.steps import equation, rounded
from proofs.syntax.explicit import explicit_tensor
from proofs.terms import Term, add, apply, div, exp, num, sub

PLACES = 7
LARGEST = 2_000


class Softmax:
    """What is softmax(z), exactly?"""

    name = "softmax"
    title = Localised("softmax 的精确值", "The exact softmax")
    fields: Mapping[str, Field] = {"z": Field("numbers", low=-LARGEST, high=LARGEST, longest=6)}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        z = _logits(given["z"])
        vector = explicit_tensor(tuple(num(x) for x in z))
        first = apply(signatures()["softmax"].definition, num(len(z)), vector)
        entries = _closed(z)
        chain, printed = equation(first, _steps(z, entries), seed)
        total = add(*entries) if len(entries) > 1 else entries[0]
        _, sums = equation(total, [(num(1), ("cancel", "exp of a sum"))], seed)
        decimals = [rounded(e, PLACES) for e in entries]
        top = num(max(z))
        worked: list[Block] = [
            Paragraph(_idea(z, top)),
            printed,
            Paragraph((Message("softmax.total"),)),
            sums,
            Paragraph((Message("softmax.decimals", {"places": PLACES}),)),
        ]
        for e, r in zip(entries, decimals, strict=True):
            below, above = r.below.conclusion, r.above.conclusion
            if below.args[1] != e or above.args[0] != e:
                raise NotProved(e)
            ends: dict[str, Text] = {
                "low": _decimal(below.args[0]),
                "value": Formula(e),
                "high": _decimal(above.args[1]),
            }
            worked.append(Paragraph((Message("softmax.between", ends),)))
        worked.append(Box("trap", Message("worked.mistake"), (Paragraph(_overflow(z)),)))
        answer = Formula(chain.lines[-1].term)
        key = (KeyEntry(exact=answer, decimal=f"[{', '.join(signed(r.text) for r in decimals)}]"),)
        credits = (*of_chains((printed,)), Credit(Message("softmax.credit-decimals")))
        task = Paragraph((Message("softmax.task", {"z": Formula(vector)}), Message("softmax.ask", {"places": PLACES})))
        return Solution(
            task=(task,), worked=tuple(worked), key=key, space=9, title=Message("softmax.title"), credits=credits
        )


def _decimal(t: Term) -> str:
    """A numeral that ends, in decimals."""
    q = Fraction(t.data)  # type: ignore[arg-type]
    return signed(f"{Decimal(q.numerator) / Decimal(q.denominator):f}")


def _idea(z: Sequence[Fraction], top: Term) -> tuple[Text, ...]:
    """The steps that this row needs: a shift where its largest logit is not 0, a last one where logits differ."""
    shift = Message("softmax.idea", {"m": Formula(top)}) if max(z) else Message("softmax.idea-zero")
    return (shift, Message("softmax.idea-closed")) if min(z) < max(z) else (shift,)


def _logits(value: Given) -> tuple[Fraction, ...]:
    if not isinstance(value, tuple) or not value:
        raise DeriveError("softmax-empty")
    return tuple(Fraction(x) if isinstance(x, int | Decimal) else Fraction(str(x)) for x in value)


def _quotients(exponents: Sequence[Term], others: Sequence[Sequence[Term]]) -> Term:
    """The vector of ``exp(a) / (exp(b) + ...)``."""
    made = []
    for a, row in zip(exponents, others, strict=True):
        made.append(div(a, add(*row) if len(row) > 1 else row[0]))
    return explicit_tensor(tuple(made))


def _exp(q: Fraction) -> Term:
    return exp(num(q)) if q else num(1)


def _closed(z: Sequence[Fraction]) -> list[Term]:
    """Each entry with the smallest logit subtracted: ``1/(1 + e^2)``, ``e^2/(1 + e^2)``."""
    low = min(z)
    row = [_exp(x - low) for x in z]
    return [div(e, add(*row) if len(row) > 1 else row[0]) for e in row]


def _steps(z: Sequence[Fraction], entries: Sequence[Term]) -> list[tuple[Term, tuple[str, ...]]]:
    top = max(z)
    plain = [exp(num(x)) for x in z]
    shifted = [exp(sub(num(x), num(top))) for x in z]
    reduced = [_exp(x - top) for x in z]
    steps: list[tuple[Term, tuple[str, ...]]] = [
        (_quotients(plain, [plain] * len(z)), ("definition", "condition", "single term")),
        *([(_quotients(shifted, [shifted] * len(z)), ("exp of a sum", "cancel", "condition"))] if top else []),
        (_quotients(reduced, [reduced] * len(z)), ("exp of a sum",)),
        (explicit_tensor(tuple(entries)), ("exp of a sum", "cancel", "condition")),
    ]
    kept: list[tuple[Term, tuple[str, ...]]] = []
    for term, reasons in steps:
        if not kept or kept[-1][0] != term:
            kept.append((term, reasons))
    return kept


WENT = ("overflow", "overflow-of-sum", "nothing-left", "fine")
"""What may become of the direct way in a format, in the order in which it is said."""


def _overflow(z: Sequence[Fraction]) -> tuple[Text, ...]:
    """What becomes of softmax without the shift in each format, from the exact IEEE model."""
    went: dict[str, list[Text]] = {}
    for format_ in floats.FORMATS:
        trace = floats.softmax([floats.round_rational(format_, x) for x in z], "naive")
        went.setdefault(how_it_went(trace), []).append(format_.name)
    m = Formula(exp(num(max(z))))
    said: list[Text] = []
    for code in WENT:
        if code in went:
            known: dict[str, Text] = {"formats": listed(went[code]), "e": m}
            said.append(sentence(f"softmax.direct-{code}", known))
    last = Message("softmax.direct-world" if set(went) - {"fine"} else "softmax.shift-anyway")
    return (*said, last)
