"""Who speaks at a table and what is said are closed sets, the same in the types, the catalogue and the schema."""

from typing import Any, get_args

import pytest

from rules_engine import GAMES, rulebook
from rules_engine.errors import EngineError, ImpossibleFacts
from rules_engine.games.chemin_de_fer import calls as chemin_de_fer
from rules_engine.games.ponto_banca import calls as ponto_banca
from rules_engine.schema import schema

SAYINGS = {"chemin_de_fer": get_args(chemin_de_fer.Says), "ponto_banca": get_args(ponto_banca.Says)}
BOOKS = {"chemin_de_fer": "pt-chemin-de-fer", "ponto_banca": "pt-ponto-banca-macau"}
FACTS: dict[str, dict[str, Any]] = {
    "chemin_de_fer": {
        "seats": [1, 2, 3],
        "standing": ["2a"],
        "banker": "1",
        "minimum": 100,
        "incident": {"kind": "game_opens"},
    },
    "ponto_banca": {
        "seats": [1, 2, 3],
        "standing": ["2a"],
        "minimum": 20,
        "incident": {"kind": "table_laid_out", "places": 7},
    },
}


def read(game: str, *calls: dict[str, Any]) -> Any:
    return GAMES[game].read(FACTS[game] | {"calls": list(calls)})


@pytest.mark.parametrize("game", SAYINGS)
def test_the_sayings_of_a_game_are_those_of_its_words(game: str) -> None:
    words = GAMES[game].words.catalogue("en")
    assert set(SAYINGS[game]) == {id.removeprefix("say.") for id in words if id.startswith("say.")}


def test_the_words_that_name_a_sum_are_those_whose_sentence_shows_one() -> None:
    for game, named in (("chemin_de_fer", chemin_de_fer.WITH_SUM), ("ponto_banca", frozenset())):
        said = {id: words for id, words in GAMES[game].words.catalogue("en").items() if id.startswith("say.")}
        assert {id.removeprefix("say.") for id, words in said.items() if "{amount" in words} == named


@pytest.mark.parametrize("game", SAYINGS)
def test_every_saying_can_be_read_and_told(game: str) -> None:
    book = rulebook(BOOKS[game])
    for says in SAYINGS[game]:
        assert read(game, {"by": "2a", "says": says, "amount": 20}).calls[0].says == says
        assert book.game.words.has(f"say.{says}", book.language), says


@pytest.mark.parametrize(
    ("game", "call", "fact"),
    [
        ("chemin_de_fer", {"by": "2", "says": "bancoo"}, r"says: 'bancoo' is not one of the choices"),
        ("chemin_de_fer", {"by": "2", "says": "declines"}, r"says: 'declines' is not one of the choices"),
        ("chemin_de_fer", {"by": "dealer", "says": "banco"}, r"by: this is not how it is written"),
        ("chemin_de_fer", {"by": "10", "says": "banco"}, r"by: this is not how it is written"),
        ("chemin_de_fer", {"by": "2", "says": "bid", "amount": -5}, r"amount: expected at least 0"),
        ("ponto_banca", {"by": "2", "says": "banco"}, r"says: 'banco' is not one of the choices"),
        ("ponto_banca", {"by": "banker", "says": "closed"}, r"by: this is not how it is written"),
    ],
)
def test_what_is_no_call_is_refused_by_name(game: str, call: dict[str, Any], fact: str) -> None:
    good = {"by": "croupier", "says": "closed"}
    assert read(game, good).calls
    with pytest.raises(EngineError, match=rf"^situation\.calls\[1\]\.{fact}"):
        read(game, good, call)


@pytest.mark.parametrize("game", SAYINGS)
@pytest.mark.parametrize(("by", "there"), [("3", True), ("2a", True), ("4", False), ("2b", False), ("3a", False)])
def test_whoever_speaks_from_a_place_is_there(game: str, by: str, there: bool) -> None:
    calls = [{"by": "croupier", "says": "closed"}, {"by": by, "says": "closed"}]
    if there:
        assert read(game, *calls).calls[1].by == by
        return
    with pytest.raises(ImpossibleFacts, match=rf"^calls\[1\]\.by: nobody is at {by}$"):
        read(game, *calls)


@pytest.mark.parametrize("game", SAYINGS)
def test_the_schema_shows_both_sets(game: str) -> None:
    definitions = schema()["$defs"]
    calls = definitions[f"{game}.Situation"]["properties"]["calls"]["items"]
    found = definitions[calls["$ref"].removeprefix("#/$defs/")]["properties"]
    assert sorted(found["says"]["enum"]) == sorted(SAYINGS[game])
    assert found["by"]["pattern"].startswith("^([1-9][a-i]?|croupier")
