"""A proof of a named theorem, as a derivation of the learner's own."""

from __future__ import annotations

from derive.answers.values import Derivation, Right, Said
from derive.problems.given import Given, GivenRefused, brief
from derive.problems.kind import AnswerKind, Problem


def _proof(given: Given) -> Problem:
    from difflib import get_close_matches

    from derive.library import theorems

    name = given.text("theorem")
    known = theorems()
    if name not in known:
        close = get_close_matches(name, list(known), 1)
        if close:
            raise GivenRefused("no-theorem-close", found=brief(name), close=close[0])
        raise GivenRefused("no-theorem", found=brief(name))
    return Problem(Right(Derivation(name), Said("proof", {"theorem": name})))


PROOF = AnswerKind("proof", ("theorem",), _proof, "derivation")
