"""Tables of a house. Part VII says nothing of seats and limits, so a house sets its own for every chance."""

from rules_engine.authoring import MOST_SEATS, Rulebook, Table, UnfitTable, check_chips
from rules_engine.games.cussec.game import GAME

LEAST_SEATS = 4


@GAME.table_check
def limits_fit(table: Table, book: Rulebook) -> None:
    for limit in table.limits:
        least = max(table.minimum, limit.minimum)
        if limit.maximum and limit.maximum < least:
            raise UnfitTable("limits", "the largest bet is less than the least bet")
        check_chips(table, ("limits", limit.minimum), ("limits", limit.maximum), ("limits", limit.step))


@GAME.table_check
def people_and_cards(table: Table, book: Rulebook) -> None:
    if not LEAST_SEATS <= table.seats <= MOST_SEATS:
        raise UnfitTable("seats", "a table has {least} to {most} seats", least=LEAST_SEATS, most=MOST_SEATS)
    if table.packs:
        raise UnfitTable("packs", "this game is played without cards")
