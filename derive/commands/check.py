"""`derive check`: verifies answer keys."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from derive.commands.options import force_option, language_option, one_language, say
from derive.errors import DeriveError
from derive.language import asked_for
from derive.sheets.prose import catalogue
from derive.visible import flat, json_text, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.progress import Progress

    from derive.answers.checking import Entry, Judged
    from derive.answers.report import Checked
    from derive.keys import Key, KeyLimits
    from derive.sheets.blocks import Language

FORMATS = ("text", "json", "junit", "markdown")


def _say(name: str) -> str:
    return catalogue(asked_for(sys.argv[1:])).plain(f"answers.help.{name}")


@click.command("check", help=_say("check"), short_help=say("check-short"))
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help=_say("format"))
@click.option("--out", metavar="FILE", help=_say("out"))
@force_option
@click.option("--strict", is_flag=True, help=_say("strict"))
@click.option("--jobs", type=click.IntRange(1, 64), default=1, metavar="N", help=_say("jobs"))
@click.option("--certify", is_flag=True, help=_say("certify"))
@click.option("--certificate", metavar="FILE", help=_say("certificate"))
@click.option("--explain", metavar="ID", help=_say("explain"))
@click.option("--time-limit", type=click.FloatRange(0.05, 600), metavar="SECONDS", help=_say("time-limit"))
@click.option("--max-bytes", type=click.IntRange(1), metavar="N", help=_say("max-bytes"))
@click.option("--max-answers", type=click.IntRange(1), metavar="N", help=_say("max-answers"))
@language_option
def command(
    keys: tuple[str, ...], format_: str, out: str | None, force: bool, strict: bool, jobs: int, certify: bool,
    certificate: str | None, explain: str | None, time_limit: float | None, max_bytes: int | None,
    max_answers: int | None, lang: str | None,
) -> int:  # fmt: skip
    spoken = one_language(lang)
    from derive.keys import MAX_ANSWERS, MAX_BYTES, KeyLimits

    from derive.files import replaceable

    for name, kind in ((out, "verdicts"), (certificate, "certificate")):
        if name is not None:
            replaceable(Path(name), kind, [Path(k) for k in keys], force)
    limits = KeyLimits(max_bytes or MAX_BYTES, max_answers or MAX_ANSWERS)
    loaded = [opened(Path(k), limits, spoken) for k in keys]
    if explain is not None:
        return _explain(loaded, explain, spoken)
    from derive.answers.report import Checked

    checked: list[Checked] = []
    entries = [e for key in loaded for e in key.entries]
    found = _judged(entries, jobs, time_limit, certify or certificate is not None)
    at = 0
    for key in loaded:
        checked.append(Checked(key.name, key.title, tuple(found[at : at + len(key.entries)])))
        at += len(key.entries)
    failing = frozenset(("wrong", "undecided", "unreadable", *(("rounded",) if strict else ())))
    if format_ == "text" and out is None:
        _print(checked, spoken, failing)
    else:
        _write(_text(checked, format_, spoken, failing), out, spoken)
    if certificate is not None:
        _write_certificate(found, certificate, spoken)
    return 1 if any(a.verdict in failing for a in found) else 0


def _write_certificate(found: list[Judged], file: str, lang: Language) -> None:
    """The certificates of all accepting verdicts in one file; none where there is no theorem to write."""
    from derive.answers.certifying import joined
    from derive.writing import write_file

    certificates = [a.certificate for a in found if a.certificate]
    if not certificates:
        click.echo(catalogue(lang).plain("answers.no-certificate", file=file), err=True)
        return
    write_file(Path(file), "".join(f"{line}\n" for line in joined(certificates)))


def opened(path: Path, limits: KeyLimits, lang: Language) -> Key:
    """The key at a path; what is wrong with it as a whole is one line."""
    from derive.keys import KeyRefused, load

    try:
        return load(path, limits)
    except KeyRefused as refused:
        raise DeriveError("usage", why=catalogue(lang).plain(f"answers.key.{refused.code}", **refused.params)) from None


def _judged(entries: list[Entry], jobs: int, seconds: float | None, certify: bool = False) -> list[Judged]:
    from derive.answers.pool import check_all

    if not entries:
        return []
    with _progress(len(entries)) as tell:
        return check_all(entries, jobs, seconds, tell, certify)


class _progress:
    """A progress bar on a terminal once the work takes longer than a second, nothing elsewhere."""

    def __init__(self, total: int) -> None:
        self.total = total

    def __enter__(self) -> Callable[[int], None]:
        self.bar: Progress | None = None
        if not sys.stderr.isatty():
            return lambda _: None
        self.started = time.monotonic()
        return self._tell

    def _tell(self, done: int) -> None:
        if self.bar is None:
            if time.monotonic() - self.started < 1:
                return
            from rich import console, progress

            columns = (progress.BarColumn(), progress.MofNCompleteColumn())
            self.bar = progress.Progress(
                *columns, console=console.Console(stderr=True), transient=True, auto_refresh=False
            )
            self.bar.start()
            self.task = self.bar.add_task("", total=self.total)
        self.bar.update(self.task, completed=done)
        self.bar.refresh()

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


def _text(checked: list[Checked], format_: str, lang: Language, failing: frozenset[str]) -> str:
    from derive.answers import report

    if format_ == "json":
        made = [report.key_as_json(c, lang) for c in checked]
        return json_text(made[0] if len(made) == 1 else {"keys": made}) + "\n"
    if format_ == "junit":
        return report.junit(checked, lang, failing)
    if format_ == "markdown":
        return report.markdown(checked, lang)
    from io import StringIO

    from rich.console import Console

    stream = StringIO()
    _print(checked, lang, failing, Console(file=stream, width=120))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def _write(text: str, out: str | None, lang: Language) -> None:
    if out is None:
        click.echo(text, nl=False)
        return
    from derive.writing import write_file

    write_file(Path(out), text)


def _print(checked: list[Checked], lang: Language, failing: frozenset[str], screen: Console | None = None) -> None:
    """One line for each answer; under one that is not right, the right value and why."""
    from rich.console import Console
    from rich.text import Text

    from derive.answers.report import MARKS, summary
    from derive.commands.trimmed import trimmed

    prose = catalogue(lang)
    console = screen or Console()
    words = {v: prose.plain(f"answers.verdict.{v}") for v in MARKS}
    wide = max(_width(w) for w in words.values())
    with trimmed(console):
        _print_keys(checked, lang, failing, console, words, wide)
        console.print(Text(summary(checked, lang)))


def _print_keys(
    checked: list[Checked], lang: Language, failing: frozenset[str], console: Console, words: dict[str, str], wide: int
) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from derive.answers.report import MARKS, STYLES, answer_shown, caret_shown, expected_shown, sentence, why

    prose = catalogue(lang)
    for c in checked:
        console.print(Text(visible(c.title or c.name), style="bold"))
        names = min(24, max((_width(visible(a.id)) for a in c.answers), default=0))
        for a in c.answers:
            word = words[a.verdict]
            line = Text(f"{MARKS[a.verdict]} {word}{' ' * (wide - _width(word))}  ", style=STYLES[a.verdict])
            shown = visible(a.id)
            line.append(shown + " " * (names - _width(shown)), style="cyan")
            line.append("  " + _brief(answer_shown(a), 80), style="default")
            if a.certified is not None:
                line.append("  " + prose.plain(f"answers.{'certified' if a.certified else 'uncertified-mark'}"), "dim")
            console.print(line)
            if a.uncertified is not None:
                console.print(Padding(Text(sentence(a.uncertified, lang)), (0, 0, 0, 6)))
            if a.read is not None:
                shown = prose.plain("verify.read", read=_brief(a.read, 240))
                console.print(Padding(Text(shown, style="dim"), (0, 0, 0, 6)))
            if a.verdict not in failing:
                continue
            right = expected_shown(a)
            said = [prose.plain("answers.explain.right", right=_brief(right, 240))] if right else []
            caret = caret_shown(a)
            if caret is not None:
                console.print(Padding(Text(caret, style="dim"), (0, 0, 0, 6)))
            for text in (*said, why(a, lang)):
                console.print(Padding(Text(text), (0, 0, 0, 6)))
        console.print()


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _brief(text: str, most: int) -> str:
    said = flat(text)
    return said if len(said) <= most else said[: most - 3] + "..."


def _explain(loaded: list[Key], name: str, lang: Language) -> int:
    """The right value of one answer, how it comes about, and its worked solution where there is one."""
    found = next((e for key in loaded for e in key.entries if e.id == name), None)
    if found is None:
        raise DeriveError("usage", why=catalogue(lang).plain("answers.key.no-id", id=name[:60]))
    from derive.answers.explaining import explanation

    (judged,) = _judged([found], 1, None)
    click.echo(explanation(found, judged, lang))
    return 0 if judged.accepted else 1
