"""What must hold for all formulas and decimals, for one random instance; run by the tests, and long by `main`.

python -m tests.derive.answers.properties 20000
"""

from __future__ import annotations

import sys
import time
from random import Random

import mpmath

from derive.answers.checking import Entry, Judged, check
from tests.derive.answers.random_formulas import (
    SYMBOLS, Counts, agree, changed, differ, formula, latex, plain, rewritten, value,
)  # fmt: skip

ACCEPTED = ("correct", "equivalent", "rounded")


def judged(right: str, answer: str, symbols: bool = True) -> Judged:
    given: dict[str, object] = {"value": right}
    if symbols:
        given["symbols"] = SYMBOLS
    return check(Entry("x", "value", given, answer))


def equal_form_is_never_wrong(rng: Random) -> str | None:
    """A rewritten equal formula: correct, equivalent or undecided. None where 60 digits say that it isn't equal."""
    names = () if rng.random() < 0.3 else ("d", "n", "x", "y")
    f = formula(rng, rng.randint(1, 4), names)
    g = rewritten(f, rng)
    if not agree(f, g):
        raise AssertionError(f"the rewriting itself is wrong: {f} {g}")
    right, answer = (latex if rng.random() < 0.4 else plain)(f, rng), (latex if rng.random() < 0.4 else plain)(g, rng)
    found = judged(right, answer)
    if found.code == "given-refused" and found.reason.code in ("given.no-value", "given.too-large"):
        return None
    assert found.verdict in ("correct", "equivalent", "undecided"), (right, answer, found)
    return found.verdict


def changed_leaf_is_never_accepted(rng: Random) -> str | None:
    """A formula changed in one leaf: wrong or undecided. None where it has the same value nevertheless."""
    names = () if rng.random() < 0.3 else ("d", "n", "x", "y")
    f = formula(rng, rng.randint(1, 4), names)
    g = changed(f, rng)
    if not differ(f, g):
        return None
    if rng.random() < 0.5:
        g = rewritten(g, rng)
    right, answer = (latex if rng.random() < 0.4 else plain)(f, rng), (latex if rng.random() < 0.4 else plain)(g, rng)
    found = judged(right, answer)
    if found.code == "given-refused":
        return None
    allowed = (
        ("wrong", "undecided", "rounded")
        if answer.strip().isdecimal() and len(answer.strip()) > 1
        else ("wrong", "undecided")
    )
    assert found.verdict in allowed, (right, answer, found)
    return found.verdict


def decimal_is_judged_by_its_digits(rng: Random) -> str | None:
    """A closed value rounded by mpmath is right; one unit more or less in its last digit is not."""
    f = formula(rng, rng.randint(1, 3), ())
    with mpmath.workdps(80):
        v = value(f, {})
        if not mpmath.isfinite(v) or abs(v) < mpmath.mpf("1e-6") or abs(v) > mpmath.mpf("1e12"):
            return None
        places = rng.randint(1, 12)
        scaled = v * mpmath.mpf(10) ** places
        n = int(mpmath.nint(scaled))
        near_tie = abs(abs(scaled - mpmath.floor(scaled)) - mpmath.mpf("0.5")) < mpmath.mpf("1e-20")
        exact = abs(scaled - n) < mpmath.mpf("1e-40")
    if n == 0 or near_tie:
        return None
    right = plain(f, rng)
    found = judged(right, _text(n, places), False)
    enough = exact or abs(n) >= 10  # a rounding shows two digits
    assert (found.verdict in ACCEPTED) == enough, (right, _text(n, places), found)
    for off in (n + 1, n - 1):
        other = judged(right, _text(off, places), False)
        assert other.verdict == "wrong", (right, _text(off, places), other)
    assert found.verdict == ("rounded" if enough else "undecided") or exact, (right, _text(n, places), found)
    return found.verdict


def _text(n: int, places: int) -> str:
    digits = str(abs(n)).rjust(places + 1, "0")
    return f"{'-' if n < 0 else ''}{digits[:-places]}.{digits[-places:]}"


PROPERTIES = (equal_form_is_never_wrong, changed_leaf_is_never_accepted, decimal_is_judged_by_its_digits)


def main(count: int) -> int:
    """Run each property until it has had `count` instances."""
    for holds in PROPERTIES:
        counts, seed, started = Counts({}), 0, time.monotonic()
        while sum(counts.verdicts.values()) < count:
            seed += 1
            verdict = holds(Random(f"{holds.__name__} {seed}"))
            if verdict is not None:
                counts.add(verdict)
        shown = ", ".join(f"{n:,} {v}" for v, n in sorted(counts.verdicts.items()))
        print(f"{holds.__name__}: {shown} ({time.monotonic() - started:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
