"""The cussec board: chips in their zones on both sheets, the dice, zones that are lit, and the same in words."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from django.utils import translation

from rules_engine import rulebook
from rules_engine.games.cussec import layout
from tests.practice.cussec_tables import bet, crowded, settled, situation
from training.drawing import Drawing, table_view
from training.drawing.cloths.cussec.frame import LYING, UPRIGHT, Frame
from training.drawing.drawing import Sheet
from training.drawing.geometry import Box
from training.drawing.primitives import Die, Ellipse, Group, Label, PrintedDie, Rect
from training.drawing.tokens import Target, Token

FRAMES = pytest.mark.parametrize("frame", [UPRIGHT, LYING], ids=["upright", "lying"])
BOOK = rulebook("pt-cussec")


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


def drawn(drawing: Drawing) -> list[tuple[Frame, Sheet]]:
    upright, lying = drawing.sheets
    assert (upright.kind, lying.kind) == ("upright", "lying")
    return [(UPRIGHT, upright), (LYING, lying)]


def tokens(sheet: Sheet, key: str) -> list[Token]:
    zones = [group for group in sheet.every(Group) if group.point == f"spot:{key}"]
    return [part for zone in zones for part in zone.parts if isinstance(part, Token)]


def glowing(sheet: Sheet) -> set[str]:
    return {rect.point.removeprefix("spot:") for rect in sheet.every(Rect) if "glowing" in rect.kind}


def box(token: Token) -> Box:
    wide, high = token.width // 2, token.height // 2
    return Box(token.x - wide, token.y - high, token.x + wide, token.y + high)


def inside(one: Box, other: Box) -> bool:
    across = other.left <= one.left and one.right <= other.right
    return across and other.top <= one.top and one.bottom <= other.bottom


@FRAMES
def test_the_zones_cover_the_board_and_never_one_another(frame: Frame) -> None:
    assert set(frame.zones) == set(layout.SPOTS)
    for one, other in combinations(frame.zones.values(), 2):
        assert not one.touches(other)
    board = frame.board
    area = sum((zone.right - zone.left) * (zone.bottom - zone.top) for zone in frame.zones.values())
    assert area == board.right * board.bottom


@FRAMES
def test_chips_lie_in_their_zone_clear_of_its_print(frame: Frame) -> None:
    for key in layout.SPOTS:
        for count in (1, 2):
            for x, y in frame.tokens(key, count):
                wide, high = frame.token
                token = Box(x - wide // 2, y - high // 2, x - wide // 2 + wide, y - high // 2 + high)
                assert inside(token, frame.zones[key]), key
                assert not token.touches(frame.print(key)), key
        assert frame.tokens(key, 1) == [frame.spot(key)]


def test_every_bet_is_drawn_once_on_each_sheet_with_owner_count_and_worth() -> None:
    with translation.override("pt"):
        drawing = table_view(situation(bets=(bet("4", "pair.2-5", 3), bet("1", "big", 1, 2_500))))
    for frame, sheet in drawn(drawing):
        (pair,) = tokens(sheet, "pair.2-5")
        assert (pair.place, pair.count, pair.worth) == ("4", 3, "500")
        assert (pair.x, pair.y) == frame.spot("pair.2-5")
        assert [token.worth for token in tokens(sheet, "big")] == ["2,5k"]


@pytest.mark.parametrize("seed", range(20))
def test_crowded_boards_keep_chips_apart_and_in_their_zones(seed: int) -> None:
    table = crowded(seed)
    for frame, sheet in drawn(table_view(table)):
        found = sheet.every(Token)
        assert len(found) == len(table.bets)
        for key in {lying.spot for lying in table.bets}:
            here = tokens(sheet, key)
            assert all(inside(box(token), frame.zones[key]) for token in here)
            if len(here) == 2:
                assert not box(here[0]).touches(box(here[1])), key


LATE = {"kind": "late_bet", "player": "1", "wish": "withdraw", "spot": "small", "count": 1, "value": 500}
COVERED = [{"by": "croupier", "says": "covers"}, {"by": "panel", "says": "lights"}]
LIFTED = {"by": "croupier", "says": "lifts"}


def dice(sheet: Sheet) -> list[int]:
    return [die.face for die in sheet.every(Die)]


@pytest.mark.parametrize(
    ("facts", "faces", "told"),
    [
        ({"incident": {"kind": "dice_shown"}, "dice": [6, 2, 4]}, [6, 2, 4], "The dice show 6, 2, 4."),
        ({"incident": {"kind": "next_act", "done": "rung"}}, [], "The black dome covers the dice."),
        (
            {"incident": {"kind": "dome_lifted", "lie": "touching", "faces": [3, 3, 1]}},
            [3, 3, 1],
            "The dice show 3, 3, 1.",
        ),
        (
            {"incident": {"kind": "dome_lifted", "lie": "two_stacked", "faces": [3, 1]}},
            [0, 3, 1],
            "2 dice lie on one another; visible: 3, 1.",
        ),
        (
            {"incident": {"kind": "dome_lifted", "lie": "three_stacked", "faces": [5]}},
            [0, 0, 5],
            "3 dice lie on one another; visible: 5.",
        ),
        ({"incident": {"kind": "next_act", "done": "paid"}}, [], "The black dome is off."),
        ({"incident": {"kind": "next_act", "done": "void_declared"}}, [], "The black dome is off."),
        ({"incident": LATE, "calls": COVERED, "dice": [6, 2, 4]}, [], "The black dome covers the dice."),
        ({"incident": LATE, "calls": [*COVERED, LIFTED], "dice": [6, 2, 4]}, [6, 2, 4], "The dice show 6, 2, 4."),
    ],
)
def test_the_dice_are_seen_as_they_lie(facts: dict[str, Any], faces: list[int], told: str) -> None:
    bets = [{"player": "1", "chance": "small", "count": 1, "value": 500}]
    drawing = table_view(BOOK.situation(seats=[1], bets=bets, **facts))
    for _, sheet in drawn(drawing):
        assert dice(sheet) == faces
        domes = [shape for shape in sheet.every(Ellipse) if shape.kind == "dome"]
        assert len(domes) == (told == "The black dome covers the dice.")
    assert drawing.words[0] == told


def test_dice_lie_on_the_disc() -> None:
    for _, sheet in drawn(table_view(situation(dice=(6, 6, 6)))):
        (disc,) = (shape for shape in sheet.every(Ellipse) if shape.kind == "disc")
        for die in sheet.every(Die):
            assert ((die.x + 22 - disc.cx) ** 2 + (die.y + 22 - disc.cy) ** 2) ** 0.5 + 22 < disc.rx


def test_the_zones_that_win_are_lit_only_in_the_end() -> None:
    table = situation(dice=(2, 2, 2), bets=(bet("1", "small"), bet("3", "double.2", 2)))
    for _, sheet in drawn(table_view(table, asking=True)):
        assert glowing(sheet) == set()
    drawing = table_view(table, after=settled(table), currency="PTE")
    for _, sheet in drawn(drawing):
        assert glowing(sheet) == {"double.2", "triple.2", "triples", "total.6", "single.2"}
        assert {(t.worth, t.kind.split()[1]) for t in sheet.every(Token)} == {("500", "lost"), ("+30k", "won")}
        assert [label.text for label in sheet.every(Label) if label.kind == "prize"] == ["+30k"]
    assert drawing.words[-1] == "Zones lit up: double 2, triple 2, any triple, total 6, number 2."
    assert any("wins 30,000 escudos" in sentence for sentence in drawing.words)


def test_zones_that_the_dealer_has_lit_are_seen() -> None:
    incident = {"kind": "zones_lit", "zones": ["small", "single.1"]}
    table = BOOK.situation(seats=[1], dice=[1, 1, 1], incident=incident)
    for _, sheet in drawn(table_view(table, asking=True)):
        assert glowing(sheet) == {"small", "single.1"}


def test_every_face_of_a_zone_is_printed() -> None:
    for _, sheet in drawn(table_view(situation())):
        any_triple = 0 if sheet.kind == "upright" else 3 * 6
        assert len(sheet.every(PrintedDie)) == 6 + 2 * 15 + 2 * 6 + 3 * 6 + any_triple
        printed = [label.text for label in sheet.every(Label) if label.kind == "field-print"]
        assert sorted(printed) == sorted(["Small", "Big", "Any triple", *map(str, range(4, 18))])


def test_targets_are_there_only_when_asked_for() -> None:
    assert all((sheet.every(Target), sheet.role) == ([], "img") for _, sheet in drawn(table_view(situation())))
    for _, sheet in drawn(table_view(situation(), pointing="spot")):
        targets = sheet.every(Target)
        assert {target.point for target in targets} == {f"spot:{key}" for key in layout.SPOTS}
        assert [target.point for target in targets if target.first] == ["spot:small"]
        assert sheet.role == "group"


def test_what_a_step_turned_on_is_lit() -> None:
    for _, sheet in drawn(table_view(situation(), lit=("spot:small", "1"))):
        assert [group.point for group in sheet.every(Group) if group.lit] == ["spot:small"]
