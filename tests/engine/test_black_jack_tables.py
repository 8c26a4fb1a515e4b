"""Tables of a house at black jack: what the law refuses, sums that chips can pay, and cases from before."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine import decode, encode, generate, rulebook, topics
from rules_engine.games.black_jack.books import BJ
from rules_engine.narration import narrate
from rules_engine.remarks import remarks
from rules_engine.scenario import scenario_of
from rules_engine.tables import Limit, Table, UnfitTable
from tests.engine.chips import sums
from tests.samples import sample

BOOK = rulebook(BJ)
TEN = BOOK.usual_tables[0]


def refused(**settings: Any) -> str:
    """The article that does not allow these settings; empty if they are allowed."""
    try:
        BOOK.game.check_table(replace(TEN, **settings), BOOK)
    except UnfitTable as error:
        assert error.cite
        return error.cite
    return ""


@pytest.mark.parametrize("table", BOOK.tables, ids=lambda table: table.name)
def test_every_table_that_is_offered_is_lawful(table: Table) -> None:
    BOOK.game.check_table(table, BOOK)


def test_historical_tables_are_in_escudos_and_used_only_if_chosen() -> None:
    old = [table for table in BOOK.tables if table.historical]
    assert [(table.minimum, table.currency) for table in old] == [(500, "PTE"), (1_000, "PTE"), (2_000, "PTE")]
    assert {table.currency for table in BOOK.usual_tables} == {"EUR"} and len(BOOK.usual_tables) == 3


@pytest.mark.parametrize(("seats", "cite"), [(0, "2 s2"), (5, "2 s2"), (6, ""), (7, ""), (8, "2 s2")])
def test_v_2_six_or_seven_seats(seats: int, cite: str) -> None:
    assert refused(seats=seats) == cite


@pytest.mark.parametrize(("packs", "cite"), [(0, "3"), (3, "3"), (4, ""), (5, "3"), (6, ""), (7, "3"), (8, "3")])
def test_v_3_four_or_six_packs(packs: int, cite: str) -> None:
    assert refused(packs=packs) == cite


@pytest.mark.parametrize(("maximum", "cite"), [(0, ""), (290, "37"), (299, "37"), (300, ""), (301, "37"), (310, "37")])
def test_v_37_the_largest_bet_is_thirty_times_the_least(maximum: int, cite: str) -> None:
    assert refused(limits=(Limit("bet", maximum=maximum),)) == cite


@pytest.mark.parametrize(
    ("limit", "cite"),
    [
        (Limit("bet", minimum=9), "14"),
        (Limit("bet", minimum=10, step=10), ""),
        (Limit("bet", minimum=11), "14"),
        (Limit("bet", step=5), "14"),
        (Limit("bet", step=20), "14"),
    ],
)
def test_v_14_bets_are_multiples_of_the_least(limit: Limit, cite: str) -> None:
    assert refused(limits=(limit,)) == cite


@pytest.mark.parametrize(("minimum", "cite"), [(5, "36 s1"), (10, ""), (15, "36 s1"), (20, ""), (25, "36 s1")])
def test_v_36_half_of_the_least_bet_can_be_paid(minimum: int, cite: str) -> None:
    assert refused(minimum=minimum) == cite


def test_only_bets_have_a_limit() -> None:
    with pytest.raises(UnfitTable, match="no limit of that kind"):
        BOOK.game.check_table(replace(TEN, limits=(Limit("insurance", maximum=100),)), BOOK)


@pytest.mark.parametrize("table", BOOK.tables, ids=lambda table: table.name)
@pytest.mark.parametrize("topic", topics(BJ))
def test_every_sum_can_be_paid_in_the_chips_of_the_table(topic: str, table: Table) -> None:
    for seed in range(sample(5, 60)):
        scenario = generate(BJ, topic, f"chips {seed}", 1 + seed % 5, table=table)
        facts: Any = scenario.situation
        assert (facts.minimum, facts.places, facts.packs) == (table.minimum, table.seats, table.packs)
        assert [amount for amount in sums(scenario) if amount % table.values[-1]] == []
        assert [remark for remark in remarks(facts, scenario.book) if remark.id in ("bet_off", "seat_over")] == []


@pytest.mark.parametrize("table", BOOK.tables, ids=lambda table: table.name)
def test_the_story_is_told_in_the_money_of_the_table(table: Table) -> None:
    scenario = generate(BJ, "bets", 1, table=table)
    told = " ".join(narrate(scenario.situation, scenario.book, "en"))
    assert ("€" in told) == (table.currency == "EUR")


def test_a_case_from_before_there_were_tables_is_told_and_ruled_in_escudos() -> None:
    case = {
        "seats": [1, 2],
        "minimum": 1_000,
        "hands": [{"seat": 2, "cards": ["As", "Kd"]}],
        "bets": [{"player": "2", "seat": 2, "amount": 3_000}],
        "bank_cards": ["9d", "8c"],
        "incident": {"kind": "coup_over"},
    }
    old = scenario_of(BOOK.read(case), BOOK, topic="payout")
    again = decode(encode(old))
    assert b'"table"' not in encode(old)
    assert again.solve()["prize.2"] == 4_500
    assert "€" not in " ".join(narrate(again.situation, again.book, "pt"))
