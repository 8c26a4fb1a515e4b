"""The ponto e banca table: the facts that every incident, drawing and narration of the banked game shares.

A situation shows one board. Seats are numbered as at chemin de fer, from the croupier's right round to his left, so the
first player at his left has the highest number. `4a` stands in the gap beside seat 4 and plays with that seat.
"""

from typing import Any, ClassVar, Literal

from msgspec import Struct

from rules_engine import situation
from rules_engine.errors import ImpossibleFacts
from rules_engine.situation import Place, Sum, Table, check_cards, check_present

Kind = Literal["single", "double"]
# What lies in the shoe under every text: no table shows more copies of a card.
DECKS: dict[Kind, int] = {"single": 6, "double": 8}

Chance = Literal["ponto", "banker", "tie", "ponto_pair", "banker_pair"]
Side = Literal["ponto", "banker"]
OTHER: dict[str, Side] = {"ponto": "banker", "banker": "ponto"}


class Bet(Struct, frozen=True):
    """Chips of one player on one chance."""

    player: Place
    on: Chance
    amount: Sum


class Incident(situation.Incident, frozen=True):
    """Something that happened at a ponto e banca table."""


class Situation(Table, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `minimum` is the table's least bet; `max_gap` the largest difference between ponto and bank bets that was fixed for
    it, where one was.
    """

    game: ClassVar[str] = "ponto_banca"

    table: Kind = "single"
    minimum: Sum = 0
    max_gap: Sum = 0
    bets: tuple[Bet, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        for index, bet in enumerate(self.bets):
            if bet.player not in present:
                raise ImpossibleFacts(f"bets[{index}].player", f"nobody is at {bet.player}")
            if not bet.amount:
                raise ImpossibleFacts(f"bets[{index}].amount", "a bet of nothing")
        check_cards(self, DECKS[self.table])
        self.incident.check(self)

    def opening(self) -> list[tuple[str, dict[str, Any]]]:
        sentences: list[tuple[str, dict[str, Any]]] = []
        if self.minimum:
            sentences.append((f"pb_table.{self.table}", {"minimum": self.minimum}))
        if self.max_gap:
            sentences.append(("pb_table.max_gap", {"gap": self.max_gap}))
        sentences += [("pb_table.bet", {"by": bet.player, "on": bet.on, "amount": bet.amount}) for bet in self.bets]
        return sentences

    def total(self, on: str) -> int:
        """All the chips on one chance."""
        return sum(bet.amount for bet in self.bets if bet.on == on)


def incidents() -> dict[str, type[situation.Incident]]:
    """Every kind of incident at ponto e banca, by name."""
    return situation.kinds(Incident)


def situation_from(data: object) -> Situation:
    """A situation from plain data (parsed JSON), or an error that says which fact is wrong."""
    return situation.read(data, Situation, incidents())
