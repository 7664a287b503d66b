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
    return emit(layout(term, Style.LINEAR))


def emit(node: Node) -> str:
    """A laid-out formula in the language of a derivation file."""
    match node:
        case Number(digits):
            return digits
        case Name(text):
            return text
        case Signed(body):
            return "-" + emit(body)
        case Sum(terms):
            out = []
            for k, s in enumerate(terms):
                out.append((" - " if s.minus else " + ") if k else "")
                out.append(emit(s.body))
            return "".join(out)
        case Product(factors):
            return _list(factors, "*")
        case Fraction(over, under) | Slash(over, under):
            return f"{emit(over)}{' / ' if _open(over) else '/'}{emit(under)}"
        case Scripted(base, sub, sup):
            made = emit(base)
            if sub:
                made += f"[{_list(sub)}]"
            return made if sup is None else f"{made}^{emit(sup)}"
        case Root(body):
            return f"sqrt({emit(body)})"
        case Call(name, args):
            return f"{name}({_list(args)})"
        case Big(op, index, lo, hi, body):
            return f"{op}({index.text} = {emit(lo)}..{emit(hi)}, {emit(body)})"
        case ForAll():
            ranges = []
            inner: Node = node
            while isinstance(inner, ForAll):
                ranges.append(_range(inner))
                inner = bare(inner.body)
            return f"{emit(inner)} for all {', '.join(ranges)}"
        case Cases(then, condition, otherwise):
            return f"if({emit(condition)}, {emit(then)}, {emit(otherwise)})"
        case Vector(items):
            return f"({_list(items)})"
        case Matrix(rows):
            return f"[{'; '.join(map(_list, rows))}]"
        case Family(body, indices):
            return f"({_list(indices)} -> {emit(body)})"
        case Relation(sign, left, right):
            return f"{emit(left)} {_SIGNS[sign]} {emit(right)}"
        case Brackets(body):
            return f"({emit(body)})"
        case Marked(body):
            return emit(body)


def _open(node: Node) -> bool:
    """Whether a formula ends in an exponent that goes on behind a stroke without blanks, to some readers: ``c^n/2``."""
    last = bare(node)
    while isinstance(last, (Product, Signed)):
        last = bare(last.factors[-1] if isinstance(last, Product) else last.body)
    return isinstance(last, Scripted) and last.sup is not None and isinstance(bare(last.sup), (Name, Scripted, Signed))


def _range(node: ForAll) -> str:
    if node.from_one:
        return f"{node.index.text} : index[{emit(node.hi)}]"
    return f"{node.index.text} = {emit(node.lo)}..{emit(node.hi)}"


def _list(nodes: tuple[Node, ...] | tuple[Name, ...], comma: str = ", ") -> str:
    return comma.join(map(emit, nodes))
