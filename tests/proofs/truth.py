"""Whether a statement is true, tried in small models in which its hypotheses hold.

The models come from the search for counter-examples; what counts is `small_models`, an evaluator written for the
tests alone: a statement is false where all its hypotheses certainly hold and its conclusion certainly does not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from mpmath import iv

from proofs import evaluate
from proofs.context import Context
from proofs.justify import prove
from proofs.models import Case, Family
from proofs.statement import Declaration
from proofs.terms import RELATIONS, Term, TermError, entry, free_variables, negation, num, relation
from tests.proofs.small_models import Model, TooFar

BITS = 160
PATTERNS = 6
CASES = 16
WIDER, FURTHER = 5_000, range(-4, 14)
EDGE = (1, 2, 3)
TOO_FAR = (TooFar, OverflowError)
LIMITS = evaluate.Limits(operations=200_000, precision=512, seconds=2.0)


@dataclass(frozen=True)
class Trial:
    """How a statement fared.

    Attributes
    ----------
    instances : int
        Models in which all hypotheses certainly hold and the conclusion does not certainly fail.
    exact : int
        Those among them in which the conclusion certainly holds; in the others its bounds touch at 160 bits.
    undefined : int
        Those in which a part of the conclusion has no value: a division by 0, a root of a negative number.
    counterexample : Model, optional
        Where the hypotheses certainly hold and the conclusion certainly fails.
    """

    instances: int
    exact: int
    undefined: int = 0
    counterexample: Model | None = None

    @property
    def false(self) -> bool:
        return self.counterexample is not None


def tried(
    hypotheses: Sequence[Term], conclusion: Term, declarations: Sequence[Declaration] = (), most: int = 24
) -> Trial:
    """The statement in at most `most` models, small sizes first, in which its hypotheses hold."""
    iv.prec = BITS
    random = Random(f"{conclusion!r}")
    instances = exact = undefined = 0
    for models in (_models(hypotheses, conclusion, declarations, random), _wider(hypotheses, random)):
        for model, source in models if not instances else ():
            try:
                if not all(model.holds(h) is True for h in hypotheses):
                    continue
                verdict = True
                for p in _instances(conclusion):
                    holds = model.holds(p)
                    if holds is False:
                        return Trial(instances, exact, undefined, model)
                    verdict = verdict and (holds is True or _certainly(p, source))
                undefined += _without_value(conclusion, source)
            except TOO_FAR:
                continue
            instances += 1
            exact += verdict
            if instances == most:
                break
    return Trial(instances, exact, undefined)


def contradictory(hypotheses: Sequence[Term]) -> bool:
    """Whether the kernel shows that the hypotheses can't all hold: by themselves, or one from the others."""
    if Context(tuple(hypotheses)).contradiction() is not None:
        return True
    plain = [h for h in hypotheses if h.op in RELATIONS and not h.args[0].rank]
    return any(prove(negation(h), Context([p for p in hypotheses if p != h])) is not None for h in plain)


def _models(
    hypotheses: Sequence[Term], conclusion: Term, declarations: Sequence[Declaration], random: Random
) -> Iterator[tuple[Model, evaluate.Model]]:
    """Models made to fit the hypotheses, then models at random."""
    try:
        cases = Family(declarations, hypotheses, (conclusion,)).cases()
    except (TermError, evaluate.TooLarge, RecursionError):
        cases = []
    cases = [*cases[:CASES], *random.sample(cases[CASES:], min(CASES, len(cases[CASES:])))]
    for pattern in range(PATTERNS):
        for case in cases:
            drawn = _drawn(case, pattern, random)
            if drawn is not None:
                yield drawn
    for _ in range(40):
        yield Model(random), evaluate.EMPTY


def _wider(hypotheses: Sequence[Term], random: Random) -> Iterator[tuple[Model, evaluate.Model]]:
    """Models at random with integers from a wider range."""
    integers = sorted({v for p in hypotheses for v in free_variables(p) if v.sort == "integer"}, key=repr)
    whole = [p for p in hypotheses if all(v.sort == "integer" for v in free_variables(p))]
    for _ in range(WIDER if integers else 0):
        model = Model(random, {v: Fraction(random.choice(FURTHER)) for v in integers})
        with suppress(*TOO_FAR):
            if not all(map(model.holds, whole)):
                continue
        yield model, evaluate.EMPTY


def _drawn(case: Case, pattern: int, random: Random) -> tuple[Model, evaluate.Model] | None:
    try:
        candidate = case.draw(pattern)
        return None if candidate is None else (_small(candidate.model, random), candidate.model)
    except (TermError, evaluate.TooLarge, evaluate.NotCertain, evaluate.Undefined, RecursionError, *TOO_FAR):
        return None


def _small(found: evaluate.Model, random: Random) -> Model:
    """The same values for the other evaluator."""
    model = Model(random)
    waiting = {v: x for v, x in found.values.items() if isinstance(x, Term)}
    for v, x in found.values.items():
        if isinstance(x, evaluate.Tensor):
            model.values[v] = lambda *at, x=x: _value(x.table.get(at, x.default(at)), model)
        elif not isinstance(x, Term):
            model.values[v] = Fraction(x)
        elif v.rank:
            model.values[v] = lambda *at, x=x: model.entry(x, at, ())
    while waiting:
        ready = [v for v, x in waiting.items() if v.rank or free_variables(x).isdisjoint(waiting)]
        for v in ready or list(waiting):
            x = waiting.pop(v)
            if not v.rank:
                model.values[v] = model.number(x)
    return model


def _value(x: evaluate.Exact | Term, model: Model) -> Fraction:
    return model.number(x) if isinstance(x, Term) else Fraction(x)


def _instances(p: Term) -> Iterator[Term]:
    """The relation itself; of an equation between tensors, the equations between some of their entries."""
    if p.op == "forall" or not p.args[0].rank:
        yield p
        return
    for at in itertools.product(map(num, EDGE), repeat=p.args[0].rank):
        yield relation("eq", *(entry(t, *at) for t in p.args))


def _certainly(p: Term, source: evaluate.Model) -> bool:
    try:
        return evaluate.holds(p, source, limits=LIMITS) is True
    except (evaluate.Undefined, evaluate.Unassigned, evaluate.TooLarge):
        return False


def _without_value(conclusion: Term, source: evaluate.Model) -> bool:
    try:
        for p in _instances(conclusion):
            evaluate.holds(p, source, limits=LIMITS)
    except evaluate.Undefined:
        return True
    except (evaluate.Unassigned, evaluate.TooLarge):
        return False
    return False
