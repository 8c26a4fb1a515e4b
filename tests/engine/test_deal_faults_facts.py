"""Faults while dealing: facts that cannot be, facts that must be told, and the reason that each ruling gives."""

from typing import Any

import pytest

from rules_engine.errors import ImpossibleFacts
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.books import SANREMO, SPAIN
from tests.engine.test_deal_faults import DEALT, FIFTH, PT_CDF, TABLE, ruled, said

FLOOR = {"kind": "card_on_floor", "card": "ponto.1", "by": "banker", "picker": "croupier"}
LATE = {"kind": "claim_after_error", "by": "3", "error": "inverted", "settled": "all", "discarded": True}
EXTRA = {"ponto": ["2s", "4d"], "banker_cards": ["4s", "4d", "2h"], "next": ["2c"]}
SHOWED = {"kind": "banker_showed_early", "uncovered": ["banker.1"]}
EXPOSED = {"kind": "ponto_cards_exposed", "exposed": ["ponto.1"]}
INVERTED = {"kind": "deal_inverted", "order": ["banker", "ponto", "banker", "ponto"]}
IMPOSSIBLE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("ponto", {"kind": "drawn_before_closing", "wish": "pass"}, {"loose": ["7h"], "ponto": ["2c"]}),
    ("ponto", {"kind": "drawn_before_closing", "wish": "pass"}, {"loose": ["7h"], "banker_cards": ["2c"]}),
    ("loose", {"kind": "card_detached", "out": "fully"}, DEALT | {"by_table": ["banker"]}),
    ("by_table", {"kind": "card_detached", "out": "fully"}, DEALT | {"loose": ["2c"]}),
    ("next", {"kind": "deal_under_way"}, {"next": ["7h", "2c", "Ah"]}),
    ("incident.wish", {"kind": "deal_under_way"}, {"loose": ["Ks"], "next": ["7h", "2c", "Ah", "9d"]}),
    ("incident.wish", {"kind": "deal_under_way", "by": "3", "wish": "raise"}, {"next": ["7h", "2c", "Ah", "9d"]}),
    ("incident.wish", {"kind": "deal_under_way", "wish": "raise"}, {"loose": ["Ks"], "next": ["7h", "2c", "Ah", "9d"]}),
    ("incident.seen", {"kind": "peeked_into_shoe", "by": "3", "seen": 0}, {"next": ["7h", "2c"]}),
    ("incident.seen", {"kind": "peeked_into_shoe", "by": "3", "seen": 2}, {"next": ["7h", "2c"]}),
    ("ponto", {"kind": "cards_to_pass", "by": "banker"}, {"ponto": ["7h"], "banker_cards": ["2c", "9d"]}),
    ("ponto", {"kind": "cards_to_pass", "by": "banker"}, {"ponto": ["7h", "Ah"], "banker_cards": ["2c"]}),
    ("incident.trouble", {"kind": "cards_to_pass", "by": "banker", "trouble": "empty_banco"}, DEALT),
    ("incident.trouble", {"kind": "cards_to_pass", "by": "croupier", "trouble": "wrong_player"}, DEALT),
    ("incident.exposed", EXPOSED | {"exposed": []}, DEALT),
    ("ponto", EXPOSED, {"ponto": ["7h"], "banker_cards": ["2c", "9d"]}),
    ("ponto", EXPOSED, {"ponto": ["7h", "Ah"], "banker_cards": ["2c"]}),
    ("incident.asking", EXPOSED | {"asking": ["1"]}, DEALT),
    ("incident.kept", EXPOSED | {"kept": [{"player": "9", "amount": 100}]}, DEALT),
    ("loose", EXPOSED | {"kept": []}, DEALT | {"loose": ["2c"]}),
    ("ponto", {"kind": "exposed_ponto_to_speak"}, {"ponto": ["7h", "Ah", "2c"], "banker_cards": ["2c", "9d"]}),
    (
        "incident.exposed",
        {"kind": "banker_after_exposing", "wish": "draw", "exposed": []},
        DEALT | {"calls": said("no"), "next": ["2c"]},
    ),
    ("ponto", {"kind": "banker_looked_early"}, {"ponto": ["7h"], "banker_cards": ["2c", "9d"]}),
    ("ponto", {"kind": "banker_looked_early"}, {"ponto": ["7h", "Ah"], "banker_cards": ["2c"]}),
    ("incident.uncovered", SHOWED | {"uncovered": []}, DEALT),
    ("next", {"kind": "banker_has_extra_cards"}, EXTRA | {"calls": said("no"), "next": []}),
    ("calls", {"kind": "banker_has_extra_cards"}, EXTRA | {"calls": said("eight")}),
    ("ponto", {"kind": "banker_has_extra_cards"}, EXTRA | {"calls": said("card")}),
    ("incident.extra", {"kind": "banker_has_extra_cards", "extra": 0}, EXTRA | {"calls": said("no")}),
    ("incident.extra", {"kind": "banker_has_extra_cards", "extra": 4}, EXTRA | {"calls": said("no")}),
    (
        "banker_cards",
        {"kind": "ponto_has_extra_cards"},
        {"ponto": ["2s", "4d", "3h"], "banker_cards": ["2c"], "next": ["2c", "3c"]},
    ),
    (
        "next",
        {"kind": "ponto_has_extra_cards"},
        {"ponto": ["2s", "4d", "3h"], "banker_cards": ["2c", "9d"], "next": ["3c"]},
    ),
    (
        "ponto",
        {"kind": "fifth_card_drawn"},
        {"calls": said("no"), "ponto": ["2s"], "banker_cards": ["2c", "9d"], "loose": ["2d"], "next": ["3c"]},
    ),
    (
        "ponto",
        {"kind": "fifth_card_drawn"},
        {"calls": said("no"), "ponto": ["2s", "9d"], "banker_cards": ["2c"], "loose": ["2d"], "next": ["3c"]},
    ),
    ("loose", {"kind": "fifth_card_drawn"}, DEALT | {"calls": said("no"), "next": ["3c"]}),
    ("next", {"kind": "fifth_card_drawn"}, DEALT | {"calls": said("no"), "loose": ["3c"]}),
    ("calls", {"kind": "fifth_card_drawn"}, DEALT | {"loose": ["3c"], "next": ["3c"]}),
    ("ponto", FLOOR, {"ponto": ["7h"], "banker_cards": ["2c", "9d"]}),
    ("banker_cards", FLOOR, {"ponto": ["7h", "Ah"], "banker_cards": ["2c"]}),
    ("incident.cards", {"kind": "ponto_cards_binned", "cards": []}, DEALT),
    ("incident.cards", {"kind": "ponto_cards_binned", "cards": ["ponto.1", "ponto.1"]}, DEALT),
    ("ponto", INVERTED, {"ponto": ["7h"], "banker_cards": ["2c", "9d"]}),
    ("ponto", INVERTED, {"ponto": ["7h", "Ah"], "banker_cards": ["2c"]}),
    ("ponto", {"kind": "stuck_in_deal", "order_certain": True}, DEALT | {"loose": ["2c", "3c"]}),
    ("loose", {"kind": "croupier_mixed_cards"}, {"loose": ["7h", "2c", "Ah"]}),
    ("loose", {"kind": "croupier_mixed_cards"}, {"loose": ["7h", "2c", "Ah", "9d"], "ponto": ["2c"]}),
    (
        "ponto",
        {"kind": "croupier_exposed_cards", "cards": ["ponto.1"]},
        {"ponto": ["7h"], "banker_cards": ["2c", "9d"]},
    ),
    (
        "ponto",
        {"kind": "croupier_exposed_cards", "cards": ["ponto.1"]},
        {"ponto": ["7h", "Ah"], "banker_cards": ["2c"]},
    ),
    ("incident.cards", {"kind": "croupier_exposed_cards", "cards": []}, DEALT),
    ("incident.cards", {"kind": "croupier_exposed_cards", "cards": ["ponto.1", "ponto.1"]}, DEALT),
    ("incident.by", LATE | {"by": "1"}, {}),
    ("incident.witnesses", LATE | {"witnesses": -1}, {}),
]


@pytest.mark.parametrize(("fact", "incident", "facts"), IMPOSSIBLE)
def test_facts_that_cannot_be_are_refused_by_name(fact: str, incident: dict[str, Any], facts: dict[str, Any]) -> None:
    with pytest.raises(ImpossibleFacts) as refused:
        GAME.read(TABLE | facts | {"incident": incident})
    assert refused.value.fact.startswith(fact)


TOLD: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("deal_under_way", {"kind": "deal_under_way"}, {"next": ["7h", "2c", "Ah", "9d"]}),
    (
        "deal_face_up",
        {"kind": "deal_under_way", "by": "3", "wish": "raise"},
        {"loose": ["Ks"], "next": ["7h", "2c", "Ah", "9d"]},
    ),
    (
        "drawn_before_closing deal_banker_pass deal_let_off",
        {"kind": "drawn_before_closing", "wish": "pass", "let_off": True},
        {"loose": ["7h"], "hidden": ["loose.1"]},
    ),
    ("drawn_before_closing deal_banker_go_on", {"kind": "drawn_before_closing", "wish": "go_on"}, {"loose": ["7h"]}),
    ("deal_done cards_to_pass", {"kind": "cards_to_pass", "by": "banker"}, DEALT),
    (
        "deal_done cards_to_pass deal_wrong_player",
        {"kind": "cards_to_pass", "by": "banker", "trouble": "wrong_player"},
        DEALT,
    ),
    ("deal_exposed_one deal_asking", EXPOSED | {"asking": ["3"]}, DEALT),
    ("deal_exposed_both deal_lost_before", EXPOSED | {"exposed": ["ponto.1", "ponto.2"], "lost_before": "3"}, DEALT),
    ("deal_exposed_one deal_nothing_kept", EXPOSED | {"kept": []}, DEALT),
    ("deal_exposed_one deal_kept", EXPOSED | {"kept": [{"player": "3", "amount": 100}]}, DEALT),
    ("banker_looked_early deal_cards_taken", {"kind": "banker_looked_early", "taken": True}, DEALT),
    ("banker_looked_early deal_cards_not_taken deal_asks_banker", {"kind": "banker_looked_early", "asks": True}, DEALT),
    ("deal_banker_uncovered_one deal_touched.none", SHOWED, DEALT),
    (
        "banker_showed_early deal_touched.both",
        SHOWED | {"uncovered": ["banker.1", "banker.2"], "touched": ["ponto.1", "ponto.2"]},
        DEALT,
    ),
    (
        "banker_has_extra_cards deal_extra_unknown deal_would_draw",
        {"kind": "banker_has_extra_cards"},
        EXTRA | {"calls": said("no")},
    ),
    (
        "banker_has_extra_cards deal_extra_known deal_would_stand",
        {"kind": "banker_has_extra_cards", "extra": 1, "wish": "stand"},
        EXTRA | {"calls": said("no")},
    ),
    ("deal_binned_2", {"kind": "ponto_cards_binned", "cards": ["ponto.1", "ponto.2"]}, DEALT),
    ("deal_inverted_1 deal_noticed", INVERTED, DEALT),
    (
        "deal_inverted_3 deal_not_noticed deal_disputed",
        INVERTED | {"order": ["ponto", "banker", "banker", "ponto"], "noticed": False, "disputed": True},
        DEALT,
    ),
    ("stuck_in_deal deal_stuck_order", {"kind": "stuck_in_deal", "order_certain": True}, {"loose": ["2c", "3c"]}),
    ("stuck_in_deal deal_stuck_no_order", {"kind": "stuck_in_deal", "order_certain": False}, {"loose": ["2c", "3c"]}),
    (
        "croupier_mixed_cards deal_order_known deal_mixed_seen",
        {"kind": "croupier_mixed_cards", "order": [1, 2, 3, 4], "seen": True},
        {"loose": ["7h", "2c", "Ah", "9d"]},
    ),
    (
        "croupier_mixed_cards deal_order_unknown deal_mixed_unseen",
        {"kind": "croupier_mixed_cards"},
        {"loose": ["7h", "2c", "Ah", "9d"]},
    ),
    ("deal_claim_inverted deal_settled_all deal_discarded deal_witnesses", LATE | {"witnesses": 2}, {}),
    ("deal_claim_inverted deal_settled_none deal_not_discarded", LATE | {"settled": "none", "discarded": False}, {}),
]


@pytest.mark.parametrize(("told", "incident", "facts"), TOLD)
def test_the_facts_that_decide_are_told(told: str, incident: dict[str, Any], facts: dict[str, Any]) -> None:
    situation = GAME.read(TABLE | facts | {"incident": incident})
    assert [id for id, _ in situation.incident.narration()] == [f"incident.{name}" for name in told.split()]


REASONED: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    (
        "deal.difference_to_loser",
        SANREMO,
        EXPOSED | {"exposed": ["ponto.1", "ponto.2"], "asking": ["2", "3"], "lost_before": "3"},
        DEALT | {"stakes": [{"player": "4", "amount": 100}]},
    ),
    (
        "deal.difference_by_hand",
        SANREMO,
        EXPOSED | {"exposed": ["ponto.1", "ponto.2"], "asking": ["2", "3"], "lost_before": "4"},
        DEALT | {"stakes": [{"player": "4", "amount": 100}]},
    ),
    (
        "deal.sole_taken",
        SANREMO,
        {"kind": "banker_looked_early", "taken": True},
        DEALT | {"claim": "banco", "holder": "3"},
    ),
    ("deal.sole_may_refuse", SANREMO, {"kind": "banker_looked_early"}, DEALT | {"claim": "banco", "holder": "3"}),
    (
        "deal.showed_natural_early",
        SANREMO,
        SHOWED | {"uncovered": ["banker.1", "banker.2"]},
        {"ponto": ["7h", "Ah"], "banker_cards": ["Kc", "8d"]},
    ),
    (
        "deal.uncovered_early",
        SANREMO,
        SHOWED | {"uncovered": ["banker.1", "banker.2"]},
        {"ponto": ["7h", "Ah"], "banker_cards": ["Kc", "7d"]},
    ),
    ("deal.uncovered_early", SANREMO, SHOWED, {"ponto": ["7h", "Ah"], "banker_cards": ["Kc", "9d"]}),
    (
        "deal.fifth_takes_natural",
        PT_CDF,
        {"kind": "fifth_card_drawn"},
        FIFTH | {"calls": said("no"), "ponto": ["2s", "4d"], "banker_cards": ["4s", "4d"]},
    ),
    (
        "deal.fifth_to_banker",
        PT_CDF,
        {"kind": "fifth_card_drawn"},
        FIFTH | {"calls": said("no"), "ponto": ["2s", "4d"], "banker_cards": ["4s", "3d"]},
    ),
    (
        "deal.binned_tie",
        PT_CDF,
        {"kind": "ponto_cards_binned", "cards": ["ponto.1"]},
        {"ponto": ["7h", "Ah"], "banker_cards": ["Kc", "9d"]},
    ),
    (
        "deal.binned_no_tie",
        PT_CDF,
        {"kind": "ponto_cards_binned", "cards": ["ponto.1"]},
        {"ponto": ["7h", "Ah"], "banker_cards": ["Kc", "8d"]},
    ),
    ("deal.mixed_annulled", SPAIN, {"kind": "croupier_mixed_cards", "seen": True}, {"loose": ["7h", "2c", "Ah", "9d"]}),
    (
        "deal.mixed_seen_annulled",
        SPAIN,
        {"kind": "croupier_mixed_cards", "seen": True, "order": [1, 2, 3, 4]},
        {"loose": ["7h", "2c", "Ah", "9d"]},
    ),
    (
        "deal.lifted_is_seen",
        SANREMO,
        {"kind": "card_detached", "out": "fully", "lifted": "corner"},
        DEALT | {"by_table": ["banker"], "loose": ["2c"]},
    ),
    (
        "deal.not_lifted_is_unseen",
        SANREMO,
        {"kind": "card_detached", "out": "fully"},
        DEALT | {"by_table": ["banker"], "loose": ["2c"]},
    ),
    ("deal.floor_not_player", SANREMO, FLOOR | {"picker": "3"}, DEALT),
    ("deal.floor_staff", SANREMO, FLOOR, DEALT),
    ("deal.coup_over", SANREMO, LATE, {}),
    ("deal.coup_not_over", SANREMO, LATE | {"discarded": False}, {}),
    ("deal.claim_too_late", PT_CDF, LATE, {}),
    ("deal.claim_in_time", PT_CDF, LATE | {"settled": "some"}, {}),
    (
        "deal.best_is_natural",
        SANREMO,
        {"kind": "ponto_has_extra_cards"},
        {"ponto": ["Ks", "8d", "Jc"], "banker_cards": ["2c", "9d"], "next": ["2c", "3c"]},
    ),
    (
        "deal.seven_eight_stand",
        PT_CDF,
        {"kind": "ponto_has_extra_cards"},
        {"ponto": ["Ks", "9d", "Jc"], "banker_cards": ["2c", "5d"], "next": ["2c", "3c"]},
    ),
    (
        "deal.keeps_draw_and_tie",
        PT_CDF,
        {"kind": "ponto_has_extra_cards"},
        {"ponto": ["Ks", "9d", "Jc"], "banker_cards": ["2c", "4d"], "next": ["2c", "3c"]},
    ),
]


@pytest.mark.parametrize(("reason", "book", "incident", "facts"), REASONED)
def test_the_reason_given_is_the_one_that_applied(
    reason: str, book: str, incident: dict[str, Any], facts: dict[str, Any]
) -> None:
    assert reason in [step.text for step in ruled(book, incident, **facts).steps]


@pytest.mark.parametrize(
    ("word", "ponto", "banker"),
    [
        ("no", ["2s", "4d"], ["2c", "3c"]),
        ("no", ["2s", "3d"], ["2c", "2c"]),
        ("card", ["2s", "3d", "Kh"], ["2c", "3c"]),
    ],
)
def test_sanremo_61_s8_speaks_only_of_five_against_a_five_that_stood(
    word: str, ponto: list[str], banker: list[str]
) -> None:
    incident = {"kind": "banker_after_exposing", "wish": "draw", "exposed": ["ponto.1", "ponto.2"]}
    ruling = ruled(SANREMO, incident, calls=said(word), ponto=ponto, banker_cards=banker, next=["2d"])
    assert "61 s8" not in ruling.cites
