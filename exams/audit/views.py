"""The audit log as administrators read it."""

import json
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from exams.audit import selectors
from exams.audit.models import Entry
from training.people.access import allow
from training.people.models import Role

PAGE = 50


class FilterForm(forms.Form):
    """The filters of the log, kept in its address."""

    act = forms.ChoiceField(label=gettext_lazy("What was done"), required=False)
    person = forms.CharField(label=gettext_lazy("Name or e-mail"), required=False, max_length=100)
    subject = forms.CharField(
        label=gettext_lazy("To what"),
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "programme:"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        acts = [("", gettext("Everything")), *((act, act) for act in selectors.acts())]
        self.fields["act"].choices = acts  # type: ignore[attr-defined]

    def filters(self) -> selectors.Filters:
        """What was asked for; a filter that makes no sense is left out and says so on the form."""
        self.is_valid()
        known = self.cleaned_data
        return selectors.Filters(**{name: known.get(name, "").strip() for name in ("act", "person", "subject")})


@allow(Role.ADMINISTRATOR)
@require_safe
def audit(request: HttpRequest) -> HttpResponse:
    form = FilterForm(request.GET or None)
    filters = form.filters() if form.is_bound else selectors.Filters()
    page = Paginator(selectors.entries(filters), PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "form": form,
        "page": page,
        "rows": [(entry, _told(entry)) for entry in page],
        "filtered": filters != selectors.Filters(),
        "query": query.urlencode(),
        "end": selectors.end(),
    }
    return render(request, "audit/audit.html", context)


def _told(entry: Entry) -> list[tuple[str, str]]:
    """The details of an entry, each with its value as it was recorded."""
    return [
        (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in entry.details.items()
    ]
