"""Bets offered, changed and taken back: VI 10.3 s1, VI 10.9, VI 11.1 s1, VI 11.1 s3, VI 12 s3, VI 13.2."""

from math import gcd
from typing import ClassVar, Literal

from rules_engine.authoring import (
    Draw,
    ImpossibleFacts,
    NotRegulated,
    Place,
    Reasoning,
    Rulebook,
    Sentence,
    SpotKey,
    variant,
)
from rules_engine.games.craps import layout
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.chips import counted, unit, worths
from rules_engine.games.craps.families import FAMILIES, thrown
from rules_engine.games.craps.game import case, case_table, rule
from rules_engine.games.craps.layout import BOXES, COMES, LINES, NUMBERS, ODDS, PARENTS, Chance, Number, named
from rules_engine.games.craps.setting import FEW, picture, throws_for
from rules_engine.games.craps.settlement import Fate, explain_one, outcomes, price, settle
from rules_engine.games.craps.table import Bet, Incident, Situation
from rules_engine.games.layout_bets.setting import table
from rules_engine.games.layout_bets.settlement import of_player, paid_on, staked_on
from rules_engine.games.layout_bets.table import Count, Worth

Wish = Literal["take", "raise", "lower"]
WISHES: tuple[Wish, ...] = ("take", "raise", "lower")
FIXED = (*LINES, *COMES)


class BetOffered(Incident, frozen=True, tag="bet_offered"):
    """Before a throw a player puts down chips, in addition to bets already on the cloth."""

    tells: ClassVar = ("minimum", "point")

    player: Place
    chance: Chance
    count: Count
    value: Worth
    number: Number = 0

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)
        if situation.dice:
            raise ImpossibleFacts("dice", "the bet is offered before the throw")
        if (self.chance, self.number) not in layout.KEYS:
            raise ImpossibleFacts(
                "incident.number", "the layout has no {chance:spot} on {number}", chance=self.chance, number=self.number
            )
        if self.chance in COMES and self.number:
            raise ImpossibleFacts("incident.number", "such a bet begins in its box, without a number")

    @property
    def amount(self) -> int:
        return self.count * self.value

    @property
    def offered_on(self) -> str:
        """The spot where the chips are put, whether the bet is allowed or not."""
        return layout.KEYS[self.chance, self.number]

    def narration(self) -> list[Sentence]:
        where = named(self.offered_on)
        told: list[Sentence] = [
            ("incident.bet_offered", {"player": self.player, "count": self.count, "value": self.value, **where})
        ]
        return [*told, ("incident.odds_within_law", {})] if self.chance in ODDS else told


class BetTouched(Incident, frozen=True, tag="bet_touched"):
    """A player wants to take back a bet, or to raise or lower it; the dice may just have been thrown."""

    player: Place
    spot: SpotKey
    wish: Wish

    def check(self, situation: Situation) -> None:
        situation.check_bet(self.player, self.spot)

    def narration(self) -> list[Sentence]:
        return [(f"incident.bet_touched_{self.wish}", {"player": self.player, **named(self.spot)})]


@rule(BetOffered, CRAPS)
def bet_offered(s: Situation, incident: BetOffered, r: Reasoning) -> None:
    if incident.chance in COMES:
        r.pivot("VI 10.3 s1", "come_with_point" if s.point else "come_without_point", chance=incident.chance)
        r.choice("allowed", "allowed" if s.point else "refused", critical=True)
    elif incident.chance in NUMBERS:
        _number_offered(s, incident, r)
    elif incident.chance in ODDS:
        _odds_offered(s, incident, r)
    else:
        raise NotRegulated("part VI does not say when a bet on {chance:spot} may be made", chance=incident.chance)


def _number_offered(s: Situation, incident: BetOffered, r: Reasoning) -> None:
    """VI 12 s3. Of which minimum the bet must be a multiple matters only if it is one of the table's but not of the one
    on which the price comes out even."""
    even = s.minimum * price(r.book, incident.chance, incident.number).denominator
    values = {"amount": incident.amount, "minimum": s.minimum, "even": even}
    whole = incident.amount % s.minimum == 0
    r.pivot("VI 12 s3", "numbers_whole" if whole else "numbers_not_whole", **values)
    if whole and incident.amount % even:
        whole = not r.book.reads("VI12", "by_price")
        r.pivot("VI 12 s3-price", "numbers_of_table" if whole else "numbers_by_price", **values)
    r.choice("allowed", "allowed" if whole else "refused", critical=True)


def _odds_offered(s: Situation, incident: BetOffered, r: Reasoning) -> None:
    parent = PARENTS[incident.chance]
    staked = s.staked(incident.player, parent, incident.number)
    already = s.staked(incident.player, incident.chance, incident.number)
    waits = incident.number or s.point
    largest = max(0, staked - already) if waits else 0
    if not waits:
        r.pivot("VI 11.1 s1", "odds_without_point")
    elif not staked:
        r.pivot("VI 11.1 s1", "odds_without_bet", by=incident.player, name=parent)
    else:
        r.pivot("VI 11.1 s1", "odds_limit", amount=staked, left=largest)
    r.choice("allowed", "allowed" if incident.amount <= largest else "refused", critical=True)
    wrong = (staked, 2 * staked, 0, incident.amount)
    r.amount("largest_bet", largest, tempting=wrong)


@rule(BetTouched, CRAPS)
def bet_touched(s: Situation, incident: BetTouched, r: Reasoning) -> None:
    chance = layout.SPOTS[incident.spot].chance
    settled = outcomes(r.book, s) if s.dice else []
    mine = of_player(settled, incident.player, incident.spot)
    decided = mine and mine[0].prize
    if decided and incident.wish != "take":
        raise ImpossibleFacts("incident.wish", "a bet that is decided can only be asked for back")
    if decided:
        for one in mine:
            explain_one(r, s.total, one)
    if decided and mine[0].prize > 0:
        r.pivot("VI 13.2", "stake_is_his", by=incident.player, **named(incident.spot))
        allowed = True
    elif decided:
        r.step(mine[0].verdict.cite, "stake_is_lost", by=incident.player, **named(incident.spot))
        allowed = False
    else:
        allowed = _still_up(s, incident, r, chance, thrown=bool(mine))
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    if s.dice:
        stake, won = staked_on(mine), paid_on(mine)
        r.amount("bet_prize", won, tempting=[stake, won + stake, 2 * stake, stake // 2, 0])
        settle(r, s, settled)


def _still_up(s: Situation, incident: BetTouched, r: Reasoning, chance: str, *, thrown: bool) -> bool:
    """Whether a bet that is not decided may be changed: before its first throw, or if it is odds."""
    if chance in FIXED:
        number = layout.SPOTS[incident.spot].numbers
        made = thrown or bool(number) or (chance in LINES and s.point is not None)
        if chance in COMES and not made:
            made = r.book.reads("VI10", "at_once")
            r.pivot("VI 10.9 box", f"{'box_fixed' if made else 'in_box'}_{incident.wish}", **named(incident.spot))
        else:
            r.pivot("VI 10.9", f"{'fixed' if made else 'not_fixed'}_{incident.wish}", **named(incident.spot))
        return not made
    if chance in ODDS and incident.wish == "take":
        r.pivot("VI 11.1 s3", "odds_back", **named(incident.spot))
        return True
    raise NotRegulated(
        "arts. VI 10.9 and VI 11.1 do not say whether a bet on {chance:spot} may be changed", chance=chance
    )


# ---------- cases ----------


@case("stakes", {CRAPS: ("VI 10.3 s1",)})
def come_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """With a point, or before the first throw of a series."""
    point = draw.pick(BOXES) if draw.chance(0.5) else None
    facts = picture(draw, book, difficulty, crowd=FEW[difficulty], must=(("pass", 0),), point=point)
    player = draw.pick(facts["bets"]).player
    chance, value = draw.pick(COMES), worths(book)[0]
    count = counted(draw, book, chance, 0, value, (1, 5))
    incident = BetOffered(player=player, chance=chance, count=count, value=value)
    return Situation(**facts, incident=incident)


@case("numbers", {CRAPS: ("VI 12 s3", "VI 12 s3-price")})
def number_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: a whole multiple, or one chip that is less. Hard: small chips that add up to a multiple, or almost do."""
    facts = table(draw, book, difficulty)
    chance, number = draw.pick(NUMBERS), draw.pick(BOXES)
    value, count = _on_a_number(draw, book, chance, number, difficulty)
    player, point = str(draw.pick(facts["seats"])), draw.pick(BOXES) if draw.chance(0.5) else None
    incident = BetOffered(player=player, chance=chance, number=number, count=count, value=value)
    return Situation(**facts, point=point, incident=incident)


def _on_a_number(draw: Draw, book: Rulebook, chance: Chance, number: int, difficulty: int) -> tuple[int, int]:
    """Chips for a bet on a number, by value and count: a multiple of the minimum less than half of the time."""
    minimum, small = book.table.minimum, book.table.chips_between(1, book.table.minimum - 1)
    if not small or draw.chance(0.45 if difficulty <= 2 else 0.25):
        value = worths(book)[0]
        units = unit(book, chance, number, value) if difficulty <= 2 else minimum // gcd(minimum, value)
        return value, units * draw.number(1, 3 if difficulty <= 2 else 6)
    value = draw.pick(small)
    if difficulty <= 2:
        return value, draw.pick((1, 2)) if 2 * value < minimum else 1
    # The difficult ones come close to a multiple, or are one.
    whole = minimum // gcd(minimum, value)
    return value, whole * draw.number(1, 4) + draw.pick((0, 1, -1 if whole > 1 else 1))


def _odds_offer(draw: Draw, book: Rulebook, difficulty: int, chances: tuple[Chance, ...]) -> Situation:
    """Close to the amount of the bet itself. Harder: there are odds already, or the bet is another player's."""
    chance = draw.pick(chances)
    point = draw.pick(BOXES)
    number = 0 if chance in layout.LINE_ODDS else draw.pick([box for box in BOXES if box != point])
    facts = table(draw, book, difficulty, least=2) | {"point": point}
    player, other = (str(seat) for seat in draw.sample(facts["seats"], 2))
    value = worths(book)[0]
    one = unit(book, PARENTS[chance], 0, value)
    staked = counted(draw, book, PARENTS[chance], 0, value, (3, 12)) // one
    already = draw.number(1, staked - 1) if staked > 1 and difficulty >= 3 and draw.chance(0.6) else 0
    owner = other if difficulty >= 4 and draw.chance(0.2) else player
    bets = [Bet(player=owner, chance=PARENTS[chance], number=number, count=one * staked, value=value)]
    if already:
        bets.append(Bet(player=owner, chance=chance, number=number, count=one * already, value=value))
    left = staked - already
    count = draw.pick((max(1, left // 2), left, 2 * left) if difficulty <= 2 else (left - 1, left, left + 1))
    incident = BetOffered(player=player, chance=chance, number=number, count=one * max(1, count), value=value)
    return Situation(**facts, bets=tuple(bets), incident=incident)


LIMIT = {CRAPS: ("VI 11.1 s1",)}
case_table("stakes", variant("line_odds_offered", LIMIT, chances=layout.LINE_ODDS))(_odds_offer)
case_table("odds", variant("come_odds_offered", LIMIT, chances=layout.COME_ODDS))(_odds_offer)


@case("odds", {CRAPS: ("VI 11.1 s1",)})
def odds_before_a_point(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The bet is there but no point yet; or there is a point and the odds are within the bet."""
    point = draw.pick(BOXES) if draw.chance(0.4) else None
    facts = table(draw, book, difficulty) | {"point": point}
    player, line, value = str(draw.pick(facts["seats"])), draw.pick(LINES), worths(book)[0]
    staked = counted(draw, book, line, 0, value, (3, 9))
    bets = (Bet(player=player, chance=line, count=staked, value=value),)
    chance: Chance = "pass-odds" if line == "pass" else "dont-pass-odds"
    incident = BetOffered(player=player, chance=chance, count=draw.pick((staked, max(1, staked // 2))), value=value)
    return Situation(**facts, bets=bets, incident=incident)


def _touch(
    draw: Draw, book: Rulebook, difficulty: int, must: tuple[Chance, int], point: int | None, *, parent: bool = False
) -> Situation:
    """A player touches a bet or, with `parent`, the bet that these odds belong to."""
    facts = picture(draw, book, difficulty, crowd=FEW[difficulty], must=(must,), point=point)
    key = layout.KEYS[PARENTS[must[0]], must[1]] if parent else layout.KEYS[must]
    owner = next(bet.player for bet in facts["bets"] if bet.spot == layout.KEYS[must])
    player = next(bet.player for bet in facts["bets"] if bet.spot == key and bet.player == owner)
    wish: Wish = "take" if must[0] in ODDS else draw.pick(WISHES)
    return Situation(**facts, incident=BetTouched(player=player, spot=key, wish=wish))


@case("stakes", {CRAPS: ("VI 10.9",)})
def line_bet_touched(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Before the first throw of the series the bet may be changed, afterwards not, on either side of the line."""
    point = draw.pick(BOXES) if draw.chance(0.55) else None
    return _touch(draw, book, difficulty, (draw.pick(LINES), 0), point)


@case("stakes", {CRAPS: ("VI 10.9", "VI 10.9 box")})
def come_bet_touched(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Still in its box, or already on a number."""
    point = draw.pick(BOXES)
    number = draw.pick([box for box in BOXES if box != point]) if draw.chance(0.55) else 0
    return _touch(draw, book, difficulty, (draw.pick(COMES), number), point)


@case("odds", {CRAPS: ("VI 11.1 s3", "VI 10.9")})
def odds_taken_back(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Odds may be taken back; the bet they belong to may not."""
    point = draw.pick(BOXES)
    chance = draw.pick(ODDS)
    number = draw.pick([box for box in BOXES if box != point]) if chance in layout.COME_ODDS else 0
    return _touch(draw, book, difficulty, (chance, number), point, parent=draw.chance(0.45))


@case("stakes", {CRAPS: ("VI 13.2", "VI 10.9")})
def bet_asked_back_after_a_throw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The bet has won, has lost, or is not decided."""
    family = draw.pick([one for one in FAMILIES if one.topic in ("line", "odds") and one.series])
    fate: Fate = draw.pick(("wins", "wins", "loses", "stays"))
    facts = thrown(draw, book, difficulty, family, crowd=FEW[difficulty], fates=(fate,))
    bet = next(bet for bet in facts["bets"] if bet.chance == family.chance)
    return Situation(**facts, incident=BetTouched(player=bet.player, spot=bet.spot, wish="take"))


@case("stakes", {CRAPS: ("VI 13.2",)})
def winner_takes_his_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Any bet that has just won, or has just lost."""
    family = draw.pick([one for one in FAMILIES if one.topic in ("side_bets", "numbers", "line")])
    number = draw.pick(family.numbers)
    point = draw.pick(BOXES) if family.series is not False else None
    fates: tuple[Fate, ...] = draw.pick((("wins",), ("wins",), ("loses",)))
    dice = draw.pick(throws_for(book, family.chance, number, point, "sixes", fates))
    facts = picture(draw, book, difficulty, crowd=FEW[difficulty], must=((family.chance, number),), point=point)
    spot = layout.KEYS[family.chance, number]
    player = next(bet.player for bet in facts["bets"] if bet.spot == spot)
    return Situation(**facts, dice=dice, incident=BetTouched(player=player, spot=spot, wish="take"))
