"""The figures of exams against examples worked by hand with exact fractions, to 1e-9."""

from math import asin, exp, isclose, pi, sqrt
from statistics import NormalDist

import pytest

from exams.statistics import measures
from exams.statistics.measures import Consistency

CLOSE = {"rel_tol": 0, "abs_tol": 1e-9}

# Five people, four items that are right or wrong. Worked by hand:
#   totals 4, 3, 2, 1, 0: mean 2, squares 4+1+0+1+4 = 10, variance 10/4 = 5/2
#   item 1: 1 1 1 1 0, p = 4/5, variance (5·4/25)/4 · 5 = 4/5·1/5·5/4 = 1/5
#   item 2: 1 1 1 0 0, p = 3/5, variance 3/5·2/5·5/4 = 3/10
#   item 3: 1 1 0 0 0, p = 2/5, variance 3/10
#   item 4: 1 0 0 0 0, p = 1/5, variance 1/5
#   sum of variances 1; KR-20 = 4/3 · (1 − 1 / (5/2)) = 4/3 · 3/5 = 4/5
GUTTMAN = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]


def close(found: float | None, expected: float) -> bool:
    return found is not None and isclose(found, expected, **CLOSE)


def test_kr_20_of_right_and_wrong() -> None:
    assert close(measures.alpha(GUTTMAN), 4 / 5)


def test_alpha_of_points() -> None:
    """Columns 2 4 6 and 1 1 4: variances 4 and 3, totals 3 5 10: mean 6, squares 9+1+16 = 26, variance 13.
    Alpha = 2/1 · (1 − 7/13) = 12/13."""
    assert close(measures.alpha([[2, 1], [4, 1], [6, 4]]), 12 / 13)


def test_alpha_can_be_negative() -> None:
    """Columns 0 1 2 and 2 1 1: variances 1 and 1/3, totals 2 2 3, variance 1/3: 2 · (1 − 4/3 / 1/3) = −6."""
    assert close(measures.alpha([[0, 2], [1, 1], [2, 1]]), -6)


def test_facility_and_point_biserial() -> None:
    """Item 2 of the five people above against the rest: shares 1 1 1 0 0, rests 3 2 1 1 0.
    Means 3/5 and 7/5; products 3+2+1 = 6 − 5·3/5·7/5 = 9/5; squares 3 − 9/5 = 6/5 and 15 − 49/5 = 26/5.
    r = 9/5 / √(6/5 · 26/5) = 9 / √156."""
    figures = measures.item_figures([1, 1, 1, 0, 0], [3, 2, 1, 1, 0], [10, 20, 60], even_share=60)
    assert close(figures.facility, 3 / 5)
    assert close(figures.discrimination, 9 / sqrt(156))
    assert figures.seconds == 20
    assert figures.flags == ()


def test_standard_error() -> None:
    """Variance 5/2 and reliability 4/5: √(5/2 · 1/5) = √(1/2)."""
    assert close(measures.standard_error(sqrt(5 / 2), 4 / 5), sqrt(1 / 2))
    assert close(measures.standard_error(3.0, -0.5), 3.0)
    assert close(measures.standard_error(3.0, 1.0), 0.0)


@pytest.mark.parametrize("reliability", [0.0, 0.3, 0.5, 0.8, 0.95, 1.0])
def test_consistency_at_the_mean_is_known_exactly(reliability: float) -> None:
    """Sheppard: both below the mean with 1/4 + asin ρ / 2π, so they agree with 1/2 + asin ρ / π."""
    assert close(measures.both_below(0.0, reliability), 1 / 4 + asin(reliability) / (2 * pi))
    assert close(measures.consistency(0.0, reliability).agreement, 1 / 2 + asin(reliability) / pi)


def test_consistency_at_a_half_is_two_thirds() -> None:
    """asin 1/2 = π/6: they agree with 1/2 + 1/6 = 2/3, luck is 1/2, kappa (2/3 − 1/2) / (1/2) = 1/3."""
    found = measures.consistency(0.0, 0.5)
    assert close(found.agreement, 2 / 3)
    assert close(found.kappa, 1 / 3)


@pytest.mark.parametrize("z", [-2.0, -0.7, 0.4, 1.0, 3.0])
def test_consistency_of_luck_and_of_certainty(z: float) -> None:
    below = NormalDist().cdf(z)
    assert close(measures.both_below(z, 0.0), below**2)
    assert close(measures.consistency(z, 0.0).kappa, 0.0)
    assert close(measures.both_below(z, 1.0), below)
    assert close(measures.consistency(z, 1.0).agreement, 1.0)


@pytest.mark.parametrize(("z", "reliability"), [(1.0, 0.5), (-1.3, 0.85), (0.25, 0.9), (-2.5, 0.7), (2.0, 0.99)])
def test_the_quadrature_agrees_with_another_way(z: float, reliability: float) -> None:
    """∫ φ(x) Φ((z − ρx) / √(1 − ρ²)) dx up to z: the definition, by the midpoint rule in so many steps."""
    normal, steps, low = NormalDist(), 200_000, -9.0
    width = (z - low) / steps
    rest = sqrt(1 - reliability**2)
    area = sum(
        exp(-x * x / 2) * normal.cdf((z - reliability * x) / rest)
        for x in (low + (step + 0.5) * width for step in range(steps))
    )
    assert close(measures.both_below(z, reliability), area * width / sqrt(2 * pi))


def test_an_exam_worked_through() -> None:
    """The five people above in percent of four points: 100 75 50 25 0, mean 50, variance 6250/4 = 1562.5.
    Error √(1562.5 / 5) = √312.5; at a cut of 50 they agree with 1/2 + asin(4/5) / π."""
    figures = measures.exam_figures([100, 75, 50, 25, 0], GUTTMAN, cut=50)
    assert (figures.people, figures.mean) == (5, 50)
    assert close(figures.deviation, sqrt(1562.5))
    assert close(figures.alpha, 4 / 5)
    assert close(figures.error, sqrt(312.5))
    assert figures.consistency is not None
    assert close(figures.consistency.agreement, 1 / 2 + asin(4 / 5) / pi)


@pytest.mark.parametrize(
    ("totals", "parts"),
    [
        ([], []),
        ([50.0], [[1, 0]]),
        ([50.0, 50.0, 50.0], [[1, 0], [1, 0], [1, 0]]),
        ([100 / 3] * 4, [[1 / 3, 0.1]] * 4),
        ([20.0, 40.0], [[1], [2]]),  # one part only: nothing to compare
    ],
)
def test_too_few_or_all_alike_is_said_and_not_made_up(totals: list[float], parts: list[list[float]]) -> None:
    figures = measures.exam_figures(totals, parts, cut=60)
    assert figures.alpha is None
    assert figures.error is None
    assert figures.consistency is None


def test_an_item_that_all_got_right_has_no_discrimination() -> None:
    assert measures.correlation([1, 1, 1], [1, 2, 3]) is None
    assert measures.correlation([0, 1, 1], [0.1 + 0.2, 0.3, 0.3]) is None
    assert measures.correlation([1], [2]) is None


def test_everybody_far_above_the_cut() -> None:
    found = measures.consistency(-40.0, 0.8)
    assert found == Consistency(1.0, None)


@pytest.mark.parametrize(
    ("right", "of", "flags"),
    [
        (5, 29, ()),  # too few to judge
        (5, 30, ("hard",)),
        (6, 30, ()),  # 0.2 exactly
        (57, 60, ()),  # 0.95 exactly
        (58, 60, ("easy",)),
    ],
)
def test_flagged_for_facility_from_thirty_answers_on(right: int, of: int, flags: tuple[str, ...]) -> None:
    shares = [1.0] * right + [0.0] * (of - right)
    assert measures.item_figures(shares, shares, [], even_share=60).flags == flags


@pytest.mark.parametrize(("slope", "flags"), [(1.0, ()), (-1.0, ("discrimination",))])
def test_flagged_when_the_better_do_worse(slope: float, flags: tuple[str, ...]) -> None:
    shares = [1.0, 0.0] * 15
    assert measures.item_figures(shares, [slope * share for share in shares], [], even_share=60).flags == flags


@pytest.mark.parametrize(("seconds", "flags"), [(119, ()), (120, ()), (121, ("slow",))])
def test_flagged_when_slow(seconds: int, flags: tuple[str, ...]) -> None:
    shares = [1.0, 0.0] * 15
    assert measures.item_figures(shares, shares, [seconds] * 30, even_share=60).flags == flags


@pytest.mark.parametrize(("better", "flags"), [(8, ("discrimination",)), (7, ())])
def test_flagged_below_a_tenth_of_discrimination(better: int, flags: tuple[str, ...]) -> None:
    """Of 15 who got it 9 did well elsewhere, of 15 who did not 8 or 7: phi = 1/√221 = 0.067 or 2/√224 = 0.134."""
    shares = [1.0] * 15 + [0.0] * 15
    rests = [1.0] * 9 + [0.0] * 6 + [1.0] * better + [0.0] * (15 - better)
    figures = measures.item_figures(shares, rests, [], even_share=60)
    assert close(figures.discrimination, {8: 1 / sqrt(221), 7: 2 / sqrt(224)}[better])
    assert figures.flags == flags
