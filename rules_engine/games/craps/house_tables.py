"""What the law fixes about the tables of a house: VI 12 s3.

The largest bets are left to the house. Odds are limited by the bet that they belong to (VI 11.1 s1).
"""

from rules_engine.authoring import Rulebook, Table, UnfitTable
from rules_engine.games.craps.game import GAME

LEAST_PLACES = 6


@GAME.table_check
def limits_of_numbers(table: Table, book: Rulebook) -> None:
    """Bets on numbers are multiples of the least bet of the table; so are their limits."""
    limit = table.limit("numbers")
    if any(amount % table.minimum for amount in (limit.minimum, limit.maximum, limit.step)):
        raise UnfitTable(
            "limits",
            "bets on numbers are multiples of the least bet, {amount:amount}",
            cite="VI 12 s3",
            amount=table.minimum,
        )


@GAME.table_check
def limits_in_order(table: Table, book: Rulebook) -> None:
    """No kind of bet has a largest bet below its least one."""
    for limit in table.limits:
        if limit.maximum and limit.maximum < max(table.minimum, limit.minimum):
            raise UnfitTable("limits", "the largest bet is less than the least one")


@GAME.table_check
def places(table: Table, book: Rulebook) -> None:
    """The law does not say how many play; at a table with fewer the order of the shooters would hardly matter."""
    if table.seats < LEAST_PLACES:
        raise UnfitTable("seats", "a table has places for {few} players or more", few=LEAST_PLACES)
