"""The inspector deals for a player who had to leave his seat for a moment.

Sanremo 21 (s1, s2, s3).
"""

from typing import Annotated

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import check_another_seated, neighbours, next_seated, passed_hand
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.table import Incident, Situation

Dealt = Annotated[int, Meta(ge=0, le=9)]


class InspectorDeals(Incident, frozen=True, tag="inspector_deals"):
    """The inspector has finished `dealt` coups for the banker, winning or tying them all; if one is `running`, it is
    not over. `back`: the banker returns at this moment and wants to go on."""

    dealt: Dealt
    running: bool = False
    back: bool = False

    def narration(self) -> list[Sentence]:
        return [
            ("incident.inspector_deals.start", {"dealt": self.dealt}),
            (f"incident.inspector_deals.{'running' if self.running else 'between'}", {}),
            (f"incident.inspector_deals.{'back' if self.back else 'away'}", {}),
        ]

    def check(self, situation: Situation) -> None:
        if self.running and not self.back:
            raise ImpossibleFacts("incident.running", "while a coup runs there is nothing to decide unless he is back")
        check_another_seated(situation, situation.banker)


class InspectorNewShoe(Incident, frozen=True, tag="inspector_new_shoe"):
    """A new shoe begins after the inspector has finished `dealt` coups for the absent banker."""

    dealt: Dealt
    told_to_keep: bool = False

    def narration(self) -> list[Sentence]:
        return [
            ("incident.inspector_deals.start", {"dealt": self.dealt}),
            (f"incident.inspector_new_shoe.{'told_to_keep' if self.told_to_keep else 'told_nothing'}", {}),
        ]


@rule(InspectorDeals, SANREMO)
def inspector_deals_sanremo(s: Situation, incident: InspectorDeals, r: Reasoning) -> None:
    most = r.book.number("absent_player_max_coups_by_inspector")
    goes_on = incident.dealt < most
    after = next_seated(s, s.banker)
    r.pivot("21 s1", "bank.inspector_more" if goes_on else "bank.inspector_done", most=most, dealt=incident.dealt)
    if incident.back:
        r.pivot("21 s2", "bank.absentee_in_time" if goes_on else "bank.absentee_too_late", most=most)
    r.choice("allowed", "allowed" if goes_on else "refused", critical=True)
    left = max(0, most - incident.dealt)
    r.number("coups_left", left, tempting=[left + 1, most, 0, abs(left - 1)])
    if not goes_on:
        # 21 ends his turn without saying where the hand goes; only 14 gives the order of turns ("e così via").
        r.pivot("14", "bank.goes_right", player=after)
        r.rests("bank_to", "21 s1", "14")
    r.player("bank_to", s.banker if goes_on else after, tempting=[after, *neighbours(s, s.banker), "inspector"])


@rule(InspectorNewShoe, SANREMO)
def inspector_new_shoe_sanremo(s: Situation, incident: InspectorNewShoe, r: Reasoning) -> None:
    most = r.book.number("absent_player_max_coups_by_inspector")
    r.step("21 s1", "bank.inspector_more", most=most, dealt=incident.dealt)
    half = s.bank // r.book.number("inspector_new_shoe_divisor")
    r.pivot("21 s3", "bank.inspector_keeps_bank" if incident.told_to_keep else "bank.inspector_halves", bank=s.bank)
    r.amount("bank_amount", s.bank if incident.told_to_keep else half, tempting=[s.bank, half, s.minimum])


def _absent(draw: Draw, book: Rulebook, difficulty: int, incident: Incident) -> Situation:
    return Situation(**passed_hand(draw, book, difficulty), incident=incident)


@case("bank_passing", {SANREMO: "21 s1"})
def inspector_has_dealt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    most = book.number("absent_player_max_coups_by_inspector")
    return _absent(draw, book, difficulty, InspectorDeals(dealt=draw.pick((most, draw.number(1, most - 1)))))


@case("bank_passing", {SANREMO: "21 s2"})
def absent_banker_returns(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: in the middle of the third coup."""
    most = book.number("absent_player_max_coups_by_inspector")
    if difficulty >= 3 and draw.chance(0.4):
        return _absent(draw, book, difficulty, InspectorDeals(dealt=most - 1, running=True, back=True))
    dealt = draw.pick((most, draw.number(1, most - 1)))
    return _absent(draw, book, difficulty, InspectorDeals(dealt=dealt, back=True))


@case("bank_passing", {SANREMO: "21 s3"})
def absent_banker_and_a_new_shoe(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    most = book.number("absent_player_max_coups_by_inspector")
    incident = InspectorNewShoe(dealt=draw.number(1, most - 1), told_to_keep=difficulty >= 2 and draw.chance(0.4))
    return _absent(draw, book, difficulty, incident)
