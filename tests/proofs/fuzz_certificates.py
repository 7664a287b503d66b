"""The certificates of the library, mutated: refused, or what they prove is true.

``python -m tests.attacks certificates --minutes 10`` is the long run; a short one is part of the tests. A mutant is
replayed as it is, and once more with claims of whatever its steps say that the original's do not, so that it is the
rules that must refuse and not only the claim at the end. A statement that is accepted and is not the one asked for is
read back from the lines, and tried in small models.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from derive.library import LibraryTheorem, theorems
from proofs.certificate import flatten
from proofs.certificate_text import canonical
from proofs.kernel import AXIOMS
from proofs.replay import SHAPES, SIGNATURES, Proved, ReplayError, difference, replay
from proofs.terms import Term
from tests.proofs.reading_back import REACHED, Line, Sequent, Statement, claimed, kind_of, sequents, statements
from tests.proofs.truth import Trial, contradictory, tried

Lines = list[Line]
CONFUSED = (None, True, False, 0.0, "0", "", [], {}, [0], {"term": 0}, -1, 10**30, "1/0", "٣", "x" * 100, [[0]], 1e308)
MOST_CLAIMS = 2
UNMET = "no model of the hypotheses found"


class Hole(AssertionError):
    """A mutant that breaks the verifier, or a false statement that it accepts."""


@dataclass(frozen=True)
class Original:
    """A certificate of the library, what was granted and asked, and the sequents of its steps in canonical text."""

    name: str
    lines: tuple[str, ...]
    granted: tuple[str, ...]
    asked: str
    sequents: frozenset[Sequent]


@cache
def originals() -> tuple[Original, ...]:
    """One for each theorem of the library."""
    found = []
    for name, theorem in theorems().items():
        assert isinstance(theorem, LibraryTheorem)
        statement = theorem.chain.statement
        lines = tuple(flatten([(name, theorem.chain.theorem)]))
        granted, asked = tuple(map(canonical, statement.assumptions())), canonical(statement.claim)
        (proved,) = replay(lines)
        assert difference(proved, granted, asked) is None
        found.append(Original(name, lines, granted, asked, frozenset(t for _, t in sequents(lines))))
    return tuple(found)


# --- mutations ---------------------------------------------------------------------------------------------
# Each changes the lines in place; False where there is nothing of its kind to be changed.


def _some(lines: Lines, kind: str, random: Random, fits: Callable[[Line], object] = bool) -> Line | None:
    fitting = [line for line in lines if kind_of(line) == kind and fits(line)]
    return random.choice(fitting) if fitting else None


def _another(number: int, random: Random) -> int:
    """An earlier place, more often a near one."""
    return random.choice((number - 1, number - 2, number + 1, random.randrange(max(1, number)), random.randrange(20)))


def operation(lines: Lines, random: Random) -> bool:
    """Another operation with as many arguments."""
    line = _some(lines, "term", random, lambda x: x["op"] not in ("var", "num", "bound", "app"))
    if line is None:
        return False
    alike = (
        ("add", "mul", "div", "max", "pow"), ("neg", "exp", "ln", "sqrt"), ("eq", "le", "lt", "ne"),
        ("sum", "maxof", "forall", "if"),
    )  # fmt: skip
    line["op"] = random.choice(next((a for a in alike if line["op"] in a), sorted(SIGNATURES)))
    return True


def argument(lines: Lines, random: Random) -> bool:
    """Another term as an argument, or the arguments in another order, one fewer, or one twice."""
    line = _some(lines, "term", random, lambda x: x.get("args"))
    if line is None:
        return False
    args = line["args"]
    k = random.randrange(len(args))
    match random.randrange(6):
        case 0:
            random.shuffle(args)
        case 1:
            args.pop(k)
        case 2:
            args.insert(k, args[k])
        case _:
            args[k] = _another(args[k], random)
    return True


def numeral(lines: Lines, random: Random) -> bool:
    """A numeral nudged."""
    line = _some(lines, "term", random, lambda x: x["op"] == "num")
    if line is None:
        return False
    line["data"] = str(Fraction(line["data"]) + random.choice((1, -1, 2, Fraction(1, 2), -2 * Fraction(line["data"]))))
    return True


def variable(lines: Lines, random: Random) -> bool:
    """A variable of another name, sort or rank, or another variable of the same certificate."""
    line = _some(lines, "term", random, lambda x: x["op"] == "var")
    other = _some(lines, "term", random, lambda x: x["op"] == "var")
    if line is None or other is None:
        return False
    name, sort, rank = line["data"]
    line["data"] = random.choice(
        ([*other["data"]], [other["data"][0], sort, rank], ["fresh", sort, rank], [name, "real", rank],
         [name, "integer", rank], [name, sort, rank + random.choice((1, -1))])
    )  # fmt: skip
    return True


def bound_index(lines: Lines, random: Random) -> bool:
    """A bound index that points to another binder, or to none."""
    line = _some(lines, "term", random, lambda x: x["op"] in ("bound", "lam"))
    if line is None:
        return False
    line["data"] += random.choice((1, -1, 2))
    return True


def defined(lines: Lines, random: Random) -> bool:
    """A definition with another body, other parameters, another name, or another number of implicit ones."""
    line = _some(lines, "definition", random)
    if line is None:
        return False
    match random.randrange(5):
        case 0:
            line["body"] = _another(line["body"], random)
        case 1:
            random.shuffle(line["parameters"])
        case 2 if line["parameters"]:
            k = random.randrange(len(line["parameters"]))
            line["parameters"][k] = _another(line["parameters"][k], random)
        case 3:
            other = _some(lines, "definition", random)
            line["name"] = random.choice(((other or line)["name"], "other"))
        case _:
            line["implicit"] += random.choice((1, -1))
    return True


def premise(lines: Lines, random: Random) -> bool:
    """Another premise, one fewer, one twice, or the premises in another order."""
    line = _some(lines, "step", random, lambda x: x["premises"])
    if line is None:
        return False
    premises = line["premises"]
    k = random.randrange(len(premises))
    match random.randrange(6):
        case 0:
            random.shuffle(premises)
        case 1:
            premises.pop(k)
        case 2:
            premises.insert(k, _another(premises[k], random))
        case _:
            premises[k] = _another(premises[k], random)
    return True


def parameter(lines: Lines, random: Random) -> bool:
    """A parameter of a step changed, left out, given twice or in another place."""
    line = _some(lines, "step", random, lambda x: x["parameters"])
    if line is None:
        return False
    parameters = line["parameters"]
    k = random.randrange(len(parameters))
    ((key, value),) = parameters[k].items()
    match random.randrange(8):
        case 0:
            random.shuffle(parameters)
        case 1:
            parameters.pop(k)
        case 2:
            parameters.insert(k, dict(parameters[k]))
        case _ if key == "term":
            parameters[k] = {"term": _another(value, random)}
        case _ if key == "number":
            nudged = Fraction(value) + random.choice((1, -1, Fraction(1, 2), -2 * Fraction(value)))
            parameters[k] = {"number": str(nudged)}
        case _:
            parameters[k] = {"text": random.choice((*AXIOMS, "x", "y", "f", "a", "softmax"))}
    return True


def rule(lines: Lines, random: Random) -> bool:
    """Another rule, or another row of the table."""
    line = _some(lines, "step", random)
    if line is None:
        return False
    if line["rule"] == "axiom" and random.random() < 0.5:
        line["parameters"][0] = {"text": random.choice(sorted(AXIOMS))}
    else:
        line["rule"] = random.choice(sorted(SHAPES))
    return True


def hypothesis(lines: Lines, random: Random) -> bool:
    """A hypothesis of the claim dropped, added or exchanged."""
    line = _some(lines, "theorem", random)
    if line is None:
        return False
    granted, count = line["hypotheses"], sum("term" in x for x in lines)
    if not granted or random.random() < 0.3:
        granted.append(random.randrange(count))
    elif random.random() < 0.6:
        granted.pop(random.randrange(len(granted)))
    else:
        granted[random.randrange(len(granted))] = random.randrange(count)
    return True


def conclusion(lines: Lines, random: Random) -> bool:
    """Another conclusion claimed, or the same one of another step."""
    line = _some(lines, "theorem", random)
    if line is None:
        return False
    if random.random() < 0.7:
        propositions = [x["term"] for x in lines if x.get("op") in ("eq", "le", "lt", "ne", "forall")]
        line["conclusion"] = random.choice(propositions)
    else:
        line["step"] = _another(line["step"], random)
    return True


def redirected(lines: Lines, random: Random) -> bool:
    """Every use of one term, from some line on, becomes a use of another."""
    one, other = (_some(lines, "term", random) for _ in range(2))
    if one is None or other is None or one is other:
        return False
    start = max(lines.index(one), lines.index(other)) if random.random() < 0.7 else random.randrange(len(lines))
    for line in lines[start + 1 :]:
        _renumbered(line, "term", lambda k: other["term"] if k == one["term"] else k)
    return True


def shortened(lines: Lines, random: Random) -> bool:
    """A line left out, and the lines after it renumbered or not."""
    k = random.randrange(1, len(lines))
    gone = lines.pop(k)
    kind = kind_of(gone)
    if random.random() < 0.7 and kind in ("term", "definition", "step"):
        at = gone[kind]
        for line in lines[k:]:
            if kind_of(line) == kind:
                line[kind] -= 1
            _renumbered(line, kind, lambda n: n - 1 if n > at else n)
    return True


def exchanged(lines: Lines, random: Random) -> bool:
    """Two lines of one kind exchanged; they keep the numbers of their places, or not."""
    kind = random.choice(("term", "definition", "step"))
    one, other = (_some(lines, kind, random) for _ in range(2))
    if one is None or other is None or other is one:
        return False
    j, k = lines.index(one), lines.index(other)
    lines[j], lines[k] = lines[k], lines[j]
    if random.random() < 0.8:
        one[kind], other[kind] = other[kind], one[kind]
    return True


def doubled(lines: Lines, random: Random) -> bool:
    """A line written twice."""
    k = random.randrange(len(lines))
    lines.insert(random.choice((k, random.randrange(len(lines)))), deepcopy(lines[k]))
    return True


def confused(lines: Lines, random: Random) -> bool:
    """A value of another type somewhere in a line, or a key taken away."""
    line = random.choice(lines)
    places: list[tuple[Any, Any]] = []

    def visit(parent: Any) -> None:
        for key in list(parent if isinstance(parent, dict) else range(len(parent))):
            places.append((parent, key))
            if isinstance(parent[key], dict | list):
                visit(parent[key])

    visit(line)
    parent, key = random.choice(places)
    if random.random() < 0.15:
        del parent[key]
    else:
        parent[key] = deepcopy(random.choice(CONFUSED))
    return True


def _renumbered(line: Line, kind: str, new: Callable[[int], int]) -> None:
    """Every use of a term, step or definition in a line by its new number."""
    if kind == "definition" and line.get("op") == "app":
        line["data"] = new(line["data"])
    if kind == "step" and "premises" in line:
        line["premises"] = list(map(new, line["premises"]))
    elif kind == "step" and "theorem" in line:
        line["step"] = new(line["step"])
    if kind != "term":
        return
    for key in ("args", "hypotheses"):
        if key in line:
            line[key] = list(map(new, line[key]))
    if "definition" in line:
        line["parameters"], line["body"] = list(map(new, line["parameters"])), new(line["body"])
    elif "parameters" in line:
        line["parameters"] = [{"term": new(p["term"])} if "term" in p else p for p in line["parameters"]]
    if "conclusion" in line:
        line["conclusion"] = new(line["conclusion"])


MUTATIONS: Mapping[str, Callable[[Lines, Random], bool]] = {
    f.__name__.replace("_", " "): f
    for f in (operation, argument, numeral, variable, bound_index, defined, premise, parameter, rule, hypothesis,
              conclusion, redirected, shortened, exchanged, doubled, confused)
}  # fmt: skip


def written(line: Line) -> str:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False)


# --- the run -----------------------------------------------------------------------------------------------


class Run:
    """Mutants one after the other, with counts of what became of them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"certificates {seed}")
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.judged: dict[Statement, str] = {}
        self.unmet: list[str] = []  # statements of whose hypotheses no model was found, and no contradiction either

    def mutants(self, count: int) -> Counter[str]:
        """So many mutants of certificates drawn at random; raises `Hole` where one breaks in."""
        for _ in range(count):
            self.mutant(self.random.choice(originals()))
        return self.counts

    def mutant(self, original: Original) -> None:
        random = self.random
        names = random.choices(sorted(MUTATIONS), k=random.choice((1, 1, 1, 2, 3)))
        mutant: Lines = [json.loads(line) for line in original.lines]
        try:
            done = [name for name in names if MUTATIONS[name](mutant, random)]
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration):
            return self.mutant(original)  # the second mutation can't read what the first has confused
        lines = [written(line) for line in mutant]
        if not done or lines == [written(json.loads(line)) for line in original.lines]:
            return self.mutant(original)
        self.counts["mutants"] += 1
        self.kinds.update(done)
        said = f"{original.name}, {', '.join(done)}"
        try:
            claims = replay(lines)
        except ReplayError:
            self.counts["refused"] += 1
        except Exception as error:
            raise Hole(f"{said}: {error!r}\n" + "\n".join(lines)) from error
        else:
            self.counts["accepted"] += 1
            for claim in claims:
                if difference(claim, original.granted, original.asked) is None:
                    self.counts["accepted, what was asked"] += 1
                else:
                    self.counts["accepted, something else"] += 1
                    self.true(said, lines, claim)
        self.reached(said, lines, original)

    def reached(self, said: str, lines: list[str], original: Original) -> None:
        """What the steps of the mutant say, as far as they are accepted, must be true too."""
        new = [k for k, sequent in sequents(lines) if sequent not in original.sequents]
        for k in {*new[:1], *self.random.sample(new, min(MOST_CLAIMS - 1, len(new)))}:
            said_so = claimed(lines, k)
            for claim in replay(said_so):
                if claim.name == REACHED:
                    self.counts["new steps claimed"] += 1
                    self.true(said, said_so, claim)

    def true(self, said: str, lines: Sequence[str], claim: Proved) -> None:
        statement = statements(lines)[claim.name]
        hypotheses, conclusion = statement
        if (frozenset(map(canonical, hypotheses)), canonical(conclusion)) != (claim.hypotheses, claim.conclusion):
            raise Hole(f"{said}: the claim says {claim.text}, and its lines say {conclusion!r}")
        if statement not in self.judged:
            self.judged[statement] = verdict(hypotheses, conclusion)
            self.counts["statements: " + self.judged[statement]] += 1
            if self.judged[statement] == UNMET:
                self.unmet.append(claim.text)
        if self.judged[statement] == "false":
            raise Hole(f"{said}: false: {claim.text}\n" + "\n".join(lines))


def verdict(hypotheses: frozenset[Term], conclusion: Term) -> str:
    """What small models say of a statement."""
    given = sorted(hypotheses, key=repr)
    trial: Trial = tried(given, conclusion, most=12)
    if trial.false:
        return "false"
    if trial.instances:
        return "true" if trial.exact else "true within 160 bits"
    if conclusion in hypotheses:
        return "assumed"
    return "of contradictory hypotheses" if contradictory(given) else UNMET


def run(count: int, seed: int) -> Counter[str]:
    """So many mutants, with counts; raises `Hole`."""
    return Run(seed).mutants(count)
