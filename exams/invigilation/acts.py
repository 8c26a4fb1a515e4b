"""What an invigilator does during an exam: check identities, add time, record incidents, release a sitting to another
browser, close it, and reset wrong codes.

Invigilators are the creator of the session and the people named for it; nobody invigilates a session they sit.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exams.audit.services import record
from exams.records import names
from exams.records.models import Candidate, Event, Session, Sitting
from exams.sittings import sitting as sittings
from exams.sittings import timing
from exams.sittings.events import note_event
from training.people import second_signature
from training.people.models import Role, User
from training.people.second_signature import Asked
from training.platform.errors import Refused

STAFF = frozenset({Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR})  # who may be asked to invigilate
MOST_MINUTES = 240
LONGEST_TEXT = 2000
UNDO = timedelta(seconds=40)  # the page offers it for 30
AFTERWARDS = timedelta(hours=1)  # how long after a session identities can still be confirmed, for a reason
ONE_BEHIND_BOTH = gettext_lazy(
    "%(name)s created or changed this candidate’s account, and nobody else vouches that %(name)s and you are "
    "two people. Another invigilator must confirm the identity, or another administrator must first confirm "
    "your account on its page under “People”."
)


def may_manage(person: User, session: Session) -> bool:
    """Whether this person may set up the session: its creator and administrators may."""
    return person.pk == session.created_by_id or Role.ADMINISTRATOR in person.roles


def may_invigilate(person: User, session: Session) -> bool:
    if session.candidates.filter(person=person).exists():
        return False
    return session.created_by_id == person.pk or session.invigilators.filter(pk=person.pk).exists()


def verify_invigilator(person: User, session: Session) -> None:
    if not may_invigilate(person, session):
        raise Refused(_("Only the invigilators of this session may do this."))


def add_time(
    session: Session, minutes: int, reason: str, *, by: User, now: datetime, only: Collection[UUID] | None = None
) -> list[Sitting]:
    """Add time for everybody still working, or `only` for some; they see the reason. Returns their sittings."""
    verify_invigilator(by, session)
    if not 1 <= minutes <= MOST_MINUTES:
        raise Refused(_("Give from 1 to %(most)s minutes.") % {"most": MOST_MINUTES})
    reason = required_text(reason, _("Say why you are giving more time."))
    with transaction.atomic():
        found = Sitting.objects.select_for_update(no_key=True, of=("self",)).filter(
            candidate__session=session, closed_at=None
        )
        if only is not None:
            found = found.filter(pk__in=only)
        at_work = [sitting for sitting in found.order_by("pk") if timing.is_open(sitting, now)]
        if not at_work:
            raise Refused(_("Nobody is sitting the exam: time can be added only before the end."))
        for sitting in at_work:
            sitting.deadline_at += timedelta(minutes=minutes)
        Sitting.objects.bulk_update(at_work, ["deadline_at"])
        Event.objects.bulk_create(
            Event(sitting=sitting, kind=Event.Kind.TIME_ADDED, at=now, by=by, minutes=minutes, text=reason)
            for sitting in at_work
        )
        record(
            by,
            "sitting.time_added",
            f"session:{session.pk}",
            minutes=minutes,
            reason=reason,
            sittings=[sitting.pk for sitting in at_work],
        )
    return at_work


def note_incident(sitting: Sitting, text: str, *, by: User, now: datetime) -> Event:
    """Record an incident, also on a closed sitting."""
    verify_invigilator(by, sitting.candidate.session)
    text = required_text(text, _("Write what happened."))
    with transaction.atomic():
        event = note_event(sitting, Event.Kind.NOTE, at=now, by=by, text=text)
        record(by, "sitting.noted", f"sitting:{sitting.pk}", event=event.pk)
    return event


def verify_check_identity(sitting: Sitting, by: User) -> None:
    """Raises Refused for anybody who handled the account or may issue certificates, because the check is a second look
    at the name."""
    verify_invigilator(by, sitting.candidate.session)
    if Role.HR in by.roles:
        raise Refused(_("Human resources cannot confirm an identity: another invigilator must do it."))
    hands = names.hands_on(sitting.candidate.person)
    if any(other.pk == by.pk for other, _at in hands):
        raise Refused(_("You created or changed this account: another invigilator must confirm the identity."))
    refused = second_signature.refused_until_confirmed(by, [Asked(other.pk, at) for other, at in hands])
    for other, at in hands:
        if Asked(other.pk, at) in refused:
            raise Refused(str(ONE_BEHIND_BOTH) % {"name": other.name})


def is_late_for_identity(sitting: Sitting, now: datetime) -> bool:
    """Whether the session is over for everybody, so that a check of an identity needs a reason. Raises Refused if it
    has been over for too long: whoever sat there is no longer in the room."""
    session = sitting.candidate.session
    at_work = Sitting.objects.filter(candidate__session=session, closed_at=None, deadline_at__gt=now)
    if now < session.entry_closes_at or at_work.exists():
        return False
    ends = Sitting.objects.filter(candidate__session=session).aggregate(last=Max("closed_at"))["last"]
    if now > max(ends or session.entry_closes_at, session.entry_closes_at) + AFTERWARDS:
        raise Refused(_("The exam is over. Without a confirmed identity it takes two people to issue a certificate."))
    return True


def check_identity(sitting: Sitting, *, name: str, by: User, now: datetime, reason: str = "") -> None:
    """Record that the invigilator compared the name on the page with an identity document; once is enough. Once the
    session is over it takes a reason."""
    verify_check_identity(sitting, by)
    late = is_late_for_identity(sitting, now)
    if late:
        reason = required_text(reason, _("The exam is over: say why the identity is confirmed only now."))
    with transaction.atomic():
        # Locks, so the name cannot change meanwhile and two invigilators leave one entry.
        User.objects.select_for_update(no_key=True).get(pk=sitting.candidate.person_id)
        Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        if identity_checked(sitting.pk):
            return
        printed = names.printed(sitting.candidate)
        if name != printed:
            raise Refused(_("The name to be printed is now %(name)s: compare that one.") % {"name": printed})
        if late:
            note_event(sitting, Event.Kind.NOTE, at=now, by=by, text=reason)
        event = note_event(sitting, Event.Kind.IDENTITY, at=now, by=by, text=printed)
        why = {"reason": reason} if late else {}
        record(by, "sitting.identity_checked", f"sitting:{sitting.pk}", event=event.pk, **why)


@transaction.atomic
def take_back_identity(sitting: Sitting, *, by: User, now: datetime) -> None:
    """Take back one's own identity check of a moment ago. Both stay on record."""
    verify_invigilator(by, sitting.candidate.session)
    Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
    looked = identity_of(sitting.pk)
    if looked is None or looked.by_id != by.pk or now - looked.at > UNDO:
        raise Refused(_("Only whoever made a check can take it back, and only at once. Note an incident instead."))
    event = note_event(sitting, Event.Kind.IDENTITY_UNDONE, at=now, by=by)
    record(by, "sitting.identity_taken_back", f"sitting:{sitting.pk}", event=event.pk)


# What makes or ends a valid identity check.
ABOUT_IDENTITY = (Event.Kind.IDENTITY, Event.Kind.IDENTITY_UNDONE, Event.Kind.DEVICE)


def identity_of(sitting_id: UUID) -> Event | None:
    """The valid identity check. None if it was taken back, or if the exam moved to another browser since and nobody
    checked again: anybody with the code could be there."""
    checks = Event.objects.filter(sitting=sitting_id, kind__in=ABOUT_IDENTITY).select_related("by")
    last = checks.order_by("-at", "-pk").first()
    return last if last and last.kind == Event.Kind.IDENTITY else None


def moved_since_check(sitting_id: UUID) -> bool:
    """Whether the identity was checked, and the exam then moved to another browser."""
    checks = Event.objects.filter(sitting=sitting_id, kind__in=ABOUT_IDENTITY).order_by("-at", "-pk")
    kinds = list(checks.values_list("kind", flat=True))
    before = [kind for kind in kinds if kind != Event.Kind.DEVICE]
    return kinds[:1] == [Event.Kind.DEVICE] and before[:1] == [Event.Kind.IDENTITY]


def identity_checked(sitting_id: UUID) -> bool:
    return identity_of(sitting_id) is not None


def release(sitting: Sitting, *, by: User, now: datetime) -> None:
    """Let the candidate continue in another browser without the code."""
    verify_invigilator(by, sitting.candidate.session)
    try:
        sittings.release(sitting, by=by, now=now)
    except sittings.Over:
        raise Refused(_("The sitting has been closed.")) from None


def close_sitting(sitting: Sitting, reason: str, *, by: User, now: datetime) -> Sitting:
    """Close a sitting for a reason that the candidate reads."""
    verify_invigilator(by, sitting.candidate.session)
    reason = required_text(reason, _("Say why you are closing it."))
    return sittings.close(sitting.pk, Sitting.ClosedBy.INVIGILATOR, actor=by, now=now, reason=reason)


def let_try_again(candidate: Candidate, *, by: User) -> None:
    """Reset the wrong codes of a candidate."""
    verify_invigilator(by, candidate.session)
    with transaction.atomic():
        if Candidate.objects.filter(pk=candidate.pk, wrong_codes__gt=0).update(wrong_codes=0):
            record(by, "candidate.codes_forgotten", f"candidate:{candidate.pk}", session=candidate.session_id)


def required_text(text: str, otherwise: str) -> str:
    """Returns the text stripped. Raises Refused if it is empty (with `otherwise`) or too long."""
    text = text.strip()
    if not text:
        raise Refused(otherwise)
    if len(text) > LONGEST_TEXT:
        raise Refused(_("No more than %(most)s characters.") % {"most": LONGEST_TEXT})
    return text
