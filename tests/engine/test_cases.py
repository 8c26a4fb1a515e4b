"""Golden cases: rulings that a floor manager can read and check, as data in tests/cases/<rulebook>/<topic>.toml.

Each case names the article it turns on, the facts (an ordinary table fills in the rest) and what must be decided.
A value of a decision may be given for any key; `announcement` is compared as spoken words. Instead of that a case may
say why its facts are `impossible`, or why facts that can be are `refused` by the text. `exams` says whether an exam may
ask it: not where a reading of an open text decides. `readings` are other readings that the house has adopted, `leaves`
are facts of the table that the ruling leaves.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine import RULEBOOKS, Rulebook, Ruling, rulebook
from rules_engine.errors import EngineError
from rules_engine.ruling import Adopted, Utterance
from rules_engine.situation import Situation

ROOT = Path(__file__).parent.parent / "cases"


FILES = sorted(ROOT.glob("*/*.toml"))


@cache
def cases(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["case"]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_cases(path: Path) -> None:
    """All cases of a file; whatever fails is named by its article and its name."""
    failed = {}
    for case in cases(path):
        try:
            check(rulebook(path.parent.name), case)
        except (AssertionError, pytest.fail.Exception, EngineError) as failure:
            failed[f"{case['article']} {case['name']}"] = str(failure)
    assert not failed, "\n".join(f"{name}: {why}" for name, why in failed.items())


def check(book: Rulebook, case: dict[str, Any]) -> None:
    facts = book.game.ordinary | case["situation"]
    book = book.under({question: Adopted(choice) for question, choice in case.get("readings", {}).items()})
    if "impossible" in case:
        with pytest.raises(EngineError, match=case["impossible"]):
            book.game.read(facts)
        return
    if "refused" in case:
        with pytest.raises(EngineError, match=case["refused"]):
            book.rule(book.game.read(facts))
        return
    situation = book.game.read(facts)
    ruling = book.rule(situation)
    decided: dict[str, Any] = {decision.key: decision.value for decision in ruling.decisions}
    for key, value in decided.items():
        if isinstance(value, Utterance):
            decided[key] = book.say(value)
        elif isinstance(value, tuple):
            decided[key] = list(value)
    expected = case["expect"]
    assert {key: decided.get(key) for key in expected} == expected
    assert case["article"] in ruling.cites
    assert ruling.exam_safe == case.get("exams", ruling.exam_safe)
    if "leaves" in case:
        check_left(situation, ruling, case["leaves"])


def check_left(situation: Situation, ruling: Ruling, expected: dict[str, Any]) -> None:
    left = situation.left(ruling.after) if ruling.after else {}
    now = msgspec.json.decode(msgspec.json.encode(msgspec.structs.asdict(situation) | left))
    assert {fact: now.get(fact) for fact in expected} == expected


@pytest.mark.parametrize("book_id", RULEBOOKS)
def test_every_row_of_a_checklist_has_a_golden_case(book_id: str) -> None:
    """A text that is like another needs cases of its own only for what it says itself."""
    book = rulebook(book_id)
    told = {
        case["article"] for path in FILES if path.parent.name == book_id for case in cases(path) if "expect" in case
    }
    assert {row.cite for row in book.law.rows.values() if row.tested} <= told
