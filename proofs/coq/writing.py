"""Terms in Coq's language.

Integers are ``Z``, reals ``R``, a tensor is a function of its indices. An integer among reals stands under ``IZR``,
which is carried to the leaves: ``2*n*x`` is ``2 * IZR n * x``. A relation between two integers is one in ``Z`` if both
sides are made of ``+ - * ^ max if`` alone, else one in ``R``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from proofs.coq.shared import FORBIDDEN, Inexpressible, of_prelude
from proofs.terms import Definition, Term, binds, free_variables, instantiate, var

Mode = Literal["Z", "R", "function"]
Scope = Mapping[Term, str]

_KEYWORDS = frozenset({
    "as", "at", "by", "cofix", "else", "end", "exists", "exists2", "fix", "for", "forall", "fun", "if", "in", "let",
    "match", "mod", "return", "Prop", "SProp", "Set", "Type", "then", "using", "where", "with", "IF", "_",
})  # fmt: skip
_USED = frozenset({
    "R", "Z", "nat", "bool", "True", "False", "IZR", "exp", "ln", "sqrt", "powerRZ", "Rmax", "sum", "greatest",
    "negb", "eq_refl", "eq_trans", "f_equal", "functional_extensionality", "O", "S", "Rle", "Rlt", "IZR_le", "IZR_eq",
    "lt_IZR",
}) | of_prelude() | FORBIDDEN  # fmt: skip
_OURS = re.compile(r"H\d+|H_\w*|said_\w+|\w+_step_\d+|hypotheses_can_hold")  # names of hypotheses and of lemmas
_MAX_EXPONENT = 2_000  # Coq writes exponents in unary

_ATOM, _APPLICATION, _POWER, _NEGATION, _PRODUCT, _SUM, _RELATION, _WHOLE = 0, 10, 30, 35, 40, 50, 70, 200


def identifier(name: str, taken: Iterable[str]) -> str:
    """`name` as an identifier of Coq's that is not among `taken`: ``W^Q`` becomes ``W_Q``, a second ``n`` ``n_1``."""
    base = re.sub(r"[^A-Za-z0-9_']", "_", name).strip("_") or "i"
    base = base if base[0].isalpha() else f"i{base}"
    avoid = _KEYWORDS | _USED | frozenset(taken)
    candidate, k = base, 0
    while candidate in avoid or _OURS.fullmatch(candidate):
        k += 1
        candidate = f"{base}_{k}"
    return candidate


def type_of(v: Term) -> str:
    """The type of a variable: ``Z``, ``R`` or ``Z -> Z -> R``."""
    return " -> ".join(["Z"] * v.rank + ["Z" if v.sort == "integer" else "R"])


def anything(v: Term) -> str:
    """Some value of the variable's type."""
    if v.rank:
        return f"(fun {'_ ' * v.rank}=> 0)"
    return "0%Z" if v.sort == "integer" else "0"


def _plain_integer(t: Term) -> bool:
    """Whether `t` is written in ``Z``."""
    if t.sort != "integer":
        return False
    if t.op in ("num", "var", "bound"):
        return True
    if t.op == "if":
        return all(map(_plain_integer, t.args[1:]))
    return t.op in ("add", "mul", "neg", "pow", "max") and all(map(_plain_integer, t.args))


def mode_of(p: Term) -> Mode:
    """In which of Coq's types the two sides of a relation are compared."""
    if p.args[0].rank:
        return "function"
    return "Z" if all(map(_plain_integer, p.args)) else "R"


class Writer:
    """Writes terms; `definitions` names the Coq constant for each definition of the proof language."""

    def __init__(self, definitions: Mapping[Definition, str]) -> None:
        self.definitions = definitions

    # --- numbers ---

    def real(self, t: Term, scope: Scope, level: int = _WHOLE) -> str:
        """`t`, a number, as a real."""
        text, own = self._real(t, scope)
        return text if own <= level else f"({text})"

    def _real(self, t: Term, scope: Scope) -> tuple[str, int]:
        inner = self.real
        if t.rank or t.sort == "proposition":
            raise Inexpressible(f"{t!r} is no number")
        if t.op == "num":
            p, q = t.data.numerator, t.data.denominator  # type: ignore[union-attr]
            top = str(p) if p >= 0 else f"(-{-p})"
            return (top, _ATOM) if q == 1 else (f"{top} / {q}", _PRODUCT)
        if t.op in ("var", "bound"):
            name = scope[t]
            return (f"IZR {name}", _APPLICATION) if t.sort == "integer" else (name, _ATOM)
        if t.op in ("add", "mul", "neg"):
            return _operation(t, lambda x, level: inner(x, scope, level))
        if t.op == "div":
            return f"{inner(t.args[0], scope, _PRODUCT)} / {inner(t.args[1], scope, _PRODUCT - 1)}", _PRODUCT
        if t.op == "pow":
            return self._power(t, scope)
        if t.op in ("sqrt", "exp", "ln"):
            return f"{t.op} {inner(t.args[0], scope, _ATOM)}", _APPLICATION
        if t.op == "max":
            return f"Rmax {inner(t.args[0], scope, _ATOM)} {inner(t.args[1], scope, _ATOM)}", _APPLICATION
        if t.op == "entry":
            indices = " ".join(self.integer(i, scope) for i in t.args[1:])
            tensor = t.args[0]
            applied = self._application(tensor, scope) if tensor.op == "app" else self.function(tensor, scope)
            return f"{applied} {indices}", _APPLICATION
        if t.op == "if":
            c, a, b = t.args
            return f"if {self.test(c, scope)} then {inner(a, scope)} else {inner(b, scope)}", _WHOLE
        if t.op in ("sum", "maxof"):
            lo, hi = (self.bare_integer(a, scope, _ATOM) for a in t.args[:2])
            names, body = self._open(t, scope)
            name = "sum" if t.op == "sum" else "greatest"
            return f"{name} {lo} {hi} (fun {names[0]} : Z => {inner(*body)})", _APPLICATION
        return self._application(t, scope), _APPLICATION

    def _power(self, t: Term, scope: Scope) -> tuple[str, int]:
        base, n = t.args
        if n.op != "num":
            return f"powerRZ {self.real(base, scope, _ATOM)} {self.integer(n, scope)}", _APPLICATION
        k = int(n.data)  # type: ignore[arg-type]
        if abs(k) > _MAX_EXPONENT:
            raise Inexpressible(f"the exponent {k} is over {_MAX_EXPONENT}")
        power = f"{self.real(base, scope, _POWER - 1)} ^ {abs(k)}"
        return (power, _POWER) if k >= 0 else (f"/ {power}", _NEGATION)

    def integer(self, t: Term, scope: Scope) -> str:
        """`t` as an integer, fit to be an argument; with its scope, where it is more than a name."""
        text, _ = self._integer(t, scope)
        if t.op in ("var", "bound"):
            return text
        return f"{text}%Z" if t.op == "num" else f"({text})%Z"

    def bare_integer(self, t: Term, scope: Scope, level: int = _WHOLE) -> str:
        """`t` as an integer where Coq reads integers anyway."""
        text, own = self._integer(t, scope)
        return text if own <= level else f"({text})"

    def _integer(self, t: Term, scope: Scope) -> tuple[str, int]:
        inner = self.bare_integer
        if not _plain_integer(t):
            raise Inexpressible(f"{t!r} is no integer that can stand here")
        if t.op == "num":
            return (str(t.data), _ATOM) if t.data >= 0 else (f"({t.data})", _ATOM)  # type: ignore[operator]
        if t.op in ("var", "bound"):
            return scope[t], _ATOM
        if t.op in ("add", "mul", "neg"):
            return _operation(t, lambda x, level: inner(x, scope, level))
        if t.op == "max":
            return f"Z.max {inner(t.args[0], scope, _ATOM)} {inner(t.args[1], scope, _ATOM)}", _APPLICATION
        if t.op == "pow":
            return f"{inner(t.args[0], scope, _POWER - 1)} ^ {t.args[1].data}", _POWER
        c, a, b = t.args
        return f"if {self.test(c, scope)} then {inner(a, scope)} else {inner(b, scope)}", _WHOLE

    def test(self, c: Term, scope: Scope) -> str:
        """A condition as a value of type ``bool``."""
        a, b = (self.bare_integer(x, scope, _RELATION - 1) for x in c.args)
        sign = {"le": "<=?", "lt": "<?", "eq": "=?", "ne": "=?"}[c.op]
        text = f"({a} {sign} {b})%Z"
        return f"negb {text}" if c.op == "ne" else text

    # --- functions ---

    def function(self, t: Term, scope: Scope) -> str:
        """A tensor as a function, fit to be applied."""
        if t.op == "var":
            return scope[t]
        if t.op in ("lam", "app"):
            return f"({self.body(t, scope)})"
        raise Inexpressible(f"{t!r} is no tensor")

    def body(self, t: Term, scope: Scope) -> str:
        """A number or tensor without brackets, as the body of a definition."""
        if t.op == "lam":
            names, body = self._open(t, scope)
            return f"fun {' '.join(names)} : Z => {self.real(*body)}"
        if t.op == "app":
            return self._application(t, scope)
        return self.function(t, scope) if t.rank else self.real(t, scope)

    def _application(self, t: Term, scope: Scope) -> str:
        if not isinstance(t.data, Definition):
            raise Inexpressible(f"{t!r} applies no definition")
        args = [self.value(a, p, scope) for a, p in zip(t.args, t.data.parameters, strict=True)]
        return " ".join([self.definitions[t.data], *args])

    def value(self, a: Term, parameter: Term, scope: Scope) -> str:
        """`a` as a value of the type of `parameter`, fit to be an argument."""
        if parameter.rank:
            return self.function(a, scope)
        return self.integer(a, scope) if parameter.sort == "integer" else self.real(a, scope, _ATOM)

    def side(self, a: Term, mode: Mode, scope: Scope, level: int = _RELATION - 1) -> str:
        """One side of a relation in `mode`."""
        if mode == "function":
            return self.function(a, scope)
        return self.bare_integer(a, scope, level) if mode == "Z" else self.real(a, scope, level)

    # --- propositions ---

    def proposition(self, p: Term, scope: Scope, level: int = _WHOLE, like: Term | None = None) -> str:
        """A relation or 'for all'. With `like`, in the types in which that proposition of the same shape is written."""
        if p.op == "forall":
            names, (body, inside) = self._open(p, scope)
            lo, hi = (self.bare_integer(a, scope, _RELATION - 1) for a in p.args[:2])
            said = self.proposition(body, inside, like=None if like is None else like.args[-1])
            text = f"forall {names[0]} : Z, ({lo} <= {names[0]})%Z -> ({names[0]} <= {hi})%Z -> {said}"
            return text if level == _WHOLE else f"({text})"
        mode = mode_of(p if like is None else like)
        a, b = (self.side(x, mode, scope) for x in p.args)
        sign = {"eq": "=", "le": "<=", "lt": "<", "ne": "<>"}[p.op]
        return f"({a} {sign} {b})%Z" if mode == "Z" else f"{a} {sign} {b}"

    def _open(self, t: Term, scope: Scope) -> tuple[list[str], tuple[Term, Scope]]:
        """Names for what `t` binds, and its body with the scope in which these stand for it."""
        free = free_variables(t)
        taken = {scope[v] for v in free} | set(self.definitions.values())
        names: list[str] = []
        fresh: list[Term] = []
        for k in range(binds(t)):
            name = identifier(t.hint[k] if k < len(t.hint) else "i", [*taken, *names])
            names.append(name)
            fresh.append(var(f"{name}\N{MIDDLE DOT}{len(scope)}.{k}", "integer"))
        inside = {**scope, **dict(zip(fresh, names, strict=True))}
        return names, (instantiate(t.args[-1], fresh), inside)


def binders(variables: Sequence[Term], scope: Scope) -> str:
    """``(n m : Z) (x : R)`` for the variables in this order, neighbours of one type together."""
    groups: list[tuple[str, list[str]]] = []
    for v in variables:
        if groups and groups[-1][0] == type_of(v):
            groups[-1][1].append(scope[v])
        else:
            groups.append((type_of(v), [scope[v]]))
    return " ".join(f"({' '.join(names)} : {kind})" for kind, names in groups)


def _operation(t: Term, write: Callable[[Term, int], str]) -> tuple[str, int]:
    """A sum, a product or a negative, and the level at which it stands."""
    first, *rest = t.args
    if t.op == "neg":
        return f"- {write(first, _NEGATION - 1)}", _NEGATION
    if t.op == "mul":
        return " * ".join([write(first, _PRODUCT), *(write(a, _PRODUCT - 1) for a in rest)]), _PRODUCT
    text = write(first, _SUM)
    for a in rest:
        minus = a.op == "neg"
        text += f" {'-' if minus else '+'} {write(a.args[0] if minus else a, _SUM - 1)}"
    return text, _SUM
