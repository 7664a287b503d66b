"""A term as one line of plain text, with the stretches of it that changed."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from proofs.syntax.boxes import Call, Marked, Node, Summand
from proofs.syntax.layout import Path, Style, layout
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term

# Calls of functions by these names stand for marks while the text is made: no name of the language has such characters.
_PART, _WITH_SIGN = "\x01", "\x02"
Stretch = tuple[int, int]


def marked_plain(term: Term, marks: frozenset[Path]) -> tuple[str, tuple[Stretch, ...]]:
    """`term` as plain text, and where in it the marked parts stand: from a first character up to a last.

    >>> from proofs.terms import add, num, var
    >>> marked_plain(add(var("x"), num(1)), frozenset({(0,)}))
    ('x + 1', ((0, 1),))
    """
    if not marks:
        return to_plain(term), ()
    from proofs.syntax.to_plain import emit

    return _read_off(emit(_wrapped(layout(term, Style.LINEAR, marks))))


def _wrapped(node: Any) -> Any:
    """The boxes with every mark as a call."""
    if isinstance(node, Marked):
        return Call(_PART, (_wrapped(node.body),))
    if isinstance(node, Summand) and node.marked:
        body: Node = _wrapped(node.body)
        return replace(node, body=Call(_WITH_SIGN, (body,)))
    if isinstance(node, tuple):
        return tuple(map(_wrapped, node))
    if hasattr(node, "__dataclass_fields__"):
        return replace(node, **{f.name: _wrapped(getattr(node, f.name)) for f in fields(node)})
    return node


def _read_off(text: str) -> tuple[str, tuple[Stretch, ...]]:
    out: list[str] = []
    open_: list[int | None] = []  # for each bracket that is open: where its mark begins, None for one that is printed
    found: list[Stretch] = []
    k = 0
    while k < len(text):
        c = text[k]
        if c in (_PART, _WITH_SIGN):
            start = len(out)
            if c == _WITH_SIGN:
                while start and out[start - 1] in "+- ":
                    start -= 1
                while out[start] == " ":
                    start += 1
            open_.append(start)
            k += 2
            continue
        if c == "(":
            open_.append(None)
        elif c == ")":
            began = open_.pop()
            if began is not None:
                found.append((began, len(out)))
                k += 1
                continue
        out.append(c)
        k += 1
    return "".join(out), _apart(found)


def _apart(stretches: list[Stretch]) -> tuple[Stretch, ...]:
    """The stretches in order, those inside of others left out."""
    kept: list[Stretch] = []
    for start, end in sorted(stretches, key=lambda s: (s[0], -s[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return tuple(kept)
