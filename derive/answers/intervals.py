r"""An answer that is an interval, or several joined: ``[0, 1)``, ``(-\infty, 0) \cup (0, \infty)``, ``0 <= x < 1``."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from derive.answers.conditions import is_relational, read_relations
from derive.answers.judging import EQUIVALENT, Outcome, Scope, paired, scalar, with_goals
from derive.answers.reading import MAX_CHARACTERS, ReadScalar, read_answer
from derive.answers.values import Exact, Intervals, Piece, Scalar, Special
from proofs.evaluate import NotCertain, TooLarge, Undefined, compare
from proofs.syntax import nodes
from proofs.syntax.faults import SyntaxFault
from proofs.syntax.tokens import normalised
from proofs.terms import free_variables

MAX_PIECES = 8

_UNION = re.compile(r"(?<!\s)\s*(?:∪|⋃|\\cup(?![A-Za-z])|(?<=[\])\[])\s*[Uu]\s*(?=[\[(\]])|\bor\b|或|并)\s*")
_MEMBER = re.compile(r"\s*\\?[A-Za-z]\w*\s*(?:∈|\\in(?![A-Za-z])|\bin\b)\s*")
_SIZED = re.compile(r"\\(?:left|right|[bB]igg?[lr]?)(?=\s*[()\[\]])")
_REALS = re.compile(r"\s*(?:ℝ|\\(?:mathbb|mathbf|Bbb)\s*\{?\s*R\s*\}?|\\R|\\Reals)\s*")
_BOUNDED = re.compile(r"\s*[(\[\]].*[)\]\[]\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """One interval as typed; an end is None where a chain of relations leaves it open to infinity."""

    low: ReadScalar | None
    high: ReadScalar | None
    low_closed: bool
    high_closed: bool


def is_half_open(text: str) -> bool:
    """Whether the brackets of `text` are those of an interval and of nothing else: ``[0, 1)``, ``(0, 1]``."""
    plain = _SIZED.sub("", normalised(text)).strip()
    return len(plain) > 2 and (plain[0], plain[-1]) in {("[", ")"), ("(", "]")} and plain.count(",") == 1


def read_intervals(text: str, names: Collection[str]) -> list[ReadPiece]:
    """The intervals in `text`, as typed. Raises `SyntaxFault`, whose place is one in `text`."""
    if len(text) > MAX_CHARACTERS:
        raise SyntaxFault("too-long", (MAX_CHARACTERS, MAX_CHARACTERS + 1), {"limit": MAX_CHARACTERS})
    plain = _SIZED.sub(lambda m: " " * len(m.group()), normalised(text))
    dollars = plain.strip()
    if dollars.startswith("$") and dollars.endswith("$") and len(dollars) > 2:
        plain = plain.replace("$", " ")
    if not plain.strip():
        raise SyntaxFault("empty", (0, max(1, len(text))))
    if _REALS.fullmatch(plain):
        return [ReadPiece(None, None, False, False)]
    if is_relational(plain):
        return [_by_relations(plain, names)]
    member = _MEMBER.match(plain)
    at = member.end() if member is not None else 0
    found: list[ReadPiece] = []
    joints = list(_UNION.finditer(plain, at))
    if len(joints) >= MAX_PIECES:
        raise SyntaxFault("too-large", (0, 1), {"limit": MAX_PIECES, "what": "intervals"})
    for m in (*joints, None):
        end = len(plain) if m is None else m.start()
        found.append(_piece(plain[at:end], at, names))
        at = end if m is None else m.end()
    return found


def _piece(text: str, start: int, names: Collection[str]) -> ReadPiece:
    start += len(text) - len(text.lstrip())
    text = text.strip().rstrip(".。")
    if not _BOUNDED.fullmatch(text) or len(text) < 3:
        raise SyntaxFault("interval-expected", (start, start + max(1, len(text))), {}, ("an interval",))
    inside = text[1:-1]
    depth, cuts = 0, []
    for k, c in enumerate(inside):
        depth += (c in "([{") - (c in ")]}")
        if not depth and c in ",;" and inside[max(0, k - 1) : k + 2] != "{,}":
            cuts.append(k)
    if len(cuts) != 1:
        raise SyntaxFault("interval-expected", (start, start + len(text)), {}, ("an interval",))
    ends = [_end(inside[: cuts[0]], start + 1, names), _end(inside[cuts[0] + 1 :], start + cuts[0] + 2, names)]
    return ReadPiece(ends[0], ends[1], text[0] == "[", text[-1] == "]")


def _end(text: str, start: int, names: Collection[str]) -> ReadScalar:
    try:
        answer = read_answer(text, "number", names)
    except SyntaxFault as fault:
        span = (start + fault.span[0], start + fault.span[1])
        raise SyntaxFault(fault.code, span, fault.params, fault.expected) from None
    if len(answer.sides) != 1 or not isinstance(answer.sides[0], ReadScalar):
        raise SyntaxFault("interval-expected", (start, start + max(1, len(text))), {}, ("an interval",))
    return answer.sides[0]


def _by_relations(text: str, names: Collection[str]) -> ReadPiece:
    """``0 <= x < 1`` as an interval: relations of one name, each with a lower or an upper end."""
    relations = read_relations(text, names)
    subjects = {s.name for r in relations for s in (r.left, r.right) if isinstance(s, nodes.Name)}
    one = next((s for s in sorted(subjects) if all(_is(r.left, s) != _is(r.right, s) for r in relations)), None)
    ends: dict[Literal["low", "high"], tuple[nodes.Node, bool]] = {}
    for r in relations if one is not None else ():
        less = r.sign in ("<", "<=")
        side: Literal["low", "high"] = "high" if _is(r.left, one or "") == less else "low"
        if r.sign not in ("<", "<=", ">", ">=") or side in ends:
            raise SyntaxFault("interval-expected", r.span, {}, ("an interval",))
        ends[side] = (r.right if _is(r.left, one or "") else r.left, r.sign in ("<=", ">="))
    if not ends:
        raise SyntaxFault("interval-expected", (0, len(text)), {}, ("an interval",))
    low, high = (_read(ends[side][0]) if side in ends else None for side in ("low", "high"))
    closed = [side in ends and ends[side][1] for side in ("low", "high")]
    return ReadPiece(low, high, closed[0], closed[1])


def _is(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.name == name


def _read(node: nodes.Node) -> ReadScalar | None:
    """An end of a chain of relations; None for an infinity, where there is no end."""
    from derive.answers.reading import as_typed

    inner = node.operand if isinstance(node, nodes.Neg) else node
    if isinstance(inner, nodes.Special):
        return None
    return ReadScalar(node, as_typed(node))


# --- verdicts ------------------------------------------------------------------------------------------------


def judge_intervals(answer: str, right: Intervals, scope: Scope) -> Outcome:
    """The verdict on an answer that is an interval. Raises `SyntaxFault`."""
    read = read_intervals(answer, scope.environment.declarations)
    if len(read) != len(right.pieces):
        shapes = {"found": str(len(read)), "expected": str(len(right.pieces))}
        return Outcome("undecided" if len(read) > len(right.pieces) else "wrong", "other-pieces", shapes)
    table = [[_compared(a, b, scope) for b in right.pieces] for a in read]
    found = paired(table)
    if found is not None:
        return found
    return table[0][0] if len(read) == 1 else Outcome("wrong", "other-pieces", {"found": "", "expected": ""})


def _compared(read: ReadPiece, right: Piece, scope: Scope) -> Outcome:
    ends = (_end_of(read.low, right.low, "-inf", scope), _end_of(read.high, right.high, "inf", scope))
    bad = next((o for o in ends if o.verdict == "wrong"), None) or next((o for o in ends if not o.accepted), None)
    if bad is not None:
        return bad
    if (read.low_closed, read.high_closed) != (right.low_closed, right.high_closed):
        return Outcome("wrong", "ends-belong")
    codes = ("correct", "equivalent", "rounded")
    worst = max(ends, key=lambda o: codes.index(o.verdict))
    return with_goals(worst, ends)


def _end_of(read: ReadScalar | None, right: Scalar, infinite: str, scope: Scope) -> Outcome:
    if read is None:
        same = isinstance(right, Special) and right.name == infinite
        return replace(EQUIVALENT, unstated="special") if same else Outcome("wrong", "different")
    return scalar(read, right, scope)


def is_turned(piece: Piece) -> bool:
    """Whether the lower end is certainly not below the upper one."""
    if isinstance(piece.low, Special):
        return piece.low.name != "-inf"
    if isinstance(piece.high, Special):
        return piece.high.name != "inf"
    if not isinstance(piece.low, Exact) or not isinstance(piece.high, Exact):
        return False
    if free_variables(piece.low.term) or free_variables(piece.high.term):
        return False
    try:
        order = compare(piece.low.term, piece.high.term)
    except (Undefined, NotCertain, TooLarge):
        return False
    return order is not None and (order > 0 or (order == 0 and not (piece.low_closed and piece.high_closed)))
