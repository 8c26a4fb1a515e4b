"""The roulette table: the facts that every incident, drawing and narration of both roulettes shares.

Seats are numbered along the cloth from the wheel; `4a` stands behind seat 4.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    After,
    ImpossibleFacts,
    Place,
    Seated,
    Sentence,
    Sum,
    check_calls,
    check_present,
    staying,
)
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.layout import Chance, Pocket

Wheel = Literal["french", "american"]
Count = Annotated[int, Meta(ge=1, le=500)]
Worth = Annotated[int, Meta(ge=1, le=10_000_000, description="what one chip is worth")]
# Chips without face value, a colour for each player.
ChipColour = Literal["green", "blue", "pink", "orange", "violet", "grey", "beige", "turquoise"]
PLACE_IN_LAYOUT = {key: index for index, key in enumerate(layout.spots())}


PARTS = ("croupier", "inspector")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done in turn."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["place_bets", "close_order", "closed", "throws"]
    amount: None = None  # nobody calls a sum


class Bet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of one worth of one player on one spot.

    `numbers` are those it covers; for dozens and columns which of the three; none for the even chances.
    """

    player: Place
    chance: Chance
    numbers: tuple[Pocket, ...] = ()
    count: Count
    value: Worth

    @property
    def amount(self) -> int:
        return self.count * self.value

    @property
    def spot(self) -> str:
        """The key of the spot on the layout."""
        return layout.KEYS.get((self.chance, self.numbers)) or layout.spot(self.chance, self.numbers)


class ColourChips(Struct, frozen=True):
    """What the chips of one player look like, and what each of them is worth."""

    player: Place
    colour: ChipColour
    value: Worth


# Facts of the table that a story may need told; `number_later` is a number that came out only after what is told.
Told = Literal["minimum", "number", "number_later", "seated", "wheel"]


class Incident(situation.Incident, frozen=True):
    """Something that happened at a roulette table.

    `tells` names the facts of the table that its story needs; `unseen` what of the table would show the answer.
    """

    tells: ClassVar[tuple[Told, ...]] = ("minimum",)
    # How the words are asked for that are due at this moment.
    announced: ClassVar[str] = "question.announcement_now"
    unseen: ClassVar[tuple[Literal["layout", "wheel"], ...]] = ()

    def sorts(self, situation: "Situation") -> set[str]:
        """What sort of case it is to a trainee, besides who is in it: the kind of bet, what was done, what is wrong."""
        return set()

    def spots(self) -> tuple[str, ...]:
        """The spots that somebody speaks of."""
        return ()

    def put_on(self, spot: str) -> "Bet | None":
        """Chips that were off the cloth, once they are put on a spot."""
        return None

    def lying(self) -> Pocket | None:
        """Where the ball is seen before a number is announced, if it lies in a pocket."""
        return None

    def left_lying(self, situation: "Situation") -> "tuple[Bet, ...]":
        """The chips that are still on the cloth."""
        return situation.bets

    def number_marked(self) -> bool:
        """Whether the number that is out has been marked on the cloth."""
        return True

    def placed(self) -> list[tuple[str, int]]:
        """Chips that it tells of besides those on the cloth: whose they are and what each is worth."""
        return []


class Situation(Seated, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `minimum` is the table's least bet; `number` the one that is out, `previous` that of the spin before.
    `face_value`: where players have colours, whoever has none told plays with chips of face value.
    """

    game: ClassVar[str] = "roulette"

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
        if not self.minimum:
            raise ImpossibleFacts("minimum", "a table has a least bet")
        _check_bets(self.bets, present)
        _check_colours(self.colours, present)
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def left(self, after: After) -> dict[str, Any]:
        """Losing bets are collected, winning ones lie on; and a number that is marked is out."""
        marker = after.marks.get("marker")
        number = {} if marker is None else {"number": int(marker)}
        return number | ({"bets": staying(self.bets, after.payments)} if after.payments else {})

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
        for player in dict.fromkeys(bet.player for bet in self.bets):
            sentences.append(("table.bets", {"by": player, "bets": [told(bet) for bet in self.bets_of(player)]}))
        if self.previous is not None:
            sentences.append(("table.previous", {"number": self.previous}))
        if self.number is not None and "number_later" not in tells:
            sentences.append(("table.number", {"number": self.number}))
        return sentences

    def sequel(self) -> list[Sentence]:
        later = self.number is not None and "number_later" in self.incident.tells
        return [("table.number_later", {"number": self.number})] if later else []

    def _face_value(self) -> list[Sentence]:
        """Whose chips are not of a colour that is told, where that needs saying."""
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

    def every(self, stem: str) -> Sequence[str]:
        """`prize.` stands for everybody who has a bet, `pays.` for every spot with chips on it."""
        if stem == "prize.":
            return sorted({bet.player for bet in self.bets})
        if stem == "pays.":
            return in_layout({bet.spot for bet in self.bets})
        return super().every(stem)

    def about(self, name: str, ref: str) -> Sentence:
        if name == "pays" and ref:
            return "question.pays", {"ref": ref, **named(ref)}
        if name == "announcement":
            return self.incident.announced, {}
        if name == "largest_bet":
            player, spot = getattr(self.incident, "player", ""), getattr(self.incident, "spot", None)
            adds = any((bet.player, bet.spot) == (player, spot) for bet in self.bets)
            return f"question.{'largest_bet_more' if adds else 'largest_bet'}", {"player": player}
        return super().about(name, ref)

    def figures(self, name: str) -> Sequence[int]:
        """Numbers to pick from where the ball goes back nowhere and nothing is marked."""
        near = (self.previous, getattr(self.incident, "over", None), getattr(self.incident, "number", None), 0)
        return [number for number in near if number is not None] if name in ("ball_back", "marker") else ()

    def offered(self, name: str) -> Sequence[str]:
        """Spots with chips on them or that were spoken of; players with bets. Which numbers are meant is not told."""
        if name in ("pay_order", "paid_spot"):
            return in_layout({bet.spot for bet in self.bets})
        if name == "put_back":
            return in_layout(set(self.incident.spots()))
        if name == "paid_order":
            return self.every("prize.")
        return ()

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        """`spot` is a key of the layout; a number is its own spot. A bare `4` would be whoever sits there."""
        if name in ("spot", "number") and value not in (None, ""):
            return [f"spot:{value}"]
        return super().pointed(name, kind, value)

    def on(self, spot: str) -> list[Bet]:
        """All the chips on one spot."""
        return [bet for bet in self.bets if bet.spot == spot]

    def bets_of(self, player: str) -> list[Bet]:
        return [bet for bet in self.bets if bet.player == player]

    def colour_of(self, player: str) -> ColourChips | None:
        return next((chips for chips in self.colours if chips.player == player), None)


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
            raise ImpossibleFacts(f"bets[{index}]", "chips of one worth on one spot are one bet")
        seen.add(chips)


def _check_colours(colours: tuple[ColourChips, ...], present: set[str]) -> None:
    for index, chips in enumerate(colours):
        if chips.player not in present:
            raise ImpossibleFacts(f"colours[{index}].player", "nobody is at {place}", place=chips.player)
    if len({chips.player for chips in colours}) != len(colours):
        raise ImpossibleFacts("colours", "a player has two colours")
    if len({chips.colour for chips in colours}) != len(colours):
        raise ImpossibleFacts("colours", "two players have one colour")


def check_at_table(situation: Situation, player: str) -> None:
    if player not in situation.people():
        raise ImpossibleFacts("incident.player", "nobody is at {place}", place=player)


def check_out(situation: Situation) -> int:
    """The number that is out, where an incident needs one."""
    if situation.number is None:
        raise ImpossibleFacts("number", "no number is out yet")
    return situation.number


def check_spot(key: str, fact: str) -> None:
    if key not in layout.SPOTS:
        raise ImpossibleFacts(fact, "the layout has no spot {spot}", spot=key)


def in_layout(spots: Iterable[str]) -> list[str]:
    """Spots in the order of the cloth: inside bets first, the even chances last."""
    return sorted(spots, key=PLACE_IN_LAYOUT.__getitem__)


def named(spot: str) -> dict[str, Any]:
    """What a sentence needs to name a spot: `{name:spot}{at}`."""
    chance = layout.chance(spot)
    inside = spot[0].isdigit()
    return {"spot": spot, "name": chance if inside else spot, "at": f" {spot}" if inside else ""}


def told(bet: Bet) -> dict[str, Any]:
    """What a sentence needs to tell of chips on a spot."""
    return {"count": bet.count, "value": bet.value, **named(bet.spot)}
