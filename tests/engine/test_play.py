"""The play of the hands: what golden cases cannot say."""

from typing import Any

import pytest

from rules_engine import rulebook
from rules_engine.announcements import hear
from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.games.baccarat.cards import score
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.play.card_values import ScoresToRead
from rules_engine.games.chemin_de_fer.play.turns import CoupGoesOn
from rules_engine.games.chemin_de_fer.table import alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import BankerToDecide
from rules_engine.ruling import Utterance
from rules_engine.scenario import generate

TABLE = {"seats": [1, 2, 3, 4, 5, 6], "standing": ["4a"], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10}
THIRD_PARTIES = [{"player": "3", "amount": 400}, {"player": "5", "amount": 100}]
FAMILY = ("rules_engine.games.chemin_de_fer.play", "rules_engine.games.chemin_de_fer.third_card")


def situation(**facts: Any) -> Any:
    return GAME.read(TABLE | {"holder": "3", "claim": "stake", "stakes": THIRD_PARTIES} | facts)


def said(*words: str) -> list[dict[str, str]]:
    return [{"by": "ponto", "says": word} for word in words]


def test_it_sanremo_113_printed_table_with_its_doubted_cell() -> None:
    """Three giving eight is printed as a draw; it is kept as printed and never put to a trainee."""
    assert rulebook(SANREMO).param("banker_table")["3"] == "TTTTTTTTTO T"
    for seed in range(300):
        made = generate(SANREMO, "third_card", seed, 1 + seed % 5, article="113 T-3").situation
        assert made.ponto[2][0] != "8"


@pytest.mark.parametrize("book", [*PT, SANREMO])
@pytest.mark.parametrize("points", ["8", "9"])
def test_a_banker_with_a_natural_shows_whatever_the_ponto_did(book: str, points: str) -> None:
    """Portugal 67 a, Sanremo 113 T-nat: the whole row of the table."""
    assert rulebook(book).param("banker_table")[points] == "NNNNNNNNNN N"


@pytest.mark.parametrize(
    ("book", "table"),
    [(PT[0], "ponto_table"), (SANREMO, "ponto_table_by_rule"), (SANREMO, "ponto_table_with_third_parties")],
)
def test_a_ponto_with_a_natural_shows(book: str, table: str) -> None:
    """Portugal 64 a, Sanremo 113 1-nat: eight and nine, and nothing below."""
    assert [points for points, letter in enumerate(rulebook(book).param(table)) if letter == "N"] == [8, 9]


def test_it_sanremo_113_t_3_is_kept_out_of_exams() -> None:
    assert not generate(SANREMO, "third_card", 1, article="113 T-3").solve().exam_safe
    assert generate(SANREMO, "third_card", 1, article="113 T-4").solve().exam_safe


def test_harder_table_cases_lie_on_the_edges_of_the_table() -> None:
    for seed in range(60):
        made = generate(PT[1], "third_card", seed, 5, article="67 d-6").situation
        assert made.ponto[2][0] in "5678"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"claim": "banco"}, True),
        ({"stakes": THIRD_PARTIES[:1]}, True),
        ({}, False),
        ({"stakes": []}, False),
        ({"claim": "banco_table"}, False),
    ],
)
def test_it_sanremo_48_who_plays_alone(facts: dict[str, Any], expected: bool) -> None:
    made = situation(ponto=["2s", "5d"], incident={"kind": "ponto_to_speak", "wish": "draw"}, **facts)
    assert alone(made) is expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Carta", ""),
        ("carta, carte", ""),
        ("Carta. Card!", ""),
        ("Card", "heard.wrong_language"),
        ("Não", "heard.wrong_moment"),
        ("8", "heard.wrong_moment"),
    ],
)
def test_pt_cdf_66_word_repeated_with_foreigners(text: str, problem: str) -> None:
    book = rulebook(PT[0])
    assert hear(book.formulas, Utterance("card"), text, ["pt", "fr", "en"]).problem == problem


def test_pt_cdf_66_french_is_not_asked_without_foreigners() -> None:
    book = rulebook(PT[0])
    assert hear(book.formulas, Utterance("no"), "não", ["pt"]).ok
    assert not hear(book.formulas, Utterance("no"), "não, non", ["pt"]).ok


def test_pt_cdf_102_s1_declaration_is_heard() -> None:
    book = rulebook(PT[0])
    assert hear(book.formulas, Utterance("banker_by_table"), "o banqueiro joga segundo a tabela", ["pt"]).ok
    assert not hear(book.formulas, Utterance("banker_by_table"), "o banqueiro joga", ["pt"]).ok


NATURAL = {"kind": "natural_not_shown", "gives": "give", "wish": "draw"}
CHANGED = {"kind": "changed_word", "gives": "give", "wish": "draw"}
EARLY = {"kind": "early_showing", "does": "shows", "ponto_wish": "draw", "banker_wish": "draw"}
HANDS = {"ponto": ["Ks", "4d"], "banker_cards": ["2c", "3h"], "next": ["6d", "Kh"]}


@pytest.mark.parametrize(
    ("book", "facts", "reason"),
    [
        (PT[0], {"ponto": ["Ks", "9d"], "banker_cards": ["Kc", "9h"], "calls": said("no"), "incident": NATURAL}, "9"),
        (
            SPAIN,
            {"ponto": ["Ks", "8d"], "banker_cards": ["Kc", "8h"], "calls": said("no"), "incident": NATURAL},
            "nine",
        ),
        (
            SANREMO,
            {"ponto": ["Ks", "9d"], "banker_cards": ["Kc", "8h"], "calls": said("no"), "incident": NATURAL},
            "sole",
        ),
        (SANREMO, {"claim": "banco", "ponto": ["Ks", "9d"], "calls": said("no"), "incident": NATURAL}, "shows"),
        (
            SANREMO,
            {"calls": said("card", "no"), "hidden": ["banker.1", "banker.2"], "incident": CHANGED},
            "no ponto in this position",
        ),
        (SANREMO, {"claim": "banco", "incident": EARLY}, "sole ponto"),
        (SANREMO, {"calls": said("no"), "banker_cards": ["Kc", "Qh"], "incident": EARLY}, "baccara"),
        (SANREMO, {"calls": said("no"), "incident": EARLY | {"does": "shows_and_lifts"}}, "lifted again"),
        (PT[0], {"incident": {"kind": "slow_ponto", "manner": "squeezes"}}, "time a ponto takes"),
    ],
)
def test_what_a_text_leaves_open_is_not_ruled_on(book: str, facts: dict[str, Any], reason: str) -> None:
    made = situation(**HANDS | facts)
    with pytest.raises(NotRegulated, match=reason):
        rulebook(book).rule(made)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"ponto": ["Ks"], "incident": {"kind": "scores_to_read"}}, "ponto: 1 cards"),
        ({"ponto": ["Ks", "4d", "2h"], "incident": {"kind": "ponto_to_speak", "wish": "draw"}}, "ponto: .* two cards"),
        ({"calls": said("no"), "incident": {"kind": "ponto_to_speak", "wish": "draw"}}, "calls: .* already spoken"),
        ({"calls": said("no"), "incident": NATURAL}, "ponto: there is no natural"),
        ({"ponto": ["Ks", "9d"], "calls": said("nine"), "incident": NATURAL}, "calls: .* shown"),
        ({"calls": said("card", "card"), "incident": CHANGED}, "calls: .* card and no"),
        ({"calls": said("card", "no"), "hidden": ["banker.1"], "incident": CHANGED}, "hidden: "),
        ({"calls": said("card", "no"), "next": ["6d"], "incident": CHANGED}, "next: "),
        ({"calls": said("card"), "incident": EARLY}, "ponto: "),
        ({"calls": said("eight"), "incident": {"kind": "coup_goes_on"}}, "calls: .* natural"),
        ({"calls": said("no"), "incident": {"kind": "coup_goes_on", "drawn": True}}, "drawn: "),
        ({"ponto": ["Ks", "4d", "2h"], "incident": {"kind": "coup_goes_on"}}, "cards: "),
        ({"incident": {"kind": "advice_asked", "asker": "ponto", "adviser": "9"}}, "adviser: nobody is at 9"),
        ({"holder": None, "incident": {"kind": "advice_asked", "asker": "ponto", "adviser": "5"}}, "holder: "),
        ({"ponto": ["Ks", "9d"], "incident": {"kind": "advice_asked", "asker": "ponto", "adviser": "5"}}, "natural"),
        ({"incident": {"kind": "new_to_the_rules", "who": "banker", "answer": "accepts"}}, "cards: .* before the deal"),
        (
            {
                "ponto": [],
                "banker_cards": [],
                "incident": {"kind": "new_to_the_rules", "who": "banker", "answer": "stops"},
            },
            "by_table: ",
        ),
        ({"calls": said("no"), "incident": {"kind": "unclear_word", "manner": "mumbles", "wish": "draw"}}, "calls: "),
        ({"ponto": [], "incident": {"kind": "slow_ponto", "manner": "delays"}}, "ponto: "),
    ],
)
def test_impossible_facts_are_refused(facts: dict[str, Any], reason: str) -> None:
    with pytest.raises(ImpossibleFacts, match=reason):
        situation(**HANDS | facts)


def test_the_same_coup_under_two_texts_differs_where_they_differ() -> None:
    """A sole ponto on baccara: free in Portugal (70 s1), bound to draw at Sanremo (48)."""
    made = situation(claim="banco", ponto=["Ks", "Qd"], incident={"kind": "ponto_to_speak", "wish": "stand"})
    assert rulebook(PT[0]).rule(made)["ponto_draw"] == "may_choose"
    assert rulebook(SANREMO).rule(made)["ponto_draw"] == "must_draw"


@pytest.mark.parametrize("topic", ["card_values", "last_coup"])
def test_a_generated_ponto_says_nothing_against_a_natural_and_stands_only_where_the_table_lets_him(topic: str) -> None:
    for seed in range(200):
        made = generate(PT[0], topic, seed, 1 + seed % 5).situation
        words = {call.says for call in made.calls if call.by == "ponto"}
        if len(made.ponto) >= 2 and is_natural(made.banker_cards[:2]) and not is_natural(made.ponto[:2]):
            assert not words
        if "no" in words:
            assert score(made.ponto[:2]) >= 5


def test_unnamed_kinds_are_not_regulated_elsewhere() -> None:
    assert not rulebook(SPAIN).regulates(BankerToDecide)
    assert not rulebook(SPAIN).regulates(CoupGoesOn)
    assert not rulebook(SANREMO).regulates(ScoresToRead)
