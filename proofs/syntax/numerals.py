"""What is worked out while reading: numerals in exponents, factorials, binomials and roots, under limits."""

from __future__ import annotations

import math
from fractions import Fraction

from proofs.syntax.faults import Span, SyntaxFault
from proofs.terms import MAX_DIGITS, Term, add, div, exp, mul, neg, num, power, sqrt

MAX_FACTORIAL = 700
MAX_LOWER_INDEX = 40
_MAX_VALUE = 10**12


def rational(t: Term) -> Fraction | None:
    """The value of a term of numerals with ``+ - * /``, None for any other."""
    if t.op == "num":
        return Fraction(t.data)  # type: ignore[arg-type]
    if t.op not in ("neg", "add", "mul", "div") or t.size > 12:
        return None
    values = [rational(a) for a in t.args]
    known = [v for v in values if v is not None]
    if len(known) < len(values):
        return None
    if t.op == "neg":
        return -known[0]
    if t.op == "add":
        return sum(known, Fraction(0))
    if t.op == "mul":
        return math.prod(known, start=Fraction(1))
    return None if known[1] == 0 else known[0] / known[1]


class _Beyond(Exception):
    """A closed integer that is too large to work out."""


def closed_integer(t: Term) -> int | None:
    """The value of an integer term without variables, None for any other. Raises `_Beyond` above 10^12."""
    if t.op == "num":
        q = Fraction(t.data)  # type: ignore[arg-type]
        return None if q.denominator != 1 else _within(q.numerator)
    if t.op not in ("neg", "add", "mul", "pow"):
        return None
    values: list[int] = []
    for a in t.args:
        v = closed_integer(a)
        if v is None:
            return None
        values.append(v)
    if t.op == "neg":
        return -values[0]
    if t.op == "add":
        return _within(sum(values))
    if t.op == "mul":
        result = 1
        for v in values:
            result = _within(result * v)
        return result
    base, exponent = values
    if exponent < 0 or base == exponent == 0:
        return None
    if abs(base) > 1 and exponent > 40:
        raise _Beyond
    return _within(base**exponent)


def _within(n: int) -> int:
    if abs(n) > _MAX_VALUE:
        raise _Beyond
    return n


def factorial(t: Term, span: Span) -> Term:
    """``t!`` for a numeral `t`; of anything else the language has no factorial."""
    try:
        n = closed_integer(t)
    except _Beyond:
        n = MAX_FACTORIAL + 1
    if n is None or n < 0:
        raise SyntaxFault("outside-language", span, {"what": "a factorial of anything but a whole number"})
    if n > MAX_FACTORIAL:
        raise SyntaxFault("factorial-too-large", span, {"limit": MAX_FACTORIAL})
    return num(math.factorial(n))


def binomial(upper: Term, lower: Term, span: Span) -> Term:
    """``binom(upper, lower)`` with a numeral below: worked out for a numeral above, else a polynomial."""
    try:
        n, k = closed_integer(upper), closed_integer(lower)
    except _Beyond:
        raise SyntaxFault("factorial-too-large", span, {"limit": MAX_FACTORIAL}) from None
    if k is None or k < 0:
        raise SyntaxFault("outside-language", span, {"what": "a binomial with this lower index"})
    if n is not None and n >= 0:
        k = n - k if 0 <= n - k < k else k
        if k > MAX_FACTORIAL or k * math.log10(n + 1) > MAX_DIGITS:
            raise SyntaxFault("factorial-too-large", span, {"limit": MAX_FACTORIAL})
        return num(math.comb(n, k))
    if k > MAX_LOWER_INDEX:
        raise SyntaxFault("factorial-too-large", span, {"limit": MAX_LOWER_INDEX})
    if k == 0:
        return num(1)
    if k == 1:
        return upper
    factors = [upper, *(add(upper, neg(num(i))) for i in range(1, k))]
    return div(mul(*factors), num(math.factorial(k)))


def raised(base: Term, exponent: Term, span: Span) -> Term:
    """``base ^ exponent``: an integer power, an exponential, or roots for halves, quarters, ...

    A power of ``exp(1)`` is an exponential, and so is one of any exponential where the exponent is no integer.
    """
    if base.op == "exp" and base.args[0] == num(1):
        return exp(exponent)
    value = rational(exponent)
    if value is not None and value.denominator == 1:
        return power(base, num(value))
    if exponent.sort == "integer":
        return power(base, exponent)
    if base.op == "exp":
        return exp(mul(base.args[0], exponent))
    if value is not None:
        return _power(root(base, value.denominator, span), value.numerator)
    if exponent.op == "div" and exponent.args[0].sort == "integer" and exponent.args[1] == num(2):
        return power(sqrt(base), exponent.args[0])
    raise SyntaxFault("exponent-not-integer", span)


def _power(base: Term, n: int) -> Term:
    return base if n == 1 else power(base, num(n))


def root(radicand: Term, degree: int, span: Span) -> Term:
    """The root of this degree: square roots for a power of two, an exact numeral where there is one."""
    made = radicand
    if degree == 1:
        return made
    if degree > 1 and degree & (degree - 1) == 0 and degree <= 1024:
        for _ in range(degree.bit_length() - 1):
            made = sqrt(made)
        return made
    value = rational(radicand)
    if value is not None and value > 0 and 1 < degree <= 64:
        over, under = _exact_root(value.numerator, degree), _exact_root(value.denominator, degree)
        if over is not None and under is not None:
            return num(Fraction(over, under))
    raise SyntaxFault("outside-language", span, {"what": "a root of this degree"})


def _exact_root(n: int, degree: int) -> int | None:
    low, high = 0, 1 << (n.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < n:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == n else None
