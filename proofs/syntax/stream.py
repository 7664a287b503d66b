"""Moving along the tokens of a formula, and giving each run of letters its meaning when it is reached."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from proofs.syntax.faults import Span, SyntaxFault
from proofs.syntax.tokens import MAX_TOKENS, Notation, Token
from proofs.syntax.words import MAX_NAME, Words

MAX_NESTING = 80
_LONG_SUBSCRIPT = re.compile(r"([A-Za-z]+)_([0-9])([0-9]+)", re.ASCII)


@dataclass
class Stream:
    """Tokens with a place among them, and how deep the reader is in brackets, arguments and exponents.

    `decided` is whether the reader had to decide anything that the typing leaves open.
    """

    tokens: list[Token]
    words: Words
    notation: Notation
    at: int = 0
    depth: int = 0
    decided: bool = False

    def peek(self) -> Token:
        return self.tokens[self.at]

    def after(self) -> Token:
        """The token behind the one at hand."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def next(self) -> Token:
        t = self.tokens[self.at]
        if t.kind != "end":
            self.at += 1
        return t

    def is_sign(self, *texts: str) -> bool:
        t = self.tokens[self.at]
        return t.kind == "sign" and t.text in texts

    def tight(self) -> bool:
        """Whether the token at hand follows the one before it without a blank."""
        return self.at > 0 and self.tokens[self.at].start == self.tokens[self.at - 1].end

    def take(self, *texts: str) -> bool:
        if self.is_sign(*texts):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> Token:
        if not self.is_sign(text):
            self.fail(text)
        return self.next()

    def fail(self, *expected: str) -> NoReturn:
        t = self.peek()
        code = "unexpected-end" if t.kind == "end" else "unexpected"
        raise SyntaxFault(code, t.span, {"found": t.shown}, expected)

    def enter(self, by: int = 1) -> None:
        self.depth += by
        if self.depth > MAX_NESTING:
            raise SyntaxFault("too-deep", self.peek().span, {"limit": MAX_NESTING})

    def since(self, start: int) -> Span:
        return (start, self.tokens[self.at - 1].end if self.at else start)

    def resolve(self) -> Token:
        """Give the letters at hand a meaning: the names in scope, the longest first, else one undeclared name."""
        t = self.peek()
        if t.kind not in ("run", "word"):
            return t
        base = t.text
        last, inner = self.braced_subscript()
        if inner is not None:
            found = self.words.with_subscript(base, inner)
            if found is not None:
                cut, name = found
                if cut and (t.kind == "word" or self.words.split(base[:cut]) is None):
                    found = None
                else:
                    named = [Token("name", name, t.start + cut, self.tokens[last - 1].end)]
                    if cut:
                        named.insert(0, Token("run", base[:cut], t.start, t.start + cut))
                    self.tokens[self.at : last] = named
                    return self.resolve() if cut else named[0]
        if t.kind == "word":
            t.kind, t.text = self.words.meaning(base) or ("name", base)
            return t
        pieces = self.words.split(base)
        if pieces is None:
            self.check_subscript(t)
            t.kind = "name"
            return t
        if len(pieces) == 1:
            t.kind, t.text = pieces[0][:2]
            return t
        if len(self.tokens) + len(pieces) > 2 * MAX_TOKENS:
            raise SyntaxFault("too-large", t.span, {"limit": MAX_TOKENS, "what": "symbols"})
        made = tuple(
            Token(kind, text, t.start + a, t.start + b, Fraction(int(text)) if kind == "number" else None)
            for kind, text, a, b in pieces
        )
        if made[1].kind != "sign" or len(made) > 3:  # more than one name with its subscript
            self.check_run(t, made)
            self.decided = True
        self.replace(*made)
        return self.peek()

    def check_run(self, t: Token, made: tuple[Token, ...]) -> None:
        """Refuse ``rank(d+1)`` where the letters are declared: a function to some, a product of letters to others."""
        named = made[-1].kind == "name" and not any(x.kind == "function" for x in made)
        numeral = self.at > 0 and self.tokens[self.at - 1].kind == "number" and self.tight()
        letters = sum(x.kind == "name" and (k == 0 or made[k - 1].kind != "sign") for k, x in enumerate(made))
        if named and not (numeral or letters == 2) and self.after().kind == "sign" and self.after().text == "(":
            factors = "".join(x.text if x.kind == "sign" or k == 0 or made[k - 1].kind == "sign" else "*" + x.text
                              for k, x in enumerate(made))  # fmt: skip
            raise SyntaxFault("two-readings", t.span, {"one": f"{factors}*(..)", "other": f"{t.text}(..)"})

    def check_subscript(self, t: Token) -> None:
        """Refuse ``x_10`` in LaTeX, which takes one digit where no brace stands."""
        m = _LONG_SUBSCRIPT.fullmatch(t.text)
        if m is not None and self.words.latex and self.words.known(m[1]):
            one, other = f"{m[1]}[{m[2]}{m[3]}]", f"{m[1]}[{m[2]}]*{m[3]}"
            raise SyntaxFault("two-readings", t.span, {"one": one, "other": other})

    def braced_subscript(self) -> tuple[int, str | None]:
        """Of ``_{model}`` after the token at hand, the place behind it and the name inside, if it is a plain one."""
        k = self.at + 1
        if self.tokens[k].text != "_" or self.tokens[k].kind != "sign":
            return k, None
        k += 1
        t = self.tokens[k]
        lowered = self.tokens[k - 1].start == self.tokens[k - 1].end  # x₁₂
        short = not self.words.latex or len(t.text) == 1 or lowered
        if t.kind == "word" or (t.kind in ("run", "number") and short):
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

    def text_between(self, a: int, b: int) -> str:
        return "".join(t.text for t in self.tokens[a:b])[:MAX_NAME]

    def first_letter(self) -> None:
        """In LaTeX, split the run at hand after its first letter: a command takes one letter where no brace stands."""
        t = self.peek()
        if t.kind == "run" and len(t.text) > 1 and t.text[1].isalpha() and self.words.latex:
            self.replace(Token("run", t.text[0], t.start, t.start + 1), Token("run", t.text[1:], t.start + 1, t.end))

    def replace(self, *made: Token) -> None:
        """Put other tokens for the one at hand."""
        self.tokens[self.at : self.at + 1] = made
