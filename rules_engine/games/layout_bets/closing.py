"""Chips placed, moved or taken back around the end of betting (roulette and cussec)."""

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Sentence, SpotKey
from rules_engine.games.layout_bets.table import Bet, Count, LayoutTable, Worth

Wish = Literal["place", "move", "withdraw"]
WISHES: tuple[Wish, ...] = ("place", "move", "withdraw")


class LateBet(Struct, frozen=True, kw_only=True):
    """A player places chips on a spot, takes them back, or moves them `to` another spot; the calls tell when."""

    player: Place
    wish: Wish
    spot: SpotKey
    count: Count
    value: Worth
    to: SpotKey | None = None

    def check(self, situation: LayoutTable[Any]) -> None:
        situation.check_player(self.player)
        situation.layout.check(self.spot, "incident.spot")
        if (self.to is None) == (self.wish == "move"):
            raise ImpossibleFacts("incident.to", "only chips that are moved go to another spot")
        if self.to is not None:
            situation.layout.check(self.to, "incident.to")
        mine = [bet for bet in situation.on(self.spot) if (bet.player, bet.value) == (self.player, self.value)]
        if self.wish != "place" and sum(bet.count for bet in mine) != self.count:
            raise ImpossibleFacts(
                "incident.spot",
                "{player:player} has other chips on {name:spot}{at}",
                player=self.player,
                **situation.layout.named(self.spot),
            )

    def narrated(self, situation: LayoutTable[Any]) -> list[Sentence]:
        named = situation.layout.named
        values = {"player": self.player, "count": self.count, "value": self.value, **named(self.spot)}
        if self.to is not None:
            values |= {f"{key}_to": value for key, value in named(self.to).items()}
        return [(f"incident.late_bet_{self.wish}", values)]

    @property
    def stake(self) -> int:
        return self.count * self.value

    def lies_on(self, *, allowed: bool) -> str | None:
        """The spot where the chips lie in the end; None if they are off the cloth."""
        if allowed:
            return {"place": self.spot, "move": self.to, "withdraw": None}[self.wish]
        return None if self.wish == "place" else self.spot


def decide_late_prize(
    s: LayoutTable[Any],
    r: Reasoning,
    incident: LateBet,
    spot: str | None,
    *,
    cite: str,
    prize: Callable[[str, int], int],
    explain: Callable[[str], None] | None = None,
) -> None:
    """Decide what chips that lie on `spot` in the end are paid. `prize` takes a spot and a stake."""
    stake = incident.stake
    paid = {where: prize(where, stake) if where else 0 for where in (incident.spot, incident.to, None)}
    r.step(cite, "lies_there" if spot else "lies_nowhere", **(s.layout.named(spot) if spot else {}))
    if spot and explain:
        explain(spot)
    r.amount("late_prize", paid[spot], tempting=[*paid.values(), stake, 0])


def late_chips(draw: Draw, bet: Bet, wish: Wish, others: list[str]) -> dict[str, Any]:
    """The facts of a LateBet: the bet moved to one of the other spots, taken back, or new chips placed on one."""
    spot, to, count = bet.spot, None, bet.count
    if wish == "move":
        to = draw.pick([other for other in others if other != spot])
    if wish == "place":
        spot, count = draw.pick(others), draw.number(1, 4)
    return {"player": bet.player, "wish": wish, "spot": spot, "to": to, "count": count, "value": bet.value}
