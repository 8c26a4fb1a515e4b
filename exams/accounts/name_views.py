"""Pages for what takes a second person: names, certificates without a confirmed identity, withdrawals."""

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.accounts.forms import NameForm
from exams.accounts.views import PAGE, person_of
from exams.certificates import name_correction, unconfirmed_identity, withdrawal
from exams.certificates.models import IssueRequest
from exams.records.models import ActRequest, NameCorrection, TwoPersonRequest
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person
from training.platform.errors import Refused, why_not

# By button name: the act and its success message.
Acts = dict[str, tuple[Callable[..., object], Promise]]


@allow(Role.HR, Role.ADMINISTRATOR)
@require_safe
def name_corrections(request: HttpRequest) -> HttpResponse:
    """What waits for a second person, oldest first, then the decided names."""
    by = person(request)
    names = name_correction.waiting().select_related("holder", "asked_by").order_by("asked_at", "pk")
    issues = unconfirmed_identity.waiting().order_by("asked_at", "pk")
    decided = NameCorrection.objects.exclude(decided_at=None).select_related("asked_by", "decided_by")
    context = {
        "waiting": [(asked, why_not(name_correction.verify_confirm, asked, by)) for asked in names[:PAGE]],
        "more_names": max(0, names.count() - PAGE),
        "issues": [
            (
                asked,
                asked.result.programme_version.name(language()),
                why_not(unconfirmed_identity.verify_confirm, asked, by),
            )
            for asked in issues[:PAGE]
        ],
        "withdrawals": [
            (asked, withdrawal.certificate_of(asked), why_not(withdrawal.verify_confirm, asked, by))
            for asked in withdrawal.waiting().order_by("asked_at", "pk")[:PAGE]
        ],
        "more_issues": max(0, issues.count() - PAGE),
        "page": Paginator(decided.order_by("-decided_at"), PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "accounts/names.html", context)


@allow(Role.HR, Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_name(request: HttpRequest, person_id: int) -> HttpResponse:
    who = person_of(person_id)
    form = NameForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            name_correction.ask(who, by=person(request), **form.cleaned_data)
        except Refused as refusal:
            form.add_error(refusal.field or None, str(refusal))
        else:
            messages.success(request, _("Requested. It takes effect when a second person confirms it."))
            return redirect("name_corrections")
    context = {"who": who, "form": form, "printed": name_correction.printed_names(who)}
    return render(request, "accounts/ask_for_name.html", context, status=422 if request.method == "POST" else 200)


@allow(Role.HR, Role.ADMINISTRATOR)
@require_POST
def decide_name(request: HttpRequest, correction_id: int) -> HttpResponse:
    asked = NameCorrection.objects.select_related("holder").filter(pk=correction_id).first()
    acts: Acts = {
        "confirm": (
            name_correction.confirm,
            gettext_lazy("The name has been changed. Certificates in another name are reissued."),
        ),
        "refuse": (name_correction.refuse, gettext_lazy("The name stays as it is.")),
    }
    return _decide(request, asked, acts)


@allow(Role.HR, Role.ADMINISTRATOR)
@require_POST
def decide_issue(request: HttpRequest, issue_id: int) -> HttpResponse:
    asked = IssueRequest.objects.select_related("result__sitting__candidate").filter(pk=issue_id).first()
    acts: Acts = {
        "confirm": (unconfirmed_identity.confirm, gettext_lazy("The certificate has been issued.")),
        "refuse": (unconfirmed_identity.refuse, gettext_lazy("No certificate has been issued.")),
    }
    return _decide(request, asked, acts)


@allow(Role.HR, Role.ADMINISTRATOR)
@require_POST
def decide_withdrawal(request: HttpRequest, request_id: int) -> HttpResponse:
    asked = ActRequest.objects.filter(pk=request_id, act=withdrawal.ACT).first()
    acts: Acts = {
        "confirm": (withdrawal.confirm, gettext_lazy("The certificate has been withdrawn.")),
        "refuse": (withdrawal.refuse, gettext_lazy("The certificate stays as it is.")),
    }
    return _decide(request, asked, acts)


def _decide(request: HttpRequest, asked: TwoPersonRequest | None, acts: Acts) -> HttpResponse:
    """Perform the button's act, and report success or the refusal."""
    name = next((name for name in acts if name in request.POST), None)
    if asked is None or name is None:
        raise Http404
    act, message = acts[name]
    try:
        act(asked, by=person(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, str(message))
    return redirect("name_corrections")
