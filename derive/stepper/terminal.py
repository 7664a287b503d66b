"""The loop in the terminal: a screen, a key, the next screen."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.text import Text

from derive.commands.verify import message
from derive.sheets.blocks import Language
from derive.stepper.instance import SettingError
from derive.stepper.keys import Keyboard
from derive.stepper.lemmas import Related
from derive.stepper.predict import Prediction, predict
from derive.stepper.screens import Screen, Speaker, clipped, whole
from derive.stepper.session import Session, save
from derive.stepper.subjects import of_theorem
from proofs.syntax.to_plain import to_plain

_STYLES = {"proved": "green bold", "refuted": "red bold", "unreadable": "red bold"}
Guard = Callable[[], AbstractContextManager[None]]


def plainly(session: Session, lang: Language, console: Console) -> None:
    """Print the whole derivation, for a pipe."""
    place = session.here
    for row in whole(place.subject, place.instance, Speaker(lang, console.width)):
        console.print(row, soft_wrap=True)


class Stepper:
    """One session on a terminal."""

    def __init__(self, session: Session, lang: Language, console: Console, kept: Path | None, guard: Guard) -> None:
        self.session = session
        self.lang: Language = lang
        self.console = console
        self.kept = kept
        self.guard = guard
        self.keyboard = Keyboard()
        self.view = "line"
        self.scroll = 0
        self.note: list[Text] = []

    def run(self) -> None:
        """Until the reader stops."""
        signal.signal(signal.SIGWINCH, self._resized)
        stopped = False
        with self.keyboard:
            while True:
                self.draw()
                try:
                    pressed = self.keyboard.key()
                except InterruptedError:
                    continue
                except KeyboardInterrupt:
                    stopped, pressed = True, "q"
                if pressed == "q":
                    break
                self.press(pressed)
                if self.kept is not None:
                    save(self.session, self.kept)
        if self.kept is not None:
            save(self.session, self.kept)
            self.console.print(self.speaker.say("saved", file=str(self.kept)), markup=False, soft_wrap=True)
        if stopped:
            raise KeyboardInterrupt

    def _resized(self, number: int, frame: FrameType | None) -> None:
        """End the waiting for a key, since the size of the window has changed."""
        if self.keyboard.waiting:
            raise InterruptedError

    @property
    def speaker(self) -> Speaker:
        return Speaker(self.lang, self.console.width)

    # --- the screen ---

    def screen(self) -> Screen:
        """What is to be shown now."""
        speaker, here = self.speaker, self.session.here
        keys_ = "keys-away"
        if self.view == "why":
            body = speaker.why(here)
        elif self.view == "all":
            body = speaker.all(here, here.at)
        elif self.view == "related":
            body, found = speaker.related(here)
            keys_ = "keys-related" if found else "keys-away"
        elif self.view == "help":
            body = speaker.help()
        else:
            body = speaker.step(here)
            keys_ = "keys-inside" if self.session.inside else "keys"
        foot = [*self.note, speaker.rule(), Text(clipped(" " + speaker.say(keys_), speaker.width), style="bold")]
        return Screen(speaker.head(self.session), body, foot)

    def draw(self) -> None:
        """Fill the screen: the head, as much of the body as fits from where it was scrolled to, and the foot."""
        screen = self.screen()
        room = max(1, self.console.height - len(screen.head) - len(screen.foot))
        self.scroll = max(0, min(self.scroll, len(screen.body) - room))
        body = screen.body[self.scroll : self.scroll + room]
        if self.scroll + room < len(screen.body):
            body[-1] = Text("   ↓ …", style="dim")
        if self.scroll:
            body[0] = Text("   ↑ …", style="dim")
        body += [Text()] * (room - len(body))
        rows = [*screen.head, *body, *screen.foot][: self.console.height]
        with self.console.capture() as drawn:  # written in one go, so that nothing flickers
            for k, row in enumerate(rows):
                end = "" if k == len(rows) - 1 else "\n"
                self.console.print(row, end=end, soft_wrap=True, overflow="ignore", highlight=False)
        self.console.file.write("\x1b[H\x1b[2J" + drawn.get())
        self.console.file.flush()

    # --- keys ---

    def press(self, pressed: str) -> None:
        """What a key does."""
        if pressed in ("up", "down", "pageup", "pagedown"):
            far = 1 if pressed in ("up", "down") else max(1, self.console.height - 8)
            self.scroll = max(0, self.scroll + (far if pressed in ("down", "pagedown") else -far))
            return
        self.scroll = 0
        if self.view != "line":
            chosen = self._chosen(pressed) if self.view == "related" else None
            self.view, self.note = "line", []
            if chosen is not None:
                self.session = self.session.enter(of_theorem(chosen.theorem))
                title = self.speaker.target.plain(chosen.theorem.title)
                self.note = self.speaker.words(self.speaker.say("entered", title=title), "cyan", 1)
            return
        self.note = []
        here = self.session.here
        if pressed in ("right", "n", "space", "enter"):
            if here.at == len(here.subject.steps) - 1:
                self.note = self.speaker.words(self.speaker.say("last"), "green", 1)
            self.session = self.session.at(here.moved(1))
        elif pressed in ("left", "b"):
            self.session = self.session.at(here.moved(-1))
        elif pressed in ("home", "end"):
            self.session = self.session.at(here.to(0 if pressed == "home" else len(here.subject.steps)))
        elif pressed in ("u", "escape") and self.session.inside:
            self.session = self.session.leave()
        elif pressed == "v":
            self._values()
        elif pressed == "p":
            self._predict()
        else:
            self.view = {"w": "why", "a": "all", "l": "related", "?": "help", "h": "help"}.get(pressed, "line")

    def _chosen(self, pressed: str) -> Related | None:
        _, found = self.speaker.related(self.session.here)
        return found[int(pressed) - 1] if pressed.isdecimal() and 1 <= int(pressed) <= len(found) else None

    def _ask(self, key: str, shown: list[Text]) -> str:
        """A line typed at the foot of the screen, where the keys stood."""
        self.note = shown
        self.draw()
        self.console.file.write("\r\x1b[2K")
        self.console.file.flush()
        typed = self.keyboard.line(self.speaker.say(key))
        self.note = []
        return typed.strip()

    def _values(self) -> None:
        place = self.session.here
        listed = ", ".join(f"{d.name} = {text}" for d, text, tied in place.instance.listed() if not tied)
        typed = self._ask("ask-values", self.speaker.words(clipped(listed, 3 * self.speaker.width), "green", 1)[:4])
        if not typed:
            return
        try:
            instance = place.instance.with_settings(typed)
        except SettingError as fault:
            self.note = self.speaker.words(self.speaker.say(f"set-{fault.code}", **fault.params), "red", 1)
            return
        self.session = self.session.at(type(place)(place.subject, place.at, instance))

    def _predict(self) -> None:
        place = self.session.here
        if place.at == len(place.subject.steps) - 1:
            self.note = self.speaker.words(self.speaker.say("predict-last"), "", 1)
            return
        following = place.moved(1).step
        if following.before is None:
            self.note = self.speaker.words(self.speaker.say("predict-start"), "", 1)
            return
        shown: list[Text] = [Text(clipped("   " + to_plain(following.before), self.speaker.width))]
        while True:
            typed = self._ask("ask-predict", shown)
            if typed not in ("?", "？"):
                break
            said = self.speaker.say("hint-reason", reasons=self.speaker.reasons(following.reasons))
            shown = self.speaker.words(said, "cyan", 1)
        if typed:
            found = predict(place.subject, following, typed, self.guard)
            self.note = judged(found, typed, self.speaker)


def judged(found: Prediction, typed: str, speaker: Speaker) -> list[Text]:
    """What is said of a typed line: itself, the place of a fault, the verdict, and whether it is the author's."""
    rows = speaker.words(speaker.say("predicted", line=typed), "", 1)
    if found.column is not None and len(rows) == 1:
        start = rows[0].plain.find(" ".join(typed.split()))
        if start >= 0:
            rows.append(Text(" " * (start + found.column) + "^", style="red"))
    verdict = speaker.prose.plain(f"verify.{found.verdict.verdict}-mark")
    said = message(found.verdict, speaker.lang)
    if found.verdict.fault is not None:
        said = said.partition(": ")[2] or said
    style = _STYLES.get(found.verdict.verdict, "yellow bold")
    rows += speaker.words(f"{verdict}: {said}" if said else verdict, style, 1)
    if found.verdict.verdict in ("proved", "wrong-reason"):
        if found.same:
            rows += speaker.words(speaker.say("predicted-same"), "green", 1)
        elif found.later:
            rows += speaker.words(speaker.say("predicted-later", n=found.later + 1), "green", 1)
        else:
            rows += speaker.words(speaker.say("predicted-other"), "", 1)
    return rows
