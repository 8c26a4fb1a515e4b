"""The bank changing hands: what golden cases cannot say (words heard, questions left open, promises of generators)."""

from typing import Any

import pytest

from rules_engine import rulebook
from rules_engine.announcements import hear
from rules_engine.compare import compare
from rules_engine.errors import EngineError, NotRegulated
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.narration import narrate
from rules_engine.ruling import Utterance
from rules_engine.scenario import generate

TABLE = {"seats": [1, 2, 3, 4, 5, 6], "standing": ["5a"], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10}


def situation(incident: dict[str, Any], **facts: Any) -> Situation:
    return GAME.read(TABLE | facts | {"incident": incident})


@pytest.mark.parametrize(
    ("expected", "said", "problem"),
    [
        ("hand_passes", "A mão passa.", ""),
        ("hand_passes", "A mão passa por abandono", "heard.wrong_moment"),
        ("hand_abandoned", "a mao passa por abandono", ""),
        ("hand_abandoned", "A mão passa", ""),
        ("hand_abandoned", "A mão salta", "heard.wrong_moment"),
        ("hand_stays", "A mão fica", ""),
        ("auction_opens", "Banca em leilão, quem oferece?", ""),
    ],
)
def test_pt_cdf_96_c_words_about_the_hand(expected: str, said: str, problem: str) -> None:
    """After a loss only the short form; when the hand is given up 77 and 96 c give two forms, both good."""
    assert hear(rulebook(PT[0]).formulas, Utterance(expected), said, ["pt"]).problem == problem


@pytest.mark.parametrize("book", PT)
def test_pt_cdf_96_c_award_is_heard_with_its_sum(book: str) -> None:
    award = Utterance("bank_awarded", {"amount": 1200})
    formulas = rulebook(book).formulas
    assert hear(formulas, award, "Banca de mil e duzentos, adjudicada", ["pt"]).ok
    assert hear(formulas, award, "Banca de 1 300, adjudicada", ["pt"]).problem == "heard.wrong_slot"


@pytest.mark.parametrize("said", ["Preso", "visto!"])
def test_sanremo_89_s1_either_word_takes_the_hand(said: str) -> None:
    assert hear(rulebook(SANREMO).formulas, Utterance("hand_taken"), said, ["it"]).ok


OPEN = [
    (SANREMO, "was taken over and lost", {"kind": "coup_over", "result": "lost", "regular": "3"}, {}),
    (PT[0], "only of a buyer", {"kind": "asks_to_pass", "acquired": "level"}, {}),
    (SANREMO, "later ties", {"kind": "asks_to_pass", "acquired": "level", "coups": ["tie", "tie"]}, {}),
    (SANREMO, "no right to pass", {"kind": "passes_bank", "regular": "1", "coups": ["tie"]}, {}),
    (
        PT[0],
        "lets the hand go and changes his mind",
        {"kind": "hand_offered", "regular": "1"},
        {"calls": [{"by": "2", "says": "let_go"}, {"by": "2", "says": "take"}]},
    ),
    (PT[0], "the house must have fixed", {"kind": "auction_opens"}, {}),
    (PT[0], "who follows a standing banker", {"kind": "auction_unsold", "regular": "2"}, {"banker": "5a"}),
    (
        PT[0],
        "partner only when the hand was passed after a win",
        {"kind": "auction_ends", "regular": "1", "after": "tie", "partner": "3"},
        {"calls": [{"by": "3", "says": "bid", "amount": 100}]},
    ),
    (
        SANREMO,
        "no second auction",
        {"kind": "auction_ends", "regular": "1", "refuser": "3"},
        {"calls": [{"by": "2", "says": "bid", "amount": 100}]},
    ),
    (
        PT[0],
        "counts as unsold",
        {"kind": "auction_ends", "regular": "1"},
        {"calls": [{"by": "1", "says": "bid", "amount": 100}]},
    ),
    (
        PT[0],
        "partner only when the hand was passed after a win",
        {
            "kind": "former_banker",
            "player": "3",
            "part": "partner",
            "coups": ["tie"],
            "now": "own_auction",
            "asks": "bid",
        },
        {},
    ),
    (PT[0], "awarded at auction", {"kind": "buyer_wont_deal", "passer": "2", "acquired": "level"}, {}),
    (PT[0], "two partners", {"kind": "partner_joins", "player": "2", "adds": 1000, "already": "3"}, {}),
    (
        PT[0],
        "says nothing of joining",
        {"kind": "joins_buyer", "acquired": "auction", "player": "2", "who": "passer", "adds": 1000},
        {},
    ),
    (
        SANREMO,
        "may add less than the bank",
        {"kind": "joins_buyer", "acquired": "level", "player": "2", "adds": 900},
        {},
    ),
]


@pytest.mark.parametrize(("book", "reason", "incident", "facts"), OPEN)
def test_what_a_text_leaves_open_is_not_ruled_on(
    book: str, reason: str, incident: dict[str, Any], facts: dict[str, Any]
) -> None:
    with pytest.raises(NotRegulated, match=reason):
        rulebook(book).rule(situation(incident, **facts))


IMPOSSIBLE = [
    ("incident.regular: a standing banker", {"kind": "coup_over", "result": "lost"}, {"banker": "5a"}),
    ("incident.regular: nobody is at 9", {"kind": "coup_over", "result": "lost", "regular": "9"}, {}),
    ("incident.regular: 5a is a standing place", {"kind": "auction_unsold", "regular": "5a"}, {}),
    ("incident.coups: a hand is passed", {"kind": "passes_bank", "regular": "1", "coups": []}, {}),
    (
        "incident.price: only a hand",
        {"kind": "passes_bank", "regular": "1", "coups": ["tie"], "price": 100},
        {},
    ),
    ("incident.step: the house fixes both", {"kind": "auction_opens", "base": 100}, {}),
    ("calls: the last call", {"kind": "bid_made"}, {}),
    ("calls: an auction that ends", {"kind": "auction_ends", "regular": "1"}, {}),
    ("incident.mover: the hand does not reach", {"kind": "moved_seat", "mover": "4", "left": 6}, {}),
    ("incident.left: he must have left", {"kind": "moved_seat", "mover": "2", "left": 1}, {}),
    ("incident.second: two different", {"kind": "seats_swapped", "first": "2", "second": "1", "consent": True}, {}),
    ("incident.player: a partner must be", {"kind": "partner_joins", "player": "1", "adds": 1000}, {}),
    ("incident.consent: there is no partner", {"kind": "raises_bank", "adds": 10, "consent": True}, {}),
    (
        "incident.amount: equal shares",
        {"kind": "partner_acts", "partner": "2", "act": "draw", "result": "won", "amount": 5},
        {},
    ),
    ("holder: one player must hold", {"kind": "banco_partner", "partner": "2", "seen": 0}, {}),
    ("calls: the banker must have declared", {"kind": "refuses_coup"}, {}),
    ("incident.whom: the rule on taking", {"kind": "acts_for", "player": "2", "act": "take", "whom": "3"}, {}),
]


@pytest.mark.parametrize(("reason", "incident", "facts"), IMPOSSIBLE)
def test_facts_that_cannot_be_are_refused_by_name(reason: str, incident: dict[str, Any], facts: dict[str, Any]) -> None:
    with pytest.raises(EngineError, match=reason):
        situation(incident, **facts)


def bids(*pairs: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"by": player, "says": "bid", "amount": amount} for player, amount in pairs]


AUCTION = {"kind": "auction_ends", "regular": "1"}
FORMER = {"kind": "former_banker", "player": "3", "coups": ["won"], "now": "successor_passed", "asks": "bid"}
TURNS_ON = [
    (PT[0], AUCTION, {"calls": bids(("2", 100), ("3", 200))}, ["83 highest_bid"]),
    (PT[0], AUCTION, {"calls": bids(("2", 200), ("3", 200))}, ["84 s1 equal_nearest"]),
    (PT[0], AUCTION, {"calls": bids(("5a", 200), ("3", 200))}, ["83 equal_seated_first"]),
    (PT[0], AUCTION, {"calls": bids(("2", 100), ("1", 200))}, ["86 barred_passer", "83 highest_bid"]),
    (
        PT[0],
        AUCTION | {"partner": "3", "first_coup": True},
        {"calls": bids(("2", 100), ("3", 200))},
        ["86 barred_partner", "83 highest_bid"],
    ),
    (PT[0], FORMER, {}, ["86 later_auction_open"]),
    (PT[0], FORMER | {"acquired": "auction", "coups": ["won", "won"]}, {}, ["86 later_auction_open"]),
    (
        PT[0],
        FORMER | {"player": "1", "now": "own_auction", "acquired": "auction"},
        {},
        ["86 own_auction_closed", "90 barred_first_coup"],
    ),
    (PT[0], FORMER | {"part": "partner", "now": "own_auction"}, {}, ["86 own_auction_closed"]),
    (SANREMO, FORMER, {}, ["103 s1 rights_regained", "84 s2 may_bid_again"]),
    (SANREMO, FORMER | {"asks": "take"}, {}, ["103 s1 rights_regained"]),
    (SANREMO, FORMER | {"asks": "take", "acquired": "level", "part": "partner"}, {}, ["103 s1 rights_regained"]),
    (
        SANREMO,
        FORMER | {"asks": "take", "acquired": "level"},
        {},
        ["103 s1 rights_regained", "98 bought_rights_regained"],
    ),
    (
        SANREMO,
        {"kind": "buyer_wont_deal", "passer": "3", "acquired": "level"},
        {"stakes": [{"player": "2", "amount": 200}]},
        ["106 s1 buyer_deals_or_leaves", "106 s2 enough_staked"],
    ),
    (
        SANREMO,
        {"kind": "buyer_wont_deal", "passer": "3", "acquired": "level"},
        {"stakes": [{"player": "2", "amount": 190}]},
        ["106 s1 buyer_deals_or_leaves", "106 s2 too_little_staked", "106 s3 offered_again"],
    ),
    (SANREMO, {"kind": "coup_over", "result": "lost"}, {}, ["14 lost_passes"]),
    (SANREMO, {"kind": "coup_over", "result": "tie", "shoe_ends": True}, {}, ["14 stays_until_loss"]),
    (
        PT[0],
        {"kind": "hand_offered", "regular": "1"},
        {"calls": [{"by": "2", "says": "take"}]},
        ["78 first_of_takers"],
    ),
    (
        PT[0],
        {"kind": "hand_offered", "regular": "1"},
        {"banker": "5a", "calls": [{"by": "2", "says": "take"}]},
        ["79 offered_from_regular"],
    ),
    (
        PT[0],
        {"kind": "joins_buyer", "acquired": "auction", "player": "2", "adds": 1000},
        {},
        ["31 s1 partner_doubles"],
    ),
    (
        PT[0],
        {"kind": "joins_buyer", "acquired": "auction", "player": "2", "adds": 1000, "agreed_before": True},
        {},
        ["87 s1 joint_bid_equal"],
    ),
    (
        SANREMO,
        {"kind": "bank_out_of_turn", "previous": "3", "stage": "tied"},
        {},
        ["135 s1 shoe_returns_tied", "14 goes_right"],
    ),
    (
        SANREMO,
        {"kind": "bank_out_of_turn", "previous": "3", "stage": "not_begun"},
        {},
        ["135 s1 shoe_returns_not_begun", "14 goes_right"],
    ),
    (
        SANREMO,
        {"kind": "hand_offered", "regular": "1"},
        {"calls": [{"by": "2", "says": "take"}]},
        ["88 s2 palette_order"],
    ),
    (
        SANREMO,
        {"kind": "hand_offered", "regular": "1"},
        {"banker": "5a", "calls": [{"by": "2", "says": "take"}]},
        ["88 s2 palette_order_initial"],
    ),
]


@pytest.mark.parametrize(("book", "incident", "facts", "pivots"), TURNS_ON)
def test_a_ruling_turns_on_its_articles_and_on_no_other(
    book: str, incident: dict[str, Any], facts: dict[str, Any], pivots: list[str]
) -> None:
    steps = rulebook(book).rule(situation(incident, **facts)).steps
    assert [f"{step.cite} {step.text.removeprefix('bank.')}" for step in steps if step.pivot] == pivots


def test_a_hand_taken_over_is_told_with_its_price_and_one_in_turn_is_not() -> None:
    own = {"kind": "passes_bank", "regular": "1", "coups": ["tie"]}
    bought = own | {"regular": "3", "acquired": "auction", "price": 400}
    told = [narrate(situation(incident), rulebook(SANREMO), "en") for incident in (own, bought)]
    assert [any("€400" in line and "seat 3" in line for line in lines) for lines in told] == [False, True]


def test_sanremo_89_s2_of_two_who_repent_the_nearer_has_it() -> None:
    calls = [{"by": player, "says": says} for player, says in (("2", "let_go"), ("4", "let_go"), ("4", "take"))]
    ruling = rulebook(SANREMO).rule(
        situation({"kind": "hand_offered", "regular": "1"}, calls=[*calls, {"by": "2", "says": "take"}])
    )
    assert ruling["bank_to"] == "2"
    assert ruling.steps[0].values == {"player": "2"}


def test_compare_joint_bid_is_good_in_portugal_and_void_in_sanremo() -> None:
    calls = [{"by": "3", "says": "bid", "amount": 200}, {"by": "5", "says": "bid", "amount": 300}]
    found = compare(situation({"kind": "auction_ends", "regular": "1", "joint": [["5", "6"]]}, calls=calls))
    assert found.rulings[PT[0]]["bank_to"] == "5"
    assert found.rulings[SANREMO]["bank_to"] == "3"
    assert {"bank_to", "bank_amount"} <= set(found.differing)


def test_compare_unsold_hand_follows_the_passer_or_the_initial_hand() -> None:
    found = compare(situation({"kind": "auction_unsold", "regular": "3"}))
    assert (found.rulings[PT[0]]["bank_to"], found.rulings[SANREMO]["bank_to"]) == ("2", "4")


@pytest.mark.parametrize("article", ["91 s1", "82", "84 s2", "89 s1"])
def test_pt_cdf_1995_generates_in_escudos_at_its_table_with_the_same_ruling(article: str) -> None:
    (historical,) = [table for table in rulebook(PT[1]).tables if table.historical]
    for seed in range(10):
        scenario = generate(PT[1], None, seed, 3, article=article, table=historical)
        assert (scenario.situation.minimum, scenario.book.currency) == (20_000, "PTE")
        assert rulebook(PT[0]).rule(scenario.situation).decisions == scenario.solve().decisions


@pytest.mark.parametrize("article", ["106 s2", "72 b"])
def test_sanremo_harder_scenarios_reach_the_exact_limit(article: str) -> None:
    """From the middle level on the sum in question is sometimes exactly the limit and sometimes one unit away."""
    seen = set()
    for seed in range(80):
        s = generate(SANREMO, None, seed, 3, article=article).situation
        sum_at_stake = sum(stake.amount for stake in s.stakes) if article == "106 s2" else s.incident.puts_up
        seen.add((sum_at_stake - 2 * s.minimum) // s.unit)
    assert {0, -1} <= seen


@pytest.mark.parametrize(("staked", "offered"), [(190, "2"), (200, None), (210, None)])
def test_it_cdf_106_only_a_hand_that_may_be_given_up_is_offered_again(staked: int, offered: str | None) -> None:
    incident = {"kind": "buyer_wont_deal", "passer": "3", "acquired": "level"}
    ruling = rulebook(SANREMO).rule(situation(incident, stakes=[{"player": "4", "amount": staked}]))
    assert ruling.get("offer_first") == offered


def test_it_cdf_105_a_bank_raised_after_the_tie_is_told_as_raised() -> None:
    incident = {"kind": "passes_bank", "regular": "3", "acquired": "level", "coups": ["tie"], "price": 800}
    told = narrate(situation(incident), rulebook(SANREMO), "it")
    assert "Dopo la parità ha fatto un'aggiunta al banco." in told
    assert "Dopo la parità ha fatto un'aggiunta al banco." not in narrate(
        situation(incident | {"price": 1000}), rulebook(SANREMO), "it"
    )
