"""The cloth of banca francesa: chips before their player on band or line, the dice where they are, and in words."""

from itertools import combinations
from math import hypot
from typing import Any

import pytest
from django.utils import translation

from rules_engine import rulebook
from rules_engine.games.banca_francesa import GAME
from rules_engine.games.banca_francesa.layout import SPOTS
from rules_engine.games.banca_francesa.table import Situation
from training.drawing import Drawing, table_view
from training.drawing.arched import Arched
from training.drawing.cloths.banca_francesa.frame import BANDS, LYING, RINGS, UPRIGHT, Frame
from training.drawing.drawing import Sheet
from training.drawing.geometry import Box
from training.drawing.people import Person
from training.drawing.primitives import Die, Group, Label
from training.drawing.tokens import Area, Target, Token

BOOK = rulebook("pt-banca-francesa")
FRAMES = pytest.mark.parametrize("frame", [UPRIGHT, LYING], ids=["upright", "lying"])
SMALL = [1, 2, 3]
EIGHT = [1, 2, 3, 4, 5, 6, 7, 8]


def bet(player: str, spot: str, count: int = 2, value: int = 500) -> dict[str, Any]:
    return {"player": player, "spot": spot, "count": count, "value": value}


def situation(*bets: dict[str, Any], kind: str = "dice_down", told: Any = None, **facts: Any) -> Situation:
    table = {"dice": SMALL, **facts, "bets": list(bets), "incident": {"kind": kind, **(told or {})}}
    found = GAME.read({**GAME.ordinary, **table})
    assert isinstance(found, Situation)
    return found


def drawn(drawing: Drawing) -> list[tuple[Frame, Sheet]]:
    upright, lying = drawing.sheets
    assert (upright.kind, lying.kind) == ("upright", "lying whole")
    return [(UPRIGHT, upright), (LYING, lying)]


def token(sheet: Sheet, player: str, spot: str) -> Token:
    groups = [group for group in sheet.every(Group) if group.kind == "spot" and group.point == f"spot:{spot}"]
    (found,) = (part for group in groups for part in group.parts if isinstance(part, Token) and part.place == player)
    return found


def test_chips_lie_before_their_player_on_the_band_or_the_line() -> None:
    table = situation(*(bet(str(seat), spot) for seat in EIGHT for spot in RINGS), seats=EIGHT)
    for frame, sheet in drawn(table_view(table)):
        for index, seat in enumerate(EIGHT):
            for spot in RINGS:
                found = token(sheet, str(seat), spot)
                assert (found.x, found.y) == frame.at(index, len(EIGHT), frame.ring(spot))


@FRAMES
def test_from_the_players_inwards_lie_outer_line_small_big_inner_line_and_aces(frame: Frame) -> None:
    rings = [frame.rail, *(frame.ring(spot) for spot in ("small.line", "small", "big", "big.line", "aces"))]
    assert rings == sorted(rings, reverse=True)
    for spot in BANDS:
        outer, inner = frame.band(spot)
        assert inner < frame.ring(spot) < outer
    assert frame.ring("small.line") == frame.band("small")[0]  # IV 11: on its outer line small plays for half
    assert frame.ring("big.line") == frame.band("big")[1]


@FRAMES
def test_seats_run_clockwise_from_the_left_of_the_staff(frame: Frame) -> None:
    first, *_between, last = (frame.seat(index, 8) for index in range(8))
    assert first.x < 0 < last.x
    tops = [frame.seat(index, 8) for index in (3, 4)]
    assert all(point.y < first.y for point in tops) and tops[0].x < tops[1].x


@pytest.mark.parametrize("standing", [[], ["4a"], ["2a", "4a", "4b"]])
def test_a_full_table_has_every_bet_apart_from_every_other(standing: list[str]) -> None:
    players = [*map(str, EIGHT), *standing]
    table = situation(*(bet(player, spot) for player in players for spot in SPOTS), seats=EIGHT, standing=standing)
    for _frame, sheet in drawn(table_view(table)):
        found = sheet.every(Token)
        assert len(found) == len(table.bets)
        for one, other in combinations(found, 2):
            # The edges of neighbours may come close, never so that one hides the face of another.
            assert hypot(one.x - other.x, one.y - other.y) >= 0.76 * (one.radius + other.radius), (one, other)


def test_a_bet_carries_owner_count_and_worth() -> None:
    table = situation(bet("4", "small", 3), bet("2", "big.line", 1, 2_500))
    with translation.override("pt"):
        sheets = drawn(table_view(table))
    for _frame, sheet in sheets:
        assert (token(sheet, "4", "small").count, token(sheet, "4", "small").worth) == (3, "500")
        assert token(sheet, "2", "big.line").worth == "2,5k"


def test_the_ruling_shows_prizes_and_of_a_line_the_half_that_is_collected() -> None:
    table = situation(bet("1", "small", 4), bet("2", "big", 4), bet("3", "big.line", 4))
    after = BOOK.rule(table).after
    with translation.override("pt"):
        drawing = table_view(table, after=after, currency="PTE")
    for _frame, sheet in drawn(drawing):
        won, lost, halved = token(sheet, "1", "small"), token(sheet, "2", "big"), token(sheet, "3", "big.line")
        assert (won.kind, won.worth) == ("token won", "+2k")
        assert (lost.kind, lost.worth) == ("token lost", "500")
        assert (halved.kind, halved.worth) == ("token lost", "−1k")
        assert [label.text for label in sheet.every(Label) if label.kind == "prize-sum"] == ["+2k"]
        assert any(part.kind == "field-out" for part in sheet.layers["cloth"])  # type: ignore[attr-defined]
    assert "Chance saída: pequeno." in drawing.words


def test_pt_iv_7_d_what_nobody_loses_is_drawn_as_it_lay() -> None:
    table = situation(bet("1", "small"), bet("2", "big"), kind="dice_touched", told={"act": "touched"})
    for _frame, sheet in drawn(table_view(table, after=BOOK.rule(table).after)):
        assert token(sheet, "1", "small").kind == "token won"
        assert token(sheet, "2", "big").kind == "token"


def test_dice_show_their_faces_in_the_arena_and_nothing_while_they_move() -> None:
    for frame, sheet in drawn(table_view(situation(bet("1", "small")))):
        assert [die.face for die in sheet.every(Die)] == SMALL
        arena = frame.arena_box(8)
        for die in sheet.every(Die):
            assert arena.left < die.x and die.x + 44 < arena.right
            assert arena.top < die.y and die.y + 44 < arena.bottom
    moving = situation(dice=[], kind="dice_lifted", told={"state": "rolling"})
    for _frame, sheet in drawn(table_view(moving)):
        assert [die.face for die in sheet.every(Die)] == [0, 0, 0]
    before = situation(dice=[], kind="throw_prepared", told={"in_cup": 3, "through": "chute", "together": True})
    for _frame, sheet in drawn(table_view(before)):
        assert sheet.every(Die) == []


@pytest.mark.parametrize("away", ["floor", "off_table", "out_of_arena", "left_in_cup", "not_in_cup"])
def test_a_die_that_is_not_in_the_arena_is_drawn_elsewhere(away: str) -> None:
    table = situation(kind="throw_ends", told={"happened": [away]})
    for frame, sheet in drawn(table_view(table)):
        first, *others = sheet.every(Die)
        arena, window = frame.arena_box(8), frame.window(8)
        inside = Box(first.x + 6, first.y + 6, first.x + 38, first.y + 38)
        assert not inside.touches(arena)
        assert window.left <= first.x and first.x + 44 <= window.right
        assert window.top <= first.y and first.y + 44 <= window.bottom
        assert [die.face for die in others] == SMALL[1:]


def test_a_cocked_die_cannot_be_read() -> None:
    for _frame, sheet in drawn(table_view(situation(kind="throw_ends", told={"happened": ["cocked"]}))):
        first = sheet.every(Die)[0]
        assert (first.face, first.turn) == (0, 45)


def test_every_spot_can_be_pointed_at_and_one_of_them_is_reached_by_tab() -> None:
    with translation.override("pt"):
        drawing = table_view(_asked(), pointing="spot")
    for _frame, sheet in drawn(drawing):
        targets: list[Target | Area] = [*sheet.every(Target), *sheet.every(Area)]
        assert {target.point for target in targets} == {f"spot:{key}" for key in SPOTS}
        assert sum(target.first for target in targets) == 1
        assert {target.name for target in targets} == {"ases", "pequeno", "grande", "risco exterior", "risco interior"}
        assert sheet.role == "group"


def _asked() -> Situation:
    told = {"player": "2", "chance": "small", "count": 4, "value": 500, "plays": 1_000}
    return situation(dice=[], kind="bet_asked", told=told)


def test_people_sit_and_stand_round_the_table() -> None:
    table = situation(seats=[1, 4], standing=["4a"], kind="dice_at_rest")
    for _frame, sheet in drawn(table_view(table, lit=["4a"])):
        people = {person.place: person for person in sheet.every(Person)}
        assert [place for place, person in people.items() if person.taken] == ["1", "4", "4a"]
        assert people["4a"].lit and not people["4"].lit


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("pt", "Lugar 3; 4 fichas de 500$00: risco interior."),
        ("en", "Seat 3; 4 chips of 500 escudos on the inner line."),
    ],
)
def test_the_table_is_told_in_words(language: str, told: str) -> None:
    with translation.override(language):
        words = [
            sentence.replace("\N{NO-BREAK SPACE}", " ")
            for sentence in table_view(situation(bet("3", "big.line", 4)), currency="PTE").words
        ]
    assert told in words
    assert "1, 2, 3" in words[0]


@pytest.mark.parametrize(
    ("kind", "told", "left"),
    [
        ("settling", {"done": "announced"}, {"aces", "small", "big", "big.line"}),
        ("settling", {"done": "aces_collected"}, {"small", "big", "big.line"}),
        ("settling", {"done": "collected"}, {"small", "big.line"}),
        (
            "prize_handed_over",
            {"player": "2", "spot": "small", "how": "fita", "left": True},
            {"aces", "small", "big", "big.line"},
        ),
        ("prize_handed_over", {"player": "2", "spot": "small", "how": "fita"}, {"small", "big.line"}),
    ],
)
def test_chips_that_were_collected_have_left_the_cloth(kind: str, told: dict[str, Any], left: set[str]) -> None:
    """IV 11 and 12: of a line that lost, half was never bet and stays."""
    dice = [1, 2, 2]
    table = situation(
        bet("2", "aces"), bet("2", "small"), bet("2", "big"), bet("3", "big.line", 4), kind=kind, told=told, dice=dice
    )
    for _frame, sheet in drawn(table_view(table)):
        spots = {group.point.removeprefix("spot:") for group in sheet.every(Group) if group.kind == "spot"}
        assert spots == left
    with translation.override("en"):
        words = " ".join(table_view(table).words)
    assert ("4 chips" in words) == ("big" in left)


def test_once_it_is_shown_how_bets_end_every_one_of_them_is_there() -> None:
    table = situation(bet("2", "aces"), bet("2", "small"), kind="settling", told={"done": "collected"}, dice=[1, 2, 2])
    for _frame, sheet in drawn(table_view(table, after=BOOK.rule(table).after)):
        assert token(sheet, "2", "aces") and token(sheet, "2", "small")


@FRAMES
def test_names_make_way_for_chips_and_move_to_the_foot_when_there_is_no_room(frame: Frame) -> None:
    few = situation(bet("4", "small", 3))
    full = situation(*(bet(str(seat), "small", 3) for seat in EIGHT), seats=EIGHT)
    with translation.override("pt"):
        found = [dict(drawn(table_view(table)))[frame] for table in (few, full)]
    running = [[part.text for part in sheet.every(Arched) if "note" not in part.kind] for sheet in found]
    at_foot = [[label.text for label in sheet.every(Label) if label.kind == "field-print"] for sheet in found]
    assert "PEQUENO" in running[0] and at_foot[0] == []
    assert "PEQUENO" not in running[1] and at_foot[1] == ["Pequeno", "Pequeno"]
    lying, letters = token(found[0], "4", "small"), [part for part in found[0].every(Arched) if part.text == "PEQUENO"]
    for x, y, _turn in (spot for part in letters for spot in part.spots):
        assert hypot(x - lying.x, y - lying.y) > lying.radius


def test_winning_totals_are_printed_only_when_no_question_is_open() -> None:
    for asking in (True, False):
        for sheet in table_view(situation(bet("1", "small")), asking=asking).sheets:
            texts = {part.text for part in sheet.every(Arched)} | {label.text for label in sheet.every(Label)}
            assert ("5 · 6 · 7" in texts) is not asking
            assert ("61–1" in texts) is not asking


def test_the_plaque_shows_the_total_once_the_ruling_names_the_chance() -> None:
    table = situation(bet("1", "small", 4))
    for after, shown in ((None, []), (BOOK.rule(table).after, ["6"])):
        for sheet in table_view(table, after=after).sheets:
            assert [label.text for label in sheet.every(Label) if label.kind == "plaque-number"] == shown
