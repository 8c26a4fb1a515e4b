"""The warning card's place in the pack and the cards burned from a new shoe.

Portugal 13 (s3, s4); Sanremo 7, which burns nothing.
"""

from typing import Annotated

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import PIPS
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.shoe.moments import first_shoe, later_shoe
from rules_engine.games.chemin_de_fer.table import Incident, Situation

# Where a croupier used to other games, or off by one, would put it.
HABITS = (6, 8, 12, 20)


class WarningCardPut(Incident, frozen=True, tag="warning_card_put"):
    """The croupier has inserted the warning card with so many cards behind it.

    `exchanged`: the two parts are as they should be after the cut. Only an error is told, because not every text has
    them exchanged.
    """

    setting_up = True

    behind: Annotated[int, Meta(ge=0, le=311)]
    exchanged: bool = True

    def narration(self) -> list[Sentence]:
        return [
            (f"incident.warning_card_put.{'exchanged' if self.exchanged else 'not_exchanged'}", {}),
            ("incident.warning_card_put.behind", {"behind": self.behind}),
        ]


class ShoeLoaded(Incident, frozen=True, tag="shoe_loaded"):
    """The shoe is loaded; `next` is what it will give, and the first card is turned up."""

    setting_up = True

    def check(self, situation: Situation) -> None:
        if not situation.next or len(situation.next) < PIPS[situation.next[0][0]]:
            raise ImpossibleFacts("next", "the cards that may have to be burned must be known")


@rule(WarningCardPut, *PT)
def warning_card_put_pt(s: Situation, incident: WarningCardPut, r: Reasoning) -> None:
    behind = r.book.number("warning_card_behind")
    if not incident.exchanged:
        r.pivot("13 s3", "shoe.parts_not_exchanged")
    r.pivot("13 s3", "shoe.warning_card_behind", behind=behind)
    _decide(r, behind, right=incident.exchanged and incident.behind == behind)


@rule(WarningCardPut, SANREMO)
def warning_card_put_sanremo(s: Situation, incident: WarningCardPut, r: Reasoning) -> None:
    if not incident.exchanged:
        raise NotRegulated("art. 7 does not say how the two parts of the pack are put together again")
    behind = r.book.number("warning_card_behind")
    r.pivot("7", "shoe.mask_before_last", behind=behind)
    _decide(r, behind, right=incident.behind == behind)


def _decide(r: Reasoning, behind: int, *, right: bool) -> None:
    r.choice("allowed", "allowed" if right else "refused")
    r.number("warning_card_behind", behind, tempting=HABITS)


@rule(ShoeLoaded, *PT)
def shoe_loaded_pt(s: Situation, incident: ShoeLoaded, r: Reasoning) -> None:
    """The first card is one of those burned, or not (Q3). A ten burns ten: it has as many pips (9 c). A court card
    counts nothing (9 b): it can only be burned besides."""
    first = s.next[0]
    apart = r.book.reads("Q3", "besides")
    count = PIPS[first[0]] + apart
    if not count:
        raise NotRegulated("art. 13 does not settle how many cards a court card burns")
    if count > len(s.next):
        raise ImpossibleFacts("next", "the cards that may have to be burned must be known")
    if first[0] == "T":
        r.pivot("9 c", "shoe.burn_pips", card=first, count=PIPS[first[0]])
    r.pivot("13 s4", "shoe.burn_besides" if apart else "shoe.burn", card=first, count=count)
    r.number("burn_count", count, tempting=[count + 1, *([count - 1] if count > 1 else ()), 1, 10])
    r.after(lying(burned=s.next[:count], shoe=s.next[count:]))


@case("shoe", {PT[0]: "13 s3", SANREMO: "7"})
def warning_card_in_place(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: one card off, and the parts left as they were."""
    behind = book.number("warning_card_behind")
    wrong = (behind - 1, behind + 1) if difficulty >= 3 else (1, 12, 20)
    exchanged = book.coded_as == SANREMO or difficulty <= 1 or draw.chance(0.7)
    incident = WarningCardPut(behind=behind if draw.chance(0.5) else draw.pick(wrong), exchanged=exchanged)
    return Situation(**later_shoe(draw, book, difficulty), incident=incident)


@case("shoe", {PT[0]: ("13 s4", "9 c")})
def cards_to_burn(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = first_shoe(draw, difficulty)
    first = draw.rank("T") if difficulty >= 3 and draw.chance(0.3) else draw.card(*range(1, 10))
    return Situation(**facts, next=(first, *(draw.card() for _ in range(10))), incident=ShoeLoaded())
