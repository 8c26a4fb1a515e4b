"""Dealers whose true sensitivity and bias are known deal at the engine's tables: what is displayed must recover them.

A small sample every time; with SABOT_FULL=1 a hundred dealers of 200 coups at a fault rate of 10 %, and single dealers
of 2,000 coups. The displayed interval is also tried with many more dealers than can be dealt for (`test_detection`)."""

import sys
from itertools import count
from statistics import NormalDist, fmean

import pytest

from rules_engine import play
from rules_engine.detection import Trials, detection, pooled
from rules_engine.draw import Draw
from tests.samples import FULL

NORMAL = NormalDist()
BOOKS = ("pt-roleta-francesa", "pt-craps", "pt-banca-francesa", "pt-cussec")
DISPLAYED, COUPS, FAULTS = 100 if FULL else 3, 200, 0.1
LONG = 2_000 if FULL else 400


def dealt(name: str, book: str, coups: int, sensitivity: float, bias: float) -> Trials:
    """A session by a dealer who does nothing but notice: in a coup with a fault with one probability, in one without it
    with another. Their stops go through the game like anybody's."""
    hit, alarm = NORMAL.cdf(sensitivity / 2 - bias), NORMAL.cdf(-sensitivity / 2 - bias)
    draw = Draw("simulated dealer", name)
    state, _events = play.begin(play.Setup(rulebook=book, seed=name, coups=coups, faults=FAULTS))
    coup, stops_at = 0, -1
    while not state.over:
        if state.coup != coup:
            coup = state.coup
            notices = draw.chance(alarm if state.fault is None else hit)
            stops_at = (state.fault or 0) if notices else -1
        if state.at == stops_at:
            stops_at = -1
            state, _events = play.act(state, play.Stop())
            state, _events = play.act(state, play.Resume())
            continue
        state, _events = play.act(state, play.CarryOn())
    return play.trials_of(state)


def figures(dealer: int) -> tuple[float, float]:
    draw = Draw("true figures", dealer)
    return draw.number(50, 250) / 100, draw.number(-50, 50) / 100


def test_dealers_at_running_tables_are_measured_right(capsys: pytest.CaptureFixture[str]) -> None:
    """About half of them meet fewer than 20 faults in 200 coups; nothing is displayed for those."""
    errors, bias_errors, covered, bias_covered = [], [], 0, 0
    for dealer in count():
        sensitivity, bias = figures(dealer)
        trials = dealt(f"dealer {dealer}", BOOKS[dealer % len(BOOKS)], COUPS, sensitivity, bias)
        assert trials.faults + trials.others == COUPS
        if found := detection(trials):
            errors.append(found.sensitivity.value - sensitivity)
            bias_errors.append(found.bias.value - bias)
            covered += found.sensitivity.low <= sensitivity <= found.sensitivity.high
            bias_covered += found.bias.low <= bias <= found.bias.high
        if len(errors) == DISPLAYED:
            break
    means = fmean(errors), fmean(bias_errors)
    shares = covered / DISPLAYED, bias_covered / DISPLAYED
    if FULL:
        with capsys.disabled():
            sys.stdout.write(f"\n{dealer + 1} dealers, {DISPLAYED} displayed; mean errors {means}, covered {shares}\n")
        assert 0.92 <= shares[0] <= 0.98
        assert shares[1] >= 0.92
    assert all(abs(mean) <= (0.1 if FULL else 0.5) for mean in means)


@pytest.mark.parametrize(("sensitivity", "bias"), [(1.0, 0.0), (1.5, -0.4), (2.0, 0.4)])
def test_one_dealer_is_measured_closely_after_many_coups(sensitivity: float, bias: float) -> None:
    """Ten sessions pooled, as the debrief does."""
    each = LONG // 10
    sessions = [dealt(f"one {sensitivity} {number}", BOOKS[0], each, sensitivity, bias) for number in range(10)]
    trials = pooled(sessions)
    assert trials.faults + trials.others == LONG
    found = detection(trials)
    assert found is not None
    allowed = 0.25 if FULL else 0.7
    assert abs(found.sensitivity.value - sensitivity) <= allowed
    assert abs(found.bias.value - bias) <= allowed
