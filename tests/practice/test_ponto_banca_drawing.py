"""The ponto e banca board: bands, bets, people and cards, on both sheets."""

import itertools
from math import atan2, degrees, hypot
from typing import Any

import pytest
from django.utils import translation
from msgspec import structs

from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca import GAME
from rules_engine.ruling import Payment
from training.drawing import Drawing, table_view
from training.drawing.cards import Card, Heap
from training.drawing.cloths.ponto_banca.layout import LYING, LYING_PAIRS, UPRIGHT, UPRIGHT_PAIRS, Frame, Seats
from training.drawing.drawing import Sheet
from training.drawing.people import Person
from training.drawing.primitives import Group, Label, Path
from training.drawing.tokens import Token

BOTH = pytest.mark.parametrize("sheet", [0, 1], ids=["upright", "lying"])


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


def seats(sheet: Sheet) -> list[Person]:
    return [person for person in sheet.every(Person) if person.seated]


def on(chance: str, sheet: Sheet) -> list[Token]:
    """The chips on one chance."""
    spots = [group for group in sheet.every(Group) if group.point == f"spot:{chance}"]
    return [part for group in spots for part in group.parts if isinstance(part, Token)]


def out(frame: Frame, token: Token) -> float:
    """How far out chips lie, as a part of the moon."""
    moon = frame.moon
    return hypot((token.x - moon.middle.x) / moon.rx, (token.y - moon.middle.y) / moon.ry)


def angle(frame: Frame, token: Token) -> float:
    """Where chips lie round the moon, in degrees clockwise from straight up."""
    moon = frame.moon
    return degrees(atan2((token.x - moon.middle.x) / moon.rx, (moon.middle.y - token.y) / moon.ry))


def printed(sheet: Sheet) -> list[str]:
    return [label.text for label in sheet.every(Label) if label.kind.startswith("field-print")]


@BOTH
def test_seats_run_from_the_dealers_right_round_to_his_left(sheet: int) -> None:
    found = seats(draw().sheets[sheet])
    assert [mark.place for mark in found] == list("1234567")
    assert found[0].x > 0 and found[-1].x == -found[0].x and found[3].x == 0
    assert all(following.x < one.x for one, following in itertools.pairwise(found))
    assert [mark.place for mark in found if not mark.taken] == ["3", "5", "6"]


@pytest.mark.parametrize("places", [4, 6, 9, 12])
def test_a_board_is_drawn_with_the_seats_it_is_said_to_have(places: int) -> None:
    incident = {"kind": "table_laid_out", "places": places}
    view = draw(seats=[1, 2], standing=[], bets=[], ponto=[], banker_cards=[], next=[], incident=incident)
    assert [len(seats(sheet)) for sheet in view.sheets] == [places, places]


@BOTH
def test_no_two_marks_touch(sheet: int) -> None:
    full = list(range(1, 10))
    view = draw(seats=full, standing=[f"{seat}a" for seat in full], bets=[])
    for one, other in itertools.combinations(view.sheets[sheet].every(Person), 2):
        assert hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius - 1, (one.place, other.place)


@BOTH
@pytest.mark.parametrize("standing", [[], ["4a", "4b", "4c"], ["1a", "7a"]])
def test_everybody_is_inside_the_window(standing: list[str], sheet: int) -> None:
    drawn = draw(standing=standing, bets=[]).sheets[sheet]
    for mark in drawn.every(Person):
        assert drawn.window.left + mark.radius <= mark.x <= drawn.window.right - mark.radius
        assert drawn.window.top + mark.radius <= mark.y <= drawn.window.bottom - mark.radius


@pytest.mark.parametrize(("sheet", "frame"), [(0, UPRIGHT), (1, LYING)])
def test_ponto_is_bet_on_before_the_seat_the_bank_further_in_and_the_tie_innermost(sheet: int, frame: Frame) -> None:
    chances = ("ponto", "banker", "tie")
    for seat in range(1, 8):
        bets = [{"player": str(seat), "on": chance, "amount": 100} for chance in chances]
        view = draw(seats=[1, 2, 3, 4, 5, 6, 7], standing=[], bets=bets).sheets[sheet]
        for chance in chances:
            (token,), (outer, inner) = on(chance, view), frame.band(chance)
            assert inner < out(frame, token) < outer
            middle, half = Seats(frame, 7).angle(seat), Seats(frame, 7).step / 2
            assert abs(angle(frame, token) - middle) < half


@BOTH
def test_chips_of_the_standing_lie_in_the_cell_of_their_seat_and_name_their_owner(sheet: int) -> None:
    seated, standing = on("banker", draw().sheets[sheet])
    assert (seated.place, standing.place) == ("2", "2a")
    assert not seated.own and not standing.own  # both say whose they are
    assert hypot(seated.x - standing.x, seated.y - standing.y) >= 20
    alone = on("ponto", draw().sheets[sheet])[0]
    assert alone.own and "badge" not in alone.svg()


def test_pairs_are_printed_only_where_the_rulebook_has_them() -> None:
    plain = [{"player": "1", "on": "ponto", "amount": 120}]
    for book, pairs in (("pt-ponto-banca-1995", 0), ("pt-ponto-banca-macau", 2)):
        for sheet in table_view(situation(bets=plain), rulebook=book).sheets:
            bands = [part.kind for part in sheet.every(Path) if part.kind.startswith("band-fill")]
            assert sum("pair" in kind for kind in bands) == pairs
            assert len(bands) == 3 + pairs


@pytest.mark.parametrize(("sheet", "frame"), [(0, UPRIGHT_PAIRS), (1, LYING_PAIRS)])
def test_each_pair_has_its_half_of_the_innermost_band(sheet: int, frame: Frame) -> None:
    bets = [
        {"player": str(seat), "on": f"{side}_pair", "amount": 20} for seat in (1, 2, 4) for side in ("ponto", "banker")
    ]
    view = draw(bets=bets).sheets[sheet]
    for chance, side in (("ponto_pair", -1), ("banker_pair", 1)):
        outer, inner = frame.band(chance)
        found = on(chance, view)
        assert [token.place for token in found] == ["1", "2", "4"]
        assert all(token.x * side > 0 and inner < out(frame, token) < outer for token in found)
        assert not any(token.own for token in found)


def test_the_cloth_says_what_the_rulebook_pays() -> None:
    with translation.override("pt"):
        first = table_view(situation(bets=[]), rulebook="pt-ponto-banca-1995").sheets[1]
        later = table_view(situation(bets=[]), rulebook="pt-ponto-banca-macau").sheets[1]
    texts = [
        [label.text.replace("\N{NO-BREAK SPACE}", " ") for label in sheet.every(Label)] for sheet in (first, later)
    ]
    assert {"Empate 9–1", "Ponto 1–1 · Banca 1–1 menos 5 %"} <= set(texts[0])
    assert {"Empate 8–1", "Pares 11–1"} <= set(texts[1])


def test_bets_of_one_player_on_one_chance_are_one_pile() -> None:
    view = draw(bets=[{"player": "4", "on": "ponto", "amount": amount} for amount in (100, 20)])
    for sheet in view.sheets:
        assert [(token.place, token.worth, token.amount) for token in sheet.every(Token)] == [("4", "120", 120)]


@BOTH
def test_fields_are_printed_in_the_language_of_the_reader(sheet: int) -> None:
    with translation.override("pt"):
        texts = printed(draw().sheets[sheet])
    assert min(texts.count(name) for name in ("Ponto", "Banca")) >= 4
    assert texts.count("Par ponto") == texts.count("Par banca") == 1


def test_nothing_but_the_cards_moves_when_the_ruling_is_shown() -> None:
    before, later = draw(), table_view(situation(), after=lying(ponto=("8h", "4c", "7c"), banker=("5d", "Ks", "2d")))
    for was, now in zip(before.sheets, later.sheets, strict=True):
        assert [heap.name for heap in now.every(Heap)] == ["ponto", "banker"]
        assert now.view_box == was.view_box
        for layer in ("cloth", "people", "chips"):
            assert now.layers[layer] == was.layers[layer]


def test_bets_are_collected_and_paid_where_they_lie() -> None:
    payments = (Payment("1", "house", 120), Payment("house", "2", 57), Payment("7", "house", 40))
    after = structs.replace(lying(ponto=("8h", "4c"), banker=("5d", "Ks")), payments=payments)
    for sheet in table_view(situation(), after=after).sheets:
        assert [token.worth for token in on("ponto", sheet)] == ["\N{MINUS SIGN}120"]
        assert [token.worth for token in on("banker", sheet)] == ["+57", "80"]
        assert [token.kind for token in on("tie", sheet)] == ["token", "token lost"]
        assert [part.kind for part in sheet.every(Path) if "won" in part.kind] == ["band-fill banker won", "field-won"]
    with translation.override("en"):
        words = table_view(situation(), after=after).words
    assert "Seat 2; €60 on the bank, wins €57." in words and "Seat 1; €120 on ponto, €120 collected." in words


def test_many_cards_of_the_shoe_are_laid_in_two_rows_that_can_be_read() -> None:
    cards = [f"{rank}{suit}" for suit in "sh" for rank in "A234567"]
    view = draw(bets=[], ponto=[], banker_cards=[], next=cards, incident={"kind": "cut_made"})
    for sheet in view.sheets:
        (heap,), found = sheet.every(Heap), sheet.every(Card)
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
    for sheet in drawing.sheets:
        heaps = {heap.name: len(heap.cards) for heap in sheet.every(Heap)}
        assert heaps == {"ponto": 0, "banker": 0, "used": 5, "next": 2}


@pytest.mark.parametrize("boards", [[5, 5], [8, 7]])
def test_a_board_has_the_seats_that_were_counted_on_it(boards: list[int]) -> None:
    checked = {"kind": "table_checked", "boards": boards}
    nobody: dict[str, Any] = {"standing": [], "bets": [], "ponto": [], "banker_cards": [], "next": []}
    drawing = draw(seats=[1, 2], table="double", incident=checked, **nobody)
    assert [len(seats(sheet)) for sheet in drawing.sheets] == [boards[0]] * 2
