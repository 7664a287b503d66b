"""`derive step`: goes through a theorem or an exercise one line at a time, or writes a page that does."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from derive.commands.options import force_option, language_option, one_language, say


@click.command("step", help=say("step"), short_help=say("step-short"))
@click.argument("name", metavar="NAME")
@click.option("--html", "html", metavar="FILE", help=say("step-html"))
@click.option("--save", "kept", metavar="FILE", help=say("step-save"))
@force_option
@language_option
def command(name: str, html: str | None, kept: str | None, force: bool, lang: str | None) -> int:
    from derive.stepper.session import Session, resumed, save, start
    from derive.stepper.subjects import subject

    spoken = one_language(lang)
    chosen = subject(name)
    if html is not None:
        from derive.files import replaceable
        from derive.stepper.page import page
        from derive.writing import write_file

        replaceable(Path(html), "page", force=force)
        write_file(Path(html), page(chosen, spoken))
        return 0
    from rich.console import Console

    from derive.commands.verify import within_time
    from derive.stepper.terminal import Stepper, plainly

    path = Path(kept) if kept is not None else None
    session = resumed(chosen, path) if path is not None else Session((start(chosen),))
    console = Console(highlight=False)
    if sys.stdin.isatty() and sys.stdout.isatty():
        Stepper(session, spoken, console, path, within_time).run()
    else:
        plainly(session, spoken, console)
        if path is not None:
            save(session, path)
    return 0
