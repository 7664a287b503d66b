"""How many parameters multi-head attention has: the ledger, and what it comes to.

Convention: the matrices W^Q, W^K, W^V, W^O and, with biases, one bias for each of their columns; no embeddings,
norms or positions. Source: "Attention Is All You Need" (arXiv:1706.03762v7), section 3.2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.results import Result

if TYPE_CHECKING:
    from sympy import Expr

LEDGER = """
let d : size
let h : size
let g : size
let d_k : size
let d_v : size
let b : integer
claim parameters(d, h, g, d_k, d_v, b) = d*(h*d_k + g*d_k + g*d_v + h*d_v) + b*(h*d_k + g*d_k + g*d_v + d)
proof
  parameters(d, h, g, d_k, d_v, b)
  = entries(d, h*d_k) + entries(d, g*d_k) + entries(d, g*d_v) + entries(h*d_v, d)
      + b*(entries(1, h*d_k) + entries(1, g*d_k) + entries(1, g*d_v) + entries(1, d))  -- definition
  = d*(h*d_k) + d*(g*d_k) + d*(g*d_v) + (h*d_v)*d + b*(h*d_k + g*d_k + g*d_v + d)  -- definition, constant sum
  = d*(h*d_k + g*d_k + g*d_v + h*d_v) + b*(h*d_k + g*d_k + g*d_v + d)  -- arithmetic
"""

SQUARE = """
let d : size
let h : size
let d_k : size
let d_v : size
suppose h*d_k = d
suppose h*d_v = d
claim parameters(d, h, h, d_k, d_v, 0) = 4*d^2
proof
  parameters(d, h, h, d_k, d_v, 0)
  = d*(h*d_k + h*d_k + h*d_v + h*d_v)  -- definition, constant sum
  = d*(d + d + d + d)  -- hypothesis
  = 4*d^2  -- arithmetic
"""

SQUARE_WITH_BIASES = """
let d : size
let h : size
let d_k : size
let d_v : size
suppose h*d_k = d
suppose h*d_v = d
claim parameters(d, h, h, d_k, d_v, 1) = 4*d^2 + 4*d
proof
  parameters(d, h, h, d_k, d_v, 1)
  = d*(h*d_k + h*d_k + h*d_v + h*d_v) + (h*d_k + h*d_k + h*d_v + d)  -- definition, constant sum
  = d*(d + d + d + d) + (d + d + d + d)  -- hypothesis
  = 4*d^2 + 4*d  -- arithmetic
"""

INDEPENDENCE = """
let d : size
let h : size
let g : size
let d_k : size
let c : size
let b : integer
suppose h*d_k = d
suppose g*c = d
claim parameters(d, h, h, d_k, d_k, b) = parameters(d, g, g, c, c, b)
proof
  parameters(d, h, h, d_k, d_k, b)
  = 4*d*(h*d_k) + b*(3*(h*d_k) + d)  -- definition, constant sum
  = 4*d*d + b*(3*d + d)  -- hypothesis
  = 4*d*(g*c) + b*(3*(g*c) + d)  -- hypothesis
  = parameters(d, g, g, c, c, b)  -- definition, constant sum
"""


def _ledger() -> Expr:
    """Count every entry with SymPy's summation, and collect."""
    from sympy import Symbol, collect, expand, summation

    d, h, g, d_k, d_v, b, i, j = (Symbol(s, integer=True) for s in ("d", "h", "g", "d_k", "d_v", "b", "i", "j"))

    def entries(rows: Expr, columns: Expr) -> Expr:
        return summation(summation(1, (j, 1, columns)), (i, 1, rows))

    columns = (h * d_k, g * d_k, g * d_v)
    weights = sum(entries(d, c) for c in columns) + entries(h * d_v, d)
    return collect(expand(weights + b * sum(entries(1, c) for c in (*columns, d))), b)


def _square(biases: int) -> Expr:
    """Put d_k = d_v = d/h into the ledger."""
    from sympy import Symbol, expand

    d, h = Symbol("d", integer=True), Symbol("h", integer=True)
    put = {"h": h, "g": h, "d_k": d / h, "d_v": d / h, "b": biases}
    return expand(_ledger().subs({Symbol(k, integer=True): v for k, v in put.items()}, simultaneous=True))


RESULTS = (
    Result(
        "mha-parameter-count", "多头注意力的参数量：总账", "Parameters of multi-head attention: the ledger",
        LEDGER, found=_ledger, stated={"d": 4, "h": 2, "g": 2, "d_k": 2, "d_v": 2, "b": 1},
    ),
    Result(
        "mha-parameter-count-square", "h·d_k = h·d_v = d 时，无偏置：4d²", "With h d_k = h d_v = d, no biases: 4 d²",
        SQUARE, found=lambda: _square(0), stated={"d": 1024, "h": 16, "d_k": 64, "d_v": 64},
    ),
    Result(
        "mha-parameter-count-square-biases", "h·d_k = h·d_v = d 时，有偏置：4d² + 4d",
        "With h d_k = h d_v = d and biases: 4 d² + 4 d",
        SQUARE_WITH_BIASES, found=lambda: _square(1), stated={"d": 768, "h": 12, "d_k": 64, "d_v": 64},
    ),
    Result(
        "mha-parameter-count-head-independence", "参数量与头数无关", "The count does not depend on the number of heads",
        INDEPENDENCE, stated={"d": 768, "h": 12, "g": 8, "d_k": 64, "c": 96, "b": 1},
    ),
)  # fmt: skip
