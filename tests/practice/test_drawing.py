"""The drawn table: who sits where, what lies where, and what must never be in it."""

import itertools
import re
from math import hypot
from typing import Any, TypeVar

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from msgspec import structs

from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.narration import CallLine
from rules_engine.ruling import After, Payment
from rules_engine.scenario import generate
from training.drawing import Drawing, Said, table_after, table_view
from training.drawing.cards import CARD_WIDE, Card, Heap
from training.drawing.chip_designs import COLOURS, VALUES
from training.drawing.chips import HIGHEST, USUAL, Pile, stack
from training.drawing.cloths.chemin_de_fer.cloth import CLOTH, LINE
from training.drawing.geometry import SEAT_RADIUS, STANDING_RADIUS
from training.drawing.people import Bubble, Person
from training.drawing.primitives import Symbol
from training.drawing.tokens import short

BOOK = "pt-chemin-de-fer"
P = TypeVar("P")


def situation(**changes: Any) -> Situation:
    facts: dict[str, Any] = {
        "seats": [1, 2, 4, 5, 9],
        "standing": ["4a", "9a"],
        "banker": "2",
        "bank": 1650,
        "holder": "4a",
        "claim": "stake",
        "stakes": [{"player": "4a", "amount": 800}, {"player": "9", "amount": 90}],
        "calls": [{"by": "ponto", "says": "card"}],
        "ponto": ["8h", "4c", "Td"],
        "banker_cards": ["5d", "Ks"],
        "next": ["7c"],
        "incident": {"kind": "banker_to_decide", "wish": "draw"},
    }
    return GAME.read(facts | changes)


def draw(**changes: Any) -> Drawing:
    return table_view(situation(**changes))


def every(kind: type[P], drawing: Drawing) -> list[P]:
    """All parts of one kind on the only sheet of this game."""
    (sheet,) = drawing.sheets
    return sheet.every(kind)


def seats(drawing: Drawing) -> list[Person]:
    return [person for person in every(Person, drawing) if person.seated]


def standing(drawing: Drawing) -> list[Person]:
    return [person for person in every(Person, drawing) if not person.seated]


def stakes(drawing: Drawing) -> list[Pile]:
    return [pile for pile in every(Pile, drawing) if pile.place != "bank"]


def bank(drawing: Drawing) -> list[Pile]:
    return [pile for pile in every(Pile, drawing) if pile.place == "bank"]


def cards(heap: Heap) -> list[Card]:
    return [card for card in heap.cards if isinstance(card, Card)]


def html(table: Drawing) -> str:
    return render_to_string("table/table.html", {"table": table})


def test_seat_1_is_bottom_right_and_seat_9_bottom_left() -> None:
    found = {mark.place: mark for mark in seats(draw())}
    assert found["1"].x > 0 and found["1"].y > 0
    assert found["9"].x < 0 and found["9"].y > 0
    assert (found["5"].x, found["5"].y) == (0, -CLOTH[1])


def test_numbers_run_counter_clockwise() -> None:
    found = seats(draw())
    assert [mark.place for mark in found] == [str(number) for number in range(1, 10)]
    for one, following in itertools.pairwise(found):
        # y grows downwards: a negative cross product is a turn to the left, counter-clockwise on the screen.
        assert one.x * following.y - one.y * following.x < 0


@pytest.mark.parametrize("seat", range(1, 10))
def test_who_stands_is_behind_the_seat_and_to_its_right(seat: int) -> None:
    view = draw(seats=list(range(1, 10)), standing=[f"{seat}a", f"{seat}b"], holder=None, stakes=[])
    mark = seats(view)[seat - 1]
    first, second = standing(view)
    for person in (first, second):
        assert hypot(person.x / CLOTH[0], person.y / CLOTH[1]) > 1.1
        assert mark.x * person.y - mark.y * person.x < 0  # further round towards the next higher number
    assert first.x * second.y - first.y * second.x < 0


def test_no_two_marks_touch() -> None:
    everybody = [f"{seat}{letter}" for seat in range(1, 10) for letter in "abc"]
    view = draw(seats=list(range(1, 10)), standing=everybody, holder=None, stakes=[])
    marks = [(mark, SEAT_RADIUS if mark.seated else STANDING_RADIUS) for mark in every(Person, view)]
    for (one, r1), (other, r2) in itertools.combinations(marks, 2):
        assert hypot(one.x - other.x, one.y - other.y) >= r1 + r2, (one.place, other.place)


@pytest.mark.parametrize("behind", [[], ["9a", "9b", "9c"], [f"5{letter}" for letter in "abcdefghi"]])
def test_everything_is_inside_the_window(behind: list[str]) -> None:
    view = draw(seats=[2, 5, 9], standing=behind, holder=None, stakes=[])
    left, top, width, height = map(int, view.sheets[0].view_box.split())
    for mark in every(Person, view):
        assert left + SEAT_RADIUS <= mark.x <= left + width - SEAT_RADIUS
        assert top + STANDING_RADIUS <= mark.y <= top + height - STANDING_RADIUS


def test_roles_are_marked() -> None:
    view = draw()
    assert [mark.place for mark in every(Person, view) if mark.ring] == ["2"]
    assert [mark.place for mark in every(Person, view) if mark.cards] == ["4a"]
    assert [mark.place for mark in every(Person, view) if not mark.taken] == ["3", "6", "7", "8"]


def test_chips_of_the_standing_name_their_owner() -> None:
    assert {pile.place: pile.owner for pile in stakes(draw())} == {"9": "", "4a": "4a"}


def test_stake_on_the_line_lies_on_it() -> None:
    inside, line = (stakes(draw(stakes=[{"player": "5", "amount": 100, "line": on}]))[0] for on in (False, True))
    assert line.stack.y < inside.stack.y < 0
    assert line.stack.y == -round(CLOTH[1] * LINE)


def test_hands_lie_apart_in_order() -> None:
    ponto, banker, following = map(cards, every(Heap, draw()))
    assert [card.rank + card.suit for card in ponto] == ["8h", "4c", "10d"]
    assert [card.x for card in ponto] == sorted(card.x for card in ponto)
    assert [(card.ref, card.rank) for card in following] == [("next.1", "7")]
    assert max(card.x for card in ponto) + CARD_WIDE < 0 < min(card.x for card in banker)


def test_a_card_face_down_never_leaves_the_server() -> None:
    with translation.override("en"):
        view = draw(hidden=["banker.2", "ponto.1"])
        page = html(view)
    assert [card.ref for card in every(Card, view) if card.hidden] == ["ponto.1", "banker.2"]
    assert page.count('href="#card-back"') == 2
    drawn = re.findall(r'data-point="card:([a-z.0-9]+)"', page)
    assert drawn == ["ponto.1", "ponto.2", "ponto.3", "banker.1", "banker.2", "next.1"]
    told = str(view) + page
    assert "4 of clubs" in told
    for secret in ("king of spades", "rank='K'", "8 of hearts", "rank='8'"):
        assert secret not in told


def test_after_the_ruling_the_cards_lie_where_it_puts_them() -> None:
    after = lying(ponto=("8h", "4c"), banker=("5d", "Ks"), burned=("Td",), next_coup=("7c",))
    view = table_view(situation(), after=after)
    assert {heap.name: [card.rank for card in cards(heap)] for heap in every(Heap, view)} == {
        "ponto": ["8", "4"],
        "banker": ["5", "K"],
        "burned": ["10"],
        "next_coup": ["7"],
    }
    burned, kept = every(Heap, view)[2:]
    assert burned.cards[0].x + CARD_WIDE < 0 < kept.cards[0].x


def test_what_the_ruling_does_not_move_stays_where_it_is() -> None:
    before = draw()
    later = table_view(situation(), after=lying(ponto=("8h", "4c", "Td"), banker=("5d", "Ks", "7c")))
    (was,), (now,) = before.sheets, later.sheets
    assert now.view_box == was.view_box
    assert [now.layers[name] for name in ("cloth", "people", "chips", "labels")] == [
        was.layers[name] for name in ("cloth", "people", "chips", "labels")
    ]
    assert every(Symbol, later) == every(Symbol, before)


def test_chips_are_collected_and_paid_where_they_lie() -> None:
    hands = lying(ponto=("8h", "4c"), banker=("5d", "Ks"))
    payments = (Payment("bank", "4a", 800), Payment("9", "bank", 90))
    before, later = draw(), table_view(situation(), after=structs.replace(hands, payments=payments))
    was, now = ({pile.place: pile for pile in every(Pile, view)} for view in (before, later))
    assert {place: (pile.total, pile.kind) for place, pile in now.items() if place != "bank"} == {
        "9": ("\N{MINUS SIGN}90", "pile lost"),
        "4a": ("+800", "pile won"),
    }
    assert {place: (pile.stack.x, pile.stack.y) for place, pile in now.items() if place != "bank"} == {
        place: (pile.stack.x, pile.stack.y) for place, pile in was.items() if place != "bank"
    }
    assert (was["bank"].amount, now["bank"].amount) == (1_650, 1_650 - 800 + 90)
    assert later.payments == '[["bank", "4a", 800, ""], ["9", "bank", 90, ""]]'
    with translation.override("en"):
        words = table_view(situation(), after=structs.replace(hands, payments=payments)).words
    assert "Seat 9; staked €90, €90 collected." in words


def test_a_card_is_the_same_in_both_pictures() -> None:
    after = lying(ponto=("8h", "4c"), banker=("5d", "Ks", "7c"), burned=("Td",))
    ids = {card.ref: card.was for card in every(Card, table_view(situation(), after=after))}
    assert ids["burned.1"] == "ponto.3" and ids["banker.3"] == "next.1" and ids["ponto.1"] == "ponto.1"


@pytest.mark.parametrize(("decided", "banker", "bank"), [
    ({"bank_to": "9", "bank_amount": 300}, "9", 300),
    ({"bank_to": "nobody"}, "", 0),
    ({"bank_to": "9", "hand_next": "level"}, "9", 1_650),
    ({"bank_to": "9", "hand_next": "resumed"}, "9", 1_650),
    ({"next_bank": 2_360}, "2", 2_360),
])  # fmt: skip
def test_the_bank_is_passed_on(decided: dict[str, Any], banker: str, bank: int) -> None:
    view = table_view(situation(), after=After(), decided=decided)
    assert [mark.place for mark in every(Person, view) if mark.ring] == ([banker] if banker else [])
    assert [pile.amount for pile in every(Pile, view) if pile.place == "bank"] == ([bank] if bank else [])


def test_an_auction_has_an_end_to_be_seen() -> None:
    scenario = generate(BOOK, "auction", 1, 3)
    ends = [
        table_after(found.situation, found.solve()) for found in (generate(BOOK, "auction", n, 3) for n in range(12))
    ]
    assert any(ends) and scenario.solve().after is None


def test_disputed_chips_lie_on_the_table() -> None:
    put = {"kind": "stake_put", "player": "5", "amount": 120, "money": "chips", "spot": "own_place", "moment": "open"}
    view = draw(incident=put, ponto=[], banker_cards=[], next=[], calls=[], holder=None, claim=None, unit=10)
    (offered,) = (pile for pile in every(Pile, view) if pile.kind == "pile offered")
    assert (offered.place, offered.amount, offered.id) == ("5", 120, "offer:5")
    assert view.focus == ["offer:5"]
    refused = table_view(view.scene.situation, after=After(), decided={"allowed": "refused"})
    assert [pile.kind for pile in every(Pile, refused) if pile.id == "offer:5"] == ["pile lost"]


def test_who_spoke_has_a_balloon_at_the_place() -> None:
    said = [Said(1, "9", "Bancô."), Said(2, "4a", "Carta."), Said(3, "nobody", "Não.")]
    balloons = every(Bubble, table_view(situation(), said=said))
    assert {(balloon.by, balloon.text, balloon.number) for balloon in balloons} <= {
        ("9", "Bancô", 1),
        ("4a", "Carta", 2),
    }
    assert balloons


def test_what_a_step_turned_on_is_lit() -> None:
    view = table_view(situation(), lit=["ponto.3", "2"])
    assert [card.ref for card in every(Card, view) if card.lit] == ["ponto.3"]
    assert [mark.place for mark in every(Person, view) if mark.lit] == ["2"]


def test_the_table_in_words() -> None:
    with translation.override("en"):
        said = draw(hidden=["banker.2"], garage=200, wins=1).words
    assert said == [
        "Bank: €1,650; in the garage €200; 1 coup won by this banker.",
        "Seat 1; no stake.",
        "Seat 2; holds the bank and the shoe.",
        "Seat 4; no stake.",
        "Standing 4a, behind and to the right of seat 4; holds the ponto's cards; staked €800.",
        "Seat 5; no stake.",
        "Seat 9; staked €90.",
        "Standing 9a, behind and to the right of seat 9; no stake.",
        "Empty seats: 3, 6, 7, 8.",
        "Ponto's cards: 8 of hearts, 4 of clubs, 10 of diamonds.",
        "Banker's cards: 5 of diamonds, one face down.",
        "Next in the shoe: 7 of clubs.",
    ]


@pytest.mark.parametrize("language", ["pt", "en"])
def test_page_has_whole_coordinates_in_every_language(language: str) -> None:
    with translation.override(language):
        page = html(draw(bank=16_650, garage=2_000))
    numbers = re.findall(r' (?:x|y|width|height|rx|ry|r)="([^"]*)"', page)
    assert numbers
    assert [number for number in numbers if not re.fullmatch(r"-?\d+(\.\d+)?", number)] == []
    assert re.findall(r"translate\((?!-?\d+ -?\d+\))", page) == []


@pytest.mark.parametrize("seed", range(40))
def test_generated_tables_draw_everybody_once(seed: int) -> None:
    facts = generate(BOOK, "third_card", seed, 5).situation
    view = table_view(facts)
    page = html(view)
    places = re.findall(r'data-point="place:(\w+)"', page)
    assert sorted(places) == sorted([*map(str, range(1, 10)), *facts.standing])
    assert sorted(re.findall(r'data-point="stake:(\w+)"', page)) == sorted(["bank", *(s.player for s in facts.stakes)])


@pytest.mark.parametrize("amount", [0, 1, 5, 49, 50, 90, 260, 1_650, 16_650, 320_000, 9_999_999])
def test_chips_make_the_amount(amount: int) -> None:
    assert sum(value * count for value, count in USUAL.stacks(amount)) == amount


def test_a_stack_has_the_largest_chips_below_and_shows_the_value_on_top() -> None:
    assert stack(660, 0, 0).values == (500, 100, 50, 10)
    assert stack(660, 0, 0).svg().count("<text") == 1 and ">10</text>" in stack(660, 0, 0).svg()
    assert stack(40, 0, 0).values == (10, 10, 10, 10)
    assert all(len(stack(amount, 0, 0).values) <= HIGHEST for amount in (9_999_999, 166_666, 4_444))


def test_chips_can_be_told_apart_without_colour() -> None:
    """Neighbouring values have different spots and prints, colours of players have different signs."""
    for one, other in itertools.pairwise(VALUES.values()):
        assert (one.groups, one.spots) != (other.groups, other.spots)
        assert abs(lightness(one.base) - lightness(other.base)) > 0.02
    assert len({short(value, "en") for value in VALUES}) == len(VALUES)
    assert len({colour.sign for colour in COLOURS.values()}) == len(COLOURS)


def lightness(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_bank_is_named_in_the_language_of_the_reader() -> None:
    with translation.override("pt"):
        page = html(draw())
    assert ">Banca</text>" in page and ">1\N{NO-BREAK SPACE}650\N{NO-BREAK SPACE}€</text>" in page


def bare(incident: dict[str, Any], **changes: Any) -> Drawing:
    """A table with nobody's cards or stakes on it."""
    empty: dict[str, Any] = {"holder": None, "claim": None, "stakes": [], "calls": []}
    cards: dict[str, Any] = {"ponto": [], "banker_cards": [], "next": []}
    return draw(**empty | cards | {"incident": incident} | changes)


def test_a_table_without_cards_shows_no_places_for_them() -> None:
    view = bare({"kind": "another_coup", "warning_card": "inside"}, bank=0)
    page = html(view)
    assert every(Heap, view) == []
    assert bank(view) == []
    assert "heap-place" not in page and "Bank 0" not in page
    with translation.override("en"):
        assert not [
            line for line in bare({"kind": "another_coup", "warning_card": "next"}, bank=0).words if "€" in line
        ]


@pytest.mark.parametrize(("where", "shown"), [("inside", 0), ("next", 1), ("out", 1)])
def test_the_warning_card_lies_on_the_cloth_once_it_is_out(where: str, shown: int) -> None:
    view = bare({"kind": "another_coup", "warning_card": where})
    assert html(view).count('href="#warning-card"') == shown
    with translation.override("en"):
        words = bare({"kind": "another_coup", "warning_card": where}).words
    assert ("The warning card is out of the shoe." in words) == bool(shown)


def test_a_card_on_the_floor_is_not_in_the_hand() -> None:
    incident = {"kind": "card_on_floor", "card": "ponto.1", "by": "ponto", "picker": "croupier"}
    with translation.override("en"):
        view = draw(ponto=["8h", "4c"], calls=[], next=[], incident=incident)
    assert {heap.name: [card.ref for card in cards(heap)] for heap in every(Heap, view)} == {
        "ponto": ["ponto.2"],
        "banker": ["banker.1", "banker.2"],
        "floor": ["ponto.1"],
    }
    assert "On the floor: 8 of hearts." in view.words


@pytest.mark.parametrize(("out", "heap"), [("partly", "mouth"), ("fully", "loose")])
def test_a_card_partly_in_the_shoe_is_drawn_there(out: str, heap: str) -> None:
    incident = {"kind": "card_detached", "out": out}
    dealt = {"ponto": ["8h", "8c"], "calls": [], "by_table": ["banker"], "loose": ["3s"], "hidden": ["loose.1"]}
    view = draw(**dealt, incident=incident)
    heaps = {found.name: [card.ref for card in cards(found)] for found in every(Heap, view)}
    assert heaps[heap] == ["loose.1"] and len({"mouth", "loose"} & set(heaps)) == 1
    assert any(said.startswith("Só em parte fora do sabot") for said in view.words) == (out == "partly")


def test_mixed_cards_that_nobody_saw_lie_face_down() -> None:
    for seed in range(40):
        scenario = generate("it-sanremo-chemin-de-fer", "croupier_faults", seed, 1, article="134")
        view = table_view(scenario.situation)
        assert [card.rank for heap in every(Heap, view) for card in cards(heap) if heap.name == "loose"] == [""] * 4


def test_cards_in_the_basket_are_not_in_the_hand() -> None:
    incident = {"kind": "cards_binned", "by": "banker", "stage": "unseen", "cards": ["banker.1", "banker.2"]}
    with translation.override("en"):
        view = draw(incident=incident)
    heaps = {heap.name: [card.ref for card in cards(heap)] for heap in every(Heap, view)}
    assert heaps["banker"] == []
    assert heaps["basket"] == ["banker.1", "banker.2"]
    assert "In the discard box: 5 of diamonds, king of spades." in view.words


def test_the_bank_is_lit_when_a_step_turned_on_it() -> None:
    view = table_view(situation(), lit=["bank"])
    assert [pile.lit for pile in bank(view)] == [True]


def test_nobody_has_the_hand_before_the_first_shoe_is_in_play() -> None:
    with translation.override("en"):
        before = bare({"kind": "game_to_start"}, bank=0)
        after = bare({"kind": "players_leave", "leaving": ["4"]})
    assert [person.place for person in every(Person, before) if person.ring] == []
    assert "Seat 2; no stake." in before.words
    assert [person.place for person in every(Person, after) if person.ring] == ["2"]


def test_against_a_ponto_with_his_cards_the_banker_has_two_face_down() -> None:
    speaking = {"kind": "ponto_to_speak", "wish": "draw"}
    with translation.override("en"):
        view = draw(ponto=["8h", "4c"], banker_cards=[], next=[], calls=[], incident=speaking)
    assert "Banker's cards: 2 face down." in view.words
    assert [card.ref for card in every(Card, view)] == ["ponto.1", "ponto.2"]
    assert html(view).count('href="#card-back"') == 2


def test_who_has_no_cards_yet_only_plays_them() -> None:
    novice = {"kind": "new_to_the_rules", "who": "banker", "answer": "ignorant"}
    with translation.override("en"):
        said = draw(ponto=[], banker_cards=[], next=[], calls=[], incident=novice).words
    assert "Standing 4a, behind and to the right of seat 4; plays the ponto's cards; staked €800." in said


@pytest.mark.parametrize("page", ["practice/log.html", "library/told.html"])
def test_what_was_done_is_not_quoted_like_what_was_said(page: str) -> None:
    calls = [CallLine("O lugar 4", "Bancô.", ""), CallLine("O banqueiro", "(vira as cartas)", "")]
    shown = render_to_string(page, {"story": {"calls": calls}, "told": {"calls": calls}})
    assert "«Bancô.»" in shown
    assert ">(vira as cartas)<" in shown
