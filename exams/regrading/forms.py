"""The form an administrator fills in to start a regrade."""

from typing import Any
from uuid import UUID

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from exams.programmes import selectors
from exams.programmes.models import Programme, ProgrammeVersion
from exams.regrading.services import LONGEST, SHORTEST
from training.people.request import language


class ProgrammeField(forms.ModelChoiceField):  # type: ignore[type-arg]
    @cached_property
    def names(self) -> dict[UUID, str]:
        """Cached per form: each form has its own copy of the field."""
        return selectors.names(language())

    def label_from_instance(self, obj: Programme) -> str:
        return self.names[obj.pk]


class VersionField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: ProgrammeVersion) -> str:
        words = _("%(name)s, version %(number)d (%(state)s)")
        return str(words) % {"name": obj.name(language()), "number": obj.number, "state": obj.get_state_display()}


class StartForm(forms.Form):
    programme = ProgrammeField(
        label=_("Programme"),
        empty_label=_("Choose a programme"),
        queryset=Programme.objects.exclude(versions=None).order_by("code"),
    )
    rules = VersionField(
        label=_("Decide by the rules of"),
        required=False,
        empty_label=_("each result's own version"),
        queryset=ProgrammeVersion.objects.exclude(state=ProgrammeVersion.State.DRAFT)
        .select_related("programme")
        .order_by("programme__code", "-number"),
    )
    reason = forms.CharField(
        label=_("Why"),
        min_length=SHORTEST,
        max_length=LONGEST,
        help_text=_("What was corrected. It is recorded with every result that changes."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        rules, programme = data.get("rules"), data.get("programme")
        if rules and programme and rules.programme_id != programme.pk:
            self.add_error("rules", _("Choose a version of this programme that is or was in force."))
        return data
