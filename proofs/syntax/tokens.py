"""From characters to tokens: plain text and LaTeX have one stream of tokens, each with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from proofs.syntax.faults import Span, SyntaxFault

MAX_CHARACTERS = 20_000
MAX_TOKENS = 3_000
MAX_NUMBER_DIGITS = 1_000
MAX_NUMBER_EXPONENT = 900

TokenKind = Literal["number", "run", "word", "name", "function", "special", "super", "command", "sign", "end"]


@dataclass(slots=True)
class Token:
    r"""One token.

    A `run` is letters as typed, to be matched against the names in scope; a `word` is one name already (Greek,
    ``\mathrm{...}``). The parser makes `name`, `function` and `special` of these. `command` is a LaTeX command
    that takes arguments in braces; `super` a run of raised digits.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    value: Fraction | None = None

    @property
    def span(self) -> Span:
        return (self.start, self.end)

    @property
    def shown(self) -> str:
        """How a message names this token."""
        return "the end" if self.kind == "end" else self.text[:40]


@dataclass(frozen=True, slots=True)
class Notation:
    """What else may be read, for answers.

    `percent`: a ``%`` after a number or an expression. `suffixes`: letters directly after a numeral, with what
    they multiply it by. `separators`: what may stand between groups of three digits. `cross`: whether a lone
    ``x`` that nobody declared is a times sign, or ``x`` and ``×`` separate the items of a shape like commas.
    """

    percent: bool = False
    suffixes: Mapping[str, int] = field(default_factory=dict)
    separators: tuple[str, ...] = ("{,}", ",\\!", "\\,", "_")
    cross: Literal["name", "product", "separator"] = "name"


PLAIN_NOTATION = Notation()

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu", "ν": "nu",
    "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi",
    "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda",
    "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip

# Fractions of one character: numerals, as is what stands with a whole number before it (2½).
VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip

_SIGNS = {
    "·": "*", "×": "×", "⋅": "*", "∗": "*", "•": "*", "∙": "*", "÷": "/", "∕": "/", "⁄": "/", "−": "-",
    "–": "-",
    "≤": "<=", "⩽": "<=", "≦": "<=", "≥": ">=", "⩾": ">=", "≧": ">=", "≠": "!=", "…": "..", "‥": "..",
    "∣": "|", "**": "^", "...": "..",
}  # fmt: skip
_WORDS = {"√": "sqrt", "∞": "inf", "∑": "sum"}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", "0123456789+-()n", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_BRACKETS = {"【": "[", "】": "]", "〔": "(", "〕": ")"}

# LaTeX commands: those that are read as signs, as words, as nothing, with arguments, and as the name inside.
_LATEX_SIGNS = {
    "cdot": "*", "times": "×", "ast": "*", "div": "/", "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=",
    "geq": ">=", "geqslant": ">=", "ne": "!=", "neq": "!=", "lt": "<", "gt": ">", "ldots": "..", "dots": "..",
    "cdots": "..", "{": "\\{", "}": "\\}", "lbrace": "\\{", "rbrace": "\\}", "lbrack": "[", "rbrack": "]",
    "%": "%", "lvert": "|", "rvert": "|", "vert": "|", "\\": "\\\\", "colon": ":",
}  # fmt: skip
_LATEX_WORDS = {
    "exp": "exp", "ln": "ln", "log": "log", "max": "max", "sum": "sum", "infty": "inf",
    "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varsigma": "sigma", "varrho": "rho",
    "min": "min", "sin": "sin",
    "cos": "cos", "tan": "tan", "lim": "lim", "prod": "prod", "int": "int", "arg": "arg",
    "gcd": "gcd", "det": "det",
}  # fmt: skip
_LATEX_NOTHING = frozenset((
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr",
    "displaystyle", "textstyle", "limits", "nolimits", "quad", "qquad", "enspace", "thinspace", ",", ";", ":", "!", ">",
    " ", "\n", "\t",
))  # fmt: skip
_LATEX_ARGUMENTS = {
    "frac": "frac", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "binom": "binom", "dbinom": "binom",
    "tbinom": "binom", "sqrt": "sqrt",
}  # fmt: skip
_LATEX_NAMED = frozenset((
    "mathrm", "text", "textrm", "operatorname", "operatorname*", "mathit", "mathbf", "boldsymbol", "bm", "mathsf",
    "mathtt", "textbf", "textit", "mathcal",
))  # fmt: skip
_GREEK_COMMANDS = frozenset(GREEK.values())

_RUN = r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*'*"
_PLAIN_RUN = re.compile(_RUN)
_LETTERS = re.compile(r"[A-Za-z]+")
_GLUED = re.compile(r"[A-Za-z]*?(?:exp|ln|log|sqrt)(?=[0-9]+\Z)(?!2\Z|10\Z)")  # ln0.5: the digits are a numeral's
_DIGITS_AFTER = re.compile(r"(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_SIGN = re.compile(r"\*\*|<=|>=|!=|\.\.\.?|[-+*/^_=<>!()\[\]{},;:|&%~\\·×⋅∗•∙÷∕⁄−–≤⩽≦≥⩾≧≠…‥∣]")
NEAR_RELATIONS = {
    "===": "=", "==": "=", ":=": "=", "=:": "=", "=>": ">=", "=<": "<=", "<>": "!=", "/=": "!=", "=/=": "!=",
    "!==": "!=", "~=": "!=", "<=>": "=", "==>": ">=",
}  # fmt: skip
NEAR_RELATION = re.compile("|".join(map(re.escape, sorted(NEAR_RELATIONS, key=len, reverse=True))))
_OTHER_BASE = re.compile(r"0(?:[xX](?P<hex>[0-9A-Fa-f]+)|[bB](?P<bin>[01]+)|[oO](?P<oct>[0-7]+))", re.ASCII)
_COMMAND = re.compile(r"\\(operatorname\*|[A-Za-z]+|.)", re.DOTALL)
_NAMED = re.compile(r"\s*\{\s*([A-Za-z0-9 ]+(?:(?:\\?_)[A-Za-z0-9]+)*)\s*\}")
_ENVIRONMENT = re.compile(r"\s*\{([a-zA-Z]+)\*?\}")
_OPERAND = re.compile(r"\s*[A-Za-z0-9(\[\\]")
_UNUSUAL = re.compile(r"[^\t\n\r -~]")


def normalised(text: str) -> str:
    """`text` with full-width characters as ordinary ones and odd spaces as blanks, each character in its place.

    Raises `SyntaxFault` for control characters and for those that change the direction of writing.
    """
    if not _UNUSUAL.search(text):
        return text
    out: list[str] = []
    for k, c in enumerate(text):
        if "!" <= c <= "~" or c in " \n\t\r":
            out.append(c)
        elif "\uff01" <= c <= "\uff5e":
            out.append(chr(ord(c) - 0xFEE0))
        elif c in _BRACKETS:
            out.append(_BRACKETS[c])
        elif unicodedata.category(c) == "Zs":
            out.append(" ")
        elif unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            raise SyntaxFault("control-character", (k, k + 1), {"character": f"U+{ord(c):04X}"})
        else:
            out.append(c)
    return "".join(out)


@lru_cache(maxsize=32)
def _grouped(separators: tuple[str, ...]) -> re.Pattern[str]:
    """An integer in groups of three digits, with one separator throughout."""
    spelled = "|".join(r"\\,\ ?" if s == "\\," else re.escape(s) for s in separators) or r"(?!)"
    return re.compile(rf"[1-9]\d{{0,2}}({spelled})\d{{3}}(?:\1\d{{3}})*(?!\1?\d)", re.ASCII)


_DIGITS = re.compile(r"\d+|(?=\.\d)", re.ASCII)


class _Lexer:
    def __init__(self, text: str, names: Collection[str], latex: bool, notation: Notation) -> None:
        self.text = text
        self.names = names
        self.latex = latex
        self.notation = notation
        self.tokens: list[Token] = []
        self.grouped = _grouped(notation.separators)

    def put(self, kind: TokenKind, text: str, start: int, end: int, value: Fraction | None = None) -> int:
        if len(self.tokens) >= MAX_TOKENS:
            raise SyntaxFault("too-large", (start, end), {"limit": MAX_TOKENS, "what": "symbols"})
        self.tokens.append(Token(kind, text, start, end, value))
        return end

    def all(self) -> list[Token]:
        text, size, k = self.text, len(self.text), 0
        while k < size:
            c = text[k]
            if c in " \t\r\n":
                k += 1
            elif "0" <= c <= "9" or (c == "." and "0" <= text[k + 1 : k + 2] <= "9"):
                k = self.number(k)
            elif "a" <= c <= "z" or "A" <= c <= "Z":
                k = self.run(k)
            elif c in GREEK:
                k = self.put("word", GREEK[c], k, k + 1)
            elif c in _WORDS:
                k = self.put("word", _WORDS[c], k, k + 1)
            elif c in VULGAR:
                k = self.put("number", c, k, k + 1, Fraction(*VULGAR[c]))
            elif c in _RAISED:
                k = self.raised(k)
            elif c in _LOWERED:
                k = self.lowered(k)
            elif c == "\\" and self.latex:
                k = self.command(k)
            else:
                self.check_relation(k)
                m = _SIGN.match(text, k)
                if m is None or c == "\\" or (c == "~" and not self.latex):
                    shown = f"{c} (U+{ord(c):04X})" if c.isalpha() and c < "\u2e80" else c  # it may look like another
                    raise SyntaxFault("unexpected", (k, k + 1), {"found": shown})
                k = m.end() if c == "~" else self.sign(m.group(), k, m.end())
        self.put("end", "", size, size)
        return self.tokens

    def check_relation(self, k: int) -> None:
        """Refuse signs of other languages for a relation, and say how it is written here."""
        m = NEAR_RELATION.match(self.text, k)
        if m is not None and not (self.latex and m.group() == "~="):
            params = {"found": m.group(), "form": NEAR_RELATIONS[m.group()]}
            raise SyntaxFault("written-as", (k, m.end()), params, (NEAR_RELATIONS[m.group()],))

    def sign(self, text: str, start: int, end: int) -> int:
        before = self.tokens[-1] if self.tokens else None
        if text == "!=" and before is not None and before.kind == "number" and before.end == start:
            params = {"one": f"{before.text} != ..", "other": f"{before.text}! = .."}
            raise SyntaxFault("two-readings", (start, end), params)
        sign = _SIGNS.get(text, text)
        if sign == "×":
            sign = "," if self.notation.cross == "separator" else "*"
        return self.put("sign", sign, start, end)

    def number(self, k: int) -> int:
        text, at = self.text, k
        before = self.tokens[-1] if self.tokens else None
        if before is not None and before.kind == "number" and before.end == k and text[k] == ".":
            raise SyntaxFault("unexpected", (k, k + 1), {"found": "."})
        self.check_base(k)
        m = self.grouped.match(text, k) or _DIGITS.match(text, k)
        whole_end = m.end() if m else k
        digits = re.sub(r"[^0-9]", "", text[k:whole_end])
        rest = _DIGITS_AFTER.match(text, whole_end)
        tail = rest.group() if rest else ""
        mark = max(tail.find("e"), tail.find("E"))
        if mark >= 0 and any(n.startswith(tail[mark:]) for n in self.names):
            tail = tail[:mark]
        end = whole_end + len(tail)
        mantissa, _, power = tail.lower().partition("e")
        fraction = mantissa[1:]
        if len(digits) + len(fraction) > MAX_NUMBER_DIGITS or len(power) > 10:
            raise SyntaxFault("number-too-long", (at, end), {"limit": MAX_NUMBER_DIGITS})
        shift = (int(power) if power else 0) - len(fraction)
        if abs(shift) > MAX_NUMBER_EXPONENT:
            raise SyntaxFault("number-too-long", (at, end), {"limit": MAX_NUMBER_DIGITS})
        whole = int((digits + fraction) or "0")
        value = Fraction(whole * 10**shift) if shift >= 0 else Fraction(whole, 10**-shift)
        part = end + (text[end : end + 1] == " ")
        if part < len(text) and text[part] in VULGAR and digits and not tail:  # 2½
            return self.put("number", text[at : part + 1], at, part + 1, value + Fraction(*VULGAR[text[part]]))
        if self.notation.suffixes:
            letters = _LETTERS.match(text, end)
            suffix = letters.group() if letters else ""
            after = text[end + len(suffix) : end + len(suffix) + 1]
            ended = not (after.isdigit() or after == "_")
            if suffix in self.notation.suffixes and suffix not in self.names and ended:
                value *= self.notation.suffixes[suffix]
                end += len(suffix)
        return self.put("number", text[at:end], at, end, value)

    def check_base(self, k: int) -> None:
        """Refuse ``0x10``, which is sixteen to some and a product with nothing to others."""
        m = _OTHER_BASE.match(self.text, k)
        if m is None or (k and self.text[k - 1].isalnum()):
            return
        base = {"hex": 16, "bin": 2, "oct": 8}[m.lastgroup or "hex"]
        digits = m[m.lastindex or 1]
        value = str(int(digits, base)) if len(digits) <= 40 else m.group()[:40]
        sign = "*" if self.notation.cross != "name" and m.group()[1] == "x" and "x" not in self.names else m.group()[1]
        product = f"0{sign if sign == '*' else f'*{sign}*'}{digits[:40]}"
        raise SyntaxFault("two-readings", (k, m.end()), {"one": product, "other": value})

    def run(self, k: int) -> int:
        m = _PLAIN_RUN.match(self.text, k)
        if m is None:  # k stands on a letter
            raise SyntaxFault("unexpected", (k, k + 1), {"found": self.text[k]})
        run = m.group()
        glued = _GLUED.match(run)
        if glued is not None and run not in self.names:
            ahead = self.text[m.end() : m.end() + 2]
            if ahead[:1] in VULGAR or (ahead[:1] == "." and ahead[1:].isdecimal()):
                return self.put("run", glued.group(), k, k + glued.end())
        divided = len(self.tokens) > 1 and self.tokens[-1].text == "/" and self.tokens[-2].text == "d"
        if divided and run.startswith("dx"):
            return self.put("run", run, k, m.end())
        crosses = self.notation.cross != "name" and "x" in run and "x" not in self.names
        if crosses and run not in self.names and self.between(run, k, m.end()):
            return self.crossed(run, k)
        return self.put("run", run, k, m.end())

    def between(self, run: str, k: int, end: int) -> bool:
        """Whether an ``x`` at either end of the run has something to stand between."""
        before = self.tokens[-1] if self.tokens else None
        closed = before is not None and before.text in (")", "]", "}")
        led = closed or (before is not None and before.kind in ("number", "run", "word"))
        followed = _OPERAND.match(self.text, end) is not None
        return (led or run[0] != "x") and (followed or run[-1] != "x")

    def crossed(self, run: str, k: int) -> int:
        """Letters in which every ``x`` stands between names or numerals, as a times sign: ``x128x768``, ``BxT``."""
        sign = "," if self.notation.cross == "separator" else "*"
        pieces = run.split("x")
        touching = [p for p in pieces if p and p not in self.names and not p.isdecimal()]
        if touching:
            return self.put("run", run, k, k + len(run))
        for n, piece in enumerate(pieces):
            if n:
                k = self.put("sign", sign, k, k + 1)
            if piece.isdecimal():
                k = self.number(k)
            elif piece:
                k = self.put("run", piece, k, k + len(piece))
        return k

    def raised(self, k: int) -> int:
        end = k
        while end < len(self.text) and self.text[end] in _RAISED:
            end += 1
        plain = "".join(_RAISED[c] for c in self.text[k:end])
        m = re.fullmatch(r"\(?([+-]?)(\d+|n)\)?", plain)
        if m is None or (plain[0] == "(") != (plain[-1] == ")") or len(plain) > 20:
            raise SyntaxFault("unexpected", (k, end), {"found": self.text[k:end][:40]})
        return self.put("super", m.group(1).replace("+", "") + m.group(2), k, end)

    def lowered(self, k: int) -> int:
        end = k
        while end < len(self.text) and self.text[end] in _LOWERED:
            end += 1
        if end - k > 20:
            raise SyntaxFault("number-too-long", (k, end), {"limit": 20})
        digits = "".join(_LOWERED[c] for c in self.text[k:end])
        self.put("sign", "_", k, k)
        return self.put("number", digits, k, end, Fraction(int(digits)))

    def command(self, k: int) -> int:
        m = _COMMAND.match(self.text, k)
        if m is None:
            raise SyntaxFault("unexpected", (k, k + 1), {"found": "\\"})
        name, end = m.group(1), m.end()
        if name in ("partial", "nabla"):
            raise SyntaxFault("derivative", (k, end))
        if name in _LATEX_SIGNS:
            return self.sign(_LATEX_SIGNS[name], k, end)
        if name in _LATEX_WORDS:
            return self.put("word", _LATEX_WORDS[name], k, end)
        if name in _GREEK_COMMANDS:
            return self.put("word", name, k, end)
        if name in _LATEX_NOTHING:
            return end
        if name in _LATEX_ARGUMENTS:
            return self.put("command", _LATEX_ARGUMENTS[name], k, end)
        if name in _LATEX_NAMED:
            inner = _NAMED.match(self.text, end)
            if inner is not None:
                return self.put("word", inner.group(1).replace("\\", "").strip(), k, inner.end())
            return end
        if name in ("begin", "end"):
            inner = _ENVIRONMENT.match(self.text, end)
            if inner is None:
                raise SyntaxFault("unexpected-end", (k, end), {}, ("{",))
            return self.put("command", f"{name} {inner.group(1)}", k, inner.end())
        raise SyntaxFault("unknown-command", (k, end), {"name": "\\" + name[:40]})


def tokenise(
    text: str, names: Collection[str] = (), latex: bool | None = None, notation: Notation = PLAIN_NOTATION
) -> tuple[list[Token], bool]:
    r"""The tokens of `text`, an `end` token last, and whether it was read as LaTeX.

    With `latex` None, text with a backslash or between dollar signs is LaTeX. Raises `SyntaxFault`.
    """
    if len(text) > MAX_CHARACTERS:
        raise SyntaxFault("too-long", (MAX_CHARACTERS, MAX_CHARACTERS + 1), {"limit": MAX_CHARACTERS})
    text = normalised(text)
    for opening, closing in (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")):
        left, right = len(text) - len(text.lstrip()), len(text.rstrip())
        inner = slice(left + len(opening), right - len(closing))
        if inner.start <= inner.stop and text.startswith(opening, left) and text.endswith(closing, 0, right):
            gap = " " * len(opening)
            text = text[:left] + gap + text[inner] + gap + text[right:]
            latex = True if latex is None else latex
            break
    reads_latex = "\\" in text if latex is None else latex
    return _Lexer(text, names, reads_latex, notation).all(), reads_latex
