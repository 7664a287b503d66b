"""Texts as people write them: random expressions in all spellings, and short random rows of signs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tests.meaning.readings.expressions import Tree, name, node, num
from tests.meaning.readings.spelling import VULGAR

DECLARED: tuple[Mapping[str, str], ...] = (
    {"n": "size", "d": "size", "x": "real", "y": "positive"},
    {"n": "size", "d": "size", "h": "size", "d_k": "size", "t": "positive"},
    {"d_model": "size", "h": "size", "d_k": "size", "nd": "size", "n": "size", "d": "size"},
    {"B": "size", "T": "size", "k": "integer", "a": "positive", "b": "positive", "x_1": "real", "x": "real"},
    {"f": "real", "E": "real", "d": "real", "x": "positive", "m": "integer", "a": "real"},
    {"z": "vector", "n": "size", "i": "index", "c": "real", "X": "matrix", "x": "positive"},
    {},
)
ATOMS = 0.42
RAISED = dict(zip("0123456789n-", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ⁻", strict=True))
WIDE = {c: chr(ord(c) + 0xFEE0) for c in "0123456789()+-*/^,.=%![]|"}


@dataclass(frozen=True, slots=True)
class Text:
    """A text with the names that are declared where it stands, and the expression that its writer meant."""

    text: str
    names: Mapping[str, str]
    meant: Tree | None = None


# --- what is meant -------------------------------------------------------------------------------------------


class Thoughts:
    """Random expressions in the declared names."""

    def __init__(self, rng: random.Random, names: Mapping[str, str]) -> None:
        self.rng = rng
        self.scalars = [n for n, s in names.items() if s not in ("vector", "matrix")]
        self.vectors = [n for n, s in names.items() if s == "vector"]
        self.indices = [n for n, s in names.items() if s == "index"]

    def number(self) -> Tree:
        return num(self.rng.choice((1, 2, 2, 2, 3, 3, 4, 5, 7, 8, 10, 12, 16, 100, 1000, 1234, 4096, 4194304)))

    def atom(self) -> Tree:
        rng = self.rng
        if self.vectors and rng.random() < 0.35:
            index = name(rng.choice(self.indices)) if self.indices and rng.random() < 0.5 else num(rng.randint(1, 3))
            return Tree("entry", (index,), rng.choice(self.vectors))
        if self.scalars and rng.random() < 0.62:
            return name(rng.choice(self.scalars))
        if rng.random() < 0.12:
            return num(Fraction(rng.choice((3, 5, 7, 9, 25, 15, 125)), rng.choice((2, 4, 10, 100))))
        return name("e") if rng.random() < 0.08 else self.number()

    def expression(self, depth: int) -> Tree:
        rng = self.rng
        if depth <= 0 or rng.random() < ATOMS - 0.1 * depth:
            return self.atom()
        op = rng.choices(
            ("add", "sub", "mul", "div", "pow", "neg", "ln", "exp", "sqrt", "fact", "percent", "abs", "max", "sum"),
            (12, 6, 28, 20, 14, 3, 9, 6, 8, 2, 2, 2, 1, 2),
        )[0]
        a = self.expression(depth - 1)
        if op in ("add", "sub", "mul", "div", "max"):
            b = self.expression(depth - 1)
            return node("add", a, node("neg", b)) if op == "sub" else node(op, a, b)
        if op == "pow":
            base = a if rng.random() < 0.75 else name("e")
            exponent = num(rng.choice((2, 2, 3, -1, 10))) if rng.random() < 0.5 else self.expression(depth - 2)
            return node("pow", base, exponent)
        if op == "fact":
            return node("fact", num(rng.randint(2, 6)) if rng.random() < 0.5 else self.atom())
        if op == "percent":
            return node("percent", self.number())
        if op == "sum":
            body = node("mul", name("j"), a) if rng.random() < 0.7 else node("add", name("j"), a)
            return node("sum", num(1), self.atom() if rng.random() < 0.5 else num(3), body, data="j")
        return node(op, a)

    def whole(self) -> Tree:
        rng = self.rng
        if rng.random() < 0.08:
            return Tree("list", tuple(self.expression(1) for _ in range(rng.randint(2, 3))))
        return self.expression(rng.choice((1, 2, 2, 2, 3)))


# --- how it is written ---------------------------------------------------------------------------------------


class Hand:
    """One writer's hand: LaTeX or not, how readily brackets and spaces are left out, which signs are used."""

    def __init__(self, rng: random.Random, names: Mapping[str, str]) -> None:
        self.rng = rng
        self.latex = rng.random() < 0.35
        self.drop = rng.choice((0.1, 0.5, 0.9))
        self.times = rng.choice(
            ("*", "*", "·", "×", " x ", "x", r"\cdot ", r" \times ")
            if self.latex
            else ("*", "*", "·", "×", " x ", "x", " * ", " ")
        )
        self.times = " x " if self.times == "x" and "x" in names else self.times
        self.side = rng.choice((0.2, 0.7, 0.95))
        self.spaces = rng.choice((0.0, 0.2, 0.6))

    def leaves_out(self) -> bool:
        return self.rng.random() < self.drop

    def gap(self) -> str:
        return " " if self.rng.random() < self.spaces else ""

    def bracket(self, text: str) -> str:
        if self.latex and self.rng.random() < 0.3:
            return rf"\left({text}\right)"
        return f"[{text}]" if self.rng.random() < 0.04 else f"({text})"

    def write(self, tree: Tree) -> str:
        return self.at(tree, 0)

    def at(self, tree: Tree, level: int) -> str:
        """The text, in brackets where it binds more weakly than its place asks (0 sum, 1 product, 2 factor, 3 base)."""
        text, own = self.spelled(tree)
        return text if own >= level else self.bracket(text)

    def loose(self, tree: Tree, level: int) -> str:
        """As `at`, but with the brackets left out as people leave them out."""
        text, own = self.spelled(tree)
        return text if own >= level or (own >= 1 and self.leaves_out()) else self.bracket(text)

    def spelled(self, tree: Tree) -> tuple[str, int]:
        op, rng = tree.op, self.rng
        if op == "num":
            assert isinstance(tree.data, Fraction)
            return self.number(tree.data)
        if op == "name":
            return self.named(str(tree.data)), 4
        if op == "list":
            return self.listed(tree), 4
        if op == "add":
            a, b = tree.args
            gap = self.gap()
            if b.op == "neg":
                return f"{self.at(a, 0)}{gap}-{gap}{self.at(b.args[0], 1)}", 0
            return f"{self.at(a, 0)}{gap}+{gap}{self.at(b, 1)}", 0
        if op == "neg":
            return f"-{self.gap()}{self.at(tree.args[0], 1)}", 0
        if op == "mul":
            return self.product(*tree.args), 1
        if op == "div":
            return self.quotient(*tree.args)
        if op == "pow":
            return self.power(*tree.args), 2
        if op in ("ln", "exp", "sqrt"):
            return self.function(op, tree.args[0])
        if op == "fact":
            return self.at(tree.args[0], 4) + self.gap() + "!", 3
        if op == "percent":
            return self.at(tree.args[0], 4) + self.gap() + (r"\%" if self.latex else "%"), 3
        if op == "abs":
            bars = (r"\lvert ", r" \rvert") if self.latex and rng.random() < 0.3 else ("|", "|")
            return f"{bars[0]}{self.at(tree.args[0], 0)}{bars[1]}", 4
        if op == "max":
            comma = rng.choice((", ", ",", "，"))
            return f"{chr(92) if self.latex else ''}max({comma.join(self.at(a, 0) for a in tree.args)})", 4
        if op == "entry":
            index = self.at(tree.args[0], 0)
            if self.latex or rng.random() < 0.4:
                return f"{tree.data}_{index}" if len(index) == 1 or self.leaves_out() else f"{tree.data}_{{{index}}}", 4
            return f"{tree.data}[{index}]", 4
        assert op == "sum"
        low, high = self.at(tree.args[0], 0), self.at(tree.args[1], 0)
        if self.latex:
            high = high if len(high) == 1 else f"{{{high}}}"
            return rf"\sum_{{{tree.data}={low}}}^{high} {self.at(tree.args[2], 0 if rng.random() < 0.3 else 1)}", 0
        return f"sum({tree.data} = {low}..{high}, {self.at(tree.args[2], 0)})", 4

    def number(self, q: Fraction) -> tuple[str, int]:
        rng = self.rng
        if q < 0:
            return f"-{self.number(-q)[0]}", 0
        if q.denominator == 1:
            n = q.numerator
            if n >= 1000 and rng.random() < 0.6:
                separators = [",", " ", "_", "'", "，", "、", "."] + (["{,}", r"\,", r",\!"] if self.latex else [])
                return f"{n:,}".replace(",", rng.choice(separators)), 4
            if n >= 100 and n % 100 == 0 and rng.random() < 0.5:
                zeros = len(str(n)) - len(str(n).rstrip("0"))
                head = str(n)[:-zeros]
                return rng.choice(
                    (
                        f"{head}e{zeros}",
                        f"{head}E{zeros}",
                        f"{head}e+{zeros}",
                        f"{head}*10^{zeros}",
                        f"{head}×10^{zeros}",
                        f"{head}x10^{zeros}",
                    )
                ), 1
            return str(n), 4
        whole, rest = divmod(q.numerator, q.denominator)
        low = Fraction(rest, q.denominator)
        vulgar = next((c for c, v in VULGAR.items() if Fraction(*v) == low), None)
        decimal = f"{float(q):g}"
        forms: list[tuple[str, int]] = [(decimal, 4), (decimal, 4), (decimal.replace(".", ","), 4)]
        forms.append((f"{q.numerator}/{q.denominator}", 1))
        if whole:
            forms.append((f"{whole} {low.numerator}/{low.denominator}", 1))
        elif decimal.startswith("0"):
            forms.append((decimal[1:], 4))
        if vulgar:
            forms.append((f"{whole or ''}{vulgar}", 4))
        if self.latex:
            forms.append((rf"\frac{{{q.numerator}}}{{{q.denominator}}}", 4))
            if whole and len(str(low.numerator) + str(low.denominator)) == 2:
                forms.append((rf"{whole}\frac{low.numerator}{low.denominator}", 4))
        return rng.choice(forms)

    def named(self, text: str) -> str:
        stem, _, sub = text.partition("_")
        if not sub:
            return text
        choices = [f"{stem}_{sub}", f"{stem}_{{{sub}}}"]
        if self.latex and len(sub) > 1:
            choices.append(rf"{stem}_{{\text{{{sub}}}}}")
        if sub.isdigit():
            choices.append(f"{stem}{sub}")
        return self.rng.choice(choices)

    def listed(self, tree: Tree) -> str:
        comma = self.rng.choice((", ", ",", "，", "、", "; "))
        inside = comma.join(self.at(a, 0) for a in tree.args)
        opening, closing = self.rng.choice((("(", ")"), ("[", "]"), ("", ""), ("（", "）")))
        return opening + inside + closing

    def product(self, a: Tree, b: Tree) -> str:
        rng = self.rng
        if rng.random() < self.side:
            first, second = self.at(a, 1), self.at(b, 2)
            gap = self.gap()
            if first[-1:].isdigit() and second[:1].isdigit():
                second = f"({second})" if rng.random() < 0.7 else second
            return f"{first}{gap or (' ' if first[-1:].isdigit() and second[:1].isdigit() else '')}{second}"
        second = f"-{self.at(b.args[0], 2)}" if b.op == "neg" and self.leaves_out() else self.at(b, 2)
        return f"{self.at(a, 1)}{self.times}{second}"

    def quotient(self, a: Tree, b: Tree) -> tuple[str, int]:
        rng = self.rng
        if self.latex and rng.random() < 0.5:
            top, below = self.at(a, 0), self.at(b, 0)
            if len(top) == len(below) == 1 and rng.random() < 0.6:
                between = " " if top.isalpha() and below.isalpha() else ""
                return rf"\frac{'' if top.isdigit() else ' '}{top}{between}{below}", 3
            return rf"\frac{{{top}}}{{{below}}}", 3
        stroke = rng.choice(("/", "/", "/", " / ", "÷", "⁄", "／", ":") if rng.random() < 0.4 else ("/",))
        return f"{self.at(a, 1)}{stroke}{self.loose(b, 2)}", 1

    def power(self, base: Tree, exponent: Tree) -> str:
        rng = self.rng
        below, own = self.spelled(base)
        if own < 4:
            below = below if base.op == "pow" and own >= 2 and rng.random() < 0.1 else self.bracket(below)
        text, own = self.spelled(exponent)
        if all(c in RAISED for c in text) and rng.random() < 0.25:
            return below + "".join(RAISED[c] for c in text)
        sign = "**" if not self.latex and rng.random() < 0.12 else "^"
        braces = "{}" if self.latex else "()"
        if own >= 4 and len(text) == 1:
            return f"{below}{sign}{text}"
        if rng.random() < self.drop and (own >= 1 or exponent.op in ("neg", "num")):
            return f"{below}{sign}{text}"
        return f"{below}{sign}{braces[0]}{text}{braces[1]}"

    def function(self, op: str, arg: Tree) -> tuple[str, int]:
        rng = self.rng
        word = ("\\" if self.latex else "") + rng.choice(
            {"ln": ("ln", "ln", "log"), "exp": ("exp",), "sqrt": ("sqrt",)}[op]
        )
        if op == "sqrt" and rng.random() < 0.25:
            word = "√"
        if op == "exp" and rng.random() < 0.4:
            return self.power(name("e"), arg), 2
        text, own = self.spelled(arg)
        if self.latex and op == "sqrt" and word != "√" and rng.random() < 0.7:
            return rf"\sqrt{{{text}}}", 4
        if op == "ln" and arg.op == "pow" and rng.random() < 0.1:
            return f"{word}^2 {text}", 2  # another expression: nobody minds, its readings are compared all the same
        if (own >= 2 and rng.random() < 0.5) or (own >= 1 and self.leaves_out()):
            return f"{word}{rng.choice((' ', ' ', ' ', '')) if text[:1].isalnum() and word != '√' else ''}{text}", 2
        return f"{word}{self.gap()}{self.bracket(text)}", 4


def written(rng: random.Random) -> Text:
    """A random expression in a random hand."""
    names = rng.choice(DECLARED)
    meant = Thoughts(rng, names).whole()
    text = Hand(rng, names).write(meant)
    if rng.random() < 0.12:
        text = "".join(WIDE.get(c, c) if rng.random() < 0.7 else c for c in text)
    if rng.random() < 0.1 and len(text) > 2:
        k = rng.randrange(1, len(text))
        if not (text[k - 1].isalnum() and text[k].isalnum()) and text[k - 1] not in "\\., " and text[k] not in ".,":
            text = text[:k] + " " + text[k:]
    return Text(text, names, meant)


# --- rows of signs -------------------------------------------------------------------------------------------


def _signs(*rows: str) -> tuple[list[str], ...]:
    return tuple(row.split() for row in rows)


PLAIN = _signs(
    "1 2 3 10 0.5 1,5 1,234 1/2 2/3 ½ 2e3 2e+3 1e-3 50% 7 1、234 4k 2M",
    "+ - * / ^ ( ) ^2 ^3 ^-1 ^( / / * ( ) ) ! % | , 、 ， × x · ÷ ** : ² ⁻¹ [ ] ; '",
    "ln log exp sqrt √ e ln( exp( sqrt( abs( max( log_2 log2 ln^2 mod pi π e^ e^- f( E[ d/dx Var(",
)
LATEX = _signs(
    r"1 2 3 10 0.5 1{,}234 1\,234 \frac12 \frac{1}{2} 50\%",
    r"+ - * / ^ ( ) ^2 ^{2} ^{-1} ^ _ \cdot \times , ! | \left( \right) \, \quad { }",
    r"\ln \log \exp \sqrt \sqrt{2} e \ln( \exp( \log_2 \frac{d}{dx} \sum_{j=1}^n \sum_{j=1}^3 \ln^2 \max( e^",
)


def strewn(rng: random.Random) -> Text:
    """Some signs in a row, as they come."""
    names = rng.choice(DECLARED)
    numbers, signs, words = LATEX if rng.random() < 0.25 else PLAIN
    letters = [n for n in names if names[n] not in ("vector", "matrix")] or ["2"]
    parts: list[str] = []
    for _ in range(rng.randint(2, 6)):
        kind = rng.random()
        source = numbers if kind < 0.28 else letters if kind < 0.6 else signs if kind < 0.86 else words
        part = rng.choice(source)
        gap = (
            " "
            if rng.random() < 0.22
            or (part[:1].isalpha() and parts and parts[-1][:1] == "\\" and parts[-1][-1:].isalpha())
            else ""
        )
        parts.append(gap + part)
    text = "".join(parts).strip()
    text += ")" * max(0, text.count("(") - text.count(")")) + "]" * max(0, text.count("[") - text.count("]"))
    return Text(text, names)


def texts(seed: int) -> Iterator[Text]:
    """Texts without end, the same for the same seed."""
    rng = random.Random(seed)
    while True:
        yield written(rng) if rng.random() < 0.55 else strewn(rng)
