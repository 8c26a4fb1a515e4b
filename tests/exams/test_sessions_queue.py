"""Forms made by a real worker: asked for on the page, made from the message, told by mail."""

from django.core import mail

from exams.exam_sessions import candidacy, preparation
from exams.records.models import Candidate, Form, Session
from tests.exams.setting_up import make
from tests.factories import PersonFactory
from tests.running import until


def test_the_worker_makes_the_forms_and_tells_the_candidates(worker: None) -> None:
    session = make()
    for _number in range(2):
        candidacy.enter(session, PersonFactory(), session.created_by)
    preparation.prepare(session, session.created_by)
    until("the mails", lambda: not Candidate.objects.filter(told_at=None).exists())
    session.refresh_from_db()
    assert (session.state, session.progress) == (Session.State.READY, 100)
    assert Form.objects.count() == 2
    until("two mails", lambda: len(mail.outbox) == 2)


def test_a_cancelled_session_is_told_by_the_worker(worker: None) -> None:
    session = make()
    person = PersonFactory()
    candidate = candidacy.enter(session, person, session.created_by)
    Candidate.objects.filter(pk=candidate.pk).update(told_at=session.created_at)
    preparation.cancel(session, session.created_by, reason="Falta a luz")
    until("the mail", lambda: bool(mail.outbox))
    assert mail.outbox[0].to == [person.email]
