"""What a release contains: every file of a wheel with its licence, and what the wheel needs at run time, as Markdown.

``python -m derive.contents WHEEL [zh|en]`` is what ``make dist`` runs. The licence of a file is that of the last
annotation of ``REUSE.toml`` (REUSE specification 3.3, "Order of precedence") whose path fits; the file travels in
the wheel. Needs ``packaging``, which comes with the build backend.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from derive.errors import DeriveError
from derive.language import of_locale
from derive.resources import templates
from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue

_ANNOTATIONS = ".dist-info/licenses/REUSE.toml"


@dataclass(frozen=True)
class Annotation:
    """The licence and the copyright of the files whose paths fit."""

    path: str
    licence: str
    copyright: str

    def fits(self, path: str) -> bool:
        r"""Whether it speaks of the file at `path`; ``**`` stands for anything, ``*`` for anything within a folder.

        >>> [Annotation(p, "", "").fits("a/b.otf") for p in ("**", "*", "**/b.*", "a/*.otf", "b.otf")]
        [True, False, True, True, False]
        """
        parts = re.split(r"(\*\*|\*)", self.path)
        return bool(re.fullmatch("".join({"**": ".*", "*": "[^/]*"}.get(p, re.escape(p)) for p in parts), path))


@dataclass(frozen=True)
class File:
    """One file of a wheel."""

    path: str
    size: int
    digest: str  # SHA-256
    annotation: Annotation


@dataclass(frozen=True)
class Part:
    """All files of one licence and copyright."""

    licence: str
    copyright: str
    files: int
    bytes: int


@dataclass(frozen=True)
class Package:
    """A package that is needed at run time."""

    name: str
    version: str
    licence: str | None
    needed_by: tuple[str, ...]


def annotations_of(text: str) -> tuple[Annotation, ...]:
    """The annotations of a ``REUSE.toml``, in order."""
    return tuple(
        Annotation(path, str(entry["SPDX-License-Identifier"]), str(entry["SPDX-FileCopyrightText"]))
        for entry in tomllib.loads(text)["annotations"]
        for path in ([entry["path"]] if isinstance(entry["path"], str) else entry["path"])
    )


def files(wheel: zipfile.ZipFile) -> tuple[File, ...]:
    """Every file of a wheel with its licence, in order of path."""
    (name,) = (n for n in wheel.namelist() if n.endswith(_ANNOTATIONS))
    known = annotations_of(wheel.read(name).decode())
    found = []
    for path in sorted(wheel.namelist()):
        content = wheel.read(path)
        *_, last = (a for a in known if a.fits(path))
        found.append(File(path, len(content), hashlib.sha256(content).hexdigest(), last))
    return tuple(found)


def parts(found: Iterable[File]) -> tuple[Part, ...]:
    """The files of each licence and copyright together, in the order in which they come first."""
    groups: dict[tuple[str, str], list[File]] = {}
    for file in found:
        groups.setdefault((file.annotation.licence, file.annotation.copyright), []).append(file)
    return tuple(Part(*key, len(group), sum(f.size for f in group)) for key, group in groups.items())


def metadata(wheel: zipfile.ZipFile) -> Message:
    """What a wheel says of itself."""
    (name,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    return message_from_bytes(wheel.read(name))


def packages(name: str, requirements: Iterable[str]) -> tuple[Package, ...]:
    """Everything that is needed at run time, directly or not, as it is installed here, in order of name.

    Raises
    ------
    DeriveError
        ``contents.not-installed``, as a ``usage`` error, for a package whose licence can't be read.
    """
    needed_by: dict[str, set[str]] = {}
    asked: set[tuple[str, str]] = set()
    waiting = [(name, r, "") for r in requirements]
    while waiting:
        by, text, extra = waiting.pop()
        requirement = Requirement(text)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        package = canonicalize_name(requirement.name)
        needed_by.setdefault(package, set()).add(by)
        for own in ("", *requirement.extras):
            if (package, own) not in asked:
                asked.add((package, own))
                waiting += [(package, r, own) for r in _installed(package, name).requires or ()]
    found = ((p, _installed(p, name)) for p in sorted(needed_by))
    return tuple(Package(p, d.version, licence_of(d.metadata), tuple(sorted(needed_by[p]))) for p, d in found)


def _installed(package: str, name: str) -> importlib.metadata.Distribution:
    try:
        return importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        why = catalogue(of_locale()).plain("contents.not-installed", package=package, name=name)
        raise DeriveError("usage", why=why) from None


def licence_of(said: importlib.metadata.PackageMetadata) -> str | None:
    """The licence in a package's metadata: its expression, else what its classifiers name, else the free text."""
    for expression in said.get_all("License-Expression") or ():
        return str(expression)
    classified = [c.rsplit(" :: ", 1)[1] for c in said.get_all("Classifier") or () if c.startswith("License :: ")]
    free = [str(text).partition("\n")[0].strip() for text in said.get_all("License") or ()]
    return ", ".join(classified or free) or None


def page(wheel: Path, lang: Language) -> str:
    """The list as Markdown."""
    with zipfile.ZipFile(wheel) as opened:
        found = files(opened)
        said = metadata(opened)
    say = catalogue(lang).plain
    shown: Mapping[str, object] = {
        "say": say,
        "name": said["Name"],
        "version": said["Version"],
        "wheel": wheel.name,
        "digest": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "bytes": sum(f.size for f in found),
        "files": found,
        "parts": parts(found),
        "packages": packages(said["Name"], said.get_all("Requires-Dist") or ()),
    }
    environment = Environment(
        loader=FileSystemLoader(templates() / "md"),
        autoescape=False,  # Markdown; what is shown are paths, names and numbers
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("contents.md").render(shown)


def main(arguments: Sequence[str]) -> int:
    """Write the list to standard output; the exit status."""
    lang: Language = "zh" if arguments[1:] == ["zh"] else "en" if arguments[1:] == ["en"] else of_locale()
    say = catalogue(lang).plain
    try:
        if not arguments or len(arguments) > 2 or arguments[1:] not in ([], ["zh"], ["en"]):
            raise DeriveError("usage", why=say("contents.usage"))
        try:
            sys.stdout.write(page(Path(arguments[0]), lang))
        except (OSError, zipfile.BadZipFile, KeyError, ValueError):
            raise DeriveError("usage", why=say("contents.usage")) from None
    except DeriveError as error:
        sys.stderr.write(f"{say(f'errors.{error.code}', **error.params)}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
