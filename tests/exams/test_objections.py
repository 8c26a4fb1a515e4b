"""Objections and complaints: what can be contested until when, who decides, and what the letters say."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from exams import clock
from exams.appeals import objections
from exams.appeals.hooks import LODGE_WITHIN
from exams.appeals.models import Objection
from exams.audit.models import Entry
from exams.certificates import services, withdrawal
from exams.certificates.models import Act, Certificate
from tests.exams.certifying import make_certificate
from tests.exams.naming import browser_of
from tests.factories import PersonFactory
from training.classes.models import Taught
from training.mail.models import Mail
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
TEXT = "A suspensão assenta num dia em que estive de baixa."
REPLY = "A baixa está provada: o certificado é reposto."


@pytest.fixture
def hr() -> User:
    return PersonFactory(roles=[Role.HR], name="Teresa Alvim")


@pytest.fixture
def suspended(hr: User) -> Certificate:
    return services.suspend(certificate=make_certificate(), actor=hr, reason="Faltou.")


def lodge(certificate: Certificate) -> Objection:
    act = Act.objects.filter(certificate=certificate, kind__in=["suspend", "withdraw"]).latest("number")
    kind = {"suspend": "suspension", "withdraw": "withdrawal"}[act.kind]
    return objections.lodge(certificate.holder, kind, str(act.pk), TEXT)


def test_a_suspension_is_contested_and_decided_by_pages_alone(suspended: Certificate, hr: User) -> None:
    letter = Mail.objects.filter(person=suspended.holder).latest("written_at")
    assert "/appeals/objections/own/" in letter.body and "30 dias" in letter.body
    own = browser_of(suspended.holder)
    page = own.get("/appeals/objections/own/").content.decode()
    assert suspended.number in page
    act = Act.objects.get(certificate=suspended, kind="suspend")
    sent = {"about": f"suspension:{act.pk}", "text": TEXT}
    assert own.post("/appeals/objections/own/", sent).status_code == 302
    found = Objection.objects.get()
    assert found.decide_by - found.lodged_at == objections.DECIDE_WITHIN and found.doers == [hr.pk]
    reviewer = PersonFactory(roles=[Role.INSTRUCTOR], name="Ivo Justo")
    address = f"/appeals/objections/{found.pk}/"
    assert TEXT in browser_of(reviewer).get(address).content.decode()
    answer = browser_of(reviewer).post(address, {"upheld": "1", "reply": REPLY})
    assert answer.status_code == 302
    found.refresh_from_db()
    assert (found.state, found.reviewer) == ("upheld", reviewer)
    told = Mail.objects.filter(person=suspended.holder).latest("written_at").body
    assert REPLY in told and "deferido" in told
    assert REPLY in Mail.objects.filter(person=hr).latest("written_at").body
    assert [entry.act for entry in Entry.objects.filter(subject=f"objection:{found.pk}").order_by("number")] == [
        "objection.lodged",
        "objection.upheld",
    ]
    assert own.post("/appeals/objections/own/", sent).status_code == 422, "once"


@pytest.mark.parametrize(("late", "may"), [(timedelta(0), True), (timedelta(seconds=1), False)])
def test_the_time_to_contest_ends(
    suspended: Certificate, monkeypatch: pytest.MonkeyPatch, late: timedelta, may: bool
) -> None:
    act = Act.objects.get(certificate=suspended, kind="suspend")
    moment = act.at + LODGE_WITHIN - timedelta(seconds=1) + late
    monkeypatch.setattr(clock, "now", lambda: moment)
    assert bool(objections.contestable(suspended.holder, moment)) is may
    if not may:
        with pytest.raises(Refused):
            lodge(suspended)


def test_nobody_contests_what_is_somebody_elses_or_over(suspended: Certificate, hr: User) -> None:
    act = Act.objects.get(certificate=suspended, kind="suspend")
    with pytest.raises(Refused):
        objections.lodge(PersonFactory(), "suspension", str(act.pk), TEXT)
    with pytest.raises(Refused):
        objections.lodge(suspended.holder, "withdrawal", str(act.pk), TEXT)
    services.reinstate(certificate=suspended, actor=hr, reason="Engano.")
    with pytest.raises(Refused):
        objections.lodge(suspended.holder, "suspension", str(act.pk), TEXT)


def test_who_is_involved_does_not_decide(suspended: Certificate, hr: User) -> None:
    found = lodge(suspended)
    holder = suspended.holder
    assert suspended.result
    session = suspended.result.sitting.candidate.session
    teacher = PersonFactory(roles=[Role.INSTRUCTOR])
    Taught.objects.create(trainee=holder, teacher=teacher)
    both = PersonFactory(roles=[Role.INSTRUCTOR, Role.HR])
    signer = PersonFactory(roles=[Role.ADMINISTRATOR])
    withdrawn = withdrawal.confirm(withdrawal.ask(suspended, by=both, reason="Provado."), by=signer)
    other = lodge(withdrawn)
    with pytest.raises(Refused, match="ato seu"):
        objections.decide(other, signer, upheld=False, reply=REPLY)
    for person in (hr, teacher, session.created_by, holder):
        with pytest.raises(Refused):
            objections.decide(found, person, upheld=False, reply=REPLY)
    with pytest.raises(Refused, match="ato seu"):
        objections.decide(other, both, upheld=False, reply=REPLY)
    assert teacher not in objections.who_may(found)
    page = browser_of(teacher).get(f"/appeals/objections/{found.pk}/").content.decode()
    assert TEXT not in page and holder.name not in page
    assert (
        browser_of(teacher).post(f"/appeals/objections/{found.pk}/", {"upheld": "0", "reply": REPLY}).status_code == 403
    )


def test_a_failed_result_an_annulment_and_an_entry_that_never_was_can_be_contested() -> None:
    from exams.results.models import Annulment
    from tests.exams import making

    person, examiner = PersonFactory(), PersonFactory(roles=[Role.INSTRUCTOR])
    certificate = make_certificate(making.make_version(), person)
    result = certificate.result
    assert result
    now = clock.now()
    Annulment.objects.create(
        sitting=result.sitting,
        remedy="annulled",
        reason="x",
        by_two=False,
        asked_by=examiner,
        asked_at=now,
        decided_by=examiner,
        decided_at=now,
        accepted=True,
    )
    making.enter(making.make_session(), person=person)
    kinds = {one.kind for one in objections.contestable(person, now + timedelta(days=2))}
    assert "annulment" in kinds and "refused_entry" in kinds


def test_complaints_need_nothing_and_are_limited(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.TRAINEE)
    for number in range(objections.MOST_COMPLAINTS + 1):
        answer = client.post("/appeals/objections/own/", {"about": "complaint:", "text": TEXT})
        assert answer.status_code == (302 if number < objections.MOST_COMPLAINTS else 422)
    assert client.post("/appeals/objections/own/", {"about": "complaint:", "text": "curto"}).status_code == 422
    assert [one.number for one in Objection.objects.order_by("number")] == [1, 2, 3, 4, 5]


def test_the_database_keeps_what_was_lodged_and_decided(suspended: Certificate) -> None:
    found = lodge(suspended)
    changes: tuple[dict[str, Any], ...]
    changes = ({"text": "outro"}, {"person": PersonFactory()}, {"doers": []}, {"decide_by": clock.now()})
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            Objection.objects.filter(pk=found.pk).update(**change)
    objections.decide(found, PersonFactory(roles=[Role.ADMINISTRATOR]), upheld=False, reply=REPLY)
    for change in ({"state": "upheld"}, {"reply": "outra"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Objection.objects.filter(pk=found.pk).update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        found.delete()
