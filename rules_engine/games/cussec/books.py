"""Cussec by the regulation of 1995, part VII."""

from typing import Final

from rules_engine.authoring import Rulebook

CUSSEC: Final = "pt-cussec"
BOOKS = (Rulebook(CUSSEC, package="rules_engine.games.cussec", language="pt", currency="PTE"),)
