"""Tables for generated scenarios: players, chips during a series, and throws, by difficulty."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from rules_engine.authoring import Draw, Rulebook, throws
from rules_engine.games.craps import layout
from rules_engine.games.craps.chips import counted, covering, unit, worths
from rules_engine.games.craps.layout import BOXES, Chance
from rules_engine.games.craps.settlement import Dice, Fate, verdict
from rules_engine.games.craps.table import DICE, Bar, Bet
from rules_engine.games.layout_bets.setting import Range, table
from rules_engine.games.layout_bets.setting import in_order as in_layout_order

Put = tuple[Chance, int]  # a bet to put down: its chance, and the number it lies on
BARS: tuple[Bar, ...] = ("sixes", "aces")
LINE_FAMILY: tuple[Chance, ...] = ("pass", "dont-pass", "pass-odds")
NUMBER_FAMILY: tuple[Chance, ...] = ("come", "dont-come", "come-odds", "to-win", "to-lose")
_OPPOSED: tuple[tuple[Chance, Chance], ...] = (
    *(("pass", "dont-pass"), ("come", "dont-come"), ("to-win", "to-lose"), ("under", "over")),
)
OPPOSITE: dict[Chance, Chance] = {one: other for pair in _OPPOSED for one, other in (pair, pair[::-1])}
SIDE_FAMILY: tuple[Chance, ...] = ("big", "hard", "under", "over", "craps", "total", "field")


class Crowd(Struct, frozen=True):
    """How full the cloth is: players with chips, bets, and the most chips or units of a bet."""

    players: Range
    bets: Range
    most: int


CROWDS = {
    1: Crowd((1, 1), (1, 1), 3),
    2: Crowd((2, 2), (2, 3), 4),
    3: Crowd((2, 3), (4, 5), 4),
    4: Crowd((3, 4), (6, 8), 5),
    5: Crowd((4, 5), (9, 12), 5),
}
# For questions about each spot: few spots, because each one is a question or a place to look.
FEW = {
    1: Crowd((1, 1), (1, 1), 3),
    2: Crowd((1, 2), (2, 2), 4),
    3: Crowd((2, 2), (3, 4), 4),
    4: Crowd((2, 3), (4, 5), 5),
    5: Crowd((3, 4), (6, 8), 5),
}


@cache
def throws_for(
    book: Rulebook, chance: str, number: int, point: int | None, bar: Bar, fates: tuple[Fate, ...]
) -> tuple[Dice, ...]:
    """Every throw after which a bet has one of these fates."""
    return tuple(
        dice for dice in throws(DICE) if verdict(book, chance, number, dice=dice, point=point, bar=bar).fate in fates
    )


def throw_of(draw: Draw, total: int) -> Dice:
    return draw.pick(_making(total))


@cache
def _making(total: int) -> tuple[Dice, ...]:
    return tuple(dice for dice in throws(DICE) if sum(dice) == total)


class Cloth:
    """Puts down one bet after another. Every player has chips of one value. Odds come with the bet they belong to."""

    def __init__(self, draw: Draw, book: Rulebook, facts: dict[str, Any], difficulty: int) -> None:
        self.draw, self.book, self.point = draw, book, facts.get("point")
        self._held: dict[str, int] = {}
        self._pool = worths(book)[:1] if difficulty <= 2 else (*worths(book)[:1], *worths(book))
        self.bets: dict[tuple[str, str], Bet] = {}

    def put(self, player: str, chance: Chance, number: int, most: int) -> None:
        value, waits = self._value(player), number or self.point or 0
        units = max(1, most // unit(self.book, chance, waits, value))
        self._lay(player, chance, number, counted(self.draw, self.book, chance, waits, value, (1, units)))

    def _value(self, player: str) -> int:
        return self._held.setdefault(player, self.draw.pick(self._pool))

    def _lay(self, player: str, chance: Chance, number: int, count: int) -> None:
        value = self._value(player)
        if chance in layout.PARENTS:
            parent = layout.PARENTS[chance]
            there = self.bets.get((player, layout.KEYS[parent, number]))
            if there is None or there.count < count:
                self._lay(player, parent, number, covering(self.draw, self.book, parent, value, count))
        bet = Bet(player=player, chance=chance, number=number, count=count, value=value)
        self.bets[player, bet.spot] = bet

    def hedges(self, player: str, chance: Chance, number: int) -> bool:
        """Whether the bet would go against another bet of the player, which hardly anybody does."""
        against = OPPOSITE.get(layout.PARENTS.get(chance, chance))
        return against is not None and (player, layout.KEYS[against, number]) in self.bets

    def number_for(self, chance: Chance) -> int:
        """A number for a bet on this chance. Come bets need a point to be in their box, and are never on the point."""
        if chance in (*layout.COMES, *layout.COME_ODDS):
            boxes = [box for box in BOXES if box != self.point]
            begins = chance in layout.COMES and self.point is not None and self.draw.chance(0.4)
            return 0 if begins else self.draw.pick(boxes)
        return self.draw.pick(layout.PRINTED[chance]) if chance in layout.PRINTED else 0

    def fits(self, chance: Chance) -> bool:
        return self.point is not None or chance not in layout.LINE_ODDS


def picture(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    must: Sequence[Put] = (),
    among: Sequence[Chance] = (),
    crowd: Crowd | None = None,
    **known: Any,
) -> dict[str, Any]:
    """A table with the bets of `must` and others drawn from `among`."""
    facts = table(draw, book, difficulty) | known
    crowd = crowd or CROWDS[difficulty]
    players = [str(seat) for seat in draw.sample(facts["seats"], draw.number(*crowd.players))]
    cloth = Cloth(draw, book, facts, difficulty)
    for index, (chance, number) in enumerate(must):
        cloth.put(players[index % len(players)], chance, number, crowd.most)
    pool = [chance for chance in among or _pool(difficulty) if cloth.fits(chance)]
    wanted = draw.number(*crowd.bets)
    for _ in range(4 * wanted):
        if len(cloth.bets) >= wanted or not pool:
            break
        chance = draw.pick(pool)
        number, player = cloth.number_for(chance), draw.pick(players)
        if (player, layout.KEYS[chance, number]) not in cloth.bets and not cloth.hedges(player, chance, number):
            cloth.put(player, chance, number, crowd.most)
    return facts | {"bets": in_order(cloth.bets.values())}


def _pool(difficulty: int) -> tuple[Chance, ...]:
    if difficulty <= 2:
        return (*LINE_FAMILY, "to-win", "field", "hard")
    return (*LINE_FAMILY, *NUMBER_FAMILY, *SIDE_FAMILY)


def any_throw(draw: Draw, book: Rulebook, facts: dict[str, Any], decided: float = 0.8) -> Dice:
    """A throw that decides one of the bets with probability `decided`; otherwise any throw."""
    if draw.chance(decided):
        bet = draw.pick(facts["bets"])
        fates: tuple[Fate, ...] = draw.pick((("wins",), ("loses", "moves")))
        bar = facts.get("bar", "sixes")
        if found := throws_for(book, bet.chance, bet.number, facts.get("point"), bar, fates):
            return draw.pick(found)
    return draw.pick(throws(DICE))


def in_order(bets: Iterable[Bet]) -> tuple[Bet, ...]:
    return in_layout_order(layout.LAYOUT, bets)
