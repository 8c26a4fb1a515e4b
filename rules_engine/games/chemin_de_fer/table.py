"""The chemin de fer table: one model of the facts that every incident, drawing and narration shares.

Places: `4` is the player in seat 4; `4a`, `4b` stand behind him and to his right, in order of arrival. Seats run
counter-clockwise from the croupier's right, so "to the right" of a player is the next higher number, 9 wrapping to 1.
"""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from rules_engine import situation
from rules_engine.equipment.cards import check_cards
from rules_engine.equipment.places import Place, Seat, check_calls, check_present
from rules_engine.errors import ImpossibleFacts
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.hands import TwoHands
from rules_engine.games.chemin_de_fer.books import DECKS, NATURALS, SEATS
from rules_engine.games.chemin_de_fer.calls import PARTS, WITH_SUM, Call, Says
from rules_engine.situation import Sentence, Sum, kind_of

__all__ = [
    "DECKS",
    "SEATS",
    "Call",
    "Claim",
    "Incident",
    "Place",
    "Says",
    "Seat",
    "Side",
    "Situation",
    "Stake",
    "Sum",
    "alone",
    "is_natural",
    "kind_of",
]

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


class Situation(TwoHands, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `bank` is the capital in play, `minimum` the table's least bank and `unit` its least stake, `wins` the coups this
    banker has won. `holder` plays the ponto's cards by the right of `claim`; `by_table` says who is bound to play by
    the table.
    """

    game: ClassVar[str] = "chemin_de_fer"

    calls: tuple[Call, ...] = ()
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
        present = _check_places(self)
        check_cards(self, DECKS)
        self.incident.check(self)
        check_calls(self.calls, present, parts=PARTS, with_sum=WITH_SUM)

    def also_spoken(self) -> tuple[str, ...]:
        return ("fr", "en") if self.foreigners else ()

    def part(self, who: str) -> str | None:
        return {"banker": self.banker, "ponto": self.holder}.get(who)

    def plain_facts(self) -> set[str]:
        found = super().plain_facts()
        found |= {f"by_table:{side}" for side in self.by_table} | {f"dealt={score(self.ponto[:2])}"}
        found |= set() if self.banker.isdigit() else {"standing_banker"}
        found |= {"alone"} if alone(self) else set()
        return found | ({"banker_natural"} if is_natural(self.banker_cards) else set())

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        return [name] if kind == "amount" and name == "bank" else super().pointed(name, kind, value)

    def opening(self) -> list[Sentence]:
        sentences: list[Sentence] = []
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


def _check_places(s: Situation) -> set[str]:
    """Everybody at the table; banker, holder and stakes are of people who are there."""
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
        if not stake.amount:
            raise ImpossibleFacts(f"stakes[{index}].amount", "a stake of nothing")
    return present


def is_natural(cards: tuple[str, ...]) -> bool:
    """Eight or nine on the first two cards."""
    return len(cards) == 2 and score(cards) in NATURALS


def alone(s: Situation) -> bool:
    """Whether the ponto plays for himself only: he called bancô, or nobody else has chips on the table."""
    return s.claim == "banco" or (bool(s.stakes) and all(stake.player == s.holder for stake in s.stakes))
