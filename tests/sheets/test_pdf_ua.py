"""Every PDF that is built is accessible, as far as a program can tell; and the check would see it if not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from derive.sheets.assemble import assemble
from derive.sheets.blocks import Sheet
from derive.sheets.build import Wanted, build
from derive.sheets.documents import Order, Press
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import read
from tests.pdf_ua import elements, faults
from tests.sheets.sample import KINDS, write_manifest

TITLES = {"zh": "多头注意力与数值稳定性", "en": "Multi-head attention and numerical stability"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every PDF of a sheet with every kind of block, on both papers, also in large print."""
    out = tmp_path_factory.mktemp("pdf")
    manifest = write_manifest(out)
    for large in (False, True):
        wanted = Wanted(("pdf",), papers=("a4", "letter"), large=large, out=out)
        build([manifest], KINDS, TermPrinter(), wanted)
    build([manifest], KINDS, TermPrinter(), Wanted(("tex",), out=out))
    return out / "sample"


def test_every_document_is_tagged_and_titled_and_has_its_alternative_texts(folder: Path) -> None:
    documents = sorted(folder.glob("*.pdf"))
    assert len(documents) == 24
    for path in documents:
        lang = "zh" if "-zh" in path.stem else "en"
        assert faults(path, lang, TITLES[lang]) == [], path.name


def test_pictures_beside_latex_are_accessible_too(folder: Path) -> None:
    for path in (folder / "figures").glob("*.pdf"):
        with pikepdf.open(path) as pdf:
            title = str(pdf.docinfo["/Title"])
            (figure,) = (e for e in elements(pdf) if e.type == "Figure")
            assert str(figure.found.Alt)
        found = faults(path, path.stem.rsplit("-", 1)[1], title)
        assert found == ["no heading (7.4)"], path.name


def test_alternative_texts_are_in_the_language_of_the_document(folder: Path) -> None:
    for lang in ("zh", "en"):
        with pikepdf.open(folder / f"sample-solutions-{lang}.pdf") as pdf:
            said = [str(e.found.Alt) for e in elements(pdf) if e.type == "Figure"]
        assert len(said) == 5
        assert all(any("\u4e00" <= c <= "\u9fff" for c in text) == (lang == "zh") for text in said)


def no_alt(pdf: Any) -> None:
    del next(e for e in elements(pdf) if e.type == "Formula").found.Alt


def no_title(pdf: Any) -> None:
    with pdf.open_metadata() as metadata:
        metadata["dc:title"] = "other"


def wrong_level(pdf: Any) -> None:
    next(e for e in elements(pdf) if e.type == "H1").found.S = pikepdf.Name("/H3")


def untagged_content(pdf: Any) -> None:
    pdf.pages[0].contents_add(b"0 0 10 10 re f")


def wrong_language(pdf: Any) -> None:
    pdf.Root.Lang = "fr"


def unmarked(pdf: Any) -> None:
    pdf.Root.MarkInfo.Marked = False


def no_scope(pdf: Any) -> None:
    del next(e for e in elements(pdf) if e.type == "TH").found.A


def cell_outside_a_row(pdf: Any) -> None:
    next(e for e in elements(pdf) if e.type == "TR").found.S = pikepdf.Name("/P")


DAMAGES: tuple[tuple[Callable[[Any], None], str], ...] = (
    (no_alt, "Formula without"), (no_title, "title 'other'"), (wrong_level, "heading 3 after"),
    (untagged_content, "outside of the tags"), (wrong_language, "language fr"), (unmarked, "not marked"),
    (no_scope, "without scope"), (cell_outside_a_row, "in P"),
)  # fmt: skip


@pytest.mark.parametrize(("damage", "said"), DAMAGES)
def test_damage_is_seen(folder: Path, damage: Callable[[Any], None], said: str, tmp_path: Path) -> None:
    with pikepdf.open(folder / "sample-solutions-en.pdf") as pdf:
        damage(pdf)
        pdf.save(tmp_path / "damaged.pdf")
    assert any(said in fault for fault in faults(tmp_path / "damaged.pdf", "en", TITLES["en"]))


def test_a_document_without_tags_is_seen(tmp_path: Path) -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(tmp_path / "x.pdf")
    assert faults(tmp_path / "x.pdf", "en", "") == ["no structure tree (7.1)"]


def test_a_sheet_without_activities_has_headings_that_begin_at_one(tmp_path: Path) -> None:
    sheet: Sheet = assemble(read(write_manifest(tmp_path), KINDS), KINDS)
    from dataclasses import replace

    bare = replace(sheet, activities=tuple(replace(a, title=None) for a in sheet.activities))
    (tmp_path / "x.pdf").write_bytes(Press(bare, TermPrinter()).render(Order("student", "en", "pdf")))
    assert faults(tmp_path / "x.pdf", "en", TITLES["en"]) == []
