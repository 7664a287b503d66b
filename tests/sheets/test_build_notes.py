"""What `derive build` says besides: that it builds what is shipped, and that nothing varies."""

from __future__ import annotations

from pathlib import Path

import pytest

from derive.errors import DeriveError
from derive.sheets.assemble import assemble
from derive.sheets.manifest import read
from derive.worked import kinds
from tests.derive.answers.test_hostile import run

SHEET = """
[sheet]
id = "{name}"
title = {{ zh = "我的", en = "mine" }}
[[exercise]]
id = "1"
problem = "mha-head-dimension"
given = {{ d_model = {d_model}, h = 2 }}
"""
OPTIONS = ("--format", "md", "--edition", "key", "--lang", "en")


def built(folder: Path, *arguments: str) -> list[str]:
    done = run("build", *OPTIONS, *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


def manifest(path: Path, d_model: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SHEET.format(name=path.stem, d_model=d_model), encoding="utf-8")
    return path


def test_a_folder_without_manifests_builds_what_is_shipped_and_says_so(tmp_path: Path) -> None:
    first, second = built(tmp_path, "--out", "out")
    assert "no manifest in ./build" in first or "./build 里没有清单" in first
    assert "day45" in first
    assert "out/day45" in second


def test_own_manifests_are_built_without_a_word(tmp_path: Path) -> None:
    manifest(tmp_path / "build" / "mine.toml", "4")
    assert len(built(tmp_path)) == 1
    assert len(built(tmp_path, "build/mine.toml")) == 1


def test_variants_of_a_sheet_in_which_nothing_varies_are_remarked_on(tmp_path: Path) -> None:
    fixed, varied = manifest(tmp_path / "fixed.toml", "4"), manifest(tmp_path / "varied.toml", "{ choose = [4, 6] }")
    said = built(tmp_path, str(fixed), str(varied), "--variants", "2")
    assert [("fixed.toml" in line, "varied.toml" in line) for line in said[:1]] == [(True, False)]
    assert len(said) == 3
    assert (tmp_path / "build" / "out" / "fixed" / "fixed-key-en-v02.md").exists()
    assert len(built(tmp_path, str(varied), "--variants", "2")) == 1


def test_a_step_that_is_not_proved_for_unusual_values_is_one_line(tmp_path: Path) -> None:
    manifest = tmp_path / "digits.toml"
    manifest.write_text(
        '[sheet]\nid = "digits"\ntitle = { zh = "数", en = "Digits" }\n[[exercise]]\nid = "1"\n'
        'problem = "attention-output"\n'
        "given = { X = [[1, 0, 0.1428571428571428571428571429, 0], [0, 2, 0, 1]], h = 2 }\n",
        encoding="utf-8",
    )
    with pytest.raises(DeriveError) as refused:
        assemble(read(manifest, kinds()), kinds())
    assert refused.value.code == "step-not-proved"
    assert refused.value.params["where"] == "exercise 1"
