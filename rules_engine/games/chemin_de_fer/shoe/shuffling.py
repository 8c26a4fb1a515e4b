"""Players who wish to shuffle: whether they may, and which of several.

Portugal 12 s1; Sanremo 5 (s1, s2).
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case_table, rule
from rules_engine.games.chemin_de_fer.shoe.moments import (
    check_present,
    first_shoe,
    from_croupiers_left,
    later_shoe,
    leftwards,
)
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation


class ShuffleRequested(Incident, frozen=True, tag="shuffle_requested"):
    """Before a shoe, some players ask to shuffle first, in this order."""

    setting_up = True

    asking: tuple[Place, ...]
    first_shoe: bool = False

    def check(self, situation: Situation) -> None:
        check_present(situation, "asking", self.asking)
        if len(set(self.asking)) != len(self.asking):
            raise ImpossibleFacts("incident.asking", "a player is listed twice")

    def narration(self) -> list[Sentence]:
        when = "first" if self.first_shoe else "later"
        return [
            (f"incident.shuffle_requested.{when}", {}),
            ("incident.shuffle_requested.asking", {"asking": self.asking}),
        ]


@rule(ShuffleRequested, *PT)
def shuffle_requested_pt(s: Situation, incident: ShuffleRequested, r: Reasoning) -> None:
    seated = sorted(filter(str.isdigit, incident.asking))
    who = seated[0] if seated else "nobody"
    r.pivot("12 s1", "shoe.lowest_seat_shuffles" if seated else "shoe.only_seated_shuffle", who=who)
    r.step("12 s2", "shoe.then_croupier_shuffles")
    r.player("shuffles", who, tempting=[*incident.asking, "croupier", "nobody"])


@rule(ShuffleRequested, SANREMO)
def shuffle_requested_sanremo(s: Situation, incident: ShuffleRequested, r: Reasoning) -> None:
    order = from_croupiers_left(s.seats) if incident.first_shoe else leftwards(s.banker, s.seats)
    entitled = [place for place in order if place in incident.asking and place != s.banker]
    who = entitled[0] if entitled else "nobody"
    r.pivot("5 s1", "shoe.one_seated_not_banker", who=who)
    if len(entitled) > 1:
        r.pivot("5 s2", "shoe.shuffle_in_cut_order", who=who)
        r.step("6 s1" if incident.first_shoe else "6 s2", "shoe.cut_order_begins", first=order[0])
    r.player("shuffles", who, tempting=[*incident.asking, "croupier", "nobody"])


@case_table(
    "shoe",
    variant("several_ask_to_shuffle", {PT[0]: "12 s1", SANREMO: ("5 s1", "5 s2")}, several=True),
    variant("one_asks_to_shuffle", {PT[0]: "12 s1", SANREMO: "5 s1"}, several=False),
)
def _asked(draw: Draw, book: Rulebook, difficulty: int, *, several: bool) -> Situation:
    """The banker of the coming shoe and standing players ask too where that makes it harder."""
    first = draw.chance(0.4)
    facts = first_shoe(draw, difficulty) if first else later_shoe(draw, book, difficulty)
    seated = [str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]]
    asking = draw.sample(seated, draw.number(2, 3) if several else draw.number(0, 1))
    # Before the first shoe nobody is the banker yet.
    if (difficulty >= 2 or not asking) and not first:
        asking.append(facts["banker"])
    if difficulty >= 3 and facts["standing"]:
        asking.append(draw.pick(facts["standing"]))
    if not asking:
        asking.append(seated[0])
    incident = ShuffleRequested(asking=tuple(draw.shuffled(asking)), first_shoe=first)
    return Situation(**facts, incident=incident)
