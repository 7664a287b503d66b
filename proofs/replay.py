"""A second verifier: reads a flat certificate, line by line, and decides on its own whether it proves what it claims.

It knows nothing of the program that wrote the certificate: it imports nothing of it, and its terms, its
arithmetic and its table of axioms were written anew. The format stands in the docstring of
`proofs.certificate`; the meaning of every line is this.

A *term* is the number of a node in a store in which equal nodes are the same node. Integers, reals and
propositions are its sorts; a tensor of rank r is a total function of r integers with real values; bound
indices are nameless. Where an integer must stand (an index, the end of a range, an exponent, a condition)
the sort is computed anew and checked. ``a / b`` is ``a * inv(b)``; ``inv(0)``, roots of negative numbers,
logarithms of what is not positive, and powers of 0 to an exponent that is 0 or less are numbers of which
nothing is known; so is the maximum over an empty range, which is an integer where its body is.

A *step* is a sequent: hypotheses and a conclusion, computed from earlier steps by one of 18 rules. A *claim*
names a step and says what it proves; `replay` returns these, `difference` compares one with what was asked.

What is refused raises `ReplayError` with the number of the line and a sentence that says what was found and
what was expected. Sizes are limited everywhere, so that a hostile file gives an error and never a crash.

    python -m proofs.replay CERTIFICATE

prints each claim with its hypotheses, its conclusion and every definition that they use.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, isqrt, lcm, log
from pathlib import Path
from typing import NoReturn

MAX_LINES = 2_000_000
MAX_LINE = 1_000_000  # characters
MAX_NODES = 20_000  # of one term, counted as a tree
MAX_DEPTH = 120
MAX_DIGITS = 2_000  # of a numerator or a denominator
MAX_MONOMIALS = 4_000
MAX_WORK = 4_000_000  # products of monomials in one inference
MAX_EXPONENT = 100_000
MAX_BITS = 4_000  # of precision
MAX_UNFOLDED = 1_000_000  # nodes visited while unfolding, in one inference

Term = int
Kind = tuple[str, int]  # sort and rank
Rational = tuple[int, int]  # in lowest terms, with a positive denominator
Sequent = tuple[frozenset[Term], Term]
Parameter = Term | str | Rational

INTEGER, REAL, PROPOSITION = "integer", "real", "proposition"
RELATIONS = ("eq", "le", "lt", "ne")
BINDERS = ("sum", "maxof", "forall")
ARITY = {
    "num": 0, "var": 0, "bound": 0, "neg": 1, "div": 2, "pow": 2, "sqrt": 1, "exp": 1, "ln": 1, "max": 2, "if": 3,
    "lam": 1, "sum": 3, "maxof": 3, "forall": 3, "eq": 2, "le": 2, "lt": 2, "ne": 2,
}  # fmt: skip
AT_LEAST = {"add": 2, "mul": 2, "entry": 2, "app": 0}


class ReplayError(ValueError):
    """A certificate that does not prove what it claims, or can't be read: the line, and a sentence."""

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence if line is None else f"line {line}: {sentence}")
        self.sentence, self.line = sentence, line


def refuse(sentence: str) -> NoReturn:
    raise ReplayError(sentence)


# --- terms -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meaning:
    """``name(parameters) := body``."""

    name: str
    parameters: tuple[Term, ...]
    body: Term
    implicit: int


class Store:
    """All terms and definitions of one certificate; a term is a place in these lists."""

    def __init__(self) -> None:
        self.node: list[tuple[str, tuple[Term, ...], object]] = []
        self.kind: list[Kind] = []
        self.loose: list[int] = []  # how many binders are missing around it
        self.size: list[int] = []
        self.depth: list[int] = []
        self.free: list[int] = []  # a bit for each free variable
        self.variables: list[Term] = []  # the variable of each bit
        self.known: dict[tuple[str, tuple[Term, ...], object], Term] = {}
        self.meanings: list[Meaning] = []
        self.digests: list[str] = []

    def make(self, op: str, *args: Term, data: object = None) -> Term:
        """The node ``op(args)``, whose sorts and sizes are checked the first time that it is met."""
        key = (op, args, data)
        old = self.known.get(key)
        if old is not None:
            return old
        kind = self._kind(op, args, data)
        size = 1 + sum(self.size[a] for a in args)
        depth = 1 + max((self.depth[a] for a in args), default=0)
        if size > MAX_NODES:
            refuse(f"a term of {size} nodes, where {MAX_NODES} are allowed")
        if depth > MAX_DEPTH:
            refuse(f"a term of {depth} levels, where {MAX_DEPTH} are allowed")
        loose, free = 0, 0
        bound = self.binds(op, data)
        for k, a in enumerate(args):
            loose = max(loose, self.loose[a] - (bound if k == len(args) - 1 else 0))
            free |= self.free[a]
        new = len(self.node)
        if op == "bound" and isinstance(data, int):
            loose = data + 1
        elif op == "var":
            free = 1 << len(self.variables)
            self.variables.append(new)
        self.node.append(key)
        self.kind.append(kind)
        self.loose.append(loose)
        self.size.append(size)
        self.depth.append(depth)
        self.free.append(free)
        self.known[key] = new
        return new

    @staticmethod
    def binds(op: str, data: object) -> int:
        """How many indices are bound in the last argument."""
        return 1 if op in BINDERS else data if op == "lam" and isinstance(data, int) else 0

    def _kind(self, op: str, args: tuple[Term, ...], data: object) -> Kind:
        if len(args) != ARITY.get(op, len(args)) or len(args) < AT_LEAST.get(op, 0):
            refuse(f"{op} has {len(args)} arguments, where {ARITY.get(op, AT_LEAST.get(op))} are needed")
        if op == "num" and isinstance(data, tuple):
            return (INTEGER if data[1] == 1 else REAL), 0
        if op == "var" and isinstance(data, tuple):
            return data[1], data[2]
        if op == "bound":
            return INTEGER, 0
        if op == "app" and isinstance(data, int):
            meaning = self.meanings[data]
            if len(args) != len(meaning.parameters):
                refuse(f"{meaning.name} is given {len(args)} arguments, where it has {len(meaning.parameters)}")
            for p, a in zip(meaning.parameters, args, strict=True):
                self.fits(p, a)
            return self.kind[meaning.body]
        if op == "eq" and self.kind[args[0]][1] > 0 and self.kind[args[0]][1] == self.kind[args[1]][1]:
            return PROPOSITION, 0
        if op == "entry":
            rank = self.kind[args[0]][1]
            if rank != len(args) - 1:
                refuse(f"{len(args) - 1} indices are given to {self.text(args[0])}, whose rank is {rank}")
            self._whole(op, args[1:])
            return REAL, 0
        if op == "if":
            condition = self.node[args[0]]
            if condition[0] not in RELATIONS:
                refuse(f"the condition of an if is {self.text(args[0])}, where a relation is needed")
            self._whole(op, condition[1])
            return self._number(op, args[1:]), 0
        if op == "forall":
            self._whole(op, args[:2])
            if self.kind[args[2]][0] != PROPOSITION:
                refuse(f"'for all' is said of {self.text(args[2])}, where a proposition is needed")
            return PROPOSITION, 0
        if op in ("sum", "maxof"):
            self._whole(op, args[:2])
            return self._number(op, args[2:]), 0
        sort = self._number(op, args)
        if op == "lam" and isinstance(data, int):
            return REAL, data
        if op == "pow":
            self._whole(op, args[1:])
            exponent = self.node[args[1]][2]
            return (sort if isinstance(exponent, tuple) and self.node[args[1]][0] == "num" and exponent[0] >= 1 else REAL), 0
        if op in RELATIONS:
            return PROPOSITION, 0
        return (sort if op in ("add", "mul", "neg", "max") else REAL), 0

    def _number(self, op: str, args: Iterable[Term]) -> str:
        sort = INTEGER
        for a in args:
            s, rank = self.kind[a]
            if s == PROPOSITION or rank:
                refuse(f"{op} is given {self.text(a)}, a {f'tensor of rank {rank}' if rank else s}, where a number is needed")
            sort = sort if s == INTEGER else REAL
        return sort

    def _whole(self, op: str, args: Iterable[Term]) -> None:
        for a in args:
            if self.kind[a] != (INTEGER, 0):
                refuse(f"{op} is given {self.text(a)}, a {self.kind[a][0]} of rank {self.kind[a][1]}, where an integer is needed")

    def fits(self, variable: Term, value: Term) -> None:
        """Refuse a value that the variable can't have."""
        (sort, rank), (s, r) = self.kind[variable], self.kind[value]
        if r != rank or s == PROPOSITION or (sort == INTEGER and s != INTEGER):
            refuse(f"{self.text(value)}, a {s} of rank {r}, is given for {self.text(variable)}, a {sort} of rank {rank}")

    def number(self, p: int, q: int = 1) -> Term:
        d = gcd(p, q)
        if max(abs(p), q) // d >= 10**MAX_DIGITS:
            refuse(f"a numeral has more than {MAX_DIGITS} digits")
        return self.make("num", data=(p // d, q // d))

    def negation(self, p: Term) -> Term:
        """The relation that holds where `p` fails."""
        op, args, _ = self.node[p]
        if op not in RELATIONS or self.kind[args[0]][1]:
            refuse(f"{self.text(p)} has no negation: it is no relation between numbers")
        if op in ("eq", "ne"):
            return self.make("ne" if op == "eq" else "eq", *args)
        return self.make("lt" if op == "le" else "le", args[1], args[0])

    # Substitution: one walk, which is told what becomes of variables and of loose indices.

    def _move(self, t: Term, touched: int, free: Mapping[Term, Term], index: Callable[[int, int], Term] | None) -> Term:
        """Put ``free[v]`` for variables and ``index(k, level)`` for the index that is loose by k at that level."""
        done: dict[tuple[Term, int], Term] = {}

        def go(u: Term, level: int) -> Term:
            if not self.free[u] & touched and (index is None or self.loose[u] <= level):
                return u
            at = (u, level)
            if at not in done:
                op, args, data = self.node[u]
                if op == "var":
                    done[at] = self._raise(free[u], level)
                elif op == "bound" and isinstance(data, int):
                    done[at] = index(data - level, level) if index is not None else u
                else:
                    inner = level + self.binds(op, data)
                    new = [go(a, inner if k == len(args) - 1 else level) for k, a in enumerate(args)]
                    done[at] = self.make(op, *new, data=data)
            return done[at]

        return go(t, 0)

    def _raise(self, t: Term, by: int) -> Term:
        if by == 0 or self.loose[t] == 0:
            return t
        return self._move(t, 0, {}, lambda k, level: self.make("bound", data=k + level + by))

    def substitute(self, t: Term, values: Mapping[Term, Term]) -> Term:
        """Values for free variables, all at once; loose indices of a value stay those of where it is put."""
        touched = 0
        for v in values:
            touched |= self.free[v]
        return self._move(t, touched, values, None)

    def open(self, body: Term, values: Sequence[Term]) -> Term:
        """The body of a binder with `values` for its indices, the first for the outermost."""
        n = len(values)
        self._whole("an index", values)

        def index(k: int, level: int) -> Term:
            return self._raise(values[n - 1 - k], level) if k < n else self.make("bound", data=k - n + level)

        return self._move(body, 0, {}, index)

    def close(self, t: Term, variables: Sequence[Term]) -> Term:
        """The body of a binder of these variables; `t` has no loose index."""
        n = len(variables)
        return self.substitute(t, {v: self.make("bound", data=n - 1 - k) for k, v in enumerate(variables)})

    def unfold(self, t: Term, names: frozenset[str]) -> Term:
        """Definitions of these names replaced by their bodies, entries of comprehensions read, until none is left."""
        done: dict[Term, Term] = {}
        left = [MAX_UNFOLDED]

        def go(u: Term) -> Term:
            if u in done:
                return done[u]
            left[0] -= 1
            if left[0] < 0:
                refuse(f"unfolding visits more than {MAX_UNFOLDED} nodes")
            op, args, data = self.node[u]
            new = self.make(op, *map(go, args), data=data)
            args = self.node[new][1]
            if op == "app" and isinstance(data, int) and self.meanings[data].name in names:
                meaning = self.meanings[data]
                new = go(self.substitute(meaning.body, dict(zip(meaning.parameters, args, strict=True))))
            elif op == "entry" and self.node[args[0]][0] == "lam":
                new = go(self.open(self.node[args[0]][1][0], args[1:]))
            done[u] = new
            return new

        return go(t)

    # Writing: `canonical` is the same text exactly for the same term; `text` is for people.

    def canonical(self, t: Term) -> str:
        """The term as one S-expression. Definitions stand with a digest of all that they say, names are quoted."""
        op, args, data = self.node[t]
        if op == "num" and isinstance(data, tuple):
            return f"{data[0]}/{data[1]}"
        if op == "var" and isinstance(data, tuple):
            return f"(var {json.dumps(data[0])} {data[1]} {data[2]})"
        if op == "bound":
            return f"#{data}"
        head = op
        if op == "app" and isinstance(data, int):
            head = f"app {json.dumps(self.meanings[data].name)} {self.digests[data]}"
        elif op == "lam":
            head = f"lam {data}"
        return f"({' '.join([head, *map(self.canonical, args)])})"

    def define(self, meaning: Meaning) -> int:
        """The place of a definition; two of one name must say the same."""
        parameters = " ".join(map(self.canonical, meaning.parameters))
        said = f"(define {json.dumps(meaning.name)} {meaning.implicit} ({parameters}) {self.canonical(meaning.body)})"
        digest = hashlib.sha256(said.encode()).hexdigest()
        for k, old in enumerate(self.meanings):
            if old.name == meaning.name:
                if self.digests[k] != digest:
                    refuse(f"{meaning.name} is defined as {self.text(meaning.body)}, and was as {self.text(old.body)}")
                return k
        self.meanings.append(meaning)
        self.digests.append(digest)
        return len(self.meanings) - 1

    def text(self, t: Term, limit: int = 300) -> str:
        """The term for a reader; bound indices get names that no free variable has."""
        taken = {str(self.node[v][2][0]) for v in self.variables}  # type: ignore[index]
        letters = (s + (str(n) if n else "") for n in range(len(self.variables) + MAX_DEPTH * 2) for s in "ijkl")
        names = [s for s in letters if s not in taken]
        said = self._say(t, [], names)
        return said if len(said) <= limit else said[:limit] + " ..."

    def _say(self, t: Term, scope: list[str], names: Sequence[str]) -> str:
        op, args, data = self.node[t]
        if op == "num" and isinstance(data, tuple):
            return str(data[0]) if data[1] == 1 else f"{data[0]}/{data[1]}"
        if op == "var" and isinstance(data, tuple):
            return _name(data[0]) + ("" if self._alone(data[0]) else f":{data[1]}{data[2]}")
        if op == "bound" and isinstance(data, int):
            return scope[-1 - data] if data < len(scope) else f"#{data - len(scope)}"
        count = self.binds(op, data)
        fresh = [names[(len(scope) + k) % len(names)] for k in range(min(count, MAX_DEPTH))]
        said = [self._say(a, scope + fresh if count and a is args[-1] else scope, names) for a in args[:-1]]
        if args:
            said.append(self._say(args[-1], scope + fresh, names))
        if op in _INFIX:
            return "(" + _INFIX[op].join(said) + ")"
        if op == "neg":
            return f"(-{said[0]})"
        if op == "lam":
            return f"[{said[0]} by {', '.join(fresh)}]"
        if op in BINDERS:
            return f"{ {'maxof': 'max', 'forall': 'for all'}.get(op, op) }({fresh[0]} = {said[0]}..{said[1]}, {said[2]})"
        if op == "entry":
            return f"{said[0]}[{', '.join(said[1:])}]"
        return f"{_name(self.meanings[data].name) if op == 'app' and isinstance(data, int) else op}({', '.join(said)})"

    def _alone(self, name: object) -> bool:
        return sum(self.node[v][2][0] == name for v in self.variables) == 1  # type: ignore[index]

    def used(self, terms: Iterable[Term]) -> list[int]:
        """The definitions that these terms speak of, directly or through another, each after those it uses."""
        seen: set[Term] = set()
        found: dict[int, None] = {}
        stack = [(t, -1) for t in terms]
        while stack:
            t, meaning = stack.pop()
            if meaning >= 0:
                found[meaning] = None
            elif t not in seen:
                seen.add(t)
                op, args, data = self.node[t]
                if op == "app" and isinstance(data, int) and data not in found:
                    stack += [(t, data), (self.meanings[data].body, -1)]
                stack += [(a, -1) for a in args]
        return list(found)


_INFIX = {
    "add": " + ", "mul": " * ", "div": " / ", "pow": "^", "eq": " = ", "le": " <= ", "lt": " < ", "ne": " != ",
}  # fmt: skip


def _name(name: str) -> str:
    return name if name.isascii() and name.isidentifier() else json.dumps(name)


# --- rational functions ------------------------------------------------------------------------------------
# A monomial is one integer that holds the exponent of atom k in the bits from k * FIELD on: monomials are
# multiplied by adding, and compared as integers, which orders them lexicographically. A polynomial has integer
# coefficients. A fraction (N, c, D) is N / (c D), D a product of polynomials that are known not to be zero.

FIELD = 48
Poly = dict[int, int]
Fractional = tuple[Poly, int, Poly]
ONE: Poly = {0: 1}


class Ring:
    """Fractions over atoms. A reciprocal that is not known to exist is an atom, and so is any other operation."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.atoms: dict[object, int] = {}
        self.nonzero: list[Poly] = []
        self.values: dict[Term, Fractional] = {}
        self.work = 0

    def value(self, t: Term) -> Fractional:
        if t not in self.values:
            self.values[t] = self._value(t)
        return self.values[t]

    def _value(self, t: Term) -> Fractional:
        op, args, data = self.store.node[t]
        if op == "num" and isinstance(data, tuple):
            return _plain({0: data[0]} if data[0] else {}, data[1])
        if op == "neg":
            n, c, d = self.value(args[0])
            return {m: -k for m, k in n.items()}, c, d
        if op in ("add", "mul"):
            result = self.value(args[0])
            for a in args[1:]:
                result = (self.plus if op == "add" else self.times)(result, self.value(a))
            return result
        if op == "div":
            return self.times(self.value(args[0]), self.inverse(args[1]))
        if op == "pow":
            exponent = self.store.node[args[1]]
            if exponent[0] == "num" and isinstance(exponent[2], tuple):
                return self._power(t, args[0], exponent[2][0])
        return self.atom(t)

    def atom(self, key: object) -> Fractional:
        place = self.atoms.setdefault(key, len(self.atoms))
        return {1 << (FIELD * place): 1}, 1, ONE

    def plus(self, x: Fractional, y: Fractional) -> Fractional:
        (n, c, d), (m, e, f) = x, y
        if d != f:
            if d != ONE and f != ONE and (q := self.quotient(f, d)) is not None:
                n, d = self.product(n, q), f
            elif d != ONE and f != ONE and (q := self.quotient(d, f)) is not None:
                m = self.product(m, q)
            else:
                n, m, d = self.product(n, f), self.product(m, d), self.product(d, f)
        k = lcm(c, e)
        total = {mono: a * (k // c) for mono, a in n.items()}
        for mono, a in m.items():
            s = total.get(mono, 0) + a * (k // e)
            if s:
                total[mono] = s
            else:
                total.pop(mono, None)
        return _lowest(self._fair(total), k, d)

    def times(self, x: Fractional, y: Fractional) -> Fractional:
        return _lowest(self.product(x[0], y[0]), x[1] * y[1], self.product(x[2], y[2]))

    def product(self, p: Poly, q: Poly) -> Poly:
        if p == ONE or q == ONE:
            return q if p == ONE else p
        self.work += len(p) * len(q)
        if self.work > MAX_WORK:
            refuse(f"polynomials need more than {MAX_WORK} products of monomials")
        r: Poly = {}
        for m, a in p.items():
            for n, b in q.items():
                s = r.get(m + n, 0) + a * b
                if s:
                    r[m + n] = s
                else:
                    r.pop(m + n, None)
        return self._fair(r)

    def _fair(self, p: Poly) -> Poly:
        if len(p) > MAX_MONOMIALS:
            refuse(f"a polynomial has {len(p)} monomials, where {MAX_MONOMIALS} are allowed")
        if any(a.bit_length() > 4 * MAX_DIGITS * 4 for a in p.values()):
            refuse("a polynomial has a coefficient that is too long")
        return p

    def quotient(self, p: Poly, q: Poly) -> Poly | None:
        """``p / q`` where it is a polynomial with integer coefficients."""
        guard = sum(1 << (FIELD * k + FIELD - 1) for k in range(len(self.atoms)))
        head = max(q)
        rest, r = dict(p), {}
        while rest:
            top = max(rest)
            if ((top | guard) - head) & guard != guard or rest[top] % q[head]:
                return None
            m, a = top - head, rest[top] // q[head]
            r[m] = a
            self.work += len(q) + len(rest)
            if self.work > MAX_WORK:
                refuse(f"a division of polynomials needs more than {MAX_WORK} steps")
            for n, b in q.items():
                s = rest.get(m + n, 0) - a * b
                if s:
                    rest[m + n] = s
                else:
                    rest.pop(m + n, None)
        return r

    def _power(self, t: Term, base: Term, exponent: int) -> Fractional:
        if abs(exponent) > MAX_EXPONENT:
            refuse(f"the exponent {exponent}, where {MAX_EXPONENT} is the greatest")
        if exponent <= 0:
            if not self.known(self.value(base)[0]):
                return self.atom(t)
            if exponent == 0:
                return _plain(ONE, 1)
        square = self.value(base) if exponent > 0 else self.inverse(base)
        n, _, d = square
        top = max((m >> (FIELD * k)) & ((1 << FIELD) - 1) for k in range(len(self.atoms) + 1) for m in (0, *n, *d))
        if top * abs(exponent) > MAX_EXPONENT**2:
            refuse(f"a power of degree {top * abs(exponent)}, where {MAX_EXPONENT**2} is the greatest")
        if max((abs(a).bit_length() for a in (*n.values(), *d.values(), square[1])), default=0) > 1:
            size = max(abs(a).bit_length() for a in (*n.values(), *d.values(), square[1])) - 1
            if size * abs(exponent) > 4 * MAX_DIGITS * 4:
                refuse(f"a power has a coefficient that is too long: exponent {exponent}")
        result, left = _plain(ONE, 1), abs(exponent)
        while True:
            if left & 1:
                result = self.times(result, square)
            left >>= 1
            if not left:
                return result
            square = self.times(square, square)

    def inverse(self, t: Term) -> Fractional:
        n, c, d = self._reduced(self.value(t))
        if not self.known(n):
            return self.atom(("inverse", frozenset(n.items()), c, frozenset(d.items())))
        content = gcd(*n.values()) * (1 if n[max(n)] > 0 else -1)
        k = gcd(c, content)
        top = {m: a * c // k * (1 if content > 0 else -1) for m, a in d.items()}
        return top, abs(content) // k, {m: a // content for m, a in n.items()}

    def _reduced(self, x: Fractional) -> Fractional:
        """Without the known polynomials that numerator and denominator share."""
        n, c, d = x
        for g in self.nonzero if d != ONE else ():
            while (q := self.quotient(d, g)) is not None and (p := self.quotient(n, g)) is not None and n:
                n, d = p, q
        return n, c, d

    def known(self, n: Poly) -> bool:
        """Whether `n` is a product of a numeral other than 0 and polynomials that are not zero."""
        for g in self.nonzero:
            while n and len(n) >= 1 and n.keys() != {0} and (q := self.quotient(n, g)) is not None:
                n = q
        return n.keys() == {0}

    def assume(self, t: Term) -> None:
        """From here on `t` is not zero."""
        n = self._reduced(self.value(t))[0]
        self.values.clear()
        if n and n.keys() != {0}:
            content = gcd(*n.values()) * (1 if n[max(n)] > 0 else -1)
            self.nonzero.append({m: a // content for m, a in n.items()})

    def equal(self, s: Term, t: Term) -> bool:
        (n, c, d), (m, e, f) = self.value(s), self.value(t)
        left, right = self.product(n, f), self.product(m, d)
        return {k: a * e for k, a in left.items()} == {k: a * c for k, a in right.items()}


def _plain(n: Poly, c: int) -> Fractional:
    return n, c, ONE


def _lowest(n: Poly, c: int, d: Poly) -> Fractional:
    if not n:
        return {}, 1, ONE
    k = gcd(c, *n.values()) if c > 1 else 1
    return (n, c, d) if k == 1 else ({m: a // k for m, a in n.items()}, c // k, d)


# --- numbers -----------------------------------------------------------------------------------------------
# A closed number is an exact rational (p, q), or an interval (lo, hi, e) for lo * 2^e .. hi * 2^e.

Interval = tuple[int, int, int]
MAX_SCALE = 1 << 20  # of a power of two


class Numbers:
    """Enclosures of closed terms, with about `bits` bits more than were asked for."""

    def __init__(self, store: Store, bits: int) -> None:
        self.store, self.bits = store, bits + 64
        self.done: dict[Term, Rational | Interval] = {}

    def value(self, t: Term) -> Rational | Interval:
        if t not in self.done:
            self.done[t] = self._value(t)
        return self.done[t]

    def _value(self, t: Term) -> Rational | Interval:
        op, args, data = self.store.node[t]
        if op == "num" and isinstance(data, tuple):
            return data[0], data[1]
        if op == "pow":
            exponent = self.store.node[args[1]]
            if exponent[0] != "num" or not isinstance(exponent[2], tuple):
                refuse(f"the exponent {self.store.text(args[1])} is no numeral")
            return self._power(args[0], exponent[2][0])
        if op not in ("add", "mul", "neg", "div", "max", "sqrt", "exp", "ln"):
            refuse(f"no bounds are known on {self.store.text(t)}")
        values = [self.value(a) for a in args]
        if op == "neg":
            return self._negative(values[0])
        if op == "div":
            return self._times(values[0], self._inverse(args[1]))
        if op in ("sqrt", "exp", "ln"):
            lo, hi, e = self._interval(values[0])
            if op == "exp":
                return self._hull(self._exp(lo, e), self._exp(hi, e))
            if lo < 0 or (op == "ln" and lo == 0):
                refuse(f"{self.store.text(args[0])} is not shown to be in the domain of {op}")
            one = self._root if op == "sqrt" else self._ln
            return self._hull(one(lo, e), one(hi, e))
        combine = {"add": self._plus, "mul": self._times, "max": self._greater}[op]
        result = values[0]
        for v in values[1:]:
            result = combine(result, v)
        return result

    def sign(self, goal: Term, t: Term, u: Term) -> tuple[int, int]:
        """Whether the least and the greatest value of ``u - t`` are below, at or above 0."""
        x = self._plus(self.value(u), self._negative(self.value(t)))
        return (_sign(x[0]), _sign(x[0])) if len(x) == 2 else (_sign(x[0]), _sign(x[1]))

    def _round(self, lo: int, hi: int, e: int) -> Interval:
        cut = max(abs(lo), abs(hi)).bit_length() - self.bits
        if cut > 0:
            lo, hi, e = lo >> cut, -(-hi >> cut), e + cut
        if abs(e) > MAX_SCALE:
            refuse("a number is too large or too small to be bounded")
        return lo, hi, e

    def _interval(self, x: Rational | Interval) -> Interval:
        if len(x) == 3:
            return x
        p, q = x
        e = p.bit_length() - q.bit_length() - self.bits if q > 1 else 0
        n, d = (p << -e, q) if e < 0 else (p, q << e)
        return self._round(n // d, -(-n // d), e)

    def _hull(self, x: Interval, y: Interval) -> Interval:
        e = max(x[2], y[2])
        return self._round(_scaled(x[0], x[2] - e), -_scaled(-y[1], y[2] - e), e)

    def _negative(self, x: Rational | Interval) -> Rational | Interval:
        return (-x[0], x[1]) if len(x) == 2 else (-x[1], -x[0], x[2])

    def _plus(self, x: Rational | Interval, y: Rational | Interval) -> Rational | Interval:
        if len(x) == 2 and len(y) == 2:
            return self._exact(x[0] * y[1] + y[0] * x[1], x[1] * y[1])
        (a, b, e), (c, d, f) = self._interval(x), self._interval(y)
        top = max(max(abs(a), abs(b)).bit_length() + e, max(abs(c), abs(d)).bit_length() + f)
        s = max(min(e, f), top - 2 * self.bits)
        lo = _scaled(a, e - s) + _scaled(c, f - s)
        return self._round(lo, -_scaled(-b, e - s) - _scaled(-d, f - s), s)

    def _times(self, x: Rational | Interval, y: Rational | Interval) -> Rational | Interval:
        if len(x) == 2 and len(y) == 2:
            return self._exact(x[0] * y[0], x[1] * y[1])
        (a, b, e), (c, d, f) = self._interval(x), self._interval(y)
        ends = (a * c, a * d, b * c, b * d)
        return self._round(min(ends), max(ends), e + f)

    def _greater(self, x: Rational | Interval, y: Rational | Interval) -> Rational | Interval:
        if len(x) == 2 and len(y) == 2:
            return x if x[0] * y[1] >= y[0] * x[1] else y
        (a, b, e), (c, d, f) = self._interval(x), self._interval(y)
        s = max(e, f)
        lo = max(_scaled(a, e - s), _scaled(c, f - s))
        return self._round(lo, max(-_scaled(-b, e - s), -_scaled(-d, f - s)), s)

    def _exact(self, p: int, q: int) -> Rational | Interval:
        d = gcd(p, q)
        short = max(abs(p), q) // d < 10**MAX_DIGITS
        return (p // d, q // d) if short else self._interval((p // d, q // d))

    def _inverse(self, t: Term) -> Rational | Interval:
        x = self.value(t)
        if x[0] == 0 or (len(x) == 3 and x[0] < 0 <= x[1]):
            refuse(f"{self.store.text(t)}, by which is divided, is not shown to differ from 0")
        if len(x) == 2:
            return (x[1], x[0]) if x[0] > 0 else (-x[1], -x[0])
        lo, hi, e = x
        if lo < 0:
            return self._negative(self._reciprocal(-hi, -lo, e))
        return self._reciprocal(lo, hi, e)

    def _reciprocal(self, lo: int, hi: int, e: int) -> Interval:
        s = self.bits + hi.bit_length()
        return self._round((1 << s) // hi, -(-(1 << s) // lo), -s - e)

    def _power(self, base: Term, exponent: int) -> Rational | Interval:
        if abs(exponent) > MAX_EXPONENT:
            refuse(f"the exponent {exponent}, where {MAX_EXPONENT} is the greatest")
        square = self.value(base) if exponent > 0 else self._inverse(base)
        result: Rational | Interval = (1, 1)
        for bit in f"{abs(exponent):b}":
            result = self._times(result, result)
            if bit == "1":
                result = self._times(result, square)
        if exponent % 2 == 0 and len(result) == 3 and result[0] < 0:
            result = (0, result[1], result[2])
        return result

    def _root(self, m: int, e: int) -> Interval:
        s = max(0, 2 * self.bits - m.bit_length())
        s += (e - s) % 2
        root = isqrt(m << s)
        return self._round(root, root + 1, (e - s) // 2)

    def _exp(self, m: int, e: int) -> Interval:
        """exp(m 2^e): the series for a small part of the argument, which is then squared up; down for the lower end."""
        if m < 0:
            return self._reciprocal(*self._exp(-m, e))
        if m.bit_length() + e > 24:
            refuse("an exponential is too large to be bounded")
        halvings = max(0, m.bit_length() + e + 8)
        s = self.bits + halvings + 32
        r = _scaled(m, e - halvings + s)
        lo = hi = low = high = 1 << s
        k = 0
        while high > 1:
            k += 1
            low, high = (low * r >> s) // k, -(-(-(-high * (r + 1) >> s)) // k)
            lo, hi = lo + low, hi + high
        result: Interval = (lo, hi + 2, -s)
        bits, self.bits = self.bits, s
        for _ in range(halvings):
            a, b, f = result
            result = self._round(a * a, b * b, 2 * f)
        self.bits = bits
        return self._round(*result)

    def _ln(self, m: int, e: int) -> Interval:
        """ln(m 2^e): a guess by Newton's method, proved by the exponential at its two ends."""
        scale = m.bit_length() + e
        s, top = self.bits + 16, m.bit_length()
        guess = int(log(m / (1 << top)) * (1 << 64)) if top < 1000 else int(log((m >> (top - 900)) / (1 << 900)) * (1 << 64))
        x = self._round(m, m, -top)
        part = self._solve(x, guess, s)
        if scale == 0:
            return part
        two = self._solve((2, 2, 0), int(log(2) * (1 << 64)), s)
        whole = self._plus(part, self._times((scale, 1), two))
        return whole if len(whole) == 3 else self._interval(whole)

    def _solve(self, x: Interval, guess: int, s: int) -> Interval:
        """An interval of about `s` bits for the number whose exponential is in `x`, from 60 bits of it."""
        g, known = guess << (s - 64) if s >= 64 else guess >> (64 - s), 40
        while known < s:
            lo, _, f = self._exp(g, -s)
            y = _scaled(x[0], x[2] + s) << s
            z = _scaled(lo, f + s)
            g += ((y // z) - (1 << s)) * 2 * z // (z + y // (1 << s)) if z else 0
            known *= 2
        width = 1 << 12
        low, high = self._exp(g - width, -s), self._exp(g + width, -s)
        if _compare(low[1], low[2], x[0], x[2]) > 0 or _compare(high[0], high[2], x[1], x[2]) < 0:
            refuse("a logarithm could not be bounded")
        return self._round(g - width, g + width, -s)


def _scaled(m: int, by: int) -> int:
    """``m * 2^by``, rounded down."""
    return m << by if by >= 0 else m >> -by


def _sign(n: int) -> int:
    return (n > 0) - (n < 0)


def _compare(m: int, e: int, n: int, f: int) -> int:
    s = min(e, f)
    return _sign((m << (e - s)) - (n << (f - s)))


# --- the table of axioms -----------------------------------------------------------------------------------
# Premises, then what follows. x y are reals; a b c d i j k m n integers; f g sequences, h a matrix.

TABLE = """
antisymmetry          (le x y) (le y x) => (eq x y)
less-not-equal        (lt x y) => (ne x y)
not-equal-less        (le x y) (ne x y) => (lt x y)
contradiction         (eq x y) (ne x y) => (le 1 0)
product-nonnegative   (le 0 x) (le 0 y) => (le 0 (* x y))
product-positive      (lt 0 x) (lt 0 y) => (lt 0 (* x y))
product-nonzero       (ne x 0) (ne y 0) => (ne (* x y) 0)
factor-nonzero        (ne (* x y) 0) => (ne x 0)
square-nonnegative    => (le 0 (* x x))
reciprocal-positive   (lt 0 x) => (lt 0 (/ 1 x))
reciprocal-nonzero    (ne x 0) => (ne (/ 1 x) 0)

power-positive        (lt 0 x) => (lt 0 (^ x n))
power-nonzero         (ne x 0) => (ne (^ x n) 0)
power-sum             (ne x 0) => (eq (^ x (+ m n)) (* (^ x m) (^ x n)))
power-sum-positive    (le 1 m) (le 1 n) => (eq (^ x (+ m n)) (* (^ x m) (^ x n)))
power-power           (ne x 0) => (eq (^ x (* m n)) (^ (^ x m) n))
power-product         (ne x 0) (ne y 0) => (eq (^ (* x y) n) (* (^ x n) (^ y n)))

exp-sum               => (eq (exp (+ x y)) (* (exp x) (exp y)))
exp-zero              => (eq (exp 0) 1)
exp-positive          => (lt 0 (exp x))
exp-increasing        (lt x y) => (lt (exp x) (exp y))
exp-multiple          => (eq (exp (* n x)) (^ (exp x) n))
exp-tangent           => (le (+ 1 x) (exp x))
exp-ln                (lt 0 x) => (eq (exp (ln x)) x)
ln-exp                => (eq (ln (exp x)) x)
ln-product            (lt 0 x) (lt 0 y) => (eq (ln (* x y)) (+ (ln x) (ln y)))
ln-power              (lt 0 x) => (eq (ln (^ x n)) (* n (ln x)))
ln-increasing         (lt 0 x) (lt x y) => (lt (ln x) (ln y))

root-squared          (le 0 x) => (eq (* (sqrt x) (sqrt x)) x)
root-nonnegative      (le 0 x) => (le 0 (sqrt x))
root-positive         (lt 0 x) => (lt 0 (sqrt x))
root-of-square        (le 0 x) => (eq (sqrt (* x x)) x)
root-product          (le 0 x) (le 0 y) => (eq (sqrt (* x y)) (* (sqrt x) (sqrt y)))
root-increasing       (le 0 x) (lt x y) => (lt (sqrt x) (sqrt y))

max-left              (le y x) => (eq (max x y) x)
max-right             (le x y) => (eq (max x y) y)
max-member            (le a k) (le k b) => (le (f k) (maxof i a b (f i)))
max-least             (le a b) (forall i a b (le (f i) x)) => (le (maxof i a b (f i)) x)

sum-add               => (eq (sum i a b (+ (f i) (g i))) (+ (sum i a b (f i)) (sum i a b (g i))))
sum-factor            => (eq (sum i a b (* x (f i))) (* x (sum i a b (f i))))
sum-constant          (le a (+ b 1)) => (eq (sum i a b x) (* (+ b (- a) 1) x))
sum-empty             (lt b a) => (eq (sum i a b (f i)) 0)
sum-one               => (eq (sum i a a (f i)) (f a))
sum-split             (le a (+ m 1)) (le m b) => (eq (sum i a b (f i)) (+ (sum i a m (f i)) (sum i (+ m 1) b (f i))))
sum-shift             => (eq (sum i a b (f i)) (sum i (+ a k) (+ b k) (f (+ i (- k)))))
sum-reverse           => (eq (sum i a b (f i)) (sum i a b (f (+ a b (- i)))))
sum-swap              => (eq (sum i a b (sum j c d (h i j))) (sum j c d (sum i a b (h i j))))
sum-monotone          (forall i a b (le (f i) (g i))) => (le (sum i a b (f i)) (sum i a b (g i)))
sum-positive          (le a b) (forall i a b (lt 0 (f i))) => (lt 0 (sum i a b (f i)))
sum-member            (forall i a b (le 0 (f i))) (le a k) (le k b) => (le (f k) (sum i a b (f i)))
"""

SYMBOLS = {"+": "add", "*": "mul", "/": "div", "^": "pow", "-": "neg"}
RANKS = {"f": 1, "g": 1, "h": 2}


@dataclass(frozen=True)
class Row:
    """Premises and conclusion of an axiom, with its variables by name."""

    premises: tuple[Term, ...]
    conclusion: Term
    variables: Mapping[str, Term]


def _rows(store: Store) -> dict[str, Row]:
    """The table, read into terms of the store."""
    rows = {}
    for line in TABLE.strip().splitlines():
        if line:
            name, rest = line.split(maxsplit=1)
            before, after = rest.split("=>")
            met: dict[str, Term] = {}
            premises, (conclusion,) = _read(store, before, met), _read(store, after, met)
            rows[name] = Row(premises, conclusion, {s: v for s, v in met.items() if _occurs(store, v, (*premises, conclusion))})
    return rows


def _occurs(store: Store, v: Term, terms: Iterable[Term]) -> bool:
    return any(store.free[v] & store.free[t] for t in terms)


def _read(store: Store, text: str, met: dict[str, Term]) -> tuple[Term, ...]:
    stack: list[list[str | Term]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            head, *args = stack.pop()
            stack[-1].append(_node(store, str(head), [_leaf(store, a, met) for a in args], met))
        else:
            stack[-1].append(token)
    return tuple(_leaf(store, t, met) for t in stack[0])


def _leaf(store: Store, x: str | Term, met: dict[str, Term]) -> Term:
    if isinstance(x, int):
        return x
    if x.isdigit():
        return store.number(int(x))
    sort = REAL if x in "xyfgh" else INTEGER
    return met.setdefault(x, store.make("var", data=(x, sort, RANKS.get(x, 0))))


def _node(store: Store, head: str, args: list[Term], met: dict[str, Term]) -> Term:
    if head in BINDERS:
        i, lo, hi, body = args
        return store.make(head, lo, hi, store.close(body, (i,)))
    if head in RANKS:
        return store.make("entry", _leaf(store, head, met), *args)
    return store.make(SYMBOLS.get(head, head), *args)


# --- the rules ---------------------------------------------------------------------------------------------


class Verifier:
    """What has been read so far: terms, definitions and the sequents of the steps."""

    def __init__(self) -> None:
        self.store = Store()
        self.axioms = _rows(self.store)
        self.terms: list[Term] = []
        self.definitions: list[int] = []
        self.steps: list[Sequent] = []
        make, number = self.store.make, self.store.number
        self.absurdity = make("le", number(1), number(0))

    def infer(self, rule: str, premises: Sequence[Sequent], parameters: Sequence[Parameter], kinds: str) -> Sequent:
        if rule not in RULES:
            refuse(f"the rule {rule!r} is none of {', '.join(RULES)}")
        shape, count, function = RULES[rule]
        if not re.fullmatch(shape, kinds):
            refuse(f"{rule} is given the parameters {kinds or 'none'}, where {shape or 'none'} is needed")
        if count is not None and len(premises) != count:
            refuse(f"{rule} is given {len(premises)} premises, where {count} are needed")
        for p, kind in zip(parameters, kinds, strict=True):
            if kind == "T" and isinstance(p, int) and self.store.loose[p]:
                refuse(f"{self.store.text(p)} has an index that no binder binds")
        return function(self, premises, parameters)

    # Small questions that several rules ask.

    def same(self, what: str, found: Term, expected: Term) -> None:
        if found != expected:
            refuse(f"{what} is {self.store.text(found)}, where {self.store.text(expected)} is needed")

    def sides(self, p: Term, relations: Sequence[str] = ("eq",)) -> tuple[Term, Term]:
        op, args, _ = self.store.node[p]
        if op not in relations:
            refuse(f"{self.store.text(p)} is none of: {', '.join(relations)}")
        return args[0], args[1]

    def index(self, v: Term) -> None:
        if self.store.node[v][0] != "var" or self.store.kind[v] != (INTEGER, 0):
            refuse(f"{self.store.text(v)} is no integer variable")

    def fresh(self, v: Term, hypotheses: Iterable[Term], terms: Iterable[Term]) -> None:
        """Refuse unless `v` is an arbitrary integer: free in nothing that stays."""
        self.index(v)
        for where, found in (("the hypothesis", hypotheses), ("the term", terms)):
            for t in found:
                if self.store.free[v] & self.store.free[t]:
                    refuse(f"{self.store.text(v)} is free in {where} {self.store.text(t)}, where it must be arbitrary")

    def within(self, v: Term, lo: Term, hi: Term) -> set[Term]:
        return {self.store.make("le", lo, v), self.store.make("le", v, hi)}

    def equation(self, s: Term, t: Term) -> Term:
        return self.store.make("eq", s, t)

    def zipped(self, args: tuple[Term, ...], places: Sequence[Parameter], equations: Sequence[Sequent], count: int) -> list[Term]:
        """The arguments after rewriting those at `places` from left to right by the equations."""
        if len(places) != len(equations):
            refuse(f"{len(places)} places are given for {len(equations)} equations")
        new, met = list(args), set()
        for place, (_, p) in zip(places, equations, strict=True):
            k = _integer(place)
            if not 0 <= k < count or k in met:
                refuse(f"the place {k} is met twice, or is none of the first {count}")
            met.add(k)
            left, new[k] = self.sides(p)
            self.same(f"the left side of the equation for place {k}", left, args[k])
        return new

    # The rules, each named as in the certificate.

    def assume(self, _: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (p,) = _terms(given)
        if self.store.kind[p][0] != PROPOSITION:
            refuse(f"{self.store.text(p)} is assumed, and is no proposition")
        return frozenset((p,)), p

    def cut(self, premises: Sequence[Sequent], _: Sequence[Parameter]) -> Sequent:
        (h, p), (k, q) = premises
        if p not in k:
            refuse(f"{self.store.text(p)} is proved, and is no hypothesis of the other premise")
        return h | (k - {p}), q

    def congruence(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (t,) = _terms(given[:1])
        op, args, data = self.store.node[t]
        count = len(args) - (self.store.binds(op, data) > 0)
        new = self.zipped(args, given[1:], premises, count)
        return _all(premises), self.equation(t, self.store.make(op, *new, data=data))

    def under(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        ((h, p),) = premises
        t, *variables = _terms(given)
        op, args, data = self.store.node[t]
        if op not in ("sum", "maxof", "lam") or len(variables) != self.store.binds(op, data):
            refuse(f"{self.store.text(t)} does not bind {len(variables)} indices of a sum, maximum or comprehension")
        if len(set(variables)) != len(variables):
            refuse("the variables for the indices are not distinct")
        for v in variables:
            self.index(v)
        if op != "lam":
            h = h - self.within(variables[0], *args[:2])
        for v in variables:
            self.fresh(v, h, (t,))
        left, right = self.sides(p)
        self.same("the left side of the premise", left, self.store.open(args[-1], variables))
        return h, self.equation(t, self.store.make(op, *args[:-1], self.store.close(right, variables), data=data))

    def branch(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (h, p), (k, q) = premises
        (t,) = _terms(given)
        condition, a, b = self._if(t)
        left, then = self.sides(p)
        self.same("the left side of the first premise", left, a)
        left, other = self.sides(q)
        self.same("the left side of the second premise", left, b)
        stay = (h - {condition}) | (k - {self.store.negation(condition)})
        return stay, self.equation(t, self.store.make("if", condition, then, other))

    def choose(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        ((h, p),) = premises
        (t,) = _terms(given)
        condition, a, b = self._if(t)
        if p == condition:
            return h, self.equation(t, a)
        self.same("what decides the condition", p, self.store.negation(condition))
        return h, self.equation(t, b)

    def _if(self, t: Term) -> tuple[Term, ...]:
        op, args, _ = self.store.node[t]
        if op != "if":
            refuse(f"{self.store.text(t)} is no if")
        return args

    def relate(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        if not premises:
            refuse("relate has no premise, where at least one is needed")
        p = premises[0][1]
        args = self.sides(p, RELATIONS)
        new = self.zipped(args, given, premises[1:], 2)
        return _all(premises), self.store.make(self.store.node[p][0], *new)

    def cases(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (h, q), (k, r) = premises
        (p,) = _terms(given)
        self.same("the conclusion of the second case", r, q)
        return (h - {p}) | (k - {self.store.negation(p)}), q

    def absurd(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        ((h, q),) = premises
        (p,) = _terms(given)
        self.same("the conclusion of the premise", q, self.absurdity)
        return h - {self.store.negation(p)}, p

    def specialise(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        ((h, p),) = premises
        pairs = _terms(given)
        values = dict(zip(pairs[::2], pairs[1::2], strict=True))
        if len(values) != len(pairs) // 2:
            refuse("a variable is given two values")
        for v, value in values.items():
            if self.store.node[v][0] != "var":
                refuse(f"{self.store.text(v)} is given a value, and is no variable")
            self.store.fits(v, value)
        return frozenset(self.store.substitute(q, values) for q in h), self.store.substitute(p, values)

    def generalise(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        ((h, p),) = premises
        i, lo, hi = _terms(given)
        self.index(i)
        stay = h - self.within(i, lo, hi)
        self.fresh(i, stay, (lo, hi))
        return stay, self.store.make("forall", lo, hi, self.store.close(p, (i,)))

    def at(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (_, p), (_, low), (_, high) = premises
        (t,) = _terms(given)
        op, args, _ = self.store.node[p]
        if op != "forall":
            refuse(f"{self.store.text(p)} is no 'for all'")
        self.same("the second premise", low, self.store.make("le", args[0], t))
        self.same("the third premise", high, self.store.make("le", t, args[1]))
        return _all(premises), self.store.open(args[2], (t,))

    def induction(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (h, base), (k, step) = premises
        p, v, lo = _terms(given)
        self.index(v)
        self.store.fits(v, lo)
        start = self.store.make("le", lo, v)
        stay = h | (k - {start, p})
        self.fresh(v, stay, (lo,))
        self.same("the start", base, self.store.substitute(p, {v: lo}))
        more = self.store.make("add", v, self.store.number(1))
        self.same("the step", step, self.store.substitute(p, {v: more}))
        return stay | {start}, p

    def definition(self, _: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (t,) = _terms(given[:1])
        names = frozenset(str(name) for name in given[1:])
        return frozenset(), self.equation(t, self.store.unfold(t, names))

    def ring(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        a, b = _terms(given)
        goal = self.equation(a, b)
        self.store._number("ring", (a, b))
        ring = Ring(self.store)
        for _, p in premises:
            t, zero = self.sides(p, ("ne",))
            self.same("the right side of a premise", zero, self.store.number(0))
            ring.assume(t)
        if not ring.equal(a, b):
            refuse(f"{self.store.text(a)} and {self.store.text(b)} differ as rational functions")
        return _all(premises), goal

    def linear(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (goal,) = _terms(given[:1])
        multipliers = given[1:]
        if len(multipliers) != len(premises):
            refuse(f"{len(multipliers)} multipliers are given for {len(premises)} premises")
        ring = Ring(self.store)
        rest, floor, strict = self._gap(ring, goal), (0, 1), False
        for x, (_, p) in zip(multipliers, premises, strict=True):
            if not isinstance(x, tuple):
                refuse("a multiplier is no number")
            relation = self.store.node[p][0]
            if relation != "eq" and x[0] < 0:
                refuse(f"{self.store.text(p)} is multiplied by {x[0]}/{x[1]}, where the sign must not change")
            gap = self._gap(ring, p)
            if relation == "lt" and self._integral(p):
                gap = ring.plus(gap, _plain({0: -1}, 1))
            elif relation == "lt" and x[0] > 0:
                strict = True
            if relation != "eq" and x[0]:
                floor = (1, 1)
            rest = ring.plus(rest, ring.times(_plain({0: -x[0]} if x[0] else {}, x[1]), gap))
        if rest[0].keys() - {0}:
            refuse(f"these multiples of the premises do not leave a constant for {self.store.text(goal)}")
        constant, scale = rest[0].get(0, 0), rest[1]
        relation = self.store.node[goal][0]
        if relation == "eq":
            holds = constant == 0 and floor == (0, 1)
        elif relation == "le":
            holds = constant >= 0 or (self._integral(goal) and (constant > -scale or (constant == -scale and strict)))
        else:
            holds = constant > 0 or (constant == 0 and strict)
        if not holds:
            refuse(f"these multiples of the premises leave {constant}/{scale} for {self.store.text(goal)}, which is too little")
        return _all(premises), goal

    def _gap(self, ring: Ring, p: Term) -> Fractional:
        """The right side less the left."""
        s, t = self.sides(p, ("eq", "le", "lt"))
        self.store._number("linear", (s, t))
        n, c, d = ring.value(s)
        return ring.plus(ring.value(t), ({m: -k for m, k in n.items()}, c, d))

    def _integral(self, p: Term) -> bool:
        return all(self.store.kind[s] == (INTEGER, 0) for s in self.sides(p, RELATIONS))

    def bound(self, _: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (goal,) = _terms(given[:1])
        bits = _integer(given[1])
        if not 1 <= bits <= MAX_BITS:
            refuse(f"a precision of {bits} bits, where 1 to {MAX_BITS} are allowed")
        s, t = self.sides(goal, RELATIONS)
        low, high = Numbers(self.store, bits).sign(goal, s, t)
        relation = self.store.node[goal][0]
        if not {"eq": low == high == 0, "le": low >= 0, "lt": low > 0, "ne": low > 0 or high < 0}[relation]:
            refuse(f"{self.store.text(goal)} does not follow from bounds with {bits} bits")
        return frozenset(), goal

    def axiom(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        name = str(given[0])
        if name not in self.axioms:
            refuse(f"no row of the table is called {name!r}")
        row = self.axioms[name]
        values = dict(zip(map(str, given[1::2]), _terms(given[2::2]), strict=True))
        if values.keys() != row.variables.keys() or 2 * len(values) + 1 != len(given):
            refuse(f"{name} is given values for {', '.join(map(str, given[1::2]))}, where {', '.join(row.variables)} need one each")
        if len(premises) != len(row.premises):
            refuse(f"{name} is given {len(premises)} premises, where {len(row.premises)} are needed")
        put = {row.variables[s]: t for s, t in values.items()}
        for v, t in put.items():
            self.store.fits(v, t)
        for k, ((_, found), wanted) in enumerate(zip(premises, row.premises, strict=True)):
            self.same(f"premise {k + 1} of {name}", found, self.instance(wanted, put))
        return _all(premises), self.instance(row.conclusion, put)

    def instance(self, p: Term, values: Mapping[Term, Term]) -> Term:
        return self.store.unfold(self.store.substitute(p, values), frozenset())
