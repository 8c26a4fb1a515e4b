"""Black jack/21: part V of the regulation of 1995."""

from typing import Final

from rules_engine.authoring import Rulebook

BJ: Final = "pt-black-jack"
BOOKS = (Rulebook(BJ, package=__package__, language="pt", currency="PTE"),)
