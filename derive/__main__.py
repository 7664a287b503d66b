"""The command `derive` as it is started: an interrupt ends it with one line, from its first import to its last act."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_AGAIN = 1.0  # seconds


def main() -> int:
    """Run the command line; the exit status, 130 where it was interrupted."""
    try:
        _listen()
        from derive.cli import main as run

        return run()
    except KeyboardInterrupt:
        _deaf()
        _stopped()


def _listen() -> None:
    """Let an interrupt raise `KeyboardInterrupt` until it gets out; a callback of the garbage collector loses it."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return  # ignored by who started this process, or handled already

    def stop(number: int, frame: FrameType | None) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
        raise KeyboardInterrupt

    def tell(lost: sys.UnraisableHookArgs) -> None:
        if lost.exc_type is not KeyboardInterrupt:
            sys.__unraisablehook__(lost)

    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, stop)
    sys.unraisablehook = tell
    signal.signal(signal.SIGINT, stop)


def _deaf() -> None:
    """From here on interrupts change nothing: the command is ending."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


def _stopped() -> NoReturn:
    """Say so, and end at once: where code was made from text, the interpreter would end by the signal instead."""
    from derive.language import asked_for
    from derive.sheets.prose import catalogue

    sys.stderr.write(f"derive: {catalogue(asked_for(sys.argv[1:])).plain('errors.interrupted')}\n")
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
