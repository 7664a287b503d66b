"""Terms as spoken text, in Chinese and English: the alternative text of a formula.

What is short is said short (``a over b``, ``e to the z sub j``); what could be misheard says where it ends.
The phrases of each language stand in one table, whole, with places for the parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
from proofs.syntax.names import split_name
from proofs.terms import Term

Language = Literal["zh", "en"]


@dataclass(frozen=True)
class Phrases:
    """How one language says each kind of node. `..._end` closes what goes on to the end of what is heard."""

    minus: str
    plus: str
    take: str
    times: str
    over: str
    short_fraction: str
    fraction: str
    sub: str
    long_sub: str
    sub_comma: str
    entry: str
    entry_of_value: str
    prime: str
    powers: dict[str, str]
    short_power: str
    power: str
    whole: str
    root: str
    long_root: str
    call: str
    long_call: str
    functions: dict[str, str]
    brackets: str
    sum: str
    sum_end: str
    maximum: str
    maximum_end: str
    for_all: str
    cases: str
    cases_end: str
    vector: str
    matrix: str
    family: str
    comma: str
    row: str
    relations: dict[str, str]


_PHRASES: dict[Language, Phrases] = {
    "en": Phrases(
        minus="minus {0}",
        plus="{0} plus {1}",
        take="{0} minus {1}",
        times="{0} times {1}",
        over="{0} over {1}",
        short_fraction="the fraction {0} over {1}, end fraction",
        fraction="the fraction with numerator {0} and denominator {1}, end fraction",
        sub="{0} sub {1}",
        long_sub="{0} sub {1}, end sub",
        sub_comma="{0} comma {1}",
        entry="entry {1} of {0}",
        entry_of_value="entry {1} of {0}",
        prime="{0} prime",
        powers={"2": "{0} squared", "3": "{0} cubed"},
        short_power="{0} to the {1}",
        power="{0} to the power {1}, end power",
        whole="{0}, end sub,",
        root="the square root of {0}",
        long_root="the square root of {0}, end root",
        call="{0} of {1}",
        long_call="{0} of open bracket {1} close bracket",
        functions={"ln": "the natural logarithm", "max": "the maximum", "exp": "the exponential", "if": "if"},
        brackets="open bracket {0} close bracket",
        sum="the sum over {0} from {1} to {2} of {3}",
        sum_end="{0}, end sum",
        maximum="the maximum over {0} from {1} to {2} of {3}",
        maximum_end="{0}, end maximum",
        for_all="for all {0} from {1} to {2}, {3}",
        cases="{0} if {1}, otherwise {2}",
        cases_end="the cases {0}, end cases",
        vector="the vector {0}, end vector",
        matrix="the matrix with rows {0}, end matrix",
        family="the tensor whose entry at {1} is {0}, end tensor",
        comma="{0}, {1}",
        row="{0}; {1}",
        relations={
            "eq": "{0} equals {1}", "le": "{0} is at most {1}", "lt": "{0} is less than {1}",
            "ne": "{0} is not equal to {1}",
        },
    ),
    "zh": Phrases(
        minus="负 {0}",
        plus="{0} 加 {1}",
        take="{0} 减 {1}",
        times="{0} 乘 {1}",
        over="{1} 分之 {0}",
        short_fraction="分式 {1} 分之 {0}，分式结束",
        fraction="分式，分子为 {0}，分母为 {1}，分式结束",
        sub="{0} 下标 {1}",
        long_sub="{0} 下标 {1}，下标结束",
        sub_comma="{0} 逗号 {1}",
        entry="{0} 的第 {1} 个分量",
        entry_of_value="{0} 所得的第 {1} 个分量",
        prime="{0} 撇",
        powers={"2": "{0} 的平方", "3": "{0} 的立方"},
        short_power="{0} 的 {1} 次方",
        power="{0} 的 {1} 次方",
        whole="{0}，下标结束，",
        root="根号 {0}",
        long_root="根号下 {0}，根号结束",
        call="{0} 作用于 {1}",
        long_call="{0} 左括号 {1} 右括号",
        functions={"ln": "自然对数", "max": "最大值", "exp": "指数函数", "if": "条件"},
        brackets="左括号 {0} 右括号",
        sum="对 {0} 从 {1} 到 {2} 求和：{3}",
        sum_end="{0}，求和结束",
        maximum="对 {0} 从 {1} 到 {2} 取最大值：{3}",
        maximum_end="{0}，最大值结束",
        for_all="对从 {1} 到 {2} 的所有 {0}，{3}",
        cases="当 {1} 时为 {0}，否则为 {2}",
        cases_end="分段，{0}，分段结束",
        vector="向量 {0}，向量结束",
        matrix="矩阵，各行为 {0}，矩阵结束",
        family="张量，其第 {1} 个分量为 {0}，张量结束",
        comma="{0}、{1}",
        row="{0}；{1}",
        relations={
            "eq": "{0} 等于 {1}", "le": "{0} 小于等于 {1}", "lt": "{0} 小于 {1}", "ne": "{0} 不等于 {1}",
        },
    ),
}  # fmt: skip


def to_speech(term: Term, lang: Language) -> str:
    """`term` as one would read it aloud in `lang`."""
    return _say(layout(term, Style.SPOKEN), _PHRASES[lang], True, True).replace("， ", "，")


def _say(node: Node, words: Phrases, alone: bool, ends: bool) -> str:
    """`alone`: nothing else is heard between the words that delimit; `ends`: nothing follows up to there."""
    match node:
        case Number(digits):
            return digits
        case Name(text):
            return _name(text, words)
        case Signed(body):
            return words.minus.format(_say(body, words, alone, ends))
        case Sum(terms):
            made = ""
            for k, s in enumerate(terms):
                part = _say(s.body, words, False, ends and k + 1 == len(terms))
                made = (words.take if s.minus else words.plus).format(made, part) if k else part
            return made
        case Product(factors):
            made = ""
            for k, f in enumerate(factors):
                part = _say(f, words, False, ends and k + 1 == len(factors))
                made = words.times.format(made, part) if k else part
            return made
        case Fraction(over, under) | Slash(over, under):
            short = _is_simple(over) and _is_simple(under)
            phrase = words.over if short and alone else words.short_fraction if short else words.fraction
            return phrase.format(_say(over, words, True, True), _say(under, words, True, True))
        case Scripted(base, sub, sup):
            made = _subscripted(base, sub, words) if sub else _say(base, words, False, False)
            return made if sup is None else _power(node, made, sup, words)
        case Root(body):
            phrase = words.root if _is_simple(body) else words.long_root
            return phrase.format(_say(body, words, True, True))
        case Call(name, args, builtin):
            head = words.functions.get(name, name) if builtin else _name(name, words)
            if not args:
                return head
            phrase = words.call if len(args) == 1 and _is_simple(args[0]) else words.long_call
            return phrase.format(head, _list(args, words, words.comma))
        case Big(op, index, lo, hi, body):
            phrase, end = (words.sum, words.sum_end) if op == "sum" else (words.maximum, words.maximum_end)
            parts = [_say(n, words, True, True) for n in (index, lo, hi)]
            made = phrase.format(*parts, _say(body, words, True, ends))
            return made if ends else end.format(made)
        case ForAll(index, lo, hi, body):
            return words.for_all.format(*[_say(n, words, True, True) for n in (index, lo, hi, body)])
        case Cases(then, condition, otherwise):
            made = words.cases.format(*[_say(n, words, True, True) for n in (then, condition, otherwise)])
            return made if alone else words.cases_end.format(made)
        case Vector(items):
            return words.vector.format(_list(items, words, words.comma))
        case Matrix(rows):
            made = ""
            for k, row in enumerate(rows):
                line = _list(row, words, words.comma)
                made = words.row.format(made, line) if k else line
            return words.matrix.format(made)
        case Family(body, indices):
            return words.family.format(_say(body, words, True, True), _list(indices, words, words.sub_comma))
        case Relation(sign, left, right):
            return words.relations[sign].format(_say(left, words, True, True), _say(right, words, True, True))
        case Brackets(body):
            return words.brackets.format(_say(body, words, True, True))
        case Marked(body):
            return _say(body, words, alone, ends)


def _is_simple(node: Node) -> bool:
    """Whether where `node` ends is heard without being said."""
    node = bare(node)
    if isinstance(node, Scripted):
        bare_letter = isinstance(node.base, Name) and node.sup is None
        return bare_letter and len(node.sub) == 1 and _is_leaf(node.sub[0])
    return _is_leaf(node)


def _is_leaf(node: Node) -> bool:
    return isinstance(bare(node), (Name, Number))


def _list(nodes: tuple[Node, ...] | tuple[Name, ...], words: Phrases, comma: str) -> str:
    made = ""
    for k, n in enumerate(nodes):
        part = _say(n, words, True, True)
        made = comma.format(made, part) if k else part
    return made


def _subscripted(base: Node, sub: tuple[Node, ...], words: Phrases) -> str:
    inner = bare(base)
    if isinstance(inner, Brackets) and isinstance(bare(inner.body), Name):
        base = inner.body
    said, indices = _say(base, words, False, False), _list(sub, words, words.sub_comma)
    if not (isinstance(inner, Name) and not split_name(inner.text).sub):
        return (words.entry_of_value if isinstance(inner, Call) else words.entry).format(said, indices)
    return (words.sub if all(map(_is_leaf, sub)) else words.long_sub).format(said, indices)


def _power(node: Scripted, base: str, sup: Node, words: Phrases) -> str:
    inner = bare(sup)
    letter = bare(node.base)
    named_sub = split_name(letter.text).sub if isinstance(letter, Name) else ()
    if (node.sub and all(map(_is_leaf, node.sub))) or (named_sub and not node.sub):
        base = words.whole.format(base)
    if isinstance(inner, Number) and inner.digits in words.powers:
        return words.powers[inner.digits].format(base)
    short = _is_simple(inner.body if isinstance(inner, Signed) else inner)
    phrase = words.short_power if short else words.power
    return phrase.format(base, _say(sup, words, True, True))


def _name(name: str, words: Phrases) -> str:
    parts = split_name(name)
    made = parts.base
    if parts.sub:
        said = parts.sub[0]
        for part in parts.sub[1:]:
            said = words.sub_comma.format(said, part)
        made = words.sub.format(made, said)
    for _ in range(parts.primes):
        made = words.prime.format(made)
    return made
