"""The page: self-contained, readable without script and in print, and used as a learner would in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from derive.stepper.page import page
from derive.stepper.quiz import questions
from derive.stepper.subjects import Subject, subject

SHIFT = "softmax-shift-invariance"
NAMES = (SHIFT, "masked-head-causality", "mha-parameter-count-square", "softmax-gap-bound", "45-04.3")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name in NAMES:
        found[name] = folder / f"{name}.html"
        found[name].write_text(page(subject(name), "en"), encoding="utf-8")
    return found


class Structure(HTMLParser):
    """Tags, attributes and ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_needs_nothing_from_elsewhere(pages: dict[str, Path], name: str) -> None:
    text = pages[name].read_text(encoding="utf-8")
    found = Structure(text)
    assert not any(tag in ("img", "iframe", "object", "embed") for tag, _ in found.tags)
    assert all(a.get("href", "data:").startswith("data:") for tag, a in found.tags if tag in ("link", "a"))  # type: ignore[union-attr]
    assert not any(a.get("src") for _, a in found.tags)
    assert all(u.startswith('"data:') for u in re.findall(r"url\(([^)]*)", text))
    ids = [a["id"] for _, a in found.tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert "@math-font@" not in text
    assert "@chinese" not in text


def test_a_page_is_the_same_each_time() -> None:
    assert page(subject(SHIFT), "zh") == page(subject(SHIFT), "zh")


def test_data_can_not_end_the_element_it_stands_in(pages: dict[str, Path]) -> None:
    text = pages[SHIFT].read_text(encoding="utf-8")
    data = text.partition('id="data">')[2].partition("</script>")[0]
    assert data.rstrip().endswith("}")
    assert "<" not in data


# --- in a browser ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
    with playwright.sync_playwright() as p:
        started = p.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


class Reader:
    """A page in a browser, and what went wrong on it."""

    def __init__(self, browser: Any, path: Path, width: int = 1280, **options: Any) -> None:
        self.faults: list[str] = []
        self.context = browser.new_context(viewport={"width": width, "height": 840}, **options)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda e: self.faults.append(str(e)))
        self.page.on("console", lambda m: self.faults.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else self.faults.append(r.url))
        self.page.goto(path.as_uri())

    def visible(self) -> int:
        return int(self.page.locator(".line:visible").count())

    def value(self, line: int) -> str:
        return str(self.page.locator(".line .live").nth(line).inner_text())

    def slide(self, selector: str, to: float) -> None:
        self.page.locator(selector).evaluate(
            "(e, x) => { e.value = x; e.dispatchEvent(new Event('input', { bubbles: true })); }", to
        )

    def close(self) -> None:
        self.context.close()
        assert self.faults == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", NAMES)
def test_a_reader_steps_by_key_and_by_tap(browser: Any, pages: dict[str, Path], name: str, width: int) -> None:
    reader = Reader(browser, pages[name], width)
    all_lines = reader.page.locator(".line").count()
    assert reader.visible() == 1
    reader.page.keyboard.press("ArrowRight")
    assert reader.visible() == 2
    assert reader.page.locator(".line.now .result .changed:visible").count() > 0
    assert reader.page.locator(".line.before .source .changed:visible").count() > 0
    styles = [
        reader.page.locator(f"{s} .changed").first.evaluate("e => getComputedStyle(e).borderBottomStyle")
        for s in (".line.before .source", ".line.now .result")
    ]
    assert styles == ["dashed", "solid"]
    reader.page.keyboard.press("ArrowLeft")
    assert reader.visible() == 1
    for _ in range(all_lines - 1):
        reader.page.locator(".next").click()
    assert reader.visible() == all_lines
    assert reader.page.locator(".next").is_disabled()
    reader.page.locator(".back").click()
    assert reader.page.locator(".place").inner_text() == f"{all_lines - 1} / {all_lines}"
    reader.page.keyboard.press("Home")
    reader.page.locator(".whole").click()
    assert reader.visible() == all_lines
    reader.page.locator(".line").nth(1).locator("summary").click()
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= width
    reader.close()


def test_sliders_recompute_both_sides_of_every_line(browser: Any, pages: dict[str, Path]) -> None:
    reader = Reader(browser, pages[SHIFT])
    reader.page.locator(".whole").click()
    assert reader.value(0) == "0.09003057317"  # 1/(1 + e + e^2)
    assert reader.value(3).startswith("0.09003057317 = 0.09003057317 ✓")
    reader.slide("#n-c", -4)
    assert reader.value(4).startswith("0.09003057317 = 0.09003057317 ✓")
    reader.slide("#n-n", 2)
    assert reader.page.locator(".cell:visible").count() == 2
    assert [reader.value(k)[:12] for k in range(6)] == ["0.2689414214"] * 6  # 1/(1 + e)
    reader.slide("#e-z-2", -5)
    assert reader.value(5).startswith("0.9975273768 = 0.9975273768 ✓")  # 1/(1 + e^-6)
    reader.slide("#n-n", 4)
    assert reader.page.locator("#n-i").get_attribute("max") == "4"
    reader.page.locator(".reset").click()
    assert reader.value(0) == "0.09003057317"
    reader.close()


def test_a_hypothesis_that_fails_is_named_and_ties_follow(browser: Any, pages: dict[str, Path]) -> None:
    reader = Reader(browser, pages["mha-parameter-count-square"])
    reader.page.locator(".whole").click()
    reader.slide("#n-h", 4)
    reader.slide("#n-d_k", 2)
    assert reader.page.locator("#n-d").is_disabled()
    assert reader.value(0) == "256"  # 4 * 8^2
    reader.close()
    reader = Reader(browser, pages["softmax-gap-bound"])
    assert reader.page.locator(".holds").is_visible()
    reader.slide("#e-s-2", 5)
    assert reader.page.locator("[data-assumption]:visible").count() == 1
    reader.close()


def test_entries_that_must_agree_can_not_be_moved_apart(browser: Any, pages: dict[str, Path]) -> None:
    reader = Reader(browser, pages["masked-head-causality"])
    reader.page.locator("details.tensor").evaluate_all("all => all.forEach((d) => { d.open = true; })")
    assert reader.page.locator("#e-Q_2-1-1").is_disabled()
    assert not reader.page.locator("#e-Q_2-3-1").is_disabled()
    reader.slide("#e-Q_1-1-1", 3)
    assert reader.page.locator("#e-Q_2-1-1").input_value() == "3"
    reader.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_quiz_asks_for_the_line_and_for_its_reason(browser: Any, pages: dict[str, Path], width: int) -> None:
    found: Subject = subject(SHIFT)
    asked = questions(found, found.steps[1])
    reader = Reader(browser, pages[SHIFT], width)
    reader.page.locator(".quiz").click()
    assert reader.page.locator(".asked").inner_text() == "Which line comes next?"
    right = next(k for k, o in enumerate(asked.lines) if o.right)
    wrong = next(k for k, o in enumerate(asked.lines) if not o.right)
    options = reader.page.locator('.line-option[data-of="1"]')
    options.nth(wrong).click()
    assert "the left side is" in reader.page.locator(".answer").inner_text()
    assert reader.visible() == 1
    options.nth(right).click()
    assert reader.visible() == 2
    assert reader.page.locator(".asked").inner_text() == "✓ Right. By which reason does this line follow?"
    assert not reader.page.locator(".line.now .reason").is_visible()
    reasons = reader.page.locator(".reason-options button")
    right = next(k for k, o in enumerate(asked.reasons) if o.right)
    reasons.nth((right + 1) % len(asked.reasons)).click()
    assert reader.page.locator(".answer").inner_text().startswith("✗")
    reasons.nth(right).click()
    assert reader.page.locator(".answer").inner_text() == "✓ Right."
    assert reader.page.locator(".line.now .reason").is_visible()
    assert reader.page.locator(".score").inner_text() == "0 of 2 answered right at the first try"
    reader.page.locator(".next").click()
    reader.page.locator(".next").click()  # a question may be left without an answer
    assert reader.visible() == 3
    reader.page.locator(".quiz").click()
    assert not reader.page.locator(".question").is_visible()
    reader.close()


def test_the_languages_switch_in_place(browser: Any, pages: dict[str, Path]) -> None:
    reader = Reader(browser, pages[SHIFT])
    reader.page.keyboard.press("n")
    reader.page.locator("[data-language=zh]").click()
    assert reader.page.locator("html").get_attribute("lang") == "zh-CN"
    assert reader.page.locator("h1").inner_text() == "softmax 的平移不变性"
    assert reader.page.title() == "softmax 的平移不变性：逐步推导"
    assert reader.page.locator(".line.now .reason > p").inner_text() == "定义"
    assert reader.page.locator(".place").inner_text() == "2 / 6"
    assert "相等" in reader.value(1)
    reader.page.locator("[data-language=en]").click()
    assert reader.page.locator("h1").inner_text() == "Shift invariance of softmax"
    reader.close()


def test_without_script_every_line_is_there(browser: Any, pages: dict[str, Path]) -> None:
    reader = Reader(browser, pages[SHIFT], 390, java_script_enabled=False)
    assert reader.visible() == 6
    assert reader.page.locator(".reason > p:visible").count() == 5
    assert reader.page.locator(".static:visible").count() == 6
    assert reader.page.locator("button:visible, input:visible").count() == 0
    assert reader.page.locator(".listing li:visible").all_inner_texts() == ["n = 3", "z = [1, 2, 3]", "c = 3", "i = 1"]
    reader.close()


def test_in_print_every_line_is_there_with_its_marks(browser: Any, pages: dict[str, Path]) -> None:
    reader = Reader(browser, pages[SHIFT])
    reader.page.keyboard.press("n")
    reader.slide("#n-n", 2)
    reader.page.emulate_media(media="print")
    assert reader.visible() == 6
    assert reader.page.locator(".result:visible").count() == 6
    assert reader.page.locator(".source:visible, .bar:visible, input:visible").count() == 0
    marked = reader.page.locator(".line .result .changed")
    assert set(marked.evaluate_all("all => all.map((e) => getComputedStyle(e).borderBottomWidth)")) == {"2px"}
    assert reader.page.locator(".listing li:visible").all_inner_texts() == ["n = 2", "z = [1, 2]", "c = 3", "i = 1"]
    assert len(reader.page.pdf(format="A4")) > 10_000
    reader.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_that_can_be_used_has_a_name_and_every_text_enough_contrast(
    browser: Any, pages: dict[str, Path], scheme: str
) -> None:
    reader = Reader(browser, pages[SHIFT], color_scheme=scheme)
    for _ in range(4):
        reader.page.keyboard.press("n")
    reader.page.locator(".line.now summary").click()
    nameless = reader.page.evaluate(
        """() => [...document.querySelectorAll("button, input, summary")].filter((e) => e.checkVisibility()
          && !(e.getAttribute("aria-label") || (e.labels && [...e.labels].some((l) => l.textContent.trim()))
               || e.innerText.trim())).map((e) => e.outerHTML)"""
    )
    assert nameless == []
    assert reader.page.evaluate(CONTRAST) == []
    small = reader.page.evaluate(
        """() => [...document.querySelectorAll(".bar button")]
          .filter((e) => e.getBoundingClientRect().height < 44).length"""
    )
    assert small == 0
    reader.close()


# Texts whose colour does not stand out from what is behind them by 4.5 to 1 (WCAG 2.2, 1.4.3).
CONTRAST = """() => {
  const parse = (c) => c.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((s, v, k) => s + v * [0.2126, 0.7152, 0.0722][k], 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll("p, button:not(:disabled), summary, h1, h2, li, label, output, mi, mn")]
    .filter((e) => e.checkVisibility() && e.textContent.trim() && getComputedStyle(e).clipPath === "none")
    .map((e) => {
      const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))];
      return [e.textContent.trim().slice(0, 30), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    }).filter(([, ratio]) => ratio < 4.5);
}"""
