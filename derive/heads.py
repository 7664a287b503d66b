"""Why several heads: what one weight vector can't do, and how close a softmax comes to a single token.

A head's output at a position is an average with one row of weights, each at least 0, together 1. Source of the
layer: "Attention Is All You Need" (arXiv:1706.03762v7), section 3.2.2.
"""

from __future__ import annotations

from derive.results import Result

_WEIGHTS = """
let n : size
let a : real[n]
let p : index[n]
let q : index[n]
suppose p != q
suppose 0 <= a[s] for all s : index[n]
suppose sum(s = 1..n, a[s]) = 1
"""

TWO_WEIGHTS = f"""{_WEIGHTS}
claim a[p] + a[q] <= 1
proof
  a[p] + a[q]
  <= sum(s = 1..n, a[s])  -- part of a sum
  = 1  -- hypothesis
"""

ONE_WEIGHT = f"""{_WEIGHTS}
suppose a[p] = 1
claim a[q] = 0
proof
  a[q]
  = a[p] + a[q] - 1  -- hypothesis
  = 0  -- part of a sum, order, hypothesis
"""

_SCORES = """
let n : size
let s : real[n]
let p : index[n]
"""

CLOSE = f"""{_SCORES}
let g : positive
suppose s[r] + if(r = p, 0, g) <= s[p] for all r : index[n]
claim 1 - (n - 1)*exp(-g) <= softmax(s)[p]
proof
  1 - (n - 1)*exp(-g)
  = (1 - ((n - 1)*exp(-g))^2) / (1 + (n - 1)*exp(-g))  -- cancel
  <= 1 / (1 + (n - 1)*exp(-g))  -- order
  = 1 / (1 + sum(r = 1..p - 1, exp(-g)) + sum(r = p + 1..n, exp(-g)))  -- constant sum
  <= 1 / (1 + sum(r = 1..p - 1, exp(s[r] - s[p])) + sum(r = p + 1..n, exp(s[r] - s[p])))  -- order, condition
  = exp(s[p]) / (sum(r = 1..p - 1, exp(s[r])) + exp(s[p]) + sum(r = p + 1..n, exp(s[r])))
      -- exp of a sum, constant factor, cancel
  = exp(s[p]) / sum(r = 1..n, exp(s[r]))  -- split a sum, single term
  = softmax(s)[p]  -- definition
"""

NEVER_ONE = f"""{_SCORES}
let q : index[n]
suppose p != q
claim softmax(s)[p] < 1
proof
  softmax(s)[p]
  = exp(s[p]) / sum(r = 1..n, exp(s[r]))  -- definition
  < (exp(s[p]) + exp(s[q])) / sum(r = 1..n, exp(s[r]))  -- order
  <= sum(r = 1..n, exp(s[r])) / sum(r = 1..n, exp(s[r]))  -- order, part of a sum
  = 1  -- cancel
"""

ALLOWED = """
let T : size
let t : index[T]
let z : real[T]
claim 0 < sum(r = 1..T, if(r <= t, exp(z[r]), 0))
proof
  0
  < exp(z[t])  -- order
  <= sum(r = 1..t, exp(z[r]))  -- part of a sum
  = sum(r = 1..T, if(r <= t, exp(z[r]), 0))  -- split a sum, condition, empty sum
"""

RESULTS = (
    Result(
        "one-head-two-weights", "一行权重中任意两个之和不超过 1", "Two weights of one row sum to at most 1",
        TWO_WEIGHTS,
    ),
    Result("one-head-one-token", "一个权重为 1，其余都为 0", "If one weight is 1, every other is 0", ONE_WEIGHT),
    Result(
        "softmax-gap-bound", "领先 g 时 softmax 权重的下界", "How close a lead of g brings a weight to 1", CLOSE,
        stated={"n": 3, "s": (5, 0, 1), "p": 1, "g": 4},
    ),
    Result(
        "softmax-never-one", "softmax 的权重恒小于 1", "A softmax weight is never exactly 1", NEVER_ONE,
        stated={"n": 2, "s": (0, 1), "p": 2, "q": 1},
    ),
    Result(
        "causal-row-allowed", "因果的一行总有允许的键", "A causal row always has an allowed key", ALLOWED,
        stated={"T": 2, "t": 1, "z": (0, 1)},
    ),
)  # fmt: skip
