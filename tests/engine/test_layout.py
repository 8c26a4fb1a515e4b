"""The layout and the wheel as equipment: every spot where the cloth has it, and nowhere else."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import Answer, grade, rulebook, scenario_of
from rules_engine.equipment import wheel
from rules_engine.errors import ImpossibleFacts, UnknownName
from rules_engine.games.roulette import layout
from rules_engine.spots import spot_name, spots_meant
from rules_engine.words import LANGUAGES

FRENCH = (
    *(0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10),
    *(5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26),
)


def at(number: int) -> tuple[int, int]:
    """Where a number is printed: its row, counted from the zero, and its column."""
    return (number + 2) // 3, (number - 1) % 3


def touching(numbers: tuple[int, ...]) -> bool:
    """Whether numbers fill a block of the cloth, told from where they are printed; the zero touches 1, 2 and 3."""
    rows, columns = zip(*map(at, numbers), strict=True)
    tall, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
    return tall * wide == len(numbers) and tall <= 2


def test_how_many_spots_there_are_of_each_chance() -> None:
    assert Counter(spot.chance for spot in layout.SPOTS.values()) == {
        "straight": 37,
        "split": 60,
        "street": 14,
        "corner": 23,
        "line": 11,
        "dozen": 3,
        "column": 3,
        "dozens": 2,
        "columns": 2,
        **dict.fromkeys(("even", "odd", "low", "high", "red", "black"), 1),
    }


def test_splits_are_exactly_the_numbers_that_touch() -> None:
    pairs = {pair for pair in combinations(layout.NUMBERS, 2) if touching(pair)}
    assert {spot.numbers for spot in layout.SPOTS.values() if spot.chance == "split"} == pairs | {
        (0, 1),
        (0, 2),
        (0, 3),
    }


def test_streets_lines_and_corners_are_blocks_of_the_cloth() -> None:
    sizes = {"street": 3, "corner": 4, "line": 6}
    for spot in layout.SPOTS.values():
        if spot.chance in sizes:
            assert len(spot.numbers) == sizes[spot.chance]
            assert 0 in spot.numbers or touching(spot.numbers), spot.key
    with_zero = {spot.key for spot in layout.SPOTS.values() if 0 in spot.covers}
    assert with_zero == {"0", "0-1", "0-2", "0-3", "0-1-2", "0-2-3", "0-1-2-3"}


@pytest.mark.parametrize(
    ("number", "splits", "streets", "corners", "lines"),
    [(17, 4, 1, 4, 2), (16, 3, 1, 2, 2), (1, 3, 2, 2, 1), (2, 4, 3, 3, 1), (36, 2, 1, 1, 1), (0, 3, 2, 1, 0)],
)
def test_what_lies_round_a_number(number: int, splits: int, streets: int, corners: int, lines: int) -> None:
    found = [len(layout.around(number, chance)) for chance in ("split", "street", "corner", "line")]
    assert found == [splits, streets, corners, lines]


def test_every_spot_is_found_by_its_bet_and_by_its_key() -> None:
    for key in layout.spots():
        spot = layout.at(key)
        assert layout.spot(spot.chance, spot.numbers) == key
        assert (layout.chance(key), layout.numbers(key)) == (spot.chance, spot.covers)


@given(st.sampled_from(sorted(layout.SPOTS)), st.randoms())
def test_a_bet_may_name_its_numbers_in_any_order(key: str, chance: object) -> None:
    spot = layout.at(key)
    numbers = list(spot.numbers)
    chance.shuffle(numbers)
    assert layout.spot(spot.chance, tuple(numbers)) == key


def test_the_thirds_and_the_even_chances_share_the_cloth_out() -> None:
    for thirds in (("dozen.1", "dozen.2", "dozen.3"), ("column.1", "column.2", "column.3")):
        assert sorted(number for key in thirds for number in layout.numbers(key)) == list(layout.NUMBERS)
    for one, other in (("even", "odd"), ("low", "high"), ("red", "black")):
        assert layout.numbers(one) | layout.numbers(other) == set(layout.NUMBERS)
        assert not layout.numbers(one) & layout.numbers(other)
    assert layout.numbers("column.1") == set(range(1, 37, 3))
    assert layout.numbers("columns.2-3") == layout.numbers("column.2") | layout.numbers("column.3")
    assert layout.numbers("dozens.1-2") == set(range(1, 25))


@pytest.mark.parametrize(
    ("chance", "numbers", "named"),
    [
        ("split", (3, 4), "no split on 3-4"),
        ("split", (0, 4), "no split on 0-4"),
        ("street", (2, 3, 4), "no street on 2-3-4"),
        ("corner", (3, 4, 6, 7), "no corner on 3-4-6-7"),
        ("dozens", (1, 3), "no dozens on 1-3"),
        ("red", (1,), "no red on 1"),
        ("straight", (), "no straight on –"),
    ],
)
def test_what_is_not_on_the_cloth_is_refused(chance: str, numbers: tuple[int, ...], named: str) -> None:
    with pytest.raises(ImpossibleFacts, match=named):
        layout.spot(chance, numbers)


def test_an_unknown_spot_is_named() -> None:
    with pytest.raises(UnknownName, match="unknown spot of the layout '3-4'"):
        layout.at("3-4")


def test_neighbours_on_the_wheel() -> None:
    assert wheel.neighbours(FRENCH, 0) == (26, 32)
    assert wheel.neighbours(FRENCH, 17) == (25, 34)
    assert wheel.stretch(FRENCH, 26, 2) == (35, 3, 26, 0, 32)
    with pytest.raises(ImpossibleFacts, match="37 is not on the wheel"):
        wheel.beside(FRENCH, 37)


@given(st.sampled_from(FRENCH), st.integers(min_value=-80, max_value=80))
def test_there_and_back_round_the_wheel(number: int, steps: int) -> None:
    assert wheel.beside(FRENCH, wheel.beside(FRENCH, number, steps), -steps) == number
    assert wheel.beside(FRENCH, number, steps) == wheel.beside(FRENCH, number, steps % len(FRENCH))


def test_the_colours_of_the_cloth_alternate_round_the_french_wheel() -> None:
    assert wheel.alternating(FRENCH, 32) == layout.RED


# ---------- spots as people write them ----------


@pytest.mark.parametrize(
    ("said", "spots"),
    [
        ("17-20, 17", ("17-20", "17")),
        ("20/17; 17", ("17-20", "17")),
        ("20 - 17 > pleno 17", ("17-20", "17")),
        (["17-20", "red"], ("17-20", "red")),
        ("Encarnado, 1.ª dúzia, coluna 3", ("red", "dozen.1", "column.3")),
        ("vermelho, primeira duzia, 3ª coluna", ("red", "dozen.1", "column.3")),
        ("red, 1st dozen, third column", ("red", "dozen.1", "column.3")),
        ("cavalo de dúzia 1-2, two columns 2-3", ("dozens.1-2", "columns.2-3")),
        # One spot is the numbers that it covers: 16, 17, 19 and 20 are a corner.
        ("17-16-20-19", ("16", "17", "19", "20")),
        ("16, 17, 19, 20", ("16", "17", "19", "20")),
        ("dozen.1", ("dozen.1",)),
        ("a third door", ("a", "third", "door")),
        ("", ()),
    ],
)
def test_a_spot_is_understood_as_people_write_it(said: str | list[str], spots: tuple[str, ...]) -> None:
    assert spots_meant(said, rulebook("pt-roleta-francesa")) == spots


def test_every_spot_is_understood_by_its_name_in_every_language() -> None:
    book = rulebook("pt-roleta-americana")
    for key in layout.spots():
        for language in LANGUAGES:
            told = f"{spot_name(key, book, language)}, {key}"
            assert spots_meant(told, book) == (key, key), told


@pytest.mark.parametrize(
    ("answer", "right"), [("20/17", True), ("17", False), (["17-20"], True), (17, False), ("cavalo 17-20", True)]
)
def test_a_spot_in_an_answer_is_graded_by_what_it_means(answer: Any, right: bool) -> None:
    bets = [{"player": "1", "chance": "split", "numbers": [17, 20], "count": 1, "value": 500}]
    bets += [{"player": "1", "chance": "straight", "numbers": [17], "count": 1, "value": 500}]
    incident = {"kind": "prize_traced", "player": "1", "prize": 8_500}
    book = rulebook("pt-roleta-francesa")
    scenario = scenario_of(book.situation(seats=[1], minimum=500, bets=bets, number=17, incident=incident), book)
    assert grade(scenario, Answer({"paid_spot": answer})).perfect == right
