"""The printers: exact text for formulas that the sheets use, and laws that hold for every term."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofs.syntax.changed import changed
from proofs.syntax.layout import Path
from proofs.syntax.to_latex import to_latex
from proofs.syntax.to_plain import to_plain
from proofs.syntax.to_speech import to_speech
from proofs.syntax.to_typst import to_typst
from proofs.terms import (
    MAX_DEPTH,
    Definition,
    Term,
    add,
    apply,
    comprehension,
    div,
    entry,
    exp,
    forall,
    greatest,
    ln,
    maximum,
    mul,
    neg,
    num,
    power,
    relation,
    sqrt,
    sub,
    substitute,
    total,
    unfold,
    var,
    when,
)
from tests.formula_tokens import differences, latex_mathml, tokens, typst_mathml
from tests.proofs.syntax.random_terms import SOFTMAX, terms

n, i, j, k, t, h, d, d_k, d_v = (var(x, "integer") for x in ["n", "i", "j", "k", "t", "h", "d_model", "d_k", "d_v"])
a, b, c = var("a"), var("b"), var("c")
z, X, W_Q = var("z", rank=1), var("X", rank=2), var("W_Q", rank=2)
one, two = num(1), num(2)
shifted = comprehension([i], sub(entry(z, i), c))
logits = comprehension([i], when(relation("eq", i, one), num(500), num(502)))
square = comprehension(
    [i, j],
    when(
        relation("eq", i, one),
        when(relation("eq", j, one), one, num(0)),
        when(relation("eq", j, one), exp(one), div(a, b)),
    ),
)


def softmax(x: Term) -> Term:
    return apply(SOFTMAX, n, x)


def weights(body: Callable[[Term], Term]) -> Term:
    return div(body(i), total(j, one, n, body(j)))


def half(q: int = 1) -> Term:
    return num(Fraction(q, 2))


# name: term, LaTeX, Typst, plain text
EXACT: dict[str, tuple[Term, str, str, str]] = {
    "shift invariance": (
        relation("eq", entry(softmax(shifted), i), entry(softmax(z), i)),
        r"\operatorname{softmax}(z - c)_{i} = \operatorname{softmax}(z)_{i}",
        'upright("softmax")(z - c)_(i) = upright("softmax")(z)_(i)',
        "softmax(z - c)[i] = softmax(z)[i]",
    ),
    "softmax unfolded": (
        unfold(entry(softmax(shifted), i), ["softmax"]),
        r"\frac{e^{z_{i} - c}}{\sum_{j = 1}^{n} e^{z_{j} - c}}",
        "frac(e^(z_(i) - c), sum_(j = 1)^(n) e^(z_(j) - c))",
        "exp(z[i] - c)/sum(j = 1..n, exp(z[j] - c))",
    ),
    "exponentials split": (
        weights(lambda x: mul(exp(entry(z, x)), exp(neg(c)))),
        r"\frac{e^{z_{i}}\,e^{-c}}{\sum_{j = 1}^{n} e^{z_{j}}\,e^{-c}}",
        "frac(e^(z_(i)) thin e^(-c), sum_(j = 1)^(n) e^(z_(j)) thin e^(-c))",
        "exp(z[i])*exp(-c)/sum(j = 1..n, exp(z[j])*exp(-c))",
    ),
    "ledger": (
        add(mul(num(3), d, h, d_k), mul(h, d_v, d)),
        r"3d_{\mathrm{model}}\,h\,d_{k} + h\,d_{v}\,d_{\mathrm{model}}",
        '3 d_(upright("model")) thin h thin d_(k) + h thin d_(v) thin d_(upright("model"))',
        "3*d_model*h*d_k + h*d_v*d_model",
    ),
    "four squares": (
        mul(num(4), power(d, two)),
        r"4d_{\mathrm{model}}^{2}",
        '4 d_(upright("model"))^(2)',
        "4*d_model^2",
    ),
    "numerals beside numerals": (
        add(mul(num(4), power(num(768), two)), mul(num(4), num(768))),
        r"4 \cdot 768^{2} + 4 \cdot 768",
        "4 dot.op 768^(2) + 4 dot.op 768",
        "4*768^2 + 4*768",
    ),
    "long numeral": (num(2362368), "2{,}362{,}368", '2#text(",")362#text(",")368', "2362368"),
    "five digits": (num(-65504), "-65{,}504", '-65#text(",")504', "-65504"),
    "no groups in a list": (maximum(num(65504), one), r"\max(65504, 1)", "max (65504, 1)", "max(65504, 1)"),
    "explicit vector": (
        softmax(logits),
        r"\operatorname{softmax}((500, 502))",
        'upright("softmax")((500, 502))',
        "softmax((500, 502))",
    ),
    "entry of a value": (
        entry(softmax(logits), two),
        r"\operatorname{softmax}((500, 502))_{2}",
        'upright("softmax")((500, 502))_(2)',
        "softmax((500, 502))[2]",
    ),
    "explicit matrix": (
        square,
        r"\begin{pmatrix} 1 & 0 \\ e & \frac{a}{b} \end{pmatrix}",
        "mat(1, 0 ; e, frac(a, b))",
        "[1, 0; exp(1), a/b]",
    ),
    "entry of a matrix": (
        entry(square, one, two),
        r"\begin{pmatrix} 1 & 0 \\ e & \frac{a}{b} \end{pmatrix}_{1,2}",
        "mat(1, 0 ; e, frac(a, b))_(1, 2)",
        "[1, 0; exp(1), a/b][1, 2]",
    ),
    "powers of e": (
        div(power(exp(one), two), add(one, exp(two))),
        r"\frac{e^{2}}{1 + e^{2}}",
        "frac(e^(2), 1 + e^(2))",
        "exp(1)^2/(1 + exp(2))",
    ),
    "tall exponent": (
        exp(div(mul(two, a), sqrt(d_k))),
        r"\exp\!\left(\frac{2a}{\sqrt{d_{k}}}\right)",
        "exp (frac(2 a, sqrt(d_(k))))",
        "exp(2*a/sqrt(d_k))",
    ),
    "root in an exponent": (
        exp(mul(two, sqrt(two))),
        r"e^{2\sqrt{2}}",
        "e^(2 sqrt(2))",
        "exp(2*sqrt(2))",
    ),
    "half in an exponent": (exp(half()), "e^{1/2}", r"e^(1\/2)", "exp(0.5)"),
    "power of a fraction": (
        power(div(a, b), two),
        r"\left(\frac{a}{b}\right)^{2}",
        "(frac(a, b))^(2)",
        "(a/b)^2",
    ),
    "power of an exponential": (power(exp(a), two), "(e^{a})^{2}", "(e^(a))^(2)", "exp(a)^2"),
    "power of a negative": (power(neg(a), n), "(-a)^{n}", "(-a)^(n)", "(-a)^n"),
    "power of a negative numeral": (power(num(-3), two), "(-3)^{2}", "(-3)^(2)", "(-3)^2"),
    "power of a power": (
        power(power(a, n), add(n, one)),
        "(a^{n})^{n + 1}",
        "(a^(n))^(n + 1)",
        "(a^n)^(n + 1)",
    ),
    "power of an entry": (power(entry(z, i), two), "z_{i}^{2}", "z_(i)^(2)", "z[i]^2"),
    "power of a root": (power(sqrt(a), two), r"(\sqrt{a})^{2}", "(sqrt(a))^(2)", "sqrt(a)^2"),
    "power of a logarithm": (power(ln(a), two), r"(\ln(a))^{2}", "(ln (a))^(2)", "ln(a)^2"),
    "negative exponent": (
        mul(two, power(num(10), num(-3))),
        r"2 \cdot 10^{-3}",
        "2 dot.op 10^(-3)",
        "2*10^(-3)",
    ),
    "maximum over a range": (
        sub(entry(z, i), greatest(j, one, n, entry(z, j))),
        r"z_{i} - \max_{1 \le j \le n} z_{j}",
        "z_(i) - max_(1 <= j <= n) z_(j)",
        "z[i] - max(j = 1..n, z[j])",
    ),
    "maximum in an exponent": (
        exp(sub(entry(z, i), greatest(k, one, n, entry(z, k)))),
        r"\exp\!\left(z_{i} - \max_{1 \le k \le n} z_{k}\right)",
        "exp (z_(i) - max_(1 <= k <= n) z_(k))",
        "exp(z[i] - max(k = 1..n, z[k]))",
    ),
    "maximum of two": (maximum(a, add(b, c)), r"\max(a, b + c)", "max (a, b + c)", "max(a, b + c)"),
    "for all": (
        forall(i, one, n, relation("le", entry(z, i), c)),
        r"\forall\, 1 \le i \le n :\; z_{i} \le c",
        "forall thin 1 <= i <= n : thick z_(i) <= c",
        "z[i] <= c for all i : index[n]",
    ),
    "for all, twice": (
        forall(i, one, n, forall(j, two, i, relation("ne", entry(X, i, j), c))),
        r"\forall\, 1 \le i \le n :\; \forall\, 2 \le j \le i :\; X_{i,j} \ne c",
        "forall thin 1 <= i <= n : thick forall thin 2 <= j <= i : thick X_(i, j) != c",
        "X[i, j] != c for all i : index[n], j = 2..i",
    ),
    "cases": (
        when(relation("le", i, t), entry(X, t, i), num(0)),
        r"\begin{cases} X_{t,i} & i \le t \\ 0 & t < i \end{cases}",
        "cases(X_(t, i) quad & i <= t, 0 quad & t < i)",
        "if(i <= t, X[t, i], 0)",
    ),
    "cases in a sum": (
        add(when(relation("eq", i, t), a, b), total(j, one, n, when(relation("le", j, t), c, num(0)))),
        (
            r"\left(\begin{cases} a & i = t \\ b & i \ne t \end{cases}\right)"
            r" + \sum_{j = 1}^{n} \begin{cases} c & j \le t \\ 0 & t < j \end{cases}"
        ),
        "(cases(a quad & i = t, b quad & i != t)) + sum_(j = 1)^(n) cases(c quad & j <= t, 0 quad & t < j)",
        "if(i = t, a, b) + sum(j = 1..n, if(j <= t, c, 0))",
    ),
    "tensor by its entries": (
        comprehension([i, t], total(k, one, n, mul(entry(X, i, k), entry(W_Q, k, t)))),
        r"\left(\sum_{k = 1}^{n} X_{i,k} \cdot (W_{Q})_{k,t}\right)_{i,t}",
        "(sum_(k = 1)^(n) X_(i, k) dot.op (W_(Q))_(k, t))_(i, t)",
        "(i, t -> sum(k = 1..n, X[i, k]*W_Q[k, t]))",
    ),
    "indices out of order are entries": (
        comprehension([i, j], sub(entry(X, j, i), c)),
        "(X_{j,i} - c)_{i,j}",
        "(X_(j, i) - c)_(i, j)",
        "(i, j -> X[j, i] - c)",
    ),
    "a product of tensors is by entries": (
        comprehension([i], mul(entry(z, i), entry(z, i))),
        r"(z_{i}\,z_{i})_{i}",
        "(z_(i) thin z_(i))_(i)",
        "(i -> z[i]*z[i])",
    ),
    "a multiple of a tensor": (
        comprehension([i, j], div(mul(two, entry(X, i, j)), sqrt(d_k))),
        r"\frac{2X}{\sqrt{d_{k}}}",
        "frac(2 X, sqrt(d_(k)))",
        "2*X/sqrt(d_k)",
    ),
    "negative quotient": (neg(div(a, b)), r"-\frac{a}{b}", "-frac(a, b)", "-a/b"),
    "quotient of a negative": (div(neg(a), b), r"\frac{-a}{b}", "frac(-a, b)", "(-a)/b"),
    "minus minus": (sub(a, neg(b)), "a - (-b)", "a - (-b)", "a - (-b)"),
    "minus a sum": (sub(a, add(b, c)), "a - (b + c)", "a - (b + c)", "a - (b + c)"),
    "nested sum": (add(add(a, b), c), "(a + b) + c", "(a + b) + c", "(a + b) + c"),
    "nested product": (mul(a, mul(b, c)), r"a \cdot (b\,c)", "a dot.op (b thin c)", "a*(b*c)"),
    "negative factor": (mul(neg(a), b), r"(-a)\,b", "(-a) thin b", "(-a)*b"),
    "negative summand": (add(a, num(-2)), "a + (-2)", "a + (-2)", "a + (-2)"),
    "negative numeral first": (mul(num(-2), a), "-2a", "-2 a", "(-2)*a"),
    "negative numeral first, then in a sum": (
        add(a, mul(num(-2), a)),
        "a + (-2a)",
        "a + (-2 a)",
        "a + (-2)*a",
    ),
    "negative numeral last": (mul(a, num(-2)), r"a \cdot (-2)", "a dot.op (-2)", "a*(-2)"),
    "fractions beside one another": (
        mul(half(), half(3), a),
        r"\frac{1}{2} \cdot \frac{3}{2}\,a",
        "frac(1, 2) dot.op frac(3, 2) thin a",
        "0.5*1.5*a",
    ),
    "a third": (mul(num(Fraction(1, 3)), a), r"\frac{1}{3}\,a", "frac(1, 3) thin a", "(1/3)*a"),
    "fraction of fractions": (div(div(a, b), div(b, c)), r"\frac{a/b}{b/c}", r"frac(a\/b, b\/c)", "(a/b)/(b/c)"),
    "words and Greek": (
        mul(var("logits"), var("alpha"), var("epsilon")),
        r"\mathrm{logits} \cdot \alpha\,\varepsilon",
        'upright("logits") dot.op alpha thin epsilon',
        "logits*alpha*epsilon",
    ),
    "factor before brackets": (mul(a, add(b, c)), r"a \cdot (b + c)", "a dot.op (b + c)", "a*(b + c)"),
    "sum as a factor, first": (
        mul(total(i, one, n, entry(z, i)), a),
        r"\left(\sum_{i = 1}^{n} z_{i}\right)\,a",
        "(sum_(i = 1)^(n) z_(i)) thin a",
        "sum(i = 1..n, z[i])*a",
    ),
    "sum as a factor, last": (
        mul(a, total(i, one, n, entry(z, i))),
        r"a\sum_{i = 1}^{n} z_{i}",
        "a sum_(i = 1)^(n) z_(i)",
        "a*sum(i = 1..n, z[i])",
    ),
    "sum of a sum": (
        add(total(i, one, n, add(entry(z, i), one)), a),
        r"\sum_{i = 1}^{n} (z_{i} + 1) + a",
        "sum_(i = 1)^(n) (z_(i) + 1) + a",
        "sum(i = 1..n, z[i] + 1) + a",
    ),
}


@pytest.mark.parametrize("name", EXACT)
def test_a_formula_is_printed_exactly_so(name: str) -> None:
    term, latex, typst, plain = EXACT[name]
    assert to_latex(term) == latex
    assert to_typst(term) == typst
    assert to_plain(term) == plain


INLINE = {
    "small fractions keep their bar": (div(add(one, a), b), r"\frac{1 + a}{b}", "frac(1 + a, b)"),
    "others stand on the line": (
        weights(lambda x: exp(entry(z, x))),
        r"e^{z_{i}}/\sum_{j = 1}^{n} e^{z_{j}}",
        r"e^(z_(i))\/sum_(j = 1)^(n) e^(z_(j))",
    ),
    "a sum over a slash gets brackets": (
        div(mul(a, total(i, one, n, entry(z, i))), n),
        r"\left(a\sum_{i = 1}^{n} z_{i}\right)/n",
        r"(a sum_(i = 1)^(n) z_(i))\/n",
    ),
    "a product under a slash gets brackets": (
        mul(div(add(a, b, c), mul(a, b, c, a)), a),
        r"((a + b + c)/(a\,b\,c\,a))\,a",
        r"((a + b + c)\/(a thin b thin c thin a)) thin a",
    ),
}


@pytest.mark.parametrize("name", INLINE)
def test_a_formula_in_running_text_keeps_to_its_line(name: str) -> None:
    term, latex, typst = INLINE[name]
    assert to_latex(term, display=False) == latex
    assert to_typst(term, display=False) == typst


def test_conditions_stand_in_two_rows_in_running_text_and_are_a_function_in_an_exponent() -> None:
    term = when(relation("lt", i, t), a, b)
    assert to_latex(term, display=False) == r"\begin{cases} a & i < t \\ b & t \le i \end{cases}"
    assert to_typst(term, display=False) == "cases(a quad & i < t, b quad & t <= i)"
    assert to_latex(entry(z, when(relation("lt", i, t), i, t))) == r"z_{\operatorname{if}(i < t, i, t)}"


# --- names --------------------------------------------------------------------------------------------------


def test_a_bound_index_gives_way_to_a_free_variable_of_its_name() -> None:
    # sum over j of z[j] * j', with j' a free variable called j put in for c
    inner = total(j, one, n, mul(entry(z, j), var("c", "integer")))
    captured = substitute(inner, {var("c", "integer"): j})
    assert to_plain(captured) == "sum(k = 1..n, z[k]*j)"


def test_a_bound_index_gives_way_to_an_outer_one_but_not_to_a_neighbour() -> None:
    nested = total(i, one, n, total(i, one, n, entry(z, i)))
    beside = add(total(i, one, n, entry(z, i)), total(i, one, n, entry(z, i)))
    assert to_plain(nested) == "sum(i = 1..n, sum(j = 1..n, z[j]))"
    assert to_plain(beside) == "sum(i = 1..n, z[i]) + sum(i = 1..n, z[i])"


def test_a_bound_index_takes_the_name_of_no_function_and_not_of_e() -> None:
    f = Definition("k", (a,), a)
    e_index = var("e", "integer")
    assert to_plain(total(k, one, n, apply(f, entry(z, k)))) == "sum(l = 1..n, k(z[l]))"
    assert to_latex(total(e_index, one, n, exp(entry(z, e_index)))) == r"\sum_{i = 1}^{n} e^{z_{i}}"


def test_e_is_no_number_where_a_variable_has_its_name() -> None:
    assert to_latex(mul(var("e"), exp(a))) == r"e\exp(a)"
    assert to_latex(mul(var("e"), exp(one))) == r"e\exp(1)"


def test_all_letters_taken_still_gives_a_name() -> None:
    body: Term = num(0)
    for letter in "ijklmnpqrstuvw":
        body = add(body, var(letter, "integer"))
    assert to_plain(total(i, one, two, entry(z, i))).startswith("sum(i = ")
    captured = total(var("!3", "integer"), one, two, mul(entry(z, var("!3", "integer")), body))
    assert to_plain(captured).startswith("sum(i_1 = 1..2, z[i_1]*")


@pytest.mark.parametrize("name", ["!0", "x'", "d_k''", "a b", '#$%&_^~\\{}"', "", "x1", "d_k_max", "α", "*"])
def test_any_name_can_be_printed_in_all_targets(name: str) -> None:
    x = var(name)
    y = power(add(entry(var(name, rank=1), one), power(x, two)), two)
    latex_mathml([to_latex(y)])
    typst_mathml([to_typst(y)])
    for lang in ("zh", "en"):
        assert to_speech(y, lang)  # type: ignore[arg-type]
    assert to_plain(x) == name


def test_names_are_set_by_their_parts() -> None:
    assert to_latex(var("d_k_max")) == r"d_{k,\mathrm{max}}"
    assert to_latex(var("x'")) == "x'"
    assert to_latex(power(var("x'"), two)) == "(x')^{2}"
    assert to_latex(var("Sigma_0")) == r"\Sigma_{0}"


def test_a_loose_index_does_not_stop_the_printer() -> None:
    body = total(i, one, n, entry(z, i)).args[2]
    assert to_plain(body) == "z[#0]"
    assert to_latex(body) == r"z_{\mathrm{\#0}}"


# --- marks --------------------------------------------------------------------------------------------------


def paths(term: Term, here: Path = ()) -> Iterator[Path]:
    yield here
    for place, child in enumerate(term.args):
        yield from paths(child, (*here, place))


def unmarked(latex: str) -> str:
    """`latex` without its marks."""
    while (start := latex.find(r"\derivemark{")) >= 0:
        at, depth = start + len(r"\derivemark{"), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(latex[at], 0)
            at += 1
        latex = latex[:start] + latex[start + len(r"\derivemark{") : at - 1] + latex[at:]
    return latex.replace("{}", "")


MARKS: list[tuple[Term, Path, str, str]] = [
    (add(a, b), (1,), r"a + \derivemark{b}", "a + #derive-mark($display(b)$)"),
    (sub(a, b), (1, 0), r"a - \derivemark{b}", "a - #derive-mark($display(b)$)"),
    (sub(a, b), (1,), r"a \derivemark{{}- b}", 'a #derive-mark($display(class("binary", -) b)$)'),
    (mul(a, add(b, c)), (1,), r"a \cdot \derivemark{(b + c)}", "a dot.op #derive-mark($display((b + c))$)"),
    (div(a, b), (0,), r"\frac{\derivemark{a}}{b}", "frac(#derive-mark($a$), b)"),
    (power(a, two), (1,), r"a^{\derivemark{2}}", "a^(#derive-mark($script(2)$))"),
    (power(a, power(two, two)), (1, 1), r"a^{2^{\derivemark{2}}}", "a^(2^(#derive-mark($sscript(2)$)))"),
    # folded away: the size of a softmax, the argument of e, the conditions of a vector, the index of z - c
    (softmax(z), (0,), r"\derivemark{\operatorname{softmax}(z)}", 'DISPLAY(upright("softmax")(z))'),
    (exp(one), (0,), r"\derivemark{e}", "DISPLAY(e)"),
    (logits, (0, 0, 1), r"\derivemark{(500, 502)}", "DISPLAY((500, 502))"),
    (logits, (0, 1), r"(\derivemark{500}, 502)", "(#derive-mark($display(500)$), 502)"),
    (shifted, (0, 0, 1), r"\derivemark{z} - c", "#derive-mark($display(z)$) - c"),
]


@pytest.mark.parametrize(("term", "mark", "latex", "typst"), MARKS)
def test_a_mark_stands_around_its_part(term: Term, mark: Path, latex: str, typst: str) -> None:
    if typst.startswith("DISPLAY"):
        typst = f"#derive-mark($display{typst.removeprefix('DISPLAY')}$)"
    assert to_latex(term, frozenset([mark])) == latex
    assert to_typst(term, frozenset([mark])) == typst


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(terms(), st.randoms())
def test_marks_change_nothing_but_themselves_and_none_is_lost(term: Term, rnd: random.Random) -> None:
    everywhere = list(paths(term))
    for display in (True, False):
        plain = to_latex(term, display=display)
        for mark in rnd.sample(everywhere, min(4, len(everywhere))):
            marked = to_latex(term, frozenset([mark]), display)
            assert r"\derivemark{" in marked
            assert unmarked(marked).replace(" ", "") == plain.replace("{}", "").replace(" ", "")


# --- the two formula printers -------------------------------------------------------------------------------


def test_the_two_printers_agree_on_every_formula_here() -> None:
    for display in (True, False):
        pairs = [(to_latex(t, display=display), to_typst(t, display=display)) for t, *_ in EXACT.values()]
        assert differences(pairs, display) == []


def test_the_two_printers_agree_on_random_terms_marked_or_not() -> None:
    found: list[Term] = []

    @settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(terms())
    def collect(term: Term) -> None:
        found.append(term)

    collect()
    rnd = random.Random(45)
    for display in (True, False):
        pairs = []
        for term in found:
            everywhere = list(paths(term))
            marks = frozenset(rnd.sample(everywhere, min(rnd.randint(0, 3), len(everywhere))))
            pairs.append((to_latex(term, marks, display), to_typst(term, marks, display)))
        assert differences(pairs, display) == []


def test_the_comparison_sees_a_lost_bracket_a_changed_sign_and_a_moved_index() -> None:
    assert differences([("(a + b)c", "(a + b) c")]) == []
    assert differences([("a + b c", "(a + b) c")])
    assert differences([("a + b", "a - b")])
    assert differences([("z_{i}^{j}", "z_(j)^(i)")])
    assert differences([(r"\frac{a}{b} + c", "frac(a, b + c)")])
    assert differences([(r"\sqrt{a}b", "sqrt(a b)")])
    assert differences([(r"\derivemark{a} + b", "#derive-mark($a + b$)")])
    assert tokens(latex_mathml([r"\frac{a}{2}"])[0]) == ("over{", "a", "}", "under{", "2", "}")


# --- depth --------------------------------------------------------------------------------------------------

DEEP: dict[str, Callable[[Term], Term]] = {
    "sum": lambda x: add(x, a),
    "product": lambda x: mul(x, a),
    "sign": neg,
    "fraction": lambda x: div(x, a),
    "power": lambda x: power(x, two),
    "exponential": exp,
    "root": sqrt,
    "logarithm": ln,
    "maximum": lambda x: maximum(x, a),
    "range": lambda x: total(i, one, n, mul(entry(z, i), x)),
    "maximum of a range": lambda x: greatest(i, one, n, x),
    "cases": lambda x: when(relation("eq", i, t), a, x),
    "vector": lambda x: entry(comprehension([i], when(relation("eq", i, one), x, b)), one),
    "application": lambda x: entry(softmax(comprehension([j], sub(entry(z, j), x))), i),
}


def under(frames: int, act: Callable[[], None]) -> None:
    if frames:
        under(frames - 1, act)
    else:
        act()


@pytest.mark.parametrize("shape", DEEP)
def test_the_deepest_term_can_be_printed_and_marked_everywhere(shape: str) -> None:
    term: Term = c
    while (deeper := DEEP[shape](term) if term.depth <= MAX_DEPTH - 6 else None) is not None:
        term = deeper
    marks = frozenset(paths(term))

    def act() -> None:
        for display in (True, False):
            to_latex(term, marks, display)
            to_typst(term, marks, display)
        to_plain(term)
        to_speech(term, "zh")
        to_speech(term, "en")

    under(100, act)


# --- speech -------------------------------------------------------------------------------------------------

SPOKEN: list[tuple[Term, str, str]] = [
    (
        total(j, one, n, exp(entry(z, j))),
        "the sum over j from 1 to n of e to the z sub j",
        "对 j 从 1 到 n 求和：e 的 z 下标 j 次方",
    ),
    (
        add(total(j, one, n, entry(z, j)), a),
        "the sum over j from 1 to n of z sub j, end sum plus a",
        "对 j 从 1 到 n 求和：z 下标 j，求和结束 加 a",
    ),
    (div(a, b), "a over b", "b 分之 a"),
    (add(c, div(a, b)), "c plus the fraction a over b, end fraction", "c 加 分式 b 分之 a，分式结束"),
    (
        div(add(a, b), sqrt(c)),
        "the fraction with numerator a plus b and denominator the square root of c, end fraction",
        "分式，分子为 a 加 b，分母为 根号 c，分式结束",
    ),
    (
        relation("eq", entry(softmax(shifted), i), entry(softmax(z), i)),
        "entry i of softmax of open bracket z minus c close bracket equals entry i of softmax of z",
        "softmax 左括号 z 减 c 右括号 所得的第 i 个分量 等于 softmax 作用于 z 所得的第 i 个分量",
    ),
    (
        mul(num(4), power(d, two)),
        "4 times d sub model, end sub, squared",
        "4 乘 d 下标 model，下标结束，的平方",
    ),
    (power(a, add(n, one)), "a to the power n plus 1, end power", "a 的 n 加 1 次方"),
    (
        forall(i, one, n, relation("le", entry(z, i), c)),
        "for all i from 1 to n, z sub i is at most c",
        "对从 1 到 n 的所有 i，z 下标 i 小于等于 c",
    ),
    (
        when(relation("le", i, t), a, num(0)),
        "a if i is at most t, otherwise 0",
        "当 i 小于等于 t 时为 a，否则为 0",
    ),
    (logits, "the vector 500, 502, end vector", "向量 500、502，向量结束"),
]


@pytest.mark.parametrize(("term", "en", "zh"), SPOKEN)
def test_a_formula_is_read_aloud(term: Term, en: str, zh: str) -> None:
    assert to_speech(term, "en") == en
    assert to_speech(term, "zh") == zh


AMBIGUOUS_TO_THE_EAR: list[tuple[Term, Term]] = [
    (div(add(a, b), c), add(a, div(b, c))),
    (mul(div(a, b), c), div(a, mul(b, c))),
    (exp(add(a, b)), add(exp(a), b)),
    (power(entry(z, i), two), entry(z, power(i, two))),
    (sqrt(add(a, b)), add(sqrt(a), b)),
    (total(i, one, n, add(entry(z, i), c)), add(total(i, one, n, entry(z, i)), c)),
    (entry(softmax(z), i), apply(Definition("softmax", (a,), a), entry(z, i))),
    (add(entry(z, i), one), entry(z, add(i, one))),
    (neg(add(a, b)), add(neg(a), b)),
    (ln(mul(a, b)), mul(ln(a), b)),
]


@pytest.mark.parametrize(("one_term", "other"), AMBIGUOUS_TO_THE_EAR)
def test_what_differs_sounds_different(one_term: Term, other: Term) -> None:
    assert to_speech(one_term, "en") != to_speech(other, "en")
    assert to_speech(one_term, "zh") != to_speech(other, "zh")


# --- what changed -------------------------------------------------------------------------------------------

CHANGES: list[tuple[Term, Term, set[Path], set[Path]]] = [
    (a, a, set(), set()),
    (a, b, {()}, {()}),
    (add(a, b), add(a, c), {(1,)}, {(1,)}),
    (add(a, b), add(a, b, c), {()}, {(2,)}),
    (add(a, b, c), add(a, c), {(1,)}, {()}),
    (add(a, b), mul(a, b), {()}, {()}),
    (
        weights(lambda x: exp(sub(entry(z, x), c))),
        weights(lambda x: mul(exp(entry(z, x)), exp(neg(c)))),
        {(0,), (1, 2)},
        {(0,), (1, 2)},
    ),
    (total(i, one, n, entry(z, i)), total(j, one, n, entry(z, j)), set(), set()),
    (total(i, one, n, entry(z, i)), total(i, one, t, entry(z, i)), {(1,)}, {(1,)}),
    (entry(softmax(shifted), i), entry(softmax(z), i), {(0, 1)}, {(0, 1)}),
    (softmax(z), apply(Definition("other", (n, z), z), n, z), {()}, {()}),
    (relation("eq", a, b), relation("eq", a, c), {(1,)}, {(1,)}),
]


@pytest.mark.parametrize(("old", "new", "ours", "theirs"), CHANGES)
def test_the_smallest_changed_parts_are_found(old: Term, new: Term, ours: set[Path], theirs: set[Path]) -> None:
    assert changed(old, new) == (ours, theirs)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(terms(), terms())
def test_changes_are_places_in_both_terms_and_none_only_where_nothing_changed(old: Term, new: Term) -> None:
    ours, theirs = changed(old, new)
    assert ours <= set(paths(old))
    assert theirs <= set(paths(new))
    assert bool(ours) == bool(theirs) == (old != new)
    assert changed(old, old) == (frozenset(), frozenset())
