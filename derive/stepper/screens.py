"""What stands on the screen: lines of text for each view, made from a session and the width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from rich.cells import cell_len
from rich.text import Text

from derive.library import reason_text
from derive.sheets.blocks import Language
from derive.sheets.documents import RELATIONS
from derive.sheets.formulas import TermPrinter
from derive.sheets.prose import catalogue
from derive.sheets.targets.md import Md
from derive.stepper.instance import Instance, Shown
from derive.stepper.lemmas import Related, related
from derive.stepper.plain import Stretch, marked_plain
from derive.stepper.session import Place, Session
from derive.stepper.subjects import Step, Subject
from derive.stepper.why import Condition, Origin, Rule, why
from proofs.syntax.layout import Path
from proofs.syntax.to_plain import to_plain
from proofs.terms import Term

GAP = 3  # columns before a formula, where its relation stands
MARK = "^"
MOST_VALUES = 4


@dataclass(frozen=True)
class Screen:
    """What is shown: a head, a body that may be longer than the screen, and a foot with the keys."""

    head: list[Text]
    body: list[Text]
    foot: list[Text] = field(default_factory=list)


class Speaker:
    """The texts of one language."""

    def __init__(self, lang: Language, width: int) -> None:
        self.lang: Language = lang
        self.width = max(20, width)
        self.prose = catalogue(lang)
        self.target = Md(lang, TermPrinter())

    def say(self, key: str, **params: str | int) -> str:
        return self.prose.plain(f"stepper.{key}", **params)

    def reasons(self, codes: tuple[str, ...]) -> str:
        """The reasons of a line in words."""
        message = reason_text(codes)
        return "" if message is None else self.target.plain(message)

    def title(self, subject: Subject) -> str:
        return self.target.plain(subject.title)

    # --- lines of text ---

    def rule(self) -> Text:
        return Text("─" * self.width, style="dim")

    def words(self, text: str, style: str = "", indent: int = 0) -> list[Text]:
        """A sentence, broken to the width; an ideograph is two columns wide and may stand at the end of a line."""
        return [Text(" " * indent + line, style=style) for line in wrapped(text, self.width - indent)]

    def formula(self, term: Term, marks: frozenset[Path], relation: str | None, style: str = "") -> list[Text]:
        """A line of the chain, its relation before it, and under each row a row that marks what changed."""
        text, stretches = marked_plain(term, marks)
        sign = "" if relation is None else RELATIONS[relation][0]
        rows: list[Text] = []
        for start, end in cut(text, self.width - GAP):
            row = Text(f" {sign if not rows else '':<{GAP - 1}}", style="bold")
            piece = Text(text[start:end], style=style)
            under = marker(stretches, start, end)
            for a, b in stretches:
                piece.stylize("bold", max(0, a - start), max(0, min(end, b) - start))
            row.append_text(piece)
            rows.append(row)
            if under:
                rows.append(Text(" " * GAP + under, style="cyan"))
        return rows

    def shown(self, values: tuple[Shown, ...]) -> str:
        """The value of a line."""
        parts = [v.text if v.sign else self.say(f"no-value-{v.text}") for v in values[:MOST_VALUES]]
        sign = values[0].sign if values else ""
        more = ", …" if len(values) > MOST_VALUES else ""
        inner = f"({', '.join(parts)}{more})" if len(values) > 1 else "".join(parts)
        return f"{sign} {inner}" if sign else inner

    def numbers(self, instance: Instance, rows: int = 3) -> list[Text]:
        """The names with their numbers, as many rows as there is room for."""
        said = [f"{d.name} = {text}" for d, text, _ in instance.listed()]
        lines: list[str] = []
        for piece in said:
            if lines and cell_len(lines[-1]) + 3 + len(piece) <= self.width - 1:
                lines[-1] += "   " + piece
            else:
                lines.append(piece)
        if len(lines) > rows:
            lines = [*lines[: rows - 1], lines[rows - 1] + "   …"]
        found = [Text(" " + clipped(line, self.width - 1), style="green") for line in lines]
        if instance.broken:
            said_broken = "; ".join(map(to_plain, instance.broken))
            found += self.words(self.say("broken", conditions=said_broken), "yellow", 1)
        return found

    # --- views ---

    def head(self, session: Session) -> list[Text]:
        here = session.here
        step = here.step
        line = self.say("line-of", n=step.line + 1, all=len(here.subject.chains[step.chain].lines))
        if len(here.subject.chains) > 1:
            part = self.say("part-of", n=step.chain + 1, all=len(here.subject.chains))
            line = f"{part} · {line}"
        title = clipped(self.title(here.subject), self.width - cell_len(line) - 2)
        space = self.width - cell_len(title) - cell_len(line)
        return [Text.assemble((title, "bold"), " " * max(1, space), (line, "dim")), self.rule()]

    def step(self, place: Place) -> list[Text]:
        """The line before and this one, what changed in both, their values, and the reason."""
        step = place.step
        if step.before is None:
            return self._first(place)
        before, after = place.instance.show(step.before), place.instance.show(step.term)
        rows = self.formula(step.before, step.marks_before, None)
        rows.append(self._value(before))
        rows += self.formula(step.term, step.marks_after, step.relation, "bold")
        rows.append(self._value(after, before, step.relation))
        rows.append(Text())
        rows += self.words(self.say("because", reasons=self.reasons(step.reasons)), "bold", 1)
        if len(step.reasons) == 1:
            rows += self.words(self.rule_text(step.reasons[0]), "", 1)
        if place.at == len(place.subject.steps) - 1:
            rows += self.words(self.say("last"), "green", 1)
        rows.append(Text())
        return rows + self.numbers(place.instance)

    def _first(self, place: Place) -> list[Text]:
        statement = place.subject.chains[place.step.chain].statement
        rows = [Text(f" {self.say('claim')}", style="bold")]
        rows += self.formula(statement.claim, frozenset(), None)
        if statement.hypotheses:
            rows.append(Text(f" {self.say('suppose')}", style="bold"))
            for p in statement.hypotheses:
                rows += self.formula(p, frozenset(), None)
        rows.append(Text())
        rows += self.words(self.say("start"), "bold", 1)
        rows += self.formula(place.step.term, frozenset(), None, "bold")
        rows.append(self._value(place.instance.show(place.step.term)))
        rows.append(Text())
        return rows + self.numbers(place.instance)

    def _value(self, values: tuple[Shown, ...], before: tuple[Shown, ...] = (), relation: str | None = None) -> Text:
        row = Text(" " * (GAP + 2) + clipped(self.shown(values), self.width - GAP - 2), style="green")
        if relation is None or not all(v.sign for v in (*before, *values)):
            return row
        holds = fits(relation, before, values)
        note = self.say("differ-here" if not holds else "equal-here" if relation == "eq" else "holds-here")
        if cell_len(row.plain) + cell_len(note) + 5 <= self.width:
            row.append(f"   {'✓' if holds else '✗'} {note}", style="dim" if holds else "yellow")
        return row

    def rule_text(self, code: str) -> str:
        return self.prose.plain(f"stepper.rule.{code.replace(' ', '-')}")

    def all(self, place: Place, upto: int | None = None) -> list[Text]:
        """All lines up to the one that is shown, with their values and reasons."""
        rows = []
        for k, step in enumerate(place.subject.steps):
            if (upto is None or k <= upto) and step.chain == place.step.chain:
                rows += self.formula(step.term, frozenset(), step.relation, "bold" if k == place.at else "")
                rows.append(self._value(place.instance.show(step.term)))
                if step.reasons:
                    rows += self.words(self.say("because", reasons=self.reasons(step.reasons)), "dim", GAP + 2)
        return [Text(f" {self.say('all-lines' if upto is not None else 'whole')}", style="bold"), Text(), *rows]

    def why(self, place: Place) -> list[Text]:
        """The rules of a line: what each says, its conditions, and where they were established."""
        step = place.step
        rows = [Text(f" {self.say('why-title', n=step.line + 1)}", style="bold"), Text()]
        if step.before is None:
            return rows + self.words(self.say("why-first"), "", 1)
        found = why(step, place.subject.chains[step.chain].statement)
        for rule in found.rules:
            rows += self._rule(rule)
        rests = "; ".join(map(to_plain, found.rests_on))
        said = self.say("why-rests", conditions=rests) if rests else self.say("why-rests-nothing")
        return rows + self.words(said, "", 1)

    def _rule(self, rule: Rule) -> list[Text]:
        rows = [Text(f" {self.say('why-rule', name=self.reasons((rule.code,)))}", style="bold")]
        rows += self.words(self.rule_text(rule.code), "", 3)
        for row in rule.rows:
            rows += self.words(to_plain(row.conclusion), "cyan", 5)
            if row.premises:
                conditions = "; ".join(map(to_plain, row.premises))
                rows += self.words(self.say("why-if", conditions=conditions), "", 7)
        for definition in rule.definitions:
            rows += self.words(to_plain(definition), "cyan", 5)
        if rule.conditions:
            rows += self.words(self.say("why-conditions"), "", 3)
        elif rule.rows and not any(row.premises for row in rule.rows):
            rows += self.words(self.say("why-no-conditions"), "", 3)
        for condition in rule.conditions:
            rows += self._condition(condition)
        return [*rows, Text()]

    def _condition(self, condition: Condition) -> list[Text]:
        rows = self.words(f"· {to_plain(condition.proposition)}", "bold", 5)
        sources = ", ".join(self.origin(o) for o in condition.origins)
        return rows + self.words(self.say("from", sources=sources), "", 7)

    def origin(self, origin: Origin) -> str:
        if origin.term is None:
            return self.say("from-arithmetic")
        if origin.kind == "row":
            return self.say("from-row", rule=to_plain(origin.term))
        return self.say(f"from-{origin.kind}", condition=to_plain(origin.term))

    def related(self, place: Place) -> tuple[list[Text], tuple[Related, ...]]:
        """A numbered list of theorems to enter."""
        found = related(place.subject, place.step)
        rows = [Text(f" {self.say('related-title')}", style="bold"), Text()]
        if not found:
            rows += self.words(self.say("related-none"), "", 1)
        for k, r in enumerate(found, 1):
            rows += self.words(f"{k}  {self.relative(r)}", "", 1)
            rows.append(Text(f"    {r.theorem.name}", style="dim"))
        return rows, found

    def relative(self, r: Related) -> str:
        title = self.target.plain(r.theorem.title)
        values = ", ".join(f"{to_plain(v)} = {to_plain(x)}" for v, x in r.values if v != x)
        if values:
            return self.say(f"related-{r.kind}-values", title=title, values=values)
        return self.say(f"related-{r.kind}", title=title)

    def help(self) -> list[Text]:
        keys = ("next", "back", "ends", "why", "values", "predict", "all", "lemmas", "scroll", "quit")
        rows = [Text(f" {self.say('help-title')}", style="bold"), Text()]
        for key in keys:
            rows += self.words(self.say(f"help-{key}"), "", 1)
        return [*rows, Text(), *self.words(self.say("world"), "dim", 1)]


def fits(relation: str, a: tuple[Shown, ...], b: tuple[Shown, ...]) -> bool:
    """Whether the values of two lines are in the relation, as far as they are shown."""
    pairs = [(Fraction(x.text), Fraction(y.text)) for x, y in zip(a, b, strict=False)]
    same = [abs(x - y) * 10**11 <= max(Fraction(1), abs(x)) for x, y in pairs]  # ``1`` and ``1.000000000000``
    if relation == "eq":
        return len(a) == len(b) and all(same)
    return all(x < y or (relation == "le" and s) for (x, y), s in zip(pairs, same, strict=True))


def cut(text: str, width: int) -> Iterator[Stretch]:
    """Pieces of a formula that fit the width: cut before an operation where that is possible."""
    start = 0
    width = max(8, width)
    while len(text) - start > width:
        end = text.rfind(" ", start + width // 3, start + width)
        for sign in (" + ", " - ", "/", ", "):
            found = text.rfind(sign, start + width // 2, start + width - len(sign))
            if found > start:
                end = found + (len(sign) if sign == ", " else 1 if sign[0] == " " else 0)
                break
        if end <= start:
            end = start + width
        yield start, end
        start = end
    yield start, len(text)


def marker(stretches: Iterable[Stretch], start: int, end: int) -> str:
    """A row of marks under the changed columns of a piece of text; empty where nothing of it changed."""
    row = [" "] * (end - start)
    for a, b in stretches:
        for k in range(max(a, start), min(b, end)):
            row[k - start] = MARK
    return "".join(row).rstrip()


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most so many columns."""
    lines: list[str] = []
    for word in _words(text):
        if lines and cell_len(lines[-1]) + cell_len(word.rstrip()) <= width:
            lines[-1] += word
        else:
            while cell_len(word) > width and len(word) > 1:
                lines.append(word[:width])
                word = word[width:]
            lines.append(word)
    return [line.rstrip() for line in lines] or [""]


def _words(text: str) -> Iterator[str]:
    """Words with the blanks after them; each ideograph is a word, with the marks that must not begin a line."""
    word = ""
    for k, c in enumerate(text):
        word += c
        following = text[k + 1 : k + 2]
        wide = cell_len(c) == 2
        if (
            c == " "
            or (wide and following not in tuple("，。；：、）”？！") and c not in "（“")
            or (following and cell_len(following) == 2 and not wide and following not in tuple("，。；：、）”？！"))
        ):
            yield word
            word = ""
    if word:
        yield word


def clipped(text: str, width: int) -> str:
    """The text, cut off with dots where it is wider than that."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def whole(subject: Subject, instance: Instance, speaker: Speaker) -> Iterator[Text]:
    """The whole derivation without keys: what a pipe gets."""
    yield Text(speaker.title(subject), style="bold")
    place = Place(subject, 0, instance)
    for k, step in enumerate(subject.steps):
        yield Text()
        if step.before is None:
            yield from speaker.step(Place(subject, k, instance))
        else:
            yield from _whole_step(speaker, place, step)
    yield Text()
    yield from speaker.words(speaker.say("world"), "dim", 1)


def _whole_step(speaker: Speaker, place: Place, step: Step) -> Iterator[Text]:
    line = speaker.say("line-of", n=step.line + 1, all=len(place.subject.chains[step.chain].lines))
    yield Text(f" {line} · {speaker.say('because', reasons=speaker.reasons(step.reasons))}", style="bold")
    if step.before is not None:
        yield from speaker.formula(step.before, step.marks_before, None)
    yield from speaker.formula(step.term, step.marks_after, step.relation)
    yield Text(" " * (GAP + 2) + speaker.shown(place.instance.show(step.term)))
