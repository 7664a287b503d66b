"""From a tree to a term: names get their meaning, numbers are spread over tensors, sizes are inferred.

``z - c`` with a tensor `z` becomes a comprehension; ``softmax(z - c)`` gets the dimension of `z` as its first
argument by matching dimensions against the definition's signature. Nothing is simplified, except that numerals
in exponents, factorials and binomials are worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence as Many
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from proofs.statement import Signature
from proofs.syntax import nodes
from proofs.syntax.environment import Environment, dimensions, value_dimensions
from proofs.syntax.explicit import MAX_LENGTH, selected
from proofs.syntax.faults import Params, Span, SyntaxFault
from proofs.syntax.numerals import binomial, factorial, raised, rational, root
from proofs.syntax.parser import parse
from proofs.syntax.tokens import PLAIN_NOTATION, Notation
from proofs.syntax.words import FOREIGN, FUNCTIONS, foreign
from proofs.terms import (
    MAX_NODES, Term, TermError, add, apply, comprehension, div, entry, exp, free_variables, greatest, ln, maximum, mul,
    neg, num, relation, sqrt, substitute, total, var, when,
)  # fmt: skip

MAX_BINDERS = 16
_RELATIONS = {"=": "eq", "!=": "ne", "<=": "le", "<": "lt", ">=": "le", ">": "lt"}
_BY_CUSTOM = frozenset("fgFG")
_FRESH = ("i", "j", "k", "l", "m", "p", "q", "r", "s")

Dimensions: TypeAlias = tuple[Term, ...]
Scope: TypeAlias = dict[str, Term]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Value:
    """What a node stands for: its dimensions, its entry at given indices, and the term if there is one already."""

    dims: Dimensions
    at: Callable[[Dimensions], Term]
    whole: Term | None = None


def _number(t: Term) -> _Value:
    return _Value((), lambda _: t, t)


def _tensor(t: Term, dims: Dimensions) -> _Value:
    return _Value(dims, lambda indices: entry(t, *indices), t)


class _Elaborator:
    def __init__(self, env: Environment, root_node: nodes.Node) -> None:
        self.env = env
        self.sizes = env.sizes()
        self.binders = 0
        self.top: Scope = {}
        self.scopes = [self.top]  # kept, so that no two scopes are ever the same object
        self.known: dict[tuple[int, int], _Value] = {}
        taken = {n.name for n, _ in nodes.walk(root_node) if isinstance(n, (nodes.Name, nodes.Bind))}
        self.taken = taken | set(env.declarations)

    # --- values --------------------------------------------------------------------------------------------

    def fresh(self, count: int) -> list[Term]:
        names: list[str] = []
        k = 0
        while len(names) < count:
            name = _FRESH[k] if k < len(_FRESH) else f"i_{k}"
            k += 1
            if name not in self.taken:
                names.append(name)
        return [var(n, "integer") for n in names]

    def term(self, value: _Value) -> Term:
        """The value as one term, a tensor as a comprehension if it is not a term already."""
        if value.whole is not None:
            return value.whole
        indices = self.fresh(len(value.dims))
        return comprehension(indices, value.at(tuple(indices)))

    def scalar(self, node: nodes.Node, scope: Scope, what: str) -> Term:
        value = self.value(node, scope)
        if value.dims or value.whole is None:
            raise SyntaxFault("tensor-unexpected", node.span, {"what": what})
        return value.whole

    def integer(self, node: nodes.Node, scope: Scope, what: str) -> Term:
        t = self.scalar(node, scope, what)
        if t.sort != "integer":
            raise SyntaxFault("not-an-integer", node.span, {"what": what})
        return t

    def spread(self, span: Span, parts: Many[_Value], make: Callable[..., Term]) -> _Value:
        """``make(*parts)``, entry by entry where some are tensors; these must have the same dimensions."""
        dims: Dimensions = ()
        for p in parts:
            if p.dims and dims and p.dims != dims:
                raise _mismatch(span, dims, p.dims)
            dims = p.dims or dims
        if not dims:
            return _number(make(*(self.term(p) for p in parts)))
        return _Value(dims, lambda indices: make(*(p.at(indices if p.dims else ()) for p in parts)))

    # --- nodes ---------------------------------------------------------------------------------------------

    def value(self, node: nodes.Node, scope: Scope) -> _Value:
        key = (id(node), id(scope))
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self.read(node, scope)
        return known

    def read(self, node: nodes.Node, scope: Scope) -> _Value:
        match node:
            case nodes.Number(value=q):
                return _number(num(q))
            case nodes.Name():
                return self.name(node, scope)
            case nodes.Special(name=name):
                raise SyntaxFault("not-a-number", node.span, {"name": name})
            case nodes.Neg(operand=a):
                return self.spread(node.span, [self.value(a, scope)], neg)
            case nodes.Sum(operands=parts):
                return self.spread(node.span, [self.value(p, scope) for p in parts], add)
            case nodes.Product():
                return self.product(node, scope)
            case nodes.Frac(numerator=a, denominator=b):
                return self.quotient(node.span, self.value(a, scope), self.value(b, scope))
            case nodes.Power():
                return self.power(node, scope)
            case nodes.Factorial(operand=a):
                return _number(factorial(self.scalar(a, scope, "what has a factorial"), node.span))
            case nodes.Percent(operand=a):
                return self.spread(node.span, [self.value(a, scope)], lambda t: div(t, num(100)))
            case nodes.Apply():
                return self.applied(node, scope)
            case nodes.Bind():
                return self.bound(node, scope)
            case nodes.Entry():
                return self.entry(node, scope)
            case nodes.Sequence(bracket=bracket, items=items):
                if bracket not in ("(", "["):
                    raise SyntaxFault("sequence-unexpected", node.span)
                return self.written([self.value(i, scope) for i in items], node.span)
            case nodes.Matrix(rows=rows):
                made = [self.written([self.value(i, scope) for i in row], node.span) for row in rows]
                return self.written(made, node.span)
            case nodes.Relation(sign=sign):
                raise SyntaxFault("relation-unexpected", node.span, {"found": sign})
        raise SyntaxFault("outside-language", node.span, {"what": "an expression of this kind"})

    def name(self, node: nodes.Name, scope: Scope) -> _Value:
        bound = scope.get(node.name)
        if bound is not None:
            return _number(bound)
        declared = self.env.declarations.get(node.name)
        if declared is not None:
            dims = declared.dimensions
            return _tensor(declared.variable, dims) if dims else _number(declared.variable)
        if node.name == "e":
            return _number(exp(num(1)))
        raise self.undeclared(node.name, node.span, scope)

    def undeclared(self, name: str, span: Span, scope: Scope) -> SyntaxFault:
        if name in FOREIGN:
            return foreign(name, span)
        if name.rstrip("'") in _BY_CUSTOM:
            return SyntaxFault("unknown-function", span, {"name": name[:60]})
        nearest = self.env.nearest(name, scope)
        return SyntaxFault("undeclared", span, {"name": name[:60], "nearest": nearest})

    def product(self, node: nodes.Product, scope: Scope) -> _Value:
        done: list[_Value] = [self.value(node.factors[0], scope)]
        for sign, factor in zip(node.operators, node.factors[1:], strict=True):
            value = self.value(factor, scope)
            span = (node.span[0], factor.span[1])
            if sign == "/":
                done = [self.quotient(span, self.times(span, done), value)]
            else:
                done.append(value)
        return self.times(node.span, done)

    def times(self, span: Span, factors: Many[_Value]) -> _Value:
        if len(factors) == 1:
            return factors[0]
        if sum(1 for f in factors if f.dims) > 1:
            raise SyntaxFault("tensor-product", span)
        return self.spread(span, factors, mul)

    def quotient(self, span: Span, a: _Value, b: _Value) -> _Value:
        if a.dims and b.dims:
            raise SyntaxFault("tensor-product", span)
        return self.spread(span, [a, b], div)

    def power(self, node: nodes.Power, scope: Scope) -> _Value:
        base, exponent = self.value(node.base, scope), self.value(node.exponent, scope)
        if len(base.dims) > 1:
            raise SyntaxFault("tensor-product", node.span)
        return self.spread(node.span, [base, exponent], lambda b, n: raised(b, n, node.exponent.span))

    def written(self, items: Many[_Value], span: Span) -> _Value:
        """A tensor written out by its entries, or by its rows."""
        if len(items) > MAX_LENGTH:
            raise SyntaxFault("too-large", span, {"limit": MAX_LENGTH, "what": "entries"})
        for i in items:
            if i.dims != items[0].dims:
                raise _mismatch(span, items[0].dims, i.dims)
        dims = (num(len(items)), *items[0].dims)
        return _Value(dims, lambda indices: selected(indices[0], [i.at(indices[1:]) for i in items]))

    # --- entries -------------------------------------------------------------------------------------------

    def entry(self, node: nodes.Entry, scope: Scope) -> _Value:
        base, indices = node.base, list(node.indices)
        while isinstance(base, nodes.Entry):  # X[t][m]
            indices = [*base.indices, *indices]
            base = base.base
        spelled = node.subscript is not None and isinstance(base, nodes.Name)
        if spelled and isinstance(base, nodes.Name) and not self.has_entries(base, scope):
            name = f"{base.name}_{(node.subscript or '').replace(',', '_')}"
            raise self.undeclared(name, node.span, scope)
        operator = node.subscript is None and isinstance(base, nodes.Name) and base.name in ("E", "P")
        if operator and isinstance(base, nodes.Name) and not self.has_entries(base, scope):
            raise SyntaxFault("unknown-function", base.span, {"name": base.name})
        tensor = self.value(base, scope)
        if not tensor.dims:
            raise SyntaxFault("not-a-tensor", base.span)
        rank = len(tensor.dims)
        indices = _apart(node, indices, rank)
        if len(indices) != rank:
            raise SyntaxFault("wrong-number-of-indices", node.span, {"expected": rank, "found": len(indices)})
        places = [self.integer(i, scope, "an index") for i in indices]
        whole = self.term(tensor)
        if dimensions(whole, self.env) != tensor.dims:
            self.check_places(indices, places, tensor.dims)
        return _number(entry(whole, *places))

    def check_places(self, indices: Many[nodes.Node], places: Many[Term], dims: Dimensions) -> None:
        """Refuse an entry outside of a tensor whose term does not tell its dimensions, as that of ``2*[1, 2]``."""
        for node, place, d in zip(indices, places, dims, strict=True):
            k, top = rational(place), rational(d)
            if k is None or top is None:
                raise SyntaxFault("entry-unknown", node.span, {"upper": _shown((d,)).strip("[]")})
            if not 1 <= k <= top:
                raise SyntaxFault("entry-outside", node.span, {"index": str(k)[:20], "upper": str(top)})

    def has_entries(self, base: nodes.Name, scope: Scope) -> bool:
        declared = self.env.declarations.get(base.name)
        return base.name not in scope and declared is not None and bool(declared.dimensions)

    # --- functions -----------------------------------------------------------------------------------------

    def applied(self, node: nodes.Apply, scope: Scope) -> _Value:
        name, args = node.function, node.arguments
        signature = self.env.signatures.get(name)
        if signature is not None:
            return self.defined(node, signature, scope)
        if name not in FUNCTIONS:
            raise self.undeclared(name, node.span, scope)
        if name == "if":
            self.count(node, 3, 3)
            condition = self.condition(args[0], scope)
            branches = [self.value(a, scope) for a in args[1:]]
            return self.spread(node.span, branches, lambda a, b: when(condition, a, b))
        if name in ("sum", "max") and len(args) == 1:
            return self.over_vector(node, scope)
        values = [self.value(a, scope) for a in args]
        if name == "max":
            self.count(node, 2, 64)
            return self.spread(node.span, values, lambda *ts: _greatest_of(ts))
        if name == "binom":
            self.count(node, 2, 2)
            upper, lower = (self.scalar(a, scope, "a binomial's index") for a in args)
            return _number(binomial(upper, lower, node.span))
        if name == "sqrt":
            self.count(node, 1, 2)
            if len(args) == 1:
                return self.spread(node.span, values, sqrt)
            degree = rational(self.integer(args[1], scope, "the degree of a root"))
            if degree is None or degree < 1:
                raise SyntaxFault("outside-language", args[1].span, {"what": "a root of this degree"})
            return self.spread(node.span, values[:1], lambda t: root(t, int(degree), node.span))
        if name == "log":
            self.count(node, 1, 2)
            if len(args) == 2:
                return self.spread(node.span, values, lambda t, b: div(ln(t), ln(b)))
        self.count(node, 1, 1)
        if name == "abs":
            return self.spread(node.span, values, lambda t: maximum(t, neg(t)))
        return self.spread(node.span, values, exp if name == "exp" else ln)

    def count(self, node: nodes.Apply, least: int, most: int) -> None:
        if not least <= len(node.arguments) <= most:
            raise _miscounted(node, least if len(node.arguments) < least else most)

    def over_vector(self, node: nodes.Apply, scope: Scope) -> _Value:
        """``sum(z)`` and ``max(z)`` of a vector."""
        value = self.value(node.arguments[0], scope)
        if len(value.dims) != 1:
            raise SyntaxFault("range-unknown", node.span, {"name": node.function})
        (index,) = self.fresh(1)
        make = total if node.function == "sum" else greatest
        return _number(make(index, num(1), value.dims[0], value.at((index,))))

    def condition(self, node: nodes.Node, scope: Scope) -> Term:
        if not isinstance(node, nodes.Relation):
            raise SyntaxFault("relation-expected", node.span, {}, ("a relation",))
        a, b = (self.integer(x, scope, "each side of a condition") for x in (node.left, node.right))
        return _related(node.sign, a, b)

    def defined(self, node: nodes.Apply, signature: Signature, scope: Scope) -> _Value:
        """A definition at its arguments; the leading sizes are inferred unless they are all given."""
        definition = signature.definition
        parameters, hidden = definition.parameters, definition.implicit
        given = [self.value(a, scope) for a in node.arguments]
        if len(given) == len(parameters):
            hidden = 0
        elif len(given) != len(parameters) - hidden:
            raise _miscounted(node, len(parameters) - hidden)
        place = "an argument"
        known: dict[Term, Term] = {}
        shapes = list(zip(parameters, signature.parameters, strict=True))[hidden:]
        for (parameter, dims), value, arg in zip(shapes, given, node.arguments, strict=True):
            if len(value.dims) != len(dims):
                if not dims:
                    raise SyntaxFault("tensor-unexpected", arg.span, {"what": place})
                raise _mismatch(arg.span, dims, value.dims)
            if not dims:
                t = self.term(value)
                if parameter.sort == "integer" and t.sort != "integer":
                    raise SyntaxFault("not-an-integer", arg.span, {"what": place})
                known[parameter] = t
        for (_, dims), value in zip(shapes, given, strict=True):
            for pattern, actual in zip(dims, value.dims, strict=True):
                if pattern.op == "var" and pattern not in known:
                    known[pattern] = actual
        for (_, dims), value, arg in zip(shapes, given, node.arguments, strict=True):
            for pattern, actual in zip(dims, value.dims, strict=True):
                used = free_variables(pattern)
                if not used <= known.keys() or _filled_in(pattern, known) != actual:
                    raise _mismatch(arg.span, (_filled_in(pattern, known),), (actual,))
        args: list[Term] = []
        for p in parameters[:hidden]:
            if p not in known:
                raise SyntaxFault("range-unknown", node.span, {"name": str(p.data)})
            args.append(known[p])
        args.extend(self.term(v) for v in given)
        made = apply(definition, *args)
        return _tensor(made, value_dimensions(signature, tuple(args))) if signature.value else _number(made)

    # --- binders -------------------------------------------------------------------------------------------

    def bound(self, node: nodes.Bind, scope: Scope) -> _Value:
        self.binders += 1
        if self.binders > MAX_BINDERS:
            raise SyntaxFault("too-deep", node.span, {"limit": MAX_BINDERS})
        variable = var(node.name, "integer")
        if variable in self.sizes:  # so that a dimension which is inferred below can't be captured
            k = next(k for k in range(1, len(self.taken) + 2) if f"{node.name}_{k}" not in self.taken)
            variable = var(f"{node.name}_{k}", "integer")
            self.taken.add(f"{node.name}_{k}")
        inner = {**scope, node.name: variable}
        self.scopes.append(inner)
        if node.low is None or node.high is None:
            low, high = num(1), self.inferred(node, scope, inner)
        else:
            low = self.integer(node.low, scope, "an end of a range")
            high = self.integer(node.high, scope, "an end of a range")
        body = self.value(node.body, inner)
        self.binders -= 1
        make = total if node.kind == "sum" else greatest
        return self.spread(node.span, [body], lambda t: make(variable, low, high, t))

    def inferred(self, node: nodes.Bind, scope: Scope, inner: Scope) -> Term:
        r"""The upper end of ``\sum_j`` from the first entry in its body that has j for an index."""
        waiting: list[tuple[nodes.Node, bool]] = [(node.body, False)]
        while waiting:
            n, nested = waiting.pop()
            waiting.extend((c, nested or isinstance(n, nodes.Bind)) for c in reversed(list(nodes.children(n))))
            if not isinstance(n, nodes.Entry):
                continue
            # Below another sum only declared tensors count: its own index has no meaning out here.
            if not self.has_entries(n.base, scope) if isinstance(n.base, nodes.Name) else nested:
                continue
            if not any(_is_name(x, node.name) for index in n.indices for x, _ in nodes.walk(index)):
                continue
            dims = self.value(n.base, inner).dims
            for index, axis in zip(_apart(n, list(n.indices), len(dims)), dims, strict=False):
                if _is_name(index, node.name) and inner[node.name] not in free_variables(axis):
                    return axis
        raise SyntaxFault("range-unknown", node.span, {"name": node.name})


def _is_name(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.name == name


def _apart(node: nodes.Entry, indices: list[nodes.Node], rank: int) -> list[nodes.Node]:
    """The indices of ``X_{tm}``, where they stand side by side, one by one."""
    only = indices[0]
    spelled = node.subscript is not None and len(indices) == 1 < rank
    if spelled and isinstance(only, nodes.Product) and only.implicit and len(only.factors) == rank:
        return list(only.factors)
    return indices


def _filled_in(pattern: Term, known: dict[Term, Term]) -> Term:
    used = free_variables(pattern)
    return substitute(pattern, {p: t for p, t in known.items() if p in used})


def _greatest_of(terms: Many[Term]) -> Term:
    made = terms[0]
    for t in terms[1:]:
        made = maximum(made, t)
    return made


def _related(sign: str, a: Term, b: Term) -> Term:
    return relation(_RELATIONS[sign], b, a) if sign in (">", ">=") else relation(_RELATIONS[sign], a, b)


def _mismatch(span: Span, left: Dimensions, right: Dimensions) -> SyntaxFault:
    return SyntaxFault("dimensions-differ", span, {"left": _shown(left), "right": _shown(right)})


def _miscounted(node: nodes.Apply, expected: int) -> SyntaxFault:
    params: Params = {"name": node.function, "expected": expected, "found": len(node.arguments)}
    return SyntaxFault("wrong-number-of-arguments", node.span, params)


def _shown(dims: Dimensions) -> str:
    from proofs.syntax.to_plain import to_plain

    return f"[{', '.join(map(to_plain, dims))}]"[:80] if dims else "a number"


# --- reading -----------------------------------------------------------------------------------------------


def elaborate(node: nodes.Node, env: Environment) -> Term:
    """The term that an expression stands for: a number, or a tensor. Raises `SyntaxFault`."""
    return _guarded(node, lambda e: e.term(e.value(node, e.top)), env)


def elaborate_with_dimensions(node: nodes.Node, env: Environment) -> tuple[Term, Dimensions]:
    """The term and its dimensions, ``()`` for a number."""

    def both(e: _Elaborator) -> tuple[Term, Dimensions]:
        value = e.value(node, e.top)
        return e.term(value), value.dims

    return _guarded(node, both, env)


def elaborate_relation(node: nodes.Node, env: Environment) -> Term:
    """The proposition that a relation stands for; ``a >= b`` is ``b <= a``. Raises `SyntaxFault`."""
    if not isinstance(node, nodes.Relation):
        raise SyntaxFault("relation-expected", (node.span[1], node.span[1]), {}, ("a relation",))
    sides, sign = (node.left, node.right), node.sign

    def make(e: _Elaborator) -> Term:
        a, b = (e.value(x, e.top) for x in sides)
        if a.dims != b.dims:
            raise _mismatch(node.span, a.dims, b.dims)
        if a.dims and sign != "=":
            raise SyntaxFault("tensor-unexpected", node.span, {"what": "each side of a relation"})
        return _related(sign, e.term(a), e.term(b))

    return _guarded(node, make, env)


def _guarded(node: nodes.Node, make: Callable[[_Elaborator], _T], env: Environment) -> _T:
    try:
        return make(_Elaborator(env, node))
    except TermError as why:  # sorts and ranks were checked before: what remains are the limits on size
        raise SyntaxFault("too-large", node.span, {"limit": MAX_NODES, "what": "parts"}) from why


def read_expression(
    text: str, env: Environment, *, latex: bool | None = None, notation: Notation = PLAIN_NOTATION
) -> Term:
    """The term of `text`. With `latex` None, text with a backslash is LaTeX. Raises `SyntaxFault`."""
    tensors = env.tensors()
    node = parse(
        text, env.declarations, env.signatures, tensors=tensors, latex=latex, notation=notation, only="expression"
    )  # fmt: skip
    return elaborate(node, env)


def read_relation(
    text: str, env: Environment, *, latex: bool | None = None, notation: Notation = PLAIN_NOTATION
) -> Term:
    """The proposition that `text` stands for: a relation between two expressions. Raises `SyntaxFault`."""
    tensors = env.tensors()
    node = parse(
        text, env.declarations, env.signatures, tensors=tensors, latex=latex, notation=notation, only="relation"
    )  # fmt: skip
    return elaborate_relation(node, env)
