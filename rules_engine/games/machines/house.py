"""Rows of machines of a house. The law leaves the stakes to the house; VIII 10 only has every machine show its own."""

from rules_engine.authoring import Rulebook, Table, UnfitTable
from rules_engine.games.machines.game import GAME

KINDS = 2  # fewer tokens could not be mistaken for one another


@GAME.table_check
def tokens_fit(table: Table, book: Rulebook) -> None:
    if table.minimum != table.values[-1]:
        raise UnfitTable(
            "minimum", "the least bet is one of the smallest tokens, {amount:amount}", amount=table.values[-1]
        )
    if len(table.values) < KINDS:
        raise UnfitTable("chips", "cases need tokens of at least {count} values", count=KINDS)
    if table.packs:
        raise UnfitTable("packs", "this game is played without cards")
