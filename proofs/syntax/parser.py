r"""From tokens to a tree: one grammar for plain text and LaTeX, by precedence climbing.

From loosest to tightest: relation, ``+ -``, ``* /`` and factors side by side, sign, ``^``, then what follows its
operand directly (``[i]``, ``_i``, ``!``). A function without brackets takes the next factor with its exponent:
``\ln d^2`` is ln(d^2), ``2 sqrt 2 d`` is 2*sqrt(2)*d. In LaTeX a sum takes in everything up to the next ``+``,
``-`` or relation. What can be read in two ways is refused: ``1/2n``, ``3\frac{1}{2}``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence as Many
from fractions import Fraction
from typing import Literal, NoReturn, get_args

from proofs.syntax import forms
from proofs.syntax.faults import Params, Span, SyntaxFault
from proofs.syntax.nodes import (
    Apply, Bind, Bracket, Entry, Factorial, Matrix, Name, Neg, Node, Number, Operator, Percent, Power, Product,
    Relation, RelationSign, Sequence, Special, Sum, walk,
)  # fmt: skip
from proofs.syntax.stream import Stream
from proofs.syntax.tokens import PLAIN_NOTATION, Notation, Token, tokenise
from proofs.syntax.words import FUNCTIONS, Words

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
        if t.kind == "number":
            raise SyntaxFault("missing-operator", t.span, {"found": t.shown}, ("an operator",))
        if t.kind == "sign" and t.text in _RELATIONS:
            raise SyntaxFault("relation-unexpected", t.span, {"found": t.shown})
        raise SyntaxFault("unexpected", t.span, {"found": t.shown}, ("an operator", "the end"))

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
        if t.kind == "number":
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
                self.check_juxtaposition(factors, divided, len(operators) - 1)
                operators.append("")
                factors.append(self.power())
            else:
                break
        if len(factors) == 1:
            return factors[0]
        return Product(self.since(start), tuple(factors), tuple(operators))

    def check_juxtaposition(self, factors: Many[Node], divided: int, latest: int) -> None:
        """Refuse ``1/2n`` and ``3\\frac{1}{2}``; ``1/2 n``, with a blank, is a half of n.

        `divided` is the place of the last written operator if that is ``/``, else -1; `latest` that of the last one.
        """
        t, last = self.peek(), factors[-1]
        if divided >= 0:
            numerals = isinstance(factors[divided], Number) and isinstance(factors[divided + 1], Number)
            apart = divided < latest or t.start > self.tokens[self.at - 1].end
            if not (numerals and apart):
                raise SyntaxFault("ambiguous-quotient", t.span, {"found": t.shown}, ("an operator",))
        if isinstance(last, Number) and t.kind == "command" and t.text == "frac" and self.numeric_fraction():
            raise SyntaxFault("mixed-number", t.span, {"found": t.shown}, ("an operator",))

    def numeric_fraction(self) -> bool:
        """Whether the fraction at hand is one of two numerals."""
        ahead = self.tokens[self.at + 1 : self.at + 7]
        kinds = ["number" if x.kind == "number" else x.text for x in ahead]
        return kinds == ["{", "number", "}"] * 2 or (kinds[:1] == ["number"] and len(ahead[0].text) > 1)

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
            self.next()
            exponent = self.exponent()
            if self.is_sign("_"):  # z^2_i
                base = self.subscripted(base, start)
            base = Power(self.since(start), base, exponent)
            if self.is_sign("^"):
                self.fail("an operator")
        return base

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
                node = self.power()
        self.depth -= 1
        return node

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
                node = Factorial(self.since(start), node)
            elif t.text == "%" and self.notation.percent:
                self.next()
                node = Percent(self.since(start), node)
            else:
                break
            entered += 1
            self.enter()
        self.depth -= entered
        return node

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

    def group(self, opening: str) -> Node:
        self.enter()
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
        arguments = self.arguments(t)
        if isinstance(arguments, Bind):
            return arguments
        if name in _ONE_ARGUMENT and len(arguments) != 1:
            params: Params = {"name": name, "expected": 1, "found": len(arguments)}
            raise SyntaxFault("wrong-number-of-arguments", self.since(t.start), params)
        node: Node = Apply(self.since(t.start), name, (*arguments, *base))
        if raised is not None:
            if not isinstance(raised, Number) or raised.value.denominator != 1 or raised.value < 1:
                raise SyntaxFault("outside-language", raised.span, {"what": "a function to this power"})
            node = Power(self.since(t.start), node, raised)
        return node

    def arguments(self, t: Token) -> tuple[Node, ...] | Bind:
        """The arguments of a function: in brackets, or the next factor with its exponent."""
        self.enter()
        opening = self.peek().text if self.peek().kind == "sign" else ""
        if opening == "(" or (opening in ("\\{", "{") and t.text == "max"):
            self.next()
            bars, self.bars = self.bars, 0
            if t.text in ("sum", "max") and forms.binder_ahead(self):
                found: tuple[Node, ...] | Bind = forms.bound_body(self, t, _CLOSING[opening])
            else:
                found = tuple(self.items(_CLOSING[opening]))
            self.bars = bars
        else:
            if not self.begins_factor() and self.peek().kind != "number" and opening != "[":
                self.fail("an argument")
            operand = self.power()
            listed = isinstance(operand, Sequence) and operand.bracket == "[" and t.text in FUNCTIONS
            found = operand.items if isinstance(operand, Sequence) and listed else (operand,)
        self.depth -= 1
        return found


def parse(
    text: str,
    names: Collection[str] = (),
    functions: Collection[str] = (),
    *,
    latex: bool | None = None,
    notation: Notation = PLAIN_NOTATION,
    only: Literal["any", "expression", "relation"] = "any",
) -> Node:
    """Read the whole of `text` as one expression, relation, or sequence of these.

    `names` are the declared names and `functions` the names of definitions; letters are matched against them, the
    longest first. A name that is not declared becomes one `Name`, and elaboration says so. With `latex` None, text
    with a backslash is LaTeX. Raises `SyntaxFault`.
    """
    known = frozenset(names)
    tokens, is_latex = tokenise(text, known, latex, notation)
    node = _not_too_deep(Parser(tokens, Words.of(known, functions, is_latex), notation).whole())
    if isinstance(node, Relation):
        if only == "expression":
            raise SyntaxFault("relation-unexpected", node.span, {"found": node.sign})
    elif only == "relation":
        raise SyntaxFault("relation-expected", (node.span[1], node.span[1]), {}, ("a relation",))
    return node


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
