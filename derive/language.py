"""Which language to speak: that of the locale, unless one is asked for."""

from __future__ import annotations

import os

from derive.sheets.blocks import Language


def of_locale() -> Language:
    """``zh`` where the first of LC_ALL, LC_MESSAGES and LANG that is set begins so, else ``en``."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def asked_for(arguments: list[str]) -> Language:
    """The language for messages before a command line is understood: that of ``--lang``, else the locale's."""
    for i, argument in enumerate(arguments):
        value = (
            argument[7:]
            if argument.startswith("--lang=")
            else arguments[i + 1]
            if argument == "--lang" and i + 1 < len(arguments)
            else ""
        )
        if value in ("zh", "en"):
            return "zh" if value == "zh" else "en"
    return of_locale()
