"""A manifest is read strictly: whatever is not as the contract says is one clear error."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from derive.errors import DeriveError
from derive.sheets.manifest import given as check_given
from derive.sheets.manifest import load, read
from derive.sheets.problems import Field
from derive.sheets.prose import catalogue
from tests.sheets.sample import KINDS, MANIFEST, write_manifest

SMALL = """
[sheet]
id = "s"
title = { zh = "题", en = "T" }
[[exercise]]
id = "1.a"
problem = "count"
given = { d_model = 4, h = 2 }
"""


def refusal(folder: Path, text: str) -> DeriveError:
    with pytest.raises(DeriveError) as caught:
        read(write_manifest(folder, text), KINDS)
    for lang in ("zh", "en"):
        said = catalogue("zh" if lang == "zh" else "en").plain(f"errors.{caught.value.code}", **caught.value.params)
        assert "\n" not in said
        assert "sample.toml" in said
    return caught.value


def test_a_manifest_is_read_as_it_stands(tmp_path: Path) -> None:
    manifest = read(write_manifest(tmp_path), KINDS)
    assert (manifest.id, manifest.seed, len(manifest.exercises)) == ("sample", 45, 4)
    first = manifest.exercises[0]
    assert first.given == {"d_model": 1024, "h": 16, "bias": False}
    assert (first.id, first.points, first.space) == ("45-04.1a", 2, None)
    assert manifest.activities[0].declaration
    assert manifest.sources[0].verified == "2026-10-30"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('id = "s"', 'id = "s"\ncolour = 1', "manifest-unknown-key"),
        ('id = "s"', 'id = "s"\nsede = 1', "manifest-unknown-key-close"),
        ('id = "1.a"', 'id = "1.a"\npoint = 2', "manifest-unknown-key-close"),
        ("h = 2", "h = 2, heads = 2", "manifest-unknown-key"),
        ('problem = "count"', 'problem = "cuont"', "manifest-unknown-problem-close"),
        ('problem = "count"', 'problem = "zzz"', "manifest-unknown-problem"),
        ('problem = "count"', "problem = 3", "manifest-type"),
        ("d_model = 4", 'd_model = "4"', "manifest-type"),
        ("d_model = 4", "d_model = 4.0", "manifest-type"),
        ("d_model = 4", "d_model = true", "manifest-type"),
        ("d_model = 4", "d_model = 0", "manifest-range"),
        ("d_model = 4", "d_model = " + "9" * 300, "manifest-range"),
        ("d_model = 4, ", "", "manifest-missing"),
        ("h = 2", "h = 2, bias = 1", "manifest-type"),
        (', en = "T"', "", "manifest-missing"),
        ('{ zh = "题", en = "T" }', '"T"', "manifest-languages"),
        ('en = "T"', 'en = ""', "manifest-empty"),
        ('en = "T"', 'en = "a\\u0000b"', "manifest-character"),
        ('en = "T"', 'en = "a\\u202eb"', "manifest-character"),
        ('en = "T"', f'en = "{"a" * 2001}"', "manifest-too-long"),
        ('id = "s"', 'id = "../s"', "manifest-sheet-id"),
        ('id = "1.a"', 'id = "../1"', "manifest-id"),
        ('id = "s"', 'id = "s"\nseed = -1', "manifest-range"),
        ('id = "s"', 'id = "s"\nseed = true', "manifest-type"),
        ("[[exercise]]", "[exercise]", "manifest-type"),
        ("[sheet]", "[sheets]", "manifest-unknown-key-close"),
        ("[sheet]", "[sheet", "manifest-syntax"),
        ("[[exercise]]", '[[activity]]\nid = "9"\n[[exercise]]', "manifest-activity-empty"),
        ("[[exercise]]", '[[activity]]\nid = "1"\nmode = "group"\n[[exercise]]', "manifest-choice"),
    ],
)
def test_what_is_not_as_it_should_be_is_refused(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert old in SMALL
    assert refusal(tmp_path, SMALL.replace(old, new)).code == code


def test_two_exercises_of_one_number_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, SMALL + SMALL[SMALL.index("[[exercise]]") :]).code == "manifest-twice"


def test_too_many_exercises_are_refused(tmp_path: Path) -> None:
    one = SMALL[SMALL.index("[[exercise]]") :]
    assert refusal(tmp_path, SMALL + one * 500).code == "manifest-too-many"


def test_a_file_that_is_no_manifest_is_refused(tmp_path: Path) -> None:
    for name, content, code in (
        ("a.toml", b"\xff\xfe", "manifest-encoding"),
        ("b.toml", b"#" * 1_000_001, "manifest-too-large"),
        ("c.toml", b"x = [" * 5000, "manifest-syntax"),
        ("d.toml", b"a = " + b"9" * 5000, "manifest-syntax"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DeriveError) as caught:
            load(tmp_path / name)
        assert caught.value.code == code
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(DeriveError) as caught:
            load(path)
        assert caught.value.code == "manifest-unreadable"


def test_numbers_are_the_decimals_as_typed() -> None:
    fields = {"x": Field("number"), "v": Field("numbers", longest=3), "m": Field("matrix")}
    found = check_given("f", "g", {"x": Decimal("0.10"), "v": [1, Decimal("2.5")], "m": [[1, 0], [0, 2]]}, fields)
    assert str(found["x"]) == "0.10"
    assert found["v"] == (Decimal(1), Decimal("2.5"))
    assert found["m"] == ((1, 0), (0, 2))


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("x", Decimal("nan"), "manifest-finite"),
        ("x", Decimal("1e9999"), "manifest-digits"),
        ("x", 10**400, "manifest-digits"),
        ("v", [], "manifest-length"),
        ("v", [1, 2, 3, 4], "manifest-length"),
        ("v", [1, "2"], "manifest-type"),
        ("m", [[1, 2], [3]], "manifest-ragged"),
        ("m", [1, 2], "manifest-type"),
        ("m", [[]], "manifest-ragged"),
    ],
)
def test_given_values_that_can_not_be_are_refused(name: str, value: object, code: str) -> None:
    fields = {"x": Field("number", required=False), "v": Field("numbers", required=False, longest=3)}
    fields["m"] = Field("matrix", required=False)
    with pytest.raises(DeriveError) as caught:
        check_given("f", "g", {name: value}, fields)
    assert caught.value.code == code


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.decimals(),
    lambda x: st.lists(x) | st.dictionaries(st.text(), x),
)


@given(values)
def test_nothing_but_our_own_error_comes_from_given_values(value: object) -> None:
    for kind in KINDS.values():
        try:
            check_given("f", "g", value, kind.fields)
        except DeriveError as error:
            catalogue("en").plain(f"errors.{error.code}", **error.params)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.integers(0, len(MANIFEST) - 1), st.text(max_size=3))
def test_nothing_but_our_own_error_comes_from_a_damaged_manifest(tmp_path: Path, at: int, put: str) -> None:
    path = tmp_path / "damaged.toml"
    path.write_bytes((MANIFEST[:at] + put + MANIFEST[at + 1 :]).encode("utf-8", "surrogatepass"))
    try:
        read(path, KINDS)
    except DeriveError as error:
        catalogue("en").plain(f"errors.{error.code}", **error.params)
