"""Work that undoes a wrong idea: cases whose right answer differs from what somebody with the idea would say."""

from functools import cache
from math import ceil
from typing import NamedTuple

from rules_engine import generate, rulebook
from rules_engine.errors import EngineError
from rules_engine.misconceptions import believed, misconception
from rules_engine.topics import topics

SEEDS = 40  # cases of a topic and level that are looked at
LEVELS = (2, 1, 3)  # the first of those with equally many
REVEALING, MOST = 5, 20  # revealing cases wanted in an assignment, and the most cases of it


class Undoing(NamedTuple):
    """A kind of case, and how many `cases` of it have about as many as wanted that reveal the idea."""

    topic: str
    difficulty: int
    cases: int


@cache
def cases_against(book_id: str, id: str) -> Undoing | None:
    """The topic and level at which most cases reveal a wrong idea; None if none of those looked at does."""
    game = rulebook(book_id).game
    kinds = dict.fromkeys((topic, game.level(topic, wanted)) for wanted in LEVELS for topic in topics(book_id))
    counts = {kind: _revealing(book_id, id, *kind) for kind in kinds}
    topic, level = max(counts, key=lambda kind: counts[kind])
    if not counts[topic, level]:
        return None
    return Undoing(topic, level, min(MOST, ceil(REVEALING * SEEDS / counts[topic, level])))


def _revealing(book_id: str, id: str, topic: str, level: int) -> int:
    """How many of the first cases of a topic reveal a wrong idea."""
    one, found = misconception(book_id, id), 0
    for seed in range(SEEDS):
        try:
            found += bool(one and believed(generate(book_id, topic, f"undo-{seed}", level), one))
        except EngineError:
            continue  # this seed gives no case
    return found
