"""Exercises that ask for a proof: the statement of a library theorem, and its chain."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from derive.library import theorem, theorems
from derive.sheets.blocks import Block, Box, Display, Formula, KeyEntry, Localised, Message, Paragraph, Text
from derive.sheets.problems import Field, Given, Solution
from derive.sheets.prose import catalogue
from derive.worked.steps import theorem_chain
from proofs.context import Context
from proofs.justify import prove
from proofs.terms import Term, free_variables, instantiate, rebuild, substitute, var


class Proof:
    """Prove a theorem; where its claim would give away what is asked, find the other side of it."""

    name = "proof"
    title = Localised("证明", "A proof")

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        return {"theorem": Field("choice", options=tuple(theorems()))}

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        name = str(given["theorem"])
        asked = theorem(name)
        statement = asked.derivation.statement
        chain = theorem_chain(asked, seed)
        prose = catalogue("en")
        hypotheses = [block for p in statement.hypotheses for block in hypothesis(p)]
        open_ = f"theorems.{name}.asked" in prose
        task: list[Block] = [Paragraph((Message(f"theorems.{name}.{'asked' if open_ else 'task'}"),))]
        worked: list[Block] = [Paragraph((Message(f"theorems.{name}.idea"),))]
        if hypotheses:
            task += [Paragraph((Message("worked.suppose"),)), *hypotheses]
        if open_:
            task.append(Paragraph((Message("worked.find", {"first": Formula(statement.claim.args[0])}),)))
            worked += [Paragraph((Message("worked.result"),)), Display(Formula(statement.claim))]
        else:
            prove_ = [Paragraph((Message("worked.prove"),))] if hypotheses else []
            task += [*prove_, Display(Formula(statement.claim))]
        worked.append(chain)
        if f"theorems.{name}.after" in prose:
            worked.append(Paragraph((Message(f"theorems.{name}.after"),)))
        worked.append(Box("trap", Message("worked.mistake"), (Paragraph((Message(f"theorems.{name}.mistake"),)),)))
        title = asked.title if asked.title_key is None else Message(asked.title_key)
        if open_:
            title = Message(f"theorems.{name}.asked-title")
        key = (KeyEntry(exact=Formula(statement.claim), convention=Message(f"theorems.{name}.key")),)
        return Solution(tuple(task), tuple(worked), key, space=4 + 2 * len(chain.lines), title=title, proof=not open_)


def hypothesis(p: Term) -> list[Block]:
    """A hypothesis as a reader would write it.

    Where ``A[if(r = p, a, b)]`` is supposed for all r, and says nothing new at p, it is printed as ``A[b]`` for every
    r other than p, which means the same.
    """
    found = _for_all_others(p)
    if found is None:
        return [Display(Formula(p))]
    body, r, other = found
    low, high, _ = p.args
    facts: Mapping[str, Text] = {n: Formula(t) for n, t in (("r", r), ("low", low), ("high", high), ("other", other))}
    return [Display(Formula(body)), Paragraph((Message("worked.for-all-others", facts),))]


def _for_all_others(p: Term) -> tuple[Term, Term, Term] | None:
    """What holds for all but one index, the index, and the exception; None for any other proposition."""
    if p.op != "forall":
        return None
    taken = {str(v.data) for v in free_variables(p)}
    r = var(next(n for n in (*p.hint, *"rsjkim") if n not in taken), "integer")
    body = instantiate(p.args[-1], (r,))
    other = _exception(body, r)
    if other is None:
        return None
    there = substitute(_branch(body, r, other, 1), {r: other})
    return (_branch(body, r, other, 2), r, other) if prove(there, Context(())) is not None else None


def _exception(t: Term, r: Term) -> Term | None:
    """The term p of the first ``if(r = p, ...)``."""
    if t.op == "if" and t.args[0].op == "eq" and r in t.args[0].args:
        left, right = t.args[0].args
        other = right if left == r else left
        if r not in free_variables(other) and not other.loose:
            return other
    return next((found for x in t.args if (found := _exception(x, r)) is not None), None)


def _branch(t: Term, r: Term, other: Term, branch: int) -> Term:
    """`t` with every ``if(r = other, a, b)`` replaced by one of its branches."""
    if t.op == "if" and t.args[0].op == "eq" and set(t.args[0].args) == {r, other}:
        return _branch(t.args[branch], r, other, branch)
    return rebuild(t, tuple(_branch(x, r, other, branch) for x in t.args))
