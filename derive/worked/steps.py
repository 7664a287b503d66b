"""Chains made for given values: proved by the kernel, replayed, tried on numbers, and ready to print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from derive.errors import DeriveError
from derive.library import CODES, LibraryTheorem, printed_chain, theorem
from derive.sheets.blocks import Chain as PrintedChain
from derive.sheets.blocks import Formula, Message, Text
from derive.sheets.problems import Seed
from derive.errors import NotProved
from derive.worked.bounds import proved_less
from proofs.calc import Chain, proved
from proofs.kernel import Theorem
from proofs.evaluate import decimal
from proofs.record import replays
from proofs.statement import Statement
from proofs.terms import Term, num, power, relation

if TYPE_CHECKING:
    from derive.numbers import Trial


Step = tuple[Term, Sequence[str]]


def equation(first: Term, steps: Sequence[Step], seed: int) -> tuple[Chain, PrintedChain]:
    """The chain ``first = ... = last`` over closed terms, proved and replayed, with what it was checked against.

    Raises
    ------
    NotProved
        If any check fails.
    """
    steps = [(term, known_reasons(reasons)) for term, reasons in steps]
    statement = Statement((), (), relation("eq", first, steps[-1][0]))
    lines: list[tuple[str | None, Term, Sequence[str]]] = [(None, first, ())]
    lines += [("eq", term, reasons) for term, reasons in steps]
    chain = proved(statement, lines)
    if not replays(chain.record("instance"), statement):
        raise NotProved(statement.claim)
    from derive.numbers import TOLERANCE, NoInstance, try_chain

    try:
        trial = try_chain(chain, seed, {})
    except NoInstance:
        raise NotProved(statement.claim) from None
    if trial.largest_deviation > TOLERANCE:
        raise NotProved(statement.claim)
    checked = (Message("checked.proof"), *_compared(trial))
    return chain, replace(in_words(printed_chain(chain)), checked=checked)


PUT_IN = ("definition", "condition", "single term")
"""The reasons for putting numbers into a finite sum; people have one phrase for them."""


def in_words(printed: PrintedChain) -> PrintedChain:
    """The chain with the reasons of putting numbers in as that phrase."""
    put_in = Message("worked.put-in")
    lines = (replace(line, reason=put_in) if {*PUT_IN} <= {*line.codes} else line for line in printed.lines)
    return replace(printed, lines=tuple(lines))


def _compared(trial: Trial) -> tuple[Message, ...]:
    """How the lines of a closed chain were compared; where float64 can't hold a number on the way, it is said."""
    if not trial.beyond:
        return (
            Message("checked.closed", {"bound": power_of_ten(trial.largest_deviation)}),
            Message("checked.digits", {"n": trial.digits, "agreed": trial.agreed}),
        )
    params: dict[str, Text] = {"all": trial.compared, "digits": trial.digits}
    if trial.beyond == trial.compared:
        return (Message("checked.beyond-all", params),)
    params |= {"n": trial.beyond, "bound": power_of_ten(trial.largest_deviation)}
    return (Message("checked.beyond", params),)


def known_reasons(reasons: Sequence[str]) -> tuple[str, ...]:
    """The reasons of a step, each of which must be one that there is; one alone may stand without its tuple.

    Raises
    ------
    DeriveError
        For a reason that there is not.
    """
    codes = (reasons,) if isinstance(reasons, str) else tuple(reasons)
    for code in codes:
        if code not in CODES:
            close = get_close_matches(code, CODES, 1)
            if close:
                raise DeriveError("no-reason-close", found=code, close=close[0])
            raise DeriveError("no-reason", found=code, known=", ".join(CODES))
    return codes


KEPT = 128
"""Checked theorems that are remembered: more than there are, so that the variants of a sheet share them."""


def theorem_chain(asked: LibraryTheorem, seed: int) -> PrintedChain:
    """The chain of a library theorem, checked in this run, with what it was checked against.

    A theorem is checked once for all sheets with one `general` seed: it does not depend on what a variant gives.

    Raises
    ------
    NotProved
        If any check fails.
    """
    return _checked_once(asked.name, seed.general if isinstance(seed, Seed) else seed)


@lru_cache(maxsize=KEPT)
def _checked_once(name: str, seed: int) -> PrintedChain:
    outcome = theorem(name).check(seed)
    if not outcome.proved or not outcome.chains:
        raise NotProved(name)
    bound_ = power_of_ten(outcome.largest_deviation)
    tried: Text = Message("checked.instances", {"n": outcome.instances, "bound": bound_})
    if not outcome.free:
        tried = Message("checked.closed", {"bound": bound_})
    digits = Message("checked.digits", {"n": outcome.digits, "agreed": outcome.agreed})
    if theorem(name).derivation.statement.claim.op in ("le", "lt"):
        held = Message("checked.held", {"n": outcome.instances, "bound": bound_})
        return replace(outcome.chains[0], checked=(Message("checked.proof"), held))
    return replace(outcome.chains[0], checked=(Message("checked.proof"), tried, digits))


def power_of_ten(deviation: float) -> Formula:
    """The least power of ten, from 10^-15 up, that is greater than `deviation`."""
    exponent = -15 if deviation < 1e-15 else math.floor(math.log10(deviation)) + 1
    return Formula(power(num(10), num(exponent)))


@dataclass(frozen=True)
class Rounded:
    """A closed number rounded to so many places, with the two theorems that show the rounding."""

    text: str
    below: Theorem
    above: Theorem


def rounded(term: Term, places: int) -> Rounded:
    """``|term - decimal| < half a unit of the last place``, proved by rational bounds.

    Raises
    ------
    NotProved
        Where the value is a tie or the bounds do not separate it from one.
    """
    text = decimal(term, places)
    if text is None:
        raise NotProved(term)
    value, half = Fraction(text), Fraction(1, 2 * 10**places)
    return Rounded(text, proved_less(num(value - half), term), proved_less(term, num(value + half)))
