"""A build that is killed, or has no room, or is not alone, leaves whole documents with their own pictures."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import derive.cli
import derive.writing
from derive.errors import DeriveError
from derive.sheets import build
from derive.sheets.build import write
from derive.writing import HIDDEN, write_all, write_file
from tests.sheets.power_cut import (
    MANIFEST,
    Files,
    Put,
    at_once,
    faults,
    files_of,
    forked,
    full_disks,
    kill_after_each_operation,
    kill_commands,
    kill_writers,
    power_cuts,
    put,
    small_disk,
    version,
)

Versions = tuple[Files, Files]


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Versions:
    folder = tmp_path_factory.mktemp("versions")
    return version(folder, 2, ("tex", "md")), version(folder, 3, ("tex", "md"))


@pytest.fixture
def draw() -> random.Random:
    return random.Random(6)


def test_two_versions_differ_in_every_document_and_picture(versions: Versions) -> None:
    old, new = versions
    assert len(old) == 8
    assert {p for p in old if "/figures/" not in p} == {p for p in new if "/figures/" not in p}
    assert all(new.get(path) != content for path, content in old.items())


# --- kills and power cuts ----------------------------------------------------------------------------------


def test_a_kill_at_a_random_moment_leaves_whole_documents(
    versions: Versions, tmp_path: Path, draw: random.Random
) -> None:
    tally = kill_writers(tmp_path, versions, 12, 1, draw)
    assert (tally.tried, tally.wrong) == (12, [])
    assert tally.halfway > 0


def test_a_kill_beside_another_build_leaves_whole_documents(
    versions: Versions, tmp_path: Path, draw: random.Random
) -> None:
    assert kill_writers(tmp_path, versions, 12, 2, draw).wrong == []


def test_a_kill_after_any_operation_leaves_whole_documents(versions: Versions, tmp_path: Path) -> None:
    tally = kill_after_each_operation(tmp_path / "out", *versions, every=5)
    assert tally.wrong == []
    assert tally.halfway > 5
    assert kill_after_each_operation(tmp_path / "out", {}, versions[1], every=5).wrong == []


def test_a_kill_of_the_command_leaves_whole_documents(versions: Versions, tmp_path: Path, draw: random.Random) -> None:
    tally = kill_commands(tmp_path, versions, 1, draw, "tex,md")
    assert (tally.tried, tally.wrong) == (1, [])


def test_a_power_cut_after_any_operation_leaves_whole_documents(
    versions: Versions, tmp_path: Path, draw: random.Random
) -> None:
    tally = power_cuts(tmp_path / "out", *versions, 10, draw)
    assert tally.wrong == []
    assert tally.halfway > 100
    assert power_cuts(tmp_path / "first", {}, versions[1], 10, draw).wrong == []


def careless(out: Path, files: Files) -> None:
    for path, content in files.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(content)


def unsure(beside: Path, file: derive.writing._File) -> None:
    """Write a draft without bringing it to the disk."""
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    os.write(descriptor, file.content)
    os.close(descriptor)


def without(name: str, monkeypatch: pytest.MonkeyPatch) -> Put:
    """`put` with one thing left out."""
    if name == "drafts":
        return careless
    if name == "order":
        monkeypatch.setattr(build, "write_all", lambda *stages, finish: write_all(*reversed(stages), finish=finish))
    elif name == "stages":
        monkeypatch.setattr(build, "write_all", lambda a, b, finish: write_all({**a, **b}, finish=finish))
    elif name == "folders":
        monkeypatch.setattr(derive.writing, "_sync", lambda folder: None)
    else:
        monkeypatch.setattr(derive.writing, "_write", unsure)
    return put


@pytest.mark.parametrize("name", ["drafts", "order", "stages", "folders", "files"])
def test_the_model_of_a_disk_sees_what_is_left_out(
    name: str, versions: Versions, tmp_path: Path, draw: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    careless_put = without(name, monkeypatch)
    out = tmp_path / "out"
    if name == "drafts":  # what is written by streams passes the model by
        put(out, versions[0])
        careless(out, {path: content[: len(content) // 2] for path, content in versions[1].items()})
        assert faults(files_of(out), versions, versions[0])
    else:
        assert power_cuts(out, *versions, 10, draw, careless_put).wrong


# --- builds at once ----------------------------------------------------------------------------------------


def test_builds_at_once_leave_the_files_of_one_of_them(versions: Versions, tmp_path: Path) -> None:
    assert at_once(tmp_path, versions, 6).wrong == []


def test_without_the_lock_they_mix(versions: Versions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derive.writing, "_lock", lambda descriptor, folder: False)
    assert at_once(tmp_path, versions, 6).wrong


def test_a_build_keeps_the_pictures_of_documents_that_it_does_not_write(versions: Versions, tmp_path: Path) -> None:
    old, new = versions
    put(tmp_path, old)
    put(tmp_path, {path: content for path, content in new.items() if path.endswith((".md", ".svg"))})
    expected = {p: c for p, c in new.items() if p.endswith((".md", ".svg"))}
    expected |= {p: c for p, c in old.items() if p.endswith((".tex", ".pdf"))}
    assert files_of(tmp_path) == expected


def test_a_picture_that_was_changed_or_put_there_by_hand_is_kept(versions: Versions, tmp_path: Path) -> None:
    old, new = versions
    put(tmp_path, old)
    changed = next(tmp_path / p for p in old if p.endswith(".svg"))
    changed.write_bytes(b"changed by hand")
    own = changed.with_name("own-picture-en.svg")
    own.write_bytes(b"own")
    put(tmp_path, new)
    assert set(files_of(tmp_path)) == {*new, *(p.relative_to(tmp_path).as_posix() for p in (changed, own))}


def test_a_writer_that_does_not_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derive.writing, "_PATIENCE", 0.1)
    with derive.writing._locked(tmp_path, []) as held:
        assert held
        with pytest.raises(DeriveError) as caught:
            write_all({tmp_path / "a": b"x"})
    assert (caught.value.code, caught.value.params["path"]) == ("out-busy", str(tmp_path))
    write_all({tmp_path / "a": b"x"})
    assert (tmp_path / "a").read_bytes() == b"x"


# --- a full disk -------------------------------------------------------------------------------------------


def run(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["derive", *arguments])
    return derive.cli.main()


@pytest.fixture
def limit(tmp_path: Path) -> Callable[[str], None]:
    """Sets the size of a small disk, ``tmp_path/disk``."""
    disk = small_disk(tmp_path / "disk")
    try:
        resize = disk.__enter__()
    except PermissionError as error:
        pytest.skip(f"no small file system can be mounted here: {error}")
    yield resize  # type: ignore[misc]
    disk.__exit__(None, None, None)


def test_a_disk_with_too_little_room_keeps_the_old_documents(versions: Versions, tmp_path: Path) -> None:
    try:
        tally = full_disks(tmp_path / "over", *versions)
    except PermissionError as error:
        pytest.skip(f"no small file system can be mounted here: {error}")
    assert tally.wrong == []
    assert tally.halfway > 20
    assert full_disks(tmp_path / "first", {}, versions[1]).wrong == []


def test_a_file_that_may_not_grow_keeps_the_old_documents(versions: Versions, tmp_path: Path) -> None:
    import resource

    old, new = versions
    put(tmp_path, old)

    def write_shortened() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))
        with pytest.raises(DeriveError) as caught:
            put(tmp_path, new)
        assert caught.value.code == "out-unwritable"
        assert any(str(tmp_path / path) == caught.value.params["path"] for path in new)

    assert os.waitpid(forked(write_shortened), 0)[1] == 0
    assert files_of(tmp_path) == old


@pytest.mark.parametrize(
    ("arguments", "file", "lang"),
    [
        (["build", "cut.toml", "--format", "md", "--out", "disk/out"], "cut-1-1-", "en"),
        (["prove", "softmax-sum-one", "--certificate", "disk/c"], "disk/c", "en"),
        (["prove", "softmax-sum-one", "--certificate", "disk/c"], "disk/c", "zh"),
        (["step", "softmax-sum-one", "--html", "disk/s.html"], "disk/s.html", "en"),
        (["step", "softmax-sum-one", "--save", "disk/s"], "disk/s", "en"),
        (["check", "key.toml", "--format", "json", "--out", "disk/k"], "disk/k", "en"),
    ],
)
def test_a_full_disk_is_one_line_and_status_2(
    arguments: list[str], file: str, lang: str, tmp_path: Path, limit: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "cut.toml").write_text(MANIFEST.format(t=2), encoding="utf-8")
    (tmp_path / "key.toml").write_text(
        '[[answer]]\nid = "1"\nproblem = "mha-parameters"\ngiven = { d_model = 8, h = 2 }\nanswer = "256"\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    limit("size=4096,nr_inodes=1000")
    (tmp_path / "disk" / "filler").write_bytes(bytes(4096))
    assert run([*arguments, "--lang", lang], monkeypatch) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert ("no room left on the disk" if lang == "en" else "磁盘空间不足") in said
    assert file in said
    assert [p.name for p in (tmp_path / "disk").iterdir()] == ["filler"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_finds_no_room_is_one_line_and_status_2(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "derive.cli", "judge", "--expected", "1", "--answer", "1", "--lang", "en"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=Path.cwd(), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("derive: can’t write to standard output")
    assert done.stderr.count("\n") == 1


# --- single files ------------------------------------------------------------------------------------------


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    (tmp_path / f".0123{HIDDEN}").write_bytes(b"half")
    (tmp_path / "other.part").write_bytes(b"not ours")
    write_all({tmp_path / "a": b"x"})
    assert files_of(tmp_path) == {"a": b"x", "other.part": b"not ours"}


def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to(Path("there") / "a")
    write_all({tmp_path / "link": b"new"})
    assert (tmp_path / "link").is_symlink()
    assert files_of(tmp_path / "there") == {"a": b"new"}


def test_a_pipe_is_neither_written_into_nor_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(DeriveError) as caught:
        write_all({pipe: b"x", tmp_path / "a": b"x"})
    assert (caught.value.code, caught.value.params["why"]) == ("out-unwritable", "Is a named pipe")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


def test_permissions_are_those_of_the_file_that_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o640)
    before = os.umask(0o027)
    try:
        write_all({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    finally:
        os.umask(before)
    assert [stat.S_IMODE((tmp_path / n).stat().st_mode) for n in "ab"] == [0o640, 0o640]
    (tmp_path / "a").chmod(0o600)
    write_all({tmp_path / "a": b"newer"})
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_a_single_file_goes_into_a_folder_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(DeriveError) as caught:
        write_file(tmp_path / "none" / "a", "x")
    assert (caught.value.code, caught.value.params["path"]) == ("out-unwritable", str(tmp_path / "none" / "a"))
    assert list(tmp_path.iterdir()) == []
    write_file(tmp_path / "a", "é")
    assert files_of(tmp_path) == {"a": b"\xc3\xa9"}


def test_a_folder_in_the_place_of_a_document_stops_everything(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(DeriveError) as caught:
        write({tmp_path / "a": b"x", tmp_path / "b": b"y"}, {tmp_path / "figures" / "p": b"z"})
    assert (caught.value.code, caught.value.params["path"]) == ("out-unwritable", str(tmp_path / "b"))
    assert [p.name for p in tmp_path.iterdir()] == ["b"]
