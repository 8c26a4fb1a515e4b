"""A name is changed by two people, and what was printed in another one is issued anew."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from exams.audit.models import Entry
from exams.certificates import issuance, name_correction, services
from exams.certificates.models import Certificate
from exams.records.models import NameCorrection
from tests.exams import making
from tests.exams.certifying import make_certificate, make_result
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.people.second_signature import NotASecondPerson
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
RIGHT = "Carla Costa Prates"


def hr() -> User:
    return PersonFactory(roles=[Role.HR])


@pytest.fixture
def held() -> Certificate:
    return make_certificate(person=PersonFactory(name="Carla Costa"))


def asked(certificate: Certificate, by: User | None = None) -> NameCorrection:
    return name_correction.ask(certificate.holder, by=by or hr(), name=RIGHT, reason="Cartão de cidadão.")


def sign_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_two_people_correct_a_name_and_the_certificate_is_issued_anew(held: Certificate) -> None:
    one, two = hr(), PersonFactory(roles=[Role.ADMINISTRATOR])
    sent = {"name": f"  {RIGHT} ", "reason": "Cartão de cidadão."}
    assert sign_in(one).post(f"/people/{held.holder_id}/printed-name/", sent).status_code == 302
    held.refresh_from_db()
    assert held.state == "granted"  # nothing yet
    waiting = NameCorrection.objects.get()
    sign_in(two).post(f"/people/names/{waiting.pk}/", {"confirm": "yes"})

    held.refresh_from_db()
    new = Certificate.objects.get(replaces=held)
    assert (held.state, held.holder_name) == ("replaced", "Carla Costa")
    assert (new.state, new.holder_name, new.scope, new.result) == ("granted", RIGHT, held.scope, held.result)
    assert (new.valid_from, new.valid_until) == (held.valid_from, held.valid_until)
    assert len({held.number, new.number, held.code, new.code}) == 4
    assert [act.kind for act in held.acts.all()] == ["grant", "correct"]
    assert User.objects.get(pk=held.holder_id).name == RIGHT

    entry = Entry.objects.get(act="name.corrected")
    assert (entry.actor, entry.subject) == (two, f"person:{held.holder_id}")
    assert entry.details == {
        "changes": {"printed name": [["Carla Costa"], RIGHT], "name": ["Carla Costa", RIGHT]},
        "asked_by": one.pk,
        "certificates": [[held.number, new.number]],
    }
    public = Client().get(reverse("check_code", args=[held.code])).content.decode()
    assert "substituído" in public


def test_who_asks_does_not_confirm(held: Certificate) -> None:
    one = PersonFactory(roles=[Role.HR, Role.ADMINISTRATOR])
    waiting = asked(held, one)
    sign_in(one).post(f"/people/names/{waiting.pk}/", {"confirm": "yes"})
    with pytest.raises(NotASecondPerson):
        name_correction.confirm(waiting, by=one)
    assert Certificate.objects.get().holder_name == "Carla Costa"
    with pytest.raises(IntegrityError), transaction.atomic():  # and the database holds it
        NameCorrection.objects.filter(pk=waiting.pk).update(accepted=True, decided_by=one)


def test_nobody_corrects_their_own_name(held: Certificate) -> None:
    for role in (Role.HR, Role.ADMINISTRATOR):
        held.holder.role_grants.create(role=role)
    with pytest.raises(Refused, match="Ninguém pode mudar o próprio nome"):
        asked(held, held.holder)
    waiting = asked(held)
    for act in (name_correction.confirm, name_correction.refuse):
        with pytest.raises(Refused, match="Ninguém pode mudar o próprio nome"):
            act(waiting, by=held.holder)


def test_an_accomplice_who_lost_the_role_does_not_confirm(held: Certificate) -> None:
    waiting, two = asked(held), hr()
    two.role_grants.all().delete()
    with pytest.raises(Refused, match="Só os recursos humanos"):
        name_correction.confirm(waiting, by=two)


def test_a_correction_is_decided_once(held: Certificate) -> None:
    waiting = asked(held)
    name_correction.confirm(waiting, by=hr())
    for act in (name_correction.confirm, name_correction.refuse):
        with pytest.raises(Refused, match="já está decidida"):
            act(waiting, by=hr())
    assert Certificate.objects.count() == 2


def test_what_is_refused_leaves_everything(held: Certificate) -> None:
    waiting = asked(held)
    name_correction.refuse(waiting, by=hr())
    assert Certificate.objects.get().holder_name == "Carla Costa"
    assert asked(held).pk != waiting.pk  # it may be asked for again


def test_only_one_correction_waits_and_only_of_another_name(held: Certificate) -> None:
    with pytest.raises(name_correction.UnfitName, match="outro nome"):
        name_correction.ask(held.holder, by=hr(), name="Carla  Costa", reason="Nada.")
    asked(held)
    with pytest.raises(Refused, match="já espera"):
        asked(held)


def test_a_suspended_certificate_is_decided_about_first(held: Certificate) -> None:
    waiting = asked(held)
    services.suspend(certificate=held, actor=hr(), reason="Inquérito.")
    with pytest.raises(Refused, match="suspenso"):
        name_correction.confirm(waiting, by=hr())
    assert NameCorrection.objects.get().decided_at is None


def test_what_is_issued_later_of_an_earlier_exam_has_the_corrected_name(held: Certificate) -> None:
    by_hr = making.make_version(making.make_rules(certificate="by_hr"))
    passed = make_result(by_hr, held.holder)
    name_correction.confirm(asked(held), by=hr())
    made = issuance.issue(result=passed, actor=hr(), reason="Aprovada.")
    assert made.holder_name == RIGHT


def test_the_sweep_issues_nothing_again_after_a_correction(held: Certificate) -> None:
    name_correction.confirm(asked(held), by=hr())
    assert held.result_id is not None
    assert issuance.follow(held.result_id) is None
    assert issuance.sweep() == 0
    assert Certificate.objects.count() == 2
