"""The cloth of banca francesa: the field of each chance, and the lines on which small and big are played for half."""

from typing import Any

from rules_engine.authoring import Spot
from rules_engine.games.layout_bets.layout import Layout

CHANCES = ("aces", "small", "big")
# The line of each chance that has one: the outer line bounds small, the inner line big.
LINES = {"small": "small.line", "big": "big.line"}


class Cloth(Layout[Spot]):
    def named(self, key: str) -> dict[str, Any]:
        """Every spot has a word of its own."""
        return {"spot": key, "name": key, "at": ""}


LAYOUT = Cloth(
    (
        Spot("aces", "aces"),
        Spot("small", "small"),
        Spot("small.line", "small"),
        Spot("big", "big"),
        Spot("big.line", "big"),
    )
)
SPOTS = LAYOUT.spots


def on_line(spot: str) -> bool:
    return spot in LINES.values()
