"""The cut: who makes it, who is next if it is declined, and when it must be made again.

Portugal 13 (s1, s2), 27 (s1, s2, s3), 28; Sanremo 6 (s1, s2, s3, s4).
"""

from typing import Annotated

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.shoe.moments import (
    CARDS_IN_PACK,
    check_present,
    first_shoe,
    from_croupiers_left,
    later_shoe,
    leftwards,
)
from rules_engine.games.chemin_de_fer.table import DECKS, Call, Incident, Place, Situation

domain("cut_is", "good", "again")

CARDS = DECKS * CARDS_IN_PACK


class CutOffered(Incident, frozen=True, tag="cut_offered"):
    """The pack is ready to be cut. The calls say who declined. `last_cutter` cut the previous shoe, if there was
    one."""

    setting_up = True

    last_cutter: Place | None = None
    first_shoe: bool = False

    def check(self, situation: Situation) -> None:
        if not situation.seats:
            raise ImpossibleFacts("seats", "nobody is seated to be offered the cut")
        if self.last_cutter:
            check_present(situation, "last_cutter", (self.last_cutter,))
        if self.last_cutter and self.first_shoe:
            raise ImpossibleFacts("incident.last_cutter", "before the first shoe nobody has cut")
        check_present(situation, "calls", declined(situation))

    def narration(self) -> list[Sentence]:
        if self.first_shoe:
            return [("incident.cut_offered.first", {})]
        told: list[Sentence] = [("incident.cut_offered.later", {})]
        if self.last_cutter:
            told.append(("incident.cut_offered.last_cutter", {"last_cutter": self.last_cutter}))
        return told


class CutCardIn(Incident, frozen=True, tag="cut_card_in"):
    """The cut card goes into the pack with so many cards above it."""

    setting_up = True

    above: Annotated[int, Meta(ge=0, le=CARDS)]

    def narration(self) -> list[Sentence]:
        return [("incident.cut_card_in", {"above": self.above, "below": CARDS - self.above})]

    @property
    def smaller(self) -> int:
        return min(self.above, CARDS - self.above)


def declined(s: Situation) -> tuple[str, ...]:
    return tuple(call.by for call in s.calls if call.says == "no_cut")


def _first_willing(s: Situation, order: tuple[str, ...]) -> str | None:
    refused = declined(s)
    return next((place for place in order if place not in refused), None)


def _decide(s: Situation, r: Reasoning, order: tuple[str, ...], who: str | None) -> None:
    ends = (order[0], order[-1], min(order), max(order))
    r.player("cuts", who or "inspector", tempting=[*ends, *declined(s)[-1:], "inspector", "croupier"])


@rule(CutOffered, *PT)
def cut_offered_pt(s: Situation, incident: CutOffered, r: Reasoning) -> None:
    if incident.first_shoe:
        order = from_croupiers_left(s.seats)
        r.pivot("27 s1", "shoe.cut_at_croupiers_left", first=order[0])
    elif incident.last_cutter and incident.last_cutter.isdigit():
        order = leftwards(incident.last_cutter, s.seats)
        r.pivot("27 s3", "shoe.cut_left_of_last_cutter", first=order[0], last_cutter=incident.last_cutter)
    else:
        raise NotRegulated("art. 27 does not say who cuts when no seated player cut the shoe before")
    who = _first_willing(s, order)
    if declined(s):
        r.pivot("27 s2", "shoe.cut_declined", declined=declined(s))
    if who is None:
        r.pivot("28", "shoe.inspector_cuts")
    r.step("13 s1", "shoe.pack_presented")
    _decide(s, r, order, who)


@rule(CutOffered, SANREMO)
def cut_offered_sanremo(s: Situation, incident: CutOffered, r: Reasoning) -> None:
    """That a declined cut goes on in the same direction is our reading: the text only says «immediatamente dopo»."""
    if incident.first_shoe:
        order = from_croupiers_left(s.seats)
        r.pivot("6 s1", "shoe.cut_at_croupiers_left", first=order[0])
    else:
        order = leftwards(s.banker, s.seats)
        r.pivot("6 s2", "shoe.cut_left_of_banker", first=order[0], banker=s.banker)
    who = _first_willing(s, order)
    if declined(s):
        r.pivot("6 s3", "shoe.cut_declined" if who else "shoe.inspector_cuts", declined=declined(s))
    _decide(s, r, order, who)


@rule(CutCardIn, *PT)
def cut_card_in_pt(s: Situation, incident: CutCardIn, r: Reasoning) -> None:
    least = r.book.number("cut_min_cards_each_side")
    good = incident.smaller >= least
    r.pivot("13 s2", "shoe.cut_good" if good else "shoe.cut_too_near", least=least, smaller=incident.smaller)
    r.choice("cut_is", "good" if good else "again")


@rule(CutCardIn, SANREMO)
def cut_card_in_sanremo(s: Situation, incident: CutCardIn, r: Reasoning) -> None:
    """The text says one of the two parts; it can only mean the smaller."""
    least = r.book.number("cut_min_cards_approx")
    good = incident.smaller >= least
    r.pivot("6 s4", "shoe.cut_good_about" if good else "shoe.cut_too_near_about", least=least, smaller=incident.smaller)
    r.choice("cut_is", "good" if good else "again")


def _round(draw: Draw, book: Rulebook, difficulty: int, *, first: bool, refusals: str) -> Situation:
    """`refusals`: none, some or all of those who may cut have declined."""
    facts = first_shoe(draw, difficulty) if first else later_shoe(draw, book, difficulty)
    last = None if first else draw.pick([str(seat) for seat in facts["seats"]])
    if first:
        order = from_croupiers_left(facts["seats"])
    else:
        order = leftwards(facts["banker"] if book.coded_as == SANREMO else str(last), facts["seats"])
    # Whether the last in turn closes the round himself is left open, so he is not asked about.
    some = draw.number(1, min(difficulty + 1, len(order) - 2))
    count = {"none": 0, "some": some, "all": len(order)}[refusals]
    calls = tuple(Call(place, "no_cut") for place in order[:count])
    return Situation(**facts, calls=calls, incident=CutOffered(last_cutter=last, first_shoe=first))


@case("shoe", {PT[0]: "27 s1", SANREMO: "6 s1"})
def first_cut(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _round(draw, book, difficulty, first=True, refusals="some" if difficulty >= 3 else "none")


@case("shoe", {PT[0]: "27 s2", SANREMO: "6 s3"})
def cut_goes_round(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _round(draw, book, difficulty, first=True, refusals="some")


@case("shoe", {PT[0]: "27 s3", SANREMO: "6 s2"})
def later_cut(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _round(draw, book, difficulty, first=False, refusals="some" if difficulty >= 3 else "none")


@case("shoe", {PT[0]: ("28", "27 s2"), SANREMO: "6 s3"})
def nobody_wants_to_cut(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _round(draw, book, difficulty, first=difficulty <= 2 or draw.chance(0.5), refusals="all")


@case("shoe", {PT[0]: "13 s2"})
def cut_near_the_end(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: one card around the limit, and from the other end of the pack."""
    least = book.number("cut_min_cards_each_side")
    near = (least - 1, least, least + 1)
    smaller = draw.pick(near if difficulty >= 3 else (1, least - 3, least, draw.number(20, 150)))
    above = smaller if difficulty <= 2 or draw.chance(0.5) else CARDS - smaller
    return Situation(**later_shoe(draw, book, difficulty), incident=CutCardIn(above=above))


@case("shoe", {SANREMO: "6 s4"})
def cut_about_the_end(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """«About twenty» is not asked within a few cards of twenty."""
    least = book.number("cut_min_cards_approx")
    smaller = draw.number(5, least - 6) if draw.chance(0.5) else draw.number(least + 5, 150)
    above = smaller if difficulty <= 2 or draw.chance(0.5) else CARDS - smaller
    return Situation(**later_shoe(draw, book, difficulty), incident=CutCardIn(above=above))
