"""The roulette cloth: chips on their exact spots on both sheets, the wheel, the marker, and the same in words."""

import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from rules_engine import rulebook
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.paying import Settling
from rules_engine.games.roulette.payment_order import WinnersToPay
from rules_engine.games.roulette.table import ColourChips, Incident
from rules_engine.ruling import After
from tests.practice.roulette_tables import bet, crowded, settled, situation
from training.drawing import Drawing, table_view
from training.drawing.cloths.roulette.frame import FIELDS, FRENCH_LYING, FRENCH_UPRIGHT, LYING, PRINTED, UPRIGHT, Frame
from training.drawing.cloths.roulette.print import figures as figures_of
from training.drawing.cloths.roulette.wheel import ORDERS
from training.drawing.drawing import Sheet
from training.drawing.free_space import around, inside
from training.drawing.people import Person
from training.drawing.primitives import Ellipse, Group, Label, Path, Symbol
from training.drawing.tokens import Target, Token, short

FRAMES = pytest.mark.parametrize(
    "frame",
    [UPRIGHT, LYING, FRENCH_UPRIGHT, FRENCH_LYING, *PRINTED.values()],
    ids=[
        f"{name}{how}" for how in ("", ", printed") for name in ("upright", "lying", "French upright", "French lying")
    ],
)


def tokens(sheet: Sheet, key: str) -> list[Token]:
    spots = [group for group in sheet.every(Group) if group.point == f"spot:{key}"]
    return [part for spot in spots for part in spot.parts if isinstance(part, Token)]


def drawn(drawing: Drawing) -> list[tuple[Frame, Sheet]]:
    upright, lying = drawing.sheets
    assert (upright.kind, lying.kind) == ("upright", "lying")
    return [(UPRIGHT, upright), (LYING, lying)]


@FRAMES
def test_chips_lie_where_the_numbers_they_cover_meet(frame: Frame) -> None:
    cell = frame.cell
    for key in ("17-20", "16-17", "16-17-19-20"):
        numbers = layout.at(key).numbers
        centres = [cell(number).middle for number in numbers]
        x, y = sum(c.x for c in centres) / len(centres), sum(c.y for c in centres) / len(centres)
        assert abs(frame.spot(key).x - x) <= 1 and abs(frame.spot(key).y - y) <= 1, key
    # Streets and lines on the edge of the third column, on the side of the croupier.
    third = cell(18)
    assert frame.spot("16-17-18") == (
        (third.right, third.middle.y) if frame.upright else (third.middle.x, third.bottom)
    )
    assert frame.spot("0-1-2-3") == frame.at(0, 3 * frame.column)
    assert frame.spot("0-2") == frame.at(0, 1.5 * frame.column)
    assert frame.spot("0-2-3") == frame.at(0, 2 * frame.column)


@FRAMES
def test_chips_on_a_number_lie_in_a_corner_of_its_field(frame: Frame) -> None:
    figures = {label.text: box for box, label in figures_of(frame)}
    for number in layout.POCKETS:
        for point in frame.corners(number):
            chips = around(*point, *frame.token)
            assert inside(chips, frame.cell(number))
            assert chips.shared(figures[str(number)]) < 0.15 * chips.shared(chips)


@FRAMES
def test_no_two_spots_are_nearer_than_a_token(frame: Frame) -> None:
    points = {key: frame.spot(key) for key in layout.spots() if not key.isdigit()}
    wide, high = frame.token
    for one, first in points.items():
        for other, second in points.items():
            apart = abs(first.x - second.x) >= wide or abs(first.y - second.y) >= high
            assert one == other or apart, (one, other)


@FRAMES
def test_fields_hold_their_chips_and_two_share_the_line_between(frame: Frame) -> None:
    for key in FIELDS:
        x, y = frame.spot(key)
        field = frame.field(key)
        assert field.left < x < field.right and field.top < y < field.bottom
    for pair, one, other in (("dozens.1-2", "dozen.1", "dozen.2"), ("columns.2-3", "column.2", "column.3")):
        first, second, (x, y) = frame.field(one), frame.field(other), frame.spot(pair)
        if frame.french and pair.startswith("dozens"):  # on the croupier's side
            first, second = (frame.foot_dozen(third, beyond=True) for third in (0, 1))
        shared = (
            {first.left, first.right} & {second.left, second.right},
            {first.top, first.bottom} & {second.top, second.bottom},
        )
        assert x in shared[0] or y in shared[1], pair


def test_every_bet_is_drawn_once_on_each_sheet_with_owner_count_and_worth() -> None:
    table = situation(bets=(bet("4", "17-20", 3, 500), bet("1", "red", 1, 2_500)))
    with translation.override("pt"):
        drawing = table_view(table)
    for frame, sheet in drawn(drawing):
        (split,) = tokens(sheet, "17-20")
        assert (split.place, split.count, split.worth) == ("4", 3, "500")
        assert (split.x, split.y) == frame.spot("17-20")
        assert [token.worth for token in tokens(sheet, "red")] == ["2,5k"]
        assert split.design != tokens(sheet, "red")[0].design


@pytest.mark.parametrize("seed", range(30))
def test_crowded_tables_keep_lone_chips_on_their_spot_and_others_apart(seed: int) -> None:
    table = crowded(seed)
    for frame, sheet in drawn(table_view(table)):
        found = sheet.every(Token)
        assert len(found) == len(table.bets)
        assert len({(token.x, token.y) for token in found}) == len(found)
        for key in {lying.spot for lying in table.bets}:
            here = tokens(sheet, key)
            if key.isdigit():
                assert inside(around(here[0].x, here[0].y, *frame.token), frame.cell(int(key)))
            elif len(here) == 1:
                assert (here[0].x, here[0].y) == frame.spot(key)


def test_chips_that_share_a_line_are_pinned_to_the_spot_between_them() -> None:
    table = situation(seats=(1, 2), bets=(bet("1", "17-20"), bet("2", "17-20"), bet("1", "8")))
    for frame, sheet in drawn(table_view(table)):
        (pin,) = (shape for shape in sheet.every(Ellipse) if shape.kind == "pin")
        assert (pin.cx, pin.cy) == frame.spot("17-20")
        one, other = tokens(sheet, "17-20")
        assert (one.x + other.x) // 2 == pin.cx and (one.y + other.y) // 2 == pin.cy


def test_chips_that_share_a_field_stay_in_it() -> None:
    table = situation(seats=(1, 2, 3, 4), bets=tuple(bet(str(player), "red", 5, 1_000) for player in (1, 2, 3, 4)))
    for frame, sheet in drawn(table_view(table)):
        field = frame.field("red")
        boxes = [
            type(field)(t.x - t.width // 2, t.y - t.height // 2, t.x + t.width // 2, t.y + t.height // 2)
            for t in tokens(sheet, "red")
        ]
        assert len(boxes) == 4 and all(inside(box, field) for box in boxes)


def test_the_ball_lies_in_the_pocket_of_the_number() -> None:
    for number, wheel in ((0, "french"), (17, "american")):
        _, lying = table_view(situation(number=number, wheel=wheel)).sheets
        (ball,) = (shape for shape in lying.every(Ellipse) if shape.kind == "ball")
        (hub,) = (shape for shape in lying.every(Ellipse) if shape.kind == "wheel-bowl")
        printed = {label.text: label for label in lying.every(Label) if label.kind.startswith("pocket-number")}
        assert [*printed] == [
            str(n) for n in (*ORDERS[wheel][ORDERS[wheel].index(0) :], *ORDERS[wheel][: ORDERS[wheel].index(0)])
        ]
        pocket = printed[str(number)]
        cross = (pocket.x - hub.cx) * (ball.cy - hub.cy) - (pocket.y - hub.cy) * (ball.cx - hub.cx)
        assert (
            abs(cross) < 300 and (pocket.x - hub.cx) * (ball.cx - hub.cx) + (pocket.y - hub.cy) * (ball.cy - hub.cy) > 0
        )


@pytest.mark.parametrize("order", ORDERS)
def test_a_wheel_has_every_number_once(order: str) -> None:
    assert sorted(ORDERS[order]) == list(layout.POCKETS)


def test_the_marker_stands_on_the_number_out_and_waits_while_a_spot_is_asked_for() -> None:
    out = situation(number=20)
    for drawing, shown in ((table_view(out), 1), (table_view(situation()), 0), (table_view(out, pointing="spot"), 0)):
        for frame, sheet in drawn(drawing):
            markers = [symbol for symbol in sheet.every(Symbol) if symbol.name == "marker"]
            assert len(markers) == shown
            if markers:
                cell = frame.cell(20)
                assert cell.left < markers[0].x < cell.right and cell.top < markers[0].y < cell.bottom


def test_chips_on_the_number_carry_the_marker() -> None:
    table = situation(number=20, bets=(bet("1", "20"), bet("1", "21")))
    for _, sheet in drawn(table_view(table)):
        assert ["marked" in token.kind for key in ("20", "21") for token in tokens(sheet, key)] == [True, False]
        assert not [symbol for symbol in sheet.every(Symbol) if symbol.name == "marker"]


def test_in_the_end_winners_show_their_prize_and_losers_are_collected() -> None:
    table = situation(seats=(1, 2), number=20, bets=(bet("1", "20", 2, 500), bet("1", "19-20"), bet("2", "21")))
    drawing = table_view(table, after=settled(table))
    for _, sheet in drawn(drawing):
        assert {(t.worth, t.kind.split()[1]) for t in sheet.every(Token)} == {
            ("+10k", "won"),
            ("+5k", "won"),
            ("500", "lost"),
        }
        assert [label.text for label in sheet.every(Label) if label.kind == "prize"] == ["+15k"]
    assert "lost" not in render_to_string("table/table.html", {"table": table_view(table, after=After())})


def test_chips_that_were_knocked_over_lie_on_their_spot_in_the_end() -> None:
    facts = {"player": "3", "count": 2, "value": 500, "by": "croupier", "certain": "saw_it"}
    book = rulebook("pt-roleta-francesa")
    knocked = {"kind": "chips_knocked", "found": "17-20", "claimed": "17"} | facts
    table = book.situation(seats=[1, 3], minimum=500, number=17, incident=knocked)
    for _, sheet in drawn(table_view(table)):
        (off,) = sheet.every(Token)  # before their player, on no spot
        assert (off.id, off.spot, off.kind) == ("offer:3", "", "token offered")
    for frame, sheet in drawn(table_view(table, after=book.rule(table).after)):
        (chips,) = tokens(sheet, "17-20")
        assert (chips.x, chips.y) == frame.spot("17-20")
        assert (chips.place, chips.count, chips.worth) == ("3", 2, "+17k")


def test_nothing_is_drawn_that_tells_the_answer_before_it_is_given() -> None:
    book = rulebook("pt-roleta-francesa")
    named = book.situation(seats=[1], minimum=500, incident={"kind": "number_named", "number": 17})
    (sheet,) = table_view(named, asking=True).sheets
    assert [label.text for label in sheet.every(Label)] == ["Tapado até responder"]
    asked = book.situation(seats=[1], minimum=500, incident={"kind": "neighbour_asked", "number": 17, "beside": 25})
    for asking, pockets in ((True, 0), (False, 37)):
        for _, sheet in drawn(table_view(asked, asking=asking)):
            assert len([path for path in sheet.every(Path) if path.kind.startswith("pocket")]) == pockets


@pytest.mark.parametrize(
    ("incident", "pocket"),
    [
        ({"kind": "ball_comes_down", "number": 12, "ball": "settled"}, "12"),
        ({"kind": "ball_comes_down", "number": 12, "ball": "rolling"}, None),
        ({"kind": "fell_in", "thing": "chip", "moment": "settled", "over": 12}, "12"),
        ({"kind": "fell_in", "thing": "chip", "moment": "rolling"}, None),
    ],
)
def test_the_ball_is_seen_only_where_it_lies(incident: dict[str, Any], pocket: str | None) -> None:
    table = rulebook("pt-roleta-francesa").situation(seats=[1], minimum=500, previous=5, incident=incident)
    for _, sheet in drawn(table_view(table)):
        assert len([shape for shape in sheet.every(Ellipse) if shape.kind == "ball"]) == (pocket is not None)


def test_a_number_that_is_only_announced_is_not_marked_yet() -> None:
    book = rulebook("pt-roleta-francesa")
    for done, markers in (("announced", 0), ("marked", 1)):
        incident = {"kind": "settling", "done": done}
        bets = [{"player": "1", "chance": "red", "count": 1, "value": 500}]
        table = book.situation(seats=[1], minimum=500, number=20, bets=bets, incident=incident)
        for _, sheet in drawn(table_view(table)):
            assert len([symbol for symbol in sheet.every(Symbol) if symbol.name == "marker"]) == markers


def test_targets_are_there_only_when_asked_for() -> None:
    assert all((sheet.every(Target), sheet.role) == ([], "img") for _, sheet in drawn(table_view(situation())))
    for _, sheet in drawn(table_view(situation(), pointing="spot")):
        targets = sheet.every(Target)
        assert sorted(target.point for target in targets) == sorted(f"spot:{key}" for key in layout.spots())
        assert [target.first for target in targets].count(True) == 1
        assert all(target.name for target in targets)
        assert sheet.role == "group"


def test_everybody_has_a_place_along_the_cloth() -> None:
    for frame, sheet in drawn(table_view(situation(seats=(1, 3, 8), standing=("3a", "3b")))):
        people = sheet.every(Person)
        assert [person.place for person in people] == ["1", "2", "3", "3a", "3b", "4", "5", "6", "7", "8"]
        assert [person.place for person in people if not person.taken] == ["2", "4", "5", "6", "7"]
        along = [person.y if frame.upright else -person.x for person in people]
        assert along == sorted(along)


def test_what_a_step_turned_on_is_lit() -> None:
    table = situation(bets=(bet("4", "17-20"), bet("1", "4")))
    for _, sheet in drawn(table_view(table, lit=["4", "spot:4"])):
        assert [token.place for token in sheet.every(Token) if token.lit] == ["4"]
        assert [group.point for group in sheet.every(Group) if group.lit] == ["spot:4"]
        assert [person.place for person in sheet.every(Person) if person.lit] == ["4"]


@pytest.mark.parametrize(("language", "even", "dozen"), [("pt", "Par", "1.ª dúzia"), ("en", "Even", "1st dozen")])
def test_the_cloth_is_printed_in_the_language_of_the_reader(language: str, even: str, dozen: str) -> None:
    with translation.override(language):
        page = render_to_string("table/table.html", {"table": table_view(situation())})
    assert page.count(f">{even}</text>") == 2
    assert page.count(f">{dozen}</text>") == 2
    assert not re.search(r"<script|\sstyle=|\son\w+=", page)


def test_targets_have_the_names_of_the_trade() -> None:
    with translation.override("pt"):
        for _, sheet in drawn(table_view(situation(), pointing="spot")):
            names = {target.point: target.name for target in sheet.every(Target)}
            assert len(set(names.values())) == len(names) == len(layout.spots())
            assert [names[f"spot:{key}"] for key in ("17", "17-20", "dozens.1-2", "column.3", "low")] == [
                "pleno 17",
                "cavalo 17-20",
                "cavalo da primeira e da segunda dúzias",
                "terceira coluna",
                "menor",
            ]


def test_the_table_in_words() -> None:
    table = situation(
        seats=(1, 4),
        standing=("4a",),
        number=20,
        previous=7,
        bets=(bet("4", "17-20", 3, 500), bet("4", "red", 1, 1_000)),
        colours=(ColourChips("4", "blue", 500),),
    )
    with translation.override("en"):
        before = table_view(table).words
        after = table_view(table, after=settled(table)).words
    assert before == [
        "Wheel in the French order; minimum €500; previous number 7; winning number 20 black.",
        "Seat 1; no bet.",
        "Seat 4; plays with blue chips worth €500; 3 chips of €500 on split 17-20; 1 chip of €1,000 on red.",
        "Standing 4a, behind seat 4; no bet.",
        "Empty seats: 2, 3, 5, 6, 7, 8.",
    ]
    assert after[2].endswith("3 chips of €500 on split 17-20, wins €15,000; 1 chip of €1,000 on red, collected.")
    assert after[-1] == "The marker is on 20."


@pytest.mark.parametrize(
    ("value", "text"),
    [(500, "500"), (1_000, "1k"), (2_500, "2.5k"), (12_345, "12345"), (1_475_000, "1475k"), (2_000_000, "2M")],
)
def test_short_sums_are_exact(value: int, text: str) -> None:
    assert short(value, "en") == text
    assert short(value, "pt") == text.replace(".", ",")


@pytest.mark.parametrize(
    ("incident", "left"),
    [
        (Settling(done="marked"), {"17", "18", "red", "black"}),
        (Settling(done="collected"), {"17", "black"}),
        (Settling(done="spread"), {"17", "black"}),
        (WinnersToPay(), {"17", "black"}),
    ],
)
def test_chips_that_were_collected_have_left_the_cloth(incident: Incident, left: set[str]) -> None:
    bets = (bet("1", "17", 2), bet("1", "18"), bet("3", "red"), bet("3", "black"))
    table = situation(number=17, bets=bets, incident=incident)
    for _frame, sheet in drawn(table_view(table)):
        assert {key for key in ("17", "18", "red", "black") if tokens(sheet, key)} == left
