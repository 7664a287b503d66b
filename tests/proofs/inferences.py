"""One inference, described as in a certificate, made by the kernel and by the second verifier."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs import kernel
from proofs.certificate import _Writer
from proofs.certificate_text import canonical
from proofs.kernel import Theorem
from proofs.replay import Reader
from proofs.terms import Term

Parameter = Term | str | int | Fraction


@dataclass(frozen=True)
class Inference:
    """A rule, its premises and its parameters in the order of the certificate."""

    rule: str
    premises: tuple[Theorem, ...] = ()
    parameters: tuple[Parameter, ...] = ()


def by_kernel(inference: Inference) -> Theorem:
    """What the kernel makes of it."""
    rule, given, said = inference.rule, inference.premises, inference.parameters
    made = getattr(kernel, rule)
    if rule in ("assume", "definition"):
        return made(said[0], said[1:]) if rule == "definition" else made(*said)
    if rule == "cut":
        return made(*given)
    if rule == "congruence":
        return made(said[0], dict(zip(said[1:], given, strict=True)))
    if rule == "relate":
        return made(given[0], dict(zip(said, given[1:], strict=True)))
    if rule == "under":
        return made(said[0], given[0], said[1:])
    if rule in ("branch", "choose", "cases", "absurd"):
        return made(said[0], *given)
    if rule == "specialise":
        return made(given[0], dict(zip(said[::2], said[1::2], strict=True)))
    if rule == "generalise":
        return made(given[0], *said)
    if rule == "at":
        return made(given[0], said[0], *given[1:])
    if rule == "induction":
        return made(*said, *given)
    if rule == "ring":
        return made(*said, given)
    if rule == "linear":
        return made(said[0], given, said[1:])
    if rule == "bound":
        return made(*said)
    return made(said[0], dict(zip(said[1::2], said[2::2], strict=True)), given)


def by_replay(inference: Inference) -> tuple[frozenset[str], str]:
    """What the second verifier makes of it, in canonical text; raises `ReplayError` where it refuses."""
    reader = Reader()
    for line in lines(inference):
        reader.read(line)
    hypotheses, conclusion = reader.tables["step"][-1]
    return frozenset(map(reader.canonical, hypotheses)), reader.canonical(conclusion)


def text(theorem: Theorem) -> tuple[frozenset[str], str]:
    """Hypotheses and conclusion of a theorem of the kernel, in canonical text."""
    return frozenset(map(canonical, theorem.hypotheses)), canonical(theorem.conclusion)


def lines(inference: Inference) -> list[str]:
    """A certificate whose last step is this inference, whether it is right or not."""
    writer = _Writer()
    found: list[dict[str, object]] = [{"certificate": "derive", "version": 1}]
    for p in inference.premises:
        found += writer.proof(p)
    for t in inference.parameters:
        if isinstance(t, Term):
            found += writer.term(t)
    found.append(
        {
            "step": _next(writer),
            "rule": inference.rule,
            "premises": [writer.steps[id(p)] for p in inference.premises],
            "parameters": [_said(writer, p) for p in inference.parameters],
        }
    )
    return [json.dumps(line) for line in found]


def _next(writer: _Writer) -> int:
    return 1 + max(writer.steps.values(), default=-1)


def _said(writer: _Writer, p: Parameter) -> dict[str, object]:
    if isinstance(p, Term):
        return {"term": writer.terms[p]}
    return {"text": p} if isinstance(p, str) else {"number": str(p)}


def claiming(inference: Inference, hypotheses: Iterable[Term], conclusion: Term, name: str = "claim") -> list[str]:
    """The same certificate with a claim about its last step."""
    writer = _Writer()
    said = [json.loads(line) for line in lines(inference)]
    more: list[dict[str, object]] = []
    for p in inference.premises:
        list(writer.proof(p))
    for t in (*(t for t in inference.parameters if isinstance(t, Term)),):
        list(writer.term(t))
    step = _next(writer)
    hypotheses = list(hypotheses)
    for t in (*hypotheses, conclusion):
        more += writer.term(t)
    claim = {
        "theorem": name,
        "step": step,
        "hypotheses": [writer.terms[h] for h in hypotheses],
        "conclusion": writer.terms[conclusion],
    }
    return [json.dumps(line) for line in [*said, *more, claim]]


def written(terms: Sequence[Term]) -> tuple[list[str], list[int]]:
    """The lines that make these terms, after a header, and their numbers."""
    writer = _Writer()
    found: list[dict[str, object]] = [{"certificate": "derive", "version": 1}]
    for t in terms:
        found += writer.term(t)
    return [json.dumps(line) for line in found], [writer.terms[t] for t in terms]
