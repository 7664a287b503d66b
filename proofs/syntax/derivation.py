"""Derivation files: declarations, hypotheses, one claim and a chain of lines, as a learner types them.

A file is made of logical lines: a line and those after it that are indented further. Comments become blanks of the
same length, so that every place in a formula is a place in the file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from proofs.statement import Declaration, Kind, Signature, Statement
from proofs.syntax.as_read import as_read
from proofs.syntax.elaborate import elaborate_relation, elaborate_with_dimensions
from proofs.syntax.environment import Environment, declare
from proofs.syntax.faults import Params, SyntaxFault
from proofs.syntax.nodes import Name, Relation, RelationSign
from proofs.syntax.parser import parse_range, reading, relation_sign
from proofs.syntax.source import (
    KEYWORD, LEADING_SIGN, LogicalLine, Part, Source, keyword_of, logical_lines, without_comments,
)  # fmt: skip
from proofs.syntax.tokens import GREEK, NEAR_RELATION, NEAR_RELATIONS, normalised
from proofs.syntax.words import RESERVED
from proofs.terms import Term, forall, num, var

MAX_FILE_CHARACTERS = 60_000
MAX_LINES = 2_000
MAX_DECLARATIONS = 200
MAX_HYPOTHESES = 100
MAX_CHAIN = 500
MAX_RANK = 8
KEYWORDS = ("let", "suppose", "claim", "proof")

# Which signs a chain may use for each sign of the claim, and the signs that run from the right to the left.
_ALLOWED: Mapping[str, frozenset[str]] = {
    "=": frozenset("="),
    "!=": frozenset("="),
    "<=": frozenset(("=", "<=", "<")),
    "<": frozenset(("=", "<=", "<")),
}
_BACKWARD = {">=": "<=", ">": "<"}

_SPELLED = {
    "≤": "<=", "⩽": "<=", "≦": "<=", "≥": ">=", "⩾": ">=", "≧": ">=", "≠": "!=", "\\leqslant": "<=", "\\leq": "<=",
    "\\le": "<=", "\\geqslant": ">=", "\\geq": ">=", "\\ge": ">=", "\\neq": "!=", "\\ne": "!=", "\\lt": "<",
    "\\gt": ">",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z]+|\S")
_IN_BRACES = r"(?:[A-Za-z0-9,]+|\\(?:mathrm|text)\s*\{[A-Za-z0-9]+\})"
_NAME = re.compile(
    rf"(?:\\(?:mathrm|text|mathbf|mathit|operatorname)\s*\{{(?P<inner>[A-Za-z][A-Za-z0-9]*)\}}|\\(?P<command>[A-Za-z]+)"
    rf"|(?P<plain>[A-Za-z][A-Za-z0-9]*)|(?P<greek>[{''.join(GREEK)}]))"
    rf"(?P<subs>(?:\s*_\s*(?:[A-Za-z0-9]+|\{{{_IN_BRACES}\}}))*)(?P<primes>'*)"
)
_SORT = re.compile(r"\s*([A-Za-z]+)\s*(?:\[(.*)\])?\s*", re.DOTALL)
_FOR_ALL = re.compile(r"(?<![A-Za-z0-9_])for\s+all(?![A-Za-z0-9_])")
_FOR_ALL_SIGN = re.compile(r"(?:[\s$]|\\[,;:!>])*\\forall(?![A-Za-z])")
_COLON = re.compile(r"(?<!\\):")
_REASON = re.compile(r"(?<=\s)--(?=\s|$)")
_SIMILAR = {"assume": "suppose", "given": "suppose", "hypothesis": "suppose", "prove": "proof", "show": "claim",
            "theorem": "claim", "goal": "claim", "var": "let", "where": "let"}  # fmt: skip


@dataclass(frozen=True)
class DerivationLine:
    """One line of the chain: a relation to the line before it, a term, and the reason given.

    `text` is what was typed without the reason, with single blanks. `relation` is None in the first line. A line
    that can't be read has a `fault`, with line and column, and no term. `read` is how it was read, where that differs
    in form from `text`.
    """

    line_number: int
    text: str
    relation: RelationSign | None
    term: Term | None
    fault: SyntaxFault | None = None
    reason_text: str | None = None
    read: str | None = None


@dataclass(frozen=True)
class HeaderLine:
    """A line before the chain that was read in another form than it was typed in."""

    line_number: int
    text: str
    read: str


@dataclass(frozen=True)
class Derivation:
    """A statement, and the lines of somebody's proof of it.

    `claim_text` is the claim as typed. The claim ``a >= b`` is stored as ``b <= a``; a chain of it may use ``>=``.
    `header` are those of the lines before the chain that were read in another form than they were typed in.
    """

    statement: Statement
    lines: tuple[DerivationLine, ...]
    claim_text: str = ""
    claim_line: int = 0
    header: tuple[HeaderLine, ...] = ()


def decode(data: bytes) -> str:
    """The text of a derivation file. Raises `SyntaxFault` ``too-long`` or ``not-utf-8``."""
    if len(data) > 4 * MAX_FILE_CHARACTERS:
        raise SyntaxFault("too-long", (0, 0), {"limit": MAX_FILE_CHARACTERS}, line=1, column=1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        line = data.count(b"\n", 0, why.start) + 1
        column = why.start - (data.rfind(b"\n", 0, why.start) + 1) + 1
        raise SyntaxFault("not-utf-8", (why.start, why.end), line=line, column=column) from None


def read_derivation(text: str, signatures: Mapping[str, Signature]) -> Derivation:
    """Read a whole derivation file.

    A line of the chain that can't be read carries its fault, and the others are still read. Raises `SyntaxFault`,
    with line and column, for a fault anywhere before the chain; its code is ``not-a-derivation`` where the file has
    neither a claim nor a proof, and so is no derivation file at all.
    """
    if len(text) > MAX_FILE_CHARACTERS:
        raise SyntaxFault("too-long", (0, 0), {"limit": MAX_FILE_CHARACTERS}, line=1, column=1)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") >= MAX_LINES:
        raise SyntaxFault("too-large", (0, 0), {"limit": MAX_LINES, "what": "lines"}, line=1, column=1)
    file = Source(text)
    lines = logical_lines(text)
    keywords = [keyword_of(line.text) for line in lines]
    if "claim" not in keywords and "proof" not in keywords:
        raise SyntaxFault("not-a-derivation", (0, 0), line=1, column=1)
    try:
        file.text = normalised(without_comments(text))
    except SyntaxFault as fault:
        raise file.located(fault) from None
    return _Reader(file, signatures).read(logical_lines(file.text))


class _Reader:
    """What has been read of a file so far."""

    def __init__(self, file: Source, signatures: Mapping[str, Signature]) -> None:
        self.file = file
        self.signatures = dict(signatures)
        self.declared: dict[str, Declaration] = {}
        self.hypotheses: list[Term] = []
        self.claim: Term | None = None
        self.claim_line: LogicalLine | None = None
        self.sign: RelationSign = "="
        self.dims: tuple[Term, ...] = ()
        self.backward: bool | None = None
        self.here: LogicalLine | None = None
        self.shown: list[HeaderLine] = []

    @property
    def env(self) -> Environment:
        return Environment(self.declared, self.signatures)

    # --- the lines before the chain --------------------------------------------------------------------------

    def read(self, lines: Sequence[LogicalLine]) -> Derivation:
        end = len(self.file.text)
        for k, line in enumerate(lines):
            keyword = keyword_of(line.text)
            if keyword == "proof":
                return self.finished(line, lines[k + 1 :])
            self.header(keyword, line)
        code = "missing-claim" if self.claim is None else "missing-proof"
        raise self.file.fault(code, end, end)

    def header(self, keyword: str | None, line: LogicalLine) -> None:
        if keyword is None:
            word = _WORD.match(line.text)
            shown = word.group() if word else ""
            nearest = difflib.get_close_matches(shown.lower()[:40], KEYWORDS, 1, 0.6)
            params: Params = {
                "keyword": shown[:40],
                "nearest": _SIMILAR.get(shown.lower(), nearest[0] if nearest else ""),
            }
            raise self.file.fault("unknown-keyword", line.start, line.start + len(shown), params, KEYWORDS)
        self.here = line
        mark = KEYWORD.match(line.text)
        after = mark.end() if mark is not None and keyword != "let" else len(keyword)
        rest = Part(line.text[after:], line.start + after)
        if keyword == "let":
            self.let(rest)
        elif keyword == "suppose":
            self.suppose(rest)
        else:
            self.claimed(rest, line)

    def let(self, part: Part) -> None:
        names, colon, sort = part.partition(":")
        if not colon:
            raise self.file.fault("unexpected-end", part.end, part.end, {}, ("':' and a sort",))
        kind, upper, dims = self.sort(sort, self.env)
        for piece in Part(names.text.replace("$", " "), names.start).split():
            name = self.new_name(piece)
            if name in self.declared:
                raise self.file.fault("redeclared", piece.start, piece.end, {"name": name})
            if len(self.declared) >= MAX_DECLARATIONS:
                raise self.file.fault("too-large", *piece.span, {"limit": MAX_DECLARATIONS, "what": "declarations"})
            self.declared[name] = declare(name, kind, upper, dims)

    def new_name(self, part: Part) -> str:
        """The plain form of a name as it is declared."""
        m = _NAME.fullmatch(part.text)
        if m is None or len(part.text) > 60:
            code = "unexpected" if part.text else "unexpected-end"
            raise self.file.fault(code, part.start, part.end, {"found": part.text[:40]}, ("a name",))
        if m["command"] and m["command"] not in GREEK.values():
            raise self.file.fault("unknown-command", part.start, part.end, {"name": "\\" + m["command"][:40]})
        base = m["inner"] or m["command"] or m["plain"] or GREEK[m["greek"]]
        subs = re.sub(r"\\(?:mathrm|text)|[\s{}]", "", m["subs"]).replace(",", "_")
        name = base + subs + m["primes"]
        if name in RESERVED or name in self.signatures:
            raise self.file.fault("reserved-name", part.start, part.end, {"name": name})
        return name

    def sort(self, part: Part, env: Environment) -> tuple[Kind, Term | None, tuple[Term, ...]]:
        """``size``, ``index[n]``, ``integer``, ``real``, ``positive`` or ``real[n, m]``."""
        m = _SORT.fullmatch(part.text)
        word = m[1] if m else ""
        bracketed = m is not None and m[2] is not None
        if m is None or word not in ("size", "index", "integer", "real", "positive"):
            raise self.bad_sort(part)
        if bracketed != (word == "index") and not (bracketed and word == "real"):
            raise self.bad_sort(part)
        kind: Kind = word  # type: ignore[assignment]
        if not bracketed:
            return kind, None, ()
        inner = Part(m[2], part.start + m.start(2))
        terms = tuple(self.integer(p, env) for p in inner.split())
        if kind == "index":
            if len(terms) != 1:
                raise self.bad_sort(part)
            return kind, terms[0], ()
        if len(terms) > MAX_RANK:
            raise self.file.fault("too-large", *part.stripped.span, {"limit": MAX_RANK, "what": "axes"})
        return kind, None, terms

    def bad_sort(self, part: Part) -> SyntaxFault:
        shown = " ".join(part.text.split())[:40]
        if not shown:
            return self.file.fault("unexpected-end", part.start, part.end, {}, ("a sort",))
        return self.file.fault("declared-sort", *part.stripped.span, {"sort": shown})

    def integer(self, part: Part, env: Environment) -> Term:
        found = self.expression(part, env)
        self.note(found, part)
        made = found.term
        if made.sort != "integer" or made.rank:
            raise self.file.fault("not-an-integer", *part.stripped.span, {"what": "a dimension or the end of a range"})
        return made

    def suppose(self, part: Part) -> None:
        if len(self.hypotheses) >= MAX_HYPOTHESES:
            raise self.file.fault("too-large", *part.span, {"limit": MAX_HYPOTHESES, "what": "hypotheses"})
        self.hypotheses.append(self.proposition(part))

    def proposition(self, part: Part) -> Term:
        """A relation, with what it holds for all of: behind it in words, or before it in LaTeX."""
        ranges = _Ranges(self)
        m = _FOR_ALL.search(part.text)
        if m is not None:
            self.quantified(Part(part.text[m.end() :], part.start + m.end()), ranges)
            part = Part(part.text[: m.start()], part.start)
        while (mark := _FOR_ALL_SIGN.match(part.text)) is not None:
            part = self.for_all_sign(part, mark.end(), ranges)
        found = elaborated(self.file, part, ranges.env, "relation")
        self.note(found, part)
        made = found.term
        for variable, lower, upper in reversed(ranges.bound):
            made = forall(variable, lower, upper, made)
        return made

    def quantified(self, part: Part, ranges: _Ranges) -> None:
        """``i : index[h], k = a..b``, each range in the scope of those before it."""
        waiting: list[Part] = []
        for piece in part.split():
            names, colon, sort = piece.partition(":")
            name, equals, ends = piece.partition("=")
            if equals and not colon and not waiting:
                low, dots, high = ends.partition("..")
                if not dots:
                    raise self.file.fault("unexpected-end", ends.end, ends.end, {}, ("'..'",))
                ranges.add(name, self.integer(low, ranges.env), self.integer(high, ranges.env))
                continue
            waiting.append(names)
            if not colon:
                continue
            kind, upper, _ = self.sort(sort, ranges.env)
            if kind != "index" or upper is None:
                raise self.bad_sort(sort)
            for n in waiting:
                ranges.add(n, num(1), upper)
            waiting = []
        if waiting:
            raise self.file.fault("unexpected-end", part.end, part.end, {}, ("': index[...]'",))

    def for_all_sign(self, part: Part, begin: int, ranges: _Ranges) -> Part:
        r"""Take the range after one ``\forall``, as in ``\forall\, 1 \le i \le n :\; p``; what remains is p."""
        m = _COLON.search(part.text, begin)
        if m is None:
            raise self.file.fault("unexpected-end", part.end, part.end, {}, ("':'",))
        inner = Part(part.text[begin : m.start()], part.start + begin)
        low, name, high = ranged(self.file, inner, ranges.env)
        ranges.add(Part(name.name, inner.start + name.span[0]), low, high)
        closing = "" if "$" in part.text[m.end() :] else "$"  # what is left is LaTeX, whatever stands in it
        return Part("$" + part.text[m.end() :] + closing, part.start + m.start())

    def claimed(self, part: Part, line: LogicalLine) -> None:
        if self.claim is not None:
            raise self.file.fault("second-claim", line.start, line.start + len("claim"))
        m = _FOR_ALL.search(part.text)
        if m is not None:
            raise self.file.fault("for-all-in-claim", part.start + m.start(), part.start + m.end())
        found = elaborated(self.file, part, self.env, "relation")
        self.note(found, part)
        self.claim, self.sign, self.dims = found.term, found.sign, found.dimensions
        self.claim_line = line

    def note(self, found: Elaborated, part: Part) -> None:
        """Keep how a formula before the chain was read, where that differs in form from the typing."""
        if found.read is not None and self.here is not None:
            self.shown.append(HeaderLine(self.here.number, " ".join(part.text.split()), found.read))

    def expression(self, part: Part, env: Environment) -> Elaborated:
        return elaborated(self.file, part, env, "expression")

    # --- the chain -------------------------------------------------------------------------------------------

    def finished(self, proof: LogicalLine, lines: Sequence[LogicalLine]) -> Derivation:
        mark = KEYWORD.match(proof.text)
        after = proof.text[mark.end() :].strip() if mark else ""
        if after:
            place = proof.start + proof.text.rindex(after)
            raise self.file.fault("unexpected", place, place + len(after), {"found": after[:40]}, ("a new line",))
        if self.claim is None or self.claim_line is None:
            raise self.file.fault("missing-claim", proof.start, proof.start + len("proof"))
        if not lines:
            raise self.file.fault("empty-proof", proof.start, proof.start + len("proof"))
        if len(lines) > MAX_CHAIN:
            raise self.file.fault(
                "too-large", lines[MAX_CHAIN].start, lines[MAX_CHAIN].start, {"limit": MAX_CHAIN, "what": "lines"}
            )
        chain = tuple(self.line(line, k == 0) for k, line in enumerate(lines))
        statement = Statement(
            tuple(self.declared.values()), tuple(self.hypotheses), self.claim, tuple(self.signatures.values())
        )
        mark = KEYWORD.match(self.claim_line.text)
        claim_text = " ".join(self.claim_line.text[mark.end() if mark else 0 :].split())
        return Derivation(statement, chain, claim_text, self.claim_line.number, tuple(self.shown))

    def line(self, line: LogicalLine, first: bool) -> DerivationLine:
        text, reason = line.text, None
        marks = list(_REASON.finditer(text))
        if marks:
            reason = " ".join(text[marks[-1].end() :].split()) or None
            text = text[: marks[-1].start()].rstrip()
        shown = " ".join(text.split())
        sign: RelationSign | None = None
        term: Term | None = None
        fault: SyntaxFault | None = None
        read: str | None = None
        try:
            self.check_near_sign(line)
            keyword = keyword_of(text)
            if keyword is not None:
                code = f"second-{keyword}" if keyword in ("claim", "proof") else "header-in-proof"
                raise self.file.fault(code, line.start, line.start + len(keyword), {"keyword": keyword})
            m = LEADING_SIGN.match(text)
            if m is not None:
                sign = relation_sign(_SPELLED.get(m[2], m[2]))
                text = text[: m.start(2)] + " " * len(m[2]) + text[m.end(2) :]
            self.check_sign(sign, line, first)
            found = self.expression(Part(text, line.start), self.env)
            term, dims = found.term, found.dimensions
            if found.read is not None:
                read = f"{sign} {found.read}" if sign is not None else found.read
            if dims != self.dims:
                params: Params = {"left": len(self.dims), "right": len(dims)}
                raise self.file.fault("rank-differs", line.start, line.start + len(text), params)
        except SyntaxFault as why:
            term, fault = None, why
        return DerivationLine(line.number, shown, sign, term, fault, reason, read)

    def check_near_sign(self, line: LogicalLine) -> None:
        """Refuse a sign of another language at the beginning of a line, and say how it is written here."""
        start = len(line.text) - len(line.text.lstrip(" \t$"))
        m = NEAR_RELATION.match(line.text, start)
        if m is not None:
            form = NEAR_RELATIONS[m.group()]
            params: Params = {"found": m.group(), "form": form}
            raise self.file.fault("written-as", line.start + start, line.start + m.end(), params, (form,))

    def check_sign(self, sign: RelationSign | None, line: LogicalLine, first: bool) -> None:
        if first:
            if sign is not None:
                raise self.file.fault("chain-starts-with-relation", line.start, line.start + len(sign))
            return
        if sign is None:
            raise self.file.fault("relation-expected", line.start, line.start, {}, ("a relation",))
        forward = _BACKWARD.get(sign, sign)
        if forward not in _ALLOWED[_BACKWARD.get(self.sign, self.sign)]:
            raise self.file.fault("relation-not-in-claim", line.start, line.start + len(sign), {"relation": sign})
        if sign != "=":
            backward = sign in _BACKWARD
            if self.backward is not None and self.backward != backward:
                raise self.file.fault("relations-mixed", line.start, line.start + len(sign), {"relation": sign})
            self.backward = backward


class _Ranges:
    """The indices that a 'for all' binds, from the outermost in, and what names mean within."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.env = reader.env
        self.bound: list[tuple[Term, Term, Term]] = []

    def add(self, part: Part, low: Term, high: Term) -> None:
        file, part = self.reader.file, part.stripped
        name = self.reader.new_name(part)
        variable = var(name, "integer")
        if variable in self.env.sizes() or variable in (v for v, _, _ in self.bound):
            raise file.fault("redeclared", *part.span, {"name": name})
        if len(self.bound) >= MAX_RANK:
            raise file.fault("too-large", *part.span, {"limit": MAX_RANK, "what": "indices"})
        self.bound.append((variable, low, high))
        self.env = Environment({**self.env.declarations, name: declare(name, "index", high)}, self.env.signatures)


def ranged(file: Source, part: Part, env: Environment) -> tuple[Term, Name, Term]:
    """A range in LaTeX: its two ends, and the name of its index between them."""
    try:
        low, name, high = parse_range(part.text, env.declarations, env.signatures)
        ends = [elaborate_with_dimensions(n, env)[0] for n in (low, high)]
        for node, end in zip((low, high), ends, strict=True):
            if end.sort != "integer" or end.rank:
                raise SyntaxFault("not-an-integer", node.span, {"what": "a dimension or the end of a range"})
    except SyntaxFault as fault:
        raise file.located(fault, part.start) from None
    return ends[0], name, ends[1]


def read_proposition(text: str, env: Environment) -> Term:
    """What ``suppose`` may say: a relation, or one for all indices in their ranges. Raises `SyntaxFault`."""
    reader = _Reader(Source(text), env.signatures)
    reader.declared = dict(env.declarations)
    return reader.proposition(Part(text, 0))


@dataclass(frozen=True)
class Elaborated:
    """The term of a formula, the sign of a relation, and the dimensions of it or of its sides.

    `read` is how it was read, where that differs in form from the typing.
    """

    term: Term
    sign: RelationSign
    dimensions: tuple[Term, ...]
    read: str | None


def elaborated(file: Source, part: Part, env: Environment, only: Literal["expression", "relation"]) -> Elaborated:
    """A formula in the file. Raises `SyntaxFault`, with line and column."""
    try:
        text, latex = _formula(part.text)
        tensors = env.tensors()
        found = reading(text, env.declarations, env.signatures, tensors=tensors, latex=latex, only=only)
        node = found.node
        shown = as_read(node, tensors) if found.decided else None
        if isinstance(node, Relation):
            dims = elaborate_with_dimensions(node.left, env)[1]
            return Elaborated(elaborate_relation(node, env), node.sign, dims, shown)
        made, dims = elaborate_with_dimensions(node, env)
        return Elaborated(made, "=", dims, shown)
    except SyntaxFault as fault:
        raise (fault if fault.line is not None else file.located(fault, part.start)) from None


def _formula(text: str) -> tuple[str, bool | None]:
    """A formula without its dollar signs, in its place, and whether it is LaTeX; a relation may stand between two."""
    if "$" not in text:
        return text, None
    pieces = text.split("$")
    outside = [p.strip() for p in pieces[::2]]
    if len(pieces) % 2 == 0:
        raise SyntaxFault("unexpected-end", (len(text), len(text)), {}, ("$",))
    for k, piece in enumerate(outside):
        between = 0 < k < len(outside) - 1
        if piece and not (between and _SPELLED.get(piece, piece) in ("=", "<=", "<", ">=", ">", "!=")):
            at = len("$".join(pieces[: 2 * k])) + (1 if k else 0)
            at += len(pieces[2 * k]) - len(pieces[2 * k].lstrip())
            raise SyntaxFault("unexpected", (at, at + len(piece)), {"found": piece[:40]}, ("$",))
    return text.replace("$", " "), True
