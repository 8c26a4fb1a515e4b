"""The dice lie still: what the throw does to every bet, and where a come bet goes. VI 10 to 13."""

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.families import FAMILIES, Family, Fates, thrown
from rules_engine.games.craps.game import case, domain, rule
from rules_engine.games.craps.layout import BOXES, Come
from rules_engine.games.craps.setting import Put, any_throw, picture
from rules_engine.games.craps.settlement import (
    explain,
    explain_marker,
    explain_one,
    mistaken,
    outcomes,
    paid_on,
    settle,
    taken_on,
)
from rules_engine.games.craps.table import Incident, Situation, check_thrown

domain("ends", "wins", "loses", "stays", "moves", "void")
domain("come_ends", "wins", "loses", "moves", "void")


class BetsToSettle(Incident, frozen=True, tag="bets_to_settle"):
    """The dice lie still; the dealer looks at the cloth spot by spot."""

    def check(self, situation: Situation) -> None:
        check_thrown(situation)


class ComeRolled(Incident, frozen=True, tag="come_rolled"):
    """A player had chips in the box of come or of don't come when the dice were thrown."""

    player: Place
    side: Come

    def check(self, situation: Situation) -> None:
        check_thrown(situation)
        if not situation.staked(self.player, self.side):
            raise ImpossibleFacts(
                "incident.player",
                "{player:player} has nothing in the box of {chance:spot}",
                player=self.player,
                chance=self.side,
            )


@rule(BetsToSettle, CRAPS)
def bets_to_settle(s: Situation, incident: BetsToSettle, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    explain(r, s.total, settled)
    explain_marker(r, s)
    first = {one.spot: one for one in reversed(settled)}
    for spot in s.every("ends."):
        one = first[spot]
        r.choice(f"ends.{spot}", one.verdict.fate, tempting=mistaken(r.book, s, one), critical=True)
    r.outcome(paid=paid_on(settled), collected=taken_on(settled))
    settle(r, s, settled)


@rule(ComeRolled, CRAPS)
def come_rolled(s: Situation, incident: ComeRolled, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    mine = next(one for one in settled if (one.bet.player, one.spot) == (incident.player, incident.side))
    explain_one(r, s.total, mine)
    fate = mine.verdict.fate
    wrong = [one for one in mistaken(r.book, s, mine) if one != "stays"]
    r.choice("come_ends", fate, tempting=wrong, critical=True)
    if fate == "moves":
        r.order("lies_on", [f"{incident.side}.{s.total}"], tempting=[(f"{incident.side}.{s.point}",)])
    settle(r, s, settled)


def _settled(family: Family) -> None:
    """What a throw does to a bet of the family and to those beside it."""

    def made(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        return Situation(**thrown(draw, book, difficulty, family), incident=BetsToSettle())

    made.__name__ = f"{family.name}_settled"
    case(family.topic, {CRAPS: family.cites})(made)


for _family in FAMILIES:
    _settled(_family)


def _rolled(family: Family) -> None:
    def made(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        fates: Fates = (*family.fates, "moves", "moves")
        fates = (*fates, "void") if family.chance == "dont-come" else fates
        facts = thrown(draw, book, difficulty, family, fates=fates)
        player = next(bet.player for bet in facts["bets"] if bet.chance == family.chance and not bet.number)
        side: Come = "come" if family.chance == "come" else "dont-come"
        return Situation(**facts, incident=ComeRolled(player=player, side=side))

    made.__name__ = f"{family.name}_rolled"
    case("come", {CRAPS: family.cites})(made)


for _family in FAMILIES:
    if _family.name in ("come_next", "dont_come_next"):
        _rolled(_family)


@case("series", {CRAPS: ("VI 10.1 s2", "VI 10.3 s2", "VI 10.3 s3", "VI 12 1")})
def cloth_in_a_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: few bets. Hard: a long series with many bets of several players up."""
    must: tuple[Put, ...] = (("pass", 0), ("come", 0))
    facts = picture(draw, book, difficulty, must=must[: difficulty // 2], point=draw.pick(BOXES))
    return Situation(**facts, dice=any_throw(draw, book, facts), incident=BetsToSettle())


@case("series", {CRAPS: ("VI 10.1 s2", "VI 10.3 s3", "VI 12 1")})
def seven_in_a_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Seven takes some and pays others; on the first throw of a series it does otherwise."""
    must: tuple[Put, ...] = (("pass", 0), ("come", 6), ("to-win", 8), ("dont-come", 5))
    point = draw.pick([box for box in BOXES if box not in (5, 6)])
    facts = picture(draw, book, difficulty, must=must[: 1 + difficulty // 2], point=point)
    dice = draw.pick(((1, 6), (6, 1), (2, 5), (5, 2), (3, 4), (4, 3)))
    return Situation(**facts, dice=dice, incident=BetsToSettle())


@case("series", {CRAPS: ("VI 10.1 s1", "VI 10.3 s3")})
def first_throw_with_bets_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Come bets of the series before are still on their numbers, and the first throw of a new one decides them too."""
    must: tuple[Put, ...] = (("pass", 0), ("come", draw.pick(BOXES)), ("come-odds", draw.pick(BOXES)))
    facts = picture(draw, book, difficulty, must=must[: 1 + (difficulty + 1) // 2], point=None)
    return Situation(**facts, dice=any_throw(draw, book, facts), incident=BetsToSettle())
