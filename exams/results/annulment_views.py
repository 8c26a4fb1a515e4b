"""Pages for annulling a sitting or giving the attempt back: one person asks, a second decides."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.invigilation.acts import STAFF, may_invigilate
from exams.records.models import Sitting
from exams.results import annulment, selectors
from exams.results.models import Annulment
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person
from training.platform.errors import Refused, why_not

PAGE = 25


class AnnulmentForm(forms.Form):
    remedy = forms.ChoiceField(
        label=gettext_lazy("What should be done"), choices=Annulment.Remedy.choices, widget=forms.RadioSelect
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        help_text=gettext_lazy("The candidate reads it."),
        max_length=annulment.LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(self, *args: Any, passed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        remedy = self.fields["remedy"]
        remedy.error_messages["invalid_choice"] = gettext_lazy("Choose what should be done.")
        if passed:
            kept = [choice for choice in Annulment.Remedy.choices if choice[0] != Annulment.Remedy.TRY_BACK]
            remedy.choices, remedy.help_text = kept, annulment.PASSED  # type: ignore[attr-defined]


@allow(*STAFF, readers=[Role.AUDITOR])
@require_safe
def annulments(request: HttpRequest) -> HttpResponse:
    """Lists pending requests, then decided ones."""
    who = person(request)
    found = annulment.seen_by(who)
    waiting = [
        (
            asked,
            "" if who.only_reads else why_not(annulment.verify_confirm, asked, who),
            annulment.given_back(asked.sitting),
            annulment.concerns(who, asked.sitting),
        )
        for asked in found.filter(decided_at=None).order_by("asked_at", "pk")
    ]
    decided = found.exclude(decided_at=None).order_by("-decided_at", "-pk")
    context = {"waiting": waiting, "page": Paginator(decided, PAGE).get_page(request.GET.get("page"))}
    return render(request, "results/annulments.html", context)


@allow(*STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def annul_sitting(request: HttpRequest, sitting_id: UUID) -> HttpResponse:
    sitting, who = _sitting(request, sitting_id), person(request)
    passed, refusal = annulment.may_know_passed(sitting, who), ""
    form = AnnulmentForm(request.POST if request.method == "POST" else None, passed=passed)
    try:
        annulment.verify_ask(sitting, who)
        if form.is_valid():
            asked = annulment.ask(sitting, by=who, **form.cleaned_data)
            messages.success(request, _success_message(asked))
            return redirect("annulments")
    except Refused as refused:
        if refused.field:
            form.add_error(refused.field, str(refused))
        else:
            refusal = str(refused)
    session = sitting.candidate.session
    context = {
        "sitting": sitting,
        "candidate": sitting.candidate.person,
        "session": session,
        "programme": session.programme_version.name(language()),
        "by_two": annulment.needs_two(sitting),
        "given_back": annulment.given_back(sitting),
        "incidents": selectors.incidents(sitting),
        "form": form,
        "refusal": refusal,
        "to_close": sitting.closed_at is None and may_invigilate(who, session),
    }
    status = 200 if request.method != "POST" else 409 if refusal else 422
    return render(request, "results/annul.html", context, status=status)


def _success_message(asked: Annulment) -> str:
    if asked.decided_at:
        return _("Done, and the candidate is told by e-mail.")
    return _("Requested. It takes effect when a second person confirms it.")


@allow(*STAFF)
@require_POST
def decide_annulment(request: HttpRequest, annulment_id: int) -> HttpResponse:
    asked = get_object_or_404(annulment.seen_by(person(request)), pk=annulment_id)
    try:
        if "confirm" in request.POST:
            annulment.confirm(asked, by=person(request))
            messages.success(request, _("Done, and the candidate is told by e-mail."))
        elif "refuse" in request.POST:
            annulment.refuse(asked, by=person(request))
            messages.success(request, _("The exam stays as it is."))
        else:
            raise Http404
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("annulments")


def _sitting(request: HttpRequest, sitting_id: UUID) -> Sitting:
    """The sitting. Raises Http404 unless this person may ask about it."""
    found = Sitting.objects.select_related("candidate__person", "candidate__session__programme_version__programme")
    sitting = get_object_or_404(found, pk=sitting_id)
    if not annulment.concerns(person(request), sitting):
        raise Http404
    return sitting
