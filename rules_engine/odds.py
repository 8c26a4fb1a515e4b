"""Exact chances of ponto e banca from a full shoe, by the drawing table of the rulebook itself.

Everything is counted in whole numbers of deals and divided once, as fractions: no rounding, no simulation.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from msgspec import Struct

from rules_engine.cards import PACK, RANKS, SUITS, value
from rules_engine.errors import EngineError
from rules_engine.ponto_banca.outcome import DRAWS, WHOLE
from rules_engine.rulebook import Rulebook, rulebooks_of

DECKS = (1, 100)
DIGITS = 6
Shoe = tuple[int, ...]


class Edge(Struct, frozen=True):
    """What the house keeps, on average, of one unit bet on a chance that pays so much to one."""

    chance: str
    pays: int
    edge: float
    exact: str


class Odds(Struct, frozen=True):
    """The chances of one coup from a full shoe, to six decimals and as exact fractions."""

    rulebook: str
    decks: int
    probability: dict[str, float]
    exact: dict[str, str]
    edges: tuple[Edge, ...]


def odds(book: Rulebook, decks: int) -> Odds:
    if book.game != "ponto_banca":
        raise EngineError(f"rulebook: {book.id} is not a banked game")
    if not DECKS[0] <= decks <= DECKS[1]:
        raise EngineError(f"decks: {decks} is not from {DECKS[0]} to {DECKS[1]}")
    chances = results(book, decks)
    pair = pair_chance(decks)
    chances |= {"ponto_pair": pair, "banker_pair": pair}
    return Odds(
        rulebook=book.id,
        decks=decks,
        probability={name: round(float(chance), DIGITS) for name, chance in chances.items()},
        exact={name: str(chance) for name, chance in chances.items()},
        edges=tuple(
            Edge(chance, pays, round(float(edge), DIGITS), str(edge))
            for (chance, pays), edge in edges(book, chances).items()
        ),
    )


def results(book: Rulebook, decks: int) -> dict[str, Fraction]:
    """How often each side wins and how often they tie."""
    by_value = Counter(value(card) for card in PACK)
    ways = count(book, tuple(by_value[points] * decks for points in range(10)))
    return {result: Fraction(ways[result], ways.total()) for result in ("banker", "ponto", "tie")}


def count(book: Rulebook, shoe: Shoe) -> Counter[str]:
    """In how many orders of its next six cards a shoe gives each result; `shoe` is how many it has of each value."""
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
    """Every pair of values that the shoe can give: its score, in how many ways, and the shoe without it."""
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
    """In how many orders of two more cards the coup ends each way; where fewer are drawn, the rest lie unused."""
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


def edges(book: Rulebook, chances: dict[str, Fraction]) -> dict[tuple[str, int], Fraction]:
    """The house's part of each chance, at every price that any of the texts pays for it."""
    kept = Fraction(book.number("deduction_percent"), WHOLE)
    found: dict[tuple[str, int], Fraction] = {}
    for chance, pays in sorted(_prices()):
        won = chances[chance]
        lost = 1 - won - (chances["tie"] if chance in ("ponto", "banker") else 0)
        prize = pays * (1 - kept) if chance == "banker" else Fraction(pays)
        found[chance, pays] = lost - won * prize
    return found


def _prices() -> set[tuple[str, int]]:
    payouts: list[dict[str, Any]] = [book.param("payouts") for book in rulebooks_of("ponto_banca")]
    return {(chance, int(pays)) for prices in payouts for chance, pays in prices.items()}
