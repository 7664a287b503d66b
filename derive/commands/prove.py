"""`derive prove`: checks theorems, and prints their chains."""

from __future__ import annotations

import sys
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from derive.commands.options import force_option, format_option, language_option, one_language, say
from derive.errors import DeriveError
from derive.sheets.prose import catalogue
from derive.visible import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console
    from rich.text import Text

    from derive.coq import Opinion
    from derive.sheets.blocks import Language
    from derive.theorems import Outcome, RegisteredTheorem, Trouble, Verdict


@click.command("prove", help=say("prove"), short_help=say("prove-short"))
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--steps", is_flag=True, help=say("prove-steps"))
@click.option("--certificate", metavar="FILE", help=say("prove-certificate"))
@click.option("--report", metavar="FILE", help=say("prove-report"))
@click.option("--coq", metavar="DIR", help=say("prove-coq"))
@click.option("--check-with", "prover", type=click.Choice(["coq"]), help=say("prove-check-with"))
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", default=0, help=say("prove-seed"))
@force_option
@format_option
@language_option
def command(
    names: tuple[str, ...],
    steps: bool,
    certificate: str | None,
    report: str | None,
    coq: str | None,
    prover: str | None,
    seed: int,
    force: bool,
    format_: str,
    lang: str | None,
) -> int:
    spoken = one_language(lang)
    from derive.library import theorems

    known = theorems()
    for name in names:
        if name not in known:
            close = get_close_matches(name, list(known), 1)
            raise (
                DeriveError("no-theorem-close", name=name, close=close[0])
                if close
                else DeriveError("no-theorem", name=name)
            )
    chosen = [known[name] for name in names] or list(known.values())
    if certificate is not None and len(chosen) != 1:
        raise DeriveError("one-certificate")
    from derive.files import replaceable

    if certificate is not None:
        replaceable(Path(certificate), "certificate", force=force)
    if report is not None:
        from derive.report.page import places

        for place, kind in zip(places(report), ("page", "report"), strict=True):
            replaceable(place, kind, force=force)
    if prover is not None:
        from derive.coq import installed

        if installed() is None:
            raise DeriveError("coq-missing")
    outcomes: list[tuple[RegisteredTheorem, Outcome]] = []
    from rich.console import Console

    waiting = Console(stderr=True)
    with waiting.status("") as status:
        for theorem in chosen:
            status.update(theorem.name)
            outcomes.append((theorem, theorem.check(seed)))
    opinion = None
    if coq is not None:
        _write_coq(Path(coq), outcomes, force)
    if prover is not None:
        from derive.coq import ask_all

        with waiting.status("Coq") as status:
            opinion = ask_all([(t.name, o.proof) for t, o in outcomes], whole=not names, tell=status.update)
        outcomes = [(t, replace(o, coq=opinion.theorems[t.name].verdict)) for t, o in outcomes]
    told = {t.name: failing(t, o, spoken) for t, o in outcomes}
    if certificate is not None:
        theorem, outcome = outcomes[0]
        if outcome.kernel.stands and outcome.replay.stands:
            _write({Path(certificate): outcome.certificate})
        else:
            told[theorem.name].append(catalogue(spoken).plain("prove.no-certificate", name=theorem.name))
    if report is not None:
        from derive.report.page import places, written

        texts = written(outcomes, seed, spoken, opinion)
        _write(dict(zip(places(report), texts, strict=True)))
    if format_ == "json":
        entries = [_entry(t, o, spoken, opinion is not None, told[t.name]) for t, o in outcomes]
        click.echo(json_text({"theorems": entries}))
    else:
        _print(Console(), outcomes, spoken, steps, opinion, [line for lines in told.values() for line in lines])
    if any(told.values()) or not all(o.proved for _, o in outcomes) or (opinion is not None and not opinion.accepted):
        return 1
    return 0 if opinion is None or opinion.complete else 2


def _write(texts: dict[Path, str]) -> None:
    from derive.writing import write_all

    write_all({path: text.encode() for path, text in texts.items()})


def _write_coq(folder: Path, outcomes: Sequence[tuple[RegisteredTheorem, Outcome]], force: bool) -> None:
    from derive.coq import of_chain, sources
    from derive.files import replaceable
    from proofs.coq.shared import Inexpressible

    chains = [(t.name, o.proof) for t, o in outcomes]
    try:
        made = sources([of_chain(name, chain) for name, chain in chains if chain is not None])
    except Inexpressible as fault:
        raise DeriveError("coq-inexpressible", why=str(fault)) from None
    if any(chain is None for _, chain in chains):
        raise DeriveError("coq-without-proof")
    for name in made:
        replaceable(folder / name, "coq", force=force)
    _write({folder / name: text for name, text in made.items()})


# --- what is said of a theorem -----------------------------------------------------------------------------------


def failing(theorem: RegisteredTheorem, outcome: Outcome, lang: Language) -> list[str]:
    """What is wrong with a theorem, each in one line: lines of its chain, who did not accept it, words it lacks."""
    from derive.sheets.terminal import plain

    prose = catalogue(lang)
    said = list(_failing_lines(theorem.name, outcome.trouble, lang)) if outcome.trouble is not None else []
    for who, verdict in outcome.verdicts.items():
        if verdict.stands or (said and (outcome.statement is None or who in ("kernel", "replay"))):
            continue
        params = {
            "name": theorem.name,
            "who": prose.plain(f"report.{who}"),
            "said": prose.plain(f"prove.{verdict.said}"),
        }
        if verdict.why:
            said.append(prose.plain("prove.verdict-why", why=plain(verdict.why, lang), **params))
        else:
            said.append(prose.plain("prove.verdict", **params))
    for missing, key in theorem.unsaid():
        said.append(prose.plain("prove.unsaid", name=theorem.name, sentence=key, lang=missing))
    return [" ".join(line.split()) for line in said]


def _failing_lines(name: str, trouble: Trouble, lang: Language) -> Iterator[str]:
    """The lines of a chain that fail, each with its verdict as ``derive verify`` gives it."""
    from derive.commands.verify import said_of, sentence
    from derive.counterexamples import shown
    from derive.library import names_of
    from derive.missing import said as values
    from proofs.syntax.to_plain import to_plain

    prose = catalogue(lang)

    def line(number: int, text: str, verdict: str, said: str) -> str:
        params: dict[str, str | int] = {
            "name": name, "line": number, "text": text, "verdict": prose.plain(f"verify.{verdict}-mark"),
        }  # fmt: skip
        return prose.plain("prove.line-said", said=said, **params) if said else prose.plain("prove.line", **params)

    if trouble.report is None:
        fault = trouble.fault
        if fault is None:
            yield prose.plain("prove.statement", name=name)
        else:
            place = f"{fault.line}:{fault.column}"
            yield prose.plain("prove.header", name=name, place=place, said=sentence(fault, lang))
        return
    for k, found in enumerate(trouble.report.lines):
        if found.verdict != "proved":
            yield line(found.line, found.text, found.verdict, said_of(trouble.report, k, lang))
    report = trouble.report
    claim: dict[str, str | int] = {"name": name, "text": to_plain(report.statement.claim)}
    named = {m.condition for found in report.lines for m in found.missing}
    lacking = not {m.condition for m in report.missing} <= named
    if lacking:
        mark = prose.plain("verify.needs-mark" if report.verdict == "needs" else "verify.unknown-mark")
        yield prose.plain("prove.claim-said", verdict=mark, said=values(report.missing, lang), **claim)
    if report.counterexample is not None:
        mark = prose.plain("verify.refuted-mark")
        yield prose.plain("prove.claim-said", verdict=mark, said=shown(report.counterexample, lang), **claim)
    if report.contradictory:
        yield prose.plain("prove.contradictory", name=name)
    if report.counterexample is not None or lacking:
        return
    if report.remaining is not None:
        yield prose.plain("prove.remaining", name=name, goal=to_plain(report.remaining))
    elif trouble.unreasoned is not None and trouble.unreasoned.reasons:
        at = trouble.unreasoned
        reasons = prose.plain("prove.no-reason-holds", reasons=names_of(at.reasons, lang))
        yield line(at.line, at.text, "wrong-reason", reasons)
    elif all(found.verdict == "proved" for found in trouble.report.lines):
        yield prose.plain("prove.stopped", name=name)


def _entry(
    theorem: RegisteredTheorem, outcome: Outcome, lang: Language, coq: bool, told: list[str]
) -> dict[str, object]:
    from derive.sheets.terminal import plain

    heard = [who for who in outcome.verdicts if coq or who != "coq"]
    why = {who: plain(v.why, lang) for who in heard if (v := outcome.verdicts[who]).why}
    return {
        "name": theorem.name,
        "title": theorem.title.in_language(lang),
        "verdict": "proved" if outcome.proved else "failed",
        **{who: outcome.verdicts[who].said for who in heard},
        "numbers": {
            "instances": outcome.instances,
            "largest_deviation": outcome.largest_deviation,
            "sizes": {s.name: [s.smallest, s.largest] for s in outcome.sizes},
            "beyond": outcome.beyond,
            "compared": outcome.compared,
        },
        "free": outcome.free,
        "seconds": round(outcome.seconds, 4),
        **({"why": why} if why else {}),
        **({"failing": told} if told else {}),
    }


_WIDEST = 400  # columns; a narrow terminal wraps the table, and nothing of it is cut off
_MARKS = {
    "accepted": ("✓", "green"), "agreed": ("✓", "green"), "refused": ("✗", "red bold"), "disagreed": ("✗", "red bold"),
    "not-asked": ("–", "dim"), "could-not-be-asked": ("?", "yellow"),
}  # fmt: skip


def _mark(verdict: Verdict) -> Text:
    from rich.text import Text

    sign, style = _MARKS[verdict.said]
    return Text(sign, style=style)


def _print(
    console: Console,
    outcomes: list[tuple[RegisteredTheorem, Outcome]],
    lang: Language,
    steps: bool,
    opinion: Opinion | None,
    told: Sequence[str],
) -> None:
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    from derive.sheets.blocks import Message
    from derive.sheets.terminal import plain

    prose = catalogue(lang)
    if steps:
        from derive.sheets.terminal import chain_lines

        for theorem, outcome in outcomes:
            console.print(Text(theorem.title.in_language(lang), style="bold"))
            for chain in outcome.chains:
                for line in chain_lines(chain, lang):
                    console.print(Text(line), soft_wrap=True)
                console.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    heard = ("kernel", "replay", "sympy", "numpy", *(() if opinion is None else ("coq",)))
    for column in ("theorem", "verdict", *heard, "instances", "sizes", "deviation"):
        table.add_column(
            prose.plain(f"help.column-{column}"),
            justify="right" if column in ("instances", "sizes", "deviation") else "left",
            min_width=max(len(t.name) for t, _ in outcomes) if column == "theorem" else None,
        )
    for theorem, outcome in outcomes:
        tried = outcome.numpy.said in ("agreed", "disagreed")
        table.add_row(
            Text(theorem.name, style="cyan"),
            Text(
                prose.plain("help.proved" if outcome.proved else "help.failed"),
                style="green" if outcome.proved else "red bold",
            ),
            *(_mark(outcome.verdicts[who]) for who in heard),
            f"{outcome.instances:,}",
            "\N{EN DASH}".join(map(str, dict.fromkeys(outcome.spread or ()))),
            f"{outcome.largest_deviation:.1e}" if tried else "",
        )
    whole = Measurement.get(console, console.options.update(max_width=_WIDEST), table).maximum
    console.width = max(console.width, whole)
    console.print(table, crop=False)
    for theorem, outcome in outcomes:
        if outcome.beyond:
            params: dict[str, str | int] = {
                "name": theorem.name, "beyond": outcome.beyond, "compared": outcome.compared,
            }  # fmt: skip
            console.print(Text(prose.plain("prove.beyond", **params)), soft_wrap=True)
    for line in told:
        console.print(Text(line), soft_wrap=True)
    for sentence in () if opinion is None else opinion.sentences():
        click.echo(plain(Message(f"help.{sentence.code}", sentence.params), lang), err=sentence.amiss)
    failed = sum(not o.proved for _, o in outcomes)
    if failed:
        click.echo(prose.plain("help.some-failed", n=failed, all=len(outcomes)), file=sys.stderr)
