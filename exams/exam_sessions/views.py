"""Pages for session holders: the list, a new session, its overview, preparing and cancelling."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams import clock
from exams.exam_sessions import candidacy, preparation, selectors, setup
from exams.exam_sessions.forms import CancelForm, SessionForm
from exams.impartiality import verify_examiner
from exams.invigilation.acts import STAFF, may_manage
from exams.papers import guarded_requests
from exams.papers.selectors import prepared
from exams.programmes import law
from exams.programmes.models import ProgrammeVersion
from exams.programmes.selectors import in_force
from exams.records.models import Session
from exams.sittings import timing
from training.classes.models import TrainingClass
from training.classes.views import posted_person
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import language, person
from training.platform.errors import Refused, UnfitList, passes
from training.platform.folded_text import alphabetical

PAGE = 25
MOST_ASKED = 20  # listed on the session's page; the rest is on a separate page
SETTERS_UP = (Role.INSTRUCTOR, Role.ADMINISTRATOR)


def posted(request: HttpRequest) -> QueryDict | None:
    """The posted data, even if empty; None for other methods."""
    return request.POST if request.method == "POST" else None


@allow(*STAFF, readers=[Role.AUDITOR])
@require_safe
def sessions(request: HttpRequest) -> HttpResponse:
    """Upcoming and current sessions; `?show=past` for past ones."""
    who, now = person(request), clock.now()
    shows_past = request.GET.get("show") == "past"
    choose = selectors.past if shows_past else selectors.current
    found = choose(selectors.counted(selectors.sessions_for(who)), now)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [
            (
                session,
                session.programme_version.name(language()),
                moment_of(session),
                preparation.is_blocked(session, now),
            )
            for session in page
        ],
        "shows_past": shows_past,
        "query": "show=past" if shows_past else "",
        "sets_up": not who.roles.isdisjoint(SETTERS_UP),
    }
    return render(request, "sessions/sessions.html", context)


def moment_of(session: Session) -> str:
    """The session's stage: draft, preparing, ready, open, over or cancelled."""
    if session.state != Session.State.READY:
        return session.state
    return {timing.Entry.EARLY: "ready", timing.Entry.OPEN: "open", timing.Entry.OVER: "over"}[
        timing.entry(session, clock.now())
    ]


@allow(*SETTERS_UP)
@require_http_methods(["GET", "HEAD", "POST"])
def new_session(request: HttpRequest) -> HttpResponse:
    who = person(request)
    versions = examined_by(who)
    form = SessionForm(posted(request), versions=versions, language=language(), rooms=selectors.classes_to_enter())
    if form.is_valid():
        room, facts = form.chosen_room(), form.facts()
        try:
            if room:
                # Check before creating anything: afterwards they would have to start again.
                candidacy.verify_holder(who, facts["version"], room)
            made = setup.create_session(who, **facts)
        except Refused as refusal:
            form.add_error("room" if room else None, str(refusal))
        else:
            if room:
                return entered_class(request, made, room)
            messages.success(request, _("The session has been created. Now enter its candidates."))
            _warn_of_own_classes(request, made)
            return redirect("session_candidates", made.pk)
    context = {"form": form, "versions": versions}
    return render(request, "sessions/new.html", context, status=422 if form.is_bound else 200)


def _warn_of_own_classes(request: HttpRequest, session: Session) -> None:
    if own := candidacy.classes_closed_to(session.created_by, session.programme_version):
        message = _(
            "In this programme you may not examine people you taught, so nobody from these classes can be "
            "entered here: %(classes)s."
        )
        messages.warning(request, message % {"classes": ", ".join(room.name for room in own)})


def entered_class(request: HttpRequest, session: Session, room: TrainingClass) -> HttpResponse:
    """Enter a class and report: how many, who could not be entered and why, who else could hold the session."""
    try:
        entry = candidacy.enter_class(session, room, person(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("session_candidates", session.pk)
    count = len(entry.made)
    message = ngettext("%(count)d candidate entered.", "%(count)d candidates entered.", count) % {"count": count}
    messages.success(request, message) if count else messages.info(request, _("Nobody was entered."))
    for error in entry.kept_out[: candidacy.MOST_NAMED]:
        messages.warning(request, error.reason)
    if more := len(entry.kept_out[candidacy.MOST_NAMED :]):
        left = ngettext("%(count)d other may not sit this exam.", "%(count)d others may not sit this exam.", more)
        messages.warning(request, left % {"count": more})
    if entry.instead:
        names = ", ".join(who.name for who in entry.instead[: candidacy.MOST_NAMED])
        messages.info(request, _("Who could be in charge of a session for them: %(names)s.") % {"names": names})
    return redirect("session_candidates", session.pk)


def examined_by(who: User) -> list[ProgrammeVersion]:
    """The programmes in force in which somebody may examine."""
    return [version for version in in_force() if passes(verify_examiner, who, version)]


def held(request: HttpRequest, session_id: UUID) -> Session:
    """A session the person holds, invigilates, administers or audits. Raises Http404."""
    return get_object_or_404(selectors.sessions_for(person(request)), pk=session_id)


def managed(request: HttpRequest, session_id: UUID) -> Session:
    """A session the person may change; for invigilators raises Http404."""
    session = held(request, session_id)
    if not may_manage(person(request), session):
        raise Http404
    return session


def head(request: HttpRequest, session: Session, tab: str) -> dict[str, Any]:
    """Context shared by all pages of a session."""
    who = person(request)
    return {
        "session": session,
        "tab": tab,
        "moment": moment_of(session),
        "programme": session.programme_version.name(language()),
        "manages": may_manage(who, session),
        "watches": session.created_by_id == who.pk or session.invigilators.filter(pk=who.pk).exists(),
        "is_draft": session.state == Session.State.DRAFT,
        "begun": selectors.begun(session),
    }


@allow(*STAFF, readers=[Role.AUDITOR])
@require_safe
def session_page(request: HttpRequest, session_id: UUID) -> HttpResponse:
    return overview(request, held(request, session_id))


def overview(request: HttpRequest, session: Session, *, status: int = 200, **more: Any) -> HttpResponse:
    asked = request.GET.get("q", "").strip()
    inside = list(session.invigilators.order_by(alphabetical("name"), "pk"))
    found = [who for who in selectors.found_staff(asked, STAFF) if who not in inside] if asked else []
    context = head(request, session, "overview") | {
        "code": " ".join((session.access_code[:4], session.access_code[4:])),
        "entered": session.candidates.count(),
        "minutes": session.programme_version.rules.minutes_of(session.part),
        "in_room": session.is_practical and session.programme_version.rules.in_room,
        "laws": law.cited(session.programme_version.rules),
        "outdated": preparation.why_outdated(session, clock.now()),
        "blocked": preparation.is_blocked(session, clock.now()),
        "prepared": prepared(session),
        "may_take_back": preparation.may_take_back(session, clock.now()),
        "invigilators": inside,
        "asked": asked,
        "found": found,
    }
    if context["outdated"] and context["manages"]:
        context["newer_version"] = preparation.newer_version(session)
    if context["manages"]:
        rows = guarded_requests.of_session(session, person(request))[:MOST_ASKED]
        context["asked_rows"] = [(row, guarded_requests.place(row.route)) for row in rows]
    return render(request, "sessions/session.html", context | more, status=status)


@allow(*SETTERS_UP)
@require_http_methods(["GET", "HEAD", "POST"])
def change_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    session, who = managed(request, session_id), person(request)
    form = SessionForm(
        posted(request), versions=examined_by(who), language=language(), initial=SessionForm.initial_of(session)
    )
    if form.is_valid():
        try:
            setup.change_session(session, who, **form.facts())
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect("session", session.pk)
    context = head(request, session, "change") | {"form": form}
    return render(request, "sessions/change.html", context, status=422 if form.is_bound else 200)


@allow(*SETTERS_UP)
@require_POST
def prepare_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Have the papers made; with `anew` for the version of the programme that examines the law in force."""
    session = managed(request, session_id)
    act = preparation.prepare_anew if "anew" in request.POST else preparation.prepare
    try:
        act(session, person(request))
    except UnfitList as unfit:
        return overview(request, session, errors=unfit.errors, status=unfit.status)
    except Refused as refusal:
        return overview(request, session, error=str(refusal), status=refusal.status)
    return redirect("session", session.pk)


@allow(*SETTERS_UP)
@require_POST
def take_back_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    session = managed(request, session_id)
    try:
        preparation.back_to_draft(session, person(request))
    except Refused as refusal:
        return overview(request, session, error=str(refusal), status=refusal.status)
    messages.success(request, _("The session is being set up again. Its papers are gone and will be made again."))
    return redirect("session", session.pk)


@allow(*SETTERS_UP)
@require_http_methods(["GET", "HEAD", "POST"])
def cancel_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    session = managed(request, session_id)
    form = CancelForm(posted(request))
    if form.is_valid():
        try:
            preparation.cancel(session, person(request), reason=form.cleaned_data["reason"])
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The session has been cancelled."))
            return redirect("session", session.pk)
    context = head(request, session, "cancel") | {"form": form}
    return render(request, "sessions/cancel.html", context, status=422 if form.is_bound else 200)


@allow(*SETTERS_UP)
@require_POST
def change_invigilators(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Add or remove an invigilator."""
    session, by = managed(request, session_id), person(request)
    adds = "add" in request.POST
    among = User.objects.filter(is_active=True) if adds else session.invigilators.all()
    who = posted_person(request, "add" if adds else "remove", among)
    try:
        (setup.add_invigilator if adds else setup.remove_invigilator)(session, who, by)
    except Refused as refusal:
        return overview(request, session, error=str(refusal), status=refusal.status)
    message = _("%(name)s invigilates this session.") if adds else _("%(name)s no longer invigilates this session.")
    messages.success(request, message % {"name": who.name})
    return redirect("session", session.pk)
