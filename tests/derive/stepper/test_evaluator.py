"""The page's evaluator in JavaScript against the certified one in Python, on random terms and random instances."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from derive.library import theorems
from derive.resources import templates
from derive.stepper import exported
from derive.stepper.instance import Instance, begin, filled
from derive.stepper.subjects import subject
from proofs.evaluate import Interval, Limits, Model, NotCertain, Tensor, TooLarge, Undefined, Unassigned, holds, value
from proofs.terms import RELATIONS, Term, free_variables
from tests.proofs.syntax.random_terms import INTEGERS, MATRICES, REALS, VECTORS, propositions, reals

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")

SCRIPT = """
const E = require(process.argv[1]), cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const tensor = (x) => ({ rank: x.rank, at: (i) => (x.table[i.join()] !== undefined ? x.table[i.join()] : x.outside) });
console.log(JSON.stringify(cases.map((c) => {
  if (c.filled) return E.filled(...c.filled);
  if (c.statement) {
    const made = E.instance(c.statement, c.chosen, c.definitions);
    const tables = [...made.tables].map(([k, t]) => [k, Object.fromEntries(t)]);
    return { numbers: Object.fromEntries(made.numbers), tables: Object.fromEntries(tables), broken: made.broken,
      values: c.terms.map((t) => E.value(t, made.variables, c.definitions)) };
  }
  const variables = new Map(Object.entries(c.numbers));
  for (const [name, x] of Object.entries(c.tensors)) variables.set(name, tensor(x));
  return E.value(c.term, variables, c.definitions);
})));
"""


def in_node(cases: list[dict[str, Any]]) -> list[Any]:
    found = subprocess.run(
        [str(NODE), "-e", SCRIPT, str(templates() / "stepper" / "evaluate.js")],
        input=json.dumps(cases), capture_output=True, text=True, check=True,
    )  # fmt: skip
    made: list[Any] = json.loads(found.stdout)
    return made


class Everywhere(Tensor):
    """A tensor that is the same number outside of its table, here and there."""

    def default(self, indices: tuple[int, ...]) -> int:
        return 2


def model(rng: random.Random) -> tuple[dict[Term, Any], dict[str, float], dict[str, Any]]:
    """Random numbers for all names of the random terms, for Python and for the page."""
    python: dict[Term, Any] = {}
    numbers: dict[str, float] = {}
    tensors: dict[str, Any] = {}
    for v in INTEGERS:
        python[v] = rng.randint(1, 3)
        numbers[str(v.data)] = python[v]
    for v in REALS:
        python[v] = Fraction(rng.randint(-6, 6), rng.choice((1, 2, 4)))
        numbers[str(v.data)] = float(python[v])
    for v in (*VECTORS, *MATRICES):
        places = [(i,) for i in range(1, 4)] if v.rank == 1 else [(i, j) for i in range(1, 4) for j in range(1, 4)]
        table = {p: Fraction(rng.randint(-6, 6), 2) for p in places}
        python[v] = Everywhere(v.rank, table)
        told = {",".join(map(str, p)): float(x) for p, x in table.items()}
        tensors[str(v.data)] = {"rank": v.rank, "table": told, "outside": 2}
    return python, numbers, tensors


def certified(t: Term, python: dict[Term, Any]) -> tuple[str, Any]:
    limits = Limits(operations=20_000, precision=256, seconds=0.5)
    used = {v: x for v, x in python.items() if v in free_variables(t)}
    try:
        if t.op in RELATIONS or t.op == "forall":
            return "truth", holds(t, Model(used), limits=limits)
        return "number", value(t, Model(used), limits=limits)
    except Undefined:
        return "undefined", None
    except (NotCertain, TooLarge, Unassigned):
        return "skip", None


def middle(x: Fraction | Interval) -> Fraction:
    return (x.lower + x.upper) / 2 if isinstance(x, Interval) else x


def is_tame(t: Term, python: dict[Term, Any]) -> bool:
    """Whether float64 can be expected to come close: every part is of moderate size, and no denominator is tiny."""
    parts = [t]
    while parts:
        p = parts.pop()
        if not p.loose and not p.rank and p.sort != "proposition":
            kind, found = certified(p, python)
            if kind != "number" or not 0 <= abs(middle(found)) <= 10**6:
                return kind == "undefined"
            if p.op in ("add", "div", "ln", "sqrt") and 0 < abs(middle(found)) < Fraction(1, 1000):
                return False
        if p.op in ("sum", "maxof", "lam", "forall", "app"):
            continue
        parts.extend(p.args)
    return True


@needs_node
def test_random_terms_have_the_same_value_in_both() -> None:
    drawn: list[tuple[Term, int]] = []

    @settings(max_examples=600, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.one_of(reals(3), propositions(2)), st.integers(0, 10**6))
    def collect(t: Term, seed: int) -> None:
        drawn.append((t, seed))

    collect()
    cases, wanted = [], []
    for t, seed in drawn:
        python, numbers, tensors = model(random.Random(seed))
        kind, found = certified(t, python)
        if kind == "skip" or (found is None and kind != "undefined") or not is_tame(t, python):
            continue
        cases.append({
            "term": exported.term(t), "numbers": numbers, "tensors": tensors, "definitions": exported.definitions([t]),
        })  # fmt: skip
        wanted.append((t, kind, found))
    compared = {"number": 0, "truth": 0, "undefined": 0}
    for (t, kind, found), got in zip(wanted, in_node(cases), strict=True):
        if got.get("code") == "overflow":
            continue
        compared[kind] += 1
        if kind == "undefined":
            assert "code" in got or _hides_it(t), (t, got)
        elif kind == "truth":
            assert got.get("truth") == found, (t, got)
        else:
            exact = float(middle(found))
            assert got.get("number") == pytest.approx(exact, rel=1e-6, abs=1e-9), (t, got)
    assert compared["number"] > 150
    assert compared["truth"] > 20
    assert compared["undefined"] > 20


def _hides_it(t: Term) -> bool:
    """A sum of exponentials and roots that is exactly 0 need not be 0 in float64."""
    return any(x in repr(t) for x in ("exp(", "sqrt(", "ln("))


@needs_node
def test_instances_of_the_library_are_the_same_in_both() -> None:
    cases, wanted = [], []
    rng = random.Random(45)
    for name in theorems():
        found = subject(name)
        first = begin(found.statement, found.stated)
        terms = [s.term for s in found.steps if not s.term.rank]
        for changed in (first, *(_changed(first, rng) for _ in range(5))):
            cases.append(_case(changed, terms))
            wanted.append((name, changed, terms))
    for (name, instance, terms), got in zip(wanted, in_node(cases), strict=True):
        assert got["numbers"] == {str(v.data): float(x) for v, x in instance.numbers.items()}, name
        for v, table in instance.tables.items():
            assert got["tables"][str(v.data)] == {",".join(map(str, p)): float(x) for p, x in table.items()}, name
        assumed = instance.statement.assumptions()
        assert [assumed[k] for k in got["broken"]] == list(instance.broken), name
        for t, x in zip(terms, got["values"], strict=True):
            exact = float(middle(value(t, instance.model)))
            assert x["number"] == pytest.approx(exact, rel=1e-9, abs=1e-12), (name, t)


def _changed(first: Instance, rng: random.Random) -> Instance:
    """The instance with other sizes, so that entries are filled in and copied anew."""
    scalars = dict(first.scalars)
    for d in first.statement.declarations:
        if d.kind in ("size", "index") and not first.is_tied(d.name):
            scalars[d.name] = Fraction(rng.randint(1, 3))
    return Instance(first.statement, scalars, {})


def _case(instance: Instance, terms: list[Term]) -> dict[str, Any]:
    scalars = {k: float(x) for k, x in instance.scalars.items()}
    entries = {n: {",".join(map(str, p)): float(x) for p, x in t.items()} for n, t in instance.entries.items()}
    return {
        "statement": exported.statement(instance.statement), "chosen": {"scalars": scalars, "entries": entries},
        "definitions": exported.definitions([*terms, *instance.statement.assumptions()]),
        "terms": [exported.term(t) for t in terms],
    }  # fmt: skip


@needs_node
def test_what_nobody_chose_is_filled_in_alike() -> None:
    places = [
        (seed, place, sign) for seed in range(6) for place in ((1,), (3,), (2, 5), (1, 2, 3)) for sign in (True, False)
    ]
    got = in_node([{"filled": [s, list(p), sign]} for s, p, sign in places])
    assert got == [float(filled(*case)) for case in places]


@needs_node
@pytest.mark.parametrize(
    ("term", "code"),
    [
        (["div", ["num", 1, 1], ["num", 0, 1]], "division-by-zero"),
        (["pow", ["num", 0, 1], ["num", -1, 1]], "division-by-zero"),
        (["sqrt", ["num", -1, 1]], "negative-root"),
        (["ln", ["num", 0, 1]], "logarithm"),
        (["maxof", ["num", 1, 1], ["num", 0, 1], ["bound", 0]], "empty-maximum"),
        (["exp", ["num", 1000, 1]], "overflow"),
        (["div", ["num", 1, 1], ["exp", ["num", -1000, 1]]], "overflow"),
        (["sum", ["num", 1, 1], ["num", 10**9, 1], ["bound", 0]], "too-large"),
    ],
)
def test_what_has_no_value_says_why(term: Any, code: str) -> None:
    assert in_node([{"term": term, "numbers": {}, "tensors": {}, "definitions": {}}]) == [{"code": code}]


def test_the_evaluator_is_plain_javascript_without_any_library() -> None:
    for name in ("evaluate.js", "page.js"):
        text = Path(templates() / "stepper" / name).read_text(encoding="utf-8")
        assert "import " not in text
        assert "eval(" not in text
        assert "http" not in text
