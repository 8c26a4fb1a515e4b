"""Tables for generated scenarios: players, limits, dice and chips, by difficulty."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from rules_engine.authoring import Draw, Rulebook, Throw, throws
from rules_engine.games.banca_francesa.layout import CHANCES, LAYOUT, LINES, SPOTS, on_line
from rules_engine.games.banca_francesa.settlement import NONE, chance_of, chip_limits
from rules_engine.games.banca_francesa.table import DICE, Bet
from rules_engine.games.layout_bets.setting import Range, table
from rules_engine.games.layout_bets.setting import in_order as in_layout_order

# Chips up to so many least bets lie on the cloth.
MANY = 10
# The spots that may have chips: beginners get the fields, and lines only if a case is about them.
ALL_SPOTS = ("aces", "small", "big", "small", "big", *LINES.values())
POOLS: dict[int, Sequence[str]] = {1: CHANCES, 2: CHANCES, 3: ALL_SPOTS, 4: ALL_SPOTS, 5: ALL_SPOTS}


class Crowd(Struct, frozen=True):
    """How full the cloth is, as ranges: players with chips, bets besides those a case is about, chips of one bet."""

    players: Range
    others: Range
    chips: Range


CROWDS = {
    1: Crowd((1, 1), (0, 0), (1, 4)),
    2: Crowd((1, 2), (1, 2), (1, 6)),
    3: Crowd((2, 3), (2, 3), (1, 9)),
    4: Crowd((3, 4), (3, 4), (1, 15)),
    5: Crowd((4, 5), (4, 6), (2, 25)),
}


@cache
def _by_chance(book: Rulebook) -> dict[str, dict[int, list[Throw]]]:
    """Every throw, by the chance that wins and by its total."""
    found: dict[str, dict[int, list[Throw]]] = {}
    for dice in throws(DICE):
        found.setdefault(chance_of(book, dice), {}).setdefault(sum(dice), []).append(dice)
    return found


def dice_for(draw: Draw, book: Rulebook, chance: str, *, at_edge: bool = False) -> Throw:
    """A throw with which a chance (or NONE) wins. All totals are equally likely; `at_edge`: only the first and last."""
    found = _by_chance(book)[chance]
    totals = sorted(found)
    return draw.pick(found[draw.pick((totals[0], totals[-1]) if at_edge else totals)])


def dice_near(draw: Draw, book: Rulebook) -> Throw:
    """A throw that decides nothing, one point away from one that does."""
    winning = {total for chance in CHANCES for total in book.param("winning_totals")[chance]}
    totals = _by_chance(book)[NONE]
    near = sorted(total for total in totals if {total - 1, total + 1} & winning)
    return draw.pick(totals[draw.pick(near)])


def any_chance(draw: Draw, difficulty: int) -> str:
    """A chance to win. Aces win once in 63 throws; learners should see them more often."""
    return draw.pick(("small", "big", "small", "big", "aces")) if difficulty >= 2 else draw.pick(("small", "big"))


def picture(
    draw: Draw, book: Rulebook, difficulty: int, *, chance: str, must: Sequence[str] = (), crowd: Crowd | None = None
) -> dict[str, Any]:
    """A table with bets, and a throw with which a chance wins. The spots of `must` have chips."""
    facts = table(draw, book, difficulty)
    crowd = crowd or CROWDS[difficulty]
    spots = [*must, *(draw.pick(POOLS[difficulty]) for _ in range(draw.number(*crowd.others)))]
    players = [str(seat) for seat in draw.sample(facts["seats"], draw.number(*crowd.players))]
    bets: dict[tuple[str, str], Bet] = {}
    for index, spot in enumerate(spots):
        free = [player for player in players if (player, spot) not in bets]
        if free:
            player = players[index] if index < len(players) and players[index] in free else draw.pick(free)
            bets[player, spot] = chips(draw, book, facts, player=player, spot=spot, crowd=crowd)
    dice = dice_for(draw, book, chance)
    return facts | {"bets": in_order(bets.values()), "dice": dice}


def worths_of(book: Rulebook, most: int) -> tuple[int, ...]:
    """The chips that players use at the table: of the least bet, or of the part of it that there are chips for, and
    larger ones up to a sum."""
    unit = unit_of(book)
    return (unit, *book.table.chips_between(unit + 1, most))


def unit_of(book: Rulebook) -> int:
    """The largest chip in which the least bet can be made."""
    return next(value for value in book.table.values if book.table.minimum % value == 0)


def chips(draw: Draw, book: Rulebook, facts: dict[str, Any], *, player: str, spot: str, crowd: Crowd) -> Bet:
    """Some chips on a spot, within the limits of the table; an even number on a line."""
    minimum = facts["minimum"]
    least, largest = chip_limits(book, spot, minimum)
    worths = (unit_of(book),) if SPOTS[spot].chance == "aces" else worths_of(book, MANY * minimum)
    value = draw.pick(worths[: max(1, crowd.chips[1] // 4)])
    count = max(-(-least // value), min(largest // value, draw.number(*crowd.chips)))
    if on_line(spot):
        count += count % 2  # half of them are whole chips
    return Bet(player=player, spot=spot, count=count, value=value)


def in_order(bets: Iterable[Bet]) -> tuple[Bet, ...]:
    return in_layout_order(LAYOUT, bets)
