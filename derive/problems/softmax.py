"""Softmax of a row of real numbers, exactly.

Source: "Attention Is All You Need" (arXiv:1706.03762v7), section 3.2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations

from derive.answers.values import NAN, Exact, Right, Row, Said, Value
from derive.problems.given import Given
from derive.problems.kind import AnswerKind, Mistake, Problem
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, add, div, exp, mul, neg, num, power

MAX_PERMUTED = 4
ONE = num(1)


def summed(terms: Sequence[Term]) -> Term:
    """The sum of at least one term."""
    return terms[0] if len(terms) == 1 else add(*terms)


def shares(parts: Sequence[Term]) -> list[Term]:
    """Each part over the sum of all: equal parts as one fraction, a single one as 1."""
    if all(p == parts[0] for p in parts):
        return [num(Fraction(1, len(parts)))] * len(parts)
    values = [Fraction(p.data) if p.op == "num" else None for p in parts]  # type: ignore[arg-type]
    known = [v for v in values if v is not None]
    if len(known) == len(parts):
        return [num(v / sum(known)) for v in known]
    whole = summed(parts)
    return [div(p, whole) for p in parts]


def exponentials(z: Sequence[Term], scaled: Callable[[Fraction], Term] = num) -> list[Term]:
    """exp of each entry, the smallest subtracted where all are rational: ``1, e^2`` for 500 and 502."""
    values = [Fraction(t.data) if t.op == "num" else None for t in z]  # type: ignore[arg-type]
    known = [v for v in values if v is not None]
    if len(known) < len(z):
        return [exp(t) for t in z]
    least = min(known)
    return [ONE if v == least else exp(scaled(v - least)) for v in known]


def exact_row(terms: Sequence[Term]) -> Row:
    return Row(tuple(Exact(t) for t in terms))


def shuffled(terms: Sequence[Term]) -> list[Mistake]:
    """The entries in another order: all orders of a short row, else only from behind."""
    orders = permutations(terms) if len(terms) <= MAX_PERMUTED else iter((tuple(reversed(terms)),))
    return [Mistake("entries-swapped", partial(exact_row, o)) for o in orders if o != tuple(terms)]


def base_two(values: Sequence[Fraction | None]) -> list[Term] | None:
    """The row with 2 for e, where the differences are whole numbers."""
    known = [v for v in values if v is not None]
    if len(known) < len(values):
        return None
    differences = [v - min(known) for v in known]
    if any(q.denominator != 1 or q > 200 for q in differences):
        return None
    return shares([num(2 ** int(q)) for q in differences])


def _softmax(given: Given) -> Problem:
    z = [given.exact("z", item) for item in given.items("z")]
    right = shares(exponentials(z))
    shown = {"z": ", ".join(map(to_plain, z)), "row": ", ".join(map(to_plain, right))}
    line = Said("softmax", {k: v if len(v) <= 200 else v[:197] + "..." for k, v in shown.items()})
    return Problem(Right(exact_row(right), line), tuple(_mistakes(z, right)))


def _mistakes(z: list[Term], right: list[Term]) -> list[Mistake]:
    values = [Fraction(t.data) if t.op == "num" else None for t in z]  # type: ignore[arg-type]
    known = [v for v in values if v is not None]
    rational = len(known) == len(z)
    n = len(z)

    def linear() -> Value | None:
        return (
            exact_row([num(v / sum(known, Fraction(0))) for v in known])
            if rational and sum(known, Fraction(0))
            else None
        )

    def squares() -> Value | None:
        return exact_row([num(v * v / sum(q * q for q in known)) for v in known]) if rational and any(known) else None

    def two() -> Value | None:
        made = base_two(values)
        return None if made is None else exact_row(made)

    def largest() -> Value | None:
        if not rational:
            return None
        top = max(known)
        return exact_row([ONE if v == top else exp(num(v - top)) for v in known])

    def hard() -> Value | None:
        return exact_row([num(int(v == max(known))) for v in known]) if rational else None

    def over_largest() -> Value | None:
        if not rational or not max(known):
            return None
        return exact_row([num(v / max(known)) for v in known])

    return [
        *(shuffled(right) if len(set(right)) > 1 else []),
        Mistake("linear-instead-of-exponential", linear),
        Mistake("base-two", two),
        Mistake("sign-turned", lambda: exact_row(shares(exponentials([_opposite(t) for t in z])))),
        Mistake("not-normalised", largest),
        Mistake("not-normalised", lambda: exact_row(exponentials(z))),
        Mistake("not-normalised", lambda: exact_row([exp(t) for t in z])),
        Mistake("argmax", hard),
        Mistake("uniform", lambda: exact_row([num(Fraction(1, n))] * n)),
        Mistake("squares", squares),
        Mistake("over-largest", over_largest),
        Mistake("sigmoid", lambda: exact_row([div(ONE, add(ONE, exp(_opposite(t)))) for t in z])),
        Mistake("doubled", lambda: exact_row(shares([power(e, num(2)) for e in exponentials(z)]))),
        Mistake("halved", lambda: exact_row(shares(exponentials([_half(t) for t in z])))),
        Mistake("overflow-on-the-way", lambda: Row((NAN,) * n)),
    ]


def _opposite(t: Term) -> Term:
    return num(-Fraction(t.data)) if t.op == "num" else neg(t)  # type: ignore[arg-type]


def _half(t: Term) -> Term:
    return num(Fraction(t.data) / 2) if t.op == "num" else mul(num(Fraction(1, 2)), t)  # type: ignore[arg-type]


SOFTMAX = AnswerKind("softmax", ("z",), _softmax, "row")
