"""What a right answer can be: a number or formula, an infinity or NaN, rows and grids of these, a set, letters.

A number is a term of the proof language, with variables where the problem is stated in names. Nothing here is a
machine number: what a format holds is the exact rational.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from proofs.statement import Declaration
from proofs.syntax.nodes import Node
from proofs.terms import Term, num

SpecialName = Literal["inf", "-inf", "nan"]


@dataclass(frozen=True, slots=True)
class Exact:
    """A number, or a formula in the declared names.

    `unit` is what one unit of its last digit is worth, where a key types it as a decimal.
    """

    term: Term
    unit: Fraction | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Special:
    """What is no real number: an infinity, or NaN."""

    name: SpecialName


@dataclass(frozen=True, slots=True)
class Opaque:
    """An expression that was read and lies outside the proof language: equal only to what is typed the same."""

    node: Node
    text: str


Scalar: TypeAlias = "Exact | Special | Opaque"


@dataclass(frozen=True, slots=True)
class Row:
    """A vector, a tuple or a shape: what stands between its brackets, in order.

    `open` is whether a key typed two entries in round brackets and doesn't say that it isn't an interval.
    """

    items: tuple[Scalar, ...]
    open: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix by its rows, all of one length; `vector` is one row or column that may also be written bare."""

    rows: tuple[tuple[Scalar, ...], ...]
    vector: bool = False


@dataclass(frozen=True, slots=True)
class Several:
    """A set: order does not count, and neither do repetitions."""

    items: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list in which order does not count, and repetitions do."""

    items: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """The numbers between two ends, each of which belongs to it or not."""

    low: Scalar
    high: Scalar
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True, slots=True)
class Intervals:
    """One interval, or several joined, from left to right."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of the declared names: relations that are all meant; `text` is how they were typed."""

    relations: tuple[Term, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""

    holds: bool


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a choice, in capitals and in order of the alphabet."""

    letters: str


@dataclass(frozen=True, slots=True)
class Option:
    """One of several answers to choose from: how it may be named, and what is said to whoever chooses it wrongly.

    `printed` is how a key prints it, with its letter; it names the option only where the letters are known.
    """

    code: str
    names: tuple[str, ...]
    why: Said
    printed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OneOf:
    """One option of several; `lettered` is whether they are A, B, C in the order of a sheet at hand."""

    options: tuple[Option, ...]
    right: int
    lettered: bool = False


@dataclass(frozen=True, slots=True)
class Derivation:
    """A proof that the named theorem's statement asks for, in at least so many steps."""

    theorem: str
    steps: int = 0


Value: TypeAlias = (
    "Exact | Special | Opaque | Row | Grid | Several | Listing | Intervals | Condition | Truth | Letters | OneOf | "
    "Derivation"
)

Param: TypeAlias = "str | int"


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence by its code and what fills it; the words stand in the prose catalogues."""

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)


def in_words(zh: str, en: str) -> Said:
    """What is said in so many words, not by a code."""
    return Said("text", {"zh": zh, "en": en})


@dataclass(frozen=True)
class Names:
    """What names mean in an answer: those that may be used, what is assumed, and which stand for something else.

    `meanings` gives some of the declared names as terms in the others: ``d_k`` is ``d_model/h``.
    """

    declarations: tuple[Declaration, ...] = ()
    meanings: Mapping[Term, Term] = field(default_factory=dict)


NO_NAMES = Names()

DIGITS_OF_A_ROUNDING = 2
DIGITS_OF_A_THRESHOLD = 4


@dataclass(frozen=True, slots=True)
class Demand:
    """How near an answer must come to the right number.

    A rounding shows at least `least` significant digits; with `exact` none is enough, with `whole` none of a whole
    number is, as where things are counted. `places` and `digits` are the decimal places and significant digits that
    are asked for, `tolerance` and `absolute` how far off an answer may be.
    """

    exact: bool = False
    whole: bool = False
    least: int = DIGITS_OF_A_ROUNDING
    places: int | None = None
    digits: int | None = None
    tolerance: Fraction | None = None
    absolute: Fraction | None = None

    @property
    def is_stated(self) -> bool:
        """Whether a key says how many digits it asks for, or how far off an answer may be."""
        return any(x is not None for x in (self.places, self.digits, self.tolerance, self.absolute))


ANY_ROUNDING = Demand()
COUNTED = Demand(whole=True)
THRESHOLD = Demand(whole=True, least=DIGITS_OF_A_THRESHOLD)


@dataclass(frozen=True)
class Right:
    """The right answer of a problem: its value, how it comes about in one line, and the names that may be used.

    Where the problem is given in numbers, `named` is the same value in names: an answer that uses a name is
    compared with that, so that ``(B, T, h, d_k)`` is not right only because T and h are both 2. `shape` is whether
    a row is a shape; `asked` are the terms that restate the question, as the first side of ``exp(15) = inf`` does.
    `demand` is how near an answer must come, `further` are values that are right as well; `stored` is what a number
    becomes in the format that the problem is about.
    """

    value: Value
    line: Said
    names: Names = NO_NAMES
    named: Value | None = None
    shape: bool = False
    asked: tuple[Term, ...] = ()
    demand: Demand = COUNTED
    further: tuple[Value, ...] = ()
    stored: Callable[[Fraction], Value] | None = None


def number(q: int | Fraction) -> Exact:
    """A rational number as a value."""
    return Exact(num(q))


def row(items: Iterable[int | Fraction]) -> Row:
    """A row of rational numbers."""
    return Row(tuple(map(number, items)))


INF, MINUS_INF, NAN = Special("inf"), Special("-inf"), Special("nan")
