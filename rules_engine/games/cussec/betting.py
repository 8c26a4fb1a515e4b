"""Which bets are taken: the eight chances of the list, and no others. VII 7."""

from typing import Literal

from rules_engine.draw import Draw
from rules_engine.equipment.dice import FACES
from rules_engine.equipment.places import Place
from rules_engine.errors import ImpossibleFacts
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, rule
from rules_engine.games.cussec.layout import Chance
from rules_engine.games.cussec.multiples import multiples
from rules_engine.games.cussec.setting import VALUES, any_dice, picture
from rules_engine.games.cussec.settlement import WINS, prize_clause
from rules_engine.games.cussec.table import Count, Incident, Number, Situation, Worth, check_at_table, named
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning
from rules_engine.situation import Sentence

# Bets that players know from other houses; this regulation takes none of them.
Elsewhere = Literal["odd", "even", "any_double", "three_numbers"]
ELSEWHERE: tuple[Elsewhere, ...] = ("odd", "even", "any_double", "three_numbers")
Wanted = Literal[Chance, Elsewhere]
# Totals just outside and at the ends of the list.
TOTALS_OFFERED = ((3,), (18,), (3,), (18,), (4,), (17,), (10,), (11,))


class BetOffered(Incident, frozen=True, tag="bet_offered"):
    """While bets are open a player puts chips down and says what on."""

    player: Place
    chance: Wanted
    count: Count
    value: Worth
    numbers: tuple[Number, ...] = ()

    def check(self, situation: Situation) -> None:
        check_at_table(situation, self.player)
        if situation.dice:
            raise ImpossibleFacts("dice", "nobody sees the dice while bets are open")

    @property
    def spot(self) -> str | None:
        try:
            return layout.spot(self.chance, self.numbers)
        except ImpossibleFacts:
            return None

    def narration(self) -> list[Sentence]:
        numbers = "-".join(map(str, self.numbers))
        where = {"name": self.chance, "at": f" {numbers}" if numbers else ""}
        # Two equal numbers are a combination too, of 7 e: it must be plain that 7 d is meant.
        twice = self.chance == "pair" and len(set(self.numbers)) < len(self.numbers)
        id = "incident.bet_offered_twice" if twice else "incident.bet_offered"
        return [(id, {"player": self.player, "count": self.count, "value": self.value, **where})]


@rule(BetOffered, CUSSEC)
def bet_offered(s: Situation, incident: BetOffered, r: Reasoning) -> None:
    spot = incident.spot
    r.choice("allowed", "allowed" if spot else "refused", critical=True)
    if incident.chance in ELSEWHERE:
        r.pivot("VII 7 s0", "chance_not_taken", name=incident.chance)
    elif spot is None:
        r.pivot(WINS[incident.chance], f"no_zone_{incident.chance}")
    else:
        most = max(multiples(r.book, prize_clause(spot)))
        r.pivot(WINS[incident.chance], "zone_there", **named(spot))
        r.step(prize_clause(spot), "pays_at_most", times=most, **named(spot))
        r.choice("at_most", str(most))


def _offered(draw: Draw, book: Rulebook, difficulty: int, chance: Wanted, numbers: tuple[int, ...] = ()) -> Situation:
    facts = picture(draw, book, difficulty, dice=any_dice(draw, book, difficulty))
    if difficulty == 1:
        facts["bets"] = ()
    facts["dice"] = ()
    incident = BetOffered(
        player=str(draw.pick(facts["seats"])),
        chance=chance,
        numbers=numbers,
        count=draw.number(1, 2 * difficulty),
        value=draw.pick(VALUES[: 1 + difficulty]),
    )
    return Situation(**facts, incident=incident)


@case("bets", {CUSSEC: ("VII 7 s0",)})
def bet_from_elsewhere(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    chance = draw.pick(ELSEWHERE)
    numbers = tuple(sorted(draw.sample(FACES, 3))) if chance == "three_numbers" else ()
    return _offered(draw, book, difficulty, chance, numbers)


@case("bets", {CUSSEC: ("VII 7 h",)})
def total_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: any total that is taken, or one outside. Hard: at the ends of the list."""
    inside = tuple((total,) for total in layout.TOTALS)
    pool = (*inside, *TOTALS_OFFERED[:4] * 2) if difficulty <= 2 else TOTALS_OFFERED
    return _offered(draw, book, difficulty, "total", draw.pick(pool))


@case("bets", {CUSSEC: ("VII 7 d",)})
def combination_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _offered(draw, book, difficulty, "pair", tuple(sorted(draw.sample(FACES, 2))))


@case("bets", {CUSSEC: tuple(f"VII 7 {letter}" for letter in "abcefg")})
def chance_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    chances: tuple[Chance, ...] = ("small", "big", "single", "double", "triple", "triples")
    chance = draw.pick(chances)
    spot = draw.pick([spot for spot in layout.SPOTS.values() if spot.chance == chance])
    return _offered(draw, book, difficulty, chance, spot.numbers)
