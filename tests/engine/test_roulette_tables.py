"""Roulette at the tables of a house: which tables the law allows, and cases in their chips and limits."""

from itertools import product
from typing import Any

import pytest
from msgspec import structs

from rules_engine import Adopted, Scenario, Table, UnfitTable, decode, encode, generate, rulebook, scenario_from, topics
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.limits import maximum
from rules_engine.games.roulette.table import Bet, Situation
from rules_engine.narration import narrate
from rules_engine.ruling import Utterance
from rules_engine.tables import Chip, Limit, table_from

SHIPPED = [(book, table) for book in (FRENCH, AMERICAN) for table in rulebook(book).tables]
# Cases about the limits themselves, whose chips may be outside them.
ABOUT_LIMITS = ("bet_offered", "value_chosen")


def house_table(**changed: Any) -> Table:
    return structs.replace(rulebook(AMERICAN).usual_tables[1], **changed)


def refused(book: str, table: Table) -> tuple[str, str]:
    """The setting that is refused and the article that does not allow it; empty if the table may be used."""
    try:
        rulebook(book).game.check_table(table, rulebook(book))
    except UnfitTable as error:
        return error.fact, error.cite
    return "", ""


# ---------- what the law allows ----------


@pytest.mark.parametrize(("book", "table"), SHIPPED, ids=lambda one: getattr(one, "name", one))
def test_every_table_on_offer_may_be_used(book: str, table: Table) -> None:
    assert refused(book, table) == ("", "")
    assert table.historical == (table.currency == "PTE")


@pytest.mark.parametrize(("seats", "fact"), [(7, ""), (8, ""), (9, "seats")])
def test_pt_ix_5_at_most_eight_sit_at_american_roulette(seats: int, fact: str) -> None:
    assert refused(AMERICAN, house_table(seats=seats)) == (fact, "IX 5" if fact else "")
    assert refused(FRENCH, house_table(seats=seats)) == ("", "")


@pytest.mark.parametrize(("seats", "fact"), [(4, "seats"), (5, "")])
def test_a_table_has_seats_for_several_winners(seats: int, fact: str) -> None:
    assert refused(FRENCH, house_table(seats=seats)) == (fact, "")


@pytest.mark.parametrize(
    ("bet", "maximum", "cite"),
    [
        *(("straight", sum_, "X 27 s1") for sum_ in (99, 101, 200)),
        *(("simple", sum_, "X 27 s1") for sum_ in (1_799, 1_801)),
        *(("corner", sum_, "X 27 s2") for sum_ in (399, 401)),
        *((bet, sum_, "") for bet, sum_ in (("straight", 100), ("simple", 1_800), ("corner", 400), ("columns", 2_400))),
    ],
)
def test_pt_x_27_the_largest_bet_is_a_fixed_multiple_of_the_least(bet: str, maximum: int, cite: str) -> None:
    table = house_table(minimum=10, limits=(Limit(bet, maximum=maximum),))
    assert refused(FRENCH, table) == ("limits[0].maximum" if cite else "", cite)


@pytest.mark.parametrize(("minimum", "fact"), [(9, "limits[0].minimum"), (10, ""), (11, "limits[0].minimum")])
def test_pt_x_27_the_least_bet_is_that_of_the_table(minimum: int, fact: str) -> None:
    table = house_table(minimum=10, limits=(Limit("dozen", minimum=minimum),))
    assert refused(FRENCH, table) == (fact, "X 27 s1" if fact else "")


@pytest.mark.parametrize(("maximum", "fact"), [(5_999, "limits[0].maximum"), (6_000, ""), (6_001, "limits[0].maximum")])
def test_pt_x_27_a_house_may_read_it_so_that_each_chance_has_its_own_minimum(maximum: int, fact: str) -> None:
    table = house_table(minimum=10, limits=(Limit("dozen", minimum=50, maximum=maximum),))
    book = rulebook(FRENCH).under({"X27": Adopted("each")})
    assert refused(FRENCH, table) == ("limits[0].minimum", "X 27 s1")
    try:
        book.game.check_table(table, book)
    except UnfitTable as error:
        assert (error.fact, error.cite) == (fact, "X 27 s1")
    else:
        assert not fact
        for seed in range(60):
            made = generate(FRENCH, "payout", seed, 1 + seed % 5, table=table, readings=book.readings)
            assert all(bet.amount >= 50 for bet in made.situation.bets if bet.chance == "dozen")


@pytest.mark.parametrize(("minimum", "fits"), [(1, False), (2, True), (3, False), (5, False), (10, True)])
def test_pt_x_20_half_of_the_least_bet_can_be_paid(minimum: int, fits: bool) -> None:
    assert refused(FRENCH, house_table(minimum=minimum)) == (("", "") if fits else ("minimum", "X 20 a-cav24"))


@pytest.mark.parametrize(("chip", "fits"), [(9, False), (10, True), (100, True), (101, False)])
def test_pt_x_27_there_is_a_chip_for_a_straight_up_bet(chip: int, fits: bool) -> None:
    table = house_table(minimum=10, chips=(Chip(1), Chip(chip)))
    assert refused(FRENCH, table) == (("", "") if fits else ("chips", "X 27 s1"))


# ---------- cases at a table ----------


def made(book: str, table: Table, seeds: int) -> list[Scenario]:
    return [
        generate(book, topic, seed, level, table=table)
        for topic, level, seed in product(topics(book), range(1, 6), range(seeds))
    ]


def in_chips(scenario: Scenario, table: Table, player: str, value: int) -> bool:
    """Whether a chip has a face value of the table, or is worth what its player gave it within IX 6."""
    facts = scenario.situation
    assert isinstance(facts, Situation)
    least, most = table.minimum, maximum(scenario.book, "straight", table.minimum)
    own = facts.colour_of(player)
    return value in table.values or (own is not None and own.value == value and least <= value <= most)


def stakes(bets: tuple[Bet, ...]) -> dict[tuple[str, str, str], int]:
    found: dict[tuple[str, str, str], int] = {}
    for bet in bets:
        key = (bet.player, bet.spot, bet.chance)
        found[key] = found.get(key, 0) + bet.amount
    return found


@pytest.mark.parametrize(("book", "table"), SHIPPED, ids=lambda one: getattr(one, "name", one))
def test_cases_are_played_in_the_chips_and_limits_of_the_table(book: str, table: Table) -> None:
    for scenario in made(book, table, 3):
        facts = scenario.situation
        assert isinstance(facts, Situation)
        assert (scenario.table, facts.minimum) == (table, table.minimum)
        kind = structs.asdict(facts.incident) | {"kind": scenario.topic}
        where = (scenario.topic, scenario.difficulty, scenario.seed, kind)
        placed = [(bet.player, bet.value) for bet in facts.bets] + facts.incident.placed()
        assert all(in_chips(scenario, table, *one) for one in placed), where
        for (_player, _spot, chance), amount in stakes(facts.bets).items():
            assert table.minimum <= amount <= maximum(scenario.book, chance, table.minimum), where
        after = scenario.solve().after
        for payment in after.payments if after else ():
            assert not payment.amount % table.values[-1], where


@pytest.mark.parametrize(("book", "table"), SHIPPED, ids=lambda one: getattr(one, "name", one))
def test_stories_and_announcements_are_in_the_money_of_the_table(book: str, table: Table) -> None:
    sign, other = ("€", "$") if table.currency == "EUR" else ("$", "€")
    told = " ".join(line for one in made(book, table, 1) for line in narrate(one.situation, one.book, "pt"))
    assert sign in told
    assert other not in told
    said = Utterance("payment", {"bet": "pleno", "stake": 500, "colour": "verde", "prize": 17_500})
    spoken = "500 euros, verde" if table.currency == "EUR" else "500$, verde"
    assert spoken in rulebook(book).at(table).say(said)


def test_a_table_of_few_seats_and_odd_chips_has_cases_of_every_kind() -> None:
    table = table_from(
        {"name": "small", "currency": "EUR", "minimum": 4, "seats": 5, "chips": [{"value": v} for v in (2, 5, 25)]}
    )
    for scenario in made(AMERICAN, table, 2):
        assert scenario.topic == "colour_chips" or max(scenario.situation.seats) <= 5


OLD = {
    "format": 1,
    "version": "1.4.0",
    "rulebook": FRENCH,
    "topic": "payout",
    "seed": "7",
    "difficulty": 2,
    "situation": {
        "seats": [1, 2, 3],
        "minimum": 500,
        "number": 17,
        "bets": [{"player": "2", "chance": "columns", "numbers": [1, 2], "count": 3, "value": 500}],
        "incident": {"kind": "number_out"},
    },
}


def test_a_case_from_before_there_were_tables_keeps_its_money_and_its_ruling() -> None:
    scenario = scenario_from(OLD)
    assert not scenario.table
    assert scenario.solve()["prize.2"] == 750
    assert "O mínimo da banca é 500$00." in narrate(scenario.situation, scenario.book, "pt")
    assert decode(encode(scenario)) == scenario
