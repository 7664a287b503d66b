"""Everything that is proved has a value, by theorems: the claim, each line, and what stands under binders in them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from derive.definitions import signatures
from derive.library import reason_names
from derive.missing import said, supposable
from proofs.context import Context
from proofs.defined import established, missing
from proofs.kernel import assume
from proofs.record import Established, accepted, certificate, replays
from proofs.replay import replay
from proofs.syntax.derivation import read_derivation
from proofs.syntax.to_plain import to_plain
from proofs.terms import ln, num, relation, var
from proofs.verify import Report, verify

VECTOR = "let n : size\nlet z : real[n]\nlet i : index[n]"
REALS = "let x : real\nlet y : real\nlet b : real"


def judged(header: str, claim: str, *lines: str) -> Report:
    chain = "\n".join(f"  {line}" for line in lines)
    return verify(read_derivation(f"{header}\nclaim {claim}\nproof\n{chain}\n", signatures()), reason_names())


# --- the claim ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "claim"),
    [
        ("let x : real", "0/x = 0"),
        ("", "1/0 - 1/0 + ln(-1)*0 = 0"),
        ("let x : real", "0*ln(x) = 0"),
        ("let x : real", "sqrt(x)*0 = 0"),
        ("let m : integer", "0*max(j = 1..m, j) = 0"),
        ("let z : real[3]", "0*z[4] = 0"),
        ("", "0*if(max(j = 2..1, j) <= 1, 1, 1) = 0"),
    ],
)
def test_a_claim_without_a_value_is_not_proved_by_lines_that_have_one(header: str, claim: str) -> None:
    report = judged(header, claim, "0", "= 0")
    assert [v.verdict for v in report.lines] == ["proved", "proved"]
    assert report.verdict == "needs"
    assert report.theorem is None
    assert report.missing


def test_a_claim_with_a_value_under_its_hypotheses_is_proved() -> None:
    assert judged("let x : real\nsuppose x != 0", "0/x = 0", "0", "= 0").verdict == "proved"


def test_a_false_claim_behind_true_lines_is_refuted() -> None:
    report = judged(REALS, "x + x = 3*x", "x + x", "= 2*x")
    assert [v.verdict for v in report.lines] == ["proved", "proved"]
    assert report.verdict == "refuted"
    assert report.counterexample is not None


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("3 + 4 <= 10", ["3 + 4", "= 7"]),
        ("3 + 4 < 10", ["3 + 4", "= 7"]),
        ("7 <= 5 + 5", ["5 + 5", "= 10"]),
        ("x + x <= 2*x + 1", ["x + x", "= 2*x"]),
    ],
)
def test_what_arithmetic_settles_is_settled(claim: str, lines: list[str]) -> None:
    assert judged(REALS, claim, *lines).verdict == "proved"


@pytest.mark.parametrize(("claim", "lines"), [("3 + 4 < 7", ["3 + 4", "= 7"]), ("3 + 4 = 8", ["3 + 4", "= 7"])])
def test_what_arithmetic_refutes_is_refuted(claim: str, lines: list[str]) -> None:
    assert judged(REALS, claim, *lines).verdict == "refuted"


# --- under binders ----------------------------------------------------------------------------------------------


def test_a_vector_needs_its_condition_for_every_entry() -> None:
    report = judged("let n : size\nlet z : real[n]", "ln(z) - ln(z) + 0/z = 0*z", "ln(z) - ln(z) + 0/z", "= 0*z")
    assert report.verdict == "needs"
    assert [to_plain(p) for p in supposable(report.lines[0].missing)] == ["0 < z[i] for all i : index[n]"]


def test_a_sum_needs_its_condition_for_every_index() -> None:
    report = judged(VECTOR, "sum(j = 1..n, 0/z[j]) = 0", "sum(j = 1..n, 0/z[j])", "= 0")
    assert [to_plain(p) for p in supposable(report.lines[0].missing)] == ["z[j] != 0 for all j : index[n]"]


def test_an_argument_needs_a_value_though_the_definition_does_not_use_it() -> None:
    report = judged("let d : size\nlet x : real[d]", "entries(d, max(j = 2..1, 1)) = 0", "0", "= 0")
    assert report.verdict in ("needs", "refuted")


# --- entries --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "line", "never"),
    [
        ("let z : real[3]", "z[4]", True),
        ("let z : real[3]", "z[0]", True),
        ("let z : real[3]", "softmax(z)[4]", True),
        ("let n : size\nlet z : real[n]", "sum(j = 0..n - 1, z[j])", True),
        ("let n : size\nlet z : real[n]", "sum(j = 1..n + 1, z[j])", True),
        ("let n : size\nlet z : real[n]", "max(j = 0..n, z[j])", True),
        ("let n : size\nlet z : real[n]", "z[n + 1]", True),
        (VECTOR, "z[i + 1]", False),
        (VECTOR, "z[i - 1]", False),
        ("let n : size\nlet m : size\nlet z : real[n]", "sum(j = 1..m, z[j])", False),
        ("let n : size\nlet m : size\nlet A : real[n, m]\nlet i : index[n]", "A[i, i]", False),
        ("", "(1, 2, 3)[4]", True),
    ],
)
def test_an_entry_has_a_value_only_within_the_dimensions(header: str, line: str, never: bool) -> None:
    report = judged(header, f"0*{line} = 0", f"0*{line}", "= 0")
    assert report.lines[0].verdict == "needs"
    (found, *_) = report.lines[0].missing
    assert found.never is never
    assert found.index is not None
    assert found.upper is not None
    for lang in ("zh", "en"):
        assert to_plain(found.index) in said(report.lines[0].missing, lang)  # type: ignore[arg-type]
        assert to_plain(found.upper) in said(report.lines[0].missing, lang)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("header", "line"),
    [
        (VECTOR, "z[n + 1 - i]"),
        (VECTOR, "sum(j = i..n, z[j])"),
        (VECTOR, "sum(j = 1..n - 1, z[j + 1])"),
        (VECTOR, "sum(j = 1..n, if(j < n, z[j + 1], 0))"),
        ("let n : size\nlet z : real[n + 1]\nlet i : index[n]", "z[i + 1]"),
        ("let n : size\nlet z : real[n - 3]\nlet i : index[n - 3]", "z[i]*n/n"),
        ("let z : real[3]", "sum(z)"),
    ],
)
def test_an_entry_within_the_dimensions_has_a_value(header: str, line: str) -> None:
    assert judged(header, f"0*{line} = 0", f"0*{line}", "= 0").verdict == "proved"


def test_a_sum_from_zero_names_the_index_and_its_range() -> None:
    line = "exp(z[i])/sum(j = 0..n - 1, exp(z[j]))"
    report = judged(VECTOR, f"{line} = {line}", line, f"= {line}")
    assert report.lines[0].verdict == "needs"
    text = said(report.lines[0].missing, "en")
    assert "z[j]" in text
    assert "j = 0..n - 1" in text
    assert "1..n" in text


# --- advice ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("x != 0", "0*ln(max(x, -x))"),
        ("b != 1", "0/(b^2 - 2*b + 1)"),
        ("0 < x", "0/(x^2 + x)"),
        ("x != y", "0/(x^2 - 2*x*y + y^2)"),
        ("x != 0", "0/(x*y^2 + x)"),
    ],
)
def test_what_follows_from_the_hypotheses_is_not_asked_for(given: str, line: str) -> None:
    assert judged(f"{REALS}\nsuppose {given}", f"{line} = 0", line, "= 0").verdict == "proved"


@pytest.mark.parametrize(
    ("header", "line"),
    [
        (VECTOR, "if(n < i, 1/0, 0)"),
        (VECTOR, "if(i <= n, 0, ln(-1))"),
        (VECTOR, "sum(j = 1..n, if(j = n + 1, 1/0, 0))"),
        (VECTOR, "sum(j = n + 1..n, 1/0)"),
    ],
)
def test_a_place_that_is_never_reached_needs_nothing(header: str, line: str) -> None:
    assert judged(header, f"{line} = 0", line, "= 0").verdict == "proved"


@pytest.mark.parametrize(
    "line", ["1/0", "ln(-1)", "ln(x)*ln(-x)", "1/(x - x)", "sqrt(-1 - x^2)", "ln(0*x)", "1/ln(1)", "max(j = 2..1, x)"]
)
def test_a_condition_that_cannot_hold_is_never_advised(line: str) -> None:
    report = judged("let x : real", f"0*{line} = 0", f"0*({line})", "= 0")
    assert report.lines[0].verdict == "needs"
    assert supposable(report.lines[0].missing) == ()
    for lang in ("zh", "en"):
        assert "suppose" not in said(report.lines[0].missing, lang)  # type: ignore[arg-type]


def test_of_two_conditions_that_which_gives_the_other_is_named() -> None:
    report = judged("let x : real", "ln(x) + 0/x = ln(x)", "ln(x) + 0/x", "= ln(x)")
    assert [to_plain(p) for p in supposable(report.lines[0].missing)] == ["0 < x"]


# --- theorems, and the record ----------------------------------------------------------------------------------------


def test_the_record_holds_steps_values_and_claim_and_replays() -> None:
    report = judged(f"{VECTOR}\nsuppose 0 < z[k] for all k : index[n]", "ln(z[i]) + 0/z[i] = ln(z[i])",
                    "ln(z[i]) + 0/z[i]", "= ln(z[i])")  # fmt: skip
    names = [e.name for e in report.record]
    assert report.verdict == "proved"
    assert "claim" in names
    assert "line-1" in names
    assert [n for n in names if n.startswith("line-0-value")]
    assert [n for n in names if n.startswith("claim-value")]
    assert replays(report.record, report.statement)
    assert {shown.name for shown in replay(certificate(report.record))} == set(names)


def test_a_condition_under_a_sum_is_a_theorem_for_all_indices() -> None:
    statement = read_derivation(f"{VECTOR}\nclaim 0 = 0\nproof\n  0\n  = 0", signatures()).statement
    term = read_derivation(
        f"{VECTOR}\nclaim sum(j = 1..n, 1/exp(z[j])) = 0\nproof\n  0\n  = 0", signatures()
    ).statement.claim.args[0]
    (found,) = established("it", term, Context.of(statement))
    assert to_plain(found.asked) == "exp(z[j]) != 0 for all j : index[n]" or found.asked.op == "forall"
    assert found.path == ()


def test_a_condition_in_a_branch_keeps_what_holds_there() -> None:
    report = judged(f"{VECTOR}\nlet t : index[n]", "sum(j = 1..n, if(j < t, 0*z[j + 1], 0)) = 0",
                    "sum(j = 1..n, if(j < t, 0*z[j + 1], 0))", "= 0")  # fmt: skip
    assert report.verdict == "proved"
    assert any(e.path for e in report.record)
    assert replays(report.record, report.statement)


def test_a_record_that_supposes_more_than_was_granted_is_refused() -> None:
    report = judged("let x : real\nsuppose x != 0", "0/x = 0", "0/x", "= 0")
    x = var("x")
    own = Established("claim-value-9", relation("lt", num(0), x), assume(relation("lt", num(0), x)))
    assert not replays((*report.record, own), report.statement)
    assert "claim-value-9" not in accepted((*report.record, own), report.statement)


def test_a_record_that_answers_another_question_is_refused() -> None:
    report = judged("let x : real\nsuppose x != 0", "0/x = 0", "0/x", "= 0")
    moved = tuple(
        replace(e, asked=relation("eq", ln(var("x")), num(0))) if e.name == "claim" else e for e in report.record
    )
    assert accepted(moved, report.statement) == {e.name for e in report.record} - {"claim"}


def test_a_line_whose_record_is_refused_is_not_called_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    import proofs.verify as module

    monkeypatch.setattr(
        module, "accepted", lambda record, statement: frozenset(e.name for e in record if e.name != "line-1")
    )
    report = judged("let x : real", "x + x = 2*x", "x + x", "= 2*x")
    assert report.lines[1].verdict == "unknown"
    assert report.verdict == "unknown"
    assert report.theorem is None


def test_nothing_missing_means_a_theorem_for_each_condition() -> None:
    x = var("x")
    ctx = Context((relation("lt", num(0), x),))
    assert missing(ln(x), ctx) == []
    assert missing(ln(x), Context(())) != []


def test_a_line_is_not_proved_where_a_condition_is_lost_on_the_way_to_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import proofs.defined as module

    found = module.conditions
    monkeypatch.setattr(module, "conditions", lambda t, ctx: [replace(c, theorem=None) for c in found(t, ctx)])
    report = judged("let x : real\nsuppose 0 < x", "0/x = 0", "0/x", "= 0")
    assert report.verdict == "unknown"
    assert report.theorem is None
    assert not report.record
