"""`derive prove`: checks theorems, and prints their chains."""

from __future__ import annotations

import json
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from derive.commands.options import format_option, language_option, one_language, say
from derive.errors import DeriveError
from derive.sheets.prose import catalogue

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from derive.sheets.blocks import Language
    from derive.theorems import Outcome, RegisteredTheorem


@click.command("prove", help=say("prove"), short_help=say("prove-short"))
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--steps", is_flag=True, help=say("prove-steps"))
@click.option("--certificate", metavar="FILE", help=say("prove-certificate"))
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", default=0, help=say("prove-seed"))
@format_option
@language_option
def command(
    names: tuple[str, ...], steps: bool, certificate: str | None, seed: int, format_: str, lang: str | None
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
    outcomes: list[tuple[RegisteredTheorem, Outcome]] = []
    from rich.console import Console

    waiting = Console(stderr=True)
    with waiting.status("") as status:
        for theorem in chosen:
            status.update(theorem.name)
            outcomes.append((theorem, theorem.check(seed)))
    if certificate is not None:
        _write(Path(certificate), outcomes[0][1].certificate)
    if format_ == "json":
        click.echo(json.dumps({"theorems": [_entry(t, o, spoken) for t, o in outcomes]}, ensure_ascii=False, indent=2))
    else:
        _print(Console(), outcomes, spoken, steps)
    return 0 if all(o.proved for _, o in outcomes) else 1


def _write(path: Path, certificate: str) -> None:
    from derive.sheets.build import write_all

    write_all({path: certificate.encode()})


def _entry(theorem: RegisteredTheorem, outcome: Outcome, lang: Language) -> dict[str, object]:
    return {
        "name": theorem.name,
        "title": theorem.title.in_language(lang),
        "verdict": "proved" if outcome.proved else "failed",
        "kernel": "accepted" if outcome.kernel else "refused",
        "replay": "accepted" if outcome.replay else "refused",
        "numbers": {"instances": outcome.instances, "largest_deviation": outcome.largest_deviation},
        "free": outcome.free,
        "seconds": round(outcome.seconds, 4),
    }


def _mark(accepted: bool) -> Text:
    from rich.text import Text

    return Text("✓", style="green") if accepted else Text("✗", style="red bold")


def _print(console: Console, outcomes: list[tuple[RegisteredTheorem, Outcome]], lang: Language, steps: bool) -> None:
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
    for column in ("theorem", "verdict", "kernel", "replay", "instances", "deviation"):
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
            f"{outcome.instances:,}",
            f"{outcome.largest_deviation:.1e}",
        )
    console.print(table)
    failed = sum(not o.proved for _, o in outcomes)
    if failed:
        click.echo(prose.plain("help.some-failed", n=failed, all=len(outcomes)), file=sys.stderr)
