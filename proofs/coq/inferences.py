"""One small lemma for each inference of the kernel: its statement, and the fixed proof of its rule.

No proof searches, but for the conditions of `field` and the decision procedures for arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from proofs.coq.shared import row_name, row_variables
from proofs.coq.writing import Mode, Scope, Writer, anything, binders, identifier, mode_of, type_of
from proofs.kernel import AXIOMS, Theorem
from proofs.terms import Definition, Term, free_variables, negation, rebuild, relation, substitute, var

_LEAST_PRECISION = 120  # bits, for bounds


@dataclass(frozen=True)
class Lemma:
    """A lemma of a Coq file: its name, what it says, and the lines of its proof."""

    name: str
    statement: str
    proof: tuple[str, ...]
    keyword: str = "Lemma"

    def text(self) -> str:
        inside = "\n".join(f"  {line}" for line in self.proof)
        return f"{self.keyword} {self.name} : {self.statement}.\nProof.\n{inside}\nQed.\n"


@dataclass(frozen=True)
class Place:
    """Where a proof stands: the names of its variables and of its hypotheses."""

    scope: Scope
    hypotheses: Mapping[Term, str]

    def within(self, variables: Mapping[Term, str], hypotheses: Mapping[Term, str]) -> Place:
        return Place({**self.scope, **variables}, {**self.hypotheses, **hypotheses})


class Inferences:
    """Writes inferences as lemmas, each once; what is given in `names` is called by its name there."""

    def __init__(self, writer: Writer, names: Mapping[Term, str]) -> None:
        self.writer = writer
        self.names: dict[Term, str] = dict(names)
        self.lemmas: dict[int, Lemma] = {}  # by identity of the theorem
        self.made: list[tuple[Theorem, Lemma]] = []
        self._same: dict[tuple[object, ...], int] = {}
        self._kept: list[Theorem] = []  # keeps the identities alive

    # --- names ---

    def scope(self, variables: Iterable[Term]) -> dict[Term, str]:
        """A name for each variable, the same in the whole file."""
        for v in variables:
            if v not in self.names:
                taken = [*self.names.values(), *self.writer.definitions.values()]
                self.names[v] = identifier(str(v.data).replace("!", "i"), taken)
        return {v: self.names[v] for v in variables}

    def _variables(self, t: Theorem) -> list[Term]:
        free = {v for p in (*t.hypotheses, t.conclusion) for v in free_variables(p)}
        return sorted(free, key=lambda v: (str(v.data), v.sort, v.rank))

    def _hypotheses(self, t: Theorem) -> list[Term]:
        return sorted(t.hypotheses, key=repr)

    # --- lemmas ---

    def written(self, t: Theorem, prefix: str) -> list[Lemma]:
        """The lemmas for `t` and all that it rests on which are not written yet, in order; numbered once a file."""
        new: list[Lemma] = []
        stack = [(t, False)]
        while stack:
            x, ready = stack.pop()
            if id(x) in self.lemmas or x.rule == "assume":
                continue
            if not ready:
                stack.append((x, True))
                stack.extend((p, False) for p in reversed(x.premises))
                continue
            self._kept.append(x)
            key = (x.rule, tuple(map(self._key, x.premises)), x.parameters)
            if key in self._same:
                self.lemmas[id(x)] = self.lemmas[self._same[key]]
                continue
            lemma = self._lemma(x, f"{prefix}_step_{len(self.made) + 1}")
            self.lemmas[id(x)] = lemma
            self._same[key] = id(x)
            self.made.append((x, lemma))
            new.append(lemma)
        return new

    def _key(self, t: Theorem) -> object:
        return t.conclusion if t.rule == "assume" else self.lemmas[id(t)].name

    def _lemma(self, t: Theorem, name: str) -> Lemma:
        variables, hypotheses = self._variables(t), self._hypotheses(t)
        scope = self.scope(variables)
        known = {h: f"H{k}" for k, h in enumerate(hypotheses, 1)}
        names = [*scope.values(), *known.values()]
        proof = [f"intros {' '.join(names)}."] if names else []
        statement = self.says(t, t.conclusion)
        return Lemma(name, statement, (*proof, *self.script(t, Place(scope, known))))

    def says(self, t: Theorem, conclusion: Term) -> str:
        """``for all variables of t, its hypotheses -> conclusion``."""
        variables = self._variables(t)
        scope = self.scope(variables)
        said = [self.writer.proposition(p, scope, 0) for p in self._hypotheses(t)]
        said.append(self.writer.proposition(conclusion, scope))
        statement = " -> ".join(said)
        return f"forall {binders(variables, scope)}, {statement}" if variables else statement

    def use(self, t: Theorem, place: Place) -> str:
        """`t` as a proof at a place in which its hypotheses are known."""
        if t.rule == "assume":
            return place.hypotheses[t.conclusion]
        variables = [place.scope.get(v) or anything(v) for v in self._variables(t)]
        known = [place.hypotheses[h] for h in self._hypotheses(t)]
        parts = [self.lemmas[id(t)].name, *variables, *known]
        return f"({' '.join(parts)})" if len(parts) > 1 else parts[0]

    # --- the rules ---

    def script(self, t: Theorem, place: Place) -> list[str]:
        """The proof of what `t` says from its premises, at a place that names its variables and hypotheses.

        A variable of the premises that is not among them, such as that of a case distinction, may be anything.
        """
        inner = (*(x for x in t.parameters if isinstance(x, Term)), *(p.conclusion for p in t.premises))
        lost = {v: anything(v) for x in inner for v in free_variables(x) if v not in place.scope}
        place = place.within(lost, {})
        return getattr(self, f"_{t.rule}")(t, place)  # type: ignore[no-any-return]

    def _from(self, t: Theorem, place: Place) -> str:
        return f"from {self.use(t, place)}."

    def _cut(self, t: Theorem, place: Place) -> list[str]:
        known, theorem = t.premises
        said = self.writer.proposition(known.conclusion, place.scope)
        inside = place.within({}, {known.conclusion: "H_known"})
        return [f"assert (H_known : {said}) by from {self.use(known, place)}.", self._from(theorem, inside)]

    def _congruence(self, t: Theorem, place: Place) -> list[str]:
        term, positions = t.conclusion.args[0], [int(k) for k in t.parameters[1:]]  # type: ignore[arg-type]
        mode = mode_of(t.conclusion)
        if not positions:
            return ["reflexivity."]
        lines, steps = [], []
        for k, e in zip(positions, t.premises, strict=True):
            own = self._kind(term, k, mode)
            a, b = e.conclusion.args
            sides = [self.writer.side(x, own, place.scope) for x in (a, b)]
            scoped = f"({sides[0]} = {sides[1]})%Z" if own == "Z" else f"{sides[0]} = {sides[1]}"
            lines.append(f"assert (H_e{k} : {scoped}) by from {self.use(e, place)}.")
            hole = var("\N{MIDDLE DOT}hole", "integer" if own == "Z" else "real", a.rank)
            name = identifier("x", place.scope.values())
            args = list(term.args)
            args[k] = hole
            context = self.writer.side(rebuild(term, tuple(args)), mode, {**place.scope, hole: name}, 200)
            context = f"({context})%Z" if mode == "Z" else context
            steps.append(f"(f_equal (fun {name} : {type_of(hole)} => {context}) H_e{k})")
            args[k] = b
            term = rebuild(term, tuple(args))
        proof = steps[-1]
        for step in reversed(steps[:-1]):
            proof = f"(eq_trans {step} {proof})"
        return [*lines, f"exact {proof}."]

    def _kind(self, t: Term, position: int, mode: Mode) -> Mode:
        """In which type argument `position` of `t` stands, where `t` itself is written in `mode`."""
        if t.op == "app" and isinstance(t.data, Definition):
            p = t.data.parameters[position]
            return "function" if p.rank else "Z" if p.sort == "integer" else "R"
        if t.op == "entry":
            return "Z" if position else "function"
        if t.op in ("sum", "maxof") or (t.op == "pow" and position == 1):
            return "Z"
        return mode

    def _under(self, t: Theorem, place: Place) -> list[str]:
        term, variables = t.conclusion.args[0], [v for v in t.parameters[1:] if isinstance(v, Term)]
        names = self.scope(variables)
        (e,) = t.premises
        if term.op == "lam":
            steps = [f"apply functional_extensionality; intro {names[v]}." for v in variables]
            return [*steps, self._from(e, place.within(names, {}))]
        (v,) = variables
        lo, hi = relation("le", term.args[0], v), relation("le", v, term.args[1])
        law = "sum_ext" if term.op == "sum" else "greatest_ext"
        inside = place.within(names, {lo: "H_low", hi: "H_high"})
        return [
            f"apply {law}; [reflexivity | reflexivity |].", f"intros {names[v]} H_low H_high.", self._from(e, inside),
        ]  # fmt: skip

    def _branch(self, t: Theorem, place: Place) -> list[str]:
        c = t.conclusion.args[0].args[0]
        then, other = t.premises
        return [
            f"apply branch_{c.op}; intro H_case.",
            f"- {self._from(then, place.within({}, {c: 'H_case'}))}",
            f"- {self._from(other, place.within({}, {negation(c): 'H_case'}))}",
        ]

    def _choose(self, t: Theorem, place: Place) -> list[str]:
        c = t.conclusion.args[0].args[0]
        law = f"if_{c.op}" if t.premises[0].conclusion == c else f"if_not_{c.op}"
        return [f"apply {law}.", self._from(t.premises[0], place)]

    def _relate(self, t: Theorem, place: Place) -> list[str]:
        p, positions = t.premises[0].conclusion, [int(k) for k in t.parameters]  # type: ignore[arg-type]
        equal = dict(zip(positions, t.premises[1:], strict=True))
        sides = [*p.args, *t.conclusion.args]
        if p.args[0].rank:
            mode: Mode = "function"
        else:
            mode = (
                "Z"
                if mode_of(relation("eq", sides[0], sides[2])) == mode_of(relation("eq", sides[1], sides[3])) == "Z"
                else "R"
            )
        write = self.writer

        def said(op: str, a: Term, b: Term) -> str:
            x, y = write.side(a, mode, place.scope), write.side(b, mode, place.scope)
            sign = {"eq": "=", "le": "<=", "lt": "<", "ne": "<>"}[op]
            return f"({x} {sign} {y})%Z" if mode == "Z" else f"{x} {sign} {y}"

        lines = [f"assert (H_r : {said(p.op, *p.args)}) by from {self.use(t.premises[0], place)}."]
        proofs = []
        for k in (0, 1):
            if k in equal:
                lines.append(
                    f"assert (H_e{k} : {said('eq', *equal[k].conclusion.args)}) by from {self.use(equal[k], place)}."
                )
            proofs.append(f"H_e{k}" if k in equal else "eq_refl")
        signs = {"eq": "eq", "ne": "(fun x y => x <> y)"}
        r = signs.get(p.op) or f"{mode}{p.op}" if mode != "Z" else signs.get(p.op) or f"Z.{p.op}"
        return [*lines, f"from (relate _ {r} _ _ _ _ H_r {proofs[0]} {proofs[1]})."]

    def _cases(self, t: Theorem, place: Place) -> list[str]:
        p = t.parameters[0]
        holds, fails = t.premises
        mode = mode_of(p)  # type: ignore[arg-type]
        q = negation(p)  # type: ignore[arg-type]
        a, b = (self.writer.side(x, mode, place.scope, 0) for x in p.args)  # type: ignore[union-attr]
        if mode == "Z":
            a, b = (f"{x}%Z" for x in (a, b))
        return [
            f"apply (cases_{p.op}_{mode} {a} {b}); intro H_case.",  # type: ignore[union-attr]
            f"- {self._from(holds, place.within({}, {p: 'H_case'}))}",  # type: ignore[dict-item]
            f"- {self._from(fails, place.within({}, {q: 'H_case'}))}",
        ]

    def _absurd(self, t: Theorem, place: Place) -> list[str]:
        p = t.conclusion
        mode = mode_of(p)
        a, b = (self.writer.side(x, mode, place.scope, 0) for x in p.args)
        if mode == "Z":
            a, b = (f"{x}%Z" for x in (a, b))
        inside = place.within({}, {negation(p): "H_case"})
        return [
            f"apply (cases_{p.op}_{mode} {a} {b}); intro H_case; [exact H_case |].",
            f"apply impossible; {self._from(t.premises[0], inside)}",
        ]

    def _specialise(self, t: Theorem, place: Place) -> list[str]:
        values = dict(zip(t.parameters[::2], t.parameters[1::2], strict=True))
        (e,) = t.premises
        args = []
        for v in self._variables(e):
            value = values.get(v)
            if isinstance(value, Term):
                args.append(self.writer.value(value, v, place.scope))
            else:
                args.append(place.scope.get(v) or anything(v))
        put = {v: x for v, x in values.items() if isinstance(v, Term) and isinstance(x, Term)}
        known = [place.hypotheses[substitute(h, put)] for h in self._hypotheses(e)]
        if e.rule == "assume":
            return [f"from {known[0]}."]
        return [f"from ({' '.join([self.lemmas[id(e)].name, *args, *known])})."]

    def _generalise(self, t: Theorem, place: Place) -> list[str]:
        v, lo, hi = (x for x in t.parameters if isinstance(x, Term))
        names = self.scope([v])
        inside = place.within(names, {relation("le", lo, v): "H_low", relation("le", v, hi): "H_high"})
        return [f"intros {names[v]} H_low H_high.", self._from(t.premises[0], inside)]

    def _at(self, t: Theorem, place: Place) -> list[str]:
        value = self.writer.integer(t.parameters[0], place.scope)  # type: ignore[arg-type]
        every, low, high = (self.use(p, place) for p in t.premises)
        return [f"from ({every} {value} {low} {high})."]

    def _induction(self, t: Theorem, place: Place) -> list[str]:
        p, k, lo = (x for x in t.parameters if isinstance(x, Term))
        base, step = t.premises
        name = place.scope[k]
        first = relation("le", lo, k)
        inside = place.within({}, {first: "H_low", p: "H_before"})
        predicate = f"(fun {name} : Z => {self.writer.proposition(p, place.scope)})"
        return [
            f"revert {name} {place.hypotheses[first]}.",
            f"apply (induction_from {self.writer.integer(lo, place.scope)} {predicate}).",
            f"- {self._from(base, place)}",
            f"- intros {name} H_low H_before. {self._from(step, inside)}",
        ]

    def _definition(self, t: Theorem, place: Place) -> list[str]:
        named = sorted(n for d, n in self.writer.definitions.items() if d.name in t.parameters[1:])
        return [f"cbv delta [{' '.join(named)}] beta; same." if named else "cbv beta; same."]

    def _ring(self, t: Theorem, place: Place) -> list[str]:
        a, b = t.conclusion.args
        if mode_of(t.conclusion) == "Z":
            return ["ring."]
        lines = []
        for k, e in enumerate(t.premises, 1):
            x = self.writer.real(e.conclusion.args[0], place.scope, 69)
            lines.append(f"assert (H_n{k} : {x} <> 0) by from {self.use(e, place)}.")
        if _divides(a) or _divides(b):
            return [*lines, "first [ field; nonzero | unfold Rdiv; ring ]."]
        return ["ring."]

    def _linear(self, t: Theorem, place: Place) -> list[str]:
        whole = mode_of(t.conclusion) == "Z" and all(mode_of(p.conclusion) == "Z" for p in t.premises)
        names, lines = [], []
        for k, e in enumerate(t.premises, 1):
            p = e.conclusion
            if whole:
                lines.append(f"pose proof {self.use(e, place)} as H_q{k}.")
                continue
            mode = mode_of(p)
            if mode == "Z":
                law = {"le": "IZR_le", "eq": "IZR_eq", "lt": "next_below"}[p.op]
                lines.append(
                    f"pose proof ({law} _ _ {self.use(e, place)}) as H_q{k}; autorewrite with leaves in H_q{k}."
                )
            else:
                lines.append(f"pose proof {self.use(e, place)} as H_q{k}.")
            names.append(f"H_q{k}")
        if whole:
            return [*lines, "lia."]
        if mode_of(t.conclusion) == "Z":
            law = "below_next" if t.conclusion.op == "le" else "lt_IZR"
            return [*lines, f"apply {law}; autorewrite with leaves; lra."]
        return [*lines, "lra."]

    def _bound(self, t: Theorem, place: Place) -> list[str]:
        goal, bits = t.conclusion, int(t.parameters[1])  # type: ignore[arg-type]
        if mode_of(goal) == "Z":
            return ["lia." if goal.op != "ne" else "vm_compute; discriminate."]
        return [f"first [ lra | interval with (i_prec {max(_LEAST_PRECISION, bits)}) ]."]

    def _axiom(self, t: Theorem, place: Place) -> list[str]:
        row = AXIOMS[str(t.parameters[0])]
        values = dict(zip(t.parameters[1::2], t.parameters[2::2], strict=True))
        variables = row_variables(row.name)
        args = [self.writer.value(values[str(v.data)], v, place.scope) for v in variables]  # type: ignore[arg-type]
        lines, names = [], []
        for k, (p, e) in enumerate(zip(row.premises, t.premises, strict=True), 1):
            said = self.writer.proposition(e.conclusion, place.scope, like=p)
            given = self.use(e, place)
            each = f"first [ exact {given} | intros H_i H_low H_high; from ({given} H_i H_low H_high) ]"
            lines.append(f"assert (H_p{k} : {said}) by {each if p.op == 'forall' else f'from {given}'}.")
            names.append(f"H_p{k}")
        parts = [row_name(row.name), *args, *names]
        return [*lines, f"from ({' '.join(parts)})."]


def _divides(t: Term) -> bool:
    if t.op == "num":
        return t.sort == "real"
    negative = t.op == "pow" and t.args[1].op == "num" and t.args[1].data < 0  # type: ignore[operator]
    return t.op == "div" or negative or any(map(_divides, t.args))
