"""Inputs to begin with, for each reader: from the shipped sheet, the library's own chains and known bad answers."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from decimal import Decimal

from derive.answers.showing import shown_exactly
from derive.answers.values import Derivation
from derive.library import LibraryTheorem, theorem, theorems
from derive.problems import answer_kinds, kinds
from derive.resources import manifests as shipped
from derive.sheets.assemble import seed_of
from derive.sheets.manifest import read
from derive.sheets.problems import Answering, Given, Seed
from proofs.syntax.to_latex import to_latex
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term
from tests.derive.answers.test_hostile import HOSTILE
from tests.fuzz.writing import as_csv, as_json, as_toml
from tests.proofs.syntax.test_derivation_files import SHIFT

MAX_LENGTH = 6_000
SHEET = "sheet.toml"
"""The shipped sheet, beside the key."""


def tables() -> list[dict[str, object]]:
    """The shipped manifests."""
    return [tomllib.loads(p.read_text(encoding="utf-8"), parse_float=Decimal) for p in shipped()]


def entries() -> Iterator[dict[str, object]]:
    """An entry of a key with its right answer for each exercise of the shipped sheets, and some other entries."""
    for path in shipped():
        sheet = read(path, kinds())
        for exercise in sheet.exercises:
            kind, own = kinds()[exercise.problem], answer_kinds().get(exercise.problem)
            named = {"id": exercise.id, "exercise": f"{sheet.id}:{exercise.id}"}
            if isinstance(kind, Answering):
                parts = kind.answers(exercise.given, Seed(seed_of(sheet.seed, exercise.id), sheet.seed))
                for part, problem in list(parts.items())[:4]:
                    yield {**named, "answer": shown_exactly(problem.right), **({"part": part} if part else {})}
            if own is not None:
                given = {n: plain(v) for n, v in exercise.given.items() if n in own.fields}
                right = own.problem(given).right
                proof = isinstance(right.value, Derivation)
                answer = theorem(right.value.theorem).result.text.strip() if proof else shown_exactly(right)
                if not isinstance(kind, Answering):
                    yield {**named, "answer": answer}
                yield {"id": "x", "problem": own.name, "given": given, "answer": answer}
    for name, answer in HOSTILE.items():
        if len(answer) < MAX_LENGTH // 2:
            yield {"id": name, "problem": "value", "given": {"value": "64"}, "answer": answer}
    symbols = {"n": "size", "i": "index", "k": "integer", "x": "real", "p": "positive"}
    for value, answer in (
        ("x^2*sqrt(p) + 1/n", r"$\frac{1}{n} + x^{2}\sqrt{p}$"), ("(i, 2*k, ln(p))", "[i, k + k, ln p]"),
        ("[[1, x], [p, -1/2]]", r"\begin{pmatrix} 1 & x \\ p & -0.5 \end{pmatrix}"), ("{1, -1}", "x in {-1, 1}"),
        ("if(i <= k, exp(x), max(x, p))", "if(i <= k, e^x, max(p, x))"), ("-inf", "-∞"), ("1/3", "0.333"),
        ("sum(j = 1..n, j)", "n(n+1)/2"), ("binom(n, 2)", "n*(n-1)/2"), ("|x|", "abs(x)"),
    ):  # fmt: skip
        yield {"id": "v", "problem": "value", "given": {"value": value, "symbols": symbols}, "answer": answer}
    yield {"id": "l", "problem": "value", "given": {"value": "AC", "kind": "choice"}, "answer": "C, A"}


def library() -> list[LibraryTheorem]:
    return [t for t in theorems().values() if isinstance(t, LibraryTheorem)]


def key_seeds() -> list[bytes]:
    """Each entry in a key of its own, the formats taking turns, with and without the sheet that it may speak of."""
    found = []
    for k, entry in enumerate(entries()):
        head = {"title": "Day", **({"sheet": SHEET, "seed": k} if "exercise" in entry and k % 3 else {})}
        table = {"key": head, "answer": [entry]}
        text = ("t" + as_toml(table), "j" + as_json(table), "c" + as_csv(table))[k % 3]
        found.append(text if k % 8 else text[0].upper() + text[1:])
    found.append("j" + as_json({"answer": list(entries())[:4]}))
    return [f.encode() for f in found if len(f.encode()) <= MAX_LENGTH]


def plain(value: Given) -> object:
    """What is given as a file has it: lists for tuples."""
    return [plain(v) for v in value] if isinstance(value, tuple) else value


def manifest_seeds() -> list[bytes]:
    """A sheet of one exercise for each of the shipped, one with everything besides, and one with values to choose."""
    found: list[dict[str, object]] = []
    for table in tables():
        for exercise in table["exercise"]:  # type: ignore[attr-defined]
            found.append({"sheet": table["sheet"], "exercise": [exercise]})
        exercises = [e for e in table["exercise"] if e["id"].startswith("45-04")]  # type: ignore[attr-defined]
        head = {k: v for k, v in table.items() if k != "exercise"}
        head["activity"] = [a for a in table.get("activity", []) if a["id"] == "45-04"]  # type: ignore[attr-defined]
        found.append({**head, "exercise": exercises})
    named = {k.name for k in kinds().values()}
    one = {"id": "r", "points": 1, "space": 3}
    for problem, given in (
        ("mha-parameters", {"d_model": {"choose": [512, 768]}, "h": {"from": 2, "to": 16, "step": 2}, "bias": True}),
        ("softmax", {"z": [{"choose": [1, 2]}, {"from": -3, "to": 3}, Decimal("0.5")]}),
        ("attention-weights", {"X": [[{"choose": [0, 1]}, 1], [2, {"from": -1, "to": 1}]], "h": 1, "causal": True}),
        ("cast", {"value": {"choose": [Decimal("0.1"), 65504]}, "format": {"choose": ["float16", "bfloat16"]}}),
    ):
        assert problem in named
        table = {"sheet": {"id": "r", "title": {"zh": "页", "en": "sheet"}, "seed": 3}}
        found.append({**table, "exercise": [{**one, "problem": problem, "given": given}]})
    return [as_toml(t).encode() for t in found]


def derivation_seeds() -> list[bytes]:
    """Each chain of the library as it stands, and written anew in plain text and in LaTeX."""
    found = [SHIFT]
    for proved in library():
        found.append(proved.result.text)
        found.append(written(proved, to_plain))
        found.append(written(proved, lambda t: f"${to_latex(t)}$"))
    return [f.encode() for f in found if len(f.encode()) <= MAX_LENGTH]


def written(proved: LibraryTheorem, show: Callable[[Term], str]) -> str:
    """The head of a theorem's file, and its claim and chain as they are printed."""
    head = proved.result.text.partition("claim ")[0]
    lines = [
        f"  {line.relation or ''} {show(line.term)}".rstrip()
        for line in proved.derivation.lines
        if line.term is not None
    ]
    return "\n".join((f"{head}claim {show(proved.derivation.statement.claim)}", "proof", *lines, ""))


SEEDS = {"keys": key_seeds, "manifests": manifest_seeds, "derivations": derivation_seeds}
