"""The two roulettes of the regulation of 1995: part X (French) and part IX (American), which repeats X with changes."""

from typing import Final

from rules_engine.authoring import Rulebook

FRENCH: Final = "pt-roleta-francesa"
AMERICAN: Final = "pt-roleta-americana"
PACKAGE = "rules_engine.games.roulette"

_french = Rulebook(FRENCH, package=PACKAGE, language="pt", currency="PTE")
_american = Rulebook(AMERICAN, package=PACKAGE, language="pt", currency="PTE", like=_french)
BOOKS = (_french, _american)
