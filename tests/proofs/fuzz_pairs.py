"""Generated pairs of lines, equal and unequal: no ``proved`` for an unequal pair, no ``refuted`` for an equal one.

``python -m tests.proofs.fuzz_pairs 50000 [SEED]`` is the long run; a short one is part of the tests. Equal pairs are
made by steps that are equalities by construction, unequal ones by one corruption. Prover and refuter check each
other: a pair that is both proved and refuted, whichever was meant, is a fault.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from fractions import Fraction

from proofs.context import Context
from proofs.justify import prove
from proofs.refute import Budget, refute
from proofs.statement import Statement
from proofs.syntax.environment import declare
from proofs.terms import (
    Term, TermError, add, div, entry, exp, instantiate, ln, maximum, mul, neg, num, power, relation, sqrt, sub, total,
    var, when,
)  # fmt: skip
from tests.mutations import mutants

N, T, AT = var("n", "integer"), var("t", "integer"), var("i", "integer")
X, Y, P = var("x"), var("y"), var("p")
Z, W = var("z", "real", 1), var("w", "real", 1)
ONE = num(1)
DECLARATIONS = (
    declare("n", "size"), declare("t", "index", N), declare("i", "index", N), declare("x", "real"),
    declare("y", "real"), declare("p", "positive"), declare("z", "real", None, (N,)), declare("w", "real", None, (N,)),
)  # fmt: skip
STATEMENT = Statement(DECLARATIONS, (), relation("eq", X, X))


def random_term(rng: random.Random, depth: int, index: Term | None = None) -> Term:
    """A term over the declarations that always has a value; `index` is a bound index that it may use."""
    if depth == 0 or rng.random() < 0.15:
        leaves = [X, Y, P, num(rng.randint(-3, 4)), num(Fraction(1, 2)), entry(Z, index or AT), entry(W, index or T), N]
        return rng.choice(leaves)

    def inner() -> Term:
        return random_term(rng, depth - 1, index)

    kind = rng.randrange(12)
    if kind < 3:
        return add(inner(), inner()) if rng.random() < 0.6 else sub(inner(), inner())
    if kind < 6:
        return mul(inner(), inner())
    if kind == 6:
        return exp(random_term(rng, min(depth - 1, 1), index))
    if kind == 7:
        return div(inner(), rng.choice([P, N, exp(random_term(rng, 1, index)), add(ONE, exp(X)), power(P, num(2))]))
    if kind == 8 and index is None:
        j = var("j", "integer")
        lo, hi = rng.choice([(ONE, N), (ONE, T), (add(T, ONE), N)])
        return total(j, lo, hi, random_term(rng, depth - 1, j))
    if kind == 9:
        condition = relation(rng.choice(["le", "lt", "eq"]), index or AT, T)
        return when(condition, inner(), inner())
    if kind == 10:
        return rng.choice([sqrt(P), ln(P), maximum(X, Y), power(inner(), num(2)), ln(add(P, ONE))])
    return neg(inner())


def rewritten(rng: random.Random, t: Term) -> Term:
    """An equal form: each node may be rewritten by a law that holds wherever the node has a value."""
    if t.op == "sum":
        j = var(f"k{rng.randrange(3)}", "integer")
        lo, hi = t.args[0], t.args[1]
        body = rewritten(rng, instantiate(t.args[2], (j,)))
        if rng.random() < 0.4 and (lo, hi) == (ONE, N):
            return add(total(j, ONE, T, body), total(j, add(T, ONE), N, body))
        if rng.random() < 0.3 and body.op == "add":
            return add(*(total(j, lo, hi, a) for a in body.args))
        return total(j, lo, hi, body)
    if not t.args or (t.op in ("entry", "if") and rng.random() < 0.5):
        return t
    if t.op == "if":
        return when(t.args[0], rewritten(rng, t.args[1]), rewritten(rng, t.args[2]))
    if t.op in ("entry", "lam", "app"):
        return t
    args = [a if t.op == "pow" and k == 1 else rewritten(rng, a) for k, a in enumerate(t.args)]
    if t.op in ("add", "mul"):
        make = add if t.op == "add" else mul
        rng.shuffle(args)
        if t.op == "mul" and rng.random() < 0.4:
            k = next((k for k, a in enumerate(args) if a.op == "add"), None)
            if k is not None and len(args) > 1:
                rest = args[:k] + args[k + 1 :]
                return add(*(mul(*rest, a) for a in args[k].args))
        return make(*args)
    if t.op == "exp" and rng.random() < 0.7:
        a = args[0]
        if a.op == "add":
            return mul(*(exp(x) for x in a.args))
        half = exp(mul(num(Fraction(1, 2)), a))
        return mul(half, half)
    if t.op == "div" and rng.random() < 0.5:
        return mul(args[0], div(ONE, args[1]))
    if t.op == "neg":
        return mul(num(-1), args[0])
    if t.op == "pow" and t.args[1] == num(2):
        return mul(args[0], args[0])
    from proofs.terms import rebuild

    return rebuild(t, tuple(args))


def run(pairs: int, seed: int) -> Counter[str]:
    """Judge that many pairs; raises AssertionError at a false verdict."""
    rng = random.Random(f"pairs {seed}")
    counts: Counter[str] = Counter()
    budget = Budget(models=40)
    while counts["equal"] + counts["unequal"] < pairs:
        try:
            left = random_term(rng, rng.randint(1, 4))
            right = rewritten(rng, left)
        except TermError:
            continue
        meant = "equal"
        if rng.random() < 0.5:
            found = next(iter(mutants(right, rng, 1)), None)
            if found is None:
                continue
            meant, right = "unequal", found[1]
        goal = relation("eq", left, right)
        ctx = Context(STATEMENT.assumptions())
        proved = prove(goal, ctx) is not None
        against = (
            refute(DECLARATIONS, (), goal, budget=budget) if proved or meant == "equal" or rng.random() < 0.1 else None
        )
        if against is not None and (proved or meant == "equal"):
            raise AssertionError(f"{meant}, proved: {proved}, refuted: {against.assignments}: {left!r} = {right!r}")
        counts[meant] += 1
        verdict = "proved" if proved else "refuted" if against is not None else "open"
        counts[f"{meant} {verdict}"] += 1
    return counts


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for name, count in sorted(run(pairs, seed).items()):
        print(f"{name:20}{count:>8}")


if __name__ == "__main__":
    main()
