"""Fields, checks and narration of incidents that several layout games have.

These classes are mixed into an incident of a game: `class NumberOut(BetsDecided, Incident, frozen=True, tag=…)`.
"""

from typing import Any

from msgspec import Struct

from rules_engine.authoring import Place, Sentence, SpotKey, kind_of
from rules_engine.games.layout_bets.table import LayoutTable, Worth


class Decided(Struct, frozen=True, kw_only=True):
    """The number or the dice are known."""

    def check(self, situation: LayoutTable[Any]) -> None:
        situation.result()


class BetsDecided(Struct, frozen=True, kw_only=True):
    """The number or the dice are known, and somebody has bet."""

    def check(self, situation: LayoutTable[Any]) -> None:
        situation.result()
        situation.check_some_bet()


class PrizeTraced(BetsDecided, frozen=True, kw_only=True):
    """A player receives this prize; the question is which of the bets earned it."""

    player: Place
    prize: Worth


class StakeTouched(Struct, frozen=True, kw_only=True):
    """The result is known. A player wants to do something with the chips on a spot."""

    player: Place
    spot: SpotKey
    wish: str

    def check(self, situation: LayoutTable[Any]) -> None:
        situation.result()
        situation.check_bet(self.player, self.spot)

    def narrated(self, situation: LayoutTable[Any]) -> list[Sentence]:
        return [(f"incident.{kind_of(self)}_{self.wish}", {"player": self.player, **situation.layout.named(self.spot)})]


class PrizeSeen(Struct, frozen=True, kw_only=True):
    """A player with a single bet has been paid. `with_stake`: the sum includes the stake."""

    stake: Worth
    paid: Worth
    with_stake: bool = False

    @property
    def prize(self) -> int:
        """What was paid without the stake."""
        return self.paid - self.stake if self.with_stake else self.paid

    def narration(self) -> list[Sentence]:
        form = "with_stake" if self.with_stake else "alone"
        return [(f"incident.prize_seen_{form}", {"stake": self.stake, "paid": self.paid})]
