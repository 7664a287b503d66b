"""What names mean while something is read: declarations, and the signatures of definitions."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from proofs.statement import Declaration, Kind, Signature
from proofs.syntax.explicit import explicit_dimensions
from proofs.syntax.words import FUNCTIONS
from proofs.terms import Term, binds, free_variables, num, substitute, var


def declare(name: str, kind: Kind, upper: Term | None = None, dimensions: tuple[Term, ...] = ()) -> Declaration:
    """The declaration ``let name : kind``; an index has an upper end, a tensor of reals dimensions."""
    sort = "real" if kind in ("real", "positive") else "integer"
    variable = var(name, "integer") if sort == "integer" else var(name, "real", len(dimensions))
    return Declaration(variable, kind, upper, dimensions)


@dataclass(frozen=True)
class Environment:
    """The declared names, in order, and the definitions that may be applied, by name."""

    declarations: Mapping[str, Declaration] = field(default_factory=dict)
    signatures: Mapping[str, Signature] = field(default_factory=dict)

    @classmethod
    def of(cls, declarations: Iterable[Declaration], signatures: Mapping[str, Signature] | None = None) -> Environment:
        """An environment from declarations in their order."""
        return cls({d.name: d for d in declarations}, dict(signatures or {}))

    def sizes(self) -> frozenset[Term]:
        """The variables that the dimensions of declared tensors speak of."""
        axes = [t for d in self.declarations.values() for t in d.dimensions]
        return frozenset(v for t in axes for v in free_variables(t))

    def tensors(self) -> Mapping[str, int]:
        """The numbers of axes of the declared tensors, by name."""
        return {n: len(d.dimensions) for n, d in self.declarations.items() if d.dimensions}

    def nearest(self, name: str, more: Iterable[str] = ()) -> str:
        """The known name that is most like `name`, or ``""``."""
        known = [*self.declarations, *more, *self.signatures, *sorted(FUNCTIONS)]
        for k in known:
            if k.casefold().replace("_", "") == name.casefold().replace("_", ""):
                return k
        found = difflib.get_close_matches(name[:40], known, 1, 0.6)
        return found[0] if found else ""


def dimensions(term: Term, env: Environment) -> tuple[Term, ...] | None:
    """The dimensions of `term` as far as they can be read off it: ``()`` for a number, None where unknown.

    A declared tensor has those declared, an application those of its signature, a comprehension those of the
    entries that its indices are used in, a tensor written out those of its entries.
    """
    if not term.rank:
        return ()
    if term.op == "var":
        declared = env.declarations.get(str(term.data))
        return declared.dimensions if declared is not None and declared.variable == term else None
    if term.op == "app":
        signature = env.signatures.get(term.data.name)  # type: ignore[union-attr]
        if signature is None or signature.definition != term.data or term.loose:
            return None
        return value_dimensions(signature, term.args)
    if term.op != "lam":
        return None
    found: list[Term | None] = [None] * term.rank
    _look(term.args[0], 0, env, found)
    if all(d is not None for d in found):
        return tuple(d for d in found if d is not None)
    written = explicit_dimensions(term)
    return None if written is None else tuple(map(num, written))


def value_dimensions(signature: Signature, args: tuple[Term, ...]) -> tuple[Term, ...]:
    """The dimensions of a definition's value at `args`."""
    values = dict(zip(signature.definition.parameters, args, strict=True))
    used = {p for d in signature.value for p in free_variables(d)}
    return tuple(substitute(d, {p: a for p, a in values.items() if p in used}) for d in signature.value)


def _look(t: Term, level: int, env: Environment, found: list[Term | None]) -> None:
    """Note the dimension of each axis along which an index of the comprehension `level` binders out runs."""
    if t.op == "entry" and not t.args[0].loose:
        axes = dimensions(t.args[0], env)
        if axes is not None:
            for axis, index in zip(axes, t.args[1:], strict=True):
                if index.op == "bound":
                    place = len(found) - 1 - (int(index.data) - level)  # type: ignore[arg-type]
                    if 0 <= place < len(found) and found[place] is None:
                        found[place] = axis
    for k, a in enumerate(t.args):
        if a.loose > level:
            _look(a, level + (binds(t) if k == len(t.args) - 1 else 0), env, found)
