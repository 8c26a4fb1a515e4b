"""Tables of a house at ponto e banca, banca francesa, cussec and the machines: what the law allows, and cases."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import structs

from rules_engine import (
    RULEBOOKS,
    Chip,
    Limit,
    NotRegulated,
    Table,
    UnfitTable,
    decode,
    encode,
    generate,
    rulebook,
    scenario_of,
    topics,
)
from rules_engine.games.banca_francesa.settlement import bet_limits, chip_limits, prize_of
from rules_engine.games.layout_bets.settlement import whole
from rules_engine.games.ponto_banca.table import Situation as PontoTable
from rules_engine.narration import narrate, refusal
from tests.samples import sample

PB, MACAU_1995, MACAU = "pt-ponto-banca-1995", "pt-ponto-banca-macau-1995", "pt-ponto-banca-macau"
BANCA, CUSSEC, MACHINES = "pt-banca-francesa", "pt-cussec", "pt-maquinas"
BOOKS = (PB, MACAU_1995, MACAU, BANCA, CUSSEC, MACHINES)
SHIPPED = [(book, table) for book in BOOKS for table in rulebook(book).tables]
# Cases about a limit may exceed it.
ABOUT_LIMITS = ("bet_placed", "bet_offered")


def refused(book: str, **settings: Any) -> UnfitTable | None:
    """The refusal of the first usual table with other settings, if it is refused."""
    found = rulebook(book)
    try:
        found.game.check_table(structs.replace(found.usual_tables[0], **settings), found)
    except UnfitTable as error:
        return error
    return None


@pytest.mark.parametrize("book", [PB, MACAU_1995, MACAU])
@pytest.mark.parametrize(
    ("minimum", "chips", "said"),
    [
        (19, (1, 5), "5 % of €19 is not a whole sum"),
        (20, (1, 5), ""),
        (20, (2, 10), "5 % of €20 cannot be paid in chips of €2"),
        (40, (2, 10), ""),
        (21, (1, 5), "5 % of €21 is not a whole sum"),
    ],
)
def test_five_per_cent_of_the_least_bet_is_a_whole_sum_of_chips(
    book: str, minimum: int, chips: tuple[int, ...], said: str
) -> None:
    """No text rounds the deduction, so a table where it would have to be rounded is refused, with the article."""
    found = refused(book, minimum=minimum, chips=tuple(map(Chip, chips)))
    if not said:
        assert found is None
    else:
        assert found and said in refusal(found, "en") and found.cite in ("19", "deducoes")


def maximum(bet: str, amount: int) -> dict[str, Any]:
    return {"limits": (Limit(bet, maximum=amount),)}


@pytest.mark.parametrize(("book", "table"), SHIPPED, ids=lambda one: getattr(one, "name", one))
def test_shipped_tables_are_allowed(book: str, table: Table) -> None:
    rulebook(book).game.check_table(table, rulebook(book))


@pytest.mark.parametrize(
    ("book", "settings", "cite"),
    [
        (PB, {"packs": 5}, "1"),
        (PB, {"packs": 6}, None),
        (PB, {"packs": 7}, "1"),
        (PB, {"packs": 8}, None),
        (PB, {"seats": 6}, "2"),
        (PB, {"seats": 7}, None),
        (PB, {"seats": 8}, "2"),
        (PB, {"seats": 5, "packs": 8}, "2"),
        (PB, {"seats": 6, "packs": 8}, None),
        (PB, {"seats": 8, "packs": 8}, "2"),
        (PB, {"minimum": 30}, "19"),
        (PB, {"minimum": 40}, None),
        (PB, {"chips": (structs.replace(rulebook(PB).usual_tables[0].chips[0], value=2),)}, "19"),
        (PB, maximum("ponto", 1399), "20 s1"),
        (PB, maximum("ponto", 1400), None),
        (PB, maximum("banker", 1401), "20 s1"),
        (PB, maximum("tie", 279), "20 s2"),
        (PB, maximum("tie", 280), None),
        (PB, maximum("tie", 281), "20 s2"),
        (PB, maximum("difference", 4000), "20 s1"),
        (MACAU_1995, {"limits": ()}, "11 b"),
        (MACAU_1995, maximum("difference", 180), "11 d"),
        (MACAU_1995, maximum("difference", 200), None),
        (MACAU_1995, {"limits": (Limit("difference", maximum=4000), Limit("ponto", maximum=500))}, "11 a"),
        (MACAU, {"seats": 6}, "mesa"),
        (MACAU, {"seats": 7}, None),
        (MACAU, {"seats": 9}, None),
        (MACAU, {"seats": 10}, "mesa"),
        (MACAU, {"packs": 4}, "intro"),
        (MACAU, {"limits": ()}, "limites s2"),
        (MACAU, maximum("difference", 180), "limites s3"),
        (BANCA, maximum("small", 398), "IV 17 s1"),
        (BANCA, maximum("small", 400), None),
        (BANCA, maximum("big", 402), "IV 17 s1"),
        (BANCA, maximum("aces", 10), "IV 17 s2"),
        (BANCA, maximum("aces", 12), None),
        (BANCA, maximum("aces", 14), "IV 17 s2"),
        (BANCA, {"packs": 6}, ""),
        (BANCA, {"seats": 3}, ""),
        (BANCA, {"seats": 4}, None),
        (BANCA, {"limits": (Limit("small", minimum=4),)}, ""),
        (CUSSEC, maximum("triple", 1), ""),
        (CUSSEC, maximum("triple", 2), None),
        (CUSSEC, maximum("total.4", 10), ""),
        (MACHINES, {"minimum": 2}, ""),
        (MACHINES, {"chips": rulebook(MACHINES).tables[0].chips[:1]}, ""),
    ],
)
def test_what_the_law_does_not_allow_is_refused_with_its_article(
    book: str, settings: dict[str, Any], cite: str | None
) -> None:
    error = refused(book, **settings)
    assert (error.cite if error else None) == cite


def sums(value: Any, name: str = "") -> Iterator[int]:
    """Every sum of money in a document: what is bet, put down or paid at a table."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from sums(one, key)
        if "count" in value and "value" in value:
            yield value["count"] * value["value"]
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from sums(one, name)
    elif isinstance(value, int) and name in ("amount", "value", "minimum", "max_gap", "stake", "paid"):
        yield value


@pytest.mark.parametrize(("book", "table"), SHIPPED, ids=lambda one: getattr(one, "name", one))
def test_cases_at_a_table_are_paid_in_its_chips_and_within_its_limits(book: str, table: Table) -> None:
    # A machine pays in its own tokens.
    least = 1 if book == MACHINES else table.values[-1]
    for topic in topics(book):
        for seed in range(sample(6, 40)):
            made = generate(book, topic, seed, 1 + seed % 5, table=table)
            document = decode(encode(made))
            assert document == made and document.table == table
            odd = [amount for amount in sums(msgspec.to_builtins(made.situation)) if amount % least]
            paid = [one.amount for one in getattr(made.solve().after, "payments", ())]
            assert odd + [amount for amount in paid if amount % least] == [], (topic, seed)
            if made.situation.incident.__struct_config__.tag not in ABOUT_LIMITS:
                assert list(outside(made.situation, book, table)) == [], (topic, seed)


def outside(situation: Any, book: str, table: Table) -> Iterator[Any]:
    """The bets on the cloth that are below the least bet or above the largest."""
    found = rulebook(book)
    yield from (one for one in getattr(situation, "machines", ()) if one.stake not in table.values)
    for bet in getattr(situation, "bets", ()):
        least, most = table.minimum, 10**9
        if book == PB:
            most = found.param("maximum_times_minimum")[bet.on] * table.minimum
        elif book == BANCA:
            least, most = chip_limits(found, bet.spot, table.minimum)
        elif book == CUSSEC:
            most = table.limit(bet.chance).maximum or most
        if not least <= bet.amount <= most:
            yield bet
    if isinstance(situation, PontoTable) and situation.max_gap:
        gap = abs(situation.total("ponto") - situation.total("banker"))
        if gap > situation.max_gap or situation.total("tie") > situation.max_gap // 10:
            yield gap


@pytest.mark.parametrize("book", BOOKS)
def test_a_document_without_a_table_is_in_the_money_of_the_regulation(book: str) -> None:
    """A case from before there were tables: the same facts, told in escudos and ruled as before."""
    topic = topics(book)[1]
    made = generate(book, topic, 3, 3)
    old = scenario_of(made.situation, RULEBOOKS[book], topic=topic, seed="3", difficulty=3)
    read = decode(encode(old))
    assert not read.table
    assert read.book.currency == ("EUR" if book == MACAU else "PTE")
    assert read.solve() == old.solve()
    assert read.solve().decisions == made.solve().decisions


def test_escudos_and_euro_are_told() -> None:
    escudos = next(table for table in rulebook(PB).tables if table.historical)
    old, new = generate(PB, "payout", 1, 2, table=escudos), generate(PB, "payout", 1, 2)
    assert "1\xa0000$00" in " ".join(narrate(old.situation, old.book, "pt"))
    assert "€" in " ".join(narrate(new.situation, new.book, "pt"))


def test_the_double_table_is_told() -> None:
    double = next(table for table in rulebook(PB).tables if table.packs == 8)
    situation = generate(PB, "payout", 1, 2, table=double).situation
    assert isinstance(situation, PontoTable)
    assert (situation.table, situation.minimum) == ("double", double.minimum)


def test_largest_bets_of_banca_francesa_follow_the_table() -> None:
    assert bet_limits(rulebook(BANCA), "aces", 5).largest == 30


@pytest.mark.parametrize("price", [0.5, "1/2"])
def test_a_price_that_is_not_whole_is_not_lost(price: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half the stake is paid where that is a whole sum, and is never rounded down to nothing."""
    book = rulebook(BANCA)
    monkeypatch.setitem(book.law.numbers["payouts"], "value", {"small": price})
    assert prize_of(book, "small", 10) == 5
    with pytest.raises(NotRegulated):
        prize_of(book, "small", 5)
    with pytest.raises(ValueError, match="whole"):
        whole(price)
