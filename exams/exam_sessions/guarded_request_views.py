"""Pages listing who asked for the ruling on a guarded case, for session holders and administrators."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exams.exam_sessions.views import SETTERS_UP
from exams.papers import guarded_requests
from training.people.access import allow
from training.people.request import person
from training.platform.errors import Refused

PAGE = 50


@allow(*SETTERS_UP)
@require_safe
def rulings_asked(request: HttpRequest) -> HttpResponse:
    """All requests, unreviewed ones first."""
    found = guarded_requests.seen_by(person(request)).order_by(F("looked_at").asc(nulls_first=True), "-last_at", "-pk")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    rows = [(row, guarded_requests.place(row.route)) for row in page]
    return render(request, "sessions/rulings_asked.html", {"page": page, "rows": rows})


@allow(*SETTERS_UP)
@require_POST
def look_at_asked(request: HttpRequest, asked_id: int) -> HttpResponse:
    """Mark a request as reviewed."""
    try:
        guarded_requests.look_at(asked_id, person(request))
        messages.success(request, _("It is now recorded that you have looked at it."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("rulings_asked")
