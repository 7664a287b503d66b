"""Chains: a derivation as people write it, proved line by line by the kernel.

The author gives the lines and the reasons; where in the line a rule applies is found. A chain is printed as its
author wrote it, and its theorem is made of one kernel theorem for each line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from proofs import kernel
from proofs.context import Context, sym, trans
from proofs.defined import established, undefined
from proofs.justify import prove
from proofs.kernel import KernelError, Theorem
from proofs.record import Established
from proofs.statement import Statement
from proofs.terms import Term, TermError, relation

ARITHMETIC = "arithmetic"


@dataclass(frozen=True)
class Line:
    """One line: how it relates to the line before (None for the first), its term, its reasons, its theorem."""

    relation: str | None
    term: Term
    reasons: tuple[str, ...] = ()
    theorem: Theorem | None = None


@dataclass(frozen=True)
class Chain:
    """A statement with the lines that prove it, and the kernel theorem ``assumptions |- claim``.

    `values` are the theorems that the claim and each line have a value.
    """

    statement: Statement
    lines: tuple[Line, ...]
    theorem: Theorem
    values: tuple[Established, ...] = ()

    def record(self, name: str) -> tuple[Established, ...]:
        """All that must hold for the claim to be called proved: the claim itself under `name`, then the values."""
        return Established(name, self.statement.claim, self.theorem), *self.values


class ChainError(ValueError):
    """A line that its reasons do not justify: its place (from 0, -1 for the claim), and what could not be proved."""

    def __init__(self, code: str, line: int, goal: Term) -> None:
        super().__init__(f"{code}: line {line}: {goal!r}")
        self.code, self.line, self.goal = code, line, goal


def proved(statement: Statement, lines: Sequence[tuple[str | None, Term, Sequence[str]]]) -> Chain:
    """The chain with a theorem for every line and for the claim; `ChainError` at the first that fails."""
    ctx = Context.of(statement)
    done: list[Line] = []
    values = _values("claim", -1, statement.claim, ctx)
    for k, (op, term, reasons) in enumerate(lines):
        values += _values(f"line-{k}", k, term, ctx)
        if op is None:
            done.append(Line(None, term))
            continue
        goal = relation(op, done[-1].term, term)
        theorem = prove(goal, ctx, [r for r in reasons if r != ARITHMETIC])
        if theorem is None:
            raise ChainError("unjustified", k, goal)
        done.append(Line(op, term, tuple(reasons), theorem))
    theorem = joined(statement.claim, done, ctx)
    if theorem is None:
        raise ChainError("claim-not-reached", len(done) - 1, statement.claim)
    return Chain(statement, tuple(done), theorem, tuple(values))


def _values(name: str, line: int, term: Term, ctx: Context) -> list[Established]:
    """The theorems that a line has a value. Raises `ChainError`."""
    missing = undefined(term, ctx)
    if missing:
        raise ChainError("undefined", line, missing[0])
    return established(name, term, ctx)


def joined(claim: Term, lines: Sequence[Line], ctx: Context) -> Theorem | None:
    """The claim from the theorems of its chain, which may run from either side; None where the ends don't meet."""
    if not lines or any(line.relation is not None and line.theorem is None for line in lines):
        return None
    steps = [line.theorem for line in lines[1:] if line.theorem is not None]
    theorem: Theorem = steps[0] if steps else kernel.congruence(lines[0].term, {})
    for step in steps[1:]:
        theorem = _linked(theorem, step)
    turned = [theorem]
    if theorem.conclusion.op == "eq":
        turned.append(sym(theorem))
    for t in turned:
        if t.conclusion == claim:
            return t
    return next((found for t in turned if (found := _stretched(t, claim, ctx)) is not None), None)


def _linked(e: Theorem, f: Theorem) -> Theorem:
    p, q = e.conclusion, f.conclusion
    if q.op == "eq":
        return trans(e, f)
    if p.op == "eq":
        return kernel.relate(f, {0: sym(e)})
    op = "lt" if "lt" in (p.op, q.op) else "le"
    return kernel.linear(relation(op, p.args[0], q.args[1]), (e, f), (1, 1))


def _alike(x: Term, y: Term, ctx: Context) -> Theorem | None:
    """``x = y`` where the two differ by arithmetic alone."""
    if x == y:
        return kernel.congruence(x, {})
    if x.rank != y.rank:
        return None
    return prove(relation("eq", x, y), ctx, ())


def _stretched(theorem: Theorem, claim: Term, ctx: Context) -> Theorem | None:
    """The claim from a theorem whose two sides are the claim's up to arithmetic."""
    p = theorem.conclusion
    if claim.op not in ("eq", "le", "lt") or p.op not in ("eq", "le", "lt"):
        return None
    strength = {"eq": 0, "le": 1, "lt": 2}
    if p.args[0].rank != claim.args[0].rank:
        return None
    low, high = _alike(p.args[0], claim.args[0], ctx), _alike(p.args[1], claim.args[1], ctx)
    if claim.op != "eq" and (low is None) != (high is None):
        return _completed(theorem, claim, low is None, ctx)
    if low is None or high is None:
        return None
    try:
        theorem = kernel.relate(theorem, {0: low, 1: high})
        if theorem.conclusion != claim:
            if claim.op == "eq" or strength[claim.op] > 1:
                return None
            theorem = kernel.linear(claim, (theorem,), (1,))
    except (KernelError, TermError):
        return None
    return theorem


def _completed(theorem: Theorem, claim: Term, at_left: bool, ctx: Context) -> Theorem | None:
    """An inequality from a chain that stops short of one of its sides, where arithmetic alone shows what is left."""
    (a, b), (x, y) = claim.args, theorem.conclusion.args
    for op in ("lt", "le"):
        rest = prove(relation(op, a, x) if at_left else relation(op, y, b), ctx, ())
        if rest is None:
            continue
        whole = _linked(rest, theorem) if at_left else _linked(theorem, rest)
        found = _stretched(whole, claim, ctx)
        if found is not None:
            return found
    return None


def reason_codes(text: str, names: Mapping[str, str]) -> tuple[str, ...] | None:
    """The codes in a reason such as ``exp of a sum, cancel``; None where a part is no known name.

    `names` maps names, folded, to codes.
    """
    for mark in "，、;；":
        text = text.replace(mark, ",")
    found = []
    for part in text.split(","):
        folded = " ".join(part.casefold().split())
        folded = folded.removeprefix("and ")
        if not folded:
            continue
        if folded in names:
            found.append(names[folded])
            continue
        pieces = [names.get(x.strip()) for x in folded.split(" and ")]
        if None in pieces:
            return None
        found += [x for x in pieces if x is not None]
    return tuple(dict.fromkeys(found)) or None
