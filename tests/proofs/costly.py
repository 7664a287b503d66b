"""Inferences that are short to write and long to check: each must be refused, or checked in little work."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce

from proofs.kernel import assume
from proofs.terms import (
    Definition, Term, add, apply, comprehension, div, entry, exp, ln, mul, num, power, relation, sqrt, sub, var,
)  # fmt: skip
from tests.proofs.inferences import Inference

x, y, n, i, j = var("x"), var("y"), var("n", "integer"), var("i", "integer"), var("j", "integer")


def chain(t: Term, times: int, wrap: Callable[[Term], Term]) -> Term:
    return reduce(lambda u, _: wrap(u), range(times), t)


def above(t: Term, least: int = 2, bits: int = 4_000) -> Inference:
    return Inference("bound", (), (relation("lt", num(least), t), bits))


def same(t: Term, *nonzero: Term) -> Inference:
    return Inference("ring", tuple(assume(relation("ne", d, num(0))) for d in nonzero), (t, t))


def doubled(t: Term) -> Term:
    return add(t, t)


def definitions_that_forget() -> Inference:
    """Each visits the one before it twice, and all of it comes to 0."""
    drop = Definition("drop", (n,), num(0))
    made = [Definition("d0", (n,), add(n, n))]
    for k in range(1, 100):
        made.append(Definition(f"d{k}", (n,), apply(drop, doubled(apply(made[-1], n)))))
    return Inference("definition", (), (apply(made[-1], num(3)), "drop", *(d.name for d in made)))


def hypotheses_to_be_written_anew() -> Inference:
    numbers = [var(f"x{k}") for k in range(300)]
    p = relation("lt", chain(mul(*numbers), 3, lambda t: mul(t, t, t)), x)
    return Inference("specialise", (assume(p),), tuple(t for v in numbers for t in (v, add(v, num(1)))))


COSTLY: dict[str, Callable[[], Inference]] = {
    "logarithms of exponentials": lambda: above(chain(num(3), 3, lambda t: ln(exp(t)))),
    "nested exponentials": lambda: above(
        chain(chain(num(1), 35, lambda t: exp(div(num(1), add(num(2), t)))), 6, doubled), 3
    ),
    "nested logarithms": lambda: above(chain(chain(num(2), 50, lambda t: ln(add(num(2), t))), 6, doubled)),
    "products of roots": lambda: above(chain(chain(num(2), 50, sqrt), 8, lambda t: mul(t, t)), 3),
    "powers of large exponentials": lambda: above(power(exp(num(99_999)), num(100_000))),
    "powers of powers": lambda: above(chain(num(3), 4, lambda t: power(t, num(99_999)))),
    "powers of small exponentials": lambda: above(chain(exp(num(-99_999)), 11, lambda t: mul(t, t))),
    "a large power of a sum": lambda: same(power(add(x, num(1)), num(3_999))),
    "squares of squares": lambda: same(chain(add(x, y), 11, lambda t: mul(t, t))),
    "long coefficients": lambda: same(
        mul(*[power(add(mul(x, num(10**1_900 + 7)), mul(y, num(10**1_900 + 9)), num(10**1_900 + 1)), num(5))] * 3)
    ),
    "many atoms": lambda: same(mul(*[add(*(var(f"x{k}") for k in range(1_500)))] * 2)),
    "many atoms that are not zero": lambda: same(
        mul(*[div(x, add(*(var(f"x{k}") for k in range(500))))] * 10), mul(*(var(f"x{k}") for k in range(500)))
    ),
    "nested reciprocals": lambda: same(chain(y, 50, lambda t: mul(div(num(1), t), x))),
    "multiples with many denominators": lambda: Inference(
        "linear",
        (assume(relation("le", power(add(x, y), num(60)), x)),) * 400,
        (relation("le", x, y), *(Fraction(1, k + 1) for k in range(400))),
    ),
    "definitions that forget": definitions_that_forget,
    "hypotheses to be written anew": hypotheses_to_be_written_anew,
    "entries of a large comprehension": lambda: Inference(
        "definition",
        (),
        (entry(comprehension((i,), chain(entry(var("u", "real", 1), i), 30, lambda t: exp(sub(t, x)))), j),),
    ),
}
