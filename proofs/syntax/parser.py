r"""From tokens to a tree: one grammar for plain text and LaTeX, by precedence climbing.

From loosest to tightest: relation, ``+ -``, ``* /`` and factors side by side, sign, ``^``, then what follows its
operand directly (``[i]``, ``_i``, ``!``). A function without brackets takes the next factor with its exponent:
``\ln d^2`` is ln(d^2), ``2 sqrt 2 d`` is 2*sqrt(2)*d. In LaTeX a sum takes in everything up to the next ``+``,
``-`` or relation. What can be read in two ways is refused: ``1/2n``, ``3\frac{1}{2}``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence as Many
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from proofs.syntax.faults import Span, SyntaxFault
from proofs.syntax.nodes import (
    Apply, Bind, Bracket, Entry, Factorial, Frac, Matrix, Name, Neg, Node, Number, Operator, Percent, Power,
    Product, Relation, RelationSign, Sequence, Special, Sum, children, walk,
)  # fmt: skip
from proofs.syntax.tokens import PLAIN_NOTATION, Notation, Token, TokenKind, tokenise

MAX_NESTING = 80
MAX_TREE_DEPTH = 100
MAX_NAME = 60

FUNCTIONS = frozenset("exp ln log sqrt max sum abs if binom".split())
_SPELLINGS = {"choose": "binom", "infinity": "inf", "infty": "inf", "inf": "inf", "Inf": "inf", "oo": "inf", "nan": "nan",
              "NaN": "nan", "NAN": "nan"}  # fmt: skip
_ONE_ARGUMENT = frozenset("exp ln log sqrt abs".split())
_SPECIAL = frozenset(("inf", "nan"))
# Well-known functions that the language does not have: read as one word, never as a product of letters.
FOREIGN = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan asin acos atan floor ceil round mod gcd lcm det "
    "min argmax argmin arg lim int prod relu sigmoid gelu erf gamma log2 log10 exp2 sgn sign diag tr trace".split()
)
RESERVED = FUNCTIONS | frozenset(_SPELLINGS) | frozenset("let suppose claim proof for all".split())

_RELATIONS: frozenset[str] = frozenset(get_args(RelationSign))
_CLOSING = {"(": ")", "[": "]", "\\{": "\\}", "{": "}"}


def relation_sign(text: str) -> RelationSign | None:
    """`text` as a relation sign, if it is one."""
    return text if text in _RELATIONS else None  # type: ignore[return-value]


@dataclass
class _Parser:
    tokens: list[Token]
    names: frozenset[str]
    functions: frozenset[str]
    latex: bool
    notation: Notation
    at: int = 0
    depth: int = 0
    bars: int = 0
    bound: list[str] = field(default_factory=list)
    longest: int = 0

    def __post_init__(self) -> None:
        self.longest = max(map(len, (*self.names, *self.functions, "infinity")))

    # --- moving along the tokens ---------------------------------------------------------------------------

    def peek(self) -> Token:
        return self.tokens[self.at]

    def next(self) -> Token:
        t = self.tokens[self.at]
        if t.kind != "end":
            self.at += 1
        return t

    def is_sign(self, *texts: str) -> bool:
        t = self.tokens[self.at]
        return t.kind == "sign" and t.text in texts

    def take(self, *texts: str) -> bool:
        if self.is_sign(*texts):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> Token:
        if not self.is_sign(text):
            self.fail(text)
        return self.next()

    def fail(self, *expected: str) -> None:
        t = self.peek()
        code = "unexpected-end" if t.kind == "end" else "unexpected"
        raise SyntaxFault(code, t.span, {"found": t.shown}, expected)

    def enter(self, by: int = 1) -> None:
        self.depth += by
        if self.depth > MAX_NESTING:
            raise SyntaxFault("too-deep", self.peek().span, {"limit": MAX_NESTING})

    def since(self, start: int) -> Span:
        return (start, self.tokens[self.at - 1].end if self.at else start)

    # --- names ---------------------------------------------------------------------------------------------

    def known(self, name: str) -> bool:
        return name in self.names or name in self.bound

    def meaning(self, word: str) -> tuple[TokenKind, str] | None:
        """What a whole word is: a name in scope, a function, infinity or nan, or the number e."""
        if self.known(word):
            return ("name", word)
        if word in self.functions or word in FUNCTIONS:
            return ("function", word)
        spelled = _SPELLINGS.get(word)
        if spelled is not None:
            return ("special" if spelled in _SPECIAL else "function", spelled)
        return ("name", "e") if word == "e" else None

    def resolve(self) -> Token:
        """Give the letters at hand a meaning: the names in scope, the longest first, else one undeclared name."""
        t = self.peek()
        if t.kind not in ("run", "word"):
            return t
        base = t.text
        last, inner = self.braced_subscript()
        if inner is not None:
            found = self.with_subscript(base, inner)
            if found is not None:
                cut, name = found
                if cut and (t.kind == "word" or self.split(base[:cut]) is None):
                    found = None
                else:
                    made = [Token("name", name, t.start + cut, self.tokens[last - 1].end)]
                    if cut:
                        made.insert(0, Token("run", base[:cut], t.start, t.start + cut))
                    self.tokens[self.at : last] = made
                    return self.resolve() if cut else made[0]
        if t.kind == "word":
            t.kind, t.text = self.meaning(base) or ("name", base)
            return t
        pieces = self.split(base)
        if pieces is None:
            t.kind = "name"
            return t
        self.tokens[self.at : self.at + 1] = [
            Token(kind, text, t.start + a, t.start + b, Fraction(int(text)) if kind == "number" else None)
            for kind, text, a, b in pieces
        ]
        return self.peek()

    def braced_subscript(self) -> tuple[int, str | None]:
        """Of ``_{model}`` after the token at hand, the place behind it and the name inside, if it is a plain one."""
        k = self.at + 1
        if self.tokens[k].text != "_" or self.tokens[k].kind != "sign":
            return k, None
        k += 1
        t = self.tokens[k]
        if t.kind == "word" or (t.kind in ("run", "number") and (not self.latex or len(t.text) == 1)):
            return k + 1, t.text
        if t.kind != "sign" or t.text != "{":
            return k, None
        parts: list[str] = []
        k += 1
        while self.tokens[k].kind in ("run", "word", "number", "name") and len(parts) < MAX_NAME:
            parts.append(self.tokens[k].text)
            k += 1
            if self.tokens[k].kind == "sign" and self.tokens[k].text == ",":
                k += 1
        closed = self.tokens[k].kind == "sign" and self.tokens[k].text == "}"
        return (k + 1, "_".join(parts)) if parts and closed else (k, None)

    def with_subscript(self, base: str, inner: str) -> tuple[int, str] | None:
        """Where in `base` a name in scope begins that ends in the subscript `inner`, the longest first."""
        for cut in range(min(len(base), MAX_NAME)):
            name = f"{base[cut:]}_{inner}"
            if self.known(name):
                return cut, name
        return None

    def split(self, run: str) -> list[tuple[TokenKind, str, int, int]] | None:
        """`run` as names in scope and functions, the longest first at every place; None if that can't be."""
        whole = self.meaning(run)
        if whole is not None:
            return [(*whole, 0, len(run))]
        if run in FOREIGN or len(run) > MAX_NAME:
            return None
        size, longest = len(run), max(self.longest, *map(len, self.bound), 0)
        best: list[list[tuple[TokenKind, str, int, int]] | None] = [None] * size + [[]]
        for k in range(size - 1, -1, -1):
            for end in range(min(size, k + longest), k, -1):
                found = self.meaning(run[k:end])
                if found is None:
                    continue
                rest = self.tail(run, k, end, found, best)
                if rest is not None:
                    best[k] = [(*found, k, end), *rest]
                    break
        return best[0]

    def tail(
        self, run: str, k: int, end: int, found: tuple[TokenKind, str],
        best: list[list[tuple[TokenKind, str, int, int]] | None],
    ) -> list[tuple[TokenKind, str, int, int]] | None:  # fmt: skip
        """What follows the piece ``run[k:end]``: more pieces, a number after a function, or a subscript."""
        rest, size = run[end:], len(run)
        if not rest:
            return []
        if rest[0] == "_":
            sub = rest[1:].partition("_")[0] if not self.latex else rest[1:2]
            stop = end + 1 + len(sub)
            binds = found in (("function", "sum"), ("function", "max"))
            if not (sub.isdecimal() or self.known(sub) or binds) or best[stop] is None:
                return None
            more = best[stop] or []
            return [("sign", "_", end, end + 1), ("number" if sub.isdecimal() else "name", sub, end + 1, stop), *more]
        if rest[0].isdecimal():
            return [("number", rest, end, size)] if found[0] == "function" and rest.isdecimal() else None
        return best[end]

    # --- relations and sequences ---------------------------------------------------------------------------

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

    def stopped(self) -> None:
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

    def unclosed(self, closing: str) -> None:
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
        while True:
            if self.is_sign("*", "/"):
                operators.append("*" if self.next().text == "*" else "/")
                factors.append(self.factor())
            elif self.begins_factor():
                self.check_juxtaposition(factors, operators)
                operators.append("")
                factors.append(self.power())
            else:
                break
        if len(factors) == 1:
            return factors[0]
        return Product(self.since(start), tuple(factors), tuple(operators))

    def check_juxtaposition(self, factors: Many[Node], operators: Many[Operator]) -> None:
        """Refuse ``1/2n`` and ``3\\frac{1}{2}``; ``1/2 n``, with a blank, is a half of n."""
        t, last = self.peek(), factors[-1]
        divided = next((k for k in range(len(operators) - 1, -1, -1) if operators[k]), -1)
        if divided >= 0 and operators[divided] == "/":
            numerals = isinstance(factors[divided], Number) and isinstance(factors[divided + 1], Number)
            apart = divided < len(operators) - 1 or t.start > self.tokens[self.at - 1].end
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
        return t.kind == "sign" and t.text in ("(", "{" if self.latex else "(")

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
            elif t.text == "_":
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
        t = self.peek()
        if t.kind == "run" and self.latex and len(t.text) > 1:
            rest = t.text[1:]
            if rest[0].isalpha():
                self.tokens[self.at : self.at + 1] = [
                    Token("run", t.text[0], t.start, t.start + 1), Token("run", rest, t.start + 1, t.end),
                ]  # fmt: skip
            t = self.peek()
        if t.kind in ("run", "word"):
            self.next()
            return Name(t.span, t.text)
        if t.kind not in ("name", "number"):
            self.fail("an index")
        return self.atom()

    def text_between(self, a: int, b: int) -> str:
        return "".join(t.text for t in self.tokens[a:b])[:MAX_NAME]

    # --- operands ------------------------------------------------------------------------------------------

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
            return self.command(t)
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
        raise AssertionError  # not reached: `fail` raises

    def group(self, opening: str) -> Node:
        self.enter()
        t = self.next()
        bars, self.bars = self.bars, 0
        braces = opening == "{" and self.latex
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
                params = {"left": len(rows[0]), "right": len(row)}
                raise SyntaxFault("dimensions-differ", (row[0].span[0], row[-1].span[1]), params)
        return Matrix(span, tuple(rows))

    def command(self, t: Token) -> Node:
        self.next()
        if t.text == "frac":
            over, under = self.argument(True), self.argument(True)
            return Frac(self.since(t.start), over, under)
        if t.text == "binom":
            over, under = self.argument(True), self.argument(True)
            return Apply(self.since(t.start), "binom", (over, under))
        if t.text == "sqrt":
            degree: tuple[Node, ...] = ()
            if self.take("["):
                degree = tuple(self.items("]"))
                if len(degree) != 1:
                    raise SyntaxFault("unexpected", self.since(t.start), {"found": ","}, ("]",))
            radicand = self.argument(False)
            return Apply(self.since(t.start), "sqrt", (radicand, *degree))
        if t.text in ("begin cases",):
            return self.cases(t)
        if t.text in ("begin pmatrix", "begin bmatrix", "begin matrix", "begin smallmatrix"):
            return self.environment(t)
        raise SyntaxFault("unknown-command", t.span, {"name": "\\" + t.text.replace(" ", "{") + "}" * (" " in t.text)})

    def argument(self, digit: bool) -> Node:
        r"""What a LaTeX command takes: braces, or one token; of the numerals in ``\frac12``, one digit each."""
        self.enter()
        t = self.peek()
        if t.kind == "number" and digit and len(t.text) > 1 and t.text.isdecimal():
            self.tokens[self.at : self.at + 1] = [
                Token("number", t.text[0], t.start, t.start + 1, Fraction(int(t.text[0]))),
                Token("number", t.text[1:], t.start + 1, t.end, Fraction(int(t.text[1:]))),
            ]
        node: Node
        if self.is_sign("{"):
            self.next()
            node = self.relation()
            if not self.is_sign("}"):
                self.unclosed("}")
            self.next()
        elif t.kind == "run" and len(t.text) > 1 and digit:
            self.tokens[self.at : self.at + 1] = [
                Token("run", t.text[0], t.start, t.start + 1), Token("run", t.text[1:], t.start + 1, t.end),
            ]  # fmt: skip
            node = self.atom()
        else:
            node = self.power() if not digit else self.atom()
        self.depth -= 1
        return node

    def environment(self, t: Token) -> Node:
        self.enter()
        name = t.text.removeprefix("begin ")
        rows: list[tuple[Node, ...]] = []
        row: list[Node] = []
        while True:
            row.append(self.relation())
            if self.take("&"):
                continue
            rows.append(tuple(row))
            row = []
            broken = self.take("\\\\")
            if self.peek().kind == "command" and self.peek().text == f"end {name}":
                self.next()
                break
            if not broken:
                self.fail("&", "\\\\", f"\\end{{{name}}}")
        self.depth -= 1
        return self.matrix(rows, self.since(t.start))

    def cases(self, t: Token) -> Node:
        r"""``\begin{cases} a & i \le t \\ b & ... \end{cases}``: `a` if its condition holds, else `b`."""
        self.enter()
        then = self.expression()
        self.expect("&")
        self.word("if", "for", "when")
        condition = self.relation()
        self.expect("\\\\")
        otherwise = self.expression()
        if self.take("&") and not self.word("otherwise", "else"):
            self.word("if", "for", "when")
            second = self.relation()
            if not _opposite(condition, second):
                raise SyntaxFault("outside-language", second.span, {"what": "a second condition"}, ("otherwise",))
        self.take("\\\\")
        end = self.peek()
        if end.kind != "command" or end.text != "end cases":
            self.fail("\\end{cases}")
        self.next()
        self.depth -= 1
        return Apply(self.since(t.start), "if", (condition, then, otherwise))

    def word(self, *texts: str) -> bool:
        if self.peek().kind == "word" and self.peek().text in texts:
            self.next()
            return True
        return False

    # --- functions -----------------------------------------------------------------------------------------

    def applied(self, t: Token) -> Node:
        name = t.text
        if name in ("sum", "max") and self.is_sign("_", "^"):
            return self.big(t)
        base: tuple[Node, ...] = ()
        raised: Node | None = None
        if name == "log" and self.is_sign("_"):
            self.next()
            base = (self.argument(False) if self.is_sign("{") else self.single(),)
        if name in ("ln", "log", "exp") and self.is_sign("^"):
            self.next()
            raised = self.exponent()
        arguments = self.arguments(t)
        if isinstance(arguments, Bind):
            return arguments
        if name in _ONE_ARGUMENT and len(arguments) != 1:
            params = {"name": name, "expected": 1, "found": len(arguments)}
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
            if t.text in ("sum", "max") and self.binder_ahead():
                found: tuple[Node, ...] | Bind = self.bound_body(t, _CLOSING[opening])
            else:
                found = tuple(self.items(_CLOSING[opening]))
            self.bars = bars
        else:
            if not self.begins_factor() and self.peek().kind != "number" and opening != "[":
                self.fail("an argument")
            operand = self.power()
            if isinstance(operand, Sequence) and operand.bracket == "[" and t.text in FUNCTIONS and len(operand.items) == 1:
                operand = operand.items[0]
            found = (operand,)
        self.depth -= 1
        return found

    def binder_ahead(self) -> bool:
        t, after = self.tokens[self.at], self.tokens[self.at + 1]
        return t.kind in ("run", "word") and after.kind == "sign" and after.text == "="

    def binder_name(self) -> str:
        t = self.peek()
        if t.kind not in ("run", "word", "name") or len(t.text) > MAX_NAME or t.text in RESERVED or t.text == "e":
            self.fail("the name of an index")
        return self.next().text

    def bound_body(self, t: Token, closing: str) -> Bind:
        """``j = a..b, body)`` after the opening bracket."""
        name, low, high = self.range()
        if not self.take(","):
            self.fail("an operator", "','")
        self.bound.append(name)
        body = self.expression()
        self.bound.pop()
        if not self.is_sign(closing):
            self.unclosed(closing)
        self.next()
        return Bind(self.since(t.start), "sum" if t.text == "sum" else "max", name, low, high, body)

    def range(self) -> tuple[str, Node, Node]:
        name = self.binder_name()
        self.expect("=")
        low = self.expression()
        self.expect("..")
        return name, low, self.expression()

    def big(self, t: Token) -> Node:
        r"""``\sum_{j=1}^{n} body``, ``\max_{1 \le j \le n} body``, ``\max_j body``."""
        self.enter()
        name: str | None = None
        low: Node | None = None
        high: Node | None = None
        while self.is_sign("_", "^"):
            place = self.next()
            if place.text == "^":
                if high is not None:
                    raise SyntaxFault("unexpected", place.span, {"found": "^"}, ("an expression",))
                high = self.exponent()
            elif name is not None:
                raise SyntaxFault("unexpected", place.span, {"found": "_"}, ("an expression",))
            elif self.take("{"):
                name, low, upper = self.under(place)
                high = upper if upper is not None else high
            else:
                name = self.under_letter()
        if name is None:
            self.fail("the name of an index")
            raise AssertionError  # not reached: `fail` raises
        if (low is None) != (high is None):
            raise SyntaxFault("range-unknown", self.since(t.start), {"name": name})
        self.bound.append(name)
        body = self.product()
        self.bound.pop()
        self.depth -= 1
        return Bind(self.since(t.start), "sum" if t.text == "sum" else "max", name, low, high, body)

    def under_letter(self) -> str:
        t = self.peek()
        if t.kind == "run" and self.latex and len(t.text) > 1:
            self.tokens[self.at : self.at + 1] = [
                Token("run", t.text[0], t.start, t.start + 1), Token("run", t.text[1:], t.start + 1, t.end),
            ]  # fmt: skip
        return self.binder_name()

    def under(self, place: Token) -> tuple[str, Node | None, Node | None]:
        """The range under a sum or maximum, up to its closing brace."""
        high: Node | None = None
        low: Node | None = None
        after = self.tokens[self.at + 1]
        if self.binder_ahead():
            name = self.binder_name()
            self.expect("=")
            low = self.expression()
            if self.take(".."):
                high = self.expression()
        elif after.kind == "sign" and after.text == "}":
            name = self.binder_name()
        else:
            low = self.expression()
            self.expect("<=")
            name = self.binder_name()
            self.expect("<=")
            high = self.expression()
        if not self.is_sign("}"):
            self.unclosed("}")
        self.next()
        return name, low, high


def _opposite(a: Node, b: Node) -> bool:
    """Whether `b` is written as what holds where `a` does not."""
    if not (isinstance(a, Relation) and isinstance(b, Relation)):
        return False
    same = _alike(a.left, b.left) and _alike(a.right, b.right)
    turned = _alike(a.left, b.right) and _alike(a.right, b.left)
    straight = {("=", "!="), ("!=", "="), ("<=", ">"), (">", "<="), ("<", ">="), (">=", "<")}
    crossed = {("=", "!="), ("!=", "="), ("<=", "<"), ("<", "<="), (">=", ">"), (">", ">=")}
    return (same and (a.sign, b.sign) in straight) or (turned and (a.sign, b.sign) in crossed)


def _alike(a: Node, b: Node) -> bool:
    """Whether two trees are the same but for their places."""
    if type(a) is not type(b):
        return False
    mine, others = list(children(a)), list(children(b))
    if isinstance(a, Number) and isinstance(b, Number):
        return a.value == b.value
    plain = [getattr(a, f, None) == getattr(b, f, None) for f in ("name", "function", "sign", "operators", "kind")]
    return all(plain) and len(mine) == len(others) and all(map(_alike, mine, others))


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
    node = _Parser(tokens, known, frozenset(functions), is_latex, notation).whole()
    depth, where = max(((d, n.span) for n, d in walk(node)), default=(0, node.span))
    if depth > MAX_TREE_DEPTH:
        raise SyntaxFault("too-deep", where, {"limit": MAX_TREE_DEPTH})
    if isinstance(node, Relation):
        if only == "expression":
            raise SyntaxFault("relation-unexpected", node.span, {"found": node.sign})
    elif only == "relation":
        raise SyntaxFault("relation-expected", (node.span[1], node.span[1]), {}, ("a relation",))
    return node
