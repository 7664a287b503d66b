"""A second verifier: reads a flat certificate and decides on its own whether it proves what it claims.

It knows nothing of the program that wrote the certificate and imports nothing of it: its terms, its arithmetic
and its table of axioms were written anew. The format stands in the docstring of `proofs.certificate`; what
every line means is this.

A *term* is the number of a node in a store, where equal nodes are one node. Sorts are integer, real and
proposition; a tensor of rank r is a total function of r integers with real values; bound indices are nameless.
Where an integer must stand (an index, the end of a range, an exponent, a condition) its sort is computed anew.
``a / b`` is ``a * inv(b)``; ``inv(0)``, the root of a negative number, the logarithm of what is not positive and
a power of 0 to an exponent that is 0 or less are numbers of which nothing is known; so is the maximum over an
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd, isqrt, log
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

MAX_LINES, MAX_LINE = 2_000_000, 1_000_000  # lines of a file, characters of a line
MAX_NODES, MAX_DEPTH, MAX_RANK = 20_000, 120, 16  # of a term, its nodes counted as a tree
MAX_DIGITS = 2_000  # of a numerator or a denominator
MAX_UNFOLDED = 200_000  # nodes visited by one unfolding
MAX_MONOMIALS, MAX_WORK = 4_000, 4_000_000  # of a polynomial, and products of monomials in one inference
MAX_EXPONENT, MAX_COEFFICIENT = 100_000, 40_000  # the latter in bits
MAX_PRECISION, MAX_NUMBER = 4_000, 2_000_000  # bits asked for, bits of a number

INTEGER, REAL, PROPOSITION = "integer", "real", "proposition"
INFIX = {"add": "+", "mul": "*", "div": "/", "pow": "^", "eq": "=", "le": "<=", "lt": "<", "ne": "!="}
RELATIONS, BINDERS = ("eq", "le", "lt", "ne"), ("sum", "maxof", "forall")
INTEGRAL = ("bound", "add", "mul", "neg", "max", "if", "sum", "maxof", "pow")  # integers where their numbers are
SIGNATURES = {  # of the arguments: r a number, i an integer, p a proposition
    "num": "", "var": "", "bound": "", "add": "rr", "mul": "rr", "neg": "r", "div": "rr", "pow": "ri", "sqrt": "r",
    "exp": "r", "ln": "r", "max": "rr", "lam": "r", "sum": "iir", "maxof": "iir", "forall": "iip", "if": "prr",
    "eq": "rr", "le": "rr", "lt": "rr", "ne": "rr", "entry": "", "app": "",
}  # fmt: skip

Term = int
Sequent = tuple[frozenset[Term], Term]


class ReplayError(ValueError):
    """A certificate that does not prove what it claims, or can't be read: the line, and a sentence."""

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence if line is None else f"line {line}: {sentence}")
        self.sentence, self.line = sentence, line


# --- terms -------------------------------------------------------------------------------------------------


class Node(NamedTuple):
    op: str
    args: tuple[Term, ...]
    data: Any
    sort: str
    rank: int
    loose: int  # how many binders are missing around it
    size: int
    depth: int
    free: int  # a bit for each free variable
    used: int  # a bit for each definition


class Meaning(NamedTuple):
    """``name(parameters) := body``, and a digest of all that this says."""

    name: str
    parameters: tuple[Term, ...]
    body: Term
    digest: str


class Store:
    """All terms and definitions of one certificate."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.known: dict[tuple[str, tuple[Term, ...], Any], Term] = {}
        self.variables: list[Term] = []
        self.meanings: list[Meaning] = []

    def need(self, condition: object, sentence: str, *terms: Term) -> None:
        """Refuse, with the terms written into the sentence, unless the condition holds."""
        if not condition:
            raise ReplayError(sentence.format(*(self.text(t)[:300] for t in terms)) if terms else sentence)

    def make(self, op: str, *args: Term, data: Any = None) -> Term:
        """The node ``op(args)``; sorts and sizes are checked when it is met for the first time."""
        key = (op, args, data)
        if key in self.known:
            return self.known[key]
        nodes = [self.nodes[a] for a in args]
        sort, rank = self.kind(op, nodes, args, data)
        size, depth = 1 + sum(n.size for n in nodes), 1 + max((n.depth for n in nodes), default=0)
        self.need(size <= MAX_NODES, f"a term has {size} nodes, where {MAX_NODES} are allowed")
        self.need(depth <= MAX_DEPTH, f"a term has {depth} levels, where {MAX_DEPTH} are allowed")
        loose = max([0, *(n.loose for n in nodes[:-1]), *(n.loose - binds(op, data) for n in nodes[-1:])])
        free, used = (reduce(or_, bits, 0) for bits in ([n.free for n in nodes], [n.used for n in nodes]))
        if op == "var":
            free = 1 << len(self.variables)
            self.variables.append(len(self.nodes))
        elif op == "app":
            used |= 1 << data | self.nodes[self.meanings[data].body].used
        loose = data + 1 if op == "bound" else loose
        self.nodes.append(Node(op, args, data, sort, rank, loose, size, depth, free, used))
        return self.known.setdefault(key, len(self.nodes) - 1)

    def kind(self, op: str, nodes: Sequence[Node], args: Sequence[Term], data: Any) -> tuple[str, int]:
        """Sort and rank of ``op(args)``; refuses arguments that don't fit."""
        needed = SIGNATURES[op]
        if op in ("num", "var"):
            return (data[1], data[2]) if op == "var" else (INTEGER if data[1] == 1 else REAL, 0)
        if op == "app":
            _, parameters, body, _ = self.meanings[data]
            self.need(len(args) == len(parameters), f"{len(args)} arguments, where {len(parameters)} are needed")
            for p, a in zip(parameters, args, strict=True):
                self.fits(p, a)
            return self.nodes[body].sort, self.nodes[body].rank
        if op == "entry":
            self.need(nodes and nodes[0].rank == len(nodes) - 1 > 0, f"{len(args) - 1} indices do not fit the tensor")
            nodes, needed = nodes[1:], "i" * (len(nodes) - 1)
        elif op in ("add", "mul") and len(nodes) > 2:
            needed = "r" * len(nodes)
        elif op == "eq" and len(nodes) == 2 and nodes[0].rank == nodes[1].rank > 0:
            return PROPOSITION, 0
        self.need(len(nodes) == len(needed), f"{op} has {len(nodes)} arguments, where {len(needed)} are needed")
        for n, k in zip(nodes, needed, strict=True):
            self.need(n.rank == 0, f"{op} is given a tensor of rank {n.rank}")
            self.need((n.sort == PROPOSITION) == (k == "p"), f"{op} is given a {n.sort}")
            self.need(k != "i" or n.sort == INTEGER, f"{op} is given a {n.sort}, where an integer is needed")
        if op == "if":
            whole = all(self.nodes[a].sort == INTEGER for a in nodes[0].args)
            self.need(nodes[0].op in RELATIONS and whole, "if: {} is no relation between integers", args[0])
        if op in RELATIONS or op == "forall":
            return PROPOSITION, 0
        whole = all(n.sort == INTEGER for n, k in zip(nodes, needed, strict=True) if k == "r")
        if op == "pow":
            whole = whole and nodes[1].op == "num" and nodes[1].data[0] >= 1
        return (INTEGER if whole and op in INTEGRAL else REAL), (data if op == "lam" else 0)

    def fits(self, v: Term, t: Term) -> None:
        """Refuse a term that can't be the value of this variable."""
        x, y = self.nodes[v], self.nodes[t]
        fit = y.rank == x.rank and y.sort in (x.sort, INTEGER)
        self.need(fit, f"{{}}, {y.sort} of rank {y.rank}, is given for {{}}, {x.sort} of rank {x.rank}", t, v)

    def number(self, p: int, q: int = 1) -> Term:
        return self.make("num", data=(p // gcd(p, q), q // gcd(p, q)))

    def negation(self, p: Term) -> Term:
        """The relation that holds where `p` fails."""
        op, args = self.nodes[p][:2]
        self.need(op in RELATIONS and self.nodes[args[0]].rank == 0, "{} has no negation", p)
        opposite = {"eq": "ne", "ne": "eq", "le": "lt", "lt": "le"}[op]
        return self.make(opposite, *(args if op in ("eq", "ne") else args[::-1]))

    def put(self, t: Term, free: Mapping[Term, Term], values: Sequence[Term] = (), up: int = 0) -> Term:
        """`t` with terms for variables, `values` for the innermost loose indices, and the other ones raised."""
        touched = reduce(or_, (self.nodes[v].free for v in free), 0)
        done: dict[tuple[Term, int], Term] = {}

        def go(u: Term, level: int) -> Term:
            n = self.nodes[u]
            if not n.free & touched and (n.loose <= level or not (values or up)):
                return u
            if (u, level) in done:
                return done[u, level]
            if n.op == "var":
                new = self.put(free[u], {}, (), level)
            elif n.op == "bound" and n.data - level < len(values):
                new = self.put(values[level - n.data - 1], {}, (), level)
            elif n.op == "bound":
                new = self.make("bound", data=n.data - len(values) + up)
            else:
                last, inner = len(n.args) - 1, level + binds(n.op, n.data)
                args = [go(a, inner if k == last else level) for k, a in enumerate(n.args)]
                new = self.make(n.op, *args, data=n.data)
            return done.setdefault((u, level), new)

        return go(t, 0)

    def close(self, t: Term, variables: Sequence[Term]) -> Term:
        """The body of a binder of these variables, the first outermost; `t` has no loose index."""
        return self.put(t, {v: self.make("bound", data=k) for k, v in enumerate(reversed(variables))})

    def unfold(self, t: Term, names: Sequence[str] = ()) -> Term:
        """Definitions of these names replaced by their bodies, and entries of comprehensions read."""
        done: dict[Term, Term] = {}

        def go(u: Term) -> Term:
            if u in done:
                return done[u]
            op, args, data = self.nodes[u][:3]
            args = tuple(map(go, args))
            new = self.make(op, *args, data=data)
            self.need(len(done) < MAX_UNFOLDED, f"unfolding visits more than {MAX_UNFOLDED} nodes")
            if op == "app" and self.meanings[data].name in names:
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
            return f"{data[0]}/{data[1]}" if op == "num" else f"#{data}"
        said = [str(data)] if op == "lam" else [json.dumps(data[0]), *map(str, data[1:])] if op == "var" else []
        said += [json.dumps(self.meanings[data].name), self.meanings[data].digest] if op == "app" else []
        return f"({' '.join([op, *said, *map(self.canonical, args)])})"

    def text(self, t: Term, scope: tuple[str, ...] = ()) -> str:
        """For people: infix, entries as values of functions, bound indices called $1, $2 and so on."""
        op, args, data = self.nodes[t][:3]
        if op in ("num", "bound"):
            return str(data[0]) + f"/{data[1]}" * (data[1] > 1) if op == "num" else [*scope[::-1], *"?" * (data + 1)][data]
        if op == "var":
            namesakes = [v for v in self.variables if self.nodes[v].data[0] == data[0]]
            return name(data[0]) + f":{namesakes.index(t)}" * (len(namesakes) > 1)
        fresh = tuple(f"${len(scope) + k + 1}" for k in range(binds(op, data)))
        said = [*(self.text(a, scope) for a in args[:-1]), *(self.text(a, scope + fresh) for a in args[-1:])]
        if op in INFIX:
            return f"({f' {INFIX[op]} '.join(said)})"
        head = name(self.meanings[data].name) if op == "app" else said.pop(0) if op == "entry" else op
        return f"{head}{f'[{chr(44).join(fresh)}]' * bool(fresh)}({', '.join(said)})"

    def define(self, title: str, parameters: tuple[Term, ...], body: Term, implicit: int) -> int:
        """The place of a definition; two of one name must say the same."""
        free, found = reduce(or_, (self.nodes[p].free for p in parameters), 0), self.nodes[body]
        self.need(all(self.nodes[p].op == "var" for p in parameters), f"a parameter of {name(title)} is no variable")
        self.need(len(set(parameters)) == len(parameters), f"the parameters of {name(title)} are not distinct")
        self.need(not found.loose and not found.free & ~free, f"{name(title)}: {{}} has other variables", body)
        said = " ".join([json.dumps(title), str(implicit), *map(self.canonical, (*parameters, body))])
        meaning = Meaning(title, parameters, body, hashlib.sha256(said.encode()).hexdigest())
        place = next((k for k, m in enumerate(self.meanings) if m.name == title), len(self.meanings))
        self.meanings += [meaning] if place == len(self.meanings) else []
        old = self.meanings[place]
        self.need(old.digest == meaning.digest, f"{name(title)} is defined as {{}}, and was as {{}}", body, old.body)
        return place


def binds(op: str, data: Any) -> int:
    """How many indices are bound in the last argument."""
    return 1 if op in BINDERS else int(data) if op == "lam" else 0


def name(text: str) -> str:
    """A name as it is, if it is a plain one; else quoted, so that it can't be taken for something else."""
    return text if text.isascii() and text.isidentifier() else json.dumps(text)


# --- rational functions ------------------------------------------------------------------------------------
# A monomial is one integer, with the exponent of atom k in its bits from k * FIELD on: monomials are multiplied
# by adding, and their order as integers is lexicographic. A polynomial has integer coefficients. A fraction is a
# numerator and a denominator that is known not to be zero; two are equal if they are crosswise.

FIELD = 64
Poly = dict[int, int]
Fractional = tuple[Poly, Poly]
ONE: Poly = {0: 1}


class Ring:
    """Terms as fractions over atoms. A reciprocal of what may be zero is an atom, and so is any other operation."""

    def __init__(self, store: Store) -> None:
        self.store, self.work = store, 0
        self.atoms: dict[Term, int] = {}
        self.nonzero: list[Poly] = []

    def value(self, t: Term) -> Fractional:
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
            base = self.value(args[0]) if exponent > 0 else self.inverse(args[0])
            return self.power(base, abs(exponent)) if base else self.atom(t)
        return self.atom(t)

    def atom(self, t: Term) -> Fractional:
        return {1 << FIELD * self.atoms.setdefault(t, len(self.atoms)): 1}, ONE

    def mix(self, p: Poly, q: Poly, factor: int = 1, monomial: int = 0) -> Poly:
        """Adds to `p` a multiple of `q`."""
        for m, a in q.items():
            p[m + monomial] = p.get(m + monomial, 0) + factor * a
            if not p[m + monomial]:
                del p[m + monomial]
        self.work += len(q)
        self.store.need(self.work <= MAX_WORK, f"polynomials need more than {MAX_WORK} products of monomials")
        self.store.need(len(p) <= MAX_MONOMIALS, f"a polynomial has more than {MAX_MONOMIALS} monomials")
        return p

    def product(self, p: Poly, q: Poly) -> Poly:
        r: Poly = {}
        for m, a in p.items():
            self.mix(r, q, a, m)
        longest = max((a.bit_length() for a in r.values()), default=0)
        self.store.need(longest <= MAX_COEFFICIENT, f"a coefficient has more than {MAX_COEFFICIENT} bits")
        return r

    def plus(self, x: Fractional, y: Fractional) -> Fractional:
        (n, d), (m, e) = x, y
        if (q := self.quotient(e, d)) is not None:
            return self.mix(self.product(n, q), m), e
        if (q := self.quotient(d, e)) is not None:
            return self.mix(self.product(m, q), n), d
        return self.mix(self.product(n, e), self.product(m, d)), self.product(d, e)

    def times(self, x: Fractional, y: Fractional) -> Fractional:
        return self.product(x[0], y[0]), self.product(x[1], y[1])

    def exponents(self, p: Poly) -> Iterator[tuple[int, int]]:
        """The monomial of each atom in `p` with an exponent that it has there."""
        for m in p:
            for k in range(0, FIELD * len(self.atoms), FIELD):
                if e := m >> k & (1 << FIELD) - 1:
                    yield 1 << k, e

    def power(self, x: Fractional, n: int) -> Fractional:
        degree = max((e for p in x for _, e in self.exponents(p)), default=0)
        self.store.need(n <= MAX_EXPONENT, f"the exponent {n} is over {MAX_EXPONENT}")
        self.store.need(n * degree <= MAX_EXPONENT**2, f"a polynomial of degree {n * degree} is too large")
        result = (ONE, ONE)
        for bit in f"{n:b}":
            result = self.times(result, result)
            result = self.times(result, x) if bit == "1" else result
        return result

    def quotient(self, p: Poly, q: Poly) -> Poly | None:
        """``p / q`` where that is a polynomial with integer coefficients."""
        guard = sum(1 << FIELD * k - 1 for k in range(1, len(self.atoms) + 1))
        head, rest, r = max(q), dict(p), dict[int, int]()
        while rest:
            top = max(rest)
            if ((top | guard) - head) & guard != guard or rest[top] % q[head]:
                return None
            r[top - head] = rest[top] // q[head]
            self.work += len(rest)
            self.mix(rest, q, -r[top - head], top - head)
        return r

    def inverse(self, t: Term) -> Fractional | None:
        """``1 / t``, where `t` is known not to be zero: a numeral times factors that are not."""
        n, d = self.value(t)
        rest = primitive(n)
        for g in self.nonzero if rest not in self.nonzero else ():
            while rest and (q := self.quotient(rest, g)) is not None:
                rest = q
        return (d, n) if rest in self.nonzero or rest.keys() == {0} else None

    def assume(self, t: Term) -> None:
        """From here on `t` is not zero, nor is an atom that is a factor of it."""
        n = primitive(self.value(t)[0])
        if len(n) == 1:
            self.nonzero += [{m: 1} for m, _ in self.exponents(n)]
        elif n:
            self.nonzero.append(n)

    def gap(self, s: Term, t: Term) -> Fractional:
        """``t - s``."""
        return self.plus(self.value(t), self.times(self.value(s), ({0: -1}, ONE)))


def primitive(n: Poly) -> Poly:
    """`n` without its numeral factor, and with a positive first coefficient."""
    content = gcd(*n.values()) if n and n[max(n)] > 0 else -gcd(*n.values())
    return {m: a // content for m, a in n.items()}


# --- numbers -----------------------------------------------------------------------------------------------
# A closed number x is enclosed by integers: lo <= x * 2^w <= hi.

Interval = tuple[int, int]


class Numbers:
    """Enclosures of closed terms in units of 2^-w."""

    def __init__(self, store: Store, w: int) -> None:
        self.store, self.w = store, w

    def value(self, t: Term) -> Interval:
        op, args, data = self.store.nodes[t][:3]
        if op == "num":
            return (data[0] << self.w) // data[1], up(data[0] << self.w, data[1])
        if op == "pow":
            self.store.need(self.store.nodes[args[1]].op == "num", "{} has an exponent that is no numeral", t)
            return self.power(args[0], self.store.nodes[args[1]].data[0])
        self.store.need(op in ("add", "mul", "neg", "div", "max", "sqrt", "exp", "ln"), "{} is no closed number", t)
        x = self.value(args[0])
        if op == "neg":
            return -x[1], -x[0]
        if op == "sqrt":
            self.store.need(x[0] >= 0, "{} is not shown to have a root", args[0])
            return isqrt(x[0] << self.w), isqrt(x[1] << self.w) + 1
        if op == "ln":
            self.store.need(x[0] > 0, "{} is not shown to have a logarithm", args[0])
            return self.ln(x[0])[0], self.ln(x[1])[1]
        if op == "exp":
            return self.exp(x[0])[0], self.exp(x[1])[1]
        if op == "div":
            return self.times(x, self.inverse(args[1]))
        if op == "mul":
            return reduce(self.times, map(self.value, args))
        lows, highs = zip(*map(self.value, args), strict=True)
        return (sum(lows), sum(highs)) if op == "add" else (max(lows), max(highs))

    def times(self, x: Interval, y: Interval) -> Interval:
        ends = [a * b for a in x for b in y]
        long = max(map(int.bit_length, ends))
        self.store.need(long <= MAX_NUMBER, f"a number of {long} bits, where {MAX_NUMBER} are allowed")
        return min(ends) >> self.w, up(max(ends), 1 << self.w)

    def inverse(self, t: Term) -> Interval:
        lo, hi = self.value(t)
        self.store.need(lo > 0 or hi < 0, "{} is not shown to differ from 0", t)
        return (1 << 2 * self.w) // hi, up(1 << 2 * self.w, lo)

    def power(self, t: Term, n: int) -> Interval:
        self.store.need(abs(n) <= MAX_EXPONENT, f"the exponent {n} is over {MAX_EXPONENT}")
        x, result = self.value(t) if n > 0 else self.inverse(t), (1 << self.w, 1 << self.w)
        for bit in f"{abs(n):b}":
            result = self.times(result, result)
            result = self.times(result, x) if bit == "1" else result
        return result

    def exp(self, x: int) -> Interval:
        """The series for ``x / 2^k``, and k squarings."""
        if x < 0:
            lo, hi = self.exp(-x)
            return (1 << 2 * self.w) // hi, up(1 << 2 * self.w, lo)
        self.store.need(x >> self.w <= MAX_EXPONENT, "an exponential is too large to be bounded")
        k = (x >> self.w).bit_length() + isqrt(self.w)
        s = self.w + k + 20
        r, n, low, high = x << 20, 0, 1 << s, 1 << s
        lo, hi = low, high + 2  # what is left out is less than the last term
        while high > 1:
            n += 1
            low, high = low * r // (n << s), up(high * r, n << s)
            lo, hi = lo + low, hi + high
        for _ in range(k):
            lo, hi = lo * lo >> s, up(hi * hi, 1 << s)
        return lo >> s - self.w, up(hi, 1 << s - self.w)

    def ln(self, x: int) -> Interval:
        """A guess by Halley's method, and around it two numbers whose exponentials lie on both sides of x."""
        g, width = int((log(x) - self.w * log(2)) * (1 << 40)) << self.w - 40, 16
        for _ in range(self.w.bit_length() - 4):
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
antisymmetry (<= x y) (<= y x) => (= x y)
less-not-equal (< x y) => (!= x y)
not-equal-less (<= x y) (!= x y) => (< x y)
contradiction (= x y) (!= x y) => (<= 1 0)
product-nonnegative (<= 0 x) (<= 0 y) => (<= 0 (* x y))
product-positive (< 0 x) (< 0 y) => (< 0 (* x y))
product-nonzero (!= x 0) (!= y 0) => (!= (* x y) 0)
factor-nonzero (!= (* x y) 0) => (!= x 0)
square-nonnegative => (<= 0 (* x x))
reciprocal-positive (< 0 x) => (< 0 (/ 1 x))
reciprocal-nonzero (!= x 0) => (!= (/ 1 x) 0)

power-positive (< 0 x) => (< 0 (^ x n))
power-nonzero (!= x 0) => (!= (^ x n) 0)
power-sum (!= x 0) => (= (^ x (+ m n)) (* (^ x m) (^ x n)))
power-sum-positive (<= 1 m) (<= 1 n) => (= (^ x (+ m n)) (* (^ x m) (^ x n)))
power-power (!= x 0) => (= (^ x (* m n)) (^ (^ x m) n))
power-product (!= x 0) (!= y 0) => (= (^ (* x y) n) (* (^ x n) (^ y n)))

exp-sum => (= (exp (+ x y)) (* (exp x) (exp y)))
exp-zero => (= (exp 0) 1)
exp-positive => (< 0 (exp x))
exp-increasing (< x y) => (< (exp x) (exp y))
exp-multiple => (= (exp (* n x)) (^ (exp x) n))
exp-tangent => (<= (+ 1 x) (exp x))
exp-ln (< 0 x) => (= (exp (ln x)) x)
ln-exp => (= (ln (exp x)) x)
ln-product (< 0 x) (< 0 y) => (= (ln (* x y)) (+ (ln x) (ln y)))
ln-power (< 0 x) => (= (ln (^ x n)) (* n (ln x)))
ln-increasing (< 0 x) (< x y) => (< (ln x) (ln y))

root-squared (<= 0 x) => (= (* (sqrt x) (sqrt x)) x)
root-nonnegative (<= 0 x) => (<= 0 (sqrt x))
root-positive (< 0 x) => (< 0 (sqrt x))
root-of-square (<= 0 x) => (= (sqrt (* x x)) x)
root-product (<= 0 x) (<= 0 y) => (= (sqrt (* x y)) (* (sqrt x) (sqrt y)))
root-increasing (<= 0 x) (< x y) => (< (sqrt x) (sqrt y))

max-left (<= y x) => (= (max x y) x)
max-right (<= x y) => (= (max x y) y)
max-member (<= a k) (<= k b) => (<= (f k) (maxof i a b (f i)))
max-least (<= a b) (forall i a b (<= (f i) x)) => (<= (maxof i a b (f i)) x)

sum-add => (= (sum i a b (+ (f i) (g i))) (+ (sum i a b (f i)) (sum i a b (g i))))
sum-factor => (= (sum i a b (* x (f i))) (* x (sum i a b (f i))))
sum-constant (<= a (+ b 1)) => (= (sum i a b x) (* (+ b (- a) 1) x))
sum-empty (< b a) => (= (sum i a b (f i)) 0)
sum-one => (= (sum i a a (f i)) (f a))
sum-split (<= a (+ m 1)) (<= m b) => (= (sum i a b (f i)) (+ (sum i a m (f i)) (sum i (+ m 1) b (f i))))
sum-shift => (= (sum i a b (f i)) (sum i (+ a k) (+ b k) (f (+ i (- k)))))
sum-reverse => (= (sum i a b (f i)) (sum i a b (f (+ a b (- i)))))
sum-swap => (= (sum i a b (sum j c d (h i j))) (sum j c d (sum i a b (h i j))))
sum-monotone (forall i a b (<= (f i) (g i))) => (<= (sum i a b (f i)) (sum i a b (g i)))
sum-positive (<= a b) (forall i a b (< 0 (f i))) => (< 0 (sum i a b (f i)))
sum-member (forall i a b (<= 0 (f i))) (<= a k) (<= k b) => (<= (f k) (sum i a b (f i)))
"""
ROWS = dict(line.split(maxsplit=1) for line in TABLE.splitlines() if line)
SYMBOLS = {"-": "neg"} | {sign: op for op, sign in INFIX.items()}


def row(store: Store, title: str) -> tuple[Term, ...]:
    """The premises and the conclusion of a row of the table."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", ROWS[title].replace("=>", " ")):
        if token == "(":
            stack.append([])
        elif token.isdigit():
            stack[-1].append(store.number(int(token)))
        elif token != ")" and (stack[-1] or token in "fgh"):
            rank = {"f": 1, "g": 1, "h": 2}.get(token, 0)
            stack[-1].append(store.make("var", data=(token, REAL if token in "xyfgh" else INTEGER, rank)))
