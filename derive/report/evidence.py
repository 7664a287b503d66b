"""What is known of each theorem after its check: verdicts and times, and what its proof rests on."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from derive.report.printed import of_statement, read_back
from derive.theorems import Outcome, RegisteredTheorem
from proofs.calc import Chain
from proofs.certificate import flatten
from proofs.terms import Definition, Term


_EXACT = re.compile(r"-?\d+(?:/\d+)?")


@dataclass(frozen=True)
class Tally:
    """How often a proof uses each rule and each row of the table, which definitions it unfolds, and its numerals.

    `exact` counts those of its `numerals` that are written as a whole number, or as a quotient of two.
    """

    rules: Counter[str]
    rows: Counter[str]
    unfolded: tuple[str, ...]
    definitions: tuple[str, ...]
    numerals: int = 0
    exact: int = 0

    @property
    def inferences(self) -> int:
        return self.rules.total()


def tally(certificate: Iterable[str]) -> Tally:
    """Count the inferences of a certificate."""
    rules: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    unfolded: dict[str, None] = {}
    definitions: list[str] = []
    numerals: list[str] = []
    for line in map(json.loads, certificate):
        if "definition" in line:
            definitions.append(line["name"])
        if line.get("op") == "num":
            numerals.append(str(line["data"]))
        numerals += [str(p["number"]) for p in line.get("parameters", ()) if isinstance(p, dict) and "number" in p]
        if "step" not in line or "rule" not in line:
            continue
        rules[line["rule"]] += 1
        texts = [p["text"] for p in line["parameters"] if "text" in p]
        if line["rule"] == "axiom":
            rows[texts[0]] += 1
        if line["rule"] == "definition":
            unfolded |= dict.fromkeys(texts)
    exact = sum(_EXACT.fullmatch(x) is not None for x in numerals)
    return Tally(rules, rows, tuple(unfolded), tuple(definitions), len(numerals), exact)


@dataclass(frozen=True)
class LineEvidence:
    """What one line of a chain rests on; `number` is None for what joins the lines to the claim.

    `assumptions` are places among the assumptions of the statement.
    """

    number: int | None
    reasons: tuple[str, ...]
    tally: Tally
    assumptions: tuple[int, ...]

    @property
    def rests_on_something(self) -> bool:
        return bool(self.tally.rows or self.tally.unfolded or self.assumptions)


@dataclass(frozen=True)
class Evidence:
    """A theorem with the outcome of its check."""

    theorem: RegisteredTheorem
    outcome: Outcome

    @property
    def name(self) -> str:
        return self.theorem.name

    @property
    def accepted(self) -> bool:
        """Whether everyone who was asked accepted it, and it is printed as it was checked."""
        return self.outcome.proved and self.printed[0] == self.printed[1]

    @cached_property
    def digest(self) -> str:
        """Of the certificate, as ``derive prove --certificate`` writes it."""
        return hashlib.sha256(self.outcome.certificate.encode()).hexdigest()

    @cached_property
    def tally(self) -> Tally:
        return tally(self.outcome.certificate.splitlines())

    @cached_property
    def lines(self) -> tuple[LineEvidence, ...]:
        return () if self.outcome.proof is None else tuple(_lines(self.outcome.proof))

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions that the statement or the proof speaks of, each after those that it is made of."""
        if self.outcome.proof is None:
            return ()
        found: dict[str, Definition] = {}
        chain = self.outcome.proof
        for t in (chain.statement.claim, *chain.statement.hypotheses, *(x.term for x in chain.lines)):
            _collect(t, found)
        return tuple(found.values())

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Every formula of the statement and of the chain that is printed."""
        statement, chain = self.outcome.statement, self.outcome.proof
        said = () if statement is None else (*statement.assumptions(), statement.claim)
        return said if chain is None else (*said, *(x.term for x in chain.lines))

    @cached_property
    def printed(self) -> tuple[int, int]:
        """How many of the printed formulas read back as the checked term, and how many there are."""
        if self.outcome.statement is None:
            return 0, 0
        return read_back(self.terms, of_statement(self.outcome.statement))


def _lines(chain: Chain) -> Iterator[LineEvidence]:
    assumptions = chain.statement.assumptions()
    named = [(str(k), x.theorem) for k, x in enumerate(chain.lines, 1) if x.theorem is not None]
    for (number, theorem), line in zip(named, chain.lines[1:], strict=True):
        rests = tuple(n for n, p in enumerate(assumptions) if p in theorem.hypotheses)
        yield LineEvidence(int(number), line.reasons, tally(flatten([(number, theorem)])), rests)
    # What proofs share is written once, so that the last of them brings only what joins the others.
    written = list(flatten([*named, *((e.name, e.theorem) for e in chain.record("claim"))]))
    ends = [n for n, text in enumerate(written) if "theorem" in json.loads(text)]
    rests = tuple(n for n, p in enumerate(assumptions) if p in chain.theorem.hypotheses)
    yield LineEvidence(None, (), tally(written[ends[len(named) - 1] + 1 if named else 0 :]), rests if not named else ())


def _collect(t: Term, found: dict[str, Definition]) -> None:
    if isinstance(t.data, Definition) and t.data.name not in found:
        _collect(t.data.body, found)
        found[t.data.name] = t.data
    for a in t.args:
        _collect(a, found)


def gather(outcomes: Sequence[tuple[RegisteredTheorem, Outcome]]) -> tuple[Evidence, ...]:
    """The evidence for each theorem, in order."""
    return tuple(Evidence(t, o) for t, o in outcomes)
