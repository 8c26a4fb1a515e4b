"""How well a dealer notices faults: sensitivity (d′) and response bias (c), each with a 95 % interval.

A trial is a coup. It has a fault or not, and the dealer stops the game in it or not. The counts of several sessions are
added before anything is computed. Rates use the log-linear correction, so that no rate is 0 or 1.
"""

from collections.abc import Iterable
from math import sqrt
from statistics import NormalDist

from msgspec import Struct

# Below this number of faults the figures say more about luck than about the dealer.
LEAST_FAULTS = 20
_NORMAL = NormalDist()
_WIDTH = _NORMAL.inv_cdf(0.975)


class Trials(Struct, frozen=True, omit_defaults=True):
    """Coups counted by what was there and what the dealer did."""

    hits: int = 0
    misses: int = 0
    false_alarms: int = 0
    correct_rejections: int = 0

    def __add__(self, other: "Trials") -> "Trials":
        return Trials(
            self.hits + other.hits,
            self.misses + other.misses,
            self.false_alarms + other.false_alarms,
            self.correct_rejections + other.correct_rejections,
        )

    @property
    def faults(self) -> int:
        return self.hits + self.misses

    @property
    def others(self) -> int:
        return self.false_alarms + self.correct_rejections


class Estimate(Struct, frozen=True):
    """A figure and the interval in which it lies with a probability of 95 %."""

    value: float
    low: float
    high: float


class Detection(Struct, frozen=True):
    """Sensitivity and bias. A positive bias lets things pass, a negative one stops the game too often."""

    sensitivity: Estimate
    bias: Estimate


def pooled(sessions: Iterable[Trials]) -> Trials:
    """The trials of several sessions together."""
    return sum(sessions, Trials())


def detection(trials: Trials) -> Detection | None:
    """The figures of these trials, or None if there are too few faults or no coup without a fault."""
    if trials.faults < LEAST_FAULTS or not trials.others:
        return None
    hit, hit_variance = _probit(trials.hits, trials.faults)
    alarm, alarm_variance = _probit(trials.false_alarms, trials.others)
    spread = sqrt(hit_variance + alarm_variance)
    return Detection(
        sensitivity=_estimate(hit - alarm, spread),
        bias=_estimate(-(hit + alarm) / 2, spread / 2),
    )


def _estimate(value: float, spread: float) -> Estimate:
    return Estimate(value, value - _WIDTH * spread, value + _WIDTH * spread)


def _probit(count: int, of: int) -> tuple[float, float]:
    """The normal quantile of a corrected rate, and its variance (Gourevitch and Galanter 1967)."""
    rate = (count + 0.5) / (of + 1)
    quantile = _NORMAL.inv_cdf(rate)
    return quantile, rate * (1 - rate) / ((of + 1) * _NORMAL.pdf(quantile) ** 2)
