"""A player changed seats before the hand reached him: must he let it pass?

Portugal 92 s1; Sanremo 25 (s1, s3, s4, s5).
"""

from typing import Any

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import announce, check_seated, next_seated, passed_hand
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.order import from_right, steps_right
from rules_engine.games.chemin_de_fer.setting import money, seated_pontos
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Seat, Situation


class MovedSeat(Incident, frozen=True, tag="moved_seat"):
    """During this hand `mover` came to his seat from the seat `left`; now the banker loses and the hand reaches him."""

    mover: Place
    left: Seat
    shoe_ended: bool = False

    def check(self, situation: Situation) -> None:
        check_seated(situation, mover=self.mover)
        if next_seated(situation, situation.banker) != self.mover:
            raise ImpossibleFacts("incident.mover", "the hand does not reach him next")
        if str(self.left) in (self.mover, situation.banker):
            raise ImpossibleFacts("incident.left", "he must have left a seat other than his own and the banker's")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.moved_seat.start", {"mover": self.mover, "left": self.left})]
        if self.shoe_ended:
            told.append(("incident.moved_seat.shoe_ended", {}))
        return [*told, ("incident.moved_seat.reached", {"mover": self.mover})]


class SeatsSwapped(Incident, frozen=True, tag="seats_swapped"):
    """In mid-shoe two seated players ask to exchange seats; the inspector agrees or not."""

    first: Place
    second: Place
    consent: bool

    def check(self, situation: Situation) -> None:
        check_seated(situation, first=self.first, second=self.second)
        if self.first == self.second or situation.banker in (self.first, self.second):
            raise ImpossibleFacts("incident.second", "two different players must exchange, and neither be the banker")

    def narration(self) -> list[Sentence]:
        return [
            ("incident.seats_swapped.start", {"first": self.first, "second": self.second}),
            (f"incident.seats_swapped.{'consent' if self.consent else 'no_consent'}", {}),
        ]


def brings_forward(s: Situation, incident: MovedSeat) -> bool:
    """Whether the hand, coming from the banker, reaches the new seat before the old one."""
    return steps_right(s.banker, incident.mover) < steps_right(s.banker, str(incident.left))


@rule(MovedSeat, *PT)
def moved_seat_pt(s: Situation, incident: MovedSeat, r: Reasoning) -> None:
    after = next_seated(s, incident.mover)
    jumps = brings_forward(s, incident)
    sentence = "bank.forward_lets_go" if jumps else "bank.not_forward_takes"
    r.pivot("92 s1", sentence, player=incident.mover, left=incident.left, after=after)
    _reached(s, incident, r, after if jumps else incident.mover)
    announce(r, "hand_jumps" if jumps else "hand_passes", "hand_passes" if jumps else "hand_jumps")


@rule(MovedSeat, SANREMO)
def moved_seat_sanremo(s: Situation, incident: MovedSeat, r: Reasoning) -> None:
    after = next_seated(s, incident.mover)
    facts: dict[str, Any] = {"player": incident.mover, "left": incident.left, "after": after}
    if incident.shoe_ended:
        r.pivot("25 s5", "bank.new_shoe_restores", **facts)
        to = incident.mover
    elif brings_forward(s, incident):
        r.pivot("25 s1", "bank.forward_lets_go", **facts)
        r.pivot("14", "bank.goes_right", player=after)
        to = after
    else:
        r.pivot("25 s3", "bank.not_forward_takes", **facts)
        to = incident.mover
    _reached(s, incident, r, to)


def _reached(s: Situation, incident: MovedSeat, r: Reasoning, to: str) -> None:
    r.player(
        "bank_to", to, tempting=[incident.mover, next_seated(s, incident.mover), str(incident.left)], critical=True
    )


@rule(SeatsSwapped, SANREMO)
def seats_swapped_sanremo(s: Situation, incident: SeatsSwapped, r: Reasoning) -> None:
    near, far = from_right(s.banker, (incident.first, incident.second))
    if incident.consent:
        r.pivot("25 s4", "bank.swap_with_consent", near=near, far=far)
        r.choice("allowed", "allowed")
        r.player("seat_skipped", near, tempting=[far, "nobody"])
    else:
        r.pivot("25 s4", "bank.swap_needs_consent")
        r.choice("allowed", "refused")
        r.player("seat_skipped", "nobody", tempting=[near, far])


@case_table(
    "bank_passing",
    variant("mover_brings_his_turn_forward", {PT[0]: "92 s1", SANREMO: "25 s1"}, forward=True),
    variant("mover_puts_his_turn_off", {PT[0]: "92 s1", SANREMO: "25 s3"}, forward=False),
)
def _moved(draw: Draw, book: Rulebook, difficulty: int, *, forward: bool, shoe_ended: bool = False) -> Situation:
    """The banker is anywhere; the mover sits two seats further on, with an empty seat between them."""
    banker = draw.number(1, SEATS)
    between, mover, *beyond = [(banker + step - 1) % SEATS + 1 for step in range(1, SEATS)]
    seats = tuple(sorted([banker, mover, *draw.sample(beyond, draw.number(2, 1 + difficulty))]))
    left = draw.pick(beyond) if forward else between
    incident = MovedSeat(mover=str(mover), left=left, shoe_ended=shoe_ended)
    facts: dict[str, Any] = {"seats": seats, "banker": str(banker)} | money(draw, book)
    return Situation(**facts, incident=incident)


@case("bank_passing", {SANREMO: "25 s5"})
def mover_and_a_new_shoe(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _moved(draw, book, difficulty, forward=difficulty == 1 or draw.chance(0.7), shoe_ended=True)


@case("bank_passing", {SANREMO: "25 s4"})
def two_players_swap(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, foreign=True)
    first, second = draw.sample(seated_pontos(facts), 2)
    consent = draw.chance(0.6)
    return Situation(**facts, incident=SeatsSwapped(first=first, second=second, consent=consent))
