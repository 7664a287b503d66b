"""Softmax: shift invariance for every size, and the exact softmax of [500, 502]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.results import Result

if TYPE_CHECKING:
    from sympy import Expr

SHIFT = """
let n : size
let z : real[n]
let c : real
let i : index[n]
claim softmax(z - c)[i] = softmax(z)[i]
proof
  softmax(z - c)[i]
  = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))  -- definition
  = exp(z[i])*exp(-c) / sum(j = 1..n, exp(z[j])*exp(-c))  -- exp of a sum
  = exp(z[i])*exp(-c) / (exp(-c)*sum(j = 1..n, exp(z[j])))  -- constant factor
  = exp(z[i]) / sum(j = 1..n, exp(z[j]))  -- cancel
  = softmax(z)[i]  -- definition
"""

MAXIMUM = """
let n : size
let z : real[n]
let i : index[n]
claim softmax(z - max(k = 1..n, z[k]))[i] = softmax(z)[i]
proof
  softmax(z - max(k = 1..n, z[k]))[i]
  = exp(z[i] - max(k = 1..n, z[k])) / sum(j = 1..n, exp(z[j] - max(k = 1..n, z[k])))  -- definition
  = exp(-max(k = 1..n, z[k]))*exp(z[i]) / (exp(-max(k = 1..n, z[k]))*sum(j = 1..n, exp(z[j])))
      -- exp of a sum, constant factor
  = exp(z[i]) / sum(j = 1..n, exp(z[j]))  -- cancel
  = softmax(z)[i]  -- definition
"""

TOTAL = """
let n : size
let z : real[n]
claim sum(i = 1..n, softmax(z)[i]) = 1
proof
  sum(i = 1..n, softmax(z)[i])
  = sum(i = 1..n, exp(z[i]) / sum(j = 1..n, exp(z[j])))  -- definition
  = sum(i = 1..n, exp(z[i])) / sum(j = 1..n, exp(z[j]))  -- constant factor
  = 1  -- cancel
"""

PAIR = """
claim softmax([500, 502]) = [1/(1 + e^2), e^2/(1 + e^2)]
proof
  softmax([500, 502])
  = [e^500/(e^500 + e^502), e^502/(e^500 + e^502)]  -- definition, condition, single term
  = [e^(500 - 502)/(e^(500 - 502) + e^(502 - 502)), e^(502 - 502)/(e^(500 - 502) + e^(502 - 502))]
      -- exp of a sum, cancel, condition
  = [1/(1 + e^2), e^2/(1 + e^2)]  -- exp of a sum, cancel, condition
"""

PAIR_TOTAL = """
claim softmax([500, 502])[1] + softmax([500, 502])[2] = 1
proof
  softmax([500, 502])[1] + softmax([500, 502])[2]
  = 1/(1 + e^2) + e^2/(1 + e^2)  -- definition, exp of a sum, condition, single term, cancel
  = (1 + e^2)/(1 + e^2)  -- arithmetic
  = 1  -- cancel
"""


def _shift() -> Expr:
    """An instance of three entries, simplified."""
    from sympy import Symbol, exp, simplify, symbols

    z, c = symbols("z1:4", real=True), Symbol("c", real=True)
    left = exp(z[0] - c) / sum(exp(x - c) for x in z)
    return simplify(left - exp(z[0]) / sum(exp(x) for x in z))


def _pair() -> tuple[Expr, Expr]:
    """Both entries in closed form."""
    from sympy import Integer, exp, simplify

    z = (Integer(500), Integer(502))
    low, high = (simplify(exp(x) / sum(exp(y) for y in z)) for x in z)
    return low, high


RESULTS = (
    Result(
        "softmax-shift-invariance", "softmax 的平移不变性", "Shift invariance of softmax", SHIFT,
        vanishes=_shift, stated={"n": 3, "z": (1, 2, 3), "c": 3, "i": 1},
    ),
    Result(
        "softmax-maximum-shift", "可以减去最大值", "Subtracting the maximum is allowed", MAXIMUM,
        stated={"n": 2, "z": (500, 502), "i": 2},
    ),
    Result(
        "softmax-sum-one", "softmax 各项之和为 1", "The entries of softmax sum to 1", TOTAL,
        stated={"n": 2, "z": (0, 1)},
    ),
    Result("softmax-500-502", "softmax([500, 502]) 的精确值", "The exact softmax of [500, 502]", PAIR, found=_pair),
    Result(
        "softmax-500-502-sum", "softmax([500, 502]) 两项之和为 1",
        "The two entries of softmax([500, 502]) sum to 1",
        PAIR_TOTAL,
    ),
)  # fmt: skip
