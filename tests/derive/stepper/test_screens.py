"""The screens: they fit 80 columns in both languages, say what they must, and need no colour; sessions are kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from derive import cli
from derive.errors import DeriveError
from derive.library import theorem, theorems
from derive.sheets.blocks import Language
from derive.sheets.prose import LANGUAGES
from derive.stepper.screens import Speaker, clipped, cut, marker, whole, wrapped
from derive.stepper.session import Session, resumed, save, saved, start
from derive.stepper.subjects import of_theorem, subject

SHIFT = "softmax-shift-invariance"


def rows(lines: list[object]) -> str:
    return "\n".join(str(line) for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [*sorted(theorems()), "45-04.3"])
def test_no_view_is_wider_than_the_screen(name: str, lang: Language) -> None:
    speaker = Speaker(lang, 80)
    place = start(subject(name))
    for _ in place.subject.steps:
        views = [speaker.head(Session((place,))), speaker.step(place), speaker.why(place), speaker.all(place)]
        views += [speaker.related(place)[0], speaker.help()]
        for view in views:
            assert max(cell_len(row.plain) for row in view) <= 80
        place = place.moved(1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_keys_fit_one_row(lang: Language) -> None:
    speaker = Speaker(lang, 80)
    for key in ("keys", "keys-away", "keys-related", "keys-inside"):
        assert cell_len(" " + speaker.say(key)) <= 80


def test_a_line_shows_both_lines_with_marks_values_and_reason() -> None:
    speaker = Speaker("en", 80)
    text = rows(list(speaker.step(start(subject(SHIFT)).to(2))))
    assert "   exp(z[i] - c)/sum(j = 1..n, exp(z[j] - c))\n   ^^^^^^^^^^^^^               ^^^^^^^^^^^^^\n" in text
    assert " = exp(z[i])*exp(-c)/sum(j = 1..n, exp(z[j])*exp(-c))\n   ^^^^^^^^^^^^^^^^^               ^^^^" in text
    assert text.count("≈ 0.0900305731704") == 2
    assert "both lines have this value" in text
    assert "because: exp of a sum" in text


def test_the_same_line_in_chinese() -> None:
    text = rows(list(Speaker("zh", 80).step(start(subject(SHIFT)).to(2))))
    assert "理由：指数律" in text
    assert "两行取值相同" in text


def test_an_inequality_is_compared_with_its_values() -> None:
    place = start(subject("softmax-gap-bound"))
    k = next(k for k, s in enumerate(place.subject.steps) if s.relation == "le" and k > 2)
    speaker = Speaker("en", 80)
    assert "✓ the relation holds here" in rows(list(speaker.step(place.to(k))))
    wrong = type(place)(place.subject, k, place.instance.with_settings("g = 9"))
    text = " ".join(rows(list(speaker.step(wrong))).split())
    assert "✗ the relation does not hold here" in text
    assert "Does not hold for these numbers" in text


def test_why_names_statement_conditions_and_where_they_come_from() -> None:
    text = rows(list(Speaker("en", 80).why(start(subject(SHIFT)).to(4))))
    assert "· exp(-c) != 0" in text
    assert "from 0 < sum(i = a..b, f[i]) (a rule), 0 < exp(x) (a rule), 1 <= n (declared)" in " ".join(text.split())
    assert "The line rests on: 1 <= n" in text


def test_a_formula_is_cut_without_losing_a_character() -> None:
    text = "sum(i = 1..h, sum(k = 1..d_v, heads(project(X, W_Q, b_Q), project(X, W_K, b_K))[i, t, k])) + b_O[m]"
    pieces = list(cut(text, 40))
    assert "".join(text[a:b] for a, b in pieces) == text
    assert all(b - a <= 40 for a, b in pieces)
    assert marker([(2, 5), (8, 9)], 4, 10) == "^   ^"
    assert marker([(2, 5)], 10, 20) == ""


def test_chinese_sentences_are_broken_by_columns_and_not_before_a_mark() -> None:
    lines = wrapped("与下标无关的因子可以提到求和号外。" * 4, 30)
    assert all(cell_len(line) <= 32 for line in lines)
    assert not any(line[0] in "，。；：" for line in lines)
    assert clipped("提出常数因子", 7) == "提出常…"


# --- over a pipe -------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["derive", *arguments])
    return cli.main()


def test_over_a_pipe_everything_is_printed_plainly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "step", SHIFT, "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.count("because:") == 5
    assert " = softmax(z)[i]" in out
    expected = [str(row).rstrip() for row in whole(subject(SHIFT), start(subject(SHIFT)).instance, Speaker("en", 80))]
    assert [line.rstrip() for line in out.splitlines()] == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("step", "nothing"), "there is no theorem or exercise nothing"),
        (("step", "softmax-shift-invariant"), "did you mean softmax-shift-invariance?"),
        (("step", "45-04.2e"), "has no derivation to step through"),
        (("step", SHIFT, "--html", "/nowhere/x.html"), "can’t write /nowhere/x.html"),
    ],
)
def test_what_can_not_be_done_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert run(monkeypatch, *arguments, "--lang", "en") == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


# --- sessions ----------------------------------------------------------------------------------------------


def test_a_lemma_is_entered_and_left_where_it_was_entered() -> None:
    session = Session((start(subject(SHIFT)).to(3),))
    inner = session.enter(of_theorem(theorem("softmax-sum-one")))
    assert (inner.inside, inner.here.subject.name, inner.here.at) == (True, "softmax-sum-one", 0)
    assert inner.leave() == session
    assert session.leave() == session


def test_a_session_is_kept_with_place_numbers_and_the_proofs_it_is_inside_of(tmp_path: Path) -> None:
    place = start(subject(SHIFT)).to(3)
    place = type(place)(place.subject, 3, place.instance.with_settings("n = 5, c = 1/3, z[4] = 9"))
    session = Session((place,)).enter(of_theorem(theorem("mha-parameter-count-square")))
    session = session.at(session.here.to(2))
    save(session, tmp_path / "kept.json")
    again = resumed(subject(SHIFT), tmp_path / "kept.json")
    assert saved(again) == saved(session)
    assert [p.at for p in again.stack] == [3, 2]
    assert again.stack[0].instance.numbers == place.instance.numbers
    assert again.stack[0].instance.tables == place.instance.tables


def test_a_session_begins_anew_where_there_is_no_file(tmp_path: Path) -> None:
    assert resumed(subject(SHIFT), tmp_path / "none.json").here.at == 0


GOOD = json.loads(saved(Session((start(subject(SHIFT)),))))


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "{}", '{"format": "derive step 1"}', '{"format": "derive step 1", "proofs": []}',
        json.dumps({**GOOD, "proofs": [{**GOOD["proofs"][0], "line": "x"}]}),
        json.dumps({**GOOD, "proofs": [{**GOOD["proofs"][0], "numbers": {"n": "1e999999"}}]}),
        json.dumps({**GOOD, "proofs": [{**GOOD["proofs"][0], "numbers": {"q": "1"}}]}),
        json.dumps({**GOOD, "proofs": [{**GOOD["proofs"][0], "entries": {"z": {"1,1": "1"}}}]}),
        json.dumps({**GOOD, "proofs": [{**GOOD["proofs"][0], "entries": {"z": {"x": "1"}}}]}),
        json.dumps({**GOOD, "proofs": GOOD["proofs"] * 9}),
        json.dumps({**GOOD, "proofs": [GOOD["proofs"][0], {"name": "nothing"}]}),
        "[" * 100_000, "x" * 1_000_001,
    ],
)  # fmt: skip
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text)
    with pytest.raises(DeriveError) as caught:
        resumed(subject(SHIFT), path)
    assert caught.value.code == "save-unreadable"
    assert path.read_text() == text


def test_the_session_of_another_proof_is_refused(tmp_path: Path) -> None:
    save(Session((start(subject("softmax-sum-one")),)), tmp_path / "kept.json")
    with pytest.raises(DeriveError) as caught:
        resumed(subject(SHIFT), tmp_path / "kept.json")
    assert caught.value.code == "save-other"


def test_nothing_is_stored_unless_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run(monkeypatch, "step", SHIFT) == 0
    assert list(tmp_path.iterdir()) == []


# --- a terminal of 80 x 24 ---------------------------------------------------------------------------------


class Terminal:
    """A terminal of 80 x 24 that a test can type into and look at."""

    def __init__(self, socket: str, command: str) -> None:
        self.socket = socket
        self.tmux("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", "-s", "s", command)
        self.tmux("set", "-g", "status", "off")

    def tmux(self, *arguments: str) -> str:
        return subprocess.run(
            ["tmux", "-L", self.socket, *arguments], check=True, capture_output=True, text=True
        ).stdout

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", "-t", "s", *keys)

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-t", "s", "-l", text)
        self.keys("Enter")

    def wait(self, text: str) -> str:
        """The screen, once the text stands on it."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            screen = self.tmux("capture-pane", "-t", "s", "-p")
            if text in screen:
                return screen
            time.sleep(0.05)
        raise AssertionError(f"{text!r} is not on the screen:\n{screen}")


@pytest.fixture
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    command = (
        f"{sys.executable} -m derive.cli step {SHIFT} --lang {request.param} --save {tmp_path}/kept.json; sleep 60"
    )
    made = Terminal(f"derive-{os.getpid()}-{request.param}", command)
    yield made
    made.tmux("kill-server")


@pytest.mark.parametrize("terminal", ["en"], indirect=True)
def test_a_reader_steps_asks_why_changes_numbers_predicts_and_enters_a_lemma(
    terminal: Terminal, tmp_path: Path
) -> None:
    assert "line 1 of 6" in terminal.wait("q quit").splitlines()[0]
    terminal.keys("Right")
    terminal.wait("line 2 of 6")
    terminal.keys("Space")
    terminal.wait("line 3 of 6")
    terminal.wait("^^^^^^^^^^^^^")
    terminal.keys("Left")
    terminal.wait("line 2 of 6")
    terminal.keys("End")
    terminal.wait("the claim is proved")
    terminal.keys("b")
    terminal.wait("line 5 of 6")
    terminal.keys("w")
    terminal.wait("Why line 5 holds")
    terminal.wait("sum(j = 1..n, exp(z[j])) != 0")
    terminal.keys("x")
    terminal.keys("v")
    terminal.wait("Numbers (Enter alone")
    terminal.type("n = 2, c = 100")
    terminal.wait("≈ 0.268941421370")  # 1/(1 + e)
    terminal.keys("p")
    terminal.wait("Next line (Enter alone")
    terminal.type("?")
    terminal.wait("The next line is reached by: definition")
    terminal.type("softmax(z)[i]")
    terminal.wait("That is the next line.")
    terminal.keys("l")
    terminal.wait("1  Subtracting the maximum is allowed: a case of this claim")
    terminal.keys("1")
    terminal.wait("line 1 of 5")
    terminal.keys("u")
    terminal.wait("line 5 of 6")
    terminal.keys("q")
    terminal.wait("Saved in")
    assert resumed(subject(SHIFT), tmp_path / "kept.json").here.at == 4


@pytest.mark.parametrize("terminal", ["zh"], indirect=True)
def test_the_terminal_speaks_chinese(terminal: Terminal) -> None:
    assert "第 1 行，共 6 行" in terminal.wait("q 退出")
    terminal.keys("n")
    terminal.wait("理由：定义")
    terminal.keys("p")
    terminal.wait("下一行（只按回车")
    terminal.type("exp(z[i])/sum(j = 1..n, exp(z[j] - c))")
    terminal.wait("不成立")
