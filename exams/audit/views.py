"""The audit log for administrators."""

from datetime import date
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
from exams.audit.services import record
from training.people.access import allow
from training.people.models import Role
from training.people.request import person
from training.platform.filters import unfit

PAGE = 50
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
        acts = sorted(((act, words.title_of(act)) for act in selectors.acts()), key=lambda pair: pair[1])
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


@allow(Role.ADMINISTRATOR)
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


@allow(Role.ADMINISTRATOR)
@require_safe
def audit_csv(request: HttpRequest) -> HttpResponse:
    return _file(request, "csv")


@allow(Role.ADMINISTRATOR)
@require_safe
def audit_xlsx(request: HttpRequest) -> HttpResponse:
    return _file(request, "xlsx")


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
