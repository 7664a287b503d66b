"""`derive list`: theorems, problems and sheets, with one line each; `derive list KIND`: what a problem kind takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import click

from derive.commands.options import format_option, language_option, one_language, say
from derive.errors import DeriveError
from derive.sheets.prose import catalogue
from derive.visible import json_text, visible

if TYPE_CHECKING:
    from derive.sheets.blocks import Language
    from derive.sheets.problems import Field, Given, ProblemKind


@click.command("list", help=say("list"), short_help=say("list-short"))
@click.argument("kind", required=False, metavar="[KIND]")
@format_option
@language_option
def command(kind: str | None, format_: str, lang: str | None) -> None:
    spoken = one_language(lang)
    if kind is None:
        _everything(format_, spoken)
        return
    if kind == VALUE:
        _value(format_, spoken)
        return
    found = _kind(kind)
    if format_ == "json":
        click.echo(json_text(as_json(found, spoken)))
    else:
        _print(found, spoken)


def _everything(format_: str, spoken: Language) -> None:
    from derive.commands.build import found
    from derive.library import definitions, rules, theorems
    from derive.sheets.manifest import read
    from derive.worked import kinds

    sheets = [read(path, kinds()) for path in found()]
    sections: dict[str, list[tuple[str, str]]] = {
        "theorems": [(t.name, t.title.in_language(spoken)) for t in theorems().values()],
        "problems": [
            (VALUE, catalogue(spoken).plain("help.value-title")),
            *((k.name, k.title.in_language(spoken)) for k in kinds().values()),
        ],
        "sheets": [(m.id, m.title.in_language(spoken)) for m in sheets],
    }
    if format_ == "json":
        listed: dict[str, object] = {
            part: [{"name": n, "title": t} for n, t in rows] for part, rows in sections.items()
        }
        listed["problems"] = [value_as_json(spoken), *(as_json(k, spoken) for k in kinds().values())]
        listed["rules"] = [{"code": r.code, "zh": r.zh, "en": r.en} for r in rules()]
        listed["definitions"] = [{"name": d.name, "arguments": list(d.arguments)} for d in definitions()]
        click.echo(json_text(listed))
        return
    sections["rules"] = [(r.zh if spoken == "zh" else r.en, "") for r in rules()]
    sections["definitions"] = [(f"{d.name}({', '.join(d.arguments)})", "") for d in definitions()]
    for part, rows in sections.items():
        _table(catalogue(spoken).plain(f"help.list-{part}"), rows)
    click.echo(catalogue(spoken).plain("help.list-more"))


# --- the value that a key gives ------------------------------------------------------------------------------


VALUE = "value"
"""The problem kind of keys alone: no sheet asks it, and the key itself gives the right value."""


def _value_fields() -> list[tuple[str, bool, tuple[str, ...]]]:
    """What may be given to it: name, whether it is needed, what may be chosen."""
    from derive.problems.asked import KINDS
    from derive.problems.value import SORTS

    return [("value", True, ()), ("symbols", False, tuple(SORTS)), ("kind", False, KINDS)]


def value_as_json(lang: Language) -> dict[str, object]:
    """What the kind `value` takes, and how a key says how an answer is judged."""
    from derive.problems.asked import NEARNESS

    prose = catalogue(lang)
    given = []
    for name, needed, options in _value_fields():
        one: dict[str, object] = {"name": name, "type": "choice" if name == "kind" else name, "needed": needed}
        given.append(one | ({"options": list(options)} if options else {}))
    return {
        "name": VALUE,
        "title": prose.plain("help.value-title"),
        "given": given,
        "constraint": None,
        "asked": [{"part": "", "what": prose.plain("help.answered-any")}],
        "options": [{"name": n, "what": prose.plain(f"help.option-{n}")} for n in (*NEARNESS, *_MORE)],
    }


_MORE = ("accept", "points", "steps")


def _value(format_: str, lang: Language) -> None:
    from derive.problems.asked import NEARNESS

    if format_ == "json":
        click.echo(json.dumps(value_as_json(lang), ensure_ascii=False, indent=2))
        return
    prose = catalogue(lang)
    click.echo(f"{VALUE}: {prose.plain('help.value-title')}\n")
    rows = []
    for name, needed, options in _value_fields():
        how = prose.plain("help.field-needed" if needed else "help.field-optional")
        rows.append((name, prose.plain(f"help.value-{name}"), ", ".join(options), how))
    _table(prose.plain("help.kind-given"), rows)
    said = [(name, prose.plain(f"help.option-{name}")) for name in (*NEARNESS, *_MORE)]
    _table(prose.plain("help.value-options"), said)
    _table(prose.plain("help.kind-asked"), [(prose.plain("help.kind-whole"), prose.plain("help.answered-any"))])


# --- one problem kind ----------------------------------------------------------------------------------------


def _kind(name: str) -> ProblemKind:
    from difflib import get_close_matches

    from derive.worked import kinds

    found = kinds().get(name)
    if found is None:
        close = get_close_matches(name, [VALUE, *kinds()], 1)
        if close:
            raise DeriveError("no-kind-close", name=name, close=close[0])
        raise DeriveError("no-kind", name=name)
    return found


def as_json(kind: ProblemKind, lang: Language) -> dict[str, object]:
    """What a kind takes and what it asks; names, types and limits are the same in both languages."""
    from derive.sheets.problems import Explained

    given = []
    for name, field in kind.fields.items():
        one: dict[str, object] = {"name": name, "type": field.type, "needed": _is_needed(field)}
        one |= {"default": _plain(field.default)} if field.default is not None else {}
        one |= {key: value for key, value in (("from", field.low), ("to", field.high)) if value is not None}
        one |= {"longest": field.longest} if field.type in ("numbers", "matrix") else {}
        one |= {"rows": field.rows} if field.rows is not None else {}
        one |= {"options": list(field.options)} if field.options else {}
        one |= {"infinite": True} if field.infinite else {}
        given.append(one)
    constraint = kind.constraint.in_language(lang) if isinstance(kind, Explained) else None
    return {
        "name": kind.name,
        "title": kind.title.in_language(lang),
        "given": given,
        "constraint": constraint,
        "asked": [{"part": part, "what": what} for part, what in _asked(kind, lang)],
    }


def _asked(kind: ProblemKind, lang: Language) -> list[tuple[str, str]]:
    """The parts that a key may name with what they are; the whole, without a name, first."""
    from derive.problems import answer_kinds
    from derive.sheets.problems import Answering

    parts = kind.parts if isinstance(kind, Answering) else {}
    found = [(part, what.in_language(lang)) for part, what in parts.items()]
    if kind.name in answer_kinds() and "" not in parts:
        found.insert(0, ("", catalogue(lang).plain(f"help.answered-{answer_kinds()[kind.name].answered}")))
    return found


def _is_needed(field: Field) -> bool:
    return field.required and field.default is None


def _plain(value: Given) -> object:
    """A default as JSON has it, decimals as they are typed."""
    if isinstance(value, tuple):
        return [_plain(x) for x in value]
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else str(value)
    return value


def _print(kind: ProblemKind, lang: Language) -> None:
    from derive.sheets.problems import Explained

    prose = catalogue(lang)
    click.echo(f"{kind.name}: {kind.title.in_language(lang)}\n")
    rows = []
    for name, field in kind.fields.items():
        takes = [prose.plain(f"help.field-{field.type}"), *_limits(field, lang)]
        if _is_needed(field):
            default = prose.plain("help.field-needed")
        elif field.default is None:
            default = prose.plain("help.field-optional")
        else:
            default = prose.plain("help.field-default", value=json.dumps(_plain(field.default)))
        rows.append((name, takes[0], ", ".join(takes[1:]), default))
    _table(prose.plain("help.kind-given"), rows or [(prose.plain("help.kind-nothing"),)])
    if isinstance(kind, Explained):
        _table(prose.plain("help.kind-constraint"), [(kind.constraint.in_language(lang),)])
    asked = [(f"part = {json.dumps(part)}" if part else prose.plain("help.kind-whole"), what)
             for part, what in _asked(kind, lang)]  # fmt: skip
    _table(prose.plain("help.kind-asked"), asked)


def _limits(field: Field, lang: Language) -> list[str]:
    """The range of a field, its length, and what may be chosen."""
    say_ = catalogue(lang).plain
    said = []
    if field.low is not None and field.high is not None:
        said.append(say_("help.range-between", low=field.low, high=field.high))
    elif field.low is not None:
        said.append(say_("help.range-from", low=field.low))
    elif field.high is not None:
        said.append(say_("help.range-to", high=field.high))
    if field.infinite:
        said.append(say_("help.range-infinite"))
    if field.type in ("numbers", "matrix"):
        if field.rows is None:
            said.append(say_(f"help.longest-{field.type}", n=field.longest))
        else:
            said.append(say_("help.longest-rows", rows=field.rows, n=field.longest))
    return said + list(field.options)


def _table(title: str, rows: Sequence[tuple[str, ...]]) -> None:
    """A heading with rows below it: the first cell of each is a name."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from derive.commands.trimmed import trimmed

    console = Console()
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=len(max(rows, key=len, default=())) > 1)
    for name, *cells in rows:
        table.add_row(Text("  " + visible(name), style="cyan" if cells else ""), *(Text(visible(c)) for c in cells))
    with trimmed(console):
        console.print(Text(title, style="bold"))
        console.print(table)
        console.print()
