"""The second verifier accepts what follows, refuses everything else, and never breaks."""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path
from random import Random

import pytest

from derive.report.trusted import kernel_lines, replay_lines
from proofs import replay as module
from proofs.certificate import flatten
from proofs.certificate_text import canonical
from proofs.kernel import assume, axiom, definition, generalise, relate, ring
from proofs.replay import Proved, Reader, ReplayError, difference, main, replay
from proofs.terms import (
    Definition, Term, add, apply, comprehension, div, entry, exp, mul, num, relation, sub, total, var,
)  # fmt: skip
from tests.proofs.bad_lines import FILES, LINES, BadLine
from tests.proofs.conditions import survivors
from tests.proofs.fuzz_inferences import run
from tests.proofs.inferences import by_kernel, by_replay, claiming, lines, text
from tests.proofs.refusals import ACCEPTED, REFUSED, Accepted, Refused

SEEDS = int(os.environ.get("SEEDS", "25"))
x, y = var("x"), var("y")
i, j, n = var("i", "integer"), var("j", "integer"), var("n", "integer")
u = var("u", "real", 1)
softmax = Definition(
    "softmax", (n, u), comprehension((i,), div(exp(entry(u, i)), total(j, num(1), n, exp(entry(u, j))))), 1
)


@pytest.mark.parametrize("inference", ACCEPTED, ids=lambda a: a.name)
def test_an_inference_that_holds_is_accepted(inference: Accepted) -> None:
    made = inference.make()
    theorem = by_kernel(made)
    assert by_replay(made) == text(theorem)
    (proved,) = replay(claiming(made, inference.hypotheses(), inference.conclusion()))
    assert (proved.hypotheses, proved.conclusion) == text(theorem)
    (again,) = replay(flatten([("claim", theorem)]))
    assert again[:3] == proved[:3]


@pytest.mark.parametrize("inference", REFUSED, ids=lambda r: r.name)
def test_an_inference_that_misses_one_condition_is_refused(inference: Refused) -> None:
    with pytest.raises(ReplayError) as error:
        by_replay(inference.make())
    assert inference.replay in str(error.value)


@pytest.mark.parametrize("bad", LINES, ids=lambda b: b.name)
def test_a_bad_line_is_refused(bad: BadLine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in bad.limits.items():
        monkeypatch.setattr(module, name, value)
    reader = Reader()
    for line in bad.lines[:-1]:
        reader.read(line)
    with pytest.raises((ValueError, RecursionError)) as error:
        reader.read(bad.lines[-1])
    assert bad.said in str(error.value)
    with pytest.raises(ReplayError, match=f"line {len(bad.lines)}: "):
        replay(bad.lines)


@pytest.mark.parametrize("bad", FILES, ids=lambda b: b.name)
def test_a_bad_file_is_refused(bad: BadLine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in bad.limits.items():
        monkeypatch.setattr(module, name, value)
    with pytest.raises(ReplayError, match=bad.said):
        replay(bad.lines)


def test_definitions_nested_too_deeply_are_refused_and_do_not_break() -> None:
    said = [json.dumps({"certificate": "derive", "version": 1}), json.dumps({"term": 0, "op": "num", "data": "1"})]
    for k in range(3_000):
        said.append(json.dumps({"definition": k, "name": f"d{k}", "parameters": [], "body": k, "implicit": 0}))
        said.append(json.dumps({"term": k + 1, "op": "app", "data": k}))
    names = [{"text": f"d{k}"} for k in range(3_000)]
    step = {"step": 0, "rule": "definition", "premises": [], "parameters": [{"term": 3_000}, *names]}
    with pytest.raises(ReplayError, match="recursion"):
        replay([*said, json.dumps(step)])


# --- both verifiers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(SEEDS))
def test_both_verifiers_say_the_same_of_random_inferences(seed: int) -> None:
    """More with SEEDS in the environment. What is accepted is also tried in small models."""
    assert run(100, seed)["accepted by both"] > 20


# --- corrupted certificates ----------------------------------------------------------------------------------


def softmax_is_positive() -> tuple[list[Term], Term, list[str]]:
    """A proof with definitions, sums, axioms and an index: each entry of softmax is positive, for 1 <= n."""
    e = exp(entry(u, j))
    every = generalise(axiom("exp-positive", {"x": entry(u, j)}, ()), j, num(1), n)
    size = assume(relation("le", num(1), n))
    positive = axiom("sum-positive", {"a": num(1), "b": n, "f": comprehension((j,), e)}, (size, every))
    s = positive.conclusion.args[1]
    reciprocal = axiom("reciprocal-positive", {"x": s}, (positive,))
    t = axiom(
        "product-positive", {"x": exp(entry(u, i)), "y": div(num(1), s)},
        (axiom("exp-positive", {"x": entry(u, i)}, ()), reciprocal),
    )  # fmt: skip
    value = entry(apply(softmax, n, u), i)
    unfolded = definition(value, ("softmax",))
    quotient = unfolded.conclusion.args[1]
    same = relate(ring(value, value, ()), {0: unfolded})
    product = t.conclusion.args[1]
    t = relate(t, {1: ring(product, quotient, ())})
    t = relate(t, {1: relate(ring(quotient, quotient, ()), {1: same})})
    return [relation("le", num(1), n)], relation("lt", num(0), value), list(flatten([("positive", t)]))


def corruptions(line: str, random: Random, count: int) -> list[str]:
    """Other lines in its place: numbers, texts and lists that are changed, taken away or exchanged."""
    entry_ = json.loads(line)
    places: list[tuple[object, object]] = []

    def visit(parent: object) -> None:
        for key, value in list(parent.items() if isinstance(parent, dict) else enumerate(parent)):  # type: ignore[arg-type, attr-defined]
            places.append((parent, key))
            if isinstance(value, dict | list):
                visit(value)

    visit(entry_)
    made = []
    for _ in range(count):
        parent, key = random.choice(places)
        before = parent[key]  # type: ignore[index]
        if isinstance(before, int):
            after: object = before + random.choice((-1, 1, 2, -before))
        elif isinstance(before, str):
            after = random.choice(
                ("", "sum-empty", "x", "add", "lt", "le", "integer", "real", "2", before + "1", "assume")
            )
        elif isinstance(before, list):
            after = random.choice((before[:-1], before[::-1], [*before, *before[-1:]], []))
        else:
            after = random.choice((None, {}, 1))
        parent[key] = after  # type: ignore[index]
        made.append(json.dumps(entry_))
        parent[key] = before  # type: ignore[index]
    return made


def test_a_corrupted_certificate_is_refused_or_proves_what_was_not_asked() -> None:
    hypotheses, conclusion, said = softmax_is_positive()
    granted, asked = [canonical(h) for h in hypotheses], canonical(conclusion)
    (proved,) = replay(said)
    assert difference(proved, granted, asked) is None
    random = Random(7)
    refused = others = 0
    for k, line in enumerate(said):
        for changed in (*corruptions(line, random, 25), None):
            corrupted = [*said[:k], *([] if changed is None else [changed]), *said[k + 1 :]]
            try:
                claims = replay(corrupted)
            except ReplayError:
                refused += 1
                continue
            for claim in claims:
                if difference(claim, granted, asked) is not None:
                    others += 1
                    assert (claim.hypotheses, claim.conclusion) != (proved.hypotheses, proved.conclusion)
                else:
                    assert claim.hypotheses <= set(granted)
                    assert claim.conclusion == asked
    assert refused > 20 * len(said) // 2
    assert others > 0


def test_lines_out_of_order_are_refused() -> None:
    _, _, said = softmax_is_positive()
    kinds = [line.split('"')[1] for line in said]
    for k in (k for k in range(len(said) - 1) if kinds[k] == kinds[k + 1]):
        exchanged = [*said[:k], said[k + 1], said[k], *said[k + 2 :]]
        with pytest.raises(ReplayError):
            replay(exchanged)


@pytest.mark.parametrize("seed", range(20))
def test_any_text_is_refused_with_a_sentence(seed: int) -> None:
    random = Random(seed)
    _, _, said = softmax_is_positive()
    for _ in range(60):
        k = random.randrange(len(said))
        line = list(said[k])
        for _ in range(random.choice((1, 1, 2, 10))):
            line[random.randrange(len(line))] = random.choice('{}[]",:0123456789-/nulltrue\\ue\x00é')
        try:
            replay([*said[:k], "".join(line), *said[k + 1 :]])
        except ReplayError as error:
            said_so = str(error)
        else:
            said_so = "line"  # a change in a hint, or in what is not used
        assert said_so.startswith("line")


# --- what a claim says ---------------------------------------------------------------------------------------


def claimed(t: Term) -> Proved:
    (proved,) = replay(flatten([("claim", assume(t))]))
    return proved


def test_canonical_text_forgets_the_names_of_bound_indices_and_nothing_else() -> None:
    body = entry(u, i)
    s, t = total(i, num(1), n, body), total(j, num(1), n, entry(u, j))
    assert canonical(s) == canonical(t)
    real, integer = relation("lt", num(0), var("x")), relation("lt", num(0), var("x", "integer"))
    assert canonical(real) != canonical(integer)
    f, g = Definition("f", (x,), x), Definition("f", (x,), mul(num(2), x))
    assert canonical(apply(f, y)) != canonical(apply(g, y))
    assert canonical(apply(f, y)) != canonical(apply(Definition("f", (x,), x, 1), y))
    assert canonical(relation("lt", x, y)) != canonical(relation("lt", y, x))
    assert canonical(sub(x, y)) != canonical(add(x, y))
    strange = var('x" real 0) (var "y')
    assert canonical(add(strange, x)) != canonical(add(x, y))


@pytest.mark.parametrize(
    "t",
    [
        relation("lt", num(0), entry(apply(softmax, n, u), i)),
        relation("eq", total(i, num(1), n, entry(u, i)), var('a "name"\n')),
        relation("eq", comprehension((i, j), mul(i, j)), var("A", "real", 2)),
        relation("le", var("λ"), num(-3)),
    ],
)
def test_both_sides_write_a_term_alike(t: Term) -> None:
    proved = claimed(t)
    assert proved.conclusion == canonical(t)
    assert proved.hypotheses == {canonical(t)}
    assert difference(proved, [canonical(t)], canonical(t)) is None


def test_a_claim_is_compared_with_what_was_asked() -> None:
    p, q = relation("lt", x, y), relation("lt", x, var("y", "integer"))
    proved = claimed(p)
    assert difference(proved, [canonical(p), canonical(q)], canonical(p)) is None
    assert "concludes" in str(difference(proved, [canonical(p)], canonical(q)))
    assert "which was not granted" in str(difference(proved, [canonical(q)], canonical(p)))


def test_another_definition_of_the_same_name_is_another_claim() -> None:
    wrong = Definition("softmax", softmax.parameters, comprehension((i,), entry(u, i)), 1)
    right, other = (relation("lt", num(0), entry(apply(d, n, u), i)) for d in (softmax, wrong))
    assert difference(claimed(other), [canonical(other)], canonical(right)) is not None


def test_a_claim_is_told_to_people_with_its_definitions() -> None:
    told = claimed(relation("lt", num(0), entry(apply(softmax, n, u), i))).text.splitlines()
    assert told[1].endswith(" as (lam 1 (div (exp (entry u:real[1] #0)) (sum 1 n:integer (exp (entry u:real[1] #0)))))")
    assert told == [
        '"claim"',
        "define (softmax n:integer u:real[1]) as " + told[1].partition(" as ")[2],
        "suppose (lt 0 (entry (softmax n:integer u:real[1]) i:integer))",
        "then (lt 0 (entry (softmax n:integer u:real[1]) i:integer))",
    ]


def test_a_name_can_not_be_taken_for_more_than_a_name() -> None:
    told = claimed(relation("lt", var("x)\nthen (le 1 0"), var("(y)"))).text
    assert told.splitlines()[-1] == r'then (lt "x)\nthen (le 1 0":real "(y)":real)'


def test_variables_of_one_name_and_two_sorts_are_told_apart() -> None:
    told = claimed(relation("eq", var("x"), var("x", "integer"))).text
    assert told.splitlines()[-1] == "then (eq x:real x:integer)"


def test_a_name_is_not_taken_for_an_operation_or_for_other_signs() -> None:
    named = [Definition(name, (u,), num(0)) for name in ("sum", "\u0435xp", "x\x1b[2J")]
    told = claimed(relation("eq", *(apply(d, u) for d in named[:2]))).text.splitlines()
    assert told[-1] == r'then (eq ("sum" u:real[1]) ("\u0435xp" u:real[1]))'
    assert told[1:3] == ['define ("sum" u:real[1]) as 0', r'define ("\u0435xp" u:real[1]) as 0']
    assert all(map(str.isprintable, claimed(relation("eq", num(0), apply(named[2], u))).text.splitlines()))


# --- the command ---------------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, said = softmax_is_positive()
    good, bad, binary = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", tmp_path / "binary.jsonl"
    good.write_text("\n".join(said) + "\n", encoding="utf-8")
    bad.write_text("\n".join(said[:-2] + said[-1:]) + "\n", encoding="utf-8")
    binary.write_bytes(b"\xff\xfe")
    assert main([str(good)]) == 0
    out = capsys.readouterr()
    assert "then (lt 0 (entry (softmax n:integer u:real[1]) i:integer))" in out.out
    assert not out.err
    assert main([str(bad)]) == 1
    out = capsys.readouterr()
    assert not out.out
    assert len(out.err.splitlines()) == 1
    assert f"line {len(said) - 1}: " in out.err
    for arguments in ([str(binary)], [str(tmp_path / "none")], [str(tmp_path)], []):
        assert main(arguments) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


# --- the module itself ---------------------------------------------------------------------------------------


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    found = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    found |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert all(name.split(".")[0] in sys.stdlib_module_names for name in found)


def test_what_must_be_trusted_is_short() -> None:
    assert 300 < replay_lines() <= 850
    assert 500 < kernel_lines() <= 1050


def test_a_certificate_is_read_line_by_line() -> None:
    made = ACCEPTED[0].make()
    assert replay(iter(claiming(made, ACCEPTED[0].hypotheses(), ACCEPTED[0].conclusion()))) != []
    assert lines(made)[0] == '{"certificate": "derive", "version": 1}'


def test_no_condition_can_be_deleted_without_a_test_that_misses_it() -> None:
    count, left = survivors("replay")
    assert count > 200
    assert not [f"{d.module}.py, line {d.line}: {d.condition}" for d in left]
