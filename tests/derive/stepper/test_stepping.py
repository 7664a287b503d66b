"""Stepping: what can be stepped through, what changes from line to line, why, and what a learner types instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from derive.errors import DeriveError
from derive.library import CODES, theorems
from derive.sheets.prose import LANGUAGES, catalogue
from derive.stepper.instance import Instance, SettingError, begin, filled, ties
from derive.stepper.lemmas import case_of, related
from derive.stepper.plain import marked_plain
from derive.stepper.predict import predict
from derive.stepper.quiz import questions
from derive.stepper.subjects import Subject, subject
from derive.stepper.why import Condition, Origin, equation, why
from proofs.context import Context
from proofs.evaluate import holds
from proofs.justify import prove
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, add, mul, neg, num, relation, sub, var

SHIFT = "softmax-shift-invariance"


def shift() -> Subject:
    return subject(SHIFT)


def marks(text: str, stretches: tuple[tuple[int, int], ...]) -> list[str]:
    return [text[a:b] for a, b in stretches]


# --- what can be stepped through ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(theorems()))
def test_every_theorem_has_steps_with_a_theorem_and_words_for_each_reason(name: str) -> None:
    steps = subject(name).steps
    assert steps[0].before is None
    for before, step in pairwise(steps):
        assert step.before == before.term
        assert step.theorem is not None
        assert step.theorem.conclusion == relation(step.relation or "", before.term, step.term)
        assert step.reasons
        assert set(step.reasons) <= set(CODES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_has_a_sentence(lang: str) -> None:
    for code in CODES:
        assert f"stepper.rule.{code.replace(' ', '-')}" in catalogue("zh" if lang == "zh" else "en")


def test_an_exercise_is_found_by_its_full_name_and_by_its_number() -> None:
    assert subject("day45:45-04.1a").name == subject("45-04.1a").name == "day45:45-04.1a"
    assert to_plain(subject("45-04.1a").steps[-1].term) == "4194304"


def test_an_exercise_may_have_several_derivations() -> None:
    found = subject("45-04.3")
    assert [s.chain for s in found.steps if s.before is None] == [0, 1]
    assert to_plain(found.steps[-1].term) == "1"


@pytest.mark.parametrize(
    ("name", "code"), [("nothing", "no-step"), ("softmax-shift-invariant", "no-step-close"), ("45-04.2e", "no-chain")]
)
def test_what_can_not_be_stepped_through_is_named(name: str, code: str) -> None:
    with pytest.raises(DeriveError) as caught:
        subject(name)
    assert caught.value.code == code


# --- what changed ------------------------------------------------------------------------------------------


def test_the_changed_parts_are_marked_in_both_lines() -> None:
    step = shift().steps[3]
    assert step.before is not None
    before, after = marked_plain(step.before, step.marks_before), marked_plain(step.term, step.marks_after)
    assert marks(*before) == ["sum(j = 1..n, exp(z[j])*exp(-c))"]
    assert marks(*after) == ["(exp(-c)*sum(j = 1..n, exp(z[j])))"]


def test_a_marked_summand_is_marked_with_its_sign() -> None:
    a, b, c = (var(x) for x in "abc")
    assert marks(*marked_plain(add(a, neg(b), c), frozenset({(1,)}))) == ["- b"]
    assert marks(*marked_plain(add(a, mul(b, c)), frozenset({(1,)}))) in (["b*c"], ["+ b*c"])


@pytest.mark.parametrize("name", sorted(theorems()))
def test_marks_leave_the_text_as_it_is(name: str) -> None:
    for step in subject(name).steps:
        text, stretches = marked_plain(step.term, step.marks_after)
        assert text == to_plain(step.term)
        assert all(0 <= a < b <= len(text) for a, b in stretches)
        assert all(piece.count("(") == piece.count(")") for piece in marks(text, stretches))


# --- numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(theorems()))
def test_an_instance_begins_where_all_assumptions_hold_and_every_line_has_its_value(name: str) -> None:
    found = subject(name)
    instance = begin(found.statement, found.stated)
    assert instance.broken == ()
    for step in found.steps:
        if step.before is not None and not step.term.rank:
            assert holds(relation(step.relation or "", step.before, step.term), instance.model) is not False
        assert all(v.sign for v in instance.show(step.term))


def at_first(name: str) -> Instance:
    found = subject(name)
    return begin(found.statement, found.stated)


def values(instance: Instance) -> dict[str, str]:
    return {d.name: text for d, text, _ in instance.listed()}


def test_the_instance_of_the_source_and_its_exact_value() -> None:
    instance = at_first(SHIFT)
    assert values(instance) == {"n": "3", "z": "[1, 2, 3]", "c": "3", "i": "1"}
    # 1/(1 + e + e^2) = 0.09003057317038046 (computed by hand calculator to 16 digits)
    assert [v.text for v in instance.show(shift().steps[0].term)] == ["0.0900305731704"]


def test_numbers_are_changed_as_they_are_typed() -> None:
    instance = at_first(SHIFT).with_settings("n = 4, c = -1/2； z = [0, 1, 2.5], z[2] = 7")
    assert values(instance) == {"n": "4", "z": f"[0, 7, 5/2, {filled(1, (4,), False)}]", "c": "-1/2", "i": "1"}


def test_an_index_stays_in_its_range_when_the_size_shrinks() -> None:
    instance = at_first(SHIFT).with_settings("i = 3").with_settings("n = 2")
    assert values(instance)["i"] == "2"


def test_what_a_hypothesis_ties_is_computed() -> None:
    found = subject("mha-parameter-count-square")
    assert [(str(t.variable.data), to_plain(t.term)) for t in ties(found.statement)] == [("d", "h*d_k"), ("d_v", "d/h")]
    instance = at_first("mha-parameter-count-square").with_settings("h = 3, d_k = 5")
    assert (values(instance)["d"], values(instance)["d_v"], instance.broken) == ("15", "5", ())
    assert [v.text for v in instance.show(found.steps[0].term)] == ["900"]  # 4 * 15^2


def test_entries_that_must_agree_are_copied() -> None:
    instance = at_first("masked-head-causality").with_settings("t = 1, Q_1 = [[9, 8], [7, 6], [5, 4]]")
    table = {str(v.data): t for v, t in instance.tables.items()}["Q_2"]
    assert (table[1, 1], table[1, 2]) == (9, 8)
    assert table[2, 1] != 7
    assert instance.broken == ()


def test_a_hypothesis_that_does_not_hold_is_named() -> None:
    instance = at_first("masked-weight-zero").with_settings("t = 2, s = 1")
    assert list(map(to_plain, instance.broken)) == ["t < s"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("n =", "unreadable"), ("n", "unreadable"), ("z = [1, 2", "unreadable"), ("n = 1/0", "unreadable"),
        ("q = 1", "unknown"), ("n = 1/2", "not-whole"), ("n = 0", "too-small"), ("i = 4", "out-of-range"),
        ("z = 3", "axes"), ("z[1,2] = 3", "axes"), ("z = [[1]]", "axes"), ("c = [1]", "not-a-tensor"),
        ("c[1] = 1", "not-a-tensor"), ("n = 5000", "too-many"), ("n = 99999999", "too-big"),
        ("c = " + "9" * 31, "too-long"), ("c = 1, " * 1000, "too-long"), ("z = " + "[" * 50, "unreadable"),
    ],
)  # fmt: skip
def test_numbers_that_can_not_be_are_refused_with_a_sentence(text: str, code: str) -> None:
    with pytest.raises(SettingError) as caught:
        at_first(SHIFT).with_settings(text)
    assert caught.value.code == code
    for lang in LANGUAGES:
        assert catalogue(lang).plain(f"stepper.set-{code}", **caught.value.params)


def test_a_tied_name_can_not_be_set() -> None:
    with pytest.raises(SettingError, match="tied"):
        at_first("mha-parameter-count-square").with_settings("d = 8")


def test_a_line_without_a_value_says_why() -> None:
    x = var("x")
    instance = Instance(shift().statement, {"c": Fraction(0)}, {})
    c = next(d.variable for d in shift().statement.declarations if d.name == "c")
    assert [(v.kind, v.text) for v in instance.show(relation("eq", x, x).args[0])] == [("none", "too-large")]
    from proofs.terms import div

    assert [v.text for v in instance.show(div(num(1), c))] == ["division-by-zero"]


# --- why ---------------------------------------------------------------------------------------------------


def conditions(name: str, line: int, code: str) -> dict[str, Condition]:
    found = subject(name)
    rules = why(found.steps[line], found.statement).rules
    return {to_plain(c.proposition): c for r in rules if r.code == code for c in r.conditions}


def said(o: Origin) -> tuple[str, str]:
    return o.kind, "" if o.term is None else to_plain(o.term)


def test_cancelling_names_what_is_not_zero_and_why() -> None:
    found = conditions(SHIFT, 4, "cancel")
    assert set(found) == {"exp(-c) != 0", "sum(j = 1..n, exp(z[j])) != 0"}
    assert list(map(said, found["exp(-c) != 0"].origins)) == [("row", "0 < exp(x)")]
    assert list(map(said, found["sum(j = 1..n, exp(z[j])) != 0"].origins)) == [
        ("row", "0 < sum(i = a..b, f[i])"),
        ("row", "0 < exp(x)"),
        ("declared", "1 <= n"),
    ]


def test_a_supposed_condition_is_told_from_a_declared_one() -> None:
    found = conditions("masked-weight-zero", 1, "condition")
    assert list(map(said, found["t < s"].origins)) == [("supposed", "t < s")]


def test_a_rule_shows_its_row_and_a_definition_what_it_says() -> None:
    found = why(shift().steps[3], shift().statement)
    assert [to_plain(r.conclusion) for r in found.rules[0].rows] == ["sum(i = a..b, x*f[i]) = x*sum(i = a..b, f[i])"]
    first = why(shift().steps[1], shift().statement)
    assert list(map(to_plain, first.rules[0].definitions)) == ["softmax(z)[i] = exp(z[i])/sum(j = 1..n, exp(z[j]))"]


def test_a_line_rests_on_what_its_theorem_uses() -> None:
    found = subject("mha-parameter-count-square")
    assert list(map(to_plain, why(found.steps[2], found.statement).rests_on)) == ["h*d_k = d", "h*d_v = d"]
    assert why(found.steps[3], found.statement).rests_on == ()


@pytest.mark.parametrize("name", sorted(theorems()))
def test_every_condition_of_a_line_can_be_printed_without_a_name_of_the_search(name: str) -> None:
    found = subject(name)
    for step in found.steps:
        for rule in why(step, found.statement).rules:
            shown = [c.proposition for c in rule.conditions]
            shown += [o.term for c in rule.conditions for o in c.origins if o.term is not None]
            assert not any("!" in to_plain(t).replace("!=", "") for t in shown)


def test_a_definition_with_no_comprehension_is_an_equation_of_tensors() -> None:
    from derive.definitions import signatures

    assert to_plain(equation(signatures()["layer"].definition)).startswith("layer(X, ")


# --- lemmas ------------------------------------------------------------------------------------------------


def test_what_a_claim_is_a_case_of_comes_with_values() -> None:
    found = {
        r.theorem.name: r for r in related(subject("softmax-maximum-shift"), subject("softmax-maximum-shift").steps[0])
    }
    general = found[SHIFT]
    assert general.kind == "general"
    assert [(to_plain(v), to_plain(x)) for v, x in general.values if v != x] == [("c", "max(k = 1..n, z[k])")]
    back = {r.theorem.name: r.kind for r in related(shift(), shift().steps[0])}
    assert back["softmax-maximum-shift"] == "case"
    assert SHIFT not in back


def test_a_step_that_a_theorem_makes_is_a_lemma() -> None:
    general = subject("softmax-sum-one").statement
    n, z, c = (next(d.variable for d in shift().statement.declarations if d.name == x) for x in ("n", "z", "c"))
    left = general.claim.args[0]
    step = replace(shift().steps[1], before=mul(c, left), term=mul(c, num(1)))
    found = {r.theorem.name: r for r in related(shift(), step)}["softmax-sum-one"]
    assert found.kind == "lemma"
    assert found.values == ((n, n), (z, z))
    assert case_of(general, relation("eq", left, num(2)), shift().statement) is None


def test_a_case_whose_assumptions_do_not_hold_is_none() -> None:
    """The entries of softmax need not sum to 1 where n is a mere integer: ``1 <= n`` is missing."""
    general = subject("softmax-sum-one").statement
    bare = replace(
        general, declarations=tuple(replace(d, kind="integer") for d in general.declarations if d.name == "n")
    )
    assert case_of(general, general.claim, general) is not None
    assert case_of(general, general.claim, bare) is None


# --- predict -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))", "proved"),
        ("= exp(z[i] - c) / sum(k = 1..n, exp(z[k] - c)) -- definition", "proved"),
        (r"= $\frac{e^{z_i - c}}{\sum_{j=1}^n e^{z_j - c}}$", "proved"),
        ("softmax(z)[i]", "proved"),
        ("exp(z[i]) / sum(j = 1..n, exp(z[j])) -- definition", "wrong-reason"),
        ("exp(z[i] - c) / sum(j = 1..n, exp(z[j]))", "refuted"),
        ("exp(z[i", "unreadable"), ("", "unreadable"), ("proof", "unreadable"), ("claim 0 = 0", "unreadable"),
        ("# nothing", "unreadable"), ("<= 3", "unreadable"), ("z", "unreadable"),
    ],
)  # fmt: skip
def test_a_typed_line_gets_its_verdict(typed: str, verdict: str) -> None:
    assert predict(shift(), shift().steps[1], typed).verdict.verdict == verdict


def test_the_same_line_is_told_from_a_later_and_from_another_one() -> None:
    found = shift()
    same = predict(found, found.steps[1], "exp(z[i] - c) / sum(k = 1..n, exp(z[k] - c))")
    later = predict(found, found.steps[1], "exp(z[i])/sum(j = 1..n, exp(z[j]))")
    other = predict(found, found.steps[1], "exp(z[i])*exp(-c)/sum(j = 1..n, exp(z[j] - c))")
    assert (same.same, same.later) == (True, 0)
    assert (later.same, later.later) == (False, 4)
    assert (other.verdict.verdict, other.same, other.later) == ("proved", False, 0)


def test_the_place_of_a_fault_is_that_in_what_was_typed() -> None:
    assert predict(shift(), shift().steps[1], "exp(q)").column == 4
    assert predict(shift(), shift().steps[1], "= exp(q)").column == 6


def test_the_line_of_an_exercise_is_judged_too() -> None:
    found = subject("45-04.1a")
    assert predict(found, found.steps[-1], "4,194,304".replace(",", "")).same
    assert predict(found, found.steps[-1], "4194305").verdict.verdict == "refuted"


def test_the_first_line_can_not_be_predicted() -> None:
    with pytest.raises(ValueError, match="first line"):
        predict(shift(), shift().steps[0], "1")


# --- the quiz ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [SHIFT, "softmax-sum-one", "mha-parameter-count-square", "masked-weights-sum-one"])
def test_one_option_is_right_and_every_other_is_certainly_wrong(name: str) -> None:
    found = subject(name)
    ctx = Context(found.statement.assumptions())
    for step in found.steps[1:]:
        assert step.before is not None
        asked = questions(found, step)
        goal = relation(step.relation or "", step.before, step.term)
        assert [o.codes for o in asked.reasons if o.right] == [step.reasons]
        assert len({frozenset(o.codes) for o in asked.reasons}) == len(asked.reasons)
        for option in asked.reasons:
            if not option.right and step.reasons != ("arithmetic",):
                assert prove(goal, ctx, [c for c in option.codes if c != "arithmetic"]) is None
        assert [o.term for o in asked.lines if o.right] in ([], [step.term])
        for line in asked.lines:
            if not line.right:
                assert line.against is not None
                wrong = relation(step.relation or "", step.before, line.term)
                assert prove(wrong, ctx) is None


def test_questions_are_the_same_each_time() -> None:
    assert questions(shift(), shift().steps[2]) == questions(shift(), shift().steps[2])


def test_slips_never_are_the_line_itself() -> None:
    from derive.stepper.quiz import slips

    check: Callable[[Term], bool] = lambda t: all(s != t for s in slips(t, shift().statement))  # noqa: E731
    assert check(sub(var("x"), num(1)))
    for step in shift().steps:
        assert re.search(r"\w", to_plain(step.term))
