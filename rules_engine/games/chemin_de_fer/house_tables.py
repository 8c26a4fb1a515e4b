"""What the law fixes about the tables of a house: Portugal 3 s2, 4, 35, 43 s1, 45 s2; Sanremo 1, 10 s1, 16 s1."""

from rules_engine.authoring import Rulebook, Table, UnfitTable
from rules_engine.games.chemin_de_fer.books import BANK, DECKS, PT, SANREMO, SEATS
from rules_engine.games.chemin_de_fer.game import GAME

# The articles on the equipment, the smallest bank and stakes on the line, where a text has them.
SEATS_CITE = dict.fromkeys(PT, "3 s2")
PACKS_CITE = {**dict.fromkeys(PT, "4"), SANREMO: "1"}
NO_MAXIMUM = dict.fromkeys(PT, "35")
COVERED = dict.fromkeys(PT, "45 s2")
ON_THE_LINE = {**dict.fromkeys(PT, "43 s1"), SANREMO: "16 s1"}


@GAME.table_check
def equipment(table: Table, book: Rulebook) -> None:
    """Nine seats and six packs. Texts that do not count the seats take the usual table for granted."""
    if table.seats != SEATS:
        raise UnfitTable(
            "seats", "a table of chemin de fer has {seats} seats", cite=SEATS_CITE.get(book.coded_as, ""), seats=SEATS
        )
    if table.packs != DECKS:
        raise UnfitTable(
            "packs", "chemin de fer is dealt from {packs} packs", cite=PACKS_CITE.get(book.coded_as, ""), packs=DECKS
        )


@GAME.table_check
def banks(table: Table, book: Rulebook) -> None:
    """A bank has a minimum that stakes can cover exactly; in Portugal it has no maximum."""
    bank, least = table.limit(BANK), table.minimum
    if not bank.minimum or bank.minimum % least:
        raise UnfitTable(
            "limits",
            "the smallest bank is a multiple of the smallest stake, {amount:amount}",
            cite=COVERED.get(book.coded_as, ""),
            amount=least,
        )
    if bank.maximum and book.coded_as in NO_MAXIMUM:
        raise UnfitTable("limits", "a bank has no maximum", cite=NO_MAXIMUM[book.coded_as])
    if 0 < bank.maximum < bank.minimum:
        raise UnfitTable("limits", "the largest bank is smaller than the smallest")
    if bank.step not in (0, least):
        raise UnfitTable("limits", "banks go up by the smallest stake, {amount:amount}", amount=least)


@GAME.table_check
def halves(table: Table, book: Rulebook) -> None:
    """Chips on the line play for half, which has to be paid."""
    smallest = table.values[-1]
    if book.coded_as in ON_THE_LINE and table.minimum % (book.number("line_stake_divisor") * smallest):
        raise UnfitTable(
            "minimum",
            "half of {amount:amount}, which plays on the line, cannot be paid in chips of {chip:amount}",
            cite=ON_THE_LINE[book.coded_as],
            amount=table.minimum,
            chip=smallest,
        )


@GAME.table_check
def share_of_the_house(table: Table, book: Rulebook) -> None:
    """At Sanremo the house takes a percentage of what the banker wins: that of two smallest stakes can be paid."""
    if book.coded_as != SANREMO:
        return
    won, percent, smallest = 2 * table.minimum, book.number("house_percentage"), table.values[-1]
    if won * percent % (100 * smallest):
        raise UnfitTable(
            "minimum",
            "{percent} % of {amount:amount} cannot be paid in chips of {chip:amount}",
            cite="10 s1",
            percent=percent,
            amount=won,
            chip=smallest,
        )
