"""Acting on many certificates: first the choice and its meaning, then the reason and the act."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from exams.certificates.services import UnfitReason
from exams.hr import bulk
from exams.hr.forms import ReasonForm
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import person


@dataclass(frozen=True)
class Deed:
    lines: Callable[[Sequence[UUID], User], list[bulk.Line]]
    do: Callable[..., bulk.Done]
    back: str
    tab: str
    title: Promise
    meaning: Promise
    button: Promise
    grave: bool = False


ISSUE = Deed(
    bulk.to_issue,
    bulk.issue,
    "hr_waiting",
    "waiting",
    gettext_lazy("Issue several certificates"),
    gettext_lazy(
        "Each is issued separately, and each holder gets an e-mail. Where the identity was not checked, the "
        "certificate is only asked for, and a second person must confirm it."
    ),
    gettext_lazy("Issue them"),
)
SUSPEND = Deed(
    bulk.to_suspend,
    bulk.suspend,
    "hr_desk",
    "people",
    gettext_lazy("Suspend several certificates"),
    gettext_lazy(
        "They are not valid until they are reinstated: the holders are left off the rosters, and each gets an "
        "e-mail with the reason."
    ),
    gettext_lazy("Suspend them"),
    grave=True,
)


@allow(Role.HR)
@require_http_methods(["GET", "HEAD", "POST"])
def issue_many(request: HttpRequest) -> HttpResponse:
    return _many(request, ISSUE)


@allow(Role.HR)
@require_http_methods(["GET", "HEAD", "POST"])
def suspend_many(request: HttpRequest) -> HttpResponse:
    return _many(request, SUSPEND)


def _many(request: HttpRequest, deed: Deed) -> HttpResponse:
    sent, by = request.POST if request.method == "POST" else request.GET, person(request)
    lines = deed.lines(bulk.keys(sent.getlist("chosen")), by)
    fit = [line for line in lines if not line.why_not]
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if not lines:
        messages.warning(request, _("Choose at least one certificate."))
        return redirect(deed.back)
    if request.method == "POST" and fit and form.is_valid():
        try:
            done = deed.do([line.key for line in fit], by=by, reason=form.cleaned_data["reason"])
        except UnfitReason as refusal:
            form.add_error(refusal.field, str(refusal))
        else:
            _report(request, done)
            return redirect(deed.back)
    context = {"tab": deed.tab, "deed": deed, "fit": fit, "unfit": [line for line in lines if line.why_not]}
    status = 422 if request.method == "POST" else 200
    return render(request, "hr/many.html", context | {"form": form}, status=status)


def _report(request: HttpRequest, done: bulk.Done) -> None:
    if done.count:
        message = ngettext("%(count)d done and recorded.", "%(count)d done and recorded.", done.count)
        messages.success(request, message % {"count": done.count})
    if done.waiting:
        message = ngettext("%(count)d waits for a second person.", "%(count)d wait for a second person.", done.waiting)
        messages.warning(request, message % {"count": done.waiting})
    for name, why in done.refused:
        messages.warning(request, f"{name}: {why}")
