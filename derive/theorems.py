"""What `derive list` and `derive prove` need to know of a registered theorem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from derive.sheets.blocks import Chain, Localised

if TYPE_CHECKING:
    from proofs.calc import Chain as Proof
    from proofs.statement import Statement


@dataclass(frozen=True)
class Stages:
    """How long each part of a check took, in seconds."""

    kernel: float = 0.0
    replay: float = 0.0
    numbers: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """What checking a theorem came to, in this run.

    `kernel` and `replay` say whether each accepted; `instances` and `largest_deviation` are of the numeric trial;
    `free` is the number of free variables; of `digits` digits both sides agreed to `agreed`; `certificate` is the
    flat certificate that was replayed. `statement` is what was to be proved, and `proof` its chain with the kernel's
    theorems, where it was accepted. `derived` says whether the kernel proved the claim to be what SymPy derives; None
    where SymPy derives nothing.
    """

    kernel: bool
    replay: bool
    instances: int
    largest_deviation: float
    free: int
    seconds: float
    certificate: str
    chains: tuple[Chain, ...] = ()
    digits: int = 0
    agreed: int = 0
    stages: Stages = Stages()
    statement: Statement | None = None
    proof: Proof | None = None
    derived: bool | None = None

    @property
    def proved(self) -> bool:
        return self.kernel and self.replay


class RegisteredTheorem(Protocol):
    """A theorem by name; `check` finds its proof anew, replays it and tries it on numbers."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> Localised: ...
    def check(self, seed: int) -> Outcome: ...


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
