"""Web pages have no violation that axe-core finds, on a wide and on a narrow screen, in light and in dark."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
import subprocess
from pathlib import Path
from typing import Any

import pytest

from derive.coq import CoqOutcome, Opinion
from derive.library import theorem
from derive.report.page import written
from derive.sheets.blocks import Language
from derive.sheets.build import Wanted, build
from derive.sheets.formulas import TermPrinter
from tests.sheets.sample import KINDS, write_manifest

LOOKS = {
    "wide": ["--window-size=1280,900"],
    "narrow": ["--window-size=500,900"],
    "dark": ["--window-size=1280,900", "--force-dark-mode", "--blink-settings=preferredColorScheme=0"],
}
REPORT = """
<script>axe.run(document, { resultTypes: ["violations"] }).then(found => {
  document.documentElement.innerHTML = "<pre></pre>";
  document.querySelector("pre").textContent = JSON.stringify({
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    rules: found.passes.length,
    violations: found.violations.map(v => ({
      id: v.id, nodes: v.nodes.map(n => n.html.slice(0, 200) + " " + n.failureSummary)
    }))
  });
});</script>
"""


@pytest.fixture(scope="session")
def pages(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The web pages of a sheet with every kind of block."""
    folder = tmp_path_factory.mktemp("pages")
    written = build([write_manifest(folder)], KINDS, TermPrinter(), Wanted(("html",), out=folder))
    return {path.stem: path.read_text(encoding="utf-8") for path in written}


def examined(chromium: str, page: str, axe: str, look: str, folder: Path) -> Any:
    """What axe-core says of a page."""
    (folder / "page.html").write_text(
        page.replace("</body>", f"<script>{axe}</script>{REPORT}</body>"), encoding="utf-8"
    )
    command = [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command += [*LOOKS[look], "--virtual-time-budget=60000", "--dump-dom", (folder / "page.html").as_uri()]
    said = subprocess.run(command, capture_output=True, check=True, timeout=180).stdout.decode()
    found = re.search(r"<pre>(.*)</pre>", said, re.DOTALL)
    assert found, said[-500:]
    return json.loads(html.unescape(found[1]))


@pytest.mark.parametrize(("look", "lang"), [("wide", "zh"), ("narrow", "en"), ("dark", "en")])
@pytest.mark.parametrize("edition", ["student", "solutions", "key"])
def test_axe_finds_no_violation(
    chromium: str, axe: str, pages: dict[str, str], edition: str, look: str, lang: str, tmp_path: Path
) -> None:
    found = examined(chromium, pages[f"sample-{edition}-{lang}"], axe, look, tmp_path)
    assert found["dark"] == (look == "dark")
    assert found["rules"] > 15
    assert found["violations"] == []


@pytest.fixture(scope="session")
def reports(chromium: str) -> dict[str, str]:
    """The trust page over theorems with and without hypotheses, definitions and variables, all that folds unfolded.

    It forbids all scripts, so that its policy has to go before axe-core can run.
    """
    names = ("mha-parameter-count-square", "softmax-gap-bound", "softmax-500-502", "attention-layer-causality")
    outcomes = [(theorem(name), theorem(name).check(0)) for name in names]
    said = {
        names[0]: CoqOutcome(names[0], "accepted", None, 1.0),
        names[1]: CoqOutcome(names[1], "refused", "refused", 1.0),
    }
    outcomes = [(t, replace(o, coq=said[t.name].verdict) if t.name in said else o) for t, o in outcomes]
    languages: tuple[Language, ...] = ("zh", "en")
    made = {
        lang: written(outcomes, 0, lang, Opinion(said, False))[0].replace("<details", "<details open")
        for lang in languages
    }
    return {lang: re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page) for lang, page in made.items()}


@pytest.mark.parametrize(("look", "lang"), [("wide", "zh"), ("narrow", "en"), ("dark", "en")])
def test_axe_finds_no_violation_in_the_trust_page(
    chromium: str, axe: str, reports: dict[str, str], look: str, lang: str, tmp_path: Path
) -> None:
    found = examined(chromium, reports[lang], axe, look, tmp_path)
    assert found["dark"] == (look == "dark")
    assert found["rules"] > 15
    assert found["violations"] == []


def test_axe_would_find_one(chromium: str, axe: str, pages: dict[str, str], tmp_path: Path) -> None:
    page = pages["sample-solutions-en"].replace(" aria-label=", " data-label=")
    assert "role-img-alt" in {v["id"] for v in examined(chromium, page, axe, "wide", tmp_path)["violations"]}
