"""Positions of bars and dots in a report. Templates draw them; every plot also has a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from exams.statistics.measures import ItemFigures

WIDTH, HEIGHT = 400, 200
BINS = 20
STEP = 100 // BINS
DOT = 5


@dataclass(frozen=True)
class Bar:
    low: int
    high: int
    people: int
    x: float
    y: float
    width: float
    height: float
    passing: bool


@dataclass(frozen=True)
class Histogram:
    bars: list[Bar]
    cut_x: float
    most: int
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    flagged: bool


@dataclass(frozen=True)
class Scatter:
    """Facility from left to right, discrimination from bottom (−1) to top (1)."""

    dots: list[Dot]
    zero_y: float = HEIGHT / 2
    width: int = WIDTH
    height: int = HEIGHT


def histogram(scores: Sequence[float], cut: int) -> Histogram:
    """Scores in 5 % steps; the last one includes 100."""
    counts = [0] * BINS
    for score in scores:
        counts[min(BINS - 1, int(score // STEP))] += 1
    most = max(counts, default=0)
    wide = WIDTH / BINS
    bars = [
        Bar(
            low=number * STEP,
            high=(number + 1) * STEP,
            people=people,
            x=round(number * wide + 1, 2),
            y=round(HEIGHT - HEIGHT * people / most, 2) if most else HEIGHT,
            width=wide - 2,
            height=round(HEIGHT * people / most, 2) if most else 0,
            passing=number * STEP >= cut,
        )
        for number, people in enumerate(counts)
    ]
    return Histogram(bars=bars, cut_x=WIDTH * cut / 100, most=most)


def scatter(figures: Sequence[ItemFigures]) -> Scatter:
    dots = [
        Dot(
            x=round(DOT + found.facility * (WIDTH - 2 * DOT), 2),
            y=round(HEIGHT / 2 - found.discrimination * (HEIGHT / 2 - DOT), 2),
            flagged=bool(found.flags),
        )
        for found in figures
        if found.facility is not None and found.discrimination is not None
    ]
    return Scatter(dots=dots)
