"""A person's data: everybody can download their own; administrators can export or erase others'."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from exams.accounts.views import person_of
from exams.hr import retention
from exams.hr.forms import ErasureForm
from exams.hr.privacy import copy_of
from training.people.access import allow, signed_in
from training.people.models import Role, User
from training.people.request import person
from training.platform.errors import Refused


@signed_in
@require_safe
def own_data(request: HttpRequest) -> HttpResponse:
    return render(request, "hr/own_data.html")


@signed_in
@require_safe
def own_copy(request: HttpRequest) -> HttpResponse:
    return _file(person(request), by=person(request))


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def person_data(request: HttpRequest, person_id: int) -> HttpResponse:
    """What can be done with a person's data; posting erases everything except evidence."""
    who, by = person_of(person_id), person(request)
    form = ErasureForm(request.POST if request.method == "POST" else None)
    refusal: Refused | None = None
    status = 200
    try:
        retention.verify_erase(who, by)
        if request.method == "POST":
            if form.is_valid():
                retention.erase(who, by=by, reason=form.cleaned_data["reason"])
                messages.success(request, _("Everything that is not evidence has been erased."))
                return redirect("person", who.pk)
            status = 422
    except Refused as why:
        refusal, status = why, why.status if request.method == "POST" else 200
    context = {"who": who, "form": form, "refusal": refusal, "name_stays": retention.evidence(who)}
    return render(request, "hr/person_data.html", context, status=status)


@allow(Role.ADMINISTRATOR)
@require_safe
def person_copy(request: HttpRequest, person_id: int) -> HttpResponse:
    return _file(person_of(person_id), by=person(request))


def _file(who: User, *, by: User) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="data-{who.pk}.json"', "Cache-Control": "no-store"}
    return HttpResponse(copy_of(who, by=by), content_type="application/json", headers=headers)
