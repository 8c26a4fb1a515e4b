"""Splitting pairs: V 26 to 28."""

from typing import Any

from rules_engine.authoring import ImpossibleFacts, Place, Reasoning, Rulebook, Seat, Sentence, Sum
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import TENS, Draw
from rules_engine.games.black_jack.game import case, domain, rule
from rules_engine.games.black_jack.hands import FIRST, worth
from rules_engine.games.black_jack.setting import in_order, one_hand
from rules_engine.games.black_jack.table import (
    ACE,
    Bet,
    Hand,
    Incident,
    Meant,
    Situation,
    check_bank,
    check_player,
    check_seat,
    lying,
)

PLAYED_TWICE = 2
domain("follows", "first_hand", "both_hands")


class SplitWanted(Incident, frozen=True, tag="split_wanted"):
    """The holder of a seat separates the two cards of a hand and puts an amount on the second."""

    seat: Seat
    amount: Sum
    hand: Meant = 0

    def check(self, situation: Situation) -> None:
        name = check_seat(situation, self.seat, self.hand)
        check_bank(situation)
        if not any(bet.player == situation.holder(self.seat) for bet in situation.on(name)):
            raise ImpossibleFacts("incident.seat", "the holder of the seat has no bet on this hand")
        if len(situation.of_seat(self.seat)) >= 4:
            raise ImpossibleFacts("hands", "this seat has no room for another hand")


class SplitFollowed(Incident, frozen=True, tag="split_followed"):
    """The holder has split. A player who bet beside him puts an amount on the second hand, or nothing."""

    player: Place
    seat: Seat
    amount: Sum

    def check(self, situation: Situation) -> None:
        check_player(situation, self.player)
        if len(situation.of_seat(self.seat)) != PLAYED_TWICE:
            raise ImpossibleFacts("incident.seat", "the seat must have split once")
        mine = [bet for bet in situation.bets if bet.player == self.player and bet.seat == self.seat]
        if self.player == situation.holder(self.seat) or [bet.hand for bet in mine] != [1]:
            raise ImpossibleFacts(
                "incident.player", "it must be somebody other than the holder, with one bet on the seat"
            )

    def asks_hand(self, bet: Bet) -> bool:
        return bet.player == self.player and bet.seat == self.seat

    def narration(self) -> list[Sentence]:
        form = "some" if self.amount else "none"
        return [(f"incident.split_followed_{form}", {"player": self.player, "seat": self.seat, "amount": self.amount})]


@rule(SplitWanted, BJ)
def split_wanted(s: Situation, incident: SplitWanted, r: Reasoning) -> None:
    name = check_seat(s, incident.seat, incident.hand)
    hand, at = s.names()[name], s.named(name)
    stake = next(bet.amount for bet in s.on(name) if bet.player == s.holder(incident.seat))
    may = _may_split(s, r, hand, at)
    if may and incident.amount != stake:
        r.pivot("26 s1", "equal_stake", stake=stake, **at)
    r.choice("allowed", "allowed" if may and incident.amount == stake else "refused", critical=True)
    r.amount("adds", stake if may else 0, tempting=[0, stake, stake // 2, 2 * stake, incident.amount])
    r.after(lying(s))


def _may_split(s: Situation, r: Reasoning, hand: Hand, at: dict[str, Any]) -> bool:
    if len(hand.cards) != FIRST:
        r.pivot("26 s1", "only_first_two", **at)
        return False
    first, second = (worth(r.book, card) for card in hand.cards)
    same, rank = first == second, hand.cards[0][0] == hand.cards[1][0]
    if s.is_split(hand.seat) and same:
        open_point = len(s.of_seat(hand.seat)) > PLAYED_TWICE or hand.cards[0][0] == ACE or not rank
        if not open_point:
            r.pivot("27 s1", "split_again", **at)
            return True
        narrow = r.book.reads("Q27", "alike") and (hand.cards[0][0] == ACE or not rank)
        r.pivot("27 s2", "again_only_alike" if narrow else "again_unsaid", **at)
        return not narrow
    r.pivot("26 s1", "equal_value" if same else "other_value", cards=hand.cards, **at)
    return same


@rule(SplitFollowed, BJ)
def split_followed(s: Situation, incident: SplitFollowed, r: Reasoning) -> None:
    bet = next(bet for bet in s.bets if bet.player == incident.player and bet.seat == incident.seat)
    both = incident.amount == bet.amount
    if incident.amount:
        r.pivot("28 s1", "as_much_on_second" if both else "not_as_much", by=incident.player, amount=bet.amount)
    if not both:
        r.pivot("28 s2", "on_first", by=incident.player, seat=incident.seat)
    r.choice("follows", "both_hands" if both else "first_hand", critical=True)
    added = bet.amount if both else 0
    r.amount("on_second", added, tempting=[0, bet.amount, incident.amount, bet.amount // 2])
    r.after(lying(s))


def _amount(draw: Draw, facts: dict[str, Any], seat: int, difficulty: int) -> int:
    stake: int = next(bet.amount for bet in facts["bets"] if bet.player == str(seat) and bet.seat == seat)
    return (
        stake if difficulty < 3 or draw.chance(0.7) else stake + draw.pick((1, -1, 2)) * facts["minimum"] or 2 * stake
    )


@case("split", {BJ: "26 s1"})
def pair_or_not(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A pair about half the time. Harder: ten and king, which have the same value, or three cards."""
    cards: tuple[str, ...]
    if draw.chance(0.55):
        rank = draw.pick("2346789")
        cards = (draw.rank(rank), draw.rank(rank))
        if difficulty >= 3 and draw.chance(0.6):
            first, second = draw.sample(TENS, 2)
            cards = (draw.rank(first), draw.rank(second))
    elif difficulty >= 4 and draw.chance(0.4):
        rank = draw.pick("2345")
        cards = (draw.rank(rank), draw.rank(rank), draw.card("67"))
    else:
        cards = (draw.card("789"), draw.card("T")) if difficulty >= 3 else (draw.card("56"), draw.card("89"))
    facts, seat = one_hand(draw, book, difficulty, cards)
    return Situation(**facts, incident=SplitWanted(seat=seat, amount=_amount(draw, facts, seat, difficulty)))


def _again(draw: Draw, book: Rulebook, difficulty: int, ranks: tuple[str, str], more: int) -> Situation:
    """A seat that has already split, with two cards of these ranks in one of its hands."""
    facts, seat = one_hand(draw, book, difficulty, (draw.rank(ranks[0]), draw.rank(ranks[1])))
    others = [Hand(seat=seat, cards=(draw.rank(ranks[0]), draw.card("2345"))) for _ in range(more)]
    hands = [hand for hand in facts["hands"] if hand.seat <= seat] + others
    hands += [hand for hand in facts["hands"] if hand.seat > seat]
    bets = list(facts["bets"])
    stake = next(bet.amount for bet in bets if bet.seat == seat)
    bets += [Bet(player=str(seat), seat=seat, hand=number, amount=stake) for number in range(2, more + 2)]
    amount = _amount(draw, facts, seat, difficulty)
    incident = SplitWanted(seat=seat, hand=1, amount=amount)
    return Situation(**facts | {"hands": tuple(hands), "bets": in_order(bets)}, incident=incident)


@case("split", {BJ: "27 s1"})
def pair_again(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The split hand received another card like the first, or a different one."""
    rank = draw.pick("6789")
    other = rank if draw.chance(0.6) else draw.pick("2345")
    return _again(draw, book, difficulty, (rank, other), 1)


@case("split", {BJ: "27 s2"})
def pair_again_unsaid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Aces again, a fourth hand, or a queen on a king."""
    kind = draw.pick(("aces", "fourth", "tens"))
    if kind == "aces":
        return _again(draw, book, difficulty, ("A", "A"), 1)
    return (
        _again(draw, book, difficulty, ("8", "8"), 2)
        if kind == "fourth"
        else _again(draw, book, difficulty, ("K", "Q"), 1)
    )


@case("split", {BJ: ("28 s1", "28 s2")})
def beside_a_split(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """As much again, nothing, or harder another sum."""
    rank = draw.pick("6789")
    facts, seat = one_hand(draw, book, difficulty, (draw.card(rank),), crowd=True)
    hands = [hand for hand in facts["hands"] if hand.seat <= seat] + [Hand(seat=seat, cards=(draw.card(rank),))]
    hands += [hand for hand in facts["hands"] if hand.seat > seat]
    own = next(bet for bet in facts["bets"] if bet.seat == seat and bet.player == str(seat))
    added = next(bet for bet in facts["bets"] if bet.seat == seat and bet.player != str(seat))
    bets = in_order([*facts["bets"], Bet(player=own.player, seat=seat, hand=2, amount=own.amount)])
    sums = (
        (added.amount, 0)
        if difficulty < 3
        else (added.amount, added.amount, 0, added.amount + facts["minimum"], own.amount)
    )
    incident = SplitFollowed(player=added.player, seat=seat, amount=draw.pick(sums))
    return Situation(**facts | {"hands": tuple(hands), "bets": bets}, incident=incident)
