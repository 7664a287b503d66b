r"""An answer that is a condition: relations that are all meant, ``0 < x <= 1``, ``x \ne 0 and n >= 2``.

Two conditions are the same if each follows from the other by proof; they differ if at some point one holds and the
other does not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Literal

from derive.answers.judging import CORRECT, EQUIVALENT, LIMITS, Outcome, Scope, shown_point
from derive.answers.reading import MAX_CHARACTERS
from derive.answers.values import Condition
from proofs.context import Context
from proofs.evaluate import Model, NotCertain, TooLarge, Unassigned, Undefined, holds
from proofs.justify import prove
from proofs.kernel import KernelError, Theorem
from proofs.syntax import nodes
from proofs.syntax.elaborate import elaborate_relation
from proofs.syntax.environment import Environment
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.parser import parse
from proofs.syntax.tokens import normalised
from proofs.terms import Term, TermError, free_variables, num, relation

MAX_RELATIONS = 12

_SIGNS: dict[str, nodes.RelationSign] = {
    "<=": "<=", "=<": "<=", "≤": "<=", "⩽": "<=", "≦": "<=", r"\leqslant": "<=", r"\leq": "<=", r"\le": "<=",
    ">=": ">=", "≥": ">=", "⩾": ">=", "≧": ">=", r"\geqslant": ">=", r"\geq": ">=", r"\ge": ">=",
    "!=": "!=", "≠": "!=", "<>": "!=", r"\neq": "!=", r"\ne": "!=",
    "<": "<", r"\lt": "<", ">": ">", r"\gt": ">", "==": "=", "=": "=",
}  # fmt: skip
_SIGN = re.compile(
    "|".join(re.escape(s) + ("(?![A-Za-z])" if s[0] == "\\" else "") for s in sorted(_SIGNS, key=len, reverse=True))
)
_AND = re.compile(
    r"(?<!\s)(?:\s+and\s+|\s*(?:\\(?:wedge|land)(?![A-Za-z])|\\text\s*\{\s*and\s*\}|∧|&&?|且|并且|,|;|，|、|；)\s*(?:and\s+)?)"
)
_OR = re.compile(r"\bor\b|\\(?:vee|lor)(?![A-Za-z])|∨|\|\||或")


def is_relational(text: str) -> bool:
    """Whether there is a sign of a relation in `text`, other than an equals sign."""
    return any(_SIGNS[m.group()] != "=" for m in _SIGN.finditer(text))


def read_relations(text: str, names: Collection[str]) -> list[nodes.Relation]:
    """The relations in `text`, all of which are meant; a chain gives one for each sign. Raises `SyntaxFault`."""
    if len(text) > MAX_CHARACTERS:
        raise SyntaxFault("too-long", (MAX_CHARACTERS, MAX_CHARACTERS + 1), {"limit": MAX_CHARACTERS})
    plain = normalised(text)
    if plain.strip().startswith("$") and plain.strip().endswith("$") and len(plain.strip()) > 2:
        plain = plain.replace("$", " ")
    if not plain.strip():
        raise SyntaxFault("empty", (0, max(1, len(text))))
    other = _OR.search(plain)
    if other is not None:
        raise SyntaxFault("outside-language", other.span(), {"what": other.group().strip()})
    found: list[nodes.Relation] = []
    for start, part in _parts(plain, _AND):
        level = _levels(part)
        signs = [m for m in _SIGN.finditer(part) if level[m.start()] == 0]
        if len(signs) + len(found) > MAX_RELATIONS:
            raise SyntaxFault("too-large", (0, 1), {"limit": MAX_RELATIONS, "what": "relations"})
        if not signs:
            raise SyntaxFault("relation-expected", (start, start + max(1, len(part))), {}, ("a relation",))
        sides: list[nodes.Node] = []
        at = 0
        for m in (*signs, None):
            end = len(part) if m is None else m.start()
            sides.append(_side(part[at:end], start + at, names))
            at = end if m is None else m.end()
        for k, m in enumerate(signs):
            found.append(nodes.Relation((start, start + len(part)), _SIGNS[m.group()], sides[k], sides[k + 1]))
    return found


def _parts(text: str, separator: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """What stands between separators outside of all brackets, with its place; a final full stop is no part of it."""
    at = 0
    level = _levels(text)
    ends = [m for m in separator.finditer(text) if level[m.start()] == 0]
    if len(ends) >= MAX_RELATIONS:
        raise SyntaxFault("too-large", (0, 1), {"limit": MAX_RELATIONS, "what": "relations"})
    for m in (*ends, None):
        part = text[at : len(text) if m is None else m.start()]
        start = at + len(part) - len(part.lstrip())
        yield start, part.strip().rstrip(".。").rstrip() if m is None else part.strip()
        at = len(text) if m is None else m.end()


def _levels(text: str) -> list[int]:
    """How many brackets are open before each character."""
    return list(accumulate(((c in "([{") - (c in ")]}") for c in text), initial=0))


def _side(text: str, start: int, names: Collection[str]) -> nodes.Node:
    try:
        return parse(text, names, only="expression")
    except SyntaxFault as fault:
        span = (start + fault.span[0], start + fault.span[1])
        raise SyntaxFault(fault.code, span, fault.params, fault.expected) from None


def read_condition(text: str, env: Environment) -> Condition:
    """The condition that `text` states of the declared names. Raises `SyntaxFault`."""
    found = [elaborate_relation(r, env) for r in read_relations(text, env.declarations)]
    return Condition(tuple(dict.fromkeys(found)), text.strip())


def judge_condition(answer: str, right: Condition, scope: Scope) -> Outcome:
    """The verdict on a condition: whether it says the same as the right one. Raises `SyntaxFault`."""
    mine = read_condition(answer, scope.environment).relations
    if set(mine) == set(right.relations):
        return replace(CORRECT, goals=tuple(scope.goal(p, (p,)) for p in mine))
    somewhere = False
    for model in _points(scope, (*mine, *right.relations)):
        wanted = _holds(right.relations, model)
        if wanted == "undefined":
            continue
        said = _holds(mine, model)
        if said == "undefined":
            return Outcome("wrong", "condition-undefined", {"where": shown_point(model)})
        somewhere = somewhere or (wanted is True and said is True)
        if said is not None and wanted is not None and said != wanted:
            code = "condition-weak" if said else "condition-strong"
            return Outcome("wrong", code, {"where": shown_point(model)})
    if not somewhere:
        return Outcome("undecided", "no-point")
    there = _follow(right.relations, mine, scope.context)
    back = _follow(mine, right.relations, scope.context)
    if not there or not back:
        return Outcome("undecided", "no-proof")
    goals = [scope.goal(p, right.relations) for p in mine] + [scope.goal(p, mine) for p in right.relations]
    return replace(EQUIVALENT, goals=tuple(goals))


def _follow(given: tuple[Term, ...], wanted: tuple[Term, ...], ctx: Context) -> bool:
    try:
        inside = ctx.under(*given)
        return all(shown(p, inside) is not None for p in wanted)
    except (TermError, RecursionError):
        return False


def shown(p: Term, ctx: Context) -> Theorem | None:
    """A theorem for a relation; ``a = b`` also from both inequalities."""
    from proofs import kernel

    found = ctx.proposition(p) or prove(p, ctx)
    if found is not None or p.op != "eq" or p.args[0].rank:
        return found
    a, b = p.args
    low, high = ctx.inequality(relation("le", a, b)), ctx.inequality(relation("le", b, a))
    try:
        return None if low is None or high is None else kernel.axiom("antisymmetry", {"x": a, "y": b}, (low, high))
    except KernelError:
        return None


_Truth = bool | None | Literal["undefined"]


def _holds(relations: tuple[Term, ...], model: Model) -> _Truth:
    """Whether all relations hold at a point; None where it can't be told."""
    found: list[bool | None] = []
    for p in relations:
        try:
            found.append(holds(p, model, limits=LIMITS))
        except Undefined:
            return "undefined"
        except (TooLarge, NotCertain, Unassigned):
            found.append(None)
    return False if False in found else None if None in found else True


def _points(scope: Scope, relations: tuple[Term, ...]) -> Iterator[Model]:
    """The usual points, and those at and beside the numbers that names are compared with."""
    yield from scope.points
    edges: dict[Term, dict[Fraction, None]] = {}
    for p in relations:
        for a, b in (p.args, p.args[::-1]):
            if a.op == "var":
                q = _numeral(b)
                if q is not None:
                    step = 1 if a.sort == "integer" else Fraction(1, 2)
                    edges.setdefault(a, {}).update(dict.fromkeys((q, q + step, q - step)))
    allowed = {d.variable: d for d in scope.names.declarations}
    for base in scope.points[:2]:
        for v, values in edges.items():
            for q in values:
                if v.sort == "integer" and q.denominator != 1:
                    continue
                point: int | Fraction = int(q) if v.sort == "integer" else q
                model = Model({**base.values, v: point})
                facts = allowed[v].assumptions() if v in allowed else ()
                if all(free_variables(f) - {v} or holds(f, model) for f in facts):
                    yield model


def _numeral(t: Term) -> Fraction | None:
    if t.op == "neg" and t.args[0].op == "num":
        return -Fraction(t.args[0].data)  # type: ignore[arg-type]
    if t.op == "div" and all(a.op == "num" for a in t.args) and t.args[1] != num(0):
        return Fraction(t.args[0].data) / Fraction(t.args[1].data)  # type: ignore[arg-type]
    return Fraction(t.data) if t.op == "num" else None  # type: ignore[arg-type]
