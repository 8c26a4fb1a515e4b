"""Refusing somebody entry at the door of an exam, and letting them in after all."""

from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from exams.audit.services import record
from exams.invigilation.acts import required_text, verify_invigilator
from exams.records import entry
from exams.records.models import Candidate, KeptOut, Session, Sitting
from training.mail.outbox import Envelope, link_to, post
from training.people.models import User
from training.platform.errors import Refused


def outside(session: Session) -> list[Candidate]:
    """The candidates who have not begun and were not refused entry, by name."""
    refused = [one.person_id for one in entry.refused(session)]
    found = session.candidates.filter(sitting=None).exclude(person__in=refused).select_related("person")
    return sorted(found, key=lambda candidate: candidate.person.name.casefold())


def turned_away(session: Session) -> list[tuple[Candidate, KeptOut]]:
    """The candidates refused entry, the latest first."""
    candidates = {one.person_id: one for one in session.candidates.select_related("person")}
    return [(candidates[one.person_id], one) for one in entry.refused(session) if one.person_id in candidates]


@transaction.atomic
def refuse(candidate: Candidate, reason: str, *, by: User) -> KeptOut:
    """Refuse a candidate entry. They cannot begin, are told why and how to contest it."""
    verify_invigilator(by, candidate.session)
    reason = required_text(reason, _("Say why. The candidate reads it and can contest it."))
    # `sitting.begin` takes the same lock.
    person = User.objects.select_for_update(no_key=True).get(pk=candidate.person_id)
    if Sitting.objects.filter(candidate=candidate).exists():
        raise Refused(_("%(name)s has already begun.") % {"name": person.name})
    if entry.why_refused(candidate.session_id, person.pk):
        raise Refused(_("%(name)s has already been refused entry.") % {"name": person.name})
    made = entry.keep_out(candidate.session, person, KeptOut.Kind.REFUSED, by=by, reason=reason)
    post([_letter(person, candidate.session, reason)])
    record(by, "candidate.refused", f"candidate:{candidate.pk}", session=candidate.session_id, reason=reason)
    return made


@transaction.atomic
def admit(candidate: Candidate, *, by: User) -> None:
    """Let somebody in who was refused entry."""
    verify_invigilator(by, candidate.session)
    if entry.lift(candidate.session, [candidate.person], by=by):
        record(by, "candidate.admitted", f"candidate:{candidate.pk}", session=candidate.session_id)


def _letter(person: User, session: Session, reason: str) -> Envelope:
    with translation.override(person.language):
        subject = _("Entry refused: %(title)s") % {"title": session.title}
        facts = {"person": person, "session": session, "reason": reason, "page": link_to("own_objections")}
        return Envelope(person, subject, render_to_string("invigilation/refused.txt", facts))
