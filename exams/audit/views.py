"""The audit log for administrators."""

from datetime import date
from itertools import islice
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from exams import clock
from exams.audit import files, selectors, words
from exams.audit.models import Entry
from exams.audit.services import record, verify, verify_seal
from training.people.access import allow
from training.people.models import Role
from training.people.request import by_htmx, person
from training.platform.filters import unfit
from training.platform.folded_text import sort_key

PAGE = 50
CHECKED_AT_ONCE = 20_000  # entries
MOST_BROKEN = 200  # listed
WHY_BROKEN = {
    "it does not follow the entry before it": gettext_lazy("it does not follow the entry before it"),
    "its content was changed": gettext_lazy("its content was changed"),
    "it is not the last entry that was written": gettext_lazy("it is not the last entry that was written"),
    "it was added after the last entry of the log": gettext_lazy("it was added after the last entry of the log"),
    "it is missing": gettext_lazy("it is missing"),
    "its seal is not the one that was noted": gettext_lazy("its seal is not the one that was noted"),
    "the act that it records is missing": gettext_lazy("the act that it records is missing"),
    "the reason for the act was changed": gettext_lazy("the reason for the act was changed"),
}
FILES = {
    "csv": (files.csv_file, "text/csv; charset=utf-8"),
    "xlsx": (files.xlsx_file, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


class Day(forms.DateField):
    """A date field. Browsers show no invalid text in it, so the error repeats the value from the URL."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    default_validators = [clock.verify_day]

    def to_python(self, value: Any) -> date | None:
        try:
            return super().to_python(value)
        except forms.ValidationError:
            message = gettext("“%(value)s” is not a date.") % {"value": value}
            raise forms.ValidationError(message) from None


class FilterForm(forms.Form):
    """The filters of the log, kept in the URL."""

    since = Day(required=False)
    until = Day(required=False)
    person = forms.CharField(label=gettext_lazy("Name or e-mail"), required=False, max_length=100)
    act = forms.ChoiceField(label=gettext_lazy("What was done"), required=False)
    # Set by a link, not typed.
    subject = forms.CharField(
        label=gettext_lazy("only what was done to one thing"), required=False, max_length=80, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["since"].label, self.fields["until"].label = gettext("From"), gettext("Until")
        acts = sorted(((act, words.title_of(act)) for act in selectors.acts()), key=lambda pair: sort_key(pair[1]))
        self.fields["act"].choices = [("", gettext("Everything")), *acts]  # type: ignore[attr-defined]

    def clean_person(self) -> str:
        asked = str(self.cleaned_data["person"]).strip()
        if asked and len(selectors.people_called(asked)) > selectors.MOST_PEOPLE:
            message = gettext("More than %(most)d people match. Enter more of the name or the address.")
            raise forms.ValidationError(message % {"most": selectors.MOST_PEOPLE})
        return asked

    def filters(self) -> selectors.Filters:
        """The valid filters."""
        return selectors.Filters(**{name: value for name, value in self.cleaned_data.items() if value})


class CheckForm(forms.Form):
    """Where to go on, and a seal noted outside the platform."""

    after = forms.IntegerField(required=False, min_value=0, max_value=2**62, widget=forms.HiddenInput)
    noted = forms.CharField(
        label=gettext_lazy("A seal noted earlier"),
        required=False,
        max_length=120,
        help_text=gettext_lazy("As shown below the log: the number of the entry, a colon, and the seal."),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        number, colon, seal = data.get("noted", "").strip().partition(":")
        if number or colon:
            if not (colon and number.isdecimal() and len(number) < 19 and seal):  # a database number has 18 digits
                self.add_error("noted", gettext("This is not a number, a colon and a seal."))
            else:
                data |= {"number": int(number), "seal": seal.strip().lower()}
        return data


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def audit(request: HttpRequest) -> HttpResponse:
    return _page(request, _filled(request))


def _filled(request: HttpRequest) -> FilterForm:
    return FilterForm(request.GET or None)


def _found(form: FilterForm) -> QuerySet[Entry]:
    """Matching entries; none if a filter is invalid, because all would pass for the filtered ones."""
    if not form.is_bound:
        return selectors.entries(selectors.Filters())
    return selectors.entries(form.filters()) if form.is_valid() else Entry.objects.none()


def _page(request: HttpRequest, form: FilterForm, *, refusal: str = "") -> HttpResponse:
    page = Paginator(_found(form), PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "form": form,
        "page": page,
        "rows": words.describe(page, person(request)),
        "filtered": any(request.GET.get(name) for name in form.fields),
        "unfit": unfit(form),
        "one_thing": bool(request.GET.get("subject")),
        "query": query.urlencode(),
        "end": selectors.end(),
        "refusal": refusal,
    }
    return render(request, "audit/audit.html", context, status=422 if refusal or form.errors else 200)


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def audit_csv(request: HttpRequest) -> HttpResponse:
    return _file(request, "csv")


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def audit_xlsx(request: HttpRequest) -> HttpResponse:
    return _file(request, "xlsx")


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """Verify the log part by part: each part asks for the next, so that no request takes long. Stores nothing."""
    form = CheckForm(request.GET)
    given = form.cleaned_data if form.is_valid() else {}
    after, end = given.get("after") or 0, selectors.end()
    found = list(islice(verify(after, CHECKED_AT_ONCE), MOST_BROKEN))
    if not after and given.get("number"):
        found += verify_seal(given["number"], given["seal"])
    last = min(after + CHECKED_AT_ONCE, end.number)
    context = {
        "form": form,
        "after": after,
        "last": last,
        "end": end,
        "broken": [(each.number, WHY_BROKEN.get(each.why, each.why)) for each in found],
        "noted": given.get("number") if not after else None,
    }
    template = "audit/checked.html" if by_htmx(request) else "audit/check.html"
    return render(request, template, context, status=200 if form.is_valid() else 422)


def _file(request: HttpRequest, format: str) -> HttpResponse:
    """All pages of what the page shows. The download is itself audited."""
    form = _filled(request)
    found = _found(form)
    count = found.count()
    if form.errors or count > files.MOST:
        message = gettext("More than %(most)d entries match. Choose fewer days.") % {"most": files.MOST}
        return _page(request, form, refusal="" if form.errors else message)
    # Fixed before the download's own entry is added, so that page and file agree.
    last = selectors.end().number
    record(person(request), "audit.exported", "audit", entries=count, format=format)
    found, name = found.filter(number__lte=last), f"audit-{clock.today().isoformat()}.{format}"
    make, content_type = FILES[format]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(make(found, person(request)), content_type=content_type, headers=headers)
