"""The ponto e banca table: the facts that every incident, drawing and narration of the banked game shares.

A situation shows one board. Seats are numbered as at chemin de fer, from the croupier's right round to his left, so the
first player at his left has the highest number. `4a` stands in the gap beside seat 4 and plays with that seat.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from msgspec import Struct, structs

from rules_engine import situation
from rules_engine.authoring import (
    After,
    ImpossibleFacts,
    Place,
    Sentence,
    Sum,
    check_calls,
    check_cards,
    check_present,
    kind_of,
)
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.hands import TwoHands
from rules_engine.games.ponto_banca.books import PACKS
from rules_engine.games.ponto_banca.calls import CROUPIER, Call

Kind = Literal["single", "double"]

Chance = Literal["ponto", "banker", "tie", "ponto_pair", "banker_pair"]
Side = Literal["ponto", "banker"]
OTHER: dict[str, Side] = {"ponto": "banker", "banker": "ponto"}
SIDES: tuple[Side, ...] = ("ponto", "banker")
PAIRS: tuple[Chance, ...] = ("ponto_pair", "banker_pair")


class Bet(Struct, frozen=True):
    """Chips of one player on one chance."""

    player: Place
    on: Chance
    amount: Sum


class Incident(situation.Incident, frozen=True):
    """Something that happened at a ponto e banca table. `own` lists the questions that it words itself."""

    own: ClassVar[tuple[str, ...]] = ()
    # Whether anybody bets meanwhile; if not, the limits of the table are not mentioned.
    betting: ClassVar[bool] = True

    def sorts(self, situation: "Situation") -> set[str]:
        """What kind of case it is to a trainee, besides who is involved: the kinds of bets, what was done wrong."""
        return set()

    def told(self, situation: "Situation") -> list[Sentence]:
        """What has to be told first because the words depend on the table, such as a double one."""
        return []

    def asked(self, name: str, situation: "Situation") -> Sentence | None:
        """The sentence of a question that this kind of incident words itself, if any."""
        return (f"question.{name}_{kind_of(self)}", structs.asdict(self)) if name in self.own else None


class Situation(TwoHands, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `minimum` is the minimum bet; `max_gap` the largest difference between ponto and bank bets fixed for the table, if
    any.
    """

    game: ClassVar[str] = "ponto_banca"

    calls: tuple[Call, ...] = ()
    table: Kind = "single"
    minimum: Sum = 0
    max_gap: Sum = 0
    bets: tuple[Bet, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        for index, bet in enumerate(self.bets):
            if bet.player not in present:
                raise ImpossibleFacts(f"bets[{index}].player", "nobody is at {place}", place=bet.player)
            if not bet.amount:
                raise ImpossibleFacts(f"bets[{index}].amount", "a bet of nothing")
        check_cards(self, PACKS[self.table])
        self.incident.check(self)
        check_calls(self.calls, present, parts=(CROUPIER,))

    def left(self, after: After) -> dict[str, Any]:
        """Losing bets are collected. Winning bets go on belonging to their owners (18), and after a tie all bets do
        (17 s2): they stay where they are until somebody takes them."""
        if not after.payments:
            return super().left(after)
        lost = {(one.payer, one.spot) for one in after.payments if one.payee == "house"}
        return super().left(after) | {"bets": tuple(bet for bet in self.bets if (bet.player, bet.on) not in lost)}

    def every(self, stem: str) -> Sequence[str]:
        """`prize.` stands for everybody who has a bet."""
        return sorted({bet.player for bet in self.bets}) if stem == "prize." else super().every(stem)

    def figures(self, name: str) -> Sequence[int]:
        """Sums to choose from where a chance has no maximum."""
        return (self.minimum, self.max_gap // 10, self.max_gap) if name == "largest_bet" else ()

    def involved(self) -> set[str]:
        return super().involved() | self.incident.sorts(self)

    def about(self, name: str, ref: str) -> Sentence:
        """Cards are identified by where they lie, everything else in the words of the kind of incident."""
        if name == "fate" and ref:
            heap, _, number = ref.partition(".")
            unseen = "_unseen" if ref in self.hidden else ""
            return f"question.fate_{heap}{unseen}", {"number": number, "card": self.card(ref), "ref": ref}
        told = self.incident.asked(name, self)
        return told or super().about(name, ref)

    def opening(self) -> list[Sentence]:
        sentences: list[Sentence] = []
        if not self.incident.betting:
            sentences.append((f"table.{self.table}_only", {}))
        elif self.minimum:
            sentences.append((f"table.{self.table}", {"minimum": self.minimum}))
        if self.max_gap and self.incident.betting:
            sentences.append(("table.max_gap", {"gap": self.max_gap}))
        for player in dict.fromkeys(bet.player for bet in self.bets):
            mine = [{"on": bet.on, "amount": bet.amount} for bet in self.bets if bet.player == player]
            sentences.append(("table.bet", {"by": player, "bets": mine}))
        return sentences + self.incident.told(self)

    def total(self, on: str) -> int:
        """All the chips on one chance."""
        return sum(bet.amount for bet in self.bets if bet.on == on)


def is_pair(cards: tuple[str, ...]) -> bool:
    """Whether the first two cards have the same rank, whatever their suits."""
    return cards[0][0] == cards[1][0]


def loses(on: Chance, ponto: tuple[str, ...], banker: tuple[str, ...]) -> bool:
    """Whether the house takes a bet on this chance when the coup ends with these hands; a tie leaves bets on a side."""
    if on in PAIRS:
        return not is_pair(ponto if on == "ponto_pair" else banker)
    if on == "tie":
        return score(ponto) != score(banker)
    return score(ponto) < score(banker) if on == "ponto" else score(banker) < score(ponto)
