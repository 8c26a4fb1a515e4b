"""Mails to candidates: when and where their exam is once its forms are ready, and that it was cancelled."""

from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from exams import clock
from exams.records.models import Candidate, Session
from training.broker import send_on_commit
from training.people.models import User

log = structlog.get_logger(__name__)


def tell_soon(session_id: UUID, **_: Any) -> None:
    """Wake a worker to send the mails, once the session is stored as ready."""
    send_on_commit("exams.sessions.tasks.tell_candidates", str(session_id))


def tell_cancelled_soon(session: Session, people: list[int]) -> None:
    if people:
        send_on_commit("exams.sessions.tasks.tell_cancelled", str(session.pk), people)


def untold() -> list[UUID]:
    """Sessions that are ready and still open, with candidates who were not told."""
    waiting = Candidate.objects.filter(
        told_at=None, session__state=Session.State.READY, session__entry_closes_at__gt=clock.now()
    )
    return list(waiting.order_by("session").values_list("session_id", flat=True).distinct())


def tell_candidates(session_id: UUID) -> int:
    """Tell everybody who was not told yet, each once; says how many mails were sent."""
    session = Session.objects.select_related("programme_version__programme").get(pk=session_id)
    if session.state != Session.State.READY:
        return 0
    minutes, sent = session.programme_version.rules.minutes, 0
    for candidate in session.candidates.filter(told_at=None).select_related("person"):
        # Taken before it is sent, so that two workers never tell one person twice.
        mine = Candidate.objects.filter(pk=candidate.pk, told_at=None)
        if not mine.update(told_at=clock.now()):
            continue
        try:
            _send(candidate.person, session, "ready", minutes=minutes + candidate.extra_minutes)
            sent += 1
        except OSError:  # every way a mail server can be away
            log.exception("session_mail_failed", candidate=str(candidate.pk))
            Candidate.objects.filter(pk=candidate.pk).update(told_at=None)
    return sent


def tell_cancelled(session_id: UUID, people: list[int]) -> None:
    """Tell those who knew of the session that it will not be held."""
    session = Session.objects.select_related("programme_version__programme").get(pk=session_id)
    for person in User.objects.filter(pk__in=people):
        try:
            _send(person, session, "cancelled")
        except OSError:
            log.exception("session_mail_failed", session=str(session_id), person=person.pk)


def _send(person: User, session: Session, what: str, **facts: object) -> None:
    """In the person's own language and time. The access code is given in the room and never written in a mail."""
    with translation.override(person.language), timezone.override(ZoneInfo(person.time_zone)):
        programme = session.programme_version.name(person.language)
        context = facts | {"person": person, "session": session, "programme": programme}
        subject = _("Your exam: %(title)s") % {"title": session.title}
        send_mail(subject, render_to_string(f"sessions/{what}.txt", context), None, [person.email])
