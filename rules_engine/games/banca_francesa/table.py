"""The table of banca francesa: the facts that every incident, drawing and narration shares.

Seats are numbered clockwise from the dealer's left; `4a` stands behind seat 4.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    After,
    Face,
    ImpossibleFacts,
    Place,
    Seated,
    Sentence,
    SpotKey,
    Sum,
    Throw,
    check_calls,
    check_present,
    manner,
    staying,
)
from rules_engine.games.banca_francesa.layout import PLACE_ON_CLOTH, SPOTS, on_line

DICE = 3  # what a throw is written with; how many a set has is the law's
Chance = Literal["aces", "small", "big"]
Count = Annotated[int, Meta(ge=1, le=500)]
Worth = Annotated[int, Meta(ge=1, le=10_000_000, description="what one chip is worth")]
PARTS = ("croupier", "thrower", "inspector")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done in turn."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["place_bets", "throws", "aces", "small", "big"]
    amount: None = None  # nobody calls a sum


class Bet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The chips of one player on one spot."""

    player: Place
    spot: SpotKey
    count: Count
    value: Worth

    @property
    def amount(self) -> int:
        return self.count * self.value

    @property
    def chance(self) -> str:
        return SPOTS[self.spot].chance

    @property
    def halved(self) -> bool:
        return on_line(self.spot)


class Incident(situation.Incident, frozen=True):
    """Something that happened at a table of banca francesa. `tells` names the facts of the table its story needs."""

    tells: ClassVar[tuple[Literal["minimum", "seats"], ...]] = ()

    def astray(self) -> tuple[str, ...]:
        """Where the first dice of the throw are, one after another, if not at rest in the arena: `floor`, `cup`."""
        return ()

    def flat(self, dice: Throw) -> Throw:
        """What is read of the dice that lie flat and by themselves in the arena."""
        return dice

    def left_lying(self, situation: "Situation") -> "tuple[Bet, ...]":
        """The chips that are still on the cloth."""
        return situation.bets

    def moving(self) -> bool:
        """Whether the dice are still on their way, so that nobody can tell what they show."""
        return False


class Situation(Seated, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play: `minimum` is the table's least bet, `dice` what they show in the arena."""

    game: ClassVar[str] = "banca_francesa"

    minimum: Sum
    bets: tuple[Bet, ...] = ()
    dice: tuple[Face, ...] = ()
    calls: tuple[Call, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        if not self.minimum:
            raise ImpossibleFacts("minimum", "a table has a least bet")
        if len(self.dice) not in (0, DICE):
            raise ImpossibleFacts("dice", "three dice are thrown")
        _check_bets(self.bets, present)
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def left(self, after: After) -> dict[str, Any]:
        """Losing bets are collected, of those on a line their half; winning ones lie on."""
        return {"bets": staying(self.bets, after.payments)} if after.payments else {}

    def opening(self) -> list[Sentence]:
        sentences: list[Sentence] = []
        if "minimum" in self.incident.tells:
            sentences.append(("table.minimum", {"minimum": self.minimum}))
        if "seats" in self.incident.tells:
            sentences.append(("table.round", {}))
        players = dict.fromkeys(bet.player for bet in self.bets)
        sentences += [("table.bets", {"by": one, "bets": list(map(told, self.bets_of(one)))}) for one in players]
        if flat := self.incident.flat(self.dice):
            which = "dice" if len(flat) == DICE else "dice_one" if len(flat) == 1 else "dice_some"
            sentences.append((f"table.{which}", {"dice": flat}))
        return sentences

    def every(self, stem: str) -> Sequence[str]:
        """`prize.` stands for everybody who has a bet, `pays.` for every spot with chips on it."""
        if stem == "prize.":
            return sorted({bet.player for bet in self.bets})
        if stem == "pays.":
            return on_cloth({bet.spot for bet in self.bets})
        return super().every(stem)

    def about(self, name: str, ref: str) -> Sentence:
        if name == "pays" and ref:
            return "question.pays", {"spot": ref}
        if name == "largest_bet":
            return "question.largest_bet", {"player": getattr(self.incident, "player", "")}
        if name == "announcement":
            return "question.announcement_chance", {}
        return super().about(name, ref)

    def offered(self, name: str) -> Sequence[str]:
        """Any spot may be where a bet belongs; whoever has chips on the cloth may be collected from."""
        return tuple(SPOTS) if name == "put_where" else self.every("prize.")

    def involved(self) -> set[str]:
        """Also how it happened, and which spots have chips on them."""
        return super().involved() | manner(self.incident, self.people()) | {f"on {bet.spot}" for bet in self.bets}

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        if name == "spot" and value:
            return [f"spot:{value}"]
        return super().pointed(name, kind, value)

    def on(self, spot: str) -> list[Bet]:
        """All the chips on one spot."""
        return [bet for bet in self.bets if bet.spot == spot]

    def bets_of(self, player: str) -> list[Bet]:
        return [bet for bet in self.bets if bet.player == player]


def _check_bets(bets: tuple[Bet, ...], present: set[str]) -> None:
    seen: set[tuple[str, str]] = set()
    for index, bet in enumerate(bets):
        if bet.player not in present:
            raise ImpossibleFacts(f"bets[{index}].player", "nobody is at {place}", place=bet.player)
        check_spot(bet.spot, f"bets[{index}].spot")
        if (bet.player, bet.spot) in seen:
            raise ImpossibleFacts(f"bets[{index}]", "the chips of a player on one spot are one bet")
        seen.add((bet.player, bet.spot))


def check_spot(key: str, fact: str) -> None:
    if key not in SPOTS:
        raise ImpossibleFacts(fact, "the cloth has no spot {spot}", spot=key)


def check_at_table(situation: Situation, player: str) -> None:
    if player not in situation.people():
        raise ImpossibleFacts("incident.player", "nobody is at {place}", place=player)


def check_thrown(situation: Situation) -> Throw:
    """What the dice show, where an incident needs it."""
    if not situation.dice:
        raise ImpossibleFacts("dice", "no dice have been thrown")
    return situation.dice


def check_not_thrown(situation: Situation) -> None:
    if situation.dice:
        raise ImpossibleFacts("dice", "the dice have not been thrown yet, or nobody sees what they show")


def check_bets(situation: Situation) -> None:
    if not situation.bets:
        raise ImpossibleFacts("bets", "nobody has bet")


def on_cloth(spots: Iterable[str]) -> list[str]:
    """Spots in the order of the cloth."""
    return sorted(spots, key=PLACE_ON_CLOTH.__getitem__)


def told(bet: Bet) -> dict[str, Any]:
    """What a sentence needs to tell of chips on a spot."""
    return {"count": bet.count, "value": bet.value, "spot": bet.spot}
