"""Seats and their numbers: which number a player has, who sits beside whom, how many seats one may hold.

Portugal 3 s2, 17 (s1, s2); Sanremo 8 and 22.
"""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.setting import money, places
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Seat, Situation

SeatOrCroupier = Annotated[str, Meta(pattern="^([1-9]|croupier)$")]
Hand = Literal["right", "left"]


class NeighbourSought(Incident, frozen=True, tag="neighbour_sought"):
    """Somebody has to be found by where he sits: the first player to the right or left of another, or of the
    croupier."""

    of: SeatOrCroupier
    side: Hand

    def check(self, situation: Situation) -> None:
        if self.of not in ("croupier", *map(str, situation.seats)):
            raise ImpossibleFacts("incident.of", "nobody is at {place}", place=self.of)
        if not any(str(seat) != self.of for seat in situation.seats):
            raise ImpossibleFacts("seats", "nobody else is seated")

    def narration(self) -> list[Sentence]:
        return [(f"incident.neighbour_sought_{self.side}", {"of": self.of})]


class SatDown(Incident, frozen=True, tag="sat_down"):
    """The `arrival`-th player to come sits down so many places to the right of a seat, counting every place."""

    arrival: Annotated[int, Meta(ge=1, le=SEATS)]
    beside: Seat
    places: Annotated[int, Meta(ge=1, le=8)]

    @property
    def seat(self) -> int:
        return (self.beside + self.places - 1) % SEATS + 1

    def check(self, situation: Situation) -> None:
        if self.seat in situation.seats:
            raise ImpossibleFacts("incident.places", "seat {seat} is taken", seat=self.seat)


class SecondSeat(Incident, frozen=True, tag="second_seat"):
    """A seated player wants another seat too, or instead; here or at another table."""

    player: Place
    other_table: bool
    gives_up: bool

    def check(self, situation: Situation) -> None:
        if not self.player.isdigit() or int(self.player) not in situation.seats:
            raise ImpossibleFacts("incident.player", "nobody sits at {place}", place=self.player)

    def narration(self) -> list[Sentence]:
        where = "other_table" if self.other_table else "same_table"
        return [
            (f"incident.second_seat.{where}", {"player": self.player}),
            (f"incident.second_seat.{'gives_up' if self.gives_up else 'keeps'}", {}),
        ]


class SeatAdded(Incident, frozen=True, tag="seat_added"):
    """The inspector wants to add a seat to a table."""

    big_table: bool
    shoe_end: bool
    agreed: bool

    def narration(self) -> list[Sentence]:
        return [
            (f"incident.seat_added.{'big_table' if self.big_table else 'other_table'}", {}),
            (f"incident.seat_added.{'shoe_end' if self.shoe_end else 'mid_shoe'}", {}),
            (f"incident.seat_added.{'agreed' if self.agreed else 'opposed'}", {}),
        ]


@rule(NeighbourSought, *PT)
def neighbour_sought_pt(s: Situation, incident: NeighbourSought, r: Reasoning) -> None:
    """Counter-clockwise from the croupier's right: a player's right is the next higher number, after 9 comes 1."""
    if incident.of == "croupier":
        who = str(min(s.seats) if incident.side == "right" else max(s.seats))
    else:
        round_right = from_right(incident.of, (str(seat) for seat in s.seats if str(seat) != incident.of))
        who = round_right[0] if incident.side == "right" else round_right[-1]
    r.pivot("3 s2", "seating.numbered_round", seats=r.book.number("seats"))
    r.step("17 s1", "seating.number_of_seat")
    others = [str(seat) for seat in s.seats if str(seat) != who]
    r.player("neighbour", who, tempting=others)


@rule(SatDown, *PT)
def sat_down_pt(s: Situation, incident: SatDown, r: Reasoning) -> None:
    r.step("3 s2", "seating.numbered_round", seats=r.book.number("seats"))
    r.pivot("17 s1", "seating.number_is_seats", seat=incident.seat)
    opposite = (incident.beside - incident.places - 1) % SEATS + 1
    below = sum(seat < incident.seat for seat in s.seats) + 1
    r.number("player_number", incident.seat, tempting=[incident.arrival, opposite, below])


@rule(SecondSeat, *PT)
def second_seat_pt(s: Situation, incident: SecondSeat, r: Reasoning) -> None:
    if not incident.other_table:
        raise NotRegulated("art. 17: the text only speaks of seats at different tables")
    r.pivot("17 s2", "seating.gives_up_first_seat" if incident.gives_up else "seating.not_at_two_tables")
    r.choice("allowed", "allowed" if incident.gives_up else "refused")


@rule(SecondSeat, SANREMO)
def second_seat_sanremo(s: Situation, incident: SecondSeat, r: Reasoning) -> None:
    r.pivot("22", "seating.gives_up_first_seat" if incident.gives_up else "seating.one_seat_one_table")
    r.choice("allowed", "allowed" if incident.gives_up else "refused")


@rule(SeatAdded, SANREMO)
def seat_added_sanremo(s: Situation, incident: SeatAdded, r: Reasoning) -> None:
    right = incident.big_table and incident.shoe_end and incident.agreed
    r.pivot("8", "seating.seat_may_be_added" if right else "seating.seat_may_not_be_added")
    r.choice("allowed", "allowed" if right else "refused")


@case("seating", {PT[0]: "3 s2"})
def who_sits_beside(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: round the croupier, where 9 meets 1."""
    facts = places(draw, difficulty) | money(draw, book)
    seats = facts["seats"]
    of = str(draw.pick((seats[0], seats[-1])) if difficulty >= 3 else draw.pick(seats))
    if draw.chance(0.25):
        of = "croupier"
    side: Hand = draw.pick(("right", "left"))
    return Situation(**facts, incident=NeighbourSought(of=of, side=side))


@case("seating", {PT[0]: "17 s1"})
def a_player_sits_down(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = places(draw, min(difficulty, 3)) | money(draw, book)
    free = draw.pick([seat for seat in range(1, SEATS + 1) if seat not in facts["seats"]])
    beside = draw.pick(facts["seats"])
    incident = SatDown(arrival=len(facts["seats"]) + 1, beside=beside, places=(free - beside) % SEATS)
    return Situation(**facts, incident=incident)


@case("seating", {PT[0]: "17 s2", SANREMO: "22"})
def a_second_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = places(draw, difficulty) | money(draw, book)
    other = book.coded_as != SANREMO or draw.chance(0.6)
    player = draw.pick([str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]])
    gives_up = other and draw.chance(0.7 if book.coded_as == SANREMO else 0.4)
    return Situation(**facts, incident=SecondSeat(player=player, other_table=other, gives_up=gives_up))


@case("seating", {SANREMO: "8"})
def one_seat_more(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Right, or wrong in only one way; easier: perhaps in two."""
    facts = places(draw, difficulty) | money(draw, book)
    conditions = [True, True, True]
    if draw.chance(0.6):
        for index in draw.sample(range(3), 1 if difficulty >= 3 else draw.number(1, 2)):
            conditions[index] = False
    big_table, shoe_end, agreed = conditions
    return Situation(**facts, incident=SeatAdded(big_table=big_table, shoe_end=shoe_end, agreed=agreed))
