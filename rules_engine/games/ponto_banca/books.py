"""The three texts of ponto e banca, and which of their articles say the same."""

from functools import partial
from typing import Final

from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.cards import BACCARA

PB: Final = "pt-ponto-banca-1995"
MACAU_1995: Final = "pt-ponto-banca-macau-1995"
MACAU: Final = "pt-ponto-banca-macau"
# The two texts of 1995 have the same articles 1 to 10 and 12 to 19: the second is like the first.
TEXTS_1995: Final = (PB, MACAU_1995)
ALL: Final = (*TEXTS_1995, MACAU)

_book = partial(Rulebook, package=__package__, language="pt", scores=(BACCARA,))
_FIRST = _book(PB, currency="PTE")
BOOKS = (_FIRST, _book(MACAU_1995, currency="PTE", like=_FIRST), _book(MACAU, currency="EUR"))
# The packs in the shoe of each kind of table, under every text: the most copies of a card.
PACKS: dict[str, int] = _FIRST.param("packs")


def articles(*of_1995: str, macau: str | tuple[str, ...] = ()) -> dict[str, str | tuple[str, ...]]:
    """What a case turns on: these articles of both texts of 1995, and those of the present Macau text, if any."""
    found: dict[str, str | tuple[str, ...]] = {PB: of_1995} if of_1995 else {}
    return found | ({MACAU: macau} if macau else {})


def same(book: Rulebook, of_1995: str, macau: str) -> str:
    """The article of this book, by its number in the texts of 1995 and its heading in the present Macau text."""
    return macau if book.coded_as == MACAU else of_1995
