"""Ways to get terms and theorems other than by the functions that make them. Each must raise."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from proofs import kernel
from proofs.kernel import Theorem, assume, congruence, linear, relate, ring
from proofs.terms import (
    Definition, Term, add, apply, at_most, comprehension, div, entry, exp, forall, greatest, ln, maximum, mul, neg,
    negation, num, power, rebuild, relation, sqrt, substitute, total, var, when,
)  # fmt: skip

x, y = var("x"), var("y")
i, j, n = var("i", "integer"), var("j", "integer"), var("n", "integer")
u, a = var("u", "real", 1), var("A", "real", 2)
one, half = num(1), num(Fraction(1, 2))
less, false = relation("lt", x, y), relation("le", one, num(0))
less_numerals = relation("lt", one, num(2))
sum_u = total(i, one, n, entry(u, i))
loose = sum_u.args[2]
inverse = Definition("inverse", (x,), div(one, x))


@dataclass(frozen=True)
class Forgery:
    """An attempt that must raise, and a part of what is said then."""

    name: str
    attempt: Callable[[], object]
    said: str


def forged(hypotheses: frozenset[Term], conclusion: Term) -> Any:
    """A theorem without a proof."""
    new: Any = object.__new__(Theorem)
    for name, value in (
        ("hypotheses", hypotheses), ("conclusion", conclusion), ("rule", "assume"),
        ("premises", ()), ("parameters", (conclusion,)),
    ):  # fmt: skip
        object.__setattr__(new, name, value)
    return new


def unmade(conclusion: Term) -> Any:
    """Something with the attributes of a theorem."""
    return SimpleNamespace(hypotheses=frozenset(), conclusion=conclusion)


class Pretended:
    """Something with the attributes of a proposition."""

    sort, loose, op, args = "proposition", 0, "le", (one, one)


class TwoFaced(dict[Any, Any]):
    """A mapping whose values are not those of its items."""

    def values(self) -> Any:
        return [ring(x, x, ()) for _ in self]


class Fickle(list[Any]):
    """A sequence that is another one every time it is read."""

    def __init__(self, *readings: list[Any]) -> None:
        super().__init__(readings[-1])
        self.readings = list(readings)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.readings.pop(0) if len(self.readings) > 1 else self.readings[0])


def subclassed(base: type) -> type:
    return type("Sub", (base,), {"__slots__": ()})


def many(t: Term, levels: int) -> Term:
    for _ in range(levels):
        t = neg(t)
    return t


genuine = assume(less)

THEOREMS = [
    Forgery("constructor", lambda: Theorem(), "made by the rules"),  # type: ignore[call-arg]
    Forgery("constructor with parts", lambda: Theorem(frozenset(), false), "made by the rules"),  # type: ignore[call-arg]
    Forgery("dataclasses.replace", lambda: dataclasses.replace(genuine, conclusion=false), "dataclass"),  # type: ignore[type-var]
    Forgery("__replace__", lambda: genuine.__replace__(conclusion=false), "argument"),  # type: ignore[attr-defined]
    Forgery("copy.replace", lambda: getattr(copy, "replace", genuine.__replace__)(genuine), "copied"),  # type: ignore[attr-defined]
    Forgery("copy", lambda: copy.copy(genuine), "argument"),
    Forgery("deepcopy", lambda: copy.deepcopy(genuine), "copied"),
    Forgery("pickle", lambda: pickle.dumps(genuine), "pickled"),
    Forgery("__reduce__", lambda: genuine.__reduce__(), "argument"),
    Forgery("__reduce_ex__", lambda: genuine.__reduce_ex__(4), "pickled"),
    Forgery("subclass", lambda: subclassed(Theorem), "no subclasses"),
    Forgery("set an attribute", lambda: setattr(genuine, "conclusion", false), "immutable"),
    Forgery("delete an attribute", lambda: delattr(genuine, "hypotheses"), "argument"),
    *(
        Forgery(f"a forged premise of {rule}", attempt, "not a theorem of this kernel")
        for rule, attempt in {
            "cut": lambda: kernel.cut(forged(frozenset(), less), genuine),
            "cut, second": lambda: kernel.cut(genuine, forged(frozenset((less,)), false)),
            "congruence": lambda: congruence(exp(x), {0: forged(frozenset(), relation("eq", x, y))}),
            "under": lambda: kernel.under(sum_u, forged(frozenset(), relation("eq", entry(u, i), x)), (i,)),
            "branch": lambda: kernel.branch(
                when(relation("le", i, n), x, y), forged(frozenset(), relation("eq", x, y)), ring(y, y, ())
            ),
            "choose": lambda: kernel.choose(
                when(relation("le", i, n), x, y), forged(frozenset(), relation("le", i, n))
            ),
            "relate": lambda: relate(forged(frozenset(), less), {}),
            "relate, second": lambda: relate(genuine, {0: forged(frozenset(), relation("eq", x, y))}),
            "cases": lambda: kernel.cases(less, forged(frozenset(), false), forged(frozenset(), false)),
            "absurd": lambda: kernel.absurd(less, forged(frozenset(), false)),
            "specialise": lambda: kernel.specialise(forged(frozenset(), less), {x: y}),
            "generalise": lambda: kernel.generalise(forged(frozenset(), less), i, one, n),
            "at": lambda: kernel.at(
                forged(frozenset(), forall(i, one, one, less)),
                one,
                linear(relation("le", one, one), (), ()),
                linear(relation("le", one, one), (), ()),
            ),
            "induction": lambda: kernel.induction(
                false, i, one, forged(frozenset(), false), forged(frozenset(), false)
            ),
            "ring": lambda: ring(x, x, (forged(frozenset(), relation("ne", x, num(0))),)),
            "linear": lambda: linear(false, (forged(frozenset(), false),), (1,)),
            "axiom": lambda: kernel.axiom("exp-increasing", {"x": x, "y": y}, (forged(frozenset(), less),)),
            "no theorem at all": lambda: relate(unmade(less), {}),
            "congruence, in a mapping with two faces": lambda: congruence(
                exp(x), TwoFaced({0: unmade(relation("eq", x, y))})
            ),
            "relate, in a mapping with two faces": lambda: relate(
                genuine, TwoFaced({0: unmade(relation("eq", x, y))})
            ),
            "linear, in a fickle sequence": lambda: linear(false, Fickle([unmade(false)], [genuine]), (1,)),
            "ring, in a fickle sequence": lambda: ring(
                mul(x, div(one, x)), one, Fickle([unmade(relation("ne", x, num(0)))], [genuine])
            ),
            "axiom, in a fickle sequence": lambda: kernel.axiom(
                "exp-increasing", {"x": x, "y": y}, Fickle([unmade(less)], [genuine])
            ),
        }.items()
    ),
    Forgery("a multiplier that is rounded", lambda: linear(
        relation("le", one, mul(num(Fraction(1, 10**400)), x)),
        (assume(relation("le", num(10**150), mul(num(Fraction(1, 10**200)), x))),), (1e-150,),
    ), "do not give the goal"),
    Forgery("a parameter that is no term", lambda: assume(Pretended()), "is no closed term"),  # type: ignore[arg-type]
    Forgery("a precision that is no integer", lambda: kernel.bound(less_numerals, 64.0), "from 1"),  # type: ignore[arg-type]
]  # fmt: skip
TERMS = [
    Forgery("constructor", lambda: Term("num", (), Fraction(1, 2), "integer", 0), "made by the functions"),  # type: ignore[call-arg]
    Forgery("subclass", lambda: subclassed(Term), "no subclasses"),
    Forgery("set an attribute", lambda: setattr(x, "sort", "integer"), "immutable"),
    Forgery("delete an attribute", lambda: delattr(x, "sort"), ""),
    Forgery("pickle", lambda: pickle.dumps(x), "not pickled"),
    Forgery("deepcopy", lambda: copy.deepcopy(x), "not pickled"),
    Forgery("an argument that is no term", lambda: exp(SimpleNamespace(rank=0, sort="real")), "is no term"),  # type: ignore[arg-type]
    Forgery("too many nodes", lambda: add(*[x] * 20_000), "too large"),
    Forgery("too many levels", lambda: many(x, 120), "too large"),
    Forgery("too much work", lambda: at_most(30)(many)(x, 9), "more work"),
    Forgery("too long a numeral", lambda: num(10**2_000), "too long"),
    Forgery("too long a negative numeral", lambda: num(-(10**2_000)), "too long"),
    Forgery("too long a denominator", lambda: num(Fraction(1, 10**2_000)), "too long"),
    Forgery("a variable for propositions", lambda: var("p", "proposition"), "can't be"),
    Forgery("a tensor of integers", lambda: var("p", "integer", 1), "can't be"),
    Forgery("a tensor of negative rank", lambda: var("p", "real", -1), "can't be"),
    Forgery("a variable of another sort", lambda: var("p", "complex"), "can't be"),  # type: ignore[arg-type]
    Forgery("a variable without a name", lambda: var(3), "can't be"),  # type: ignore[arg-type]
    Forgery("one summand", lambda: add(x), "at least two"),
    Forgery("one factor", lambda: mul(x), "at least two"),
    Forgery("a sum of tensors", lambda: add(u, u), "not a tensor"),
    Forgery("a sum of propositions", lambda: add(less, x), "not a proposition"),
    Forgery("a product of tensors", lambda: mul(x, u), "not a tensor"),
    Forgery("minus a tensor", lambda: neg(u), "not a tensor"),
    Forgery("a quotient of tensors", lambda: div(x, u), "not a tensor"),
    Forgery("a power of a tensor", lambda: power(u, n), "not a tensor"),
    Forgery("a real exponent", lambda: power(x, half), "takes integers"),
    Forgery("a root of a tensor", lambda: sqrt(u), "not a tensor"),
    Forgery("an exponential of a tensor", lambda: exp(u), "not a tensor"),
    Forgery("a logarithm of a tensor", lambda: ln(u), "not a tensor"),
    Forgery("a maximum of tensors", lambda: maximum(u, x), "not a tensor"),
    Forgery("too few indices", lambda: entry(a, i), "has 2 axes, not 1"),
    Forgery("too many indices", lambda: entry(u, i, j), "has 1 axes, not 2"),
    Forgery("no index", lambda: entry(x), "has 0 axes, not 0"),
    Forgery("a real index", lambda: entry(u, x), "takes integers"),
    Forgery("a proposition as an index", lambda: entry(u, less), "not a proposition"),
    Forgery("a condition that is no relation", lambda: when(forall(i, one, n, less), x, y), "is a relation"),
    Forgery("a condition that is an integer", lambda: when(add(i, n), x, y), "is a relation"),
    Forgery("a condition on a real at the left", lambda: when(relation("le", x, n), x, y), "is a relation"),
    Forgery("a condition on a real at the right", lambda: when(relation("le", n, x), x, y), "is a relation"),
    Forgery("a branch that is a tensor", lambda: when(relation("le", i, n), u, x), "not a tensor"),
    Forgery("a definition with too few arguments", lambda: apply(inverse), "takes 1 arguments, not 0"),
    Forgery("a definition of a number applied to a tensor", lambda: apply(inverse, u), "does not fit"),
    Forgery("a definition applied to a proposition", lambda: apply(inverse, less), "does not fit"),
    Forgery("what is no definition", lambda: apply(SimpleNamespace(  # type: ignore[arg-type]
        name="f", parameters=(), body=x)), "takes 0 arguments"),
    Forgery("a subclass of a definition", lambda: apply(subclassed(Definition)("f", (), one)), "takes 0 arguments"),
    Forgery("a definition that is changed", lambda: setattr(inverse, "body", x), "cannot assign"),
    Forgery("a definition that is changed inside", lambda: inverse.__dict__, "__dict__"),
    Forgery("a parameter that is no variable", lambda: Definition("f", (one,), one), "distinct variables"),
    Forgery("a parameter that stands twice", lambda: Definition("f", (x, x), x), "distinct variables"),
    Forgery("parameters that can change", lambda: Definition("f", [x], x), "distinct variables"),  # type: ignore[arg-type]
    Forgery("a definition with a variable that is no parameter", lambda: Definition("f", (x,), y), "are no parameters"),
    Forgery("a definition of what is not closed", lambda: Definition("f", (u,), loose), "are no parameters"),
    Forgery("an unknown relation", lambda: relation("gt", x, y), "no relation is called gt"),
    Forgery("an order of tensors", lambda: relation("le", u, u), "not a tensor"),
    Forgery("an equation of tensors of different ranks", lambda: relation("eq", u, a), "not a tensor"),
    Forgery("an equation of a tensor and a number", lambda: relation("eq", u, x), "not a tensor"),
    Forgery("an equation of propositions", lambda: relation("eq", less, less), "not a proposition"),
    Forgery("a bound real", lambda: total(x, one, n, x), "distinct integer variables"),
    Forgery("a bound numeral", lambda: total(one, one, n, x), "distinct integer variables"),
    Forgery("an index bound twice", lambda: comprehension((i, i), x), "distinct integer variables"),
    Forgery("a real range", lambda: total(i, half, n, x), "takes integers"),
    Forgery("a range to a real", lambda: greatest(i, one, x, x), "takes integers"),
    Forgery("a sum of tensors by an index", lambda: total(i, one, n, u), "not a tensor"),
    Forgery("a maximum of tensors by an index", lambda: greatest(i, one, n, u), "not a tensor"),
    Forgery("a comprehension of tensors", lambda: comprehension((i,), u), "not a tensor"),
    Forgery("a comprehension without an index", lambda: comprehension((), x), "at least one axis"),
    Forgery("for all of a number", lambda: forall(i, one, n, x), "speaks of a proposition"),
    Forgery("a sum rebuilt with a tensor", lambda: rebuild(sum_u, (one, n, u)), "not a tensor"),
    Forgery("a sum rebuilt with a real range", lambda: rebuild(sum_u, (half, n, x)), "takes integers"),
    Forgery("a for-all rebuilt with a number", lambda: rebuild(forall(i, one, n, less), (one, n, x)), "a proposition"),
    Forgery("a value for a numeral", lambda: substitute(x, {one: x}), "can't put"),
    Forgery("a value that is not closed", lambda: substitute(x, {x: loose}), "can't put"),
    Forgery("a real for an integer", lambda: substitute(n, {n: x}), "does not fit"),
    Forgery("a tensor for a number", lambda: substitute(x, {x: u}), "does not fit"),
    Forgery("a proposition for a number", lambda: substitute(x, {x: less}), "does not fit"),
    Forgery("the negation of a number", lambda: negation(x), "is the negation of"),
    Forgery("the negation of an equation of tensors", lambda: negation(relation("eq", u, u)), "is the negation of"),
]  # fmt: skip

# Terms, and whether they are integers.

SORTS = [
    ("numeral", lambda: num(3), True),
    ("fraction", lambda: half, False),
    ("sum of integers", lambda: add(i, n), True),
    ("sum with a real", lambda: add(i, x), False),
    ("product with a real", lambda: mul(x, i), False),
    ("minus a real", lambda: neg(x), False),
    ("quotient of integers", lambda: div(i, n), False),
    ("positive power of an integer", lambda: power(i, num(2)), True),
    ("first power of an integer", lambda: power(i, one), True),
    ("zeroth power of an integer", lambda: power(i, num(0)), False),
    ("negative power of an integer", lambda: power(i, num(-1)), False),
    ("unknown power of an integer", lambda: power(i, n), False),
    ("power of a real", lambda: power(x, num(2)), False),
    ("root", lambda: sqrt(n), False),
    ("exponential", lambda: exp(n), False),
    ("logarithm", lambda: ln(n), False),
    ("maximum of integers", lambda: maximum(i, n), True),
    ("maximum with a real", lambda: maximum(i, x), False),
    ("if of integers", lambda: when(relation("le", i, n), i, n), True),
    ("if with a real", lambda: when(relation("le", i, n), i, x), False),
    ("entry", lambda: entry(u, i), False),
    ("sum of integers by an index", lambda: total(i, one, n, i), True),
    ("sum of reals by an index", lambda: total(i, one, n, x), False),
    ("maximum of reals by an index", lambda: greatest(i, one, n, x), False),
    ("rebuilt sum", lambda: rebuild(total(i, one, n, i), (one, n, x)), False),
    ("rebuilt quotient", lambda: rebuild(div(i, x), (i, i)), False),
]
