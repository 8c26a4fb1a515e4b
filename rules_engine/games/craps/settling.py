"""The dice lie still: what the throw does to every bet, and where a come bet goes. VI 10 to 13."""

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook, variant
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.families import FAMILIES, Family, Fates, thrown
from rules_engine.games.craps.game import case, case_table, domain, rule
from rules_engine.games.craps.layout import BOXES, Come
from rules_engine.games.craps.setting import Put, any_throw, picture
from rules_engine.games.craps.settlement import explain, explain_marker, explain_one, mistaken, outcomes, settle
from rules_engine.games.craps.table import Incident, Situation
from rules_engine.games.layout_bets.incidents import BetsDecided
from rules_engine.games.layout_bets.settlement import paid_on, taken_on

domain("ends", "wins", "loses", "stays", "moves", "void")
domain("come_ends", "wins", "loses", "moves", "void")


class BetsToSettle(BetsDecided, Incident, frozen=True, tag="bets_to_settle"):
    """The dice lie still; the dealer goes through the cloth spot by spot."""


class ComeRolled(Incident, frozen=True, tag="come_rolled"):
    """A player had chips in the box of come or of don't come when the dice were thrown."""

    player: Place
    side: Come

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.check_some_bet()
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
    explain(r, s.total, settled, stakes=False)
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


def _settled(draw: Draw, book: Rulebook, difficulty: int, family: Family) -> Situation:
    """What a throw does to a bet of the family and to the bets beside it."""
    return Situation(**thrown(draw, book, difficulty, family), incident=BetsToSettle())


for _family in FAMILIES:
    case_table(_family.topic, variant(f"{_family.name}_settled", {CRAPS: _family.cites}, family=_family))(_settled)


@case_table(
    "come",
    *(
        variant(f"{one.name}_rolled", {CRAPS: one.cites}, family=one, side=one.chance)
        for one in FAMILIES
        if one.name in ("come_next", "dont_come_next")
    ),
)
def _rolled(draw: Draw, book: Rulebook, difficulty: int, family: Family, side: Come) -> Situation:
    fates: Fates = (*family.fates, "moves", "moves", *(("void",) if side == "dont-come" else ()))
    facts = thrown(draw, book, difficulty, family, fates=fates)
    player = next(bet.player for bet in facts["bets"] if bet.chance == side and not bet.number)
    return Situation(**facts, incident=ComeRolled(player=player, side=side))


@case("series", {CRAPS: ("VI 10.1 s2", "VI 10.3 s2", "VI 10.3 s3", "VI 12 1")})
def cloth_in_a_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: few bets. Hard: many bets of several players."""
    must: tuple[Put, ...] = (("pass", 0), ("come", 0))
    facts = picture(draw, book, difficulty, must=must[: difficulty // 2], point=draw.pick(BOXES))
    return Situation(**facts, dice=any_throw(draw, book, facts), incident=BetsToSettle())


@case("series", {CRAPS: ("VI 10.1 s2", "VI 10.3 s3", "VI 12 1")})
def seven_in_a_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Seven takes some bets and pays others, unlike on the first throw of a series."""
    must: tuple[Put, ...] = (("pass", 0), ("come", 6), ("to-win", 8), ("dont-come", 5))
    point = draw.pick([box for box in BOXES if box not in (5, 6)])
    facts = picture(draw, book, difficulty, must=must[: 1 + difficulty // 2], point=point)
    dice = draw.pick(((1, 6), (6, 1), (2, 5), (5, 2), (3, 4), (4, 3)))
    return Situation(**facts, dice=dice, incident=BetsToSettle())


@case("series", {CRAPS: ("VI 10.1 s1", "VI 10.3 s3")})
def first_throw_with_bets_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Come bets of the previous series are still on their numbers; the first throw of the new one decides them too."""
    must: tuple[Put, ...] = (("pass", 0), ("come", draw.pick(BOXES)), ("come-odds", draw.pick(BOXES)))
    facts = picture(draw, book, difficulty, must=must[: 1 + (difficulty + 1) // 2], point=None)
    return Situation(**facts, dice=any_throw(draw, book, facts), incident=BetsToSettle())
