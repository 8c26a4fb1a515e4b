"""Getting a seat: the book, the card that marks a seat, and who is refused one.

Portugal 18, 19 s1, 20 s2, 23, 26; Sanremo 19 s1 and 23 s1.
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, chance, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import money, places
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Seat, Situation

domain("seat_book", "game_chief", "inspector")

Owner = Literal["given_up", "away"]


class SeatWanted(Incident, frozen=True, tag="seat_wanted"):
    """Somebody wants to play seated, before the game opens or while it goes on; he picks a free `seat`."""

    setting_up = True

    seat: Seat
    opened: bool
    enrolled: bool

    def check(self, situation: Situation) -> None:
        if self.seat in situation.seats:
            raise ImpossibleFacts("incident.seat", "seat {seat} is taken", seat=self.seat)

    def narration(self) -> list[Sentence]:
        return [
            (f"incident.seat_wanted.{'opened' if self.opened else 'before'}", {"seat": self.seat}),
            (f"incident.seat_wanted.{'enrolled' if self.enrolled else 'unannounced'}", {}),
        ]


class SeatMarked(Incident, frozen=True, tag="seat_marked"):
    """A reserved seat is marked by a card on which the seat's number and the player's name are written, or not."""

    setting_up = True

    phrased = {"allowed": "question.seat_marked_so"}

    number: bool
    name: bool

    def narration(self) -> list[Sentence]:
        shown = {(True, True): "both", (True, False): "number", (False, True): "name", (False, False): "blank"}
        return [(f"incident.seat_marked.{shown[self.number, self.name]}", {})]


class TakesSeat(Incident, frozen=True, tag="takes_seat"):
    """A standing player is about to sit in an empty seat, which was given up or left for a moment and marked.

    `booked` is on the list before him.
    """

    player: Place
    seat: Seat
    owner: Owner
    will_deal: bool = True
    booked: Place | None = None

    def check(self, situation: Situation) -> None:
        if self.player not in situation.standing:
            raise ImpossibleFacts("incident.player", "nobody stands at {place}", place=self.player)
        if self.seat in situation.seats:
            raise ImpossibleFacts("incident.seat", "seat {seat} is taken", seat=self.seat)

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.takes_seat.{self.owner}", {"player": self.player, "seat": self.seat})]
        if self.booked:
            told.append(("incident.takes_seat.booked", {"booked": self.booked}))
        elif self.owner == "given_up":
            told.append(("incident.takes_seat.nobody_before", {}))
        if not self.will_deal:
            told.append(("incident.takes_seat.wont_deal", {}))
        return told


@rule(SeatWanted, *PT)
def seat_wanted_pt(s: Situation, incident: SeatWanted, r: Reasoning) -> None:
    if incident.opened:
        r.pivot("20 s2", "seating.list_with_inspector" if incident.enrolled else "seating.not_in_the_book")
        r.choice("seat_book", "inspector")
    else:
        r.pivot("18", "seating.enrolled_and_chose" if incident.enrolled else "seating.must_enrol")
        r.choice("seat_book", "game_chief")
    r.choice("allowed", "allowed" if incident.enrolled else "refused")


@rule(SeatWanted, SANREMO)
def seat_wanted_sanremo(s: Situation, incident: SeatWanted, r: Reasoning) -> None:
    r.pivot("19 s1", "seating.asked_inspector" if incident.enrolled else "seating.must_ask_inspector")
    r.choice("seat_book", "inspector")
    r.choice("allowed", "allowed" if incident.enrolled else "refused")


@rule(SeatMarked, *PT)
def seat_marked_pt(s: Situation, incident: SeatMarked, r: Reasoning) -> None:
    whole = incident.number and incident.name
    r.pivot("19 s1", "seating.card_whole" if whole else "seating.card_lacks")
    r.choice("allowed", "allowed" if whole else "refused")


@rule(TakesSeat, *PT)
def takes_seat_pt(s: Situation, incident: TakesSeat, r: Reasoning) -> None:
    away = incident.owner == "away"
    text = "seating.seat_only_left" if away else "seating.seat_given_up"
    r.step("26", text, seat=incident.seat, pivot=away or incident.will_deal)
    r.step("23", "seating.will_deal" if incident.will_deal else "seating.wont_deal", pivot=not away)
    if incident.booked and not away:
        r.pivot("20 s2", "seating.first_in_the_book", first=incident.booked)
    r.choice("allowed", "refused" if away or not incident.will_deal or incident.booked else "allowed")


@rule(TakesSeat, SANREMO)
def takes_seat_sanremo(s: Situation, incident: TakesSeat, r: Reasoning) -> None:
    if not incident.will_deal:
        raise NotRegulated("arts. 2 and 23: the text does not say whether one who will not take the hand may sit")
    away = incident.owner == "away"
    r.pivot("23 s1", "seating.seat_only_left" if away else "seating.seat_given_up", seat=incident.seat)
    if incident.booked and not away:
        r.pivot("19 s1", "seating.first_on_the_list", first=incident.booked)
    r.choice("allowed", "refused" if away or incident.booked else "allowed")


def _free(draw: Draw, facts: dict[str, Any]) -> int:
    return draw.pick([seat for seat in range(1, SEATS + 1) if seat not in facts["seats"]])


@case_table(
    "seating",
    variant("seat_wanted_before_the_game", {PT[0]: "18", SANREMO: "19 s1"}, opened=False),
    variant("seat_wanted_during_the_game", {PT[0]: "20 s2", SANREMO: "19 s1"}, opened=True),
)
def _wanted(draw: Draw, book: Rulebook, difficulty: int, *, opened: bool) -> Situation:
    """Once the game is open, no other seat is free: nobody waits for one otherwise."""
    facts = places(draw, min(difficulty, 3))
    seat = _free(draw, facts)
    if opened:
        facts |= money(draw, book) | {"seats": tuple(other for other in range(1, SEATS + 1) if other != seat)}
    incident = SeatWanted(seat=seat, opened=opened, enrolled=draw.chance(0.6))
    return Situation(**facts, incident=incident)


@case("seating", {PT[0]: "19 s1"})
def card_on_a_reserved_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    number, name = draw.pick(((True, True), (True, True), (True, False), (False, True)))
    return Situation(**places(draw, difficulty), incident=SeatMarked(number=number, name=name))


@case_table("seating", variant("will_not_take_the_hand", {PT[0]: "23"}, owner="given_up", will_deal=chance(0.6)))
def _taking(draw: Draw, book: Rulebook, difficulty: int, *, owner: Owner, will_deal: bool) -> Situation:
    facts = places(draw, min(difficulty, 3), standing=draw.number(2, 2 + difficulty)) | money(draw, book)
    player, first = draw.sample(facts["standing"], 2)
    booked = first if difficulty >= 2 and draw.chance(0.15 if owner == "given_up" else 0.5) else None
    incident = TakesSeat(player=player, seat=_free(draw, facts), owner=owner, will_deal=will_deal, booked=booked)
    return Situation(**facts, incident=incident)


@case("seating", {PT[0]: "26", SANREMO: "23 s1"})
def sits_in_an_empty_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    owner: Owner = draw.pick(("away", "given_up", "given_up", "given_up"))
    return _taking(draw, book, difficulty, owner=owner, will_deal=True)
