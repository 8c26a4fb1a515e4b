"""Golden cases: rulings that a floor manager can read and check, as data in tests/cases/<rulebook>/<topic>.toml.

Each case names the article it turns on, the facts (an ordinary table fills in the rest) and what must be decided.
A value of a decision may be given for any key; `announcement` is compared as spoken words.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules_engine.announcements import speak
from rules_engine.chemin_de_fer.table import situation_from as chemin_de_fer_from
from rules_engine.errors import EngineError
from rules_engine.ponto_banca.table import situation_from as ponto_banca_from
from rules_engine.rulebook import rulebook
from rules_engine.ruling import Utterance

ROOT = Path(__file__).parent.parent / "cases"
ORDINARY = {
    "chemin_de_fer": {"seats": [1, 2, 3, 4, 5, 6], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10},
    "ponto_banca": {"seats": [1, 2, 3, 4, 5, 6, 7], "minimum": 20},
}
READERS = {"chemin_de_fer": chemin_de_fer_from, "ponto_banca": ponto_banca_from}


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
    facts = ORDINARY[book.game] | case["situation"]
    if "impossible" in case:
        with pytest.raises(EngineError, match=case["impossible"]):
            READERS[book.game](facts)
        return
    ruling = book.rule(READERS[book.game](facts))
    decided = {decision.key: decision.value for decision in ruling.decisions}
    for key, value in decided.items():
        if isinstance(value, Utterance):
            decided[key] = speak(book.formula(value.formula), value, book.language)
        elif isinstance(value, tuple):
            decided[key] = list(value)
    expected = case["expect"]
    assert {key: decided.get(key) for key in expected} == expected
    assert case["article"] in ruling.cites
