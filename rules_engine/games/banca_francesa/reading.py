"""The dice lie still: how many points, which chance, and what is announced. IV 9."""

from rules_engine.authoring import After, Draw, Reasoning, Rulebook, Throw, Utterance, variant
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, case_table, rule
from rules_engine.games.banca_francesa.layout import CHANCES
from rules_engine.games.banca_francesa.setting import dice_for, dice_near
from rules_engine.games.banca_francesa.settlement import CHANCE_CLAUSES, NONE, explain_chance
from rules_engine.games.banca_francesa.table import Incident, Situation
from rules_engine.games.layout_bets.incidents import Decided
from rules_engine.games.layout_bets.setting import table


class DiceAtRest(Decided, Incident, frozen=True, tag="dice_at_rest"):
    """All three dice lie still and apart in the arena; nothing has been announced."""


@rule(DiceAtRest, BANCA)
def dice_at_rest(s: Situation, incident: DiceAtRest, r: Reasoning) -> None:
    dice = s.result()
    points = sum(dice)
    chance = explain_chance(r, dice, pivot=True)
    r.number("points", points, tempting=[points + 1, points - 1, points + 2, sum(7 - face for face in dice)])
    r.choice("chance", chance, critical=True)
    announce(r, chance, dice)
    r.after(After(marks={} if chance == NONE else {"chance": chance}))


def announce(r: Reasoning, chance: str, dice: Throw) -> None:
    """Decide the announcement of the chance; if none has won, there is nothing to announce."""
    if chance == NONE:
        return
    points = sum(dice)
    r.step("IV 7 d-1", "announce_chance", chance=chance)
    wrong = [Utterance(other, {"points": points}) for other in CHANCES if other != chance]
    r.words(chance, tempting=wrong, points=points)


@case_table("reading", *(variant(f"{one}_thrown", {BANCA: CHANCE_CLAUSES[one]}, chance=one) for one in CHANCES))
def _lies(draw: Draw, book: Rulebook, difficulty: int, chance: str) -> Situation:
    """Half of the time the first or last of the winning totals."""
    dice = dice_for(draw, book, chance, at_edge=draw.chance(0.5))
    return Situation(**table(draw, book, difficulty), dice=dice, incident=DiceAtRest())


@case("reading", {BANCA: (CHANCE_CLAUSES[NONE],)})
def nothing_thrown(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Half of the time one point away from a winning total."""
    dice = dice_near(draw, book) if draw.chance(0.5) else dice_for(draw, book, NONE)
    return Situation(**table(draw, book, difficulty), dice=dice, incident=DiceAtRest())
