"""The sheet of a key: named by the key, in ./build, beside the key, or shipped; and the seed of a variant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from derive.answers.checking import check
from derive.keys import KeyRefused, load
from derive.sheets.assemble import assemble
from derive.sheets.blocks import Message
from derive.sheets.manifest import read
from derive.worked import kinds
from tests.derive.answers.test_hostile import run

SHEET = """
[sheet]
id = "mine"
title = {{ zh = "我的", en = "mine" }}
[[exercise]]
id = "1"
problem = "mha-parameters"
given = {{ d_model = {d_model}, h = 2 }}
"""
KEY = '{head}\n[[answer]]\nid = "a"\nexercise = "mine:1"\nanswer = "{answer}"\n'


def key(folder: Path, answer: str = "64", head: str = "") -> Path:
    path = folder / "key.toml"
    path.write_text(KEY.format(answer=answer, head=head), encoding="utf-8")
    return path


def sheet(path: Path, d_model: str = "4") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SHEET.format(d_model=d_model), encoding="utf-8")


def verdicts(path: Path) -> list[tuple[str, str]]:
    return [(a.verdict, a.code) for a in map(check, load(path).entries)]


def test_manifest_beside_the_key_is_found(tmp_path: Path) -> None:
    sheet(tmp_path / "anything.toml")
    assert verdicts(key(tmp_path)) == [("correct", "same")]


def test_manifest_that_the_key_names_is_found_from_the_folder_of_the_key(tmp_path: Path) -> None:
    sheet(tmp_path / "sheets" / "mine.toml")
    path = key(tmp_path, head='[key]\nsheet = "sheets/mine.toml"')
    assert verdicts(path) == [("correct", "same")]
    done = run("check", str(path), "--format", "json", cwd=tmp_path / "sheets")
    assert json.loads(done.stdout)["counts"]["correct"] == 1


def test_the_manifest_in_build_comes_before_the_one_beside_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet(tmp_path / "build" / "mine.toml", "4")
    sheet(tmp_path / "keys" / "mine.toml", "8")
    monkeypatch.chdir(tmp_path)
    assert verdicts(key(tmp_path / "keys"))[0][0] == "correct"
    assert verdicts(key(tmp_path / "keys", head='[key]\nsheet = "mine.toml"'))[0][0] == "wrong"


def test_manifest_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = run("check", str(key(tmp_path, head='[key]\nsheet = "mine.toml"')), "--lang", "en")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "derive: key.toml: there is no manifest mine.toml beside the key; sheet names a file from the key’s folder\n"
    )


@pytest.mark.parametrize(
    "name",
    ["/etc/mine.toml", "../mine.toml", "a/../../mine.toml", "~/mine.toml", "mine.json", "",
     "C:\\\\mine.toml", "x" * 500,
     "mine.toml\\u0000", "\\u202emine.toml"],
)  # fmt: skip
def test_manifest_outside_of_the_folder_of_the_key_is_refused(name: str, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    sheet(tmp_path / "mine.toml")
    with pytest.raises(KeyRefused) as refused:
        load(key(inside, head=f'[key]\nsheet = "{name}"'))
    assert refused.value.code == "sheet-path"


def test_link_that_leads_out_of_the_folder_of_the_key_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    sheet(tmp_path / "mine.toml")
    (inside / "mine.toml").symlink_to(tmp_path / "mine.toml")
    with pytest.raises(KeyRefused) as refused:
        load(key(inside, head='[key]\nsheet = "mine.toml"'))
    assert refused.value.code == "sheet-path"


def test_what_is_wrong_with_the_manifest_is_said_of_the_answer(tmp_path: Path) -> None:
    sheet(tmp_path / "mine.toml", "5")
    done = run("check", str(key(tmp_path)), "--lang", "en", "--format", "json")
    (answer,) = json.loads(done.stdout)["answers"]
    assert (done.returncode, answer["verdict"]) == (1, "unreadable")
    assert "h = 2 does not divide d_model = 5" in answer["why"]


def test_number_that_is_nearly_right_gets_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    path.write_text("id,exercise,part,answer\na,day45:45-03.rnge,float16,1\n", encoding="utf-8")
    (entry,) = load(path).entries
    assert entry.fault is not None
    assert (entry.fault.code, entry.fault.params["close"]) == ("entry.no-exercise-close", "day45:45-03.range")


def test_parts_can_be_named_in_a_table_with_commas(tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    path.write_text(
        'id,exercise,part,answer\na,day45:45-03.range-a,verdict,false\nb,day45:45-03.4,constant,-10000\n'
        'c,day45:45-01.2a,,64\n',
        encoding="utf-8",
    )  # fmt: skip
    assert verdicts(path) == [("correct", "same")] * 3


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_the_seed_of_a_variant_chooses_what_its_sheet_gives(seed: int, tmp_path: Path) -> None:
    sheet(tmp_path / "mine.toml", "{ choose = [4, 6, 8, 10] }")
    (activity,) = assemble(read(tmp_path / "mine.toml", kinds()), kinds(), seed).activities
    (entry,) = activity.exercises[0].key
    assert not isinstance(entry.exact, Message)
    assert verdicts(key(tmp_path, str(entry.exact), f"[key]\nseed = {seed}")) == [("correct", "same")]


@pytest.mark.parametrize("seed", ["-1", "1.5", "true", '"1"', "9223372036854775808"])
def test_seed_that_is_none_is_refused(seed: str, tmp_path: Path) -> None:
    with pytest.raises(KeyRefused) as refused:
        load(key(tmp_path, head=f"[key]\nseed = {seed}"))
    assert refused.value.code == "seed"
