"""What part IV does not decide: chips put down late, a wrong chance announced, a prize doubted afterwards.

What wins and what it pays follow from IV 9 to 14.
"""

from typing import Any, ClassVar, Literal

from msgspec import structs

from rules_engine.authoring import After, Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, Throw, variant
from rules_engine.games.banca_francesa.betting import ChipsPut
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, case_table, domain, rule
from rules_engine.games.banca_francesa.layout import CHANCES, LINES
from rules_engine.games.banca_francesa.payout import wrong_sums
from rules_engine.games.banca_francesa.setting import CROWDS, POOLS, any_chance, chips, picture
from rules_engine.games.banca_francesa.settlement import (
    NONE,
    chance_of,
    explain,
    explain_chance,
    explain_lines,
    explain_prize,
    outcomes,
    settle,
)
from rules_engine.games.banca_francesa.table import Bet, Chance, Incident, Situation
from rules_engine.games.layout_bets import corrections
from rules_engine.games.layout_bets.corrections import CORRECTIONS, decide_correction, doubt
from rules_engine.games.layout_bets.settlement import of_player, paid_on

When = Literal["cup_standing", "cup_raised", "rolling", "at_rest"]
WHENS: tuple[When, ...] = ("cup_standing", "cup_raised", "rolling", "at_rest")
# The moments at which each house still takes a bet.
IN_TIME: dict[str, tuple[When, ...]] = {"until_cup": WHENS[:1], "until_dice": WHENS[:2]}
Done = Literal["announced", "collected", "paid"]
DONE: tuple[Done, ...] = ("announced", "collected", "paid", "paid")
Dice = Literal["lying", "lifted"]

domain("correction", *CORRECTIONS)


class LateChips(ChipsPut, Incident, frozen=True, tag="late_chips"):
    """A player puts chips on a spot at this moment; the dice are those that are seen in the end."""

    when: When

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.check_player(self.player)
        situation.layout.check(self.spot, "incident.spot")

    def told(self, dice: Throw) -> Throw:
        """They are told with the incident."""
        return ()

    def shown(self, dice: Throw) -> Throw:
        return dice if self.when == "at_rest" else ()

    def moving(self) -> bool:
        return self.when == "rolling"

    def narrated(self, situation: Situation) -> list[Sentence]:
        values = {"player": self.player, "spot": self.spot, "count": self.count, "value": self.value}
        moment: Sentence = (f"incident.late_{self.when}", {"dice": situation.dice})
        put: Sentence = ("incident.late_chips", values)
        seen = self.when == "at_rest"
        return [moment, put] if seen else [moment, put, ("incident.late_dice", {"dice": situation.dice})]


class WrongChance(Incident, frozen=True, tag="wrong_chance"):
    """The dealer announced this chance, and a player says that it is wrong. `done` is the last thing the dealer did.
    Of lifted dice only a recording can tell what they showed."""

    asks_chance: ClassVar = "chance_counts"

    announced: Chance
    done: Done
    dice_are: Dice
    recorded: bool = False

    def check(self, situation: Situation) -> None:
        situation.check_some_bet()
        if self.known:
            situation.result()
        else:
            situation.check_not_thrown()

    @property
    def known(self) -> bool:
        """Whether anybody can still say what the dice showed."""
        return self.dice_are == "lying" or self.recorded

    def shown(self, dice: Throw) -> Throw:
        return dice if self.dice_are == "lying" else ()

    def narrated(self, situation: Situation) -> list[Sentence]:
        found: list[Sentence] = [
            ("incident.wrong_chance", {"announced": self.announced}),
            (f"incident.chance_{self.done}", {}),
        ]
        if self.dice_are == "lying":
            return [*found, ("incident.dice_still_there", {})]
        form = "recorded" if self.recorded else "unrecorded"
        return [*found, (f"incident.dice_gone_{form}", {"dice": situation.dice})]


class PrizeDoubted(corrections.PrizeDoubted, Incident, frozen=True, tag="prize_doubted"):
    """A player was paid this sum on a winning bet, and later somebody doubts that it was right."""

    def told(self, dice: Throw) -> Throw:
        return dice

    def shown(self, dice: Throw) -> Throw:
        """For the next bets the dice go back into the cup."""
        return dice if self.found == "prize_lying" else ()


@rule(LateChips, BANCA)
def late_chips(s: Situation, incident: LateChips, r: Reasoning) -> None:
    allowed = incident.when in IN_TIME[r.procedure]
    r.pivot("late_chips", f"{r.procedure}_{'in_time' if allowed else 'too_late'}", by=incident.player)
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    chance = chance_of(r.book, s.result())
    put = Bet(player=incident.player, spot=incident.spot, count=incident.count, value=incident.value)
    (one,) = outcomes(r.book, [put], chance)
    explain_chance(r, s.result(), pivot=allowed and not paid_on([one]))
    if allowed:
        explain(r, [one])
    wrong = [*wrong_sums(r, [one]), put.amount]
    r.amount("late_prize", paid_on([one]) if allowed else 0, tempting=wrong, critical=True)
    others = outcomes(r.book, s.bets, chance)
    settle(r, chance, [*others, one] if allowed else others)


@rule(WrongChance, BANCA)
def wrong_chance(s: Situation, incident: WrongChance, r: Reasoning) -> None:
    thrown = chance_of(r.book, s.dice) if incident.known else ""
    if thrown == NONE:
        raise ImpossibleFacts("dice", "no chance has won that could be announced")
    if incident.known:
        explain_chance(r, s.dice, pivot=True)
    by_dice = incident.known and (r.procedure == "dice_count" or incident.done != "paid")
    if thrown == incident.announced:
        r.pivot("wrong_chance", "announced_right", chance=incident.announced)
    else:
        why = "dice_unknown" if not incident.known else "dice_decide" if by_dice else "paid_stands"
        r.pivot("wrong_chance", why, chance=incident.announced)
    chance = thrown if by_dice else incident.announced
    r.choice("chance", chance, critical=True, tempting=[incident.announced, *([thrown] if thrown else [])])
    settled = outcomes(r.book, s.bets, chance)
    explain(r, settled)
    for player in s.every("prize."):
        mine = of_player(settled, player)
        r.amount(f"prize.{player}", paid_on(mine), tempting=wrong_sums(r, mine), critical=True)
    settle(r, chance, settled)


@rule(PrizeDoubted, BANCA)
def prize_doubted(s: Situation, incident: PrizeDoubted, r: Reasoning) -> None:
    chance = chance_of(r.book, s.result())
    mine = of_player(outcomes(r.book, s.bets, chance), incident.player, incident.spot)
    if not paid_on(mine):
        raise ImpossibleFacts(
            "incident.spot",
            "{player:player} has won nothing on {spot:spot}",
            player=incident.player,
            spot=incident.spot,
        )
    explain_chance(r, s.result(), pivot=False)
    explain_lines(r, mine)
    explain_prize(r, mine[0])
    r.amount("due", paid_on(mine), tempting=[incident.paid, *wrong_sums(r, mine)], critical=True)
    decide_correction(r, incident, paid_on(mine))
    r.after(After(marks={"chance": chance}))


# ---------- cases ----------


@case("procedures", {BANCA: "late_chips"})
def chips_put_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """On the chance that wins, more often than not. Harder: on a line, among chips of others."""
    chance = any_chance(draw, difficulty)
    facts = picture(draw, book, difficulty, chance=chance, must=(draw.pick(CHANCES),))
    spots = [spot for spot in dict.fromkeys(POOLS[max(3, difficulty)]) if difficulty >= 3 or spot in CHANCES]
    won = [spot for spot in spots if spot == chance or spot == LINES.get(chance)]
    spot = draw.pick(won) if draw.chance(0.7) else draw.pick(spots)
    player = str(draw.pick(facts["seats"]))
    facts["bets"] = tuple(bet for bet in facts["bets"] if bet.player != player or bet.spot != spot)
    put = chips(draw, book, facts, player=player, spot=spot, crowd=CROWDS[difficulty])
    when = draw.pick((*WHENS[:2], *WHENS))
    incident = LateChips(player=player, spot=spot, count=put.count, value=put.value, when=when)
    return Situation(**facts, incident=incident)


@case_table(
    "procedures",
    variant("chance_announced_wrongly", {BANCA: "wrong_chance"}, dice_are=("lying", "lying", "lifted")),
    variant("chance_after_the_dice_are_gone", {BANCA: "wrong_chance"}, dice_are=("lifted",)),
)
def _announced(draw: Draw, book: Rulebook, difficulty: int, dice_are: tuple[Dice, ...]) -> Situation:
    """Now and then the announcement was right. Harder: more bets, some of them on lines."""
    chance: Chance = draw.pick(("small", "big", "small", "big", "aces"))
    other: Chance = draw.pick([one for one in NAMES if one != chance])
    must = (draw.pick((chance, other)), draw.pick((chance, other)))
    facts = picture(draw, book, difficulty, chance=chance, must=must)
    incident = WrongChance(
        announced=other if draw.chance(0.8) else chance,
        done=draw.pick(DONE),
        dice_are=draw.pick(dice_are),
        recorded=draw.chance(0.5),
    )
    if incident.dice_are == "lying":
        incident = structs.replace(incident, recorded=False)
    return Situation(**facts | ({} if incident.known else {"dice": ()}), incident=incident)


NAMES: tuple[Chance, ...] = ("aces", "small", "big")


@case_table(
    "procedures",
    variant("prize_on_a_field_doubted", {BANCA: "prize_doubted"}, lines=False),
    variant("prize_on_a_line_doubted", {BANCA: "prize_doubted"}, lines=True),
)
def _doubted(draw: Draw, book: Rulebook, difficulty: int, *, lines: bool) -> Situation:
    """Paid with the bet, a line paid in full, or too little."""
    chance = draw.pick(tuple(LINES)) if lines else any_chance(draw, difficulty)
    spot = LINES[chance] if lines else chance
    facts = picture(draw, book, difficulty, chance=chance, must=(spot,))
    bet = draw.pick([bet for bet in facts["bets"] if bet.spot == spot])
    (one,) = outcomes(book, [bet], chance)
    found: dict[str, Any] = doubt(
        draw, one.prize, [one.prize + one.stake, one.prize + bet.amount], [one.prize - one.stake, one.prize // 2]
    )
    unit = book.table.values[-1]
    found["paid"] = max(unit, found["paid"] // unit * unit)
    return Situation(**facts, incident=PrizeDoubted(player=bet.player, spot=bet.spot, **found))
