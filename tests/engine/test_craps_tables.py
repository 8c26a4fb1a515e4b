"""Tables of a house at craps: what the law refuses, sums that can be paid in their chips, and cases from before."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine import decode, encode, generate, rulebook, topics
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.chips import most, unit, worths
from rules_engine.games.craps.layout import BOXES, CHANCES, LIMITS
from rules_engine.games.craps.settlement import price, prize_of
from rules_engine.narration import narrate
from rules_engine.remarks import remarks
from rules_engine.ruling import Adopted
from rules_engine.scenario import scenario_of
from rules_engine.tables import Chip, Limit, Table, UnfitTable
from tests.engine.chips import sums
from tests.samples import sample

BOOK = rulebook(CRAPS)
FIVE, TEN, TWENTY = BOOK.usual_tables
# A house of its own: no chip is as large as the least bet, and its limits are narrow.
NARROW = Table(
    name="15 €",
    currency="EUR",
    chips=(Chip(1), Chip(5)),
    minimum=15,
    limits=(
        Limit("numbers", minimum=30, maximum=600, step=30),
        Limit("line", maximum=450),
        Limit("others", maximum=30),
    ),
    seats=6,
)


def refused(*limits: Limit) -> str:
    """The article that does not allow these limits; empty if they are allowed."""
    try:
        BOOK.game.check_table(replace(TEN, limits=limits), BOOK)
    except UnfitTable as error:
        assert error.cite
        return error.cite
    return ""


@pytest.mark.parametrize("table", [*BOOK.tables, NARROW], ids=lambda table: table.name)
def test_every_table_that_is_offered_is_lawful(table: Table) -> None:
    BOOK.game.check_table(table, BOOK)


def test_historical_tables_are_in_escudos_and_used_only_if_chosen() -> None:
    old = [table for table in BOOK.tables if table.historical]
    assert [(table.minimum, table.currency) for table in old] == [(500, "PTE"), (1_000, "PTE"), (2_500, "PTE")]
    assert {table.currency for table in BOOK.usual_tables} == {"EUR"}


@pytest.mark.parametrize(("amount", "cite"), [(5, "VI 12 s3"), (10, ""), (15, "VI 12 s3"), (20, ""), (21, "VI 12 s3")])
def test_vi_12_limits_of_numbers_are_multiples_of_the_least_bet(amount: int, cite: str) -> None:
    assert refused(Limit("numbers", minimum=amount)) == refused(Limit("numbers", step=amount)) == cite
    assert refused(Limit("numbers", maximum=100 + amount)) == cite


def test_the_largest_bets_are_left_to_the_house() -> None:
    assert refused(Limit("line", maximum=15), Limit("others", maximum=25, step=5)) == ""


@pytest.mark.parametrize(("limit", "allowed"), [(9, False), (10, True), (11, True)])
def test_no_largest_bet_is_below_the_least(limit: int, allowed: bool) -> None:
    table = replace(TEN, limits=(Limit("line", maximum=limit),))
    if allowed:
        BOOK.game.check_table(table, BOOK)
    else:
        with pytest.raises(UnfitTable, match="less than the least"):
            BOOK.game.check_table(table, BOOK)


@pytest.mark.parametrize(("seats", "allowed"), [(0, False), (5, False), (6, True), (8, True), (20, True)])
def test_there_is_room_for_some_players(seats: int, allowed: bool) -> None:
    if allowed:
        BOOK.game.check_table(replace(TEN, seats=seats), BOOK)
    else:
        with pytest.raises(UnfitTable, match="or more"):
            BOOK.game.check_table(replace(TEN, seats=seats), BOOK)


def test_vi_11_1_odds_have_no_limit_of_the_house() -> None:
    with pytest.raises(UnfitTable, match="no limit of that kind"):
        BOOK.game.check_table(replace(TEN, limits=(Limit("odds", maximum=100),)), BOOK)


@pytest.mark.parametrize("table", [*BOOK.tables, NARROW], ids=lambda table: table.name)
def test_every_price_can_be_paid_by_both_readings(table: Table) -> None:
    house = BOOK.at(table)
    other = house.under({"Q28": Adopted("inverse")})
    for chance in CHANCES:
        for number in BOXES if "odds" in chance or chance in ("to-win", "to-lose") else (0,):
            for value in worths(house):
                stake = value * unit(house, chance, number, value)
                assert stake % table.minimum == 0 and stake // value <= most(house, chance, value)
                for book in (house, other) if number else ():
                    assert prize_of(book, price(book, chance, number), stake) % table.values[-1] == 0


@pytest.mark.parametrize("table", [*BOOK.tables, NARROW], ids=lambda table: table.name)
@pytest.mark.parametrize("topic", topics(CRAPS))
def test_every_sum_can_be_paid_in_the_chips_of_the_table(topic: str, table: Table) -> None:
    for seed in range(sample(5, 60)):
        scenario = generate(CRAPS, topic, f"chips {seed}", 1 + seed % 5, table=table)
        facts: Any = scenario.situation
        assert facts.minimum == table.minimum and max(facts.seats, default=0) <= table.seats
        assert {bet.value for bet in facts.bets} <= set(table.values)
        assert getattr(facts.incident, "value", 0) in (0, *table.values)
        assert [amount for amount in sums(scenario) if amount % table.values[-1]] == []
        assert remarks(facts, scenario.book) == []
        _check_limits(facts, table)


def _check_limits(facts: Any, table: Table) -> None:
    staked: Counter[tuple[str, str]] = Counter()
    for bet in facts.bets:
        staked[bet.player, bet.spot] += bet.amount
        kind = next((name for name, chances in LIMITS.items() if bet.chance in chances), "")
        limit = table.limit(kind)
        assert limit.minimum <= staked[bet.player, bet.spot] <= (limit.maximum or 10**9)


@pytest.mark.parametrize("table", BOOK.tables, ids=lambda table: table.name)
def test_the_story_is_told_in_the_money_of_the_table(table: Table) -> None:
    scenario = generate(CRAPS, "numbers", 1, table=table)
    told = " ".join(narrate(scenario.situation, scenario.book, "en"))
    assert ("€" in told) == (table.currency == "EUR")


def test_a_case_from_before_there_were_tables_is_told_and_ruled_in_escudos() -> None:
    case = {
        "seats": [1, 2],
        "minimum": 500,
        "point": 4,
        "bets": [{"player": "2", "chance": "to-win", "number": 6, "count": 6, "value": 500}],
        "dice": [4, 2],
        "incident": {"kind": "throw_to_pay"},
    }
    old = scenario_of(BOOK.read(case), BOOK, topic="payout")
    again = decode(encode(old))
    assert b'"table"' not in encode(old)
    assert again.solve()["prize.2"] == 3_500
    assert "€" not in " ".join(narrate(again.situation, again.book, "pt"))
