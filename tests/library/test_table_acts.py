"""Acts on the drawn table, as the facts that come of them; and menus whose every offer the facts can bear."""

import itertools

import pytest
from django.utils import translation

import rules_engine
from rules_engine import Rulebook
from training.drawing import table_view
from training.library import editor, editor_forms, editor_starts, table_menus, table_offers
from training.library.editor_controls import Sheet
from training.library.editor_fields import Scalar, Tokens, table_fields
from training.library.table_acts import Table, done
from training.library.table_offers import TYPED
from training.library.table_people import names_people
from training.library.table_rows import money_list, on_spot, rows_with, with_row

# What is ruled asks for the readings of the house.
pytestmark = pytest.mark.django_db

BOOK = rules_engine.rulebook("pt-chemin-de-fer")
FLOOR = "card_on_floor"
TABLE = {
    "seats": [3, 4, 5, 7, 9],
    "standing": ["3a"],
    "banker": "5",
    "bank": 1000,
    "minimum": 100,
    "unit": 10,
    "calls": [
        {"by": "croupier", "says": "bank_of", "amount": 1000},
        {"by": "3", "says": "banco"},
        {"by": "croupier", "says": "closed"},
    ],
    "stakes": [{"player": "3", "amount": 1000}],
    "holder": "3",
    "claim": "banco",
    "ponto": ["4h", "8s"],
    "banker_cards": ["2h", "6d"],
    "incident": {"kind": FLOOR, "card": "ponto.2", "by": "banker", "picker": "inspector", "way": "thrown"},
}


def start(kind: str = FLOOR, book: Rulebook = BOOK) -> editor_forms.Typed:
    if (kind, book) == (FLOOR, BOOK):
        return editor_forms.typed(BOOK.read(TABLE), BOOK)
    return editor_forms.typed(editor_starts.example(book, kind), book)


def after(
    *orders: str, typed: editor_forms.Typed | None = None, book: Rulebook = BOOK, kind: str = FLOOR, **tray: str
) -> editor_forms.Typed:
    facts = start(kind, book) if typed is None else typed
    for order in orders:
        facts = done(order, Table(facts, book, kind, **tray))
    return facts


def test_a_new_row_has_the_usual_values_where_nothing_is_given() -> None:
    book = rules_engine.rulebook("pt-black-jack")
    made = with_row({"minimum": "50"}, "bets", {"player": "3a"}, book, "bank_card_drawn")
    assert made == {"minimum": "50", "bets-0-player": "3a", "bets-0-seat": "3", "bets-0-amount": "50"}
    assert with_row({}, "hands", {}, book, "bank_card_drawn") == {"hands-0-seat": "1"}


def changed(*orders: str, **given: str) -> dict[str, str | None]:
    """What the acts change, field by field; a field that is gone is None."""
    before, now = start(), after(*orders, **given)  # type: ignore[arg-type]
    return {name: now.get(name) for name in {**before, **now} if before.get(name) != now.get(name)}


def test_who_gets_up_takes_chips_words_and_cards_along() -> None:
    assert changed("act:stand:3:up") == {
        "seats-3": None,
        "standing": "3a 3b",
        "calls-1-by": "3b",
        "stakes-0-player": "3b",
        "holder": "3b",
    }


def test_who_leaves_takes_chips_and_words_along() -> None:
    facts = after("act:leave:3")
    assert "seats-3" not in facts
    assert facts["holder"] == ""
    assert not [name for name in facts if name.startswith("stakes-")]
    assert [value for name, value in facts.items() if name.endswith("-by") and name.startswith("calls")] == [
        "croupier",
        "croupier",
    ]


def test_who_is_dragged_goes_with_chips_and_words() -> None:
    gone = {"seats-3": None, "calls-1-by": "8", "stakes-0-player": "8", "holder": "8"}
    assert changed("act:carry:place.3:place:8") == gone | {"seats-8": "on"}
    stands = {name: "4a" for name, value in gone.items() if value} | {"seats-3": None}
    assert changed("act:carry:place.3:place:4") == stands | {"standing": "3a 4a"}, "the seat is taken: they stand there"
    assert changed("act:carry:place.8:place:4") == {}, "nobody is there"
    assert changed("act:carry:place.3:heap:ponto", "act:carry:nonsense", "act:carry:card.x:place:4") == {}


def test_chips_and_cards_are_dragged() -> None:
    assert changed("act:carry:stake.3:place:9") == {"stakes-0-player": "9"}
    assert changed("act:carry:card.ponto.2:heap:banker") == {"ponto": "4h", "banker_cards": "2h 6d 8s"}
    roulette = rules_engine.rulebook("pt-roleta-americana")
    facts = start("late_bet", roulette)
    name, rows = money_list(roulette, "late_bet") or ("", None)
    assert rows
    spots = roulette.game.spots
    lies = next(key for key, spot in spots.items() if rows_with(facts, name, rows, on_spot(rows, spot)))
    free = next(key for key, spot in spots.items() if not rows_with(facts, name, rows, on_spot(rows, spot)))
    moved = after(f"act:carry:spot.{lies}:spot:{free}", typed=facts, book=roulette, kind="late_bet")
    assert rows_with(moved, name, rows, on_spot(rows, spots[free]))
    assert not rows_with(moved, name, rows, on_spot(rows, spots[lies]))


def test_who_stands_sits_down_only_where_the_seat_is_free() -> None:
    assert changed("act:sit:3a") == {}
    assert after("act:leave:3", "act:sit:3a")["seats-3"] == "on"
    assert changed("act:stand:7") == {"standing": "3a 7a"}
    assert changed("act:sit:8") == {"seats-8": "on"}


def test_a_place_that_is_given_a_part_or_speaks_is_taken() -> None:
    assert changed("act:set:banker:8") == {"banker": "8", "seats-8": "on"}
    spoken = {"calls-3-by": "8", "calls-3-says": "banco", "seats-8": "on"}
    assert changed("act:put:says.banco:place:8") == spoken


def test_words_that_name_a_sum_get_one() -> None:
    assert changed("act:says:croupier:bank_of")["calls-3-amount"] == "1000"
    assert changed("act:says:croupier:bank_of", amount="700")["calls-3-amount"] == "700"
    assert "calls-3-amount" not in changed("act:says:4:banco", amount="700")


def test_the_bank_its_call_and_what_covers_it_are_one_amount() -> None:
    assert changed("act:set:bank:1300") == {"bank": "1300", "calls-0-amount": "1300", "stakes-0-amount": "1300"}
    apart = after("act:set:stakes-0-amount:900", "act:set:bank:1300")
    assert (apart["stakes-0-amount"], apart["calls-0-amount"]) == ("900", "1300")


def test_cards_turn_move_change_and_go() -> None:
    assert changed("act:turn:ponto.1") == {"ponto": "4h* 8s"}
    assert changed("act:turn:ponto.1", "act:turn:ponto.1") == {}
    assert changed("act:move:ponto.2:banker") == {"ponto": "4h", "banker_cards": "2h 6d 8s"}
    assert changed("act:take:banker.1") == {"banker_cards": "6d"}
    assert changed("act:turn:ponto.1", "act:change:ponto.1:Kc") == {"ponto": "Kc* 8s"}
    assert changed("act:put:card.9d:heap:ponto") == {"ponto": "4h 8s 9d"}
    assert changed("act:turn:ponto.9") == changed("act:take:nothing.1") == changed("act:move:ponto.3:banker") == {}


def test_chips_add_up_before_a_seat_and_in_the_bank() -> None:
    assert changed("act:put:chip.100:stake:3") == {"stakes-0-amount": "1100"}
    twice = changed("act:put:chip.100:place:7", "act:put:chip.50:place:7")
    assert twice == {"stakes-1-player": "7", "stakes-1-amount": "150"}
    assert changed("act:put:chip.500:stake:bank")["bank"] == "1500"


def test_chips_lie_on_spots_of_a_layout_and_are_counted() -> None:
    book = rules_engine.rulebook("pt-roleta-francesa")
    facts = start("late_bet", book)
    facts = {name: value for name, value in facts.items() if not name.startswith("bets-")} | {"seats-1": "on"}
    order = "act:put:chip.1000:spot:17-20"
    now = after(order, order, typed=facts, book=book, kind="late_bet", who="1")
    bet = {name.removeprefix("bets-0-"): value for name, value in now.items() if name.startswith("bets-")}
    assert bet == {"player": "1", "chance": "split", "numbers": "17 20", "count": "2", "value": "1000"}


def test_what_makes_no_sense_changes_nothing() -> None:
    nonsense = ["act:", "act:explode:3", "act:set:incident:4", "act:set:rulebook:x", "act:stand:x", "act:sit:x"]
    nonsense += ["act:flip:nothing", "act:remove:calls:99", "act:deal:moon:7h", "act:list:bank:4"]
    nonsense += ["act:put:chip.x:place:3", "act:put:says.unheard:place:3"]
    for order in nonsense:
        assert changed(order) == {}, order
    assert changed("act:set:bank:much", "act:put:chip.100:stake:bank")["bank"] == "100"


@pytest.mark.parametrize("book_id", ["pt-chemin-de-fer", "pt-roleta-francesa", "pt-ponto-banca-1995"])
def test_what_is_nowhere_on_the_table_has_no_menu_of_its_own(book_id: str) -> None:
    book = rules_engine.rulebook(book_id)
    kind = next(iter(book.kinds()))
    sheet = Sheet(start(kind, book), {}, book, kind, "pt")
    for point in (
        "",
        "moon:1",
        "card:x",
        "card:ponto.x",
        "card:ponto.99999",
        "call:99",
        "call:x",
        "stake:",
        "place:",
        "spot:zz",
    ):
        table_menus.menu_of(point, sheet)  # whatever it offers, it does not break


def test_dice_are_set_one_by_one_and_taken_away() -> None:
    book = rules_engine.rulebook("pt-craps")
    kind = "jumped_die"
    typed = {**start(kind, book), "dice": ""}
    assert after("act:nth:dice.1:4", "act:nth:dice.2:6", typed=typed, book=book, kind=kind)["dice"] == "4 6"
    assert after("act:nth:dice.1:4", "act:nth:dice.1:5", typed=typed, book=book, kind=kind)["dice"] == "5"
    for order in ("act:nth:dice.2:4", "act:nth:dice.0:4", "act:nth:dice.x:4", "act:nth:point.1:4", "act:nth:dice.1:"):
        assert after(order, typed=typed, book=book, kind=kind)["dice"] == ""


def test_who_is_bound_by_the_table_is_ticked_and_unticked() -> None:
    typed = {name: value for name, value in start().items() if not name.startswith("by_table")}

    def bound(typed: editor_forms.Typed) -> table_offers.Offer:
        offers = offered("table:", Sheet(typed, {}, BOOK, FLOOR, "pt"))
        return next(offer for offer in offers if "by_table" in offer.do)

    assert not bound(typed).on
    now = after(bound(typed).do, typed=typed)
    assert now["by_table-0"] and bound(now).on
    assert "by_table-0" not in after(bound(now).do, typed=now)


GAMES = [
    next(book for book in rules_engine.RULEBOOKS if rules_engine.rulebook(book).game.id == game)
    for game in (dict.fromkeys(rules_engine.rulebook(book).game.id for book in rules_engine.RULEBOOKS))
]


@pytest.mark.parametrize("book_id", GAMES)
def test_every_offer_of_every_menu_is_an_act_that_the_form_can_show(book_id: str) -> None:
    """Whatever is pointed at in whatever incident: its menu opens, and every offer gives facts that are ruled on or
    refused by name."""
    book = rules_engine.rulebook(book_id)
    with translation.override("pt"):
        for number, kind in enumerate(list(book.kinds())[::3]):
            typed = start(kind, book)
            sheet = Sheet(typed, {}, book, kind, "pt")
            offers = [offer for point in points(book, kind, typed) for offer in offered(point, sheet)]
            assert offers, kind
            # Each in turn over the kinds, so that all of them are tried and none takes long.
            for offer in itertools.islice(offers, number % 7, None, 1 + len(offers) // 4):
                now = done(offer.do.replace(TYPED, "7"), Table(typed, book, kind))
                assert now != typed or offer.on or offer.do.startswith(("act:up", "act:down")), (kind, offer)
                sketch = editor.Sketch(book, kind, editor_starts.topics_of(book, kind)[0], 2, now)
                checked = editor.check(sketch)
                assert checked.scenario or checked.wrong, (kind, offer)


@pytest.mark.parametrize("book_id", GAMES)
def test_every_fact_that_lies_nowhere_on_the_table_is_in_its_menu(book_id: str) -> None:
    """Dice, wheel, marker, limits, jackpot: whatever is neither somebody, a card, chips nor words."""
    book = rules_engine.rulebook(book_id)
    kind = next(iter(book.kinds()))
    sheet = Sheet(start(kind, book), {}, book, kind, "pt")
    offers = " ".join(offer.do for offer in offered("table:", sheet))
    for name, found in table_fields(book).items():
        if isinstance(found, Scalar) and not names_people(found) and name != "bank":
            assert f":{name}" in offers, name
        if isinstance(found, Tokens) and found.item.what == "number" and name != "seats":
            assert f":{name}.1:" in offers, name


def points(book: Rulebook, kind: str, typed: editor_forms.Typed) -> list[str]:
    drawn = table_view(editor_starts.example(book, kind), pointing="spot" if book.game.spots else "")
    found = [part.split('"')[0] for sheet in drawn.sheets[:1] for part in sheet.svg.split('data-point="')[1:]]
    reader = table_offers.Reader(Sheet(typed, {}, book, kind, "pt"))
    calls = [f"call:{at}" for at, _said in enumerate(reader.said(), start=1)]
    return ["table:", *[*dict.fromkeys(found), "incident:", *calls][::3]]


def offered(point: str, sheet: Sheet) -> list[table_offers.Offer]:
    menu = table_menus.menu_of(point, sheet)
    return [offer for section in menu.sections for offer in section.offers] if menu else []


@pytest.mark.parametrize(
    ("typed_as", "told"),
    [
        *((typed, "10\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}€") for typed in ("10000", "10 000", "10.000", "010000")),
        ("10,5", "10,5"),
        ("-10", "-10"),
        ("tudo", "tudo"),
        ("1" * 13, "1" * 13),  # longer than any sum
        ("١٠", "١٠"),  # digits that no form takes
        ("", "…"),
    ],
)
def test_a_sum_in_the_list_of_calls_is_written_as_everywhere_else_and_what_is_none_as_typed(
    typed_as: str, told: str
) -> None:
    said = {"calls-0-by": "1", "calls-0-says": "states_bank", "calls-0-amount": typed_as}
    reader = table_offers.Reader(Sheet(start("claims_open") | said, {}, BOOK, "claims_open", "pt"))
    assert reader.said()[0][2] == f"Faço banca de {told}"


@pytest.mark.parametrize("number", ["²", "፩", "9" * 5000, "-1", ""])
def test_an_order_with_a_number_that_is_none_changes_nothing(number: str) -> None:
    orders = (
        "act:turn:ponto.{}",
        "act:take:ponto.{}",
        "act:nth:ponto.{}:4c",
        "act:remove:stakes:{}",
        "act:up:calls:{}",
    )
    assert changed(*(order.format(number) for order in orders), f"act:put:chip.{number}:place:3") == {}
    with translation.override("pt"):
        assert not table_menus.menu_of(f"call:{number}", Sheet(start(), {}, BOOK, FLOOR, "pt"))
