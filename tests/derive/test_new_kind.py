"""The kind that the README shows: it builds, is listed, its key is judged, and a wrong step of it is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import derive.problems
from derive.answers.checking import check
from derive.answers.report import why
from derive.commands.list import as_json
from derive.keys import load
from derive.sheets.build import Wanted, build
from derive.sheets.formulas import TermPrinter
from derive.worked import kinds
from derive.worked.steps import NotProved
from proofs.calc import ChainError

ROOT = Path(__file__).parents[2]
MANIFEST = """
[sheet]
id = "mine"
title = { zh = "我的", en = "mine" }
[[exercise]]
id = "1"
problem = "score-products"
given = { T = 5, d_k = 3 }
points = 2
"""
KEY = """
[[answer]]
id = "right"
exercise = "mine:1"
answer = "75"
[[answer]]
id = "one query"
exercise = "mine:1"
answer = "15"
[[answer]]
id = "by itself"
problem = "score-products"
given = { T = 2, d_k = 2 }
answer = "2^3"
"""


def code_of(readme: str) -> str:
    (found,) = re.findall(r"```python\n(.*?)```", (ROOT / readme).read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def made(code: str) -> Any:
    names: dict[str, Any] = {}
    exec(compile(code, "products.py", "exec"), names)
    return names["ScoreProducts"]()


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kind = made(code_of("README.md"))
    every = {**kinds(), kind.name: kind}
    monkeypatch.setattr(derive.problems, "kinds", lambda: every)
    return every


def test_both_readmes_show_the_same_kind() -> None:
    assert code_of("README.md") == code_of("README.zh.md")


def test_it_builds_in_every_format_with_its_answer(known: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MANIFEST, encoding="utf-8")
    written = build([tmp_path / "mine.toml"], known, TermPrinter(), Wanted(out=tmp_path / "out"))
    assert len(written) == 24
    solutions = (tmp_path / "out" / "mine" / "mine-solutions-en.md").read_text(encoding="utf-8")
    assert "5 positions and width 3" in solutions
    assert "75" in solutions
    assert "| 75 | 2 |" in (tmp_path / "out" / "mine" / "mine-key-zh.md").read_text(encoding="utf-8")


def test_its_key_is_judged_with_its_mistakes(known: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "key.toml").write_text(KEY, encoding="utf-8")
    right, one_query, by_itself = map(check, load(tmp_path / "key.toml").entries)
    assert [right.verdict, one_query.verdict, by_itself.verdict] == ["correct", "wrong", "equivalent"]
    assert "one query only" in why(one_query, "en")
    assert "这只数了一个查询" in why(one_query, "zh")


def test_it_describes_itself(known: dict[str, Any]) -> None:
    said = as_json(known["score-products"], "en")
    assert said["asked"] == [{"part": "", "what": "the number of multiplications"}]
    assert said["given"] == [
        {"name": n, "type": "integer", "needed": True, "from": 1, "to": 10_000} for n in ("T", "d_k")
    ]


def test_a_wrong_step_of_it_is_refused() -> None:
    wrong = made(
        code_of("README.md").replace('[(num(T * T * d_k), ("arithmetic",))]', '[(num(T * d_k), ("arithmetic",))]')
    )
    with pytest.raises((NotProved, ChainError)):
        wrong.solve({"T": 5, "d_k": 3}, 0)
