"""The invigilator's pages: the room at a glance, and one candidate's sitting with its log."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exams import clock
from exams.invigilation import acts, door, live
from exams.invigilation.acts import STAFF
from exams.records import names
from exams.records.models import Candidate, Session, Sitting
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import by_htmx, language, person
from training.platform.errors import Refused

LONGEST_NUMBER = 4  # digits


@allow(*STAFF)
@require_safe
@never_cache
def live_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Where everybody is. The table in the middle refreshes itself every few seconds."""
    return _room(request, watched(request, session_id))


@allow(*STAFF)
@require_POST
def add_time(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Add time for everybody still working."""
    session = watched(request, session_id)
    try:
        given = acts.add_time(session, *_more_time(request), by=person(request), now=clock.now())
    except Refused as refusal:
        return _room(request, session, status=422, error=str(refusal), typed=request.POST)
    message = ngettext("%(count)s candidate has more time.", "%(count)s candidates have more time.", len(given))
    messages.success(request, message % {"count": len(given)})
    return redirect("live_session", session.pk)


@allow(*STAFF)
@require_POST
def let_try_again(request: HttpRequest, session_id: UUID, candidate_id: UUID) -> HttpResponse:
    session = watched(request, session_id)
    candidates = Candidate.objects.select_related("session", "person")
    candidate = get_object_or_404(candidates, pk=candidate_id, session=session)
    acts.let_try_again(candidate, by=person(request))
    messages.success(request, _("%(name)s may enter the code again.") % {"name": candidate.person.name})
    return redirect("live_session", session.pk)


@allow(*STAFF)
@require_POST
def mind_the_door(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Refuse a candidate entry, or let somebody in who was refused."""
    session = watched(request, session_id)
    try:
        key = UUID(request.POST.get("candidate", ""))
        candidate = session.candidates.select_related("session", "person").get(pk=key)
    except (ValueError, Candidate.DoesNotExist):
        return _room(request, session, status=422, door_error=_("Choose a candidate."), typed=request.POST)
    try:
        if "admit" in request.POST:
            door.admit(candidate, by=person(request))
            message = _("%(name)s may begin.")
        else:
            door.refuse(candidate, request.POST.get("reason", ""), by=person(request))
            message = _("%(name)s has been refused entry and is told why and how to contest it.")
    except Refused as refusal:
        return _room(request, session, status=422, door_error=str(refusal), typed=request.POST)
    messages.success(request, message % {"name": candidate.person.name})
    return redirect("live_session", session.pk)


@allow(*STAFF)
@require_safe
@never_cache
def live_sitting(request: HttpRequest, session_id: UUID, sitting_id: UUID) -> HttpResponse:
    return _one(request, _sitting(request, session_id, sitting_id))


@allow(*STAFF)
@require_POST
def act_on_sitting(request: HttpRequest, session_id: UUID, sitting_id: UUID) -> HttpResponse:
    """Check the identity, add time, release, note an incident or close, depending on the button."""
    sitting = _sitting(request, session_id, sitting_id)
    name = request.POST.get("act", "")
    try:
        message = ACTS.get(name, _unknown)(request, sitting)
    except Refused as refusal:
        return _one(request, sitting, status=422, wrong=name, error=str(refusal), typed=request.POST)
    messages.success(request, message)
    if "room" in request.POST:  # done from the list of the room
        return redirect("live_session", session_id)
    return redirect("live_sitting", session_id, sitting_id)


def _add_time(request: HttpRequest, sitting: Sitting) -> str:
    session, by = sitting.candidate.session, person(request)
    acts.add_time(session, *_more_time(request), by=by, now=clock.now(), only=[sitting.pk])
    return _("The time has been added.")


def _release(request: HttpRequest, sitting: Sitting) -> str:
    acts.release(sitting, by=person(request), now=clock.now())
    return _("The next browser that opens the exam continues it.")


def _identity(request: HttpRequest, sitting: Sitting) -> str:
    name = request.POST.get("name", "")
    reason = request.POST.get("reason", "")
    acts.check_identity(sitting, name=name, by=person(request), now=clock.now(), reason=reason)
    return _("The identity of %(name)s has been checked.") % {"name": name}


def _take_back(request: HttpRequest, sitting: Sitting) -> str:
    acts.take_back_identity(sitting, by=person(request), now=clock.now())
    return _("The identity check has been taken back.")


def _note(request: HttpRequest, sitting: Sitting) -> str:
    acts.note_incident(sitting, request.POST.get("text", ""), by=person(request), now=clock.now())
    return _("The note has been saved.")


def _close(request: HttpRequest, sitting: Sitting) -> str:
    acts.close_sitting(sitting, request.POST.get("reason", ""), by=person(request), now=clock.now())
    return _("The sitting has been closed.")


def _unknown(request: HttpRequest, sitting: Sitting) -> str:
    raise Refused(_("Say what to do."))


ACTS: dict[str, Callable[[HttpRequest, Sitting], str]] = {
    "identity": _identity,
    "not_identity": _take_back,
    "time": _add_time,
    "release": _release,
    "note": _note,
    "close": _close,
}


def _room(request: HttpRequest, session: Session, *, status: int = 200, **more: Any) -> HttpResponse:
    rows = live.rows(session, clock.now())
    context = {
        "tab": "live",
        "moment": "open",  # there is nothing to watch earlier
        "watches": True,
        "manages": acts.may_manage(person(request), session),
        "begun": any(row.sitting for row in rows),
        "session": session,
        "exam_name": session.programme_version.name(language()),
        "rows": rows,
        "pressing": live.pressing(rows),
        "checks": Role.HR not in person(request).roles,
        "working": sum(row.state == "working" for row in rows),
        "closed": sum(row.state == "closed" for row in rows),
        "most_minutes": acts.MOST_MINUTES,
        "longest": acts.LONGEST_TEXT,
    }
    part = by_htmx(request) and status == 200
    if not part:
        context |= {"outside": door.outside(session), "turned_away": door.turned_away(session)}
    return render(
        request, "invigilation/rows.html" if part else "invigilation/live.html", context | more, status=status
    )


def _one(request: HttpRequest, sitting: Sitting, *, status: int = 200, **more: Any) -> HttpResponse:
    identity = acts.identity_of(sitting.pk)
    context = {
        "session": sitting.candidate.session,
        "sitting": sitting,
        "row": live.row(sitting, clock.now()),
        "printed": names.printed(sitting.candidate),
        "events": live.events_of(sitting),
        "annulment_asked": sitting.annulments.filter(decided_at=None).exists(),
        "identity": identity,
        **({} if identity else _about_identity(sitting, person(request))),
        "most_minutes": acts.MOST_MINUTES,
        "longest": acts.LONGEST_TEXT,
    }
    return render(request, "invigilation/sitting.html", context | more, status=status)


def _about_identity(sitting: Sitting, who: User) -> dict[str, Any]:
    """Why this person may not confirm the identity now, and whether it takes a reason."""
    try:
        acts.verify_check_identity(sitting, who)
        return {"late_identity": acts.is_late_for_identity(sitting, clock.now())}
    except Refused as refusal:
        return {"no_identity": str(refusal)}


def watched(request: HttpRequest, session_id: UUID) -> Session:
    """The session. Raises Http404 unless the user invigilates it."""
    session = get_object_or_404(Session.objects.select_related("programme_version__programme"), pk=session_id)
    if not acts.may_invigilate(person(request), session):
        raise Http404
    return session


def _sitting(request: HttpRequest, session_id: UUID, sitting_id: UUID) -> Sitting:
    found = Sitting.objects.select_related("candidate__person", "candidate__session__programme_version")
    return get_object_or_404(found, pk=sitting_id, candidate__session=watched(request, session_id))


def _more_time(request: HttpRequest) -> tuple[int, str]:
    """The minutes (0 if not a number) and the reason."""
    given = request.POST.get("minutes", "").strip()
    minutes = int(given) if given.isdecimal() and len(given) <= LONGEST_NUMBER else 0
    return minutes, request.POST.get("reason", "")
