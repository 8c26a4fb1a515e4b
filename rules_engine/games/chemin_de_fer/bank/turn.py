"""Whose turn it is to hold the bank: the first hand, after a lost coup, and from one shoe to the next.

Portugal 29, 30, 32 (s1, s2, open), 33, 35, 91 (s1, s2, open); Sanremo 2 s2 and 14.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import (
    announce,
    check_another_seated,
    check_seated,
    neighbours,
    next_seated,
    passed_hand,
    standing_banker,
)
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.setting import places, seated_pontos
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation

Result = Literal["won", "lost", "tie"]


class GameOpens(Incident, frozen=True, tag="game_opens"):
    """The cards of the first shoe are cut and loaded; the player recorded as banker claims the first hand."""

    setting_up = True

    def check(self, situation: Situation) -> None:
        if situation.bank:
            raise ImpossibleFacts("bank", "no bank is laid out before the first hand is given")
        if not situation.seats:
            raise ImpossibleFacts("seats", "nobody is seated to have the first hand")


class CoupOver(Incident, frozen=True, tag="coup_over"):
    """A coup has ended, and perhaps the shoe with it. `regular` is given if the banker holds a hand passed to him."""

    tells = ("minimum",)

    result: Result
    shoe_ends: bool = False
    regular: Place | None = None

    def check(self, situation: Situation) -> None:
        check_seated(situation, regular=self.regular)
        if self.regular is None and not situation.banker.isdigit():
            raise ImpossibleFacts("incident.regular", "a standing banker took a hand that some seat had passed")
        if self.result != "lost" and not self.shoe_ends:
            raise ImpossibleFacts("incident.result", "in mid-shoe the bank moves by itself only when the banker loses")
        if self.result == "lost":
            check_another_seated(situation, self.regular or situation.banker)

    def narration(self) -> list[Sentence]:
        when = "shoe_over" if self.shoe_ends else "mid_shoe"
        told: list[Sentence] = [(f"incident.coup_over.{when}", {"result": self.result})]
        if self.regular:
            told.insert(0, ("incident.coup_over.taken", {"regular": self.regular}))
        if self.result == "won":
            told.append(("incident.coup_over.won_counted", {}))
        return told


@rule(GameOpens, *PT)
def initial_hand_pt(s: Situation, incident: GameOpens, r: Reasoning) -> None:
    first = str(min(s.seats))
    against = len(s.seats) + len(s.standing) - 1
    r.pivot("29", "bank.initial_hand", player=first)
    r.pivot("30", "bank.shoe_makes_banker", player=first, pontos=against)
    r.player("bank_to", first, tempting=[str(max(s.seats)), s.banker], critical=True)
    r.number("pontos", against, tempting=[len(s.seats) - 1, against + 1, len(s.seats)])


@rule(GameOpens, SANREMO)
def initial_hand_sanremo(s: Situation, incident: GameOpens, r: Reasoning) -> None:
    first = str(min(s.seats))
    r.pivot("2 s2", "bank.first_hand", player=first)
    r.player("bank_to", first, tempting=[str(max(s.seats)), s.banker], critical=True)


@rule(CoupOver, *PT)
def after_the_coup_pt(s: Situation, incident: CoupOver, r: Reasoning) -> None:
    tie = incident.result == "tie"
    if tie and r.book.reads("Q5", "passes"):
        _passes_after_tie(s, incident, r)
        return
    if incident.result != "lost":
        r.pivot("32 open" if tie else "32 s1", "bank.stays_next_shoe", banker=s.banker)
        passed = [incident.regular] if incident.regular else []
        r.player("bank_to", s.banker, tempting=[*neighbours(s, s.banker), *passed], critical=True)
        least_kept_bank(s, r)
        announce(r, "hand_stays", "hand_passes")
        return
    if not s.banker.isdigit() and incident.regular:
        to = next_seated(s, incident.regular)
        r.pivot("91 s1", "bank.back_to_turn", banker=s.banker, regular=incident.regular, player=to)
        r.pivot("91 s2", "bank.from_minimum", minimum=s.minimum)
    elif incident.regular not in (None, s.banker) and not incident.shoe_ends:
        taker = r.book.reads("Q10", "right_of_taker")
        to = next_seated(s, s.banker if taker else str(incident.regular))
        text = "bank.taker_lost" if taker else "bank.taker_lost_turn"
        r.pivot("91 open", text, banker=s.banker, regular=str(incident.regular), player=to)
    else:
        to = next_seated(s, s.banker)
        if incident.shoe_ends:
            r.pivot("32 s2", "bank.lost_last_coup", player=to)
        else:
            r.pivot("96 c-1", "bank.lost_passes", player=to)
    r.player("bank_to", to, tempting=neighbours(s, s.banker), critical=True)
    if not s.banker.isdigit() or incident.shoe_ends:
        if s.banker.isdigit():
            r.pivot("35", "bank.from_minimum", minimum=s.minimum)
        r.amount("least_bank", s.minimum, tempting=[s.bank, s.bank // 2, s.minimum * 2])
    announce(r, "hand_passes", "hand_stays")


def _passes_after_tie(s: Situation, incident: CoupOver, r: Reasoning) -> None:
    """A house reads 32 so that only a coup won keeps the hand (Q5)."""
    to = next_seated(s, incident.regular or s.banker)
    r.pivot("32 open", "bank.tie_passes", player=to)
    r.player("bank_to", to, tempting=neighbours(s, s.banker), critical=True)
    r.pivot("35", "bank.from_minimum", minimum=s.minimum)
    r.amount("least_bank", s.minimum, tempting=[s.bank, s.bank // 2, s.minimum * 2])
    announce(r, "hand_passes", "hand_stays")


def least_kept_bank(s: Situation, r: Reasoning) -> None:
    """The smallest bank of a banker who keeps the hand into the next shoe: half of his, unless that is too little."""
    half = s.bank // r.book.number("new_shoe_divisor")
    enough = half >= s.minimum
    r.pivot("33", "stakes.new_shoe_least", bank=s.bank, half=half)
    if not enough:
        r.pivot("35", "stakes.new_shoe_least_kept", bank=s.bank, half=half, minimum=s.minimum)
    r.amount("least_bank", half if enough else s.bank, tempting=[s.bank, half, s.minimum, s.minimum * 2])


@rule(CoupOver, SANREMO)
def after_the_coup_sanremo(s: Situation, incident: CoupOver, r: Reasoning) -> None:
    if incident.result == "lost" and incident.regular not in (None, s.banker):
        raise NotRegulated("art. 14 does not say where a hand goes that was taken over and lost")
    to = next_seated(s, s.banker) if incident.result == "lost" else s.banker
    r.pivot("14", "bank.lost_passes" if incident.result == "lost" else "bank.stays_until_loss", player=to)
    r.player("bank_to", to, tempting=neighbours(s, s.banker), critical=True)


@case("bank_passing", {PT[0]: ("29", "30"), SANREMO: "2 s2"})
def game_opens(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The first occupied seat is often further on, and somebody else claims the hand."""
    facts = places(draw, difficulty)
    seats = list(facts["seats"])[draw.number(0, min(3, len(facts["seats"]) - 4)) :]
    standing = [place for place in facts["standing"] if int(place[0]) in seats]
    claimant = str(draw.pick(seats))
    facts |= {"seats": tuple(seats), "standing": tuple(standing), "banker": claimant}
    return Situation(**facts, calls=(Call(claimant, "first_hand"),), incident=GameOpens())


@case_table(
    "bank_passing",
    variant("coup_lost", {PT[0]: "96 c-1", SANREMO: "14"}, incident=CoupOver(result="lost")),
    variant("last_coup_lost", {PT[0]: "32 s2", SANREMO: "14"}, incident=CoupOver(result="lost", shoe_ends=True)),
    variant(
        "last_coup_not_lost", {PT[0]: ("32 s1", "33"), SANREMO: "14"}, incident=CoupOver(result="won", shoe_ends=True)
    ),
    variant("last_coup_tied", {PT[0]: "32 open", SANREMO: "14"}, incident=CoupOver(result="tie", shoe_ends=True)),
)
def _coup_over(draw: Draw, book: Rulebook, difficulty: int, incident: CoupOver) -> Situation:
    return Situation(**passed_hand(draw, book, difficulty, foreign=True), incident=incident)


@case("bank_passing", {PT[0]: ("91 s1", "91 s2")})
def standing_taker_loses(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, regular = standing_banker(draw, book, difficulty, foreign=True)
    return Situation(**facts, incident=CoupOver(result="lost", regular=regular))


@case("bank_passing", {PT[0]: "91 open"})
def seated_taker_loses(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: the hand was passed to a seated player, and the text speaks of a standing one."""
    facts = passed_hand(draw, book, difficulty, foreign=True)
    regular = draw.pick(seated_pontos(facts))
    return Situation(**facts, incident=CoupOver(result="lost", regular=regular))


@case("bank_passing", {PT[0]: ("32 s1", "32 open")})
def standing_taker_does_not_lose(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: the shoe ends, and he keeps the hand."""
    facts, regular = standing_banker(draw, book, difficulty, foreign=True)
    # Whether a tie keeps the hand is a reading, so never at the first levels.
    result: Result = draw.pick(("won", "tie")) if difficulty >= 3 else "won"
    return Situation(**facts, incident=CoupOver(result=result, shoe_ends=True, regular=regular))


@case("bank_passing", {PT[0]: ("32 s1", "32 s2")})
def seated_taker_at_the_end(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two things at once: the hand was passed to a seated player, and the shoe ends. Harder: with a coup he loses."""
    facts = passed_hand(draw, book, difficulty, foreign=True)
    regular = draw.pick(seated_pontos(facts))
    result: Result = "lost" if difficulty >= 3 else "won"
    return Situation(**facts, incident=CoupOver(result=result, shoe_ends=True, regular=regular))
