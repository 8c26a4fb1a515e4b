"""The table of banca francesa: the facts that every incident, drawing and narration shares.

Seats are numbered clockwise from the dealer's left; `4a` stands behind seat 4.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import Meta

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    Face,
    ImpossibleFacts,
    Place,
    Sentence,
    SpotKey,
    Sum,
    Throw,
    Utterance,
    check_calls,
    check_present,
    manner,
)
from rules_engine.games.banca_francesa.layout import LAYOUT, SPOTS, on_line
from rules_engine.games.layout_bets import table
from rules_engine.games.layout_bets.table import Count, LayoutTable, Worth, check_minimum

DICE = 3  # in a throw; the law says how many a set has
Chance = Literal["aces", "small", "big"]
PARTS = ("croupier", "thrower", "inspector")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done, in order."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["place_bets", "throws", "aces", "small", "big"]
    amount: None = None  # no call of this game names a sum


class Bet(table.Bet, frozen=True, kw_only=True, omit_defaults=True):
    """The chips of one player on one spot."""

    player: Place
    spot: SpotKey
    count: Count
    value: Worth

    @property
    def chance(self) -> str:
        return SPOTS[self.spot].chance

    @property
    def halved(self) -> bool:
        """Whether only half of the chips are played (IV 11)."""
        return on_line(self.spot)


class Incident(situation.Incident, frozen=True):
    """Something that happened at the table. `tells` names the facts of the table that the narration mentions."""

    tells: ClassVar[tuple[Literal["minimum", "seats"], ...]] = ()
    # The words that ask for the chance: which has won, or which counts.
    asks_chance: ClassVar[str] = "chance"

    def astray(self) -> tuple[str, ...]:
        """What happened to the first, second and third die if they are not flat in the arena: `floor`, `stacked`."""
        return ()

    def told(self, dice: Throw) -> Throw:
        """The faces that the story tells before the incident: by default those that lie flat and apart."""
        return self.flat(dice)

    def flat(self, dice: Throw) -> Throw:
        """The faces of the dice that lie flat and apart in the arena at this moment."""
        return self.shown(dice)

    def shown(self, dice: Throw) -> Throw:
        """The faces of the dice that are in the arena at this moment; by default all that are known."""
        return dice

    def left_lying(self, situation: "Situation") -> "tuple[Bet, ...]":
        """The bets that are still on the cloth."""
        return situation.bets

    def moving(self) -> bool:
        """Whether the dice are still moving, so that nobody can read them."""
        return False


class Situation(LayoutTable[Bet], frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play. `minimum` is the least bet, `dice` are the faces in the arena."""

    game: ClassVar[str] = "banca_francesa"
    layout: ClassVar = LAYOUT

    minimum: Sum
    bets: tuple[Bet, ...] = ()
    dice: tuple[Face, ...] = ()
    calls: tuple[Call, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        check_minimum(self.minimum)
        if len(self.dice) not in (0, DICE):
            raise ImpossibleFacts("dice", "three dice are thrown")
        _check_bets(self.bets, present)
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def result(self) -> Throw:
        if not self.dice:
            raise ImpossibleFacts("dice", "no dice have been thrown")
        return self.dice

    def likely(self, key: str) -> Sequence[Any]:
        """Whatever the dice show, one of the three chances or nothing is announced."""
        return [Utterance(one, {"points": sum(self.dice)}) for one in get_args(Chance)] if key == "announcement" else ()

    def opening(self) -> list[Sentence]:
        sentences: list[Sentence] = []
        if "minimum" in self.incident.tells:
            sentences.append(("table.minimum", {"minimum": self.minimum}))
        if "seats" in self.incident.tells:
            sentences.append(("table.round", {}))
        sentences += self.bets_told()
        if flat := self.incident.told(self.dice):
            which = "dice" if len(flat) == DICE else "dice_one" if len(flat) == 1 else "dice_some"
            sentences.append((f"table.{which}", {"dice": flat}))
        return sentences

    def about(self, name: str, ref: str) -> Sentence:
        if name == "largest_bet":
            return "question.largest_bet", {"player": getattr(self.incident, "player", "")}
        if name == "announcement":
            return "question.announcement_chance", {}
        if name == "chance":
            return f"question.{self.incident.asks_chance}", {}
        return super().about(name, ref)

    def offered(self, name: str) -> Sequence[str]:
        """A bet may belong on any spot; chips are collected from players with bets."""
        return tuple(SPOTS) if name == "put_where" else self.every("prize.")

    def involved(self) -> set[str]:
        """Also how it happened, and which spots have chips on them."""
        return super().involved() | manner(self.incident, self.people()) | {f"on {bet.spot}" for bet in self.bets}

    def check_not_thrown(self) -> None:
        if self.dice:
            raise ImpossibleFacts("dice", "the dice have not been thrown yet, or nobody sees what they show")


def _check_bets(bets: tuple[Bet, ...], present: set[str]) -> None:
    seen: set[tuple[str, str]] = set()
    for index, bet in enumerate(bets):
        if bet.player not in present:
            raise ImpossibleFacts(f"bets[{index}].player", "nobody is at {place}", place=bet.player)
        LAYOUT.check(bet.spot, f"bets[{index}].spot")
        if (bet.player, bet.spot) in seen:
            raise ImpossibleFacts(f"bets[{index}]", "the chips of a player on one spot are one bet")
        seen.add((bet.player, bet.spot))
