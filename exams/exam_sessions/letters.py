"""Mails to candidates: when and where their exam is, once its forms are ready, and cancellations."""

from collections.abc import Iterable
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from exams import clock
from exams.records.models import Candidate, Session
from training.mail.outbox import Envelope, link_to, post
from training.people.models import User
from training.people.request import language_for
from training.platform.broker import send_on_commit


def tell_soon(session_id: UUID) -> None:
    """Wake a worker to send the mails once the session is stored as ready."""
    from exams.exam_sessions import tasks

    send_on_commit(tasks.tell_candidates, str(session_id))


def sessions_to_announce() -> list[UUID]:
    """Sessions that are ready and still open, with candidates who have not been mailed."""
    waiting = Candidate.objects.filter(
        told_at=None, session__state=Session.State.READY, session__entry_closes_at__gt=clock.now()
    )
    return list(waiting.order_by("session").values_list("session_id", flat=True).distinct())


def tell_candidates(session_id: UUID) -> int:
    """Mail every candidate who has not been mailed, exactly once. Returns how many."""
    session = Session.objects.select_related("programme_version__programme").get(pk=session_id)
    if session.state != Session.State.READY:
        return 0
    minutes = session.programme_version.rules.minutes_of(session.part)
    with transaction.atomic():
        return len(
            post(
                [
                    _letter(candidate.person, session, "ready", minutes=minutes + candidate.extra_minutes)
                    for candidate in session.candidates.filter(told_at=None).select_related("person").order_by("pk")
                    # Marked first, so that two workers never mail one person twice.
                    if Candidate.objects.filter(pk=candidate.pk, told_at=None).update(told_at=clock.now())
                ]
            )
        )


def tell_cancelled(session_id: UUID, people: Iterable[int]) -> None:
    """Tell these people that the session is cancelled."""
    session = Session.objects.select_related("programme_version__programme").get(pk=session_id)
    post([_letter(person, session, "cancelled") for person in User.objects.filter(pk__in=people)])


def tell_removed(session_id: UUID, people: Iterable[int]) -> None:
    """Tell these people that they are no longer candidates."""
    session = Session.objects.select_related("programme_version__programme").get(pk=session_id)
    post([_letter(person, session, "removed") for person in User.objects.filter(pk__in=people)])


def _letter(person: User, session: Session, what: str, **facts: object) -> Envelope:
    """In the language of the exam for this person. The access code is given in the room and never mailed."""
    version = session.programme_version
    language = language_for(person.language, version.rules.rulebooks)
    with translation.override(language), timezone.override(ZoneInfo(person.time_zone)):
        programme = version.name(language)
        context = facts | {"person": person, "session": session, "programme": programme, "page": link_to("own_exams")}
        subjects = {
            "ready": _("Your exam: %(title)s"),
            "cancelled": _("Exam cancelled: %(title)s"),
            "removed": _("No longer a candidate: %(title)s"),
        }
        subject = subjects[what] % {"title": session.title}
        return Envelope(person, subject, render_to_string(f"sessions/{what}.txt", context))
