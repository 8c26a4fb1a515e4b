"""Files that HR gets regularly: made at their hour, told by mail, fetched by who signed in, ended with the role."""

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from exams.audit import words
from exams.audit.models import Entry
from exams.hr import exports, schedules
from exams.hr.models import Export, Schedule
from exams.hr.selectors import Filters
from tests.exams.staffing import NOON, TODAY, certify
from tests.factories import PersonFactory
from training.mail.models import Mail
from training.people.models import Role, RoleGrant, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


class Clock:
    now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any) -> Clock:
    made = Clock()
    monkeypatch.setattr("exams.clock.now", made)
    settings.VAR_DIR = tmp_path
    return made


@pytest.fixture
def clerk() -> User:
    return PersonFactory(roles=[Role.HR], language="en", name="Rita")


def at(day: date, hour: int = 6) -> datetime:
    return datetime.combine(day, time(hour), timezone.get_default_timezone())


def begin(clerk: User, every: str = "day", what: str = "certificates", **filters: Any) -> Schedule:
    return schedules.begin(clerk, what=what, format="xlsx", filters=Filters(**filters), every=every)


def test_an_archive_of_nothing_is_not_told_as_a_file(clerk: User, clock: Clock) -> None:
    schedules.begin(clerk, what="certificates", format="zip", filters=Filters(), every="day")
    clock.now = at(TODAY + timedelta(days=1))
    assert schedules.sweep() == 1
    export = Export.objects.get()
    assert exports.make(export.pk)
    export.refresh_from_db()
    assert export.has_nothing and exports.file_of(export) is None
    assert not Mail.objects.filter(person=clerk).exists()


def test_it_is_chosen_on_the_page_made_told_and_fetched(clerk: User, clock: Clock, client: Client) -> None:
    certify()
    client.force_login(clerk)
    sent = {"what": "certificates", "format": "xlsx", "every": "week", "query": "rulebook=pt-chemin-de-fer"}
    assert client.post("/hr/exports/", sent).status_code == 302
    assert not Export.objects.exists(), "its hour of today is over"
    page = client.get("/hr/exports/").content.decode()
    assert "every week" in page and "Portugal · chemin de fer" in page and "pt-chemin-de-fer" not in page
    clock.now = at(TODAY + timedelta(days=1))
    assert schedules.sweep() == 1 and schedules.sweep() == 0
    export = Export.objects.get()
    assert exports.make(export.pk)
    mail = Mail.objects.get(person=clerk)
    assert "/hr/exports/" in mail.body and str(export.pk) not in mail.body and "Dear Rita" in mail.body
    address = f"/hr/exports/{export.pk}/file/"
    assert client.get(address).getvalue()[:2] == b"PK"
    assert Client().get(address).status_code == 302, "who has not signed in is asked to"
    clock.now += timedelta(days=7) - timedelta(seconds=1)
    assert client.get(address).getvalue()
    clock.now += timedelta(seconds=1)
    assert client.get(address).status_code == 404
    told = [line.sentence for line in words.describe(Entry.objects.order_by("number"))]
    assert told == [
        "Rita asked for an export to be made regularly.",
        "The platform had an export made that Rita gets regularly.",
    ]


@pytest.mark.parametrize(
    ("every", "begun", "following"),
    [
        ("day", date(2026, 11, 16), [date(2026, 11, 17), date(2026, 11, 18)]),
        ("week", date(2026, 11, 16), [date(2026, 11, 17), date(2026, 11, 24)]),
        ("month", date(2027, 1, 31), [date(2027, 2, 1), date(2027, 3, 31), date(2027, 4, 30), date(2027, 5, 31)]),
    ],
)
def test_it_keeps_to_its_day_and_hour(
    clerk: User, clock: Clock, every: str, begun: date, following: list[date]
) -> None:
    clock.now = at(begun, 12)
    schedule = begin(clerk, every)
    for day in following:
        schedule.refresh_from_db()
        assert schedule.due_at == at(day)
        clock.now = at(day)
        assert schedules.sweep() == 1
        Export.objects.update(state="done")


def test_before_its_hour_it_is_made_the_same_day_and_what_was_missed_once(clerk: User, clock: Clock) -> None:
    clock.now = at(TODAY, 5)
    schedule = begin(clerk)
    assert schedule.due_at == at(TODAY)
    clock.now = at(TODAY + timedelta(days=9), 7)
    assert schedules.sweep() == 1
    schedule.refresh_from_db()
    assert (Export.objects.count(), schedule.due_at) == (1, at(TODAY + timedelta(days=10)))


@pytest.mark.parametrize("lost", ["role", "account"])
def test_it_ends_with_the_role_or_the_account(clerk: User, clock: Clock, lost: str) -> None:
    begin(clerk)
    if lost == "role":
        RoleGrant.objects.filter(user=clerk).delete()
    else:
        User.objects.filter(pk=clerk.pk).update(is_active=False)
    clock.now = at(TODAY + timedelta(days=1))
    assert schedules.sweep() == 1
    assert not Schedule.objects.exists() and not Export.objects.exists()
    assert Entry.objects.order_by("number").last().act == "schedule.stopped"


def test_while_others_are_being_made_it_waits(clerk: User, clock: Clock) -> None:
    begin(clerk)
    for _ in range(exports.MOST_AT_ONCE):
        exports.ask(clerk, what="people", format="csv", filters=Filters())
    clock.now = at(TODAY + timedelta(days=1))
    assert schedules.sweep() == 0
    Export.objects.update(state="done")
    assert schedules.sweep() == 1


def test_nobody_else_begins_or_stops_one_and_there_are_ten_at_most(clerk: User, client: Client) -> None:
    with pytest.raises(Refused):
        begin(PersonFactory(roles=[Role.INSTRUCTOR]))
    schedule = begin(clerk)
    client.force_login(PersonFactory(roles=[Role.HR]))
    address = f"/hr/exports/regular/{schedule.pk}/stop/"
    assert client.post(address).status_code == 404
    for number in range(schedules.MOST - 1):
        begin(clerk, within=number)
    with pytest.raises(Refused):
        begin(clerk, within=schedules.MOST)
    client.force_login(clerk)
    assert client.post(address).status_code == 302
    assert Schedule.objects.count() == schedules.MOST - 1


def test_the_same_file_is_set_up_once(clerk: User, client: Client) -> None:
    client.force_login(clerk)
    sent = {"what": "certificates", "format": "xlsx", "every": "week", "query": "rulebook=pt-chemin-de-fer"}
    assert client.post("/hr/exports/", sent).status_code == 302
    again = client.post("/hr/exports/", sent)
    assert again.status_code == 422 and "already get this file" in again.content.decode()
    User.objects.filter(pk=clerk.pk).update(language="pt")
    assert "Já recebe este ficheiro" in client.post("/hr/exports/", sent).content.decode()
    for other in ({"format": "csv"}, {"every": "day"}, {"query": ""}, {"what": "people"}):
        assert client.post("/hr/exports/", sent | other).status_code == 302
    begin(PersonFactory(roles=[Role.HR]), "week", rulebook="pt-chemin-de-fer")
    assert Schedule.objects.count() == 6
