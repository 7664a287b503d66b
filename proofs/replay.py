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
from typing import NoReturn, TypeVar

MAX_LINES = 2_000_000
MAX_LINE = 1_000_000  # characters
MAX_NODES = 20_000  # of one term, counted as a tree
MAX_DEPTH = 120
MAX_RANK = 16
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
            return (
                sort if isinstance(exponent, tuple) and self.node[args[1]][0] == "num" and exponent[0] >= 1 else REAL
            ), 0
        if op in RELATIONS:
            return PROPOSITION, 0
        return (sort if op in ("add", "mul", "neg", "max") else REAL), 0

    def _number(self, op: str, args: Iterable[Term]) -> str:
        sort = INTEGER
        for a in args:
            s, rank = self.kind[a]
            if s == PROPOSITION or rank:
                refuse(
                    f"{op} is given {self.text(a)}, a {f'tensor of rank {rank}' if rank else s}, where a number is needed"
                )
            sort = sort if s == INTEGER else REAL
        return sort

    def _whole(self, op: str, args: Iterable[Term]) -> None:
        for a in args:
            if self.kind[a] != (INTEGER, 0):
                refuse(
                    f"{op} is given {self.text(a)}, a {self.kind[a][0]} of rank {self.kind[a][1]}, where an integer is needed"
                )

    def fits(self, variable: Term, value: Term) -> None:
        """Refuse a value that the variable can't have."""
        (sort, rank), (s, r) = self.kind[variable], self.kind[value]
        if r != rank or s == PROPOSITION or (sort == INTEGER and s != INTEGER):
            refuse(
                f"{self.text(value)}, a {s} of rank {r}, is given for {self.text(variable)}, a {sort} of rank {rank}"
            )

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
        letters = (s + (str(n) if n else "") for n in range(len(self.variables) + MAX_DEPTH * MAX_RANK) for s in "ijkl")
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
        fresh = [names[(len(scope) + k) % len(names)] for k in range(count)]
        said = [self._say(a, scope, names) for a in args[:-1]]
        if args:
            said.append(self._say(args[-1], scope + fresh, names))
        if op in _INFIX:
            return "(" + _INFIX[op].join(said) + ")"
        if op == "neg":
            return f"(-{said[0]})"
        if op == "lam":
            return f"[{said[0]} by {', '.join(fresh)}]"
        if op in BINDERS:
            return (
                f"{ {'maxof': 'max', 'forall': 'for all'}.get(op, op) }({fresh[0]} = {said[0]}..{said[1]}, {said[2]})"
            )
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
MASK = (1 << FIELD) - 1
MAX_COEFFICIENT = 32_000  # bits
Poly = dict[int, int]
Fractional = tuple[Poly, int, Poly]
ONE: Poly = {0: 1}


class Ring:
    """Fractions over atoms. A reciprocal that is not known to exist is an atom, and so is any other operation."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.atoms: dict[object, int] = {}
        self.nonzero: list[Poly] = []
        self.units = 0  # all bits of the atoms that are not zero
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
            inverse = self.inverse(args[1])
            one = self.store.number(1)
            return self.times(self.value(args[0]), inverse or self.atom(self.store.make("div", one, args[1])))
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
        if any(a.bit_length() > MAX_COEFFICIENT for a in p.values()):
            refuse(f"a polynomial has a coefficient of more than {MAX_COEFFICIENT} bits")
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
        square = self.value(base) if exponent > 0 else self.inverse(base)
        if square is None:
            return self.atom(t)
        n, c, d = square
        degree = abs(exponent) * max(m >> FIELD * k & MASK for m in (0, *n, *d) for k in range(len(self.atoms)))
        if abs(exponent) > MAX_EXPONENT or degree > MAX_EXPONENT**2:
            refuse(f"the exponent {exponent} is too large: {MAX_EXPONENT} is the greatest")
        longest = max(abs(a).bit_length() for a in (c, *n.values(), *d.values()))
        if longest > 1 and (longest - 1) * abs(exponent) > MAX_COEFFICIENT:
            refuse(f"the exponent {exponent} makes a coefficient of more than {MAX_COEFFICIENT} bits")
        result = _plain(ONE, 1)
        for bit in f"{abs(exponent):b}":
            result = self.times(result, result)
            if bit == "1":
                result = self.times(result, square)
        return result

    def inverse(self, t: Term) -> Fractional | None:
        """``1 / t`` where `t` is known not to be zero: a product of such, or a product by its value."""
        op, args, _ = self.store.node[t]
        if op == "mul" and None not in (parts := [self.inverse(a) for a in args]):
            result = _plain(ONE, 1)
            for part in parts:
                result = self.times(result, part or result)
            return result
        n, c, d = self.value(t)
        if not self.known(n):
            return None
        content, part = _primitive(n)
        k = gcd(c, content)
        return {m: a * c // k * (1 if content > 0 else -1) for m, a in d.items()}, abs(content) // k, part

    def known(self, n: Poly) -> bool:
        """Whether `n` is a numeral other than 0 times polynomials that are not zero."""
        if len(n) == 1:
            return not max(n) & ~self.units
        part = _primitive(n)[1] if n else n
        if not n or part in self.nonzero:
            return bool(n)
        for g in self.nonzero:
            while len(part) > 1 and (q := self.quotient(part, g)) is not None:
                part = q
        return len(part) == 1 and not max(part) & ~self.units

    def assume(self, t: Term) -> None:
        """From here on `t` is not zero, nor is an atom that is a factor of it."""
        n = self.value(t)[0]
        self.values.clear()
        if len(n) == 1:
            for k in range(len(self.atoms)):
                self.units |= MASK << FIELD * k if max(n) >> FIELD * k & MASK else 0
        elif n:
            self.nonzero.append(_primitive(n)[1])

    def equal(self, s: Term, t: Term) -> bool:
        (n, c, d), (m, e, f) = self.value(s), self.value(t)
        left, right = self.product(n, f), self.product(m, d)
        return {k: a * e for k, a in left.items()} == {k: a * c for k, a in right.items()}


def _primitive(n: Poly) -> tuple[int, Poly]:
    """Content and primitive part, whose first coefficient is positive."""
    content = gcd(*n.values()) * (1 if n[max(n)] > 0 else -1)
    return content, {m: a // content for m, a in n.items()}


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
Number = Rational | Interval
MAX_SCALE = 1 << 20  # of a power of two


class Numbers:
    """Enclosures of closed terms, with about `bits` bits more than were asked for."""

    def __init__(self, store: Store, bits: int) -> None:
        self.store, self.bits = store, bits + 64
        self.done: dict[Term, Number] = {}

    def value(self, t: Term) -> Number:
        if t not in self.done:
            self.done[t] = self._value(t)
        return self.done[t]

    def _value(self, t: Term) -> Number:
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

    def order(self, t: Term, u: Term) -> int:
        """1 where ``t < u`` for sure, -1 where ``u < t`` for sure, else 0."""
        x = self._plus(self.value(u), self._negative(self.value(t)))
        low, high = (x[0], x[0]) if len(x) == 2 else x[:2]
        return (low > 0) - (high < 0)

    def _round(self, lo: int, hi: int, e: int, bits: int = 0) -> Interval:
        cut = max(abs(lo), abs(hi)).bit_length() - (bits or self.bits)
        if cut > 0:
            lo, hi, e = lo >> cut, -(-hi >> cut), e + cut
        if abs(e) > MAX_SCALE:
            refuse("a number is too large or too small to be bounded")
        return lo, hi, e

    def _interval(self, x: Number) -> Interval:
        if len(x) == 3:
            return x
        p, q = x
        e = p.bit_length() - q.bit_length() - self.bits if q > 1 else 0
        n, d = (p << -e, q) if e < 0 else (p, q << e)
        return self._round(n // d, -(-n // d), e)

    def _aligned(self, x: Number, y: Number) -> tuple[int, int, int, int, int]:
        """The ends of both over one power of two, rounded outward where the powers are far apart."""
        (a, b, e), (c, d, f) = self._interval(x), self._interval(y)
        top = max(max(abs(a), abs(b)).bit_length() + e, max(abs(c), abs(d)).bit_length() + f)
        s = max(min(e, f), top - 2 * self.bits)
        return _scaled(a, e - s), -_scaled(-b, e - s), _scaled(c, f - s), -_scaled(-d, f - s), s

    def _hull(self, x: Interval, y: Interval) -> Interval:
        a, _, _, d, s = self._aligned(x, y)
        return self._round(a, d, s)

    def _negative(self, x: Number) -> Number:
        return (-x[0], x[1]) if len(x) == 2 else (-x[1], -x[0], x[2])

    def _plus(self, x: Number, y: Number) -> Number:
        if len(x) == 2 and len(y) == 2:
            return self._exact(x[0] * y[1] + y[0] * x[1], x[1] * y[1])
        a, b, c, d, s = self._aligned(x, y)
        return self._round(a + c, b + d, s)

    def _times(self, x: Number, y: Number) -> Number:
        if len(x) == 2 and len(y) == 2:
            return self._exact(x[0] * y[0], x[1] * y[1])
        (a, b, e), (c, d, f) = self._interval(x), self._interval(y)
        ends = (a * c, a * d, b * c, b * d)
        return self._round(min(ends), max(ends), e + f)

    def _greater(self, x: Number, y: Number) -> Number:
        if len(x) == 2 and len(y) == 2:
            return x if x[0] * y[1] >= y[0] * x[1] else y
        a, b, c, d, s = self._aligned(x, y)
        return self._round(max(a, c), max(b, d), s)

    def _exact(self, p: int, q: int) -> Number:
        d = gcd(p, q)
        x = p // d, q // d
        return x if max(abs(x[0]), x[1]).bit_length() < MAX_COEFFICIENT else self._interval(x)

    def _inverse(self, t: Term) -> Number:
        x = self.value(t)
        if x[0] == 0 or (len(x) == 3 and x[0] < 0 <= x[1]):
            refuse(f"{self.store.text(t)}, by which is divided, is not shown to differ from 0")
        if len(x) == 2:
            return (x[1], x[0]) if x[0] > 0 else (-x[1], -x[0])
        lo, hi, e = x
        return self._reciprocal(lo, hi, e) if lo > 0 else self._negative(self._reciprocal(-hi, -lo, e))

    def _reciprocal(self, lo: int, hi: int, e: int, bits: int = 0) -> Interval:
        s = (bits or self.bits) + hi.bit_length()
        return self._round((1 << s) // hi, -(-(1 << s) // lo), -s - e, bits)

    def _power(self, base: Term, exponent: int) -> Number:
        if abs(exponent) > MAX_EXPONENT:
            refuse(f"the exponent {exponent} is too large: {MAX_EXPONENT} is the greatest")
        square = self.value(base) if exponent > 0 else self._inverse(base)
        result: Number = (1, 1)
        for bit in f"{abs(exponent):b}":
            result = self._times(result, result)
            if bit == "1":
                result = self._times(result, square)
        return result

    def _root(self, m: int, e: int) -> Interval:
        s = 2 * self.bits
        s += (e - s) % 2
        root = isqrt(m << s)
        return self._round(root, root + (root * root < m << s), (e - s) // 2)

    def _exp(self, m: int, e: int, bits: int = 0) -> Interval:
        """exp(m 2^e): the series for a small part of the argument, then squared again and again."""
        if m < 0:
            return self._reciprocal(*self._exp(-m, e, bits), bits)
        if m.bit_length() + e > 20:
            refuse("an exponential is too large to be bounded")
        halvings = max(0, m.bit_length() + e + 8)
        s = (bits or self.bits) + halvings + 32
        r = _scaled(m, e - halvings + s)
        lo = hi = low = high = 1 << s
        k = 0
        while high > 1:  # what is left out is less than twice the last term
            k += 1
            low, high = (low * r >> s) // k, -(-(high * (r + 1)) // (k << s))
            lo, hi = lo + low, hi + high
        result: Interval = (lo, hi + 2, -s)
        for _ in range(halvings):
            a, b, f = result
            result = self._round(a * a, b * b, 2 * f, s)
        return self._round(*result, bits)

    def _ln(self, m: int, e: int) -> Interval:
        """ln(m 2^e) as ln(m 2^-top) + (top + e) ln 2, the first between ln 0.7 and ln 1.4."""
        top = m.bit_length() - (10 * m < 7 << m.bit_length())
        near = max(0, top - (m - (1 << top)).bit_length())  # so many bits are lost where m 2^-top is close to 1
        s = self.bits + 32 + near
        part = self._solve(m, -top, s)
        if top + e == 0:
            return part
        a, b, f = self._solve(1, 1, s)
        k = top + e
        ends = (a * k, b * k) if k > 0 else (b * k, a * k)
        return self._round(part[0] + ends[0], part[1] + ends[1], f)

    def _solve(self, m: int, e: int, s: int) -> Interval:
        """ln(m 2^e) in units of 2^-s: guessed by Halley's method, then proved by the exponential at both ends."""
        wanted = _scaled(m, e + s + 8)
        shift = max(0, m.bit_length() - 60)
        g, right = int(log((m >> shift) * 2.0 ** (e + shift)) * 2.0**50) << s - 50, 40
        while right < s:
            _, n, f = self._exp(g, -s, s + 8)
            found = _scaled(n, f + s + 8)
            g += 2 * (wanted - found << s) // (wanted + found)
            right *= 2
        low, high = g - 64, g + 64
        below, above = self._exp(low, -s, s + 8), self._exp(high, -s, s + 8)
        if _compare(below[1], below[2], m, e) > 0 or _compare(above[0], above[2], m, e) < 0:
            refuse("a logarithm could not be bounded")
        return low, high, -s


def _scaled(m: int, by: int) -> int:
    """``m * 2^by``, rounded down."""
    return m << by if by >= 0 else m >> -by


def _compare(m: int, e: int, n: int, f: int) -> int:
    s = min(e, f)
    x, y = m << e - s, n << f - s
    return (x > y) - (x < y)


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
            rows[name] = Row(
                premises, conclusion, {s: v for s, v in met.items() if _occurs(store, v, (*premises, conclusion))}
            )
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

    def zipped(
        self, args: tuple[Term, ...], places: Sequence[Parameter], equations: Sequence[Sequent], count: int
    ) -> list[Term]:
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
        rest, strict = self._gap(ring, goal, ("le", "lt")), False
        for x, (_, p) in zip(multipliers, premises, strict=True):
            k, scale = _rational(x)
            relation = self.store.node[p][0]
            if relation != "eq" and k < 0:
                refuse(f"{self.store.text(p)} is multiplied by {k}/{scale}, which turns its sign")
            gap = self._gap(ring, p, ("eq", "le", "lt"))
            if relation == "lt" and self._integral(p):
                gap = ring.plus(gap, _plain({0: -1}, 1))
            elif relation == "lt" and k > 0:
                strict = True
            rest = ring.plus(rest, ring.times(_plain({0: -k} if k else {}, scale), gap))
        left, scale = rest[0].get(0, 0), rest[1]
        if self._integral(goal) and self.store.node[goal][0] == "le":
            left += scale  # an integer that exceeds -1 is at least 0
            strict_goal = True
        else:
            strict_goal = self.store.node[goal][0] == "lt"
        if rest[0].keys() - {0} or not (left > 0 or (left == 0 and (strict or not strict_goal))):
            refuse(f"these multiples of the premises do not give {self.store.text(goal)}")
        return _all(premises), goal

    def _gap(self, ring: Ring, p: Term, relations: Sequence[str]) -> Fractional:
        """The right side less the left."""
        s, t = self.sides(p, relations)
        self.store._number("linear", (s, t))
        n, c, d = ring.value(s)
        return ring.plus(ring.value(t), ({m: -k for m, k in n.items()}, c, d))

    def _integral(self, p: Term) -> bool:
        return all(self.store.kind[s] == (INTEGER, 0) for s in self.store.node[p][1])

    def bound(self, _: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        (goal,) = _terms(given[:1])
        bits = _integer(given[1])
        if not 1 <= bits <= MAX_BITS:
            refuse(f"a precision of {bits} bits, where 1 to {MAX_BITS} are allowed")
        order = Numbers(self.store, bits).order(*self.sides(goal, ("le", "lt", "ne")))
        if order == 0 or (order < 0 and self.store.node[goal][0] != "ne"):
            refuse(f"{self.store.text(goal)} does not follow from bounds with {bits} bits")
        return frozenset(), goal

    def axiom(self, premises: Sequence[Sequent], given: Sequence[Parameter]) -> Sequent:
        name = str(given[0])
        if name not in self.axioms:
            refuse(f"no row of the table is called {name!r}")
        row = self.axioms[name]
        values = dict(zip(map(str, given[1::2]), _terms(given[2::2]), strict=True))
        if values.keys() != row.variables.keys() or 2 * len(values) + 1 != len(given):
            refuse(
                f"{name} is given values for {', '.join(map(str, given[1::2]))}, where {', '.join(row.variables)} need one each"
            )
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


def _all(premises: Iterable[Sequent]) -> frozenset[Term]:
    return frozenset().union(*(h for h, _ in premises))


def _terms(given: Sequence[Parameter]) -> list[Term]:
    return [t for t in given if isinstance(t, int)]


def _rational(x: Parameter) -> Rational:
    return x if isinstance(x, tuple) else refuse(f"{x} is no number")


def _integer(x: Parameter) -> int:
    p, q = _rational(x)
    return p if q == 1 else refuse(f"{p}/{q} is given, where an integer is needed")


Rule = Callable[[Verifier, Sequence[Sequent], Sequence[Parameter]], Sequent]

# For each rule its parameters (T a term, N a number, X a text), how many premises it has (None: any number).
RULES: dict[str, tuple[str, int | None, Rule]] = {
    "assume": ("T", 0, Verifier.assume),
    "cut": ("", 2, Verifier.cut),
    "congruence": ("TN*", None, Verifier.congruence),
    "under": ("TT*", 1, Verifier.under),
    "branch": ("T", 2, Verifier.branch),
    "choose": ("T", 1, Verifier.choose),
    "relate": ("N*", None, Verifier.relate),
    "cases": ("T", 2, Verifier.cases),
    "absurd": ("T", 1, Verifier.absurd),
    "specialise": ("(TT)*", 1, Verifier.specialise),
    "generalise": ("TTT", 1, Verifier.generalise),
    "at": ("T", 3, Verifier.at),
    "induction": ("TTT", 2, Verifier.induction),
    "definition": ("TX*", 0, Verifier.definition),
    "ring": ("TT", None, Verifier.ring),
    "linear": ("TN*", None, Verifier.linear),
    "bound": ("TN", 0, Verifier.bound),
    "axiom": ("X(XT)*", None, Verifier.axiom),
}


# --- certificates ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Formula:
    """A term or a definition: the text by which it is compared, and the text for a reader."""

    canonical: str
    text: str


@dataclass(frozen=True)
class Proved:
    """What a claim proves, with the definitions and the variables that it speaks of."""

    name: str
    hypotheses: tuple[Formula, ...]
    conclusion: Formula
    definitions: tuple[Formula, ...]
    variables: tuple[str, ...]


def difference(proved: Proved, hypotheses: Iterable[str], conclusion: str) -> str | None:
    """What keeps `proved` from being an answer to the statement asked for, both in canonical text; None if nothing.

    The conclusion must be the one asked for; hypotheses that were granted need not be used.
    """
    if proved.conclusion.canonical != conclusion:
        return f"{proved.name} concludes {proved.conclusion.canonical}, where {conclusion} was asked for"
    granted = set(hypotheses)
    for h in proved.hypotheses:
        if h.canonical not in granted:
            return f"{proved.name} supposes {h.canonical}, which was not granted"
    return None


FIELDS = {
    "certificate": {"version"},
    "term": {"op", "args", "data", "hint"},
    "definition": {"name", "parameters", "body", "implicit"},
    "step": {"rule", "premises", "parameters"},
    "theorem": {"step", "hypotheses", "conclusion"},
}
OPERATIONS = {*ARITY, *AT_LEAST}
Entry = dict[str, object]
Value = TypeVar("Value")


def _object(pairs: list[tuple[str, object]]) -> Entry:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        raise ValueError("a key stands twice")
    return entry


def _get(entry: Entry, key: str, kind: type[Value]) -> Value:
    value = entry.get(key)
    if type(value) is not kind:
        refuse(f"{key!r} is {str(value)[:80]!r}, where {kind.__name__} is needed")
    return value


def _fraction(text: object) -> Rational:
    if not isinstance(text, str) or not re.fullmatch(r"-?[0-9]+(/[0-9]+)?", text):
        refuse(f"{str(text)[:80]!r} is given, where a numeral like -1/2 is needed")
    if len(text) > 2 * MAX_DIGITS + 2:
        refuse(f"a numeral has {len(text)} characters, where {2 * MAX_DIGITS + 2} are allowed")
    p, _, q = text.partition("/")
    if int(q or "1") == 0:
        refuse(f"the numeral {text[:80]} has the denominator 0")
    d = gcd(int(p), int(q or "1"))
    return int(p) // d, int(q or "1") // d


class Reader(Verifier):
    """The lines of one certificate, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.claims: list[Proved] = []
        self.begun = False

    def read(self, line: str) -> None:
        if len(line) > MAX_LINE:
            refuse(f"the line has more than {MAX_LINE} characters")
        try:
            entry = json.loads(line, object_pairs_hook=_object)
        except RecursionError:
            refuse("the line is nested too deeply")
        except ValueError as error:
            refuse(f"the line is no JSON object: {error}")
        kind = next((k for k in FIELDS if isinstance(entry, dict) and k in entry), None)
        if kind is None:
            refuse(f"the line is none of: {', '.join(FIELDS)}")
        if strange := entry.keys() - FIELDS[kind] - {kind}:
            refuse(f"a {kind} has no {', '.join(map(ascii, sorted(strange)))}")
        if self.begun == (kind == "certificate"):
            refuse(f"the first line, and no other, is the header: this one is a {kind}")
        {
            "certificate": self._header, "term": self._term, "definition": self._definition,
            "step": self._step, "theorem": self._claim,
        }[kind](entry)  # fmt: skip

    def _header(self, entry: Entry) -> None:
        if (_get(entry, "certificate", str), _get(entry, "version", int)) != ("derive", 1):
            refuse(f"the header is {str(entry)[:80]}, where 'derive' and version 1 are expected")
        self.begun = True

    def _next(self, entry: Entry, kind: str, table: Sequence[object]) -> None:
        if _get(entry, kind, int) != len(table):
            refuse(f"the {kind} has the number {entry[kind]}, where {len(table)} is the next")

    def _known(self, place: object, kind: str, table: Sequence[Value]) -> Value:
        if type(place) is not int or not 0 <= place < len(table):
            refuse(f"{kind} {str(place)[:80]} is used, where 0 to {len(table) - 1} are known")
        return table[place]

    def _listed(self, entry: Entry, key: str) -> list[Term]:
        return [self._known(k, "term", self.terms) for k in _get(entry, key, list)]

    def _term(self, entry: Entry) -> None:
        self._next(entry, "term", self.terms)
        op = _get(entry, "op", str)
        if op not in OPERATIONS:
            refuse(f"the operation {op[:80]!r} is none of {', '.join(sorted(OPERATIONS))}")
        args = self._listed(entry, "args") if "args" in entry else []
        data: object = entry.get("data")
        if op == "num":
            new = self.store.number(*_fraction(data))
        else:
            new = self.store.make(op, *args, data=self._data(op, data))
        self.terms.append(new)

    def _data(self, op: str, data: object) -> object:
        if op == "var":
            if not isinstance(data, list) or list(map(type, data)) != [str, str, int]:
                refuse(f"a variable has {str(data)[:80]}, where name, sort and rank are needed")
            name, sort, rank = data
            if sort not in (INTEGER, REAL) or not 0 <= rank <= MAX_RANK or (rank and sort == INTEGER):
                refuse(f"the variable {name[:80]!r} is a {sort[:80]} of rank {rank}")
            return name, sort, rank
        if op == "app":
            return self._known(data, "definition", self.definitions)
        if op in ("bound", "lam"):
            if type(data) is not int or not (op == "lam") <= data <= (MAX_RANK if op == "lam" else MAX_NODES):
                refuse(f"{op} has the number {str(data)[:80]}")
        elif data is not None:
            refuse(f"{op} has no data, and is given {str(data)[:80]}")
        return data

    def _definition(self, entry: Entry) -> None:
        self._next(entry, "definition", self.definitions)
        parameters, body = self._listed(entry, "parameters"), self._known(entry.get("body"), "term", self.terms)
        name, implicit = _get(entry, "name", str), _get(entry, "implicit", int)
        free = 0
        for p in parameters:
            if self.store.node[p][0] != "var" or free & self.store.free[p]:
                refuse(f"the parameter {self.store.text(p)} of {_name(name)} is no variable, or stands twice")
            free |= self.store.free[p]
        if self.store.loose[body] or self.store.free[body] & ~free:
            refuse(f"the body of {_name(name)}, {self.store.text(body)}, has variables that are no parameters")
        self.definitions.append(self.store.define(Meaning(name, tuple(parameters), body, implicit)))

    def _step(self, entry: Entry) -> None:
        self._next(entry, "step", self.steps)
        premises = [self._known(k, "step", self.steps) for k in _get(entry, "premises", list)]
        kinds, parameters = "", []
        for p in _get(entry, "parameters", list):
            (key, value), *more = p.items() if isinstance(p, dict) and p else [("", None)]
            if more or key not in ("term", "text", "number") or (key == "text" and type(value) is not str):
                refuse(f"the parameter {str(p)[:80]} is no term, no text and no number")
            kinds += {"term": "T", "text": "X", "number": "N"}[key]
            known = self._known(value, "term", self.terms) if key == "term" else None
            parameters.append(known if known is not None else value if key == "text" else _fraction(value))
        self.steps.append(self.infer(_get(entry, "rule", str), premises, parameters, kinds))

    def _claim(self, entry: Entry) -> None:
        name = _get(entry, "theorem", str)
        hypotheses, conclusion = self._known(entry.get("step"), "step", self.steps)
        claimed = set(self._listed(entry, "hypotheses"))
        self.same(
            f"the conclusion that {_name(name)} claims",
            self._known(entry.get("conclusion"), "term", self.terms),
            conclusion,
        )
        for h in claimed ^ hypotheses:
            where = "is claimed, and the step does not have it" if h in claimed else "is left out of the claim"
            refuse(f"the hypothesis {self.store.text(h)} of {_name(name)} {where}")
        self.claims.append(self._proved(name, hypotheses, conclusion))

    def _proved(self, name: str, hypotheses: Iterable[Term], conclusion: Term) -> Proved:
        formulas = [
            Formula(self.store.canonical(t), self.store.text(t, sys.maxsize)) for t in (*hypotheses, conclusion)
        ]
        used = self.store.used((*hypotheses, conclusion))
        free = 0
        for t in (*hypotheses, conclusion):
            free |= self.store.free[t]
        meant = []
        for k in used:
            meaning = self.store.meanings[k]
            head = f"{_name(meaning.name)}({', '.join(map(self.store.text, meaning.parameters))})"
            meant.append(Formula(self.store.digests[k], f"{head} := {self.store.text(meaning.body, sys.maxsize)}"))
            for p in meaning.parameters:
                free |= self.store.free[p]
        variables = []
        for k, v in enumerate(self.store.variables):
            sort, rank = self.store.kind[v]
            if free >> k & 1:
                variables.append(f"{self.store.text(v)} : {f'tensor of rank {rank}' if rank else sort}")
        return Proved(name, tuple(sorted(formulas[:-1], key=str)), formulas[-1], tuple(meant), tuple(variables))


def replay(lines: Iterable[str]) -> list[Proved]:
    """Check a certificate and return what it proves, claim by claim.

    Raises `ReplayError` at the first line that can't be read, does not follow, or claims what was not shown.
    """
    reader = Reader()
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            if number > MAX_LINES:
                refuse(f"the certificate has more than {MAX_LINES} lines")
            reader.read(line)
        except ReplayError as error:
            raise ReplayError(error.sentence, number) from None
        except RecursionError:
            raise ReplayError("definitions are nested too deeply", number) from None
    if not reader.begun:
        raise ReplayError("the certificate is empty, where a header is needed", number)
    return reader.claims


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        while line := file.readline(MAX_LINE + 1):
            yield line.rstrip("\n")


def main(arguments: Sequence[str]) -> int:
    """Replay one file; 0 where it proves its claims, 1 where it does not, 2 where it can't be opened."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m proofs.replay CERTIFICATE\n")
        return 2
    try:
        claims = replay(_lines(Path(arguments[0])))
    except ReplayError as error:
        sys.stderr.write(f"{arguments[0]}: {error}\n")
        return 1
    except (OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{arguments[0]}: {error}\n")
        return 2
    for claim in claims:
        sys.stdout.write(f"{_name(claim.name)}\n")
        for title, lines in (
            ("where", claim.variables), ("definition", [d.text for d in claim.definitions]),
            ("suppose", [h.text for h in claim.hypotheses]), ("then", [claim.conclusion.text]),
        ):  # fmt: skip
            sys.stdout.writelines(f"  {title:<10} {line}\n" for line in lines)
    sys.stdout.write(f"{len(claims)} claims proved\n")
    return 0 if claims else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
