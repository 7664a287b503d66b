"""Softmax, attention and parameter counts, as definitions in the proof language.

Positions, features and heads are counted from 1. Sources: "Attention Is All You Need" (arXiv:1706.03762v7),
section 3.2.1 (scaled dot-product attention) and section 3.2.2 (multi-head attention).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from proofs.statement import Signature
from proofs.terms import (
    Definition, Term, add, apply, comprehension, div, entry, exp, mul, num, relation, sqrt, total, var, when,
)  # fmt: skip

_ONE = num(1)


def _size(name: str) -> Term:
    return var(name, "integer")


def _tensor(name: str, rank: int) -> Term:
    return var(name, "real", rank)


@cache
def signatures() -> Mapping[str, Signature]:
    """All definitions by name, with the dimensions of what they take and give."""
    made = (
        _softmax(), _entries(), _parameters(), _weights(), _head(), _heads(), _project(), _output(), _layer(),
    )  # fmt: skip
    return {s.definition.name: s for s in made}


@cache
def _softmax() -> Signature:
    """``softmax(z)[i] = exp(z[i]) / sum(j = 1..n, exp(z[j]))``, z of shape (n,)."""
    n, i, j, z = _size("n"), _size("i"), _size("j"), _tensor("z", 1)
    body = div(exp(entry(z, i)), total(j, _ONE, n, exp(entry(z, j))))
    return Signature(Definition("softmax", (n, z), comprehension((i,), body), 1), ((), (n,)), (n,))


@cache
def _entries() -> Signature:
    """``entries(m, n)``: how many entries a matrix of m rows and n columns has, counted one by one."""
    m, n, i, j = (_size(s) for s in "mnij")
    return Signature(Definition("entries", (m, n), total(i, _ONE, m, total(j, _ONE, n, _ONE))), ((), ()))


@cache
def _parameters() -> Signature:
    """The parameters of multi-head attention, matrix by matrix: `h` heads, `g` key/value heads, `b` is 1 with biases.

    W^Q: d x (h d_k); W^K: d x (g d_k); W^V: d x (g d_v); W^O: (h d_v) x d, where d is d_model. Biases: one for each
    column. No embeddings, norms or positions.
    """
    d, h, g, d_k, d_v, b = (_size(s) for s in ("d", "h", "g", "d_k", "d_v", "b"))
    entries = _entries().definition
    columns = (mul(h, d_k), mul(g, d_k), mul(g, d_v))
    weights = [apply(entries, d, c) for c in columns] + [apply(entries, mul(h, d_v), d)]
    biases = add(*(apply(entries, _ONE, c) for c in (*columns, d)))
    body = add(*weights, mul(b, biases))
    return Signature(Definition("parameters", (d, h, g, d_k, d_v, b), body), ((),) * 6)


def _score(q: Term, k: Term, t: Term, s: Term, d_k: Term) -> Term:
    """The scaled score of position s seen from t: ``sum(k = 1..d_k, Q[t,k]*K[s,k]) / sqrt(d_k)``."""
    m = _size("k")
    return div(total(m, _ONE, d_k, mul(entry(q, t, m), entry(k, s, m))), sqrt(d_k))


@cache
def _weights() -> Signature:
    """The weights of masked attention: softmax over the positions s <= t, and 0 for s > t. Q, K of shape (T, d_k)."""
    T, d_k, t, s, r = (_size(x) for x in ("T", "d_k", "t", "s", "r"))
    q, k = _tensor("Q", 2), _tensor("K", 2)

    allowed = when(relation("le", s, t), exp(_score(q, k, t, s, d_k)), num(0))
    body = comprehension((t, s), div(allowed, total(r, _ONE, t, exp(_score(q, k, t, r, d_k)))))
    return Signature(Definition("weights", (T, d_k, q, k), body, 2), ((), (), (T, d_k), (T, d_k)), (T, T))


@cache
def _head() -> Signature:
    """One causal head: ``head(Q, K, V)[t,c] = sum(s = 1..T, weights(Q, K)[t,s] * V[s,c])``, of shape (T, d_v)."""
    T, d_k, d_v, t, s, c = (_size(x) for x in ("T", "d_k", "d_v", "t", "s", "c"))
    q, k, v = (_tensor(x, 2) for x in "QKV")
    weights = apply(_weights().definition, T, d_k, q, k)
    body = comprehension((t, c), total(s, _ONE, T, mul(entry(weights, t, s), entry(v, s, c))))
    definition = Definition("head", (T, d_k, d_v, q, k, v), body, 3)
    return Signature(definition, ((), (), (), (T, d_k), (T, d_k), (T, d_v)), (T, d_v))


@cache
def _heads() -> Signature:
    """All h causal heads: Q, K of shape (h, T, d_k), V and the value of shape (h, T, d_v); each head for itself."""
    h, T, d_k, d_v, i, t, k = (_size(x) for x in ("h", "T", "d_k", "d_v", "i", "t", "k"))
    q, kk, v = (_tensor(x, 3) for x in "QKV")
    slices = (comprehension((t, k), entry(x, i, t, k)) for x in (q, kk, v))
    one = apply(_head().definition, T, d_k, d_v, *slices)
    definition = Definition("heads", (h, T, d_k, d_v, q, kk, v), comprehension((i, t, k), entry(one, t, k)), 4)
    return Signature(definition, ((),) * 4 + ((h, T, d_k), (h, T, d_k), (h, T, d_v)), (h, T, d_v))


@cache
def _project() -> Signature:
    """``project(X, W, b)[i,t,k] = sum(m = 1..d, X[t,m] * W[i,m,k]) + b[i,k]``: the queries (keys, values) of head i.

    X of shape (T, d), W of shape (h, d, w): the matrix d x (h w) with its columns grouped by head; b of shape (h, w).
    """
    T, d, h, w, i, t, m, k = (_size(x) for x in ("T", "d", "h", "w", "i", "t", "m", "k"))
    x, matrix, b = _tensor("X", 2), _tensor("W", 3), _tensor("b", 2)
    product = total(m, _ONE, d, mul(entry(x, t, m), entry(matrix, i, m, k)))
    body = comprehension((i, t, k), add(product, entry(b, i, k)))
    definition = Definition("project", (T, d, h, w, x, matrix, b), body, 4)
    return Signature(definition, ((),) * 4 + ((T, d), (h, d, w), (h, w)), (h, T, w))


@cache
def _output() -> Signature:
    """Concatenation and W^O: ``output(A, W, b)[t,m] = sum(i = 1..h, sum(k = 1..d_v, A[i,t,k] * W[i,k,m])) + b[m]``.

    A of shape (h, T, d_v) holds the heads; W of shape (h, d_v, d) is W^O with its rows grouped by head.
    """
    h, T, d_v, d, i, t, k, m = (_size(x) for x in ("h", "T", "d_v", "d", "i", "t", "k", "m"))
    a, w, b = _tensor("A", 3), _tensor("W", 3), _tensor("b", 1)
    inner = total(i, _ONE, h, total(k, _ONE, d_v, mul(entry(a, i, t, k), entry(w, i, k, m))))
    definition = Definition("output", (h, T, d_v, d, a, w, b), comprehension((t, m), add(inner, entry(b, m))), 4)
    return Signature(definition, ((),) * 4 + ((h, T, d_v), (h, d_v, d), (d,)), (T, d))


@cache
def _layer() -> Signature:
    """Masked multi-head self-attention from X of shape (T, d) to the output of shape (T, d), with all biases.

    W_Q, W_K of shape (h, d, d_k), W_V of shape (h, d, d_v), b_Q, b_K of shape (h, d_k), b_V of shape (h, d_v),
    W_O of shape (h, d_v, d), b_O of shape (d,).
    """
    T, d, h, d_k, d_v = sizes = tuple(_size(x) for x in ("T", "d", "h", "d_k", "d_v"))
    x, b_o = _tensor("X", 2), _tensor("b_O", 1)
    w = {p: _tensor(f"W_{p}", 3) for p in "QKVO"}
    b = {p: _tensor(f"b_{p}", 2) for p in "QKV"}
    project = _project().definition
    q, k, v = (apply(project, T, d, h, d_v if p == "V" else d_k, x, w[p], b[p]) for p in "QKV")
    heads = apply(_heads().definition, h, T, d_k, d_v, q, k, v)
    body = apply(_output().definition, h, T, d_v, d, heads, w["O"], b_o)
    tensors = (x, w["Q"], w["K"], w["V"], b["Q"], b["K"], b["V"], w["O"], b_o)
    shapes = ((T, d), (h, d, d_k), (h, d, d_k), (h, d, d_v), (h, d_k), (h, d_k), (h, d_v), (h, d_v, d), (d,))
    return Signature(Definition("layer", (*sizes, *tensors), body, 5), ((),) * 5 + shapes, (T, d))
