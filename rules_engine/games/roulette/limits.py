"""The largest bet on a spot: X 27. The list omits the corner, which follows a recorded reading."""

from rules_engine.authoring import Rulebook
from rules_engine.games.roulette.settlement import group

HELD = "corner"


def multiple(book: Rulebook, chance: str) -> int:
    """The largest bet on a chance as a multiple of the least."""
    if chance == HELD:
        return book.number("corner_maximum_times_minimum")
    return int(book.param("maximum_times_minimum")[group(chance)])


def maximum(book: Rulebook, chance: str, minimum: int) -> int:
    """The largest bet of one player on one spot."""
    return multiple(book, chance) * minimum


def least(book: Rulebook, chance: str) -> int:
    """The least bet on a chance at the table: that of the table, unless the house has another for the chance."""
    return book.table.limit(group(chance)).minimum or book.table.minimum


def clause(chance: str) -> str:
    return "X 27 s2" if chance == HELD else "X 27 s1"
