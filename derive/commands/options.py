"""Options that several commands share, with their texts in the language of the moment."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from derive.errors import DeriveError
from derive.language import asked_for, of_locale
from derive.sheets.blocks import Language
from derive.sheets.prose import catalogue


def say(key: str, **params: str | int) -> str:
    """A sentence of the catalogue ``help`` in the language of the moment."""
    return catalogue(asked_for(sys.argv[1:])).plain(f"help.{key}", **params)


def one_language(value: str | None) -> Language:
    """The language asked for, by default that of the locale."""
    if value is None:
        return of_locale()
    if value not in ("zh", "en"):
        raise DeriveError("choice", option="--lang", found=value, options="zh, en")
    return "zh" if value == "zh" else "en"


def several(option: str, value: str | None, options: tuple[str, ...]) -> tuple[str, ...]:
    """A list separated by commas, each one of `options` and named once; all of them where nothing is said."""
    if value is None:
        return options
    chosen = [v.strip() for v in value.split(",")]
    for i, v in enumerate(chosen):
        if v not in options:
            raise DeriveError("choice", option=option, found=v, options=", ".join(options))
        if v in chosen[:i]:
            raise DeriveError("choice-twice", option=option, found=v)
    return tuple(chosen)


def language_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--lang`` for a command that speaks one language."""
    return click.option("--lang", metavar="zh|en", help=say("lang"))(function)


def force_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--force`` for a command that writes files whose names it is given."""
    return click.option("--force", is_flag=True, help=say("force"))(function)


def format_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--format json`` for a command that lists or judges."""
    return click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help=say("format"))(
        function
    )
