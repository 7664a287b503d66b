"""All documents or none; the same order gives the same bytes; what is printed is what was said."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from markdown_it import MarkdownIt

from derive.errors import DeriveError
from derive.sheets.assemble import assemble
from derive.sheets.blocks import Sheet
from derive.sheets.build import Wanted, build
from derive.sheets.documents import Order, Press, chains, formulas
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import read
from derive.sheets.targets import EDITIONS, FORMATS
from derive.writing import write_all
from tests.sheets.sample import KINDS, MANIFEST, write_manifest

MARKUP = (
    r"""# $ \ { } < > & % _ ^ ~ * [ ] ` | " ' @ = - + 1. #x <b>&amp; $x$ ${x} """
    r"""{{x}} {% x %} << x >> \textbf{x} <!-- // /*"""
)
PRINTER = TermPrinter()


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    return assemble(read(write_manifest(tmp_path_factory.mktemp("sheet")), KINDS), KINDS)


def titled(sheet: Sheet, title: str) -> Sheet:
    return replace(sheet, title=replace(sheet.title, zh=title, en=title))


def pdf_text(pdf: bytes, folder: Path) -> str:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    (folder / "x.pdf").write_bytes(pdf)
    return subprocess.run(
        ["pdftotext", "-layout", "x.pdf", "-"], cwd=folder, capture_output=True, check=True
    ).stdout.decode()


def test_all_twenty_four_documents_stand_where_they_should(tmp_path: Path) -> None:
    written = build([write_manifest(tmp_path)], KINDS, PRINTER, Wanted(out=tmp_path / "out"))
    names = {f"sample-{e}-{lang}.{f}" for e in EDITIONS for lang in ("zh", "en") for f in FORMATS}
    assert {p.relative_to(tmp_path / "out/sample").as_posix() for p in written} == names
    assert {p.name for p in (tmp_path / "out/sample").iterdir() if p.is_file()} == names


def test_a_second_build_gives_the_same_bytes(tmp_path: Path, sheet: Sheet) -> None:
    for format in FORMATS:
        for lang in ("zh", "en"):
            order = Order("solutions", "zh" if lang == "zh" else "en", format)
            assert Press(sheet, PRINTER).render(order) == Press(sheet, PRINTER).render(order)


def test_a_web_page_does_not_depend_on_what_else_is_ordered(sheet: Sheet) -> None:
    press = Press(sheet, PRINTER)
    press.render(Order("student", "zh", "html"))
    assert press.render(Order("key", "zh", "html")) == Press(sheet, PRINTER).render(Order("key", "zh", "html"))


@pytest.mark.parametrize("name", ["letter", "large"])
def test_paper_and_large_print_are_in_the_name_and_in_the_page(tmp_path: Path, name: str) -> None:
    wanted = Wanted(
        ("pdf",), ("en",), ("student",), ("letter",) if name == "letter" else ("a4",), name == "large", out=tmp_path
    )
    (path,) = build([write_manifest(tmp_path)], KINDS, PRINTER, wanted)
    assert path.name == f"sample-student-en-{name}.pdf"
    with pikepdf.open(path) as pdf:
        width, height = (float(x) for x in pdf.pages[0].MediaBox[2:])  # type: ignore[union-attr]
    assert (round(width), round(height)) == ((612, 792) if name == "letter" else (595, 842))


def test_a_pdf_is_tagged_and_says_its_language_and_title_and_no_date(sheet: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(Press(sheet, PRINTER).render(Order("solutions", "zh", "pdf")))
    with pikepdf.open(path) as pdf:
        assert "/StructTreeRoot" in pdf.Root
        assert str(pdf.Root.Lang).startswith("zh")
        assert bool(pdf.Root.MarkInfo.Marked)
        assert pdf.Root.ViewerPreferences.DisplayDocTitle
        assert str(pdf.docinfo["/Title"]) == "多头注意力与数值稳定性"
        assert "/CreationDate" not in pdf.docinfo
        assert b"pdfuaid" in pdf.Root.Metadata.read_bytes()


def test_every_formula_of_a_pdf_has_its_spoken_text(sheet: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(Press(sheet, PRINTER).render(Order("solutions", "en", "pdf")))
    with pikepdf.open(path) as pdf:
        spoken = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/S") == "/Formula"]
        assert len(spoken) >= 12
        assert all("/Alt" in o for o in spoken)


def test_the_solutions_print_the_numbers_and_the_reasons(sheet: Sheet, tmp_path: Path) -> None:
    text = pdf_text(Press(sheet, PRINTER).render(Order("solutions", "en", "pdf")), tmp_path)
    for words in (
        "4,194,304",
        "4,198,400",
        "definition of softmax",
        "constant factor",
        "second verifier",
        "Page 1 of",
        "Seed 45",
    ):
        assert words in text
    text = pdf_text(Press(sheet, PRINTER).render(Order("solutions", "zh", "pdf")), tmp_path)
    for words in ("4,194,304", "softmax 的定义", "第二个验证器", "第 1 页"):
        assert words in text


def test_student_copies_hold_no_answer(sheet: Sheet) -> None:
    for format in FORMATS:
        text = Press(sheet, PRINTER).source(Order("student", "en", format))
        assert "4,194,304" not in text
        assert "4,198,400" not in text
        assert "because the factor cancels" not in text
        assert "definition of softmax" not in text


def test_nothing_of_a_page_is_outside_its_margins(sheet: Sheet, tmp_path: Path) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    (tmp_path / "x.pdf").write_bytes(Press(sheet, PRINTER).render(Order("solutions", "en", "pdf")))
    boxes = subprocess.run(
        ["pdftotext", "-bbox", "x.pdf", "-"], cwd=tmp_path, capture_output=True, check=True
    ).stdout.decode()
    sides = [(float(a), float(b)) for a, b in re.findall(r'<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)"', boxes)]
    assert len(sides) > 200
    margin = 2.3 / 2.54 * 72
    assert min(a for a, _ in sides) >= margin - 1
    assert max(b for _, b in sides) <= 595.28 - margin + 1


def test_markup_characters_of_all_targets_are_printed_as_they_stand(sheet: Sheet, tmp_path: Path) -> None:
    press = Press(titled(sheet, MARKUP), PRINTER)
    shown = "".join(pdf_text(press.render(Order("key", "en", "pdf")), tmp_path).split())
    assert shown.startswith("".join(MARKUP.split()))  # how wide a space is set is another matter
    page = press.source(Order("key", "en", "html"))
    assert "<h1># $ \\ { } &lt; &gt; &amp; % _ ^ ~ * [ ] ` | &#34; &#39; @ = - + 1. #x &lt;b&gt;&amp;amp;" in page
    assert "<b>" not in page
    tex = press.source(Order("key", "en", "tex"))
    assert (
        r"\# \$ \textbackslash{} \{ \} \textless{} \textgreater{} \& \% \_ \textasciicircum{} \textasciitilde{} * {[}"
        in tex
    )
    html = MarkdownIt("commonmark").render(press.source(Order("key", "en", "md")))
    plain = re.sub(r"<[^>]*>", "", html.split("</h1>")[0])
    assert plain == MARKUP.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def test_css_strings_can_not_be_left(sheet: Sheet) -> None:
    page = Press(titled(sheet, '</style><script>x</script>" ; } \\'), PRINTER).source(Order("key", "en", "html"))
    assert "<script>" not in page
    assert page.count("</style>") == 1


def test_markdown_tables_and_lists_parse(sheet: Sheet) -> None:
    html = MarkdownIt("commonmark").enable("table").render(Press(sheet, PRINTER).source(Order("solutions", "en", "md")))
    assert html.count("<table>") == 4
    assert "<h1>Multi-head attention and numerical stability</h1>" in html
    assert html.count("<h3>") == 4


def test_a_character_that_no_font_has_is_an_error(sheet: Sheet) -> None:
    for format in FORMATS:
        for character in ("\u1234", "\U0001f600"):
            with pytest.raises(DeriveError) as caught:
                Press(titled(sheet, f"a{character}b"), PRINTER).render(Order("key", "en", format))
            assert caught.value.code == "no-glyph"


def test_seed_and_exercises_reach_the_page_but_no_path_and_no_date(sheet: Sheet, tmp_path: Path) -> None:
    for format in FORMATS:
        text = Press(replace(sheet, seed=987654321), PRINTER).source(Order("solutions", "en", format))
        assert "987654321" in text
        assert not re.search(r"20\d\d-\d\d-\d\d", text.replace("2026-10-30", ""))


def test_a_manifest_with_one_bad_exercise_writes_nothing(tmp_path: Path) -> None:
    path = write_manifest(tmp_path, MANIFEST.replace("h = 16", "h = 15"))
    with pytest.raises(DeriveError) as caught:
        build([path], KINDS, PRINTER, Wanted(out=tmp_path / "out"))
    assert caught.value.params["where"] == "exercise 45-04.1a"
    assert not (tmp_path / "out").exists()


def test_two_sheets_of_one_name_are_refused(tmp_path: Path) -> None:
    paths = [write_manifest(tmp_path), write_manifest(tmp_path, name="other.toml")]
    with pytest.raises(DeriveError) as caught:
        build(paths, KINDS, PRINTER, Wanted(out=tmp_path / "out"))
    assert caught.value.code == "sheet-twice"


def test_an_output_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("here first")
    with pytest.raises(DeriveError) as caught:
        build([write_manifest(tmp_path)], KINDS, PRINTER, Wanted(("md",), out=tmp_path / "out"))
    assert caught.value.code == "out-unwritable"
    assert (tmp_path / "out").read_text() == "here first"


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a").write_bytes(b"old")
    write = os.write

    def failing(descriptor: int, content: bytes) -> int:
        if content == b"second":
            raise OSError(5, os.strerror(5))
        return write(descriptor, content)

    monkeypatch.setattr(os, "write", failing)
    with pytest.raises(DeriveError) as caught:
        write_all({tmp_path / "s" / "a": b"first", tmp_path / "t" / "b": b"second"})
    assert caught.value.code == "out-unwritable"
    assert caught.value.params["path"] == str(tmp_path / "t" / "b")
    assert (tmp_path / "s" / "a").read_bytes() == b"old"
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a", "s"]


def test_chains_and_formulas_of_a_sheet_can_be_listed(sheet: Sheet) -> None:
    assert len(chains(sheet)) == 3
    assert len(formulas(sheet)) > 20


def test_what_latex_has_no_letter_for_is_a_symbol_or_an_error(sheet: Sheet) -> None:
    tex = Press(titled(sheet, "α ≈ λ² ≤ Ω"), PRINTER).source(Order("key", "en", "tex"))
    symbols = (r"\alpha", r"\approx", r"\lambda", "^{2}", r"\leq", r"\Omega")
    assert " ".join(rf"\ensuremath{{{s}}}" for s in symbols).replace("} \\ensuremath{^{2}", "}\\ensuremath{^{2}") in tex
    with pytest.raises(DeriveError) as caught:
        Press(titled(sheet, "\u0416"), PRINTER).source(Order("key", "en", "tex"))
    assert caught.value.code == "no-glyph-in-latex"
