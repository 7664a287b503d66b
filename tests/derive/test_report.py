"""The trust page says what was checked and by whom, and counts what is trusted; runs differ in their times alone."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from derive import cli
from derive.errors import DeriveError
from derive.library import LibraryTheorem, theorems
from derive.coq import CoqOutcome, Opinion
from derive.report import graph, page
from derive.report.evidence import Evidence, gather, tally
from derive.report.page import places, time, written
from derive.report.trusted import (
    borrowed, coq_lines, family, imports, kernel_lines, replay_lines, rules, table, untheorematic,
)  # fmt: skip
from derive.sheets.blocks import Language, Message
from derive.sheets.formulas import TermPrinter
from derive.sheets.prose import catalogue
from derive.sheets.targets.html import Html
from derive.theorems import Outcome, RegisteredTheorem, Verdict
from proofs import kernel, replay, terms
from proofs.kernel import AXIOMS
from proofs.syntax import to_latex

SVG = "{http://www.w3.org/2000/svg}"
Checked = Sequence[tuple[RegisteredTheorem, Outcome]]


@pytest.fixture(scope="module")
def checked() -> Checked:
    return [(t, t.check(0)) for t in theorems().values()]


@pytest.fixture(scope="module")
def evidence(checked: Checked) -> tuple[Evidence, ...]:
    return gather(checked)


@pytest.fixture(scope="module", params=["en", "zh"])
def texts(request: pytest.FixtureRequest, checked: Checked) -> tuple[Language, str, str]:
    lang: Language = request.param
    return (lang, *written(checked, 0, lang))


def article(text: str, name: str) -> str:
    found = re.search(rf'<article id="theorem-{name}">(.*?)</article>', text, re.DOTALL)
    assert found
    return found[1]


# --- what the page says ------------------------------------------------------------------------------------


def test_every_theorem_stands_with_its_certificate(texts: tuple[Language, str, str], checked: Checked) -> None:
    _, html, markdown = texts
    for theorem, outcome in checked:
        digest = hashlib.sha256(outcome.certificate.encode()).hexdigest()
        assert digest in article(html, theorem.name)
        assert markdown.count(digest) == 1
        assert f"`{theorem.name}`" in markdown


def test_what_is_counted_is_what_the_certificates_hold(evidence: tuple[Evidence, ...], checked: Checked) -> None:
    for e, (_, outcome) in zip(evidence, checked, strict=True):
        lines = [json.loads(line) for line in outcome.certificate.splitlines()]
        made = [x for x in lines if "rule" in x]
        assert e.tally.rules == Counter(x["rule"] for x in made)
        assert e.tally.rows == Counter(x["parameters"][0]["text"] for x in made if x["rule"] == "axiom")
        assert e.tally.inferences == len(made)
        assert {d.name for d in e.definitions} == {x["name"] for x in lines if "definition" in x}
        assert set(e.tally.rules) <= set(rules())
        assert set(e.tally.rows) <= set(AXIOMS)


def test_the_lines_of_a_chain_account_for_all_of_its_proof(evidence: tuple[Evidence, ...]) -> None:
    for e in evidence:
        used = [x.tally for x in e.lines]
        assert set(e.tally.rows) == {row for t in used for row in t.rows}
        assert set(e.tally.unfolded) == {d for t in used for d in t.unfolded}
        assert max(t.inferences for t in used) <= e.tally.inferences <= sum(t.inferences for t in used)
        assert e.outcome.proof is not None
        rests = {p for x in e.lines for p in (e.outcome.proof.statement.assumptions()[n] for n in x.assumptions)}
        assert rests == set(e.outcome.proof.theorem.hypotheses)


def test_all_verdicts_are_on_the_page(texts: tuple[Language, str, str], checked: Checked) -> None:
    lang, html, markdown = texts
    prose = catalogue(lang)
    accepted, agreed, none = (prose.plain(f"prove.{k}") for k in ("accepted", "agreed", "not-asked"))
    for theorem, outcome in checked:
        here = article(html, theorem.name)
        assert here.count(f"</span> {accepted}</span>") == 2
        asked = outcome.sympy.said == "agreed"
        assert here.count(f"</span> {agreed}</span>") == 2 + asked
        assert here.count(f"</span> {none}</span>") == 2 - asked
    assert 'class="said refused"' not in html
    assert prose.plain("report.all-proved", n=len(checked)) in markdown


def test_what_is_trusted_is_counted_now(texts: tuple[Language, str, str]) -> None:
    _, html, markdown = texts
    for text in (html, markdown):
        assert re.search(rf"\b{kernel_lines()}\b.+\b{len(rules())}\b.+\b{len(AXIOMS)}\b", text)
        assert re.search(rf"\b{replay_lines()}\b", text)
    for name in AXIOMS:
        assert f"| `{name}` |" in markdown
        assert f"<code>{name}</code>" in html


def test_what_everything_else_rests_on_is_named_and_counted_now(texts: tuple[Language, str, str]) -> None:
    lang, html, markdown = texts
    parts = untheorematic()
    assert [p.key for p in parts] == ["reader", "defined", "compiled", "models", "closed-forms", "intervals"]
    assert all(part.lines > 0 for part in parts)
    for part in parts:
        assert f"report.else-{part.key}" in catalogue(lang)
        assert f"{part.lines:,}" in markdown
        assert f"{part.lines:,}" in html
    assert {"proofs.syntax.derivation", "derive.answers.reading"} <= set(parts[0].names)


def test_a_second_seed_and_the_versions_are_named(checked: Checked) -> None:
    html, markdown = written(checked[:1], 31, "en")
    assert re.search(r"\| seed of the instances \| 31 \|", markdown)
    assert "<dd>31</dd>" in html
    import numpy
    import sympy

    assert f"`{numpy.__version__}`" in markdown
    assert f"`{sympy.__version__}`" in markdown


def test_the_rules_are_those_that_the_kernel_names() -> None:
    listed = (kernel.__doc__ or "").split("in order:")[1].split("Algorithms")[0].split()
    assert list(rules()) == listed
    for lang in ("en", "zh"):
        prose = catalogue(lang)
        assert all(f"report.allows.{name}" in prose for name in rules())
        assert {key for key in prose.sentences if key.startswith("report.allows.")} == {
            f"report.allows.{name}" for name in rules()
        }


def test_every_axiom_belongs_to_a_family_with_a_name() -> None:
    assert [a.name for rows in table().values() for a in rows] == sorted(
        AXIOMS, key=lambda name: (list(table()).index(family(name)), list(AXIOMS).index(name))
    )
    assert all(rows and f"report.family-{group}" in catalogue("en") for group, rows in table().items())


def test_lines_of_coq_are_counted_without_comments() -> None:
    assert coq_lines("(* a\n b (* c *)\n*) Lemma x : True.\n\n  exact I. (* d *)\nQed.") == 3
    assert coq_lines("") == 0


def test_a_case_of_another_theorem_is_named(checked: Checked) -> None:
    html, markdown = written(checked, 0, "en")
    assert "softmax-shift-invariance" in article(html, "softmax-maximum-shift")
    assert "softmax-maximum-shift" not in article(html, "softmax-shift-invariance")
    assert "case of: `softmax-shift-invariance`" in markdown


# --- what was refused --------------------------------------------------------------------------------------


def test_a_refused_theorem_is_said_to_be_refused_and_not_shown() -> None:
    right = theorems()["softmax-sum-one"]
    assert isinstance(right, LibraryTheorem)
    wrong = LibraryTheorem(replace(right.result, text=right.result.text.replace("= 1", "= 2")))
    html, markdown = written([(wrong, wrong.check(0))], 0, "en")
    here = article(html, "softmax-sum-one")
    assert "refused" in here
    assert "</span> accepted</span>" not in here
    assert "The derivation is not shown" in here
    assert '<div class="chain">' not in here
    assert "1 of 1 theorem failed" in markdown
    assert "| kernel | ✗ refused |" in markdown


def test_numbers_that_contradict_keep_a_derivation_off_the_page(checked: Checked) -> None:
    theorem, outcome = checked[0]
    wrong = replace(outcome, numpy=Verdict("disagreed"), largest_deviation=0.5)
    html, markdown = written([(theorem, wrong)], 0, "en")
    assert "| kernel | ✓ accepted |" in markdown
    assert re.search(r"\| NumPy \| ✗ disagreed \| \d+ instances, .*largest deviation 5.0e-01 \|", markdown)
    assert '<div class="chain">' not in html
    assert "failed" in markdown


def test_a_replay_that_refuses_is_told_apart_from_the_kernel(checked: Checked) -> None:
    theorem, outcome = checked[0]
    _, markdown = written([(theorem, replace(outcome, replay=Verdict("refused")))], 0, "en")
    assert "| kernel | ✓ accepted |" in markdown
    assert "| second verifier | ✗ refused |" in markdown
    assert "displaystyle \\operatorname{entries}" not in markdown


def test_who_could_not_be_asked_is_told_apart_from_who_disagrees(checked: Checked) -> None:
    theorem, outcome = checked[0]
    unasked = Verdict("could-not-be-asked", Message("prove.no-twin", {"name": "entries"}))
    _, markdown = written([(theorem, replace(outcome, numpy=unasked))], 0, "en")
    assert "| NumPy | ? could not be asked | the NumPy reference has no function entries" in markdown
    assert "1 of 1 theorem failed" in markdown


def test_what_failed_is_not_said_to_rest_on_anything(checked: Checked) -> None:
    theorem, outcome = checked[0]
    refused = [(theorem, replace(outcome, replay=Verdict("refused"))), checked[1]]
    html, markdown = written(refused, 0, "en")
    listed = markdown.partition("## What the proofs rest on")[2].partition("## Theorems")[0]
    assert f"`{theorem.name}`" not in listed
    assert checked[1][0].name in listed
    assert html.count('id="theorem-') == 2


def test_numerals_are_counted_and_each_is_a_fraction(checked: Checked) -> None:
    run = page.Run(gather(checked), 0)
    right, n = run.numerals
    assert right == n > 1000
    text = (
        f"**Python**, and its integers above all: of the {n:,} numerals in the certificates of this run, {right:,} are"
    )
    assert text in page.markdown(run, "en")
    assert tally(['{"term":0,"op":"num","data":"0.5"}', '{"term":1,"op":"num","data":"-1/2"}']).exact == 1


def test_kernel_and_second_verifier_import_what_the_page_says() -> None:
    assert borrowed(kernel, terms) == borrowed(replay) == ()
    assert "proofs.terms" in imports(kernel)


def test_a_wrong_printer_shows_on_the_page(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(to_latex._SIGNS, "le", "<")
    html, markdown = written(checked[:1], 0, "en")
    assert "| printed formulas | ✗ disagreed |" in markdown
    assert "1 of 1 theorem failed" in markdown
    assert "disagreed" in article(html, checked[0][0].name)
    assert '<div class="chain">' not in html


# --- Coq ---------------------------------------------------------------------------------------------------


def test_coq_is_never_said_to_have_accepted_what_it_was_not_asked(
    checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version, said in (
        (None, "Coq is not on this machine"),
        ("8.16.1", "Coq was not asked in this run; --check-with coq asks it"),
    ):
        monkeypatch.setattr(page, "installed", lambda version=version: version)
        html, markdown = written(checked[:2], 0, "en")
        assert markdown.count(f"| Coq | – not asked | {said} |") == 2
        assert said in article(html, checked[0][0].name)
        assert "Where Coq accepted too" not in markdown


def test_what_coq_says_stands_with_each_theorem(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "installed", lambda: "8.16.1")
    first, second = (t.name for t, _ in checked[:2])
    said = {
        first: CoqOutcome(first, "accepted", None, 0.5),
        second: CoqOutcome(second, "refused", "Error: line <3> |\nrefused", 0.5),
    }
    outcomes = [(t, replace(o, coq=said[t.name].verdict) if t.name in said else o) for t, o in checked[:3]]
    html, markdown = written(outcomes, 0, "en", Opinion(said, False))
    rows = re.findall(r"^\| Coq \| (.+?) \| (.*?) \| (.*?) \|$", markdown, re.MULTILINE)
    assert rows[-3:] == [
        ("✓ accepted", "", "500 ms"),
        ("✗ refused", r"Error: line \<3\> \| refused", "500 ms"),
        ("– not asked", "Coq was not asked in this run; --check-with coq asks it", ""),
    ]
    assert "Error: line &lt;3&gt; | refused" in article(html, second)
    assert ['<div class="chain">' in article(html, t.name) for t, _ in checked[:3]] == [True, False, True]
    assert "Where Coq accepted too" in markdown
    assert "1 of 3 theorems failed" in markdown


# --- the same in every run ---------------------------------------------------------------------------------

TIMES = re.compile(r"\b\d+(?:\.\d)? m?s\b")
RUN = """
import sys
from pathlib import Path
from derive import cli
sys.argv = ["derive", "prove", "softmax-shift-invariance", "masked-head-causality", "--report", sys.argv[1],
            "--lang", sys.argv[2], "--format", "json"]
sys.exit(cli.main())
"""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_two_runs_differ_in_their_times_alone(tmp_path: Path, lang: str) -> None:
    made = []
    for seed in ("1", "2"):
        out = tmp_path / seed / "trust"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", RUN, str(out), lang], capture_output=True, check=True, env=environment
        )
        assert [t["verdict"] for t in json.loads(done.stdout)["theorems"]] == ["proved", "proved"]
        made.append([TIMES.sub("", out.with_suffix(s).read_text(encoding="utf-8")) for s in (".html", ".md")])
    assert made[0] == made[1]


def test_times_are_rounded_to_what_they_are_worth() -> None:
    assert [time(s) for s in (None, 0, 0.0004, 0.9994, 0.9996, 9.94, 100.4)] == [
        "", "0 ms", "0 ms", "999 ms", "1.0 s", "9.9 s", "100 s",
    ]  # fmt: skip


def test_each_stage_is_timed(checked: Checked) -> None:
    for _, outcome in checked:
        spent = [outcome.verdicts[who].seconds for who in ("kernel", "replay", "numpy")]
        assert min(spent) > 0
        assert sum(spent) <= outcome.seconds


# --- the files ---------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["derive", *arguments])
    return cli.main()


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("trust", ("trust.html", "trust.md")),
        ("a/trust.html", ("a/trust.html", "a/trust.md")),
        ("trust.MD", ("trust.html", "trust.md")),
        ("run-1.2", ("run-1.2.html", "run-1.2.md")),
        (".hidden", (".hidden.html", ".hidden.md")),
    ],
)
def test_both_files_have_one_name(file: str, names: tuple[str, str]) -> None:
    assert tuple(map(str, places(file))) == names


@pytest.mark.parametrize("file", ["", ".", "..", "a/", "a/.."])
def test_what_names_no_file_is_refused(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DeriveError):
        places(file)
    assert run(monkeypatch, "prove", "softmax-sum-one", "--report", file, "--lang", "en") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"derive: --report {file}: ")
    assert said.err.count("\n") == 1


def test_a_place_that_can_not_be_written_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert run(monkeypatch, "prove", "softmax-sum-one", "--report", str(tmp_path / "file/x"), "--lang", "en") == 2
    said = capsys.readouterr().err
    assert "can’t write" in said
    assert said.count("\n") == 1


def test_the_report_changes_nothing_of_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for more in ((), ("--report", str(tmp_path / "trust.md"))):
        assert run(monkeypatch, "prove", "softmax-sum-one", "--format", "json", *more) == 0
        (entry,) = json.loads(capsys.readouterr().out)["theorems"]
        entry.pop("seconds")
        printed.append(entry)
    assert printed[0] == printed[1]
    assert {p.name for p in tmp_path.iterdir()} == {"trust.html", "trust.md"}
    assert list(printed[0]) == [
        "name", "title", "verdict", "kernel", "replay", "sympy", "numpy", "numbers", "free",
    ]  # fmt: skip


# --- the page ----------------------------------------------------------------------------------------------


class Links(HTMLParser):
    """The ids, the links, and everything that a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.tags: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in ("href", "src"):
                self.loaded.append(value or "")


def test_the_page_needs_nothing_else_and_its_links_lead_somewhere(texts: tuple[Language, str, str]) -> None:
    _, html, _ = texts
    found = Links()
    found.feed(html)
    assert len(set(found.ids)) == len(found.ids)
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids)
    assert all(link.startswith("#") for link in found.links)
    assert all(place.startswith("data:") for place in found.loaded)
    assert found.tags["script"] == 0
    bare = re.sub(r"url\(\"data:[^\"]*\"\)", "", html).replace("http://www.w3.org/2000/svg", "")
    assert "url(" not in bare
    assert "@import" not in bare
    assert not re.search(r"https?://(?!www\.w3\.org/)", bare)
    assert "{{" not in bare
    assert "@math-font@" not in html


def test_each_language_is_whole(texts: tuple[Language, str, str]) -> None:
    lang, html, markdown = texts
    han = re.compile(r"[\u4e00-\u9fff]")
    assert bool(han.search(markdown)) == (lang == "zh")
    assert f'<html lang="{"zh-CN" if lang == "zh" else "en"}">' in html
    for key in ("title", "heading-trust", "heading-not-trust", "heading-axioms"):
        assert catalogue(lang).plain(f"report.{key}") in html
        assert catalogue(lang).plain(f"report.{key}") in markdown


def test_every_table_in_markdown_has_cells_for_its_head(texts: tuple[Language, str, str]) -> None:
    _, _, markdown = texts
    cells = 0
    for line in markdown.split("\n"):
        if not line.startswith("|"):
            cells = 0
            continue
        here = len(re.findall(r"(?<!\\)\|", line)) - 1
        assert here == (cells or here), line
        cells = here


# --- the pictures ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_picture_joins_theorems_to_what_their_certificates_use(
    lang: Language, evidence: tuple[Evidence, ...], checked: Checked
) -> None:
    drawn = graph.overall(evidence, Html(lang, TermPrinter()))
    joined = {e.ends for e in drawn.edges}
    wanted: set[tuple[str, str]] = set()
    for k, (_, outcome) in enumerate(checked):
        for x in map(json.loads, outcome.certificate.splitlines()):
            texts = [p["text"] for p in x.get("parameters", []) if isinstance(p, dict) and "text" in p]
            if x.get("rule") == "axiom":
                wanted.add((f"t{k}", f"r-{texts[0]}"))
            if x.get("rule") == "definition":
                wanted |= {(f"d-{d}", f"t{k}") for d in texts}
    assert joined == wanted
    assert len(drawn.edges) == len(joined)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_drawn_over_another_or_outside(lang: Language, evidence: tuple[Evidence, ...]) -> None:
    target = Html(lang, TermPrinter())
    drawings = [graph.overall(evidence, target)]
    for e in evidence:
        assert e.outcome.statement is not None
        drawings.append(graph.of_theorem(e, target, page._assumptions(e.outcome.statement)))
    for d in drawings:
        names = {n.name for n in d.nodes}
        assert len(names) == len(d.nodes)
        assert all(a in names and b in names for a, b in (e.ends for e in d.edges))
        for n in d.nodes:
            assert n.x >= 0
            assert n.x + n.width <= d.width
            assert n.y >= 0
            assert n.y + n.height <= d.height
            for label in n.labels:
                assert label.x + graph.breadth(label.runs, label.size) <= n.x + n.width
                assert n.y < label.y < n.y + n.height
        for a in d.nodes:
            for b in d.nodes:
                apart = a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
                assert a is b or apart
        placed = {n.name: n for n in d.nodes}
        for e in d.edges:
            a, b = placed[e.ends[0]], placed[e.ends[1]]
            assert (e.x1, e.y1) == (a.x + a.width, a.y + a.height / 2)
            assert (e.x2, e.y2) == (b.x, b.y + b.height / 2)


def test_the_drawings_are_vectors_with_a_text_beside_them(texts: tuple[Language, str, str], checked: Checked) -> None:
    _, html, _ = texts
    drawn = re.findall(r'<div class="picture" role="img" tabindex="0" aria-label="([^"]+)"[^>]*>\n(<svg.*?</svg>)',
                       html, re.DOTALL)  # fmt: skip
    assert len(drawn) == 1 + len(checked)
    for alt, svg in drawn:
        assert len(alt) > 20
        root = ElementTree.fromstring(svg)
        assert len(root.findall(f".//{SVG}path")) >= 1
        assert len(root.findall(f".//{SVG}rect")) >= 2
    edges = len(re.findall('<path class="link', drawn[0][1]))
    assert str(edges) in drawn[0][0]
