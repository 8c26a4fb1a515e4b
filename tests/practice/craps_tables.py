"""Craps tables to draw: ordinary ones, and crowded cloths made from a seed."""

from random import Random
from typing import Any

from rules_engine.games.craps import layout
from rules_engine.games.craps.announcing import ThrowToAnnounce
from rules_engine.games.craps.table import Bet, Situation
from rules_engine.ruling import After, Payment

# Lies on the cloth of these tables, so that every spot fits the facts.
POINT = 9


def bet(player: str, spot: str, count: int = 1, value: int = 500) -> Bet:
    place = layout.SPOTS[spot]
    return Bet(player=player, chance=place.chance, number=sum(place.numbers), count=count, value=value)


def situation(**facts: Any) -> Situation:
    """Three players, a throw that decides nothing on the line, and whatever else is given."""
    ordinary: dict[str, Any] = {"seats": (1, 3, 4), "minimum": 500, "point": POINT, "dice": (2, 1)}
    return Situation(**ordinary | facts, incident=ThrowToAnnounce())


def crowded(seed: int) -> Situation:
    """Chips over the whole cloth in the middle of a series, many spots shared by several players."""
    random = Random(seed)
    seats = tuple(sorted(random.sample(range(1, 9), 6)))
    standing = (f"{seats[2]}a",) if seed % 3 == 0 else ()
    players = [*map(str, random.sample(seats, 4)), *standing]
    fitting = [key for key, spot in layout.SPOTS.items() if spot.chance not in layout.ODDS]
    fitting = [key for key in fitting if key not in (f"come.{POINT}", f"dont-come.{POINT}")]
    spots = random.sample(fitting, 9)
    spots += random.sample(spots, 5)
    worths = {player: random.choice((500, 1_000, 2_500, 25_000)) for player in players}
    bets: dict[tuple[str, str], Bet] = {}
    for spot in spots:
        player = random.choice(players)
        bets[player, spot] = bet(player, spot, random.randint(2, 40), worths[player])
        odds = spot.replace("come", "come-odds").replace("pass", "pass-odds")
        if odds != spot and spot not in layout.COMES:
            bets[player, odds] = bet(player, odds, 2, worths[player])
    return situation(seats=seats, standing=standing, bets=tuple(bets.values()), shooter=players[0])


def settled(table: Situation) -> After:
    """Every second bet paid ten times its stake: the sums are not what is looked at here."""
    payments = [
        Payment("house", lying.player, 10 * lying.amount, lying.spot)
        if index % 2
        else Payment(lying.player, "house", lying.amount, lying.spot)
        for index, lying in enumerate(table.bets)
    ]
    return After(payments=tuple(payments), marks={"marker": "off"})
