"""Forms for HR."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from exams import clock
from exams.certificates.models import Certificate
from exams.certificates.services import MAX_REASON
from exams.hr import selectors
from exams.hr.models import StaffRecord
from exams.hr.selectors import Filters
from exams.hr.staff_files import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, column_names
from exams.hr.staff_writing import RECORD_FIELDS
from rules_engine.narration import books_by_game
from training.people.models import User
from training.people.request import language
from training.platform.rulebook_choices import RulebookBoxes


def day_input() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class FilterForm(forms.Form):
    """The filters of the desk, kept in the URL."""

    q = forms.CharField(label=gettext_lazy("Name, number or e-mail"), required=False, max_length=100)
    rulebook = forms.ChoiceField(label=gettext_lazy("Rulebook"), required=False)
    standing = forms.ChoiceField(label=gettext_lazy("Status"), required=False)
    within = forms.IntegerField(label=gettext_lazy("Ends within (days)"), required=False, min_value=0, max_value=3660)
    department = forms.ChoiceField(label=gettext_lazy("Department"), required=False)
    staff = forms.ChoiceField(label=gettext_lazy("Staff"), required=False, choices=selectors.STAFF)
    sort = forms.ChoiceField(label=gettext_lazy("Sorted by"), required=False, choices=list(selectors.SORTS.items()))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        every = {
            "rulebook": [("", gettext("All rulebooks")), *books_by_game(language())],
            "standing": [("", gettext("All")), *selectors.STANDINGS],
            "department": [("", gettext("All")), *((name, name) for name in selectors.departments())],
        }
        for name, choices in every.items():
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def filters(self) -> Filters:
        """The valid filters. The form reports invalid ones, and callers then show nobody."""
        self.is_valid()
        asked = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        return Filters(**asked)


class RosterForm(forms.Form):
    on = forms.DateField(label=gettext_lazy("Date"), widget=day_input(), validators=[clock.verify_day])
    rulebook = forms.ChoiceField(label=gettext_lazy("Rulebook"), required=False)
    shift = forms.ChoiceField(label=gettext_lazy("Shift"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        every = {
            "rulebook": [("", gettext("All rulebooks")), *books_by_game(language())],
            "shift": [("", gettext("All shifts")), *((name, name) for name in selectors.shifts())],
        }
        for name, choices in every.items():
            self.fields[name].choices = choices  # type: ignore[attr-defined]


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Kept for good with your name and the date; the holder reads it."),
    )


class ScopeForm(ReasonForm):
    """An act that changes a certificate's scope."""

    scope = forms.MultipleChoiceField(
        label=gettext_lazy("From now on it entitles the holder to deal"), widget=RulebookBoxes
    )
    field_order = ["scope", "reason"]

    def __init__(self, *args: Any, certificate: Certificate, **kwargs: Any) -> None:
        super().__init__(*args, **({"initial": {"scope": certificate.scope}} | kwargs))
        possible = {*certificate.scope, *certificate.programme_version.rules.rulebooks}
        self.fields["scope"].choices = books_by_game(language(), possible)  # type: ignore[attr-defined]


class RecordForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    class Meta:
        model = StaffRecord
        fields = [*RECORD_FIELDS]
        labels = {
            "staff_number": gettext_lazy("Staff number"),
            "department": gettext_lazy("Department"),
            "shift": gettext_lazy("Shift"),
            "joined_on": gettext_lazy("Joined on"),
            "left_on": gettext_lazy("Last day at work"),
            "licence_number": gettext_lazy("Licence number"),
            "licence_until": gettext_lazy("Licence valid until"),
        }
        help_texts = {
            "left_on": gettext_lazy("From the next day they are left off the rosters and the account is closed."),
            "licence_number": gettext_lazy("As on the licence issued by the gaming authority."),
        }
        error_messages = {"staff_number": {"unique": gettext_lazy("Somebody else has this staff number.")}}
        widgets = {"joined_on": day_input(), "left_on": day_input(), "licence_until": day_input()}

    def __init__(self, data: Any, *, person: User) -> None:
        super().__init__(data, instance=StaffRecord.objects.filter(person=person).first())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        joined, left = data.get("joined_on"), data.get("left_on")
        if joined and left and left < joined:
            self.add_error("left_on", gettext("The last day is before the day of joining."))
        return data


class ErasureForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "Kept for good in the audit log: say who asked for it and when, and nothing about the person."
        ),
    )
    sure = forms.BooleanField(label=gettext_lazy("Erase it. It cannot be brought back."))


class StaffFileForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("Staff list"), widget=forms.ClearableFileInput(attrs={"accept": ".csv,.xlsx"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        text = gettext(
            "CSV or XLSX, with the columns %(columns)s. At most %(rows)d rows and %(size)d KB; only the first %(wide)d "
            "columns are read."
        )
        limits = {"columns": column_names(), "rows": MAX_ROWS, "wide": MAX_COLUMNS, "size": MAX_BYTES // 1024}
        self.fields["file"].help_text = text % limits

    def clean_file(self) -> Any:
        upload = self.cleaned_data["file"]
        if upload.size > MAX_BYTES:
            raise forms.ValidationError(gettext("The list is larger than %(limit)d KB.") % {"limit": MAX_BYTES // 1024})
        return upload
