"""Tensors written out by entries, and what can be read off a term about its dimensions."""

from __future__ import annotations

import pytest

from proofs.syntax.environment import dimensions
from proofs.syntax.explicit import MAX_LENGTH, as_explicit, explicit_dimensions, explicit_tensor
from proofs.terms import Term, apply, comprehension, entry, exp, num, relation, var, when
from tests.proofs.syntax.reading import ENV, I_, J, N, M, SOFTMAX, Z, A, read

ONE, TWO, THREE = num(1), num(2), num(3)


def test_a_vector_is_a_choice_by_index() -> None:
    choice = when(relation("eq", I_, ONE), num(500), num(502))
    assert explicit_tensor([num(500), num(502)]) == comprehension([I_], choice)
    assert read("[500, 502]") == read("(500, 502)") == explicit_tensor([num(500), num(502)])


def test_softmax_of_a_list_has_its_length() -> None:
    assert read("softmax([500, 502])") == apply(SOFTMAX, TWO, explicit_tensor([num(500), num(502)]))


@pytest.mark.parametrize(
    ("values", "dims"),
    [
        ([ONE], (1,)),
        ([ONE, ONE], (2,)),
        ([ONE, TWO, exp(ONE)], (3,)),
        ([[ONE, TWO], [THREE, ONE]], (2, 2)),
        ([[ONE, TWO, THREE]], (1, 3)),
        ([[ONE], [TWO], [THREE]], (3, 1)),
        ([[[ONE, TWO]], [[TWO, ONE]]], (2, 1, 2)),
    ],
)
def test_what_is_written_out_is_recognised(values: list[Term], dims: tuple[int, ...]) -> None:
    def frozen(v: object) -> object:
        return tuple(map(frozen, v)) if isinstance(v, list) else v

    made = explicit_tensor(values)
    assert as_explicit(made, dims) == frozen(values)
    assert explicit_dimensions(made) == dims
    assert dimensions(made, ENV) == tuple(map(num, dims))


def test_the_entries_of_a_list_may_be_any_terms() -> None:
    i = var("i", "integer")
    assert as_explicit(explicit_tensor([entry(Z, i), num(0)]), (2,)) == (entry(Z, i), num(0))


@pytest.mark.parametrize("text", ["z - c", "exp(z)", "softmax(z)", "z", "if(i = 1, z, u)"])
def test_other_tensors_are_not_taken_for_lists(text: str) -> None:
    assert as_explicit(read(text), (2,)) is None
    assert explicit_dimensions(read(text)) is None


def test_a_list_of_another_length_is_not_recognised() -> None:
    made = explicit_tensor([ONE, TWO])
    assert as_explicit(made, (3,)) is None
    assert as_explicit(made, (2, 2)) is None


@pytest.mark.parametrize("values", [[], [[ONE], [ONE, TWO]], [ONE, [TWO]], [ONE] * (MAX_LENGTH + 1)])
def test_ragged_empty_and_long_lists_are_refused(values: list[Term]) -> None:
    with pytest.raises(ValueError, match="rows"):
        explicit_tensor(values)


@pytest.mark.parametrize(
    ("text", "dims"),
    [
        ("n", ()),
        ("z", (N,)),
        ("A", (N, M)),
        ("z - c", (N,)),
        ("2*A", (N, M)),
        ("softmax(z - c)", (N,)),
        ("softmax([1, 2, 3])", (THREE,)),
        ("row_sums(A)", (N,)),
        ("exp(row_sums(A)) - 1", (N,)),
        ("[1, 2]", (TWO,)),
        ("z[i]", ()),
        ("prefix(t, z)", ()),
    ],
)
def test_the_dimensions_of_a_term_are_read_off_it(text: str, dims: tuple[Term, ...]) -> None:
    assert dimensions(read(text), ENV) == dims


def test_dimensions_that_nothing_shows_are_unknown() -> None:
    assert dimensions(comprehension([I_, J], entry(A, I_, ONE)), ENV) is None
    assert dimensions(var("q", "real", 1), ENV) is None
