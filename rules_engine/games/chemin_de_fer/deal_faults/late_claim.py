"""Claims about a fault in the deal or the draw: until when they are heard.

Portugal 104 l; Sanremo 65 s4, with 27 for when a coup is over; Spain 3 p8.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation

# How many stakes have been settled: none, some, all.
Settled = Literal["none", "some", "all"]

domain("complaint", "upheld", "dismissed")


class ClaimAfterError(Incident, frozen=True, tag="claim_after_error"):
    """`by` claims that the banker made this error; others may support him. Nobody remarked on it before."""

    by: Place
    error: Literal["inverted", "extra_card", "wrong_draw"]
    settled: Settled
    discarded: bool
    witnesses: int = 0

    def check(self, situation: Situation) -> None:
        if self.by == situation.banker:
            raise ImpossibleFacts("incident.by", "the banker does not claim against himself")
        if self.witnesses < 0:
            raise ImpossibleFacts("incident.witnesses", "it must be a number of people")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [
            (f"incident.deal_claim_{self.error}", {"by": self.by}),
            (f"incident.deal_settled_{self.settled}", {}),
            ("incident.deal_discarded" if self.discarded else "incident.deal_not_discarded", {}),
        ]
        if self.witnesses:
            told.append(("incident.deal_witnesses", {"count": self.witnesses}))
        return told


def _decide(incident: ClaimAfterError, r: Reasoning, cite: str, *, over: bool) -> None:
    late = "deal.claim_too_late_witnessed" if incident.witnesses else "deal.claim_too_late"
    r.pivot(cite, late if over else "deal.claim_in_time")
    r.choice("allowed", "refused" if over else "allowed", critical=True)
    r.choice("complaint", "dismissed" if over else "upheld", critical=True)


@rule(ClaimAfterError, *PT)
def claim_after_error_pt(s: Situation, incident: ClaimAfterError, r: Reasoning) -> None:
    _decide(incident, r, "104 l", over=incident.settled == "all" and incident.discarded)


@rule(ClaimAfterError, SANREMO)
def claim_after_error_sanremo(s: Situation, incident: ClaimAfterError, r: Reasoning) -> None:
    if incident.error != "inverted":
        raise NotRegulated("art. 65 speaks here of an inverted deal only")
    over = incident.settled == "all" and incident.discarded
    r.step("27", "deal.coup_over" if over else "deal.coup_not_over")
    _decide(incident, r, "65 s4", over=over)


@rule(ClaimAfterError, SPAIN)
def claim_after_error_spain(s: Situation, incident: ClaimAfterError, r: Reasoning) -> None:
    _decide(incident, r, "3 p8", over=incident.settled == "all")


@case("deal_faults", {PT[0]: "104 l", SANREMO: "65 s4", SPAIN: "3 p8"})
def claim_comes_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: nothing or everything is done. Harder: only one of the two things that end a coup."""
    facts = coup(draw, book, difficulty)
    easy: tuple[tuple[Settled, bool], ...] = (("none", False), ("all", True))
    undone: tuple[tuple[Settled, bool], ...] = (("all", False), ("some", False), ("some", True))
    hard: tuple[tuple[Settled, bool], ...] = (("all", True), draw.pick(undone))
    settled, discarded = draw.pick(easy if difficulty == 1 else hard)
    if book.coded_as == SPAIN and settled == "all":
        # The Spanish text counts the stakes alone; cards still on the cloth would leave it open if the coup is over.
        discarded = True
    errors: tuple[Literal["inverted", "extra_card", "wrong_draw"], ...] = ("inverted", "extra_card", "wrong_draw")
    return Situation(
        **facts,
        incident=ClaimAfterError(
            by=draw.pick(pontos(facts)[:4]),
            error="inverted" if book.coded_as == SANREMO else draw.pick(errors),
            settled=settled,
            discarded=discarded,
            witnesses=draw.number(0, 3) if difficulty >= 2 else 0,
        ),
    )
