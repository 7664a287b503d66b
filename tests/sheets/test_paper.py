"""On paper: totals, a key on one page, a marking scheme that adds up, and no heading alone at the end of a page."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.sheets.assemble import assemble
from derive.sheets.blocks import Chain, ChainLine, Credit, KeyEntry, Message, Sheet
from derive.sheets.documents import Order, Press
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import read
from derive.sheets.marking import marking, shared_out
from derive.sheets.prose import catalogue
from derive.sheets.targets import EDITIONS, PAPERS, Paper
from derive.sheets.targets.pdf import unbroken
from tests.sheets.sample import KINDS, write_manifest

PRINTER = TermPrinter()
HAS_POPPLER = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    return assemble(read(write_manifest(tmp_path_factory.mktemp("sheet")), KINDS), KINDS)


def pages(pdf: bytes, folder: Path) -> list[list[str]]:
    """The lines of each page that are not blank."""
    (folder / "x.pdf").write_bytes(pdf)
    done = subprocess.run(["pdftotext", "-layout", "x.pdf", "-"], cwd=folder, capture_output=True, check=True)
    return [[line for line in page.splitlines() if line.strip()] for page in done.stdout.decode().split("\f")[:-1]]


@given(st.integers(1, 40), st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_shared_out_points_add_up_and_no_step_is_lost(points: int, weights: list[int]) -> None:
    marks = shared_out(points, [Credit(str(k), weight) for k, weight in enumerate(weights)])
    assert sum(m.points for m in marks) == points
    assert [s for m in marks for s in m.steps] == [str(k) for k in range(len(weights))]
    assert all(m.points >= 1 for m in marks)


def test_steps_of_equal_weight_share_equally() -> None:
    assert [m.points for m in shared_out(6, [Credit("a"), Credit("b"), Credit("c")])] == [2, 2, 2]


def test_the_marking_scheme_of_every_exercise_adds_up_to_its_points(sheet: Sheet) -> None:
    for activity in sheet.activities:
        for exercise in activity.exercises:
            assert sum(m.points for m in exercise.marking) == exercise.points, exercise.id


def test_lines_of_a_chain_lose_by_what_goes_wrong_with_their_reason(sheet: Sheet) -> None:
    chain = next(b for e in sheet.activities[0].exercises for b in e.worked if isinstance(b, Chain))
    reasons = ("cancel", "arithmetic")
    lines = tuple(
        replace(line, reason=Message(f"reasons.{r}")) for line, r in zip(chain.lines, reasons, strict=False)
    )  # fmt: skip
    marks = marking(2, (), (replace(chain, lines=lines),), ())
    assert [m.loses for m in marks] == [(Message(f"marking.loses-{r}"),) for r in reasons]
    (step,) = marks[0].steps
    assert isinstance(step, ChainLine)
    assert not step.formula.marked


def test_every_reason_has_a_loss_of_its_own() -> None:
    keys = catalogue("en").sentences
    reasons = [k.removeprefix("reasons.") for k in keys if k.startswith("reasons.") and "together-" not in k]
    assert len(reasons) > 15
    assert [r for r in reasons if f"marking.loses-{r}" not in keys] == []


def test_an_exercise_without_chain_or_choice_is_marked_by_its_answers() -> None:
    (one, two) = marking(3, (), (), (KeyEntry("a"), KeyEntry("b")))
    assert (one.points, two.points) == (1, 2)
    assert marking(None, (), (), (KeyEntry("a"),)) == ()
    assert [m.points for m in marking(4, (Credit("x", 3), Credit("y")), (), (KeyEntry("a"),))] == [3, 1]


def test_student_copies_have_a_table_of_totals(sheet: Sheet) -> None:
    assert sheet.points == 11
    assert sheet.totals == (("45-04.1a", 2), ("45-04.2", 6), ("45-04.4a", 1), ("45-04.5", 2))
    two = replace(sheet, activities=(sheet.activities[0], replace(sheet.activities[0], id="45-05")))
    assert two.totals == (("45-04", 11), ("45-05", 11))
    page = Press(two, PRINTER).source(Order("student", "en", "html"))
    table = re.search(r'<table class="totals">.*?</table>', page, re.DOTALL)
    assert table
    assert re.findall(r">(\d+)<", table[0]) == ["11", "11", "22"]


@HAS_POPPLER
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_all_answers_stand_on_the_first_page_of_the_key(sheet: Sheet, lang: str, tmp_path: Path) -> None:
    (activity,) = sheet.activities
    many = tuple(replace(e, id=f"{e.id}{k}") for k in range(7) for e in activity.exercises)
    long = replace(sheet, activities=(replace(activity, exercises=many),))
    first, *rest = pages(Press(long, PRINTER).render(Order("key", "zh" if lang == "zh" else "en", "pdf")), tmp_path)
    text = "\n".join(first)
    assert all(e.id in text for e in many)
    assert "77" in text
    title = "评分标准" if lang == "zh" else "Marking scheme"
    assert title not in text
    assert title in "\n".join(rest[0][:3])
    assert all(any(e.id in line for page in rest for line in page) for e in many)


@HAS_POPPLER
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("large", [False, True])
def test_no_page_ends_with_a_heading(sheet: Sheet, paper: Paper, large: bool, tmp_path: Path) -> None:
    (activity,) = sheet.activities
    lone = re.compile(r"\s*(Solution|Note|Trap|Answer|45-04\S* .*|Look at the picture\.)\s*")
    for shift in range(3):  # other first pages, so that other places come to the end of a page
        moved = activity.exercises[shift:] + activity.exercises[:shift]
        twice = tuple(replace(e, id=f"{e.id}{k}") for k in "xy" for e in moved)
        other = replace(sheet, activities=(replace(activity, exercises=twice),))
        for edition in EDITIONS[:2]:
            for page in pages(Press(other, PRINTER).render(Order(edition, "en", "pdf", paper, large)), tmp_path):
                assert "Page" in page[-1]
                assert not lone.fullmatch(page[-2]), (edition, page[-2])


@HAS_POPPLER
def test_an_answer_is_never_alone_at_the_top_of_a_page(sheet: Sheet, tmp_path: Path) -> None:
    for shift in range(4):
        (activity,) = sheet.activities
        moved = activity.exercises[shift:] + activity.exercises[:shift]
        other = replace(sheet, activities=(replace(activity, exercises=moved * 1),))
        for page in pages(Press(other, PRINTER).render(Order("solutions", "en", "pdf")), tmp_path)[1:]:
            assert not page[1].strip().startswith("Answer"), page[:3]


def test_how_much_of_a_formula_can_not_be_broken() -> None:
    assert unbroken("x") == 1.0
    assert unbroken("f(a + b, c)*d") == 1.0
    assert unbroken("aaaa + bbbb + cccc + dddd") < 0.3
    assert unbroken("") == 0


def test_web_pages_have_contents_that_lead_to_every_exercise(sheet: Sheet) -> None:
    for edition in ("student", "solutions"):
        page = Press(sheet, PRINTER).source(Order("student" if edition == "student" else "solutions", "en", "html"))
        links = set(re.findall(r'href="#([^"]+)"', page))
        places = re.findall(r'id="([^"]+)"', page)
        assert len(places) == len(set(places))
        assert links == set(places)
        assert "<script" not in page
    key = Press(sheet, PRINTER).source(Order("key", "en", "html"))
    assert {f"marks-{e.id}" for e in sheet.activities[0].exercises} <= set(re.findall(r'href="#([^"]+)"', key))


def test_steps_of_a_derivation_are_open_at_first(sheet: Sheet) -> None:
    page = Press(sheet, PRINTER).source(Order("solutions", "en", "html"))
    assert page.count('<details class="steps" open><summary>Derivation in') == page.count("<details") - 1 == 3
