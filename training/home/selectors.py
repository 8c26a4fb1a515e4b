"""Data for the home page."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from rules_engine.narration import book_name, topic_name
from training.figures.selectors import TalliedDay
from training.mastery.selectors import KnownRule

WEAK_SPOTS = 5


@dataclass(frozen=True)
class WeakSpot:
    """A topic with rules that were missed and not answered rightly since."""

    subject: str
    rulebook: str
    topic: str
    rules: int


def weak_spots(rules: Iterable[KnownRule], language: str) -> list[WeakSpot]:
    """The topics with the most weak rules, worst first."""
    weak = Counter((item.rule.rulebook, item.topic) for item in rules if item.weak)
    return [
        WeakSpot(f"{book}/{topic}", book_name(book, language), topic_name(book, topic, language), count)
        for (book, topic), count in weak.most_common(WEAK_SPOTS)
    ]


def last_days(tallies: Iterable[TalliedDay], last: date, count: int) -> list[TalliedDay]:
    """A tally for each of `count` days up to `last`, oldest first; empty for days without practice."""
    found = {tally.day: tally for tally in tallies}
    every = (last - timedelta(days=count - 1 - number) for number in range(count))
    return [found.get(day) or TalliedDay(day) for day in every]
