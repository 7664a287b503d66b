"""How the same sign is spelled: full-width and raised figures, LaTeX's commands, separators of thousands."""

from __future__ import annotations

import re

VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱ", "0123456789+-()ni", strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₙₖᵢⱼ", "0123456789+-nkij", strict=True))
SIGNS = {
    "✕": "×", "⨯": "×", "⋅": "·", "∙": "·", "•": "·", "∗": "*", "−": "-", "﹣": "-", "–": "-", "—": "-", "∕": "/",
    "＇": "'", "’": "'", "，": ",", "．": ".", "。": ".", "\u3000": " ", "\u00a0": " ", "\u2009": " ", "∑": "\\sum ",
    "【": "[", "】": "]", "〔": "[", "〕": "]",
}  # fmt: skip
COMMANDS = {
    r"\cdot": "·", r"\times": "×", r"\div": "÷", r"\%": "%", r"\lvert": "|", r"\rvert": "|", r"\pi": "π", r"\ast": "*",
    r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\{": "(", r"\}": ")", r"\lbrack": "[", r"\rbrack": "]",
}  # fmt: skip
SPACE = re.compile(r"(?:\s|~|\\(?:[,;:! ]|quad(?![a-z])))*")
FUNCTION = re.compile(r"\\?(ln|log|exp|sqrt|abs|max|min)|√")
SUFFIXES = {"k": 3, "K": 3, "M": 6, "G": 9, "B": 9, "T": 12}
GREEK = "αβγδεζηθικλμνξρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
NUMBERS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("", re.compile(r"\d+(?:\.\d+)?|\.\d+"), ""),
    ("thousands-comma", re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?"), ","),
    ("thousands-space", re.compile(r"\d{1,3}(?: \d{3})+(?!\d)(?:\.\d+)?"), " "),
    ("thousands-sign", re.compile(r"\d{1,3}(?:_\d{3})+(?!\d)(?:\.\d+)?"), "_"),
    ("thousands-sign", re.compile(r"\d{1,3}(?:\{,\}\d{3})+(?!\d)(?:\.\d+)?"), "{,}"),
    ("thousands-sign", re.compile(r"\d{1,3}(?:\\,\d{3})+(?!\d)(?:\.\d+)?"), r"\,"),
    ("thousands-sign", re.compile(r"\d{1,3}(?:,\\!\d{3})+(?!\d)(?:\.\d+)?"), r",\!"),
    ("thousands-apostrophe", re.compile(r"\d{1,3}(?:'\d{3})+(?!\d)"), "'"),
    ("thousands-chinese", re.compile(r"\d{1,3}(?:、\d{3})+(?!\d)"), "、"),
    ("thousands-point", re.compile(r"\d{1,3}\.\d{3}(?![\d.])"), "."),
    ("thousands-points", re.compile(r"\d{1,3}(?:\.\d{3}){2,}(?!\d)"), "."),
)
DECIMAL_COMMA = re.compile(r"(\d+),(\d+)(?!\d)")
POWER_OF_TEN = re.compile(r"[eE]([+-]?\d{1,3})(?!\d)")


def normalised(text: str) -> str:
    """The text in ASCII where only its look differs: full-width signs, raised and lowered figures, LaTeX's spelling."""
    found = []
    for c in text:
        c = SIGNS.get(c, c)
        if len(c) == 1 and 0xFF01 <= ord(c) <= 0xFF5E:
            c = chr(ord(c) - 0xFEE0)
        found.append(c)
    text = "".join(found)
    text = re.sub(f"[{''.join(RAISED)}]+", lambda m: "^{" + "".join(RAISED[c] for c in m[0]) + "}", text)
    text = re.sub(f"[{''.join(LOWERED)}]+", lambda m: "_{" + "".join(LOWERED[c] for c in m[0]) + "}", text)
    text = re.sub(r"\\(?:left|right|bigl?|bigr|Bigl?|Bigr)(?![a-z])\s*", "", text)
    text = re.sub(r"\\(?:text|mathrm|operatorname|mathit|mathbf)\s*\{([^{}]*)\}", r"\1", text)
    for command in sorted(COMMANDS, key=len, reverse=True):
        ends = "(?![A-Za-z])" if command[-1].isalpha() else ""
        text = re.sub(re.escape(command) + ends, COMMANDS[command].replace("\\", r"\\"), text)
    return text.strip().strip("$").strip()
