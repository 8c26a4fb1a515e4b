"""What a hand wins or loses against the bank: V 20 to 25 and 33. Every prize of the game is computed here."""

from typing import Literal, NamedTuple

from rules_engine.authoring import NotRegulated, Payment, Reasoning, Rulebook
from rules_engine.games.black_jack.hands import explain_held, is_black_jack, is_held, makes_black_jack, points, total
from rules_engine.games.black_jack.table import Bet, Hand, Situation

Result = Literal["black_jack", "wins", "push", "loses"]
RESULTS: tuple[Result, ...] = ("black_jack", "wins", "push", "loses")


class Outcome(NamedTuple):
    """A settled bet: what it and its insurance won, negative if lost."""

    bet: Bet
    result: Result
    prize: int
    insurance: int


def times(book: Rulebook, what: str, stake: int) -> int:
    """A prize of the scale on a stake."""
    # Halves are exact as floats, and much faster than fractions.
    prize = book.param("payouts")[what] * stake
    if prize != int(prize):
        raise NotRegulated("art. 21 does not say how the prize on a stake of {stake:amount} is rounded", stake=stake)
    return int(prize)


def share(book: Rulebook, name: str, stake: int) -> int:
    """The part of a stake that may be insured, or that is lost on surrender."""
    part = book.param(name) * stake
    if part != int(part):
        raise NotRegulated("arts. 33 and 36 do not say how to halve {stake:amount}", stake=stake)
    return int(part)


def result_of(s: Situation, hand: Hand, book: Rulebook) -> Result:
    """The result of a hand against the bank's."""
    best, bank = book.number("best"), points(book, s.bank_cards)
    own = total(book, hand)
    if own > best:
        return "loses"
    natural, bank_natural = is_black_jack(s, hand, book), makes_black_jack(book, s.bank_cards)
    if natural or bank_natural:
        return "push" if natural and bank_natural else "black_jack" if natural else "loses"
    if bank > best or own > bank:
        return "wins"
    return "push" if own == bank else "loses"


def prize_of(book: Rulebook, result: Result, stake: int) -> int:
    """What the house pays on a stake; negative if it takes it."""
    if result == "push":
        return 0
    return -stake if result == "loses" else times(book, result, stake)


def insurance_of(s: Situation, bet: Bet, book: Rulebook) -> int:
    if not bet.insurance:
        return 0
    return times(book, "insurance", bet.insurance) if makes_black_jack(book, s.bank_cards) else -bet.insurance


def outcomes(s: Situation, book: Rulebook) -> list[Outcome]:
    """Every bet on the table, settled."""
    found: list[Outcome] = []
    for name, hand in s.names().items():
        result = result_of(s, hand, book)
        found += [
            Outcome(bet, result, prize_of(book, result, bet.amount), insurance_of(s, bet, book)) for bet in s.on(name)
        ]
    return found


def paid(settled: list[Outcome]) -> int:
    return sum(max(0, one.prize) + max(0, one.insurance) for one in settled)


def taken(settled: list[Outcome]) -> int:
    return -sum(min(0, one.prize) + min(0, one.insurance) for one in settled)


def payments(settled: list[Outcome]) -> tuple[Payment, ...]:
    """Chips that change hands, each bet and each insurance separately."""
    sums = [
        (one.bet.player, amount, spot)
        for one in settled
        for amount, spot in ((one.prize, one.bet.spot), (one.insurance, one.bet.line))
    ]
    return tuple(payment(*one) for one in sums if one[1])


def payment(player: str, result: int, spot: str) -> Payment:
    """What a bet or its insurance won for its player; negative if lost."""
    return Payment("house", player, result, spot) if result > 0 else Payment(player, "house", -result, spot)


def explain_hand(s: Situation, r: Reasoning, name: str, hand: Hand) -> Result:
    """The clauses that decide a hand."""
    book, result = r.book, result_of(s, hand, r.book)
    at = s.named(name)
    bank, bank_natural = points(book, s.bank_cards), makes_black_jack(book, s.bank_cards)
    own, best = total(book, hand), book.number("best")
    if is_held(book, hand):
        explain_held(r, hand, at)
    if s.is_split(hand.seat) and makes_black_jack(book, hand.cards):
        r.pivot("20 s2", "split_twenty_one", **at)
    if own > best:
        r.pivot("22", "over", total=own, **at)
    elif is_black_jack(s, hand, book):
        r.pivot("21 s2" if bank_natural else "21 s1", "both_black_jack" if bank_natural else "pays_black_jack", **at)
    elif bank_natural:
        r.pivot("20 s1", "beaten_by_black_jack", total=own, **at)
    elif result == "wins":
        r.pivot("23 s1", "bank_over" if bank > best else "nearer", total=own, bank=bank, **at)
    elif result == "push":
        r.pivot("24", "equal", total=own, **at)
    else:
        r.pivot("23 s2", "further", total=own, bank=bank, **at)
    return result
