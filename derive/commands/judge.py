"""`derive judge`: judges one answer."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from derive.commands.options import language_option, one_language, say
from derive.errors import DeriveError
from derive.language import asked_for
from derive.sheets.prose import catalogue
from derive.visible import json_text

if TYPE_CHECKING:
    from derive.answers.checking import Judged


def _say(name: str) -> str:
    return catalogue(asked_for(sys.argv[1:])).plain(f"answers.help.{name}")


@click.command("judge", help=_say("judge"), short_help=say("judge-short"))
@click.option("--expected", required=True, metavar="E", help=_say("expected"))
@click.option("--answer", required=True, metavar="A", help=_say("answer"))
@click.option("--declare", "declared", multiple=True, metavar="'NAME: SORT'", help=_say("declare"))
@click.option("--choice", is_flag=True, help=_say("choice"))
@click.option("--kind", metavar="KIND", help=_say("kind"))
@click.option("--exact", is_flag=True, help=_say("exact"))
@click.option("--places", metavar="N", help=_say("places"))
@click.option("--digits", metavar="N", help=_say("digits"))
@click.option("--tolerance", metavar="X", help=_say("tolerance"))
@click.option("--absolute", metavar="X", help=_say("absolute"))
@click.option("--accept", multiple=True, metavar="E", help=_say("accept"))
@click.option("--certify", is_flag=True, help=_say("certify"))
@click.option("--strict", is_flag=True, help=_say("strict"))
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help=_say("format"))
@language_option
def command(
    expected: str, answer: str, declared: tuple[str, ...], choice: bool, kind: str | None, exact: bool,
    places: str | None, digits: str | None, tolerance: str | None, absolute: str | None, accept: tuple[str, ...],
    certify: bool, strict: bool, format_: str, lang: str | None,
) -> int:  # fmt: skip
    spoken = one_language(lang)
    from derive.answers.checking import Entry
    from derive.answers.pool import check_all
    from derive.answers.report import MARKS, as_json, caret_shown, expected_shown, sentence, why
    from derive.answers.values import Said

    prose = catalogue(spoken)
    given: dict[str, object] = {"value": expected}
    symbols = dict(
        _declaration(d, spoken) for text in declared for d in text.replace("，", ",").split(",") if d.strip()
    )
    if symbols:
        given["symbols"] = symbols
    said = {
        "kind": "choice" if choice else kind, "exact": exact or None, "places": places, "digits": digits,
        "tolerance": tolerance, "absolute": absolute, "accept": list(accept) or None,
    }  # fmt: skip
    options = {name: value for name, value in said.items() if value is not None}
    (judged,) = check_all([Entry("judge", "value", given, answer, options=options)], certify=certify)
    judged = _with_declaration(judged)
    if format_ == "json":
        click.echo(json_text(as_json(judged, spoken)))
    else:
        verdict = f"{MARKS[judged.verdict]} {prose.plain(f'answers.verdict.{judged.verdict}')}"
        lines = [verdict, why(judged, spoken), caret_shown(judged) or ""]
        if judged.read is not None:
            lines.insert(1, prose.plain("verify.read", read=judged.read))
        if judged.certified is not None:
            said_of_it = judged.uncertified or Said("certified")
            lines.append(sentence(said_of_it, spoken))
        if judged.verdict == "wrong":
            lines.insert(1, prose.plain("answers.explain.right", right=expected_shown(judged)))
        click.echo("\n".join(line for line in lines if line))
    return 0 if judged.accepted and not (strict and judged.verdict == "rounded") else 1


def _with_declaration(judged: Judged) -> Judged:
    """The same with a word on how to declare a name that is not."""
    from derive.answers.values import Said
    from derive.problems.value import SORTS

    reason, name = judged.reason, judged.reason.params.get("name")
    if reason.code not in ("given.value-undeclared", "fault.undeclared") or name is None:
        return judged
    if reason.code == "given.value-undeclared":
        reason = Said("key.undeclared-value", reason.params)
    said = Said("key.declare", {"name": name, "sorts": ", ".join(SORTS)})
    return replace(judged, reason=reason, more=(*judged.more, said))


def _declaration(text: str, lang: str) -> tuple[str, str]:
    """``d: size`` as a name and a sort."""
    name, colon, sort = text.replace("：", ":").partition(":")
    if not colon or not name.strip() or not sort.strip():
        why = catalogue("zh" if lang == "zh" else "en").plain("answers.key.declaration", found=text.strip()[:60])
        raise DeriveError("usage", why=why)
    return name.strip().removeprefix("let ").strip(), sort.strip()
