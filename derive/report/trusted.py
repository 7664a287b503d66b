"""What has to be trusted in the end, counted from the sources that run: lines, rules, rows, and versions."""

from __future__ import annotations

import ast
import inspect
import io
import platform
import sys
import tokenize
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

from proofs import closed_forms, compiled, defined, evaluate, intervals, kernel, models, refute, replay, solving, terms
from proofs.coq import files, inferences, question, shared, writing
from proofs.kernel import AXIOMS, Axiom

_NO_CODE = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
)  # fmt: skip
_FAMILIES = ("order", "power", "exp", "ln", "root", "max", "sum")


def code_lines(source: str) -> int:
    """The lines of a Python module that are neither blank nor a comment nor part of a docstring.

    >>> code_lines('"A docstring."' + chr(10) + chr(10) + "x = 1  # one" + chr(10) + "# nothing" + chr(10))
    1
    """
    said: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            said.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    code: set[int] = set()
    for t in tokenize.generate_tokens(io.StringIO(source).readline):
        if t.type not in _NO_CODE:
            code.update(range(t.start[0], t.end[0] + 1))
    return len(code - said)


def kernel_lines() -> int:
    """Of the kernel: terms, rules and the table of axioms."""
    return code_lines(inspect.getsource(terms)) + code_lines(inspect.getsource(kernel))


def replay_lines() -> int:
    """Of the second verifier."""
    return code_lines(inspect.getsource(replay))


def imports(*modules: ModuleType) -> tuple[str, ...]:
    """The modules that these import beside one another, by their full names, in order.

    >>> [name for name in imports(shared) if name.startswith("proofs")]
    ['proofs.kernel', 'proofs.record', 'proofs.statement', 'proofs.terms']
    """
    found: set[str] = set()
    for module in modules:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Import):
                found.update(a.name for a in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                package = node.module in ("proofs", "proofs.coq", "proofs.syntax")
                found.update(f"{node.module}.{a.name}" if package else node.module for a in node.names)
    return tuple(sorted(found - {m.__name__ for m in modules}))


def borrowed(*modules: ModuleType) -> tuple[str, ...]:
    """What these import that does not come with Python."""
    return tuple(n for n in imports(*modules) if n.split(".")[0] not in sys.stdlib_module_names)


WRITERS = (files, inferences, writing)


def question_lines() -> int:
    """Of what writes the questions for Coq."""
    return code_lines(inspect.getsource(question))


def writer_lines() -> int:
    """Of what writes the proofs for Coq."""
    return sum(code_lines(inspect.getsource(m)) for m in WRITERS)


def shared_lines() -> int:
    """Of what both use."""
    return code_lines(inspect.getsource(shared))


def writers_meet() -> tuple[str, ...]:
    """What the writer of questions takes from the writer of proofs, which should be nothing, or the other way round."""
    one = {n for n in imports(question) if n in {m.__name__ for m in WRITERS}}
    return tuple(sorted(one | {n for n in imports(*WRITERS) if n == question.__name__}))


@dataclass(frozen=True)
class Part:
    """Code that no theorem stands behind: the key of the sentence on it, the names of its modules, its lines."""

    key: str
    names: tuple[str, ...]
    lines: int


def untheorematic() -> tuple[Part, ...]:
    """The code that everything but theorems rests on, counted now."""
    parts: tuple[tuple[str, tuple[ModuleType, ...]], ...] = (
        ("reader", reader()),
        ("defined", (defined,)),
        ("compiled", (compiled, evaluate)),
        ("models", (models, refute, solving)),
        ("closed-forms", (closed_forms,)),
        ("intervals", (intervals,)),
    )
    return tuple(
        Part(key, tuple(m.__name__ for m in made), sum(code_lines(inspect.getsource(m)) for m in made))
        for key, made in parts
    )


def reader() -> tuple[ModuleType, ...]:
    """The modules that read what is typed: those of derivations and of answers, with all of ours that they import."""
    found: dict[str, ModuleType] = {}
    left = ["proofs.syntax.derivation", "derive.answers.reading"]
    while left:
        name = left.pop()
        if name not in found:
            found[name] = import_module(name)
            left += [n for n in imports(found[name]) if n.startswith("proofs.syntax.")]
    return tuple(found[name] for name in sorted(found))


def rules() -> tuple[str, ...]:
    """The rules of the kernel: its public functions that make a theorem, in their order."""
    made = [getattr(kernel, name) for name in kernel.__all__]
    found = [f for f in made if inspect.isfunction(f) and f.__annotations__.get("return") == "Theorem"]
    return tuple(f.__name__ for f in sorted(found, key=lambda f: inspect.unwrap(f).__code__.co_firstlineno))


def family(row: str) -> str:
    """Which part of mathematics a row of the table belongs to, by its name.

    >>> family("exp-sum"), family("product-positive")
    ('exp', 'order')
    """
    first = row.split("-")[0]
    return first if first in _FAMILIES else "order"


def table() -> dict[str, tuple[Axiom, ...]]:
    """The table of axioms, by family."""
    return {f: tuple(a for a in AXIOMS.values() if family(a.name) == f) for f in _FAMILIES}


def coq_lines(source: str) -> int:
    """The lines of a Coq file that are neither blank nor part of a comment; comments may be nested.

    >>> code = "(* a (* b *) c *)" + chr(10) + chr(10) + "Lemma x : True. (* so *)" + chr(10) + "Proof. exact I. Qed."
    >>> coq_lines(code)
    2
    """
    bare, depth, k = [], 0, 0
    while k < len(source):
        pair = source[k : k + 2]
        if pair == "(*" or (pair == "*)" and depth):
            depth += 1 if pair == "(*" else -1
            k += 2
            continue
        bare.append(source[k] if not depth or source[k] == "\n" else " ")
        k += 1
    return sum(bool(line.strip()) for line in "".join(bare).split("\n"))


@dataclass(frozen=True)
class Versions:
    """Of what this run was made with."""

    derive: str
    python: str
    sympy: str
    numpy: str
    coq: str | None


def versions(coq: str | None) -> Versions:
    return Versions(version("derive-proofs"), platform.python_version(), version("sympy"), version("numpy"), coq)
