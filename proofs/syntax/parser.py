r"""From tokens to a tree: one grammar for plain text and LaTeX, by precedence climbing.

From loosest to tightest: relation, ``+ -``, ``* /`` and factors side by side, sign, ``^``, then what follows its
operand directly (``[i]``, ``_i``, ``!``). A function without brackets takes the next factor with its exponent:
``\ln d^2`` is ln(d^2), ``2 sqrt 2`` is 2*sqrt(2). In LaTeX a sum takes in everything up to the next ``+``, ``-``
or relation. What people read in two ways is refused, with both readings: ``1/2n``, ``3\frac{1}{2}``, ``ln 2x``,
``e^xy``, ``x % d``, ``3 (4)``. What is left to the reader to decide is noted, so that it can be shown as it was read.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence as Many
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NoReturn, get_args

from proofs.syntax import forms
from proofs.syntax.ambiguity import (
    apart, beside, big_index, continues, derivative, mentions, narrower, open_exponent, remark, shorter, times, two,
    with_body,
)  # fmt: skip
from proofs.syntax.as_read import as_operand, as_read
from proofs.syntax.faults import Params, Span, SyntaxFault
from proofs.syntax.nodes import (
    Apply, Bind, Bracket, Entry, Factorial, Matrix, Name, Neg, Node, Number, Operator, Percent, Power, Product,
    Relation, RelationSign, Sequence, Special, Sum, walk,
)  # fmt: skip
from proofs.syntax.stream import Stream
from proofs.syntax.tokens import PLAIN_NOTATION, Notation, Token, tokenise
from proofs.syntax.words import FOREIGN, FUNCTIONS, Words, before_bracket, foreign

MAX_TREE_DEPTH = 100

_ONE_ARGUMENT = frozenset(("exp", "ln", "log", "sqrt", "abs"))
_RELATIONS: frozenset[str] = frozenset(get_args(RelationSign))
_CLOSING = {"(": ")", "[": "]", "\\{": "\\}", "{": "}"}


def relation_sign(text: str) -> RelationSign | None:
    """`text` as a relation sign, if it is one."""
    return text if text in _RELATIONS else None  # type: ignore[return-value]


class Parser(Stream):
    """One method for each level of the grammar."""

    bars: int = 0
    bare: tuple[Bind, ...] = ()
    """Sums and maxima that were written without brackets."""

    def whole(self) -> Node:
        if self.peek().kind == "end":
            raise SyntaxFault("empty", self.peek().span, {}, ("an expression",))
        start = self.peek().start
        items = [self.relation()]
        while self.take(",", ";"):
            items.append(self.relation())
        if self.peek().kind != "end":
            self.stopped()
        return items[0] if len(items) == 1 else Sequence(self.since(start), "", tuple(items))

    def stopped(self) -> NoReturn:
        """Say why an expression can't go on at the token at hand."""
        t = self.peek()
        self.check_percent()
        if t.kind == "number":
            raise SyntaxFault("missing-operator", t.span, {"found": t.shown}, ("an operator",))
        if t.kind == "sign" and t.text == "|":  # |a|b|c|
            raise SyntaxFault("two-readings", t.span, {"one": "abs(..)*..*abs(..)", "other": "abs(..*abs(..)*..)"})
        if t.kind == "sign" and t.text in _RELATIONS:
            raise SyntaxFault("relation-unexpected", t.span, {"found": t.shown})
        raise SyntaxFault("unexpected", t.span, {"found": t.shown}, ("an operator", "the end"))

    def either(self, span: Span, one: Node, other: Node) -> SyntaxFault:
        """The fault of what can be read in two ways; a name in it that nobody declared comes first."""
        for n, _ in walk(one):
            if isinstance(n, Name) and n.name != "e" and n.name not in FOREIGN and not self.words.known(n.name):
                spelled = any(isinstance(x, Entry) and x.base is n for x, _ in walk(one))
                if not spelled:
                    return SyntaxFault("undeclared", n.span, {"name": n.name[:60]})
        return two(span, one, other)

    def run(self) -> Node:
        """The factor at hand with all that stand beside it."""
        node = self.power()
        while self.begins_factor():
            node = beside(node, self.power())
        return node

    def relation(self) -> Node:
        start = self.peek().start
        left = self.expression()
        sign = relation_sign(self.peek().text) if self.peek().kind == "sign" else None
        if sign is None:
            return left
        self.next()
        right = self.expression()
        return Relation(self.since(start), sign, left, right)

    def items(self, closing: str) -> list[Node]:
        """Expressions with commas between them, up to the closing bracket, which is taken."""
        found = [self.relation()]
        while self.take(",", ";"):
            found.append(self.relation())
        if not self.is_sign(closing):
            self.unclosed(closing)
        self.next()
        return found

    def unclosed(self, closing: str) -> NoReturn:
        t = self.peek()
        if t.kind == "number" or self.is_sign("%"):
            self.stopped()
        self.fail("an operator", "','", closing.replace("\\", ""))

    # --- expressions ---------------------------------------------------------------------------------------

    def expression(self) -> Node:
        self.enter()
        start = self.peek().start
        operands: list[Node] = []
        minus = self.signs()
        while True:
            at = self.peek().start
            node = self.product()
            operands.append(Neg(self.since(at), node) if minus else node)
            if not self.is_sign("+", "-"):
                break
            minus = self.next().text == "-"
        self.depth -= 1
        self.check_bodies(operands)
        return operands[0] if len(operands) == 1 else Sum(self.since(start), tuple(operands))

    def signs(self) -> bool:
        """The sign before a whole product; at most one, others belong to the first factor."""
        if self.is_sign("+", "-"):
            return self.next().text == "-"
        return False

    def product(self) -> Node:
        start = self.peek().start
        factors = [self.factor()]
        operators: list[Operator] = []
        divided = -1
        while True:
            if self.is_sign("*", "/"):
                operators.append("*" if self.next().text == "*" else "/")
                divided = len(operators) - 1 if operators[-1] == "/" else -1
                factors.append(self.factor())
            elif self.begins_factor() or (isinstance(factors[-1], Power) and self.begins_power()):
                self.check_cross(factors[-1])
                self.check_juxtaposition(factors, operators, divided, start)
                operators.append("")
                factors.append(self.beside(factors[-1]))
            else:
                self.check_mixed(factors)
                break
        if len(factors) == 1:
            return factors[0]
        if operators[0] == "/":
            self.check_derivative(factors[0], factors[1])
        return Product(self.since(start), tuple(factors), tuple(operators))

    def check_cross(self, last: Node) -> None:
        """Refuse ``n x n`` where x is declared: between blanks it is a times sign to many."""
        t, after = self.peek(), self.after()
        apart_ = t.start > self.tokens[self.at - 1].end and after.start > t.end
        if self.words.latex or (t.kind, t.text) != ("run", "x") or not apart_ or not self.words.known("x"):
            return
        if self.starts_function(self.at + 1):  # 2 x ln x
            self.decided = True
        elif after.kind in ("number", "run", "word") or (after.kind == "sign" and after.text == "("):
            cross = self.power()
            more = self.power()
            raise self.either(t.span, beside(beside(last, cross), more), times((last, more), ("*",)))

    def check_juxtaposition(self, factors: Many[Node], operators: Many[Operator], divided: int, start: int) -> None:
        """Refuse ``1/2n`` and ``3\\frac{1}{2}``; ``1/2 n``, with a blank, is a half of n.

        `divided` is the place of the last written operator if that is ``/``, else -1.
        """
        t, last = self.peek(), factors[-1]
        if divided >= 0:
            numerals = isinstance(factors[divided], Number) and isinstance(factors[divided + 1], Number)
            separate = divided < len(operators) - 1 or not self.tight()
            if not (numerals and separate):
                more = self.beside(factors[-1])
                self.check_derivative(
                    times(factors[: divided + 1], operators[:divided]), beside(factors[divided + 1], more)
                )
                while self.begins_factor():
                    more = beside(more, self.power())
                over = times(factors[: divided + 1], operators[:divided])
                under = times(factors[divided + 1 :], operators[divided + 1 :])
                raise self.either(t.span, apart(over, beside(under, more)), beside(apart(over, under), more))
            self.decided = True
        if isinstance(last, Number) and t.kind == "command" and t.text == "frac" and self.numeric_fraction():
            more = self.power()
            raise self.either(t.span, Sum(last.span, (last, more)), beside(last, more))

    def numeric_fraction(self) -> bool:
        """Whether the fraction at hand is one of two numerals."""
        ahead = self.tokens[self.at + 1 : self.at + 7]
        kinds = ["number" if x.kind == "number" else x.text for x in ahead]
        return kinds == ["{", "number", "}"] * 2 or (kinds[:1] == ["number"] and len(ahead[0].text) > 1)

    def check_mixed(self, factors: Many[Node]) -> None:
        """Refuse ``1 1/2``."""
        t, last = self.peek(), factors[-1]
        if not (t.kind == "number" and isinstance(last, Number) and self.after().text == "/"):
            return
        whole = last.value.denominator == 1
        over = self.power()
        self.next()
        if self.peek().kind == "number":
            under = self.power()
            proper = isinstance(over, Number) and isinstance(under, Number) and over.value < under.value
            if not (whole and proper):
                raise SyntaxFault("missing-operator", t.span, {"found": t.shown}, ("an operator",))
            made = apart(over, under)
            raise self.either(t.span, Sum(last.span, (last, made)), beside(last, made))
        self.at -= 2

    def check_derivative(self, over: Node, under: Node) -> None:
        """Refuse ``d/dx``: a derivative is no quotient, whatever is declared."""
        if derivative(over, under, self.words.known):
            raise SyntaxFault("derivative", (over.span[0], max(under.span[1], over.span[0] + 1)))

    def check_bodies(self, operands: Many[Node]) -> None:
        """Refuse ``\\sum_i x_i + y_i``, where the index of a sum without brackets stands behind its body."""
        for k, operand in enumerate(operands[:-1]):
            found = big_index(operand, self.bare)
            if found is None:
                continue
            self.decided = True
            used = [n for n, later in enumerate(operands) if n > k and mentions(later, found.name)]
            if used:
                wide = Sum(operand.span, (found.body, *operands[k + 1 : used[-1] + 1]))
                rest = (with_body(operand, found, wide), *operands[used[-1] + 1 :])
                one, other = Sum(operand.span, tuple(operands)), Sum(operand.span, (*operands[:k], *rest))
                raise self.either(operands[used[0]].span, one, other if len(other.operands) > 1 else rest[0])

    def beside(self, last: Node) -> Node:
        """The factor at hand, which stands beside `last` without a sign between them."""
        bracket, closed = self.is_sign("("), self.tokens[self.at - 1].text in (")", "]", "}", "|")
        start = self.peek()
        if not bracket:
            return self.power()
        name = self.applied_name(last)
        if name is not None:
            if name.name in FOREIGN:
                raise foreign(name.name, name.span)
            self.check_applied_name(name, start)
        node = self.power()
        inside = node.base if isinstance(node, Power) else node.operand if isinstance(node, Factorial) else node
        if not closed and remark(inside):
            shown = as_read(node)
            raise SyntaxFault(
                "two-readings", start.span, {"one": as_read(beside(last, node)), "other": f"{as_read(last)}, {shown}"}
            )
        self.decided = True
        return node

    def applied_name(self, last: Node) -> Name | None:
        """The name that stands directly before the bracket at hand, with its subscript or a numeral raised."""
        node = last
        while isinstance(node, Neg):
            node = node.operand
        spelled = isinstance(node, Entry) and node.subscript is not None
        if isinstance(node, (Entry, Power)) and (spelled or getattr(node.base, "name", "") in tuple("fgFG")):
            node = node.base
        return node if isinstance(node, Name) and self.tokens[self.at - 1].text != ")" else None

    def check_applied_name(self, name: Name, bracket: Token) -> None:
        """Refuse a name before a bracket that can't be a factor: a function is none."""
        known = self.words.known(name.name)
        kind = before_bracket(name.name) if known or name.name == "e" else "function"
        entries = name.name in self.words.tensors and name.name not in self.words.bound
        if kind == "function":
            close = difflib.get_close_matches(name.name[:40], [*self.words.functions, *sorted(FUNCTIONS)], 1, 0.75)
            nearest = close[0] if close and len(name.name) > 2 else ""
            raise SyntaxFault("unknown-function", name.span, {"name": name.name[:60], "nearest": nearest})
        if entries and self.tokens[self.at - 1].kind == "name" and name.span[1] == self.tokens[self.at - 1].end:
            raise SyntaxFault("written-as", (name.span[0], bracket.end),
                              {"found": f"{name.name}(..)"[:60], "form": f"{name.name}[..]"[:60]})  # fmt: skip
        if kind == "either" or not known:
            other = f"{name.name}^(..)" if name.name == "e" else f"{name.name}(..)"
            raise SyntaxFault("two-readings", (name.span[0], bracket.end), {"one": f"{name.name}*(..)", "other": other})

    def begins_factor(self) -> bool:
        t = self.peek()
        if t.kind in ("run", "word", "name", "function", "special"):
            return True
        if t.kind == "command":
            return not t.text.startswith("end")
        return t.kind == "sign" and t.text in ("(", "{" if self.words.latex else "(")

    def begins_power(self) -> bool:
        """Whether a numeral with an exponent follows after a blank: ``2^n 3^n`` can be read in one way only."""
        t = self.peek()
        ahead = self.tokens[self.at + 1 : self.at + 2]
        raised = bool(ahead) and (ahead[0].kind == "super" or (ahead[0].kind, ahead[0].text) == ("sign", "^"))
        return t.kind == "number" and raised and t.start > self.tokens[self.at - 1].end

    def factor(self) -> Node:
        """A factor with the signs before it."""
        start = self.peek().start
        minus = 0
        entered = 0
        while self.is_sign("+", "-"):
            minus += self.next().text == "-"
            entered += 1
            self.enter()
        node = self.power()
        self.depth -= entered
        for _ in range(minus):
            node = Neg(self.since(start), node)
        return node

    def power(self) -> Node:
        start = self.peek().start
        base = self.postfix(self.atom(), start)
        if self.is_sign("^"):
            raised = self.tokens[self.at - 1].kind == "super"
            self.next()
            enclosed = self.is_sign("{", "(")
            first = self.peek()
            exponent = self.exponent()
            if raised and isinstance(base, Power):  # x²^3
                inner = Power(base.span, base.exponent, exponent)
                raise self.either(first.span, Power(base.span, base.base, inner), Power(base.span, base, exponent))
            if self.is_sign("_") and isinstance(base, Name):  # z^2_i
                base = self.subscripted(base, start)
            base = Power(self.since(start), base, exponent)
            if self.is_sign("^"):
                self.fail("an operator")
            if not enclosed:
                self.check_exponent(base, first)
        return base

    def check_exponent(self, made: Power, first: Token) -> None:
        """Refuse ``e^xy`` and ``2^3x``, where the exponent may go on, and ``x^1/2``; ``T^2d``, ``e^x y`` are read."""
        t, exponent = self.peek(), made.exponent
        if self.is_sign("/") and open_exponent(exponent, self.words.latex):
            self.decided = True
            if self.tight() and self.after().start == t.end and not self.starts_function(self.at + 1):
                begin = self.at
                self.next()
                under = self.factor()
                if continues(exponent, under):
                    raised = apart(exponent.operand if isinstance(exponent, Neg) else exponent, under)
                    raised = Neg(exponent.span, raised) if isinstance(exponent, Neg) else raised
                    raise self.either(t.span, Power(made.span, made.base, raised), apart(made, under))
                self.at = begin
        if not self.begins_factor():
            return
        self.decided = True
        number = isinstance(made.base, Number) or (isinstance(made.base, Name) and made.base.name == "e")
        plain = isinstance(exponent, Number) and first.kind == "number" and not number
        spelled = t.kind in ("run", "name", "function") or (t.kind == "sign" and not self.words.latex)
        spelled = spelled or (t.kind == "word" and not self.words.latex)
        if self.tight() and spelled and not plain:
            more = self.run()
            raise self.either(t.span, Power(made.span, made.base, beside(exponent, more)), beside(made, more))

    def exponent(self) -> Node:
        """What is raised: in braces, or a sign, an operand and its own exponent."""
        self.enter()
        if self.is_sign("{"):
            self.next()
            node = self.expression()
            if not self.is_sign("}"):
                self.unclosed("}")
            self.next()
        else:
            start = self.peek().start
            if self.is_sign("-", "+"):
                minus = self.next().text == "-"
                node = self.exponent()
                node = Neg(self.since(start), node) if minus else node
            else:
                grouped = self.peek().kind == "number" and any(c in "{\\_" for c in self.peek().text)
                if grouped and self.words.latex:  # x^21{,}234
                    self.fail("{")
                before = self.tokens[self.at - 2]
                node = self.power()
                if isinstance(node, Percent):  # x^2%
                    share, number = as_read(node), as_operand(node.operand)
                    params: Params = {"one": f"{before.text}^({share})", "other": f"({before.text}^{number})/100"}
                    raise SyntaxFault("two-readings", node.span, params)
                if isinstance(node, Power) and self.tokens[self.at - 1].text not in (")", "]"):
                    self.check_tower(node, before)
        self.depth -= 1
        return node

    def check_tower(self, node: Power, base: Token) -> None:
        """Refuse ``2^3^2``, a power of a power on most calculators; ``e^x^2`` is one in the exponent to all."""
        self.decided = True
        if base.kind == "number" and isinstance(node.base, Number) and isinstance(node.exponent, Number):
            a, b, c = base.text, as_operand(node.base), as_operand(node.exponent)
            raise SyntaxFault("two-readings", node.span, {"one": f"{a}^({b}^{c})", "other": f"({a}^{b})^{c}"})

    def postfix(self, node: Node, start: int) -> Node:
        """Entries, subscripts, factorials, per cents and raised numerals after their operand."""
        entered = 0
        while True:
            t = self.peek()
            if t.kind == "super":
                self.next()
                node = Power(self.since(start), node, self.raised(t))
            elif t.kind != "sign":
                break
            elif t.text == "[":
                self.next()
                indices = tuple(self.items("]"))
                node = Entry(self.since(start), node, indices)
            elif t.text == "_" and not isinstance(node, Number):
                node = self.subscripted(node, start)
            elif t.text == "!":
                self.next()
                if self.is_sign("!"):  # n!!
                    shown = as_operand(node)
                    params = {"one": f"({shown}!)!", "other": f"{shown}*({shown} - 2)*({shown} - 4)*.."}
                    raise SyntaxFault("two-readings", self.peek().span, params)
                node = Factorial(self.since(start), node)
            elif t.text == "%" and self.notation.percent:
                self.check_percent()
                if isinstance(node, Percent):
                    self.fail("an operator")
                self.next()
                self.decided = True
                node = Percent(self.since(start), node)
            else:
                break
            entered += 1
            self.enter()
        self.depth -= entered
        return node

    def check_percent(self) -> None:
        """Refuse ``x % d`` and ``7 % (4)``: a remainder to some, per cent to others."""
        if not self.is_sign("%") or not self.at:
            return
        t, ahead = self.peek(), self.after()
        operand = ahead.kind in ("number", "run", "word", "name", "function", "command", "special")
        operand = (operand and not ahead.text.startswith("end ")) or ahead.text in ("(", "{")
        beyond = self.tokens[min(self.at + 2, len(self.tokens) - 1)]
        signed = ahead.text in ("-", "+") and beyond.start == ahead.end and not self.tight() and ahead.start > t.end
        if operand or signed:
            left, right = self.tokens[self.at - 1].shown, ".." if ahead.text in ("(", "{") else ahead.shown
            if signed:
                right += beyond.shown
            times_ = "" if signed else "*"
            raise SyntaxFault("two-readings", t.span,
                              {"one": f"{left}/100{times_}{right}", "other": f"{left} mod {right}"})  # fmt: skip

    def raised(self, t: Token) -> Node:
        digits = t.text.lstrip("-")
        made: Node = Name(t.span, "n") if digits == "n" else Number(t.span, Fraction(int(digits)), digits)
        return Neg(t.span, made) if t.text[0] == "-" else made

    def subscripted(self, base: Node, start: int) -> Node:
        """``_i``, ``_{i,t,k}`` after its base: entries, or the rest of a name that is not declared."""
        self.next()
        at = self.at
        if self.is_sign("{"):
            self.next()
            indices = tuple(self.items("}"))
            shown = self.text_between(at + 1, self.at - 1)
        else:
            indices = (self.single(),)
            shown = self.text_between(at, self.at)
        return Entry(self.since(start), base, indices, shown)

    def single(self) -> Node:
        """One subscript without braces: in LaTeX one letter, else a whole name or number."""
        self.first_letter()
        t = self.peek()
        if t.kind in ("run", "word"):
            self.next()
            return Name(t.span, t.text)
        if t.kind not in ("name", "number"):
            self.fail("an index")
        return self.atom()

    def atom(self) -> Node:
        t = self.resolve()
        if t.kind == "number":
            self.next()
            return Number(t.span, t.value if t.value is not None else Fraction(0), t.text)
        if t.kind == "name":
            self.next()
            return Name(t.span, t.text)
        if t.kind == "special":
            self.next()
            return Special(t.span, "inf" if t.text == "inf" else "nan")
        if t.kind == "function":
            self.next()
            return self.applied(t)
        if t.kind == "command":
            return forms.command(self, t)
        if t.kind == "sign":
            if t.text == "(":
                return self.group("(")
            if t.text == "[":
                return self.group("[")
            if t.text in ("\\{", "{"):
                return self.group(t.text)
            if t.text == "|" and not self.bars:
                self.next()
                self.bars += 1
                inner = self.expression()
                self.expect("|")
                self.bars -= 1
                return Apply(self.since(t.start), "abs", (inner,))
        self.fail("an expression")

    def check_braces(self, before: Token | None, inner: Node, span: Span) -> None:
        """Refuse ``2{x+1}`` in LaTeX, which prints no brackets for braces."""
        outer = (",", ";", "&", "+", *_RELATIONS)
        opens = before is None or before.text in ("(", "[", "{", "\\{", *outer)
        closes = self.peek().kind in ("end", "command") or self.is_sign(")", "]", "}", "-", *outer)
        if not (opens and closes):
            shown = as_read(inner)[:400]
            raise SyntaxFault("two-readings", span, {"one": f"({shown})", "other": shown})

    def group(self, opening: str) -> Node:
        self.enter()
        before = self.tokens[self.at - 1] if self.at else None
        t = self.next()
        bars, self.bars = self.bars, 0
        braces = opening == "{" and self.words.latex
        rows: list[tuple[Node, ...]] = []
        items = [self.relation()]
        while self.is_sign(",", ";"):
            if self.next().text == ";" and opening == "[":
                rows.append(tuple(items))
                items = []
            items.append(self.relation())
        if not self.is_sign(_CLOSING[opening]):
            self.unclosed(_CLOSING[opening])
        self.next()
        self.depth -= 1
        self.bars = bars
        span = self.since(t.start)
        if rows:
            rows.append(tuple(items))
            return self.matrix(rows, span)
        if braces and isinstance(items[0], (Sum, Neg)):
            self.check_braces(before, items[0], span)
        if len(items) == 1 and (opening == "(" or braces):
            return items[0]
        kind: Bracket = "(" if opening == "(" else "[" if opening == "[" else "{"
        if braces:
            raise SyntaxFault("sequence-unexpected", span)
        return Sequence(span, kind, tuple(items))

    def matrix(self, rows: Many[tuple[Node, ...]], span: Span) -> Node:
        for row in rows:
            if len(row) != len(rows[0]):
                params: Params = {"left": len(rows[0]), "right": len(row)}
                raise SyntaxFault("dimensions-differ", (row[0].span[0], row[-1].span[1]), params)
        return Matrix(span, tuple(rows))

    def applied(self, t: Token) -> Node:
        name = t.text
        if name in ("sum", "max") and self.is_sign("_", "^"):
            return forms.big(self, t)
        base: tuple[Node, ...] = ()
        raised: Node | None = None
        if name == "log" and self.is_sign("_"):
            self.next()
            base = (forms.argument(self, False) if self.is_sign("{") else self.single(),)
        if name in ("ln", "log", "exp") and self.is_sign("^"):
            self.next()
            raised = self.exponent()
            self.decided = True
        head, opened, inside = self.tokens[self.at - 1], self.peek(), self.after().start
        arguments = self.arguments(t)
        if isinstance(arguments, Bind):
            return arguments
        if name in _ONE_ARGUMENT and len(arguments) != 1:
            params: Params = {"name": name, "expected": 1, "found": len(arguments)}
            raise SyntaxFault("wrong-number-of-arguments", self.since(t.start), params)
        node = Apply(self.since(t.start), name, (*arguments, *base))
        made: Node = node
        if raised is not None:
            if not isinstance(raised, Number) or raised.value.denominator != 1 or raised.value < 1:
                raise SyntaxFault("outside-language", raised.span, {"what": "a function to this power"})
            made = Power(self.since(t.start), node, raised)
        self.decided = self.decided or name == "log" or opened.text not in ("(", "[")
        if name in _ONE_ARGUMENT or opened.text not in ("(", "["):
            self.check_argument(t, head, opened, inside, node, made)
        return made

    def check_argument(self, t: Token, head: Token, opened: Token, inside: int, node: Apply, made: Node) -> None:
        """Refuse ``ln 2x``, ``ln (x+1)(x-1)``, ``ln x/y``, ``\\ln(x)^2``: where the argument may go on.

        `head` is the token before the argument, `opened` its first, `inside` where the next one begins; `node` is the
        function at it, `made` with its power.
        """
        following, argument = self.peek(), node.arguments[0]
        bracketed = opened.text in ("(", "[")
        gap = opened.start > head.end
        logarithm = t.text in ("ln", "log") or (t.text == "sqrt" and t.end - t.start == 1)  # √(2)(3) has no bar

        def either(larger: Node, smaller: Node) -> SyntaxFault:
            wide: Node = Apply(node.span, node.function, (larger, *node.arguments[1:]))
            if isinstance(made, Power):
                wide = replace(made, base=wide)
            return self.either(following.span, wide, smaller)

        begins = argument.operand.span[0] if isinstance(argument, Neg) else argument.span[0]
        inside = argument.span[0] if isinstance(argument, Neg) else inside
        braced = opened.text == "{" and self.words.latex and begins == inside  # not \ln{(x + 1)}
        less = narrower(node) if braced else None
        if less is not None:  # \ln{2x}
            raise two(opened.span, node, less)
        if self.begins_factor() or (following.kind == "number" and not bracketed):
            latex_gap = gap and not self.words.latex
            if not bracketed or latex_gap or (logarithm and following.text == "("):
                more = self.run()
                raise either(beside(argument, more), beside(made, more))
        elif self.is_sign("^"):
            if (bracketed and gap and not self.words.latex) or (self.words.latex and logarithm) or opened.text == "{":
                self.next()
                exponent = self.exponent()
                raise either(Power(node.span, argument, exponent), Power(node.span, made, exponent))
        elif following.kind == "super" and bracketed and (gap or logarithm):  # ln(x)²
            exponent = self.raised(self.next())
            raise either(Power(node.span, argument, exponent), Power(node.span, made, exponent))
        elif self.is_sign("*", "/") and not (bracketed or opened.text == "|"):
            spaced = not self.tight() and self.after().start > following.end
            if self.words.latex:  # TeX sets blanks round a dot and none round a stroke
                spaced = following.text == "*" and (spaced or following.end - following.start > 1)
            radical = t.text == "sqrt" and t.end - t.start == 1 and isinstance(argument, Number) and not gap  # √3/2
            if not (spaced or radical or self.starts_function(self.at + 1)):
                sign: Operator = "/" if self.next().text == "/" else "*"
                more = self.factor()
                raise either(times((argument, more), (sign,)), times((made, more), (sign,)))
        inner = big_index(argument, self.bare) if not bracketed else None
        found = shorter(inner) if inner is not None else None
        if inner is not None and found is not None:
            part, rest, sign = found
            smaller = with_body(made, inner, part.body) if isinstance(made, Apply) else made
            raise self.either(inner.span, made, times((smaller, rest), (sign,)))

    def starts_function(self, at: int) -> bool:
        """Whether a function or a command stands at this place."""
        t = self.tokens[at]
        return t.kind in ("function", "command") or (
            t.kind in ("run", "word") and (self.words.meaning(t.text) or ("", ""))[0] == "function"
        )

    def arguments(self, t: Token) -> tuple[Node, ...] | Bind:
        """The arguments of a function: in brackets, or the next factor with its exponent."""
        self.enter()
        opening = self.peek().text if self.peek().kind == "sign" else ""
        braced = opening == "{" and self.words.latex and t.text in FUNCTIONS
        if opening == "(" or braced or (opening in ("\\{", "{") and t.text == "max"):
            self.next()
            bars, self.bars = self.bars, 0
            if t.text in ("sum", "max") and forms.binder_ahead(self):
                found: tuple[Node, ...] | Bind = forms.bound_body(self, t, _CLOSING[opening])
            else:
                found = forms.listed(self, t, _CLOSING[opening])
            self.bars = bars
        else:
            begins = self.begins_factor() or (self.is_sign("|") and not self.bars)
            if not begins and self.peek().kind != "number" and opening != "[":
                self.fail("an argument")
            if opening != "[" and t.text in forms.FORMS and not forms.one_name(self):
                raise forms.form(t)
            operand = self.power()
            listed = isinstance(operand, Sequence) and operand.bracket == "[" and t.text in FUNCTIONS
            found = operand.items if isinstance(operand, Sequence) and listed else (operand,)
        self.depth -= 1
        return found


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read, and whether the reader had to decide anything that the typing leaves open."""

    node: Node
    decided: bool


def reading(
    text: str,
    names: Collection[str] = (),
    functions: Collection[str] = (),
    *,
    tensors: Collection[str] = (),
    latex: bool | None = None,
    notation: Notation = PLAIN_NOTATION,
    only: Literal["any", "expression", "relation"] = "any",
) -> Reading:
    """Read the whole of `text` as one expression, relation, or sequence of these.

    `names` are the declared names, `tensors` those of them that have entries, and `functions` the names of
    definitions; letters are matched against them, the longest first. A name that is not declared becomes one `Name`,
    and elaboration says so. With `latex` None, text with a backslash is LaTeX. Raises `SyntaxFault`.
    """
    known = frozenset(names)
    tokens, is_latex = tokenise(text, known, latex, notation)
    parser = Parser(tokens, Words.of(known, functions, is_latex, tensors), notation)
    node = _not_too_deep(parser.whole())
    _check_powers_of_ten(node, known)
    if isinstance(node, Relation):
        if only == "expression":
            raise SyntaxFault("relation-unexpected", node.span, {"found": node.sign})
    elif only == "relation":
        raise SyntaxFault("relation-expected", (node.span[1], node.span[1]), {}, ("a relation",))
    typed = any(isinstance(n, Number) and n.text[-1:].isalpha() for n, _ in walk(node))
    return Reading(node, parser.decided or typed)


def parse(
    text: str,
    names: Collection[str] = (),
    functions: Collection[str] = (),
    *,
    tensors: Collection[str] = (),
    latex: bool | None = None,
    notation: Notation = PLAIN_NOTATION,
    only: Literal["any", "expression", "relation"] = "any",
) -> Node:
    """The tree of `reading`."""
    return reading(text, names, functions, tensors=tensors, latex=latex, notation=notation, only=only).node


def _check_powers_of_ten(node: Node, names: Collection[str]) -> None:
    """Refuse ``2e+3`` beside a number e."""
    used = {n.name for n, _ in walk(node) if isinstance(n, Name) and n.name in ("e", "E")} | {*names} & {"e", "E"}
    if not used:
        return
    for n, _ in walk(node):
        mark = next((c for c in "eE" if isinstance(n, Number) and c in n.text), "")
        if isinstance(n, Number) and mark and (mark in used or "e" in used):
            left, _, right = n.text.partition(mark)
            sign = " + " if right[:1] == "+" else " - " if right[:1] == "-" else "*"
            shown = f"{left}*{mark}{sign}{right.lstrip('+-')}"
            raise SyntaxFault("two-readings", n.span, {"one": shown, "other": f"{left}*10^{_exponent(right)}"})


def _exponent(text: str) -> str:
    return f"({text})" if text[:1] == "-" else text.lstrip("+")


def parse_range(text: str, names: Collection[str] = (), functions: Collection[str] = ()) -> tuple[Node, Name, Node]:
    r"""Read the whole of `text`, in LaTeX, as a range ``lo \le i \le hi``. Raises `SyntaxFault`."""
    known = frozenset(names)
    tokens, _ = tokenise(text, known, True)
    p = Parser(tokens, Words.of(known, functions, True), PLAIN_NOTATION)
    low = p.expression()
    p.expect("<=")
    start = p.peek().start
    name = forms.binder_name(p)
    index = Name(p.since(start), name)
    p.expect("<=")
    high = p.expression()
    if p.peek().kind != "end":
        p.stopped()
    return _not_too_deep(low), index, _not_too_deep(high)


def _not_too_deep(node: Node) -> Node:
    depth, where = max(((d, n.span) for n, d in walk(node)), default=(0, node.span))
    if depth > MAX_TREE_DEPTH:
        raise SyntaxFault("too-deep", where, {"limit": MAX_TREE_DEPTH})
    return node
