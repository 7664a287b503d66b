"""Whether what is printed is what was checked: each printed form of a term is read again and compared with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from derive.definitions import signatures
from derive.stepper.why import equation
from proofs.kernel import Axiom
from proofs.statement import Declaration, Statement
from proofs.syntax.boxes import Family
from proofs.syntax.derivation import read_proposition
from proofs.syntax.elaborate import read_expression
from proofs.syntax.environment import Environment, declare, dimensions
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.layout import Style, layout
from proofs.syntax.to_latex import to_latex
from proofs.syntax.to_plain import to_plain
from proofs.terms import Definition, Term, comprehension, free_variables, instantiate, rebuild, var

_FAMILY = re.compile(r"\((\w+(?:, \w+)*) -> ")


def of_statement(statement: Statement) -> Environment:
    """What the names of a statement mean."""
    return Environment.of(statement.declarations, {s.definition.name: s for s in statement.signatures})


def of_definition(d: Definition) -> Environment:
    """What the names mean in the equation that a definition is: its parameters with their dimensions, and indices."""
    shapes = zip(d.parameters, signatures()[d.name].parameters, strict=True)
    declared = [_declared(p, axes) for p, axes in shapes]
    taken = {x.variable for x in declared}
    declared += [_declared(v, ()) for v in sorted(free_variables(equation(d)) - taken, key=repr)]
    return Environment.of(declared, signatures())


def of_axiom(row: Axiom) -> Environment:
    """What the names of a row mean: a tensor is a function of its indices, of no particular dimensions."""
    free = free_variables(row.conclusion).union(*map(free_variables, row.premises))
    anything = var("N", "integer")
    return Environment.of(_declared(v, (anything,) * v.rank) for v in sorted(free, key=repr))


def _declared(v: Term, axes: tuple[Term, ...]) -> Declaration:
    return declare(str(v.data), "integer" if v.sort == "integer" else "real", dimensions=axes)


PRINTERS: tuple[Callable[[Term], str], ...] = (
    lambda t: f"${to_latex(t)}$",
    lambda t: f"${to_latex(t, display=False)}$",
    lambda t: to_plain(t),
)


def forms(term: Term) -> Iterator[str]:
    """Each way in which a term is printed for reading: LaTeX on a line of its own, in running text, and plain."""
    return (show(term) for show in PRINTERS)


def read(text: str, proposition: bool, env: Environment) -> Term:
    """A printed formula, read by the reader that reads what learners type. Raises `SyntaxFault`."""
    return read_proposition(text, env) if proposition else read_expression(text, env)


def reads_back(term: Term, env: Environment) -> bool:
    """Whether every printed form of `term` is read as `term` itself; the names of bound indices don't matter.

    A family of numbers ``(Q_{u,l})_{u,l}`` can't be typed. Where its dimensions can be read off its entries, what is
    printed with one must be, letter by letter, what is printed with a name in its place, and both that and the
    family's entry must read back.
    """
    untyped = list(families(term))
    if untyped:
        return _in_parts(term, untyped, env)
    try:
        return all(read(text, term.sort == "proposition", env) == term for text in forms(term))
    except SyntaxFault:
        return False


def families(t: Term) -> Iterator[Term]:
    """The outermost parts of a term that are printed as a family of numbers, from left to right."""
    if t.op == "lam" and isinstance(layout(t, Style.LINEAR), Family):
        yield t
    else:
        for a in t.args:
            yield from families(a)


def _in_parts(term: Term, untyped: Sequence[Term], env: Environment) -> bool:
    printed = [tuple(m[1].split(", ")) for m in _FAMILY.finditer(to_plain(term))]
    if any(f.loose for f in untyped) or [len(names) for names in printed] != [f.rank for f in untyped]:
        return False
    stands: dict[Term, Term] = {}
    declared = dict(env.declarations)
    pairs: list[tuple[Term, Term]] = []  # a family with its indices called as they are printed, and the name for it
    for k, (family, names) in enumerate(zip(untyped, printed, strict=True), 1):
        axes = dimensions(family, env)
        indices = [declare(name, "integer") for name in names]
        if not axes or f"F_{k}" in env.declarations or not declared.keys().isdisjoint(names):
            return False
        body = instantiate(family.args[0], [d.variable for d in indices])
        if not reads_back(body, Environment.of([*env.declarations.values(), *indices], env.signatures)):
            return False
        called = comprehension([d.variable for d in indices], body)
        plain, *latex = (show(body).strip("$") for show in reversed(PRINTERS))
        if [f"({', '.join(names)} -> {plain})", *(f"$({x})_{{{','.join(names)}}}$" for x in latex)] != [
            show(called) for show in reversed(PRINTERS)
        ]:
            return False
        name = declare(f"F_{k}", "real", dimensions=axes)
        declared[name.name] = name
        stands[family] = name.variable
        pairs.append((called, name.variable))
    named = _replaced(term, stands)
    if not reads_back(named, Environment(declared, env.signatures)):
        return False
    for show in PRINTERS:
        text = show(named)
        for called, variable in pairs:
            text = text.replace(show(variable).strip("$"), show(called).strip("$"))
        if text != show(term):
            return False
    return True


def _replaced(t: Term, values: Mapping[Term, Term]) -> Term:
    if t in values:
        return values[t]
    return rebuild(t, tuple(_replaced(a, values) for a in t.args)) if t.args else t


def read_back(terms: Iterable[Term], env: Environment) -> tuple[int, int]:
    """How many of the terms read back, and how many there are."""
    found = [reads_back(t, env) for t in terms]
    return sum(found), len(found)
