r"""Reading an answer: what people type in a key, over the one grammar of `proofs.syntax`.

That grammar reads expressions; here is what only answers have: thousands separators, suffixes and words for powers
of ten, per cent, an approximate or repeated equals sign, a label before it, dots at the end of a decimal, shapes
with crosses, arrays as programs print them, sets, and the letters of a choice. What the right value is decides
what a comma means. The whole is read, or a `SyntaxFault` says where it stopped; its place is one in the text as typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from proofs.syntax import nodes
from proofs.syntax.as_read import as_read
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.parser import Reading, reading
from proofs.syntax.tokens import Notation, normalised
from proofs.syntax.words import RESERVED

MAX_CHARACTERS = 10_000

Form = Literal["any", "number", "row", "shape", "grid", "set"]
"""What the right value is: "any" where nobody knows yet."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A decimal as typed: its value, what one unit of its last digit is worth, and how it was written.

    `bare` is a whole number typed in full, `digits` counts the digits shown without leading zeros, `dots` is whether
    dots follow the last one.
    """

    value: Fraction
    unit: Fraction
    bare: bool
    digits: int
    dots: bool = False


@dataclass(frozen=True, slots=True)
class ReadScalar:
    """One number, formula or special value."""

    node: nodes.Node
    typed: Typed | None = None
    special: Literal["inf", "-inf", "nan"] | None = None


@dataclass(frozen=True, slots=True)
class ReadRow:
    """Items between brackets, or bare; `bracket` is the opening one, ``""`` for bare items."""

    items: tuple[ReadScalar, ...]
    bracket: str = ""


@dataclass(frozen=True, slots=True)
class ReadGrid:
    """A matrix by its rows; `environment` is whether it was written as one, not as rows in brackets."""

    rows: tuple[tuple[ReadScalar, ...], ...]
    environment: bool


@dataclass(frozen=True, slots=True)
class ReadSet:
    """Items between braces."""

    items: tuple[ReadScalar, ...]


Read: TypeAlias = "ReadScalar | ReadRow | ReadGrid | ReadSet"


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read: the sides of a chain of equals signs, most often one.

    `shown` is how it was read, where that differs in form from the typing.
    """

    sides: tuple[Read, ...]
    shown: str | None = None


# --- drafts: text that is rewritten while every character knows where it was typed -------------------------------


@dataclass(frozen=True, slots=True)
class _Draft:
    """Text with the place of each of its characters in the text as typed; None while nothing has moved."""

    text: str
    places: tuple[int, ...] | None = None

    def place(self, k: int) -> int:
        if self.places is None:
            return k
        if not self.places:
            return 0
        return self.places[k] if k < len(self.places) else self.places[-1] + 1

    def part(self, start: int, end: int) -> _Draft:
        return _Draft(self.text[start:end], tuple(self.place(k) for k in range(start, end)))

    def rewritten(self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], str | None]) -> _Draft:
        """Every match replaced by what `make` gives for it; None leaves it."""
        text: list[str] = []
        places: list[int] = []
        at = 0
        for m in pattern.finditer(self.text):
            new = make(m)
            if new is None:
                continue
            text.append(self.text[at : m.start()])
            places.extend(self.place(k) for k in range(at, m.start()))
            text.append(new)
            places.extend([self.place(m.start())] * len(new))
            at = m.end()
        if not text:
            return self
        text.append(self.text[at:])
        places.extend(self.place(k) for k in range(at, len(self.text)))
        return _Draft("".join(text), tuple(places))

    def stripped(self) -> _Draft:
        left, right = len(self.text) - len(self.text.lstrip()), len(self.text.rstrip())
        if right - left == len(self.text):
            return self
        return self.part(left, max(left, right))


# --- what is rewritten before the grammar sees it ------------------------------------------------------------

_WRAPPED = re.compile(
    r"(?:torch\.Size|(?:np\.|numpy\.)?array|(?:torch\.)?tensor|\\boxed|float)\s*(?P<open>[({])(?P<inner>.*)(?P<close>[)}])",
    re.DOTALL,
)
_LEADING = re.compile(r"(?:=|≈|≃|≅|∼|~|\\approx|\\simeq|约为|约等于|大约|约|答案?\s*[:：]|about|approx\.?|ca\.)\s*")
_LIBRARY = re.compile(r"(?<![\w.\\])(?:np|numpy|math|torch)\.(?=(?:inf|nan)\b)")
_CHINESE_SPECIALS = re.compile(r"(?P<sign>[正负]?)无穷大?")
_EQUALS = re.compile(r"<=|>=|!=|=|≈|≃|≅|\\approx(?![A-Za-z])|\\simeq(?![A-Za-z])")
_LABEL = re.compile(
    r"\\?[A-Za-z][A-Za-z0-9]*'*(?:_(?:[A-Za-z0-9]+|\{[\\A-Za-z0-9_,{} ]{1,60}\}))?(?:\([A-Za-z0-9, _]{1,40}\))?"
)
_FINAL_DOT = re.compile(r"(?<=[\dA-Za-z)\]}%!])\s*[.。]\s*$")
_BARE_DOT = re.compile(r"(?<=\d)\.(?=\s*(?:[,;\])}&%+\-*/^]|$|\\\\|\\right|\s)|[eE][+-]?\d)")
_MINUS_OF_EXPONENT = re.compile(r"(?<=[\d.][eE])[−–](?=\d)")
_INFINITY = re.compile(r"(?<![\w\\])(?:INF|Infinity|INFINITY|Nan)(?!\w)")
_WORDS_OF_TEN = re.compile(r"(?<=\d)\s*(?P<word>thousand|million|billion|trillion|千|万|百万|千万|亿)(?![A-Za-z])")
_POWERS = {
    "thousand": "e3", "million": "e6", "billion": "e9", "trillion": "e12",
    "千": "e3", "万": "e4", "百万": "e6", "千万": "e7", "亿": "e8",
}  # fmt: skip
_SUFFIX = re.compile(
    r"(?<=\d)(?:\s+|~|\\[,;: ]\s*)?"
    r"(?:\\(?:text|mathrm|textrm|rm)\s*\{\s*(?P<set>[kKMB])\s*\}|(?P<bare>[kKMB])(?![\w']))"
)
_COMMAS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,]?\d)(?!,\d)", re.ASCII)
_NARROWED = re.compile(r"(?<=\d),\\!(?=\d{3}(?!\d))")
_OPENS = re.compile(r"[(\[](?:\s|\\[,;:! ])*\Z")
_CLOSES = re.compile(r"(?:\s|\\[,;:! ]|\\right)*[)\]]")
_ENCLOSED = re.compile(
    r"(?:\s|\\(?:left|right)(?![A-Za-z])|\\[,;:! ]|[()\[\]])*[(\[](?:\s|\\(?:left|right)|\\[,;:! ])*"
)
_SPACES = re.compile(r"(?<![\w.\\])[1-9]\d{0,2}(?: \d{3})+(?!\d)(?! \d)", re.ASCII)
_APOSTROPHES = re.compile(r"(?<![\w.])[1-9]\d{0,2}(?:['’]\d{3})+(?!['’\d])", re.ASCII)
_DOTS = re.compile(r"(?<=\d)\s*(?:\.{3}|…+|\\[lc]?dots(?![A-Za-z]))(?=\s*(?:[,;\])}&%]|\\\\|\\right|\\end|\\%|$))")
_ARRAY = re.compile(r"[\[\](){}\d\s.eE+\-;infINFa]+")
_BETWEEN = re.compile(r"(?<=[\d.\])fnN])[ \t\r\n]+(?=[\[(\dinN.]|[+-](?:[\d.]|inf))")
_ROWS = re.compile(r"\[\s*(?:\[[^\[\]]*\]\s*,?\s*)+\]")
_BETWEEN_ROWS = re.compile(r"(?<=\])\s+(?=\[)|(?<=\])(?=\[)")
_BETWEEN_DIGITS = re.compile(r"\[[\d\s.eE+\-infINFa]+\]")
_TRANSPOSED = re.compile(
    r"\s*\^\s*(?:T|⊤|\\top|\{\s*(?:T|\\top|\\mathsf\{T\}|\\mathrm\{T\}|\\intercal)\s*\}|\\mathsf\{T\})\s*$"
)
_LOW = dict(zip("ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "aehijklmnoprstuvx", strict=True))
_LOWERED = re.compile(f"[{''.join(_LOW)}]+")
_CHOOSE = re.compile(
    r"(?<![A-Za-z\\_])C(?:\((?=[^()]*,)|_(?:\{(?P<n>[^{}]{1,40})\}|(?P<m>\w))\s*\^(?:\{(?P<k>[^{}]{1,40})\}|(?P<j>\w)))"
)
_ARRAY_ENVIRONMENT = re.compile(r"\\(begin|end)\{array\}(?:(?<=begin\{array\})\{[lcr| ]{0,40}\})?")
_ANGLES = re.compile(r"⟨|\\langle(?![A-Za-z])|⟩|\\rangle(?![A-Za-z])")
_NUMBER = re.compile(
    r"(?P<whole>[\d_,{}\\; :~]*?)(?P<places>\.\d+)?(?P<power>[eE][+-]?\d+)?(?P<suffix>[A-Za-z]?)", re.ASCII
)

_SUFFIXES: Mapping[str, int] = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
_SEPARATORS = ("{,}", "\\,", "_", "~", "\\ ", "\\;", "\\:")


def _outer(draft: _Draft) -> _Draft:
    """Without what stands round the whole: a final full stop, a box, the name of an array type, 'about'."""
    for _ in range(4):
        text = draft.text
        m = _WRAPPED.fullmatch(text)
        if m is not None and _closes_last(text, m.start("open")):
            draft = draft.part(m.start("inner"), m.end("inner")).stripped()
            if draft.text[:1] in ("'", '"') and draft.text[:1] == draft.text[-1:] and len(draft.text) > 2:
                draft = draft.part(1, len(draft.text) - 1)
            continue
        m = _LEADING.match(text)
        if m is not None and m.end() < len(text):
            draft = draft.part(m.end(), len(text))
            continue
        m = _FINAL_DOT.search(text)
        if m is not None and not text[: m.start()].endswith("."):
            draft = draft.part(0, m.start())
            continue
        break
    return draft


def _closes_last(text: str, opening: int) -> bool:
    """Whether the bracket at `opening` is closed by the last character and not before."""
    depth = 0
    for k in range(opening, len(text)):
        if text[k] in "([{":
            depth += 1
        elif text[k] in ")]}":
            depth -= 1
            if depth == 0:
                return k == len(text) - 1
    return False


def _sides(draft: _Draft) -> list[_Draft]:
    """What stands between equals signs outside of all brackets; a label before the first is dropped."""
    text = draft.text
    if not _EQUALS.search(text):
        return [draft]
    depth, start, at = 0, 0, 0
    found: list[_Draft] = []
    while at < len(text):
        c = text[at]
        m = None if depth else _EQUALS.match(text, at)
        if m is not None:
            if m.group() in ("=", "≈", "≃", "≅") or m.group()[0] == "\\":
                found.append(draft.part(start, at).stripped())
                start = m.end()
            at = m.end()
            continue
        depth += (c in "([{") - (c in ")]}")
        at += 1
    found.append(draft.part(start, len(text)).stripped())
    return found


def _is_label(side: _Draft, names: Collection[str]) -> bool:
    """Whether the side is one undeclared name, as in ``d_k = 64``."""
    text = side.text
    m = _LABEL.fullmatch(text)
    if m is None:
        return False
    plain = re.sub(r"[\\{} ]|text|mathrm", "", text)
    word = plain.partition("(")[0].partition("_")[0]
    return plain not in names and text not in names and word not in RESERVED and word != "e"


def _in_call(text: str, at: int) -> bool:
    """Whether the innermost open brackets at `at` include those of a function, in which commas separate."""
    open_calls: list[bool] = []
    for k, c in enumerate(text[:at]):
        if c in "([{":
            before = text[:k].rstrip()
            before = before.removesuffix("\\left").removesuffix("\\").rstrip()
            open_calls.append(before[-1:].isalpha())
        elif c in ")]}" and open_calls:
            open_calls.pop()
    return any(open_calls)


def _innermost(text: str, at: int) -> str:
    """The innermost round or square bracket that is open at `at`, ``""`` if none is."""
    opened: list[str] = []
    for c in text[:at]:
        if c in "([":
            opened.append(c)
        elif c in ")]" and opened:
            opened.pop()
    return opened[-1] if opened else ""


def _is_tuple(text: str, m: re.Match[str]) -> bool:
    """Whether the digits and commas of `m` stand alone between round or square brackets, where commas separate."""
    opening = _ENCLOSED.fullmatch(text, 0, m.start())
    return opening is not None and not re.search(r"\w", re.sub(r"\\right", "", text[m.end() :]))


def _grouped(draft: _Draft, form: Form, names: Collection[str]) -> _Draft:
    """Thousands separators that the grammar doesn't have, as underscores."""
    text = draft.text
    commas = form in ("number", "any")
    if commas and "," in text:
        bare = form == "number" or not any(c in text for c in "([{")

        def comma(m: re.Match[str]) -> str | None:
            if not bare or _in_call(text, m.start()) or _is_tuple(text, m):
                return None
            return m.group().replace(",", "_")

        draft = draft.rewritten(_COMMAS, comma)
    if " " in text and any(c.isdigit() for c in text):
        draft = draft.rewritten(_SPACES, lambda m: m.group().replace(" ", "_"))
    if "'" in text or "’" in text:
        draft = draft.rewritten(_APOSTROPHES, lambda m: re.sub("['’]", "_", m.group()))
    return draft


def _chosen(m: re.Match[str]) -> str:
    """``C(n, k)`` and ``C_n^k`` as a binomial."""
    return f"binom({m['n'] or m['m']},{m['k'] or m['j']})" if m["n"] or m["m"] else "binom("


def _prepared(draft: _Draft, form: Form, names: Collection[str]) -> tuple[_Draft, frozenset[int]]:
    """The draft as the grammar can read it, and the places behind numbers that dots followed."""
    text = draft.text
    if "." in text:
        draft = draft.rewritten(_LIBRARY, lambda _: "")
    if "INF" in text or "Inf" in text or "Nan" in text:
        draft = draft.rewritten(_INFINITY, lambda m: None if m.group() in names else m.group()[:3].lower())
    if "无" in text:
        draft = draft.rewritten(_CHINESE_SPECIALS, lambda m: "-inf" if m["sign"] == "负" else "inf")
    if not draft.text.isascii():
        draft = draft.rewritten(_MINUS_OF_EXPONENT, lambda _: "-")
        draft = draft.rewritten(_LOWERED, lambda m: "_" + "".join(_LOW[c] for c in m.group()))
    if "C" in draft.text and "C" not in names:
        draft = draft.rewritten(_CHOOSE, _chosen)
    if form in ("row", "shape", "grid", "any"):
        if "array" in draft.text:
            draft = draft.rewritten(_ARRAY_ENVIRONMENT, lambda m: f"\\{m.group(1)}{{matrix}}")
        draft = draft.rewritten(_ANGLES, lambda m: "(" if m.group() in ("⟨", "\\langle") else ")")
        m = _TRANSPOSED.search(draft.text)
        if m is not None and form != "grid" and draft.text[: m.start()].rstrip()[-1:] in ("]", ")", "}"):
            draft = draft.part(0, m.start())
        if _ARRAY.fullmatch(draft.text) and (form != "any" or draft.text.startswith("[")):
            draft = draft.rewritten(_BETWEEN, lambda _: ",")
        elif form in ("grid", "any") and _ROWS.fullmatch(draft.text):
            draft = draft.rewritten(_BETWEEN_ROWS, lambda _: ",")
            draft = draft.rewritten(_BETWEEN_DIGITS, lambda m: _BETWEEN.sub(",", m.group()))
    if "\\!" in draft.text:
        draft = draft.rewritten(_NARROWED, lambda _: "{,}")
    draft = _grouped(draft, form, names)
    if any(c.isdigit() for c in draft.text):
        draft = draft.rewritten(_WORDS_OF_TEN, lambda m: _POWERS[m["word"]])
        draft = draft.rewritten(_SUFFIX, lambda m: None if (s := m["set"] or m["bare"]) in names else s)
        dotted: list[int] = []
        if _DOTS.search(draft.text):
            removed = 0
            for m in _DOTS.finditer(draft.text):
                dotted.append(m.start() - removed)
                removed += m.end() - m.start()
            draft = draft.rewritten(_DOTS, lambda _: "")
        elif "." in draft.text:
            draft = draft.rewritten(_BARE_DOT, lambda _: "")
        return draft, frozenset(dotted)
    return draft, frozenset()


# --- from trees to what was read -----------------------------------------------------------------------------


def _typed_number(node: nodes.Number) -> Typed | None:
    m = _NUMBER.fullmatch(node.text)
    if m is None:
        return None
    places = len(m["places"] or "") - 1 if m["places"] else 0
    power = int(m["power"][1:]) if m["power"] else 0
    unit = Fraction(10) ** (power - places) * _SUFFIXES.get(m["suffix"], 1)
    shown = re.sub(r"\D", "", (m["whole"] or "") + (m["places"] or "")).lstrip("0")
    bare = not (m["places"] or m["power"] or m["suffix"])
    return Typed(node.value, unit, bare, len(shown))


def as_typed(node: nodes.Node) -> Typed | None:
    """The decimal that `node` is: a numeral with its sign, per cent, or power of ten (``4.19 * 10^6``)."""
    match node:
        case nodes.Number():
            return _typed_number(node)
        case nodes.Neg(operand=a):
            inner = as_typed(a)
            return None if inner is None else replace(inner, value=-inner.value)
        case nodes.Percent(operand=a):
            inner = as_typed(a)
            return None if inner is None else replace(inner, value=inner.value / 100, unit=inner.unit / 100, bare=False)
        case nodes.Product(factors=(a, nodes.Power() as b), operators=(("*" | ""),)):
            inner, power = as_typed(a), _power_of_ten(b)
            if inner is None or power is None:
                return None
            return replace(inner, value=inner.value * power, unit=inner.unit * power, bare=False)
    return None


def _power_of_ten(node: nodes.Power) -> Fraction | None:
    base, exponent = node.base, node.exponent
    minus = isinstance(exponent, nodes.Neg)
    if isinstance(exponent, nodes.Neg):
        exponent = exponent.operand
    if not (isinstance(base, nodes.Number) and base.value == 10 and isinstance(exponent, nodes.Number)):
        return None
    n = exponent.value
    if n.denominator != 1 or n > 400:
        return None
    return Fraction(10) ** (-int(n) if minus else int(n))


def _special(node: nodes.Node) -> Literal["inf", "-inf", "nan"] | None:
    if isinstance(node, nodes.Special):
        return node.name
    if isinstance(node, nodes.Neg):
        inner = _special(node.operand)
        return "-inf" if inner == "inf" else "inf" if inner == "-inf" else inner
    return None


def _scalar(node: nodes.Node, dotted: frozenset[int]) -> ReadScalar:
    if isinstance(node, (nodes.Sequence, nodes.Matrix)):
        raise SyntaxFault("sequence-unexpected", node.span)
    if isinstance(node, nodes.Relation):
        raise SyntaxFault("relation-unexpected", node.span, {"found": node.sign})
    special = _special(node)
    if special is None:
        for inside, _ in nodes.walk(node):
            if isinstance(inside, nodes.Special):
                raise SyntaxFault("not-a-number", inside.span, {"name": inside.name})
    typed = as_typed(node)
    if dotted:
        ends = [n.span[1] for n, _ in nodes.walk(node) if isinstance(n, nodes.Number) and n.span[1] in dotted]
        if ends and typed is None:
            raise SyntaxFault("unexpected", (ends[0], ends[0]), {"found": "..."})
        if ends and typed is not None:
            typed = replace(typed, dots=True)
    return ReadScalar(node, typed, special)


def _structure(node: nodes.Node, dotted: frozenset[int]) -> Read:
    if isinstance(node, nodes.Matrix):
        return ReadGrid(tuple(tuple(_scalar(n, dotted) for n in row) for row in node.rows), True)
    if not isinstance(node, nodes.Sequence):
        return _scalar(node, dotted)
    if node.bracket == "{":
        return ReadSet(tuple(_scalar(n, dotted) for n in node.items))
    rows = [n for n in node.items if isinstance(n, nodes.Sequence) and n.bracket != "{"]
    if not rows:
        return ReadRow(tuple(_scalar(n, dotted) for n in node.items), node.bracket)
    odd = next((n for n in node.items if n not in rows), None)
    if odd is not None:
        raise SyntaxFault("dimensions-differ", odd.span, {"left": len(rows[0].items), "right": 1})
    for r in rows:
        if len(r.items) != len(rows[0].items):
            raise SyntaxFault("dimensions-differ", r.span, {"left": len(rows[0].items), "right": len(r.items)})
    return ReadGrid(tuple(tuple(_scalar(n, dotted) for n in r.items) for r in rows), False)


_LISTED_GROUPS = re.compile(r"(?<![\w.])\d{1,3}(?:、\d{3})+(?!\d)", re.ASCII)
_POINTS_AND_COMMA = re.compile(r"(?<![\w.,])\d{1,3}(?:[. ]\d{3})+,\d+(?![\d,])", re.ASCII)
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)", re.ASCII)


def _side(draft: _Draft, form: Form, names: Collection[str]) -> tuple[Read, Reading]:
    """One side read, its faults placed in the text as typed; and its tree."""
    turned = _TRANSPOSED.search(draft.text) if form == "grid" else None
    if turned is not None and draft.text[: turned.start()].rstrip()[-1:] in ("]", ")", "}"):
        read, found = _side(draft.part(0, turned.start()), form, names)
        columns = replace(read, rows=tuple(zip(*read.rows, strict=True))) if isinstance(read, ReadGrid) else read
        return columns, found
    ready, dotted = _prepared(draft, form, names)
    cross: Literal["name", "product", "separator"] = (
        "separator" if form == "shape" else "product" if form in ("number", "any") else "name"
    )
    if form == "any" and re.fullmatch(r"\s*[(\[]?\s*\w+(?:\s*[x×]\s*\w+){2,}\s*[)\]]?\s*", ready.text):
        cross = "separator"
    notation = Notation(percent=True, suffixes=_SUFFIXES, separators=_SEPARATORS, cross=cross)
    try:
        found = reading(ready.text, names, notation=notation)
        read = _structure(found.node, dotted)
    except SyntaxFault as fault:
        span = (ready.place(fault.span[0]), max(ready.place(fault.span[0]), ready.place(fault.span[1])))
        raise SyntaxFault(fault.code, span, fault.params, fault.expected) from None
    between = _DECIMAL_COMMA.search(draft.text)
    if form == "number" and isinstance(read, ReadRow) and not read.bracket and between is not None:  # 1,5d
        raise SyntaxFault("separators", (draft.place(between.start()), draft.place(between.start()) + 1))
    return read, found


def _check_list_marks(text: str, form: Form) -> None:
    """Refuse ``1、234`` for a number, ``1.234,5``, ``n; 1,234`` and ``2(1,234 + d)``: a list, or one number."""
    m = _LISTED_GROUPS.search(text) if form in ("number", "any") else None
    if m is not None:
        whole = re.sub("[、，]", "", m.group())
        raise SyntaxFault("two-readings", m.span(), {"one": whole, "other": re.sub("[、，]", ", ", m.group())})
    m = _POINTS_AND_COMMA.search(text)
    if m is not None and form in ("number", "any"):
        whole = re.sub(r"[. ]", "", m.group()).replace(",", ".")
        raise SyntaxFault("two-readings", m.span(), {"one": whole, "other": m.group().replace(",", ", ")})
    listed = re.search(r"(?<!\\)[;、]", text) is not None
    for m in _COMMAS.finditer(text) if listed or form == "number" else ():
        opened = _innermost(text, m.start())
        grouped = listed and opened != "["  # n; 1,234
        alone = _OPENS.search(text, 0, m.start()) is not None and _CLOSES.match(text, m.end()) is not None
        if grouped or (form == "number" and opened and not alone and not _in_call(text, m.start())):
            whole = m.group().replace(",", "")
            raise SyntaxFault("two-readings", m.span(), {"one": whole, "other": m.group().replace(",", ", ")})


def read_answer(text: str, form: Form, names: Collection[str] = ()) -> Answer:
    """Read the whole of `text` as an answer to a question whose right value has this form.

    `names` are the declared names. Raises `SyntaxFault`, whose place is one in `text`.
    """
    if len(text) > MAX_CHARACTERS:
        raise SyntaxFault("too-long", (MAX_CHARACTERS, MAX_CHARACTERS + 1), {"limit": MAX_CHARACTERS})
    plain = normalised(text)
    _check_list_marks(plain, form)
    plain = plain.replace("、", ",").replace("，", ",")
    draft = _Draft(plain).stripped()
    dollars = draft.text
    for mark in ("$$", "$"):
        if len(dollars) > 2 * len(mark) and dollars.startswith(mark) and dollars.endswith(mark):
            draft = draft.part(len(mark), len(dollars) - len(mark)).stripped()
            break
    draft = _outer(draft)
    sides = _sides(draft)
    if len(sides) > 1 and _is_label(sides[0], names):
        del sides[0]
    if len(sides) > 8:
        raise SyntaxFault("too-large", (0, 1), {"limit": 8, "what": "sides"})
    if len(sides) > 1:
        sides = [_outer(s) for s in sides]
    read = [_side(s, form, names) for s in sides]
    decided = any(found.decided for _, found in read)
    return Answer(tuple(r for r, _ in read), " = ".join(as_read(f.node) for _, f in read) if decided else None)


_CHOICE = re.compile(
    r"(?:选项?|答案?|option|choice|answer)?\s*[:：]?\s*[(\[{【（]*\s*(?P<letters>[A-Z]|[A-H](?:\s*[,;、/和&]?\s*[A-H])*)"
    r"\s*[)\]}】）]*\s*[.。、:：)）]?",
    re.IGNORECASE,
)


def read_letters(text: str) -> str:
    """The letters of a choice, in capitals and in order: ``(b)``, ``B.``, ``A, C``. Raises `SyntaxFault`."""
    plain = normalised(text[: MAX_CHARACTERS + 1]).strip()
    m = _CHOICE.fullmatch(plain) if len(plain) <= 60 else None
    if m is None:
        raise SyntaxFault(
            "unexpected" if plain else "empty", (0, max(1, len(text))), {"found": plain[:40]}, ("a letter",)
        )
    letters = re.sub(r"[^A-Za-z]", "", m["letters"]).upper()
    if len(set(letters)) != len(letters) or len(letters) > 8:
        raise SyntaxFault("unexpected", (0, len(text)), {"found": plain[:40]}, ("a letter",))
    return "".join(sorted(letters))
