"""Bets while they are open: the chances that are taken, the spots that exist, how much may lie on them.

X 18 a, X 18 b, X 19, X 27 s1, X 27 s2.
"""

from collections.abc import Sequence
from typing import Any, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, Sum, variant
from rules_engine.games.layout_bets.setting import one_of, table
from rules_engine.games.layout_bets.table import Count, Worth
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, case_table, rule
from rules_engine.games.roulette.layout import Chance, Pocket, named
from rules_engine.games.roulette.limits import clause, least, maximum, multiple
from rules_engine.games.roulette.setting import EDGES, MIDDLE, face_value, face_values, in_order, picture
from rules_engine.games.roulette.settlement import INSIDE, PRIZE_CLAUSES, SIMPLE, THIRDS, prize_of, times_name
from rules_engine.games.roulette.table import Bet, Incident, Situation

# Bets that players know from other houses; this regulation does not accept them as single bets.
Elsewhere = Literal["neighbours", "finals", "snake"]
Wanted = Literal[Chance, Elsewhere]
ELSEWHERE: tuple[Elsewhere, ...] = ("neighbours", "finals", "snake")
# Numbers that a bet would need side by side, and that are apart on the cloth.
APART: tuple[tuple[Chance, tuple[int, ...]], ...] = (
    ("split", (3, 4)),
    ("split", (12, 13)),
    ("split", (0, 4)),
    ("split", (17, 21)),
    ("split", (24, 25)),
    ("split", (33, 34)),
    ("street", (17, 18, 19)),
    ("street", (14, 17, 20)),
    ("street", (0, 1, 3)),
    ("corner", (3, 4, 6, 7)),
    ("corner", (17, 18, 19, 20)),
    ("corner", (32, 33, 34, 36)),
    ("line", (2, 3, 4, 5, 6, 7)),
    ("line", (1, 2, 3, 7, 8, 9)),
)
# If the limit is at least FAR times the least bet, chips are worth up to LARGE times the least bet.
LARGE, FAR = 5, 100
COMPLETE: tuple[Chance, ...] = ("straight", "split", "street", "corner", "line")


class BetOffered(Incident, frozen=True, tag="bet_offered"):
    """While betting is open a player puts down chips, in addition to bets already on the cloth.

    `sign` is the least bet on that chance as the sign of the table has it, if it has one for the chance.
    """

    player: Place
    chance: Wanted
    count: Count
    value: Worth
    numbers: tuple[Pocket, ...] = ()
    sign: Sum = 0

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)

    @property
    def amount(self) -> int:
        return self.count * self.value

    @property
    def spot(self) -> str | None:
        return layout.LAYOUT.find(self.chance, self.numbers)

    def placed(self) -> list[tuple[str, int]]:
        return [(self.player, self.value)]

    def narration(self) -> list[Sentence]:
        at = "-".join(map(str, self.numbers))
        where = named(self.spot) if self.spot else {"name": self.chance, "at": f" {at}" if at else ""}
        values = {"player": self.player, "count": self.count, "value": self.value, "amount": self.amount, **where}
        sign: list[Sentence] = [("incident.own_minimum", {"chance": self.chance, "sign": self.sign})]
        return [*(sign if self.sign else []), ("incident.bet_offered", values)]


class NumberCovered(Incident, frozen=True, tag="number_covered"):
    """A player wants to bet the same sum on every spot of these chances that covers a number."""

    player: Place
    number: Pocket
    chances: tuple[Chance, ...]
    each: Worth

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)
        if not self.chances or not set(self.chances) <= set(INSIDE):
            raise ImpossibleFacts("incident.chances", "only bets on up to six numbers are placed round a number")
        if len(set(self.chances)) != len(self.chances):
            raise ImpossibleFacts("incident.chances", "a chance is listed twice")

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "number": self.number, "each": self.each}
        if set(self.chances) == set(COMPLETE):
            return [("incident.number_covered_complete", values)]
        chances = {f"chance_{place}": chance for place, chance in enumerate(self.chances, 1)}
        return [(f"incident.number_covered_{len(chances)}", values | chances)]


@rule(BetOffered, FRENCH)
def bet_offered(s: Situation, incident: BetOffered, r: Reasoning) -> None:
    chance, spot = incident.chance, incident.spot
    if chance in ELSEWHERE:
        r.pivot("X 18 a", "chance_not_taken", chance=chance)
        _refuse(r, incident)
    elif spot is None:
        r.pivot("X 19", "no_such_spot", chance=chance, at="-".join(map(str, incident.numbers)))
        _refuse(r, incident)
    else:
        _decide_limit(s, r, incident, spot)


def _refuse(r: Reasoning, incident: BetOffered) -> None:
    r.choice("allowed", "refused", critical=True)
    r.amount("largest_bet", 0, tempting=[incident.amount])


def _decide_limit(s: Situation, r: Reasoning, incident: BetOffered, spot: str) -> None:
    chance, minimum = layout.chance(spot), s.minimum
    own = incident.sign not in (0, minimum)
    if own and r.book.reads("X27", "each"):
        minimum = incident.sign
    most = maximum(r.book, chance, minimum)
    r.step("X 18 b" if chance in SIMPLE else "X 18 a", "chance_taken", chance=chance)
    if own:
        r.pivot("X 27 own", "one_minimum" if minimum == s.minimum else "own_minimum", amount=minimum)
    r.pivot(clause(chance), "times_minimum", chance=chance, times=multiple(r.book, chance), amount=most)
    already = sum(bet.amount for bet in s.on(spot) if bet.player == incident.player)
    largest = max(0, most - already)
    if chance in ("split", "street", "corner", "line"):
        # Far from the limit, the case turns on whether the spot exists.
        r.step("X 19", "spot_there", pivot=2 * incident.amount <= largest, **named(spot))
    if already:
        r.pivot(clause(chance), "already_there", already=already, left=largest, **named(spot))
    if already + incident.amount < minimum:
        r.pivot(clause(chance), "below_minimum", minimum=minimum)
    others = sum(bet.amount for bet in s.on(spot) if bet.player != incident.player)
    allowed = minimum <= already + incident.amount and incident.amount <= largest
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    wrong = (most, max(0, largest - others), 10 * minimum, 2 * most, incident.amount, 0)
    r.amount("largest_bet", largest, tempting=wrong)


@rule(NumberCovered, FRENCH)
def number_covered(s: Situation, incident: NumberCovered, r: Reasoning) -> None:
    spots = [(chance, len(layout.around(incident.number, chance))) for chance in incident.chances]
    count = sum(found for _, found in spots)
    if not count:
        raise ImpossibleFacts("incident.chances", "no such spot covers {number}", number=incident.number)
    prize = 0
    for chance, found in spots:
        r.pivot("X 19", "all_possible", number=incident.number, chance=chance, count=found)
        if found:
            each = prize_of(r.book, chance, incident.each)
            paid = times_name(r.book, chance)
            r.pivot(PRIZE_CLAUSES[chance], "each_pays", chance=chance, times=paid, prize=each)
            prize += each * found
    r.step("X 19", "in_all", count=count, cost=count * incident.each, prize=prize)
    r.number("positions", count, tempting=[count + 1, count - 1, count + 2, 2 * count])
    r.amount("cost", count * incident.each, tempting=[(count + 1) * incident.each, (count - 1) * incident.each])
    r.amount("if_out", prize, tempting=[prize + count * incident.each, prize + incident.each])


def _around(draw: Draw, limit: int, unit: int, difficulty: int) -> int:
    """An amount at the limit, or one unit under or over it; if easy, well under or over."""
    if difficulty <= 2:
        return draw.pick((max(unit, limit // 2 // unit * unit), limit, limit + 5 * unit))
    return draw.pick((limit - unit, limit, limit + unit))


@case_table(
    "bets",
    variant("inside_limit", {FRENCH: "X 27 s1"}, chances=("straight", "split", "street", "line")),
    variant("thirds_limit", {FRENCH: "X 27 s1"}, chances=THIRDS),
    variant("even_chance_limit", {FRENCH: "X 27 s1"}, chances=SIMPLE),
    variant("corner_limit", {FRENCH: "X 27 s2"}, chances="corner"),
)
def _limited(draw: Draw, book: Rulebook, difficulty: int, chances: str | tuple[str, ...]) -> Situation:
    """A bet near the limit of its chance. Harder: the player and others already have chips there."""
    chance = one_of(draw, chances)
    facts = table(draw, book, difficulty, least=2) | face_value(book)
    minimum = facts["minimum"]
    spot = draw.pick(layout.LAYOUT.of_chance(chance))
    player, other = (str(seat) for seat in draw.sample(facts["seats"], 2))
    value, limit = _limit_chip(book, chance), least(book, chance)
    most = maximum(book, chance, limit) // value
    on: dict[str, Any] = {"chance": spot.chance, "numbers": spot.numbers}
    already = draw.number(1, most - 2) if difficulty >= 2 and most > 2 and draw.chance(0.7) else 0
    bets = [Bet(player=player, count=already, value=value, **on)] if already else []
    if difficulty >= 3:
        bets.append(Bet(player=other, count=draw.number(1, most), value=value, **on))
    count = max(1, _around(draw, most - already, 1, difficulty))
    if difficulty >= 2 and draw.chance(0.1) and not already:
        count, value = 1, book.table.chips_between(1, minimum - 1)[-1]  # under the least bet
    sign = limit if limit != minimum else 0
    incident = BetOffered(player=player, count=count, value=value, sign=sign, **on)
    return Situation(**facts, bets=in_order(bets), incident=incident)


def _limit_chip(book: Rulebook, chance: str) -> int:
    """The chip in which a bet near the limit is made: nobody stacks hundreds of the smallest one."""
    minimum, faces = least(book, chance), face_values(book)
    if multiple(book, chance) < FAR:
        return faces[0]
    most = maximum(book, chance, minimum)
    return max((value for value in faces if value <= LARGE * minimum and not most % value), default=faces[0])


@case("bets", {FRENCH: ("X 27 own",)})
def sign_with_a_minimum_of_its_own(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The sign has another least bet for the even chances, dozens or columns; the bet is near one of the limits."""
    facts = table(draw, book, difficulty, least=2) | face_value(book)
    minimum, chance = facts["minimum"], draw.pick((*THIRDS, *SIMPLE))
    faces = [value for value in book.table.chips_between(minimum + 1, 5 * minimum) if not value % minimum]
    sign = least(book, chance) if least(book, chance) != minimum else draw.pick(faces or [2 * minimum])
    spot = draw.pick(layout.LAYOUT.of_chance(chance))
    value = _limit_chip(book, chance)
    near = draw.pick((minimum, maximum(book, chance, minimum), maximum(book, chance, sign)))
    count = max(1, min(near // value + draw.pick((-1, 0, 1)), 500))
    on: dict[str, Any] = {"chance": spot.chance, "numbers": spot.numbers}
    player = str(draw.pick(facts["seats"]))
    return Situation(**facts, incident=BetOffered(player=player, count=count, value=value, sign=sign, **on))


@case("bets", {FRENCH: ("X 18 a",)})
def bet_from_elsewhere(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = picture(draw, book, difficulty, number=draw.pick(MIDDLE))
    del facts["number"]
    incident = BetOffered(
        player=str(draw.pick(facts["seats"])),
        chance=draw.pick(ELSEWHERE),
        count=draw.number(1, 9),
        value=face_values(book)[0],
    )
    return Situation(**facts, incident=incident)


@case("bets", {FRENCH: ("X 19",)})
def spot_or_none(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Numbers that are next to each other on the cloth, or only seem to be."""
    facts = table(draw, book, difficulty) | face_value(book)
    if draw.chance(0.5):
        chance, numbers = draw.pick(APART)
    else:
        pool = layout.LAYOUT.of_chance("split", "street", "line")
        edge = tuple(spot for spot in pool if spot.covers & set(EDGES))
        spot = draw.pick(edge if difficulty >= 3 else pool)
        chance, numbers = spot.chance, spot.numbers
    value = face_values(book)[0]
    incident = BetOffered(
        player=str(draw.pick(facts["seats"])),
        chance=chance,
        numbers=numbers,
        count=min(draw.number(1, 2 * difficulty), maximum(book, chance, facts["minimum"]) // value),
        value=value,
    )
    return Situation(**facts, incident=incident)


@case_table(
    "bets",
    variant("number_all_round", {FRENCH: "X 19"}, numbers=MIDDLE),
    variant("edge_all_round", {FRENCH: "X 19"}, numbers=EDGES),
)
def _all_round(draw: Draw, book: Rulebook, difficulty: int, numbers: Sequence[int]) -> Situation:
    """Easy: all splits of a number in the middle. Hard: every bet that covers a number in the middle or at the edge."""
    facts = table(draw, book, difficulty)
    number = draw.pick(MIDDLE if difficulty <= 2 else numbers)
    chances: tuple[Chance, ...] = (draw.pick(("split", "corner")),)
    if 2 <= difficulty <= 4:
        chances = COMPLETE[:difficulty] if draw.chance(0.5) else ("split", "corner")
    if difficulty == 5:
        chances = COMPLETE
    each = facts["minimum"] * draw.pick((1, 1, 2, 5)[:difficulty])
    player = str(draw.pick(facts["seats"]))
    return Situation(**facts, incident=NumberCovered(player=player, number=number, chances=chances, each=each))
