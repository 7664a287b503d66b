"""What LaTeX writes with commands, and operators with a range: fractions, roots, matrices, cases, sums, maxima."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from proofs.syntax.ambiguity import shorter, times, two
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.nodes import Apply, Bind, Frac, Node, Number, Operator, Power, Relation, children
from proofs.syntax.tokens import Token
from proofs.syntax.words import MAX_NAME, RESERVED

if TYPE_CHECKING:
    from proofs.syntax.parser import Parser


def command(p: Parser, t: Token) -> Node:
    """A LaTeX command with arguments, or an environment."""
    p.next()
    if t.text == "frac":
        over, under = argument(p, True), argument(p, True)
        p.check_derivative(over, under)
        return Frac(p.since(t.start), over, under)
    if t.text == "binom":
        over, under = argument(p, True), argument(p, True)
        return Apply(p.since(t.start), "binom", (over, under))
    if t.text == "sqrt":
        degree: tuple[Node, ...] = ()
        if p.take("["):
            degree = tuple(p.items("]"))
            if len(degree) != 1:
                raise SyntaxFault("unexpected", p.since(t.start), {"found": ","}, ("]",))
        braced = p.is_sign("{")
        radicand = argument(p, True)
        rooted = Apply(p.since(t.start), "sqrt", (radicand, *degree))
        if not braced:
            check_radicand(p, rooted)
        if p.is_sign("^") and p.tokens[p.at - 1].text != "}":
            p.next()
            exponent = p.exponent()
            wide = replace(rooted, arguments=(Power(radicand.span, radicand, exponent), *degree))
            raise p.either(p.since(t.start), wide, Power(rooted.span, rooted, exponent))
        return rooted
    if t.text == "begin cases":
        return cases(p, t)
    if t.text in ("begin pmatrix", "begin bmatrix", "begin matrix", "begin smallmatrix"):
        return environment(p, t)
    raise SyntaxFault("unknown-command", t.span, {"name": "\\" + t.text.replace(" ", "{") + "}" * (" " in t.text)})


def check_radicand(p: Parser, rooted: Apply) -> None:
    r"""Refuse ``\sqrt2d`` and ``\sqrt h/d``, where a root without braces may have been meant of more."""
    t, radicand = p.peek(), rooted.arguments[0]
    if p.starts_function(p.at):
        return
    if p.begins_factor():
        more, sign = p.run(), ""
    elif p.is_sign("/") and not isinstance(radicand, Number) and not p.starts_function(p.at + 1):
        p.next()
        more, sign = p.factor(), "/"
    else:
        return
    operator: Operator = "/" if sign else ""
    wide = replace(rooted, arguments=(times((radicand, more), (operator,)), *rooted.arguments[1:]))
    raise p.either(t.span, wide, times((rooted, more), (operator,)))


FORMS = {
    "sum": "sum(j = 1..n, x[j])", "max": "max(x, y)", "if": "if(i <= t, x, y)", "binom": "binom(n, k)",
}  # fmt: skip


def form(t: Token, index: str = "j") -> SyntaxFault:
    """The fault of a sum, a maximum or a condition in another form than the language has."""
    shown = f"max({index} = 1..n, x[{index}])" if t.text == "max" and index != "j" else FORMS[t.text]
    return SyntaxFault("form", t.span, {"name": t.text, "form": shown.replace("j", index)})


def one_name(p: Parser) -> bool:
    """Whether one name is at hand and no comma behind it, as in ``max z``."""
    after = p.after()
    return p.peek().kind in ("run", "word", "name") and not (after.kind == "sign" and after.text in (",", "("))


def triples(tokens: list[Token]) -> zip[tuple[Token, Token, Token]]:
    """Every three tokens that follow one another."""
    return zip(tokens, tokens[1:], tokens[2:], strict=False)


def listed(p: Parser, t: Token, closing: str) -> tuple[Node, ...]:
    """The arguments up to the closing bracket; a range among those of a sum stands in its form."""
    begin = p.at
    try:
        found = tuple(p.items(closing))
    except SyntaxFault as fault:
        words = {p.peek().text, p.tokens[p.at - 1].text, p.after().text}
        if t.text in ("sum", "max") and words & {"..", ":", "for", "in", "to", "from"}:
            raise form(t) from fault
        raise
    if t.text == "sum" and len(found) > 1:
        raise form(t)
    for left, comma, right in triples(p.tokens[begin : p.at]):
        grouped = left.text.isdecimal() and len(left.text) <= 3 and right.text.isdecimal() and len(right.text) == 3
        if comma.text == "," and grouped and left.end == comma.start and comma.end == right.start:  # max(1,000, d)
            params = {"one": left.text + right.text, "other": f"{left.text}, {right.text}"}
            raise SyntaxFault("two-readings", (left.start, right.end), params)
    return found


def argument(p: Parser, digit: bool) -> Node:
    r"""What a LaTeX command takes: braces, or one token; of a numeral, as in ``\frac12``, one digit."""
    p.enter()
    t = p.peek()
    if t.kind == "number" and len(t.text) > 1 and not t.text.isdecimal():  # \frac121{,}234
        p.fail("{")
    if t.kind == "number" and len(t.text) > 1:
        p.replace(
            Token("number", t.text[0], t.start, t.start + 1, Fraction(int(t.text[0]))),
            Token("number", t.text[1:], t.start + 1, t.end, Fraction(int(t.text[1:]))),
        )
    if p.is_sign("{"):
        p.next()
        node = p.relation()
        if not p.is_sign("}"):
            p.unclosed("}")
        p.next()
    elif digit:
        p.first_letter()
        node = p.atom()
    else:
        node = p.power()
    p.depth -= 1
    return node


def environment(p: Parser, t: Token) -> Node:
    """A matrix."""
    p.enter()
    name = t.text.removeprefix("begin ")
    rows: list[tuple[Node, ...]] = []
    row: list[Node] = []
    while True:
        row.append(p.relation())
        if p.take("&"):
            continue
        rows.append(tuple(row))
        row = []
        broken = p.take("\\\\")
        if p.peek().kind == "command" and p.peek().text == f"end {name}":
            p.next()
            break
        if not broken:
            p.fail("&", "\\\\", f"\\end{{{name}}}")
    p.depth -= 1
    return p.matrix(rows, p.since(t.start))


def cases(p: Parser, t: Token) -> Node:
    r"""``\begin{cases} a & i \le t \\ b & ... \end{cases}``: `a` if its condition holds, else `b`."""
    p.enter()
    then = p.expression()
    p.expect("&")
    word(p, "if", "for", "when")
    condition = p.relation()
    p.expect("\\\\")
    otherwise = p.expression()
    if p.take("&") and not word(p, "otherwise", "else"):
        word(p, "if", "for", "when")
        second = p.relation()
        if not _opposite(condition, second):
            raise SyntaxFault("outside-language", second.span, {"what": "a second condition"}, ("otherwise",))
    p.take("\\\\")
    end = p.peek()
    if end.kind != "command" or end.text != "end cases":
        p.fail("\\end{cases}")
    p.next()
    p.depth -= 1
    return Apply(p.since(t.start), "if", (condition, then, otherwise))


def word(p: Parser, *texts: str) -> bool:
    """Take one of these words, if one is at hand."""
    if p.peek().kind == "word" and p.peek().text in texts:
        p.next()
        return True
    return False


def binder_ahead(p: Parser) -> bool:
    """Whether ``j =`` is at hand."""
    t, after = p.peek(), p.after()
    return t.kind in ("run", "word") and after.kind == "sign" and after.text == "="


def binder_name(p: Parser) -> str:
    """The name of a bound index, which may shadow any other."""
    t = p.peek()
    if t.kind not in ("run", "word", "name") or len(t.text) > MAX_NAME or t.text in RESERVED or t.text == "e":
        p.fail("the name of an index")
    return p.next().text


def bound_body(p: Parser, t: Token, closing: str) -> Bind:
    """``j = a..b, body)`` after the opening bracket."""
    name = binder_name(p)
    p.expect("=")
    low = p.expression()
    if not p.take(".."):
        raise form(t, name)
    high = p.expression()
    if not p.take(","):
        if p.is_sign(closing):
            raise form(t, name)
        p.fail("an operator", "','")
    p.words.bound.append(name)
    body = p.expression()
    p.words.bound.pop()
    if not p.is_sign(closing):
        p.unclosed(closing)
    p.next()
    return Bind(p.since(t.start), "sum" if t.text == "sum" else "max", name, low, high, body)


def big(p: Parser, t: Token) -> Node:
    r"""``\sum_{j=1}^{n} body``, ``\max_{1 \le j \le n} body``, ``\max_j body``."""
    p.enter()
    name: str | None = None
    low: Node | None = None
    high: Node | None = None
    while p.is_sign("_", "^"):
        place = p.next()
        if place.text == "^":
            if high is not None:
                raise SyntaxFault("unexpected", place.span, {"found": "^"}, ("an expression",))
            first = p.peek()
            if p.words.latex and first.kind == "number" and len(first.text) > 1:  # \sum_{j=1}^31
                params = {"one": f"^{{{first.text}}}", "other": f"^{{{first.text[0]}}} {first.text[1:]}"}
                raise SyntaxFault("two-readings", first.span, params)
            high = p.exponent()
        elif name is not None:
            raise SyntaxFault("unexpected", place.span, {"found": "_"}, ("an expression",))
        elif p.take("{"):
            name, low, upper = under(p, t)
            high = upper if upper is not None else high
        else:
            p.first_letter()
            name = binder_name(p)
    if name is None:
        raise form(t)
    if p.peek().kind == "end":
        raise form(t, name)
    if (low is None) != (high is None):
        raise SyntaxFault("range-unknown", p.since(t.start), {"name": name})
    p.words.bound.append(name)
    begin = p.peek().start
    body = p.product()
    p.words.bound.pop()
    p.depth -= 1
    delimited = body.span[0] > begin and p.tokens[p.at - 1].text == ")"  # \sum_i (x_i + y_i)
    made = Bind(p.since(t.start), "sum" if t.text == "sum" else "max", name, low, high, body)
    if delimited:
        return made
    p.bare = (*p.bare, made)
    found = shorter(made) if made.kind == "max" else None
    if found is not None:
        raise two(made.span, made, times(found[:2], (found[2],)))
    return made


def under(p: Parser, t: Token) -> tuple[str, Node | None, Node | None]:
    """The range under a sum or maximum, up to its closing brace."""
    high: Node | None = None
    low: Node | None = None
    after = p.after()
    if binder_ahead(p):
        name = binder_name(p)
        p.expect("=")
        low = p.expression()
        if p.take(".."):
            high = p.expression()
    elif after.kind == "sign" and after.text == "}":
        name = binder_name(p)
    else:
        low = p.expression()
        if not p.is_sign("<="):
            raise form(t)
        p.next()
        name = binder_name(p)
        p.expect("<=")
        high = p.expression()
    if not p.is_sign("}"):
        p.unclosed("}")
    p.next()
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
