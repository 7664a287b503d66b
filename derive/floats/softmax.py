"""Softmax of a row of scores in IEEE arithmetic: three methods, every operation rounded, every step kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from derive.floats.arithmetic import add, common_format, divide, maximum_of, subtract, sum_of
from derive.floats.exponential import exp
from derive.floats.formats import Float, FloatsError, Format, zero
from derive.floats.typed import Typed, cast

Method = Literal["naive", "shifted", "safe"]
MaskMode = Literal["add", "replace"]
StepName = Literal["scores", "masked", "maximum", "shift", "shifted", "exponentials", "sum", "weights"]


@dataclass(frozen=True, slots=True)
class Mask:
    """Which positions are masked, the constant, and whether it is added to the score or replaces it."""

    positions: tuple[bool, ...]
    constant: Float
    mode: MaskMode


@dataclass(frozen=True, slots=True)
class Step:
    """One intermediate vector of a softmax; "maximum", "shift" and "sum" have a single entry."""

    name: StepName
    values: tuple[Float, ...]


@dataclass(frozen=True, slots=True)
class SoftmaxTrace:
    """How a softmax came about, step by step; the last step is the weights."""

    format: Format
    method: Method
    steps: tuple[Step, ...]

    @property
    def weights(self) -> tuple[Float, ...]:
        """The result, one weight for each score."""
        return self.steps[-1].values

    def step(self, name: StepName) -> tuple[Float, ...] | None:
        """The vector of that name, or None where the method has no such step (a naive one has no maximum)."""
        return next((step.values for step in self.steps if step.name == name), None)


def cast_row(row: Sequence[Typed], fmt: Format) -> tuple[Float, ...]:
    """Scores as typed, each rounded to the format."""
    return tuple(cast(number, fmt) for number in row)


def apply_mask(scores: Sequence[Float], mask: Mask) -> tuple[Float, ...]:
    """The scores with the constant added (and the sum rounded) or put in place where masked.

    Scores that are not masked stay as they are. Raises `length-mismatch` or `format-mismatch`.
    """
    if len(scores) != len(mask.positions):
        raise FloatsError("length-mismatch", lengths=(len(scores), len(mask.positions)))
    common_format(mask.constant, *scores)
    return tuple(
        score if not masked else mask.constant if mask.mode == "replace" else add(score, mask.constant)
        for score, masked in zip(scores, mask.positions, strict=True)
    )


def softmax(scores: Sequence[Float], method: Method, mask: Mask | None = None) -> SoftmaxTrace:
    """Softmax of a row, after its mask.

    - `naive`: exp(z) over the sum of these, without a shift.
    - `shifted`: the maximum is subtracted first. A row of -inf alone gives -inf - (-inf), NaN.
    - `safe`: as shifted, but 0 is subtracted where the maximum is -inf, and where the sum is 0 so are the
      weights: a row masked everywhere gives zeros. That is a convention; no such row is a distribution.

    Raises `empty-row`, `unknown-method`, `length-mismatch` or `format-mismatch`.

    >>> from derive.floats import FLOAT16, exact_decimal
    >>> row = cast_row(["-inf", "-inf"], FLOAT16)
    >>> [[str(exact_decimal(w)) for w in softmax(row, how).weights] for how in ("shifted", "safe")]
    [['NaN', 'NaN'], ['0', '0']]
    """
    if method not in get_args(Method):
        raise FloatsError("unknown-method", method=method, known=get_args(Method))
    if not scores:
        raise FloatsError("empty-row")
    fmt = common_format(*scores)
    row = tuple(scores)
    steps = [Step("scores", row)]
    if mask is not None:
        row = apply_mask(row, mask)
        steps.append(Step("masked", row))
    if method != "naive":
        shift = maximum_of(row)
        steps.append(Step("maximum", (shift,)))
        if method == "safe":
            shift = zero(fmt) if shift.is_infinite and shift.negative else shift
            steps.append(Step("shift", (shift,)))
        row = tuple(subtract(score, shift) for score in row)
        steps.append(Step("shifted", row))
    exponentials = tuple(exp(score) for score in row)
    total = sum_of(exponentials)
    if method == "safe" and total.is_zero:
        weights = tuple(zero(fmt) for _ in row)
    else:
        weights = tuple(divide(exponential, total) for exponential in exponentials)
    steps += [Step("exponentials", exponentials), Step("sum", (total,)), Step("weights", weights)]
    return SoftmaxTrace(fmt, method, tuple(steps))
