"""How long each theorem takes to find and to recheck, and shift invariance beside SymPy's simplify.

Run with ``python -m tests.benchmarks.theorems``.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

from derive.library import LibraryTheorem, theorems
from proofs.calc import proved
from proofs.certificate import flatten
from proofs.replay import replay


def best(run: Callable[[], object], times: int = 5) -> float:
    """The shortest of some runs, in seconds of processor time, without the garbage collector, as timeit does it."""
    seconds = []
    gc.disable()
    for _ in range(times):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    gc.enable()
    return min(seconds)


def simplify_seconds() -> float:
    """SymPy's simplify on an instance of shift invariance with five entries."""
    from sympy import Symbol, exp, simplify, symbols
    from sympy.core.cache import clear_cache

    z, c = symbols("z1:6", real=True), Symbol("c", real=True)
    difference = exp(z[0] - c) / sum(exp(x - c) for x in z) - exp(z[0]) / sum(exp(x) for x in z)

    def run() -> None:
        clear_cache()
        if simplify(difference) != 0:
            raise ArithmeticError("simplify did not find 0")

    return best(run, 3)


def main() -> None:
    print(f"{'theorem':42}{'find':>10}{'recheck':>10}{'steps':>8}")
    found: dict[str, float] = {}
    for name, theorem in theorems().items():
        if not isinstance(theorem, LibraryTheorem):
            continue
        chain = theorem.chain
        lines = [(line.relation, line.term, line.reasons) for line in chain.lines]
        found[name] = best(lambda chain=chain, lines=lines: proved(chain.statement, lines))  # type: ignore[misc]
        certificate = list(flatten([(name, theorem.chain.theorem)]))
        recheck = best(lambda lines=certificate: replay(lines))  # type: ignore[misc]
        steps = sum(line.startswith('{"step"') for line in certificate)
        print(f"{name:42}{found[name] * 1e3:8.1f}ms{recheck * 1e3:8.1f}ms{steps:8}")
    slow = simplify_seconds()
    ratio = slow / found["softmax-shift-invariance"]
    print(f"shift invariance: simplify {slow * 1e3:.0f} ms, {ratio:.0f} times as long as the chain for all n")


if __name__ == "__main__":
    main()
