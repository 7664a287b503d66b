"""Coverage-guided fuzzing of the readers of keys, manifests and derivations, by `atheris`.

Atheris (Apache License 2.0, 35 MB to download) is no dependency of the tests. To install it beside the packages of
the extra ``dev``, and to fuzz each reader for twenty minutes, one after the other::

    python -m pip install atheris
    python -m tests.fuzz.readers --seconds 1200 --folder build/out/fuzz

Names of readers after the command choose some of them. What was found is kept in the folder: inputs with their
tracebacks under ``findings``, the slowest inputs under ``slowest``, the corpus, from which the next run goes on. A
failure does not end the run; a process that dies or hangs is a finding, and another one goes on. The exit status is 1
where anything was found. ``test_readers.py`` runs the same targets without atheris.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import os
import random
import re
import resource
import subprocess
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz.targets import Target

READERS = ("keys", "manifests", "derivations")
SLOWEST = 3
HANGING = 180
"""Seconds after which an input that is still being read is a hang; a limit on time should have ended it long before."""

SPACE = 2**30
"""Bytes of address space that an input may take beyond what the process begins with."""

INSTRUMENTED = ["derive", "proofs", "tomllib"]
READING = ("proofs/syntax", "proofs/verify.py", "proofs/statement.py", "proofs/defined.py")
"""What of `proofs` guides the search. The prover, which no reader steers, runs ten times slower when it is watched."""
TICK = 10.0


class Fuzzer:
    """One reader being fuzzed: counts, findings and what is noted on the way."""

    def __init__(self, name: str, target: Target, folder: Path, seconds: float) -> None:
        self.name, self.target, self.folder, self.seconds = name, target, folder, seconds
        self.started = self.ticked = time.monotonic()
        self.runs = self.stopped = 0
        self.reached: Counter[str] = Counter()
        self.slowest: list[tuple[float, bytes]] = []
        self.progress = (folder / "progress.jsonl").open("a", encoding="utf-8")
        self.log = (folder / "hang.txt").open("a")
        self.current = os.open(folder / "current", os.O_RDWR | os.O_CREAT)

    def __call__(self, data: bytes) -> None:
        from tests.fuzz.targets import Clock

        now = time.monotonic()
        if now - self.ticked > TICK or now - self.started > self.seconds:
            self.tick(now)
        os.ftruncate(self.current, len(data))
        os.pwrite(self.current, data, 0)
        faulthandler.dump_traceback_later(HANGING, exit=True, file=self.log)
        clock = Clock()
        try:
            self.reached[self.target(data, clock, self.folder)] += 1
            clock.end()
        except Exception as fault:
            self.found(data, fault)
        took = time.process_time() - clock.started
        faulthandler.cancel_dump_traceback_later()
        self.runs += 1
        self.stopped += clock.stopped
        if len(self.slowest) < SLOWEST or took > self.slowest[-1][0]:
            self.slowest = sorted([*self.slowest, (took, data)], reverse=True)[:SLOWEST]

    def found(self, data: bytes, fault: Exception) -> None:
        """Keep the input of a failure, once for each place that it comes from."""
        frames = traceback.extract_tb(fault.__traceback__)
        ours = [f for f in frames if "/derive/" in f.filename or "/proofs/" in f.filename]
        place = (ours or frames)[-1]
        name = f"{type(fault).__name__}-{Path(place.filename).stem}-{place.lineno}"
        self.reached[f"FAILED {name}"] += 1
        path = self.folder / "findings" / name
        if not path.exists():
            path.write_bytes(data)
            path.with_suffix(".txt").write_text("".join(traceback.format_exception(fault)), encoding="utf-8")

    def tick(self, now: float) -> None:
        """Note how far the run has come; end it when its time is over."""
        self.ticked = now
        over = now - self.started > self.seconds
        noted = {
            "seconds": round(now - self.started, 1), "processor": round(time.process_time(), 1), "runs": self.runs,
            "megabytes": round(megabytes(), 1),
            "objects": len(gc.get_objects()), "stopped": self.stopped,
            "slowest": round(self.slowest[0][0], 2) if self.slowest else 0, "pid": os.getpid(),
        }  # fmt: skip
        noted["reached"] = dict(self.reached.most_common(60))
        self.progress.write(json.dumps(noted) + "\n")
        self.progress.flush()
        for k, (took, data) in enumerate(self.slowest):
            (self.folder / "slowest" / f"{k}").write_bytes(data)
            (self.folder / "slowest" / f"{k}.txt").write_text(f"{took:.2f} s\n")
        if over:
            os._exit(0)


def megabytes() -> float:
    """The memory that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def unwatched() -> list[str]:
    """The modules of the prover, and of arithmetic in formats."""
    root = Path(__file__).parents[2]
    proving = [p for p in root.glob("proofs/**/*.py") if not str(p.relative_to(root)).startswith(READING)]
    found = [*proving, *root.glob("derive/floats/*.py"), root / "derive/evaluation.py", root / "derive/numbers.py"]
    return [".".join(p.relative_to(root).with_suffix("").parts) for p in found if p.stem != "__init__"]


def fuzz(name: str, folder: Path, seconds: float, seed: int) -> None:
    """Fuzz one reader in this process, which ends with it."""
    import atheris

    with atheris.instrument_imports(include=INSTRUMENTED, exclude=unwatched()):
        from tests.fuzz import mutating, seeds, targets

    for part in ("corpus", "seeds", "findings", "slowest"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    begin = seeds.SEEDS[name]()
    for k, data in enumerate(begin):
        (folder / "seeds" / f"{k:03}").write_bytes(data)
    (folder / "dictionary").write_text(mutating.libfuzzer_dictionary(), encoding="ascii")
    targets.shorter_search()

    def bytewise(data: bytes, rng: random.Random) -> bytes:
        return atheris.Mutate(data, mutating.MAX_LENGTH) if data else b"t"

    def mutate(data: bytes, most: int, number: int) -> bytes:
        return mutating.mutated(name, data, random.Random(number), begin, bytewise)[:most]

    def cross(data: bytes, other: bytes, most: int, number: int) -> bytes:
        return mutating.crossed(name, data, other, random.Random(number))[:most]

    options = [
        f"-max_len={mutating.MAX_LENGTH}", f"-dict={folder / 'dictionary'}", "-len_control=0", "-reload=0",
        "-timeout=1000", "-rss_limit_mb=3000", f"-artifact_prefix={folder}/", f"-seed={seed}",
    ]  # fmt: skip
    fuzzer = Fuzzer(name, targets.TARGETS[name], folder, seconds)
    atheris.Setup(
        [sys.argv[0], *options, str(folder / "corpus"), str(folder / "seeds")],
        fuzzer, custom_mutator=mutate, custom_crossover=cross,
    )  # fmt: skip
    now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (now + SPACE, resource.RLIM_INFINITY))
    atheris.Fuzz()


def campaign(name: str, folder: Path, seconds: float, seed: int) -> bool:
    """Fuzz one reader in processes of its own for so long, and print what came of it; whether nothing was found."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "findings").mkdir(exist_ok=True)
    (folder / "progress.jsonl").unlink(missing_ok=True)
    end = time.monotonic() + seconds
    deaths = 0
    with (folder / "log.txt").open("w", encoding="utf-8") as log:
        while (left := end - time.monotonic()) > 5:
            command = [sys.executable, "-m", "tests.fuzz.readers", name, "--child"]
            more = ["--seconds", str(left), "--folder", str(folder), "--seed", str(seed + deaths)]
            if subprocess.run([*command, *more], stdout=log, stderr=log, check=False).returncode == 0:
                break
            deaths += 1
            if (folder / "current").exists():
                (folder / "findings" / f"died-{deaths}").write_bytes((folder / "current").read_bytes())
            elif deaths > 2:
                break
    summary(name, folder, deaths)
    return not any((folder / "findings").iterdir())


def summary(name: str, folder: Path, deaths: int) -> None:
    """The figures of a run."""
    noted = [json.loads(x) for x in (folder / "progress.jsonl").read_text(encoding="utf-8").splitlines()]
    log = (folder / "log.txt").read_text(encoding="utf-8", errors="replace")
    lines = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)/", log)
    by_process = list({n["pid"]: n for n in noted}.values())
    runs, seconds, processor = (sum(n[k] for n in by_process) for k in ("runs", "seconds", "processor"))
    print(f"{name}: {runs} inputs in {seconds:.0f} s ({processor:.0f} s of processor time), ", end="")
    print(f"{runs / max(seconds, 1):.1f} a second; {deaths} processes died")
    if lines:
        first, last = lines[0], lines[-1]
        print(f"  edges {first[0]} -> {last[0]}, features {first[1]} -> {last[1]}, corpus {first[2]} -> {last[2]}")
    shown = [noted[len(noted) * k // 10] for k in range(10)] + noted[-1:]
    print("  megabytes " + " ".join(f"{n['megabytes']:.0f}" for n in shown))
    print("  objects   " + " ".join(str(n["objects"]) for n in shown))
    print(f"  slowest input {max(n['slowest'] for n in noted)} s; ", end="")
    print(f"parts ended by their limit on time: {sum(n['stopped'] for n in by_process)}")
    reached: Counter[str] = Counter()
    for n in by_process:
        reached.update(n["reached"])
    for what, count in reached.most_common(60):
        print(f"  {count:8} {what}")
    for path in sorted((folder / "findings").iterdir()):
        if path.suffix != ".txt":
            print(f"  FOUND {path}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("readers", nargs="*", default=[], metavar="READER", help=", ".join(READERS))
    parser.add_argument("--seconds", type=float, default=1200, help="for each reader")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    names = asked.readers or READERS
    if not set(names) <= set(READERS):
        parser.error("the readers are " + ", ".join(READERS))
    folder = asked.folder.resolve()
    if asked.child:
        fuzz(names[0], folder, asked.seconds, asked.seed)
    clean = [campaign(n, folder / n, asked.seconds, asked.seed) for n in names]
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main())
