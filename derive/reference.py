"""The definitions of the library computed with NumPy, the way practitioners do: arrays, einsum, masks of -inf.

Independent of the definitions in the proof language, so that the two can disagree. All arrays are float64.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def softmax(z: Array) -> Array:
    """Softmax along the last axis, with the maximum subtracted."""
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def _array(rows: int, columns: int) -> Array:
    """An array of that shape whose entries share one place in memory, so that no shape is too large."""
    return np.broadcast_to(np.float64(0), (rows, columns))


def parameters(d: int, h: int, g: int, d_k: int, d_v: int, b: int) -> int:
    """The sizes of real arrays, added up; `b` counts how often the biases are there."""
    matrices = [_array(d, h * d_k), _array(d, g * d_k), _array(d, g * d_v), _array(h * d_v, d)]
    return sum(int(m.size) for m in matrices) + b * sum(int(m.shape[1]) for m in matrices)


def weights(q: Array, k: Array) -> Array:
    """Causal attention weights; q, k of shape (..., T, d_k), the value (..., T, T)."""
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    future = np.triu(np.ones(scores.shape[-2:], dtype=bool), 1)
    return softmax(np.where(future, -np.inf, scores))


def head(q: Array, k: Array, v: Array) -> Array:
    """Causal attention, one head or many: q, k (..., T, d_k), v (..., T, d_v)."""
    return np.asarray(weights(q, k) @ v)


def project(x: Array, w: Array, b: Array) -> Array:
    """Per-head projections: x (T, d), w (h, d, k), b (h, k); the value (h, T, k)."""
    return np.asarray(np.einsum("td,hdk->htk", x, w) + b[:, None, :])


def output(a: Array, w: Array, b: Array) -> Array:
    """Concatenate heads a (h, T, d_v) and multiply by W^O, given as (h, d_v, d); add b (d,)."""
    h, T, d_v = a.shape
    concatenated = np.swapaxes(a, 0, 1).reshape(T, h * d_v)
    return np.asarray(concatenated @ w.reshape(h * d_v, -1) + b)


def layer(
    x: Array, w_q: Array, w_k: Array, w_v: Array, b_q: Array, b_k: Array, b_v: Array, w_o: Array, b_o: Array
) -> Array:
    """Masked multi-head self-attention from x (T, d) to (T, d)."""
    return output(head(project(x, w_q, b_q), project(x, w_k, b_k), project(x, w_v, b_v)), w_o, b_o)


def entries(m: int, n: int) -> int:
    """The number of entries of an m x n array."""
    return int(_array(m, n).size)


FUNCTIONS: Mapping[str, Callable[..., Array | int]] = {
    "softmax": softmax, "entries": entries, "parameters": parameters, "weights": weights, "head": head,
    "heads": head, "project": project, "output": output, "layer": layer,
}  # fmt: skip
