"""Flattening a proof to a certificate: JSON lines that a verifier can check without this program.

The lines, each a JSON object; every number that names a line must name an earlier one:

``{"certificate": "derive", "version": 1}``
    the first line.
``{"term": k, "op": ..., "args": [terms], "data": ...}``
    the k-th term, k = 0, 1, ...; `op` and `args` as in `proofs.terms`, the body of a binder with its nameless
    indices. `data` is, for ``num``, the numeral as ``"p"`` or ``"p/q"``; for ``var`` ``[name, sort, rank]``; for
    ``bound`` the distance to its binder; for ``lam`` the rank; for ``app`` the number of the definition. Binders
    may carry ``"hint": [names]``, which means nothing.
``{"definition": k, "name": ..., "parameters": [terms], "body": term, "implicit": n}``
    the k-th definition; its parameters are distinct variables, and all free variables of the body.
``{"step": k, "rule": ..., "premises": [steps], "parameters": [...]}``
    the k-th inference. A parameter is ``{"term": k}``, ``{"text": s}`` or ``{"number": "p/q"}``.
``{"theorem": name, "step": k, "hypotheses": [terms], "conclusion": term}``
    a claim: that step k has exactly these hypotheses and this conclusion.

Parameters and premises by rule, in order (a trailing ``*`` is a list):

    assume       p                         cut          (none); known, theorem
    congruence   t, position*; equation*   under        t, variable*; equation
    branch       t; then, other            choose       t; decision
    relate       side*; theorem, equation* cases        p; holds, fails
    absurd       p; contradiction          specialise   (variable, value)*; theorem
    generalise   i, lo, hi; theorem        at           t; for-all, low, high
    induction    p, k, lo; base, step      definition   t, name*
    ring         a, b; nonzero*            linear       goal, multiplier*; premise*
    bound        goal, bits                axiom        row, (variable name, value)*; premise*
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction

from proofs.kernel import Theorem
from proofs.terms import Definition, Term


class _Writer:
    def __init__(self) -> None:
        self.terms: dict[Term, int] = {}
        self.definitions: dict[Definition, int] = {}
        self.steps: dict[int, int] = {}
        self.made: dict[tuple[object, ...], int] = {}
        self.kept: list[Theorem] = []  # keeps the identities in `steps` alive

    def term(self, t: Term) -> Iterator[dict[str, object]]:
        if t in self.terms:
            return
        if isinstance(t.data, Definition):
            yield from self.definition(t.data)
        for a in t.args:
            yield from self.term(a)
        line: dict[str, object] = {"term": len(self.terms), "op": t.op}
        if t.args:
            line["args"] = [self.terms[a] for a in t.args]
        if t.op == "var":
            line["data"] = [t.data, t.sort, t.rank]
        elif isinstance(t.data, Definition):
            line["data"] = self.definitions[t.data]
        elif t.op == "lam":
            line["data"] = t.rank
        elif t.data is not None:
            line["data"] = str(t.data) if isinstance(t.data, Fraction) else t.data
        if t.hint:
            line["hint"] = list(t.hint)
        self.terms[t] = len(self.terms)
        yield line

    def definition(self, d: Definition) -> Iterator[dict[str, object]]:
        if d in self.definitions:
            return
        for t in (*d.parameters, d.body):
            yield from self.term(t)
        self.definitions[d] = len(self.definitions)
        yield {
            "definition": self.definitions[d],
            "name": d.name,
            "parameters": [self.terms[p] for p in d.parameters],
            "body": self.terms[d.body],
            "implicit": d.implicit,
        }

    def proof(self, theorem: Theorem) -> Iterator[dict[str, object]]:
        stack = [(theorem, False)]
        while stack:
            t, ready = stack.pop()
            if id(t) in self.steps:
                continue
            if not ready:
                stack.append((t, True))
                stack.extend((p, False) for p in reversed(t.premises))
                continue
            self.kept.append(t)
            key = (t.rule, tuple(self.steps[id(p)] for p in t.premises), t.parameters)
            if key in self.made:  # the same inference, made twice
                self.steps[id(t)] = self.made[key]
                continue
            parameters: list[dict[str, object]] = []
            for x in t.parameters:
                if isinstance(x, Term):
                    yield from self.term(x)
                    parameters.append({"term": self.terms[x]})
                else:
                    parameters.append({"text": x} if isinstance(x, str) else {"number": str(x)})
            self.steps[id(t)] = self.made[key] = len(self.made)
            yield {
                "step": self.steps[id(t)],
                "rule": t.rule,
                "premises": [self.steps[id(p)] for p in t.premises],
                "parameters": parameters,
            }


def flatten(theorems: Iterable[tuple[str, Theorem]]) -> Iterator[str]:
    """The certificate of the named theorems, line by line; what they share is written once."""
    yield json.dumps({"certificate": "derive", "version": 1})
    writer = _Writer()
    for name, theorem in theorems:
        lines = list(writer.proof(theorem))
        hypotheses = sorted(theorem.hypotheses, key=repr)
        for t in (*hypotheses, theorem.conclusion):
            lines += writer.term(t)
        lines.append({
            "theorem": name,
            "step": writer.steps[id(theorem)],
            "hypotheses": [writer.terms[h] for h in hypotheses],
            "conclusion": writer.terms[theorem.conclusion],
        })  # fmt: skip
        yield from (json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines)
