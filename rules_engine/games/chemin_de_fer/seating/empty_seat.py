"""A seat is empty when the hand goes round: does its owner keep it, and who comes after him?

Portugal 19 s2, 21, 94; Sanremo 19 s2, 20, 23 s2.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, chance, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.order import steps_right
from rules_engine.games.chemin_de_fer.setting import money, places, seated_pontos
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Seat, Situation

domain("seat_right", "kept", "lost")
domain("inspector_deals", "may", "may_not")
domain("goes_to_list", "last", "not_at_all")

Since = Literal["reserved", "away"]


class SeatEmpty(Incident, frozen=True, tag="seat_empty"):
    """A seat is empty: reserved and not yet taken, or left. The banker loses the coup, or wins it.

    `waiting` is the waiting list, in order. About a player who left: whether he `told` the staff and `marked` his seat,
    in how many turns the inspector has already dealt for him, and whether his reason is serious.
    """

    seat: Seat
    since: Since
    banker_loses: bool
    waiting: tuple[Place, ...]
    told: bool = False
    marked: bool = True
    covered: Annotated[int, Meta(ge=0, le=9)] = 0
    justified: bool = False

    def check(self, situation: Situation) -> None:
        if self.seat in situation.seats:
            raise ImpossibleFacts("incident.seat", "somebody sits at {place}", place=self.seat)
        for place in self.waiting:
            if place not in situation.standing:
                raise ImpossibleFacts("incident.waiting", "nobody stands at {place}", place=place)

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.seat_empty.{self.since}", {"seat": self.seat})]
        if self.since == "away":
            told.append((f"incident.seat_empty.{'told' if self.told else 'not_told'}", {}))
            told.append((f"incident.seat_empty.{'marked' if self.marked else 'not_marked'}", {}))
        if self.covered:
            reason = "justified" if self.justified else "no_reason"
            told.append((f"incident.seat_empty.{reason}", {"covered": self.covered}))
        told.append(("incident.seat_empty.waiting", {"waiting": self.waiting}))
        return [*told, (f"incident.seat_empty.{'banker_loses' if self.banker_loses else 'banker_wins'}", {})]


def hand_due(s: Situation, incident: SeatEmpty) -> bool:
    """Whether the hand now comes to that seat: the bank moves, and nobody sits between it and the seat."""
    distance = steps_right(s.banker, str(incident.seat))
    between = any(steps_right(s.banker, str(seat)) < distance for seat in s.seats if str(seat) != s.banker)
    return incident.banker_loses and not between


def _decide(r: Reasoning, incident: SeatEmpty, *, lost: bool) -> None:
    taker = (incident.waiting or ("nobody",))[0] if lost else "nobody"
    r.choice("seat_right", "lost" if lost else "kept", critical=True)
    r.player("seat_to", taker, tempting=[*incident.waiting, "nobody"])


@rule(SeatEmpty, *PT)
def seat_empty_pt(s: Situation, incident: SeatEmpty, r: Reasoning) -> None:
    """Once the hand is there, it does not matter that he told somebody or marked the seat."""
    due = hand_due(s, incident)
    if due and incident.since == "away" and not incident.waiting:
        raise NotRegulated("art. 94: the seat is lost to whoever is entitled to it, and nobody is waiting")
    r.pivot("21", "seating.vacant_when_due" if due else "seating.not_vacant_yet", seat=incident.seat)
    if incident.since == "reserved":
        r.pivot("19 s2", "seating.reservation_lapses" if due else "seating.reservation_holds", seat=incident.seat)
    else:
        r.pivot("94", "seating.absent_when_due" if due else "seating.absent_before_due", seat=incident.seat)
    if due and incident.waiting:
        r.step("20 s2", "seating.first_in_the_book", first=incident.waiting[0])
    _decide(r, incident, lost=due)


@rule(SeatEmpty, SANREMO)
def seat_empty_sanremo(s: Situation, incident: SeatEmpty, r: Reasoning) -> None:
    if incident.since == "reserved":
        raise NotRegulated("arts. 19 and 23: the text does not speak of seats reserved before they were ever taken")
    due = hand_due(s, incident)
    replaced = incident.told and (not incident.covered or incident.justified)
    if not incident.marked:
        r.pivot("23 s2", "seating.left_unmarked")
    elif due and incident.told:
        r.pivot("20", "seating.inspector_may_deal" if replaced else "seating.inspector_dealt_already")
    lost = not incident.marked or (due and not replaced)
    if incident.marked:
        text = "absent_loses_seat" if lost else "absent_keeps_seat"
        r.step("19 s2", f"seating.{text}", seat=incident.seat, pivot=lost or not due)
    elif incident.waiting:
        r.pivot("19 s2", "seating.first_booked", first=incident.waiting[0])
    _decide(r, incident, lost=lost)
    r.choice("inspector_deals", "may" if due and incident.marked and replaced else "may_not")
    r.choice("goes_to_list", "last" if lost else "not_at_all")


@case_table("seating", variant("reserved_seat_empty", {PT[0]: ("19 s2", "21")}, due=chance(0.5), since="reserved"))
def _empty(draw: Draw, book: Rulebook, difficulty: int, *, due: bool, since: Since = "away", **more: Any) -> Situation:
    """The seat to the banker's right if the hand is due there; otherwise another, or one that the hand does not
    reach."""
    facts = places(draw, max(2, difficulty), standing=draw.number(1, 1 + difficulty)) | money(draw, book)
    # Nobody waits where another seat is free.
    facts["seats"] = tuple(range(1, SEATS + 1))
    first, *rest = seated_pontos(facts)
    loses = due or draw.chance(0.6)
    seat = int(first if due or not loses else draw.pick(rest))
    facts["seats"] = tuple(other for other in facts["seats"] if other != seat)
    # Standing players stand behind somebody, so those behind the empty seat move to an occupied one.
    behind = [place for place in facts["standing"] if place[0] != str(seat)]
    moved = draw.pick([other for other in seated_pontos(facts) if other not in (str(seat), str(SEATS))])
    taken = sum(place[0] == moved for place in behind)
    count = len(facts["standing"]) - len(behind)
    facts["standing"] = (*behind, *(f"{moved}{'abcdefghi'[taken + number]}" for number in range(count)))
    waiting = tuple(draw.sample(facts["standing"], draw.number(1, len(facts["standing"]))))
    incident = SeatEmpty(seat=seat, since=since, banker_loses=loses, waiting=waiting, **more)
    return Situation(**facts, incident=incident)


@case("seating", {PT[0]: ("94", "21"), SANREMO: "19 s2"})
def absent_without_a_word(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """In Portugal, when it is harder, he told the staff, which does not help him."""
    told = book.coded_as != SANREMO and difficulty >= 3 and draw.chance(0.5)
    return _empty(draw, book, difficulty, due=draw.chance(0.5), told=told)


@case("seating", {SANREMO: "20"})
def absent_with_notice(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: the inspector has already dealt for him."""
    covered = draw.number(0, 2) if difficulty >= 2 else 0
    return _empty(draw, book, difficulty, due=True, told=True, covered=covered, justified=draw.chance(0.5))


@case("seating", {SANREMO: "23 s2"})
def seat_left_unmarked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _empty(draw, book, difficulty, due=draw.chance(0.3), marked=False, told=draw.chance(0.3))
