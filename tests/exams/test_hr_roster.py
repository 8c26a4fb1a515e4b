"""Who may deal which game on a date: right on every limit, and the same wherever it is asked."""

import csv
import io
import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client

from exams.certificates import lifecycle
from exams.certificates.lifecycle import LIVE, Standing, State
from exams.certificates.models import Certificate
from exams.hr import roster, selectors
from rules_engine.narration import book_name
from tests.exams import making
from tests.exams.staffing import BOOK, NOON, OTHER, TODAY, act, certify, days, staff
from training.people.models import Role

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: NOON)


@pytest.fixture
def hr(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.HR)


def names(on: date, rulebook: str = "") -> list[tuple[str, str]]:
    return [(entry.name, entry.rulebook) for entry in roster.entries(on, rulebook)]


@pytest.mark.parametrize(
    ("on", "expected"),
    [(days(-1), False), (TODAY, True), (days(10), True), (days(11), False)],
    ids=["the day before", "the first day", "the last day", "the day after"],
)
def test_a_certificate_counts_from_its_first_day_to_its_last(on: date, expected: bool) -> None:
    certify(begins=TODAY, ends=days(10))
    assert bool(names(on)) is expected


@pytest.mark.parametrize(
    ("record", "on", "expected"),
    [
        ({"left_on": TODAY}, TODAY, True),
        ({"left_on": days(-1)}, TODAY, False),
        ({"left_on": days(5)}, days(5), True),
        ({"left_on": days(5)}, days(6), False),
        ({"joined_on": TODAY}, TODAY, True),
        ({"joined_on": days(1)}, TODAY, False),
        ({"joined_on": days(1)}, days(1), True),
    ],
)
def test_who_has_left_or_not_joined_yet_deals_nothing(record: dict[str, Any], on: date, expected: bool) -> None:
    certify(staff(**record), begins=days(-30))
    assert bool(names(on)) is expected


def test_somebody_without_a_staff_record_deals_too(person: Callable[..., Any]) -> None:
    certify(person(name="Sem Ficha"))
    assert names(TODAY) == [("Sem Ficha", BOOK)]


@pytest.mark.parametrize("state", ["suspended", "withdrawn", "expired", "replaced"])
def test_whatever_is_not_granted_does_not_count_from_the_day_it_is_decided(state: str) -> None:
    certify(begins=days(-30), state=state)
    assert names(TODAY) == names(days(1)) == []


def test_a_past_day_is_told_as_it_was_decided_then() -> None:
    held = certify(staff("Ana"), begins=days(-30), scope=(BOOK, OTHER), state="suspended")
    Certificate.objects.filter(pk=held.pk).update(scope=[BOOK])
    act(held, "reduce", days(-10), after="granted", scope=(BOOK,))
    act(held, "suspend", days(-5), after="suspended", scope=(BOOK,))
    assert names(days(-31)) == []
    assert names(days(-11)) == [("Ana", BOOK), ("Ana", OTHER)]
    assert names(days(-11), OTHER) == [("Ana", OTHER)]
    assert names(days(-10)) == [("Ana", BOOK)]
    assert names(days(-6)) == [("Ana", BOOK)]
    assert names(days(-5)) == names(TODAY) == []


def test_each_person_once_for_a_game_by_the_certificate_that_lasts_longest() -> None:
    ana = staff("Ana")
    certify(ana, ends=days(10), scope=(BOOK, OTHER))
    longer = certify(ana, ends=days(400))
    found = {entry.rulebook: (entry.certificate, entry.until) for entry in roster.entries(TODAY)}
    assert found[BOOK] == (longer.number, days(400))
    assert found[OTHER][1] == days(10)
    assert len(list(roster.entries(TODAY, BOOK))) == 1


def test_names_are_sorted_as_people_sort_them() -> None:
    for name in ("Zulmira", "Álvaro", "ana", "Bento"):
        certify(staff(name))
    assert [name for name, _book in names(TODAY)] == ["Álvaro", "ana", "Bento", "Zulmira"]


@pytest.mark.parametrize(("ends", "soon"), [(29, True), (30, True), (31, False)])
def test_who_lapses_soon_is_marked_from_the_date_asked_for(ends: int, soon: bool) -> None:
    certify(ends=days(100 + ends))
    (entry,) = roster.entries(days(100))
    assert entry.lapses_soon is soon


@pytest.mark.parametrize(
    ("licensed", "soon", "over"), [(-1, True, True), (0, True, False), (30, True, False), (31, False, False)]
)
def test_the_roster_warns_of_the_licence_too(licensed: int, soon: bool, over: bool) -> None:
    certify(staff("Ana", licence_number="SRIJ-7", licence_until=days(licensed)), ends=days(400))
    (entry,) = roster.entries(TODAY)
    assert (entry.lapses_soon, entry.licence_over, entry.licence_until) == (soon, over, days(licensed))


def test_the_condition_for_the_database_is_the_life_of_a_certificate() -> None:
    for state in State.values:
        for begins, ends in [(-5, -1), (-5, 0), (0, 0), (0, 5), (1, 5), (-5, 5)]:
            certify(begins=days(begins), ends=days(ends), state=state)
    every = list(Certificate.objects.all())
    for standing in Standing:
        found = set(Certificate.objects.filter(selectors.stands(standing, TODAY)))
        assert found == {each for each in every if lifecycle.standing(each, TODAY) == standing}, standing
    assert len(LIVE) == 2


# ---- who may not


def barred(on: date = TODAY, rulebook: str = "", shift: str = "") -> list[tuple[str, str, str, date | None]]:
    return [(each.name, each.rulebook, each.why, each.day) for each in roster.barred(on, rulebook, shift)]


@pytest.mark.parametrize(
    ("certificate", "record", "why", "day"),
    [
        ({"state": "suspended"}, {}, "suspended", None),
        ({"state": "withdrawn"}, {}, "withdrawn", None),
        ({"ends": days(-1)}, {}, "expired", days(-1)),
        ({"state": "suspended", "ends": days(-1)}, {}, "expired", days(-1)),
        ({"begins": days(1)}, {}, "not_yet", days(1)),
        ({}, {"left_on": days(-1)}, "left", days(-1)),
        ({}, {"joined_on": days(1)}, "not_joined", days(1)),
    ],
)
def test_who_may_not_deal_is_listed_with_the_reason(
    certificate: dict[str, Any], record: dict[str, Any], why: str, day: date | None
) -> None:
    certify(staff("Ana", **record), **({"begins": days(-30)} | certificate))
    assert barred() == [("Ana", BOOK, why, day)]
    assert names(TODAY) == []


@pytest.mark.parametrize(
    ("certificate", "record"),
    [
        ({}, {}),
        ({"ends": TODAY}, {}),
        ({"begins": TODAY}, {}),
        ({"state": "replaced"}, {}),
        ({}, {"left_on": TODAY}),
        # Who does not work here is told of only where they could deal if they did.
        ({"state": "suspended"}, {"left_on": days(-1)}),
        ({"ends": days(-1)}, {"left_on": days(-1)}),
    ],
)
def test_who_may_deal_or_does_not_matter_is_not_listed(certificate: dict[str, Any], record: dict[str, Any]) -> None:
    certify(staff("Ana", **record), **({"begins": days(-30)} | certificate))
    assert barred() == []


def test_a_newer_certificate_makes_up_for_an_old_one_and_only_for_its_games() -> None:
    ana = staff("Ana")
    certify(ana, begins=days(-800), ends=days(-70), scope=(BOOK, OTHER))
    certify(ana, begins=days(-30))
    assert barred() == [("Ana", OTHER, "expired", days(-70))]


def test_a_game_taken_off_a_certificate_is_told_of_from_that_day() -> None:
    held = certify(staff("Ana"), begins=days(-30), scope=(BOOK, OTHER))
    Certificate.objects.filter(pk=held.pk).update(scope=[BOOK])
    act(held, "reduce", days(-10), after="granted", scope=(BOOK,))
    assert barred() == [("Ana", OTHER, "reduced", None)]
    assert barred(days(-11)) == []
    assert barred(days(-31)) == []


def test_a_shift_is_asked_for_by_its_name(hr: Client) -> None:
    certify(staff("Ana", shift="Noite"))
    certify(staff("Rui", shift="Tarde"))
    certify(staff("Zoe", shift="Noite"), state="suspended")
    certify(staff("Eva", shift="Tarde"), state="suspended")
    assert [entry.name for entry in roster.entries(TODAY, shift="Noite")] == ["Ana"]
    assert [name for name, *_rest in barred(shift="Noite")] == ["Zoe"]
    page = hr.get("/hr/tonight/?shift=Noite").content.decode()
    assert ">Ana<" in page and ">Zoe<" in page
    assert ">Rui<" not in page and ">Eva<" not in page
    listed = json.loads(hr.get("/hr/tonight.json?shift=Noite").getvalue())
    assert [(row["name"], row["shift"]) for row in listed] == [("Ana", "Noite")]


def test_a_game_of_a_programme_in_force_that_nobody_may_deal_says_so(hr: Client) -> None:
    version = making.make_version()
    page = hr.get("/hr/tonight/").content.decode()
    assert page.count("Ninguém o pode dar.") == len(version.rules.rulebooks)


def test_the_print_names_house_and_hour_and_has_a_line_to_sign(hr: Client, settings: Any) -> None:
    settings.ISSUER_NAME = "Casino de Teste"
    certify()
    page = hr.get("/hr/tonight/").content.decode()
    for said in ("Casino de Teste", hr.person.name, "12:00", "Assinatura"):  # type: ignore[attr-defined]
        assert said in page


# ---- the page and the files


def test_page_csv_and_json_say_the_same(hr: Client) -> None:
    certify(staff("Ana", number="A-1", department="Banca"), ends=days(20))
    certify(staff("Rui"), scope=(BOOK, OTHER))
    certify(staff("Nunca"), state="suspended")
    query = f"?on={TODAY.isoformat()}"
    page = hr.get(f"/hr/tonight/{query}").content.decode()
    assert ">Nunca</a> (" in page
    assert "o certificado está suspenso" in page
    assert page.count(">Rui<") == 2
    listed = json.loads(hr.get(f"/hr/tonight.json{query}").getvalue())
    assert [(row["name"], row["rulebook"]) for row in listed] == [("Ana", BOOK), ("Rui", BOOK), ("Rui", OTHER)]
    assert listed[0]["until"] == days(20).isoformat()
    assert (listed[0]["staff_number"], listed[0]["department"], listed[0]["lapses_soon"]) == ("A-1", "Banca", True)
    text = hr.get(f"/hr/tonight.csv{query}").getvalue().decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text), delimiter=";"))[1:]
    assert [row[:2] for row in rows] == [[book_name(row["rulebook"], "pt"), row["name"]] for row in listed]


def test_one_game_and_a_date_in_the_address(hr: Client) -> None:
    certify(staff("Ana"), scope=(OTHER,))
    certify(staff("Rui"), begins=days(3))
    assert "Rui" in hr.get(f"/hr/tonight/?on={days(3).isoformat()}&rulebook={BOOK}").content.decode()
    assert "Ana" not in hr.get(f"/hr/tonight/?on={days(3).isoformat()}&rulebook={BOOK}").content.decode()
    assert ": o certificado começa em 19/11/2026" in hr.get("/hr/tonight/").content.decode()


def test_a_date_that_is_none_says_so_and_shows_today(hr: Client) -> None:
    certify(staff("Ana"))
    page = hr.get("/hr/tonight/?on=amanha")
    assert page.status_code == 422
    assert "Ana" in page.content.decode()


@pytest.mark.parametrize("file", ["csv", "json"])
@pytest.mark.parametrize("asked", ["shift=nunca", "rulebook=pt-nenhum", "on=ontem", "on=9999-12-31", "on=0001-01-01"])
def test_what_fits_nothing_makes_no_file_of_everybody(hr: Client, file: str, asked: str) -> None:
    certify(staff("Ana"))
    answer = hr.get(f"/hr/tonight.{file}?{asked}")
    assert answer.status_code == 422
    assert answer["Content-Type"].startswith("text/html")


def test_a_name_that_looks_like_a_formula_is_harmless_in_the_file(hr: Client) -> None:
    certify(staff('=HYPERLINK("http://x")'))
    assert "'=HYPERLINK" in hr.get("/hr/tonight.csv").getvalue().decode()


def test_the_page_asks_the_database_as_often_for_many_as_for_few(
    hr: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        certify(staff(f"Pessoa {number}"))
    with django_assert_max_num_queries(11):
        hr.get("/hr/tonight/")
