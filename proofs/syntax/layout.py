"""The layout of a formula: where brackets, fractions, subscripts and the names of bound indices go.

One walk over a term decides all of it, for every target; the emitters turn the nodes below into LaTeX,
Typst, plain text and speech and decide nothing. The walk knows levels and nothing of mathematics, and nothing
that is printed is trusted.

A node stands in a place if its level is at least that of the place; otherwise it gets brackets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from fractions import Fraction as Rational
from itertools import pairwise
from typing import Literal

from proofs.syntax.names import RESERVED, is_word, split_name
from proofs.terms import Definition, Term, binds, free_variables, negation

Path = tuple[int, ...]
Join = Literal["", "thin", "dot"]
RelationSign = Literal["eq", "le", "lt", "ne"]


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


@dataclass(frozen=True, slots=True)
class Number:
    """A numeral without sign: an integer, in linear text also a decimal. `grouped` asks for 1,234,567."""

    digits: str
    grouped: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a bound index, or ``e``."""

    text: str


@dataclass(frozen=True, slots=True)
class Signed:
    """``-body``"""

    body: Node


@dataclass(frozen=True, slots=True)
class Summand:
    """One summand after its sign; `marked` where the mark takes in the sign."""

    minus: bool
    body: Node
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """``a + b - c``"""

    terms: tuple[Summand, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors, and what stands between each two of them."""

    factors: tuple[Node, ...]
    joins: tuple[Join, ...]


@dataclass(frozen=True, slots=True)
class Fraction:
    """A fraction with a bar."""

    over: Node
    under: Node


@dataclass(frozen=True, slots=True)
class Slash:
    """A fraction on one line."""

    over: Node
    under: Node


@dataclass(frozen=True, slots=True)
class Scripted:
    """A base with subscripts, a superscript, or both."""

    base: Node
    sub: tuple[Node, ...] = ()
    sup: Node | None = None


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    body: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments in brackets; `builtin` for exp, ln, max, sqrt and if."""

    name: str
    args: tuple[Node, ...]
    builtin: bool = False


@dataclass(frozen=True, slots=True)
class Big:
    """A sum or a maximum over a range."""

    op: Literal["sum", "max"]
    index: Name
    lo: Node
    hi: Node
    body: Node


@dataclass(frozen=True, slots=True)
class ForAll:
    """``body`` for every index in a range; `from_one` where the range begins with the numeral 1."""

    index: Name
    lo: Node
    hi: Node
    body: Node
    from_one: bool


@dataclass(frozen=True, slots=True)
class Cases:
    """Two values, each with its condition."""

    then: Node
    condition: Node
    otherwise: Node
    negated: Node


@dataclass(frozen=True, slots=True)
class Vector:
    """An explicit vector, or an explicit tensor of rank three and more by its slices."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """An explicit matrix."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Family:
    """A tensor by its entry at general indices, in linear text and speech: elsewhere it is a subscript."""

    body: Node
    indices: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """``a = b`` and its kin."""

    sign: RelationSign
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Brackets:
    """Round brackets; `tall` where their contents are higher than a line."""

    body: Node
    tall: bool


@dataclass(frozen=True, slots=True)
class Marked:
    """A part that changed."""

    body: Node


Node = (
    Number | Name | Signed | Sum | Product | Fraction | Slash | Scripted | Root | Call | Big | ForAll | Cases
    | Vector | Matrix | Family | Relation | Brackets | Marked
)  # fmt: skip


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


def children(node: Node) -> Iterator[Node]:
    """The nodes right under `node`, from left to right."""
    match node:
        case Number() | Name():
            return
        case Signed(body) | Root(body) | Brackets(body) | Marked(body):
            yield body
        case Sum(terms):
            for s in terms:
                yield s.body
        case Product(factors=several) | Call(args=several) | Vector(several):
            yield from several
        case Fraction(a, b) | Slash(a, b) | Relation(left=a, right=b):
            yield from (a, b)
        case Scripted(base, sub, sup):
            yield base
            yield from sub
            if sup is not None:
                yield sup
        case Big(index=index, lo=lo, hi=hi, body=body) | ForAll(index=index, lo=lo, hi=hi, body=body):
            yield from (index, lo, hi, body)
        case Cases(then, condition, otherwise, negated):
            yield from (then, condition, otherwise, negated)
        case Matrix(rows):
            for row in rows:
                yield from row
        case Family(body, indices):
            yield body
            yield from indices


def bare(node: Node) -> Node:
    """`node` without the marks around it."""
    while isinstance(node, Marked):
        node = node.body
    return node


def is_tall(node: Node) -> bool:
    """Whether `node` is higher than a line of text with sub- and superscripts."""
    todo = [node]
    while todo:
        n = todo.pop()
        if isinstance(n, (Fraction, Big, Cases, Matrix)):
            return True
        todo.extend([n.base] if isinstance(n, Scripted) else children(n))
    return False


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
                return Level.SIGN if isinstance(_first(node), Signed) else Level.PRODUCT
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
        return Product(tuple(made), _joins(made))

    def div(self, t: Term, at: _Place) -> Node:
        over, under = self.node(t.args[0], at.down(0)), self.node(t.args[1], at.down(1))
        bar = not (self.flat or at.script)
        if bar and self.style is Style.INLINE:
            bar = _is_small(over) and _is_small(under)
        if bar:
            return Fraction(self.flattened(over), self.flattened(under))
        runs_on = isinstance(_last(over), Big) and not self.flat
        over = self.bracket(over) if runs_on else self.fit(over, Level.PRODUCT)
        ends = isinstance(bare(under), Big)
        return Slash(over, under if ends else self.fit(under, Level.POWER))

    def flattened(self, part: Node) -> Node:
        """A small fraction that is all of a numerator or denominator, on one line: no bar on a bar."""
        inner = bare(part)
        if self.style is Style.SPOKEN or not isinstance(inner, Fraction):
            return part
        if not (_is_small(inner.over) and _is_small(inner.under)):
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
        if body.op != "entry" and _entrywise(body, rank) == "tensor":
            return self.entrywise(body, rank, replace(at.down(0), names=(*at.names, *[""] * rank)))
        if _shape(body, tuple(range(rank - 1, -1, -1))) is not None:
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
        if not _mentions(t, 0, rank):
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
                if minus and _mentions(a, 0, rank):
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
            made = Sum(tuple(terms)) if t.op == "add" else Product(tuple(parts), _joins(parts))
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
            for row, inner in _slices(body, 1, at):
                items: list[Node] = []
                for item, deeper in _slices(row, 0, inner):
                    items.append(self.node(item, deeper))
                rows.append(tuple(items))
            return Matrix(tuple(rows))
        made: list[Node] = []
        for part, inner in _slices(body, axes - 1, at):
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
            body = self.fit(body, Level.PRODUCT)
        if not self.flat and t.op == "maxof":
            lo, hi = self.fit(lo, Level.SUM), self.fit(hi, Level.SUM)
        return Big("sum" if t.op == "sum" else "max", Name(name), lo, hi, body)

    def cases(self, t: Term, at: _Place) -> Node:
        inline = at.script or self.style in (Style.LINEAR, Style.INLINE)
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


def _first(node: Node) -> Node:
    """The leftmost part of `node`."""
    while True:
        node = bare(node)
        if isinstance(node, Product):
            node = node.factors[0]
        elif isinstance(node, Scripted):
            node = node.base
        elif isinstance(node, Slash):
            node = node.over
        else:
            return node


def _last(node: Node) -> Node:
    """The rightmost part of `node`."""
    while True:
        node = bare(node)
        if isinstance(node, Product):
            node = node.factors[-1]
        elif isinstance(node, Signed):
            node = node.body
        elif isinstance(node, Slash):
            node = node.under
        elif isinstance(node, Sum):
            node = node.terms[-1].body
        else:
            return node


def _joins(factors: list[Node]) -> tuple[Join, ...]:
    return tuple(_join(a, b) for a, b in pairwise(factors))


def _join(left: Node, right: Node) -> Join:
    """What stands between two factors: a dot where juxtaposition could be read as something else."""
    ends, begins = _last(left), _first(right)
    digits = isinstance(ends, Number) or (isinstance(ends, Signed) and isinstance(bare(ends.body), Number))
    if isinstance(begins, Number):
        return "dot"
    if isinstance(begins, Big) or (isinstance(begins, Call) and begins.builtin):
        return ""
    if isinstance(begins, Fraction) and (digits or isinstance(ends, Fraction)):
        return "dot"
    named = bare(ends.base) if isinstance(ends, Scripted) else ends
    if isinstance(begins, (Brackets, Vector, Matrix)):
        return "dot" if isinstance(named, Name) else "" if digits else "thin"
    if any(isinstance(n, Name) and split_name(n.text).upright for n in (named, begins)):
        return "dot" if not digits else "thin"
    return "" if digits else "thin"


def _is_small(node: Node) -> bool:
    """Whether `node` may stand in a fraction with a bar in running text."""
    count = 0
    todo = [node]
    while todo:
        n = bare(todo.pop())
        if isinstance(n, (Fraction, Slash, Big, Cases, Matrix, Vector, Call, Brackets, Family)):
            return False
        if isinstance(n, (Name, Number)):
            count += 1
        todo.extend(children(n))
    return count <= 3


def _is_high(t: Term) -> bool:
    """Whether an exponent would not fit into a line."""
    todo = [t]
    while todo:
        x = todo.pop()
        if x.op in ("div", "sum", "maxof", "if", "lam", "exp"):
            return not (x.op == "exp" and x.args[0].op == "num")
        todo.extend(x.args)
    return False


def _mentions(t: Term, first: int, count: int) -> bool:
    """Whether `t` has one of the bound indices `first`, ..., ``first + count - 1``."""
    todo = [(t, first)]
    while todo:
        x, low = todo.pop()
        if x.loose <= low:
            continue
        if x.op == "bound" and low <= int(x.data) < low + count:  # type: ignore[arg-type]
            return True
        inner = binds(x)
        for k, a in enumerate(x.args):
            todo.append((a, low + inner if k + 1 == len(x.args) else low))
    return False


def _entrywise(t: Term, rank: int) -> Literal["tensor", "scalar", "other"]:
    """Whether `t` is linear in entries of tensors at exactly the `rank` innermost indices, in order."""
    if not _mentions(t, 0, rank):
        return "scalar"
    if t.op == "entry":
        exact = [x.data if x.op == "bound" else None for x in t.args[1:]] == list(range(rank - 1, -1, -1))
        return "tensor" if exact and not _mentions(t.args[0], 0, rank) else "other"
    if t.op not in ("add", "neg", "mul", "div"):
        return "other"
    tensors = 0
    for k, a in enumerate(t.args):
        kind = _entrywise(a, rank)
        if kind == "other" or (t.op == "div" and k == 1 and kind == "tensor"):
            return "other"
        tensors += kind == "tensor"
    return "other" if t.op == "mul" and tensors != 1 else "tensor"


def _shape(body: Term, axes: tuple[int, ...]) -> tuple[int, ...] | None:
    """The lengths of an explicit tensor whose body tests its `axes` against 1, 2, ... in order; else None."""
    if not axes:
        return ()
    inner: tuple[int, ...] | None = None
    count = 0
    at = _Place(None, ())
    for part, _ in _slices(body, axes[0], at):
        if _mentions(part, axes[0], 1):
            return None
        shape = _shape(part, axes[1:])
        if shape is None or (count and shape != inner):
            return None
        inner, count = shape, count + 1
    return None if count < 2 or inner is None else (count, *inner)


def _slices(body: Term, axis: int, at: _Place) -> Iterator[tuple[Term, _Place]]:
    """The values of ``if(i = 1, a, if(i = 2, b, c))``, each with its place."""
    k = 1
    while body.op == "if" and body.args[0].op == "eq":
        index, value = body.args[0].args
        if not (index.op == "bound" and index.data == axis and value.op == "num" and value.data == k):
            break
        yield body.args[1], at.down(1)
        body, at, k = body.args[2], at.down(2), k + 1
    yield body, at
