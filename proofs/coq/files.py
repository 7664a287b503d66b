"""The Coq file of a statement: its definitions, a lemma for each theorem that is named, and the theorem of the claim.

What is stated comes from the statement and from what each theorem says; the theorems supply proofs. Every lemma
carries the declarations and hypotheses of the statement, so that nothing is said outside of the index ranges. What Coq
is asked is written by `question`, which shares nothing with this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from proofs.coq.inferences import Inferences, Lemma, Place
from proofs.coq.shared import Inexpressible, beside, module, own_variables
from proofs.coq.writing import Writer, binders, identifier, type_of
from proofs.evaluate import Model, exact
from proofs.kernel import Theorem
from proofs.record import Established
from proofs.refute import satisfiable
from proofs.statement import Declaration, Statement
from proofs.terms import Definition, Term, entry, instantiate, num

HEADER = """From Coq Require Import Reals ZArith Lia Lra FunctionalExtensionality.
From Derive Require Import prelude.
Open Scope R_scope.
"""
INTERVAL_HEADER = f"From Interval Require Import Tactic.\n{HEADER}"


@dataclass(frozen=True)
class File:
    """What stands in a file, and the inferences that its lemmas are of; `bounds` says whether it compares numbers."""

    name: str
    definitions: tuple[str, ...]
    lemmas: tuple[Lemma, ...]
    inferences: Inferences
    bounds: bool = False

    def text(self) -> str:
        parts = [INTERVAL_HEADER if self.bounds else HEADER, *self.definitions, *(x.text() for x in self.lemmas)]
        return "\n".join(parts)


def inferences_of(theorems: Iterable[Theorem]) -> Iterator[Theorem]:
    """Every inference that theorems rest on, themselves included, each once."""
    seen: set[int] = set()
    stack = list(theorems)
    while stack:
        t = stack.pop()
        if id(t) not in seen:
            seen.add(id(t))
            stack += t.premises
            yield t


def _definitions(terms: Iterable[Term]) -> list[Definition]:
    """All definitions that occur, each after those that its body uses."""
    found: dict[Definition, None] = {}
    seen: set[Term] = set()

    def look(t: Term) -> None:
        if t in seen:
            return
        seen.add(t)
        for a in t.args:
            look(a)
        if isinstance(t.data, Definition) and t.data not in found:
            look(t.data.body)
            found.setdefault(t.data)

    for t in terms:
        look(t)
    return list(found)


def definition(d: Definition, writer: Writer) -> str:
    """A definition in Coq."""
    scope: dict[Term, str] = {}
    for p in d.parameters:
        scope[p] = identifier(str(p.data), [*scope.values(), *writer.definitions.values()])
    kind = " -> ".join(["Z"] * d.body.rank + ["R"])
    body = writer.body(d.body, scope)
    return f"Definition {writer.definitions[d]} {binders(d.parameters, scope)} : {kind} :=\n  {body}.\n"


class _Stated:
    """A statement in Coq: the names of its variables and hypotheses."""

    def __init__(self, name: str, statement: Statement, writer: Writer) -> None:
        self.statement, self.writer = statement, writer
        self.variables = [d.variable for d in statement.declarations]
        self.scope: dict[Term, str] = {}
        taken = [module(name), *writer.definitions.values()]
        for v in self.variables:
            self.scope[v] = identifier(str(v.data), [*taken, *self.scope.values()])
        self.assumptions = statement.assumptions()
        self.place = Place(self.scope, {p: f"H{k}" for k, p in enumerate(self.assumptions, 1)})

    def implies(self, claim: str, without: Term | None = None) -> str:
        """``forall ..., hypotheses -> claim``."""
        said = [self.writer.proposition(p, self.scope, 0) for p in self.assumptions if p != without]
        head = f"forall {binders(self.variables, self.scope)},\n  " if self.variables else ""
        return head + " ->\n  ".join([*said, claim])

    def lemma(self, name: str, e: Established, inferences: Inferences, keyword: str = "Lemma") -> Lemma:
        """What is asked, under the hypotheses of the statement and under those at its place."""
        more, variables = beside(self.statement, e), own_variables(self.statement, e)
        names = inferences.scope(variables)
        known = {p: f"H_way{k}" for k, p in enumerate(more, 1)}
        place = self.place.within(names, known)
        said = [self.writer.proposition(p, place.scope, 0) for p in (*self.assumptions, *more)]
        said.append(self.writer.proposition(e.asked, place.scope))
        bound = [*self.variables, *variables]
        head = f"forall {binders(bound, place.scope)},\n  " if bound else ""
        opened = [place.scope[v] for v in bound] + list(place.hypotheses.values())
        intros = [f"intros {' '.join(opened)}."] if opened else []
        return Lemma(
            name, head + " ->\n  ".join(said), (*intros, f"exact {inferences.use(e.theorem, place)}."), keyword
        )


def _stated(name: str, statement: Statement, more: Iterable[Term] = ()) -> tuple[_Stated, list[str]]:
    """A statement's words in Coq, and the definitions that must stand before it."""
    found = _definitions((*statement.assumptions(), statement.claim, *more))
    names: dict[Definition, str] = {}
    for d in found:
        names[d] = identifier(d.name, [module(name), *names.values()])
    writer = Writer(names)
    return _Stated(name, statement, writer), [definition(d, writer) for d in found]


def without(name: str, statement: Statement, hypothesis: Term) -> Lemma:
    """The theorem without one of its hypotheses, from the theorem and what follows from the others."""
    said, _ = _stated(name, statement)
    claim = said.writer.proposition(statement.claim, said.scope)
    names = [*said.scope.values(), *(n for p, n in said.place.hypotheses.items() if p != hypothesis)]
    used = " ".join([f"{module(name)}.{module(name)}", *said.scope.values()])
    proof = (f"intros {' '.join(names)}.", f"apply ({used}); first [ assumption | lia | lra ].")
    number = said.place.hypotheses[hypothesis].removeprefix("H")
    return Lemma(f"without_{number}", said.implies(claim, hypothesis), proof)


def written(
    name: str, statement: Statement, theorem: Theorem, named: Sequence[tuple[str, Established]] = (),
    witness: bool = False,
) -> File:  # fmt: skip
    """The file in which Coq finds a proof of a statement, and one lemma for each of what is `named` beside it.

    With `witness`, it also shows that some values meet all hypotheses at once, where such values are found.

    Raises
    ------
    Inexpressible
        Where a term of a proof has no translation, or where the theorem is another one than was stated.
    """
    claim = Established("claim", statement.claim, theorem)
    granted = set(statement.assumptions())
    for e in (*(e for _, e in named), claim):
        if e.theorem.conclusion != e.asked or not e.theorem.hypotheses <= {*granted, *e.path}:
            raise Inexpressible(f"the theorem {e.name} is not what was asked")
    proofs = [*(e.theorem for _, e in named), theorem]
    made = list(inferences_of(proofs))
    spoken = [p for t in made for p in (*t.hypotheses, t.conclusion, *(x for x in t.parameters if isinstance(x, Term)))]
    said, definitions = _stated(name, statement, spoken)
    inferences = Inferences(said.writer, said.scope)
    first = _witness(said) if witness else None
    lemmas = [] if first is None else [first]
    for label, e in named:
        lemmas += [*inferences.written(e.theorem, label), said.lemma(label, e, inferences)]
    lemmas += inferences.written(theorem, "claim")
    lemmas.append(said.lemma(module(name), claim, inferences, "Theorem"))
    bounds = any(t.rule == "bound" for t in made)
    return File(module(name), tuple(definitions), tuple(lemmas), inferences, bounds)


# --- that the hypotheses can hold ----------------------------------------------------------------------------


def _witness(said: _Stated) -> Lemma | None:
    """That some values meet all hypotheses at once, so that nothing is claimed of nothing.

    None where there are no hypotheses, where they are no statements on fractions, or where no such values are found.
    """
    statement = said.statement
    if not said.assumptions or not all(map(_of_fractions, said.assumptions)):
        return None
    model = satisfiable(statement.declarations, statement.hypotheses, about=said.variables)
    if model is None:
        return None
    values: dict[Term, dict[tuple[int, ...], Fraction]] = {}
    for d in statement.declarations:
        table = _table(d, model)
        if table is None:
            return None
        values[d.variable] = table
    goal = " /\\ ".join(said.writer.proposition(p, said.scope, 0) for p in said.assumptions)
    head = "".join(f"exists {said.scope[v]} : {type_of(v)}, " for v in said.variables)
    proof = [f"exists {', '.join(_function(v, values[v]) for v in said.variables)}."]
    parts = "_"
    for _ in said.assumptions[1:]:
        parts = f"(conj _ {parts})"
    proof.append(f"refine {parts}.")
    proof += [f"- {_check(p, model)}" for p in said.assumptions]
    return Lemma("hypotheses_can_hold", head + goal, tuple(proof))


def _of_fractions(p: Term) -> bool:
    """Whether a hypothesis is made of what has a fraction for a value, given fractions."""
    return p.op not in ("app", "exp", "ln", "sqrt", "lam") and all(map(_of_fractions, p.args))


def _number(t: Term, model: Model) -> Fraction:
    x = exact(t, model)
    if x is None:
        raise Inexpressible(f"{t!r} has no rational value in the instance")
    return x


def _table(d: Declaration, model: Model) -> dict[tuple[int, ...], Fraction] | None:
    """The entries of a variable within its dimensions; of a number, its one value at ``()``. None if one is none."""
    sizes = [exact(n, model) for n in d.dimensions]
    if (d.variable.rank and not d.dimensions) or any(n is None for n in sizes):
        return None
    places = product(*(range(1, int(n) + 1) for n in sizes if n is not None)) if d.variable.rank else [()]
    found = {p: exact(entry(d.variable, *map(num, p)) if p else d.variable, model) for p in places}
    table = {p: q for p, q in found.items() if q is not None}
    return table if len(table) == len(found) else None


def _function(v: Term, table: Mapping[tuple[int, ...], Fraction]) -> str:
    def written(q: Fraction) -> str:
        return f"({q.numerator}) / {q.denominator}" if q.denominator > 1 else f"({q.numerator})"

    if not v.rank:
        return f"{written(table[()])}{'%Z' if v.sort == 'integer' else ''}"
    names = [f"i{k}" for k in range(1, v.rank + 1)]
    text = "0"
    for place, q in sorted(table.items(), reverse=True):
        if q:
            at = " && ".join(f"({n} =? {k})%Z" for n, k in zip(names, place, strict=True))
            text = f"if ({at})%bool then {written(q)} else {text}"
    return f"(fun {' '.join(names)} : Z => {text})"


def _check(p: Term, model: Model) -> str:
    """A proof of a hypothesis about numerals, by going through its ranges."""
    if p.op != "forall":
        return "witness."
    lo, hi = (int(_number(a, model)) for a in p.args[:2])
    if hi < lo:
        return "intros i H_low H_high; lia."
    values = " \\/ ".join(f"i = {k}%Z" for k in range(lo, hi + 1))
    rest = _check(instantiate(p.args[2], (num(lo),)), model)
    each = "repeat (destruct H_e as [H_e | H_e]); subst i"
    return f"intros i H_low H_high; assert (H_e : {values}) by lia; clear H_low H_high; {each}; {rest}"
