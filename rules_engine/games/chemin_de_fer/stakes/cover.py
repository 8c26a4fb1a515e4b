"""How far the stakes cover the bank: the sums that the rules on stakes share, and tables to practise them."""

from typing import Any

from rules_engine.authoring import ImpossibleFacts, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.outcome import worth
from rules_engine.games.chemin_de_fer.setting import money, places, pontos
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake

Facts = dict[str, Any]
# How many pontos have staked, at each difficulty.
STAKERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}


def covered(s: Situation, book: Rulebook, *, but: str | None = None) -> int:
    """What the stakes on the table play for together, optionally without one player's."""
    return sum(worth(stake, book) for stake in s.stakes if stake.player != but)


def check_ponto(s: Situation, fact: str, place: str) -> None:
    """A place named by an incident must be a ponto's."""
    if place not in {*map(str, s.seats), *s.standing}:
        raise ImpossibleFacts(f"incident.{fact}", "nobody is at {place}", place=place)
    if place == s.banker:
        raise ImpossibleFacts(f"incident.{fact}", "the banker does not stake against himself")


def table(draw: Draw, book: Rulebook, difficulty: int) -> Facts:
    """Players, a bank and the call that opened the betting."""
    facts = places(draw, difficulty) | money(draw, book)
    return facts | {"calls": (Call("croupier", "bank_of", facts["bank"]),)}


def closed(facts: Facts) -> tuple[Call, ...]:
    """The log once the croupier has closed the betting."""
    return (*facts["calls"], Call("croupier", "closed"))


def stakes(
    draw: Draw, facts: Facts, difficulty: int, total: int, *, lines: bool = False, but: tuple[str, ...] = ()
) -> tuple[Stake, ...]:
    """Stakes of several pontos that play for `total` together, a whole number of units.

    With `lines`, from the middle difficulty on, one of them lies on the line: twice the chips for the same value.
    """
    free = [place for place in pontos(facts) if place not in but]
    units = total // facts["unit"]
    players = draw.sample(free, min(STAKERS[difficulty], units, len(free)))
    cuts = sorted(draw.sample(range(1, units), len(players) - 1))
    parts = [high - low for low, high in zip([0, *cuts], [*cuts, units], strict=True)]
    made = [Stake(player, part * facts["unit"]) for player, part in zip(players, parts, strict=True)]
    if lines and difficulty >= 3:
        made[0] = Stake(made[0].player, made[0].amount * 2, line=True)
    return tuple(made)
