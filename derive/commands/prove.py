"""`derive prove`: checks theorems, and prints their chains."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from derive.commands.options import force_option, format_option, language_option, one_language, say
from derive.errors import DeriveError
from derive.sheets.prose import catalogue
from derive.visible import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.text import Text

    from derive.sheets.blocks import Language
    from derive.coq import Opinion
    from derive.theorems import Outcome, RegisteredTheorem


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
        _write_coq(Path(coq), chosen, force)
    if prover is not None:
        from derive.coq import ask
        from derive.library import theorem as registered

        with waiting.status("Coq") as status:
            opinion = ask([registered(t.name) for t in chosen], whole=not names, tell=status.update)
    if certificate is not None:
        _write({Path(certificate): outcomes[0][1].certificate})
    if report is not None:
        from derive.report.page import places, written

        texts = written(outcomes, seed, spoken, None if opinion is None else opinion.theorems)
        _write(dict(zip(places(report), texts, strict=True)))
    if format_ == "json":
        click.echo(json_text({"theorems": [_entry(t, o, spoken, opinion) for t, o in outcomes]}))
    else:
        _print(Console(), outcomes, spoken, steps, opinion)
    if not all(o.proved for _, o in outcomes) or (opinion is not None and not opinion.accepted):
        return 1
    return 0 if opinion is None or opinion.complete else 2


def _write(texts: dict[Path, str]) -> None:
    from derive.writing import write_all

    write_all({path: text.encode() for path, text in texts.items()})


def _write_coq(folder: Path, chosen: Sequence[RegisteredTheorem], force: bool) -> None:
    from derive.coq import sources
    from derive.files import replaceable
    from derive.library import theorem
    from proofs.calc import ChainError
    from proofs.coq.writing import Inexpressible

    try:
        made = sources([theorem(t.name) for t in chosen])
    except ChainError:
        raise DeriveError("coq-without-proof") from None
    except Inexpressible as fault:
        raise DeriveError("coq-inexpressible", why=str(fault)) from None
    for name in made:
        replaceable(folder / name, "coq", force=force)
    _write({folder / name: text for name, text in made.items()})


def _entry(theorem: RegisteredTheorem, outcome: Outcome, lang: Language, opinion: Opinion | None) -> dict[str, object]:
    coq = {} if opinion is None else {"coq": "accepted" if opinion.theorems[theorem.name].accepted else "refused"}
    return {
        "name": theorem.name,
        "title": theorem.title.in_language(lang),
        "verdict": "proved" if outcome.proved else "failed",
        "kernel": "accepted" if outcome.kernel else "refused",
        "replay": "accepted" if outcome.replay else "refused",
        **coq,
        "numbers": {"instances": outcome.instances, "largest_deviation": outcome.largest_deviation},
        "free": outcome.free,
        "seconds": round(outcome.seconds, 4),
    }


def _mark(accepted: bool) -> Text:
    from rich.text import Text

    return Text("✓", style="green") if accepted else Text("✗", style="red bold")


def _print(
    console: Console,
    outcomes: list[tuple[RegisteredTheorem, Outcome]],
    lang: Language,
    steps: bool,
    opinion: Opinion | None,
) -> None:
    from rich.table import Table
    from rich.text import Text

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
    asked = () if opinion is None else ("coq",)
    for column in ("theorem", "verdict", "kernel", "replay", *asked, "instances", "deviation"):
        table.add_column(
            prose.plain(f"help.column-{column}"), justify="right" if column in ("instances", "deviation") else "left"
        )
    for theorem, outcome in outcomes:
        table.add_row(
            Text(theorem.name, style="cyan"),
            Text(
                prose.plain("help.proved" if outcome.proved else "help.failed"),
                style="green" if outcome.proved else "red bold",
            ),
            _mark(outcome.kernel),
            _mark(outcome.replay),
            *(() if opinion is None else (_mark(opinion.theorems[theorem.name].accepted),)),
            f"{outcome.instances:,}",
            f"{outcome.largest_deviation:.1e}",
        )
    console.print(table)
    for sentence in () if opinion is None else opinion.sentences():
        click.echo(prose.plain(f"help.{sentence.code}", **sentence.params), err=sentence.amiss)
    failed = sum(not o.proved for _, o in outcomes)
    if failed:
        click.echo(prose.plain("help.some-failed", n=failed, all=len(outcomes)), file=sys.stderr)
