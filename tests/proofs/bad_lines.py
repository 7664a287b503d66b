"""Lines that no certificate may have, each with a part of the sentence that refuses it.

All that a kernel could refuse stands in `refusals`; here stands what only a file can say wrongly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

HEADER = {"certificate": "derive", "version": 1}
TERMS: list[dict[str, Any]] = [
    {"term": 0, "op": "var", "data": ["x", "real", 0]},
    {"term": 1, "op": "var", "data": ["n", "integer", 0]},
    {"term": 2, "op": "var", "data": ["u", "real", 1]},
    {"term": 3, "op": "lt", "args": [0, 1]},
    {"term": 4, "op": "num", "data": "1"},
    {"term": 5, "op": "bound", "data": 0},
    {"term": 6, "op": "var", "data": ["A", "real", 2]},
    {"term": 7, "op": "le", "args": [4, 1]},
    {"term": 8, "op": "num", "data": "1/2"},
]
X, N, U, LESS, ONE, BOUND, A, WHOLE, HALF = range(9)
NEXT = len(TERMS)
ASSUMED = {"step": 0, "rule": "assume", "premises": [], "parameters": [{"term": LESS}]}
NUMBERS = {
    "add": [X, X], "mul": [X, X], "neg": [X], "div": [X, X], "pow": [X, N], "sqrt": [X], "exp": [X], "ln": [X],
    "max": [X, X], "lam": [X], "sum": [ONE, N, X], "maxof": [ONE, N, X], "le": [X, X], "lt": [X, X], "ne": [X, X],
    "eq": [X, X], "if": [WHOLE, X, X], "forall": [ONE, N, LESS], "entry": [U, N], "num": [], "var": [], "bound": [],
}  # fmt: skip
DATA: dict[str, Any] = {"lam": 1, "num": "1", "var": ["y", "real", 0], "bound": 0}


@dataclass(frozen=True)
class BadLine:
    """Lines of which the last is to be refused; under lower limits, where reaching the real ones takes long."""

    name: str
    lines: list[str]
    said: str
    limits: dict[str, int] = field(default_factory=dict)


def bad(name: str, said: str, *lines: Any, before: Sequence[Any] = (HEADER, *TERMS), **limits: int) -> BadLine:
    return BadLine(name, [x if isinstance(x, str) else json.dumps(x) for x in (*before, *lines)], said, limits)


def term(op: Any, args: Any = None, data: Any = None, number: Any = NEXT) -> dict[str, Any]:
    line = {"term": number, "op": op}
    if args is not None:
        line["args"] = args
    if data is not None:
        line["data"] = data
    return line


def step(rule: Any, parameters: Any = (), premises: Any = (), number: Any = 0) -> dict[str, Any]:
    return {"step": number, "rule": rule, "premises": premises, "parameters": parameters}


def definition(parameters: Any, body: Any, name: Any = "f", number: Any = 0, implicit: Any = 0) -> dict[str, Any]:
    return {"definition": number, "name": name, "parameters": parameters, "body": body, "implicit": implicit}


def theorem(hypotheses: Any, conclusion: Any, number: Any = 0, name: Any = "t") -> dict[str, Any]:
    return {"theorem": name, "step": number, "hypotheses": hypotheses, "conclusion": conclusion}


def ill_sorted() -> Iterator[BadLine]:
    """Every operation with one argument too many, one too few, and one of another kind in every place."""
    for op, args in NUMBERS.items():
        data = DATA.get(op)
        if op not in ("add", "mul"):
            yield bad(f"{op} with one argument more", "of the kinds", term(op, [*args, X], data))
        if args:
            yield bad(f"{op} with one argument less", "of the kinds", term(op, args[:-1], data))
        for k in range(len(args)):
            for other in (U, LESS, X):
                if (op, k, other) in FITTING or other == args[k] or (op == "forall" and other == LESS and k == 2):
                    continue
                if other == X and args[k] in (X, LESS, WHOLE) and op not in ("forall", "if"):
                    continue
                yield bad(f"{op} with {other} as argument {k}", "", term(op, [*args[:k], other, *args[k + 1 :]], data))


def powers(count: int) -> list[dict[str, Any]]:
    """x to the 100,000th, to the 100,000th, and so on."""
    base = [term("num", data="100000")]
    return base + [term("pow", [NEXT + k if k else X, NEXT], number=NEXT + 1 + k) for k in range(count)]


FITTING = {("if", 1, X), ("if", 2, X), ("if", 0, LESS), ("entry", 0, U)}

LINES = [
    *ill_sorted(),
    bad("one summand", "of the kinds", term("add", [X])),
    bad("no factor", "of the kinds", term("mul", [])),
    bad("an equation of a tensor and a number", "of the kinds", term("eq", [U, X])),
    bad("an equation of tensors of different ranks", "of the kinds", term("eq", [U, A])),
    bad("too few indices", "do not fit", term("entry", [A, N])),
    bad("too many indices", "do not fit", term("entry", [U, N, N])),
    bad("a condition on a real", "decides no 'if'", term("if", [LESS, X, X])),
    bad("a condition on a real at the right", "decides no 'if'", term("le", [N, X]),
        term("if", [NEXT, X, X], number=NEXT + 1)),
    bad("a condition that is no relation", "decides no 'if'", term("forall", [ONE, N, WHOLE]),
        term("if", [NEXT, X, X], number=NEXT + 1)),
    # headers and numbers
    bad("no header", "one header, at the top", term("num", data="1", number=0), before=()),
    bad("a second header", "one header, at the top", HEADER),
    bad("another format", "is not the next", {"certificate": "other", "version": 1}, before=()),
    bad("another version", "is not the next", {"certificate": "derive", "version": 2}, before=()),
    bad("no JSON", "Expecting", "{", before=(HEADER,)),
    bad("no object", "is not the next", "[1]", before=(HEADER,)),
    bad("an unknown line", "is not the next", {"lemma": 0}),
    bad("an empty line", "Expecting", ""),
    bad("nested too deeply", "recursion", "[" * 100_000),
    bad("a long integer", "", '{"term": ' + "9" * 5_000 + "}"),
    bad("too long a line", "more than 1000000 characters", json.dumps(term("num", data="1")) + " " * 1_000_000),
    bad("a term out of turn", "is not the next", term("num", data="1", number=NEXT + 1)),
    bad("a term again", "is not the next", term("num", data="1", number=0)),
    bad("a definition out of turn", "is not the next", definition([X], X, number=1)),
    bad("a step out of turn", "is not the next", step("assume", [{"term": LESS}], number=1)),
    # references
    bad("a term that is not there", "is used, where", term("neg", [NEXT])),
    bad("a negative term", "is used, where", term("neg", [-1])),
    bad("a term by a fraction", "is used, where", term("neg", [0.0])),
    bad("a term by true", "is used, where", term("neg", [True])),
    bad("a term by a text", "is used, where", term("neg", ["0"])),
    bad("arguments that are no list", "is used, where", term("neg", 0)),
    bad("arguments that are an object", "is used, where", term("neg", {"0": 0})),
    bad("a step that is not there", "is used, where", step("cut", [], [0, 1])),
    bad("a definition that is not there", "is used, where", term("app", [X], 0)),
    bad("a definition without a number", "is used, where", term("app", [X])),
    # data
    bad("an unknown operation", "can't have", term("tan", [X])),
    bad("an operation that is no text", "is not the next", term(3, [X])),
    bad("an operation called like a method", "can't have", term("__init__", [X])),
    bad("data where none belong", "can't have", term("neg", [X], 1)),
    bad("a numeral without a value", "is no numeral", term("num")),
    bad("a numeral as a number", "is no numeral", term("num", data=1)),
    bad("a decimal", "is no numeral", term("num", data="0.5")),
    bad("a power of ten", "is no numeral", term("num", data="1e9")),
    bad("a numeral with a space", "is no numeral", term("num", data=" 1")),
    bad("a numeral with a line break", "is no numeral", term("num", data="1\n")),
    bad("a denominator 0", "is no numeral", term("num", data="1/0")),
    bad("a negative denominator", "is no numeral", term("num", data="1/-2")),
    bad("other digits", "is no numeral", term("num", data="١")),
    bad("too long a numeral", "is no numeral", term("num", data="1" + "0" * 2_000)),
    bad("too long a denominator", "is no numeral", term("num", data="1/1" + "0" * 2_000)),
    bad("a variable without a rank", "can't have", term("var", data=["x", "real"])),
    bad("a variable without a name", "can't have", term("var", data=[1, "real", 0])),
    bad("a variable of another sort", "can't have", term("var", data=["x", "proposition", 0])),
    bad("a tensor of integers", "can't have", term("var", data=["x", "integer", 1])),
    bad("a tensor of negative rank", "can't have", term("var", data=["x", "real", -1])),
    bad("a tensor of too high a rank", "can't have", term("var", data=["x", "real", 17])),
    bad("a negative index", "can't have", term("bound", data=-1)),
    bad("too far an index", "can't have", term("bound", data=20_001)),
    bad("an index without a number", "can't have", term("bound")),
    bad("a comprehension of rank 0", "can't have", term("lam", [X], 0)),
    bad("a comprehension of too high a rank", "can't have", term("lam", [X], 17)),
    bad("too many nodes", "nodes", term("add", [X] * 200), term("add", [NEXT] * 200, number=NEXT + 1)),
    bad("too many levels", "levels", *(term("neg", [NEXT + k - 1], number=NEXT + k) for k in range(120))),
    # definitions
    bad("a parameter that is no variable", "not of distinct variables", definition([ONE], ONE)),
    bad("a parameter twice", "not of distinct variables", definition([X, X], X)),
    bad("another variable in a body", "not of distinct variables", definition([N], X)),
    bad("a body that is not closed", "not of distinct variables", definition([N], BOUND)),
    bad("a body that is not there", "is used, where", definition([X], NEXT)),
    bad("parameters that are no list", "is not the next", definition(X, X)),
    bad("a name that is no text", "is not the next", definition([X], X, name=1)),
    bad("a name for two things", "and was as", definition([X], X), definition([X], ONE, number=1)),
    bad("a name for two numbers of implicit parameters", "and was as", definition([X], X),
        definition([X], X, number=1, implicit=1)),
    bad("a condition that is defined", "decides no 'if'", term("var", data=["m", "integer", 0]),
        term("le", [N, NEXT], number=NEXT + 1), definition([N, NEXT], NEXT + 1),
        term("app", [N, N], 0, number=NEXT + 2), term("if", [NEXT + 2, X, X], number=NEXT + 3)),
    bad("an application to too many", "is given", definition([X], X), term("app", [X, X], 0)),
    bad("an application to a tensor", "is given", definition([X], X), term("app", [U], 0)),
    bad("an application of an integer's to a real", "is given", definition([N], N), term("app", [X], 0)),
    bad("an application of a tensor's to a number", "is given", definition([U], ONE), term("app", [X], 0)),
    # steps
    bad("an unknown rule", "can't be given", step("guess")),
    bad("a rule called like a method", "can't be given", step("__init__")),
    bad("a rule called like a helper", "can't be given", step("same", [{"term": X}, {"term": X}])),
    bad("a rule that is no text", "is not the next", step(1)),
    bad("premises that are no list", "is not the next", step("assume", [{"term": LESS}], 0)),
    bad("parameters that are no list", "is not the next", step("assume", {"term": LESS})),
    bad("a parameter that is no object", "is no term, number or text", step("assume", [LESS])),
    bad("a parameter of another kind", "is no term, number or text", step("assume", [{"thing": LESS}])),
    bad("a text of another kind", "is no term, number or text", step("assume", [{"thing": "x"}])),
    bad("a parameter of two kinds", "is no term, number or text", step("assume", [{"term": LESS, "text": "x"}])),
    bad("an empty parameter", "is no term, number or text", step("assume", [{}])),
    bad("a text that is no text", "is no term, number or text", step("definition", [{"term": X}, {"text": 1}])),
    bad("a number that is no text", "is no numeral", step("bound", [{"term": LESS}, {"number": 1}])),
    bad("a place that is a fraction", "is none of", term("eq", [X, X]), step("assume", [{"term": NEXT}]),
        term("mul", [X, X], number=NEXT + 1), step("congruence", [{"term": NEXT + 1}, {"number": "1/2"}], [0], 1)),
    bad("a precision that is a fraction", "where 1 to", step("bound", [{"term": WHOLE}, {"number": "129/2"}])),
    bad("more places than equations", "1 places, 0 equations", term("exp", [X]),
        step("congruence", [{"term": NEXT}, {"number": "0"}])),
    bad("more equations than places", "0 places, 1 equations", term("exp", [X]), ASSUMED,
        step("congruence", [{"term": NEXT}], [0], 1)),
    bad("one parameter too many for each rule", "can't be given", step("assume", [{"term": LESS}, {"term": LESS}])),
    *(
        bad(f"{rule} with a text at the end", "can't be given", ASSUMED,
            step(rule, [*({"term": X},) * terms, {"text": "z"}], [0] * premises, 1))
        for rule, premises, terms in (
            ("assume", 0, 1), ("cut", 2, 0), ("congruence", 0, 1), ("under", 1, 1), ("branch", 2, 1), ("choose", 1, 1),
            ("cases", 2, 1), ("relate", 1, 0), ("absurd", 1, 1), ("specialise", 1, 2), ("generalise", 1, 3),
            ("at", 3, 1), ("induction", 2, 3), ("ring", 0, 2), ("linear", 0, 1), ("bound", 0, 2),
        )
    ),
    bad("a definition by a number", "can't be given", step("definition", [{"term": X}, {"number": "1"}])),
    bad("an axiom by a number", "can't be given", step("axiom", [{"text": "exp-zero"}, {"number": "1"}])),
    bad("one step of assume with a premise", "can't be given", ASSUMED, step("assume", [{"term": LESS}], [0], 1)),
    bad("a name given twice", "has a name twice", '{"term": 9, "op": "num", "data": "1", "data": "2"}'),
    # limits
    bad("too high a degree", "is too large", *powers(5), step("ring", [{"term": NEXT + 5}, {"term": X}])),
    bad("too much unfolding", "visits more than", definition([X], X), term("app", [X], 0), *(
        term("exp", [NEXT + k], number=NEXT + 1 + k) for k in range(9)), step("definition", [{"term": NEXT + 9}]),
        MAX_UNFOLDED=5),
    bad("too much work", "more work is needed", term("add", [X, N]),
        term("mul", [NEXT, NEXT, NEXT], number=NEXT + 1), step("ring", [{"term": NEXT + 1}, {"term": X}]), MAX_WORK=200,
        WORK_A_CHARACTER=0),
    bad("too large a number", "a number of", term("num", data="10"), term("num", data="300", number=NEXT + 1),
        term("pow", [NEXT, NEXT + 1], number=NEXT + 2), term("lt", [ONE, NEXT + 2], number=NEXT + 3),
        step("bound", [{"term": NEXT + 3}, {"number": "1"}]), MAX_NUMBER=3_000),
    # claims
    bad("a claim of another conclusion", "is found, where", ASSUMED, theorem([LESS], WHOLE)),
    bad("a claim with a hypothesis less", "does not claim the hypotheses", ASSUMED, theorem([], LESS)),
    bad("a claim with a hypothesis more", "does not claim the hypotheses", ASSUMED, theorem([LESS, WHOLE], LESS)),
    bad("a claim about no step", "is used, where", theorem([LESS], LESS)),
    bad("a claim without a name", "is not the next", ASSUMED, theorem([LESS], LESS, name=None)),
    bad("a claim whose hypotheses are no list", "is not the next", ASSUMED, theorem(LESS, LESS)),
]  # fmt: skip

# Whole files.
FILES = [
    bad("an empty file", "claims nothing", before=()),
    bad("a file without a claim", "claims nothing", ASSUMED),
    bad("too many lines", "line 7: the certificate has more than 6 lines", MAX_LINES=6),
    bad("a wrong line", "line 12: the rule 'guess'", ASSUMED, step("guess", number=1)),
]
