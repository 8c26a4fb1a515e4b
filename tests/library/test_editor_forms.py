"""Situations as form fields and back: whatever can be generated can be edited, and nothing typed is guessed at."""

from typing import Any

import pytest
from msgspec import Struct

import rules_engine
from rules_engine import GAMES, RULEBOOKS
from rules_engine.situation import kind_of
from rules_engine.words import LANGUAGES
from training.library import editor, editor_starts
from training.library.editor_controls import Sheet
from training.library.editor_fields import Rows, Scalar, fields_of, table_fields
from training.library.editor_forms import Facts, field_of, read, typed
from training.library.editor_rows import with_rows_changed

# What is ruled asks for the readings of the house.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

SEEDS = 12
BOOK = rules_engine.rulebook("pt-chemin-de-fer")
KINDS = [(book, kind) for book in RULEBOOKS.values() for kind in book.kinds()]


def sketch(kind: str = "banker_takes_two", **changes: str) -> editor.Sketch:
    situation = editor_starts.example(BOOK, kind)
    topic = editor_starts.topics_of(BOOK, kind)[0]
    return editor.Sketch(BOOK, kind, topic, 2, typed(situation, BOOK) | changes)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_facts_to_fields_and_back_are_the_same_facts(book: str) -> None:
    for topic in rules_engine.topics(book):
        for seed in range(SEEDS):
            scenario = rules_engine.generate(book, topic, seed, 1 + seed % 5)
            fields = typed(scenario.situation, scenario.book)
            facts = read(fields, scenario.book, kind_of(scenario.situation.incident))
            assert facts.wrong == {}
            assert scenario.book.game.read(facts.situation) == scenario.situation
            assert typed(scenario.situation, scenario.book) == fields


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=lambda book: book.id)
def test_every_kind_of_incident_can_be_started_from_and_is_ruled_on(book: rules_engine.Rulebook) -> None:
    for kind in book.kinds():
        (topic, *_more) = editor_starts.topics_of(book, kind)
        for seed in ("plain", "another"):
            situation = editor_starts.example(book, kind, seed, topic=topic)
            assert kind_of(situation.incident) == kind
            checked = editor.check(editor.Sketch(book, kind, topic, 2, typed(situation, book)))
            assert (checked.wrong, checked.ruling) == ({}, book.rule(situation))
            assert checked.table is not None
        assert "{" not in editor_starts.plain_name(book, kind, "pt")


def test_choices_come_in_the_order_in_which_the_facts_list_them() -> None:
    stage = fields_of(GAMES["chemin_de_fer"].kinds["bank_out_of_turn"])["stage"]
    assert isinstance(stage, Scalar)
    assert stage.choices == ("not_begun", "drawn", "delivered", "tied", "won")
    bets = table_fields(rules_engine.rulebook("pt-ponto-banca-macau"))["bets"]
    assert isinstance(bets, Rows)
    assert dict(bets.columns)["on"].choices == ("ponto", "banker", "tie", "ponto_pair", "banker_pair")


def test_an_example_of_a_topic_is_of_that_topic() -> None:
    assert editor_starts.topics_of(BOOK, "coup_goes_on") == ["third_card", "ponto_draw"]
    assert BOOK.rule(editor_starts.example(BOOK, "coup_goes_on", topic="third_card")).pivots


@pytest.mark.parametrize("game", GAMES)
def test_every_field_and_choice_has_words(game: str) -> None:
    """A label read off a name in the code would be English on a Portuguese page."""
    missing = []
    models: list[type[Struct]] = [GAMES[game].situation, *GAMES[game].kinds.values()]
    for model in models:
        for name, found in fields_of(model).items():
            columns = found.columns if isinstance(found, Rows) else [(name, getattr(found, "item", found))]
            names = [name, *(column for column, _scalar in columns if column and not column.isdigit())]
            missing += [f"field.{one}" for one in names if one != "hidden"]
            for column, scalar in columns:
                choices = getattr(scalar, "item", scalar).choices
                values = [str(one) for one in choices if isinstance(one, str) and "." not in one]
                words = "say" if column == "says" else "choice"
                missing += [f"{words}.{one}" for one in values if one]
    assert len(missing) > 30
    for language in ("en", "pt"):
        assert sorted({id for id in missing if not GAMES[game].words.has(id, language)}) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_name_under_a_kind_belongs_to_a_field_of_that_kind(game: str) -> None:
    known, words = GAMES[game].kinds, GAMES[game].words
    ids = [id for language in LANGUAGES for id in words.catalogue(language) if id.startswith("field.")]
    own = [id.split(".")[1:] for id in ids if id.count(".") == 2]
    assert [(kind, name) for kind, name in own if name not in known[kind].__struct_fields__] == []


@pytest.mark.parametrize(("book", "kind"), KINDS, ids=lambda value: getattr(value, "id", value))
def test_every_fact_of_an_incident_has_a_control(book: rules_engine.Rulebook, kind: str) -> None:
    fields = typed(editor_starts.example(book, kind), book)
    groups = {group.name: group for group in Sheet(fields, {}, book, kind, "pt").groups()}
    shown = [control.name for control in groups["incident"].controls] if "incident" in groups else []
    model = book.kinds()[kind]
    assert shown == [f"incident-{name}" for name in model.__struct_fields__]
    table = [control.name for name, group in groups.items() if name != "incident" for control in group.controls]
    assert sorted(table) == sorted(table_fields(book))
    for group in groups.values():
        for control in group.controls:
            if getattr(control, "widget", "") == "choice" and control.value:
                assert control.value in dict(control.choices)


@pytest.mark.parametrize(
    ("written", "cards"),
    [
        ("7h 10D ks", ["7h", "Td", "Ks"]),
        (" A♠,q♦ ;T♣ ", ["As", "Qd", "Tc"]),
        ("", []),
    ],
)
def test_cards_as_people_write_them(written: str, cards: list[str]) -> None:
    facts = read({"next": written}, BOOK, "banker_takes_two")
    assert facts.situation["next"] == cards


def test_a_star_lays_a_card_face_down() -> None:
    facts = read({"ponto": "7h* 2c", "banker_cards": "Kd 3s*", "loose": "9h*"}, BOOK, "banker_takes_two")
    assert facts.situation["ponto"] == ["7h", "2c"]
    assert facts.situation["hidden"] == ["ponto.1", "banker.2", "loose.1"]


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("bank", "muito", "“muito” is not a whole number."),
        ("bank", "-1", "The minimum here is 0."),
        ("bank", "99999999", "The maximum here is 10,000,000."),
        ("banker", "12", "“12” is not a place"),
        ("banker", "", "Please fill this in."),
        ("claim", "robbery", "“robbery” is not one of the choices."),
        ("ponto", "7h 1z", "“1z” is not a card"),
        ("standing", "4a x", "“x” is not a place"),
        ("stakes-0-amount", "", "Please fill this in."),
        ("banker", "4" * 500, "This is too long."),
    ],
)
def test_what_cannot_be_is_said_at_its_field(field: str, value: str, says: str) -> None:
    checked = editor.check(sketch(**{field: value}))
    assert list(checked.wrong) == [field]
    assert checked.wrong[field].startswith(says)
    assert checked.scenario is None


@pytest.mark.parametrize("written", ["1200", "1 200", "1.200", "1\u202f200", " 1200 "])
def test_sums_as_people_write_them(written: str) -> None:
    assert read(sketch(bank=written).typed, BOOK, "banker_takes_two").situation["bank"] == 1200


FREE = next(str(seat) for seat in range(1, 10) if seat not in editor_starts.example(BOOK, "banker_takes_two").seats)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"loose": "7h"}, "loose"),
        ({"holder": "8", "banker": "8"}, "holder"),
        ({"banker": FREE}, "banker"),
        ({"next": "7h 7h 7h 7h 7h 7h 7h"}, "cards"),
    ],
)
def test_impossible_facts_name_their_field_and_the_table_is_still_drawn(changes: dict[str, str], field: str) -> None:
    checked = editor.check(sketch(**changes))
    assert list(checked.wrong) == [field]
    assert checked.wrong[field][0].isupper() or checked.wrong[field][0].isdigit()
    assert checked.wrong[field].endswith(".")
    assert not checked.engine_says
    assert (checked.table is not None) == (field == "loose")


def test_a_row_that_the_engine_names_is_counted_as_on_the_form() -> None:
    facts = Facts(filled={"stakes": [0, 3]})
    assert field_of("stakes[1].player", facts, BOOK, "banker_takes_two") == "stakes-3-player"
    assert field_of("stakes[1]", facts, BOOK, "banker_takes_two") == "stakes-3-player"
    assert field_of("stakes[7].player", facts, BOOK, "banker_takes_two") == "stakes"
    assert field_of("incident.wish", facts, BOOK, "ponto_gets_several") == "incident-wish"
    assert field_of("adviser", facts, BOOK, "advice_asked") == "incident-adviser"
    assert field_of("hidden", facts, BOOK, "banker_takes_two") == "cards"
    assert field_of("no such thing", facts, BOOK, "banker_takes_two") == ""


def calls(fields: dict[str, str]) -> list[Any]:
    return [call["says"] for call in read(fields, BOOK, "banker_takes_two").situation["calls"]]


def test_rows_are_added_moved_and_removed() -> None:
    kind = "banker_takes_two"
    fields = {"calls-0-by": "croupier", "calls-0-says": "closed", "calls-4-by": "ponto", "calls-4-says": "no"}
    added, focus = with_rows_changed(fields, "add:calls", BOOK, kind)
    assert (focus, added["calls-5-by"]) == ("calls-5-by", "")
    assert calls(added) == ["closed", "no"]
    moved, focus = with_rows_changed(added, "up:calls:4", BOOK, kind)
    assert (calls(moved), focus) == (["no", "closed"], "calls-0-by")
    assert moved["calls-2-by"] == ""
    back, _focus = with_rows_changed(moved, "down:calls:0", BOOK, kind)
    assert calls(back) == ["closed", "no"]
    left, focus = with_rows_changed(back, "remove:calls:0", BOOK, kind)
    assert (calls(left), focus) == (["no"], "calls-0-by")


@pytest.mark.parametrize("order", ["up:calls:0", "down:calls:0", "remove:calls:7", "add:bank", "burn:calls:0", "add:"])
def test_an_order_without_sense_changes_nothing(order: str) -> None:
    fields = {"calls-0-by": "croupier", "calls-0-says": "closed"}
    assert with_rows_changed(fields, order, BOOK, "banker_takes_two") == (fields, "")


def test_a_list_left_unsaid_is_not_an_empty_one() -> None:
    kind, sanremo = "deal_inverted", rules_engine.rulebook("it-sanremo-chemin-de-fer")
    assert "kept" not in read({}, sanremo, kind).situation["incident"]
    assert read({"incident-kept-said": "on"}, sanremo, kind).situation["incident"]["kept"] == []
    added, _focus = with_rows_changed({}, "add:incident-kept", sanremo, kind)
    assert added["incident-kept-said"] == "on"
