"""Files that are named on the command line: what is read is a file, and what is written replaces nobody's work."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from derive.errors import DeriveError

STANDARD_INPUT = "-"

_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "Is a directory"), (stat.S_ISFIFO, "Is a named pipe"), (stat.S_ISSOCK, "Is a socket"),
    (stat.S_ISCHR, "Is a device"), (stat.S_ISBLK, "Is a device"),
)  # fmt: skip
_LOOKED_AT = 4_000_000  # bytes of a file that is to be replaced


def no_file(mode: int) -> str | None:
    """What a thing of this mode is, where it is no file."""
    return next((said for is_one, said in _KINDS if is_one(mode)), None)


def read(path: Path, limit: int) -> bytes:
    """At most ``limit + 1`` bytes of a file.

    Raises
    ------
    OSError
        Where it can't be read, and where it is a pipe, a device or a folder: those might never come to an end.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as stream:  # noqa: PTH123
        said = no_file(os.fstat(descriptor).st_mode)
        if said is not None:
            raise OSError(errno.EINVAL, said, str(path))
        return stream.read(limit + 1)


def standard_input(limit: int) -> bytes:
    """At most ``limit + 1`` bytes of what is piped in."""
    return sys.stdin.buffer.read(limit + 1)


_SUMMARY = re.compile(r"^(?:\d[\d,]* answers?: |共 \d[\d,]* 个答案：)".encode(), re.MULTILINE)
_COQ = re.compile(
    rb"(?:From Derive Require|From Coq Require Import Reals|-Q \. Derive|all: prelude\.vo"
    rb"|\(\* The real numbers of the proof language)",
)


def _report(found: bytes) -> bool:
    from derive.sheets.prose import LANGUAGES, catalogue

    return found.startswith(tuple(f"# {catalogue(lang).plain('report.title')}\n".encode() for lang in LANGUAGES))


def _verdicts(found: bytes) -> bool:
    made = re.match(rb'\{\s*"keys?": |<\?xml [^>]*>\s*<testsuites>', found)
    return made is not None or _SUMMARY.search(found) is not None


OURS: Mapping[str, Callable[[bytes], bool]] = {
    "certificate": lambda found: found.startswith(b'{"certificate": "derive",'),
    "page": lambda found: b'<meta name="generator" content="derive">' in found,
    "report": _report,
    "coq": lambda found: _COQ.match(found) is not None,
    "verdicts": _verdicts,
}
"""By the kind of what is written: whether a file that holds this is an earlier one of that kind."""


def replaceable(path: Path, kind: str, inputs: Collection[Path] = (), force: bool = False) -> None:
    """Refuse to write where something stands that is no earlier output of this kind; `force` permits other files.

    Raises
    ------
    DeriveError
        ``out-no-file`` for a pipe, a device or a folder; ``out-is-input`` for one of `inputs`, whatever is forced;
        ``out-other`` for a file that is something else.
    """
    try:
        found = path.stat()
    except (OSError, ValueError):  # not there, or not to be reached: writing says why
        return
    said = no_file(found.st_mode)
    if said is not None:
        raise DeriveError("out-no-file", path=str(path), why=said)
    for given in inputs:
        try:
            same = os.path.samestat(given.stat(), found)
        except (OSError, ValueError):
            same = False
        if same:
            raise DeriveError("out-is-input", path=str(path))
    if force or found.st_size == 0:
        return
    try:
        held = read(path, _LOOKED_AT)
    except OSError as error:
        raise DeriveError("out-unwritable", path=str(path), why=error.strerror or "") from None
    if not OURS[kind](held):
        raise DeriveError("out-other", path=str(path))
