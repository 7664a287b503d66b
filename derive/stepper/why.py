"""Why a line holds, read off its theorem: rows of the axiom table, definitions, and conditions with their origins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from derive.stepper.subjects import Step
from proofs.context import definitions_in
from proofs.justify import TRACES
from proofs.kernel import AXIOMS, Theorem
from proofs.statement import Statement, assumptions
from proofs.terms import (
    Definition,
    Term,
    apply,
    entry,
    free_variables,
    instantiate,
    mul,
    neg,
    num,
    rebuild,
    relation,
    substitute,
    var,
)

# Rows that only change the form of what is known; they would not tell a reader anything.
_PLUMBING = frozenset(("less-not-equal", "greater-not-equal", "not-equal-less", "contradiction", "antisymmetry"))
_LETTERS = "jklmrsuvwpq"
MAX_CONDITIONS = 6

OriginKind = Literal["declared", "supposed", "range", "row", "arithmetic"]


@dataclass(frozen=True)
class Origin:
    """Where a condition comes from: what is declared or supposed, the range of a bound index, or a row of the table."""

    kind: OriginKind
    term: Term | None = None
    premises: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Condition:
    """Something that had to hold, and from what it was established."""

    proposition: Term
    origins: tuple[Origin, ...]


@dataclass(frozen=True)
class Row:
    """A row of the table of axioms."""

    premises: tuple[Term, ...]
    conclusion: Term


@dataclass(frozen=True)
class Rule:
    """One reason of a line: its code, the rows or definitions that it stands for here, and its conditions."""

    code: str
    rows: tuple[Row, ...]
    definitions: tuple[Term, ...]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Why:
    """All reasons of a line, and which of the statement's assumptions its theorem rests on."""

    rules: tuple[Rule, ...]
    rests_on: tuple[Term, ...]


def why(step: Step, statement: Statement) -> Why:
    """The reasons of a step, with what they needed."""
    if step.theorem is None or step.before is None:
        return Why((), ())
    inferences = list(_inferences((step.theorem,)))
    rules = []
    said: set[Term] = set()
    for code in step.reasons:
        rows: dict[str, Row] = {}
        conditions: list[Condition] = []
        for t in inferences:
            name = str(t.parameters[0]) if t.rule == "axiom" else ""
            if t.rule == "axiom" and TRACES.get(name) == code:
                axiom = AXIOMS[name]
                rows.setdefault(name, Row(axiom.premises, axiom.conclusion))
            if t.premises and _asks(t, code):
                for p in t.premises if t.rule != "choose" else t.premises[:1]:
                    shown = legible(p.conclusion)
                    established = origins(p, statement)
                    if shown not in said and established != (Origin("arithmetic"),):
                        said.add(shown)
                        conditions.append(Condition(shown, established))
        defined = tuple(_unfolded(step.before, step.term)) if code == "definition" else ()
        rules.append(Rule(code, tuple(rows.values()), defined, tuple(conditions[:MAX_CONDITIONS])))
    rests = tuple(p for p in statement.assumptions() if p in step.theorem.hypotheses)
    return Why(tuple(rules), rests)


def _asks(t: Theorem, code: str) -> bool:
    """Whether an inference uses its premises as the conditions of the reason `code`."""
    if t.rule == "axiom":
        return TRACES.get(str(t.parameters[0])) == code
    return (t.rule == "ring" and code == "cancel") or (t.rule == "choose" and code == "condition")


def origins(condition: Theorem, statement: Statement) -> tuple[Origin, ...]:
    """What a condition was proved from."""
    declared = set(assumptions(statement.declarations))
    found: dict[Origin, None] = {}
    for t in _inferences((condition,)):
        name = str(t.parameters[0]) if t.rule == "axiom" else ""
        if t.rule == "axiom" and name not in _PLUMBING:
            found[Origin("row", AXIOMS[name].conclusion, AXIOMS[name].premises)] = None
    for p in statement.assumptions():
        if p in condition.hypotheses:
            found[Origin("declared" if p in declared else "supposed", p)] = None
    if any(_is_local(p) for p in condition.hypotheses):
        for p in sorted((legible(p) for p in condition.hypotheses if _is_local(p)), key=repr):
            found[Origin("range", p)] = None
    return tuple(found) or (Origin("arithmetic"),)


def _is_local(p: Term) -> bool:
    return any(str(v.data).startswith("!") for v in free_variables(p))


def _inferences(roots: Iterable[Theorem]) -> Iterator[Theorem]:
    """Every inference of some proofs, once, the last ones first."""
    seen: set[int] = set()
    waiting = list(roots)
    while waiting:
        t = waiting.pop(0)
        if id(t) not in seen:
            seen.add(id(t))
            yield t
            waiting.extend(t.premises)


def legible(t: Term) -> Term:
    """For reading: indices that the search named by depth get letters that nothing else has, ``(-1)*x`` is ``-x``."""
    free = free_variables(t)
    taken = {str(v.data) for v in free}
    letters = (x for x in _LETTERS if x not in taken)
    inner = sorted((v for v in free if str(v.data).startswith("!")), key=lambda v: int(str(v.data)[1:]))
    return _tidy(substitute(t, {v: var(next(letters, f"j_{k}"), "integer") for k, v in enumerate(inner)}))


def _tidy(t: Term) -> Term:
    if not t.args:
        return t
    t = rebuild(t, tuple(map(_tidy, t.args)))
    if t.op == "mul" and t.args[0] == num(-1):
        return neg(mul(*t.args[1:]) if len(t.args) > 2 else t.args[1])
    if t.op == "add":
        return rebuild(t, tuple(neg(num(-a.data)) if _is_negative(a) else a for a in t.args))  # type: ignore[operator]
    return t


def _is_negative(t: Term) -> bool:
    return t.op == "num" and t.data < 0  # type: ignore[operator]


def _unfolded(before: Term, after: Term) -> Iterator[Term]:
    """The definitions that stand in one of two lines only, each as an equation."""
    ours, theirs = definitions_in(before), definitions_in(after)
    wanted = (ours ^ theirs) or (ours | theirs)
    known = {d.name: d for d in (*_definitions(before), *_definitions(after))}
    for name, d in known.items():
        if name in wanted:
            yield equation(d)


def _definitions(t: Term) -> Iterator[Definition]:
    waiting = [t]
    while waiting:
        x = waiting.pop(0)
        if isinstance(x.data, Definition):
            yield x.data
            waiting.append(x.data.body)
        waiting.extend(x.args)


def equation(d: Definition) -> Term:
    """``softmax(z)[i] = exp(z[i])/sum(j = 1..n, exp(z[j]))``: what a definition says."""
    applied, body = apply(d, *d.parameters), d.body
    if body.op != "lam":
        return relation("eq", applied, body)
    taken = {str(p.data) for p in d.parameters}
    spare = (x for x in _LETTERS if x not in taken)
    indices = [var(h if h not in taken else next(spare), "integer") for h in body.hint]
    return relation("eq", entry(applied, *indices), instantiate(body.args[0], indices))
