"""`derive build`: builds sheets."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from derive.commands.options import say, several
from derive.errors import DeriveError
from derive.language import asked_for
from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from derive.sheets.build import Step
    from derive.sheets.targets import Edition, Format, Paper


@click.command("build", help=say("build"), short_help=say("build-short"))
@click.argument("manifests", nargs=-1, metavar="[MANIFEST]...")
@click.option("--format", "formats", metavar="pdf,html,tex,md", help=say("build-format"))
@click.option("--lang", "languages", metavar="zh,en", help=say("build-lang"))
@click.option("--edition", "editions", metavar="student,solutions,key", help=say("build-edition"))
@click.option("--paper", "papers", metavar="a4,letter", default="a4", help=say("build-paper"))
@click.option("--large-print", "large", is_flag=True, help=say("build-large"))
@click.option("--out", metavar="DIR", default="build/out", help=say("build-out"))
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help=say("build-seed"))
@click.option("--variants", type=click.IntRange(1, 999), metavar="K", help=say("build-variants"))
def command(
    manifests: tuple[str, ...],
    formats: str | None,
    languages: str | None,
    editions: str | None,
    papers: str | None,
    large: bool,
    out: str,
    seed: int | None,
    variants: int | None,
) -> None:
    from derive.sheets.targets import EDITIONS, FORMATS, PAPERS

    chosen = (
        cast("tuple[Format, ...]", several("--format", formats, FORMATS)),
        cast("tuple[Language, ...]", several("--lang", languages, ("zh", "en"))),
        cast("tuple[Edition, ...]", several("--edition", editions, EDITIONS)),
        cast("tuple[Paper, ...]", several("--paper", papers, PAPERS)),
    )
    paths = [Path(m) for m in manifests] or found()
    from derive.worked import kinds
    from derive.sheets.build import Wanted, build
    from derive.sheets.formulas import TermPrinter

    say_now = catalogue(asked_for(sys.argv[1:])).plain
    if not manifests and not own_manifests():
        click.echo(say_now("help.build-shipped", names=", ".join(p.stem for p in paths)), err=True)
    if variants is not None:
        for name in unvaried(paths):
            click.echo(say_now("help.build-unvaried", file=name), err=True)
    started = time.monotonic()
    with progress() as tell:
        wanted = Wanted(*chosen, large=large, seed=seed, variants=variants, out=Path(out))
        written = build(paths, kinds(), TermPrinter(), wanted, tell)
    seconds = f"{time.monotonic() - started:.1f}"
    for folder in sorted({path.parent for path in written}):
        n = sum(path.parent == folder for path in written)
        click.echo(say_now("help.built", n=n, folder=str(folder), seconds=seconds), err=True)


def found() -> list[Path]:
    """The manifests of ``./build``, else those that come with the package."""
    from derive.resources import manifests

    paths = own_manifests() or manifests()
    if not paths:
        raise DeriveError("no-manifests")
    return paths


def own_manifests() -> list[Path]:
    """The manifests of ``./build``."""
    return sorted(Path("build").glob("*.toml"))


def unvaried(paths: Sequence[Path]) -> list[str]:
    """The manifests in which no exercise offers values to choose from, so that all variants give the same."""
    from derive.sheets.manifest import read
    from derive.sheets.ranges import is_fixed
    from derive.worked import kinds

    offered = {path: [w for e in read(path, kinds()).exercises for w in e.ranges.wishes.values()] for path in paths}
    return [path.name for path, wishes in offered.items() if all(map(is_fixed, wishes))]


@contextmanager
def progress() -> Iterator[Callable[[Step], None]]:
    """A progress bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda step: bar.update(task, completed=step.done, total=step.total, description=step.name)
