"""Special prizes for 6-7-8 of one suit and three sevens: V 35."""

from collections.abc import Callable

from rules_engine.authoring import SUITS, NotRegulated, Payment, Reasoning, Rulebook, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case_table, rule
from rules_engine.games.black_jack.hands import worth
from rules_engine.games.black_jack.setting import DEALT, beside, hidden, in_order, own_bets, table
from rules_engine.games.black_jack.settlement import payment, times
from rules_engine.games.black_jack.table import Hand, Incident, Situation, check_bank, check_played, lying

THREE = 3


class HandsSeen(Incident, frozen=True, tag="hands_seen"):
    """The players have their cards, the bank has not played; a special prize may be due."""

    def check(self, situation: Situation) -> None:
        check_played(situation)
        check_bank(situation)


def is_special(book: Rulebook, cards: tuple[str, ...]) -> bool:
    if len(cards) != THREE:
        return False
    values = sorted(worth(book, card) for card in cards)
    if values == [book.number("special_triple")] * THREE:
        return True
    return values == sorted(book.param("special_run")) and len({card[1] for card in cards}) == 1


def _inside(book: Rulebook, cards: tuple[str, ...]) -> bool:
    """Whether a longer hand contains such cards."""
    return len(cards) > THREE and any(
        is_special(book, (a, b, c)) for i, a in enumerate(cards) for j, b in enumerate(cards[:i]) for c in cards[:j]
    )


@rule(HandsSeen, BJ)
def hands_seen(s: Situation, incident: HandsSeen, r: Reasoning) -> None:
    due: dict[str, int] = {}
    paid: list[Payment] = []
    for name, hand in s.names().items():
        if _inside(r.book, hand.cards):
            raise NotRegulated("art. 35 does not say whether such cards count among others")
        if not is_special(r.book, hand.cards):
            continue
        holder = s.holder(hand.seat)
        if holder is None:
            raise NotRegulated("art. 35 does not say who gets the prize of an empty seat")
        for bet in s.on(name):
            plain = bet.player == holder and not s.is_split(hand.seat)
            every = r.book.reads("V35", "every")
            if not plain and not every:
                r.pivot("35 s2", "no_special_prize", by=bet.player, **s.named(name))
                continue
            if not plain:
                r.pivot("35 s2", "special_prize_for_all", by=bet.player, **s.named(name))
            prize = times(r.book, "special", bet.amount)
            due[bet.player] = due.get(bet.player, 0) + prize
            paid.append(payment(bet.player, prize, bet.spot))
            r.pivot("35 s1", "special_prize", by=bet.player, cards=hand.cards, amount=due[bet.player])
    if not due:
        r.pivot("35 s1", "nothing_special")
    for player in s.every("paid_now."):
        staked = sum(bet.amount for bet in s.bets if bet.player == player)
        right = due.get(player, 0)
        r.amount(f"paid_now.{player}", right, tempting=[0, 3 * staked, staked, 2 * staked, 3 * staked // 2])
    r.after(lying(s, payments=tuple(paid)))


def _run(draw: Draw) -> tuple[str, ...]:
    suit = draw.pick(SUITS)
    return tuple(draw.of([rank + suit]) for rank in draw.shuffled("678"))


def _sevens(draw: Draw) -> tuple[str, ...]:
    return tuple(draw.rank("7") for _ in range(THREE))


def _near(draw: Draw) -> tuple[str, ...]:
    """Cards that nearly make the combination: of two suits, or with one card that is off."""
    kind = draw.pick(("suits", "sevens", "run"))
    if kind == "suits":
        first, second, third = draw.shuffled("678")
        card = draw.rank(first)
        return card, draw.of([second + suit for suit in SUITS if suit != card[1]]), draw.rank(third)
    if kind == "sevens":
        return tuple(draw.shuffled((draw.rank("7"), draw.rank("7"), draw.rank("5", "6"))))
    suit = draw.pick(SUITS)
    return tuple(draw.of([rank + suit]) for rank in draw.pick(("568", "468", "458")))


@case_table(
    "payout",
    variant("suited_run", {BJ: "35 s1"}, of=_run),
    variant("three_sevens", {BJ: "35 s1"}, of=_sevens),
    variant("nearly_special", {BJ: "35 s1"}, of=_near),
    # Somebody else has bet on the hand too.
    variant("special_with_others", {BJ: "35 s2"}, of=_run, crowd=True),
)
def _seen(
    draw: Draw, book: Rulebook, difficulty: int, *, of: Callable[[Draw], tuple[str, ...]], crowd: bool = False
) -> Situation:
    """A hand of special cards (`of`) among ordinary ones; harder: others that come close."""
    cards = of(draw)
    facts = table(draw, book, difficulty, least=max(2, DEALT[difficulty]))
    seats = sorted(draw.sample(facts["seats"], DEALT[difficulty]))
    chosen, *others = draw.shuffled(seats)
    near = others[:2] if difficulty >= 3 else []
    dealt = {chosen: cards} | {seat: _near(draw) if seat in near else draw.hand(draw.number(12, 20)) for seat in others}
    hands = tuple(Hand(seat=seat, cards=dealt[seat]) for seat in seats)
    bets = own_bets(draw, facts, seats) + ([beside(draw, facts, chosen)] if crowd else [])
    bank = (draw.card(), draw.card())
    return Situation(
        **facts, hands=hands, bets=in_order(bets), bank_cards=bank, hidden=hidden(bank), incident=HandsSeen()
    )
