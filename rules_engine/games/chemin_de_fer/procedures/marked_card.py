"""A card that is bent, torn or marked is found during play. No text says what becomes of the coup.

Portugal 5 and 6 and Sanremo 33 apply besides: what is replaced, and that players may not damage cards.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.rights import still_open
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Incident, Side, Situation

KIND = "marked_card"
DEALT = ("ponto.1", "ponto.2", "banker.1", "banker.2")
Moment = Literal["betting", "dealt", "seen", "shown"]
# What the text has replaced.
REPLACED = {**dict.fromkeys(PT, ("5", "procedures.whole_pack")), SANREMO: ("33", "procedures.single_card")}

domain("card_then", "replace_first", "play_on", "void")


class MarkedCard(Incident, frozen=True, tag="marked_card"):
    """A damaged card is found: at the mouth of the shoe while the betting is open, or in a hand that nobody, or its
    player, has looked at, or that has been shown. `bent_by`: the side that damaged it in this coup."""

    moment: Moment
    bent_by: Side | None = None

    def check(self, situation: Situation) -> None:
        dealt = bool(situation.ponto and situation.banker_cards)
        if dealt == (self.moment == "betting"):
            raise ImpossibleFacts("incident.moment", "cards are dealt once the betting is closed, and not before")
        if dealt and bool(situation.hidden) == (self.moment == "shown"):
            raise ImpossibleFacts("hidden", "cards that were shown lie face up, the others face down")
        if self.bent_by and self.moment in ("betting", "dealt"):
            raise ImpossibleFacts("incident.bent_by", "nobody has had the card in his hand yet")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.marked_card_{self.moment}", {})]
        return [*told, (f"incident.marked_card_by_{self.bent_by}", {})] if self.bent_by else told


@rule(MarkedCard, *PT, SANREMO, SPAIN)
def marked_card(s: Situation, incident: MarkedCard, r: Reasoning) -> None:
    if r.book.coded_as in REPLACED:
        cite, text = REPLACED[r.book.coded_as]
        r.step(cite, text)
    then, text = _then(incident, r)
    r.pivot(KIND, f"procedures.card_{text}")
    if incident.bent_by and r.book.coded_as in PT:
        r.pivot("6", "procedures.no_damage", side=incident.bent_by)
    r.choice("card_then", then, tempting=("replace_first", "play_on", "void"), critical=True)
    if then == "void":
        r.after(lying(burned=(*s.ponto, *s.banker_cards), shoe=s.next))


def _then(incident: MarkedCard, r: Reasoning) -> tuple[str, str]:
    """What becomes of the coup, and the sentence that says why."""
    if incident.moment == "betting":
        return "replace_first", "before_deal"
    if incident.moment == "shown":
        return "play_on", "score_stands"
    if incident.bent_by:
        return "play_on", "nobody_gains"
    if r.procedure == "void" or (r.procedure == "void_unseen" and incident.moment == "dealt"):
        return "void", "void_unseen" if incident.moment == "dealt" else "void_seen"
    return "play_on", "played_out"


@case("procedures", {PT[0]: KIND, SANREMO: KIND, SPAIN: KIND})
def damaged_card(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: a player has looked at the card, or has bent it himself."""
    moments: tuple[Moment, ...] = ("betting", "betting", "dealt", "dealt", "seen", "shown")
    moment = draw.pick(moments if difficulty <= 2 else ("betting", "betting", "dealt", "seen", "seen", "shown"))
    facts = coup(draw, book, difficulty, claim=draw.pick(("stake", "banco")))
    if moment == "betting":
        return Situation(**still_open(facts), incident=MarkedCard(moment=moment))
    bent: Side | None = None
    if difficulty >= 3 and moment in ("seen", "shown") and draw.chance(0.5):
        bent = draw.pick(("ponto", "banker"))
    if moment == "shown":
        facts["calls"] = (*facts["calls"], Call("ponto", "no"), Call("croupier", "no"))
    return Situation(
        **facts,
        ponto=draw.hand(draw.number(6, 7)),
        banker_cards=draw.hand(draw.number(6, 7)),
        next=(draw.card(),),
        hidden=() if moment == "shown" else DEALT,
        incident=MarkedCard(moment=moment, bent_by=bent),
    )
