"""The banca francesa of the regulation of 1995, part IV."""

from typing import Final

from rules_engine.authoring import Rulebook

BANCA: Final = "pt-banca-francesa"

BOOKS = (Rulebook(BANCA, package="rules_engine.games.banca_francesa", language="pt", currency="PTE"),)
