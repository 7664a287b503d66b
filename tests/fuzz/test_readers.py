"""The targets of the long run (`readers.py`) on their seeds and on some hundred changed ones, and what it has found."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import derive.hints
import derive.sheets.manifest
import proofs.verify
from derive.answers.checking import Entry
from derive.answers.explaining import explanation
from derive.answers.pool import checked
from derive.commands import verify as verify_command
from derive.definitions import signatures
from derive.errors import DeriveError
from derive.keys import KeyRefused, load
from derive.library import LibraryTheorem, reason_names, theorem, theorems
from derive.problems import kinds
from derive.sheets.manifest import given, read
from derive.sheets.ranges import Choose, count, pick
from derive.theorems import NOT_ASKED, Outcome, Verdict
from derive.worked import steps
from proofs.context import Context
from proofs.syntax.derivation import read_derivation
from proofs.terms import TermError
from proofs.verify import OutOfTime, verify
from tests.fuzz import mutating, targets
from tests.fuzz.seeds import SEEDS

SEEDS_TRIED = 5
CHANGED = {"keys": 80, "manifests": 100, "derivations": 50}


def tried(name: str, data: bytes, folder: Path) -> str:
    clock = targets.Clock()
    reached = targets.TARGETS[name](data, clock, folder)
    clock.end()
    return reached


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is measured in the long run only: how fast the machine is decides nothing here."""
    for limit in ("REST", "SECONDS_AN_EXERCISE", "SECONDS_A_LINE", "SECONDS_AN_ANSWER"):
        monkeypatch.setattr(targets, limit, 100.0)
    monkeypatch.setattr(proofs.verify, "examine", proofs.verify.examine)  # put back after the test
    targets.shorter_search()


@pytest.mark.parametrize("name", targets.TARGETS)
def test_seeds_are_read_to_the_end(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "MOST_LINES", 500)
    seeds = sorted(SEEDS[name](), key=len)
    reached = [tried(name, seed, tmp_path) for seed in seeds[:: len(seeds) // SEEDS_TRIED]]
    read = [r for r in reached if r != "no answers"]  # a proof is left out now and then, for its time
    assert sum(r in ("correct", "derived", "proved") for r in read) > len(read) // 2


@pytest.mark.parametrize("name", targets.TARGETS)
def test_changed_seeds_never_break_a_reader(name: str, tmp_path: Path) -> None:
    seeds, rng = sorted(SEEDS[name](), key=len)[:40], random.Random(f"readers {name}")
    reached = set()
    for _ in range(CHANGED[name]):
        data = mutating.mutated(name, rng.choice(seeds), rng, seeds)
        if rng.random() < 0.2:
            data = mutating.crossed(name, data, rng.choice(seeds), rng)
        reached.add(tried(name, data, tmp_path))
    assert len(reached) > 6  # the changes lead to many different ends


def test_changes_follow_from_the_random_numbers() -> None:
    seeds = SEEDS["manifests"]()[:5]
    made = [[mutating.mutated("manifests", s, random.Random(7), seeds) for s in seeds] for _ in range(2)]
    assert made[0] == made[1] != seeds


def test_failure_of_a_reader_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(path: Path) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(targets, "load", broken)
    with pytest.raises(ZeroDivisionError):
        tried("keys", SEEDS["keys"]()[0], tmp_path)


def test_time_outside_of_answers_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(targets, "REST", 0.0)
    with pytest.raises(targets.TooSlow):
        tried("keys", SEEDS["keys"]()[0], tmp_path)


def test_answer_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def endless(entry: object) -> None:
        while True:
            pass

    monkeypatch.setattr(targets, "check", endless)
    monkeypatch.setattr(targets, "SECONDS_AN_ANSWER", 0.05)
    assert tried("keys", SEEDS["keys"]()[0], tmp_path) == "undecided"


# --- what was found ------------------------------------------------------------------------------------------

LONG = 10**5_000
ENTRY = '[[answer]]\nid = "a"\n'


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("k.toml", f'{ENTRY}exercise = 0x{LONG:x}\nanswer = "1"\n', "entry.exercise-form"),
        ("k.toml", f'{ENTRY}columns = "x"\n', "entry.unknown-field"),
        ("k.json", '{"answer": [{"id": "a", "columns": {}, "problem": "x"}]}', "entry.unknown-field"),
        ("k.csv", "id,problem,answer\na,value\n", "entry.columns"),
    ],
)
def test_entry_that_is_none_is_refused(name: str, text: str, code: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    (entry,) = load(tmp_path / name).entries
    assert entry.fault is not None
    assert entry.fault.code == code


def test_manifests_are_looked_through_once_however_many_sheets_a_key_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_from: list[Path] = []
    honest = derive.sheets.manifest.load

    def counting(path: Path) -> object:
        read_from.append(path)
        return honest(path)

    monkeypatch.setattr(derive.sheets.manifest, "load", counting)
    (tmp_path / "other.toml").write_text(f"[sheet]\nid = 0x{LONG:x}\n", encoding="utf-8")
    key = tmp_path / "k.toml"
    key.write_text(
        "".join(f'[[answer]]\nid = "{k}"\nexercise = "sheet{k}:1"\nanswer = "1"\n' for k in range(50)), encoding="utf-8"
    )
    faults = [entry.fault for entry in load(key).entries]
    assert [fault.code for fault in faults if fault is not None] == ["entry.no-exercise"] * 50
    assert len(read_from) == len(set(read_from))


PARTS = 20_000
"""Parts of one key of TOML: the parser takes a step for each pair of them."""


@pytest.mark.parametrize("part", ["a", '"\\""', "'\"'", '"\\\\"', "a" * 250])
@pytest.mark.parametrize("before", ["", "\ufeff", "x = {", "[", "[["])
def test_key_with_very_many_parts_is_refused_unparsed(
    part: str, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "k.toml"
    path.write_text(before + ".".join([part] * min(PARTS, 900_000 // (len(part) + 1))) + " = 1\n", encoding="utf-8")

    def loads(*_: object, **__: object) -> None:
        pytest.fail("the parser was called")

    monkeypatch.setattr("tomllib.loads", loads)
    with pytest.raises(KeyRefused) as refused:
        load(path)
    assert refused.value.code == "nested"
    with pytest.raises(DeriveError) as error:
        read(path, {})
    assert error.value.code == "manifest-syntax"


def test_choices_within_choices_are_limited_together(tmp_path: Path) -> None:
    inner = "{ from = 1, to = 1000 }"
    given = f"{{ h = 1, d_model = {{ choose = [{', '.join([inner] * 1_000)}] }} }}"
    head = (
        '[sheet]\nid = "s"\ntitle = { zh = "页", en = "sheet" }\n[[exercise]]\nid = "x"\nproblem = "mha-parameters"\n'
    )
    path = tmp_path / "m.toml"
    path.write_text(f"{head}given = {given}\n", encoding="utf-8")
    with pytest.raises(DeriveError) as error:
        read(path, kinds())
    assert error.value.code == "manifest-too-many"


@pytest.mark.parametrize(("kind", "field"), [("choice", "question"), ("softmax", "z"), ("overflow-claim", "threshold")])
def test_null_is_no_value(kind: str, field: str) -> None:
    values = {field: None, **({"format": "float16"} if kind == "overflow-claim" else {})}
    with pytest.raises(DeriveError) as error:
        given("k.json", "given", values, kinds()[kind].fields)
    assert error.value.code == "manifest-missing"
    entry = Entry("x", kind, values, "1")
    judged = checked(entry)
    assert (judged.verdict, judged.code) == ("unreadable", "given-refused")
    assert explanation(entry, judged, "en")


def test_checked_theorems_are_remembered_without_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[int] = []

    def check(self: LibraryTheorem, seed: int) -> Outcome:
        checks.append(seed)
        accepted = Verdict("accepted")
        return Outcome(accepted, accepted, NOT_ASKED, NOT_ASKED, 1, 0.0, 1, 0.0, "", (chain,))

    name = next(iter(theorems()))
    chain = steps.theorem_chain(theorem(name), 0)
    monkeypatch.setattr(LibraryTheorem, "check", check)
    seeds = range(1, 2 * steps.KEPT)
    for seed in seeds:
        steps.theorem_chain(theorem(name), seed)
    steps.theorem_chain(theorem(name), seeds[-1])
    assert checks == list(seeds)  # the last one was still known
    assert steps._checked_once.cache_info().currsize == steps.KEPT > len(theorems())
    steps._checked_once.cache_clear()


NESTED = "softmax(" * 20 + "z" + ")" * 20 + "[i]"
"""Unfolded, a term over the limit on size."""

LARGE = f"let n : size\nlet z : real[n]\nlet i : index[n]\nclaim {NESTED} = 1\nproof\n  {NESTED}\n  = {NESTED}\n  = 1\n"


def test_line_that_is_too_large_when_it_is_unfolded_is_unknown() -> None:
    report = verify(read_derivation(LARGE, signatures()), reason_names())
    assert {line.verdict for line in report.lines} == {"unknown"}
    assert report.theorem is None


SHORT = "let x : real\nlet y : real\nclaim exp(x)*exp(y) = exp(x + y)\nproof\n  exp(x)*exp(y)\n  = exp(y)*exp(x)\n"
"""Lines that hold, and stop short of a claim that is true."""


@pytest.mark.parametrize("asked", ["accepted", "joined", "_remaining"])
@pytest.mark.parametrize("fault", [OutOfTime, RecursionError, MemoryError, TermError])
def test_whole_that_is_too_large_is_unknown(
    asked: str, fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def beyond(*_: object) -> None:
        raise fault

    text = "let x : real\nclaim 2*x = x + x\nproof\n  2*x\n  = x + x\n"
    if asked == "_remaining":
        text = SHORT
    monkeypatch.setattr(proofs.verify, asked, beyond)
    report = verify(read_derivation(text, signatures()), reason_names())
    assert (report.verdict, report.theorem) == ("unknown", None)


def test_everything_that_is_asked_of_a_derivation_is_under_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    asked: list[str] = []

    @contextmanager
    def guard() -> Iterator[None]:
        inside.append(1)
        yield
        inside.pop()

    def watched(name: str, work: Callable[..., object]) -> Callable[..., object]:
        def under(*arguments: object) -> object:
            assert inside, name
            asked.append(name)
            return work(*arguments)

        return under

    for name in ("_judged", "accepted", "joined", "_remaining"):
        monkeypatch.setattr(proofs.verify, name, watched(name, getattr(proofs.verify, name)))
    monkeypatch.setattr(proofs.verify.Context, "contradiction", watched("contradiction", Context.contradiction))
    monkeypatch.setattr(derive.hints, "next_line", watched("next_line", derive.hints.next_line))
    verify(read_derivation(SHORT, signatures()), reason_names(), guard)
    text = "let x : real\nclaim 2*x = x\nproof\n  2*x\n  = x + x\n  = x\n"
    report = verify(read_derivation(text, signatures()), reason_names(), guard)
    derive.hints.hint(report, 1, "en", guard)
    assert set(asked) == {"_judged", "accepted", "joined", "_remaining", "contradiction", "next_line"}


def test_limit_on_time_holds_where_its_exception_is_swallowed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> None:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            pass

    def guarded() -> None:
        with verify_command.within_time():
            with suppress(OutOfTime):
                work()
            work()

    monkeypatch.setattr(verify_command, "SECONDS_A_LINE", 0.05)
    monkeypatch.setattr(verify_command, "SECONDS_MORE", 0.05)
    with pytest.raises(OutOfTime):
        guarded()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_choice_is_found_without_counting_what_stands_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    wish = (Choose((Choose(tuple(range(1_000))), (Choose((1, 2)), 3))), Choose((4, 5)))
    assert [pick(wish, k) for k in (0, 999, 1_000, 1_001, 1_002, 2_003)] == [
        (0, 4), (999, 4), ((1, 3), 4), ((2, 3), 4), (0, 5), ((2, 3), 5),
    ]  # fmt: skip
    counted: list[object] = []

    def counting(wish: object) -> int:
        counted.append(wish)
        return count(wish)  # type: ignore[arg-type]

    monkeypatch.setattr("derive.sheets.ranges.count", counting)
    pick(wish, 999)
    assert len(counted) == 2
