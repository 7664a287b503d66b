"""What `derive list` and `derive prove` need to know of a registered theorem."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from derive.sheets.blocks import Chain, Language, Localised, Text

if TYPE_CHECKING:
    from derive.numbers import Spread
    from proofs.calc import Chain as Proof
    from proofs.statement import Statement
    from proofs.syntax.faults import SyntaxFault
    from proofs.verify import LineVerdict, Report

Said = Literal["accepted", "refused", "agreed", "disagreed", "not-asked", "could-not-be-asked"]
"""What one of those who check says: those who prove accept or refuse, those who compare agree or disagree."""


@dataclass(frozen=True)
class Verdict:
    """What one of those who check a theorem said, why where that is not plain, and after how many seconds."""

    said: Said
    why: Text | None = None
    seconds: float = 0.0

    @property
    def stands(self) -> bool:
        """Whether nothing speaks against the theorem: who could not be asked leaves it open, who need not does not."""
        return self.said in ("accepted", "agreed", "not-asked")


NOT_ASKED = Verdict("not-asked")


@dataclass(frozen=True)
class Outcome:
    """What checking a theorem came to, in this run.

    Kernel, second verifier, SymPy and NumPy have a verdict each; Coq has its own where it was asked. `instances` and
    `largest_deviation` are of the numeric trial, whose sizes spread over `sizes`; in `beyond` of its `compared`
    comparisons float64 overflowed or underflowed; `free` is the number of free variables; of `digits` digits both
    sides agreed to `agreed`; `certificate` is the flat certificate that was replayed. `statement` is what was to be
    proved, and `proof` its chain with the kernel's theorems, where it was accepted. Where it was not, `trouble` says
    where.
    """

    kernel: Verdict
    replay: Verdict
    sympy: Verdict
    numpy: Verdict
    instances: int
    largest_deviation: float
    free: int
    seconds: float
    certificate: str
    chains: tuple[Chain, ...] = ()
    digits: int = 0
    agreed: int = 0
    sizes: tuple[Spread, ...] = ()
    beyond: int = 0
    compared: int = 0
    statement: Statement | None = None
    proof: Proof | None = None
    coq: Verdict = NOT_ASKED
    trouble: Trouble | None = None

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Who said what."""
        return {
            "kernel": self.kernel, "replay": self.replay, "sympy": self.sympy, "numpy": self.numpy, "coq": self.coq,
        }  # fmt: skip

    @property
    def spread(self) -> tuple[int, int] | None:
        """The smallest and the largest of all sizes in the numeric trial, None where there are none."""
        if not self.sizes:
            return None
        return min(s.smallest for s in self.sizes), max(s.largest for s in self.sizes)

    @property
    def proved(self) -> bool:
        """The conjunction of all verdicts."""
        return all(v.stands for v in self.verdicts.values())


@dataclass(frozen=True)
class Trouble:
    """Where a chain fails: a fault of its header, or the report on its lines.

    `unreasoned` is a line that holds, while the reasons that it gives, or gives not, do not show it.
    """

    fault: SyntaxFault | None = None
    report: Report | None = None
    unreasoned: LineVerdict | None = None


class RegisteredTheorem(Protocol):
    """A theorem by name; `check` asks everybody anew, `unsaid` finds the sentences that a language lacks."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> Localised: ...
    def check(self, seed: int) -> Outcome: ...
    def unsaid(self) -> Iterable[tuple[Language, str]]: ...


Theorems: TypeAlias = Mapping[str, RegisteredTheorem]


@dataclass(frozen=True)
class RuleName:
    """A reason that may stand beside a line, as `derive list` prints it."""

    code: str
    zh: str
    en: str


@dataclass(frozen=True)
class DefinitionName:
    """A definition that may be used by name, with its explicit arguments."""

    name: str
    arguments: tuple[str, ...]
