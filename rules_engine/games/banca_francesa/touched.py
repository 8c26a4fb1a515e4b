"""The dealer touches dice that lie still, before or after announcing the chance. IV 7 d."""

from typing import Literal

from rules_engine.authoring import Draw, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case_table, rule
from rules_engine.games.banca_francesa.layout import CHANCES, LINES
from rules_engine.games.banca_francesa.payout import decide_sums
from rules_engine.games.banca_francesa.setting import any_chance, picture
from rules_engine.games.banca_francesa.settlement import NONE, chance_of, explain, explain_chance, outcomes, settle
from rules_engine.games.banca_francesa.table import Incident, Situation
from rules_engine.games.layout_bets.incidents import BetsDecided

Act = Literal["raised", "altered", "touched"]
ACTS: tuple[Act, ...] = ("raised", "altered", "touched")


class DiceTouched(BetsDecided, Incident, frozen=True, tag="dice_touched"):
    """The dice lay still and could be read when the dealer lifted, turned or touched one of them."""

    act: Act
    announced: bool = False

    def narration(self) -> list[Sentence]:
        when = "announced" if self.announced else "unannounced"
        return [(f"incident.dice_{self.act}_{when}", {})]


@rule(DiceTouched, BANCA)
def dice_touched(s: Situation, incident: DiceTouched, r: Reasoning) -> None:
    dice = s.result()
    chance = chance_of(r.book, dice)
    settled = outcomes(r.book, s.bets, chance, spared=not incident.announced)
    explain_chance(r, dice, pivot=False)
    if chance != NONE and not incident.announced:
        r.pivot("IV 7 d-1", "throw_counts", chance=chance)
        r.pivot("IV 7 d-2", "nobody_loses", chance=chance)
    elif chance != NONE:
        r.pivot("IV 7 d-1", "announced_before")
    explain(r, settled)
    decide_sums(s, r, settled)
    settle(r, chance, settled)


@case_table(
    "touched",
    variant("touched_before_the_call", {BANCA: ("IV 7 d-1", "IV 7 d-2")}, announced=False),
    variant("touched_after_the_call", {BANCA: "IV 7 d-1"}, announced=True),
)
def _touched(draw: Draw, book: Rulebook, difficulty: int, *, announced: bool) -> Situation:
    """Easy: a winning and a losing bet. Harder: many bets, some of them on lines."""
    chance = any_chance(draw, difficulty)
    lost = draw.pick([one for one in CHANCES if one != chance])
    must = [lost, chance] if draw.chance(0.7) else [lost]
    if difficulty >= 4 or (difficulty == 3 and draw.chance(0.4)):
        must.append(draw.pick(tuple(LINES.values())))
    facts = picture(draw, book, difficulty, chance=chance, must=must)
    return Situation(**facts, incident=DiceTouched(act=draw.pick(ACTS), announced=announced))
