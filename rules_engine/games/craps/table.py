"""The craps table: the facts that every incident, drawing and narration shares.

Places are numbered from the stickman's left onwards; `4a` stands behind place 4.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, structs

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    After,
    Face,
    ImpossibleFacts,
    Place,
    Sentence,
    Sum,
    Utterance,
    check_calls,
    check_present,
    manner,
    staying,
)
from rules_engine.games.craps import layout
from rules_engine.games.craps.layout import LAYOUT, Chance, Number, Point, named
from rules_engine.games.layout_bets import table
from rules_engine.games.layout_bets.table import Count, LayoutTable, Worth, check_bets, check_minimum, won_on

Bar = Literal["sixes", "aces"]
DICE = 2  # in every throw; the law says so too
PARTS = ("stickman", "inspector")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done, in order."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["offers_dice", "declines"]
    amount: None = None  # no call of this game names a sum


class Bet(table.Bet, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of one value of one player on one spot. `number` is the number the bet lies on, 0 if none."""

    player: Place
    chance: Chance
    number: Number = 0
    count: Count
    value: Worth

    @property
    def spot(self) -> str:
        return layout.key_of(self.chance, self.number)


# Facts of the table that a narration may mention.
Told = Literal["minimum", "point", "bar"]


class Incident(situation.Incident, frozen=True):
    """Something that happened at a craps table. `tells` names the facts of the table that the narration mentions."""

    tells: ClassVar[tuple[Told, ...]] = ("point", "bar")
    # Whether the players take winning bets off the cloth with their prizes.
    winners_leave: ClassVar[bool] = False

    def sayable(self, situation: "Situation") -> Sequence[Utterance]:
        """The announcements to choose from. They depend on what everybody sees, never on the ruling."""
        return ()

    def settled_later(self) -> bool:
        """Whether the throw counts and its bets are settled after this ruling, not by it."""
        return False


class Situation(LayoutTable[Bet], frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `minimum` is the least bet. `point` is where the marker stands; None before the first throw of a series. `dice` are
    the last throw, with the point as it was before it. `bar` is the pair that is void for don't pass.
    """

    game: ClassVar[str] = "craps"
    layout: ClassVar = LAYOUT

    minimum: Sum
    bar: Bar = "sixes"
    point: Point | None = None
    shooter: Place | None = None
    bets: tuple[Bet, ...] = ()
    dice: tuple[Face, ...] = ()
    calls: tuple[Call, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        check_minimum(self.minimum)
        if self.shooter is not None and self.shooter not in present:
            raise ImpossibleFacts("shooter", "nobody is at {place}", place=self.shooter)
        if self.dice and len(self.dice) != DICE:
            raise ImpossibleFacts("dice", "two dice are thrown")
        check_bets(self.bets, present)
        _check_with_point(self.bets, self.point)
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def result(self) -> tuple[int, ...]:
        if not self.dice:
            raise ImpossibleFacts("dice", "nothing has been thrown")
        return self.dice

    @property
    def total(self) -> int:
        return sum(self.dice)

    def left(self, after: After) -> dict[str, Any]:
        """The marker is moved, the dice are taken up, losing bets collected and come bets moved.

        A winning bet lies on where it could be made again; otherwise its owner gets it back with the prize. While a
        throw still has to settle bets, nothing has changed.
        """
        marker = after.marks.get("marker")
        if marker is None:
            return {}
        point = int(marker) if marker.isdigit() else None
        if self.incident.settled_later() and not self._only_waits(point):
            return {}
        won = won_on(after)
        lying = (
            bet
            for bet in staying(self.bets, after.payments)
            if (bet.player, bet.spot) not in won or self._lies_on(bet, point)
        )
        return {"point": point, "dice": (), "bets": tuple(_moved(bet, after.marks.get(bet.spot, "")) for bet in lying)}

    def _only_waits(self, point: int | None) -> bool:
        """Whether every bet is on the line and waits for the point that stands after the throw."""
        return point is not None and all(bet.chance in (*layout.LINES, *layout.LINE_ODDS) for bet in self.bets)

    def _lies_on(self, bet: Bet, point: int | None) -> bool:
        """Whether a winning bet stays as a new one: odds and come bets in a number cannot begin where they lie."""
        if self.incident.winners_leave or self.taken(bet) or bet.chance in layout.ODDS:
            return False
        return bet.chance not in layout.COMES or (not bet.number and point is not None)

    @property
    def one_off(self) -> bool:
        """Whether the second die has left the table."""
        return bool(getattr(self.incident, "off", False))

    @property
    def between(self) -> int:
        """The other face of the second die if it stands on an edge, so that nobody can read it; else 0."""
        return int(getattr(self.incident, "between", 0))

    def likely(self, key: str) -> Sequence[Any]:
        return self.incident.sayable(self) if key == "announcement" else ()

    def opening(self) -> list[Sentence]:
        sentences: list[Sentence] = []
        tells = self.incident.tells
        if "minimum" in tells:
            sentences.append(("table.minimum", {"minimum": self.minimum}))
        if "bar" in tells and any(bet.chance in ("dont-pass", "dont-come") for bet in self.bets):
            sentences.append((f"table.bar_{self.bar}", {}))
        if "point" in tells:
            sentences.append(("table.no_point" if self.point is None else "table.point", {"point": self.point}))
        if self.shooter is not None:
            sentences.append(("table.shooter", {"by": self.shooter}))
        sentences += self.bets_told()
        return [*sentences, *self.thrown()]

    def thrown(self) -> list[Sentence]:
        """What the dice show, if they have been thrown."""
        if not self.dice:
            return []
        form = "table.dice_off" if self.one_off else "table.dice_edge" if self.between else "table.dice"
        one, other = self.dice
        return [(form, {"one": one, "other": other, "total": self.total, "between": self.between})]

    def also_spoken(self) -> tuple[str, ...]:
        """VI 13.3: also in English, if possible."""
        return ("en",)

    def plain_facts(self) -> set[str]:
        return super().plain_facts() | ({"thrown"} if self.dice else set())

    def involved(self) -> set[str]:
        """Also how it happened, which chances have chips, whether there is a point, the bar, and the kind of total."""
        found = super().involved() | manner(self.incident, self.people())
        found |= {f"on {bet.chance}{' number' if bet.number else ''}" for bet in self.bets}
        found |= {f"bar {self.bar}" for bet in self.bets if bet.chance in ("dont-pass", "dont-come") and not bet.number}
        if self.dice:
            kinds = {7: "seven", 11: "eleven", 2: "craps", 3: "craps", 12: "craps", self.point: "the point"}
            found.add(f"total: {kinds.get(self.total, 'a box')}")
        return found | ({"point"} if self.point else set())

    def about(self, name: str, ref: str) -> Sentence:
        if name == "largest_bet":
            spot = layout.KEYS[getattr(self.incident, "chance", "pass-odds"), getattr(self.incident, "number", 0)]
            return "question.largest_bet", {"player": getattr(self.incident, "player", ""), **named(spot)}
        if name == "allowed" and situation.kind_of(self.incident) == "bet_with_dice_out":
            return "question.allowed_late", {}
        return super().about(name, ref)

    def offered(self, name: str) -> Sequence[str]:
        """Spots with chips on them; for a bet that moves, the boxes of its side."""
        if name == "lies_on":
            side = getattr(self.incident, "side", "come")
            return [f"{side}.{number}" for number in layout.BOXES]
        return super().offered(name)

    def told(self, bet: Bet) -> dict[str, Any]:
        """Come bets on a number can be older than the series; the sentence says so."""
        earlier = self.point is None and bool(bet.number) and bet.chance in (*layout.COMES, *layout.COME_ODDS)
        return {"since": "earlier" if earlier else "now", **super().told(bet)}

    def staked(self, player: str, chance: str, number: int = 0) -> int:
        """The total that a player has on a spot."""
        mine = (bet for bet in self.bets if (bet.player, bet.chance, bet.number) == (player, chance, number))
        return sum(bet.amount for bet in mine)


def _moved(bet: Bet, spot: str) -> Bet:
    """The bet after moving to a spot; unchanged if the spot is empty."""
    if not spot:
        return bet
    to = layout.SPOTS[spot]
    return structs.replace(bet, chance=to.chance, number=sum(to.numbers))


def _check_with_point(bets: tuple[Bet, ...], point: int | None) -> None:
    """Raise ImpossibleFacts if a bet cannot be up at this point, or odds exceed the bet they belong to."""
    staked: dict[tuple[str, str, int], int] = {}
    for index, bet in enumerate(bets):
        where = (bet.player, bet.chance, bet.number)
        staked[where] = staked.get(where, 0) + bet.amount
        if point is None and (bet.chance in layout.LINE_ODDS or (bet.chance in layout.COMES and not bet.number)):
            raise ImpossibleFacts(f"bets[{index}].chance", "such a bet is only possible while there is a point")
        if bet.number == point and bet.chance in (*layout.COMES, *layout.COME_ODDS):
            # The throw that made the point decided every such bet on that number.
            raise ImpossibleFacts(f"bets[{index}].number", "a come bet cannot be on the point itself")
    for (player, chance, number), amount in staked.items():
        if chance in layout.PARENTS and amount > staked.get((player, layout.PARENTS[chance], number), 0):
            raise ImpossibleFacts("bets", "{player:player} has more odds than the bet they belong to", player=player)
