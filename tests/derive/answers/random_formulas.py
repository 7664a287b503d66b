"""Random formulas for property tests: written in several ways, evaluated by mpmath, rewritten, and changed in one leaf.

Nothing here uses the project's own terms, so that what it says of a formula was found elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import mpmath

NAMES = ("d", "n", "x", "y")
SYMBOLS = {"d": "size", "n": "size", "x": "positive", "y": "positive"}
DIGITS = 60

Formula = tuple[Any, ...]
"""("num", p, q), ("var", name), or an operation with its operands: + - * / ^ (integer exponent) sqrt exp ln."""


def formula(rng: Random, depth: int, names: tuple[str, ...] = NAMES) -> Formula:
    """A formula that has a value for all positive values of its names."""
    if depth == 0 or rng.random() < 0.15:
        if names and rng.random() < 0.6:
            return ("var", rng.choice(names))
        return ("num", rng.randint(1, 12), rng.choice((1, 1, 1, 2, 3, 4)))
    op = rng.choice("++**-/^rel")
    a = formula(rng, depth - 1, names)
    if op in "+*-":
        return (op, a, formula(rng, depth - 1, names))
    if op == "/":
        return ("/", a, positive(rng, depth - 1, names))
    if op == "^":
        return ("^", a, rng.randint(2, 3))
    if op == "r":
        return ("sqrt", positive(rng, depth - 1, names))
    if op == "e":
        return ("exp", formula(rng, min(depth - 1, 1), names))
    return ("ln", positive(rng, depth - 1, names))


def positive(rng: Random, depth: int, names: tuple[str, ...]) -> Formula:
    """A formula whose value is positive."""
    if depth == 0:
        return ("var", rng.choice(names)) if names and rng.random() < 0.6 else ("num", rng.randint(1, 12), 1)
    op = rng.choice("+*^r")
    a = positive(rng, depth - 1, names)
    if op in "+*":
        return (op, a, positive(rng, depth - 1, names))
    return ("^", a, 2) if op == "^" else ("sqrt", a)


def value(f: Formula, at: dict[str, Any]) -> Any:
    """The value by mpmath."""
    match f:
        case ("num", p, q):
            return mpmath.mpf(p) / q
        case ("var", name):
            return mpmath.mpf(at[name])
        case ("+", a, b):
            return value(a, at) + value(b, at)
        case ("-", a, b):
            return value(a, at) - value(b, at)
        case ("*", a, b):
            return value(a, at) * value(b, at)
        case ("/", a, b):
            return value(a, at) / value(b, at)
        case ("^", a, int(n)):
            return value(a, at) ** n
        case ("sqrt", a):
            return mpmath.sqrt(value(a, at))
        case ("exp", a):
            return mpmath.exp(value(a, at))
        case ("ln", a):
            return mpmath.log(value(a, at))
    raise TypeError(f)


POINTS = (
    {"d": 3, "n": 5, "x": "1.3", "y": "0.7"},
    {"d": 7, "n": 2, "x": "2.9", "y": "1.1"},
    {"d": 4, "n": 9, "x": "0.2", "y": "3.7"},
)


def differ(a: Formula, b: Formula) -> bool:
    """Whether the values certainly differ at some point: by more than rounding at 60 digits could account for."""
    with mpmath.workdps(DIGITS):
        for at in POINTS:
            p, q = value(a, at), value(b, at)
            if mpmath.isfinite(p) and mpmath.isfinite(q) and abs(p - q) > mpmath.mpf(10) ** -30 * (1 + abs(p) + abs(q)):
                return True
    return False


def agree(a: Formula, b: Formula) -> bool:
    """Whether the values are the same at all points, as far as 60 digits tell."""
    return not differ(a, b)


# --- writing -----------------------------------------------------------------------------------------------


def plain(f: Formula, rng: Random, tight: int = 0) -> str:
    """As plain text, with signs and spaces as they come; `tight` is 0 in a sum, 1 in a product, 2 under a power."""
    space = rng.choice(("", " "))
    match f:
        case ("num", p, 1):
            return str(p)
        case ("num", p, q):
            return f"({p}/{q})"
        case ("var", name):
            return str(name)
        case ("+" | "-" as op, a, b):
            text = f"{plain(a, rng)}{space}{op}{space}{plain(b, rng, 1)}"
            return f"({text})" if tight else text
        case ("*", a, b):
            times = rng.choice(("*", " * ", "·", "×", " "))
            right = plain(b, rng, 2)
            if times == " " and (right[0].isdigit() or right[0] == "("):
                times = "*"
            text = f"{plain(a, rng, 1)}{times}{right}"
            return f"({text})" if tight else text
        case ("/", a, b):
            return f"({plain(a, rng, 1)}/{plain(b, rng, 2)})"
        case ("^", a, n):
            base = plain(a, rng, 2)
            base = base if a[0] == "var" else f"({base})"
            power = rng.choice((f"^{n}", f"**{n}", f"^{{{n}}}", "²³"[n - 2]))
            return f"({base}{power})" if tight == 2 else base + power
        case ("exp", a):
            return rng.choice((f"exp({plain(a, rng)})", f"e^({plain(a, rng)})"))
        case (name, a):
            return f"{name}({plain(a, rng)})"
    raise TypeError(f)


def latex(f: Formula, rng: Random, tight: bool = False) -> str:
    """As LaTeX."""
    match f:
        case ("num", p, 1):
            return str(p)
        case ("num", p, q):
            return rf"\frac{{{p}}}{{{q}}}" if rng.random() < 0.5 else f"({p}/{q})"
        case ("var", name):
            return str(name)
        case ("+" | "-" as op, a, b):
            text = f"{latex(a, rng)}{op}{latex(b, rng, True)}"
            return rf"\left({text}\right)" if tight else text
        case ("*", a, b):
            text = f"{latex(a, rng, True)} \\cdot {latex(b, rng, True)}"
            return f"({text})" if tight else text
        case ("/", a, b):
            return rf"\frac{{{latex(a, rng)}}}{{{latex(b, rng)}}}"
        case ("^", a, n):
            return f"\\left({latex(a, rng)}\\right)^{{{n}}}"
        case ("sqrt", a):
            return rf"\sqrt{{{latex(a, rng)}}}"
        case ("exp", a):
            return rng.choice((rf"\exp\left({latex(a, rng)}\right)", f"e^{{{latex(a, rng)}}}"))
        case ("ln", a):
            return rf"\ln\left({latex(a, rng)}\right)"
    raise TypeError(f)


# --- the same in another form, and something else ----------------------------------------------------------


def rewritten(f: Formula, rng: Random) -> Formula:
    """An equal formula: operands turned round, products spread out, quotients as powers, and the like."""
    if f[0] in ("num", "var"):
        if f[0] == "num" and rng.random() < 0.3:
            k = rng.randint(2, 4)
            return ("num", f[1] * k, f[2] * k)
        return f
    f = (f[0], *(rewritten(a, rng) if isinstance(a, tuple) else a for a in f[1:]))
    if rng.random() < 0.5:
        return f
    one: Formula = ("num", 1, 1)
    match f:
        case ("+" | "*" as op, a, b):
            if op == "*" and a[0] in ("+", "-") and rng.random() < 0.5:
                return (a[0], ("*", a[1], b), ("*", a[2], b))
            return (op, b, a)
        case ("-", a, b):
            return ("+", a, ("*", ("-", one, ("num", 2, 1)), b))
        case ("/", a, b):
            return ("*", ("/", one, b), a)
        case ("^", a, 2):
            return ("*", a, a)
        case ("^", a, 3):
            return ("*", ("^", a, 2), a)
        case ("sqrt", ("*", a, b)) if _positive(a) and _positive(b):
            return ("*", ("sqrt", a), ("sqrt", b))
        case ("exp", ("+", a, b)):
            return ("*", ("exp", a), ("exp", b))
        case ("exp", a):
            return ("/", one, ("exp", ("-", ("num", 0, 1), a)))
        case ("ln", ("*", a, b)) if _positive(a) and _positive(b):
            return ("+", ("ln", a), ("ln", b))
    return f


def _positive(f: Formula) -> bool:
    if f[0] in ("num", "var", "exp"):
        return f[0] != "num" or f[1] > 0
    return f[0] in ("+", "*", "/", "^", "sqrt") and all(_positive(a) for a in f[1:] if isinstance(a, tuple))


def leaves(f: Formula, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if f[0] in ("num", "var"):
        yield path
        return
    for k, a in enumerate(f[1:], 1):
        if isinstance(a, tuple):
            yield from leaves(a, (*path, k))


def changed(f: Formula, rng: Random) -> Formula:
    """The formula with one leaf exchanged for another."""
    path = rng.choice(list(leaves(f)))

    def at(g: Formula, rest: tuple[int, ...]) -> Formula:
        if rest:
            return tuple(at(a, rest[1:]) if k == rest[0] else a for k, a in enumerate(g))
        if g[0] == "var":
            return (
                ("var", rng.choice([n for n in NAMES if n != g[1]]))
                if rng.random() < 0.7
                else ("num", rng.randint(1, 9), 1)
            )
        return ("num", g[1] + rng.choice((1, 1, 2, 10)), g[2])

    return at(f, path)


@dataclass
class Counts:
    """How often each verdict was given."""

    verdicts: dict[str, int]

    def add(self, verdict: str) -> None:
        self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1
