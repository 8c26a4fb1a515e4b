"""Golden cases: rulings that a floor manager can read and check, as data in tests/cases/<rulebook>/<topic>.toml.

Each case names the article it turns on, the facts (an ordinary table fills in the rest) and what must be decided.
A value of a decision may be given for any key; `announcement` is compared as spoken words. Instead of that a case may
say why its facts are `impossible`, or why facts that can be are `refused` by the text.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules_engine import RULEBOOKS, rulebook
from rules_engine.errors import EngineError
from rules_engine.ruling import Utterance

ROOT = Path(__file__).parent.parent / "cases"


def cases() -> list[Any]:
    found = []
    for path in sorted(ROOT.glob("*/*.toml")):
        for case in tomllib.loads(path.read_text("utf-8"))["case"]:
            name = f"{path.parent.name}-{case['article']}-{case['name']}".replace(" ", "_")
            found.append(pytest.param(path.parent.name, case, id=name))
    return found


@pytest.mark.parametrize(("book_id", "case"), cases())
def test_case(book_id: str, case: dict[str, Any]) -> None:
    book = rulebook(book_id)
    facts = book.game.ordinary | case["situation"]
    if "impossible" in case:
        with pytest.raises(EngineError, match=case["impossible"]):
            book.game.read(facts)
        return
    if "refused" in case:
        with pytest.raises(EngineError, match=case["refused"]):
            book.rule(book.game.read(facts))
        return
    ruling = book.rule(book.game.read(facts))
    decided: dict[str, Any] = {decision.key: decision.value for decision in ruling.decisions}
    for key, value in decided.items():
        if isinstance(value, Utterance):
            decided[key] = book.say(value)
        elif isinstance(value, tuple):
            decided[key] = list(value)
    expected = case["expect"]
    assert {key: decided.get(key) for key in expected} == expected
    assert case["article"] in ruling.cites


@pytest.mark.parametrize("book_id", RULEBOOKS)
def test_every_row_of_a_checklist_has_a_golden_case(book_id: str) -> None:
    """A text that is like another needs cases of its own only for what it says itself."""
    book = rulebook(book_id)
    told = {case.values[1]["article"] for case in cases() if case.values[0] == book_id and "expect" in case.values[1]}
    assert {row.cite for row in book.law.rows.values() if row.tested} <= told
