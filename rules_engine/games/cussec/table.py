"""The cussec table: the facts that every incident, drawing and narration shares.

Seats are numbered along the board; `4a` stands behind seat 4.
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
    check_calls,
    check_present,
    manner,
    staying,
)
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.layout import PLACE_ON_BOARD, Chance

Count = Annotated[int, Meta(ge=1, le=500)]
Worth = Annotated[int, Meta(ge=1, le=10_000_000, description="what one chip is worth")]
# A triple earns many times what a chip may be worth.
Prize = Annotated[int, Meta(ge=1, le=1_000_000_000_000)]
# What a zone is named by: a face of a die, or a total.
Number = Annotated[int, Meta(ge=1, le=18)]
Dice = tuple[Face, ...]
DICE = 3  # what a throw has, by every rulebook
PARTS = ("croupier", "panel")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done in turn; the panel lights up by itself."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["covers", "presses", "lights", "rings", "closed", "opening", "lifts", "void"]
    amount: None = None  # nobody calls a sum


class Bet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of one worth of one player in one zone. `numbers` name it; small, big and any triple have none."""

    player: Place
    chance: Chance
    numbers: tuple[Number, ...] = ()
    count: Count
    value: Worth

    @property
    def amount(self) -> int:
        return self.count * self.value

    @property
    def spot(self) -> str:
        """The key of the zone on the board."""
        return layout.KEYS.get((self.chance, self.numbers)) or layout.spot(self.chance, self.numbers)


class Incident(situation.Incident, frozen=True):
    """Something that happened at a cussec table."""

    def lit(self) -> tuple[str, ...]:
        """The zones that have been lit up, before anybody rules on anything."""
        return ()

    def seen(self) -> tuple[int, ...]:
        """What is seen of the dice before the result is announced."""
        return ()

    def stacked(self) -> int:
        """How many dice lie on one another."""
        return 0

    def covered(self, situation: "Situation") -> bool:
        """Whether the black dome is on: by default as long as nobody has seen the dice."""
        return not (situation.dice or self.seen())


class Situation(Seated, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play. `dice` are what the upper faces show once the dome is lifted; none before."""

    game: ClassVar[str] = "cussec"

    bets: tuple[Bet, ...] = ()
    dice: Dice = ()
    calls: tuple[Call, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        _check_bets(self.bets, present)
        if self.dice and len(self.dice) != DICE:
            raise ImpossibleFacts("dice", "a throw is of three dice")
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def left(self, after: After) -> dict[str, Any]:
        """Losing bets are collected, winning ones lie on."""
        return {"bets": staying(self.bets, after.payments)} if after.payments else {}

    def opening(self) -> list[Sentence]:
        sentences: list[Sentence] = [
            ("table.bets", {"by": player, "bets": [told(bet) for bet in self.bets_of(player)]})
            for player in dict.fromkeys(bet.player for bet in self.bets)
        ]
        if self.dice and not self.covered():
            sentences.append(("table.dice", {"dice": self.dice}))
        return sentences

    def sequel(self) -> list[Sentence]:
        return [("table.dice_later", {"dice": self.dice})] if self.dice and self.covered() else []

    def covered(self) -> bool:
        return self.incident.covered(self)

    def faces(self) -> tuple[int, ...]:
        """What is seen of the dice at this moment."""
        return () if self.covered() else tuple(self.dice or self.incident.seen())

    def plain_facts(self) -> set[str]:
        return super().plain_facts() | ({"dice"} if self.dice else set())

    def every(self, stem: str) -> Sequence[str]:
        """`prize.` stands for everybody who has a bet, `pays.` for every zone with chips in it."""
        if stem == "prize.":
            return sorted({bet.player for bet in self.bets})
        if stem == "pays.":
            return on_board({bet.spot for bet in self.bets})
        return super().every(stem)

    def figures(self, name: str) -> Sequence[int]:
        """What chips that are offered would bring at some of the prices that there are."""
        stake = getattr(self.incident, "count", 0) * getattr(self.incident, "value", 0)
        return [stake * times for times in (1, 5, 6, 12, 30)] if name == "most_prize" else ()

    def involved(self) -> set[str]:
        """Also how it happened, which chances have chips, and how dice that are looked at are made."""
        found = super().involved() | manner(self.incident, self.people()) | {f"on {bet.chance}" for bet in self.bets}
        if edges := getattr(self.incident, "edges", ()):
            found |= {f"edges {len(set(edges))}", f"opposite {getattr(self.incident, 'opposite', ())}"}
        return found

    def about(self, name: str, ref: str) -> Sentence:
        if name == "pays" and ref:
            return "question.pays", {"ref": ref, **named(ref)}
        if name == "late_prize":
            return "question.late_prize", {"wish": getattr(self.incident, "wish", "")}
        return super().about(name, ref)

    def offered(self, name: str) -> Sequence[str]:
        """Zones with chips in them; which zone is lit wrongly is pointed out on the whole board."""
        return on_board({bet.spot for bet in self.bets}) if name == "paid_spot" else ()

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        """`spot` is a key of the board."""
        if name == "spot" and value:
            return [f"spot:{value}"]
        return super().pointed(name, kind, value)

    def on(self, spot: str) -> list[Bet]:
        """All the chips in one zone."""
        return [bet for bet in self.bets if bet.spot == spot]

    def bets_of(self, player: str) -> list[Bet]:
        return [bet for bet in self.bets if bet.player == player]


def _check_bets(bets: tuple[Bet, ...], present: set[str]) -> None:
    seen: set[tuple[str, str, int]] = set()
    for index, bet in enumerate(bets):
        if bet.player not in present:
            raise ImpossibleFacts(f"bets[{index}].player", "nobody is at {place}", place=bet.player)
        try:
            chips = (bet.player, bet.spot, bet.value)
        except ImpossibleFacts as error:
            raise error.within(f"bets[{index}]") from None
        if chips in seen:
            raise ImpossibleFacts(f"bets[{index}]", "chips of one worth in one zone are one bet")
        seen.add(chips)


def check_at_table(situation: Situation, player: str) -> None:
    if player not in situation.people():
        raise ImpossibleFacts("incident.player", "nobody is at {place}", place=player)


def check_shown(situation: Situation) -> Dice:
    """What the dice show, where an incident needs it."""
    if not situation.dice:
        raise ImpossibleFacts("dice", "nobody has seen the dice yet")
    return situation.dice


def check_bets(situation: Situation) -> None:
    if not situation.bets:
        raise ImpossibleFacts("bets", "nobody has bet")


def check_spot(key: str, fact: str) -> None:
    if key not in layout.SPOTS:
        raise ImpossibleFacts(fact, "the board has no zone {spot}", spot=key)


def on_board(spots: Iterable[str]) -> list[str]:
    """Zones in the order of the board: small and big first, single numbers last."""
    return sorted(spots, key=PLACE_ON_BOARD.__getitem__)


def named(spot: str) -> dict[str, Any]:
    """What a sentence needs to name a zone: `{name:spot}{at}`."""
    place = layout.SPOTS[spot]
    numbers = "-".join(map(str, place.numbers))
    return {"spot": spot, "name": place.chance, "at": f" {numbers}" if numbers else ""}


def told(bet: Bet) -> dict[str, Any]:
    """What a sentence needs to tell of chips in a zone."""
    return {"count": bet.count, "value": bet.value, **named(bet.spot)}
