"""Tables of a house: which settings the law allows. IV 17 fixes the largest bets; seats and chips are left to the
house."""

from rules_engine.authoring import MOST_SEATS, Rulebook, Table, UnfitTable
from rules_engine.games.banca_francesa.game import GAME
from rules_engine.games.banca_francesa.settlement import LIMIT_CLAUSES, bet_limits

LEAST_SEATS = 4


@GAME.table_check
def largest_bets(table: Table, book: Rulebook) -> None:
    """The maximum of a chance may be repeated and not changed."""
    for limit in table.limits:
        if limit.minimum or limit.step:
            raise UnfitTable("limits", "the least bet of the table is that of every chance")
        largest = bet_limits(book, limit.bet, table.minimum).largest
        if limit.maximum not in (0, largest):
            raise UnfitTable(
                "limits",
                "the maximum is {times} times the least bet, {amount:amount}",
                cite=LIMIT_CLAUSES[limit.bet],
                times=largest // table.minimum,
                amount=largest,
            )


@GAME.table_check
def people_and_cards(table: Table, book: Rulebook) -> None:
    if not LEAST_SEATS <= table.seats <= MOST_SEATS:
        raise UnfitTable("seats", "a table has {least} to {most} seats", least=LEAST_SEATS, most=MOST_SEATS)
    if table.packs:
        raise UnfitTable("packs", "this game is played without cards")
