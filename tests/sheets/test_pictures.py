"""Pictures: the same drawing in every target, with fonts of ours, legible without colour, and said in words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest

from derive.errors import DeriveError
from derive.sheets.assemble import assemble
from derive.sheets.blocks import (
    AxisRanges,
    Bars,
    CausalTriangle,
    Figure,
    Formula,
    HeatMap,
    HeatPanel,
    Language,
    Sheet,
    ShapeFlow,
)
from derive.sheets.build import Wanted, build
from derive.sheets.documents import Order, Press, figures
from derive.sheets.drawings import Picture, draw
from derive.sheets.drawings.labels import breadth, lines_of, runs_of_formula
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import read
from derive.sheets.targets.html import Html
from derive.sheets.targets.pdf import Pdf
from tests.sheets.sample import KINDS, write_manifest

PRINTER = TermPrinter()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    return assemble(read(write_manifest(tmp_path_factory.mktemp("sheet")), KINDS), KINDS)


def drawn(sheet: Sheet, lang: Language = "en", alone: bool = True) -> dict[str, Picture]:
    target = Pdf(lang, PRINTER) if alone else Html(lang, PRINTER)
    found = [f for a in sheet.activities for e in a.exercises for f in figures((*e.task, *e.worked))]
    return {f.drawing.kind: draw(f.drawing, target, alone) for f in found}


def test_every_kind_of_drawing_is_drawn(sheet: Sheet) -> None:
    kinds = {k.kind for k in (ShapeFlow, HeatMap, CausalTriangle, AxisRanges, Bars)}
    assert set(drawn(sheet)) == kinds


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_nothing_is_drawn_outside_the_picture(sheet: Sheet, lang: Language) -> None:
    for kind, picture in drawn(sheet, lang).items():
        root = ElementTree.fromstring(picture.svg)
        assert picture.width <= 465, kind  # the text of an A4 page, in points
        for node in root.iter(f"{SVG}rect"):
            x, y, w, h = (float(node.attrib[k]) for k in ("x", "y", "width", "height"))
            assert x >= 0, kind
            assert y >= 0, kind
            assert x + w <= picture.width + 0.01, kind
            assert y + h <= picture.height + 0.01, kind
        for node in root.iter(f"{SVG}text"):
            if "x" not in node.attrib:
                continue
            text = "".join(node.itertext())
            wide = breadth(runs_of_formula(text), float(node.attrib["font-size"]))
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[node.attrib["text-anchor"]]
            left = float(node.attrib["x"]) - share * wide
            assert left >= -3, (kind, text)
            assert left + wide <= picture.width + 3, (kind, text)


def test_a_drawing_has_the_same_marks_alone_and_in_a_page(sheet: Sheet) -> None:
    for kind, picture in drawn(sheet).items():
        inline = drawn(sheet, alone=False)[kind].svg
        assert "<style>" in picture.svg
        assert "<style>" not in inline
        assert picture.svg.partition("</style>")[2].strip() == inline.partition(">")[2].strip()


def test_masked_cells_are_crossed_out_not_only_coloured(sheet: Sheet) -> None:
    svg = drawn(sheet)["heat-map"].svg
    assert svg.count('class="thin"') == 3
    assert svg.count('class="shade"') == 9
    triangle = drawn(sheet)["causal-triangle"].svg
    assert triangle.count('class="thin"') == 10 + 4 + 4 + 1  # above the diagonal, other rows twice, the legend


def test_numbers_on_dark_cells_are_light(sheet: Sheet) -> None:
    root = ElementTree.fromstring(drawn(sheet)["heat-map"].svg)
    looks = {"".join(t.itertext()): t.attrib.get("class") for t in root.iter(f"{SVG}text")}
    assert looks["0.9441928"] == "inverse"
    assert looks["0.0558072"] is None


def test_labels_are_in_the_language_of_the_sheet(sheet: Sheet) -> None:
    assert "query position" in drawn(sheet, "en")["heat-map"].svg
    assert "查询位置" in drawn(sheet, "zh")["heat-map"].svg
    assert not re.search(r"[\u4e00-\u9fff]", "".join(p.svg for p in drawn(sheet, "en").values()))


def test_markup_in_a_label_is_printed_as_it_stands() -> None:
    panel = HeatPanel(None, ("<b>&amp;",), ("1",), ((None,),))
    picture = draw(HeatMap((panel,), '"#x', "$"), Pdf("en", PRINTER), True)
    texts = ["".join(t.itertext()) for t in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")]
    assert "<b>&amp;" in texts
    assert '"#x' in texts


def test_a_label_that_no_font_has_is_an_error() -> None:
    with pytest.raises(DeriveError) as caught:
        draw(HeatMap((HeatPanel(None, ("\u1234",), ("1",), ((None,),)),), "r", "c"), Pdf("en", PRINTER), True)
    assert caught.value.code == "no-glyph"


def test_long_operations_go_on_several_lines() -> None:
    runs = runs_of_formula("swap the axes")
    assert len(lines_of(runs, 30)) > 1
    assert "".join(r.text for line in lines_of(runs, 30) for r in line) == "swap the axes"


def test_a_heat_map_must_be_rectangular() -> None:
    with pytest.raises(ValueError, match="heat map"):
        HeatPanel(None, ("1", "2"), ("1",), ((None,),))
    with pytest.raises(ValueError, match="position"):
        CausalTriangle(3, 4)


def test_pictures_of_a_pdf_have_alternative_text(sheet: Sheet, tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(Press(sheet, PRINTER).render(Order("solutions", "en", "pdf")))
    with pikepdf.open(tmp_path / "x.pdf") as pdf:
        found = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/S") == "/Figure"]
        assert len(found) == 5
        assert "Four shapes, one below the other" in {str(o.get("/Alt")) for o in found}
        fonts = {str(o.get("/BaseFont")) for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and "/BaseFont" in o}
    assert all(re.search("Libertinus|NotoS|NewCM|DejaVu", name) for name in fonts), fonts


def test_files_beside_the_documents_are_those_that_they_name(tmp_path: Path) -> None:
    build([write_manifest(tmp_path)], KINDS, PRINTER, Wanted(("tex", "md"), out=tmp_path))
    folder = tmp_path / "sample"
    named: set[str] = set()
    for file in (*folder.glob("*.tex"), *folder.glob("*.md")):
        named |= set(re.findall(r"figures/[\w.-]+\.(?:pdf|svg)", file.read_text(encoding="utf-8")))
    assert {p.relative_to(folder).as_posix() for p in (folder / "figures").iterdir()} == named
    assert len(named) == 20
    student = (folder / "sample-student-en.md").read_text(encoding="utf-8")
    assert student.count("figures/") == 1
    for file in (folder / "figures").glob("*.pdf"):
        with pikepdf.open(file) as pdf:
            assert len(pdf.pages) == 1
            assert "/StructTreeRoot" in pdf.Root


def test_keys_and_student_copies_show_no_picture_of_the_solution(sheet: Sheet) -> None:
    press = Press(sheet, PRINTER)
    assert 'class="picture"' not in press.source(Order("key", "en", "html"))
    assert press.source(Order("student", "en", "html")).count('class="picture"') == 1
    assert press.pictures(Order("key", "en", "md")) == {}
    assert len(press.pictures(Order("student", "en", "md"))) == 1


def test_formulas_in_alternative_text_are_spoken(sheet: Sheet) -> None:
    from proofs.terms import var

    exercise = sheet.activities[0].exercises[-1]
    figure = exercise.task[1]
    assert isinstance(figure, Figure)
    spoken = replace(figure, alt=Formula(var("d_model", "integer")))
    changed = replace(exercise, task=(exercise.task[0], spoken))
    other = replace(sheet, activities=(replace(sheet.activities[0], exercises=(changed,)),))
    assert 'aria-label="d sub model"' in Press(other, PRINTER).source(Order("student", "en", "html"))
