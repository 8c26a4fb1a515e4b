"""Pages for acts on certificates: explain the act, ask for a reason, perform it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from exams import clock
from exams.certificates import issuance, services, unconfirmed_identity, withdrawal
from exams.certificates.models import Certificate
from exams.hr.forms import ReasonForm, ScopeForm
from exams.hr.views import certificate_context
from exams.records.models import ActRequest
from exams.results.models import Result
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person
from training.platform.errors import Refused


@dataclass(frozen=True)
class Deed:
    """One act as the pages offer it."""

    do: Callable[..., Certificate | ActRequest]
    verify: Callable[..., None]
    title: Promise
    meaning: Promise
    button: Promise
    scope: bool = False
    grave: bool = False


DEEDS = {
    "suspend": Deed(
        services.suspend,
        services.verify_suspend,
        gettext_lazy("Suspend the certificate"),
        gettext_lazy(
            "It is not valid until it is reinstated: the holder is left off the rosters, and the public page says so."
        ),
        gettext_lazy("Suspend it"),
        grave=True,
    ),
    "reinstate": Deed(
        services.reinstate,
        services.verify_reinstate,
        gettext_lazy("Reinstate the certificate"),
        gettext_lazy("It is valid again as before, until the same day."),
        gettext_lazy("Reinstate it"),
    ),
    "reduce": Deed(
        services.reduce,
        services.verify_reduce,
        gettext_lazy("Reduce what it covers"),
        gettext_lazy("Leave only the rulebooks that the holder may still deal."),
        gettext_lazy("Reduce it"),
        scope=True,
        grave=True,
    ),
    "extend": Deed(
        services.extend,
        services.verify_extend,
        gettext_lazy("Extend what it covers"),
        gettext_lazy("Add rulebooks that its programme examined."),
        gettext_lazy("Extend it"),
        scope=True,
    ),
    "withdraw": Deed(
        withdrawal.withdraw_or_ask,
        withdrawal.verify_withdraw_or_ask,
        gettext_lazy("Withdraw the certificate"),
        gettext_lazy(
            "It loses its validity for good once a second person has confirmed the withdrawal. Only a new exam leads "
            "to a new certificate. If it must not be used meanwhile, suspend it."
        ),
        gettext_lazy("Withdraw it for good"),
        grave=True,
    ),
}


@allow(Role.HR)
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, certificate_id: UUID, deed_name: str) -> HttpResponse:
    """Perform an act after confirmation with a reason."""
    found = Certificate.objects.select_related("programme_version__programme", "holder")
    certificate, deed = get_object_or_404(found, pk=certificate_id), DEEDS.get(deed_name)
    if deed is None:
        raise Http404
    try:
        deed.verify(certificate, person(request))
    except Refused as refusal:
        return _page(request, certificate, deed, refusal=str(refusal), status=refusal.status)
    data = request.POST if request.method == "POST" else None
    form = ScopeForm(data, certificate=certificate) if deed.scope else ReasonForm(data)
    if data is None or not form.is_valid():
        return _page(request, certificate, deed, form=form, status=200 if data is None else 422)
    try:
        done = deed.do(certificate=certificate, actor=person(request), **form.cleaned_data)
    except (services.UnfitReason, services.UnfitScope) as refusal:
        form.add_error(refusal.field, str(refusal))
        return _page(request, certificate, deed, form=form, status=refusal.status)
    except Refused as refusal:
        return _page(request, certificate, deed, refusal=str(refusal), status=refusal.status)
    if isinstance(done, ActRequest):
        messages.success(request, _("Requested. It takes effect when a second person confirms it."))
        return redirect("name_corrections")
    messages.success(request, _("Done and recorded: %(number)s.") % {"number": certificate.number})
    return redirect("hr_person", certificate.holder_id)


def _page(request: HttpRequest, certificate: Certificate, deed: Deed, *, status: int, **more: Any) -> HttpResponse:
    context = (
        {"tab": "people", "deed": deed, "who": certificate.holder}
        | certificate_context(certificate, clock.today())
        | more
    )
    return render(request, "hr/act.html", context, status=status)


@allow(Role.HR)
@require_http_methods(["GET", "HEAD", "POST"])
def issue(request: HttpRequest, passed_id: UUID) -> HttpResponse:
    """Issue the certificate of a passed exam, if that is for HR to decide, or request it if nobody confirmed who
    sat."""
    result = get_object_or_404(issuance.waiting(), pk=passed_id)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].required = unconfirmed_identity.needs_two(result)  # otherwise the passed exam is the reason
    refusal, status = "", 200
    try:
        unconfirmed_identity.verify_issue_or_ask(result, person(request))
        if request.method == "POST":
            if form.is_valid():
                return _issued(request, result, form.cleaned_data["reason"])
            status = 422
    except Refused as why:
        refusal, status = str(why), 409
    who = result.sitting.candidate.person
    context = {"tab": "waiting", "who": who, "result": result, "form": form, "refusal": refusal}
    context["programme"] = result.programme_version.name(language())
    context["printed_name"] = issuance.printed_name(result)
    context["needs_two"] = unconfirmed_identity.why_two(result)
    return render(request, "hr/issue.html", context, status=status)


def _issued(request: HttpRequest, result: Result, reason: str) -> HttpResponse:
    made = unconfirmed_identity.issue_or_ask(result=result, by=person(request), reason=reason)
    if isinstance(made, Certificate):
        messages.success(request, _("Certificate %(number)s has been issued.") % {"number": made.number})
        return redirect("hr_person", made.holder_id)
    messages.success(request, _("Requested. It takes effect when a second person confirms it."))
    return redirect("name_corrections")
