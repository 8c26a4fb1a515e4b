"""Seats, who decides for them, and the order in which cards are dealt: V 2 s2, 15 s2, 16 s2, 17."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Seat, Sentence
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case, domain, rule
from rules_engine.games.black_jack.setting import beside, dealt, in_order, stake, table
from rules_engine.games.black_jack.table import BANK, Bet, Incident, Situation, lying

domain("lies", "face_up", "face_down")


class DecisionAsked(Incident, frozen=True, tag="decision_asked"):
    """Several players have bet on a seat; each would play its hand differently."""

    seat: Seat

    def check(self, situation: Situation) -> None:
        if not any(bet.seat == self.seat for bet in situation.bets):
            raise ImpossibleFacts("incident.seat", "nobody has bet on this seat")


class TableLaidOut(Incident, frozen=True, tag="table_laid_out"):
    """A table is set up with so many seats, numbered from one side of the dealer. `marked` is the number that one of
    them has by that."""

    tells: ClassVar = ()

    count: Annotated[int, Meta(ge=1, le=12)]
    first: Literal["left", "right"]
    marked: Annotated[int, Meta(ge=0, le=12)] = 0

    def check(self, situation: Situation) -> None:
        if self.marked > self.count:
            raise ImpossibleFacts("incident.marked", "the table has {places} seats", places=self.count)

    def narration(self) -> list[Sentence]:
        return [(f"incident.laid_out_{self.first}", {"count": self.count})]


class CardToDeal(Incident, frozen=True, tag="card_to_deal"):
    """Bets are closed and a card has been burned. The dealer takes the card of this number from the shoe."""

    number: Annotated[int, Meta(ge=1, le=20)]

    def check(self, situation: Situation) -> None:
        if situation.hands or situation.bank_cards or not situation.bets:
            raise ImpossibleFacts("hands", "bets are made and no card is dealt yet")
        if self.number > 2 * (len({bet.seat for bet in situation.bets}) + 1):
            raise ImpossibleFacts("incident.number", "the first two cards of everybody are fewer")


def decider(s: Situation, r: Reasoning, seat: int) -> str:
    """Who decides for the hand of a seat: its holder or, on an empty seat, whoever has the largest bet there."""
    bets = [bet for bet in s.bets if bet.seat == seat and bet.hand == 1]
    holder = s.holder(seat)
    if holder is not None:
        if not any(bet.player == holder for bet in bets):
            raise NotRegulated("art. 15 does not say who decides where the holder has not bet")
        if len(bets) > 1:
            r.pivot("15 s2", "holder_decides", by=holder, seat=seat)
        return holder
    most = max(bet.amount for bet in bets)
    equal = sorted(bet.player for bet in bets if bet.amount == most)
    if len(equal) == 1:
        r.pivot("16 s2", "largest_decides", by=equal[0], seat=seat, amount=most)
        return equal[0]
    seated = [player for player in equal if player.isdigit()]
    if not seated:
        raise NotRegulated("art. 16 prefers the lowest seat, and none of these sits")
    r.pivot("16 s2", "lowest_seat_decides", by=seated[0], seat=seat, equal=tuple(equal))
    return seated[0]


@rule(DecisionAsked, BJ)
def decision_asked(s: Situation, incident: DecisionAsked, r: Reasoning) -> None:
    r.player("decides", decider(s, r, incident.seat), tempting=s.people(), critical=True)
    r.after(lying(s))


@rule(TableLaidOut, BJ)
def table_laid_out(s: Situation, incident: TableLaidOut, r: Reasoning) -> None:
    seats: list[int] = r.book.param("seats")
    wrong = {"seats_too_many_or_few": incident.count not in seats, "seats_from_right": incident.first != "left"}
    found = [text for text, holds in wrong.items() if holds]
    for text in found or ["seats_from_left"]:
        r.pivot("2 s2", text, count=incident.count, few=min(seats), many=max(seats))
    r.choice("allowed", "refused" if found else "allowed")
    if incident.marked:
        turned = incident.count + 1 - incident.marked
        right = incident.marked if incident.first == "left" else turned
        r.number("right_number", right, tempting=[incident.marked, turned, *range(1, incident.count + 1)])


@rule(CardToDeal, BJ)
def card_to_deal(s: Situation, incident: CardToDeal, r: Reasoning) -> None:
    seats = sorted({bet.seat for bet in s.bets})
    row = [*map(str, seats), BANK] * 2
    goes = row[incident.number - 1]
    last = incident.number == len(row)
    r.pivot("17", "dealt_in_order", seats=tuple(map(str, seats)))
    r.step("17", "bank_second_down" if last else "dealt_face_up", pivot=True)
    r.player("goes_to", goes, tempting=row, critical=True)
    r.choice("lies", "face_down" if last else "face_up")
    if goes != BANK:
        r.player("decides", decider(s, r, int(goes)), tempting=s.people())


def _crowd(draw: Draw, book: Rulebook, difficulty: int, *, empty: bool) -> tuple[dict[str, Any], int]:
    """Bets of two or more players on one seat, and that seat."""
    facts = dealt(draw, book, difficulty, least=3)
    free = [seat for seat in range(1, facts["places"] + 1) if seat not in facts["seats"]]
    seat = draw.pick(free if empty and free else facts["seats"])
    others = [other for other in facts["seats"] if other != seat]
    added = draw.sample(others, min(len(others), 2 if difficulty < 4 else 3))
    largest = stake(draw, facts, 6) + 4 * facts["minimum"]
    amounts = [
        largest,
        largest if empty and difficulty >= 3 and draw.chance(0.6) else facts["minimum"] * 2,
        facts["minimum"],
    ]
    bets = [Bet(player=str(other), seat=seat, amount=amount) for other, amount in zip(added, amounts, strict=False)]
    if difficulty >= 3 and draw.chance(0.4):  # somebody has bet on yet another seat
        bets.append(beside(draw, facts, draw.pick(others)))
    return facts | {"bets": in_order([*facts["bets"], *bets])}, seat


@case("seats", {BJ: "16 s2"})
def empty_seat_played(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The largest bet decides; harder: several are equally large."""
    facts, seat = _crowd(draw, book, min(difficulty, 4), empty=True)
    return Situation(**facts, incident=DecisionAsked(seat=seat))


@case("seats", {BJ: "15 s2"})
def holder_outbid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody has bet more on the seat than its holder, who decides anyway."""
    facts, seat = _crowd(draw, book, difficulty, empty=False)
    return Situation(**facts, incident=DecisionAsked(seat=seat))


@case("seats", {BJ: "2 s2"})
def seats_counted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    right: list[int] = book.param("seats")
    count = draw.pick(right) if draw.chance(0.7) else draw.pick((5, 8, 9) if difficulty >= 2 else (9, 10))
    first: Literal["left", "right"] = "left" if draw.chance(0.55) else "right"
    marked = draw.pick([number for number in range(1, count + 1) if 2 * number != count + 1])
    return Situation(**table(draw, book, difficulty), incident=TableLaidOut(count=count, first=first, marked=marked))


@case("seats", {BJ: "17"})
def card_dealt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: a card of the first round. Harder: the second round, the bank's cards, and several players on an empty
    seat, or beside a holder who has bet less."""
    facts, shared = (
        (dealt(draw, book, difficulty), 0) if difficulty < 3 else _crowd(draw, book, 4, empty=draw.chance(0.6))
    )
    seats = sorted({bet.seat for bet in facts["bets"]})
    last = 2 * (len(seats) + 1)
    number = last if draw.chance(0.3) else draw.number(1, last - 1)
    if shared and number != last and draw.chance(0.25):
        number = seats.index(shared) + 1 + draw.pick((0, len(seats) + 1))
    return Situation(**facts, incident=CardToDeal(number=number))
