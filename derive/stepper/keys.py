"""Single keys from a terminal, and lines typed in between."""

from __future__ import annotations

import os
import sys
import termios
import tty
from select import select

_SEQUENCES = {
    b"\x1b[C": "right", b"\x1b[D": "left", b"\x1b[A": "up", b"\x1b[B": "down", b"\x1bOC": "right", b"\x1bOD": "left",
    b"\x1bOA": "up", b"\x1bOB": "down", b"\x1b[H": "home", b"\x1b[F": "end", b"\x1b[1~": "home", b"\x1b[4~": "end",
    b"\x1bOH": "home", b"\x1bOF": "end", b"\x1b[5~": "pageup", b"\x1b[6~": "pagedown", b"\x1b": "escape",
    b"\r": "enter", b"\n": "enter", b" ": "space", b"\x7f": "left", b"\x03": "q", b"\x04": "q", b"": "q",
}  # fmt: skip


class Keyboard:
    """The terminal's keys, one by one, and lines typed in between; what is typed ahead is not lost."""

    def __init__(self) -> None:
        self.descriptor = sys.stdin.fileno()
        self.waiting = False

    def __enter__(self) -> Keyboard:
        self.before = termios.tcgetattr(self.descriptor)
        tty.setcbreak(self.descriptor, termios.TCSANOW)
        sys.stdout.write("\x1b[?1049h")  # the other screen, so that what stood there before comes back
        sys.stdout.flush()
        return self

    def __exit__(self, *_: object) -> None:
        termios.tcsetattr(self.descriptor, termios.TCSANOW, self.before)
        sys.stdout.write("\x1b[?1049l")
        sys.stdout.flush()

    def key(self) -> str:
        """Wait for one key: its name, or the character itself in lower case; ``q`` where the input has ended."""
        self.waiting = True
        try:
            data = os.read(self.descriptor, 1)
        finally:
            self.waiting = False
        while data.startswith(b"\x1b") and len(data) < 8 and select([self.descriptor], [], [], 0.03)[0]:
            data += os.read(self.descriptor, 1)
            if data in _SEQUENCES:
                break
        while data and data[0] >= 0xC0 and len(data) < _length(data[0]):
            data += os.read(self.descriptor, 1)
        return _SEQUENCES.get(data, data.decode("utf-8", "replace").lower())

    def line(self, prompt: str) -> str:
        """A line typed after a prompt, with the usual editing; empty where the input has ended."""
        import readline  # noqa: F401  (its import gives `input` its editing keys)

        termios.tcsetattr(self.descriptor, termios.TCSANOW, self.before)
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            return ""
        finally:
            tty.setcbreak(self.descriptor, termios.TCSANOW)


def _length(first: int) -> int:
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4
