"""What is written for Coq, what Coq says of it, and that the third opinion can't be fooled."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from derive import coq
from derive.cli import main
from derive.definitions import signatures
from derive.library import LibraryTheorem, reason_names, theorem, theorems
from derive.results import Result
from proofs import kernel
from proofs.coq import writing
from proofs.coq.files import HEADER, File, without
from proofs.coq.inferences import Inferences, Lemma
from proofs.coq.question import axioms, bounds, question
from proofs.coq.shared import Inexpressible, module, prelude
from proofs.coq.writing import Writer, identifier, mode_of
from proofs.kernel import AXIOMS, Theorem
from proofs.record import Established
from proofs.statement import Declaration, Statement
from proofs.syntax.derivation import read_derivation
from proofs.terms import (
    Definition, Term, add, apply, comprehension, div, entry, exp, forall, free_variables, ln, maximum, mul, neg, num,
    power, relation, sqrt, sub, total, var, when,
)  # fmt: skip
from proofs.verify import verify
from tests.proofs import coq_mutants
from tests.proofs.refusals import eq, le, lt, ne

needs_coq = pytest.mark.skipif(coq.installed() is None, reason="Coq is not on this machine")
needs_interval = pytest.mark.skipif(
    coq.installed() is None or not coq.interval_installed(), reason="Coq's interval arithmetic is not on this machine"
)
i, k, n, m = (var(s, "integer") for s in "iknm")
x, y, z = var("x"), var("y"), var("z")
u, v = var("u", "real", 1), var("v", "real", 1)
ONE, ZERO = num(1), num(0)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> coq.Workshop:
    return coq.Workshop(tmp_path_factory.mktemp("coq"))


def asked(name: str) -> coq.Asked:
    return coq.of_chain(name, theorem(name).chain)


def proof_of(name: str) -> File:
    return asked(name).proof()


def typed(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit status of ``derive`` with these arguments."""
    monkeypatch.setattr(sys, "argv", ["derive", *arguments])
    return main()


# --- what is written -----------------------------------------------------------------------------------------


def test_the_statement_stands_beside_ours_in_the_same_order_with_the_same_names() -> None:
    t = theorem("softmax-shift-invariance")
    assert question(t.name, t.derivation.statement).splitlines()[5:] == [
        "Definition softmax (n : Z) (z : Z -> R) : Z -> R :=",
        "  (fun i : Z => ((exp (z i%Z)) / (sum (1)%Z n%Z (fun j : Z => (exp (z j%Z)))))).",
        "",
        "Definition expected : Prop :=",
        "  forall (n : Z) (z : Z -> R) (c : R) (i : Z),",
        "  ((1) <= n)%Z ->",
        "  ((1) <= i)%Z ->",
        "  (i <= n)%Z ->",
        "  (((softmax n%Z (fun j : Z => ((z j%Z) + (- c)))) i%Z) = ((softmax n%Z z) i%Z)).",
        "",
        "Definition holds : expected := softmax_shift_invariance.softmax_shift_invariance.",
    ]


@pytest.mark.parametrize("name", list(theorems()))
def test_every_line_and_every_condition_is_a_lemma(name: str) -> None:
    t = theorem(name)
    names = [lemma.name for lemma in proof_of(name).lemmas]
    assert names[-1] == module(name)
    assert len(names) == len(set(names))
    assert {f"said_line_{j}" for j in range(1, len(t.chain.lines))} <= set(names)
    if t.derivation.statement.assumptions():
        assert names[0] == "hypotheses_can_hold"


def test_every_division_has_its_condition() -> None:
    file = proof_of("softmax-shift-invariance")
    values = {lemma.name: lemma.statement for lemma in file.lemmas if "_value_" in lemma.name}
    own = [said for label, said in values.items() if "_step_" not in label]
    assert sum(said.endswith("<> 0") for said in own) == 8  # two in the claim, and one in each of the six lines
    assert all("(1 <= n)%Z" in said for said in own)


def test_every_row_of_the_table_has_its_lemma() -> None:
    said = axioms() + axioms(logarithms=True)
    for row in AXIOMS:
        assert said.count(f"Definition row_{row.replace('-', '_')} :") == 1
        assert f"Lemma {row.replace('-', '_')} :" in prelude()


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (sub(x, add(y, z)), "x - (y + z)"),
        (mul(x, add(y, z)), "x * (y + z)"),
        (div(div(x, y), z), "x / y / z"),
        (div(x, div(y, z)), "x / (y / z)"),
        (div(x, mul(y, z)), "x / (y * z)"),
        (neg(mul(x, y)), "- (x * y)"),
        (mul(neg(x), y), "- x * y"),
        (neg(neg(x)), "- (- x)"),
        (power(neg(x), num(2)), "(- x) ^ 2"),
        (neg(power(x, num(2))), "- x ^ 2"),
        (power(power(x, num(2)), num(3)), "(x ^ 2) ^ 3"),
        (power(x, num(-2)), "/ x ^ 2"),
        (mul(x, power(x, num(-2))), "x * / x ^ 2"),
        (power(x, n), "powerRZ x n"),
        (mul(n, x), "IZR n * x"),
        (mul(add(n, num(1)), x), "(IZR n + 1) * x"),
        (entry(u, add(n, num(1))), "u (n + 1)%Z"),
        (exp(num(Fraction(-1, 2))), "exp ((-1) / 2)"),
        (total(i, num(1), n, entry(u, i)), "sum 1 n (fun i : Z => u i)"),
        (total(n, num(1), n, entry(u, n)), "sum 1 n (fun n_1 : Z => u n_1)"),
        (when(le(i, n), x, y), "if (i <=? n)%Z then x else y"),
        (mul(when(ne(i, n), x, y), z), "(if negb (i =? n)%Z then x else y) * z"),
        (maximum(x, n), "Rmax x (IZR n)"),
        (sqrt(ln(x)), "sqrt (ln x)"),
    ],
)
def test_terms(term: Term, text: str) -> None:
    scope = {w: str(w.data) for w in free_variables(term)}
    assert Writer({}).real(term, scope) == text


def test_names() -> None:
    assert [identifier(s, ["x"]) for s in ("W^Q", "x", "exp", "sum", "2", "for", "")] == [
        "W_Q", "x_1", "exp_1", "sum_1", "i2", "for_1", "i",
    ]  # fmt: skip


def test_a_comparison_is_of_integers_only_where_both_sides_are() -> None:
    assert mode_of(le(n, add(m, num(1)))) == "Z"
    assert mode_of(le(n, x)) == "R"
    assert mode_of(eq(total(i, num(1), n, i), n)) == "R"


@pytest.mark.parametrize("term", [entry(u, total(i, num(1), n, i)), power(x, num(100_000)), u])
def test_what_has_no_translation_is_an_error_and_never_a_guess(term: Term) -> None:
    with pytest.raises(Inexpressible):
        Writer({}).real(term, {w: str(w.data) for w in free_variables(term)})


# --- what is refused before Coq is asked ---------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["Admitted", "Axiom", "Parameter", "admit", "Unset", "Module", "Variables", "Context"])
def test_words_that_could_fool_are_found_but_not_in_comments(word: str) -> None:
    assert coq.forbidden(f"Lemma a : 1 = 1.\n{word} x.") == [word]
    assert coq.forbidden(f"(* a (* nested *) {word} *) Lemma a : 1 = 1.") == []
    assert coq.forbidden(f"(* a *) {word} (* b *)") == [word]


def test_what_a_theorem_rests_on_is_read_whole() -> None:
    listed = "Axioms:\nA.b : forall P : Prop,\n  P\nC.d\n  : nat\n"
    assert coq.assumptions(listed) == {"A.b", "C.d"}
    assert coq.assumptions("Closed under the global context\n") == frozenset()
    assert coq.assumptions("") is None
    assert coq.assumptions(listed + listed) is None


def test_without_coq_nothing_is_said_to_have_passed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(coq.shutil, "which", lambda _: None)
    coq.installed.cache_clear()
    try:
        assert typed(monkeypatch, "prove", "softmax-sum-one", "--check-with", "coq", "--lang", "en") == 2
    finally:
        coq.installed.cache_clear()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "apt-get install coq" in said.err


# --- somebody's own derivation ---------------------------------------------------------------------------------

OWN: dict[str, str] = {
    "number": "let x : real\nsuppose x != 1\nclaim (x^2 - 1)/(x - 1) = x + 1\nproof\n"
    "  (x^2 - 1)/(x - 1)\n  = (x - 1)*(x + 1)/(x - 1)\n  = x + 1\n",
    "tensor": "let n : size\nlet z : real[n]\nlet c : real\nclaim softmax(z + c) = softmax(z)\nproof\n"
    "  softmax(z + c)\n  = softmax(z)\n",
    "quantified": "let n : size\nlet z : real[n]\nsuppose z[j] > 0 for all j : index[n]\n"
    "claim sum(i = 1..n, ln(z[i]) - ln(z[i])) = 0\nproof\n  sum(i = 1..n, ln(z[i]) - ln(z[i]))\n  = 0\n",
    "dimension": "let n : size\nsuppose 3 <= n\nlet z : real[n - 3]\nlet i : index[n - 3]\n"
    "claim z[i] + z[i] = 2*z[i]\nproof\n  z[i] + z[i]\n  = 2*z[i]\n",
}  # fmt: skip


@needs_coq
@pytest.mark.parametrize("name", list(OWN))
def test_coq_accepts_a_derivation_that_is_no_theorem_of_the_library(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(OWN[name], encoding="utf-8")
    status = typed(monkeypatch, "verify", str(file), "--check-with", "coq", "--format", "json", "--lang", "en")
    said = json.loads(capsys.readouterr().out)
    assert (status, said["verdict"], said["coq"], said.get("why")) == (0, "proved", "accepted", None)


@pytest.mark.parametrize(
    ("outcome", "status", "text"),
    [
        (coq.CoqOutcome("derivation", "accepted"), 0, "Coq accepts the claim, each step and the values of each line."),
        (coq.CoqOutcome("derivation", "refused", "Error: so"), 1, "Coq refuses: Error: so"),
        (coq.CoqOutcome("derivation", "could-not-be-asked", "late"), 1, "Coq could not be asked: late"),
    ],
)
def test_what_coq_says_of_a_derivation_is_said_and_decides_the_exit_status(
    outcome: coq.CoqOutcome, status: int, text: str,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(coq, "installed", lambda: "8.16.1")
    monkeypatch.setattr(coq, "ask", lambda record, statement: outcome)
    file = tmp_path / "mine.txt"
    file.write_text(OWN["number"], encoding="utf-8")
    assert typed(monkeypatch, "verify", str(file), "--check-with", "coq", "--lang", "en") == status
    assert capsys.readouterr().out.splitlines()[-1] == text


def test_coq_is_not_asked_where_the_claim_is_not_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(coq, "installed", lambda: "8.16.1")
    file = tmp_path / "mine.txt"
    file.write_text(OWN["number"].replace("suppose x != 1\n", ""), encoding="utf-8")
    assert typed(monkeypatch, "verify", str(file), "--check-with", "coq", "--format", "json") == 1
    assert json.loads(capsys.readouterr().out)["coq"] == "not-asked"


# --- what Coq says ---------------------------------------------------------------------------------------------


@needs_coq
@pytest.mark.parametrize("name", ["masked-weight-zero"])
def test_theorems_are_accepted(name: str) -> None:
    (outcome,) = coq.check([asked(name)])
    assert (outcome.accepted, outcome.detail) == (True, None)


@needs_coq
def test_every_row_of_the_table_is_accepted() -> None:
    outcome = coq.check_axioms()
    assert (outcome.accepted, outcome.detail) == (True, None)


@needs_coq
@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Qed.", "Admitted.", "Admitted"),
        ("Lemma said_line_1 ", "Axiom cheat : forall p : Prop, p.\n\nLemma said_line_1 ", "Axiom"),
        ("softmax n z i.\nProof.", "softmax n z i + 1.\nProof.", "expected to have type"),
        ("(z : Z -> R) (c : R)", "(c : R) (z : Z -> R)", ""),
    ],
)
def test_a_file_that_does_not_prove_the_statement_is_refused(
    workshop: coq.Workshop, old: str, new: str, why: str
) -> None:
    t = theorem("softmax-shift-invariance")
    text = proof_of(t.name).text()
    start = text.index("Theorem ") if "Lemma" not in old and "Qed" not in old else 0
    changed = text[:start] + text[start:].replace(old, new, 1)
    assert changed != text
    refusal = workshop.theorem(t.name, changed, question(t.name, t.derivation.statement))
    assert refusal
    assert why in (refusal if isinstance(refusal, str) else str(refusal.params))


@needs_coq
def test_a_theorem_that_rests_on_an_axiom_of_its_own_is_refused_by_what_coq_lists(workshop: coq.Workshop) -> None:
    text = HEADER + "Axiom cheat : forall p : Prop, p.\nTheorem cheated : (1 = 2)%Z.\nProof. apply cheat. Qed.\n"
    (workshop.folder / "cheated.v").write_text(text, encoding="utf-8")
    assert not coq.compile_file(workshop.folder, "cheated").error
    asking = question("cheated", Statement((), (), eq(num(1), num(2))))
    (workshop.folder / "asked_cheated.v").write_text(asking, encoding="utf-8")
    assert not coq.compile_file(workshop.folder, "asked_cheated").error
    assert "cheat" in str(workshop.resting([("cheated", ())], coq.ALLOWED)["cheated"])


CORRUPTED = theorem("softmax-sum-one").result.text.replace("exp(z[i])", "exp(z[i] + 1)", 1)


def test_nothing_is_written_for_coq_of_a_theorem_that_is_not_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = LibraryTheorem(replace(theorem("softmax-sum-one").result, text=CORRUPTED))
    monkeypatch.setitem(theorems(), "softmax-sum-one", wrong)
    assert typed(monkeypatch, "prove", "softmax-sum-one", "--coq", str(tmp_path / "coq"), "--lang", "en") == 2
    assert "not proved" in capsys.readouterr().err
    assert not (tmp_path / "coq").exists()


@needs_coq
def test_of_a_theorem_that_is_not_proved_coq_can_not_be_asked() -> None:
    outcome = coq.ask_all([("softmax-sum-one", None)], whole=False).theorems["softmax-sum-one"]
    assert outcome.said == "could-not-be-asked"


@needs_coq
@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("(x + y)^2 = x^2 + 2*x*y + y^2", "(x + y)^2\n  = x*x + x*y + y*x + y*y"),
        ("2*x = y + 2*x - y", "x + x\n  = y - y + x + x"),
        ("x + y <= exp(x) - 1 + y", "y + x\n  <= y + exp(x) - 1  -- order"),
    ],
)
def test_a_chain_that_ends_beside_the_claim_is_accepted_whole(claim: str, lines: str) -> None:
    text = f"let x : real\nlet y : real\nclaim {claim}\nproof\n  {lines}\n"
    chain = LibraryTheorem(Result("beside", "", "", text)).chain
    (outcome,) = coq.check([coq.of_chain("beside", chain)])
    assert (outcome.said, outcome.detail) == ("accepted", None)


def test_the_writers_of_proofs_and_of_questions_share_no_printer() -> None:
    from derive.report.trusted import WRITERS, imports, writers_meet
    from proofs.coq import question as asking

    assert writers_meet() == ()
    both = set(imports(asking)) & set(imports(*WRITERS))
    assert {n for n in both if n.startswith("proofs.coq")} == {"proofs.coq.shared"}


@needs_coq
def test_the_control_run_comes_out_right(workshop: coq.Workshop) -> None:
    coq.control(workshop)


@needs_coq
def test_a_proof_that_takes_too_long_is_no_proof(workshop: coq.Workshop) -> None:
    (workshop.folder / "long.v").write_text("Goal True. do 100000000 idtac. exact I. Qed.\n", encoding="utf-8")
    assert coq.compile_file(workshop.folder, "long", seconds=0.5).late


def _known(*conditions: Term) -> list[Theorem]:
    return [kernel.assume(p) for p in conditions]


def _each_rule() -> Iterator[Theorem]:
    """At least one inference by each rule, with integers among reals where the rule allows it."""
    positive = kernel.axiom("exp-positive", {"x": x}, ())
    yield kernel.cut(positive, kernel.axiom("greater-not-equal", {"x": ZERO, "y": exp(x)}, _known(lt(ZERO, exp(x)))))
    yield kernel.congruence(add(exp(x), entry(u, n)), {1: kernel.congruence(entry(u, n), {1: kernel.assume(eq(n, m))})})
    yield kernel.congruence(mul(n, x), dict(enumerate(_known(eq(n, add(m, ONE)), eq(x, k)))))
    yield kernel.congruence(power(x, n), {1: kernel.assume(eq(n, num(2)))})
    body = kernel.ring(add(entry(u, i), entry(u, i)), mul(num(2), entry(u, i)), ())
    yield kernel.under(total(i, ONE, n, add(entry(u, i), entry(u, i))), body, (i,))
    yield kernel.under(comprehension((i,), add(entry(u, i), entry(u, i))), body, (i,))
    c = le(i, n)
    yield kernel.branch(
        when(c, x, y), kernel.ring(x, add(x, ZERO), ()), kernel.ring(y, mul(y, ONE), ())
    )  # fmt: skip
    for op in ("le", "lt", "eq", "ne"):
        c = relation(op, i, n)
        yield kernel.choose(when(c, x, y), kernel.assume(c))
        yield kernel.choose(when(c, x, n), kernel.assume(kernel.negation(c)))
    yield kernel.relate(kernel.assume(lt(ZERO, x)), {1: kernel.assume(eq(x, n))})
    yield kernel.relate(kernel.assume(ne(n, m)), {0: kernel.assume(eq(n, add(k, ONE)))})
    for p in (le(n, m), lt(x, y), eq(n, x), ne(n, m)):
        always = kernel.axiom("square-nonnegative", {"x": x}, ())
        yield kernel.cases(p, always, always)
    yield kernel.absurd(le(n, m), kernel.linear(le(ONE, ZERO), _known(lt(m, n), le(n, m)), (1, 1)))
    yield kernel.specialise(kernel.assume(lt(x, y)), {x: add(n, ONE), y: m})
    yield kernel.specialise(kernel.axiom("square-nonnegative", {"x": x}, ()), {x: sub(n, m)})
    yield kernel.generalise(kernel.assume(le(i, n)), i, ONE, n)
    yield kernel.at(kernel.assume(forall(i, ONE, n, lt(ZERO, entry(u, i)))), add(k, ONE), *_known(
        le(ONE, add(k, ONE)), le(add(k, ONE), n)))  # fmt: skip
    half = num(Fraction(1, 2))
    p = le(ZERO, mul(half, k))
    start = kernel.linear(le(ZERO, mul(half, ZERO)), (), ())
    step = kernel.linear(le(ZERO, mul(half, add(k, ONE))), _known(p), (1,))
    yield kernel.induction(p, k, ZERO, start, step)
    double = Definition("double", (x, n), mul(num(2), x, n))
    yield kernel.definition(apply(double, num(3), add(n, ONE)), ("double",))
    yield kernel.ring(mul(x, div(y, x)), y, _known(ne(x, ZERO)))
    yield kernel.ring(add(div(x, y), div(x, y)), mul(num(2), div(x, y)), ())
    yield kernel.ring(div(mul(exp(y), x), mul(exp(y), z)), div(x, z), _known(ne(z, ZERO), ne(exp(y), ZERO)))
    yield kernel.ring(mul(add(n, ONE), add(n, neg(ONE))), add(power(n, num(2)), neg(ONE)), ())
    yield kernel.ring(mul(num(Fraction(1, 3)), x), div(x, num(3)), ())
    yield kernel.linear(le(add(n, ONE), m), _known(lt(n, m)), (1,))
    yield kernel.linear(le(n, m), _known(lt(n, add(m, ONE))), (1,))
    yield kernel.linear(lt(ZERO, add(x, y)), _known(le(ZERO, x), lt(ZERO, y)), (1, 1))
    yield kernel.linear(le(ONE, mul(n, x)), _known(le(num(2), mul(x, n))), (1,))
    yield kernel.axiom("exp-multiple", {"n": num(3), "x": x}, ())
    yield kernel.axiom("sum-constant", {"a": ONE, "b": add(n, ONE), "x": m}, [kernel.linear(
        le(ONE, add(add(n, ONE), ONE)), _known(le(ONE, n)), (1,))])  # fmt: skip
    yield kernel.axiom("sum-shift", {"a": ONE, "b": n, "f": u, "k": neg(m)}, ())
    h = comprehension((i, k), mul(entry(u, i), entry(v, k)))
    yield kernel.axiom("sum-swap", {"a": ONE, "b": n, "c": ONE, "d": m, "h": h}, ())


@needs_coq
def test_each_rule_has_a_proof_that_coq_accepts(workshop: coq.Workshop) -> None:
    theorems_ = list(_each_rule())
    assert {t.rule for t in theorems_} | {"assume", "bound"} == {
        "assume", "cut", "congruence", "under", "branch", "choose", "relate", "cases", "absurd", "specialise",
        "generalise", "at", "induction", "definition", "ring", "linear", "bound", "axiom",
    }  # fmt: skip
    double = next(t for t in theorems_ if t.rule == "definition").conclusion.args[0].data
    assert isinstance(double, Definition)
    writer = Writer({double: "double"})
    inferences = Inferences(writer, {})
    parts = [HEADER, "Definition double (x : R) (n : Z) : R := 2 * x * IZR n.\n"]
    for j, t in enumerate(theorems_):
        parts += [lemma.text() for lemma in inferences.written(t, f"rule_{j}")]
    (workshop.folder / "rules.v").write_text("\n".join(parts), encoding="utf-8")
    assert coq.compile_file(workshop.folder, "rules").error == ""


@needs_coq
def test_corrupted_lemmas_and_dropped_hypotheses_are_refused(workshop: coq.Workshop) -> None:
    rng = random.Random(6)
    t = theorem("softmax-sum-one")
    coq_mutants.compiled(workshop.folder, t)
    made = coq_mutants.changed(t, 12, rng)
    true = Lemma("control", "forall n : Z, (n < n + 1)%Z", ("intro n.", "lia."))
    lemmas = [true, *(mutant.lemma for mutant in made), *coq_mutants.dropped(t)]
    accepted = coq_mutants.accepted(workshop.folder, lemmas, coq_mutants.opened([t.name]))
    assert "control" in accepted
    assert "without_1" not in accepted
    assert len(made) == 12
    for mutant in made:
        if mutant.lemma.name in accepted:
            assert coq_mutants.truth(sorted(mutant.of.hypotheses, key=repr), mutant.conclusion) == "true"
    assert sum(mutant.lemma.name not in accepted for mutant in made) >= 6


@needs_coq
def test_a_hypothesis_that_follows_from_the_others_is_told_from_one_that_is_needed(workshop: coq.Workshop) -> None:
    result = Result("redundant", "", "", (
        "let n : size\nlet i : index[n]\nlet x : real\nsuppose x != 0\nclaim x/x = 1\nproof\n  x/x\n  = 1  -- cancel\n"
    ))  # fmt: skip
    t = LibraryTheorem(result)
    coq_mutants.compiled(workshop.folder, t)
    lemmas = [without(t.name, t.derivation.statement, h) for h in t.derivation.statement.assumptions()]
    accepted = coq_mutants.accepted(workshop.folder, lemmas, coq_mutants.opened([t.name]))
    assert accepted == {"without_1"}  # 1 <= n follows from 1 <= i <= n; neither of these, nor x != 0, from the rest


@needs_interval
def test_bounds_are_proved_by_interval_arithmetic_and_false_ones_refused() -> None:
    fine = [
        lt(exp(num(Fraction(709599, 64000))), num(65520)),
        lt(num(65520), exp(num(Fraction(1109375, 100000)))),
        lt(exp(num(-104)), power(num(2), num(-150))),
        le(ln(num(2)), num(Fraction(7, 10))),
    ]  # fmt: skip
    outcome = coq.check_bounds(fine)
    assert (outcome.accepted, outcome.detail) == (True, None)
    assert not coq.check_bounds([*fine, lt(num(65520), exp(num(11)))]).accepted


def test_bounds_are_written_as_inequalities_of_reals() -> None:
    assert "Lemma bound_1 : ((exp (1)) < ((68) / (25)))." in bounds([lt(exp(num(1)), num(Fraction(68, 25)))], 120)
    assert "Lemma bound_1 : ((1) < (2))." in bounds([lt(num(1), num(2))], 120)


def test_the_prelude_assumes_nothing() -> None:
    assert coq.forbidden(prelude()) == []
    assert "Admitted" not in prelude()


def test_files_are_written_for_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(monkeypatch, "prove", "softmax-sum-one", "--coq", str(tmp_path / "coq")) == 0
    assert {p.name for p in (tmp_path / "coq").iterdir()} == {
        "prelude.v", "axioms.v", "logarithms.v", "softmax_sum_one.v", "asked_softmax_sum_one.v", "rests.v",
        "Makefile", "_CoqProject",
    }  # fmt: skip
    capsys.readouterr()


def test_declared_but_unused_ranges_stay_in_the_statement() -> None:
    statement = Statement((Declaration(n, "size"), Declaration(i, "index", n)), (), eq(i, i))
    assert "((1) <= n)%Z ->\n  ((1) <= i)%Z ->\n  (i <= n)%Z ->\n  (i = i)%Z" in question("a", statement)


# --- question and proof are written apart ----------------------------------------------------------------------------


def _slip(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A slip in the printer of proofs: the kernel's theorem, printed as something else."""
    if name == "addition for multiplication":
        real = writing._operation

        def operation(t: Term, write: Callable[[Term, int], str]) -> tuple[str, int]:
            return real(add(*t.args) if t.op == "mul" else t, write)

        monkeypatch.setattr(writing, "_operation", operation)
    elif name == "a lost bracket":
        monkeypatch.setattr(writing, "_PRODUCT", 60)
    else:
        before = Writer.proposition

        def weaker(self: Writer, p: Term, *more: Any, **named: Any) -> str:
            return before(self, relation("le", *p.args) if p.op == "eq" and not p.args[0].rank else p, *more, **named)

        monkeypatch.setattr(Writer, "proposition", weaker)


@needs_coq
@pytest.mark.parametrize("slip", ["addition for multiplication", "a lost bracket", "at most for equal"])
def test_a_slip_of_the_printer_of_proofs_is_no_answer_to_the_question(
    workshop: coq.Workshop, monkeypatch: pytest.MonkeyPatch, slip: str
) -> None:
    text = "let x : real\nlet y : real\nclaim 2*(x + y) = y*2 + 2*x\nproof\n  2*(x + y)\n  = 2*y + 2*x\n"
    slipped = coq.of_chain("slip", LibraryTheorem(Result("slip", "", "", text)).chain)
    right = slipped.question()
    assert workshop.theorem("slip", slipped.proof().text(), right) == ""
    _slip(monkeypatch, slip)
    assert slipped.question() == right
    assert workshop.theorem("slip", slipped.proof().text(), right)


# --- any chain, any names --------------------------------------------------------------------------------------------

FURTHER = {
    "the last line is not literally the claim's side": (
        "let x : real\nlet y : real\nclaim (x + y)^2 - x^2 = y*(2*x + y)\nproof\n  (x + y)^2 - x^2\n  = 2*x*y + y^2\n"
    ),
    "a chain from the right": (
        "let x : real\nlet y : real\nclaim y*(2*x + y) <= (x + y)^2\nproof\n  y*(2*x + y)\n  = (x + y)^2 - x^2\n"
        "  <= (x + y)^2\n"
    ),
    "numbers compared by bounds": "claim 0/sqrt(3 - exp(1)) = 0\nproof\n  0/sqrt(3 - exp(1))\n  = 0\n",
    "names that Coq has for itself": (
        "let line_1 : real\nlet Context : real\nlet Set1 : real\nlet exp_sum : real\nlet H1 : real\n"
        "claim line_1*(Context + Set1) + exp_sum*H1 = Context*line_1 + H1*exp_sum + Set1*line_1\nproof\n"
        "  line_1*(Context + Set1) + exp_sum*H1\n  = line_1*Context + line_1*Set1 + exp_sum*H1\n"
    ),
}  # fmt: skip


def _asked_of(text: str) -> coq.Asked:
    report = verify(read_derivation(text, signatures()), reason_names())
    assert report.verdict == "proved"
    made = coq.about("d", report.statement, report.record)
    assert made is not None
    return made


@needs_interval
def test_coq_accepts_chains_that_end_beside_the_claim_bounds_and_unusual_names() -> None:
    asked_ = [replace(_asked_of(text), name=f"d{k}") for k, text in enumerate(FURTHER.values())]
    assert [(o.said, o.detail) for o in coq.check(asked_)] == [("accepted", None)] * len(asked_)


@pytest.mark.parametrize("kind", list(FURTHER))
def test_lemmas_are_numbered_once_a_file(kind: str) -> None:
    names = [lemma.name for lemma in _asked_of(FURTHER[kind]).proof().lemmas]
    assert len(names) == len(set(names))


def test_a_theorem_of_something_else_is_never_asked_as_the_claim() -> None:
    other = kernel.ring(x, add(x, ZERO), ())
    statement = Statement((Declaration(x, "real"),), (), eq(x, mul(x, ONE)))
    assert coq.about("d", statement, [Established("claim", other.conclusion, other)]) is None
    for wrong in (other, kernel.assume(statement.claim)):
        made = coq.about("d", statement, [Established("claim", statement.claim, wrong)])
        assert made is not None
        with pytest.raises(Inexpressible):
            made.proof()
