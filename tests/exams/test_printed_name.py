"""The name on a certificate is the one that the candidate was entered under; an invigilator compares it."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from exams.audit.models import Entry
from exams.certificates import issuance
from exams.certificates.issuance import HeldBack
from exams.invigilation import acts
from exams.records.models import Event, Sitting
from exams.sittings import sitting
from tests.exams import making
from tests.exams.certifying import add_result, make_result
from tests.exams.staff_lists import confirm, send
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


def test_who_is_entered_by_a_list_is_logged_with_all_it_says(signed_in: Callable[..., Client]) -> None:
    hr = signed_in(Role.HR)
    list_of_one = "nome;e-mail;número;entrada\nAna Prates;ana@casa.example;A-7;01/02/2020\n"
    send(hr, list_of_one)
    confirm(hr)
    entered = User.objects.get(email="ana@casa.example")
    logged = Entry.objects.get(act="staff.changed", subject=f"person:{entered.pk}")
    assert logged.details["changes"] == {
        "name": [None, "Ana Prates"],
        "email": [None, "ana@casa.example"],
        "staff_number": [None, "A-7"],
        "joined_on": [None, "2020-02-01"],
    }


def test_a_sitting_keeps_the_name_it_was_begun_under() -> None:
    candidate = making.enter(making.make_session(), person=PersonFactory(name="Carla Costa"))
    begun = sitting.begin(candidate, "SABOT-7", device="one", now=timezone.now())
    assert begun.name == "Carla Costa"
    with pytest.raises(IntegrityError, match="a sitting keeps the name it was started with"), transaction.atomic():
        Sitting.objects.filter(pk=begun.pk).update(name="Falsa Fulana")


def test_the_invigilator_compares_the_name_once_and_it_is_logged() -> None:
    session = making.make_session()
    begun = making.start(making.enter(session))
    for _twice in range(2):
        acts.check_identity(begun, name=begun.name, by=session.created_by, now=timezone.now())
    event = Event.objects.get(sitting=begun, kind=Event.Kind.IDENTITY)
    assert (event.by, event.text) == (session.created_by, begun.name)
    assert Entry.objects.get(act="sitting.identity_checked").details == {"event": event.pk}
    with pytest.raises(Refused, match=r"Só os vigilantes|Only the invigilators"):
        acts.check_identity(begun, name=begun.name, by=PersonFactory(roles=[Role.HR]), now=timezone.now())


def test_without_that_neither_the_rule_nor_one_of_hr_gives_a_certificate() -> None:
    passed = make_result(making.make_version(), identified=False)
    with pytest.raises(HeldBack, match=r"vigilante|invigilator"):
        issuance.verify_issue(issuance.results().get(pk=passed.pk), None)
    assert issuance.follow(passed.pk) is None
    officer = PersonFactory(roles=[Role.HR])
    with pytest.raises(HeldBack, match=r"vigilante|invigilator"):
        issuance.issue(result=passed, actor=officer, reason="Identidade confirmada por documento.")


def test_once_it_is_checked_the_rule_gives_it() -> None:
    version = making.make_version()
    passed = make_result(version, identified=False)
    acts.check_identity(
        passed.sitting, name=passed.sitting.name, by=version.author, now=timezone.now(), reason="Só agora"
    )
    assert issuance.follow(passed.pk) is not None
    again = add_result(passed.sitting)
    assert issuance.follow(again.pk) is None  # one certificate for a sitting


def test_the_page_of_the_sitting_asks_for_it(signed_in: Callable[..., Client]) -> None:
    session = making.make_session()
    begun = making.start(making.enter(session))
    client = Client()
    client.force_login(session.created_by)
    page = f"/exams/sessions/{session.pk}/live/{begun.pk}/"
    assert 'value="identity"' in client.get(page).content.decode()
    assert client.post(f"{page}act/", {"act": "identity", "name": begun.name}).status_code == 302
    assert 'value="identity"' not in client.get(page).content.decode()
