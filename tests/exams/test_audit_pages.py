"""The audit log on its page: filtered by act, person and subject, page by page, in as many queries however long."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exams.audit.services import record
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
    return [entry.number for entry, _details in response.context["rows"]]


def test_filters(administrator: Client) -> None:
    ines, rui = PersonFactory(name="Inês Varela"), PersonFactory(name="Rui Sá", is_active=False)
    record(ines, "programme.created", "programme:1", code="CDF")
    record(rui, "programme.published", "programme:1")
    record(None, "sitting.closed", "sitting:1", why="time")
    assert shown(administrator) == [3, 2, 1]
    assert shown(administrator, act="programme.created") == [1]
    assert shown(administrator, person="ines") == [1]
    assert shown(administrator, person="sá") == [2]
    assert shown(administrator, subject="programme:") == [2, 1]
    assert shown(administrator, act="programme.published", subject="sitting:") == []
    assert shown(administrator, person="nobody of this name") == []
    # What makes no sense is left out.
    assert shown(administrator, act="no.such.act") == [3, 2, 1]


def test_an_entry_says_who_did_what_to_what(administrator: Client) -> None:
    record(None, "sitting.closed", "sitting:<1>", why="<b>time</b>", numbers=[1, 2])
    page = administrator.get(reverse("audit")).content.decode()
    for said in ("sitting.closed", "sitting:&lt;1&gt;", "&lt;b&gt;time&lt;/b&gt;", "[1, 2]", "the platform"):
        assert said in page


def test_pages_of_fifty_with_the_same_queries(administrator: Client, django_assert_max_num_queries: Any) -> None:
    for number in range(3):
        record(PersonFactory(), "test.done", f"thing:{number}")
    with django_assert_max_num_queries(12) as few:
        assert shown(administrator) == [3, 2, 1]
    for number in range(48):
        record(PersonFactory(), "test.done", f"thing:{number}")
    with django_assert_max_num_queries(len(few)):
        assert shown(administrator) == list(range(51, 1, -1))
    assert shown(administrator, page="2", subject="thing:") == [1]


def test_an_empty_log_says_so(administrator: Client) -> None:
    assert "Nothing was done yet" in administrator.get(reverse("audit")).content.decode()
