"""Complaints: about a payment, until the coup is over; and about what no article provides for.

Sanremo 27, 39 and the closing provision (general).
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.deal_faults.rights import still_open
from rules_engine.games.chemin_de_fer.draw_faults.hands import played
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.outcome import payments, winner_of
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Sum

DECIDERS = ("croupier", "inspector")  # and the banker, who is one of those at the table
Matter = Literal[
    "shoe_knocked_over", "drink_on_cards", "onlooker_called_out", "lights_out", "closing_time", "late_stakes_wanted"
]

domain("appeal", "allowed", "refused")

MATTERS: tuple[Matter, ...] = ("shoe_knocked_over", "drink_on_cards", "onlooker_called_out", "lights_out")
# Matters that an article leaves to somebody else: the clause, and who.
LEFT_TO: dict[Matter, tuple[str, str]] = {
    "closing_time": ("10 s2", "croupier"),
    "late_stakes_wanted": ("55 s1", "banker"),
}


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

    def narration(self) -> list[Sentence]:
        done = {(False, False): "nothing", (True, False): "binned", (False, True): "settled", (True, True): "both"}
        return [
            ("incident.payment_disputed", {"player": self.player, "moved": self.moved}),
            (f"incident.payment_over_{done[self.binned, self.settled]}", {}),
        ]


def _owed(s: Situation, player: str) -> int:
    """What should have changed hands for this player's stake: nothing on a tie."""
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
    """Something the players argue about, usually something the regulation does not mention; one of them wants another
    ruling. `ruled_by`: who has already ruled, if anybody."""

    matter: Matter
    by: Place
    ruled_by: Literal["inspector", "croupier", ""] = ""

    def narration(self) -> list[Sentence]:
        foreseen: list[Sentence] = [("incident.dispute_unforeseen", {})]
        ruled = {"": "dispute_appeal", "inspector": "dispute_after_inspector", "croupier": "dispute_after_croupier"}
        told: list[Sentence] = [(f"incident.dispute_{self.matter}", {}), *(() if self.matter in LEFT_TO else foreseen)]
        return [*told, (f"incident.{ruled[self.ruled_by]}", {"by": self.by})]


@rule(UnforeseenDispute, SANREMO)
def unforeseen_dispute_it(s: Situation, incident: UnforeseenDispute, r: Reasoning) -> None:
    if incident.matter in LEFT_TO:
        cite, who = LEFT_TO[incident.matter]
        r.pivot(cite, f"draw_faults.left_to_{who}")
        r.pivot("39", "draw_faults.article_settles")
        r.player("decides", s.banker if who == "banker" else who, tempting=DECIDERS)
        r.choice("appeal", "refused", tempting=("allowed",))
        return
    r.pivot("39", "draw_faults.inspector_decides")
    r.player("decides", "inspector", tempting=DECIDERS)
    if incident.ruled_by == "croupier":
        r.pivot("general", "draw_faults.croupier_not_final")
        r.choice("appeal", "allowed", tempting=("refused",))
        return
    r.pivot("general", "draw_faults.inspector_is_final")
    r.choice("appeal", "refused", tempting=("allowed",))


@case("croupier_faults", {SANREMO: "27"})
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
    ruled: tuple[Literal["inspector", "croupier", ""], ...] = ("inspector", "croupier", "croupier")
    return Situation(**facts, incident=UnforeseenDispute(matter=draw.pick(MATTERS), by=by, ruled_by=draw.pick(ruled)))


@case("croupier_faults", {SANREMO: ("10 s2", "55 s1")})
def dispute_that_an_article_settles(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: an article says who decides. Before the close the croupier, after it the banker."""
    facts = coup(draw, book, difficulty)
    matter: Matter = draw.pick(("closing_time", "late_stakes_wanted"))
    if matter == "closing_time":
        facts = still_open(facts)
    return Situation(**facts, incident=UnforeseenDispute(matter=matter, by=draw.pick(pontos(facts))))
