"""Work that undoes a wrong idea: cases whose right answer differs from what somebody with the idea would say."""

from functools import cache
from math import ceil
from typing import NamedTuple

from rules_engine import generate, rulebook
from rules_engine.errors import EngineError
from rules_engine.misconceptions import believed, misconception
from rules_engine.topics import cases, topics

SEEDS = 15  # cases of a topic that are looked at
REVEALING, MOST = 5, 20  # revealing cases wanted in an assignment, and the most cases of it


class Undoing(NamedTuple):
    """A kind of case, and how many of it have about as many as wanted that reveal the idea."""

    topic: str
    difficulty: int
    count: int


@cache
def cases_against(book_id: str, id: str) -> Undoing | None:
    """The topic in which most cases reveal a wrong idea; None if none of those looked at does."""
    one = misconception(book_id, id)
    if one is None:
        return None
    practised = {case.topic for case in cases(book_id) if one.cite in case.turns_on.get(book_id, ())}
    counts = {topic: _revealing(book_id, id, topic) for topic in topics(book_id) if topic in practised or not practised}
    if not any(counts.values()):
        counts = {topic: _revealing(book_id, id, topic) for topic in topics(book_id)}
    topic = max(counts, key=lambda topic: counts[topic], default="")
    if not counts.get(topic):
        return None
    level = rulebook(book_id).game.level(topic, 2)
    return Undoing(topic, level, min(MOST, ceil(REVEALING * SEEDS / counts[topic])))


def _revealing(book_id: str, id: str, topic: str) -> int:
    """How many of the first cases of a topic reveal a wrong idea."""
    one, found = misconception(book_id, id), 0
    level = rulebook(book_id).game.level(topic, 2)
    for seed in range(SEEDS):
        try:
            found += bool(one and believed(generate(book_id, topic, f"undo-{seed}", level), one))
        except EngineError:
            continue  # this seed gives no case
    return found
