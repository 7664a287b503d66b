"""The trust page in one language, as a web page and as Markdown, from what one run of the checks has found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from derive.coq import Opinion, installed
from derive.definitions import signatures
from derive.errors import DeriveError
from derive.library import LibraryTheorem, reason_text
from derive.report import graph
from derive.report.evidence import Evidence, gather
from derive.report.printed import of_axiom, of_definition, read_back
from derive.report.trusted import (
    borrowed, coq_lines, imports, kernel_lines, question_lines, replay_lines, rules, shared_lines, table,
    untheorematic, versions, writer_lines, writers_meet,
)  # fmt: skip
from derive.sheets.blocks import Chain, Formula, Language, Message, Text
from derive.sheets.documents import dress
from derive.sheets.formulas import TermPrinter
from derive.sheets.targets import Target
from derive.sheets.targets.delimiters import page_environment
from derive.stepper.lemmas import case_of
from derive.stepper.why import equation
from derive.theorems import Outcome, RegisteredTheorem, Said
from derive.theorems import Verdict as Checked
from proofs import kernel, replay, terms
from proofs.coq.shared import prelude
from proofs.kernel import AXIOMS, Axiom
from proofs.statement import Declaration, Statement
from proofs.terms import Definition, Term, relation

_SUFFIXES = frozenset((".html", ".htm", ".md", ".markdown"))
_DETAIL = 300


@dataclass(frozen=True)
class Run:
    """What a page is made of: the evidence of one run of the checks, its seed, and what was found of Coq.

    `coq` is the version of Coq on this machine, None where there is none; `opinion` what it said, None if not asked.
    """

    evidence: tuple[Evidence, ...]
    seed: int
    opinion: Opinion | None = None
    coq: str | None = None

    @cached_property
    def proved(self) -> int:
        return sum(e.accepted for e in self.evidence)

    @cached_property
    def shown(self) -> tuple[Evidence, ...]:
        """The theorems that were accepted, whose proofs are drawn and listed."""
        return tuple(e for e in self.evidence if e.accepted)

    @property
    def numerals(self) -> tuple[int, int]:
        """How many numerals of the certificates are written as a whole number or a quotient of two, and of how many."""
        return sum(e.tally.exact for e in self.shown), sum(e.tally.numerals for e in self.shown)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Every definition that a theorem here speaks of."""
        found = {d.name: d for e in self.evidence for d in e.definitions}
        return tuple(found[name] for name in signatures() if name in found)

    @cached_property
    def printed(self) -> tuple[int, int]:
        """How many of all formulas on the page, statements, chains, definitions and axioms, read back, of how many."""
        found = [e.printed for e in self.evidence]
        found += [read_back((equation(d),), of_definition(d)) for d in self.definitions]
        found += [read_back((*a.premises, a.conclusion), of_axiom(a)) for a in AXIOMS.values()]
        return sum(right for right, _ in found), sum(n for _, n in found)


@dataclass(frozen=True)
class Declared:
    """Names that are declared alike."""

    key: str
    names: tuple[Formula, ...]
    ends: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """One row of a theorem's verdicts: who, what, and after how long."""

    who: str
    said: Said
    detail: Text | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Shown:
    """A theorem as the templates print it."""

    evidence: Evidence
    title: Text
    declared: tuple[Declared, ...]
    statement: Statement | None
    chain: Chain | None
    verdicts: tuple[Verdict, ...]
    cases: tuple[str, ...]
    names: Mapping[int, Text | Term] = field(default_factory=dict)


def places(file: str) -> tuple[Path, Path]:
    """The names of the page and of its Markdown: FILE without a suffix of either, with one of each.

    Raises
    ------
    DeriveError
        ``report-name`` where FILE names no file.

    >>> [str(p) for p in places("out/trust.html")], [str(p) for p in places("run-1.2")]
    (['out/trust.html', 'out/trust.md'], ['run-1.2.html', 'run-1.2.md'])
    """
    path = Path(file)
    stem = path.stem if path.suffix.lower() in _SUFFIXES else path.name
    if stem in ("", "..") or "\0" in file or file.endswith(("/", "\\")):
        raise DeriveError("report-name", file=file)
    return path.with_name(f"{stem}.html"), path.with_name(f"{stem}.md")


def written(
    outcomes: Sequence[tuple[RegisteredTheorem, Outcome]], seed: int, lang: Language, opinion: Opinion | None = None
) -> tuple[str, str]:
    """The page and its Markdown. `opinion` is what Coq said in all, None where it was not asked."""
    run = Run(gather(outcomes), seed, opinion, installed())
    return page(run, lang), markdown(run, lang)


def page(run: Run, lang: Language) -> str:
    """One web page that needs nothing else."""
    from derive.sheets.targets.html import Html, with_fonts

    return with_fonts(_rendered(run, Html(lang, TermPrinter()), "report/page.html"))


def markdown(run: Run, lang: Language) -> str:
    """The same as Markdown."""
    from derive.sheets.targets.md import Md

    return re.sub(r"\n{3,}", "\n\n", _rendered(run, Md(lang, TermPrinter()), "report/page.md")).strip() + "\n"


def _rendered(run: Run, target: Target, template: str) -> str:
    environment = dress(target)
    shown = [_shown(e, run) for e in run.evidence]
    environment.globals.update(
        listed=lambda formulas: _listed(formulas, target),
        time=time,
        reasons=reason_text,
        graph=lambda layout: Markup(_graph(layout)),
        of_theorem=lambda s: graph.of_theorem(s.evidence, target, s.names),
    )
    environment.filters.update(as_formula=Formula, as_text=lambda x: Formula(x) if isinstance(x, Term) else x)
    return environment.get_template(template).render(
        run=run,
        theorems=shown,
        overall=graph.overall(run.shown, target),
        drawn=[s for s in shown if s.evidence.accepted],
        hovered=_names(run, shown),
        lines={
            "kernel": kernel_lines(),
            "replay": replay_lines(),
            "prelude": coq_lines(prelude()),
            "question": question_lines(),
            "writer": writer_lines(),
            "shared": shared_lines(),
        },
        uses={"kernel": ", ".join(imports(terms, kernel)), "replay": ", ".join(imports(replay))},
        borrowed=", ".join((*borrowed(terms, kernel), *borrowed(replay))),
        meet=", ".join(writers_meet()),
        parts=untheorematic(),
        rules=rules(),
        used=_used(run),
        table={f: [_row(a) for a in rows] for f, rows in table().items()},
        definitions=[(d.name, Formula(equation(d))) for d in run.definitions],
        versions=versions(run.coq),
        granted=", ".join(() if run.opinion is None else sorted(run.opinion.granted)),
    )


def _row(a: Axiom) -> tuple[str, tuple[Formula, ...], Formula]:
    return a.name, tuple(map(Formula, a.premises)), Formula(a.conclusion)


def _used(run: Run) -> dict[str, int]:
    """In how many theorems each rule and each row of the table is used."""
    found: dict[str, int] = {}
    for e in run.evidence:
        for name in (*e.tally.rules, *e.tally.rows):
            found[name] = found.get(name, 0) + 1
    return found


def _names(run: Run, shown: Sequence[Shown]) -> list[str]:
    """What nodes of the pictures are called, each once."""
    found = dict.fromkeys(f"t{k}" for k in range(len(run.shown)))
    for s in shown:
        found |= dict.fromkeys(f"a{n}" for n in s.names)
        for x in s.evidence.lines:
            found[f"l{x.number or 0}"] = None
            found |= dict.fromkeys(f"r-{row}" for row in x.tally.rows)
            found |= dict.fromkeys(f"d-{d}" for d in x.tally.unfolded)
    return list(found)


# --- one theorem -------------------------------------------------------------------------------------------


def _shown(e: Evidence, run: Run) -> Shown:
    theorem, outcome = e.theorem, e.outcome
    keyed = theorem.title_key if isinstance(theorem, LibraryTheorem) else None
    title: Text = theorem.title if keyed is None else Message(keyed)
    statement = outcome.statement
    return Shown(
        e,
        title,
        () if statement is None else _declared(statement),
        statement,
        outcome.chains[0] if e.accepted and outcome.chains else None,
        _verdicts(e, run),
        _cases(e, run),
        {} if statement is None else _assumptions(statement),
    )


def _declared(statement: Statement) -> tuple[Declared, ...]:
    """The declarations in their order, those of a kind that follow one another together."""
    found: list[tuple[str, list[Declaration]]] = []
    for d in statement.declarations:
        key = f"tensor-{min(len(d.dimensions), 3)}" if d.dimensions else d.kind
        last = found[-1] if found else None
        if last is not None and last[0] == key and _ends(last[1][0]) == _ends(d):
            last[1].append(d)
        else:
            found.append((key, [d]))
    return tuple(
        Declared(key, tuple(Formula(d.variable) for d in group), tuple(map(Formula, _ends(group[0]))))
        for key, group in found
    )


def _ends(d: Declaration) -> tuple[Term, ...]:
    return d.dimensions if d.upper is None else (d.upper,)


def _assumptions(statement: Statement) -> dict[int, Text | Term]:
    """What each assumption is called in a picture: what is declared by its formula, a hypothesis by its number."""
    found: dict[int, Text | Term] = {}
    for n, p in enumerate(statement.assumptions()):
        if p in statement.hypotheses:
            found[n] = Message("report.hypothesis", {"n": statement.hypotheses.index(p) + 1})
        else:
            found[n] = p
    return found


def _verdicts(e: Evidence, run: Run) -> tuple[Verdict, ...]:
    outcome = e.outcome
    details: dict[str, Text | None] = {who: _short(v.why) for who, v in outcome.verdicts.items()}
    if outcome.proof is not None:
        details["kernel"] = Message("report.inferences", {"n": e.tally.inferences})
    if outcome.numpy.said in ("agreed", "disagreed"):
        details["numpy"] = _tried(outcome)
    if outcome.sympy.said == "agreed":
        details["sympy"] = Message("report.derived")
    if outcome.coq.said == "not-asked":
        details["coq"] = Message("report.coq-not-asked" if run.coq else "report.coq-not-here")
    made = [_row_of(who, v, details[who]) for who, v in outcome.verdicts.items()]
    right, n = e.printed
    if n:
        said: Said = "agreed" if right == n else "disagreed"
        made.insert(-1, Verdict("printed", said, Message("report.read-back", {"right": right, "n": n})))
    return tuple(made)


def _row_of(who: str, verdict: Checked, detail: Text | None) -> Verdict:
    return Verdict(who, verdict.said, detail, None if verdict.said == "not-asked" else verdict.seconds)


def _short(why: Text | None) -> Text | None:
    return " ".join(why.split())[:_DETAIL] or None if isinstance(why, str) else why


def _tried(outcome: Outcome) -> Text:
    deviation = f"{outcome.largest_deviation:.1e}" if outcome.largest_deviation else "0"
    params: dict[str, Text] = {"deviation": deviation}
    if not outcome.free:
        return Message("report.tried-closed", params)
    key = "report.tried"
    if outcome.spread is not None:
        key += "-sizes"
        params |= {"smallest": outcome.spread[0], "largest": outcome.spread[1]}
    if outcome.beyond:
        key += "-beyond"
        params |= {"beyond": outcome.beyond, "compared": outcome.compared}
    return Message(key, {"n": outcome.instances, **params})


def _cases(e: Evidence, run: Run) -> tuple[str, ...]:
    """The other theorems here that the claim, or a line of the chain, is a case of."""
    chain = e.outcome.proof
    if chain is None:
        return ()
    steps = [relation(b.relation, a.term, b.term) for a, b in pairwise(chain.lines) if b.relation is not None]
    found = []
    for other in run.evidence:
        general = other.outcome.statement
        if general is None or other.name == e.name:
            continue
        if any(case_of(general, p, chain.statement) is not None for p in (chain.statement.claim, *steps)):
            found.append(other.name)
    return tuple(found)


# --- printing ----------------------------------------------------------------------------------------------


def time(seconds: float | None) -> str:
    """A duration, to two digits.

    >>> time(0.0123), time(1.234), time(0.0000004), time(83.2)
    ('12 ms', '1.2 s', '0 ms', '83 s')
    """
    if seconds is None:
        return ""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"


def _listed(formulas: Iterable[Formula], target: Target) -> Markup:
    comma = "\u3001" if target.lang == "zh" else ", "
    return Markup(comma.join(target.formula(f) for f in formulas))


@lru_cache(maxsize=1)
def _pictures() -> Environment:
    environment = page_environment()
    environment.filters.update(px=lambda x: f"{x:.2f}".rstrip("0").rstrip("."))
    return environment


def _graph(layout: graph.Layout) -> str:
    made = _pictures().get_template("report/graph.svg").render(d=layout)
    return "\n".join(line.strip() for line in made.splitlines() if line.strip())
