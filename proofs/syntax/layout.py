"""The layout of a formula: where brackets, fractions, subscripts and the names of bound indices go.

One walk over a term decides all of it, for every target; the emitters turn the boxes into LaTeX, Typst, plain
text and speech and decide nothing. The walk knows levels and nothing of mathematics, and nothing that is
printed is trusted.

A node stands in a place if its level is at least that of the place; otherwise it gets brackets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from fractions import Fraction as Rational
from itertools import starmap

from proofs.syntax.boxes import (
    Big,
    Brackets,
    Call,
    Cases,
    Family,
    ForAll,
    Fraction,
    Marked,
    Matrix,
    Name,
    Node,
    Number,
    Product,
    Relation,
    RelationSign,
    Root,
    Scripted,
    Signed,
    Slash,
    Sum,
    Summand,
    Vector,
    bare,
    first_of,
    is_small,
    is_tall,
    joins_between,
    last_of,
)
from proofs.syntax.names import RESERVED, is_word, split_name
from proofs.syntax.tensors import entrywise_kind, explicit_shape, mentions, slices
from proofs.terms import Definition, Term, binds, free_variables, negation

# The argument positions from the root of a term to one of its parts.
Path = tuple[int, ...]


class Style(Enum):
    """What is printed for: a formula on a line of its own, one in running text, linear text, or speech."""

    DISPLAY = "display"
    INLINE = "inline"
    LINEAR = "linear"
    SPOKEN = "spoken"


class Level(IntEnum):
    """How tightly a node holds together."""

    RELATION = 0
    CASES = 1
    SUM = 2
    SIGN = 3
    SLASH = 4
    PRODUCT = 5
    BIG = 6
    FRACTION = 7
    POWER = 8
    ATOM = 9


def layout(term: Term, style: Style, marks: frozenset[Path] = frozenset()) -> Node:
    """The nodes of `term`. A mark on a part that is folded away marks the smallest printed part around it."""
    free = {str(v.data) for v in free_variables(term)}
    taken = frozenset(free | _definition_names(term) | RESERVED)
    walk = _Walk(style, taken, e_is_free="e" not in free)
    root = _Place((), ())
    if not marks:
        return walk.node(term, root)
    walk.node(term, root)
    printed = walk.visited
    walk = _Walk(style, taken, walk.e_is_free, frozenset(_nearest(m, printed) for m in marks))
    return walk.node(term, root)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk stands: the path from the root (None in a repetition), the names of indices in scope."""

    path: Path | None
    names: tuple[str, ...]
    script: bool = False
    grouped: bool = True

    def down(self, *steps: int) -> _Place:
        return self if self.path is None else replace(self, path=(*self.path, *steps))


class _Walk:
    """The walk itself. Few frames for each level, so that the deepest term stays within the stack."""

    def __init__(
        self, style: Style, taken: frozenset[str], e_is_free: bool, marks: frozenset[Path] = frozenset()
    ) -> None:
        self.style = style
        self.flat = style is Style.LINEAR
        self.taken = taken
        self.e_is_free = e_is_free
        self.marks = marks
        self.visited: set[Path] = set()

    def node(self, t: Term, at: _Place) -> Node:
        """The layout of `t`, marked where it is to be."""
        made: Node
        match t.op:
            case "num":
                made = self.numeral(Rational(t.data), at)  # type: ignore[arg-type]
            case "var":
                made = Name(str(t.data))
            case "bound":
                k = int(t.data)  # type: ignore[arg-type]
                made = Name(at.names[-1 - k] if k < len(at.names) else f"#{k - len(at.names)}")
            case "add":
                made = self.add(t, at)
            case "mul":
                made = self.mul(t, at)
            case "neg":
                made = Signed(self.fit(self.node(t.args[0], at.down(0)), Level.SLASH))
            case "div":
                made = self.div(t, at)
            case "pow":
                base = self.fit(self.node(t.args[0], at.down(0)), Level.ATOM)
                made = self.raised(base, self.node(t.args[1], self.script(at.down(1))))
            case "sqrt":
                body = self.node(t.args[0], at.down(0))
                made = Call("sqrt", (body,), builtin=True) if self.flat else Root(body)
            case "exp":
                made = self.exp(t, at)
            case "ln" | "max":
                made = Call(t.op, self.several(t.args, self.listed(at)), builtin=True)
            case "entry":
                made = self.entry(t, at)
            case "lam":
                made = self.comprehension(t, at)
            case "sum" | "maxof" | "forall":
                made = self.range(t, at)
            case "if":
                made = self.cases(t, at)
            case "app":
                made = self.application(t, at)
            case _:
                left, right = self.node(t.args[0], at.down(0)), self.node(t.args[1], at.down(1))
                made = Relation(_sign(t.op), self.fit(left, Level.CASES), self.fit(right, Level.CASES))
        if at.path is not None:
            self.visited.add(at.path)
            if at.path in self.marks:
                return Marked(made)
        return made

    # --- levels --------------------------------------------------------------------------------------------

    def level(self, node: Node) -> Level:
        """How tightly `node` holds together in this style."""
        node = bare(node)
        match node:
            case Relation() | ForAll():
                return Level.RELATION
            case Cases():
                return Level.CASES
            case Sum():
                return Level.SUM
            case Signed():
                return Level.SIGN
            case Slash():
                return Level.SLASH
            case Product():
                return Level.SIGN if isinstance(first_of(node), Signed) else Level.PRODUCT
            case Big():
                return Level.ATOM if self.flat else Level.BIG
            case Fraction():
                return Level.FRACTION
            case Root():
                return Level.POWER
            case Scripted(sup=sup):
                return Level.ATOM if sup is None else Level.POWER
            case Call(args=args) if self.style is Style.SPOKEN:
                return Level.POWER if args else Level.ATOM
            case Call(builtin=True, name=name):
                return Level.ATOM if self.flat or name in ("max", "if") else Level.POWER
            case _:
                return Level.ATOM

    def fit(self, node: Node, least: Level) -> Node:
        """`node`, in brackets if it holds together less tightly than `least`; a mark goes around them."""
        if self.level(node) >= least:
            return node
        return self.bracket(node)

    def bracket(self, node: Node) -> Node:
        depth = 0
        while isinstance(node, Marked):
            node, depth = node.body, depth + 1
        node = Brackets(node, is_tall(node))
        for _ in range(depth):
            node = Marked(node)
        return node

    def script(self, at: _Place) -> _Place:
        return replace(at, script=True, grouped=False)

    def listed(self, at: _Place) -> _Place:
        return replace(at, grouped=False)

    def several(self, terms: tuple[Term, ...], at: _Place) -> tuple[Node, ...]:
        return tuple(map(self.node, terms, map(at.down, range(len(terms)))))

    # --- arithmetic ----------------------------------------------------------------------------------------

    def numeral(self, q: Rational, at: _Place) -> Node:
        made: Node = Number(str(abs(q.numerator)), at.grouped)
        decimal = _decimal(abs(q)) if self.flat else None
        if decimal is not None:
            made = Number(decimal)
        elif q.denominator != 1:
            under = Number(str(q.denominator), at.grouped)
            made = Slash(made, under) if self.flat or at.script else Fraction(made, under)
        return Signed(made) if q < 0 else made

    def add(self, t: Term, at: _Place) -> Node:
        made: list[Summand] = []
        for k, a in enumerate(t.args):
            inner = at.down(k)
            if k and a.op == "neg":
                body = self.fit(self.node(a.args[0], inner.down(0)), Level.SLASH)
                marked = inner.path is not None and inner.path in self.marks
                if inner.path is not None:
                    self.visited.add(inner.path)
                made.append(Summand(True, body, marked))
            else:
                made.append(Summand(False, self.fit(self.node(a, inner), Level.SLASH if k else Level.SIGN)))
        return Sum(tuple(made))

    def mul(self, t: Term, at: _Place) -> Node:
        made: list[Node] = []
        last = len(t.args) - 1
        for k, a in enumerate(t.args):
            part = self.node(a, at.down(k))
            leading = k == 0 and not self.flat and a.op == "num" and isinstance(bare(part), Signed)
            if not leading:
                part = self.fit(part, Level.BIG if k == last else Level.FRACTION)
            made.append(part)
        return Product(tuple(made), joins_between(made))

    def div(self, t: Term, at: _Place) -> Node:
        over, under = self.node(t.args[0], at.down(0)), self.node(t.args[1], at.down(1))
        bar = not (self.flat or at.script)
        if bar and self.style is Style.INLINE:
            bar = is_small(over) and is_small(under)
        if bar:
            return Fraction(self.flattened(over), self.flattened(under))
        runs_on = isinstance(last_of(over), Big) and not self.flat
        over = self.bracket(over) if runs_on else self.fit(over, Level.PRODUCT)
        ends = isinstance(bare(under), Big)
        return Slash(over, under if ends else self.fit(under, Level.POWER))

    def flattened(self, part: Node) -> Node:
        """A small fraction that is all of a numerator or denominator, on one line: no bar on a bar."""
        inner = bare(part)
        if self.style is Style.SPOKEN or not isinstance(inner, Fraction):
            return part
        if not (is_small(inner.over) and is_small(inner.under)):
            return part
        over, under = self.fit(inner.over, Level.PRODUCT), self.fit(inner.under, Level.POWER)
        return Marked(Slash(over, under)) if isinstance(part, Marked) else Slash(over, under)

    def raised(self, base: Node, exponent: Node) -> Node:
        if self.flat:
            return Scripted(base, sup=self.fit(exponent, Level.ATOM))
        inner = bare(base)
        if isinstance(base, Scripted) and base.sup is None:
            if self.style is not Style.SPOKEN or isinstance(bare(base.base), Name):
                return Scripted(base.base, base.sub, exponent)
            base = self.bracket(base)
        if isinstance(inner, Name) and split_name(inner.text).primes:
            base = self.bracket(base)
        return Scripted(base, sup=exponent)

    def exp(self, t: Term, at: _Place) -> Node:
        a = t.args[0]
        small = self.style is Style.SPOKEN or (a.size <= 20 and not _is_high(a))
        if self.flat or not small or not self.e_is_free:
            return Call("exp", (self.node(a, self.listed(at.down(0))),), builtin=True)
        if a.op == "num" and a.data == 1:
            return Name("e")
        return Scripted(Name("e"), sup=self.node(a, self.script(at.down(0))))

    # --- tensors -------------------------------------------------------------------------------------------

    def entry(self, t: Term, at: _Place) -> Node:
        least = Level.POWER if self.style is Style.SPOKEN else Level.ATOM
        base = self.fit(self.node(t.args[0], at.down(0)), least)
        inner = bare(base)
        if not self.flat and (isinstance(inner, Scripted) or (isinstance(inner, Name) and split_name(inner.text).sub)):
            base = self.bracket(base)
        places = map(self.script(at).down, range(1, len(t.args)))
        return Scripted(base, tuple(map(self.node, t.args[1:], places)))

    def comprehension(self, t: Term, at: _Place) -> Node:
        body, rank = t.args[0], t.rank
        if body.op != "entry" and entrywise_kind(body, rank) == "tensor":
            return self.entrywise(body, rank, replace(at.down(0), names=(*at.names, *[""] * rank)))
        if explicit_shape(body, tuple(range(rank - 1, -1, -1))) is not None:
            hidden = replace(at.down(0), names=(*at.names, *[""] * rank), grouped=False)
            return self.explicit(body, rank, hidden)
        names = self.names(t, at)
        inner = self.node(body, replace(at.down(0), names=(*at.names, *names)))
        indices = tuple(Name(n) for n in names)
        if self.style in (Style.LINEAR, Style.SPOKEN):
            return Family(inner, indices)
        return Scripted(self.bracket(inner), indices)

    def entrywise(self, t: Term, rank: int, at: _Place) -> Node:
        """The layout of the body of a comprehension with the tensor in the place of its entry."""
        made: Node
        if not mentions(t, 0, rank):
            return self.node(t, at)
        if t.op == "entry":
            made = self.node(t.args[0], at.down(0))
        elif t.op == "neg":
            made = Signed(self.fit(self.entrywise(t.args[0], rank, at.down(0)), Level.SLASH))
        elif t.op == "div":
            made = self.over(t, rank, at)
        else:
            parts: list[Node] = []
            terms: list[Summand] = []
            for k, a in enumerate(t.args):
                inner = at.down(k)
                minus = t.op == "add" and k > 0 and a.op == "neg"
                if minus and mentions(a, 0, rank):
                    part = self.entrywise(a.args[0], rank, inner.down(0))
                elif minus:
                    part = self.node(a.args[0], inner.down(0))
                else:
                    part = self.entrywise(a, rank, inner)
                if t.op == "mul":
                    parts.append(self.fit(part, Level.BIG if k + 1 == len(t.args) else Level.FRACTION))
                    continue
                part = self.fit(part, Level.SLASH if k else Level.SIGN)
                if minus and inner.path is not None:
                    self.visited.add(inner.path)
                terms.append(Summand(minus, part, minus and inner.path in self.marks))
            made = Sum(tuple(terms)) if t.op == "add" else Product(tuple(parts), joins_between(parts))
        if at.path is not None:
            self.visited.add(at.path)
            if at.path in self.marks:
                return Marked(made)
        return made

    def over(self, t: Term, rank: int, at: _Place) -> Node:
        over = self.entrywise(t.args[0], rank, at.down(0))
        under = self.node(t.args[1], at.down(1))
        if self.flat or at.script:
            return Slash(self.fit(over, Level.PRODUCT), self.fit(under, Level.POWER))
        return Fraction(self.flattened(over), self.flattened(under))

    def explicit(self, body: Term, axes: int, at: _Place) -> Node:
        """A vector, a matrix, or slices of these, from nested conditions on the indices."""
        if axes == 2:
            rows: list[tuple[Node, ...]] = []
            for row, path in slices(body, 1):
                entries = [(item, at.down(*path, *deeper)) for item, deeper in slices(row, 0)]
                rows.append(tuple(starmap(self.node, entries)))
            return Matrix(tuple(rows))
        made: list[Node] = []
        for part, path in slices(body, axes - 1):
            inner = at.down(*path)
            made.append(self.node(part, inner) if axes == 1 else self.explicit(part, axes - 1, inner))
        return Vector(tuple(made))

    def application(self, t: Term, at: _Place) -> Node:
        name, hidden = (t.data.name, t.data.implicit) if isinstance(t.data, Definition) else (str(t.data), 0)
        places = map(self.listed(at).down, range(hidden, len(t.args)))
        return Call(name, tuple(map(self.node, t.args[hidden:], places)))

    # --- ranges and conditions -----------------------------------------------------------------------------

    def range(self, t: Term, at: _Place) -> Node:
        lo, hi = self.node(t.args[0], self.script(at.down(0))), self.node(t.args[1], self.script(at.down(1)))
        (name,) = self.names(t, at)
        body = self.node(t.args[2], replace(at.down(2), names=(*at.names, name)))
        if t.op == "forall":
            first = t.args[0]
            return ForAll(Name(name), lo, hi, body, first.op == "num" and first.data == 1)
        if not self.flat and not isinstance(bare(body), Cases):
            body = self.fit(body, Level.PRODUCT if t.op == "sum" else Level.BIG)  # max x c may be max(x) c
        if not self.flat and t.op == "maxof":
            lo, hi = self.fit(lo, Level.SUM), self.fit(hi, Level.SUM)
        return Big("sum" if t.op == "sum" else "max", Name(name), lo, hi, body)

    def cases(self, t: Term, at: _Place) -> Node:
        inline = at.script or self.flat
        if inline:
            return Call("if", self.several(t.args, self.listed(at)), builtin=True)
        inner = replace(at, grouped=False)
        condition, then, otherwise = self.several(t.args, inner)
        negated = self.node(negation(t.args[0]), replace(inner, path=None))
        return Cases(then, condition, otherwise, negated)

    def names(self, t: Term, at: _Place) -> tuple[str, ...]:
        """Names for the indices that `t` binds: their hints, unless something else carries the name."""
        found: list[str] = []
        for k in range(binds(t)):
            hint = t.hint[k] if k < len(t.hint) else ""
            used = self.taken.union(at.names, found)
            found.append(hint if is_word(hint) and hint not in used else _fresh(hint, used))
        return tuple(found)


_INDICES = "ijklmnpqrstuvw"


def _fresh(hint: str, used: frozenset[str]) -> str:
    """A name close to `hint` that is not used."""
    start = _INDICES.find(hint) + 1 if len(hint) == 1 else 0
    for letter in _INDICES[start:] + _INDICES[:start]:
        if letter not in used:
            return letter
    k = 1
    while f"i_{k}" in used:
        k += 1
    return f"i_{k}"


def _nearest(path: Path, printed: set[Path]) -> Path:
    while path not in printed:
        path = path[:-1]
    return path


def _decimal(q: Rational) -> str | None:
    """`q` as a decimal, if it is one of at most 20 places: ``1/2`` would be read as a quotient."""
    for places in range(1, 21):
        if (q * 10**places).denominator == 1:
            digits = str((q * 10**places).numerator).rjust(places + 1, "0")
            return f"{digits[:-places]}.{digits[-places:]}" if q.denominator != 1 else None
    return None


def _sign(op: str) -> RelationSign:
    return "eq" if op == "eq" else "le" if op == "le" else "lt" if op == "lt" else "ne"


def _definition_names(t: Term) -> set[str]:
    found: set[str] = set()
    seen: set[int] = set()
    todo = [t]
    while todo:
        x = todo.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x.data, Definition):
            found.add(x.data.name)
        todo.extend(x.args)
    return found


def _is_high(t: Term) -> bool:
    """Whether an exponent would not fit into a line."""
    todo = [t]
    while todo:
        x = todo.pop()
        if x.op in ("div", "sum", "maxof", "if", "lam", "exp"):
            return not (x.op == "exp" and x.args[0].op == "num")
        todo.extend(x.args)
    return False
