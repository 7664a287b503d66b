"""The library: every theorem by name, proved, replayed, compared and tried when asked, and only then."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from derive import causality, heads, parameters, softmax
from derive.definitions import signatures
from derive.errors import DeriveError
from derive.results import Result
from derive.sheets.blocks import Chain as PrintedChain
from derive.sheets.blocks import ChainLine, Formula, Language, Localised, Message, Relation, Text
from derive.sheets.prose import LANGUAGES, catalogue
from derive.theorems import NOT_ASKED, DefinitionName, Outcome, RuleName, Theorems, Trouble, Verdict
from proofs import record
from proofs.calc import ARITHMETIC, Chain, ChainError, proved, reason_codes
from proofs.context import Context, definitions_in
from proofs.justify import prove
from proofs.kernel import KernelError, Theorem
from proofs.normalise import REASONS
from proofs.record import Established
from proofs.refute import refute
from proofs.statement import Statement
from proofs.syntax.changed import changed
from proofs.syntax.derivation import Derivation, read_derivation
from proofs.syntax.faults import SyntaxFault
from proofs.terms import Term, TermError, entry, free_variables, num, relation
from proofs.verify import verify

if TYPE_CHECKING:
    from derive.numbers import Trial

OPERATIONS: Mapping[str, str] = {"=": "eq", "<=": "le", "<": "lt"}
CODES: tuple[str, ...] = (*REASONS, ARITHMETIC)
ALSO: Mapping[str, tuple[str, ...]] = {"exp of a sum": ("和的指数", "exponential of a sum")}
"""Further names of a reason, which are read and never printed."""
TOLERANCE = 1e-9
_BEYOND = (RecursionError, MemoryError, TermError)
_LONGEST = 200  # characters of what somebody else's code says


def rules() -> tuple[RuleName, ...]:
    """Every reason that may stand beside a line, with its name in each language."""
    return tuple(RuleName(c, _name(c, "zh"), _name(c, "en")) for c in CODES)


def _name(code: str, lang: Language) -> str:
    """The name of a reason; its code where a language has none yet, which `LibraryTheorem.unsaid` reports."""
    key = f"reasons.{_key(code)}"
    return catalogue(lang).plain(key) if key in catalogue(lang) else code


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
    """Names of reasons, folded, in both languages and as people also write them, to codes."""
    also = {name.casefold(): code for code, names in ALSO.items() for name in names}
    return also | {name.casefold(): r.code for r in rules() for name in (r.code, r.zh, r.en)}


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
        return key if all(key in catalogue(lang) for lang in LANGUAGES) else None

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
            if line.relation is not None and line.relation not in OPERATIONS:
                raise ValueError(f"{self.name}: {line.relation} can't join lines here")
            codes = reason_codes(line.reason_text, plain) if line.reason_text else ()
            if codes is None:
                raise ValueError(f"{self.name}: {line.reason_text} is no reason")
            lines.append((None if line.relation is None else OPERATIONS[line.relation], line.term, codes))
        return proved(self.derivation.statement, lines)

    def check(self, seed: int) -> Outcome:
        """Ask the kernel, the second verifier, SymPy and NumPy; nothing is remembered from before.

        Each has a verdict of its own. Whoever raises an error could not be asked, and the others are asked all the
        same; nothing that a theorem holds ends in an exception.
        """
        import numpy  # noqa: F401  (so that the first trial is not charged for loading it)

        start = time.perf_counter()
        fresh = LibraryTheorem(self.result)
        try:
            statement = fresh.derivation.statement
        except (SyntaxFault, *_BEYOND) as fault:
            return _unread(fault, time.perf_counter() - start)
        free = len({v for p in (*statement.hypotheses, statement.claim) for v in free_variables(p)})
        chain, trouble, kernel = fresh._by_kernel()
        sympy = fresh._by_sympy()
        if chain is None:
            seconds = time.perf_counter() - start
            return Outcome(
                kernel, Verdict("refused", Message("prove.no-proof")), sympy,
                Verdict("not-asked", Message("prove.no-lines")), 0, 0.0, free, seconds, "", statement=statement,
                trouble=trouble,
            )  # fmt: skip
        began = time.perf_counter()
        established = chain.record(self.name)
        certificate = "\n".join(record.certificate(established)) + "\n"
        accepted = record.replays(established, statement, certificate.splitlines())
        replayed = Verdict("accepted" if accepted else "refused", None, time.perf_counter() - began)
        tried, numpy_ = fresh._by_numpy(chain, seed)
        stands = all(v.stands for v in (kernel, replayed, sympy, numpy_))
        return Outcome(
            kernel, replayed, sympy, numpy_, tried.instances, tried.largest_deviation, free,
            time.perf_counter() - start, certificate, (printed_chain(chain),) if stands else (), tried.digits,
            tried.agreed, tried.sizes, tried.beyond, tried.compared, statement, chain,
        )  # fmt: skip

    def _by_kernel(self) -> tuple[Chain | None, Trouble | None, Verdict]:
        began = time.perf_counter()
        try:
            chain = self.chain
        except (ChainError, SyntaxFault, ValueError, KernelError, *_BEYOND) as fault:
            spent = time.perf_counter() - began
            return None, self._trouble(fault), Verdict("refused", Message("prove.not-accepted"), spent)
        return chain, None, Verdict("accepted", None, time.perf_counter() - began)

    def _trouble(self, fault: Exception) -> Trouble:
        """Where the chain fails, judged as somebody's own derivation is."""
        report = verify(self.derivation, {c: c for c in CODES})
        of_claim = report.remaining is not None or report.counterexample is not None or report.missing
        if of_claim or any(line.verdict != "proved" for line in report.lines):
            return Trouble(report=report)
        at = fault.line if isinstance(fault, ChainError) else len(report.lines) - 1
        return Trouble(report=report, unreasoned=report.lines[at] if at < len(report.lines) else None)

    def _by_numpy(self, chain: Chain, seed: int) -> tuple[Trial, Verdict]:
        from derive.numbers import NoInstance, Trial, try_chain
        from derive.reference import FUNCTIONS

        nothing, began = Trial(0, 0.0, 0, 0), time.perf_counter()
        spoken = (chain.statement.claim, *chain.statement.hypotheses, *(line.term for line in chain.lines))
        for name in dict.fromkeys(d for t in spoken for d in definitions_in(t)):
            if name not in FUNCTIONS:
                return nothing, Verdict("could-not-be-asked", Message("prove.no-twin", {"name": name}))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                trial = try_chain(chain, seed, self.result.stated)
        except NoInstance as lack:
            return nothing, Verdict("could-not-be-asked", Message(f"prove.lack-{lack.code}"))
        except Exception as fault:
            return nothing, Verdict("could-not-be-asked", _raised(fault))
        spent = time.perf_counter() - began
        if trial.largest_deviation < TOLERANCE:
            return trial, Verdict("agreed", None, spent)
        deviation = f"{trial.largest_deviation:.1e}"
        return trial, Verdict("disagreed", Message("prove.deviates", {"deviation": deviation}), spent)

    @property
    def derives(self) -> bool:
        """Whether SymPy derives anything to compare the claim with."""
        return self.result.found is not None or self.result.vanishes is not None

    def _by_sympy(self) -> Verdict:
        began = time.perf_counter()
        if not self.derives:
            return NOT_ASKED
        try:
            said = self._against_sympy()
        except Exception as fault:
            said = Verdict("could-not-be-asked", _raised(fault))
        return Verdict(said.said, said.why, time.perf_counter() - began)

    def _against_sympy(self) -> Verdict:
        """Whether what SymPy derives is what is claimed; the kernel decides that, and a counter-example refutes it."""
        from derive.symbolic import to_term

        if self.result.vanishes is not None:
            rest = self.result.vanishes()
            if rest != 0 and rest.equals(0) is not True:
                return Verdict("disagreed", Message("prove.rest", {"rest": str(rest)}))
        if self.result.found is None:
            return Verdict("agreed")
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
        for k, (claimed, found) in enumerate(pairs):
            goal = relation("eq", claimed, found)
            if prove(goal, ctx) is not None:
                continue
            derived = str(wanted[k] if isinstance(wanted, tuple) else wanted)
            if refute(statement.declarations, statement.hypotheses, goal) is None:
                return Verdict("could-not-be-asked", Message("prove.not-compared", {"derived": derived}))
            return Verdict("disagreed", Message("prove.derives", {"derived": derived}))
        return Verdict("agreed")

    def unsaid(self) -> Iterator[tuple[Language, str]]:
        """The sentences that this theorem needs and a language does not have, by their keys."""
        needed = [f"theorems.{self.name}.{part}" for part in ("task", "idea", "mistake", "key")]
        if any(f"theorems.{self.name}.title" in catalogue(lang) for lang in LANGUAGES):
            needed.append(f"theorems.{self.name}.title")
        if any(f"theorems.{self.name}.after" in catalogue(lang) for lang in LANGUAGES):
            needed.append(f"theorems.{self.name}.after")
        try:
            texts = [line.reason_text for line in self.derivation.lines]
        except SyntaxFault:
            texts = []
        for text in texts:
            codes = reason_codes(text, {c: c for c in CODES}) if text else None
            needed += _sentences_of(codes or ())
        for lang in LANGUAGES:
            yield from ((lang, key) for key in dict.fromkeys(needed) if key not in catalogue(lang))


def _unread(fault: Exception, seconds: float) -> Outcome:
    """The outcome where there is no statement to ask anybody about."""
    none = Verdict("could-not-be-asked", Message("prove.no-statement"))
    refused = Verdict("refused", Message("prove.no-statement"))
    trouble = Trouble(fault=fault if isinstance(fault, SyntaxFault) else None)
    return Outcome(refused, refused, none, none, 0, 0.0, 0, seconds, "", trouble=trouble)


def _raised(fault: Exception) -> Message:
    """What somebody else's code came to grief with, as one line."""
    said = " ".join(f"{type(fault).__name__}: {fault}".split())
    short = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}\N{HORIZONTAL ELLIPSIS}"
    return Message("prove.raised", {"fault": short})


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
        reason = reason_text(line.reasons)
        lines.append(ChainLine(_relation(line.relation), Formula(line.term, marks), reason, line.reasons))
        before = line.term
    return PrintedChain(Formula(first.term), tuple(lines))


def _relation(op: str | None) -> Relation:
    return "le" if op == "le" else "lt" if op == "lt" else "eq"


def reason_text(codes: tuple[str, ...]) -> Text | None:
    """The reasons of a line as one phrase; their codes where a language has no sentence for one of them."""
    if not codes:
        return None
    keys = _sentences_of(codes)
    if any(key not in catalogue(lang) for key in keys for lang in LANGUAGES):
        return ", ".join(codes)
    if len(codes) == 1:
        return Message(keys[0])
    parts = {chr(ord("a") + k): Message(key) for k, key in enumerate(keys[:-1])}
    return Message(keys[-1], parts)


def _sentences_of(codes: tuple[str, ...]) -> list[str]:
    """The sentences that reasons are said with: one each, and for several the one that joins them, last."""
    return [f"reasons.{_key(c)}" for c in codes] + ([f"reasons.together-{len(codes)}"] if len(codes) > 1 else [])


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
