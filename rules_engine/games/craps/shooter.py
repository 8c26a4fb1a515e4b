"""Who throws, and when the dice go to another player: VI 5, VI 8."""

from typing import ClassVar

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Place, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.chips import counted, worths
from rules_engine.games.craps.game import case, case_table, domain, rule
from rules_engine.games.craps.layout import BOXES, LINES, Chance, Point
from rules_engine.games.craps.setting import in_order, throw_of
from rules_engine.games.craps.settlement import verdict
from rules_engine.games.craps.table import Bet, Call, Incident, Situation
from rules_engine.games.layout_bets.setting import table

domain("dice_go", "stay", "change")
OFFERED = Call("stickman", "offers_dice")
# Bets other than on the pass line.
OTHERS: tuple[Chance, ...] = ("dont-pass", "field", "craps", "under", "over")


class ShooterSought(Incident, frozen=True, tag="shooter_sought"):
    """Somebody must get the dice: the first shooter of the game, or the next one after `last`.

    The calls say who has refused the dice.
    """

    tells: ClassVar = ("point",)

    last: Place | None = None

    def check(self, situation: Situation) -> None:
        if self.last is not None and self.last not in situation.people():
            raise ImpossibleFacts("incident.last", "nobody is at {place}", place=self.last)
        if situation.point is not None:
            raise ImpossibleFacts("point", "the dice are given out before a series, not in it")

    def narration(self) -> list[Sentence]:
        form = "next" if self.last else "first"
        return [(f"incident.shooter_sought_{form}", {"last": self.last}), ("incident.shooter_order", {})]


class ThrowOver(Incident, frozen=True, tag="throw_over"):
    """A throw is over. `bets_on`: the shooter also bets on the next throw."""

    bets_on: bool = False

    def check(self, situation: Situation) -> None:
        if situation.shooter is None:
            raise ImpossibleFacts("shooter", "somebody must have thrown")
        situation.result()

    def narration(self) -> list[Sentence]:
        return [(f"incident.throw_over_{'on' if self.bets_on else 'off'}", {})]


@rule(ShooterSought, CRAPS)
def shooter_sought(s: Situation, incident: ShooterSought, r: Reasoning) -> None:
    order = _order(s, None if r.book.reads("VI5n", "from_left") else incident.last)
    refused = {call.by for call in s.calls if call.says == "declines"}
    betting = [place for place in order if s.bets_of(place)]
    willing = [place for place in betting if place not in refused and place != incident.last]
    if not willing:
        raise NotRegulated("art. VI 5 does not say who throws when nobody who bets wants to")
    on_pass = [place for place in willing if s.staked(place, "pass")]
    # The text can also be read to prefer the pass line only after the first player has refused.
    first_wants = betting[0] == willing[0]
    found = willing[0] if first_wants and r.book.reads("VI5", "after_refusal") else (on_pass or willing)[0]
    if incident.last is not None:
        again = r.book.reads("VI5n", "from_left")
        r.pivot("VI 5 s3", "dice_go_left" if again else "dice_go_on", last=incident.last)
    for place in betting[: betting.index(willing[0])]:
        if place in refused:
            r.step("VI 5 s1", "shooter_declines", by=place)
    r.pivot("VI 5 s1", "shooter_in_order", by=willing[0])
    text = "nobody_on_pass" if not on_pass else "pass_too" if on_pass[0] == willing[0] else "pass_first"
    disputed = text == "pass_first" and first_wants
    if disputed and found == willing[0]:
        text = "order_first"
    r.step("VI 5 s2-first" if disputed else "VI 5 s2", text, by=found, pivot=text in ("pass_first", "order_first"))
    wrong = [order[0], betting[0], willing[0], *filter(None, [incident.last])]
    r.player("shooter", found, tempting=wrong, critical=True)


def _order(s: Situation, last: str | None) -> list[str]:
    """The places around the table from the stickman's left, or from the one after the last shooter."""
    places = sorted(s.people())
    if last is None:
        return places
    after = places.index(last) + 1
    return places[after:] + places[:after]


@rule(ThrowOver, CRAPS)
def throw_over(s: Situation, incident: ThrowOver, r: Reasoning) -> None:
    if not incident.bets_on and _still_up(s, r):
        raise ImpossibleFacts("incident.bets_on", "the shooter has a bet that is not decided")
    seven = s.total == r.book.number("seven")
    out = seven and s.point is not None
    if out:
        r.pivot("VI 8 b", "seven_out", total=s.total)
    else:
        r.pivot("VI 8 b", "seven_first" if seven else "shooter_goes_on", total=s.total)
        r.pivot("VI 8 a", "shooter_bets_on" if incident.bets_on else "shooter_stops", by=s.shooter)
    r.choice("dice_go", "change" if out or not incident.bets_on else "stay", critical=True)


def _still_up(s: Situation, r: Reasoning) -> bool:
    """Whether a bet of the shooter is still undecided."""
    mine = [bet for bet in s.bets if bet.player == s.shooter]
    fates = [verdict(r.book, bet.chance, bet.number, dice=s.dice, point=s.point, bar=s.bar).fate for bet in mine]
    return any(fate in ("stays", "moves") for fate in fates)


def _bet(draw: Draw, book: Rulebook, place: str, chance: Chance) -> Bet:
    value = worths(book)[0]
    return Bet(player=place, chance=chance, count=counted(draw, book, chance, 0, value, (1, 4)), value=value)


# first_shooter: nobody or everybody is on the pass line, so only the order decides.
@case_table(
    "shooter",
    variant("first_shooter", {CRAPS: "VI 5 s1"}, passers=(0, 9)),
    variant("pass_line_when_the_first_refuses", {CRAPS: "VI 5 s2"}, first_refuses=True),
    variant("shooter_with_pass_line", {CRAPS: "VI 5 s2-first"}, first_refuses=False),
    variant("next_shooter", {CRAPS: "VI 5 s3"}, passers=(0, 1, 9), last=True),
)
def _sought(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    passers: tuple[int, ...] = (),
    last: bool = False,
    first_refuses: bool | None = None,
) -> Situation:
    """Some players bet on the pass line, others elsewhere or not at all; those who are asked first may refuse.

    `passers`: how many may be on the pass line. `first_refuses`: the first player with a bet is not on the pass line,
    and refuses the dice or not; if hard, the first one on the pass line refuses too.
    """
    on_pass = draw.pick(passers) if passers else 1 + (difficulty >= 3)
    facts = table(draw, book, difficulty, least=3)
    places = [str(seat) for seat in facts["seats"]]
    betting = places if difficulty == 1 else draw.sample(places, max(2, len(places) - draw.number(0, 2)))
    before = draw.pick(places) if last else None
    open_to = betting if first_refuses is None else sorted(betting)[1:]
    passing = draw.sample(open_to, min(on_pass, len(open_to)))
    bets = [_bet(draw, book, place, "pass" if place in passing else draw.pick(OTHERS)) for place in betting]
    after = places.index(before) + 1 if before else 0
    order = [place for place in places[after:] + places[:after] if place in betting and place != before]
    ranked = sorted(order, key=lambda place: place not in passing)
    refusing = ranked[: draw.number(0, min(difficulty - 1, len(ranked) - 1, 2))]
    if first_refuses is not None:
        also = ranked[:1] if difficulty >= 4 and len(passing) > 1 and draw.chance(0.7) else []
        refusing = [*(order[:1] if first_refuses else []), *also]
    calls = [OFFERED, *(Call(place, "declines") for place in refusing)] if refusing else []
    return Situation(**facts, bets=in_order(bets), calls=tuple(calls), incident=ShooterSought(last=before))


def _over(draw: Draw, book: Rulebook, difficulty: int, *, point: Point | None, total: int, bets_on: bool) -> Situation:
    facts = table(draw, book, difficulty, least=2)
    places = [str(seat) for seat in draw.sample(facts["seats"], min(len(facts["seats"]), 2 + difficulty // 2))]
    bets = [_bet(draw, book, place, draw.pick(LINES) if index else "pass") for index, place in enumerate(places)]
    dice = throw_of(draw, total)
    incident = ThrowOver(bets_on=bets_on)
    return Situation(**facts, point=point, shooter=places[0], bets=in_order(bets), dice=dice, incident=incident)


@case("shooter", {CRAPS: ("VI 8 a",)})
def shooter_bets_or_stops(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The line was decided without a seven that ends the series; the shooter bets again or stops."""
    point = draw.pick(BOXES) if draw.chance(0.6) else None
    total: int = point or draw.pick((2, 3, 11, 12) if difficulty <= 2 else (2, 3, 7, 11, 12))
    return _over(draw, book, difficulty, point=point, total=total, bets_on=draw.chance(0.5))


@case("shooter", {CRAPS: ("VI 8 b",)})
def seven_thrown(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Seven with a point, or, unless easy, on the first throw, where it wins."""
    point = draw.pick(BOXES) if difficulty == 1 or draw.chance(0.5) else None
    return _over(draw, book, difficulty, point=point, total=7, bets_on=True)


@case("shooter", {CRAPS: ("VI 8 b",)})
def no_seven_thrown(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The first throw loses the line, or a later throw decides nothing; the shooter stays."""
    point = draw.pick(BOXES) if difficulty >= 2 and draw.chance(0.5) else None
    total = draw.pick([box for box in BOXES if box != point]) if point else draw.pick((2, 3, 12))
    return _over(draw, book, difficulty, point=point, total=total, bets_on=True)
