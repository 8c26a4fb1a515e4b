"""The cussec table: the facts that every incident, drawing and narration shares.

Seats are numbered along the board; `4a` stands behind seat 4.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    Face,
    ImpossibleFacts,
    Place,
    Sentence,
    Utterance,
    check_calls,
    check_present,
    manner,
)
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.layout import LAYOUT, Chance
from rules_engine.games.layout_bets import table
from rules_engine.games.layout_bets.table import Count, LayoutTable, Worth, check_bets

# A triple pays many times what a chip may be worth.
Prize = Annotated[int, Meta(ge=1, le=1_000_000_000_000)]
# A face of a die or a total, which names a zone.
Number = Annotated[int, Meta(ge=1, le=18)]
Dice = tuple[Face, ...]
DICE = 3  # in every throw, under every rulebook
PARTS = ("croupier", "panel")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done, in order; the panel lights up by itself."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["covers", "presses", "lights", "rings", "closed", "opening", "lifts", "void"]
    amount: None = None  # no call of this game names a sum


class Bet(table.Bet, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of one value of one player in one zone. `numbers` name the zone; small, big and any triple have none."""

    player: Place
    chance: Chance
    numbers: tuple[Number, ...] = ()
    count: Count
    value: Worth

    @property
    def spot(self) -> str:
        return layout.spot(self.chance, self.numbers)


class Incident(situation.Incident, frozen=True):
    """Something that happened at a cussec table. `tells_dice`: its story tells the dice even if they are covered."""

    tells_dice: ClassVar[bool] = False

    def sayable(self, situation: "Situation") -> Sequence[Utterance]:
        """The announcements to choose from. They depend on what everybody sees, never on the ruling."""
        return ()

    def lit(self) -> tuple[str, ...]:
        """The zones that the dealer has lit up."""
        return ()

    def seen(self) -> tuple[int, ...]:
        """The faces that are visible before the result is announced."""
        return ()

    def stacked(self) -> int:
        """How many dice are stacked."""
        return 0

    def tilted(self) -> bool:
        """Whether the last die does not lie flat."""
        return False

    def covered(self, situation: "Situation") -> bool:
        """Whether the dome covers the dice: by default until somebody has seen them."""
        return not (situation.dice or self.seen())

    def dark(self, situation: "Situation") -> bool:
        """Whether it matters that the panel has not lit up yet."""
        return False


class Situation(LayoutTable[Bet], frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play. `dice` are the upper faces once the dome is lifted; empty before."""

    game: ClassVar[str] = "cussec"
    layout: ClassVar = LAYOUT

    bets: tuple[Bet, ...] = ()
    dice: Dice = ()
    calls: tuple[Call, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        check_bets(self.bets, present)
        if self.dice and len(self.dice) != DICE:
            raise ImpossibleFacts("dice", "a throw has three dice")
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def result(self) -> Dice:
        if not self.dice:
            raise ImpossibleFacts("dice", "nobody has seen the dice yet")
        return self.dice

    def likely(self, key: str) -> Sequence[Any]:
        return self.incident.sayable(self) if key == "announcement" else ()

    def opening(self) -> list[Sentence]:
        shown: list[Sentence] = [("table.dice", {"dice": self.dice})] if self.dice and not self.covered() else []
        return self.bets_told() + shown

    def sequel(self) -> list[Sentence]:
        later = self.dice and self.covered() and not self.incident.tells_dice
        return [("table.dice_later", {"dice": self.dice})] if later else []

    def covered(self) -> bool:
        return self.incident.covered(self)

    def faces(self) -> tuple[int, ...]:
        """The faces that are visible at this moment."""
        return () if self.covered() else tuple(self.dice or self.incident.seen())

    def plain_facts(self) -> set[str]:
        return super().plain_facts() | ({"dice"} if self.dice else set())

    def figures(self, name: str) -> Sequence[int]:
        """What the offered chips would win at some of the prices."""
        stake = getattr(self.incident, "count", 0) * getattr(self.incident, "value", 0)
        return [stake * times for times in (1, 5, 6, 12, 30)] if name == "most_prize" else ()

    def involved(self) -> set[str]:
        """Also how it happened, which chances have chips, and how inspected dice are made."""
        found = super().involved() | manner(self.incident, self.people()) | {f"on {bet.chance}" for bet in self.bets}
        if edges := getattr(self.incident, "edges", ()):
            found |= {f"edges {len(set(edges))}", f"opposite {getattr(self.incident, 'opposite', ())}"}
        return found

    def about(self, name: str, ref: str) -> Sentence:
        if name == "late_prize":
            return "question.late_prize", {"wish": getattr(self.incident, "wish", "")}
        return super().about(name, ref)
