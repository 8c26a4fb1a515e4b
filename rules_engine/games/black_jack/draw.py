"""Draws cards and hands by what they count at black jack."""

from functools import cache
from itertools import product
from typing import ClassVar

from rules_engine.authoring import PACK
from rules_engine.equipment import shoe
from rules_engine.games.black_jack.books import BOOKS
from rules_engine.games.black_jack.hands import makes_black_jack, points
from rules_engine.games.black_jack.table import ACE

BOOK = BOOKS[0]
Ranks = tuple[str, ...]
# One rank for every value: an ace, the numbers, and a ten for everything that counts ten.
VALUED = "A23456789T"
TENS = "TJQK"
BY_VALUE = {
    rank: tuple(card for card in PACK if card[0] == rank or (rank == "T" and card[0] in TENS)) for rank in VALUED
}
SUIT = "s"  # any suit: only ranks count
Hand = tuple[str, ...]


class Draw(shoe.Draw):
    packs: ClassVar[int] = 4  # no table has fewer

    def card(self, ranks: str = VALUED) -> str:
        """A card with the value of one of these ranks; a ten stands for the figures too."""
        return self.of(BY_VALUE[self.pick(ranks)])

    def cards(self, ranks: Ranks) -> tuple[str, ...]:
        return tuple([self.of(BY_VALUE[rank]) for rank in ranks])

    def hand(self, total: int, cards: tuple[int, ...] = (2, 3), *, ace: bool = False) -> tuple[str, ...]:
        """A player's hand of this total, of so many cards, or of three if they cannot make it; never black jack."""
        return self.cards(self.pick(player_hands(total, cards, ace) or player_hands(total, (3,), ace)))

    def two(self, total: int) -> tuple[str, ...]:
        return self.hand(total, (2,))

    def black_jack(self) -> tuple[str, ...]:
        return tuple(self.shuffled((self.card("A"), self.card("T"))))

    def bank(self, *totals: int, opened: str = VALUED, cards: tuple[int, ...] = (2, 3, 4), ace: bool = False) -> Hand:
        """A bank's hand that ends with one of these totals and has one of these open cards; never black jack."""
        return self.cards(self.pick(bank_hands(totals, opened, cards, ace)))


def _as_cards(ranks: Ranks) -> tuple[str, ...]:
    return tuple(rank + SUIT for rank in ranks)


@cache
def player_hands(total: int, cards: tuple[int, ...], ace: bool = False) -> tuple[Ranks, ...]:
    """Hands of a total. `ace`: with an ace."""
    found = [ranks for count in cards for ranks in _player_ends(count).get(total, ())]
    return tuple(ranks for ranks in found if ACE in ranks or not ace)


@cache
def _player_ends(count: int) -> dict[int, list[Ranks]]:
    """Possible hands by total, without black jack: nobody who has 21 asks for more."""
    found: dict[int, list[Ranks]] = {}
    for ranks in product(VALUED, repeat=count):
        cards = _as_cards(ranks)
        before = (points(BOOK, cards[:part]) for part in range(2, count))
        if not makes_black_jack(BOOK, cards) and all(total < BOOK.number("best") for total in before):
            found.setdefault(points(BOOK, cards), []).append(ranks)
    return found


@cache
def bank_hands(totals: tuple[int, ...], opened: str, cards: tuple[int, ...], ace: bool) -> tuple[Ranks, ...]:
    """Hands that the bank ends with when it draws by its rule."""
    found = [
        ranks
        for ranks in _bank_ends()
        if points(BOOK, _as_cards(ranks)) in totals and ranks[0] in opened and len(ranks) in cards
    ]
    return tuple(ranks for ranks in found if ACE in ranks or not ace)


@cache
def _bank_ends() -> tuple[Ranks, ...]:
    found = []
    for count in (2, 3, 4):
        for ranks in product(VALUED, repeat=count):
            cards = _as_cards(ranks)
            if makes_black_jack(BOOK, cards) or points(BOOK, cards) < BOOK.number("bank_stands_from"):
                continue
            if all(points(BOOK, cards[:part]) < BOOK.number("bank_stands_from") for part in range(2, count)):
                found.append(ranks)
    return tuple(found)
