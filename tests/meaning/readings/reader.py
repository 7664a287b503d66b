"""All readings that people could give a text: an ambiguous grammar over characters, every habit a labelled alternative.

Nothing of the product is used. A reading is a tree with the habits (`conventions.py`) by which somebody arrives at it;
readings of one value are one reading, with the commonest habits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tests.meaning.readings.conventions import weight
from tests.meaning.readings.spelling import (
    DECIMAL_COMMA,
    FUNCTION,
    GREEK,
    NUMBERS,
    POWER_OF_TEN,
    SPACE,
    SUFFIXES,
    VULGAR,
    normalised,
)
from tests.meaning.readings.expressions import Tree, Value, has_value, name, node, num, points, rounded, same, values

MOST_WEIGHT = 6
MOST_AT_A_PLACE = 10
MOST_TEXT = 120
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """What stands in the text up to `end`, read in one way."""

    end: int
    tree: Tree
    labels: frozenset[str] = NOTHING


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a whole text."""

    tree: Tree
    value: Value
    labels: frozenset[str]


class Reader:
    """The readings of one text in which the given names are declared with their sorts (``vector``, ``matrix`` too)."""

    def __init__(self, text: str, names: Mapping[str, str]) -> None:
        self.latex = "\\" in text
        self.text = normalised(text)[:MOST_TEXT]
        bound = re.findall(r"sum_\{?\s*([a-z])\s*=|sum\(\s*([a-z])\s*=", self.text)
        self.names = {
            **names,
            **{n: "index" for a, b in bound if (n := a or b) not in names},
        }  # last: no other value moves
        self.where = points({n: s for n, s in self.names.items() if s not in ("vector", "matrix")})
        self.valueless = False  # whether there is a reading without a value, or one too large for it
        self._memo: dict[tuple[str, int], list[Found]] = {}
        self._keys: dict[Tree, object] = {}
        depth, self.depths = 0, [0]
        for c in self.text:
            depth += (c in "([{") - (c in ")]}")
            self.depths.append(depth)

    # --- keeping what is found ----------------------------------------------------------------------------

    def key(self, tree: Tree) -> object:
        if tree not in self._keys:
            value = values(tree, self.where)
            self._keys[tree] = rounded(value) if has_value(value) else tree
        return self._keys[tree]

    def kept(self, found: Iterable[Found]) -> list[Found]:
        """One of each value at each end, with the commonest habits."""
        best: dict[tuple[int, object], Found] = {}
        for f in sorted(found, key=lambda f: (weight(f.labels), len(f.labels))):
            if weight(f.labels) <= MOST_WEIGHT:
                best.setdefault((f.end, self.key(f.tree)), f)
        count: dict[int, int] = {}
        kept = []
        for f in best.values():
            count[f.end] = count.get(f.end, 0) + 1
            if count[f.end] <= MOST_AT_A_PLACE:
                kept.append(f)
        return kept

    def memo(self, kind: str, i: int, make: Callable[[int], Iterable[Found]]) -> list[Found]:
        if (kind, i) not in self._memo:
            self._memo[kind, i] = []  # a left recursion finds nothing
            self._memo[kind, i] = self.kept(make(i))
        return self._memo[kind, i]

    def skip(self, i: int) -> int:
        m = SPACE.match(self.text, i)
        return m.end() if m else i

    def here(self, i: int) -> str:
        return self.text[i] if 0 <= i < len(self.text) else ""

    # --- the whole ----------------------------------------------------------------------------------------

    def readings(self) -> list[Reading]:
        """Every reading of the whole text, the commonest first; of two with one value only one.

        Braces behind a function don't print: ``\\ln{2x}`` is also read as what stands on paper.
        """
        found = self._readings()
        bare = re.sub(r"(\\(?:ln|log|exp)\s*)\{([^{}]*)\}", r"\1 \2 ", self.text)
        if bare != self.text:
            printed = Reader(bare, self.names)
            printed.latex = True
            for r in printed._readings():
                if not any(same(r.value, other.value) for other in found):
                    found.append(r)
        return sorted(found, key=lambda r: weight(r.labels))

    def _readings(self) -> list[Reading]:
        whole = [f for f in self.items(0, top=True) if self.skip(f.end) == len(self.text)]
        found = [Reading(f.tree, values(f.tree, self.where), f.labels) for f in self.kept(whole)]
        self.valueless = any(not has_value(r.value) for r in found)
        return sorted((r for r in found if has_value(r.value)), key=lambda r: weight(r.labels))

    def items(self, i: int, top: bool = False) -> list[Found]:
        """An expression, or several between commas."""
        found = self.memo("items", self.skip(i), self._items)
        if not top:
            return found
        return [
            Found(f.end, f.tree, f.labels | {"bare-list"}) if f.tree.op == "list" and self.here(0).isdigit() else f
            for f in found
        ]

    def _items(self, i: int) -> Iterable[Found]:
        single = self.expr(i)
        yield from single
        rows: list[tuple[int, tuple[Tree, ...], frozenset[str]]] = [(f.end, (f.tree,), f.labels) for f in single]
        for _ in range(6):
            more = []
            for end, items, labels in rows:
                j = self.skip(end)
                spaced = j > end and self.here(j) not in ("", ",", ";", "、")
                if self.text.startswith(r",\!", j):
                    continue  # a sign of thousands
                if self.here(j) not in (",", ";", "、") and not (
                    spaced and self.here(j).isdigit() and self.here(end - 1).isdigit()
                ):
                    continue
                k = j if spaced else self.skip(j + 1)
                for f in self.expr(k):
                    tags = labels | f.labels | ({"bare-list-spaces"} if spaced else NOTHING)
                    more.append((f.end, (*items, f.tree), tags))
            rows = [(f.end, f.tree.args, f.labels) for f in self.kept(Found(e, Tree("list", t), g) for e, t, g in more)]
            yield from (Found(e, Tree("list", t), g) for e, t, g in rows)

    # --- sums ---------------------------------------------------------------------------------------------

    def expr(self, i: int) -> list[Found]:
        return self.memo("expr", self.skip(i), self._expr)

    def signed(self, i: int) -> list[Found]:
        """A term with signs before it."""
        i = self.skip(i)
        if self.here(i) == "+":
            return self.signed(i + 1)
        if self.here(i) == "-":
            negative = [Found(f.end, node("neg", f.tree), f.labels) for f in self.signed(i + 1)]
            for f in self.base_negative(i):
                negative.append(f)
            return negative
        return self.term(i)

    def base_negative(self, i: int) -> list[Found]:
        """``-x^2`` as (-x)^2."""
        found = []
        for base in self.postfix(self.skip(i + 1)):
            for f in self.raised(base):
                if f.tree.op == "pow":
                    tree = node("pow", node("neg", base.tree), f.tree.args[1])
                    found.append(Found(f.end, tree, f.labels | {"minus-in-base"}))
        return found

    def _expr(self, i: int) -> Iterable[Found]:
        states = self.kept(self.signed(i))
        seen = list(states)
        for _ in range(8):
            new = []
            for s in states:
                j = self.skip(s.end)
                sign = self.here(j)
                if sign not in ("+", "-"):
                    continue
                tags = NOTHING
                if re.search(r"\d[eE]$", self.text[:j]) and self.here(j + 1).isdigit() and j == s.end:
                    beside = "e" in self.names or re.search(r"(?<![A-Za-z0-9\\])e(?![A-Za-z])", self.text)
                    integral = not re.search(r"\.\d*e$", self.text[:j])
                    tags = frozenset({"e-then-sign" if sign == "+" and integral and beside else "e-beside-digits"})
                for f in self.signed(j + 1):
                    labels = s.labels | f.labels | tags
                    second = f.tree if sign == "+" else node("neg", f.tree)
                    new.append(Found(f.end, node("add", s.tree, second), labels))
                    if f.tree.op == "percent":
                        part = node("mul", s.tree, f.tree)
                        whole = node("add", s.tree, part if sign == "+" else node("neg", part))
                        new.append(Found(f.end, whole, labels | {"percent-of-before"}))
            states = self.kept(new)
            if not states:
                break
            seen += states
        return seen

    # --- products and quotients ---------------------------------------------------------------------------

    def term(self, i: int) -> list[Found]:
        return self.memo("term", self.skip(i), self._term)

    def _times(self, j: int) -> list[tuple[int, frozenset[str]]]:
        """Where the factor behind a written times sign at j begins, and by which habit it is one."""
        c = self.here(j)
        if c == "*" and self.here(j + 1) != "*":
            return [(j + 1, NOTHING)]
        if c in ("×", "·"):
            return [(j + 1, NOTHING)]
        if c in ("x", "X"):
            if c not in self.names:
                return [(j + 1, NOTHING)]
            before, after = self.text[:j], self.here(j + 1)
            apart = before.endswith(" ") and after in (" ", "")
            between = self.text[:j].rstrip()[-1:].isdigit() and self.text[j + 1 :].lstrip()[:1].isdigit()
            if apart or between:
                return [(j + 1, frozenset({"x-as-times"}))]
        return []

    def _term(self, i: int) -> Iterable[Found]:
        states = list(self.factor(i))
        seen = list(states)
        for _ in range(10):
            new = []
            for s in states:
                j = self.skip(s.end)
                c = self.here(j)
                for k, tags in self._times(j):
                    for f in self.signed_factor(k):
                        new.append(Found(f.end, node("mul", s.tree, f.tree), s.labels | f.labels | tags))
                if c in ("/", "÷", ":", "⁄"):
                    tags = frozenset({"colon-division"}) if c == ":" else NOTHING
                    for f in self.denominators(j + 1):
                        new.append(Found(f.end, node("div", s.tree, f.tree), s.labels | f.labels | tags))
                if c == "%" or self.text.startswith("mod ", j) or self.text.startswith(r"\bmod", j):
                    k = j + (1 if c == "%" else 4 if self.text.startswith("mod ", j) else 5)
                    far = (j == s.end and self.here(k) == " " and self.here(j - 1).isdigit()) or self.here(
                        self.skip(k)
                    ) in "+-"
                    for f in self.signed_factor(k):
                        tags = frozenset({"modulo", "percent-of-before"} if far else {"modulo"} if c == "%" else set())
                        new.append(Found(f.end, node("mod", s.tree, f.tree), s.labels | f.labels | tags))
                for f in self.beside(s.end):
                    new.append(Found(f.end, node("mul", s.tree, f.tree), s.labels | f.labels))
            states = self.kept(new)
            if not states:
                break
            seen += states
        return seen

    def signed_factor(self, i: int) -> list[Found]:
        i = self.skip(i)
        if self.here(i) == "-":
            return [Found(f.end, node("neg", f.tree), f.labels) for f in self.factor(self.skip(i + 1))]
        return self.factor(self.skip(i + 1) if self.here(i) == "+" else i)

    def denominators(self, i: int) -> Iterable[Found]:
        """What may stand below a stroke: one factor, all that is side by side, or all that is multiplied."""
        yield from self.signed_factor(i)
        for f in self.run(self.skip(i)):
            first = min((p.end for p in self.power(self.skip(i))), default=i)
            spaced = self.skip(first) > first
            yield Found(f.end, f.tree, f.labels | {"denominator-run-spaced" if spaced else "denominator-run"})
        whole = [f for f in self.term(i) if self.last(f.end)]
        for f in whole:
            nested = f.tree.op == "div"
            yield Found(f.end, f.tree, f.labels | {"quotient-nested" if nested else "denominator-rest"})

    def last(self, end: int) -> bool:
        """Whether no further factor can follow, written with a sign or without."""
        j = self.skip(end)
        return not (self.here(j) in ("*", "×", "·", "/", "÷", "⁄", "^") or self.beside(end))

    def beside(self, end: int) -> list[Found]:
        """A factor that stands directly behind, without a sign."""
        j = self.skip(end)
        c, before = self.here(j), self.here(end - 1)
        if not c or c in "+-*/^!%,;)]}=<>、:÷×·'_":
            return []
        tags = NOTHING
        if c.isdigit() or c == "." or c in VULGAR:
            if c in VULGAR and before.isdigit():
                tags = frozenset({"figure-times-vulgar"})
            elif re.search(r"\d[eE]$", self.text[:end]) and j == end:
                tags = frozenset({"e-beside-digits"})
            elif before.isdigit() or before in "%}!":
                tags = frozenset({"numbers-side-by-side"})
            else:
                tags = frozenset({"digit-behind"})
        elif c == "(":
            m = re.search(r"[A-Za-z]+(?:_(?:\{\w+\}|\w+))?$", self.text[:end])
            word = m[0] if m else ""
            if before in GREEK or word in ("f", "g", "F", "G") or (word in self.names and len(word.split("_")[0]) > 1):
                tags = frozenset({"function-letter-times"})
        found = self.factor(j)
        if c == "[":
            found = [f for f in found if f.tree.op != "list"]
        return [Found(f.end, f.tree, f.labels | tags) for f in found if f.tree.op != "list"]

    def run(self, i: int) -> list[Found]:
        """Two or more factors side by side, to where no further one follows."""
        return self.memo("run", self.skip(i), self._run)

    def _run(self, i: int) -> Iterable[Found]:
        states, seen = list(self.factor(i)), []
        for _ in range(8):
            new = [
                Found(f.end, node("mul", s.tree, f.tree), s.labels | f.labels)
                for s in states
                for f in self.beside(s.end)
            ]
            states = self.kept(new)
            if not states:
                break
            seen += states
        return [f for f in seen if not self.beside(f.end)]

    # --- factors ------------------------------------------------------------------------------------------

    def factor(self, i: int) -> list[Found]:
        return self.memo("factor", i, lambda k: [*self.power(k), *self.bare_function(k), *self.derivative(k)])

    def power(self, i: int) -> list[Found]:
        return self.memo("power", i, self._power)

    def _power(self, i: int) -> Iterable[Found]:
        for base in self.postfix(i):
            yield base
            for f in self.raised(base):
                yield f
                yield from self.behind(f)

    def behind(self, f: Found) -> Iterable[Found]:
        """``x^n!`` as (x^n)!, ``x^2%`` as a hundredth of x^2."""
        j = self.skip(f.end)
        closed = self.here(f.end - 1) == "}"
        if self.here(j) == "!" and self.here(j + 1) not in ("=", "!"):
            yield Found(j + 1, node("fact", f.tree), f.labels | (NOTHING if closed else {"factorial-of-power"}))
        if self.here(j) == "%":
            yield Found(j + 1, node("percent", f.tree), f.labels | (NOTHING if closed else {"percent-of-power"}))
        m = re.compile(r"\s*!").search(self.text[f.end - 1 : f.end])
        if m and f.tree.op == "pow" and f.tree.args[1].op == "fact":
            inner = f.tree.args[1].args[0]
            yield Found(f.end, node("fact", node("pow", f.tree.args[0], inner)), f.labels | {"factorial-of-power"})

    def raised(self, base: Found) -> list[Found]:
        """The base with what is above it."""
        j = self.skip(base.end)
        if self.text.startswith("**", j):
            k = self.skip(j + 2)
        elif self.here(j) == "^":
            k = self.skip(j + 1)
        else:
            return []
        found = []
        for f in self.exponents(k, base.tree):
            found.append(Found(f.end, node("pow", base.tree, f.tree), base.labels | f.labels))
        if self.text.startswith("{(", k):
            for f in self.group(k):
                tree = node("opaque", base.tree, f.tree, data="superscript")
                found.append(Found(f.end, tree, base.labels | f.labels | {"index-superscript"}))
        more = []
        for f in found:  # a^b^c from the left
            m = self.skip(f.end)
            if self.here(m) == "^" or self.text.startswith("**", m):
                for g in self.raised(f):
                    figures = base.tree.op == "num" and f.tree.args[1].op == "num" and self.text[m + 1] != "{"
                    more.append(Found(g.end, g.tree, g.labels | {"power-left" if figures else "power-left-letters"}))
        return self.kept(found + more)

    def exponents(self, k: int, base: Tree) -> Iterable[Found]:
        sign, start = "", k
        while self.here(k) in ("+", "-") and self.here(k):
            sign, k = ("-" if (sign == "-") != (self.here(k) == "-") else "+"), self.skip(k + 1)

        def out(f: Found, *labels: str) -> Found:
            return Found(f.end, node("neg", f.tree) if sign == "-" else f.tree, f.labels | set(labels))

        for f in self.group(k) if self.here(k) == "{" else self.postfix(k):
            yield out(f)
            for g in self.raised(f):  # a^b^c from the right
                yield out(g)
        for f in self.bare_function(k):
            yield out(f)
        first = self.here(k)
        if not (first.isalnum() or first in VULGAR):
            return
        strong = False
        m = re.compile(r"\d+(?:\.\d+)?").match(self.text, k)
        if m:
            nearby = self.here(m.end())
            if nearby.isalpha() and nearby.isascii():
                strong = base.op == "num" or (base.op == "name" and base.data == "e") or bool(sign)
        else:
            heads = [f.end for f in self.name(k)]
            strong = any(self.here(e).isalnum() for e in heads)
        for f in self.run(k):
            yield out(f, "exponent-run" if strong else "exponent-run-far")
        for a in [*self.postfix(k), *([] if m and not strong else self.run(k))]:
            j = self.skip(a.end)
            if self.here(j) != "/":
                continue
            for b in self.postfix(self.skip(j + 1)):
                figures = a.tree.op == "num" and b.tree.op == "num"
                near = j == a.end and (sign == "-" or (figures and a.tree.data == 1))
                tree = node("div", a.tree, b.tree)
                tag = "exponent-quotient" if near else "exponent-quotient-whole" if figures else "exponent-quotient-far"
                yield out(Found(b.end, tree, a.labels | b.labels), tag)
        if start == k:
            for a in self.postfix(k):
                if self.here(a.end) in ("+", "-") and self.here(a.end):
                    for b in self.postfix(a.end + 1):
                        second = b.tree if self.here(a.end) == "+" else node("neg", b.tree)
                        yield Found(b.end, node("add", a.tree, second), a.labels | b.labels | {"exponent-rest"})

    def postfix(self, i: int) -> list[Found]:
        return self.memo("postfix", i, self._postfix)

    def _postfix(self, i: int) -> Iterable[Found]:
        for f in self.primary(i):
            yield f
            j = self.skip(f.end)
            if self.text.startswith("!!", j):
                yield Found(j + 2, node("fact2", f.tree), f.labels | {"double-factorial"})
                yield Found(j + 2, node("fact", node("fact", f.tree)), f.labels | {"factorial-twice"})
            elif self.here(j) == "!" and self.here(j + 1) != "=":
                yield Found(j + 1, node("fact", f.tree), f.labels)
            if self.here(j) == "%":
                yield Found(j + 1, node("percent", f.tree), f.labels)

    def primary(self, i: int) -> list[Found]:
        return self.memo("primary", i, self._primary)

    def _primary(self, i: int) -> Iterable[Found]:
        c = self.here(i)
        if not c:
            return
        yield from self.number(i)
        yield from self.name(i)
        yield from self.combinations(i)
        if c in "([{":
            yield from self.group(i)
        if c == "|":
            for f in self.items(i + 1):
                j = self.skip(f.end)
                if self.here(j) == "|" and f.tree.op != "list":
                    yield Found(j + 1, node("abs", f.tree), f.labels)
        if c == "\\" or c == "√" or c.isalpha():
            yield from self.bracketed_function(i)
            yield from self.total(i)
            yield from self.fraction(i)

    def group(self, i: int) -> Iterable[Found]:
        c = self.here(i)
        close = {"(": ")", "[": "]", "{": "}"}[c]
        for f in self.items(i + 1):
            j = self.skip(f.end)
            if self.here(j) == close or (c == "[" and self.here(j) == ")" and f.tree.op == "list"):
                yield Found(j + 1, f.tree, f.labels)
                if c == "[" and f.tree.op != "list" and not (self.here(i - 1).isalnum() or self.here(i - 1) in "_}]"):
                    yield Found(j + 1, node("opaque", f.tree, data="whole part"), f.labels | {"whole-part"})

    # --- numbers ------------------------------------------------------------------------------------------

    def number(self, i: int) -> Iterable[Found]:
        c = self.here(i)
        if c in VULGAR:
            yield Found(i + 1, num(Fraction(*VULGAR[c])))
            return
        if not (c.isdigit() or c == ".") or not c.isascii():
            return
        if self.here(i - 1).isdigit() or (self.here(i - 1) == "." and self.here(i - 2).isdigit()):
            return
        deep = self.depths[i] > 0
        for label, pattern, separator in NUMBERS:
            m = pattern.match(self.text, i)
            if not m:
                continue
            typed = m[0].replace(separator, "") if separator else m[0]
            inner = deep or self.commas(i, m.end())
            tag = "thousands-in-brackets" if label in ("thousands-comma", "thousands-chinese") and inner else label
            labels = frozenset({tag}) if tag else NOTHING
            value = Fraction(typed)
            yield Found(m.end(), num(value), labels)
            if not label:
                yield from self.scaled(i, m.end(), value)
        m = DECIMAL_COMMA.match(self.text, i)
        if m:
            tag = "decimal-comma-in-brackets" if deep or self.commas(i, m.end()) else "decimal-comma"
            yield Found(m.end(), num(Fraction(f"{m[1]}.{m[2]}")), frozenset({tag}))
        m = re.compile(r"(\d+)\.(\d+)").match(self.text, i)
        if m:
            yield Found(m.end(), node("mul", num(int(m[1])), num(int(m[2]))), frozenset({"dot-product"}))

    def commas(self, i: int, end: int) -> bool:
        """Whether commas separate something else in the text, and no stronger sign does."""
        return "," in self.text[:i] + self.text[end:] and not any(c in self.text for c in ";、")

    def scaled(self, i: int, end: int, value: Fraction) -> Iterable[Found]:
        """What a number says together with what follows it: a power of ten, thousands, a fraction, a remark."""
        m = POWER_OF_TEN.match(self.text, end)
        if m:
            power = value * Fraction(10) ** int(m[1])
            yield Found(m.end(), num(power), frozenset({"scientific"}))
            if self.here(m.end()) in SUFFIXES and self.here(m.end()) and not self.here(m.end() + 1).isalnum():
                thousands = num(power * 10 ** SUFFIXES[self.here(m.end())])
                yield Found(m.end() + 1, thousands, frozenset({"scientific", "suffix"}))
        c = self.here(end)
        if c in SUFFIXES and c and not self.here(end + 1).isalnum() and self.here(end + 1) not in ("_", "^"):
            yield Found(
                end + 1, num(value * 10 ** SUFFIXES[c]), frozenset({"suffix-declared" if c in self.names else "suffix"})
            )
        m = re.compile(r"0[xX][0-9a-fA-F]+").match(self.text, i)
        if m:
            yield Found(m.end(), num(int(m[0], 16)), frozenset({"hexadecimal"}))
        if value.denominator == 1 and self.text[i:end].isdigit():
            m = re.compile(f"\\s?([{''.join(VULGAR)}])").match(self.text, end)
            if m:
                yield Found(m.end(), num(value + Fraction(*VULGAR[m[1]])))
        if value.denominator == 1 and self.text[i:end].isdigit() and self.here(i - 1) not in ("^", "_"):
            m = re.compile(r"\s*(\d+)\s?[/⁄]\s?(\d+)(?![\d.])").match(self.text, end)
            if m and m.start(1) > end and 0 < int(m[1]) < int(m[2]):
                yield Found(m.end(), num(value + Fraction(int(m[1]), int(m[2]))), frozenset({"mixed-number"}))
            m = re.compile(r"\s*\\frac\s*\{?(\d)\}?\s*\{?(\d)\}?").match(self.text, end)
            if m and int(m[2]):
                yield Found(m.end(), num(value + Fraction(int(m[1]), int(m[2]))), frozenset({"mixed-number"}))
            m = re.compile(r"⁄(\d+)(?![\d.])").match(self.text, end)
            if m and int(m[1]):
                yield Found(m.end(), num(value / int(m[1])), frozenset({"fraction-slash"}))
        m = re.compile(r"%?(?:\s+\(|\((?=[\d. ]+%))\s*=?\s*[\d.,]+\s*%?\s*\)").match(self.text, end)
        if m:
            tree = num(value / 100 if self.here(end) == "%" else value)
            yield Found(m.end(), tree, frozenset({"remark"}))

    # --- names --------------------------------------------------------------------------------------------

    def name(self, i: int) -> Iterable[Found]:
        return self.memo("name", i, self._name)

    def _spelled(self, text: str, i: int) -> int | None:
        """The end of the declared name at i, in any spelling; None where it doesn't stand there."""
        stem, _, sub = text.partition("_")
        if not self.text.startswith(stem, i):
            return None
        end = i + len(stem)
        if not sub:
            return end
        m = re.compile(r"\s?_\s?(?:\{\s*" + re.escape(sub) + r"\s*\}|" + re.escape(sub) + ")").match(self.text, end)
        return m.end() if m else None

    def _name(self, i: int) -> Iterable[Found]:
        c = self.here(i)
        if not c.isalpha() or (self.here(i - 1) == "\\"):
            return
        ends = {n: e for n in self.names if (e := self._spelled(n, i)) is not None}
        longest = max(ends.values(), default=0)
        for n, end in ends.items():
            tags = frozenset({"split-declared-name"}) if end < longest else NOTHING
            sort = self.names[n]
            if sort in ("vector", "matrix"):
                yield from self.entries(n, end, 1 if sort == "vector" else 2, tags)
                continue
            after = self.here(end)
            if after == "_":
                continue  # a subscript of its own makes another name
            yield Found(end, name(n), tags)
            yield from self.with_figures(n, end, tags)
            yield from self.applied(n, end, tags)
        if not ends and c not in "eπ" and not FUNCTION.match(self.text, i):
            m = re.compile(r"[A-Za-zα-ωΑ-Ω]+(?:_(?:\{\w+\}|\w+))?").match(self.text, i)
            lone = m and m[0] not in ("x", "X") and not (self.here(i - 1).isascii() and self.here(i - 1).isalpha())
            if m and lone and self.here(m.end()) in ("(", "["):
                yield from self.applied(m[0], m.end(), NOTHING)
        if c == "e" and "e" not in self.names:
            yield Found(i + 1, name("e"), frozenset({"split-declared-name"}) if longest > i + 1 else NOTHING)
            if self.here(i + 1) == "(":
                for f in self.group(i + 1):
                    if f.tree.op != "list":
                        yield Found(f.end, node("exp", f.tree), f.labels | {"e-applied"})
        if c == "π" or (self.text.startswith("pi", i) and "p" not in self.names):
            inside = c != "π" and self.here(i - 1).isascii() and self.here(i - 1).isalpha()
            yield Found(
                i + (1 if c == "π" else 2), name("pi"), frozenset({"split-declared-name"}) if inside else NOTHING
            )

    def combinations(self, i: int) -> Iterable[Found]:
        """``C_n^k`` as the number of choices."""
        if self.here(i) != "C":
            return
        m = re.compile(r"C_(\{[^{}]+\}|\w)\^(\{[^{}]+\}|\w)").match(self.text, i)
        if not m:
            return
        for n in self.argument(m.start(1)):
            for k in self.argument(m.start(2)):
                if n.end == m.end(1) and k.end == m.end(2):
                    yield Found(k.end, node("binom", n.tree, k.tree), n.labels | k.labels | {"permutations"})

    def with_figures(self, n: str, end: int, tags: frozenset[str]) -> Iterable[Found]:
        """``x2``: its own name, a subscript, or a power that lost its place."""
        m = re.compile(r"\d+").match(self.text, end)
        if not m or (n == "E" and self.here(end - 2).isdigit()):
            return
        if "_" in n:
            yield Found(m.end(), node("opaque", data=f"{n}{m[0]}"), tags | {"undeclared-name"})
            return
        yield Found(m.end(), node("pow", name(n), num(int(m[0]))), tags | {"lost-superscript"})
        other = f"{n}_{m[0]}"
        subscripted = name(other) if other in self.names else node("opaque", data=other)
        yield Found(m.end(), subscripted, tags | {"digit-as-subscript"})

    def applied(self, n: str, end: int, tags: frozenset[str]) -> Iterable[Found]:
        """``d(d+1)`` as d of d+1, ``E[x]``, ``x'``."""
        j = self.skip(end)
        stem = n.partition("_")[0]
        custom = stem in ("f", "g", "F", "G") or stem in GREEK or len(stem) > 1 or n not in self.names
        counted = self.here(end - 1) in SUFFIXES and self.here(end - 2).isdigit()  # 4k(n)
        if self.here(j) == "(" and not (counted and custom):
            label = "function-letter" if custom else "letter-applied"
            for f in self.group(j):
                args = f.tree.args if f.tree.op == "list" else (f.tree,)
                yield Found(f.end, Tree("opaque", args, f"{n}()"), f.labels | tags | {label})
        if self.here(j) == "[" and j == end:
            for f in self.group(j):
                args = f.tree.args if f.tree.op == "list" else (f.tree,)
                yield Found(f.end, Tree("opaque", args, f"{n}[]"), f.labels | tags | {"letter-indexed"})

    def entries(self, n: str, end: int, rank: int, tags: frozenset[str]) -> Iterable[Found]:
        """``z[i]``, ``z_i``, ``X_{ij}``."""
        j = self.skip(end)
        if self.here(j) == "[":
            for f in self.items(j + 1):
                k = self.skip(f.end)
                args = f.tree.args if f.tree.op == "list" else (f.tree,)
                if self.here(k) == "]" and len(args) == rank:
                    yield Found(k + 1, Tree("entry", args, n), f.labels | tags)
        elif self.here(j) == "_":
            k = self.skip(j + 1)
            if self.here(k) == "{":
                inside = [(f, f.end) for f in self.items(k + 1) if self.here(self.skip(f.end)) == "}"]
                for f, stop in inside:
                    args = f.tree.args if f.tree.op == "list" else (f.tree,)
                    tag = "index-product" if f.tree.op == "mul" else ""
                    labels = f.labels | tags | ({tag} if tag else NOTHING)
                    if len(args) == rank:
                        yield Found(self.skip(stop) + 1, Tree("entry", args, n), labels)
                    if rank == 2 and f.tree.op == "mul":
                        yield Found(
                            self.skip(stop) + 1, Tree("entry", f.tree.args, n), f.labels | tags | {"indices-apart"}
                        )
                m = re.compile(r"\{(\d)(\d)\}").match(self.text, k)
                if rank == 2 and m:
                    args = (num(int(m[1])), num(int(m[2])))
                    yield Found(m.end(), Tree("entry", args, n), tags | {"indices-apart"})
            elif rank == 1:
                for f in [*self.number(k), *self.name(k)]:
                    yield Found(f.end, Tree("entry", (f.tree,), n), f.labels | tags)

    # --- functions ----------------------------------------------------------------------------------------

    def _heads(self, i: int) -> Iterable[tuple[str, int, Tree | None, Tree | None, frozenset[str]]]:
        """A function's word at i: its name, where its argument begins, the base, a power above it, habits."""
        m = FUNCTION.match(self.text, i)
        if not m or (self.here(i - 1) == "\\" and not m[0].startswith("\\")):
            return
        word, j = m[1] or "sqrt", m.end()
        bases: list[tuple[int, Tree | None, frozenset[str]]] = [(j, None, NOTHING)]
        if word == "log" and self.here(j) == "_":
            bases = []
            k = j + 1
            if self.here(k) == "{":
                bases = [(f.end, f.tree, f.labels) for f in self.group(k)]
            else:
                m2 = re.compile(r"\d+").match(self.text, k)
                if m2 and len(m2[0]) > 1:
                    figure = num(int(m2[0][0]))
                    bases.append((k + 1, figure, NOTHING if self.latex else frozenset({"base-run"})))
                if m2:
                    whole = frozenset({"base-run"}) if len(m2[0]) > 1 and self.latex and m2[0] != "10" else NOTHING
                    bases.append((m2.end(), num(int(m2[0])), whole))
                bases += [(f.end, f.tree, f.labels) for f in self.name(k)]
        elif word == "log" and self.here(j).isdigit():
            m2 = re.compile(r"\d+").match(self.text, j)
            assert m2
            if self.here(self.skip(m2.end())) not in "+-*/^)],;·×" and int(m2[0]) > 1:
                bases.append((m2.end(), num(int(m2[0])), frozenset({"digits-as-base"})))
        for k, base, tags in bases:
            yield word, k, base, None, tags
            if self.here(self.skip(k)) == "^":
                for f in self.power_above(self.skip(self.skip(k) + 1)):
                    yield word, f.end, base, f.tree, tags | f.labels

    def power_above(self, k: int) -> Iterable[Found]:
        if self.here(k) == "{" or self.here(k) == "(":
            yield from self.group(k)
        else:
            m = re.compile(r"-?\d+").match(self.text, k)
            if m:
                yield Found(m.end(), num(int(m[0])))
            else:
                yield from self.name(k)

    def made(
        self, word: str, base: Tree | None, above: Tree | None, arg: Found, tags: frozenset[str]
    ) -> Iterable[Found]:
        """The function at its argument."""
        args = arg.tree.args if arg.tree.op == "list" else (arg.tree,)
        labels = arg.labels | tags
        if word in ("max", "min"):
            if len(args) < 2:
                return
            tree = Tree(word, args)
        elif len(args) == 2 and word == "log":
            yield Found(arg.end, node("log", args[0], args[1]), labels | {"two-argument-log"})
            yield Found(arg.end, node("log", args[1], args[0]), labels | {"two-argument-log"})
            return
        elif len(args) != 1:
            return
        elif base is not None:
            tree = node("log", base, args[0])
        else:
            tree = node({"log": "ln"}.get(word, word), args[0])
        if above is None:
            yield Found(arg.end, tree, labels)
            return
        yield Found(arg.end, node("pow", tree, above), labels)
        if above in (num(-1), node("neg", num(1))) and word in ("ln", "log", "exp"):
            inverse = node("ln" if word == "exp" else "exp", args[0])
            yield Found(arg.end, inverse, labels | {"inverse-function"})

    def bracketed_function(self, i: int) -> Iterable[Found]:
        """``ln(...)``, which is as good as a bracket."""
        for word, j, base, above, tags in self._heads(i):
            k = self.skip(j)
            if self.here(k) in ("(", "[", "{") and self.here(k) and not (self.text.startswith("\\sqrt[", i)):
                for arg in self.group(k):
                    yield from self.made(word, base, above, arg, tags)
            if word == "sqrt" and self.here(k) == "[" and self.latex:
                for degree in self.group(k):
                    for arg in self.argument(degree.end):
                        yield Found(arg.end, node("root", arg.tree, degree.tree), arg.labels)

    def bare_function(self, i: int) -> Iterable[Found]:
        return self.memo("bare", i, self._bare_function)

    def _bare_function(self, i: int) -> Iterable[Found]:
        for word, j, base, above, tags in self._heads(i):
            if word in ("max", "min", "abs"):
                continue
            k = self.skip(j)
            c = self.here(k)
            root = word == "sqrt"
            pending: list[tuple[Found, str]] = []
            if c in ("(", "[", "{") and c and not (root and c == "[" and self.latex and self.text[i] == "\\"):
                ends = [f.end for f in self.group(k)]
                if not ends or (c == "{" and root):
                    continue
                behind = self.skip(ends[0])
                spaced = k > j
                inner = self.text[k + 1 : ends[0] - 1].strip()
                short = len(inner) <= 1 or inner.isdigit()
                for f in self.power(k):
                    if f.end > ends[0] and f.tree.op in ("pow", "fact"):
                        textbook = (self.latex or spaced) and not (short and not spaced) and word != "exp"
                        pending.append((f, "function-of-power" if textbook else "function-of-power-code"))
                for f in self.run(k):
                    near = self.here(behind) == "(" and not short
                    pending.append((f, "function-bracket-run" if near else "function-bracket-factor"))
                if self.here(behind) in ("/", "÷"):
                    near = self.here(self.skip(behind + 1)) == "(" and not short
                    for f in self.term(k):
                        if f.tree.op == "div" and self.last(f.end):
                            pending.append((f, "function-bracket-quotient" if near else "function-rest"))
            else:
                for f in self.signed_factor(k):
                    pending.append((f, ""))
                    if f.tree.op == "pow":
                        inner_arg = Found(f.end, f.tree.args[0], f.labels)
                        for g in self.made(word, base, above, inner_arg, tags):
                            tree = node("pow", g.tree, f.tree.args[1])
                            yield Found(g.end, tree, g.labels | {"power-of-function"})
                for f in self.run(self.skip(k + 1) if c == "-" else k):
                    g = Found(f.end, node("neg", f.tree), f.labels) if c == "-" else f
                    nested = any(FUNCTION.match(self.text, self.skip(p.end)) for p in self.power(k))
                    tag = "function-of-functions" if nested else "root-run" if root else "function-run"
                    pending.append((g, tag))
                for f in self.signed(k):
                    if not self.last(f.end) or f.tree.op not in ("div", "mul"):
                        continue
                    m = re.search(r"[/÷⁄*·×]", self.text[k : f.end])
                    if m and FUNCTION.match(self.text, self.skip(k + m.end())):  # ln a/ln b
                        pending.append((f, "function-of-functions"))
                    elif m and m[0] in "/÷⁄":
                        pending.append((f, "root-quotient" if root else "function-quotient"))
                    elif m:
                        pending.append((f, "function-product"))
            for f, tag in pending:
                arg = Found(f.end, f.tree, f.labels | ({tag} if tag else NOTHING))
                if arg.tree.op != "list":
                    yield from self.made(word, base, above, arg, tags)

    # --- fractions, sums, derivatives ---------------------------------------------------------------------

    def argument(self, i: int) -> list[Found]:
        """What a LaTeX command takes: a group, or one character."""
        i = self.skip(i)
        c = self.here(i)
        if c == "{":
            return [f for f in self.group(i) if f.tree.op != "list"]
        if c.isdigit():
            return [Found(i + 1, num(int(c)))]
        if c == "\\":
            return [*self.fraction(i), *self.bracketed_function(i)]
        return [f for f in self.name(i) if f.end == i + 1] if c.isalpha() else []

    def fraction(self, i: int) -> Iterable[Found]:
        if self.text.startswith(r"\frac", i):
            for a in self.argument(i + 5):
                for b in self.argument(a.end):
                    yield Found(b.end, node("div", a.tree, b.tree), a.labels | b.labels)
        if self.text.startswith(r"\binom", i):
            for a in self.argument(i + 6):
                for b in self.argument(a.end):
                    yield Found(b.end, node("binom", a.tree, b.tree), a.labels | b.labels)

    def total(self, i: int) -> Iterable[Found]:
        m = re.compile(r"sum\(\s*([a-z])\s*=").match(self.text, i)
        if m:
            for low in self.expr(m.end()):
                if not self.text.startswith("..", self.skip(low.end)):
                    continue
                for high in self.expr(self.skip(low.end) + 2):
                    j = self.skip(high.end)
                    if self.here(j) != ",":
                        continue
                    for body in self.expr(j + 1):
                        k = self.skip(body.end)
                        if self.here(k) == ")":
                            labels = low.labels | high.labels | body.labels
                            yield Found(k + 1, node("sum", low.tree, high.tree, body.tree, data=m[1]), labels)
        m = re.compile(r"\\\s?sum\s*_\s*\{\s*([a-z])\s*=").match(self.text, i)
        if m:
            for low in self.expr(m.end()):
                j = self.skip(low.end)
                if self.here(j) != "}" or self.here(self.skip(j + 1)) != "^":
                    continue
                for high in self.argument(self.skip(j + 1) + 1):
                    bodies = [(f, NOTHING) for f in self.term(high.end) if self.last(f.end)]
                    sign = self.here(self.skip(high.end))
                    if sign == "-":
                        bodies += [(f, NOTHING) for f in self.signed(high.end) if self.last(f.end)]
                    ends = {f.end for f, _ in bodies}
                    bodies += [(f, frozenset({"sum-body-all"})) for f in self.expr(high.end) if f.end not in ends]
                    for f, tags in bodies:
                        labels = low.labels | high.labels | f.labels | tags
                        yield Found(f.end, node("sum", low.tree, high.tree, f.tree, data=m[1]), labels)

    def derivative(self, i: int) -> Iterable[Found]:
        pattern = r"\\frac\s*\{\s*d\s*([a-z]?)\s*\}\s*\{\s*d\s*([a-z])\s*\}|d\s?([a-z]?)\s*/\s*d\s?([a-z])(?![a-z_])"
        m = re.compile(pattern).match(self.text, i)
        if not m or self.here(i - 1).isalpha():
            return
        what = m[1] or m[3]
        if what:
            yield Found(m.end(), node("opaque", data=m[0]), frozenset({"derivative"}))
            return
        for f in self.term(m.end()):
            yield Found(f.end, node("opaque", f.tree, data="derivative"), f.labels | {"derivative"})


def readings(text: str, names: Mapping[str, str]) -> list[Reading]:
    """Every reading that somebody could give the text, the commonest first."""
    return Reader(text, names).readings()
