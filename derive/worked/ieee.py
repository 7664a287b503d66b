"""What the exercises on floating point share: values as text, proved inequalities, and the comparison with NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from derive import floats
from derive.floats import FORMATS, Float, Format, exact_decimal, shortest_decimal, spacing
from derive.floats.softmax import Method
from derive.problems.formats import typed_text
from derive.sheets.blocks import Formula, Message, Text
from derive.sheets.problems import Field, Given
from derive.sheets.prose import catalogue, placeholders
from derive.errors import NotProved
from derive.worked.bounds import proved_less
from proofs.evaluate import decimal
from proofs.terms import Term, exp, num, power, sub

FORMAT = Field("choice", options=tuple(f.name for f in FORMATS))
IN_NUMPY = ("float16", "float32", "float64")
FEW_POWERS = 10**6
"""Below this a boundary is written as a number, above as powers of 2."""
LONG = 39
"""Up to so many digits a number is written as it was typed, and a limit of a format in full."""
EXACT = Context(prec=2_000)
FEW = 10
"""Up to so many characters a value is written in full, beyond as the shortest decimal that gives it."""


def format_of(given: Mapping[str, Given], name: str = "format") -> Format:
    """The format that is given by name."""
    return floats.format_named(str(given[name]))


def decimal_of(given: Mapping[str, Given], name: str) -> Decimal:
    """A number as typed, that the manifest reader has checked."""
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise TypeError(value)
    return Decimal(value)


def decimals_of(given: Mapping[str, Given], name: str) -> tuple[Decimal, ...]:
    """A row of numbers as typed."""
    value = given[name]
    if not isinstance(value, tuple):
        raise TypeError(value)
    return tuple(decimal_of({name: x}, name) for x in value)


# --- values as text ----------------------------------------------------------------------------------------


def signed(text: str) -> str:
    """The text with a minus sign in place of a hyphen."""
    return text.replace("-", "−")


def written(x: Decimal) -> str:
    """A decimal in full where it is short, else with an exponent and all its digits; ``inf``, ``NaN``."""
    if x.is_nan():
        return "NaN"
    if x.is_infinite():
        return "−inf" if x.is_signed() else "inf"
    text = f"{x:f}"
    return signed(text if len(text) <= 60 else f"{x.normalize(EXACT):e}".replace("e+", "e"))


def typed(x: Decimal) -> str:
    """A number as it was typed, briefly; with all its digits where they are many."""
    return written(x) if len(x.as_tuple().digits) > LONG else signed(typed_text(floats.read(x)))


def in_full(x: Float) -> str:
    """All digits of a value; a whole number beyond 60 digits with an exponent."""
    return written(exact_decimal(x))


def brief(x: Float) -> str:
    """A value in full where that is short, else the shortest decimal of two digits or more that gives it."""
    full = exact_decimal(x)
    if not x.is_finite or len(f"{full:f}") <= FEW:
        return written(full)
    short = shortest_decimal(x)
    if len(short.normalize().as_tuple().digits) == 1:  # a rounding to one digit says too little
        short = full.normalize(Context(prec=2))
    if -5 <= short.adjusted() <= 15:
        return signed(f"{short:f}")
    digits = short.normalize()
    return signed(f"{digits:e}".replace("e+", "e"))


def worth(x: Float) -> Text:
    """A value as a sentence says it: in full, or as about its shortest decimal."""
    return brief(x) if not x.is_finite or brief(x) == in_full(x) else Message("worked.about", {"x": brief(x)})


def largest_in(fmt: Format) -> Text:
    """The largest finite value of a format, in full where that fits on a line."""
    found = floats.largest_finite(fmt)
    return in_full(found) if len(in_full(found)) <= LONG else worth(found)


def listed(names: Sequence[Text]) -> Text:
    """``float16, float32 and float64``, as each language lists things."""
    if len(names) == 1:
        return names[0]
    return Message(f"worked.list-{len(names)}", {"abcd"[k]: name for k, name in enumerate(names)})


def row(values: Sequence[Float]) -> str:
    """A vector of values."""
    return f"[{', '.join(map(brief, values))}]"


# --- proved inequalities -----------------------------------------------------------------------------------


def significant(t: Term, digits: int) -> str:
    """A positive closed number to so many significant digits; the rounding is proved.

    Raises
    ------
    NotProved
        Where it is not certain.
    """
    text = decimal(t, digits, significant=True)
    if text is None:
        raise NotProved(t)
    shown = Decimal(text)
    places = shown.as_tuple().exponent
    if not isinstance(places, int):
        raise NotProved(t)
    half = Fraction(10) ** places / 2
    proved_less(num(Fraction(shown) - half), t)
    proved_less(t, num(Fraction(shown) + half))
    plain = f"{shown:f}"
    return signed(plain if places <= 0 and len(plain) <= digits + 6 else f"{shown:e}".replace("e+", "e"))


def overflow_boundary(fmt: Format) -> Term:
    """From this number on everything rounds to inf: half a spacing above the largest value, as powers of 2 if large.

    Raises
    ------
    NotProved
        If the exact model says otherwise.
    """
    if fmt.overflow_boundary < FEW_POWERS:
        return num(fmt.overflow_boundary)
    up, down = fmt.emax + 1, fmt.emax - fmt.precision
    if Fraction(2) ** up - Fraction(2) ** down != fmt.overflow_boundary:
        raise NotProved(fmt.name)
    return sub(power(num(2), num(up)), power(num(2), num(down)))


def underflow_boundary(fmt: Format) -> Term:
    """Up to this number everything positive rounds to 0: half the smallest subnormal, as a power of 2.

    Raises
    ------
    NotProved
        If the exact model says otherwise.
    """
    if Fraction(2) ** (fmt.quantum - 1) != fmt.underflow_boundary:
        raise NotProved(fmt.name)
    return power(num(2), num(fmt.quantum - 1))


def shown_boundary(boundary: Term) -> Text:
    """A boundary as the values beside it are written: digits without separators, or powers of 2."""
    return written(Decimal(str(boundary.data))) if boundary.op == "num" else Formula(boundary)


def exp_below(x: Float, boundary: Term) -> Message:
    """``exp(x) < boundary`` as a sentence, proved."""
    proved_less(exp(num(x.value)), boundary)
    return Message("stability.exp-below", {"x": in_full(x), "boundary": shown_boundary(boundary)})


def exp_above(x: Float, boundary: Term) -> Message:
    """``boundary < exp(x)`` as a sentence, proved."""
    proved_less(boundary, exp(num(x.value)))
    return Message("stability.exp-above", {"x": in_full(x), "boundary": shown_boundary(boundary)})


# --- NumPy -------------------------------------------------------------------------------------------------


@cache
def numpy_version() -> str:
    """The version of the NumPy at hand."""
    import numpy as np

    return np.__version__


def to_numpy(x: Float) -> Any:
    """The same value as a scalar of NumPy."""
    import numpy as np

    kind = {"float16": np.float16, "float32": np.float32, "float64": np.float64}[x.format.name]
    if x.is_nan:
        return kind("nan")
    if x.is_infinite:
        return kind("-inf" if x.negative else "inf")
    return kind(float(x.value))


def ulps_between(x: Float, found: Any) -> int | None:
    """How many units in the last place NumPy is off, rounded up; None for another infinity, or NaN where x is none."""
    import math

    if x.is_nan or math.isnan(found):
        return 0 if x.is_nan and math.isnan(found) else None
    if x.is_infinite or math.isinf(found):
        return 0 if x.is_infinite and math.isinf(found) and (found < 0) == x.negative else None
    return math.ceil(abs(Fraction(float(found)) - x.value) / spacing(x))


def numpy_exp(x: Float) -> Any:
    """exp of a value in NumPy's own format."""
    import numpy as np

    with np.errstate(all="ignore"):
        return np.exp(to_numpy(x))


def numpy_softmax(scores: Sequence[Float], method: Method) -> list[Any]:
    """Softmax in NumPy, scalar by scalar, in the format of the scores; sums run from left to right."""
    import numpy as np

    with np.errstate(all="ignore"):
        values = [to_numpy(s) for s in scores]
        kind = type(values[0])
        if method != "naive":
            shift = np.max(np.array(values))
            if method == "safe" and shift == -np.inf:
                shift = kind(0)
            values = [v - shift for v in values]
        exponentials = [np.exp(v) for v in values]
        total = kind(0)
        for e in exponentials:
            total = total + e
        if method == "safe" and total == 0:
            return [kind(0)] * len(values)
        return [e / total for e in exponentials]


def most_ulps(pairs: Sequence[tuple[Float, Any]], ulps: int = 4) -> int:
    """By how many units in the last place NumPy is off at most.

    Raises
    ------
    NotProved
        Where NumPy is off by more than `ulps`: a fault of ours.
    """
    most = 0
    for x, found in pairs:
        off = ulps_between(x, found)
        if off is None or off > ulps:
            raise NotProved((brief(x), float(found)))
        most = max(most, off)
    return most


def compared(fmt: Format, pairs: Sequence[tuple[Float, Any]], ulps: int = 4) -> Message:
    """What was compared with NumPy, in a sentence: equal bit for bit, or off by so many units in the last place.

    Raises
    ------
    NotProved
        Where NumPy found something else.
    """
    if fmt.name not in IN_NUMPY:
        return Message("stability.not-in-numpy", {"format": fmt.name})
    off = most_ulps(pairs, ulps)
    facts: dict[str, Text] = {"format": fmt.name, "version": numpy_version()}
    return Message("stability.near-numpy", {**facts, "n": off}) if off else Message("stability.in-numpy", facts)


def sentence(key: str, facts: Mapping[str, Text]) -> Message:
    """The sentence of that key with those of the facts that it speaks of."""
    return Message(key, {name: facts[name] for name in sorted(placeholders(catalogue("en")[key]))})


def texts(*values: Text) -> tuple[Text, ...]:
    """A row of a table."""
    return values
