"""Writing files: each is under its name whole or not at all, whenever the writing is cut off.

1. Who writes into a folder holds the lock on that folder, so that what two of them write does not mix.
2. Every file is first written beside its place, under a hidden name, and brought to the disk.
3. Then the files of a stage are renamed into their places and their folders brought to the disk, before the next stage.

A writer that was killed has lost its locks; its hidden files are removed by the next one in that folder.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from derive.errors import DeriveError
from derive.files import no_file

if sys.platform != "win32":
    import fcntl

HIDDEN = ".derive-part"  # how the name of a file ends that is still being written
_FULL = (errno.ENOSPC, errno.EDQUOT)
_NOT_FOR_FOLDERS = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
_ATTEMPTS = 10
_PATIENCE = 60.0  # seconds to wait for another writer


@dataclass(frozen=True, eq=False)
class _File:
    """A file that is to be written: its name as it was given, its place with links followed, its content."""

    name: Path
    place: Path
    content: bytes
    mode: int | None  # of the file that is there already


def write_all(*stages: Mapping[Path, bytes], finish: Callable[[], None] = lambda: None) -> None:
    """Write all files or none; no file of a stage appears before those of the stage before it are on the disk.

    `finish` is called when everything is written, still under the locks; not at all where there are no locks.

    Raises
    ------
    DeriveError
        ``disk-full``; ``out-busy`` if another writer does not come to its end; ``out-unwritable`` if a folder can't be
        made or a file can't be written. What was written for the purpose is removed again.
    """
    at = Path()  # what is being written, for errors that don't say
    made: list[Path] = []
    drafts: dict[_File, Path] = {}
    try:
        with ExitStack() as locks:
            wanted: list[list[_File]] = []
            for stage in stages:
                wanted.append([])
                for at, content in stage.items():
                    wanted[-1].append(_file(at, content))
            alone = True
            for at in sorted({f.place.parent for stage in wanted for f in stage}):
                if locks.enter_context(_locked(at, made)):
                    _remove_drafts(at)
                else:
                    alone = False
            for file in (f for stage in wanted for f in stage):
                at = file.name
                drafts[file] = file.place.with_name(f".{secrets.token_hex(8)}{HIDDEN}")
                _write(drafts[file], file)
            for files in wanted:
                for file in files:
                    at = file.name
                    drafts[file].replace(file.place)
                    del drafts[file]
                for at in sorted({f.place.parent for f in files}):
                    _sync(at)
            if alone:
                finish()
    except BaseException as error:
        for beside in drafts.values():
            with suppress(OSError):
                beside.unlink()
        for folder in reversed(made):
            with suppress(OSError):  # somebody else's file is in it
                folder.rmdir()
        if not isinstance(error, OSError):
            raise
        named = Path(error.filename) if isinstance(error.filename, str) else at
        path = str(at if named.name.endswith(HIDDEN) else named)
        if error.errno in _FULL:
            raise DeriveError("disk-full", path=path) from None
        raise DeriveError("out-unwritable", path=path, why=error.strerror or type(error).__name__) from None


def write_file(name: Path, text: str) -> None:
    """Write one file, as UTF-8, into a folder that is there.

    Raises
    ------
    DeriveError
        As `write_all` does.
    """
    if not name.parent.is_dir():
        raise DeriveError("out-unwritable", path=str(name), why=os.strerror(errno.ENOENT))
    write_all({name: text.encode()})


def _file(name: Path, content: bytes) -> _File:
    try:
        mode = name.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is None or stat.S_ISREG(mode):
        return _File(name, Path(os.path.realpath(name)), content, mode)
    raise OSError(errno.EINVAL, no_file(mode) or "Is no file", str(name))


def _write(beside: Path, file: _File) -> None:
    """Write a draft with the permissions of the file that it replaces, and bring it to the disk."""
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        left = memoryview(file.content)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if file.mode is not None:
        with suppress(OSError):  # a file system that has no permissions
            beside.chmod(stat.S_IMODE(file.mode))


@contextmanager
def _locked(folder: Path, made: list[Path]) -> Iterator[bool]:
    """Make a folder, adding to `made` what is new, and hold the lock on it; whether this system could lock it."""
    descriptor = -1
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            _make(folder, made)
            descriptor = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # removed by another writer that failed
            if attempt == _ATTEMPTS:
                raise
            continue
        except PermissionError:
            if folder.is_dir():
                break  # not readable, which a lock needs; still perhaps writable
            raise
        if not _lock(descriptor, folder):
            os.close(descriptor)
            descriptor = -1
            break
        with suppress(FileNotFoundError):
            if os.path.samestat(folder.stat(), os.fstat(descriptor)):
                break
        os.close(descriptor)  # the folder was replaced while the lock was waited for
        descriptor = -1
    try:
        yield descriptor != -1
    finally:
        if descriptor != -1:
            os.close(descriptor)


def _lock(descriptor: int, folder: Path) -> bool:
    """Wait for the lock on a folder, which ends with its holder; whether there are such locks here."""
    if sys.platform == "win32":
        return False
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                os.close(descriptor)
                raise DeriveError("out-busy", path=str(folder), seconds=round(_PATIENCE)) from None
            time.sleep(0.02)
        except OSError:
            return False
        else:
            return True


def _make(folder: Path, made: list[Path]) -> None:
    """Make a folder and those above it, and bring them to the disk; what is new is added to `made`, from the top."""
    for p in [p for p in (folder, *folder.parents) if not p.exists()][::-1]:
        p.mkdir(exist_ok=True)
        made.append(p)
        _sync(p.parent)


def _sync(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system does that for folders."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_FOR_FOLDERS:
            raise
    finally:
        os.close(descriptor)


def _remove_drafts(folder: Path) -> None:
    """Remove what a killed writer left; nobody else is writing here, since the lock is held."""
    for path in list(folder.glob(f".*{HIDDEN}")):
        with suppress(OSError):  # somebody else's, in a folder for all
            path.unlink()
