"""What is odd but possible about the facts at a black jack table, for the author."""

from collections.abc import Iterator

from rules_engine.authoring import Remark, Rulebook, kind_of
from rules_engine.games.black_jack.game import GAME
from rules_engine.games.black_jack.hands import is_black_jack, total
from rules_engine.games.black_jack.naturals import DANGER
from rules_engine.games.black_jack.table import Situation

# Before anybody has been paid for two cards.
EARLY = ("seconds_dealt", "insurance_moment", "even_money_asked")


@GAME.remark
def about_bets(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Bets that V 14 and V 37 do not allow. A doubled hand may have twice the maximum."""
    for index, bet in enumerate(s.bets):
        if bet.amount % s.minimum:
            yield Remark("bet_off", f"bets[{index}].amount", {"amount": bet.amount, "minimum": s.minimum}, "14")
    most = book.number("maximum_times_minimum") * s.minimum
    names = s.names()
    for spot in dict.fromkeys(bet.spot for bet in s.bets):
        there, doubled = sum(bet.amount for bet in s.on(spot)), spot in names and names[spot].doubled
        if there > (2 * most if doubled else most):
            yield Remark("seat_over", "bets", {"seat": s.on(spot)[0].seat, "amount": there, "most": most}, "37")


@GAME.remark
def about_hands(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Hands that should have been collected: over 21, or black jack that the bank cannot equal."""
    paid = s.bank_cards and s.bank_cards[0][0] not in DANGER and kind_of(s.incident) not in EARLY
    for index, hand in enumerate(s.hands):
        fact = f"hands[{index}].cards"
        if total(book, hand) > book.number("best"):
            yield Remark("hand_over", fact, {"seat": hand.seat, "total": total(book, hand)}, "22")
        elif paid and is_black_jack(s, hand, book):
            yield Remark("black_jack_unpaid", fact, {"seat": hand.seat, "card": s.bank_cards[0]}, "21 s3")
