"""Builds that are cut off: at every path lies the old document or the new one, whole, beside its own pictures.

``python -m tests.sheets.power_cut [N [SEED]]`` kills the writing N times at random moments, and as many times again
while a second build writes into the same folder; lets several builds write there at once N times; kills the whole
command N/10 times; kills the writing after each of its operations on the disk; lets the power go N times after each
of them, as a model of a disk has it; and fills a small disk to every page (for root only, who may mount one).
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from derive.errors import DeriveError
from derive.sheets.build import Wanted, build, write
from derive.sheets.formulas import TermPrinter
from derive.sheets.targets import Format
from derive.worked import kinds
from derive.writing import HIDDEN

MANIFEST = """
[sheet]
id = "cut"
title = {{ zh = "断电", en = "Power cut" }}
[[exercise]]
id = "1"
problem = "shape-trace"
given = {{ B = 1, T = {t}, d_model = 4, h = 2 }}
points = 9
"""
NAMED = re.compile(rb"figures/[\w.-]+\.(?:svg|pdf)")
PAGE = os.sysconf("SC_PAGESIZE")
Files = Mapping[str, bytes]  # path below the output folder -> content
Put = Callable[[Path, Files], None]


# --- what must hold ----------------------------------------------------------------------------------------


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with its content."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def faults(found: Files, versions: tuple[Files, ...], kept: Files | None = None) -> list[str]:
    """What is wrong with a folder into which any of the versions may have been written, up to any point.

    `kept` was complete at the beginning, so that each of its documents must still be there, in some version.
    """
    said = []
    for path, content in found.items():
        name = Path(path).name
        if name.startswith(".") and name.endswith(HIDDEN):
            continue
        if not any(version.get(path) == content for version in versions):
            said.append(f"{path}: neither an old file nor a new one ({len(content)} bytes)")
        for picture in map(bytes.decode, NAMED.findall(content)) if path.endswith((".tex", ".md")) else ():
            place = (Path(path).parent / picture).as_posix()
            if place not in found:
                said.append(f"{path}: its picture {picture} is missing")
    said += [f"{path}: missing" for path in kept or {} if "/figures/" not in path and path not in found]
    return said


# --- what is written ---------------------------------------------------------------------------------------


def manifest(folder: Path, t: int) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"cut{t}.toml"
    path.write_text(MANIFEST.format(t=t), encoding="utf-8")
    return path


def version(folder: Path, t: int, formats: tuple[Format, ...] = ("html", "tex", "md")) -> dict[str, bytes]:
    """The files of a sheet in one version; every document and every picture differs from those of another `t`."""
    out = folder / f"version{t}"
    build([manifest(folder, t)], kinds(), TermPrinter(), Wanted(formats, ("en",), out=out))
    return files_of(out)


def put(out: Path, files: Files) -> None:
    """Write the files of a version as a build does."""
    pictures = {out / path: content for path, content in files.items() if "/figures/" in path}
    write({out / path: content for path, content in files.items() if out / path not in pictures}, pictures)


def forked(work: Callable[[], None]) -> int:
    """Run something in a process of its own; its number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the threads of the typesetter: the child needs none
        child = os.fork()
    if child:
        return child
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


# --- kills -------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """How often something was tried, how often it was cut off in the middle, and what went wrong."""

    tried: int = 0
    halfway: int = 0  # files of more than one version, or hidden ones, were there afterwards
    wrong: list[str] = field(default_factory=list)

    def look(self, out: Path, versions: tuple[Files, ...], kept: Files | None) -> None:
        found = files_of(out) if out.exists() else {}
        self.tried += 1
        self.halfway += bool(found) and all(found != v for v in versions)
        self.wrong += faults(found, versions, kept)

    def look_again(self, out: Path, files: Files) -> None:
        """After a build that was not cut off, its files are there and nothing else."""
        put(out, files)
        found = files_of(out)
        if found != files:
            others = sorted(p for p in {**found, **files} if found.get(p) != files.get(p))
            self.wrong.append(f"after the next build: {len(others)} files, such as {others[0]}")


def kill_writers(out: Path, versions: tuple[Files, Files], kills: int, writers: int, draw: random.Random) -> Tally:
    """Kill a process that writes one version after the other, at random moments, while others do the same."""

    def alternate() -> None:
        for n in range(1_000_000):
            put(out, versions[n % 2])

    tally = Tally()
    put(out, versions[0])
    others = [forked(alternate) for _ in range(writers - 1)]
    try:
        for n in range(kills):
            child = forked(alternate)
            time.sleep(draw.uniform(0, 0.06))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            if others:
                for other in others:  # or a document is replaced between it is read and its pictures are
                    os.kill(other, signal.SIGSTOP)
                    os.waitpid(other, os.WUNTRACED)
                tally.look(out, versions, versions[0])
                for other in others:
                    os.kill(other, signal.SIGCONT)
            else:
                tally.look(out, versions, versions[0])
                if draw.random() < 0.3:
                    tally.look_again(out, versions[n % 2])
    finally:
        for other in others:
            os.kill(other, signal.SIGKILL)
            os.waitpid(other, 0)
    tally.look_again(out, versions[1])
    return tally


def at_once(out: Path, versions: tuple[Files, Files], times: int, put: Put = put) -> Tally:
    """Let three builds of two versions begin together; in the end the folder must hold one version alone."""
    tally = Tally()
    for n in range(times):
        children = [forked(lambda k=k: put(out, versions[k % 2])) for k in range(n, n + 3)]  # type: ignore[misc]
        if any(os.waitpid(child, 0)[1] for child in children):
            tally.wrong.append("a build has failed")
        tally.look(out, versions, versions[0])
        if files_of(out) not in versions:
            tally.wrong.append("files of two builds in one folder")
    return tally


def kill_commands(
    folder: Path, versions: tuple[Files, Files], kills: int, draw: random.Random, formats: str = "html,tex,md"
) -> Tally:
    """Kill ``derive build`` itself shortly after it began to write, every second time anywhere."""
    tally = Tally()
    out = folder / "commands"
    put(out, versions[0])
    paths = [manifest(folder, t) for t in (2, 3)]
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    whole = 3.0
    for n in range(kills):
        command = [sys.executable, "-m", "derive.cli", "build", str(paths[(n + 1) % 2]), "--out", str(out)]
        options = ["--format", formats, "--lang", "en"]
        started = time.monotonic()
        child = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL, env=environment, cwd=folder)
        if n % 2 == 0:
            while child.poll() is None and not any(out.rglob(f".*{HIDDEN}")):
                pass
            time.sleep(draw.uniform(0, 0.03))
        else:
            time.sleep(draw.uniform(0, whole))
        if child.poll() is not None:
            whole = time.monotonic() - started
        child.kill()
        child.wait()
        tally.look(out, versions, versions[0])
        tally.look_again(out, versions[n % 2])
    return tally


def kill_after_each_operation(out: Path, old: Files, new: Files, every: int = 1) -> Tally:
    """Kill the writing of `new` over `old` after each operation on the disk, the first, the second, and so on."""
    tally = Tally()
    put(out, old)
    for n in range(1, 1_000_000, every):

        def write_and_die(last: int = n) -> None:
            left = last

            def count(name: str, result: object, arguments: tuple[Any, ...]) -> None:
                nonlocal left
                left -= 1
                if not left:
                    os.kill(os.getpid(), signal.SIGKILL)

            with watched(count):
                put(out, new)

        _, status = os.waitpid(forked(write_and_die), 0)
        if os.WIFEXITED(status):
            if os.WEXITSTATUS(status) or files_of(out) != new:
                tally.wrong.append("not written")
            return tally
        tally.look(out, (old, new), old)
        if old:
            tally.look_again(out, old)
        else:
            tally.look_again(out, new)
            shutil.rmtree(out)
    raise RuntimeError("it does not end")


# --- a disk whose power goes -------------------------------------------------------------------------------

OPERATIONS = ("open", "write", "fsync", "close", "replace", "unlink", "mkdir", "rmdir")


@contextmanager
def watched(tell: Callable[[str, Any, tuple[Any, ...]], None]) -> Iterator[None]:
    """Tell of each operation on the disk when it is done: its name, its result, its arguments."""
    before = {name: getattr(os, name) for name in OPERATIONS}

    def telling(name: str) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            copied = tuple(bytes(a) if isinstance(a, memoryview) else a for a in arguments)
            result = before[name](*arguments, **options)
            tell(name, result, copied)
            return result

        return run

    for name in OPERATIONS:
        setattr(os, name, telling(name))
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(os, name, function)


@dataclass(eq=False)
class Node:
    """A file on the disk: what was written, and how much of it is sure to stay."""

    content: bytes = b""
    sure: bytes | None = None


@dataclass
class Change:
    """A name that appears in a folder, and one that goes; it is sure to stay once the folder is brought to the disk."""

    folder: Path
    appears: tuple[Path, Node | None] | None  # None: a folder
    goes: Path | None
    sure: bool = False


class Disk:
    """What a disk may hold when the power goes: without `fsync` a file may have lost its end, a folder any change.

    The model is harder than today's file systems are: changes to names are lost independently of one another.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.first = {root / path: Node(content, content) for path, content in files_of(root).items()}
        self.nodes: dict[Path, Node] = dict(self.first)
        self.open: dict[int, tuple[Path, Node | None]] = {}
        self.changes: list[Change] = []

    def tell(self, name: str, result: Any, arguments: tuple[Any, ...]) -> None:
        if name == "open":
            path = Path(arguments[0])
            if arguments[1] & os.O_CREAT:
                self.nodes[path] = Node()
                self.changes.append(Change(path.parent, (path, self.nodes[path]), None))
            self.open[result] = path, self.nodes.get(path)
        elif name == "write":
            node = self.open[arguments[0]][1]
            assert node is not None
            node.content += arguments[1][:result]
        elif name == "fsync":
            path, node = self.open[arguments[0]]
            if node is not None:
                node.sure = node.content
            for change in self.changes if node is None else ():
                change.sure |= change.folder == path
        elif name == "close":
            self.open.pop(arguments[0], None)
        elif name == "replace":
            old, new = map(Path, arguments)
            self.nodes[new] = self.nodes.pop(old)
            self.changes.append(Change(new.parent, (new, self.nodes[new]), old))
        elif name == "unlink":
            path = Path(arguments[0])
            del self.nodes[path]
            self.changes.append(Change(path.parent, None, path))
        elif name == "mkdir":
            path = Path(arguments[0])
            self.changes.append(Change(path.parent, (path, None), None))
        else:
            raise NotImplementedError(name)

    def after_power_cut(self, draw: random.Random) -> dict[str, bytes]:
        """One of the states in which the disk may be found."""
        lost = draw.choice((0.0, 0.2, 0.5, 0.8, 1.0))
        names = dict(self.first)
        folders = {self.root, *(p.parent for p in self.first)}
        for change in self.changes:
            if not change.sure and draw.random() < lost:
                continue
            if change.goes is not None:
                names.pop(change.goes, None)
            if change.appears is not None:
                path, node = change.appears
                if node is None:
                    folders.add(path)
                else:
                    names[path] = node
        there = {p: n for p, n in names.items() if all(f in folders for f in p.parents if f.is_relative_to(self.root))}
        return {p.relative_to(self.root).as_posix(): self._content(n, draw, lost) for p, n in there.items()}

    @staticmethod
    def _content(node: Node, draw: random.Random, lost: float) -> bytes:
        sure = node.sure or b""
        if len(sure) == len(node.content) or draw.random() >= lost:
            return node.content
        return node.content[: draw.randint(len(sure), len(node.content))]


def power_cuts(out: Path, old: Files, new: Files, times: int, draw: random.Random, put: Put = put) -> Tally:
    """Let the power go after each operation while `new` is written over `old`, each time in `times` ways."""
    out.mkdir()
    if old:
        put(out, old)
    disk = Disk(out)
    tally = Tally()

    def tell(name: str, result: Any, arguments: tuple[Any, ...]) -> None:
        disk.tell(name, result, arguments)
        for _ in range(times):
            found = disk.after_power_cut(draw)
            tally.tried += 1
            tally.halfway += found not in (old, new)
            tally.wrong += faults(found, (old, new), old)

    with watched(tell):
        put(out, new)
    for _ in range(10 * times):  # it was said that all is written, hence it is
        tally.wrong += faults(disk.after_power_cut(draw), (old, new) if old else (new,), new)
        documents = {p: c for p, c in disk.after_power_cut(draw).items() if "/figures/" not in p}
        if documents != {p: c for p, c in new.items() if "/figures/" not in p}:
            tally.wrong.append("not on the disk after the end of the build")
    return tally


# --- a disk that is full -----------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[str], None]]:
    """A file system of its own in memory; what it yields sets its limits, ``size=8192``.

    Raises
    ------
    PermissionError
        Where none may be mounted.
    """
    folder.mkdir()

    def mount(options: str) -> None:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False
        )
        if done.returncode:
            raise PermissionError(done.stderr.decode().strip())

    try:
        mount("size=64m")
    except FileNotFoundError as error:
        raise PermissionError(str(error)) from None
    try:
        yield lambda limits: mount(f"remount,{limits}")
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def full_disks(folder: Path, old: Files, new: Files, step: int = 1) -> Tally:
    """Write `new` over `old` with no room left, `step` pages more, and so on until it fits; then so with inodes."""
    tally = Tally()
    with small_disk(folder) as limit:
        for what in ("size={0}", "nr_inodes={1}"):
            limit("size=64m,nr_inodes=10000")
            out = folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            if old:
                put(out, old)
            at = os.statvfs(folder)
            used = (at.f_blocks - at.f_bfree) * at.f_frsize, at.f_files - at.f_ffree
            for n in range(0, 10_000, step):
                limit(what.format(max(PAGE, used[0] + n * PAGE), used[1] + n))  # 0 is no limit
                tally.tried += 1
                try:
                    put(out, new)
                except DeriveError as error:
                    tally.halfway += 1
                    left = files_of(out) if out.exists() else None
                    if left != (old or None) or error.code != "disk-full":
                        tally.wrong.append(f"{what}, {n}: {error}")
                else:
                    if files_of(out) != new:
                        tally.wrong.append(f"{what}, {n}: not written")
                    break
    return tally


# --- the long run ------------------------------------------------------------------------------------------


def main() -> int:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    draw = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        versions = version(folder, 2), version(folder, 3)
        old, new = versions
        runs: dict[str, Callable[[], Tally]] = {
            "writing killed": lambda: kill_writers(folder / "one", versions, times, 1, draw),
            "beside another build": lambda: kill_writers(folder / "two", versions, times, 2, draw),
            "three builds at once": lambda: at_once(folder / "three", versions, times),
            "command killed": lambda: kill_commands(folder, versions, max(2, times // 10), draw),
            "after each operation": lambda: kill_after_each_operation(folder / "each", old, new),
            "the first build": lambda: kill_after_each_operation(folder / "first", {}, new),
            "power cut": lambda: power_cuts(folder / "cut", old, new, times, draw),
            "in the first build": lambda: power_cuts(folder / "cut-first", {}, new, times, draw),
            "full disk": lambda: full_disks(folder / "full", old, new),
            "full at the first build": lambda: full_disks(folder / "full-first", {}, new),
        }
        wrong: list[str] = []
        print(f"{'':24}{'tried':>8}{'halfway':>9}{'wrong':>7}{'seconds':>9}")
        for name, run in runs.items():
            started = time.monotonic()
            try:
                tally = run()
            except PermissionError as error:
                print(f"{name:24}not tried: {error}")
                continue
            seconds = time.monotonic() - started
            print(f"{name:24}{tally.tried:>8}{tally.halfway:>9}{len(tally.wrong):>7}{seconds:>9.1f}", flush=True)
            wrong += tally.wrong
        for said in wrong[:20]:
            print(said)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
