"""Ordinary tables for generators: players, dice, and chips on the board round what the dice show, by difficulty."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from rules_engine.authoring import FACES, Draw, Rulebook, Throw, alike, throws
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.layout import PLACE_ON_BOARD
from rules_engine.games.cussec.settlement import EVEN, prize_clause, winning
from rules_engine.games.cussec.table import DICE, Bet, Dice

SEATS = range(1, 9)
VALUES = (500, 1_000, 2_500, 5_000, 10_000)
# How many sit, from and to, at each difficulty.
SEATED = {1: (2, 4), 2: (3, 5), 3: (4, 6), 4: (5, 7), 5: (6, 8)}
ALL_THROWS = throws(DICE)
TRIPLES = tuple(dice for dice in ALL_THROWS if alike(dice) == len(dice))
# How many dice may be alike: a beginner meets three different ones.
SHAPES = {1: (1,), 2: (1, 2), 3: (1, 2), 4: (1, 2, 3), 5: (1, 2)}
TRIPLE_AT_5 = 0.45


class Crowd(Struct, frozen=True):
    """How full the board is: players with chips, zones that win and that lose, chips in one zone, from and to."""

    players: tuple[int, int]
    won: tuple[int, int]
    lost: tuple[int, int]
    chips: tuple[int, int]


CROWDS = {
    1: Crowd((1, 1), (1, 1), (0, 1), (1, 3)),
    2: Crowd((1, 2), (1, 2), (1, 2), (1, 5)),
    3: Crowd((2, 3), (2, 3), (1, 3), (1, 6)),
    4: Crowd((3, 4), (3, 4), (2, 4), (1, 8)),
    5: Crowd((4, 5), (4, 5), (4, 6), (1, 9)),
}


def table(draw: Draw, difficulty: int) -> dict[str, Any]:
    """Who sits."""
    return {"seats": tuple(sorted(draw.sample(SEATS, draw.number(*SEATED[difficulty]))))}


@cache
def paid_by(clause: str) -> tuple[str, ...]:
    """Every zone whose prize a clause fixes."""
    return tuple(key for key in layout.SPOTS if prize_clause(key) == clause)


@cache
def _pool(book: Rulebook, spots: tuple[str, ...], shapes: tuple[int, ...]) -> tuple[Dice, ...]:
    """The throws with so many dice alike in which one of these zones wins."""
    wanted = set(spots)
    shaped = (dice for dice in ALL_THROWS if alike(dice) in shapes)
    return tuple(dice for dice in shaped if not wanted or wanted & set(winning(book, dice)))


def any_dice(draw: Draw, book: Rulebook, difficulty: int, spots: tuple[str, ...] = ()) -> Dice:
    """What the dice show: easy all different, hard often three alike; one of these zones wins, if any are given."""
    shapes = (3,) if difficulty >= 5 and draw.chance(TRIPLE_AT_5) else SHAPES[difficulty]
    for allowed in (shapes, (1, 2), (1, 2, 3)):
        if found := _pool(book, spots, allowed):
            return draw.pick(found)
    raise ValueError(f"no throw wins on {spots}")


@cache
def beside(book: Rulebook, dice: Throw) -> tuple[str, ...]:
    """Zones that just fail to win: a number less of a combination, a total next to it, small and big by a triple."""
    most, total = max(FACES, key=dice.count), sum(dice)
    others = [face for face in FACES if face not in dice]
    near = [f"total.{total + step}" for step in (-1, 1, -2, 2)]
    near += [f"pair.{min(shown, face)}-{max(shown, face)}" for shown in dice for face in others]
    near += [f"double.{face}" for face in dice] + [f"triple.{most}", "triples", *EVEN]
    near += [f"single.{face}" for face in others]
    won = set(winning(book, dice))
    return tuple(key for key in dict.fromkeys(near) if key in layout.SPOTS and key not in won)


def picture(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    dice: Dice,
    must: tuple[str, ...] = (),
    crowd: Crowd | None = None,
) -> dict[str, Any]:
    """A board with chips in and round the zones that win; of `must` one certainly does."""
    facts = table(draw, difficulty)
    crowd = crowd or CROWDS[difficulty]
    chosen = _won(draw, book, difficulty, dice, must, draw.number(*crowd.won))
    chosen += _lost(draw, book, difficulty, dice, chosen, draw.number(*crowd.lost))
    players = [str(seat) for seat in draw.sample(facts["seats"], draw.number(*crowd.players))][: len(chosen)]
    values = VALUES[: 1 + difficulty] if difficulty < 5 else VALUES
    bets: dict[tuple[str, str, int], Bet] = {}
    for index, spot in enumerate(draw.shuffled(chosen)):
        player = players[index] if index < len(players) else draw.pick(players)
        bet = chips(draw, player, spot, values, crowd.chips)
        bets[player, spot, bet.value] = bet
    if difficulty >= 5 and len(players) > 1:  # a second player in a zone where somebody has chips
        first, spot, _ = draw.pick(list(bets))
        second = draw.pick([player for player in players if player != first])
        bet = chips(draw, second, spot, values, (1, 4))
        bets[second, spot, bet.value] = bet
    return facts | {"bets": in_order(bets.values()), "dice": dice}


def chips(draw: Draw, player: str, spot: str, values: Sequence[int], most: tuple[int, int]) -> Bet:
    place = layout.SPOTS[spot]
    return Bet(
        player=player,
        chance=place.chance,
        numbers=place.numbers,
        count=draw.number(*most),
        value=draw.pick(values),
    )


def _won(draw: Draw, book: Rulebook, difficulty: int, dice: Dice, must: tuple[str, ...], count: int) -> list[str]:
    zones = winning(book, dice)
    found = [draw.pick([key for key in zones if key in must])] if must else [draw.pick(zones)]
    if difficulty == 1:
        return found
    return found + some(draw, [key for key in zones if key not in found], count - 1)


def _lost(draw: Draw, book: Rulebook, difficulty: int, dice: Dice, taken: list[str], count: int) -> list[str]:
    """Zones beside those that win; easy: of the same chance only. A hard triple takes a bet on small or big."""
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
    """A few of many, without shuffling all of them."""
    found: dict[str, None] = {}
    for _ in range(3 * count):
        if len(found) >= min(count, len(pool)):
            break
        found[draw.pick(pool)] = None
    return list(found)


def in_order(bets: Iterable[Bet]) -> tuple[Bet, ...]:
    """By player, then along the board."""
    return tuple(sorted(bets, key=lambda bet: (bet.player, PLACE_ON_BOARD[bet.spot], bet.value)))
