"""Bets put down while the dice are being thrown. Part VI does not say until when bets are taken before a throw."""

from typing import Any, ClassVar, Literal

from rules_engine.authoring import After, Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.craps import layout
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.chips import counted, worths
from rules_engine.games.craps.game import case_table, domain, rule
from rules_engine.games.craps.layout import BOXES, ONE_THROW, Chance, Number, named
from rules_engine.games.craps.setting import FEW, picture, throws_for
from rules_engine.games.craps.settlement import Fate, explain_one, outcome
from rules_engine.games.craps.table import Bet, Incident, Situation
from rules_engine.games.layout_bets.table import Count, Worth

KIND = "bet_with_dice_out"
When = Literal["in_hand", "in_air", "at_rest"]
# Bets of which part VI does not say when they may be made; those on the line only before the first throw of a series.
SIDE: tuple[Chance, ...] = ("big", "hard", *ONE_THROW)
LINES: tuple[Chance, ...] = ("pass", "dont-pass")

domain("bet_ends", "wins", "loses", "stays", "void")


class BetWithDiceOut(Incident, frozen=True, tag="bet_with_dice_out"):
    """Chips are put down after the dice were given to the shooter: still in the hand, in the air, or already at rest.

    `booked`: the dealer has repeated the bet aloud and so accepted it.
    """

    tells: ClassVar = ("minimum", "point", "bar")

    player: Place
    chance: Chance
    count: Count
    value: Worth
    when: When
    number: Number = 0
    booked: bool = False

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)
        situation.result()
        if (self.chance, self.number) not in layout.KEYS:
            raise ImpossibleFacts(
                "incident.number", "the layout has no {chance:spot} on {number}", chance=self.chance, number=self.number
            )
        if self.chance not in (SIDE if situation.point else (*SIDE, *LINES)):
            raise ImpossibleFacts("incident.chance", "part VI says when such a bet may be made")

    @property
    def offered_on(self) -> str:
        """The spot where the chips are put."""
        return layout.KEYS[self.chance, self.number]

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "count": self.count, "value": self.value, **named(self.offered_on)}
        return [
            (f"incident.dice_out_{self.when}", values),
            (f"incident.dice_out_{self._answer()}", {}),
        ]

    def _answer(self) -> str:
        if not self.booked:
            return "unanswered"
        return "booked" if self.when == "at_rest" else "booked_in_time"


@rule(BetWithDiceOut, CRAPS)
def bet_with_dice_out(s: Situation, incident: BetWithDiceOut, r: Reasoning) -> None:
    stands = _stands(incident, r.procedure)
    told = f"_{'booked' if incident.booked else 'unanswered'}" if r.procedure == "booked" else ""
    r.pivot(KIND, f"late_{r.procedure}_{incident.when}{told}")
    r.choice("allowed", "allowed" if stands else "refused", critical=True)
    bet = Bet(
        player=incident.player,
        chance=incident.chance,
        number=incident.number,
        count=incident.count,
        value=incident.value,
    )
    found = outcome(r.book, bet, dice=s.dice, point=s.point, bar=s.bar)
    if stands:
        explain_one(r, s.total, found)
        r.choice("bet_ends", found.verdict.fate)
    won, stake = max(0, found.prize), bet.amount
    r.amount("bet_prize", won if stands else 0, tempting=[0, won, stake, won + stake, 2 * stake])
    r.after(After())


def _stands(incident: BetWithDiceOut, procedure: str) -> bool:
    """Whether the bet takes part in the throw. Nobody bets on dice that can be read."""
    if procedure == "release":
        return incident.when == "in_hand"
    if procedure == "landing":
        return incident.when != "at_rest"
    return incident.booked and incident.when != "at_rest"


@case_table(
    "procedures",
    variant("bet_before_the_throw", {CRAPS: KIND}, when=one_of("in_hand", "in_hand", "in_hand", "in_air", "at_rest")),
    variant("bet_during_the_throw", {CRAPS: KIND}, when=one_of("in_hand", "in_air", "in_air", "at_rest", "at_rest")),
)
def _late(draw: Draw, book: Rulebook, difficulty: int, *, when: When) -> Situation:
    """A bet that the throw decides more often than not. Harder: more bets around it."""
    point = draw.pick(BOXES) if draw.chance(0.5) else None
    chance = draw.pick(SIDE if point else (*SIDE, *LINES, *LINES))
    number = draw.pick(layout.PRINTED.get(chance, (0,)))
    lost: tuple[Fate, ...] = draw.pick(
        (("loses",), ("stays", "loses"), ("void",) if chance == "dont-pass" else ("loses",))
    )
    wanted: tuple[Fate, ...] = ("wins",) if draw.chance(0.6) else lost
    dice = draw.pick(throws_for(book, chance, number, point, "sixes", wanted))
    facts: dict[str, Any] = picture(draw, book, difficulty, crowd=FEW[difficulty], point=point)
    spot = layout.KEYS[chance, number]
    free = [
        str(seat)
        for seat in facts["seats"]
        if not any((bet.player, bet.spot) == (str(seat), spot) for bet in facts["bets"])
    ]
    value = worths(book)[0]
    incident = BetWithDiceOut(
        player=draw.pick(free),
        chance=chance,
        number=number,
        count=counted(draw, book, chance, number, value, (1, 5)),
        value=value,
        when=when,
        booked=draw.chance(0.65),
    )
    return Situation(**facts, dice=dice, incident=incident)
