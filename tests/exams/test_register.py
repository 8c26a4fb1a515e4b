"""The public register: who wants to stands in it, with three things told and no way to more."""

from typing import Any

import pytest
from django.test import Client

from exams.audit.models import Entry
from exams.certificates import register, services
from exams.certificates.models import Certificate, Registration
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory, second_person
from training.people.models import Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def certificate(db: None) -> Certificate:
    return make_certificate(person=PersonFactory(name="Inês Conceição", email="ines@casino.example", language="en"))


def shown(name: str = "", **headers: Any) -> str:
    return Client().get("/register/", {"name": name} if name else {}, **headers).content.decode()


def test_nobody_stands_in_it_who_has_not_joined(certificate: Certificate) -> None:
    assert "Inês" not in shown()
    register.join(certificate.holder)
    page = shown()
    assert "Inês Conceição" in page
    for secret in (certificate.code, certificate.number, str(certificate.pk), "ines@casino", "document.pdf"):
        assert secret not in page
    register.leave(certificate.holder)
    assert "Inês" not in shown()
    assert not Registration.objects.exists()


def test_joining_and_leaving_twice_is_once_on_record(certificate: Certificate) -> None:
    for act in (register.join, register.join, register.leave, register.leave):
        act(certificate.holder)
    acts = Entry.objects.filter(act__startswith="register.").order_by("number").values_list("act", "actor")
    assert list(acts) == [(f"register.{what}", certificate.holder_id) for what in ("joined", "left")]


def test_the_standing_is_that_of_today(certificate: Certificate) -> None:
    register.join(certificate.holder)
    assert 'class="badge good"' in shown()
    services.withdraw(
        certificate=certificate, actor=PersonFactory(roles=[Role.HR]), second=second_person(), reason="Reservado"
    )
    page = shown()
    assert 'class="badge bad"' in page
    assert "Reservado" not in page
    new = make_certificate(person=certificate.holder)
    make_certificate(new.programme_version, certificate.holder)
    assert shown().count("<tr>") == 1 + 2, "what was replaced is told by what replaced it"


def test_whose_account_is_closed_is_not_shown(certificate: Certificate) -> None:
    register.join(certificate.holder)
    User.objects.filter(pk=certificate.holder_id).update(is_active=False)
    assert "Inês" not in shown()


@pytest.mark.parametrize(("asked", "found"), [("ines", True), ("CONCEICAO inês", True), ("rui", False), ("%", False)])
def test_a_name_is_found_however_it_is_typed(certificate: Certificate, asked: str, found: bool) -> None:
    register.join(certificate.holder)
    assert ("Inês Conceição" in shown(asked)) is found


def test_it_is_slowed_down_like_the_check_and_kept_by_no_archive(settings: Any) -> None:
    settings.CHECK_RATE = 2
    client = Client()
    answers = [client.get("/register/") for _each in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "noindex" in answers[0].headers["X-Robots-Tag"]


def test_the_holder_joins_and_leaves_by_a_button(client: Client, certificate: Certificate) -> None:
    client.force_login(certificate.holder)
    assert "Join the register" in client.get("/certificates/").content.decode()
    client.post("/certificates/register/", {"join": "1"})
    assert register.has_joined(certificate.holder)
    assert "Leave the register" in client.get("/certificates/").content.decode()
    client.post("/certificates/register/", {"leave": "1"})
    assert not register.has_joined(certificate.holder)
    assert client.post("/certificates/register/", {}).status_code == 302
    assert not register.has_joined(certificate.holder)
