"""The cloth of banca francesa: the field of every chance, and the lines on which small and big are played for half."""

from rules_engine.authoring import Spot

CHANCES = ("aces", "small", "big")
# The line of a chance, where it has one: the outer one bounds small, the inner one big.
LINES = {"small": "small.line", "big": "big.line"}
SPOTS: dict[str, Spot] = {
    "aces": Spot("aces", "aces"),
    "small": Spot("small", "small"),
    "small.line": Spot("small.line", "small"),
    "big": Spot("big", "big"),
    "big.line": Spot("big.line", "big"),
}
PLACE_ON_CLOTH = {key: index for index, key in enumerate(SPOTS)}


def on_line(spot: str) -> bool:
    return spot in LINES.values()
