"""Moving a session from draft to ready, back to draft, or to cancelled.

Each act is one audited transaction that locks the session.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.exam_sessions import letters
from exams.exam_sessions.candidacy import verify_all
from exams.exam_sessions.setup import change_session, locked, new_code, subject, verify_draft, verify_in_force
from exams.papers import maker
from exams.programmes import law, supplies
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, Session, Sitting
from rules_engine.narration import topic_name
from training.people.models import User
from training.people.request import language
from training.platform.errors import Refused

State = Session.State


def _verify_nobody_began(session: Session) -> None:
    # `sitting.begin` locks the person before it reads the session, so one of the two sees the other.
    list(User.objects.select_for_update(no_key=True).filter(pk__in=session.candidates.values("person")).order_by("pk"))
    if Sitting.objects.filter(candidate__session=session).exists():
        raise Refused(_("Somebody has already begun this exam."))


@transaction.atomic
def prepare(session: Session, by: User) -> Session:
    """Have the forms made. Raises UnfitList with every candidate who may not sit after all."""
    session, now = verify_draft(session, by), clock.now()
    verify_in_force(session.programme_version, session.opens_at, session.entry_closes_at)
    if session.entry_closes_at <= now:
        raise Refused(_("Entry has closed. Choose another time first."))
    if not session.candidates.exists():
        raise Refused(_("The session has no candidates yet."))
    verify_all(session, by, now)
    _verify_supply(session)
    session.state, session.progress, session.worked_at = State.PREPARING, 0, None
    session.obstacle = None
    session.access_code = new_code()  # somebody may know the code of discarded forms
    session.save(update_fields=["state", "obstacle", "progress", "worked_at", "access_code"])
    maker.wake(session.pk)
    record(by, "session.preparing", subject(session))
    return session


def _verify_supply(session: Session) -> None:
    """Raises Refused if the programme has too few different cases for so many candidates at different times."""
    room = supplies.room_for(session.programme_version)
    if session.is_practical or session.common_start or room is None or session.candidates.count() <= room.candidates:
        return
    raise Refused(
        _(
            "“%(topic)s” has enough different cases for only %(room)d candidates, and no two candidates may get "
            "similar cases. Enter fewer candidates, or have everybody begin at the same time."
        )
        % {"topic": topic_name(room.line.rulebook, room.line.topic, language()), "room": room.candidates}
    )


def may_take_back(session: Session, now: datetime) -> bool:
    """Whether it is being prepared; or ready, and not open yet or about a law that is not in force."""
    if session.state != State.READY:
        return session.state == State.PREPARING
    return now < session.opens_at or bool(law.why_not_on(session.programme_version.rules, now))


def why_outdated(session: Session, now: datetime) -> list[str]:
    """Why a session still to be held asks the wrong law: a new version was added after it had been set up."""
    if session.state == State.CANCELLED or session.entry_closes_at <= now:
        return []
    first = max(now, session.opens_at)
    return law.why_not_on(session.programme_version.rules, first, session.entry_closes_at)


def is_blocked(session: Session, now: datetime) -> bool:
    """Whether nobody can begin a prepared session, now or when it opens, because its papers are about another law."""
    if session.state != State.READY or session.entry_closes_at <= now:
        return False
    return bool(law.why_not_on(session.programme_version.rules, max(now, session.opens_at)))


def newer_version(session: Session) -> ProgrammeVersion | None:
    """The version of the programme in force, if it is another one and examines the law of the days of the session."""
    found = ProgrammeVersion.objects.filter(
        programme=session.programme_version.programme_id, state=ProgrammeVersion.State.PUBLISHED
    ).first()
    if found is None or found.pk == session.programme_version_id:
        return None
    return None if law.why_not_on(found.rules, session.opens_at, session.entry_closes_at) else found


@transaction.atomic
def prepare_anew(session: Session, by: User) -> Session:
    """Have the forms made again for the version of the programme that examines the law in force."""
    session = locked(session, by)
    version = newer_version(session)
    if version is None:
        raise Refused(_("The programme has no version in force for the law of that day. Make one first."))
    if session.state != State.DRAFT:
        session = back_to_draft(session, by)
    session = change_session(
        session,
        by,
        version=version,
        part=session.part,
        title=session.title,
        place=session.place,
        opens_at=session.opens_at,
        entry_closes_at=session.entry_closes_at,
        common_start=session.common_start,
    )
    return prepare(session, by)


@transaction.atomic
def back_to_draft(session: Session, by: User) -> Session:
    """Take the session back to change it; its forms are discarded and made again later."""
    session = locked(session, by)
    if not may_take_back(session, clock.now()):
        raise Refused(_("The session cannot be taken back to set-up: it has opened, or it has no papers."))
    _verify_nobody_began(session)
    maker.drop_papers(session)
    Candidate.objects.filter(session=session).update(told_at=None)
    session.state, session.progress, session.worked_at = State.DRAFT, 0, None
    session.save(update_fields=["state", "progress", "worked_at"])
    record(by, "session.taken_back", subject(session))
    return session


@transaction.atomic
def cancel(session: Session, by: User, *, reason: str) -> Session:
    """Cancel the session and notify the candidates who were told about it."""
    session = locked(session, by)
    if session.state == State.CANCELLED:
        raise Refused(_("The session has already been cancelled."))
    if not reason.strip():
        raise Refused(_("Say why the session is cancelled."))
    _verify_nobody_began(session)
    maker.drop_papers(session)
    session.state, session.cancelled_because = State.CANCELLED, reason.strip()
    session.save(update_fields=["state", "cancelled_because"])
    notified = session.candidates.filter(told_at__isnull=False).values_list("person_id", flat=True)
    letters.tell_cancelled(session.pk, list(notified))
    record(by, "session.cancelled", subject(session), reason=session.cancelled_because)
    return session
