"""Which settings of a table the law allows: X 20 a, X 27, IX 5."""

from rules_engine.authoring import Rulebook, Table, UnfitTable
from rules_engine.games.roulette.game import GAME
from rules_engine.games.roulette.limits import clause, maximum, multiple
from rules_engine.games.roulette.setting import face_values
from rules_engine.games.roulette.settlement import PRIZE_CLAUSES

# So many players sit where several of them win at once.
FEWEST_SEATS = 5


@GAME.table_check
def seats_fit(table: Table, book: Rulebook) -> None:
    """IX 5: how many may sit at American roulette. French roulette has no such limit."""
    if "seats" in book.law.numbers and table.seats > (most := book.number("seats")):
        raise UnfitTable("seats", "at most {most} players may sit", most=most, cite="IX 5")
    if table.seats < FEWEST_SEATS:
        raise UnfitTable("seats", "a roulette table has at least {least} seats", least=FEWEST_SEATS)


@GAME.table_check
def minimum_fits(table: Table, book: Rulebook) -> None:
    """X 20 a: two dozens pay half the stake, so half of the least bet must be payable. And some chip must fit on every
    spot."""
    smallest = table.values[-1]
    if table.minimum % (2 * smallest):
        raise UnfitTable(
            "minimum",
            "two dozens pay half the stake: half of {minimum:amount} cannot be paid in chips of {chip:amount}",
            minimum=table.minimum,
            chip=smallest,
            cite=PRIZE_CLAUSES["dozens"],
        )
    if not face_values(book.at(table)):
        most = maximum(book, "straight", table.minimum)
        raise UnfitTable(
            "chips",
            "a straight-up bet is from {least:amount} to {most:amount}: there is no chip for it",
            least=table.minimum,
            most=most,
            cite=clause("straight"),
        )


@GAME.table_check
def limits_fit(table: Table, book: Rulebook) -> None:
    """X 27: the largest bet on each chance is a fixed multiple of the least. That is the one of the table, unless the
    house reads the article so that each chance has its own."""
    for index, limit in enumerate(table.limits):
        own = book.reads("X27", "each")
        right = maximum(book, limit.bet, (own and limit.minimum) or table.minimum)
        if limit.minimum not in (0, table.minimum) and not own:
            raise UnfitTable(
                f"limits[{index}].minimum",
                "the least bet is that of the table, {minimum:amount}",
                minimum=table.minimum,
                cite=clause(limit.bet),
            )
        if limit.step:
            raise UnfitTable(f"limits[{index}].step", "the chips of the table are the only steps between bets")
        if limit.maximum not in (0, right):
            raise UnfitTable(
                f"limits[{index}].maximum",
                "the largest bet {chance:on_a} is {times} times the minimum: {right:amount}",
                chance=limit.bet,
                times=multiple(book, limit.bet),
                right=right,
                cite=clause(limit.bet),
            )
