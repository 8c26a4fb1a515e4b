"""Seats beyond the golden cases: where the texts are silent, and what generators leave alone."""

from typing import Any

import pytest

from rules_engine import exam_fit, generate, rulebook, topics
from rules_engine.errors import NotRegulated
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.seating.empty_seat import SeatEmpty
from rules_engine.games.chemin_de_fer.seating.standing import StandingArrives
from rules_engine.games.chemin_de_fer.seating.waiting_list import SeatFreed
from rules_engine.games.chemin_de_fer.table import SEATS
from rules_engine.ruling import Ruling

PT, SANREMO = "pt-chemin-de-fer", "it-sanremo-chemin-de-fer"


def ruled(book: str, incident: dict[str, Any], **facts: Any) -> Ruling:
    table = {"seats": [1, 2, 3, 4, 5, 6], "banker": "1", "bank": 1000, "standing": ["3a"], **facts}
    return rulebook(book).rule(GAME.read({**table, "incident": incident}))


@pytest.mark.parametrize(
    ("book", "incident", "why"),
    [
        (PT, {"kind": "second_seat", "player": "4", "other_table": False, "gives_up": False}, "different tables"),
        (PT, {"kind": "seat_freed", "seat": 8, "shoe_end": True, "book": ["3a"], "assigned": "3a"}, "beforehand"),
        (SANREMO, {"kind": "seat_freed", "seat": 8, "shoe_end": True, "book": ["3a"], "silent": ["3a"]}, "not answer"),
        (
            PT,
            {"kind": "seat_empty", "seat": 7, "since": "away", "banker_loses": True, "waiting": []},
            "nobody is waiting",
        ),
        (
            SANREMO,
            {"kind": "seat_empty", "seat": 7, "since": "reserved", "banker_loses": True, "waiting": ["3a"]},
            "before they were ever taken",
        ),
        (
            SANREMO,
            {"kind": "takes_seat", "player": "3a", "seat": 8, "owner": "given_up", "will_deal": False},
            "will not take the hand",
        ),
    ],
)
def test_where_the_text_is_silent_nothing_is_ruled(book: str, incident: dict[str, Any], why: str) -> None:
    with pytest.raises(NotRegulated, match=why):
        ruled(book, incident, banker="6")


def test_pt_cdf_3_s2_the_table_has_the_seats_of_the_regulation() -> None:
    assert rulebook(PT).number("seats") == SEATS == 9


def test_sanremo_114_needs_a_seat_that_holds_the_hand() -> None:
    settled = {"kind": "standing_settled", "player": "3a", "banker_won": True}
    with pytest.raises(NotRegulated, match="the seat that holds the hand"):
        ruled(SANREMO, settled, standing=["3a", "4a"], banker="4a", stakes=[{"player": "3a", "amount": 50}])


def test_pt_cdf_24_nobody_is_examined_about_behind_the_banker_or_seat_nine() -> None:
    asked = set()
    for seed in range(200):
        scenario = generate(PT, "standing_players", seed, 1 + seed % 5, article="24")
        incident = scenario.situation.incident
        seat = incident.seat if isinstance(incident, StandingArrives) else incident.to
        asked.add(seat)
        assert not (seat == 9 and exam_fit(scenario))
        assert str(seat) != scenario.situation.banker
    assert {8, 9} <= asked


@pytest.mark.parametrize("book", [PT, "pt-chemin-de-fer-1995"])
def test_pt_cdf_25_nobody_stands_behind_seat_nine(book: str) -> None:
    """At levels 1 to 5 of every topic: his right is the croupier's left."""
    for topic in topics(book):
        for level in range(1, 6):
            standing = getattr(generate(book, topic, "nine", level).situation, "standing", ())
            assert not [place for place in standing if place[0] == "9"], topic


def test_pt_cdf_20_in_mid_shoe_the_first_in_the_book_is_waiting_for_a_seat() -> None:
    made = [generate(PT, "seating", seed, 1 + seed % 5, article="20 s2").situation.incident for seed in range(200)]
    in_mid_shoe = [incident for incident in made if isinstance(incident, SeatFreed) and not incident.shoe_end]
    assert in_mid_shoe
    assert [incident for incident in in_mid_shoe if incident.book[0].isdigit()] == []


def test_an_empty_seat_never_leaves_too_few_for_the_game() -> None:
    outcomes = set()
    for seed in range(200):
        scenario = generate(PT, "seating", seed, 1 + seed % 5, article="21")
        assert isinstance(scenario.situation.incident, SeatEmpty)
        assert len(scenario.situation.seats) >= 4
        outcomes.add(scenario.solve()["seat_right"])
    assert outcomes == {"kept", "lost"}
