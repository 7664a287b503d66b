"""A trial builds its instances from the hypotheses, says how large they were, and never fails in silence."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import pytest

from derive.definitions import signatures
from derive.numbers import DIGITS, NoInstance, Source, Trial, draw, try_chain
from derive.worked.softmax import Softmax
from proofs.calc import Chain, Line
from proofs.kernel import congruence
from proofs.statement import Statement
from proofs.syntax.derivation import read_derivation
from proofs.terms import var


def statement(text: str) -> Statement:
    *given, claim = [part.strip() for part in text.split(";")]
    lines = [part if part.startswith("suppose") else f"let {part}" for part in given]
    return read_derivation("\n".join([*lines, f"claim {claim}", "proof", "  0"]), signatures()).statement


def tried(text: str) -> Trial:
    """The claim as a chain of two lines, tried as if it were proved."""
    s = statement(text)
    left, right = s.claim.args
    chain = Chain(s, (Line(None, left), Line(s.claim.op, right)), congruence(left, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return try_chain(chain, 7, {})


TRUE = """
n:size; x:real[n]; m:real; suppose m = sum(i = 1..n, x[i])/n; sum(i = 1..n, x[i] - m) = 0
n:size; x:real[n]; P:real; suppose P = ln(sum(i = 1..n, exp(x[i]))); sum(i = 1..n, exp(x[i] - P)) = 1
n:size; x:real[n]; m:real; v:real; s:real; e:positive; suppose m = sum(i = 1..n, x[i])/n; suppose v = sum(i=1..n, (x[i]-m)^2)/n; suppose s = sqrt(v + e); sum(i = 1..n, (x[i] - m)/s) = 0
T:size; a:real[T]; r:real; b:real; suppose a[t+1] = r*a[t] + b for all t : index[T-1]; suppose r != 1; a[T] = r^(T-1)*a[1] + b*(1 - r^(T-1))/(1-r)
T:size; a:real[T+1]; r:real; suppose a[t+1] = r*a[t] for all t : index[T]; a[T+1] = r^T*a[1]
T:size; f:real[T+2]; suppose f[t+2] = f[t+1] + f[t] for all t:index[T]; sum(t=1..T, f[t]) = f[T+2] - f[2]
n:size; p:real[n]; suppose 0 < p[j] for all j:index[n]; suppose sum(j=1..n,p[j]) = 1; sum(j=1..n, p[j]^2) <= 1
n:size; z:real[n]; i:index[n]; suppose softmax(z)[i] = 1/3; softmax(z)[i] = 1/3
n:size; l:real[n]; M:real; suppose l[i] <= M for all i:index[n]; sum(i=1..n, exp(l[i] - M)) <= n
n:size; x:real[n]; y:real[n]; c:real; suppose y = x - c; softmax(y) = softmax(x)
d:size; h:size; k:size; suppose d = h*k; 4*d^2 = 4*d*h*k
n:size; t:index[n-1]; z:real[n]; z[t+1] = z[t+1]
n:size; x:real[n]; s:positive; suppose s = sum(j=1..n, exp(x[j])); ln(s) = ln(sum(j=1..n, exp(x[j])))
"""  # noqa: E501


@pytest.mark.parametrize("text", [line for line in TRUE.splitlines() if line])
def test_instances_are_built_from_the_hypotheses_and_of_all_sizes(text: str) -> None:
    trial = tried(text)
    assert trial.instances == 200
    assert trial.largest_deviation < 1e-9
    assert trial.agreed == DIGITS
    assert trial.sizes
    assert all(s.smallest <= 3 and s.largest >= 5 for s in trial.sizes)


def test_instances_meet_the_hypotheses() -> None:
    rng = random.Random(3)
    recurrence = statement("T:size; a:real[T]; suppose a[t+1] = 2*a[t] + 1 for all t : index[T-1]; a[T] = 0")
    a = var("a", "real", 1)
    seen = set()
    for instance in Source(recurrence, [recurrence.claim]).instances(40, rng):
        entries = instance.model[a]
        assert all(abs(y - (2 * x + 1)) < 1e-12 for x, y in pairwise(entries))
        seen.add(len(entries))
    assert seen == {1, 2, 3, 4, 5}
    model = draw(statement("x:real; y:real; suppose x + y = 3; suppose x - y = 1; x = 2"), rng)
    assert (model[var("x")], model[var("y")]) == (2, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x:real; suppose x < 0; suppose 0 < x; x = x", "no-instance"),
        ("n:size; z:real[n]; suppose z[i] <= z[i+1] for all i:index[n]; z[1] = z[1]", "no-instance"),
        ("n:size; z:real[n]; suppose n = 1; z[1] = z[n]", "trivial"),
        ("x:real; exp(exp(exp(100 + x - x))) = exp(exp(exp(100)))", "beyond"),
    ],
)
def test_where_nothing_was_tried_it_is_said(text: str, code: str) -> None:
    with pytest.raises(NoInstance) as caught:
        tried(text)
    assert caught.value.code == code


def test_what_is_false_deviates_and_what_has_no_value_too() -> None:
    assert tried("x:real; exp(x) = 1 + x").largest_deviation > 0.01
    assert tried("n:size; z:real[n]; sum(j=0..n-1, z[j]) = 0").largest_deviation == math.inf
    assert tried("x:real; 1/(x - x) = 1").largest_deviation == math.inf
    assert tried("x:real; ln(-x^2 - 1) = 1").largest_deviation == math.inf


def test_an_integer_statement_counts_each_instance_once() -> None:
    trial = tried("n:size; sum(j = 1..n, j) = n*(n+1)/2")
    assert trial.instances == 19
    assert trial.sizes[0].largest == 100


OUT_OF_RANGE = ((1000, 1001), (709, 711), (-800, -801), (0, 800), (2000, -2000, 0), (1, 2, 3))


@pytest.mark.parametrize("z", OUT_OF_RANGE)
def test_what_float64_cannot_hold_is_no_disagreement(z: tuple[int, ...]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solution = Softmax().solve({"z": z}, 0)
    keys = {m.key for block in solution.worked for m in getattr(block, "checked", ())}
    assert ("checked.beyond" in keys) == (max(map(abs, z)) > 700)


def test_a_chain_whose_sides_differ_far_out_of_range_is_a_disagreement() -> None:
    trial = tried("exp(1000)/(exp(1000) + exp(1001)) = 1/(2 + exp(1))")
    assert trial.beyond == 2
    assert trial.largest_deviation > 0.01
    right = tried("exp(1000)/(exp(1000) + exp(1001)) = 1/(1 + exp(1))")
    assert (right.beyond, right.compared, right.largest_deviation) == (2, 2, 0.0)
    assert tried("x:real; suppose x = 2000; exp(x)/exp(x+1) = exp(-1)").beyond == 2


def test_a_sheet_with_scores_out_of_range_says_so_in_both_languages(tmp_path: Path) -> None:
    manifest = tmp_path / "far.toml"
    exercises = "".join(
        f'[[exercise]]\nid = "{k}"\nproblem = "softmax"\ngiven = {{ z = {list(z)} }}\npoints = 1\n'
        for k, z in enumerate(OUT_OF_RANGE)
    )
    manifest.write_text('[sheet]\nid = "far"\ntitle = { zh = "远", en = "Far" }\n' + exercises, encoding="utf-8")
    command = ["build", str(manifest), "--format", "md", "--edition", "solutions", "--lang", "zh,en"]
    done = subprocess.run(
        [sys.executable, "-m", "derive.cli", *command, "--out", str(tmp_path / "out")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, "Warning" in done.stderr) == (0, False), done.stderr
    texts = {p.name: p.read_text(encoding="utf-8") for p in (tmp_path / "out").rglob("*.md")}
    assert len(texts) == 2
    for name, text in texts.items():
        said = "can’t be made in NumPy (float64)" if "-en" in name else "次在 NumPy（float64）里做不了"
        assert text.count(said) >= 5
