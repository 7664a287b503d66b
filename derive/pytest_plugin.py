"""A pytest plugin: ``pytest --derive-keys 'keys/*.toml'`` makes one test of each answer of the keys."""

from __future__ import annotations

from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from derive.visible import visible

if TYPE_CHECKING:
    from derive.answers.checking import Judged


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--derive-keys`` with a pattern, which may be repeated, and ``--derive-strict``."""
    group = parser.getgroup("derive", "answer keys")
    group.addoption("--derive-keys", action="append", default=[], metavar="PATTERN", help="answer keys to verify")
    group.addoption("--derive-strict", action="store_true", help="answers that are right only as roundings fail")


def pytest_configure(config: pytest.Config) -> None:
    """Add the keys to what is collected. A pattern that matches nothing is an error, so that no key is forgotten."""
    for pattern in config.getoption("--derive-keys"):
        found = sorted(glob(pattern, recursive=True, root_dir=config.invocation_params.dir))  # noqa: PTH207
        if not found:
            raise pytest.UsageError(f"--derive-keys: no file matches {visible(pattern)}")
        for name in found:
            path = (config.invocation_params.dir / name).resolve()
            if path not in config.stash.setdefault(_KEYS, []):
                config.stash[_KEYS].append(path)
                config.args.append(str(path))


_KEYS = pytest.StashKey[list[Path]]()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> KeyFile | None:
    """A key that was asked for, as a collector of its answers."""
    if file_path in parent.config.stash.get(_KEYS, []):
        return KeyFile.from_parent(parent, path=file_path)
    return None


class KeyFile(pytest.File):
    """One key; its answers are judged together when the first of them runs."""

    _judged: list[Judged] | None = None

    def collect(self) -> Iterator[AnswerItem]:
        from derive.keys import KeyRefused, load

        try:
            self.key = load(self.path)
        except KeyRefused as refused:
            from derive.language import of_locale
            from derive.sheets.prose import catalogue

            said = catalogue(of_locale()).plain(f"answers.key.{refused.code}", **refused.params)
            raise self.CollectError(said) from None
        for number, entry in enumerate(self.key.entries):
            yield AnswerItem.from_parent(self, name=visible(entry.id), number=number)

    def judged(self, number: int) -> Judged:
        """The verdict on one answer."""
        if self._judged is None:
            from derive.answers.pool import check_all

            self._judged = check_all(self.key.entries)
        return self._judged[number]


class NotAccepted(Exception):
    """An answer that was not accepted, with its verdict."""

    def __init__(self, judged: Judged) -> None:
        super().__init__(judged.verdict)
        self.judged = judged


class AnswerItem(pytest.Item):
    """One answer of a key."""

    def __init__(self, *, number: int, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.number = number

    def runtest(self) -> None:
        parent = self.parent
        if not isinstance(parent, KeyFile):
            raise TypeError("an answer belongs to a key")
        judged = parent.judged(self.number)
        strict = self.config.getoption("--derive-strict")
        if not judged.accepted or (strict and judged.verdict == "rounded"):
            raise NotAccepted(judged)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if not isinstance(excinfo.value, NotAccepted):
            return str(super().repr_failure(excinfo))
        from derive.answers.report import MARKS, answer_shown, caret_shown, expected_shown, why
        from derive.language import of_locale
        from derive.sheets.prose import catalogue

        judged, lang = excinfo.value.judged, of_locale()
        prose = catalogue(lang)
        lines = [
            f"{visible(judged.id)}: {answer_shown(judged)}",
            f"{MARKS[judged.verdict]} {prose.plain(f'answers.verdict.{judged.verdict}')}: {why(judged, lang)}",
        ]
        if judged.exact is not None:
            lines.append(prose.plain("answers.explain.right", right=expected_shown(judged)))
        caret = caret_shown(judged)
        return "\n".join([*lines, *([caret] if caret else [])])

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name
