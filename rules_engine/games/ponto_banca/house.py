"""Tables of a house: which settings the law allows. 1995: 1, 2, 19, 20. Macau 1995: 11 a, b, d. Macau: its limits."""

from rules_engine.authoring import Rulebook, Table, UnfitTable
from rules_engine.games.ponto_banca.books import MACAU, PB, same
from rules_engine.games.ponto_banca.game import GAME
from rules_engine.games.ponto_banca.outcome import WHOLE
from rules_engine.games.ponto_banca.table import Kind

# The limit of a Macau table: the largest difference between the bets on ponto and on the bank.
GAP = "difference"


def kind_of_table(table: Table, book: Rulebook) -> Kind:
    """Whether it is a single or a double table, by its packs. Raises UnfitTable if no table has so many."""
    packs: dict[Kind, int] = book.param("packs")
    # Not the key of the file: a stored situation leaves out the usual kind only if it is this very word.
    kinds: tuple[Kind, ...] = ("single", "double")
    for kind in kinds:
        if table.packs == packs[kind]:
            return kind
    raise UnfitTable(
        "packs",
        "a single table has {single} packs and a double table {double}",
        cite=same(book, "1", "intro"),
        single=packs["single"],
        double=packs["double"],
    )


def seats_of(book: Rulebook, kind: Kind) -> list[int]:
    """The numbers of seats that a board of such a table may have."""
    seats: list[int] = book.param("seats_single_table" if kind == "single" else "seats_per_board_double_table")
    return seats


@GAME.table_check
def seats_and_packs(table: Table, book: Rulebook) -> None:
    right = seats_of(book, kind_of_table(table, book))
    if table.seats not in right:
        cite, least, most = same(book, "2", "mesa"), min(right), max(right)
        if least == most:
            raise UnfitTable("seats", "such a table has {most} seats", cite=cite, most=most)
        raise UnfitTable(
            "seats", "a board of such a table has {least} to {most} seats", cite=cite, least=least, most=most
        )


@GAME.table_check
def deduction_can_be_paid(table: Table, book: Rulebook) -> None:
    """The least prize of the bank, less the deduction, is a whole sum that the chips can make."""
    percent, cite = book.number("deduction_percent"), same(book, "19", "deducoes")
    kept, rest = divmod(table.minimum * percent, WHOLE)
    if rest:
        raise UnfitTable(
            "minimum", "{percent} % of {amount:amount} is not a whole sum", cite=cite, percent=percent,
            amount=table.minimum,
        )  # fmt: skip
    if kept % table.values[-1]:
        raise UnfitTable(
            "minimum", "{percent} % of {amount:amount} cannot be paid in chips of {chip:amount}", cite=cite,
            percent=percent, amount=table.minimum, chip=table.values[-1],
        )  # fmt: skip


@GAME.table_check
def largest_bets(table: Table, book: Rulebook) -> None:
    """What the law fixes may be repeated and not changed; what it leaves to the house, the difference, must be set."""
    if any(limit.minimum or limit.step for limit in table.limits):
        raise UnfitTable("limits", "the least bet of the table is that of every chance")
    for limit in table.limits:
        if limit.bet != GAP and limit.maximum:
            _check_maximum(table, book, limit.bet, limit.maximum)
    gap = table.limit(GAP).maximum
    if book.coded_as == PB:
        if gap:
            raise UnfitTable("limits", "here each bet has a maximum, and not the difference between them", cite="20 s1")
        return
    _check_gap(table, book, gap)


def _check_maximum(table: Table, book: Rulebook, bet: str, maximum: int) -> None:
    if book.coded_as != PB:
        cite = "limites s1" if book.coded_as == MACAU else "11 a"
        raise UnfitTable("limits", "single bets have no maximum here", cite=cite)
    times = int(book.param("maximum_times_minimum")[bet])
    if maximum != times * table.minimum:
        raise UnfitTable(
            "limits",
            "the maximum is {times} times the least bet, {amount:amount}",
            cite="20 s2" if bet == "tie" else "20 s1",
            times=times,
            amount=times * table.minimum,
        )


def _check_gap(table: Table, book: Rulebook, gap: int) -> None:
    """The largest difference is fixed for the table, and its share leaves room for a bet on the tie."""
    cite, tie = ("limites s2", "limites s3") if book.coded_as == MACAU else ("11 b", "11 d")
    if not gap:
        raise UnfitTable("limits", "the largest difference between ponto and bank must be fixed", cite=cite)
    share = book.number("tie_percent_of_difference" if book.coded_as == MACAU else "tie_percent_of_max_gap")
    if gap * share < table.minimum * WHOLE:
        raise UnfitTable(
            "limits",
            "{percent} % of the largest difference is less than the least bet: nobody could bet on the tie",
            cite=tie,
            percent=share,
        )
    if gap % table.minimum:
        raise UnfitTable("limits", "the largest difference must be a multiple of the least bet")
