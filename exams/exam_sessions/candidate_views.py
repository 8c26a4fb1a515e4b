"""Pages for a session's candidates: entered singly or by list, with extra time for each."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.exam_sessions import candidacy, selectors, setup
from exams.exam_sessions.forms import CandidateListForm, ExtraTimeForm, class_choices
from exams.exam_sessions.setup import MOST_EXTRA_MINUTES
from exams.exam_sessions.views import SETTERS_UP, entered_class, head, held, managed, posted
from exams.invigilation.acts import STAFF
from exams.records.models import Candidate, Session
from training.classes.selectors import found_people, people
from training.classes.views import posted_person
from training.people.access import allow
from training.people.models import Role
from training.people.request import person
from training.platform.errors import Refused, RowError, UnfitList

PAGE = 50


@allow(*STAFF, readers=[Role.AUDITOR])
@require_safe
def session_candidates(request: HttpRequest, session_id: UUID) -> HttpResponse:
    return candidates_page(request, held(request, session_id))


def candidates_page(request: HttpRequest, session: Session, *, status: int = 200, **more: Any) -> HttpResponse:
    asked = (request.POST if request.method == "POST" else request.GET).get("q", "").strip()
    everybody = selectors.candidates_of(session)
    page = Paginator(everybody, PAGE).get_page(request.GET.get("page"))
    version = session.programme_version
    tries = candidacy.tries_of([candidate.person_id for candidate in page], version.programme_id, session.part)
    context = head(request, session, "candidates") | {
        "page": page,
        "rows": [(candidate, tries[candidate.person_id], getattr(candidate, "sitting", None)) for candidate in page],
        "most_tries": version.rules.tries,
        "most_minutes": MOST_EXTRA_MINUTES,
        "asked": asked,
        "found": found_people(asked, Role.TRAINEE) if asked else [],
        "inside": {candidate.person_id for candidate in everybody},
    }
    open_still = context["moment"] in ("ready", "open") and not session.is_practical
    context["late"] = open_still
    context["may_change"] = context["manages"] and (context["is_draft"] or open_still)
    if context["manages"] and context["is_draft"]:
        context["classes"] = class_choices(selectors.classes_to_enter())
    return render(request, "sessions/candidates.html", context | more, status=status)


@allow(*SETTERS_UP)
@require_POST
def enter_candidate(request: HttpRequest, session_id: UUID) -> HttpResponse:
    session = managed(request, session_id)
    who = posted_person(request, "trainee", people(Role.TRAINEE))
    try:
        candidacy.enter(session, who, person(request), reason=request.POST.get("reason", ""))
    except Refused as refusal:
        return candidates_page(request, session, error=str(refusal), status=refusal.status)
    messages.success(request, _("%(name)s is a candidate.") % {"name": who.name})
    return redirect("session_candidates", session.pk)


@allow(*SETTERS_UP)
@require_POST
def enter_class(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Enter everybody in a class who may sit the exam, and report who may not."""
    session = managed(request, session_id)
    asked = request.POST.get("class", "")
    room = next((room for room in selectors.classes_to_enter() if str(room.pk) == asked), None)
    if room is None:
        return candidates_page(request, session, error=_("Choose a class."), status=422)
    return entered_class(request, session, room)


@allow(*SETTERS_UP)
@require_POST
def remove_candidate(request: HttpRequest, session_id: UUID, candidate_id: UUID) -> HttpResponse:
    session = managed(request, session_id)
    try:
        who = candidacy.remove(session, candidate_id, person(request), reason=request.POST.get("reason", ""))
    except Candidate.DoesNotExist:
        raise Http404 from None
    except Refused as refusal:
        return candidates_page(request, session, error=str(refusal), status=refusal.status)
    messages.success(request, _("%(name)s is no longer a candidate.") % {"name": who.name})
    return redirect("session_candidates", session.pk)


@allow(*SETTERS_UP)
@require_POST
def extra_time(request: HttpRequest, session_id: UUID, candidate_id: UUID) -> HttpResponse:
    """Grant one candidate extra time."""
    session = managed(request, session_id)
    form = ExtraTimeForm(request.POST)
    if not form.is_valid():
        reason = _("Extra time can be from 0 to %(most)d minutes.") % {"most": MOST_EXTRA_MINUTES}
        return candidates_page(request, session, error=reason, status=422)
    try:
        minutes = form.cleaned_data["minutes"]
        candidate = setup.grant_extra_time(
            session, candidate_id, person(request), minutes=minutes, reason=form.cleaned_data["reason"]
        )
    except Candidate.DoesNotExist:
        raise Http404 from None
    except Refused as refusal:
        return candidates_page(request, session, error=str(refusal), status=refusal.status)
    message = _("%(name)s has %(minutes)d extra minutes.") % {"name": candidate.person.name, "minutes": minutes}
    messages.success(request, message)
    return redirect("session_candidates", session.pk)


@allow(*SETTERS_UP)
@require_http_methods(["GET", "HEAD", "POST"])
def enter_candidates(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Enter a whole list, or nobody if a row is wrong."""
    session = managed(request, session_id)
    form = CandidateListForm(posted(request))
    errors: list[RowError] = []
    if form.is_valid():
        try:
            made = candidacy.enter_list(session, form.cleaned_data["text"], person(request))
        except UnfitList as unfit:
            errors = unfit.errors
        except Refused as refusal:
            errors = [RowError(0, "", str(refusal))]
        else:
            message = ngettext("%(count)d candidate entered.", "%(count)d candidates entered.", len(made))
            messages.success(request, message % {"count": len(made)})
            return redirect("session_candidates", session.pk)
    context = head(request, session, "candidates") | {"form": form, "errors": errors}
    return render(request, "sessions/list.html", context, status=422 if form.is_bound else 200)
