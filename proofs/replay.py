"""A second verifier: reads a flat certificate and decides on its own whether it proves what it claims.

It knows nothing of the program that wrote the certificate and imports nothing of it: its terms, its arithmetic
and its table of axioms were written anew. The format stands in the docstring of `proofs.certificate`; what
every line means is this.

A *term* is the number of a node in a store, where equal nodes are one node. Sorts are integer, real and
proposition; a tensor of rank r is a total function of r integers with real values; bound indices are nameless.
Where an integer must stand (an index, the end of a range, an exponent, a condition) its sort is computed anew.
``a / b`` is ``a * inv(b)``; ``inv(0)``, the root of a negative number, the logarithm of what is not positive and
a negative power of 0 are numbers of which nothing is known; so is the maximum over an
empty range, which is an integer where its body is.

A *step* is a sequent, hypotheses and a conclusion, computed from earlier steps by one of 18 rules. A *claim*
names a step and says what it proves. `replay` returns the claims; `difference` compares one with what was asked.

What is refused raises `ReplayError` with the number of the line and a sentence that says what was found and
what was expected. Sizes are limited, so that a hostile file gives an error and never a crash.

    python -m proofs.replay CERTIFICATE

prints each claim with its hypotheses, its conclusion and every definition that they use.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial, reduce
from math import gcd, isqrt, log
from pathlib import Path
from typing import Any, NamedTuple

MAX_LINES, MAX_LINE = 2_000_000, 1_000_000  # lines of a file, characters of a line
MAX_NODES, MAX_DEPTH, MAX_RANK = 20_000, 120, 16  # of a term, its nodes counted as a tree
MAX_UNFOLDED = 200_000  # nodes visited by one unfolding
MAX_WORK, WORK_A_CHARACTER = 8_000_000, 40  # visits of nodes, and products of numbers of 1,000 bits, in all of a file
MAX_MONOMIALS = 4_000  # of a polynomial
MAX_EXPONENT, MAX_COEFFICIENT = 100_000, 40_000  # the latter in bits
MAX_PRECISION, MAX_NUMBER = 4_000, 2_000_000  # bits asked for, bits of a number

RELATIONS = NEGATIONS = {"eq": "ne", "ne": "eq", "le": "lt", "lt": "le"}
BINDERS, TENSORS = ("sum", "maxof", "forall"), "ABCDEFGHIJKLMNOP"
INTEGRAL = ("bound", "add", "mul", "neg", "max", "if", "sum", "maxof", "pow")  # integers where their numbers are
# The kinds of terms: i an integer, r another number, p a proposition, A B C ... a tensor of rank 1 2 3 ...
SIGNATURES = {op: re.compile(kinds) for op, kinds in {
    "bound": "", "add": "[ir]{2,}", "mul": "[ir]{2,}", "neg": "[ir]", "div": "[ir]{2}", "pow": "[ir]i", "sqrt": "[ir]",
    "exp": "[ir]", "ln": "[ir]", "max": "[ir]{2}", "lam": "[ir]", "sum": "ii[ir]", "maxof": "ii[ir]", "forall": "iip",
    "if": "p[ir]{2}", "eq": r"[ir]{2}|([A-P])\1", "le": "[ir]{2}", "lt": "[ir]{2}", "ne": "[ir]{2}",
    "num": "", "var": "", "entry": "[A-P]i+", "app": ".*",
}.items()}  # fmt: skip

Term = int
STRING, COMMAS = r'"(?:[^"\\]|\\.)*"', r'(?<=["\]])\s+(?=["\[])'
Sequent = tuple[frozenset[Term], Term]


class ReplayError(ValueError):
    """A certificate that does not prove what it claims, or can't be read: the line, and a sentence."""


# --- terms -------------------------------------------------------------------------------------------------


class Node(NamedTuple):
    op: str
    args: tuple[Term, ...]
    data: Any
    kind: str
    loose: int  # how many binders are missing around it
    size: int  # as a tree
    depth: int
    free: frozenset[Term]
    live: bool  # whether there may be something to unfold


class Store:
    """All terms and definitions of one certificate."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.known: dict[tuple[str, tuple[Term, ...], Any], Term] = {}
        self.row = cache(partial(row, self))
        self.meanings: list[tuple[str, tuple[Term, ...], Term, str]] = []  # name, parameters, body, digest
        self.work, self.allowed = 0, MAX_WORK

    def need(self, condition: object, sentence: str, *terms: Term) -> None:
        """Refuse, with the terms written into the sentence, unless the condition holds."""
        if not condition:
            raise ReplayError(reduce(lambda said, t: said.replace("%s", self.text(t)[:300], 1), terms, sentence))

    def spend(self, work: int) -> None:
        """Count work before it is done; refuse what is over the limit for the whole certificate."""
        self.work += work
        if self.work > self.allowed:
            raise ReplayError(f"more work is needed than the {self.allowed} units that a file of this length may take")

    def make(self, op: str, *args: Term, data: Any = None) -> Term:
        """The node ``op(args)``; sorts and sizes are checked when it is met for the first time."""
        key = (op, args, data)
        self.spend(1 + len(args))
        if key in self.known:
            return self.known[key]
        nodes = [self.nodes[a] for a in args]
        kind = self.kind(op, args, data)
        size, depth, live = 1, 1, op == "app" or (op == "entry" and nodes[0].op == "lam")
        loose, free = data + 1 if op == "bound" else 0, frozenset((len(self.nodes),) if op == "var" else ())
        for k, n in enumerate(nodes, 1):
            size, depth, live = size + n.size, n.depth + 1 if n.depth >= depth else depth, live or n.live
            here, free = n.loose - binds(op, data) * (k == len(nodes)), free | n.free if free else n.free
            loose = max(loose, here)
        if size > MAX_NODES or depth > MAX_DEPTH:
            raise ReplayError(f"{size} nodes and {depth} levels, where {MAX_NODES} and {MAX_DEPTH} are allowed")
        self.spend(8 + len(free))
        self.nodes.append(Node(op, args, data, kind, loose, size, depth, free, live))
        return self.known.setdefault(key, len(self.nodes) - 1)

    def kinds(self, terms: Iterable[Term]) -> str:
        return "".join([self.nodes[t].kind for t in terms])

    def kind(self, op: str, args: Sequence[Term], data: Any) -> str:
        """The kind of ``op(args)``; refuses arguments that don't fit."""
        kinds = self.kinds(args)
        self.need(SIGNATURES[op].fullmatch(kinds), f"{op} is given arguments of the kinds {kinds!r}")
        if op == "num":
            return "i" if data[1] == 1 else "r"
        if op == "var":
            return "i" if data[1] == "integer" else ("r" + TENSORS)[data[2]]
        if op == "app":
            wanted = self.kinds(self.meanings[data][1]).replace("r", "[ir]")
            self.need(re.fullmatch(wanted, kinds), f"{self.meanings[data][0]!r} is given {kinds!r}, not {wanted}")
            return self.kinds(self.meanings[data][2:3])
        if op == "entry":
            self.need(TENSORS.index(kinds[0]) == len(args) - 2, f"{len(args) - 1} indices do not fit %s", args[0])
        if op == "if":
            relation, sides = self.nodes[args[0]][:2]
            self.need(relation in RELATIONS and self.kinds(sides) == "ii", "%s decides no 'if'", args[0])
            kinds = kinds[1:]
        if op in RELATIONS or op == "forall":
            return "p"
        if op == "pow" and (self.nodes[args[1]].op != "num" or self.nodes[args[1]].data[0] < 1):
            return "r"
        return TENSORS[data - 1] if op == "lam" else "i" if op in INTEGRAL and "r" not in kinds else "r"

    def fits(self, v: Term, t: Term) -> None:
        """Refuse a term that can't be the value of this variable."""
        needed, kind = self.nodes[v].kind, self.nodes[t].kind
        fit = self.nodes[v].op == "var" and kind in (needed, needed.replace("r", "i"))
        self.need(fit, f"%s, a {kind}, is given for %s, which is no variable for a {kind}", t, v)

    def number(self, n: int) -> Term:
        return self.make("num", data=(n, 1))

    def negation(self, p: Term) -> Term:
        """The relation that holds where `p` fails."""
        op, args = self.nodes[p][:2]
        self.need(op in RELATIONS and self.kinds(args).islower(), "%s has no negation", p)
        return self.make(NEGATIONS[op], *(args if op in ("eq", "ne") else args[::-1]))

    def put(self, t: Term, free: Mapping[Term, Term], values: Sequence[Term] = (), up: int = 0) -> Term:
        """`t` with terms for variables, `values` for the innermost loose indices, and the other ones raised."""
        done: dict[tuple[Term, int], Term] = {}
        nodes, some = self.nodes, bool(values or up)

        def go(u: Term, level: int) -> Term:
            self.spend(1 + len(free))
            n = nodes[u]
            if (u, level) in done or ((n.loose <= level or not some) and n.free.isdisjoint(free)):
                return done.get((u, level), u)
            if n.op == "var":
                new = self.put(free[u], {}, (), level) if level and nodes[free[u]].loose else free[u]
            elif n.op == "bound" and n.data - level < len(values):
                new = self.put(values[level - n.data - 1], {}, (), level)
            elif n.op == "bound":
                new = self.make("bound", data=n.data - len(values) + up)
            else:
                levels = [level] * (len(n.args) - 1) + [level + binds(n.op, n.data)]
                new = self.make(n.op, *map(go, n.args, levels), data=n.data)
            return done.setdefault((u, level), new)

        return go(t, 0)

    def close(self, t: Term, variables: Sequence[Term]) -> Term:
        """The body of a binder of these variables, the first outermost; `t` has no loose index."""
        return self.put(t, {v: self.make("bound", data=k) for k, v in enumerate(reversed(variables))})

    def unfold(self, t: Term, names: Sequence[str] = ()) -> Term:
        """Definitions of these names replaced by their bodies, and entries of comprehensions read."""
        done: dict[Term, Term] = {}

        def go(u: Term) -> Term:
            self.spend(1)
            if u in done or not self.nodes[u].live:
                return done.get(u, u)
            op, args, data = self.nodes[u][:3]
            args = tuple(map(go, args))
            new = self.make(op, *args, data=data)
            self.need(len(done) < MAX_UNFOLDED, f"unfolding visits more than {MAX_UNFOLDED} nodes")
            if op == "app" and self.meanings[data][0] in names:
                _, parameters, body, _ = self.meanings[data]
                new = go(self.put(body, dict(zip(parameters, args, strict=True))))
            elif op == "entry" and self.nodes[args[0]].op == "lam":
                new = go(self.put(self.nodes[args[0]].args[0], {}, args[1:]))
            return done.setdefault(u, new)

        return go(t)

    def canonical(self, t: Term) -> str:
        """An S-expression, the same exactly for the same term: bound indices nameless, definitions with a digest."""
        op, args, data = self.nodes[t][:3]
        if op in ("num", "bound"):
            return f"#{data}" if op == "bound" else f"{data[0]}/{data[1]}"
        said = [str(data)] if op == "lam" else [json.dumps(data[0]), *map(str, data[1:])] if op == "var" else []
        said += [json.dumps(self.meanings[data][0]), self.meanings[data][3]] if op == "app" else []
        return f"({' '.join([op, *said, *map(self.canonical, args)])})"

    def text(self, t: Term) -> str:
        """The same for people: plain names without quotes, variables as x:real or z:real[2], no digests."""
        tags = rf"\((?:var ({STRING}) (\w+) (\d+)\)|app ({STRING}) [0-9a-f]{{64}})|(\d)/1\b"

        def said(m: re.Match[str]) -> str:
            return m[5] or (f"{m[1]}:{m[2]}" + f"[{m[3]}]" * (m[3] != "0") if m[1] else f"({m[4]}")

        plain = re.sub(tags, said, self.canonical(t))
        return re.sub(STRING, lambda m: bare(m[0]), plain)

    def define(self, title: str, parameters: tuple[Term, ...], body: Term, implicit: int) -> int:
        """The place of a definition; two of one name must say the same."""
        distinct = all(self.nodes[p].op == "var" for p in parameters) and len(set(parameters)) == len(parameters)
        closed = not self.nodes[body].loose and self.nodes[body].free <= set(parameters)
        self.need(distinct and closed, f"{title!r} is defined as %s, not of distinct variables, all of them", body)
        self.spend(4 * sum(self.nodes[t].size for t in (*parameters, body)) + len(self.meanings))
        said = " ".join([json.dumps(title), str(implicit), *map(self.canonical, (*parameters, body))])
        digest = hashlib.sha256(said.encode()).hexdigest()
        for k, (known, _, old, same) in enumerate(self.meanings):
            if known == title:
                self.need(digest == same, f"{title!r} is defined as %s, and was as %s", body, old)
                return k
        self.meanings.append((title, parameters, body, digest))
        return len(self.meanings) - 1


def bare(quoted: str) -> str:
    """A name without its quotes, where it can't be taken for anything but a name."""
    plain = quoted[1:-1].isidentifier() and quoted[1:-1] not in SIGNATURES
    return quoted[1:-1] if plain else quoted


def binds(op: str, data: Any) -> int:
    """How many indices are bound in the last argument."""
    return 1 if op in BINDERS else int(data) if op == "lam" else 0


# --- rational functions ------------------------------------------------------------------------------------
# A monomial is one integer, with the exponent of atom k in its bits from 64 k on: monomials are multiplied
# by adding, and their order as integers is lexicographic. A polynomial has integer coefficients. A fraction is a
# numerator and a denominator that is known not to be zero; two are equal if they are crosswise.

FIELD = (1 << 64) - 1
Poly = dict[int, int]
Fractional = tuple[Poly, Poly]
ONE: Poly = {0: 1}


class Ring:
    """Terms as fractions over atoms. A reciprocal of what may be zero is an atom, and so is any other operation."""

    def __init__(self, store: Store) -> None:
        self.store, self.guard, self.units = store, 0, 0
        self.atoms: dict[Term, int] = {}
        self.nonzero: list[Poly] = []

    def value(self, t: Term) -> Fractional:
        self.store.spend(10)
        op, args, data = self.store.nodes[t][:3]
        if op == "num":
            return ({0: data[0]} if data[0] else {}), {0: data[1]}
        if op == "neg":
            return self.times(self.value(args[0]), ({0: -1}, ONE))
        if op in ("add", "mul"):
            return reduce(self.plus if op == "add" else self.times, map(self.value, args))
        if op == "div":
            inverse = self.inverse(args[1]) or self.atom(self.store.make("div", self.store.number(1), args[1]))
            return self.times(self.value(args[0]), inverse)
        if op == "pow" and self.store.nodes[args[1]].op == "num":
            exponent = self.store.nodes[args[1]].data[0]
            base = self.value(args[0]) if exponent >= 0 else self.inverse(args[0])
            self.store.need(abs(exponent) <= MAX_EXPONENT, f"the exponent {exponent} is over {MAX_EXPONENT}")
            return power(self.times, base, abs(exponent), (ONE, ONE)) if base else self.atom(t)
        return self.atom(t)

    def atom(self, t: Term) -> Fractional:
        self.guard |= 1 << self.atoms.setdefault(t, 64 * len(self.atoms)) + 63
        return {1 << self.atoms[t]: 1}, ONE

    def mix(self, p: Poly, q: Poly, factor: int = 1, monomial: int = 0) -> Poly:
        """Adds to `p` a multiple of `q`."""
        self.store.spend(len(q))
        for m, a in q.items():
            p[m + monomial] = p.get(m + monomial, 0) + factor * a
            if not p[m + monomial]:
                del p[m + monomial]
        self.store.need(len(p) <= MAX_MONOMIALS, "a polynomial is too large")
        return p

    def product(self, p: Poly, q: Poly) -> Poly:
        if ONE in (p, q):
            return dict(q if p == ONE else p)
        r: Poly = {}
        self.store.spend(len(p) * len(q) * (longest(p) * longest(q) >> 20 | self.guard.bit_length() >> 12))
        for m, a in p.items():
            self.mix(r, q, a, m)
        fair = all(not m & self.guard and a.bit_length() <= MAX_COEFFICIENT for m, a in r.items())
        self.store.need(fair, f"a degree, or a coefficient over {MAX_COEFFICIENT} bits, is too large")
        return r

    def plus(self, x: Fractional, y: Fractional) -> Fractional:
        (n, d), (m, e) = x, y
        if d == e:
            return self.mix(dict(n), m), d
        return self.mix(self.product(n, e), self.product(m, d)), self.product(d, e)

    def times(self, x: Fractional, y: Fractional) -> Fractional:
        return self.product(x[0], y[0]), self.product(x[1], y[1])

    def inverse(self, t: Term) -> Fractional | None:
        """``1 / t``, where `t` is known not to be zero: a product of such terms, or a numeral times one, or atoms."""
        op, args = self.store.nodes[t][:2]
        if op == "mul" and None not in (parts := [self.inverse(a) for a in args]):
            return reduce(self.times, parts)  # type: ignore[arg-type]
        n, d = self.value(t)
        return (d, n) if self.primitive(n) in (ONE, *map(self.primitive, self.nonzero)) else None

    def assume(self, t: Term) -> None:
        """From here on `t` is not zero, nor, if it is a product of atoms, one of these."""
        n, _ = self.value(t)
        self.nonzero += [n] if n else []
        self.units |= sum(FIELD << k for k in self.atoms.values() if len(n) == 1 and max(n) & FIELD << k)

    def primitive(self, n: Poly) -> Poly:
        """`n` without its numeral factor and without factors that are not zero, its first coefficient positive."""
        self.store.spend(len(n) * (1 + (longest(n) ** 2 >> 20) + (self.units.bit_length() ** 2 >> 18)))
        content = gcd(*n.values()) if n and n[max(n)] > 0 else -gcd(*n.values())
        units = sum(min(m & FIELD << k for m in n) for k in self.atoms.values() if n and self.units >> k & 1)
        return {m - units: a // content for m, a in n.items()}

    def gap(self, s: Term, t: Term) -> Fractional:
        """``t - s``."""
        self.store.need(self.store.kinds((s, t)).islower(), "%s and %s are not both numbers", s, t)
        return self.plus(self.value(t), self.times(self.value(s), ({0: -1}, ONE)))


def longest(p: Poly) -> int:
    """The bits of the longest coefficient."""
    return max(map(int.bit_length, p.values()), default=0)


def power(times: Any, x: Any, n: int, one: Any) -> Any:
    """The product of n factors x, by squaring."""
    for bit in f"{n:b}":
        one = times(times(one, one), x) if bit == "1" else times(one, one)
    return one


# --- numbers -----------------------------------------------------------------------------------------------
# A closed number x is enclosed by integers: lo <= x * 2^w <= hi.


class Numbers:
    """Enclosures of closed terms in units of 2^-w."""

    def __init__(self, store: Store, w: int) -> None:
        self.store, self.w = store, w

    def value(self, t: Term) -> tuple[int, int]:
        self.spend(self.w)
        op, args, data = self.store.nodes[t][:3]
        if op == "num":
            return (data[0] << self.w) // data[1], up(data[0] << self.w, data[1])
        if op == "pow":
            n, _ = self.store.nodes[args[1]].data if self.store.nodes[args[1]].op == "num" else (sys.maxsize, 1)
            self.store.need(abs(n) <= MAX_EXPONENT, "%s has no numeral, or one too large, above", t)
            base = self.value(args[0]) if n >= 0 else self.inverse(self.value(args[0]))
            return self.times((1 << self.w,) * 2, power(self.times, base, abs(n), (1 << self.w,) * 2))
        self.store.need(op in ("add", "mul", "neg", "div", "max", "sqrt", "exp", "ln"), "%s is no closed number", t)
        (lo, hi), *others = xs = [self.value(a) for a in args]
        if op == "neg":
            return -hi, -lo
        if op in ("sqrt", "exp", "ln"):
            self.store.need(lo >= (op == "ln") or op == "exp", "%s is not shown to lie where %s is defined", args[0], t)
            f = {"sqrt": self.sqrt, "exp": self.exp, "ln": self.ln}[op]
            below = f(lo)
            return below[0], (below if lo == hi else f(hi))[1]
        if op in ("mul", "div"):
            return reduce(self.times, xs if op == "mul" else [(lo, hi), self.inverse(*others)])
        lows, highs = zip(*xs, strict=True)
        return (sum(lows), sum(highs)) if op == "add" else (max(lows), max(highs))

    def spend(self, *bits: int) -> None:
        """Count a product of two numbers of so many bits, or a quotient or root with as many more above."""
        self.store.spend(4 + 4 * (bits[0] * bits[-1] >> 20))

    def times(self, x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
        self.spend(max(map(int.bit_length, x)), max(map(int.bit_length, y)))
        ends = [a * b for a in x for b in y]
        long = max(map(int.bit_length, ends))
        self.store.need(long <= MAX_NUMBER, f"a number of {long} bits, where {MAX_NUMBER} are allowed")
        return min(ends) >> self.w, up(max(ends), 1 << self.w)

    def inverse(self, x: tuple[int, int]) -> tuple[int, int]:
        self.spend(2 * self.w)
        self.store.need(x[0] > 0 or x[1] < 0, "a divisor is not shown to differ from 0")
        return (1 << 2 * self.w) // x[1], up(1 << 2 * self.w, x[0])

    def sqrt(self, x: int) -> tuple[int, int]:
        self.spend(self.w + x.bit_length())
        root = isqrt(x << self.w)
        return root, root + (root * root < x << self.w)

    def exp(self, x: int) -> tuple[int, int]:
        """The series for ``x / 2^k``, and k squarings."""
        if x <= 0:
            return self.inverse(self.exp(-x)) if x else (1 << self.w, 1 << self.w)
        self.store.need(x >> self.w <= MAX_EXPONENT, "an exponential is too large to be bounded")
        k = (x >> self.w).bit_length() + isqrt(self.w)
        s = self.w + k + 20
        r, n, low, high = x << 20, 0, 1 << s, 1 << s
        lo, hi = low, high + 2  # what is left out is less than the last term
        while high > 1:
            n += 1
            self.spend(s, high.bit_length())
            low, high = (low * r >> s) // n, up(up(high * r, 1 << s), n)
            lo, hi = lo + low, hi + high
        for _ in range(k):
            self.spend(hi.bit_length())
            lo, hi = lo * lo >> s, up(hi * hi, 1 << s)
        return lo >> s - self.w, up(hi, 1 << s - self.w)

    def ln(self, x: int) -> tuple[int, int]:
        """A guess by Halley's method, and around it two numbers whose exponentials lie on both sides of x."""
        if x == 1 << self.w:
            return 0, 0
        g, width = int((log(x) - self.w * log(2)) * (1 << 40)) << self.w - 40, 16
        for _ in range(self.w.bit_length() - 4):
            self.spend(2 * self.w)
            e = self.exp(g)[1]
            g += (2 * (x - e) << self.w) // (x + e)
        while self.exp(g - width)[1] > x or self.exp(g + width)[0] < x:
            width *= 2
        return g - width, g + width


def up(p: int, q: int) -> int:
    """``p / q`` rounded up."""
    return -(-p // q)


# --- the table of axioms -----------------------------------------------------------------------------------
# Premises, then what follows. x y are reals; a b c d i j k m n integers; f g sequences, h a matrix.

TABLE = """
antisymmetry (<= x y) (<= y x) => (= x y) ; less-not-equal (< x y) => (!= x y) ; greater-not-equal (< x y) => (!= y x)
not-equal-less (<= x y) (!= x y) => (< x y) ; contradiction (= x y) (!= x y) => (<= 1 0)
product-nonnegative (<= 0 x) (<= 0 y) => (<= 0 (* x y)) ; product-positive (< 0 x) (< 0 y) => (< 0 (* x y))
product-nonzero (!= x 0) (!= y 0) => (!= (* x y) 0) ; factor-nonzero (!= (* x y) 0) => (!= x 0)
square-nonnegative => (<= 0 (* x x)) ; reciprocal-positive (< 0 x) => (< 0 (/ 1 x)) ; exp-zero => (= (exp 0) 1)
reciprocal-nonzero (!= x 0) => (!= (/ 1 x) 0) ; power-positive (< 0 x) => (< 0 (^ x n)) ; exp-positive => (< 0 (exp x))
power-nonzero (!= x 0) => (!= (^ x n) 0) ; power-sum (!= x 0) => (= (^ x (+ m n)) (* (^ x m) (^ x n)))
power-sum-nonnegative (<= 0 m) (<= 0 n) => (= (^ x (+ m n)) (* (^ x m) (^ x n))) ; exp-tangent => (<= (+ 1 x) (exp x))
power-power (!= x 0) => (= (^ x (* m n)) (^ (^ x m) n)) ; exp-sum => (= (exp (+ x y)) (* (exp x) (exp y)))
power-product (!= x 0) (!= y 0) => (= (^ (* x y) n) (* (^ x n) (^ y n))) ; exp-increasing (< x y) => (< (exp x) (exp y))
exp-multiple => (= (exp (* n x)) (^ (exp x) n)) ; exp-ln (< 0 x) => (= (exp (ln x)) x) ; ln-exp => (= (ln (exp x)) x)
ln-product (< 0 x) (< 0 y) => (= (ln (* x y)) (+ (ln x) (ln y))) ; ln-power (< 0 x) => (= (ln (^ x n)) (* n (ln x)))
ln-increasing (< 0 x) (< x y) => (< (ln x) (ln y)) ; root-squared (<= 0 x) => (= (* (sqrt x) (sqrt x)) x)
root-nonnegative (<= 0 x) => (<= 0 (sqrt x)) ; root-positive (< 0 x) => (< 0 (sqrt x))
root-of-square (<= 0 x) => (= (sqrt (* x x)) x) ; root-increasing (<= 0 x) (< x y) => (< (sqrt x) (sqrt y))
root-product (<= 0 x) (<= 0 y) => (= (sqrt (* x y)) (* (sqrt x) (sqrt y))) ; max-left (<= y x) => (= (max x y) x)
max-right (<= x y) => (= (max x y) y) ; max-member (<= a k) (<= k b) => (<= (f k) (maxof i a b (f i)))
max-least (<= a b) (forall i a b (<= (f i) x)) => (<= (maxof i a b (f i)) x) ; sum-one => (= (sum i a a (f i)) (f a))
sum-add => (= (sum i a b (+ (f i) (g i))) (+ (sum i a b (f i)) (sum i a b (g i))))
sum-factor => (= (sum i a b (* x (f i))) (* x (sum i a b (f i)))) ; sum-empty (< b a) => (= (sum i a b (f i)) 0)
sum-constant (<= a (+ b 1)) => (= (sum i a b x) (* (+ b (- a) 1) x))
sum-split (<= a (+ m 1)) (<= m b) => (= (sum i a b (f i)) (+ (sum i a m (f i)) (sum i (+ m 1) b (f i))))
sum-shift => (= (sum i a b (f i)) (sum i (+ a k) (+ b k) (f (+ i (- k)))))
sum-reverse => (= (sum i a b (f i)) (sum i a b (f (+ a b (- i)))))
sum-swap => (= (sum i a b (sum j c d (h i j))) (sum j c d (sum i a b (h i j))))
sum-monotone (forall i a b (<= (f i) (g i))) => (<= (sum i a b (f i)) (sum i a b (g i)))
sum-positive (<= a b) (forall i a b (< 0 (f i))) => (< 0 (sum i a b (f i)))
sum-member (forall i a b (<= 0 (f i))) (<= a k) (<= k b) => (<= (f k) (sum i a b (f i)))
"""
ROWS = dict(line.split(maxsplit=1) for line in re.split(r"[;\n]", TABLE) if line)
SYMBOLS = {"+": "add", "*": "mul", "/": "div", "^": "pow", "-": "neg", "=": "eq", "<=": "le", "<": "lt", "!=": "ne"}


def row(store: Store, title: str) -> tuple[list[Term], Term, dict[str, Term]]:
    """The premises and the conclusion of a row of the table, and its variables by name."""

    def build(x: Any) -> Term:
        if isinstance(x, str):
            sort = ("real", "xyfgh".index(x) // 2) if x in "xyfgh" else ("integer", 0)
            return store.number(int(x)) if x.isdigit() else store.make("var", data=(x, *sort))
        head, *args = x[0], *map(build, x[1:])
        if head in BINDERS:
            return store.make(head, *args[1:3], store.close(args[3], args[:1]))
        return store.make("entry", build(head), *args) if head in "fgh" else store.make(SYMBOLS.get(head, head), *args)

    listed = re.sub(r"[^\s()]+", r'"\g<0>"', ROWS[title].replace("=>", "")).replace("(", "[").replace(")", "]")
    *premises, conclusion = map(build, json.loads(f"[{re.sub(COMMAS, ',', listed.strip())}]"))
    free = frozenset().union(*(store.nodes[p].free for p in (*premises, conclusion)))
    return premises, conclusion, {store.nodes[v].data[0]: v for v in free}


# --- the rules ---------------------------------------------------------------------------------------------


class Given(NamedTuple):
    premises: list[Sequent]
    hypotheses: frozenset[Term]  # of all premises
    terms: list[Term]
    numbers: list[tuple[int, int]]
    texts: list[str]


SHAPES = {rule: re.compile(kinds) for rule, kinds in {  # P a premise, T a term, N a number, X a text
    "assume": "T", "cut": "PP", "congruence": "P*TN*", "under": "PTT*", "branch": "PPT", "choose": "PT", "cases": "PPT",
    "relate": "PP*N*", "absurd": "PT", "specialise": "P(TT)*", "generalise": "PTTT", "at": "PPPT", "induction": "PPTTT",
    "definition": "TX*", "ring": "P*TT", "linear": "P*TN*", "bound": "TN", "axiom": "P*X(XT)*",
}.items()}  # fmt: skip


class Rules(Store):
    """One method for each rule, called as in the certificate: from what is given to the sequent that follows."""

    def infer(self, rule: str, kinds: str, given: Given) -> Sequent:
        self.need(rule in SHAPES and SHAPES[rule].fullmatch(kinds), f"the rule {rule!r} can't be given {kinds}")
        for t in given.terms:
            self.need(not self.nodes[t].loose, "%s has an index that is not bound", t)
        hypotheses, conclusion = getattr(self, rule)(given)
        return hypotheses, conclusion

    def sides(self, p: Term, *ops: str) -> tuple[Term, ...]:
        self.need(self.nodes[p].op in ops, f"%s is none of {', '.join(ops)}", p)
        return self.nodes[p].args

    def same(self, found: Term, needed: Term) -> None:
        self.need(found == needed, "%s is found, where %s is needed", found, needed)

    def arbitrary(self, variables: Sequence[Term], *where: Term) -> None:
        """Each is an integer variable, and free in none of these terms."""
        for v in variables:
            self.need(self.nodes[v].op == "var" and self.nodes[v].kind == "i", "%s is no integer variable", v)
            for t in where:
                self.need(v not in self.nodes[t].free, "%s is free in %s, and not arbitrary", v, t)

    def rewritten(self, args: Sequence[Term], given: Given, equations: Sequence[Sequent]) -> list[Term]:
        """The arguments, with those at the numbers given replaced by the right sides of the equations."""
        self.need(len(given.numbers) == len(equations), f"{len(given.numbers)} places, {len(equations)} equations")
        new = list(args)
        for (k, one), (_, p) in zip(given.numbers, equations, strict=True):
            self.need(one == 1 and 0 <= k < len(args), f"{k}/{one} is none of {len(args)} places")
            left, new[k] = self.sides(p, "eq")
            self.same(left, args[k])
        return new

    def equal(self, hypotheses: frozenset[Term], s: Term, t: Term) -> Sequent:
        return hypotheses, self.make("eq", s, t)

    def assume(self, given: Given) -> Sequent:
        (p,) = given.terms
        self.need(self.nodes[p].kind == "p", "%s is no proposition", p)
        return frozenset((p,)), p

    def cut(self, given: Given) -> Sequent:
        (h, p), (k, q) = given.premises
        self.need(p in k, "%s is no hypothesis of the second premise", p)
        return h | k - {p}, q

    def congruence(self, given: Given) -> Sequent:
        op, args, data = self.nodes[given.terms[0]][:3]
        outside = args[:-1] if binds(op, data) else args
        new = self.make(op, *self.rewritten(outside, given, given.premises), *args[len(outside) :], data=data)
        return self.equal(given.hypotheses, given.terms[0], new)

    def under(self, given: Given) -> Sequent:
        ((h, p),), (t, *variables) = given.premises, given.terms
        op, args, data = self.nodes[t][:3]
        self.need(op in ("sum", "maxof", "lam"), "%s binds no index", t)
        self.need(len(set(variables)) == len(variables) == binds(op, data), f"{binds(op, data)} indices are bound")
        h -= set() if op == "lam" else {self.make("le", args[0], variables[0]), self.make("le", variables[0], args[1])}
        self.arbitrary(variables, t, *h)
        left, right = self.sides(p, "eq")
        self.same(left, self.put(args[-1], {}, variables))
        return self.equal(h, t, self.make(op, *args[:-1], self.close(right, variables), data=data))

    def branch(self, given: Given) -> Sequent:
        (h, p), (k, q), (t,) = *given.premises, given.terms
        condition, a, b = self.sides(t, "if")
        (left, then), (right, other) = self.sides(p, "eq"), self.sides(q, "eq")
        self.need((left, right) == (a, b), "%s and %s are not the branches of %s", left, right, t)
        return self.equal(h - {condition} | k - {self.negation(condition)}, t, self.make("if", condition, then, other))

    def choose(self, given: Given) -> Sequent:
        ((h, p),), (t,) = given.premises, given.terms
        condition, a, b = self.sides(t, "if")
        self.need(p in (condition, self.negation(condition)), "%s does not decide %s", p, condition)
        return self.equal(h, t, a if p == condition else b)

    def relate(self, given: Given) -> Sequent:
        (_, p), *equations = given.premises
        args = self.sides(p, *RELATIONS)
        return given.hypotheses, self.make(self.nodes[p].op, *self.rewritten(args, given, equations))

    def cases(self, given: Given) -> Sequent:
        (h, q), (k, r), (p,) = *given.premises, given.terms
        self.same(r, q)
        return h - {p} | k - {self.negation(p)}, q

    def absurd(self, given: Given) -> Sequent:
        ((h, q),), (p,) = given.premises, given.terms
        self.same(q, self.make("le", self.number(1), self.number(0)))
        return h - {self.negation(p)}, p

    def specialise(self, given: Given) -> Sequent:
        (h, p), values = given.premises[0], dict(zip(given.terms[::2], given.terms[1::2], strict=True))
        for v, t in values.items():
            self.fits(v, t)
        return frozenset(self.put(q, values) for q in h), self.put(p, values)

    def generalise(self, given: Given) -> Sequent:
        ((h, p),), (i, lo, hi) = given.premises, given.terms
        h -= {self.make("le", lo, i), self.make("le", i, hi)}
        self.arbitrary([i], lo, hi, *h)
        return h, self.make("forall", lo, hi, self.close(p, [i]))

    def at(self, given: Given) -> Sequent:
        (_, p), (_, low), (_, high) = given.premises
        (lo, hi, body), (t,) = self.sides(p, "forall"), given.terms
        inside = (low, high) == (self.make("le", lo, t), self.make("le", t, hi)) and self.nodes[t].kind == "i"
        self.need(inside, "%s and %s do not place %s in the range", low, high, t)
        return given.hypotheses, self.put(body, {}, given.terms)

    def induction(self, given: Given) -> Sequent:
        (h, base), (k, step), (p, i, lo) = *given.premises, given.terms
        start = self.make("le", lo, i)
        h |= k - {start, p}
        self.arbitrary([i], lo, *h)
        self.fits(i, lo)
        self.same(base, self.put(p, {i: lo}))
        self.same(step, self.put(p, {i: self.make("add", i, self.number(1))}))
        return h | {start}, p

    def definition(self, given: Given) -> Sequent:
        return self.equal(frozenset(), given.terms[0], self.unfold(given.terms[0], given.texts))

    def ring(self, given: Given) -> Sequent:
        (a, b), ring = given.terms, Ring(self)
        for _, p in given.premises:
            t, zero = self.sides(p, "ne")
            self.same(zero, self.number(0))
            ring.assume(t)
        self.need(not ring.gap(a, b)[0], "%s and %s differ as rational functions", a, b)
        return self.equal(given.hypotheses, a, b)

    def linear(self, given: Given) -> Sequent:
        (goal,), ring, strict = given.terms, Ring(self), False
        self.need(len(given.numbers) == len(given.premises), f"{len(given.numbers)} multipliers")
        rest = ring.gap(*self.sides(goal, "le", "lt"))
        for (k, scale), (_, p) in zip(given.numbers, given.premises, strict=True):
            gap, strictly = ring.gap(*self.sides(p, "eq", "le", "lt")), self.nodes[p].op == "lt"
            self.need(k >= 0 or self.nodes[p].op == "eq", "%s can't be multiplied by a negative number", p)
            strict = strict or (strictly and k > 0 and not self.integral(p))
            gap = ring.plus(gap, ({0: -1} if strictly and self.integral(p) else {}, ONE))
            rest = ring.plus(rest, ring.times(gap, ({0: -k} if k else {}, {0: scale})))
        whole = self.nodes[goal].op == "le" and self.integral(goal)
        left = (rest[0].get(0, 0) + whole * rest[1][0]) * rest[1][0]
        enough = left > 0 or (left == 0 and (strict or (self.nodes[goal].op == "le" and not whole)))
        self.need(enough and rest[0].keys() <= {0}, "these multiples do not suffice for %s", goal)
        return given.hypotheses, goal

    def integral(self, p: Term) -> bool:
        return self.kinds(self.nodes[p].args) == "ii"

    def bound(self, given: Given) -> Sequent:
        (goal,), ((bits, one),) = given.terms, given.numbers
        self.need(one == 1 and 0 < bits <= MAX_PRECISION, f"{bits} bits, where 1 to {MAX_PRECISION} are allowed")
        numbers = Numbers(self, 16 * bits + 1024)
        (low, high), (lo, hi) = map(numbers.value, self.sides(goal, "le", "lt", "ne"))
        apart = high < lo or (hi < low and self.nodes[goal].op == "ne")
        self.need(apart, f"%s is not seen with {bits} bits", goal)
        return frozenset(), goal

    def axiom(self, given: Given) -> Sequent:
        title, *names = given.texts
        self.need(title in ROWS, f"the table has no row {title!r}")
        premises, conclusion, variables = self.row(title)
        fair = sorted(names) == sorted(variables) and len(premises) == len(given.premises)
        self.need(fair, f"{title} needs {len(premises)} premises, and one value for each of {', '.join(variables)}")
        values = {variables[x]: t for x, t in zip(names, given.terms, strict=True)}
        for v, t in values.items():
            self.fits(v, t)
        for p, (_, found) in zip(premises, given.premises, strict=True):
            self.same(found, self.unfold(self.put(p, values)))
        return given.hypotheses, self.unfold(self.put(conclusion, values))


# --- certificates ------------------------------------------------------------------------------------------


class Proved(NamedTuple):
    """A claim that holds: hypotheses and conclusion in canonical text, and all of it in `text` for people."""

    name: str
    hypotheses: frozenset[str]
    conclusion: str
    text: str


def difference(proved: Proved, hypotheses: Iterable[str], conclusion: str) -> str | None:
    """Why `proved` does not answer what was asked, in canonical text; None if it does.

    The conclusion must be the one asked for; of the hypotheses granted it may leave some unused.
    """
    if proved.conclusion != conclusion:
        return f"{proved.name!r} concludes {proved.conclusion}, where {conclusion} was asked for"
    more = sorted(proved.hypotheses - set(hypotheses))
    return f"{proved.name!r} supposes {more[0]}, which was not granted" if more else None


class Reader(Rules):
    """The lines of one certificate, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[Any]] = {k: [] for k in ("certificate", "theorem", "step", "definition", "term")}

    def read(self, line: str) -> None:
        self.need(len(line) <= MAX_LINE, f"the line has more than {MAX_LINE} characters")
        self.allowed += WORK_A_CHARACTER * len(line)
        entry = json.loads(line, object_pairs_hook=distinct)
        kind = next((k for k in entry if k in self.tables), "") if isinstance(entry, dict) else ""
        self.need(bool(self.tables["certificate"]) != (kind == "certificate"), "there must be one header, at the top")
        numbered = kind in ("certificate", "theorem") or entry[kind] == len(self.tables[kind]) if kind else False
        match kind, entry:
            case "step", {"rule": str(rule), "premises": [*premises], "parameters": [*parameters]} if numbered:
                new: Any = self.step(rule, self.pick("step", premises), parameters)
            case "term", {"op": str(op)} if numbered:
                new = self.term(op, self.pick("term", entry.get("args", [])), entry.get("data"))
            case "definition", {"name": str(title), "parameters": [*xs], "body": t, "implicit": int(n)} if numbered:
                body, *parameters = self.pick("term", [t, *xs])
                new = self.define(title, tuple(parameters), body, int(n))
            case "theorem", {"theorem": str(title), "step": k, "hypotheses": [*hypotheses], "conclusion": t}:
                new = self.claim(title, *self.pick("step", [k]), *self.pick("term", [t, *hypotheses]))
            case "certificate", {"certificate": "derive", "version": 1}:
                new = True
            case _:
                raise ReplayError(f"{line[:80]!r} is not the next term, definition, step or theorem")
        self.tables[kind].append(new)

    def pick(self, kind: str, places: Any) -> list[Any]:
        table = self.tables[kind]
        for k in places if isinstance(places, list) else [None]:
            if type(k) is not int or not 0 <= k < len(table):
                raise ReplayError(f"{kind} {str(k)[:80]!r} is used, where {len(table)} are known")
        return [table[k] for k in places]

    def rational(self, text: Any) -> tuple[int, int]:
        plain = isinstance(text, str) and re.fullmatch(r"-?[0-9]{1,2000}(/[1-9][0-9]{0,1999})?", text)
        self.need(plain, f"{str(text)[:80]!r} is no numeral p/q with at most 2000 digits above and below")
        p, q = map(int, f"{text}/1".split("/")[:2])
        return p // gcd(p, q), q // gcd(p, q)

    def term(self, op: str, args: Sequence[Term], data: Any) -> Term:
        match op, data:
            case "num", _:
                data = self.rational(data)
            case "var", [str(), "integer" | "real" as sort, int(n)] if 0 <= n <= MAX_RANK * (sort == "real"):
                data = (data[0], sort, int(n))
            case (("bound" | "lam"), int(n)) if (op == "lam") <= n <= (MAX_RANK if op == "lam" else MAX_NODES):
                data = int(n)
            case "app", _:
                (data,) = self.pick("definition", [data])
            case _:
                free = op in SIGNATURES and op not in ("var", "bound", "lam")
                self.need(free and data is None, f"the operation {op!r} can't have {str(data)[:80]!r}")
        return self.make(op, *args, data=data)

    def step(self, rule: str, premises: list[Sequent], parameters: Sequence[Any]) -> Sequent:
        self.spend(10 + sum(len(h) for h, _ in premises))
        kinds, given = "", Given(premises, frozenset().union(*(h for h, _ in premises)), [], [], [])
        lists: dict[str, list[Any]] = {"T": given.terms, "N": given.numbers, "X": given.texts}
        for p in parameters:
            ((key, x),) = p.items() if isinstance(p, dict) and len(p) == 1 else [("", None)]
            if key not in ("term", "number") and not (key == "text" and isinstance(x, str)):
                raise ReplayError(f"{str(p)[:80]!r} is no term, number or text")
            kinds += {"term": "T", "number": "N", "text": "X"}[key]
            lists[kinds[-1]] += (
                self.pick("term", [x]) if key == "term" else [self.rational(x) if key == "number" else x]
            )
        return self.infer(rule, "P" * len(premises) + kinds, given)

    def claim(self, title: str, step: Sequent, conclusion: Term, *hypotheses: Term) -> Proved:
        self.same(conclusion, step[1])
        self.need(step[0] == set(hypotheses), f"{title!r} does not claim the hypotheses of its step")
        self.spend(8 * sum(self.nodes[t].size for t in (*hypotheses, conclusion)))
        canonical = [self.canonical(t) for t in (*hypotheses, conclusion)]
        said, lines = " ".join(canonical), [f"suppose {self.text(h)}" for h in hypotheses]
        lines.append(f"then {self.text(conclusion)}")
        for called, parameters, body, digest in reversed(self.meanings):
            self.spend(1 + (len(said) >> 8))
            if digest in said:
                self.spend(8 * self.nodes[body].size)
                said += self.canonical(body)
                head = " ".join([bare(json.dumps(called)), *map(self.text, parameters)])
                lines.insert(0, f"define ({head}) as {self.text(body)}")
        return Proved(title, frozenset(canonical[:-1]), canonical[-1], "\n".join([json.dumps(title), *lines]))


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, no name in it twice."""
    if len(dict(pairs)) < len(pairs):
        raise ReplayError(f"an object has a name twice: {str([name for name, _ in pairs])[:80]}")
    return dict(pairs)


def replay(lines: Iterable[str]) -> list[Proved]:
    """Check a certificate and return what it proves, claim by claim.

    Raises `ReplayError` at the first line that can't be read, does not follow, or claims what was not shown.
    """
    reader = Reader()
    for number, line in enumerate(lines, 1):
        try:
            reader.need(number <= MAX_LINES, f"the certificate has more than {MAX_LINES} lines")
            reader.read(line)
        except (ValueError, RecursionError) as error:  # the former also by what is no JSON
            raise ReplayError(f"line {number}: {error}") from None
    reader.need(reader.tables["theorem"], "the certificate claims nothing")
    return reader.tables["theorem"]


def main(arguments: Sequence[str]) -> int:
    """Replay a file; 0 if it proves its claims, 1 if it does not, 2 if it can't be read."""
    try:
        with Path(*arguments).open(encoding="utf-8") as file:
            claims = replay(iter(lambda: file.readline(MAX_LINE + 2), ""))
    except (ReplayError, OSError, UnicodeDecodeError) as error:
        name = "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in " ".join(arguments))
        sys.stderr.write(f"{name}: {error}\n")
        return 1 if isinstance(error, ReplayError) else 2
    sys.stdout.writelines(claim.text.replace("\n", "\n  ") + "\n" for claim in claims)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
