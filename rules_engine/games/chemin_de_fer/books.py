"""The four texts of chemin de fer."""

from functools import partial
from typing import Final

from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.cards import BACCARA

PT: Final = ("pt-chemin-de-fer", "pt-chemin-de-fer-1995")
SANREMO: Final = "it-sanremo-chemin-de-fer"
SPAIN: Final = "es-chemin-de-fer"
BANK: Final = "bank"  # the limits of a bank, as a table of a house has them

_book = partial(Rulebook, package=__package__, scores=(BACCARA,))
PORTUGAL = _book(PT[0], language="pt", currency="EUR")
BOOKS = (
    PORTUGAL,
    _book(PT[1], language="pt", currency="PTE", like=PORTUGAL),
    _book(SANREMO, language="it", currency="EUR"),
    _book(SPAIN, language="es", currency="EUR"),
)
# The fullest text describes the equipment; the others take it for granted.
SEATS = PORTUGAL.number("seats")
DECKS = PORTUGAL.number("decks")
NATURALS = tuple(score for score, letter in enumerate(PORTUGAL.param("ponto_table")) if letter == "N")
