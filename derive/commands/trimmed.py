"""What a console prints, without the blanks that fill lines up to a width."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_FILLING = re.compile(r" +$", re.MULTILINE)


@contextmanager
def trimmed(console: Console) -> Iterator[None]:
    """Prints what is printed inside at the end, each line without the blanks behind it."""
    with console.capture() as caught:
        yield
    console.file.write(_FILLING.sub("", caught.get()))
    console.file.flush()
