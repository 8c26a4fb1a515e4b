"""Documents that are stored: each names its format, and one of an older format is brought up to date when it is read.

A step from one format to the next does what concerns every game; a game adds what concerns its own ids
(`Game.upgrades`). Documents of the first releases do not say their format: it is 1.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from rules_engine.errors import EngineError

Document = dict[str, Any]
Sort = Literal["scenario", "ruling", "mark", "answer"]
# What a game does to one of its documents on the way to the next format.
Upgrade = Callable[[Sort, Document], Document]
FORMAT = 2


def up_to_date(sort: Sort, data: Any, upgrades: Mapping[int, Upgrade]) -> Any:
    """The same document in the present format. What is no document at all is left to whoever checks it."""
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
    """Every game got its own version, and what a ruling leaves on the table got named heaps."""
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
