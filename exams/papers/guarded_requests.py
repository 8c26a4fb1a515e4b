"""Requests for the ruling on a guarded case, kept until somebody in the exam office has reviewed them."""

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from exams.records.models import Candidate, RulingAsked, Session
from training.library.hooks import Asked
from training.people.models import Role, User
from training.platform.errors import Refused

# The page, in words, by route name.
PLACES = {
    "new_scenario": _("the editor"),
    "edit_version": _("the editor"),
    "edit_moment": _("the editor"),
    "next_moment": _("the editor"),
    "around_facts": _("more about a scenario"),
    "around_version": _("more about a scenario"),
    "trial": _("trying a case as a trainee"),
    "version": _("the page of a scenario"),
    "import_scenarios": _("an import"),
}


def place(route: str) -> str:
    """The page in words, or the API route for a program."""
    return str(PLACES.get(route, "")) or gettext("a program, through the API (%(route)s)") % {"route": route}


@transaction.atomic
def record_asked(person: User, route: str, asked: Asked) -> None:
    """Record the request. Only the first one each day goes into the audit log; later ones are counted."""
    now, case = clock.now(), asked.case
    first = {"session_id": case.session, "route": route, "digest": asked.digest, "first_at": now, "last_at": now}
    row, made = RulingAsked.objects.get_or_create(
        person=person, about=case.about, day=timezone.localdate(now), defaults=first
    )
    if not made:
        again = RulingAsked.objects.filter(pk=row.pk)
        again.update(times=F("times") + 1, last_at=now, digest=asked.digest, looked_at=None, looked_at_by=None)
        return
    details = {"about": case.about, "session": case.session, "route": route, "digest": asked.digest}
    record(person, "ruling.asked", f"person:{person.pk}", **details)


def to_look_at(viewer: User) -> QuerySet[RulingAsked]:
    """The requests this person may read that nobody has reviewed yet."""
    return seen_by(viewer).filter(looked_at=None)


def seen_by(viewer: User) -> QuerySet[RulingAsked]:
    """The requests this person may read: administrators all, others those about sessions they set up. Nobody sees their
    own requests or those about an exam they sit."""
    sits = Exists(Candidate.objects.filter(session=OuterRef("session"), person=viewer))
    found = RulingAsked.objects.exclude(person=viewer).exclude(sits)
    found = found.select_related("person", "session", "looked_at_by")
    return found if Role.ADMINISTRATOR in viewer.roles else found.filter(session__created_by=viewer)


def of_session(session: Session, viewer: User) -> QuerySet[RulingAsked]:
    return seen_by(viewer).filter(session=session)


@transaction.atomic
def look_at(asked_id: int, by: User) -> RulingAsked:
    """Mark a request as reviewed. Raises Refused if it does not exist or this person may not read it."""
    found = seen_by(by).select_for_update(of=("self",), no_key=True).filter(pk=asked_id).first()
    if found is None:
        raise Refused(_("There is nothing here for you to look at."))
    if found.looked_at is None:
        found.looked_at, found.looked_at_by = clock.now(), by
        found.save(update_fields=["looked_at", "looked_at_by"])
        details = {"about": found.about, "session": found.session_id, "day": found.day}
        record(by, "ruling.asked_seen", f"person:{found.person_id}", **details)
    return found
