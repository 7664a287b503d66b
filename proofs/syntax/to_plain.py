"""Terms as plain text, in the language of a derivation file, so that what is printed can be read again."""

from __future__ import annotations

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
    bare,
)
from proofs.syntax.layout import Style, layout
from proofs.terms import Term

_SIGNS = {"eq": "=", "le": "<=", "lt": "<", "ne": "!="}


def to_plain(term: Term) -> str:
    """`term` as one line of plain text."""
    return _emit(layout(term, Style.LINEAR))


def _emit(node: Node) -> str:
    match node:
        case Number(digits):
            return digits
        case Name(text):
            return text
        case Signed(body):
            return "-" + _emit(body)
        case Sum(terms):
            out = []
            for k, s in enumerate(terms):
                out.append((" - " if s.minus else " + ") if k else "")
                out.append(_emit(s.body))
            return "".join(out)
        case Product(factors):
            return _list(factors, "*")
        case Fraction(over, under) | Slash(over, under):
            return f"{_emit(over)}/{_emit(under)}"
        case Scripted(base, sub, sup):
            made = _emit(base)
            if sub:
                made += f"[{_list(sub)}]"
            return made if sup is None else f"{made}^{_emit(sup)}"
        case Root(body):
            return f"sqrt({_emit(body)})"
        case Call(name, args):
            return f"{name}({_list(args)})"
        case Big(op, index, lo, hi, body):
            return f"{op}({index.text} = {_emit(lo)}..{_emit(hi)}, {_emit(body)})"
        case ForAll():
            ranges = []
            inner: Node = node
            while isinstance(inner, ForAll):
                ranges.append(_range(inner))
                inner = bare(inner.body)
            return f"{_emit(inner)} for all {', '.join(ranges)}"
        case Cases(then, condition, otherwise):
            return f"if({_emit(condition)}, {_emit(then)}, {_emit(otherwise)})"
        case Vector(items):
            return f"({_list(items)})"
        case Matrix(rows):
            return f"[{'; '.join(map(_list, rows))}]"
        case Family(body, indices):
            return f"({_list(indices)} -> {_emit(body)})"
        case Relation(sign, left, right):
            return f"{_emit(left)} {_SIGNS[sign]} {_emit(right)}"
        case Brackets(body):
            return f"({_emit(body)})"
        case Marked(body):
            return _emit(body)


def _range(node: ForAll) -> str:
    if node.from_one:
        return f"{node.index.text} : index[{_emit(node.hi)}]"
    return f"{node.index.text} = {_emit(node.lo)}..{_emit(node.hi)}"


def _list(nodes: tuple[Node, ...] | tuple[Name, ...], comma: str = ", ") -> str:
    return comma.join(map(_emit, nodes))
