"""Baccarat stories fit the table they are told at: nothing that is not there, nothing that the facts contradict."""

from itertools import product
from typing import Any

import pytest

from rules_engine import RULEBOOKS, generate, rulebook, topics
from rules_engine.narration import ask, narrate, show
from rules_engine.scenario import Scenario
from rules_engine.situation import kind_of
from tests.engine.coups import PT, SANREMO, SPAIN, situation

BOOKS = [id for id, book in RULEBOOKS.items() if book.game.id == "chemin_de_fer"]
SEEDS = 6


def cases(book: str, kind: str = "") -> list[Scenario]:
    made = [generate(book, topic, f"told-{seed}", 1 + seed % 5) for topic, seed in product(topics(book), range(SEEDS))]
    return [scenario for scenario in made if not kind or kind_of(scenario.situation.incident) == kind]


def story(facts: Any, book: str = SANREMO, language: str = "en") -> str:
    return " ".join(narrate(facts, rulebook(book), language))


@pytest.mark.parametrize("book", BOOKS)
def test_a_closed_game_has_stakes(book: str) -> None:
    for scenario in cases(book):
        closed = any(call.says == "closed" for call in scenario.situation.calls)
        # A bancô asked for without the money for it leaves nothing on the table.
        empty = getattr(scenario.situation.incident, "trouble", "") == "empty_banco"
        assert scenario.situation.stakes or empty or not closed, (scenario.topic, scenario.seed, scenario.difficulty)


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_to_be_allowed_is_named(book: str) -> None:
    """Never only «Is it allowed?», which says nothing of what."""
    for scenario in cases(book):
        for language in ("en", "pt", scenario.book.language):
            plain = scenario.book.text("question.allowed", language)
            for question in scenario.questions:
                assert ask(question.key, scenario.situation, scenario.book, language) != plain


def test_equal_bids_are_told_where_there_are_any() -> None:
    facts: dict[str, Any] = {"incident": {"kind": "auction_ends", "after": "won", "regular": "1"}}
    bids = [{"by": "2", "says": "bid", "amount": 200}, {"by": "3", "says": "bid", "amount": 200}]
    assert "same moment" in story(situation(None, "", "", calls=bids, **facts))
    bids[1]["amount"] = 300
    assert "same moment" not in story(situation(None, "", "", calls=bids, **facts))


@pytest.mark.parametrize(
    ("regular", "told"), [("1", "The banker had it in his own turn."), ("4", "in his own turn was seat 4.")]
)
def test_whose_turn_the_hand_was(regular: str, told: str) -> None:
    bids = [{"by": "2", "says": "bid", "amount": 200}]
    incident = {"kind": "auction_ends", "after": "won", "regular": regular}
    assert told in story(situation(None, "", "", incident, calls=bids))


@pytest.mark.parametrize(
    ("loose", "told"),
    [("", "Nothing has come out of the shoe since."), ("5c", "one card has"), ("5c 6c", "2 cards have")],
)
def test_what_came_out_on_the_wrong_word(loose: str, told: str) -> None:
    calls = [{"by": "ponto", "says": "no"}, {"by": "croupier", "says": "card"}]
    incident = {"kind": "wrong_word_repeated", "corrected": "after"}
    assert told in story(situation(None, "Ks 6c", "4s 2h", incident, calls=calls, loose=loose))


def test_the_minimum_is_told_where_it_matters() -> None:
    looked: dict[str, Any] = {"kind": "banker_looked_early"}
    left = looked | {"kept": [{"player": "3", "amount": 50}]}
    stakes = [{"player": "3", "amount": 200}, {"player": "5", "amount": 100}]
    assert "minimum" not in story(situation(None, "Ks 6c", "4s 2h", looked, stakes=stakes))
    assert "minimum" in story(situation(None, "Ks 6c", "4s 2h", left, stakes=stakes))


def test_a_card_for_the_ponto_is_spoken_of_where_he_asked() -> None:
    incident = {"kind": "natural_not_shown", "gives": "refuse", "wish": "draw"}
    asked = situation("card", "4s 4d", "3s 2h", incident, next="2c 3c")
    stood = situation("no", "4s 4d", "3s 2h", incident, next="2c 3c")
    assert "for the ponto" in story(asked, PT) and "for the ponto" not in story(stood, PT)


def test_a_stake_to_be_settled_has_others_beside_it() -> None:
    found = [generate(SANREMO, None, seed, 3, article="114 s1").situation for seed in range(30)]
    settled = [facts for facts in found if kind_of(facts.incident) == "standing_settled"]
    assert settled and all(len(facts.stakes) >= 3 for facts in settled)


def test_shares_of_a_banco_lie_on_the_table() -> None:
    found = [generate(SANREMO, None, seed, 3, article="44").situation for seed in range(10)]
    for facts in found:
        laid = {stake.player: stake.amount for stake in facts.stakes}
        assert all(laid[share.player] == share.amount for share in facts.incident.shares)
        assert sum(laid.values()) == facts.bank


@pytest.mark.parametrize(("winner", "word"), [("ponto", "pay"), ("banker", "collect")])
def test_stakes_are_paid_or_collected(winner: str, word: str) -> None:
    incident = {"kind": "stakes_to_settle", "winner": winner, "initial": "1"}
    facts = situation(None, "", "", incident, stakes=[{"player": "3", "amount": 200}])
    for key in ("settled_order", "settled_total", "stake_paid.3"):
        assert f"do you {word}" in ask(key, facts, rulebook(SANREMO), "en")


def test_a_card_that_is_out_would_have_to_go_back() -> None:
    book = rulebook(SPAIN)
    assert show("fate.loose.1", "choice", "shoe", book, "es") == "vuelve al sabot"
    assert show("fate.next.1", "choice", "shoe", book, "es") == "se queda en el sabot"
