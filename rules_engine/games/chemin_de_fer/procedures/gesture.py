"""The ponto makes a sign instead of saying «carta» or «não». Portugal 65 gives the words, and not what follows when he
says none; Sanremo 13 decides it.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.ponto_third import decide_third
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Incident, Situation, is_natural

KIND = "gesture_made"
Sign = Literal["taps", "waves", "nods"]
# What a sign means at tables that know it.
MEANS = {"taps": "card", "waves": "no"}
# The clause with the word that he should have said.
SAID = {"taps": "65 c", "waves": "65 b", "nods": "65 c"}
HIDDEN = ("ponto.1", "ponto.2", "banker.1", "banker.2")

domain("gesture_taken", "card", "no", "ask", "by_table")


class GestureMade(Incident, frozen=True, tag="gesture_made"):
    """The ponto taps the cloth, waves his hand flat or nods, and says nothing. `drawn`: the banker has drawn a card
    already, which lies apart, face down."""

    sign: Sign
    drawn: bool = False

    def check(self, situation: Situation) -> None:
        if len(situation.ponto) != 2 or is_natural(situation.ponto):
            raise ImpossibleFacts("ponto", "there must be two cards that are not a natural")
        if len(situation.loose) != self.drawn:
            raise ImpossibleFacts("loose", "a card that was drawn lies apart, and only then")
        if self.drawn and self.sign == "waves":
            raise ImpossibleFacts("incident.drawn", "nobody draws on a sign that means no card")

    def narration(self) -> list[Sentence]:
        after = "drawn" if self.drawn else "waiting"
        return [(f"incident.gesture_{self.sign}", {}), (f"incident.gesture_{after}", {})]


@rule(GestureMade, *PT)
def gesture_made(s: Situation, incident: GestureMade, r: Reasoning) -> None:
    r.step(SAID[incident.sign], "procedures.word_is_said")
    known = MEANS.get(incident.sign) if r.procedure == "custom" else None
    taken = known or ("by_table" if incident.drawn else "ask")
    reason = "known" if known else f"{'unknown' if r.procedure == 'custom' else 'words'}_{taken}"
    r.pivot(KIND, f"procedures.gesture_{reason}", word=taken)
    r.choice("gesture_taken", taken, tempting=("card", "no", "ask", "by_table"), critical=True)
    if known:  # by the table it depends on cards that only he has seen
        decide_third(r, "ponto_third", takes=known == "card")


@case("procedures", {PT[0]: KIND})
def sign_without_a_word(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: a card is out already."""
    sign: Sign = draw.pick(("taps", "waves", "nods", "nods"))
    drawn = sign != "waves" and draw.chance(0.4 if difficulty <= 2 else 0.7)
    return Situation(
        **coup(draw, book, difficulty),
        ponto=draw.hand(draw.number(0, 7)),
        banker_cards=draw.hand(draw.number(0, 7)),
        loose=(draw.card(),) if drawn else (),
        next=(draw.card(),),
        hidden=(*HIDDEN, "loose.1") if drawn else HIDDEN,
        incident=GestureMade(sign=sign, drawn=drawn),
    )
