"""What is wrong with something that somebody typed: a code, parameters, a place, and what was expected."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
Params: TypeAlias = Mapping[str, str | int]

# The sentences that people are shown live in the templates; these are for a programmer's traceback.
_ENGLISH: Mapping[str, str] = {
    "chain-starts-with-relation": "the first line of a proof is an expression, without a relation before it",
    "control-character": "the character {character} can't be part of a formula",
    "derivative": "derivatives are outside the language of these proofs",
    "declared-sort": "'{sort}' is no sort; sorts are size, index[n], integer, real, positive and real[n, m]",
    "dimensions-differ": "dimensions do not fit: {left} and {right}",
    "entry-outside": "the index {index} lies outside of 1..{upper}",
    "entry-unknown": "an entry of a vector that is worked out from written ones is read at a number from 1 to {upper}",
    "empty": "there is nothing to read",
    "empty-proof": "the proof has no lines",
    "exponent-not-integer": "an exponent must be an integer here, or a half of one",
    "factorial-too-large": "the factorial of more than {limit} is not worked out",
    "form": "{name} has the form {form}",
    "for-all-in-claim": "a claim holds for all values of what is declared; declare the index with 'let' instead",
    "header-in-proof": "'{keyword}' must stand before 'proof'",
    "missing-claim": "the file claims nothing: a line 'claim ... = ...' is missing",
    "missing-operator": "an operator is missing before {found}",
    "missing-proof": "the file has no line 'proof'",
    "not-a-derivation": "this is no derivation file: it has no line 'claim' and no line 'proof'",
    "not-a-number": "'{name}' is not a number of this language",
    "not-a-tensor": "only a tensor has entries",
    "not-an-integer": "{what} must be an integer",
    "not-utf-8": "the file is not UTF-8 text",
    "number-too-long": "a number has at most {limit} digits",
    "outside-language": "{what} is outside the language of these proofs",
    "rank-differs": "the sides of the claim have {left} axes, this line has {right}, or they differ in size",
    "range-unknown": "the range of '{name}' is not given and can't be inferred",
    "redeclared": "'{name}' is declared already",
    "relation-expected": "a relation such as '=' is missing",
    "relation-not-in-claim": "'{relation}' can't be used in the proof of this claim",
    "relation-unexpected": "there is no place for a relation here",
    "relations-mixed": "'{relation}' runs against the direction of the lines before it",
    "reserved-name": "'{name}' has a meaning of its own and can't be declared",
    "second-claim": "a file has one claim only",
    "second-proof": "a file has one proof only",
    "sequence-unexpected": "a list can't stand here",
    "tensor-product": "a product of two tensors can be read in several ways; write it by entries",
    "tensor-unexpected": "{what} must be a number, not a tensor",
    "too-deep": "brackets, powers and functions are nested more than {limit} deep",
    "too-large": "too large: more than {limit} {what}",
    "too-long": "too long: more than {limit} characters",
    "two-readings": "{one} or {other}: write the one you mean",
    "undeclared": "'{name}' is not declared",
    "unexpected": "unexpected {found}",
    "unexpected-end": "the input ends too early",
    "unknown-function": "{name}(...) reads as a function, and there is none of this name; a product is written with *",
    "written-as": "{found} is written {form} here",
    "unknown-command": "the command {name} is not known",
    "unknown-keyword": "'{keyword}' is no beginning of a line; lines begin with let, suppose, claim or proof",
    "wrong-number-of-arguments": "{name} takes {expected} arguments, not {found}",
    "wrong-number-of-indices": "there are {expected} indices to be given, not {found}",
}


class SyntaxFault(ValueError):
    """Something that can't be read.

    `code` names the kind of fault, `params` its details, `span` the half-open range of characters, `expected`
    what would have been right there; `line` and `column`, both from 1, are set for faults in a file, as is `source`,
    the text of the file.
    """

    def __init__(
        self,
        code: str,
        span: Span,
        params: Params | None = None,
        expected: tuple[str, ...] = (),
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.span = span
        self.params: Params = dict(params or {})
        self.expected = expected
        self.line = line
        self.column = column
        self.source = source

    def moved(self, by: int, line: int, column: int, source: str) -> SyntaxFault:
        """The same fault, `by` characters further on, in a file with the text `source`."""
        span = (self.span[0] + by, self.span[1] + by)
        return SyntaxFault(self.code, span, self.params, self.expected, line, column, source)

    def caret(self, text: str | None = None) -> str:
        """The line of `text` that the fault is in, or else of its file, and under it a caret at the place."""
        text = (self.source or "") if text is None else text
        start = max(0, min(self.span[0], len(text)))
        begin = text.rfind("\n", 0, start) + 1
        end = text.find("\n", start)
        line = text[begin : len(text) if end < 0 else end].replace("\t", " ")
        shown = "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in line)
        left, right = max(0, start - begin - 60), start - begin + 40
        indent = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in shown[left : start - begin])
        return f"{shown[left:right]}\n{' ' * indent}^"

    def __str__(self) -> str:
        said = _ENGLISH.get(self.code, self.code).format_map(self.params)
        nearest = self.params.get("nearest")
        hint = f"; did you mean '{nearest}'?" if nearest else ""
        wanted = f"; expected {' or '.join(self.expected)}" if self.expected else ""
        at = f"line {self.line}, column {self.column}" if self.line is not None else f"at {self.span[0] + 1}"
        return f"{said}{hint}{wanted} ({at})"
