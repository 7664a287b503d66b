"""The three readers as functions of bytes, each from the bytes of a file to everything that is printed about it.

A target returns where its input got to, or raises: whatever it raises is a failure of the program, since all that a
file may do wrong is told in one line. Parts that have a limit on time of their own (an answer, a line, an exercise)
are ended by it, as in the commands; all the rest of an input has `REST` seconds. Time is that of the processor.
"""

from __future__ import annotations

import json
import signal
import time
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType

import proofs.verify
from derive.answers import pool
from derive.answers.checking import Judged, check
from derive.answers.explaining import explanation
from derive.answers.report import Checked
from derive.commands import check as check_command
from derive.commands import verify as verify_command
from derive.errors import DeriveError
from derive.hints import hint
from derive.keys import KeyRefused, load
from derive.library import reason_names
from derive.problems import kinds
from derive.resources import manifests
from derive.sheets.assemble import assemble
from derive.sheets.blocks import Language
from derive.sheets.manifest import activity_of, read
from derive.sheets.prose import catalogue
from proofs.refute import Budget, examine
from proofs.syntax.faults import SyntaxFault
from proofs.verify import OutOfTime, verify

LANGUAGES: tuple[Language, ...] = ("zh", "en")
REST = 10.0
"""Processor seconds that one input may take beyond its answers, lines and exercises."""

MOST_ANSWERS = 4
MOST_LINES = 3
"""Lines in a row that are judged, of all that were read; which ones hangs on the input."""

PROVED = 8
"""Of the answers that are derivations one of so many is judged: these have a target of their own, and take long."""

HINTED = 8
"""One of so many derivations is also given a hint."""

MOST_EXERCISES = 2
SECONDS_AN_ANSWER = pool.SECONDS
SECONDS_A_LINE = 3.0
SECONDS_AN_EXERCISE = 10.0
"""`derive build` sets no limit; an exercise that takes longer than this is a failure."""

SEARCH = Budget(models=60, operations=20_000, seconds=0.25)
"""A shorter hunt for counter-examples than the command's, which is not what is tried here."""

ENDINGS: Mapping[int, str] = {ord("t"): ".toml", ord("j"): ".json", ord("c"): ".csv"}


class TooSlow(Exception):
    """An input, or a part of it, took longer than it may."""


class Clock:
    """The processor time of one input: `stopped` counts the parts that ran into their limit."""

    def __init__(self) -> None:
        self.started = time.process_time()
        self.inside = 0.0
        self.stopped = 0

    @contextmanager
    def part(self, seconds: float) -> Iterator[None]:
        """What runs inside is ended by `OutOfTime` after so many seconds."""

        inside = True

        def end(number: int, frame: FrameType | None) -> None:
            if inside:
                self.stopped += 1
                raise OutOfTime

        started = time.process_time()
        before = signal.signal(signal.SIGPROF, end)
        signal.setitimer(signal.ITIMER_PROF, seconds, verify_command.SECONDS_MORE)
        try:
            yield
        finally:
            inside = False
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
            took = time.process_time() - started
            self.inside += took
            if took > 2 * seconds + 1:  # the alarm came, and nothing listened
                raise TooSlow(f"a part of {took:.1f} s")

    def end(self) -> float:
        """The whole time. Raises `TooSlow` where too much of it lies outside of the parts."""
        whole = time.process_time() - self.started
        if whole - self.inside > REST:
            raise TooSlow(f"{whole - self.inside:.1f} s")
        return whole


def said(text: str) -> str:
    """`text`, which must be something that can be written to a terminal or a file."""
    text.encode("utf-8")
    if not text.strip():
        raise ValueError("nothing is said")
    return text


def keys(data: bytes, clock: Clock, folder: Path) -> str:
    """A key, all that `derive check` does with it: in every format and language.

    The first byte names the ending of the file; as a capital letter the first answer is also explained. Beside the key
    lies ``sheet.toml``, the shipped sheet.
    """
    mark = data[:1].lower()
    path = folder / ("key" + ENDINGS.get(mark[0] if mark else 0, ".toml"))
    path.write_bytes(data[1:])
    if not (folder / "sheet.toml").exists():
        (folder / "sheet.toml").write_bytes(manifests()[0].read_bytes())
    try:
        key = load(path)
    except KeyRefused as refused:
        for lang in LANGUAGES:
            said(catalogue(lang).plain(f"answers.key.{refused.code}", **refused.params))
        return f"refused: {refused.code}"
    judged: list[Judged] = []
    for entry in key.entries[:MOST_ANSWERS]:
        if entry.problem == "proof" and zlib.crc32(data) % PROVED:
            continue
        try:
            with clock.part(SECONDS_AN_ANSWER):
                judged.append(check(entry))
        except (OutOfTime, MemoryError):
            judged.append(pool.stopped(entry, "time-limit"))
    found = [Checked(key.name, key.title, tuple(judged))]
    failing = frozenset(("wrong", "undecided", "unreadable"))
    for lang in LANGUAGES:
        texts = {f: said(check_command._text(found, f, lang, failing)) for f in ("json", "junit", "markdown", "text")}
        json.loads(texts["json"])
        ElementTree.fromstring(texts["junit"].encode())
    if judged and data[:1].isupper():
        with suppress(OutOfTime), clock.part(SECONDS_AN_EXERCISE):
            said(explanation(key.entries[0], judged[0], "en"))
    return ", ".join(sorted({j.verdict for j in judged})) or "no answers"


def sheets(data: bytes, clock: Clock, folder: Path) -> str:
    """A manifest as `derive build` reads it, and its first exercises as they are derived; nothing is rendered."""
    path = folder / "manifest.toml"
    path.write_bytes(data)
    try:
        manifest = read(path, kinds())
        for exercise in manifest.exercises[:MOST_EXERCISES]:
            activities = tuple(a for a in manifest.activities if a.id == activity_of(exercise.id))
            with clock.part(SECONDS_AN_EXERCISE):
                assemble(replace(manifest, exercises=(exercise,), activities=activities), kinds())
    except OutOfTime:
        raise TooSlow(f"an exercise of more than {SECONDS_AN_EXERCISE} s") from None
    except DeriveError as error:
        for lang in LANGUAGES:
            said(catalogue(lang).plain(f"errors.{error.code}", **error.params))
        return f"refused: {error.code}"
    return "derived"


def derivations(data: bytes, clock: Clock, folder: Path) -> str:
    """A derivation, all that `derive verify` does with it: the verdicts as JSON, and now and then a hint."""
    path = folder / "derivation.txt"
    path.write_bytes(data)
    try:
        derivation = verify_command.read(verify_command.contents(path, "en"), path, "en")
    except SyntaxFault as fault:
        for lang in LANGUAGES:
            said(verify_command.sentence(fault, lang))
        return f"refused: {fault.code[:25]}"
    except DeriveError as error:
        for lang in LANGUAGES:
            said(catalogue(lang).plain(f"errors.{error.code}", **error.params))
        return f"refused: {str(error.params.get('why', error.code))[:25]}"
    chance = zlib.crc32(data)
    first = chance % max(1, len(derivation.lines) - MOST_LINES + 1)
    derivation = replace(derivation, lines=derivation.lines[first : first + MOST_LINES])
    guard = partial(clock.part, SECONDS_A_LINE)
    report = verify(derivation, reason_names(), guard)
    for lang in LANGUAGES:
        json.loads(said(json.dumps(verify_command._entry(derivation, report, lang), ensure_ascii=False)))
        if chance % HINTED == 0:
            said(hint(report, 1 + chance // HINTED % 4, lang, guard))
    return report.verdict


Target = Callable[[bytes, Clock, Path], str]
TARGETS: Mapping[str, Target] = {"keys": keys, "manifests": sheets, "derivations": derivations}


def shorter_search() -> None:
    """Let every line that no rule joins be searched for counter-examples with `SEARCH`."""
    proofs.verify.examine = partial(examine, budget=SEARCH)
