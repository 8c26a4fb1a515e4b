"""Stored documents. Each names its format; one of an older format is converted when it is read.

A step from one format to the next does what concerns every game. A game adds what concerns its own ids
(`Game.upgrades`). Documents of the first releases do not state their format: it is 1.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from rules_engine.errors import EngineError

Document = dict[str, Any]
Sort = Literal["scenario", "ruling", "mark", "answer"]
# Converts a document of a game to the next format.
Upgrade = Callable[[Sort, Document], Document]
FORMAT = 2


def up_to_date(sort: Sort, data: Any, upgrades: Mapping[int, Upgrade]) -> Any:
    """The document in the current format. Data that is not a document is returned as it is, for the caller to check."""
    if not isinstance(data, dict):
        return data
    number = data.get("format", 1)
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= FORMAT:
        raise EngineError(
            "{given!r} is not from {least} to {most}", fact=f"{sort}.format", given=number, least=1, most=FORMAT
        )
    found: Document = data
    while number < FORMAT:
        found = STEPS[number](sort, found)
        if number in upgrades:
            found = upgrades[number](sort, found)
        number += 1
    return found


def _from_1(sort: Sort, data: Document) -> Document:
    """Format 2 gave every game its own version and named the heaps in which a ruling leaves the cards."""
    if sort == "answer":
        return data
    found = {name: value for name, value in data.items() if name != "engine"} | {"format": 2}
    if sort in ("scenario", "mark") and "engine" in data:
        found["version"] = data["engine"]
    after = data.get("after")
    if sort == "ruling" and isinstance(after, dict):
        heaps = {name: cards for name, cards in after.items() if name != "payments"}
        found["after"] = {"heaps": heaps} | ({"payments": after["payments"]} if "payments" in after else {})
    return found


STEPS: Mapping[int, Callable[[Sort, Document], Document]] = {1: _from_1}
