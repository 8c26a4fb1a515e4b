"""The trainee's pages for assigned work: the list, and starting the next scenario."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from training.classes import hooks, selectors, services
from training.classes.models import Assignment
from training.people.access import allow
from training.people.models import Role
from training.people.request import person


@allow(Role.TRAINEE)
@require_safe
def assigned(request: HttpRequest) -> HttpResponse:
    trainee, now = person(request), timezone.now()
    context = {
        "set_work": selectors.assignments_of(trainee, now),
        "set_tables": list(hooks.tables_set(trainee, now)),
    }
    return render(request, "classes/assigned.html", context)


@allow(Role.TRAINEE)
@require_POST
def start_assigned(request: HttpRequest, assignment_id: UUID) -> HttpResponse:
    """Start the next scenario of an assignment, or say that all are done."""
    trainee = person(request)
    try:
        assignment = selectors.assignment_for(trainee, assignment_id)
    except Assignment.DoesNotExist:
        raise Http404 from None
    try:
        drill = services.next_assigned(trainee, assignment)
    except services.NothingLeft as done:
        messages.success(request, str(done))
        return redirect("assigned")
    return redirect("drill", drill.pk)
