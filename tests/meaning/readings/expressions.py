"""Expressions as trees of this package's own, their values at sample points, and one way to write them that is safe."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

Number: TypeAlias = float
Point: TypeAlias = "Mapping[str, Number]"
Value: TypeAlias = "tuple[object, ...]"  # one number (or None) a point; for a list, one such tuple an item
POINTS = 3
SORTS = ("size", "index", "integer", "real", "positive")


@dataclass(frozen=True, slots=True)
class Tree:
    """One node: an operation, its arguments, and a number or a name.

    ``num`` and ``name``; ``add mul div pow neg sqrt root exp ln log abs max min fact fact2 mod percent binom``;
    ``entry`` of a named tensor; ``sum`` over the named index from, to, body; ``list``; ``opaque`` for what has no
    value here but differs from whatever has another name or other arguments (a function, a derivative).
    """

    op: str
    args: tuple[Tree, ...] = ()
    data: Fraction | str | None = None


def num(value: Fraction | int) -> Tree:
    """A numeral."""
    return Tree("num", (), Fraction(value))


def name(text: str) -> Tree:
    """A declared name."""
    return Tree("name", (), text)


def node(op: str, *args: Tree, data: str | None = None) -> Tree:
    """An operation on its arguments."""
    return Tree(op, args, data)


@lru_cache(maxsize=4096)
def _sample(text: str, sort: str, point: int) -> Number:
    rng = random.Random(f"{text}:{point}")
    if sort in ("size", "index", "integer"):
        return rng.choice((2, 3, 4, 5, 6, 7))
    value = rng.uniform(0.3, 2.7)
    return -value if sort == "real" and point == 1 else value


def points(names: Mapping[str, str]) -> tuple[dict[str, Number], ...]:
    """Where readings are compared: values for the declared names, integers for those of an integer sort."""
    found = []
    for p in range(POINTS):
        here: dict[str, Number] = {}
        for text, sort in names.items():
            salt = 0
            while (value := _sample(text + "'" * salt, sort, p)) in here.values() and salt < 20:
                salt += 1
            here[text] = value
        found.append(here)
    return tuple(found)


def at(tree: Tree, point: Point) -> Number | None:
    """The value of a number at a point; None where it has none, or it is beyond floating point."""
    try:
        value = _value(tree, point)
    except (ArithmeticError, ValueError, KeyError, TypeError):
        return None
    size = abs(value)
    return value if size < 1e250 and not math.isnan(size) else None


def _power(a: Number, b: Number) -> Number:
    if a == 0:
        return 1.0 if b == 0 else 0.0 if b > 0 else 1 / a
    if a < 0 and not float(b).is_integer():
        raise ValueError
    return math.pow(a, b)


def _double_factorial(a: Number) -> Number:
    n = round(a)
    return float(math.prod(range(n, 0, -2)))


def _opaque(text: str, args: list[Number]) -> Number:
    """A number that hangs on the name and on each argument, and on nothing else."""
    rng = random.Random(f"opaque:{text}")
    return rng.uniform(11, 17) + sum(rng.uniform(0.3, 0.9) * math.atan(0.7 * a + rng.uniform(0, 1)) for a in args)


_VALUES: dict[str, Callable[..., Number]] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "pow": _power,
    "sqrt": math.sqrt,
    "root": lambda a, b: _power(a, 1 / b),
    "exp": math.exp,
    "ln": math.log,
    "log": lambda base, a: math.log(a) / math.log(base),
    "abs": abs,
    "max": max,
    "min": min,
    "fact": lambda a: math.gamma(a + 1),
    "fact2": _double_factorial,
    "mod": lambda a, b: a % b,
    "percent": lambda a: a / 100,
    "binom": lambda n, k: math.gamma(n + 1) / (math.gamma(k + 1) * math.gamma(n - k + 1)),
}


def _value(tree: Tree, point: Point) -> Number:
    op = tree.op
    if op == "num":
        assert isinstance(tree.data, Fraction)
        return tree.data.numerator / tree.data.denominator
    if op == "name":
        return (
            math.e if tree.data == "e" and "e" not in point else math.pi if tree.data == "pi" else point[str(tree.data)]
        )
    if op == "sum":
        low, high = (round(_value(t, point)) for t in tree.args[:2])
        if high - low > 60:
            raise ValueError
        body = tree.args[2]
        return sum((_value(body, {**point, str(tree.data): k}) for k in range(low, high + 1)), 0.0)
    values = [_value(t, point) for t in tree.args]
    if op in ("opaque", "entry"):
        return _opaque(f"{op}:{tree.data}", values)
    return _VALUES[op](*values)


def values(tree: Tree, where: tuple[dict[str, Number], ...]) -> Value:
    """The values at all points, of a list item by item."""
    if tree.op == "list":
        return ("list", *(values(t, where) for t in tree.args))
    return tuple(at(tree, p) for p in where)


def same(a: object, b: object) -> bool:
    """Whether two values are the same number, or lists of the same numbers. What has no value is like nothing."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        pairs = [p for p in zip(a, b, strict=False) if p != (None, None)]
        return len(a) == len(b) and bool(pairs) and all(same(x, y) for x, y in pairs)
    if isinstance(a, tuple) or isinstance(b, tuple) or a is None or b is None:
        return False
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    assert isinstance(a, (int, float))
    assert isinstance(b, (int, float))
    return abs(a - b) <= 1e-9 * max(1e-30, abs(a), abs(b))


def rounded(value: object) -> object:
    """A value that may be compared by ==: nine digits of each number."""
    if isinstance(value, tuple):
        return tuple(map(rounded, value))
    return f"{value:.9e}" if isinstance(value, (int, float)) else value


def has_value(value: Value) -> bool:
    """Whether there is a number at some point, for a list in each item."""
    if value and value[0] == "list":
        return all(isinstance(v, tuple) and has_value(v) for v in value[1:])
    return any(v is not None for v in value)


def safe(tree: Tree) -> str | None:
    """The tree in plain text, a bracket round everything and each ``*`` written; None where there is no such text."""
    op = tree.op
    if op == "num":
        assert isinstance(tree.data, Fraction)
        return (
            str(tree.data.numerator)
            if tree.data.denominator == 1
            else f"({tree.data.numerator}/{tree.data.denominator})"
        )
    if op == "name":
        return str(tree.data)
    inner = [safe(t) for t in tree.args]
    if any(t is None for t in inner) or op in ("opaque", "fact2", "mod"):
        return None
    a = [str(t) for t in inner]
    if op in ("add", "mul", "div", "pow"):
        return (
            "("
            + {"add": "+", "mul": "*", "div": "/", "pow": "^"}[op].join(f"({t})" if "-" in t else t for t in a)
            + ")"
        )
    if op == "neg":
        return f"(-({a[0]}))"
    if op == "percent":
        return f"(({a[0]})/100)"
    if op == "fact":
        return f"(({a[0]})!)"
    if op == "log":
        return f"(ln({a[1]})/ln({a[0]}))"
    if op == "root":
        return f"(({a[0]})^(1/({a[1]})))"
    if op == "binom":
        return rf"\binom{{{a[0]}}}{{{a[1]}}}"
    if op == "entry":
        return f"{tree.data}[{', '.join(a)}]"
    if op == "sum":
        return f"sum({tree.data} = {a[0]}..{a[1]}, {a[2]})"
    if op == "list":
        return f"({', '.join(a)})"
    return f"{op}({', '.join(a)})"
