"""The sheet of day 45: both formula printers agree on every formula that it prints, and its values are right."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from derive.sheets.assemble import assemble
from derive.sheets.blocks import Sheet
from derive.sheets.documents import Order, Press, formulas
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import read
from derive.worked import kinds
from proofs.syntax.to_latex import to_latex
from proofs.syntax.to_typst import to_typst
from proofs.terms import Term
from tests.formula_tokens import differences

MANIFEST = Path(__file__).parent.parent / "build" / "day45.toml"
VALUES = ("2,362,368", "4,198,400", "4,194,304", "2,359,296", "3,072", "0.1192029", "0.8807971")


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return assemble(read(MANIFEST, kinds()), kinds())


@pytest.mark.parametrize("display", [True, False])
def test_every_formula_of_the_sheet_is_printed_alike_by_both_printers(sheet: Sheet, display: bool) -> None:
    pairs = []
    for formula in formulas(sheet):
        assert isinstance(formula.term, Term)
        marks = formula.marked
        pairs.append((to_latex(formula.term, marks, display), to_typst(formula.term, marks, display)))
    assert len(pairs) > 100
    assert differences(pairs, display) == []


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is not installed")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_solutions_hold_the_values_of_the_day_and_every_chain(sheet: Sheet, lang: str, tmp_path: Path) -> None:
    path = tmp_path / "solutions.pdf"
    path.write_bytes(Press(sheet, TermPrinter()).render(Order("solutions", "zh" if lang == "zh" else "en", "pdf")))
    done = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True)
    for value in VALUES:
        assert value in done.stdout, value
    reasons = ("提出常数因子", "约分", "已知条件") if lang == "zh" else ("constant factor", "cancel", "hypothesis")
    for reason in reasons:
        assert reason in done.stdout, reason


def test_nothing_of_a_solution_is_typed_into_the_manifest() -> None:
    text = MANIFEST.read_text(encoding="utf-8")
    for value in (*VALUES, "4194304", "4198400", "2362368"):
        assert value not in text
