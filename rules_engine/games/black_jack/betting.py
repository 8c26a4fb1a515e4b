"""Bets before the cards: V 13, 14, 15 s1, 16 s1, 37."""

from typing import Any

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Place, Reasoning, Rulebook, Seat, Sentence, Sum
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case, rule
from rules_engine.games.black_jack.setting import beside, in_order, maximum, stake, table
from rules_engine.games.black_jack.table import Bet, Hand, Incident, Situation, check_player, lying


class BetPlaced(Incident, frozen=True, tag="bet_placed"):
    """A player puts chips on a seat, besides what already lies there. Cards dealt so far lie on the table."""

    player: Place
    seat: Seat
    amount: Sum

    def narration(self) -> list[Sentence]:
        form = "_own" if self.player == str(self.seat) else ""
        return [(f"incident.bet_placed{form}", {"player": self.player, "seat": self.seat, "amount": self.amount})]

    def check(self, situation: Situation) -> None:
        check_player(situation, self.player)
        if self.seat > situation.places:
            raise ImpossibleFacts("incident.seat", "the table has {places} seats", places=situation.places)
        if not self.amount:
            raise ImpossibleFacts("incident.amount", "a bet of nothing")
        if any(situation.is_split(hand.seat) for hand in situation.hands):
            raise ImpossibleFacts("hands", "bets come before the cards are played")


@rule(BetPlaced, BJ)
def bet_placed(s: Situation, incident: BetPlaced, r: Reasoning) -> None:
    reached = max((hand.seat for hand in s.hands), default=0)
    if s.bank_cards or reached >= incident.seat:
        r.pivot("13", "too_late", seat=incident.seat)
        r.choice("allowed", "refused", critical=True)
        there = sum(bet.amount for bet in s.bets if bet.seat == incident.seat)
        most = r.book.number("maximum_times_minimum") * s.minimum
        r.amount("largest_bet", 0, tempting=[incident.amount, most, most - s.minimum, max(0, most - there)])
        r.after(lying(s))
        return
    r.step("13", "in_time", seat=incident.seat, pivot=bool(reached))
    there = sum(bet.amount for bet in s.bets if bet.seat == incident.seat)
    most = r.book.number("maximum_times_minimum") * s.minimum
    left = max(0, most - there) // s.minimum * s.minimum
    _whose(s, r, incident)
    r.pivot("37", "maximum", times=r.book.number("maximum_times_minimum"), amount=most)
    if there:
        r.step("15 s1", "already_there", seat=incident.seat, there=there, left=left)
    multiple = incident.amount % s.minimum == 0
    if not multiple or s.holder(incident.seat) == incident.player:
        text = "is_a_multiple" if multiple else "not_a_multiple"
        r.step("14", text, amount=incident.amount, minimum=s.minimum, pivot=not multiple)
    allowed = multiple and incident.amount <= left
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    r.amount("largest_bet", left, tempting=[0, incident.amount, most, most - s.minimum])
    r.after(lying(s))


def _whose(s: Situation, r: Reasoning, incident: BetPlaced) -> None:
    holder = s.holder(incident.seat)
    if holder == incident.player:
        return
    if holder is None:
        r.pivot("16 s1", "empty_seat", seat=incident.seat)
    elif not any(bet.player == holder and bet.seat == incident.seat for bet in s.bets):
        raise NotRegulated("art. 15 lets others add to the bet of the holder, and he has none")
    else:
        r.pivot("15 s1", "beside_holder", by=incident.player, seat=incident.seat)


def _sum(draw: Draw, facts: dict[str, Any], left: int, difficulty: int) -> int:
    """Within the remaining limit or above it; harder: at the limit, one minimum bet beyond it, or not a multiple of
    it."""
    minimum: int = facts["minimum"]
    if difficulty < 3:
        return minimum * draw.number(1, 4) if draw.chance(0.55) else left + minimum * draw.number(4, 12)
    near = [left, left + minimum, left - minimum, left, left - minimum // 2]
    return max(minimum // 2, draw.pick(near))


def _placed(draw: Draw, book: Rulebook, facts: dict[str, Any], player: int, seat: int, difficulty: int) -> Situation:
    left = maximum(book, facts) - sum(bet.amount for bet in facts["bets"] if bet.seat == seat)
    amount = _sum(draw, facts, left, difficulty)
    facts["bets"] = in_order(facts["bets"])
    return Situation(**facts, incident=BetPlaced(player=str(player), seat=seat, amount=amount))


def _laid(draw: Draw, facts: dict[str, Any], seats: list[int], most: int = 12) -> list[Bet]:
    return [Bet(player=str(seat), seat=seat, amount=stake(draw, facts, most)) for seat in seats]


@case("bets", {BJ: ("37", "14")})
def own_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The table limits; now and then, at every level, a bet that is not a multiple of the minimum."""
    facts = table(draw, book, difficulty)
    seat = draw.pick(facts["seats"])
    others = [other for other in facts["seats"] if other != seat]
    facts["bets"] = _laid(draw, facts, others)
    if difficulty >= 3 and draw.chance(0.4):
        facts["bets"].append(beside(draw, facts, draw.pick(others)))
    if draw.chance(0.3):
        amount = facts["minimum"] * draw.number(1, 8) + facts["minimum"] // 2
        facts["bets"] = in_order(facts["bets"])
        return Situation(**facts, incident=BetPlaced(player=str(seat), seat=seat, amount=amount))
    return _placed(draw, book, facts, seat, seat, difficulty)


@case("bets", {BJ: "37"})
def own_seat_shared(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He adds to his own bet; harder: others have bet there too, and the total counts."""
    facts = table(draw, book, difficulty, least=2)
    seat, *others = draw.shuffled(facts["seats"])
    bets = _laid(draw, facts, [seat, *others])
    if difficulty >= 2:
        bets.append(Bet(player=str(others[0]), seat=seat, amount=stake(draw, facts, 6)))
    return _placed(draw, book, facts | {"bets": bets}, seat, seat, difficulty)


@case("bets", {BJ: "37"})
def anothers_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Beside the holder's bet; harder: a third has bet there too."""
    facts = table(draw, book, difficulty, least=3 if difficulty >= 3 else 2)
    player, seat, *others = draw.shuffled(facts["seats"])
    bets = _laid(draw, facts, [seat, *others], 20)
    if difficulty >= 3:
        bets.append(Bet(player=str(others[0]), seat=seat, amount=stake(draw, facts, 6)))
    return _placed(draw, book, facts | {"bets": bets}, player, seat, difficulty)


@case("bets", {BJ: "16 s1"})
def empty_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty, least=2, most=5)
    seat = draw.pick([seat for seat in range(1, facts["places"] + 1) if seat not in facts["seats"]])
    player, *others = draw.shuffled(facts["seats"])
    bets = _laid(draw, facts, others)
    if difficulty >= 2:
        bets.append(Bet(player=str(others[0]), seat=seat, amount=stake(draw, facts, 15)))
    return _placed(draw, book, facts | {"bets": bets}, player, seat, difficulty)


@case("bets", {BJ: "13"})
def while_dealing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The first cards are being dealt: the deal has not reached the seat, is at it, or has passed it."""
    facts = table(draw, book, max(difficulty, 3), least=4)
    seats = list(facts["seats"])
    if draw.chance(0.5):
        seat, reached = seats[0] if difficulty < 3 else seats[1], seats[draw.number(1, 2)]
    else:
        seat, reached = seats[draw.number(2, len(seats) - 1)], seats[0]
    shared = draw.chance(0.4)  # the holder has bet in time, and another adds to it
    others = [other for other in seats if other != seat]
    dealt_to = seats if shared else others
    facts["bets"] = in_order(_laid(draw, facts, dealt_to))
    facts["hands"] = tuple(Hand(seat=other, cards=(draw.card(),)) for other in dealt_to if other <= reached)
    player = draw.pick(others) if shared else seat
    amount = facts["minimum"] * draw.number(1, 6)
    return Situation(**facts, incident=BetPlaced(player=str(player), seat=seat, amount=amount))
