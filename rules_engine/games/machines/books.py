"""The machines of the regulation of 1995: part VIII."""

from typing import Final

from rules_engine.authoring import Rulebook

MACHINES: Final = "pt-maquinas"
PACKAGE = "rules_engine.games.machines"

BOOKS = (Rulebook(MACHINES, package=PACKAGE, language="pt", currency="PTE"),)
