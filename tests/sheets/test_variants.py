"""Variants: drawn by seed from what a manifest offers, within the limits of the kind; same seed, same bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.errors import DeriveError
from derive.sheets.assemble import assemble
from derive.sheets.build import Wanted, build
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import MAX_SEED, read
from derive.sheets.problems import Field, Given, Kinds, Seed, Solution
from derive.sheets.ranges import Choose, NothingFits, Ranges, count, is_fixed, pick
from derive.worked import kinds
from tests.sheets.sample import KINDS, MANIFEST, same, write_manifest

PRINTER = TermPrinter()
OFFER = "given = { d_model = { choose = [512, 768, 1000] }, h = { choose = [8, 12, 16] } }"
VARIED = MANIFEST.replace("given = { d_model = 1024, h = 16 }", OFFER)
REAL = """
[sheet]
id = "real"
title = { zh = "变体", en = "Variants" }
seed = 7
[[exercise]]
id = "1a"
problem = "mha-parameters"
given = { d_model = { choose = [512, 768, 100] }, h = { choose = [8, 12, 16] }, bias = { choose = [true, false] } }
points = 2
[[exercise]]
id = "1b"
problem = "softmax"
given = { z = [{ from = 490, to = 498, step = 2 }, 502, { choose = [1.5, -2] }] }
points = 3
[[exercise]]
id = "1c"
problem = "proof"
given = { theorem = "softmax-shift-invariance" }
"""


class Divides:
    """A kind that wants `h` to divide `d_model`."""

    name = "divides"
    title = same("整除", "divides")
    fields: Mapping[str, Field] = {
        "d_model": Field("integer", low=1, high=10**6),
        "h": Field("integer", low=1, high=10**6),
        "z": Field("numbers", required=False, low=-9, high=9, longest=4),
        "x": Field("matrix", required=False, low=-9, high=9, longest=4),
    }

    def fits(self, given: Mapping[str, Given]) -> bool:
        d, h = given["d_model"], given["h"]
        return isinstance(d, int) and isinstance(h, int) and d % h == 0

    def solve(self, given: Mapping[str, Given], seed: int) -> Solution:
        raise AssertionError("not asked for here")


DIVIDES: Kinds = {"divides": Divides()}


def manifest(given: str) -> str:
    return f"""
[sheet]
id = "s"
title = {{ zh = "卷", en = "Sheet" }}
[[exercise]]
id = "1"
problem = "divides"
given = {given}
"""


def drawn(folder: Path, given: str, seed: int) -> Mapping[str, Given]:
    (asked,) = read(write_manifest(folder, manifest(given)), DIVIDES).exercises
    return asked.ranges.draw(seed)


def test_seeds_in_a_row_give_every_combination_that_fits(tmp_path: Path) -> None:
    offer = "{ d_model = { choose = [512, 768, 1000] }, h = { choose = [8, 12, 16] } }"
    found = [tuple(drawn(tmp_path, offer, seed).values()) for seed in range(12)]
    fitting = {(d, h) for d in (512, 768, 1000) for h in (8, 12, 16) if d % h == 0}
    assert set(found[:6]) == fitting
    assert len(fitting) == 6
    assert found[:6] == found[6:]


def test_entries_of_lists_and_matrices_can_be_chosen(tmp_path: Path) -> None:
    offer = "{ d_model = 4, h = 2, z = [{ choose = [1, 2.5] }, 3], x = [[{ from = -1, to = 1 }, 0], [0, 1]] }"
    found = [drawn(tmp_path, offer, seed) for seed in range(6)]
    assert {f["z"] for f in found} == {(Decimal(1), Decimal(3)), (Decimal("2.5"), Decimal(3))}
    assert {f["x"] for f in found} == {((Decimal(k), Decimal(0)), (Decimal(0), Decimal(1))) for k in (-1, 0, 1)}
    whole = "{ d_model = 4, h = 2, z = { choose = [[1, 2], [3]] } }"
    assert {drawn(tmp_path, whole, seed)["z"] for seed in (0, 1)} == {(Decimal(1), Decimal(2)), (Decimal(3),)}


def test_many_combinations_are_drawn_until_they_fit(tmp_path: Path) -> None:
    offer = "{ d_model = { from = 1, to = 1000 }, h = { from = 2, to = 60 } }"
    for seed in range(20):
        found = drawn(tmp_path, offer, seed)
        assert Divides().fits(found)
        assert found == drawn(tmp_path, offer, seed)


@pytest.mark.parametrize(
    ("given_", "code"),
    [
        ("{ d_model = { choose = [5, 7] }, h = { choose = [2, 3] } }", "nothing-fits"),
        ("{ d_model = 7, h = 1, z = { choose = [] } }", "manifest-nothing-offered"),
        ("{ d_model = { choose = 512 }, h = 1 }", "manifest-type"),
        ("{ d_model = { choose = [512, true] }, h = 1 }", "manifest-type"),
        ("{ d_model = { choose = [512, 10000000] }, h = 1 }", "manifest-range"),
        ("{ d_model = { chose = [512] }, h = 1 }", "manifest-unknown-key-close"),
        ("{ d_model = { choose = [512], other = 1 }, h = 1 }", "manifest-unknown-key"),
        ("{ d_model = { from = 5, to = 3 }, h = 1 }", "manifest-low"),
        ("{ d_model = { from = 5 }, h = 1 }", "manifest-missing"),
        ("{ d_model = { from = 0, to = 1 }, h = 1 }", "manifest-range"),
        ("{ d_model = { from = 1, to = 5000 }, h = 1 }", "manifest-too-many"),
        ("{ d_model = 4, h = 2, z = [{ choose = [10] }] }", "manifest-range"),
        ("{ d_model = 4, h = 2, z = [1, 2, 3, 4, { choose = [5] }] }", "manifest-length"),
        ("{ d_model = 4, h = 2, x = [[1, { choose = [1] }], [1]] }", "manifest-ragged"),
    ],
)
def test_an_offer_that_can_not_be_is_refused(tmp_path: Path, given_: str, code: str) -> None:
    with pytest.raises(DeriveError) as caught:
        drawn(tmp_path, given_, 0)
    assert caught.value.code == code
    assert "exercise 1" in str(caught.value.params["where"])


wishes = st.recursive(
    st.integers(0, 9), lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=4
).flatmap(
    lambda fixed: (
        st.just(fixed)
        | st.lists(st.just(fixed) | st.integers(), min_size=1, max_size=3).map(lambda v: Choose(tuple(v)))
    )
)


@given(st.lists(wishes, min_size=1, max_size=3).map(tuple))
def test_every_place_has_a_value_and_every_value_a_place(wish: tuple[object, ...]) -> None:
    found = [pick(wish, k) for k in range(count(wish))]  # type: ignore[arg-type]
    assert all(is_fixed(f) for f in found)
    with pytest.raises((IndexError, AssertionError)):
        assert pick(wish, count(wish)) not in found  # type: ignore[arg-type]


def test_nothing_to_choose_is_drawn_as_it_stands() -> None:
    assert Ranges({"a": 1, "b": (2, 3)}, lambda _: False, "x").draw(5) == {"a": 1, "b": (2, 3)}
    with pytest.raises(NothingFits):
        Ranges({"a": Choose((1, 2))}, lambda _: False, "x").draw(5)


def test_variants_are_named_and_each_page_says_its_seed(tmp_path: Path) -> None:
    wanted = Wanted(("md", "tex"), ("en",), ("student", "key"), seed=100, variants=3, out=tmp_path)
    written = build([write_manifest(tmp_path, REAL)], kinds(), PRINTER, wanted)
    names = {f"real-{e}-en-v0{k}.{f}" for e in ("student", "key") for k in (1, 2, 3) for f in ("md", "tex")}
    assert {p.name for p in written} == names
    for k in (1, 2, 3):
        for edition in ("student", "key"):
            assert f"Seed {99 + k}" in (tmp_path / f"real/real-{edition}-en-v0{k}.md").read_text(encoding="utf-8")


def test_the_key_belongs_to_its_variant(tmp_path: Path) -> None:
    wanted = Wanted(("md",), ("en",), ("student", "key"), seed=1, variants=8, out=tmp_path)
    build([write_manifest(tmp_path, REAL)], kinds(), PRINTER, wanted)
    seen = set()
    for k in range(1, 9):
        student = (tmp_path / f"real/real-student-en-v{k:02d}.md").read_text(encoding="utf-8")
        key = (tmp_path / f"real/real-key-en-v{k:02d}.md").read_text(encoding="utf-8")
        d, h = (int(x) for x in re.findall(r"d_\{\\mathrm\{model\}\} = (\d+)\$ and \$h = (\d+)", student)[0])
        bias = "biases included" in student
        assert d % h == 0
        assert f"{4 * d * d + (4 * d if bias else 0):,} ({'with' if bias else 'without'} biases)" in key
        seen.add((d, h, bias))
    assert len(seen) == 8


def test_the_same_seed_gives_the_same_bytes_with_other_variants_beside_it_or_not(tmp_path: Path) -> None:
    path = write_manifest(tmp_path, REAL)
    for name, k in (("one", 1), ("three", 3), ("again", 3)):
        build([path], kinds(), PRINTER, Wanted(("pdf", "html"), ("zh",), seed=5, variants=k, out=tmp_path / name))
    one, three, again = (
        {p.name: p.read_bytes() for p in (tmp_path / name / "real").iterdir()} for name in ("one", "three", "again")
    )
    assert three == again
    assert one.items() <= three.items()
    assert len({three[f"real-student-zh-v0{k}.pdf"] for k in (1, 2, 3)}) == 3


def test_without_variants_the_seed_draws_too(tmp_path: Path) -> None:
    asked = read(write_manifest(tmp_path, VARIED), KINDS)
    assert asked.exercises[0].given == asked.exercises[0].ranges.draw(45)
    sheets = [assemble(read(write_manifest(tmp_path, REAL), kinds()), kinds(), seed) for seed in (1, 2)]
    assert sheets[0].activities[0].exercises[0].key != sheets[1].activities[0].exercises[0].key


def test_a_general_theorem_is_checked_once_for_all_variants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from derive.library import LibraryTheorem

    checked = []
    check = LibraryTheorem.check

    def counted(self: LibraryTheorem, seed: int) -> object:
        checked.append(self.name)
        return check(self, seed)

    monkeypatch.setattr(LibraryTheorem, "check", counted)
    wanted = Wanted(("md",), ("en",), ("solutions",), seed=98765, variants=4, out=tmp_path)
    build([write_manifest(tmp_path, REAL)], kinds(), PRINTER, wanted)
    assert checked == ["softmax-shift-invariance"]


def test_seeds_end_somewhere(tmp_path: Path) -> None:
    wanted = Wanted(("md",), ("en",), ("student",), seed=MAX_SEED, variants=2, out=tmp_path)
    with pytest.raises(DeriveError) as caught:
        build([write_manifest(tmp_path, REAL)], kinds(), PRINTER, wanted)
    assert caught.value.code == "too-many-variants"
    assert not (tmp_path / "real").exists()


def test_a_seed_knows_what_variants_share() -> None:
    seed = Seed(7, 3)
    assert (seed, seed.general, seed + 1) == (7, 3, 8)
