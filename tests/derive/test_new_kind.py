"""The kind that the README shows: it builds, is listed, its key is judged, and a wrong step of it is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import derive.problems
from derive.answers.checking import check
from derive.answers.report import why
from derive.answers.values import Exact, Names, Row
from derive.commands.list import as_json
from derive.errors import DeriveError
from derive.keys import load
from derive.problems.kind import asked
from derive.sheets.agreement import check_agreement
from derive.sheets.assemble import assemble
from derive.sheets.blocks import Chain, ChainLine, Formula, KeyEntry, Localised, Sheet
from derive.sheets.build import Wanted, build
from derive.sheets.formulas import TermPrinter
from derive.sheets.manifest import read
from derive.sheets.problems import Solution
from derive.sheets.prose import catalogue
from derive.worked import kinds
from derive.errors import NotProved
from proofs.syntax.environment import declare
from proofs.syntax.explicit import explicit_tensor
from proofs.terms import add, div, mul, num, var

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


# --- what a kind of one's own may get wrong ---------------------------------------------------------------------

STEP = '[(num(T * T * d_k), ("arithmetic",))]'
ASKED = "asked(num(T * T * d_k), one_query)"
ENTRY = 'key_entry(self.answers(given, seed)[""])'


def changed(*pairs: tuple[str, str]) -> Any:
    code = code_of("README.md")
    for old, new in pairs:
        assert code.count(old) == 1
        code = code.replace(old, new)
    return made(code)


def assembled(kind: Any, folder: Path) -> Sheet:
    (folder / "mine.toml").write_text(MANIFEST, encoding="utf-8")
    known = {kind.name: kind}
    return assemble(read(folder / "mine.toml", known), known)


def said_of(error: DeriveError) -> str:
    zh, en = (catalogue(lang).plain(f"errors.{error.code}", **error.params) for lang in ("zh", "en"))
    assert "\n" not in zh + en
    return en


def refused(folder: Path, *pairs: tuple[str, str]) -> str:
    with pytest.raises(DeriveError) as raised:
        assembled(changed(*pairs), folder)
    return said_of(raised.value)


def test_an_answer_that_the_solution_does_not_reach_is_refused(tmp_path: Path) -> None:
    said = refused(tmp_path, (ASKED, "asked(num(48), one_query)"))
    assert said.startswith("mine.toml, exercise 1: the worked solution reaches 75, but the answer in the key is 48")


@pytest.mark.parametrize("printed", ["KeyEntry(48)", "KeyEntry(Formula(power(num(7), num(2))))"])
def test_a_key_that_prints_another_number_is_refused(printed: str, tmp_path: Path) -> None:
    imported = ("import Localised, Paragraph", "import Formula, KeyEntry, Localised, Paragraph")
    said = refused(tmp_path, imported, (ENTRY, printed))
    assert "not proved to be equal to any answer of the kind: 75" in said


@pytest.mark.parametrize(
    "value", ["mul(power(num(T), num(2)), num(d_k))", "mul(num(T * d_k), num(T))", "power(num(75), num(1))"]
)
def test_an_answer_in_another_form_is_the_same(value: str, tmp_path: Path) -> None:
    sheet = assembled(changed((ASKED, f"asked({value}, one_query)")), tmp_path)
    assert sheet.activities[0].exercises[0].key


def test_words_are_not_compared_with_numbers(tmp_path: Path) -> None:
    words = 'asked(OneOf((Option("a", ("many",), Said("x")), Option("b", ("few",), Said("x"))), 0))'
    imported = (
        "from derive.sheets.blocks",
        "from derive.answers.values import OneOf, Option, Said\nfrom derive.sheets.blocks",
    )
    (entry,) = assembled(changed(imported, (ASKED, words)), tmp_path).activities[0].exercises[0].key
    assert entry.exact == "many"


def test_every_value_of_several_is_compared_with_the_key(tmp_path: Path) -> None:
    rights = asked(Row((Exact(num(1)), Exact(num(2))))), asked(num(3))
    parts = dict(zip("ab", rights, strict=True))
    same = KeyEntry(Formula(explicit_tensor((num(1), add(num(1), num(1)))))), KeyEntry(3)
    check_agreement(parts, Solution((), (), same))
    for other in (KeyEntry(2), KeyEntry(Formula(explicit_tensor((num(2), num(1)))))):
        with pytest.raises(DeriveError) as raised:
            check_agreement(parts, Solution((), (), (*same, other)))
        assert raised.value.code == "key-against-answers"


def test_a_formula_is_compared_under_what_its_names_mean() -> None:
    n = var("n", "integer")
    names = Names((declare("n", "size"),))
    chain = Chain(Formula(n), (ChainLine("eq", Formula(div(mul(n, n), n))),))
    check_agreement({"": asked(n, names=names)}, Solution((), (chain,), ()))
    with pytest.raises(DeriveError, match="key-against-solution"):
        check_agreement({"": asked(add(n, num(1)), names=names)}, Solution((), (chain,), ()))
    check_agreement({"": asked(num(4))}, Solution((), (chain,), ()))


def test_a_wrong_step_of_it_is_refused_in_one_line(tmp_path: Path) -> None:
    said = refused(tmp_path, (STEP, '[(num(T * d_k), ("arithmetic",))]'))
    assert said == "mine.toml, exercise 1: the step 5^2*3 = 15 is not proved"


def test_a_step_without_a_value_is_refused_in_one_line(tmp_path: Path) -> None:
    said = refused(tmp_path, (STEP, '[(power(num(0), num(-1)), ("arithmetic",))]'))
    assert said.startswith("mine.toml, exercise 1: a formula of the solution has no value unless 0")


def test_what_else_is_not_proved_is_named(tmp_path: Path) -> None:
    class Unproved:
        name, title = "score-products", Localised("题", "Problem")
        fields = changed().fields

        def solve(self, given: object, seed: int) -> Solution:
            raise NotProved("the table")

    with pytest.raises(DeriveError) as raised:
        assembled(Unproved(), tmp_path)
    assert said_of(raised.value) == "mine.toml, exercise 1: the step the table is not proved"


def test_an_unknown_reason_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    assert refused(tmp_path, (STEP, '[(num(T * T * d_k), ("arithmetics",))]')).endswith(
        "there is no reason arithmetics; did you mean arithmetic?"
    )
    assert "the reasons are: " in refused(tmp_path, (STEP, '[(num(T * T * d_k), ("zzz",))]'))
    assert assembled(changed((STEP, '[(num(T * T * d_k), ("arithmetic"))]')), tmp_path).activities


@pytest.mark.parametrize("part", ["name", "title", "fields", "solve"])
def test_a_class_that_lacks_something_is_named(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = type("Lacking", (), {p: None for p in ("name", "title", "fields", "solve") if p != part})
    monkeypatch.setattr("derive.worked.softmax.Softmax", lacking)
    with pytest.raises(DeriveError) as raised:
        kinds.__wrapped__()
    assert said_of(raised.value) == f"the problem kind Lacking lacks: {part}"


def test_its_title_heads_the_exercise(tmp_path: Path) -> None:
    kind = changed()
    (exercise,) = assembled(kind, tmp_path).activities[0].exercises
    assert exercise.title == kind.title
