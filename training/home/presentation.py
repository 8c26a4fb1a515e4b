"""Figures of a trainee's pages made ready to be drawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from rules_engine.narration import citation
from rules_engine.words import text
from training.figures.models import DayTally
from training.mastery.selectors import KnownRule

HEIGHT = 100  # of the plot, in units of its drawing
STEP, BAR = 10, 7


@dataclass(frozen=True)
class Bar:
    """One day: a bar as high as its answers, filled as far as they were right."""

    day: date
    answers: int
    percent: int
    x: int
    top: int
    right_top: int

    @property
    def height(self) -> int:
        return HEIGHT - self.top

    @property
    def right_height(self) -> int:
        return HEIGHT - self.right_top


@dataclass(frozen=True)
class Plot:
    bars: list[Bar]
    most: int

    @property
    def practised(self) -> list[Bar]:
        """The days with answers, newest first, for the text twin."""
        return [bar for bar in reversed(self.bars) if bar.answers]

    @property
    def width(self) -> int:
        return STEP * len(self.bars)

    bar_width = BAR
    height = HEIGHT


def plot(days: Sequence[DayTally]) -> Plot:
    most = max((day.answers for day in days), default=0)
    return Plot([_bar(day, number, most) for number, day in enumerate(days)], most)


def _bar(day: DayTally, number: int, most: int) -> Bar:
    share = day.points / day.of if day.of else 0.0
    height = HEIGHT * day.answers / most if most else 0.0
    return Bar(
        day=day.day,
        answers=day.answers,
        percent=round(100 * share),
        x=STEP * number,
        top=round(HEIGHT - height),
        right_top=round(HEIGHT - height * share),
    )


@dataclass(frozen=True)
class RuleCell:
    cite: str
    name: str
    state: str
    percent: int | None


@dataclass(frozen=True)
class TopicMap:
    """One topic of the map: its rules, and how many of them are known."""

    subject: str
    name: str
    known: int
    cells: list[RuleCell]


def topic_maps(rules: Iterable[KnownRule], language: str) -> list[TopicMap]:
    """The rules of one rulebook by topic, in teaching order."""
    return [_topic_map(topic, list(items), language) for topic, items in groupby(rules, key=lambda item: item.topic)]


def _topic_map(topic: str, items: list[KnownRule], language: str) -> TopicMap:
    return TopicMap(
        subject=f"{items[0].rule.rulebook}/{topic}",
        name=text(f"topic.{topic}", language),
        known=sum(item.known for item in items),
        cells=[_cell(item, name) for item, name in zip(items, _names(items), strict=True)],
    )


def _names(items: list[KnownRule]) -> list[str]:
    """The citations; rules of one paragraph are numbered, since a citation does not tell them apart."""
    cites = [citation(item.rule.cite) for item in items]
    return [
        f"{cite} ({cites[: number + 1].count(cite)})" if cites.count(cite) > 1 else cite
        for number, cite in enumerate(cites)
    ]


def _cell(item: KnownRule, name: str) -> RuleCell:
    if item.retention is None:
        return RuleCell(item.rule.cite, name, "new", None)
    return RuleCell(item.rule.cite, name, "known" if item.known else "fading", round(100 * item.retention))
