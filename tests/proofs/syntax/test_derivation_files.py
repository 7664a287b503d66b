"""Derivation files: what is read, line by line, and what is refused, with line and column."""

from __future__ import annotations


import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.syntax.derivation import Derivation, decode, read_derivation
from proofs.syntax.faults import _ENGLISH, SyntaxFault
from proofs.terms import add, apply, comprehension, div, entry, exp, forall, mul, neg, num, relation, sub, total, var
from tests.proofs.syntax.reading import ENV, SIGNATURES, SOFTMAX, check_fault, read

N, M, I_, J, K, S, T = (var(v, "integer") for v in ("n", "m", "i", "j", "k", "s", "t"))
X, Y, C = var("x"), var("y"), var("c")
Z = var("z", "real", 1)
ONE, TWO = num(1), num(2)

SHIFT = """\
# the shift invariance of softmax
let n : size
let z : real[n]
let c : real
let i : index[n]

claim softmax(z - c)[i] = softmax(z)[i]
proof
  softmax(z - c)[i]
  = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))    -- definition
  # a remark in between
  = exp(z[i])*exp(-c)
      / sum(j = 1..n, exp(z[j])*exp(-c))            -- exp of a sum

  = softmax(z)[i]  # the end
"""


def derivation(text: str) -> Derivation:
    return read_derivation(text, SIGNATURES)


def chain(*lines: str, claim: str = "x = y", head: str = "let x, y : real") -> Derivation:
    return derivation(f"{head}\nclaim {claim}\nproof\n" + "\n".join(lines))


def refused(text: str) -> tuple[str, int | None, int | None]:
    with pytest.raises(SyntaxFault) as why:
        derivation(text)
    assert why.value.code in _ENGLISH
    assert "line " in str(why.value)
    return why.value.code, why.value.line, why.value.column


def test_a_whole_file_is_read() -> None:
    made = derivation(SHIFT)
    said = made.statement
    assert [(d.name, d.kind, d.upper, d.dimensions) for d in said.declarations] == [
        ("n", "size", None, ()),
        ("z", "real", None, (N,)),
        ("c", "real", None, ()),
        ("i", "index", N, ()),
    ]
    shifted = apply(SOFTMAX, N, comprehension([J], sub(entry(Z, J), C)))
    assert said.claim == relation("eq", entry(shifted, I_), entry(apply(SOFTMAX, N, Z), I_))
    assert made.claim_text == "softmax(z - c)[i] = softmax(z)[i]"
    assert made.claim_line == 7
    weights = total(J, ONE, N, mul(exp(entry(Z, J)), exp(neg(C))))
    assert [(d.line_number, d.relation, d.reason_text, d.fault) for d in made.lines] == [
        (9, None, None, None),
        (10, "=", "definition", None),
        (12, "=", "exp of a sum", None),
        (15, "=", None, None),
    ]
    assert made.lines[0].term == entry(shifted, I_)
    assert made.lines[2].term == div(mul(exp(entry(Z, I_)), exp(neg(C))), weights)
    assert made.lines[2].text == "= exp(z[i])*exp(-c) / sum(j = 1..n, exp(z[j])*exp(-c))"
    assert made.lines[3].text == "= softmax(z)[i]"


def test_latex_between_dollar_signs_is_the_same_file() -> None:
    latex = r"""
let n : size
let z : real[n]
let c : real
let i : index[n]
claim $\operatorname{softmax}(z - c)_i = \operatorname{softmax}(z)_i$
proof
  $\operatorname{softmax}(z - c)_i$
  = $\frac{e^{z_i - c}}{\sum_{j=1}^{n} e^{z_j - c}}$ -- definition
  $= \frac{e^{z_i} e^{-c}}{\sum_{j=1}^{n} e^{z_j} e^{-c}}$
  = $\operatorname{softmax}(z)_i$
"""
    made, plain = derivation(latex), derivation(SHIFT)
    assert made.statement == plain.statement
    assert [d.term for d in made.lines] == [d.term for d in plain.lines]
    assert [d.relation for d in made.lines] == [None, "=", "=", "="]


def test_each_sort_is_declared() -> None:
    head = (
        "let n, m : size\nlet i : index[n]\nlet s : index[i + 1]\nlet k : integer\nlet x : real\nlet p : positive\n"
        "let A : real[n, m + 1, 2]\nlet d_{model} : size\nlet α, $\\beta$ : real\nlet W_Q : real [ d_model ]\n"
    )
    said = derivation(head + "claim x = x\nproof\n  x\n").statement.declarations
    assert [(d.name, d.kind, d.variable.sort, d.variable.rank) for d in said] == [
        ("n", "size", "integer", 0),
        ("m", "size", "integer", 0),
        ("i", "index", "integer", 0),
        ("s", "index", "integer", 0),
        ("k", "integer", "integer", 0),
        ("x", "real", "real", 0),
        ("p", "positive", "real", 0),
        ("A", "real", "real", 3),
        ("d_model", "size", "integer", 0),
        ("alpha", "real", "real", 0),
        ("beta", "real", "real", 0),
        ("W_Q", "real", "real", 1),
    ]
    assert said[3].upper == add(I_, ONE)
    assert said[7].dimensions == (N, add(M, ONE), TWO)


def test_hypotheses_are_relations_and_bounded_for_alls() -> None:
    head = """
let n, h : size
let t : index[n]
let x : real
let A, B : real[h, n]
suppose x != 0
suppose: $x \\ge 1$
suppose A[i, s] = B[i, s] for all i : index[h],
    s : index[t]
suppose A[i, s] = 0 for all i, s : index[h]
claim x = x
proof
  x
"""
    H, A, B = var("h", "integer"), var("A", "real", 2), var("B", "real", 2)
    assert derivation(head).statement.hypotheses == (
        relation("ne", X, num(0)),
        relation("le", ONE, X),
        forall(I_, ONE, H, forall(S, ONE, T, relation("eq", entry(A, I_, S), entry(B, I_, S)))),
        forall(I_, ONE, H, forall(S, ONE, H, relation("eq", entry(A, I_, S), num(0)))),
    )


def test_a_range_may_have_any_ends_in_words_and_in_latex() -> None:
    head = "let n : size\nlet A : real[n, n]\n"
    tail = "\nclaim 1 = 1\nproof\n 1\n = 1"
    A = var("A", "real", 2)
    inner = relation("le", num(0), entry(A, S, I_))
    wanted = forall(S, num(2), N, forall(I_, S, add(N, ONE), inner))
    for said in (
        "0 <= A[s, i] for all s = 2..n, i = s..n + 1",
        "0 <= A[s, i] for all s = 2..n,\n    i = s..n+1",
        r"\forall 2 \le s \le n: \forall s \leq i \le n + 1: 0 \le A_{s,i}",
        r"$\forall\, 2 \le s \le n :\; \forall\, s \le i \le n + 1 :\; 0 \le A_{s,i}$",
        r"$\forall\, 2 \le s \le n :\; 0 \le A_{s,i}$ for all i = s..n + 1",
    ):
        if "$ for" in said:
            assert refused(head + "suppose " + said + tail)[0] == "undeclared"  # s means nothing to the outer range
            continue
        assert derivation(head + "suppose " + said + tail).statement.hypotheses == (wanted,)
    spread = "suppose $\\forall\\, 1 \\le i \\le n : A_{i,1} = A_{1,i}$"  # no backslash is left after the range
    (made,) = derivation(head + spread + tail).statement.hypotheses
    assert made == forall(I_, ONE, N, relation("eq", entry(A, I_, ONE), entry(A, ONE, I_)))


def test_an_index_of_a_for_all_may_hide_a_declared_one() -> None:
    made = derivation("let n : size\nlet z : real[n]\nlet i : index[n]\nsuppose z[i] = 0 for all i : index[n]\n"
                      "claim z[i] = 0\nproof\n z[i]\n = 0")  # fmt: skip
    assert made.statement.hypotheses == (forall(J, ONE, N, relation("eq", entry(Z, J), num(0))),)


def test_layout_is_free() -> None:
    tight = "let x,y:real\nclaim x=y\nproof\nx\n=y"
    loose = (
        "\ufeff# c\r\n\r\n  let x , y : real\r\n\tclaim\r\n\t\tx\r\n\t\t= y # c\r\n  proof:\r\n"
        "\tx\r\n\t\t\t= y   --  by   hand  # c\r\n\r\n"
    )
    a, b = derivation(tight), derivation(decode(loose.encode()))
    assert a.statement == b.statement
    assert [d.term for d in a.lines] == [d.term for d in b.lines] == [X, Y]
    assert b.lines[1].reason_text == "by hand"


def test_full_width_punctuation_and_chinese_reasons_are_read() -> None:
    made = derivation("let x，y ： real\nclaim x＋y ＝ y＋x\nproof\n  x＋y\n  ＝ y＋x -- 加法交换律")
    assert made.lines[1].term == add(Y, X)
    assert made.lines[1].reason_text == "加法交换律"


def test_a_reason_follows_the_last_dashes_with_blanks_around() -> None:
    made = chain("x--y", "= x -- y -- ring", "= y --", head="let x, y : real", claim="x = y")
    assert [d.reason_text for d in made.lines] == [None, "ring", None]
    assert made.lines[0].term == add(X, neg(neg(Y)))
    assert made.lines[1].term == add(X, neg(neg(Y)))
    assert made.lines[2].term == Y


def test_a_chain_may_use_the_inequalities_that_the_claim_allows() -> None:
    made = chain("x", "= x + 0", "<= y", "< y + 1", claim="x < y + 1")
    assert [d.relation for d in made.lines] == [None, "=", "<=", "<"]
    assert all(d.fault is None for d in made.lines)
    back = chain("y", "≥ x", "$> x - 1$", claim="y >= x")
    assert [d.relation for d in back.lines] == [None, ">=", ">"]
    assert back.statement.claim == relation("le", X, Y)
    assert all(d.fault is None for d in back.lines)


@pytest.mark.parametrize(
    ("lines", "claim", "codes"),
    [
        (("x", "<= y"), "x = y", [None, "relation-not-in-claim"]),
        (("x", "!= y"), "x = y", [None, "relation-not-in-claim"]),
        (("x", "<= y", ">= x", "= y"), "x <= y", [None, None, "relations-mixed", None]),
        (("= x", "= y"), "x = y", ["chain-starts-with-relation", None]),
        (("x", "y"), "x = y", [None, "relation-expected"]),
        (("x = y", "= y"), "x = y", ["relation-unexpected", None]),
        (("x", "=", "= y"), "x = y", [None, "empty", None]),
        (("x", "= q", "= y +", "= y"), "x = y", [None, "undeclared", "unexpected-end", None]),
        (("x", "= $y", "= y$ + $x", "= a $y$"), "x = y", [None, "unexpected-end", "unexpected", "unexpected"]),
        (("x", "let q : real", "= y"), "x = y", [None, "header-in-proof", None]),
        (("x", "claim x = x", "proof"), "x = y", [None, "second-claim", "second-proof"]),
        (("x", "= [x, y]", "= y"), "x = y", [None, "rank-differs", None]),
        (("x", "= (y", "= y"), "x = y", [None, "unexpected-end", None]),
    ],
)
def test_a_line_that_cannot_be_read_has_a_fault_and_the_others_are_read(
    lines: tuple[str, ...], claim: str, codes: list[str | None]
) -> None:
    made = chain(*lines, claim=claim)
    assert [d.fault.code if d.fault else None for d in made.lines] == codes
    for number, line in enumerate(made.lines, 4):
        assert (line.term is None) == (line.fault is not None)
        assert line.line_number == number
        if line.fault is not None:
            assert line.fault.line == number
            assert line.fault.column is not None
            assert "line " in str(line.fault)


def test_a_fault_is_located_in_a_continued_line() -> None:
    made = chain("  x", "  = y", "      + q", claim="x = y")
    why = made.lines[1].fault
    assert why is not None
    assert (why.code, why.line, why.column) == ("undeclared", 6, 9)


HEAD = "let x : real\n"
END = "claim x = x\nproof\n  x\n"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "not-a-derivation", 1, 1),
        ("a shopping list\nmilk\n", "not-a-derivation", 1, 1),
        ('{"key": 1}', "not-a-derivation", 1, 1),
        (HEAD + "proof\n  x\n", "missing-claim", 2, 1),
        (HEAD + "claim x = x\n", "missing-proof", 3, 1),
        (HEAD + "claim x = x\nproof\n", "empty-proof", 3, 1),
        (HEAD + "claim x = x\nclaim x = x\nproof\n x", "second-claim", 3, 1),
        (HEAD + "let x : size\n" + END, "redeclared", 2, 5),
        ("let x, x : real\n" + END, "redeclared", 1, 8),
        ("lett x : real\n" + END, "unknown-keyword", 1, 1),
        ("assume x = 1\n" + END, "unknown-keyword", 1, 1),
        ("let x\n" + END, "unexpected-end", 1, 6),
        ("let x :\n" + END, "unexpected-end", 1, 8),
        ("let x : reel\n" + END, "declared-sort", 1, 9),
        ("let x : index\n" + END, "declared-sort", 1, 9),
        ("let x : size[3]\n" + END, "declared-sort", 1, 9),
        ("let x : positive[3]\n" + END, "declared-sort", 1, 9),
        ("let x : index[2, 3]\n" + END, "declared-sort", 1, 9),
        ("let x : real[]\n" + END, "empty", 1, 14),
        ("let x : real[y]\n" + END, "undeclared", 1, 14),
        ("let y : real\nlet x : real[y]\n" + END, "not-an-integer", 2, 14),
        ("let x : real[1/2]\n" + END, "not-an-integer", 1, 14),
        ("let x : real[" + "2," * 8 + "2]\n" + END, "too-large", 1, 9),
        ("let 2x : real\n" + END, "unexpected", 1, 5),
        ("let x y : real\n" + END, "unexpected", 1, 5),
        ("let \\foo : real\n" + END, "unknown-command", 1, 5),
        ("let exp : real\n" + END, "reserved-name", 1, 5),
        ("let softmax : real\n" + END, "reserved-name", 1, 5),
        ("let all : real\n" + END, "reserved-name", 1, 5),
        (HEAD + "suppose x\n" + END, "relation-expected", 2, 10),
        (HEAD + "suppose 0 < x < 1\n" + END, "relation-unexpected", 2, 15),
        (HEAD + "suppose x = i for all i\n" + END, "unexpected-end", 2, 24),
        (HEAD + "suppose x = i for all i : size\n" + END, "declared-sort", 2, 27),
        (HEAD + "suppose x = i for all i : index[j]\n" + END, "undeclared", 2, 33),
        (HEAD + "suppose x = i for all i, i : index[3]\n" + END, "redeclared", 2, 26),
        ("let n : size\nlet z : real[n]\nsuppose 1 = n for all n : index[3]\n" + HEAD + END, "redeclared", 3, 23),
        (HEAD + "suppose x = i for all i = 1\n" + END, "unexpected-end", 2, 28),
        (HEAD + "suppose x = i for all i = 1..x\n" + END, "not-an-integer", 2, 30),
        (HEAD + "suppose x = i for all i = 1..3, i = 1..3\n" + END, "redeclared", 2, 33),
        (HEAD + "suppose \\forall 1 \\le i \\le 3\n" + END, "unexpected-end", 2, 30),
        (HEAD + "suppose \\forall 1 \\le i: x = i\n" + END, "unexpected-end", 2, 24),
        (HEAD + "suppose \\forall i \\le 3 \\le x: x = i\n" + END, "unexpected", 2, 23),
        (HEAD + "suppose \\forall 1 \\le i \\le x: x = i\n" + END, "not-an-integer", 2, 29),
        (HEAD + "suppose \\forall 1 \\le i \\le 3: x\n" + END, "relation-expected", 2, 33),
        (HEAD + "suppose $\\forall 1 \\le i \\le 3: x = q$\n" + END, "undeclared", 2, 37),
        (HEAD + "suppose \\forall 1 \\le i \\le 2 \\le 3: x = i\n" + END, "relation-unexpected", 2, 31),
        (HEAD + "suppose " + "\\forall 1 \\le i \\le 3: " * 2 + "x = i\n" + END, "redeclared", 2, 46),
        (HEAD + "claim \\forall 1 \\le i \\le 3: x = x\nproof\n x", "unknown-command", 2, 7),
        (HEAD + "claim x = x for all i : index[3]\nproof\n x", "for-all-in-claim", 2, 13),
        (HEAD + "claim x + x\nproof\n x", "relation-expected", 2, 12),
        (HEAD + "claim x = q\nproof\n x", "undeclared", 2, 11),
        (HEAD + "claim\nproof\n x", "empty", 2, 6),
        (HEAD + "claim x = x\nproof by magic\n x", "unexpected", 3, 7),
        (HEAD + "claim x = \x00x\nproof\n x", "control-character", 2, 11),
        (HEAD + "claim x = x\nproof\n x\n = \u202ex", "control-character", 5, 4),
    ],
)  # fmt: skip
def test_a_fault_before_the_chain_is_refused_at_its_place(text: str, code: str, line: int, column: int) -> None:
    assert refused(text) == (code, line, column)


def test_a_comment_may_hold_any_character() -> None:
    assert derivation(HEAD + "# \u200d\u202e\x07\n" + END).lines[0].term == X


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    with pytest.raises(SyntaxFault) as why:
        decode(b"let x : real\nclaim \xff\n")
    assert (why.value.code, why.value.line, why.value.column) == ("not-utf-8", 2, 7)
    with pytest.raises(SyntaxFault, match="too long"):
        decode(b"x" * 1_000_000)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000_000,
        "claim 1 = 1\nproof\n 1\n" + " = 1\n" * 1500,
        "claim 1 = 1\nproof\n 1\n" + "\n" * 5000,
        "".join(f"let a{k} : real\n" for k in range(500)) + "claim 1 = 1\nproof\n 1",
        "let " + ",".join(f"a{k}" for k in range(3000)) + " : real\nclaim 1 = 1\nproof\n 1",
        "claim 1 = 1\n" + "suppose 1 = 1\n" * 300 + "proof\n 1",
        "suppose 1 = 1 for all " + ", ".join(f"i{k} : index[3]" for k in range(1000)) + "\nclaim 1 = 1\nproof\n 1",
        "claim $" + "$ $" * 10_000,
        "suppose " + "\\forall 1 \\le i \\le 3: " * 2000 + "1 = 1\nclaim 1 = 1\nproof\n 1",
        "suppose \\forall" + "(" * 20_000 + ":\nclaim 1 = 1\nproof\n 1",
        "suppose 1 = 1 for all " + "i = 1.." * 5000 + "\nclaim 1 = 1\nproof\n 1",
        "let n : index[" * 4000 + "\nclaim 1 = 1",
        "let " + ":" * 50_000 + "\nclaim",
        "claim 1 = 1\n" + "\t" * 40_000 + "x",
        "claim " + "(" * 5000 + "\nproof\n 1",
    ],
)
def test_hostile_files_are_refused_quickly(text: str) -> None:
    refused(text)


@given(st.lists(st.sampled_from(SHIFT.split("\n")), max_size=12), st.integers(0, 400), st.text(max_size=3))
def test_any_shuffled_file_is_read_or_refused(lines: list[str], place: int, noise: str) -> None:
    text = "\n".join(lines)
    text = text[:place] + noise + text[place:]
    try:
        derivation(text)
    except SyntaxFault as why:
        check_fault(why, text + "\n")


def test_a_name_of_a_file_means_what_it_means_in_a_formula() -> None:
    made = chain("softmax(z)[i]", head="let n : size\nlet z : real[n]\nlet i : index[n]", claim="z[i] = z[i]")
    assert made.lines[0].term == read("softmax(z)[i]")
    assert ENV.signatures["softmax"] in made.statement.signatures
