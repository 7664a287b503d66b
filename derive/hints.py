"""Hints for the first line of a derivation that does not hold: four rungs, from a shape to the line itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass

from derive.library import names_of
from derive.missing import said, supposable
from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue
from proofs.context import Context
from proofs.justify import TRACES, justify, prove
from proofs.kernel import AXIOMS, Theorem
from proofs.normalise import REASONS, Normaliser
from proofs.polynomials import Polynomial, ordered, write_monomial
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, add, div, exp, mul, neg, num, rebuild, relation, substitute, unfold, var
from proofs.verify import BEYOND, LineVerdict, Report

RUNGS = 4


@dataclass(frozen=True)
class NextLine:
    """A line that follows from the one before it by one reason, with the theorem that says so."""

    reason: str
    term: Term
    theorem: Theorem


def hint(
    report: Report, rung: int, lang: Language, guard: Callable[[], AbstractContextManager[None]] = nullcontext
) -> str:
    """Rung 1 to 4 for the first line that does not hold; what to do where no hint can be given.

    `guard` is entered for the search of a next line, and may end it.
    """
    prose = catalogue(lang)
    bad = next((v for v in report.lines if v.verdict not in ("proved", "wrong-reason")), None)
    if bad is None:
        return prose.plain("verify.hint-none")
    if bad.verdict == "unreadable":
        return prose.plain("verify.hint-unreadable", line=bad.line)
    if bad.verdict == "needs":
        return _condition(bad, rung, lang)
    if bad.before is None:
        return prose.plain("verify.hint-none")
    following = None
    with suppress(*BEYOND), guard():
        following = next_line(report, bad)
    if following is None:
        return prose.plain("verify.hint-claim", line=bad.line)
    name = names_of((following.reason,), lang)
    if rung == 1:
        return prose.plain(
            "verify.hint-shape", line=bad.line, shape=prose.plain(f"verify.shape-{_shape(following.term)}")
        )
    if rung == 2:
        return prose.plain("verify.hint-rule", line=bad.line, rule=name)
    if rung == 3:
        return prose.plain("verify.hint-instance", line=bad.line, rule=name, instance=_instance(following))
    return prose.plain("verify.hint-line", line=bad.line, next=f"= {to_plain(following.term)}  -- {name}")


def _condition(bad: LineVerdict, rung: int, lang: Language) -> str:
    prose = catalogue(lang)
    advised = supposable(bad.missing)
    if rung > 1 and not advised:
        return prose.plain("verify.hint-wanted", line=bad.line, conditions=said(bad.missing, lang))
    wanted = "; ".join(map(to_plain, advised))
    if rung == 1:
        return prose.plain("verify.hint-condition", line=bad.line)
    if rung == 2:
        return prose.plain("verify.hint-defined", line=bad.line)
    if rung == 3:
        return prose.plain("verify.hint-wanted", line=bad.line, conditions=wanted)
    return prose.plain("verify.hint-suppose", conditions="; ".join(f"suppose {to_plain(p)}" for p in advised))


def next_line(report: Report, bad: LineVerdict) -> NextLine | None:
    """One step from the last good line towards the other end of the claim, by the first reason that the way needs."""
    ctx = Context.of(report.statement)
    start = bad.before
    claim = report.statement.claim
    if start is None or claim.op != "eq":
        return None
    first = next((v.term for v in report.lines if v.term is not None), None)
    end = claim.args[0] if first == claim.args[1] else claim.args[1]
    whole = justify(relation("eq", start, end), ctx) if end.rank == start.rank else None
    if whole is None:
        return None
    for reason in [r for r in REASONS if r in whole.reasons]:
        found = _step(start, reason, ctx)
        if found is not None:
            return found
    return NextLine((*whole.reasons, "arithmetic")[0], end, whole.theorem)


def _step(start: Term, reason: str, ctx: Context) -> NextLine | None:
    if start.rank:
        return None
    if reason == "definition":
        from proofs.context import definitions_in

        new = unfold(start, definitions_in(start))
    else:
        normaliser = Normaliser((reason,))
        new = _presentable(normaliser.polynomial(normaliser.normal(start, ctx)[0], ctx)[0])
    goal = relation("eq", start, new)
    if prove(goal, ctx, ()) is not None:
        return None
    theorem = prove(goal, ctx, (reason,))
    return None if theorem is None else NextLine(reason, new, theorem)


def _presentable(p: Polynomial) -> Term:
    """A polynomial with quotients in place of negative powers, and exp(-x) in place of exp(x)^(-1)."""
    made = []
    for m, c in ordered(p):
        top = tuple((a, e) for a, e in m if e > 0)
        low = tuple((a, -e) for a, e in m if e < 0)
        made.append(div(write_monomial(top, c), write_monomial(low)) if low else write_monomial(top, c))
    return _powers_in(made[0] if len(made) == 1 else add(*made))


def _powers_in(t: Term) -> Term:
    if t.args:
        t = rebuild(t, tuple(map(_powers_in, t.args)))
    if t.op == "mul" and any(a.op == "div" and a.args[0] == num(1) for a in t.args):
        low = [a.args[1] for a in t.args if a.op == "div" and a.args[0] == num(1)]
        top = [a for a in t.args if not (a.op == "div" and a.args[0] == num(1))] or [num(1)]
        return div(mul(*top) if len(top) > 1 else top[0], mul(*low) if len(low) > 1 else low[0])
    if t.op != "pow" or t.args[0].op != "exp" or t.args[1].op != "num":
        return t
    n, inside = t.args[1], t.args[0].args[0]
    return exp(neg(inside) if n == num(-1) else mul(n, inside))


def _shape(t: Term) -> str:
    known = {"div": "quotient", "add": "sum", "mul": "product", "sum": "total", "exp": "exp", "ln": "ln"}
    return known.get(t.op, "other")


def _instance(following: NextLine) -> str:
    """The rule with its parts filled in: the first row of the table that the step used for this reason."""
    rows = list(TRACES)
    used: dict[int, Theorem] = {}
    stack, seen = [following.theorem], set()
    while stack:
        t = stack.pop(0)
        if id(t) in seen:
            continue
        seen.add(id(t))
        stack.extend(t.premises)
        if t.rule == "axiom" and TRACES.get(str(t.parameters[0])) == following.reason:
            used.setdefault(rows.index(str(t.parameters[0])), t)
    if not used:
        return to_plain(following.theorem.conclusion)
    first = used[min(used)]
    return f"{to_plain(AXIOMS[str(first.parameters[0])].conclusion)}: {to_plain(_renamed(first.conclusion))}"


def _renamed(t: Term) -> Term:
    """Indices named by depth get letters that can be read."""
    from proofs.terms import free_variables

    letters = iter("jklmrs")
    taken = {str(v.data) for v in free_variables(t)}
    names = {v: next(x for x in letters if x not in taken) for v in free_variables(t) if str(v.data).startswith("!")}
    return substitute(t, {v: var(x, "integer") for v, x in names.items()})
