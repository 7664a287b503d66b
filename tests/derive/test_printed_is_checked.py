"""What is printed is what was checked: read back, every formula of every document is the term that was proved."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction as Rational

import pytest
from hypothesis import HealthCheck, assume, given, settings

from derive.definitions import signatures
from derive.library import LibraryTheorem, printed_chain, theorems
from derive.report.page import written
from derive.report.printed import (
    PRINTERS,
    families,
    forms,
    of_axiom,
    of_definition,
    of_statement,
    read,
    read_back,
    reads_back,
)
from derive.sheets.blocks import Formula
from derive.sheets.build import Wanted, build
from derive.sheets.formulas import TermPrinter
from derive.sheets.targets.html import mathml
from derive.stepper.why import equation
from derive.worked import kinds
from proofs.calc import Chain
from proofs.context import Context
from proofs.justify import prove
from proofs.kernel import AXIOMS
from proofs.statement import Declaration
from proofs.syntax import layout, to_latex
from proofs.syntax.boxes import Big, Fraction, Node, Slash, Sum
from proofs.syntax.derivation import read_derivation
from proofs.syntax.environment import Environment
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.to_plain import to_plain
from proofs.terms import (
    Term, add, div, entry, forall, instantiate, mul, neg, num, rebuild, relation, sub, substitute, var,
)  # fmt: skip
from tests.mutations import mutants
from tests.proofs.syntax.random_terms import propositions
from tests.proofs.syntax.test_printers import unmarked
from tests.proofs.syntax.test_printers_read_back import ENVIRONMENT, captured, expressions, readable

NAMES = list(theorems())
SIGNS = {"=": "eq", r"\leq": "le", "<": "lt"}
PLAIN_SIGNS = {"eq": "=", "le": "<=", "lt": "<"}


def theorem(name: str) -> LibraryTheorem:
    found = theorems()[name]
    assert isinstance(found, LibraryTheorem)
    return found


def checked(name: str) -> Chain:
    return theorem(name).chain


def terms_of(chain: Chain) -> list[Term]:
    return [*chain.statement.assumptions(), chain.statement.claim, *(line.term for line in chain.lines)]


# --- the printers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_and_line_reads_back_in_every_form(name: str) -> None:
    chain = checked(name)
    env = of_statement(chain.statement)
    for term in terms_of(chain):
        for text in forms(term):
            assert read(text, term.sort == "proposition", env) == term, text
    assert read_back(terms_of(chain), env) == (len(terms_of(chain)),) * 2


@pytest.mark.parametrize("name", [*signatures()])
def test_every_definition_reads_back(name: str) -> None:
    d = signatures()[name].definition
    assert reads_back(equation(d), of_definition(d))


@pytest.mark.parametrize("name", AXIOMS)
def test_every_axiom_reads_back(name: str) -> None:
    row = AXIOMS[name]
    assert all(reads_back(p, of_axiom(row)) for p in (*row.premises, row.conclusion))


def declared(d: Declaration) -> str:
    inner = ", ".join(map(to_plain, d.dimensions)) if d.upper is None else to_plain(d.upper)
    return f"let {d.name} : {d.kind}" + (f"[{inner}]" if inner else "")


@pytest.mark.parametrize("printer", range(len(PRINTERS)))
@pytest.mark.parametrize("name", NAMES)
def test_a_printed_proof_is_a_derivation_file_of_the_same_proof(name: str, printer: int) -> None:
    chain, show = checked(name), PRINTERS[printer]
    statement = chain.statement
    head = [*map(declared, statement.declarations), *(f"suppose {show(p)}" for p in statement.hypotheses)]
    first, *rest = chain.lines
    lines = [show(first.term), *(f"{PLAIN_SIGNS[x.relation or 'eq']} {show(x.term)}" for x in rest)]
    text = "\n".join([*head, f"claim {show(statement.claim)}", "proof", *(f"  {x}" for x in lines)])
    derivation = read_derivation(text, signatures())
    assert derivation.statement == statement
    assert [x.fault for x in derivation.lines] == [None] * len(lines)
    assert [x.term for x in derivation.lines] == [x.term for x in chain.lines]
    assert [x.relation for x in derivation.lines[1:]] == [PLAIN_SIGNS[x.relation or "eq"] for x in rest]


def typed(t: Term) -> Term:
    """`t` with signs and quotients in the place of numerals that nobody can type."""
    if t.op == "num":
        q = Rational(t.data)  # type: ignore[arg-type]
        made = num(abs(q)) if q.denominator == 1 else div(num(abs(q.numerator)), num(q.denominator))
        return neg(made) if q < 0 else made
    return rebuild(t, tuple(map(typed, t.args))) if t.args else t


@pytest.mark.parametrize("name", NAMES)
def test_corrupted_lines_are_printed_as_what_they_are(name: str) -> None:
    """A size that a reader infers is not printed: a line with another one must not pass for the line itself."""
    chain = checked(name)
    env, rng = of_statement(chain.statement), random.Random(name)
    lines = [typed(line.term) for line in chain.lines]
    assert not any(True for line in lines for _ in families(line))
    found = [(line, typed(m)) for line in lines for _, m in mutants(line, rng, 12)]
    found = [(line, m) for line, m in found if not any(True for _ in families(m))]  # such a one can't be typed
    assert len(found) >= 8
    for line, mutant in found:
        looks_the_same = to_plain(mutant) == to_plain(line) and mutant != line
        assert reads_back(mutant, env) != looks_the_same, to_plain(mutant)


def test_a_hidden_size_that_is_not_the_inferred_one_is_noticed() -> None:
    chain = checked("softmax-shift-invariance")
    env, n = of_statement(chain.statement), var("n", "integer")
    softmax = chain.lines[-1].term
    wrong = rebuild(softmax, (rebuild(softmax.args[0], (add(n, num(1)), softmax.args[0].args[1])), softmax.args[1]))
    assert to_plain(wrong) == to_plain(softmax)
    assert reads_back(softmax, env)
    assert not reads_back(wrong, env)


thorough = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


@thorough
@given(expressions)
def test_random_terms_read_back(t: Term) -> None:
    assert reads_back(readable(t, decimals=False), ENVIRONMENT)


@thorough
@given(propositions(3))
def test_random_propositions_read_back(p: Term) -> None:
    assume(to_plain(p).count(" : index[") <= 3)  # with more, an index may be called n, as the size that is declared
    assert reads_back(readable(p, decimals=False), ENVIRONMENT)


def test_a_range_within_a_range_reads_back_with_its_own_ends() -> None:
    i, j, n, x = var("i", "integer"), var("j", "integer"), var("n", "integer"), var("x", "real", 2)
    env = Environment.of([Declaration(n, "size"), Declaration(x, "real", None, (n, n))])
    inner = forall(j, i, sub(n, i), relation("le", num(0), entry(x, i, j)))
    assert reads_back(forall(i, num(2), add(n, num(1)), inner), env)


# --- the documents -----------------------------------------------------------------------------------------


@dataclass
class Printed:
    """What a document shows of one proof, in LaTeX: formulas on lines of their own, and the chain.

    `others` are the formulas of a sentence "for every r from 1 to n other than p" after a display, by its place.
    """

    displays: list[str] = field(default_factory=list)
    lines: list[tuple[str | None, str]] = field(default_factory=list)
    others: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def holds(self, chain: Chain) -> None:
        """Assert that this is the statement and the chain."""
        statement = chain.statement
        env = of_statement(statement)
        said = [*statement.hypotheses, statement.claim]
        assert len(self.displays) == len(said)
        for k, (text, wanted) in enumerate(zip(self.displays, said, strict=True)):
            if k in self.others:
                says_of_all_others(text, self.others[k], wanted, env)
            else:
                assert read(f"${text}$", True, env) == wanted
        assert [read(f"${text}$", False, env) for _, text in self.lines] == [x.term for x in chain.lines]
        assert [None if s is None else SIGNS[s] for s, _ in self.lines] == [x.relation for x in chain.lines]


def says_of_all_others(text: str, others: tuple[str, ...], wanted: Term, env: Environment) -> None:
    """Assert that "text, for every r from low to high other than p" says what a 'for all' with a choice says.

    The choice is between r = p and every other r: at others it must be the text, and at p it must say nothing.
    """
    r = Declaration(var(others[0], "integer"), "integer")
    low, high, other = (read(f"${x}$", False, env) for x in others[1:])
    assert wanted.op == "forall"
    assert wanted.args[:2] == (low, high)
    body = instantiate(wanted.args[2], (r.variable,))
    inner = Environment.of([*env.declarations.values(), r], env.signatures)
    assert read(f"${text}$", True, inner) == chosen(body, r.variable, other, 2)
    assert prove(substitute(chosen(body, r.variable, other, 1), {r.variable: other}), Context()) is not None


def chosen(t: Term, r: Term, other: Term, branch: int) -> Term:
    """`t` with one branch for every choice between ``r = other`` and the rest."""
    if t.op == "if" and t.args[0] in (relation("eq", r, other), relation("eq", other, r)):
        return chosen(t.args[branch], r, other, branch)
    return rebuild(t, tuple(chosen(a, r, other, branch) for a in t.args)) if t.args else t


_MARKDOWN = re.compile(
    r"^\$\$\n(?P<display>.+)\n\$\$$|^\d+\. \$\\displaystyle (?P<numbered>.+)\$$"
    r"|^\| (?:\$(?P<sign>[^$]+)\$ )?\| \$\\displaystyle (?P<line>[^$]+)\$ \|"
    r"|^for every \$(?P<r>.+?)\$ from \$(?P<low>.+?)\$ to \$(?P<high>.+?)\$ other than \$(?P<other>.+?)\$\.$",
    re.MULTILINE,
)


def in_markdown(text: str) -> Iterator[Printed]:
    """Each chain of a Markdown document, with the displays since the chain before it."""
    found = Printed()
    for m in _MARKDOWN.finditer(text):
        if m["r"] is not None:
            found.others[len(found.displays) - 1] = m.group("r", "low", "high", "other")
        elif m["line"] is None:
            if found.lines:
                yield found
                found = Printed()
            found.displays.append(m["display"] or m["numbered"])
        else:
            found.lines.append((m["sign"], m["line"]))
    yield found


_LATEX = re.compile(
    r"\\(displayed|chainfirst|chainline)(?=\{)"
    r"|for every \\\((?P<r>.+?)\\\) from \\\((?P<low>.+?)\\\) to \\\((?P<high>.+?)\\\)"
    r" other than \\\((?P<other>.+?)\\\)\."
)


def argument(text: str, at: int) -> tuple[str, int]:
    """The LaTeX between the brace at `at` and the one that closes it, and the place behind that."""
    assert text[at] == "{"
    depth, k = 1, at + 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[k], 0)
        k += 1
    return text[at + 1 : k - 1], k


def in_latex(text: str) -> Iterator[Printed]:
    """Each chain of a LaTeX document, with the displays since the chain before it."""
    found = Printed()
    for m in _LATEX.finditer(text):
        if m["r"] is not None:
            found.others[len(found.displays) - 1] = m.group("r", "low", "high", "other")
            continue
        first, end = argument(text, m.end())
        if m[1] == "displayed":
            if found.lines:
                yield found
                found = Printed()
            found.displays.append(unmarked(first))
        elif m[1] == "chainfirst":
            found.lines.append((None, unmarked(first)))
        else:
            found.lines.append((first, unmarked(argument(text, end)[0])))
    yield found


@pytest.fixture(scope="module")
def reports() -> tuple[str, str]:
    """The trust page and its Markdown."""
    return written([(t, t.check(0)) for t in theorems().values()], 0, "en")


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A sheet that asks for every proof of the library, as Markdown and as LaTeX."""
    folder = tmp_path_factory.mktemp("proofs")
    parts = ['[sheet]\nid = "proofs"\ntitle = { zh = "证明", en = "Proofs" }\n']
    for k, name in enumerate(NAMES, 1):
        parts.append(f'[[exercise]]\nid = "{k}"\nproblem = "proof"\ngiven = {{ theorem = "{name}" }}\n')
    manifest = folder / "proofs.toml"
    manifest.write_text("\n".join(parts), encoding="utf-8")
    wanted = Wanted(("md", "tex"), ("en",), ("solutions",), out=folder)
    written_to = build([manifest], kinds(), TermPrinter(), wanted)
    return {path.suffix: path.read_text(encoding="utf-8") for path in written_to}


def test_the_markdown_of_the_trust_page_shows_what_was_checked(reports: tuple[str, str]) -> None:
    text = reports[1]
    body = text[text.index("\n## Theorems\n") : text.index("\n## The definitions\n")]
    found = list(in_markdown(body))
    assert len(found) == len(NAMES)
    assert re.findall(r"^`([a-z0-9-]+)`$", body, re.MULTILINE) == NAMES
    for name, printed in zip(NAMES, found, strict=True):
        printed.holds(checked(name))


def test_the_table_of_axioms_in_markdown_is_the_table(reports: tuple[str, str]) -> None:
    text = reports[1][reports[1].index("\n## The table of axioms\n") :]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?) \| \$(.+?)\$ \|", text, re.MULTILINE)
    assert {name for name, _, _ in rows} == set(AXIOMS)
    for name, premises, conclusion in rows:
        env = of_axiom(AXIOMS[name])
        assert read(f"${conclusion}$", True, env) == AXIOMS[name].conclusion
        found = [read(f"${p}$", True, env) for p in re.findall(r"\$(.+?)\$", premises)]
        assert tuple(found) == AXIOMS[name].premises


def test_the_web_page_shows_the_latex_that_reads_back(reports: tuple[str, str]) -> None:
    articles = re.findall(r'<article id="theorem-([a-z0-9-]+)">(.*?)</article>', reports[0], re.DOTALL)
    assert [name for name, _ in articles] == NAMES
    for name, article in articles:
        chain = checked(name)
        printed = printed_chain(chain)
        wanted = [Formula(p) for p in (*chain.statement.hypotheses, chain.statement.claim)]
        wanted += [printed.first, *(line.formula for line in printed.lines)]
        shown = re.findall(r'<math display="block">.*?</math>', article, re.DOTALL)
        made = [(f.term, to_latex.to_latex(f.term, f.marked)) for f in wanted]  # type: ignore[arg-type]
        assert shown == [mathml(latex, True) for _, latex in made]
        env = of_statement(chain.statement)
        for term, latex in made:
            assert isinstance(term, Term)
            assert read(f"${unmarked(latex)}$", term.sort == "proposition", env) == term


@pytest.mark.parametrize(("suffix", "reader"), [(".md", in_markdown), (".tex", in_latex)])
def test_a_sheet_shows_what_was_checked(
    sheets: dict[str, str], suffix: str, reader: Callable[[str], Iterator[Printed]]
) -> None:
    found = list(reader(sheets[suffix]))
    assert len(found) == len(NAMES)
    for name, printed in zip(NAMES, found, strict=True):
        printed.holds(checked(name))


# --- a printer that is wrong -------------------------------------------------------------------------------


def without_minus(made: Node) -> Node:
    assert isinstance(made, Sum)
    return Sum(tuple(replace(s, minus=False) for s in made.terms))


def to_one_less(made: Node) -> Node:
    return replace(made, hi=made.lo) if isinstance(made, Big) else made


def turned(made: Node) -> Node:
    return replace(made, over=made.under, under=made.over) if isinstance(made, Fraction | Slash) else made


def faulty(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Break the printers in one way."""
    walk = layout._Walk
    if fault == "brackets lost":
        monkeypatch.setattr(walk, "bracket", lambda self, node: node)
    elif fault == "brackets lost in LaTeX":
        monkeypatch.setattr(to_latex, "_in_brackets", lambda inner, tall: inner)
    elif fault == "less for at most":
        monkeypatch.setitem(to_latex._SIGNS, "le", "<")
    elif fault == "minus lost":
        right = walk.add
        monkeypatch.setattr(walk, "add", lambda self, t, at: without_minus(right(self, t, at)))
    elif fault == "range cut":
        whole = walk.range
        monkeypatch.setattr(walk, "range", lambda self, t, at: to_one_less(whole(self, t, at)))
    elif fault == "indices turned":
        joined = to_latex._list
        monkeypatch.setattr(to_latex, "_list", lambda nodes, comma: joined(tuple(reversed(nodes)), comma))
    elif fault == "quotient turned":
        whole = walk.div
        monkeypatch.setattr(walk, "div", lambda self, t, at: turned(whole(self, t, at)))
    else:
        monkeypatch.setattr(walk, "names", lambda self, t, at: t.hint)


FAULTS = (
    "brackets lost", "brackets lost in LaTeX", "less for at most", "minus lost", "range cut", "indices turned",
    "quotient turned",
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_printer_is_noticed(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    chains = [checked(name) for name in NAMES]
    assert all(reads_back(t, of_statement(c.statement)) for c in chains for t in terms_of(c))
    faulty(monkeypatch, fault)
    noticed = [c for c in chains if not all(reads_back(t, of_statement(c.statement)) for t in terms_of(c))]
    assert len(noticed) >= 3


def test_a_captured_index_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reads_back(captured, ENVIRONMENT)
    faulty(monkeypatch, "index captured")
    assert not reads_back(captured, ENVIRONMENT)


@pytest.mark.parametrize("name", ["softmax-gap-bound", "mha-parameter-count", "mha-parameter-count-head-independence"])
def test_no_single_bracket_can_be_dropped_unnoticed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Each bracket of a chain in turn: without it, the line can't be read or is another term, or it said nothing."""
    chain = checked(name)
    env = of_statement(chain.statement)
    bracket = layout._Walk.bracket
    dropped = silent = 0
    for term in terms_of(chain):
        place = 0
        while True:
            seen = iter(range(10_000))

            def once(self: layout._Walk, node: Node, seen: Iterator[int] = seen, place: int = place) -> Node:
                return node if next(seen) == place else bracket(self, node)

            with monkeypatch.context() as patch:
                patch.setattr(layout._Walk, "bracket", once)
                text = PRINTERS[0](term)
            if next(seen) <= place:
                break
            with suppress(SyntaxFault):
                silent += read(text, term.sort == "proposition", env) == term
            dropped += 1
            place += 1
    assert dropped >= 3
    assert silent < dropped / 2


def test_a_sum_and_a_product_without_their_bracket_are_told_apart() -> None:
    x = var("x")
    env = Environment.of([Declaration(x, "real")])
    wanted = mul(add(x, num(1)), x)
    assert reads_back(wanted, env)
    assert read("$x + 1 x$".replace("1 x", r"1 \cdot x"), False, env) != wanted


def test_a_document_with_a_changed_sign_is_noticed(reports: tuple[str, str]) -> None:
    body = reports[1][reports[1].index("\n## Theorems\n") :]
    for old, new in ((r"\le s_{p}", r"< s_{p}"), ("e^{-g}", "e^{g}"), (r"\left(n - 1\right)", "n - 1")):
        if old not in body:
            old, new = old.replace(r"\left", "").replace(r"\right", ""), new
        assert old in body
        found = list(in_markdown(body.replace(old, new, 1)))
        refused = 0
        for name, printed in zip(NAMES, found, strict=False):
            try:
                printed.holds(checked(name))
            except (AssertionError, SyntaxFault):
                refused += 1
        assert refused == 1
