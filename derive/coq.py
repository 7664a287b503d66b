"""A third opinion on theorems: Coq, which shares nothing with the kernel or with its second verifier.

A statement counts as accepted when Coq has compiled the proof of it, when that proves the statement as the writer of
questions wrote it anew, with definitions of its own, and when it rests on nothing but what is in `ALLOWED`.
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
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from derive.sheets.blocks import Message, Text
from derive.theorems import Said, Verdict
from proofs.coq.files import File, inferences_of, written
from proofs.coq.question import axioms, bounds, question, rests, speaks_of
from proofs.coq.shared import FORBIDDEN, Inexpressible, labels, module, prelude
from proofs.record import Established
from proofs.terms import relation

if TYPE_CHECKING:
    from proofs.calc import Chain
    from proofs.kernel import Theorem
    from proofs.statement import Statement
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
SECONDS = 180.0
_PRECISION = 120  # bits, for bounds


@dataclass(frozen=True)
class Asked:
    """What Coq is asked: a statement with its theorem, and by their names what else was proved on the way to it.

    With `witness`, its file also shows that some values meet all hypotheses.
    """

    name: str
    statement: Statement
    theorem: Theorem
    named: tuple[tuple[str, Established], ...] = ()
    witness: bool = False

    def proof(self) -> File:
        """The file of the proof. Raises `Inexpressible`."""
        return written(self.name, self.statement, self.theorem, self.named, self.witness)

    def question(self) -> str:
        """The file that holds the proof against the statement. Raises `Inexpressible`."""
        return question(self.name, self.statement, self.named)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for label, _ in self.named)

    @property
    def allowed(self) -> frozenset[str]:
        """What it may rest on."""
        found = list(inferences_of([*(e.theorem for _, e in self.named), self.theorem]))
        if any(t.rule == "bound" for t in found):
            return ALLOWED_FOR_BOUNDS
        spoken = (p for t in found for p in (*t.hypotheses, t.conclusion))
        return ALLOWED_WITH_LOGARITHM if speaks_of("ln", spoken) else ALLOWED


def about(name: str, statement: Statement, record: Sequence[Established], witness: bool = False) -> Asked | None:
    """What to ask of a statement, given all that was proved; None where the claim is not among it."""
    own = [e for e in record if e.asked == statement.claim and not e.path]
    if not own:
        return None
    return Asked(name, statement, own[-1].theorem, tuple(labels([e for e in record if e is not own[-1]])), witness)


def of_chain(name: str, chain: Chain) -> Asked:
    """What to ask of a chain: its claim, each of its lines, and each condition under which these have a value."""
    steps = [
        Established(f"line-{k}", relation(line.relation, before.term, line.term), line.theorem)
        for k, (before, line) in enumerate(pairwise(chain.lines), 1)
        if line.relation is not None and line.theorem is not None
    ]
    return Asked(name, chain.statement, chain.theorem, tuple(labels([*steps, *chain.values])), witness=True)


@dataclass(frozen=True)
class CoqOutcome:
    """What Coq said of one theorem; `detail` is why, where it did not accept it."""

    name: str
    said: Said
    detail: Text | None = None
    seconds: float = 0.0

    @property
    def accepted(self) -> bool:
        return self.said == "accepted"

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.said, self.detail, self.seconds)


@cache
def installed() -> str | None:
    """The version of Coq on this machine, or None."""
    if shutil.which("coqc") is None:
        return None
    said = subprocess.run(["coqc", "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    found = re.search(r"version (\S+)", said)
    return found.group(1) if found else None


def sources(theorems: Sequence[Asked]) -> dict[str, str]:
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
        made[f"{module(t.name)}.v"] = t.proof().text()
        made[f"asked_{module(t.name)}.v"] = t.question()
    made["rests.v"] = rests([(t.name, t.labels) for t in theorems])
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
class Compiled:
    """What came of compiling one file: what it printed, or an error; `late` where there was no answer in time."""

    output: str
    error: Text = ""
    late: bool = False


class NotAsked(Exception):
    """Coq could not be asked; `why` says why not."""

    def __init__(self, why: Text) -> None:
        super().__init__(why)
        self.why = why


def compile_file(folder: Path, name: str, seconds: float = SECONDS) -> Compiled:
    """Compile `name`.v in a folder in which what it requires is compiled already."""
    command = ["coqc", "-q", "-w", "none", "-Q", ".", "Derive", f"{name}.v"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return Compiled("", Message("prove.coq-late", {"seconds": f"{seconds:.0f}"}), late=True)
    if done.returncode:
        ended = Message("prove.coq-ended", {"status": str(done.returncode)})
        return Compiled("", " ".join(done.stderr.split()) or ended)
    return Compiled(done.stdout)


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
    return sorted(FORBIDDEN & set(re.findall(r"[A-Za-z_][A-Za-z0-9_']*", " ".join(plain))))


class Workshop:
    """A folder with the prelude compiled, in which files are tried. Raises `NotAsked` where that can't be had."""

    def __init__(self, folder: Path, rests_on_prelude: bool = True) -> None:
        self.folder = folder
        if rests_on_prelude:
            self._prepare(prelude())

    def _prepare(self, text: str) -> None:
        (self.folder / "prelude.v").write_text(text, encoding="utf-8")
        words = forbidden(text)
        why = Message("prove.coq-word", {"word": words[0]}) if words else compile_file(self.folder, "prelude").error
        if why:
            raise NotAsked(Message("prove.coq-prelude", {"why": why}))

    def theorem(self, name: str, text: str, question: str) -> Text:
        """Why a theorem is refused: its file, or what it proves; nothing where only what it rests on is open.

        Raises
        ------
        NotAsked
            Where there was no answer in time.
        """
        words = forbidden(text) or forbidden(question)
        if words:
            return Message("prove.coq-word", {"word": words[0]})
        for file, content in ((module(name), text), (f"asked_{module(name)}", question)):
            (self.folder / f"{file}.v").write_text(content, encoding="utf-8")
            made = compile_file(self.folder, file)
            if made.late:
                raise NotAsked(made.error)
            if made.error:
                return made.error
        return ""

    def resting(self, theorems: Sequence[tuple[str, Sequence[str]]], allowed: frozenset[str]) -> dict[str, Text]:
        """Which theorems rest on more than what is allowed, and on what: all are asked at once, then each.

        Of each stand here its name, and the labels of what was asked beside it.
        """
        why = self.question("rests", rests(theorems), allowed) if theorems else ""
        if not why:
            return {}
        if len(theorems) == 1:
            return {theorems[0][0]: why}
        return {k: v for t in theorems for k, v in self.resting([t], allowed).items()}

    def question(self, name: str, text: str, allowed: frozenset[str]) -> Text:
        """Why a file that ends by asking what it rests on is refused; nothing where it is accepted."""
        words = forbidden(text)
        if words:
            return Message("prove.coq-word", {"word": words[0]})
        (self.folder / f"{name}.v").write_text(text, encoding="utf-8")
        return self._resting(compile_file(self.folder, name), allowed)

    def _resting(self, made: Compiled, allowed: frozenset[str]) -> Text:
        if made.error:
            return made.error
        found = assumptions(made.output)
        if found is None:
            return Message("prove.coq-silent")
        more = sorted(n for n in found - allowed if not _MACHINE_INTEGERS.match(n) or allowed != ALLOWED_FOR_BOUNDS)
        return Message("prove.coq-rests", {"axioms": ", ".join(more)}) if more else ""


def _checked(t: Asked, workshop: Workshop) -> CoqOutcome:
    start = time.perf_counter()

    def came(said: Said, detail: Text | None = None) -> CoqOutcome:
        return CoqOutcome(t.name, said, detail, time.perf_counter() - start)

    try:
        refused = workshop.theorem(t.name, t.proof().text(), t.question())
    except Inexpressible as fault:
        return came("could-not-be-asked", Message("prove.coq-inexpressible", {"why": str(fault)}))
    except NotAsked as fault:
        return came("could-not-be-asked", fault.why)
    return came("refused", refused) if refused else came("accepted")


def check(theorems: Sequence[Asked], tell: Callable[[str], None] = lambda _: None) -> tuple[CoqOutcome, ...]:
    """Ask Coq about each theorem, in order; only where `installed` says a version. `tell` hears of each that is done.

    Nothing is accepted unless the control run comes out right: a true statement accepted, a false one refused.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            workshop = Workshop(Path(folder))
            control(workshop)
        except NotAsked as fault:
            return tuple(CoqOutcome(t.name, "could-not-be-asked", fault.why) for t in theorems)
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            outcomes = []
            for outcome in pool.map(lambda t: _checked(t, workshop), theorems):
                outcomes.append(outcome)
                tell(outcome.name)
        compiled = {o.name for o in outcomes if o.accepted}
        more: dict[str, Text] = {}
        for allowed in (ALLOWED, ALLOWED_WITH_LOGARITHM, ALLOWED_FOR_BOUNDS):
            of_these = [(t.name, t.labels) for t in theorems if t.name in compiled and t.allowed == allowed]
            more |= workshop.resting(of_these, allowed)
        return tuple(replace(o, said="refused", detail=more[o.name]) if o.name in more else o for o in outcomes)


def ask(record: Sequence[Established], statement: Statement, name: str = "derivation") -> CoqOutcome:
    """Ask Coq whether all that was proved holds, each by its name, and whether the claim of the statement is in it."""
    if installed() is None:
        return CoqOutcome(name, "could-not-be-asked", Message("prove.coq-not-here"))
    asked = about(name, statement, record)
    if asked is None:
        return CoqOutcome(name, "could-not-be-asked", Message("prove.coq-nothing"))
    return check([asked])[0]


# --- the control run -------------------------------------------------------------------------------------------

_CONTROL = """let n : size
claim sum(j = 1..n, 1) = {n}
proof
  sum(j = 1..n, 1)
  = n  -- constant sum
"""


def control(workshop: Workshop) -> None:
    """Raises `NotAsked` where the way of asking is wrong: a true statement refused, or a false one accepted."""
    from derive.library import LibraryTheorem
    from derive.results import Result

    true, false = (LibraryTheorem(Result("control", "", "", _CONTROL.format(n=n))) for n in ("n", "n + 1"))
    asked = of_chain("control", true.chain)
    text, own = asked.proof().text(), [("control", asked.labels)]
    refused = workshop.theorem("control", text, asked.question())
    refused = refused or workshop.resting(own, ALLOWED).get("control", "")
    if refused:
        raise NotAsked(Message("prove.coq-control-true", {"why": refused}))
    if not workshop.resting(own, frozenset()):
        raise NotAsked(Message("prove.coq-control-rests"))
    if not workshop.theorem("control", text, question("control", false.derivation.statement)):
        raise NotAsked(Message("prove.coq-control-false"))


# --- the table of axioms, and bounds ---------------------------------------------------------------------------


def check_axioms() -> CoqOutcome:
    """Whether every row of the kernel's table is what a lemma of the prelude says."""
    return _whole_file(
        "axioms", True, (axioms(), ALLOWED), (axioms(logarithms=True), ALLOWED_WITH_LOGARITHM)
    )  # fmt: skip


def _whole_file(name: str, on_prelude: bool, *texts: tuple[str, frozenset[str]]) -> CoqOutcome:
    start = time.perf_counter()
    said: Said = "accepted"
    why: Text = ""
    with tempfile.TemporaryDirectory() as folder:
        try:
            workshop = Workshop(Path(folder), rests_on_prelude=on_prelude)
            for k, (text, allowed) in enumerate(texts, 1):
                why = why or workshop.question(f"{name}_{k}", text, allowed)
            said = "refused" if why else "accepted"
        except NotAsked as fault:
            said, why = "could-not-be-asked", fault.why
    return CoqOutcome(name, said, why or None, time.perf_counter() - start)


def interval_installed() -> bool:
    """Whether Coq has its library for interval arithmetic."""
    if installed() is None:
        return False
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, timeout=60, check=False).stdout
    return (Path(where.strip()) / "user-contrib" / "Interval" / "Tactic.vo").is_file()


def check_bounds(inequalities: Sequence[Term]) -> CoqOutcome:
    """Whether Coq's interval arithmetic shows every one of the inequalities between closed numbers."""
    return _whole_file("bounds", False, (bounds(inequalities, _PRECISION), ALLOWED_FOR_BOUNDS))


# --- all that is asked -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sentence:
    """One line on what Coq said: its code with parameters, and whether something is amiss."""

    code: str
    params: Mapping[str, Text]
    amiss: bool = False


@dataclass(frozen=True)
class Opinion:
    """What Coq said of the theorems by name and, where all was asked, of the table of axioms and of the bounds.

    `bounds` is None too where the library for interval arithmetic is not there; `inequalities` counts them. `granted`
    is what the theorems were allowed to rest on.
    """

    theorems: Mapping[str, CoqOutcome]
    whole: bool
    axioms: CoqOutcome | None = None
    bounds: CoqOutcome | None = None
    inequalities: int = 0
    granted: frozenset[str] = ALLOWED

    @property
    def count(self) -> int:
        """How many theorems were accepted."""
        return sum(o.accepted for o in self.theorems.values())

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
            Sentence(f"coq-{o.said}", {"name": o.name, "why": o.detail or ""}, True)
            for o in self.theorems.values()
            if not o.accepted
        ]
        said.append(
            Sentence("coq-theorems", {"n": self.count, "all": len(self.theorems), "version": installed() or ""})
        )
        for what, outcome, n in (("axioms", self.axioms, len(AXIOMS)), ("bounds", self.bounds, self.inequalities)):
            if outcome is not None and outcome.accepted:
                said.append(Sentence(f"coq-{what}", {"n": n}))
            elif outcome is not None:
                said.append(Sentence(f"coq-{what}-{outcome.said}", {"why": outcome.detail or ""}, True))
            elif self.whole:
                said.append(Sentence(f"coq-{what}-not-asked", {}, True))
        return said


def ask_all(
    chains: Sequence[tuple[str, Chain | None]], whole: bool, tell: Callable[[str], None] = lambda _: None
) -> Opinion:
    """Ask Coq about chains by name and, with `whole`, about the table of axioms and all bounds of the shipped sheets.

    A theorem that has no chain is one that there is nothing to ask about.
    """
    asked = [of_chain(n, c) for n, c in chains if c is not None]
    granted = ALLOWED.union(*(a.allowed for a in asked))
    found = {o.name: o for o in check(asked, tell)}
    nothing = Message("prove.coq-nothing")
    outcomes = {n: found.get(n) or CoqOutcome(n, "could-not-be-asked", nothing) for n, _ in chains}
    if not whole:
        return Opinion(outcomes, False, granted=granted)
    tell("axioms")
    table = check_axioms()
    tell("bounds")
    if not interval_installed():
        return Opinion(outcomes, True, table, granted=granted)
    inequalities = shipped_bounds()
    return Opinion(outcomes, True, table, check_bounds(inequalities), len(inequalities), granted)


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
