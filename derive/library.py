"""The library: every theorem by name, proved, replayed and tried on numbers when asked, and only then."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from derive import causality, heads, parameters, softmax
from derive.definitions import signatures
from derive.errors import DeriveError
from derive.results import Result
from derive.sheets.blocks import Chain as PrintedChain
from derive.sheets.blocks import ChainLine, Formula, Language, Localised, Message, Relation
from derive.sheets.prose import catalogue
from derive.theorems import DefinitionName, Outcome, RuleName, Stages, Theorems
from proofs import record
from proofs.calc import ARITHMETIC, Chain, ChainError, proved, reason_codes
from proofs.context import Context
from proofs.justify import prove
from proofs.kernel import Theorem
from proofs.normalise import REASONS
from proofs.record import Established
from proofs.statement import Statement
from proofs.syntax.changed import changed
from proofs.syntax.derivation import Derivation, read_derivation
from proofs.terms import Term, entry, free_variables, num, relation

OPERATIONS: Mapping[str, str] = {"=": "eq", "<=": "le", "<": "lt"}
CODES: tuple[str, ...] = (*REASONS, ARITHMETIC)
TOLERANCE = 1e-9


def rules() -> tuple[RuleName, ...]:
    """Every reason that may stand beside a line, with its name in each language."""
    zh, en = catalogue("zh"), catalogue("en")
    return tuple(RuleName(c, zh.plain(f"reasons.{_key(c)}"), en.plain(f"reasons.{_key(c)}")) for c in CODES)


def _key(code: str) -> str:
    return code.replace(" ", "-")


def definitions() -> tuple[DefinitionName, ...]:
    """Every definition that may be used by name, with the arguments that are written."""
    return tuple(
        DefinitionName(name, tuple(str(p.data) for p in s.definition.parameters[s.definition.implicit :]))
        for name, s in signatures().items()
    )


def names_of(codes: tuple[str, ...], lang: Language) -> str:
    """The names of reasons, as a learner would write them after ``--``."""
    known = {r.code: r.zh if lang == "zh" else r.en for r in rules()}
    return ("、" if lang == "zh" else ", ").join(known[c] for c in codes)


def reason_names() -> Mapping[str, str]:
    """Names of reasons, folded, in both languages, to codes."""
    return {name.casefold(): r.code for r in rules() for name in (r.code, r.zh, r.en)}


@dataclass(frozen=True)
class LibraryTheorem:
    """A registered result. Its chain is found by the kernel anew in each process, once."""

    result: Result

    @property
    def name(self) -> str:
        return self.result.name

    @property
    def title(self) -> Localised:
        """The title as plain text, for lists."""
        key = self.title_key
        if key is None:
            return Localised(self.result.zh, self.result.en)
        return Localised(catalogue("zh").plain(key), catalogue("en").plain(key))

    @property
    def title_key(self) -> str | None:
        """The sentence of the catalogues that is the title, where it has formulas in it."""
        key = f"theorems.{self.name}.title"
        return key if key in catalogue("en") else None

    @cached_property
    def derivation(self) -> Derivation:
        return read_derivation(self.result.text, signatures())

    @cached_property
    def chain(self) -> Chain:
        """The lines with their theorems.

        Raises
        ------
        ChainError
            At the first line that its reasons do not justify.
        """
        plain = {c: c for c in CODES}
        lines = []
        for line in self.derivation.lines:
            if line.term is None:
                raise line.fault or ValueError(line.text)
            codes = reason_codes(line.reason_text, plain) if line.reason_text else ()
            if codes is None:
                raise ValueError(f"{self.name}: {line.reason_text} is no reason")
            lines.append((None if line.relation is None else OPERATIONS[line.relation], line.term, codes))
        return proved(self.derivation.statement, lines)

    def check(self, seed: int) -> Outcome:
        """Prove, replay, compare with what SymPy finds, and try on numbers; nothing is remembered from before."""
        import numpy  # noqa: F401  (so that the first trial is not charged for loading it)

        from derive.numbers import try_chain

        start = time.perf_counter()
        fresh = LibraryTheorem(self.result)
        statement = fresh.derivation.statement
        free = len({v for p in (*statement.hypotheses, statement.claim) for v in free_variables(p)})
        began = time.perf_counter()
        try:
            chain = fresh.chain
        except ChainError:
            now = time.perf_counter()
            return Outcome(
                False, False, 0, 0.0, free, now - start, "", stages=Stages(kernel=now - began), statement=statement
            )
        proved_after = time.perf_counter() - began
        found = fresh.agrees_with_sympy()
        began = time.perf_counter()
        established = chain.record(self.name)
        certificate = "\n".join(record.certificate(established)) + "\n"
        replayed = record.replays(established, statement, certificate.splitlines())
        replayed_after = time.perf_counter() - began
        began = time.perf_counter()
        trial = try_chain(chain, seed, self.result.stated)
        tried_after = time.perf_counter() - began
        sound = found and trial.largest_deviation < TOLERANCE
        printed = (printed_chain(chain),) if sound else ()
        seconds = time.perf_counter() - start
        return Outcome(
            sound, replayed, trial.instances, trial.largest_deviation, free, seconds, certificate, printed,
            trial.digits, trial.agreed, Stages(proved_after, replayed_after, tried_after), statement, chain,
            found if self.derives else None,
        )  # fmt: skip

    @property
    def derives(self) -> bool:
        """Whether SymPy derives anything to compare the claim with."""
        return self.result.found is not None or self.result.vanishes is not None

    def agrees_with_sympy(self) -> bool:
        """Whether the kernel proves the claim's right side equal to what SymPy derives, where it derives anything."""
        if not self.derives:
            return True
        from derive.symbolic import to_term

        if self.result.vanishes is not None and self.result.vanishes() != 0:
            return False
        if self.result.found is None:
            return True
        statement = self.derivation.statement
        names = {d.name: d.variable for d in statement.declarations}
        right = statement.claim.args[1]
        wanted = self.result.found()
        pairs: list[tuple[Term, Term]]
        if isinstance(wanted, tuple):
            pairs = [(entry(right, num(k)), to_term(x, names)) for k, x in enumerate(wanted, 1)]
        else:
            pairs = [(right, to_term(wanted, names))]
        ctx = Context.of(statement)
        return all(prove(relation("eq", a, b), ctx) is not None for a, b in pairs)


def replays(name: str, theorem: Theorem, granted: tuple[Term, ...], claim: Term) -> bool:
    """Whether the certificate of a theorem, read by the second verifier, proves `claim` from what was granted."""
    return record.replays((Established(name, claim, theorem),), Statement((), granted, claim))


def printed_chain(chain: Chain) -> PrintedChain:
    """A chain as a block of a sheet: each line with the places that it changed, and its reasons in words."""
    first, *rest = chain.lines
    before = first.term
    lines = []
    for line in rest:
        _, marks = changed(before, line.term)
        lines.append(ChainLine(_relation(line.relation), Formula(line.term, marks), reason_text(line.reasons)))
        before = line.term
    return PrintedChain(Formula(first.term), tuple(lines))


def _relation(op: str | None) -> Relation:
    return "le" if op == "le" else "lt" if op == "lt" else "eq"


def reason_text(codes: tuple[str, ...]) -> Message | None:
    """The reasons of a line as one phrase."""
    if not codes:
        return None
    if len(codes) == 1:
        return Message(f"reasons.{_key(codes[0])}")
    parts = {chr(ord("a") + k): Message(f"reasons.{_key(c)}") for k, c in enumerate(codes)}
    return Message(f"reasons.together-{len(codes)}", parts)


@cache
def theorems() -> Theorems:
    """All theorems in the order in which they are listed."""
    topics = (parameters, heads, softmax, causality)
    found = {r.name: LibraryTheorem(r) for topic in topics for r in topic.RESULTS}
    return found


def theorem(name: str) -> LibraryTheorem:
    """The theorem of that name.

    Raises
    ------
    DeriveError
        ``no-theorem``
    """
    found = theorems().get(name)
    if not isinstance(found, LibraryTheorem):
        raise DeriveError("no-theorem", name=name)
    return found
