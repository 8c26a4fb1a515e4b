"""Setting up a session: who holds it, when and where, who invigilates.

Each act is one audited transaction that locks the session.
"""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.impartiality import verify_examiner
from exams.invigilation.acts import STAFF, may_manage
from exams.papers.exam_bank import sessions_in_use
from exams.programmes import law
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, Session, Sitting
from training.people.models import User
from training.platform.errors import Refused

# Without characters that are easily confused on a board.
CODE_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
MOST_CANDIDATES = 300
MOST_EXTRA_MINUTES = 240
MOST_INVIGILATORS = 20
LONGEST_REASON = 500
# How long candidates may come late where everybody begins at once. Until then nobody may hand in.
LATEST_START = timedelta(minutes=15)

State = Session.State


def subject(session: Session) -> str:
    return f"session:{session.pk}"


def new_code() -> str:
    return "".join(secrets.choice(CODE_SIGNS) for _sign in range(CODE_LENGTH))


def _verify_times(opens_at: datetime, entry_closes_at: datetime, latest: timedelta | None = None) -> None:
    """`latest` is how long after the opening entry may close at most, where everybody begins at the same time."""
    if entry_closes_at <= opens_at:
        raise Refused(_("Entry must close after the session opens."))
    if entry_closes_at <= clock.now():
        raise Refused(_("Entry must close in the future."))
    if latest is not None and entry_closes_at - opens_at > latest:
        most = latest.seconds // 60
        raise Refused(
            _("Where everybody begins at the same time, entry closes at most %(most)d minutes later.") % {"most": most}
        )


def verify_in_force(version: ProgrammeVersion, *moments: datetime) -> None:
    """Raise Refused unless the programme's version is in force, and the law it examines is at these moments."""
    if version.state != ProgrammeVersion.State.PUBLISHED:
        raise Refused(_("This version of the programme is not in force. Choose the one that is."))
    for moment in moments:
        law.verify(version.rules, law.day_of(moment))


def _latest_start(version: ProgrammeVersion, part: str, *, common_start: bool) -> timedelta | None:
    """Nobody's time may run out while others can still begin with the same cases."""
    return min(LATEST_START, timedelta(minutes=version.rules.minutes_of(part))) if common_start else None


@transaction.atomic
def create_session(
    by: User,
    *,
    version: ProgrammeVersion,
    title: str,
    place: str,
    opens_at: datetime,
    entry_closes_at: datetime,
    part: str = Session.Part.THEORY,
    common_start: bool = False,
) -> Session:
    verify_examiner(by, version)
    _verify_part(version, part)
    _verify_times(opens_at, entry_closes_at, _latest_start(version, part, common_start=common_start))
    verify_in_force(version, opens_at, entry_closes_at)
    session = Session.objects.create(
        programme_version=version,
        part=part,
        title=title,
        place=place,
        opens_at=opens_at,
        entry_closes_at=entry_closes_at,
        common_start=common_start,
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
    part: str = Session.Part.THEORY,
    common_start: bool = False,
) -> Session:
    """Change a session in draft. Candidates are checked again before the forms are made."""
    session = verify_draft(session, by)
    verify_examiner(by, version)
    _verify_part(version, part)
    _verify_times(opens_at, entry_closes_at, _latest_start(version, part, common_start=common_start))
    verify_in_force(version, opens_at, entry_closes_at)
    session.programme_version, session.title, session.place = version, title, place
    session.opens_at, session.entry_closes_at, session.part = opens_at, entry_closes_at, part
    session.common_start = common_start
    facts = ["programme_version", "part", "title", "place", "opens_at", "entry_closes_at", "common_start"]
    session.save(update_fields=facts)
    record(by, "session.changed", subject(session), **_facts(session))
    return session


def _verify_part(version: ProgrammeVersion, part: str) -> None:
    if part == Session.Part.PRACTICE and version.rules.practical is None:
        raise Refused(_("This programme has no practical exam."))


def _facts(session: Session) -> dict[str, object]:
    return {
        "programme_version": session.programme_version_id,
        **({"part": session.part} if session.is_practical else {}),
        **({"common_start": True} if session.common_start else {}),
        "title": session.title,
        "place": session.place,
        "opens_at": session.opens_at.isoformat(),
        "entry_closes_at": session.entry_closes_at.isoformat(),
    }


def locked(session: Session, by: User) -> Session:
    """The current session, locked until the transaction ends. Raises Refused unless `by` may set it up."""
    found = Session.objects.select_for_update(of=("self",), no_key=True).select_related(
        "programme_version", "created_by"
    )
    held = found.get(pk=session.pk)
    if not may_manage(by, held):
        raise Refused(_("Only administrators and the person who created the session can set it up."))
    verify_examiner(by, held.programme_version)
    return held


def verify_draft(session: Session, by: User) -> Session:
    held = locked(session, by)
    if held.state != State.DRAFT:
        raise Refused(_("The session is no longer being set up. Take it back to set-up to change it."))
    return held


@transaction.atomic
def grant_extra_time(session: Session, candidate_id: UUID, by: User, *, minutes: int, reason: str) -> Candidate:
    """Grant one person extra minutes for a reason, until they begin. Graders and deciders do not see it."""
    session = locked(session, by)
    candidate = session.candidates.select_related("person").get(pk=candidate_id)
    if session.state == State.CANCELLED:
        raise Refused(_("The session has been cancelled."))
    if not 0 <= minutes <= MOST_EXTRA_MINUTES:
        raise Refused(_("Extra time can be from 0 to %(most)d minutes.") % {"most": MOST_EXTRA_MINUTES})
    if Sitting.objects.filter(candidate=candidate).exists():
        raise Refused(_("%(name)s has already begun; the invigilator can add time.") % {"name": candidate.person.name})
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise Refused(
            _("Say why, without naming an illness, in at most %(most)d characters.") % {"most": LONGEST_REASON}
        )
    candidate.extra_minutes, candidate.extra_because = minutes, reason.strip()
    candidate.save(update_fields=["extra_minutes", "extra_because"])
    told = {"person": candidate.person_id, "minutes": minutes, "reason": candidate.extra_because}
    record(by, "session.extra_time", subject(session), **told)
    return candidate


@transaction.atomic
def add_invigilator(session: Session, person: User, by: User) -> None:
    """Add an invigilator. Refused once the exam is over: they cannot confirm who sat there."""
    session = locked(session, by)
    if session.state == State.CANCELLED:
        raise Refused(_("The session has been cancelled."))
    sat = Sitting.objects.filter(candidate__session=session)
    if sat.exists() and not sessions_in_use(clock.now()).filter(pk=session.pk).exists():
        raise Refused(_("The exam is over: nobody can become its invigilator now."))
    if not person.is_active or STAFF.isdisjoint(person.roles):
        raise Refused(_("Only staff can invigilate."))
    if session.candidates.filter(person=person).exists():
        raise Refused(_("%(name)s is a candidate in this session.") % {"name": person.name})
    if session.invigilators.count() >= MOST_INVIGILATORS:
        raise Refused(_("A session has at most %(most)d invigilators.") % {"most": MOST_INVIGILATORS})
    session.invigilators.add(person)
    record(by, "session.invigilator_added", subject(session), person=person.pk)


@transaction.atomic
def remove_invigilator(session: Session, person: User, by: User) -> None:
    """Remove an invigilator. Refused once somebody has begun: invigilators must not decide appeals against the exam."""
    session = locked(session, by)
    if Sitting.objects.filter(candidate__session=session).exists():
        raise Refused(_("Somebody has begun this exam, so its invigilators stay on record."))
    session.invigilators.remove(person)
    record(by, "session.invigilator_removed", subject(session), person=person.pk)
