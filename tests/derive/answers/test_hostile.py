"""Keys that mean harm: each is refused or judged in under two seconds, with one clear line and no code run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from derive.answers import pool
from derive.answers.checking import Entry, Judged
from derive.keys import KeyLimits, KeyRefused, load

HOSTILE = {
    "power tower": "9**9**9**9",
    "tower of ten": "10^10^10",
    "factorial": "(10^7)!",
    "factorials": "((9!)!)!",
    "5,000 brackets": "(" * 5000 + "1" + ")" * 5000,
    "70 roots": "sqrt(" * 79 + "2" + ")" * 79,
    "100,000 digits": "9" * 100_000,
    "binomial": "binom(10^8, 5*10^7)",
    "LaTeX binomial": r"\binom{100000000}{50000000}",
    "import": "__import__('os').system('true')",
    "attribute": "().__class__.__bases__[0]",
    "exponentials": "e^{e^{e^{e^{10}}}}",
    "long sum": "sum(i=1..10^9, i)",
    "nested sums": "sum(i=1..1000, sum(j=1..1000, sum(k=1..1000, i*j*k)))",
    "signs": "-" * 3000 + "1",
    "quotients": "1/" * 2000 + "1",
    "large exponent": "1e999999999",
    "small exponent": "1e-999999999",
    "many roots": "(" + "+".join(f"sqrt({p})" for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)) + ")^40",
    "NUL": "1\x002",
    "direction of writing": "46\u202e",
    "letters": "x" * 9_000,
    "list": "[" + "1," * 4_000 + "1]",
}


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("as_value", [False, True])
def test_hostile_answer_or_value_is_never_accepted_and_takes_no_time(answer: str, as_value: bool) -> None:
    entry = Entry("x", "value", {"value": answer}, "64") if as_value else Entry("x", "value", {"value": "64"}, answer)
    judged = pool.checked(entry)
    assert judged.verdict in ("wrong", "undecided", "unreadable")
    assert judged.code != "internal-fault", judged


@pytest.mark.parametrize("answer", ["10^10^10", "(10^7)!", "9**9**9**9", "binom(10^8, 5*10^7)", "((9!)!)!"])
def test_what_is_too_large_to_work_out_is_not_called_wrong(answer: str) -> None:
    assert pool.checked(Entry("x", "value", {"value": "64"}, answer)).verdict in ("undecided", "unreadable")


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    program = "import sys; from derive.cli import main; sys.exit(main())"
    root = str(Path(__file__).parents[3])
    env = {**os.environ, "PYTHONPATH": root, "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env, timeout=60, check=False)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


ENTRY = b'[[answer]]\nid = "a"\nproblem = "value"\ngiven = { value = "1" }\nanswer = "1"\n'


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("large.toml", b"#" * 50_000_000, "too-large"),
        ("many.toml", ENTRY * 200_000, "too-many"),
        ("inline.toml", b"answer = [" + b'{id="a"},' * 1_000_000 + b"]", "too-many"),
        ("many.json", b'{"answer": [' + b'{"id":"a","answer":"1"},' * 700_000 + b"{}]}", "too-many"),
        ("many.csv", b"id,problem,given,answer\n" + b"a,value,{},1\n" * 1_000_000, "too-many"),
        ("nul.toml", b"[key]\x00\n", "nul"),
        ("utf-8.toml", b'[key]\ntitle = "\xff"\n', "encoding"),
        ("deep.json", b"[" * 100_000, "nested"),
        ("deep.toml", b"answer = " + b"[" * 100_000, "nested"),
        ("integers.toml", b"x = [" + b",".join([b"9" * 100_000] * 100) + b"]", "digits"),
        ("none.toml", b"", "no-answers"),
        ("sheet.toml", b'[sheet]\nid = "x"\n', "no-answers"),
        ("list.json", b"[1]", "no-answers"),
        ("columns.csv", b"a,b\n1,2\n", "columns"),
        ("text.toml", b'answer = "x"\n', "no-answers"),
        ("ending.txt", b"x", "ending"),
        ("syntax.toml", b"answer = [", "syntax"),
        ("crowded.json", b'{"answer": [' + b"1," * 5_000_000 + b"1]}", "crowded"),
        ("crowded.toml", b"x = [" + b"1," * 5_000_000 + b"1]\n" + ENTRY, "crowded"),
        ("keys.toml", b"[a]\n" + b"".join(b"k%d=1\n" % k for k in range(1_000_000)), "crowded"),
        ("tables.toml", b"".join(b"[a%d]\n" % k for k in range(1_000_000)), "crowded"),
        ("dotted.toml", b"[[answer]]\n" + b".".join([b"a"] * 20_000) + b" = 1\n", "nested"),
        ("header.toml", b"[" + b" . ".join([b'"a"'] * 20_000) + b"]\n", "nested"),
        ("inner.toml", b"x = { " + b".".join([b"a"] * 20_000) + b" = 1 }\n", "nested"),
        ("twice.csv", b"id,id,problem,given,answer\n", "columns"),
    ],
)  # fmt: skip
def test_key_that_is_none_is_refused_in_no_time(tmp_path: Path, name: str, content: bytes, code: str) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(KeyRefused) as refused:
        load(path)
    assert refused.value.code == code


def test_limits_on_keys_can_be_set(tmp_path: Path) -> None:
    path = written(tmp_path / "k.toml", b"".join(ENTRY.replace(b'"a"', b'"%d"' % k) for k in range(3)))
    assert len(load(path).entries) == 3
    for limits, code in ((KeyLimits(size=20), "too-large"), (KeyLimits(answers=2), "too-many")):
        with pytest.raises(KeyRefused) as refused:
            load(path, limits)
        assert refused.value.code == code


def test_refused_key_is_one_line_and_status_2(tmp_path: Path) -> None:
    done = run("check", str(written(tmp_path / "nul.toml", b"\x00")))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "Traceback" not in done.stderr


def test_whole_hostile_key_is_judged_within_two_seconds(tmp_path: Path) -> None:
    answers = [{"id": k, "problem": "value", "given": {"value": "64"}, "answer": a} for k, a in HOSTILE.items()]
    answers.append({"id": "last", "problem": "value", "given": {"value": "64"}, "answer": "64"})
    path = written(tmp_path / "hostile.json", json.dumps({"answer": answers}).encode())
    done = run("check", str(path), "--format", "json")
    assert done.stderr == ""
    verdicts = {a["id"]: a["verdict"] for a in json.loads(done.stdout)["answers"]}
    assert verdicts.pop("last") == "correct"
    assert set(verdicts.values()) <= {"wrong", "undecided", "unreadable"}


def test_integer_over_the_limit_of_python_spoils_its_own_entry_only(tmp_path: Path) -> None:
    big = b'[[answer]]\nid = "big"\nproblem = "value"\ngiven = { value = ' + b"9" * 50_000 + b' }\nanswer = "1"\n'
    key = load(written(tmp_path / "k.toml", big + ENTRY))
    verdicts = [pool.checked(e).verdict for e in key.entries]
    assert verdicts == ["unreadable", "correct"]


@pytest.mark.parametrize("depth", [40, 300, 490, 600, 800])
@pytest.mark.parametrize("where", ["answer", "given", "id", "note"])
def test_deep_lists_in_an_entry_spoil_that_entry_only(tmp_path: Path, depth: int, where: str) -> None:
    deep = "[" * depth + "1" + "]" * depth
    fields = {"id": '"a"', "problem": '"softmax"', "given": '{"z": [1]}', "answer": '"1"'}
    fields[where] = '{"z": ' + deep + "}" if where == "given" else deep
    entry = "{" + ", ".join(f'"{k}": {v}' for k, v in fields.items()) + "}"
    good = '{"id": "b", "problem": "value", "given": {"value": "1"}, "answer": "1"}'
    path = written(tmp_path / "k.json", f'{{"answer": [{entry}, {good}]}}'.encode())
    verdicts = [pool.checked(e).verdict for e in load(path).entries]
    assert verdicts == ["unreadable", "correct"]


def test_half_a_pair_of_surrogates_can_be_judged_and_printed(tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_text(
        r"""{"answer": [{"id": "\ud800", "problem": "value", "given": {"value": "1"}, "answer": "\udc00"},
        {"id": "b", "problem": "value", "given": {"value": "\ud83d"}, "answer": "1"},
        {"id": "\ud83d\ude00", "problem": "value", "given": {"value": "1"}, "answer": "1"},
        {"id": "\\ud800", "problem": "value", "given": {"value": "1"}, "answer": "1"}]}"""
    )
    for form in ("json", "text", "junit", "markdown"):
        done = run("check", str(path), "--format", form)
        assert (done.returncode, done.stderr) == (1, "")
    said = json.loads(run("check", str(path), "--format", "json").stdout)["answers"]
    assert [a["verdict"] for a in said] == ["unreadable", "unreadable", "correct", "correct"]
    assert [a["id"] for a in said] == ["\ufffd", "b", "😀", r"\ud800"]


# --- the limit on time and memory --------------------------------------------------------------------------


def test_answer_that_never_ends_is_undecided_and_the_others_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = pool.check

    def check(entry: Entry, certify: bool = False) -> Judged:
        while entry.id == "endless":
            pass
        return honest(entry)

    monkeypatch.setattr(pool, "check", check)
    entries = [Entry(str(k), "value", {"value": "1"}, "1") for k in range(5)]
    entries[2] = Entry("endless", "value", {"value": "1"}, "1")
    for jobs in (1, 2):
        found = pool.check_all(entries, jobs=jobs, seconds=0.3)
        assert [j.verdict for j in found] == ["correct", "correct", "undecided", "correct", "correct"]
        assert found[2].code == "time-limit"


def test_worker_that_dies_costs_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = pool.check

    def check(entry: Entry, certify: bool = False) -> Judged:
        if entry.id == "deadly":
            os._exit(3)
        return honest(entry)

    monkeypatch.setattr(pool, "check", check)
    entries = [
        Entry("a", "value", {"value": "1"}, "1"),
        Entry("deadly", "value", {"value": "1"}, "1"),
        Entry("b", "value", {"value": "1"}, "2"),
    ]
    assert [(j.verdict, j.code) for j in pool.check_all(entries)] == [
        ("correct", "same"), ("undecided", "worker-ended"), ("wrong", "different"),
    ]  # fmt: skip


def test_answer_that_takes_all_memory_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = pool.check

    def check(entry: Entry, certify: bool = False) -> Judged:
        if entry.id == "greedy":
            bytearray(8 * 2**30)
        return honest(entry)

    monkeypatch.setattr(pool, "check", check)
    entries = [Entry("greedy", "value", {"value": "1"}, "1"), Entry("b", "value", {"value": "1"}, "1")]
    assert [j.code for j in pool.check_all(entries, seconds=5)] == ["memory-limit", "same"]


def test_fault_of_the_program_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(entry: Entry, certify: bool = False) -> Judged:
        raise AssertionError("nobody expected this")

    monkeypatch.setattr(pool, "check", check)
    found = pool.checked(Entry("a", "value", {"value": "1"}, "1"))
    assert (found.verdict, found.code) == ("undecided", "internal-fault")
