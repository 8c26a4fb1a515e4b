"""The ponto e banca board: fields, bets, people and cards."""

import itertools
from math import hypot
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from msgspec import structs

from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca import GAME
from rules_engine.ruling import Payment
from tests.practice.test_drawing import every, seats
from training.drawing import Drawing, table_view
from training.drawing.cards import Card, Heap
from training.drawing.chips import Pile
from training.drawing.cloths.ponto_banca.cloth import MIDDLE, MIDDLE_HIGH, MIDDLE_TOP
from training.drawing.geometry import SEAT_RADIUS, STANDING_RADIUS
from training.drawing.people import Person
from training.drawing.primitives import Group
from training.drawing.tokens import Token


def situation(**changes: Any) -> Any:
    facts: dict[str, Any] = {
        "seats": [1, 2, 4, 7],
        "standing": ["2a", "7a"],
        "minimum": 20,
        "bets": [
            {"player": "1", "on": "ponto", "amount": 120},
            {"player": "2", "on": "banker", "amount": 60},
            {"player": "2a", "on": "banker", "amount": 80},
            {"player": "4", "on": "tie", "amount": 20},
            {"player": "7", "on": "tie", "amount": 40},
            {"player": "7", "on": "ponto_pair", "amount": 20},
        ],
        "ponto": ["8h", "4c"],
        "banker_cards": ["5d", "Ks"],
        "next": ["7c", "2d"],
        "incident": {"kind": "first_cards"},
    }
    return GAME.read(facts | changes)


def draw(**changes: Any) -> Drawing:
    return table_view(situation(**changes))


def on(chance: str, drawing: Drawing) -> list[Pile]:
    """The chips on one chance."""
    spots = [group for group in every(Group, drawing) if group.point == f"spot:{chance}"]
    return [part for group in spots for part in group.parts if isinstance(part, Pile)]


def within(chance: str, drawing: Drawing) -> list[Token]:
    """The chips in a field of the middle."""
    spots = [group for group in every(Group, drawing) if group.point == f"spot:{chance}"]
    return [part for group in spots for part in group.parts if isinstance(part, Token)]


def test_seats_run_from_the_croupiers_right_round_to_his_left() -> None:
    found = seats(draw())
    assert [mark.place for mark in found] == list("1234567")
    assert found[0].x > 0 and found[0].y > 0 and found[-1].x == -found[0].x
    for one, following in itertools.pairwise(found):
        assert one.x * following.y - one.y * following.x < 0
    assert [mark.place for mark in found if not mark.taken] == ["3", "5", "6"]


@pytest.mark.parametrize("places", [4, 6, 9, 12])
def test_a_board_is_drawn_with_the_seats_it_is_said_to_have(places: int) -> None:
    incident = {"kind": "table_laid_out", "places": places}
    view = draw(seats=[1, 2], standing=[], bets=[], ponto=[], banker_cards=[], next=[], incident=incident)
    assert len(seats(view)) == places


def test_no_two_marks_touch() -> None:
    full = list(range(1, 10))
    view = draw(seats=full, standing=[f"{seat}a" for seat in full], bets=[])
    marks = [(mark, SEAT_RADIUS if mark.seated else STANDING_RADIUS) for mark in every(Person, view)]
    for (one, r1), (other, r2) in itertools.combinations(marks, 2):
        assert hypot(one.x - other.x, one.y - other.y) >= r1 + r2, (one.place, other.place)


@pytest.mark.parametrize("standing", [[], ["4a", "4b", "4c"], ["1a", "7a"]])
def test_everybody_is_inside_the_window(standing: list[str]) -> None:
    view = draw(standing=standing, bets=[])
    left, top, width, height = map(int, view.sheets[0].view_box.split())
    for mark in every(Person, view):
        assert left + SEAT_RADIUS <= mark.x <= left + width - SEAT_RADIUS
        assert top + SEAT_RADIUS <= mark.y <= top + height - SEAT_RADIUS


def test_ponto_is_bet_on_before_the_seat_and_the_bank_further_in() -> None:
    view = draw(bets=[{"player": "4", "on": chance, "amount": 100} for chance in ("ponto", "banker")])
    (outer,), (inner,) = on("ponto", view), on("banker", view)
    assert outer.stack.x == inner.stack.x == 0
    assert seats(view)[3].y < outer.stack.y < inner.stack.y < 0


def test_chips_of_the_standing_lie_in_the_gap_and_name_their_owner() -> None:
    seated, standing = on("banker", draw())
    assert (seated.owner, standing.owner) == ("", "2a")
    angle = {pile.place: pile.stack.x / pile.stack.y for pile in (seated, standing)}
    assert angle["2"] != angle["2a"]


def test_the_tie_and_the_pairs_are_bet_on_in_their_own_fields() -> None:
    view = draw()
    for chance, (left, wide) in MIDDLE.items():
        for token in within(chance, view):
            assert left < token.x < left + wide and MIDDLE_TOP < token.y < MIDDLE_TOP + MIDDLE_HIGH
    ties = within("tie", view)
    assert [len(within(chance, view)) for chance in MIDDLE] == [1, 2, 0]
    assert [token.place for token in ties] == ["4", "7"]
    assert ties[0].x < ties[1].x


def test_bets_of_one_player_on_one_chance_are_one_pile() -> None:
    view = draw(bets=[{"player": "4", "on": "ponto", "amount": amount} for amount in (100, 20)])
    assert [(pile.place, pile.total) for pile in every(Pile, view)] == [("4", "120")]


def test_fields_are_printed_in_the_language_of_the_reader() -> None:
    with translation.override("pt"):
        page = render_to_string("table/table.html", {"table": draw()})
    assert page.count(">Ponto</text>") >= 2
    assert page.count(">Banca</text>") >= 2
    for name in (">Empate</text>", ">Par ponto</text>", ">Par banca</text>"):
        assert page.count(name) == 1


def test_nothing_but_the_cards_moves_when_the_ruling_is_shown() -> None:
    before, later = draw(), table_view(situation(), after=lying(ponto=("8h", "4c", "7c"), banker=("5d", "Ks", "2d")))
    assert [heap.name for heap in every(Heap, later)] == ["ponto", "banker"]
    (was,), (now,) = before.sheets, later.sheets
    assert now.view_box == was.view_box
    for layer in ("cloth", "people", "chips"):
        assert now.layers[layer] == was.layers[layer]


def test_bets_are_collected_and_paid_where_they_lie() -> None:
    payments = (Payment("1", "house", 120), Payment("house", "2", 57), Payment("7", "house", 40))
    after = structs.replace(lying(ponto=("8h", "4c"), banker=("5d", "Ks")), payments=payments)
    view = table_view(situation(), after=after)
    assert [pile.total for pile in on("ponto", view)] == ["\N{MINUS SIGN}120"]
    assert [pile.total for pile in on("banker", view)] == ["+57", "80"]
    assert [token.kind for token in within("tie", view)] == ["token", "token lost"]
    with translation.override("en"):
        words = table_view(situation(), after=after).words
    assert "Seat 2; €60 on the bank, wins €57." in words and "Seat 1; €120 on ponto, €120 collected." in words


def test_many_cards_of_the_shoe_are_laid_in_two_rows_that_can_be_read() -> None:
    cards = [f"{rank}{suit}" for suit in "sh" for rank in "A234567"]
    view = draw(bets=[], ponto=[], banker_cards=[], next=cards, incident={"kind": "cut_made"})
    (heap,), found = every(Heap, view), every(Card, view)
    assert len(heap.cards) == len(found) == 14
    rows = [[card.x for card in found if card.y == y] for y in sorted({card.y for card in found})]
    assert [len(row) for row in rows] == [7, 7]
    assert min(b - a for row in rows for a, b in itertools.pairwise(row)) >= 22


def test_the_board_in_words() -> None:
    with translation.override("en"):
        said = draw(max_gap=4_000).words
    assert said == [
        "Single table; minimum €20; largest difference between ponto and bank €4,000.",
        "Seat 1; €120 on ponto.",
        "Seat 2; €60 on the bank.",
        "Standing 2a, beside seat 2; €80 on the bank.",
        "Seat 4; €20 on the tie.",
        "Seat 7; €40 on the tie; €20 on the ponto's pair.",
        "Standing 7a, beside seat 7; no bet.",
        "Empty seats: 3, 5, 6.",
        "Ponto's cards: 8 of hearts, 4 of clubs.",
        "The bank's cards: 5 of diamonds, king of spades.",
        "Next in the shoe: 7 of clubs, 2 of diamonds.",
    ]


def test_cards_swept_away_lie_among_the_used_ones() -> None:
    hands = {"ponto": ["7s", "Kd", "2h"], "banker_cards": ["6c", "Kh"]}
    hidden = ["ponto.1", "ponto.2", "ponto.3", "banker.1", "banker.2"]
    drawing = draw(**hands, hidden=hidden, incident={"kind": "third_card_slip", "swept": True})
    assert {heap.name: len(heap.cards) for heap in every(Heap, drawing)} == {
        "ponto": 0,
        "banker": 0,
        "used": 5,
        "next": 2,
    }


@pytest.mark.parametrize("boards", [[5, 5], [8, 7]])
def test_a_board_has_the_seats_that_were_counted_on_it(boards: list[int]) -> None:
    checked = {"kind": "table_checked", "boards": boards}
    nobody: dict[str, Any] = {"standing": [], "bets": [], "ponto": [], "banker_cards": [], "next": []}
    drawing = draw(seats=[1, 2], table="double", incident=checked, **nobody)
    assert len(every(Person, drawing)) == boards[0]
