"""What takes long to check is refused by both verifiers, whatever the machine has to do besides; work is counted."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

from proofs import replay as second
from proofs.kernel import KernelError
from proofs.replay import ReplayError, replay
from proofs.terms import MAX_WORK, TermError, WorkError, add, at_most, num, var
from tests.proofs.costly import COSTLY, above, chain, exp, ln
from tests.proofs.inferences import Inference, by_kernel, by_replay, lines


def seconds(attempt: Callable[[], object], *errors: type[Exception]) -> float:
    """Processor time until it is done or refused."""
    start = time.process_time()
    with contextlib.suppress(*errors):
        attempt()
    return time.process_time() - start


@pytest.mark.parametrize("name", COSTLY)
def test_what_is_costly_ends_soon(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a tenth of the work that is allowed, in a tenth of ten seconds."""
    monkeypatch.setattr(second, "MAX_WORK", second.MAX_WORK // 10)
    monkeypatch.setattr(second, "WORK_A_CHARACTER", second.WORK_A_CHARACTER // 10)
    inference = COSTLY[name]()
    assert sum(map(len, lines(inference))) < 200_000

    def kernel() -> None:
        with at_most(MAX_WORK // 10):
            by_kernel(inference)

    assert seconds(kernel, KernelError, TermError) < 1
    assert seconds(lambda: by_replay(inference), ReplayError) < 1


def nested() -> Inference:
    return above(chain(num(3), 5, lambda t: ln(exp(t))))


def test_nested_logarithms_and_exponentials_are_refused_in_the_work_that_is_allowed() -> None:
    made = lines(nested())
    assert sum(map(len, made)) < 1_200
    start = time.process_time()
    with pytest.raises(ReplayError, match=r"^line 15: more work is needed than the 80\d{5} units"):
        replay(made)
    with pytest.raises(WorkError):
        by_kernel(nested())
    assert time.process_time() - start < 20


def test_many_inferences_share_one_budget() -> None:
    cheap = above(exp(num(2)), 7, 64)

    def many() -> None:
        for _ in range(1_000):
            by_kernel(cheap)

    with pytest.raises(WorkError), at_most(100_000):
        many()
    with pytest.raises(WorkError), at_most(100_000), at_most(MAX_WORK):
        many()
    with at_most(100_000):
        with pytest.raises(WorkError), at_most(1_000):
            many()
        by_kernel(cheap)  # what is left outside can still be used


def test_terms_count_as_work() -> None:
    x = var("x")
    with pytest.raises(WorkError), at_most(50):
        chain(x, 20, lambda t: add(t, x))
    assert chain(x, 20, lambda t: add(t, x)).size == 41


@pytest.mark.parametrize("kind", ["claims", "definitions"])
def test_large_terms_that_are_written_often_are_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "MAX_WORK", second.MAX_WORK // 10)
    said = [
        '{"certificate":"derive","version":1}',
        '{"term":0,"op":"var","data":["x","real",0]}',
        '{"term":1,"op":"add","args":[' + ",".join(["0"] * 100) + "]}",
        '{"term":2,"op":"mul","args":[' + ",".join(["1"] * 190) + "]}",
        '{"term":3,"op":"lt","args":[2,0]}',
        '{"step":0,"rule":"assume","premises":[],"parameters":[{"term":3}]}',
    ]
    if kind == "claims":
        said += ['{"theorem":"t","step":0,"hypotheses":[3],"conclusion":3}'] * 1_000
    else:
        said += [f'{{"definition":{k},"name":"f{k}","parameters":[0],"body":2,"implicit":0}}' for k in range(1_000)]
    start = time.process_time()
    with pytest.raises(ReplayError, match="more work is needed"):
        replay(said)
    assert time.process_time() - start < 1.5


def test_a_longer_file_may_take_more_work() -> None:
    made = lines(above(ln(exp(num(3))), 2, 300))
    reader = second.Reader()
    for line in made:
        reader.read(line)
    assert reader.allowed == second.MAX_WORK + second.WORK_A_CHARACTER * sum(map(len, made))
    assert 0 < reader.work < reader.allowed
