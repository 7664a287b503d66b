"""Exercises are headed alike on every sheet, whether or not it is divided into activities."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from derive.sheets.assemble import assemble
from derive.sheets.blocks import Sheet
from derive.sheets.documents import Order, Press
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import read
from tests.sheets.sample import KINDS, write_manifest


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    return assemble(read(write_manifest(tmp_path_factory.mktemp("sheet")), KINDS), KINDS)


def without_activities(sheet: Sheet) -> Sheet:
    (first, *_) = sheet.activities
    return replace(sheet, activities=(replace(first, title=None, facts=(), declaration=False),))


def height(sheet: Sheet, words: str, folder: Path) -> float:
    """How high the first of these words is set in the student copy, in points."""
    (folder / "x.pdf").write_bytes(Press(sheet, TermPrinter()).render(Order("student", "en", "pdf")))
    found = subprocess.run(["pdftotext", "-bbox", "x.pdf", "-"], cwd=folder, capture_output=True, check=True).stdout
    boxes = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)<', found.decode())
    low, high = next((float(low), float(high)) for low, high, word in boxes if word == words)
    return high - low


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_a_heading_is_as_large_without_activities_as_with_them(sheet: Sheet, tmp_path: Path) -> None:
    exercise = sheet.activities[0].exercises[0]
    only = replace(exercise, title="Unmistakable")
    divided = replace(sheet, activities=(replace(sheet.activities[0], exercises=(only,)),))
    plain = without_activities(divided)
    size = height(divided, "Unmistakable", tmp_path)
    assert height(plain, "Unmistakable", tmp_path) == pytest.approx(size)
    (title, *_) = sheet.title.en.split()
    assert size < 0.75 * height(plain, title, tmp_path)
