"""Exact probabilities from a full shoe: black jack, the bank's totals, insurance, even money and the special cards.

The house edge on the bet itself is not computed: it depends on how the player plays, which no rule fixes.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb

from rules_engine.authoring import RANKS, SUITS, EngineError, Odds, Price, Rulebook, odds_of
from rules_engine.games.black_jack.hands import FIGURES, TEN, makes_black_jack, points

USUAL_PACKS = 6
ONE_SUIT = SUITS[0]
Shoe = Counter[str]


def odds(book: Rulebook, *, decks: int = USUAL_PACKS) -> Odds:
    packs: list[int] = book.param("packs")
    if decks not in packs:
        raise EngineError("{given!r} is not one of {known}", fact="decks", given=decks, known=packs)
    chances = {"black_jack": black_jack(decks), "insurance": insured(decks)}
    chances |= bank_ends(book, full(decks)) | special(book, decks)
    return odds_of(book.id, f"{decks} packs", chances, edges(book, decks))


def full(packs: int) -> Shoe:
    """How many cards of each rank a full shoe has; figures count with the tens, because they have the same value."""
    shoe = Counter({rank: len(SUITS) * packs for rank in RANKS})
    for figure in FIGURES:
        shoe[TEN] += shoe.pop(figure)
    return shoe


def black_jack(packs: int) -> Fraction:
    """How often the first two cards are an ace and a ten."""
    shoe = full(packs)
    return Fraction(shoe["A"] * shoe[TEN], comb(shoe.total(), 2))


def insured(packs: int) -> Fraction:
    """How often a ten follows the bank's ace, with no other card out."""
    shoe = full(packs)
    return Fraction(shoe[TEN], shoe.total() - 1)


def bank_ends(book: Rulebook, shoe: Shoe) -> dict[str, Fraction]:
    """How often the bank ends with each total, above 21, or with black jack, over every way it can draw."""
    found: dict[str, Fraction] = {}
    for cards, chance in _drawn(book, shoe, ()):
        name = _end(book, cards)
        found[name] = found.get(name, Fraction(0)) + chance
    return dict(sorted(found.items()))


def _end(book: Rulebook, cards: tuple[str, ...]) -> str:
    if makes_black_jack(book, cards):
        return "bank_natural"
    total = points(book, cards)
    return "bank_over" if total > book.number("best") else f"bank_{total}"


def _drawn(book: Rulebook, shoe: Shoe, cards: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    if len(cards) >= 2 and points(book, cards) >= book.number("bank_stands_from"):
        yield cards, Fraction(1)
        return
    whole = shoe.total()
    for rank, count in list(shoe.items()):
        if not count:
            continue
        shoe[rank] -= 1
        for hand, chance in _drawn(book, shoe, (*cards, rank + ONE_SUIT)):
            yield hand, chance * Fraction(count, whole)
        shoe[rank] += 1


def special(book: Rulebook, packs: int) -> dict[str, Fraction]:
    """How often three cards from a full shoe are the run in one suit, or three sevens."""
    hands = comb(packs * len(RANKS) * len(SUITS), 3)
    run: list[int] = book.param("special_run")
    return {
        "suited_run": Fraction(len(SUITS) * packs ** len(run), hands),
        "three_sevens": Fraction(comb(len(SUITS) * packs, 3), hands),
    }


def edges(book: Rulebook, packs: int) -> dict[Price, Fraction]:
    """The house edge on one unit of insurance, and on black jack that takes even money against an ace."""
    prices, shoe = book.param("payouts"), full(packs)
    pays, whole = Fraction(prices["insurance"]), shoe.total()
    behind = Fraction(shoe[TEN] - 1, whole - 3)  # the bank's ace and the player's two cards are out
    even = Fraction(prices["even_money"])
    return {
        ("insurance", pays): 1 - insured(packs) * (pays + 1),
        ("even_money", even): Fraction(prices["black_jack"]) * (1 - behind) - even,
    }
