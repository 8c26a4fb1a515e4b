"""What the law fixes about the tables of a house: V 2 s2, 3, 14, 36 s1, 37."""

from rules_engine.authoring import Rulebook, Table, UnfitTable
from rules_engine.games.black_jack.game import BET, GAME


@GAME.table_check
def places_and_packs(table: Table, book: Rulebook) -> None:
    """Six or seven seats; four or six packs."""
    seats: list[int] = book.param("seats")
    packs: list[int] = book.param("packs")
    if table.seats not in seats:
        raise UnfitTable("seats", "a table has {few} or {many} seats", cite="2 s2", few=min(seats), many=max(seats))
    if table.packs not in packs:
        raise UnfitTable(
            "packs", "the game is dealt from {few} or {many} packs", cite="3", few=min(packs), many=max(packs)
        )


@GAME.table_check
def limits_of_bets(table: Table, book: Rulebook) -> None:
    """The law fixes the largest bet, and that bets are multiples of the least one."""
    limit, least = table.limit(BET), table.minimum
    times = book.number("maximum_times_minimum")
    if limit.maximum not in (0, times * least):
        raise UnfitTable(
            "limits",
            "the largest bet is {times} times the least: {amount:amount}",
            cite="37",
            times=times,
            amount=times * least,
        )
    if limit.minimum not in (0, least) or limit.step not in (0, least):
        raise UnfitTable("limits", "bets are multiples of the least one, {amount:amount}", cite="14", amount=least)


@GAME.table_check
def halves(table: Table, book: Rulebook) -> None:
    """Half of every bet can be paid: it is what a surrender costs and what insurance may be, and black jack wins it
    besides the bet."""
    half, smallest = book.param("surrender_share") * table.minimum, table.values[-1]
    if half % smallest:
        raise UnfitTable(
            "minimum",
            "half of {amount:amount} cannot be paid in chips of {chip:amount}",
            cite="36 s1",
            amount=table.minimum,
            chip=smallest,
        )
