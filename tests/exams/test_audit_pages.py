"""The audit log on its page and as a file: in words, filtered by day, person, act and thing, in as many queries
however long."""

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from exams.audit import files, selectors
from exams.audit.models import Entry
from exams.audit.services import record, verify
from exams.certificates import services as certificates
from tests.exams import certifying, making
from tests.factories import PersonFactory
from training.people.models import Role


@pytest.fixture
def administrator(db: None) -> Client:
    client = Client()
    client.force_login(PersonFactory(roles=[Role.ADMINISTRATOR], language="en"))
    return client


def shown(client: Client, **query: str) -> list[int]:
    response = client.get(reverse("audit"), query)
    assert response.status_code == 200
    return [told.entry.number for told in response.context["rows"]]


def test_filters(administrator: Client) -> None:
    ines, rui = PersonFactory(name="Inês Varela"), PersonFactory(name="Rui Sá", is_active=False)
    record(ines, "programme.created", "programme:1", code="CDF")
    record(rui, "programme.published", "programme:1")
    record(None, "sitting.closed", "sitting:1", by="time")
    assert shown(administrator) == [3, 2, 1]
    assert shown(administrator, act="programme.created") == [1]
    assert shown(administrator, person="ines") == [1]
    assert shown(administrator, person="sá") == [2]
    assert shown(administrator, subject="programme:1") == [2, 1]
    assert shown(administrator, subject="programme:") == []
    assert shown(administrator, act="programme.published", subject="sitting:1") == []
    assert shown(administrator, person="nobody of this name") == []


@pytest.mark.parametrize(
    ("query", "named", "told"),
    [
        ({"act": "no.such.act"}, "What was done", "no.such.act is not one"),
        ({"since": "ontem", "act": "programme.created"}, "From", "“ontem” is not a date."),
        ({"until": "2026-13-01"}, "Until", "“2026-13-01” is not a date."),
        ({"until": "9999-12-31"}, "Until", "Choose a day in the years 1900 to 2199."),
        ({"since": "0001-01-01"}, "From", "Choose a day in the years 1900 to 2199."),
        ({"person": "a" * 101}, "Name or e-mail", "a" * 101),
        ({"subject": "a" * 81}, "only what was done to one thing", "a" * 81),
    ],
)
def test_a_filter_that_fits_nothing_is_told_and_shows_nothing(
    administrator: Client, query: dict[str, str], named: str, told: str
) -> None:
    record(None, "programme.created", "programme:1", code="CDF")
    page = administrator.get(reverse("audit"), query)
    assert page.status_code == 422 and page.context["rows"] == []
    assert f"Filters that cannot be used: {named}." in page.content.decode() and told in page.content.decode()
    assert "Nothing has been done yet" not in page.content.decode()
    file = administrator.get(reverse("audit_csv"), query)
    assert file.status_code == 422 and "Content-Disposition" not in file.headers


def test_a_person_is_found_by_what_was_done_about_them_too(administrator: Client) -> None:
    ines, hr = PersonFactory(name="Inês Varela"), PersonFactory(roles=[Role.HR])
    held = certifying.make_certificate(person=ines)
    sitting = making.start(making.enter(making.make_session(), ines))
    first = selectors.end().number
    certificates.suspend(certificate=held, actor=hr, reason="Faltou.")
    record(hr, "sitting.noted", f"sitting:{sitting.pk}")
    record(hr, "session.candidate_entered", "session:1", people=[7777, ines.pk])
    record(hr, "session.extra_time", "session:1", person=ines.pk)
    record(hr, "session.extra_time", "session:1", person=7777)
    record(hr, "session.candidate_entered", "session:1", people=[7777])
    record(hr, "person.closed", f"person:{ines.pk}7")
    found = [number for number in shown(administrator, person="Inês") if number > first]
    assert found == [first + 4, first + 3, first + 2, first + 1]


def test_words_that_fit_too_many_people_are_told_so(administrator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MOST_PEOPLE", 2)
    for name in ("Ana Rosa", "Ana Luz", "Ana Mar"):
        PersonFactory(name=name)
    page = administrator.get(reverse("audit"), {"person": "ana"})
    assert (page.status_code, page.context["rows"]) == (422, [])
    assert "More than 2 people match." in page.content.decode()
    assert "More than" not in administrator.get(reverse("audit"), {"person": "ana luz"}).content.decode()


@pytest.mark.parametrize(
    ("since", "until", "numbers"),
    [
        ("2026-11-15", "", [3, 2]),
        ("2026-11-16", "", [3]),
        ("", "2026-11-15", [2, 1]),
        ("", "2026-11-14", [1]),
        ("2026-11-15", "2026-11-15", [2]),
        ("2026-11-17", "", []),
    ],
)
def test_days_are_those_of_the_reader(
    administrator: Client, monkeypatch: pytest.MonkeyPatch, since: str, until: str, numbers: list[int]
) -> None:
    # The last second of the 14th in Lisbon, the first of the 15th, and the first of the 16th.
    for moment in (
        datetime(2026, 11, 14, 23, 59, 59, tzinfo=UTC),
        datetime(2026, 11, 15, 0, 0, 0, tzinfo=UTC),
        datetime(2026, 11, 16, 0, 0, 0, tzinfo=UTC),
    ):
        monkeypatch.setattr("exams.clock.now", lambda moment=moment: moment)
        record(None, "staff.imported", "staff")
    assert shown(administrator, since=since, until=until) == numbers


def test_an_entry_is_a_sentence_and_shows_no_code(administrator: Client) -> None:
    ana = PersonFactory(name="Ana <b>Gil</b>")
    record(None, "staff.changed", f"person:{ana.pk}", changes={"department": ["<i>Sala</i>", "Banca"]})
    page = administrator.get(reverse("audit")).content.decode()
    assert "The platform changed the record of Ana &lt;b&gt;Gil&lt;/b&gt;." in page
    assert "&lt;i&gt;Sala&lt;/i&gt;" in page
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    assert "staff.changed" not in body
    assert f">person:{ana.pk}<" not in body


def test_a_file_has_what_the_page_shows_and_is_on_record(administrator: Client) -> None:
    ana = PersonFactory(name="=Ana")
    record(None, "staff.imported", "staff", entered=1, changed=2)
    record(None, "staff.changed", f"person:{ana.pk}", changes={"department": ["Sala", "Banca"]})
    text = administrator.get(reverse("audit_csv"), {"act": "staff.changed"}).content.decode("utf-8-sig")
    titles, row = csv.reader(io.StringIO(text, newline=""))
    told = dict(zip(titles, row, strict=True))
    assert (told["No."], told["Action"]) == ("2", "Staff: record changed")
    assert told["What was done"] == "The platform changed the record of =Ana."
    assert told["Details"] == "Department: Sala → Banca"
    assert told["Seal"] == Entry.objects.get(number=2).digest
    sheet: Any = load_workbook(io.BytesIO(administrator.get(reverse("audit_xlsx")).content)).active
    assert [row[0] for row in sheet.iter_rows(min_row=2, values_only=True)] == [3, 2, 1]
    assert isinstance(sheet["B2"].value, datetime)
    exported = Entry.objects.filter(act="audit.exported").order_by("number")
    assert [entry.details for entry in exported] == [{"entries": 1, "format": "csv"}, {"entries": 3, "format": "xlsx"}]
    assert list(verify()) == []


def test_a_file_that_would_be_too_long_is_refused_in_words(
    administrator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST", 2)
    for _again in range(2):
        record(None, "staff.imported", "staff")
    assert administrator.get(reverse("audit_csv")).status_code == 200  # and leaves a third entry
    response = administrator.get(reverse("audit_csv"))
    assert response.status_code == 422
    assert "More than 2 entries match." in response.content.decode()


def test_pages_of_fifty_with_the_same_queries(administrator: Client, django_assert_max_num_queries: Any) -> None:
    for _again in range(3):
        record(PersonFactory(), "staff.changed", f"person:{PersonFactory().pk}")
    with django_assert_max_num_queries(12) as few:
        assert shown(administrator) == [3, 2, 1]
    for _again in range(48):
        record(PersonFactory(), "staff.changed", f"person:{PersonFactory().pk}")
    with django_assert_max_num_queries(len(few)):
        assert shown(administrator) == list(range(51, 1, -1))
    assert shown(administrator, page="2", act="staff.changed") == [1]


def test_an_empty_log_says_so(administrator: Client) -> None:
    assert "Nothing has been done yet" in administrator.get(reverse("audit")).content.decode()
