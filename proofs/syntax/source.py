"""The text of a derivation file: its logical lines, and every piece with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from proofs.syntax.faults import Params, SyntaxFault

LEADING_SIGN = re.compile(
    r"\s*(\$?)\s*(<=|>=|!=|[=<>≤≥≠⩽⩾≦≧]|\\(?:leqslant|geqslant|leq|geq|neq|le|ge|ne|lt|gt)(?![A-Za-z]))"
)
KEYWORD = re.compile(r"(let|suppose|claim|proof)(?=[\s:]|$)\s*:?")


@dataclass(frozen=True)
class LogicalLine:
    """A logical line: its text, where it begins in the file, and its place there."""

    text: str
    start: int
    number: int
    column: int

    @property
    def shown(self) -> str:
        return " ".join(self.text.split())


class Source:
    """The text of a file, to turn places in it into lines and columns."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(m.end() for m in re.finditer(r"\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle)
        return low + 1, offset - self.starts[low] + 1

    def located(self, fault: SyntaxFault, by: int = 0) -> SyntaxFault:
        return fault.moved(by, *self.place(max(0, min(fault.span[0] + by, len(self.text)))), self.text)

    def fault(
        self, code: str, start: int, end: int, params: Params | None = None, expected: tuple[str, ...] = ()
    ) -> SyntaxFault:
        return self.located(SyntaxFault(code, (start, end), params, expected))


def keyword_of(text: str) -> str | None:
    """The keyword that a logical line begins with, if it does."""
    m = KEYWORD.match(text)
    return m.group(1) if m else None


def without_comments(text: str) -> str:
    """`text` with blanks for its comments, every other character in its place."""
    return re.sub(r"[#＃][^\n]*", lambda m: " " * len(m.group()), text)


def logical_lines(text: str) -> list[LogicalLine]:
    """The logical lines of a file: each with those after it that are indented further.

    A line that begins with a keyword is never a continuation, nor is one in a proof that begins with a relation.
    """
    found: list[LogicalLine] = []
    first, indent, start, end = 0, -1, 0, 0
    in_proof, heading, offset = False, False, 0

    def close() -> None:
        if indent >= 0:
            column = start - (text.rfind("\n", 0, start) + 1) + 1
            found.append(LogicalLine(text[start:end], start, first, column))

    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare:
            here = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())
            keyword = keyword_of(bare)
            if indent < 0 or here <= indent or heading or keyword or (in_proof and LEADING_SIGN.match(bare)):
                close()
                heading = keyword == "proof"
                in_proof = in_proof or heading
                first, indent, start = number, here, offset + len(line) - len(line.lstrip())
            end = offset + len(line.rstrip())
        offset += len(line) + 1
    close()
    return found


@dataclass(frozen=True)
class Part:
    """A piece of the file and its place."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def span(self) -> tuple[int, int]:
        return (self.start, self.end)

    @property
    def stripped(self) -> Part:
        left = len(self.text) - len(self.text.lstrip())
        return Part(self.text.strip(), self.start + left)

    def partition(self, mark: str) -> tuple[Part, bool, Part]:
        before, found, after = self.text.partition(mark)
        return Part(before, self.start).stripped, bool(found), Part(after, self.end - len(after))

    def split(self) -> Iterator[Part]:
        """The pieces between the commas that stand in no bracket."""
        depth = begin = 0
        for k, c in enumerate(self.text + ","):
            if c in "([{":
                depth += 1
            elif c in ")]}":
                depth -= 1
            elif c == "," and (depth <= 0 or k == len(self.text)):
                yield Part(self.text[begin:k], self.start + begin).stripped
                begin = k + 1
