"""Roulette tables to draw: ordinary ones, and crowded cloths made from a seed."""

from random import Random
from typing import Any, get_args

from rules_engine.games.roulette import layout
from rules_engine.games.roulette.settlement import INSIDE
from rules_engine.games.roulette.spin import ThrowPrepared
from rules_engine.games.roulette.table import Bet, ChipColour, ColourChips, Situation
from rules_engine.ruling import After, Payment

COLOURS: tuple[ChipColour, ...] = get_args(ChipColour)
# An incident that fits any table and shows nothing on it.
NOTHING_SEEN = ThrowPrepared(last="left_to_right", ball="right_to_left", plate="left_to_right")


def bet(player: str, spot: str, count: int = 1, value: int = 500) -> Bet:
    place = layout.at(spot)
    return Bet(player=player, chance=place.chance, numbers=place.numbers, count=count, value=value)


def situation(**facts: Any) -> Situation:
    """Three players and whatever else is given."""
    ordinary: dict[str, Any] = {"seats": (1, 3, 4), "minimum": 500, "incident": NOTHING_SEEN}
    return Situation(**ordinary | facts)


def crowded(seed: int) -> Situation:
    """A number out with chips on and round it, some spots shared, and others over the whole cloth."""
    random = Random(seed)
    seats = tuple(sorted(random.sample(range(1, 9), 6)))
    standing = (f"{seats[2]}a",) if seed % 3 == 0 else ()
    players = [*map(str, random.sample(seats, 4)), *standing]
    number = random.randrange(37)
    near = [key for chance in INSIDE for key in layout.around(number, chance)]
    spots = random.sample(near, min(len(near), 7)) + random.sample(layout.spots(), 6)
    spots += random.sample(spots, 2)
    value = random.choice((500, 1_000, 2_500))
    bets = {
        (player, spot): bet(player, spot, random.randint(1, 12), value * random.choice((1, 1, 2, 10)))
        for spot in spots
        for player in [random.choice(players)]
    }
    colours = [ColourChips(*own, value) for own in zip(players, random.sample(COLOURS, len(players)), strict=True)]
    return situation(
        seats=seats,
        standing=standing,
        wheel="american" if seed % 2 else "french",
        minimum=value,
        bets=tuple(bets.values()),
        number=number if seed % 5 else None,
        previous=random.randrange(37),
        colours=tuple(colours) if seed % 2 else (),
    )


def settled(table: Situation) -> After:
    """Winners paid ten times their stake: the sums are not what is looked at here."""
    out = table.number or 0
    payments = [
        Payment("house", lying.player, 10 * lying.amount, lying.spot)
        if out in layout.numbers(lying.spot)
        else Payment(lying.player, "house", lying.amount, lying.spot)
        for lying in table.bets
    ]
    return After(payments=tuple(payments), marks={"marker": str(out)})
