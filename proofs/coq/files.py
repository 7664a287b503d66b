"""The Coq file of a theorem: its definitions, its statement, a lemma for each line of its chain, and the theorem.

What is stated comes from the statement alone; the chain supplies proofs. Every line carries the declarations and
hypotheses of the statement, so that nothing is said outside of the index ranges, and every division, root and logarithm
in it has its condition as a lemma of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from itertools import product

from proofs.calc import Chain
from proofs.context import Context
from proofs.coq.inferences import Inferences, Lemma, Place, row_name, row_variables
from proofs.coq.writing import Inexpressible, Writer, binders, identifier, type_of
from proofs.defined import conditions
from proofs.evaluate import Model, exact

from proofs.kernel import AXIOMS, Theorem
from proofs.refute import satisfiable
from proofs.statement import Declaration, Statement
from proofs.terms import Definition, Term, entry, free_variables, instantiate, num, relation, var

HEADER = """From Coq Require Import Reals ZArith Lia Lra FunctionalExtensionality.
From Derive Require Import prelude.
Open Scope R_scope.
"""
QUESTION_HEADER = """From Coq Require Import Reals ZArith.
From Derive Require Import prelude.
{more}Open Scope R_scope.
"""
INTERVAL_HEADER = """From Coq Require Import Reals ZArith.
From Interval Require Import Tactic.
Open Scope R_scope.
"""
_PRECISION = 120  # bits, for bounds


def module(name: str) -> str:
    """The name of a theorem as that of its file and of the theorem in it."""
    return name.replace("-", "_")


@dataclass(frozen=True)
class File:
    """What stands in the file of a theorem, and the inferences that its lemmas are of."""

    name: str
    definitions: tuple[str, ...]
    lemmas: tuple[Lemma, ...]
    inferences: Inferences

    def text(self) -> str:
        parts = [HEADER, *self.definitions, *(lemma.text() for lemma in self.lemmas)]
        return "\n".join(parts)


def _definitions(terms: Iterable[Term]) -> list[Definition]:
    """All definitions that occur, each after those that its body uses."""
    found: dict[Definition, None] = {}

    def look(t: Term) -> None:
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

    def __init__(self, statement: Statement, writer: Writer) -> None:
        self.statement, self.writer = statement, writer
        self.variables = [d.variable for d in statement.declarations]
        self.scope: dict[Term, str] = {}
        taken = list(writer.definitions.values())
        for v in self.variables:
            self.scope[v] = identifier(str(v.data), [*taken, *self.scope.values()])
        self.assumptions = statement.assumptions()
        self.place = Place(self.scope, {p: f"H{k}" for k, p in enumerate(self.assumptions, 1)})

    def implies(self, claim: str, without: Term | None = None, more: Sequence[str] = ()) -> str:
        """``forall ..., hypotheses -> claim``."""
        said = [self.writer.proposition(p, self.scope, 0) for p in self.assumptions if p != without]
        said = [*said, *more, claim]
        head = f"forall {binders(self.variables, self.scope)},\n  " if self.variables else ""
        return head + " ->\n  ".join(said)

    def intros(self) -> list[str]:
        names = [*self.scope.values(), *self.place.hypotheses.values()]
        return [f"intros {' '.join(names)}."] if names else []

    def arguments(self) -> str:
        return " ".join([*self.scope.values(), *self.place.hypotheses.values()])


def _stated(statement: Statement, more: Iterable[Term] = ()) -> tuple[_Stated, list[str]]:
    """A statement's words in Coq, and the definitions that must stand before it."""
    found = _definitions((*statement.assumptions(), statement.claim, *more))
    names: dict[Definition, str] = {}
    for d in found:
        names[d] = identifier(d.name, names.values())
    writer = Writer(names)
    return _Stated(statement, writer), [definition(d, writer) for d in found]


def without(name: str, statement: Statement, hypothesis: Term) -> Lemma:
    """The theorem without one of its hypotheses, from the theorem and what follows from the others."""
    said, _ = _stated(statement)
    claim = said.writer.proposition(statement.claim, said.scope)
    names = [*said.scope.values(), *(n for p, n in said.place.hypotheses.items() if p != hypothesis)]
    used = " ".join([f"{module(name)}.{module(name)}", *said.scope.values()])
    proof = (f"intros {' '.join(names)}.", f"apply ({used}); first [ assumption | lia | lra ].")
    number = said.place.hypotheses[hypothesis].removeprefix("H")
    return Lemma(f"without_{number}", said.implies(claim, hypothesis), proof)


def prelude() -> str:
    """The file that every other one rests on."""
    return (files("proofs.coq") / "prelude.v").read_text(encoding="utf-8")


def asked(name: str, statement: Statement) -> str:
    """A file that holds a theorem against its statement: the definitions are its own, and only the proof is taken."""
    said, definitions = _stated(statement)
    expected = said.implies(said.writer.proposition(statement.claim, said.scope))
    return "\n".join([
        QUESTION_HEADER.format(more=f"From Derive Require {module(name)}.\n"),
        *definitions,
        f"Definition expected : Prop :=\n  {expected}.\n",
        f"Definition holds : expected := {module(name)}.{module(name)}.\n",
    ])  # fmt: skip


def rests(names: Sequence[str]) -> str:
    """A file that asks on what these theorems, each held against its statement, rest all together."""
    required = "".join(f"From Derive Require asked_{module(n)}.\n" for n in names)
    return required + _together([f"asked_{module(n)}.holds" for n in names])


def axioms(logarithms: bool = False) -> str:
    """A file that holds each row of the kernel's table against its lemma in the prelude: those on logarithms, or else
    all others."""
    writer = Writer({})
    parts, names = [QUESTION_HEADER.format(more="")], []
    for row in AXIOMS.values():
        if any(_speaks_of("ln", p) for p in (*row.premises, row.conclusion)) != logarithms:
            continue
        variables = row_variables(row.name)
        scope: dict[Term, str] = {}
        for v in variables:
            scope[v] = identifier(str(v.data), scope.values())
        said = [writer.proposition(p, scope, 0) for p in row.premises]
        said.append(writer.proposition(row.conclusion, scope))
        head = f"forall {binders(variables, scope)}, " if variables else ""
        names.append(f"row_{row_name(row.name)}")
        parts.append(f"Definition {names[-1]} : {head}{' -> '.join(said)} :=\n  {row_name(row.name)}.\n")
    return "\n".join([*parts, _together(names)])


def bounds(inequalities: Iterable[Term]) -> str:
    """A file of inequalities between closed numbers, each proved by interval arithmetic."""
    writer = Writer({})
    parts, names = [INTERVAL_HEADER], []
    for k, p in enumerate(inequalities, 1):
        proof = (f"interval with (i_prec {_PRECISION}).",)
        names.append(f"bound_{k}")
        parts.append(Lemma(names[-1], writer.proposition(p, {}, like=_REAL[p.op]), proof).text())
    return "\n".join([*parts, _together(names)])


def _together(names: Sequence[str]) -> str:
    return f"Definition all_of_them := ({', '.join(names)}).\nPrint Assumptions all_of_them.\n"


def speaks_of_logarithms(chain: Chain) -> bool:
    """Whether a logarithm stands in a line of the chain."""
    return any(_speaks_of("ln", line.term) for line in chain.lines)


def _speaks_of(op: str, t: Term) -> bool:
    return t.op == op or any(_speaks_of(op, a) for a in t.args)


_REAL = {op: relation(op, var("x"), var("y")) for op in ("le", "lt", "ne")}


def written(name: str, chain: Chain) -> File:
    """The file of a theorem.

    Raises
    ------
    Inexpressible
        Where a term of the proof has no translation.
    """
    statement = chain.statement
    said, definitions = _stated(statement, [line.term for line in chain.lines])
    writer = said.writer
    inferences = Inferences(writer, said.scope)
    lemmas: list[Lemma] = [_witness(said)] if said.assumptions else []
    ctx = Context.of(statement)
    lines: dict[int, str] = {}
    before = chain.lines[0].term
    own = {line.term for line in chain.lines}
    lemmas += _defined(said, inferences, "claim", [a for a in statement.claim.args if a not in own], ctx)
    for k, line in enumerate(chain.lines):
        lemmas += _defined(said, inferences, f"line_{k}", [line.term], ctx)
        if line.theorem is None:
            continue
        lemmas += inferences.written(line.theorem, f"line_{k}")
        goal = writer.proposition(relation(line.relation or "eq", before, line.term), said.scope)
        proof = f"exact {inferences.use(line.theorem, said.place)}."
        lemmas.append(Lemma(f"line_{k}", said.implies(goal), (*said.intros(), proof)))
        lines[id(line.theorem)] = f"line_{k}"
        before = line.term
    lemmas += _joined(name, chain, said, inferences, lines)
    return File(module(name), tuple(definitions), tuple(lemmas), inferences)


def _joined(
    name: str, chain: Chain, said: _Stated, inferences: Inferences, lines: Mapping[int, str]
) -> Iterable[Lemma]:
    """The theorem from its lines, and the lemmas for what joins them."""
    rests: dict[int, bool] = {}

    def on_lines(t: Theorem) -> bool:
        if id(t) not in rests:
            rests[id(t)] = id(t) in lines or any(map(on_lines, t.premises))
        return rests[id(t)]

    script: list[str] = []
    done: dict[int, str] = {}
    lemmas: list[Lemma] = []
    inside = _Joining(inferences, done)

    def prove(t: Theorem) -> None:
        if id(t) in done or not on_lines(t):
            if id(t) not in done:
                lemmas.extend(inferences.written(t, "joining"))
            return
        if id(t) in lines:
            done[id(t)] = f"H_line{len(done) + 1}"
            script.append(f"pose proof ({lines[id(t)]} {said.arguments()}) as {done[id(t)]}.".replace(" )", ")"))
            return
        for p in t.premises:
            prove(p)
        goal = said.writer.proposition(t.conclusion, said.scope)
        steps = inside.script(t, said.place)
        done[id(t)] = f"H_line{len(done) + 1}"
        script.append(f"assert ({done[id(t)]} : {goal}).")
        script.append(f"{{ {' '.join(steps)} }}")

    theorem = chain.theorem
    prove(theorem)
    goal = said.writer.proposition(chain.statement.claim, said.scope)
    last = done.get(id(theorem)) or inferences.use(theorem, said.place)
    main = Lemma(module(name), said.implies(goal), (*said.intros(), *script, f"exact {last}."), "Theorem")
    return [*lemmas, main]


class _Joining(Inferences):
    """Inferences inside the theorem's own proof, where what was shown so far has a name."""

    def __init__(self, outer: Inferences, done: Mapping[int, str]) -> None:
        self.writer, self.names, self.lemmas = outer.writer, outer.names, outer.lemmas
        self.outer, self.done = outer, done

    def use(self, t: Theorem, place: Place) -> str:
        return self.done.get(id(t)) or self.outer.use(t, place)


def _defined(said: _Stated, inferences: Inferences, name: str, terms: Iterable[Term], ctx: Context) -> Iterable[Lemma]:
    """The conditions under which terms have a value, each as a lemma."""
    lemmas: list[Lemma] = []
    found = (c for t in terms for c in conditions(t, ctx))
    for j, c in enumerate(found, 1):
        if c.theorem is None:
            raise Inexpressible(f"{c.part!r} is not shown to have a value")
        label = f"{name}_defined_{j}"
        lemmas += inferences.written(c.theorem, label)
        lemmas.append(_condition(said, inferences, label, c.path, c.wanted, c.theorem))
    return lemmas


def _condition(
    said: _Stated, inferences: Inferences, name: str, path: Sequence[Term], condition: Term, shown: Theorem
) -> Lemma:
    """That a condition holds wherever it is asked: under the hypotheses and what holds on the way to it."""
    free = {v for p in (*path, condition) for v in free_variables(p)} - set(said.variables)
    inner = sorted(free, key=lambda v: str(v.data))
    names = inferences.scope(inner)
    scope = {**said.scope, **names}
    writer = said.writer
    more = [writer.proposition(p, scope, 0) for p in path]
    goal = " -> ".join([*more, writer.proposition(condition, scope)])
    if inner:
        goal = f"forall {binders(inner, scope)}, {goal}"
    known = {p: f"H_way{k}" for k, p in enumerate(path, 1)}
    opened = [*names.values(), *known.values()]
    intros = [f"intros {' '.join(opened)}."] if opened else []
    place = said.place.within(names, known)
    return Lemma(name, said.implies(goal), (*said.intros(), *intros, f"from {inferences.use(shown, place)}."))


# --- that the hypotheses can hold ----------------------------------------------------------------------------


def _witness(said: _Stated) -> Lemma:
    """That some values meet all hypotheses at once, so that nothing is claimed of nothing."""
    statement = said.statement
    model = satisfiable(statement.declarations, statement.hypotheses, about=said.variables)
    if model is None:
        raise Inexpressible("no values were found that meet all hypotheses")
    values = {d.variable: _table(d, model) for d in statement.declarations}
    goal = " /\\ ".join(said.writer.proposition(p, said.scope, 0) for p in said.assumptions)
    head = "".join(f"exists {said.scope[v]} : {type_of(v)}, " for v in said.variables)
    proof = [f"exists {', '.join(_function(v, values[v]) for v in said.variables)}."]
    parts = "_"
    for _ in said.assumptions[1:]:
        parts = f"(conj _ {parts})"
    proof.append(f"refine {parts}.")
    proof += [f"- {_check(p, model)}" for p in said.assumptions]
    return Lemma("hypotheses_can_hold", head + goal, tuple(proof))


def _number(t: Term, model: Model) -> Fraction:
    x = exact(t, model)
    if x is None:
        raise Inexpressible(f"{t!r} has no rational value in the instance")
    return x


def _table(d: Declaration, model: Model) -> dict[tuple[int, ...], Fraction]:
    """The entries of a variable within its dimensions; of a number, its one value at ``()``."""
    sizes = [int(_number(n, model)) for n in d.dimensions]
    places = list(product(*(range(1, n + 1) for n in sizes)))
    if not d.variable.rank:
        return {(): _number(d.variable, model)}
    return {p: _number(entry(d.variable, *map(num, p)), model) for p in places}


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
