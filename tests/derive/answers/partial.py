"""Keys whose value exists for some values of their names only, against an evaluator of partial functions of its own.

An accepted answer must have the key's value wherever the key has one; a wrong one must not have it everywhere.

python -m tests.derive.answers.partial 20000
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from typing import Any

import mpmath

from derive.answers.checking import Entry, check
from tests.derive.answers.random_formulas import DIGITS, Formula, plain, rewritten

SYMBOLS = {"x": "real", "y": "real"}
GRID = ("-7.3", "-2", "-1", "-0.4", "0", "0.3", "1", "1.7", "2", "3", "11.5")


class NoValue(Exception):
    """A part of a formula has no value at a point."""


def formula(rng: Random, depth: int) -> Formula:
    """A formula that need not have a value everywhere."""
    if depth == 0 or rng.random() < 0.15:
        return ("var", rng.choice("xy")) if rng.random() < 0.7 else ("num", rng.randint(0, 3), 1)
    op = rng.choice("++**--//^rl")
    a = formula(rng, depth - 1)
    if op in "+*-/":
        return (op, a, formula(rng, depth - 1))
    if op == "^":
        return ("^", a, rng.randint(2, 3))
    return ("sqrt", a) if op == "r" else ("ln", a)


def disguised(f: Formula, rng: Random) -> Formula:
    """A formula that is equal here and there, as people rewrite: with a factor cancelled, a logarithm taken apart."""
    g = rewritten(f, rng) if rng.random() < 0.5 else f
    a = formula(rng, 1)
    match g, rng.randrange(8):
        case _, 0:
            return ("/", ("*", g, a), a)
        case ("ln", ("*", p, q)), _:
            return ("+", ("ln", p), ("ln", q))
        case ("ln", ("/", p, q)), _:
            return ("-", ("ln", p), ("ln", q))
        case ("sqrt", ("*", p, q)), _:
            return ("*", ("sqrt", p), ("sqrt", q))
        case ("sqrt", ("^", p, 2)), _:
            return p  # type: ignore[no-any-return]
        case ("/", p, q), 1 | 2:
            return ("/", ("-", ("num", 0, 1), p), ("-", ("num", 0, 1), q))
        case ("*", p, q), _:
            return ("*", q, p)
        case ("+", p, q), _:
            return ("+", q, p)
        case _, 3:
            return ("^", ("sqrt", g), 2)
        case _, 4:
            return ("+", g, ("-", a, a))
        case _, 5:
            return ("sqrt", ("^", g, 2))
    return g


def value(f: Formula, at: dict[str, Any]) -> Any:
    """The value by mpmath. Raises `NoValue` where any part has none."""
    if f[0] == "num":
        return mpmath.mpf(f[1]) / f[2]
    if f[0] == "var":
        return mpmath.mpf(at[f[1]])
    parts = [value(a, at) for a in f[1:] if isinstance(a, tuple)]
    small = mpmath.mpf(10) ** -40
    match f[0]:
        case "+":
            return parts[0] + parts[1]
        case "-":
            return parts[0] - parts[1]
        case "*":
            return parts[0] * parts[1]
        case "/":
            if abs(parts[1]) < small:
                raise NoValue
            return parts[0] / parts[1]
        case "^":
            return parts[0] ** f[2]
        case "exp":
            return mpmath.exp(parts[0])
        case "sqrt":
            if parts[0] < -small:
                raise NoValue
            return mpmath.sqrt(max(parts[0], 0))
        case "ln":
            if parts[0] < small:
                raise NoValue
            return mpmath.log(parts[0])
    raise TypeError(f)


def compared(f: Formula, g: Formula) -> tuple[int, int]:
    """At how many points the key `f` has a value, and at how many of these the answer `g` has another or none."""
    somewhere = other = 0
    with mpmath.workdps(DIGITS):
        for x in GRID:
            for y in GRID:
                try:
                    p = value(f, {"x": x, "y": y})
                except NoValue:
                    continue
                somewhere += 1
                try:
                    q = value(g, {"x": x, "y": y})
                except NoValue:
                    other += 1
                    continue
                other += abs(p - q) > mpmath.mpf(10) ** -25 * (1 + abs(p) + abs(q))
    return somewhere, other


def one(rng: Random) -> str:
    """The verdict on one pair, checked."""
    f = formula(rng, rng.randint(1, 3))
    g = disguised(f, rng)
    right, answer = plain(f, rng), plain(g, rng)
    found = check(Entry("x", "value", {"value": right, "symbols": SYMBOLS}, answer))
    somewhere, other = compared(f, g)
    if found.code == "given-refused":
        assert not somewhere or found.reason.code != "given.no-value", (right, "refused, and has a value")
        return "refused"
    if found.accepted:
        assert not other, (right, answer, found.verdict, other)
    if found.verdict == "wrong":
        assert other or not somewhere or "where" in found.reason.params, (right, answer, found)
    return found.verdict


def main(arguments: list[str]) -> int:
    """Run so many pairs, 2,000 by default, from the seed given second."""
    rng = Random(int(arguments[1]) if len(arguments) > 1 else 0)
    counts = Counter(one(rng) for _ in range(int(arguments[0]) if arguments else 2_000))
    sys.stdout.write(f"{dict(counts)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
