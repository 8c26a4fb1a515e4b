"""Complaints: about a payment, until the coup is over; and about what no article foresees.

Sanremo 27, 39 and the closing provision (general).
"""

from typing import Any, Literal

from rules_engine.errors import ImpossibleFacts
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.hands import played
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.outcome import payments, winner_of
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Sum
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning

DECIDERS = ("inspector", "croupier", "banker", "nobody")
Matter = Literal["shoe_knocked_over", "drink_on_cards", "onlooker_called_out", "lights_out"]

domain("appeal", "allowed", "refused")

MATTERS: tuple[Matter, ...] = ("shoe_knocked_over", "drink_on_cards", "onlooker_called_out", "lights_out")


class PaymentDisputed(Incident, frozen=True, tag="payment_disputed"):
    """The croupier paid or took this sum for one player's stake, and the player or the banker objects.

    `binned`: the cards of the coup are in the discard box; `settled`: every stake has been paid or taken.
    """

    player: Place
    moved: Sum
    binned: bool
    settled: bool

    def check(self, situation: Situation) -> None:
        if self.player not in {stake.player for stake in situation.stakes}:
            raise ImpossibleFacts("incident.player", "{player:player} has no stake", player=self.player)
        if min(len(situation.ponto), len(situation.banker_cards)) < 2:
            raise ImpossibleFacts("ponto", "the coup must have been played")
        if self.moved == _owed(situation, self.player):
            raise ImpossibleFacts("incident.moved", "that is the right sum: nothing is wrong")

    def narration(self) -> list[tuple[str, dict[str, Any]]]:
        done = {(False, False): "nothing", (True, False): "binned", (False, True): "settled", (True, True): "both"}
        return [
            ("incident.payment_disputed", {"player": self.player, "moved": self.moved}),
            (f"incident.payment_over_{done[self.binned, self.settled]}", {}),
        ]


def _owed(s: Situation, player: str) -> int:
    """What should have changed hands over this player's stake: on a tie, nothing."""
    if score(s.ponto) == score(s.banker_cards):
        return 0
    return sum(stake.amount for stake in s.stakes if stake.player == player)


@rule(PaymentDisputed, SANREMO)
def payment_disputed_it(s: Situation, incident: PaymentDisputed, r: Reasoning) -> None:
    over = incident.binned and incident.settled
    r.pivot("27", "draw_faults.coup_over" if over else "draw_faults.coup_not_over")
    r.choice("allowed", "refused" if over else "allowed", critical=True)
    r.choice("complaint", "dismissed" if over else "upheld", critical=True)
    winner = winner_of(score(s.ponto), score(s.banker_cards))
    owed = _owed(s, incident.player)
    wrong_by = abs(owed - incident.moved)
    r.amount("correction", 0 if over else wrong_by, tempting=[wrong_by, owed, incident.moved], critical=True)
    paid = () if over else payments(s, r.book, winner)
    if incident.binned:
        r.after(lying(burned=(*s.ponto, *s.banker_cards), shoe=s.next, payments=paid))
    else:
        r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next, payments=paid))


class UnforeseenDispute(Incident, frozen=True, tag="unforeseen_dispute"):
    """Something the regulation does not mention, over which the players quarrel; one of them wants a higher ruling."""

    matter: Matter
    by: Place

    def narration(self) -> list[tuple[str, dict[str, Any]]]:
        return [(f"incident.dispute_{self.matter}", {}), ("incident.dispute_appeal", {"by": self.by})]


@rule(UnforeseenDispute, SANREMO)
def unforeseen_dispute_it(s: Situation, incident: UnforeseenDispute, r: Reasoning) -> None:
    r.pivot("39", "draw_faults.inspector_decides")
    r.pivot("general", "draw_faults.inspector_is_final")
    r.player("decides", "inspector", tempting=DECIDERS)
    r.choice("appeal", "refused")


@case("croupier_faults", {SANREMO: ("27",)})
def payment_questioned(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: nothing or everything is done. Harder: one of the two things that end a coup is still missing."""
    facts = played(draw, book, difficulty)
    stake = draw.pick(facts["stakes"])
    unit = facts["unit"]
    wrong = [stake.amount + unit, stake.amount * 2] + ([stake.amount - unit] if stake.amount > unit else [])
    easy, hard = ((False, False), (True, True)), ((True, True), (True, False), (False, True))
    binned, settled = draw.pick(easy if difficulty == 1 else hard)
    incident = PaymentDisputed(player=stake.player, moved=draw.pick(wrong), binned=binned, settled=settled)
    return Situation(**facts, incident=incident)


@case("croupier_faults", {SANREMO: ("39", "general")})
def dispute_nobody_foresaw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = coup(draw, book, difficulty)
    by = draw.pick((facts["banker"], *pontos(facts)))
    return Situation(**facts, incident=UnforeseenDispute(matter=draw.pick(MATTERS), by=by))
