"""Dice and zones at a glance: the total, which zones win and light up. VII 5 s2, VII 5 s3, VII 7, VII 9."""

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, SpotKey, alike, variant
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, case_table, domain, rule
from rules_engine.games.cussec.layout import LAYOUT, Chance, named
from rules_engine.games.cussec.setting import ALL_THROWS, any_dice, beside
from rules_engine.games.cussec.settlement import (
    EVEN,
    WINS,
    explain_loss,
    prize_clause,
    settle,
    side,
    times,
    triple,
    winning,
)
from rules_engine.games.cussec.table import Incident, Situation
from rules_engine.games.layout_bets.incidents import Decided
from rules_engine.games.layout_bets.setting import seated

ALIKE = {1: "none", 2: "two", 3: "three"}

domain("side", *EVEN, "neither")
domain("alike", *ALIKE.values())
domain("zone_wins", "yes", "no")
domain("zone_fault", "lit_wrongly", "left_dark")


class DiceShown(Decided, Incident, frozen=True, tag="dice_shown"):
    """The dome is lifted; the dealer must know at once what the dice make."""


class ZoneAsked(Incident, frozen=True, tag="zone_asked"):
    """There are chips in a zone, and the dice are seen."""

    spot: SpotKey

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.layout.check(self.spot, "incident.spot")

    def narration(self) -> list[Sentence]:
        return [("incident.zone_asked", named(self.spot))]


class ZonesLit(Incident, frozen=True, tag="zones_lit"):
    """The dealer has lit up these zones; one of them is wrong, or one is missing."""

    zones: tuple[SpotKey, ...]

    def check(self, situation: Situation) -> None:
        situation.result()
        for index, key in enumerate(self.zones):
            situation.layout.check(key, f"incident.zones[{index}]")
        if len(set(self.zones)) != len(self.zones):
            raise ImpossibleFacts("incident.zones", "a zone is listed twice")

    def lit(self) -> tuple[str, ...]:
        return self.zones

    def narration(self) -> list[Sentence]:
        return [("incident.zones_lit", {"zones": [named(key) for key in self.zones]})]


@rule(DiceShown, CUSSEC)
def dice_shown(s: Situation, incident: DiceShown, r: Reasoning) -> None:
    dice = s.result()
    zones = winning(r.book, dice)
    r.pivot("VII 5 s3", "upper_faces", dice=tuple(map(str, dice)), total=sum(dice))
    won = side(r.book, dice)
    if triple(r.book, dice):
        r.pivot("VII 9", "triple_takes", face=dice[0])
    else:
        r.pivot(WINS[won], f"wins_{won}", total=sum(dice))
    r.pivot("VII 5 s2", "zones_lit_up", count=len(zones))
    for key in zones:
        chance = layout.SPOTS[key].chance
        if chance not in EVEN:
            r.step(WINS[chance], f"wins_{chance}", total=sum(dice), **named(key))
    r.number("dice_total", sum(dice), tempting=[sum(dice) + 1, sum(dice) - 1])
    r.choice("side", won if won in EVEN else "neither")
    r.choice("alike", ALIKE[alike(dice)])
    r.number("zones", len(zones), tempting=[len(zones) + 1, len(zones) - 1, len(zones) + 2])
    settle(r, dice, ())


@rule(ZoneAsked, CUSSEC)
def zone_asked(s: Situation, incident: ZoneAsked, r: Reasoning) -> None:
    dice, spot = s.result(), incident.spot
    multiple = times(r.book, spot, dice)
    r.choice("zone_wins", "yes" if multiple else "no", critical=True)
    if multiple:
        chance = layout.SPOTS[spot].chance
        r.pivot(WINS[chance], f"wins_{chance}", total=sum(dice), **named(spot))
        r.pivot(prize_clause(spot), "pays_times", times=multiple, **named(spot))
        r.choice("multiple", str(multiple))
    else:
        explain_loss(r, spot, dice)
    settle(r, dice, ())


@rule(ZonesLit, CUSSEC)
def zones_lit(s: Situation, incident: ZonesLit, r: Reasoning) -> None:
    dice = s.result()
    right, lit = set(winning(r.book, dice)), set(incident.zones)
    wrong = LAYOUT.in_order(right ^ lit)
    if len(wrong) != 1:
        raise ImpossibleFacts("incident.zones", "exactly one zone must be wrong")
    (spot,) = wrong
    r.pivot("VII 5 s2", "zones_lit_up", count=len(right))
    if spot in right:
        chance = layout.SPOTS[spot].chance
        r.pivot(WINS[chance], f"wins_{chance}", total=sum(dice), **named(spot))
    else:
        explain_loss(r, spot, dice)
    r.choice("zone_fault", "left_dark" if spot in right else "lit_wrongly")
    others = [key for key in (*beside(r.book, tuple(sorted(dice))), *right) if key != spot]
    r.order("wrong_zone", [spot], tempting=[(key,) for key in LAYOUT.in_order(others)[:4]])
    settle(r, dice, ())


@case("chances", {CUSSEC: ("VII 5 s3", "VII 5 s2", "VII 7 a", "VII 7 b")})
def dice_at_a_glance(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**seated(draw, book, difficulty), dice=any_dice(draw, book, difficulty), incident=DiceShown())


@case("chances", {CUSSEC: ("VII 5 s3", "VII 9")})
def triple_at_a_glance(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A triple; if not easy, sometimes only two alike."""
    wanted = draw.pick((3, 3, 2) if difficulty >= 3 else (3,))
    dice = draw.pick([dice for dice in ALL_THROWS if alike(dice) == wanted])
    return Situation(**seated(draw, book, difficulty), dice=dice, incident=DiceShown())


@case_table("chances", *(variant(f"{one}_asked", {CUSSEC: WINS[one]}, chance=one) for one in layout.CHANCES))
def _asked(draw: Draw, book: Rulebook, difficulty: int, chance: Chance) -> Situation:
    """A zone of the chance that wins, or one that just misses; if easy, any that loses."""
    spots = tuple(spot.key for spot in LAYOUT.of_chance(chance))
    if draw.chance(0.5):
        dice = any_dice(draw, book, difficulty, spots)
        spot = draw.pick([key for key in spots if times(book, key, dice)])
    else:
        dice = any_dice(draw, book, max(2, difficulty))
        near = [key for key in beside(book, tuple(sorted(dice))) if key in spots] if difficulty >= 2 else []
        lost = near or [key for key in spots if not times(book, key, dice)]
        spot = draw.pick(lost or spots)
    return Situation(**seated(draw, book, difficulty), dice=dice, incident=ZoneAsked(spot=spot))


@case("chances", {CUSSEC: ("VII 9",)})
def even_chance_and_triple(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A bet on small or big, with a triple or with two dice alike."""
    wanted = 3 if draw.chance(0.7) else 2
    dice = draw.pick([dice for dice in ALL_THROWS if alike(dice) == wanted])
    return Situation(**seated(draw, book, difficulty), dice=dice, incident=ZoneAsked(spot=draw.pick(EVEN)))


@case("chances", {CUSSEC: ("VII 5 s2",)})
def zones_lit_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """One zone too many or too few. Easy: far off. Hard: one that just misses."""
    dice = any_dice(draw, book, difficulty)
    right = list(winning(book, dice))
    if draw.chance(0.5):
        right.remove(draw.pick(right))
    else:
        near = beside(book, tuple(sorted(dice)))
        far = [key for key in layout.SPOTS if key not in right and key not in near]
        right.append(draw.pick(far if difficulty == 1 else near))
    return Situation(
        **seated(draw, book, difficulty), dice=dice, incident=ZonesLit(zones=tuple(LAYOUT.in_order(right)))
    )
