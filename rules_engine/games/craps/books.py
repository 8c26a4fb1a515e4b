"""Craps by the regulation of 1995: part VI."""

from typing import Final

from rules_engine.authoring import Rulebook

CRAPS: Final = "pt-craps"

BOOKS = (Rulebook(CRAPS, package="rules_engine.games.craps", language="pt", currency="PTE"),)
