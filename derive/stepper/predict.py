"""Judging the line that a learner types before the next one is shown."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from derive.definitions import signatures
from derive.library import reason_names
from derive.stepper.subjects import Step, Subject
from proofs.syntax.derivation import DerivationLine, read_derivation
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.source import LEADING_SIGN
from proofs.verify import LineVerdict, verify

MAX_TYPED = 2_000
SIGNS = {"eq": "=", "le": "<=", "lt": "<"}


@dataclass(frozen=True)
class Prediction:
    """The verdict on a typed line; whether it is the author's next line, or (from 1) a later one of the same chain.

    `column` is where in what was typed a line can't be read, from 0.
    """

    verdict: LineVerdict
    same: bool = False
    later: int = 0
    column: int | None = None


def predict(
    subject: Subject, step: Step, typed: str, guard: Callable[[], AbstractContextManager[None]] = nullcontext
) -> Prediction:
    """Judge `typed`, a line with or without its relation and reason, as the line after ``step.before``.

    Raises
    ------
    ValueError
        Where the step is the first of its chain, and so has no line before it.
    """
    if step.before is None:
        raise ValueError("the first line of a chain is given")
    typed = " ".join(typed[:MAX_TYPED].split())
    shift = 0
    if LEADING_SIGN.match(typed) is None:
        sign = SIGNS.get(step.relation or "eq", "=") + " "
        typed, shift = sign + typed, len(sign)
    text = f"{subject.headers[step.chain]}\nproof\n  0\n  {typed}\n"
    try:
        derivation = read_derivation(text, signatures())
    except SyntaxFault as fault:
        return _unreadable(typed, fault, shift)
    read = derivation.lines[-1]
    first = DerivationLine(0, "", None, step.before)
    read = replace(read, line_number=0)
    if read.fault is not None or read.term is None:
        return _unreadable(typed, read.fault, shift)
    report = verify(replace(derivation, lines=(first, read)), reason_names(), guard)
    verdict = report.lines[-1]
    chain = subject.chains[step.chain]
    later = [k for k in range(step.line + 1, len(chain.lines)) if chain.lines[k].term == read.term]
    return Prediction(verdict, read.term == step.term, later[0] if later and verdict.verdict == "proved" else 0)


def _unreadable(typed: str, fault: SyntaxFault | None, shift: int) -> Prediction:
    column = None if fault is None or fault.column is None else max(0, fault.column - 3 - shift)
    return Prediction(LineVerdict(0, typed, "unreadable", fault=fault), column=column)
