"""The players' turn: who is asked, who may stand or take a card, what a card does. V 16 s2, 18 s1 to s3, 22, 26 s2."""

from typing import Any

from msgspec.structs import replace

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Seat, Sentence
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import BOOK, VALUED, Draw
from rules_engine.games.black_jack.game import case, domain, rule
from rules_engine.games.black_jack.hands import (
    FIRST,
    explain_held,
    is_black_jack,
    is_held,
    low,
    makes_black_jack,
    points,
    total,
)
from rules_engine.games.black_jack.setting import PLAIN, beside, dealt, hidden, in_order, others_first, stake
from rules_engine.games.black_jack.settlement import payment
from rules_engine.games.black_jack.table import (
    ACE,
    Bet,
    Hand,
    Incident,
    Meant,
    Situation,
    check_bank,
    check_played,
    check_seat,
    lying,
)
from rules_engine.games.black_jack.turns import Wish, check_made, may, next_asked

domain("after_card", "collected", "asked_again", "no_more")


class TurnToAsk(Incident, frozen=True, tag="turn_to_ask"):
    """Everybody has two cards. The hands of these seats are finished; the dealer goes on asking."""

    made: tuple[Seat, ...] = ()

    def check(self, situation: Situation) -> None:
        check_played(situation)
        if any(situation.is_split(hand.seat) for hand in situation.hands):
            raise ImpossibleFacts("hands", "nobody has split")
        check_made(situation, self.made)

    def narration(self) -> list[Sentence]:
        form = "" if not self.made else "_after_one" if len(self.made) == 1 else "_after"
        return [(f"incident.turn_to_ask{form}", {"made": self.made})]


class PlayerWishes(Incident, frozen=True, tag="player_wishes"):
    """When asked, whoever decides for a hand wants a card or stands."""

    seat: Seat
    wish: Wish
    hand: Meant = 0

    def check(self, situation: Situation) -> None:
        check_seat(situation, self.seat, self.hand)
        check_bank(situation)

    def narration(self) -> list[Sentence]:
        return [(f"incident.wishes_{self.wish}", {"seat": self.seat, "hand": self.hand})]


class CardGiven(Incident, frozen=True, tag="card_given"):
    """A player asked for a card, and the shoe gives `next`."""

    seat: Seat
    hand: Meant = 0

    def check(self, situation: Situation) -> None:
        check_seat(situation, self.seat, self.hand)
        if len(situation.next) != 1:
            raise ImpossibleFacts("next", "exactly one card must come")

    def told(self, situation: Situation) -> list[Sentence]:
        doubled = situation.names()[check_seat(situation, self.seat, self.hand)].doubled
        text = "incident.card_given_doubled" if doubled else "incident.card_given"
        return [(text, {"seat": self.seat, "hand": self.hand, "card": situation.next[0]})]

    def narration(self) -> list[Sentence]:
        return []


@rule(TurnToAsk, BJ)
def turn_to_ask(s: Situation, incident: TurnToAsk, r: Reasoning) -> None:
    r.player("asked", next_asked(s, r, incident.made), critical=True)
    r.after(lying(s))


@rule(PlayerWishes, BJ)
def player_wishes(s: Situation, incident: PlayerWishes, r: Reasoning) -> None:
    allowed = may(s, r, check_seat(s, incident.seat, incident.hand), incident.wish)
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    r.after(lying(s))


@rule(CardGiven, BJ)
def card_given(s: Situation, incident: CardGiven, r: Reasoning) -> None:
    name = check_seat(s, incident.seat, incident.hand)
    before, best = s.names()[name], r.book.number("best")
    if total(r.book, before) >= best or is_black_jack(s, before, r.book):
        raise ImpossibleFacts("hands", "this hand takes no more cards")
    if len(before.cards) > FIRST and before.doubled:
        raise ImpossibleFacts("hands", "a doubled hand takes one card")
    hand = replace(before, cards=(*before.cards, *s.next))
    found, at = total(r.book, hand), s.named(name)
    explain_total(r, hand, found, at)
    lost = sum(bet.amount for bet in s.on(name))
    if found > best:
        r.pivot("22", "collected_at_once", total=found, **at)
        after = "collected"
    elif hand.doubled:
        r.pivot("29", "one_card_when_doubled", **at)
        after = "no_more"
    elif found == best:
        r.pivot("18 s2", "none_at_21", **at)
        after = "no_more"
    elif s.is_split(hand.seat) and hand.cards[0][0] == ACE:
        r.pivot("26 s2", "one_card_on_split_aces", **at)
        after = "no_more"
    else:
        r.pivot("18 s2", "asked_again", total=found, **at)
        after = "asked_again"
    if found <= best:
        r.step("22", "not_over", total=found, **at)
    r.number("new_total", found, tempting=[low(r.book, hand.cards), points(r.book, hand.cards), found + 10, found + 1])
    r.choice("after_card", after, critical=True)
    r.amount("lost_now", lost if found > best else 0, tempting=[0, lost, 2 * lost])
    gone = tuple(payment(bet.player, -bet.amount, bet.spot) for bet in s.on(name)) if found > best else ()
    moved = {name: () if found > best else hand.cards}
    r.after(lying(s, moved, discard=hand.cards if found > best else (), shoe=(), payments=gone))


def explain_total(r: Reasoning, hand: Hand, found: int, at: dict[str, Any]) -> None:
    """How the new total comes about."""
    if is_held(r.book, hand):
        explain_held(r, hand, at)
    elif any(card[0] == ACE for card in hand.cards):
        high = found != low(r.book, hand.cards)
        r.step("6 s1", "ace_high" if high else "ace_low", total=found, **at)
    else:
        r.step("6 s3", "adds_up", cards=hand.cards, total=found, **at)


def _asked(draw: Draw, difficulty: int, seat: int, facts: dict[str, Any], cards: tuple[str, ...]) -> dict[str, Any]:
    bank = (draw.card("AT" if makes_black_jack(BOOK, cards) else VALUED), draw.card())
    return facts | {"hands": others_first(draw, facts, seat, cards), "bank_cards": bank, "hidden": hidden(bank)}


@case("play", {BJ: "18 s1"})
def stand_or_not(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Well below or above; harder: eleven and twelve, and an ace that makes twelve of two."""
    facts = dealt(draw, book, difficulty)
    seat = draw.pick(facts["seats"])
    near = ((11,), (12,)) if difficulty >= 3 else ((6, 7, 8, 9), (14, 15, 16, 17))
    cards = draw.two(draw.pick(draw.pick(near)))
    if difficulty >= 4 and draw.chance(0.3):
        cards = (draw.card("A"), draw.card("A"))
    return Situation(**_asked(draw, difficulty, seat, facts, cards), incident=PlayerWishes(seat=seat, wish="stand"))


@case("play", {BJ: "18 s2"})
def card_or_not(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Nobody at 21 takes another card; with twenty one may. Harder: 21 with an ace counted as eleven."""
    facts = dealt(draw, book, difficulty)
    seat = draw.pick(facts["seats"])
    found = 21 if draw.chance(0.5) else draw.pick((18, 19, 20) if difficulty >= 3 else (12, 13, 14))
    cards = draw.hand(found, (3,) if found == 21 or difficulty >= 3 else (2,))
    if found == 21 and difficulty >= 3 and draw.chance(0.5):
        cards = (draw.card("A"), draw.card("3"), draw.card("7"))
    return Situation(**_asked(draw, difficulty, seat, facts, cards), incident=PlayerWishes(seat=seat, wish="card"))


@case("play", {BJ: "18 s1"})
def card_on_black_jack(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = dealt(draw, book, difficulty)
    seat = draw.pick(facts["seats"])
    cards = draw.black_jack() if draw.chance(0.5) else draw.two(11)
    wish: Wish = "card" if cards[0][0] == ACE or cards[1][0] == ACE else "stand"
    return Situation(**_asked(draw, difficulty, seat, facts, cards), incident=PlayerWishes(seat=seat, wish=wish))


@case("split", {BJ: "26 s2"})
def card_after_split(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Split aces get one card each; other pairs any number."""
    facts = dealt(draw, book, difficulty)
    seat = draw.pick(facts["seats"])
    rank = "A" if draw.chance(0.5) else draw.pick("6789")
    second = draw.card("23456") if difficulty < 4 else draw.card("2345678")
    cards = (draw.card(rank), second)
    made = _asked(draw, difficulty, seat, facts, cards)
    return with_split(draw, made, seat, rank, PlayerWishes(seat=seat, hand=1, wish="card"))


def with_split(
    draw: Draw, facts: dict[str, Any], seat: int, rank: str, incident: Incident, *, more: bool = True
) -> Situation:
    """The seat's hand is one of two: the other half of the pair lies beside it, if `more` with or without a card."""
    taken = more and draw.chance(0.5)
    other = Hand(seat=seat, cards=(draw.card(rank), draw.card("23456")) if taken else (draw.card(rank),))
    hands = [hand for hand in facts["hands"] if hand.seat <= seat] + [other]
    hands += [hand for hand in facts["hands"] if hand.seat > seat]
    bets = [*facts["bets"]]
    bets += [Bet(player=bet.player, seat=seat, hand=2, amount=bet.amount) for bet in bets if bet.seat == seat]
    return Situation(**facts | {"hands": tuple(hands), "bets": in_order(bets)}, incident=incident)


@case("play", {BJ: ("18 s3", "18 s1")})
def next_to_ask(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Seat by seat; black jack is skipped. Harder: an empty seat that somebody else decides for."""
    facts = dealt(draw, book, difficulty, least=2)
    seats = list(facts["seats"])
    bets = list(facts["bets"])
    free = [seat for seat in range(1, facts["places"] + 1) if seat not in seats]
    if difficulty >= 3 and free:
        empty = draw.pick(free)
        first, second = draw.sample(seats, 2)
        amount = stake(draw, facts)
        bets += [
            Bet(player=str(first), seat=empty, amount=amount),
            Bet(player=str(second), seat=empty, amount=amount if draw.chance(0.5) else amount + facts["minimum"]),
        ]
        seats = sorted([*seats, empty])
    asked = draw.number(0, len(seats) - 1)
    skipped = asked > 0 and draw.chance(0.5)
    made, natural = seats[: asked - skipped], seats[asked - 1] if skipped else 0
    hands = tuple(
        Hand(seat=seat, cards=draw.black_jack() if seat == natural else draw.two(draw.pick(PLAIN))) for seat in seats
    )
    bank = (draw.card("AT" if natural else VALUED), draw.card())
    facts |= {"bets": in_order(bets), "hands": hands, "bank_cards": bank, "hidden": hidden(bank)}
    return Situation(**facts, incident=TurnToAsk(made=tuple(made)))


def _given(
    draw: Draw, book: Rulebook, difficulty: int, cards: tuple[str, ...], card: str, *, crowd: bool = False
) -> Situation:
    facts = dealt(draw, book, difficulty, least=2 if crowd else 1)
    seat = draw.pick(facts["seats"])
    if crowd:
        facts["bets"] = in_order([*facts["bets"], beside(draw, facts, seat)])
    return Situation(**_asked(draw, difficulty, seat, facts, cards), next=(card,), incident=CardGiven(seat=seat))


@case("play", {BJ: ("22", "18 s2")})
def card_comes(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Above 21, at 21, or below; harder: with an ace, with more cards, with bets of others on the hand."""
    count = (2,) if difficulty <= 2 else (2, 3)
    before = draw.hand(draw.number(12, 16), count)
    room = 21 - points(book, before)
    aim = draw.pick(("over", "at", "below"))
    ranks = {"over": "789T"[max(0, room - 6) :] or "T", "at": "A23456789T"[room - 1], "below": "A23456789T"[: room - 1]}
    return _given(draw, book, difficulty, before, draw.card(ranks[aim]), crowd=difficulty >= 3)
