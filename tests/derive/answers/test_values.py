"""Answers to values that an instructor gives: each verdict decided by hand, decimals from mpmath at 60 digits."""

# ruff: noqa: E501
from __future__ import annotations

import pytest

from derive.answers.checking import Entry, check

EQUAL = {"correct", "equivalent"}
ALLOWED = {
    "=": EQUAL,
    "~": {"rounded"},
    "!": {"wrong"},
    "?": {"undecided"},
    "x": {"unreadable"},
}

# value, declared names, and for each verdict the answers that must get it
CASES: list[tuple[object, dict[str, str], dict[str, list[str]]]] = [
    ("4194304", {}, {
        "=": [
            "4194304", "4,194,304", "4 194 304", "4_194_304", "4{,}194{,}304", r"4\,194\,304", "4~194~304", "4'194'304",
            "４，１９４，３０４", "4，194，304", "4.194304e6", "4.194304E6", "4.194304 million", "419.4304万", "4194.304k",
            "2^22", "2^{22}", "2**22", "2²²", "4*1024^2", "4·1024²", "4×1024×1024", "4 x 1024 x 1024", r"4\cdot 1024^2",
            "(4194304)", "[4194304]", "$4{,}194{,}304$", r"\boxed{4194304}", "4194304.", "4194304。", "+4194304",
            "= 4194304", "N = 4,194,304", "4*1024*1024 = 4,194,304", "4194304.0", "4,194,304.0", "8388608/2",
            "2^20 + 3*2^20", "419430400%",
        ],
        "~": ["4.19e6", "4.2e6", "4.2M", "4.19M", "4.2 M", r"4.2\text{M}", "4.19×10^6", r"4.19\times10^6", "≈4.19M",
              "4.2·10^6", "4194k", "4194.3k", "419万"],
        "!": ["4194303", "4,194,303", "4,200,000", "4194000", "4.18e6", "4.1M", "4.2B", "4.2k", "-4194304", "0", "1",
              "4194304.5", "2^21", "4*1024^2 = 4,194,303", "4194305 = 4194304", "4.194", "5M", "[4194304, 1]", "inf",
              "nan", "4194304%"],
        "?": ["4M", "0.004B", "4e6"],
        "x": ["4,194,30", "41,94,304", "4.194.304", "4,194,304 parameters", "", "  ", "4194304)", "(4194304", "abc",
              "4,194,304,", "4194304 4194304", "__import__('os')", "().__class__", "4194304\u202e", "4\x00", "3\\frac12"],
    }),
    (r"\frac{1}{1+e^2}", {}, {
        "=": ["1/(1+e^2)", "1/(1+e^{2})", "1/(1+e²)", "1/(1+exp(2))", r"\dfrac{1}{1+\exp 2}", r"\frac1{1+e^2}",
              "(1+e^2)^{-1}", "e^{-2}/(1+e^{-2})", "1/(e^2+1)", "1-e^2/(1+e^2)", "exp(-2)/(1+exp(-2))", "2/(2+2e^2)",
              "(e-1)/((e-1)(1+e^2))", "1/(1+e*e)", "p = 1/(1+e^2)"],
        "~": ["0.12", "0.119", "0.1192", "0.11920", "0.119203", "0.1192029", "0.11920292202211756", "11.92%",
              r"11.92\%", "12%", "1.192e-1", "1.192×10^{-1}", "119.2e-3", ".1192", "≈ 0.1192", "约 0.1192", "0.1192...",
              "0.1192…", r"0.1192\ldots", "1/(1+e^2) ≈ 0.1192", "1/(1+e^2)=0.1192",
              "0.11920292202211755594027085869760320479"],
        "!": ["0.11", "0.1191", "0.1193", "0.13", "0.2", "0", "0.0", "0.00", "0%", "1", "-0.1192", "0.8808", "11.92",
              "1.192", "1/1+e^2", "1/(1+e)", "1/(1-e^2)", "1/(1+2^2)", "0.119202922022117550", "1/(1+e^2)=0.1193", "13%",
              "0.119202922022117560"],
        "?": ["0.1", "0.12...", "1/8.389", "1/(1+7.389)", "sigmoid(-2)"],
    }),
    ("2/3", {}, {
        "=": ["2/3", "4/6", r"\frac{2}{3}", "1-1/3", "0.5+1/6", "⅔"],
        "~": ["0.67", "0.667", "0.6667", "66.7%", "67%", "0.666666666666667"],
        "!": ["0.66", "0.6", "0.666", "66%", "0.666666666666666", "1", "0", "3/2", "0.68"],
        "?": ["0.666...", "0.7"],
        "x": ["0.(6)", "2/", "2//3"],
    }),
    ("0.9999", {}, {"=": ["0.9999", "99.99%", "9999/10000", ".9999"], "~": ["1.0", "1.00", "100%"],
                    "!": ["1", "0.999", "1.0001", "01"]}),
    ("0.12", {}, {"=": ["0.12", "0.120", "12%", "3/25", "12/100"], "?": ["0.1"], "!": ["0.1192", "0.119", "0.2", "12"]}),
    ("0.1", {}, {"=": ["0.1", r"\frac{1}{10}", "10^-1", "10%", "1e-1", "0.10"], "!": ["0.1000001", "0.11", "1", "0"]}),
    ("3/4", {}, {"=": ["0.75", "75%", "75 %", "6/8", "¾", "3/4", "1-1/4"], "?": ["0.8", "0.7"], "!": ["0.74", "1", "0.76"]}),
    ("0.125", {}, {"=": ["1/8", "⅛", "2^-3"], "~": ["0.12", "0.13", "12%"], "!": ["0.11", "0.14"]}),
    ("2.5", {}, {"=": ["5/2", "2½", "2.50"], "~": [], "!": ["2", "3", "2.4"], "x": ["2,5", r"2\frac{1}{2}", "2 1/2"]}),
    (r"\ln 2", {}, {
        "=": ["ln 2", "log 2", "ln(2)", r"\log(2)", "-ln(1/2)", "ln(4)/2", "ln 6 - ln 3", "1/log_2(e)"],
        "?": ["0.7"],
        "~": ["0.69", "0.693", "0.6931", "0.69315", "6.93e-1"],
        "!": ["0.6932", "0.694", "0.6", "1", "log_2 2", "ln 3", "0.30103", "ln(3) = 0.693", "e = 0.693"],
        "x": ["0,693", "ln", "ln()"],
    }),
    ("2 sqrt 2", {}, {
        "=": ["2√2", "sqrt(8)", r"\sqrt{8}", r"2\sqrt2", "2^{3/2}", "2^1.5", "8^{1/2}", "4/sqrt 2", r"\sqrt2+\sqrt2", "8^0.5"],
        "~": ["2.8", "2.83", "2.828", "2.8284", "2.82843"],
        "!": ["2.82", "2.9", "sqrt(2)", "3", "-2√2", "2.829"],
    }),
    ("e^2", {}, {"=": ["e²", "exp(2)", "e*e", "e^{2.0}", "(e^4)^{1/2}", "1/e^{-2}"],
                 "~": ["7.4", "7.39", "7.389", "7.38906"], "!": ["7", "7.38", "2e", "e^3", "e+2"], "?": ["2.718^2"]}),
    ("2^99", {}, {"=": ["633825300114114700748351602688", "2^{99}", "2*2^98", "8^33"], "~": ["6.338e29", "6.34×10^29"],
                  "!": ["2^98", "2^100", "633825300114114700748351602689", "6.33e29"]}),
    (r"\frac{1}{2^{99}}", {}, {"=": ["2^{-99}", "0.5^99", "1/2^99"], "~": ["1.58e-30"],
                               "!": [r"\frac{1}{2^{98}}", "0", "0.0", "1e-30", "1.57e-30"]}),
    ("10^16+1", {}, {"=": ["10000000000000001"], "!": ["10^16", "10000000000000000", "10^16+2"]}),
    ("1e-8", {}, {"=": ["10^-8", "10^{-8}", "0.00000001", "1×10^{-8}", "1e-08"], "!": ["2e-8", "0", "1e-9", "0.000"]}),
    ("175181291520", {}, {"=": ["175,181,291,520"], "~": ["175B", "1.75e11", "175.2B", "1752亿"],
                          "!": ["175181291521", "176B", "175,000,000,000"]}),
    ("1024", {}, {"=": ["1,024", "2^10", "1.024e3", "1.024k"], "?": ["1k"], "~": ["1.0k", "1.02e3"], "!": ["1.024", "1000", "1025", "1K = 1000"]}),
    ("0", {}, {"=": ["0", "0.0", "-0", "0/5", "e-e", "0%", "0e9", "ln 1", "1-1"],
               "!": ["1", "1e-300", "1/0-1/0", "0.0001"]}),
    ("-3", {}, {"=": ["-3", "−3", "-3.0", "- 3", "2-5"], "!": ["3", "-4", "-2.9"]}),
    ("4d^2+4d", {"d": "size"}, {
        "=": ["4d(d+1)", "4(d^2+d)", "4d²+4d", "4*d*d+4*d", "(2d+1)^2-1", "4d^2(1+1/d)", "d(4d+4)", "4 d ^ 2 + 4 d",
              r"4\,d^{2}+4\,d", r"\left(4d^2+4d\right)", "P = 4d^2+4d", "8 binom(d+1, 2)", r"8\binom{d+1}{2}", "4d^2+3d+d"],
        "!": ["4d^2+3d", "4d^2", "4d^2+4", "4d^3+4d", "80", "0", "4d^2-4d", "4d^2+4d = 4d(d+2)"],
        "x": ["4D(D+1)", "4x^2+4x", "4d^2+4d parameters", "4d^2+", "4d^^2"],
    }),
    ("12 n d^2", {"d": "size", "n": "size"}, {
        "=": ["12nd^2", "12dnd", "nd^2*12", "6nd^2+6nd^2", "12·n·d²", "3n(2d)^2"], "!": ["12dn^2", "12nd", "13nd^2", "12(nd)^2"],
    }),
    ("n d", {"d": "size", "n": "size", "nd": "size"}, {"=": ["n*d", "d n"], "!": ["nd"]}),
    (r"\frac{n(n+1)}{2}", {"n": "size"}, {
        "=": ["n(n+1)/2", "(n^2+n)/2", "n^2/2+n/2", r"\binom{n+1}{2}", "binom(n+1,2)", "C(n+1,2)", "C_{n+1}^2", "½n(n+1)",
              "0.5n(n+1)", "1/2 n(n+1)", r"\frac12 n(n+1)"],
        "!": ["n(n-1)/2", r"\binom{n}{2}", "n^2/2", "n(n+1)", r"\frac{n(n+1)}{3}"],
        "x": ["1/2n(n+1)"],
    }),
    (r"\frac{1}{\sqrt{d}}", {"d": "size"}, {
        "=": ["d^{-1/2}", "1/sqrt(d)", "1/√d", r"\sqrt{1/d}", "sqrt(d)/d", "d^{-0.5}", r"\frac{\sqrt d}{d}", "(1/d)^{1/2}"],
        "!": ["1/d", "sqrt(d)", "d^{-1/4}", "-1/sqrt d"],
    }),
    (r"\log(n)", {"n": "size"}, {
        "=": ["ln n", r"\ln n", "log n", "ln(n^2)/2", r"\frac{\log n}{\log e}", "-ln(1/n)", r"\log_2 n\cdot\ln 2"],
        "!": ["log_2 n", r"\log_{10} n", "ln(n+1)", "n"], "x": ["lg n", "ln N"],
    }),
    (r"\ln d^2", {"d": "size"}, {"=": ["2 ln d", "ln(d^2)"], "!": ["(ln d)^2", r"\ln^2 d", "ln(d)^2"]}),
    ("d_{model}^2", {"d_model": "size"}, {
        "=": ["d_model^2", r"d_{model}\cdot d_{model}", r"d_{\text{model}}^2", r"d_{\mathrm{model}}^{2}", "(d_model)^2"],
        "!": ["d_{model}^3", "2d_model"], "x": ["dmodel^2", "d_Model^2", "d^2"],
    }),
    ("x", {"x": "real"}, {"=": ["x+0", "x/1", "2x-x", "x^1"], "!": ["-x", "x^2", "|x|", "x+1", "x*x/x", "x^2/x", "(x^2-1)/(x-1)-1"]}),
    ("sqrt(x^2)", {"x": "real"}, {"!": ["x", "-x"]}),
    ("sqrt(x^2)", {"x": "positive"}, {"=": ["x", "|x|"], "!": ["-x", "x^2"]}),
    ("ln(x y)", {"x": "positive", "y": "positive"}, {"=": ["ln x + ln y", "ln(yx)"], "!": ["ln x * ln y", "ln(x+y)"]}),
    ("e^{a+b}", {"a": "real", "b": "real"}, {"=": ["e^a e^b", "exp(a)exp(b)", "e^{b+a}"], "!": ["e^a+e^b", "e^{ab}", "e^{a-b}"]}),
    (r"\theta^2", {"theta": "real"}, {"=": ["θ²", "theta^2", r"\theta\theta"], "!": ["2θ"]}),
    ("max(x,y)", {"x": "real", "y": "real"}, {"=": ["max(y,x)", r"\max(x,y)"], "!": ["x", "x+y"]}),
    ("n!", {"n": "size"}, {"=": ["n!"], "?": ["n*(n-1)!", "1"]}),
    (r"\infty", {}, {"=": ["inf", "+inf", "∞", "+∞", r"\infty", "Infinity", "INF", "infinity", "np.inf", "float('inf')", "无穷大"],
                     "!": ["-inf", "-∞", "nan", "0", "10^400", "1/0", "99999999999"]}),
    ("-inf", {}, {"=": ["-inf", "-∞", "−∞", r"-\infty", "负无穷", "float('-inf')"], "!": ["inf", "nan", "-1e9"]}),
    ("nan", {}, {"=": ["NaN", "nan", "NAN", "np.nan"], "!": ["inf", "0", "0/0", "-inf"]}),
    ("[0.1192, 0.8808]", {}, {
        "=": ["(0.1192, 0.8808)", "0.1192, 0.8808", "[0.1192; 0.8808]", "[0.1192 0.8808]", "0.1192、0.8808",
              "［0.1192，0.8808］", r"\begin{pmatrix}0.1192\\0.8808\end{pmatrix}", r"\begin{pmatrix}0.1192&0.8808\end{pmatrix}",
              "(0.1192, 0.8808)^T", "array([0.1192, 0.8808])", "tensor([0.1192, 0.8808])", "11.92%, 88.08%",
              r"\left(0.1192, 0.8808\right)", "⟨0.1192, 0.8808⟩", "p = (0.1192, 0.8808)"],
        "~": ["[0.12, 0.88]", "[0.119, 0.8808]"], "?": ["[0.1, 0.9]"],
        "!": ["[0.8808, 0.1192]", "{0.1192, 0.8808}", "[0.1192]", "0.1192", "[0.1192, 0.8809]", "[0.1192, 0.88, 0]",
              "[0, 1]", "[[0.1192, 0.8808]]", "[0.1192, -0.8808]", "[0.11, 0.88]", "nan"],
        "x": ["[0.1192, 0.8808", "[0.1192,, 0.8808]", "0.1192 | 0.8808"],
    }),
    ("(1,2,2,2)", {}, {
        "=": ["1,2,2,2", "[1,2,2,2]", "1x2x2x2", "1×2×2×2", "1 x 2 x 2 x 2", "torch.Size([1, 2, 2, 2])", "(1，2，2，2)",
              r"1\times2\times2\times2", "（1,2,2,2）", "[1 2 2 2]"],
        "!": ["(1,2,2)", "(2,1,2,2)", r"\{1,2\}", "8", "(1,2,2,2,1)", "(1,2,2,3)", "1*2*2*2"],
    }),
    ("(32,128,768)", {}, {"=": ["(32,128,768)", "32,128,768", "32x128x768", "[32, 128, 768]"],
                          "!": ["32128768", "(32,768,128)", "(32,1,024)", "(32128,768)"]}),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", {}, {
        "=": ["[[1,2],[3,4]]", "((1,2),(3,4))", "[1,2;3,4]", "[1 2; 3 4]", "[[1. 2.]\n [3. 4.]]", "[1,2],[3,4]",
              r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", r"\begin{array}{cc}1&2\\3&4\end{array}", "[[1,3],[2,4]]^T",
              "1/2*[[2,4],[6,8]]"],
        "!": ["[[1,3],[2,4]]", "[[1,2],[3,5]]", "[1,2,3,4]", "[[1,2,0],[3,4,0]]", "[[1,2]]", "10"],
        "x": ["[[1,2],[3,4,5]]", "[[1,2],3]", r"\begin{pmatrix}1&2\\3&4"],
    }),
    ("{1,2}", {}, {"=": ["{2,1}", r"\{1,2\}", "{1,2,2}"], "!": ["(1,2)", "{1,3}", "{1}", "{1,2,3}", "1"]}),
    ([0, 1, 2], {}, {"=": ["0,1,2", "[0 1 2]", "(0,1,2)"], "!": ["0,1", "2,1,0"]}),
    ("(B, T, d/h)", {"B": "size", "T": "size", "d": "size", "h": "size"}, {
        "=": ["(B,T,d/h)", "[B, T, d h^{-1}]"], "!": ["(B,T,d)", "(T,B,d/h)", "(B,T)"], "x": ["(b,t,d/h)"],
    }),
    # In brackets commas separate, also where the right value is a number.
    ("32128768", {}, {"=": ["32,128,768", "(32{,}128{,}768)", "(32 128 768)", "4*(8,032,192)"],
                      "!": ["(32,128,768)", "[32,128,768]", r"\left(32,128,768\right)", "( 32,128,768 )", "（32，128，768）"]}),
    # One rounding is one element of a set.
    ("{0.33, 0.331}", {}, {"=": ["{0.331, 0.33}"], "?": ["{0.33, 0.3}"], "!": ["{0.33}", "{0.3}"]}),
    ("{1/3, 2/6, 2/3}", {}, {"=": ["{2/3, 1/3}"], "~": ["{0.33, 0.67}"], "!": ["{0.33}", "{0.33, 0.66}"]}),
    # A matrix of one row or column that is written as one is a vector; one in brackets is a matrix.
    (r"\begin{pmatrix}1&2\end{pmatrix}", {}, {"=": ["[1,2]", "1, 2", "[[1,2]]", r"\begin{bmatrix}1&2\end{bmatrix}"],
                                             "!": ["[2,1]", "[1,2,0]", "[[1],[2]]", "{1,2}"]}),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", {}, {"=": ["[1,2]", "[[1],[2]]"], "!": ["[2,1]", "[[1,2]]"]}),
    ("[[1,2]]", {}, {"=": [r"\begin{pmatrix}1&2\end{pmatrix}"], "!": ["[1,2]"]}),
    ("[[1,2],[3,4]]", {}, {"=": ["[[1,2] [3,4]]", "[[1 2],[3 4]]", "[[1,2]\n [3,4]]", "[[1.0 2.0], [3.0 4.0]]"],
                           "!": ["[[1,2] [3,5]]", "[[1 3],[2 4]]"]}),
    # The letter e is exp(1) unless it is declared; Greek names may be declared as letters or commands.
    ("e+1", {"e": "real"}, {"=": ["1+e"], "!": ["3.718", "e+2", "exp(1)+1"]}),
    ("αβ", {"α": "real", r"\beta": "real"}, {"=": ["alpha beta", r"\beta\alpha", "β*α"], "!": ["α+β", "α"]}),
    (r"\sigma_1^2", {"σ_1": "positive"}, {"=": ["σ_1²", r"\sigma_{1}\sigma_{1}"], "!": ["2σ_1"], "x": ["s_1^2"]}),
    # Whole numbers may be negative.
    ("n", {"n": "integer"}, {"=": ["2n/2"], "!": ["sqrt(n^2)", "|n|", "max(n, 0)"]}),
    ("2440", {}, {"?": ["2.4e3*1"], "!": ["2.3e3*1"]}),
]  # fmt: skip

FLAT = [
    pytest.param(
        value, symbols, answer, mark, id=f"{str(value)[:24]}|{answer[:40]}|{mark}".encode("unicode_escape").decode()
    )
    for value, symbols, answers in CASES
    for mark, listed in answers.items()
    for answer in listed
]


def judged(value: object, answer: str, symbols: dict[str, str] | None = None, **more: object) -> str:
    given: dict[str, object] = {"value": value, **more}
    if symbols:
        given["symbols"] = symbols
    return check(Entry("x", "value", given, answer)).verdict


@pytest.mark.parametrize(("value", "symbols", "answer", "mark"), FLAT)
def test_answer_gets_the_verdict_decided_by_hand(
    value: object, symbols: dict[str, str], answer: str, mark: str
) -> None:
    assert judged(value, answer, symbols) in ALLOWED[mark]


def test_there_are_at_least_300_cases() -> None:
    assert len(FLAT) >= 300


@pytest.mark.parametrize("answer", ["b", "B", "(b)", "B.", "B)", "[B]", "【B】", "Ｂ", "选B", "答案：B", "B、", " b "])
def test_letter_is_right_whatever_its_case_and_brackets(answer: str) -> None:
    assert judged("B", answer, kind="choice") == "correct"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [("A", "wrong"), ("AB", "wrong"), ("", "unreadable"), ("B and C", "unreadable"), ("64", "unreadable")],
)
def test_other_letters_are_wrong_and_others_are_no_letters(answer: str, verdict: str) -> None:
    assert judged("B", answer, kind="choice") == verdict


@pytest.mark.parametrize("answer", ["A,C", "CA", "ac", "A、C", "(A, C)"])
def test_several_letters_have_no_order(answer: str) -> None:
    assert judged("AC", answer, kind="choice") == "correct"


@pytest.mark.parametrize(
    ("given", "detail"),
    [
        ({"value": "1/0"}, "no-value"),
        ({"value": "2x"}, "value-undeclared"),
        ({"value": "2x", "symbols": {"y": "real"}}, "value-undeclared"),
        ({"value": "(((1"}, "value-unreadable"),
        ({"value": ""}, "value-unreadable"),
        ({}, "missing"),
        ({"value": True}, "not-value"),
        ({"value": "1", "symbols": {"x": "float"}}, "symbol-sort"),
        ({"value": "1", "symbols": {"exp": "real"}}, "symbol-name"),
        ({"value": "1", "symbols": ["x"]}, "symbols"),
        ({"value": "BC!", "kind": "choice"}, "not-letter"),
        ({"value": "B", "kind": "letter"}, "choice"),
        ({"valu": "1"}, "unknown-close"),
        ({"value": "1 = 2"}, "value-chain"),
        ({"value": "9" * 20_000}, "value-unreadable"),
    ],
)
def test_value_that_cannot_be_used_is_refused(given: dict[str, object], detail: str) -> None:
    found = check(Entry("x", "value", given, "1"))
    assert (found.verdict, found.code, found.reason.code) == ("unreadable", "given-refused", f"given.{detail}")


@pytest.mark.parametrize(
    ("value", "answer", "code"),
    [
        ("2/3", "0.66", "cut-off"),
        ("0.4", "0.5", "different"),
        ("0.41", "0.42", "last-digit"),
        ("1024", "1.024", "power-of-ten"),
        ("4194304", "4,200,000", "rounded-in-full"),
        ("0.1192", "11.92", "power-of-ten"),
        ("0.1192", "-0.1192", "sign-turned"),
        ("[1,2,3]", "[3,2,1]", "entries-swapped"),
        ("[[1,2],[3,4]]", "[[1,3],[2,4]]", "transposed"),
        ("(1,2)", "{1,2}", "set-for-vector"),
        ("(1,2)", "(1,2,3)", "other-shape"),
        ("5", "1/0", "no-value"),
        ("inf", "7", "finite-for-special"),
    ],
)  # fmt: skip
def test_wrong_answer_says_what_went_wrong(value: str, answer: str, code: str) -> None:
    found = check(Entry("x", "value", {"value": value}, answer))
    assert (found.verdict, found.code) == ("wrong", code)


def test_wrong_entry_of_a_matrix_is_named() -> None:
    found = check(Entry("x", "value", {"value": "[[1,2],[3,4]]"}, "[[1,2],[3,5]]"))
    assert found.more[0].params["entry"] == "[2, 2]"


def test_fault_is_shown_at_its_place_in_the_text_as_typed() -> None:
    found = check(Entry("x", "value", {"value": "1"}, "1 000 + 2,000 + x"))
    assert found.caret == "1 000 + 2,000 + x\n                ^"


def test_nearest_declared_name_is_offered() -> None:
    found = check(Entry("x", "value", {"value": "d_model", "symbols": {"d_model": "size"}}, "dmodel"))
    assert (found.code, found.reason.params["close"]) == ("undeclared", "d_model")
