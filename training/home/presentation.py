"""Prepares the charts of the home page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.dates import WEEKDAYS

from training.figures.selectors import TalliedDay
from training.practice.summary import streak

HEIGHT = 100  # of the chart, in SVG units
STEP, BAR = 10, 7


@dataclass(frozen=True)
class Bar:
    """One day: the height of the bar is the number of answers, its filled part the share of points."""

    day: date
    answers: int
    percent: int
    x: int
    top: int
    right_top: int

    def column(self, top: int) -> str:
        """The outline of the bar up to `top`, as SVG path data."""
        return f"M{self.x} {HEIGHT}V{top}h{BAR}V{HEIGHT}z"


@dataclass(frozen=True)
class Plot:
    bars: list[Bar]
    most: int

    @property
    def practised(self) -> list[Bar]:
        """The days with answers, newest first, for the text version of the chart."""
        return [bar for bar in reversed(self.bars) if bar.answers]

    @property
    def width(self) -> int:
        return STEP * len(self.bars)

    @property
    def all(self) -> str:
        """All bars as one SVG path: two paths are drawn much faster than sixty rectangles."""
        return "".join(bar.column(bar.top) for bar in self.bars if bar.answers)

    @property
    def right(self) -> str:
        """The filled parts of the bars."""
        return "".join(bar.column(bar.right_top) for bar in self.bars if bar.answers)

    height = HEIGHT


def plot(days: Sequence[TalliedDay]) -> Plot:
    most = max((day.answers for day in days), default=0)
    return Plot([_bar(day, number, most) for number, day in enumerate(days)], most)


def _bar(day: TalliedDay, number: int, most: int) -> Bar:
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
class Rhythm:
    """How regularly a trainee practises: days in a row, the last week, and whether today's goal is reached."""

    streak: int
    week: list[tuple[str, str, int]]  # name of the day, its letter, answers
    goal: int
    reached: bool


def rhythm(days: Sequence[TalliedDay], goal: int, *, done: bool) -> Rhythm:
    """`days` come from `last_days`. `done`: the day's plan is complete, however long it took."""
    practised = [day.day for day in days if day.answers]
    return Rhythm(
        streak=streak(practised, days[-1].day),
        week=[(name := str(WEEKDAYS[day.day.weekday()]), name[0].upper(), day.answers) for day in days[-7:]],
        goal=goal,
        reached=done or days[-1].seconds >= goal * 60,
    )
