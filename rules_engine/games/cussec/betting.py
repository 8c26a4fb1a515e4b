"""Which bets are accepted: the eight chances of the list, and no others. VII 7."""

from typing import Literal, get_args

from rules_engine.authoring import FACES, Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, rule
from rules_engine.games.cussec.layout import LAYOUT, Chance, Spot, named
from rules_engine.games.cussec.multiples import multiples
from rules_engine.games.cussec.setting import any_dice, picture, within, worths
from rules_engine.games.cussec.settlement import WINS, prize_clause
from rules_engine.games.cussec.table import Incident, Number, Situation
from rules_engine.games.layout_bets.table import Count, Worth

# Bets that players know from other houses; this regulation does not accept them.
Elsewhere = Literal[
    "odd", "even", "any_double", "three_numbers", "four_numbers", "double_and_single", "straight", "two_totals",
]  # fmt: skip
ELSEWHERE: tuple[Elsewhere, ...] = get_args(Elsewhere)
Wanted = Literal[Chance, Elsewhere]
Asks = Literal["nothing", "times", "prize"]
ASKS: dict[int, Asks] = {1: "nothing", 2: "nothing", 3: "times", 4: "times", 5: "prize"}
TRIPLES = {3: 1, 18: 6}  # totals that only a triple makes
# Totals outside the list and at its ends.
TOTALS_OFFERED = ((3,), (18,), (3,), (18,), (4,), (17,), (10,), (11,))


class BetOffered(Incident, frozen=True, tag="bet_offered"):
    """While betting is open a player puts down chips and names the bet. The player may ask what it could win."""

    player: Place
    chance: Wanted
    count: Count
    value: Worth
    numbers: tuple[Number, ...] = ()
    asks: Asks = "times"

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)
        if situation.dice:
            raise ImpossibleFacts("dice", "nobody sees the dice while bets are open")

    @property
    def spot(self) -> str | None:
        return LAYOUT.find(self.chance, self.numbers)

    def narration(self) -> list[Sentence]:
        numbers = "-".join(map(str, self.numbers))
        where = {"name": self.chance, "at": f" {numbers}" if numbers else ""}
        # Two equal numbers could also be a double (VII 7 e), so the sentence must say that VII 7 d is meant.
        twice = self.chance == "pair" and len(set(self.numbers)) < len(self.numbers)
        id = "incident.bet_offered_twice" if twice else "incident.bet_offered"
        told: list[Sentence] = [(id, {"player": self.player, "count": self.count, "value": self.value, **where})]
        return told if self.asks == "nothing" else [*told, (f"incident.bet_asks_{self.asks}", {})]


@rule(BetOffered, CUSSEC)
def bet_offered(s: Situation, incident: BetOffered, r: Reasoning) -> None:
    spot = incident.spot
    r.choice("allowed", "allowed" if spot else "refused", critical=True)
    if spot is not None:
        r.pivot(WINS[incident.chance], "zone_there", **named(spot))
        _at_most(r, incident, spot)
        return
    if incident.chance in ELSEWHERE:
        r.pivot("VII 7 s0", "chance_not_taken", name=incident.chance)
    else:
        r.pivot(WINS[incident.chance], f"no_zone_{incident.chance}")
    near = _nearest(incident)
    if near is not None and incident.asks != "nothing":
        r.pivot(WINS[near.chance], f"nearest_{near.chance}", **named(near.key))
        if incident.asks == "prize":
            most = max(multiples(r.book, prize_clause(near.key)))
            r.pivot(prize_clause(near.key), "pays_at_most", times=most, **named(near.key))


def _at_most(r: Reasoning, incident: BetOffered, spot: str) -> None:
    """Decide what the bet can win, if the player asks."""
    if incident.asks == "nothing":
        return
    most, stake = max(multiples(r.book, prize_clause(spot))), incident.count * incident.value
    r.pivot(prize_clause(spot), "pays_at_most", times=most, **named(spot))
    r.choice("at_most", str(most))
    if incident.asks == "prize":
        r.step(prize_clause(spot), "most_prize", times=most, stake=stake, prize=most * stake)
        least = min(multiples(r.book, prize_clause(spot)))
        wrong = [(most + 1) * stake, 2 * most * stake, (most + 2) * stake, 0] + [least * stake] * (least != most)
        r.amount("most_prize", most * stake, tempting=wrong[-4:])


def _nearest(incident: BetOffered) -> Spot | None:
    """The zone closest to a bet without one: the same number twice is a double, 3 and 18 are triples, and so on."""
    numbers = incident.numbers
    near: dict[str, tuple[str, tuple[int, ...]]] = {
        **dict.fromkeys(("odd", "even"), ("small", ())),
        **dict.fromkeys(("three_numbers", "four_numbers"), ("pair", numbers[:2])),
        **dict.fromkeys(("double_and_single", "pair"), ("double", numbers[:1])),
        "straight": ("pair", (1, 2)),
        "any_double": ("double", (1,)),
        "two_totals": ("total", numbers[:1]),
        "total": ("triple", tuple(TRIPLES.get(number, 0) for number in numbers)),
    }
    return layout.SPOTS.get(LAYOUT.keys.get(near.get(incident.chance, ("", ())), ""))


def _offered(draw: Draw, book: Rulebook, difficulty: int, chance: Wanted, numbers: tuple[int, ...] = ()) -> Situation:
    facts = picture(draw, book, difficulty, dice=any_dice(draw, book, difficulty))
    if difficulty == 1:
        facts["bets"] = ()
    facts["dice"] = ()
    player, count, value = (
        str(draw.pick(facts["seats"])),
        draw.number(1, 2 * difficulty),
        draw.pick(worths(book, difficulty)),
    )
    incident = BetOffered(
        player=player,
        chance=chance,
        numbers=numbers,
        count=within(book, chance, count, value),
        value=value,
        asks=ASKS[difficulty],
    )
    return Situation(**facts, incident=incident)


@case("bets", {CUSSEC: ("VII 7 s0",)})
def bet_from_elsewhere(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    chance = draw.pick(ELSEWHERE)
    faces = draw.sample(FACES, 4)
    named_with: dict[str, tuple[int, ...]] = {
        "three_numbers": tuple(sorted(faces[:3])),
        "four_numbers": tuple(sorted(faces)),
        "double_and_single": (faces[0], faces[0], faces[1]),
        "two_totals": draw.pick(tuple(zip(layout.TOTALS, layout.TOTALS[1:], strict=False))),
    }
    numbers = named_with.get(chance, ())
    return _offered(draw, book, difficulty, chance, numbers)


@case("bets", {CUSSEC: ("VII 7 h",)})
def total_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A total on the list, outside it, or at its ends."""
    pool = (*((total,) for total in layout.TOTALS), *TOTALS_OFFERED)
    return _offered(draw, book, difficulty, "total", draw.pick(pool))


@case("bets", {CUSSEC: ("VII 7 d",)})
def combination_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two different numbers, or the same number twice offered as this chance."""
    faces = draw.sample(FACES, 2)
    return _offered(draw, book, difficulty, "pair", (faces[0], faces[0]) if draw.chance(0.4) else tuple(sorted(faces)))


@case("bets", {CUSSEC: tuple(f"VII 7 {letter}" for letter in "abcefg")})
def chance_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    chances: tuple[Chance, ...] = ("small", "big", "single", "double", "triple", "triples")
    chance = draw.pick(chances)
    spot = draw.pick(LAYOUT.of_chance(chance))
    return _offered(draw, book, difficulty, chance, spot.numbers)
