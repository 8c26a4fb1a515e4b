"""The roulette table: the facts that every incident, drawing and narration of both roulettes shares.

Seats are numbered along the cloth from the wheel; `4a` stands behind seat 4.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, structs

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    After,
    ImpossibleFacts,
    Payment,
    Place,
    Sentence,
    Sum,
    Utterance,
    check_calls,
    check_present,
)
from rules_engine.games.layout_bets import table
from rules_engine.games.layout_bets.table import Count, LayoutTable, Worth, check_bets, check_minimum
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.layout import LAYOUT, Chance, Pocket

Wheel = Literal["french", "american"]
# Chips without face value: each player has a colour.
ChipColour = Literal["green", "blue", "pink", "orange", "violet", "grey", "beige", "turquoise"]
PARTS = ("croupier", "inspector")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done, in order."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["place_bets", "close_order", "closed", "throws"]
    amount: None = None  # no call of this game names a sum


class Bet(table.Bet, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of one value of one player on one spot.

    `numbers` are the numbers it covers; for dozens and columns, which of the three; empty for the even chances.
    """

    player: Place
    chance: Chance
    numbers: tuple[Pocket, ...] = ()
    count: Count
    value: Worth

    @property
    def spot(self) -> str:
        return layout.spot(self.chance, self.numbers)


class ColourChips(Struct, frozen=True):
    """The colour of a player's chips, and what each chip is worth."""

    player: Place
    colour: ChipColour
    value: Worth


class Astray(Struct, frozen=True):
    """Chips in doubt. `owner` is empty if nobody knows whose they are; `towards` is the other spot that they touch."""

    spot: str
    count: int
    value: int
    owner: str = ""
    towards: str = ""


# Facts of the table that a narration may mention; `number_later`: the number came out after the incident.
# `number_itself`: the incident tells it.
Told = Literal["minimum", "number", "number_itself", "number_later", "seated", "wheel"]


class Incident(situation.Incident, frozen=True):
    """Something that happened at a roulette table.

    `tells` names the facts of the table that the narration mentions. `unseen` names what must not be drawn because it
    would show the answer.
    """

    tells: ClassVar[tuple[Told, ...]] = ("minimum",)
    # The sentence that asks for the announcement due at this moment.
    announced: ClassVar[str] = "question.announcement_now"
    unseen: ClassVar[tuple[Literal["layout", "wheel"], ...]] = ()

    def sayable(self, situation: "Situation") -> Sequence[Utterance]:
        """The announcements to choose from. They depend on what everybody sees, never on the ruling."""
        return ()

    def sorts(self, situation: "Situation") -> set[str]:
        """What makes this case differ from others for a trainee: the kind of bet, what was done, what is wrong."""
        return set()

    def claimants(self) -> tuple[str, ...]:
        """The players who say that something is theirs."""
        return ()

    def spots(self) -> tuple[str, ...]:
        """The spots that somebody speaks of."""
        return ()

    def put_on(self, paid: Payment) -> "Bet | None":
        """Chips that belonged to no bet on the cloth, as the bet that this payment is for."""
        return None

    def marked_number(self) -> Pocket | None:
        """The number that is marked on the cloth though it is not settled that it came out."""
        return None

    def on_cloth(self) -> bool:
        """Whether the ball lies on the cloth."""
        return False

    def astray(self) -> "Astray | None":
        """Chips on the cloth that are no bet yet, because their owner or their spot is in doubt."""
        return None

    def lying(self) -> Pocket | None:
        """The pocket in which the ball is seen before a number is announced, if it lies in one."""
        return None

    def left_lying(self, situation: "Situation") -> "tuple[Bet, ...]":
        """The bets that are still on the cloth."""
        return situation.bets

    def number_marked(self) -> bool:
        """Whether the number that came out has been marked on the cloth."""
        return True

    def placed(self) -> list[tuple[str, int]]:
        """Chips that the incident mentions besides those on the cloth, as pairs of player and value of a chip."""
        return []


class Situation(LayoutTable[Bet], frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `minimum` is the least bet; `number` is the number that came out, `previous` the one of the spin before.
    `face_value`: where players have colours, a player without one plays with chips of face value.
    """

    game: ClassVar[str] = "roulette"
    layout: ClassVar = LAYOUT

    wheel: Wheel = "french"
    minimum: Sum
    bets: tuple[Bet, ...] = ()
    number: Pocket | None = None
    previous: Pocket | None = None
    colours: tuple[ColourChips, ...] = ()
    face_value: bool = False
    calls: tuple[Call, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        check_minimum(self.minimum)
        check_bets(self.bets, present)
        _check_colours(self.colours, present)
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def result(self) -> int:
        if self.number is None:
            raise ImpossibleFacts("number", "no number is out yet")
        return self.number

    def left(self, after: After) -> dict[str, Any]:
        """Losing bets are collected, winning bets stay, chips knocked over lie where they are paid, and a number that
        is marked is the one that came out."""
        found = super().left(after)
        if back := [bet for one in after.payments if (bet := self.incident.put_on(one))]:
            found["bets"] = joined((*found["bets"], *back))
        marker = after.marks.get("marker")
        return found if marker is None else found | {"number": int(marker)}

    def likely(self, key: str) -> Sequence[Any]:
        return self.incident.sayable(self) if key == "announcement" else ()

    def opening(self) -> list[Sentence]:
        sentences: list[Sentence] = []
        tells = self.incident.tells
        if "minimum" in tells:
            sentences.append(("table.minimum", {"minimum": self.minimum}))
        if "wheel" in tells or self.wheel != "french":
            sentences.append((f"table.wheel_{self.wheel}", {}))
        if "seated" in tells:
            sentences.append(("table.seated", {"count": len(self.seats)}))
        sentences += [("table.colour", {"by": c.player, "colour": c.colour, "value": c.value}) for c in self.colours]
        sentences += self._face_value()
        sentences += self.bets_told()
        if self.previous is not None:
            sentences.append(("table.previous", {"number": self.previous}))
        if self.number is not None and not {"number_itself", "number_later"} & set(tells):
            sentences.append(("table.number", {"number": self.number}))
        return sentences

    def sequel(self) -> list[Sentence]:
        later = self.number is not None and "number_later" in self.incident.tells
        return [("table.number_later", {"number": self.number})] if later else []

    def _face_value(self) -> list[Sentence]:
        """Whose chips have no colour, if that must be said."""
        worths = {chips.player: chips.value for chips in self.colours}
        placed = [(bet.player, bet.value) for bet in self.bets] + self.incident.placed()
        others = any(worths.get(player) != value for player, value in placed)
        if self.colours:
            return [("table.face_value_others", {})] if others else []
        return [("table.face_value", {})] if others and self.face_value else []

    def involved(self) -> set[str]:
        return super().involved() | self.incident.sorts(self)

    def plain_facts(self) -> set[str]:
        return super().plain_facts() | ({"number"} if self.number is not None else set())

    def about(self, name: str, ref: str) -> Sentence:
        if name == "announcement":
            return self.incident.announced, {}
        if name == "largest_bet":
            player, spot = getattr(self.incident, "player", ""), getattr(self.incident, "spot", None)
            adds = any((bet.player, bet.spot) == (player, spot) for bet in self.bets)
            return f"question.{'largest_bet_more' if adds else 'largest_bet'}", {"player": player}
        return super().about(name, ref)

    def figures(self, name: str) -> Sequence[int]:
        """Numbers to choose from when the ball goes back nowhere and nothing is marked."""
        near = (self.previous, getattr(self.incident, "over", None), getattr(self.incident, "number", None), 0)
        return [number for number in near if number is not None] if name in ("ball_back", "marker") else ()

    def every(self, stem: str) -> Sequence[str]:
        """`gets.` stands for everybody who claims something."""
        return self.incident.claimants() if stem == "gets." else super().every(stem)

    def candidates(self, name: str) -> Sequence[str]:
        return self.incident.claimants() if name == "owner" else super().candidates(name)

    def offered(self, name: str) -> Sequence[str]:
        """Spots with chips on them or that somebody named; players with bets."""
        if name == "pay_order":
            return self.spots_with_bets()
        if name in ("put_back", "counts_on"):
            return self.layout.in_order(set(self.incident.spots()))
        return self.every("prize.") if name == "paid_order" else super().offered(name)

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        """A number is its own spot."""
        return super().pointed("spot" if name == "number" else name, kind, value)

    def colour_of(self, player: str) -> ColourChips | None:
        return next((chips for chips in self.colours if chips.player == player), None)


def bet_on(spot: str, player: str, count: int, value: int) -> Bet:
    """A bet by the key of its spot."""
    place = layout.at(spot)
    return Bet(player=player, chance=place.chance, numbers=place.numbers, count=count, value=value)


def joined(bets: tuple[Bet, ...]) -> tuple[Bet, ...]:
    """The bets, with chips of one value of one player on one spot as one bet."""
    found: dict[tuple[str, str, int], Bet] = {}
    for bet in bets:
        key = (bet.player, bet.spot, bet.value)
        found[key] = structs.replace(bet, count=bet.count + found[key].count) if key in found else bet
    return tuple(found.values())


def _check_colours(colours: tuple[ColourChips, ...], present: set[str]) -> None:
    for index, chips in enumerate(colours):
        if chips.player not in present:
            raise ImpossibleFacts(f"colours[{index}].player", "nobody is at {place}", place=chips.player)
    if len({chips.player for chips in colours}) != len(colours):
        raise ImpossibleFacts("colours", "a player has two colours")
    if len({chips.colour for chips in colours}) != len(colours):
        raise ImpossibleFacts("colours", "two players have one colour")
