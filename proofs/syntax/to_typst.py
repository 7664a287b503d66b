r"""Terms as Typst mathematics.

A part that changed stands in ``#derive-mark($...$)``, which whoever typesets defines. Its argument says
itself what size it has, since a box forgets it::

    #let derive-mark(body) = box(fill: luma(225), outset: (x: 0.5pt, y: 1.5pt), radius: 1pt, body)
"""

from __future__ import annotations

from itertools import repeat

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
    Root,
    Scripted,
    Signed,
    Slash,
    Sum,
    Vector,
)
from proofs.syntax.layout import Path, Style, layout
from proofs.syntax.names import GREEK, split_name
from proofs.syntax.to_latex import grouped_digits
from proofs.terms import Term

_SIZES = ("display", "inline", "script", "sscript")
_DISPLAY, _INLINE, _SCRIPT, _SSCRIPT = range(4)
_SIGNS = {"eq": "=", "le": "<=", "lt": "<", "ne": "!="}
_JOINS = {"": " ", "thin": " thin ", "dot": " dot.op "}


def to_typst(term: Term, marks: frozenset[Path] = frozenset(), display: bool = True) -> str:
    """`term` as Typst mathematics, without dollar signs; `marks` and `display` as in ``to_latex``."""
    style, size = (Style.DISPLAY, _DISPLAY) if display else (Style.INLINE, _INLINE)
    return _emit(layout(term, style, marks), size)


def _emit(node: Node, size: int) -> str:
    """`size` is the place of the size at which `node` stands in ``_SIZES``; a box forgets it."""
    match node:
        case Number(digits, grouped):
            return '#text(",")'.join(grouped_digits(digits)) if grouped else digits
        case Name(text):
            return _name(text)
        case Signed(body):
            return "-" + _emit(body, size)
        case Sum(terms):
            out = []
            for k, s in enumerate(terms):
                sign, part = "-" if s.minus else "+", _emit(s.body, size)
                if s.marked:
                    out.append(" " + _marked(f'class("binary", {sign}) {part}', size))
                else:
                    out.append((f" {sign} " if k else "") + part)
            return "".join(out)
        case Product(factors, joins):
            parts = list(map(_emit, factors, repeat(size)))
            for k, join in enumerate(joins, 1):
                parts[k] = _JOINS[join] + parts[k]
            return "".join(parts)
        case Fraction(over, under):
            inner = min(size + 1, _SSCRIPT)
            return f"frac({_emit(over, inner)}, {_emit(under, inner)})"
        case Slash(over, under):
            return rf"{_emit(over, size)}\/{_emit(under, size)}"
        case Scripted(base, sub, sup):
            made = _emit(base, size)
            if sub:
                made += f"_({_list(sub, _script(size))})"
            return made if sup is None else f"{made}^({_emit(sup, _script(size))})"
        case Root(body):
            return f"sqrt({_emit(body, size)})"
        case Call(name, args, builtin):
            if builtin and name != "if":
                return f"{name} ({_list(args, size)})"
            # No blank after a word, which would show; and no `op`, which keeps its distance from (z)_(i).
            blank = "" if split_name(name).upright else " "
            return f"{_name(name)}{blank}({_list(args, size)})" if args else _name(name)
        case Big("sum", index, lo, hi, body):
            small = _script(size)
            limits = f"({_emit(index, small)} = {_emit(lo, small)})^({_emit(hi, small)})"
            return f"sum_{limits} {_emit(body, size)}"
        case Big(_, index, lo, hi, body):
            small = _script(size)
            limits = f"({_emit(lo, small)} <= {_emit(index, small)} <= {_emit(hi, small)})"
            return f"max_{limits} {_emit(body, size)}"
        case ForAll(index, lo, hi, body):
            limits = f"{_emit(lo, size)} <= {_emit(index, size)} <= {_emit(hi, size)}"
            return f"forall thin {limits} : thick {_emit(body, size)}"
        case Cases(then, condition, otherwise, negated):
            cell = _cell(size)
            first = f"{_emit(then, cell)} quad & {_emit(condition, cell)}"
            return f"cases({first}, {_emit(otherwise, cell)} quad & {_emit(negated, cell)})"
        case Vector(items):
            return f"({_list(items, size)})"
        case Matrix(rows):
            # A blank, since a mark would swallow a semicolon right after it.
            return f"mat({' ; '.join(map(_list, rows, repeat(_cell(size))))})"
        case Family(body, indices):
            return f"({_emit(body, size)})_({_list(indices, _script(size))})"
        case Relation(sign, left, right):
            return f"{_emit(left, size)} {_SIGNS[sign]} {_emit(right, size)}"
        case Brackets(body):
            return f"({_emit(body, size)})"
        case Marked(body):
            return _marked(_emit(body, size), size)


def _marked(inner: str, size: int) -> str:
    return f"#derive-mark(${inner if size == _INLINE else f'{_SIZES[size]}({inner})'}$)"


def _script(size: int) -> int:
    return _SCRIPT if size < _SCRIPT else _SSCRIPT


def _cell(size: int) -> int:
    return max(size, _INLINE)


def _list(nodes: tuple[Node, ...] | tuple[Name, ...], size: int) -> str:
    return ", ".join(map(_emit, nodes, repeat(size)))


def _name(name: str) -> str:
    parts = split_name(name)
    made = _part(parts.base)
    if parts.sub:
        made += "_(" + ", ".join(map(_part, parts.sub)) + ")"
    return made + "'" * parts.primes


def _part(part: str) -> str:
    if part in GREEK or part.isdecimal() or (len(part) == 1 and part.isalpha()):
        return part
    return f'upright("{_escaped(part)}")' if part else "square"


def _escaped(part: str) -> str:
    return part.replace("\\", "\\\\").replace('"', '\\"')
