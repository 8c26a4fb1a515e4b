"""Tables of the house: set up, changed, retired; practice, classes and exams use them, old cases do not."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

import rules_engine
from exams.audit.models import Entry
from exams.audit.words import describe
from exams.house_office import tables as acts
from exams.papers import pool
from exams.papers.knowledge import Known
from exams.programmes import services as programmes
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from exams.programmes.words import rules_in_words
from rules_engine import Scenario, table_from
from tests.classes import rooms
from tests.exams import making
from tests.exams.making import judged
from tests.exams.test_papers import forms_of, preparing, ready
from tests.factories import PersonFactory
from training.classes import services as classes
from training.drawing import table_view
from training.drawing.chips import USUAL, kit_of
from training.figures.expected import Experience
from training.house import tables
from training.house.models import HouseTable
from training.lessons.examples import example
from training.library import drafts, generated, import_export
from training.library import services as library
from training.library.models import Version
from training.mastery.rules_to_learn import rules_to_learn
from training.people.models import Role, User
from training.platform.engine_json import as_stored
from training.platform.errors import ChangedMeanwhile, Refused
from training.practice import services as practice
from training.practice.fresh import fresh_scenario

pytestmark = pytest.mark.django_db
BOOK = "pt-roleta-francesa"
ROULETTE = rules_engine.rulebook(BOOK)
OWN: dict[str, Any] = {
    "name": "Sala Azul",
    "currency": "EUR",
    "minimum": 4,
    "chips": [{"value": 2, "colour": "#123456", "edge": "#fedcba"}, {"value": 4}, {"value": 20}, {"value": 100}],
    "seats": 7,
    "pace": 33,
}


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with override("en"):
        yield


@pytest.fixture
def instructor() -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR], name="Rita Moura", language="en")


@pytest.fixture
def trainee() -> User:
    return PersonFactory(roles=[Role.TRAINEE], language="en")


def add(by: User, *, alone: bool = True, **changes: Any) -> HouseTable:
    return acts.add(by=by, rulebook=BOOK, settings=OWN | changes, alone=alone)


def table_of(scenario: Scenario) -> str:
    return scenario.table.name if scenario.table else ""


# ---- setting up


def test_without_tables_of_its_own_a_house_uses_the_usual_ones(trainee: User) -> None:
    assert tables.of_house(BOOK) == ROULETTE.usual_tables == tables.of_trainee(trainee.pk, BOOK)
    assert not any(table.historical for table in tables.of_house(BOOK))


def test_a_table_is_set_up_alone_or_beside_the_others(instructor: User) -> None:
    first = add(instructor)
    assert tables.of_house(BOOK) == (table_from(OWN),)
    second = add(instructor, name="Sala Verde")
    assert [table.name for table in tables.of_house(BOOK)] == ["Sala Azul", "Sala Verde"]
    acts.move_up(second.pk, instructor)
    assert [table.name for table in tables.of_house(BOOK)] == ["Sala Verde", "Sala Azul"]
    acts.switch(instructor, BOOK, f"shipped-{ROULETTE.usual_tables[0].name}", active=True)
    assert len(tables.of_house(BOOK)) == 3
    for row in (first, second):
        acts.switch(instructor, BOOK, f"own-{row.pk}", active=False)
    assert tables.of_house(BOOK) == (ROULETTE.usual_tables[0],)


def test_with_everything_out_of_use_the_usual_tables_serve(instructor: User) -> None:
    row = add(instructor)
    acts.switch(instructor, BOOK, f"own-{row.pk}", active=False)
    assert tables.of_house(BOOK) == ROULETTE.usual_tables
    with pytest.raises(IntegrityError), transaction.atomic():
        HouseTable.objects.filter(pk=row.pk).delete()  # retired, never deleted


def test_a_historical_table_can_be_switched_on(instructor: User) -> None:
    escudos = next(table for table in ROULETTE.tables if table.historical)
    for table in ROULETTE.usual_tables:
        acts.switch(instructor, BOOK, f"shipped-{table.name}", active=False)
    acts.switch(instructor, BOOK, f"shipped-{escudos.name}", active=True)
    made = fresh_scenario(BOOK, "payout", 2, None)
    assert made.table == escudos and made.book.currency == "PTE"


@pytest.mark.parametrize(
    ("changes", "place", "reason"),
    [
        ({"name": ""}, "name", "characters"),
        ({"name": ROULETTE.tables[0].name}, "name", "Another table has this name"),
        ({"minimum": 0}, "minimum", "at least"),
        ({"minimum": 5}, "minimum", "cannot be paid"),
        ({"chips": []}, "chips", "1 or more"),
        ({"chips": [{"value": 2}, {"value": 2}]}, "chips", "same value"),
        ({"chips": [{"value": 2, "colour": "red"}]}, "chips[0].colour", "how it is written"),
        ({"currency": "USD"}, "currency", "one of"),
        ({"seats": 21}, "seats", "most"),
        ({"limits": [{"bet": "nonsense", "minimum": 5}]}, "limits", "no limit of that kind"),
    ],
)
def test_settings_that_cannot_be_used(instructor: User, changes: dict[str, Any], place: str, reason: str) -> None:
    with pytest.raises(acts.UnfitSettings, match=reason) as refused:
        add(instructor, **changes)
    assert refused.value.place == place and not HouseTable.objects.exists()


def test_what_the_law_does_not_allow_is_refused_with_the_article(instructor: User) -> None:
    # X 20 a: half of a stake is paid on zero, so half of the least bet must exist in chips.
    with pytest.raises(acts.UnfitSettings, match=r"\(.*X.*20"):
        add(instructor, minimum=5, chips=[{"value": 5}, {"value": 20}])


def test_who_may_not_set_up_tables(instructor: User) -> None:
    row = add(instructor)
    for role in (Role.TRAINEE, Role.HR):
        stranger = PersonFactory(roles=[role])
        for act in (
            lambda by: add(by, name="Other"),
            lambda by: acts.change(row.pk, by=by, settings=OWN, seen=row.changed_at),
            lambda by: acts.switch(by, BOOK, f"own-{row.pk}", active=False),
            lambda by: acts.move_up(row.pk, by),
        ):
            with pytest.raises(Refused, match="Only instructors"):
                act(stranger)
    assert tables.of_house(BOOK) == (table_from(OWN),)


def test_a_change_that_somebody_else_overtook_is_refused(instructor: User) -> None:
    row = add(instructor)
    changed = acts.change(row.pk, by=instructor, settings=OWN | {"minimum": 8}, seen=row.changed_at)
    with pytest.raises(ChangedMeanwhile):
        acts.change(row.pk, by=instructor, settings=OWN, seen=row.changed_at)
    assert tables.of_house(BOOK)[0].minimum == 8 and changed.name == "Sala Azul"
    shipped = HouseTable.objects.filter(shipped=True).first()
    assert shipped is not None
    with pytest.raises(Refused, match="no such table"):
        acts.change(shipped.pk, by=instructor, settings=OWN, seen=shipped.changed_at)


def test_the_acts_are_on_record_in_sentences(instructor: User) -> None:
    row = add(instructor, alone=False)
    acts.change(row.pk, by=instructor, settings=OWN | {"name": "Sala Rosa", "minimum": 8}, seen=row.changed_at)
    acts.switch(instructor, BOOK, f"own-{row.pk}", active=False)
    entries = describe(Entry.objects.order_by("number"))
    assert [one.entry.act for one in entries] == ["table.added", "table.changed", "table.retired"]
    assert entries[0].sentence.startswith("Rita Moura set up the table “Sala Azul” for")
    assert {"Name", "Least bet"} == {line.label for line in entries[1].lines}


# ---- the pages


def form_of(table: dict[str, Any], **changes: Any) -> dict[str, Any]:
    sent = {name: value for name, value in table.items() if name != "chips"}
    for number, chip in enumerate(table["chips"]):
        own = "colour" in chip
        sent |= {f"chip-{number}-value": chip["value"]} | ({} if own else {f"chip-{number}-usual": "on"})
        sent |= {f"chip-{number}-{part}": chip.get(part, "#000000") for part in ("colour", "edge")}
    return sent | changes


def test_a_table_is_set_up_drawn_and_changed_on_its_pages(instructor: User) -> None:
    client = Client()
    client.force_login(instructor)
    address = reverse("new_table", args=[BOOK])
    assert "Use only the tables of this house" in client.get(address).content.decode()
    wrong = client.post(address, form_of(OWN, minimum=5))
    assert wrong.status_code == 422 and "cannot be paid" in wrong.content.decode()
    assert 'value="Sala Azul"' in wrong.content.decode() and 'value="#123456"' in wrong.content.decode()
    drawn = client.post(address, form_of(OWN, do="draw"), headers={"HX-Request": "true"}).content.decode()
    assert "#123456" in drawn and "<form" not in drawn and not HouseTable.objects.exists()
    assert client.post(address, form_of(OWN, alone="on")).status_code == 302
    row = HouseTable.objects.get(shipped=False)
    assert tables.of_house(BOOK) == (table_from(OWN),)
    page = client.get(reverse("house_table", args=[row.pk]))
    seen = page.context["form"]["seen"].value()
    assert client.post(reverse("house_table", args=[row.pk]), form_of(OWN, minimum=8, seen="x")).status_code == 409
    done = client.post(reverse("house_table", args=[row.pk]), form_of(OWN, minimum=8, seen=seen))
    assert done.status_code == 302 and tables.of_house(BOOK)[0].minimum == 8
    again = client.post(reverse("house_table", args=[row.pk]), form_of(OWN, minimum=4, seen=seen))
    assert again.status_code == 422 and "changed since" in again.content.decode()
    assert "Sala Azul" in client.get(reverse("house_tables")).content.decode()
    copied = client.get(f"{address}?like=own-{row.pk}")
    assert copied.context["form"]["minimum"].value() == 8


def test_the_list_takes_the_same_queries_for_many_tables(instructor: User, django_assert_max_num_queries: Any) -> None:
    client = Client()
    client.force_login(instructor)
    counts = []
    for names in (["a"], ["b", "c", "d"]):
        for name in names:
            add(instructor, name=name)
        with django_assert_max_num_queries(100) as counted:
            client.get(reverse("house_tables"))
        counts.append(len(counted))
    assert counts[0] == counts[1]


# ---- practice


def test_a_trainee_practises_at_a_table_of_the_house(instructor: User, trainee: User) -> None:
    add(instructor)
    drill = practice.start_drill(trainee, rulebook=BOOK, topic="payout", difficulty=2)
    assert table_of(drill.scenario) == "Sala Azul" and drill.scenario.situation.minimum == 4  # type: ignore[attr-defined]
    shown = example(next(rule for rule, topic in rules_to_learn(BOOK).items() if topic == "payout"))
    assert shown is not None and table_of(shown) == "Sala Azul"
    wish = generated.Wish(BOOK, "payout", None, 2, "seed")
    [offer] = generated.offer(wish, 1)
    assert table_of(offer.scenario) == "Sala Azul" and generated.candidate(offer.token) == offer.scenario


def test_my_table_then_the_class_then_the_house(instructor: User, trainee: User) -> None:
    for name in ("one", "two", "three"):
        add(instructor, name=name)
    keys = {one.table.name: one.key for one in tables.in_use(BOOK)}
    room = rooms.make_class(instructor, trainee)
    facts: dict[str, Any] = {"name": room.name, "daily_minutes": 10, "rulebooks": [BOOK]}
    classes.change_class(room, **facts, tables=[f"{BOOK}/{keys['two']}", "pt-craps/own-1"])
    assert [table.name for table in tables.of_trainee(trainee.pk, BOOK)] == ["two"]
    room.refresh_from_db()
    assert room.tables == [f"{BOOK}/{keys['two']}"]  # of its own rulebooks only
    client = Client()
    client.force_login(trainee)
    assert "three" in client.get(reverse("study")).content.decode()
    client.post(reverse("choose_tables"), {BOOK: keys["three"]})
    assert [table.name for table in tables.of_trainee(trainee.pk, BOOK)] == ["three"]
    client.post(reverse("choose_tables"), {BOOK: "own-999999"})
    assert [table.name for table in tables.of_trainee(trainee.pk, BOOK)] == ["three"]
    acts.switch(instructor, BOOK, keys["three"], active=False)
    assert [table.name for table in tables.of_trainee(trainee.pk, BOOK)] == ["two"]
    assert len(tables.of_trainee(PersonFactory().pk, BOOK)) == 2
    with pytest.raises(LookupError):
        tables.choose(trainee.pk, BOOK, keys["three"])


def test_an_old_case_and_one_of_a_changed_table_keep_what_they_had(instructor: User, trainee: User) -> None:
    row = add(instructor)
    drill = practice.start_drill(trainee, rulebook=BOOK, topic="payout", difficulty=2)
    ruling = drill.scenario.solve()
    acts.change(row.pk, by=instructor, settings=OWN | {"currency": "PTE", "minimum": 40}, seen=row.changed_at)
    drill.refresh_from_db()
    assert drill.scenario.table == table_from(OWN) and drill.scenario.solve() == ruling
    bare = {name: value for name, value in as_stored(drill.scenario).items() if name != "table"}
    old = rules_engine.scenario_from(bare)
    assert not old.table and old.book.currency == "PTE"
    assert [one.value for one in old.solve().decisions] == [one.value for one in ruling.decisions]


def test_chips_are_drawn_as_the_table_has_them() -> None:
    table = table_from(OWN)
    assert kit_of(table).stacks(126) == [(100, 1), (20, 1), (4, 1), (2, 1)]
    assert kit_of(None) is USUAL and kit_of(table).stacks(1) == [(2, 1)]
    made = rules_engine.generate(BOOK, "payout", "drawn", 2, table=table)
    used = {bet.value for bet in made.situation.bets}  # type: ignore[attr-defined]
    drawn = table_view(made.situation, currency="EUR", table=table)
    assert all(f'id="{kit_of(table).design(value)}"' in drawn.symbols for value in used)
    assert kit_of(table).design(2) == "chip-2-123456-fedcba"
    assert "123456" not in table_view(made.situation, currency="EUR").symbols


@pytest.mark.parametrize("book", rules_engine.RULEBOOKS)
def test_every_shipped_table_is_fit_and_drawn(book: str) -> None:
    found = rules_engine.rulebook(book)
    for table in found.tables:
        found.game.check_table(table, found)
        made = rules_engine.generate(book, None, "drawn", 2, table=table)
        drawing = table_view(made.situation, currency=table.currency, table=table, rulebook=book)
        assert all(sheet.svg for sheet in drawing.sheets) and drawing.words


# ---- the library


def test_a_file_keeps_the_table_of_a_scenario_and_refuses_an_unfit_one(instructor: User) -> None:
    scenario = rules_engine.generate(BOOK, "payout", "kept", 2, table=table_from(OWN))
    row = as_stored(scenario)
    [entry] = import_export.read(rules_engine.encode([row]))
    assert entry.scenario.table == table_from(OWN)
    version = import_export.make_draft(instructor, entry)
    assert version.scenario.table == table_from(OWN)
    [again] = import_export.read(b"".join(import_export.json_lines([version])))
    assert again.scenario.table == table_from(OWN)
    for wrong in ({"minimum": 5}, {"currency": "USD"}, {"chips": "all"}):
        with pytest.raises(Refused) as refused:
            import_export.read(rules_engine.encode([row | {"table": row["table"] | wrong}]))
        assert refused.value.errors[0].field.startswith("table")  # type: ignore[attr-defined]


def test_an_author_chooses_the_table(instructor: User) -> None:
    add(instructor, alone=False)
    client = Client()
    client.force_login(instructor)
    kind = next(iter(ROULETTE.kinds()))
    page = client.get(reverse("new_scenario"), {"rulebook": BOOK, "kind": kind})
    sketch = page.context["sketch"]
    assert sketch.book.given_table == table_from(OWN)  # the first of the house
    other = ROULETTE.usual_tables[0]
    sent = {"rulebook": BOOK, "kind": kind, "topic": sketch.topic, "difficulty": "2", "table": f"shipped-{other.name}"}
    sent |= dict(sketch.typed)
    moved = client.post(reverse("new_scenario"), sent | {"do": "table"}).context["sketch"]
    assert moved.book.given_table == other and moved.typed["minimum"] == str(other.minimum)
    saved = client.post(reverse("new_scenario"), {**sent, **moved.typed, "do": "save"})
    assert saved.status_code == 302
    assert Version.objects.get().scenario.table == other


# ---- exams


def roulette_rules(**changes: Any) -> Rules:
    line = Line(rulebook=BOOK, topic="payout", difficulty=2, items=3, points=2)
    section = Section(key="p", names={"en": "Paying"}, lines=(line,))
    return making.make_rules(rulebooks=(BOOK,), sections=(section,), **changes)


def drafted(instructor: User, rules: Rules | None = None) -> ProgrammeVersion:
    return programmes.create_programme(
        instructor, code="ROL", names={"en": "Roulette"}, rules=rules or roulette_rules()
    )


def test_a_draft_records_the_tables_of_the_house_and_papers_use_them(instructor: User) -> None:
    row = add(instructor)
    draft = drafted(instructor)
    assert draft.rules.tables == {BOOK: (table_from(OWN),)}
    version = programmes.publish(judged(draft), PersonFactory(roles=[Role.INSTRUCTOR]), seen=draft.changed_at)
    entry = Entry.objects.filter(act="programme.published").get()
    assert entry.details["tables"] == {BOOK: ["Sala Azul"]}
    # What the house changes afterwards, one person alone, changes no exam of this version.
    acts.change(row.pk, by=instructor, settings=OWN | {"minimum": 40}, seen=row.changed_at)
    acts.switch(instructor, BOOK, f"own-{row.pk}", active=False)
    session = ready(preparing(2, programme_version=version, created_by=instructor))
    for form in forms_of(session):
        assert {item.scenario.table for item in form} == {table_from(OWN)}
        assert {as_stored(item.scenario)["situation"]["minimum"] for item in form} == {4}
    with pytest.raises(IntegrityError), transaction.atomic():
        ProgrammeVersion.objects.filter(pk=version.pk).update(rules_document={})


def test_a_house_with_the_usual_tables_records_none_and_papers_use_those(instructor: User) -> None:
    draft = drafted(instructor)
    assert draft.rules.tables == {}
    add(instructor)  # too late for this draft
    session = ready(preparing(1, roulette_rules()))
    assert {item.scenario.table for item in forms_of(session)[0]} <= set(ROULETTE.usual_tables)


def test_a_programme_cannot_name_a_table_that_the_house_does_not_have(instructor: User) -> None:
    add(instructor)
    for wrong in (OWN | {"minimum": 8}, OWN | {"name": "Nowhere"}):
        with pytest.raises(programmes.UnfitDraft, match="has no table"):
            drafted(instructor, roulette_rules(tables={BOOK: (table_from(wrong),)}))
    with pytest.raises(programmes.UnfitDraft, match="not examined"):
        drafted(instructor, roulette_rules(tables={"pt-craps": (rules_engine.rulebook("pt-craps").tables[0],)}))


def test_a_case_of_the_bank_at_another_table_is_not_used(instructor: User) -> None:
    add(instructor)
    own, other = table_from(OWN), ROULETTE.usual_tables[0]
    rules = roulette_rules(tables={BOOK: (own,)})
    session = preparing(1, rules)
    kept = {}
    for name, table in (("own", own), ("other", other)):
        made = (rules_engine.generate(BOOK, "payout", f"bank {name} {number}", 2, table=table) for number in range(40))
        scenario = next(one for one in made if rules_engine.exam_fit(one))
        draft = drafts.create_draft(
            instructor, scenario, source=Version.Source.GENERATED, words={"pt": {"title": f"Caso {name}"}}
        )
        sent = library.submit_for_review(draft, instructor)
        kept[name] = library.publish(sent, PersonFactory(roles=[Role.INSTRUCTOR]), reserved=True)
    found = pool.Pool(session, rules, {1: Known()}, Experience())
    assert [item.version_id for item in found._from_bank(rules.slots[0], 2)] == [kept["own"].pk]


def test_a_programme_that_names_no_table_uses_no_case_of_the_bank_at_an_unusual_one(instructor: User) -> None:
    """Its second person read that the exam is dealt at the tables that come with the rulebook."""
    odd, usual = table_from(OWN | {"name": "Nowhere"}), ROULETTE.usual_tables[0]
    found = pool.Pool(preparing(1, roulette_rules()), roulette_rules(), {1: Known()}, Experience())
    made = [rules_engine.generate(BOOK, "payout", 1, 2, table=table) for table in (usual, odd)]
    assert [found._is_at_its_table(one) for one in made] == [True, False]
    before = rules_engine.scenario_of(made[0].situation, ROULETTE, topic="payout")
    assert found._is_at_its_table(before)  # from before there were tables


def test_the_second_person_reads_everything_that_a_table_decides(instructor: User) -> None:
    add(instructor, limits=[{"bet": "straight", "minimum": 4}])
    told = rules_in_words(drafted(instructor))["exam"].rules["tables"].text
    assert "; 7 seats; " in told and "straight up: least bet €4" in told


def test_a_form_names_the_tables_and_shows_them_to_the_second_person(instructor: User) -> None:
    add(instructor, alone=False)
    draft = drafted(instructor)
    client = Client()
    client.force_login(instructor)
    page = client.get(reverse("programme_draft", args=[draft.programme_id])).content.decode()
    assert "Sala Azul" in page
    shown = client.get(reverse("programme_version", args=[draft.programme_id, draft.number])).content.decode()
    assert "Sala Azul (least bet" in shown and "chips 2, 4, 20, 100" in shown
