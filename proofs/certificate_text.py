"""Terms in canonical text, to compare what was asked with what a replayed certificate proves."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction

from proofs.terms import Definition, Term


def canonical(t: Term) -> str:
    """An S-expression, the same exactly for the same term: bound indices nameless, definitions with a digest."""
    if t.op == "num":
        q = Fraction(t.data)  # type: ignore[arg-type]
        return f"{q.numerator}/{q.denominator}"
    if t.op == "bound":
        return f"#{t.data}"
    said: list[str] = []
    if t.op == "lam":
        said = [str(t.rank)]
    elif t.op == "var":
        said = [json.dumps(t.data), t.sort, str(t.rank)]
    elif isinstance(t.data, Definition):
        said = [json.dumps(t.data.name), digest(t.data)]
    return f"({' '.join([t.op, *said, *map(canonical, t.args)])})"


def digest(d: Definition) -> str:
    """What a definition says, as a hash."""
    said = " ".join([json.dumps(d.name), str(d.implicit), *map(canonical, (*d.parameters, d.body))])
    return hashlib.sha256(said.encode()).hexdigest()
