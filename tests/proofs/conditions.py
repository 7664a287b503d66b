"""Deletes the side conditions of the verifiers one at a time, and counts those that no test misses.

    python -m tests.proofs.conditions [terms] [kernel] [replay]

A condition is what stands in a check: each conjunct of it, each disjunct of a refusal, each link of a chain of
comparisons, each call of a function that only checks, each premise whose hypotheses go into a conclusion, each
place in which an index must not be free, each entry of the tables of shapes and kinds. It is deleted from the
source, the module is made from what remains, and the refusals, forgeries and bad lines are tried against it.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("terms", "kernel", "replay")
CHECKS = {"_scalars", "_integers", "_fits", "_new", "same", "fits", "arbitrary"}
ARBITRARY = {"_new", "arbitrary"}
CHAIN = ("proofs.terms", "proofs.kernel", "proofs.certificate", "proofs.certificate_text")
TESTS = ("tests.proofs.inferences", "tests.proofs.refusals", "tests.proofs.forgeries")
EMPTY = ast.parse("frozenset()", mode="eval").body


@dataclass(frozen=True)
class Deletion:
    """A module without one of its conditions."""

    module: str
    line: int
    condition: str
    source: str


class Edits:
    """Replacements of one node of a tree by another, one at a time."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.tree = ast.parse((ROOT / "proofs" / f"{module}.py").read_text(encoding="utf-8"))
        self.parents: dict[int, tuple[ast.AST, str, int | None]] = {}
        for node in ast.walk(self.tree):
            for name, value in ast.iter_fields(node):
                for k, child in enumerate(value if isinstance(value, list) else [value]):
                    if isinstance(child, ast.AST):
                        self.parents[id(child)] = node, name, k if isinstance(value, list) else None

    def replaced(self, old: ast.AST, new: ast.AST | None, what: str = "") -> Deletion:
        parent, name, k = self.parents[id(old)]
        before = getattr(parent, name)
        if k is None:
            setattr(parent, name, new)
        else:
            setattr(parent, name, [*before[:k], *([] if new is None else [new]), *before[k + 1 :]])
        source = ast.unparse(ast.fix_missing_locations(self.tree))
        setattr(parent, name, before)
        line = getattr(old, "lineno", 0) or getattr(parent, "lineno", 0)
        return Deletion(self.module, line, what or ast.unparse(old), source)

    def deletions(self) -> Iterator[Deletion]:
        seen = set()
        for function in ast.walk(self.tree):
            if isinstance(function, ast.FunctionDef):
                for d in self._in_function(function):
                    if d.source not in seen:
                        seen.add(d.source)
                        yield d
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("SIGNATURES", "SHAPES"):
                for entry in ast.walk(node):
                    if isinstance(entry, ast.Dict):
                        for key, value in zip(entry.keys, entry.values, strict=True):
                            if isinstance(key, ast.Constant) and ast.unparse(value) != "'.*'":
                                yield self.replaced(value, ast.Constant(".*"), f"{key.value}: {ast.unparse(value)}")

    def _in_function(self, function: ast.FunctionDef) -> Iterator[Deletion]:
        assigned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                for names, value in _pairs(node.targets[0], node.value):
                    assigned.setdefault(names, []).append(value)
        for node in ast.walk(function):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                yield from self._check(node, node.value, assigned)
            elif (isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise)) or (
                isinstance(node, ast.If) and ast.unparse(node.body[-1]) == "return None" and self.module == "kernel"
            ):
                yield from self._weaker(node.test, False, assigned)
            elif isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp) and self.module == "replay":
                if ast.unparse(node.value.orelse) == "None":
                    yield from self._weaker(node.value.test, True, assigned)
            elif isinstance(node, ast.match_case) and node.guard is not None:
                yield from self._weaker(node.guard, True, assigned)
            if isinstance(node, ast.Call) and _name(node) in ("_theorem", "equal") and self.module != "terms":
                yield from self._fewer_hypotheses(node.args[0], assigned)
            elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and self.module == "replay":
                if any((isinstance(n, ast.Attribute) and n.attr == "hypotheses") or isinstance(n, ast.BinOp)
                       for n in [node.value.elts[0]]) and function.name in RULES:  # fmt: skip
                    yield from self._fewer_hypotheses(node.value.elts[0], assigned)
            elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitOr) and function.name in RULES:
                yield self.replaced(node.value, EMPTY, f"{ast.unparse(node)}: hypotheses")

    def _check(self, statement: ast.Expr, call: ast.Call, assigned: dict[str, list[ast.expr]]) -> Iterator[Deletion]:
        if _name(call) in ("_need", "need"):
            yield from self._weaker(call.args[0], True, assigned)
        elif _name(call) in CHECKS:
            yield self.replaced(statement, ast.Pass())
        if _name(call) in ARBITRARY:
            for k, where in enumerate(call.args[1:]):
                new = EMPTY if k == 0 and self.module == "kernel" else None
                yield self.replaced(where, new, f"{ast.unparse(call)}: {ast.unparse(where)}")

    def _fewer_hypotheses(self, kept: ast.expr, assigned: dict[str, list[ast.expr]]) -> Iterator[Deletion]:
        """Without the hypotheses of one premise."""
        if ast.unparse(kept) in ("frozenset()", "frozenset((p,))"):
            return
        if isinstance(kept, ast.BinOp) and isinstance(kept.op, ast.BitOr):
            for side in (kept.left, kept.right):
                if not isinstance(side, ast.Set):
                    yield from self._fewer_hypotheses(side, assigned)
            return
        if isinstance(kept, ast.Name) and kept.id in assigned:
            for value in assigned[kept.id]:
                if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
                    yield from self._fewer_hypotheses(value, assigned)
        yield self.replaced(kept, EMPTY, f"{ast.unparse(kept)}: hypotheses")

    def _weaker(self, e: ast.expr, holds: bool, assigned: dict[str, list[ast.expr]]) -> Iterator[Deletion]:
        """The condition `e`, which must hold (or must not), with less said."""
        if isinstance(e, ast.Constant):
            return
        yield self.replaced(e, ast.Constant(holds))
        yield from self._parts(e, holds, assigned)

    def _parts(self, e: ast.expr, holds: bool, assigned: dict[str, list[ast.expr]]) -> Iterator[Deletion]:
        if isinstance(e, ast.BoolOp):
            whole = isinstance(e.op, ast.And) == holds
            for value in e.values:
                yield from (self._weaker if whole else self._parts)(value, holds, assigned)
        elif isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.Not):
            yield from self._parts(e.operand, not holds, assigned)
        elif isinstance(e, ast.IfExp):
            for value in (e.body, e.orelse):
                yield from self._weaker(value, holds, assigned)
        elif isinstance(e, ast.Compare) and len(e.ops) > 1 and holds:
            parts = [e.left, *e.comparators]
            for k in range(len(e.ops)):
                links = [ast.Compare(parts[j], [e.ops[j]], [parts[j + 1]]) for j in range(len(e.ops)) if j != k]
                new = links[0] if len(links) == 1 else ast.BoolOp(ast.And(), list(links))
                yield self.replaced(
                    e, new, f"{ast.unparse(parts[k])} ? {ast.unparse(parts[k + 1])} in {ast.unparse(e)}"
                )
        elif isinstance(e, ast.Call) and _name(e) == ("all" if holds else "any") and e.args:
            (inner,) = e.args
            if isinstance(inner, ast.GeneratorExp):
                yield from self._parts(inner.elt, holds, assigned)
        elif isinstance(e, ast.Name):
            for value in assigned.pop(e.id, []):
                if isinstance(value, ast.BoolOp | ast.Compare | ast.UnaryOp | ast.Call | ast.IfExp):
                    yield from self._weaker(value, holds, assigned)


RULES = {
    "assume", "cut", "congruence", "under", "branch", "choose", "relate", "cases", "absurd", "specialise", "generalise",
    "at", "induction", "definition", "ring", "linear", "bound", "axiom",
}  # fmt: skip


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for t, v in zip(target.elts, value.elts, strict=True):
            yield from _pairs(t, v)


def deletions(*modules: str) -> list[Deletion]:
    """Every module without one condition, in the order of its lines."""
    found = [d for m in modules or MODULES for d in Edits(m).deletions()]
    return sorted(found, key=lambda d: (MODULES.index(d.module), d.line))


# --- trying them -------------------------------------------------------------------------------------------


def first_failure(tests: Iterator[tuple[str, Callable[[], bool]]]) -> str | None:
    """The name of the first test that fails or breaks; None if all pass."""
    for name, test in tests:
        try:
            passed = test()
        except Exception as error:
            return f"{name}: {type(error).__name__}"
        if not passed:
            return name
    return None


def raises(attempt: Callable[[], object], said: str, *kinds: type[Exception]) -> bool:
    try:
        attempt()
    except kinds as error:
        return said in str(error)
    return False


def kernel_tests() -> Iterator[tuple[str, Callable[[], bool]]]:
    """What `proofs.terms` and `proofs.kernel`, as they are imported now, must refuse and do."""
    refusals, inferences, forgeries = (importlib.import_module(f"tests.proofs.{m}") for m in
                                       ("refusals", "inferences", "forgeries"))  # fmt: skip
    terms, kernel = importlib.import_module("proofs.terms"), importlib.import_module("proofs.kernel")
    kinds = (kernel.KernelError, terms.TermError)
    for f in (*forgeries.TERMS, *forgeries.THEOREMS):
        yield f"forgery: {f.name}", lambda f=f: raises(f.attempt, f.said, Exception)
    for name, make, whole in forgeries.SORTS:
        yield f"sort: {name}", lambda make=make, whole=whole: (make().sort == "integer") == whole
    for a in refusals.ACCEPTED:

        def holds(a=a) -> bool:
            theorem = inferences.by_kernel(a.make())
            return theorem.hypotheses == frozenset(a.hypotheses()) and theorem.conclusion == a.conclusion()

        yield f"accepted: {a.name}", holds
    for r in refusals.REFUSED:
        yield f"refused: {r.name}", lambda r=r: raises(lambda: inferences.by_kernel(r.make()), r.kernel, *kinds)


@cache
def _files() -> tuple[
    list[tuple[str, list[str], str, dict[str, int]]], list[tuple[str, list[str], tuple[frozenset[str], str]]]
]:
    """Certificates to be refused, quick ones first, and certificates with what their last step says."""
    from proofs.replay import Reader
    from tests.proofs.bad_lines import LINES
    from tests.proofs.inferences import by_kernel, lines, text
    from tests.proofs.refusals import ACCEPTED, REFUSED

    bad = [(b.name, b.lines, b.said, b.limits) for b in LINES]
    bad += [(r.name, lines(r.make()), r.replay, dict[str, int]()) for r in REFUSED]
    good = [(a.name, lines(a.make()), text(by_kernel(a.make()))) for a in ACCEPTED]

    def seconds(found: list[str]) -> float:
        start = time.perf_counter()
        with contextlib.suppress(ValueError, RecursionError):
            reader = Reader()
            for line in found:
                reader.read(line)
        return round(time.perf_counter() - start, 2)

    return sorted(bad, key=lambda b: seconds(b[1])), good


def replay_tests() -> Iterator[tuple[str, Callable[[], bool]]]:
    """What `proofs.replay`, as it is imported now, must refuse and do."""
    from tests.proofs.bad_lines import FILES

    replay = importlib.import_module("proofs.replay")

    def read(found: list[str]) -> tuple[frozenset[str], str]:
        reader = replay.Reader()
        for line in found:
            reader.read(line)
        hypotheses, conclusion = reader.tables["step"][-1]
        return frozenset(map(reader.canonical, hypotheses)), reader.canonical(conclusion)

    def refused(found: list[str], said: str, limits: dict[str, int], whole: bool = False) -> bool:
        before = {name: getattr(replay, name) for name in limits}
        vars(replay).update(limits)
        try:
            return raises(lambda: replay.replay(found) if whole else read(found), said, ValueError, RecursionError)
        finally:
            vars(replay).update(before)

    proved = replay.Proved("t", frozenset(("p", "q")), "r", "")
    bad, good = _files()
    for name, found, expected in good:
        yield f"accepted: {name}", lambda found=found, expected=expected: read(found) == expected
    for b in FILES:
        yield f"refused: {b.name}", lambda b=b: refused(b.lines, b.said, b.limits, True)
    yield "difference: none", lambda: replay.difference(proved, ("q", "p", "s"), "r") is None
    yield "difference: conclusion", lambda: "concludes r" in replay.difference(proved, ("q", "p"), "s")
    yield "difference: hypothesis", lambda: "supposes q" in replay.difference(proved, ("p", "s"), "r")
    for name, found, said, limits in bad:
        yield f"refused: {name}", lambda found=found, said=said, limits=limits: refused(found, said, limits)


def missed_by(deletion: Deletion) -> str | None:
    """The first test that misses the condition; None if it can be deleted without a trace."""
    if deletion.module == "replay":
        _files()
    names = (*CHAIN, *TESTS, "proofs.replay")
    kept = {name: sys.modules[name] for name in names if name in sys.modules}
    signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, 20)
    try:
        if deletion.module == "replay":
            _forget(("proofs.replay",))
        else:
            _forget(names)
        module = types.ModuleType(f"proofs.{deletion.module}")
        sys.modules[module.__name__] = module
        exec(compile(deletion.source, f"{deletion.module} without line {deletion.line}", "exec"), module.__dict__)
        return first_failure(replay_tests() if deletion.module == "replay" else kernel_tests())
    except Exception as error:
        return f"import: {type(error).__name__}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        _forget(names)
        for name, old in kept.items():
            sys.modules[name] = old
            package, _, last = name.rpartition(".")
            setattr(sys.modules[package], last, old)


def _forget(names: Sequence[str]) -> None:
    """Let the modules be imported anew, also from their packages."""
    for name in names:
        sys.modules.pop(name, None)
        package, _, last = name.rpartition(".")
        if package in sys.modules:
            vars(sys.modules[package]).pop(last, None)


def _too_long(*_: object) -> None:
    raise TimeoutError("a test takes too long")


def survivors(*modules: str) -> tuple[int, list[Deletion]]:
    """How many conditions were deleted, and those that no test missed. As they are, the modules must pass."""
    found = deletions(*modules)
    for module in modules or MODULES:
        before = missed_by(Deletion(module, 0, "nothing", ast.unparse(Edits(module).tree)))
        if before is not None:
            raise AssertionError(f"{module}.py as it is fails: {before}")
    with ProcessPoolExecutor() as pool:
        missed = list(pool.map(missed_by, found, chunksize=4))
    return len(found), [d for d, by in zip(found, missed, strict=True) if by is None]


def main() -> int:
    modules = sys.argv[1:] or list(MODULES)
    alive = 0
    for module in modules:
        count, left = survivors(module)
        print(f"{module}: {count} conditions deleted, {len(left)} survivors")
        for d in left:
            print(f"  line {d.line}: {d.condition}")
        alive += len(left)
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
