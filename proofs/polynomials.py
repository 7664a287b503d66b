"""Polynomials over atoms, with negative exponents for atoms that are not zero: the normaliser's scratch paper.

Nothing here is trusted: what is found with it is carried out by the kernel afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from proofs.terms import Term, add, mul, num, power

Monomial = tuple[tuple[Term, int], ...]
Polynomial = dict[Monomial, Fraction]

MAX_MONOMIALS = 600
MAX_EXPONENT = 4_000


class TooLarge(ValueError):
    """More monomials or larger exponents than the search is willing to handle."""


_TEXTS: dict[Term, str] = {}


def order(t: Term) -> tuple[int, str]:
    """A key that orders atoms the same way in every run: by size, then by their text."""
    return t.size, text(t)


def text(t: Term) -> str:
    """A text that is the same exactly for the same term; what stands below is remembered."""
    known = _TEXTS.get(t)
    if known is None:
        if len(_TEXTS) > 50_000:
            _TEXTS.clear()
        inner = ",".join([text(a) for a in t.args])
        known = _TEXTS[t] = f"{t.op}{getattr(t.data, 'name', t.data)}({inner})" if t.op != "var" else str(t.data)
    return known


def monomial(factors: Iterable[tuple[Term, int]]) -> Monomial:
    """The product of powers, in order, without zeroth powers."""
    return tuple(sorted(((a, e) for a, e in factors if e), key=lambda f: order(f[0])))


def constant(q: Fraction | int) -> Polynomial:
    """The constant polynomial."""
    return {(): q if type(q) is Fraction else Fraction(q)} if q else {}


def atom(t: Term, exponent: int = 1) -> Polynomial:
    """An atom, to a power."""
    return {((t, exponent),): Fraction(1)}


def plus(p: Polynomial, q: Polynomial, factor: Fraction | int = 1) -> Polynomial:
    """``p + factor * q``."""
    r = dict(p)
    for m, c in q.items():
        c = c if factor == 1 else -c if factor == -1 else c * factor
        s = r[m] + c if m in r else c
        if s:
            r[m] = s
        else:
            r.pop(m, None)
    if len(r) > MAX_MONOMIALS:
        raise TooLarge("too many monomials")
    return r


def product(m: Monomial, k: Monomial) -> Monomial:
    """The product of two monomials."""
    if not m or not k:
        return m or k
    exponents = dict(m)
    for a, e in k:
        exponents[a] = exponents.get(a, 0) + e
    return monomial(exponents.items())


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """``p * q``."""
    if len(p) * len(q) > 8 * MAX_MONOMIALS:
        raise TooLarge("too many monomials")
    r: Polynomial = {}
    for m, c in p.items():
        for k, b in q.items():
            both = product(m, k)
            s = c if b == 1 else c * b
            s = r[both] + s if both in r else s
            if s:
                r[both] = s
            else:
                r.pop(both, None)
    return r


def raised(p: Polynomial, n: int) -> Polynomial:
    """``p ^ n`` for n >= 0, or for any n where p is one monomial."""
    if len(p) == 1:
        ((m, c),) = p.items()
        if abs(n) > MAX_EXPONENT or abs(n) * max(c.numerator.bit_length(), c.denominator.bit_length()) > 8_000:
            raise TooLarge("too large an exponent")
        return {tuple((a, e * n) for a, e in m): c**n} if n else constant(1)
    if n < 0 or n > 24:
        raise TooLarge("too large an exponent of a sum")
    r = constant(1)
    for _ in range(n):
        r = times(r, p)
    return r


def read(t: Term, special: Callable[[Term], Polynomial | None] = lambda t: None) -> Polynomial:
    """The polynomial of a term; `special` may read a node (a quotient, a power) its own way, else it is an atom."""
    if t.op == "num":
        return constant(t.data)  # type: ignore[arg-type]
    if t.op == "add":
        r = read(t.args[0], special)
        for a in t.args[1:]:
            r = plus(r, read(a, special))
        return r
    if t.op == "mul":
        r = read(t.args[0], special)
        for a in t.args[1:]:
            r = times(r, read(a, special))
        return r
    if t.op == "neg":
        return plus({}, read(t.args[0], special), -1)
    if t.op == "pow" and t.args[1].op == "num" and t.args[1].data >= 0:  # type: ignore[operator]
        return raised(read(t.args[0], special), int(t.args[1].data))  # type: ignore[arg-type]
    if t.op == "div" and t.args[1].op == "num" and t.args[1].data:
        return plus({}, read(t.args[0], special), 1 / Fraction(t.args[1].data))  # type: ignore[arg-type]
    found = special(t)
    return atom(t) if found is None else found


def quotient(p: Polynomial, q: Polynomial) -> Polynomial | None:
    """``p / q`` where `q` divides `p`, else None."""
    atoms = sorted({a for f in (p, q) for m in f for a, _ in m}, key=order)
    if not q or any(e < 0 for f in (p, q) for m in f for _, e in m):
        return None

    def place(m: Monomial) -> tuple[int, ...]:
        exponents = dict(m)
        return tuple(exponents.get(a, 0) for a in atoms)

    top = max(q, key=place)
    rest, found = p, constant(0)
    while rest:
        m = max(rest, key=place)
        exponents = [(a, x - y) for a, x, y in zip(atoms, place(m), place(top), strict=True)]
        if any(e < 0 for _, e in exponents) or len(found) > MAX_MONOMIALS:
            return None
        part = {monomial(exponents): rest[m] / q[top]}
        found, rest = plus(found, part), plus(rest, times(part, q), -1)
    return found


def _ordered(p: Polynomial) -> list[tuple[Monomial, Fraction]]:
    return sorted(p.items(), key=lambda mc: (-sum(e for _, e in mc[0]), [(order(a), -e) for a, e in mc[0]]))


def leading(p: Polynomial) -> tuple[Monomial, Fraction]:
    """The first monomial in the order in which polynomials are written, with its coefficient."""
    return _ordered(p)[0]


def write_monomial(m: Monomial, c: Fraction | int = 1) -> Term:
    """``c * a^e * ...`` as a term."""
    factors = [a if e == 1 else power(a, num(e)) for a, e in m]
    if c != 1 or not factors:
        factors.insert(0, num(c))
    return factors[0] if len(factors) == 1 else mul(*factors)


def write(p: Polynomial) -> Term:
    """A polynomial as a term, its monomials in order."""
    terms = [write_monomial(m, c) for m, c in _ordered(p)]
    return num(0) if not terms else terms[0] if len(terms) == 1 else add(*terms)


def ordered(p: Polynomial) -> list[tuple[Monomial, Fraction]]:
    """The monomials with their coefficients, in the order in which they are written."""
    return _ordered(p)
