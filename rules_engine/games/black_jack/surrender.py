"""Surrendering a hand for half the bet: V 36, and 15 s2 for others who bet on the seat."""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Seat, Sentence
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case, rule
from rules_engine.games.black_jack.hands import FIRST, is_black_jack
from rules_engine.games.black_jack.play import with_split
from rules_engine.games.black_jack.setting import beside, dealt, hidden, in_order, others_first
from rules_engine.games.black_jack.settlement import payment, share
from rules_engine.games.black_jack.table import Incident, Situation, check_bank, check_seat, lying

Part = Literal["all", "one"]


class SurrenderWanted(Incident, frozen=True, tag="surrender_wanted"):
    """The holder of a seat wants to surrender: all of his hands there, or one of two."""

    seat: Seat
    part: Part = "all"

    def check(self, situation: Situation) -> None:
        name = check_seat(situation, self.seat, 1)
        check_bank(situation)
        if not any(bet.player == situation.holder(self.seat) for bet in situation.on(name)):
            raise ImpossibleFacts("incident.seat", "the holder of the seat has no bet there")
        if self.part == "one" and not situation.has_several(self.seat):
            raise ImpossibleFacts("incident.part", "this seat has one hand only")

    def narration(self) -> list[Sentence]:
        return [(f"incident.surrender_{self.part}", {"seat": self.seat})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        if self.part == "all" and situation.has_several(self.seat):
            return [("incident.surrender_both", {"seat": self.seat})]
        return self.narration()


@rule(SurrenderWanted, BJ)
def surrender_wanted(s: Situation, incident: SurrenderWanted, r: Reasoning) -> None:
    hands = s.of_seat(incident.seat)
    if any(is_black_jack(s, hand, r.book) or hand.doubled or hand.split for hand in hands):
        raise NotRegulated("art. 36 does not speak of giving up such a hand")
    bets = [bet for bet in s.bets if bet.seat == incident.seat]
    half = {bet: share(r.book, "surrender_share", bet.amount) for bet in bets}
    may = not s.open_ace and incident.part == "all"
    if s.open_ace:
        r.pivot("36 s1", "not_against_ace", seat=incident.seat)
    if incident.part == "one":
        r.pivot("36 s2", "both_or_none", seat=incident.seat)
    if s.is_split(incident.seat) and may and any(len(hand.cards) == FIRST for hand in hands):
        r.pivot("36 s3", "moment_two_cards", seat=incident.seat)
    if any(len(hand.cards) > FIRST for hand in hands):
        late = r.book.reads("V36", "later")
        r.pivot("36 s3", "moment_later" if late else "moment_unsaid", seat=incident.seat)
        may = may and late
    if may:
        r.pivot(
            "36 s2" if s.is_split(incident.seat) else "36 s1",
            "half_lost",
            seat=incident.seat,
            amount=sum(half.values()),
        )
        others = tuple(sorted({bet.player for bet in bets} - {s.holder(incident.seat)}))
        if others:
            text = "bound_by_holder" if len(others) > 1 else "bound_by_holder_one"
            r.pivot("15 s2", text, others=others, seat=incident.seat)
    r.choice("allowed", "allowed" if may else "refused", critical=True)
    lost = sum(half.values())
    own = sum(amount for bet, amount in half.items() if bet.player == s.holder(incident.seat))
    r.amount("lost_now", lost if may else 0, tempting=[0, own, lost, 2 * lost, lost // 2])
    if not may:
        r.after(lying(s))
        return
    gone = tuple(payment(bet.player, -amount, bet.spot) for bet, amount in half.items())
    moved: dict[str, tuple[str, ...]] = {name: () for name, hand in s.names().items() if hand.seat == incident.seat}
    cards = tuple(card for hand in hands for card in hand.cards)
    r.after(lying(s, moved, discard=cards, payments=gone))


# How often somebody else has bet on the seat.
BESIDE = {1: 0.0, 2: 0.6, 3: 0.8, 4: 1.0, 5: 1.0}


def _table(
    draw: Draw, book: Rulebook, difficulty: int, opened: str, cards: tuple[str, ...]
) -> tuple[dict[str, Any], int]:
    """Harder: somebody else has bet on the seat too."""
    facts = dealt(draw, book, difficulty, least=2)
    seat = draw.pick(facts["seats"])
    if draw.chance(BESIDE[difficulty]):
        facts["bets"] = in_order([*facts["bets"], beside(draw, facts, seat)])
    bank = (draw.card(opened), draw.card())
    return facts | {"hands": others_first(draw, facts, seat, cards), "bank_cards": bank, "hidden": hidden(bank)}, seat


def _opened(draw: Draw) -> str:
    return "A" if draw.chance(0.4) else draw.pick("6789T")


@case("surrender", {BJ: ("36 s1", "15 s2")})
def hand_given_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, seat = _table(draw, book, difficulty, _opened(draw), draw.two(draw.pick((12, 13, 14, 15, 16))))
    return Situation(**facts, incident=SurrenderWanted(seat=seat))


@case("surrender", {BJ: "36 s2"})
def split_given_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Both hands of a split or one of them, with no card on either yet; harder: against an ace too."""
    rank = draw.pick("6789")
    opened = _opened(draw) if difficulty >= 4 else draw.pick("6789T")
    facts, seat = _table(draw, book, min(difficulty, 3), opened, (draw.card(rank),))
    part: Part = draw.pick(("all", "one"))
    return with_split(draw, facts, seat, rank, SurrenderWanted(seat=seat, part=part), more=False)


@case("surrender", {BJ: "36 s3"})
def given_up_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He has taken a card already."""
    facts, seat = _table(draw, book, difficulty, draw.pick("6789T"), draw.hand(draw.pick((14, 15, 16)), (3,)))
    return Situation(**facts, incident=SurrenderWanted(seat=seat))
