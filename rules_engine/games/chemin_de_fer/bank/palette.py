"""The palette reaches a seated player at Sanremo: how he takes the hand that is offered (89 s1)."""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import check_seated, passed_hand
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.setting import seated_pontos
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation


class PaletteStopped(Incident, frozen=True, tag="palette_stopped"):
    """The palette reaches a seated player, who answers in some way: does he get the hand?"""

    player: Place
    answer: Literal["taken", "seen", "nod", "reach"]

    def check(self, situation: Situation) -> None:
        check_seated(situation, player=self.player)
        if self.player == situation.banker:
            raise ImpossibleFacts("incident.player", "the hand is not offered to the one who passed it")

    def narration(self) -> list[Sentence]:
        return [(f"incident.palette_stopped.{self.answer}", {"player": self.player})]


@rule(PaletteStopped, SANREMO)
def palette_stopped_sanremo(s: Situation, incident: PaletteStopped, r: Reasoning) -> None:
    spoken = incident.answer in ("taken", "seen")
    r.pivot("89 s1", "bank.taken_in_words" if spoken else "bank.not_taken_in_words", player=incident.player)
    r.choice("allowed", "allowed" if spoken else "refused")
    r.words(
        "hand_taken", key="taker_words", tempting=[Utterance("card"), Utterance("no"), Utterance("who_stakes_accepts")]
    )


@case("bank_offer", {SANREMO: "89 s1"})
def palette_stops(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty)
    answer: Literal["taken", "seen", "nod", "reach"] = draw.pick(("taken", "seen", "nod", "reach"))
    incident = PaletteStopped(player=draw.pick(seated_pontos(facts)), answer=answer)
    return Situation(**facts, calls=(Call("croupier", "offer_level", facts["bank"]),), incident=incident)
