"""Figures of the home page made ready to be drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from training.figures.models import DayTally

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
