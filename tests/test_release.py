"""The wheel and the source archive: what they hold, under which licences, in the same bytes; and that they work."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from packaging.licenses import canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import derive
from derive.contents import files, licence_of, main, metadata, packages, parts

ROOT = Path(__file__).parents[1]
FONTS = (".otf", ".ttf", ".ttc", ".woff", ".woff2")
FOR_MAKERS = ("derive/pytest_plugin.py", "derive/contents.py")  # modules that need more than users have


def built(checkout: Path, out: Path, kind: str, **environment: str) -> Path:
    """Build one archive from a checkout by the build backend alone, without any network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    outside = {k: v for k, v in os.environ.items() if k != "SOURCE_DATE_EPOCH"}
    subprocess.run(command, cwd=checkout, env={**outside, **environment}, capture_output=True, check=True)
    (archive,) = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return archive


def unpacked(archive: Path, folder: Path) -> Path:
    """The checkout in a source archive."""
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    (checkout,) = folder.iterdir()
    return checkout


@dataclass(frozen=True)
class Release:
    wheel: Path
    source: Path
    checkout: Path  # the source archive, unpacked


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The source archive of this checkout, and the wheel that is made from it."""
    folder = tmp_path_factory.mktemp("release")
    source = built(ROOT, folder / "source", "sdist")
    checkout = unpacked(source, folder / "unpacked")
    return Release(built(checkout, folder / "wheel", "wheel"), source, checkout)


@cache
def content(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


# --- what is inside ----------------------------------------------------------------------------------------


def test_nothing_of_the_wheel_would_collide_with_others(release: Release) -> None:
    top = {name.split("/")[0] for name in content(release.wheel)}
    assert top == {"derive", "proofs", f"derive_proofs-{derive.__version__}.dist-info"}


def test_the_wheel_has_every_module_text_look_font_and_manifest(release: Release) -> None:
    expected = {}
    for path in sorted(release.checkout.rglob("*")):
        name = path.relative_to(release.checkout).as_posix()
        if path.is_file() and name.split("/")[0] in ("derive", "proofs", "templates", "build"):
            moved = name if name.startswith(("derive/", "proofs/")) else f"derive/{name}"
            expected[moved] = path.read_bytes()
    del expected["derive/templates/fonts/make_fonts.py"]
    found = {name: c for name, c in content(release.wheel).items() if ".dist-info/" not in name}
    assert found == expected
    for name in ("derive/build/day45.toml", "derive/templates/prose/zh/errors.toml", "proofs/kernel.py"):
        assert name in found


def test_the_source_archive_has_what_was_built_from_here(release: Release) -> None:
    for folder in ("derive", "proofs", "templates", "tests"):
        here = {p.relative_to(ROOT) for p in (ROOT / folder).rglob("*.py")}
        there = {p.relative_to(release.checkout) for p in (release.checkout / folder).rglob("*.py")}
        assert here == there
    for name in ("LICENSE", "README.md", "README.zh.md", "Makefile", "constraints.txt", "pyproject.toml", "REUSE.toml"):
        assert (release.checkout / name).read_bytes() == (ROOT / name).read_bytes()
    assert not any("node_modules" in p.parts or "__pycache__" in p.parts for p in release.checkout.rglob("*"))


def test_the_version_is_said_once_and_the_same(release: Release) -> None:
    with zipfile.ZipFile(release.wheel) as opened:
        assert metadata(opened)["Version"] == derive.__version__


# --- the same bytes ----------------------------------------------------------------------------------------


def test_another_checkout_on_another_day_gives_the_same_bytes(release: Release, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        checkout = tmp_path / "a longer name" / "other"
        shutil.copytree(release.checkout, checkout, copy_function=shutil.copyfile)
    finally:
        os.umask(before)
    for n, path in enumerate(sorted(checkout.rglob("*"), reverse=True)):
        os.utime(path, (n, 10**9 + n))
    wheel = built(checkout, tmp_path / "w", "wheel", TZ="Pacific/Auckland", PYTHONHASHSEED="7", LC_ALL="C")
    assert wheel.name == release.wheel.name
    assert wheel.read_bytes() == release.wheel.read_bytes()
    source = built(checkout, tmp_path / "s", "sdist", TZ="Pacific/Auckland", PYTHONHASHSEED="7", LC_ALL="C")
    assert source.name == release.source.name
    assert source.read_bytes() == release.source.read_bytes()


def test_the_date_in_the_archives_is_the_one_that_make_says(release: Release) -> None:
    (epoch,) = re.findall(r"SOURCE_DATE_EPOCH \?= (\d+)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    with zipfile.ZipFile(release.wheel) as opened:
        dates = {info.date_time for info in opened.infolist()}
    with tarfile.open(release.source) as archive:
        times = {int(member.mtime) for member in archive.getmembers()}
    assert (dates, times) == ({(2020, 2, 2, 0, 0, 0)}, {int(epoch)})


def test_what_builds_is_pinned_to_one_version() -> None:
    pinned = {canonicalize_name(r.name): r for r in map(Requirement, constraints())}
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for text in table["build-system"]["requires"]:
        assert str(Requirement(text)) == str(pinned[canonicalize_name(Requirement(text).name)])


def constraints() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


# --- licences ----------------------------------------------------------------------------------------------


def test_the_licences_of_the_files_are_those_that_the_metadata_names(release: Release) -> None:
    with zipfile.ZipFile(release.wheel) as opened:
        found, said = files(opened), metadata(opened)
    expression = said["License-Expression"]
    assert canonicalize_license_expression(expression) == expression
    assert {f.annotation.licence for f in found} == set(expression.split(" AND "))
    assert sum(p.files for p in parts(found)) == len(found) == len(content(release.wheel))
    texts = {name.rsplit("/", 1)[1] for name in content(release.wheel) if ".dist-info/licenses/" in name}
    assert texts == {"LICENSE", "OFL.txt", "GUST-FONT-LICENSE.txt", "REUSE.toml"}


def test_a_font_is_under_the_licence_and_copyright_that_it_says_itself(release: Release, tmp_path: Path) -> None:
    with zipfile.ZipFile(release.wheel) as opened:
        fonts = [f for f in files(opened) if f.path.endswith(FONTS)]
        others = [f for f in files(opened) if not f.path.endswith(FONTS)]
        assert len(fonts) == 5
        for file in fonts:
            with TTFont(opened.extract(file.path, tmp_path)) as font:
                says = {n: str(font["name"].getDebugName(n)) for n in (0, 13, 14)}
            holders = re.findall(r"Adobe|Jackowski|Strzelczyk|Pianowski", says[0])
            assert holders, file.path
            assert all(holder in file.annotation.copyright for holder in holders), file.path
            assert (file.annotation.licence == "OFL-1.1") == ("SIL Open Font License" in says[13]), file.path
            assert file.annotation.licence != "MIT"
    texts = {"OFL.txt": "OFL-1.1", "GUST-FONT-LICENSE.txt": "LPPL-1.3c"}
    for file in others:
        assert file.annotation.licence == texts.get(file.path.rsplit("/", 1)[1], "MIT"), file.path


def test_the_list_names_every_file_and_every_package_with_its_licence(
    release: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {}
    for lang in ("en", "zh"):
        assert main([str(release.wheel), lang]) == 0
        said[lang] = capsys.readouterr().out
        rows = [line.strip("| ").split(" | ") for line in said[lang].splitlines() if line.startswith("|")]
        listed = {row[0]: row[2] for row in rows if len(row) == 4 and re.fullmatch("[0-9a-f]{64}", row[3])}
        with zipfile.ZipFile(release.wheel) as opened:
            assert listed == {f.path: f.annotation.licence for f in files(opened)}
        assert ["numpy", importlib.metadata.version("numpy")] in [row[:2] for row in rows]
    assert "What derive-proofs" in said["en"]
    assert "运行时所需的软件包" in said["zh"]


@pytest.mark.parametrize("arguments", [[], ["none.whl"], ["README.md"], ["a", "b"], ["a", "en", "c"]])
def test_what_is_no_wheel_is_one_line_and_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)


@dataclass(frozen=True)
class Said:
    """The metadata of a package."""

    fields: Mapping[str, list[str]]

    def get_all(self, name: str) -> list[str] | None:
        return self.fields.get(name)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"License-Expression": ["MIT"], "License": ["other"]}, "MIT"),
        ({"Classifier": ["Topic :: X", "License :: OSI Approved :: BSD License"], "License": ["text"]}, "BSD License"),
        ({"License": ["Apache 2.0\n\nLong text"]}, "Apache 2.0"),
        ({}, None),
    ],
)
def test_a_package_says_its_licence_in_one_of_three_ways(fields: dict[str, list[str]], expected: str | None) -> None:
    assert licence_of(Said(fields)) == expected  # type: ignore[arg-type]


# --- what it needs -----------------------------------------------------------------------------------------


def needed(release: Release) -> set[str]:
    with zipfile.ZipFile(release.wheel) as opened:
        said = metadata(opened)
    return {p.name for p in packages(said["Name"], said.get_all("Requires-Dist") or ())}


def test_every_package_that_is_needed_is_pinned(release: Release) -> None:
    pinned = {canonicalize_name(Requirement(line).name) for line in constraints()}
    assert needed(release) <= pinned
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in constraints())


def test_every_package_that_is_imported_is_declared(release: Release) -> None:
    declared = {
        path.parts[0].partition(".")[0]
        for package in needed(release)
        for path in importlib.metadata.files(package) or ()
    }
    assert {"numpy", "sympy", "typst", "fontTools", "markupsafe"} <= declared
    for name, source in content(release.wheel).items():
        if not name.endswith(".py") or name in FOR_MAKERS:
            continue
        for node in ast.walk(ast.parse(source)):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            for module in {m.split(".")[0] for m in modules} - {"derive", "proofs", *sys.stdlib_module_names}:
                assert module in declared, (name, module)


# --- that it works -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it, and an empty folder."""

    bin: Path
    site: Path
    folder: Path

    def run(self, *arguments: str, status: int = 0) -> str:
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "en_GB.UTF-8", "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            [self.bin / arguments[0], *arguments[1:]],
            cwd=self.folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment of its own, beside the packages that this one has, but not this checkout."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "env", symlinks=True)
    site = folder / "env" / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    install = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", str(release.wheel)]
    command = [sys.executable, "-m", "pip", "--python", str(folder / "env/bin/python"), *install]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {p.name for p in site.iterdir()} >= {"derive", "proofs"}
    # A path file adds packages, but not the path files among them, one of which names this checkout.
    (site / "beside.pth").write_text(sysconfig.get_path("platlib") + "\n", encoding="utf-8")
    empty = folder / "empty"
    empty.mkdir()
    return Installed(folder / "env" / "bin", site, empty)


def test_installed_it_reads_nothing_of_the_checkout(installed: Installed) -> None:
    asked = (
        "import derive, proofs, derive.resources as r; print(derive, proofs, r.templates(), *r.manifests(), sep='|')"
    )
    places = re.sub(r"<module \S+ from '(.*?)'>", r"\1", installed.run("python", "-c", asked)).strip().split("|")
    assert len(places) == 3 + len(list((ROOT / "build").glob("*.toml")))
    assert all(Path(place).is_relative_to(installed.site) for place in places)


def test_installed_it_lists_and_judges_and_proves(installed: Installed) -> None:
    listed = json.loads(installed.run("derive", "list", "--format", "json"))
    assert "day45" in [s["name"] for s in listed["sheets"]]
    assert len(listed["theorems"]) > 10
    proved = json.loads(installed.run("derive", "prove", "softmax-shift-invariance", "--format", "json"))
    assert proved["theorems"][0]["verdict"] == "proved"
    assert "✓" in installed.run("derive", "judge", "--expected", "2*d", "--answer", "d+d", "--declare", "d: size")


def test_installed_it_builds_every_format_and_a_page(installed: Installed) -> None:
    sheet = '[sheet]\nid = "s"\ntitle = { zh = "形状", en = "Shapes" }\n[[exercise]]\nid = "1"\npoints = 9\n'
    asked = 'problem = "shape-trace"\ngiven = { B = 1, T = 2, d_model = 4, h = 2 }\n'
    (installed.folder / "s.toml").write_text(sheet + asked, encoding="utf-8")
    installed.run("derive", "build", "s.toml", "--edition", "solutions", "--out", "out")
    written = {p.suffix: p for p in (installed.folder / "out" / "s").glob("*-zh.*")}
    assert set(written) == {".pdf", ".html", ".tex", ".md"}
    assert written[".pdf"].read_bytes().startswith(b"%PDF-")
    assert "形状" in written[".html"].read_text(encoding="utf-8")
    installed.run("derive", "step", "softmax-sum-one", "--html", "page.html")
    assert "</html>" in (installed.folder / "page.html").read_text(encoding="utf-8")


def test_installed_it_checks_keys_and_verifies_derivations(installed: Installed) -> None:
    key = '[[answer]]\nid = "1"\nexercise = "day45:45-04.1a"\nanswer = "7"\n'
    (installed.folder / "key.toml").write_text(key, encoding="utf-8")
    checked = json.loads(installed.run("derive", "check", "key.toml", "--format", "json", status=1))
    assert checked["answers"][0]["verdict"] == "wrong"
    (installed.folder / "d.txt").write_text(
        "let x : real\nclaim (x + 1)^2 = x^2 + 2*x + 1\nproof\n  (x + 1)^2\n  = x^2 + 2*x + 1\n", encoding="utf-8"
    )
    assert "✓" in installed.run("derive", "verify", "d.txt")
