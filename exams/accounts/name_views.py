"""The printed name of a person: one asks for another, a second decides."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.accounts.forms import PrintedNameForm
from exams.accounts.views import PAGE, person_of
from exams.certificates import correction, services
from exams.certificates.models import NameCorrection
from training.people.access import allow
from training.people.models import Role
from training.people.request import person
from training.refusal import Refused


@allow(Role.HR, Role.ADMINISTRATOR)
@require_safe
def name_corrections(request: HttpRequest) -> HttpResponse:
    """What waits for a second person, then what was decided."""
    by, found = person(request), NameCorrection.objects.select_related("holder", "asked_by", "decided_by")
    waiting = [
        (asked, services.passes(lambda asked=asked: correction.verify_confirm(asked, by)))  # type: ignore[misc]
        for asked in found.filter(decided_at=None).order_by("asked_at")
    ]
    decided = found.exclude(decided_at=None).order_by("-decided_at")
    context = {"waiting": waiting, "page": Paginator(decided, PAGE).get_page(request.GET.get("page"))}
    return render(request, "accounts/names.html", context)


@allow(Role.HR, Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_name(request: HttpRequest, person_id: int) -> HttpResponse:
    who = person_of(person_id)
    form = PrintedNameForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            correction.ask(who, by=person(request), **form.cleaned_data)
        except Refused as refusal:
            form.add_error(refusal.field or None, str(refusal))
        else:
            messages.success(request, _("Asked for. It counts when a second person confirms it."))
            return redirect("name_corrections")
    context = {"who": who, "form": form, "printed": correction.printed_names(who)}
    return render(request, "accounts/ask_for_name.html", context, status=422 if request.method == "POST" else 200)


@allow(Role.HR, Role.ADMINISTRATOR)
@require_POST
def decide_name(request: HttpRequest, correction_id: int) -> HttpResponse:
    asked = NameCorrection.objects.select_related("holder").filter(pk=correction_id).first()
    if asked is None:
        raise Http404
    try:
        if "confirm" in request.POST:
            correction.confirm(asked, by=person(request))
            messages.success(request, _("The name is corrected, and the certificates are issued anew in it."))
        elif "refuse" in request.POST:
            correction.refuse(asked, by=person(request))
            messages.success(request, _("The name stays as it is printed."))
        else:
            raise Http404
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("name_corrections")
