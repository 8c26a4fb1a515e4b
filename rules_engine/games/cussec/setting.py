"""Tables for generated scenarios: players, dice, and chips in and around the winning zones, by difficulty."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from rules_engine.authoring import FACES, Draw, Rulebook, Throw, alike, throws
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.settlement import EVEN, prize_clause, winning
from rules_engine.games.cussec.table import DICE, Bet, Dice
from rules_engine.games.layout_bets.setting import Crowd, Range, seated, spread
from rules_engine.games.layout_bets.setting import in_order as in_layout_order

# Chips up to so many least bets lie on the board.
MANY = 20
ALL_THROWS = throws(DICE)
TRIPLES = tuple(dice for dice in ALL_THROWS if alike(dice) == len(dice))
# How many dice may be alike: beginners get three different ones.
SHAPES = {1: (1,), 2: (1, 2), 3: (1, 2), 4: (1, 2, 3), 5: (1, 2)}
TRIPLE_AT_5 = 0.2


CROWDS = {
    1: Crowd((1, 1), (1, 1), (0, 1), (1, 3)),
    2: Crowd((1, 2), (1, 2), (1, 2), (1, 5)),
    3: Crowd((2, 3), (2, 3), (1, 3), (1, 6)),
    4: Crowd((3, 4), (3, 4), (2, 4), (1, 8)),
    5: Crowd((4, 5), (4, 5), (4, 6), (1, 9)),
}


@cache
def paid_by(clause: str) -> tuple[str, ...]:
    """Every zone whose prize this clause sets."""
    return tuple(key for key in layout.SPOTS if prize_clause(key) == clause)


@cache
def _pool(book: Rulebook, spots: tuple[str, ...], shapes: tuple[int, ...]) -> tuple[Dice, ...]:
    """The throws with one of these numbers of equal dice in which one of these zones wins."""
    wanted = set(spots)
    shaped = (dice for dice in ALL_THROWS if alike(dice) in shapes)
    return tuple(dice for dice in shaped if not wanted or wanted & set(winning(book, dice)))


def any_dice(draw: Draw, book: Rulebook, difficulty: int, spots: tuple[str, ...] = ()) -> Dice:
    """A throw. Easy: all dice different. Hard: often a triple. If zones are given, one of them wins."""
    # Of the totals only some triples win; the few that do would be too easy to guess.
    any_triple = len(_pool(book, spots, (3,))) == len(TRIPLES)
    shapes = (3,) if difficulty >= 5 and any_triple and draw.chance(TRIPLE_AT_5) else SHAPES[difficulty]
    for allowed in (shapes, (1, 2), (1, 2, 3)):
        if found := _pool(book, spots, allowed):
            return draw.pick(found)
    raise ValueError(f"no throw wins on {spots}")


@cache
def beside(book: Rulebook, dice: Throw) -> tuple[str, ...]:
    """Zones that just miss: one number of a combination, a total next to it, small and big with a triple."""
    most, total = max(FACES, key=dice.count), sum(dice)
    others = [face for face in FACES if face not in dice]
    near = [f"total.{total + step}" for step in (-1, 1, -2, 2)]
    near += [f"pair.{min(shown, face)}-{max(shown, face)}" for shown in dice for face in others]
    near += [f"double.{face}" for face in dice] + [f"triple.{most}", "triples", *EVEN]
    near += [f"single.{face}" for face in others]
    won = set(winning(book, dice))
    return tuple(key for key in dict.fromkeys(near) if key in layout.SPOTS and key not in won)


def picture(
    draw: Draw, book: Rulebook, difficulty: int, *, dice: Dice, must: tuple[str, ...] = (), crowd: Crowd | None = None
) -> dict[str, Any]:
    """A table with chips in and around the winning zones. If `must` is given, one of these zones wins and has chips."""
    facts = seated(draw, book, difficulty)
    crowd = crowd or CROWDS[difficulty]
    chosen = _won(draw, book, difficulty, dice, must, draw.number(*crowd.won))
    chosen += _lost(draw, book, difficulty, dice, chosen, draw.number(*crowd.lost))
    players = [str(seat) for seat in draw.sample(facts["seats"], draw.number(*crowd.players))][: len(chosen)]
    values = worths(book, difficulty)

    def lay(player: str, spot: str, most: Range) -> Bet:
        return chips(draw, book, player, spot, values, most)

    bets = spread(draw, chosen, players, crowd.chips, lay, shared=players if difficulty >= 5 else ())
    return facts | {"bets": in_order(bets), "dice": dice}


def worths(book: Rulebook, difficulty: int) -> tuple[int, ...]:
    """The chips that players use at the table; beginners meet fewer."""
    table = book.table
    found = table.chips_between(table.minimum, MANY * table.minimum) or table.values[-1:]
    return found[: 1 + difficulty]


def within(book: Rulebook, chance: str, count: int, value: int) -> int:
    """So many chips, or as many as the limits of the house for the chance allow."""
    table, limit = book.table, book.table.limit(chance)
    least = -(-max(table.minimum, limit.minimum) // value)
    return max(least, min(count, limit.maximum // value) if limit.maximum else count)


def chips(draw: Draw, book: Rulebook, player: str, spot: str, values: Sequence[int], most: Range) -> Bet:
    place, count, value = layout.SPOTS[spot], draw.number(*most), draw.pick(values)
    count = within(book, place.chance, count, value)
    return Bet(player=player, chance=place.chance, numbers=place.numbers, count=count, value=value)


def _won(draw: Draw, book: Rulebook, difficulty: int, dice: Dice, must: tuple[str, ...], count: int) -> list[str]:
    zones = winning(book, dice)
    found = [draw.pick([key for key in zones if key in must])] if must else [draw.pick(zones)]
    if difficulty == 1:
        return found
    return found + some(draw, [key for key in zones if key not in found], count - 1)


def _lost(draw: Draw, book: Rulebook, difficulty: int, dice: Dice, taken: list[str], count: int) -> list[str]:
    """Zones that just miss; if easy, of the same chance. With a hard triple there is a losing bet on small or big."""
    near = beside(book, tuple(sorted(dice)))
    if difficulty == 1:
        chance = layout.SPOTS[taken[0]].chance
        kinds = EVEN if chance in EVEN else (chance,)
        near = tuple(key for key in near if layout.SPOTS[key].chance in kinds)
    found = some(draw, near, count)
    if difficulty >= 4 and alike(dice) == len(dice) and not set(EVEN) & set(found):
        found.append(draw.pick(EVEN))
    return found


def some(draw: Draw, pool: Sequence[str], count: int) -> list[str]:
    """Draw up to `count` different members of the pool."""
    found: dict[str, None] = {}
    for _ in range(3 * count):
        if len(found) >= min(count, len(pool)):
            break
        found[draw.pick(pool)] = None
    return list(found)


def in_order(bets: Iterable[Bet]) -> tuple[Bet, ...]:
    return in_layout_order(layout.LAYOUT, bets)
