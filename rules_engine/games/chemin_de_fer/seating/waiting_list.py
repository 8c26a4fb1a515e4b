"""A seat becomes free: which of those waiting to sit or to move gets it.

Portugal 20 (s1, s2) and 22; Sanremo 19 s1 and 24.
"""

from typing import Any

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.setting import bystanders, money, places
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Seat, Situation


class SeatFreed(Incident, frozen=True, tag="seat_freed"):
    """A seat becomes free. `book` is everybody who asked for one, in that order: standing players wait for a seat,
    seated ones want to move. `silent` do not answer when called; `assigned` has been given it."""

    seat: Seat
    shoe_end: bool
    book: tuple[Place, ...]
    silent: tuple[Place, ...] = ()
    assigned: Place | None = None

    def check(self, situation: Situation) -> None:
        if self.seat in situation.seats:
            raise ImpossibleFacts("incident.seat", "somebody sits at {place}", place=self.seat)
        present = {*map(str, situation.seats), *situation.standing}
        for place in (*self.book, *([self.assigned] if self.assigned else ())):
            if place not in present:
                raise ImpossibleFacts("incident.book", "nobody is at {place}", place=place)
        if len(set(self.book)) != len(self.book):
            raise ImpossibleFacts("incident.book", "a player is listed twice")
        if not set(self.silent) <= set(self.book):
            raise ImpossibleFacts("incident.silent", "only those in the book are called")

    def narration(self) -> list[Sentence]:
        when = "shoe_end" if self.shoe_end else "mid_shoe"
        told: list[Sentence] = [
            (f"incident.seat_freed.{when}", {"seat": self.seat}),
            ("incident.seat_freed.book", {"book": self.book}),
        ]
        if self.silent:
            told.append(("incident.seat_freed.silent", {"silent": self.silent}))
        if self.assigned:
            told.append(("incident.seat_freed.assigned", {"assigned": self.assigned}))
        return told


@rule(SeatFreed, *PT)
def seat_freed_pt(s: Situation, incident: SeatFreed, r: Reasoning) -> None:
    if incident.assigned:
        raise NotRegulated("art. 20: the text does not speak of seats assigned beforehand")
    answering = [place for place in incident.book if place not in incident.silent]
    movers = [place for place in answering if place.isdigit()]
    order = answering
    if incident.shoe_end and movers:
        order = movers + [place for place in answering if not place.isdigit()]
        r.pivot("20 s1", "seating.movers_first", first=movers[0])
    if incident.silent:
        r.pivot("22", "seating.silent_loses", silent=incident.silent)
    r.pivot("20 s2", "seating.in_order_of_the_book")
    r.player("seat_to", order[0] if order else "nobody", tempting=[*incident.book, "nobody"])
    r.order("seat_order", order, tempting=[incident.book, tuple(answering), tuple(reversed(order))])


@rule(SeatFreed, SANREMO)
def seat_freed_sanremo(s: Situation, incident: SeatFreed, r: Reasoning) -> None:
    if incident.silent:
        raise NotRegulated("art. 19: the text does not speak of those who do not answer")
    movers = [place for place in incident.book if place.isdigit()]
    standing = [place for place in incident.book if not place.isdigit()]
    if incident.shoe_end and incident.assigned:
        order = ahead = [incident.assigned]
        r.pivot("24", "seating.already_assigned", assigned=incident.assigned)
    elif incident.shoe_end:
        order, ahead = movers + standing, movers or standing
        r.pivot("24", "seating.mover_first_at_end")
    else:
        order, ahead = standing + movers, standing or movers
        r.pivot("24", "seating.standing_first_in_shoe")
    if len(ahead) > 1:
        r.pivot("19 s1", "seating.first_booked", first=ahead[0])
    r.player("seat_to", order[0] if order else "nobody", tempting=[*incident.book, "nobody"])


def _table(draw: Draw, book: Rulebook, difficulty: int) -> tuple[dict[str, Any], list[str], list[str]]:
    """A table with a free seat, and the players who might wait for it or move to it."""
    facts = places(draw, min(4, difficulty), standing=bystanders(draw)) | money(draw, book)
    behind = {int(place[0]) for place in facts["standing"]}
    # Only one seat is free; otherwise nobody would have had to wait.
    free = draw.pick([seat for seat in range(1, SEATS + 1) if str(seat) != facts["banker"] and seat not in behind])
    facts["seats"] = tuple(seat for seat in range(1, SEATS + 1) if seat != free)
    seated = [str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]]
    waiting = draw.sample(facts["standing"], draw.number(2, min(4, 2 + difficulty // 2)))
    return facts, waiting, draw.sample(seated, 1 + difficulty // 2)


def _free(draw: Draw, facts: dict[str, Any]) -> int:
    return draw.pick([seat for seat in range(1, SEATS + 1) if seat not in facts["seats"]])


@case("seating", {PT[0]: ("20 s1", "20 s2"), SANREMO: "24"})
def seat_free_at_shoe_end(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Those who want to move asked last, or in between."""
    facts, waiting, movers = _table(draw, book, difficulty)
    listed = (waiting[0], *draw.shuffled([*waiting[1:], *movers]))
    assigned = draw.pick(waiting) if book.coded_as == SANREMO and difficulty >= 3 and draw.chance(0.4) else None
    # Harder in Portugal: of those who want to move, the first in the book does not answer.
    silent = [place for place in listed if place in movers][:1]
    if book.coded_as == SANREMO or difficulty < 4 or draw.chance(0.4):
        silent = []
    incident = SeatFreed(seat=_free(draw, facts), shoe_end=True, book=listed, silent=tuple(silent), assigned=assigned)
    return Situation(**facts, incident=incident)


@case("seating", {PT[0]: "20 s2"})
def seat_free_in_mid_shoe(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A standing player asked first: whether a mover who asked before him could go first is left open."""
    facts, waiting, movers = _table(draw, book, difficulty)
    rest = [*waiting[1:], *(movers if difficulty >= 3 else ())]
    listed = (waiting[0], *draw.shuffled(rest))
    return Situation(**facts, incident=SeatFreed(seat=_free(draw, facts), shoe_end=False, book=listed))


@case("seating", {SANREMO: "24"})
def seat_free_in_the_shoe(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The player who wants to move asked first, and must wait anyway."""
    facts, waiting, movers = _table(draw, book, difficulty)
    return Situation(**facts, incident=SeatFreed(seat=_free(draw, facts), shoe_end=False, book=(*movers, *waiting)))


@case("seating", {PT[0]: ("22", "20 s2")})
def called_and_silent(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, waiting, _ = _table(draw, book, difficulty)
    silent = tuple(waiting[: draw.number(1, len(waiting) - 1)])
    incident = SeatFreed(seat=_free(draw, facts), shoe_end=draw.chance(0.5), book=tuple(waiting), silent=silent)
    return Situation(**facts, incident=incident)
