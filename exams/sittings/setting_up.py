"""Setting a session up: who holds it, when, where, who invigilates; and the way from draft to ready or cancelled.

Each act is one transaction, made under a lock on the session, and is put on the audit log.
"""

import secrets
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.impartiality import Partial, verify_examiner
from exams.programmes.models import ProgrammeVersion
from exams.sittings import papers
from exams.sittings.models import Candidate, Session, Sitting
from training.broker import send_on_commit
from training.people.models import Role, User

# Without letters and digits that are taken for one another when read from a board.
CODE_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
MOST_CANDIDATES = 300
MOST_EXTRA_MINUTES = 240
MOST_INVIGILATORS = 20
STAFF = frozenset({Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR})

State = Session.State


class Refused(Exception):
    """What may not be done, with a reason fit to show."""


def subject(session: Session) -> str:
    return f"session:{session.pk}"


def new_code() -> str:
    return "".join(secrets.choice(CODE_SIGNS) for _sign in range(CODE_LENGTH))


def may_manage(person: User, session: Session) -> bool:
    """Its creator and administrators set a session up; others may only be asked to invigilate."""
    return person.pk == session.created_by_id or Role.ADMINISTRATOR in person.roles


def verify_manager(person: User, version: ProgrammeVersion) -> None:
    try:
        verify_examiner(person, version)
    except Partial as why:
        raise Refused(str(why)) from None


def _verify_times(opens_at: datetime, entry_closes_at: datetime) -> None:
    if entry_closes_at <= opens_at:
        raise Refused(_("Entry must close after the session opens."))
    if entry_closes_at <= clock.now():
        raise Refused(_("Entry must close in the future."))


def _verify_in_force(version: ProgrammeVersion) -> None:
    if version.state != ProgrammeVersion.State.PUBLISHED:
        raise Refused(_("This version of the programme is not in force. Choose the one that is."))


@transaction.atomic
def create_session(
    by: User, *, version: ProgrammeVersion, title: str, place: str, opens_at: datetime, entry_closes_at: datetime
) -> Session:
    verify_manager(by, version)
    _verify_in_force(version)
    _verify_times(opens_at, entry_closes_at)
    session = Session.objects.create(
        programme_version=version,
        title=title,
        place=place,
        opens_at=opens_at,
        entry_closes_at=entry_closes_at,
        access_code=new_code(),
        created_by=by,
    )
    record(by, "session.created", subject(session), **_facts(session))
    return session


@transaction.atomic
def change_session(
    session: Session,
    by: User,
    *,
    version: ProgrammeVersion,
    title: str,
    place: str,
    opens_at: datetime,
    entry_closes_at: datetime,
) -> Session:
    """Change what is still being set up. Candidates are looked at again before the forms are made."""
    session = verify_draft(session, by)
    verify_manager(by, version)
    _verify_in_force(version)
    _verify_times(opens_at, entry_closes_at)
    session.programme_version, session.title, session.place = version, title, place
    session.opens_at, session.entry_closes_at = opens_at, entry_closes_at
    session.save(update_fields=["programme_version", "title", "place", "opens_at", "entry_closes_at"])
    record(by, "session.changed", subject(session), **_facts(session))
    return session


def _facts(session: Session) -> dict[str, object]:
    return {
        "programme_version": session.programme_version_id,
        "title": session.title,
        "place": session.place,
        "opens_at": session.opens_at.isoformat(),
        "entry_closes_at": session.entry_closes_at.isoformat(),
    }


def locked(session: Session, by: User) -> Session:
    """The session as it is now, held until the transaction ends, for somebody who may set it up."""
    found = Session.objects.select_for_update(of=("self",), no_key=True).select_related(
        "programme_version", "created_by"
    )
    held = found.get(pk=session.pk)
    if not may_manage(by, held):
        raise Refused(_("Only who made the session and administrators set it up."))
    verify_manager(by, held.programme_version)
    return held


def verify_draft(session: Session, by: User) -> Session:
    held = locked(session, by)
    if held.state != State.DRAFT:
        raise Refused(_("The session is no longer being set up. Take it back to change it."))
    return held


def _verify_nobody_began(session: Session) -> None:
    # Beginning locks the person first and looks at the session after, so that one of the two sees the other.
    list(User.objects.select_for_update(no_key=True).filter(pk__in=session.candidates.values("person")).order_by("pk"))
    if Sitting.objects.filter(candidate__session=session).exists():
        raise Refused(_("Somebody has begun this exam already."))


@transaction.atomic
def prepare(session: Session, by: User) -> Session:
    """Have the forms made. UnfitList names every candidate who may not sit after all."""
    from exams.sittings.entering import verify_all  # entering stands on this

    session, now = verify_draft(session, by), clock.now()
    _verify_in_force(session.programme_version)
    if session.entry_closes_at <= now:
        raise Refused(_("Entry has closed. Choose another time first."))
    if not session.candidates.exists():
        raise Refused(_("The session has no candidates yet."))
    verify_all(session, by, now)
    session.state, session.trouble, session.progress, session.worked_at = State.PREPARING, "", 0, None
    session.save(update_fields=["state", "trouble", "progress", "worked_at"])
    _wake_maker(session)
    record(by, "session.preparing", subject(session))
    return session


def _wake_maker(session: Session) -> None:
    from exams.sittings.tasks import make_papers  # the tasks call these services

    send_on_commit(make_papers, str(session.pk))


def may_take_back(session: Session, now: datetime) -> bool:
    """Whether there is something to take back and the session has not opened with it."""
    return session.state == State.PREPARING or (session.state == State.READY and now < session.opens_at)


@transaction.atomic
def back_to_draft(session: Session, by: User) -> Session:
    """Take the session back to change it; its forms are thrown away and made anew later."""
    session = locked(session, by)
    if not may_take_back(session, clock.now()):
        raise Refused(_("The session cannot be taken back: it has opened, or it has no forms."))
    _verify_nobody_began(session)
    papers.drop_papers(session)
    Candidate.objects.filter(session=session).update(told_at=None)
    session.state, session.progress, session.worked_at = State.DRAFT, 0, None
    session.save(update_fields=["state", "progress", "worked_at"])
    record(by, "session.taken_back", subject(session))
    return session


@transaction.atomic
def cancel(session: Session, by: User, *, reason: str) -> Session:
    """Call the session off. Who was told of it is told of this too."""
    session = locked(session, by)
    if session.state == State.CANCELLED:
        raise Refused(_("The session is cancelled already."))
    if not reason.strip():
        raise Refused(_("Say why the session is cancelled."))
    _verify_nobody_began(session)
    papers.drop_papers(session)
    session.state, session.cancelled_because = State.CANCELLED, reason.strip()
    session.save(update_fields=["state", "cancelled_because"])
    told = session.candidates.filter(told_at__isnull=False).values_list("person_id", flat=True)
    _tell_cancelled(session, list(told))
    record(by, "session.cancelled", subject(session), reason=session.cancelled_because)
    return session


def _tell_cancelled(session: Session, people: list[int]) -> None:
    from exams.sittings.tasks import tell_cancelled  # the tasks call these services

    if people:
        send_on_commit(tell_cancelled, str(session.pk), people)


@transaction.atomic
def grant_extra_time(session: Session, candidate_id: UUID, by: User, *, minutes: int) -> Candidate:
    """Minutes more for one person, until they begin. Who grades or decides does not see it."""
    session = locked(session, by)
    candidate = session.candidates.select_related("person").get(pk=candidate_id)
    if session.state == State.CANCELLED:
        raise Refused(_("The session is cancelled."))
    if not 0 <= minutes <= MOST_EXTRA_MINUTES:
        raise Refused(_("Extra time is from 0 to %(most)d minutes.") % {"most": MOST_EXTRA_MINUTES})
    if Sitting.objects.filter(candidate=candidate).exists():
        raise Refused(_("%(name)s has begun; the invigilator can add time.") % {"name": candidate.person.name})
    candidate.extra_minutes = minutes
    candidate.save(update_fields=["extra_minutes"])
    record(by, "session.extra_time", subject(session), person=candidate.person_id, minutes=minutes)
    return candidate


@transaction.atomic
def add_invigilator(session: Session, person: User, by: User) -> None:
    session = locked(session, by)
    if session.state == State.CANCELLED:
        raise Refused(_("The session is cancelled."))
    if not person.is_active or STAFF.isdisjoint(person.roles):
        raise Refused(_("Only staff invigilate."))
    if session.candidates.filter(person=person).exists():
        raise Refused(_("%(name)s is a candidate in this session.") % {"name": person.name})
    if session.invigilators.count() >= MOST_INVIGILATORS:
        raise Refused(_("A session has at most %(most)d invigilators.") % {"most": MOST_INVIGILATORS})
    session.invigilators.add(person)
    record(by, "session.invigilator_added", subject(session), person=person.pk)


@transaction.atomic
def remove_invigilator(session: Session, person: User, by: User) -> None:
    session = locked(session, by)
    session.invigilators.remove(person)
    record(by, "session.invigilator_removed", subject(session), person=person.pk)
