"""Claims to the cards: what the texts leave open, what cannot be, and that generated tables ask what they promise."""

from typing import Any

import pytest

from rules_engine import rulebook
from rules_engine.cases import Case
from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import ClaimsOpen
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.narration import languages_of, narrate, reason

CLAIMS = [case for case in GAME.cases if ".claims." in case.make.__module__]
PROMISES = [(case, book) for case in CLAIMS for book in case.turns_on]


def situation(**facts: Any) -> Situation:
    table = {"seats": [1, 2, 3, 4, 5, 6], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10}
    return GAME.read(table | {"incident": {"kind": "claims_open"}} | facts)


def says(*calls: tuple[str, str]) -> list[dict[str, str]]:
    return [{"by": by, "says": words} for by, words in calls]


def stakes(**amounts: int) -> list[dict[str, Any]]:
    return [{"player": place.removeprefix("p"), "amount": amount} for place, amount in amounts.items()]


def generated(case: Case, book: str, count: int = 4) -> list[Any]:
    return [
        case.make(Draw("claims", case.name, book, seed, difficulty), rulebook(book), difficulty)
        for difficulty in range(1, 6)
        for seed in range(count)
    ]


@pytest.mark.parametrize(("case", "book"), PROMISES, ids=[f"{case.name}-{book}" for case, book in PROMISES])
def test_every_table_turns_on_the_articles_it_is_made_for(case: Case, book: str) -> None:
    for table in generated(case, book):
        ruling = rulebook(book).rule(table)
        assert set(case.turns_on[book]) <= set(ruling.pivots)


@pytest.mark.parametrize(("case", "book"), PROMISES, ids=[f"{case.name}-{book}" for case, book in PROMISES])
def test_every_table_is_told_in_the_languages_of_its_rulebook(case: Case, book: str) -> None:
    for table in generated(case, book, count=1):
        ruling = rulebook(book).rule(table)
        for language in languages_of(rulebook(book)):
            assert all(narrate(table, rulebook(book), language))
            for step in ruling.steps:
                assert GAME.words.has(f"step.{step.text}", language)
                assert "{" not in reason(step, rulebook(book), language)


@pytest.mark.parametrize(("case", "book"), PROMISES, ids=[f"{case.name}-{book}" for case, book in PROMISES])
def test_harder_tables_are_not_the_easy_ones_again(case: Case, book: str) -> None:
    easy = [case.make(Draw("levels", seed), rulebook(book), 1) for seed in range(12)]
    hard = [case.make(Draw("levels", seed), rulebook(book), 5) for seed in range(12)]
    fewer, more = ([seat for table in tables for seat in table.seats] for tables in (easy, hard))
    assert len(fewer) < len(more)


OPEN_QUESTIONS: dict[str, tuple[str, dict[str, Any], str]] = {
    "beside the standing only a beginner has staked in Portugal (60, 101)": (
        PT[0],
        {
            "standing": ["3a"],
            "stakes": stakes(p3a=300, p4=100),
            "incident": {"kind": "claims_open", "cannot_play": ["4"]},
        },
        "none who may have them has staked",
    ),
    "suivi on a bancô that was no suivi, against a passed bank (54)": (
        PT[0],
        {
            "calls": says(("4", "suivi")),
            "incident": {
                "kind": "claims_open",
                "lost": "4",
                "lost_by": "banco",
                "passed_by": "2",
                "passed_after": "win",
            },
        },
        "already played suivi",
    ),
    "moved ahead against a standing player (92)": (
        PT[0],
        {
            "standing": ["3a"],
            "calls": says(("3a", "banco"), ("2", "banco")),
            "incident": {"kind": "claims_open", "moved_ahead": ["2"]},
        },
        "does not rank players without priority",
    ),
    "two who moved ahead (92)": (
        PT[0],
        {
            "calls": says(("3", "banco"), ("2", "banco")),
            "incident": {"kind": "claims_open", "moved_ahead": ["2", "3"]},
        },
        "does not rank players without priority",
    ),
    "cards passed to a lower stake in Portugal": (
        PT[0],
        {
            "stakes": stakes(p2=300, p4=400),
            "calls": says(("2", "given_cards")),
            "incident": {"kind": "cards_elsewhere", "handled": "seen"},
        },
        "only of cards that a player with suivi claims",
    ),
    "a standing stake between the slow ponto and the next seated one (105 e)": (
        PT[0],
        {
            "standing": ["3a"],
            "holder": "4",
            "claim": "stake",
            "stakes": stakes(p4=400, p3a=300, p5=200),
            "incident": {"kind": "ponto_keeps_delaying"},
        },
        "whether a standing player's stake is the next",
    ),
    "a standing stake equal to the slow ponto's (105 e)": (
        PT[0],
        {
            "standing": ["3a"],
            "holder": "4",
            "claim": "stake",
            "stakes": stakes(p4=400, p3a=400, p5=200),
            "incident": {"kind": "ponto_keeps_delaying"},
        },
        "whether a standing player's stake is the next",
    ),
    "no other stake to pass the cards to (105 e)": (
        PT[0],
        {
            "holder": "4",
            "claim": "stake",
            "stakes": stakes(p4=400),
            "incident": {"kind": "ponto_keeps_delaying"},
        },
        "there is none",
    ),
    "suivi against a passed bank at Sanremo": (
        SANREMO,
        {
            "calls": says(("4", "suivi")),
            "incident": {
                "kind": "claims_open",
                "lost": "4",
                "lost_by": "suivi",
                "passed_by": "2",
                "passed_after": "win",
            },
        },
        "whether suivi follows a passed bank",
    ),
    "bancô after the close at Sanremo (93)": (
        SANREMO,
        {"calls": says(("croupier", "closed"), ("4", "banco"))},
        "for the banker to accept or not",
    ),
    "after the close with the bank covered (93)": (
        SANREMO,
        {
            "stakes": stakes(p2=1000),
            "calls": says(("croupier", "closed"), ("4", "banco")),
            "incident": {"kind": "banker_answers_banco", "wish": "accept"},
        },
        "only of a bank not yet covered",
    ),
    "passed after a tie without having bought the bank (105)": (
        SANREMO,
        {
            "stakes": stakes(p2=1000),
            "calls": says(("2", "banco")),
            "incident": {"kind": "claims_open", "passed_by": "2", "passed_after": "tie"},
        },
        "only if he had bought the bank",
    ),
    "half the bank down in silence, standing (47 and 115)": (
        SANREMO,
        {"standing": ["3a"], "stakes": stakes(p3a=500, p4=200)},
        "47 and 115 disagree",
    ),
    "only players who may not have the cards have staked (112)": (
        SANREMO,
        {"stakes": stakes(p3=500, p4=200), "incident": {"kind": "claims_open", "cannot_play": ["3", "4"]}},
        "nobody who staked may have them",
    ),
    "no stake at all": (SANREMO, {}, "nobody has staked"),
    "late suivi on cards not yet touched (90)": (
        SANREMO,
        {
            "stakes": stakes(p4=400),
            "calls": says(("4", "given_cards"), ("6", "suivi")),
            "incident": {"kind": "cards_elsewhere", "lost": "6", "lost_by": "banco", "handled": "untouched"},
        },
        "once the other ponto has touched the cards",
    ),
    "less than the doubled stake (100)": (
        SANREMO,
        {
            "calls": says(("2", "banco"), ("6", "suivi")),
            "incident": {
                "kind": "stake_invited",
                "lost": "6",
                "lost_by": "banco",
                "owner": "6",
                "player": "4",
                "amount": 190,
                "lost_with": 100,
            },
        },
        "does not speak of a smaller one",
    ),
}


@pytest.mark.parametrize("name", OPEN_QUESTIONS)
def test_what_a_text_leaves_open_is_refused_with_the_reason(name: str) -> None:
    book, facts, reason_given = OPEN_QUESTIONS[name]
    with pytest.raises(NotRegulated, match=reason_given):
        rulebook(book).rule(situation(**facts))


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "incident.lost": {"lost": "3"},
    "incident.since": {"since": ["tie"]},
    "incident.passed_by": {"passed_by": "3"},
    "incident.bought": {"bought": True},
    "incident.partner": {"partner": "1"},
    "incident.cannot_play": {"cannot_play": ["9"]},
}


@pytest.mark.parametrize("fact", IMPOSSIBLE)
def test_facts_that_cannot_be_at_a_table_are_named(fact: str) -> None:
    with pytest.raises(ImpossibleFacts) as refused:
        situation(incident={"kind": "claims_open"} | IMPOSSIBLE[fact])
    assert refused.value.fact == fact


def test_pt_cdf_56_s2_the_call_is_only_repeated_when_the_standing_player_came_after() -> None:
    calls = says(("6", "banco_table"), ("2a", "banco_table"))
    ruling = rulebook(PT[0]).rule(situation(standing=["2a"], stakes=stakes(p6=500, p2a=500), calls=calls))
    assert ruling["cards_to"] == "6"
    assert rulebook(PT[0]).say(ruling["announcement"]) == "Bancô com a mesa"


def test_pt_cdf_56_s5_it_is_a_plain_banco_when_the_seated_player_went_alone_first() -> None:
    calls = says(("2a", "banco_table"), ("6", "banco_table"), ("5", "banco_alone"), ("2a", "banco_alone"))
    ruling = rulebook(PT[0]).rule(situation(standing=["2a"], calls=calls))
    assert ruling["cards_to"] == "5"
    assert "56 s4" in ruling.cites
    assert rulebook(PT[0]).say(ruling["announcement"]) == "Bancô"


def test_pt_cdf_92_s2_order_is_not_asked_where_the_text_does_not_rank_everybody() -> None:
    calls = says(("2", "banco"), ("5", "banco"), ("3a", "banco"))
    incident = {"kind": "claims_open", "moved_ahead": ["2"]}
    ruling = rulebook(PT[0]).rule(situation(standing=["3a"], calls=calls, incident=incident))
    assert ruling["cards_to"] == "5"
    assert ruling.get("priority") is None


def test_the_same_calls_divide_portugal_and_sanremo_after_a_tie() -> None:
    incident = {"kind": "claims_open", "passed_by": "2", "passed_after": "tie", "bought": True}
    table = situation(stakes=stakes(p2=1000, p5=1000), calls=says(("2", "banco"), ("5", "banco")), incident=incident)
    assert rulebook(PT[0]).rule(table)["cards_to"] == "5"
    assert rulebook(SANREMO).rule(table)["cards_to"] == "2"


def test_the_narration_tells_every_condition_a_claim_depends_on() -> None:
    incident = ClaimsOpen(
        lost="2",
        lost_by="banco",
        since=("tie", "win"),
        passed_by="3",
        passed_after="win",
        moved_ahead=("4",),
        cannot_play=("5",),
        by_rule=("6",),
        partner="3",
    )
    told = [sentence for sentence, _ in incident.narration()]
    assert told == [
        "incident.claims_earlier_banco",
        "incident.claims_since_win",
        "incident.claims_passed_win",
        "incident.claims_moved_ahead",
        "incident.claims_cannot_play",
        "incident.claims_by_rule",
        "incident.claims_partner",
        "incident.claims_open",
    ]


def test_pt_cdf_56_s1_names_who_was_displaced() -> None:
    table = situation(
        standing=["3a", "5a"],
        stakes=stakes(p2=500, p3a=500, p5a=500),
        calls=says(("3a", "banco_table"), ("5a", "banco_table"), ("2", "banco_table")),
    )
    step = next(step for step in rulebook(PT[0]).rule(table).steps if step.cite == "56 s1")
    assert step.values == {"who": "2", "other": "5a"}


@pytest.mark.parametrize(("others", "most"), [({}, 0), ({"p2": 300, "p3": 200}, 300)])
def test_sanremo_92_s2_names_the_largest_stake_of_the_others(others: dict[str, int], most: int) -> None:
    incident = {"kind": "suivi_on_raised_bank", "lost": "6", "lost_by": "banco", "lost_sum": 300, "play": 600}
    incident["accepted"] = True
    table = situation(stakes=stakes(p6=600, **others), calls=says(("6", "suivi")), incident=incident)
    step = next(step for step in rulebook(SANREMO).rule(table).steps if step.cite == "92 s2")
    assert step.values == {"who": "6", "left": 400, "most": most}


def test_the_order_of_a_single_caller_is_himself_and_of_several_tempts_with_the_order_of_speaking() -> None:
    alone = rulebook(PT[0]).rule(situation(calls=says(("5", "banco"))))
    assert alone["priority"] == ("5",)
    several = rulebook(PT[0]).rule(situation(calls=says(("4", "banco"), ("2", "banco"), ("6", "banco"))))
    order = next(decision for decision in several.decisions if decision.key == "priority")
    assert order.value == ("2", "4", "6")
    assert order.tempting == (("4", "2", "6"), ("6", "4", "2"))


def test_the_reasoning_names_who_has_the_cards_among_equals_and_before_a_completer() -> None:
    table = situation(stakes=stakes(p5=300, p2=300, p4=200), calls=says(("4", "completes")))
    named = {step.cite: step.values for step in rulebook(SANREMO).rule(table).steps}
    assert named["51 s2"] == {"others": ("2", "5"), "stake": 300, "who": "2", "banker": "1"}
    assert named["52 s2"] == {"who": "4", "holder": "2"}
