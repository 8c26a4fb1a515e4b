"""Pages for objections and complaints: the person's own, the register, and the review."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams import clock
from exams.appeals import objections
from exams.appeals.forms import text_field
from exams.appeals.models import Objection
from training.people.access import allow, signed_in
from training.people.models import Role, User
from training.people.request import person
from training.platform.errors import Refused

PAGE = 25


class ObjectionForm(forms.Form):
    about = forms.ChoiceField(label=gettext_lazy("What it is about"), widget=forms.RadioSelect)
    text = text_field(
        gettext_lazy("What is wrong, and why"), 8, gettext_lazy("Say what should be done. From 20 to 4,000 characters.")
    )

    act = forms.ChoiceField(label=gettext_lazy("If you complain: about which act"), required=False)
    named = forms.CharField(
        label=gettext_lazy("If you complain: about whom"),
        help_text=gettext_lazy("Name or e-mail, if you want to say. They will not decide it."),
        required=False,
        max_length=120,
    )

    def __init__(self, *args: Any, who: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = dict(Objection.Kind.choices)
        choices = [
            (
                f"{one.kind}:{one.key}",
                _("%(kind)s: %(about)s, until %(day)s")
                % {"kind": kinds[one.kind], "about": one.about, "day": date_format(one.until, "SHORT_DATE_FORMAT")},
            )
            for one in objections.contestable(who, clock.now())
        ]
        self.fields["act"].choices = [  # type: ignore[attr-defined]
            ("", _("nothing in particular")),
            *(
                (f"{one.kind}:{one.key}", f"{kinds.get(one.kind, _('Exam'))}: {one.about}")
                for one in objections.complained_about(who, clock.now())
            ),
        ]
        complaint = Objection.Kind.COMPLAINT
        self.fields["about"].choices = [*choices, (f"{complaint}:", kinds[complaint])]  # type: ignore[attr-defined]


class DecisionForm(forms.Form):
    upheld = forms.TypedChoiceField(
        label=gettext_lazy("Decision"),
        choices=[("1", gettext_lazy("Upheld")), ("0", gettext_lazy("Rejected"))],
        coerce=lambda value: value == "1",
        widget=forms.RadioSelect,
    )
    reply = text_field(
        gettext_lazy("Reply to the person"), 6, gettext_lazy("The reasons and, if it is upheld, what is to be done.")
    )


class DoneForm(forms.Form):
    done = text_field(gettext_lazy("What was done"), 4, gettext_lazy("The person reads it."))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def own_objections(request: HttpRequest) -> HttpResponse:
    """The person's objections and complaints, and a form for another one."""
    who = person(request)
    form = ObjectionForm(request.POST or None, who=who)
    if request.method == "POST" and form.is_valid():
        kind, _colon, key = form.cleaned_data["about"].partition(":")
        try:
            given = form.cleaned_data
            objections.lodge(who, kind, key, given["text"], act=given["act"], who=given["named"])
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("We have received it. You will get an e-mail to confirm it."))
            return redirect("own_objections")
    found = Objection.objects.filter(person=who).order_by("-number")
    context = {"form": form, "page": Paginator(found, PAGE).get_page(request.GET.get("page"))}
    status = 422 if request.method == "POST" else 200
    return render(request, "appeals/own_objections.html", context, status=status)


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR, Role.HR])
@require_safe
def objection_register(request: HttpRequest) -> HttpResponse:
    found = Objection.objects.order_by(F("decided_at").desc(nulls_first=True), "decide_by", "-number")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    refused = objections.why_not_each(person(request), [one for one in page if one.state == Objection.State.LODGED])
    lines = [
        {
            "objection": one,
            "overdue": one.state == Objection.State.LODGED and one.decide_by < clock.now(),
            "why_not": refused.get(one.pk, ""),
        }
        for one in page
    ]
    return render(request, "appeals/objections.html", {"page": page, "lines": lines})


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR, Role.HR])
@require_http_methods(["GET", "HEAD", "POST"])
def objection(request: HttpRequest, objection_id: UUID) -> HttpResponse:
    """One of them, with its text for those who may decide it, for auditors, and for those who carry out what was
    decided."""
    found = get_object_or_404(Objection.objects.select_related("person", "reviewer", "done_by"), pk=objection_id)
    if request.method != "POST":
        return _page(request, found)
    who, form = person(request), DecisionForm(request.POST)
    if objections.why_not(who, found):
        return _page(request, found, form, status=403)
    status = 422
    if form.is_valid():
        try:
            objections.decide(found, who, **form.cleaned_data)
        except Refused as why:
            form.add_error(None, str(why))
            status = why.status
        else:
            messages.success(request, _("It has been decided. The person is told by e-mail."))
            return redirect("objection", found.pk)
    return _page(request, found, form, status=status)


def _page(
    request: HttpRequest,
    found: Objection,
    form: DecisionForm | None = None,
    done_form: DoneForm | None = None,
    status: int = 200,
) -> HttpResponse:
    who, lodged = person(request), found.state == Objection.State.LODGED
    refusal = str(objections.why_not(who, found))
    context = {
        "objection": found,
        "form": (form or DecisionForm()) if lodged and not refusal else None,
        "refusal": refusal if lodged and not who.only_reads else "",
        "may_read": not refusal or who.only_reads or (not lodged and who.pk != found.person_id),
        "may_decide": objections.who_may(found) if lodged else [],
        "overdue": lodged and found.decide_by < clock.now(),
        "to_do": objections.to_do(who).filter(pk=found.pk).exists(),
        "done_form": done_form or DoneForm(),
    }
    return render(request, "appeals/objection.html", context, status=status)


@allow(Role.HR, Role.ADMINISTRATOR)
@require_POST
def carry_out_objection(request: HttpRequest, objection_id: UUID) -> HttpResponse:
    """Record what was done about an upheld objection."""
    found = get_object_or_404(Objection.objects.select_related("person", "reviewer", "done_by"), pk=objection_id)
    form = DoneForm(request.POST)
    if form.is_valid():
        try:
            objections.carry_out(found, person(request), done=form.cleaned_data["done"])
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Recorded. The person is told by e-mail."))
            return redirect("objection", found.pk)
    return _page(request, found, done_form=form, status=422)
