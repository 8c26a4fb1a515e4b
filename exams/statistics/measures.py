"""Exam measures: facility, discrimination, reliability, error and decision consistency. Pure functions.

Variances are sample variances (n − 1). Figures that cannot be computed, because there are too few people or they do not
differ, are None.
"""

import statistics
from collections.abc import Sequence
from functools import cache
from math import asin, cos, exp, fsum, pi, sin, sqrt
from statistics import NormalDist, median

from msgspec import Struct

# Items and exams are judged from this many answers; with fewer the figures are chance.
ENOUGH = 30
EASIEST, HARDEST = 0.95, 0.2
LEAST_DISCRIMINATION = 0.1
# Multiple of the even share of the exam's time.
SLOW = 2.0
NODES = 24
NORMAL = NormalDist()


class ItemFigures(Struct, frozen=True, kw_only=True):
    """`facility` is the share of points people get; `discrimination` is the correlation with the rest of the exam."""

    answers: int
    facility: float | None
    discrimination: float | None
    seconds: float | None
    flags: tuple[str, ...]


class Consistency(Struct, frozen=True):
    """The probability that a second form would give the same decision, and how much of it is not luck (kappa)."""

    agreement: float
    kappa: float | None


class ExamFigures(Struct, frozen=True, kw_only=True):
    people: int
    mean: float | None
    deviation: float | None
    alpha: float | None
    error: float | None
    consistency: Consistency | None


# ---- one list of numbers


def mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def variance(values: Sequence[float]) -> float | None:
    return statistics.variance(values) if len(values) > 1 else None


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation; for right/wrong scores it is the point-biserial."""
    if len(one) < 2 or _all_alike(one) or _all_alike(other):
        return None
    return statistics.correlation(one, other)


def _all_alike(values: Sequence[float]) -> bool:
    return _nothing(statistics.pvariance(values) * len(values), values)


def _nothing(spread: float, values: Sequence[float]) -> bool:
    """Whether a sum of squares is zero apart from rounding errors."""
    return spread <= 1e-18 * fsum(value * value for value in values) or spread == 0


# ---- an item


def item_figures(
    shares: Sequence[float], rests: Sequence[float], seconds: Sequence[float], *, even_share: float
) -> ItemFigures:
    """The figures of an item from each person's share of its points, their share of the rest of the exam, and the time
    taken. `even_share` is the exam's time divided by its items."""
    facility, discrimination = mean(shares), correlation(shares, rests)
    time = median(seconds) if seconds else None
    return ItemFigures(
        answers=len(shares),
        facility=facility,
        discrimination=discrimination,
        seconds=time,
        flags=_flags(len(shares), facility, discrimination, time, even_share),
    )


def _flags(
    answers: int, facility: float | None, discrimination: float | None, seconds: float | None, even_share: float
) -> tuple[str, ...]:
    if answers < ENOUGH or facility is None:
        return ()
    found = []
    if facility < HARDEST:
        found.append("hard")
    if facility > EASIEST:
        found.append("easy")
    if discrimination is not None and discrimination < LEAST_DISCRIMINATION:
        found.append("discrimination")
    if seconds is not None and seconds > SLOW * even_share:
        found.append("slow")
    return tuple(found)


# ---- the exam


def exam_figures(totals: Sequence[float], parts: Sequence[Sequence[float]], cut: float) -> ExamFigures:
    """The figures of an exam from everybody's total, their points by part of the blueprint, and the pass mark.

    Totals and cut are percentages; `parts` may leave out people who lack a part.
    """
    average, spread, reliability = mean(totals), variance(totals), alpha(parts)
    deviation = sqrt(spread) if spread and not _nothing(spread, totals) else None
    error, consistent = None, None
    if average is not None and deviation is not None and reliability is not None:
        error = standard_error(deviation, reliability)
        consistent = consistency((cut - average) / deviation, reliability)
    return ExamFigures(
        people=len(totals), mean=average, deviation=deviation, alpha=reliability, error=error, consistency=consistent
    )


def alpha(rows: Sequence[Sequence[float]]) -> float | None:
    """Cronbach's alpha of people (rows) by parts (columns); for right/wrong parts it is KR-20."""
    count = len(rows[0]) if rows else 0
    if len(rows) < 2 or count < 2:
        return None
    totals = [fsum(row) for row in rows]
    whole = variance(totals)
    if not whole or _nothing(whole, totals):
        return None
    parts = fsum(variance([row[column] for row in rows]) or 0.0 for column in range(count))
    return count / (count - 1) * (1 - parts / whole)


def standard_error(deviation: float, reliability: float) -> float:
    """The standard error of measurement. Negative reliability counts as 0."""
    return deviation * sqrt(1 - min(1.0, max(0.0, reliability)))


def consistency(z: float, reliability: float) -> Consistency:
    """How often two forms decide alike about a person, with the cut `z` standard deviations from the mean.

    Assumes that the scores on two forms are bivariate normal with the reliability as correlation. They agree if both
    are below the cut or both are not: 1 − 2 (Φ(z) − Φ₂(z, z; ρ)).
    """
    correlated = min(1.0, max(0.0, reliability))
    below = NORMAL.cdf(z)
    agreement = 1 - 2 * (below - both_below(z, correlated))
    luck = below**2 + (1 - below) ** 2
    return Consistency(agreement, (agreement - luck) / (1 - luck) if luck < 1 else None)


def both_below(z: float, correlated: float) -> float:
    """Φ₂(z, z; ρ): with r = sin θ, Φ(z)² + 1/2π ∫₀^asin ρ exp(−z² / (1 + sin θ)) dθ."""
    half = asin(correlated) / 2
    area = half * fsum(
        weight * exp(-z * z / (1 + sin(half * (node + 1)))) for node, weight in zip(*_gauss_legendre(), strict=True)
    )
    return NORMAL.cdf(z) ** 2 + area / (2 * pi)


@cache
def _gauss_legendre() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Nodes and weights of the quadrature on [−1, 1], by Newton's method from the usual first guess."""
    nodes, weights = [], []
    for number in range(1, NODES + 1):
        x = cos(pi * (number - 0.25) / (NODES + 0.5))
        for _step in range(10):
            value, slope = _legendre(x)
            x -= value / slope
        slope = _legendre(x)[1]
        nodes.append(x)
        weights.append(2 / ((1 - x * x) * slope * slope))
    return tuple(nodes), tuple(weights)


def _legendre(x: float) -> tuple[float, float]:
    """The Legendre polynomial of degree NODES at x, and its slope."""
    before, value = 1.0, x
    for degree in range(2, NODES + 1):
        before, value = value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree
    return value, NODES * (x * value - before) / (x * x - 1)
