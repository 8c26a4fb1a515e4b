"""Objections and complaints: what can be contested until when, who decides, and what the letters say."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from exams import clock
from exams.appeals import objections
from exams.appeals.hooks import LODGE_WITHIN
from exams.appeals.models import Objection
from exams.appeals.waiting import objections_waiting
from exams.audit.models import Entry
from exams.certificates import services, withdrawal
from exams.certificates.models import Act, Certificate
from exams.exam_sessions import candidacy
from exams.sittings import sitting
from exams.worklist import work_of_exams
from tests.exams import making
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


def test_an_upheld_objection_waits_for_whoever_must_act(suspended: Certificate, hr: User) -> None:
    found = lodge(suspended)
    reviewer = PersonFactory(roles=[Role.INSTRUCTOR])
    assert [one.kind for one in work_of_exams(reviewer, clock.now()) if one.count] == ["objections"]
    objections.decide(found, reviewer, upheld=True, reply=REPLY)
    waiting = {one.kind: one.count for one in work_of_exams(hr, clock.now())}
    assert waiting["objections_to_do"] == 1
    assert {one.kind: one.count for one in work_of_exams(reviewer, clock.now())}["objections_to_do"] == 0
    address = f"/appeals/objections/{found.pk}/"
    browser = browser_of(hr)
    assert f"{address}done/" in browser.get(address).content.decode()
    assert (
        browser_of(PersonFactory(roles=[Role.ADMINISTRATOR])).post(f"{address}done/", {"done": REPLY}).status_code
        == 422
    )
    answer = browser.post(f"{address}done/", {"done": "curto"})
    assert answer.status_code == 422 and "curto" in answer.content.decode()
    assert browser.post(f"{address}done/", {"done": "O certificado foi reposto em vigor."}).status_code == 302
    found.refresh_from_db()
    assert (found.done_by, found.done) == (hr, "O certificado foi reposto em vigor.")
    assert "reposto em vigor" in Mail.objects.filter(person=suspended.holder).latest("written_at").body
    assert {one.kind: one.count for one in work_of_exams(hr, clock.now())}["objections_to_do"] == 0
    assert browser.post(f"{address}done/", {"done": "Outra vez, que não faz falta."}).status_code == 422
    with pytest.raises(DatabaseError), transaction.atomic():
        Objection.objects.filter(pk=found.pk).update(done="outra")


def test_whether_something_waits_takes_no_more_queries_for_many(suspended: Certificate) -> None:
    reviewer = PersonFactory(roles=[Role.INSTRUCTOR])
    for _number in range(4):
        objections.lodge(PersonFactory(), "complaint", "", TEXT)
    with CaptureQueriesContext(connection) as few:
        objections_waiting(reviewer, clock.now())
    for _number in range(4):
        objections.lodge(PersonFactory(), "complaint", "", TEXT)
    with CaptureQueriesContext(connection) as many:
        objections_waiting(reviewer, clock.now())
    assert len(many) <= len(few)


def test_somebody_refused_entry_can_contest_it_and_cannot_begin() -> None:
    session = making.make_session()
    candidate = making.enter(session)
    by = PersonFactory(roles=[Role.INSTRUCTOR])
    session.invigilators.add(by)
    room, why = f"/exams/sessions/{session.pk}/live/", "Não trouxe documento de identificação."
    browser = browser_of(by)
    assert str(candidate.pk) in browser.get(room).content.decode()
    empty = browser.post(f"{room}door/", {"candidate": str(candidate.pk), "reason": " "})
    assert empty.status_code == 422
    assert browser.post(f"{room}door/", {"candidate": "nobody", "reason": why}).status_code == 422
    assert browser.post(f"{room}door/", {"candidate": str(candidate.pk), "reason": why}).status_code == 302
    with pytest.raises(Refused, match="documento"):
        sitting.begin(candidate, session.access_code, device="own", now=clock.now())
    told = Mail.objects.filter(person=candidate.person).latest("written_at").body
    assert why in told and "/appeals/objections/own/" in told
    [one] = objections.contestable(candidate.person, clock.now())
    assert one.kind == "refused_entry" and one.doers == {by.pk, session.created_by_id}
    found = objections.lodge(candidate.person, one.kind, one.key, TEXT)
    with pytest.raises(Refused):
        objections.decide(found, by, upheld=False, reply=REPLY)
    assert {entry.act for entry in Entry.objects.filter(subject=f"candidate:{candidate.pk}")} == {"candidate.refused"}
    assert browser.post(f"{room}door/", {"candidate": str(candidate.pk), "admit": "yes"}).status_code == 302
    assert sitting.begin(candidate, session.access_code, device="own", now=clock.now())
    late = making.start(making.enter(session))
    refused = browser.post(f"{room}door/", {"candidate": str(late.candidate_id), "reason": why})
    assert refused.status_code == 422, "nobody who has begun is refused entry"


def test_somebody_removed_can_contest_it_until_they_are_entered_again() -> None:
    session = making.make_session(state="draft")
    candidate = making.enter(session)
    person = candidate.person
    candidacy.remove(session, candidate.pk, session.created_by)
    [one] = objections.contestable(person, clock.now())
    assert one.kind == "refused_entry" and session.created_by_id in one.doers
    candidacy.enter(session, person, session.created_by)
    assert objections.contestable(person, clock.now()) == []


def test_a_complaint_says_whom_and_what_it_is_about_and_they_do_not_decide_it(suspended: Certificate, hr: User) -> None:
    rude = PersonFactory(roles=[Role.INSTRUCTOR], name="Zeferino Rude")
    namesake = PersonFactory(roles=[Role.INSTRUCTOR], name="Zeferino Rude")
    act = Act.objects.get(certificate=suspended, kind="suspend")
    own = browser_of(suspended.holder)
    sent = {"about": "complaint:", "text": TEXT, "act": f"suspension:{act.pk}", "named": " zeferino rude "}
    assert own.post("/appeals/objections/own/", sent).status_code == 302
    found = Objection.objects.get()
    assert set(found.doers) == {hr.pk, rude.pk, namesake.pk}
    assert suspended.number in found.about and "zeferino rude" in found.about
    assert not {rude, namesake} & set(objections.who_may(found))
    # Nobody learns from it who works here, and a made-up act is refused.
    sent |= {"act": "", "named": "Ninguém Destenome"}
    assert own.post("/appeals/objections/own/", sent).status_code == 302
    assert own.post("/appeals/objections/own/", sent | {"act": "suspension:999999"}).status_code == 422
