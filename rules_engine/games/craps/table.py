"""The craps table: the facts that every incident, drawing and narration shares.

Places are numbered from the stickman's left onwards; `4a` stands behind place 4.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, structs

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    After,
    Face,
    ImpossibleFacts,
    Place,
    Seated,
    Sentence,
    Sum,
    check_calls,
    check_present,
    manner,
    staying,
)
from rules_engine.games.craps import layout
from rules_engine.games.craps.layout import Chance, Number, Point

Bar = Literal["sixes", "aces"]
Count = Annotated[int, Meta(ge=1, le=500)]
Worth = Annotated[int, Meta(ge=1, le=10_000_000, description="what one chip is worth")]
DICE = 2  # in every throw; the law says so too
PARTS = ("stickman", "inspector")


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done in turn."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["offers_dice", "declines"]
    amount: None = None  # nobody calls a sum


class Bet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of one worth of one player on one spot. `number` is the number that it lies on, 0 where it has none."""

    player: Place
    chance: Chance
    number: Number = 0
    count: Count
    value: Worth

    @property
    def amount(self) -> int:
        return self.count * self.value

    @property
    def spot(self) -> str:
        """The key of the spot on the layout."""
        return layout.KEYS.get((self.chance, self.number)) or layout.key_of(self.chance, self.number)


# Facts of the table that a story may need told.
Told = Literal["minimum", "point", "bar"]


class Incident(situation.Incident, frozen=True):
    """Something that happened at a craps table. `tells` names the facts of the table that its story needs."""

    tells: ClassVar[tuple[Told, ...]] = ("point", "bar")


class Situation(Seated, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `minimum` is the table's least bet; `point` where the marker stands, none before the first throw of a series; `dice`
    what has just been thrown, with the point as it was before; `bar` the pair that is void for don't pass.
    """

    game: ClassVar[str] = "craps"

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
        if not self.minimum:
            raise ImpossibleFacts("minimum", "a table has a least bet")
        if self.shooter is not None and self.shooter not in present:
            raise ImpossibleFacts("shooter", "nobody is at {place}", place=self.shooter)
        if self.dice and len(self.dice) != DICE:
            raise ImpossibleFacts("dice", "two dice are thrown")
        _check_bets(self.bets, present, self.point)
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    @property
    def total(self) -> int:
        return sum(self.dice)

    def left(self, after: After) -> dict[str, Any]:
        """The marker stands where it is put, the dice are taken up, losing bets are collected and come bets moved."""
        marker = after.marks.get("marker")
        if marker is None:
            return {}
        bets = tuple(_moved(bet, after.marks.get(bet.spot, "")) for bet in staying(self.bets, after.payments))
        return {"point": int(marker) if marker.isdigit() else None, "dice": (), "bets": bets}

    @property
    def one_off(self) -> bool:
        """Whether the second of the dice lies beside the table."""
        return bool(getattr(self.incident, "off", False))

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
        sentences += [
            ("table.bets", {"by": player, "bets": [told(bet, self.point) for bet in self.bets_of(player)]})
            for player in dict.fromkeys(bet.player for bet in self.bets)
        ]
        if self.dice:
            values = {"one": self.dice[0], "other": self.dice[1], "total": self.total}
            sentences.append(("table.dice_off" if self.one_off else "table.dice", values))
        return sentences

    def also_spoken(self) -> tuple[str, ...]:
        """13.3: in English too, when possible."""
        return ("en",)

    def plain_facts(self) -> set[str]:
        return super().plain_facts() | ({"thrown"} if self.dice else set())

    def every(self, stem: str) -> Sequence[str]:
        """`prize.` stands for everybody who has a bet, `ends.` and `pays.` for every spot with chips on it."""
        if stem == "prize.":
            return sorted({bet.player for bet in self.bets})
        if stem in ("ends.", "pays."):
            return in_layout({bet.spot for bet in self.bets})
        return super().every(stem)

    def involved(self) -> set[str]:
        """Also how it happened, which chances have chips, whether there is a point, the bar, and what kind of total."""
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
        if name in ("pays", "ends") and ref:
            return f"question.{name}", {"ref": ref, **named(ref)}
        return super().about(name, ref)

    def offered(self, name: str) -> Sequence[str]:
        """Spots with chips on them; of a bet that moves, the boxes of its side."""
        if name == "lies_on":
            side = getattr(self.incident, "side", "come")
            return [f"{side}.{number}" for number in layout.BOXES]
        return in_layout({bet.spot for bet in self.bets}) if name == "paid_spot" else ()

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        """`spot` is a key of the layout. A bare `4` would be whoever stands there."""
        if name == "spot" and value not in (None, ""):
            return [f"spot:{value}"]
        return super().pointed(name, kind, value)

    def on(self, spot: str) -> list[Bet]:
        """All the chips on one spot."""
        return [bet for bet in self.bets if bet.spot == spot]

    def bets_of(self, player: str) -> list[Bet]:
        return [bet for bet in self.bets if bet.player == player]

    def staked(self, player: str, chance: str, number: int = 0) -> int:
        """What a player has on a spot, in all."""
        mine = (bet for bet in self.bets if (bet.player, bet.chance, bet.number) == (player, chance, number))
        return sum(bet.amount for bet in mine)


def _moved(bet: Bet, spot: str) -> Bet:
    """The bet on the number where it goes, if it goes anywhere."""
    if not spot:
        return bet
    to = layout.SPOTS[spot]
    return structs.replace(bet, chance=to.chance, number=sum(to.numbers))


def _check_bets(bets: tuple[Bet, ...], present: set[str], point: int | None) -> None:
    seen: set[tuple[str, str, int]] = set()
    staked: dict[tuple[str, str, int], int] = {}
    for index, bet in enumerate(bets):
        fact = f"bets[{index}]"
        if bet.player not in present:
            raise ImpossibleFacts(f"{fact}.player", "nobody is at {place}", place=bet.player)
        try:
            chips = (bet.player, bet.spot, bet.value)
        except ImpossibleFacts as error:
            raise error.within(fact) from None
        if chips in seen:
            raise ImpossibleFacts(fact, "chips of one worth on one spot are one bet")
        seen.add(chips)
        where = (bet.player, bet.chance, bet.number)
        staked[where] = staked.get(where, 0) + bet.amount
        _check_with_point(bet, fact, point)
    for (player, chance, number), amount in staked.items():
        if chance in layout.PARENTS and amount > staked.get((player, layout.PARENTS[chance], number), 0):
            raise ImpossibleFacts(
                "bets", "{player:player} has more odds than the bet that they belong to", player=player
            )


def _check_with_point(bet: Bet, fact: str, point: int | None) -> None:
    if point is None and (bet.chance in layout.LINE_ODDS or (bet.chance in layout.COMES and not bet.number)):
        raise ImpossibleFacts(f"{fact}.chance", "such a bet lies there only while there is a point")
    if bet.number == point and bet.chance in (*layout.COMES, *layout.COME_ODDS):
        # The throw that made the point decided every such bet on that number.
        raise ImpossibleFacts(f"{fact}.number", "no come bet lies on the point itself")


def check_at_table(situation: Situation, player: str) -> None:
    if player not in situation.people():
        raise ImpossibleFacts("incident.player", "nobody is at {place}", place=player)


def check_thrown(situation: Situation) -> None:
    """Dice on the table and somebody with a bet, where an incident needs both."""
    if not situation.dice:
        raise ImpossibleFacts("dice", "nothing has been thrown")
    if not situation.bets:
        raise ImpossibleFacts("bets", "nobody has bet")


def in_layout(spots: Iterable[str]) -> list[str]:
    """Spots in the order of the cloth: the line first, the field last."""
    return sorted(spots, key=layout.PLACE_IN_LAYOUT.__getitem__)


def named(spot: str) -> dict[str, Any]:
    """What a sentence needs to name a spot: `{name:spot}{at}`."""
    chance, _, number = spot.partition(".")
    return {"spot": spot, "name": chance, "at": f" {number}" if number else ""}


def told(bet: Bet, point: int | None) -> dict[str, Any]:
    """What a sentence needs to tell of chips on a spot; come bets on a number outlive the series that they began in."""
    earlier = point is None and bool(bet.number) and bet.chance in (*layout.COMES, *layout.COME_ODDS)
    return {"count": bet.count, "value": bet.value, "since": "earlier" if earlier else "now", **named(bet.spot)}
