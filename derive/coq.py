"""A third opinion on the theorems: Coq, which shares nothing with the kernel or with its second verifier.

A theorem counts as accepted when Coq has compiled its file, when what the file proves is the registered statement,
written anew with definitions of its own, and when it rests on nothing but what is in `ALLOWED`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from proofs.calc import ChainError
from proofs.coq.files import asked, axioms, bounds, module, prelude, rests, speaks_of_logarithms, written
from proofs.coq.writing import Inexpressible

if TYPE_CHECKING:
    from proofs.calc import Chain
    from proofs.syntax.derivation import Derivation
    from proofs.terms import Term

ALLOWED = frozenset({
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
})  # fmt: skip
"""What a theorem may rest on: the two axioms of Coq's real numbers, and that functions with equal values are equal."""
ALLOWED_WITH_LOGARITHM = ALLOWED | {"Classical_Prop.classic"}
"""Coq's own logarithm is defined by the excluded middle."""
ALLOWED_FOR_BOUNDS = ALLOWED_WITH_LOGARITHM | {"ClassicalEpsilon.constructive_indefinite_description"}
"""For inequalities between numbers, shown by interval arithmetic: beside these, machine integers and their laws."""
_MACHINE_INTEGERS = re.compile(r"(Int63|Uint63|PrimInt63|Sint63|PrimFloat|FloatAxioms|Uint63Axioms)\.")
FORBIDDEN = frozenset({
    "Admitted", "admit", "give_up", "Abort", "Axiom", "Axioms", "Parameter", "Parameters", "Conjecture",
    "Hypothesis", "Hypotheses", "Variable", "Variables", "Context", "Section", "Declare", "Load", "Unset", "Set",
    "Extraction", "Redirect", "Cd", "Module", "Include", "bypass_check", "Obligations", "Program",
})  # fmt: skip
"""Words that no file may have outside of its comments."""
SECONDS = 180.0


class Registered(Protocol):
    """What is asked of a theorem."""

    @property
    def name(self) -> str: ...
    @property
    def derivation(self) -> Derivation: ...
    @property
    def chain(self) -> Chain: ...


@dataclass(frozen=True)
class CoqOutcome:
    """What Coq said of one theorem; `detail` is why, where it was refused."""

    name: str
    accepted: bool
    detail: str
    seconds: float


@cache
def installed() -> str | None:
    """The version of Coq on this machine, or None."""
    if shutil.which("coqc") is None:
        return None
    said = subprocess.run(["coqc", "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    found = re.search(r"version (\S+)", said)
    return found.group(1) if found else None


def sources(theorems: Sequence[Registered]) -> dict[str, str]:
    """All files by name: the prelude, the table of axioms, and for each theorem its proof and what is asked of it.

    Raises
    ------
    Inexpressible
        Where a proof can't be written for Coq.
    """
    made = {
        "_CoqProject": "-Q . Derive\n",
        "prelude.v": prelude(),
        "axioms.v": axioms(),
        "logarithms.v": axioms(logarithms=True),
    }
    for t in theorems:
        made[f"{module(t.name)}.v"] = written(t.name, t.chain).text()
        made[f"asked_{module(t.name)}.v"] = asked(t.name, t.derivation.statement)
    made["rests.v"] = rests([t.name for t in theorems])
    made["Makefile"] = _makefile([name.removesuffix(".v") for name in made if name.endswith(".v")])
    return made


def _makefile(modules: Sequence[str]) -> str:
    lines = [f"all: {' '.join(f'{m}.vo' for m in modules)}\n", "%.vo: %.v\n\tcoqc -q -Q . Derive $<\n"]
    for m in modules:
        needs = ["prelude.vo"] if m != "prelude" else []
        if m.startswith("asked_"):
            needs.append(f"{m.removeprefix('asked_')}.vo")
        if m == "rests":
            needs += [f"{x}.vo" for x in modules if x.startswith("asked_")]
        if needs:
            lines.append(f"{m}.vo: {' '.join(needs)}\n")
    return "\n".join(lines)


# --- what Coq says -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """What came of compiling one file: what it printed, or an error."""

    output: str
    error: str = ""


def compile_file(folder: Path, name: str, seconds: float = SECONDS) -> Said:
    """Compile `name`.v in a folder in which what it requires is compiled already."""
    command = ["coqc", "-q", "-w", "none", "-Q", ".", "Derive", f"{name}.v"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return Said("", f"no answer within {seconds:.0f} s")
    if done.returncode:
        return Said("", " ".join(done.stderr.split()) or f"coqc ended with status {done.returncode}")
    return Said(done.stdout)


def assumptions(output: str) -> frozenset[str] | None:
    """What ``Print Assumptions`` listed, with full names; None where it was not asked exactly once."""
    lines = output.splitlines()
    if sum(line in ("Closed under the global context", "Axioms:") for line in lines) != 1:
        return None
    at_left = (line for line in lines[1:] if line and not line[0].isspace())
    return frozenset(line.split(":")[0].strip() for line in at_left)


def forbidden(text: str) -> list[str]:
    """The words of `FORBIDDEN` that stand in a file outside of its comments."""
    plain, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        if part == "(*":
            depth += 1
        elif part == "*)":
            depth = max(0, depth - 1)
        elif depth == 0:
            plain.append(part)
    return sorted(FORBIDDEN & set(re.findall(r"[A-Za-z_]+", " ".join(plain))))


class Workshop:
    """A folder with the prelude compiled, in which files are tried."""

    def __init__(self, folder: Path, rests_on_prelude: bool = True) -> None:
        self.folder, self.fault = folder, ""
        if rests_on_prelude:
            self._prepare(prelude())

    def _prepare(self, text: str) -> None:
        folder = self.folder
        (folder / "prelude.v").write_text(text, encoding="utf-8")
        said = compile_file(folder, "prelude")
        self.fault = f"prelude: {said.error}" if said.error else ""
        words = forbidden(text)
        if words:
            self.fault = f"prelude: the word {words[0]}"

    def theorem(self, name: str, text: str, question: str) -> str:
        """Why a theorem is refused: its file, or what it proves; nothing where only what it rests on is open."""
        if self.fault:
            return self.fault
        words = forbidden(text) or forbidden(question)
        if words:
            return f"the word {words[0]}"
        for file, content in ((module(name), text), (f"asked_{module(name)}", question)):
            (self.folder / f"{file}.v").write_text(content, encoding="utf-8")
        return compile_file(self.folder, module(name)).error or compile_file(self.folder, f"asked_{module(name)}").error

    def resting(self, names: Sequence[str], allowed: frozenset[str]) -> dict[str, str]:
        """Which of the theorems rest on more than what is allowed, and on what: all are asked at once, then each."""
        why = self.question("rests", rests(names), allowed) if names else ""
        if not why:
            return {}
        return (
            {names[0]: why} if len(names) == 1 else {k: v for n in names for k, v in self.resting([n], allowed).items()}
        )

    def question(self, name: str, text: str, allowed: frozenset[str]) -> str:
        """Why a file that ends by asking what it rests on is refused; nothing where it is accepted."""
        if self.fault:
            return self.fault
        words = forbidden(text)
        if words:
            return f"the word {words[0]}"
        (self.folder / f"{name}.v").write_text(text, encoding="utf-8")
        return self._resting(compile_file(self.folder, name), allowed)

    def _resting(self, said: Said, allowed: frozenset[str]) -> str:
        if said.error:
            return said.error
        found = assumptions(said.output)
        if found is None:
            return "Coq did not say once what it rests on"
        more = sorted(n for n in found - allowed if not _MACHINE_INTEGERS.match(n) or allowed != ALLOWED_FOR_BOUNDS)
        return f"rests on {', '.join(more)}" if more else ""


def _checked(t: Registered, workshop: Workshop) -> CoqOutcome:
    start = time.perf_counter()
    try:
        text, question = written(t.name, t.chain).text(), asked(t.name, t.derivation.statement)
    except Inexpressible as fault:
        return CoqOutcome(t.name, False, f"it can't be written for Coq: {fault}", time.perf_counter() - start)
    except ChainError:
        return CoqOutcome(t.name, False, "there is no proof to ask about", time.perf_counter() - start)
    detail = workshop.theorem(t.name, text, question)
    return CoqOutcome(t.name, not detail, detail, time.perf_counter() - start)


def check(theorems: Sequence[Registered], tell: Callable[[str], None] = lambda _: None) -> tuple[CoqOutcome, ...]:
    """Ask Coq about each theorem, in order; only where `installed` says a version. `tell` hears of each that is done.

    Nothing is accepted unless the control run comes out right: a true statement accepted, a false one refused.
    """
    for t in theorems:
        with suppress(ChainError):
            _ = t.chain  # in this thread: the search keeps what it found
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        fault = control(workshop)
        if fault:
            return tuple(CoqOutcome(t.name, False, f"control run: {fault}", 0.0) for t in theorems)
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            outcomes = []
            for outcome in pool.map(lambda t: _checked(t, workshop), theorems):
                outcomes.append(outcome)
                tell(outcome.name)
        compiled = {o.name for o in outcomes if o.accepted}
        more: dict[str, str] = {}
        for logarithms, allowed in ((False, ALLOWED), (True, ALLOWED_WITH_LOGARITHM)):
            names = [t.name for t in theorems if t.name in compiled and speaks_of_logarithms(t.chain) == logarithms]
            more |= workshop.resting(names, allowed)
        return tuple(replace(o, accepted=False, detail=more[o.name]) if o.name in more else o for o in outcomes)


# --- the control run -------------------------------------------------------------------------------------------

_CONTROL = """let n : size
claim sum(j = 1..n, 1) = {n}
proof
  sum(j = 1..n, 1)
  = n  -- constant sum
"""


def control(workshop: Workshop) -> str:
    """What is wrong with the way of asking, if anything: a true statement refused, or a false one accepted."""
    from derive.library import LibraryTheorem
    from derive.results import Result

    true, false = (LibraryTheorem(Result("control", "", "", _CONTROL.format(n=n))) for n in ("n", "n + 1"))
    text = written("control", true.chain).text()
    refused = workshop.theorem("control", text, asked("control", true.derivation.statement))
    refused = refused or workshop.resting(["control"], ALLOWED).get("control", "")
    if refused:
        return f"a true statement was refused: {refused}"
    if not workshop.resting(["control"], frozenset()):
        return "what a theorem rests on was not seen"
    if not workshop.theorem("control", text, asked("control", false.derivation.statement)):
        return "a false statement was accepted"
    return ""


# --- the table of axioms, and bounds ---------------------------------------------------------------------------


def check_axioms() -> CoqOutcome:
    """Whether every row of the kernel's table is what a lemma of the prelude says."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        detail = workshop.question("axioms", axioms(), ALLOWED) or workshop.question(
            "logarithms", axioms(logarithms=True), ALLOWED_WITH_LOGARITHM
        )
    return CoqOutcome("axioms", not detail, detail, time.perf_counter() - start)


def interval_installed() -> bool:
    """Whether Coq has its library for interval arithmetic."""
    if installed() is None:
        return False
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, timeout=60, check=False).stdout
    return (Path(where.strip()) / "user-contrib" / "Interval" / "Tactic.vo").is_file()


def check_bounds(inequalities: Sequence[Term]) -> CoqOutcome:
    """Whether Coq's interval arithmetic shows every one of the inequalities between closed numbers."""
    start = time.perf_counter()

    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder), rests_on_prelude=False)
        detail = workshop.question("bounds", bounds(inequalities), ALLOWED_FOR_BOUNDS)
    return CoqOutcome("bounds", not detail, detail, time.perf_counter() - start)


# --- all that is asked -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sentence:
    """One line on what Coq said: its code with parameters, and whether something is amiss."""

    code: str
    params: Mapping[str, str | int]
    amiss: bool = False


@dataclass(frozen=True)
class Opinion:
    """What Coq said of the theorems by name and, where all was asked, of the table of axioms and of the bounds.

    `bounds` is None too where the library for interval arithmetic is not there; `inequalities` counts them.
    """

    theorems: Mapping[str, CoqOutcome]
    whole: bool
    axioms: CoqOutcome | None = None
    bounds: CoqOutcome | None = None
    inequalities: int = 0

    @property
    def accepted(self) -> bool:
        """Whether nothing that was asked was refused."""
        more = [o for o in (self.axioms, self.bounds) if o is not None]
        return all(o.accepted for o in (*self.theorems.values(), *more))

    @property
    def complete(self) -> bool:
        """Whether all that should have been asked could be asked."""
        return not self.whole or (self.axioms is not None and self.bounds is not None)

    def sentences(self) -> list[Sentence]:
        """What there is to say beside a mark for each theorem."""
        from proofs.kernel import AXIOMS

        said = [
            Sentence("coq-refused", {"name": o.name, "why": o.detail}, True)
            for o in self.theorems.values()
            if not o.accepted
        ]
        accepted = sum(o.accepted for o in self.theorems.values())
        said.append(Sentence("coq-theorems", {"n": accepted, "all": len(self.theorems), "version": installed() or ""}))
        for what, outcome, n in (("axioms", self.axioms, len(AXIOMS)), ("bounds", self.bounds, self.inequalities)):
            if outcome is not None and outcome.accepted:
                said.append(Sentence(f"coq-{what}", {"n": n}))
            elif outcome is not None:
                said.append(Sentence(f"coq-{what}-refused", {"why": outcome.detail}, True))
            elif self.whole:
                said.append(Sentence(f"coq-{what}-not-asked", {}, True))
        return said


def ask(theorems: Sequence[Registered], whole: bool, tell: Callable[[str], None] = lambda _: None) -> Opinion:
    """Ask Coq about theorems and, with `whole`, about the table of axioms and all bounds of the shipped sheets."""
    outcomes = {o.name: o for o in check(theorems, tell)}
    if not whole:
        return Opinion(outcomes, False)
    tell("axioms")
    table = check_axioms()
    tell("bounds")
    if not interval_installed():
        return Opinion(outcomes, True, table)
    inequalities = shipped_bounds()
    return Opinion(outcomes, True, table, check_bounds(inequalities), len(inequalities))


def shipped_bounds() -> tuple[Term, ...]:
    """All inequalities between closed numbers that the shipped sheets rest on: ends of ranges, and roundings."""
    from derive.resources import manifests
    from derive.sheets.assemble import assemble
    from derive.sheets.manifest import read
    from derive.worked import kinds
    from derive.worked.bounds import heard

    with heard() as found:
        for path in manifests():
            assemble(read(path, kinds()), kinds())
    return tuple(found)
