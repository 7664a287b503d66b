"""From a manifest to a sheet: every exercise is derived, in the order of the manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from derive.errors import DeriveError, NotProved
from derive.sheets.blocks import Activity, Exercise, Message, Sheet, Text
from derive.sheets.manifest import ActivityFacts, Asked, Manifest, Source, activity_of, drawn
from derive.sheets.marking import marking
from derive.sheets.problems import Answering, Given, Kinds, ProblemKind, Seed, Solution
from proofs.calc import ChainError
from proofs.terms import Term

SHOWN = 200
"""So many characters of a step are shown in a message about it."""


def seed_of(sheet_seed: int, exercise: str) -> int:
    """The seed of one exercise: from the sheet's seed and the exercise's number, so that order does not matter.

    >>> seed_of(45, "45-04.1a") == seed_of(45, "45-04.1a") != seed_of(45, "45-04.1b")
    True
    """
    return int.from_bytes(hashlib.sha256(f"{sheet_seed}/{exercise}".encode()).digest()[:4], "big")


def assemble(
    manifest: Manifest,
    kinds: Kinds,
    seed: int | None = None,
    done: Callable[[str], None] = lambda _: None,
    general: int | None = None,
) -> Sheet:
    """Derive every exercise; `seed` overrides the manifest's, `done` is told of each finished exercise.

    `general` is the seed that variants share: with it the general theorems are tried, once for all variants.

    Raises
    ------
    DeriveError
        What a problem kind says of values that can't be, with the file and the exercise in front.
    """
    chosen = manifest.seed if seed is None else seed
    shared = chosen if general is None else general
    groups: dict[str, list[Exercise]] = {}
    for asked in manifest.exercises:
        groups.setdefault(activity_of(asked.id), []).append(_exercise(manifest, asked, kinds, chosen, shared))
        done(asked.id)
    facts = {a.id: a for a in manifest.activities}
    order = [*facts, *(g for g in groups if g not in facts)]
    activities = tuple(_activity(facts.get(name), name, tuple(groups[name])) for name in order)
    return Sheet(manifest.id, manifest.title, chosen, activities, tuple(map(_source, manifest.sources)))


def _exercise(manifest: Manifest, asked: Asked, kinds: Kinds, seed: int, general: int) -> Exercise:
    given = drawn(manifest.path.name, f"exercise {asked.id}.given", asked.ranges, seed)
    kind = kinds[asked.problem]
    try:
        solution = _solved(kind, given, Seed(seed_of(seed, asked.id), general))
    except DeriveError as error:
        params: dict[str, str | int] = {"file": manifest.path.name, "where": f"exercise {asked.id}", **error.params}
        raise DeriveError(error.code, **params) from None
    titles = (asked.title, solution.title, kind.title)
    return Exercise(
        id=asked.id,
        title=next(title for title in titles if title is not None),
        points=asked.points,
        task=solution.task,
        space=solution.space if asked.space is None else asked.space,
        worked=solution.worked,
        key=solution.key,
        marking=marking(asked.points, solution.credits, solution.worked, solution.key),
        proof=solution.proof,
    )


def _solved(kind: ProblemKind, given: Mapping[str, Given], seed: Seed) -> Solution:
    """The solution, in agreement with what the kind gives as answers; a step that is not proved is a `DeriveError`."""
    from derive.answers.showing import plain
    from derive.sheets.agreement import check_agreement

    try:
        solution = kind.solve(given, seed)
        if isinstance(kind, Answering):
            check_agreement(kind.answers(given, seed), solution)
    except ChainError as error:
        if error.code == "undefined":
            raise DeriveError("step-undefined", condition=plain(error.goal)[:SHOWN]) from error
        raise DeriveError("step-not-proved", step=plain(error.goal)[:SHOWN]) from error
    except NotProved as error:
        (what,) = error.args
        raise DeriveError(
            "step-not-proved", step=(plain(what) if isinstance(what, Term) else str(what))[:SHOWN]
        ) from error
    return solution


def _activity(facts: ActivityFacts | None, name: str, exercises: tuple[Exercise, ...]) -> Activity:
    if facts is None:
        return Activity(name, None, (), False, exercises)
    rows: list[tuple[Text, Text]] = []
    if facts.minutes is not None:
        rows.append((Message("sheet.time"), Message("sheet.minutes", {"n": facts.minutes})))
    for label, value in (("goal", facts.goal), ("prerequisites", facts.prerequisites)):
        if value is not None:
            rows.append((Message(f"sheet.{label}"), value))
    if facts.mode is not None:
        rows.append((Message("sheet.mode"), Message(f"sheet.mode-{facts.mode}")))
    if facts.standard is not None:
        rows.append((Message("sheet.standard"), facts.standard))
    return Activity(name, facts.title, tuple(rows), facts.declaration, exercises)


def _source(source: Source) -> Message:
    """One line on a source."""
    facts: dict[str, Text] = {"title": source.title, "version": source.version, "licence": source.licence}
    return Message("sheet.source", {**facts, "date": source.verified})
