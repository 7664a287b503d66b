"""What Coq is asked: statements with definitions of their own, against which the proofs of another file are held.

This module prints terms by itself, with every bracket written out, and shares no printer with the writer of the
proofs: a slip in either one makes a question that the proof does not answer, and Coq says so.

Integers are ``Z``, reals ``R``, a tensor is a function of its indices. An integer among reals is carried to its
leaves, ``(IZR n) * x``; a relation is one of integers where both sides are made of ``+ - * ^ max if`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from proofs.coq.shared import (
    FORBIDDEN, Inexpressible, beside, module, of_prelude, own_variables, row_name, row_variables,
)  # fmt: skip
from proofs.kernel import AXIOMS
from proofs.record import Established
from proofs.statement import Statement
from proofs.terms import Definition, Term, binds, instantiate, var

HEADER = """From Coq Require Import Reals ZArith.
From Derive Require Import prelude.
{more}Open Scope R_scope.
"""
INTERVAL_HEADER = """From Coq Require Import Reals ZArith.
From Interval Require Import Tactic.
Open Scope R_scope.
"""
LARGEST_EXPONENT = 2_000  # Coq writes exponents in unary
_WORDS = """
    as at cofix do else end exists exists2 fix for forall fun if in let match mod return then using where with by IF
    Prop SProp Set Type exp ln sqrt pow powerRZ Rmax IZR negb true false R Z nat bool Q N expected holds
"""

Names = Mapping[Term | Definition, str]

_TAKEN = of_prelude() | FORBIDDEN | frozenset(_WORDS.split())


def _named(wanted: str, names: Names) -> str:
    """A name that means nothing else here: ``W^Q`` becomes ``W_Q``, and a name that is taken gets a number."""
    letters = "".join(c if c.isascii() and c.isalnum() else "_" for c in wanted).strip("_")
    base = letters if letters[:1].isalpha() else f"v{letters}"
    used = {*names.values(), *_TAKEN}
    k, name = 1, base
    while name in used or re.fullmatch(r"(holds|expected)_\w+", name):
        name, k = f"{base}_{k}", k + 1
    return name


# --- terms -----------------------------------------------------------------------------------------------------


def _whole(t: Term) -> bool:
    """Whether `t` is an integer that is compared as one."""
    if t.rank or t.sort != "integer":
        return False
    match t.op:
        case "num" | "var" | "bound":
            return True
        case "if":
            return _whole(t.args[1]) and _whole(t.args[2])
        case "add" | "mul" | "neg" | "max" | "pow":
            return all(_whole(a) for a in t.args)
    return False


def _fraction(t: Term) -> Fraction:
    if not isinstance(t.data, Fraction | int):
        raise Inexpressible(f"{t!r} is no numeral")
    return Fraction(t.data)


def _exponent(t: Term) -> int:
    k = int(_fraction(t))
    if abs(k) > LARGEST_EXPONENT:
        raise Inexpressible(f"the exponent {k} is over {LARGEST_EXPONENT}")
    return k


def _in_z(t: Term, names: Names) -> str:
    """An integer, in Z."""
    if not _whole(t):
        raise Inexpressible(f"{t!r} is no integer that can stand here")
    inside = [_in_z(a, names) for a in t.args] if t.op not in ("if", "pow") else []
    match t.op:
        case "num":
            return f"({_fraction(t).numerator})"
        case "var" | "bound":
            return names[t]
        case "add":
            return f"({' + '.join(inside)})"
        case "mul":
            return f"({' * '.join(inside)})"
        case "neg":
            return f"(- {inside[0]})"
        case "max":
            return f"(Z.max {inside[0]} {inside[1]})"
        case "pow":
            return f"({_in_z(t.args[0], names)} ^ ({_exponent(t.args[1])}))"
    test, a, b = t.args
    return f"(if {_test(test, names)} then {_in_z(a, names)} else {_in_z(b, names)})"


def _in_r(t: Term, names: Names) -> str:
    """A number, in R."""
    if t.rank or t.sort == "proposition":
        raise Inexpressible(f"{t!r} is no number")
    match t.op:
        case "num":
            q = _fraction(t)
            return f"({q.numerator})" if q.denominator == 1 else f"(({q.numerator}) / ({q.denominator}))"
        case "var" | "bound":
            return f"(IZR {names[t]})" if t.sort == "integer" else names[t]
        case "entry":
            places = " ".join(f"{_in_z(i, names)}%Z" for i in t.args[1:])
            return f"({_tensor(t.args[0], names)} {places})"
        case "sum" | "maxof":
            lo, hi = (f"{_in_z(a, names)}%Z" for a in t.args[:2])
            index, body, inside = _opened(t, names)
            law = "sum" if t.op == "sum" else "greatest"
            return f"({law} {lo} {hi} (fun {index[0]} : Z => {_in_r(body, inside)}))"
        case "if":
            return f"(if {_test(t.args[0], names)} then {_in_r(t.args[1], names)} else {_in_r(t.args[2], names)})"
        case "app":
            return _applied(t, names)
        case "pow" if t.args[1].op == "num":
            k = _exponent(t.args[1])
            raised = f"({_in_r(t.args[0], names)} ^ {abs(k)})"
            return raised if k >= 0 else f"(/ {raised})"
        case "pow":
            return f"(powerRZ {_in_r(t.args[0], names)} {_in_z(t.args[1], names)}%Z)"
    inside_ = [_in_r(a, names) for a in t.args]
    match t.op:
        case "add":
            return f"({' + '.join(inside_)})"
        case "mul":
            return f"({' * '.join(inside_)})"
        case "neg":
            return f"(- {inside_[0]})"
        case "div":
            return f"({inside_[0]} / {inside_[1]})"
        case "max":
            return f"(Rmax {inside_[0]} {inside_[1]})"
        case "sqrt" | "exp" | "ln":
            return f"({t.op} {inside_[0]})"
    raise Inexpressible(f"{t!r} is no number")


def _tensor(t: Term, names: Names) -> str:
    """A tensor, as a function."""
    match t.op:
        case "var":
            return names[t]
        case "app":
            return _applied(t, names)
        case "lam":
            indices, body, inside = _opened(t, names)
            return f"(fun {' '.join(indices)} : Z => {_in_r(body, inside)})"
    raise Inexpressible(f"{t!r} is no tensor")


def _applied(t: Term, names: Names) -> str:
    if not isinstance(t.data, Definition):
        raise Inexpressible(f"{t!r} applies no definition")
    said = [names[t.data]]
    for parameter, a in zip(t.data.parameters, t.args, strict=True):
        if parameter.rank:
            said.append(_tensor(a, names))
        else:
            said.append(f"{_in_z(a, names)}%Z" if parameter.sort == "integer" else _in_r(a, names))
    return f"({' '.join(said)})"


def _test(p: Term, names: Names) -> str:
    """A condition between integers, as true or false."""
    a, b = (_in_z(x, names) for x in p.args)
    match p.op:
        case "le":
            return f"(Z.leb {a} {b})"
        case "lt":
            return f"(Z.ltb {a} {b})"
        case "eq":
            return f"(Z.eqb {a} {b})"
        case "ne":
            return f"(negb (Z.eqb {a} {b}))"
    raise Inexpressible(f"{p!r} is no condition")


def _opened(t: Term, names: Names) -> tuple[list[str], Term, Names]:
    """Names for what `t` binds, its body, and what the names in the body stand for."""
    inside = dict(names)
    indices: list[str] = []
    stand: list[Term] = []
    for k in range(binds(t)):
        index = var(f"\N{MIDDLE DOT}{len(inside)}", "integer")
        inside[index] = _named(t.hint[k] if k < len(t.hint) else "k", inside)
        indices.append(inside[index])
        stand.append(index)
    return indices, instantiate(t.args[-1], stand), inside


# --- propositions ------------------------------------------------------------------------------------------------


def says(p: Term, names: Names, whole: bool | None = None) -> str:
    """A relation, or a bounded 'for all'; `whole` says whether its sides are compared as integers, where given."""
    if p.op == "forall":
        lo, hi = (_in_z(a, names) for a in p.args[:2])
        index, body, inside = _opened(p, names)
        i = index[0]
        return f"(forall {i} : Z, ({lo} <= {i})%Z -> ({i} <= {hi})%Z -> {says(body, inside)})"
    signs = {"eq": "=", "ne": "<>", "le": "<=", "lt": "<"}
    if p.op not in signs:
        raise Inexpressible(f"{p!r} is no relation")
    if p.args[0].rank:
        a, b = (_tensor(x, names) for x in p.args)
        return f"({a} {signs[p.op]} {b})"
    if all(map(_whole, p.args)) if whole is None else whole:
        a, b = (_in_z(x, names) for x in p.args)
        return f"({a} {signs[p.op]} {b})%Z"
    a, b = (_in_r(x, names) for x in p.args)
    return f"({a} {signs[p.op]} {b})"


def _type(v: Term) -> str:
    return "Z -> " * v.rank + ("Z" if v.sort == "integer" else "R")


def _for_all(variables: Sequence[Term], premises: Iterable[Term], conclusion: Term, names: Names) -> str:
    """``forall ..., premises -> conclusion``, each on a line of its own."""
    head = [f"forall {' '.join(f'({names[v]} : {_type(v)})' for v in variables)},"] if variables else []
    return "\n  ".join([*head, *(f"{says(p, names)} ->" for p in premises), says(conclusion, names)])


def _definitions(terms: Iterable[Term]) -> list[Definition]:
    """The definitions that terms speak of, each after those that it speaks of itself."""
    found: dict[Definition, None] = {}
    seen: set[Term] = set()
    for t in terms:
        if t in seen:
            continue
        seen.add(t)
        found.update(dict.fromkeys(_definitions(t.args)))
        if isinstance(t.data, Definition):
            found.update(dict.fromkeys((*_definitions((t.data.body,)), t.data)))
    return list(found)


def _defined(terms: Iterable[Term]) -> tuple[dict[Term | Definition, str], list[str]]:
    """The definitions that terms speak of, with their names, and as they are written."""
    names: dict[Term | Definition, str] = {}
    written: list[str] = []
    for d in _definitions(terms):
        inside = dict(names)
        for p in d.parameters:
            inside[p] = _named(str(p.data), inside)
        takes = " ".join(f"({inside[p]} : {_type(p)})" for p in d.parameters)
        body = _tensor(d.body, inside) if d.body.rank else _in_r(d.body, inside)
        names[d] = _named(d.name, names)
        written.append(f"Definition {names[d]} {takes} : {'Z -> ' * d.body.rank}R :=\n  {body}.\n")
    return names, written


def question(name: str, statement: Statement, named: Sequence[tuple[str, Established]] = ()) -> str:
    """A file that holds the theorem `name` against its statement, and each of `named` against what is asked there.

    The statement gives all of what the first one says: its variables, its assumptions, its claim. The others have
    these variables and assumptions too, and after them what holds at their places; their theorems are not looked at.
    """
    assumptions = statement.assumptions()
    spoken = [*assumptions, statement.claim]
    for _, e in named:
        spoken += [*e.path, e.asked]
    names, parts = _defined(spoken)
    variables = [d.variable for d in statement.declarations]
    for v in variables:
        names[v] = _named(str(v.data), names)
    file = module(name)
    asked = [("", file, _for_all(variables, assumptions, statement.claim, names))]
    for label, e in named:
        more = beside(statement, e)
        inside = dict(names)
        free = own_variables(statement, e)
        for v in free:
            inside[v] = _named(str(v.data), inside)
        said = _for_all([*variables, *free], [*assumptions, *more], e.asked, inside)
        asked.append((f"_{label}", label, said))
    for end, label, said in asked:
        parts.append(f"Definition expected{end} : Prop :=\n  {said}.\n")
        parts.append(f"Definition holds{end} : expected{end} := {file}.{label}.\n")
    return "\n".join([HEADER.format(more=f"From Derive Require {file}.\n"), *parts])


# --- what theorems rest on, the table of axioms, bounds ----------------------------------------------------------


def together(names: Sequence[str]) -> str:
    """The end of a file that asks on what all of `names` rest."""
    return f"Definition all_of_them := ({', '.join(names)}).\nPrint Assumptions all_of_them.\n"


def rests(theorems: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A file that asks on what theorems rest all together: each with the labels of what was asked beside it."""
    required = "".join(f"From Derive Require asked_{module(n)}.\n" for n, _ in theorems)
    ends = [(n, end) for n, more in theorems for end in ("", *(f"_{label}" for label in more))]
    return required + together([f"asked_{module(n)}.holds{end}" for n, end in ends])


def speaks_of(op: str, terms: Iterable[Term]) -> bool:
    """Whether an operation stands in one of the terms, or in a definition that they speak of."""
    seen: set[Term] = set()
    stack = list(terms)
    while stack:
        t = stack.pop()
        if t.op == op:
            return True
        if t not in seen:
            seen.add(t)
            stack += t.args
            if isinstance(t.data, Definition):
                stack.append(t.data.body)
    return False


def axioms(logarithms: bool = False) -> str:
    """A file that holds each row of the kernel's table against its lemma in the prelude: those on logarithms, or else
    all others."""
    parts, found = [HEADER.format(more="")], []
    for row in AXIOMS.values():
        if speaks_of("ln", (*row.premises, row.conclusion)) != logarithms:
            continue
        names: dict[Term | Definition, str] = {}
        for v in row_variables(row.name):
            names[v] = _named(str(v.data), names)
        said = _for_all(row_variables(row.name), row.premises, row.conclusion, names)
        found.append(f"row_{row_name(row.name)}")
        parts.append(f"Definition {found[-1]} :\n  {said} :=\n  {row_name(row.name)}.\n")
    return "\n".join([*parts, together(found)])


def bounds(inequalities: Iterable[Term], precision: int) -> str:
    """A file of inequalities between closed numbers, each proved by interval arithmetic with so many bits."""
    parts, found = [INTERVAL_HEADER], []
    for k, p in enumerate(inequalities, 1):
        found.append(f"bound_{k}")
        parts.append(f"Lemma {found[-1]} : {says(p, {}, whole=False)}.\n")
        parts.append(f"Proof.\n  interval with (i_prec {precision}).\nQed.\n")
    return "\n".join([*parts, together(found)])
