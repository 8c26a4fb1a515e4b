"""Why somebody gets the cards: the articles cited, the sentences told, and which of them the case turns on."""

from typing import Any

import pytest

from rules_engine import rulebook
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from tests.engine.test_claims import says, situation, stakes

SEATS_2_AND_5 = {"stakes": stakes(p2=1000, p5=1000), "calls": says(("5", "banco"), ("2", "banco"))}
SEAT_5 = {"stakes": stakes(p5=1000), "calls": says(("5", "banco"))}
STANDING_3A = {"standing": ["3a"], "stakes": stakes(p3a=1000), "calls": says(("3a", "banco"))}
LOST_TABLE = {"incident": {"kind": "claims_open", "lost": "5", "lost_by": "banco_table"}}
MOVED = {"incident": {"kind": "claims_open", "moved_ahead": ["5"]}}
TABLE_2_AND_3A = {
    "standing": ["3a"],
    "stakes": stakes(p2=500, p3a=500),
    "calls": says(("3a", "banco_table"), ("2", "banco_table")),
}
LOST_BANCO = {"incident": {"kind": "claims_open", "lost": "6", "lost_by": "banco"}}


def claimed(handled: str, *calls: tuple[str, str], consents: bool = False) -> dict[str, Any]:
    incident = {"kind": "cards_elsewhere", "lost": "6", "lost_by": "banco", "handled": handled, "consents": consents}
    return {"stakes": stakes(p4=400), "calls": says(*calls), "incident": incident}


EXPLAINED = [
    (
        PT[0],
        SEATS_2_AND_5,
        ["48 claims.seated_order !", "45 s1 claims.plays_whole_bank", "96 a-6 claims.say_priority !"],
    ),
    (PT[0], SEAT_5, ["48 claims.seated_order", "45 s1 claims.plays_whole_bank", "96 a-5 claims.say_banco"]),
    (PT[0], STANDING_3A, ["49 claims.standing_order !", "45 s1 claims.plays_whole_bank", "96 a-5 claims.say_banco"]),
    (
        PT[0],
        SEATS_2_AND_5 | LOST_TABLE,
        [
            "57 s2 claims.table_then_alone !",
            "48 claims.seated_order_after_him",
            "45 s1 claims.plays_whole_bank",
            "96 a-5 claims.say_banco !",
        ],
    ),
    (
        PT[0],
        SEAT_5 | MOVED,
        ["92 s2 claims.no_rank_no_rival !", "45 s1 claims.plays_whole_bank", "96 a-5 claims.say_banco"],
    ),
    (
        PT[0],
        SEATS_2_AND_5 | MOVED,
        [
            "92 s2 claims.no_rank !",
            "48 claims.seated_order !",
            "45 s1 claims.plays_whole_bank",
            "96 a-6 claims.say_priority !",
        ],
    ),
    (
        PT[0],
        TABLE_2_AND_3A,
        [
            "55 s1 claims.half_down !",
            "55 s1 claims.half_down !",
            "56 s1 claims.table_seated_displaces !",
            "55 s2 claims.table_has_cards !",
            "56 s2 claims.say_table_at_table !",
        ],
    ),
    (PT[0], {"stakes": stakes(p2=300, p3=200)}, ["60 claims.largest_seated !"]),
    (PT[0], {"stakes": stakes(p2=300, p3=300)}, ["60 claims.largest_seated", "61 claims.equal_stakes !"]),
    (SANREMO, SEATS_2_AND_5, ["42 s2 claims.seated_order !", "42 s1 claims.plays_whole_bank"]),
    (SANREMO, SEAT_5, ["42 s2 claims.seated_order", "42 s1 claims.plays_whole_bank"]),
    (
        SANREMO,
        STANDING_3A,
        ["42 s3 claims.standing_order !", "115 s1 claims.standing_by_banco !", "42 s1 claims.plays_whole_bank"],
    ),
    (
        SANREMO,
        SEATS_2_AND_5 | LOST_TABLE,
        ["50 claims.table_then_alone !", "42 s2 claims.seated_order_after_him", "42 s1 claims.plays_whole_bank"],
    ),
    (
        SANREMO,
        SEATS_2_AND_5 | MOVED,
        ["25 s2 claims.last_of_seated !", "42 s2 claims.seated_order !", "42 s1 claims.plays_whole_bank"],
    ),
    (
        SANREMO,
        TABLE_2_AND_3A,
        [
            "47 s1 claims.half_down !",
            "47 s1 claims.half_down !",
            "42 s2 claims.seated_order !",
            "47 s2 claims.table_same_order !",
        ],
    ),
    (
        SANREMO,
        {"stakes": stakes(p2=500), "calls": says(("2", "banco_table"))},
        ["47 s1 claims.half_down !", "42 s2 claims.seated_order", "47 s2 claims.table_same_order"],
    ),
    (SANREMO, {"stakes": stakes(p2=300, p3=300)}, ["51 s1 claims.largest_seated", "51 s2 claims.equal_stakes !"]),
    (
        SANREMO,
        {
            "standing": ["3a"],
            "stakes": stakes(p5=1000, p3a=1000),
            "calls": says(("3a", "banco"), ("5", "banco")),
        }
        | LOST_TABLE,
        ["50 claims.table_then_alone !", "42 s3 claims.standing_order_after_him", "42 s1 claims.plays_whole_bank"],
    ),
    (
        SANREMO,
        {
            "standing": ["3a"],
            "stakes": stakes(p5=1000, p3a=1000),
            "calls": says(("3a", "banco"), ("5", "banco")),
        }
        | MOVED,
        ["25 s2 claims.last_of_seated !", "42 s3 claims.standing_order_after_him", "42 s1 claims.plays_whole_bank"],
    ),
    (
        PT[0],
        {"standing": ["3a"], "stakes": stakes(p3a=500), "calls": says(("3a", "banco_table"))},
        ["55 s1 claims.half_down !", "55 s2 claims.table_has_cards !", "96 s0 claims.say_table"],
    ),
    (
        PT[0],
        {"standing": ["3a"], "calls": says(("3a", "banco_table"), ("3a", "banco_alone"))},
        ["49 claims.standing_order !", "45 s1 claims.plays_whole_bank", "96 a-5 claims.say_banco"],
    ),
    (
        SANREMO,
        {"standing": ["3a", "4a"], "stakes": stakes(p3a=200, p4a=210)},
        ["115 s3 claims.standing_nobody_seated !"],
    ),
    (
        SANREMO,
        {
            "standing": ["4a"],
            "stakes": stakes(p2=300, p4a=210),
            "incident": {"kind": "claims_open", "by_rule": ["2"]},
        },
        ["115 s4 claims.standing_before_beginners !"],
    ),
    (
        SANREMO,
        {"stakes": stakes(p2=300, p3=310), "calls": says(("3", "completes"))},
        ["51 s1 claims.largest_seated !", "52 s2 claims.completer_highest !"],
    ),
    (
        SANREMO,
        {"stakes": stakes(p2=300, p3=290), "calls": says(("3", "completes"))},
        ["51 s1 claims.largest_seated !", "52 s2 claims.completer_lower !"],
    ),
    (
        SANREMO,
        {"standing": ["4a"], "stakes": stakes(p4a=300, p3=290), "calls": says(("3", "completes"))},
        ["51 s1 claims.largest_seated !", "52 s2 claims.completer_only_seated !"],
    ),
    (
        # Seat 2 is nearer, but asks in company: the first of those who ask alone is seat 4.
        PT[0],
        {"calls": says(("2", "banco_partners"), ("6", "banco"), ("4", "banco"))},
        [
            "48 claims.seated_order_alone !",
            "50 claims.alone_before_partners !",
            "45 s1 claims.plays_whole_bank",
            "96 a-6 claims.say_priority !",
        ],
    ),
    (
        PT[0],
        {"calls": says(("6", "suivi"))} | LOST_BANCO,
        ["51 s2 claims.suivi_first !", "45 s1 claims.plays_whole_bank", "96 a-8 claims.say_open_suivi"],
    ),
    (
        PT[0],
        {"calls": says(("banker", "dealt"), ("6", "suivi"))} | LOST_BANCO,
        ["51 s2 claims.suivi_after_deal !", "45 s1 claims.plays_whole_bank", "96 a-8 claims.say_open_suivi"],
    ),
    (
        PT[0],
        claimed("touched", ("banker", "dealt"), ("4", "given_cards"), ("6", "suivi")),
        [
            *("51 s2 claims.suivi_first !", "52 s1 claims.given_come_back !"),
            "51 open claims.suivi_in_hand_good !",
        ],
    ),
    (
        PT[0],
        claimed("seen", ("6", "suivi"), ("banker", "dealt"), ("4", "given_cards")),
        ["51 s2 claims.suivi_first !", "52 s2 claims.given_stay !"],
    ),
    (
        PT[0],
        claimed("seen", ("4", "takes_cards"), ("6", "suivi")),
        [
            *("51 s2 claims.suivi_first !", "53 s1 claims.taken_come_back !"),
            "51 open claims.suivi_in_hand_good !",
        ],
    ),
    (
        PT[0],
        claimed("announced", ("4", "takes_cards"), ("6", "suivi")),
        ["51 s2 claims.suivi_first !", "53 s2 claims.taken_stay !"],
    ),
    (
        SANREMO,
        claimed("touched", ("6", "suivi"), ("4", "given_cards")),
        ["90 s1 claims.suivi_first !", "91 claims.given_come_back !"],
    ),
    (
        SANREMO,
        claimed("seen", ("6", "suivi"), ("4", "given_cards")),
        ["90 s1 claims.suivi_first !", "91 claims.given_stay !", "91 s2 claims.no_protest !"],
    ),
    (
        SANREMO,
        claimed("touched", ("4", "given_cards"), ("6", "suivi"), consents=True),
        ["90 s1 claims.suivi_first !", "90 s2 claims.late_suivi_consents !"],
    ),
    (
        SANREMO,
        claimed("touched", ("4", "given_cards"), ("6", "suivi")),
        ["90 s1 claims.suivi_first !", "90 s2 claims.late_suivi_refuses !"],
    ),
    (
        SANREMO,
        claimed("seen", ("4", "given_cards"), ("6", "suivi")),
        ["90 s1 claims.suivi_first !", "90 s2 claims.late_suivi_seen !"],
    ),
    (
        SANREMO,
        claimed("seen", ("2", "banco"), ("4", "given_cards")),
        ["51 s1 claims.largest_seated", "136 s3 claims.withheld_void !"],
    ),
    (
        SANREMO,
        claimed("seen", ("2", "banco"), ("4", "given_cards")) | {"stakes": stakes(p2=1000)},
        ["42 s2 claims.seated_order", "136 s3 claims.withheld_plays !", "136 s4 claims.withheld_seen_stay !"],
    ),
    (
        SANREMO,
        {
            "calls": says(("2", "banco"), ("6", "suivi")),
            "incident": {
                "kind": "stake_invited",
                "lost": "6",
                "lost_by": "banco",
                "owner": "6",
                "player": "4",
                "amount": 10,
            },
        },
        ["43 s2 claims.no_company_with_rivals !"],
    ),
]


@pytest.mark.parametrize(("book", "facts", "expected"), EXPLAINED)
def test_the_reasoning_cites_what_decides_and_nothing_else(
    book: str, facts: dict[str, Any], expected: list[str]
) -> None:
    """Each line: the article, the sentence, and a mark where the case turns on it."""
    steps = rulebook(book).rule(situation(**facts)).steps
    assert [f"{step.cite} {step.text}" + " !" * step.pivot for step in steps] == expected
