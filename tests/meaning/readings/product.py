"""The product as a black box: what it says to a text, and which of given readings it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from derive.answers.checking import Entry, check
from derive.answers.report import as_json
from derive.definitions import signatures
from proofs import terms
from proofs.syntax.as_read import as_read
from proofs.syntax.elaborate import read_expression
from proofs.syntax.environment import Environment, declare
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.parser import reading
from proofs.terms import Term, TermError
from tests.meaning.readings.expressions import Tree, Value, node, num, points, values
from tests.meaning.readings.expressions import name as tree_name

EQUAL = ("correct", "equivalent")


@dataclass(frozen=True, slots=True)
class Said:
    """What the product made of a text: refused with a code and a sentence, or accepted."""

    refused: bool
    code: str = ""
    why: str = ""
    params: Mapping[str, object] = field(default_factory=dict)
    tree: Tree | None = None  # what was read, where the product hands out a term
    read: str = ""  # the text as it was read, where the product shows it


# --- a line of a derivation file -----------------------------------------------------------------------------


def tree_of(term: Term, bound: tuple[str, ...] = ()) -> Tree:
    """A term of the product as a tree of ours. Raises `KeyError` for what has no counterpart."""
    op = term.op
    if op == "num":
        return num(term.data)  # type: ignore[arg-type]
    if op == "var":
        return tree_name(str(term.data))
    if op == "bound":
        return tree_name(bound[-1 - int(term.data)])  # type: ignore[arg-type]
    if op == "sum":
        fresh = f"bound{len(bound)}"
        low, high = (tree_of(a, bound) for a in term.args[:2])
        return node("sum", low, high, tree_of(term.args[2], (*bound, fresh)), data=fresh)
    if op == "entry":
        tensor, *indices = term.args
        return Tree("entry", tuple(tree_of(a, bound) for a in indices), str(tensor.data))
    args = tuple(tree_of(a, bound) for a in term.args)
    if op in ("add", "mul"):
        whole = args[0]
        for a in args[1:]:
            whole = node(op, whole, a)
        return whole
    if op in ("neg", "div", "pow", "sqrt", "exp", "ln", "max"):
        return Tree(op, args)
    raise KeyError(op)


@lru_cache(maxsize=32)
def _environment(names: tuple[tuple[str, str], ...]) -> Environment:
    size = terms.var("n_sizes", "integer")
    made = []
    for text, sort in names:
        if sort == "vector":
            made.append(declare(text, "real", dimensions=(size,)))
        elif sort == "matrix":
            made.append(declare(text, "real", dimensions=(size, size)))
        elif sort == "index":
            made.append(declare(text, "index", upper=size))
        else:
            made.append(declare(text, sort))  # type: ignore[arg-type]
    return Environment({d.variable.data: d for d in made}, signatures())  # type: ignore[misc]


def _shown_for(text: str, env: Environment) -> str:
    """How a line is shown that was read in another form than it was typed; empty where it is not shown."""
    found = reading(text, env.declarations, tensors=env.tensors())
    return as_read(found.node, env.tensors()) if found.decided else ""


def line(text: str, names: Mapping[str, str]) -> Said:
    """An expression as it may stand in a derivation file."""
    try:
        env = _environment(tuple(names.items()))
        term = read_expression(text, env)
    except SyntaxFault as fault:
        return Said(True, fault.code, params=dict(fault.params))
    except TermError as error:
        return Said(True, "term-error", str(error))
    try:
        tree = tree_of(terms.unfold(term, ("abs",)))
        return Said(False, tree=tree, read=_shown_for(text, env))
    except (KeyError, IndexError, TypeError, ValueError):
        return Said(False, code="no-tree")


# --- an answer -----------------------------------------------------------------------------------------------


def judged(text: str, names: Mapping[str, str], expected: str, kind: str = "") -> Said:
    """An answer against a right value: `code` is the verdict unless it was refused."""
    given: dict[str, object] = {"value": expected}
    symbols = {n: s for n, s in names.items() if s not in ("vector", "matrix")}
    if symbols:
        given["symbols"] = symbols
    if kind:
        given["kind"] = kind
    found = check(Entry("reading", "value", given, text))
    if found.verdict == "unreadable":
        why = str(as_json(found, "en")["why"])
        return Said(True, found.code, why, dict(found.reason.params))
    return Said(False, str(found.verdict), str(found.code), read=str(as_json(found, "en").get("read", "")))


def value_at_points(tree: Tree, names: Mapping[str, str]) -> Value:
    """The values of a tree where readings are compared."""
    return values(tree, points({n: s for n, s in names.items() if s not in ("vector", "matrix")}))
