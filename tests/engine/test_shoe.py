"""The shoe beyond the golden cases: where the texts are silent, where the cards end, what generators leave alone."""

from typing import Any

import pytest

from rules_engine import generate, rulebook
from rules_engine.errors import NotRegulated
from rules_engine.games.baccarat.cards import PIPS
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.shoe.cut import CARDS, CutCardIn
from rules_engine.games.chemin_de_fer.shoe.last_coup import LastCoupOver
from rules_engine.games.chemin_de_fer.shoe.loading import ShoeLoaded
from rules_engine.ruling import Adopted, Ruling

PT, SANREMO = "pt-chemin-de-fer", "it-sanremo-chemin-de-fer"


def ruled(book: str, incident: dict[str, Any], **facts: Any) -> Ruling:
    table = {"seats": [1, 2, 3, 4, 5, 6], "banker": "1", "bank": 1000, **facts, "incident": incident}
    return rulebook(book).rule(GAME.read(table))


@pytest.mark.parametrize("first", ["Js", "Qh", "Kd"])
def test_pt_cdf_13_s4_a_court_card_is_settled_only_where_the_first_card_is_not_counted(first: str) -> None:
    with pytest.raises(NotRegulated, match="a court card"):
        ruled(PT, {"kind": "shoe_loaded"}, next=[first, "2s", "3s"])
    besides = rulebook(PT).under({"Q3": Adopted("besides")})
    ordinary = {**GAME.ordinary, "next": [first, "2s", "3s"], "incident": {"kind": "shoe_loaded"}}
    assert besides.rule(GAME.read(ordinary))["burn_count"] == 1


def test_pt_cdf_13_s4_burned_cards_lie_apart_and_the_rest_stays_in_the_shoe() -> None:
    after = ruled(PT, {"kind": "shoe_loaded"}, next=["3s", "4s", "5s", "6s"]).after
    assert after is not None
    assert (after.heap("burned"), after.heap("shoe")) == (("3s", "4s", "5s"), ("6s",))


def test_pt_cdf_13_s4_is_kept_out_of_exams_and_asked_from_ace_to_ten_only() -> None:
    for seed in range(200):
        scenario = generate(PT, "shoe", seed, 1 + seed % 5, article="13 s4")
        assert isinstance(scenario.situation.incident, ShoeLoaded)
        assert 1 <= PIPS[scenario.situation.next[0][0]] <= 10
        assert not scenario.solve().exam_safe


def test_sanremo_6_s4_about_twenty_is_not_asked_close_to_twenty() -> None:
    for seed in range(200):
        incident = generate(SANREMO, "shoe", seed, 1 + seed % 5, article="6 s4").situation.incident
        assert isinstance(incident, CutCardIn)
        assert abs(min(incident.above, CARDS - incident.above) - 20) >= 5


def test_sanremo_7_burns_nothing() -> None:
    with pytest.raises(NotRegulated, match="no rule for such an incident"):
        ruled(SANREMO, {"kind": "shoe_loaded"}, next=["3s", "4s", "5s", "6s"])


@pytest.mark.parametrize(
    ("book", "incident", "why"),
    [
        (PT, {"kind": "cut_offered"}, "no seated player cut the shoe before"),
        (PT, {"kind": "shoe_in_making", "done": "offered"}, "they are not invited to"),
        (SANREMO, {"kind": "shoe_in_making", "done": "brought_used"}, "how new packs are spread"),
        (SANREMO, {"kind": "croupier_shuffles", "does": "known_card"}, "hands are open"),
        (PT, {"kind": "worn_cards", "cards": 1, "packs": 1, "inspector_wants_all": True}, "packs that are perfect"),
        (SANREMO, {"kind": "closing_time", "closing": "03:00", "shoe_began": "02:00"}, "no rule for such an incident"),
    ],
)
def test_where_the_text_is_silent_nothing_is_ruled(book: str, incident: dict[str, Any], why: str) -> None:
    with pytest.raises(NotRegulated, match=why):
        ruled(book, incident)


HANDS = {"ponto": ["7s", "Kd"], "banker_cards": ["6s", "Qd"]}


def test_pt_cdf_106_d_cards_found_face_up_are_left_open_only_where_they_would_decide() -> None:
    over = {"kind": "last_coup_over", "before": 0}
    with pytest.raises(NotRegulated, match="found face up"):
        ruled(PT, over | {"behind": 6, "turned": 1}, **HANDS)
    assert ruled(PT, over | {"behind": 7, "turned": 1}, **HANDS)["coup"] == "stands"
    assert ruled(PT, over | {"behind": 5, "turned": 1}, **HANDS)["coup"] == "annulled"


def test_sanremo_35_an_annulled_last_coup_pays_nobody_and_its_cards_are_burned() -> None:
    stakes = [{"player": "3", "amount": 200}]
    over = {"kind": "last_coup_over", "before": 0, "behind": 6}
    after = ruled(SANREMO, over, **HANDS, holder="3", claim="stake", stakes=stakes).after
    assert after is not None
    assert after.heap("burned") == ("7s", "Kd", "6s", "Qd")
    assert after.payments == ()


def test_generated_last_coups_fall_on_both_sides_of_the_limit() -> None:
    for book, article, least in ((PT, "106 d", 6), (SANREMO, "35 s2", 7)):
        counted = set()
        for seed in range(120):
            scenario = generate(book, "last_coup", seed, 4, article=article)
            assert isinstance(scenario.situation.incident, LastCoupOver)
            counted.add(scenario.solve()["cards_counted"])
        assert {least - 1, least} <= counted
