"""`derive list`: theorems, problems and sheets, with one line each."""

from __future__ import annotations

import json

import click

from derive.commands.options import format_option, language_option, one_language, say
from derive.sheets.prose import catalogue


@click.command("list", help=say("list"), short_help=say("list-short"))
@format_option
@language_option
def command(format_: str, lang: str | None) -> None:
    from derive.commands.build import found
    from derive.library import definitions, rules, theorems
    from derive.worked import kinds
    from derive.sheets.manifest import read

    spoken = one_language(lang)
    sheets = [read(path, kinds()) for path in found()]
    sections: dict[str, list[tuple[str, str]]] = {
        "theorems": [(t.name, t.title.in_language(spoken)) for t in theorems().values()],
        "problems": [(k.name, k.title.in_language(spoken)) for k in kinds().values()],
        "sheets": [(m.id, m.title.in_language(spoken)) for m in sheets],
    }
    if format_ == "json":
        listed: dict[str, object] = {
            part: [{"name": n, "title": t} for n, t in rows] for part, rows in sections.items()
        }
        listed["rules"] = [{"code": r.code, "zh": r.zh, "en": r.en} for r in rules()]
        listed["definitions"] = [{"name": d.name, "arguments": list(d.arguments)} for d in definitions()]
        click.echo(json.dumps(listed, ensure_ascii=False, indent=2))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    sections["rules"] = [(r.zh if spoken == "zh" else r.en, "") for r in rules()]
    sections["definitions"] = [(f"{d.name}({', '.join(d.arguments)})", "") for d in definitions()]
    console = Console()
    for part, rows in sections.items():
        console.print(Text(catalogue(spoken).plain(f"help.list-{part}"), style="bold"))
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        for name, title in rows:
            table.add_row(Text("  " + name, style="cyan"), Text(title))
        console.print(table)
        console.print()
