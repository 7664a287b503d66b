"""By which habits of writing a text can be read in another way, how common each is, and what the design says of it."""

from __future__ import annotations

from dataclasses import dataclass

RARE = 3  # from this on nobody but a careless writer reads it so


@dataclass(frozen=True, slots=True)
class Convention:
    """A habit: who has it, its weight (1: people really use it; 3: a slip), and the sentence that rules it out.

    `allowed` is the sentence of the design or of the cases' README by which a text may be read although somebody with
    this habit would read it otherwise; empty where there is no such sentence, so that the text must be refused.
    """

    who: str
    weight: int
    allowed: str = ""


FUNCTION = (
    "A function without brackets takes the next factor with its exponent: `\\ln d^2` is ln(d²), `2 sqrt 2` is 2√2"
)
LONGEST = "Names are matched against the declared ones, longest first: `nd` is n·d unless `nd` is declared."
LETTER = "A single letter, with or without a subscript, that is declared as a number multiplies the bracket after it"
NUMBERS = "An integer may carry thousands separators (`4,194,304`, `4 194 304`, `4_194_304`, LaTeX's `4{,}194{,}304`)"
BODY = "In LaTeX a sum's body ends at `+`, `-` or a relation"
TUPLE = "In a tuple, commas separate: `(32,128,768)` has three entries."

CONVENTIONS: dict[str, Convention] = {
    "denominator-run": Convention("a/bc is a/(bc): physicists, journals, most people by hand", 1),
    "denominator-run-spaced": Convention("a/b c is a/(b c)", 1),
    "denominator-rest": Convention("all that follows the stroke lies below it, also after a times sign", RARE),
    "quotient-nested": Convention("a/b/c is a/(b/c)", RARE),
    "function-run": Convention("ln 2x is ln(2x): textbooks", 1),
    "function-product": Convention("ln 2*x is ln(2*x)", 1),
    "function-quotient": Convention("ln a/b is ln(a/b): textbooks", 1),
    "function-rest": Convention("ln x + 1 is ln(x + 1)", RARE),
    "function-of-functions": Convention("ln x ln y is ln(x ln y)", RARE),
    "power-of-function": Convention("ln x^2 is (ln x)^2", 1, FUNCTION),
    "function-of-power": Convention("ln(x)^2 is ln((x)^2): textbooks, above all with a sum in the brackets", 1),
    "function-of-power-code": Convention("exp(x)^2 is exp(x^2), typed as code is typed", 2),
    "function-bracket-run": Convention("ln (x+1)(x+2) is ln((x+1)(x+2)): textbooks", 1),
    "function-bracket-factor": Convention("ln(2)x is ln(2x)", RARE),
    "function-bracket-quotient": Convention("ln (1+x)/(1-x) is ln((1+x)/(1-x))", 2),
    "inverse-function": Convention("ln^{-1} x is the inverse function", 1),
    "root-run": Convention("sqrt 2x is sqrt(2x)", 1),
    "root-quotient": Convention("√a/b is √(a/b)", 1),
    "digits-as-base": Convention("log2 x has the base 2: computer scientists", 1),
    "base-run": Convention("log_28 has the base 28", RARE),
    "exponent-run": Convention("e^xy, e^2x and 2^nd have the whole run as exponent", 1),
    "exponent-run-far": Convention("x^2y is x^(2y)", RARE),
    "exponent-quotient": Convention("x^1/2 is the root, e^-x/2 is e^(-x/2)", 1),
    "exponent-quotient-whole": Convention("x^3/2 is x^(3/2)", 2),
    "exponent-quotient-far": Convention("e^x/2 is e^(x/2)", RARE),
    "percent-of-power": Convention("x^2% is a hundredth of x^2", 2),
    "exponent-rest": Convention("x^n+1 is x^(n+1)", RARE),
    "power-left": Convention("a^b^c is (a^b)^c: Excel, MATLAB, many calculators", 1),
    "power-left-letters": Convention("e^x^2 is (e^x)^2", RARE),
    "minus-in-base": Convention("-x^2 is (-x)^2: Excel", RARE),
    "factorial-of-power": Convention("x^n! is (x^n)!", 2),
    "double-factorial": Convention("n!! is n(n-2)(n-4)...", 1),
    "factorial-twice": Convention("n!! is (n!)!", 1),
    "numbers-side-by-side": Convention("2 3 is a product", 2),
    "figure-times-vulgar": Convention("2½ is 2*½", RARE),
    "digit-behind": Convention("x2 is x*2, (n+1)2 is 2(n+1)", 1),
    "digit-as-subscript": Convention("x2 is x_2", 1),
    "lost-superscript": Convention("x2 is x², pasted from a page", 1),
    "undeclared-name": Convention("x_12 is a name of its own", 1),
    "split-declared-name": Convention("nd is n*d though nd is declared", 1, LONGEST),
    "letter-applied": Convention("d(d+1) is d of d+1", 1, LETTER),
    "function-letter": Convention("f(x), sigma(x): a function", 0),
    "function-letter-times": Convention("f(x+1) is f*(x+1), f declared", 2),
    "letter-indexed": Convention("d[1], E[x]: an entry or an expectation", 0),
    "e-applied": Convention("e(x) is exp(x)", 2),
    "derivative": Convention("d/dx is a derivative", 0),
    "mixed-number": Convention("2 1/2 is 2.5", 1),
    "decimal-comma": Convention("1,5 is 1.5: most of Europe", 1),
    "decimal-comma-in-brackets": Convention("(1,5) is 1.5", 2, TUPLE),
    "thousands-comma": Convention("1,234 is 1234", 0),
    "thousands-space": Convention("1 234 is 1234: SI", 0),
    "thousands-sign": Convention("1{,}234, 1_234", 0),
    "thousands-chinese": Convention("1、234 is 1234, typed in a hurry", 1),
    "thousands-apostrophe": Convention("1'234 is 1234: Switzerland", 0),
    "thousands-point": Convention("1.234 is 1234: Germany", 2),
    "thousands-points": Convention("1.234.567 is 1234567: Germany", 0),
    "thousands-in-brackets": Convention("(1,234) is 1234", 2, TUPLE),
    "bare-list": Convention("1,234 is a list of two", 1),
    "bare-list-spaces": Convention("1 234 is a list of two", 2),
    "scientific": Convention("2e3 is 2000", 0),
    "e-beside-digits": Convention("2e3 is 2*e*3, 2e+3 is 2*e + 3", RARE),
    "e-then-sign": Convention("2e+3 is 2*e + 3, where e is spoken of", 1),
    "suffix": Convention("4k is 4000, 2M is 2,000,000", 0),
    "suffix-declared": Convention("2k is 2000 though k is declared", 1, LONGEST),
    "hexadecimal": Convention("0x10 is 16", 1),
    "x-as-times": Convention("2 x 3 is 2*3 though x is declared", 1),
    "dot-product": Convention("2.3 is 2*3: Britain", RARE),
    "colon-division": Convention("6:2 is a quotient", 1),
    "modulo": Convention("x % d is the remainder", 1),
    "percent-of-before": Convention("100 - 20% is 80: calculators", 2),
    "remark": Convention("0.5 (50%), 3 (4): what is in brackets is a remark", 1),
    "whole-part": Convention("[x] is the whole part: Gauss, Chinese books", 2),
    "index-superscript": Convention("x^{(2)} is the second x", 2),
    "sum-body-all": Convention("the body of a sum goes on after +", 2, BODY),
    "indices-apart": Convention("X_{12} is X[1,2]", 0),
    "index-product": Convention("z_{2i} is z[2*i]", 0),
    "permutations": Convention("A_n^k, C_n^k count: Chinese books", 1),
    "fraction-slash": Convention("1⁄2x is (1/2)x", 0),
    "two-argument-log": Convention("log(2, 8), log(8, 2): which is the base", 1),
}


def weight(labels: frozenset[str]) -> int:
    """How far a reading is from what everybody does."""
    return sum(CONVENTIONS[label].weight for label in labels)


def used(labels: frozenset[str]) -> bool:
    """Whether people really read so: each habit is a common one, and no more than two of them at once."""
    return weight(labels) <= 2 and all(CONVENTIONS[label].weight < RARE for label in labels)


def allowed(chosen: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a sentence of the design lets a text be read by the habits `chosen` although `other` would do."""
    if any(CONVENTIONS[label].allowed for label in other):
        return True
    return bool(chosen & GROUPED) and bool(other & OF_DIGITS)  # by `NUMBERS`


GROUPED = {label for label in CONVENTIONS if label.startswith("thousands-")} - {"thousands-chinese", "thousands-point"}
OF_DIGITS = {"bare-list", "bare-list-spaces", "numbers-side-by-side", "decimal-comma", "thousands-point"}
