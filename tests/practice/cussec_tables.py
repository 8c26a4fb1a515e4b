"""Cussec tables to draw: ordinary ones, and crowded boards made from a seed."""

from random import Random
from typing import Any

from rules_engine import rulebook
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.payout import ResultOut
from rules_engine.games.cussec.table import Bet, Situation
from rules_engine.ruling import After


def bet(player: str, spot: str, count: int = 1, value: int = 500) -> Bet:
    place = layout.SPOTS[spot]
    return Bet(player=player, chance=place.chance, numbers=place.numbers, count=count, value=value)


def situation(**facts: Any) -> Situation:
    """Three players, the dice seen, and whatever else is given."""
    ordinary: dict[str, Any] = {"seats": (1, 3, 4), "dice": (1, 2, 5), "bets": (bet("1", "small"),)}
    return Situation(**ordinary | {"incident": ResultOut()} | facts)


def crowded(seed: int) -> Situation:
    """Chips of six players over the whole board, some zones shared."""
    random = Random(seed)
    seats = tuple(sorted(random.sample(range(1, 9), 6)))
    standing = (f"{seats[2]}a",) if seed % 3 == 0 else ()
    players = [*map(str, seats), *standing]
    spots = random.sample(sorted(layout.SPOTS), 16)
    spots += random.sample(spots, 4)
    bets = {
        (player, spot): bet(player, spot, random.randint(1, 12), random.choice((500, 1_000, 2_500, 10_000)))
        for spot in spots
        for player in [random.choice(players)]
    }
    dice = (random.randint(1, 6),) * 3 if seed % 4 == 0 else tuple(random.randint(1, 6) for _ in range(3))
    return situation(seats=seats, standing=standing, bets=tuple(bets.values()), dice=dice)


def settled(table: Situation) -> After:
    after = rulebook("pt-cussec").rule(table).after
    assert after is not None
    return after
