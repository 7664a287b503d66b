"""Random derivations: a line is made from the one before by a rewriting, right or wrong, and nobody knows which holds.

What holds is decided by the evaluator alone, so that a rule here may be careless: that is how people write.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from tests.meaning.expressions import (
    Declaration,
    Expr,
    Hypothesis,
    Problem,
    at,
    binary,
    entry,
    largest,
    num,
    replaced,
    size,
    summed,
    var,
)

MAX_SIZE = 46
ZERO, ONE, TWO = num(0), num(1), num(2)
N = var("n")
Binders = tuple[tuple[str, Expr, Expr], ...]
Path = tuple[int, ...]


def plus(a: Expr, b: Expr) -> Expr:
    return binary("+", a, b)


def minus(a: Expr, b: Expr) -> Expr:
    return binary("-", a, b)


def times(a: Expr, b: Expr) -> Expr:
    return binary("*", a, b)


def over(a: Expr, b: Expr) -> Expr:
    return binary("/", a, b)


def power(a: Expr, b: Expr) -> Expr:
    return binary("^", a, b)


def call(name: str, *args: Expr) -> Expr:
    return Expr(name, args)


@dataclass
class Scene:
    """What is declared, and the chance that builds expressions over it."""

    rng: random.Random
    reals: list[str] = field(default_factory=list)
    positives: list[str] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)
    integers: list[str] = field(default_factory=list)
    indices: dict[str, Expr] = field(default_factory=dict)
    vectors: dict[str, Expr] = field(default_factory=dict)
    matrices: dict[str, tuple[Expr, Expr]] = field(default_factory=dict)
    fresh: int = 0

    def declarations(self) -> tuple[Declaration, ...]:
        return (
            *(Declaration(s, "size") for s in self.sizes),
            *(Declaration(s, "integer") for s in self.integers),
            *(Declaration(s, "index", (d,)) for s, d in self.indices.items()),
            *(Declaration(s, "real") for s in self.reals),
            *(Declaration(s, "positive") for s in self.positives),
            *(Declaration(s, "real", (d,)) for s, d in self.vectors.items()),
            *(Declaration(s, "real", d) for s, d in self.matrices.items()),
        )

    def bound(self) -> str:
        self.fresh += 1
        return ("j", "k", "l", "q", "r", "s")[(self.fresh - 1) % 6] + ("" if self.fresh <= 6 else f"_{self.fresh}")

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    # ---- parts -----------------------------------------------------------------------------------------------------

    def scalar_name(self) -> Expr:
        names = self.reals * 3 + self.positives * 2
        if not names or self.chance(0.06):
            names = self.integers + self.sizes + list(self.indices) or names
        return var(self.rng.choice(names)) if names else num(self.rng.randint(0, 3))

    def index(self, dim: Expr, binders: Binders) -> Expr:
        """An index that is mostly in the range 1..dim."""
        inner = [var(b) for b, _, _ in binders]
        if inner and self.chance(0.75):
            k = self.rng.choice(inner[-1:] * 3 + inner)
            if self.chance(0.08):
                return plus(k, ONE) if self.chance(0.5) else minus(k, ONE)
            return k
        fitting = [var(s) for s, d in self.indices.items() if d == dim] or [var(s) for s in self.indices]
        choices = fitting * 6 + [ONE, dim]
        if fitting:
            choices += [plus(fitting[0], ONE), minus(fitting[0], ONE)] if self.chance(0.5) else []
        if self.chance(0.12):
            choices += [ZERO, plus(dim, ONE), TWO, minus(dim, ONE)]
        return self.rng.choice(choices)

    def entry(self, binders: Binders) -> Expr:
        if self.matrices and (not self.vectors or self.chance(0.4)):
            name = self.rng.choice(list(self.matrices))
            rows, columns = self.matrices[name]
            return entry(var(name), self.index(rows, binders), self.index(columns, binders))
        name = self.rng.choice(list(self.vectors))
        return entry(var(name), self.index(self.vectors[name], binders))

    def atom(self, binders: Binders) -> Expr:
        if (self.vectors or self.matrices) and self.chance(0.75 if binders else 0.45):
            return self.entry(binders)
        if self.chance(0.08):
            return num(self.rng.randint(0, 3))
        return self.scalar_name()

    def range(self) -> tuple[Expr, Expr]:
        dims = list(self.vectors.values()) + [d for pair in self.matrices.values() for d in pair]
        dims += [var(s) for s in self.sizes]
        high = self.rng.choice(dims) if dims else num(self.rng.randint(1, 3))
        low: Expr = ONE
        if self.chance(0.15):
            low = self.rng.choice([ZERO, TWO, *map(var, self.indices)])
        if self.chance(0.15):
            high = self.rng.choice([minus(high, ONE), plus(high, ONE), *map(var, self.indices), ONE, ZERO, num(3)])
        return low, high

    def scalar(self, depth: int, binders: Binders = ()) -> Expr:
        """A number, with what may lack a value."""
        if depth <= 0:
            return self.atom(binders)
        roll = self.rng.random()
        sub = lambda less=1: self.scalar(depth - less, binders)  # noqa: E731
        if roll < 0.10:
            return self.atom(binders)
        if roll < 0.20:
            return plus(sub(), sub())
        if roll < 0.26:
            return minus(sub(), sub())
        if roll < 0.36:
            return times(sub(), sub())
        if roll < 0.50:
            return over(sub(), sub())
        if roll < 0.57:
            return power(sub(2), self.exponent())
        if roll < 0.65:
            return call("exp", sub(2))
        if roll < 0.73:
            return call("ln", sub(2))
        if roll < 0.79:
            return call("sqrt", sub(2))
        if roll < 0.82:
            return call("max", sub(2), sub(2))
        if roll < 0.92 and len(binders) < 2 and (self.sizes or self.vectors):
            low, high = self.range()
            name = self.bound()
            body = self.scalar(depth - 1, (*binders, (name, low, high)))
            return (summed if self.chance(0.85) else largest)(name, low, high, body)
        if roll < 0.95 and (self.indices or self.sizes or binders):
            return call("if", self.condition(binders), sub(), sub())
        if self.vectors:
            name = self.rng.choice(list(self.vectors))
            return entry(self.vector(name, depth - 1), self.index(self.vectors[name], binders))
        return call("neg", sub())

    def exponent(self) -> Expr:
        roll = self.rng.random()
        if roll < 0.7:
            return num(self.rng.choice([0, 1, 2, 2, 2, 3, -1, -1, -2]))
        names = self.integers + self.sizes + list(self.indices)
        if not names:
            return num(self.rng.choice([2, -1]))
        name = var(self.rng.choice(names))
        return self.rng.choice([name, minus(name, ONE), plus(name, ONE), call("neg", name)])

    def vector(self, name: str, depth: int) -> Expr:
        """A vector of the same dimension as a named one."""
        same = [v for v, d in self.vectors.items() if d == self.vectors[name]]
        dim = self.vectors[name]
        if dim.op == "num" and self.chance(0.3):
            return Expr("list", tuple(self.scalar(0) for _ in range(int(dim.value))))
        if depth <= 0:
            return var(self.rng.choice(same))
        roll = self.rng.random()
        sub = lambda: self.vector(name, depth - 1)  # noqa: E731
        scalar = lambda: self.scalar(depth - 1)  # noqa: E731
        if roll < 0.2:
            return binary(self.rng.choice("+-"), sub(), sub())
        if roll < 0.35:
            return binary(self.rng.choice("+-*"), sub(), scalar())
        if roll < 0.45:
            return over(sub(), scalar())
        if roll < 0.55:
            return over(scalar(), sub())
        if roll < 0.85:
            return call(self.rng.choice(["exp", "ln", "sqrt", "softmax", "softmax", "ln"]), sub())
        return power(sub(), num(self.rng.choice([0, 2, -1])))

    def condition(self, binders: Binders) -> Expr:
        names = [var(b) for b, _, _ in binders] + [var(s) for s in (*self.indices, *self.sizes, *self.integers)]
        left = self.rng.choice(names)
        right = self.rng.choice([ONE, ONE, TWO, *names, ZERO])
        return binary(self.rng.choice(["=", "<=", "<", "!="]), left, right)

    def doubtful(self, binders: Binders) -> Expr:
        """Something small that has no value here and there."""
        a = self.atom(binders)
        choices = [over(ONE, a), call("ln", a), call("sqrt", a), power(a, num(-1))]
        choices.append(over(a, minus(a, self.atom(binders))))
        if self.vectors:
            name = self.rng.choice(list(self.vectors))
            dim = self.vectors[name]
            choices += [entry(var(name), plus(dim, ONE)), entry(var(name), ZERO), entry(var(name), TWO)]
            b = self.bound()
            each = entry(var(name), var(b))
            choices += [summed(b, ONE, dim, over(ONE, each)), largest(b, TWO, dim, each)]
        if self.chance(0.1):
            choices = [
                over(ONE, ZERO),
                call("ln", num(-1)),
                call("ln", ZERO),
                call("sqrt", num(-2)),
                power(ZERO, num(-1)),
            ]
        return self.rng.choice(choices)


# ---- the kinds of expressions, and where they stand ------------------------------------------------------------------


def is_vector(e: Expr, scene: Scene) -> bool:
    if e.op == "var":
        return e.name in scene.vectors or e.name in scene.matrices
    if e.op in {"num", "entry", "list"}:
        return e.op == "list"
    if e.op == "if":
        return is_vector(e.args[1], scene)
    if e.op in {"sum", "over"}:
        return is_vector(e.args[2], scene)
    return any(is_vector(a, scene) for a in e.args)


def places(e: Expr, path: Path = (), binders: Binders = ()) -> Iterator[tuple[Path, Expr, Binders]]:
    """The parts that are numbers or vectors, not the bounds, indices, exponents and conditions."""
    yield path, e, binders
    match e.op:
        case "sum" | "over":
            yield from places(e.args[2], (*path, 2), (*binders, (e.name, e.args[0], e.args[1])))
        case "entry":
            if e.args[0].op != "var":
                yield from places(e.args[0], (*path, 0), binders)
        case "^":
            yield from places(e.args[0], (*path, 0), binders)
        case "if":
            for k in (1, 2):
                yield from places(e.args[k], (*path, k), binders)
        case _:
            for k, a in enumerate(e.args):
                yield from places(a, (*path, k), binders)


# ---- rewritings ------------------------------------------------------------------------------------------------------

Rule = Callable[[Scene, Expr, Binders], "Expr | None"]
RIGHT: list[tuple[float, Rule]] = []
WRONG: list[tuple[float, Rule]] = []


def right(weight: float) -> Callable[[Rule], Rule]:
    def enter(rule: Rule) -> Rule:
        RIGHT.append((weight, rule))
        return rule

    return enter


def wrong(weight: float) -> Callable[[Rule], Rule]:
    def enter(rule: Rule) -> Rule:
        WRONG.append((weight, rule))
        return rule

    return enter


@right(2)
def times_one(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    a = scene.atom(binders) if scene.chance(0.7) else scene.scalar(1, binders)
    vector = is_vector(e, scene)
    return scene.rng.choice([
        over(times(e, a), a),
        times(over(e, a), a),
        times(e, over(a, a)),
        times(e, power(a, ZERO)),
        over(e, over(a, a)) if not vector else times(e, over(a, a)),
        over(times(a, e), a),
    ])  # fmt: skip


@right(2.5)
def plus_nothing(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    a = scene.doubtful(binders)
    b = scene.bound()
    return scene.rng.choice([
        plus(e, minus(a, a)),
        minus(plus(e, a), a),
        plus(e, times(ZERO, a)),
        plus(e, over(ZERO, scene.atom(binders))),
        plus(times(ZERO, a), e),
        minus(e, times(a, ZERO)),
        plus(e, summed(b, ONE, ZERO, a)),
        plus(e, summed(b, TWO, ONE, over(ONE, var(b)))),
    ])  # fmt: skip


@right(1)
def through_a_function(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    if is_vector(e, scene):
        return scene.rng.choice([call("ln", call("exp", e)), call("exp", call("ln", e)), power(call("sqrt", e), TWO)])
    b = scene.bound()
    return scene.rng.choice([
        call("ln", call("exp", e)),
        call("exp", call("ln", e)),
        power(call("sqrt", e), TWO),
        call("sqrt", power(e, TWO)),
        call("max", e, e),
        summed(b, ONE, ONE, e),
        largest(b, ONE, ONE, e),
        over(ONE, over(ONE, e)),
        power(power(e, num(-1)), num(-1)),
        times(call("sqrt", e), call("sqrt", e)),
        call("neg", call("neg", e)),
    ])  # fmt: skip


@right(1)
def a_branch(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    if not (binders or scene.indices or scene.sizes) or is_vector(e, scene):
        return None
    junk = scene.doubtful(binders)
    names = [var(s) for s in scene.sizes] or [var(s) for s in scene.indices] or [var(b) for b, _, _ in binders]
    name = scene.rng.choice(names)
    return scene.rng.choice([
        call("if", binary("<=", ONE, name), e, junk),
        call("if", binary("<", name, ONE), junk, e),
        call("if", scene.condition(binders), e, e),
        call("if", binary("=", name, ZERO), junk, e),
        call("if", binary("!=", name, name), junk, e),
        call("if", binary("<=", name, name), e, junk),
    ])  # fmt: skip


@right(4)
def cancel(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    match e.op:
        case "/":
            a, b = e.args
            if a == b:
                return ONE
            if a == ZERO:
                return ZERO
            if a.op == "*" and b in a.args:
                return a.args[1 - a.args.index(b)]
            if a.op == b.op == "*":
                for x in a.args:
                    if x in b.args:
                        return over(a.args[1 - a.args.index(x)], b.args[1 - b.args.index(x)])
            if b.op == "/":
                return over(times(a, b.args[1]), b.args[0]) if b.args[0] != ONE else times(a, b.args[1])
            if b == ONE:
                return a
            if b.op == "^" and b.args[0] == a and b.args[1] == TWO:
                return over(ONE, a)
            if a.op == "^" and a.args[0] == b and a.args[1] == TWO:
                return b
            if a.op == "/":
                return over(a.args[0], times(a.args[1], b))
        case "*":
            a, b = e.args
            if ZERO in e.args:
                return ZERO
            if a == ONE:
                return b
            if b == ONE:
                return a
            if a.op == "/" and a.args[1] == b:
                return a.args[0]
            if b.op == "/" and b.args[1] == a:
                return b.args[0]
            if a == b:
                return a.args[0] if a.op == "sqrt" else power(a, TWO)
        case "-":
            a, b = e.args
            if a == b:
                return ZERO if not is_vector(a, scene) else None
            if b == ZERO:
                return a
            if a.op == "+" and b in a.args:
                return a.args[1 - a.args.index(b)]
            if a == ZERO:
                return call("neg", b)
        case "+":
            a, b = e.args
            if b == ZERO:
                return a
            if a == ZERO:
                return b
            if a == b:
                return times(TWO, a)
        case "^":
            a, k = e.args
            if k == ZERO:
                return ONE if not is_vector(a, scene) else None
            if k == ONE:
                return a
            if k == TWO:
                return a.args[0] if a.op == "sqrt" else None if is_vector(a, scene) else times(a, a)
            if k == num(-1):
                return over(ONE, a)
            if k.op == "neg":
                return over(ONE, power(a, k.args[0]))
        case "neg" if e.args[0].op == "neg":
            return e.args[0].args[0]
    return None


@right(2)
def distribute(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    vector = is_vector(e, scene)
    match e.op:
        case "*":
            a, b = e.args
            if b.op in "+-":
                return binary(b.op, times(a, b.args[0]), times(a, b.args[1])) if not vector else None
            if a.op in "+-":
                return binary(a.op, times(a.args[0], b), times(a.args[1], b)) if not vector else None
            if b.op == "/" and not vector:
                return over(times(a, b.args[0]), b.args[1])
            return times(b, a)
        case "/":
            a, b = e.args
            if a.op in "+-":
                return binary(a.op, over(a.args[0], b), over(a.args[1], b)) if not is_vector(b, scene) else None
            if a.op == "*" and not vector:
                return times(a.args[0], over(a.args[1], b))
            return times(a, power(b, num(-1))) if not vector else None
        case "+" | "-":
            a, b = e.args
            if a.op == b.op == "/" and not vector:
                if a.args[1] == b.args[1]:
                    return over(binary(e.op, a.args[0], b.args[0]), a.args[1])
                top = binary(e.op, times(a.args[0], b.args[1]), times(b.args[0], a.args[1]))
                return over(top, times(a.args[1], b.args[1]))
            if a.op == b.op == "*" and not vector:
                for x in a.args:
                    if x in b.args:
                        rest = binary(e.op, a.args[1 - a.args.index(x)], b.args[1 - b.args.index(x)])
                        return times(x, rest)
            if a.op == b.op == "^" and e.op == "-" and a.args[1] == b.args[1] == TWO and not vector:
                return times(minus(a.args[0], b.args[0]), plus(a.args[0], b.args[0]))
            return plus(b, a) if e.op == "+" else plus(a, call("neg", b))
        case "^":
            a, k = e.args
            if vector:
                return None
            if k == TWO and a.op in "+-":
                x, y = a.args
                return plus(binary(a.op, power(x, TWO), times(times(TWO, x), y)), power(y, TWO))
            if a.op in "*/":
                return binary(a.op, power(a.args[0], k), power(a.args[1], k))
            if k.op in "+-" and len(k.args) == 2:
                return binary("*" if k.op == "+" else "/", power(a, k.args[0]), power(a, k.args[1]))
        case "neg" if e.args[0].op in "+-" and len(e.args[0].args) == 2:
            a, b = e.args[0].args
            return minus(b, a) if e.args[0].op == "-" else minus(call("neg", a), b)
        case "max" if len(e.args) == 2:
            return call("max", e.args[1], e.args[0])
    return None


@right(4)
def functions(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    vector = is_vector(e, scene)
    if e.op in {"exp", "ln", "sqrt"}:
        (a,) = e.args
        if e.op == "exp":
            if a.op == "ln":
                return a.args[0]
            if vector:
                return None
            if a.op == "+":
                return times(call("exp", a.args[0]), call("exp", a.args[1]))
            if a.op == "-":
                return over(call("exp", a.args[0]), call("exp", a.args[1]))
            if a.op == "neg":
                return over(ONE, call("exp", a.args[0]))
            if a.op == "*" and a.args[0] == TWO:
                return power(call("exp", a.args[1]), TWO)
            if a.op == "sum":
                return None
        if e.op == "ln":
            if a.op == "exp":
                return a.args[0]
            if vector:
                return None
            if a.op == "*":
                return plus(call("ln", a.args[0]), call("ln", a.args[1]))
            if a.op == "/":
                if a.args[0] == ONE:
                    return call("neg", call("ln", a.args[1]))
                return minus(call("ln", a.args[0]), call("ln", a.args[1]))
            if a.op == "^":
                return times(a.args[1], call("ln", a.args[0]))
            if a.op == "sqrt":
                return over(call("ln", a.args[0]), TWO)
        if e.op == "sqrt" and not vector:
            if a.op in "*/":
                return binary(a.op, call("sqrt", a.args[0]), call("sqrt", a.args[1]))
            if a.op == "^" and a.args[1] == TWO:
                x = a.args[0]
                return scene.rng.choice([x, call("max", x, call("neg", x))])
            if a.op == "exp":
                return call("exp", over(a.args[0], TWO))
        return None
    if vector or len(e.args) != 2:
        return None
    a, b = e.args
    if a.op == b.op == "exp" and e.op in "*/":
        return call("exp", binary("+" if e.op == "*" else "-", a.args[0], b.args[0]))
    if a.op == b.op == "ln" and e.op in "+-":
        return call("ln", binary("*" if e.op == "+" else "/", a.args[0], b.args[0]))
    if a.op == b.op == "sqrt" and e.op in "*/":
        return call("sqrt", binary(e.op, a.args[0], b.args[0]))
    if e.op == "*" and b.op == "ln":
        return call("ln", power(b.args[0], a)) if a.op == "num" else None
    if e.op == "^" and a.op == "exp":
        return call("exp", times(b, a.args[0]))
    if e.op == "/" and b.op == "exp":
        return times(a, call("exp", call("neg", b.args[0])))
    return None


@right(5)
def sums(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    if e.op == "+":
        a, b = e.args
        if a.op == b.op == "sum" and a.args[:2] == b.args[:2]:
            return summed(a.name, *a.args[:2], plus(a.args[2], replaced(b.args[2], b.name, var(a.name))))
        return None
    if e.op in "*/" and len(e.args) == 2:
        a, b = e.args
        if b.op == "sum" and e.op == "*" and not is_vector(a, scene):
            return summed(b.name, *b.args[:2], times(a, b.args[2]))
        if a.op == "sum" and not is_vector(b, scene):
            return summed(a.name, *a.args[:2], binary(e.op, a.args[2], b))
        return None
    if e.op not in {"sum", "over"}:
        return None
    low, high, body = e.args
    j = var(e.name)
    joined = plus if e.op == "sum" else (lambda a, b: call("max", a, b))
    choices: list[Expr] = [
        joined(Expr(e.op, (low, minus(high, ONE), body), e.name), replaced(body, e.name, high)),
        joined(replaced(body, e.name, low), Expr(e.op, (plus(low, ONE), high, body), e.name)),
        Expr(e.op, (minus(low, ONE), minus(high, ONE), replaced(body, e.name, plus(j, ONE))), e.name),
        Expr(e.op, (plus(low, ONE), plus(high, ONE), replaced(body, e.name, minus(j, ONE))), e.name),
        Expr(e.op, (low, high, replaced(body, e.name, minus(plus(low, high), j))), e.name),
    ]
    if low == ONE and high.op == "-" and high.args[1] == ONE:
        choices.append(minus(Expr(e.op, (low, high.args[0], body), e.name), replaced(body, e.name, high.args[0])))
    if e.op == "sum":
        if body.op in "+-" and len(body.args) == 2:
            choices += [binary(body.op, *(summed(e.name, low, high, a) for a in body.args))] * 3
        if body.op in "*/" and len(body.args) == 2:
            a, b = body.args
            if not free(a, e.name) and body.op == "*":
                choices += [times(a, summed(e.name, low, high, b))] * 3
            if not free(b, e.name):
                choices += [binary(body.op, summed(e.name, low, high, a), b)] * 3
        if not free(body, e.name):
            choices += [times(plus(minus(high, low), ONE) if low != ONE else high, body)] * 3
        if body.op == "sum" and not free(body.args[0], e.name) and not free(body.args[1], e.name):
            choices += [summed(body.name, *body.args[:2], summed(e.name, low, high, body.args[2]))] * 2
        if body.op == "if":
            c = body.args[0]
            if c.op == "<=" and c.args[0] == j and low == ONE:
                cut = c.args[1]
                parts = summed(e.name, low, cut, body.args[1]), summed(e.name, plus(cut, ONE), high, body.args[2])
                choices.append(plus(*parts))
        if low == high:
            choices += [replaced(body, e.name, low)] * 5
        if low == ONE and scene.indices:
            t = var(scene.rng.choice(list(scene.indices)))
            choices.append(plus(summed(e.name, low, t, body), summed(e.name, plus(t, ONE), high, body)))
            choices.append(plus(summed(e.name, low, minus(t, ONE), body), summed(e.name, t, high, body)))
    return scene.rng.choice(choices)


def free(e: Expr, name: str) -> bool:
    if e.op in {"sum", "over"} and e.name == name:
        return free(e.args[0], name) or free(e.args[1], name)
    return (e.op == "var" and e.name == name) or any(free(a, name) for a in e.args)


@right(5)
def tensors(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    """Entries of what is worked out entry by entry, and softmax unfolded, shifted and folded."""
    if e.op == "softmax":
        return call("softmax", binary(scene.rng.choice("+-"), e.args[0], scene.scalar_name()))
    if e.op == "sum" and e.args[2].op == "entry" and e.args[2].args[0].op == "softmax":
        return ONE
    if e.op == "/" and e.args[0].op == "exp" and e.args[1].op == "sum" and e.args[0].args[0].op == "entry":
        z, *k = e.args[0].args[0].args
        return entry(call("softmax", z), *k)
    if e.op != "entry" or e.args[0].op == "var":
        return None
    base, *index = e.args
    if base.op == "list":
        inside = index[0].op == "num" and 1 <= index[0].value <= len(base.args)
        return base.args[int(index[0].value) - 1] if inside else None
    one = lambda v: entry(v, *index) if is_vector(v, scene) else v  # noqa: E731
    if base.op == "softmax":
        (v,) = base.args
        names = [part.name for part in v.walk() if part.op == "var" and part.name in scene.vectors]
        if not names:
            return None
        j = scene.bound()
        inner = _entry_of(v, var(j), scene) if scene.chance(0.7) else entry(v, var(j))
        outer = _entry_of(v, index[0], scene) if scene.chance(0.7) else entry(v, index[0])
        dim = scene.vectors[names[0]]
        if v.op == "ln" and scene.chance(0.6):
            (u,) = v.args
            return over(entry(u, index[0]), summed(j, ONE, dim, entry(u, var(j))))
        return over(call("exp", outer), summed(j, ONE, dim, call("exp", inner)))
    if base.op in {"sum", "over", "if"}:
        return None
    if base.op == "^":
        return power(one(base.args[0]), base.args[1])
    return Expr(base.op, tuple(map(one, base.args)), base.name)


def _entry_of(v: Expr, index: Expr, scene: Scene) -> Expr:
    """The entry with the index carried to the names of vectors."""
    if not is_vector(v, scene):
        return v
    if v.op in {"var", "softmax", "list"}:
        return entry(v, index)
    if v.op == "^":
        return power(_entry_of(v.args[0], index, scene), v.args[1])
    return Expr(v.op, tuple(_entry_of(a, index, scene) for a in v.args), v.name)


@right(1.5)
def branches(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    if e.op != "if":
        return None
    c, a, b = e.args
    opposite = {"=": "!=", "!=": "=", "<=": ">", "<": ">=", ">": "<=", ">=": "<"}[c.op]
    choices = [call("if", binary(opposite, *c.args), b, a)]
    if a == b:
        choices += [a] * 3
    if c.args[0] == c.args[1]:
        choices += [a if c.op in {"=", "<=", ">="} else b] * 3
    if str(c) in {"1 <= n", "1 <= m", "i <= n", "1 <= i"}:
        choices += [a] * 3
    if c.op in {"<", "="} and c.args[1] in {ONE, ZERO} and str(c) != "n = 1":
        choices += [b] * 2
    if a.op == b.op == "+" and a.args[0] == b.args[0]:
        choices.append(plus(a.args[0], call("if", c, a.args[1], b.args[1])))
    return scene.rng.choice(choices)


@wrong(2)
def sign_slip(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    if e.op in "+-" and len(e.args) == 2:
        return binary("-" if e.op == "+" else "+", *e.args)
    return e.args[0] if e.op == "neg" else None


@wrong(2)
def number_slip(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    if e.op == "num":
        return num(e.value + scene.rng.choice([1, -1]))
    if e.op == "^" and e.args[1].op == "num":
        return power(e.args[0], num(e.args[1].value + scene.rng.choice([1, -1])))
    return None


@wrong(2)
def off_by_one(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    step = lambda k: plus(k, ONE) if scene.chance(0.5) else minus(k, ONE)  # noqa: E731
    if e.op == "entry":
        return entry(e.args[0], step(e.args[1]), *e.args[2:])
    if e.op in {"sum", "over"}:
        low, high, body = e.args
        if scene.chance(0.5):
            return Expr(e.op, (scene.rng.choice([ZERO, TWO]), high, body), e.name)
        return Expr(e.op, (low, step(high), body), e.name)
    return None


@wrong(2)
def wrong_law(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    if e.op in {"exp", "ln", "sqrt"} and e.args[0].op in "+-*" and len(e.args[0].args) == 2:
        a, b = e.args[0].args
        return binary(e.args[0].op, call(e.op, a), call(e.op, b))
    if e.op == "/" and e.args[1].op in "+-" and len(e.args[1].args) == 2:
        return binary(e.args[1].op, *(over(e.args[0], a) for a in e.args[1].args))
    if e.op == "^" and e.args[0].op in "+-" and len(e.args[0].args) == 2:
        return binary(e.args[0].op, *(power(a, e.args[1]) for a in e.args[0].args))
    if e.op == "/":
        return over(*reversed(e.args)) if not is_vector(e, scene) else None
    if e.op == "sum" and e.args[2].op in "*/" and len(e.args[2].args) == 2:
        return binary(e.args[2].op, *(summed(e.name, *e.args[:2], a) for a in e.args[2].args))
    return None


@wrong(1.5)
def dropped(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    """A term, a factor, a branch or a function is lost."""
    if e.op == "if":
        return scene.rng.choice([e.args[1], e.args[2], call("if", e.args[0], e.args[2], e.args[1])])
    if e.op in "+-*" and len(e.args) == 2 and is_vector(e.args[0], scene) == is_vector(e.args[1], scene):
        return e.args[scene.rng.randrange(2)]
    if e.op in {"ln", "exp", "sqrt", "neg", "softmax"}:
        return e.args[0]
    if e.op == "max":
        return e.args[scene.rng.randrange(len(e.args))]
    return None


@wrong(1.5)
def another_name(scene: Scene, e: Expr, binders: Binders) -> Expr | None:
    if e.op == "var" and not is_vector(e, scene):
        return scene.atom(binders)
    if e.op == "var" and e.name in scene.vectors:
        same = [v for v, d in scene.vectors.items() if d == scene.vectors[e.name] and v != e.name]
        return var(scene.rng.choice(same)) if same else None
    if e.op == "entry" and e.args[0].op == "var":
        return scene.entry(binders)
    return None


def rewritten(scene: Scene, e: Expr, rules: list[tuple[float, Rule]]) -> Expr | None:
    """The expression after one rewriting somewhere, or None where nothing fits in some tries."""
    spots = list(places(e))
    for _ in range(30):
        path, part, binders = scene.rng.choice(spots)
        (rule,) = scene.rng.choices([r for _, r in rules], [w for w, _ in rules])
        new = rule(scene, part, binders)
        if new is None or new == part:
            continue
        whole = at(e, path, new)
        if size(whole) <= MAX_SIZE and is_vector(whole, scene) == is_vector(e, scene) and plausible(whole, scene):
            return whole
    return None


def plausible(e: Expr, scene: Scene) -> bool:
    """Whether the language has a form for it: no product of two vectors, no index or bound that is no integer."""
    whole = set(scene.sizes) | set(scene.integers) | set(scene.indices)

    def fits(e: Expr, inner: frozenset[str]) -> bool:
        def integer(a: Expr) -> bool:
            if a.op in {"var", "num"}:
                return a.op == "num" or a.name in whole or a.name in inner
            return a.op in {"+", "-", "*", "neg"} and all(map(integer, a.args))

        match e.op:
            case "*" | "/" | "^" if is_vector(e.args[0], scene) and is_vector(e.args[1], scene):
                return False
            case "/" if is_vector(e.args[1], scene) and is_vector(e.args[0], scene):
                return False
            case "^":
                return integer(e.args[1]) and fits(e.args[0], inner)
            case "entry":
                return all(map(integer, e.args[1:])) and fits(e.args[0], inner) and is_vector(e.args[0], scene)
            case "sum" | "over":
                return integer(e.args[0]) and integer(e.args[1]) and fits(e.args[2], inner | {e.name})
            case "if":
                return all(map(integer, e.args[0].args)) and all(fits(a, inner) for a in e.args[1:])
            case "softmax":
                return is_vector(e.args[0], scene) and fits(e.args[0], inner)
            case "var":
                return True
            case "list" if any(is_vector(a, scene) for a in e.args):
                return False
        return all(fits(a, inner) for a in e.args)

    return fits(e, frozenset())


# ---- hypotheses ------------------------------------------------------------------------------------------------------


def conditions(e: Expr, binders: Binders = ()) -> Iterator[tuple[Expr, Binders]]:
    """What would give every part of an expression a value, as it is typed."""
    match e.op:
        case "/":
            yield from ((c, binders) for c in _nonzero(e.args[1]))
        case "^" if e.args[1].op != "num":
            yield from ((c, binders) for c in _nonzero(e.args[0]))
        case "ln":
            yield from ((c, binders) for c in _positive(e.args[0], "<"))
        case "sqrt":
            yield from ((c, binders) for c in _positive(e.args[0], "<="))
    if e.op in {"sum", "over"}:
        yield from conditions(e.args[2], (*binders, (e.name, e.args[0], e.args[1])))
        if e.op == "over":
            yield binary("<=", e.args[0], e.args[1]), binders
        return
    for a in e.args:
        yield from conditions(a, binders)


def _nonzero(e: Expr) -> list[Expr]:
    if e.op in {"*", "/"}:
        return [c for a in e.args for c in _nonzero(a)]
    if e.op in {"neg", "^"}:
        return _nonzero(e.args[0])
    if e.op in {"num", "exp", "softmax"}:
        return []
    if e.op == "-":
        return [binary("!=", *e.args)]
    return [binary("!=", e, ZERO)]


def _positive(e: Expr, op: str) -> list[Expr]:
    if e.op in {"*", "/"}:
        return [c for a in e.args for c in _positive(a, op)]
    if e.op in {"num", "exp", "softmax"} or (e.op == "^" and e.args[1] == TWO and op == "<="):
        return []
    if e.op == "^":
        return [binary("!=", e.args[0], ZERO)] if e.args[1] == TWO else _positive(e.args[0], op)
    return [binary(op, ZERO, e)]


def hypotheses(scene: Scene, lines: list[Expr]) -> list[Hypothesis]:
    """Some or all of the conditions, some of them changed, and some that nobody needs."""
    rng = scene.rng
    keep = rng.choice([0.0, 0.5, 0.85, 1.0, 1.0, 1.0])
    found: list[Hypothesis] = []
    for line in lines:
        for condition, binders in conditions(line):
            if rng.random() >= keep or not any(part.op == "var" for part in condition.walk()):
                continue
            if any(is_vector(a, scene) for a in condition.args):
                h = _for_entries(scene, condition)
            else:
                needed = [b for b in binders if free(condition, b[0])]
                h = Hypothesis(condition, tuple(Declaration(n, "index", (high,)) for n, _, high in needed))
                ends = [part for _, low, high in needed for part in (*low.walk(), *high.walk())]
                bounds = {part.name for part in ends if part.op == "var"}
                if bounds & {b for b, _, _ in binders} - {b for b, _, _ in needed}:
                    continue
            if h is None or size(h.relation) > 14 or h in found:
                continue
            if _outside(scene, h.relation) and rng.random() < 0.93:
                continue
            if rng.random() < 0.04:
                h = _weakened(scene, h)
            found.append(h)
            if len(found) >= 7:
                return found
    while rng.random() < 0.15:
        found.append(_free_hypothesis(scene))
    rng.shuffle(found)
    return found


def _outside(scene: Scene, e: Expr) -> bool:
    """Whether there is an entry just outside of its tensor, so that nothing could give it a value."""
    for part in e.walk():
        if part.op == "entry" and part.args[0].op == "var":
            name = part.args[0].name
            dims = (scene.vectors[name],) if name in scene.vectors else scene.matrices[name]
            for index, dim in zip(part.args[1:], dims, strict=True):
                if index in {ZERO, plus(dim, ONE)} or (dim.op == index.op == "num" and index.value > dim.value):
                    return True
    return False


def _for_entries(scene: Scene, condition: Expr) -> Hypothesis | None:
    names = [p.name for p in condition.walk() if p.op == "var" and p.name in scene.vectors]
    if not names:
        return None
    j = scene.bound()
    sides = (_entry_of(a, var(j), scene) for a in condition.args)
    return Hypothesis(binary(condition.op, *sides), (Declaration(j, "index", (scene.vectors[names[0]],)),))


def _weakened(scene: Scene, h: Hypothesis) -> Hypothesis:
    op, (a, b) = h.relation.op, h.relation.args
    if h.binders and scene.chance(0.5):
        d = h.binders[0]
        return Hypothesis(h.relation, (Declaration(d.name, d.sort, (minus(d.dims[0], ONE),)), *h.binders[1:]))
    if op == "<":
        return Hypothesis(binary(scene.rng.choice(["<=", "!="]), a, b), h.binders)
    return Hypothesis(binary(op, b, a), h.binders) if op != "<=" else Hypothesis(binary("!=", a, b), h.binders)


def _free_hypothesis(scene: Scene) -> Hypothesis:
    rng = scene.rng
    if scene.vectors and scene.chance(0.5):
        name = rng.choice(list(scene.vectors))
        j = scene.bound()
        bound = Declaration(j, "index", (scene.vectors[name],))
        z = entry(var(name), var(j))
        others = [v for v, d in scene.vectors.items() if d == scene.vectors[name] and v != name]
        if others and scene.chance(0.5):
            return Hypothesis(binary("=", z, entry(var(others[0]), var(j))), (bound,))
        signs = [binary("!=", z, ZERO), binary("<", ZERO, z), binary("<=", z, ONE)]
        return Hypothesis(rng.choice([*signs, binary("=", z, scene.scalar_name())]), (bound,))
    whole = scene.sizes + scene.integers + list(scene.indices)
    if whole and scene.chance(0.4):
        k = var(rng.choice(whole))
        bounds = [binary("<=", TWO, k), binary("!=", k, ONE), binary("<", k, num(3)), binary("=", k, TWO)]
        return Hypothesis(rng.choice(bounds))
    x, y = scene.scalar_name(), scene.atom(())
    options = [
        binary("=", x, y), binary("!=", x, y), binary("<", x, y), binary("<=", ZERO, x), binary("<", ONE, x),
        binary("=", times(x, y), ONE), binary("=", x, over(ONE, y)), binary("!=", plus(x, y), ZERO),
        binary("=", plus(x, y), ONE), binary("<", x, ZERO), binary("=", call("exp", x), y), binary("<=", x, y),
    ]  # fmt: skip
    return Hypothesis(rng.choice(options))


# ---- whole derivations -----------------------------------------------------------------------------------------------


def scene_of(rng: random.Random) -> Scene:
    scene = Scene(rng)
    kind = rng.choice(["numbers"] * 3 + ["vector"] * 4 + ["neighbours", "matrix", "fixed", "fixed", "integers"])
    scene.reals = rng.sample(["x", "y", "a", "b", "c"], rng.choice([1, 2, 2, 3]))
    if rng.random() < 0.3:
        scene.positives = ["p"]
    if kind in {"vector", "neighbours", "matrix"}:
        scene.sizes = ["n"]
    if kind == "vector":
        scene.vectors = {"z": N} | ({"w": N} if rng.random() < 0.5 else {})
    if kind == "neighbours":
        shorter = rng.choice([minus(N, ONE), plus(N, ONE), minus(N, TWO), times(TWO, N)])
        scene.vectors = {"z": N, "u": shorter}
        if rng.random() < 0.5:
            scene.indices["h"] = rng.choice([minus(N, ONE), plus(N, ONE), minus(N, TWO)])
    if kind == "matrix":
        scene.sizes = ["n", "m"]
        scene.matrices = {"A": (N, var("m"))}
        if rng.random() < 0.5:
            scene.vectors = {"z": N}
    if kind == "fixed":
        scene.vectors = {"z": num(rng.choice([1, 2, 3]))}
    if kind == "integers":
        scene.sizes, scene.integers = ["n"], ["v"]
    if scene.sizes and rng.random() < 0.7:
        scene.indices["i"] = N
    if scene.sizes and rng.random() < 0.1:
        scene.indices["t"] = minus(N, ONE)
    if kind == "fixed" and rng.random() < 0.5:
        scene.indices["i"] = scene.vectors["z"]
    return scene


STARTS: tuple[str, ...] = ("any", "any", "any", "softmax", "quotient", "sum", "vector")


def start(scene: Scene) -> Expr:
    rng = scene.rng
    kind = rng.choice(STARTS)
    names = list(scene.vectors)
    if kind == "softmax" and names:
        name = rng.choice(names)
        whole = call("softmax", scene.vector(name, rng.choice([0, 1, 1, 2])))
        return entry(whole, scene.index(scene.vectors[name], ()))
    if kind == "vector" and names and rng.random() < 0.6:
        return scene.vector(rng.choice(names), 2)
    if kind == "sum" and (names or scene.sizes):
        low, high = scene.range()
        j = scene.bound()
        return summed(j, low, high, scene.scalar(2, ((j, low, high),)))
    if kind == "quotient":
        return over(scene.scalar(2), scene.scalar(1))
    return scene.scalar(rng.choice([1, 2, 2, 3]))


def _below(scene: Scene, e: Expr) -> Expr:
    """Something that is mostly at least as large."""
    a = scene.scalar(1)
    more = [power(a, TWO), call("exp", a), ONE, a, call("sqrt", a)]
    return scene.rng.choice([call("max", e, a), *(plus(e, term) for term in more)])


def generated(seed: int | str) -> Problem:
    """The derivation of a seed."""
    rng = random.Random(f"meaning {seed}")
    while True:
        scene = scene_of(rng)
        first = start(scene)
        if size(first) > 30 or not plausible(first, scene):
            continue
        ordered = rng.random() < 0.1 and not is_vector(first, scene)
        lines: list[tuple[str, Expr]] = [("", first)]
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            e = lines[-1][1]
            op = "="
            if ordered and rng.random() < 0.6:
                new: Expr | None = _below(scene, e)
                op = rng.choice(["<=", "<="]) if rng.random() < 0.7 else "<"
                if new is not None and (size(new) > MAX_SIZE or not plausible(new, scene)):
                    new = None
            else:
                new = rewritten(scene, e, WRONG if rng.random() < 0.12 else RIGHT)
                if new is not None and rng.random() < 0.3:
                    new = rewritten(scene, new, RIGHT) or new
            if new is None:
                break
            lines.append((op, new))
        if len(lines) < 2:
            continue
        left, right_ = lines[0][1], lines[-1][1]
        if rng.random() < 0.25:
            left = rewritten(scene, left, RIGHT) or left
        if rng.random() < 0.25:
            right_ = rewritten(scene, right_, RIGHT) or right_
        if rng.random() < 0.06:
            right_ = rewritten(scene, right_, WRONG) or right_
        ops = {op for op, _ in lines[1:]}
        op = "<" if "<" in ops else "<=" if "<=" in ops else "="
        if ordered and rng.random() < 0.1:
            op = rng.choice(["<", "<=", "="])
        claim = binary(op, left, right_)
        supposed = hypotheses(scene, [e for _, e in lines] + [left, right_])
        written = [claim, *(e for _, e in lines), *(h.relation for h in supposed)]
        used = {part.name for e in written for part in e.walk()}
        used |= {p.name for h in supposed for d in h.binders for e in d.dims for p in e.walk()}
        declared = [d for d in scene.declarations() if d.name in used or rng.random() < 0.12]
        needed = {p.name for d in declared for e in d.dims for p in e.walk() if p.op == "var"}
        declared = [d for d in scene.declarations() if d in declared or d.name in needed]
        return Problem(tuple(declared), tuple(supposed), claim, tuple(lines))


__all__ = ["Fraction", "Scene", "generated", "scene_of"]
