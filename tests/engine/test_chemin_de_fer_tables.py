"""Tables of a house at chemin de fer: what the law refuses, sums that fit the table, and announcements in its money."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine import Rulebook, generate, rulebook, topics
from rules_engine.games.chemin_de_fer.books import BOOKS, PT, SANREMO, SPAIN
from rules_engine.narration import narrate, refusal
from rules_engine.ruling import Utterance
from rules_engine.tables import Chip, Limit, Table, UnfitTable
from tests.samples import sample

ALL = [(book, table) for book in BOOKS for table in book.tables]
OFFERED = pytest.mark.parametrize(("book", "table"), ALL, ids=lambda one: getattr(one, "id", getattr(one, "name", "")))


def refused(book: str, **settings: Any) -> str:
    """The article that does not allow these settings, «-» if they are refused without one, empty if allowed."""
    found = rulebook(book)
    try:
        found.game.check_table(replace(found.usual_tables[0], **settings), found)
    except UnfitTable as error:
        assert refusal(error, "pt") and refusal(error, found.language)
        return error.cite or "-"
    return ""


@OFFERED
def test_every_table_that_is_offered_is_lawful(book: Rulebook, table: Table) -> None:
    book.game.check_table(table, book)


def test_every_text_has_euro_tables_and_the_one_of_1995_its_escudos() -> None:
    for book in BOOKS:
        assert [table.currency for table in book.usual_tables] == ["EUR"] * 3
    old = [table for table in rulebook(PT[1]).tables if table.historical]
    assert [(one.minimum, one.limit("bank").minimum, one.currency) for one in old] == [(2_000, 20_000, "PTE")]
    assert not [table for table in rulebook(PT[0]).tables if table.historical]


@pytest.mark.parametrize(("seats", "cite"), [(8, "3 s2"), (9, ""), (10, "3 s2")])
def test_pt_cdf_3_a_table_has_nine_seats(seats: int, cite: str) -> None:
    assert refused(PT[0], seats=seats) == cite
    assert refused(SPAIN, seats=seats) == ("-" if cite else "")


@pytest.mark.parametrize(("packs", "pt", "it"), [(5, "4", "1"), (6, "", ""), (7, "4", "1")])
def test_pt_cdf_4_and_it_sr_1_six_packs(packs: int, pt: str, it: str) -> None:
    assert (refused(PT[1], packs=packs), refused(SANREMO, packs=packs)) == (pt, it)


@pytest.mark.parametrize(("least", "cite"), [(0, "45 s2"), (90, ""), (95, "45 s2"), (100, ""), (105, "45 s2")])
def test_pt_cdf_45_stakes_can_cover_the_smallest_bank(least: int, cite: str) -> None:
    assert refused(PT[0], limits=(Limit("bank", minimum=least),)) == cite


def test_pt_cdf_35_a_bank_has_no_maximum() -> None:
    assert refused(PT[0], limits=(Limit("bank", minimum=100, maximum=10_000),)) == "35"
    assert refused(SANREMO, limits=(Limit("bank", minimum=100, maximum=10_000),)) == ""
    assert refused(SANREMO, limits=(Limit("bank", minimum=100, maximum=90),)) == "-"


@pytest.mark.parametrize(("smallest", "cite"), [(5, ""), (10, "43 s1")])
def test_pt_cdf_43_half_of_the_smallest_stake_can_be_paid(smallest: int, cite: str) -> None:
    assert refused(PT[0], chips=(Chip(smallest), Chip(100))) == cite


@pytest.mark.parametrize(("smallest", "cite"), [(1, ""), (5, "10 s1")])
def test_it_sr_10_the_share_of_the_house_can_be_paid(smallest: int, cite: str) -> None:
    assert refused(SANREMO, chips=(Chip(smallest), Chip(100))) == cite


def test_only_the_bank_has_a_limit() -> None:
    book = rulebook(PT[0])
    with pytest.raises(UnfitTable, match="no limit of that kind"):
        book.game.check_table(replace(book.tables[0], limits=(Limit("stake", maximum=100),)), book)


@OFFERED
def test_cases_are_played_with_the_sums_of_the_table(book: Rulebook, table: Table) -> None:
    for topic in topics(book.id):
        for seed in range(sample(3, 40)):
            facts: Any = generate(book.id, topic, f"sums {seed}", 1 + seed % 5, table=table).situation
            assert facts.minimum in (0, table.limit("bank").minimum) and facts.unit in (0, table.minimum)
            assert [stake.amount for stake in facts.stakes if stake.amount % table.values[-1]] == []


@pytest.mark.parametrize("times", [1, 2, 3, 7, 50])
def test_the_smallest_bank_may_be_any_multiple_of_the_smallest_stake(times: int) -> None:
    for book in BOOKS:
        table = replace(book.tables[0], limits=(Limit("bank", minimum=times * book.tables[0].minimum),))
        for topic in topics(book.id):
            for seed in range(sample(3, 20)):
                assert generate(book.id, topic, f"times {seed}", 1 + seed % 5, table=table).solve().decisions


def test_sums_are_announced_and_told_in_the_money_of_the_table() -> None:
    book = rulebook(PT[1])
    euro, escudos = book.usual_tables[0], book.tables[-1]
    said = Utterance("bank_of", {"amount": 800})
    assert book.at(euro).say(said) == rulebook(PT[0]).say(said) == "Banca de 800 euros"
    assert book.at(escudos).say(said) == book.say(said) == "Banca de 800$"
    assert book.at(euro).at(escudos).say(said) == "Banca de 800$"
    assert book.at(euro).edition == book.at(escudos).edition == book.edition
    for table in book.tables:
        made = generate(PT[1], "stakes", 1, table=table)
        assert ("€" in " ".join(narrate(made.situation, made.book, "pt"))) == (table.currency == "EUR")
