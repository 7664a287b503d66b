"""How long judging a derivation of ten lines takes, after start: ``python -m tests.benchmarks.derivations``."""

from __future__ import annotations

from derive.definitions import signatures
from derive.library import reason_names
from proofs.syntax.derivation import read_derivation
from proofs.verify import verify
from tests.benchmarks.theorems import best

TEN = """
let n : size
let z : real[n]
let c : real
let i : index[n]
claim softmax(z - c)[i] = softmax(z)[i]
proof
  softmax(z - c)[i]
  = exp(z[i] - c) / sum(j = 1..n, exp(z[j] - c))  -- definition
  = exp(z[i])*exp(-c) / sum(j = 1..n, exp(z[j] - c))  -- exp of a sum
  = exp(z[i])*exp(-c) / sum(j = 1..n, exp(z[j])*exp(-c))  -- exp of a sum
  = exp(-c)*exp(z[i]) / sum(j = 1..n, exp(z[j])*exp(-c))  -- arithmetic
  = exp(-c)*exp(z[i]) / sum(j = 1..n, exp(-c)*exp(z[j]))  -- arithmetic
  = exp(-c)*exp(z[i]) / (exp(-c)*sum(j = 1..n, exp(z[j])))  -- constant factor
  = exp(-c)/exp(-c) * exp(z[i]) / sum(j = 1..n, exp(z[j]))
  = exp(z[i]) / sum(j = 1..n, exp(z[j]))  -- cancel
  = softmax(z)[i]  -- definition
"""


def main() -> None:
    names = reason_names()
    seconds = best(lambda: verify(read_derivation(TEN, signatures()), names))
    report = verify(read_derivation(TEN, signatures()), names)
    print(f"ten lines, {report.verdict}: {seconds * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
