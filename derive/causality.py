"""Causality: a masked head does not see the future, and W^O keeps it so, position by position; over the reals.

In IEEE arithmetic it also takes finite values at the future positions (0 * inf is NaN) and weights that are
exactly 0. Source of the layer: "Attention Is All You Need" (arXiv:1706.03762v7), sections 3.2.1 and 3.2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.results import Result

if TYPE_CHECKING:
    from sympy import Expr

_HEAD = """
let T : size
let d_k : size
let t : index[T]
let s : index[T]
let Q : real[T, d_k]
let K : real[T, d_k]
"""

NO_WEIGHT = f"""{_HEAD}
suppose t < s
claim weights(Q, K)[t,s] = 0
proof
  weights(Q, K)[t,s]
  = 0 / sum(r = 1..t, exp(sum(k = 1..d_k, Q[t,k]*K[r,k]) / sqrt(d_k)))  -- definition, condition
  = 0  -- arithmetic
"""

WEIGHTS_TOTAL = """
let T : size
let d_k : size
let t : index[T]
let Q : real[T, d_k]
let K : real[T, d_k]
claim sum(s = 1..T, weights(Q, K)[t,s]) = 1
proof
  sum(s = 1..T, weights(Q, K)[t,s])
  = sum(s = 1..t, exp(sum(k = 1..d_k, Q[t,k]*K[s,k]) / sqrt(d_k)))
      / sum(r = 1..t, exp(sum(k = 1..d_k, Q[t,k]*K[r,k]) / sqrt(d_k)))
      -- definition, condition, constant factor
  = 1  -- cancel
"""

HEAD = """
let T : size
let d_k : size
let d_v : size
let t : index[T]
let c : index[d_v]
let Q_1 : real[T, d_k]
let K_1 : real[T, d_k]
let V_1 : real[T, d_v]
let Q_2 : real[T, d_k]
let K_2 : real[T, d_k]
let V_2 : real[T, d_v]
suppose Q_1[s,k] = Q_2[s,k] for all s : index[t], k : index[d_k]
suppose K_1[s,k] = K_2[s,k] for all s : index[t], k : index[d_k]
suppose V_1[s,k] = V_2[s,k] for all s : index[t], k : index[d_v]
claim head(Q_1, K_1, V_1)[t,c] = head(Q_2, K_2, V_2)[t,c]
proof
  head(Q_1, K_1, V_1)[t,c]
  = sum(s = 1..t, exp(sum(k = 1..d_k, Q_1[t,k]*K_1[s,k]) / sqrt(d_k))*V_1[s,c])
      / sum(r = 1..t, exp(sum(k = 1..d_k, Q_1[t,k]*K_1[r,k]) / sqrt(d_k)))  -- definition, condition, constant factor
  = sum(s = 1..t, exp(sum(k = 1..d_k, Q_2[t,k]*K_2[s,k]) / sqrt(d_k))*V_2[s,c])
      / sum(r = 1..t, exp(sum(k = 1..d_k, Q_2[t,k]*K_2[r,k]) / sqrt(d_k)))  -- hypothesis
  = head(Q_2, K_2, V_2)[t,c]  -- definition, condition, constant factor
"""

_PROJECTION = """
let T : size
let h : size
let d_v : size
let d : size
let t : index[T]
let m : index[d]
let A : real[h, T, d_v]
let B : real[h, T, d_v]
let W : real[h, d_v, d]
let b : real[d]
"""

PROJECTION = f"""{_PROJECTION}
suppose A[i,t,k] = B[i,t,k] for all i : index[h], k : index[d_v]
claim output(A, W, b)[t,m] = output(B, W, b)[t,m]
proof
  output(A, W, b)[t,m]
  = sum(i = 1..h, sum(k = 1..d_v, A[i,t,k]*W[i,k,m])) + b[m]  -- definition
  = sum(i = 1..h, sum(k = 1..d_v, B[i,t,k]*W[i,k,m])) + b[m]  -- hypothesis
  = output(B, W, b)[t,m]  -- definition
"""

PROJECTION_INDEPENDENCE = f"""{_PROJECTION}
let s : index[T]
suppose t < s
suppose A[i,r,k] = B[i,r,k] for all i : index[h], r : index[s - 1], k : index[d_v]
claim output(A, W, b)[t,m] = output(B, W, b)[t,m]
proof
  output(A, W, b)[t,m]
  = sum(i = 1..h, sum(k = 1..d_v, A[i,t,k]*W[i,k,m])) + b[m]  -- definition
  = sum(i = 1..h, sum(k = 1..d_v, B[i,t,k]*W[i,k,m])) + b[m]  -- hypothesis
  = output(B, W, b)[t,m]  -- definition
"""

_LAYER = """
let T : size
let d : size
let h : size
let d_k : size
let d_v : size
let t : index[T]
let m : index[d]
let X : real[T, d]
let Y : real[T, d]
let W_Q : real[h, d, d_k]
let W_K : real[h, d, d_k]
let W_V : real[h, d, d_v]
let b_Q : real[h, d_k]
let b_K : real[h, d_k]
let b_V : real[h, d_v]
let W_O : real[h, d_v, d]
let b_O : real[d]
"""

_LAYER_CHAIN = """
claim layer(X, W_Q, W_K, W_V, b_Q, b_K, b_V, W_O, b_O)[t,m] = layer(Y, W_Q, W_K, W_V, b_Q, b_K, b_V, W_O, b_O)[t,m]
proof
  layer(X, W_Q, W_K, W_V, b_Q, b_K, b_V, W_O, b_O)[t,m]
  = sum(i = 1..h, sum(k = 1..d_v,
      heads(project(X, W_Q, b_Q), project(X, W_K, b_K), project(X, W_V, b_V))[i,t,k]*W_O[i,k,m])) + b_O[m]
      -- definition
  = sum(i = 1..h, sum(k = 1..d_v,
      heads(project(Y, W_Q, b_Q), project(Y, W_K, b_K), project(Y, W_V, b_V))[i,t,k]*W_O[i,k,m])) + b_O[m]
      -- definition, condition, hypothesis
  = layer(Y, W_Q, W_K, W_V, b_Q, b_K, b_V, W_O, b_O)[t,m]  -- definition
"""

LAYER = f"""{_LAYER}
suppose X[s,k] = Y[s,k] for all s : index[t], k : index[d]
{_LAYER_CHAIN}"""

LAYER_INDEPENDENCE = f"""{_LAYER}
let s : index[T]
suppose t < s
suppose X[r,k] = Y[r,k] for all r : index[s - 1], k : index[d]
{_LAYER_CHAIN}"""


def _projection_jacobian() -> Expr:
    """The partial derivatives of the output at t = 1 by the heads at s = 2, squared and added up: an instance."""
    from sympy import Add, symbols

    heads, width = 2, 2
    a = {(i, s, k): symbols(f"a{i}{s}{k}") for i in range(heads) for s in (1, 2) for k in range(width)}
    w = {(i, k): symbols(f"w{i}{k}") for i in range(heads) for k in range(width)}
    at_1 = Add(*(a[i, 1, k] * w[i, k] for i, k in w), symbols("b"))
    return Add(*(at_1.diff(x) ** 2 for (_, s, _), x in a.items() if s == 2))


def _layer_jacobian() -> Expr:
    """The same for a whole layer with one head and one feature, T = 3: the output at t = 2 by the input at s = 3."""
    from sympy import Add, exp, symbols

    x = symbols("x1:4")
    w_q, w_k, w_v, b_q, b_k, b_v, w_o, b_o = symbols("w_q w_k w_v b_q b_k b_v w_o b_o")
    q, k, v = ([w * y + b for y in x] for w, b in ((w_q, b_q), (w_k, b_k), (w_v, b_v)))
    mask = (1, 1, 0)
    scores = [mask[s] * exp(q[1] * k[s]) for s in range(3)]
    at_2 = w_o * Add(*(e * v[s] for s, e in enumerate(scores))) / Add(*scores) + b_o
    return at_2.diff(x[2]) ** 2


RESULTS = (
    Result(
        "masked-weight-zero", "被遮蔽位置的权重为 0", "The weight of a masked position is 0", NO_WEIGHT,
        stated={"T": 2, "d_k": 1, "t": 1, "s": 2, "Q": ((1,), (2,)), "K": ((1,), (3,))},
    ),
    Result(
        "masked-weights-sum-one", "因果注意力的每一行权重之和为 1", "The weights of a causal row sum to 1",
        WEIGHTS_TOTAL,
    ),
    Result("masked-head-causality", "带掩码的头是因果的", "A masked head is causal", HEAD),
    Result(
        "output-projection-causality", "W^O 逐位置保持因果性", "W^O preserves causality position by position",
        PROJECTION,
    ),
    Result(
        "output-projection-independence", "改变未来的输入不改变 W^O 在 t 处的输出",
        "Changing the future changes nothing after W^O at position t", PROJECTION_INDEPENDENCE,
        vanishes=_projection_jacobian,
    ),
    Result("attention-layer-causality", "整个注意力层是因果的", "The whole attention layer is causal", LAYER),
    Result(
        "attention-layer-independence", "改变位置 s > t 的输入不改变层在 t 处的输出",
        "Changing the input at positions s > t changes nothing in the layer at t", LAYER_INDEPENDENCE,
        vanishes=_layer_jacobian,
    ),
)  # fmt: skip
