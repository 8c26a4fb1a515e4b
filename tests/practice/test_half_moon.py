"""The half-moon tables: places on the rail, bands, the bank's chips, and print along a curve."""

from math import hypot

import pytest

from training.drawing.arched import arched, length
from training.drawing.chip_designs import design
from training.drawing.chips import USUAL, Kit
from training.drawing.geometry import Box, Point
from training.drawing.half_moon import Moon, Table, Tray, words_in

TABLE = Table(Box(-200, 0, 200, 400), 250, Point(80, 80), rail=14)
MIDDLE = Point(0, 260)


def test_places_lie_on_the_middle_of_the_rail_and_mirror_one_another() -> None:
    moon = Moon(MIDDLE, 170, 230)
    for angle in range(0, 70, 10):
        right, left = (TABLE.seat(MIDDLE, moon.at(1, side * angle)) for side in (1, -1))
        assert (right.x, right.y) == (-left.x, left.y)
        assert abs(TABLE.rim(right.x) - right.y) <= 2
    assert TABLE.seat(MIDDLE, Point(0, 0)) == Point(0, 7)
    assert TABLE.seat(MIDDLE, Point(0, 0), behind=30) == Point(0, -23)


def test_the_felt_is_as_far_inside_as_the_rail_is_wide() -> None:
    assert TABLE.path().startswith("M-200 250C-200 ") and " 0 0S200 " in TABLE.path()
    assert TABLE.path(14).startswith("M-186 250C-186 ") and " 0 14S186 " in TABLE.path(14)


@pytest.mark.parametrize("angle", [-66, -22, 0, 44])
def test_a_word_follows_its_band(angle: int) -> None:
    moon = Moon(MIDDLE, 170, 230)
    word = words_in(moon, (1, 0.8), angle, "Ponto", 12, kind="field-print")
    assert word.turn == moon.lean(angle)
    assert (angle > 0) == (word.turn > 0)
    middle = moon.at(0.9, angle)
    assert hypot(word.x - middle.x, word.y - middle.y) <= 12


def test_the_tray_shows_chips_of_the_table_and_not_how_many_the_bank_has() -> None:
    kit = Kit((500, 100, 25, 5), tuple((value, f"chip-{value}") for value in (500, 100, 25, 5)))
    drawn = Tray(Box(0, 0, 120, 26), kit).svg()
    assert drawn.count('class="tube"') == 4
    for value in kit.change:
        assert design(f"chip-{value}").base in drawn
    assert Tray(Box(0, 0, 120, 26), USUAL).svg().count('class="tube"') == 6


def test_letters_follow_their_curve_and_keep_their_distance() -> None:
    text = arched("field-print", "ASES", 20, 100, lambda far: (far, 5, 0))
    starts = [x for x, _y, _turn in text.spots]
    assert starts == sorted(starts)
    assert abs(starts[0] - (100 - length("ASES", 20) / 2)) <= 2
    assert 'rotate="0.0 0.0 0.0 0.0"' in text.svg() and ">ASES</text>" in text.svg()
    up = arched("field-print", "A", 20, 0, lambda far: (0, -far, -90))
    assert abs(up.spots[0][0]) < 0.01 and up.spots[0][1] > 0  # a letter that runs upwards starts below its middle
