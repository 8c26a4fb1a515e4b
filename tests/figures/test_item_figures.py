"""Item figures agree with examples worked by hand."""

import pytest

from training.figures.models import ItemTally
from training.figures.selectors import discrimination, figures_of

# Shares of points of four people, and what they had got before, worked by hand:
# n 4, Σx 2.5, Σx² 2.25, Σy 2.0, Σy² 1.2, Σxy 1.6; (4·1.6 − 2.5·2.0) / √((4·2.25 − 6.25)(4·1.2 − 4)) = 1.4 / √2.2
SHARES = [1.0, 1.0, 0.5, 0.0]
ABILITIES = [0.8, 0.6, 0.4, 0.2]
BY_HAND = 1.4 / 2.2**0.5


def tally(**changes: float) -> ItemTally:
    sums = {
        "compared": 4,
        "share_sum": sum(SHARES),
        "share_squares": sum(x * x for x in SHARES),
        "ability_sum": sum(ABILITIES),
        "ability_squares": sum(y * y for y in ABILITIES),
        "product_sum": sum(x * y for x, y in zip(SHARES, ABILITIES, strict=True)),
    }
    return ItemTally(item="x", **sums | changes)


def test_discrimination_is_the_correlation() -> None:
    assert discrimination(tally()) == pytest.approx(BY_HAND, abs=1e-9)


def test_where_nothing_varies_there_is_no_discrimination() -> None:
    assert discrimination(tally(share_sum=4, share_squares=4, product_sum=2)) is None
    assert discrimination(ItemTally(item="x", compared=1, share_sum=1, share_squares=1)) is None


@pytest.mark.django_db
@pytest.mark.parametrize(("answers", "told"), [(29, False), (30, True), (31, True)])
def test_figures_are_told_from_thirty_answers_on(answers: int, told: bool) -> None:
    (row,) = figures_of([tally(answers=answers, compared=answers, points=60, of=80, seconds=answers * 40)])
    assert (row.facility is not None) is told
    assert row.mean_seconds == 40
    assert row.facility in (None, 0.75)
