"""Who is in a class: by hand, or by a list that is checked first."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from training.classes import enrolment, selectors, services
from training.classes.forms import ListForm
from training.classes.models import TrainingClass
from training.classes.views import posted_person, taught
from training.people.access import allow
from training.people.models import Role
from training.people.request import person
from training.platform.errors import Refused, RowError, UnfitList

PAGE = 50


@allow(Role.INSTRUCTOR)
@require_safe
def people(request: HttpRequest, class_id: UUID) -> HttpResponse:
    return _page(request, taught(request, class_id))


def _page(request: HttpRequest, room: TrainingClass, *, error: str = "", status: int = 200) -> HttpResponse:
    asked = (request.POST if request.method == "POST" else request.GET).get("q", "").strip()
    inside = selectors.roster(room)
    found = selectors.found_people(asked, Role.TRAINEE) if asked else []
    context = {
        "room": room,
        "tab": "people",
        "page": Paginator(inside, PAGE).get_page(request.GET.get("page")),
        "asked": asked,
        "found": found,
        "inside": {who.pk for who in inside},
        "error": error,
    }
    return render(request, "classes/people.html", context, status=status)


@allow(Role.INSTRUCTOR)
@require_POST
def enrol(request: HttpRequest, class_id: UUID) -> HttpResponse:
    room = taught(request, class_id)
    who = posted_person(request, "trainee", selectors.people(Role.TRAINEE))
    try:
        services.enrol(room, [who], person(request))
    except Refused as refusal:
        return _page(request, room, error=str(refusal), status=refusal.status)
    messages.success(request, _("%(name)s has been added to the class.") % {"name": who.name})
    return redirect("class_people", room.pk)


@allow(Role.INSTRUCTOR)
@require_POST
def remove(request: HttpRequest, class_id: UUID) -> HttpResponse:
    room = taught(request, class_id)
    who = posted_person(request, "trainee", selectors.trainees_of(room))
    services.remove(room, who, person(request))
    messages.success(request, _("%(name)s is no longer in the class.") % {"name": who.name})
    return redirect("class_people", room.pk)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def enrol_list(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """Check a list without changing anything, say what would come of it, and then do it."""
    room = taught(request, class_id)
    if request.method != "POST":
        return render(request, "classes/list.html", {"room": room, "tab": "people", "form": ListForm()})
    form = ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "classes/list.html", {"room": room, "tab": "people", "form": form}, status=422)
    outcome: dict[str, Any] = {}
    listed, unknown = form.cleaned_data["text"], form.cleaned_data["enter_unknown"]
    try:
        if upload := form.cleaned_data["file"]:
            listed = enrolment.decode(upload.read(enrolment.MAX_BYTES + 1))
        if "confirm" in request.POST:
            return _enrolled(request, room, listed, enter_unknown=unknown)
        outcome["plan"] = enrolment.plan(room, listed, enter_unknown=unknown)
    except UnfitList as unfit:
        outcome["errors"] = unfit.errors
    except Refused as refusal:
        outcome["errors"] = [RowError(0, "", str(refusal))]
    # What was read goes back into the page as text, where a wrong row can be put right.
    filled = ListForm(initial={"text": listed, "enter_unknown": unknown})
    context = {"room": room, "tab": "people", "form": filled, "listed": listed, "enter_unknown": unknown} | outcome
    return render(request, "classes/list.html", context, status=422 if "errors" in outcome else 200)


def _enrolled(request: HttpRequest, room: TrainingClass, listed: str, *, enter_unknown: bool) -> HttpResponse:
    planned, entered = enrolment.enrol_list(room, listed, person(request), enter_unknown=enter_unknown)
    count = len(planned.enrol) + len(entered)
    messages.success(
        request, ngettext("%(count)d trainee enrolled.", "%(count)d trainees enrolled.", count) % {"count": count}
    )
    if entered:
        told = ngettext(
            "%(count)d invitation is on its way by e-mail.",
            "%(count)d invitations are on their way by e-mail.",
            len(entered),
        )
        messages.info(request, told % {"count": len(entered)})
    return redirect("class_people", room.pk)
