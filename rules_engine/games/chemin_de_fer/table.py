"""The chemin de fer table: the facts that every incident, drawing and narration shares.

Places: `4` is the player in seat 4; `4a`, `4b` stand behind him and to his right, in order of arrival. Seats run
counter-clockwise from the croupier's right, so "to the right" of a player is the next higher number, and 1 follows 9.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, json, structs

from rules_engine import situation
from rules_engine.authoring import (
    After,
    ImpossibleFacts,
    Place,
    Reasoning,
    Rulebook,
    Seat,
    Sentence,
    Sum,
    Utterance,
    check_calls,
    check_cards,
    check_present,
    kind_of,
)
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.hands import TwoHands
from rules_engine.games.chemin_de_fer.books import DECKS, NATURALS, SEATS
from rules_engine.games.chemin_de_fer.calls import PARTS, WITH_SUM, Call, Says

__all__ = [
    "DECKS",
    "FOR_FOREIGNERS",
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
    "another_score",
    "face_up",
    "is_natural",
    "kind_of",
    "result_words",
    "shuffled",
]

# The clause that requires announcements in a second language too.
FOR_FOREIGNERS = "96 s0"
Claim = Literal["banco", "banco_table", "stake"]
Side = Literal["ponto", "banker"]


class Stake(Struct, frozen=True, omit_defaults=True):
    """Chips in front of a place. On the line they play for half, unless the player says otherwise."""

    player: Place
    amount: Sum
    line: bool = False


class Incident(situation.Incident, frozen=True):
    """Something that happened at a chemin de fer table.

    `tells` names sums of the table that its story needs, `phrased` the sentences of questions that it words itself.
    `setting_up`: it may happen before the first hand, when there is no bank on the table and nobody has the shoe.
    """

    tells: ClassVar[tuple[Literal["minimum", "unit", "garage"], ...]] = ()
    phrased: ClassVar[Mapping[str, str]] = {}
    setting_up: ClassVar[bool] = False

    def sums_told(self) -> tuple[str, ...]:
        """Those of `tells` that the facts at hand need."""
        return self.tells

    def wording(self, name: str) -> str | None:
        """The sentence of a question in its own words. It always names what is to be allowed."""
        return self.phrased.get(name, f"question.may.{self.act_asked()}" if name == "allowed" else None)

    def act_asked(self) -> str:
        """The name of the question about what is to be allowed or refused; a kind with several says which."""
        return kind_of(self)

    def partner_fact(self) -> str:
        """The fact that names a partner in the bank, or in the one just passed; empty if there is none."""
        return ""


class Situation(TwoHands, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `bank` is the capital in play, `minimum` the smallest bank of the table and `unit` its smallest stake, `wins` the
    coups this banker has won. `holder` plays the ponto's cards by the right of `claim`; `by_table` says who must play
    by the table. `foreign_language` is the language spoken to foreigners at the table.
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
    foreign_language: Literal["fr", "en"] | None = None
    incident: Incident

    def __post_init__(self) -> None:
        present = _check_places(self)
        check_cards(self, DECKS)
        self.incident.check(self)
        check_calls(self.calls, present, parts=PARTS, with_sum=WITH_SUM)

    @property
    def in_play(self) -> bool:
        """Whether somebody has the hand. While the game is set up, `banker` is only the player who will be first."""
        return bool(self.bank) or not self.incident.setting_up

    def naturals(self) -> tuple[bool, ...]:
        """In which hands a natural was dealt: whoever holds one says so, even if his cards still lie face down."""
        return tuple(is_natural(hand[:2]) for hand in (self.ponto, self.banker_cards))

    def left(self, after: After) -> dict[str, Any]:
        """What the bank won is collected. Of a losing stake on the line, which plays for a part, the rest stays, as do
        the stakes that lost nothing. The bank keeps its amount, because it depends on the deduction and on what the
        banker leaves, which are ruled on separately. Cards kept for the next coup lie face down: only unseen cards
        are."""
        found = super().left(after)
        kept = range(len(after.heap("loose")) + 1, len(after.heap("loose")) + len(after.heap("next_coup")) + 1)
        if kept:
            found["hidden"] = (*found["hidden"], *(f"loose.{number}" for number in kept))
        lost: dict[str, list[int]] = {}
        for paid in after.payments:
            if paid.payee == "bank":
                lost.setdefault(paid.payer, []).append(paid.amount)
        if not lost:
            return found
        stakes = []
        for stake in self.stakes:
            # A player's stakes are collected in the order in which they are listed.
            sums = lost.get(stake.player)
            rest = stake.amount - (sums.pop(0) if sums else 0)
            if rest > 0:
                stakes.append(structs.replace(stake, amount=rest))
        return found | {"stakes": tuple(stakes)}

    def also_spoken(self) -> tuple[str, ...]:
        return (self.foreign_language,) if self.foreign_language else ("fr", "en") if self.foreigners else ()

    def said_again(self, key: str, book: Rulebook) -> tuple[str, ...]:
        repeats = key == "announcement" and self.foreign_language and FOR_FOREIGNERS in book.law
        return (f"{key}.{self.foreign_language}",) if repeats else ()

    def conclude(self, reasoning: Reasoning) -> None:
        """An announcement is repeated to the foreigners, where the text requires it (Portugal 66 and 96)."""
        if not self.foreign_language:
            return
        said = reasoning.decided("announcement")
        for key in self.said_again("announcement", reasoning.book):
            if said:
                if not reasoning.told("settlement.also_foreign"):
                    reasoning.step(FOR_FOREIGNERS, "settlement.also_foreign")
                reasoning.again(key, said)
                reasoning.rests(key, FOR_FOREIGNERS)

    def figures(self, name: str) -> tuple[int, ...]:
        """Where no sum has to be put up, the sums that would have been offered."""
        return tuple(sum for sum in (self.minimum, self.minimum * 2, self.bank, self.bank // 2) if sum)

    def about(self, name: str, ref: str) -> Sentence:
        """An incident may word a question itself; a repeated announcement names its language."""
        if name == "announcement" and ref:
            return f"question.announcement_{ref}", {}
        sentence, values = super().about(name, ref)
        if name == "stake_paid":
            values = {"player": ref}
        if name == "priority" and any(call.says == "banco_partners" for call in self.calls):
            sentence = "question.priority_partners"
        return self.incident.wording(name) or sentence, values

    def part(self, who: str) -> str | None:
        return {"banker": self.banker, "ponto": self.holder}.get(who)

    def plain_facts(self) -> set[str]:
        found = super().plain_facts()
        found |= {f"by_table:{side}" for side in self.by_table} | {f"dealt={score(self.ponto[:2])}"}
        found |= set() if self.banker.isdigit() else {"standing_banker"}
        found |= {"alone"} if alone(self) else set()
        found |= {f"claim={self.claim}"} if self.claim else set()
        claiming = {stake.player for stake in self.stakes} | {call.by for call in self.calls if call.by[:1].isdigit()}
        found |= {"one_claims"} if len(claiming) <= 1 else set()
        return found | ({"banker_natural"} if is_natural(self.banker_cards) else set())

    def every(self, stem: str) -> Sequence[str]:
        """`stake_paid.` stands for everybody who has a stake, in the order in which they are offered."""
        if stem != "stake_paid.":
            return super().every(stem)
        staking = {stake.player for stake in self.stakes}
        return [place for place in self.people() if place in staking]

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        return [name] if kind == "amount" and name == "bank" else super().pointed(name, kind, value)

    def opening(self) -> list[Sentence]:
        sentences: list[Sentence] = []
        if self.bank:
            sentences.append(("table.bank", {"banker": self.banker, "bank": self.bank}))
        if self.holder:
            suivi = self.claim == "banco" and any(
                call.by == self.holder and call.says == "suivi" for call in self.calls
            )
            claim = "suivi" if suivi else self.claim or "stake"
            sentences.append((f"table.holder_{claim}", {"holder": self.holder}))
        sentences.extend((f"table.by_table_{side}", {}) for side in self.by_table)
        if self.foreign_language:
            sentences.append((f"table.foreigners_{self.foreign_language}", {}))
        elif self.foreigners:
            sentences.append(("table.foreigners", {}))
        sums = {"minimum": self.minimum, "unit": self.unit, "garage": self.garage}
        sentences.extend((f"table.{name}", {name: sums[name]}) for name in self.incident.sums_told() if sums[name])
        return sentences


def _check_places(s: Situation) -> set[str]:
    """Check that the banker, the holder and the owners of stakes are at the table."""
    present = check_present(s.seats, s.standing)
    if s.banker not in present:
        raise ImpossibleFacts("banker", "nobody is at {place}", place=s.banker)
    if s.holder is not None and s.holder not in present:
        raise ImpossibleFacts("holder", "nobody is at {place}", place=s.holder)
    if s.holder == s.banker:
        raise ImpossibleFacts("holder", "the banker cannot hold the ponto's cards")
    for index, stake in enumerate(s.stakes):
        if stake.player not in present:
            raise ImpossibleFacts(f"stakes[{index}].player", "nobody is at {place}", place=stake.player)
        if stake.player == s.banker:
            raise ImpossibleFacts(f"stakes[{index}].player", "the banker does not stake against himself")
        if not stake.amount:
            raise ImpossibleFacts(f"stakes[{index}].amount", "a stake of nothing")
    return present


def shuffled(s: Situation, said: Iterable[Utterance]) -> tuple[Utterance, ...]:
    """Announcements in an order that depends on the facts alone: the first few can be offered beside the right one."""
    salt = json.encode(s, order="sorted")
    return tuple(sorted(said, key=lambda one: sha256(salt + repr(one).encode()).digest()))


def another_score(s: Situation, score: int) -> int:
    """A score to offer beside that of a tie. Which one it is depends on the facts alone."""
    return (score + 1 + sha256(json.encode(s, order="sorted")).digest()[0] % 9) % 10


@cache
def result_words(one: int, other: int) -> tuple[Utterance, ...]:
    """What can be announced of two different scores: either side has the higher one, or both have the same. Each of the
    four may be right, so their forms do not tell whether the coup is a tie."""
    return (
        Utterance("result", {"ponto": one, "banker": other}),
        Utterance("result", {"ponto": other, "banker": one}),
        Utterance("tie", {"score": one}),
        Utterance("tie", {"score": other}),
    )


def is_natural(cards: tuple[str, ...]) -> bool:
    """Eight or nine on the first two cards."""
    return len(cards) == 2 and score(cards) in NATURALS


def face_up(s: Situation) -> tuple[int, ...]:
    """The numbers of the loose cards that lie face up."""
    return tuple(number for number in range(1, len(s.loose) + 1) if f"loose.{number}" not in s.hidden)


def alone(s: Situation) -> bool:
    """Whether the ponto plays only for himself: he called bancô, or nobody else has chips on the table."""
    return s.claim == "banco" or (bool(s.stakes) and all(stake.player == s.holder for stake in s.stakes))
