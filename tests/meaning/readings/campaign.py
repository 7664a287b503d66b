"""Texts against the product: what it reads without a word though others read it otherwise, and what nobody reads."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from tests.meaning.readings import product
from tests.meaning.readings.conventions import RARE, allowed, used, weight
from tests.meaning.readings.expressions import Tree, has_value, safe, same
from tests.meaning.readings.product import EQUAL, Said, value_at_points
from tests.meaning.readings.reader import Reader, Reading, readings
from tests.meaning.readings.writer import Text

Kind = Literal[
    "silent",
    "shown",
    "silent-weaker",
    "rare-choice",
    "nobody",
    "message",
    "note",
    "refused-clear",
    "own-gap",
    "allowed",
    "raised",
]
Route = Literal["line", "answer"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One text about which something is to be said.

    ``silent``: accepted without a word, though people really read it otherwise; ``shown``: the same, with the reading
    shown. ``silent-weaker``: the same, of a habit less common.
    ``rare-choice``: accepted in a reading that is itself a slip. ``nobody``: read as what none of the readings is.
    ``message``: the two readings that a refusal names aren't two, or not of this text. ``note``: what is shown as read
    is not what was read. ``refused-clear``: refused, though it has one reading. ``allowed``: other readings, but a
    sentence of the design lets it pass. ``own-gap``: what its writer meant is none of our readings. ``raised``: an
    exception that is no fault.
    """

    kind: Kind
    route: Route
    shape: str
    text: str
    names: Mapping[str, str]
    read: str = ""
    other: str = ""


BY_NO_FORM = {"thousands-chinese", "decimal-comma", "thousands-in-brackets", "decimal-comma-in-brackets"}


LETTER_TIMES = re.compile(r"(?<![A-Za-z\\])[a-eh-zA-DH-Z](_\w)?\(")


def shape_of(text: str, names: Mapping[str, str]) -> str:
    """The text with its numbers and names levelled out."""
    words = r"\\?(?:ln|log|exp|sqrt|abs|max|min|sum|frac|left|right|cdot|times|text|lvert|rvert|mod)"
    spelled = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True)) or r"(?!)"
    text = re.sub(rf"({words})|({spelled})|\d+", lambda m: m[1] or ("a" if m[2] else "1"), text)
    return re.sub(r"\s+", " ", text)


def shown(tree: Tree | None) -> str:
    """A tree in words for the report."""
    if tree is None:
        return "?"
    if tree.op in ("opaque", "fact2", "mod") or safe(tree) is None:
        return f"{tree.data or tree.op}({', '.join(shown(a) for a in tree.args)})"
    return str(safe(tree))


def habits(labels: frozenset[str]) -> str:
    return " ".join(sorted(labels)) or "standard"


def _compared(
    text: Text, route: Route, said: Said, chosen: Reading, found: list[Reading], forms: bool
) -> Iterable[Finding]:
    """What is to be said of a text that was accepted with the reading `chosen`."""
    if weight(chosen.labels) >= RARE and "bare-list-spaces" not in chosen.labels:
        best = found[0]
        if same(best.value, chosen.value):
            return
        shape = f"{habits(chosen.labels)} <> {habits(best.labels)}"
        yield Finding("rare-choice", route, shape, text.text, text.names, shown(chosen.tree), shown(best.tree))
        return
    rivals: list[Reading] = []
    for r in found:
        if same(r.value, chosen.value) or not used(r.labels):
            continue
        if forms and (r.tree.op == "list") != (chosen.tree.op == "list") and not chosen.labels & BY_NO_FORM:
            continue
        if not any(other.labels < r.labels for other in rivals):
            rivals.append(r)
    for r in rivals:
        kind: Kind = "silent-weaker" if weight(r.labels) > 1 else "shown" if said.read else "silent"
        if allowed(chosen.labels, r.labels):
            kind = "allowed"
        shape = f"{habits(chosen.labels - r.labels)} <> {habits(r.labels - chosen.labels)}"
        yield Finding(kind, route, shape, text.text, text.names, shown(chosen.tree), shown(r.tree))


def clear(found: list[Reading]) -> bool:
    """Whether a text has one reading, and everybody's."""
    return (
        bool(found)
        and not found[0].labels
        and not any(used(r.labels) for r in found[1:])
        and "opaque" not in repr(found[0].tree)
    )


def of_line(text: Text, found: list[Reading]) -> tuple[str, list[Finding]]:
    """The text as a line of a derivation file."""
    said = product.line(text.text, text.names)
    if said.refused:
        return "refused", _refused(text, "line", said, found)
    if said.tree is None:
        return "accepted, no tree", []
    value = value_at_points(said.tree, text.names)
    if not has_value(value):
        return "accepted, no value", []
    chosen = next((r for r in found if same(r.value, value)), None)
    if chosen is None:
        shape = shape_of(text.text, text.names)
        return "accepted", [
            Finding(
                "nobody",
                "line",
                shape,
                text.text,
                text.names,
                shown(said.tree),
                _best(found),
            )
        ]
    return "accepted", list(_compared(text, "line", said, chosen, found, forms=False))


def of_answer(text: Text, found: list[Reading]) -> tuple[str, list[Finding]]:
    """The text as an answer, against each of its readings as the right value."""
    if any(s in ("vector", "matrix") for s in text.names.values()):
        return "not asked", []
    asked: list[Reading | None] = [*found[:8]] or [None]
    said: list[Said | None] = []
    by_form: list[Finding] = []
    for r in asked:
        right = "1" if r is None else safe(r.tree)
        if right is None:
            said.append(None)
            continue
        s = product.judged(text.text, text.names, right)
        if s.why == "other-shape" and r is not None and weight(r.labels) <= 1:
            shape = f"wrong for its form <> {habits(r.labels)}"
            by_form.append(Finding("silent", "answer", shape, text.text, text.names, "another form", shown(r.tree)))
        said.append(None if s.code.startswith("given") or s.why == "other-shape" else s)
    answered = [s for s in said if s is not None]
    if not answered:
        s = product.judged(text.text, text.names, "1")
        if s.why == "other-shape" or any(r is not None and safe(r.tree) for r in asked):
            return "accepted, not known as what", by_form
        if s.refused:
            return "refused", _refused(text, "answer", s, found)
        if s.code == "undecided":
            return "undecided", []
        shape = shape_of(text.text, text.names)
        return "accepted", [
            Finding("nobody", "answer", shape, text.text, text.names, "accepted", "no reading with a value")
        ]
    if all(s.refused for s in answered):
        return "refused", _refused(text, "answer", answered[0], found)
    if found and all(s.code == "undecided" or s.refused for s in answered):
        return "undecided", []
    equal = [r for r, s in zip(asked, said, strict=True) if r and s and s.code in EQUAL]
    if not equal:
        equal = [r for r, s in zip(asked, said, strict=True) if r and s and s.code == "rounded"]
    if not equal:
        if any(s is None for s in said) or any(s.code == "undecided" for s in answered):
            return "accepted, not known as what", by_form
        tree = product.line(text.text, text.names).tree
        shape = shape_of(text.text, text.names)
        return "accepted", [Finding("nobody", "answer", shape, text.text, text.names, shown(tree), _best(found))]
    made: list[Finding] = by_form
    for form in (True, False):
        chosen = next((r for r in equal if (r.tree.op == "list") == form), None)
        if chosen:
            of_it = said[asked.index(chosen)]
            assert of_it
            made += _compared(text, "answer", of_it, chosen, found, forms=True)
            made += _note(text, of_it, chosen)
    return "accepted", made


def _refused(text: Text, route: Route, said: Said, found: list[Reading]) -> list[Finding]:
    one, other = said.params.get("one"), said.params.get("other")
    if isinstance(one, str) and isinstance(other, str):
        wrong = _message(one, other, text, found)
        return [Finding("message", route, wrong, text.text, text.names, one, other)] if wrong else []
    if clear(found):
        shape = f"{said.code}: {shape_of(text.text, text.names)}"
        return [Finding("refused-clear", route, shape, text.text, text.names, said.why or said.code, _best(found))]
    return []


def _open(found: list[Reading]) -> bool:
    """Whether a text of the product's own can be read in two ways that are common."""
    return any(weight(r.labels) <= 1 and not allowed(found[0].labels, r.labels) for r in found[1:])


def _message(one: str, other: str, text: Text, found: list[Reading]) -> str:
    """What is wrong with the two readings that a refusal names; empty where nothing is."""
    values = []
    for part in (one, other):
        if ", " in part:  # a remark, or a list
            return ""
        again = product.line(part, text.names)
        if again.refused and again.code in ("undeclared", "two-readings"):
            return f"a named reading is refused itself ({again.code})"
        theirs = readings(part, text.names)
        if not theirs:
            return ""  # without a value, or a thing of which we have no notion
        values.append(theirs[0].value)
    if same(*values):
        return "both named readings have one value"
    met = [any(same(v, r.value) for r in found) for v in values]
    return "one named reading is nobody's" if met[0] != met[1] else ""


def _note(text: Text, said: Said, chosen: Reading) -> Iterable[Finding]:
    """What is wrong with the text as it is shown that was read."""
    if not said.read:
        if LETTER_TIMES.search(text.text) and "{" not in text.text and chosen.tree.op != "list":
            shape = "nothing is shown as read though a letter multiplies a bracket"
            yield Finding("note", "answer", shape, text.text, text.names, "", shown(chosen.tree))
        return
    theirs = readings(said.read, text.names)
    wrong = ""
    if theirs and _open(theirs):
        wrong = "what is shown as read has two readings"
    elif theirs and not same(theirs[0].value, chosen.value):
        wrong = "what is shown as read is not what was read"
    if wrong:
        yield Finding("note", "answer", wrong, text.text, text.names, said.read, shown(chosen.tree))


def _best(found: list[Reading]) -> str:
    return shown(found[0].tree if found else None)


@dataclass(slots=True)
class Tally:
    """What a run has found, by kind and shape."""

    texts: int = 0
    several: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str, str], list[Finding]] = field(default_factory=dict)

    def add(self, found: Finding) -> None:
        key = (found.kind, found.route, found.shape)
        self.counts[key] += 1
        kept = self.examples.setdefault(key, [])
        if all(f.text != found.text for f in kept):
            kept.append(found)
            kept.sort(key=lambda f: (len(f.text), f.text))
            del kept[4:]

    def lines(self, kinds: Sequence[str], most: int = 150) -> Iterable[str]:
        """The findings of these kinds, in this order, each kind's commonest shapes first."""
        for wanted in kinds:
            shapes = sorted(((n, k) for k, n in self.counts.items() if k[0] == wanted), key=lambda nk: (-nk[0], nk[1]))
            for count, key in shapes[:most]:
                yield f"{key[0]:14} {key[1]:6} {count:6}  {key[2]}"
                for f in self.examples[key][:3]:
                    yield f"      {f.text!r}  read {f.read}  other {f.other}"
            if len(shapes) > most:
                yield f"{wanted}: {len(shapes) - most} shapes more"


def tried(text: Text, tally: Tally) -> None:
    """One text, both ways."""
    reader = Reader(text.text, text.names)
    found = reader.readings()
    tally.texts += 1
    tally.several += len([r for r in found if used(r.labels)]) > 1
    if text.meant is not None:
        value = value_at_points(text.meant, text.names)
        if has_value(value) and not any(same(value, r.value) for r in found):
            tally.add(
                Finding(
                    "own-gap",
                    "line",
                    shape_of(text.text, text.names),
                    text.text,
                    text.names,
                    shown(text.meant),
                    _best(found),
                )
            )
    for route, of in (("line", of_line), ("answer", of_answer)):
        try:
            outcome, made = of(text, found)
            if reader.valueless:  # what was read may be that
                made = [f for f in made if f.kind != "nobody"]
        except Exception as error:  # what is no fault is a finding
            tally.add(Finding("raised", route, type(error).__name__, text.text, text.names, str(error)[:80]))  # type: ignore[arg-type]
            continue
        tally.outcomes[f"{route}: {outcome}"] += 1
        for f in made:
            tally.add(f)


def run(source: Iterable[Text], seconds: float, most: int = 10**9) -> Tally:
    """Texts until the time is over, or somebody ends it."""
    tally, end = Tally(), time.monotonic() + seconds
    with suppress(KeyboardInterrupt):
        for text in source:
            if time.monotonic() > end or tally.texts >= most:
                break
            tried(text, tally)
    return tally
