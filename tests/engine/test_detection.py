"""Sensitivity and bias: right for dealers whose true figures are known."""

from statistics import NormalDist, fmean

import pytest

from rules_engine.detection import LEAST_FAULTS, Detection, Trials, detection, pooled
from rules_engine.draw import Draw

NORMAL = NormalDist()
COUPS, FAULTS = 200, 20


def _trials(draw: Draw, sensitivity: float, bias: float, *, faults: int, others: int) -> Trials:
    """What a dealer with these true figures does."""
    hit, alarm = NORMAL.cdf(sensitivity / 2 - bias), NORMAL.cdf(-sensitivity / 2 - bias)
    hits = sum(draw.chance(hit) for _ in range(faults))
    alarms = sum(draw.chance(alarm) for _ in range(others))
    return Trials(hits, faults - hits, alarms, others - alarms)


def _found(trials: Trials) -> Detection:
    found = detection(trials)
    assert found is not None
    return found


@pytest.mark.parametrize("dealers", [100, 3_000])
def test_dealers_are_measured_right(dealers: int) -> None:
    """A hundred dealers leave room for luck; of three thousand hardly any is left."""
    errors, bias_errors, covered, bias_covered = [], [], 0, 0
    for dealer in range(dealers):
        draw = Draw("live dealers", dealers, dealer)
        sensitivity, bias = draw.number(50, 250) / 100, draw.number(-50, 50) / 100
        found = _found(_trials(draw, sensitivity, bias, faults=FAULTS, others=COUPS - FAULTS))
        errors.append(found.sensitivity.value - sensitivity)
        bias_errors.append(found.bias.value - bias)
        covered += found.sensitivity.low <= sensitivity <= found.sensitivity.high
        bias_covered += found.bias.low <= bias <= found.bias.high
    assert abs(fmean(errors)) <= 0.1
    assert 0.92 <= covered / dealers <= 0.98
    assert abs(fmean(bias_errors)) <= 0.1
    assert bias_covered / dealers >= 0.92


@pytest.mark.parametrize(("sensitivity", "bias"), [(1.0, 0.0), (1.5, -0.4), (2.0, 0.4)])
def test_one_dealer_is_measured_closely_after_two_thousand_coups(sensitivity: float, bias: float) -> None:
    sessions = [
        _trials(Draw("one dealer", sensitivity, session), sensitivity, bias, faults=FAULTS, others=COUPS - FAULTS)
        for session in range(10)
    ]
    found = _found(pooled(sessions))
    assert abs(found.sensitivity.value - sensitivity) <= 0.25
    assert abs(found.bias.value - bias) <= 0.15


def test_nothing_is_said_below_twenty_faults() -> None:
    few = Trials(hits=LEAST_FAULTS - 5, misses=4, false_alarms=3, correct_rejections=150)
    assert detection(few) is None
    assert detection(few + Trials(misses=1)) is not None
    assert detection(Trials(hits=LEAST_FAULTS, misses=5)) is None


def test_perfect_and_idle_dealers_have_finite_figures() -> None:
    perfect = _found(Trials(hits=20, correct_rejections=180))
    assert 3 < perfect.sensitivity.value < 6
    idle = _found(Trials(misses=20, correct_rejections=180))
    assert abs(idle.sensitivity.value) < 1
    assert idle.bias.value > 1.5
