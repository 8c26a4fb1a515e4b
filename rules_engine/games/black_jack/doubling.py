"""Doubling on 9, 10 or 11: V 29 to 32."""

from typing import Any

from msgspec.structs import replace

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Place, Reasoning, Rulebook, Seat, Sentence, Sum
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import BOOK, Draw, Ranks
from rules_engine.games.black_jack.game import case, rule
from rules_engine.games.black_jack.hands import FIRST, is_black_jack, low, makes_black_jack
from rules_engine.games.black_jack.payout import CoupOver, picture
from rules_engine.games.black_jack.play import CardGiven, with_split
from rules_engine.games.black_jack.setting import one_hand, twice
from rules_engine.games.black_jack.table import (
    ACE,
    Hand,
    Incident,
    Meant,
    Situation,
    check_bank,
    check_player,
    check_seat,
    lying,
)


class DoubleWanted(Incident, frozen=True, tag="double_wanted"):
    """A player puts an amount beside his bet on a hand to double it. `holder_doubles`: the holder of the seat doubles
    too."""

    player: Place
    seat: Seat
    amount: Sum
    hand: Meant = 0
    holder_doubles: bool = False

    def check(self, situation: Situation) -> None:
        check_player(situation, self.player)
        name = check_seat(situation, self.seat, self.hand)
        check_bank(situation)
        if not any(bet.player == self.player for bet in situation.on(name)):
            raise ImpossibleFacts("incident.player", "{player:player} has no bet on this hand", player=self.player)
        if not self.amount:
            raise ImpossibleFacts("incident.amount", "nothing is put down")
        if self.holder_doubles and situation.holder(self.seat) in (None, self.player):
            raise ImpossibleFacts("incident.holder_doubles", "the player is himself the holder, or there is none")

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "seat": self.seat, "hand": self.hand, "amount": self.amount}
        if self.player == str(self.seat):
            return [("incident.double_wanted", values)]
        holder = "incident.holder_doubles" if self.holder_doubles else "incident.holder_does_not_double"
        return [(holder, {"seat": self.seat}), ("incident.double_wanted_beside", values)]


@rule(DoubleWanted, BJ)
def double_wanted(s: Situation, incident: DoubleWanted, r: Reasoning) -> None:
    name = check_seat(s, incident.seat, incident.hand)
    hand, at = s.names()[name], s.named(name)
    bet = next(bet for bet in s.on(name) if bet.player == incident.player)
    if hand.doubled or is_black_jack(s, hand, r.book) or makes_black_jack(r.book, hand.cards):
        raise NotRegulated("art. 29 does not say whether such a hand may be doubled")
    if s.is_split(incident.seat) and hand.cards[0][0] == ACE:
        raise NotRegulated("art. 26 gives split aces one card, and art. 31 does not say whether they may be doubled")
    if s.holder(incident.seat) is None and len(s.on(name)) > 1:
        raise NotRegulated("arts. 16 and 30 do not say who may double on an empty seat")
    allowed = _on_total(s, r, hand, at) and _beside_holder(s, r, incident)
    if allowed and incident.amount != bet.amount:
        r.pivot("29", "doubles_exactly", stake=bet.amount, **at)
    right = allowed and incident.amount == bet.amount
    r.choice("allowed", "allowed" if right else "refused", critical=True)
    if allowed:
        r.number("cards_to_come", 1, tempting=[2, 3])
    stake = bet.amount
    r.amount("adds", stake if allowed else 0, tempting=[0, stake, stake // 2, 2 * stake, incident.amount])
    r.after(lying(s))


def _on_total(s: Situation, r: Reasoning, hand: Hand, at: dict[str, Any]) -> bool:
    totals: list[int] = r.book.param("double_on")
    split, found = s.is_split(hand.seat), low(r.book, hand.cards)
    cite = "31" if split else "29"
    good = len(hand.cards) == FIRST and found in totals
    if len(hand.cards) != FIRST:
        r.pivot(cite, "only_two_cards", **at)
    else:
        r.pivot(cite, "may_double" if good else "other_total", total=found, **at)
    if good and any(card[0] == ACE for card in hand.cards) and found in r.book.param("ace_stays_low"):
        r.pivot("32", "ace_will_stay_low", total=found, **at)
    return good


def _beside_holder(s: Situation, r: Reasoning, incident: DoubleWanted) -> bool:
    """V 30: whoever bet beside the holder may double if the holder does, but not alone unless the house reads it so."""
    if s.holder(incident.seat) in (None, incident.player):
        return True
    if incident.holder_doubles:
        r.pivot("30 s1", "doubles_too", by=incident.player, seat=incident.seat)
        return True
    alone = r.book.reads("V30", "free")
    text = "doubles_without_holder" if alone else "not_without_holder"
    r.pivot("30 s2", text, by=incident.player, seat=incident.seat)
    return alone


def _amount(draw: Draw, facts: dict[str, Any], player: str, seat: int, difficulty: int) -> int:
    """As much as the bet; harder: now and then another sum, where nothing else is wrong."""
    stake: int = next(bet.amount for bet in facts["bets"] if bet.player == player and bet.seat == seat)
    cards = next(hand.cards for hand in facts["hands"] if hand.seat == seat)
    good = len(cards) == FIRST and low(BOOK, cards) in BOOK.param("double_on")
    if not good or difficulty < 3 or draw.chance(0.8):
        return stake
    minimum: int = facts["minimum"]
    return draw.pick((stake + minimum, stake - minimum or 2 * stake))


# How often a hand may be doubled. Harder: the amount may be wrong all the same, or the holder does not double.
MAY = {1: 0.5, 2: 0.5, 3: 0.8, 4: 0.8, 5: 0.8}


def _cards(draw: Draw, difficulty: int) -> tuple[str, ...]:
    """Nine to eleven more often than not; otherwise far off or, harder, just beside it, or three cards that make it."""
    if draw.chance(MAY[difficulty]):
        return draw.two(draw.pick((9, 10, 11)))
    if difficulty < 3:
        return draw.two(draw.pick((6, 13, 14, 15)))
    near: tuple[Ranks, ...] = (("5", "3"), ("7", "5"), ("8", "4"), ("2", "3", "4"), ("2", "3", "5"), ("2", "3", "6"))
    return draw.cards(draw.pick(near))


@case("double", {BJ: "29"})
def double_on_total(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, seat = one_hand(draw, book, difficulty, _cards(draw, difficulty))
    amount = _amount(draw, facts, str(seat), seat, difficulty)
    return Situation(**facts, incident=DoubleWanted(player=str(seat), seat=seat, amount=amount))


@case("double", {BJ: "32"})
def double_with_ace(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Ace and eight or ace and nine: nine or ten with the ace as one. Harder: ace and seven, which is neither."""
    other = draw.pick("89" if draw.chance(MAY[difficulty]) else "67" if difficulty >= 3 else "456")
    facts, seat = one_hand(draw, book, difficulty, tuple(draw.shuffled((draw.card("A"), draw.card(other)))))
    amount = _amount(draw, facts, str(seat), seat, difficulty)
    return Situation(**facts, incident=DoubleWanted(player=str(seat), seat=seat, amount=amount))


@case("double", {BJ: "30 s1"})
def double_beside_holder(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, seat = one_hand(draw, book, difficulty, _cards(draw, difficulty), crowd=True)
    player = next(bet.player for bet in facts["bets"] if bet.seat == seat and bet.player != str(seat))
    amount = _amount(draw, facts, player, seat, difficulty)
    incident = DoubleWanted(player=player, seat=seat, amount=amount, holder_doubles=True)
    return Situation(**facts, incident=incident)


@case("double", {BJ: "30 s2"})
def double_without_holder(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, seat = one_hand(draw, book, difficulty, draw.two(draw.pick((9, 10, 11))), crowd=True)
    player = next(bet.player for bet in facts["bets"] if bet.seat == seat and bet.player != str(seat))
    return Situation(
        **facts, incident=DoubleWanted(player=player, seat=seat, amount=_amount(draw, facts, player, seat, 1))
    )


@case("double", {BJ: "31"})
def double_after_split(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A pair of sixes, sevens or eights, and a card that makes nine to eleven, or does not."""
    rank = draw.pick("678")
    fitting = {"6": "345", "7": "234", "8": "23"}[rank]
    second = draw.pick(fitting) if draw.chance(MAY[difficulty]) else draw.pick("79T" if rank != "7" else "89T")
    facts, seat = one_hand(draw, book, difficulty, (draw.card(rank), draw.card(second)))
    amount = _amount(draw, facts, str(seat), seat, difficulty)
    return with_split(draw, facts, seat, rank, DoubleWanted(player=str(seat), seat=seat, hand=1, amount=amount))


def _card_on(draw: Draw, book: Rulebook, difficulty: int, cards: tuple[str, ...], card: str) -> Situation:
    """A card for a hand that was doubled, or for one that could not be doubled or whose player did not want to."""
    doubled = draw.chance(0.45)
    if not doubled and draw.chance(0.8):
        cards, card = draw.two(draw.number(13, 16)), draw.card("589T" if draw.chance(0.3) else "9T")
    facts, seat = one_hand(draw, book, difficulty, cards, crowd=difficulty >= 4)
    hands = tuple(
        Hand(seat=seat, cards=hand.cards, doubled=doubled) if hand.seat == seat else hand for hand in facts["hands"]
    )
    bets = tuple(twice(bet) if doubled and bet.player == str(bet.seat) == str(seat) else bet for bet in facts["bets"])
    return Situation(**facts | {"hands": hands, "bets": bets}, next=(card,), incident=CardGiven(seat=seat))


@case("double", {BJ: "29"})
def card_on_doubled(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The one card of a doubled hand; no more, however low the total."""
    cards = draw.cards(draw.pick((("4", "5"), ("6", "3"), ("6", "4"), ("7", "3"), ("6", "5"), ("7", "4"), ("8", "3"))))
    return _card_on(
        draw, book, difficulty, cards, draw.card("234" if difficulty >= 3 and draw.chance(0.5) else "A23456789T")
    )


@case("double", {BJ: "32"})
def card_on_doubled_ace(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The ace stays at one: nine and two are eleven."""
    cards = tuple(draw.shuffled((draw.card("A"), draw.card("89"))))
    return _card_on(draw, book, difficulty, cards, draw.card("23456789T" if difficulty < 4 else "2T"))


@case("double", {BJ: "32 another-ace"})
def another_ace_on_doubled(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Ace and eight, doubled, and the one card is another ace."""
    cards = tuple(draw.shuffled((draw.card("A"), draw.card("89"))))
    facts, seat = one_hand(draw, book, difficulty, cards, crowd=difficulty >= 4)
    hands = tuple(replace(hand, doubled=hand.seat == seat) for hand in facts["hands"])
    bets = tuple(twice(bet) if bet.player == str(bet.seat) == str(seat) else bet for bet in facts["bets"])
    return Situation(**facts | {"hands": hands, "bets": bets}, next=(draw.card("A"),), incident=CardGiven(seat=seat))


@case("payout", {BJ: "32"})
def doubled_ace_in_the_picture(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Ace and eight or nine, doubled: with the ace as eleven the hand would win, but it counts as one."""
    facts = picture(draw, book, difficulty, first="loses", ends=(17, 18, 19))
    index = draw.number(0, len(facts["hands"]) - 1)
    first = draw.shuffled((draw.card("A"), draw.card("89")))
    doubled = Hand(seat=facts["hands"][index].seat, cards=(*first, draw.card("2T")), doubled=True)
    bets = tuple(twice(bet) if bet.player == str(bet.seat) == str(doubled.seat) else bet for bet in facts["bets"])
    hands = (*facts["hands"][:index], doubled, *facts["hands"][index + 1 :])
    return Situation(**facts | {"hands": hands, "bets": bets}, incident=CoupOver())
