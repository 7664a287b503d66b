"""`derive verify`: checks somebody's own derivation, line by line."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from derive.commands.options import force_option, format_option, language_option, one_language, say
from derive.errors import DeriveError
from derive.sheets.prose import catalogue
from derive.visible import flat, json_text, visible

if TYPE_CHECKING:
    from derive.sheets.blocks import Language
    from derive.theorems import Verdict
    from proofs.syntax.derivation import Derivation
    from proofs.refute import Agreement
    from proofs.syntax.faults import SyntaxFault
    from proofs.terms import Term
    from proofs.verify import LineVerdict, Report

MAX_BYTES = 250_000
WORK_A_LINE = 20_000_000  # of the kernel: a line of the usual kind takes under 200 thousand
SECONDS_A_LINE = 20.0  # of the processor
SECONDS_MORE = 0.5
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)?")
_MARKS = {"proved": "✓", "needs": "?", "refuted": "✗", "unknown": "·", "wrong-reason": "≠", "unreadable": "!"}
_STYLES = {"proved": "green", "refuted": "red bold", "unreadable": "red bold", "needs": "yellow"}


@click.command("verify", help=say("verify"), short_help=say("verify-short"))
@click.argument("file", metavar="FILE")
@click.option("--hint", type=click.IntRange(1, 4), metavar="1..4", is_flag=False, flag_value=1, help=say("verify-hint"))
@click.option("--certificate", metavar="FILE", help=say("verify-certificate"))
@click.option("--check-with", "prover", type=click.Choice(["coq"]), help=say("verify-check-with"))
@force_option
@format_option
@language_option
def command(
    file: str,
    hint: int | None,
    certificate: str | None,
    prover: str | None,
    force: bool,
    format_: str,
    lang: str | None,
) -> int:
    spoken = one_language(lang)
    if prover is not None:
        from derive.coq import installed

        if installed() is None:
            raise DeriveError("coq-missing")
    if certificate is not None:
        from derive.files import replaceable

        replaceable(Path(certificate), "certificate", [Path(file)], force)
    from derive.library import reason_names
    from derive.sheets.terminal import plain
    from proofs.syntax.faults import SyntaxFault
    from proofs.verify import verify

    text = contents(Path(file), spoken)
    try:
        derivation = read(text, Path(file), spoken)
    except SyntaxFault as fault:
        return _unread(fault, format_, hint, spoken)
    report = verify(derivation, reason_names(), within_time)
    if certificate is not None and report.theorem is not None:
        _certify(report, Path(certificate))
    coq = None if prover is None else _by_coq(report)
    if format_ == "json":
        said = _entry(derivation, report, spoken)
        if hint is not None:
            said["hint"] = _hint(report, hint, spoken)
        if coq is not None:
            said["coq"] = coq.said
            if coq.why:
                said["why"] = {"coq": plain(coq.why, spoken)}
        click.echo(json_text(said))
    else:
        if hint is not None:
            click.echo(_hint(report, hint, spoken))
        else:
            _print(derivation, report, spoken)
        if coq is not None:
            params = {"why": plain(coq.why, spoken)} if coq.why else {}
            click.echo(catalogue(spoken).plain(f"verify.coq-{coq.said}", **params))
    if certificate is not None and report.theorem is None:
        click.echo(catalogue(spoken).plain("verify.no-certificate", file=certificate), err=True)
    return 0 if report.verdict == "proved" and (coq is None or coq.said == "accepted") else 1


def _by_coq(report: Report) -> Verdict:
    """What Coq says of the claim and of all that was proved on the way; it is only asked where the claim is proved."""
    from derive.coq import ask
    from derive.theorems import NOT_ASKED

    if report.verdict != "proved" or report.theorem is None:
        return NOT_ASKED
    return ask(report.record, report.statement).verdict


def _certify(report: Report, path: Path) -> None:
    """Write the certificate of all that the verdict rests on."""
    from derive.writing import write_all
    from proofs.record import certificate

    write_all({path: "".join(f"{line}\n" for line in certificate(report.record)).encode()})


def _hint(report: Report, rung: int, lang: Language) -> str:
    from derive.hints import hint

    return hint(report, rung, lang, within_time)


def contents(path: Path, lang: Language) -> str:
    """The text of a derivation file.

    Raises
    ------
    DeriveError
        Where the file can't be opened, is too large, or is no UTF-8 text.
    """
    from derive.files import STANDARD_INPUT, standard_input
    from derive.files import read as read_file
    from proofs.syntax.derivation import decode
    from proofs.syntax.faults import SyntaxFault

    try:
        data = standard_input(MAX_BYTES) if str(path) == STANDARD_INPUT else read_file(path, MAX_BYTES)
    except OSError as error:
        raise DeriveError("derivation-unreadable", file=str(path), why=error.strerror or "") from None
    if len(data) > MAX_BYTES:
        raise DeriveError("derivation-too-large", file=str(path), limit=MAX_BYTES)
    try:
        return decode(data)
    except SyntaxFault as fault:
        raise _refused(path, fault, lang) from None


def read(text: str, path: Path, lang: Language) -> Derivation:
    """The derivation that a file holds.

    Raises
    ------
    DeriveError
        Where the file is no derivation, or too long for one.
    SyntaxFault
        Where a line before the chain has a fault.
    """
    from derive.definitions import signatures
    from proofs.syntax.derivation import read_derivation
    from proofs.syntax.faults import SyntaxFault

    try:
        return read_derivation(text, signatures())
    except SyntaxFault as fault:
        if fault.source is None:
            raise _refused(path, fault, lang) from None
        raise


def _refused(path: Path, fault: SyntaxFault, lang: Language) -> DeriveError:
    where = f"{path}:{fault.line}:{fault.column}" if fault.line else str(path)
    return DeriveError("derivation-fault", where=where, why=sentence(fault, lang))


def _unread(fault: SyntaxFault, format_: str, hint: int | None, lang: Language) -> int:
    """Say which line before the chain can't be read."""
    from rich.console import Console
    from rich.text import Text

    prose = catalogue(lang)
    number = fault.line or 1
    source = (fault.source or "").split("\n")
    text = flat(source[number - 1]) if number <= len(source) else ""
    said = prose.plain("verify.line", verdict=f"{number}:{fault.column}", said=sentence(fault, lang))
    if format_ == "json":
        line = {"line": number, "text": text, "verdict": "unreadable", "rule": "", "message": said,
                "counterexample": None, "caret": fault.caret()}  # fmt: skip
        claim = next((flat(t.split(maxsplit=1)[-1]) for t in source if t.split()[:1] == ["claim"]), "")
        made: dict[str, object] = {"claim": claim, "verdict": "unreadable", "lines": [line]}
        if hint is not None:
            made["hint"] = prose.plain("verify.hint-unreadable", line=number)
        click.echo(json_text(made))
        return 1
    console = Console()
    mark = prose.plain("verify.unreadable-mark")
    for shown in _under(fault):
        console.print(Text(f"       {visible(shown)}"), soft_wrap=True)
    console.print(
        Text(f"! {number:>3}  {prose.plain('verify.line', verdict=mark, said=said)}", style=_STYLES["unreadable"]),
        soft_wrap=True,
    )
    console.print(Text(prose.plain("verify.whole-unreadable"), style=_STYLES["unreadable"]))
    return 1


def _under(fault: SyntaxFault) -> list[str]:
    """The line of a fault with a caret under its place."""
    return fault.caret().split("\n") if fault.source is not None else []


def sentence(fault: SyntaxFault, lang: Language) -> str:
    """What a fault says, in a language."""
    prose = catalogue(lang)
    key = f"verify.fault.{fault.code}"
    params = {k: v for k, v in fault.params.items() if f"{{{k}}}" in _template(lang, key)}
    if "what" in params:
        named = "verify.what." + str(params["what"]).replace(" ", "-").replace("'", "")
        params["what"] = prose.plain(named) if named in prose else params["what"]
    said = prose.plain(key, **params)
    nearest = fault.params.get("nearest")
    name = str(fault.params.get("name", ""))
    declarable = fault.code == "undeclared" and _NAME.fullmatch(name) is not None
    if nearest and not (declarable and len(name) == 1):
        said = prose.plain("verify.nearest", said=said, name=nearest)
        return prose.plain("verify.declare-else", said=said, name=name) if declarable else said
    if declarable:
        return prose.plain("verify.declare", said=said, name=name)
    if fault.expected and fault.code in ("unexpected", "unexpected-end"):
        return prose.plain("verify.expected", said=said, expected=wanted(fault.expected, lang))
    return said


def wanted(codes: Sequence[str], lang: Language) -> str:
    """What was expected at a place, in words where it is no sign."""
    prose = catalogue(lang)
    made = []
    for code in codes:
        key = "answers.wanted." + code.replace(" ", "-").replace("'", "")
        made.append(prose.plain(key) if key in prose else code)
    said = made[0]
    for more in made[1:]:
        said = prose.plain("answers.or", one=said, other=more)
    return said


def _template(lang: Language, key: str) -> str:
    from derive.sheets.prose import placeholders

    return " ".join(f"{{{name}}}" for name in placeholders(catalogue(lang)[key]))


@contextmanager
def within_time() -> Iterator[None]:
    """Ends what runs inside after `WORK_A_LINE`, or `SECONDS_A_LINE` of the processor, however busy the machine is.

    An exception that a signal raises is lost where it meets a callback of the garbage collector, so that it is raised
    again every `SECONDS_MORE` until it gets out.
    """
    from proofs.terms import at_most
    from proofs.verify import OutOfTime

    inside = True

    def end(number: int, frame: FrameType | None) -> None:
        if inside:
            raise OutOfTime

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_A_LINE, SECONDS_MORE)
    try:
        with at_most(WORK_A_LINE):
            yield
    finally:
        inside = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def message(line: LineVerdict, lang: Language) -> str:
    """What is said of a line: the rules that it took, what is missing, the counter-example, the place of a fault."""
    from derive.library import names_of
    from derive.missing import said

    prose = catalogue(lang)
    reasons = names_of(line.reasons, lang)
    match line.verdict:
        case "proved":
            return prose.plain("verify.by", reasons=reasons) if reasons else ""
        case "needs":
            return said(line.missing, lang)
        case "refuted" if line.counterexample is not None:
            from derive.counterexamples import shown

            return shown(line.counterexample, lang)
        case "wrong-reason":
            key = "verify.wrong-reason" if line.given else "verify.unknown-reason"
            return prose.plain(key, given=line.given_text, reasons=reasons)
        case "unknown" if line.missing:
            return said(line.missing, lang)
        case "unreadable" if line.fault is not None:
            why = sentence(line.fault, lang)
            place = f"{line.fault.line}:{line.fault.column}"
            return prose.plain("verify.line", verdict=place, said=why) if line.fault.line else why
    return _tried(line.agreement, lang)


def _tried(agreement: Agreement | None, lang: Language) -> str:
    """How a step fared on numbers for which no rule was found: in how many instances it holds, or why in none."""
    prose = catalogue(lang)
    if agreement is None:
        return prose.plain("verify.unknown-beyond")
    if not agreement.tried:
        return prose.plain(f"verify.unknown-{agreement.why}")
    params: dict[str, int] = {"n": agreement.tried}
    key = "undecided" if not agreement.held else "held-in-some" if agreement.undecided else "held"
    if key == "held-in-some":
        params["held"] = agreement.held
    if agreement.largest is not None:
        params["largest"] = agreement.largest
        key += "-sizes"
    return prose.plain(f"verify.unknown-{key}", **params)


def after_a_wrong_line(report: Report, place: int, lang: Language) -> str:
    """What is to be said of a refuted line behind another one: the step is judged from the wrong line before it.

    That the line agrees with the last good one is only said where it is proved.
    """
    from proofs.context import Context
    from proofs.justify import prove
    from proofs.terms import relation
    from proofs.verify import BEYOND

    lines = report.lines
    first = next((k for k, line in enumerate(lines) if line.verdict == "refuted"), place)
    last = next((line for line in reversed(lines[:place]) if line.term is not None), None)
    if lines[place].verdict != "refuted" or place <= first or last is None or last.verdict != "refuted":
        return ""
    prose = catalogue(lang)
    good = next((line for line in reversed(lines[:first]) if line.term is not None), None)
    term = lines[place].term
    if good is not None and good.term is not None and term is not None:
        with suppress(*BEYOND), within_time():
            if prove(relation("eq", good.term, term), Context.of(report.statement)) is not None:
                return prose.plain("verify.refuted-yet-agrees", line=last.line, good=good.line)
    return prose.plain("verify.refuted-after", line=last.line)


def said_of(report: Report, place: int, lang: Language) -> str:
    """The message of a line, with what the lines before it have to do with it."""
    parts = (message(report.lines[place], lang), after_a_wrong_line(report, place, lang))
    return ("" if lang == "zh" else " ").join(part for part in parts if part)


def _entry(derivation: Derivation, report: Report, lang: Language) -> dict[str, object]:
    from derive.counterexamples import plain

    lines: list[dict[str, object]] = []
    for place, line in enumerate(report.lines):
        against = line.counterexample
        typed = derivation.lines[place]
        more: dict[str, object] = {} if typed.read is None else {"read": typed.read}
        if line.fault is not None and line.fault.source is not None:
            more["caret"] = line.fault.caret()
        lines.append({
            "line": line.line,
            "text": line.text,
            "verdict": line.verdict,
            "rule": ", ".join(line.reasons),
            "message": said_of(report, place, lang),
            "counterexample": None if against is None else plain(against),
            **({} if line.agreement is None else {"numbers": asdict(line.agreement)}),
            **more,
        })  # fmt: skip
    said: dict[str, object] = {"claim": derivation.claim_text, "verdict": report.verdict, "lines": lines}
    if report.counterexample is not None:
        said["counterexample"] = plain(report.counterexample)
    if derivation.header:
        said["header"] = [{"line": h.line_number, "text": h.text, "read": h.read} for h in derivation.header]
    notes = _notes(report, lang)
    if notes:
        said["notes"] = notes
    return said


def _named(report: Report) -> set[Term]:
    """The conditions that a line is said to need."""
    return {m.condition for line in report.lines for m in line.missing}


def _notes(report: Report, lang: Language) -> list[str]:
    from derive.counterexamples import shown
    from derive.missing import said
    from proofs.syntax.to_plain import to_plain

    prose = catalogue(lang)
    notes = []
    if report.missing and not {m.condition for m in report.missing} <= _named(report):
        notes.append(prose.plain("verify.claim-needs", said=said(report.missing, lang)))
    if report.counterexample is not None:
        notes.append(prose.plain("verify.claim-false", against=shown(report.counterexample, lang)))
    if report.remaining is not None:
        notes.append(prose.plain("verify.remaining", goal=to_plain(report.remaining)))
    if report.contradictory:
        notes.append(prose.plain("verify.contradictory"))
    return notes


def _print(derivation: Derivation, report: Report, lang: Language) -> None:
    from rich.console import Console
    from rich.text import Text

    prose = catalogue(lang)
    console = Console()
    console.print(Text(flat(derivation.claim_text), style="bold"), soft_wrap=True)
    for header in derivation.header:
        console.print(Text(f"       {prose.plain('verify.header-read', line=header.line_number, read=header.read)}"),
                      soft_wrap=True)  # fmt: skip
    for place, line in enumerate(report.lines):
        style = _STYLES.get(line.verdict, "")
        verdict = prose.plain(f"verify.{line.verdict}-mark")
        console.print(Text(f"{_MARKS[line.verdict]} {line.line:>3}  {flat(line.text)}"), soft_wrap=True)
        typed = derivation.lines[place]
        if typed.read is not None:
            console.print(Text(f"       {prose.plain('verify.read', read=typed.read)}"), soft_wrap=True)
        for shown in _under(line.fault) if line.fault is not None else ():
            console.print(Text(f"       {visible(shown)}"), soft_wrap=True)
        said = said_of(report, place, lang)
        text = prose.plain("verify.line", verdict=verdict, said=said) if said else verdict
        console.print(Text(f"       {text}", style=style), soft_wrap=True)
    for note in _notes(report, lang):
        console.print(Text(note), soft_wrap=True)
    whole = "false" if report.counterexample is not None else report.verdict
    console.print(Text(prose.plain(f"verify.whole-{whole}"), style=_STYLES.get(report.verdict, "bold")))
