"""Counting the parameters of multi-head attention, and the width of one head.

The count is that of the definition ``parameters`` in `derive.definitions`: W^Q of d_model x (h d_k), W^K and W^V for
the key/value heads, W^O of (h d_v) x d_model, with biases one for each column; no embeddings, norms or positions.
Source: "Attention Is All You Need" (arXiv:1706.03762v7), section 3.2.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from derive.answers.values import Exact, Names, Right, Said
from derive.problems.given import Given, GivenRefused, Size
from derive.problems.kind import AnswerKind, Mistake, Problem, exactly
from proofs.evaluate import value
from proofs.statement import Declaration
from proofs.syntax.environment import declare
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term, add, div, mul, num, power, var

_TWO, _THREE, _FOUR = num(2), num(3), num(4)


@dataclass(frozen=True)
class Sizes:
    """The sizes as terms; `hk`, `gk`, `gv`, `hv` are the widths of Q, K, V and of the concatenation."""

    d: Term
    h: Term
    g: Term
    d_k: Term
    d_v: Term
    hk: Term
    gk: Term
    gv: Term
    hv: Term
    bias: bool


def product(a: Term, b: Term) -> Term:
    """``a * b``, a square as a power and 1 left out."""
    if a == num(1):
        return b
    if b == num(1):
        return a
    return power(a, _TWO) if a == b else mul(a, b)


def total(parts: Iterable[Term]) -> Term:
    """The sum, equal parts counted: ``4*d^2`` for four times ``d^2``."""
    counted: dict[Term, int] = {}
    for p in parts:
        counted[p] = counted.get(p, 0) + 1
    made = [p if n == 1 else mul(num(n), p) for p, n in counted.items()]
    return made[0] if len(made) == 1 else add(*made)


def sizes(
    d: Term, h: Term, g: Term | None, d_k: Term | None, d_v: Term | None, bias: bool, width: Term | None = None
) -> Sizes:
    """All sizes, with ``d_k = d_v = d_model/h`` (or the name `width` for it) and ``g = h`` where nothing is given."""
    per_head = width if width is not None else div(d, h)
    k, v = d_k or per_head, d_v or per_head
    hk = d if d_k is None else product(h, k)
    hv = d if d_v is None else product(h, v)
    gk = hk if g is None else product(g, k)
    gv = hv if g is None else product(g, v)
    return Sizes(d, h, g or h, k, v, hk, gk, gv, hv, bias)


def count(s: Sizes, *, output: bool = True, output_bias: bool = True) -> Term:
    """The number of parameters, with or without W^O and its bias."""
    weights = [product(s.d, c) for c in (s.hk, s.gk, s.gv)] + ([product(s.hv, s.d)] if output else [])
    biases = [s.hk, s.gk, s.gv, *([s.d] if output and output_bias else [])]
    return total([*weights, *biases]) if s.bias else total(weights)


def _multiple(count_: int, t: Term) -> Term:
    return mul(num(count_), t)


def _mistakes(s: Sizes, right: Term) -> tuple[Mistake, ...]:
    free, biased = replace(s, bias=False), replace(s, bias=True)
    per_model = power(s.d, _TWO)
    square = _multiple(4, per_model)
    whole = replace(s, g=s.h, gk=s.hk, gv=s.hv)
    single = replace(s, hk=s.d_k, gk=s.d_k, gv=s.d_v, hv=s.d_v)
    swapped = sizes(s.h, s.d, None, None, None, s.bias)
    exchanged = replace(s, hk=s.hv, hv=s.hk, gk=s.gv, gv=s.gk)
    found: list[Mistake] = [
        exactly("forgot-output-projection", lambda: count(s, output=False)),
        exactly("forgot-output-projection", lambda: add(count(free, output=False), s.d) if s.bias else None),
        exactly("forgot-output-projection", lambda: count(free, output=False)),
        exactly("forgot-output-projection", lambda: count(biased, output=False)),
        exactly("biases-counted", lambda: None if s.bias else count(biased)),
        exactly("biases-left-out", lambda: count(free) if s.bias else None),
        exactly("output-bias-left-out", lambda: count(s, output_bias=False) if s.bias else None),
        exactly("one-bias-only", lambda: add(count(free), s.d)),
        exactly("times-heads", lambda: mul(right, s.h)),
        exactly("one-head-only", lambda: count(single)),
        exactly("head-width-squared", lambda: _multiple(4, power(s.d_k, _TWO))),
        exactly("head-width-squared", lambda: mul(s.h, _multiple(4, power(s.d_k, _TWO)))),
        exactly("head-width-squared", lambda: power(s.d_k, _TWO)),
        exactly("kv-heads-ignored", lambda: count(whole)),
        exactly("kv-heads-ignored", lambda: count(replace(whole, bias=False))),
        exactly("model-width-squared", lambda: add(square, _multiple(4, s.d)) if s.bias else square),
        exactly("model-width-squared", lambda: square),
        exactly("keys-and-values-swapped", lambda: count(exchanged)),
        exactly("divided-by-heads", lambda: div(right, s.h)),
        exactly("one-matrix-only", lambda: product(s.d, s.hk)),
        exactly("two-matrices-only", lambda: _multiple(2, product(s.d, s.hk))),
        exactly("whole-block", lambda: _multiple(12, per_model)),
        exactly("feed-forward", lambda: _multiple(8, per_model)),
        exactly("width-and-heads-swapped", lambda: count(swapped)),
        exactly("not-squared", lambda: _multiple(4, s.d)),
        exactly("multiplied-by-four-twice", lambda: mul(_FOUR, right)),
    ]
    return tuple(found)


_FIELDS = ("d_model", "h", "kv_heads", "d_k", "d_v")


def _term(size: Size | None) -> Term | None:
    return None if size is None else size.term


def _symbol(name: str, size: Size | None) -> Term | None:
    return None if size is None else var(name, "integer")


def _declared(given: Iterable[Size | None]) -> list[Declaration]:
    return list({s.name: declare(s.name, "size") for s in given if s is not None and s.name is not None}.values())


def _widths(
    names: Iterable[Declaration], wanted: Iterable[str], width: Term
) -> tuple[list[Declaration], dict[Term, Term]]:
    """Declarations of ``d_k`` and ``d_v``, unless something else is called so, and what they mean."""
    taken = {d.name for d in names}
    made = [declare(n, "positive") for n in wanted if n not in taken]
    return made, {d.variable: width for d in made}


def _parameters(given: Given) -> Problem:
    d, h = given.size("d_model"), given.size("h")
    g, d_k, d_v = (given.size(n) if given.has(n) else None for n in ("kv_heads", "d_k", "d_v"))
    bias = given.flag("bias", False)
    all_given = [d, h, g, d_k, d_v]
    divides(d, h, d_k is None or d_v is None)
    if g is not None and g.number is not None and h.number is not None and h.number % g.number:
        raise GivenRefused("kv-heads-divide", h=h.number, g=g.number)
    width = (
        num(d.number // h.number)
        if d.number is not None and h.number is not None and d.number % h.number == 0
        else None
    )
    s = sizes(d.term, h.term, _term(g), _term(d_k), _term(d_v), bias, width)
    widths = [n for n, x in (("d_k", d_k), ("d_v", d_v)) if x is None]
    formula = to_plain(count(s))
    if all(x is None or x.number is not None for x in all_given):
        right = num(int(value(count(s))))  # type: ignore[arg-type]
        d_name, h_name, *more_names = (_symbol(n, x) for n, x in zip(_FIELDS, all_given, strict=True))
        g_name, k_name, v_name = more_names
        if d_name is None or h_name is None:
            raise GivenRefused("missing", name="d_model")
        named = count(sizes(d_name, h_name, g_name, k_name, v_name, bias))
        declared = [declare(n, "size") for n, x in zip(_FIELDS, all_given, strict=True) if x is not None]
        more, meanings = _widths(declared, widths, div(d_name, h_name))
        names = Names((*declared, *more), meanings)
        line = Said("parameters-bias" if bias else "parameters", {"formula": formula, "count": to_plain(right)})
        return Problem(Right(Exact(right), line, names, Exact(named)), _mistakes(s, right))
    declared = _declared(all_given)
    more, meanings = _widths(declared, widths, div(d.term, h.term))
    line = Said("parameters-names-bias" if bias else "parameters-names", {"formula": formula})
    right_term = count(s)
    return Problem(Right(Exact(right_term), line, Names((*declared, *more), meanings)), _mistakes(s, right_term))


def divides(d: Size, h: Size, needed: bool = True) -> None:
    """Refuse a number of heads that doesn't divide d_model, where ``d_model/h`` is needed."""
    if needed and d.number is not None and h.number is not None and d.number % h.number:
        raise GivenRefused("heads-divide", d_model=d.number, h=h.number)


def _head_dimension(given: Given) -> Problem:
    d, h = given.size("d_model"), given.size("h")
    divides(d, h)
    right: Term
    numbers = d.number is not None and h.number is not None
    if d.number is not None and h.number is not None:
        right = num(d.number // h.number)
        d_name, h_name = var("d_model", "integer"), var("h", "integer")
        declared = [declare("d_model", "size"), declare("h", "size")]
    else:
        right, d_name, h_name = div(d.term, h.term), d.term, h.term
        declared = _declared((d, h))
    shown = {"d": to_plain(d.term), "h": to_plain(h.term), "width": to_plain(right)}
    named = Exact(div(d_name, h_name)) if numbers else None
    mistakes = (
        exactly("width-not-divided", lambda: mul(d.term, h.term)),
        exactly("width-of-the-model", lambda: d.term),
        exactly("number-of-heads", lambda: h.term),
        exactly("quotient-turned", lambda: div(h.term, d.term)),
        exactly("heads-subtracted", lambda: add(d.term, mul(num(-1), h.term))),
        exactly("divided-by-three", lambda: div(right, _THREE)),
        exactly("width-squared", lambda: power(right, _TWO)),
        exactly("divided-by-heads-squared", lambda: div(d.term, power(h.term, _TWO))),
    )
    return Problem(Right(Exact(right), Said("head-dimension", shown), Names(tuple(declared)), named), mistakes)


PARAMETERS = AnswerKind("mha-parameters", ("d_model", "h", "bias", "d_k", "d_v", "kv_heads"), _parameters)
HEAD_DIMENSION = AnswerKind("mha-head-dimension", ("d_model", "h"), _head_dimension)
