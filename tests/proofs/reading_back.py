"""What the lines of a certificate say, read back as terms, whoever wrote them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs import terms
from proofs.replay import Reader
from proofs.terms import Definition, Term

Line = dict[str, Any]
Statement = tuple[frozenset[Term], Term]
Sequent = tuple[frozenset[str], str]  # in canonical text
KINDS = ("theorem", "step", "definition", "term")
REACHED = "reached"


def statements(lines: Sequence[str]) -> dict[str, Statement]:
    """The claims of a certificate that was accepted, read back as terms."""
    made: list[Term] = []
    definitions: list[Definition] = []
    found = {}
    for line in map(json.loads, lines):
        kind = kind_of(line)
        if kind == "term":
            made.append(_term(line, made, definitions))
        elif kind == "definition":
            parameters = tuple(made[p] for p in line["parameters"])
            definitions.append(Definition(line["name"], parameters, made[line["body"]], int(line["implicit"])))
        elif kind == "theorem":
            found[line["theorem"]] = frozenset(made[h] for h in line["hypotheses"]), made[line["conclusion"]]
    return found


def kind_of(line: Line) -> str | None:
    """What a line makes; a claim names a step, too."""
    return next((k for k in KINDS if k in line), None)


def _term(line: Line, made: Sequence[Term], definitions: Sequence[Definition]) -> Term:
    op, args, data = line["op"], tuple(made[a] for a in line.get("args", ())), line.get("data")
    if op == "num":
        return terms.num(Fraction(data))
    if op == "var":
        return terms.var(data[0], data[1], int(data[2]))
    if op in ("bound", "lam", "sum", "maxof", "forall"):  # what stands under a binder is open when it is read
        sort = {"bound": "integer", "lam": "real", "forall": "proposition"}.get(op) or args[-1].sort
        rank = int(data) if op == "lam" else 0
        return terms._term(op, args, int(data) if op == "bound" else None, sort, rank)  # type: ignore[arg-type]
    if op == "app":
        return terms.apply(definitions[data], *args)
    if op in terms.RELATIONS:
        return terms.relation(op, *args)
    return {"add": terms.add, "mul": terms.mul, **terms._MAKERS}[op](*args)


def sequents(lines: Sequence[str]) -> list[tuple[int, Sequent]]:
    """Each step that the lines make, up to the first that is refused: the number of its line, and its sequent."""
    reader = Reader()
    found = []
    for k, line in enumerate(lines):
        before = len(reader.tables["step"])
        try:
            reader.read(line)
        except (ValueError, RecursionError):
            break
        if len(reader.tables["step"]) > before:
            hypotheses, conclusion = reader.tables["step"][-1]
            found.append((k, (frozenset(map(reader.canonical, hypotheses)), reader.canonical(conclusion))))
    return found


def claimed(lines: Sequence[str], k: int) -> list[str]:
    """The lines up to the step in line k, with a claim of just what it says."""
    reader = Reader()
    for line in lines[: k + 1]:
        reader.read(line)
    hypotheses, conclusion = reader.tables["step"][-1]
    texts = [reader.canonical(t) for t in (*sorted(hypotheses), conclusion)]
    made = list(lines[: k + 1])
    places = {reader.canonical(t): n for n, t in reversed(list(enumerate(reader.tables["term"])))}
    for text, t in zip(texts, (*sorted(hypotheses), conclusion), strict=True):
        if text not in places:
            _written(reader, t, places, made)
    claim = {"theorem": REACHED, "step": len(reader.tables["step"]) - 1}
    made.append(json.dumps({**claim, "hypotheses": [places[x] for x in texts[:-1]], "conclusion": places[texts[-1]]}))
    return made


def _written(reader: Reader, t: int, places: dict[str, int], made: list[str]) -> None:
    """Lines that make a term of the reader's store."""
    node = reader.nodes[t]
    for a in node.args:
        if reader.canonical(a) not in places:
            _written(reader, a, places, made)
    line: Line = {"term": sum('"term":' in x[:8] for x in made), "op": node.op}
    if node.args:
        line["args"] = [places[reader.canonical(a)] for a in node.args]
    if node.op == "app":
        line["data"] = reader.tables["definition"].index(node.data)
    elif node.data is not None:
        line["data"] = "/".join(map(str, node.data)) if node.op == "num" else node.data
    places[reader.canonical(t)] = line["term"]
    made.append(json.dumps(line, separators=(",", ":")))


def reached(lines: Sequence[str]) -> Statement:
    """What the last step says, where all lines are accepted."""
    return statements(claimed(lines, len(lines) - 1))[REACHED]
