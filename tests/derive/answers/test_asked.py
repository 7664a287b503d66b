"""How a key says that an answer is judged: kinds, digits, places, how far off, further values; verdicts by hand."""

# ruff: noqa: E501
from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from derive.answers.checking import Entry, Judged, check
from derive.answers.report import why
from derive.keys import load
from tests.derive.answers.test_hostile import run

RIGHT = {"correct", "equivalent"}
MARKS = {"=": RIGHT, "~": {"rounded"}, "!": {"wrong"}, "?": {"undecided"}, "x": {"unreadable"}}
X = {"symbols": {"x": "real"}}
XY = {"symbols": {"x": "real", "y": "real"}}
N = {"symbols": {"n": "size"}}
Cases = list[tuple[dict[str, object], dict[str, list[str]]]]

KINDS: Cases = [
    ({"value": "(0,1)", "kind": "interval"}, {"=": ["(0,1)", "0<x<1", "x in (0,1)", r"\left(0,1\right)", "]0,1[", "(0, 2/2)", "1 > x > 0"],
                                              "!": ["[0,1]", "(0,1]", "[0,1)", "(0,2)", "0<=x<1", "(1,0)"], "x": ["{0,1}", "0,1", "1/2", "(0,1"]}),
    ({"value": "[0,1)"}, {"=": ["[0,1)", "0 <= x < 1", "[0,1["], "!": ["(0,1)", "[0,1]", "[0, 2)"]}),
    ({"value": r"(-\infty,0)\cup(0,\infty)", "kind": "interval"}, {"=": ["(0,inf) U (-inf,0)", r"(-\infty,0)\cup(0,+\infty)"],
                                                                   "!": ["(-inf,inf)", "(0,inf)"]}),
    ({"value": "(2,inf)", "kind": "interval"}, {"=": ["x > 2", "(2, ∞)", "2 < x"], "!": ["x >= 2", "x < 2", "[2, inf)"]}),
    ({"value": "(1/3,2)", "kind": "interval"}, {"~": ["(0.33,2)"], "?": ["(0.3,2)"], "!": ["(0.34,2)"]}),
    ({"value": "(0,1)"}, {"=": ["(0,1)", "0,1"], "?": ["[0,1]", r"\begin{pmatrix}0\\1\end{pmatrix}"], "!": ["{0,1}", "(0,2)", "(1,0)"]}),
    ({"value": "[0,1]"}, {"=": ["[0,1]", "(0,1)", "0,1"], "!": ["[1,0]"]}),
    ({"value": "(0,1)", "kind": "vector"}, {"=": ["[0,1]", "(0,1)", "0,1"], "!": ["{0,1}", "(1,0)"]}),
    ({"value": "(1,2)+(3,4)"}, {"=": ["(4,6)", "[4,6]", "(1,2)+(3,4)", "2*(2,3)"], "!": ["(4,7)", "10"]}),
    ({"value": "2*[[1,2],[3,4]]"}, {"=": ["[[2,4],[6,8]]"], "!": ["[[1,2],[3,4]]"]}),
    ({"value": "1,2,2", "kind": "list"}, {"=": ["2,1,2", "(2,2,1)", "[1,2,2]"], "!": ["1,2", "1,1,2", "1,2,3"], "?": ["{1,2}"]}),
    ({"value": "1/3, 2", "kind": "list"}, {"=": ["2, 1/3", "{2, 1/3}"], "~": ["2, 0.33"], "?": ["2, 0.3"]}),
    ({"value": "{1,2}"}, {"=": ["{2,1}", "1,2", "2, 1"], "!": ["(1,2)", "[1,2]", "1,3", "1"]}),
    ({"value": "2", "kind": "set"}, {"=": ["{2}", "2"], "!": ["3", "{2,3}"]}),
    ({"value": "1, 2", "kind": "set"}, {"=": ["{2,1}", "1,2", "{1,1,2}"], "!": ["{1}", "(1,2)"]}),
    ({"value": "[1,2]", "kind": "matrix"}, {"x": ["[1,2]"]}),
    ({"value": "[[1,2]]", "kind": "matrix"}, {"=": ["[[1,2]]"], "!": ["[1,2]", "[[1],[2]]"]}),
    ({"value": "2^10", "kind": "number"}, {"=": ["1024", "1,024"], "!": ["1025"], "x": ["x"]}),
    ({"value": "2x", "kind": "formula", **X}, {"=": ["x+x"], "!": ["x"]}),
    ({"value": "x > 0", "kind": "condition", **X}, {"=": ["0 < x", "2x > 0", "x>0", "-x < 0", r"x \gt 0"],
                                                    "!": ["x >= 0", "x < 0", "x > 1", "x != 0", "ln(x) > 0"], "x": ["x", "", "y > 0"], "?": ["x > 0 or x < 1"]}),
    ({"value": "0 < x <= 1", "kind": "condition", **X}, {"=": ["x <= 1 and x > 0", "1 >= x > 0", "0<x, x<=1", r"0 < x \wedge x \le 1", "0 < x 且 x ≤ 1"],
                                                         "!": ["0 < x < 1", "0 < x", "x <= 1"]}),
    ({"value": "n >= 2", "kind": "condition", **N}, {"=": ["n > 1", "n ≥ 2", "2n > 3"], "!": ["n > 2", "n >= 1", "n = 2"]}),
    ({"value": "x != 3", "kind": "condition", **X}, {"=": ["x ≠ 3", r"x \neq 3", "3 != x"], "!": ["x > 3", "x = 3", "x != 0"]}),
    ({"value": True, "kind": "truth"}, {"=": ["true", "T", "yes", "对", "√", "True."], "!": ["false", "否", "F"], "x": ["maybe", "", "1"]}),
    ({"value": "false", "kind": "truth"}, {"=": ["False", "错误", "✗"], "!": ["是"]}),
    ({"value": "b", "kind": "choice"}, {"=": ["B", "(b)"], "!": ["A"]}),
]  # fmt: skip

NEARNESS: Cases = [
    # Without a word two significant digits make a rounding; a whole number of one digit, and 0, are none.
    ({"value": "0.5"}, {"=": ["0.5", "5e-1", "1/2"], "?": ["1e0"], "!": ["1", "0"]}),
    ({"value": "149"}, {"~": ["1.5e2"], "?": ["1e2"], "!": ["100", "150", "1.4e2"]}),
    ({"value": "65504"}, {"~": ["6.6e4", "6.55e4"], "?": ["7e4"], "!": ["6e4", "65500"]}),
    ({"value": "0.9999"}, {"~": ["1.0"], "!": ["1", "0.999"]}),
    ({"value": "0.004"}, {"!": ["0", "0.0", "0.00", "0%"]}),
    ({"value": "[0.98999, 0.01001]"}, {"~": ["[0.99, 0.01]", "[0.990, 0.010]"], "!": ["[0.99, 0.02]", "[0.99, 0.00]"]}),
    # A decimal in the key stands for itself, and what rounds to it is right too.
    ({"value": "0.6667"}, {"=": ["0.6667"], "~": ["2/3", "0.667"], "!": ["0.66667", "3/4", "0.666666667"]}),
    ({"value": "0.693"}, {"~": ["ln 2"], "!": ["ln 3", "0.6931"]}),
    ({"value": "0.12"}, {"!": ["0.1192"], "~": ["1/(1+e^2)"]}),
    ({"value": "0.7"}, {"?": ["ln 2"]}),
    ({"value": "0.6667", "exact": True}, {"?": ["2/3"], "=": ["0.6667"]}),
    ({"value": "[0.6667, 0.3333]"}, {"~": ["[2/3, 1/3]"], "!": ["[1/3, 2/3]"]}),
    # What the key asks for.
    ({"value": r"\frac{1}{1+e^2}", "places": 4}, {"=": ["1/(1+e^2)"], "~": ["0.1192", "0.11920", "11.92%"], "?": ["0.12", "0.119"], "!": ["0.1193", "0.1191"]}),
    ({"value": "0.0042", "places": 3}, {"~": ["0.004"], "!": ["0.005"]}),
    ({"value": "0.0004", "places": 3}, {"?": ["0.000"], "!": ["0"]}),
    ({"value": "3.7", "places": 0}, {"~": ["4", "4."], "!": ["3", "5"]}),
    ({"value": "61250", "digits": 3}, {"=": ["61250"], "~": ["61300", "61200", "61,300", "6.13e4"], "?": ["6.1e4"], "!": ["61000", "61310", "61400"]}),
    ({"value": "e^2", "digits": 1}, {"~": ["7"], "!": ["8"]}),
    ({"value": "e^2", "exact": True}, {"=": ["exp(2)"], "?": ["7.389"], "!": ["7.38"]}),
    ({"value": "0.00298094", "tolerance": "0.01"}, {"~": ["0.00298277", "0.00299", "0.003"], "!": ["0.0031", "0"]}),
    ({"value": "0.00298094", "tolerance": "0.0001"}, {"!": ["0.00298277"], "~": ["0.0029809"]}),
    ({"value": "-200", "tolerance": "0.05"}, {"~": ["-190", "-210", "-195.5"], "!": ["-189", "200", "-211"]}),
    ({"value": "e^2", "absolute": "0.1"}, {"~": ["7.4", "7.3", "7.48"], "!": ["7.2", "7.5"]}),
    ({"value": "ln 2", "absolute": "0.0001"}, {"?": ["0.69"], "~": ["0.6931"]}),
    ({"value": "8", "accept": ["9", "2x"], **X}, {"=": ["8", "9", "x+x", "18/2"], "!": ["10", "x"]}),
    ({"value": "(1,2)", "kind": "vector", "accept": ["(2,1)"]}, {"=": ["[2,1]", "(1,2)"], "!": ["(1,1)"]}),
    ({"value": "B", "kind": "choice", "accept": ["D"]}, {"=": ["b", "d"], "!": ["a"]}),
]  # fmt: skip

EQUALITY: Cases = [
    ({"value": "-2/x", **X}, {"=": ["2/(-x)", "-(2/x)"], "!": ["2/x"]}),
    ({"value": "1/(2x+1)", **X}, {"=": ["1/(1+2x)"]}),
    ({"value": "ln(y)", **XY}, {"!": ["ln(x)"], "=": ["ln(y)+0"]}),
    ({"value": "1/x-1", "symbols": {"x": "positive"}}, {"!": ["log(-x^2)", "1/(-x)-1"], "=": ["(1-x)/x"]}),
    ({"value": "x", **X}, {"!": ["x^2/x", "sqrt(x)^2", "exp(ln(x))"]}),
    ({"value": "sqrt(x)^2", **X}, {"=": ["x"]}),
    ({"value": "abs(g)", "symbols": {"g": "real"}}, {"=": ["sqrt(g^2)"], "!": ["g"]}),
    ({"value": "(-6)^n", **N}, {"=": [r"(-1)^n \cdot 6^n", "(-1)^n 6^n", "(-1)^n*6^n", "(-3)^n 2^n"], "!": ["6^n"], "x": ["(-1)^n 6"]}),
    ({"value": "(a-x)^6000", "symbols": {"a": "real", "x": "real"}}, {"=": ["(x-a)^6000"], "!": ["(x-a)^6001"]}),
    ({"value": "sqrt(p*(1-p))", "symbols": {"p": "real"}}, {"=": ["sqrt(p-p^2)"], "!": ["sqrt(p+p^2)", "p"]}),
    ({"value": "x/(x^2-1)", **X}, {"=": ["1/2*(1/(x-1)+1/(x+1))", "(1/(x-1)+1/(1+x))/2", "x/((x-1)(x+1))"], "!": ["1/(x-1/x)", "1/(x-1)+1/(x+1)"]}),
    ({"value": "1/(x^2-y^2)", **XY}, {"=": ["1/((x-y)(x+y))"]}),
    ({"value": "ln(x-100)", **X}, {"=": ["ln(-100+x)"]}),
    ({"value": "32349"}, {"=": [r"32,\!349", "32,349"]}),
]  # fmt: skip

FLAT = [
    pytest.param(given, answer, mark, id=f"{given} {answer} {mark}".encode("unicode_escape").decode())
    for given, answers in (*KINDS, *NEARNESS, *EQUALITY)
    for mark, listed in answers.items()
    for answer in listed
]


def judged(given: dict[str, object], answer: str, problem: str = "value", **options: object) -> Judged:
    return check(Entry("x", problem, given, answer, options=options))


@pytest.mark.parametrize(("given", "answer", "mark"), FLAT)
def test_answer_gets_the_verdict_decided_by_hand(given: dict[str, object], answer: str, mark: str) -> None:
    found = judged(given, answer)
    assert found.verdict in MARKS[mark], found


@pytest.mark.parametrize("given", [g for g, _ in (*KINDS, *NEARNESS) if len(g) > 1])
def test_beside_given_is_as_in_it(given: dict[str, object]) -> None:
    own = {k: v for k, v in given.items() if k in ("value", "symbols")}
    options = {k: v for k, v in given.items() if k not in own}
    answers = next(a for g, a in (*KINDS, *NEARNESS) if g is given)
    for mark, listed in answers.items():
        for answer in listed:
            assert judged(own, answer, **options).verdict in MARKS[mark], answer


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"value": "8", "exact": True, "places": 2}, "options-contradict"),
        ({"value": "8", "digits": 3, "tolerance": "0.1"}, "options-contradict"),
        ({"value": "8", "tolerance": "0.1", "absolute": "0.1"}, "options-contradict"),
        ({"value": "8", "places": -1}, "range"), ({"value": "8", "digits": 0}, "range"), ({"value": "8", "places": "x"}, "not-number"),
        ({"value": "8", "places": "2.5"}, "not-whole"), ({"value": "8", "digits": True}, "not-number"), ({"value": "8", "exact": "yes"}, "not-flag"),
        ({"value": "8", "tolerance": 0}, "option-share"), ({"value": "8", "tolerance": 1}, "option-share"), ({"value": "8", "absolute": "-1"}, "option-positive"),
        ({"value": "8", "absolute": "inf"}, "not-finite"), ({"value": "8", "tolerance": "1e-999"}, "too-many-digits"), ({"value": "0", "tolerance": "0.1"}, "option-zero"),
        ({"value": "x", "places": 2, **X}, "option-numbers"), ({"value": "true", "kind": "truth", "digits": 2}, "option-numbers"), ({"value": "inf", "places": 1}, "option-numbers"),
        ({"value": "8", "steps": 3}, "option-steps"), ({"value": "8", "points": -1}, "range"), ({"value": "8", "points": "many"}, "not-number"),
        ({"value": "8", "accept": []}, "length"), ({"value": "8", "accept": ["1/0"]}, "no-value"), ({"value": "8", "accept": [["a"]]}, "value-undeclared"),
        ({"value": "[1,2]", "kind": "number"}, "kind-differs"), ({"value": "x", "kind": "number", **X}, "kind-differs"), ({"value": "5", "kind": "matrix"}, "kind-differs"),
        ({"value": "(1,0)", "kind": "interval"}, "interval-empty"), ({"value": "5", "kind": "interval"}, "value-unreadable"), ({"value": "x^2 < -1", "kind": "condition", **X}, "never-holds"),
        ({"value": "perhaps", "kind": "truth"}, "not-truth"), ({"value": "8", "kind": "vecotr"}, "choice"),
        ({"value": "ln(-x^2)", **X}, "no-value"), ({"value": "sqrt(x)+sqrt(-1-x)", **X}, "no-value"), ({"value": "1/(x-x)", **X}, "no-value"),
        ({"value": "(1,2)+(3,4,5)"}, "value-unreadable"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_one_line(given: dict[str, object], code: str) -> None:
    found = judged(given, "8")
    assert (found.verdict, found.code, found.reason.code) == ("unreadable", "given-refused", f"given.{code}")
    for lang in ("zh", "en"):
        said = why(found, lang)  # type: ignore[arg-type]
        assert said
        assert "\n" not in said
        assert "{" not in said


def test_an_option_in_both_places_is_refused() -> None:
    assert judged({"value": "8", "places": 2}, "8", places=2).reason.code == "given.option-twice"
    assert judged({"d_model": 8, "h": 2}, "4", "mha-head-dimension", kind="number").reason.code == "given.option-kind"


@pytest.mark.parametrize(
    ("problem", "given", "answers"),
    [
        ("mha-parameters", {"d_model": 1024, "h": 16}, {"=": ["4,194,304"], "?": ["4.2M", "4.19e6"], "!": ["4.1e6"]}),
        ("mha-parameters", {"d_model": 1024, "h": 16, "digits": 3}, {"~": ["4.19e6", "4190000"], "?": ["4.2M"]}),
        ("mha-parameters", {"d_model": 1024, "h": 16, "digits": 2}, {"?": ["4.2M"]}),  # 4,198,400 is that too
        ("mha-parameters", {"d_model": 1024, "h": 16, "exact": False}, {"~": ["4.194e6"]}),
        ("mha-parameters", {"d_model": 1024, "h": 16, "accept": ["5"]}, {"=": ["5", "4194304"], "!": ["6"]}),
        ("exp-range", {"format": "float16", "bound": "smallest-infinite"}, {"=": ["11.09375"], "~": ["11.09", "11.094"], "?": ["11", "11.1"], "!": ["12", "11.0859375"]}),
        ("exp-range", {"format": "float16", "bound": "largest-finite"}, {"=": ["11.0859375"], "?": ["11.09", "11.1", "11"]}),
        ("exp-range", {"format": "float32", "bound": "largest-finite"}, {"~": ["88.72", "88.72283"], "?": ["88.7", "89"], "!": ["88.722839", "88.6"]}),
        ("exp-range", {"format": "bfloat16", "bound": "largest-finite"}, {"=": ["88.5"], "!": ["89", "88.72"]}),
        ("exp-in-format", {"x": 1, "format": "float16"}, {"=": ["2.71875"], "~": ["2.719"], "?": ["2.72"], "!": ["2.718"]}),
        ("exp-in-format", {"x": 1, "format": "float32"}, {"~": ["2.718", "2.72"]}),
        ("cast", {"value": "0.1", "format": "float16"}, {"?": ["0.1", "0.10"], "~": ["0.09998"]}),
        ("masked-softmax", {"scores": [0, 2], "format": "float32", "method": "shifted"}, {"~": ["[0.1192, 0.8808]"], "?": ["[0.1, 0.9]"]}),
    ],
)  # fmt: skip
def test_a_kind_asks_for_what_it_needs(problem: str, given: dict[str, object], answers: dict[str, list[str]]) -> None:
    for mark, listed in answers.items():
        for answer in listed:
            assert judged(given, answer, problem).verdict in MARKS[mark], (answer, judged(given, answer, problem))


@pytest.mark.parametrize(
    ("format_", "threshold", "answer", "verdict"),
    [
        ("float16", "11.1", "11", "undecided"), ("float16", "11.1", "11.1", "undecided"),
        ("float16", "11.1", "11.09", "rounded"), ("float16", "11.1", "11.09375", "correct"),
        ("float32", "88.72", "88.72", "undecided"), ("float32", "88.72", "88.720", "wrong"),
        ("float32", "88.72", "88.723", "rounded"), ("float32", "88.7", "88.7", "undecided"),
        ("float32", "88.7", "88.72", "rounded"),
    ],
)  # fmt: skip
def test_a_rounding_of_the_claim_that_was_refuted_is_undecided(
    format_: str, threshold: str, answer: str, verdict: str
) -> None:
    claim: dict[str, object] = {"format": format_, "threshold": Decimal(threshold)}
    assert check(Entry("x", "overflow-claim", claim, answer, part="threshold")).verdict == verdict


KEY = r"""
[[answer]]
id = "a"
problem = "value"
given = { value = "1/3", places = 4 }
answer = "0.3333"
[[answer]]
id = "b"
problem = "value"
given = { value = "(0,1)" }
kind = "interval"
answer = "(0,1)"
[[answer]]
id = "c"
problem = "value"
given = { value = "2.5" }
tolerance = 0.01
points = 2
answer = 2.51
[[answer]]
id = "d"
problem = "value"
given = { value = true, kind = "truth" }
answer = true
[[answer]]
id = "e"
problem = "value"
given = { value = "8" }
accept = ["9", 10]
answer = 10
[[answer]]
id = "f"
problem = "value"
given = { value = "8" }
exact = true
digits = 2
answer = 8
"""
WANTED = ["rounded", "correct", "rounded", "correct", "correct", "unreadable"]
CSV = """id,problem,given,answer,kind,places,tolerance,accept,exact,digits,points
a,value,"{""value"": ""1/3""}",0.3333,,4,,,,,
b,value,"{""value"": ""(0,1)""}","(0,1)",interval,,,,,,
c,value,"{""value"": 2.5}",2.51,,,0.01,,,,2
d,value,"{""value"": true}",true,truth,,,,,,
e,value,"{""value"": 8}",10,,,,"[""9"", 10]",,,
f,value,"{""value"": 8}",8,,,,,true,2,
"""


def test_toml_json_and_csv_say_the_same(tmp_path: Path) -> None:
    import tomllib

    answers = tomllib.loads(KEY)["answer"]
    for name, text in (("k.toml", KEY), ("k.json", json.dumps({"answer": answers})), ("k.csv", CSV)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = [check(e) for e in load(tmp_path / name).entries]
        assert [a.verdict for a in found] == WANTED, (name, found)


SHIFT = """let n : size
let z : real[n]
let c : real
let i : index[n]
claim softmax(z - c)[i] = softmax(z)[i]
proof
  softmax(z - c)[i]
  = softmax(z)[i]
"""


def test_a_key_may_ask_for_so_many_steps_of_a_proof() -> None:
    given: dict[str, object] = {"theorem": "softmax-shift-invariance"}
    assert judged(given, SHIFT, "proof").verdict == "correct"
    assert judged(given, SHIFT, "proof", steps=1).verdict == "correct"
    short = judged(given, SHIFT, "proof", steps=2)
    assert (short.verdict, short.code) == ("undecided", "proof-short")
    repeated = SHIFT.replace("  = softmax(z)[i]", "  = softmax(z - c)[i]\n  = softmax(z)[i]\n  = softmax(z)[i]")
    assert judged(given, repeated, "proof", steps=2).verdict == "undecided"
    longer = SHIFT.replace("  = softmax(z)[i]", "  = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))\n  = softmax(z)[i]")
    assert judged(given, longer, "proof", steps=2).verdict == "correct"


# --- certificates ----------------------------------------------------------------------------------------------


def test_each_accepting_verdict_is_certified_or_says_why_not(tmp_path: Path) -> None:
    (tmp_path / "k.toml").write_text(
        "\n".join(
            f"[[answer]]\nid = {json.dumps(str(k))}\nproblem = {json.dumps(problem)}\ngiven = {given}\nanswer = {json.dumps(answer)}"
            for k, (problem, given, answer) in enumerate(
                [
                    ("value", '{ value = "1/(1+e^2)" }', "0.1192"),
                    ("value", '{ value = "4d^2+4d", symbols = { d = "size" } }', "4d(d+1)"),
                    ("value", '{ value = "-2/x", symbols = { x = "real" } }', "2/(-x)"),
                    ("value", '{ value = "{1/3, 2}" }', "{2, 0.33}"),
                    ("value", '{ value = "0.6667" }', "2/3"),
                    ("value", '{ value = "e^2", tolerance = 0.01 }', "7.4"),
                    ("value", '{ value = "x > 0", kind = "condition", symbols = { x = "real" } }', "2x > 0"),
                    ("proof", '{ theorem = "softmax-shift-invariance" }', SHIFT),
                    ("value", '{ value = "inf" }', "inf"),
                    ("value", '{ value = "B", kind = "choice" }', "B"),
                    ("value", '{ value = "3" }', "4"),
                ]
            )
        ),
        encoding="utf-8",
    )
    done = run(
        "check", "k.toml", "--certify", "--certificate", "k.cert", "--format", "json", "--lang", "en", cwd=tmp_path
    )
    said = json.loads(done.stdout)
    assert [a.get("certified") for a in said["answers"]] == [*[True] * 8, False, False, None], said
    assert [a["uncertified"]["code"] for a in said["answers"][8:10]] == ["special", "choice"]
    assert said["certified"] == {"certified": 8, "uncertified": 2}
    from proofs.replay import replay

    names = [p.name for p in replay((tmp_path / "k.cert").read_text(encoding="utf-8").splitlines())]
    assert {n.split()[0] for n in names} == set("01234567")
    text = " ".join(run("check", "k.toml", "--certify", "--lang", "en", cwd=tmp_path).stdout.split())
    assert "8 of 10 accepting verdicts certified" in text


@pytest.mark.parametrize(
    ("value", "answer"), [("1/3", "0.33"), ("2 sqrt 2", "sqrt(8)"), ("ln 2", "0.693"), ("x^2 - 1", "(x-1)(x+1)")]
)
def test_without_a_proof_a_verdict_is_not_certified(value: str, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {"value": value, **X}
    assert check(Entry("x", "value", given, answer), certify=True).certified is True
    monkeypatch.setattr("derive.answers.certifying.shown", lambda claim, ctx: None)
    found = check(Entry("x", "value", given, answer), certify=True)
    assert (found.accepted, found.certified) == (True, False)
    assert found.uncertified is not None


@pytest.mark.parametrize("answer", ["0.35", "2/5"])
def test_a_verdict_whose_opposite_is_proved_is_not_accepted(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("derive.answers.judging._certain", lambda *_: 0)
    monkeypatch.setattr("derive.answers.judging._within", lambda *_: True)
    given: dict[str, object] = {"value": "1/3"}
    assert check(Entry("x", "value", given, answer)).accepted  # a fault of ours, made on purpose
    found = check(Entry("x", "value", given, answer), certify=True)
    assert (found.verdict, found.code) == ("undecided", "contradicted")


def test_a_proof_that_the_second_verifier_refuses_certifies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("derive.answers.certifying.replays", lambda *_: False)
    found = check(Entry("x", "value", {"value": "1/3"}, "0.33"), certify=True)
    assert (found.certified, found.uncertified is not None and found.uncertified.code) == (False, "uncertified.refused")
