"""Judging many entries in worker processes, each of which ends when one answer takes too long or too much memory.

Time is that of the processor: how busy the machine is changes no verdict. The time that passes ends a worker only where
it is `PATIENCE` times as long. An answer on which a worker ended is `undecided`, and another worker goes on with the
next.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess

from derive.answers.checking import Entry, Judged, check
from derive.answers.values import Said

SECONDS = 1.5
"""Time that one answer may take."""

SECONDS_A_PROOF = 30.0
"""The same for a derivation, every line of which is proved or refuted, and for an answer that is to be certified."""

PATIENCE = 30
"""How much longer than its limit an answer may take while the processor is busy with something else."""

MEGABYTES = 400
"""What a worker may take beyond what it starts with."""

CHUNK = 64


def stopped(entry: Entry, code: str, fault: str = "") -> Judged:
    """What is said of an answer that was not finished."""
    answer = entry.answer if len(entry.answer) <= 400 else entry.answer[:397] + "..."
    return Judged(entry.id, entry.problem, answer, "undecided", code, Said(f"why.{code}", {"fault": fault}))


def checked(entry: Entry, certify: bool = False) -> Judged:
    """The verdict, also where memory runs out or a fault of ours shows: that says nothing of the answer."""
    try:
        return check(entry, certify)
    except MemoryError:
        return stopped(entry, "memory-limit")
    except Exception as fault:
        return stopped(entry, "internal-fault", f"{type(fault).__name__}: {fault}"[:200])


def _limit_memory() -> None:
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as stream:  # noqa: PTH123
            now = int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        most = now + MEGABYTES * 2**20
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or hard > most:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (ImportError, OSError, ValueError):
        pass  # a system without such limits: the one on time still holds


def _allowed(entry: Entry, seconds: float | None, certify: bool) -> float:
    """Processor time for an answer."""
    if seconds is not None:
        return seconds
    return SECONDS_A_PROOF if certify or entry.problem == "proof" else SECONDS


def _limit_time(seconds: float) -> None:
    """From now on the process ends by itself when it has used so much of the processor, whatever it is busy with."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _work(connection: Connection, seconds: float | None, certify: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _limit_memory()
    while True:
        try:
            chunk: list[tuple[int, Entry]] | None = connection.recv()
        except EOFError:  # who started this is gone
            return
        if chunk is None:
            return
        for k, entry in chunk:
            _limit_time(_allowed(entry, seconds, certify))
            judged = checked(entry, certify)
            _limit_time(0)
            connection.send((k, judged))


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    certify: bool = False
    waiting: deque[tuple[int, Entry]] = field(default_factory=deque)
    since: float = 0.0

    def give(self, chunk: list[tuple[int, Entry]]) -> None:
        self.waiting.extend(chunk)
        self.since = time.monotonic()
        self.connection.send(chunk)

    def until(self, seconds: float | None) -> float:
        """When the answer at hand must be done, however busy the machine is."""
        return self.since + PATIENCE * _allowed(self.waiting[0][1], seconds, self.certify)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """An interrupt waits meanwhile: a process that begins must not hear it before it has said what to do then."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(seconds: float | None, certify: bool) -> _Worker:
    methods = multiprocessing.get_all_start_methods()
    if "fork" in methods:
        context: ForkContext | SpawnContext = multiprocessing.get_context("fork")
    else:
        context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, seconds, certify), daemon=True)
    with _uninterrupted():
        process.start()
    theirs.close()
    return _Worker(process, mine, certify)


def check_all(
    entries: Sequence[Entry], jobs: int = 1, seconds: float | None = None,
    tell: Callable[[int], None] = lambda _: None, certify: bool = False,
) -> list[Judged]:  # fmt: skip
    """The verdicts on all entries, in their order, with `certify` backed by theorems; `tell` hears how many are done.

    One answer may take so many seconds, by default `SECONDS`, and `SECONDS_A_PROOF` if it is a derivation.
    """
    todo = deque(enumerate(entries))
    found: dict[int, Judged] = {}
    chunk = max(1, min(CHUNK, len(entries) // (4 * jobs) + 1))
    workers: list[_Worker] = []
    try:
        for _ in range(min(jobs, len(entries))):
            workers.append(_start(seconds, certify))
        while len(found) < len(entries):
            for worker in workers:
                if not worker.waiting and todo:
                    worker.give([todo.popleft() for _ in range(min(chunk, len(todo)))])
            busy = [w for w in workers if w.waiting]
            first = min(w.until(seconds) for w in busy)
            ready = wait([w.connection for w in busy], timeout=max(0.0, first - time.monotonic()))
            for worker in busy:
                code = _heard(worker, found) if worker.connection in ready else None
                if code is None and worker.waiting and time.monotonic() > worker.until(seconds):
                    code = "time-limit"
                if code is not None:
                    _replace(worker, workers, todo, found, code, seconds)
            tell(len(found))
    finally:
        for worker in workers:
            worker.end()
    return [found[k] for k in range(len(entries))]


def _heard(worker: _Worker, found: dict[int, Judged]) -> str | None:
    """Take what a worker has reported; why it must be replaced, if it has ended."""
    try:
        while worker.connection.poll():
            k, judged = worker.connection.recv()
            found[k] = judged
            worker.waiting.popleft()
            worker.since = time.monotonic()
    except (EOFError, OSError):
        worker.process.join()
        return "time-limit" if worker.process.exitcode == -getattr(signal, "SIGPROF", 0) else "worker-ended"
    return None


def _replace(
    worker: _Worker,
    workers: list[_Worker],
    todo: deque[tuple[int, Entry]],
    found: dict[int, Judged],
    code: str,
    seconds: float | None,
) -> None:
    """End a worker; its answer at hand is undecided, those behind it are done by another."""
    worker.end()
    workers.remove(worker)
    if worker.waiting:
        k, entry = worker.waiting.popleft()
        found[k] = stopped(entry, code)
        todo.extendleft(reversed(worker.waiting))
    if todo:
        workers.append(_start(seconds, worker.certify))
