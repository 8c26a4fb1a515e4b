"""Ordinary tables for generators: seats, limits, bets and hands, by difficulty."""

from collections.abc import Sequence
from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.settlement import Result
from rules_engine.games.black_jack.table import Bet, Hand

# How many players sit at the table, from and to, at each difficulty.
SEATED = {1: (1, 2), 2: (2, 3), 3: (3, 4), 4: (4, 5), 5: (5, 6)}
# How many seats have hands when the coup is over.
DEALT = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
STANDS = range(17, 22)  # totals the bank may end with
OVER = range(22, 27)
LEAST = 12  # the lowest total on which anybody stands


def table(draw: Draw, book: Rulebook, difficulty: int, *, least: int = 1, most: int = 6) -> dict[str, Any]:
    """Who sits at the table of the house, its least bet, and how many seats and packs it has."""
    places = book.table.seats
    seated = min(most, places, max(least, draw.number(*SEATED[difficulty])))
    seats = tuple(sorted(draw.sample(range(1, places + 1), seated)))
    return {"seats": seats, "minimum": book.table.minimum, "places": places, "packs": book.table.packs}


def stake(draw: Draw, facts: dict[str, Any], most: int = 8) -> int:
    return int(facts["minimum"]) * draw.number(1, most)


def in_chips(book: Rulebook, amount: int) -> int:
    """The largest sum up to this one that can be paid in chips of the table."""
    return amount - amount % book.table.values[-1]


def own_bets(draw: Draw, facts: dict[str, Any], seats: Sequence[int]) -> list[Bet]:
    """Everybody bets on his own seat."""
    return [Bet(player=str(seat), seat=seat, amount=stake(draw, facts)) for seat in seats]


def beside(draw: Draw, facts: dict[str, Any], seat: int, hand: int = 1) -> Bet:
    """A bet of another player on a seat."""
    others = [other for other in facts["seats"] if other != seat]
    return Bet(player=str(draw.pick(others)), seat=seat, hand=hand, amount=stake(draw, facts, 4))


def twice(bet: Bet) -> Bet:
    """The bet doubled."""
    return Bet(player=bet.player, seat=bet.seat, hand=bet.hand, amount=2 * bet.amount, insurance=bet.insurance)


def dealt(draw: Draw, book: Rulebook, difficulty: int, *, least: int = 1) -> dict[str, Any]:
    """A table where everybody seated has bet, with no cards yet."""
    facts = table(draw, book, difficulty, least=least)
    return facts | {"bets": tuple(own_bets(draw, facts, facts["seats"]))}


def others_first(draw: Draw, facts: dict[str, Any], seat: int, cards: tuple[str, ...]) -> tuple[Hand, ...]:
    """Two cards for every seat with a bet: these for one of them, ordinary ones for the rest."""
    return tuple(
        Hand(seat=other, cards=cards if other == seat else draw.two(draw.pick(PLAIN)))
        for other in sorted({bet.seat for bet in facts["bets"]})
    )


PLAIN = (12, 13, 15, 17, 18, 19)  # ordinary two-card totals


def any_stand(draw: Draw) -> int:
    return draw.pick(STANDS)


def one_hand(
    draw: Draw, book: Rulebook, difficulty: int, cards: tuple[str, ...], *, crowd: bool = False
) -> tuple[dict[str, Any], int]:
    """A table with these cards at some seat, and that seat. `crowd`: somebody else has bet on it too."""
    facts = dealt(draw, book, difficulty, least=2 if crowd else 1)
    seat = draw.pick(facts["seats"])
    if crowd:
        facts["bets"] = in_order([*facts["bets"], beside(draw, facts, seat)])
    bank = (draw.card(), draw.card())
    return facts | {"hands": others_first(draw, facts, seat, cards), "bank_cards": bank, "hidden": hidden(bank)}, seat


def total_for(draw: Draw, result: Result, bank: int) -> int:
    """A player's total that has this result against the bank's."""
    if bank not in STANDS:
        return draw.number(LEAST, 21)
    if result == "wins":
        return draw.number(bank + 1, 21)
    return bank if result == "push" else draw.number(max(LEAST, bank - 3), bank - 1)


def possible(bank: int) -> tuple[Result, ...]:
    """How a hand other than black jack can end against a bank's total."""
    if bank not in STANDS:
        return ("wins",)
    return ("wins", "push", "loses") if bank < STANDS[-1] else ("push", "loses")


def in_order(bets: Sequence[Bet]) -> tuple[Bet, ...]:
    """By seat and hand, the holder's first."""
    return tuple(sorted(bets, key=lambda bet: (bet.seat, bet.hand, bet.player != str(bet.seat), bet.player)))


def hidden(bank: Sequence[str]) -> tuple[str, ...]:
    """The bank's second card lies face down."""
    return ("bank.2",) if len(bank) > 1 else ()


def open_card(draw: Draw, difficulty: int) -> str:
    """The bank's open card. Aces and tens come up more often than by chance, because they matter."""
    return draw.pick(("A", "T", draw.pick("23456789")))


def maximum(book: Rulebook, facts: dict[str, Any]) -> int:
    return book.number("maximum_times_minimum") * int(facts["minimum"])
