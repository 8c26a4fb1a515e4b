"""Exact probabilities of ponto e banca from a full shoe, by the drawing table of the rulebook.

Deals are counted in whole numbers and divided once, as fractions: no rounding, no simulation.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from rules_engine.authoring import PACK, RANKS, SUITS, EngineError, Odds, Price, Rulebook, odds_of
from rules_engine.games.baccarat.cards import value
from rules_engine.games.ponto_banca.outcome import DRAWS, WHOLE

DECKS = (1, 100)
USUAL_DECKS = 8
Shoe = tuple[int, ...]


def odds(book: Rulebook, *, decks: int = USUAL_DECKS) -> Odds:
    if not DECKS[0] <= decks <= DECKS[1]:
        raise EngineError(
            "{given!r} is not from {least} to {most}", fact="decks", given=decks, least=DECKS[0], most=DECKS[1]
        )
    chances = results(book, decks)
    pair = pair_chance(decks)
    chances |= {"ponto_pair": pair, "banker_pair": pair}
    ends: dict[Price, dict[Fraction, Fraction]] = {
        (chance, pays): results_of(book, chances, chance, pays) for chance, pays in sorted(_prices(book))
    }
    return odds_of(
        book.id,
        f"{decks} packs",
        chances,
        {price: -sum((brings * often for brings, often in found.items()), Fraction()) for price, found in ends.items()},
        results=ends,
        own={(chance, Fraction(pays)) for chance, pays in book.param("payouts").items()},
        count=decks,
    )


def results(book: Rulebook, decks: int) -> dict[str, Fraction]:
    """How often each side wins and how often they tie."""
    by_value = Counter(value(card) for card in PACK)
    ways = count(book, tuple(by_value[points] * decks for points in range(10)))
    return {result: Fraction(ways[result], ways.total()) for result in ("banker", "ponto", "tie")}


def count(book: Rulebook, shoe: Shoe) -> Counter[str]:
    """Counts the orderings of the next six cards that lead to each result; `shoe` is how many cards of each value it
    has."""
    naturals: list[int] = book.param("naturals")
    ponto_table: str = book.param("ponto_table")
    banker_table: dict[str, str] = book.param("banker_table")
    ways: Counter[str] = Counter()
    for ponto, ponto_ways, left in _pairs(shoe):
        for banker, banker_ways, rest in _pairs(left):
            dealt = ponto_ways * banker_ways
            if ponto in naturals or banker in naturals:
                ends = Counter({_winner(ponto, banker): _orders(rest)})
            else:
                ends = _thirds(ponto_table[ponto], banker_table[str(banker)], ponto, banker, rest)
            for result, orders in ends.items():
                ways[result] += dealt * orders
    return ways


def _pairs(shoe: Shoe) -> Iterator[tuple[int, int, Shoe]]:
    """Every pair of values that the shoe can give: its score, the number of ways, and the shoe without it."""
    for first, second in combinations_with_replacement(range(10), 2):
        left = _without(_without(shoe, first), second)
        ways = shoe[first] * (shoe[first] - 1) if first == second else 2 * shoe[first] * shoe[second]
        yield (first + second) % 10, ways, left


def _without(shoe: Shoe, points: int) -> Shoe:
    return (*shoe[:points], shoe[points] - 1, *shoe[points + 1 :])


def _orders(shoe: Shoe) -> int:
    """In how many orders the shoe can give two more cards."""
    return sum(shoe) * (sum(shoe) - 1)


def _thirds(ponto_letter: str, row: str, ponto: int, banker: int, shoe: Shoe) -> Counter[str]:
    """In how many orders of two more cards the coup ends each way; cards that are not drawn stay unused."""
    ways: Counter[str] = Counter()
    others = sum(shoe) - 1
    if not DRAWS[ponto_letter]:
        if not DRAWS[row[-1]]:
            return Counter({_winner(ponto, banker): _orders(shoe)})
        for last in range(10):
            ways[_winner(ponto, (banker + last) % 10)] += shoe[last] * others
        return ways
    for third in range(10):
        final = (ponto + third) % 10
        if not DRAWS[row[third]]:
            ways[_winner(final, banker)] += shoe[third] * others
            continue
        for last in range(10):
            ways[_winner(final, (banker + last) % 10)] += shoe[third] * (shoe[last] - (last == third))
    return ways


def _winner(ponto: int, banker: int) -> str:
    return "tie" if ponto == banker else "ponto" if ponto > banker else "banker"


def pair_chance(decks: int) -> Fraction:
    """How often two cards from a full shoe are of one rank."""
    return Fraction(len(SUITS) * decks - 1, len(SUITS) * len(RANKS) * decks - 1)


def results_of(book: Rulebook, chances: dict[str, Fraction], chance: str, pays: Fraction) -> dict[Fraction, Fraction]:
    """The probability of each return on a bet of one unit. A tie returns the stakes of both sides."""
    kept = Fraction(book.number("deduction_percent"), WHOLE)
    won, back = chances[chance], chances["tie"] if chance in ("ponto", "banker") else Fraction()
    prize = pays * (1 - kept) if chance == "banker" else pays
    return {prize: won, Fraction(): back, Fraction(-1): 1 - won - back}


def _prices(book: Rulebook) -> set[tuple[str, Fraction]]:
    """Every chance at every price that any of the texts pays for it."""
    payouts: list[dict[str, Any]] = [other.param("payouts") for other in book.game.books]
    return {(chance, Fraction(pays)) for prices in payouts for chance, pays in prices.items()}
