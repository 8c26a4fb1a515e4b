"""The dice lie still: how many points, which chance, and what is announced. IV 9."""

from rules_engine.authoring import After, Draw, Reasoning, Rulebook, Throw, Utterance
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, rule
from rules_engine.games.banca_francesa.layout import CHANCES
from rules_engine.games.banca_francesa.setting import dice_for, dice_near, table
from rules_engine.games.banca_francesa.settlement import CHANCE_CLAUSES, NONE, explain_chance
from rules_engine.games.banca_francesa.table import Incident, Situation, check_thrown


class DiceAtRest(Incident, frozen=True, tag="dice_at_rest"):
    """All three dice lie still and apart in the arena; nothing has been announced."""

    def check(self, situation: Situation) -> None:
        check_thrown(situation)


@rule(DiceAtRest, BANCA)
def dice_at_rest(s: Situation, incident: DiceAtRest, r: Reasoning) -> None:
    dice = check_thrown(s)
    points = sum(dice)
    chance = explain_chance(r, dice, pivot=True)
    r.number("points", points, tempting=[points + 1, points - 1, points + 2, sum(7 - face for face in dice)])
    r.choice("chance", chance, critical=True)
    announce(r, chance, dice)
    r.after(After(marks={} if chance == NONE else {"chance": chance}))


def announce(r: Reasoning, chance: str, dice: Throw) -> None:
    """The chance is announced; where none has come out, there is none to announce."""
    if chance == NONE:
        return
    points = sum(dice)
    r.step("IV 7 d-1", "announce_chance", chance=chance)
    wrong = [Utterance(other, {"points": points}) for other in CHANCES if other != chance]
    r.words(chance, tempting=wrong, points=points)


def _lies(draw: Draw, book: Rulebook, difficulty: int, chance: str) -> Situation:
    """Every other time the first or the last of the totals that win."""
    dice = dice_for(draw, book, chance, at_edge=draw.chance(0.5))
    return Situation(**table(draw, difficulty), dice=dice, incident=DiceAtRest())


@case("reading", {BANCA: (CHANCE_CLAUSES["aces"],)})
def aces_thrown(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _lies(draw, book, difficulty, "aces")


@case("reading", {BANCA: (CHANCE_CLAUSES["small"],)})
def small_thrown(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _lies(draw, book, difficulty, "small")


@case("reading", {BANCA: (CHANCE_CLAUSES["big"],)})
def big_thrown(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _lies(draw, book, difficulty, "big")


@case("reading", {BANCA: (CHANCE_CLAUSES[NONE],)})
def nothing_thrown(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Every other time one point beside a chance."""
    dice = dice_near(draw, book) if draw.chance(0.5) else dice_for(draw, book, NONE)
    return Situation(**table(draw, difficulty), dice=dice, incident=DiceAtRest())
