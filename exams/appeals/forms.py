"""Forms for candidates and reviewers."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from exams.appeals.models import Appeal
from exams.appeals.services import LONGEST, SHORTEST


def text_field(label: Any, rows: int, help_text: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        min_length=SHORTEST,
        max_length=LONGEST,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows}),
    )


class LodgeForm(forms.Form):
    text = text_field(
        _("Why this mark is wrong"),
        8,
        _("Say what you answered, what you think is right, and why. From 20 to 4,000 characters."),
    )


class DecideForm(forms.Form):
    REJECTED = Appeal.State.REJECTED.value
    unmarked = ("questions",)

    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            (REJECTED, _("Rejected: the mark stands")),
            (Appeal.Remedy.CORRECTED.value, _("Upheld: the answer is right as well, for everybody who gave it")),
            (Appeal.Remedy.VOIDED.value, _("Upheld: the question is voided and counts for nobody")),
        ],
        widget=forms.RadioSelect,
    )
    questions = forms.MultipleChoiceField(
        label=_("Answers to accept"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Tick at least one if the answer is right as well."),
    )
    reply = text_field(_("Reply to the candidate"), 6, _("The reasons, with the article. It is sent by e-mail."))

    def __init__(self, *args: Any, questions: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["questions"].choices = questions  # type: ignore[attr-defined]
        if not questions:
            # No answer that could be accepted.
            del self.fields["questions"]
            decision: Any = self.fields["decision"]
            decision.choices = [choice for choice in decision.choices if choice[0] != Appeal.Remedy.CORRECTED.value]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("decision") == Appeal.Remedy.CORRECTED.value and not data.get("questions"):
            self.add_error("questions", _("Choose the parts whose answer is to be accepted."))
        return data
