"""The chemin de fer table: one model of the facts that every incident, drawing and narration shares.

Places: `4` is the player in seat 4; `4a`, `4b` stand behind him and to his right, in order of arrival. Seats run
counter-clockwise from the croupier's right, so "to the right" of a player is the next higher number, 9 wrapping to 1.
"""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from rules_engine import situation
from rules_engine.errors import ImpossibleFacts
from rules_engine.situation import SEATS, Call, Place, Seat, Sum, Table, check_cards, check_present, kind_of

__all__ = [
    "DECKS",
    "SEATS",
    "Call",
    "Claim",
    "Incident",
    "Place",
    "Seat",
    "Side",
    "Situation",
    "Stake",
    "Sum",
    "incidents",
    "kind_of",
    "situation_from",
]

DECKS = 6

Claim = Literal["banco", "banco_table", "stake"]
Side = Literal["ponto", "banker"]


class Stake(Struct, frozen=True, omit_defaults=True):
    """Chips in front of a place. On the line they play half unless the player said otherwise."""

    player: Place
    amount: Sum
    line: bool = False


class Incident(situation.Incident, frozen=True):
    """Something that happened at a chemin de fer table. `tells` names sums of the table worth telling with it."""

    tells: ClassVar[tuple[Literal["minimum", "unit", "garage"], ...]] = ()


class Situation(Table, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `bank` is the capital in play, `minimum` the table's least bank and `unit` its least stake, `wins` the coups this
    banker has won. `holder` plays the ponto's cards by the right of `claim`; `by_table` says who is bound to play by
    the table.
    """

    game: ClassVar[str] = "chemin_de_fer"

    banker: Place
    bank: Sum = 0
    minimum: Sum = 0
    unit: Sum = 0
    wins: Annotated[int, Meta(ge=0)] = 0
    garage: Sum = 0
    stakes: tuple[Stake, ...] = ()
    holder: Place | None = None
    claim: Claim | None = None
    by_table: tuple[Side, ...] = ()
    foreigners: bool = False
    incident: Incident

    def __post_init__(self) -> None:
        _check_places(self)
        check_cards(self, DECKS)
        self.incident.check(self)

    def also_spoken(self) -> tuple[str, ...]:
        return ("fr", "en") if self.foreigners else ()

    def opening(self) -> list[tuple[str, dict[str, Any]]]:
        sentences: list[tuple[str, dict[str, Any]]] = []
        if self.bank:
            sentences.append(("table.bank", {"banker": self.banker, "bank": self.bank}))
        if self.holder:
            sentences.append((f"table.holder_{self.claim or 'stake'}", {"holder": self.holder}))
        sentences.extend((f"table.by_table_{side}", {}) for side in self.by_table)
        if self.foreigners:
            sentences.append(("table.foreigners", {}))
        sums = {"minimum": self.minimum, "unit": self.unit, "garage": self.garage}
        sentences.extend((f"table.{name}", {name: sums[name]}) for name in self.incident.tells if sums[name])
        return sentences


def _check_places(s: Situation) -> None:
    present = check_present(s.seats, s.standing)
    if s.banker not in present:
        raise ImpossibleFacts("banker", f"nobody is at {s.banker}")
    if s.holder is not None and s.holder not in present:
        raise ImpossibleFacts("holder", f"nobody is at {s.holder}")
    if s.holder == s.banker:
        raise ImpossibleFacts("holder", "the banker cannot hold the ponto's cards")
    for index, stake in enumerate(s.stakes):
        if stake.player not in present:
            raise ImpossibleFacts(f"stakes[{index}].player", f"nobody is at {stake.player}")
        if stake.player == s.banker:
            raise ImpossibleFacts(f"stakes[{index}].player", "the banker does not stake against himself")


def incidents() -> dict[str, type[situation.Incident]]:
    """Every kind of incident at chemin de fer, by name."""
    return situation.kinds(Incident)


def situation_from(data: object) -> Situation:
    """A situation from plain data (parsed JSON), or an error that says which fact is wrong."""
    return situation.read(data, Situation, incidents())
