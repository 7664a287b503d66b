"""The derivations of a forward pass: chains for every head, decimals with proved rounding, and NumPy beside them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from derive.attention import Forward, Head, Matrix, dots
from derive.definitions import signatures
from derive.problems.softmax import summed
from derive.sheets.blocks import Chain as PrintedChain
from derive.worked.ieee import signed
from derive.worked.matrices import AGREE, Named, Rows, matrix_chain, numerals, row_chain, times
from derive.errors import NotProved
from derive.worked.steps import PUT_IN, rounded
from proofs.terms import Term, apply, comprehension, div, entry, exp, mul, num, sqrt, total, var

PLACES = 7

# --- chains ------------------------------------------------------------------------------------------------

_S, _K = (var(n, "integer") for n in "sk")


def projected(name: str, forward: Forward, weight: Matrix) -> PrintedChain:
    """X times a projection, entry by entry."""
    x, w = Named.of("X", numerals(forward.x)), Named.of(f"W_{name}", numerals(weight))
    columns = tuple(zip(*weight, strict=True))
    value = forward.projected["QKV".index(name)]
    return matrix_chain(times(x, w), [(dots(forward.x, columns), PUT_IN), (numerals(value), ("arithmetic",))])


@dataclass(frozen=True)
class HeadChains:
    """The derivations of one head, each from named matrices to closed numbers."""

    scores: PrintedChain
    scaled: PrintedChain
    weights: tuple[PrintedChain, ...]
    output: tuple[PrintedChain, ...]


def head_chains(head: Head, output: bool) -> HeadChains:
    """From scores over scaling and mask to the weights, and on to the output where it is asked for."""
    q, k, v = (Named.of(n, numerals(m)) for n, m in (("Q", head.q), ("K", head.k), ("V", head.v)))
    s = Named.of("S", numerals(head.scores))
    every = range(head.positions)
    scores = matrix_chain(
        [[_product(head, q, k, t, r) for r in every] for t in every],
        [(dots(head.q, head.k), PUT_IN), (numerals(head.scores), ("arithmetic",))],
    )
    root = sqrt(num(head.width))
    scaled = matrix_chain(
        [[div(entry(s.term, num(t + 1), num(r + 1)), root) for r in every] for t in every],
        [([[head.scaled(t, r) for r in every] for t in every], (*PUT_IN, "root", "cancel"))],
    )
    raised = [[exp(head.scaled(t, r)) for r in every] for t in every]
    sums = [summed([raised[t][r] for r in head.allowed(t)]) for t in every]
    quotients = [[div(raised[t][r], sums[t]) if r in head.allowed(t) else num(0) for r in every] for t in every]
    closed = [[w.term for w in row] for row in head.weights]
    weights = tuple(
        row_chain(
            [_weight(head, q, k, s, t, r) for r in every],
            [(quotients[t], (*PUT_IN, "root", "cancel")), (closed[t], ("exp of a sum", "root", "cancel"))],
        )
        for t in every
    )
    mixed: list[PrintedChain] = []
    if output:
        product = times(Named.of("A", closed), v)
        for t, row in enumerate(head.output):
            spelled = [head.spelled(t, c) for c in range(head.width)]
            steps = [(spelled, (*PUT_IN, "cancel")), ([x.term for x in row], ("cancel",))]
            mixed.append(row_chain(product[t], steps))
    return HeadChains(scores, scaled, weights, tuple(mixed))


def _product(head: Head, q: Named, k: Named, t: int, r: int) -> Term:
    """``sum(k = 1..d_k, Q[t,k]*K[r,k])``"""
    body = mul(entry(q.term, num(t + 1), _K), entry(k.term, num(r + 1), _K))
    return total(_K, num(1), num(head.width), body)


def _weight(head: Head, q: Named, k: Named, s: Named, t: int, r: int) -> Term:
    """``weights(Q, K)[t,r]``; without a mask ``softmax`` of the whole row of scaled scores."""
    d_k, T = num(head.width), num(head.positions)
    if head.causal:
        return entry(apply(signatures()["weights"].definition, T, d_k, q.term, k.term), num(t + 1), num(r + 1))
    row = comprehension((_S,), div(entry(s.term, num(t + 1), _S), sqrt(d_k)))
    return entry(apply(signatures()["softmax"].definition, T, row), num(r + 1))


# --- numbers -----------------------------------------------------------------------------------------------


def decimal_text(term: Term, places: int) -> str:
    """A closed number to so many places, proved; a short decimal as it is.

    Raises
    ------
    NotProved
        Where the rounding can't be proved.
    """
    if is_short_decimal(term, places):
        scaled = Fraction(term.data) * 10**places  # type: ignore[arg-type]
        return signed(f"{Decimal(int(scaled)).scaleb(-places).normalize():f}")
    if places < PLACES:
        fine = Decimal(_rounded(term, PLACES))
        coarse = round(fine, places)
        if abs(fine - coarse) + Decimal(5).scaleb(-PLACES - 1) <= Decimal(5).scaleb(-places - 1):
            return signed(str(coarse))  # the finer decimal proves the coarser one
    return signed(_rounded(term, places))


def is_short_decimal(term: Term, places: int) -> bool:
    """Whether a closed number is a decimal with no more than so many places."""
    return term.op == "num" and (Fraction(term.data) * 10**places).denominator == 1  # type: ignore[arg-type]


@lru_cache(maxsize=1024)
def _rounded(term: Term, places: int) -> str:
    return rounded(term, places).text


def decimals(rows: Rows, places: int = PLACES) -> list[list[str]]:
    return [[decimal_text(x, places) for x in row] for row in rows]


def against_numpy(forward: Forward) -> float:
    """By how much the exact weights and outputs differ, at most, from those of arrays in float64.

    Raises
    ------
    NotProved
        If that is more than rounding explains.
    """
    import numpy as np

    from derive.numbers import in_float64

    def array(m: Matrix) -> Any:
        return np.array([[float(v) for v in row] for row in m])

    T, h, d_k = len(forward.x), forward.h, forward.d_k
    x = array(forward.x)[None]
    weights = (forward.w_q, forward.w_k, forward.w_v)
    q, k, v = ((x @ array(w)).reshape(1, T, h, d_k).swapaxes(1, 2) for w in weights)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(d_k)
    if forward.causal:
        scores = np.where(np.tril(np.ones((T, T), dtype=bool)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = e / e.sum(axis=-1, keepdims=True)
    joined = (shares @ v).swapaxes(1, 2).reshape(1, T, h * d_k)
    found = [*shares[0], joined[0], (joined @ array(forward.w_o))[0]]
    exact: list[Rows] = [[[w.term for w in row] for row in head.weights] for head in forward.heads]
    exact += [forward.concatenated, forward.output]
    worst = 0.0
    for ours, theirs in zip(exact, found, strict=True):
        values = np.array([[in_float64(e, {}) for e in row] for row in ours])
        worst = max(worst, float(np.abs(values - theirs).max() / max(1.0, float(np.abs(values).max()))))
    if not worst < AGREE:
        raise NotProved(forward)
    return worst
