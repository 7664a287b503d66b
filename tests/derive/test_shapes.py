"""Shapes: the day's table, real arrays, wrong orders that are refused, and views that scramble."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from derive.errors import DeriveError
from derive.problems import answer_kinds
from derive.shapes import (
    Axis, BatchedProduct, CausalMask, LayerSizes, Merge, Project, Scale, Shape, ShapeMismatch, Softmax, SwapAxes, View,
    direct_view, named, numbered, numpy_shapes, trace, wrong_orders,
)  # fmt: skip
from derive.sheets.blocks import Figure, Formula, Message, ShapeFlow, Table
from derive.worked import shapes as worked
from derive.worked.shapes import ASKED, MhaShape, ShapeTrace, ViewWithoutSwap
from derive.errors import NotProved
from proofs.syntax.explicit import explicit_tensor
from proofs.syntax.to_plain import to_plain
from proofs.terms import num

# The table of the day, by hand: (B, T, d_model) = (1, 2, 4), h = 2; and one with all lengths different.
DAY = {
    "input": (1, 2, 4), "projected": (1, 2, 4), "viewed": (1, 2, 2, 2), "heads": (1, 2, 2, 2), "scores": (1, 2, 2, 2),
    "weights": (1, 2, 2, 2), "context": (1, 2, 2, 2), "swapped-back": (1, 2, 2, 2), "concatenated": (1, 2, 4),
    "output": (1, 2, 4),
}  # fmt: skip
APART = {
    "input": (2, 5, 12), "projected": (2, 5, 12), "viewed": (2, 5, 4, 3), "heads": (2, 4, 5, 3), "scores": (2, 4, 5, 5),
    "weights": (2, 4, 5, 5), "context": (2, 4, 5, 3), "swapped-back": (2, 5, 4, 3), "concatenated": (2, 5, 12),
    "output": (2, 5, 12),
}  # fmt: skip
A = named()


def lengths(sizes: LayerSizes) -> dict[str, tuple[int, ...]]:
    return {s.stage: tuple(int(t.data) for t in s.sizes) for s in trace(numbered(sizes))}  # type: ignore[arg-type]


@pytest.mark.parametrize(("sizes", "table"), [(LayerSizes(1, 2, 4, 2), DAY), (LayerSizes(2, 5, 12, 4), APART)])
def test_the_trace_has_the_lengths_worked_out_by_hand(sizes: LayerSizes, table: dict[str, tuple[int, ...]]) -> None:
    assert lengths(sizes) == table
    assert dict(numpy_shapes(sizes)) == table


def test_the_trace_in_names_tells_apart_what_numbers_can_not() -> None:
    names = {s.stage: tuple(to_plain(t) for t in s.sizes) for s in trace(A)}
    assert names["viewed"] == ("B", "T", "h", "d_k") == names["swapped-back"]
    assert names["heads"] == ("B", "h", "T", "d_k") == names["context"]
    assert names["scores"] == ("B", "h", "T", "T") == names["weights"]
    assert {names[s] for s in ("input", "projected", "concatenated", "output")} == {("B", "T", "d_model")}


@settings(max_examples=25, deadline=None)
@drawn(*(st.integers(1, 4) for _ in range(4)))
def test_real_arrays_have_the_shapes_of_the_trace(B: int, T: int, h: int, d_k: int) -> None:
    sizes = LayerSizes(B, T, h * d_k, h)
    assert lengths(sizes) == dict(numpy_shapes(sizes))


# --- refusals ----------------------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], Shape], str, str | None, str | None]] = [
    (lambda: Project(A.d_model, A.split).shape((A.B, A.T, A.h, A.d_k)), "width", "d_k", "d_model"),
    (lambda: Project(A.d_model, A.split).shape(()), "width", None, "d_model"),
    (lambda: View((A.B, A.h, A.T, A.d_k)).shape((A.B, A.T, A.split)), "view", "T", "h"),
    (lambda: View((A.B, A.T, A.d_k, A.h)).shape((A.B, A.T, A.split)), "view", "h", "d_k"),
    (lambda: View((A.B, A.T, A.h, A.d_k)).shape((A.B, A.T, A.d_model)), "view", "d_model", "h"),
    (lambda: View((A.B, A.T)).shape((A.B, A.T, A.h)), "view", "h", None),
    (lambda: View((A.B, A.T, A.h)).shape((A.B, A.T)), "view", None, "h"),
    (lambda: SwapAxes("T", "h").shape((A.B, A.T, A.split)), "no-axis", None, "h"),
    (lambda: BatchedProduct().shape((A.B, A.T, A.h, A.d_k), (A.B, A.S, A.d_k, A.h)), "batch", "T", "S"),
    (lambda: BatchedProduct().shape((A.B, A.h, A.T, A.d_k), (A.h, A.d_k, A.S)), "batch", "B", "h"),
    (lambda: BatchedProduct().shape((A.B, A.h, A.T, A.d_k), (A.B, A.B, A.h, A.d_k, A.S)), "batch", "h", "B"),
    (lambda: BatchedProduct().shape((A.B, A.T, A.d_k), (A.B, A.h, A.d_k, A.S)), "batch", "h", None),
    (lambda: BatchedProduct().shape((A.B, A.h, A.T, A.d_k), (A.B, A.h, A.S, A.d_k)), "contracted", "d_k", "S"),
    (lambda: CausalMask("T", "S").shape((A.B, A.h, A.S, A.T)), "mask", "S", "T"),
    (lambda: CausalMask("T", "S").shape((A.B, A.h, A.T, Axis("S", num(3)))), "mask", "S", "T"),
    (lambda: Softmax("S").shape((A.B, A.h, A.S, A.T)), "softmax", "T", "S"),
    (lambda: Merge(A.joined).shape((A.B, A.h, A.T, A.d_v)), "merge", "T", "h"),
    (lambda: Merge(A.joined).shape((A.d_k,)), "merge", None, "h"),
]


@pytest.mark.parametrize(("way", "code", "found", "wanted"), REFUSED)
def test_what_does_not_fit_is_refused_with_its_axis(
    way: Callable[[], Shape], code: str, found: str | None, wanted: str | None
) -> None:
    with pytest.raises(ShapeMismatch) as refused:
        way()
    e = refused.value
    assert (e.code, e.found and e.found.name, e.wanted and e.wanted.name) == (code, found, wanted)


def test_an_axis_of_the_right_name_and_another_length_is_refused() -> None:
    with pytest.raises(ShapeMismatch, match="width"):
        Project(Axis("d_model", num(4)), A.split).shape((A.B, A.T, Axis("d_model", num(6))))


def test_scaling_keeps_the_shape() -> None:
    assert Scale().shape((A.B, A.h)) == (A.B, A.h)


def test_wrong_orders_are_refused_even_where_all_lengths_are_two() -> None:
    refused = wrong_orders(numbered(LayerSizes(1, 2, 4, 2)))
    axes = {k: (e.found and e.found.name, e.wanted and e.wanted.name) for k, e in refused.items()}
    assert axes == {
        "view-without-swap": ("T", "h"), "product-without-swap": ("T", "S"), "keys-not-transposed": ("d_k", "S"),
        "merge-without-swap": ("T", "h"),
    }  # fmt: skip


def test_heads_that_do_not_divide_the_width_are_refused() -> None:
    with pytest.raises(ShapeMismatch, match="width"):
        numbered(LayerSizes(1, 2, 5, 2))


@pytest.mark.parametrize("T", [2, 3])
@pytest.mark.parametrize("h", [2, 3])
@pytest.mark.parametrize("d_k", [2, 3])
def test_numpy_agrees_about_which_wrong_orders_go_through_by_numbers(T: int, h: int, d_k: int) -> None:
    q: Any = np.ones((1, T, h, d_k))
    swapped = q.swapaxes(1, 2)

    def product_without_swap() -> Any:
        scores = q @ q.swapaxes(-1, -2)
        return np.where(np.tril(np.ones((T, T), dtype=bool)), scores, -np.inf)

    ways: dict[str, Callable[[], Any]] = {
        "view-without-swap": lambda: q.reshape(1, T, h * d_k).reshape(1, h, T, d_k),
        "product-without-swap": product_without_swap,
        "keys-not-transposed": lambda: swapped @ swapped,
        "merge-without-swap": lambda: swapped.reshape(1, T, h * d_k),
    }
    fits = set()
    for name, way in ways.items():
        try:
            way()
        except ValueError:
            continue
        fits.add(name)
    assert worked._accepted_by_numbers(LayerSizes(1, T, h * d_k, h)) == fits


# --- a view without a swap ---------------------------------------------------------------------------------


def test_a_direct_view_runs_through_the_columns_first() -> None:
    made = direct_view(2, 2, 2)
    assert made.array == ((11, 12, 13, 14), (21, 22, 23, 24))
    assert made.right == (((11, 12), (21, 22)), ((13, 14), (23, 24)))
    assert made.direct == (((11, 12), (13, 14)), ((21, 22), (23, 24)))
    assert made.differing == 4


@pytest.mark.parametrize(("T", "h", "d_k"), [(2, 2, 1), (3, 2, 2), (2, 3, 4), (6, 4, 4)])
def test_both_views_are_those_of_numpy_and_differ(T: int, h: int, d_k: int) -> None:
    made = direct_view(T, h, d_k)
    x: Any = np.array(made.array)
    assert np.array_equal(x.reshape(T, h, d_k).swapaxes(0, 1), np.array(made.right))
    assert np.array_equal(x.reshape(h, T, d_k), np.array(made.direct))
    assert made.differing == int((np.array(made.right) != np.array(made.direct)).sum()) > 0


@pytest.mark.parametrize(("T", "h"), [(1, 3), (3, 1)])
def test_with_one_head_or_one_position_the_views_agree(T: int, h: int) -> None:
    made = direct_view(T, h, 2)
    assert made.right == made.direct
    assert made.differing == 0


# --- on a sheet --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ASKED)
def test_the_key_of_a_sheet_is_what_answers_are_judged_by(at: str) -> None:
    given = {"B": 2, "T": 5, "d_model": 12, "h": 4, "at": at}
    (entry,) = MhaShape().solve(given, 1).key
    assert isinstance(entry.exact, Formula)
    assert entry.exact.term == explicit_tensor(tuple(map(num, APART[at])))
    right = answer_kinds()["mha-shape"].problem(given).right.value
    assert [to_plain(x.term) for x in right.items] == [str(n) for n in APART[at]]  # type: ignore[union-attr]


def test_the_trace_on_a_sheet_has_a_table_a_drawing_and_the_trap() -> None:
    solved = ShapeTrace().solve({"B": 1, "T": 2, "d_model": 4, "h": 2}, 1)
    table = next(b for b in solved.worked if isinstance(b, Table))
    assert len(table.rows) == 10
    figure = next(b for b in solved.worked if isinstance(b, Figure))
    assert isinstance(figure.drawing, ShapeFlow)
    assert [tuple(a.length for a in s.axes) for s in figure.drawing.steps] == list(DAY.values())
    entries = {k.exact.term for k in solved.key if isinstance(k.exact, Formula)}
    assert entries == {explicit_tensor(tuple(map(num, shape))) for shape in ((1, 2, 4), (1, 2, 2, 2))}


def test_large_layers_are_compared_at_smaller_sizes_and_say_so() -> None:
    sizes = LayerSizes(32, 128, 768, 12)
    assert worked.compared_sizes(sizes) == LayerSizes(2, 5, 12, 3)
    (said,) = worked.checked(sizes).texts
    assert isinstance(said, Message)
    assert said.key == "shapes.checked-smaller"
    (said,) = worked.checked(LayerSizes(1, 2, 4, 2)).texts
    assert isinstance(said, Message)
    assert said.key == "shapes.checked"


def test_heads_that_do_not_divide_the_width_are_an_error_of_the_manifest() -> None:
    given = {"B": 1, "T": 2, "d_model": 5, "h": 2}
    assert not ShapeTrace().fits(given)
    with pytest.raises(DeriveError, match="heads-divide"):
        ShapeTrace().solve(given, 1)


def test_the_view_on_a_sheet_answers_with_both_heads() -> None:
    solved = ViewWithoutSwap().solve({"T": 2, "h": 2, "d_k": 2}, 1)
    assert [k.exact for k in solved.key] == ["[[11, 12], [21, 22]]", "[[11, 12], [13, 14]]"]


def test_shapes_that_numpy_does_not_have_are_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worked, "numpy_shapes", lambda sizes: {**DAY, "scores": (1, 2, 2, 3)})
    with pytest.raises(NotProved):
        worked.traced(LayerSizes(1, 2, 4, 2))


def test_shapes_that_answers_are_not_judged_by_are_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = dict(worked._judged())
    monkeypatch.setattr(worked, "_judged", lambda: {**judged, "heads": ("B", "T", "h", "d_k")})
    with pytest.raises(NotProved):
        worked.traced(LayerSizes(1, 2, 4, 2))
