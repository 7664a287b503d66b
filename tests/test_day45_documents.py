"""The documents of day 45 as they are handed out: accessible on paper and on screen, and not broken badly."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from derive.sheets.build import Wanted, build
from derive.sheets.formulas import TermPrinter
from derive.sheets.targets import EDITIONS
from derive.worked import kinds
from tests.accessibility.test_pages import examined
from tests.pdf_ua import faults

MANIFEST = Path(__file__).parent.parent / "build" / "day45.toml"
TITLES = {"zh": "第 45 天：多头注意力与数值稳定性", "en": "Day 45: multi-head attention and numerical stability"}
HAS_POPPLER = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("day45")
    build([MANIFEST], kinds(), TermPrinter(), Wanted(("pdf", "html"), out=out))
    return out / "day45"


def pages(path: Path) -> list[list[str]]:
    """The lines of each page that are not blank."""
    done = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True)
    return [[line for line in page.splitlines() if line.strip()] for page in done.stdout.decode().split("\f")[:-1]]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_pdf_is_accessible(folder: Path, edition: str, lang: str) -> None:
    assert faults(folder / f"day45-{edition}-{lang}.pdf", lang, TITLES[lang]) == []


@pytest.mark.parametrize(("edition", "lang", "look"), [("solutions", "zh", "wide"), ("solutions", "en", "narrow"),
                                                       ("key", "en", "dark"), ("student", "zh", "narrow")])  # fmt: skip
def test_the_page_is_accessible(
    folder: Path, edition: str, lang: str, look: str, chromium: str, axe: str, tmp_path: Path
) -> None:
    page = (folder / f"day45-{edition}-{lang}.html").read_text(encoding="utf-8")
    assert examined(chromium, page, axe, look, tmp_path)["violations"] == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_web_page_is_wider_than_a_telephone(folder: Path, lang: str, chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        for edition in EDITIONS:
            page.goto((folder / f"day45-{edition}-{lang}.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, edition
        browser.close()


@HAS_POPPLER
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_answers_of_the_key_are_on_one_page(folder: Path, lang: str) -> None:
    first, second, *_ = pages(folder / f"day45-key-{lang}.pdf")
    ids = re.findall(r'^id = "(45-\d\d\.\S+)"', MANIFEST.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(ids) > 15
    text = "\n".join(first)
    assert [i for i in ids if not re.search(re.escape(i) + r"(?!\w)", text)] == []
    assert ("评分标准" if lang == "zh" else "Marking scheme") in "\n".join(second[:3])


@HAS_POPPLER
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("edition", ["student", "solutions"])
def test_no_page_ends_with_a_heading_or_begins_with_an_answer(folder: Path, edition: str, lang: str) -> None:
    heading = re.compile(r"\s*(Solution|解|A mistake to avoid|易错点|45-\d\d(\.\S+)?  ?\S.*)\s*")
    answer = re.compile(r"\s*(Answer|答案)\s.*")
    for page in pages(folder / f"day45-{edition}-{lang}.pdf"):
        assert not heading.fullmatch(page[-2]), page[-3:]
        assert not answer.fullmatch(page[1]), page[:3]
