"""A forward pass by hand: the values of the day, mpmath and NumPy beside the exact ones, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpf

from derive import numbers
from derive.attention import Forward, Matrix, Share, identity, product
from derive.errors import DeriveError
from derive.problems import answer_kinds
from derive.sheets.blocks import Chain, Figure, Formula, HeatMap, Message, Text
from derive.sheets.problems import Given, Solution
from derive.worked import attention as worked
from derive.worked import matrices
from derive.worked.attention import AttentionOutput, AttentionWeights, ForwardTrace, against_numpy, decimal_text
from derive.worked.matrices import Named, matrix_chain, row_chain, times
from derive.worked.steps import PUT_IN
from derive.errors import NotProved
from proofs.evaluate import decimal
from proofs.syntax.explicit import explicit_tensor
from proofs.syntax.to_latex import to_latex
from proofs.terms import Term, add, div, exp, mul, num, sqrt, sub, var

DAY = ((1, 0, 1, 0), (0, 2, 0, 1))
TRACE = ((1, 1, 0, 1), (2, 0, 2, 0), (0, 2, 2, 2))
MIX = ((1, 0, 0, 0), (0, 1, 0, 0), (1, 0, 1, 0), (0, 1, 0, 1))
UNEVEN = ((1, 0, -1, 2), (0, 3, 1, 1), (2, 1, 1, 0))
SKEW = ((1, 1, 0, 0), (0, 1, 0, 0), (0, 0, 2, 0), (0, 0, -1, 1))


def matrix(rows: Sequence[Sequence[int]]) -> Matrix:
    return tuple(tuple(map(Fraction, row)) for row in rows)


def layer(x: Any, h: int = 2, causal: bool = True, **w: Any) -> Forward:
    unit = identity(len(x[0]))
    q, k, v, o = (matrix(w[p]) if p in w else unit for p in "qkvo")
    return Forward(matrix(x), h, causal, q, k, v, o)


def with_mpmath(forward: Forward) -> tuple[list[Any], list[list[Any]]]:
    """Weights of every head and the output, to 40 digits, written without any of the code under test."""
    mp.dps = 40
    T, d, d_k = len(forward.x), len(forward.x[0]), len(forward.x[0]) // forward.h

    def times_(a: Any, b: Any) -> list[list[Any]]:
        return [[mp.fsum(row[m] * b[m][c] for m in range(len(b))) for c in range(len(b[0]))] for row in a]

    def real(m: Matrix) -> list[list[Any]]:
        return [[mpf(v.numerator) / v.denominator for v in row] for row in m]

    x = real(forward.x)
    q, k, v = (times_(x, real(w)) for w in (forward.w_q, forward.w_k, forward.w_v))
    weights, joined = [], [[mpf(0)] * d for _ in range(T)]
    for i in range(forward.h):
        columns = range(i * d_k, (i + 1) * d_k)
        head = []
        for t in range(T):
            seen = range(t + 1) if forward.causal else range(T)
            e = [mp.exp(mp.fsum(q[t][c] * k[s][c] for c in columns) / mp.sqrt(d_k)) for s in seen]
            row = [x / mp.fsum(e) for x in e] + [mpf(0)] * (T - len(e))
            head.append(row)
            for c in columns:
                joined[t][c] = mp.fsum(row[s] * v[s][c] for s in range(T))
        weights.append(head)
    return weights, times_(joined, real(forward.w_o))


def close(term: Term, value: Any) -> bool:
    shown = decimal(term, 30)
    assert shown is not None
    return abs(mpf(shown) - value) < mpf(10) ** -29


def given_of(x: Any, h: int, **more: Given) -> dict[str, Given]:
    return {"X": tuple(tuple(row) for row in x), "h": h, "causal": True, **more}


def chains(solved: Solution) -> list[Chain]:
    return [b for b in solved.worked if isinstance(b, Chain)]


def keys(solved: Solution) -> list[tuple[object, Text | None]]:
    return [(k.exact.term, k.decimal) for k in solved.key if isinstance(k.exact, Formula)]


# --- values ------------------------------------------------------------------------------------------------


def test_the_values_of_the_day() -> None:
    forward = layer(DAY)
    zero, one = forward.heads
    assert (zero.scores, one.scores) == (matrix(((1, 0), (0, 4))), matrix(((1, 0), (0, 1))))
    root = sqrt(num(2))
    e, f = exp(mul(num(2), root)), exp(div(num(1), root))
    assert [w.term for w in zero.weights[1]] == [div(num(1), add(num(1), e)), div(e, add(num(1), e))]
    assert [w.term for w in one.weights[1]] == [div(num(1), add(num(1), f)), div(f, add(num(1), f))]
    assert [w.term for w in zero.weights[0]] == [num(1), num(0)]
    assert [[decimal_text(x, 7) for x in row] for row in forward.output] == [
        ["1", "0", "1", "0"],
        ["0.0558072", "1.8883856", "0.3302385", "0.6697615"],
    ]
    assert decimal_text(zero.weights[1][1].term, 7) == "0.9441928"
    assert forward.output == forward.concatenated


CASES = [
    layer(DAY), layer(DAY, causal=False), layer(DAY, h=1), layer(DAY, h=4), layer(TRACE, o=MIX),
    layer(UNEVEN, q=SKEW, k=MIX, v=SKEW, o=MIX), layer(UNEVEN, causal=False, q=SKEW, v=MIX),
    layer(((1, 2),), h=1), layer(((0, 0), (0, 0)), h=2),
]  # fmt: skip


@pytest.mark.parametrize("forward", CASES)
def test_exact_weights_and_outputs_are_those_of_mpmath(forward: Forward) -> None:
    weights, output = with_mpmath(forward)
    for head, values in zip(forward.heads, weights, strict=True):
        for row, exact in zip(head.weights, values, strict=True):
            assert all(close(w.term, n) for w, n in zip(row, exact, strict=True))
    for line, exact in zip(forward.output, output, strict=True):
        assert all(close(x, n) for x, n in zip(line, exact, strict=True))
    assert against_numpy(forward) < 1e-13


@pytest.mark.parametrize("x", [DAY, TRACE, UNEVEN])
@pytest.mark.parametrize("causal", [True, False])
def test_with_unit_matrices_the_values_are_those_that_answers_are_judged_by(x: Any, causal: bool) -> None:
    forward = layer(x, causal=causal)
    given = {"X": [list(row) for row in x], "h": 2, "causal": causal}
    judged: Any = answer_kinds()["attention-output"].problem(given).right.value
    for row, right in zip(forward.output, judged.rows, strict=True):
        assert [decimal(a, 25) for a in row] == [decimal(b.term, 25) for b in right]
    for i, head in enumerate(forward.heads):
        judged = answer_kinds()["attention-weights"].problem({**given, "head": i}).right.value
        for shares, right in zip(head.weights, judged.rows, strict=True):
            assert [decimal(s.term, 25) for s in shares] == [decimal(b.term, 25) for b in right]


def test_shares_of_different_rows_do_not_add_up() -> None:
    a = Share((Fraction(0), Fraction(1)), (1, 1), 2, (Fraction(1), Fraction(0)))
    with pytest.raises(ValueError, match="different rows"):
        a + Share((Fraction(0), Fraction(2)), (1, 1), 2, (Fraction(1), Fraction(0)))


def test_a_share_of_equal_values_is_that_value() -> None:
    assert Share((Fraction(0), Fraction(1)), (2, 1), 2, (Fraction(6), Fraction(3))).term == num(3)


def test_the_product_of_matrices_by_hand() -> None:
    assert product(matrix(((1, 2), (3, 4))), matrix(((0, 1), (1, 0)))) == matrix(((2, 1), (4, 3)))


def test_decimals_are_rounded_and_short_ones_stay() -> None:
    assert decimal_text(num(Fraction(1, 4)), 7) == "0.25"
    assert decimal_text(num(100), 7) == "100"
    assert decimal_text(num(Fraction(-2, 3)), 4) == "−0.6667"
    assert decimal_text(div(num(1), add(num(1), exp(num(2)))), 7) == "0.1192029"


def test_a_decimal_is_not_rounded_twice() -> None:
    above = Fraction(12345, 10**5) + Fraction(1, 3 * 10**8)  # 0.1234500 to seven places, and more than half of a unit
    assert decimal_text(num(above), 7) == "0.1234500"
    assert decimal_text(num(above), 4) == "0.1235"


# --- chains ------------------------------------------------------------------------------------------------


def test_a_wrong_number_is_never_printed() -> None:
    q = Named.of("Q", [[num(1), num(0)], [num(0), num(2)]])
    right = [[num(1), num(0)], [num(0), num(4)]]
    assert len(matrix_chain(times(q, q), [(right, PUT_IN)]).lines) == 1
    with pytest.raises(NotProved):
        matrix_chain(times(q, q), [([[num(1), num(0)], [num(0), num(3)]], PUT_IN)])


def test_a_reason_that_does_not_prove_the_line_is_refused() -> None:
    e = exp(num(2))
    first, last = [div(e, mul(e, e))], [div(num(1), e)]
    assert row_chain(first, [(last, ("cancel",))]).lines
    with pytest.raises(NotProved):
        row_chain(first, [(last, ("definition",))])


def test_an_undefined_entry_is_refused() -> None:
    with pytest.raises(NotProved):
        row_chain([div(num(1), num(0))], [([div(num(1), num(0))], ())])
    with pytest.raises(NotProved):
        row_chain([mul(num(0), div(num(1), sub(var("x"), var("x"))))], [([num(0)], ())])


def test_what_the_second_verifier_or_numpy_does_not_confirm_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [([num(2)], ("arithmetic",))]
    assert row_chain([add(num(1), num(1))], steps).lines
    with monkeypatch.context() as patched:
        patched.setattr(matrices, "replays", lambda *args: False)
        with pytest.raises(NotProved):
            row_chain([add(num(1), num(1))], steps)
    with monkeypatch.context() as patched:
        patched.setattr(numbers, "in_float64", lambda t, model: 2.0 if t == num(2) else 3.0)
        with pytest.raises(NotProved):
            row_chain([add(num(1), num(1))], steps)


def test_lines_that_change_nothing_are_left_out() -> None:
    made = row_chain([add(num(1), num(1))], [([add(num(1), num(1))], ()), ([num(2)], ("arithmetic",))])
    assert len(made.lines) == 1


def test_entries_of_named_matrices_are_printed_with_brackets_where_a_name_has_an_index() -> None:
    w = Named.of("W_O", [[num(1), num(0)], [num(0), num(2)]])
    made = matrix_chain(times(w, w), [([[num(1), num(0)], [num(0), num(4)]], PUT_IN)])
    latex = to_latex(made.first.term)  # type: ignore[arg-type]
    assert "(W_{O})_{1,s}" in latex
    assert "}_{1,s}" not in latex.replace(")_{1,s}", "")


def test_exact_numbers_that_numpy_does_not_have_are_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    against_numpy(layer(DAY))
    wrong = layer(DAY)
    monkeypatch.setitem(wrong.__dict__, "output", layer(DAY, o=MIX).output)
    with pytest.raises(NotProved):
        against_numpy(wrong)


# --- on a sheet --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "row"), [(0, "(0.0558072, 0.9441928)"), (1, "(0.3302385, 0.6697615)")]
)  # fmt: skip
def test_weights_on_a_sheet(head: int, row: str) -> None:
    solved = AttentionWeights().solve(given_of(DAY, 2, head=head), 1)
    assert [d for _, d in keys(solved)] == [None, row]
    figure = next(b for b in solved.worked if isinstance(b, Figure))
    assert isinstance(figure.drawing, HeatMap)
    (panel,) = figure.drawing.panels
    assert panel.cells[0][1] is None
    assert panel.cells[1][1] is not None
    assert panel.cells[1][1].text == f"{float(row.split()[1][:-1]):.4f}"
    last = chains(solved)[3]
    assert [m.key for m in last.checked if isinstance(m, Message)] == ["checked.proof", "attention.checked"]


def test_output_on_a_sheet_has_every_entry_exactly() -> None:
    solved = AttentionOutput().solve(given_of(DAY, 2), 1)
    e, f = exp(mul(num(2), sqrt(num(2)))), exp(div(num(1), sqrt(num(2))))
    below = add(num(1), e), add(num(1), f)
    last = (div(num(1), below[0]), div(mul(num(2), e), below[0]), div(num(1), below[1]), div(f, below[1]))
    assert keys(solved) == [
        (explicit_tensor((num(1), num(0), num(1), num(0))), None),
        (explicit_tensor(last), "(0.0558072, 1.8883856, 0.3302385, 0.6697615)"),
    ]


def test_one_head_on_a_sheet_and_no_mask() -> None:
    given = {**given_of(DAY, 2, head=1), "causal": False}
    (first, second) = keys(AttentionOutput().solve(given, 1))
    assert first[1] == second[1][:1] + "0.6697615, 0.3302385)"  # type: ignore[index]
    assert second[1] == "(0.3302385, 0.6697615)"


def test_a_trace_with_projections_says_how_they_are_made() -> None:
    solved = ForwardTrace().solve(given_of(DAY, 2, W_Q=SKEW, W_O=MIX), 1)
    _, output = with_mpmath(layer(DAY, q=SKEW, o=MIX))
    found = [float(x) for _, d in keys(solved) if isinstance(d, str) for x in d.strip("()").split(", ")]
    exact = [float(x) for row in output for x in row]
    assert all(any(abs(x - y) <= 5.1e-8 for y in exact) for x in found)
    assert found


def test_a_long_row_of_the_key_is_given_entry_by_entry() -> None:
    rows = worked.key_rows(layer(TRACE, o=MIX).output, "attention.key-row")
    labels = [k.label.key for k in rows if isinstance(k.label, Message)]
    assert labels.count("attention.key-row-column") in (4, 8)
    assert "attention.key-row" in labels


REFUSALS: list[tuple[dict[str, Given], str]] = [
    (given_of(((1, 2),) * 5, 1), "attention-positions"),
    (given_of(((1, 2, 3),), 2), "heads-divide"),
    (given_of(DAY, 2, head=2), "head-range"),
    (given_of(DAY, 2, W_O=((1, 0), (0, 1))), "projection-shape"),
    (given_of(DAY, 2, W_Q=tuple((1, 0, 0) for _ in range(4))), "projection-shape"),
]


@pytest.mark.parametrize(("given", "code"), REFUSALS)
def test_what_can_not_be_worked_is_refused(given: dict[str, Given], code: str) -> None:
    assert not AttentionOutput().fits(given)
    with pytest.raises(DeriveError, match=code):
        AttentionOutput().solve(given, 1)


def test_which_head_is_meant_must_be_said_where_there_are_several() -> None:
    with pytest.raises(DeriveError, match="head-missing"):
        AttentionWeights().solve(given_of(DAY, 2), 1)
    assert len(keys(AttentionWeights().solve(given_of(DAY, 1), 1))) == 2
