r"""Terms as LaTeX, for a document with ``amsmath`` and for MathML.

A part that changed stands in ``\derivemark{...}``, which whoever typesets defines. In LaTeX::

    \newcommand{\derivemark}[1]{\mathpalette\derivemarkbox{#1}}
    \newcommand{\derivemarkbox}[2]{\setlength{\fboxsep}{1.5pt}\colorbox[gray]{0.88}{$#1#2$}}

For MathML by ``math-core``, which knows neither classes nor coloured boxes, the macro's body is
``\boxed{#1}``; it becomes ``<menclose notation="box">``, to which the style sheet gives a grey ground and a
thin line below, both visible in print. Nothing else that we print makes a ``menclose``.
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
    is_tall,
)
from proofs.syntax.layout import Path, Style, layout
from proofs.syntax.names import GREEK, split_name
from proofs.terms import Term

_SIGNS = {"eq": "=", "le": r"\le", "lt": "<", "ne": r"\ne"}
_JOINS = {"": "", "thin": r"\,", "dot": r" \cdot "}
_SPELLED = {"epsilon": r"\varepsilon", "phi": r"\varphi"}
_ESCAPED = {
    "\\": r"\backslash", "{": r"\{", "}": r"\}", "#": r"\#", "$": r"\$", "%": r"\%", "&": r"\&", "_": r"\_",
    "^": r"\wedge", "~": r"\sim", " ": r"\ ",
}  # fmt: skip


def to_latex(term: Term, marks: frozenset[Path] = frozenset(), display: bool = True) -> str:
    """`term` as LaTeX for math mode, without dollar signs.

    `marks` are paths of the parts that changed, each the argument positions from the root. `display` is for a
    formula on a line of its own, with bars in fractions and cases for conditions; otherwise the formula keeps
    to a line of running text.
    """
    return _emit(layout(term, Style.DISPLAY if display else Style.INLINE, marks))


def _emit(node: Node) -> str:
    match node:
        case Number(digits, grouped):
            return "{,}".join(grouped_digits(digits)) if grouped else digits
        case Name(text):
            return _name(text)
        case Signed(body):
            return "-" + _emit(body)
        case Sum(terms):
            out = []
            for k, s in enumerate(terms):
                sign = "-" if s.minus else "+"
                if s.marked:
                    out.append(rf" \derivemark{{{{}}{sign} {_emit(s.body)}}}")
                else:
                    out.append((f" {sign} " if k else "") + _emit(s.body))
            return "".join(out)
        case Product(factors, joins):
            parts = list(map(_emit, factors))
            for k, join in enumerate(joins, 1):
                parts[k] = _JOINS[join] + parts[k]
            return _juxtaposed(parts)
        case Fraction(over, under):
            return rf"\frac{{{_emit(over)}}}{{{_emit(under)}}}"
        case Slash(over, under):
            return f"{_emit(over)}/{_emit(under)}"
        case Scripted(base, sub, sup):
            made = _emit(base)
            if sub:
                made += f"_{{{_list(sub, ',')}}}"
            return made if sup is None else f"{made}^{{{_emit(sup)}}}"
        case Root(body):
            return rf"\sqrt{{{_emit(body)}}}"
        case Call(name, args, builtin):
            head = rf"\{name}" if builtin and name != "if" else _operator(name)
            if not args:
                return head
            tall = any(is_tall(a) for a in args)
            return head + ("\\!" if tall else "") + _in_brackets(_list(args, ", "), tall)
        case Big("sum", index, lo, hi, body):
            return rf"\sum_{{{_emit(index)} = {_emit(lo)}}}^{{{_emit(hi)}}} {_emit(body)}"
        case Big(_, index, lo, hi, body):
            return rf"\max_{{{_emit(lo)} \le {_emit(index)} \le {_emit(hi)}}} {_emit(body)}"
        case ForAll(index, lo, hi, body):
            return rf"\forall\, {_emit(lo)} \le {_emit(index)} \le {_emit(hi)} :\; {_emit(body)}"
        case Cases(then, condition, otherwise, negated):
            first, second = f"{_emit(then)} & {_emit(condition)}", f"{_emit(otherwise)} & {_emit(negated)}"
            return rf"\begin{{cases}} {first} \\ {second} \end{{cases}}"
        case Vector(items):
            return _in_brackets(_list(items, ", "), any(is_tall(i) for i in items))
        case Matrix(rows):
            lines = r" \\ ".join(map(_list, rows, repeat(" & ")))
            return rf"\begin{{pmatrix}} {lines} \end{{pmatrix}}"
        case Family(body, indices):
            return f"({_emit(body)})_{{{_list(indices, ',')}}}"
        case Relation(sign, left, right):
            return f"{_emit(left)} {_SIGNS[sign]} {_emit(right)}"
        case Brackets(body, tall):
            return _in_brackets(_emit(body), tall)
        case Marked(body):
            return rf"\derivemark{{{_emit(body)}}}"


def grouped_digits(digits: str) -> list[str]:
    """The digits of an integer in groups of three where there are five or more."""
    if len(digits) < 5:
        return [digits]
    start = len(digits) % 3
    groups = [digits[:start]] if start else []
    return groups + [digits[k : k + 3] for k in range(start, len(digits), 3)]


def _list(nodes: tuple[Node, ...] | tuple[Name, ...], comma: str) -> str:
    return comma.join(map(_emit, nodes))


def _in_brackets(inner: str, tall: bool) -> str:
    return rf"\left({inner}\right)" if tall else f"({inner})"


def _juxtaposed(parts: list[str]) -> str:
    """The parts in a row, with a blank where a command's name would run into a letter."""
    out = parts[0]
    for part in parts[1:]:
        tail = out[out.rfind("\\") + 1 :] if "\\" in out else ""
        out += f" {part}" if tail.isalpha() and part[:1].isalpha() else part
    return out


def _name(name: str) -> str:
    parts = split_name(name)
    made = _part(parts.base)
    if parts.sub:
        made += "_{" + ",".join(map(_part, parts.sub)) + "}"
    return made + "'" * parts.primes


def _operator(name: str) -> str:
    parts = split_name(name)
    made = rf"\operatorname{{{_escaped(parts.base)}}}" if parts.upright else _part(parts.base)
    if parts.sub:
        made += "_{" + ",".join(map(_part, parts.sub)) + "}"
    return made + "'" * parts.primes


def _part(part: str) -> str:
    if part in GREEK:
        return _SPELLED.get(part, rf"\{part}")
    if part.isdecimal() or (len(part) == 1 and part.isalpha()):
        return part
    return rf"\mathrm{{{_escaped(part)}}}" if part else r"\square"


def _escaped(part: str) -> str:
    out = []
    for c in part:
        made = _ESCAPED.get(c, c)
        out.append(made + " " if made[:1] == "\\" and made[-1].isalpha() else made)
    return "".join(out)
